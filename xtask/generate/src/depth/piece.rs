//! What is measured in a game, as a file.

use std::fs;
use std::path::Path;

use anyhow::Context;
use farm_scoring::risk::{Bootstrap, Estimate};
use serde::{Deserialize, Serialize};

/// The largest share of the expert's gain over waiting that a calendar may earn.
pub(super) const CALENDAR: f64 = 0.85;
/// The largest share of the expert's gain over waiting that a policy may earn without looking.
pub(super) const UNPAID: f64 = 0.9;
/// The smallest worth of the forecasts, as a share of the return.
pub(super) const FORECAST: f64 = 0.05;
/// The smallest ratio of the best known policy to the expert, and of the planner to the best known policy.
pub(super) const BETTER: f64 = 1.05;
/// The smallest share of the seasons in which the expert keeps all limits.
pub(super) const KEPT: f64 = 0.95;

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Span {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Span {
    /// A statistic of the mean returns of several policies on the same seeds. The bootstrap resamples each seed's returns together.
    pub(super) fn of<const N: usize>(returns: [&[f64]; N], statistic: impl Fn([f64; N]) -> f64) -> Self {
        let n = returns.iter().map(|returns| returns.len()).min().unwrap_or(0);
        let of_counts = |counts: &[u32]| {
            let total = f64::from(counts.iter().sum::<u32>()).max(1.0);
            statistic(returns.map(|values| {
                farm_core::math::sum(values.iter().zip(counts).map(|(value, count)| value * f64::from(*count))) / total
            }))
        };
        let value = of_counts(&vec![1; n]);
        Bootstrap::default().statistic(n, of_counts).map_or(Self { value, low: value, high: value }, Self::from)
    }
}

impl From<Estimate> for Span {
    fn from(Estimate { value, low, high }: Estimate) -> Self {
        Self { value, low, high }
    }
}

/// A policy on the fresh seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Played {
    pub name: String,
    /// The origin of a policy that was found.
    pub how: String,
    pub mean: f64,
    /// The mean of the worst tenth.
    pub worst_tenth: f64,
    /// A policy that was found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy: Option<serde_json::Value>,
}

/// Something with its worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Worthy {
    pub name: String,
    pub worth: Span,
}

/// What is measured in a game. Seasons over a limit count as in `cargo xtask exploits`: they earn at most 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Piece {
    pub game: String,
    /// The fingerprint of the game with its policies.
    pub fingerprint: String,
    pub candidates: usize,
    pub seeds: u64,
    pub plan_seeds: u64,
    pub seconds: f64,
    /// The game's own policies and those that were found.
    pub policies: Vec<Played>,
    /// (calendar − wait) / (expert − wait).
    pub calendar: Span,
    /// The same for the best policy that pays for no observation, in games with prices.
    pub unpaid: Option<Span>,
    /// (with − without) / with, in games with forecasts.
    pub forecast: Option<Span>,
    /// Best known policy / expert.
    pub best_known: Option<Span>,
    /// Planner without knowledge of the future / best known policy.
    pub plan: Option<Span>,
    /// The share of seasons in which the expert keeps all limits, in games with limits.
    pub kept: Option<f64>,
    /// The expert minus the expert without a rule.
    pub rules: Vec<Worthy>,
    /// The best wasteful naive policy minus waiting.
    pub naive: Option<Worthy>,
    /// The policy with the highest mean.
    pub best_on_average: String,
    /// The policy with the highest mean of the worst tenth, if it is significantly above that of the former.
    pub best_in_bad_seasons: String,
}

impl Piece {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is no piece: delete it", path.display()))
    }

    pub(super) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string(self)?;
        fs::write(path, text + "\n").with_context(|| format!("{} can't be written", path.display()))
    }

    /// The mean return of a policy.
    pub(super) fn mean(&self, name: &str) -> Option<f64> {
        self.policies.iter().find(|played| played.name == name).map(|played| played.mean)
    }

    /// The number of rules of the expert that are not worth their place.
    pub(super) fn idle_rules(&self) -> usize {
        self.rules.iter().filter(|rule| rule.worth.high <= 0.0).count()
    }

    /// The bounds that the game misses.
    pub(super) fn missed(&self) -> Vec<&'static str> {
        let is_above = |span: Option<Span>, bound: f64| span.is_some_and(|span| span.value > bound);
        let is_below = |span: Option<Span>, bound: f64| span.is_some_and(|span| span.value < bound);
        let bounds = [
            ("calendar", self.calendar.value > CALENDAR),
            ("looks", is_above(self.unpaid, UNPAID)),
            ("forecast", is_below(self.forecast, FORECAST)),
            ("best known", self.best_known.is_none_or(|span| span.value < BETTER)),
            ("plan", is_below(self.plan, BETTER)),
            ("limits", self.kept.is_some_and(|share| share < KEPT)),
            ("rules", self.idle_rules() > 0),
            ("naive play", self.naive.as_ref().is_some_and(|naive| naive.worth.low > 0.0)),
        ];
        bounds.into_iter().filter(|(_, is_missed)| *is_missed).map(|(name, _)| name).collect()
    }
}
