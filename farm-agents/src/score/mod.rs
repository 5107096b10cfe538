//! Scores of runs. A score compares returns with waiting, the best policy and a reference, and counts unusable replies, tokens, times and
//! costs.

mod episode;
mod json;
mod mean;

use std::collections::{BTreeMap, BTreeSet};

use farm_core::config::Problems;
use farm_core::{Conversation, in_parallel};
use farm_games::baseline::{Baseline, BestKind};

use crate::agent::{Failures, Tokens};
use crate::errors::step_failed;
use crate::header::{EpisodePlan, HEADER, Prices};
use crate::run::{Run, located};
use crate::trace::Trace;

use mean::ratio;

pub(crate) use episode::Measured;
pub use episode::{ScoredEpisode, ScoredTrial};
pub use json::mean_json;
pub use mean::Mean;

/// The score of a run.
#[derive(Debug, Clone)]
pub struct Score {
    /// The finished episodes.
    pub episodes: Vec<ScoredEpisode>,
    /// The number of episodes in the run.
    pub of: usize,
    /// The number of levels, or of worlds drawn from seeds.
    pub levels: usize,
    /// The mean return.
    pub returns: Option<Mean>,
    /// The sum over levels of R − waiting, divided by the sum of best − waiting.
    pub score: Option<Mean>,
    /// The number of levels without room: no gain over waiting is known. They count in the score's first sum.
    pub without_room: usize,
    /// The sum of all R divided by the sum of all best, as AutoEnv-36 prints it.
    pub ratio_of_sums: Option<Mean>,
    /// The mean of best − R.
    pub regret: Option<Mean>,
    /// The mean of reference − R.
    pub regret_to_reference: Option<Mean>,
    /// The mean of the best policy's steps divided by the episode's steps, over episodes that reach the best return.
    pub efficiency: Option<Mean>,
    /// The source of the best returns; if there are several sources, the least certain one.
    pub best: Option<BestKind>,
    /// The reference policy.
    pub reference: Option<String>,
    /// All tokens.
    pub tokens: Tokens,
    /// The total time of all calls, in seconds.
    pub seconds: f64,
    /// Counts of turns, calls, days, repeated requests, invalid turns and replies that were cut off.
    pub counts: Counts,
    /// Failed attempts by kind.
    pub failures: Failures,
    /// The number of episodes, by the reason for their end.
    pub ends: BTreeMap<&'static str, usize>,
    /// The mean cost of observations in an episode, in the game's points. The return already includes this cost, unless the rules say
    /// otherwise.
    pub observation_cost: Option<Mean>,
    /// The cost of the tokens, if the run states prices.
    pub cost: Option<f64>,
    /// The score in each trial of a lifetime, in order, which shows learning within a lifetime. Empty for other episodes.
    pub over_trials: Vec<Mean>,
    /// The score on each tier of a ladder; empty for other episodes.
    pub by_tier: Vec<(u32, Mean)>,
}

/// Counts over all episodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Turns.
    pub turns: u64,
    /// Calls; a turn may need several.
    pub calls: u64,
    /// Days that passed.
    pub days: u64,
    /// Replies that could not be read and were requested again.
    pub asked_again: u64,
    /// Turns in which part of the reply was not read or not executed.
    pub invalid: u64,
    /// Replies that were cut off.
    pub cut: u64,
}

impl Counts {
    /// The share of turns in which part of the reply was not read or not executed.
    pub fn invalid_rate(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.invalid as f64 / self.turns as f64)
    }

    /// The share of calls whose reply could not be read and was requested again.
    pub fn asked_again_rate(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.asked_again as f64 / self.calls as f64)
    }
}

/// The maximum number of points on a curve.
const POINTS: u64 = 40;

impl Run {
    /// Scores the finished episodes.
    ///
    /// # Errors
    /// Waiting, the best plan or the reference failed in a world.
    pub fn score(&self, traces: &[Trace], threads: usize) -> Result<Score, Problems> {
        let plans = self.header().episodes.iter();
        let measured = plans.zip(traces).map(|(plan, trace)| Measured::of(plan, trace)).collect();
        self.score_measured(measured, threads)
    }

    /// Scores the measurements of the episodes, in order; unfinished episodes are `None`.
    pub(crate) fn score_measured(&self, measured: Vec<Option<Measured>>, threads: usize) -> Result<Score, Problems> {
        let header = self.folder().join(HEADER);
        let played: Vec<_> = measured.into_iter().enumerate().filter_map(|(i, one)| Some((one?, i))).collect();
        let lifetime = self.header().conduct.lifetime;
        if self.time.is_set() {
            played.iter().try_for_each(|(one, index)| {
                one.check_size(lifetime, self.game(*index)?.most_steps())
                    .map_err(|problem| located(&header, Problems(vec![*problem])))
            })?;
        }
        let baselines = in_parallel(
            played.len(),
            threads,
            || (),
            |(), index| -> Result<Vec<_>, Problems> {
                let (one, episode) = &played[index];
                let game = &self.game(*episode)?;
                let baseline = |trial| {
                    self.time.check().map_err(|problems| located(&header, problems))?;
                    let seed = Conversation::seed_of(one.plan().seed, trial);
                    let baseline =
                        Baseline::checked(game, seed, &|| self.time.check()).map_err(|error| match error {
                            farm_core::PlayError::Step(error) => step_failed(&error),
                            // Only the time limit ends it otherwise.
                            _ => located(&header, self.time.check().err().unwrap_or_default()),
                        })?;
                    Ok((seed, baseline))
                };
                (0..lifetime).map(baseline).collect::<Result<Vec<_>, Problems>>()
            },
        );
        let mut episodes = Vec::new();
        for ((one, _), trials) in played.into_iter().zip(baselines) {
            episodes.extend(one.scored(trials?));
        }
        Ok(Score::of(episodes, self.header().episodes.len(), self.header().prices))
    }
}

impl Score {
    fn of(episodes: Vec<ScoredEpisode>, of: usize, prices: Option<Prices>) -> Self {
        // Worlds in the order of their first episode.
        let (mut levels, mut known): (Vec<Vec<&ScoredEpisode>>, BTreeMap<_, usize>) = (Vec::new(), BTreeMap::new());
        for episode in &episodes {
            let EpisodePlan { level, seed, game, .. } = &episode.plan;
            let world = if level.is_some() { (level, 0, &None) } else { (level, *seed, game) };
            let at = *known.entry(world).or_insert(levels.len());
            if at == levels.len() {
                levels.push(Vec::new());
            }
            levels[at].push(episode);
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
            ratio(&levels, |episode| {
                let trial = episode.trials.get(index)?;
                trial.baseline.gain(trial.total)
            })
        };
        let over_trials = if most_trials > 1 { (0..most_trials).filter_map(of_trial).collect() } else { Vec::new() };
        let tiers: BTreeSet<u32> = episodes.iter().filter_map(|episode| episode.plan.tier()).collect();
        let of_tier =
            |tier: u32| ratio(&levels, |episode| episode.gain().filter(|_| episode.plan.tier() == Some(tier)));
        let has_room =
            |level: &Vec<&ScoredEpisode>| level.iter().filter_map(|episode| episode.gain()).all(|(_, room)| room > 0.0);
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
            for (kind, count) in &episode.failures {
                let sum: &mut u32 = failures.entry(kind.clone()).or_default();
                *sum = sum.saturating_add(*count);
            }
            *ends.entry(episode.end.why.name()).or_default() += 1;
        }
        Self {
            of,
            levels: levels.len(),
            returns: over(&|episode| Some(episode.end.total)),
            score: ratio(&levels, ScoredEpisode::gain),
            without_room: levels.iter().filter(|level| !has_room(level)).count(),
            ratio_of_sums: share_of_best(&levels),
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

    /// The score after given numbers of turns, up to the longest episode.
    pub fn over_turns(&self) -> Vec<(u64, f64)> {
        let most = self.episodes.iter().map(|episode| episode.end.turns).max().unwrap_or_default();
        self.curve(most, ScoredEpisode::gain_at_turn)
    }

    /// The score after given numbers of tokens, up to the longest episode; empty if there are no tokens.
    pub fn over_tokens(&self) -> Vec<(u64, f64)> {
        let most = self.episodes.iter().map(|episode| episode.end.tokens.total()).max().unwrap_or_default();
        self.curve(most, ScoredEpisode::gain_at_tokens)
    }

    fn curve(&self, most: u64, gain: impl Fn(&ScoredEpisode, u64) -> Option<(f64, f64)>) -> Vec<(u64, f64)> {
        let mut at: Vec<u64> =
            (1..=POINTS).map(|i| (u128::from(most) * u128::from(i) / u128::from(POINTS)) as u64).collect();
        at.retain(|at| *at > 0);
        at.dedup();
        let score = |at: u64| {
            let gains = self.episodes.iter().filter_map(|episode| gain(episode, at));
            let (gain, room) = gains.fold((0.0, 0.0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
            (room > 0.0).then(|| (at, gain / room))
        };
        at.into_iter().filter_map(score).collect()
    }
}

/// The sum of all returns divided by the sum of all best returns. `None` if a level's best return is 0 or below.
fn share_of_best(levels: &[Vec<&ScoredEpisode>]) -> Option<Mean> {
    let parts = |episode: &ScoredEpisode| Some((episode.end.total, episode.baseline.best?.value));
    let mut known = levels.iter().flatten().filter_map(|episode| parts(episode));
    known.all(|(_, best)| best > 0.0).then(|| ratio(levels, parts))?
}
