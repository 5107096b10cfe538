//! Agronomy entities: weather, soil, plants.

pub mod birds;
pub mod cide;
pub mod facility;
pub mod fertilizer;
pub mod pests;
pub mod plant;
pub mod pollinators;
pub mod radiation;
pub mod response;
mod scatter;
pub mod soil;
pub mod weather;
pub mod weeds;

farm_core::choice! {
    /// Which equations an entity plays, where the equation sheet lists two.
    pub enum Equations {
        /// As corrected in the equation sheet.
        Corrected = "corrected",
        /// As printed in the paper, for comparison.
        Paper = "paper",
    }
}
