//! Weather variables.

use farm_core::declare::{count, real};
use farm_core::{Builder, Column};

pub(super) const DAYS_PER_YEAR: i32 = 365;
/// Years after which the count of years restarts at 0.
pub(super) const YEARS: i32 = 100;
pub(super) const MAX_DAYS_IN_A_ROW: i32 = 10_000;
// Ranges of the variables; they also limit noise.
pub(super) const TEMPERATURE: (f64, f64) = (-100.0, 100.0);
pub(super) const PERCENT: (f64, f64) = (0.0, 100.0);
pub(super) const WIND: (f64, f64) = (0.0, 500.0);
pub(super) const RAIN: (f64, f64) = (0.0, 1000.0);

/// The columns of the variables.
pub(super) struct Columns {
    pub day: Column<i32>,
    pub year: Column<i32>,
    pub mean: Column<f64>,
    pub min: Column<f64>,
    pub max: Column<f64>,
    pub humidity: Column<f64>,
    pub humidity_min: Column<f64>,
    pub wind_speed: Column<f64>,
    pub wind_speed_2m: Column<f64>,
    pub wind_direction: Column<f64>,
    pub clouds: Column<f64>,
    pub solar_radiation: Column<f64>,
    pub rain_amount: Column<f64>,
    pub rain_intensity: Column<f64>,
    pub evapotranspiration: Column<f64>,
    pub frost: Column<i32>,
    pub dry: Column<i32>,
}

impl Columns {
    pub(super) fn declare(b: &mut Builder<'_>) -> Self {
        let within = |name: &str, range: (f64, f64), doc: &str| real(name, range.0, range.1, doc);
        Self {
            day: b.declare(count("day#int365", 0, DAYS_PER_YEAR - 1, "Day of the year. 0 is 1 January.")),
            year: b.declare(count(
                "year#int100",
                0,
                YEARS - 1,
                "Number of the year, starting at 0. It selects the year of a weather table with several years.",
            )),
            mean: b.declare(
                within("air_temperature.mean#°C", TEMPERATURE, "Mean air temperature on this day.")
                    .role(farm_roles::AIR_TEMPERATURE_MEAN),
            ),
            min: b.declare(
                within("air_temperature.min#°C", TEMPERATURE, "Lowest air temperature on this day.")
                    .role(farm_roles::AIR_TEMPERATURE_MIN),
            ),
            max: b.declare(
                within("air_temperature.max#°C", TEMPERATURE, "Highest air temperature on this day.")
                    .role(farm_roles::AIR_TEMPERATURE_MAX),
            ),
            humidity: b.declare(
                within("humidity#%", PERCENT, "Mean relative humidity on this day.")
                    .role(farm_roles::RELATIVE_HUMIDITY),
            ),
            humidity_min: b.declare(
                within("humidity_min#%", PERCENT, "Lowest relative humidity of the day.")
                    .hidden()
                    .role(farm_roles::RELATIVE_HUMIDITY_MIN),
            ),
            wind_speed: b.declare(
                within("wind.speed#km.h-1", WIND, "Mean wind speed on this day, at the height of measurement.")
                    .role(farm_roles::WIND_SPEED),
            ),
            wind_speed_2m: b.declare(
                real("wind_speed_2m#m.s-1", 0.0, 300.0, "Mean wind speed on this day, 2 m above the ground.")
                    .hidden()
                    .role(farm_roles::WIND_SPEED_2M),
            ),
            wind_direction: b.declare(
                real("wind.direction#°", 0.0, 360.0, "Direction from which the wind comes: 0 is north, 90 is east.")
                    .role(farm_roles::WIND_DIRECTION),
            ),
            clouds: b.declare(within("clouds#%", PERCENT, "Mean cloud cover on this day.")),
            solar_radiation: b.declare(
                real("solar_radiation#MJ.m-2.day-1", 0.0, 50.0, "Solar radiation that reaches the ground on this day.")
                    .hidden()
                    .role(farm_roles::SOLAR_RADIATION),
            ),
            rain_amount: b.declare(
                within("rain_amount#mm.day-1", RAIN, "Rain on this day. It is already part of the soil water.")
                    .role(farm_roles::RAIN_AMOUNT),
            ),
            rain_intensity: b.declare(
                real("rain_intensity#prop", 0.0, 1.0, "Intensity of this day's rain, from 0 (no rain) to 1.")
                    .role(farm_roles::RAIN_INTENSITY),
            ),
            evapotranspiration: b.declare(
                real(
                    "reference_evapotranspiration#mm.day-1",
                    0.0,
                    1000.0,
                    "Reference evapotranspiration on this day: the water that well-watered short grass would lose.",
                )
                .role(farm_roles::REFERENCE_EVAPOTRANSPIRATION),
            ),
            frost: b.declare(
                count(
                    "consecutive_frost#day",
                    0,
                    MAX_DAYS_IN_A_ROW,
                    "Number of days in a row with frost, including this day. Frost means below 0 °C.",
                )
                .role(farm_roles::CONSECUTIVE_FROST),
            ),
            dry: b.declare(count(
                "consecutive_dry#day",
                0,
                MAX_DAYS_IN_A_ROW,
                "Number of days in a row with less than 1 mm of rain, including this day.",
            )),
        }
    }
}
