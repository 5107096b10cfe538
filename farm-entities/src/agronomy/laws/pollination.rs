//! Pollination: how often insects come to a flower.

use farm_core::math::{exp, powf};

/// Visits of one flower in a day \[nb day⁻¹\]: insects come in proportion to the flowers of a place while these are few, and to many
/// flowers no more of them come, so that each flower gets less (saturating attraction, as flower visits are fitted: Holling's type II).
///
/// most/(flowers + half); `most` visits per m² and day in plenty, `half` the flowers per m² that attract half of these; none without flowers
#[inline]
pub fn visits_of_a_flower(most: f64, flowers: f64, half: f64) -> f64 {
    if flowers <= 0.0 { 0.0 } else { most / (flowers + half) }
}

/// Share of the visits that is left so far from where the insects live \[–\] (Ricketts et al. 2008: half at 0.6 km, exponentially).
///
/// ½^(distance/half)
#[inline]
pub fn at_distance(distance_m: f64, half_m: f64) -> f64 {
    powf(0.5, distance_m / half_m)
}

/// Chance that a flower is visited at all, from its mean number of visits \[–\] (Poisson).
///
/// 1 − exp(−visits)
#[inline]
pub fn visited(visits: f64) -> f64 {
    1.0 - exp(-visits.max(0.0))
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
