//! Weather files for the Wageningen crop models (CABO, WOFOST, PCSE). There is one file for each year, and its name ends in the year's last
//! digits.
//!
//! Lines that begin with `*` are comments. The first line of numbers has longitude, latitude, elevation and the two Ångström coefficients.
//! Each row has station, year, day of the year, radiation (kJ/m²), lowest and highest temperature (°C), vapour pressure (kPa), wind at 2 m
//! (m/s) and rain (mm). -99 means missing. If a coefficient is negative, the radiation column has hours of sunshine, which are not read.

use super::error::{Expected, Field, Report};
use super::quantities::{MAX, MIN, PRESSURE, QUANTITIES, Quantity, RAIN, SOLAR, WIND};
use super::series::{Entry, Rows, Values};
use super::{Date, Reading, units};
use crate::agronomy::radiation::wind_share_at_2m;

const CODES: &[f64] = &[-99.0, -99.9, -999.0, -9999.0];
/// Position, name, quantity and unit of the columns in a row.
const COLUMNS: [(usize, &str, usize, &str); 6] = [
    (3, "radiation", SOLAR, "kJ/m²"),
    (4, "lowest temperature", MIN, "°C"),
    (5, "highest temperature", MAX, "°C"),
    (6, "vapour pressure", PRESSURE, "kPa"),
    (7, "wind", WIND, "m/s"),
    (8, "rain", RAIN, "mm"),
];

fn numbers(line: &str) -> Option<Vec<f64>> {
    line.split_whitespace().map(|word| word.parse().ok()).collect()
}

fn lines(text: &str) -> impl Iterator<Item = (&str, u64)> {
    text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('*'))
}

/// Whether text looks like this format: a line of five numbers below comments, then rows of nine fields.
pub(super) fn is_one(text: &str) -> bool {
    let mut lines = lines(text);
    let is_commented = text.trim_start().starts_with('*');
    let has = |line: Option<(&str, u64)>, count: usize| {
        line.is_some_and(|(line, _)| numbers(line).is_some_and(|n| n.len() == count))
    };
    is_commented && has(lines.next(), 5) && has(lines.next(), 9)
}

pub(super) fn read(report: &mut Report<'_>, text: &str, reading: &Reading) -> Rows {
    report.provenance.format = "CABO";
    report.provenance.rows_per_day = 1;
    let mut lines = lines(text);
    let place = lines.next().and_then(|(line, _)| numbers(line)).unwrap_or_default();
    let [longitude, latitude, elevation, a, b] = place[..] else {
        report.no_header("location line", "longitude, latitude, elevation and two coefficients above the days", text);
        return Rows::default();
    };
    report.provenance.longitude_degrees = Some(longitude);
    report.provenance.latitude_degrees = Some(latitude).filter(|degrees| degrees.abs() <= 90.0);
    report.provenance.elevation_m = Some(elevation);
    let is_sunshine = a < 0.0 || b < 0.0;
    if is_sunshine {
        report.provenance.note("the file has hours of sunshine instead of radiation; they are not read");
    }
    let columns = COLUMNS.iter().filter(|(_, _, quantity, _)| !(is_sunshine && *quantity == SOLAR));
    let to_height = wind_share_at_2m(2.0) / wind_share_at_2m(reading.wind_height_m);
    let mut rows = Rows { date: "day of the year".to_owned(), ..Rows::default() };
    for (_, name, quantity, unit) in columns.clone() {
        rows.names[*quantity] = (*name).to_owned();
        report.provenance.origin(*quantity, name, unit, false);
    }
    for (line, number) in lines {
        if report.is_full() {
            break;
        }
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.len() != 9 {
            report.field_count(number, fields.len(), 9);
            continue;
        }
        let (year, day) = (fields[1].parse().ok(), fields[2].parse().ok());
        let Some(date) = year.zip(day).and_then(|(year, day)| Date::of_day(year, day)) else {
            let text = fields[1..3].join(" ");
            report.bad_date(&Field { line: number, column: &rows.date, text: &text }, "a year, and a day of the year");
            continue;
        };
        let mut values: Values = [None; QUANTITIES.len()];
        for (at, name, quantity, unit) in columns.clone() {
            let Quantity { dimension, range, .. } = QUANTITIES[*quantity];
            let field = Field { line: number, column: name, text: fields[*at] };
            let expected = Expected { range, unit: units::get(dimension, unit), days: 1.0, codes: CODES };
            values[*quantity] = report.number(&field, &expected);
        }
        values[WIND] = values[WIND].map(|speed| speed * to_height);
        rows.entries.push(Entry { line: number, date: Some(date), values });
    }
    rows
}
