//! Does nothing.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Game, Player, Policy, State};

farm_core::parameters! {
    /// Does nothing.
    pub struct WaitPolicy {}
}

farm_core::register!(Policy, WaitPolicy, "Does nothing: the baseline of every game.", "Farm-gym paper 5.5");

#[farm_core::typetag::serde]
impl Policy for WaitPolicy {
    fn build(&self, _: &Game) -> Result<Box<dyn Player>, Problems> {
        Ok(Box::new(Wait))
    }
}

struct Wait;

impl Player for Wait {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        schedule.extend_from_slice(game.catalogue.waiting());
    }
}
