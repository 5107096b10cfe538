//! Pests: they arrive from the edge, live on each plot, wander with the wind and sit on plants and weeds.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | temperature of the day, only with the paper's equations | `air_temperature_mean` | °C |
//! | wind, where there is any | `wind_speed`, `wind_direction` | km.h-1, ° |
//! | pesticide and birds, where there are any | `cide_on_pests`, `pest_eaters` | g, nb |
//! | predators that know where they eat, where there are any, and all kinds of pests | `pests_eaten`, `pest_population` | nb |
//! | every host in the field | `host_number`, `host_repulsion` | nb |
//! | temperatures of the day, only with `equations: agronomic` | `air_temperature_min`, `air_temperature_max` | °C |
//! | only with `equations: agronomic`: leaves of the hosts, and which of them are weeds | `leaf_area`, `weeds_sprouted` | m², nb |
//!
//! | writes | unit |
//! |---|---|
//! | pests of each plot (role `pest_population`), and of each plot on each host | nb |
//! | where predators say what they eat: how many of these they eat in each plot today | nb |
//! | the count of every host (role `pests_on_host`) | nb |
//! | pests that came in this episode (role `pests_come`) | nb |
//!
//! Source: Farm-gym paper 4.6 as corrected by equation sheet II.8. Deviations from the paper: those who arrive are a whole
//! number from the least to the most; the favourable distance from the edge is one that the field has; all plots move at
//! once, to the four neighbours, so that nobody crosses the field in a day or gets lost; the wind blows downwind; a host
//! attracts in proportion to its number.
//!
//! With `equations: agronomic` they are a population of insects that breeds, starves and is eaten: see `colony.rs`.

mod colony;
mod insect;
mod neighbours;
mod parameters;
mod predation;
mod swarm;

use std::cell::Cell;

use farm_core::declare::{Picture, count, real};
use farm_core::math::exp;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Purpose};
use farm_roles::{HOST_NUMBER, HOST_REPULSION, PEST_POPULATION, PESTS_COME, PESTS_ON_HOST};

use super::{Equations, check_bounds};

pub use insect::Insect;
pub use parameters::{Appear, Leave};
pub use swarm::{arrival_chance, middle_distance, staying_chance};

/// Pests that come to the field, move with the wind, and feed on plants and weeds.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Pests {
    /// Which equations are played; `paper` is as `corrected`.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Fewest pests that reach the field when some do.
    #[parameter(unit = "nb", range = 0..=10_000, idle = "equations: agronomic", instead = "insect")]
    pub min_population: u32,
    /// Most pests that reach the field when some do.
    #[parameter(unit = "nb", default = 5, range = 0..=10_000, idle = "equations: agronomic", instead = "insect")]
    pub max_population: u32,
    /// Chance in a day that pests reach the field; from 1 on they do every day.
    #[parameter(unit = "day-1", default = 0.1, range = 0.0..=1000.0, idle = "equations: agronomic", instead = "insect.arrivals#nb.m-2.day-1")]
    pub arrival_frequency: f64,
    /// Most pests that stay in a plot or come to it from outside; wandering may bring more for a day.
    #[parameter(unit = "nb", range = 0..=20_000, idle = "equations: agronomic", instead = "insect")]
    pub plot_capacity: Option<u32>,
    /// When pests that reach the field come into a plot.
    #[parameter(name = "appear_conditions", idle = "equations: agronomic", instead = "insect")]
    pub appear: Appear,
    /// When pests leave the field or die.
    #[parameter(name = "leave_conditions", idle = "equations: agronomic", instead = "insect")]
    pub leave: Leave,
    /// The insects in the equations `agronomic`, which read nothing else here.
    pub insect: Insect,
}

/// Where sums over an episode saturate.
const MAX_EVER: i32 = 2_000_000_000;
/// Where the attraction of one individual saturates: a repulsion of -20.
const MAX_ATTRACTION: f64 = 5e8;

/// Hosts of most fields, at the most; what more than these weigh is looked up again when it is needed.
const USUAL_HOSTS: usize = 8;

const SIT: Purpose = Purpose::named("pests that sit down");

#[farm_core::register(source = "Farm-gym paper 4.6; equation sheet II.8", sets = include_str!("pests.yaml"))]
impl Entity for Pests {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let message = "the fewest pests are more than the most";
        check_bounds(b, "min_population#nb", self.min_population, self.max_population, message);
        match self.equations {
            Equations::Agronomic => colony::build(&self.insect, b),
            Equations::Corrected | Equations::Paper => swarm::build(self, b),
        }
    }
}

/// In pictures: from how many pests on a plot has a few and many, and the number with the lightest colour.
struct Pictured {
    few: f64,
    many: f64,
    lightest: f64,
}

/// How many pests there are, and where they sit; whatever the equations.
struct Numbers {
    population: Column<i32>,
    total: Column<i32>,
    /// Those who wander into a plot, until all have moved.
    arriving: Column<i32>,
    /// What one individual of each host, or a square metre of its leaves, weighs today.
    attraction: Column<f64>,
    hosts: Vec<Host>,
    /// Whether so many are meant that no single one matters.
    is_population: bool,
}

/// Where pests can sit.
struct Host {
    /// The part that is the host.
    part: String,
    number: Column<i32>,
    repulsion: Option<Column<f64>>,
    /// The host's own count of all pests on it.
    sitting: Option<Column<i32>>,
    /// The count of these pests on it.
    on_plant: Column<i32>,
}

impl Numbers {
    /// Declares the numbers of a field, each up to the most.
    fn declare(b: &mut Builder<'_>, most: i32, is_population: bool, pictured: &Pictured) -> Self {
        let number = |name: &str, doc: &str| count(name, 0, most, doc).per_plot();
        let population = b.declare(number("plot_population#nb", "Number of pests in the plot.").role(PEST_POPULATION));
        let total = count(
            "total_cumulated_plot_population#nb",
            0,
            MAX_EVER,
            "Number of pests that came to the field in this episode.",
        );
        let total = b.declare(total.role(PESTS_COME));
        let arriving = number("arriving#nb", "Number of pests that move into the plot, until all have moved.").hidden();
        let arriving = b.declare(arriving);
        b.picture(
            Picture::on_plots("Pests", 40)
                .from("plot_population#nb", pictured.many, "many", include_str!("../sprites/pests_many.svg"))
                .from("plot_population#nb", pictured.few, "few", include_str!("../sprites/pests_few.svg"))
                .heat("plot_population#nb", 0.0, pictured.lightest),
        );
        let numbers = b.all_named(HOST_NUMBER);
        let (repulsions, sitting) = (b.all_named(HOST_REPULSION), b.all_named(PESTS_ON_HOST));
        b.writes(PESTS_ON_HOST);
        let host = |(part, number): (String, Column<i32>)| Host {
            number,
            repulsion: of_part(&repulsions, &part),
            sitting: of_part(&sitting, &part),
            on_plant: b.declare(
                count(
                    &format!("onplant_population#nb.{part}"),
                    0,
                    most,
                    &format!("Number of pests in the plot that sit on {part}."),
                )
                .per_plot(),
            ),
            part,
        };
        let hosts: Vec<Host> = numbers.into_iter().map(host).collect();
        let attraction =
            real("attraction", 0.0, MAX_ATTRACTION, "Attraction of one individual of each host on this day.");
        let attraction = b.declare(attraction.shape(&[hosts.len()]).hidden());
        Self { population, total, arriving, attraction, hosts, is_population }
    }

    /// What hosts weigh by how much they repel.
    fn attract(&self, c: &Context<'_>) {
        for (host, attraction) in self.hosts.iter().zip(c.get(self.attraction)) {
            attraction.set(host.repulsion.map_or(1.0, |repulsion| exp(-c.value(repulsion)).min(MAX_ATTRACTION)));
        }
    }

    /// Those who wandered in are the plot's pests now, and sit down on its hosts in proportion to their attraction and their size,
    /// which `size` says of a host by its place and itself (II.8 step 5).
    #[inline]
    fn settle_down(
        &self,
        plot: usize,
        key: u64,
        most: i32,
        size: impl Fn(usize, &Host) -> f64 + Clone,
        c: &Context<'_>,
    ) {
        let here = c.get(self.arriving)[plot].replace(0);
        c.get(self.population)[plot].set(here);
        self.hosts.iter().for_each(|host| c.get(host.on_plant)[plot].set(0));
        if here <= 0 {
            return;
        }
        let hosts = self.hosts.iter().enumerate().zip(c.get(self.attraction));
        let weights = hosts.map(|((k, host), attraction)| attraction.get() * size(k, host));
        // What is looked up of each host is looked up once, of as many as there usually are.
        let mut known = [0.0; USUAL_HOSTS];
        let mut attractive = 0;
        for (k, weight) in weights.clone().enumerate() {
            attractive += usize::from(weight > 0.0);
            if let Some(known) = known.get_mut(k) {
                *known = weight;
            }
        }
        if attractive == 0 {
            return;
        }
        let sit = |k: usize, sitting: u32| {
            let host = &self.hosts[k];
            c.get(host.on_plant)[plot].set(sitting as i32);
            if let Some(all) = host.sitting {
                add(&c.get(all)[plot], sitting, most);
            }
        };
        let n = here as u32;
        let only = known.iter().position(|weight| *weight > 0.0).filter(|_| attractive == 1);
        if let Some(only) = only {
            // Nothing is drawn where all go to one host.
            return sit(only, n);
        }
        match (self.is_population, known.get(..self.hosts.len())) {
            (true, Some(known)) => c.plot_streams(key, SIT).at(plot).apportion(n, known.iter().copied(), sit),
            (true, None) => c.plot_streams(key, SIT).at(plot).apportion(n, weights, sit),
            (false, Some(known)) => c.stream(key, SIT.at(plot)).multinomial(n, known.iter().copied(), sit),
            (false, None) => c.stream(key, SIT.at(plot)).multinomial(n, weights, sit),
        }
    }

    fn count_arrivals(&self, more: u32, c: &Context<'_>) {
        add(&c.get(self.total)[0], more, MAX_EVER);
    }
}

/// The column of a part in a list by parts.
fn of_part<T>(columns: &[(String, Column<T>)], part: &str) -> Option<Column<T>> {
    columns.iter().find(|(name, _)| name == part).map(|(_, column)| *column)
}

/// Adds to a number, up to the most.
#[inline]
fn add(cell: &Cell<i32>, more: u32, most: i32) {
    cell.set(cell.get().saturating_add_unsigned(more).min(most));
}
