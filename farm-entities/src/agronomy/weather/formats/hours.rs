//! Hourly rows, converted to days.
//!
//! The rows of a day determine its lowest, mean and highest temperature, its mean humidity, wind and clouds, and its total rain and
//! radiation. The wind direction is the direction of the mean wind vector. A quantity is missing on a day if more than a quarter of the
//! day's rows lack it.

use farm_core::math;

use super::Date;
use super::error::Report;
use super::quantities::{CLOUDS, DIRECTION, MAX, MEAN, MIN, QUANTITIES, RAIN, SOLAR, WIND};
use super::series::{Entry, Values};

/// Maximum share of a day's rows that may lack a value.
const MAX_MISSING: f64 = 0.25;

/// Sums over the rows of a day.
struct Sums {
    line: u64,
    date: Date,
    rows: usize,
    sums: [f64; QUANTITIES.len()],
    known: [f64; QUANTITIES.len()],
    min: f64,
    max: f64,
    /// The wind vector: its components from the north and from the east.
    vector: (f64, f64),
    is_wrong: bool,
}

impl Sums {
    fn new(line: u64, date: Date) -> Self {
        let (sums, known) = ([0.0; QUANTITIES.len()], [0.0; QUANTITIES.len()]);
        let (min, max) = (f64::MAX, f64::MIN);
        Self { line, date, rows: 0, sums, known, min, max, vector: (0.0, 0.0), is_wrong: false }
    }

    fn add(&mut self, values: &Values) {
        self.rows += 1;
        self.is_wrong |= values.iter().flatten().any(|value| value.is_nan());
        for (i, value) in values.iter().enumerate() {
            self.sums[i] += value.unwrap_or(0.0);
            self.known[i] += f64::from(u8::from(value.is_some()));
        }
        for celsius in [values[MEAN], values[MIN], values[MAX]].into_iter().flatten() {
            (self.min, self.max) = (self.min.min(celsius), self.max.max(celsius));
        }
        if let (Some(from), Some(speed)) = (values[DIRECTION], values[WIND]) {
            let radians = from.to_radians();
            self.vector.0 += speed * math::cos(radians);
            self.vector.1 += speed * math::sin(radians);
        }
    }

    /// The mean of a quantity; `None` if too few rows have it.
    fn mean(&self, quantity: usize) -> Option<f64> {
        let rows = self.rows as f64;
        let enough = rows - self.known[quantity] <= MAX_MISSING * rows;
        (self.known[quantity] > 0.0 && enough).then(|| self.sums[quantity] / self.known[quantity])
    }

    fn entry(&self) -> Entry {
        let mut values: Values = std::array::from_fn(|quantity| self.mean(quantity));
        if self.is_wrong {
            values = values.map(|value| value.map(|_| f64::NAN));
        }
        for (extreme, value) in [(MIN, self.min), (MAX, self.max)] {
            values[extreme] = values[MEAN].map(|mean| if mean.is_nan() { mean } else { value });
        }
        for summed in [RAIN, SOLAR] {
            // A few missing hours get the mean of the others.
            values[summed] = values[summed].map(|mean| mean * self.rows as f64);
        }
        values[CLOUDS] = values[CLOUDS].map(|percent| percent.min(100.0));
        values[DIRECTION] = values[DIRECTION].and_then(|_| direction_degrees(self.vector));
        Entry { line: self.line, date: Some(self.date), values }
    }
}

/// The direction from which a wind with these components comes; `None` without wind.
fn direction_degrees((north, east): (f64, f64)) -> Option<f64> {
    let length = (north * north + east * east).sqrt();
    let angle = math::acos(north / length.max(1e-12)).to_degrees();
    (length > 1e-9).then_some(if east < 0.0 { 360.0 - angle } else { angle })
}

/// The number of rows that most days have.
pub(super) fn rows_per_day(dates: impl Iterator<Item = Date>) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    let (mut before, mut run) = (None, 0_usize);
    for date in dates {
        if before == Some(date) {
            run += 1;
        } else {
            if run > 0 {
                *counts.entry(run).or_insert(0_usize) += 1;
            }
            (before, run) = (Some(date), 1);
        }
    }
    // The last day is often cut short.
    if run > 0 && counts.is_empty() {
        counts.insert(run, 1);
    }
    counts.into_iter().max_by_key(|(_, days)| *days).map_or(1, |(rows, _)| rows)
}

/// Converts the rows to days. A first or last day with fewer rows than the others is left out. Within the file, such a day is an error.
pub(super) fn days(report: &mut Report<'_>, rows: Vec<Entry>, per_day: usize, column: &str) -> Vec<Entry> {
    let mut days: Vec<Sums> = Vec::new();
    for row in &rows {
        let Some(date) = row.date else { continue };
        if days.last().is_none_or(|last| last.date != date) {
            days.push(Sums::new(row.line, date));
        }
        if let Some(last) = days.last_mut() {
            last.add(&row.values);
        }
    }
    let is_whole = |day: &Sums| day.rows >= per_day;
    let (first, last) = (days.iter().position(is_whole).unwrap_or(0), days.iter().rposition(is_whole).unwrap_or(0));
    let cut = first + days.len().saturating_sub(last + 1);
    days.truncate(last + 1);
    days.drain(..first.min(days.len()));
    if cut > 0 {
        report
            .provenance
            .note(format!("{cut} days at the ends of the file have fewer than {per_day} rows, and are left out"));
    }
    for day in days.iter().filter(|day| day.rows != per_day) {
        if report.is_full() {
            break;
        }
        report.errors.push(super::TableError::Gap {
            file: report.file(),
            line: day.line,
            column: column.to_owned(),
            found: format!("{} with {} rows", day.date, day.rows),
            before: "the day before".to_owned(),
            expected: format!("{per_day} rows, as on other days"),
        });
    }
    report.provenance.rows_per_day = per_day as u32;
    days.iter().map(Sums::entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wind_comes_from_where_its_mean_vector_points() {
        for (vector, from) in [((1.0, 0.0), 0.0), ((0.0, 1.0), 90.0), ((-1.0, 0.0), 180.0), ((0.0, -1.0), 270.0)] {
            assert!((direction_degrees(vector).unwrap() - from).abs() < 1e-6);
        }
        assert_eq!(direction_degrees((0.0, 0.0)), None);
    }
}
