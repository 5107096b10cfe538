//! Games as a whole: the rules of each, levels, policies, what the platform makes of them, and files.

mod autoenv;
mod backwards_valley;
mod contexts;
mod files;
mod golden;
mod grid_play;
mod levels;
mod mass_balances;
mod measures;
mod missing_roles;
mod platform;
mod policies;
mod seasons;
mod valley_farm;
mod vector;
mod walking_farmer;
