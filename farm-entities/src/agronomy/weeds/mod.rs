//! Weeds: seeds that blow in, grow, flower and spread from plot to plot.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather, only with the paper's equations | `air_temperature_mean`, `relative_humidity` | °C, % |
//! | today's weather, only with `equations: agronomic` | `air_temperature_min`, `air_temperature_max`, `solar_radiation`, `reference_evapotranspiration` | °C, MJ.m-2, mm |
//! | supply from the soil, only with the paper's equations | `supply_N` … `supply_C`, `supply_water` | g, L |
//! | limits of the soil water, only with the paper's equations | `wilting_water`, `water_capacity` | L |
//! | granted shares, soil layers and the leaves of other parts, only with `equations: agronomic` | `share_N` … `share_C`, `water_share`, `microlife`, `topsoil_water`, `saturation_water`, `soil_depth`, `topsoil_depth`, `leaf_area` | prop, %, L, m, m² |
//! | the topsoil and the layers with roots, only with `equations: agronomic` | `topsoil_wilting`, `topsoil_capacity`, `topsoil_saturation`, `rooted_depletion`, `rooted_air` | L, prop |
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
#[expect(clippy::needless_range_loop, reason = "`x` counts the nutrients in several arrays at once")]
mod thicket;

use demography::Demography;
pub use equations::*;
pub use parameters::*;
use thicket::{Thicket, ThicketColumns, WeedPlant};

use farm_core::declare::Picture;
use farm_core::{Behaviour, Bind, Columns, Declarations, Entity, Phase};

use super::{Equations, StockDistance};
use life::Life;

/// Weeds on each plot. Their seeds blow in, sprout and spread.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Weeds {
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
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let life = Life::declare(d, self);
        let few = if self.equations == Equations::Agronomic { d.field().plot_area_m2().max(1.0) } else { 1.0 };
        pictures(few).into_iter().for_each(|picture| d.picture(picture));
        d.runs_in(Phase::Demand);
        d.runs_in(Phase::Spread);
        match self.equations {
            Equations::Agronomic => {
                d.runs_in(Phase::Release);
                let columns = ThicketColumns::declare(d, &self.plant);
                Bind::new(move |found| Thicket::new(life.bind(found), columns.bind(found), found))
            }
            Equations::Corrected | Equations::Paper => Bind::new(move |found| life.bind(found)),
        }
    }
}

impl Weeds {
    /// Maximum number of weeds in a plot.
    fn most(&self, d: &Declarations<'_>) -> i32 {
        match self.equations {
            Equations::Agronomic => {
                (f64::from(self.plot_capacity) * d.field().plot_area_m2().max(1.0)).min(MOST) as i32
            }
            _ => self.plot_capacity as i32,
        }
    }

    fn ticks(&self) -> Ticks {
        self.ticks.unwrap_or(if self.equations == Equations::Paper { Ticks::One } else { Ticks::All })
    }

    fn stock_distance(&self) -> StockDistance {
        let paper = self.equations == Equations::Paper;
        self.stock_distance.unwrap_or(if paper { StockDistance::Absolute } else { StockDistance::Relative })
    }

    /// Whether herbicide in the soil harms the weeds. With `agronomic` they suffer from herbicide that falls on them instead.
    fn suffers_in_soil(&self) -> bool {
        self.equations != Equations::Agronomic
    }
}
