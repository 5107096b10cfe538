//! What those who have roots need of nutrients and ask the soil for, in the equations `agronomic`.

use super::laws::nutrition::{LUXURY, critical_nitrogen, within_reach};
use super::root_zone::RootZone;

/// How much N, P and K plants of a kind need and reach.
#[derive(Debug, Clone)]
pub(super) struct NutrientNeeds {
    /// Nitrogen in a stand of one tonne per hectare, in percent, and the exponent with which that share falls.
    pub nitrogen: f64,
    pub dilution: f64,
    /// Grams needed for each gram of nitrogen needed.
    pub phosphorus: f64,
    pub potassium: f64,
    /// Shares of the soil's N, P and K that roots take up in a day at the most.
    pub reach: [f64; 3],
}

impl NutrientNeeds {
    /// N, P and K that a stand of this dry matter on this area needs to grow unhindered \[g\].
    #[inline]
    pub(super) fn needed(&self, biomass_g: f64, area_m2: f64) -> [f64; 3] {
        let nitrogen = biomass_g * critical_nitrogen(biomass_g / area_m2, self.nitrogen, self.dilution);
        [nitrogen, nitrogen * self.phosphorus, nitrogen * self.potassium]
    }

    /// What plants that hold this ask for, of the nutrient with this number \[g\]: what they need, and a little more; no more than
    /// roots reach.
    #[inline]
    pub(super) fn asked(&self, x: usize, needed_g: f64, held_g: f64, stock_g: f64, zone: &RootZone) -> f64 {
        let reached = within_reach(stock_g, self.reach[x], zone.share, 1.0 - zone.depletion);
        (LUXURY * needed_g - held_g).max(0.0).min(reached)
    }
}
