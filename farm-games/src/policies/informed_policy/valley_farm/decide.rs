//! Chooses an action from the known part of a farm: the next step in the plan, or in the tour of unseen tiles.

use farm_oracle::Plan;
use farm_oracle::valley_farm::Action;

use super::super::window::Window;
use super::memory::Memory;

/// The number of states with equal time that the quick plan keeps.
const STATES: usize = 10;

/// The maximum number of moves to a barn that is fed at once: the earlier the farmer feeds an animal, the more products it gives.
const NEAR_BARN: usize = 3;

/// The same maximum while the farmer has gifts but knows no villager.
const NEXT_BARN: usize = 1;

/// The action for this step.
pub(crate) fn decide(memory: &Memory, window: &Window) -> Action {
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

/// The number of moves at the start of the plan, and the action after them.
fn first_visit(plan: &Plan<Action>) -> (usize, Action) {
    let moves = plan.actions.iter().take_while(|action| Action::MOVES.contains(action)).count();
    (moves, plan.actions.get(moves).copied().unwrap_or(Action::Wait))
}
