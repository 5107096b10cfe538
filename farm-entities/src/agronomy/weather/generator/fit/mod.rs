//! Fits the generator to the days of a station.
//!
//! The months (`months.rs`) are means, chances of wet days and standard deviations. The memory (`memory.rs`) follows from the lag-0 and
//! lag-1 correlations M₀ and M₁ of the departures: A = M₁·M₀⁻¹ and B·Bᵀ = M₀ − A·M₁ᵀ (Matalas 1967, doi 10.1029/WR003i004p00937; Richardson
//! 1981, doi 10.1029/WR017i001p00182). Seasons that vary more than days with this memory explain have a departure of their own. The normals
//! of a day are those of the generator, so that a fit of generated days returns their parameters.

mod memory;
mod months;
mod numbers;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use farm_core::config::{Path, Problem, to_inline_yaml};
use farm_core::serde_yaml::{Value, to_value};

use super::annual_rain;
use super::law::{Climate, Law};
use super::site::Site;
use super::year::{self, DayOfYear};
use crate::agronomy::AgronomyError;
use crate::agronomy::weather::formats::{Day, MONTH_STARTS, Series, WET_DAY_MM};

/// Minimum number of whole years.
pub const LEAST_YEARS: usize = 5;
const DAYS_PER_YEAR: usize = 365;

/// The generator's parameters for a station.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The climate.
    pub climate: Climate,
    /// Standard deviation of annual rain, relative to years of the same wetness.
    pub rain_variation: f64,
    /// Height of the wind \[m\].
    pub wind_height_m: f64,
    /// What was read and assumed, as sentences.
    pub notes: Vec<String>,
}

/// A file that is too short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooShort {
    /// The number of whole years in the file.
    pub years: usize,
}

impl std::fmt::Display for TooShort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = if self.years == 1 { "year" } else { "years" };
        write!(f, "the file has {} whole {word}, and a fit needs at least {LEAST_YEARS}", self.years)
    }
}

impl std::error::Error for TooShort {}

impl TooShort {
    /// The error with its remedy; `file` names the file.
    pub fn problem(&self, file: &str) -> Problem {
        let help = "join the files of several years, or use the set with the nearest climate: `farm describe Weather`";
        Problem::new(AgronomyError::WrongWeatherTable, Path::default(), format!("{file}: {self}")).help(help)
    }
}

/// The quantities that a file has; the others are estimates.
#[derive(Debug, Clone, Copy)]
struct Known {
    humidity: bool,
    clouds: bool,
    wind: bool,
}

impl Known {
    fn of(series: &Series) -> Self {
        let estimated = |quantity: &str, source: &str| {
            let origins = series.provenance.origins.iter();
            let mut whole = origins.filter(|origin| origin.quantity == quantity && origin.unit.is_empty());
            whole.any(|origin| origin.source.starts_with(source) && !origin.source.contains("number of days"))
        };
        Self {
            humidity: !estimated("relative humidity", ""),
            clouds: !estimated("clouds", "the rain"),
            wind: !estimated("wind speed", ""),
        }
    }
}

/// The whole years of a series.
struct Record<'a> {
    days: &'a [Day],
    first_day: usize,
    known: Known,
}

impl Record<'_> {
    /// The day of the year of the i-th day.
    fn day_of_year(&self, i: usize) -> usize {
        (self.first_day + i) % DAYS_PER_YEAR
    }

    fn years(&self) -> usize {
        self.days.len() / DAYS_PER_YEAR
    }

    fn is_wet(&self, i: usize) -> bool {
        self.days[i].rain_mm >= WET_DAY_MM
    }
}

/// The days of a climate that has its own months.
fn days_of(climate: &Climate) -> Vec<DayOfYear> {
    year::days(&climate.months(Site::Montpellier), &Law::of(climate))
}

fn month_of(day_of_year: usize) -> usize {
    MONTH_STARTS.iter().skip(1).position(|start| day_of_year < *start).unwrap_or(11)
}

/// Fits the generator to the days of a station. `wind_height_m` is the height to which the series was converted.
///
/// # Errors
/// The series has fewer than [`LEAST_YEARS`] whole years.
pub fn fit(series: &Series, wind_height_m: f64) -> Result<Fit, TooShort> {
    let years = series.days.len() / DAYS_PER_YEAR;
    if years < LEAST_YEARS {
        return Err(TooShort { years });
    }
    let known = Known::of(series);
    let record = Record { days: &series.days[..years * DAYS_PER_YEAR], first_day: series.first_day(), known };
    let months = months::months(&record);
    let rain_shape = months::rain_shape(&record);
    let mut climate = Climate { rain_shape: rounded(rain_shape), months: Some(months), ..Climate::default() };
    let mut notes = notes(series, &record);
    memory::fit(&record, &mut climate, &mut notes);
    let days = days_of(&climate);
    let rain_variation = rounded(rain_variation(&record, &days, rain_shape));
    Ok(Fit { climate, rain_variation, wind_height_m: if known.wind { wind_height_m } else { 10.0 }, notes })
}

fn notes(series: &Series, record: &Record<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let span = match (series.first, series.date(record.days.len() - 1)) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "a file without dates".to_owned(),
    };
    notes.push(format!(
        "{} whole years, {span}; a trend of the temperature is removed from the departures",
        record.years()
    ));
    for (is_known, quantity, instead) in [
        (record.known.humidity, "humidity", "the lowest temperature is the dew point"),
        (record.known.clouds, "radiation", "clouds of 32 % on dry days and 80 % on wet days"),
        (record.known.wind, "wind", "2.67 m/s at 10 m"),
    ] {
        if !is_known {
            notes.push(format!("no {quantity} in the file, assumed: {instead}"));
        }
    }
    notes
}

/// The standard deviation of annual rain, relative to that of the chain with years of the same wetness, within the parameter's range.
fn rain_variation(record: &Record<'_>, days: &[DayOfYear], shape: f64) -> f64 {
    let years: Vec<f64> =
        record.days.chunks_exact(DAYS_PER_YEAR).map(|year| year.iter().map(|day| day.rain_mm).sum()).collect();
    let (_, plain) = annual_rain(days, WET_DAY_MM, shape);
    let unbiased = years.len() as f64 / (years.len() as f64 - 1.0);
    let ratio = (variance(&years) * unbiased / plain).sqrt();
    if ratio.is_finite() { ratio.clamp(1.0, 3.0) } else { 1.0 }
}

impl Fit {
    /// The weather as an entity of a game: the text of an item in the list of `entities`. Comments state what was read and assumed.
    pub fn yaml(&self, file: &str) -> String {
        let mut text = format!("# The generator, fitted to {file}\n");
        for note in &self.notes {
            let _ = writeln!(text, "# {note}");
        }
        let _ = write!(
            text,
            "- Weather:\n    source: generator\n    wind_height#m: {}\n    rain_variation#prop: {}\n    climate:\n",
            self.wind_height_m, self.rain_variation
        );
        write_mapping(&mut text, &to_value(&self.climate).unwrap_or_default(), 6);
        text
    }
}

/// Writes a mapping with a line for each list, and a line for each row of a matrix.
fn write_mapping(text: &mut String, value: &Value, indent: usize) {
    for (key, value) in value.as_mapping().into_iter().flatten() {
        let key = key.as_str().unwrap_or_default();
        let is_matrix = value.as_sequence().is_some_and(|rows| rows.first().is_some_and(Value::is_sequence));
        let space = " ".repeat(indent);
        if value.is_mapping() {
            let _ = writeln!(text, "{space}{key}:");
            write_mapping(text, value, indent + 2);
        } else if is_matrix {
            let _ = writeln!(text, "{space}{key}:");
            for row in value.as_sequence().into_iter().flatten() {
                let _ = writeln!(text, "{space}  - {}", to_inline_yaml(row));
            }
        } else {
            let _ = writeln!(text, "{space}{key}: {}", to_inline_yaml(value));
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The mean square deviation from the mean.
fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|value| (value - centre) * (value - centre)).sum::<f64>() / values.len().max(1) as f64
}

/// A value with three decimals.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A value with two decimals, for means of months.
fn short(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
