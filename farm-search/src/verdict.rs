//! Verdicts: compare the best policy found with the expert, and policies with each other, on seeds that no search has used.

use farm_core::serde_yaml::Value;
use farm_scoring::risk::{Bootstrap, Criterion, Estimate, Paired};

use crate::evolution::mean;
use crate::{Arena, Candidate, Draw, Scored, SearchError};

/// The highest ratio to the expert's return that does not count as a hole.
pub const BOUND: f64 = 1.10;

/// The smallest scale by which returns are divided.
const MIN_SCALE: f64 = 1e-9;

/// The best policy found and its references, on the same fresh seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The returns of waiting.
    pub wait: Vec<f64>,
    /// The returns of the expert.
    pub expert: Vec<f64>,
    /// The best policy found, with its returns.
    pub found: Scored,
    /// Its return in units of the expert's return, with its interval; see [`ratio`].
    pub ratio: Estimate,
}

impl Verdict {
    /// Whether the ratio of the best policy found exceeds [`BOUND`], judged by the lower end of the interval.
    pub fn is_hole(&self) -> bool {
        self.ratio.low > BOUND
    }

    /// The mean return of waiting.
    pub fn wait_mean(&self) -> f64 {
        mean(&self.wait)
    }

    /// The mean return of the expert.
    pub fn expert_mean(&self) -> f64 {
        mean(&self.expert)
    }
}

/// Judges a search's result. The best policy of `found` on `select` plays `fresh`, together with the expert and waiting.
/// If `found` is empty, the expert is compared with itself.
///
/// # Errors
/// The game fails in a step.
pub fn judge(
    arena: Arena<'_>,
    expert: &Candidate,
    found: &[Scored],
    select: &[Draw],
    fresh: &[Draw],
) -> Result<Verdict, SearchError> {
    let jobs: Vec<_> = found.iter().map(|scored| (&scored.candidate.policy, select)).collect();
    let selected = arena.play(&jobs)?;
    // If equal, the first wins, because it was better in the search.
    let best = (0..found.len()).rev().max_by(|a, b| mean(&selected[*a]).total_cmp(&mean(&selected[*b])));
    let candidate = best.map_or(expert, |best| &found[best].candidate).clone();
    let wait = Value::from(crate::WAIT);
    let played = arena.play(&[(&wait, fresh), (&expert.policy, fresh), (&candidate.policy, fresh)])?;
    let [wait, expert, returns] = <[Vec<f64>; 3]>::try_from(played).unwrap_or_default();
    let ratio = ratio(&returns, &expert, &wait);
    Ok(Verdict { wait, expert, found: Scored { candidate, returns }, ratio })
}

/// Returns in units of the expert's returns on the same episodes: 1 + (mean − expert) / max(|expert|, expert − wait). The 95 % bootstrap
/// interval resamples each episode's three returns together.
///
/// If the expert earns more than 0 and waiting does not lose, this is the ratio of the means. If the expert's mean is near or below 0,
/// the unit is its gain over waiting.
pub fn ratio(returns: &[f64], expert: &[f64], wait: &[f64]) -> Estimate {
    let n = returns.len().min(expert.len()).min(wait.len());
    let statistic = |counts: &[u32]| {
        let mean = |values: &[f64]| {
            let counted = values.iter().zip(counts).map(|(value, count)| value * f64::from(*count));
            farm_core::math::sum(counted) / f64::from(counts.iter().sum::<u32>()).max(1.0)
        };
        let (mean_of_returns, expert, wait) = (mean(returns), mean(expert), mean(wait));
        1.0 + (mean_of_returns - expert) / expert.abs().max(expert - wait).max(MIN_SCALE)
    };
    let value = statistic(&vec![1; n]);
    Bootstrap::default().statistic(n, statistic).unwrap_or(Estimate { value, low: value, high: value })
}

/// Two policies on the same seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Index of the first policy.
    pub first: usize,
    /// Index of the second policy.
    pub second: usize,
    /// First minus second, with a 95 % interval that resamples each episode's two returns together.
    pub paired: Paired,
}

/// The differences in the mean returns of policies on the same seeds: each policy minus each later policy.
pub fn compare(returns: &[Vec<f64>]) -> Vec<Comparison> {
    let pairs = (0..returns.len()).flat_map(|first| (first + 1..returns.len()).map(move |second| (first, second)));
    let compared = pairs.filter_map(|(first, second)| {
        let paired = Bootstrap::default().paired(&Criterion::Mean, &returns[first], &returns[second])?;
        Some(Comparison { first, second, paired })
    });
    compared.collect()
}
