//! What there is to win, from which poses, and the steps between the poses.

use super::{Action, Pose, StartInTop, Thing, World};
use crate::grid::FAR;

/// A number of steps that is too many, as it is kept in tables.
pub(super) const NEVER: u8 = u8::MAX;

/// Something to win by being in one of some poses.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// Crops, animals, villagers: 0, 1, 2.
    pub kind: usize,
    /// What it pays.
    pub value: u32,
    /// What is said or done to the thing in front, a step each; nothing for a crop.
    pub verbs: Vec<Action>,
    /// The earliest step at whose end it pays.
    pub from: u8,
    /// The latest step of its last verb (or, for a crop, of its harvest).
    pub until: u8,
    /// The target that must have been won before.
    pub after: Option<usize>,
    /// Its nodes.
    pub nodes: std::ops::Range<usize>,
}

impl Target {
    /// The step in which it is won by somebody who arrives with this many steps taken; [`NEVER`] if that is too late.
    #[inline]
    pub(super) fn won_at(&self, arrival: u8) -> u8 {
        let step = arrival.saturating_add(self.verbs.len() as u8).max(self.from);
        if step <= self.until { step } else { NEVER }
    }
}

/// A pose in which a target is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Where the agent stands.
    pub tile: usize,
    /// Where it looks, if that matters.
    pub facing: Option<usize>,
    /// What is won.
    pub target: usize,
}

/// The targets of a world and the steps between their poses.
#[derive(Debug)]
pub(super) struct Targets {
    /// What can be won at all within the steps.
    pub targets: Vec<Target>,
    /// Where.
    pub nodes: Vec<Node>,
    /// Length of a row of the tables: the number of nodes, rounded up to whole machine words.
    pub stride: usize,
    /// Steps to each node from the agent's first pose.
    pub from_start: Vec<u8>,
    /// Steps to node `to` from each node, at `to · stride`.
    pub to: Vec<u8>,
    /// Whether these are all targets and all steps of the world.
    pub is_complete: bool,
    /// Moves from tiles to tiles, for every tile of a node; empty for others.
    distances: Vec<Vec<u32>>,
}

/// How the tables are rounded, so that rows are compared in whole registers.
const LANES: usize = 16;

/// The longest episode, in steps; the rest of a longer one is waited out.
const MAX_STEPS: u32 = 250;
/// As many as a set in one machine word holds; those of a larger world are left out.
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
            distances: vec![Vec::new(); world.grid.length * world.grid.width],
        };
        found.find_distances(world, world.agent.tile);
        let mut verb_tiles = vec![false; world.grid.length * world.grid.width];
        let pays_again = |thing: &Thing| thing.start_in_top_pays == StartInTop::FirstEntry;
        for animal in world.animals.iter().filter(|animal| animal.is_in_top() && pays_again(animal)) {
            verb_tiles[animal.tile] = true;
            let fall = world.rules.animals_fall_by.unwrap_or(animal.last_stage).min(animal.last_stage);
            if let Some(until) = steps.checked_sub(fall) {
                found.add_faced(world, 1, animal, vec![Action::Feed], until);
            }
        }
        for villager in &world.villagers {
            let verbs = match villager.is_in_top() {
                false => vec![Action::Insult; usize::from(villager.last_stage - villager.stage)],
                true if pays_again(villager) => vec![Action::Compliment, Action::Insult],
                true => continue,
            };
            verb_tiles[villager.tile] = true;
            found.add_faced(world, 2, villager, verbs, steps);
        }
        for crop in &world.crops {
            found.add_crop(world, crop, &verb_tiles, steps);
        }
        found.finish(world);
        found
    }

    /// The steps from pose to node, besides what is done there.
    fn steps_between(&self, world: &World, from: Pose, looks: bool, to: Node) -> u32 {
        let distances = &self.distances[from.tile];
        let Some(facing) = to.facing else { return distances[to.tile] };
        if looks && from == (Pose { tile: to.tile, facing }) {
            return 0;
        }
        self.last_move(world, from.tile, to.tile, facing).map_or(FAR, |(_, steps)| steps)
    }

    /// How to come to look in a direction from a tile: the tile to make the last move from, and the steps in all.
    ///
    /// The last move either enters the tile, or is blocked and only turns.
    fn last_move(&self, world: &World, from: usize, tile: usize, facing: usize) -> Option<(usize, u32)> {
        let distances = &self.distances[from];
        let behind = world.grid.ahead(tile, facing ^ 2).filter(|b| world.grid.open_ahead(*b, facing).is_some());
        let turning = world.grid.open_ahead(tile, facing).is_none().then_some(tile);
        let ways = [behind, turning].into_iter().flatten().filter(|tile| distances[*tile] != FAR);
        ways.map(|tile| (tile, distances[tile] + 1)).min_by_key(|(_, steps)| *steps)
    }

    /// Whether a target can still be won by somebody who goes straight to a node.
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

    /// A thing that is won by verbs from the tiles around it.
    fn add_faced(&mut self, world: &World, kind: usize, thing: &Thing, verbs: Vec<Action>, until: u8) {
        let beside = (0..4).filter_map(|facing| Some((world.grid.ahead(thing.tile, facing ^ 2)?, facing)));
        let nodes: Vec<Node> = beside.map(|(tile, facing)| Node { tile, facing: Some(facing), target: 0 }).collect();
        let whole = Target { kind, value: thing.base_value, verbs, from: 0, until, after: None, nodes: 0..0 };
        // Until all crops are ripe, it can pay to say one word now and the next later.
        let all_ripe = world.crops.iter().map(Thing::ripe_at).max().unwrap_or(0);
        let is_early = |node: &Node| self.steps_between(world, world.agent, true, *node).saturating_add(2) <= all_ripe;
        if whole.verbs.len() < 2
            || !nodes.iter().any(is_early)
            || !nodes.iter().any(|n| self.is_in_time(world, *n, &whole))
        {
            self.add(world, whole, &nodes);
            return;
        }
        let last = whole.verbs.len() - 1;
        for (i, verb) in whole.verbs.iter().enumerate() {
            let value = if i == last { whole.value } else { 0 };
            let after = (i > 0).then(|| self.targets.len() - 1);
            self.add(world, Target { value, verbs: vec![*verb], after, ..whole.clone() }, &nodes);
        }
    }

    /// A crop; looking from it at something that verbs act on is a pose of its own.
    fn add_crop(&mut self, world: &World, crop: &Thing, verb_tiles: &[bool], steps: u8) {
        let target = Target {
            kind: 0,
            value: crop.base_value,
            verbs: Vec::new(),
            from: crop.ripe_at().min(u32::from(NEVER)) as u8,
            until: steps,
            after: None,
            nodes: 0..0,
        };
        let looks = (0..4).filter(|facing| world.grid.ahead(crop.tile, *facing).is_some_and(|tile| verb_tiles[tile]));
        let facings = std::iter::once(None).chain(looks.map(Some));
        let nodes: Vec<Node> = facings.map(|facing| Node { tile: crop.tile, facing, target: 0 }).collect();
        self.add(world, target, &nodes);
    }

    /// The tables.
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

    /// The steps from a node to a node.
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
