//! The search: a beam finds a good tour, and where it misses something a dynamic programme over sets settles the matter.

use super::targets::{NEVER, Targets};
use super::{Action, Plan, World};

/// A tour: nodes in order, each with the step in which its target is won.
type Tour = Vec<(usize, u8)>;

/// Tours of equal length that the beam keeps.
const BEAM: usize = 400;
/// Bytes of tables that the dynamic programme may fill.
const MOST_BYTES: usize = 1 << 29;
/// Targets whose sets still make a table of a size to search.
const MOST_SETS: usize = 26;

pub fn plan(world: &World) -> Plan<Action> {
    let targets = Targets::of(world);
    let search = Search::new(world, &targets);
    let mut bound = if targets.is_complete { search.value(search.all) } else { world.everything() };
    let (mut value, mut tour) = search.beam();
    if value < bound && targets.is_complete && targets.targets.len() <= MOST_SETS {
        let (better, is_exhaustive) = search.exhaust(value);
        if let Some((more, longer)) = better {
            (value, tour) = (more, longer);
        }
        if is_exhaustive {
            bound = value;
        }
    }
    Plan { actions: actions(world, &targets, &tour), value: f64::from(value), bound: f64::from(bound) }
}

/// What a tour does, step by step, to the end of the episode.
fn actions(world: &World, targets: &Targets, tour: &Tour) -> Vec<Action> {
    let mut actions = Vec::with_capacity(world.steps as usize);
    let mut before = None;
    for (node, step) in tour {
        actions.extend(targets.way(world, before, *node));
        let verbs = &targets.targets[targets.nodes[*node].target].verbs;
        let waits = usize::from(*step).saturating_sub(actions.len() + verbs.len());
        actions.extend(std::iter::repeat_n(Action::Wait, waits));
        actions.extend(verbs);
        before = Some(*node);
    }
    actions.resize(world.steps as usize, Action::Wait);
    actions
}

/// A tour of the beam: its last node, and how it came there.
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
    passive: [u32; 3],
    /// All targets.
    all: u64,
    /// Steps from each node to the nearest node of a target, at `target · stride`.
    nearest: Vec<u8>,
    /// For each target the others, nearest first, with the steps between.
    neighbours: Vec<Vec<(usize, u8)>>,
    /// The steps between the nearest poses of two targets, whatever the order.
    apart: Vec<Vec<u8>>,
}

/// The members of a set.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

impl<'a> Search<'a> {
    fn new(world: &'a World, targets: &'a Targets) -> Self {
        let (n, stride) = (targets.targets.len(), targets.stride);
        let mut nearest = vec![NEVER; n * stride];
        for (i, target) in targets.targets.iter().enumerate() {
            for from in 0..targets.nodes.len() {
                let steps = target.nodes.clone().map(|to| targets.between(from, to)).min();
                nearest[i * stride + from] = steps.unwrap_or(NEVER);
            }
        }
        let into = |i: usize, j: usize| {
            targets.targets[i].nodes.clone().map(|from| nearest[j * stride + from]).min().unwrap_or(NEVER)
        };
        let apart: Vec<Vec<u8>> = (0..n).map(|i| (0..n).map(|j| into(i, j).min(into(j, i))).collect()).collect();
        let sorted = |j: usize| {
            let mut others: Vec<(usize, u8)> = (0..n).filter(|i| *i != j).map(|i| (i, into(i, j))).collect();
            others.sort_by_key(|(_, steps)| *steps);
            others
        };
        let neighbours = (0..n).map(sorted).collect();
        let all = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        Self { world, targets, passive: world.passive(), all, nearest, neighbours, apart }
    }

    /// The Farm Value of an episode that wins a set of targets.
    fn value(&self, won: u64) -> u32 {
        let mut paid = self.passive;
        for target in members(won).map(|i| &self.targets.targets[i]) {
            paid[target.kind] += target.value;
        }
        self.world.total(paid)
    }

    /// Targets that may be won next.
    fn open(&self, won: u64) -> impl Iterator<Item = usize> {
        members(self.all & !won).filter(move |i| self.targets.targets[*i].after.is_none_or(|a| won & (1 << a) != 0))
    }

    /// The best tour that keeps, among tours with equally many targets, those which seem to have the least way to go.
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
            let mut scored: Vec<(u32, Label)> = next.into_iter().map(|l| (self.left_to_go(&l), l)).collect();
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

    /// The steps taken, and an estimate of those to come: each target that is left is entered from its nearest neighbour.
    fn left_to_go(&self, label: &Label) -> u32 {
        let left = self.all & !label.won;
        let (node, stride) = (usize::from(label.node), self.targets.stride);
        let enter = |i: usize| {
            let neighbour = self.neighbours[i].iter().find(|(other, _)| left & 1 << other != 0);
            let steps = neighbour.map_or(NEVER, |(_, steps)| *steps).min(self.nearest[i * stride + node]);
            u32::from(steps) + self.targets.targets[i].verbs.len() as u32
        };
        u32::from(label.time) + members(left).map(enter).sum::<u32>()
    }

    /// Looks through all sets of targets for a tour worth more than `value`, and tells whether it saw them all.
    fn exhaust(&self, value: u32) -> (Option<(u32, Tour)>, bool) {
        let mut table = Table::new(self);
        table.fill(value);
        let tour = table.best.map(|(value, won)| (value, table.tour(won)));
        (tour, table.is_exhaustive)
    }
}

/// Least steps for sets of targets and end poses: a row for each set that was reached, an entry for each node.
struct Table<'a> {
    search: &'a Search<'a>,
    /// The row of each set; 0 for none.
    row_of: Vec<u32>,
    rows: Vec<u8>,
    /// The best set so far, with its value.
    best: Option<(u32, u64)>,
    is_exhaustive: bool,
}

impl<'a> Table<'a> {
    fn new(search: &'a Search<'a>) -> Self {
        let sets = 1 << search.targets.targets.len();
        // Row 0 stands for no row.
        let rows = vec![NEVER; search.targets.stride];
        Self { search, row_of: vec![0; sets], rows, best: None, is_exhaustive: true }
    }

    fn row(&self, won: u64) -> &[u8] {
        let stride = self.search.targets.stride;
        let row = self.row_of[won as usize] as usize;
        &self.rows[row * stride..][..stride]
    }

    /// Notes the step in which a target is won at a node as the last of a set.
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

    /// Goes through the sets from small to large, as far as each may still lead to more than `value`.
    fn fill(&mut self, value: u32) {
        let search = self.search;
        let mut to_beat = value;
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
                    (self.best, to_beat) = (Some((value, won)), value);
                }
                if !search.may_exceed(to_beat, won, value, self.row(won)) {
                    continue;
                }
                if self.rows.len() > MOST_BYTES {
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

    /// The earliest arrival at a node after a set was won.
    fn arrival(&self, won: u64, node: usize) -> u8 {
        let stride = self.search.targets.stride;
        least_sum(self.row(won), &self.search.targets.to[node * stride..][..stride])
    }

    /// The tour that wins a set in the least steps.
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

/// The least of the sums of two rows, entry by entry; in this form the compiler compares sixteen at once.
#[inline]
fn least_sum(a: &[u8], b: &[u8]) -> u8 {
    let mut least = [NEVER; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for k in 0..16 {
            least[k] = least[k].min(a[k].saturating_add(b[k]));
        }
    }
    least.into_iter().min().unwrap_or(NEVER)
}

impl Search<'_> {
    /// Whether a set, won as early as its row tells, can lead to more than `to_beat`. No is a proof; yes is a guess.
    fn may_exceed(&self, to_beat: u32, won: u64, value: u32, row: &[u8]) -> bool {
        let left = self.all & !won;
        let steps = self.world.steps;
        // Whoever leaves out one of these does not come to more than `to_beat`.
        let needed = members(left).filter(|i| self.value(self.all & !(1 << i)) <= to_beat).fold(0, |set, i| set | 1 << i);
        if self.least_end(needed, row) > steps {
            return false;
        }
        let first = u32::from(row.iter().copied().min().unwrap_or(NEVER));
        value + self.most_gain(left, steps.saturating_sub(first)) > to_beat
    }

    /// No tour that goes on from the row and wins all of a set ends before this step.
    ///
    /// The ways between its targets are at least as long as the shortest tree that joins them.
    fn least_end(&self, set: u64, row: &[u8]) -> u32 {
        let stride = self.targets.stride;
        let first = members(set).map(|i| least_sum(row, &self.nearest[i * stride..][..stride])).min();
        let Some(first) = first else { return 0 };
        let verbs: usize = members(set).map(|i| self.targets.targets[i].verbs.len()).sum();
        let mut tree = 0;
        let joined = set & set.wrapping_neg();
        let mut outside = set & !joined;
        let mut gaps = [NEVER; 64];
        let mut newest = joined.trailing_zeros() as usize;
        while outside != 0 {
            let mut nearest = (NEVER, newest);
            for i in members(outside) {
                gaps[i] = gaps[i].min(self.apart[newest][i]);
                if gaps[i] < nearest.0 || nearest.1 == newest {
                    nearest = (gaps[i], i);
                }
            }
            newest = nearest.1;
            tree += u32::from(nearest.0);
            outside &= !(1 << newest);
        }
        u32::from(first) + tree + verbs as u32
    }

    /// No steps win more than this of a set: each target costs at least its verbs and the way from its nearest neighbour.
    fn most_gain(&self, set: u64, steps: u32) -> u32 {
        let mut offers: Vec<(u32, u32)> = members(set)
            .map(|i| {
                let target = &self.targets.targets[i];
                let way = self.neighbours[i].first().map_or(0, |(_, steps)| *steps);
                (target.value, u32::from(way) + target.verbs.len() as u32)
            })
            .collect();
        // Best value for a step first; the last one counts in part.
        offers.sort_unstable_by(|a, b| (b.0 * a.1).cmp(&(a.0 * b.1)));
        let (mut gain, mut steps) = (0, steps);
        for (value, cost) in offers {
            if cost > steps {
                return gain + value * steps / cost;
            }
            (gain, steps) = (gain + value, steps - cost);
        }
        gain
    }
}
