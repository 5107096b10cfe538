//! Nutrition: the nutrients that plants need and can reach, and the growth that these nutrients allow.

use farm_core::math::{Bounded, powf};

use super::ramp;

/// Nitrogen that a stand needs for unlimited growth, as a share of its dry matter \[g g⁻¹\]. It follows the critical dilution curve (Justes
/// et al. 1994; Plénet & Lemaire 2000; Greenwood et al. 1990). Below one tonne per hectare, the share stays at its value for one tonne.
///
/// N_c = a·W^(−b)/100, with W in t ha⁻¹ and a in %
#[inline]
pub fn critical_nitrogen(dry_matter_g_per_m2: f64, a: f64, b: f64) -> f64 {
    let tonnes_per_ha = dry_matter_g_per_m2 / 100.0;
    a / 100.0 * if tonnes_per_ha > 1.0 { powf(tonnes_per_ha, -b) } else { 1.0 }
}

/// Maximum content of a nutrient, as a multiple of the need \[–\] (Lemaire & Gastal 1997: nutrition indices rarely exceed 1.2; chosen
/// with the trials of docs/trials.md).
const LUXURY: f64 = 1.1;

/// Amount of a nutrient that plants ask for \[g\]: up to a tenth more than their need, less what they hold, and at most what their roots
/// reach.
#[inline]
pub fn asked(needed: f64, held: f64, reached: f64) -> f64 {
    (LUXURY * needed - held).at_least(0.0).at_most(reached)
}

/// Share of growth that the nutrition allows \[–\]: 0 at and below the nutrition index `least`, 1 at an index of 1 or more (Lemaire &
/// Gastal 1997: growth falls about linearly with the nutrition index).
#[inline]
pub fn nutrition_response(held: f64, needed: f64, least: f64) -> f64 {
    if needed <= 0.0 { 1.0 } else { ramp(held / needed, least, 1.0) }
}

/// Share of growth that remains at a nutrition from 0 to 1 \[–\]: growth suffers later than leaves (WOFOST 8: de Wit et al. 2020, with an
/// effect of 1 at no nitrogen).
///
/// 1 − (1 − n)²
#[inline]
pub fn growth_response(nutrition: f64) -> f64 {
    let missing = 1.0 - nutrition;
    1.0 - missing * missing
}

/// Share of growth that the scarcest of several nutrients allows \[–\]: the smallest of their responses (Liebig).
#[inline]
pub fn scarcest_response<const N: usize>(held: [f64; N], needed: [f64; N], least: f64) -> f64 {
    // The nutrient with the smallest share of its need has the smallest response. This saves a division for each nutrient.
    let share = |x: usize| if needed[x] <= 0.0 { 1.0 } else { held[x] / needed[x] };
    ramp((0..N).fold(1.0, |scarcest, x| share(x).at_most(scarcest)), least, 1.0)
}

/// Part of a stock that plants can take up in a day \[g\]: a daily share, reduced according to the rooted share of the soil and the soil
/// moisture.
#[inline]
pub fn within_reach(stock: f64, daily_share: f64, rooted: f64, moisture: f64) -> f64 {
    stock * daily_share * rooted * moisture
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published: wheat 5.35·W^−0.44 (Justes et al. 1994): 5.35 % at 1 t, 2.63 % at 5 t, 1.94 % at 10 t; maize 3.40·W^−0.37 (Plénet &
    /// Lemaire 2000): 1.45 % at 10 t and 1.12 % at 20 t.
    #[test]
    fn critical_nitrogen_is_the_published_curve() {
        for (tonnes, a, b, percent) in [
            (1.0, 5.35, 0.442, 5.35),
            (5.0, 5.35, 0.442, 2.63),
            (10.0, 5.35, 0.442, 1.93),
            (10.0, 3.40, 0.37, 1.45),
            (20.0, 3.40, 0.37, 1.12),
            (0.2, 3.40, 0.37, 3.40),
        ] {
            assert!((critical_nitrogen(100.0 * tonnes, a, b) * 100.0 - percent).abs() < 0.01, "{tonnes} t/ha");
        }
    }

    #[test]
    fn the_scarcest_nutrient_limits_growth() {
        for held in [[0.6, 3.0, 0.9], [0.1, 3.0, 9.0], [1.0, 1.0, 5.0], [2.0, 0.0, 2.0], [9.0; 3]] {
            let needed = [1.0, 2.0, 1.5];
            let responses = [0, 1, 2].map(|x: usize| nutrition_response(held[x], needed[x], 0.2));
            assert_eq!(scarcest_response(held, needed, 0.2), responses.into_iter().fold(1.0, f64::min), "{held:?}");
        }
        assert_eq!(scarcest_response([0.0, 0.6], [0.0, 1.0], 0.2), nutrition_response(0.6, 1.0, 0.2));
    }

    #[test]
    fn growth_rises_with_nutrition_and_luxury_adds_nothing() {
        assert_eq!(nutrition_response(0.2, 1.0, 0.2), 0.0);
        assert!((nutrition_response(0.6, 1.0, 0.2) - 0.5).abs() < 1e-12);
        assert_eq!(nutrition_response(1.0, 1.0, 0.2), 1.0);
        assert_eq!(nutrition_response(LUXURY, 1.0, 0.2), 1.0);
        assert_eq!(nutrition_response(0.0, 0.0, 0.2), 1.0, "who needs nothing misses nothing");
        assert_eq!(within_reach(20.0, 0.1, 0.5, 0.5), 0.5);
    }
}
