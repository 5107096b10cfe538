//! Agronomy entities: weather, soil, plants, and what lives and works around them.

pub mod birds;
pub mod cide;
mod errors;
pub mod facility;
pub mod fertilizer;
mod foragers;
pub mod laws;
mod nutrient_demand;
pub mod pests;
pub mod plant;
pub mod pollinators;
pub mod radiation;
pub mod response;
mod root_zone;
mod scatter;
pub mod soil;
mod throughput;
pub mod weather;
pub mod weeds;

pub use errors::AgronomyError;
use errors::check_bounds;

/// Which equations an entity plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Equations {
    /// Laws of crop science, with the paper's entities, stages and chances: the page "How right is it?" holds them against
    /// measurements and other models.
    Agronomic,
    /// The paper's, as corrected in the equation sheet.
    Corrected,
    /// The paper's as printed, for comparison.
    Paper,
}

/// How the missing part of a stock counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum StockDistance {
    /// As a share of what is needed.
    Relative,
    /// In grams and litres, as the paper prints it.
    Absolute,
}

/// The nutrients, in the order of all arrays of four.
pub const NUTRIENTS: [&str; 4] = ["N", "P", "K", "C"];
