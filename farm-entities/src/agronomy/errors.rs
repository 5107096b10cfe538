//! The error codes of the entities of crop fields.

use std::fmt::Display;

use farm_core::config::{Path, Problem};
use farm_core::{Declarations, codes};

codes! {
    /// Entities of crop fields: weather, soil, plants, pests, weeds and supplies.
    pub enum AgronomyError: "fields of crops" {
        /// A lower bound is above its upper bound.
        ///
        /// A minimum must not exceed its maximum. The wilting point of a soil must not exceed its field capacity.
        BoundsReversed = "bounds-reversed",
        /// Shares of a whole add up to more than 1.
        ///
        /// The nutrients of a fertiliser can't weigh more than the fertiliser.
        SharesAboveOne = "shares-above-one",
        /// A target of a pesticide has an invalid name, or no part of the game reads its role.
        ///
        /// A part is the target `mildew` if it reads the role `cide_on_mildew`.
        WrongTarget = "wrong-target",
        /// A host of a disease is not a plant with leaves in the same field.
        ///
        /// Only plants with `equations: agronomic` have leaves. Without the parameter `hosts`, the disease infects all plants.
        WrongHost = "wrong-host",
        /// A market buys a crop that its field lacks, or that another market in the field already buys.
        ///
        /// A market without `crops` buys the harvests of all plants in its field. A field with several markets lists the crops of each.
        WrongCrop = "wrong-crop",
        /// The layers of a soil contradict each other, or the water table is inside the soil.
        ///
        /// Each layer ends below the layer above it. Its wilting point, field capacity and saturation rise in this order.
        WrongLayers = "wrong-layers",
        /// A weather table can't be read.
        ///
        /// A table has one line for each day, or one of the formats that the documentation of `Weather` lists.
        WrongWeatherTable = "wrong-weather-table",
        /// A season starts outside the days of a weather file, or continues after its last day.
        ///
        /// The error shows the file's first and last date. With `repeat: true`, the file repeats after its last day.
        SeasonOutsideWeather = "season-outside-weather",
        /// A weather file has values that are implausible as weather.
        ///
        /// The usual cause is a wrong unit, or a code for missing values that is read as a number. Set `confirmed` if the values are right.
        ImplausibleWeather = "implausible-weather",
    }
}

/// Reports the lower bound in the parameter `key` if it is above the upper bound.
pub(super) fn check_bounds<T: PartialOrd + Display>(
    d: &mut Declarations<'_>,
    key: &str,
    low: T,
    high: T,
    message: &str,
) {
    if low > high {
        let problem = Problem::new(AgronomyError::BoundsReversed, Path::default().child(key), message).value(low);
        d.problem(problem.expected(format!("at most {high}")));
    }
}
