//! Pests in the paper's equations: a pest stays or leaves, moves, and chooses plants and weeds in proportion to their number.

use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Known, Phase, Purpose};
use farm_roles::{AIR_TEMPERATURE_MEAN, CIDE_ON_PESTS, PEST_EATERS, WIND_DIRECTION, WIND_SPEED};

use super::neighbours::{KMH_PER_WEIGHT, NORTH, STAYING, adjacent, downwind};
use super::predation::{Predation, Prey};
use super::{Appear, Host, Kind, Leave, Numbers, Pests, Pictured, add};
use crate::agronomy::response::{distance, distance_to_edge, response};

/// Maximum number of pests on a plot before they move. The pests from five such plots can meet on one plot.
const MAX_STAYING: u32 = 20_000;
/// Maximum number of pests on a plot or on a host.
const MOST: i32 = 5 * MAX_STAYING as i32;

const REACH: Purpose = Purpose::named("pests that reach the field");
const STAY: Purpose = Purpose::named("pests that stay");
const WANDER: Purpose = Purpose::named("pests that wander");

/// For pictures: the numbers of pests at which a plot begins to show few and many, and the number with the lightest colour.
const PICTURED: Pictured = Pictured { few: 1.0, many: 4.0, lightest: 10.0 };

/// Declares the pests in a field.
pub(super) fn declare<'p>(p: &'p Pests, d: &mut Declarations<'_>, known: &Known<'_>) -> Bind<'p, dyn Behaviour> {
    let swarm = Swarm::declare(d, &(p.clone(), Kind::of(MOST, false, known)));
    d.picture(PICTURED.picture());
    d.runs_in(Phase::Visit);
    Bind::new(|found| swarm.bind(found))
}

#[derive(Columns)]
struct Swarm {
    _of: (Pests, Kind),
    #[with(_of.0.clone())]
    p: Pests,
    #[stream]
    key: u64,
    #[with(d.field().length())]
    length: usize,
    #[with(d.field().width())]
    width: usize,
    #[with(p.plot_capacity.unwrap_or(MAX_STAYING).min(MAX_STAYING) as i32)]
    most_staying: i32,
    #[nested(_of.1)]
    numbers: Numbers,
    #[nested(Prey::of(numbers.population, MOST, _of.1.is_hunted, d))]
    predation: Option<Predation>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[maybe(WIND_SPEED)]
    wind_speed: Option<Column<f64>>,
    #[maybe(WIND_DIRECTION)]
    wind_direction: Option<Column<f64>>,
    #[maybe(CIDE_ON_PESTS)]
    pesticide: Option<Column<f64>>,
    #[all(PEST_EATERS)]
    birds: Vec<Column<i32>>,
}

impl Behaviour for Swarm {
    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        if let Some(predation) = &self.predation {
            match phase {
                Phase::Spread => return predation.share_out(c),
                _ => predation.eat(c),
            }
        }
        let reached = self.reach(c);
        let birds: i32 = self.birds.iter().map(|column| c.value(*column)).sum();
        let wind = self
            .wind_speed
            .zip(self.wind_direction)
            .map_or((0.0, NORTH), |(speed, from)| (c.value(speed), downwind(c.value(from))));
        self.numbers.attract(c);
        for plot in 0..self.numbers.population.len() {
            self.stay(plot, reached, f64::from(birds), c);
        }
        for plot in 0..self.numbers.population.len() {
            self.wander(plot, wind, c);
        }
        for plot in 0..self.numbers.population.len() {
            self.settle_down(plot, c);
        }
    }
}

impl Swarm {
    /// Pests that reach the field today (Farm-gym Eq. 30; II.8 step 1).
    #[farm_core::equation("30")]
    fn reach(&self, c: &Context<'_>) -> u32 {
        let mut stream = c.stream(self.key, REACH);
        if !stream.bernoulli(self.p.arrival_frequency) {
            return 0;
        }
        stream.integer_in(self.p.min_population as i32, self.p.max_population as i32) as u32
    }

    /// Some pests stay, and some come from outside (Farm-gym Eqs. 31–33; II.8 steps 2, 3).
    #[farm_core::equation("31", "32", "33")]
    #[inline]
    fn stay(&self, plot: usize, reached: u32, birds: f64, c: &Context<'_>) {
        let population = &c.get(self.numbers.population)[plot];
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
        self.numbers.count_arrivals(coming, c);
    }

    /// Pests move to the four neighbours within the field or stay, on all plots at once (II.8 step 4).
    #[farm_core::equation("II.8 step 4: movement")]
    #[inline]
    fn wander(&self, plot: usize, (speed, downwind): (f64, usize), c: &Context<'_>) {
        let wandering = c.get(self.numbers.population)[plot].replace(0).max(0) as u32;
        if wandering == 0 {
            return;
        }
        let mut stream = c.stream(self.key, WANDER.at(plot));
        let (x, y) = (plot / self.width, plot % self.width);
        let mut targets = [plot; 5];
        let mut weights = [0.0; 5];
        // 1 − u is in (0, 1]: some weight is always positive, so no pest gets lost.
        weights[STAYING] = 1.0 - stream.uniform();
        for direction in NORTH..STAYING {
            if let Some(adjacent) = adjacent(x, y, direction, self.length, self.width) {
                targets[direction] = adjacent;
                let push = if direction == downwind { speed / KMH_PER_WEIGHT } else { 0.0 };
                weights[direction] = 1.0 - stream.uniform() + push;
            }
        }
        let arriving = c.get(self.numbers.arriving);
        stream.multinomial(wandering, weights.iter().copied(), |direction, moved| {
            add(&arriving[targets[direction]], moved, MOST);
        });
    }

    /// The pests choose hosts in proportion to the number of individuals (II.8 step 5).
    #[farm_core::equation("II.8 step 5: hosts")]
    #[inline]
    fn settle_down(&self, plot: usize, c: &Context<'_>) {
        let individuals = |_, host: &Host| f64::from(c.get(host.number)[plot].get());
        self.numbers.settle_down(plot, self.key, MOST, individuals, c);
    }
}

/// Distance from the middle of a field to its edge, which is the largest distance in the field (equation sheet II.8 step 2).
///
/// ⌊(min(X, Y) − 1) / 2⌋. Without rounding down, the middle of an even field would count as too near the edge.
pub fn middle_distance(length: usize, width: usize) -> usize {
    (length.min(width) - 1) / 2
}

/// Probability that a pest that reaches the field comes to a plot (Farm-gym Eq. 32).
#[farm_core::equation("32")]
pub(crate) fn arrival_chance(p: &Appear, edge: usize, temperature: f64, pesticide: f64) -> f64 {
    let terms = [
        (p.edge, edge as f64),
        (p.temperature_weight, distance(temperature, p.temperature[0], p.temperature[1])),
        (p.pesticide, distance(pesticide, f64::NEG_INFINITY, p.pesticide_max)),
    ];
    response(p.base, &terms)
}

/// Probability that a pest stays alive and in the field (Farm-gym Eq. 33).
#[farm_core::equation("33")]
pub(crate) fn staying_chance(
    p: &Leave,
    edge: usize,
    middle: usize,
    temperature: f64,
    pesticide: f64,
    birds: f64,
) -> f64 {
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
    use farm_core::math::exp;

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
}
