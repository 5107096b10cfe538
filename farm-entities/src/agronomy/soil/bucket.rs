//! A day of the water, nutrients and microlife in each plot.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::math::exp;
use farm_core::{Behaviour, Column, Context, Phase, Reader};

use super::cides::Cides;
use super::equations::{evaporation, granted_share, pour};
use super::nutrients::Nutrients;
use super::others::Inflow;
use super::supply::Supply;
use super::{Brought, Ground, Leaching, MANY, Soil, SoilColumns, sum_at};
use crate::agronomy::Equations;
use crate::agronomy::response::response;

pub(super) struct Bucket {
    p: Soil,
    columns: SoilColumns,
    /// The limits of the columns, which are the same for every plot.
    area: f64,
    volume: f64,
    capacity: f64,
    wilting: f64,
    leakage_max: f64,
    nutrients: Nutrients,
    leaching: [f64; 4],
    paper_leaching: bool,
    cides: Cides,
    inflow: Option<Inflow>,
    supply: Option<Supply>,
}

impl Bucket {
    pub(super) fn new(p: &Soil, columns: SoilColumns, brought: Brought, cides: Cides) -> Self {
        let limits = &columns.limits;
        Self {
            area: limits.area_m2,
            volume: limits.volume_m3,
            capacity: limits.capacity,
            wilting: limits.wilting,
            leakage_max: if p.drainage { p.leakage_max } else { 0.0 },
            nutrients: Nutrients::new(p, &columns),
            leaching: [p.leaching_n, p.leaching_p, p.leaching_k, p.leaching_c],
            paper_leaching: p.leaching.map_or(p.equations == Equations::Paper, |how| how == Leaching::Paper),
            cides,
            inflow: brought.inflow,
            supply: brought.supply,
            p: p.clone(),
            columns,
        }
    }
}

impl Behaviour for Bucket {
    fn reset(&self, c: &mut Context<'_>) {
        let fill = |column: Column<f64>, value: f64| c.get(column).iter().for_each(|cell| cell.set(value));
        fill(self.columns.water, self.p.initial_water.min(self.p.capacity) * self.volume);
        fill(self.columns.microlife, self.p.initial_microlife);
        let initial = [self.p.initial_n, self.p.initial_p, self.p.initial_k, self.p.initial_c];
        self.nutrients.reset(initial, &self.columns, c);
    }

    /// Irrigates a plot. Water that does not fit is kept as surplus until the day passes.
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let (plot, mut amount, mut minutes) = (arguments.plot(0), arguments.real(1), arguments.real(2));
        if let Some(supply) = &self.supply {
            let asked = amount;
            amount = supply.take(asked, c);
            // An irrigation ends when nothing is left.
            minutes *= if asked > 0.0 { amount / asked } else { 1.0 };
        }
        let water = &c.get(self.columns.water)[plot];
        let (kept, over) = pour(water.get(), amount, self.capacity);
        water.set(kept);
        let pending = &c.get(self.columns.pending_surplus)[plot];
        pending.set((pending.get() + over).min(0.5 * MANY));
        let wet = &c.get(self.columns.wet_surface)[plot];
        wet.set((wet.get() + self.area * minutes / 1440.0).min(self.area));
        add(&c.get(self.columns.added)[0], amount);
    }

    fn has_effect(&self, _: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.supply.as_ref().is_none_or(|supply| supply.has_water(reader))
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        if let Some(supply) = &self.supply {
            supply.catch_rain(c);
        }
        let ground = self.columns.values(c);
        let rain = c.value(self.columns.rain_mm);
        let has_cides = self.cides.are_there(&self.columns, &ground, c);
        for plot in 0..self.columns.water.len() {
            if let Some(inflow) = &self.inflow {
                self.take_in_inflow(plot, inflow, &ground, c);
            }
            let surplus = self.take_in_rain(plot, rain, &ground);
            if has_cides {
                self.cides.take_in::<1>(plot, &self.columns, &ground, c);
            }
            self.feed(plot, &ground, c);
            self.water_plants(plot, &ground, c);
            self.evaporate(plot, &ground, c);
            self.drain(plot, &ground);
            self.live(plot, surplus, &ground);
            let strength = c.value(self.columns.rain_intensity) + surplus / self.capacity;
            if has_cides {
                self.cides.wash_out(plot, [strength], &self.columns, &ground, c);
            }
            self.leach(plot, strength, &ground);
        }
    }
}

impl Bucket {
    /// Adds the water from other parts, like an irrigation that lasts all day.
    fn take_in_inflow(&self, plot: usize, inflow: &Inflow, ground: &Ground<'_>, c: &Context<'_>) {
        let amount = inflow.take_in(plot, c);
        let water = &ground.water[plot];
        let (kept, over) = pour(water.get(), amount, self.capacity);
        water.set(kept);
        add(&ground.pending_surplus[plot], over);
        if amount > 0.0 {
            ground.wet_surface[plot].set(self.area);
        }
    }

    /// Adds the rain and returns the day's surplus, including surplus irrigation (II.4 step 1).
    #[inline]
    fn take_in_rain(&self, plot: usize, rain_mm: f64, ground: &Ground<'_>) -> f64 {
        let water = &ground.water[plot];
        let pending = &ground.pending_surplus[plot];
        let (kept, over) = pour(water.get(), rain_mm * self.area, self.capacity);
        water.set(kept);
        if rain_mm > 0.0 {
            ground.wet_surface[plot].set(self.area);
        }
        let surplus = over + pending.replace(0.0);
        ground.surplus[plot].set(surplus);
        surplus
    }

    /// Bedrock releases nutrients, plants take their share, and other releases are added (II.4 steps 2, 3, 5).
    #[farm_core::equation("II.4 step 2: bedrock", "II.4 step 5: uptake")]
    #[inline]
    fn feed(&self, plot: usize, ground: &Ground<'_>, c: &Context<'_>) {
        let microlife = ground.microlife[plot].get() / 100.0;
        for x in 0..4 {
            let released = sum_at(&self.columns.release[x], plot, c);
            self.nutrients.feed(x, plot, microlife, released, ground, c);
        }
    }

    /// Plants take up their share of the water above the wilting point (II.4 step 6).
    #[farm_core::equation("II.4 step 6: uptake")]
    #[inline]
    fn water_plants(&self, plot: usize, ground: &Ground<'_>, c: &Context<'_>) {
        let water = &ground.water[plot];
        ground.supply_water[plot].set(water.get());
        let asked = sum_at(&self.columns.water_demand, plot, c);
        let share = granted_share((water.get() - self.wilting).max(0.0), asked);
        // A share is rounded, so the granted amount may exceed the stock by the last digit.
        water.set((water.get() - share * asked).max(0.0));
        ground.water_share[plot].set(share);
        ground.uptake_water[plot].set((share * asked).min(self.capacity));
    }

    /// Water evaporates from the wet surface that no leaf shades, down to half the wilting point (II.4 step 7).
    #[farm_core::equation("II.4 step 7: evaporation")]
    #[inline]
    fn evaporate(&self, plot: usize, ground: &Ground<'_>, c: &Context<'_>) {
        let wet_surface = &ground.wet_surface[plot];
        let shaded = (sum_at(&self.columns.shade, plot, c) / self.area).min(1.0);
        let wished =
            evaporation(c.value(self.columns.evapotranspiration), self.area, shaded, wet_surface.get() / self.area);
        let water = &ground.water[plot];
        let evaporated = wished.min((water.get() - 0.5 * self.wilting).max(0.0));
        water.set(water.get() - evaporated);
        ground.evaporation[plot].set(evaporated);
        wet_surface.set((wet_surface.get() - self.p.absorption_speed).max(0.0));
    }

    /// Water drains downwards, less if the microlife is healthy (II.4 step 8, an option).
    #[inline]
    fn drain(&self, plot: usize, ground: &Ground<'_>) {
        if self.leakage_max > 0.0 {
            let water = &ground.water[plot];
            let microlife = ground.microlife[plot].get() / 100.0;
            let drained =
                ((1.1 - microlife) * self.leakage_max * self.volume).min((water.get() - self.wilting).max(0.0));
            water.set(water.get() - drained);
            ground.drainage[plot].set(drained);
        }
    }

    /// The microlife grows, or suffers from surplus water and pesticides (Farm-gym Eq. 22; II.4 step 9).
    #[farm_core::equation("22", "II.4 step 9: microlife")]
    #[inline]
    fn live(&self, plot: usize, surplus: f64, ground: &Ground<'_>) {
        let microlife = &ground.microlife[plot];
        let cide = ground.cide[3 * self.columns.water.len() + plot].get();
        let harms = [(self.p.cide_sensitivity, cide), (self.p.surplus_sensitivity, surplus / self.capacity)];
        let survival = response(0.0, &harms);
        microlife.set(self.p.microlife_after(microlife.get(), survival));
    }

    /// Rain and surplus water wash nutrients out, fewer if the microlife is healthy (II.4 step 10).
    #[farm_core::equation("II.4 step 10: leaching")]
    #[inline]
    fn leach(&self, plot: usize, strength: f64, ground: &Ground<'_>) {
        let exposed = strength * (1.0 - ground.microlife[plot].get() / 100.0);
        let (stocks, leached) = (ground.nutrients, ground.leached);
        for x in 0..4 {
            let at = x * self.columns.water.len() + plot;
            let before = stocks[at].get();
            let kept = match (exposed > 0.0, self.paper_leaching) {
                (false, _) => before,
                (true, false) => before * exp(-self.leaching[x] * exposed),
                (true, true) => (before - self.area * exposed).max(0.0),
            };
            stocks[at].set(kept);
            leached[at].set(before - kept);
        }
    }
}

#[inline]
fn add(cell: &Cell<f64>, amount: f64) {
    cell.set(cell.get() + amount);
}
