//! Weather, soil and plant, tested against the published equations: balances, forced inputs, laws of chance, whole seasons.

mod actions;
mod bloom_fruit;
mod files;
mod forced;
mod grow;
mod ledgers;
mod others;
mod ripe_dead;
mod season;
mod seed;
mod soil;
mod switches;
mod weather;
mod world;
