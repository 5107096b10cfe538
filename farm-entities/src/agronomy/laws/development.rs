//! Development: how warmth moves plants from stage to stage.

use farm_core::math::{Bounded, ln, powf};

use super::ramp;

/// Degree-days of a day \[°C·day\] (McMaster & Wilhelm 1997, method 2; AquaCrop's method 3).
///
/// The maximum temperature is limited to the range from the base to the upper temperature, and the minimum to at most the upper
/// temperature. The result is the part of their mean that is above the base. Nothing develops below the base, and heat above the upper
/// temperature adds nothing.
#[inline]
pub fn degree_days(min: f64, max: f64, base: f64, upper: f64) -> f64 {
    let mean = (max.clamp(base, upper.at_least(base)) + min.at_most(upper)) / 2.0;
    (mean - base).at_least(0.0)
}

/// Share of transpiration and growth that remains in the cold \[–\] (AquaCrop: cold stress on transpiration).
///
/// 0 without degree-days, 1 at `enough` degree-days or more.
#[inline]
pub fn warmth(degree_days: f64, enough: f64) -> f64 {
    if enough > 0.0 { ramp(degree_days, 0.0, enough) } else { 1.0 }
}

/// Response to a temperature \[–\]: a trapezium that is 0 at and beyond the `ends` and 1 between the `optimum` temperatures (the usual form of
/// CROPGRO, CERES and WOFOST).
#[inline]
pub fn trapezium(celsius: f64, ends: [f64; 2], optimum: [f64; 2]) -> f64 {
    ramp(celsius, ends[0], optimum[0]).at_most(ramp(celsius, ends[1], optimum[1]))
}

/// Response to a temperature \[–\]: a smooth curve through three cardinal temperatures (Wang & Engel 1998, doi
/// 10.1016/S0308-521X(98)00028-6).
///
/// f = (2·xᵃ·yᵃ − x²ᵃ)/y²ᵃ, with x = T − T₀, y = Tₒ − T₀ and a = ln 2/ln((T₁ − T₀)/y)
#[inline]
pub fn wang_engel(celsius: f64, [lowest, highest]: [f64; 2], optimum: f64) -> f64 {
    if celsius <= lowest || celsius >= highest || optimum <= lowest || optimum >= highest {
        return 0.0;
    }
    let power = std::f64::consts::LN_2 / ln((highest - lowest) / (optimum - lowest));
    let way = powf((celsius - lowest) / (optimum - lowest), power);
    way * (2.0 - way)
}

/// Mean of a response over a day whose temperature follows a cosine between its extremes \[–\]: eight values (as in CERES). The response to
/// the mean is wrong near the ends: 5 to 15 °C is not 10 °C.
#[inline]
pub fn over_the_day(min: f64, max: f64, response: impl Fn(f64) -> f64) -> f64 {
    let (mean, half) = ((min + max) / 2.0, (max - min) / 2.0);
    let near = half * std::f64::consts::FRAC_1_SQRT_2;
    let once = response(mean + half) + response(mean - half);
    (once + 2.0 * (response(mean + near) + response(mean) + response(mean - near))) / 8.0
}

/// Share of the rate of development that vernalisation allows \[–\] (WOFOST, CERES: linear in the vernal days).
#[inline]
pub fn vernalised(days: f64, need: [f64; 2], strength: f64) -> f64 {
    1.0 - strength * (1.0 - ramp(days, need[0], need[1]))
}

/// Share of the day's flowers that set fruit at these temperatures \[–\] (AquaCrop: pollination fails below and above a range).
#[inline]
pub fn fertile(min: f64, max: f64, cold: [f64; 2], heat: [f64; 2]) -> f64 {
    ramp(min, cold[0], cold[1]) * ramp(max, heat[1], heat[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that AquaCrop 3.1.0 (`growing_degree_day.py`, method 3) computes for maize: base 8, upper 30 °C.
    #[test]
    fn degree_days_are_those_of_aquacrop() {
        for (min, max, expected) in [
            (10.0, 20.0, 7.0),
            (2.0, 20.0, 3.0),
            (-5.0, 6.0, 0.0),
            (15.0, 38.0, 14.5),
            (32.0, 40.0, 22.0),
            (5.0, 7.0, 0.0),
        ] {
            assert_eq!(degree_days(min, max, 8.0, 30.0), expected, "{min} to {max} °C");
        }
    }

    #[test]
    fn nothing_develops_below_the_base_and_heat_adds_nothing_above_the_upper_temperature() {
        for max in -30..=8 {
            assert_eq!(degree_days(f64::from(max) - 10.0, f64::from(max), 8.0, 30.0), 0.0);
        }
        assert_eq!(degree_days(30.0, 30.0, 8.0, 30.0), degree_days(35.0, 50.0, 8.0, 30.0));
        assert_eq!(warmth(0.0, 10.0), 0.0);
        assert_eq!(warmth(5.0, 10.0), 0.5);
        assert_eq!(warmth(0.0, 0.0), 1.0, "a crop that cold does not slow");
    }

    #[test]
    fn a_trapezium_has_two_slopes_and_the_day_has_eight_values() {
        let response = |celsius: f64| trapezium(celsius, [8.0, 44.0], [34.0, 34.0]);
        assert_eq!([8.0, 21.0, 34.0, 39.0, 44.0].map(response), [0.0, 0.5, 1.0, 0.5, 0.0]);
        // Within the straight part, the swing of the day does not matter.
        assert!((over_the_day(15.0, 25.0, response) - response(20.0)).abs() < 1e-12);
        assert!(over_the_day(0.0, 12.0, response) > 0.0 && response(6.0) == 0.0);
    }

    /// WOFOST's winter wheat 103 (Boogaard et al. 1998): no development up to 10 vernal days, full development from 52 days on.
    #[test]
    fn winter_wheat_waits_for_cold() {
        assert_eq!([0.0, 10.0, 31.0, 52.0].map(|days| vernalised(days, [10.0, 52.0], 1.0)), [0.0, 0.0, 0.5, 1.0]);
        assert_eq!(vernalised(0.0, [0.0, 9.0], 0.5), 0.5);
    }

    #[test]
    fn flowers_fail_in_cold_and_in_heat() {
        let (cold, heat) = ([5.0, 10.0], [40.0, 45.0]);
        assert_eq!(fertile(12.0, 30.0, cold, heat), 1.0);
        assert_eq!(fertile(4.0, 30.0, cold, heat), 0.0);
        assert_eq!(fertile(12.0, 42.5, cold, heat), 0.5);
    }
}
