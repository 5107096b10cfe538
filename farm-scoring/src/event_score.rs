//! A score of events: each event pays its value times a weight. The sum is exact.
//!
//! From the event to the total, rewards are integers that count small parts of a point. A reward is converted to a real number only once,
//! when the step returns it. If every weight times value is an integer number of parts, rewards and their total are exact.
//!
//! | reads | |
//! |---|---|
//! | the events with a weight, by their value | as the event declares |
//!
//! | writes | unit |
//! |---|---|
//! | `total` (hidden): the sum of the episode's rewards | parts of a point |
//!
//! Source: Valley Farm (crops, products, relationship and coins, each with a weight).

use std::collections::BTreeMap;

use farm_core::config::{ParameterError, Path, Problem};
use farm_core::declare::real;
use farm_core::math::sum;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Event, Score, ScoreBehaviour};

use crate::counted;

/// The reward is the value of each event times a weight; sums are exact.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct EventScore {
    /// The reward for a unit of each event's value, by the name of the event.
    #[parameter(unit = "point", range = -1e6..=1e6)]
    pub weights: BTreeMap<String, f64>,
    /// Number of parts of one point. The reward of each event is rounded to a whole number of parts.
    #[parameter(name = "parts_of_a_point#nb", default = 1_000_000.0, range = 1.0..=1e12)]
    pub parts: f64,
}

#[farm_core::register(source = "Valley Farm: rewards")]
impl Score for EventScore {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        if self.parts.fract() != 0.0 {
            let problem = Problem::new(
                ParameterError::WrongType,
                Path::default().child("parts_of_a_point#nb"),
                "`parts_of_a_point#nb` must be an integer",
            );
            d.problem(problem.value(self.parts).expected("an integer"));
        }
        let total =
            d.variable(real("total#nb", -MAX_PARTS, MAX_PARTS, "All rewards of the episode, in parts.").hidden());
        Bind::new(move |found| {
            let mut worth = counted::by_event(found);
            for (event, weight) in &self.weights {
                let path = Path::default().child("weights#point").child(event);
                counted::events(event, path, found).into_iter().for_each(|id| worth[id.index()] = *weight);
            }
            Events { worth, parts: self.parts, total: found.get(total) }
        })
    }
}

/// Above this number of parts, a real number cannot represent every integer.
const MAX_PARTS: f64 = 9e15;

struct Events {
    /// The reward per unit of value, by event kind.
    worth: Vec<f64>,
    parts: f64,
    total: Column<f64>,
}

impl Behaviour for Events {}

impl ScoreBehaviour for Events {
    #[inline]
    fn reward(&self, c: &mut Context<'_>) -> f64 {
        if c.events().is_empty() {
            return 0.0;
        }
        // Each product is rounded to its integer before the sum.
        let gained =
            c.events().iter().map(|&Event { id, value, .. }| (self.worth[id.index()] * value * self.parts).round());
        let gained = sum(gained);
        let total = &c.get(self.total)[0];
        total.set(total.get() + gained);
        gained / self.parts
    }
}
