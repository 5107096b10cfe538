//! The codes of what does not fit in fields of crops.

use std::fmt::Display;

use farm_core::config::{Path, Problem};
use farm_core::{Builder, codes};

codes! {
    /// Entities of fields of crops: weather, soil, plants, and what threatens or feeds them.
    pub enum AgronomyError: "fields of crops" {
        /// A lower bound lies above the upper one.
        ///
        /// The fewest can't be more than the most, and a soil can't wilt plants at more water than it holds.
        BoundsReversed = "bounds-reversed",
        /// Shares of a whole add up to more than 1.
        ///
        /// A fertiliser can't have more nutrients than it weighs.
        SharesAboveOne = "shares-above-one",
        /// The target of a cide can't have this name, or nothing in the game is such a target.
        ///
        /// A target is what a cide kills, by the name of a role `cide_on_TARGET`.
        WrongTarget = "wrong-target",
        /// A table of weather can't be read.
        ///
        /// A table has a line for each day, or is in one of the formats that the kind `Weather` lists.
        WrongWeatherTable = "wrong-weather-table",
        /// A season begins outside the days of a weather file, or runs past their end.
        ///
        /// The file's first and last date are told; `repeat: true` begins anew after its last day.
        SeasonOutsideWeather = "season-outside-weather",
        /// The numbers of a weather file are such as hardly any weather has.
        ///
        /// Another unit or a code for a missing value may be read as weather. `confirmed` says that the numbers are right.
        ImplausibleWeather = "implausible-weather",
    }
}

/// Reports a lower bound, the parameter `key`, that lies above the upper one.
pub(super) fn check_bounds<T: PartialOrd + Display>(b: &mut Builder<'_>, key: &str, low: T, high: T, message: &str) {
    if low > high {
        let problem = Problem::new(AgronomyError::BoundsReversed, Path::default().child(key), message).value(low);
        b.problem(problem.expected(format!("at most {high}")));
    }
}
