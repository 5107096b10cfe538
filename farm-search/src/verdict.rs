//! Verdicts: the best that was found against the expert, and policies against one another, on seeds that no search has seen.

use farm_core::serde_yaml::Value;
use farm_scoring::risk::{Bootstrap, Criterion, Estimate, Paired};

use crate::evolution::mean;
use crate::{Arena, Candidate, Draw, Scored, SearchError};

/// How much better than the expert a policy may be.
pub const BOUND: f64 = 1.10;

/// The smallest scale that returns are divided by.
const MIN_SCALE: f64 = 1e-9;

/// The best that was found, and what it is measured by, on common fresh seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Returns of doing nothing.
    pub wait: Vec<f64>,
    /// Returns of the expert.
    pub expert: Vec<f64>,
    /// What was found, with its returns.
    pub found: Scored,
    /// What was found in units of the expert, with its interval: see [`ratio`].
    pub ratio: Estimate,
}

impl Verdict {
    /// Whether what was found beats the expert by more than [`BOUND`], beyond chance: the lower end of the interval says so.
    pub fn is_hole(&self) -> bool {
        self.ratio.low > BOUND
    }

    /// The mean return of doing nothing.
    pub fn wait_mean(&self) -> f64 {
        mean(&self.wait)
    }

    /// The mean return of the expert.
    pub fn expert_mean(&self) -> f64 {
        mean(&self.expert)
    }
}

/// Judges what a search has found: the best of `found` on `select` is played, with the expert and with doing nothing, on `fresh`.
/// Without anything found, the expert is judged against itself.
///
/// # Errors
/// A game that fails in a step.
pub fn judge(
    arena: Arena<'_>,
    expert: &Candidate,
    found: &[Scored],
    select: &[Draw],
    fresh: &[Draw],
) -> Result<Verdict, SearchError> {
    let jobs: Vec<_> = found.iter().map(|scored| (&scored.candidate.policy, select)).collect();
    let selected = arena.play(&jobs)?;
    // Of equal ones the first: it was the better one in the search.
    let best = (0..found.len()).rev().max_by(|a, b| mean(&selected[*a]).total_cmp(&mean(&selected[*b])));
    let candidate = best.map_or(expert, |best| &found[best].candidate).clone();
    let wait = Value::from(crate::WAIT);
    let played = arena.play(&[(&wait, fresh), (&expert.policy, fresh), (&candidate.policy, fresh)])?;
    let [wait, expert, returns] = <[Vec<f64>; 3]>::try_from(played).unwrap_or_default();
    let ratio = ratio(&returns, &expert, &wait);
    Ok(Verdict { wait, expert, found: Scored { candidate, returns }, ratio })
}

/// Returns in units of the expert's, of the same episodes: 1 + (mean − expert) / max(|expert|, expert − wait), with a 95 % bootstrap
/// interval that draws the three returns of an episode together.
///
/// Where the expert earns more than 0 and waiting does not lose, this is the ratio of the means. Where the expert's mean is near 0 or
/// below, what it gains over waiting is the unit.
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

/// Two policies on common seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Which of the policies is the first, by index.
    pub first: usize,
    /// Which is the second.
    pub second: usize,
    /// The first less the second, with a 95 % interval that draws both returns of an episode together.
    pub paired: Paired,
}

/// The differences of the mean returns of policies that played the same seeds: each less each of those behind it.
pub fn compare(returns: &[Vec<f64>]) -> Vec<Comparison> {
    let pairs = (0..returns.len()).flat_map(|first| (first + 1..returns.len()).map(move |second| (first, second)));
    let compared = pairs.filter_map(|(first, second)| {
        let paired = Bootstrap::default().paired(&Criterion::Mean, &returns[first], &returns[second])?;
        Some(Comparison { first, second, paired })
    });
    compared.collect()
}
