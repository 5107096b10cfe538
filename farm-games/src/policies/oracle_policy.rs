//! Plays the best plan, which it makes knowing everything.
//!
//! The plan is made when the first action of an episode is asked for, and again if somebody else acts in between.
//!
//! Rules that no planner knows are refused when the player is built, at their place. Of a game that it fits, it plans from
//! every state, to the last step of the episode; where nothing can be earned any more, the plan is to wait.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{ActionKind, Agent, Game, Policy, State};
use farm_oracle::{Planner, Step};

/// Plays the best plan, knowing what no learner sees.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct OraclePolicy {}

#[farm_core::register(source = "Backwards Valley and Valley Farm, baselines: oracle")]
impl Policy for OraclePolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        Ok(Box::new(Oracle { planner: Planner::of(game)?, actions: Vec::new(), next: (0, 0) }))
    }

    fn knows_hidden(&self, _: &Game) -> bool {
        true
    }
}

struct Oracle {
    planner: Planner,
    /// The actions of the plan that are still to come, the next one last.
    actions: Vec<Step>,
    /// The episode and the step that the next one is for.
    next: (u64, u32),
}

impl Agent for Oracle {
    fn start(&mut self, _: u64) {
        self.actions.clear();
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        // What the plan is made of is known without looking.
        if game.expects(state) == ActionKind::Observation {
            return;
        }
        if self.actions.is_empty() || self.next != (state.seed(), state.step()) {
            // A player claims nothing, so that the plan is played once: in the episode itself.
            self.actions = self.planner.search(game, state).actions;
            self.actions.reverse();
        }
        self.next = (state.seed(), state.step() + 1);
        match self.actions.pop() {
            Some(step) => schedule.extend_from_slice(self.planner.calls(step)),
            // Only an episode that is over has no steps to plan for.
            None => schedule.extend_from_slice(game.catalogue().waiting()),
        }
    }
}
