//! Soil: water and nutrients in each plot, and the microlife that protects them.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | rain and its intensity | `rain_amount`, `rain_intensity` | mm.day-1, prop |
//! | reference evapotranspiration | `reference_evapotranspiration` | mm.day-1 |
//! | requests of plants and weeds | `water_demand`, `demand_N` … `demand_C` | L, g per day |
//! | releases from dead matter and fertilisers | `release_N` … `release_C` | g per day |
//! | shaded ground | `shade` | m² |
//! | releases from pesticides | `cide_release_pests` … `cide_release_soil`, `cide_release_others`, `cide_release_weight` | g per day |
//! | share of a pesticide that remains after a day, if the pesticide sets it | `cide_kept` | prop |
//! | water that other parts bring | `water_inflow` | L per day |
//! | only with `equations: agronomic`: air temperature | `air_temperature_mean` | °C |
//! | only with `equations: agronomic`: root depth | `root_depth` | m |
//! | only with `equations: agronomic`: root length | `root_length` | m |
//!
//! | writes | unit |
//! |---|---|
//! | water, nutrients, pesticides (roles `cide_on_…`, `cide_residue`), wet surface, microlife | L, g, g, m², % |
//! | only with water from other parts: the water that they bring today | L per day |
//! | only with `supply#L`: water left in the supply, and rain that flowed into it today | L, L per day |
//! | supply before uptake and granted shares (roles `supply_…`, `share_…`, `water_share`) | L, g, prop |
//! | the day's flows, which close all balances (roles `leached_N` … `leached_C`) | L, g per day |
//! | only with `equations: agronomic`: water in the topsoil (`topsoil_water`), water with full pores (`saturation_water`) | L |
//! | only with `equations: agronomic`: depths of soil and topsoil (`soil_depth`, `topsoil_depth`) | m |
//! | only with `equations: agronomic`: nitrogen mineralised, bound and lost to the air, carbon respired | g per day |
//! | only with `equations: agronomic`: water that rose from the water table | L per day |
//! | only with `equations: agronomic`: water, nitrate and ammonium of each layer | L, g |
//! | only with `equations: agronomic`: what roots can take up (`rooted_water`, `rooted_nitrogen`), drought and air around them (`rooted_depletion`, `rooted_air`) | L, g, prop |
//! | only with `equations: agronomic`: topsoil at the wilting point, field capacity and saturation (`topsoil_wilting` …) | L |
//!
//! A game's rules text can include the water of one plot at the wilting point and at field capacity: `part("Soil-0").water_wilting` and
//! `.water_capacity`.
//!
//! Source: Farm-gym paper 4.3 as corrected by equation sheet II.4. Deviations from the paper:
//!
//! * Evaporation is in litres (the reference divides by 1000 once too often).
//! * Leaching removes a share of the stock instead of an amount in grams (the paper adds m² to a ratio).
//! * Microlife can recover from any level.
//! * Requests are granted in proportion instead of first come, first served.
//! * Water from other parts flows over the plot all day. Like an irrigation of 1440 minutes, it wets the whole surface.
//!
//! With `equations: agronomic` the soil is a profile of up to twelve layers with humus (`profile/`) instead of a bucket.

mod bucket;
mod cides;
mod equations;
mod matter;
mod nutrients;
mod others;
mod own_decay;
#[expect(clippy::needless_range_loop, reason = "`k` counts the plots of a row in several arrays at once")]
mod profile;
mod supply;

pub use equations::*;

use farm_core::declare::{ActionInfo, ActionParameter, Flow, MassBalance, Picture, SeriesKind, UsualStart};
use farm_core::inspect::{format_number, thousands};
use farm_core::math::sum;
use farm_core::{Behaviour, Bind, Bound, Column, Columns, Context, Declarations, Entity, Found, Known, Phase};
use farm_roles::{
    CIDE, CIDE_RELEASE, CIDE_RELEASE_WEIGHT, CIDE_RESIDUE, DEMAND, LEACHED, MICROLIFE, RAIN_AMOUNT, RAIN_INTENSITY,
    REFERENCE_EVAPOTRANSPIRATION, RELEASE, RESOURCE_USED, SHADE, SHARE, SOIL_WATER, SUPPLY, SUPPLY_WATER,
    WATER_CAPACITY, WATER_DEMAND, WATER_GIVEN, WATER_SHARE, WILTING_WATER,
};

use super::{Equations, NUTRIENT_NAMES, NUTRIENTS, check_bounds};
use bucket::Bucket;
use cides::Cides;
use others::{DeclaredFurtherCide, FurtherCide, Inflow, Sources};
use own_decay::DeclaredOwnDecay;
use profile::{Profile, ProfileColumns, ProfileParameters, Strata};
use supply::{Supply, Tank};

/// The targets of pesticides, in the order of all arrays of four.
pub const CIDE_TARGETS: [&str; 4] = ["pests", "weeds", "pollinators", "soil"];

/// The equation of leaching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Leaching {
    /// A share of the stock that grows with rain and surplus.
    Corrected,
    /// One gram per m² times rain and surplus, as printed in the paper.
    Paper,
}

/// The soil of each plot: its water, nutrients and soil life.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Soil {
    /// Depth of the layer that roots reach.
    #[parameter(name = "depth#m", default = 0.5, range = 0.01..=10.0, idle = "equations: agronomic", instead = "profile.depth#m")]
    pub depth_m: f64,
    /// Maximum water in a cubic metre (field capacity); excess water runs off.
    #[parameter(name = "max_water_capacity#L.m-3", default = 360.0, range = 1.0..=1000.0, idle = "equations: agronomic", instead = "profile.field_capacity#L.m-3")]
    pub capacity: f64,
    /// Water in a cubic metre that plants cannot use.
    #[parameter(unit = "L.m-3", default = 220.0, range = 0.0..=1000.0, idle = "equations: agronomic", instead = "profile.wilting_point#L.m-3")]
    pub wilting_point: f64,
    /// Wet surface that dries in a day.
    #[parameter(name = "water_surface_absorption_speed#m2.day-1", default = 0.1, range = 0.0..=1e6, idle = "equations: agronomic")]
    pub absorption_speed: f64,
    /// Water that drains from a cubic metre in a day at 10 % microlife; more microlife reduces it. Used only with `drainage`.
    #[parameter(name = "water_leakage_max#L.m-3.day-1", default = 3.0, range = 0.0..=1000.0, idle = "equations: agronomic", instead = "profile.conductivity#mm.day-1")]
    pub leakage_max: f64,
    /// Whether water drains downwards.
    #[parameter(idle = "equations: agronomic", instead = "profile.conductivity#mm.day-1")]
    pub drainage: bool,
    /// Nitrogen that the bedrock releases in a day at 100 % microlife.
    #[parameter(name = "bedrocks_release_N#mg.m-2.day-1", default = 0.1, range = 0.0..=1e6)]
    pub bedrock_n: f64,
    /// Phosphorus that the bedrock releases in a day at 100 % microlife.
    #[parameter(name = "bedrocks_release_P#mg.m-2.day-1", default = 0.1, range = 0.0..=1e6)]
    pub bedrock_p: f64,
    /// Potassium that the bedrock releases in a day at 100 % microlife.
    #[parameter(name = "bedrocks_release_K#mg.m-2.day-1", default = 0.1, range = 0.0..=1e6)]
    pub bedrock_k: f64,
    /// Carbon that the bedrock releases in a day at 100 % microlife. Not used with `equations: agronomic`.
    #[parameter(name = "bedrocks_release_C#mg.m-2.day-1", default = 0.1, range = 0.0..=1e6)]
    pub bedrock_c: f64,
    /// Water at the start, at most the capacity.
    #[parameter(unit = "L.m-3", default = 250.0, range = 0.0..=1000.0, idle = "equations: agronomic", instead = "profile.initial_water#prop")]
    pub initial_water: f64,
    /// Nitrogen at the start.
    #[parameter(name = "initial_N#g.m-2", default = 1300.0, range = 0.0..=1e5, idle = "equations: agronomic", instead = "profile.initial_N#g.m-2")]
    pub initial_n: f64,
    /// Phosphorus at the start.
    #[parameter(name = "initial_P#g.m-2", default = 1275.0, range = 0.0..=1e5, idle = "equations: agronomic", instead = "profile.initial_P#g.m-2")]
    pub initial_p: f64,
    /// Potassium at the start.
    #[parameter(name = "initial_K#g.m-2", default = 13_750.0, range = 0.0..=1e5, idle = "equations: agronomic", instead = "profile.initial_K#g.m-2")]
    pub initial_k: f64,
    /// Carbon at the start.
    #[parameter(name = "initial_C#g.m-2", default = 15_000.0, range = 0.0..=1e5, idle = "equations: agronomic", instead = "profile.initial_C#g.m-2")]
    pub initial_c: f64,
    /// Microlife at the start.
    #[parameter(unit = "%", default = 100.0, range = 0.0..=100.0)]
    pub initial_microlife: f64,
    /// Relative growth of the microlife on a day without harm.
    #[parameter(unit = "prop", default = 0.1, range = 0.0..=10.0)]
    pub microlife_growth: f64,
    /// Minimum of the microlife, so that it can always recover.
    #[parameter(unit = "%", default = 1.0, range = 0.0..=100.0)]
    pub microlife_min: f64,
    /// Harm x of pesticide to the microlife, for each gram in the plot (with `equations: agronomic`, for each gram per m²). The share
    /// exp(−x) of the microlife survives a day.
    #[parameter(name = "sensitivity_microlife_cide#g-1", default = 0.02, range = 0.0..=1e6)]
    pub cide_sensitivity: f64,
    /// Days after which half of a pesticide in the soil has decayed, for pesticides without their own `half_life#day`.
    #[parameter(unit = "day", default = 30.0, range = 0.01..=1e6)]
    pub cide_half_life: f64,
    /// Harm x of surplus water to the microlife, for a surplus equal to the capacity. The share exp(−x) of the microlife survives a day.
    #[parameter(name = "sensitivity_microlife_surplus", default = 5.0, range = 0.0..=1e3, idle = "equations: agronomic", instead = "profile.sensitivity_microlife_air")]
    pub surplus_sensitivity: f64,
    /// Leaching of nitrogen. Each day, the share exp(−leaching · x) stays in the soil, where x grows with rain and surplus water and falls
    /// to 0 at 100 % microlife.
    #[parameter(name = "leaching_N", default = 0.05, range = 0.0..=100.0, idle = "equations: agronomic", instead = "profile.leaching_N")]
    pub leaching_n: f64,
    /// Leaching of phosphorus, with the formula of `leaching_N`.
    #[parameter(name = "leaching_P", default = 0.005, range = 0.0..=100.0, idle = "equations: agronomic", instead = "profile.leaching_P")]
    pub leaching_p: f64,
    /// Leaching of potassium, with the formula of `leaching_N`.
    #[parameter(name = "leaching_K", default = 0.02, range = 0.0..=100.0, idle = "equations: agronomic", instead = "profile.leaching_K")]
    pub leaching_k: f64,
    /// Leaching of carbon, with the formula of `leaching_N`.
    #[parameter(name = "leaching_C", default = 0.02, range = 0.0..=100.0, idle = "equations: agronomic", instead = "profile.leaching_C")]
    pub leaching_c: f64,
    /// Capacity of the supply for irrigation, which is full at the start. An irrigation takes at most the water that is left. Default: the
    /// supply is unlimited.
    #[parameter(unit = "L", range = 1.0..=1e9, added)]
    pub supply: Option<f64>,
    /// Area of the roofs or ground from which rain runs into the supply. Default: rain does not fill the supply.
    #[parameter(unit = "m2", range = 0.0..=1e6, added)]
    pub supply_catchment: Option<f64>,
    /// The equations that the soil follows.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Equation of leaching: `corrected` takes a share of the stock, `paper` takes grams. Default: `paper` with `equations: paper`,
    /// otherwise `corrected`.
    #[parameter(idle = "equations: agronomic")]
    pub leaching: Option<Leaching>,
    /// The layers of the soil and their content. Used only with `equations: agronomic`, where they replace the parameters above for
    /// depth, water, drainage, leaching and stocks at the start.
    pub profile: ProfileParameters,
}

impl Soil {
    /// The health of the microlife after a day in which the share `survival` survives.
    #[inline(always)]
    fn microlife_after(&self, microlife: f64, survival: f64) -> f64 {
        (microlife * microlife_factor(survival, self.microlife_growth)).clamp(self.microlife_min, 100.0)
    }
}

/// Maximum stocks of N, P, K and C in g, for a plot of 1 m²; larger plots have larger maximums. Amounts above the maximum are not added.
const MAX_NUTRIENTS: [f64; 4] = [1e5, 1e5, 1e6, 1e6];

/// The colours of dry and of wet soil on large fields: light sand, dark blue.
const DRY: [u8; 3] = [0xf5, 0xec, 0xd2];
const WET: [u8; 3] = [0x1d, 0x4e, 0x9e];
/// Maximum litres of water and grams of a pesticide in a plot, except on very large plots.
const MANY: f64 = 1e9;

/// A plot's size, and the maximum of its contents.
#[derive(Debug, Clone)]
struct Limits {
    area_m2: f64,
    volume_m3: f64,
    /// A plot's field capacity, and its water at the wilting point, in L.
    capacity: f64,
    wilting: f64,
    /// Maximum water in a plot, in L: the capacity of a bucket, or the saturation of a profile.
    most_water: f64,
    /// Maximum flow of water, in L per day.
    flow: f64,
    /// Maximum daily runoff, in L: half a million of the largest irrigations, plus the maximum rain and the maximum water from other parts.
    surplus: f64,
    /// Maximum of N, P, K and C, in g.
    nutrients: [f64; 4],
    /// Whether a start below the wilting point is unusual.
    has_profile: bool,
}

impl Limits {
    fn new(soil: &Soil, known: &Known<'_>, sources: Option<&Sources>, strata: Option<&Strata>) -> Self {
        let area_m2 = known.field().plot_area_m2();
        let volume_m3 = strata.map_or(soil.depth_m, Strata::depth_m) * area_m2;
        let bucket =
            [soil.wilting_point.min(soil.capacity), soil.capacity, soil.capacity].map(|liters| liters * volume_m3);
        let [wilting, capacity, most_water] = strata.map_or(bucket, Strata::waters);
        let most_rain_mm = known.declaration(RAIN_AMOUNT).map_or(0.0, |rain| rain.kind().range().1);
        let inflow = sources.map_or(0.0, |sources| sources.max_liters);
        Self {
            area_m2,
            volume_m3,
            capacity,
            wilting,
            most_water,
            flow: most_water.max(MANY),
            surplus: MANY.max(0.5 * MANY + most_rain_mm * area_m2 + inflow),
            nutrients: MAX_NUTRIENTS.map(|most| most * area_m2.max(1.0)),
            has_profile: strata.is_some(),
        }
    }

    /// The amounts of water with which games usually start a profile.
    fn usual_start(&self) -> Option<UsualStart> {
        let message = "the soil starts below its wilting point, where plants can take no water";
        let (wilting, capacity) = (self.wilting, self.capacity);
        let usual =
            format!("more than {wilting:.0} L on a plot, the wilting point; the field capacity is {capacity:.0} L");
        self.has_profile.then(|| UsualStart::new(wilting, f64::INFINITY, message, &usual))
    }
}

/// The state of the soil and the roles that it reads. The nutrient columns have N for all plots, then P, K and C.
#[derive(Columns)]
#[columns(view = Ground)]
struct SoilColumns {
    limits: Limits,
    /// Water in the plot's soil. This includes water below the wilting point, which plants cannot use.
    #[real(name = "available_Water#L", range = 0.0..=limits.most_water, per_plot, role = SOIL_WATER, usual = limits.usual_start())]
    water: Column<f64>,
    #[real(each = NUTRIENTS, doc = &format!("{} in the plot's soil.", NUTRIENT_NAMES[i]), name = "available_{each}#g", range = 0.0..=limits.nutrients[i], per_plot)]
    nutrients: Column<f64>,
    /// Wet surface area of the plot, from which water evaporates.
    #[real(unit = "m2", range = 0.0..=limits.area_m2, per_plot)]
    wet_surface: Column<f64>,
    /// Health of the soil organisms.
    #[real(name = "microlife_health_index#%", range = 0.0..=100.0, per_plot, role = MICROLIFE)]
    microlife: Column<f64>,
    /// Irrigation water that the soil cannot hold. It runs off when the day passes.
    #[real(unit = "L", range = 0.0..=MANY, per_plot, hidden)]
    pending_surplus: Column<f64>,
    /// Water in the plot just before the uptake of the day.
    #[real(name = "supply_Water#L", range = 0.0..=limits.most_water, per_plot, hidden, role = SUPPLY_WATER)]
    supply_water: Column<f64>,
    /// Amount of {each} in the plot just before the uptake of the day.
    #[real(each = NUTRIENTS, name = "supply_{each}#g", range = 0.0..=limits.nutrients[3], per_plot, hidden, role = SUPPLY[i])]
    supply: Column<f64>,
    /// Granted share of the requested water.
    #[real(name = "share_Water#prop", range = 0.0..=1.0, per_plot, hidden, role = WATER_SHARE)]
    water_share: Column<f64>,
    /// Granted share of the requested {each}.
    #[real(each = NUTRIENTS, name = "share_{each}#prop", range = 0.0..=1.0, per_plot, hidden, role = SHARE[i])]
    shares: Column<f64>,
    /// Water that plants took up during the day.
    #[real(name = "uptake_Water#L.day-1", range = 0.0..=limits.flow, per_plot)]
    uptake_water: Column<f64>,
    /// Water that evaporated from the soil during the day.
    #[real(unit = "L.day-1", range = 0.0..=limits.flow, per_plot)]
    evaporation: Column<f64>,
    /// Water that drained out of the bottom of the soil during the day.
    #[real(unit = "L.day-1", range = 0.0..=limits.flow, per_plot)]
    drainage: Column<f64>,
    /// Water that ran off during the day because the soil was full.
    #[real(name = "surplus_Water#L.day-1", range = 0.0..=limits.surplus, per_plot)]
    surplus: Column<f64>,
    #[real(each = NUTRIENTS, doc = &format!("{} that plants took up during the day.", NUTRIENT_NAMES[i]), name = "uptake_{each}#g.day-1", range = 0.0..=limits.nutrients[i], per_plot)]
    uptake: Column<f64>,
    #[real(each = NUTRIENTS, doc = &format!("{} that bedrock, dead matter and fertiliser added to the soil during the day.", NUTRIENT_NAMES[i]), name = "gain_{each}#g.day-1", range = 0.0..=limits.nutrients[i], per_plot)]
    gain: Column<f64>,
    #[real(each = NUTRIENTS, doc = &format!("{} that leached from the soil during the day.", NUTRIENT_NAMES[i]), name = "leached_{each}#g.day-1", range = 0.0..=limits.nutrients[i], per_plot, role = LEACHED[i])]
    leached: Column<f64>,
    #[real(each = CIDE_TARGETS, doc = &format!("Amount of pesticide that harms {} in the plot's soil.", if each == "soil" { "soil organisms" } else { each }), name = "amount_cide.{each}#g", range = 0.0..=MANY, per_plot, role = CIDE[i])]
    cide: Column<f64>,
    /// Total weight of the pesticides in the plot's soil.
    #[real(unit = "g", range = 0.0..=MANY, per_plot, hidden, role = CIDE_RESIDUE)]
    cide_residue: Column<f64>,
    /// Irrigation water used in this episode.
    #[real(name = "total_cumulated_added_water#L", range = 0.0..=1e12, role = RESOURCE_USED, role = WATER_GIVEN)]
    added: Column<f64>,
    /// Water of one plot at field capacity.
    #[real(name = "water_capacity#L", range = 0.0..=limits.flow, default = limits.capacity, hidden, role = WATER_CAPACITY)]
    _capacity: Column<f64>,
    /// Water in one plot at the wilting point. Plants cannot take it up.
    #[real(name = "wilting_water#L", range = 0.0..=limits.flow, default = limits.wilting, hidden, role = WILTING_WATER)]
    _wilting: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain_mm: Column<f64>,
    #[one(RAIN_INTENSITY)]
    rain_intensity: Column<f64>,
    #[one(REFERENCE_EVAPOTRANSPIRATION)]
    evapotranspiration: Column<f64>,
    #[all(WATER_DEMAND)]
    water_demand: Vec<Column<f64>>,
    #[all(SHADE)]
    shade: Vec<Column<f64>>,
    #[all(each = DEMAND)]
    demand: [Vec<Column<f64>>; 4],
    #[all(each = RELEASE)]
    release: [Vec<Column<f64>>; 4],
    #[all(each = CIDE_RELEASE)]
    cide_release: [Vec<Column<f64>>; 4],
    #[all(CIDE_RELEASE_WEIGHT)]
    cide_release_weight: Vec<Column<f64>>,
}

/// A field's sources of water other than rain.
struct Brought {
    inflow: Option<Inflow>,
    supply: Option<Supply>,
}

/// Maximum of one irrigation in the `agronomic` equations, and the amounts in the action space: 1 mm is a litre on a square metre.
const MOST_IRRIGATION_MM: f64 = 200.0;
/// An amount with almost no effect, and a usual irrigation.
const LEAST_MM: f64 = 0.5;
const USUAL_MM: f64 = 20.0;
const IRRIGATION_MM: [f64; 8] = [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0];

#[farm_core::register(source = "Farm-gym paper 4.3; equation sheet II.4", sets = include_str!("soil.yaml"))]
impl Entity for Soil {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let message = "the wilting point is above the capacity";
        check_bounds(d, "wilting_point#L.m-3", self.wilting_point, self.capacity, message);
        self.profile.contradictions().into_iter().for_each(|problem| d.problem(problem));
        // Other parts determine the maximum of some flows, and whether there are inflows and further pesticides.
        Bind::after(move |d, known| {
            let sources = Sources::of(d, known);
            let is_agronomic = self.equations == Equations::Agronomic;
            let area_m2 = d.field().plot_area_m2();
            let strata = is_agronomic.then(|| Strata::of(&self.profile, area_m2));
            let limits = Limits::new(self, known, sources.as_ref(), strata.as_ref());
            let inflow = Option::<Inflow>::declare(d, &sources);
            let columns = SoilColumns::declare(d, &limits);
            let profile = Option::<ProfileColumns>::declare(d, &strata);
            d.picture(picture(limits.wilting, limits.capacity));
            for (name, liters) in [("water_wilting", limits.wilting), ("water_capacity", limits.capacity)] {
                d.text_variable(name, format!("{} L", thousands(&format!("{liters:.0}"))));
            }
            let tank = Tank::of(self, d);
            let supply = Option::<Supply>::declare(d, &tank);
            self.declare_actions(d, supply.is_some());
            d.runs_in(Phase::Exchange);
            let further = DeclaredFurtherCide::all(d, known);
            let own = DeclaredOwnDecay::new(d, known, &further);
            Bind::boxed(move |found| -> Box<dyn Behaviour> {
                let columns = columns.bind(found);
                let (inflow, profile) =
                    (Option::<Inflow>::bind(inflow, found), Option::<ProfileColumns>::bind(profile, found));
                let own_flows = |balance: &str| profile.as_ref().map_or(Vec::new(), |profile| profile.flows(balance));
                set_balances(found, &columns, inflow.as_ref(), own_flows);
                profile.iter().for_each(|profile| found.mass_balance(profile.total_nitrogen(&columns)));
                let supply = Option::<Supply>::bind(supply, found);
                supply.iter().for_each(|supply| supply.set_balance(&columns, found));
                let cides: Vec<FurtherCide> = further.iter().map(|cide| cide.bind(found)).collect();
                let own = own.bind(found, &columns, &further, &cides);
                let (brought, cides) = (Brought { inflow, supply }, Cides::new(self, cides, own));
                match profile {
                    Some(profile) => Box::new(Profile::new(self, columns, profile, brought, cides)),
                    None => Box::new(Bucket::new(self, columns, brought, cides)),
                }
            })
        })
    }
}

impl Soil {
    /// Declares the two actions of irrigation.
    fn declare_actions(&self, d: &mut Declarations<'_>, has_supply: bool) {
        let (most, offered) = match self.equations {
            Equations::Agronomic => {
                let area = d.field().plot_area_m2();
                (MOST_IRRIGATION_MM * area, IRRIGATION_MM.map(|mm| mm * area).to_vec())
            }
            _ => (1000.0, (1..=15).map(f64::from).collect()),
        };
        let mut amount = ActionParameter::real("amount#L", 0.0, most, &offered, "Amount of water.");
        if self.equations == Equations::Agronomic {
            let area = d.field().plot_area_m2();
            let words =
                format!("such as {:.0} L ({USUAL_MM} mm on a plot of {} m²)", USUAL_MM * area, format_number(area));
            amount = amount.usual(LEAST_MM * area, most, words);
        }
        let how_long = match self.equations {
            Equations::Agronomic => "Duration of watering. It has no effect on the soil.",
            _ => "Duration of watering. Watering for longer wets more of the surface.",
        };
        let duration = ActionParameter::real("duration#min", 0.0, 1440.0, &[60.0], how_long);
        let parameters = vec![ActionParameter::plot(), amount, duration];
        let docs = match has_supply {
            true => [
                "Waters the plot from the supply. If the supply holds less than the amount, the plot gets all \
                 of it. Has no effect if the supply is empty.",
                "Waters the plot from the supply with any allowed amount. If the supply holds less than the \
                 amount, the plot gets all of it. Has no effect if the supply is empty.",
            ],
            false => [
                "Waters the plot. Any water that the soil cannot hold runs off but still counts as used.",
                "Waters the plot with any allowed amount. Any water that the soil cannot hold runs off \
                 but still counts as used.",
            ],
        };
        let badge = include_str!("../sprites/badges/drop.svg");
        let [discrete, continuous] = docs;
        d.action_with(
            ActionInfo::new("water_discrete", discrete, parameters.clone())
                .shown_as("watered", badge)
                .without_effect("there is no water left"),
        );
        d.action_with(
            ActionInfo::new("water_continuous", continuous, parameters)
                .shown_as("watered", badge)
                .without_effect("there is no water left"),
        );
    }
}

/// The picture of the soil, darker if it is wetter: dry below a quarter of the water that plants can use, wet at three quarters or more.
fn picture(wilting_liters: f64, capacity_liters: f64) -> Picture {
    let at = |share: f64| wilting_liters + share * (capacity_liters - wilting_liters);
    Picture::on_plots("Soil", 0)
        .from("available_Water#L", at(0.75), "wet", include_str!("../sprites/soil_wet.svg"))
        .from("available_Water#L", at(0.25), "moist", include_str!("../sprites/soil_moist.svg"))
        .otherwise("dry", include_str!("../sprites/soil_dry.svg"))
        .heat("available_Water#L", wilting_liters, capacity_liters)
        .heat_ends(DRY, WET)
        .grows_with("available_Water#L", wilting_liters, capacity_liters)
        .over_season("watering (L)", "total_cumulated_added_water#L", SeriesKind::Total, [0x2f, 0x7f, 0xc1])
        .over_season("soil water (L)", "available_Water#L", SeriesKind::Level, [0x7d, 0x52, 0x36])
}

/// The balances of water and of each nutrient. Pending surplus is irrigation that has not run off yet.
fn set_balances(
    found: &mut Found<'_>,
    columns: &SoilColumns,
    inflow: Option<&Inflow>,
    own: impl Fn(&str) -> Vec<Flow>,
) {
    let rain = Flow::inflow("rain", columns.rain_mm).times(columns.limits.area_m2 * columns.water.len() as f64);
    let water = MassBalance::new("water", "L", columns.water)
        .with_flows([rain, Flow::inflow("irrigation", columns.added).cumulated()])
        .outflow("uptake by plants", columns.uptake_water)
        .outflow("evaporation", columns.evaporation)
        .outflow("drainage", columns.drainage)
        .outflow("surplus", columns.surplus)
        .with_flows(inflow.map(|inflow| Flow::inflow("inflow from other parts", inflow.total)))
        .with_flows(own("water"));
    found.mass_balance(water);
    let nutrients = MassBalance::new("{each}", "g", columns.nutrients)
        .inflow("bedrock, dead matter, fertilizer", columns.gain)
        .outflow("uptake by plants", columns.uptake)
        .outflow("leaching", columns.leached);
    for (name, balance) in NUTRIENTS.iter().zip(nutrients.split(&NUTRIENTS)) {
        found.mass_balance(balance.with_flows(own(name)));
    }
}

/// The sum of some columns for a plot.
#[inline(always)]
fn sum_at(columns: &[Column<f64>], plot: usize, c: &Context<'_>) -> f64 {
    sum(columns.iter().map(|column| c.get(*column)[plot].get()))
}
