//! Water: how deep roots reach, the effects of too little and too much water, evaporation, drainage and salt.

use super::ramp;
use farm_core::math::simd::{each, mapped};
use farm_core::math::{Bounded, exp, exps, ln, powf};

/// Depth of roots \[m\] that deepen with warmth (AquaCrop manual 3.6: root deepening with a shape factor).
///
/// Z = Z₀ + (Zₓ − Z₀)·((TT − ½TT₀)/(TTₓ − ½TT₀))^(1/n), starting halfway to emergence
#[inline]
pub fn root_depth(warmth: f64, emergence: f64, full: f64, shallow: f64, deep: f64, shape: f64) -> f64 {
    let way = ramp(warmth, emergence / 2.0, full);
    shallow + (deep - shallow).at_least(0.0) * powf(way, 1.0 / shape)
}

/// The depletion that plants tolerate, before the correction for the air's evaporative demand.
#[derive(Debug, Clone, Copy)]
pub struct ToleratedDepletion {
    /// Tolerated depletion on a day with an ET₀ of 5 mm \[–\].
    usual: f64,
    /// ln(10 − 9p), a constant.
    logarithm: f64,
}

impl ToleratedDepletion {
    /// Computes the constants from the share p that plants tolerate at an ET₀ of 5 mm.
    pub fn new(usual: f64) -> Self {
        Self { usual, logarithm: ln(10.0 - 9.0 * usual.at_most(0.99)) }
    }

    /// The tolerated depletion at an evaporative demand ET₀ \[mm day⁻¹\], as a share \[–\] (FAO-56 Eq. 83, as in AquaCrop).
    ///
    /// p + 0.04·(5 − ET₀)·log₁₀(10 − 9p), in 0…1
    #[inline]
    pub fn under(&self, et0: f64) -> f64 {
        (self.usual + 0.04 * (5.0 - et0) * self.logarithm / std::f64::consts::LN_10).clamp(0.0, 1.0)
    }
}

/// The shape of a convex stress curve.
#[derive(Debug, Clone, Copy)]
pub struct StressShape {
    shape: f64,
    /// exp(f) − 1, a constant.
    whole: f64,
}

impl StressShape {
    /// Computes the constant from the shape factor f \[–\].
    pub fn new(shape: f64) -> Self {
        Self { shape, whole: exp(shape) - 1.0 }
    }
}

/// Share of a process that remains under a lack of water \[–\] (AquaCrop manual 3.2.2: convex stress curve).
///
/// 1 − (exp(f·d) − 1)/(exp(f) − 1), with d from 0 at the depletion `begin` to 1 at the depletion `end`, where the process stops
#[inline(always)]
pub fn drought_response<const W: usize>(depletion: [f64; W], begin: f64, end: f64, curve: StressShape) -> [f64; W] {
    if depletion.iter().all(|depletion| *depletion <= begin) {
        return [1.0; W];
    }
    let steep = exps(mapped(depletion, |depletion| curve.shape * ramp(depletion, begin, end)));
    let response = mapped(steep, |steep| 1.0 - (steep - 1.0) / curve.whole);
    each(|k| if depletion[k] <= begin { 1.0 } else { response[k] })
}

/// Share of transpiration that remains under a lack of oxygen \[–\] (AquaCrop manual 3.2.3). It is 1 while the share of pores with air is
/// at least `needed`, and 0 if all pores are full of water. The harm is smaller in the first `lag` days of wetness.
#[inline]
pub fn oxygen_response(air_share: f64, needed: f64, wet_days: f64, lag: f64) -> f64 {
    if needed <= 0.0 || air_share >= needed {
        return 1.0;
    }
    1.0 - (1.0 - (air_share / needed).at_least(0.0)) * ramp(wet_days, 0.0, lag)
}

/// Share of the evaporation of wet soil that remains after this much has evaporated since the last wetting \[–\] (FAO-56 Eq. 74).
///
/// 1 up to the readily evaporable water, then falling to 0 at the total evaporable water \[mm\]
#[inline]
pub fn evaporation_reduction(evaporated: f64, readily: f64, total: f64) -> f64 {
    if evaporated >= total {
        return 0.0;
    }
    if evaporated <= readily { 1.0 } else { (total - evaporated) / (total - readily) }
}

/// Share of the water above field capacity that drains in a day \[–\], from the saturated conductivity \[mm day⁻¹\]
/// (AquaCrop manual 3.8: τ).
///
/// τ = 0.0866·K_sat^0.35, at most 1
pub fn drainage_share(conductivity: f64) -> f64 {
    (0.0866 * powf(conductivity.at_least(0.0), 0.35)).clamp(0.0, 1.0)
}

/// Electrical conductivity of the water in a saturated soil \[dS m⁻¹\], due to its mineral fertiliser. 1 dS m⁻¹ is about 0.64 g of salt per
/// litre (FAO-29). A gram of mineral nitrogen comes with about four grams of other ions (as in calcium, potassium and ammonium nitrate).
#[inline]
pub fn salinity(nitrogen_g: f64, saturation_liters: f64) -> f64 {
    if saturation_liters > 0.0 { 5.0 * nitrogen_g / saturation_liters / 0.64 } else { 0.0 }
}

/// Share of the yield that remains under salt \[–\] (Maas & Hoffman 1977; FAO-29 table 4).
///
/// 1 − slope·(EC − threshold), with the slope per dS m⁻¹
#[inline]
pub fn salt_response(conductivity: f64, threshold: f64, slope: f64) -> f64 {
    (1.0 - slope * (conductivity - threshold).at_least(0.0)).at_least(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drought_response_has_aquacrops_values() {
        // AquaCrop 3.1.0, water_stress.py: maize, p_up2 0.69, shape 6, at a depletion of 0.845: half the way.
        let expected = 1.0 - (exp(3.0) - 1.0) / (exp(6.0) - 1.0);
        assert!((drought_response([0.845], 0.69, 1.0, StressShape::new(6.0))[0] - expected).abs() < 1e-12);
        assert_eq!(drought_response([0.5], 0.69, 1.0, StressShape::new(6.0)), [1.0]);
        assert!(drought_response([1.0], 0.69, 1.0, StressShape::new(6.0))[0].abs() < 1e-12);
    }

    /// FAO-56 table 22 and its footnote: the tabled value at 5 mm a day, and a lower value in drier air.
    #[test]
    fn thirsty_air_lowers_the_tolerated_depletion() {
        assert_eq!(ToleratedDepletion::new(0.55).under(5.0), 0.55);
        assert!((ToleratedDepletion::new(0.5).under(7.0) - (0.5 - 0.08 * 5.5f64.log10())).abs() < 1e-12);
        assert!(ToleratedDepletion::new(0.55).under(2.0) > 0.55);
    }

    /// FAO-56 example 34: a sandy loam with TEW 18 mm and REW 8 mm; K_r = 0.2 when 16 mm have evaporated.
    #[test]
    fn evaporation_falls_in_the_second_stage() {
        assert_eq!(evaporation_reduction(5.0, 8.0, 18.0), 1.0);
        assert!((evaporation_reduction(16.0, 8.0, 18.0) - 0.2).abs() < 1e-12);
        assert_eq!(evaporation_reduction(18.0, 8.0, 18.0), 0.0);
        // A surface of which more is readily evaporable than there is at all knows no second stage.
        assert_eq!([5.0, 18.0].map(|evaporated| evaporation_reduction(evaporated, 30.0, 18.0)), [1.0, 0.0]);
    }

    /// AquaCrop manual, table of default soils: τ of loam (500 mm a day) 0.76, clay (35) 0.30, sand (3000) 1.
    #[test]
    fn drainage_share_is_the_published_one() {
        for (conductivity, expected) in [(500.0, 0.76), (35.0, 0.30), (3000.0, 1.0), (0.0, 0.0)] {
            assert!((drainage_share(conductivity) - expected).abs() < 0.005, "{conductivity} mm a day");
        }
    }

    /// FAO-29 table 4: tomato loses 10 % at 3.5, 25 % at 5.0 and 50 % at 7.6 dS/m.
    #[test]
    fn tomatoes_suffer_from_salt_as_published() {
        for (conductivity, left) in [(2.5, 1.0), (3.5, 0.9), (5.0, 0.75), (7.6, 0.5)] {
            assert!((salt_response(conductivity, 2.5, 0.099) - left).abs() < 0.01, "{conductivity} dS/m");
        }
        assert_eq!(salt_response(100.0, 2.5, 0.099), 0.0);
        assert!((salinity(64.0, 100.0) - 5.0).abs() < 1e-12);
    }

    #[test]
    fn roots_without_air_suffer_after_a_while() {
        assert_eq!(oxygen_response(0.06, 0.05, 9.0, 3.0), 1.0);
        assert_eq!(oxygen_response(0.0, 0.05, 3.0, 3.0), 0.0);
        assert!((oxygen_response(0.0, 0.05, 1.0, 3.0) - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(oxygen_response(0.0, 0.0, 9.0, 3.0), 1.0, "rice needs none");
    }

    #[test]
    fn roots_deepen_with_warmth_to_their_end() {
        assert_eq!(root_depth(0.0, 80.0, 1400.0, 0.3, 2.3, 1.3), 0.3);
        assert!((root_depth(2000.0, 80.0, 1400.0, 0.3, 2.3, 1.3) - 2.3).abs() < 1e-12);
        assert!(root_depth(400.0, 80.0, 1400.0, 0.3, 2.3, 1.3) < root_depth(800.0, 80.0, 1400.0, 0.3, 2.3, 1.3));
        assert_eq!(root_depth(2000.0, 80.0, 1400.0, 0.3, 0.2, 1.3), 0.3, "a soil shallower than a seedling's roots");
    }
}
