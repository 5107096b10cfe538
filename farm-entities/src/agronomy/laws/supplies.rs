//! Supplies: how fertilisers dissolve and rot, and how herbicides affect plants.

use farm_core::math::{Bounded, powf};

use super::organic_matter::{decay_by_moisture, decay_by_temperature};
use super::ramp;

/// Share of a mineral fertiliser that dissolves in a day \[day⁻¹\]: salts dissolve within days in moist soil and remain in dry soil (FAO,
/// Fertilizers and their use, 2000). `moisture` is the moisture of the topsoil, from 0 at the wilting point to 1 at the field capacity. At
/// 0.5 or more, water is not limiting (design).
#[inline]
pub fn dissolving(at_best: f64, moisture: f64) -> f64 {
    (at_best * ramp(moisture, 0.0, 0.5)).at_most(1.0)
}

/// Share of manure or compost that rots in a day \[day⁻¹\]: first order, with the responses of humus to warmth, moisture and air, and
/// proportional to the microlife. `at_best` is the share at 20 °C in moist soil.
#[inline]
pub fn rotting(at_best: f64, celsius: f64, moisture: f64, air_share: f64, microlife_percent: f64) -> f64 {
    let conditions = decay_by_temperature(celsius) * decay_by_moisture(moisture, air_share);
    (at_best * conditions * microlife_percent / 100.0).at_most(1.0)
}

/// Share of weeds or leaves that survives a herbicide \[–\]: log-logistic in the dose (Streibig 1988; Seefeldt, Jensen & Fuerst 1995). Half
/// of them survive the dose `half`, which is in the same unit.
///
/// 1/(1 + (x/ED₅₀)^b)
#[inline]
pub fn herbicide_survival(dose: f64, half: f64, slope: f64) -> f64 {
    if dose <= 0.0 { 1.0 } else { 1.0 / (1.0 + powf(dose / half, slope)) }
}

/// Dose that kills half of the weeds of a given size \[unit of `half`\]. Large weeds tolerate several times the dose of seedlings, so
/// labels name a growth stage (design: linear in the share of the full size).
#[inline]
pub fn half_dose(half: f64, size_share: f64, grown: f64) -> f64 {
    half * (1.0 + (grown - 1.0) * size_share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salts_dissolve_in_moist_soil_and_lie_in_dry_soil() {
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|moisture| dissolving(0.5, moisture)), [0.0, 0.25, 0.5, 0.5]);
        assert_eq!(dissolving(140.0, 1.0), 1.0, "never more than there is");
    }

    /// AHDB Nutrient Management Guide RB209 (2023), section 2: about a tenth of the nitrogen in old farmyard manure reaches the next crop.
    /// For fresh manure that is dug in, it is up to a quarter. New humus binds the part of the released nitrogen that its carbon needs.
    #[test]
    fn a_crop_gets_as_much_nitrogen_of_manure_as_guides_say() {
        use super::super::organic_matter::{CARBON_PER_NITROGEN, HUMIFIED};
        // Farmyard manure of the parameter sets: 0.6 % N, 10 % C, 2 % rot in a week at best; a season of 120 days at 17 °C.
        let day = rotting(0.02 / 7.0, 17.0, 0.6, 0.1, 100.0);
        let left = (0..120).fold(1.0, |left, _| left * (1.0 - day));
        let bound = HUMIFIED * (0.10 / 0.006) / CARBON_PER_NITROGEN;
        let reached = (1.0 - left) * (1.0 - bound);
        assert!((0.10..0.25).contains(&reached), "{reached}");
        assert_eq!(rotting(0.1, -1.0, 1.0, 0.1, 100.0), 0.0, "nothing rots in frost");
        assert!(rotting(0.1, 20.0, 0.6, 0.1, 50.0) < rotting(0.1, 20.0, 0.6, 0.1, 100.0));
    }

    /// With a slope of 2.5, nine tenths die at 2.41 times the dose that kills half, and 99 % die at 6.3 times that dose: ED₉₀/ED₅₀ =
    /// 9^(1/b).
    #[test]
    fn the_dose_response_is_that_of_the_literature() {
        assert_eq!(herbicide_survival(0.0, 0.04, 2.5), 1.0);
        assert!((herbicide_survival(0.04, 0.04, 2.5) - 0.5).abs() < 1e-12);
        assert!((herbicide_survival(0.04 * powf(9.0, 0.4), 0.04, 2.5) - 0.1).abs() < 1e-12);
        assert!((herbicide_survival(0.04 * powf(99.0, 0.4), 0.04, 2.5) - 0.01).abs() < 1e-12);
        let doses = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0];
        assert!(doses.windows(2).all(|w| herbicide_survival(w[1], 0.04, 2.5) < herbicide_survival(w[0], 0.04, 2.5)));
        assert_eq!([0.0, 0.5, 1.0, 7.0].map(|size| half_dose(0.04, size, 5.0)), [0.04, 0.12, 0.2, 0.2]);
    }
}
