//! Weeds: seeds that blow in, grow, flower and spread from plot to plot.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | weather of the day | `air_temperature_mean`, `relative_humidity` | °C, % |
//! | what the soil had | `supply_N` … `supply_C`, `supply_water`, `wilting_water`, `water_capacity` | g, L |
//! | herbicide, where there is any | `cide_on_weeds` | g |
//!
//! | writes | unit |
//! |---|---|
//! | seeds, weeds and flowers of each plot; weeds that sprouted in this episode (role `weeds_sprouted`) | nb |
//! | what they ask for (roles `water_demand`, `demand_N` … `demand_C`, `shade`) | L, g per day, m² |
//! | where pests can sit (roles `host_number`, `host_repulsion`, `pests_on_host`) | nb |
//!
//! Source: Farm-gym paper 4.5 as corrected by equation sheet II.7. Deviations from the paper: on the days on which a plot's
//! weeds change, all transitions happen instead of one at random (`ticks`); each nutrient has its own consumption; missing
//! stocks count as shares of the need; seeds fly uniformly to the plot and its neighbours; the edge of the field is the
//! same on all sides.

use std::cell::Cell;
use std::f64::consts::PI;

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, count, real};
use farm_core::picture::Picture;
use farm_core::rng::{Purpose, Stream};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Reader};

use super::response::{distance, distance_to_edge, response, shortage};
use super::{Equations, NUTRIENTS, StockDistance};
use crate::roles::{
    AIR_TEMPERATURE_MEAN, CIDE_ON_WEEDS, DEMAND, HOST_NUMBER, HOST_REPULSION, PESTS_ON_HOST, RELATIVE_HUMIDITY, SHADE,
    SUPPLY, SUPPLY_WATER, WATER_CAPACITY, WATER_DEMAND, WEEDS_SPROUTED, WILTING_WATER,
};

farm_core::choice! {
    /// What happens on a day on which the weeds of a plot change.
    pub enum Ticks {
        /// Flowers shed seeds, seeds sprout and weeds flower.
        All = "all",
        /// One of the three at random, as in the public reference.
        One = "one",
    }
}

farm_core::parameters! {
    /// When seeds blow in.
    pub struct Appear {
        /// Base of the chance of each new seed; 0 is certain at the edge of the field.
        pub base: f64 = 0.2, "sensitivity_0", [0.0, 100.0];
        /// How much each plot of distance from the edge lowers it.
        pub edge: f64 = 0.3, "sensitivity_dist_edge", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// When seeds sprout.
    pub struct Sprouting {
        /// Base of the chance; 0 is perfect.
        pub base: f64 = 0.1, "sensitivity_grow_0", [0.0, 100.0];
        /// Favourable air temperatures.
        pub temperature: [f64; 2] = [7.0, 38.0], "grow_air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree harms.
        pub temperature_weight: f64 = 0.3, "sensitivity_grow_air_temperature", [0.0, 1e6];
        /// Favourable air humidities.
        pub humidity: [f64; 2] = [20.0, 100.0], "grow_humidity#%", [0.0, 100.0];
        /// How much each further percent harms.
        pub humidity_weight: f64 = 0.2, "sensitivity_grow_humidity", [0.0, 1e6];
        /// Herbicide that hinders neither sprouting nor flowering.
        pub herbicide_max: f64 = 3.0, "grow_herbicide_max#g", [0.0, 1e6];
        /// How much each further gram hinders both.
        pub herbicide: f64 = 0.8, "sensitivity_grow_herbicide", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// When weeds die; drawn on the days on which the weeds of a plot change.
    pub struct Survival {
        /// Base of the survival; 0 is perfect.
        pub base: f64 = 0.01, "sensitivity_death_0", [0.0, 100.0];
        /// Air temperatures that they bear.
        pub temperature: [f64; 2] = [-5.0, 40.0], "death_air_temperature#°C", [-60.0, 70.0];
        /// How much each further degree harms.
        pub temperature_weight: f64 = 0.1, "sensitivity_death_air_temperature", [0.0, 1e6];
        /// Herbicide that they bear.
        pub herbicide_max: f64 = 10.0, "death_herbicide_max#g", [0.0, 1e6];
        /// How much each further gram harms.
        pub herbicide: f64 = 2.0, "sensitivity_death_herbicide", [0.0, 1e6];
        /// How much missing nitrogen harms.
        pub nitrogen: f64 = 1.0, "sensitivity_death_N", [0.0, 1e6];
        /// How much missing phosphorus harms.
        pub phosphorus: f64 = 1.0, "sensitivity_death_P", [0.0, 1e6];
        /// How much missing potassium harms.
        pub potassium: f64 = 1.0, "sensitivity_death_K", [0.0, 1e6];
        /// How much missing carbon harms.
        pub carbon: f64 = 1.0, "sensitivity_death_C", [0.0, 1e6];
        /// How much missing water harms.
        pub water: f64 = 2.0, "sensitivity_death_Water", [0.0, 1e6];
        /// Water that they need, between the wilting point (0) and the capacity (1).
        pub drought: f64 = 0.1, "sensitivity_draught#prop", [0.0, 1.0];
    }
}

farm_core::parameters! {
    /// What one weed takes from the soil for each millimetre that it grows; it grows one millimetre a day.
    pub struct Needs {
        /// Nitrogen that it takes.
        pub nitrogen: f64 = 0.5, "N_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Phosphorus that it takes.
        pub phosphorus: f64 = 0.5, "P_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Potassium that it takes.
        pub potassium: f64 = 0.5, "K_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Carbon that it takes.
        pub carbon: f64 = 0.5, "C_grow_consumption#g.mm-1", [0.0, 1e3];
        /// Water that it takes.
        pub water: f64 = 0.5, "Water_grow_consumption#mL.mm-1", [0.0, 1e6];
    }
}

farm_core::parameters! {
    /// One kind of weed.
    pub struct Weeds {
        /// Days between two changes of a plot's weeds, on average.
        pub time_to_grow: f64 = 15.0, "time_to_grow#day", [1.0, 1e4];
        /// Which equations are played where the sheet lists two.
        pub equations: Equations = Equations::Corrected;
        /// What happens on a day on which the weeds of a plot change; as `equations` says if nothing is said.
        pub ticks: Option<Ticks> = None;
        /// Most seeds that blow into a plot in one such day.
        pub max_new_seeds: u32 = 3, "max_new_seeds#nb", [0, 1000];
        /// Flowers that a weed has when it flowers; it grows no more.
        pub flowers_per_plant: u32 = 3, "flowers_per_plant#nb", [0, 1000];
        /// Share of the flowers that shed their seeds in one such day.
        pub flower_to_seed: f64 = 0.9, "flower_to_seed#prop", [0.0, 1.0];
        /// Seeds of a flower.
        pub seed_per_flower: u32 = 3, "seed_per_flower#nb", [0, 1000];
        /// Height of a weed, and diameter of the ground that it shades.
        pub size: f64 = 16.0, "size#cm", [0.0, 1000.0];
        /// Most seeds, most weeds and most flowers of a plot; more find no room.
        pub plot_capacity: u32 = 1000, "plot_capacity#nb", [1, 50_000];
        /// How much weeds repel pests; below 0 they attract them.
        pub pest_repulsion: f64 = -0.5, "pest_repulsive_effect", [-20.0, 100.0];
        /// Base of the chance to flower; 0 is perfect.
        pub flowers_base: f64 = 0.1, "sensitivity_flowers_0", [0.0, 100.0];
        /// Whether weeds in flower take water and nutrients as well.
        pub flowers_take: bool = false;
        /// How the missing part of a stock counts; as `equations` says if nothing is said.
        pub stock_distance: Option<StockDistance> = None;
        /// When seeds blow in.
        pub appear: Appear = Appear::default(), "appear_conditions";
        /// When seeds sprout.
        pub grow: Sprouting = Sprouting::default(), "grow_conditions";
        /// When weeds die.
        pub death: Survival = Survival::default(), "death_conditions";
        /// What weeds take from the soil.
        pub needs: Needs = Needs::default();
    }
}

farm_core::register!(
    Entity,
    Weeds,
    "Weeds that blow in, grow, flower and spread, per plot.",
    "Farm-gym paper 4.5; equation sheet II.7",
    include_str!("weeds.yaml")
);

/// Growth of a weed in a day: the implicit one millimetre of the public reference.
const GROWTH_MM_PER_DAY: f64 = 1.0;
/// Where sums over an episode saturate.
const MOST_EVER: i32 = 2_000_000_000;

const TICK: Purpose = Purpose::named("whether weeds change");
const SHED: Purpose = Purpose::named("seeds of weeds");
const LIVE: Purpose = Purpose::named("life of weeds");

/// In pictures: from how many weeds on a plot has many, and the number with the lightest colour.
const MANY_WEEDS: f64 = 4.0;
const LIGHTEST_WEEDS: f64 = 20.0;

/// The weeds of a plot, and those in flower.
fn pictures() -> [Picture; 2] {
    let weeds = Picture::on_plots("Weeds", 20)
        .from("grow#nb", MANY_WEEDS, "many", include_str!("sprites/weeds_many.svg"))
        .from("grow#nb", 1.0, "few", include_str!("sprites/weeds_few.svg"))
        .heat("grow#nb", 0.0, LIGHTEST_WEEDS);
    let flowers =
        Picture::on_plots("Weeds", 21).from("flowers#nb", 1.0, "in flower", include_str!("sprites/weeds_flowers.svg"));
    [weeds, flowers]
}

#[farm_core::typetag::serde]
impl Entity for Weeds {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        const MANY: f64 = 1e9;
        let most = self.plot_capacity as i32;
        let number = |name: &str, high: i32, doc: &str| count(name, 0, high, doc).per_plot();
        let hidden =
            |name: &str, unit: &str, doc: &str| real(&format!("{name}#{unit}"), 0.0, MANY, doc).per_plot().hidden();
        let columns = Columns {
            grow: b.declare(number("grow#nb", most, "Weeds without flowers.")),
            seeds: b.declare(number("seeds#nb", most, "Seeds of weeds.")),
            flowers: b.declare(number("flowers#nb", most, "Flowers of weeds.")),
            total: b.declare(
                count(
                    "total_cumulated_plot_population#nb",
                    0,
                    MOST_EVER,
                    "Weeds that have sprouted in this episode, in all plots.",
                )
                .role(WEEDS_SPROUTED),
            ),
            hosts: b.declare(
                number("hosts#nb", 2 * most, "Weeds and flowers on which pests can sit.").hidden().role(HOST_NUMBER),
            ),
            pests: b.declare(
                number("pests#nb", 100_000, "Animals that eat the weeds; they count themselves here.")
                    .hidden()
                    .role(PESTS_ON_HOST),
            ),
            asked: Column::joined(&std::array::from_fn::<_, 4, _>(|x| {
                let doc = format!("{} that the weeds ask for today.", NUTRIENTS[x]);
                b.declare(hidden(&format!("asked_{}", NUTRIENTS[x]), "g.day-1", &doc).role(DEMAND[x]))
            })),
            asked_water: b
                .declare(hidden("asked_Water", "L.day-1", "Water that the weeds ask for today.").role(WATER_DEMAND)),
            shade: b.declare(hidden("shade", "m2", "Ground that the weeds shade.").role(SHADE)),
        };
        pictures().into_iter().for_each(|picture| b.picture(picture));
        let repulsion = real("pest_repulsion", -20.0, 100.0, "How much the weeds repel pests.").hidden();
        b.declare(repulsion.default(self.pest_repulsion).role(HOST_REPULSION));
        b.action("remove", vec![ActionParameter::plot()], "Pulls out the weeds of a plot; their seeds stay.");
        b.runs_in(Phase::Demand);
        b.runs_in(Phase::Spread);
        let paper = self.equations == Equations::Paper;
        let printed = if paper { StockDistance::Absolute } else { StockDistance::Relative };
        Box::new(Life {
            ticks: self.ticks.unwrap_or(if paper { Ticks::One } else { Ticks::All }),
            stock_distance: self.stock_distance.unwrap_or(printed),
            p: self.clone(),
            key: b.stream_key(),
            length: b.field().length,
            width: b.field().width,
            most,
            needs: [self.needs.nitrogen, self.needs.phosphorus, self.needs.potassium, self.needs.carbon],
            c: columns,
            i: Inputs {
                temperature: b.one(AIR_TEMPERATURE_MEAN),
                humidity: b.one(RELATIVE_HUMIDITY),
                herbicide: b.maybe(CIDE_ON_WEEDS),
                supply: SUPPLY.map(|role| b.one(role)),
                supply_water: b.one(SUPPLY_WATER),
                wilting: b.one(WILTING_WATER),
                capacity: b.one(WATER_CAPACITY),
            },
        })
    }
}

/// The columns of the weeds; `asked` holds N, P, K and C of all plots one behind the other.
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

struct Life {
    ticks: Ticks,
    stock_distance: StockDistance,
    p: Weeds,
    key: u64,
    length: usize,
    width: usize,
    most: i32,
    needs: [f64; 4],
    c: Columns,
    i: Inputs,
}

/// What happens to the weeds of a plot in a day on which they change.
#[derive(Clone, Copy)]
struct Change {
    shed: bool,
    sprout: bool,
    flower: bool,
}

impl Behaviour for Life {
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let plot = arguments.plot(0);
        c.get(self.c.grow)[plot].set(0);
        c.get(self.c.flowers)[plot].set(0);
    }

    fn has_effect(&self, _: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let plot = arguments.plot(0);
        reader.get(self.c.grow)[plot] > 0 || reader.get(self.c.flowers)[plot] > 0
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        let plots = 0..self.c.grow.len();
        if phase == Phase::Demand {
            plots.for_each(|plot| self.ask(plot, c));
            return;
        }
        // First all seeds fly, then each plot lives by itself: no plot is ahead of another.
        for plot in plots.clone() {
            if let Some(change) = self.change(plot, c) {
                self.seed(plot, change, c);
            }
        }
        for plot in plots {
            if let Some(change) = self.change(plot, c) {
                self.live(plot, change, c);
            }
        }
    }
}

impl Life {
    /// What happens at a plot today; drawn from a stream of its own, so that asking twice gives the same answer.
    #[inline]
    fn change(&self, plot: usize, c: &Context<'_>) -> Option<Change> {
        let mut stream = c.stream(self.key, TICK.at(plot));
        if !stream.bernoulli(1.0 / self.p.time_to_grow) {
            return None;
        }
        let chosen = match self.ticks {
            Ticks::All => None,
            Ticks::One => Some(stream.index(3)),
        };
        let happens = |which| chosen.is_none_or(|chosen| chosen == which);
        Some(Change { shed: happens(0), sprout: happens(1), flower: happens(2) })
    }

    /// What the weeds of a plot ask of the soil, and what others see of them.
    fn ask(&self, plot: usize, c: &Context<'_>) {
        c.get(self.c.pests)[plot].set(0);
        let standing = self.publish_hosts(plot, c);
        let taking = if self.p.flowers_take { standing } else { f64::from(c.get(self.c.grow)[plot].get()) };
        let asked = c.get(self.c.asked)[plot..].iter().step_by(self.c.grow.len());
        for (asked, per_mm) in asked.zip(self.needs) {
            asked.set(requirement(taking, per_mm));
        }
        c.get(self.c.asked_water)[plot].set(requirement(taking, self.p.needs.water) / 1000.0);
        c.get(self.c.shade)[plot].set(shade(standing, self.p.size));
    }

    /// Writes and returns the number of weeds and flowers of a plot.
    #[inline]
    fn publish_hosts(&self, plot: usize, c: &Context<'_>) -> f64 {
        let hosts = c.get(self.c.grow)[plot].get() + c.get(self.c.flowers)[plot].get();
        c.get(self.c.hosts)[plot].set(hosts);
        f64::from(hosts)
    }

    /// Seeds blow in (Farm-gym Eq. 26), and flowers shed theirs over the plot and its neighbours (II.7 steps 1, 2).
    fn seed(&self, plot: usize, change: Change, c: &Context<'_>) {
        let mut stream = c.stream(self.key, SHED.at(plot));
        let (x, y) = (plot / self.width, plot % self.width);
        let edge = distance_to_edge(x, y, self.length, self.width);
        let arrived = stream.binomial(self.p.max_new_seeds, arrival_chance(&self.p.appear, edge));
        let seeds = c.get(self.c.seeds);
        self.add(&seeds[plot], arrived);
        if change.shed {
            let shed = move_some(&c.get(self.c.flowers)[plot], self.p.flower_to_seed, i32::MAX, &mut stream);
            let around = Around::of(x, y, self.length, self.width);
            stream.multinomial(shed * self.p.seed_per_flower, std::iter::repeat_n(1.0, around.len()), |k, landed| {
                self.add(&seeds[around.plot(k, self.width)], landed);
            });
        }
    }

    /// Seeds sprout, weeds flower, weeds die (Farm-gym Eqs. 27–29; II.7 steps 3–5).
    fn live(&self, plot: usize, change: Change, c: &Context<'_>) {
        let mut stream = c.stream(self.key, LIVE.at(plot));
        let (grow, flowers) = (&c.get(self.c.grow)[plot], &c.get(self.c.flowers)[plot]);
        let (temperature, herbicide) = (c.value(self.i.temperature), self.herbicide(plot, c));
        if change.sprout {
            let chance = sprouting_chance(&self.p.grow, temperature, c.value(self.i.humidity), herbicide);
            let room = self.most - grow.get();
            let sprouts = move_some(&c.get(self.c.seeds)[plot], chance, room, &mut stream);
            self.add(grow, sprouts);
            let total = &c.get(self.c.total)[0];
            total.set(total.get().saturating_add(sprouts as i32).min(MOST_EVER));
        }
        if change.flower {
            let chance = flowering_chance(self.p.flowers_base, &self.p.grow, herbicide);
            let flowering = move_some(grow, chance, i32::MAX, &mut stream);
            self.add(flowers, flowering * self.p.flowers_per_plant);
        }
        let (missing, dry) = self.missing(plot, c);
        let chance = survival_chance(&self.p.death, temperature, herbicide, missing, dry);
        grow.set(stream.binomial(grow.get().max(0) as u32, chance) as i32);
        self.publish_hosts(plot, c);
    }

    /// Adds to a number of a plot, as far as there is room.
    #[inline]
    fn add(&self, cell: &Cell<i32>, more: u32) {
        cell.set(cell.get().saturating_add_unsigned(more).min(self.most));
    }

    #[inline]
    fn herbicide(&self, plot: usize, c: &Context<'_>) -> f64 {
        self.i.herbicide.map_or(0.0, |column| c.get(column)[plot].get())
    }

    /// Distances of nutrients and water from what the weeds of a plot needed this morning (II.6.4).
    fn missing(&self, plot: usize, c: &Context<'_>) -> ([f64; 4], f64) {
        let plots = self.c.grow.len();
        let asked = c.get(self.c.asked);
        let required = |x: usize| asked[x * plots + plot].get();
        let supply = |x: usize| c.get(self.i.supply[x])[plot].get();
        let (water, wilting) = (c.get(self.i.supply_water)[plot].get(), c.value(self.i.wilting));
        // Eq. 5: the water that they want, between the wilting point and the capacity.
        let wanted = wanted_water(wilting, c.value(self.i.capacity), self.p.death.drought);
        match self.stock_distance {
            StockDistance::Relative => {
                let nutrients = std::array::from_fn(|x| shortage(supply(x), required(x)));
                // What lies below the wilting point helps nobody, so the share is of what lies above.
                (nutrients, shortage((water - wilting).max(0.0), wanted - wilting))
            }
            StockDistance::Absolute => {
                let nutrients = std::array::from_fn(|x| distance(supply(x), required(x), f64::INFINITY));
                (nutrients, distance(water, wanted, f64::INFINITY))
            }
        }
    }
}

/// Takes some out of a number, each with the same chance, but no more than there is room for elsewhere; returns how many.
#[inline]
fn move_some(cell: &Cell<i32>, chance: f64, room: i32, stream: &mut Stream) -> u32 {
    let moved = stream.binomial(cell.get().max(0) as u32, chance).min(room.max(0) as u32);
    cell.set(cell.get() - moved as i32);
    moved
}

/// A plot and its up to eight neighbours within the field.
#[derive(Debug, Clone, Copy)]
struct Around {
    first: (usize, usize),
    columns: usize,
    rows: usize,
}

impl Around {
    #[inline]
    fn of(x: usize, y: usize, length: usize, width: usize) -> Self {
        let first = (x.saturating_sub(1), y.saturating_sub(1));
        let last = ((x + 1).min(length - 1), (y + 1).min(width - 1));
        Self { first, columns: last.0 - first.0 + 1, rows: last.1 - first.1 + 1 }
    }

    #[inline]
    fn len(self) -> usize {
        self.columns * self.rows
    }

    /// The flat index of the k-th of them.
    #[inline]
    fn plot(self, k: usize, width: usize) -> usize {
        (self.first.0 + k / self.rows) * width + self.first.1 + k % self.rows
    }
}

/// What weeds ask of the soil in a day (equation sheet II.7 demand), in the unit of the need.
///
/// R = n · c · 1 mm
pub fn requirement(weeds: f64, per_mm: f64) -> f64 {
    weeds * per_mm * GROWTH_MM_PER_DAY
}

/// Ground that weeds shade: discs of their height as diameter \[m²\] (equation sheet II.7 shade).
///
/// n · π (h/200)²
pub fn shade(weeds: f64, size_cm: f64) -> f64 {
    weeds * PI * (size_cm / 200.0) * (size_cm / 200.0)
}

/// Water that weeds want \[L\] (Farm-gym Eq. 5).
///
/// w = (1 − dr) wp + dr cap
pub fn wanted_water(wilting: f64, capacity: f64, drought: f64) -> f64 {
    (1.0 - drought) * wilting + drought * capacity
}

/// Chance of each new seed to blow into a plot (Farm-gym Eq. 26).
pub fn arrival_chance(p: &Appear, distance_to_edge: usize) -> f64 {
    response(p.base, &[(p.edge, distance_to_edge as f64)])
}

/// Chance of a seed to sprout (Farm-gym Eq. 27).
pub fn sprouting_chance(p: &Sprouting, temperature: f64, humidity: f64, herbicide: f64) -> f64 {
    let terms = [
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.humidity_weight, distance(humidity, p.humidity[0], p.humidity[1])),
        (p.herbicide, distance(herbicide, f64::NEG_INFINITY, p.herbicide_max)),
    ];
    response(p.base, &terms)
}

/// Chance of a weed to flower (Farm-gym Eq. 28; its herbicide threshold is that of sprouting, as in the reference).
pub fn flowering_chance(base: f64, p: &Sprouting, herbicide: f64) -> f64 {
    response(base, &[(p.herbicide, distance(herbicide, f64::NEG_INFINITY, p.herbicide_max))])
}

/// Chance of a weed to survive a day of change (Farm-gym Eq. 29), from the missing N, P, K, C and the missing water.
pub fn survival_chance(p: &Survival, temperature: f64, herbicide: f64, missing: [f64; 4], dry: f64) -> f64 {
    let terms = [
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.herbicide, distance(herbicide, f64::NEG_INFINITY, p.herbicide_max)),
        (p.nitrogen, missing[0]),
        (p.phosphorus, missing[1]),
        (p.potassium, missing[2]),
        (p.carbon, missing[3]),
        (p.water, dry),
    ];
    response(p.base, &terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farm_core::math::exp;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn equation_26_seeds_blow_in_from_the_edge() {
        let p = Appear::default();
        close(arrival_chance(&p, 0), exp(-0.2));
        close(arrival_chance(&p, 2), exp(-0.2 - 0.3 * 2.0));
        assert_eq!(arrival_chance(&Appear { base: 0.0, edge: 0.0 }, 9), 1.0);
    }

    #[test]
    fn equation_27_sprouting_needs_warmth_moisture_and_no_herbicide() {
        let p = Sprouting::default();
        for (t, rh, herbicide, penalty) in [
            (20.0, 60.0, 0.0, 0.1),
            (7.0, 20.0, 3.0, 0.1),
            (5.0, 60.0, 0.0, 0.1 + 0.3 * 2.0),
            (40.0, 60.0, 0.0, 0.1 + 0.3 * 2.0),
            (20.0, 10.0, 0.0, 0.1 + 0.2 * 10.0),
            (20.0, 60.0, 5.0, 0.1 + 0.8 * 2.0),
            (5.0, 10.0, 5.0, 0.1 + 0.6 + 2.0 + 1.6),
        ] {
            close(sprouting_chance(&p, t, rh, herbicide), exp(-penalty));
        }
    }

    #[test]
    fn equation_28_flowering_has_the_herbicide_threshold_of_sprouting() {
        let p = Sprouting::default();
        close(flowering_chance(0.1, &p, 3.0), exp(-0.1));
        close(flowering_chance(0.1, &p, 4.5), exp(-0.1 - 0.8 * 1.5));
    }

    #[test]
    fn equation_29_survival_feels_each_missing_stock_by_its_own_weight() {
        let p =
            Survival { nitrogen: 1.0, phosphorus: 2.0, potassium: 3.0, carbon: 4.0, water: 5.0, ..Survival::default() };
        close(survival_chance(&p, 20.0, 10.0, [0.0; 4], 0.0), exp(-0.01));
        for x in 0..4 {
            let mut missing = [0.0; 4];
            missing[x] = 0.5;
            close(survival_chance(&p, 20.0, 0.0, missing, 0.0), exp(-0.01 - 0.5 * (x as f64 + 1.0)));
        }
        close(survival_chance(&p, 20.0, 0.0, [0.0; 4], 0.5), exp(-0.01 - 2.5));
        close(survival_chance(&p, -8.0, 0.0, [0.0; 4], 0.0), exp(-0.01 - 0.3));
        close(survival_chance(&p, 20.0, 11.5, [0.0; 4], 0.0), exp(-0.01 - 3.0));
    }

    #[test]
    fn equation_5_water_wanted_lies_between_wilting_point_and_capacity() {
        assert_eq!([0.0, 0.25, 1.0].map(|drought| wanted_water(110.0, 180.0, drought)), [110.0, 127.5, 180.0]);
    }

    #[test]
    fn a_day_costs_a_millimetre_of_growth() {
        assert_eq!(requirement(4.0, 0.5), 2.0);
        close(shade(3.0, 200.0), 3.0 * PI);
        close(shade(1.0, 16.0), PI * 0.08 * 0.08);
    }

    #[test]
    fn seeds_fly_to_the_plot_and_its_neighbours_within_the_field() {
        let around = |x, y, length, width| {
            let around = Around::of(x, y, length, width);
            (0..around.len()).map(|k| around.plot(k, width)).collect::<Vec<_>>()
        };
        assert_eq!(around(1, 1, 3, 3), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(around(0, 0, 3, 3), [0, 1, 3, 4]);
        assert_eq!(around(3, 2, 4, 3), [7, 8, 10, 11]);
        assert_eq!(around(1, 3, 4, 5), [2, 3, 4, 7, 8, 9, 12, 13, 14]);
        assert_eq!(around(0, 0, 1, 1), [0]);
        assert_eq!(around(1, 0, 3, 1), [0, 1, 2]);
    }
}
