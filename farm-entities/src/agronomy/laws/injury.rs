//! Injury: effects of frost and animals on plants.

use farm_core::math::{Bounded, exp};

/// Share of plants that survive a night \[–\]: half of them at the lethal temperature, nearly all two degrees above it (logistic, the usual
/// fit of frost tests: LT₅₀).
#[inline]
pub fn frost_survival(min: f64, lethal: f64) -> f64 {
    let above = min - lethal;
    if above >= 4.0 { 1.0 } else { 1.0 / (1.0 + exp(-2.0 * above)) }
}

/// Leaves that remain on a plant after animals have eaten \[unit of `leaves`\]. Each animal eats its ration from a large plant, and half of
/// it from a plant with `scarce` leaves (Holling 1959, type II).
#[inline]
pub fn eaten(leaves: f64, animals: f64, ration: f64, scarce: f64) -> f64 {
    if leaves <= 0.0 {
        return 0.0;
    }
    (leaves - animals * ration * leaves / (leaves + scarce)).at_least(0.0)
}

/// Share of flowers that animals pollinate \[–\]. It saturates as the daily visits increase (Klein et al. 2007).
///
/// 1 − exp(−visits/half·ln 2)
#[inline]
pub fn pollinated_by_visits(visits_per_day: f64, half: f64) -> f64 {
    if half <= 0.0 { 1.0 } else { 1.0 - exp(-visits_per_day / half * std::f64::consts::LN_2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_plants_live_at_the_lethal_temperature() {
        assert_eq!(frost_survival(-2.0, -2.0), 0.5);
        assert!(frost_survival(0.0, -2.0) > 0.98);
        assert!(frost_survival(-5.0, -2.0) < 0.01);
        assert_eq!(frost_survival(10.0, -2.0), 1.0);
    }

    #[test]
    fn animals_eat_no_more_than_there_is() {
        assert_eq!(eaten(1.0, 100.0, 0.001, 0.0), 0.9);
        assert_eq!(eaten(1.0, 1e6, 0.001, 0.0), 0.0);
        assert_eq!(eaten(10.0, 1.0, 3.0, 10.0), 8.5, "half of the ration from a small plant");
        assert_eq!(eaten(0.0, 1.0, 3.0, 0.0), 0.0, "nothing where there is nothing");
        assert_eq!(pollinated_by_visits(0.0, 0.5), 0.0);
        assert!((pollinated_by_visits(0.5, 0.5) - 0.5).abs() < 1e-12);
        assert_eq!(pollinated_by_visits(0.0, 0.0), 1.0);
    }
}
