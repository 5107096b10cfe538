//! A stand's state, the roles that it reads and the events that it reports.

use farm_core::declare::{All, EventId, EventInfo, UsualStart, ValueKind};
use farm_core::math::Bounded;
use farm_core::{Column, Columns, Found};
use farm_roles::{
    AIR_CO2, AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, CIDE_RELEASE_PLANTS, DEMAND, FLOWERS, FROST_SHELTER,
    HARVEST_WEIGHT, HOST_NUMBER, HOST_REPULSION, LEAF_AREA, LEAVES_LOST, LEAVES_SICK, MICROLIFE, PESTS_ON_HOST,
    PLANT_PROGRESS, PLANT_STAGE, POLLINATOR_VISIT, RAIN_AMOUNT, REFERENCE_EVAPOTRANSPIRATION, RELEASE, ROOT_DEPTH,
    SEED_EATERS, SEEDS_SOWN, SHADE, SHARE, SOLAR_RADIATION, SUPPLY, WATER_DEMAND, WATER_SHARE,
};

use super::super::cells::LONG;
use super::super::hindrances::concerns;
use super::super::{MAX_SOWN, Plant, STAGE_SYNONYMS, STAGES};
use super::{CAUSES_OF_DEATH, LIMITS};
use crate::agronomy::root_zone::SoilLayers;
use crate::agronomy::throughput::Throughput;
use crate::agronomy::{NUTRIENT_NAMES, NUTRIENTS};

/// Upper limit of the amounts on a plot.
const MANY: f64 = 1e9;
/// Upper limit of numbers of plants, flowers and fruits.
pub(super) const MAX_NUMBER: i32 = 1_000_000;

/// The data that a stand's columns depend on.
#[derive(Clone)]
pub(super) struct Given {
    pub plant: Plant,
    pub plots: usize,
    /// The numbers of plants with which games usually start.
    pub usual: UsualStart,
}

impl Given {
    /// The stages, and `undefined` if the plots have no common stage.
    fn with_undefined(&self) -> ValueKind {
        let names: Vec<&str> = STAGES.iter().copied().chain(["undefined"]).collect();
        ValueKind::named(&names)
    }

    fn cultivars(&self) -> ValueKind {
        ValueKind::named(&self.plant.cultivars.keys().collect::<Vec<_>>())
    }

    pub(super) fn max_fruit(&self) -> f64 {
        let fruits = &self.plant.crop.fruits;
        fruits.max_dry_weight / fruits.dry_share
    }

    fn max_depth(&self) -> f64 {
        let [shallow, deep] = self.plant.crop.canopy.root_depth;
        shallow.at_least(deep)
    }
}

fn event(given: &Given, name: &str, labels: &[impl AsRef<str>], doc: &str) -> EventInfo {
    let labels = labels.iter().map(|label| label.as_ref().to_owned()).collect();
    EventInfo::new(name, given.plots, doc).with_labels(labels)
}

/// The columns of the providers that concern this part.
fn concerning(all: All<f64>, found: &Found<'_>) -> Vec<Column<f64>> {
    let mine = found.named(all).into_iter().filter(|(_, variable, _)| concerns(variable, found.part()));
    mine.map(|(.., column)| column).collect()
}

/// The columns of a stand. The nutrient columns have N for all plots, then P, K and C.
#[derive(Columns)]
pub(super) struct StandColumns {
    pub given: Given,
    /// Stage of the plants on the plot.
    #[category(kind = ValueKind::named(&STAGES), per_plot, synonyms = &STAGE_SYNONYMS, role = PLANT_STAGE)]
    pub stage: Column<u8>,
    /// Cultivar of the plants on the plot.
    #[category(kind = given.cultivars(), when = !given.plant.cultivars.is_empty(), per_plot)]
    pub cultivar: Option<Column<u8>>,
    /// 1 if the stage began on this day, otherwise 0.
    #[flag(per_plot)]
    pub entered: Column<u8>,
    /// Stage that at least three quarters of the plots share, or `undefined` if there is no such stage.
    #[category(kind = given.with_undefined(), synonyms = &STAGE_SYNONYMS)]
    pub global_stage: Column<u8>,
    /// Factor that limited growth most on the last day on which the plants grew.
    #[category(kind = ValueKind::named(&LIMITS), per_plot)]
    pub limited_by: Column<u8>,
    /// Cause of the most recent plant deaths on the plot. `age` means that seeds lay in the soil too long, or that all ripe fruits were lost.
    #[category(kind = ValueKind::named(&CAUSES_OF_DEATH), per_plot)]
    pub cause_of_death: Column<u8>,
    /// Number of plants on the plot, including dead ones. In the seed stage, this is the number of seeds.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, usual = given.usual.clone())]
    pub population: Column<i32>,
    /// Height of the plants on the plot.
    #[real(unit = "cm", range = 0.0..=given.plant.size_max, per_plot)]
    pub size: Column<f64>,
    /// Degree-days since sowing. In the seed stage, only days with moist topsoil count.
    #[real(unit = "°C.day", range = 0.0..=1e6, per_plot)]
    pub thermal_time: Column<f64>,
    /// Above-ground dry matter of all plants on the plot.
    #[real(unit = "g", range = 0.0..=MANY, per_plot)]
    pub biomass: Column<f64>,
    /// One-sided leaf area of all plants on the plot.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, role = LEAF_AREA)]
    pub leaf_area: Column<f64>,
    /// Rooting depth of the plants.
    #[real(unit = "m", range = 0.0..=given.max_depth(), per_plot, role = ROOT_DEPTH)]
    pub root_depth: Column<f64>,
    /// Number of flowers per plant, including flowers that have not opened yet.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub flowers_per_plant: Column<i32>,
    /// Number of pollinated flowers per plant.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub flowers_pollinated_per_plant: Column<i32>,
    /// Number of flowers per plant that have not opened yet.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, hidden)]
    pub buds_per_plant: Column<i32>,
    /// Number of pollinator visits since flowering began. Each kind of pollinator is counted once a day.
    #[count(unit = "nb", range = 0..=LONG, per_plot)]
    pub pollinator_visits: Column<i32>,
    /// Number of fruits per plant.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub fruits_per_plant: Column<i32>,
    /// Fresh weight of one fruit.
    #[real(unit = "g", range = 0.0..=given.max_fruit(), per_plot)]
    pub fruit_weight: Column<f64>,
    /// Number of days for which the seeds have been in the soil. The count stops when they sprout.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub age_seed: Column<i32>,
    /// Number of days for which the plants have been in flower.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub age_bloom: Column<i32>,
    /// Number of days for which the fruits have been ripe.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub age_ripe: Column<i32>,
    /// Number of consecutive days with too little air at the roots.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub consecutive_wet: Column<i32>,
    #[real(each = NUTRIENTS, doc = &format!("{} in the plants on the plot.", NUTRIENT_NAMES[i]), name = "cumulated_nutrients_{each}#g", range = 0.0..=MANY, per_plot)]
    pub nutrients: Column<f64>,
    /// Nitrogen in the plants, as a share of what they need for full growth.
    #[real(unit = "prop", range = 0.0..=10.0, per_plot, default = 1.0)]
    pub nitrogen_nutrition: Column<f64>,
    /// Nitrogen that the plants on the plot fixed from the air during the day.
    #[real(name = "fixed_N#g.day-1", range = 0.0..=MANY, per_plot)]
    pub fixed: Column<f64>,
    /// Water that the plants on the plot have taken up since sowing.
    #[real(name = "cumulated_water#L", range = 0.0..=MANY, per_plot)]
    pub water: Column<f64>,
    /// Water that the plants on the plot have lacked since sowing.
    #[real(name = "cumulated_stress_water#L", range = 0.0..=MANY, per_plot)]
    pub stress_water: Column<f64>,
    /// Total harvest from all plots in this episode.
    #[real(unit = "kg", range = 0.0..=MANY, role = HARVEST_WEIGHT)]
    pub harvest_weight: Column<f64>,
    /// Amount of {each} in the plants that the farmer harvested in this episode.
    #[real(each = NUTRIENTS, name = "total_harvested_{each}#g", range = 0.0..=1e12, hidden)]
    pub harvested: Column<f64>,
    #[nested(())]
    pub through: Throughput,
    /// Number of seeds sown in this episode.
    #[count(name = "total_cumulated_sown#seed", range = 0..=MAX_SOWN, hidden, role = SEEDS_SOWN)]
    pub sown: Column<i32>,
    /// Progress of the plants, from 0 to 1. It is the mean of four shares: sprouting, height, pollination and ripeness.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = PLANT_PROGRESS)]
    pub progress: Column<f64>,
    /// Number of pests on the plants. Each kind of pest adds its number.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, hidden, role = PESTS_ON_HOST)]
    pub pests: Column<i32>,
    /// Number of plants on which pests can sit.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, hidden, role = HOST_NUMBER)]
    pub hosts: Column<i32>,
    /// Number of flowers of all plants on the plot.
    #[count(unit = "nb", range = 0..=i32::MAX, per_plot, hidden, role = FLOWERS)]
    pub open_flowers: Column<i32>,
    /// Amount of {each} that the plants request from the soil on this day.
    #[real(each = NUTRIENTS, name = "asked_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = DEMAND[i])]
    pub asked: Column<f64>,
    /// Water that the plants request from the soil on this day.
    #[real(name = "asked_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden, role = WATER_DEMAND)]
    pub asked_water: Column<f64>,
    /// Water that the plants would transpire on this day with enough water and air in the soil.
    #[real(name = "wanted_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden)]
    pub wanted_water: Column<f64>,
    /// Amount of {each} that dead plants release on this day.
    #[real(each = NUTRIENTS, name = "released_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = RELEASE[i])]
    pub released: Column<f64>,
    /// Ground that the plants cover.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden, role = SHADE)]
    pub shade: Column<f64>,
    /// Leaf area lost to animals and diseases since the plants have fruits. The plants do not replace it.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden)]
    pub eaten_leaves: Column<f64>,
    /// Dry matter that the fruits lack because of animals. It counts eaten fruits and a part of the eaten leaves.
    #[real(unit = "g", range = 0.0..=MANY, per_plot, hidden)]
    pub missing_in_fruits: Column<f64>,
    /// Part of a fruit that each plant has lost in addition to whole fruits.
    #[real(unit = "nb", range = 0.0..=1.0, per_plot, hidden)]
    pub spoilt_part: Column<f64>,
    /// Share of growing points without frost damage. It recovers slowly.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, default = 1.0)]
    pub unfrozen: Column<f64>,
    /// Share of the leaf growth that is possible with the water in the soil.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, default = 1.0)]
    pub expansion: Column<f64>,
    /// Share of the leaves that do not wilt.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, default = 1.0)]
    pub turgid: Column<f64>,
    /// Share of the flowers that can set fruit with the water in the soil.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, default = 1.0)]
    pub moist: Column<f64>,
    /// Repulsion of pests by the plants. A higher value attracts fewer pests.
    #[real(name = "pest_repulsion", range = 0.0..=100.0, default = given.plant.pest_repulsion, hidden, role = HOST_REPULSION)]
    _repulsion: Column<f64>,
    #[event_with(event(&given, "stage_transition", &STAGES, "The plants entered their next stage. The value is the number of the stage."))]
    pub transition: EventId,
    #[event_with(event(&given, "death", &CAUSES_OF_DEATH, "The plants died. The value is the number of the cause."))]
    pub death: EventId,
    #[event_with(event(&given, "growth_limited", &LIMITS, "The plants grew less than possible. The value is the number of the main limiting factor.").as_lasting())]
    pub limited: EventId,
    #[event(per_step = given.plots)]
    /// The farmer harvested fruits. The value is their weight in kg.
    pub harvest: EventId,
    #[one(AIR_TEMPERATURE_MIN)]
    pub min: Column<f64>,
    #[maybe(FROST_SHELTER)]
    pub shelter: Option<Column<f64>>,
    #[one(AIR_TEMPERATURE_MAX)]
    pub max: Column<f64>,
    #[one(SOLAR_RADIATION)]
    pub radiation: Column<f64>,
    #[one(REFERENCE_EVAPOTRANSPIRATION)]
    pub et0: Column<f64>,
    #[maybe(AIR_CO2)]
    pub air_co2: Option<Column<f64>>,
    #[one(RAIN_AMOUNT)]
    pub rain: Column<f64>,
    #[nested(())]
    pub soil: SoilLayers,
    #[one(WATER_SHARE)]
    pub water_share: Column<f64>,
    #[one(each = SUPPLY)]
    pub supply: [Column<f64>; 4],
    #[one(each = SHARE)]
    pub share: [Column<f64>; 4],
    #[one(MICROLIFE)]
    pub microlife: Column<f64>,
    #[all(LEAF_AREA)]
    pub all_leaves: Vec<Column<f64>>,
    #[with([d.all(LEAVES_SICK), d.all(LEAVES_LOST)])]
    _diseases: [All<f64>; 2],
    /// Shares of the leaves that do not transpire.
    #[bind(concerning(_diseases[0], found))]
    pub sick: Vec<Column<f64>>,
    /// Shares of the leaves that die today, for example of a disease.
    #[bind(concerning(_diseases[1], found))]
    pub lost: Vec<Column<f64>>,
    #[all(CIDE_RELEASE_PLANTS)]
    pub sprayed: Vec<Column<f64>>,
    #[all(SEED_EATERS)]
    pub seed_eaters: Vec<Column<i32>>,
    #[all(POLLINATOR_VISIT)]
    pub visits: Vec<Column<u8>>,
}
