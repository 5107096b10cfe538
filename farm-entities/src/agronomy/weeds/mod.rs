//! Weeds: seeds that blow in, grow, flower and spread from plot to plot.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather, only with the paper's equations | `air_temperature_mean`, `relative_humidity` | °C, % |
//! | today's weather, only with `equations: agronomic` | `air_temperature_min`, `air_temperature_max`, `solar_radiation`, `reference_evapotranspiration` | °C, MJ.m-2, mm |
//! | supply from the soil, only with the paper's equations | `supply_N` … `supply_C`, `supply_water` | g, L |
//! | limits of the soil water | `wilting_water`, `water_capacity` | L |
//! | granted shares, soil layers and the leaves of other parts, only with `equations: agronomic` | `share_N` … `share_C`, `water_share`, `microlife`, `soil_water`, `topsoil_water`, `saturation_water`, `soil_depth`, `topsoil_depth`, `leaf_area` | prop, %, L, m, m² |
//! | herbicide, only with a part that provides it | `cide_on_weeds`; with `equations: agronomic` `cide_release_weeds` | g |
//!
//! | writes | unit |
//! |---|---|
//! | seeds, weeds and flowers on each plot; weeds that sprouted in this episode (role `weeds_sprouted`) | nb |
//! | requests to the soil, and shade (roles `water_demand`, `demand_N` … `demand_C`, `shade`) | L, g per day, m² |
//! | weeds as hosts of pests (roles `host_number`, `host_repulsion`, `pests_on_host`) | nb |
//!
//! Source: Farm-gym paper 4.5 as corrected by equation sheet II.7. Deviations from the paper:
//!
//! * On days when a plot's weeds change, all transitions happen instead of one at random (`ticks`).
//! * Each nutrient has its own consumption.
//! * Missing stocks count as shares of the need.
//! * Seeds spread uniformly to the plot and its neighbours.
//! * The field's edge is the same on all sides.
//!
//! With `equations: agronomic` weeds have leaves and take light, water and nutrients like plants: see `thicket.rs`. Emergence,
//! flowering and death are in `demography.rs`.

mod day;
mod demography;
mod equations;
mod life;
mod parameters;
mod thicket;

pub use demography::Demography;
pub use equations::*;
pub use parameters::*;
pub use thicket::WeedPlant;

use farm_core::declare::{ActionParameter, Picture, count, real};
use farm_core::{Behaviour, Builder, Column, Entity, Phase};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CIDE_ON_WEEDS, DEMAND, HOST_NUMBER, HOST_REPULSION, PESTS_ON_HOST, RELATIVE_HUMIDITY, SHADE,
    SUPPLY, SUPPLY_WATER, WATER_CAPACITY, WATER_DEMAND, WEEDS_SPROUTED, WILTING_WATER,
};

use super::{Equations, NUTRIENTS, StockDistance};
use life::Life;

/// Weeds on each plot. Their seeds blow in, sprout and spread.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Weeds {
    /// Mean number of days between two days of change of a plot's weeds.
    #[parameter(unit = "day", default = 15.0, range = 1.0..=1e4, idle = "equations: agronomic", instead = "demography")]
    pub time_to_grow: f64,
    /// The equations that the weeds follow.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Changes on a day of change: `all` three (flowers shed seeds, seeds sprout, weeds flower) or `one` at random. Default: `one` with
    /// `equations: paper`, otherwise `all`.
    #[parameter(idle = "equations: agronomic")]
    pub ticks: Option<Ticks>,
    /// Maximum number of seeds that blow into a plot on a day of change.
    #[parameter(unit = "nb", default = 3, range = 0..=1000, idle = "equations: agronomic", instead = "demography")]
    pub max_new_seeds: u32,
    /// Number of flowers on a flowering weed. A flowering weed no longer counts in `grow#nb`.
    #[parameter(unit = "nb", default = 3, range = 0..=1000)]
    pub flowers_per_plant: u32,
    /// Share of the flowers that shed their seeds on a day of change.
    #[parameter(unit = "prop", default = 0.9, range = 0.0..=1.0, idle = "equations: agronomic", instead = "demography")]
    pub flower_to_seed: f64,
    /// Number of seeds of a flower.
    #[parameter(unit = "nb", default = 3, range = 0..=1000)]
    pub seed_per_flower: u32,
    /// Height of a weed, and diameter of the ground that it shades.
    #[parameter(unit = "cm", default = 16.0, range = 0.0..=1000.0, idle = "equations: agronomic", instead = "plant")]
    pub size: f64,
    /// Maximum number of seeds, of weeds and of flowers on a plot (with `equations: agronomic`, on a square metre). Above this number, no
    /// more are added.
    #[parameter(unit = "nb", default = 1000, range = 1..=50_000)]
    pub plot_capacity: u32,
    /// Repulsion of pests: a weed attracts them in proportion to exp(−repulsion). A negative value attracts more pests.
    #[parameter(name = "pest_repulsive_effect", default = -0.5, range = -20.0..=100.0)]
    pub pest_repulsion: f64,
    /// Constant penalty on flowering. A weed flowers on a day of change with probability exp(−x), where x is this penalty plus the
    /// penalty of herbicide in `grow_conditions`.
    #[parameter(name = "sensitivity_flowers_0", default = 0.1, range = 0.0..=100.0, idle = "equations: agronomic", instead = "demography")]
    pub flowers_base: f64,
    /// Whether weeds in flower also take water and nutrients.
    #[parameter(idle = "equations: agronomic")]
    pub flowers_take: bool,
    /// Measure of a shortage: `relative` is the missing share of the need, `absolute` the missing grams or litres. Default: `absolute`
    /// with `equations: paper`, otherwise `relative`.
    #[parameter(idle = "equations: agronomic")]
    pub stock_distance: Option<StockDistance>,
    /// Probability that a new seed blows into a plot on a day of change. It is exp(−x), where x is the sum of the penalties below.
    #[parameter(name = "appear_conditions", idle = "equations: agronomic", instead = "demography")]
    pub appear: Appear,
    /// Probability that a seed sprouts on a day of change. It is exp(−x), where x is the sum of the penalties below.
    #[parameter(name = "grow_conditions", idle = "equations: agronomic", instead = "demography")]
    pub grow: Sprouting,
    /// Probability that a weed without flowers survives a day of change. It is exp(−x), where x is the sum of the penalties below.
    #[parameter(name = "death_conditions", idle = "equations: agronomic", instead = "demography")]
    pub death: Survival,
    /// Water and nutrients that weeds take from the soil. With `equations: agronomic`, `plant` replaces these parameters.
    #[parameter(idle = "equations: agronomic", instead = "plant")]
    pub needs: Needs,
    /// A weed as a plant. Used only with `equations: agronomic`.
    pub plant: WeedPlant,
    /// Arrival, survival and multiplication of weeds. Used only with `equations: agronomic`.
    pub demography: Demography,
}

/// Maximum number of weeds on a plot in the `agronomic` equations.
const MOST: f64 = 1e6;
/// Maximum of a sum over an episode.
const MAX_EVER: i32 = 2_000_000_000;

/// For pictures: the number of weeds at which a plot begins to show many, and the number with the lightest colour, as multiples of a few
/// weeds.
const MANY_WEEDS: f64 = 4.0;
const LIGHTEST_WEEDS: f64 = 20.0;

/// The pictures of a plot's weeds, and of weeds in flower. `few` is the number at which they become visible.
fn pictures(few: f64) -> [Picture; 2] {
    let weeds = Picture::on_plots("Weeds", 20)
        .from("grow#nb", MANY_WEEDS * few, "many", include_str!("../sprites/weeds_many.svg"))
        .from("grow#nb", few, "few", include_str!("../sprites/weeds_few.svg"))
        .heat("grow#nb", 0.0, LIGHTEST_WEEDS * few);
    let flowers = Picture::on_plots("Weeds", 21).from(
        "flowers#nb",
        few,
        "in flower",
        include_str!("../sprites/weeds_flowers.svg"),
    );
    [weeds, flowers]
}

#[farm_core::register(source = "Farm-gym paper 4.5; equation sheet II.7", sets = include_str!("weeds.yaml"))]
impl Entity for Weeds {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        const MANY: f64 = 1e9;
        let most = match self.equations {
            Equations::Agronomic => {
                (f64::from(self.plot_capacity) * b.field().plot_area_m2().max(1.0)).min(MOST) as i32
            }
            _ => self.plot_capacity as i32,
        };
        let number = |name: &str, high: i32, doc: &str| count(name, 0, high, doc).per_plot();
        let hidden =
            |name: &str, unit: &str, doc: &str| real(&format!("{name}#{unit}"), 0.0, MANY, doc).per_plot().hidden();
        let columns = Columns {
            grow: b.declare(number("grow#nb", most, "Number of weeds without flowers in the plot.")),
            seeds: b.declare(number("seeds#nb", most, "Number of weed seeds in the plot's soil.")),
            flowers: b.declare(number("flowers#nb", most, "Number of weed flowers in the plot.")),
            total: b.declare(
                count(
                    "total_cumulated_plot_population#nb",
                    0,
                    MAX_EVER,
                    "Number of weeds that have sprouted in this episode, on all plots.",
                )
                .role(WEEDS_SPROUTED),
            ),
            hosts: b.declare(
                number("hosts#nb", 2 * most, "Number of weeds and weed flowers on which pests can sit.")
                    .hidden()
                    .role(HOST_NUMBER),
            ),
            pests: b.declare(
                number("pests#nb", 1_000_000, "Number of pests on the weeds. Each kind of pest adds its number.")
                    .hidden()
                    .role(PESTS_ON_HOST),
            ),
            asked: Column::joined(&std::array::from_fn::<_, 4, _>(|x| {
                let doc = format!("Amount of {} that the weeds request from the soil on this day.", NUTRIENTS[x]);
                b.declare(hidden(&format!("asked_{}", NUTRIENTS[x]), "g.day-1", &doc).role(DEMAND[x]))
            })),
            asked_water: b.declare(
                hidden("asked_Water", "L.day-1", "Water that the weeds request from the soil on this day.")
                    .role(WATER_DEMAND),
            ),
            shade: b.declare(hidden("shade", "m2", "Ground that the weeds shade.").role(SHADE)),
        };
        let few = if self.equations == Equations::Agronomic { b.field().plot_area_m2().max(1.0) } else { 1.0 };
        pictures(few).into_iter().for_each(|picture| b.picture(picture));
        let repulsion =
            real("pest_repulsion", -20.0, 100.0, "Repulsion of pests by the weeds. A negative value attracts pests.")
                .hidden();
        b.declare(repulsion.default(self.pest_repulsion).role(HOST_REPULSION));
        let remove = b.action(
            "remove",
            vec![ActionParameter::plot()],
            "Pulls out all weeds on the plot. Weed seeds stay in the soil.",
        );
        b.shown_as(remove, "weeded", include_str!("../sprites/badges/hand.svg"));
        b.runs_in(Phase::Demand);
        b.runs_in(Phase::Spread);
        let paper = self.equations == Equations::Paper;
        let is_agronomic = self.equations == Equations::Agronomic;
        let printed = if paper { StockDistance::Absolute } else { StockDistance::Relative };
        let life = Life {
            ticks: self.ticks.unwrap_or(if paper { Ticks::One } else { Ticks::All }),
            stock_distance: self.stock_distance.unwrap_or(printed),
            p: self.clone(),
            key: b.stream_key(),
            length: b.field().length(),
            width: b.field().width(),
            most,
            needs: [self.needs.nitrogen, self.needs.phosphorus, self.needs.potassium, self.needs.carbon],
            c: columns,
            i: Inputs {
                temperature: b.one(AIR_TEMPERATURE_MEAN),
                humidity: b.one(RELATIVE_HUMIDITY),
                // With `agronomic` weeds suffer from herbicide that falls on them, not from herbicide in the soil.
                herbicide: if is_agronomic { None } else { b.maybe(CIDE_ON_WEEDS) },
                supply: SUPPLY.map(|role| b.one(role)),
                supply_water: b.one(SUPPLY_WATER),
                wilting: b.one(WILTING_WATER),
                capacity: b.one(WATER_CAPACITY),
            },
        };
        match self.equations {
            Equations::Agronomic => Box::new(thicket::Thicket::new(self, life, b)),
            Equations::Corrected | Equations::Paper => Box::new(life),
        }
    }
}

/// The columns of the weeds. `asked` has N for all plots, then P, K and C.
struct Columns {
    grow: Column<i32>,
    seeds: Column<i32>,
    flowers: Column<i32>,
    total: Column<i32>,
    hosts: Column<i32>,
    pests: Column<i32>,
    asked: Column<f64>,
    asked_water: Column<f64>,
    shade: Column<f64>,
}

struct Inputs {
    temperature: Column<f64>,
    humidity: Column<f64>,
    herbicide: Option<Column<f64>>,
    supply: [Column<f64>; 4],
    supply_water: Column<f64>,
    wilting: Column<f64>,
    capacity: Column<f64>,
}
