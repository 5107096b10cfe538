//! Checks whether a file's days are plausible as weather. The checks use the converted numbers, for all formats.
//!
//! A finding is not an error, because some places have unusual weather. A finding has the quantity, the number, a possible cause, and the
//! word that confirms the number.

use super::provenance::{Finding, Provenance};
use super::{Date, Day, Reading};
use crate::agronomy::radiation;

/// The words that `confirmed` accepts.
pub(crate) const KEYS: [&str; 6] = ["place", "temperature", "humidity", "rain", "wind", "radiation"];

/// The largest plausible daily rain. The records outside the tropics, on the French Mediterranean and in Texas, are below it
/// (World Meteorological Organization, archive of extremes: 1,825 mm in a day, on La Réunion).
const MOST_RAIN_MM: f64 = 500.0;
/// The plausible range of the median share of the radiation above the atmosphere that reaches the ground. The share is 0.25 under full
/// cloud cover and 0.75 under a clear sky (FAO-56 Eq. 35, with its usual coefficients).
const RADIATION_SHARE: (f64, f64) = (0.25, 0.8);
/// The minimum number of days for checks of the climate.
const ENOUGH_DAYS: usize = 60;
/// Maximum distance between a station and the field that is not a finding.
const NEAR_DEGREES: f64 = 1.0;

/// The implausible values in the days.
pub(super) fn findings(days: &[Day], first: Option<Date>, provenance: &Provenance, reading: &Reading) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |key: &'static str, message: String, cause: &str| {
        found.push(Finding { key, message, cause: cause.to_owned() });
    };
    if let Some(message) = another_place(provenance, reading) {
        add("place", message, "a field with a `localization` that differs from the station");
    }
    if days.len() < ENOUGH_DAYS {
        return found;
    }
    let values = |value: fn(&Day) -> f64| days.iter().map(value);
    let most = |value: fn(&Day) -> f64| values(value).fold(f64::NEG_INFINITY, f64::max);
    let least = |value: fn(&Day) -> f64| values(value).fold(f64::INFINITY, f64::min);
    let mean = |value: fn(&Day) -> f64| values(value).sum::<f64>() / days.len() as f64;
    let years = days.len() as f64 / 365.0;
    let measured = |quantity: &str| provenance.source_of(quantity).is_some_and(|origin| !origin.unit.is_empty());

    let warmest = most(|day| day.max_celsius);
    let yearly = mean(|day| 0.5 * (day.min_celsius + day.max_celsius));
    if warmest > 56.8 || yearly > 35.0 {
        let message = format!("the mean temperature is {yearly:.1} °C and the highest {warmest:.1} °C");
        add("temperature", message, "degrees Fahrenheit");
    } else if provenance.source_of("lowest temperature").is_some_and(|origin| origin.is_assumed) {
        // A year in Fahrenheit is hot by day at latitudes where it can't be, or never below 0 and often above 40.
        let cold_place = reading.latitude_degrees.abs() >= 35.0;
        if cold_place && (yearly > 28.0 || warmest > 50.0) {
            let message = format!("the mean temperature is {yearly:.1} °C at latitude {}°", reading.latitude_degrees);
            add("temperature", message, "degrees Fahrenheit");
        }
    }
    if yearly < -40.0 {
        add(
            "temperature",
            format!("the mean temperature is {yearly:.1} °C"),
            "another unit, or a code for a missing value",
        );
    }
    if most(|day| day.max_celsius) == least(|day| day.max_celsius) {
        add(
            "temperature",
            format!("the highest temperature is {warmest} °C on all days"),
            "a placeholder for missing values",
        );
    }
    if values(|day| day.max_celsius - day.min_celsius).all(|range| range == 0.0) {
        add(
            "temperature",
            "the lowest and highest temperatures are equal on all days".to_owned(),
            "a mean in both columns",
        );
    }

    if measured("relative humidity") {
        let moistest = most(|day| day.humidity_percent);
        if moistest <= 1.0 {
            let message = format!("the relative humidity is at most {moistest} %");
            add("humidity", message, "a share from 0 to 1; the header for this unit is `RH#share`");
        } else if moistest == least(|day| day.humidity_percent) && warmest > 0.0 && most_is_code(moistest) {
            add(
                "humidity",
                format!("the relative humidity is {moistest} % on all days"),
                "a placeholder for missing values",
            );
        }
    }

    let rain = mean(|day| day.rain_mm) * 365.0;
    let wettest = most(|day| day.rain_mm);
    let dry_days = values(|day| day.rain_mm).filter(|mm| *mm == 0.0).count();
    if wettest == 0.0 && years > 0.3 {
        let message = format!("there is no rain on any of {} days", days.len());
        add(
            "rain",
            message,
            "rain that is not measured; another source is `rain: {file: FILE}` or `rain: {dataset: montpellier}`",
        );
    } else if wettest > MOST_RAIN_MM {
        let message = format!("the maximum daily rain is {wettest} mm");
        let cause = if (wettest - 999.9).abs() < 0.1 || (wettest - 999.0).abs() < 0.1 {
            "a code for a missing value"
        } else {
            "tenths of a millimetre, or a code"
        };
        add("rain", message, cause);
    } else if wettest < 1.0 && years > 0.3 && dry_days < days.len() {
        let message = format!("the rain is {rain:.2} mm a year, and never 1 mm in a day");
        let cause =
            if wettest < 0.2 { "metres; the header for this unit is `Rain#m`" } else { "rain or no rain, 1 or 0" };
        add("rain", message, cause);
    } else if rain > 15_000.0 {
        add("rain", format!("the rain is {rain:.0} mm a year"), "tenths of a millimetre");
    } else if values(|day| day.rain_mm).filter(|mm| (*mm - 99.9).abs() < 0.1).count() > 2 {
        add("rain", "the rain is 99.9 mm on several days".to_owned(), "a code for a missing value");
    }

    if measured("wind speed") {
        let windiest = most(|day| day.wind_km_per_h);
        if mean(|day| day.wind_km_per_h) > 60.0 {
            add("wind", format!("the mean wind is {:.0} km/h", mean(|day| day.wind_km_per_h)), "another unit");
        } else if windiest == 0.0 {
            add("wind", "there is no wind on any day".to_owned(), "wind that is not measured");
        } else if mean(|day| day.wind_km_per_h) < 1.0 {
            let message = format!("the mean wind is {:.2} km/h", mean(|day| day.wind_km_per_h));
            add("wind", message, "another unit, such as m/s; the header for this unit is `U#m.s-1`");
        }
    }

    if let Some(first) = first {
        let start = first.day_index() as usize;
        let mut shares: Vec<f64> = days
            .iter()
            .enumerate()
            .filter_map(|(i, day)| {
                let above =
                    radiation::extraterrestrial_radiation(reading.latitude_degrees, ((start + i) % 365) as u32 + 1);
                (above > 5.0).then(|| day.solar_mj.map(|solar| solar / above)).flatten()
            })
            .collect();
        shares.sort_by(f64::total_cmp);
        if shares.len() >= ENOUGH_DAYS {
            let median = shares[shares.len() / 2];
            let message = || {
                let percent = 100.0 * median;
                format!("the median solar radiation is {percent:.0} % of the radiation above the atmosphere")
            };
            if median < RADIATION_SHARE.0 {
                add("radiation", message(), "values in kWh/m² that are read as MJ/m², or a field at another latitude");
            } else if median > RADIATION_SHARE.1 {
                add("radiation", message(), "values in W/m² that are read as MJ/m², or a field at another latitude");
            }
        }
    }
    found
}

/// The file's place and the field's place, if they are more than one degree apart.
fn another_place(provenance: &Provenance, reading: &Reading) -> Option<String> {
    let apart =
        |file: Option<f64>, field: Option<f64>| file.zip(field).map_or(0.0, |(file, field)| (file - field).abs());
    let field = (Some(reading.latitude_degrees), reading.longitude_degrees);
    let east = apart(provenance.longitude_degrees, field.1);
    // Longitudes count to 180 on both sides, or to 360.
    let is_near =
        apart(provenance.latitude_degrees, field.0) <= NEAR_DEGREES && east.min((360.0 - east).abs()) <= NEAR_DEGREES;
    let place = |latitude: Option<f64>, longitude: Option<f64>| {
        let number = |name: &str, value: Option<f64>| value.map(|degrees| format!("{name} {degrees}°"));
        [number("latitude", latitude), number("longitude", longitude)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    };
    let file = place(provenance.latitude_degrees, provenance.longitude_degrees);
    (!is_near).then(|| format!("the file is from {file}; the field is at {}", place(field.0, field.1)))
}

/// Whether a constant humidity is a value that programs fill in.
fn most_is_code(percent: f64) -> bool {
    percent == 0.0 || percent == 100.0
}
