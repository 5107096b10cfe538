//! Weather, soil and plant, tested against the published equations: ledgers, forced inputs, laws of chance, whole seasons.


mod bloom_fruit;

mod forced;
mod grow;

mod ripe_dead;

mod seed;
mod soil;


mod world;
