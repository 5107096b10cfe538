//! The search on a game whose optimum is known, and on the farm games that are shipped.

mod shipped;
mod toys;
mod vein;
