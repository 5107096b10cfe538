//! Several tables at once, and tables of one day.

use super::*;

/// A blend of two files that differ in everything: a quarter of the first and three quarters of the second.
fn blend() -> Environment {
    let files = "files: [{file: weather_three_days.csv, weight: 1}, {file: weather_storm.csv, weight: 3}]";
    play(&format!("{{{files}, {NO_NOISE}}}"), "{}")
}

#[test]
fn equation_sheet_2_1_a_blend_has_weighted_means_and_the_rain_and_wind_direction_of_one_file() {
    // Minima −0.1, −3, 0 and 10; humidity 70 and 100; wind 10 and 36 km/h; rain 0, 0.9, 1 and 1; clouds 30 (80 if wet) and 100.
    let mut environment = blend();
    assert!((value(&environment, "air_temperature.min#°C") - (0.25 * -0.1 + 0.75 * 10.0)).abs() < 1e-12);
    assert!((value(&environment, "humidity#%") - 92.5).abs() < 1e-12);
    assert!((value(&environment, "wind.speed#km.h-1") - 29.5).abs() < 1e-12);
    assert!((value(&environment, "clouds#%") - 82.5).abs() < 1e-12);
    let (mut stormy, mut days) = (0.0, 0.0);
    let own = [0.0, 0.9, 1.0];
    for day in 0..6000 {
        let (rain, from) = (value(&environment, "rain_amount#mm.day-1"), value(&environment, "wind.direction#°"));
        // 365 days of a table of three: year y begins with its row 2·y mod 3.
        let row = (day % 365 + 365 * (day / 365 % 100)) % 3;
        let storm = from == 270.0;
        assert_eq!(rain, if storm { 1.0 } else { own[row] });
        stormy += f64::from(u8::from(storm));
        days += 1.0;
        environment.step(&[]).unwrap();
    }
    // Standard error √(0.25·0.75/6000) = 0.0056.
    assert!((stormy / days - 0.75_f64).abs() < 0.022, "{}", stormy / days);
}

#[test]
fn the_forecast_of_a_blend_is_what_comes() {
    let files = "files: [{dataset: rainy, weight: 0.5}, {dataset: dry, weight: 0.5}]";
    let mut environment = play(&format!("{{{files}, {NO_ERRORS}}}"), "{}");
    for _ in 0..50 {
        let rain = observed(&environment, "forecast.rain_amount#mm.day-1")[1];
        let mean = observed(&environment, "forecast.air_temperature.mean#°C")[1];
        environment.step(&[]).unwrap();
        assert_eq!(rain, f64::from(value(&environment, "rain_amount#mm.day-1") as f32));
        assert_eq!(mean, f64::from(value(&environment, "air_temperature.mean#°C") as f32));
    }
}

#[test]
fn weights_and_files_that_make_no_sense_are_problems() {
    let problem = |weather: &str| {
        let problems = try_game(weather, "{}", false).unwrap_err();
        problems.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let none = problem("{files: [{dataset: dry, weight: 0}]}");
    assert!(none.contains("Weather.files") && none.contains("no table has a weight above 0"), "{none}");
    let broken = problem("{files: [{dataset: dry}, {file: weather_broken.csv}]}");
    assert!(broken.contains("Weather.files[1].file") && broken.contains("column `RH`: `170`"), "{broken}");
    let both = problem("{file: weather_storm.csv, files: [{dataset: dry}]}");
    assert!(both.contains("Weather.file") && both.contains("because `files` is set"), "{both}");
    assert!(problem("{file: weather_storm.csv, source: generator}").contains("because `source: generator` is set"));
    assert!(problem("{forecast: paper, forecast_skill#prop: 1}").contains("Weather.forecast_skill"));
}

#[test]
fn stylised_days_repeat() {
    for (name, rain) in [("dry", 0.0), ("dry_hot", 0.0), ("rainy", 8.0), ("constant", 2.0)] {
        let mut environment = play(&format!("{{dataset: {name}, {NO_NOISE}}}"), "{day#int365: 363}");
        let mean = value(&environment, "air_temperature.mean#°C");
        for _ in 0..400 {
            assert_eq!(value(&environment, "rain_amount#mm.day-1"), rain, "{name}");
            assert_eq!(value(&environment, "air_temperature.mean#°C"), mean, "{name}");
            environment.step(&[]).unwrap();
        }
    }
}
