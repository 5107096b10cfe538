//! Pollination: the visits of insects to flowers.

use farm_core::math::{Bounded, exp, powf};

/// Visits to one flower in a day \[nb day⁻¹\]. A few flowers attract insects in proportion to their number. Many flowers attract no
/// more insects, so each flower gets fewer visits (saturating attraction, the usual fit of flower visits: Holling's type II).
///
/// most/(flowers + half), with `most` visits per m² and day if flowers are plentiful, and half of this number at `half` flowers per m²; 0
/// without flowers
#[inline]
pub fn visits_of_a_flower(most: f64, flowers: f64, half: f64) -> f64 {
    if flowers <= 0.0 { 0.0 } else { most / (flowers + half) }
}

/// Share of the visits that remains at this distance from the insects' home \[–\] (Ricketts et al. 2008: half at 0.6 km, exponential).
///
/// ½^(distance/half)
#[inline]
pub fn at_distance(distance_m: f64, half_m: f64) -> f64 {
    powf(0.5, distance_m / half_m)
}

/// Probability that a flower gets at least one visit, from its mean number of visits \[–\] (Poisson).
///
/// 1 − exp(−visits)
#[inline]
pub fn visited(visits: f64) -> f64 {
    1.0 - exp(-visits.at_least(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_flowers_share_the_insects() {
        assert_eq!(visits_of_a_flower(900.0, 0.0, 100.0), 0.0, "no flowers, no visits");
        assert_eq!(visits_of_a_flower(900.0, 200.0, 100.0), 3.0);
        // All visits of a square metre: half of the most at `half`, and never more than the most.
        assert_eq!(100.0 * visits_of_a_flower(900.0, 100.0, 100.0), 450.0);
        assert!(1e9 * visits_of_a_flower(900.0, 1e9, 100.0) < 900.0);
    }

    #[test]
    fn visits_halve_within_six_hundred_metres() {
        assert_eq!([0.0, 600.0, 1200.0].map(|metres| at_distance(metres, 600.0)), [1.0, 0.5, 0.25]);
    }

    #[test]
    fn visits_saturate() {
        assert_eq!([visited(0.0), visited(-1.0)], [0.0, 0.0]);
        assert!((visited(1.0) - 0.632_120_559).abs() < 1e-9, "of flowers with one visit on average 37 % have none");
        assert!(visited(50.0) > 1.0 - 1e-15);
    }
}
