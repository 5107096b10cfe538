//! Plans with what it has seen of the farm, and looks around as long as that costs nothing of the plan.
//!
//! It sees what a learner sees: the window, the status underfoot, the inventory, the rounded relationships. It counts its own
//! moves from the place where the rules let it start, and its own feedings; where it was put down without knowing where, it
//! counts from there, and learns from walls where the map ends.
//!
//! The market, while unknown, is nowhere: nothing is planned to be sold. Gifts make up most of what can be earned, so until
//! somebody is known to give them to, nothing else is done than to feed and collect in barns on the way. Later, the quick
//! plan with everything known tells what can still be earned: if it is no less after a step of the tour over the unseen map,
//! that step is taken.

mod memory;
mod tour;

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{ActionKind, Agent, Game, State};
use farm_oracle::Plan;
use farm_oracle::valley_farm::{Action, Reading};

use super::window::{Window, entry};
use memory::Memory;

/// States of equal time that the quick plan follows.
const STATES: usize = 10;

/// Moves to a barn that is fed at once: the earlier, the more its animal gives.
const NEAR_BARN: usize = 3;

/// The same, while the gifts are still to be given.
const NEXT_BARN: usize = 1;

/// A player for games in which things are carried to a market.
///
/// # Errors
/// When something that it looks at is not observed.
pub(super) fn player(reading: Reading, game: &Game) -> Result<Box<dyn Agent>, Problems> {
    let shown = ObservedPlaces {
        window: Window::of(game)?,
        centre: entry(game, "centre")?,
        inventory: entry(game, "inventory")?,
        relationships: entry(game, "relationships")?,
    };
    let memory = Memory::new(&reading, reading.start());
    Ok(Box::new(Informed { reading, shown, record: vec![0; game.observation().size()], memory, next_step: 0 }))
}

/// Where in the observation it finds what it looks at.
#[derive(Debug, Clone, Copy)]
struct ObservedPlaces {
    window: Window,
    centre: usize,
    inventory: usize,
    relationships: usize,
}

#[derive(Clone)]
struct Informed {
    reading: Reading,
    shown: ObservedPlaces,
    record: Vec<u8>,
    memory: Memory,
    /// The step for which the memory holds.
    next_step: u32,
}

impl Informed {
    /// Remembers what is shown.
    fn look(&mut self, game: &Game, state: &State) {
        game.observe_into(state, &mut self.record);
        let record = &self.record;
        let entry = |index: usize| &game.observation().entries()[index];
        let window = entry(self.shown.window.entry);
        self.memory.see_window(&self.shown.window, |i| self.reading.site(window.number(record, i) as u8));
        let status = entry(self.shown.centre).number(record, 0) as u8;
        self.memory.see_animal(self.reading.sated() == Some(status));
        let inventory = entry(self.shown.inventory);
        let amount = |i: usize| if i < inventory.len() { inventory.number(record, i) } else { 0.0 };
        let relationships = entry(self.shown.relationships);
        let points = |i: usize| {
            let label = relationships.kind().labels(i)?.name(relationships.number(record, i) as usize);
            label.parse().ok()
        };
        self.memory.know(self.reading.inventory(amount), points, self.reading.size().2.saturating_sub(state.step()));
    }

    /// What it does now.
    fn decide(&self) -> Action {
        let world = &self.memory.world;
        let plan = world.quick_plan(STATES);
        let Some(planned) = plan.actions.first().copied() else { return Action::Wait };
        let Some(step) = self.memory.is_something_missing().then(|| self.memory.tour(&self.shown.window)).flatten()
        else {
            return planned;
        };
        let (moves, visit) = first_visit(&plan);
        let is_quick_feed = visit == Action::FeedAnimal && moves <= NEAR_BARN;
        if self.memory.seeks_somebody() {
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
}

/// How many moves the plan begins with, and what it does then.
fn first_visit(plan: &Plan<Action>) -> (usize, Action) {
    let moves = plan.actions.iter().take_while(|action| Action::MOVES.contains(action)).count();
    (moves, plan.actions.get(moves).copied().unwrap_or(Action::Wait))
}

impl Agent for Informed {
    fn start(&mut self, _: u64) {
        self.memory = Memory::new(&self.reading, self.reading.start());
        self.next_step = 0;
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        // What is free to see is enough.
        if game.expects(state) == ActionKind::Observation {
            return;
        }
        if state.step() != self.next_step {
            // Somebody else has acted, or another episode has begun: only at its start the place is known.
            let start = self.reading.start().filter(|_| state.step() == 0);
            self.memory = Memory::new(&self.reading, start);
        }
        self.look(game, state);
        let action = self.decide();
        self.memory.world.pass(action);
        self.next_step = state.step() + 1;
        schedule.extend_from_slice(self.reading.calls(action));
    }
}
