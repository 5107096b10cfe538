//! Organic matter: its decay and its composition.

use farm_core::math::powf;

use super::ramp;

/// Ratio of carbon to nitrogen in humus \[g g⁻¹\] (usual in arable soils: 10 to 12).
pub const CARBON_PER_NITROGEN: f64 = 11.0;

/// Share of the carbon in residues that becomes humus \[–\]; microbes respire the rest (Hénin & Dupuis: 0.1 to 0.3).
pub const HUMIFIED: f64 = 0.2;

/// Carbon in the dry matter of plants \[g g⁻¹\].
pub const CARBON_IN_DRY_MATTER: f64 = 0.45;

/// Share of the humus that decays in a day at 20 °C in moist soil \[day⁻¹\]. This is 4 % a year, or about 2 % at the mean annual
/// temperature of a temperate climate.
pub const DECAY: f64 = 0.04 / 365.0;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// A soil with 1.5 % organic carbon in 30 cm releases 60 to 120 kg of nitrogen per hectare in a year at 12 °C. These values are usual
    /// for temperate arable soils (Comifer's tables for northern France: 0.3 to 0.6 kg per ha and day).
    #[test]
    fn humus_sets_as_much_nitrogen_free_as_is_measured() {
        let carbon_g_per_m2 = 0.015 * 0.30 * 1.35e6;
        let year = 365.0 * DECAY * decay_by_temperature(12.0) * decay_by_moisture(0.6, 0.1) * carbon_g_per_m2;
        let kg_per_ha = 10.0 * year / CARBON_PER_NITROGEN;
        assert!((60.0..130.0).contains(&kg_per_ha), "{kg_per_ha} kg/ha");
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
