//! The soil equations.

use farm_core::math::Bounded;

/// The water that stays and the water that overflows \[L\] (equation sheet II.4 step 1).
#[inline]
pub fn pour(water: f64, amount: f64, capacity: f64) -> (f64, f64) {
    let full = water + amount;
    (full.at_most(capacity), (full - capacity).at_least(0.0))
}

/// Share of the requests that a stock can grant (equation sheet II.4 steps 5, 6).
///
/// f = min(1, stock / Σ asked); 1 without requests
#[farm_core::equation("II.4 step 5: uptake", "II.4 step 6: uptake")]
#[inline]
pub fn granted_share(stock: f64, asked: f64) -> f64 {
    if asked > stock { stock / asked } else { 1.0 }
}

/// Evaporation from bare wet soil [L day⁻¹] (equation sheet II.4 step 7).
///
/// Ev = ET₀ · A · min(1 − shaded, wet)
#[farm_core::equation("II.4 step 7: evaporation")]
#[inline]
pub fn evaporation(et0_mm: f64, area_m2: f64, shaded: f64, wet: f64) -> f64 {
    et0_mm * area_m2 * (1.0 - shaded).at_most(wet).at_least(0.0)
}

/// Growth factor of the microlife (Farm-gym Eq. 22; equation sheet II.4 step 9).
///
/// p (2 − (1 − g) p): it grows if and only if p > 1 / (1 + √g)
#[farm_core::equation("22", "II.4 step 9: microlife")]
#[inline]
pub fn microlife_factor(survival: f64, growth: f64) -> f64 {
    survival * (2.0 - (1.0 - growth) * survival)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of equation sheet III.5.
    #[test]
    fn equation_22_microlife_factor_has_the_published_values_and_neutral_points() {
        assert!((microlife_factor(1.0, 0.1) - 1.1).abs() < 1e-12);
        assert!((microlife_factor(0.5, 0.1) - 0.775).abs() < 1e-12);
        assert_eq!(microlife_factor(0.0, 0.1), 0.0);
        assert!((microlife_factor(0.759747, 0.1) - 1.0).abs() < 1e-6);
        assert!((microlife_factor(0.876101, 0.02) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn pouring_keeps_all_water() {
        assert_eq!(pour(100.0, 30.0, 180.0), (130.0, 0.0));
        assert_eq!(pour(170.0, 30.0, 180.0), (180.0, 20.0));
        assert_eq!(pour(180.0, 0.0, 180.0), (180.0, 0.0));
    }

    #[test]
    fn shares_are_proportional_and_never_more_than_asked() {
        assert_eq!(granted_share(10.0, 5.0), 1.0);
        assert_eq!(granted_share(5.0, 10.0), 0.5);
        assert_eq!(granted_share(0.0, 0.0), 1.0);
        assert_eq!(granted_share(0.0, 3.0), 0.0);
    }

    #[test]
    fn evaporation_is_et0_times_the_wet_and_sunny_area() {
        assert_eq!(evaporation(5.0, 2.0, 0.0, 1.0), 10.0, "1 mm is 1 L per m²");
        assert_eq!(evaporation(5.0, 2.0, 0.75, 1.0), 2.5);
        assert_eq!(evaporation(5.0, 2.0, 0.25, 0.5), 5.0);
        assert_eq!(evaporation(5.0, 2.0, 1.0, 1.0), 0.0);
    }
}
