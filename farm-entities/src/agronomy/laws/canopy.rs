//! Canopies: leaves that grow, share the light and grow old.

use farm_core::math::simd::mapped;
use farm_core::math::{Bounded, exps, ln};

/// Extinction of light in a canopy \[–\], a usual value for global radiation in crops (Monsi & Saeki 1953; 0.5 to 0.7).
pub const EXTINCTION: f64 = 0.6;

/// Ground that leaves cover, as a share \[–\], from the leaf area index \[m² m⁻²\] (Beer's law; Monsi & Saeki 1953).
///
/// 1 − exp(−k·LAI)
#[inline(always)]
pub fn cover<const W: usize>(leaf_area_index: [f64; W]) -> [f64; W] {
    mapped(exps(mapped(leaf_area_index, |leaves| -EXTINCTION * leaves.at_least(0.0))), |lit| 1.0 - lit)
}

/// The leaf area index of a canopy that covers this share of the ground \[m² m⁻²\]: the inverse of [`cover`].
pub fn leaf_area_index(cover: f64) -> f64 {
    -ln(1.0 - cover.clamp(0.0, 0.9999)) / EXTINCTION
}

/// Share of the canopy's light and transpiration that one species of a mixture gets \[–\]
/// (Spitters & Aerts 1983: shares of leaf area).
#[inline]
pub fn share_of_canopy(own_leaves: f64, all_leaves: f64) -> f64 {
    if all_leaves > 0.0 { (own_leaves / all_leaves).at_most(1.0) } else { 0.0 }
}

/// Share of the ground that all leaves in an area cover, and the share of these leaves that belongs to one species of the mixture \[–\].
#[inline]
pub fn mixed_canopy(own_leaves_m2: f64, all_leaves_m2: f64, area_m2: f64) -> (f64, f64) {
    (cover([all_leaves_m2 / area_m2])[0], share_of_canopy(own_leaves_m2, all_leaves_m2))
}

/// Leaf area gained in a day \[unit of `leaves`\] (logistic growth in thermal time, as in AquaCrop's canopy: CGC, CC₀, CCₓ).
///
/// dL = r·L·(1 − crowding)·GDD. `crowding` is the larger of two shares: the share of the ground that is covered, and the share of its full
/// size that the plant has reached.
#[inline]
pub fn leaf_growth(leaves: f64, speed: f64, crowding: f64, degree_days: f64) -> f64 {
    speed * leaves * (1.0 - crowding).at_least(0.0) * degree_days
}

/// Cover that counts for transpiration and for shade on the soil \[–\]. It is larger than the covered ground, because heat from the bare
/// ground between the rows also drives transpiration (AquaCrop manual: adjusted canopy cover CC*).
///
/// 1.72·CC − CC² + 0.30·CC³
#[inline]
pub fn adjusted_cover(cover: f64) -> f64 {
    (cover * (1.72 - cover * (1.0 - 0.30 * cover))).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cover_and_leaf_area_index_are_inverse() {
        for share in [0.0, 0.01, 0.5, 0.96] {
            assert!((cover([leaf_area_index(share)])[0] - share).abs() < 1e-12);
        }
        assert!((cover([3.0])[0] - 0.8347).abs() < 1e-4, "a leaf area index of 3 takes 83 % of the light at k = 0.6");
    }

    /// Spitters & Aerts 1983: a species with a third of the leaves has a third of the cover of all leaves. At a leaf area index of 3, all
    /// leaves cover 1 - exp(-0.6 * 3) of the ground, regardless of the size of the plot.
    #[test]
    fn who_stands_mixed_shares_what_all_leaves_cover() {
        for area in [1.0, 100.0] {
            let (covered, share) = mixed_canopy(area, 3.0 * area, area);
            assert!((covered - 0.8347).abs() < 1e-4 && (share - 1.0 / 3.0).abs() < 1e-12, "{covered}, {share}");
        }
        assert_eq!(mixed_canopy(0.0, 0.0, 100.0), (0.0, 0.0), "bare ground");
    }

    /// AquaCrop's maize starts with a CC of 0.49 % at emergence (75,000 plants per ha of 6.5 cm²). It reaches half of CCₓ = 0.96 after
    /// ln(0.48/0.0049)/0.012494 = 367 degree-days. Here, leaves crowd each other from the start, so growth takes a fifth longer.
    #[test]
    fn a_canopy_closes_as_fast_as_aquacrops() {
        let (mut leaves, full) = (leaf_area_index(75_000.0 * 6.5e-8), leaf_area_index(0.96));
        let mut warmth = 0.0;
        while cover([leaves])[0] < 0.48 {
            leaves += leaf_growth(leaves, 0.012_494, leaves / full, 10.0);
            warmth += 10.0;
        }
        assert!((warmth - 367.0_f64).abs() < 0.25 * 367.0, "{warmth} degree-days");
        assert_eq!(leaf_growth(1.0, 0.01, 1.0, 10.0), 0.0, "a full canopy grows no more");
        assert_eq!(leaf_growth(1.0, 0.01, 0.2, 0.0), 0.0, "nothing grows without warmth");
    }

    #[test]
    fn a_full_canopy_counts_fully_and_a_thin_one_more_than_its_cover() {
        assert_eq!(adjusted_cover(0.0), 0.0);
        assert!((adjusted_cover(0.5) - 0.6475).abs() < 1e-12);
        assert_eq!(adjusted_cover(1.0), 1.0);
        assert_eq!(share_of_canopy(1.0, 4.0), 0.25);
        assert_eq!(share_of_canopy(0.0, 0.0), 0.0);
    }
}
