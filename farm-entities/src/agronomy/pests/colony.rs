//! Pests in the `agronomic` equations: on each plot, a population that lives on leaves.
//!
//! | law | source |
//! |---|---|
//! | immigration on warm days: a Poisson number, highest at the edge and over leaves; good and bad years | design |
//! | breeding by degree-days, logistic in the leaves that the insects like | Verhulst; degree-days as for plants |
//! | frost | LT₅₀, as for plants |
//! | birds, sated by many insects | Holling 1959, type II |
//! | insecticide by dose per m² | log-logistic: Finney 1971, Streibig 1988 |
//! | choice of host by leaf area, repulsion and a preference for the crop | design |
//!
//! No predator eats all insects, weeds are no better food than the crop, and an insect without leaves starves. So neglect does not
//! protect the crop.

use std::cell::Cell;

use farm_core::declare::{All, FieldInfo};
use farm_core::math::Bounded;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Found, Known, Phase, PlotStream, Purpose};
use farm_roles::{
    AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, CIDE_ON_PESTS, LEAF_AREA, PEST_EATERS, WEEDS_SPROUTED, WIND_DIRECTION,
    WIND_SPEED,
};

use super::neighbours::{KMH_PER_WEIGHT, NORTH, STAYING, adjacent, downwind};
use super::predation::{Predation, Prey};
use super::{Host, Insect, Kind, Numbers, Pictured, add, of_part};
use crate::agronomy::laws::development::degree_days;
use crate::agronomy::laws::injury::frost_survival;
use crate::agronomy::laws::pests::{eaten_by_predator, inward, landing, starving, surviving_dose, young};
use crate::agronomy::laws::ramp;
use crate::agronomy::response::distance_to_edge;

/// Maximum number of insects on a plot or on a host.
const MOST: i32 = 1_000_000;
/// Upper limit of the leaves on a plot, weighted by preference, in m².
const MANY: f64 = 1e12;
/// Assumed leaf area of one individual of a host that does not report its leaf area, in m².
const LEAVES_OF_OTHERS: f64 = 0.05;
/// Leaves that insects like, in m² per m² of ground, at which half of the overflying insects land. The insects also find small plants.
const LANDING: f64 = 0.05;
/// Maximum share of the insects that birds eat in a day, because some insects hide.
const MOST_EATEN: f64 = 0.9;

const YEAR: Purpose = Purpose::named("arrivals of insects this year");
const DAY: Purpose = Purpose::named("day of insects");
const MOVE: Purpose = Purpose::named("insects that move");

/// Declares the insects in a field.
pub(super) fn declare<'p>(p: &'p Insect, d: &mut Declarations<'_>, known: &Known<'_>) -> Bind<'p, dyn Behaviour> {
    let colony = Colony::declare(d, &(p.clone(), Kind::of(MOST, true, known)));
    let area = colony.area;
    // One insect per ten square metres is visible, five per square metre are an outbreak.
    d.picture(Pictured { few: 0.1 * area, many: 5.0 * area, lightest: 20.0 * area }.picture());
    d.runs_in(Phase::Visit);
    Bind::new(|found| colony.bind(found))
}

/// A host as food for insects that eat leaves.
struct Fodder {
    /// Leaves of the host on each plot, if it reports them.
    leaves: Option<Column<f64>>,
    /// How much the insects like these leaves.
    preference: f64,
}

impl Insect {
    /// The hosts as fodder.
    fn fodder(&self, hosts: &[Host], (leaves, weeds): (All<f64>, All<i32>), found: &Found<'_>) -> Vec<Fodder> {
        let (leaves, weeds) = (found.named(leaves), found.named(weeds));
        let fodder = hosts.iter().map(|host| Fodder {
            leaves: of_part(&leaves, &host.part),
            preference: if of_part(&weeds, &host.part).is_some() { self.weeds } else { 1.0 },
        });
        fodder.collect()
    }

    /// Insects that come to each plot on a warm day if it is full of leaves.
    fn arrivals(&self, field: &FieldInfo) -> Vec<f64> {
        let (length, width, area) = (field.length(), field.width(), field.plot_area_m2());
        let edge = |plot: usize| distance_to_edge(plot / width, plot % width, length, width) as f64 * area.sqrt();
        (0..length * width).map(|plot| self.arrivals * area * inward(edge(plot), self.edge_reach)).collect()
    }
}

#[derive(Columns)]
struct Colony {
    _of: (Insect, Kind),
    #[with(_of.0.clone())]
    p: Insect,
    #[stream]
    key: u64,
    #[with(d.field().length())]
    length: usize,
    #[with(d.field().width())]
    width: usize,
    /// Area of a plot in m².
    #[with(d.field().plot_area_m2())]
    area: f64,
    /// Insects that come to each plot on a warm day if it is full of leaves.
    #[with(p.arrivals(d.field()))]
    arrivals: Vec<f64>,
    #[nested(_of.1)]
    numbers: Numbers,
    /// Leaf area of the plot that the insects like, weighted by preference.
    #[real(name = "liked_leaves#m2", range = 0.0..=MANY, per_plot, hidden)]
    liked: Column<f64>,
    /// Share of the insects flying over the plot that land on it.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden)]
    landing: Column<f64>,
    /// Number of insects that fly in this year, as a multiple of the usual number.
    #[real(name = "arrivals_of_the_year", range = 0.0..=1e6, default = 1.0, hidden)]
    year: Column<f64>,
    #[with((d.all(LEAF_AREA), d.all(WEEDS_SPROUTED)))]
    _leaves_and_weeds: (All<f64>, All<i32>),
    /// The fodder, in the order of the hosts.
    #[bind(p.fodder(&numbers.hosts, _leaves_and_weeds, found))]
    fodder: Vec<Fodder>,
    #[nested(Prey::of(numbers.population, MOST, _of.1.is_hunted, d))]
    predation: Option<Predation>,
    #[one(AIR_TEMPERATURE_MIN)]
    min: Column<f64>,
    #[one(AIR_TEMPERATURE_MAX)]
    max: Column<f64>,
    #[maybe(WIND_SPEED)]
    wind_speed: Option<Column<f64>>,
    #[maybe(WIND_DIRECTION)]
    wind_direction: Option<Column<f64>>,
    #[maybe(CIDE_ON_PESTS)]
    pesticide: Option<Column<f64>>,
    #[all(PEST_EATERS)]
    birds: Vec<Column<i32>>,
}

/// The day's conditions, which are the same for all plots, and the values of the plots.
struct Day<'a> {
    degree_days: f64,
    /// Share of the usual arrivals.
    arriving: f64,
    /// Share that survives the night, the birds and ageing.
    surviving: f64,
    /// Weight of the downwind plot in addition to its leaves, and the direction of this plot.
    push: f64,
    downwind: usize,
    liked: &'a [Cell<f64>],
    landing: &'a [Cell<f64>],
    population: &'a [Cell<i32>],
    /// Insects that settle on each plot, until all have moved.
    settling: &'a [Cell<i32>],
}

impl Behaviour for Colony {
    fn reset(&self, c: &mut Context<'_>) {
        let deviation = self.p.year_to_year;
        let drawn = deviation * c.stream(self.key, YEAR).normal();
        // The mean of a log-normal number lies above its median by this factor.
        c.get(self.year)[0].set(farm_core::math::exp(drawn - deviation * deviation / 2.0).at_most(1e6));
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        if let Some(predation) = &self.predation {
            match phase {
                Phase::Spread => return predation.share_out(c),
                _ => predation.eat(c),
            }
        }
        self.numbers.attract(c);
        let plots = 0..self.arrivals.len();
        let day = self.day(c);
        for plot in plots.clone() {
            let liked = self.liked_leaves(plot, c);
            day.liked[plot].set(liked);
            day.landing[plot].set(landing(liked / self.area, LANDING));
        }
        self.live(&day, c);
        self.spread(&day, c);
        plots.for_each(|plot| self.settle_down(plot, c));
    }
}

impl Colony {
    fn day<'a>(&self, c: &Context<'a>) -> Day<'a> {
        let (min, max) = (c.value(self.min), c.value(self.max));
        let [base, upper] = self.p.temperature;
        let [none, all] = self.p.flight;
        let (speed, from) = self
            .wind_speed
            .zip(self.wind_direction)
            .map_or((0.0, 0.0), |(speed, from)| (c.value(speed), c.value(from)));
        Day {
            degree_days: degree_days(min, max, base, upper),
            arriving: ramp(max, none, all) * c.value(self.year),
            surviving: (1.0 - self.p.death) * frost_survival(min, self.p.lethal) * (1.0 - self.eaten(c)),
            push: speed / KMH_PER_WEIGHT,
            downwind: downwind(from),
            liked: c.get(self.liked),
            landing: c.get(self.landing),
            population: c.get(self.numbers.population),
            settling: c.get(self.numbers.arriving),
        }
    }

    /// Share of the insects in the field that birds eat today.
    fn eaten(&self, c: &Context<'_>) -> f64 {
        let birds = self.birds.iter().fold(0.0, |sum, column| sum + f64::from(c.value(*column)));
        let all = c.get(self.numbers.population).iter().fold(0.0, |sum, here| sum + f64::from(here.get()));
        if birds <= 0.0 || all <= 0.0 {
            return 0.0;
        }
        let density = all / (self.area * self.arrivals.len() as f64);
        (birds * eaten_by_predator(density, self.p.bird_searches, self.p.bird_eats) / all).at_most(MOST_EATEN)
    }

    /// Leaves of a host on a plot, weighted by preference \[m²\].
    #[inline]
    fn leaves(&self, host: &Host, fodder: &Fodder, plot: usize, c: &Context<'_>) -> f64 {
        let number = f64::from(c.get(host.number)[plot].get());
        let leaves = match fodder.leaves {
            Some(leaves) if number > 0.0 => c.get(leaves)[plot].get(),
            Some(_) => 0.0,
            None => LEAVES_OF_OTHERS * number.at_least(0.0),
        };
        fodder.preference * leaves
    }

    fn liked_leaves(&self, plot: usize, c: &Context<'_>) -> f64 {
        let hosts = self.numbers.hosts.iter().zip(&self.fodder).zip(c.get(self.numbers.attraction));
        let liked =
            hosts.fold(0.0, |sum, ((host, fodder), weight)| sum + weight.get() * self.leaves(host, fodder, plot, c));
        liked.at_most(MANY)
    }

    /// Insects die, breed and fly in.
    fn live(&self, day: &Day<'_>, c: &Context<'_>) {
        let streams = c.plot_streams(self.key, DAY);
        let dose = self.pesticide.map(|column| c.get(column));
        let mut all = 0;
        for (plot, population) in day.population.iter().enumerate() {
            let liked = day.liked[plot].get();
            let before = population.get().max(0) as u32;
            let expected = self.arrivals[plot] * day.arriving * day.landing[plot].get();
            if before == 0 && expected <= 0.0 {
                continue;
            }
            let mut stream = streams.at(plot);
            let mut here = 0;
            if before > 0 {
                let crowding = f64::from(before) * self.p.food / 1e4 / liked;
                let dose = dose.map_or(0.0, |dose| dose[plot].get()) / self.area;
                let surviving = day.surviving
                    * (1.0 - starving(crowding, self.p.starving))
                    * surviving_dose(dose, self.p.cide_half, self.p.cide_slope);
                let alive = stream.portion(before, surviving);
                here = alive + stream.portion(alive, young(self.p.breeding, day.degree_days, crowding));
            }
            let came = stream.poisson(expected);
            population.set(here.saturating_add(came).min(MOST as u32) as i32);
            all = came.saturating_add(all);
        }
        self.numbers.count_arrivals(all, c);
    }

    /// Some insects move to neighbouring plots with leaves, on all plots at once. None leave the field.
    fn spread(&self, day: &Day<'_>, c: &Context<'_>) {
        let streams = c.plot_streams(self.key, MOVE);
        let mut plot = 0;
        for x in 0..self.length {
            for y in 0..self.width {
                let here = day.population[plot].replace(0).max(0) as u32;
                if here > 0 {
                    self.spread_from(plot, (x, y), here, &mut streams.at(plot), day);
                }
                plot += 1;
            }
        }
    }

    #[inline]
    fn spread_from(&self, plot: usize, (x, y): (usize, usize), here: u32, stream: &mut PlotStream, day: &Day<'_>) {
        let (mut targets, mut weights) = ([plot; STAYING], [0.0; STAYING]);
        for direction in NORTH..STAYING {
            if let Some(adjacent) = adjacent(x, y, direction, self.length, self.width) {
                targets[direction] = adjacent;
                let push = if direction == day.downwind { day.push } else { 0.0 };
                weights[direction] = (1.0 + push) * day.landing[adjacent].get();
            }
        }
        let mut stay = here;
        if weights.iter().any(|weight| *weight > 0.0) {
            let moving = stream.portion(here, self.p.moving);
            stay -= moving;
            stream.apportion(moving, weights.into_iter(), |direction, moved| {
                add(&day.settling[targets[direction]], moved, MOST);
            });
        }
        add(&day.settling[plot], stay, MOST);
    }

    /// The insects choose hosts in proportion to their leaves.
    #[inline]
    fn settle_down(&self, plot: usize, c: &Context<'_>) {
        let leaves = |k: usize, host: &Host| self.leaves(host, &self.fodder[k], plot, c);
        self.numbers.settle_down(plot, self.key, MOST, leaves, c);
    }
}
