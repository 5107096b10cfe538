//! A learner's performance over tasks, runs and episodes: the statistics of Agarwal et al. 2021 (<https://arxiv.org/abs/2108.13264>),
//! with the definitions of their library rliable.
//!
//! | statistic | definition |
//! |---|---|
//! | [`Statistic::Mean`] | the mean of all scores |
//! | [`Statistic::Median`] | the median of the task means |
//! | [`Statistic::InterquartileMean`] | the mean of the middle 50 % of all scores: robust to outliers, and based on more than one score |
//! | [`Statistic::OptimalityGap`] | the mean shortfall of the scores from a target score; higher scores count as the target |
//! | [`Statistic::Risk`] | a [`Criterion`] of all scores |
//! | [`Bootstrap::profile`] | the share of scores above each threshold, averaged over the tasks: a performance profile |
//! | [`Bootstrap::improvement`] | the probability that a score of one learner is above a score of another in the same task; ties count half (Mann and Whitney 1947) |

use super::bootstrap::{Resamples, percentiles};
use super::{Bootstrap, Criterion, Estimate, Sample};

/// The scores of one learner: tasks with runs, runs with episodes.
///
/// All runs of a task play the same episodes, that is, the same seeds in the same order. A learner without training runs, such as an expert
/// policy, has one run. To compare only runs, give each run a single episode that is its mean: [`Scores::means_of_runs`].
#[derive(Debug, Clone)]
pub struct Scores {
    pub(super) tasks: Vec<Task>,
    all: Sample,
}

#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) runs: usize,
    pub(super) episodes: usize,
    /// The index of the task's first score among all scores.
    first: usize,
    pub(super) scores: Sample,
    /// The scores run by run.
    pub(super) values: Vec<f64>,
}

/// A statistic of scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// The mean of all scores.
    Mean,
    /// The median of the task means.
    Median,
    /// The mean of the scores without the lowest and the highest quarter, each rounded down to whole scores.
    InterquartileMean,
    /// This target minus the mean of all scores, where higher scores count as the target.
    OptimalityGap(f64),
    /// A criterion of all scores.
    Risk(Criterion),
}

impl Scores {
    /// Scores by task, run and episode. None if there is no task, if a task has no score or runs of different lengths, or if a score is not
    /// finite.
    pub fn new(tasks: &[Vec<Vec<f64>>]) -> Option<Self> {
        let mut read: Vec<Task> = Vec::new();
        let mut first = 0;
        for runs in tasks {
            let episodes = runs.first().map_or(0, Vec::len);
            let values = runs.concat();
            if episodes == 0 || runs.iter().any(|run| run.len() != episodes) || !values.iter().all(|v| v.is_finite()) {
                return None;
            }
            let scores = Sample::new(&values);
            read.push(Task { runs: runs.len(), episodes, first, scores, values });
            first += runs.len() * episodes;
        }
        let all: Vec<f64> = read.iter().flat_map(|task| &task.values).copied().collect();
        (!all.is_empty()).then(|| Self { all: Sample::new(&all), tasks: read })
    }

    /// The scores of one task's runs.
    pub fn of_runs(runs: &[Vec<f64>]) -> Option<Self> {
        Self::new(std::slice::from_ref(&runs.to_vec()))
    }

    /// The same runs, each reduced to its mean.
    #[must_use]
    pub fn means_of_runs(&self) -> Self {
        let mean = |run: &[f64]| vec![run.iter().sum::<f64>() / run.len() as f64];
        let tasks: Vec<Vec<Vec<f64>>> =
            self.tasks.iter().map(|task| task.values.chunks(task.episodes).map(mean).collect()).collect();
        Self::new(&tasks).unwrap_or_else(|| self.clone())
    }

    /// Number of scores.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no scores; always false.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A statistic of the scores. NaN for a criterion that needs more scores.
    pub fn value(&self, statistic: Statistic) -> f64 {
        self.counted(statistic, &vec![1; self.len()])
    }

    /// The share of scores above each threshold, averaged over the tasks. Thresholds are in ascending order.
    pub fn profile(&self, thresholds: &[f64]) -> Vec<f64> {
        self.counted_profile(thresholds, &vec![1; self.len()])
    }

    /// The probability that a score exceeds one of the others in the same task; none if the numbers of tasks differ.
    pub fn improvement(&self, others: &Self) -> Option<f64> {
        let is_alike = self.tasks.len() == others.tasks.len();
        is_alike.then(|| self.counted_improvement(others, &vec![1; self.len()], &vec![1; others.len()]))
    }

    /// A statistic with a count for each score.
    fn counted(&self, statistic: Statistic, counts: &[u32]) -> f64 {
        match statistic {
            Statistic::Mean => self.all.value(&Criterion::Mean, counts),
            Statistic::Median => {
                let means = self.tasks.iter().map(|task| task.scores.value(&Criterion::Mean, task.own(counts)));
                let means: Vec<f64> = means.collect();
                Criterion::Quantile(0.5).value(&means).unwrap_or(f64::NAN)
            }
            Statistic::InterquartileMean => self.all.middle_mean(counts),
            Statistic::OptimalityGap(enough) => {
                let kept = self.all.counted(counts).map(|(score, count)| count * score.min(enough));
                enough - kept.sum::<f64>() / self.all.number(counts)
            }
            Statistic::Risk(criterion) if self.len() < criterion.fewest() => f64::NAN,
            Statistic::Risk(criterion) => self.all.value(&criterion, counts),
        }
    }

    fn counted_profile(&self, thresholds: &[f64], counts: &[u32]) -> Vec<f64> {
        let mut shares = vec![0.0; thresholds.len()];
        for task in &self.tasks {
            let above = task.scores.shares_above(task.own(counts), thresholds);
            shares.iter_mut().zip(above).for_each(|(share, above)| *share += above / self.tasks.len() as f64);
        }
        shares
    }

    /// The mean over the tasks of U / (n m), with the U of Mann and Whitney.
    fn counted_improvement(&self, others: &Self, counts: &[u32], other_counts: &[u32]) -> f64 {
        let of_task = |(task, other): (&Task, &Task)| {
            let (counts, other_counts) = (task.own(counts), other.own(other_counts));
            let (mut below, mut pairs, mut wins) = (0.0, 0.0, 0.0);
            let mut rest = other.scores.counted(other_counts).peekable();
            for (score, group) in groups(task.scores.counted(counts)) {
                while let Some((_, count)) = rest.next_if(|(other, _)| *other < score) {
                    below += count;
                }
                let mut equal = 0.0;
                while let Some((_, count)) = rest.next_if(|(other, _)| *other == score) {
                    equal += count;
                }
                wins += group * (below + 0.5 * equal);
                below += equal;
                pairs += group;
            }
            wins / (pairs * other_counts.iter().map(|count| f64::from(*count)).sum::<f64>())
        };
        self.tasks.iter().zip(&others.tasks).map(of_task).sum::<f64>() / self.tasks.len() as f64
    }

    /// Draws each score's count in a resample. In each task, runs and episodes are drawn with replacement, with the same episodes for all
    /// runs.
    fn draw(&self, stream: &mut farm_core::Stream, counts: &mut [u32]) {
        for task in &self.tasks {
            let mut drawn = |n: usize| {
                let mut times = vec![0_u32; n];
                (0..n).for_each(|_| times[stream.index(n as u32) as usize] += 1);
                times
            };
            let (runs, episodes) = (drawn(task.runs), drawn(task.episodes));
            let cells = counts[task.first..].chunks_mut(task.episodes);
            for (run, cells) in runs.iter().zip(cells) {
                cells.iter_mut().zip(&episodes).for_each(|(cell, episode)| *cell = run * episode);
            }
        }
    }

    /// Whether a resample can differ from the scores.
    fn varies(&self) -> bool {
        self.tasks.iter().any(|task| task.runs > 1 || task.episodes > 1)
    }
}

impl Task {
    /// The counts of the task's scores, from the counts of all scores.
    pub(super) fn own<'c>(&self, counts: &'c [u32]) -> &'c [u32] {
        &counts[self.first..][..self.runs * self.episodes]
    }
}

/// Scores in ascending order; equal scores are merged.
fn groups(scores: impl Iterator<Item = (f64, f64)>) -> impl Iterator<Item = (f64, f64)> {
    let mut scores = scores.peekable();
    std::iter::from_fn(move || {
        let (score, mut count) = scores.next()?;
        while let Some((_, more)) = scores.next_if(|(next, _)| *next == score) {
            count += more;
        }
        Some((score, count))
    })
}

/// Statistics of scores: in each task, runs and episodes are drawn together, with replacement. Intervals are the percentiles of the
/// resamples' estimates. For many runs with one episode each, this is rliable's stratified bootstrap. With many episodes it is the
/// bootstrap of crossed factors, whose intervals tend to be too wide rather than too narrow (Owen 2007, doi 10.1214/07-AOAS122).
impl Bootstrap {
    /// Statistics of scores with their intervals. None if each task has only one score, or there are no resamples.
    pub fn scores(&self, scores: &Scores, statistics: &[Statistic]) -> Option<Vec<Estimate>> {
        let estimates = self.resampled(scores, |counts| {
            statistics.iter().map(|statistic| scores.counted(*statistic, counts)).collect()
        })?;
        let with_value = statistics.iter().zip(estimates);
        Some(with_value.map(|(statistic, estimates)| self.around(scores.value(*statistic), estimates)).collect())
    }

    /// The share of scores above each threshold, averaged over the tasks, with pointwise intervals. Thresholds are in ascending order. None
    /// if each task has only one score, or there are no resamples.
    pub fn profile(&self, scores: &Scores, thresholds: &[f64]) -> Option<Vec<Estimate>> {
        let estimates = self.resampled(scores, |counts| scores.counted_profile(thresholds, counts))?;
        let with_value = scores.profile(thresholds).into_iter().zip(estimates);
        Some(with_value.map(|(value, estimates)| self.around(value, estimates)).collect())
    }

    /// The probability that a score of the first learner exceeds one of the second learner in the same task, with its interval. Both are
    /// resampled independently. None if the numbers of tasks differ, if neither varies, or if there are no resamples.
    pub fn improvement(&self, first: &Scores, second: &Scores) -> Option<Estimate> {
        let value = first.improvement(second)?;
        if !first.varies() && !second.varies() || self.resamples == 0 {
            return None;
        }
        let mut counts = [vec![0; first.len()], vec![0; second.len()]];
        let estimates = self.streams(Resamples::Scores).map(|mut stream| {
            let [of_first, of_second] = &mut counts;
            first.draw(&mut stream, of_first);
            second.draw(&mut stream, of_second);
            first.counted_improvement(second, of_first, of_second)
        });
        Some(self.around(value, estimates.collect()))
    }

    /// The numbers from each resample, number by number; none if resamples cannot differ, or if there are no resamples.
    pub(super) fn resampled(&self, scores: &Scores, numbers: impl Fn(&[u32]) -> Vec<f64>) -> Option<Vec<Vec<f64>>> {
        if !scores.varies() || self.resamples == 0 {
            return None;
        }
        let mut estimates: Vec<Vec<f64>> = Vec::new();
        let mut counts = vec![0; scores.len()];
        for mut stream in self.streams(Resamples::Scores) {
            scores.draw(&mut stream, &mut counts);
            let found = numbers(&counts);
            estimates.resize_with(found.len(), || Vec::with_capacity(self.resamples as usize));
            found.into_iter().zip(&mut estimates).for_each(|(number, estimates)| estimates.push(number));
        }
        Some(estimates)
    }

    /// A value with the percentiles of its estimates from resamples.
    pub(super) fn around(&self, value: f64, estimates: Vec<f64>) -> Estimate {
        let [low, high] = percentiles(estimates, self.confidence);
        Estimate { value, low, high }
    }
}
