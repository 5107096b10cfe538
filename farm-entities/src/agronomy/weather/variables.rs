//! Weather variables.

use farm_core::{Column, Columns};
use farm_roles::{
    AIR_CO2, AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MEAN, AIR_TEMPERATURE_MIN, CONSECUTIVE_FROST, DAY_OF_YEAR,
    RAIN_AMOUNT, RAIN_INTENSITY, REFERENCE_EVAPOTRANSPIRATION, RELATIVE_HUMIDITY, RELATIVE_HUMIDITY_MIN,
    SOLAR_RADIATION, WIND_DIRECTION, WIND_SPEED, WIND_SPEED_2M,
};

pub(super) const DAYS_PER_YEAR: i32 = 365;
/// Years after which the count of years restarts at 0.
pub(super) const YEARS: i32 = 100;
pub(super) const MAX_DAYS_IN_A_ROW: i32 = 10_000;
// Ranges of the variables; they also limit noise.
pub(super) const TEMPERATURE: (f64, f64) = (-100.0, 100.0);
pub(super) const PERCENT: (f64, f64) = (0.0, 100.0);
pub(super) const WIND: (f64, f64) = (0.0, 500.0);
pub(super) const RAIN: (f64, f64) = (0.0, 1000.0);

/// The air's carbon dioxide, if the game sets it.
#[derive(Columns)]
pub(super) struct CarbonDioxide {
    _ppm: f64,
    /// Carbon dioxide in the air.
    #[real(name = "co2#ppm", range = 0.0..=2000.0, default = _ppm, hidden, role = AIR_CO2)]
    _column: Column<f64>,
}

/// The variables, in the order of the state.
#[derive(Columns)]
pub(super) struct Variables {
    /// Day of the year, where 0 is 1 January.
    #[count(unit = "int365", range = 0..=DAYS_PER_YEAR - 1, role = DAY_OF_YEAR)]
    pub day: Column<i32>,
    /// Index of the weather year, starting at 0. It selects a year if the weather table covers several years.
    #[count(unit = "int100", range = 0..=YEARS - 1)]
    pub year: Column<i32>,
    /// Mean air temperature of the day.
    #[real(name = "air_temperature.mean#°C", range = TEMPERATURE.0..=TEMPERATURE.1, role = AIR_TEMPERATURE_MEAN)]
    pub mean: Column<f64>,
    /// Lowest air temperature of the day.
    #[real(name = "air_temperature.min#°C", range = TEMPERATURE.0..=TEMPERATURE.1, role = AIR_TEMPERATURE_MIN)]
    pub min: Column<f64>,
    /// Highest air temperature of the day.
    #[real(name = "air_temperature.max#°C", range = TEMPERATURE.0..=TEMPERATURE.1, role = AIR_TEMPERATURE_MAX)]
    pub max: Column<f64>,
    /// Mean relative humidity of the day.
    #[real(unit = "%", range = PERCENT.0..=PERCENT.1, role = RELATIVE_HUMIDITY)]
    pub humidity: Column<f64>,
    /// Lowest relative humidity of the day.
    #[real(unit = "%", range = PERCENT.0..=PERCENT.1, hidden, role = RELATIVE_HUMIDITY_MIN)]
    pub humidity_min: Column<f64>,
    /// Mean wind speed of the day, at measurement height.
    #[real(name = "wind.speed#km.h-1", range = WIND.0..=WIND.1, role = WIND_SPEED)]
    pub wind_speed: Column<f64>,
    /// Mean wind speed of the day, 2 m above the ground.
    #[real(unit = "m.s-1", range = 0.0..=300.0, hidden, role = WIND_SPEED_2M)]
    pub wind_speed_2m: Column<f64>,
    /// Direction from which the wind blows. 0 is north, and 90 is east.
    #[real(name = "wind.direction#°", range = 0.0..=360.0, role = WIND_DIRECTION)]
    pub wind_direction: Column<f64>,
    /// Mean cloud cover of the day.
    #[real(unit = "%", range = PERCENT.0..=PERCENT.1)]
    pub clouds: Column<f64>,
    /// Solar radiation that reaches the ground on this day.
    #[real(unit = "MJ.m-2.day-1", range = 0.0..=50.0, hidden, role = SOLAR_RADIATION)]
    pub solar_radiation: Column<f64>,
    /// The day's rainfall, which the soil water already includes.
    #[real(unit = "mm.day-1", range = RAIN.0..=RAIN.1, role = RAIN_AMOUNT)]
    pub rain_amount: Column<f64>,
    /// Intensity of the day's rain, from 0 (no rain) to 1.
    #[real(unit = "prop", range = 0.0..=1.0, role = RAIN_INTENSITY)]
    pub rain_intensity: Column<f64>,
    /// Reference evapotranspiration of the day. This is the water that well-watered short grass would lose.
    #[real(name = "reference_evapotranspiration#mm.day-1", range = 0.0..=1000.0, role = REFERENCE_EVAPOTRANSPIRATION)]
    pub evapotranspiration: Column<f64>,
    /// Number of consecutive days with frost (below 0 °C), including this day.
    #[count(name = "consecutive_frost#day", range = 0..=MAX_DAYS_IN_A_ROW, role = CONSECUTIVE_FROST)]
    pub frost: Column<i32>,
    /// Number of consecutive days with less than 1 mm of rain, including this day.
    #[count(name = "consecutive_dry#day", range = 0..=MAX_DAYS_IN_A_ROW)]
    pub dry: Column<i32>,
}
