//! Chooses every step uniformly among the flat list of actions.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::rng::{Stream, hash_name, mix};
use farm_core::{Game, Player, Policy, State};

use super::room::Room;

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
    fn build(&self, game: &Game) -> Result<Box<dyn Player>, Problems> {
        Ok(Box::new(Random { stream: Stream::from_seed(0), room: Room::of(game) }))
    }
}

struct Random {
    stream: Stream,
    room: Room,
}

impl Player for Random {
    fn start(&mut self, seed: u64) {
        // Not the episode's own key: the policy must not share a stream with the game.
        self.stream = Stream::from_seed(mix(seed, const { hash_name("random policy") }));
    }

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        let id = self.stream.index(game.catalogue.discrete_len() as u32) as usize;
        for call in game.catalogue.discrete(id).unwrap_or_default() {
            if self.room.holds(game, schedule, call) {
                schedule.push(*call);
            }
        }
    }
}
