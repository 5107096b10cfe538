//! Finds resting parts that would do something if they were called anyway.

use crate::game::Game;
use crate::part::Context;
use crate::state::State;
use crate::step::StepRecord;

/// The index of a part that declares that it rests in this state ([`crate::Declarations::sleeps_unless`]) but would change something if it were
/// called. `None` if there is no such part.
pub fn disturbed_sleeper(game: &Game, state: &State) -> Option<usize> {
    let mut record: StepRecord = game.new_record();
    game.ticks.iter().find_map(|tick| {
        let mut after = state.clone();
        let (seed, step) = (state.seed, state.step);
        record.clear();
        let mut context = Context::new(after.cells(game.regions), seed, step, &mut record.events);
        if !tick.rests(&context) {
            return None;
        }
        tick.wake(game, &mut context);
        (after.hash() != state.hash() || !record.events.is_empty()).then_some(tick.part)
    })
}
