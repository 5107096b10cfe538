//! The search on a game whose optimum is known, on a game that neglect won, and on the farm games that are shipped.

mod neglect;
mod planned;
mod senses;
mod shipped;
mod skill;
mod toys;
mod tuned;
mod vein;
