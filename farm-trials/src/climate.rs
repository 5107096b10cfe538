//! The weather of a trial: the days of its files, joined over the years, with the changes that the trial made.

use std::path::Path;

use farm_entities::agronomy::weather::formats::{self, Date, Day, Format, Missing, Provenance, Reading, Series};

use crate::dssat::{Change, EnvironmentChange, Field, weather_files};

/// Hours per day, for wind in km per day.
const HOURS: f64 = 24.0;

/// The days from `first` on, at most up to `last`, without gaps.
///
/// # Errors
/// There is no weather for the first day, or a file can't be read: a sentence that states why.
pub(crate) fn weather(folder: &Path, field: &Field, first: Date, last: Date) -> Result<Series, String> {
    let files = weather_files(folder, field, first, last);
    let station = &field.station;
    if files.is_empty() {
        return Err(format!("the folder has no weather of the station {station} for {}", first.year));
    }
    let mut reading = Reading { format: Format::Dssat, missing: Missing::Interpolate, ..Reading::default() };
    let mut provenance = Provenance { format: "DSSAT", rows_per_day: 1, ..Provenance::default() };
    let mut days: Vec<(Date, Day)> = Vec::new();
    for file in files {
        let read = |reading: &Reading| {
            formats::read(&file, reading).map_err(|errors| {
                errors.first().map_or_else(|| format!("{} can't be read", file.display()), ToString::to_string)
            })
        };
        let mut series = read(&reading)?;
        // Clouds follow from the radiation at the station's latitude. Places in experiment files are often in the wrong order.
        let latitude = series.provenance.latitude_degrees.or(field.latitude);
        if let Some(latitude) = latitude.filter(|degrees| *degrees != reading.latitude_degrees && degrees.abs() <= 90.0)
        {
            reading.latitude_degrees = latitude;
            series = read(&reading)?;
        }
        let own = &series.provenance;
        provenance.latitude_degrees = provenance.latitude_degrees.or(Some(reading.latitude_degrees));
        provenance.longitude_degrees = provenance.longitude_degrees.or(own.longitude_degrees).or(field.longitude);
        provenance.elevation_m = provenance.elevation_m.or(own.elevation_m).or(field.elevation);
        for (i, day) in series.days.iter().enumerate() {
            let Some(date) = series.date(i).filter(|date| *date >= first && *date <= last) else { continue };
            if days.last().is_none_or(|(before, _)| *before < date) {
                days.push((date, *day));
            }
        }
    }
    let Some((begin, _)) = days.first().copied() else {
        return Err(format!("the weather files of the station {station} have no day from {first} on"));
    };
    // A farm's year has no 29 February.
    let follows = |before: Date, date: Date| {
        let next = before.next();
        date == next || (next.is_leap_day() && date == next.next())
    };
    let whole = days.windows(2).take_while(|pair| follows(pair[0].0, pair[1].0)).count() + 1;
    let days = days.into_iter().take(whole).map(|(_, day)| day).collect();
    Ok(Series { days, first: Some(begin), provenance, findings: Vec::new() })
}

/// Applies the trial's changes. Returns the quantities that the weather does not have, such as day length.
pub(crate) fn change(series: &mut Series, changes: &[EnvironmentChange]) -> Vec<String> {
    let mut others = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        // A change holds until the next change of the same quantity.
        let until = changes[at + 1..].iter().find(|later| later.quantity == change.quantity).map(|later| later.date);
        let dates: Vec<Option<Date>> = (0..series.days.len()).map(|day| series.date(day)).collect();
        let held = |date: &Date| *date >= change.date && until.is_none_or(|until| *date < until);
        for (day, date) in series.days.iter_mut().zip(dates) {
            if date.as_ref().is_some_and(held) && !apply(day, change) {
                others.push(change.quantity.clone());
                break;
            }
        }
    }
    others
}

/// Changes a day; `false` if the day does not have the quantity.
fn apply(day: &mut Day, change: &EnvironmentChange) -> bool {
    let changed = |value: f64, scale: f64| match change.change {
        Change::Add(by) => value + by / scale,
        Change::Subtract(by) => value - by / scale,
        Change::Multiply(by) => value * by,
        Change::Replace(by) => by / scale,
    };
    match change.quantity.as_str() {
        "ERAD" => match day.solar_mj {
            Some(solar) => day.solar_mj = Some(changed(solar, 1.0).max(0.0)),
            None => return false,
        },
        "EMAX" => day.max_celsius = changed(day.max_celsius, 1.0),
        "EMIN" => day.min_celsius = changed(day.min_celsius, 1.0),
        "ERAIN" => day.rain_mm = changed(day.rain_mm, 1.0).max(0.0),
        "EWIND" => day.wind_km_per_h = changed(day.wind_km_per_h, HOURS).max(0.0),
        _ => return false,
    }
    day.max_celsius = day.max_celsius.max(day.min_celsius);
    if matches!(change.quantity.as_str(), "EMAX" | "EMIN") {
        day.mean_celsius = f64::midpoint(day.min_celsius, day.max_celsius);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_holds_until_the_next_one_of_its_quantity() {
        let day = Day {
            min_celsius: 10.0,
            mean_celsius: 15.0,
            max_celsius: 20.0,
            humidity_percent: 70.0,
            rain_mm: 1.0,
            wind_km_per_h: 5.0,
            clouds_percent: 0.0,
            direction_degrees: None,
            solar_mj: Some(20.0),
        };
        let first = Date::new(2001, 5, 1);
        let mut series = Series { days: vec![day; 3], first, provenance: Provenance::default(), findings: Vec::new() };
        let change_on = |day, quantity: &str, change| EnvironmentChange {
            date: Date::new(2001, 5, day).unwrap(),
            quantity: quantity.to_owned(),
            change,
        };
        let changes = [
            change_on(1, "ERAD", Change::Multiply(0.5)),
            change_on(2, "EMAX", Change::Add(4.0)),
            change_on(1, "ECO2", Change::Replace(550.0)),
            change_on(3, "ERAD", Change::Replace(8.0)),
        ];
        assert_eq!(change(&mut series, &changes), ["ECO2"]);
        let solar: Vec<_> = series.days.iter().map(|day| day.solar_mj.unwrap()).collect();
        assert_eq!(solar, [10.0, 10.0, 8.0]);
        let mean: Vec<_> = series.days.iter().map(|day| day.mean_celsius).collect();
        assert_eq!(mean, [15.0, 17.0, 17.0]);
    }
}
