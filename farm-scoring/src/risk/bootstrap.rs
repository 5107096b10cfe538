//! Bootstrap intervals for risk criteria, for one policy and for the difference between two policies on common seeds.

use farm_core::math::erfc;
use farm_core::{Purpose, Stream, hash_name};

use super::{Criterion, Sample};

/// Settings for intervals.
///
/// Episodes are drawn with replacement, the criterion is estimated for each resample, and the interval is derived from these estimates. It
/// is bias-corrected and accelerated (BCa, Efron 1987). The jackknife estimates the acceleration, in blocks if there are more than 500
/// episodes. A quantile has no usable jackknife, so its interval is the percentile interval. The same applies to `worst:m` if m is more
/// than 10 % of the episodes, because its resamples miss the lowest return too often. If two policies are compared, an episode is drawn
/// with both of its returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Number of resamples.
    pub resamples: u32,
    /// Share of repetitions of the study in which the interval should contain the true value.
    pub confidence: f64,
    /// Seed of the resamples; equal seeds give equal intervals.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 2000, confidence: 0.95, seed: 0 }
    }
}

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value of the criterion for the sample, or the difference between two values.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Two policies on common seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// The first policy's criterion minus the second policy's criterion.
    pub difference: f64,
    /// The interval of the difference, if there are enough episodes.
    pub interval: Option<Estimate>,
    /// Number of episodes in which the first policy had the larger return.
    pub better: usize,
    /// Number of episodes in which both policies had the same return.
    pub equal: usize,
    /// Number of episodes in which the second policy had the larger return.
    pub worse: usize,
}

/// Maximum number of blocks that the jackknife leaves out one by one.
const MAX_BLOCKS: usize = 500;

const RESAMPLE: Purpose = Purpose::named("resample");

/// The resampled objects; different objects are drawn independently.
#[derive(Debug, Clone, Copy)]
pub(super) enum Resamples {
    /// Episodes of one policy, or of two on common seeds.
    Episodes,
    /// Runs and episodes of a learner.
    Scores,
}

impl Bootstrap {
    /// A criterion of returns with its interval. None if there are too few returns, see [`Criterion::no_interval`].
    pub fn estimate(&self, criterion: &Criterion, returns: &[f64]) -> Option<Estimate> {
        if criterion.no_interval(returns.len()).is_some() {
            return None;
        }
        let sample = Sample::new(returns);
        self.interval(criterion, returns.len(), |counts| sample.value(criterion, counts))
    }

    /// The criterion for the returns `a` minus the criterion for `b`, where `a[i]` and `b[i]` have the same seed.
    ///
    /// None if there are too few returns for the criterion, or if the numbers of returns differ.
    pub fn paired(&self, criterion: &Criterion, a: &[f64], b: &[f64]) -> Option<Paired> {
        if a.len() != b.len() || a.len() < criterion.fewest() {
            return None;
        }
        let (first, second) = (Sample::new(a), Sample::new(b));
        let difference = |counts: &[u32]| first.value(criterion, counts) - second.value(criterion, counts);
        let is_enough = criterion.no_interval(a.len()).is_none();
        let interval = is_enough.then(|| self.interval(criterion, a.len(), difference)).flatten();
        let count = |is: fn(f64, f64) -> bool| a.iter().zip(b).filter(|(a, b)| is(**a, **b)).count();
        let (better, equal) = (count(|a, b| a > b), count(|a, b| a == b));
        let worse = a.len() - better - equal;
        Some(Paired { difference: difference(&vec![1; a.len()]), interval, better, equal, worse })
    }

    /// A statistic of `n` episodes with its interval, such as a ratio of two means. `statistic` receives each episode's count.
    ///
    /// None if there are fewer than two episodes, or no resamples.
    pub fn statistic(&self, n: usize, statistic: impl Fn(&[u32]) -> f64) -> Option<Estimate> {
        self.interval(&Criterion::Mean, n, statistic)
    }

    /// A statistic of `n` episodes with its interval, for a tail of any size.
    pub(super) fn interval(
        &self,
        criterion: &Criterion,
        n: usize,
        statistic: impl Fn(&[u32]) -> f64,
    ) -> Option<Estimate> {
        if n < criterion.fewest().max(2) || self.resamples == 0 {
            return None;
        }
        let mut counts = vec![1; n];
        let value = statistic(&counts);
        let mut estimates: Vec<f64> = self
            .streams(Resamples::Episodes)
            .map(|mut stream| {
                counts.fill(0);
                (0..n).for_each(|_| counts[stream.index(n as u32) as usize] += 1);
                statistic(&counts)
            })
            .collect();
        estimates.sort_by(f64::total_cmp);
        let tail = (1.0 - self.confidence) / 2.0;
        let [low, high] = match criterion {
            Criterion::Quantile(_) => [tail, 1.0 - tail],
            Criterion::Worst(episodes) if 10 * *episodes as usize > n => [tail, 1.0 - tail],
            _ => {
                let bias = bias(&estimates, value);
                let acceleration = acceleration(n, criterion.fewest(), statistic);
                [tail, 1.0 - tail].map(|p| corrected(p, bias, acceleration))
            }
        };
        Some(Estimate { value, low: percentile(&estimates, low), high: percentile(&estimates, high) })
    }

    /// The random stream for each resample.
    pub(super) fn streams(&self, what: Resamples) -> impl Iterator<Item = Stream> + use<> {
        let seed = self.seed;
        let name = match what {
            Resamples::Episodes => "risk",
            Resamples::Scores => "scores",
        };
        (0..self.resamples).map(move |resample| Stream::keyed(seed, hash_name(name), resample, RESAMPLE))
    }
}

/// The ends of the interval that contains this share of the estimates, with equal shares below and above.
pub(super) fn percentiles(mut estimates: Vec<f64>, confidence: f64) -> [f64; 2] {
    estimates.sort_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    [tail, 1.0 - tail].map(|share| percentile(&estimates, share))
}

/// The normal deviate of the share of resamples below the estimate; ties count half (Efron 1987, z₀).
fn bias(estimates: &[f64], value: f64) -> f64 {
    let below = estimates.partition_point(|estimate| *estimate < value);
    let equal = estimates.partition_point(|estimate| *estimate <= value) - below;
    let n = estimates.len() as f64;
    let share = (below as f64 + 0.5 * equal as f64) / n;
    normal_quantile(share.clamp(0.5 / n, 1.0 - 0.5 / n))
}

/// One sixth of the skewness of the leave-one-block-out estimates (Efron 1987, a).
fn acceleration(n: usize, fewest: usize, statistic: impl Fn(&[u32]) -> f64) -> f64 {
    let blocks = n.min(MAX_BLOCKS);
    if n - n.div_ceil(blocks) < fewest.max(1) {
        return 0.0;
    }
    let mut counts = vec![1; n];
    let without: Vec<f64> = (0..blocks)
        .map(|block| {
            let range = block * n / blocks..(block + 1) * n / blocks;
            counts[range.clone()].fill(0);
            let estimate = statistic(&counts);
            counts[range].fill(1);
            estimate
        })
        .collect();
    let mean = without.iter().sum::<f64>() / blocks as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for estimate in &without {
        let deviation = mean - estimate;
        squares += deviation * deviation;
        cubes += deviation * deviation * deviation;
    }
    if squares > 0.0 { cubes / (6.0 * squares * squares.sqrt()) } else { 0.0 }
}

/// The share of resamples at a bound of the interval (Efron 1987).
///
/// Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z)))
fn corrected(p: f64, bias: f64, acceleration: f64) -> f64 {
    let moved = bias + normal_quantile(p);
    normal_probability(bias + moved / (1.0 - acceleration * moved).max(1e-3))
}

/// The quantile of sorted values at a share, by linear interpolation.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() - 1) as f64 * share.clamp(0.0, 1.0);
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    // Without the branch, two equal infinities would give NaN.
    if low == high { low } else { low + (at - at.floor()) * (high - low) }
}

/// Probability that a standard normal number is below `z`.
pub(super) fn normal_probability(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// The quantile of the standard normal distribution, by bisection: exact to the last bits of `z`.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-38.0, 38.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if normal_probability(middle) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
