//! Means and ratios of sums over levels, with their intervals.

use std::cell::Cell;

use farm_scoring::risk::{Bootstrap, Criterion, Estimate};

use super::episode::ScoredEpisode;

/// A mean or a ratio of sums over levels, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean or the ratio.
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

impl Mean {
    /// A ratio of sums over worlds: the sum of all first values divided by the sum of all second values. A world with a small second value
    /// has a small weight. `None` if the second sum is not positive. The interval is `None` if this can happen in a resample.
    pub fn ratio(worlds: &[(f64, f64)]) -> Option<Self> {
        let has_resample_without = Cell::new(false);
        let ratio = |counts: &[u32]| {
            let (mut above, mut below) = (0.0, 0.0);
            for ((one, other), count) in worlds.iter().zip(counts) {
                above += one * f64::from(*count);
                below += other * f64::from(*count);
            }
            has_resample_without.set(has_resample_without.get() || below <= 0.0);
            if below > 0.0 { above / below } else { 0.0 }
        };
        let value = ratio(&vec![1; worlds.len()]);
        if has_resample_without.get() {
            return None;
        }
        let interval = ends(Bootstrap::default().statistic(worlds.len(), ratio));
        Some(Self { value, interval: interval.filter(|_| !has_resample_without.get()) })
    }
}

/// A ratio of sums over levels. `parts` are an episode's two values. A level counts with the mean over its episodes that have both.
pub(super) fn ratio(
    levels: &[Vec<&ScoredEpisode>],
    parts: impl Fn(&ScoredEpisode) -> Option<(f64, f64)>,
) -> Option<Mean> {
    let mean = |level: &Vec<&ScoredEpisode>| {
        let known: Vec<(f64, f64)> = level.iter().filter_map(|episode| parts(episode)).collect();
        let count = known.len() as f64;
        let (one, other) = known.iter().fold((0.0, 0.0), |sums, part| (sums.0 + part.0, sums.1 + part.1));
        (count > 0.0).then_some((one / count, other / count))
    };
    Mean::ratio(&levels.iter().filter_map(mean).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_with_little_room_has_a_small_weight() {
        // The mean of the two ratios would be −119.
        let score = Mean::ratio(&[(80.0, 100.0), (-8.33, 0.035)]).unwrap();
        assert!((score.value - 71.67 / 100.035).abs() < 1e-12, "{score:?}");
        assert!(Mean::ratio(&[(1.0, 0.0), (-1.0, 0.0)]).is_none() && Mean::ratio(&[]).is_none());
    }

    #[test]
    fn a_loss_in_a_world_without_room_counts() {
        let score = Mean::ratio(&[(50.0, 100.0), (-10.0, 0.0)]).unwrap();
        assert!((score.value - 0.4).abs() < 1e-12, "{score:?}");
        // A resample with only the second world has no ratio.
        assert_eq!(score.interval, None);
    }

    #[test]
    fn the_interval_is_that_of_the_ratio_over_worlds() {
        let worlds: Vec<(f64, f64)> = (0..40).map(|i| (f64::from(i % 4), 1.0 + f64::from(i % 2))).collect();
        let Mean { value, interval } = Mean::ratio(&worlds).unwrap();
        let (low, high) = interval.unwrap();
        assert!((value - 1.0).abs() < 1e-12 && low < value && value < high && high - low < 0.6, "{low} {high}");
        // Worlds with equal ratios have no spread.
        let equal: Vec<(f64, f64)> = (1..10).map(|room| (0.5 * f64::from(room), f64::from(room))).collect();
        assert_eq!(Mean::ratio(&equal).unwrap(), Mean { value: 0.5, interval: Some((0.5, 0.5)) });
    }
}
