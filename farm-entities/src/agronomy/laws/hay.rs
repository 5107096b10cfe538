//! Grass and hay: how a meadow grows and ages, how mown grass dries, and what rain does to it.

use farm_core::math::{Bounded, exp, powf};

use super::ramp;

/// Share of the solar radiation that plants can use \[–\].
const USABLE: f64 = 0.5;
/// Share of light that a unit of leaf area takes (LINGRA: Schapendonk et al. 1998).
const EXTINCTION: f64 = 0.6;
/// Leaf area above which shaded leaves die, and the share that dies in a day at twice this area (LINGRA).
const CRITICAL_LEAVES: f64 = 4.0;
const SHADED_DEATH: f64 = 0.03;
/// Leaf area of a gram of standing grass \[m²\]: 0.025 m² a gram of leaves, two thirds of the grass.
const LEAVES_PER_GRAM: f64 = 0.017;

/// Growth of standing grass \[g m⁻² day⁻¹\], from its dry matter, the mean temperature and the solar radiation \[MJ m⁻² day⁻¹\].
///
/// LINGRA (Schapendonk et al. 1998, doi 10.1016/S1161-0301(98)00036-0): growth in proportion to the light taken, none below 3 °C and full from 8 °C on.
/// Shaded leaves die. `efficiency` is that of shoots above the height of the mower \[g MJ⁻¹\].
#[inline]
pub fn grass_growth(grass: f64, celsius: f64, radiation: f64, efficiency: f64) -> f64 {
    let leaves = LEAVES_PER_GRAM * grass;
    let light = USABLE * radiation * (1.0 - exp(-EXTINCTION * leaves));
    let death = SHADED_DEATH * ((leaves - CRITICAL_LEAVES) / CRITICAL_LEAVES).clamp(0.0, 1.0);
    efficiency * light * ramp(celsius, 3.0, 8.0) - death * grass
}

/// Hours in which a swath dries on a day, for the deficit of vapour pressure.
const DRYING_HOURS: f64 = 10.0;
/// Watt-hours in a megajoule.
const WATT_HOURS: f64 = 277.8;
/// Water in the topsoil, in percent of dry soil.
const SOIL_WATER_PERCENT: f64 = 18.0;

/// Share of the water above the equilibrium that is left in a swath after a day without rain \[–\] (Rotz & Chen 1985, Transactions of the ASAE 28: 1686).
///
/// The rate per hour is (SI + 43.8·VPD)/(61.4·SM + 1.68·SD·(1.82 − 0.83·DAY) + 2767), with radiation SI \[W m⁻²\], deficit VPD \[kPa\], soil
/// water SM \[%\], swath SD \[g m⁻²\], and DAY = 1 on the day of mowing.
#[inline]
pub fn swath_water_left(radiation: f64, deficit_kpa: f64, swath: f64, is_fresh: bool) -> f64 {
    let day = if is_fresh { 1.0 } else { 0.0 };
    let drying = WATT_HOURS * radiation + 43.8 * DRYING_HOURS * deficit_kpa;
    exp(-drying / (61.4 * SOIL_WATER_PERCENT + 1.68 * swath * (1.82 - 0.83 * day) + 2767.0))
}

/// Water of a swath after rain, per dry matter \[–\]: it takes up the share 1 − ½^(rain/2 mm) of what it lacks to 3 g of water a gram.
///
/// Wet grass holds 75 % of water (order of magnitude; mown at 80 %).
#[inline]
pub fn rained_on(water: f64, rain_mm: f64) -> f64 {
    water + (1.0 - powf(0.5, rain_mm / 2.0)) * (3.0 - water).at_least(0.0)
}

/// Share of a swath's dry matter that rain washes out \[–\]. Rain washes out only digestible matter.
///
/// Collins 1983 (Agronomy Journal 75: 523) and Rotz & Muck 1994: 20 to 25 mm take 5 % from grass and up to 20 % from legumes. It rises with
/// dryness, because dead cells leak.
#[inline]
pub fn washed_out(rain_mm: f64, per_mm: f64, water: f64) -> f64 {
    let dead = ramp(water, 3.0, 1.0);
    (1.0 - exp(-per_mm * rain_mm)) * (0.3 + 0.7 * dead)
}

/// Share of the dry matter that mown grass respires in a day \[–\]: none below 0.5 g of water a gram, 2 % at 20 °C in wet grass; it doubles every 10 °C
/// (Rotz & Muck 1994; Wood & Parker 1971, orders of magnitude).
#[inline]
pub fn respired(water: f64, celsius: f64) -> f64 {
    0.02 * ramp(water, 0.5, 2.0) * powf(2.0, (celsius - 20.0) / 10.0)
}

/// Digestible share of dry matter after a loss of digestible matter \[–\].
#[inline]
pub fn digestible_after(digestible: f64, lost: f64) -> f64 {
    ((digestible - lost) / (1.0 - lost).at_least(0.01)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_meadow_grows_by_a_tenth_of_a_tonne_a_day_in_may() {
        let growth = grass_growth(200.0, 12.0, 18.0, 1.3);
        assert!((9.0..12.0).contains(&growth), "{growth} g/m2, published: 80 to 120 kg/ha");
        assert_eq!(grass_growth(200.0, 2.0, 18.0, 1.3), 0.0, "none below 3 °C");
        assert!(grass_growth(700.0, 15.0, 18.0, 1.3) < 0.0, "old grass loses leaves");
    }

    /// Hay of 4.5 t/ha goes from 80 % of water to 20 % in three to four days of good weather.
    #[test]
    fn hay_dries_in_three_or_four_fine_days_as_published() {
        let mut water = 4.0;
        let days = (1..10).find(|day| {
            water = 0.15 + (water - 0.15) * swath_water_left(20.0, 1.0, 450.0, *day == 1);
            water < 0.25
        });
        assert!((3..=4).contains(&days.unwrap_or(99)), "{days:?}");
    }

    #[test]
    fn the_hourly_rate_is_that_of_rotz_and_chen() {
        // 500 W/m² and no deficit, for an hour: 500/(61.4·18 + 1.68·450·0.99 + 2767) = 0.108.
        let left = swath_water_left(500.0 / WATT_HOURS, 0.0, 450.0, true);
        assert!((left - exp(-0.1081)).abs() < 1e-3, "{left}");
        assert!(
            swath_water_left(20.0, 1.0, 900.0, false) > swath_water_left(20.0, 1.0, 450.0, false),
            "thick swaths dry slowly"
        );
    }

    #[test]
    fn rain_wets_dry_hay_and_washes_out_a_twentieth() {
        assert!((rained_on(0.2, 2.0) - 1.6).abs() < 1e-9);
        assert_eq!(rained_on(4.0, 10.0), 4.0, "fresh grass takes up nothing");
        assert!((0.04..0.25).contains(&washed_out(22.0, 0.004, 0.3)));
        assert!(washed_out(22.0, 0.004, 4.0) < washed_out(22.0, 0.004, 0.3));
        assert!((digestible_after(0.6, 0.1) - 0.5 / 0.9).abs() < 1e-12);
        assert!((respired(3.0, 20.0) - 0.02).abs() < 1e-12 && respired(0.3, 20.0) == 0.0);
    }
}
