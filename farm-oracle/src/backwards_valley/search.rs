//! The search: a beam search finds a good tour. If the tour misses something, a dynamic programme over sets finds the optimum.

use super::bounds::{Remainder, Tree, least_sum, members};
use super::targets::{NEVER, Targets};
use super::{Action, MAX_KINDS, Plan, World};

/// A tour: nodes in order, each with the step in which its target is won.
type Tour = Vec<(usize, u8)>;

/// The number of tours of equal length that the beam keeps.
const BEAM: usize = 400;
/// The maximum size of the dynamic programme's tables, in bytes.
const MAX_BYTES: usize = 1 << 28;
/// The maximum number of targets for the dynamic programme over sets.
const MAX_SETS: usize = 24;

pub(super) fn plan(world: &World) -> Plan<Action> {
    let targets = Targets::of(world);
    let search = Search::new(world, &targets);
    let mut bound = if targets.is_complete { search.value(search.all) } else { world.everything() };
    let (mut value, mut tour) = search.beam();
    if value < bound && targets.is_complete && targets.targets.len() <= MAX_SETS {
        let (better, is_exhaustive) = search.exhaust(value);
        if let Some((more, longer)) = better {
            (value, tour) = (more, longer);
        }
        if is_exhaustive && targets.is_exact {
            bound = value;
        }
    }
    Plan { actions: actions(world, &targets, &tour), value: f64::from(value), bound: f64::from(bound) }
}

/// A tour's actions, step by step, to the end of the episode.
fn actions(world: &World, targets: &Targets, tour: &Tour) -> Vec<Action> {
    let mut actions = Vec::with_capacity(world.steps as usize);
    let mut before = None;
    for (node, step) in tour {
        actions.extend(targets.way(world, before, *node));
        let done = targets.done_there(world, targets.nodes[*node].target, actions.len().min(usize::from(NEVER)) as u8);
        // The agent waits if it arrives too early.
        let waits = usize::from(*step).saturating_sub(actions.len() + done.len());
        actions.extend(std::iter::repeat_n(Action::Wait, waits));
        actions.extend(done);
        before = Some(*node);
    }
    actions.resize(world.steps as usize, Action::Wait);
    actions
}

/// A tour in the beam: its last node, and the path to it.
#[derive(Clone, Copy)]
struct Label {
    won: u64,
    node: u16,
    time: u8,
    /// Index of the tour without its last node.
    before: u32,
}

struct Search<'a> {
    world: &'a World,
    targets: &'a Targets,
    passive: [u32; MAX_KINDS],
    /// All targets.
    all: u64,
    tree: Tree,
}

impl<'a> Search<'a> {
    fn new(world: &'a World, targets: &'a Targets) -> Self {
        let n = targets.targets.len();
        let all = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        Self { world, targets, passive: world.passive(), all, tree: Tree::of(targets) }
    }

    /// The Farm Value of an episode that wins a set of targets.
    fn value(&self, won: u64) -> u32 {
        let mut paid = self.passive;
        for target in members(won).map(|i| &self.targets.targets[i]) {
            paid[target.meter] += target.value;
        }
        self.world.total(paid)
    }

    /// The sum of all targets, without the limits of meters.
    fn gross(&self) -> u32 {
        self.passive.iter().sum::<u32>() + self.targets.targets.iter().map(|target| target.value).sum::<u32>()
    }

    /// The targets that every tour with more than `to_beat` must win.
    fn needed(&self, to_beat: u32) -> u64 {
        members(self.all).filter(|i| self.value(self.without(*i)) <= to_beat).fold(0, |set, i| set | 1 << i)
    }

    /// All targets except one and the targets that can be won only after it.
    fn without(&self, target: usize) -> u64 {
        // A target has a higher index than the target that it comes after.
        members(self.all).fold(self.all & !(1 << target), |set, i| match self.targets.targets[i].after {
            Some(before) if set & 1 << before == 0 => set & !(1 << i),
            _ => set,
        })
    }

    /// Targets that may be won next.
    fn open(&self, won: u64) -> impl Iterator<Item = usize> {
        members(self.all & !won).filter(move |i| self.targets.targets[*i].after.is_none_or(|a| won & (1 << a) != 0))
    }

    /// The best tour of a beam search, which keeps the tours with the smallest estimated loss among tours with the same number of targets.
    fn beam(&self) -> (u32, Tour) {
        let mut labels = vec![Label { won: 0, node: u16::MAX, time: 0, before: u32::MAX }];
        let mut layer = 0..1;
        let mut best = (self.value(0), 0);
        while !layer.is_empty() {
            let mut next = Vec::new();
            for before in layer {
                let label = labels[before];
                for i in self.open(label.won) {
                    let target = &self.targets.targets[i];
                    for node in target.nodes.clone() {
                        let steps = match label.node {
                            u16::MAX => self.targets.from_start[node],
                            from => self.targets.between(usize::from(from), node),
                        };
                        let time = target.won_at(label.time.saturating_add(steps));
                        if time != NEVER {
                            let won = label.won | 1 << i;
                            next.push(Label { won, node: node as u16, time, before: before as u32 });
                        }
                    }
                }
            }
            next.sort_unstable_by_key(|l| (l.won, l.node, l.time, l.before));
            next.dedup_by_key(|l| (l.won, l.node));
            let mut scored: Vec<((u32, u32), Label)> = next.into_iter().map(|l| (self.prospect(&l), l)).collect();
            scored.sort_by_key(|(score, _)| *score);
            scored.truncate(BEAM);
            let first = labels.len();
            for (_, label) in scored {
                let value = self.value(label.won);
                if value > best.0 {
                    best = (value, labels.len());
                }
                labels.push(label);
            }
            layer = first..labels.len();
            if best.0 == self.value(self.all) {
                break;
            }
        }
        let mut tour = Tour::new();
        let mut at = best.1;
        while labels[at].node != u16::MAX {
            tour.push((usize::from(labels[at].node), labels[at].time));
            at = labels[at].before as usize;
        }
        tour.reverse();
        (best.0, tour)
    }

    /// An estimate of the loss at the end, and of the steps until then.
    ///
    /// Each remaining target is reached from its nearest neighbour. As long as that takes too many steps, the target with the
    /// lowest value per step is dropped.
    fn prospect(&self, label: &Label) -> (u32, u32) {
        let left = self.all & !label.won;
        let (node, stride) = (usize::from(label.node), self.targets.stride);
        let mut steps = u32::from(label.time);
        let mut offers = [(0, 0); 64];
        let mut n = 0;
        for i in members(left) {
            let neighbour = self.tree.neighbours[i].iter().find(|(other, _)| left & 1 << other != 0);
            let way = neighbour.map_or(NEVER, |(_, steps)| *steps).min(self.tree.nearest[i * stride + node]);
            let target = &self.targets.targets[i];
            offers[n] = (target.value, u32::from(way) + u32::from(target.least));
            steps += offers[n].1;
            n += 1;
        }
        let mut missed = 0;
        while steps > self.world.steps && n > 0 {
            let worth_less = |a: &usize, b: &usize| (offers[*a].0 * offers[*b].1).cmp(&(offers[*b].0 * offers[*a].1));
            let Some(worst) = (0..n).min_by(worth_less) else { break };
            missed += offers[worst].0;
            steps -= offers[worst].1;
            n -= 1;
            offers[worst] = offers[n];
        }
        (missed, steps)
    }

    /// Searches all sets of targets for a tour with more than `value`, and returns whether it has searched all of them.
    fn exhaust(&self, value: u32) -> (Option<(u32, Tour)>, bool) {
        let mut table = StepTable::new(self);
        table.fill(value);
        let tour = table.best.map(|(value, won)| (value, table.tour(won)));
        (tour, table.is_exhaustive)
    }
}

/// The minimum steps for sets of targets and end poses, with a row for each reached set and an entry for each node.
struct StepTable<'a> {
    search: &'a Search<'a>,
    /// The row of each set; 0 for none.
    row_of: Vec<u32>,
    rows: Vec<u8>,
    /// The best set so far, with its value.
    best: Option<(u32, u64)>,
    is_exhaustive: bool,
}

impl<'a> StepTable<'a> {
    fn new(search: &'a Search<'a>) -> Self {
        let sets = 1 << search.targets.targets.len();
        // Row 0 means no row.
        let rows = vec![NEVER; search.targets.stride];
        Self { search, row_of: vec![0; sets], rows, best: None, is_exhaustive: true }
    }

    fn row(&self, won: u64) -> &[u8] {
        let stride = self.search.targets.stride;
        let row = self.row_of[won as usize] as usize;
        &self.rows[row * stride..][..stride]
    }

    /// Records the step in which a target is won at a node, as the last target in a set.
    fn note(&mut self, won: u64, node: usize, step: u8, next: &mut Vec<u64>) {
        let stride = self.search.targets.stride;
        let row = &mut self.row_of[won as usize];
        if *row == 0 {
            *row = (self.rows.len() / stride) as u32;
            self.rows.resize(self.rows.len() + stride, NEVER);
            next.push(won);
        }
        self.rows[*row as usize * stride + node] = step;
    }

    /// Visits the sets from small to large, but only sets that may still lead to more than `value`.
    fn fill(&mut self, value: u32) {
        let search = self.search;
        let remainder = Remainder::of(search.targets);
        let (mut to_beat, mut needed) = (value, search.needed(value));
        let mut layer = Vec::new();
        for i in search.open(0) {
            for node in search.targets.targets[i].nodes.clone() {
                let step = search.targets.targets[i].won_at(search.targets.from_start[node]);
                if step != NEVER {
                    self.note(1 << i, node, step, &mut layer);
                }
            }
        }
        while !layer.is_empty() {
            let mut next = Vec::new();
            for won in layer {
                let value = search.value(won);
                if value > to_beat {
                    (self.best, to_beat, needed) = (Some((value, won)), value, search.needed(value));
                }
                // Whether the set may still lead to more.
                let (row, left) = (self.row(won), search.all & !won);
                let loss = search.gross().saturating_sub(to_beat + 1);
                if !remainder.may_end_by(search.world.steps, search.targets, row, left, loss)
                    || search.tree.end(search.targets, row, needed & left) > search.world.steps
                {
                    continue;
                }
                if self.rows.len() > MAX_BYTES {
                    self.is_exhaustive = false;
                    return;
                }
                for i in search.open(won) {
                    let target = &search.targets.targets[i];
                    for node in target.nodes.clone() {
                        let step = target.won_at(self.arrival(won, node));
                        if step != NEVER {
                            self.note(won | 1 << i, node, step, &mut next);
                        }
                    }
                }
            }
            layer = next;
        }
    }

    /// The earliest arrival at a node after winning a set.
    fn arrival(&self, won: u64, node: usize) -> u8 {
        let stride = self.search.targets.stride;
        least_sum(self.row(won), &self.search.targets.to[node * stride..][..stride])
    }

    /// The tour that wins a set in the fewest steps.
    fn tour(&self, won: u64) -> Tour {
        let targets = self.search.targets;
        let mut tour = Tour::new();
        let mut won = won;
        let mut node = (0..targets.nodes.len()).min_by_key(|node| self.row(won)[*node]);
        while let Some(last) = node {
            tour.push((last, self.row(won)[last]));
            won &= !(1 << targets.nodes[last].target);
            if won == 0 {
                break;
            }
            let row = self.row(won);
            node = (0..targets.nodes.len()).min_by_key(|from| row[*from].saturating_add(targets.between(*from, last)));
        }
        tour.reverse();
        tour
    }
}
