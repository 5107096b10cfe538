//! Plays the best plan, which a planner with full knowledge computes.
//!
//! It plans at an episode's first action, and again if another player acts in between.
//!
//! If no planner supports the rules, the player cannot be built, and the error locates the rule. Otherwise it can
//! plan from every state to the last step of the episode. If no more rewards are possible, the plan is to wait.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{ActionKind, Agent, Game, Policy, State};
use farm_oracle::{Planner, Step};

/// Plays the best plan, with full knowledge of rules and map.
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
    /// The plan's remaining actions in reverse order: the next one is last.
    actions: Vec<Step>,
    /// The episode and the step of the next action.
    next: (u64, u32),
}

impl Agent for Oracle {
    fn start(&mut self, _: u64) {
        self.actions.clear();
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        // The planner reads the state directly, so it needs no observations.
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
            // The plan is empty only after the end of the episode.
            None => schedule.extend_from_slice(game.catalogue().waiting()),
        }
    }
}
