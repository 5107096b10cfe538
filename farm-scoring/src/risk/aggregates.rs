//! Statistics over many tasks, in which each task has the same weight regardless of its number of runs.
//!
//! A run's score is the mean of its episodes, as in the tables in Agarwal et al. 2021 (<https://arxiv.org/abs/2108.13264>). With equal
//! numbers of runs, all definitions match the definitions in their library rliable. A run's weight is one divided by its task's number of
//! runs.
//!
//! | statistic | definition |
//! |---|---|
//! | [`Aggregate::Mean`] | the mean of the runs |
//! | [`Aggregate::InterquartileMean`] | the mean of the middle 50 % of the runs |
//! | [`Aggregate::OptimalityGap`] | the mean shortfall of the runs from a target score; higher scores count as the target |
//! | [`Aggregate::Risk`] | a [`Criterion`] of each task's episodes, averaged over the tasks |

use super::scores::Task;
use super::{Bootstrap, Criterion, Estimate, Scores};

/// A statistic of the scores on many tasks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aggregate {
    /// The mean of the runs' scores.
    Mean,
    /// The mean of the runs' scores without the lowest and the highest quarter, each rounded down to whole runs of the task
    /// with the most runs.
    InterquartileMean,
    /// This target minus the mean of the runs' scores, where higher scores count as the target.
    OptimalityGap(f64),
    /// A criterion for each task's episodes, averaged over the tasks.
    Risk(Criterion),
}

/// A run's score and its weight.
type Weighed = (f64, f64);

impl Scores {
    /// A statistic over the tasks. NaN for a criterion that needs more scores than a task has.
    pub fn aggregate(&self, aggregate: Aggregate) -> f64 {
        let counts = vec![1; self.len()];
        self.aggregated(aggregate, &counts, &self.runs(&counts))
    }

    /// A statistic with a count for each score; `runs` are the runs for these counts.
    fn aggregated(&self, aggregate: Aggregate, counts: &[u32], runs: &[Weighed]) -> f64 {
        let mean_up_to = |enough: f64| {
            runs.iter().map(|(score, weight)| weight * score.min(enough)).sum::<f64>() / self.tasks.len() as f64
        };
        match aggregate {
            Aggregate::Mean => mean_up_to(f64::INFINITY),
            Aggregate::OptimalityGap(enough) => enough - mean_up_to(enough),
            Aggregate::InterquartileMean => self.middle_mean(runs),
            Aggregate::Risk(criterion) => {
                let of_task = |task: &Task| match task.own(counts) {
                    counts if counts.len() < criterion.fewest() => f64::NAN,
                    counts => task.scores.value(&criterion, counts),
                };
                self.tasks.iter().map(of_task).sum::<f64>() / self.tasks.len() as f64
            }
        }
    }

    /// The runs with counts above 0, sorted by score. The weights of a task's runs add up to 1.
    fn runs(&self, counts: &[u32]) -> Vec<Weighed> {
        let mut all = Vec::new();
        for task in &self.tasks {
            let cells = task.values.chunks(task.episodes).zip(task.own(counts).chunks(task.episodes));
            for (values, counts) in cells {
                let (mut sum, mut number) = (0.0, 0.0);
                for (value, count) in values.iter().zip(counts) {
                    sum += value * f64::from(*count);
                    number += f64::from(*count);
                }
                if number > 0.0 {
                    all.push((sum / number, number / task.values.len() as f64));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    }

    /// The mean of the middle 50 % of sorted runs.
    fn middle_mean(&self, runs: &[Weighed]) -> f64 {
        let total = self.tasks.len() as f64;
        let most = self.tasks.iter().map(|task| task.runs).max().unwrap_or(1) as f64;
        let cut = (total * most / 4.0).floor() / most;
        let (mut passed, mut sum) = (0.0, 0.0);
        for (score, weight) in runs {
            let (from, to) = (f64::max(passed, cut), f64::min(passed + weight, total - cut));
            sum += (to - from).max(0.0) * score;
            passed += weight;
        }
        sum / (total - 2.0 * cut)
    }
}

impl Bootstrap {
    /// Statistics over tasks with their intervals, by a bootstrap that is stratified by task: in each task, runs and episodes are drawn
    /// together, with replacement (see [`Bootstrap::scores`]). None if each task has only one score, or there are no resamples.
    pub fn aggregates(&self, scores: &Scores, aggregates: &[Aggregate]) -> Option<Vec<Estimate>> {
        let estimates = self.resampled(scores, |counts| {
            let runs = scores.runs(counts);
            aggregates.iter().map(|aggregate| scores.aggregated(*aggregate, counts, &runs)).collect()
        })?;
        let with_value = aggregates.iter().zip(estimates);
        Some(with_value.map(|(aggregate, estimates)| self.around(scores.aggregate(*aggregate), estimates)).collect())
    }
}
