//! Agronomy entities: weather, soil, plants, the animals and weeds around them, and supplies.

pub mod birds;
pub mod cide;
pub mod cover;
pub mod disease;
mod errors;
pub mod facility;
pub mod fertilizer;
mod foragers;
mod fungicide;
pub mod grain_moisture;
pub mod laws;
pub mod market;
pub mod meadow;
mod nutrient_demand;
pub mod pests;
pub mod plant;
pub mod pollinators;
pub mod radiation;
pub mod response;
mod root_zone;
mod rows;
mod scatter;
pub mod soil;
mod throughput;
pub mod weather;
pub mod weeds;

pub use errors::AgronomyError;
use errors::check_bounds;

/// The equations that an entity follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Equations {
    /// Laws of crop science, with the paper's entities, stages and probabilities. The page "How right is it?" compares them with
    /// measurements and other models.
    Agronomic,
    /// The paper's equations, as corrected in the equation sheet.
    Corrected,
    /// The paper's equations as printed, for comparison.
    Paper,
}

/// The measure of a shortage in a stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum StockDistance {
    /// As a share of the need.
    Relative,
    /// In grams and litres, as printed in the paper.
    Absolute,
}

/// The nutrients, in the order of all arrays of four.
pub const NUTRIENTS: [&str; 4] = ["N", "P", "K", "C"];
/// The names of the nutrients, for texts.
const NUTRIENT_NAMES: [&str; 4] = ["Nitrogen", "Phosphorus", "Potassium", "Carbon"];
