//! Plants in the `agronomic` equations: on each plot, a stand that lives on light, water and nutrients.
//!
//! The stages, names, actions and roles are as in the paper, and so are the chances of seeds, flowers and pollination. Three things differ:
//! growth is dry matter that needs water, light and nutrients; leaves intercept light and transpire water; warmth moves plants from stage
//! to stage.
//!
//! | law | source |
//! |---|---|
//! | depth of roots, stress of wetness, harvest index | AquaCrop (Raes et al. 2009) |
//! | development by temperature, cold and day length | Wang & Engel 1998; WOFOST; CROPGRO; CERES |
//! | dry matter by light, less what lacks water, warmth and upkeep | Monteith 1977; CERES; WOFOST |
//! | growth and transpiration by carbon dioxide | Zhao et al. 2019 (SIMPLE); DSSAT |
//! | leaves of dry matter that die of age, shade and drought | WOFOST (Boogaard et al. 1998) |
//! | hardening, and the crown under snow | Bergjord et al. 2008; Ritchie 1991 |
//! | shares of light and water among plants and weeds | Spitters & Aerts 1983 |
//! | nitrogen by critical dilution; phosphorus and potassium in proportion | Justes et al. 1994; Lemaire & Gastal 1997 |
//! | salt | FAO-29 |
//! | eaten leaves and fruits: plants compensate for early losses, but not for late ones | Pedigo et al. 1986; numbers of this project |

mod columns;
mod cultivar;
mod demand;
mod develop;
mod farming;

use farm_core::action::CallArguments;
use farm_core::declare::{UsualStart, ValueKind};
use farm_core::math::Bounded;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Found, Phase, Purpose, Reader, Season};
use farm_roles::LEAVES_LOST;

use super::Plant;
use super::cells::*;
use super::hindrances::{Hindrance, hindrances, name_limits};
use super::pictures::picture;
use super::plots::{PlantAction, begin, believable, can_sow, declare, give_back, has_effect, plan};
use crate::agronomy::laws::canopy::leaf_area_index;
use crate::agronomy::laws::carbon_dioxide;
use crate::agronomy::laws::development::{over_the_day, trapezium, wang_engel};
use crate::agronomy::laws::water::StressShape;
use crate::agronomy::nutrient_demand::NutrientNeeds;
use crate::agronomy::root_zone::{RootZone, SoilToday};
use crate::agronomy::throughput::{Matter, count_grams};
use columns::{Given, MAX_NUMBER, StandColumns};
use cultivar::{Conditions, Cultivar, CultivarColumns};

/// The growth limits; the byte in the state is the index. After these come the names of the parts that limit growth.
const LIMITS: [&str; 8] = ["nothing", "temperature", "N", "P", "K", "water", "air", "salt"];
const TEMPERATURE: u8 = 1;
const NITROGEN: u8 = 2;
const WATER: u8 = 5;
const AIR: u8 = 6;
const SALT: u8 = 7;

/// The causes of death; the byte in the state is the index.
pub(super) const CAUSES_OF_DEATH: [&str; 9] =
    ["none", "not_germinated", "birds", "age", "pests", "frost", "drought", "no_fruits", "herbicide"];
const NOT_GERMINATED: u8 = 1;
const BIRDS: u8 = 2;
const AGE: u8 = 3;
const PESTS: u8 = 4;
const FROST: u8 = 5;
const DROUGHT: u8 = 6;
const NO_FRUITS: u8 = 7;
const HERBICIDE: u8 = 8;
/// Only in games with a part that kills leaves.
const DISEASE: u8 = 9;

/// Share of a seedling's leaves below which plants die.
const LAST_LEAVES: f64 = 0.2;

const DAY: Purpose = Purpose::named("day of a stand");
const START: Purpose = Purpose::named("start of a stand");

/// The plants in a field, in the `agronomic` equations.
pub(super) struct Stand {
    p: Plant,
    key: u64,
    area: f64,
    /// Leaves of a full canopy on a plot, in m².
    full_leaves: f64,
    release_speed: Vec4,
    nutrition: NutrientNeeds,
    /// The other parts that limit growth, such as a disease.
    hindrances: Vec<Hindrance>,
    /// How stomata close (AquaCrop's usual shape).
    stomata: StressShape,
    c: StandColumns,
    cultivar: Cultivar,
    /// Speed of development of each cultivar to choose from, relative to that of `crop`.
    paces: Vec<f64>,
}

/// The day's conditions, which are the same for all plots.
struct Day<'a> {
    soil: SoilToday<'a>,
    degree_days: f64,
    conditions: Conditions,
    /// What a reference plant would transpire, with the carbon dioxide in the air \[mm\].
    et0: f64,
    /// Growth with the carbon dioxide in the air, as a multiple of the usual growth.
    growth: f64,
}

impl Stand {
    /// Declares the plants in a field.
    pub(super) fn declare<'p>(p: &'p Plant, d: &mut Declarations<'_>) -> Bind<'p, dyn Behaviour> {
        let area = d.field().plot_area_m2();
        let usual = p.crop.density * area;
        let (low, high, words) = believable(usual, area);
        let start = UsualStart::new(low, high, "the number of plants is far from the usual number", &words);
        let given = Given { plant: p.clone(), plots: d.field().plots(), usual: start };
        let columns = StandColumns::declare(d, &given);
        d.picture(picture(p.appearance, p.size_max, given.max_fruit()));
        declare(d, p, farming::most_seeds(usual), &farming::offered_seeds(usual), Some((low, high, words)));
        let cultivar = CultivarColumns::declare(d, &());
        let key = d.stream_key();
        Bind::after(move |d, known| {
            name_limits(d, known, &LIMITS, (columns.limited_by, columns.limited));
            if !known.declarations(LEAVES_LOST).is_empty() {
                let causes: Vec<String> = CAUSES_OF_DEATH.iter().chain(&["disease"]).map(|c| (*c).to_owned()).collect();
                d.set_kind(columns.cause_of_death, ValueKind::named(&causes));
                d.rename_event_values(columns.death, causes);
            }
            Bind::new(move |found| {
                let cultivar = Cultivar { c: cultivar.bind(found), latitude: found.field().latitude_degrees() };
                Self::new(p, key, columns.bind(found), cultivar, found)
            })
        })
    }

    /// The plants with these columns. Also sets their mass balances.
    fn new(p: &Plant, key: u64, columns: StandColumns, cultivar: Cultivar, found: &mut Found<'_>) -> Self {
        let area = found.field().plot_area_m2();
        let matter = Matter {
            biomass: columns.biomass,
            held: columns.nutrients,
            residue: None,
            released: columns.released,
            harvested: Some(columns.harvested),
            fixed: Some(columns.fixed),
        };
        columns.through.set_balances(found, &matter);
        let n = &p.crop.nutrition;
        let nutrition = NutrientNeeds {
            nitrogen: n.nitrogen,
            dilution: n.dilution,
            phosphorus: n.phosphorus,
            potassium: n.potassium,
            // The soil says how much nitrogen the roots reach.
            reach: [1.0, n.phosphorus_reach, n.potassium_reach],
        };
        Self {
            key,
            area,
            full_leaves: leaf_area_index(p.crop.canopy.max_cover) * area,
            release_speed: [p.death.nitrogen, p.death.phosphorus, p.death.potassium, p.death.carbon],
            nutrition,
            hindrances: hindrances(found, &LIMITS),
            stomata: StressShape::new(3.0),
            c: columns,
            cultivar,
            paces: p.cultivars.values().map(|needed| 1.0 / needed).collect(),
            p: p.clone(),
        }
    }

    fn plots(&self) -> usize {
        self.c.given.plots
    }

    fn day<'a>(&self, c: &Context<'a>) -> Day<'a> {
        let development = &self.p.crop.development;
        let ([base, _], [best, _]) = (development.temperature, development.optimum);
        let (min, max) = (c.value(self.c.min), c.value(self.c.max));
        let response = |celsius: f64| match development.is_smooth {
            true => wang_engel(celsius, development.temperature, best),
            false => trapezium(celsius, development.temperature, development.optimum),
        };
        let air = self.c.air_co2.map(|column| c.value(column));
        let transpiration = air.map_or(1.0, carbon_dioxide::transpiration);
        Day {
            soil: self.c.soil.today(self.area, c),
            degree_days: (best - base).at_least(0.0) * over_the_day(min, max, response),
            conditions: self.cultivar.conditions(&self.p.crop, min, max, c),
            et0: transpiration * c.value(self.c.et0),
            growth: air.map_or(1.0, |ppm| carbon_dioxide::growth(ppm, self.p.crop.growth.co2_response)),
        }
    }

    /// Leaf area of all plants and weeds on a plot.
    #[inline]
    fn all_leaves(&self, plot: usize, c: &Context<'_>) -> f64 {
        self.c.all_leaves.iter().fold(0.0, |sum, column| sum + at(c, *column, plot))
    }

    /// Share of the leaves on a plot that remains after these shares are lost.
    #[inline]
    fn remaining(&self, shares: &[Column<f64>], plot: usize, c: &Context<'_>) -> f64 {
        shares.iter().fold(1.0, |left, share| left * (1.0 - at(c, *share, plot)))
    }

    /// N, P and K that the plants on a plot need for unlimited growth if they have this dry matter \[g\].
    fn needed(&self, plot: usize, biomass: f64, c: &Context<'_>) -> [f64; 3] {
        let p = &self.p.crop.nutrition;
        let before = at(c, self.cultivar.c.flowering_biomass, plot);
        let feeding = if before > 0.0 { before + p.later_need * (biomass - before).at_least(0.0) } else { biomass };
        let [nitrogen, phosphorus, potassium] = self.nutrition.needed(feeding, self.area);
        [nitrogen / (1.0 - p.roots), phosphorus, potassium]
    }

    #[inline]
    fn root_zone(&self, plot: usize, day: &Day<'_>, c: &Context<'_>) -> RootZone {
        day.soil.root_zone(plot, day.soil.reach(at(c, self.c.root_depth, plot)))
    }

    fn enter(&self, plot: usize, stage: u8, c: &Context<'_>) {
        c.get(self.c.stage)[plot].set(stage);
        c.get(self.c.entered)[plot].set(1);
    }
}

impl Behaviour for Stand {
    fn plan(&mut self, season: &mut Season<'_>) {
        plan(&mut self.p, season);
    }

    fn reset(&self, c: &mut Context<'_>) {
        begin(&self.p, self.c.stage, self.c.population, c);
    }

    /// Makes plants consistent if the rules put them into a later stage: they get the growth of that stage.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        for plot in 0..self.plots() {
            let stage = c.get(self.c.stage)[plot].get();
            if stage == NONE || stage >= DEAD {
                set_number(c, self.c.population, plot, 0);
            } else if stage >= GROW {
                self.make_consistent(plot, stage, c);
            }
            self.settle_matter(plot, stage, c);
            self.publish_progress(plot, c);
        }
        c.get(self.c.global_stage)[0].set(common_stage(c.get(self.c.stage)));
    }

    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        match PlantAction::of(action, arguments, &self.p) {
            PlantAction::Sow(plot, amount, spacing_cm, cultivar) => self.sow(plot, amount, spacing_cm, cultivar, c),
            PlantAction::HarvestAll => (0..self.plots()).for_each(|plot| self.harvest(plot, c)),
            PlantAction::Harvest(plot) => self.harvest(plot, c),
            PlantAction::Remove(plot) => self.remove(plot, c),
        }
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        has_effect(PlantAction::of(action, arguments, &self.p), &self.p, reader.get(self.c.stage))
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        if phase == Phase::Release {
            return self.release(c);
        }
        let day = self.day(c);
        if phase == Phase::Demand {
            return self.ask(&day, c);
        }
        let mean = f64::midpoint(c.value(self.c.min), c.value(self.c.max));
        self.cultivar.snow(mean, c.value(self.c.rain), c);
        self.develop(&day, c);
        c.get(self.c.global_stage)[0].set(common_stage(c.get(self.c.stage)));
    }
}

/// The plant values that other parts can read.
impl Stand {
    /// The mean of four shares: sprouting, height, pollination and ripeness (paper 3.1.2, r_plant).
    fn publish_progress(&self, plot: usize, c: &Context<'_>) {
        let stage = c.get(self.c.stage)[plot].get();
        if !is_active(stage) {
            set(c, self.c.progress, plot, 0.0);
            return;
        }
        let flowers = f64::from(number(c, self.c.flowers_per_plant, plot));
        let pollinated = match stage {
            BLOOM if flowers > 0.0 => f64::from(number(c, self.c.flowers_pollinated_per_plant, plot)) / flowers,
            FRUIT | RIPE => 1.0,
            _ => 0.0,
        };
        let development = &self.p.crop.development;
        let since_flowering = at(c, self.c.thermal_time, plot) - development.flowering;
        let ripeness = since_flowering / (development.maturity - development.flowering).at_least(1.0);
        let size = at(c, self.c.size, plot) / self.p.size_max;
        set(c, self.c.progress, plot, ((1.0 + size + pollinated + ripeness.clamp(0.0, 1.0)) / 4.0).at_most(1.0));
    }
}
