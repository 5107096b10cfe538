//! Fits generated years, whose parameters are known.

use super::super::super::tests::try_game_at;
use super::super::gates::of_set;
use super::super::residuals::SIZE;
use super::super::tests::years;
use super::*;
use crate::agronomy::weather::formats::Date;
use farm_core::serde_yaml::{from_str, from_value};
use farm_core::{Environment, Game};

/// Thirty years of a set, as a station measures them.
fn station(set: &str, latitude: f64, length: usize) -> Series {
    let game = try_game_at(latitude, &of_set(set), "{}", false).unwrap();
    let days = years(&mut Environment::new(std::sync::Arc::new(game)), length);
    let day = |day: &super::super::statistics::Seen| Day {
        min_celsius: day.min,
        mean_celsius: 0.5 * (day.min + day.max),
        max_celsius: day.max,
        humidity_percent: day.humidity,
        rain_mm: day.rain,
        wind_km_per_h: day.wind,
        clouds_percent: day.clouds,
        direction_degrees: None,
        solar_mj: Some(day.solar),
    };
    Series {
        days: days.iter().map(day).collect(),
        first: Some(Date { year: 1990, month: 1, day: 1 }),
        provenance: Default::default(),
        findings: Vec::new(),
    }
}

/// The parameters of a set.
fn known(set: &str) -> Climate {
    let sets: Value = from_str(include_str!("../../climates.yaml")).unwrap();
    from_value(sets[set]["parameters"]["climate"].clone()).unwrap()
}

#[test]
fn thirty_generated_years_return_their_parameters() {
    for (set, latitude) in [("wageningen", 51.97), ("griffin_georgia", 33.26)] {
        let (expected, found) = (known(set), fit(&station(set, latitude, 30), 2.0).unwrap());
        let (was, is) = (expected.months.as_ref().unwrap(), found.climate.months.as_ref().unwrap());
        let close = |name: &str, was: &[f64], is: &[f64], tolerance: f64| {
            for (month, (was, is)) in was.iter().zip(is).enumerate() {
                assert!((was - is).abs() < tolerance, "{set}, {name}, month {}: {was} {is}", month + 1);
            }
        };
        // Thirty months of a winter that varies by 2 °C have a mean that varies by 0.4 °C.
        close("lowest", &was.min_celsius, &is.min_celsius, 1.2);
        close("highest", &was.max_celsius, &is.max_celsius, 1.2);
        close("deviation of lowest", &was.min_deviation_celsius, &is.min_deviation_celsius, 0.8);
        close("deviation of highest", &was.max_deviation_celsius, &is.max_deviation_celsius, 0.8);
        close("wet after dry", &was.wet_after_dry, &is.wet_after_dry, 0.08);
        close("wet after wet", &was.wet_after_wet, &is.wet_after_wet, 0.12);
        close("clouds with highest", &was.clouds_with_max.clone().unwrap(), &is.clouds_with_max.clone().unwrap(), 0.2);
        let sum = |months: &[f64]| months.iter().sum::<f64>();
        assert!((sum(&is.rain_mm) / sum(&was.rain_mm) - 1.0).abs() < 0.12, "{set}: {:?}", is.rain_mm);
        for (i, j) in (0..SIZE).flat_map(|i| (0..SIZE).map(move |j| (i, j))) {
            let (was, is) = (expected.yesterday[i][j], found.climate.yesterday[i][j]);
            assert!((was - is).abs() < 0.12, "{set}: A {i} {j}: {was} {is}");
            let (was, is) = (expected.today[i][j], found.climate.today[i][j]);
            assert!((was - is).abs() < 0.12, "{set}: B {i} {j}: {was} {is}");
        }
        let (was, is) = (expected.season_celsius, found.climate.season_celsius);
        assert!((was - is).abs() < 0.4, "{set}: season {was} {is}");
        assert!((found.climate.rain_shape - expected.rain_shape).abs() < 0.12, "{set}: {}", found.climate.rain_shape);
        assert!((1.0..1.8).contains(&found.rain_variation), "{set}: {}", found.rain_variation);
    }
}

#[test]
fn the_text_of_a_fit_is_weather_that_plays() {
    let fit = fit(&station("wageningen", 51.97, 5), 2.0).unwrap();
    let text = fit.yaml("station.csv");
    assert!(
        text.starts_with("# The generator, fitted to station.csv\n# 5 whole years, 1990-01-01 to 1994-12-31"),
        "{text}"
    );
    let item: Value = from_str(&text).unwrap();
    let weather = to_inline_yaml(&item[0]["Weather"]);
    let game: Game = try_game_at(51.97, &weather, "{}", false).unwrap();
    let mut environment = Environment::new(std::sync::Arc::new(game));
    (0..400).for_each(|_| drop(environment.step(&[])));
}

#[test]
fn a_short_file_and_a_wrong_climate_are_refused() {
    let series = station("griffin_georgia", 33.26, 4);
    let error = fit(&series, 2.0).unwrap_err();
    assert_eq!(error.to_string(), "the file has 4 whole years, and a fit needs at least 5");
    for (climate, said) in [
        ("{yesterday: [[1]]}", "`yesterday` is not a matrix of 4 × 4"),
        (
            "{yesterday: [[1.1, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 0.5]]}",
            "the variance of departure 1 is not 1",
        ),
        ("{months: {min#°C: [1, 2]}}", "`min#°C` has 2 values"),
    ] {
        let problems = try_game_at(45.0, &format!("{{source: generator, climate: {climate}}}"), "{}", false);
        let text = problems.err().unwrap().to_string();
        assert!(text.contains(said), "{text}");
    }
}
