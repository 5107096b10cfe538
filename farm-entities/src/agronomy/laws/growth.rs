//! Growth: dry matter from water and light, and the share of this dry matter that becomes fruit.

use farm_core::math::{Bounded, powf};

use super::ramp;

/// Dry matter that a day's transpiration allows \[g m⁻²\] (Steduto, Hsiao & Fereres 2007: normalised water productivity).
///
/// WP*·T/ET₀, with T and ET₀ in mm and WP* in g m⁻²
#[inline]
pub fn by_transpiration(water_productivity: f64, transpired_mm: f64, et0_mm: f64) -> f64 {
    if et0_mm > 0.0 { water_productivity * transpired_mm / et0_mm } else { 0.0 }
}

/// Dry matter that a day's light allows \[g m⁻²\] (Monteith 1977: radiation-use efficiency).
///
/// RUE·f·R_s, with the share f of the radiation that the leaves intercept
#[inline]
pub fn by_light(efficiency: f64, radiation: f64, share: f64) -> f64 {
    efficiency * radiation * share
}

/// Growth in a day \[g m⁻²\]: the smaller of the growth that water allows and the growth that light allows (Stöckle et al. 2003, CropSyst).
#[inline]
pub fn growth(by_transpiration: f64, by_light: f64) -> f64 {
    by_transpiration.at_most(by_light)
}

/// Share of the dry matter in fruits, grains or tubers, `age` degree-days after flowering began \[–\] (AquaCrop: the
/// harvest index builds up in proportion to time).
#[inline]
pub fn harvest_index(age: f64, duration: f64, full: f64) -> f64 {
    full * ramp(age, 0.0, duration)
}

/// Share of growth that remains while oil- and protein-rich fruits form \[–\] (AquaCrop: WP* adjusted for products).
#[inline]
pub fn cost_of_fruits(age: f64, duration: f64, left: f64) -> f64 {
    1.0 - (1.0 - left) * ramp(age, 0.0, duration)
}

/// Upkeep of dry matter at this mean temperature, as a multiple of that at 25 °C \[–\]: it doubles in ten degrees (McCree 1970; WOFOST:
/// Penning de Vries & van Laar 1982).
#[inline]
pub fn upkeep(celsius: f64) -> f64 {
    powf(2.0, (celsius - 25.0) / 10.0)
}

/// Share of a plant's harvest index that remains under crowding \[–\] (Vega et al. 2001: fruits form only on a plant of at least a minimum
/// mass).
///
/// max(0, 1 − m₀/m)
#[inline]
pub fn crowding_response(plant_mass: f64, least_mass: f64) -> f64 {
    if least_mass <= 0.0 {
        return 1.0;
    }
    if plant_mass <= least_mass { 0.0 } else { 1.0 - least_mass / plant_mass }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AquaCrop's maize, with 33.7 g m⁻² and a full canopy that transpires 1.05 ET₀, gains 35 g a day. Sinclair & Muchow 1999 measured 1.6
    /// to 1.9 g MJ⁻¹ for maize, which is 32 to 38 g a day at 20 MJ m⁻².
    #[test]
    fn a_full_canopy_of_maize_gains_what_is_measured_by_either_law() {
        let (water, light) = (by_transpiration(33.7, 5.25, 5.0), by_light(1.75, 20.0, 1.0));
        assert!((water - light).abs() < 0.15 * light, "{water} and {light} g m⁻² a day");
        assert_eq!(growth(water, light), water.min(light));
        assert_eq!(by_transpiration(33.7, 0.0, 0.0), 0.0, "a day without evaporation");
    }

    #[test]
    fn the_harvest_index_builds_up_to_its_end() {
        assert_eq!(harvest_index(-5.0, 750.0, 0.48), 0.0);
        assert_eq!(harvest_index(375.0, 750.0, 0.48), 0.24);
        assert_eq!(harvest_index(9000.0, 750.0, 0.48), 0.48);
        assert_eq!(cost_of_fruits(1180.0, 1180.0, 0.6), 0.6);
    }

    #[test]
    fn a_plant_that_is_too_small_bears_nothing() {
        assert_eq!(crowding_response(20.0, 25.0), 0.0);
        assert_eq!(crowding_response(250.0, 25.0), 0.9);
        assert_eq!(crowding_response(1.0, 0.0), 1.0);
    }
}
