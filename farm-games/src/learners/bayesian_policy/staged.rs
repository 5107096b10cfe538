//! Plays Backwards Valley by a member drawn from its beliefs.

use farm_core::action::Call;
use farm_core::config::{ParameterError, Path, Problem, Problems};
use farm_core::{Agent, Game, State, Stream};
use farm_oracle::backwards_valley::{Action, Kind, MAX_KINDS, Pays, Pose, StartInTop, Thing, Verb, World};
use farm_oracle::grid::Grid;

use super::beliefs::{Beliefs, Seen};
use crate::families::KindHypothesis;
use crate::policies::entry;
use crate::policies::{KnownKind, ShownTile, Sights};

/// A player for games with things that go through stages.
///
/// # Errors
/// The kinds are not those of the family, the game lacks a word, or a variable is not observed.
pub(super) fn player(
    game: &Game,
    kinds: &[KnownKind],
    total: &str,
    keeps_laws: bool,
) -> Result<Box<dyn Agent>, Problems> {
    let sights = Sights::of(game, kinds)?;
    let wrong = |path: Path, value: usize, expected: String| {
        let message = "the kinds do not match the family, so their possible rules are unknown";
        Problems(vec![Problem::new(ParameterError::UnknownChoice, path, message).value(value).expected(expected)])
    };
    for (rank, kind) in kinds.iter().enumerate() {
        let path = Path::default().child("kinds").child(rank);
        match KindHypothesis::stages(rank) {
            Some(stages) if stages == kind.stages.len() && kind.verbs.len() == 2 => {}
            Some(stages) => {
                let expected = format!("{stages} stages and two verbs, as in the family");
                return Err(wrong(path.child("stages"), kind.stages.len(), expected));
            }
            None => return Err(wrong(path, kinds.len(), "crops, animals and villagers, in this order".to_owned())),
        }
    }
    let total = entry(game, total)?;
    let (length, width, _) = sights.reading.size();
    let mut stream = Stream::from_seed(0);
    let beliefs = beliefs(&sights, &mut stream);
    let record = vec![0; game.observation().size()];
    let memory = vec![None; length * width];
    let things = vec![Vec::new(); beliefs.len()];
    Ok(Box::new(Learner {
        sights,
        total,
        record,
        memory,
        things,
        beliefs,
        keeps_laws,
        has_learnt: false,
        stream,
        last: None,
        value: 0.0,
    }))
}

fn beliefs(sights: &Sights, stream: &mut Stream) -> Vec<Beliefs> {
    let kinds = sights.kinds.iter().enumerate();
    kinds.map(|(rank, kind)| Beliefs::new(rank, kind.is_stood_on, stream)).collect()
}

/// A tile that was seen.
#[derive(Debug, Clone, Copy)]
struct Tile {
    is_blocked: bool,
    /// The thing on it: its kind, and its index among the things of this kind.
    thing: Option<(usize, usize)>,
}

#[derive(Clone)]
struct Learner {
    sights: Sights,
    /// The entry of the observation whose increase is the reward.
    total: usize,
    record: Vec<u8>,
    memory: Vec<Option<Tile>>,
    /// The tiles of known things, by kind; none for things that are gone.
    things: Vec<Vec<Option<usize>>>,
    beliefs: Vec<Beliefs>,
    keeps_laws: bool,
    /// Whether it has observed anything yet.
    has_learnt: bool,
    stream: Stream,
    /// The target of the last verb, as a kind and a thing, and the index of the verb.
    last: Option<(usize, usize, usize)>,
    value: f64,
}

impl Learner {
    /// Updates the beliefs with the new observation.
    fn learn_from(&mut self, tiles: &[ShownTile], game: &Game, state: &State, at: Pose) {
        self.has_learnt = true;
        let value = game.observation().entries()[self.total].number(&self.record, 0);
        let reward = value - std::mem::replace(&mut self.value, value);
        let mut seen: Vec<Vec<Seen>> = vec![Vec::new(); self.beliefs.len()];
        let (mut was_taken, mut underfoot) = (false, None);
        for ShownTile { tile, is_blocked, thing: shown } in tiles.iter().copied() {
            let known = self.memory[tile].and_then(|tile| tile.thing);
            let thing = match (known, shown) {
                (Some((kind, thing)), Some((_, word))) => {
                    seen[kind].push(Seen { thing, word: Some(word) });
                    Some((kind, thing))
                }
                (Some((kind, thing)), None) => {
                    seen[kind].push(Seen { thing, word: None });
                    self.things[kind][thing] = None;
                    was_taken |= tile == at.tile;
                    None
                }
                (None, Some((kind, word))) => {
                    let thing = self.things[kind].len();
                    self.things[kind].push(Some(tile));
                    seen[kind].push(Seen { thing, word: Some(word) });
                    Some((kind, thing))
                }
                (None, None) => None,
            };
            if tile == at.tile {
                underfoot = thing;
            }
            self.memory[tile] = Some(Tile { is_blocked, thing });
        }
        let last = self.last.take();
        for (kind, beliefs) in self.beliefs.iter_mut().enumerate() {
            let before = beliefs.played().0.clone();
            let used = last.filter(|(of, ..)| *of == kind).map(|(_, thing, verb)| (thing, verb));
            beliefs.step(used, &seen[kind], state.step());
            if let Some((_, thing)) = underfoot.filter(|(of, _)| *of == kind && self.sights.kinds[kind].is_stood_on) {
                beliefs.not_taken(thing);
            }
            // What was taken explains a reward, and no reward is told apart from none.
            if state.step() > 0 && (reward <= 0.0 || !was_taken) {
                beliefs.paid(reward > 0.0);
            }
            beliefs.keep_playing(&before, &mut self.stream);
        }
    }

    /// The world under the hypotheses that it plays by; unseen tiles count as free ground.
    fn world(&self, at: Pose, step: u32) -> World {
        let (length, width, steps) = self.sights.reading.size();
        let blocked = self.memory.iter().map(|tile| tile.is_some_and(|tile| tile.is_blocked)).collect();
        let kind = |(rank, beliefs): (usize, &Beliefs)| {
            let (rules, lives) = beliefs.played();
            let tiles = self.things[rank].iter().zip(lives);
            let left = tiles.filter_map(|(tile, life)| Some(((*tile)?, life))).filter(|(_, life)| !life.has_paid);
            let verbs = rules.effects.iter().enumerate();
            Kind {
                things: left
                    .map(|(tile, life)| Thing { tile, stage: life.stage, waited: life.waited, base_value: 1 })
                    .collect(),
                untended: rules.untended,
                every: rules.every,
                verbs: verbs
                    .filter_map(|(i, effect)| Some(Verb { number: (2 * rank + i) as u8, effect: (*effect)? }))
                    .collect(),
                pays: if self.sights.kinds[rank].is_stood_on { Pays::WhenStoodOn } else { Pays::OnFirstEntry },
                last_stage: (rules.ranks.len() - 1) as u8,
                start_in_top_pays: StartInTop::FirstEntry,
                meter: 0,
            }
        };
        World {
            grid: Grid { length, width, blocked },
            agent: at,
            kinds: self.beliefs.iter().enumerate().map(kind).collect(),
            meter_limits: [u32::MAX; MAX_KINDS],
            steps: steps.saturating_sub(step),
        }
    }
}

/// The maximum number of draws in search of hypotheses that promise a reward.
const REDRAWS: usize = 8;

impl Agent for Learner {
    fn start(&mut self, seed: u64) {
        self.stream = Stream::from_seed(seed);
        self.memory.fill(None);
        self.things.iter_mut().for_each(Vec::clear);
        if self.keeps_laws && self.has_learnt {
            self.beliefs.iter_mut().for_each(Beliefs::forget_things);
        } else {
            self.beliefs = beliefs(&self.sights, &mut self.stream);
        }
        (self.last, self.value) = (None, 0.0);
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let Some((at, shown)) = self.sights.look(game, state, &mut self.record) else { return };
        self.learn_from(&shown, game, state, at);
        let mut world = self.world(at, state.step());
        let mut goal = world.towards_nearest();
        // A hypothesis by which nothing is to be had here would never be put to the test.
        for _ in 0..REDRAWS {
            if goal.is_some() {
                break;
            }
            self.beliefs.iter_mut().for_each(|beliefs| beliefs.draw(&mut self.stream));
            world = self.world(at, state.step());
            goal = world.towards_nearest();
        }
        let explore = || {
            let new = |tile: usize| self.memory[tile].is_none();
            self.sights.window.towards_something_new(&world.grid, at.tile, new).map(|way| Action::MOVES[way])
        };
        match goal.or_else(explore).unwrap_or(Action::Wait) {
            Action::Verb(number) => {
                let (kind, verb) = (usize::from(number) / 2, usize::from(number) % 2);
                let ahead = world.grid.ahead(at.tile, at.facing);
                let target = ahead.and_then(|tile| self.memory[tile]?.thing).filter(|(of, _)| *of == kind);
                self.last = target.map(|(_, thing)| (kind, thing, verb));
                schedule.extend_from_slice(&self.sights.kinds[kind].verbs[verb]);
            }
            action => schedule.extend_from_slice(self.sights.reading.calls(action)),
        }
    }
}
