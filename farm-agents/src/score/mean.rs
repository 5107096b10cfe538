//! Means over levels, with their intervals.

use farm_scoring::risk::{Bootstrap, Criterion, Estimate};

use super::episode::ScoredEpisode;

/// A mean over levels, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its 95 % bootstrap interval over levels; `None` for fewer than two levels.
    pub interval: Option<(f64, f64)>,
}

impl Mean {
    pub(super) fn of(levels: &[f64]) -> Option<Self> {
        if levels.is_empty() {
            return None;
        }
        let value = levels.iter().sum::<f64>() / levels.len() as f64;
        Some(Self { value, interval: ends(Bootstrap::default().estimate(&Criterion::Mean, levels)) })
    }
}

fn ends(estimate: Option<Estimate>) -> Option<(f64, f64)> {
    estimate.map(|estimate| (estimate.low, estimate.high))
}

/// The sum of all returns divided by the sum of all best returns.
pub(super) fn ratio_of_sums(levels: &[Vec<&ScoredEpisode>]) -> Option<Mean> {
    let sums = |level: &Vec<&ScoredEpisode>| {
        let known = || level.iter().filter_map(|episode| Some((episode.end.total, episode.baseline.best?.value)));
        let (total, best) = known().fold((0.0, 0.0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
        (known().count() > 0).then_some((total, best))
    };
    let sums: Vec<(f64, f64)> = levels.iter().filter_map(sums).collect();
    let ratio = |counts: &[u32]| {
        let weighed = |part: fn(&(f64, f64)) -> f64| -> f64 {
            sums.iter().zip(counts).map(|(sum, count)| part(sum) * f64::from(*count)).sum()
        };
        weighed(|sum| sum.0) / weighed(|sum| sum.1)
    };
    let value = ratio(&vec![1; sums.len()]);
    // There is no ratio if the best return of a level is 0 or below; some resamples would have none.
    let has_ratio = sums.iter().all(|sum| sum.1 > 0.0) && !sums.is_empty();
    has_ratio.then(|| Mean { value, interval: ends(Bootstrap::default().statistic(sums.len(), ratio)) })
}
