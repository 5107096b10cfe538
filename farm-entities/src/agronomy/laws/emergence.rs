//! Emergence: the share of weed seeds in the soil that emerges.

/// Share of the living seeds that emerges in a day \[–\]. The conditions are multiplied, as in hydrothermal time (Forcella et al.
/// 2000, "Modeling seedling emergence").
#[inline]
pub fn emerging(most: f64, warmth: f64, moisture: f64) -> f64 {
    (most * warmth * moisture).clamp(0.0, 1.0)
}

/// Effect of moisture on emergence \[–\]: 1 at or above the share `enough` of the topsoil's plant-available water, 0 if none is available.
#[inline]
pub fn moist_enough(available: f64, enough: f64) -> f64 {
    super::ramp(available, 0.0, enough)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most annual weeds that come up in a season do so within eight weeks of tillage (Forcella et al. 1997: 80 % within about 6 to 10
    /// weeks).
    #[test]
    fn four_of_five_seeds_come_up_within_eight_weeks() {
        let left = |days: i32| farm_core::math::powf(1.0 - emerging(0.03, 1.0, 1.0), f64::from(days));
        assert!((0.15..0.25).contains(&left(56)), "{}", left(56));
    }

    #[test]
    fn nothing_emerges_in_cold_or_dry_soil() {
        assert_eq!(emerging(0.03, 0.0, 1.0), 0.0);
        assert_eq!(emerging(0.03, 1.0, moist_enough(0.0, 0.5)), 0.0);
        assert_eq!(moist_enough(0.25, 0.5), 0.5);
        assert_eq!(moist_enough(0.9, 0.5), 1.0);
    }
}
