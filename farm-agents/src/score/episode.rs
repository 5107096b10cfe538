//! An episode of a run, with all its measurements.

use farm_core::config::{Path, Problem};
use farm_games::baseline::Baseline;

use crate::agent::Failures;
use crate::errors::AgentsError;
use crate::header::EpisodePlan;
use crate::limits::MAX_LIFETIME;
use crate::trace::{EndLine, Line, Trace};

/// A trial in a lifetime. A trial that was not started counts as 0, so spending the budget on the first trials gives no advantage.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredTrial {
    /// The seed of its world.
    pub seed: u64,
    /// The return.
    pub total: f64,
    /// The returns of waiting, the best policy and a reference in its world.
    pub baseline: Baseline,
}

/// An episode with all its measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredEpisode {
    /// The episode.
    pub plan: EpisodePlan,
    /// Its end.
    pub end: EndLine,
    /// The returns of waiting, the best policy and a reference in its world, or summed over all worlds of a lifetime.
    pub baseline: Baseline,
    /// The trials in a lifetime; other episodes have one trial.
    pub trials: Vec<ScoredTrial>,
    /// Replies that could not be read and were requested again.
    pub asked_again: u64,
    /// Turns in which part of the reply was not read or not executed.
    pub invalid: u64,
    /// Replies that were cut off.
    pub cut: u64,
    /// The cost of observations.
    pub observation_cost: f64,
    /// Steps until the last reward.
    pub length: u64,
    /// Failed attempts by kind.
    pub failures: Failures,
    /// The return after each turn.
    pub returns: Vec<f64>,
    /// The total number of tokens up to each turn.
    pub tokens: Vec<u64>,
}

/// A score may need this number of unplayed trials per started trial, plus [`MOST_UNPLAYED_TRIALS`].
const PART_OF_TRIALS: u64 = 10;
const MOST_UNPLAYED_TRIALS: u64 = 10;
/// A score may need this number of unplayed steps per turn, plus [`MOST_UNPLAYED_STEPS`].
const PART_OF_STEPS: u64 = 100;
const MOST_UNPLAYED_STEPS: u64 = 10_000;

/// An episode's measurements, taken from its trace. The texts in the trace are no longer needed.
#[derive(Debug)]
pub(crate) struct Measured {
    /// The episode, without baseline and trials.
    episode: ScoredEpisode,
    /// The sum of the rewards in each started trial.
    totals: Vec<f64>,
}

impl Measured {
    /// Measures an episode; `None` if it is not finished.
    pub(crate) fn of(plan: &EpisodePlan, trace: &Trace) -> Option<Self> {
        let mut totals: Vec<f64> = Vec::new();
        let mut episode = ScoredEpisode {
            plan: plan.clone(),
            end: trace.end()?.clone(),
            baseline: Baseline { waiting: 0.0, best: None, reference: None },
            trials: Vec::new(),
            asked_again: 0,
            invalid: 0,
            cut: 0,
            observation_cost: 0.0,
            length: 0,
            failures: trace.failures(),
            returns: Vec::new(),
            tokens: Vec::new(),
        };
        let mut so_far: u64 = 0;
        for line in &trace.lines {
            let call = match line {
                Line::Call(call) => call,
                Line::Summary(summary) => {
                    so_far = so_far.saturating_add(summary.tokens.total());
                    episode.cut += u64::from(summary.cut);
                    continue;
                }
                _ => continue,
            };
            so_far = so_far.saturating_add(call.tokens.total());
            episode.cut += u64::from(call.cut);
            episode.observation_cost += call.observation_cost;
            // A trace that was not verified may name any trial.
            if call.trial < MAX_LIFETIME && call.trial as usize >= totals.len() {
                totals.resize(call.trial as usize + 1, 0.0);
            }
            if !call.played {
                episode.asked_again += 1;
                continue;
            }
            episode.invalid += u64::from(!call.rejected.is_empty());
            if let Some(total) = totals.get_mut(call.trial as usize) {
                *total += call.reward;
            }
            episode.returns.push(call.total);
            episode.tokens.push(so_far);
            if call.reward != 0.0 {
                episode.length = episode.returns.len() as u64;
            }
        }
        Some(Self { episode, totals })
    }

    /// The episode.
    pub(super) fn plan(&self) -> &EpisodePlan {
        &self.episode.plan
    }

    /// Rejects an episode that would take far longer to score than to play, because the baselines play every trial from start to end.
    ///
    /// # Errors
    /// Too few trials or steps of the game were played.
    pub(super) fn check_size(&self, lifetime: u32, steps: Option<u64>) -> Result<(), Box<Problem>> {
        let (begun, turns) = (self.totals.len() as u64, self.episode.returns.len() as u64);
        let wrong = |of: &str, found: String, expected: &str| {
            let message = format!("episode {} played too few {of} for a score", self.episode.plan.id);
            let problem = Problem::new(AgentsError::RunTooLarge, Path::default().child("conduct"), message);
            Err(Box::new(problem.value(found).expected(expected)))
        };
        if u64::from(lifetime) > MOST_UNPLAYED_TRIALS + (1 + PART_OF_TRIALS) * begun {
            return wrong("trials of its lifetime", format!("{begun} of {lifetime}"), "at least a tenth");
        }
        match steps {
            Some(steps) if steps > MOST_UNPLAYED_STEPS + PART_OF_STEPS * turns => {
                wrong("steps of its game", format!("{turns} of {steps}"), "at least a hundredth")
            }
            _ => Ok(()),
        }
    }

    /// Compares the episode with the baselines of its trials, each paired with its seed. A trial that was not started counts as 0.
    pub(super) fn scored(self, baselines: Vec<(u64, Baseline)>) -> Option<ScoredEpisode> {
        let Self { episode, totals } = self;
        let total = |index: usize| totals.get(index).copied().unwrap_or_default();
        let trial = |(index, (seed, baseline))| ScoredTrial { seed, total: total(index), baseline };
        let trials: Vec<ScoredTrial> = baselines.into_iter().enumerate().map(trial).collect();
        let baseline = Baseline::sum(trials.iter().map(|trial| trial.baseline.clone()))?;
        Some(ScoredEpisode { baseline, trials, ..episode })
    }
}

impl ScoredEpisode {
    /// The gain over waiting, as a share of the possible gain.
    pub fn score(&self) -> Option<f64> {
        self.baseline.score(self.end.total)
    }

    /// The best known return minus the episode's return.
    pub fn regret(&self) -> Option<f64> {
        Some(self.baseline.best?.value - self.end.total)
    }

    /// The reference policy's return minus the episode's return.
    pub fn regret_to_reference(&self) -> Option<f64> {
        Some(self.baseline.reference.as_ref()?.1 - self.end.total)
    }

    /// The best policy's steps until its last reward, divided by the episode's. `None` for lifetimes, and if the episode did not reach the
    /// best return.
    pub fn efficiency(&self) -> Option<f64> {
        let best = self.baseline.best.filter(|_| self.trials.len() == 1)?;
        let has_reached = self.end.total >= best.value - 1e-9 * best.value.abs().max(1.0);
        (has_reached && self.length > 0).then(|| best.length as f64 / self.length as f64)
    }

    /// The gain over waiting, and the possible gain.
    pub(super) fn gain(&self) -> Option<(f64, f64)> {
        self.baseline.gain(self.end.total)
    }

    /// The same after a number of turns. If the episode was shorter, its final gain.
    pub(super) fn gain_at_turn(&self, turn: u64) -> Option<(f64, f64)> {
        self.baseline.gain(self.total_at_turn(turn))
    }

    /// The same after a number of tokens.
    pub(super) fn gain_at_tokens(&self, tokens: u64) -> Option<(f64, f64)> {
        self.gain_at_turn(self.turn_at_tokens(tokens))
    }

    /// The gain over waiting after a number of turns, as a share of the possible gain. If the episode was shorter, its final share.
    pub fn score_at_turn(&self, turn: u64) -> Option<f64> {
        self.baseline.score(self.total_at_turn(turn))
    }

    /// The same share after a number of tokens.
    pub fn score_at_tokens(&self, tokens: u64) -> Option<f64> {
        self.score_at_turn(self.turn_at_tokens(tokens))
    }

    fn total_at_turn(&self, turn: u64) -> f64 {
        let taken = usize::try_from(turn).unwrap_or(usize::MAX).min(self.returns.len());
        if taken == 0 { 0.0 } else { self.returns[taken - 1] }
    }

    fn turn_at_tokens(&self, tokens: u64) -> u64 {
        self.tokens.partition_point(|used| *used <= tokens) as u64
    }
}
