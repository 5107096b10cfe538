//! The plant equations, each as a pure function.

use farm_core::math::{exp, powf};

/// Daily growth of a quantity that saturates (Farm-gym Eq. 6 for size, Eq. 17 for fruit weight).
///
/// s′ = min(s_max, s + κ r (1 − s/s_max) √s), κ in unit^½ day⁻¹
#[farm_core::equation("6", "17")]
#[inline]
pub fn flow(value: f64, rate: f64, speed: f64, max: f64) -> f64 {
    (value + rate * speed * (1.0 - value / max) * value.sqrt()).clamp(0.0, max)
}

/// Size at which flowers appear, as a share of the final size (Farm-gym Eq. 8).
///
/// x = (1 + exp(−S/S₀)) / 2, in (½, 1]. A plant under stress flowers earlier and at a smaller size.
#[farm_core::equation("8")]
#[inline]
pub fn bloom_threshold(stress: f64, scale: f64) -> f64 {
    if stress <= 0.0 { 1.0 } else { 0.5 * (1.0 + exp(-stress / scale)) }
}

/// Weight at which fruits ripen, as a share of the final weight (Farm-gym Eq. 19; the stress is always within the interval
/// that the paper gives for it).
///
/// x_w = exp(−θ_s S/S₀ − θ_p max(0, v_min − visits))
#[farm_core::equation("19")]
#[inline]
pub fn ripe_threshold(stress: f64, scale: f64, stress_weight: f64, missing_visits: f64, visits_weight: f64) -> f64 {
    let penalty = stress_weight * stress / scale + visits_weight * missing_visits.max(0.0);
    if penalty <= 0.0 { 1.0 } else { exp(-penalty) }
}

/// Total stress in grams, with water counted as grams (equation sheet II.6.6).
///
/// S = Σ S_X + 1000 S_w
#[inline]
pub fn total_stress(nutrients_g: [f64; 4], water_liters: f64) -> f64 {
    nutrients_g.iter().sum::<f64>() + 1000.0 * water_liters
}

/// Basal crop coefficient K_cb (FAO-56 Eq. 70; equation sheet II.6.5; Farm-gym 4.2.7 without its division by 100).
///
/// K_cb = a₀ + a₁ h + (0.04 (u₂ − 2) − 0.004 (RH_min − 45)) (h/300)^0.3, with h in cm, u₂ in 1…6 m s⁻¹, RH_min in 20…80 %
#[farm_core::equation("II.6.5: crop coefficient")]
#[inline]
pub fn crop_coefficient(base: f64, per_cm: f64, height_cm: f64, wind_2m: f64, humidity_min: f64) -> f64 {
    let climate = 0.04 * (wind_2m.clamp(1.0, 6.0) - 2.0) - 0.004 * (humidity_min.clamp(20.0, 80.0) - 45.0);
    let height = if height_cm > 0.0 { powf(height_cm / 300.0, 0.3) } else { 0.0 };
    (base + per_cm * height_cm + climate * height).max(0.0)
}

/// Ground that a plant shades: the disc under a ball whose diameter is the plant's height \[m²\] (equation sheet II.6.8).
///
/// c · n · π (h/200)²
#[farm_core::equation("II.6.8: shade")]
#[inline]
pub fn shade(coefficient: f64, population: f64, height_cm: f64) -> f64 {
    let radius_m = height_cm / 200.0;
    coefficient * population * std::f64::consts::PI * radius_m * radius_m
}

/// Probability that a flower is pollinated on a day (Farm-gym Eq. 11 as one binomial: equation sheet I.1).
///
/// p̄ = Σ w p / Σ w; 0 if all weights are 0
#[farm_core::equation("11")]
#[inline]
pub fn pollination(weights: [f64; 3], chances: [f64; 3]) -> f64 {
    let total: f64 = weights.iter().sum();
    let met: f64 = weights.iter().zip(chances).map(|(w, p)| w * p).sum();
    if total > 0.0 { (met / total).clamp(0.0, 1.0) } else { 0.0 }
}

/// Number of flowers that a plant can have (Farm-gym Eq. 10, with the reference's stress boost as an option).
///
/// n = n_max (1 + b (1 − exp(−θ S/S₀))), rounded
#[farm_core::equation("10")]
#[inline]
pub fn flower_buds(max: f64, boost: f64, speed: f64, stress: f64, scale: f64) -> u32 {
    let boosted = if boost > 0.0 { 1.0 + boost * (1.0 - exp(-speed * stress / scale)) } else { 1.0 };
    (max * boosted + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agronomy::response::shortage;

    /// Expected days from sprout to bloom, with size growth at rate `r` and a daily chance exp(−d) of blooming
    /// (equation sheet III.4, computed there independently).
    fn expected_days(start: f64, max: f64, threshold: f64, speed: f64, rate: f64) -> f64 {
        let (mut size, mut alive, mut days) = (start, 1.0, 0.0);
        for day in 1..2000 {
            size = flow(size, rate, speed, max);
            let chance = exp(-(threshold * max - size).max(0.0));
            days += alive * chance * f64::from(day);
            alive *= 1.0 - chance;
        }
        days + alive * 2000.0
    }

    /// The table of equation sheet III.4 for the size.
    #[test]
    fn equations_6_and_7_take_the_published_days_from_sprout_to_bloom() {
        for (max, perfect, slow, stressed) in
            [(120.0, 59.9, 83.6, 26.5), (160.0, 72.2, 101.0, 30.7), (300.0, 108.1, 151.8, 41.9)]
        {
            assert!((expected_days(0.1, max, 1.0, 1.0, 1.0) - perfect).abs() < 0.1, "{max} cm");
            assert!((expected_days(0.1, max, 1.0, 1.0, 0.7) - slow).abs() < 0.15, "{max} cm at rate 0.7");
            let threshold = bloom_threshold(1000.0, 1000.0);
            assert!((expected_days(0.1, max, threshold, 1.0, 1.0) - stressed).abs() < 0.1, "{max} cm under stress");
        }
    }

    /// The table of equation sheet III.4 for the fruit weight.
    #[test]
    fn equations_17_and_18_take_the_published_days_from_fruit_to_ripe() {
        for (max, days) in [(50.0, 31.5), (200.0, 81.5), (500.0, 147.4)] {
            let found = expected_days(1.0, max, 1.0, 1.0, 1.0);
            assert!((found - days).abs() < 0.1, "{max} g: {found}");
        }
    }

    /// equation sheet III.3.
    #[test]
    fn crop_coefficient_has_the_published_value() {
        assert!((crop_coefficient(0.0, 1.10 / 200.0, 200.0, 3.0, 30.0) - 1.1885).abs() < 5e-5);
        assert_eq!(crop_coefficient(0.15, 0.0079, 0.0, 9.0, 5.0), 0.15, "a plant without height has the base alone");
    }

    #[test]
    fn equation_8_bloom_threshold_lies_between_one_half_and_one() {
        assert_eq!(bloom_threshold(0.0, 1000.0), 1.0);
        assert!((bloom_threshold(1000.0, 1000.0) - 0.683_939_720_585_721).abs() < 1e-12);
        assert_eq!(bloom_threshold(f64::INFINITY, 1000.0), 0.5);
    }

    #[test]
    fn equation_19_ripe_threshold_falls_with_stress_and_missing_visits() {
        assert_eq!(ripe_threshold(0.0, 1000.0, 0.7, -2.0, 1.2), 1.0, "more visits than wanted cost nothing");
        assert!((ripe_threshold(1000.0, 1000.0, 0.7, 0.0, 1.2) - 0.496_585_303_791_409).abs() < 1e-12);
        assert!((ripe_threshold(0.0, 1000.0, 0.7, 1.0, 0.7) - 0.496_585_303_791_409).abs() < 1e-12);
    }

    #[test]
    fn a_plant_needs_a_size_to_grow_and_never_outgrows_its_maximum() {
        assert_eq!(flow(0.0, 1.0, 1.0, 120.0), 0.0, "0 is a fixed point: hence the 0.1 cm at sprouting");
        assert_eq!(flow(120.0, 1.0, 1.0, 120.0), 120.0);
        assert_eq!(flow(1.0, 1.5, 100.0, 10.0), 10.0);
    }

    /// equation sheet III.9: the mean of the pollinated flowers.
    #[test]
    fn equation_11_pollination_has_the_published_mean() {
        let chance = pollination([0.6, 0.1, 0.3], [0.7, 0.9, 0.4]);
        assert!((18.0 * chance - 11.34).abs() < 1e-12);
        assert!((18.0 * chance * (1.0 - chance) - 4.196).abs() < 5e-4);
        assert_eq!(pollination([0.0; 3], [1.0; 3]), 0.0);
    }

    #[test]
    fn equation_10_flowers_are_boosted_by_stress_only_as_an_option() {
        assert_eq!(flower_buds(18.0, 0.0, 0.4, 1e9, 1000.0), 18);
        assert_eq!(flower_buds(18.0, 0.5, 1.0, 1e9, 1000.0), 27);
    }

    #[test]
    fn shade_is_the_disc_under_a_ball() {
        assert!((shade(1.0, 1.0, 200.0) - std::f64::consts::PI).abs() < 1e-12);
        assert_eq!(shade(0.5, 0.0, 200.0), 0.0);
    }

    #[test]
    fn shortage_is_the_missing_share() {
        assert_eq!(shortage(5.0, 10.0), 0.5);
        assert_eq!(shortage(10.0, 10.0), 0.0);
        assert_eq!(shortage(0.0, 0.0), 0.0, "who needs nothing misses nothing");
        assert_eq!(total_stress([1.0, 2.0, 3.0, 4.0], 0.5), 510.0);
    }
}
