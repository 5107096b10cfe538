//! Requests a variable at a fixed interval in games with paid observations.
//!
//! It requests all values of the variable at once if the rules sell them together, otherwise each value for sale. If the variable is free
//! in a game, the policy does nothing.
//!
//! Source: `create_plant_observe` and `create_observe_weeds` of the Farm-gym reference.

use farm_core::action::{ActionTarget, Call, Request};
use farm_core::config::Problems;
use farm_core::declare::Quantity;
use farm_core::{Agent, Game, Policy};

use super::memory::Book;
use super::targets::find;
use super::triggers::{Rule, Target, Triggers};
use crate::PolicyError;

/// Requests a variable, such as the stage of plants, at a fixed interval in games with paid observations.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ObservePolicy {
    /// The part to observe, such as `Plant-0` or `Field-0.Plant-0`, or '*' for all. Default: the only part with the variable.
    pub entity: Option<String>,
    /// The variable to request, or a group of variables such as `air_temperature`.
    #[parameter(default = "stage".into())]
    pub variable: String,
    /// The minimum number of days between two observations.
    #[parameter(unit = "day", default = 1, range = 1..=100_000)]
    pub period: u32,
}

/// The help for games without observations to request.
const WHERE_LOOKING_COSTS: &str = "only games with `interaction_mode: aomdp` sell observations; a preset that changes this mode also sets \
                                   its own policies, `policies.NAME: KIND`";

#[farm_core::register(source = "Farm-gym reference, create_plant_observe and create_observe_weeds")]
impl Policy for ObservePolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let purpose = format!("can provide observations of `{}`", self.variable);
        let fits = |part| !self.requests(game, part).is_empty() || self.is_free(game, part);
        let parts = find(game, self.entity.as_deref(), &purpose, fits, &mut problems);
        if problems.has_errors() {
            for problem in problems.0.iter_mut().filter(|problem| problem.is(PolicyError::NothingToActOn)) {
                problem.help = Some(WHERE_LOOKING_COSTS.into());
            }
            return Err(problems);
        }
        let target = |call: Call| Target::new(None, vec![vec![call]]);
        let rules = parts.into_iter().map(|part| Rule {
            when: None,
            delay: 0,
            period: self.period,
            once: false,
            targets: self.requests(game, part).into_iter().map(target).collect(),
            then: Vec::new(),
        });
        Ok(Box::new(Triggers::new(game, rules.collect(), Book::default())))
    }
}

impl ObservePolicy {
    /// The requests for a part: all values of the variable at once, otherwise each value.
    fn requests(&self, game: &Game, part: usize) -> Vec<Call> {
        let request = |call: &Call| -> Option<&Request> {
            let base = &game.catalogue().base_actions()[call.base()];
            match base.target() {
                ActionTarget::Observation(request) if base.part() == part && request.name() == self.variable => {
                    Some(request)
                }
                _ => None,
            }
        };
        let mut calls: Vec<Call> =
            game.catalogue().calls().iter().filter(|call| request(call).is_some()).copied().collect();
        if let Some(whole) =
            calls.iter().position(|call| request(call).is_some_and(|request| request.path().is_empty()))
        {
            calls = vec![calls[whole]];
        }
        calls
    }

    fn is_free(&self, game: &Game, part: usize) -> bool {
        let group = format!("{}.", self.variable);
        let is_meant = |name: &str| name == self.variable || name.starts_with(&group);
        game.observation().entries().iter().filter_map(|entry| entry.reference()).any(|reference| {
            let info = &game.parts()[part];
            let name = match reference.quantity() {
                Quantity::Variable(i) => info.variables().get(i).map(|variable| variable.name()),
                Quantity::Observable(i) => info.observables().get(i).map(|observable| observable.name()),
                Quantity::Step | Quantity::Remaining => None,
            };
            reference.part() == part && name.is_some_and(is_meant)
        })
    }
}
