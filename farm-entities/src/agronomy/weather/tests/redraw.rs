//! The coming weather, redrawn from its forecast.

use super::*;

/// Pairs of the shown forecast and the truth in another future of the same state, by lead. Each seed has its own state.
fn pairs(skill: f64, name: &str) -> Vec<Vec<(f64, f64)>> {
    let weather = format!("{{source: generator, site: lille, forecast_skill#prop: {skill}}}");
    let mut environment = play(&weather, "{day#int365: 190}");
    let mut pairs = vec![Vec::new(); 4];
    for seed in 0..2000 {
        environment.reset(seed);
        let forecast = observed(&environment, &format!("forecast.{name}"));
        let today = value(&environment, name);
        let game = environment.game().clone();
        let mut other = environment.state().clone();
        game.redraw_future(&mut other, 7_000_000 + seed);
        let mut ahead = environment.clone();
        ahead.restore(&game.snapshot(&other)).unwrap();
        assert_eq!(value(&ahead, name).to_bits(), today.to_bits(), "today is what it was");
        for lead in 0..4 {
            pairs[lead].push((forecast[lead], value(&ahead, name)));
            ahead.step(&[]).unwrap();
        }
    }
    pairs
}

#[test]
fn other_futures_are_as_like_the_forecast_as_the_true_one_and_as_variable() {
    for name in ["air_temperature.max#°C", "wind.speed#km.h-1", "rain_amount#mm.day-1"] {
        for (lead, pairs) in pairs(0.8, name).into_iter().enumerate().skip(1) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let ((mx, sx), (my, sy)) = (moments(&x), moments(&y));
            let products: Vec<f64> = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).collect();
            let correlation = moments(&products).0 / (sx * sy);
            let known = 0.8_f64.powi(lead as i32);
            // Standard error of a correlation 1/√2000 = 0.022, more with the tail of rain.
            assert!((correlation - known).abs() < 0.1, "{name} {lead}: {correlation}, and not {known}");
            assert!((sy / sx - 1.0).abs() < 0.2, "{name} {lead}: {sy} beside {sx}");
            assert!((my - mx).abs() < 5.0 * sx * (2.0 / 2000.0_f64).sqrt(), "{name} {lead}: {my} beside {mx}");
        }
    }
}

#[test]
fn of_a_perfect_forecast_nothing_is_drawn_anew_and_of_none_everything() {
    for (forecast, truth) in pairs(1.0, "rain_amount#mm.day-1").concat() {
        assert!((forecast - truth).abs() < 1e-4, "{forecast} {truth}");
    }
    let equal = |pairs: &[(f64, f64)]| pairs.iter().filter(|(a, b)| a == b && *a > 0.0).count();
    let none = pairs(0.0, "rain_amount#mm.day-1");
    assert_eq!(equal(&none[2]), 0);
}

#[test]
fn equal_seeds_draw_equal_futures() {
    let environment = play("{source: generator, site: lille}", "{day#int365: 190}");
    let game = environment.game();
    let future = |seed: u64| {
        let mut state = environment.state().clone();
        game.redraw_future(&mut state, seed);
        state.hash()
    };
    assert_eq!(future(1), future(1));
    assert_ne!(future(1), future(2));
}
