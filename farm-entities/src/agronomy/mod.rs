//! Agronomy entities: weather, soil, plants.

pub mod radiation;
pub mod plant;
pub mod response;
pub mod soil;
pub mod weather;
