//! A profile of two layers: the soil of `equations: agronomic`.
//!
//! The water of the topsoil is a part of the water of the plot; what drains leaves the subsoil. The surface dries in the two stages of
//! FAO-56. Carbon is humus: it decays with warmth and moisture and sets its nitrogen free, and a part of dead matter becomes humus
//! and binds nitrogen. Nutrients leave with the water that drains. How long a watering takes does not matter here.
//!
//! Sources: FAO-56 Eqs. 71–74 (evaporation), the AquaCrop manual 3.8 (drainage) and 3.2.3 (air), and those of the laws in
//! [`laws`](crate::agronomy::laws).

mod columns;
mod matter;
mod parameters;
mod water;

pub(super) use columns::{ProfileColumns, total_nitrogen};
pub use parameters::ProfileParameters;

use farm_core::action::CallArguments;
use farm_core::math::exp;
use farm_core::{Behaviour, Column, Context, Phase};

use super::cides::Cides;
use super::nutrients::Nutrients;
use super::others::Inflow;
use super::{Ground, MANY, Soil, SoilColumns, sum_at};
use crate::agronomy::laws::canopy::adjusted_cover;
use crate::agronomy::laws::organic_matter::{DECAY, decay_by_moisture, decay_by_temperature};
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::water::{evaporation_reduction, oxygen_response};
use crate::agronomy::response::response;
use columns::Layered;
use matter::{Stocks, Turnover};
use water::{Layers, Water};

/// Evaporation of wet bare soil, as a multiple of ET₀ \[–\] (AquaCrop manual 3.11: Kex).
const WET_SOIL: f64 = 1.1;
/// Share of what plants take from the topsoil that dries the surface \[–\] (design: roots are few in the uppermost 15 cm).
const FROM_SURFACE: f64 = 0.3;
/// Share of the topsoil's volume that must be air for roots and microlife \[–\], and the days that they bear less
/// (AquaCrop manual 3.2.3, usual crops).
const AIR_NEEDED: f64 = 0.05;
const BEARABLE_DAYS: f64 = 3.0;

pub(super) struct Profile {
    p: Soil,
    columns: SoilColumns,
    layered: ProfileColumns,
    layers: Layers,
    area: f64,
    /// The volume of the topsoil in L.
    topsoil_liters: f64,
    /// Where water stands at the start.
    initial: Water,
    nutrients: Nutrients,
    most: Stocks,
    leaching: [f64; 4],
    cides: Cides,
    inflow: Option<Inflow>,
}

/// What is the same for all plots today.
struct Day {
    rain_liters: f64,
    /// Evaporation of wet bare soil, in L per plot.
    evaporation: f64,
    /// Share of the humus that decays where moisture and microlife do not limit it.
    decay: f64,
    has_cides: bool,
}

/// The values of all plots.
struct Values<'a> {
    ground: Ground<'a>,
    layered: Layered<'a>,
}

impl Profile {
    pub(super) fn new(
        p: &Soil,
        columns: SoilColumns,
        layered: ProfileColumns,
        inflow: Option<Inflow>,
        cides: Cides,
    ) -> Self {
        let (profile, area) = (&p.profile, columns.limits.area_m2);
        let layers = Layers::new(profile, area);
        let nutrients = Nutrients::new(p, &columns);
        Self {
            initial: layers.filled(profile.initial_water),
            layers,
            area,
            topsoil_liters: 1000.0 * profile.topsoil() * area,
            most: Stocks { nitrogen: nutrients.most[0], carbon: nutrients.most[3] },
            nutrients,
            leaching: [profile.leaching_n, profile.leaching_p, profile.leaching_k, profile.leaching_c],
            cides,
            inflow,
            p: p.clone(),
            columns,
            layered,
        }
    }
}

impl Behaviour for Profile {
    fn reset(&self, c: &mut Context<'_>) {
        let fill = |column: Column<f64>, value: f64| c.get(column).iter().for_each(|cell| cell.set(value));
        fill(self.columns.water, self.initial.total().min(self.columns.limits.most_water));
        fill(self.layered.topsoil, self.initial.top);
        fill(self.columns.microlife, self.p.initial_microlife);
        let p = &self.p.profile;
        self.nutrients.reset([p.initial_n, p.initial_p, p.initial_k, p.initial_c], &self.columns, c);
    }

    /// Puts water that the rules set into the layers, where they do not say how much is in the topsoil evenly; the surface is as dry
    /// as the topsoil.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        let v = self.values(c);
        for plot in 0..self.columns.water.len() {
            let (total, top) = (v.ground.water[plot].get(), v.layered.topsoil[plot].get());
            let is_set = top != self.initial.top || total == self.initial.total();
            let water = self.layers.split(total, is_set.then_some(top));
            v.layered.topsoil[plot].set(water.top);
            let evaporated = self.layers.evaporated(water.top);
            v.layered.evaporated[plot].set(evaporated);
            v.ground.wet_surface[plot].set(self.area * self.wet_share(evaporated));
        }
    }

    /// Watering: what no pore has room for waits as surplus for the day's account.
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let (plot, amount) = (arguments.plot(0), arguments.real(1));
        let v = self.values(c);
        let mut water = read(plot, &v);
        let over = self.take_in(plot, amount, &mut water, &v);
        self.layers.overflow(&mut water);
        self.write(plot, water, &v);
        let pending = &v.ground.pending_surplus[plot];
        pending.set((pending.get() + over).min(0.5 * MANY));
        let added = &v.ground.added[0];
        added.set(added.get() + amount);
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let v = self.values(c);
        let day = self.day(&v, c);
        for plot in 0..self.columns.water.len() {
            let mut water = read(plot, &v);
            self.take_in_water(plot, &day, &mut water, &v, c);
            let flushed = self.drain(plot, &mut water, &v);
            if day.has_cides {
                self.cides.take_in(plot, &self.columns, &v.ground, c);
            }
            self.feed(plot, &v, c);
            let from_top = self.water_plants(plot, &mut water, &v, c);
            self.evaporate(plot, &day, from_top, &mut water, &v, c);
            let air_share = (self.layers.top.saturation - water.top) / self.topsoil_liters;
            self.live(plot, air_share, &v);
            let moisture = ramp(water.top, self.layers.top.wilting, self.layers.top.capacity);
            self.turn_over(plot, day.decay * decay_by_moisture(moisture, air_share), &v, c);
            if day.has_cides {
                self.cides.wash_out(plot, flushed, &self.columns, &v.ground, c);
            }
            self.leach(plot, flushed, &v);
            self.write(plot, water, &v);
        }
    }
}

impl Profile {
    #[inline]
    fn values<'a>(&self, c: &Context<'a>) -> Values<'a> {
        Values { ground: self.columns.values(c), layered: self.layered.values(c) }
    }

    fn day(&self, v: &Values<'_>, c: &Context<'_>) -> Day {
        Day {
            rain_liters: c.value(self.columns.rain_mm) * self.area,
            evaporation: WET_SOIL * c.value(self.columns.evapotranspiration) * self.area,
            // A share, however hot a plugin's weather is.
            decay: (DECAY * decay_by_temperature(c.value(self.layered.temperature))).min(1.0),
            has_cides: self.cides.are_there(&self.columns, &v.ground, c),
        }
    }

    #[inline]
    fn write(&self, plot: usize, water: Water, v: &Values<'_>) {
        // Sums are rounded: they may leave the range by the last digit.
        v.ground.water[plot].set(water.total().min(self.columns.limits.most_water));
        v.layered.topsoil[plot].set(water.top.min(self.layers.top.saturation));
    }

    /// Share of the evaporation of a wet surface that is left (FAO-56 Eq. 74).
    #[inline]
    fn wet_share(&self, evaporated_mm: f64) -> f64 {
        let total = self.layered.limits.evaporable_mm;
        evaporation_reduction(evaporated_mm, self.p.profile.readily_evaporable, total)
    }

    /// Water from above wets the surface and the topsoil; returns what no pore has room for.
    #[inline]
    fn take_in(&self, plot: usize, amount: f64, water: &mut Water, v: &Values<'_>) -> f64 {
        let evaporated = &v.layered.evaporated[plot];
        evaporated.set((evaporated.get() - amount / self.area).max(0.0));
        self.layers.pour(water, amount)
    }

    /// Rain falls in, and water of others; what does not fit runs off, that of the day's irrigation included.
    #[inline]
    fn take_in_water(&self, plot: usize, day: &Day, water: &mut Water, v: &Values<'_>, c: &Context<'_>) {
        let brought = self.inflow.as_ref().map_or(0.0, |inflow| inflow.take_in(plot, c));
        let over = self.take_in(plot, brought + day.rain_liters, water, v);
        v.ground.surplus[plot].set(over + v.ground.pending_surplus[plot].replace(0.0));
    }

    /// Water above the field capacity drains; returns it as a share of the water that was there.
    #[inline]
    fn drain(&self, plot: usize, water: &mut Water, v: &Values<'_>) -> f64 {
        let before = water.total();
        let drained = self.layers.drain(water);
        v.ground.drainage[plot].set(drained);
        if drained > 0.0 { drained / before } else { 0.0 }
    }

    /// Bedrock gives, plants take their share, dead matter gives back; humus comes of dead matter only.
    #[inline]
    fn feed(&self, plot: usize, v: &Values<'_>, c: &Context<'_>) {
        let microlife = v.ground.microlife[plot].get() / 100.0;
        for x in 0..3 {
            let released = sum_at(&self.columns.release[x], plot, c);
            self.nutrients.feed(x, plot, microlife, released, &v.ground, c);
        }
        self.nutrients.feed(3, plot, 0.0, 0.0, &v.ground, c);
    }

    /// Plants drink what their roots reach; returns what they took from the topsoil.
    #[inline]
    fn water_plants(&self, plot: usize, water: &mut Water, v: &Values<'_>, c: &Context<'_>) -> f64 {
        v.ground.supply_water[plot].set(water.total().min(self.columns.limits.most_water));
        let asked = sum_at(&self.columns.water_demand, plot, c);
        let (share, from_top) = self.layers.drink(water, asked, self.reach(plot, c));
        v.ground.water_share[plot].set(share);
        v.ground.uptake_water[plot].set((share * asked).min(self.columns.limits.most_water));
        from_top
    }

    /// Share of the subsoil that the deepest roots reach; all of it where no part says how deep its roots are.
    #[inline]
    fn reach(&self, plot: usize, c: &Context<'_>) -> f64 {
        let roots = &self.layered.root_depth;
        if roots.is_empty() {
            return 1.0;
        }
        let deepest = roots.iter().fold(0.0, |deepest: f64, depth| deepest.max(c.get(*depth)[plot].get()));
        ramp(deepest, self.p.profile.topsoil(), self.p.profile.depth_m)
    }

    /// The ground that no leaf shades evaporates, less when the surface has dried; plants dry it too.
    #[inline]
    fn evaporate(&self, plot: usize, day: &Day, from_top: f64, water: &mut Water, v: &Values<'_>, c: &Context<'_>) {
        let shaded = (sum_at(&self.columns.shade, plot, c) / self.area).min(1.0);
        let before = v.layered.evaporated[plot].get();
        let wished = day.evaporation * (1.0 - adjusted_cover(shaded)) * self.wet_share(before);
        let evaporated = self.layers.evaporate(water, wished);
        v.ground.evaporation[plot].set(evaporated);
        let dried = before + (evaporated + FROM_SURFACE * from_top) / self.area;
        let dried = dried.min(self.layered.limits.evaporable_mm);
        v.layered.evaporated[plot].set(dried);
        v.ground.wet_surface[plot].set(self.area * self.wet_share(dried));
    }

    /// The microlife grows, or suffers from cides and from a topsoil without air (Farm-gym Eq. 22).
    #[inline]
    fn live(&self, plot: usize, air_share: f64, v: &Values<'_>) {
        let wet_days = &v.layered.wet_days[plot];
        wet_days.set(if air_share < AIR_NEEDED { (wet_days.get() + 1).min(10_000) } else { 0 });
        let breath = oxygen_response(air_share, AIR_NEEDED, f64::from(wet_days.get()), BEARABLE_DAYS);
        let cide = v.ground.cide[3 * self.columns.water.len() + plot].get() / self.area;
        let harms = [(self.p.cide_sensitivity, cide), (self.p.profile.air_sensitivity, 1.0 - breath)];
        let microlife = &v.ground.microlife[plot];
        microlife.set(self.p.microlife_after(microlife.get(), response(0.0, &harms)));
    }

    /// Humus decays, a part of dead matter becomes humus.
    #[inline]
    fn turn_over(&self, plot: usize, decay: f64, v: &Values<'_>, c: &Context<'_>) {
        let at_c = 3 * self.columns.water.len() + plot;
        let (nitrogen, carbon) = (&v.ground.nutrients[plot], &v.ground.nutrients[at_c]);
        let now = Stocks { nitrogen: nitrogen.get(), carbon: carbon.get() };
        let decaying = decay * v.ground.microlife[plot].get() / 100.0;
        let dead = sum_at(&self.columns.release[3], plot, c);
        let turnover = Turnover::of_day(now, self.most, decaying, dead);
        let after = turnover.after(now, self.most);
        nitrogen.set(after.nitrogen);
        carbon.set(after.carbon);
        v.ground.gain[at_c].set(turnover.came_in);
        v.layered.mineralised[plot].set(turnover.mineralised);
        v.layered.bound[plot].set(turnover.bound);
        v.layered.respired[plot].set(turnover.respired);
    }

    /// Water that drains takes nutrients along.
    #[inline]
    fn leach(&self, plot: usize, flushed: f64, v: &Values<'_>) {
        for (x, speed) in self.leaching.iter().enumerate() {
            let at = x * self.columns.water.len() + plot;
            let before = v.ground.nutrients[at].get();
            let lost = if flushed * speed > 0.0 { before * (1.0 - exp(-speed * flushed)) } else { 0.0 };
            v.ground.nutrients[at].set(before - lost);
            v.ground.leached[at].set(lost);
        }
    }
}

/// The water of a plot by layers.
#[inline]
fn read(plot: usize, v: &Values<'_>) -> Water {
    let top = v.layered.topsoil[plot].get();
    Water { top, sub: (v.ground.water[plot].get() - top).max(0.0) }
}
