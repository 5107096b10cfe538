//! From rows to days: the order of dates, gaps, missing values and estimates.

use super::error::{Report, TableError};
use super::provenance::Series;
use super::quantities::{
    CLOUDS, DAYLIGHT, DEW_POINT, DIRECTION, HUMIDITY, HUMIDITY_MAX, HUMIDITY_MIN, MAX, MEAN, MIN, PRESSURE, QUANTITIES,
    RAIN, SOLAR, WIND,
};
use super::{Date, Day, Missing, Reading, WET_DAY_MM, plausible};
use crate::agronomy::radiation;

/// Maximum distance by which rounding can move a mean temperature outside its extremes.
const MEAN_TOLERANCE_CELSIUS: f64 = 0.5;
/// Maximum number of days in a row that are filled.
const LONGEST_GAP_DAYS: usize = 7;
/// Wind at 2 m if the file has none: the mean of over 2000 stations (FAO-56, chapter 3).
const USUAL_WIND_M_PER_S: f64 = 2.0;

/// The values in a row, in the order of [`QUANTITIES`]: `None` if missing, NaN if an error is already reported.
pub(super) type Values = [Option<f64>; QUANTITIES.len()];

/// A row for a day.
pub(super) struct Entry {
    pub line: u64,
    /// `None` in a table of days without dates.
    pub date: Option<Date>,
    pub values: Values,
}

/// The rows in a file.
#[derive(Default)]
pub(super) struct Rows {
    pub entries: Vec<Entry>,
    /// The headers of the columns, for messages; empty if there is no column.
    pub names: [String; QUANTITIES.len()],
    pub date: String,
}

/// Converts the rows to days.
pub(super) fn days(report: &mut Report<'_>, rows: Rows, reading: &Reading) -> Option<Series> {
    let Rows { mut entries, mut names, date } = rows;
    if reading.only_rain {
        // Other values in the file are neither played nor checked.
        for entry in &mut entries {
            let (rain, mut values) = (entry.values[RAIN], [None; QUANTITIES.len()]);
            (values[MIN], values[MAX], values[RAIN]) = (Some(0.0), Some(0.0), rain);
            entry.values = values;
        }
        let rain = std::mem::take(&mut names[RAIN]);
        names = std::array::from_fn(|quantity| if quantity == RAIN { rain.clone() } else { String::new() });
    }
    if !report.dates_settled {
        dates_of_a_typical_year(report, &mut entries);
        leap_years_of_365_days(report, &mut entries);
        check_dates(report, &entries, &date);
    }
    if report.errors.is_empty() {
        cut_ends(report, &mut entries, &names, reading);
    }
    let before = entries.len();
    entries.retain(|entry| entry.date.is_none_or(|date| !date.is_leap_day()));
    if entries.len() < before {
        let days = before - entries.len();
        let word = if days == 1 { "day is" } else { "days are" };
        report.provenance.note(format!("29 February is left out: {days} {word} not played"));
    }
    if entries.is_empty() {
        return None;
    }
    // Rain from another source replaces this value.
    if reading.rain_is_elsewhere && entries.iter().all(|entry| entry.values[RAIN].is_none()) {
        entries.iter_mut().for_each(|entry| entry.values[RAIN] = Some(0.0));
    }
    for quantity in [MIN, MEAN, MAX, RAIN, WIND] {
        fill(report, &mut entries, quantity, &names[quantity], reading.missing);
    }
    let mut days = Vec::with_capacity(entries.len());
    let mut estimated = Estimated::default();
    for entry in &entries {
        if report.is_full() {
            break;
        }
        days.extend(day(report, entry, &names, reading, &mut estimated));
    }
    if !report.errors.is_empty() {
        return None;
    }
    estimated.tell(report, days.len());
    let first = entries[0].date;
    if first.is_none() {
        report.provenance.note("the rows have no dates: the first row is played on 1 January");
    }
    let provenance = std::mem::take(&mut report.provenance);
    let mut findings = plausible::findings(&days, first, &provenance, reading);
    findings.retain(|finding| !reading.only_rain || finding.key == "rain");
    Some(Series { days, first, provenance, findings })
}

/// The months of a typical year come from different years. This function makes the years of its dates consecutive.
fn dates_of_a_typical_year(report: &mut Report<'_>, entries: &mut [Entry]) {
    let jumps = |before: Date, date: Date| {
        let here = Date { year: before.year, ..date };
        date.year != before.year && date.day == 1 && date.month > 1 && here.follows(before)
    };
    let pairs = || entries.windows(2).filter_map(|pair| Some((pair[0].date?, pair[1].date?)));
    let broken = pairs().filter(|(before, date)| !date.follows(*before)).count();
    let is_year = entries.len() <= 366 * 25 && broken >= 3;
    if !is_year || pairs().filter(|(before, date)| jumps(*before, *date)).count() < broken {
        return;
    }
    let mut before: Option<Date> = None;
    for entry in entries.iter_mut() {
        let Some(date) = entry.date else { continue };
        let year = before.map_or(date.year, |before| before.year + i32::from(date.month < before.month));
        entry.date = Some(Date { year, ..date });
        before = entry.date;
    }
    report.provenance.note("a typical year: its months are from different years and are played as one year");
}

/// Some files give a leap year only 365 days, so that it ends on 30 December. Its days are then numbered as in a common year.
fn leap_years_of_365_days(report: &mut Report<'_>, entries: &mut [Entry]) {
    let mut at = 1;
    while at < entries.len() {
        let (Some(before), Some(date)) = (entries[at - 1].date, entries[at].date) else { return };
        let is_short = (before.month, before.day) == (12, 30) && (date.month, date.day) == (1, 1);
        if is_short && date.year == before.year + 1 && super::dates::is_leap(before.year) {
            let start = entries[..at].iter().rposition(|entry| entry.date.is_some_and(|date| date.is_leap_day()));
            for entry in start.map_or(&mut [][..], |start| &mut entries[start..at]) {
                entry.date = entry.date.map(Date::next);
            }
            report.provenance.note(format!("{} is a leap year of 365 days: it is read as a common year", before.year));
        }
        at += 1;
    }
}

fn check_dates(report: &mut Report<'_>, entries: &[Entry], column: &str) {
    for pair in entries.windows(2) {
        let (Some(before), Some(found)) = (pair[0].date, pair[1].date) else { continue };
        if report.is_full() {
            break;
        }
        if !found.follows(before) {
            report.errors.push(TableError::Gap {
                file: report.file(),
                line: pair[1].line,
                column: column.to_owned(),
                found: found.to_string(),
                before: before.to_string(),
                expected: before.next().to_string(),
            });
        }
    }
}

/// Leaves out days at either end without temperatures or rain, because the latest values of some quantities are published later.
fn cut_ends(report: &mut Report<'_>, entries: &mut Vec<Entry>, names: &[String; QUANTITIES.len()], reading: &Reading) {
    let needed = |entry: &Entry| {
        let has = |quantity: usize| names[quantity].is_empty() || entry.values[quantity].is_some();
        has(MIN) && has(MAX) && (reading.rain_is_elsewhere || has(RAIN))
    };
    let dated = entries.first().is_some_and(|entry| entry.date.is_some());
    let (Some(first), Some(last)) = (entries.iter().position(needed), entries.iter().rposition(needed)) else { return };
    let cut = first + entries.len() - 1 - last;
    if !dated || cut == 0 {
        return;
    }
    entries.truncate(last + 1);
    entries.drain(..first);
    let word = if cut == 1 { "day at an end of the file has" } else { "days at the ends of the file have" };
    report.provenance.note(format!("{cut} {word} no temperature or no rain: not played"));
}

/// Fills the gaps in a quantity, or reports them.
fn fill(report: &mut Report<'_>, entries: &mut [Entry], quantity: usize, column: &str, missing: Missing) {
    let remedy = match missing {
        Missing::Refuse => "`missing: interpolate` fills gaps of at most 7 days",
        Missing::Interpolate => "only gaps of at most 7 days between known values are filled",
    };
    let mut filled_days = 0;
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
            (RAIN, Some(_), _) | (RAIN, _, Some(_)) if filled => {
                entries[start..end].iter_mut().for_each(|entry| entry.values[RAIN] = Some(0.0));
                filled_days += length;
            }
            (_, Some(before), Some(after)) if filled => {
                for (i, entry) in entries[start..end].iter_mut().enumerate() {
                    let share = (i + 1) as f64 / (length + 1) as f64;
                    entry.values[quantity] = Some(before + share * (after - before));
                }
                filled_days += length;
            }
            // The mean follows from its extremes, and wind has a usual value.
            (MEAN | WIND, _, _) => {}
            // A missing column is one error, already reported.
            _ if column.is_empty() => entries.iter_mut().for_each(|entry| entry.values[quantity] = Some(f64::NAN)),
            (RAIN, None, None) if length == entries.len() => {
                report.errors.push(TableError::NoRain { file: report.file() });
                entries.iter_mut().for_each(|entry| entry.values[RAIN] = Some(f64::NAN));
            }
            _ => {
                report.errors.push(TableError::Missing {
                    file: report.file(),
                    line: entries[start].line,
                    column: column.to_owned(),
                    remedy,
                    rows: 0,
                    last: 0,
                });
                entries[start..end].iter_mut().for_each(|entry| entry.values[quantity] = Some(f64::NAN));
            }
        }
        start = end;
    }
    if filled_days > 0 {
        let name = QUANTITIES[quantity].name;
        let how = if quantity == RAIN { "set to 0" } else { "interpolated between their neighbours" };
        report.provenance.note(format!("{name}: {filled_days} missing days are {how}"));
    }
}

/// Number of days with estimated values, by quantity.
#[derive(Default)]
struct Estimated {
    mean: usize,
    humidity: usize,
    wind: usize,
    clouds_from_radiation: usize,
    clouds_from_rain: usize,
}

impl Estimated {
    fn tell(&self, report: &mut Report<'_>, days: usize) {
        let mut origin = |quantity: usize, count: usize, source: &str| {
            if count == 0 {
                return;
            }
            let is_whole = count == days;
            let source = if is_whole { source.to_owned() } else { format!("{source}, number of days: {count}") };
            report.provenance.origin(quantity, &source, "", false);
        };
        origin(MEAN, self.mean, "the mean of the lowest and highest temperature");
        origin(HUMIDITY, self.humidity, "the lowest temperature as dew point (FAO-56 Eq. 48)");
        origin(WIND, self.wind, "the worldwide mean, 2 m/s at 2 m (FAO-56)");
        origin(CLOUDS, self.clouds_from_radiation, "the solar radiation (FAO-56 Eq. 35)");
        origin(CLOUDS, self.clouds_from_rain, "the rain: 80 % with 1 mm or more, otherwise 30 %");
    }
}

/// A day, with estimates for its missing values; `None` if one of its values is wrong.
fn day(
    report: &mut Report<'_>,
    entry: &Entry,
    names: &[String; QUANTITIES.len()],
    reading: &Reading,
    estimated: &mut Estimated,
) -> Option<Day> {
    let values = &entry.values;
    let mut complete = values.iter().flatten().all(|value| !value.is_nan());
    let (min, max) = (values[MIN]?, values[MAX]?);
    // A wrong value is already reported, and comparisons with it make no sense.
    if min.is_nan() || max.is_nan() {
        return None;
    }
    let mut contradiction = |quantity: usize, value, what, expected| {
        complete = false;
        let (file, column) = (report.file(), names[quantity].clone());
        let line = entry.line;
        report.errors.push(TableError::Contradiction { file, line, column, value, what, expected, rows: 0, last: 0 });
    };
    let outside = |mean: &f64| *mean < min - MEAN_TOLERANCE_CELSIUS || *mean > max + MEAN_TOLERANCE_CELSIUS;
    if min > max {
        let what = format!("below the lowest temperature, {min} °C");
        contradiction(MAX, max, what, format!("{min} °C or more"));
    } else if let Some(mean) = values[MEAN].filter(outside) {
        let what = "outside the extremes of the day".to_owned();
        contradiction(MEAN, mean, what, format!("a number from {min} to {max} °C"));
    }
    if !complete {
        return None;
    }
    let rain = values[RAIN]?;
    let or = |value: Option<f64>, count: &mut usize, other: &dyn Fn() -> f64| {
        value.unwrap_or_else(|| {
            *count += 1;
            other()
        })
    };
    let solar = solar_mj(values);
    let latitude = reading.latitude_degrees;
    let measured_clouds = values[CLOUDS];
    let clouds = measured_clouds.or_else(|| {
        let clouds = clouds_percent(solar?, latitude, entry.date?);
        estimated.clouds_from_radiation += usize::from(clouds.is_some());
        clouds
    });
    Some(Day {
        min_celsius: min,
        mean_celsius: or(values[MEAN], &mut estimated.mean, &|| 0.5 * (min + max)).clamp(min, max),
        max_celsius: max,
        humidity_percent: or(humidity(values, min, max), &mut estimated.humidity, &|| humidity_percent(min, min, max)),
        rain_mm: rain,
        wind_km_per_h: or(values[WIND], &mut estimated.wind, &|| usual_wind_km_per_h(reading)),
        clouds_percent: or(clouds, &mut estimated.clouds_from_rain, &|| if rain >= WET_DAY_MM { 80.0 } else { 30.0 }),
        direction_degrees: values[DIRECTION],
        solar_mj: solar,
    })
}

fn usual_wind_km_per_h(reading: &Reading) -> f64 {
    3.6 * USUAL_WIND_M_PER_S / radiation::wind_share_at_2m(reading.wind_height_m)
}

/// The day's radiation. If the file has the mean over the hours of daylight (Daymet), this mean is multiplied by the day length.
fn solar_mj(values: &Values) -> Option<f64> {
    values[DAYLIGHT].map_or(values[SOLAR], |seconds| Some(values[SOLAR]? * seconds / 86_400.0))
}

/// Mean humidity from the known quantities.
fn humidity(values: &Values, min: f64, max: f64) -> Option<f64> {
    let from_pressure = || values[PRESSURE].map(|kpa| humidity_of_pressure_percent(kpa, min, max));
    let from_dew_point = || values[DEW_POINT].map(|celsius| humidity_percent(celsius, min, max));
    let from_extremes = || match (values[HUMIDITY_MAX], values[HUMIDITY_MIN]) {
        (Some(high), Some(low)) => Some(0.5 * (high + low)),
        // Humidity at the highest temperature is enough to compute the vapour pressure.
        (None, Some(low)) => {
            let pressure = low / 100.0 * radiation::saturation_vapour_pressure_kpa(max);
            Some(humidity_of_pressure_percent(pressure, min, max))
        }
        _ => None,
    };
    values[HUMIDITY].or_else(from_pressure).or_else(from_dew_point).or_else(from_extremes)
}

/// Mean relative humidity RH [%] from the dew point (FAO-56 Eqs. 12 and 14; Eq. 48 uses T_min as the dew point).
///
/// RH = 100·e⁰(T_dew)/((e⁰(T_min) + e⁰(T_max))/2)
fn humidity_percent(dew_celsius: f64, min_celsius: f64, max_celsius: f64) -> f64 {
    humidity_of_pressure_percent(radiation::saturation_vapour_pressure_kpa(dew_celsius), min_celsius, max_celsius)
}

/// Mean relative humidity RH [%] from the vapour pressure e_a [kPa] (FAO-56 Eqs. 10 and 12).
///
/// RH = 100·e_a/((e⁰(T_min) + e⁰(T_max))/2)
fn humidity_of_pressure_percent(pressure_kpa: f64, min_celsius: f64, max_celsius: f64) -> f64 {
    let saturated = |celsius| radiation::saturation_vapour_pressure_kpa(celsius);
    (200.0 * pressure_kpa / (saturated(min_celsius) + saturated(max_celsius))).clamp(0.0, 100.0)
}

/// Clouds [%] from the solar radiation R_s, the inverse of FAO-56 Eq. 35; `None` in the polar night, which has no radiation.
///
/// clouds = 100·(1 − (R_s/R_a − 0.25)/0.50)
fn clouds_percent(solar: f64, latitude_degrees: f64, date: Date) -> Option<f64> {
    let extraterrestrial = radiation::extraterrestrial_radiation(latitude_degrees, date.day_index() + 1);
    (extraterrestrial > 0.1).then(|| (100.0 * (1.0 - (solar / extraterrestrial - 0.25) / 0.50)).clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

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
