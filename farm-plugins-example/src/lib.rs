//! An example of a third-party crate for the farm games. Its entities are [`slugs`], [`ladybirds`], an irrigation tank for several fields
//! ([`irrigation_tank`]), and a disease that a fungicide cures ([`mildew`]). It also has a score that includes the cost of salt, a farmer
//! ([`fair_weather_farmer`]), a rule ([`open_rule`]) and a policy ([`round_policy`]).
//!
//! It is written like any crate outside the project: it names no other entities, interacts only through roles, and declares its own roles.
//! There are two ways to use it:
//!
//! * **linked** into your program: `use farm_plugins_example as _;` registers everything, and the compiler checks it;
//! * **loaded** by a program that was built without it: `farm --plugin target/debug/farm_plugins_example list entities`.
//!
//! The `README.md` of the crate shows how to write one in ten minutes.

#![warn(clippy::unwrap_used)]

pub mod errors;
pub mod fair_weather_farmer;
pub mod garden_score;
pub mod irrigation_tank;
pub mod ladybirds;
pub mod mildew;
pub mod open_rule;
pub mod round_policy;
pub mod slugs;

pub use fair_weather_farmer::FairWeatherFarmer;
pub use garden_score::GardenScore;
pub use irrigation_tank::IrrigationTank;
pub use ladybirds::Ladybirds;
pub use mildew::Mildew;
pub use open_rule::OpenRule;
pub use round_policy::RoundPolicy;
pub use slugs::Slugs;

farm_core::roles! {
    /// Salt scattered so far.
    SALT_SCATTERED: f64 = scalar "salt_scattered" in "g", [0.0, f64::INFINITY];
    /// Animals on hosts that count as pests there but are too large for insects to eat.
    GRAZERS_ON_HOSTS: i32 = per_plot "grazers_on_hosts" in "nb", [0.0, f64::INFINITY];
    /// Pesticide against mildew in the plot. The soil provides this role if a `Cide` has the target `mildew`.
    CIDE_ON_MILDEW: f64 = per_plot "cide_on_mildew" in "g", [0.0, f64::INFINITY];
}

farm_core::declare_plugin!();

/// The main game in this crate, as YAML: beans in a garden with weeds, pests, slugs and ladybirds.
pub const SLUG_GARDEN: &str = include_str!("../games/slug_garden.yaml");

/// Another game: two fields that share a tank and a weather, and mildew on both.
pub const MILDEW_GARDEN: &str = include_str!("../games/mildew_garden.yaml");

/// Distance of a value from a closed interval; 0 inside.
///
/// d(y; a, b) = max(0, a − y, y − b)
pub(crate) fn outside(value: f64, [low, high]: [f64; 2]) -> f64 {
    (low - value).max(value - high).max(0.0)
}
