//! Forecasts with a skill, and with the paper's errors.

use super::*;

#[test]
fn equation_sheet_2_4_the_papers_forecast_has_variance_noise_plus_lead_times_growth() {
    let weather =
        "{forecast: paper, noise: {humidity#%: 4}, forecast_noise: {humidity#%.day-1: 3, temperature#°C.day-1: 0.5}}";
    let mut environment = play(weather, "{day#int365: 190}");
    let mut errors: [Vec<f64>; 5] = Default::default();
    for seed in 0..2000 {
        environment.reset(seed);
        let forecast = observed(&environment, "forecast.humidity#%");
        let mut ahead = environment.clone();
        for lead in 0..5 {
            errors[lead].push(forecast[lead] - value(&ahead, "humidity#%"));
            ahead.step(&[]).unwrap();
        }
    }
    assert!(errors[0].iter().all(|error| error.abs() < 1e-5));
    for (lead, errors) in errors.iter().enumerate().skip(1) {
        let variance = moments(errors).1.powi(2);
        // The standard error of a variance from 2000 values is 3.2 %.
        assert!((variance / (4.0 + 3.0 * lead as f64) - 1.0).abs() < 0.13, "lead {lead}: {variance}");
    }
}

/// Correlation between forecast and truth, and the forecast's variance relative to the truth's, by lead, for generated Julys.
fn skill(skill: f64, name: &str) -> Vec<(f64, f64)> {
    let weather = format!("{{source: generator, site: lille, forecast_skill#prop: {skill}}}");
    let mut environment = play(&weather, "{day#int365: 190}");
    let mut pairs: [Vec<(f64, f64)>; 4] = Default::default();
    for seed in 0..2000 {
        environment.reset(seed);
        let forecast = observed(&environment, &format!("forecast.{name}"));
        let mut ahead = environment.clone();
        for lead in 0..4 {
            pairs[lead].push((forecast[lead], value(&ahead, name)));
            ahead.step(&[]).unwrap();
        }
    }
    let statistics = |pairs: &Vec<(f64, f64)>| {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let ((mx, sx), (my, sy)) = (moments(&x), moments(&y));
        let products: Vec<f64> = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).collect();
        (moments(&products).0 / (sx * sy), sx / sy)
    };
    pairs.iter().map(statistics).collect()
}

#[test]
fn a_forecast_of_full_skill_is_perfect_and_one_without_knows_the_climate_alone() {
    for name in ["air_temperature.mean#°C", "rain_amount#mm.day-1", "wind.speed#km.h-1", "clouds#%"] {
        for (lead, (correlation, ratio)) in skill(1.0, name).into_iter().enumerate() {
            assert!((correlation - 1.0).abs() < 1e-6 && (ratio - 1.0).abs() < 1e-5, "{name} {lead}: {correlation}");
        }
        let none = skill(0.0, name);
        assert!((none[0].0 - 1.0).abs() < 1e-6, "{name}");
        // Standard error of a correlation 1/√2000 = 0.022.
        assert!(none[1..].iter().all(|(correlation, _)| correlation.abs() < 0.09), "{name}: {none:?}");
    }
}

#[test]
fn the_correlation_of_forecast_and_truth_is_the_skill_to_the_power_of_the_lead() {
    for (lead, (correlation, ratio)) in skill(0.8, "air_temperature.mean#°C").into_iter().enumerate() {
        assert!((correlation - 0.8_f64.powi(lead as i32)).abs() < 0.06, "lead {lead}: {correlation}");
        assert!((ratio - 1.0).abs() < 0.1, "lead {lead}: {ratio}");
    }
}
