//! Risk criteria for a set of returns, with intervals, and comparisons of two policies on common seeds.
//!
//! A score gives the value of an episode. A criterion gives the value of a distribution of returns for a player who is averse to
//! bad years. All criteria are in the units of the return, and larger is better. Exception: the variance penalty mixes the
//! return with its square.
//!
//! | text | criterion | estimate from n returns x₍₁₎ ≤ … ≤ x₍ₙ₎ |
//! |---|---|---|
//! | `mean` | expected return | mean |
//! | `variance:λ` | mean − λ · variance | with the sample variance (n − 1) |
//! | `quantile:q` | return that a share q of episodes does not reach | linear between order statistics (type 7 of Hyndman and Fan 1996) |
//! | `cvar:α` | mean of the worst share α (conditional value at risk) | mean of the lowest α·n, the last one in part (Rockafellar and Uryasev 2000) |
//! | `entropic:β` | −ln E[exp(−β x)] / β | the same for the sample |
//! | `worst:m` | expected worst return among m episodes | mean of the minimum over all subsets of m returns in the sample |
//!
//! Learners are trained in several runs, and are compared over several tasks. [`Scores`] provides the statistics for this comparison.
//! [`Aggregate`] provides statistics in which every task has the same weight.
//!
//! Intervals are bootstrap intervals, see [`Bootstrap`]. A tail criterion has an interval only if [`FEWEST_IN_TAIL`] or
//! more episodes are in the tail, because resamples of a few returns cannot show how far the true tail extends.
//!
//! | criterion | episodes in the tail, of n |
//! |---|---|
//! | `quantile:q` | n times the smaller of q and 1 − q |
//! | `cvar:α` | α n |
//! | `worst:m` | n / m: each group of m has one worst episode |
//! | `mean`, `variance`, `entropic`, `cvar:1`, `worst:1` | all count |

mod aggregates;
mod bootstrap;
mod sample;
mod scores;

pub use aggregates::Aggregate;
pub use bootstrap::{Bootstrap, Estimate, Paired};
pub use sample::Sample;
pub use scores::{Scores, Statistic};

use std::fmt;
use std::str::FromStr;

use farm_core::config::{Path, Problem};

use crate::ScoreError;

/// A criterion that judges a set of returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Criterion {
    /// The expected return.
    Mean,
    /// The mean minus the variance times a weight.
    Variance(f64),
    /// The return that this share of the episodes does not reach.
    Quantile(f64),
    /// The mean over the worst share of the episodes.
    Cvar(f64),
    /// The certainty equivalent of an exponential utility with this risk aversion.
    Entropic(f64),
    /// The expected worst return among this number of episodes.
    Worst(u32),
}

/// The minimum number of episodes in the tail for an interval.
pub const FEWEST_IN_TAIL: f64 = 10.0;

/// The forms in which a criterion is written.
const FORMS: [&str; 6] = ["mean", "variance:0.5", "quantile:0.1", "cvar:0.1", "entropic:1.0", "worst:20"];

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Variance(weight) => write!(f, "variance:{weight}"),
            Self::Quantile(share) => write!(f, "quantile:{share}"),
            Self::Cvar(share) => write!(f, "cvar:{share}"),
            Self::Entropic(aversion) => write!(f, "entropic:{aversion}"),
            Self::Worst(episodes) => write!(f, "worst:{episodes}"),
        }
    }
}

impl FromStr for Criterion {
    type Err = Box<Problem>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name.trim(), Some(number.trim())),
            None => (text, None),
        };
        let Some(form) = FORMS.iter().find(|form| form.split(':').next() == Some(name)) else {
            let names = FORMS.iter().filter_map(|form| form.split(':').next());
            let problem =
                Problem::new(ScoreError::WrongRisk, Path::default(), format!("there is no risk criterion `{name}`"))
                    .value(text);
            return Err(Box::new(problem.among(name, names).help(format!("write one of {}", FORMS.join(", ")))));
        };
        let wrong = |message: String, expected: &str| {
            let problem =
                Problem::new(ScoreError::WrongRisk, Path::default(), message).value(text).expected(expected.to_owned());
            Err(Box::new(problem.help(format!("for example `{form}`"))))
        };
        let expected = match name {
            "mean" if number.is_none() => return Ok(Self::Mean),
            "mean" => return wrong("`mean` takes no number".to_owned(), "`mean`"),
            "variance" => "a weight of 0 or more",
            "quantile" => "a share from 0 to 1",
            "cvar" => "a share above 0 and at most 1",
            "entropic" => "a risk aversion above 0",
            _ => "an integer of 1 or more (episodes)",
        };
        let Some(number) = number else {
            return wrong(format!("`{name}` needs a number"), expected);
        };
        if name == "worst" {
            return match number.parse() {
                Ok(episodes) if episodes > 0 => Ok(Self::Worst(episodes)),
                _ => wrong(format!("`{number}` is not a valid number for `{name}`"), expected),
            };
        }
        let value = number.parse::<f64>().ok().filter(|value| value.is_finite());
        match (name, value) {
            ("variance", Some(weight)) if weight >= 0.0 => Ok(Self::Variance(weight)),
            ("quantile", Some(share)) if (0.0..=1.0).contains(&share) => Ok(Self::Quantile(share)),
            ("cvar", Some(share)) if share > 0.0 && share <= 1.0 => Ok(Self::Cvar(share)),
            ("entropic", Some(aversion)) if aversion > 0.0 => Ok(Self::Entropic(aversion)),
            _ => wrong(format!("`{number}` is not a valid number for `{name}`"), expected),
        }
    }
}

impl Criterion {
    /// The minimum number of returns for an estimate.
    pub fn fewest(&self) -> usize {
        match self {
            Self::Variance(_) => 2,
            Self::Worst(episodes) => *episodes as usize,
            _ => 1,
        }
    }

    /// The number of episodes, out of `n`, in its tail; none if it uses all of them.
    pub fn in_tail(&self, n: usize) -> Option<f64> {
        self.tail_share().map(|share| share * n as f64)
    }

    /// The share of the episodes in its tail; none if it uses all of them.
    fn tail_share(&self) -> Option<f64> {
        match *self {
            Self::Quantile(share) => Some(share.min(1.0 - share)),
            Self::Cvar(share) => Some(share).filter(|share| *share < 1.0),
            Self::Worst(episodes) => (episodes > 1).then(|| 1.0 / f64::from(episodes)),
            Self::Mean | Self::Variance(_) | Self::Entropic(_) => None,
        }
    }

    /// The reason why `n` episodes give no interval, as a phrase such as "2 episodes in the tail; at least 10 needed for an interval"; none
    /// if there is an interval.
    pub fn no_interval(&self, n: usize) -> Option<String> {
        let fewest = self.fewest().max(2);
        if n < fewest {
            let s = if n == 1 { "" } else { "s" };
            return Some(format!("{n} episode{s}; at least {fewest} needed for an interval"));
        }
        // A share times a number may be smaller than an integer by its last bit.
        let tail = self.in_tail(n).filter(|tail| *tail + 1e-9 < FEWEST_IN_TAIL)?;
        let shown = (tail * 10.0 + 1e-9).floor() / 10.0;
        let s = if shown == 1.0 { "" } else { "s" };
        Some(format!("{shown} episode{s} in the tail; at least {FEWEST_IN_TAIL} needed for an interval"))
    }

    /// The minimum number of episodes for an interval; none if no number is enough, as for the lowest of all returns.
    pub fn fewest_for_interval(&self) -> Option<usize> {
        let fewest = self.fewest().max(2);
        match self.tail_share() {
            None => Some(fewest),
            Some(share) if share > 0.0 => Some(fewest.max((FEWEST_IN_TAIL / share - 1e-9).ceil() as usize)),
            Some(_) => None,
        }
    }

    /// The criterion's estimate from returns in any order; none if there are too few returns.
    pub fn value(&self, returns: &[f64]) -> Option<f64> {
        let counts = vec![1; returns.len()];
        (returns.len() >= self.fewest()).then(|| Sample::new(returns).value(self, &counts))
    }
}

#[cfg(test)]
mod tests;
