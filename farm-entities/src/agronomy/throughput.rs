//! The matter that passes through living plants in an episode. It closes the balances of plant matter.

use std::cell::Cell;

use farm_core::declare::{Flow, MassBalance};
use farm_core::math::Bounded;
use farm_core::{Column, Columns, Context, Found};

use super::NUTRIENTS;
use super::laws::organic_matter::CARBON_IN_DRY_MATTER;

/// Maximum of a sum over an episode.
const MANY: f64 = 1e12;
/// The index of carbon among N, P, K and C.
const CARBON: usize = 3;

/// Sums over the episode and all plots, for N, P, K and C in this order.
#[derive(Columns)]
pub(super) struct Throughput {
    /// Amount of {each} that living plants took up in this episode. Carbon comes from the air, other nutrients from the soil.
    #[real(each = NUTRIENTS, name = "total_taken_{each}#g", range = 0.0..=MANY, hidden)]
    pub(super) taken: Column<f64>,
    /// Amount of {each} in the seeds of the plants that sprouted in this episode.
    #[real(each = NUTRIENTS, name = "total_sprouted_{each}#g", range = 0.0..=MANY, hidden)]
    pub(super) sprouted: Column<f64>,
    /// Amount of {each} in the plants that the farmer pulled out and took away in this episode.
    #[real(each = NUTRIENTS, name = "total_pulled_{each}#g", range = 0.0..=MANY, hidden)]
    pub(super) pulled: Column<f64>,
}

/// Adds grams of the nutrient with this number to one of the sums.
#[inline]
pub(super) fn count_grams(sum: Column<f64>, x: usize, grams: f64, c: &Context<'_>) {
    add_grams(&c.get(sum)[x], grams);
}

/// Adds grams to a sum over an episode.
#[inline]
pub(super) fn add_grams(sum: &Cell<f64>, grams: f64) {
    sum.set((sum.get() + grams).at_most(MANY));
}

/// The stocks and flows of plant matter. All columns except the first and the last have values for N, P, K and C.
pub(super) struct Matter {
    /// Dry matter on the plots.
    pub biomass: Column<f64>,
    /// Nutrients in the dry matter.
    pub held: Column<f64>,
    /// Nutrients in residue, if residue has its own stock.
    pub residue: Option<Column<f64>>,
    /// Nutrients released to the soil today.
    pub released: Column<f64>,
    /// Nutrients harvested in this episode, if the plants are harvested.
    pub harvested: Option<Column<f64>>,
    /// Nitrogen that bacteria fixed from the air today.
    pub fixed: Option<Column<f64>>,
}

impl Throughput {
    /// Sets the balances of N, P, K and C in the plants, and the balance of their dry matter, which follows from its carbon.
    pub(super) fn set_balances(&self, found: &mut Found<'_>, matter: &Matter) {
        let flows = |of: &dyn Fn(Column<f64>) -> Column<f64>| {
            let harvest = matter.harvested.map(|column| Flow::outflow("harvest", of(column)).cumulated());
            let flows = [
                Flow::inflow("uptake", of(self.taken)).cumulated(),
                Flow::inflow("seeds", of(self.sprouted)).cumulated(),
                Flow::outflow("pulled out", of(self.pulled)).cumulated(),
                Flow::outflow("given back", of(matter.released)),
            ];
            flows.into_iter().chain(harvest).collect::<Vec<Flow>>()
        };
        let stocks = MassBalance::new("{each} in plants", "g", matter.held).with_flows(flows(&|column| column));
        let stocks = match matter.residue {
            Some(residue) => stocks.and_stock(residue, 1.0),
            None => stocks,
        };
        for (x, balance) in stocks.split(&NUTRIENTS).enumerate() {
            let fixed = matter.fixed.filter(|_| x == 0).map(|fixed| Flow::inflow("fixed from the air", fixed));
            found.mass_balance(balance.with_flows(fixed));
        }
        let carbon = |column: Column<f64>| column.split(NUTRIENTS.len() as u32).nth(CARBON).unwrap_or(column);
        let per_carbon = 1.0 / CARBON_IN_DRY_MATTER;
        let dry = MassBalance::new("dry matter of plants", "g", matter.biomass);
        let dry = match matter.residue {
            Some(residue) => dry.and_stock(carbon(residue), per_carbon),
            None => dry,
        };
        found.mass_balance(dry.with_flows(flows(&carbon).into_iter().map(|flow| flow.times(per_carbon))));
    }
}
