//! Plant: a crop on each plot that sprouts, grows, blooms, fruits and ripens.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `rain_amount`, `reference_evapotranspiration` | mm |
//! | further weather, only with `equations: agronomic` | `air_temperature_min`, `air_temperature_max`, `solar_radiation` | °C, MJ.m-2 |
//! | further weather, only with the paper's equations | `air_temperature_mean`, `relative_humidity`, `relative_humidity_min`, `wind_speed_2m`, `consecutive_frost` | °C, %, m.s-1, day |
//! | soil layers and the leaves of other parts, only with `equations: agronomic` | `topsoil_water`, `saturation_water`, `soil_depth`, `topsoil_depth`, `leaf_area` | L, m, m² |
//! | its topsoil, and the layers with roots, only with `equations: agronomic` | `topsoil_wilting`, `topsoil_capacity`, `topsoil_saturation`, `rooted_depletion`, `rooted_air`, `rooted_water`, `rooted_nitrogen` | L, prop, g |
//! | the soil's supply and granted shares | `supply_…`, `share_…`, `water_share`, `microlife` | g, L, prop, % |
//! | limits of the soil water, only with the paper's equations | `wilting_water`, `water_capacity` | L |
//! | birds that eat seeds, and pollinators | `seed_eaters`, `pollinator_visit` | nb, flag |
//! | herbicide that falls on the plants, only with `equations: agronomic` | `cide_release_plants` | g |
//! | day of the year, only with `equations: agronomic` | `day_of_year` | day |
//! | carbon dioxide in the air, only with `equations: agronomic` | `air_co2` | ppm |
//! | parts that limit growth, such as a disease | `growth_hindrance` | prop |
//! | a cover against frost, only with `equations: agronomic` | `frost_shelter` | °C |
//! | diseases, only with `equations: agronomic`: leaves with lesions, and leaves that die | `leaves_sick`, `leaves_lost` | prop |
//!
//! | writes | unit |
//! |---|---|
//! | stage, size, flowers, fruits, ages and stress on each plot | … |
//! | water and nutrients that the plants request and release (roles `water_demand`, `demand_…`, `release_…`, `shade`) | L, g, m² |
//! | length of roots, only with `equations: agronomic` (role `root_length`) | m |
//! | `harvest_weight#kg`, `plant_progress`, seeds sown (role `seeds_sown`) | kg, prop, seed |
//!
//! Source: Farm-gym paper 4.2 as corrected by equation sheet II.6. Deviations from the paper:
//!
//! * Each day has one random draw for death, and then one for the next stage.
//! * A seed dies of age, not of youth (Eq. 2).
//! * Nutrients are needed for growth, not for standing height (Eq. 4).
//! * Missing stocks count as shares of the need, and missing water as a share of the water above the wilting point.
//! * Transpiration is not divided by 100.
//! * Fruits are lost one by one (Eq. 21).
//! * A yield counts all plants on a plot.
//!
//! With `equations: agronomic` plants are a stand that follows the laws of crop science: see `stand/`.

mod cells;
mod crop;
mod equations;
mod hindrances;
mod life;
mod parameters;
mod pictures;
mod plots;
mod stand;

use crop::*;
pub use equations::*;
pub use parameters::*;
pub use pictures::Appearance;

use farm_core::declare::{EventId, EventInfo, ValueKind};
use farm_core::{Behaviour, Bind, Column, Columns, Declarations, Entity};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CONSECUTIVE_FROST, DEMAND, FLOWERS, GROWTH_HINDRANCE, HARVEST_WEIGHT, HOST_NUMBER,
    HOST_REPULSION, MICROLIFE, PESTS_ON_HOST, PLANT_PROGRESS, PLANT_STAGE, POLLINATOR_VISIT, RAIN_AMOUNT,
    REFERENCE_EVAPOTRANSPIRATION, RELATIVE_HUMIDITY, RELATIVE_HUMIDITY_MIN, RELEASE, SEED_EATERS, SEEDS_SOWN, SHADE,
    SHARE, SUPPLY, SUPPLY_WATER, WATER_CAPACITY, WATER_DEMAND, WATER_SHARE, WILTING_WATER, WIND_SPEED_2M,
};
use indexmap::IndexMap;

use super::{Equations, NUTRIENTS, StockDistance};
use cells::{LONG, MANY};
use hindrances::{Hindrance, hindrances, name_limits};

/// A crop on each plot. It sprouts, grows, flowers, forms fruits and ripens.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Plant {
    /// Stage of all plots at the start, unless the rules set the start. Exception: with the defaults (stage `seed`, one plant), plots
    /// start empty if the rules allow `sow` and do not set the start.
    #[parameter(default = InitialStage::Seed)]
    pub initial_stage: InitialStage,
    /// Number of plants on each plot at the start.
    #[parameter(unit = "nb", default = 1, range = 0..=100_000)]
    pub initial_population: u32,
    /// Shape of the plants in pictures. It has no other effect.
    #[parameter(default = Appearance::Bush)]
    pub appearance: Appearance,
    /// Final height of the plants.
    #[parameter(unit = "cm", default = 120.0, range = 0.2..=1000.0)]
    pub size_max: f64,
    /// Maximum number of flowers of one plant.
    #[parameter(unit = "nb", default = 18, range = 0..=1000, idle = "equations: agronomic", instead = "crop.fruits")]
    pub flowers_max: u32,
    /// Final weight of one fruit.
    #[parameter(unit = "g", default = 50.0, range = 1.0..=1e5, idle = "equations: agronomic", instead = "crop.fruits")]
    pub fruit_weight_max: f64,
    /// Share of the disc under a plant that the plant shades. The diameter of the disc is the height of the plant.
    #[parameter(name = "shadow_coeff#prop", default = 0.5, range = 0.0..=1.0, idle = "equations: agronomic")]
    pub shadow: f64,
    /// Repulsion of pests: a plant attracts them in proportion to exp(−repulsion).
    #[parameter(name = "pest_repulsive_effect", default = 0.1, range = 0.0..=100.0)]
    pub pest_repulsion: f64,
    /// Share of the stress that heals in a day.
    #[parameter(unit = "prop", default = 0.01, range = 0.0..=1.0, idle = "equations: agronomic")]
    pub stress_healing: f64,
    /// Scale of the effects of stress, which change with exp(−stress/scale).
    #[parameter(unit = "g", default = 1000.0, range = 1e-6..=1e9, idle = "equations: agronomic")]
    pub stress_scale: f64,
    /// Basal crop coefficient at height 0.
    #[parameter(name = "crop_coefficient_0", default = 0.15, range = 0.0..=3.0, idle = "equations: agronomic", instead = "crop.water")]
    pub crop_coefficient_base: f64,
    /// Increase of the basal crop coefficient for each centimetre of height.
    #[parameter(name = "crop_coefficient_1#cm-1", default = 0.0079, range = 0.0..=1.0, idle = "equations: agronomic", instead = "crop.water")]
    pub crop_coefficient_height: f64,
    /// The equations that the plants follow.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Measure of a shortage: `relative` is the missing share of the need, `absolute` the missing grams or litres. Default: `absolute`
    /// with `equations: paper`, otherwise `relative`.
    #[parameter(idle = "equations: agronomic")]
    pub stock_distance: Option<StockDistance>,
    /// Need for nutrients: `growth` is for the height gained on the day, `standing_height` for the whole height every day. Default:
    /// `standing_height` with `equations: paper`, otherwise `growth`.
    #[parameter(idle = "equations: agronomic")]
    pub requirement: Option<Requirement>,
    /// Whether only plants in the stage `ripe` can be harvested. Otherwise also plants in the stage `fruit`.
    pub ripe_only: bool,
    /// Cultivars to choose from at sowing. Each has its name and the degree-days from emergence to ripeness that it needs, as a multiple of
    /// those in `crop`. Plants that the rules put on a plot are of the first. Default: no choice.
    #[parameter(range = 0.3..=3.0)]
    pub cultivars: IndexMap<String, f64>,
    /// Whether the plants fix nitrogen and carbon from the air into the soil, which adds matter.
    #[parameter(idle = "equations: agronomic", instead = "crop.nutrition")]
    pub air_fixation: bool,
    /// Whether harvested plants stay on the plot as residue and release their nutrients. Otherwise these nutrients leave the field.
    pub harvest_residue: bool,
    /// From the seed to the first leaves. Each daily probability is exp(−x), where x is the sum of its penalties below.
    #[parameter(idle = "equations: agronomic", instead = "crop")]
    pub seed: Seed,
    /// From the first leaves to the first flowers. Each daily probability is exp(−x), where x is the sum of its penalties below.
    #[parameter(idle = "equations: agronomic", instead = "crop")]
    pub grow: Grow,
    /// From the first flowers to their fall. Each daily probability is exp(−x), where x is the sum of its penalties below.
    #[parameter(idle = "equations: agronomic", instead = "crop")]
    pub bloom: Bloom,
    /// From the fall of the flowers to full-grown fruits. Each daily probability is exp(−x), where x is the sum of its penalties below.
    #[parameter(idle = "equations: agronomic", instead = "crop")]
    pub fruit: Fruit,
    /// Ripe fruits. The daily survival of each fruit is exp(−x) plus noise, where x is the sum of the penalties below.
    #[parameter(idle = "equations: agronomic", instead = "crop")]
    pub ripe: Ripe,
    /// Nutrients that dead plants release into the soil.
    pub death: Death,
    /// The crop of `equations: agronomic`.
    pub crop: Crop,
}

/// The growth limits; the byte in the state is the index. After these come the names of the parts that limit growth.
pub const LIMITS: [&str; 7] = ["nothing", "temperature", "N", "P", "K", "C", "water"];

/// The causes of death; the byte in the state is the index.
pub const CAUSES_OF_DEATH: [&str; 11] =
    ["none", "chance", "birds", "age", "pests", "no_growth", "frost", "humidity", "no_weight", "rain", "no_fruits"];

/// Maximum number of seeds sown on a plot at once, in the paper's equations.
const MAX_SEEDS: i32 = 100;

/// Maximum number of seeds sown in an episode.
const MAX_SOWN: i32 = 1_000_000_000;

/// The stages in order; the byte in the state is the index.
pub const STAGES: [&str; 8] = ["none", "seed", "grow", "bloom", "fruit", "ripe", "dead", "harvested"];

/// Other words for the stages.
const STAGE_SYNONYMS: [(&str, &str); 14] = [
    ("bare", "none"),
    ("empty", "none"),
    ("sown", "seed"),
    ("sprout", "grow"),
    ("seedling", "grow"),
    ("vegetative", "grow"),
    ("growing", "grow"),
    ("growth", "grow"),
    ("flower", "bloom"),
    ("flowering", "bloom"),
    ("blooming", "bloom"),
    ("fruiting", "fruit"),
    ("mature", "ripe"),
    ("maturity", "ripe"),
];

#[farm_core::register(source = "Farm-gym paper 4.2; equation sheet II.6; FAO-56", sets = concat!(include_str!("plant.yaml"), include_str!("cultivars.yaml")))]
impl Entity for Plant {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.all(GROWTH_HINDRANCE);
        if self.equations == Equations::Agronomic {
            return stand::Stand::declare(self, d);
        }
        let columns = PlantColumns::declare(d, self);
        d.picture(pictures::picture(self.appearance, self.size_max, self.fruit_weight_max));
        plots::declare(d, self, f64::from(MAX_SEEDS), &[1.0, 3.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0], None);
        let key = d.stream_key();
        Bind::after(move |d, known| {
            name_limits(d, known, &LIMITS, (columns.limited_by, columns.limited));
            Bind::new(move |found| life::Life::new(key, found.field().plot_area_m2(), columns.bind(found)))
        })
    }
}

impl Plant {
    /// Maximum number of plants on a plot in the paper's equations: the plants at the start, or the plants that are sown.
    fn most_plants(&self) -> i32 {
        i32::try_from(self.initial_population).unwrap_or(i32::MAX).max(MAX_SEEDS)
    }

    /// Maximum number of flowers on all plants of a plot, in the paper's equations.
    fn most_flowers(&self) -> i32 {
        // With maximum stress.
        let buds = f64::from(self.flowers_max) * (1.0 + self.bloom.stress_boost) + 1.0;
        LONG.max((f64::from(self.most_plants()) * buds) as i32)
    }
}

/// The stages, and `undefined` if the plots have no common stage.
fn stages_and_undefined() -> ValueKind {
    ValueKind::named(&STAGES.iter().copied().chain(["undefined"]).collect::<Vec<_>>())
}

/// An event that happens at most once on each plot, with labels for its values.
fn event(d: &Declarations<'_>, name: &str, labels: &[impl AsRef<str>], doc: &str) -> EventInfo {
    let labels = labels.iter().map(|label| label.as_ref().to_owned()).collect();
    EventInfo::new(name, d.field().plots(), doc).with_labels(labels)
}

/// What plants store, read and report in the paper's equations. The nutrient columns have N for all plots, then P, K and C.
#[derive(Columns)]
struct PlantColumns {
    plant: Plant,
    /// The other parts that limit growth.
    #[bind(hindrances(found, &LIMITS))]
    hindrances: Vec<Hindrance>,
    /// Stage of the plants on the plot.
    #[category(names = &STAGES, per_plot, synonyms = &STAGE_SYNONYMS, role = PLANT_STAGE)]
    stage: Column<u8>,
    /// 1 if the stage began on this day, otherwise 0.
    #[flag(per_plot)]
    entered: Column<u8>,
    /// Stage that at least three quarters of the plots share, or `undefined` if there is no such stage.
    #[category(kind = stages_and_undefined(), synonyms = &STAGE_SYNONYMS)]
    global_stage: Column<u8>,
    /// Factor that limited growth most on the last day on which the plants grew.
    #[category(names = &LIMITS, per_plot)]
    limited_by: Column<u8>,
    /// Cause of the most recent plant deaths on the plot. `age` means that seeds lay in the soil too long, or that all ripe fruits were lost.
    #[category(names = &CAUSES_OF_DEATH, per_plot)]
    cause_of_death: Column<u8>,
    /// Number of plants on the plot, including dead ones. In the seed stage, this is the number of seeds.
    #[count(unit = "nb", range = 0..=plant.most_plants(), per_plot)]
    population: Column<i32>,
    /// Height of the plants on the plot.
    #[real(unit = "cm", range = 0.0..=plant.size_max, per_plot)]
    size: Column<f64>,
    /// Height at which the plants begin to flower.
    #[real(name = "grow_size_threshold#cm", range = 0.0..=plant.size_max, per_plot)]
    size_threshold: Column<f64>,
    /// Number of flowers of one plant.
    #[count(name = "flowers_per_plant#nb", range = 0..=100_000, per_plot)]
    flowers: Column<i32>,
    /// Number of pollinated flowers per plant.
    #[count(name = "flowers_pollinated_per_plant#nb", range = 0..=100_000, per_plot)]
    pollinated: Column<i32>,
    /// Number of pollinator visits since flowering began. Each kind of pollinator is counted once a day.
    #[count(unit = "nb", range = 0..=LONG, per_plot)]
    pollinator_visits: Column<i32>,
    /// Number of fruits per plant.
    #[count(name = "fruits_per_plant#nb", range = 0..=100_000, per_plot)]
    fruits: Column<i32>,
    /// Weight of one fruit.
    #[real(unit = "g", range = 0.0..=plant.fruit_weight_max, per_plot)]
    fruit_weight: Column<f64>,
    /// Fruit weight at which the fruits ripen.
    #[real(name = "fruit_weight_threshold#g", range = 0.0..=plant.fruit_weight_max, per_plot)]
    weight_threshold: Column<f64>,
    /// Number of days for which the seeds have been in the soil. The count stops when they sprout.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    age_seed: Column<i32>,
    /// Number of days in a row without growth.
    #[count(name = "consecutive_nogrow#day", range = 0..=LONG, per_plot)]
    nogrow: Column<i32>,
    /// Number of days for which the plants have been in flower.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    age_bloom: Column<i32>,
    /// Number of days in a row in which the fruits gained no weight.
    #[count(name = "consecutive_noweight#day", range = 0..=LONG, per_plot)]
    noweight: Column<i32>,
    /// Number of days for which the fruits have been ripe.
    #[count(unit = "day", range = 0..=LONG, per_plot)]
    age_ripe: Column<i32>,
    /// Amount of {each} in the plants on the plot.
    #[real(each = NUTRIENTS, name = "cumulated_nutrients_{each}#g", range = 0.0..=MANY, per_plot)]
    nutrients: Column<f64>,
    /// Amount of {each} that the plants on the plot have lacked, minus recovery.
    #[real(each = NUTRIENTS, name = "cumulated_stress_nutrients_{each}#g", range = 0.0..=MANY, per_plot)]
    stress: Column<f64>,
    /// Water that the plants on the plot have taken up since sowing.
    #[real(name = "cumulated_water#L", range = 0.0..=MANY, per_plot)]
    water: Column<f64>,
    /// Water that the plants on the plot have lacked, minus recovery.
    #[real(name = "cumulated_stress_water#L", range = 0.0..=MANY, per_plot)]
    stress_water: Column<f64>,
    /// Total harvest from all plots in this episode.
    #[real(unit = "kg", range = 0.0..=MANY, role = HARVEST_WEIGHT)]
    harvest_weight: Column<f64>,
    /// Number of seeds sown in this episode.
    #[count(name = "total_cumulated_sown#seed", range = 0..=MAX_SOWN, hidden, role = SEEDS_SOWN)]
    sown: Column<i32>,
    /// Progress of the plants, from 0 to 1. It is the mean of four shares: sprouting, height, pollination and fruit weight.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = PLANT_PROGRESS)]
    progress: Column<f64>,
    /// Number of pests on the plants. Each kind of pest adds its number.
    #[count(unit = "nb", range = 0..=LONG, per_plot, hidden, role = PESTS_ON_HOST)]
    pests: Column<i32>,
    /// Number of plants on which pests can sit.
    #[count(unit = "nb", range = 0..=plant.most_plants(), per_plot, hidden, role = HOST_NUMBER)]
    hosts: Column<i32>,
    /// Number of flowers of all plants on the plot.
    #[count(unit = "nb", range = 0..=plant.most_flowers(), per_plot, hidden, role = FLOWERS)]
    open_flowers: Column<i32>,
    /// Amount of {each} that the plants on the plot need on this day.
    #[real(each = NUTRIENTS, name = "required_{each}#g", range = 0.0..=MANY, per_plot)]
    required: Column<f64>,
    /// Amount of this nutrient that the plants request from the soil on this day.
    #[real(each = NUTRIENTS, name = "asked_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = DEMAND[i])]
    asked: Column<f64>,
    /// Water that the plants request from the soil on this day.
    #[real(name = "asked_Water#L.day-1", range = 0.0..=MANY, per_plot, hidden, role = WATER_DEMAND)]
    asked_water: Column<f64>,
    /// Amount of this nutrient that dead plants release on this day.
    #[real(each = NUTRIENTS, name = "released_{each}#g.day-1", range = 0.0..=MANY, per_plot, hidden, role = RELEASE[i])]
    released: Column<f64>,
    /// Ground that the plants shade.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden, role = SHADE)]
    shade: Column<f64>,
    /// Repulsion of pests by the plants. A higher value attracts fewer pests.
    #[real(name = "pest_repulsion", range = 0.0..=100.0, default = plant.pest_repulsion, hidden, role = HOST_REPULSION)]
    _repulsion: Column<f64>,
    #[event_with(event(d, "stage_transition", &STAGES, "The plants entered their next stage. The value is the number of the stage."))]
    transition: EventId,
    #[event_with(event(d, "death", &CAUSES_OF_DEATH, "The plants died. The value is the number of the cause."))]
    death: EventId,
    #[event_with(event(d, "growth_limited", &LIMITS, "The plants or their fruits grew less than possible. The value is the number of the main limiting factor.").as_lasting())]
    limited: EventId,
    /// The farmer harvested fruits. The value is their weight in kg.
    #[event(per_step = d.field().plots())]
    harvest: EventId,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[one(RELATIVE_HUMIDITY_MIN)]
    humidity_min: Column<f64>,
    #[one(WIND_SPEED_2M)]
    wind: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
    #[one(CONSECUTIVE_FROST)]
    frost: Column<i32>,
    #[one(REFERENCE_EVAPOTRANSPIRATION)]
    evapotranspiration: Column<f64>,
    #[one(SUPPLY_WATER)]
    supply_water: Column<f64>,
    #[one(each = SUPPLY)]
    supply: [Column<f64>; 4],
    #[one(WATER_SHARE)]
    water_share: Column<f64>,
    #[one(each = SHARE)]
    share: [Column<f64>; 4],
    #[one(MICROLIFE)]
    microlife: Column<f64>,
    #[one(WILTING_WATER)]
    wilting: Column<f64>,
    #[one(WATER_CAPACITY)]
    capacity: Column<f64>,
    #[all(SEED_EATERS)]
    seed_eaters: Vec<Column<i32>>,
    #[all(POLLINATOR_VISIT)]
    visits: Vec<Column<u8>>,
}
