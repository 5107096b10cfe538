//! Scores of runs: returns against waiting, the best and a reference, replies that were no use, and what it took.

use std::collections::{BTreeMap, BTreeSet};

use farm_core::config::Problems;
use farm_core::{Conversation, in_parallel};
use farm_scoring::risk::{Bootstrap, Criterion, Estimate};
use serde_json::{Value as Json, json};

use crate::agent::{Failures, Tokens};
use crate::baseline::{Baseline, BestKind};
use crate::run::{EpisodePlan, Run};
use crate::trace::{EndLine, Line, Trace};

/// A trial of a lifetime. One that was not begun earned nothing: whoever spends a budget on the first trials is not better for it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredTrial {
    /// The seed of its world.
    pub seed: u64,
    /// The return.
    pub total: f64,
    /// What others earn in its world.
    pub baseline: Baseline,
}

/// An episode with all that is measured of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredEpisode {
    /// The episode.
    pub plan: EpisodePlan,
    /// How it ended.
    pub end: EndLine,
    /// What others earn in its world, or in all worlds of a lifetime together.
    pub baseline: Baseline,
    /// The trials of a lifetime; any other episode is one.
    pub trials: Vec<ScoredTrial>,
    /// Replies that could not be read, so that they were asked for again.
    pub asked_again: u64,
    /// Turns in which something of the reply was not read or not done.
    pub invalid: u64,
    /// Replies that were cut off.
    pub cut: u64,
    /// What was paid for looking.
    pub observation_cost: f64,
    /// Steps until the last reward.
    pub length: u64,
    /// Attempts that failed, by what went wrong.
    pub failures: Failures,
    /// The return after each turn.
    pub returns: Vec<f64>,
    /// All tokens up to each turn.
    pub tokens: Vec<u64>,
}

impl ScoredEpisode {
    fn of(plan: &EpisodePlan, trace: &Trace, baselines: Vec<(u64, Baseline)>) -> Option<Self> {
        let end = trace.end()?.clone();
        let trial = |(seed, baseline)| ScoredTrial { seed, total: 0.0, baseline };
        let mut trials: Vec<ScoredTrial> = baselines.into_iter().map(trial).collect();
        let baseline = Baseline::sum(trials.iter().map(|trial| trial.baseline.clone()))?;
        let (mut asked_again, mut invalid, mut cut, mut length, mut observation_cost) = (0, 0, 0, 0, 0.0);
        let (mut returns, mut tokens, mut so_far) = (Vec::new(), Vec::new(), 0);
        for line in &trace.lines {
            let call = match line {
                Line::Call(call) => call,
                Line::Summary(summary) => {
                    so_far += summary.tokens.total();
                    cut += u64::from(summary.cut);
                    continue;
                }
                _ => continue,
            };
            so_far += call.tokens.total();
            cut += u64::from(call.cut);
            observation_cost += call.observation_cost;
            if !call.played {
                asked_again += 1;
                continue;
            }
            invalid += u64::from(!call.rejected.is_empty());
            if let Some(trial) = trials.get_mut(call.trial as usize) {
                trial.total += call.reward;
            }
            returns.push(call.total);
            tokens.push(so_far);
            if call.reward != 0.0 {
                length = returns.len() as u64;
            }
        }
        let failures = trace.failures();
        Some(Self {
            plan: plan.clone(),
            end,
            baseline,
            trials,
            asked_again,
            invalid,
            cut,
            observation_cost,
            length,
            failures,
            returns,
            tokens,
        })
    }

    /// The share of what can be had beyond waiting.
    pub fn score(&self) -> Option<f64> {
        self.baseline.score(self.end.total)
    }

    /// What is missing to the best that is known.
    pub fn regret(&self) -> Option<f64> {
        Some(self.baseline.best?.value - self.end.total)
    }

    /// What is missing to the reference policy.
    pub fn regret_to_reference(&self) -> Option<f64> {
        Some(self.baseline.reference.as_ref()?.1 - self.end.total)
    }

    /// How short the way to the best return was: steps of the best until its last reward, by those of the episode. None of an episode that
    /// did not reach it, nor of a lifetime.
    pub fn efficiency(&self) -> Option<f64> {
        let best = self.baseline.best.filter(|_| self.trials.len() == 1)?;
        let has_reached = self.end.total >= best.value - 1e-9 * best.value.abs().max(1.0);
        (has_reached && self.length > 0).then(|| best.length as f64 / self.length as f64)
    }

    /// The share of what can be had beyond waiting after so many turns; of a shorter episode that at its end.
    pub fn score_at_turn(&self, turn: u64) -> Option<f64> {
        let taken = usize::try_from(turn).unwrap_or(usize::MAX).min(self.returns.len());
        self.baseline.score(if taken == 0 { 0.0 } else { self.returns[taken - 1] })
    }

    /// The same after so many tokens.
    pub fn score_at_tokens(&self, tokens: u64) -> Option<f64> {
        self.score_at_turn(self.tokens.partition_point(|used| *used <= tokens) as u64)
    }
}

/// A mean over levels with the interval of the levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its 95 % interval by bootstrap over levels; none of fewer than two.
    pub interval: Option<(f64, f64)>,
}

impl Mean {
    fn of(levels: &[f64]) -> Option<Self> {
        if levels.is_empty() {
            return None;
        }
        let value = levels.iter().sum::<f64>() / levels.len() as f64;
        Some(Self { value, interval: ends(Bootstrap::default().estimate(&Criterion::Mean, levels)) })
    }

    fn json(this: Option<Self>) -> Json {
        this.map_or(Json::Null, |mean| json!({"value": mean.value, "interval": mean.interval}))
    }
}

fn ends(estimate: Option<Estimate>) -> Option<(f64, f64)> {
    estimate.map(|estimate| (estimate.low, estimate.high))
}

/// The score of a run.
#[derive(Debug, Clone)]
pub struct Score {
    /// The episodes that are at their end.
    pub episodes: Vec<ScoredEpisode>,
    /// All episodes of the run.
    pub of: usize,
    /// How many levels, or worlds of seeds, the episodes are on.
    pub levels: usize,
    /// The mean return.
    pub returns: Option<Mean>,
    /// The mean over levels of (R − waiting) / (best − waiting).
    pub score: Option<Mean>,
    /// The mean over levels of R / best.
    pub mean_of_ratios: Option<Mean>,
    /// The sum of all R by the sum of all best, as AutoEnv-36 prints it.
    pub ratio_of_sums: Option<Mean>,
    /// The mean of best − R.
    pub regret: Option<Mean>,
    /// The mean of reference − R.
    pub regret_to_reference: Option<Mean>,
    /// Steps of the best by those of the episodes that reach its return.
    pub efficiency: Option<Mean>,
    /// Where the best returns come from; of several the least certain.
    pub best: Option<BestKind>,
    /// The reference policy.
    pub reference: Option<String>,
    /// All tokens.
    pub tokens: Tokens,
    /// All seconds of calls.
    pub seconds: f64,
    /// Turns, calls, days, replies asked for again, turns with something invalid, replies cut off.
    pub counts: Counts,
    /// Attempts that failed, by what went wrong.
    pub failures: Failures,
    /// Episodes by what ended them.
    pub ends: BTreeMap<&'static str, usize>,
    /// What was paid for looking in an episode, in points of the game; it is in the return already, unless the rules say otherwise.
    pub observation_cost: Option<Mean>,
    /// What the tokens cost, if the run says prices.
    pub cost: Option<f64>,
    /// The mean score of each trial of the lifetimes, the first one first: what was learnt within. None of other episodes.
    pub over_trials: Vec<Mean>,
    /// The mean score on each tier of a ladder, where the episodes are on such.
    pub by_tier: Vec<(u32, Mean)>,
}

/// What is counted over all episodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Turns.
    pub turns: u64,
    /// Calls: a turn may take several.
    pub calls: u64,
    /// Days that passed.
    pub days: u64,
    /// Replies that could not be read, so that they were asked for again.
    pub asked_again: u64,
    /// Turns in which something of the reply was not read or not done.
    pub invalid: u64,
    /// Replies that were cut off.
    pub cut: u64,
}

impl Counts {
    /// The share of turns in which something of the reply was not read or not done.
    pub fn invalid_rate(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.invalid as f64 / self.turns as f64)
    }

    /// The share of calls whose reply could not be read, so that it was asked for again.
    pub fn asked_again_rate(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.asked_again as f64 / self.calls as f64)
    }
}

/// The most points of a curve.
const POINTS: u64 = 40;

impl Run {
    /// Scores the episodes that are at their end.
    ///
    /// # Errors
    /// A world in which waiting, the best plan or the reference fails.
    pub fn score(&self, traces: &[Trace], threads: usize) -> Result<Score, Problems> {
        let played: Vec<_> = self.episodes().zip(traces).filter(|(_, trace)| trace.end().is_some()).collect();
        let baselines = in_parallel(
            played.len(),
            threads,
            || (),
            |(), index| {
                let ((plan, game), _) = &played[index];
                let trials = 0..self.header().conduct.lifetime;
                let seeds = trials.map(|trial| Conversation::seed_of(plan.seed, trial));
                seeds.map(|seed| Ok((seed, Baseline::of(game, seed)?))).collect::<Result<Vec<_>, _>>()
            },
        );
        let mut episodes = Vec::new();
        for (((plan, _), trace), trials) in played.iter().zip(baselines) {
            let trials = trials.map_err(|error| match error {
                farm_core::PlayError::Step(error) => crate::run::step_failed(&error),
                // Nobody looks on who could end it.
                _ => Problems::default(),
            })?;
            episodes.extend(ScoredEpisode::of(plan, trace, trials));
        }
        Ok(Score::of(episodes, self.header().episodes.len(), self.header().prices))
    }
}

impl Score {
    fn of(episodes: Vec<ScoredEpisode>, of: usize, prices: Option<crate::run::Prices>) -> Self {
        let mut levels: Vec<Vec<&ScoredEpisode>> = Vec::new();
        for episode in &episodes {
            let world = |other: &ScoredEpisode| match (&other.plan.level, &episode.plan.level) {
                (None, None) => other.plan.seed == episode.plan.seed && other.plan.game == episode.plan.game,
                (one, other) => one == other,
            };
            match levels.iter_mut().find(|level| world(level[0])) {
                Some(level) => level.push(episode),
                None => levels.push(vec![episode]),
            }
        }
        let over = |value: &dyn Fn(&ScoredEpisode) -> Option<f64>| {
            let of_level = |level: &Vec<&ScoredEpisode>| {
                let values: Vec<f64> = level.iter().filter_map(|episode| value(episode)).collect();
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
            };
            Mean::of(&levels.iter().filter_map(of_level).collect::<Vec<_>>())
        };
        let most_trials = episodes.iter().map(|episode| episode.trials.len()).max().unwrap_or_default();
        let of_trial = |index: usize| {
            over(&|episode| {
                let trial = episode.trials.get(index)?;
                trial.baseline.score(trial.total)
            })
        };
        let over_trials = if most_trials > 1 { (0..most_trials).filter_map(of_trial).collect() } else { Vec::new() };
        let tiers: BTreeSet<u32> = episodes.iter().filter_map(|episode| episode.plan.tier()).collect();
        let of_tier = |tier: u32| over(&|episode| episode.score().filter(|_| episode.plan.tier() == Some(tier)));
        let by_tier = tiers.into_iter().filter_map(|tier| Some((tier, of_tier(tier)?))).collect();
        let (mut counts, mut tokens, mut seconds) = (Counts::default(), Tokens::default(), 0.0);
        let (mut failures, mut ends) = (Failures::new(), BTreeMap::new());
        for episode in &episodes {
            counts.turns += episode.end.turns;
            counts.calls += episode.end.calls;
            counts.days += u64::from(episode.end.days);
            counts.asked_again += episode.asked_again;
            counts.invalid += episode.invalid;
            counts.cut += episode.cut;
            tokens.add(&episode.end.tokens);
            seconds += episode.end.seconds;
            episode.failures.iter().for_each(|(kind, count)| *failures.entry(kind.clone()).or_default() += count);
            *ends.entry(episode.end.why.name()).or_default() += 1;
        }
        Self {
            of,
            levels: levels.len(),
            returns: over(&|episode| Some(episode.end.total)),
            score: over(&ScoredEpisode::score),
            mean_of_ratios: over(&|episode| episode.baseline.share(episode.end.total)),
            ratio_of_sums: ratio_of_sums(&levels),
            regret: over(&ScoredEpisode::regret),
            regret_to_reference: over(&ScoredEpisode::regret_to_reference),
            efficiency: over(&ScoredEpisode::efficiency),
            observation_cost: over(&|episode| Some(episode.observation_cost)),
            best: episodes.iter().filter_map(|episode| Some(episode.baseline.best?.kind)).max(),
            reference: episodes.iter().find_map(|episode| Some(episode.baseline.reference.as_ref()?.0.clone())),
            cost: prices.map(|prices| prices.cost(&tokens)),
            over_trials,
            by_tier,
            tokens,
            seconds,
            counts,
            failures,
            ends,
            episodes,
        }
    }

    /// The mean score after numbers of turns, up to those of the longest episode.
    pub fn over_turns(&self) -> Vec<(u64, f64)> {
        let most = self.episodes.iter().map(|episode| episode.end.turns).max().unwrap_or_default();
        self.curve(most, ScoredEpisode::score_at_turn)
    }

    /// The mean score after numbers of tokens, up to those of the longest episode; none where there are no tokens.
    pub fn over_tokens(&self) -> Vec<(u64, f64)> {
        let most = self.episodes.iter().map(|episode| episode.end.tokens.total()).max().unwrap_or_default();
        self.curve(most, ScoredEpisode::score_at_tokens)
    }

    fn curve(&self, most: u64, score: impl Fn(&ScoredEpisode, u64) -> Option<f64>) -> Vec<(u64, f64)> {
        let mut at: Vec<u64> =
            (1..=POINTS).map(|i| (u128::from(most) * u128::from(i) / u128::from(POINTS)) as u64).collect();
        at.retain(|at| *at > 0);
        at.dedup();
        let mean = |at: u64| {
            let scores: Vec<f64> = self.episodes.iter().filter_map(|episode| score(episode, at)).collect();
            (!scores.is_empty()).then(|| (at, scores.iter().sum::<f64>() / scores.len() as f64))
        };
        at.into_iter().filter_map(mean).collect()
    }

    /// The score for programs.
    pub fn json(&self) -> Json {
        let trial = |trial: &ScoredTrial| {
            let score = trial.baseline.score(trial.total);
            let best = trial.baseline.best.map(|best| best.value);
            json!({"seed": trial.seed, "return": trial.total, "waiting": trial.baseline.waiting, "best": best, "score": score})
        };
        let episode = |episode: &ScoredEpisode| {
            let best = episode.baseline.best;
            json!({
                "id": episode.plan.id,
                "level": episode.plan.level,
                "seed": episode.plan.seed,
                "game": episode.plan.game,
                "trials": episode.trials.iter().map(trial).collect::<Vec<_>>(),
                "return": episode.end.total,
                "waiting": episode.baseline.waiting,
                "best": best.map(|best| best.value),
                "best_is": best.map(|best| best.kind.name()),
                "reference": episode.baseline.reference.as_ref().map(|(_, value)| value),
                "score": episode.score(),
                "efficiency": episode.efficiency(),
                "turns": episode.end.turns,
                "calls": episode.end.calls,
                "asked_again": episode.asked_again,
                "invalid": episode.invalid,
                "cut": episode.cut,
                "tokens": episode.end.tokens,
                "seconds": episode.end.seconds,
                "ended_by": episode.end.why,
            })
        };
        json!({
            "episodes_done": self.episodes.len(),
            "episodes": self.of,
            "levels": self.levels,
            "return": Mean::json(self.returns),
            "score": Mean::json(self.score),
            "mean_of_ratios": Mean::json(self.mean_of_ratios),
            "ratio_of_sums": Mean::json(self.ratio_of_sums),
            "regret": Mean::json(self.regret),
            "regret_to_reference": Mean::json(self.regret_to_reference),
            "efficiency": Mean::json(self.efficiency),
            "observation_cost": Mean::json(self.observation_cost),
            "best_is": self.best.map(BestKind::name),
            "reference": self.reference,
            "turns": self.counts.turns,
            "calls": self.counts.calls,
            "days": self.counts.days,
            "asked_again": self.counts.asked_again,
            "asked_again_rate": self.counts.asked_again_rate(),
            "invalid": self.counts.invalid,
            "invalid_rate": self.counts.invalid_rate(),
            "cut": self.counts.cut,
            "tokens": self.tokens,
            "seconds": self.seconds,
            "failures": self.failures,
            "ended_by": self.ends,
            "cost": self.cost,
            "over_turns": self.over_turns(),
            "over_tokens": self.over_tokens(),
            "over_trials": self.over_trials.iter().map(|mean| Mean::json(Some(*mean))).collect::<Vec<_>>(),
            "by_tier": self.by_tier.iter().map(|(tier, mean)| json!({"tier": tier, "score": Mean::json(Some(*mean))})).collect::<Vec<_>>(),
            "by_episode": self.episodes.iter().map(episode).collect::<Vec<_>>(),
        })
    }
}

/// The sum of all returns by the sum of all best ones.
fn ratio_of_sums(levels: &[Vec<&ScoredEpisode>]) -> Option<Mean> {
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
    // Where nothing can be had there is no ratio, and some resamples may have none.
    let has_ratio = sums.iter().all(|sum| sum.1 > 0.0) && !sums.is_empty();
    has_ratio.then(|| Mean { value, interval: ends(Bootstrap::default().statistic(sums.len(), ratio)) })
}
