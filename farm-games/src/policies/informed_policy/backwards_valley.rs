//! Knows the rules, but has only a learner's observations. It goes to the nearest known prize, otherwise to unseen tiles.
//!
//! It remembers every tile that its window has shown, and predicts each thing's stage from the rules for its kind. It
//! does not know the base values, so all prizes count the same.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{ActionKind, Agent, Game, State};
use farm_oracle::backwards_valley::{Action, Kind, MAX_KINDS, Pays, Pose, Reading, StartInTop, Thing, Untended, World};
use farm_oracle::grid::Grid;

use super::window::Window;

/// A player for games with things that have stages.
///
/// # Errors
/// The map is not observed.
pub(super) fn player(reading: Reading, game: &Game) -> Result<Box<dyn Agent>, Problems> {
    let window = Window::with_statuses(game)?;
    let (length, width, _) = reading.size();
    let memory = vec![None; length * width];
    let kinds = reading.kinds().cloned().collect();
    Ok(Box::new(Informed { reading, kinds, window, record: vec![0; game.observation().size()], memory }))
}

/// A tile that was seen.
#[derive(Debug, Clone, Copy)]
struct Seen {
    is_blocked: bool,
    thing: Option<Sight>,
}

/// A thing when it was last seen.
#[derive(Debug, Clone, Copy)]
struct Sight {
    /// The index of its kind.
    kind: usize,
    stage: u8,
    /// The step since which it has probably been in this stage.
    since: u32,
    /// Whether it can still pay.
    pays: bool,
}

#[derive(Clone)]
struct Informed {
    reading: Reading,
    kinds: Vec<Kind>,
    window: Window,
    record: Vec<u8>,
    memory: Vec<Option<Seen>>,
}

impl Sight {
    /// Its stage at a later step without care, and the number of steps in this stage.
    fn at(&self, kind: &Kind, step: u32) -> (u8, u32) {
        let (waited, every) = (step.saturating_sub(self.since), kind.every);
        let changes = (waited / every).min(u32::from(u8::MAX)) as u8;
        match kind.untended {
            Untended::Advances => (self.stage.saturating_add(changes).min(kind.last_stage), waited % every),
            Untended::Regresses => (self.stage.saturating_sub(changes), waited % every),
            Untended::Stays => (self.stage, 0),
        }
    }
}

impl Informed {
    /// The new knowledge about a visible thing, given the old knowledge.
    fn sight(&self, before: Option<Sight>, kind: usize, stage: u8, step: u32) -> Sight {
        let rules = &self.kinds[kind];
        let in_top = stage == rules.last_stage;
        let is_stood_on = rules.pays == Pays::WhenStoodOn;
        let pays = match before {
            // A thing that reached its top state from below has paid.
            Some(before) => before.pays && (is_stood_on || !in_top || before.stage == rules.last_stage),
            None if is_stood_on || !in_top => true,
            // A new thing in its top state: if its kind advances and the episode is not new, it has probably risen and paid.
            None => {
                (rules.untended != Untended::Advances || step == 0) && rules.start_in_top_pays == StartInTop::FirstEntry
            }
        };
        // If the prediction was right, the waiting time continues.
        let waited = before.map(|before| before.at(rules, step)).filter(|(foreseen, _)| *foreseen == stage);
        let since = waited.map_or(step, |(_, waited)| step - waited);
        Sight { kind, stage, since, pays }
    }

    /// Records what the window shows.
    fn look(&mut self, game: &Game, state: &State, at: Pose) {
        game.observe_into(state, &mut self.record);
        let entry = &game.observation().entries()[self.window.entry];
        let (length, width, _) = self.reading.size();
        for (i, tile) in self.window.tiles(length, width, at.tile) {
            let code = |k: usize| entry.number(&self.record, 2 * i + k) as u8;
            let (terrain, status) = (code(0), code(1));
            let before = self.memory[tile].and_then(|seen| seen.thing);
            let shown = self.reading.thing_shown(terrain, status);
            let thing = shown.map(|(kind, stage)| self.sight(before, kind, stage, state.step()));
            self.memory[tile] = Some(Seen { is_blocked: self.reading.is_blocked(terrain), thing });
        }
    }

    /// The known world; unseen tiles count as free.
    fn belief(&self, at: Pose, step: u32) -> World {
        let (length, width, steps) = self.reading.size();
        let blocked = self.memory.iter().map(|seen| seen.is_some_and(|seen| seen.is_blocked)).collect();
        let mut kinds = self.kinds.clone();
        for (tile, sight) in self.memory.iter().enumerate().filter_map(|(tile, seen)| Some((tile, (*seen)?.thing?))) {
            let kind = &mut kinds[sight.kind];
            // A thing that has risen out of sight has paid. A thing that was already in its top state can be set back.
            let (stage, waited) = sight.at(kind, step);
            let has_risen = kind.pays == Pays::OnFirstEntry && stage == kind.last_stage && sight.stage < stage;
            if sight.pays && !has_risen {
                kind.things.push(Thing { tile, stage, waited, base_value: 1 });
            }
        }
        // A thing that starts in its top state and has not paid must reach this state again.
        kinds.iter_mut().for_each(|kind| kind.start_in_top_pays = StartInTop::FirstEntry);
        World {
            grid: Grid { length, width, blocked },
            agent: at,
            kinds,
            meter_limits: [u32::MAX; MAX_KINDS],
            steps: steps.saturating_sub(step),
        }
    }
}

impl Agent for Informed {
    fn start(&mut self, _: u64) {
        self.memory.fill(None);
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        // Free observations are enough.
        if game.expects(state) == ActionKind::Observation {
            return;
        }
        // Position and facing are part of every observation of a grid farmer.
        let at = self.reading.pose(&game.reader(state));
        self.look(game, state, at);
        let belief = self.belief(at, state.step());
        let explore = || self.window.towards_something_new(&belief.grid, at.tile, |tile| self.memory[tile].is_none());
        let action = belief.towards_nearest().or_else(|| explore().map(|direction| Action::MOVES[direction]));
        schedule.extend_from_slice(self.reading.calls(action.unwrap_or(Action::Wait)));
    }
}
