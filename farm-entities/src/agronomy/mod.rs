//! Agronomy entities: weather, soil, plants.

