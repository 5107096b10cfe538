//! Chooses every step uniformly among the flat list of actions.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::rng::{Stream, hash_name, mix};
use farm_core::{Game, Player, Policy, State};

farm_core::parameters! {
    /// Chooses every step uniformly among the flat list of actions.
    pub struct RandomPolicy {}
}

farm_core::register!(
    Policy,
    RandomPolicy,
    "Chooses every step uniformly among the flat list of actions.",
    "Farm-gym paper 5.5"
);

#[farm_core::typetag::serde]
impl Policy for RandomPolicy {
    fn build(&self, _: &Game) -> Result<Box<dyn Player>, Problems> {
        Ok(Box::new(Random(Stream::from_seed(0))))
    }
}

struct Random(Stream);

impl Player for Random {
    fn start(&mut self, seed: u64) {
        // Not the episode's own key: the policy must not share a stream with the game.
        self.0 = Stream::from_seed(mix(seed, const { hash_name("random policy") }));
    }

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        let id = self.0.index(game.catalogue.discrete_len() as u32) as usize;
        schedule.extend_from_slice(game.catalogue.discrete(id).unwrap_or_default());
    }
}
