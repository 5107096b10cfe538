//! Soil: a bucket of water and nutrients per plot, and the microlife that guards them.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | rain and its intensity | `rain_amount`, `rain_intensity` | mm.day-1, prop |
//! | reference evapotranspiration | `reference_evapotranspiration` | mm.day-1 |
//! | what plants and weeds ask for | `water_demand`, `demand_N` … `demand_C` | L, g per day |
//! | what dead matter and fertilisers set free | `release_N` … `release_C` | g per day |
//! | shaded ground | `shade` | m² |
//! | what cides set free | `cide_release_pests` … `cide_release_soil`, `cide_release_weight` | g per day |
//!
//! | writes | unit |
//! |---|---|
//! | water, nutrients, cides (roles `cide_on_…`, `cide_residue`), wet surface, microlife | L, g, g, m², % |
//! | supply before uptake and granted shares (roles `supply_…`, `share_…`, `water_share`) | L, g, prop |
//! | the day's flows, so that every ledger can be closed (roles `leached_N` … `leached_C`) | L, g per day |
//!
//! Source: Farm-gym paper 4.3 as corrected by equation sheet II.4. Deviations from the paper: evaporation is in litres (the
//! reference divides by 1000 once too often), leaching takes a share of the stock instead of grams (the paper adds m² to a
//! ratio), microlife can recover from any level, and what plants ask for is shared in proportion instead of first come,
//! first served.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, real};
use farm_core::ledger::{Flow, Ledger};
use farm_core::math::{exp, powf};
use farm_core::picture::Picture;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase};

use super::response::response;
use super::{Equations, NUTRIENTS};
use crate::roles::{
    CIDE, CIDE_RELEASE, CIDE_RELEASE_WEIGHT, CIDE_RESIDUE, DEMAND, LEACHED, MICROLIFE, RAIN_AMOUNT, RAIN_INTENSITY,
    REFERENCE_EVAPOTRANSPIRATION, RELEASE, RESOURCE_USED, SHADE, SHARE, SUPPLY, SUPPLY_WATER, WATER_CAPACITY,
    WATER_DEMAND, WATER_GIVEN, WATER_SHARE, WILTING_WATER,
};

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

/// Upper ends of the stocks of N, P, K, C in g per plot of 1 m²; larger plots hold more.
const MOST_NUTRIENTS: [f64; 4] = [1e5, 1e5, 1e6, 1e6];

/// The soil of a plot: dry below a quarter of the water that plants can take, wet above three quarters.
fn picture(wilting_liters: f64, capacity_liters: f64) -> Picture {
    let at = |share: f64| wilting_liters + share * (capacity_liters - wilting_liters);
    Picture::on_plots("Soil", 0)
        .from("available_Water#L", at(0.75), "wet", include_str!("sprites/soil_wet.svg"))
        .from("available_Water#L", at(0.25), "moist", include_str!("sprites/soil_moist.svg"))
        .otherwise("dry", include_str!("sprites/soil_dry.svg"))
        .heat("available_Water#L", wilting_liters, capacity_liters)
}

#[farm_core::typetag::serde]
impl Entity for Soil {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        if self.wilting_point > self.capacity {
            let path = farm_core::config::Path::default().child("wilting_point#L.m-3");
            let problem = farm_core::config::Problem::new(path, "the wilting point lies above the capacity");
            b.problem(problem.value(self.wilting_point).expected(format!("at most {}", self.capacity)));
        }
        let area = b.field().plot_area_m2();
        let volume = self.depth_m * area;
        let (capacity, wilting) = (self.capacity * volume, self.wilting_point.min(self.capacity) * volume);
        let plot = |name: &str, high: f64, doc: &str| real(name, 0.0, high, doc).per_plot();
        let most = MOST_NUTRIENTS.map(|m| m * area.max(1.0));
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
                plot("pending_surplus#L", 1e9, "Irrigation beyond the capacity, until the day counts it.").hidden(),
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
            uptake_water: b.declare(plot("uptake_Water#L.day-1", 1e9, "Water that plants took today.")),
            evaporation: b.declare(plot("evaporation#L.day-1", 1e9, "Water that evaporated today.")),
            drainage: b.declare(plot("drainage#L.day-1", 1e9, "Water that drained downwards today.")),
            surplus: b.declare(plot("surplus_Water#L.day-1", 1e9, "Water of today beyond the capacity; it ran off.")),
            uptake: per_nutrient(b, "uptake", "g.day-1", "that plants took today."),
            gain: per_nutrient(b, "gain", "g.day-1", "that came in today."),
            leached: Column::joined(&leached.map(|variable| b.declare(variable))),
            cide: Column::joined(&std::array::from_fn::<_, CIDES, _>(|t| {
                b.declare(match CIDE_TARGETS.get(t) {
                    Some(target) => {
                        let doc = format!("Poison in the plot that harms the {target}.");
                        plot(&format!("amount_cide.{target}#g"), 1e9, &doc).role(CIDE[t])
                    }
                    None => plot("cide_residue#g", 1e9, "Weight of all cides in the soil, whatever they harm.")
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
            real("water_capacity#L", 0.0, 1e9, "Water that a plot holds at most.")
                .hidden()
                .default(capacity)
                .role(WATER_CAPACITY),
        );
        b.declare(
            real("wilting_water#L", 0.0, 1e9, "Water of a plot that plants cannot take.")
                .hidden()
                .default(wilting)
                .role(WILTING_WATER),
        );
        b.picture(picture(wilting, capacity));
        let rain = b.one(RAIN_AMOUNT);
        books(b, &parts, rain, area);
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
            cide_release: cides,
        })
    }
}

/// The columns of the soil; those of the nutrients hold N, P, K and C of all plots one behind the other, that of the cides
/// what harms each of [`CIDE_TARGETS`] and then their weight.
struct Columns {
    water: Column<f64>,
    nutrients: Column<f64>,
    wet_surface: Column<f64>,
    microlife: Column<f64>,
    pending_surplus: Column<f64>,
    supply_water: Column<f64>,
    supply: Column<f64>,
    water_share: Column<f64>,
    shares: Column<f64>,
    uptake_water: Column<f64>,
    evaporation: Column<f64>,
    drainage: Column<f64>,
    surplus: Column<f64>,
    uptake: Column<f64>,
    gain: Column<f64>,
    leached: Column<f64>,
    cide: Column<f64>,
    added: Column<f64>,
}

/// The books of water and of each nutrient. Water that waits to be counted as surplus is irrigation that has not run off yet.
fn books(b: &mut Builder<'_>, columns: &Columns, rain_mm: Column<f64>, area_m2: f64) {
    let plots = columns.water.len() as f64;
    let water = vec![
        Flow::inflow("rain", rain_mm).times(area_m2 * plots),
        Flow::inflow("irrigation", columns.added).cumulated(),
        Flow::outflow("uptake by plants", columns.uptake_water),
        Flow::outflow("evaporation", columns.evaporation),
        Flow::outflow("drainage", columns.drainage),
        Flow::outflow("surplus", columns.surplus),
    ];
    b.ledger(Ledger::new("water", "L", columns.water, water));
    let of = |column: Column<f64>| column.split(NUTRIENTS.len() as u32);
    let flows = of(columns.gain).zip(of(columns.uptake)).zip(of(columns.leached));
    for ((name, stock), ((gain, uptake), leached)) in NUTRIENTS.iter().zip(of(columns.nutrients)).zip(flows) {
        let flows = vec![
            Flow::inflow("bedrock and what was set free", gain),
            Flow::outflow("uptake by plants", uptake),
            Flow::outflow("leaching", leached),
        ];
        b.ledger(Ledger::new(name, "g", stock, flows));
    }
}

struct Bucket {
    area: f64,
    volume: f64,
    capacity: f64,
    wilting: f64,
    absorption_speed: f64,
    leakage_max: f64,
    /// Grams per plot and day at full microlife.
    bedrock: [f64; 4],
    initial: [f64; 4],
    initial_water: f64,
    initial_microlife: f64,
    microlife_growth: f64,
    microlife_min: f64,
    surplus_sensitivity: f64,
    leaching: [f64; 4],
    paper_leaching: bool,
    most: [f64; 4],
    columns: Columns,
    rain: Column<f64>,
    rain_intensity: Column<f64>,
    evapotranspiration: Column<f64>,
    water_demand: Vec<Column<f64>>,
    shade: Vec<Column<f64>>,
    demand: [Vec<Column<f64>>; 4],
    release: [Vec<Column<f64>>; 4],
    cide_sensitivity: f64,
    /// Share of a cide that a day leaves.
    cide_kept: f64,
    cide_release: [Vec<Column<f64>>; CIDES],
}

impl Behaviour for Bucket {
    fn reset(&self, c: &mut Context<'_>) {
        let fill = |column: Column<f64>, value: f64| c.get(column).iter().for_each(|cell| cell.set(value));
        fill(self.columns.water, self.initial_water);
        fill(self.columns.microlife, self.initial_microlife);
        let plots = self.columns.water.len();
        for (x, stocks) in c.get(self.columns.nutrients).chunks(plots.max(1)).enumerate() {
            stocks.iter().for_each(|stock| stock.set(self.initial[x].min(self.most[x])));
        }
    }

    /// Watering: what does not fit waits as surplus for the day's account.
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let (plot, amount, minutes) = (arguments.plot(0), arguments.real(1), arguments.real(2));
        let water = &c.get(self.columns.water)[plot];
        let (kept, over) = pour(water.get(), amount, self.capacity);
        water.set(kept);
        add(&c.get(self.columns.pending_surplus)[plot], over);
        let wet = &c.get(self.columns.wet_surface)[plot];
        wet.set((wet.get() + self.area * minutes / 1440.0).min(self.area));
        add(&c.get(self.columns.added)[0], amount);
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let rain = c.value(self.rain);
        for plot in 0..self.columns.water.len() {
            let surplus = self.take_in_rain(plot, rain, c);
            self.take_in_cides(plot, c);
            self.feed(plot, c);
            self.water_plants(plot, c);
            self.evaporate(plot, c);
            self.drain(plot, c);
            self.live(plot, surplus, c);
            self.leach(plot, c.value(self.rain_intensity) + surplus / self.capacity, c);
        }
    }
}

impl Bucket {
    /// Rain falls in; returns the day's surplus, irrigation included (II.4 step 1).
    #[inline]
    fn take_in_rain(&self, plot: usize, rain_mm: f64, c: &Context<'_>) -> f64 {
        let water = &c.get(self.columns.water)[plot];
        let pending = &c.get(self.columns.pending_surplus)[plot];
        let (kept, over) = pour(water.get(), rain_mm * self.area, self.capacity);
        water.set(kept);
        if rain_mm > 0.0 {
            c.get(self.columns.wet_surface)[plot].set(self.area);
        }
        let surplus = over + pending.replace(0.0);
        c.get(self.columns.surplus)[plot].set(surplus);
        surplus
    }

    /// Cides fall in and decay (II.4 step 4).
    #[inline]
    fn take_in_cides(&self, plot: usize, c: &Context<'_>) {
        // Without a cide in the field there is never any in the soil.
        if self.cide_release.iter().all(Vec::is_empty) {
            return;
        }
        let stocks = c.get(self.columns.cide);
        for (t, release) in self.cide_release.iter().enumerate() {
            let stock = &stocks[t * self.columns.water.len() + plot];
            stock.set((stock.get() + sum_at(release, plot, c)) * self.cide_kept);
        }
    }

    /// Bedrock gives, plants take their share, what was set free is added (II.4 steps 2, 3, 5).
    #[inline]
    fn feed(&self, plot: usize, c: &Context<'_>) {
        let microlife = c.get(self.columns.microlife)[plot].get() / 100.0;
        let (stocks, supplies) = (c.get(self.columns.nutrients), c.get(self.columns.supply));
        let (shares, uptakes, gains) =
            (c.get(self.columns.shares), c.get(self.columns.uptake), c.get(self.columns.gain));
        for x in 0..4 {
            let at = x * self.columns.water.len() + plot;
            let bedrock = microlife * self.bedrock[x];
            let supply = stocks[at].get() + bedrock;
            supplies[at].set(supply);
            let asked = sum_at(&self.demand[x], plot, c);
            let share = granted_share(supply, asked);
            let released = sum_at(&self.release[x], plot, c);
            stocks[at].set((supply - share * asked).max(0.0) + released);
            shares[at].set(share);
            uptakes[at].set(share * asked);
            gains[at].set(bedrock + released);
        }
    }

    /// Plants drink their share of what lies above the wilting point (II.4 step 6).
    #[inline]
    fn water_plants(&self, plot: usize, c: &Context<'_>) {
        let water = &c.get(self.columns.water)[plot];
        c.get(self.columns.supply_water)[plot].set(water.get());
        let asked = sum_at(&self.water_demand, plot, c);
        let share = granted_share((water.get() - self.wilting).max(0.0), asked);
        water.set(water.get() - share * asked);
        c.get(self.columns.water_share)[plot].set(share);
        c.get(self.columns.uptake_water)[plot].set(share * asked);
    }

    /// The wet part of the surface that no leaf shades evaporates, down to half the wilting point (II.4 step 7).
    #[inline]
    fn evaporate(&self, plot: usize, c: &Context<'_>) {
        let wet_surface = &c.get(self.columns.wet_surface)[plot];
        let shaded = (sum_at(&self.shade, plot, c) / self.area).min(1.0);
        let wished = evaporation(c.value(self.evapotranspiration), self.area, shaded, wet_surface.get() / self.area);
        let water = &c.get(self.columns.water)[plot];
        let evaporated = wished.min((water.get() - 0.5 * self.wilting).max(0.0));
        water.set(water.get() - evaporated);
        c.get(self.columns.evaporation)[plot].set(evaporated);
        wet_surface.set((wet_surface.get() - self.absorption_speed).max(0.0));
    }

    /// Water drains downwards, less where microlife is healthy (II.4 step 8, an option).
    #[inline]
    fn drain(&self, plot: usize, c: &Context<'_>) {
        if self.leakage_max > 0.0 {
            let water = &c.get(self.columns.water)[plot];
            let microlife = c.get(self.columns.microlife)[plot].get() / 100.0;
            let drained =
                ((1.1 - microlife) * self.leakage_max * self.volume).min((water.get() - self.wilting).max(0.0));
            water.set(water.get() - drained);
            c.get(self.columns.drainage)[plot].set(drained);
        }
    }

    /// The microlife grows, or suffers from surplus water and cides (Farm-gym Eq. 22; II.4 step 9).
    #[inline]
    fn live(&self, plot: usize, surplus: f64, c: &Context<'_>) {
        let microlife = &c.get(self.columns.microlife)[plot];
        let cide = c.get(self.columns.cide)[3 * self.columns.water.len() + plot].get();
        let harms = [(self.cide_sensitivity, cide), (self.surplus_sensitivity, surplus / self.capacity)];
        let survival = response(0.0, &harms);
        let after = microlife.get() * microlife_factor(survival, self.microlife_growth);
        microlife.set(after.clamp(self.microlife_min, 100.0));
    }

    /// Rain and surplus wash nutrients and cides out, nutrients less where microlife is healthy (II.4 step 10).
    #[inline]
    fn leach(&self, plot: usize, strength: f64, c: &Context<'_>) {
        if strength > 0.0 && !self.cide_release.iter().all(Vec::is_empty) {
            let (stocks, kept) = (c.get(self.columns.cide), exp(-strength));
            for stock in stocks[plot..].iter().step_by(self.columns.water.len()) {
                stock.set(stock.get() * kept);
            }
        }
        let exposed = strength * (1.0 - c.get(self.columns.microlife)[plot].get() / 100.0);
        let (stocks, leached) = (c.get(self.columns.nutrients), c.get(self.columns.leached));
        for x in 0..4 {
            let at = x * self.columns.water.len() + plot;
            let before = stocks[at].get();
            let kept = match (exposed > 0.0, self.paper_leaching) {
                (false, _) => before,
                (true, false) => before * exp(-self.leaching[x] * exposed),
                (true, true) => (before - self.area * exposed).max(0.0),
            };
            let kept = kept.min(self.most[x]);
            stocks[at].set(kept);
            leached[at].set(before - kept);
        }
    }
}

#[inline]
fn add(cell: &Cell<f64>, amount: f64) {
    cell.set(cell.get() + amount);
}

/// The sum of some columns at a plot.
#[inline]
fn sum_at(columns: &[Column<f64>], plot: usize, c: &Context<'_>) -> f64 {
    columns.iter().map(|column| c.get(*column)[plot].get()).sum()
}

/// What stays of the water and what runs over \[L\] (equation sheet II.4 step 1).
pub fn pour(water: f64, amount: f64, capacity: f64) -> (f64, f64) {
    let full = water + amount;
    (full.min(capacity), (full - capacity).max(0.0))
}

/// Share of what is asked for that a stock can grant (equation sheet II.4 steps 5, 6).
///
/// f = min(1, stock / Σ asked); 1 when nothing is asked for
pub fn granted_share(stock: f64, asked: f64) -> f64 {
    if asked > stock { stock / asked } else { 1.0 }
}

/// Evaporation of bare wet soil [L day⁻¹] (equation sheet II.4 step 7).
///
/// Ev = ET₀ · A · min(1 − shaded, wet)
pub fn evaporation(et0_mm: f64, area_m2: f64, shaded: f64, wet: f64) -> f64 {
    et0_mm * area_m2 * (1.0 - shaded).min(wet).max(0.0)
}

/// Growth factor of the microlife (Farm-gym Eq. 22; equation sheet II.4 step 9).
///
/// p (2 − (1 − g) p): it grows if and only if p > 1 / (1 + √g)
pub fn microlife_factor(survival: f64, growth: f64) -> f64 {
    survival * (2.0 - (1.0 - growth) * survival)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of equation sheet III.5.
    #[test]
    fn equation_22_microlife_factor_has_the_published_values_and_neutral_points() {
        assert!((microlife_factor(1.0, 0.1) - 1.1).abs() < 1e-12);
        assert!((microlife_factor(0.5, 0.1) - 0.775).abs() < 1e-12);
        assert_eq!(microlife_factor(0.0, 0.1), 0.0);
        assert!((microlife_factor(0.759747, 0.1) - 1.0).abs() < 1e-6);
        assert!((microlife_factor(0.876101, 0.02) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn pouring_keeps_all_water() {
        assert_eq!(pour(100.0, 30.0, 180.0), (130.0, 0.0));
        assert_eq!(pour(170.0, 30.0, 180.0), (180.0, 20.0));
        assert_eq!(pour(180.0, 0.0, 180.0), (180.0, 0.0));
    }

    #[test]
    fn shares_are_proportional_and_never_more_than_asked() {
        assert_eq!(granted_share(10.0, 5.0), 1.0);
        assert_eq!(granted_share(5.0, 10.0), 0.5);
        assert_eq!(granted_share(0.0, 0.0), 1.0);
        assert_eq!(granted_share(0.0, 3.0), 0.0);
    }

    #[test]
    fn evaporation_is_et0_times_the_wet_and_sunny_area() {
        assert_eq!(evaporation(5.0, 2.0, 0.0, 1.0), 10.0, "1 mm is 1 L per m²");
        assert_eq!(evaporation(5.0, 2.0, 0.75, 1.0), 2.5);
        assert_eq!(evaporation(5.0, 2.0, 0.25, 0.5), 5.0);
        assert_eq!(evaporation(5.0, 2.0, 1.0, 1.0), 0.0);
    }
}
