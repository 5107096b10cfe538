//! In every step, chooses an action uniformly at random from the flat action list. If observations cost money, it chooses only among the
//! actions that the step accepts.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::spec::InteractionMode;
use farm_core::{Agent, Game, Policy, State, Stream, hash_name, mix};

use super::schedule_budget::ScheduleBudget;

/// Chooses an action from the flat list uniformly at random in every step.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct RandomPolicy {}

#[farm_core::register(source = "Farm-gym paper 5.5")]
impl Policy for RandomPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mask = vec![0; game.catalogue().discrete_len()];
        Ok(Box::new(Random { stream: Stream::from_seed(0), budget: ScheduleBudget::of(game), mask }))
    }
}

#[derive(Clone)]
struct Random {
    stream: Stream,
    budget: ScheduleBudget,
    /// The allowed actions; used only if they differ between steps.
    mask: Vec<u8>,
}

impl Agent for Random {
    fn start(&mut self, seed: u64) {
        // Not the episode's own key: the policy must not share a stream with the game.
        self.stream = Stream::from_seed(mix(seed, const { hash_name("random policy") }));
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let all = game.catalogue().discrete_len();
        let id = if game.spec().interaction_mode() == InteractionMode::Aomdp {
            game.action_mask(state, &mut self.mask);
            let allowed = self.mask.iter().filter(|bit| **bit == 1).count().max(1);
            let chosen = self.stream.index(allowed as u32) as usize;
            self.mask.iter().enumerate().filter(|(_, bit)| **bit == 1).nth(chosen).map_or(0, |(id, _)| id)
        } else {
            self.stream.index(all as u32) as usize
        };
        for call in game.catalogue().discrete(id).unwrap_or_default() {
            if self.budget.holds(game, state, schedule, call) {
                schedule.push(*call);
            }
        }
    }
}
