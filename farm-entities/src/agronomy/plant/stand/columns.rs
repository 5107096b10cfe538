//! What a stand keeps, whom it asks and what it reports.

use farm_core::declare::{EventId, EventInfo, Labels, ValueKind};
use farm_core::{Column, Columns};
use farm_roles::{
    AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, CIDE_RELEASE_PLANTS, DEMAND, FLOWERS, HARVEST_WEIGHT, HOST_NUMBER,
    HOST_REPULSION, LEAF_AREA, MICROLIFE, PESTS_ON_HOST, PLANT_PROGRESS, POLLINATOR_VISIT, RAIN_AMOUNT,
    REFERENCE_EVAPOTRANSPIRATION, RELEASE, ROOT_DEPTH, SEED_EATERS, SEEDS_SOWN, SHADE, SHARE, SOLAR_RADIATION, SUPPLY,
    WATER_DEMAND, WATER_SHARE,
};

use super::super::cells::LONG;
use super::super::hindrances::Hindrance;
use super::super::{MAX_SOWN, Plant, STAGES};
use super::CAUSES_OF_DEATH;
use crate::agronomy::NUTRIENTS;
use crate::agronomy::root_zone::SoilLayers;
use crate::agronomy::throughput::Throughput;

/// Upper end of what a plot holds.
const MANY: f64 = 1e9;
/// Upper end of numbers of plants, flowers and fruits.
pub(super) const MAX_NUMBER: i32 = 1_000_000;

/// What the columns of a stand depend on.
#[derive(Clone)]
pub(super) struct Given {
    pub plant: Plant,
    pub plots: usize,
    /// What can limit growth, by name.
    pub limits: Vec<String>,
}

impl Given {
    /// The stages, and that none is common.
    fn with_undefined(&self) -> ValueKind {
        let names: Vec<&str> = STAGES.iter().copied().chain(["undefined"]).collect();
        ValueKind::named(&names)
    }

    fn limits(&self) -> ValueKind {
        ValueKind::Category(vec![Labels::Named(self.limits.clone())])
    }

    pub(super) fn max_fruit(&self) -> f64 {
        let fruits = &self.plant.crop.fruits;
        fruits.max_dry_weight / fruits.dry_share
    }

    fn max_depth(&self) -> f64 {
        let [shallow, deep] = self.plant.crop.canopy.root_depth;
        shallow.max(deep)
    }
}

fn event(given: &Given, name: &str, labels: &[impl AsRef<str>], doc: &str) -> EventInfo {
    let labels = labels.iter().map(|label| label.as_ref().to_owned()).collect();
    EventInfo::new(name, given.plots, doc).with_labels(labels)
}

/// The columns of a stand; those of the nutrients hold N, P, K and C of all plots one behind the other.
#[derive(Columns)]
pub(super) struct StandColumns {
    pub given: Given,
    /// Stage of the plants.
    #[category(kind = ValueKind::named(&STAGES), per_plot)]
    pub stage: Column<u8>,
    /// Whether the stage was entered since the day began.
    #[flag(per_plot)]
    pub entered: Column<u8>,
    /// The stage of at least three quarters of the plots.
    #[category(kind = given.with_undefined())]
    pub global_stage: Column<u8>,
    /// What limited the plants' growth most today.
    #[category(kind = given.limits(), per_plot)]
    pub limited_by: Column<u8>,
    /// What killed the plants, if they are dead.
    #[category(kind = ValueKind::named(&CAUSES_OF_DEATH), per_plot)]
    pub cause_of_death: Column<u8>,
    /// Plants in the plot.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub population: Column<i32>,
    /// Height of the plants.
    #[real(unit = "cm", range = 0.0..=given.plant.size_max, per_plot)]
    pub size: Column<f64>,
    /// Warmth since sowing.
    #[real(unit = "°C.day", range = 0.0..=1e6, per_plot)]
    pub thermal_time: Column<f64>,
    /// Dry matter of the plants of the plot, above the ground.
    #[real(unit = "g", range = 0.0..=MANY, per_plot)]
    pub biomass: Column<f64>,
    /// Leaves of the plants of the plot, one side.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, role = LEAF_AREA)]
    pub leaf_area: Column<f64>,
    /// Depth of the roots.
    #[real(unit = "m", range = 0.0..=given.max_depth(), per_plot, role = ROOT_DEPTH)]
    pub root_depth: Column<f64>,
    /// Flowers of one plant.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub flowers_per_plant: Column<i32>,
    /// Flowers of one plant that were pollinated.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub flowers_pollinated_per_plant: Column<i32>,
    /// Flowers of one plant that have not opened.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, hidden)]
    pub buds_per_plant: Column<i32>,
    /// Visits of pollinators since the flowers came.
    #[count(unit = "nb", range = 0..=LONG, per_plot)]
    pub pollinator_visits: Column<i32>,
    /// Fruits of one plant.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot)]
    pub fruits_per_plant: Column<i32>,
    /// Weight of one fruit, with its water.
    #[real(unit = "g", range = 0.0..=given.max_fruit(), per_plot)]
    pub fruit_weight: Column<f64>,
    /// Days since sowing, until the sprout.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub age_seed: Column<i32>,
    /// Days of flowering.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub age_bloom: Column<i32>,
    /// Days since the fruits were ripe.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub age_ripe: Column<i32>,
    /// Days since the canopy was full.
    #[count(unit = "day", range = 0..=LONG, per_plot, hidden)]
    pub age_canopy: Column<i32>,
    /// Days in a row on which roots had too little air.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    pub consecutive_wet: Column<i32>,
    /// {each} that the plants of the plot hold.
    #[real(each = NUTRIENTS, name = "cumulated_nutrients_{each}#g", range = 0.0..=MANY, per_plot)]
    pub nutrients: Column<f64>,
    /// Nitrogen held, as a share of what the plants need to grow unhindered.
    #[real(unit = "prop", range = 0.0..=10.0, per_plot, default = 1.0)]
    pub nitrogen_nutrition: Column<f64>,
    /// Nitrogen that the plants of the plot took from the air today.
    #[real(name = "fixed_N#g.day-1", range = 0.0..=MANY, per_plot)]
    pub fixed: Column<f64>,
    /// Water that the plants of the plot took.
    #[real(name = "cumulated_water#L", range = 0.0..=MANY, per_plot)]
    pub water: Column<f64>,
    /// Water that the plants of the plot missed.
    #[real(name = "cumulated_stress_water#L", range = 0.0..=MANY, per_plot)]
    pub stress_water: Column<f64>,
    /// Weight of all that was harvested.
    #[real(unit = "kg", range = 0.0..=MANY, role = HARVEST_WEIGHT)]
    pub harvest_weight: Column<f64>,
    /// {each} in the plants that were harvested in this episode.
    #[real(each = NUTRIENTS, name = "total_harvested_{each}#g", range = 0.0..=1e12, hidden)]
    pub harvested: Column<f64>,
    #[with(Throughput::declare(b, &()))]
    pub through: Throughput,
    /// Seeds sown in this episode.
    #[count(name = "total_cumulated_sown#seed", range = 0..=MAX_SOWN, hidden, role = SEEDS_SOWN)]
    pub sown: Column<i32>,
    /// How far the plants have come: sprouted, height, pollination, fruit weight.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = PLANT_PROGRESS)]
    pub progress: Column<f64>,
    /// Animals that eat the plants; they count themselves here.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, hidden, role = PESTS_ON_HOST)]
    pub pests: Column<i32>,
    /// Plants on which pests can sit.
    #[count(unit = "nb", range = 0..=MAX_NUMBER, per_plot, hidden, role = HOST_NUMBER)]
    pub hosts: Column<i32>,
    /// Flowers of all plants of the plot.
    #[count(unit = "nb", range = 0..=i32::MAX, per_plot, hidden, role = FLOWERS)]
    pub open_flowers: Column<i32>,
    /// {each} that the plants ask of the soil today.
    #[real(each = NUTRIENTS, name = "asked_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = DEMAND[i])]
    pub asked: Column<f64>,
    /// Water that the plants ask for today.
    #[real(name = "asked_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden, role = WATER_DEMAND)]
    pub asked_water: Column<f64>,
    /// Water that the plants would transpire today if nothing were missing.
    #[real(name = "wanted_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden)]
    pub wanted_water: Column<f64>,
    /// {each} that dead plants give back today.
    #[real(each = NUTRIENTS, name = "released_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = RELEASE[i])]
    pub released: Column<f64>,
    /// Ground that the plants cover.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden, role = SHADE)]
    pub shade: Column<f64>,
    /// How much the canopy is crowded, 1 where no leaf finds room.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden)]
    pub crowding: Column<f64>,
    /// Leaves that animals have eaten since the plants have fruits, which they do not replace any more.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden)]
    pub eaten_leaves: Column<f64>,
    /// Dry matter that animals took and that would be in the fruits: that of fruits, and a part of that of leaves.
    #[real(unit = "g", range = 0.0..=MANY, per_plot, hidden)]
    pub missing_in_fruits: Column<f64>,
    /// The part of a fruit that each plant has lost besides whole ones.
    #[real(unit = "nb", range = 0.0..=1.0, per_plot, hidden)]
    pub spoilt_part: Column<f64>,
    /// How far the plants have got over the frosts that they lived through.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, default = 1.0)]
    pub unfrozen: Column<f64>,
    /// Share of the leaf growth that the lack of water leaves.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, default = 1.0)]
    pub expansion: Column<f64>,
    /// Share of the leaves that does not wilt.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, default = 1.0)]
    pub turgid: Column<f64>,
    /// Share of the flowers that the lack of water leaves.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden, default = 1.0)]
    pub moist: Column<f64>,
    /// How much the plants repel pests.
    #[real(name = "pest_repulsion", range = 0.0..=100.0, default = given.plant.pest_repulsion, hidden, role = HOST_REPULSION)]
    _repulsion: Column<f64>,
    #[with(b.event_with(event(&given, "stage_transition", &STAGES, "Plants advanced to their next stage; the value is the stage's number.")))]
    pub transition: EventId,
    #[with(b.event_with(event(&given, "death", &CAUSES_OF_DEATH, "Plants died; the value is the number of what killed them.")))]
    pub death: EventId,
    #[with(b.event_with(event(&given, "growth_limited", &given.limits, "Plants grew less than they can; the value is the number of what limited them most.").as_lasting()))]
    pub limited: EventId,
    #[event(per_step = given.plots)]
    /// Fruits were harvested; the value is their weight in kg.
    pub harvest: EventId,
    #[one(AIR_TEMPERATURE_MIN)]
    pub min: Column<f64>,
    #[one(AIR_TEMPERATURE_MAX)]
    pub max: Column<f64>,
    #[one(SOLAR_RADIATION)]
    pub radiation: Column<f64>,
    #[one(REFERENCE_EVAPOTRANSPIRATION)]
    pub et0: Column<f64>,
    #[one(RAIN_AMOUNT)]
    pub rain: Column<f64>,
    #[with(SoilLayers::declare(b, &()))]
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
    #[all(CIDE_RELEASE_PLANTS)]
    pub sprayed: Vec<Column<f64>>,
    #[all(SEED_EATERS)]
    pub seed_eaters: Vec<Column<i32>>,
    #[all(POLLINATOR_VISIT)]
    pub visits: Vec<Column<u8>>,
}

/// Who hinders growth besides, such as a disease.
pub(super) type Hindrances = Vec<Hindrance>;
