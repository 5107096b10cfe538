//! A policy that repeats one action, each day on the next plot.
//!
//! Source: designed for this example; the policy on the page `docs/parts-in-rust.md`.

use farm_core::action::{ActionKind, Call};
use farm_core::config::{Path, Problem, Problems};
use farm_core::{Agent, Game, Policy, State};

use crate::errors::ExampleError;

/// Repeats one action, plot by plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct RoundPolicy {
    /// The name of the action.
    #[parameter(default = "water_discrete".into())]
    pub action: String,
}

#[farm_core::register(source = "Design of this example")]
impl Policy for RoundPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let name = |call: &Call| game.catalogue().base_actions()[call.base()].name(game.parts());
        let all = (0..game.catalogue().discrete_len()).filter_map(|id| game.catalogue().discrete(id)?.first());
        let calls: Vec<Call> = all.clone().filter(|call| name(call) == self.action).copied().collect();
        if calls.is_empty() {
            let message = format!("no action of the game is called `{}`", self.action);
            let problem =
                Problem::new(ExampleError::NoSuchAction, Path::default().child("action"), message).value(&self.action);
            return Err(Problems(vec![problem.among(&self.action, all.map(name))]));
        }
        Ok(Box::new(Round { calls, next: 0 }))
    }
}

struct Round {
    calls: Vec<Call>,
    next: usize,
}

impl Agent for Round {
    fn start(&mut self, _seed: u64) {
        self.next = 0;
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let call = self.calls[self.next];
        if game.expects(state) == ActionKind::Intervention && game.rejection(state, &call).is_none() {
            schedule.push(call);
            self.next = (self.next + 1) % self.calls.len();
        } else {
            schedule.extend_from_slice(game.catalogue().waiting());
        }
    }
}
