//! Pests: they arrive from the edge, live on each plot, wander with the wind and sit on plants and weeds.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | temperature of the day | `air_temperature_mean` | °C |
//! | wind, where there is any | `wind_speed`, `wind_direction` | km.h-1, ° |
//! | pesticide and birds, where there are any | `cide_on_pests`, `pest_eaters` | g, nb |
//! | every host in the field | `host_number`, `host_repulsion` | nb |
//!
//! | writes | unit |
//! |---|---|
//! | pests of each plot, and of each plot on each host | nb |
//! | the count of every host (role `pests_on_host`) | nb |
//! | pests that came in this episode (role `pests_come`) | nb |
//!
//! Source: Farm-gym paper 4.6 as corrected by equation sheet II.8. Deviations from the paper: those who arrive are a whole
//! number from the least to the most; the favourable distance from the edge is one that the field has; all plots move at
//! once, to the four neighbours, so that nobody crosses the field in a day or gets lost; the wind blows downwind; a host
//! attracts in proportion to its number.

use std::cell::Cell;

use farm_core::declare::Picture;
use farm_core::declare::{count, real};
use farm_core::math::exp;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Purpose};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CIDE_ON_PESTS, HOST_NUMBER, HOST_REPULSION, PEST_EATERS, PESTS_COME, PESTS_ON_HOST,
    WIND_DIRECTION, WIND_SPEED,
};

use super::response::{distance, distance_to_edge, response};
use crate::agronomy::check_bounds;

/// When pests that reach the field come into a plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Appear {
    /// Base of the chance; 0 is perfect.
    #[parameter(name = "sensitivity_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// How much each plot of distance from the edge lowers it.
    #[parameter(name = "sensitivity_dist_edge", default = 0.5, range = 0.0..=1e6)]
    pub edge: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [12.0, 35.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree lowers it.
    #[parameter(name = "sensitivity_air_temperature", default = 1.5, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Pesticide in the plot that they do not mind.
    #[parameter(unit = "g", range = 0.0..=1e6)]
    pub pesticide_max: f64,
    /// How much each further gram lowers it.
    #[parameter(name = "sensitivity_pesticide", default = 5.0, range = 0.0..=1e6)]
    pub pesticide: f64,
}

/// When pests leave the field or die.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Leave {
    /// Base of the chance to stay; 0 is perfect.
    #[parameter(name = "sensitivity_0", default = 0.01, range = 0.0..=100.0)]
    pub base: f64,
    /// How much each plot nearer to the edge than the middle of the field lowers it.
    #[parameter(name = "sensitivity_dist_edge", default = 0.05, range = 0.0..=1e6)]
    pub edge: f64,
    /// Favourable air temperatures.
    #[parameter(name = "air_temperature#°C", default = [10.0, 35.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// How much each further degree lowers it.
    #[parameter(name = "sensitivity_air_temperature", default = 0.2, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Pesticide in the plot that they do not mind.
    #[parameter(unit = "g", range = 0.0..=1e6)]
    pub pesticide_max: f64,
    /// How much each further gram lowers it.
    #[parameter(name = "sensitivity_pesticide", default = 5.0, range = 0.0..=1e6)]
    pub pesticide: f64,
    /// Birds that they do not mind.
    #[parameter(name = "death_birds_max#nb", default = 1.0, range = 0.0..=1e6)]
    pub birds_max: f64,
    /// How much each further bird lowers it.
    #[parameter(name = "sensitivity_death_birds", default = 3.0, range = 0.0..=1e6)]
    pub birds: f64,
}

/// Pests that arrive, wander with the wind and sit on plants and weeds.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Pests {
    /// Fewest pests that reach the field when some do.
    #[parameter(unit = "nb", range = 0..=10_000)]
    pub min_population: u32,
    /// Most pests that reach the field when some do.
    #[parameter(unit = "nb", default = 5, range = 0..=10_000)]
    pub max_population: u32,
    /// Chance in a day that pests reach the field; from 1 on they do every day.
    #[parameter(unit = "day-1", default = 0.1, range = 0.0..=1000.0)]
    pub arrival_frequency: f64,
    /// Most pests that stay in a plot or come to it from outside; wandering may bring more for a day.
    #[parameter(unit = "nb", range = 0..=20_000)]
    pub plot_capacity: Option<u32>,
    /// When pests that reach the field come into a plot.
    #[parameter(name = "appear_conditions")]
    pub appear: Appear,
    /// When pests leave the field or die.
    #[parameter(name = "leave_conditions")]
    pub leave: Leave,
}

/// Where the number of a plot saturates before pests wander; five such plots can meet in one.
const MAX_STAYING: u32 = 20_000;
/// Where the number of a plot or of a host saturates.
const MOST: i32 = 5 * MAX_STAYING as i32;
/// Where the attraction of one individual saturates: a repulsion of -20.
const MAX_ATTRACTION: f64 = 5e8;
/// Where sums over an episode saturate.
const MAX_EVER: i32 = 2_000_000_000;

const REACH: Purpose = Purpose::named("pests that reach the field");
const STAY: Purpose = Purpose::named("pests that stay");
const WANDER: Purpose = Purpose::named("pests that wander");
const SIT: Purpose = Purpose::named("pests that sit down");

/// In pictures: from how many pests on a plot has many, and the number with the lightest colour.
const MANY_PESTS: f64 = 4.0;
const LIGHTEST_PESTS: f64 = 10.0;

#[farm_core::register(source = "Farm-gym paper 4.6; equation sheet II.8", sets = include_str!("pests.yaml"))]
impl Entity for Pests {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let message = "the fewest pests are more than the most";
        check_bounds(b, "min_population#nb", self.min_population, self.max_population, message);
        let number = |name: &str, doc: &str| count(name, 0, MOST, doc).per_plot();
        let population = b.declare(number("plot_population#nb", "Pests in the plot."));
        let total = count("total_cumulated_plot_population#nb", 0, MAX_EVER, "Pests that came in this episode.");
        let total = b.declare(total.role(PESTS_COME));
        let arriving = number("arriving#nb", "Pests that wander into the plot, until all have moved.").hidden();
        let arriving = b.declare(arriving);
        b.picture(
            Picture::on_plots("Pests", 40)
                .from("plot_population#nb", MANY_PESTS, "many", include_str!("sprites/pests_many.svg"))
                .from("plot_population#nb", 1.0, "few", include_str!("sprites/pests_few.svg"))
                .heat("plot_population#nb", 0.0, LIGHTEST_PESTS),
        );
        let numbers = b.all_named(HOST_NUMBER);
        let (repulsions, sitting) = (b.all_named(HOST_REPULSION), b.all_named(PESTS_ON_HOST));
        b.writes(PESTS_ON_HOST);
        let on_plant: Vec<_> = numbers
            .iter()
            .map(|(host, _)| {
                let name = format!("onplant_population#nb.{host}");
                b.declare(number(&name, &format!("Pests in the plot that sit on {host}.")))
            })
            .collect();
        let attraction = real("attraction", 0.0, MAX_ATTRACTION, "Attraction of one individual of each host today.");
        let attraction = b.declare(attraction.shape(&[numbers.len()]).hidden());
        let hosts = numbers.iter().zip(on_plant).map(|((name, number), on_plant)| Host {
            number: *number,
            repulsion: of_part(&repulsions, name),
            sitting: of_part(&sitting, name),
            on_plant,
        });
        b.runs_in(Phase::Visit);
        let staying = self.plot_capacity.unwrap_or(MAX_STAYING).min(MAX_STAYING);
        Box::new(Swarm {
            key: b.stream_key(),
            length: b.field().length(),
            width: b.field().width(),
            most_staying: staying as i32,
            p: self.clone(),
            population,
            total,
            arriving,
            attraction,
            hosts: hosts.collect(),
            temperature: b.one(AIR_TEMPERATURE_MEAN),
            wind: b.maybe(WIND_SPEED).zip(b.maybe(WIND_DIRECTION)),
            pesticide: b.maybe(CIDE_ON_PESTS),
            birds: b.all(PEST_EATERS),
        })
    }
}

/// The column of a part in a list by parts.
fn of_part<T>(columns: &[(String, Column<T>)], part: &str) -> Option<Column<T>> {
    columns.iter().find(|(name, _)| name == part).map(|(_, column)| *column)
}

/// Where pests can sit.
struct Host {
    number: Column<i32>,
    repulsion: Option<Column<f64>>,
    /// The host's own count of all pests on it.
    sitting: Option<Column<i32>>,
    /// The count of these pests on it.
    on_plant: Column<i32>,
}

struct Swarm {
    p: Pests,
    key: u64,
    length: usize,
    width: usize,
    most_staying: i32,
    population: Column<i32>,
    total: Column<i32>,
    arriving: Column<i32>,
    attraction: Column<f64>,
    hosts: Vec<Host>,
    temperature: Column<f64>,
    wind: Option<(Column<f64>, Column<f64>)>,
    pesticide: Option<Column<f64>>,
    birds: Vec<Column<i32>>,
}

impl Behaviour for Swarm {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let reached = self.reach(c);
        let birds: i32 = self.birds.iter().map(|column| c.value(*column)).sum();
        let wind = self.wind.map_or((0.0, NORTH), |(speed, from)| (c.value(speed), downwind(c.value(from))));
        self.attract(c);
        for plot in 0..self.population.len() {
            self.stay(plot, reached, f64::from(birds), c);
        }
        for plot in 0..self.population.len() {
            self.wander(plot, wind, c);
        }
        for plot in 0..self.population.len() {
            self.settle_down(plot, c);
        }
    }
}

impl Swarm {
    /// Pests that reach the field today (Farm-gym Eq. 30; II.8 step 1).
    fn reach(&self, c: &Context<'_>) -> u32 {
        let mut stream = c.stream(self.key, REACH);
        if !stream.bernoulli(self.p.arrival_frequency) {
            return 0;
        }
        stream.integer_in(self.p.min_population as i32, self.p.max_population as i32) as u32
    }

    /// What one individual of each host weighs today.
    fn attract(&self, c: &Context<'_>) {
        for (host, attraction) in self.hosts.iter().zip(c.get(self.attraction)) {
            attraction.set(host.repulsion.map_or(1.0, |repulsion| exp(-c.value(repulsion)).min(MAX_ATTRACTION)));
        }
    }

    /// Some stay, some come from outside (Farm-gym Eqs. 31–33; II.8 steps 2, 3).
    #[inline]
    fn stay(&self, plot: usize, reached: u32, birds: f64, c: &Context<'_>) {
        let population = &c.get(self.population)[plot];
        let before = population.get().max(0) as u32;
        if before == 0 && reached == 0 {
            return;
        }
        let mut stream = c.stream(self.key, STAY.at(plot));
        let edge = distance_to_edge(plot / self.width, plot % self.width, self.length, self.width);
        let temperature = c.value(self.temperature);
        let pesticide = self.pesticide.map_or(0.0, |column| c.get(column)[plot].get());
        let middle = middle_distance(self.length, self.width);
        let staying =
            stream.binomial(before, staying_chance(&self.p.leave, edge, middle, temperature, pesticide, birds));
        let coming = stream.binomial(reached, arrival_chance(&self.p.appear, edge, temperature, pesticide));
        population.set(((staying + coming) as i32).min(self.most_staying));
        add(&c.get(self.total)[0], coming, MAX_EVER);
    }

    /// Pests wander to the four neighbours within the field, or stay; all plots at once (II.8 step 4).
    #[inline]
    fn wander(&self, plot: usize, (speed, downwind): (f64, usize), c: &Context<'_>) {
        let wandering = c.get(self.population)[plot].replace(0).max(0) as u32;
        if wandering == 0 {
            return;
        }
        let mut stream = c.stream(self.key, WANDER.at(plot));
        let (x, y) = (plot / self.width, plot % self.width);
        let mut targets = [plot; 5];
        let mut weights = [0.0; 5];
        // 1 − u lies in (0, 1]: some weight is always positive, so nobody gets lost.
        weights[STAYING] = 1.0 - stream.uniform();
        for direction in NORTH..STAYING {
            if let Some(adjacent) = adjacent(x, y, direction, self.length, self.width) {
                targets[direction] = adjacent;
                let push = if direction == downwind { speed / KMH_PER_WEIGHT } else { 0.0 };
                weights[direction] = 1.0 - stream.uniform() + push;
            }
        }
        let arriving = c.get(self.arriving);
        stream.multinomial(wandering, weights.iter().copied(), |direction, moved| {
            add(&arriving[targets[direction]], moved, MOST);
        });
    }

    /// Those who wandered in are the plot's pests now, and sit down on its hosts (II.8 step 5).
    #[inline]
    fn settle_down(&self, plot: usize, c: &Context<'_>) {
        let here = c.get(self.arriving)[plot].replace(0);
        c.get(self.population)[plot].set(here);
        for host in &self.hosts {
            c.get(host.on_plant)[plot].set(0);
        }
        if here <= 0 || self.hosts.is_empty() {
            return;
        }
        let mut stream = c.stream(self.key, SIT.at(plot));
        let weights = self
            .hosts
            .iter()
            .zip(c.get(self.attraction))
            .map(|(host, attraction)| attraction.get() * f64::from(c.get(host.number)[plot].get()));
        stream.multinomial(here as u32, weights, |k, sitting| {
            let host = &self.hosts[k];
            c.get(host.on_plant)[plot].set(sitting as i32);
            if let Some(all) = host.sitting {
                add(&c.get(all)[plot], sitting, MOST);
            }
        });
    }
}

/// Adds to a number, up to the most.
#[inline]
fn add(cell: &Cell<i32>, more: u32, most: i32) {
    cell.set(cell.get().saturating_add_unsigned(more).min(most));
}

/// Speed of the wind that weighs as much as a perfectly attractive plot.
const KMH_PER_WEIGHT: f64 = 10.0;

// Directions clockwise as on a map; `STAYING` follows them.
const NORTH: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const STAYING: usize = 4;

/// The flat index of the neighbour in a direction, within the field: y grows to the south, x to the east.
#[inline]
fn adjacent(x: usize, y: usize, direction: usize, length: usize, width: usize) -> Option<usize> {
    let (x, y) = match direction {
        NORTH => (x, y.checked_sub(1)?),
        EAST => (x + 1, y),
        SOUTH => (x, y + 1),
        _ => (x.checked_sub(1)?, y),
    };
    (x < length && y < width).then_some(x * width + y)
}

/// The direction that the wind blows to, the nearest of four, from the degrees that it comes from (0 north, 90 east).
#[inline]
fn downwind(from_degrees: f64) -> usize {
    ((from_degrees + 180.0 + 45.0).rem_euclid(360.0) / 90.0) as usize % 4
}

/// Distance from the edge of the plots in the middle of a field, the largest that there is (equation sheet II.8 step 2).
///
/// ⌊(min(X, Y) − 1) / 2⌋; without rounding down, the middle of an even field would still count as too near to the edge.
pub fn middle_distance(length: usize, width: usize) -> usize {
    (length.min(width) - 1) / 2
}

/// Chance of each pest that reaches the field to come into a plot (Farm-gym Eq. 32).
pub fn arrival_chance(p: &Appear, edge: usize, temperature: f64, pesticide: f64) -> f64 {
    let terms = [
        (p.edge, edge as f64),
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.pesticide, distance(pesticide, f64::NEG_INFINITY, p.pesticide_max)),
    ];
    response(p.base, &terms)
}

/// Chance of a pest to stay alive and in the field (Farm-gym Eq. 33).
pub fn staying_chance(p: &Leave, edge: usize, middle: usize, temperature: f64, pesticide: f64, birds: f64) -> f64 {
    let terms = [
        (p.edge, distance(edge as f64, middle as f64, f64::INFINITY)),
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.pesticide, distance(pesticide, f64::NEG_INFINITY, p.pesticide_max)),
        (p.birds, distance(birds, 0.0, p.birds_max)),
    ];
    response(p.base, &terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEST: usize = 3;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn equation_32_pests_come_from_the_edge_in_warmth_without_pesticide() {
        let p = Appear::default();
        for (edge, t, pesticide, penalty) in [
            (0, 20.0, 0.0, 0.01),
            (2, 20.0, 0.0, 0.01 + 1.0),
            (0, 11.0, 0.0, 0.01 + 1.5),
            (0, 37.0, 0.0, 0.01 + 3.0),
            (0, 20.0, 0.2, 0.01 + 1.0),
        ] {
            close(arrival_chance(&p, edge, t, pesticide), exp(-penalty));
        }
    }

    #[test]
    fn equation_33_pests_leave_from_the_edge_in_cold_pesticide_and_birds() {
        let p = Leave::default();
        for (edge, t, pesticide, birds, penalty) in [
            (2, 20.0, 0.0, 0.0, 0.01),
            (2, 20.0, 0.0, 1.0, 0.01),
            (0, 20.0, 0.0, 0.0, 0.01 + 0.05 * 2.0),
            (2, 5.0, 0.0, 0.0, 0.01 + 0.2 * 5.0),
            (2, 20.0, 0.3, 0.0, 0.01 + 5.0 * 0.3),
            (2, 20.0, 0.0, 2.0, 0.01 + 3.0),
        ] {
            close(staying_chance(&p, edge, 2, t, pesticide, birds), exp(-penalty));
        }
    }

    #[test]
    fn the_middle_of_every_field_is_far_enough_from_the_edge() {
        for (length, width) in [(1, 1), (4, 4), (5, 5), (4, 3), (7, 2), (10, 6)] {
            let all = (0..length).flat_map(|x| (0..width).map(move |y| distance_to_edge(x, y, length, width)));
            assert_eq!(middle_distance(length, width), all.max().unwrap(), "{length} × {width}");
        }
    }

    #[test]
    fn wind_from_the_north_blows_south() {
        for (from, to) in [
            (0.0, SOUTH),
            (360.0, SOUTH),
            (90.0, WEST),
            (180.0, NORTH),
            (270.0, EAST),
            (44.0, SOUTH),
            (46.0, WEST),
            (316.0, SOUTH),
            (314.0, EAST),
        ] {
            assert_eq!(downwind(from), to, "from {from}°");
        }
    }

    #[test]
    fn neighbours_lie_within_the_field() {
        let all = |x, y| [NORTH, EAST, SOUTH, WEST].map(|direction| adjacent(x, y, direction, 4, 3));
        assert_eq!(all(1, 1), [Some(3), Some(7), Some(5), Some(1)]);
        assert_eq!(all(0, 0), [None, Some(3), Some(1), None]);
        assert_eq!(all(3, 2), [Some(10), None, None, Some(8)]);
        assert!([NORTH, EAST, SOUTH, WEST].iter().all(|d| adjacent(0, 0, *d, 1, 1).is_none()));
    }
}
