//! What to do with what is known of a farm: the plan, or a step of the tour over what was not seen.

use farm_oracle::Plan;
use farm_oracle::valley_farm::Action;

use super::super::window::Window;
use super::memory::Memory;

/// States of equal time that the quick plan follows.
const STATES: usize = 10;

/// Moves to a barn that is fed at once: the earlier, the more its animal gives.
const NEAR_BARN: usize = 3;

/// The same, while the gifts are still to be given.
const NEXT_BARN: usize = 1;

/// What to do now.
pub(in crate::policies) fn decide(memory: &Memory, window: &Window) -> Action {
    let world = &memory.world;
    let plan = world.quick_plan(STATES);
    let Some(planned) = plan.actions.first().copied() else { return Action::Wait };
    let Some(step) = memory.is_something_missing().then(|| memory.tour(window)).flatten() else {
        return planned;
    };
    let (moves, visit) = first_visit(&plan);
    let is_quick_feed = visit == Action::FeedAnimal && moves <= NEAR_BARN;
    if memory.seeks_somebody() {
        let is_barn = matches!(visit, Action::FeedAnimal | Action::CollectProduct);
        return if is_barn && moves <= NEXT_BARN { planned } else { step };
    }
    if visit == Action::GiveGift || is_quick_feed || planned == step {
        return planned;
    }
    let mut after = world.clone();
    after.pass(step);
    if after.quick_plan(STATES).value >= plan.value { step } else { planned }
}

/// How many moves the plan begins with, and what it does then.
fn first_visit(plan: &Plan<Action>) -> (usize, Action) {
    let moves = plan.actions.iter().take_while(|action| Action::MOVES.contains(action)).count();
    (moves, plan.actions.get(moves).copied().unwrap_or(Action::Wait))
}
