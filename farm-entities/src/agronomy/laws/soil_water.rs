//! Water in the layers of a soil: runoff, drainage, rise from a water table, and what roots can take up.

use farm_core::math::simd::{each, mapped};
use farm_core::math::{Bounded, exp, exps, ln, lns};

/// The curve numbers of a soil when it is dry, usual and wet \[–\] (USDA NEH-4, table 10.1).
#[derive(Debug, Clone, Copy)]
pub struct CurveNumbers {
    dry: f64,
    usual: f64,
    wet: f64,
}

impl CurveNumbers {
    /// From the number for usual wetness, 1 to 100 (Hawkins et al. 1985, doi 10.1061/(ASCE)0733-9437(1985)111:4(330)).
    pub fn new(usual: f64) -> Self {
        Self { dry: usual / (2.281 - 0.01281 * usual), usual, wet: usual / (0.427 + 0.00573 * usual) }
    }

    /// The number of a soil whose upper layers hold the share `wetness` of the water that plants can use.
    #[inline]
    pub fn at(&self, wetness: f64) -> f64 {
        let (from, to, way) =
            if wetness < 0.5 { (self.dry, self.usual, wetness) } else { (self.usual, self.wet, wetness - 0.5) };
        from + 2.0 * way * (to - from)
    }
}

/// Rain that runs off \[mm day⁻¹\] (USDA NEH-4).
///
/// Q = (P − 0.2·S)²/(P + 0.8·S), with S = 254·(100/CN − 1); nothing up to 0.2·S
#[inline]
pub fn runoff(rain: f64, curve_number: f64) -> f64 {
    let storage = 254.0 * (100.0 / curve_number - 1.0);
    let held = 0.2 * storage;
    if rain <= held { 0.0 } else { (rain - held) * (rain - held) / (rain - held + storage) }
}

/// Daily drainage of a layer with the water `water` \[L\]: all water above the saturation and a share of the other water above the field
/// capacity, at most the conductivity (DSSAT: SATFLO; AquaCrop manual 3.8: the share).
#[inline(always)]
pub fn percolation(water: f64, capacity: f64, saturation: f64, share: f64, conductivity: f64) -> f64 {
    let above = (water - saturation).at_least(0.0);
    (above + share * (water - above - capacity).at_least(0.0)).at_most(conductivity)
}

/// The most that rises in a day \[mm\]. Closer to the table the law has no limit.
const MOST_RISE: f64 = 99.0;

/// Capillary rise above a water table (AquaCrop manual 3.9; Raes et al.).
#[derive(Debug, Clone, Copy)]
pub struct CapillaryRise {
    a: f64,
    b: f64,
}

impl CapillaryRise {
    /// For a layer with these volumetric water contents \[–\] and this saturated conductivity \[mm day⁻¹\]. The class of the soil, which
    /// AquaCrop takes from the same numbers: sandy, loamy, sandy clayey, silty clayey.
    #[expect(clippy::approx_constant, reason = "AquaCrop's number, near 2/π by chance")]
    pub fn new(wilting_point: f64, field_capacity: f64, conductivity: f64) -> Self {
        let k = conductivity.at_least(1.0);
        let log = ln(k);
        let (a, b) = match (wilting_point < 0.18, field_capacity) {
            (true, capacity) if capacity < 0.25 => (-0.3112 - 1e-5 * k, -1.4936 + 0.2416 * log),
            (true, _) => (-0.4986 + 9e-5 * k, -2.1320 + 0.4778 * log),
            (false, capacity) if capacity < 0.42 => (-0.5677 - 4e-5 * k, -3.7189 + 0.5922 * log),
            (false, _) => (-0.6366 + 8e-4 * k, -1.9165 + 0.7063 * log),
        };
        // The slope stays negative at any conductivity.
        Self { a: a.at_most(-0.1), b }
    }

    /// Steady rise to a height \[m\] above the table \[mm day⁻¹\].
    ///
    /// exp((ln z − b)/a)
    pub fn rate(&self, height: f64) -> f64 {
        if height <= 0.0 { MOST_RISE } else { exp((ln(height) - self.b) / self.a).at_most(MOST_RISE) }
    }
}

/// The most that a centimetre of root takes up in a day \[cm³\].
const MOST_PER_ROOT: f64 = 0.03;
/// Above this exponent roots of any density in [`THIN`] to [`DENSE`] take up the most.
const SURELY_MOST: f64 = 5.6;
/// The lowest density of roots \[cm cm⁻³\].
pub const THIN: f64 = 0.01;
/// The highest density of roots \[cm cm⁻³\] with a law.
pub const DENSE: f64 = 20.0;

/// Exponent of [`root_uptake`] at field capacity, at least \[–\]: with it, the uptake is nearly the most.
const AT_CAPACITY: f64 = 5.0;

/// Steepness of the uptake with moisture \[–\]: k of [`root_uptake`] (CERES). In soils with little water between the wilting point and the field
/// capacity it is steeper, so that roots at field capacity drink as in other soils (design).
pub fn uptake_steepness(wilting_point: f64, field_capacity: f64) -> f64 {
    let usual = if wilting_point > 0.30 { 45.0 } else { 120.0 - 250.0 * wilting_point };
    usual.at_least(AT_CAPACITY / (field_capacity - wilting_point).at_least(0.01))
}

/// The most that a centimetre of root takes up in a day from soil with the volumetric moisture `above` over the wilting point, at a root
/// density of `density` cm cm⁻³ \[cm³\] (CERES: Ritchie 1985; DSSAT: ROOTWU).
///
/// 1.32·10⁻³·exp(k·(θ − θ_WP))/(7.01 − ln density), at most 0.03
#[inline(always)]
pub fn root_uptake<const W: usize>(above: [f64; W], steepness: f64, density: [f64; W]) -> [f64; W] {
    let exponents = mapped(above, |above| (steepness * above).at_most(SURELY_MOST));
    if exponents == [SURELY_MOST; W] {
        return [MOST_PER_ROOT; W];
    }
    let (moist, thick) = (exps(exponents), lns(mapped(density, |density| density.clamp(THIN, DENSE))));
    each(|k| (1.32e-3 * moist[k] / (7.01 - thick[k])).at_most(MOST_PER_ROOT))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NEH-4: 3 inches on CN 80 leave 1.25, 5 on 75 leave 2.45, 2 on 90 leave 1.09. Of 75 dry soil has 57 and wet soil 88.
    #[test]
    fn runoff_has_the_published_values() {
        for (inches, number, expected) in [(3.0, 80.0, 1.25), (5.0, 75.0, 2.45), (2.0, 90.0, 1.09)] {
            assert!((runoff(25.4 * inches, number) / 25.4 - expected).abs() < 0.006, "{inches} on {number}");
        }
        assert_eq!(runoff(5.0, 80.0), 0.0);
        let numbers = CurveNumbers::new(75.0);
        assert!((numbers.at(0.0) - 56.8).abs() < 0.05 && (numbers.at(1.0) - 87.5).abs() < 0.06);
        assert_eq!(numbers.at(0.5), 75.0);
    }

    /// Loam with 500 mm a day: 6.3 mm at 1 m, 1.4 at 2 m, 0.6 at 3 m; sand brings less at 2 m.
    #[test]
    fn water_rises_as_in_aquacrop() {
        let loam = CapillaryRise::new(0.15, 0.31, 500.0);
        for (height, expected) in [(1.0, 6.3), (2.0, 1.4), (3.0, 0.6)] {
            assert!((loam.rate(height) - expected).abs() < 0.05, "{height} m: {}", loam.rate(height));
        }
        assert!(CapillaryRise::new(0.06, 0.13, 3000.0).rate(2.0) < 0.5);
        assert_eq!(loam.rate(0.0), MOST_RISE);
    }

    /// Ritchie 1985 at a density of 1 and a wilting point of 0.12.
    #[test]
    fn roots_take_up_as_in_ceres() {
        let uptake = |above: f64| root_uptake([above], uptake_steepness(0.12, 0.25), [1.0])[0];
        for (above, expected, digits) in
            [(0.0, 0.000_188, 1e-6), (0.02, 0.0011, 5e-5), (0.05, 0.017, 5e-4), (0.10, 0.03, 0.0)]
        {
            assert!((uptake(above) - expected).abs() <= digits, "{above}: {}", uptake(above));
        }
        // The short cut changes nothing.
        for density in [THIN, 0.1, 1.0, DENSE] {
            assert!(1.32e-3 * exp(SURELY_MOST) / (7.01 - ln(density)) >= MOST_PER_ROOT, "{density}");
        }
    }

    #[test]
    fn water_above_saturation_passes_through_up_to_the_conductivity() {
        assert_eq!(percolation(90.0, 100.0, 150.0, 0.5, 1e9), 0.0);
        assert_eq!(percolation(120.0, 100.0, 150.0, 0.5, 1e9), 10.0);
        assert_eq!(percolation(170.0, 100.0, 150.0, 0.5, 1e9), 45.0);
        assert_eq!(percolation(170.0, 100.0, 150.0, 0.5, 2.0), 2.0);
    }
}
