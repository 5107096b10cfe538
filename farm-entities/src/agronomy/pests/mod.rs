//! Pests: they come from outside the field, live on each plot, move with the wind and sit on plants and weeds.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's temperature, only with the paper's equations | `air_temperature_mean` | °C |
//! | wind, only with a part that provides it | `wind_speed`, `wind_direction` | km.h-1, ° |
//! | pesticide and birds, only with parts that provide them | `cide_on_pests`, `pest_eaters` | g, nb |
//! | only with predators that report where they eat: their prey, and all kinds of pests | `pests_eaten`, `pest_population` | nb |
//! | every host in the field | `host_number`, `host_repulsion` | nb |
//! | today's temperatures, only with `equations: agronomic` | `air_temperature_min`, `air_temperature_max` | °C |
//! | only with `equations: agronomic`: leaves of the hosts, and which of them are weeds | `leaf_area`, `weeds_sprouted` | m², nb |
//!
//! | writes | unit |
//! |---|---|
//! | pests on each plot (role `pest_population`), and on each host on each plot | nb |
//! | only with predators that report where they eat: pests of this kind eaten on each plot today | nb |
//! | the count of pests on every host (role `pests_on_host`) | nb |
//! | pests that came in this episode (role `pests_come`) | nb |
//!
//! Source: Farm-gym paper 4.6 as corrected by equation sheet II.8. Deviations from the paper:
//!
//! * The number of arrivals is an integer from the minimum to the maximum.
//! * At least one plot has the favourable distance from the edge.
//! * Pests on all plots move at the same time, to the four neighbours, so no pest crosses the field in a day or gets lost.
//! * The wind moves pests downwind.
//! * A host attracts pests in proportion to its number.
//!
//! With `equations: agronomic` pests are a population of insects that breeds, starves and is eaten: see `colony.rs`.

mod colony;
mod insect;
pub(in crate::agronomy) mod neighbours;
mod parameters;
mod predation;
mod swarm;

use std::cell::Cell;

use farm_core::declare::{All, PartInfo, Picture, VariableInfo};
use farm_core::math::exp;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Found, Known, Purpose};
use farm_roles::{HOST_NUMBER, HOST_REPULSION, PEST_POPULATION, PESTS_COME, PESTS_EATEN, PESTS_ON_HOST};

use super::{Equations, check_bounds};

use insect::Insect;
use parameters::{Appear, Leave};
pub use swarm::middle_distance;

/// Pests that come to the field, move with the wind, and feed on plants and weeds.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Pests {
    /// The equations that the pests follow; `corrected` and `paper` are the same here.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Minimum number of pests that reach the field on a day of arrival.
    #[parameter(unit = "nb", range = 0..=10_000, idle = "equations: agronomic", instead = "insect")]
    pub min_population: u32,
    /// Maximum number of pests that reach the field on a day of arrival.
    #[parameter(unit = "nb", default = 5, range = 0..=10_000, idle = "equations: agronomic", instead = "insect")]
    pub max_population: u32,
    /// Daily probability that pests reach the field; at 1 and above, they reach it every day.
    #[parameter(unit = "day-1", default = 0.1, range = 0.0..=1000.0, idle = "equations: agronomic", instead = "insect.arrivals#nb.m-2.day-1")]
    pub arrival_frequency: f64,
    /// Maximum number of pests on a plot after arrivals from outside. Pests that then move in from other plots may exceed it for a day.
    #[parameter(unit = "nb", range = 0..=20_000, idle = "equations: agronomic", instead = "insect")]
    pub plot_capacity: Option<u32>,
    /// Probability that a pest that reaches the field comes to a plot. It is exp(−x), where x is the sum of the penalties below.
    #[parameter(name = "appear_conditions", idle = "equations: agronomic", instead = "insect")]
    pub appear: Appear,
    /// Daily probability that a pest stays alive and in the field. It is exp(−x), where x is the sum of the penalties below.
    #[parameter(name = "leave_conditions", idle = "equations: agronomic", instead = "insect")]
    pub leave: Leave,
    /// The insects of `equations: agronomic`. These equations use no other parameter of the pests.
    pub insect: Insect,
}

/// The maximum of a sum over an episode.
const MAX_EVER: i32 = 2_000_000_000;
/// The maximum attraction of one individual: a repulsion of -20.
const MAX_ATTRACTION: f64 = 5e8;

/// The maximum number of hosts in most fields. The weights of further hosts are recomputed when they are needed.
const USUAL_HOSTS: usize = 8;

const SIT: Purpose = Purpose::named("pests that sit down");

#[farm_core::register(source = "Farm-gym paper 4.6; equation sheet II.8", sets = include_str!("pests.yaml"))]
impl Entity for Pests {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let message = "`min_population#nb` is above `max_population#nb`";
        check_bounds(d, "min_population#nb", self.min_population, self.max_population, message);
        // There is a count for each host in the field.
        Bind::after(|d, known| match self.equations {
            Equations::Agronomic => colony::declare(&self.insect, d, known),
            Equations::Corrected | Equations::Paper => swarm::declare(self, d, known),
        })
    }
}

/// For pictures: the numbers of pests at which a plot begins to show few and many, and the number with the lightest colour.
struct Pictured {
    few: f64,
    many: f64,
    lightest: f64,
}

impl Pictured {
    fn picture(&self) -> Picture {
        Picture::on_plots("Pests", 40)
            .from("plot_population#nb", self.many, "many", include_str!("../sprites/pests_many.svg"))
            .from("plot_population#nb", self.few, "few", include_str!("../sprites/pests_few.svg"))
            .heat("plot_population#nb", 0.0, self.lightest)
    }
}

/// The data that the numbers of pests depend on.
#[derive(Clone)]
struct Kind {
    /// Maximum number of pests on a plot or on a host.
    most: i32,
    /// Whether the pests are a large population, in which a single pest does not matter.
    is_population: bool,
    /// The parts that are hosts.
    hosts: Vec<String>,
    /// Whether predators report their prey.
    is_hunted: bool,
}

impl Kind {
    fn of(most: i32, is_population: bool, known: &Known<'_>) -> Self {
        let hosts = known.declarations(HOST_NUMBER).iter().map(|(part, _)| part.name().to_owned()).collect();
        Self { most, is_population, hosts, is_hunted: !known.declarations(PESTS_EATEN).is_empty() }
    }
}

/// The number of pests and their hosts, for all equations.
#[derive(Columns)]
struct Numbers {
    kind: Kind,
    /// Number of pests on the plot.
    #[count(name = "plot_population#nb", range = 0..=kind.most, per_plot, role = PEST_POPULATION)]
    population: Column<i32>,
    /// Number of pests that have come to the field in this episode.
    #[count(name = "total_cumulated_plot_population#nb", range = 0..=MAX_EVER, role = PESTS_COME)]
    total: Column<i32>,
    /// Number of pests that move into the plot, until all have moved.
    #[count(unit = "nb", range = 0..=kind.most, per_plot, hidden)]
    arriving: Column<i32>,
    #[with(Host::needs(d))]
    _needs: (All<i32>, All<f64>, All<i32>),
    #[bind(Host::all(_needs, found))]
    hosts: Vec<Host>,
    /// Number of pests that live on {each} on the plot.
    #[count(each = &kind.hosts, name = "onplant_population#nb.{each}", range = 0..=kind.most, per_plot)]
    on_plant: Vec<Column<i32>>,
    /// Attraction of one individual of each host on this day.
    #[real(range = 0.0..=MAX_ATTRACTION, shape = &[kind.hosts.len()], hidden)]
    attraction: Column<f64>,
}

/// A host on which pests can sit.
struct Host {
    /// The part that is the host.
    part: String,
    number: Column<i32>,
    repulsion: Option<Column<f64>>,
    /// The host's count of all pests on it.
    sitting: Option<Column<i32>>,
}

impl Host {
    /// The numbers of hosts, their repulsions, and their counts of pests.
    fn needs(d: &mut Declarations<'_>) -> (All<i32>, All<f64>, All<i32>) {
        let needs = (d.all(HOST_NUMBER), d.all(HOST_REPULSION), d.all(PESTS_ON_HOST));
        d.writes(PESTS_ON_HOST);
        needs
    }

    /// The hosts in the field.
    fn all((numbers, repulsions, sitting): (All<i32>, All<f64>, All<i32>), found: &Found<'_>) -> Vec<Self> {
        let (repulsions, sitting) = (found.named(repulsions), found.named(sitting));
        let host = |(part, _, number): (&PartInfo, _, Column<i32>)| Self {
            part: part.name().to_owned(),
            number,
            repulsion: of_part(&repulsions, part.name()),
            sitting: of_part(&sitting, part.name()),
        };
        found.named(numbers).into_iter().map(host).collect()
    }
}

impl Numbers {
    /// Sets the weight of each host by its repulsion.
    fn attract(&self, c: &Context<'_>) {
        for (host, attraction) in self.hosts.iter().zip(c.get(self.attraction)) {
            attraction.set(host.repulsion.map_or(1.0, |repulsion| exp(-c.value(repulsion)).min(MAX_ATTRACTION)));
        }
    }

    /// The pests that moved in become the plot's pests. They sit on its hosts in proportion to each host's attraction and size (II.8 step
    /// 5). `size` returns a host's size from its index and the host.
    #[farm_core::equation("II.8 step 5: hosts")]
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
        self.on_plant.iter().for_each(|column| c.get(*column)[plot].set(0));
        if here <= 0 {
            return;
        }
        let hosts = self.hosts.iter().enumerate().zip(c.get(self.attraction));
        let weights = hosts.map(|((k, host), attraction)| attraction.get() * size(k, host));
        // The weight of each host is computed once, for the usual number of hosts.
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
            c.get(self.on_plant[k])[plot].set(sitting as i32);
            if let Some(all) = self.hosts[k].sitting {
                add(&c.get(all)[plot], sitting, most);
            }
        };
        let n = here as u32;
        let only = known.iter().position(|weight| *weight > 0.0).filter(|_| attractive == 1);
        if let Some(only) = only {
            // Nothing is drawn if all go to one host.
            return sit(only, n);
        }
        match (self.kind.is_population, known.get(..self.hosts.len())) {
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

/// The column of the part with this name in a list by parts.
fn of_part<T>(columns: &[(&PartInfo, &VariableInfo, Column<T>)], name: &str) -> Option<Column<T>> {
    columns.iter().find(|(part, ..)| part.name() == name).map(|(.., column)| *column)
}

/// Adds to a number, up to the maximum `most`.
#[inline]
fn add(cell: &Cell<i32>, more: u32, most: i32) {
    cell.set(cell.get().saturating_add_unsigned(more).min(most));
}
