//! Disease: a fungus or oomycete on the leaves of plants, driven by the weather.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `air_temperature_min`, `air_temperature_max`, `relative_humidity`, `rain_amount` | °C, %, mm |
//! | leaves of the hosts, and which parts are plants | `leaf_area`, `plant_progress` | m², prop |
//! | share of infections that fungicides prevent | `oomycetes_prevented`, `fungi_prevented` | prop |
//! | age of infections that fungicides kill | `oomycetes_cured`, `fungi_cured` | day |
//!
//! | writes | unit |
//! |---|---|
//! | share of leaves with lesions on each plot; infection units of the day, and their sum since the last spray | prop, – |
//! | share of the hosts' leaves that lesions cover (roles `leaves_sick`, `growth_hindrance`) | prop |
//! | share of the hosts' leaves that dies today (role `leaves_lost`) | prop |
//!
//! Source: equation sheet, part V. In a day:
//!
//! 1. Temperature and wet hours give the day's infection units, from 0 to 7.
//! 2. Spores from the plot, its four neighbours and outside the field infect healthy leaves. Protectant fungicides prevent infections.
//! 3. Infections become visible after a latent period, which depends on temperature. Curative fungicides kill young infections.
//! 4. Lesions make spores until they die. Dead lesions are dead leaves.

mod hosts;
mod parameters;
mod plague;

pub(crate) use parameters::Disease;
pub use parameters::{InfectionLaw, Pathogen};
