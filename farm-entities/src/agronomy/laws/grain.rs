//! Water in grain: how it dries in the field, and how long produce keeps in store.

use farm_core::math::{Bounded, exp, ln, powf};

use super::super::radiation::saturation_vapour_pressure_kpa;

/// Coefficients A \[°C⁻¹\], B \[–\] and C \[°C\] of the modified Henderson equation for the water that grain holds in moist air (ASAE D245).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Isotherm {
    /// Coefficient A \[°C⁻¹\].
    pub a: f64,
    /// Exponent B \[–\].
    pub b: f64,
    /// Temperature C \[°C\].
    pub c: f64,
}

/// Water per grain, as shares of its dry matter (`dry`) and of its whole weight (`wet`) \[–\].
#[inline]
pub fn wet_basis(dry: f64) -> f64 {
    dry / (1.0 + dry)
}

/// The inverse of [`wet_basis`] \[–\].
#[inline]
pub fn dry_basis(wet: f64) -> f64 {
    wet / (1.0 - wet)
}

/// Share of water, of the whole weight, that grain has after long exposure to air \[–\] (modified Henderson equation, ASAE D245).
///
/// M = (ln(1 − RH)/(−A·(T + C)))^(1/B), in percent of the dry matter
#[inline]
pub fn equilibrium_moisture(isotherm: Isotherm, celsius: f64, humidity_percent: f64) -> f64 {
    let dry_air = 1.0 - (humidity_percent / 100.0).clamp(0.01, 0.98);
    let warmth = (celsius + isotherm.c).at_least(1.0);
    wet_basis(powf(-ln(dry_air) / (isotherm.a * warmth), 1.0 / isotherm.b) / 100.0)
}

/// Share of water in standing grain after a day \[–\]. It approaches the equilibrium in proportion to the air's vapour pressure deficit,
/// with the share `rate` a day at 1 kPa. Grain that is drier than the equilibrium takes water up at the same pace.
#[inline]
pub fn dry_in_the_field(isotherm: Isotherm, moisture: f64, celsius: f64, humidity_percent: f64, rate: f64) -> f64 {
    let deficit = saturation_vapour_pressure_kpa(celsius) * (1.0 - humidity_percent / 100.0).at_least(0.0);
    let goal = dry_basis(equilibrium_moisture(isotherm, celsius, humidity_percent));
    let now = dry_basis(moisture);
    wet_basis(goal + (now - goal) * exp(-rate * deficit))
}

/// Days that produce keeps in store \[day\], from those at 15 °C without excess water. Each 5 °C and each 2 % of excess water halve them
/// (Steele, Saul & Hukill 1969, Transactions of the ASAE 12: 685, shelled maize at half a percent of dry matter lost).
#[inline]
pub fn keeping_days(days: f64, celsius: f64, excess_moisture: f64) -> f64 {
    days * exp(-std::f64::consts::LN_2 * ((celsius - 15.0) / 5.0 + excess_moisture.at_least(0.0) / 0.02))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIZE: Isotherm = Isotherm { a: 8.6541e-5, b: 1.8634, c: 49.810 };
    const WHEAT: Isotherm = Isotherm { a: 2.3007e-5, b: 2.2857, c: 55.815 };

    #[test]
    fn maize_in_moist_air_has_the_published_water() {
        for (celsius, humidity, percent) in [(20.0, 70.0, 14.6), (20.0, 60.0, 12.9), (10.0, 70.0, 15.7)] {
            let moisture = 100.0 * equilibrium_moisture(MAIZE, celsius, humidity);
            assert!((moisture - percent).abs() < 0.2, "{celsius} °C, {humidity} %: {moisture}");
        }
        assert!(equilibrium_moisture(MAIZE, 20.0, 100.0) < 0.4, "finite in saturated air");
    }

    /// Wheat goes from 30 to 14 % in 7 to 10 dry days; maize loses 0.3 to 0.9 % a day in September.
    #[test]
    fn grain_dries_in_the_field_as_fast_as_published() {
        let mut moisture = 0.30;
        let days = (1..100).find(|_| {
            moisture = dry_in_the_field(WHEAT, moisture, 22.0, 55.0, 0.25);
            moisture < 0.14
        });
        assert!((7..=10).contains(&days.unwrap_or(0)), "{days:?}");
        let lost = 100.0 * (0.30 - dry_in_the_field(MAIZE, 0.30, 18.0, 65.0, 0.045));
        assert!((0.3..=0.9).contains(&lost), "{lost}");
        assert_eq!(dry_in_the_field(WHEAT, 0.2, 20.0, 100.0, 0.2), wet_basis(dry_basis(0.2)), "not in saturated air");
    }

    /// Allowed days of shelled maize: 30 at 20 % and 15 °C, halved per 5 °C and per 2 % of water.
    #[test]
    fn wet_and_warm_grain_keeps_a_short_time() {
        let maize = |percent: f64, celsius| keeping_days(170.0, celsius, percent / 100.0 - 0.15);
        assert!((maize(20.0, 15.0) - 30.0).abs() < 0.5);
        assert!((maize(20.0, 20.0) - 15.0).abs() < 0.3 && (maize(22.0, 15.0) - 15.0).abs() < 0.3);
        assert_eq!(maize(13.0, 15.0), 170.0, "drier grain keeps no longer");
    }
}
