//! Does nothing.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy, State};

use super::schedule_budget::ScheduleBudget;

/// Waits in every step: the baseline of every game.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WaitPolicy {}

#[farm_core::register(source = "Farm-gym paper 5.5")]
impl Policy for WaitPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        Ok(Box::new(Wait(ScheduleBudget::of(game))))
    }
}

#[derive(Clone)]
struct Wait(ScheduleBudget);

impl Agent for Wait {
    fn start(&mut self, _: u64) {}

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        self.0.wait_if_empty(game, schedule);
    }
}
