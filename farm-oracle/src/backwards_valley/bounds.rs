//! Proves that a set of targets cannot lead to a higher value, from the minimum steps for the targets that must still be won.
//!
//! There are two bounds, and each ignores something. `Remainder` knows the exact poses and the remaining villagers and animals. It knows
//! only the number of remaining crops, so it may harvest one crop twice. `Tree` knows the remaining crops, but connects the targets
//! by a tree of shortest paths.

use super::targets::{NEVER, Targets};

/// The maximum number of villagers and animals that `Remainder` distinguishes.
const MAX_FACED: usize = 10;
/// The maximum number of crops that it counts.
const MAX_COUNTED: usize = 20;

/// The members of a set.
pub(super) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}

/// The minimum of the entry-by-entry sums of two rows. In this form the compiler compares 16 entries at once.
#[inline]
pub(super) fn least_sum(a: &[u8], b: &[u8]) -> u8 {
    let mut least = [NEVER; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for k in 0..16 {
            least[k] = least[k].min(a[k].saturating_add(b[k]));
        }
    }
    least.into_iter().min().unwrap_or(NEVER)
}

/// The minimum steps from each node to win some faced targets and to stand on a given number of crops.
#[derive(Debug)]
pub(super) struct Remainder {
    /// The distinguished faced targets (villagers and animals), in order.
    faced: Vec<usize>,
    /// The maximum number of counted crops.
    counted: usize,
    /// A row of nodes for each subset of `faced` and each count, at `(subset · (counted + 1) + count) · stride`.
    rows: Vec<u8>,
    stride: usize,
}

impl Remainder {
    pub(super) fn of(targets: &Targets) -> Self {
        let stride = targets.stride;
        let (all, mut faced): (Vec<usize>, Vec<usize>) =
            (0..targets.targets.len()).partition(|i| !targets.targets[*i].is_faced);
        faced.truncate(MAX_FACED);
        let counted = all.len().min(MAX_COUNTED);
        let mut rows = vec![NEVER; ((counted + 1) * stride) << faced.len()];
        // A path from a crop to itself leads to no other crop.
        let mut ways = targets.to.clone();
        for (to, node) in targets.nodes.iter().enumerate() {
            ways[to * stride..][targets.targets[node.target].nodes.clone()].fill(NEVER);
        }
        let mut row = vec![NEVER; stride];
        for subset in 0..1usize << faced.len() {
            for count in 0..=counted {
                row.fill(if subset == 0 && count == 0 { 0 } else { NEVER });
                let at = |subset: usize, count: usize| (subset * (counted + 1) + count) * stride;
                let lower = |row: &mut [u8], to: usize, rest: u8, verbs: usize| {
                    let rest = rest.saturating_add(verbs as u8);
                    for (steps, way) in row.iter_mut().zip(&ways[to * stride..][..stride]) {
                        *steps = (*steps).min(way.saturating_add(rest));
                    }
                };
                for k in members(subset as u64) {
                    let target = &targets.targets[faced[k]];
                    for to in target.nodes.clone() {
                        lower(&mut row, to, rows[at(subset & !(1 << k), count) + to], usize::from(target.least));
                    }
                }
                if count > 0 {
                    for to in all.iter().flat_map(|crop| targets.targets[*crop].nodes.clone()) {
                        lower(&mut row, to, rows[at(subset, count - 1) + to], 0);
                    }
                }
                rows[at(subset, count)..][..stride].copy_from_slice(&row);
            }
        }
        Self { faced, counted, rows, stride }
    }

    /// The earliest step by which a tour from a row can have won these faced targets and this number of crops.
    fn end(&self, row: &[u8], subset: usize, crops: usize) -> u8 {
        let at = (subset * (self.counted + 1) + crops.min(self.counted)) * self.stride;
        least_sum(row, &self.rows[at..][..self.stride])
    }

    /// Whether a tour from a row may still win all remaining targets by a step, except for targets worth at most `loss` in total.
    pub(super) fn may_end_by(&self, step: u32, targets: &Targets, row: &[u8], left: u64, loss: u32) -> bool {
        let value = |i: usize| targets.targets[i].value;
        let mut crops = [0; 64];
        let mut n = 0;
        for i in members(left).filter(|i| !targets.targets[*i].is_faced) {
            crops[n] = value(i);
            n += 1;
        }
        let crops = &mut crops[..n];
        crops.sort_unstable();
        let is_left = |k: &usize| left & 1 << self.faced[*k] != 0;
        let subset = (0..self.faced.len()).filter(is_left).fold(0, |subset, k| subset | 1usize << k);
        let may_drop = (0..self.faced.len()).filter(|k| is_left(k) && value(self.faced[*k]) <= loss);
        let may_drop = may_drop.fold(0, |subset, k| subset | 1usize << k);
        // Tries all subsets of the targets that may be dropped, starting with all of them, because that often succeeds.
        let mut dropped = may_drop;
        loop {
            let lost: u32 = members(dropped as u64).map(|k| value(self.faced[k])).sum();
            if let Some(mut rest) = loss.checked_sub(lost) {
                let spared = crops.iter().take_while(|crop| {
                    let fits = **crop <= rest;
                    rest = rest.saturating_sub(**crop);
                    fits
                });
                let count = crops.len() - spared.count();
                if u32::from(self.end(row, subset & !dropped, count)) <= step {
                    return true;
                }
            }
            if dropped == 0 {
                return false;
            }
            dropped = (dropped - 1) & may_drop;
        }
    }
}

/// Paths between targets, measured between their nearest poses.
#[derive(Debug)]
pub(super) struct Tree {
    /// Steps from each node to a target's nearest node, at `target · stride`.
    pub nearest: Vec<u8>,
    /// For each target, the other targets with the steps between them, nearest first.
    pub neighbours: Vec<Vec<(usize, u8)>>,
    /// The steps between the nearest poses of two targets, in the shorter direction.
    apart: Vec<Vec<u8>>,
    stride: usize,
}

impl Tree {
    pub(super) fn of(targets: &Targets) -> Self {
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
        let apart = (0..n).map(|i| (0..n).map(|j| into(i, j).min(into(j, i))).collect()).collect();
        let sorted = |j: usize| {
            let mut others: Vec<(usize, u8)> = (0..n).filter(|i| *i != j).map(|i| (i, into(i, j))).collect();
            others.sort_by_key(|(_, steps)| *steps);
            others
        };
        let neighbours = (0..n).map(sorted).collect();
        Self { nearest, neighbours, apart, stride }
    }

    /// No tour from the row wins all targets in a set before this step.
    ///
    /// The paths between the targets are at least as long as the shortest tree that connects them.
    pub(super) fn end(&self, targets: &Targets, row: &[u8], set: u64) -> u32 {
        let into = |i: usize| least_sum(row, &self.nearest[i * self.stride..][..self.stride]);
        let Some(first) = members(set).map(into).min() else { return 0 };
        let verbs: u32 = members(set).map(|i| u32::from(targets.targets[i].least)).sum();
        let mut tree = 0;
        let mut newest = set.trailing_zeros() as usize;
        let mut outside = set & (set - 1);
        let mut gaps = [NEVER; 64];
        while outside != 0 {
            let mut nearest = (u16::MAX, newest);
            for i in members(outside) {
                gaps[i] = gaps[i].min(self.apart[newest][i]);
                nearest = nearest.min((u16::from(gaps[i]), i));
            }
            newest = nearest.1;
            tree += u32::from(nearest.0);
            outside &= !(1 << newest);
        }
        u32::from(first) + tree + verbs
    }
}
