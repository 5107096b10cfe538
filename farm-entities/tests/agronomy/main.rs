//! The entities against the published equations, and against each other: ledgers, forced inputs, laws of chance, whole seasons.
//!
//! They play in games with the rules, farmers and scores of the project.

mod actions;
mod aquacrop;
mod balances;
mod bloom_fruit;
mod composition;
mod couplings;
mod cultivars;
mod disease;
mod files;
mod forced;
mod full_farm_balances;
mod generated_weather;
mod grow;
mod hay_and_fleece;
mod insects;
mod market;
mod modes;
mod others;
mod response_curves;
mod ripe_dead;
mod season;
mod seed;
mod soil;
mod soil_layers;
mod soil_profile;
mod supplies;
mod switches;
mod trial_weather;
mod visitors_and_supplies;
mod water_supply;
mod weather;
mod weather_corpus;
mod weeds_and_pests;
mod world;
