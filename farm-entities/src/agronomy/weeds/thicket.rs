//! Weeds in the equations `agronomic`: plants of their own on the same light, water and nutrients, which return what they took when
//! they die.
//!
//! How many there are is in `demography.rs`; how much they harm follows from their leaves. One that emerges late stands in the shade and
//! stays small (Kropff & Spitters 1991); together they cannot take more than all (Cousens 1985): both come out of the shares of leaf
//! area. A herbicide kills some of those on which it falls.

use farm_core::action::CallArguments;
use farm_core::math::sum;
use farm_core::{Behaviour, Builder, Column, Columns, Context, Phase, Purpose, Reader};
use farm_roles::{
    AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, CIDE_RELEASE_WEEDS, LEAF_AREA, MICROLIFE, REFERENCE_EVAPOTRANSPIRATION,
    RELEASE, ROOT_DEPTH, SHARE, SOLAR_RADIATION, SUPPLY, WATER_SHARE,
};

use super::Weeds;
use super::life::Life;
use crate::agronomy::NUTRIENTS;
use crate::agronomy::laws::canopy::{adjusted_cover, leaf_area_index, leaf_growth, mixed_canopy};
use crate::agronomy::laws::development::{degree_days, warmth};
use crate::agronomy::laws::growth::{by_light, by_transpiration, growth};
use crate::agronomy::laws::nutrition::nutrition_response;
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use crate::agronomy::laws::supplies::{half_dose, herbicide_survival};
use crate::agronomy::laws::water::{drought_response, tolerated_depletion};
use crate::agronomy::nutrient_demand::NutrientNeeds;
use crate::agronomy::root_zone::SoilLayers;
use crate::agronomy::throughput::{Matter, Throughput, count_grams};

const SPRAY: Purpose = Purpose::named("sprayed weeds");

/// A weed as a plant; only `equations: agronomic` reads it. Defaults are those of a broad-leaved summer weed: orders of magnitude.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WeedPlant {
    /// Base temperature, below which nothing grows, and the one above which nothing is gained.
    #[parameter(unit = "°C", default = [5.0, 32.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Degree-days of a day from which on cold does not slow it.
    #[parameter(unit = "°C.day", default = 10.0, range = 0.0..=60.0)]
    pub warm_enough: f64,
    /// Leaves when it emerges.
    #[parameter(unit = "cm2", default = 0.8, range = 0.001..=1e4)]
    pub seedling_leaves: f64,
    /// Most leaves of one weed.
    #[parameter(unit = "m2", default = 0.2, range = 0.0001..=100.0)]
    pub max_leaves: f64,
    /// Relative growth of the leaves for each degree-day.
    #[parameter(unit = "°C-1.day-1", default = 0.0105, range = 0.0..=1.0)]
    pub growth: f64,
    /// Depth of its roots.
    #[parameter(unit = "m", default = 0.5, range = 0.01..=10.0)]
    pub root_depth: f64,
    /// Basal crop coefficient of a full canopy.
    #[parameter(default = 1.05, range = 0.0..=3.0)]
    pub crop_coefficient: f64,
    /// Depletion of the root zone at which stomata begin to close.
    #[parameter(unit = "prop", default = 0.6, range = 0.0..=1.0)]
    pub transpiration: f64,
    /// Depletion of the root zone at which leaves grow more slowly, and at which they do not grow.
    #[parameter(unit = "prop", default = [0.2, 0.65], range = 0.0..=1.0)]
    pub leaf_growth: [f64; 2],
    /// Dry matter for each millimetre of transpiration per millimetre of reference evapotranspiration.
    #[parameter(unit = "g.m-2", default = 15.0, range = 0.0..=100.0)]
    pub water_productivity: f64,
    /// Most dry matter for each megajoule of the sun's radiation that leaves take.
    #[parameter(unit = "g.MJ-1", default = 1.3, range = 0.0..=10.0)]
    pub radiation_use_efficiency: f64,
    /// Nitrogen in a stand of one tonne per hectare that grows unhindered, in percent.
    #[parameter(unit = "%", default = 4.8, range = 0.0..=20.0)]
    pub nitrogen: f64,
    /// Exponent with which that share falls as the stand grows.
    #[parameter(default = 0.4, range = 0.0..=2.0)]
    pub dilution: f64,
    /// Phosphorus needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 0.12, range = 0.0..=10.0)]
    pub phosphorus: f64,
    /// Potassium needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 1.0, range = 0.0..=10.0)]
    pub potassium: f64,
    /// Share of what is needed, held, at which growth stands still.
    #[parameter(unit = "prop", default = 0.2, range = 0.0..=0.99)]
    pub least: f64,
    /// Share of dead weeds that rots in a day with microlife at 100 %.
    #[parameter(unit = "prop.day-1", default = 0.1, range = 0.0..=1.0)]
    pub rotting: f64,
    /// Dose of herbicide that kills half of the seedlings; that of a label is about three times as much, and kills 19 in 20.
    #[parameter(unit = "g.m-2", default = 0.03, range = 1e-6..=1000.0)]
    pub herbicide_half: f64,
    /// How steeply more of them die with the dose.
    #[parameter(default = 2.5, range = 0.1..=20.0)]
    pub herbicide_slope: f64,
    /// How many times the dose of a seedling kills half of full-grown weeds.
    #[parameter(default = 5.0, range = 1.0..=1000.0)]
    pub herbicide_grown: f64,
}

/// Upper end of what a plot holds.
const MANY: f64 = 1e9;
/// Shares of the soil's N, P and K that roots take up in a day at the most.
const REACH: [f64; 3] = [0.12, 0.02, 0.02];
/// Ground that weeds cover at the most, as a share.
const FULL_COVER: f64 = 0.96;
/// Dry matter of a seedling's leaves, in g per m².
const LEAF_MASS: f64 = 50.0;
/// Shape of the curves of drought.
const SHAPE: f64 = 3.0;
/// Below this what is dead rots at once.
const LAST_REMAINS_G: f64 = 0.01;

/// The columns of the leaves and the matter of weeds; those of the nutrients hold N, P, K and C of all plots.
#[derive(Columns)]
pub(super) struct ThicketColumns {
    plant: WeedPlant,
    /// Leaves of the weeds of the plot, one side.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, role = LEAF_AREA)]
    leaf_area: Column<f64>,
    /// Dry matter of the weeds of the plot.
    #[real(unit = "g", range = 0.0..=MANY, per_plot)]
    biomass: Column<f64>,
    /// {each} that the weeds of the plot hold.
    #[real(each = NUTRIENTS, name = "held_{each}#g", range = 0.0..=MANY, per_plot, hidden)]
    nutrients: Column<f64>,
    /// {each} in dead weeds of the plot.
    #[real(each = NUTRIENTS, name = "residue_{each}#g", range = 0.0..=MANY, per_plot, hidden)]
    residue: Column<f64>,
    /// {each} that dead weeds give back today.
    #[real(each = NUTRIENTS, name = "released_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = RELEASE[i])]
    released: Column<f64>,
    /// Water that the weeds would transpire today if nothing were missing.
    #[real(name = "wanted_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden)]
    wanted_water: Column<f64>,
    /// Warmth since the weeds of the plot emerged, on average.
    #[real(name = "age#°C.day", range = 0.0..=1e6, per_plot, hidden)]
    pub(super) age: Column<f64>,
    /// Depth of the roots.
    #[real(unit = "m", range = 0.0..=plant.root_depth, per_plot, hidden, role = ROOT_DEPTH)]
    root_depth: Column<f64>,
    #[with(SoilLayers::declare(b, &()))]
    pub(super) soil: SoilLayers,
    #[one(AIR_TEMPERATURE_MIN)]
    min: Column<f64>,
    #[one(AIR_TEMPERATURE_MAX)]
    max: Column<f64>,
    #[one(SOLAR_RADIATION)]
    radiation: Column<f64>,
    #[one(REFERENCE_EVAPOTRANSPIRATION)]
    et0: Column<f64>,
    #[one(MICROLIFE)]
    microlife: Column<f64>,
    #[one(WATER_SHARE)]
    water_share: Column<f64>,
    #[one(each = SUPPLY)]
    supply: [Column<f64>; 4],
    #[one(each = SHARE)]
    share: [Column<f64>; 4],
    #[all(LEAF_AREA)]
    all_leaves: Vec<Column<f64>>,
    #[all(CIDE_RELEASE_WEEDS)]
    sprayed: Vec<Column<f64>>,
    #[with(Throughput::declare(b, &()))]
    through: Throughput,
}

/// The weeds of a field in the equations `agronomic`.
pub(super) struct Thicket {
    /// How many there are, and what becomes of them.
    pub(super) life: Life,
    pub(super) area: f64,
    /// Leaves of a full canopy on a plot, in m².
    full_leaves: f64,
    nutrition: NutrientNeeds,
    pub(super) c: ThicketColumns,
}

/// What the day is to all plots alike.
pub(super) struct Day {
    pub(super) degree_days: f64,
    pub(super) warmth: f64,
    et0: f64,
    transpiration: f64,
    leaf_growth: [f64; 2],
}

impl Thicket {
    /// Declares what weeds have besides their numbers.
    pub(super) fn new(p: &Weeds, life: Life, b: &mut Builder<'_>) -> Self {
        b.runs_in(Phase::Release);
        let area = b.field().plot_area_m2();
        let full_leaves = leaf_area_index(FULL_COVER) * area;
        let c = ThicketColumns::declare(b, &p.plant);
        let matter = Matter {
            biomass: c.biomass,
            held: c.nutrients,
            residue: Some(c.residue),
            released: c.released,
            harvested: None,
            fixed: None,
        };
        c.through.declare_balances(b, &matter);
        let p = &p.plant;
        let nutrition = NutrientNeeds {
            nitrogen: p.nitrogen,
            dilution: p.dilution,
            phosphorus: p.phosphorus,
            potassium: p.potassium,
            reach: REACH,
        };
        Self { life, area, full_leaves, nutrition, c }
    }

    fn p(&self) -> &WeedPlant {
        &self.c.plant
    }

    pub(super) fn plots(&self) -> usize {
        self.c.leaf_area.len()
    }

    fn day(&self, c: &Context<'_>) -> Day {
        let [base, upper] = self.p().temperature;
        let degree_days = degree_days(c.value(self.c.min), c.value(self.c.max), base, upper);
        let et0 = c.value(self.c.et0);
        Day {
            degree_days,
            warmth: warmth(degree_days, self.p().warm_enough),
            et0,
            transpiration: tolerated_depletion(self.p().transpiration, et0),
            leaf_growth: self.p().leaf_growth.map(|depletion| tolerated_depletion(depletion, et0)),
        }
    }

    /// Leaves of all who stand on a plot.
    fn all_leaves(&self, plot: usize, c: &Context<'_>) -> f64 {
        self.c.all_leaves.iter().fold(0.0, |sum, column| sum + c.get(*column)[plot].get())
    }

    /// Share of the ground that all leaves of a plot cover, and the weeds' share of these.
    fn canopy(&self, plot: usize, c: &Context<'_>) -> (f64, f64) {
        mixed_canopy(c.get(self.c.leaf_area)[plot].get(), self.all_leaves(plot, c), self.area)
    }

    /// Dead weeds give back what they held, with the help of the microlife.
    fn release(&self, plot: usize, c: &Context<'_>) {
        let share = self.p().rotting * c.get(self.c.microlife)[plot].get() / 100.0;
        let (residue, released) = (c.get(self.c.residue), c.get(self.c.released));
        for x in 0..NUTRIENTS.len() {
            let at = x * self.plots() + plot;
            let there = residue[at].get();
            let freed = if there < LAST_REMAINS_G { there } else { share * there };
            residue[at].set(there - freed);
            released[at].set(freed);
        }
    }

    /// Weeds ask for water and nutrients as plants do.
    fn ask(&self, plot: usize, day: &Day, c: &Context<'_>) {
        let (covered, share) = self.canopy(plot, c);
        let biomass = c.get(self.c.biomass)[plot].get();
        let is_there = biomass > 0.0;
        c.get(self.c.root_depth)[plot].set(if is_there {
            self.p().root_depth.min(c.value(self.c.soil.depth))
        } else {
            0.0
        });
        c.get(self.life.c.shade)[plot].set(covered * share * self.area);
        let zone = self.c.soil.root_zone(plot, self.p().root_depth, self.area, c);
        let wanted_mm = self.p().crop_coefficient * adjusted_cover(covered) * share * day.et0 * day.warmth;
        let asked_mm = wanted_mm * drought_response(zone.depletion, day.transpiration, 1.0, SHAPE);
        c.get(self.c.wanted_water)[plot].set(wanted_mm * self.area);
        c.get(self.life.c.asked_water)[plot].set(asked_mm * self.area);
        let light = by_light(self.p().radiation_use_efficiency, c.value(self.c.radiation), covered * share);
        let grown = growth(by_transpiration(self.p().water_productivity, asked_mm, day.et0), light) * self.area;
        let needed = self.nutrition.needed(biomass + grown, self.area);
        let (held, asked) = (c.get(self.c.nutrients), c.get(self.life.c.asked));
        for (x, needed) in needed.into_iter().enumerate() {
            let at = x * self.plots() + plot;
            let stock = c.get(self.c.supply[x])[plot].get();
            asked[at].set(self.nutrition.asked(x, needed, held[at].get(), stock, &zone));
        }
    }

    /// Weeds take what the soil granted and grow.
    fn grow(&self, plot: usize, day: &Day, c: &Context<'_>) {
        let (leaves, biomass) = (c.get(self.c.leaf_area)[plot].get(), c.get(self.c.biomass)[plot].get());
        if leaves <= 0.0 && biomass <= 0.0 {
            return;
        }
        let needed = self.nutrition.needed(biomass, self.area);
        let (held, asked) = (c.get(self.c.nutrients), c.get(self.life.c.asked));
        let mut fed = 1.0_f64;
        for (x, needed) in needed.into_iter().enumerate() {
            let at = x * self.plots() + plot;
            let granted = asked[at].get() * c.get(self.c.share[x])[plot].get();
            held[at].set(held[at].get() + granted);
            count_grams(self.c.through.taken, x, granted, c);
            fed = fed.min(nutrition_response(held[at].get(), needed, self.p().least));
        }
        let (covered, share) = self.canopy(plot, c);
        let drunk_mm = c.get(self.life.c.asked_water)[plot].get() * c.get(self.c.water_share)[plot].get() / self.area;
        let light = by_light(self.p().radiation_use_efficiency, c.value(self.c.radiation), covered * share);
        let grown = growth(by_transpiration(self.p().water_productivity, drunk_mm, day.et0), light) * fed * self.area;
        self.set_biomass(plot, biomass + grown, c);
        count_grams(self.c.through.taken, 3, CARBON_IN_DRY_MATTER * grown, c);
        let weeds = self.weeds(plot, c).max(1e-9);
        let crowding = (self.all_leaves(plot, c) / self.full_leaves).max(leaves / (weeds * self.p().max_leaves));
        let zone = self.c.soil.root_zone(plot, self.p().root_depth, self.area, c);
        let [begin, end] = day.leaf_growth;
        let moist = drought_response(zone.depletion, begin, end, SHAPE);
        let more = leaf_growth(leaves, self.p().growth, crowding, day.degree_days) * fed * moist;
        c.get(self.c.leaf_area)[plot].set((leaves + more).min(leaves.max(self.full_leaves)));
    }

    /// Sets the dry matter, and the carbon that it is made of.
    fn set_biomass(&self, plot: usize, biomass_g: f64, c: &Context<'_>) {
        c.get(self.c.biomass)[plot].set(biomass_g);
        c.get(self.c.nutrients)[3 * self.plots() + plot].set(CARBON_IN_DRY_MATTER * biomass_g);
    }

    /// Weeds that stand on a plot: a weed in flower counts once, not once for each flower.
    pub(super) fn weeds(&self, plot: usize, c: &Context<'_>) -> f64 {
        let flowers = f64::from(c.get(self.life.c.flowers)[plot].get());
        f64::from(c.get(self.life.c.grow)[plot].get()) + flowers / f64::from(self.life.p.flowers_per_plant.max(1))
    }

    /// Leaves and matter follow the numbers: so many sprouted, and so many of those before are left.
    pub(super) fn follow(&self, plot: usize, before: f64, sprouted: f64, c: &Context<'_>) {
        let left = if before > 0.0 { ((self.weeds(plot, c) - sprouted) / before).clamp(0.0, 1.0) } else { 0.0 };
        let (leaves, biomass) = (c.get(self.c.leaf_area)[plot].get(), c.get(self.c.biomass)[plot].get());
        let (held, residue) = (c.get(self.c.nutrients), c.get(self.c.residue));
        for x in 0..NUTRIENTS.len() {
            let at = x * self.plots() + plot;
            let dead = (1.0 - left) * held[at].get();
            held[at].set(held[at].get() - dead);
            residue[at].set(residue[at].get() + dead);
        }
        let seedlings = sprouted * self.p().seedling_leaves / 1e4;
        c.get(self.c.leaf_area)[plot].set(left * leaves + seedlings);
        // A seed's own stores feed the seedling.
        let born = self.nutrition.needed(seedlings * LEAF_MASS, self.area);
        for (x, born) in born.into_iter().enumerate() {
            let at = x * self.plots() + plot;
            held[at].set(held[at].get() + born);
            count_grams(self.c.through.sprouted, x, born, c);
        }
        count_grams(self.c.through.sprouted, 3, CARBON_IN_DRY_MATTER * seedlings * LEAF_MASS, c);
        self.set_biomass(plot, left * biomass + seedlings * LEAF_MASS, c);
    }

    /// Some of the weeds die on which herbicide was sprayed today: those that are small sooner.
    fn suffer_spray(&self, plot: usize, c: &Context<'_>) {
        let dose = sum(self.c.sprayed.iter().map(|column| c.get(*column)[plot].get())) / self.area;
        let before = self.weeds(plot, c);
        if dose <= 0.0 || before <= 0.0 {
            return;
        }
        let p = self.p();
        let size = c.get(self.c.leaf_area)[plot].get() / (before * p.max_leaves);
        let alive = herbicide_survival(dose, half_dose(p.herbicide_half, size, p.herbicide_grown), p.herbicide_slope);
        let mut stream = c.stream(self.life.key, SPRAY.at(plot));
        for column in [self.life.c.grow, self.life.c.flowers] {
            let number = &c.get(column)[plot];
            number.set(stream.binomial(number.get().max(0) as u32, alive) as i32);
        }
        self.follow(plot, before, 0.0, c);
    }
}

impl Behaviour for Thicket {
    /// Weeds that the rules put on a plot are seedlings.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        for plot in 0..self.plots() {
            let weeds = self.weeds(plot, c);
            if c.get(self.c.leaf_area)[plot].get() == 0.0 && weeds > 0.0 {
                self.follow(plot, 0.0, weeds, c);
            }
            self.set_biomass(plot, c.get(self.c.biomass)[plot].get(), c);
        }
    }

    /// Pulled weeds are taken away, with all that they hold.
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let plot = arguments.plot(0);
        self.life.act(action, arguments, c);
        for column in [self.c.leaf_area, self.c.biomass] {
            c.get(column)[plot].set(0.0);
        }
        for (x, held) in c.get(self.c.nutrients)[plot..].iter().step_by(self.plots()).enumerate() {
            count_grams(self.c.through.pulled, x, held.replace(0.0), c);
        }
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.life.has_effect(action, arguments, reader)
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        let plots = 0..self.plots();
        match phase {
            Phase::Release => plots.for_each(|plot| self.release(plot, c)),
            Phase::Demand => {
                self.life.tick(phase, c);
                let day = self.day(c);
                plots.for_each(|plot| self.ask(plot, &day, c));
            }
            _ => {
                let day = self.day(c);
                plots.clone().for_each(|plot| self.grow(plot, &day, c));
                // After they took what the soil had granted them.
                if !self.c.sprayed.is_empty() {
                    plots.clone().for_each(|plot| self.suffer_spray(plot, c));
                }
                self.spread(c);
                let min = c.value(self.c.min);
                plots.for_each(|plot| self.live(plot, &day, min, c));
            }
        }
    }
}
