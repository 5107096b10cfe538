//! Levels: what is written is read back as the same world; what is wrong is said where it stands.

mod families;
mod family_games;
mod ladders;
mod leaks;
mod problems;
mod round_trip;
