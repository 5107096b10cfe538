//! A profile of two layers: the soil of `equations: agronomic`.
//!
//! The water in the topsoil is part of the water in the plot. Water drains out of the subsoil. The surface dries in the two stages of
//! FAO-56. Carbon is humus: it decays with warmth and moisture and releases its nitrogen. Part of the dead matter becomes humus and binds
//! nitrogen. Nutrients leave with the draining water. The duration of an irrigation has no effect here.
//!
//! Sources: FAO-56 Eqs. 71–74 (evaporation), the AquaCrop manual 3.8 (drainage) and 3.2.3 (air), and the sources of the laws in
//! [`laws`](crate::agronomy::laws).

mod columns;
mod parameters;
mod water;

pub(super) use columns::{ProfileColumns, ProfileLimits, total_nitrogen};
pub(in crate::agronomy::soil) use parameters::ProfileParameters;

use farm_core::action::CallArguments;
use farm_core::math::exp;
use farm_core::{Behaviour, Column, Context, Phase, Reader};

use super::cides::Cides;
use super::matter::{Stocks, Turnover};
use super::nutrients::Nutrients;
use super::others::Inflow;
use super::rows::{largest, read, sums, write};
use super::supply::Supply;
use super::{Brought, Ground, MANY, Soil, SoilColumns};
use crate::agronomy::laws::canopy::adjusted_cover;
use crate::agronomy::laws::organic_matter::{DECAY, decay_by_moisture, decay_by_temperature};
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::water::{evaporation_reduction, oxygen_response};
use crate::agronomy::response::response;
use columns::Layered;
use water::{Layers, Water};

/// Evaporation from wet bare soil, as a multiple of ET₀ \[–\] (AquaCrop manual 3.11: Kex).
const WET_SOIL: f64 = 1.1;
/// Share of the water uptake from the topsoil that dries the surface \[–\] (design: the uppermost 15 cm have few roots).
const FROM_SURFACE: f64 = 0.3;
/// Share of the topsoil's volume that must be air for roots and microlife \[–\], and the days until a lack of air has its full effect
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
    /// The water of the layers at the start.
    initial: Water,
    nutrients: Nutrients,
    most: Stocks,
    leaching: [f64; 4],
    cides: Cides,
    inflow: Option<Inflow>,
    supply: Option<Supply>,
}

/// The day's conditions, which are the same for all plots.
struct Day {
    rain_liters: f64,
    /// Evaporation from wet bare soil, in L per plot.
    evaporation: f64,
    /// Share of the humus that decays if moisture and microlife do not limit it.
    decay: f64,
    has_cides: bool,
}

/// The values of all plots.
struct Values<'a> {
    ground: Ground<'a>,
    layered: Layered<'a>,
}

impl Profile {
    pub(super) fn new(p: &Soil, columns: SoilColumns, layered: ProfileColumns, brought: Brought, cides: Cides) -> Self {
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
            inflow: brought.inflow,
            supply: brought.supply,
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

    /// Divides the initial water between the layers: evenly, unless the rules also set the water in the topsoil. The surface is as dry as
    /// the topsoil.
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

    /// Irrigates a plot. Water that the pores cannot hold is kept as surplus until the day passes.
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let (plot, asked) = (arguments.plot(0), arguments.real(1));
        let amount = self.supply.as_ref().map_or(asked, |supply| supply.take(asked, c));
        let v = self.values(c);
        let mut water = water_of(plot, &v);
        let over = self.take_in(plot, amount, &mut water, &v);
        self.layers.overflow(&mut water);
        self.put_back(plot, [water], &v);
        let pending = &v.ground.pending_surplus[plot];
        pending.set((pending.get() + over).min(0.5 * MANY));
        let added = &v.ground.added[0];
        added.set(added.get() + amount);
    }

    fn has_effect(&self, _: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.supply.as_ref().is_none_or(|supply| supply.has_water(reader))
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        if let Some(supply) = &self.supply {
            supply.catch_rain(c);
        }
        let v = self.values(c);
        let day = self.day(&v, c);
        let (plots, mut first) = (self.columns.water.len(), 0);
        while plots - first >= 8 {
            self.pass_day::<8>(first, &day, &v, c);
            first += 8;
        }
        if plots - first >= 4 {
            self.pass_day::<4>(first, &day, &v, c);
            first += 4;
        }
        (first..plots).for_each(|plot| self.pass_day::<1>(plot, &day, &v, c));
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
            // At most 1, also in extreme heat of a plugin's weather.
            decay: (DECAY * decay_by_temperature(c.value(self.layered.temperature))).min(1.0),
            has_cides: self.cides.are_there(&self.columns, &v.ground, c),
        }
    }

    /// Writes the plots' water back. Sums are rounded and may exceed the range in the last digit.
    #[inline(always)]
    fn put_back<const W: usize>(&self, first: usize, water: [Water; W], v: &Values<'_>) {
        write(v.ground.water, first, water.map(|water| water.total().min(self.columns.limits.most_water)));
        write(v.layered.topsoil, first, water.map(|water| water.top.min(self.layers.top.saturation)));
    }

    /// Evaporation as a share of the evaporation from a wet surface (FAO-56 Eq. 74).
    #[inline]
    fn wet_share(&self, evaporated_mm: f64) -> f64 {
        let total = self.layered.limits.evaporable_mm;
        evaporation_reduction(evaporated_mm, self.p.profile.readily_evaporable, total)
    }

    /// Water from above wets the surface and the topsoil. Returns the water that the pores cannot hold.
    #[inline]
    fn take_in(&self, plot: usize, amount: f64, water: &mut Water, v: &Values<'_>) -> f64 {
        let evaporated = &v.layered.evaporated[plot];
        evaporated.set((evaporated.get() - amount / self.area).max(0.0));
        self.layers.pour(water, amount)
    }

    /// A day of the plots in a row.
    #[inline(always)]
    fn pass_day<const W: usize>(&self, first: usize, day: &Day, v: &Values<'_>, c: &Context<'_>) {
        let mut water = self.take_in_water::<W>(first, day, v, c);
        let flushed = self.drain(first, &mut water, v);
        if day.has_cides {
            self.cides.take_in::<W>(first, &self.columns, &v.ground, c);
        }
        self.feed::<W>(first, v, c);
        let from_top = self.water_plants(first, &mut water, v, c);
        self.evaporate(first, day, from_top, &mut water, v, c);
        let air_share = water.map(|water| (self.layers.top.saturation - water.top) / self.topsoil_liters);
        (0..W).for_each(|k| self.live(first + k, air_share[k], v));
        let moisture = water.map(|water| ramp(water.top, self.layers.top.wilting, self.layers.top.capacity));
        let decay = std::array::from_fn(|k| day.decay * decay_by_moisture(moisture[k], air_share[k]));
        self.turn_over::<W>(first, decay, v, c);
        if day.has_cides {
            self.cides.wash_out(first, flushed, &self.columns, &v.ground, c);
        }
        self.leach(first, flushed, v);
        self.put_back(first, water, v);
    }

    /// Adds rain and water from other parts. Water that does not fit runs off, including the day's surplus irrigation.
    #[inline(always)]
    fn take_in_water<const W: usize>(&self, first: usize, day: &Day, v: &Values<'_>, c: &Context<'_>) -> [Water; W] {
        let mut brought = [0.0; W];
        if let Some(inflow) = &self.inflow {
            (0..W).for_each(|k| brought[k] = inflow.take_in(first + k, c));
        }
        let (top, all) = (read::<W>(v.layered.topsoil, first), read::<W>(v.ground.water, first));
        let mut water: [Water; W] = std::array::from_fn(|k| Water { top: top[k], sub: (all[k] - top[k]).max(0.0) });
        let (mut evaporated, pending) =
            (read::<W>(v.layered.evaporated, first), read::<W>(v.ground.pending_surplus, first));
        let mut surplus = [0.0; W];
        for k in 0..W {
            let amount = brought[k] + day.rain_liters;
            evaporated[k] = (evaporated[k] - amount / self.area).max(0.0);
            surplus[k] = self.layers.pour(&mut water[k], amount) + pending[k];
        }
        write(v.layered.evaporated, first, evaporated);
        write(v.ground.surplus, first, surplus);
        write(v.ground.pending_surplus, first, [0.0; W]);
        water
    }

    /// Water above the field capacity drains. Returns the drained water as a share of the water before drainage.
    #[inline(always)]
    fn drain<const W: usize>(&self, first: usize, water: &mut [Water; W], v: &Values<'_>) -> [f64; W] {
        let before = water.map(|water| water.total());
        let drained: [f64; W] = std::array::from_fn(|k| self.layers.drain(&mut water[k]));
        write(v.ground.drainage, first, drained);
        std::array::from_fn(|k| if drained[k] > 0.0 { drained[k] / before[k] } else { 0.0 })
    }

    /// Bedrock and dead matter release nutrients, and plants take their share. Humus comes only from dead matter.
    #[inline(always)]
    fn feed<const W: usize>(&self, first: usize, v: &Values<'_>, c: &Context<'_>) {
        let microlife = read::<W>(v.ground.microlife, first).map(|microlife| microlife / 100.0);
        for x in 0..3 {
            let released = sums(&self.columns.release[x], first, c);
            self.nutrients.feed_row(x, first, microlife, released, &v.ground, c);
        }
        self.nutrients.feed_row(3, first, [0.0; W], [0.0; W], &v.ground, c);
    }

    /// Plants take up the water that their roots reach. Returns the uptake from the topsoil.
    #[inline(always)]
    fn water_plants<const W: usize>(
        &self,
        first: usize,
        water: &mut [Water; W],
        v: &Values<'_>,
        c: &Context<'_>,
    ) -> [f64; W] {
        let most = self.columns.limits.most_water;
        write(v.ground.supply_water, first, water.map(|water| water.total().min(most)));
        let asked = sums::<W>(&self.columns.water_demand, first, c);
        let reach = self.reach::<W>(first, c);
        let drunk: [(f64, f64); W] = std::array::from_fn(|k| self.layers.drink(&mut water[k], asked[k], reach[k]));
        write(v.ground.water_share, first, drunk.map(|(share, _)| share));
        write(v.ground.uptake_water, first, std::array::from_fn::<_, W, _>(|k| (drunk[k].0 * asked[k]).min(most)));
        drunk.map(|(_, from_top)| from_top)
    }

    /// Share of the subsoil that the deepest roots reach, or 1 if no part reports the depth of its roots.
    #[inline(always)]
    fn reach<const W: usize>(&self, first: usize, c: &Context<'_>) -> [f64; W] {
        let roots = &self.layered.root_depth;
        if roots.is_empty() {
            return [1.0; W];
        }
        let profile = &self.p.profile;
        largest::<W>(roots, first, c).map(|deepest| ramp(deepest, profile.topsoil(), profile.depth_m))
    }

    /// Water evaporates from ground without shade, less if the surface has dried. Uptake by plants also dries the surface.
    #[inline(always)]
    fn evaporate<const W: usize>(
        &self,
        first: usize,
        day: &Day,
        from_top: [f64; W],
        water: &mut [Water; W],
        v: &Values<'_>,
        c: &Context<'_>,
    ) {
        let shade = sums::<W>(&self.columns.shade, first, c);
        let (mut dried, mut evaporated) = (read::<W>(v.layered.evaporated, first), [0.0; W]);
        for k in 0..W {
            let shaded = (shade[k] / self.area).min(1.0);
            let wished = day.evaporation * (1.0 - adjusted_cover(shaded)) * self.wet_share(dried[k]);
            evaporated[k] = self.layers.evaporate(&mut water[k], wished);
            let now = dried[k] + (evaporated[k] + FROM_SURFACE * from_top[k]) / self.area;
            dried[k] = now.min(self.layered.limits.evaporable_mm);
        }
        write(v.ground.evaporation, first, evaporated);
        write(v.layered.evaporated, first, dried);
        write(v.ground.wet_surface, first, dried.map(|dried| self.area * self.wet_share(dried)));
    }

    /// The microlife grows, or suffers from pesticides and from a topsoil without air (Farm-gym Eq. 22).
    #[farm_core::equation("22")]
    #[inline(always)]
    fn live(&self, plot: usize, air_share: f64, v: &Values<'_>) {
        let wet_days = &v.layered.wet_days[plot];
        wet_days.set(if air_share < AIR_NEEDED { (wet_days.get() + 1).min(10_000) } else { 0 });
        let breath = oxygen_response(air_share, AIR_NEEDED, f64::from(wet_days.get()), BEARABLE_DAYS);
        let cide = v.ground.cide[3 * self.columns.water.len() + plot].get() / self.area;
        let harms = [(self.p.cide_sensitivity, cide), (self.p.profile.air_sensitivity, 1.0 - breath)];
        let microlife = &v.ground.microlife[plot];
        microlife.set(self.p.microlife_after(microlife.get(), response(0.0, &harms)));
    }

    /// Humus decays, and part of the dead matter becomes humus.
    #[inline(always)]
    fn turn_over<const W: usize>(&self, first: usize, decay: [f64; W], v: &Values<'_>, c: &Context<'_>) {
        let at_c = 3 * self.columns.water.len() + first;
        let (nitrogen, carbon) = (read::<W>(v.ground.nutrients, first), read::<W>(v.ground.nutrients, at_c));
        let microlife = read::<W>(v.ground.microlife, first);
        let dead = sums::<W>(&self.columns.release[3], first, c);
        let days: [(Turnover, Stocks); W] = std::array::from_fn(|k| {
            let now = Stocks { nitrogen: nitrogen[k], carbon: carbon[k] };
            let turnover = Turnover::of_day(now, self.most, decay[k] * microlife[k] / 100.0, dead[k]);
            (turnover, turnover.after(now, self.most))
        });
        write(v.ground.nutrients, first, days.map(|(_, after)| after.nitrogen));
        write(v.ground.nutrients, at_c, days.map(|(_, after)| after.carbon));
        write(v.ground.gain, at_c, days.map(|(turnover, _)| turnover.came_in));
        write(v.layered.mineralised, first, days.map(|(turnover, _)| turnover.mineralised));
        write(v.layered.bound, first, days.map(|(turnover, _)| turnover.bound));
        write(v.layered.respired, first, days.map(|(turnover, _)| turnover.respired));
    }

    /// Draining water leaches nutrients.
    #[inline(always)]
    fn leach<const W: usize>(&self, first: usize, flushed: [f64; W], v: &Values<'_>) {
        let is_dry = flushed.iter().all(|flushed| *flushed <= 0.0);
        for (x, speed) in self.leaching.iter().enumerate() {
            let at = x * self.columns.water.len() + first;
            if is_dry {
                write(v.ground.leached, at, [0.0; W]);
                continue;
            }
            let before = read::<W>(v.ground.nutrients, at);
            let lost: [f64; W] = std::array::from_fn(|k| match flushed[k] * speed > 0.0 {
                true => before[k] * (1.0 - exp(-speed * flushed[k])),
                false => 0.0,
            });
            write(v.ground.nutrients, at, std::array::from_fn::<_, W, _>(|k| before[k] - lost[k]));
            write(v.ground.leached, at, lost);
        }
    }
}

/// A plot's water by layer.
fn water_of(plot: usize, v: &Values<'_>) -> Water {
    let top = v.layered.topsoil[plot].get();
    Water { top, sub: (v.ground.water[plot].get() - top).max(0.0) }
}
