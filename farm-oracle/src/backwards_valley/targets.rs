//! The targets to win, their poses, and the steps between the poses.

use super::kind::Life;
use super::{Action, Kind, Pays, Pose, Untended, World};
use crate::grid::FAR;

/// The entry for too many steps in the tables.
pub(super) const NEVER: u8 = u8::MAX;

/// A target that the agent wins in one of several poses.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The meter that it fills.
    pub meter: usize,
    /// Its value.
    pub value: u32,
    /// Whether the agent wins it by using verbs in front of it, and not by standing on its tile.
    pub is_faced: bool,
    /// The minimum number of steps that a visit takes.
    pub least: u8,
    /// The step at whose end the target is won, by the number of steps before the arrival; [`NEVER`] if that is too late.
    done: Vec<u8>,
    /// The work during a visit.
    work: Work,
    /// The target that must be won first.
    pub after: Option<usize>,
    /// Its nodes.
    pub nodes: std::ops::Range<usize>,
}

/// The work at a target.
#[derive(Debug, Clone)]
enum Work {
    /// The agent stands on the tile, and waits if it is early.
    Stand,
    /// These verbs, at any time.
    Verbs(Vec<Action>),
    /// Work that depends on the time, for a thing that changes by itself: its kind and its index.
    Drifting(usize, usize),
}

impl Target {
    /// The step in which it is won if the agent arrives after this number of steps; [`NEVER`] if that is too late.
    #[inline]
    pub(super) fn won_at(&self, arrival: u8) -> u8 {
        self.done.get(usize::from(arrival)).copied().unwrap_or(NEVER)
    }

    /// The last arrival that is not better than a later one, because the agent must wait until then.
    fn waits_until(&self) -> u32 {
        let early = self.done.windows(2).rposition(|pair| pair[0] == pair[1] && pair[0] != NEVER);
        early.map_or(0, |arrival| arrival as u32 + 1)
    }

    /// The maximum number of steps that a visit with one of these arrivals takes.
    fn most(&self, arrivals: std::ops::Range<u32>) -> u32 {
        let steps =
            self.done.iter().zip(0u32..).filter(|(done, arrival)| **done != NEVER && arrivals.contains(arrival));
        steps.map(|(done, arrival)| u32::from(*done) - arrival).max().unwrap_or(0)
    }
}

/// A pose in which a target is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// The agent's tile.
    pub tile: usize,
    /// Its direction, if that matters.
    pub facing: Option<usize>,
    /// The target that it wins there.
    pub target: usize,
}

/// The targets of a world and the steps between their poses.
#[derive(Debug)]
pub(super) struct Targets {
    /// The targets that can be won within the steps.
    pub targets: Vec<Target>,
    /// Their poses.
    pub nodes: Vec<Node>,
    /// The length of a table row: the number of nodes, rounded up to whole machine words.
    pub stride: usize,
    /// Steps to each node from the agent's first pose.
    pub from_start: Vec<u8>,
    /// Steps to node `to` from each node, at `to · stride`.
    pub to: Vec<u8>,
    /// Whether these are all of the world's targets and steps.
    pub is_complete: bool,
    /// Whether it would never help to split a visit into two.
    pub is_exact: bool,
    /// The number of moves from each node's tile to every tile; empty for other tiles.
    distances: Vec<Vec<u32>>,
}

/// Table rows are rounded up to a multiple of this, so that whole registers can be compared.
const LANES: usize = 16;

/// The maximum number of planned steps; after them, the plan waits until the end of the episode.
const MAX_STEPS: u32 = 250;
/// The maximum number of targets, because a set is one machine word. Further targets of a larger world are ignored.
const MAX_TARGETS: usize = 64;

impl Targets {
    pub(super) fn of(world: &World) -> Self {
        let steps = world.steps.min(MAX_STEPS) as u8;
        let mut found = Self {
            targets: Vec::new(),
            nodes: Vec::new(),
            stride: 0,
            from_start: Vec::new(),
            to: Vec::new(),
            is_complete: world.steps <= MAX_STEPS,
            is_exact: true,
            distances: vec![Vec::new(); world.grid.length * world.grid.width],
        };
        found.find_distances(world, world.agent.tile);
        let faced = Faced::all(world, steps);
        let stood_on = || {
            let kinds = world.kinds.iter().filter(|kind| kind.pays == Pays::WhenStoodOn);
            kinds.flat_map(|kind| kind.things.iter().map(move |thing| (kind, thing)))
        };
        // Until this step the agent may have to wait for something.
        let ripe = stood_on().filter_map(|(kind, thing)| kind.in_last_from(thing));
        let early = faced.iter().map(|faced| faced.target.waits_until()).chain(ripe).max().unwrap_or(0);
        let mut verb_tiles = vec![false; world.grid.length * world.grid.width];
        let mut prepared = Vec::new();
        for faced in faced {
            verb_tiles[faced.tile] = true;
            let (tile, is_preparation) = (faced.tile, faced.target.value == 0);
            let before = found.targets.len();
            found.add_faced(world, faced, early);
            if is_preparation && found.targets.len() > before {
                prepared.push((tile, found.targets.len() - 1));
            }
        }
        for (kind, thing) in stood_on() {
            let after = prepared.iter().find(|(tile, _)| *tile == thing.tile).map(|(_, target)| *target);
            let from = match kind.in_last_from(thing) {
                Some(from) => from,
                None if after.is_some() => 1,
                None => continue,
            };
            if kind.has_lifts() && kind.untended == Untended::Advances && from > 1 {
                // Verbs would make it faster, which this search ignores.
                (found.is_exact, found.is_complete) = (false, found.is_complete && from <= u32::from(steps));
            }
            let done =
                (0..=u32::from(steps)).map(|arrival| arrival.max(from)).map(|step| in_time(step, steps)).collect();
            let target = Target {
                meter: kind.meter,
                value: thing.base_value,
                is_faced: false,
                least: 0,
                done,
                work: Work::Stand,
                after,
                nodes: 0..0,
            };
            found.add_stood_on(world, thing.tile, target, &verb_tiles);
        }
        found.finish(world);
        found
    }

    /// The actions at a target if the agent arrives after this number of steps.
    pub(super) fn done_there(&self, world: &World, target: usize, arrival: u8) -> Vec<Action> {
        let target = &self.targets[target];
        let steps = usize::from(target.won_at(arrival).saturating_sub(arrival));
        match &target.work {
            Work::Stand => vec![Action::Wait; steps],
            Work::Verbs(verbs) => verbs.clone(),
            Work::Drifting(kind, thing) => {
                let kind = &world.kinds[*kind];
                let life = (0..arrival).fold(kind.things[*thing].life(), |life, _| kind.alone(life));
                kind.work(life, world.steps.min(MAX_STEPS) - u32::from(arrival)).unwrap_or_default()
            }
        }
    }

    /// The steps from a pose to a node, not counting the work there.
    fn steps_between(&self, world: &World, from: Pose, looks: bool, to: Node) -> u32 {
        let distances = &self.distances[from.tile];
        let Some(facing) = to.facing else { return distances[to.tile] };
        if looks && from == (Pose { tile: to.tile, facing }) {
            return 0;
        }
        self.last_move(world, from.tile, to.tile, facing).map_or(FAR, |(_, steps)| steps)
    }

    /// The way to face a direction on a tile: the tile before the last move, and the total number of steps.
    ///
    /// The last move either enters the tile, or is blocked and only turns.
    fn last_move(&self, world: &World, from: usize, tile: usize, facing: usize) -> Option<(usize, u32)> {
        let distances = &self.distances[from];
        let behind = world.grid.ahead(tile, facing ^ 2).filter(|b| world.grid.open_ahead(*b, facing).is_some());
        let turning = world.grid.open_ahead(tile, facing).is_none().then_some(tile);
        let ways = [behind, turning].into_iter().flatten().filter(|tile| distances[*tile] != FAR);
        ways.map(|tile| (tile, distances[tile] + 1)).min_by_key(|(_, steps)| *steps)
    }

    /// Whether the agent can still win a target if it goes directly to a node.
    fn is_in_time(&self, world: &World, node: Node, target: &Target) -> bool {
        let steps = self.steps_between(world, world.agent, true, node);
        steps <= u32::from(NEVER) && target.won_at(steps as u8) != NEVER
    }

    fn find_distances(&mut self, world: &World, tile: usize) {
        if self.distances[tile].is_empty() {
            self.distances[tile] = world.grid.distances(tile);
        }
    }

    fn add(&mut self, world: &World, mut target: Target, nodes: &[Node]) {
        let first = self.nodes.len();
        let in_time: Vec<Node> = nodes.iter().copied().filter(|node| self.is_in_time(world, *node, &target)).collect();
        if in_time.is_empty() {
            return;
        }
        if self.targets.len() == MAX_TARGETS {
            self.is_complete = false;
            return;
        }
        for node in in_time {
            self.find_distances(world, node.tile);
            self.nodes.push(Node { target: self.targets.len(), ..node });
        }
        target.nodes = first..self.nodes.len();
        self.targets.push(target);
    }

    /// Adds a thing that is won by verbs from the tiles around it. Until step `early`, the agent may have to wait for something.
    fn add_faced(&mut self, world: &World, faced: Faced, early: u32) {
        let Faced { tile, target, is_always_exact } = faced;
        let beside = (0..4).filter_map(|facing| Some((world.grid.ahead(tile, facing ^ 2)?, facing)));
        let nodes: Vec<Node> = beside.map(|(tile, facing)| Node { tile, facing: Some(facing), target: 0 }).collect();
        if !nodes.iter().any(|node| self.is_in_time(world, *node, &target)) {
            return;
        }
        // Until then, two visits with one verb each can be better.
        let arrivals = nodes.iter().map(|node| self.steps_between(world, world.agent, true, *node));
        let first = arrivals.min().unwrap_or(FAR);
        let is_early = first.saturating_add(2) <= early;
        match &target.work {
            Work::Verbs(verbs) if verbs.len() >= 2 && is_early => {
                let last = verbs.len() - 1;
                for (i, verb) in verbs.iter().enumerate() {
                    let steps = target.done.len().saturating_sub(1) as u8;
                    let part = Target {
                        value: if i == last { target.value } else { 0 },
                        least: 1,
                        done: after_steps(1, steps),
                        work: Work::Verbs(vec![*verb]),
                        after: (i > 0).then(|| self.targets.len() - 1),
                        ..target.clone()
                    };
                    self.add(world, part, &nodes);
                }
                return;
            }
            Work::Drifting(..) => {
                let may_gain = |arrivals: std::ops::Range<u32>| target.most(arrivals) >= 2;
                self.is_exact &= !(is_early && may_gain(first..early)) && (is_always_exact || !may_gain(first..FAR));
            }
            _ => {}
        }
        self.add(world, target, &nodes);
    }

    /// Adds a thing to stand on. Each direction towards a thing that verbs act on is a separate pose.
    fn add_stood_on(&mut self, world: &World, tile: usize, target: Target, verb_tiles: &[bool]) {
        let looks = (0..4).filter(|facing| world.grid.ahead(tile, *facing).is_some_and(|tile| verb_tiles[tile]));
        let facings = std::iter::once(None).chain(looks.map(Some));
        let nodes: Vec<Node> = facings.map(|facing| Node { tile, facing, target: 0 }).collect();
        self.add(world, target, &nodes);
    }

    /// Fills the tables.
    fn finish(&mut self, world: &World) {
        self.stride = self.nodes.len().next_multiple_of(LANES);
        let byte = |steps: u32| steps.min(u32::from(NEVER)) as u8;
        let from_start = self.nodes.iter().map(|to| byte(self.steps_between(world, world.agent, true, *to)));
        self.from_start = from_start.collect();
        self.to = vec![NEVER; self.stride * self.nodes.len()];
        for (i, to) in self.nodes.iter().enumerate() {
            for (j, from) in self.nodes.iter().enumerate() {
                let pose = Pose { tile: from.tile, facing: from.facing.unwrap_or_default() };
                self.to[i * self.stride + j] = byte(self.steps_between(world, pose, from.facing.is_some(), *to));
            }
        }
    }

    /// The steps from one node to another.
    pub(super) fn between(&self, from: usize, to: usize) -> u8 {
        self.to[to * self.stride + from]
    }

    /// The moves that lead from a pose (a node, or the agent's first) to a node.
    pub(super) fn way(&self, world: &World, from: Option<usize>, to: usize) -> Vec<Action> {
        let (pose, looks) = match from {
            Some(node) => {
                let Node { tile, facing, .. } = self.nodes[node];
                (Pose { tile, facing: facing.unwrap_or_default() }, facing.is_some())
            }
            None => (world.agent, true),
        };
        let to = self.nodes[to];
        let moves = |way: Vec<usize>| way.into_iter().map(|direction| Action::MOVES[direction]).collect::<Vec<_>>();
        let distances = &self.distances[pose.tile];
        let Some(facing) = to.facing else { return moves(world.grid.way(distances, to.tile)) };
        if looks && pose == (Pose { tile: to.tile, facing }) {
            return Vec::new();
        }
        let Some((tile, _)) = self.last_move(world, pose.tile, to.tile, facing) else { return Vec::new() };
        let mut way = moves(world.grid.way(distances, tile));
        way.push(Action::MOVES[facing]);
        way
    }
}

/// A thing that verbs act on, as a target without nodes.
struct Faced {
    tile: usize,
    target: Target,
    /// Whether all its verbs can be used in one visit after the waiting.
    is_always_exact: bool,
}

impl Faced {
    /// The things that pay on entry, kind by kind, then the things to stand on that verbs must bring to their last stage.
    fn all(world: &World, steps: u8) -> Vec<Self> {
        let kinds = |pays: Pays| world.kinds.iter().enumerate().filter(move |(_, kind)| kind.pays == pays);
        let things = |pays| kinds(pays).flat_map(|(k, kind)| (0..kind.things.len()).map(move |i| (k, kind, i)));
        let entering = things(Pays::OnFirstEntry).filter_map(|(k, kind, i)| Self::entering(k, kind, i, steps));
        let prepared = things(Pays::WhenStoodOn).filter_map(|(_, kind, i)| {
            let thing = &kind.things[i];
            let is_still = kind.untended == Untended::Stays && !kind.is_in_last(thing);
            let verbs = if is_still { kind.lifts(thing.life())? } else { return None };
            Some(Self::still(kind, thing.tile, 0, verbs, steps))
        });
        entering.chain(prepared).collect()
    }

    /// A thing that pays on entry, but not by itself.
    fn entering(k: usize, kind: &Kind, i: usize, steps: u8) -> Option<Self> {
        let thing = &kind.things[i];
        if kind.pays_by_itself(thing, steps.into()) || !kind.can_pay(thing) {
            return None;
        }
        if kind.untended == Untended::Stays {
            let verbs = kind.work(thing.life(), u32::MAX)?;
            return Some(Self::still(kind, thing.tile, thing.base_value, verbs, steps));
        }
        let mut life: Life = thing.life();
        let mut done = Vec::with_capacity(usize::from(steps) + 1);
        for arrival in 0..=steps {
            let work = kind.work(life, u32::from(steps - arrival));
            done.push(work.map_or(NEVER, |work| in_time(u32::from(arrival) + work.len() as u32, steps)));
            life = kind.alone(life);
        }
        let least =
            done.iter().zip(0u8..).filter(|(done, _)| **done != NEVER).map(|(done, arrival)| done - arrival).min()?;
        let is_always_exact = match kind.untended {
            Untended::Advances => !kind.has_lifts(),
            // With few stages, or one verb to the last stage, a visit against falling back costs as much as it saves.
            _ => kind.last_stage <= 2 || (kind.every == 1 && kind.last_stage <= 3) || kind.has_verb_to_last(),
        };
        let target = Target {
            meter: kind.meter,
            value: thing.base_value,
            is_faced: true,
            least,
            done,
            work: Work::Drifting(k, i),
            after: None,
            nodes: 0..0,
        };
        Some(Self { tile: thing.tile, target, is_always_exact })
    }

    /// A thing that does not change by itself.
    fn still(kind: &Kind, tile: usize, value: u32, verbs: Vec<Action>, steps: u8) -> Self {
        let least = verbs.len().min(usize::from(NEVER)) as u8;
        let done = after_steps(least, steps);
        let (meter, work) = (kind.meter, Work::Verbs(verbs));
        let target = Target { meter, value, is_faced: true, least, done, work, after: None, nodes: 0..0 };
        Self { tile, target, is_always_exact: true }
    }
}

/// A step; [`NEVER`] after the last one.
fn in_time(step: u32, steps: u8) -> u8 {
    if step <= u32::from(steps) { step as u8 } else { NEVER }
}

/// The step in which work of `least` steps is done, for each arrival.
fn after_steps(least: u8, steps: u8) -> Vec<u8> {
    (0..=u32::from(steps)).map(|arrival| in_time(arrival + u32::from(least), steps)).collect()
}
