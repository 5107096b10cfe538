//! The stored results of the played episodes: a few numbers for each, because there can be millions.

use crate::episode::Episode;

/// Results by job: policy after policy, and seed after seed.
#[derive(Default)]
pub(super) struct Played {
    has_table: bool,
    is_done: Vec<bool>,
    returns: Vec<f64>,
    /// Number of constraints.
    width: usize,
    /// The constraints' totals, job by job.
    constraints: Vec<f64>,
    /// What only the table of episodes shows; empty without a table.
    ends: Vec<End>,
    /// The different reasons why episodes ended, in words.
    stops: Vec<String>,
}

/// How an episode ended.
#[derive(Clone, Copy, Default)]
pub(super) struct End {
    pub(super) steps: u64,
    pub(super) state_hash: u64,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
    /// The index of the reason.
    stop: u32,
}

impl Played {
    /// No results yet, for a game with `width` constraints.
    pub(super) fn new(width: usize, has_table: bool) -> Self {
        Self { width, has_table, ..Self::default() }
    }

    /// Stores an episode's results.
    pub(super) fn add(&mut self, job: usize, episode: Episode) {
        // The columns grow with the episodes, because a signal can end a long comparison early.
        if job >= self.is_done.len() {
            self.is_done.resize(job + 1, false);
            self.returns.resize(job + 1, 0.0);
            self.constraints.resize((job + 1) * self.width, 0.0);
            self.ends.resize(if self.has_table { job + 1 } else { 0 }, End::default());
        }
        (self.is_done[job], self.returns[job]) = (true, episode.total);
        self.constraints[job * self.width..][..self.width].copy_from_slice(&episode.constraints);
        if let Some(end) = self.ends.get_mut(job) {
            let known = self.stops.iter().position(|stop| *stop == episode.stop);
            let stop = known.unwrap_or_else(|| {
                self.stops.push(episode.stop);
                self.stops.len() - 1
            });
            let Episode { steps, state_hash, terminated, truncated, .. } = episode;
            *end = End { steps, state_hash, terminated, truncated, stop: stop as u32 };
        }
    }

    /// The number of episodes that were played.
    pub(super) fn count(&self) -> usize {
        self.is_done.iter().filter(|done| **done).count()
    }

    /// The episodes that were played, with their ends, the reasons for them, and their constraints' totals.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, f64, End, &str, &[f64])> {
        let jobs = (0..self.ends.len()).filter(|job| self.is_done[*job]);
        jobs.map(|job| {
            let (end, totals) = (self.ends[job], &self.constraints[job * self.width..][..self.width]);
            (job, self.returns[job], end, self.stops[end.stop as usize].as_str(), totals)
        })
    }

    /// Removes the returns of the first policy that is left, and its constraints' totals, episode by episode.
    pub(super) fn take_policy(&mut self, episodes: usize) -> (Vec<f64>, Vec<f64>) {
        let take = |values: &mut Vec<f64>, count: usize| {
            let rest = values.split_off(count.min(values.len()));
            std::mem::replace(values, rest)
        };
        (take(&mut self.returns, episodes), take(&mut self.constraints, episodes * self.width))
    }
}
