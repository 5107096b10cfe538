//! The nutrients that plants and weeds need and take up from the soil, in the `agronomic` equations.

use super::laws::nutrition::{asked, critical_nitrogen, within_reach};
use super::root_zone::RootZone;

/// N, P and K that a kind of plant needs and can reach.
#[derive(Debug, Clone)]
pub(super) struct NutrientNeeds {
    /// Nitrogen in a stand of one tonne per hectare, in percent, and the exponent with which that share falls in larger stands.
    pub nitrogen: f64,
    pub dilution: f64,
    /// Grams needed for each gram of nitrogen needed.
    pub phosphorus: f64,
    pub potassium: f64,
    /// Maximum shares of the soil's N, P and K that roots take up in a day.
    pub reach: [f64; 3],
}

impl NutrientNeeds {
    /// N, P and K that a stand with this dry matter on this area needs for unlimited growth \[g\].
    #[inline]
    pub(super) fn needed(&self, biomass_g: f64, area_m2: f64) -> [f64; 3] {
        let nitrogen = biomass_g * critical_nitrogen(biomass_g / area_m2, self.nitrogen, self.dilution);
        [nitrogen, nitrogen * self.phosphorus, nitrogen * self.potassium]
    }

    /// Amount of nutrient number `x` that plants ask for \[g\], from the amounts that they need and hold and the stock in the soil.
    #[inline]
    pub(super) fn asked(&self, x: usize, needed_g: f64, held_g: f64, stock_g: f64, zone: &RootZone) -> f64 {
        let reached = within_reach(stock_g, self.reach[x], zone.share, 1.0 - zone.depletion);
        asked(needed_g, held_g, reached)
    }
}
