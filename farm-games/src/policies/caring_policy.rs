//! Cares for everything it sees, as common sense suggests: the nearest thing first, until it looks its best.
//!
//! It does not harvest or walk over crops that it has not cared for, and it never checks the effects of its care. If neglect helps, it
//! stays in front of one thing and sets it back forever.

use std::collections::VecDeque;

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy, State};
use farm_oracle::backwards_valley::{Action, Pose};
use farm_oracle::grid::Grid;

use super::known_kinds::{KnownKind, ShownTile, Sights};

/// Cares for the nearest thing until it looks its best, and never checks the effects.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct CaringPolicy {
    /// The kinds of things. The policy uses only the first verb of each kind.
    pub kinds: Vec<KnownKind>,
}

#[farm_core::register(source = "the control policy for families of rules, which follows common sense")]
impl Policy for CaringPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let sights = Sights::of(game, &self.kinds)?;
        let (length, width, _) = sights.reading.size();
        let record = vec![0; game.observation().size()];
        let tiles = length * width;
        Ok(Box::new(Carer { sights, record, memory: vec![None; tiles], is_cared_for: vec![false; tiles] }))
    }
}

#[derive(Clone)]
struct Carer {
    sights: Sights,
    record: Vec<u8>,
    /// Each tile as last seen.
    memory: Vec<Option<ShownTile>>,
    /// Whether it has cared for the thing on each tile.
    is_cared_for: Vec<bool>,
}

impl Carer {
    /// The kind of a thing that needs care: it does not look its best, or the farmer must stand on it and has not cared for it yet.
    fn wants_care(&self, tile: usize) -> Option<usize> {
        let (kind, stage) = self.memory[tile]?.thing?;
        let words = &self.sights.kinds[kind];
        let is_best = usize::from(stage) + 1 == words.statuses.len();
        (!is_best || (words.is_stood_on && !self.is_cared_for[tile])).then_some(kind)
    }

    /// Whether the thing on a tile has been cared for, looks its best, and pays when the farmer stands on it.
    fn is_to_be_taken(&self, tile: usize) -> bool {
        let thing = self.memory[tile].and_then(|seen| seen.thing);
        thing.is_some_and(|(kind, _)| self.sights.kinds[kind].is_stood_on) && self.wants_care(tile).is_none()
    }

    /// The known grid, and the tiles to avoid: crops that have not been cared for, or are not ready.
    fn grid(&self) -> (Grid, Vec<bool>) {
        let (length, width, _) = self.sights.reading.size();
        let blocked = self.memory.iter().map(|seen| seen.is_some_and(|seen| seen.is_blocked)).collect();
        let is_crop = |tile: usize| {
            let thing = self.memory[tile].and_then(|seen| seen.thing);
            thing.is_some_and(|(kind, _)| self.sights.kinds[kind].is_stood_on)
        };
        let kept_off = (0..self.memory.len()).map(|tile| is_crop(tile) && self.wants_care(tile).is_some()).collect();
        (Grid { length, width, blocked }, kept_off)
    }

    /// The first action on the shortest way to a thing that needs care or can be taken.
    fn towards_nearest(&self, grid: &Grid, kept_off: &[bool], agent: Pose) -> Option<Action> {
        let care = |tile: usize, facing: usize| grid.ahead(tile, facing).and_then(|ahead| self.wants_care(ahead));
        if let Some(kind) = care(agent.tile, agent.facing) {
            return Some(Action::Verb(kind as u8));
        }
        let mut was_reached = vec![false; Action::MOVES.len() * self.memory.len()];
        let mut queue = VecDeque::from([(agent.tile, agent.facing, None)]);
        while let Some((tile, facing, first)) = queue.pop_front() {
            if std::mem::replace(&mut was_reached[Action::MOVES.len() * tile + facing], true) {
                continue;
            }
            for (direction, step) in Action::MOVES.into_iter().enumerate() {
                let next = match grid.ahead(tile, direction) {
                    Some(ahead) if kept_off[ahead] => continue,
                    Some(ahead) if !grid.blocked[ahead] => ahead,
                    // A fence or the border: it turns there and stays.
                    _ => tile,
                };
                let first = first.unwrap_or(step);
                if care(next, direction).is_some() || (next != tile && self.is_to_be_taken(next)) {
                    return Some(first);
                }
                queue.push_back((next, direction, Some(first)));
            }
        }
        None
    }
}

impl Agent for Carer {
    fn start(&mut self, _: u64) {
        self.memory.fill(None);
        self.is_cared_for.fill(false);
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let Some((agent, shown)) = self.sights.look(game, state, &mut self.record) else { return };
        shown.into_iter().for_each(|shown| self.memory[shown.tile] = Some(shown));
        let (mut grid, kept_off) = self.grid();
        let action = self.towards_nearest(&grid, &kept_off, agent).or_else(|| {
            grid.blocked.iter_mut().zip(&kept_off).for_each(|(blocked, kept_off)| *blocked |= kept_off);
            let new = |tile: usize| self.memory[tile].is_none();
            let direction = self.sights.window.towards_something_new(&grid, agent.tile, new);
            direction.map(|direction| Action::MOVES[direction])
        });
        match action {
            Some(Action::Verb(kind)) => {
                if let Some(cared_for) = grid.ahead(agent.tile, agent.facing) {
                    self.is_cared_for[cared_for] = true;
                }
                let verbs = self.sights.kinds.get(usize::from(kind)).and_then(|words| words.verbs.first());
                schedule.extend_from_slice(verbs.map_or(&[], Vec::as_slice));
            }
            action => schedule.extend_from_slice(self.sights.reading.calls(action.unwrap_or(Action::Wait))),
        }
    }
}
