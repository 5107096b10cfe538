//! Soil: a bucket of water and nutrients per plot, and the microlife that guards them.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | rain and its intensity | `rain_amount`, `rain_intensity` | mm.day-1, prop |
//! | reference evapotranspiration | `reference_evapotranspiration` | mm.day-1 |
//! | what plants and weeds ask for | `water_demand`, `demand_N` … `demand_C` | L, g per day |
//! | what dead matter and fertilisers set free | `release_N` … `release_C` | g per day |
//! | shaded ground | `shade` | m² |
//! | what cides set free | `cide_release_pests` … `cide_release_soil`, `cide_release_others`, `cide_release_weight` | g per day |
//! | water that others bring | `water_inflow` | L per day |
//!
//! | writes | unit |
//! |---|---|
//! | water, nutrients, cides (roles `cide_on_…`, `cide_residue`), wet surface, microlife | L, g, g, m², % |
//! | where others bring water: what came in today | L per day |
//! | supply before uptake and granted shares (roles `supply_…`, `share_…`, `water_share`) | L, g, prop |
//! | the day's flows, so that every ledger can be closed (roles `leached_N` … `leached_C`) | L, g per day |
//!
//! Source: Farm-gym paper 4.3 as corrected by equation sheet II.4. Deviations from the paper: evaporation is in litres (the
//! reference divides by 1000 once too often), leaching takes a share of the stock instead of grams (the paper adds m² to a
//! ratio), microlife can recover from any level, and what plants ask for is shared in proportion instead of first come,
//! first served. Water that others bring flows over the plot all day: like a watering of 1440 minutes it wets all of its surface.

mod bucket;
mod equations;
mod others;

pub use equations::*;

use std::cell::Cell;

use farm_core::declare::{ActionParameter, VariableInfo, real};
use farm_core::mass_balance::{Flow, MassBalance};
use farm_core::math::powf;
use farm_core::picture::Picture;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase};
use farm_roles::{
    CIDE, CIDE_RELEASE, CIDE_RELEASE_WEIGHT, CIDE_RESIDUE, DEMAND, LEACHED, MICROLIFE, RAIN_AMOUNT, RAIN_INTENSITY,
    REFERENCE_EVAPOTRANSPIRATION, RELEASE, RESOURCE_USED, SHADE, SHARE, SUPPLY, SUPPLY_WATER, WATER_CAPACITY,
    WATER_DEMAND, WATER_GIVEN, WATER_SHARE, WILTING_WATER,
};

use super::{Equations, NUTRIENTS};
use crate::agronomy::AgronomyError;
use bucket::Bucket;
use others::{FurtherCide, Inflow};

/// What cides harm, in the order of all arrays of four.
pub const CIDE_TARGETS: [&str; 4] = ["pests", "weeds", "pollinators", "soil"];

/// What the soil knows of cides: how much harms each target, and the weight of all.
const CIDES: usize = CIDE_TARGETS.len() + 1;

farm_core::choice! {
    /// How nutrients are washed out.
    pub enum Leaching {
        /// A share of the stock that grows with rain and surplus.
        Corrected = "corrected",
        /// One gram per m² times rain and surplus, as the paper prints it.
        Paper = "paper",
    }
}

farm_core::parameters! {
    /// One soil.
    pub struct Soil {
        /// Depth of the layer that roots reach.
        pub depth_m: f64 = 0.5, "depth#m", [0.01, 10.0];
        /// Water that a cubic metre holds at most (field capacity); more runs off.
        pub capacity: f64 = 360.0, "max_water_capacity#L.m-3", [1.0, 1000.0];
        /// Water of a cubic metre that plants cannot take.
        pub wilting_point: f64 = 220.0, "wilting_point#L.m-3", [0.0, 1000.0];
        /// How much wet surface dries in a day.
        pub absorption_speed: f64 = 0.1, "water_surface_absorption_speed#m2.day-1", [0.0, 1e6];
        /// Water that a cubic metre loses downwards in a day, with microlife at 10 %; used only with `drainage`.
        pub leakage_max: f64 = 3.0, "water_leakage_max#L.m-3.day-1", [0.0, 1000.0];
        /// Whether water drains downwards.
        pub drainage: bool = false;
        /// Nitrogen that the bedrock gives in a day with microlife at 100 %.
        pub bedrock_n: f64 = 0.1, "bedrocks_release_N#mg.m-2.day-1", [0.0, 1e6];
        /// Phosphorus that the bedrock gives in a day with microlife at 100 %.
        pub bedrock_p: f64 = 0.1, "bedrocks_release_P#mg.m-2.day-1", [0.0, 1e6];
        /// Potassium that the bedrock gives in a day with microlife at 100 %.
        pub bedrock_k: f64 = 0.1, "bedrocks_release_K#mg.m-2.day-1", [0.0, 1e6];
        /// Carbon that the bedrock gives in a day with microlife at 100 %.
        pub bedrock_c: f64 = 0.1, "bedrocks_release_C#mg.m-2.day-1", [0.0, 1e6];
        /// Water at the start; not more than the capacity.
        pub initial_water: f64 = 250.0, "initial_water#L.m-3", [0.0, 1000.0];
        /// Nitrogen at the start.
        pub initial_n: f64 = 1300.0, "initial_N#g.m-2", [0.0, 1e5];
        /// Phosphorus at the start.
        pub initial_p: f64 = 1275.0, "initial_P#g.m-2", [0.0, 1e5];
        /// Potassium at the start.
        pub initial_k: f64 = 13_750.0, "initial_K#g.m-2", [0.0, 1e5];
        /// Carbon at the start.
        pub initial_c: f64 = 15_000.0, "initial_C#g.m-2", [0.0, 1e5];
        /// Microlife at the start.
        pub initial_microlife: f64 = 100.0, "initial_microlife#%", [0.0, 100.0];
        /// Growth of the microlife in a perfect day.
        pub microlife_growth: f64 = 0.1, "microlife_growth#prop", [0.0, 10.0];
        /// Microlife never falls below this, so that it can always recover.
        pub microlife_min: f64 = 1.0, "microlife_min#%", [0.0, 100.0];
        /// How much cide harms the microlife, per gram in the plot.
        pub cide_sensitivity: f64 = 0.02, "sensitivity_microlife_cide#g-1", [0.0, 1e6];
        /// Days after which half of a cide is gone by itself.
        pub cide_half_life: f64 = 30.0, "cide_half_life#day", [0.01, 1e6];
        /// How much surplus water harms the microlife, per unit of surplus relative to the capacity.
        pub surplus_sensitivity: f64 = 5.0, "sensitivity_microlife_surplus", [0.0, 1e3];
        /// How fast nitrogen is washed out.
        pub leaching_n: f64 = 0.05, "leaching_N", [0.0, 100.0];
        /// How fast phosphorus is washed out.
        pub leaching_p: f64 = 0.005, "leaching_P", [0.0, 100.0];
        /// How fast potassium is washed out.
        pub leaching_k: f64 = 0.02, "leaching_K", [0.0, 100.0];
        /// How fast carbon is washed out.
        pub leaching_c: f64 = 0.02, "leaching_C", [0.0, 100.0];
        /// Which equations are played where the sheet lists two.
        pub equations: Equations = Equations::Corrected;
        /// How nutrients are washed out; as `equations` says if nothing is said.
        pub leaching: Option<Leaching> = None;
    }
}

farm_core::register!(
    Entity,
    Soil,
    "Water and nutrients of each plot, and the microlife that guards them.",
    "Farm-gym paper 4.3; equation sheet II.4",
    include_str!("soil.yaml")
);

/// Upper ends of the stocks of N, P, K, C in g per plot of 1 m²; larger plots hold more. What would exceed them does not come in.
const MAX_NUTRIENTS: [f64; 4] = [1e5, 1e5, 1e6, 1e6];

/// The colours of dry and of wet soil on large fields: light sand, dark blue.
const DRY: [u8; 3] = [0xf5, 0xec, 0xd2];
const WET: [u8; 3] = [0x1d, 0x4e, 0x9e];
/// Upper end of a plot's litres and of the grams of a cide in it, on plots that are not very large.
const MANY: f64 = 1e9;

/// Upper end of what runs off in a day, in L: the irrigation of half a million of the largest waterings, all the rain that the
/// weather can bring, and all the water that other parts can.
fn most_surplus(rain: Option<VariableInfo>, area_m2: f64, inflow: Option<&Inflow>) -> f64 {
    let most_rain_mm = rain.map_or(0.0, |rain| rain.kind.range().1);
    MANY.max(0.5 * MANY + most_rain_mm * area_m2 + inflow.map_or(0.0, |inflow| inflow.max_liters))
}

/// The soil of a plot: dry below a quarter of the water that plants can take, wet above three quarters.
fn picture(wilting_liters: f64, capacity_liters: f64) -> Picture {
    let at = |share: f64| wilting_liters + share * (capacity_liters - wilting_liters);
    Picture::on_plots("Soil", 0)
        .from("available_Water#L", at(0.75), "wet", include_str!("../sprites/soil_wet.svg"))
        .from("available_Water#L", at(0.25), "moist", include_str!("../sprites/soil_moist.svg"))
        .otherwise("dry", include_str!("../sprites/soil_dry.svg"))
        .heat("available_Water#L", wilting_liters, capacity_liters)
        .heat_ends(DRY, WET)
}

#[farm_core::typetag::serde]
impl Entity for Soil {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        if self.wilting_point > self.capacity {
            let path = farm_core::config::Path::default().child("wilting_point#L.m-3");
            let problem = farm_core::config::Problem::new(
                AgronomyError::BoundsReversed,
                path,
                "the wilting point lies above the capacity",
            );
            b.problem(problem.value(self.wilting_point).expected(format!("at most {}", self.capacity)));
        }
        let area = b.field().plot_area_m2();
        let volume = self.depth_m * area;
        let (capacity, wilting) = (self.capacity * volume, self.wilting_point.min(self.capacity) * volume);
        let plot = |name: &str, high: f64, doc: &str| real(name, 0.0, high, doc).per_plot();
        let most = MAX_NUTRIENTS.map(|m| m * area.max(1.0));
        let most_liters = capacity.max(MANY);
        let inflow = Inflow::declare(b);
        let most_surplus = most_surplus(b.declaration(RAIN_AMOUNT), area, inflow.as_ref());
        let nutrient = |b: &mut Builder<'_>, x: usize, kind: &str, unit: &str, doc: &str| {
            b.declare(plot(&format!("{kind}_{}#{unit}", NUTRIENTS[x]), most[x], doc))
        };
        let leached: [_; 4] = std::array::from_fn(|x| {
            let doc = format!("{} that was washed out today.", NUTRIENTS[x]);
            plot(&format!("leached_{}#g.day-1", NUTRIENTS[x]), most[x], &doc).role(LEACHED[x])
        });
        let per_nutrient = |b: &mut Builder<'_>, kind: &str, unit: &str, doc: &str| {
            let four: [_; 4] = std::array::from_fn(|x| nutrient(b, x, kind, unit, &format!("{} {doc}", NUTRIENTS[x])));
            Column::joined(&four)
        };
        let parts = Columns {
            water: b.declare(plot(
                "available_Water#L",
                capacity,
                "Water in the plot, that below the wilting point included.",
            )),
            nutrients: per_nutrient(b, "available", "g", "in the plot."),
            wet_surface: b.declare(plot("wet_surface#m2", area, "Surface that is wet and evaporates.")),
            microlife: b.declare(plot("microlife_health_index#%", 100.0, "Health of the microlife.").role(MICROLIFE)),
            pending_surplus: b.declare(
                plot("pending_surplus#L", MANY, "Irrigation beyond the capacity, until the day counts it.").hidden(),
            ),
            supply_water: b.declare(
                plot("supply_Water#L", capacity, "Water just before today's uptake.").hidden().role(SUPPLY_WATER),
            ),
            supply: Column::joined(&SUPPLY.map(|role| {
                let name = format!("{}#g", role.name);
                b.declare(plot(&name, most[3], "Stock just before today's uptake.").hidden().role(role))
            })),
            water_share: b.declare(
                plot("share_Water#prop", 1.0, "Share of the water asked for that was granted.")
                    .hidden()
                    .role(WATER_SHARE),
            ),
            shares: Column::joined(&SHARE.map(|role| {
                let name = format!("{}#prop", role.name);
                b.declare(plot(&name, 1.0, "Share of the nutrient asked for that was granted.").hidden().role(role))
            })),
            uptake_water: b.declare(plot("uptake_Water#L.day-1", most_liters, "Water that plants took today.")),
            evaporation: b.declare(plot("evaporation#L.day-1", most_liters, "Water that evaporated today.")),
            drainage: b.declare(plot("drainage#L.day-1", most_liters, "Water that drained downwards today.")),
            surplus: b.declare(plot(
                "surplus_Water#L.day-1",
                most_surplus,
                "Water of today beyond the capacity; it ran off.",
            )),
            uptake: per_nutrient(b, "uptake", "g.day-1", "that plants took today."),
            gain: per_nutrient(b, "gain", "g.day-1", "that came in today."),
            leached: Column::joined(&leached.map(|variable| b.declare(variable))),
            cide: Column::joined(&std::array::from_fn::<_, CIDES, _>(|t| {
                b.declare(match CIDE_TARGETS.get(t) {
                    Some(target) => {
                        let doc = format!("Poison in the plot that harms the {target}.");
                        plot(&format!("amount_cide.{target}#g"), MANY, &doc).role(CIDE[t])
                    }
                    None => plot("cide_residue#g", MANY, "Weight of all cides in the soil, whatever they harm.")
                        .hidden()
                        .role(CIDE_RESIDUE),
                })
            })),
            added: b.declare(
                real("total_cumulated_added_water#L", 0.0, 1e12, "Water given in this episode.")
                    .role(RESOURCE_USED)
                    .role(WATER_GIVEN),
            ),
        };
        b.declare(
            real("water_capacity#L", 0.0, most_liters, "Water that a plot holds at most.")
                .hidden()
                .default(capacity)
                .role(WATER_CAPACITY),
        );
        b.declare(
            real("wilting_water#L", 0.0, most_liters, "Water of a plot that plants cannot take.")
                .hidden()
                .default(wilting)
                .role(WILTING_WATER),
        );
        b.picture(picture(wilting, capacity));
        let rain = b.one(RAIN_AMOUNT);
        books(b, &parts, rain, area, inflow.as_ref());
        let amounts: Vec<f64> = (1..=15).map(f64::from).collect();
        let duration = || {
            ActionParameter::real(
                "duration#min",
                0.0,
                1440.0,
                &[60.0],
                "How long the watering takes; longer wets more surface.",
            )
        };
        let amount = |offered: &[f64]| ActionParameter::real("amount#L", 0.0, 1000.0, offered, "How much water.");
        b.action("water_discrete", vec![ActionParameter::plot(), amount(&amounts), duration()], "Waters a plot.");
        b.action(
            "water_continuous",
            vec![ActionParameter::plot(), amount(&amounts), duration()],
            "Waters a plot with any amount.",
        );
        b.runs_in(Phase::Exchange);
        let demand = DEMAND.map(|role| b.all(role));
        let release = RELEASE.map(|role| b.all(role));
        let [pests, weeds, pollinators, soil] = CIDE_RELEASE;
        let cides = [pests, weeds, pollinators, soil, CIDE_RELEASE_WEIGHT].map(|role| b.all(role));
        let further_cides = FurtherCide::declare_all(b);
        Box::new(Bucket {
            area,
            volume,
            capacity,
            wilting,
            absorption_speed: self.absorption_speed,
            leakage_max: if self.drainage { self.leakage_max } else { 0.0 },
            bedrock: [self.bedrock_n, self.bedrock_p, self.bedrock_k, self.bedrock_c].map(|mg| mg / 1000.0 * area),
            initial: [self.initial_n, self.initial_p, self.initial_k, self.initial_c].map(|g| g * area),
            initial_water: self.initial_water.min(self.capacity) * volume,
            initial_microlife: self.initial_microlife,
            microlife_growth: self.microlife_growth,
            microlife_min: self.microlife_min,
            surplus_sensitivity: self.surplus_sensitivity,
            leaching: [self.leaching_n, self.leaching_p, self.leaching_k, self.leaching_c],
            paper_leaching: self.leaching.map_or(self.equations == Equations::Paper, |how| how == Leaching::Paper),
            most,
            columns: parts,
            rain,
            rain_intensity: b.one(RAIN_INTENSITY),
            evapotranspiration: b.one(REFERENCE_EVAPOTRANSPIRATION),
            water_demand: b.all(WATER_DEMAND),
            shade: b.all(SHADE),
            demand,
            release,
            cide_sensitivity: self.cide_sensitivity,
            cide_kept: powf(0.5, 1.0 / self.cide_half_life),
            has_cides: !further_cides.is_empty() || cides.iter().any(|columns| !columns.is_empty()),
            cide_release: cides,
            further_cides,
            inflow,
        })
    }
}

/// The columns of the soil; those of the nutrients hold N, P, K and C of all plots one behind the other, that of the cides
/// what harms each of [`CIDE_TARGETS`] and then their weight.
struct Columns<Values = Column<f64>> {
    water: Values,
    nutrients: Values,
    wet_surface: Values,
    microlife: Values,
    pending_surplus: Values,
    supply_water: Values,
    supply: Values,
    water_share: Values,
    shares: Values,
    uptake_water: Values,
    evaporation: Values,
    drainage: Values,
    surplus: Values,
    uptake: Values,
    gain: Values,
    leached: Values,
    cide: Values,
    added: Values,
}

impl Columns {
    /// The values that stand in the columns now.
    #[inline]
    fn look_up<'a>(&self, c: &Context<'a>) -> Columns<&'a [Cell<f64>]> {
        Columns {
            water: c.get(self.water),
            nutrients: c.get(self.nutrients),
            wet_surface: c.get(self.wet_surface),
            microlife: c.get(self.microlife),
            pending_surplus: c.get(self.pending_surplus),
            supply_water: c.get(self.supply_water),
            supply: c.get(self.supply),
            water_share: c.get(self.water_share),
            shares: c.get(self.shares),
            uptake_water: c.get(self.uptake_water),
            evaporation: c.get(self.evaporation),
            drainage: c.get(self.drainage),
            surplus: c.get(self.surplus),
            uptake: c.get(self.uptake),
            gain: c.get(self.gain),
            leached: c.get(self.leached),
            cide: c.get(self.cide),
            added: c.get(self.added),
        }
    }
}

/// The books of water and of each nutrient. Water that waits to be counted as surplus is irrigation that has not run off yet.
fn books(b: &mut Builder<'_>, columns: &Columns, rain_mm: Column<f64>, area_m2: f64, inflow: Option<&Inflow>) {
    let plots = columns.water.len() as f64;
    let mut water = vec![
        Flow::inflow("rain", rain_mm).times(area_m2 * plots),
        Flow::inflow("irrigation", columns.added).cumulated(),
        Flow::outflow("uptake by plants", columns.uptake_water),
        Flow::outflow("evaporation", columns.evaporation),
        Flow::outflow("drainage", columns.drainage),
        Flow::outflow("surplus", columns.surplus),
    ];
    water.extend(inflow.map(|inflow| Flow::inflow("inflow from other parts", inflow.total)));
    b.mass_balance(MassBalance::new("water", "L", columns.water, water));
    let of = |column: Column<f64>| column.split(NUTRIENTS.len() as u32);
    let flows = of(columns.gain).zip(of(columns.uptake)).zip(of(columns.leached));
    for ((name, stock), ((gain, uptake), leached)) in NUTRIENTS.iter().zip(of(columns.nutrients)).zip(flows) {
        let flows = vec![
            Flow::inflow("bedrock and what was set free", gain),
            Flow::outflow("uptake by plants", uptake),
            Flow::outflow("leaching", leached),
        ];
        b.mass_balance(MassBalance::new(name, "g", stock, flows));
    }
}
