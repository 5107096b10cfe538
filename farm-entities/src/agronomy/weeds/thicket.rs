//! Weeds in the `agronomic` equations: plants that compete with the crop for light, water and nutrients, and release these nutrients when
//! they die.
//!
//! `demography.rs` computes their number, and their leaves determine the harm to the crop. A weed that emerges late grows in the shade and
//! stays small (Kropff & Spitters 1991), and the harm of all weeds together has a maximum (Cousens 1985). Both effects follow from the
//! shares of leaf area. A herbicide kills some of the weeds on which it falls.

use farm_core::action::CallArguments;
use farm_core::math::simd::{self, Loop, each, mapped};
use farm_core::math::{Bounded, sum};
use farm_core::{Behaviour, Column, Columns, Context, Found, Phase, Purpose, Reader};
use farm_roles::{
    AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, CIDE_RELEASE_WEEDS, LEAF_AREA, MICROLIFE, REFERENCE_EVAPOTRANSPIRATION,
    RELEASE, ROOT_DEPTH, SHARE, SOLAR_RADIATION, SUPPLY, WATER_SHARE,
};

use super::day::{Day, Tolerated};
use super::life::Life;
use crate::agronomy::NUTRIENTS;
use crate::agronomy::laws::canopy::{adjusted_cover, cover, leaf_area_index, leaf_growth, share_of_canopy};
use crate::agronomy::laws::growth::{by_light, by_transpiration, growth};
use crate::agronomy::laws::nutrition::scarcest_response;
use crate::agronomy::laws::organic_matter::CARBON_IN_DRY_MATTER;
use crate::agronomy::laws::supplies::{half_dose, herbicide_survival};
use crate::agronomy::laws::water::{StressShape, ToleratedDepletion, drought_response};
use crate::agronomy::nutrient_demand::NutrientNeeds;
use crate::agronomy::root_zone::{RootZone, SoilLayers};
use crate::agronomy::rows::{ROW, read, rows, sums, write};
use crate::agronomy::throughput::{Matter, Throughput, add_grams};

const SPRAY: Purpose = Purpose::named("sprayed weeds");

/// A weed as a plant. Used only with `equations: agronomic`. The defaults are orders of magnitude for a broad-leaved summer weed.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct WeedPlant {
    /// Base temperature, below which weeds do not grow, and upper temperature, above which more warmth has no effect.
    #[parameter(unit = "°C", default = [5.0, 32.0], range = -20.0..=60.0)]
    pub temperature: [f64; 2],
    /// Degree-days of a day at or above which cold does not slow transpiration and emergence.
    #[parameter(unit = "°C.day", default = 10.0, range = 0.0..=60.0)]
    pub warm_enough: f64,
    /// Leaf area of a weed at emergence.
    #[parameter(unit = "cm2", default = 0.8, range = 0.001..=1e4)]
    pub seedling_leaves: f64,
    /// Maximum leaf area of one weed.
    #[parameter(unit = "m2", default = 0.2, range = 0.0001..=100.0)]
    pub max_leaves: f64,
    /// Relative growth of the leaf area for each degree-day.
    #[parameter(unit = "°C-1.day-1", default = 0.025, range = 0.0..=1.0)]
    pub growth: f64,
    /// Depth of the roots.
    #[parameter(unit = "m", default = 0.5, range = 0.01..=10.0)]
    pub root_depth: f64,
    /// Basal crop coefficient: transpiration of a full canopy as a multiple of the reference evapotranspiration.
    #[parameter(default = 1.05, range = 0.0..=3.0)]
    pub crop_coefficient: f64,
    /// Depletion of the root zone at which stomata begin to close, at a reference evapotranspiration of 5 mm per day.
    #[parameter(unit = "prop", default = 0.6, range = 0.0..=1.0)]
    pub transpiration: f64,
    /// Depletion of the root zone at which leaf growth begins to slow, and at which it stops, at a reference evapotranspiration of 5 mm
    /// per day.
    #[parameter(unit = "prop", default = [0.2, 0.65], range = 0.0..=1.0)]
    pub leaf_growth: [f64; 2],
    /// Dry matter that grows on a day when transpiration equals the reference evapotranspiration. The growth is proportional to the ratio
    /// of the two.
    #[parameter(unit = "g.m-2", default = 15.0, range = 0.0..=100.0)]
    pub water_productivity: f64,
    /// Maximum dry matter for each megajoule of solar radiation that the leaves intercept.
    #[parameter(unit = "g.MJ-1", default = 1.3, range = 0.0..=10.0)]
    pub radiation_use_efficiency: f64,
    /// Nitrogen that a stand of one tonne per hectare needs for full growth, in percent of its dry matter.
    #[parameter(unit = "%", default = 4.8, range = 0.0..=20.0)]
    pub nitrogen: f64,
    /// Exponent with which this share falls as the stand grows.
    #[parameter(default = 0.4, range = 0.0..=2.0)]
    pub dilution: f64,
    /// Phosphorus needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 0.12, range = 0.0..=10.0)]
    pub phosphorus: f64,
    /// Potassium needed for each gram of nitrogen needed.
    #[parameter(unit = "g.g-1", default = 1.0, range = 0.0..=10.0)]
    pub potassium: f64,
    /// Ratio of nutrients held to nutrients needed at or below which there is no growth.
    #[parameter(unit = "prop", default = 0.2, range = 0.0..=0.99)]
    pub least: f64,
    /// Share of dead weeds that rots in a day at 100 % microlife.
    #[parameter(unit = "prop.day-1", default = 0.1, range = 0.0..=1.0)]
    pub rotting: f64,
    /// Dose of herbicide that kills half of the seedlings. The dose on a label is about three times as high and kills 19 in 20 seedlings.
    #[parameter(unit = "g.m-2", default = 0.03, range = 1e-6..=1000.0)]
    pub herbicide_half: f64,
    /// Slope with which survival falls around `herbicide_half#g.m-2`.
    #[parameter(default = 2.5, range = 0.1..=20.0)]
    pub herbicide_slope: f64,
    /// Dose that kills half of full-grown weeds, as a multiple of the dose for seedlings.
    #[parameter(default = 5.0, range = 1.0..=1000.0)]
    pub herbicide_grown: f64,
}

/// Upper limit of the amounts on a plot.
const MANY: f64 = 1e9;
/// Maximum shares of the soil's N, P and K that roots take up in a day.
const REACH: [f64; 3] = [0.12, 0.02, 0.02];
/// Maximum share of the ground that weeds cover.
const FULL_COVER: f64 = 0.96;
/// Dry matter of a seedling's leaves, in g per m².
const LEAF_MASS: f64 = 50.0;
/// Shape of the stress curves of drought.
const SHAPE: f64 = 3.0;
/// Amount below which dead weeds rot completely at once.
const LAST_REMAINS_G: f64 = 0.01;

/// The columns for the leaves and matter of weeds. The nutrient columns have N, P, K and C for all plots.
#[derive(Columns)]
pub(super) struct ThicketColumns {
    plant: WeedPlant,
    /// One-sided leaf area of all weeds on the plot.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, role = LEAF_AREA)]
    pub(super) leaf_area: Column<f64>,
    /// Dry matter of all weeds on the plot.
    #[real(unit = "g", range = 0.0..=MANY, per_plot)]
    pub(super) biomass: Column<f64>,
    /// Amount of {each} in the weeds of the plot.
    #[real(each = NUTRIENTS, name = "held_{each}#g", range = 0.0..=MANY, per_plot, hidden)]
    pub(super) nutrients: Column<f64>,
    /// Amount of {each} in the dead weeds of the plot.
    #[real(each = NUTRIENTS, name = "residue_{each}#g", range = 0.0..=MANY, per_plot, hidden)]
    pub(super) residue: Column<f64>,
    /// Amount of {each} that dead weeds release on this day.
    #[real(each = NUTRIENTS, name = "released_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = RELEASE[i])]
    pub(super) released: Column<f64>,
    /// Water that the weeds would transpire on this day with enough water in the soil.
    #[real(name = "wanted_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden)]
    pub(super) wanted_water: Column<f64>,
    /// Degree-days since the weeds of the plot emerged, on average.
    #[real(name = "age#°C.day", range = 0.0..=1e6, per_plot, hidden)]
    pub(super) age: Column<f64>,
    /// Dry matter that the light of the day allows the weeds to form.
    #[real(name = "lit#g.day-1", range = 0.0..=MANY, per_plot, hidden)]
    pub(super) lit: Column<f64>,
    /// Leaf area that unfolds on this day if the weeds have enough nutrients.
    #[real(name = "unfolding#m2.day-1", range = 0.0..=MANY, per_plot, hidden)]
    pub(super) unfolding: Column<f64>,
    /// Number of seeds that land on the plot on this day, before they join the seeds in the soil.
    #[count(name = "landed#nb", range = 0..=1_000_000, per_plot, hidden)]
    pub(super) landed: Column<i32>,
    /// Depth of the roots of the weeds.
    #[real(unit = "m", range = 0.0..=plant.root_depth, per_plot, hidden, role = ROOT_DEPTH)]
    pub(super) root_depth: Column<f64>,
    #[nested(())]
    pub(super) soil: SoilLayers,
    #[one(AIR_TEMPERATURE_MIN)]
    pub(super) min: Column<f64>,
    #[one(AIR_TEMPERATURE_MAX)]
    pub(super) max: Column<f64>,
    #[one(SOLAR_RADIATION)]
    pub(super) radiation: Column<f64>,
    #[one(REFERENCE_EVAPOTRANSPIRATION)]
    pub(super) et0: Column<f64>,
    #[one(MICROLIFE)]
    pub(super) microlife: Column<f64>,
    #[one(WATER_SHARE)]
    pub(super) water_share: Column<f64>,
    #[one(each = SUPPLY)]
    pub(super) supply: [Column<f64>; 4],
    #[one(each = SHARE)]
    pub(super) share: [Column<f64>; 4],
    #[all(LEAF_AREA)]
    pub(super) all_leaves: Vec<Column<f64>>,
    #[all(CIDE_RELEASE_WEEDS)]
    pub(super) sprayed: Vec<Column<f64>>,
    #[nested(())]
    pub(super) through: Throughput,
}

/// The weeds in a field, in the `agronomic` equations.
pub(super) struct Thicket {
    /// The numbers and the life of the weeds.
    pub(super) life: Life,
    pub(super) area: f64,
    /// Leaves of a full canopy on a plot, in m².
    full_leaves: f64,
    nutrition: NutrientNeeds,
    pub(super) tolerated: Tolerated,
    drought: StressShape,
    pub(super) c: ThicketColumns,
}

impl Thicket {
    /// The weeds with these numbers. Also sets their mass balances.
    pub(super) fn new(life: Life, c: ThicketColumns, found: &mut Found<'_>) -> Self {
        let area = found.field().plot_area_m2();
        let full_leaves = leaf_area_index(FULL_COVER) * area;
        let matter = Matter {
            biomass: c.biomass,
            held: c.nutrients,
            residue: Some(c.residue),
            released: c.released,
            harvested: None,
            fixed: None,
        };
        c.through.set_balances(found, &matter);
        let p = &c.plant;
        let nutrition = NutrientNeeds {
            nitrogen: p.nitrogen,
            dilution: p.dilution,
            phosphorus: p.phosphorus,
            potassium: p.potassium,
            reach: REACH,
        };
        let tolerated = Tolerated {
            transpiration: ToleratedDepletion::new(p.transpiration),
            leaf_growth: p.leaf_growth.map(ToleratedDepletion::new),
        };
        Self { life, area, full_leaves, nutrition, tolerated, drought: StressShape::new(SHAPE), c }
    }

    pub(super) fn p(&self) -> &WeedPlant {
        &self.c.plant
    }

    pub(super) fn plots(&self) -> usize {
        self.c.leaf_area.len()
    }

    /// Dead weeds release their nutrients, with the help of the microlife.
    fn release(&self, c: &Context<'_>) {
        let microlife = c.get(self.c.microlife);
        let (residue, released) = (c.get(self.c.residue), c.get(self.c.released));
        let (plots, rotting) = (self.plots(), self.p().rotting / 100.0);
        for (residue, released) in residue.chunks_exact(plots).zip(released.chunks_exact(plots)) {
            for ((residue, released), microlife) in residue.iter().zip(released).zip(microlife) {
                let there = residue.get();
                let freed = if there < LAST_REMAINS_G { there } else { rotting * microlife.get() * there };
                residue.set(there - freed);
                released.set(freed);
            }
        }
    }

    /// Weeds on the plots in a row ask for water and nutrients like plants. The effects of light and warmth are set at the start of the day.
    #[inline(always)]
    fn ask<const W: usize>(&self, first: usize, day: &Day<'_>, c: &Context<'_>) {
        let p = self.p();
        let (leaves, biomass) = (read::<W>(day.leaves, first), read::<W>(day.biomass, first));
        let all_leaves = sums::<W>(&self.c.all_leaves, first, c);
        let covered = cover(mapped(all_leaves, |all_leaves| all_leaves / self.area));
        let share: [f64; W] = each(|k| share_of_canopy(leaves[k], all_leaves[k]));
        let lit: [f64; W] = each(|k| covered[k] * share[k]);
        write(day.root_depth, first, mapped(biomass, |biomass| if biomass > 0.0 { day.deepest_m } else { 0.0 }));
        write(day.shade, first, mapped(lit, |lit| lit * self.area));
        let light = mapped(lit, |lit| by_light(p.radiation_use_efficiency, day.radiation, lit) * self.area);
        write(day.lit, first, light);
        let zones: [RootZone; W] = each(|k| day.soil.root_zone(first + k, day.reach));
        let depletion: [f64; W] = each(|k| zones[k].depletion);
        let [begin, end] = day.leaf_growth;
        let moist = drought_response(depletion, begin, end, self.drought);
        let unfolding = |k: usize| {
            let weeds = self.weeds(day.grow[first + k].get(), day.flowers[first + k].get()).at_least(1e-9);
            let crowding = (all_leaves[k] / self.full_leaves).at_least(leaves[k] / (weeds * p.max_leaves));
            leaf_growth(leaves[k], p.growth, crowding, day.degree_days) * moist[k]
        };
        write(day.unfolding, first, each::<_, W>(unfolding));
        let wanted: [f64; W] =
            each(|k| p.crop_coefficient * adjusted_cover(covered[k]) * share[k] * day.et0 * day.warmth * self.area);
        let open = drought_response(depletion, day.transpiration, 1.0, self.drought);
        let asked: [f64; W] = each(|k| wanted[k] * open[k]);
        write(day.wanted_water, first, wanted);
        write(day.asked_water, first, asked);
        let needed: [[f64; 3]; W] = each(|k| {
            let grown = growth(by_transpiration(p.water_productivity, asked[k], day.et0), light[k]);
            self.nutrition.needed(biomass[k] + grown, self.area)
        });
        for x in 0..3 {
            let (stock, held) = (read::<W>(day.supply[x], first), read::<W>(day.held[x], first));
            let asked = |k: usize| self.nutrition.asked(x, needed[k][x], held[k], stock[k], &zones[k]);
            write(day.asked[x], first, each::<_, W>(asked));
        }
    }

    /// Weeds take up the amounts that the soil granted, and grow. Adds to the total `taken`.
    #[inline(always)]
    fn grow<const W: usize>(&self, first: usize, taken: &mut [f64; 4], day: &Day<'_>) {
        let (leaves, biomass) = (read::<W>(day.leaves, first), read::<W>(day.biomass, first));
        if leaves.iter().chain(&biomass).all(|amount| *amount <= 0.0) {
            return;
        }
        let mut held = [[0.0; 3]; W];
        for x in 0..3 {
            let (asked, share) = (read::<W>(day.asked[x], first), read::<W>(day.share[x], first));
            let before = read::<W>(day.held[x], first);
            for k in 0..W {
                let granted = asked[k] * share[k];
                held[k][x] = before[k] + granted;
                taken[x] += granted;
            }
            write(day.held[x], first, mapped(held, |held| held[x]));
        }
        let (asked, share) = (read::<W>(day.asked_water, first), read::<W>(day.water_share, first));
        let (lit, unfolding) = (read::<W>(day.lit, first), read::<W>(day.unfolding, first));
        for k in 0..W {
            let fed = scarcest_response(held[k], self.nutrition.needed(biomass[k], self.area), self.p().least);
            let by_water = by_transpiration(self.p().water_productivity, asked[k] * share[k], day.et0);
            let grown = growth(by_water, lit[k]) * fed;
            day.set_biomass(first + k, biomass[k] + grown);
            taken[3] += CARBON_IN_DRY_MATTER * grown;
            day.leaves[first + k].set((leaves[k] + unfolding[k] * fed).at_most(leaves[k].at_least(self.full_leaves)));
        }
    }

    /// Updates leaves and matter after a change in numbers: of `before` weeds, `old` are left, and `sprouted` are new.
    #[inline]
    pub(super) fn follow(&self, plot: usize, before: f64, old: f64, sprouted: f64, day: &Day<'_>) {
        let left = if before > 0.0 { (old / before).clamp(0.0, 1.0) } else { 0.0 };
        let (leaves, biomass) = (day.leaves[plot].get(), day.biomass[plot].get());
        if left < 1.0 {
            for (held, residue) in day.held.iter().zip(day.residue) {
                let (held, residue) = (&held[plot], &residue[plot]);
                let dead = (1.0 - left) * held.get();
                held.set(held.get() - dead);
                residue.set(residue.get() + dead);
            }
        }
        if sprouted <= 0.0 {
            day.leaves[plot].set(left * leaves);
            return day.set_biomass(plot, left * biomass);
        }
        let seedlings = sprouted * self.p().seedling_leaves / 1e4;
        day.leaves[plot].set(left * leaves + seedlings);
        // The stores of the seed supply the seedling.
        let born = self.nutrition.needed(seedlings * LEAF_MASS, self.area);
        for (x, born) in born.into_iter().enumerate() {
            let held = &day.held[x][plot];
            held.set(held.get() + born);
            add_grams(&day.sprouted[x], born);
        }
        add_grams(&day.sprouted[3], CARBON_IN_DRY_MATTER * seedlings * LEAF_MASS);
        day.set_biomass(plot, left * biomass + seedlings * LEAF_MASS);
    }

    /// Kills some of the weeds on which herbicide was sprayed today. Small weeds die at a lower dose.
    fn suffer_spray(&self, plot: usize, day: &Day<'_>, c: &Context<'_>) {
        let dose = sum(self.c.sprayed.iter().map(|column| c.get(*column)[plot].get())) / self.area;
        if dose <= 0.0 {
            return;
        }
        let (grow, flowers) = (&day.grow[plot], &day.flowers[plot]);
        let before = self.weeds(grow.get(), flowers.get());
        if before <= 0.0 {
            return;
        }
        let p = self.p();
        let size = day.leaves[plot].get() / (before * p.max_leaves);
        let alive = herbicide_survival(dose, half_dose(p.herbicide_half, size, p.herbicide_grown), p.herbicide_slope);
        let mut stream = c.stream(self.life.key, SPRAY.at(plot));
        for number in [grow, flowers] {
            number.set(stream.binomial(number.get().max(0) as u32, alive) as i32);
        }
        self.follow(plot, before, self.weeds(grow.get(), flowers.get()), 0.0, day);
    }
}

/// The weeds on all plots ask for water and nutrients.
struct Asking<'a, 'b> {
    weeds: &'a Thicket,
    day: &'a Day<'b>,
    c: &'a Context<'b>,
}

impl Loop for Asking<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { weeds, day, c } = self;
        let (rows, singles) = rows(weeds.plots());
        for first in rows {
            weeds.ask::<ROW>(first, day, c);
        }
        for plot in singles {
            weeds.ask::<1>(plot, day, c);
        }
    }
}

/// The weeds on all plots grow. The result is what they took up.
struct Growing<'a, 'b> {
    weeds: &'a Thicket,
    day: &'a Day<'b>,
}

impl Loop for Growing<'_, '_> {
    type Output = [f64; 4];

    #[inline(always)]
    fn run(self) -> [f64; 4] {
        let Self { weeds, day } = self;
        let mut taken = [0.0; 4];
        let (rows, singles) = rows(weeds.plots());
        for first in rows {
            weeds.grow::<ROW>(first, &mut taken, day);
        }
        for plot in singles {
            weeds.grow::<1>(plot, &mut taken, day);
        }
        taken
    }
}

impl Behaviour for Thicket {
    /// Weeds that the rules put on a plot start as seedlings.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        let day = self.day(c);
        for plot in 0..self.plots() {
            let weeds = self.weeds(day.grow[plot].get(), day.flowers[plot].get());
            if day.leaves[plot].get() == 0.0 && weeds > 0.0 {
                self.follow(plot, 0.0, 0.0, weeds, &day);
            }
            day.set_biomass(plot, day.biomass[plot].get());
        }
    }

    /// Pulled weeds leave the field, with all their nutrients.
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let plot = arguments.plot(0);
        self.life.act(action, arguments, c);
        for column in [self.c.leaf_area, self.c.biomass] {
            c.get(column)[plot].set(0.0);
        }
        let pulled = c.get(self.c.through.pulled);
        for (held, pulled) in c.get(self.c.nutrients)[plot..].iter().step_by(self.plots()).zip(pulled) {
            add_grams(pulled, held.replace(0.0));
        }
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.life.has_effect(action, arguments, reader)
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        let plots = 0..self.plots();
        match phase {
            Phase::Release => self.release(c),
            Phase::Demand => {
                let day = self.day(c);
                for plot in plots {
                    day.pests[plot].set(0);
                    day.publish_hosts(plot);
                }
                simd::run(Asking { weeds: self, day: &day, c });
            }
            _ => {
                let day = self.day(c);
                let taken = simd::run(Growing { weeds: self, day: &day });
                day.taken.iter().zip(taken).for_each(|(sum, taken)| add_grams(sum, taken));
                // After the weeds took the amounts that the soil granted.
                if !self.c.sprayed.is_empty() {
                    plots.for_each(|plot| self.suffer_spray(plot, &day, c));
                }
                self.live(&day, c);
            }
        }
    }
}
