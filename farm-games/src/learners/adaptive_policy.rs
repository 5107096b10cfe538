//! Learns within an episode: it tries unknown verbs, observes their effects, and then repeats the verbs that paid.
//!
//! It knows words but no rules. The words are the terrain, stages and verbs for each kind of thing. By comparing its window before and
//! after a step, it learns each verb's effect on each stage, and how things change without care. From the reward it learns in which stage a
//! thing pays. It assumes that untried verbs and stages are good, so it tries everything that might pay, nearest first.
//!
//! In Valley Farm it plays with `valley_learner/`, which also knows only words.

use std::collections::VecDeque;

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy, State};
use farm_oracle::GridReading;
use farm_oracle::backwards_valley::{
    Action, Effect, Kind, MAX_KINDS, Pays, Pose, StartInTop, Thing, Untended, Verb, World,
};
use farm_oracle::grid::{FAR, Grid};

use super::valley_learner::{self, Knows};
use crate::policies::entry;
use crate::policies::{KnownKind, ShownTile, Sights};

/// Tries verbs and stages, remembers their results, and then repeats the ones that paid.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct AdaptivePolicy {
    /// The kinds of things. Leave it empty in games with a market, where the policy reads the words from the game.
    #[parameter(default = Vec::new())]
    pub kinds: Vec<KnownKind>,
    /// The observed sum whose increase is the reward; unused in games with a market.
    #[parameter(default = "farm_value".into())]
    pub total: String,
    /// Whether it keeps its knowledge for the next episode. Set it only if all episodes have the same rules.
    #[parameter(default = false)]
    pub keeps_laws: bool,
}

#[farm_core::register(source = "the scripted learner for families of rules")]
impl Policy for AdaptivePolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        if let GridReading::ValleyFarm(reading) = GridReading::of(game)?
            && self.kinds.is_empty()
        {
            return valley_learner::player(*reading, game, Knows::Words, self.keeps_laws);
        }
        let sights = Sights::of(game, &self.kinds)?;
        let total = entry(game, &self.total)?;
        let (length, width, _) = sights.reading.size();
        let laws = sights.kinds.iter().map(|kind| Learned::new(kind.statuses.len(), kind.verbs.len())).collect();
        let record = vec![0; game.observation().size()];
        let memory = vec![None; length * width];
        Ok(Box::new(Learner {
            sights,
            total,
            record,
            memory,
            laws,
            keeps_laws: self.keeps_laws,
            last: None,
            value: 0.0,
        }))
    }
}

/// The knowledge about a kind.
#[derive(Debug, Clone, Default)]
struct Learned {
    /// The next stage, by verb and stage.
    verbs: Vec<Vec<Option<u8>>>,
    /// For each stage, the next stage without care, and the number of steps in which the stage did not change.
    alone: Vec<Option<u8>>,
    lasted: Vec<u32>,
    /// How often each stage paid, and how often an expected reward was missing.
    paid: Vec<u32>,
    failed: Vec<u32>,
}

impl Learned {
    fn new(stages: usize, verbs: usize) -> Self {
        Self {
            verbs: vec![vec![None; stages]; verbs],
            alone: vec![None; stages],
            lasted: vec![0; stages],
            paid: vec![0; stages],
            failed: vec![0; stages],
        }
    }

    /// Forgets everything.
    fn forget(&mut self) {
        *self = Self::new(self.alone.len(), self.verbs.len());
    }

    /// Starts another map with the same rules.
    ///
    /// It keeps the effects of verbs and time. The paying stage becomes a guess, which a single missing reward overturns. Rewards from
    /// other things in the same step may have misled the policy.
    fn carry_over(&mut self) {
        let pays = self.pays();
        self.paid.fill(0);
        self.failed.fill(0);
        self.lasted.fill(0);
        if let Some(stage) = pays {
            self.paid[usize::from(stage)] = 1;
        }
    }

    /// The stage that pays; none if unknown.
    fn pays(&self) -> Option<u8> {
        let best =
            (0..self.paid.len()).max_by_key(|stage| (self.paid[*stage], std::cmp::Reverse(self.failed[*stage])))?;
        (self.paid[best] > self.failed[best]).then_some(best as u8)
    }

    /// Whether a stage may pay.
    fn may_pay(&self, stage: u8) -> bool {
        match self.pays() {
            Some(pays) => pays == stage,
            None => self.failed[usize::from(stage)] == 0,
        }
    }

    /// The next verb that leads a thing in this stage to a stage that may pay, and the number of steps until then.
    ///
    /// Untried verbs are assumed to lead there.
    fn verb_to_paying(&self, stage: u8) -> Option<(usize, u32)> {
        const HOPE: u32 = 1;
        let mut reached: Vec<Option<(usize, u32)>> = vec![None; self.alone.len()];
        let mut queue = VecDeque::from([(stage, None, 0)]);
        let mut hoped: Option<(usize, u32)> = None;
        while let Some((at, first, spent)) = queue.pop_front() {
            for (verb, effects) in self.verbs.iter().enumerate() {
                let first = first.unwrap_or(verb);
                let Some(next) = effects[usize::from(at)] else {
                    let hope = (first, spent + 1 + HOPE);
                    hoped = Some(hoped.filter(|known| known.1 <= hope.1).unwrap_or(hope));
                    continue;
                };
                if next != at && self.may_pay(next) {
                    let known = (first, spent + 1);
                    return Some(hoped.filter(|hope| hope.1 < known.1).unwrap_or(known));
                }
                if next != stage && reached[usize::from(next)].is_none() {
                    reached[usize::from(next)] = Some((first, spent + 1));
                    queue.push_back((next, Some(first), spent + 1));
                }
            }
        }
        hoped
    }

    /// Whether a thing reaches the paying stage by itself.
    fn comes_by_itself(&self, mut stage: u8) -> bool {
        let Some(pays) = self.pays() else { return false };
        for _ in 0..self.alone.len() {
            match self.alone[usize::from(stage)] {
                Some(next) if next == pays => return true,
                Some(next) => stage = next,
                None => return false,
            }
        }
        false
    }
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
    kind: usize,
    stage: u8,
    step: u32,
    /// Whether it is known to have paid.
    has_paid: bool,
    /// The number of verbs used on it.
    tries: u32,
}

/// The maximum number of verbs used on one thing; after that, it is ignored.
const MAX_TRIES: u32 = 9;

#[derive(Clone)]
struct Learner {
    sights: Sights,
    /// The entry of the observation whose increase is the reward.
    total: usize,
    record: Vec<u8>,
    memory: Vec<Option<Seen>>,
    laws: Vec<Learned>,
    keeps_laws: bool,
    /// The last verb and its tile.
    last: Option<(usize, usize)>,
    value: f64,
}

impl Learner {
    /// Learns from the changes in the last step.
    fn learn_from(&mut self, tiles: &[ShownTile], game: &Game, state: &State, at: Pose) {
        let value = game.observation().entries()[self.total].number(&self.record, 0);
        let reward = value - std::mem::replace(&mut self.value, value);
        let last = self.last.take();
        for ShownTile { tile, is_blocked, thing: shown } in tiles.iter().copied() {
            let before = self.memory[tile].and_then(|seen| seen.thing);
            // Only a thing seen one step ago shows the effect of the step.
            let lately = before.filter(|before| before.step + 1 == state.step());
            let verb = last.filter(|(_, target)| *target == tile).map(|(verb, _)| verb);
            if let Some(before) = lately {
                self.learn(before, shown.map(|(_, stage)| stage), verb, reward, tile == at.tile);
            }
            let thing = shown.map(|(kind, stage)| {
                let entered =
                    lately.is_some_and(|before| before.stage != stage) && self.laws[kind].pays() == Some(stage);
                Sight {
                    kind,
                    stage,
                    step: state.step(),
                    has_paid: before.is_some_and(|before| before.has_paid) || entered,
                    tries: before.map_or(0, |before| before.tries) + u32::from(verb.is_some()),
                }
            });
            self.memory[tile] = Some(Seen { is_blocked, thing });
        }
    }

    /// Learns a step's effect on a thing: `after` is its new stage, or none if it is gone.
    fn learn(&mut self, before: Sight, after: Option<u8>, verb: Option<usize>, reward: f64, is_underfoot: bool) {
        let is_stood_on = self.sights.kinds[before.kind].is_stood_on;
        let laws = &mut self.laws[before.kind];
        let stage = usize::from(before.stage);
        let Some(after) = after else {
            if is_underfoot && reward > 0.0 {
                // It was taken in the stage that it came to in the step.
                let taken = laws.alone[stage].filter(|_| laws.lasted[stage] == 0).map_or(stage, usize::from);
                laws.paid[taken] += 1;
            }
            return;
        };
        match verb {
            Some(verb) => laws.verbs[verb][stage] = Some(after),
            None if after != before.stage => laws.alone[stage] = Some(after),
            None => laws.lasted[stage] += 1,
        }
        let counted = match is_stood_on {
            true => is_underfoot.then_some(after),
            false => (after != before.stage && !before.has_paid).then_some(after),
        };
        if let Some(stage) = counted {
            let stage = usize::from(stage);
            if reward > 0.0 && !is_stood_on {
                // Another thing may also have paid. A change by a verb is stronger evidence than a change by itself.
                laws.paid[stage] += if verb.is_some() { 2 } else { 1 };
            } else if reward <= 0.0 {
                laws.failed[stage] += 1;
            }
        }
    }

    /// The known grid; unseen tiles count as free.
    fn grid(&self) -> Grid {
        let (length, width, _) = self.sights.reading.size();
        let blocked = self.memory.iter().map(|seen| seen.is_some_and(|seen| seen.is_blocked)).collect();
        Grid { length, width, blocked }
    }

    /// The tile of the thing that will probably pay first, and the verb to use; no verb if the farmer must stand on the tile.
    fn goal(&self, grid: &Grid, at: Pose) -> Option<(usize, Option<usize>)> {
        let distances = grid.distances(at.tile);
        let things = self.memory.iter().enumerate().filter_map(|(tile, seen)| Some((tile, (*seen)?.thing?)));
        let choices = things.filter_map(|(tile, sight)| {
            let laws = &self.laws[sight.kind];
            let is_far = distances[tile] == FAR;
            if is_far || sight.has_paid || sight.tries >= MAX_TRIES {
                return None;
            }
            let by_itself = laws.comes_by_itself(sight.stage);
            if self.sights.kinds[sight.kind].is_stood_on {
                if laws.may_pay(sight.stage) || (by_itself && laws.pays() != Some(sight.stage)) {
                    return Some((distances[tile] + u32::from(by_itself), tile, None));
                }
                let (verb, steps) = laws.verb_to_paying(sight.stage)?;
                return Some((distances[tile] + steps + 1, tile, Some(verb)));
            }
            // Things that pay by themselves need no verb.
            let (verb, steps) = laws.verb_to_paying(sight.stage).filter(|_| !by_itself)?;
            Some((distances[tile] + steps, tile, Some(verb)))
        });
        choices.min().map(|(_, tile, verb)| (tile, verb))
    }

    /// The first action on the way to a goal.
    fn towards(&self, grid: Grid, agent: Pose, steps: u32, tile: usize, verb: Option<usize>) -> Option<Action> {
        let is_stood_on = verb.is_none();
        let kind = Kind {
            things: vec![Thing { tile, stage: u8::from(is_stood_on), waited: 0, base_value: 1 }],
            untended: Untended::Stays,
            every: 1,
            verbs: vec![Verb { number: verb.unwrap_or_default() as u8, effect: Effect::Last }],
            pays: if is_stood_on { Pays::WhenStoodOn } else { Pays::OnFirstEntry },
            last_stage: 1,
            start_in_top_pays: StartInTop::Never,
            meter: 0,
        };
        World { grid, agent, kinds: vec![kind], meter_limits: [u32::MAX; MAX_KINDS], steps }.towards_nearest()
    }
}

impl Agent for Learner {
    fn start(&mut self, _: u64) {
        self.memory.fill(None);
        self.laws.iter_mut().for_each(if self.keeps_laws { Learned::carry_over } else { Learned::forget });
        (self.last, self.value) = (None, 0.0);
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let Some((at, shown)) = self.sights.look(game, state, &mut self.record) else { return };
        self.learn_from(&shown, game, state, at);
        let grid = self.grid();
        let steps = self.sights.reading.size().2.saturating_sub(state.step());
        let goal = self.goal(&grid, at);
        let action = goal.and_then(|(tile, verb)| Some((tile, self.towards(grid.clone(), at, steps, tile, verb)?)));
        match action {
            Some((tile, Action::Verb(verb))) => {
                let kind = self.memory[tile].and_then(|seen| seen.thing).map_or(0, |thing| thing.kind);
                self.last = Some((usize::from(verb), tile));
                let calls = self.sights.kinds[kind].verbs.get(usize::from(verb));
                schedule.extend_from_slice(calls.map_or(&[], Vec::as_slice));
            }
            Some((_, action)) => schedule.extend_from_slice(self.sights.reading.calls(action)),
            None => {
                let new = |tile: usize| self.memory[tile].is_none();
                let explore = self.sights.window.towards_something_new(&grid, at.tile, new);
                let action = explore.map_or(Action::Wait, |direction| Action::MOVES[direction]);
                schedule.extend_from_slice(self.sights.reading.calls(action));
            }
        }
    }
}
