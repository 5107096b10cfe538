//! Nitrogen in the layers of a soil: what roots reach, nitrification and denitrification.

use farm_core::math::simd::mapped;
use farm_core::math::{Bounded, exp, exps};

/// Share of the nitrate that roots can take up in a day, in a soil of 1 Mg m⁻³ with many roots and the best moisture \[–\]
/// (CERES maize: 0.075 kg ha⁻¹ for each mg kg⁻¹ and cm).
pub const DAILY_UPTAKE: f64 = 0.75;

/// Ammonium that roots leave in the soil \[mg kg⁻¹\] (CERES maize).
pub const AMMONIUM_LEFT: f64 = 0.5;

/// Effect of the density of roots \[cm cm⁻³\] on their uptake of nitrogen \[–\] (CERES maize).
#[inline(always)]
pub fn uptake_by_roots<const W: usize>(density: [f64; W]) -> [f64; W] {
    mapped(exps(mapped(density, |density| -8.0 * density)), |left| 1.0 - left)
}

/// Effect of moisture on the uptake of nitrogen \[–\], with the moisture from the wilting point (0) to the saturation (1) (CERES maize). In
/// wet soil it is 1, because the plants know how much air they need: rice takes up nitrogen under water.
#[inline(always)]
pub fn uptake_by_moisture(moisture: f64) -> f64 {
    let missing = (0.5 - moisture).at_least(0.0);
    (1.5 - 6.0 * missing * missing).clamp(0.0, 1.0)
}

/// Share of the ammonium that becomes nitrate in a day at the best moisture \[–\] (Gilmour 1984; DSSAT: SOILNI). 0 in frost.
#[inline]
pub fn nitrification(celsius: f64) -> f64 {
    if celsius <= 0.0 { 0.0 } else { exp(21.4 - 6572.0 / (celsius + 273.0)).at_most(1.0) }
}

/// Effect of acidity on nitrification \[–\] (DSSAT: SOILNI).
pub fn nitrification_by_acidity(ph: f64) -> f64 {
    (0.33 * ph - 1.36).clamp(0.0, 1.0)
}

/// Effect of moisture on nitrification \[–\], with the share `filled` of the pores filled with water (DSSAT: SOILNI).
#[inline(always)]
pub fn nitrification_by_moisture(filled: f64, is_wet: bool) -> f64 {
    (if is_wet { 2.55 - 2.5 * filled } else { 3.15 * filled - 0.1 }).clamp(0.0, 1.0)
}

/// Share of the nitrate that saturated loam loses to the air in a day at 20 °C \[–\]: 1 to 3 kg ha⁻¹ of 50 kg.
const DENITRIFIED: f64 = 0.05;

/// Share of the nitrate that a saturated loam loses to the air in a day \[–\] (temperature: CERES, Godwin & Jones 1991).
#[inline]
pub fn denitrification(celsius: f64) -> f64 {
    let warmth = |celsius: f64| (0.1 * exp(0.046 * celsius)).at_most(1.0);
    if celsius <= 0.0 { 0.0 } else { DENITRIFIED * warmth(celsius) / warmth(20.0) }
}

/// Effect of the soil's organic carbon \[%\] on denitrification \[–\]: 1 at 1.5 % (CERES, Godwin & Jones 1991).
///
/// 24.5 + 0.0031·C, with C in mg kg⁻¹
pub fn denitrification_by_carbon(percent: f64) -> f64 {
    (24.5 + 31.0 * percent) / (24.5 + 31.0 * 1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// .106 .162 .357 .748 at 5, 10, 20 and 30 °C.
    #[test]
    fn nitrification_has_gilmours_values() {
        for (celsius, expected) in [(5.0, 0.106), (10.0, 0.162), (20.0, 0.357), (30.0, 0.748)] {
            assert!((nitrification(celsius) - expected).abs() < 0.001, "{celsius} °C: {}", nitrification(celsius));
        }
        assert_eq!(nitrification(-1.0), 0.0);
        assert_eq!([nitrification_by_acidity(4.0), nitrification_by_acidity(8.0)], [0.0, 1.0]);
        assert_eq!(nitrification_by_moisture(0.4, false), 1.0);
        assert!(nitrification_by_moisture(1.0, true) < 0.06);
    }

    /// 60 kg of nitrate lose 10 to 20 kg in a week of flood at 20 °C.
    #[test]
    fn a_week_of_flood_costs_nitrate() {
        let left = (0..7).fold(60.0, |nitrate, _| nitrate * (1.0 - denitrification(20.0)));
        assert!((10.0..20.0).contains(&(60.0 - left)), "{left}");
        assert!((denitrification_by_carbon(1.5) - 1.0).abs() < 1e-12 && denitrification_by_carbon(0.3) < 0.6);
    }

    /// 10 mg/kg in 20 cm with 1 cm of roots in a cm³ give 15 kg/ha a day, with 0.1 cm 8 kg, with 0.01 cm 1.2 kg.
    #[test]
    fn few_roots_take_up_little() {
        let kg_per_ha =
            |density: f64| DAILY_UPTAKE * uptake_by_roots([density])[0] * uptake_by_moisture(0.5) * 10.0 * 20.0 * 0.1;
        for (density, expected) in [(1.0, 15.0), (0.1, 8.3), (0.01, 1.15)] {
            assert!((kg_per_ha(density) - expected).abs() < 0.1, "{density}: {}", kg_per_ha(density));
        }
        assert_eq!([uptake_by_moisture(0.0), uptake_by_moisture(1.0)], [0.0, 1.0]);
    }
}
