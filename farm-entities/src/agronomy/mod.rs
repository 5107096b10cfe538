//! Agronomy entities: weather, soil, plants.

pub mod radiation;
