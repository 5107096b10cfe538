//! A day of weeds in the `agronomic` equations. Values that are the same for all plots are computed once, and the plots' columns are
//! fetched once.

use std::cell::Cell;

use farm_core::math::Bounded;
use farm_core::{Column, Context};

use super::thicket::Thicket;
use crate::agronomy::laws::development::{degree_days, warmth};
use crate::agronomy::laws::injury::frost_survival;
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use crate::agronomy::laws::water::ToleratedDepletion;
use crate::agronomy::root_zone::SoilToday;

/// The day's conditions, which are the same for all plots, and the values of the plots.
pub(super) struct Day<'a> {
    pub(super) degree_days: f64,
    pub(super) warmth: f64,
    /// Share of the weeds that survives the day and the night.
    pub(super) survival: f64,
    /// Seeds that blow into a plot: their number, and the probability of one more.
    pub(super) arriving: (u32, f64),
    pub(super) et0: f64,
    pub(super) radiation: f64,
    /// Depletions at which stomata begin to close, leaf growth begins to slow, and leaf growth stops.
    pub(super) transpiration: f64,
    pub(super) leaf_growth: [f64; 2],
    pub(super) soil: SoilToday<'a>,
    pub(super) reach: f64,
    /// Depth of the roots on plots with weeds.
    pub(super) deepest_m: f64,
    pub(super) leaves: &'a [Cell<f64>],
    pub(super) biomass: &'a [Cell<f64>],
    pub(super) held: [&'a [Cell<f64>]; 4],
    pub(super) residue: [&'a [Cell<f64>]; 4],
    pub(super) age: &'a [Cell<f64>],
    pub(super) root_depth: &'a [Cell<f64>],
    pub(super) wanted_water: &'a [Cell<f64>],
    pub(super) asked_water: &'a [Cell<f64>],
    pub(super) asked: [&'a [Cell<f64>]; 4],
    pub(super) shade: &'a [Cell<f64>],
    pub(super) water_share: &'a [Cell<f64>],
    pub(super) supply: [&'a [Cell<f64>]; 3],
    pub(super) share: [&'a [Cell<f64>]; 3],
    pub(super) taken: &'a [Cell<f64>],
    pub(super) sprouted: &'a [Cell<f64>],
    pub(super) grow: &'a [Cell<i32>],
    pub(super) seeds: &'a [Cell<i32>],
    pub(super) flowers: &'a [Cell<i32>],
    pub(super) landed: &'a [Cell<i32>],
    pub(super) lit: &'a [Cell<f64>],
    pub(super) unfolding: &'a [Cell<f64>],
    pub(super) hosts: &'a [Cell<i32>],
    pub(super) pests: &'a [Cell<i32>],
}

/// The tolerated depletions of the root zone: for stomata, and for the beginning and the end of stress on leaf growth.
pub(super) struct Tolerated {
    pub(super) transpiration: ToleratedDepletion,
    pub(super) leaf_growth: [ToleratedDepletion; 2],
}

impl Thicket {
    pub(super) fn day<'a>(&self, c: &Context<'a>) -> Day<'a> {
        let (p, life) = (self.p(), &self.life);
        let [base, upper] = p.temperature;
        let min_celsius = c.value(self.c.min);
        let degree_days = degree_days(min_celsius, c.value(self.c.max), base, upper);
        let et0 = c.value(self.c.et0);
        let soil = self.c.soil.today(self.area, c);
        let minerals = |columns: [Column<f64>; 4]| [0, 1, 2].map(|x: usize| c.get(columns[x]));
        let demography = self.demography();
        let arriving = demography.arriving * self.area;
        Day {
            degree_days,
            warmth: warmth(degree_days, p.warm_enough),
            survival: (1.0 - demography.death) * frost_survival(min_celsius, demography.lethal),
            arriving: (arriving as u32, arriving.fract()),
            et0,
            radiation: c.value(self.c.radiation),
            transpiration: self.tolerated.transpiration.under(et0),
            leaf_growth: self.tolerated.leaf_growth.map(|depletion| depletion.under(et0)),
            reach: soil.reach(p.root_depth),
            deepest_m: p.root_depth.at_most(c.value(self.c.soil.depth)),
            soil,
            leaves: c.get(self.c.leaf_area),
            biomass: c.get(self.c.biomass),
            held: of_nutrients(c.get(self.c.nutrients)),
            residue: of_nutrients(c.get(self.c.residue)),
            age: c.get(self.c.age),
            root_depth: c.get(self.c.root_depth),
            wanted_water: c.get(self.c.wanted_water),
            asked_water: c.get(life.asked_water),
            asked: of_nutrients(c.get(life.asked)),
            shade: c.get(life.shade),
            water_share: c.get(self.c.water_share),
            supply: minerals(self.c.supply),
            share: minerals(self.c.share),
            taken: c.get(self.c.through.taken),
            sprouted: c.get(self.c.through.sprouted),
            grow: c.get(life.grow),
            seeds: c.get(life.seeds),
            flowers: c.get(life.flowers),
            landed: c.get(self.c.landed),
            lit: c.get(self.c.lit),
            unfolding: c.get(self.c.unfolding),
            hosts: c.get(life.hosts),
            pests: c.get(life.pests),
        }
    }

    /// Number of weeds on a plot: a weed in flower counts once, not once for each flower.
    #[inline]
    pub(super) fn weeds(&self, grow: i32, flowers: i32) -> f64 {
        f64::from(grow) + f64::from(flowers) / f64::from(self.life.p.flowers_per_plant.max(1))
    }
}

impl Day<'_> {
    /// Writes and returns the number of weeds and flowers on a plot that pests can sit on.
    #[inline]
    pub(super) fn publish_hosts(&self, plot: usize) -> i32 {
        let hosts = self.grow[plot].get() + self.flowers[plot].get();
        self.hosts[plot].set(hosts);
        hosts
    }

    /// Sets the dry matter on a plot, and the carbon in it.
    #[inline]
    pub(super) fn set_biomass(&self, plot: usize, biomass_g: f64) {
        self.biomass[plot].set(biomass_g);
        self.held[3][plot].set(CARBON_IN_DRY_MATTER * biomass_g);
    }
}

/// The values of each nutrient. A column has the values of all plots for the first nutrient, then for the second, and so on.
fn of_nutrients(cells: &[Cell<f64>]) -> [&[Cell<f64>]; 4] {
    let plots = cells.len() / 4;
    [0, 1, 2, 3].map(|x: usize| &cells[x * plots..(x + 1) * plots])
}
