//! Agronomy entities: weather, soil, plants.

pub mod plant;
pub mod radiation;
pub mod response;
pub mod soil;
pub mod weather;
