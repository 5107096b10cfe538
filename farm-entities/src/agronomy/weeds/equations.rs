//! The weed equations.

use std::f64::consts::PI;

use super::parameters::{Appear, Sprouting, Survival};
use crate::agronomy::response::{distance, response};

/// Daily growth of a weed: the one millimetre that the public reference implies.
const GROWTH_MM_PER_DAY: f64 = 1.0;

/// Daily request of weeds to the soil (equation sheet II.7 demand), in the unit of the need.
///
/// R = n · c · 1 mm
#[farm_core::equation("II.7 demand: demand")]
pub fn requirement(weeds: f64, per_mm: f64) -> f64 {
    weeds * per_mm * GROWTH_MM_PER_DAY
}

/// Ground that weeds shade: discs with their height as diameter \[m²\] (equation sheet II.7 shade).
///
/// n · π (h/200)²
#[farm_core::equation("II.7 shade: shade")]
pub fn shade(weeds: f64, size_cm: f64) -> f64 {
    weeds * PI * (size_cm / 200.0) * (size_cm / 200.0)
}

/// Water that weeds need \[L\] (Farm-gym Eq. 5).
///
/// w = (1 − dr) wp + dr cap
#[farm_core::equation("5")]
pub fn wanted_water(wilting: f64, capacity: f64, drought: f64) -> f64 {
    (1.0 - drought) * wilting + drought * capacity
}

/// Probability that a new seed blows into a plot (Farm-gym Eq. 26).
#[farm_core::equation("26")]
pub(crate) fn arrival_chance(p: &Appear, distance_to_edge: usize) -> f64 {
    response(p.base, &[(p.edge, distance_to_edge as f64)])
}

/// Probability that a seed sprouts (Farm-gym Eq. 27).
#[farm_core::equation("27")]
pub(crate) fn sprouting_chance(p: &Sprouting, temperature: f64, humidity: f64, herbicide: f64) -> f64 {
    let terms = [
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.humidity_weight, distance(humidity, p.humidity[0], p.humidity[1])),
        (p.herbicide, distance(herbicide, f64::NEG_INFINITY, p.herbicide_max)),
    ];
    response(p.base, &terms)
}

/// Probability that a weed flowers (Farm-gym Eq. 28; it uses the herbicide threshold of sprouting, as in the reference).
#[farm_core::equation("28")]
pub(crate) fn flowering_chance(base: f64, p: &Sprouting, herbicide: f64) -> f64 {
    response(base, &[(p.herbicide, distance(herbicide, f64::NEG_INFINITY, p.herbicide_max))])
}

/// Probability that a weed survives a day of change (Farm-gym Eq. 29), from the missing N, P, K, C and the missing water.
#[farm_core::equation("29")]
pub(crate) fn survival_chance(p: &Survival, temperature: f64, herbicide: f64, missing: [f64; 4], dry: f64) -> f64 {
    let terms = [
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.herbicide, distance(herbicide, f64::NEG_INFINITY, p.herbicide_max)),
        (p.nitrogen, missing[0]),
        (p.phosphorus, missing[1]),
        (p.potassium, missing[2]),
        (p.carbon, missing[3]),
        (p.water, dry),
    ];
    response(p.base, &terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farm_core::math::exp;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn equation_26_seeds_blow_in_from_the_edge() {
        let p = Appear::default();
        close(arrival_chance(&p, 0), exp(-0.2));
        close(arrival_chance(&p, 2), exp(-0.2 - 0.3 * 2.0));
        assert_eq!(arrival_chance(&Appear { base: 0.0, edge: 0.0 }, 9), 1.0);
    }

    #[test]
    fn equation_27_sprouting_needs_warmth_moisture_and_no_herbicide() {
        let p = Sprouting::default();
        for (t, rh, herbicide, penalty) in [
            (20.0, 60.0, 0.0, 0.1),
            (7.0, 20.0, 3.0, 0.1),
            (5.0, 60.0, 0.0, 0.1 + 0.3 * 2.0),
            (40.0, 60.0, 0.0, 0.1 + 0.3 * 2.0),
            (20.0, 10.0, 0.0, 0.1 + 0.2 * 10.0),
            (20.0, 60.0, 5.0, 0.1 + 0.8 * 2.0),
            (5.0, 10.0, 5.0, 0.1 + 0.6 + 2.0 + 1.6),
        ] {
            close(sprouting_chance(&p, t, rh, herbicide), exp(-penalty));
        }
    }

    #[test]
    fn equation_28_flowering_has_the_herbicide_threshold_of_sprouting() {
        let p = Sprouting::default();
        close(flowering_chance(0.1, &p, 3.0), exp(-0.1));
        close(flowering_chance(0.1, &p, 4.5), exp(-0.1 - 0.8 * 1.5));
    }

    #[test]
    fn equation_29_survival_feels_each_missing_stock_by_its_own_weight() {
        let p =
            Survival { nitrogen: 1.0, phosphorus: 2.0, potassium: 3.0, carbon: 4.0, water: 5.0, ..Survival::default() };
        close(survival_chance(&p, 20.0, 10.0, [0.0; 4], 0.0), exp(-0.01));
        for x in 0..4 {
            let mut missing = [0.0; 4];
            missing[x] = 0.5;
            close(survival_chance(&p, 20.0, 0.0, missing, 0.0), exp(-0.01 - 0.5 * (x as f64 + 1.0)));
        }
        close(survival_chance(&p, 20.0, 0.0, [0.0; 4], 0.5), exp(-0.01 - 2.5));
        close(survival_chance(&p, -8.0, 0.0, [0.0; 4], 0.0), exp(-0.01 - 0.3));
        close(survival_chance(&p, 20.0, 11.5, [0.0; 4], 0.0), exp(-0.01 - 3.0));
    }

    #[test]
    fn equation_5_water_wanted_lies_between_wilting_point_and_capacity() {
        assert_eq!([0.0, 0.25, 1.0].map(|drought| wanted_water(110.0, 180.0, drought)), [110.0, 127.5, 180.0]);
    }

    #[test]
    fn a_day_costs_a_millimetre_of_growth() {
        assert_eq!(requirement(4.0, 0.5), 2.0);
        close(shade(3.0, 200.0), 3.0 * PI);
        close(shade(1.0, 16.0), PI * 0.08 * 0.08);
    }
}
