//! Organic matter: its decay and its composition.

use farm_core::math::{exp, powf};

use super::ramp;

/// Ratio of carbon to nitrogen in humus \[g g⁻¹\] (usual in arable soils: 10 to 12).
pub const CARBON_PER_NITROGEN: f64 = 11.0;

/// Share of the carbon in residues that becomes humus \[–\]; microbes respire the rest (Hénin & Dupuis: 0.1 to 0.3).
pub const HUMIFIED: f64 = 0.2;

/// Carbon in the dry matter of plants \[g g⁻¹\].
pub const CARBON_IN_DRY_MATTER: f64 = 0.45;

/// Factor by which decay speeds up when the temperature rises by ten degrees \[–\] (Kirschbaum 1995: 2 to 3).
const Q10: f64 = 2.0;

/// Effect of temperature on decay \[–\]: 1 at 20 °C, 0 at 0 °C and below.
#[inline]
pub fn decay_by_temperature(celsius: f64) -> f64 {
    if celsius <= 0.0 { 0.0 } else { powf(Q10, (celsius - 20.0) / 10.0) }
}

/// Effect of moisture on decay \[–\]: a fifth in dry soil, 1 at half the available water or more, and less if the soil has little air.
#[inline]
pub fn decay_by_moisture(available_share: f64, air_share: f64) -> f64 {
    (0.2 + 0.8 * ramp(available_share, 0.0, 0.5)) * (0.4 + 0.6 * ramp(air_share, 0.0, 0.05))
}

/// Share of the humus that takes part in turnover \[–\]; the rest is stable for centuries (AMG: Clivot et al. 2019, doi
/// 10.1016/j.envsoft.2019.04.004).
pub const ACTIVE: f64 = 0.35;

/// Share of the active humus that decays in a day at 15 °C without clay \[day⁻¹\]: four fifths of AMG's 0.165 a year (version 1). With all
/// of it, crops that got no nitrogen took up a fifth more than measured (docs/trials.md).
pub const ACTIVE_DECAY: f64 = 0.8 * 0.165 / 365.0;

/// Effect of temperature on the decay of active humus \[–\]: 1 at 15 °C, 0 at 0 °C and below. Up to 15 °C it is AMG's, which was fitted in
/// France. In warmer soil it is that of Lloyd & Taylor 1994 (doi 10.2307/2389824), which rises less.
#[inline]
pub fn active_decay_by_temperature(celsius: f64) -> f64 {
    if celsius <= 0.0 {
        0.0
    } else if celsius <= 15.0 {
        25.0 / (1.0 + 24.0 * exp(0.12 * (15.0 - celsius)))
    } else {
        exp(308.56 * (1.0 / 61.02 - 1.0 / (celsius + 46.02)))
    }
}

/// Effect of clay \[%\] on the decay of active humus \[–\] (AMG version 1).
pub fn active_decay_by_clay(percent: f64) -> f64 {
    exp(-0.0272 * percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AMG at 5, 10, 15 and 20 °C: .31, .56, 1.00, 1.76. A loam with 1.5 % of carbon in 30 cm and 20 % of clay releases 60 to 130 kg of
    /// nitrogen in a year at 11 °C.
    #[test]
    fn active_humus_decays_as_in_amg() {
        for (celsius, expected) in [(5.0, 0.31), (10.0, 0.56), (15.0, 1.0), (20.0, 1.47), (25.0, 2.04)] {
            assert!((active_decay_by_temperature(celsius) - expected).abs() < 0.006, "{celsius} °C");
        }
        let carbon_g_per_m2 = ACTIVE * 0.015 * 0.30 * 1.35e6;
        let rate = 365.0 * ACTIVE_DECAY * active_decay_by_temperature(11.0) * active_decay_by_clay(20.0);
        let kg_per_ha = 10.0 * rate * carbon_g_per_m2 / CARBON_PER_NITROGEN;
        assert!((80.0..130.0).contains(&kg_per_ha), "{kg_per_ha} kg/ha in moist soil");
        assert!((60.0..100.0).contains(&(0.7 * kg_per_ha)));
    }

    #[test]
    fn decay_doubles_in_ten_degrees_and_rests_in_frost_drought_and_water() {
        assert_eq!(decay_by_temperature(20.0), 1.0);
        assert_eq!(decay_by_temperature(30.0), 2.0);
        assert_eq!(decay_by_temperature(-3.0), 0.0);
        assert_eq!(decay_by_moisture(0.5, 0.2), 1.0);
        assert!((decay_by_moisture(0.0, 0.2) - 0.2).abs() < 1e-12);
        assert!((decay_by_moisture(1.0, 0.0) - 0.4).abs() < 1e-12);
    }
}
