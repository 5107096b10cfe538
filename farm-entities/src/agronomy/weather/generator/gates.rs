//! Compares generated years with what stations measure. Measured values of the fitted sets: their daily records, see `climates.yaml`.

use std::ops::RangeInclusive;

use farm_core::Environment;
use farm_core::serde_yaml::{Value, from_str, from_value};

use super::super::tests::{moments, try_game_at};
use super::Climate;
use super::site::Site;
use super::statistics::{Seen, Statistics};
use super::tests::years;
use super::year::Month;

const YEARS: usize = 240;

/// What a station measured in summer and at the end of the frost; `None` if unknown.
struct Measured {
    set: &'static str,
    latitude: f64,
    lags: (f64, f64),
    summer_deviation: f64,
    max_with_solar: Option<f64>,
    last_frost: Option<f64>,
    /// Highest temperature, and number of years.
    record: (f64, f64),
}

const fn measured(
    set: &'static str,
    latitude: f64,
    lags: (f64, f64),
    summer_deviation: f64,
    max_with_solar: Option<f64>,
    last_frost: Option<f64>,
    record: (f64, f64),
) -> Measured {
    Measured { set, latitude, lags, summer_deviation, max_with_solar, last_frost, record }
}

/// The summers' standard deviations are those about a trend.
const STATIONS: [Measured; 7] = [
    measured("wageningen", 51.97, (0.56, 0.73), 0.85, Some(0.66), Some(120.0), (34.4, 16.0)),
    measured("brussels", 50.8, (0.70, 0.72), 1.0, None, Some(101.0), (35.4, 30.0)),
    measured("tunis", 36.83, (0.58, 0.58), 0.81, None, Some(0.0), (46.6, 23.0)),
    measured("champion_nebraska", 40.4, (0.59, 0.59), 0.98, None, Some(130.0), (43.7, 37.0)),
    measured("saskatoon", 52.15, (0.49, 0.72), 0.94, Some(0.52), Some(134.0), (38.1, 36.0)),
    measured("maricopa_arizona", 33.07, (0.69, 0.71), 0.54, Some(0.45), Some(54.0), (49.4, 33.0)),
    measured("griffin_georgia", 33.26, (0.70, 0.72), 0.79, Some(0.60), Some(86.0), (40.4, 25.0)),
];

/// The sets whose station has no measured values here.
const OTHERS: [(&str, f64); 5] =
    [("kadoma", -18.32), ("pergamino", -33.93), ("palmira", 3.48), ("hyderabad", 17.53), ("los_banos", 14.18)];

/// What years at a site of France may have.
struct Limits {
    /// Day of the median last frost.
    last_frost: RangeInclusive<f64>,
    /// Highest temperature measured.
    record: f64,
}

/// The sites with their latitudes, and limits for those of France.
///
/// The last frost of Lille is within fifteen days of 13 April (Brussels: 11 April). Those of Montpellier and Nantes are within ten days of
/// the mean, 11 March and 3 April (plantes-et-jardin.fr). Records: Lille in July 2019; Montpellier airport before 2019 (francebleu.fr, 28
/// June 2019); Nantes before 2022 (france3-regions.francetvinfo.fr, 18 July 2022).
const SITES: [(&str, f64, Option<Limits>); 6] = [
    ("montpellier", 43.6, Some(Limits { last_frost: 60.0..=80.0, record: 37.7 })),
    ("lille", 50.6, Some(Limits { last_frost: 88.0..=118.0, record: 41.5 })),
    ("nantes", 47.2, Some(Limits { last_frost: 83.0..=103.0, record: 40.3 })),
    ("dakar", 14.7, None),
    ("phoenix", 33.4, None),
    ("seoul", 37.6, None),
];

/// The parameters of a set, as weather of a game.
pub(super) fn of_set(set: &str) -> String {
    let sets: Value = from_str(concat!(include_str!("../weather.yaml"), include_str!("../climates.yaml"))).unwrap();
    farm_core::config::to_inline_yaml(&sets[set]["parameters"])
}

fn played(weather: &str, latitude: f64) -> (Vec<Seen>, Statistics) {
    let game = try_game_at(latitude, weather, "{}", false).unwrap();
    let days = years(&mut Environment::new(std::sync::Arc::new(game)), YEARS);
    let statistics = Statistics::of(&days, latitude > 0.0);
    (days, statistics)
}

/// Months and years have the climate's means, rain and wet days.
fn has_the_climate(name: &str, days: &[Seen], statistics: &Statistics, months: &[Month]) {
    let rain: f64 = months.iter().map(|month| month.rain_mm).sum();
    assert!((statistics.rain / rain - 1.0).abs() < 0.05, "{name}: {} mm of {rain} mm", statistics.rain);
    let wet: f64 = months.iter().map(|month| month.wet_share() * month.days as f64).sum();
    assert!((statistics.wet_days / wet - 1.0).abs() < 0.05, "{name}: {} wet days of {wet}", statistics.wet_days);
    let mut start = 0;
    for (i, month) in months.iter().enumerate() {
        let of_month = || days.chunks_exact(365).flat_map(move |year| &year[start..start + month.days]);
        let mean = |value: fn(&Seen) -> f64| moments(&of_month().map(value).collect::<Vec<_>>()).0;
        let (min, max) = (mean(|day| day.min), mean(|day| day.max));
        assert!((min - month.min_celsius).abs() < 0.5, "{name}, month {}: lowest {min}", i + 1);
        assert!((max - month.max_celsius).abs() < 0.5, "{name}, month {}: highest {max}", i + 1);
        start += month.days;
    }
}

fn share_above(highest: &[f64], record: f64) -> f64 {
    highest.iter().filter(|year| **year > record).count() as f64 / highest.len() as f64
}

/// Values outside their range; all of them are shown.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn check(&mut self, name: &str, value: f64, range: RangeInclusive<f64>) {
        if !range.contains(&value) {
            self.0.push(format!("{name}: {value} is not in {range:?}"));
        }
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.0.is_empty(), "{:#?}", self.0);
    }
}

#[test]
fn the_sites_have_the_memory_of_measured_days() {
    let mut faults = Faults::default();
    for (name, latitude, limits) in SITES {
        let (_, found) = played(&of_set(&format!("{name}_generated")), latitude);
        faults.check(&format!("{name}, lag_min"), found.lag_min, 0.55..=0.80);
        faults.check(&format!("{name}, lag_max"), found.lag_max, 0.55..=0.80);
        faults.check(&format!("{name}, max_with_solar"), found.max_with_solar, 0.45..=0.75);
        if let Some(Limits { last_frost, record }) = limits {
            faults.check(&format!("{name}, summer_deviation"), found.summer_deviation, 0.8..=1.2);
            faults.check(&format!("{name}, last_frost"), found.last_frost, last_frost);
            faults.check(&format!("{name}, summer_solar"), found.summer_solar, 0.045..=0.1);
            faults.check(&format!("{name}, above the record"), share_above(&found.highest, record), 0.0..=0.03);
        }
    }
}

#[test]
fn fitted_climates_are_like_their_stations() {
    let sets: Value = from_str(include_str!("../climates.yaml")).unwrap();
    let months = |set: &str| -> Vec<Month> {
        let climate: Climate = from_value(sets[set]["parameters"]["climate"].clone()).unwrap();
        climate.months(Site::Montpellier)
    };
    let mut faults = Faults::default();
    for station in &STATIONS {
        let name = station.set;
        let (days, found) = played(&of_set(name), station.latitude);
        has_the_climate(name, &days, &found, &months(name));
        faults.check(&format!("{name}, lag_min"), found.lag_min, station.lags.0 - 0.17..=station.lags.0 + 0.17);
        faults.check(&format!("{name}, lag_max"), found.lag_max, station.lags.1 - 0.1..=station.lags.1 + 0.1);
        faults.check(&format!("{name}, lag_min"), found.lag_min, 0.54..=0.80);
        faults.check(&format!("{name}, lag_max"), found.lag_max, 0.55..=0.80);
        faults.check(
            &format!("{name}, summer_deviation"),
            found.summer_deviation,
            station.summer_deviation - 0.25..=station.summer_deviation + 0.25,
        );
        if let Some(known) = station.max_with_solar {
            faults.check(&format!("{name}, max_with_solar"), found.max_with_solar, known - 0.1..=known + 0.1);
        }
        if let Some(known) = station.last_frost {
            faults.check(&format!("{name}, last_frost"), found.last_frost, known - 10.0..=known + 10.0);
        }
        // A new year is above the record of n years with probability 1/(n + 1).
        let (record, years) = station.record;
        faults.check(
            &format!("{name}, above the record"),
            share_above(&found.highest, record),
            0.0..=f64::max(0.03, 3.0 / (years + 1.0)),
        );
    }
    for (name, latitude) in OTHERS {
        let (days, found) = played(&of_set(name), latitude);
        has_the_climate(name, &days, &found, &months(name));
    }
    assert_eq!(sets.as_mapping().unwrap().len(), STATIONS.len() + OTHERS.len());
}
