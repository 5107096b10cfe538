//! Plant: a crop on each plot that sprouts, grows, blooms, fruits and ripens.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `rain_amount`, `reference_evapotranspiration` | mm |
//! | further weather, only with `equations: agronomic` | `air_temperature_min`, `air_temperature_max`, `solar_radiation` | °C, MJ.m-2 |
//! | further weather, only with the paper's equations | `air_temperature_mean`, `relative_humidity`, `relative_humidity_min`, `wind_speed_2m`, `consecutive_frost` | °C, %, m.s-1, day |
//! | soil layers and the leaves of other parts, only with `equations: agronomic` | `soil_water`, `topsoil_water`, `saturation_water`, `soil_depth`, `topsoil_depth`, `leaf_area` | L, m, m² |
//! | the soil's supply and granted shares | `supply_…`, `share_…`, `water_share`, `microlife`, `wilting_water`, `water_capacity` | g, L, prop, % |
//! | birds that eat seeds, and pollinators | `seed_eaters`, `pollinator_visit` | nb, flag |
//! | herbicide that falls on the plants, only with `equations: agronomic` | `cide_release_plants` | g |
//! | parts that limit growth, such as a disease | `growth_hindrance` | prop |
//!
//! | writes | unit |
//! |---|---|
//! | stage, size, flowers, fruits, ages and stress on each plot | … |
//! | water and nutrients that the plants request and release (roles `water_demand`, `demand_…`, `release_…`, `shade`) | L, g, m² |
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

pub use crop::*;
pub use equations::*;
pub use parameters::*;
pub use pictures::Appearance;

use farm_core::declare::{EventId, EventInfo, ValueKind, category, count, flag, real};
use farm_core::{Behaviour, Builder, Column, Entity};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CONSECUTIVE_FROST, DEMAND, FLOWERS, HARVEST_WEIGHT, HOST_NUMBER, HOST_REPULSION, MICROLIFE,
    PESTS_ON_HOST, PLANT_PROGRESS, POLLINATOR_VISIT, RAIN_AMOUNT, REFERENCE_EVAPOTRANSPIRATION, RELATIVE_HUMIDITY,
    RELATIVE_HUMIDITY_MIN, RELEASE, SEED_EATERS, SEEDS_SOWN, SHADE, SHARE, SUPPLY, SUPPLY_WATER, WATER_CAPACITY,
    WATER_DEMAND, WATER_SHARE, WILTING_WATER, WIND_SPEED_2M,
};

use super::{Equations, NUTRIENTS, StockDistance};
use cells::{LONG, MANY};
use hindrances::{Hindrance, limits_and_hindrances};

/// A crop on each plot. It sprouts, grows, flowers, forms fruits and ripens.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Plant {
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

#[farm_core::register(source = "Farm-gym paper 4.2; equation sheet II.6; FAO-56", sets = include_str!("plant.yaml"))]
impl Entity for Plant {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        if self.equations == Equations::Agronomic {
            return stand::Stand::build(self, b);
        }
        let plots = b.field().plots();
        let (limits, hindrances) = limits_and_hindrances(b, &LIMITS);
        let columns = self.declare(b, &limits);
        [columns.stage, columns.global_stage].into_iter().for_each(|stage| b.synonyms(stage, &STAGE_SYNONYMS));
        b.picture(pictures::picture(self.appearance, self.size_max, self.fruit_weight_max));
        let repulsion = real(
            "pest_repulsion",
            0.0,
            100.0,
            "Repulsion of pests by the plants. A higher value attracts fewer pests.",
        )
        .hidden();
        b.declare(repulsion.default(self.pest_repulsion).role(HOST_REPULSION));
        let events = Events {
            transition: b.event_with(
                EventInfo::new(
                    "stage_transition",
                    plots,
                    "The plants entered their next stage. The value is the number of the stage.",
                )
                .with_labels(STAGES.map(String::from).to_vec()),
            ),
            death: b.event_with(
                EventInfo::new("death", plots, "The plants died. The value is the number of the cause.")
                    .with_labels(CAUSES_OF_DEATH.map(String::from).to_vec()),
            ),
            limited: b.event_with(
                EventInfo::new(
                    "growth_limited",
                    plots,
                    "The plants or their fruits grew less than possible. The value is the number of the main \
                     limiting factor.",
                )
                .with_labels(limits)
                .as_lasting(),
            ),
            harvest: b.event("harvest", plots, "The farmer harvested fruits. The value is their weight in kg."),
        };
        plots::declare(b, self, f64::from(MAX_SEEDS), &[1.0, 3.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0], None);
        let inputs = Inputs {
            temperature: b.one(AIR_TEMPERATURE_MEAN),
            humidity: b.one(RELATIVE_HUMIDITY),
            humidity_min: b.one(RELATIVE_HUMIDITY_MIN),
            wind: b.one(WIND_SPEED_2M),
            rain: b.one(RAIN_AMOUNT),
            frost: b.one(CONSECUTIVE_FROST),
            evapotranspiration: b.one(REFERENCE_EVAPOTRANSPIRATION),
            supply_water: b.one(SUPPLY_WATER),
            supply: SUPPLY.map(|role| b.one(role)),
            water_share: b.one(WATER_SHARE),
            share: SHARE.map(|role| b.one(role)),
            microlife: b.one(MICROLIFE),
            wilting: b.one(WILTING_WATER),
            capacity: b.one(WATER_CAPACITY),
            seed_eaters: b.all(SEED_EATERS),
            visits: b.all(POLLINATOR_VISIT),
            hindrances,
        };
        Box::new(life::Life::new(self, b.stream_key(), b.field().plot_area_m2(), columns, inputs, events))
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

    fn declare(&self, b: &mut Builder<'_>, limits: &[String]) -> Columns {
        let stages = || ValueKind::named(&STAGES);
        let with_undefined: Vec<&str> = STAGES.iter().copied().chain(["undefined"]).collect();
        let plot = |name: &str, high: f64, doc: &str| real(name, 0.0, high, doc).per_plot();
        let number = |name: &str, high: i32, doc: &str| count(name, 0, high, doc).per_plot();
        let four = |b: &mut Builder<'_>, name: &str, doc: &str| {
            let four =
                NUTRIENTS.map(|x| b.declare(plot(&format!("{name}_{x}#g"), MANY, &format!("Amount of {x} {doc}"))));
            Column::joined(&four)
        };
        let hidden = |b: &mut Builder<'_>, name: &str, roles: [farm_core::Role<f64>; 4], doc: &str| {
            let four: [_; 4] = std::array::from_fn(|x| {
                let name = format!("{name}_{}#g.day-1", NUTRIENTS[x]);
                b.declare(plot(&name, MANY, doc).hidden().role(roles[x]))
            });
            Column::joined(&four)
        };
        Columns {
            stage: b.declare(category("stage", stages(), "Stage of the plants on the plot.").per_plot()),
            entered: b.declare(flag("entered", "1 if the stage began on this day, otherwise 0.").per_plot()),
            global_stage: b.declare(category(
                "global_stage",
                ValueKind::named(&with_undefined),
                "Stage of at least three quarters of the plots, otherwise undefined.",
            )),
            limited_by: b.declare(
                category(
                    "limited_by",
                    ValueKind::named(limits),
                    "Factor that limited the growth of the plants most, on their last day of growth.",
                )
                .per_plot(),
            ),
            cause_of_death: b.declare(
                category(
                    "cause_of_death",
                    ValueKind::named(&CAUSES_OF_DEATH),
                    "Cause of death of the last plants that died on the plot. The cause age means: seeds lay too \
                     long, or all ripe fruits were lost.",
                )
                .per_plot(),
            ),
            population: b.declare(number(
                "population#nb",
                self.most_plants(),
                "Number of plants on the plot, dead plants too. \
                 In the seed stage, it is the number of seeds.",
            )),
            size: b.declare(plot("size#cm", self.size_max, "Height of the plants on the plot.")),
            size_threshold: b.declare(plot(
                "grow_size_threshold#cm",
                self.size_max,
                "Height at which the plants begin to flower.",
            )),
            flowers: b.declare(number("flowers_per_plant#nb", 100_000, "Number of flowers of one plant.")),
            pollinated: b.declare(number(
                "flowers_pollinated_per_plant#nb",
                100_000,
                "Number of pollinated flowers of one plant.",
            )),
            visits: b.declare(number(
                "pollinator_visits#nb",
                LONG,
                "Number of visits by pollinators since flowering began. \
                 Each kind of pollinator counts once a day.",
            )),
            fruits: b.declare(number("fruits_per_plant#nb", 100_000, "Number of fruits on one plant.")),
            fruit_weight: b.declare(plot("fruit_weight#g", self.fruit_weight_max, "Weight of one fruit.")),
            weight_threshold: b.declare(plot(
                "fruit_weight_threshold#g",
                self.fruit_weight_max,
                "Fruit weight at which the fruits ripen.",
            )),
            age_seed: b.declare(number(
                "age_seed#day",
                LONG,
                "Number of days that the seeds have been in the soil. It stops when they sprout.",
            )),
            nogrow: b.declare(number("consecutive_nogrow#day", LONG, "Number of days in a row without growth.")),
            age_bloom: b.declare(number("age_bloom#day", LONG, "Number of days of flowering so far.")),
            noweight: b.declare(number(
                "consecutive_noweight#day",
                LONG,
                "Number of days in a row in which the fruits gained no weight.",
            )),
            age_ripe: b.declare(number("age_ripe#day", LONG, "Number of days that the fruits have been ripe.")),
            nutrients: four(b, "cumulated_nutrients", "in the plants on the plot."),
            stress: four(b, "cumulated_stress_nutrients", "that the plants on the plot have lacked, minus recovery."),
            water: b.declare(plot(
                "cumulated_water#L",
                MANY,
                "Water that the plants on the plot have taken up since sowing.",
            )),
            stress_water: b.declare(plot(
                "cumulated_stress_water#L",
                MANY,
                "Water that the plants on the plot have lacked, minus recovery.",
            )),
            harvest_weight: b.declare(
                real("harvest_weight#kg", 0.0, MANY, "Total harvest of all plots in this episode.")
                    .role(HARVEST_WEIGHT),
            ),
            sown: b.declare(
                count("total_cumulated_sown#seed", 0, MAX_SOWN, "Number of seeds sown in this episode.")
                    .hidden()
                    .role(SEEDS_SOWN),
            ),
            progress: b.declare(
                plot(
                    "progress#prop",
                    1.0,
                    "Progress of the plants, from 0 to 1. It is the mean of four shares: sprouting, height, \
                     pollination and fruit weight.",
                )
                .role(PLANT_PROGRESS),
            ),
            pests: b.declare(
                number("pests#nb", LONG, "Number of pests on the plants. Each kind of pest adds its number.")
                    .hidden()
                    .role(PESTS_ON_HOST),
            ),
            hosts: b.declare(
                number("hosts#nb", self.most_plants(), "Number of plants on which pests can sit.")
                    .hidden()
                    .role(HOST_NUMBER),
            ),
            open_flowers: b.declare(
                number("open_flowers#nb", self.most_flowers(), "Number of flowers of all plants on the plot.")
                    .hidden()
                    .role(FLOWERS),
            ),
            required: four(b, "required", "that the plants on the plot need on this day."),
            asked: hidden(
                b,
                "asked",
                DEMAND,
                "Amount of this nutrient that the plants request from the soil on this day.",
            ),
            asked_water: b.declare(
                plot("asked_Water#L.day-1", MANY, "Water that the plants request from the soil on this day.")
                    .hidden()
                    .role(WATER_DEMAND),
            ),
            released: hidden(b, "released", RELEASE, "Amount of this nutrient that dead plants release on this day."),
            shade: b.declare(plot("shade#m2", MANY, "Ground that the plants shade.").hidden().role(SHADE)),
        }
    }
}

/// The columns of the plants. The nutrient columns have N for all plots, then P, K and C.
struct Columns {
    stage: Column<u8>,
    entered: Column<u8>,
    global_stage: Column<u8>,
    limited_by: Column<u8>,
    cause_of_death: Column<u8>,
    population: Column<i32>,
    size: Column<f64>,
    size_threshold: Column<f64>,
    flowers: Column<i32>,
    pollinated: Column<i32>,
    visits: Column<i32>,
    fruits: Column<i32>,
    fruit_weight: Column<f64>,
    weight_threshold: Column<f64>,
    age_seed: Column<i32>,
    nogrow: Column<i32>,
    age_bloom: Column<i32>,
    noweight: Column<i32>,
    age_ripe: Column<i32>,
    nutrients: Column<f64>,
    stress: Column<f64>,
    water: Column<f64>,
    stress_water: Column<f64>,
    harvest_weight: Column<f64>,
    sown: Column<i32>,
    progress: Column<f64>,
    pests: Column<i32>,
    hosts: Column<i32>,
    open_flowers: Column<i32>,
    required: Column<f64>,
    asked: Column<f64>,
    asked_water: Column<f64>,
    released: Column<f64>,
    shade: Column<f64>,
}

struct Inputs {
    temperature: Column<f64>,
    humidity: Column<f64>,
    humidity_min: Column<f64>,
    wind: Column<f64>,
    rain: Column<f64>,
    frost: Column<i32>,
    evapotranspiration: Column<f64>,
    supply_water: Column<f64>,
    supply: [Column<f64>; 4],
    water_share: Column<f64>,
    share: [Column<f64>; 4],
    microlife: Column<f64>,
    wilting: Column<f64>,
    capacity: Column<f64>,
    seed_eaters: Vec<Column<i32>>,
    visits: Vec<Column<u8>>,
    hindrances: Vec<Hindrance>,
}

struct Events {
    transition: EventId,
    death: EventId,
    limited: EventId,
    harvest: EventId,
}
