//! From rows to days: dates, gaps, missing values, what follows from what.

use std::fmt;

use super::error::{Report, TableError};
use super::table::{CLOUDS, DIRECTION, HUMIDITY, MAX, MEAN, MIN, QUANTITIES, RAIN, WIND};
use super::{Day, Missing, Reading, WET_DAY_MM};
use crate::agronomy::radiation;

/// How far rounding may put a mean temperature outside its extremes.
const MEAN_TOLERANCE_CELSIUS: f64 = 0.5;
/// Most days in a row that are filled.
const LONGEST_GAP_DAYS: usize = 7;
/// Wind at 2 m where none is known: the mean of over 2000 stations (FAO-56, chapter 3).
const USUAL_WIND_M_PER_S: f64 = 2.0;

/// A calendar date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    pub year: i32,
    pub month: u32,
    pub day: u32,
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Date {
    /// The date, if there is such a one.
    pub(super) fn new(year: i32, month: u32, day: u32) -> Option<Self> {
        let real = (1..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
        (real && day <= days_in_month(year, month)).then_some(Self { year, month, day })
    }

    /// The date of a day of the year, 1 on the first of January.
    pub(super) fn of_day(year: i32, day_of_year: u32) -> Option<Self> {
        let mut day = day_of_year;
        for month in 1..=12 {
            let days = days_in_month(year, month);
            if day <= days {
                return Self::new(year, month, day);
            }
            day -= days;
        }
        None
    }

    /// The date of a text such as `2021-01-31`, with or without a time behind it.
    pub(super) fn parse_iso(text: &str) -> Option<Self> {
        let mut parts = text.split(['T', ' ']).next()?.split('-');
        let year = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
        let date = Self::new(year, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        date.filter(|_| parts.next().is_none())
    }

    /// The day after.
    pub(super) fn next(self) -> Self {
        let Self { year, month, day } = self;
        match (day < days_in_month(year, month), month < 12) {
            (true, _) => Self { day: day + 1, ..self },
            (false, true) => Self { year, month: month + 1, day: 1 },
            (false, false) => Self { year: year + 1, month: 1, day: 1 },
        }
    }

    pub(super) fn is_leap_day(self) -> bool {
        (self.month, self.day) == (2, 29)
    }

    fn is_new_year(self) -> bool {
        (self.month, self.day) == (1, 1)
    }

    /// Whether a row of this date may follow one of `before`: the next day, or a leap year of 365 days.
    fn follows(self, before: Self) -> bool {
        let next = before.next();
        self == next || (next.is_leap_day() && self == next.next())
    }

    /// Day of a year of 365 days, 1 on the first of January.
    pub(super) fn day_of_year(self) -> u32 {
        (1..self.month).map(|month| days_in_month(1, month)).sum::<u32>() + self.day
    }
}

fn days_in_month(year: i32, month: u32) -> u32 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A row: the quantities in the order of [`QUANTITIES`], none where missing, not a number where an error is already reported.
pub(super) struct Entry {
    pub line: u64,
    /// None in a table of days without dates.
    pub date: Option<Date>,
    pub values: [Option<f64>; QUANTITIES.len()],
}

/// The headers of the columns, for messages; empty where there is no column.
#[derive(Default)]
pub(super) struct Names {
    pub quantities: [String; QUANTITIES.len()],
    pub date: String,
}

/// The days of the rows.
pub(super) fn days(report: &mut Report<'_>, mut entries: Vec<Entry>, names: &Names, reading: &Reading) -> Vec<Day> {
    if !report.dates_settled {
        check_dates(report, &entries, names);
    }
    for quantity in [MIN, MEAN, MAX, WIND, RAIN] {
        fill(report, &mut entries, quantity, &names.quantities[quantity], reading.missing);
    }
    let kept = whole_years(report, entries);
    let mut days = Vec::with_capacity(kept.len());
    for entry in &kept {
        if report.is_full() {
            break;
        }
        days.extend(day(report, entry, names, reading));
    }
    days
}

fn check_dates(report: &mut Report<'_>, entries: &[Entry], names: &Names) {
    for pair in entries.windows(2) {
        let (Some(before), Some(found)) = (pair[0].date, pair[1].date) else { continue };
        if report.is_full() {
            break;
        }
        if !found.follows(before) {
            report.errors.push(TableError::Gap {
                file: report.file(),
                line: pair[1].line,
                column: names.date.clone(),
                found: found.to_string(),
                before: before.to_string(),
                expected: before.next().to_string(),
            });
        }
    }
}

/// Fills the gaps of a quantity, or reports them.
fn fill(report: &mut Report<'_>, entries: &mut [Entry], quantity: usize, column: &str, missing: Missing) {
    let remedy = match missing {
        Missing::Refuse => "`missing: interpolate` fills gaps of at most 7 days",
        Missing::Interpolate => "gaps of at most 7 days between known values are filled",
    };
    let mut start = 0;
    while start < entries.len() && !report.is_full() {
        if entries[start].values[quantity].is_some() {
            start += 1;
            continue;
        }
        let length = entries[start..].iter().take_while(|entry| entry.values[quantity].is_none()).count();
        let end = start + length;
        let before = start.checked_sub(1).and_then(|i| entries[i].values[quantity]);
        let after = entries.get(end).and_then(|entry| entry.values[quantity]);
        let filled = missing == Missing::Interpolate && length <= LONGEST_GAP_DAYS;
        match (quantity, before, after) {
            (RAIN, _, _) if filled => entries[start..end].iter_mut().for_each(|entry| entry.values[RAIN] = Some(0.0)),
            (_, Some(before), Some(after)) if filled => {
                for (i, entry) in entries[start..end].iter_mut().enumerate() {
                    let share = (i + 1) as f64 / (length + 1) as f64;
                    entry.values[quantity] = Some(before + share * (after - before));
                }
            }
            // The mean follows from its extremes, and wind has a usual value.
            (MEAN | WIND, _, _) => {}
            // A column that is not there is one error, already reported.
            _ if column.is_empty() => entries.iter_mut().for_each(|entry| entry.values[quantity] = Some(f64::NAN)),
            _ => {
                report.errors.push(TableError::Missing {
                    file: report.file(),
                    line: entries[start].line,
                    column: column.to_owned(),
                    remedy,
                });
                entries[start..end].iter_mut().for_each(|entry| entry.values[quantity] = Some(f64::NAN));
            }
        }
        start = end;
    }
}

/// Leaves out the 29th of February and incomplete years at both ends.
fn whole_years(report: &mut Report<'_>, mut entries: Vec<Entry>) -> Vec<Entry> {
    if entries.iter().any(|entry| entry.date.is_none()) || entries.is_empty() {
        return entries;
    }
    entries.retain(|entry| entry.date.is_some_and(|date| !date.is_leap_day()));
    match entries.iter().position(|entry| entry.date.is_some_and(Date::is_new_year)) {
        Some(first) => entries.drain(..first),
        None => {
            report.errors.push(TableError::NoYear { file: report.file() });
            return Vec::new();
        }
    };
    let year = 365;
    if entries.len() > year {
        entries.truncate(entries.len() / year * year);
    }
    entries
}

/// A day, with what follows from its values; nothing if one of them is wrong.
fn day(report: &mut Report<'_>, entry: &Entry, names: &Names, reading: &Reading) -> Option<Day> {
    let mut complete = entry.values.iter().flatten().all(|value| !value.is_nan());
    let (min, max) = (entry.values[MIN]?, entry.values[MAX]?);
    // One that is wrong is reported already, and nothing is above or below it.
    if min.is_nan() || max.is_nan() {
        return None;
    }
    let mut contradiction = |quantity: usize, value, what, expected| {
        complete = false;
        let (file, column) = (report.file(), names.quantities[quantity].clone());
        report.errors.push(TableError::Contradiction { file, line: entry.line, column, value, what, expected });
    };
    let outside = |mean: &f64| *mean < min - MEAN_TOLERANCE_CELSIUS || *mean > max + MEAN_TOLERANCE_CELSIUS;
    if min > max {
        let what = format!("below the lowest temperature, {min} °C");
        contradiction(MAX, max, what, format!("{min} °C or more"));
    } else if let Some(mean) = entry.values[MEAN].filter(outside) {
        let what = "outside the extremes of the day".to_owned();
        contradiction(MEAN, mean, what, format!("a number from {min} to {max} °C"));
    }
    if !complete {
        return None;
    }
    let rain = entry.values[RAIN]?;
    let usual_wind = 3.6 * USUAL_WIND_M_PER_S / radiation::wind_share_at_2m(reading.wind_height_m);
    Some(Day {
        min_celsius: min,
        mean_celsius: entry.values[MEAN].unwrap_or(0.5 * (min + max)).clamp(min, max),
        max_celsius: max,
        humidity_percent: entry.values[HUMIDITY].unwrap_or_else(|| humidity_percent(min, min, max)),
        rain_mm: rain,
        wind_km_per_h: entry.values[WIND].unwrap_or(usual_wind),
        clouds_percent: entry.values[CLOUDS].unwrap_or(if rain >= WET_DAY_MM { 80.0 } else { 30.0 }),
        direction_degrees: entry.values[DIRECTION],
    })
}

/// Mean relative humidity RH [%] from the dew point (FAO-56 Eqs. 12 and 14; Eq. 48 takes T_min as the dew point).
///
/// RH = 100·e⁰(T_dew)/((e⁰(T_min) + e⁰(T_max))/2)
pub(super) fn humidity_percent(dew_celsius: f64, min_celsius: f64, max_celsius: f64) -> f64 {
    humidity_of_pressure_percent(radiation::saturation_vapour_pressure_kpa(dew_celsius), min_celsius, max_celsius)
}

/// Mean relative humidity RH [%] from the vapour pressure e_a [kPa] (FAO-56 Eqs. 10 and 12).
///
/// RH = 100·e_a/((e⁰(T_min) + e⁰(T_max))/2)
pub(super) fn humidity_of_pressure_percent(pressure_kpa: f64, min_celsius: f64, max_celsius: f64) -> f64 {
    let saturated = |celsius| radiation::saturation_vapour_pressure_kpa(celsius);
    (200.0 * pressure_kpa / (saturated(min_celsius) + saturated(max_celsius))).clamp(0.0, 100.0)
}

/// Clouds [%] from the solar radiation R_s, the inverse of FAO-56 Eq. 35; none in the polar night, which tells nothing.
///
/// clouds = 100·(1 − (R_s/R_a − 0.25)/0.50)
pub(super) fn clouds_percent(solar: f64, latitude_degrees: f64, date: Date) -> Option<f64> {
    let extraterrestrial = radiation::extraterrestrial_radiation(latitude_degrees, date.day_of_year());
    (extraterrestrial > 0.1).then(|| (100.0 * (1.0 - (solar / extraterrestrial - 0.25) / 0.50)).clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        let date = |text| Date::parse_iso(text).unwrap();
        assert_eq!(date("2020-02-28").next(), date("2020-02-29"));
        assert_eq!(date("2100-02-28").next(), date("2100-03-01"));
        assert_eq!(date("1999-12-31").next(), date("2000-01-01"));
        assert_eq!(Date::of_day(2020, 366), Date::new(2020, 12, 31));
        assert_eq!((Date::of_day(2021, 366), Date::of_day(2021, 0)), (None, None));
        assert_eq!(date("2020-03-01").day_of_year(), 60);
        for text in ["2021-02-29", "2021-13-01", "21-01-01", "17", "2021-1", "2021-01-01-01"] {
            assert_eq!(Date::parse_iso(text), None, "{text}");
        }
        assert!(date("2020-03-01").follows(date("2020-02-28")) && !date("2021-03-02").follows(date("2021-02-28")));
    }

    #[test]
    fn humidity_from_the_lowest_temperature_as_in_fao_56() {
        // FAO-56 example 20: T_min 14.8, T_max 25.6 °C, so e_a = 1.68 kPa and e_s = 2.48 kPa.
        assert!((humidity_percent(14.8, 14.8, 25.6) - 100.0 * 1.684 / 2.483).abs() < 0.1);
    }

    #[test]
    fn clouds_are_those_that_give_the_radiation() {
        let date = Date { year: 2021, month: 7, day: 15 };
        let above = radiation::extraterrestrial_radiation(43.61, 196);
        let clouds = clouds_percent(radiation::solar_radiation(above, 37.0), 43.61, date).unwrap();
        assert!((clouds - 37.0).abs() < 1e-9);
        assert_eq!(clouds_percent(0.0, 80.0, Date { year: 2021, month: 12, day: 21 }), None);
    }
}
