//! Hourly EnergyPlus weather, converted to days.
//!
//! The file has eight header lines: the first has the place, and the last is `DATA PERIODS`. Then there is a row for each hour (or part of
//! an hour). The following fields are read. They are counted from 0, and the last column has the number that means a missing value:
//!
//! | field | quantity | unit | missing |
//! |---|---|---|---|
//! | 1, 2, 3 | month, day, hour | | |
//! | 6 | dry bulb temperature | °C | 99.9 |
//! | 8 | relative humidity | % | 999 |
//! | 13 | global horizontal radiation | Wh/m² | 9999 |
//! | 20, 21 | wind direction, and speed at 10 m | °, m/s | 999 |
//! | 22 | total sky cover | tenths | 99 |
//! | 33 | liquid precipitation depth | mm | 999 |
//!
//! Field 28, "precipitable water", is not rain but the water in the air above the place, so it is not read.
//!
//! The year is ignored, because the months of a typical year come from different years.

use super::error::{Expected, Field, Report, TableError};
use super::quantities::{CLOUDS, DIRECTION, HUMIDITY, MAX, MEAN, MIN, QUANTITIES, RAIN, SOLAR, WIND};
use super::series::{Entry, Rows, Values};
use super::units;
use super::{Date, Reading, hours};
use crate::agronomy::radiation::wind_share_at_2m;

/// A column that is read, by its position in the row.
struct Column {
    field: usize,
    name: &'static str,
    quantity: usize,
    unit: &'static str,
    missing: f64,
}

const COLUMNS: [Column; 7] = [
    column(6, "dry bulb temperature", MEAN, "°C", 99.9),
    column(8, "relative humidity", HUMIDITY, "%", 999.0),
    column(13, "global horizontal radiation", SOLAR, "Wh/m²", 9999.0),
    column(20, "wind direction", DIRECTION, "°", 999.0),
    column(21, "wind speed", WIND, "m/s", 999.0),
    column(22, "total sky cover", CLOUDS, "tenths", 99.0),
    column(33, "liquid precipitation depth", RAIN, "mm", 999.0),
];

const fn column(field: usize, name: &'static str, quantity: usize, unit: &'static str, missing: f64) -> Column {
    Column { field, name, quantity, unit, missing }
}

/// The minimum number of fields in a row: up to the sky cover.
const FEWEST_FIELDS: usize = 23;

/// Whether the first line contains a place, as in every file of this format.
pub(super) fn starts_with_location(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("LOCATION,"))
}

pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading) -> Rows {
    report.provenance.format = "EPW";
    let mut names: [String; QUANTITIES.len()] = Default::default();
    for column in &COLUMNS {
        names[column.quantity] = column.name.to_owned();
    }
    names[MIN] = names[MEAN].clone();
    names[MAX] = names[MEAN].clone();
    let mut rows = Rows { entries: Vec::new(), names, date: "hour".into() };
    let mut lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let is_last = |line: &str| line.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("DATA PERIODS"));
    let expected = "the eight header lines of an EPW file, from `LOCATION` to `DATA PERIODS`";
    if !lines.by_ref().any(|(line, _)| is_last(line)) {
        report.no_header("line `DATA PERIODS`", expected, text);
        return rows;
    }
    if !starts_with_location(text) {
        report.no_header("first line `LOCATION,…`", expected, text);
        return rows;
    }
    place(report, text);
    let rows_per_hour = rows_per_hour(text);
    let days = 1.0 / (24.0 * rows_per_hour);
    let wind_factor = wind_share_at_2m(10.0) / wind_share_at_2m(reading.wind_height_m);
    let mut rows_of_hours: Vec<Entry> = Vec::new();
    let mut time: Option<Time> = None;
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        if report.is_full() {
            break;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if fields.len() < FEWEST_FIELDS {
            report.field_count(number, fields.len(), FEWEST_FIELDS);
            continue;
        }
        let Some(next) = Time::read(report, &fields, number, time.as_ref()) else { continue };
        if let Some(before) = &time {
            next.check(report, before, number);
        }
        rows_of_hours.push(Entry {
            line: number,
            date: Some(next.date),
            values: values(report, &fields, number, days, wind_factor),
        });
        time = Some(next);
    }
    report.dates_settled = true;
    let dates = rows_of_hours.iter().filter_map(|row| row.date);
    let per_day = hours::rows_per_day(dates);
    for column in COLUMNS.iter().filter(|column| rows_of_hours.iter().any(|row| row.values[column.quantity].is_some()))
    {
        report.provenance.origin(column.quantity, column.name, column.unit, false);
    }
    rows.entries =
        if report.errors.is_empty() { hours::days(report, rows_of_hours, per_day, "hour") } else { rows_of_hours };
    rows
}

/// Reads the place from the first line: city, state, country, source, number, latitude, longitude, zone, elevation.
fn place(report: &mut Report<'_>, text: &str) {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let fields: Vec<&str> = first.split(',').map(str::trim).collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    report.provenance.latitude_degrees = number(6).filter(|degrees| degrees.abs() <= 90.0);
    report.provenance.longitude_degrees = number(7).filter(|degrees| degrees.abs() <= 360.0);
    report.provenance.elevation_m = number(9);
}

/// The number of rows in an hour, from the line `DATA PERIODS`.
fn rows_per_hour(text: &str) -> f64 {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| line.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("DATA PERIODS")));
    let number = line.and_then(|line| line.split(',').nth(2)?.trim().parse::<f64>().ok());
    number.filter(|rows| (1.0..=60.0).contains(rows)).unwrap_or(1.0)
}

fn values(report: &mut Report<'_>, fields: &[&str], line: u64, days: f64, wind_factor: f64) -> Values {
    let mut values: Values = [None; QUANTITIES.len()];
    for column in &COLUMNS {
        let text = fields.get(column.field).copied().unwrap_or_default();
        let unit = units::get(QUANTITIES[column.quantity].dimension, column.unit);
        let (low, high) = QUANTITIES[column.quantity].range;
        // Some files give saturated air 101 % and more; the value is limited to 100 % below.
        let range = if column.quantity == HUMIDITY { (low, 110.0) } else { (low, high) };
        let codes = [column.missing, -99.0, -999.0];
        let field = Field { line, column: column.name, text };
        values[column.quantity] = report.number(&field, &Expected { range, unit, days, codes: &codes });
    }
    values[HUMIDITY] = values[HUMIDITY].map(|percent| percent.min(100.0));
    values[WIND] = values[WIND].map(|speed| speed * wind_factor);
    values
}

/// A row's time.
#[derive(Clone, Copy)]
struct Time {
    date: Date,
    hour: u32,
}

impl Time {
    /// A row's month, day and hour. Hours count from 1 to 24, or from 0 to 23.
    fn read(report: &mut Report<'_>, fields: &[&str], line: u64, before: Option<&Self>) -> Option<Self> {
        let parsed = [1, 2, 3].map(|i| fields[i].parse::<u32>().ok());
        if let [Some(month), Some(day), Some(hour)] = parsed {
            // The years are only for the order, because the months of a typical year come from different years. 2000 has a 29 February.
            let turns =
                before.is_some_and(|before| (month, day) == (1, 1) && (before.date.month, before.date.day) != (1, 1));
            let year = before.map_or(2000, |before| before.date.year) + i32::from(turns);
            let date = Date::new(2000, month, day).map(|date| Date { year, ..date });
            if let Some(date) = date.filter(|_| hour <= 24) {
                return Some(Self { date, hour });
            }
        }
        let text = fields[1..4].join(" ");
        let expected = "a month, a day and an hour from 0 to 24";
        report.bad_date(&Field { line, column: "month, day, hour", text: &text }, expected);
        None
    }

    /// Checks that each hour follows the hour before, on the same day or the next. Parts of an hour repeat the hour's number.
    fn check(&self, report: &mut Report<'_>, before: &Self, line: u64) {
        if report.dates_settled {
            return;
        }
        let same_day = (before.date.month, before.date.day) == (self.date.month, self.date.day);
        // A common year goes from 28 February to 1 March, which is also accepted in a leap year.
        let next = Date { year: 2000, ..before.date }.next();
        let after = if next.is_leap_day() { next.next() } else { next };
        let next_day = [next, after].iter().any(|date| (date.month, date.day) == (self.date.month, self.date.day));
        let consecutive = match same_day {
            true => self.hour == before.hour || self.hour == before.hour + 1,
            false => next_day && before.hour >= 23 && self.hour <= 1,
        };
        if !consecutive {
            let expected = match before.hour {
                0..=22 => format!("hour {} of that day", before.hour + 1),
                _ => "the first hour of the next day".to_owned(),
            };
            let (file, column, found, before) = (report.file(), "hour".to_owned(), self.label(), before.label());
            report.errors.push(TableError::Gap { file, line, column, found, before, expected });
        }
    }

    fn label(&self) -> String {
        format!("hour {} of {}", self.hour, self.date.in_words())
    }
}
