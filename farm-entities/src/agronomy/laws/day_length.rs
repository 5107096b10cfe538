//! Day length, and its effect on development.

use std::f64::consts::PI;

use farm_core::math::{acos, cos, powf, sin};

use super::ramp;

/// Length of the day \[h\], from the moment at which the sun stands at this height \[°\] in the morning until it does so in the evening
/// (Spencer 1971; DSSAT's SOLAR.for). −0.833° is sunrise to sunset, −6° is civil twilight. `day` is 0 on 1 January.
///
/// 24/π·arccos((sin h − sin φ·sin δ)/(cos φ·cos δ)), with δ = 23.45°·sin(2π·(284 + J)/365)
pub fn day_length(latitude_degrees: f64, day: i32, sun_degrees: f64) -> f64 {
    let declination = 23.45_f64.to_radians() * sin(2.0 * PI * (285.0 + f64::from(day)) / 365.0);
    let latitude = latitude_degrees.clamp(-89.9, 89.9).to_radians();
    let part = (sin(sun_degrees.to_radians()) - sin(latitude) * sin(declination)) / (cos(latitude) * cos(declination));
    24.0 / PI * acos(part.clamp(-1.0, 1.0))
}

/// Share of the rate of development that the day length allows \[–\]. It is 0 at the first length and 1 at the second. The straight line is
/// WOFOST's and CROPGRO's; the parabola (`shape` 2) is that of CERES for wheat and barley.
///
/// 1 − ((h₁ − P)/(h₁ − h₀))^shape
#[inline]
pub fn day_length_response(hours: f64, [none, full]: [f64; 2], shape: f64) -> f64 {
    let missing = 1.0 - ramp(hours, none, full);
    1.0 - if shape == 1.0 { missing } else { powf(missing, shape) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sunrise to sunset, WOFOST's −4° and civil twilight on 21 June: 29.6° 14.05, 14.60 and 14.96 h; 40° 15.02, 15.68 and 16.11 h;
    /// 52° 16.74, 17.70 and 18.37 h; 21 March at 40°: 12.10, 12.65 and 13.00 h (US Naval Observatory's tables within two minutes).
    #[test]
    fn days_are_as_long_as_in_tables() {
        for (latitude, day, expected) in [
            (29.6, 171, [14.05, 14.60, 14.96]),
            (40.0, 171, [15.02, 15.68, 16.11]),
            (52.0, 171, [16.74, 17.70, 18.37]),
            (40.0, 79, [12.10, 12.65, 13.00]),
        ] {
            for (sun, hours) in [-0.833, -4.0, -6.0].into_iter().zip(expected) {
                let found = day_length(latitude, day, sun);
                assert!((found - hours).abs() < 0.06, "{latitude} {day} {sun}: {found}");
            }
        }
        assert_eq!(
            [day_length(80.0, 171, -0.833), day_length(80.0, 354, -0.833)],
            [24.0, 0.0],
            "midnight sun and polar night"
        );
    }

    /// CROPGRO's soybean of maturity group 3 (13.40 h, 0.285 per h): 0.83 at 14 h, 0.54 at 15 h, 0.26 at 16 h. CERES-Wheat's Maris Fundin
    /// (P1D 82.6): 0.47 at 12 h and 0.87 at 16 h.
    #[test]
    fn long_days_delay_soybeans_and_speed_up_wheat() {
        let soybean = |hours| day_length_response(hours, [13.4 + 1.0 / 0.285, 13.4], 1.0);
        let wheat = |hours| day_length_response(hours, [20.0 - 100.0 / 82.6_f64.sqrt(), 20.0], 2.0);
        for (found, expected) in [
            (soybean(12.0), 1.0),
            (soybean(14.0), 0.83),
            (soybean(15.0), 0.54),
            (soybean(16.0), 0.26),
            (wheat(12.0), 0.47),
            (wheat(16.0), 0.87),
            (wheat(20.0), 1.0),
        ] {
            assert!((found - expected).abs() < 0.006, "{found} {expected}");
        }
    }
}
