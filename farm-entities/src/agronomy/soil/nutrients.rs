//! The nutrients in the plots, for all soil equations.

use farm_core::math::Bounded;
use farm_core::math::simd::{each, mapped};
use farm_core::{Column, Context};

use super::equations::granted_share;
use super::{Ground, Soil, SoilColumns, sum_at};
use crate::agronomy::rows::{read, sums, write};

/// The limits of N, P, K and C in every plot, and the parts that request these nutrients.
pub(super) struct Nutrients {
    plots: usize,
    area_m2: f64,
    /// Maximum stocks, in g.
    pub(super) most: [f64; 4],
    /// Daily release from the bedrock to a plot at full microlife, in g.
    pub(super) bedrock: [f64; 4],
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

    /// Fills the stocks with these amounts in grams per m².
    pub(super) fn reset(&self, initial: [f64; 4], columns: &SoilColumns, c: &Context<'_>) {
        for (x, stocks) in c.get(columns.nutrients).chunks(self.plots.max(1)).enumerate() {
            stocks.iter().for_each(|stock| stock.set((initial[x] * self.area_m2).at_most(self.most[x])));
        }
    }

    /// One nutrient in one plot: bedrock releases it, plants take their share, and other releases are added. Both soils call this function
    /// for each nutrient in each plot.
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
        let fed = self.fed(x, ground.nutrients[at].get(), microlife, released, sum_at(&self.demand[x], plot, c));
        ground.nutrients[at].set(fed.stock);
        ground.supply[at].set(fed.supply);
        ground.shares[at].set(fed.share);
        ground.uptake[at].set(fed.uptake);
        ground.gain[at].set(fed.gain);
    }

    /// The same for the plots in the row that starts with plot `first`.
    #[inline(always)]
    pub(super) fn feed_row<const W: usize>(
        &self,
        x: usize,
        first: usize,
        microlife: [f64; W],
        released: [f64; W],
        ground: &Ground<'_>,
        c: &Context<'_>,
    ) {
        let at = x * self.plots + first;
        let (stock, asked) = (read::<W>(ground.nutrients, at), sums::<W>(&self.demand[x], first, c));
        let fed: [Fed; W] = each(|k| self.fed(x, stock[k], microlife[k], released[k], asked[k]));
        write(ground.nutrients, at, mapped(fed, |fed| fed.stock));
        write(ground.supply, at, mapped(fed, |fed| fed.supply));
        write(ground.shares, at, mapped(fed, |fed| fed.share));
        write(ground.uptake, at, mapped(fed, |fed| fed.uptake));
        write(ground.gain, at, mapped(fed, |fed| fed.gain));
    }

    #[inline(always)]
    fn fed(&self, x: usize, stock: f64, microlife: f64, released: f64, asked: f64) -> Fed {
        // Amounts that a full plot cannot hold do not come in. So stocks, gains and leaching stay in their ranges.
        let most = self.most[x];
        let bedrock = (microlife * self.bedrock[x]).at_most(most - stock);
        let supply = (stock + bedrock).at_most(most);
        let share = granted_share(supply, asked);
        let left = (supply - share * asked).at_least(0.0);
        let released = released.at_most(most - left);
        Fed {
            stock: (left + released).at_most(most),
            supply,
            share,
            uptake: (share * asked).at_most(most),
            gain: bedrock + released,
        }
    }
}

/// A nutrient in a plot after a day, in g: the stock, the stock before uptake, the granted share of the requests, the uptake and the gain.
#[derive(Clone, Copy, Default)]
struct Fed {
    stock: f64,
    supply: f64,
    share: f64,
    uptake: f64,
    gain: f64,
}
