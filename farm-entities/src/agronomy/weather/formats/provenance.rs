//! The provenance of a weather file: its metadata, and how it was read.

use std::fmt::Write as _;

use super::quantities::{QUANTITIES, RAIN};
use super::{Date, Day};

/// The origin of the numbers of a quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The quantity, such as `rain`.
    pub quantity: &'static str,
    /// The column in the file, or the estimate that replaces it.
    pub source: String,
    /// The unit in the file; empty if the quantity is not measured.
    pub unit: String,
    /// Whether the unit is assumed, because the file does not state it.
    pub is_assumed: bool,
}

/// A file's metadata, in the same form for all formats, and how the file was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// The format, such as `NASA POWER`.
    pub format: &'static str,
    /// Latitude, north positive, if the file states it.
    pub latitude_degrees: Option<f64>,
    /// Longitude, east positive, if the file states it.
    pub longitude_degrees: Option<f64>,
    /// Height above the sea, if the file states it.
    pub elevation_m: Option<f64>,
    /// Rows per day: 1, or 24 for hourly data.
    pub rows_per_day: u32,
    /// Each quantity with its source.
    pub origins: Vec<Origin>,
    /// Headers of columns that are not read.
    pub unused: Vec<String>,
    /// Notes on omitted, filled and assumed values.
    pub notes: Vec<String>,
}

impl Provenance {
    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn origin(&mut self, quantity: usize, source: &str, unit: &str, is_assumed: bool) {
        let quantity = QUANTITIES[quantity].name;
        self.origins.push(Origin { quantity, source: source.to_owned(), unit: unit.to_owned(), is_assumed });
    }

    /// The origin of a quantity.
    pub fn source_of(&self, quantity: &str) -> Option<&Origin> {
        self.origins.iter().find(|origin| origin.quantity == quantity)
    }
}

/// Consecutive days, with the provenance of their file.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The days, without 29 February.
    pub days: Vec<Day>,
    /// The date of the first day; `None` for a table without dates.
    pub first: Option<Date>,
    /// The provenance of the file.
    pub provenance: Provenance,
    /// Implausible values in the file.
    pub findings: Vec<Finding>,
}

/// Implausible values in a file, which may still be right.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The word that confirms these values in `confirmed`.
    pub key: &'static str,
    /// The implausible value.
    pub message: String,
    /// A possible cause.
    pub cause: String,
}

impl Series {
    /// Day of the year of the first day, 0 on 1 January. A table without dates begins on 1 January.
    pub fn first_day(&self) -> usize {
        self.first.map_or(0, |first| first.day_index() as usize)
    }

    /// The date of a day, counted from 0; `None` for a table without dates.
    pub fn date(&self, day: usize) -> Option<Date> {
        let index = self.first_day() + day;
        self.first.map(|first| Date::of_index(first.year + (index / 365) as i32, (index % 365) as u32))
    }

    /// The date of the last day.
    pub fn last(&self) -> Option<Date> {
        self.date(self.days.len().saturating_sub(1))
    }

    /// Number of calendar years with days in the series.
    pub fn years(&self) -> usize {
        (self.first_day() + self.days.len()).div_ceil(365).max(1)
    }

    /// The series in one line: days, place, and annual means and sums.
    pub fn line(&self) -> String {
        let mean = |value: fn(&Day) -> f64| self.days.iter().map(value).sum::<f64>() / self.days.len().max(1) as f64;
        let provenance = &self.provenance;
        let mut line = format!("{} days", self.days.len());
        if let (Some(first), Some(last)) = (self.first, self.last()) {
            let _ = write!(line, " from {first} to {last}");
        }
        let step = if provenance.rows_per_day > 1 { ", hourly" } else { "" };
        let _ = write!(line, " ({}{step})", provenance.format);
        if let (Some(latitude), Some(longitude)) = (provenance.latitude_degrees, provenance.longitude_degrees) {
            let _ = write!(line, " at {latitude}° N, {longitude}° E");
        }
        // Part of a year says nothing about the rest, so its sums are not scaled to a year.
        let (days, of) = if self.days.len() < 365 { (self.days.len(), "") } else { (365, " a year") };
        let rain = mean(|day| day.rain_mm) * days as f64;
        let _ = write!(line, ": {:.1} °C, {rain:.0} mm of rain{of}", mean(|day| day.mean_celsius));
        let measured = self.days.iter().filter_map(|day| day.solar_mj).collect::<Vec<_>>();
        if !measured.is_empty() {
            let sum = measured.iter().sum::<f64>() / measured.len() as f64 * days as f64;
            let _ = write!(line, ", {sum:.0} MJ/m² of radiation{of}");
        }
        let _ = write!(line, ", wind {:.0} km/h", mean(|day| day.wind_km_per_h));
        line
    }

    /// The series in several lines: the origin of each quantity, and the assumed, omitted and unread parts.
    pub fn summary(&self) -> Vec<String> {
        let provenance = &self.provenance;
        let mut lines = vec![self.line()];
        if let Some(metres) = provenance.elevation_m {
            lines.push(format!("elevation: {metres} m"));
        }
        let mut of_quantity: Vec<String> = Vec::new();
        for origin in &provenance.origins {
            let unit = match (origin.unit.is_empty(), origin.is_assumed) {
                (true, _) => String::new(),
                (false, true) => format!(", assumed in {}", origin.unit),
                (false, false) => format!(" in {}", origin.unit),
            };
            of_quantity.push(format!("{} from {}{unit}", origin.quantity, origin.source));
        }
        lines.push(of_quantity.join("; "));
        if !provenance.unused.is_empty() {
            lines.push(format!("not read: {}", provenance.unused.join(", ")));
        }
        lines.extend(provenance.notes.iter().cloned());
        lines
    }

    /// Uses the rain from another series, day by day: from the same date, or from the same day in the other series' first year if that
    /// series lacks the date.
    pub fn with_rain_of(mut self, other: &Series, name: &str) -> Self {
        let (start, other_start) = (self.first_day(), other.first_day());
        let years = match (self.first, other.first) {
            (Some(mine), Some(others)) => i64::from(mine.year) - i64::from(others.year),
            _ => 0,
        };
        for (i, day) in self.days.iter_mut().enumerate() {
            let index = (start + i) as i64;
            let same_date = index + 365 * years - other_start as i64;
            let same_day = (index - other_start as i64).rem_euclid(365);
            let length = other.days.len() as i64;
            let at = if (0..length).contains(&same_date) { same_date } else { same_day.rem_euclid(length.max(1)) };
            if let Some(other) = other.days.get(at as usize) {
                day.rain_mm = other.rain_mm;
            }
        }
        self.provenance.origins.retain(|origin| origin.quantity != QUANTITIES[RAIN].name);
        self.provenance.origin(RAIN, name, "", false);
        self.findings.retain(|finding| finding.key != "rain");
        self
    }
}
