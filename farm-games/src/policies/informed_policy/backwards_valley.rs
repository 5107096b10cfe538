//! Knows the rules, but sees only what a learner sees: goes for the nearest prize it knows of, else where it has not looked.
//!
//! It remembers every tile that its window has shown, and what has become of it since: crops ripen and animals rise by
//! themselves, villagers stay as they are. Base values are hidden from it, so all prizes are the same to it.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{ActionKind, Agent, Game, State};
use farm_oracle::backwards_valley::{Action, Pose, Reading, Rules, StartInTop, Thing, World};
use farm_oracle::grid::Grid;

use super::window::Window;

/// A player for games in which neglect helps.
///
/// # Errors
/// When the map is not observed.
pub(super) fn player(reading: Reading, game: &Game) -> Result<Box<dyn Agent>, Problems> {
    let window = Window::of(game)?;
    let (length, width, _) = reading.size();
    let memory = vec![None; length * width];
    Ok(Box::new(Informed { reading, window, record: vec![0; game.observation().size()], memory }))
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
    /// Crop, animal, villager.
    kind: usize,
    stage: u8,
    last_stage: u8,
    step: u32,
    /// Whether it can still pay.
    pays: bool,
}

#[derive(Clone)]
struct Informed {
    reading: Reading,
    window: Window,
    record: Vec<u8>,
    memory: Vec<Option<Seen>>,
}

impl Sight {
    /// Its stage at a later step, if nobody tends it.
    fn stage_at(&self, step: u32) -> u8 {
        match self.kind {
            2 => self.stage,
            _ => (u32::from(self.stage) + (step - self.step)).min(u32::from(self.last_stage)) as u8,
        }
    }
}

impl Informed {
    /// What is known of a thing that is seen, given what was known before.
    fn sight(&self, before: Option<Sight>, kind: usize, stage: u8, last_stage: u8, step: u32) -> Sight {
        let in_top = stage == last_stage;
        let pays = match before {
            // Whoever comes to the top from below pays on the way.
            Some(before) => before.pays && (kind == 0 || !in_top || before.stage == last_stage),
            None if kind == 0 || !in_top => true,
            // A villager stays as it began; an animal seen late in its top state may well have risen into it.
            None => (kind == 2 || step == 0) && self.reading.start_in_top_pays(kind) == StartInTop::FirstEntry,
        };
        Sight { kind, stage, last_stage, step, pays }
    }

    /// Remembers what the window shows.
    fn look(&mut self, game: &Game, state: &State, at: Pose) {
        game.observe_into(state, &mut self.record);
        let entry = &game.observation().entries()[self.window.entry];
        let (length, width, _) = self.reading.size();
        for (i, tile) in self.window.tiles(length, width, at.tile) {
            let code = |k: usize| entry.number(&self.record, 2 * i + k) as u8;
            let (terrain, status) = (code(0), code(1));
            let before = self.memory[tile].and_then(|seen| seen.thing);
            let shown = self.reading.thing_shown(terrain, status);
            let thing = shown.map(|(kind, stage, last)| self.sight(before, kind, stage, last, state.step()));
            self.memory[tile] = Some(Seen { is_blocked: self.reading.is_blocked(terrain), thing });
        }
    }

    /// The world as far as it is known; what has not been seen is taken for ground.
    fn belief(&self, at: Pose, step: u32) -> World {
        let (length, width, steps) = self.reading.size();
        let blocked = self.memory.iter().map(|seen| seen.is_some_and(|seen| seen.is_blocked)).collect();
        let mut things = [Vec::new(), Vec::new(), Vec::new()];
        for (tile, sight) in self.memory.iter().enumerate().filter_map(|(tile, seen)| Some((tile, (*seen)?.thing?))) {
            // What has risen out of sight has paid; what was in its top state before may be pushed down.
            let stage = sight.stage_at(step);
            let has_risen = sight.kind == 1 && stage == sight.last_stage && sight.stage < stage;
            if sight.pays && !has_risen {
                let start_in_top_pays = StartInTop::FirstEntry;
                let last_stage = sight.last_stage;
                things[sight.kind].push(Thing { tile, stage, last_stage, base_value: 1, start_in_top_pays });
            }
        }
        let [crops, animals, villagers] = things;
        World {
            grid: Grid { length, width, blocked },
            agent: at,
            crops,
            animals,
            villagers,
            meter_limits: [u32::MAX; 3],
            steps: steps.saturating_sub(step),
            // Where feeding is worth it, its tiers count.
            rules: Rules { animals_fall_by: self.reading.animals_fall_by(), ..Rules::default() },
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
        // What is free to see is enough.
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
