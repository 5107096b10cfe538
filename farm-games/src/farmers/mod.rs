//! Farmers, which execute the chosen actions when they are available.

mod basic_farmer;
mod grid_farmer;
mod limits;
mod scheduled_farmer;
mod walking;
mod walking_farmer;
mod wet_soil;

pub use basic_farmer::BasicFarmer;
pub use grid_farmer::{Direction, GridFarmer};
pub use limits::Permission;
pub use scheduled_farmer::{ScheduledFarmer, Weekday};
pub use walking_farmer::{PLACES_SEEN, Place, REFILL, Seen, Stock, WalkingFarmer};
