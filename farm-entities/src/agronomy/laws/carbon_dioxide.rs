//! Carbon dioxide: more of it in the air makes plants grow faster and transpire less.

use farm_core::math::Bounded;

/// Concentration at which the crops are calibrated \[ppm\] (SIMPLE: Zhao et al. 2019).
pub const USUAL_PPM: f64 = 350.0;
/// Concentration above which growth rises no further \[ppm\] (SIMPLE: Zhao et al. 2019).
const FULL_PPM: f64 = 700.0;
/// Share of the transpiration that plants save when the concentration doubles \[–\]. It falls by 10 to 15 %, in C3 and C4 crops (DSSAT,
/// notes on its CO₂ tables).
const SAVED: f64 = 0.125;

/// Growth at this concentration, as a multiple of the growth at the usual one \[–\] (SIMPLE: Zhao et al. 2019, doi
/// 10.1016/j.eja.2019.01.009).
///
/// 1 + s·(C − 350)/100, with the response s of the crop for each 100 ppm, up to 700 ppm
pub fn growth(ppm: f64, response: f64) -> f64 {
    (1.0 + response * (ppm.at_most(FULL_PPM) - USUAL_PPM) / 100.0).at_least(0.0)
}

/// Transpiration at this concentration, as a multiple of that at the usual one \[–\]: stomata close in proportion, up to 700 ppm.
///
/// 1 − 0.125·(C − 350)/350
pub fn transpiration(ppm: f64) -> f64 {
    1.0 - SAVED * (ppm.at_most(FULL_PPM) - USUAL_PPM) / USUAL_PPM
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHEAT: f64 = 0.08;
    const MAIZE: f64 = 0.01;

    #[test]
    fn the_usual_air_changes_nothing() {
        assert_eq!([growth(USUAL_PPM, WHEAT), transpiration(USUAL_PPM)], [1.0; 2]);
    }

    /// SIMPLE: 1.28 at 700 ppm for wheat, and no more above. The tables of CERES: 1.17 at 550 ppm for C3 crops, 1.05 at 570 for C4 crops.
    #[test]
    fn growth_has_the_published_values() {
        assert!((growth(700.0, WHEAT) - 1.28).abs() < 1e-12);
        assert_eq!(growth(900.0, WHEAT), growth(700.0, WHEAT));
        assert!((growth(550.0, WHEAT) - 1.17).abs() < 0.02);
        assert!((growth(570.0, MAIZE) - 1.05).abs() < 0.03);
    }

    /// In open fields with 550 ppm, C3 crops gained 12 to 17 % of dry matter (Kimball 2016, doi 10.1016/j.pbi.2016.03.006).
    #[test]
    fn open_fields_gain_as_measured() {
        let bean = 0.07;
        assert!([WHEAT, bean].into_iter().all(|crop| (1.12..=1.17).contains(&growth(550.0, crop))));
        assert!(growth(550.0, MAIZE) <= 1.02 + 1e-12);
    }

    #[test]
    fn twice_as_much_saves_an_eighth_of_the_water() {
        assert!((0.85..=0.90).contains(&transpiration(700.0)));
    }
}
