//! The nutrients of the plots: what every soil does with them, whatever its equations.

use farm_core::{Column, Context};

use super::equations::granted_share;
use super::{Ground, Soil, SoilColumns, sum_at};

/// The limits of N, P, K and C of every plot, and who asks for them.
pub(super) struct Nutrients {
    plots: usize,
    area_m2: f64,
    /// Upper ends of the stocks, in g.
    pub(super) most: [f64; 4],
    /// What the bedrock gives to a plot in a day at full microlife, in g.
    bedrock: [f64; 4],
    demand: [Vec<Column<f64>>; 4],
}

impl Nutrients {
    pub(super) fn new(p: &Soil, columns: &SoilColumns) -> Self {
        let limits = &columns.limits;
        let bedrock = [p.bedrock_n, p.bedrock_p, p.bedrock_k, p.bedrock_c].map(|mg| mg / 1000.0 * limits.area_m2);
        Self {
            plots: columns.water.len(),
            area_m2: limits.area_m2,
            most: limits.nutrients,
            bedrock,
            demand: columns.demand.clone(),
        }
    }

    /// Fills the stocks with so many grams per m².
    pub(super) fn reset(&self, initial: [f64; 4], columns: &SoilColumns, c: &Context<'_>) {
        for (x, stocks) in c.get(columns.nutrients).chunks(self.plots.max(1)).enumerate() {
            stocks.iter().for_each(|stock| stock.set((initial[x] * self.area_m2).min(self.most[x])));
        }
    }

    /// Bedrock gives one of them, plants take their share, what was set free is added. Both soils call it for each nutrient of each
    /// plot.
    #[inline(always)]
    pub(super) fn feed(
        &self,
        x: usize,
        plot: usize,
        microlife: f64,
        released: f64,
        ground: &Ground<'_>,
        c: &Context<'_>,
    ) {
        let at = x * self.plots + plot;
        let stock = &ground.nutrients[at];
        // What a full plot cannot hold does not come in: a stock never leaves its range, nor does what is gained or leached.
        let most = self.most[x];
        let bedrock = (microlife * self.bedrock[x]).min(most - stock.get());
        let supply = (stock.get() + bedrock).min(most);
        ground.supply[at].set(supply);
        let asked = sum_at(&self.demand[x], plot, c);
        let share = granted_share(supply, asked);
        let left = (supply - share * asked).max(0.0);
        let released = released.min(most - left);
        stock.set((left + released).min(most));
        ground.shares[at].set(share);
        ground.uptake[at].set((share * asked).min(most));
        ground.gain[at].set(bedrock + released);
    }
}
