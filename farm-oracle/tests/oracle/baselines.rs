//! What waiting and acting at random earn, against what is stated.

use farm_core::Environment;

use crate::support::{environment, play, player};

/// Mean and standard error of a policy's return.
fn returns(environment: &mut Environment, policy: &str, seeds: u64) -> (f64, f64) {
    let mut player = player(environment, policy);
    let values: Vec<f64> = (0..seeds).map(|seed| play(environment, player.as_mut(), seed)).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn baselines_waiting_in_backwards_valley_earns_what_the_peers_rules_pay_by_themselves() {
    // All animals, four of them, worth two each; and of six villagers, worth four and a half each, those that start friendly.
    let expected = 4.0 * 2.0 + 6.0 / 3.0 * 4.5;
    let (mean, error) = returns(&mut environment("backwards_valley", Some("autoenv_compat"), &[]), "wait", 10_000);
    assert!((mean - expected).abs() < 3.0 * error, "{mean} ± {error} for {expected}");
    assert!(error < 0.1, "{error}");
}

#[test]
fn baselines_waiting_in_valley_farm_earns_nothing() {
    for preset in [None, Some("autoenv_compat")] {
        assert_eq!(returns(&mut environment("valley_farm", preset, &[]), "wait", 10_000), (0.0, 0.0), "{preset:?}");
    }
}
