//! Tuning: finds the numbers in a policy that maximise a criterion of its returns.
//!
//! The policy marks its tunable numbers with `{tune: [low, high]}`. CMA-ES proposes values, one generation at a time. All candidates in a
//! generation play the same seeds, so differences come only from the values. The next generation plays new seeds, which prevents
//! overfitting to a few seeds. At the end a few finalists, including the original policy, play new seeds, and the best finalist is the
//! result. Its value is measured on further seeds.
//!
//! The same plan gives the same result on any number of threads, with or without interruptions.

mod checkpoint;
mod cma_es;
mod knobs;

use farm_core::serde_yaml::Value;
use farm_core::{Stream, hash_name, mix};
use farm_scoring::risk::{Bootstrap, Criterion, Paired};

pub use checkpoint::CheckpointError;
use cma_es::{CmaEs, population};
pub use knobs::{Knob, knobs_of, with_all_numbers, with_values};

use crate::{Arena, Draw, SearchError};

/// Share of the episodes for choosing among the finalists.
const FINAL_SHARE: f64 = 0.2;
/// Number of recent generations whose winners become finalists.
const WINNERS: usize = 3;
/// Default minimum number of episodes per candidate.
const FEWEST_EPISODES: usize = 16;

/// Settings for a tuning.
#[derive(Debug, Clone, PartialEq)]
pub struct TunePlan {
    /// The criterion to maximise.
    pub criterion: Criterion,
    /// Total number of episodes, without the episodes that measure the result.
    pub budget: usize,
    /// Number of episodes per candidate in a generation; default: as many as the criterion needs.
    pub episodes: Option<usize>,
    /// The seed of the first episode and of all random draws.
    pub seed: u64,
}

/// The use of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Number of generations.
    pub generations: usize,
    /// Number of candidates per generation.
    pub candidates: usize,
    /// Number of episodes per candidate.
    pub episodes: usize,
    /// Number of episodes per finalist.
    pub final_episodes: usize,
}

impl TunePlan {
    /// Divides the budget for this number of tunable numbers.
    ///
    /// # Errors
    /// The budget is too small for one generation, or there are too few episodes for the criterion.
    pub fn schedule(&self, numbers: usize) -> Result<Schedule, SearchError> {
        let fewest = self.criterion.fewest();
        let episodes = self.episodes.unwrap_or(FEWEST_EPISODES.max(3 * fewest).max(self.tail_episodes()));
        if episodes < fewest {
            let message = format!(
                "{episodes} episodes are too few to estimate `{}`: each candidate plays {fewest} or more",
                self.criterion
            );
            return Err(SearchError::Request(message));
        }
        let candidates = population(numbers);
        // The original policy also plays.
        let of_generation = (candidates + 1) * episodes;
        // The smallest budget whose final share is large enough.
        let finalists = WINNERS + 2;
        let needed = (of_generation as f64 / (1.0 - FINAL_SHARE)).ceil() as usize;
        let needed = needed.max(of_generation + finalists * fewest);
        if self.budget < needed {
            let message = format!(
                "{} episodes are too few to tune {numbers} numbers: a generation has {candidates} candidates, each plays {episodes}; \
                 give a budget of {needed} or more",
                self.budget
            );
            return Err(SearchError::Request(message));
        }
        let for_final = ((self.budget as f64 * FINAL_SHARE) as usize).max(finalists * fewest);
        let generations = ((self.budget - for_final) / of_generation).max(1);
        let final_episodes = (self.budget - generations * of_generation) / finalists;
        Ok(Schedule { generations, candidates, episodes, final_episodes })
    }

    /// The number of episodes at which the criterion's tail contains four episodes.
    fn tail_episodes(&self) -> usize {
        self.criterion.in_tail(1).filter(|share| *share > 0.0).map_or(0, |share| (4.0 / share).ceil() as usize)
    }
}

/// A tuning's progress.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneProgress {
    /// Number of finished generations.
    pub generation: usize,
    /// Total number of generations.
    pub of: usize,
    /// The criterion of this generation's best candidate, on its seeds.
    pub best: f64,
    /// The criterion of the original policy, on the same seeds.
    pub before: f64,
}

/// A generation's best candidate.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
struct Winner {
    generation: usize,
    values: Vec<f64>,
}

/// A tuning in progress.
#[derive(Debug)]
pub struct Tuning<'g> {
    arena: Arena<'g>,
    policy: Value,
    knobs: Vec<Knob>,
    plan: TunePlan,
    schedule: Schedule,
    search: CmaEs,
    winners: Vec<Winner>,
}

/// A tuning's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// The policy with plain numbers.
    pub policy: Value,
    /// The numbers, in the order of [`Tuning::knobs`].
    pub values: Vec<f64>,
    /// The chosen finalist: `start` if no better one was found.
    pub chosen: String,
    /// Number of episodes played.
    pub episodes: usize,
}

/// The criterion of a tuned policy on seeds that the tuning has not used.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOut {
    /// The criterion of the original policy.
    pub before: f64,
    /// The criterion of the tuned policy.
    pub after: f64,
    /// Tuned minus original, seed by seed.
    pub paired: Paired,
}

impl<'g> Tuning<'g> {
    /// A new tuning. The policy must contain tunable numbers, but no names of the game's own policies;
    /// [`expand_tunable`](crate::expand_tunable) returns such a policy.
    ///
    /// # Errors
    /// The policy has no tunable number or an invalid one, or the plan can't be carried out.
    pub fn new(arena: Arena<'g>, policy: Value, plan: TunePlan) -> Result<Self, SearchError> {
        let knobs = knobs_of(arena, &policy)?;
        if knobs.is_empty() {
            return Err(SearchError::Request(
                "the policy has no tunable number: write `{tune: [low, high]}` instead of a number, or tune all of them with \
                 `--all-numbers`"
                    .to_owned(),
            ));
        }
        let schedule = plan.schedule(knobs.len())?;
        let start = knobs.iter().map(|knob| knob.share_of(knob.range.value())).collect();
        let search = CmaEs::new(start, knobs.iter().map(Knob::narrowest).collect());
        Ok(Self { arena, policy, knobs, plan, schedule, search, winners: Vec::new() })
    }

    /// The tunable numbers.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// The use of the budget.
    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// Number of finished generations.
    pub fn generations(&self) -> usize {
        self.search.generations
    }

    /// Whether all generations are finished.
    pub fn is_done(&self) -> bool {
        self.search.generations >= self.schedule.generations
    }

    /// The first and the last seed that candidates and finalists play.
    pub fn seeds(&self) -> (u64, u64) {
        let played = self.schedule.generations * self.schedule.episodes + self.schedule.final_episodes;
        (self.plan.seed, self.plan.seed.wrapping_add(played as u64 - 1))
    }

    /// Plays one generation and learns from it.
    ///
    /// # Errors
    /// The game fails in a step.
    pub fn generation(&mut self) -> Result<TuneProgress, SearchError> {
        let generation = self.search.generations;
        let mut stream = Stream::from_seed(mix(mix(self.plan.seed, hash_name("tune")), generation as u64));
        let points = self.search.ask(&mut stream);
        let mut candidates: Vec<Vec<f64>> = points.iter().map(|point| self.values(point)).collect();
        candidates.push(self.start());
        let first = generation * self.schedule.episodes;
        let mut scores = self.play(&candidates, first, self.schedule.episodes)?;
        let before = scores.pop().unwrap_or_default();
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        self.search.tell(&order.iter().map(|i| points[*i].clone()).collect::<Vec<_>>());
        let best = order.first().copied().unwrap_or_default();
        self.winners.push(Winner { generation, values: candidates[best].clone() });
        let surplus = self.winners.len().saturating_sub(WINNERS);
        self.winners.drain(..surplus);
        Ok(TuneProgress { generation: generation + 1, of: self.schedule.generations, best: scores[best], before })
    }

    /// Chooses among the finalists, once all generations are done.
    ///
    /// # Errors
    /// The game fails in a step.
    pub fn finish(&self) -> Result<Tuned, SearchError> {
        let mut finalists =
            vec![("start".to_owned(), self.start()), ("centre".to_owned(), self.values(&self.search.mean))];
        let winners = self.winners.iter();
        finalists.extend(
            winners.map(|winner| (format!("winner of generation {}", winner.generation + 1), winner.values.clone())),
        );
        let values: Vec<Vec<f64>> = finalists.iter().map(|(_, values)| values.clone()).collect();
        let first = self.schedule.generations * self.schedule.episodes;
        let scores = self.play(&values, first, self.schedule.final_episodes)?;
        // If equal, the first wins: nothing changes without a reason.
        let best = (1..scores.len()).fold(0, |best, i| if scores[i] > scores[best] { i } else { best });
        let (chosen, values) = finalists.swap_remove(best);
        let candidates = self.schedule.generations * (self.schedule.candidates + 1);
        let episodes = candidates * self.schedule.episodes + scores.len() * self.schedule.final_episodes;
        Ok(Tuned { policy: with_values(&self.policy, &self.knobs, &values), values, chosen, episodes })
    }

    /// Compares a tuned policy with the original policy, on seeds that the tuning has not used.
    ///
    /// # Errors
    /// The tuning has used the seeds, there are too few seeds for the criterion, or the game fails in a step.
    pub fn held_out(&self, tuned: &Tuned, first_seed: u64, episodes: usize) -> Result<HeldOut, SearchError> {
        self.check_held_out(first_seed, episodes)?;
        let draws: Vec<Draw> = (0..episodes as u64).map(|i| Draw::Episode(first_seed.saturating_add(i))).collect();
        let before = with_values(&self.policy, &self.knobs, &self.start());
        let played = self.arena.play(&[(&before, &draws), (&tuned.policy, &draws)])?;
        let bootstrap = Bootstrap::default();
        let value = |returns: &[f64]| self.plan.criterion.value(returns);
        match (value(&played[0]), value(&played[1]), bootstrap.paired(&self.plan.criterion, &played[1], &played[0])) {
            (Some(before), Some(after), Some(paired)) => Ok(HeldOut { before, after, paired }),
            _ => Err(self.too_few(episodes)),
        }
    }

    /// Checks that these seeds can measure the result.
    ///
    /// # Errors
    /// The tuning uses the seeds, or there are too few seeds for the criterion.
    pub fn check_held_out(&self, first_seed: u64, episodes: usize) -> Result<(), SearchError> {
        let (first, last) = self.seeds();
        let end = first_seed.saturating_add((episodes as u64).saturating_sub(1));
        if first_seed <= last && end >= first {
            return Err(SearchError::Request(format!(
                "the held-out seeds {first_seed} to {end} overlap the tuning seeds {first} to {last}: give other held-out seeds"
            )));
        }
        if episodes < self.plan.criterion.fewest().max(1) { Err(self.too_few(episodes)) } else { Ok(()) }
    }

    fn too_few(&self, episodes: usize) -> SearchError {
        let fewest = self.plan.criterion.fewest();
        SearchError::Request(format!(
            "{episodes} held-out episodes are too few to estimate `{}`: give {fewest} or more",
            self.plan.criterion
        ))
    }

    /// The values of the original policy.
    fn start(&self) -> Vec<f64> {
        self.knobs.iter().map(|knob| knob.range.value()).collect()
    }

    fn values(&self, point: &[f64]) -> Vec<f64> {
        self.knobs.iter().zip(point).map(|(knob, share)| knob.value_at(*share)).collect()
    }

    /// The criterion of each candidate on the same episodes, counted from the first seed.
    fn play(&self, candidates: &[Vec<f64>], first: usize, episodes: usize) -> Result<Vec<f64>, SearchError> {
        let seed = |i: usize| self.plan.seed.wrapping_add((first + i) as u64);
        let draws: Vec<Draw> = (0..episodes).map(|i| Draw::Episode(seed(i))).collect();
        let policies: Vec<Value> =
            candidates.iter().map(|values| with_values(&self.policy, &self.knobs, values)).collect();
        let jobs: Vec<(&Value, &[Draw])> = policies.iter().map(|policy| (policy, draws.as_slice())).collect();
        let played = self.arena.play(&jobs)?;
        // The schedule rejects too few returns for the criterion.
        Ok(played.iter().map(|returns| self.plan.criterion.value(returns).unwrap_or(f64::NEG_INFINITY)).collect())
    }
}
