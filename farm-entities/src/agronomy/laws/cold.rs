//! Cold: snow, the temperature of the crown in the soil, and hardening.

use farm_core::math::{Bounded, exp};

use super::ramp;

/// Share of the precipitation that falls as snow \[–\], by the mean temperature: all of it at and below 0 °C, none from 2 °C on.
#[inline]
pub fn snow_share(mean: f64) -> f64 {
    ramp(mean, 2.0, 0.0)
}

/// Snow that melts in a day \[mm of water\]: 4 mm for each degree above 0 °C (usual degree-day factors: 2 to 6).
#[inline]
pub fn melting(mean: f64) -> f64 {
    4.0 * mean.at_least(0.0)
}

/// Depth of snow \[cm\] that holds this water \[mm\]: settled snow has a density of 0.2.
#[inline]
pub fn snow_depth(water_mm: f64) -> f64 {
    water_mm / 2.0
}

/// Temperature of the crown, 2 cm deep in the soil \[°C\] (CERES: Ritchie 1991; Aase & Siddoway 1979). Frost reaches it weakened, above all
/// under snow.
///
/// 2 + T·(0.4 + 0.0018·(min(s, 15) − 15)²) below 0 °C, otherwise T
#[inline]
pub fn crown_temperature(air: f64, snow_cm: f64) -> f64 {
    if air >= 0.0 {
        return air;
    }
    let open = snow_cm.clamp(0.0, 15.0) - 15.0;
    2.0 + air * (0.4 + 0.0018 * open * open)
}

/// The lethal temperature of unhardened plants \[°C\], from that of fully hardened plants (FROSTOL: Bergjord, Bonesmo & Skjelvåg 2008,
/// doi 10.1016/j.eja.2007.10.002).
#[inline]
pub fn unhardened(hardened: f64) -> f64 {
    (-0.6 + 0.142 * hardened).at_least(hardened)
}

/// The temperature that half of the plants survive, after a day with this mean temperature of the crown and depth of snow \[°C\]
/// (FROSTOL). Plants harden below 10 °C until they are vernalised; warmth, respiration under snow and frost itself soften them.
#[inline]
pub fn hardiness(now: f64, crown: f64, snow_cm: f64, is_vernalised: bool, hardened: f64) -> f64 {
    let mut next = now;
    if !is_vernalised && crown < 10.0 {
        next -= 0.0093 * (10.0 - crown.clamp(0.0, 10.0)) * (now - hardened);
    }
    if crown > if is_vernalised { -4.0 } else { 10.0 } {
        let warm = crown + 4.0;
        next += 2.7e-5 * (unhardened(hardened) - now) * warm * warm * warm;
    }
    next += 0.54 * (exp(0.84 + 0.051 * crown.at_least(-2.5)) - 2.0) / 1.85 * ramp(snow_cm, 0.0, 12.5);
    let above = (crown - now).at_least(0.0);
    next += above / exp(1.9 * above - 3.74);
    next.clamp(hardened, unhardened(hardened))
}

/// Share of the plants that survive a night with this lowest temperature of the crown \[–\] (FROSTOL: logistic; less than a twentieth of
/// the plants does not count).
#[inline]
pub fn winter_survival(crown_min: f64, hardiness: f64) -> f64 {
    let killed = 1.0 / (1.0 + exp((crown_min - hardiness) / 1.019));
    if killed < 0.05 {
        1.0
    } else if killed > 0.95 {
        0.0
    } else {
        1.0 - killed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PCSE's CrownTemperatureJRC, which implements the same source: −14.1 and −6.0 °C for −20 °C, −18.9 °C for −26 °C.
    #[test]
    fn soil_and_snow_protect_the_crown() {
        for (air, snow, expected) in [(-20.0, 0.0, -14.1), (-20.0, 15.0, -6.0), (-26.0, 0.0, -18.93), (5.0, 0.0, 5.0)] {
            assert!((crown_temperature(air, snow) - expected).abs() < 0.01, "{air} {snow}");
        }
    }

    /// From PCSE's table of tests of FROSTOL: at a lethal temperature of −18.84 °C and a crown of 0.29 °C, a cultivar of −24 °C hardens by
    /// 0.466 °C a day. After 7, 14 and 28 days at 2 °C from sowing it is at −12.4, −17.2 and −21.7 °C.
    #[test]
    fn cold_hardens_as_published() {
        let now: f64 = -18.84;
        assert!((0.0093 * (10.0 - 0.29) * (now + 24.0) - 0.466).abs() < 1e-3);
        assert!((unhardened(-24.0) + 4.008).abs() < 1e-12);
        let mut hardy = unhardened(-24.0);
        for (day, expected) in (1..=28).map(|day| (day, [(7, -12.4), (14, -17.2), (28, -21.7)])) {
            hardy = hardiness(hardy, 2.0, 0.0, false, -24.0);
            if let Some((_, expected)) = expected.into_iter().find(|(known, _)| *known == day) {
                assert!((hardy - expected).abs() < 0.6, "{day}: {hardy}");
            }
        }
    }

    /// Kansas in 1981/82: −26 °C in the air are −18.9 °C at the crown, which kills 26 % of plants at −20 °C, 5 % at −22 °C, 1 % at −24 °C.
    #[test]
    fn hardened_wheat_lives_through_a_winter_in_kansas() {
        let crown = crown_temperature(-26.0, 0.0);
        for (hardy, killed) in [(-20.0, 0.26), (-24.0, 0.0), (-10.0, 1.0)] {
            assert!((1.0 - winter_survival(crown, hardy) - killed).abs() < 0.01, "{hardy}");
        }
    }

    #[test]
    fn snow_falls_in_the_cold_and_melts_in_the_warmth() {
        assert_eq!([-3.0, 1.0, 5.0].map(snow_share), [1.0, 0.5, 0.0]);
        assert_eq!([melting(-1.0), melting(2.0), snow_depth(30.0)], [0.0, 8.0, 15.0]);
    }
}
