//! Development: how warmth moves plants from stage to stage.

use super::ramp;

/// Degree-days of a day \[°C·day\] (McMaster & Wilhelm 1997, method 2; AquaCrop's method 3).
///
/// The maximum temperature is limited to the range from the base to the upper temperature, and the minimum to at most the upper
/// temperature. The result is the part of their mean that is above the base. Nothing develops below the base, and heat above the upper
/// temperature adds nothing.
#[inline]
pub fn degree_days(min: f64, max: f64, base: f64, upper: f64) -> f64 {
    let mean = (max.clamp(base, upper.max(base)) + min.min(upper)) / 2.0;
    (mean - base).max(0.0)
}

/// Share of transpiration and growth that remains in the cold \[–\] (AquaCrop: cold stress on transpiration).
///
/// 0 without degree-days, 1 at `enough` degree-days or more.
#[inline]
pub fn warmth(degree_days: f64, enough: f64) -> f64 {
    if enough > 0.0 { ramp(degree_days, 0.0, enough) } else { 1.0 }
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
    fn flowers_fail_in_cold_and_in_heat() {
        let (cold, heat) = ([5.0, 10.0], [40.0, 45.0]);
        assert_eq!(fertile(12.0, 30.0, cold, heat), 1.0);
        assert_eq!(fertile(4.0, 30.0, cold, heat), 0.0);
        assert_eq!(fertile(12.0, 42.5, cold, heat), 0.5);
    }
}
