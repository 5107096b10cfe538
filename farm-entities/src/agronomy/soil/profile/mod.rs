//! A profile of up to twelve layers: the soil of `equations: agronomic`.
//!
//! Rain infiltrates or runs off by its curve number. Water drains from layer to layer and carries nitrate. What a layer cannot pass on
//! backs up, and runs off at the surface. Water rises from a water table. The surface dries in the two stages of FAO-56. Roots take up
//! water and nitrogen from each layer by their length in it. Humus has an active and a stable part. Ammonium becomes nitrate, and soil
//! without air loses nitrate to the air. Phosphorus and potassium are one stock for the whole soil. The duration of an irrigation has no
//! effect here. Irrigation that the topsoil cannot hold stands on the plot until the day passes.
//!
//! A rice field needs a layer of low conductivity, no curve number, and water each day.
//!
//! Sources: USDA NEH-4 (runoff), DSSAT's SATFLO and ROOTWU (drainage and uptake of water), the AquaCrop manual 3.8 and 3.9 (drainage and
//! rise), FAO-56 Eqs. 71–74 (evaporation), CERES maize (uptake of nitrogen), AMG (humus), and the sources of the laws in
//! [`laws`](crate::agronomy::laws).

mod columns;
mod nitrogen;
mod parameters;
mod roots;
mod strata;
mod water;

pub(super) use columns::ProfileColumns;
pub(in crate::agronomy::soil) use parameters::ProfileParameters;
pub(super) use strata::Strata;

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::math::simd::{self, Loop, each, mapped};
use farm_core::math::{Bounded, exp, exps};
use farm_core::{Behaviour, Context, Phase, Reader};

use super::cides::Cides;
use super::matter::{Stocks, Turnover};
use super::nutrients::Nutrients;
use super::others::Inflow;
use super::supply::Supply;
use super::{Brought, Ground, MANY, Soil, SoilColumns};
use crate::agronomy::laws::canopy::adjusted_cover;
use crate::agronomy::laws::organic_matter::{
    ACTIVE, ACTIVE_DECAY, CARBON_PER_NITROGEN, active_decay_by_clay, active_decay_by_temperature, decay_by_moisture,
};
use crate::agronomy::laws::ramp;
use crate::agronomy::laws::soil_nitrogen::{denitrification, nitrification, nitrification_by_acidity};
use crate::agronomy::laws::soil_water::CurveNumbers;
use crate::agronomy::laws::water::{evaporation_reduction, oxygen_response};
use crate::agronomy::rows::{ROW, read, rows, sums, write};
use columns::Layered;
use parameters::MOST_LAYERS;
use roots::Roots;

/// A value for each layer of the plots in a row.
type Slab<const W: usize> = [[f64; W]; MOST_LAYERS];

/// Evaporation from wet bare soil, as a multiple of ET₀ \[–\] (AquaCrop manual 3.11: Kex).
const WET_SOIL: f64 = 1.1;
/// Share of the topsoil's volume that must be air for roots and microlife \[–\], and the days until a lack of air has its full effect
/// (AquaCrop manual 3.2.3, usual crops).
const AIR_NEEDED: f64 = 0.05;
const BEARABLE_DAYS: f64 = 3.0;
/// Clay in percent and pH of a soil that sets neither.
const USUAL_CLAY: f64 = 20.0;
const USUAL_PH: f64 = 7.0;

pub(super) struct Profile {
    p: Soil,
    columns: SoilColumns,
    layered: ProfileColumns,
    area: f64,
    topsoil: Topsoil,
    curve: Option<CurveNumbers>,
    /// Effect of clay on the decay of humus, and of acidity on nitrification.
    clay: f64,
    acidity: f64,
    /// Water, topsoil water and nitrogen of a plot at the start.
    start: [f64; 3],
    nutrients: Nutrients,
    most: Stocks,
    leaching: [f64; 4],
    cides: Cides,
    inflow: Option<Inflow>,
    supply: Option<Supply>,
}

/// The topsoil of a plot, in L.
struct Topsoil {
    liters: f64,
    wilting: f64,
    capacity: f64,
    saturation: f64,
}

/// The day's conditions, which are the same for all plots.
struct Day {
    rain_mm: f64,
    /// Evaporation from wet bare soil, in L per plot.
    evaporation: f64,
    /// Shares of the active humus that decays, of ammonium that becomes nitrate and of nitrate that is lost, at the best moisture.
    decay: f64,
    nitrification: f64,
    denitrification: f64,
    has_cides: bool,
}

/// The values of all plots.
struct Values<'a> {
    ground: Ground<'a>,
    layered: Layered<'a>,
}

/// The water and the mineral nitrogen in the layers of the plots in a row.
struct Content<const W: usize> {
    water: Slab<W>,
    nitrate: Slab<W>,
    ammonium: Slab<W>,
}

impl Profile {
    pub(super) fn new(p: &Soil, columns: SoilColumns, layered: ProfileColumns, brought: Brought, cides: Cides) -> Self {
        let (profile, strata) = (&p.profile, &layered.strata);
        let nutrients = Nutrients::new(p, &columns);
        let [wilting, capacity, saturation] = strata.waters_of(strata.topsoil);
        let nitrogen = strata.sum(strata.len(), |layer| layer.nitrate + layer.ammonium);
        let water = |layers: usize| strata.sum(layers, |layer| layer.water);
        Self {
            area: strata.area_m2,
            topsoil: Topsoil {
                liters: strata.sum(strata.topsoil, |layer| layer.liters),
                wilting,
                capacity,
                saturation,
            },
            curve: profile.curve_number.map(CurveNumbers::new),
            clay: active_decay_by_clay(profile.clay.unwrap_or(USUAL_CLAY)),
            acidity: nitrification_by_acidity(profile.ph.unwrap_or(USUAL_PH)),
            start: [water(strata.len()), water(strata.topsoil), nitrogen.at_most(nutrients.most[0])],
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
        let v = self.values(c);
        let (p, plots, strata) = (&self.p.profile, self.plots(), &self.layered.strata);
        let carbon = strata.carbon / self.area;
        self.nutrients.reset([0.0, p.initial_p, p.initial_k, carbon], &self.columns, c);
        let fill = |cells: &[Cell<f64>], value: f64| cells.iter().for_each(|cell| cell.set(value));
        for (i, layer) in strata.layers.iter().enumerate() {
            let at = i * plots..(i + 1) * plots;
            fill(&v.layered.water[at.clone()], layer.water);
            fill(&v.layered.nitrate[at.clone()], layer.nitrate);
            fill(&v.layered.ammonium[at], layer.ammonium);
        }
        let [water, topsoil, nitrogen] = self.start;
        fill(v.ground.water, water);
        fill(v.layered.topsoil, topsoil);
        fill(&v.ground.nutrients[..plots], nitrogen);
        fill(v.layered.active, strata.active.at_most(self.most.carbon));
        fill(v.ground.microlife, self.p.initial_microlife);
    }

    /// Divides what the rules set for the whole soil between the layers, unless they set the layers.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        let v = self.values(c);
        for plot in 0..self.plots() {
            let mut content = self.content::<1>(plot, &v);
            self.divide(plot, &mut content, &v);
            let strata = &self.layered.strata.layers;
            let dry = strata
                .iter()
                .zip(&content.water)
                .fold(0.0, |sum, (layer, [water])| sum + layer.evaporating * (layer.capacity - water));
            let evaporated = (dry / self.area).clamp(0.0, self.layered.strata.evaporable_mm);
            v.layered.evaporated[plot].set(evaporated);
            v.ground.wet_surface[plot].set(self.area * self.wet_share(evaporated));
            let roots = self.roots(plot, &content, c);
            self.put_back(plot, &content, &roots, &v);
        }
    }

    /// Irrigates a plot. Water that the topsoil cannot hold stands on the plot until the day passes.
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let (plot, asked) = (arguments.plot(0), arguments.real(1));
        let amount = self.supply.as_ref().map_or(asked, |supply| supply.take(asked, c));
        let v = self.values(c);
        let mut content = self.content::<1>(plot, &v);
        let over = self.pour(&mut content, amount);
        let evaporated = &v.layered.evaporated[plot];
        evaporated.set((evaporated.get() - amount / self.area).at_least(0.0));
        let roots = self.roots(plot, &content, c);
        self.put_back(plot, &content, &roots, &v);
        let pending = &v.ground.pending_surplus[plot];
        pending.set((pending.get() + over).at_most(0.5 * MANY));
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
        simd::run(AllPlots { soil: self, c });
    }
}

/// A day of all plots.
struct AllPlots<'a, 'b> {
    soil: &'a Profile,
    c: &'a Context<'b>,
}

impl Loop for AllPlots<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { soil, c } = self;
        let v = soil.values(c);
        let day = soil.day(&v, c);
        let (rows, singles) = rows(soil.plots());
        for first in rows {
            soil.pass_day::<ROW>(first, &day, &v, c);
        }
        for plot in singles {
            soil.pass_day::<1>(plot, &day, &v, c);
        }
    }
}

impl Profile {
    fn plots(&self) -> usize {
        self.columns.water.len()
    }

    #[inline]
    fn values<'a>(&self, c: &Context<'a>) -> Values<'a> {
        Values { ground: self.columns.values(c), layered: self.layered.values(c) }
    }

    fn day(&self, v: &Values<'_>, c: &Context<'_>) -> Day {
        let celsius = c.value(self.layered.temperature);
        Day {
            rain_mm: c.value(self.columns.rain_mm),
            evaporation: WET_SOIL * c.value(self.columns.evapotranspiration) * self.area,
            // At most 1, also in extreme heat of a plugin's weather.
            decay: (ACTIVE_DECAY * active_decay_by_temperature(celsius) * self.clay).at_most(1.0),
            nitrification: nitrification(celsius) * self.acidity,
            denitrification: denitrification(celsius),
            has_cides: self.cides.are_there(&self.columns, &v.ground, c),
        }
    }

    /// Evaporation as a share of the evaporation from a wet surface (FAO-56 Eq. 74).
    #[inline]
    fn wet_share(&self, evaporated_mm: f64) -> f64 {
        evaporation_reduction(evaporated_mm, self.p.profile.readily_evaporable, self.layered.strata.evaporable_mm)
    }

    #[inline(always)]
    fn content<const W: usize>(&self, first: usize, v: &Values<'_>) -> Content<W> {
        let plots = self.plots();
        let mut content = Content { water: [[0.0; W]; _], nitrate: [[0.0; W]; _], ammonium: [[0.0; W]; _] };
        for i in 0..self.layered.strata.len() {
            let at = i * plots + first;
            content.water[i] = read(v.layered.water, at);
            content.nitrate[i] = read(v.layered.nitrate, at);
            content.ammonium[i] = read(v.layered.ammonium, at);
        }
        content
    }

    /// Divides what the rules set for a whole plot between its layers.
    fn divide(&self, plot: usize, content: &mut Content<1>, v: &Values<'_>) {
        let strata = &self.layered.strata;
        let (layers, top) = (&strata.layers, strata.topsoil);
        let [water, topsoil] = [v.ground.water[plot].get(), v.layered.topsoil[plot].get()];
        let [start_water, start_topsoil, start_nitrogen] = self.start;
        let is_set = |of: &Slab<1>, start: fn(&strata::Stratum) -> f64| {
            layers.iter().zip(of).any(|(layer, [now])| *now != start(layer))
        };
        if !is_set(&content.water, |layer| layer.water) {
            let mut fill = |from: usize, to: usize, liters: f64| {
                let steps = Strata::fill(&layers[from..to], liters.at_least(0.0));
                (from..to).for_each(|i| content.water[i] = [layers[i].at(steps)]);
            };
            match (topsoil != start_topsoil, water != start_water) {
                (false, true) => fill(0, layers.len(), water),
                (true, false) => fill(0, top, topsoil),
                (true, true) => {
                    let room_below = strata.waters()[2] - self.topsoil.saturation;
                    let topsoil = topsoil.at_least(water - room_below).at_most(water);
                    fill(0, top, topsoil);
                    fill(top, layers.len(), water - topsoil);
                }
                (false, false) => {}
            }
        }
        let nitrogen = v.ground.nutrients[plot].get();
        let is_untouched =
            !is_set(&content.nitrate, |layer| layer.nitrate) && !is_set(&content.ammonium, |layer| layer.ammonium);
        if is_untouched && nitrogen != start_nitrogen {
            if start_nitrogen > 0.0 {
                let factor = nitrogen / start_nitrogen;
                let all = content.nitrate.iter_mut().chain(&mut content.ammonium);
                all.for_each(|[stock]| *stock *= factor);
            } else {
                content.nitrate[0] = [nitrogen];
            }
        }
        let carbon = v.ground.nutrients[3 * self.plots() + plot].get();
        let active = &v.layered.active[plot];
        if active.get() == strata.active {
            active.set(ACTIVE * carbon);
        }
        active.set(active.get().at_most(carbon));
    }

    /// A day of the plots in a row.
    #[inline(always)]
    fn pass_day<const W: usize>(&self, first: usize, day: &Day, v: &Values<'_>, c: &Context<'_>) {
        let mut content = self.content::<W>(first, v);
        let flushed = self.take_in_water(first, day, &mut content, v, c);
        if day.has_cides {
            self.cides.take_in::<W>(first, &self.columns, &v.ground, c);
        }
        self.feed::<W>(first, v, c);
        let roots = self.roots(first, &content, c);
        self.feed_nitrogen(first, &roots, &mut content, v, c);
        let from_surface = self.water_plants(first, &roots, &mut content, v, c);
        self.evaporate(first, day, from_surface, &mut content, v, c);
        self.rise(first, &mut content, v);
        self.transform(first, day, &mut content, v);
        let top = self.topsoil_water(&content);
        let air_share = mapped(top, |top| (self.topsoil.saturation - top) / self.topsoil.liters);
        self.live(first, air_share, v);
        let moisture = mapped(top, |top| ramp(top, self.topsoil.wilting, self.topsoil.capacity));
        let decay = each(|k| day.decay * decay_by_moisture(moisture[k], air_share[k]));
        self.turn_over(first, decay, &mut content, v, c);
        if day.has_cides {
            self.cides.wash_out(first, flushed, &self.columns, &v.ground, c);
        }
        self.leach(first, flushed, v);
        self.put_back(first, &content, &roots, v);
    }

    #[inline(always)]
    fn topsoil_water<const W: usize>(&self, content: &Content<W>) -> [f64; W] {
        let mut water = [0.0; W];
        for layer in &content.water[..self.layered.strata.topsoil] {
            (0..W).for_each(|k| water[k] += layer[k]);
        }
        water
    }

    /// Bedrock and dead matter release phosphorus and potassium, and plants take their share. Humus comes only from dead matter.
    #[inline(always)]
    fn feed<const W: usize>(&self, first: usize, v: &Values<'_>, c: &Context<'_>) {
        let microlife = mapped(read::<W>(v.ground.microlife, first), |microlife| microlife / 100.0);
        for x in 1..3 {
            let released = sums(&self.columns.release[x], first, c);
            self.nutrients.feed_row(x, first, microlife, released, &v.ground, c);
        }
        let at_c = 3 * self.plots() + first;
        let before = read::<W>(v.ground.nutrients, at_c);
        self.nutrients.feed_row(3, first, [0.0; W], [0.0; W], &v.ground, c);
        self.shrink_active(first, before, v);
    }

    /// Humus that leaves the soil takes its part of the active humus along.
    #[inline(always)]
    fn shrink_active<const W: usize>(&self, first: usize, before: [f64; W], v: &Values<'_>) {
        let now = read::<W>(v.ground.nutrients, 3 * self.plots() + first);
        if now != before {
            let active = read::<W>(v.layered.active, first);
            write(
                v.layered.active,
                first,
                each::<_, W>(|k| if now[k] < before[k] { active[k] * now[k] / before[k] } else { active[k] }),
            );
        }
    }

    /// The microlife grows, or suffers from pesticides and from a topsoil without air (Farm-gym Eq. 22).
    #[farm_core::equation("22")]
    #[inline(always)]
    fn live<const W: usize>(&self, first: usize, air_share: [f64; W], v: &Values<'_>) {
        let cide = read::<W>(v.ground.cide, 3 * self.plots() + first);
        let harm: [f64; W] = each(|k| {
            let wet_days = &v.layered.wet_days[first + k];
            wet_days.set(if air_share[k] < AIR_NEEDED { (wet_days.get() + 1).min(10_000) } else { 0 });
            let breath = oxygen_response(air_share[k], AIR_NEEDED, f64::from(wet_days.get()), BEARABLE_DAYS);
            let of_cide = self.p.cide_sensitivity * (cide[k] / self.area);
            of_cide + self.p.profile.air_sensitivity * (1.0 - breath)
        });
        // Without harm, which is usual, everything survives.
        let surviving = if harm == [0.0; W] { [1.0; W] } else { exps(mapped(harm, |harm| -harm)) };
        let microlife = read::<W>(v.ground.microlife, first);
        let after = each::<_, W>(|k| self.p.microlife_after(microlife[k], surviving[k]));
        write(v.ground.microlife, first, after);
    }

    /// Active humus decays, and part of the dead matter becomes active humus. Both happen in the topsoil.
    #[inline(always)]
    fn turn_over<const W: usize>(
        &self,
        first: usize,
        decay: [f64; W],
        content: &mut Content<W>,
        v: &Values<'_>,
        c: &Context<'_>,
    ) {
        let at_c = 3 * self.plots() + first;
        let strata = &self.layered.strata.layers;
        let (carbon, active) = (read::<W>(v.ground.nutrients, at_c), read::<W>(v.layered.active, first));
        let microlife = read::<W>(v.ground.microlife, first);
        let dead = sums::<W>(&self.columns.release[3], first, c);
        let (mut near, mut all) = ([0.0; W], [0.0; W]);
        for (i, layer) in strata.iter().enumerate() {
            for k in 0..W {
                let mineral = content.nitrate[i][k] + content.ammonium[i][k];
                all[k] += mineral;
                if layer.humus > 0.0 {
                    near[k] += mineral;
                }
            }
        }
        let days: [(Turnover, Stocks); W] = each(|k| {
            let now = Stocks { nitrogen: near[k], carbon: carbon[k] };
            let most = Stocks { nitrogen: self.most.nitrogen - (all[k] - near[k]), carbon: self.most.carbon };
            let share = if carbon[k] > 0.0 { active[k] / carbon[k] } else { 0.0 };
            let turnover = Turnover::of_day(now, most, decay[k] * share * microlife[k] / 100.0, dead[k]);
            (turnover, turnover.after(now, most))
        });
        for (i, layer) in strata.iter().enumerate().filter(|(_, layer)| layer.humus > 0.0) {
            for k in 0..W {
                let turnover = &days[k].0;
                content.ammonium[i][k] += layer.humus * turnover.mineralised;
                let before = near[k] + turnover.mineralised;
                if turnover.bound > 0.0 {
                    let kept = ((before - turnover.bound) / before).at_least(0.0);
                    content.ammonium[i][k] *= kept;
                    content.nitrate[i][k] *= kept;
                }
            }
        }
        let grown = |k: usize| (days[k].0.bound - days[k].0.mineralised) * CARBON_PER_NITROGEN;
        let active: [f64; W] = each(|k| (active[k] + grown(k)).clamp(0.0, days[k].1.carbon));
        write(v.layered.active, first, active);
        write(v.ground.nutrients, at_c, mapped(days, |(_, after)| after.carbon));
        write(v.ground.gain, at_c, mapped(days, |(turnover, _)| turnover.came_in));
        write(v.layered.mineralised, first, mapped(days, |(turnover, _)| turnover.mineralised));
        write(v.layered.bound, first, mapped(days, |(turnover, _)| turnover.bound));
        write(v.layered.respired, first, mapped(days, |(turnover, _)| turnover.respired));
    }

    /// Draining water leaches phosphorus, potassium and humus. Nitrogen moves with the water of the layers.
    #[inline(always)]
    fn leach<const W: usize>(&self, first: usize, flushed: [f64; W], v: &Values<'_>) {
        let is_dry = flushed.iter().all(|flushed| *flushed <= 0.0);
        for (x, speed) in self.leaching.iter().enumerate().skip(1) {
            let at = x * self.plots() + first;
            if is_dry || *speed <= 0.0 {
                write(v.ground.leached, at, [0.0; W]);
                continue;
            }
            let before = read::<W>(v.ground.nutrients, at);
            let lost: [f64; W] = each(|k| match flushed[k] > 0.0 {
                true => before[k] * (1.0 - exp(-speed * flushed[k])),
                false => 0.0,
            });
            write(v.ground.nutrients, at, each::<_, W>(|k| before[k] - lost[k]));
            write(v.ground.leached, at, lost);
            if x == 3 {
                self.shrink_active(first, before, v);
            }
        }
    }

    /// Writes the content of the layers and what follows from it. Sums are rounded and may exceed the range in the last digit.
    #[inline(always)]
    fn put_back<const W: usize>(&self, first: usize, content: &Content<W>, roots: &Roots<W>, v: &Values<'_>) {
        let (plots, strata) = (self.plots(), &self.layered.strata);
        let (mut water, mut nitrogen, mut reached) = ([0.0; W], [0.0; W], [0.0; W]);
        let (mut missing, mut usable, mut air, mut liters) = ([0.0; W], [0.0; W], [0.0; W], [0.0; W]);
        for (i, layer) in strata.layers.iter().enumerate() {
            let at = i * plots + first;
            let now: [f64; W] = mapped(content.water[i], |water| water.at_most(layer.saturation));
            write(v.layered.water, at, now);
            write(v.layered.nitrate, at, mapped(content.nitrate[i], |nitrate| nitrate.at_most(self.most.nitrogen)));
            write(v.layered.ammonium, at, mapped(content.ammonium[i], |ammonium| ammonium.at_most(self.most.nitrogen)));
            for k in 0..W {
                water[k] += now[k];
                nitrogen[k] += content.nitrate[i][k] + content.ammonium[i][k];
                let free = (content.ammonium[i][k] - layer.ammonium_left).at_least(0.0);
                reached[k] += roots.nitrogen[i][k] * (content.nitrate[i][k] + free);
                let inside = if i < strata.topsoil { 1.0 } else { roots.inside[i][k] };
                missing[k] += inside * (layer.capacity - now[k]);
                usable[k] += inside * (layer.capacity - layer.wilting);
                air[k] += inside * (layer.saturation - now[k]);
                liters[k] += inside * layer.liters;
            }
        }
        let most = self.columns.limits.most_water;
        write(v.ground.water, first, mapped(water, |water| water.at_most(most)));
        write(
            v.layered.topsoil,
            first,
            mapped(self.topsoil_water(content), |top| top.at_most(self.topsoil.saturation)),
        );
        write(v.ground.nutrients, first, mapped(nitrogen, |nitrogen| nitrogen.at_most(self.most.nitrogen)));
        write(v.layered.rooted_nitrogen, first, mapped(reached, |nitrogen| nitrogen.at_most(self.most.nitrogen)));
        write(
            v.layered.rooted_depletion,
            first,
            each::<_, W>(|k| if usable[k] > 0.0 { (missing[k] / usable[k]).clamp(0.0, 1.0) } else { 1.0 }),
        );
        let share = |k: usize| (air[k] / liters[k]).clamp(0.0, 1.0);
        write(v.layered.rooted_air, first, each::<_, W>(share));
    }

    /// Water evaporates from ground without shade, less if the surface has dried. Uptake by plants also dries the surface.
    #[inline(always)]
    fn evaporate<const W: usize>(
        &self,
        first: usize,
        day: &Day,
        from_surface: [f64; W],
        content: &mut Content<W>,
        v: &Values<'_>,
        c: &Context<'_>,
    ) {
        let shade = sums::<W>(&self.columns.shade, first, c);
        let (mut dried, mut evaporated) = (read::<W>(v.layered.evaporated, first), [0.0; W]);
        let most = self.layered.strata.evaporable_mm;
        for k in 0..W {
            let shaded = (shade[k] / self.area).at_most(1.0);
            evaporated[k] = day.evaporation * (1.0 - adjusted_cover(shaded)) * self.wet_share(dried[k]);
        }
        self.dry_surface(&mut evaporated, content);
        for k in 0..W {
            dried[k] = (dried[k] + (evaporated[k] + from_surface[k]) / self.area).at_most(most);
        }
        write(v.ground.evaporation, first, evaporated);
        write(v.layered.evaporated, first, dried);
        write(v.ground.wet_surface, first, mapped(dried, |dried| self.area * self.wet_share(dried)));
    }
}
