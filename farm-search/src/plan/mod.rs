//! Planning: chooses the next actions by trying them in copies of the episode.
//!
//! A plan has one [`Move`] per step: its own actions, the actions of a base policy, or both. After the last move, the base policy plays.
//! Plans are tried from a copy of the state, to the end of the episode or a horizon. With [`Foresight::Drawn`] each trial has its own
//! random future, so the planner knows only the forecast. With [`Foresight::Known`] all trials have the true future, so no real policy can
//! be expected to reach this return. In both cases the planner knows the full state, including variables that learners do not observe.
//!
//! The last part of the budget compares the best plans with the base policy on the same futures. A plan replaces the base policy only if
//! its gain is clearly larger than the standard error, so planning with few trials falls back to the base policy. A plan that exceeds one
//! of the game's limits on more of these futures than the base policy never replaces it.

mod cross_entropy;
mod episode;
mod tree;
mod trials;

use farm_core::action::Call;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Future, Game, State, Stream, hash_name, mix};
use farm_games::policies::policy_from_value;

pub use episode::{PlannedEpisode, play_planned};
pub use trials::rollout_policy;
use trials::{Trial, Trials, copy_of};

use crate::SearchError;

/// Share of the trials for the comparison with the base policy.
const COMPARED_SHARE: f64 = 0.4;
/// Maximum number of plans in this comparison.
const MAX_COMPARED: usize = 3;
/// Minimum number of trials per decision.
pub const FEWEST_TRIALS: usize = 24;

/// The method that finds plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The cross-entropy method over lists of moves.
    CrossEntropy,
    /// A tree over moves, grown by upper confidence bounds with progressive widening.
    Tree,
}

/// A planner's knowledge of the future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foresight {
    /// The planner knows only the forecast: each trial has its own random future.
    Drawn,
    /// The planner knows the whole future. The return is the best one found in hindsight by trials, not a proven maximum.
    Known,
}

/// Settings for a planner.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanSettings {
    /// The method that finds plans.
    pub method: Method,
    /// The knowledge of the future.
    pub foresight: Foresight,
    /// Number of trials per decision, at least [`FEWEST_TRIALS`].
    pub budget: usize,
    /// Maximum number of steps to look ahead; none: to the end of the episode.
    pub horizon: Option<u32>,
    /// Number of steps with planned moves.
    pub depth: usize,
    /// Number of steps between two plans.
    pub every: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Number of threads for a decision's trials.
    pub threads: usize,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            method: Method::CrossEntropy,
            foresight: Foresight::Drawn,
            budget: 64,
            horizon: None,
            depth: 8,
            every: 1,
            seed: 0,
            threads: 1,
        }
    }
}

/// A plan's actions in one step: ids in the flat list of actions, then the base policy's actions if there is room.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The plan's own actions.
    pub actions: Vec<usize>,
    /// Whether the base policy is also asked.
    pub is_base_asked: bool,
}

impl Move {
    /// Only the base policy.
    pub fn base() -> Self {
        Self { actions: Vec::new(), is_base_asked: true }
    }

    /// Waiting.
    pub fn wait() -> Self {
        Self { actions: Vec::new(), is_base_asked: false }
    }

    /// Appends its actions to a schedule.
    fn choose(&self, game: &Game, state: &State, base: &mut dyn Agent, schedule: &mut Vec<Call>) {
        let own = self.actions.iter().filter_map(|id| game.catalogue().discrete(*id)).flatten();
        for call in own {
            if !schedule.contains(call) {
                schedule.push(*call);
            }
        }
        if self.is_base_asked {
            base.choose(game, state, schedule);
        }
        if schedule.is_empty() {
            schedule.extend_from_slice(game.catalogue().waiting());
        }
    }
}

/// A plan's moves, step by step. After the last move, the base policy plays.
pub type Plan = Vec<Move>;

/// The input to a search for plans.
#[derive(Clone, Copy)]
struct Situation<'a> {
    /// The policy that plays after a plan ends.
    base: &'a dyn Agent,
    /// The current state of the episode.
    state: &'a State,
    /// The remaining moves of the last plan.
    begun: &'a [Move],
    /// Maximum number of trials.
    budget: usize,
    /// Number of steps with planned moves.
    depth: usize,
}

/// A decision with its expected return.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The plan.
    pub plan: Plan,
    /// The plan's mean return from here to the horizon, on the futures of the comparison.
    pub expected: f64,
    /// The base policy's mean return on the same futures.
    pub base: f64,
    /// The standard error of the difference; 0 with a known future.
    pub error: f64,
    /// Number of trials played.
    pub trials: usize,
}

/// Plans an episode, decision by decision.
pub struct Planner<'g> {
    trials: Trials<'g>,
    settings: PlanSettings,
    base: Box<dyn Agent>,
    /// The remaining moves of the last plan.
    queue: Plan,
    /// Number of steps until the next plan.
    left: usize,
}

impl std::fmt::Debug for Planner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planner").field("settings", &self.settings).field("queue", &self.queue).finish_non_exhaustive()
    }
}

impl<'g> Planner<'g> {
    /// A planner for an episode with this seed, before its first step.
    ///
    /// # Errors
    /// The base policy does not fit the game, the base policy can't be copied during an episode, or a setting is too small.
    pub fn new(game: &'g Game, base: &Value, settings: PlanSettings, episode: u64) -> Result<Self, SearchError> {
        if settings.budget < FEWEST_TRIALS {
            let message =
                format!("{} trials per decision are too few: the minimum is {FEWEST_TRIALS}", settings.budget);
            return Err(SearchError::Request(message));
        }
        if settings.depth == 0 || settings.every == 0 || settings.horizon == Some(0) {
            let message = "depth, horizon and the number of steps between plans must be at least 1";
            return Err(SearchError::Request(message.to_owned()));
        }
        let mut base = policy_from_value(game, base)?;
        base.start(episode);
        copy_of(base.as_ref())?;
        // Trials have their own seeds, which differ between episodes and from episode seeds.
        let seed = mix(mix(settings.seed, hash_name("plan")), episode);
        let trials = Trials::new(game, settings.horizon, settings.threads, seed);
        Ok(Self { trials, settings, base, queue: Plan::new(), left: 0 })
    }

    /// Makes a new plan for a state. One of the plans that it tries is the rest of the previous plan.
    ///
    /// # Errors
    /// The game fails in a step.
    pub fn decide(&mut self, state: &State) -> Result<Decision, SearchError> {
        self.trials.begin(state.step(), self.settings.foresight);
        let budget = self.settings.budget;
        let is_known = self.settings.foresight == Foresight::Known;
        // With a known future one trial per plan is exact.
        let futures = if is_known { 1 } else { (budget as f64 * COMPARED_SHARE) as usize / (MAX_COMPARED + 1) };
        let futures = futures.max(1);
        let searched = budget - futures * (MAX_COMPARED + 1);
        let mut stream = Stream::from_seed(self.trials.seed_of(hash_name("search")));
        let base = self.base.as_ref();
        let situation = Situation { base, state, begun: &self.queue, budget: searched, depth: self.settings.depth };
        let found = match self.settings.method {
            Method::CrossEntropy => cross_entropy::search(&mut self.trials, situation, &mut stream)?,
            Method::Tree => tree::search(&mut self.trials, situation, &mut stream)?,
        };
        let mut plans = vec![Plan::new()];
        for plan in found {
            if plans.len() <= MAX_COMPARED && !plans.contains(&plan) {
                plans.push(plan);
            }
        }
        let played = self.trials.play(base, state, &plans, futures)?;
        Ok(compared(plans, &played, self.trials.played))
    }

    /// Chooses the schedule for the episode's next step, and makes a new plan if one is due. Returns the decision for a new plan.
    ///
    /// # Errors
    /// The game fails in a step.
    pub fn choose(&mut self, state: &State, schedule: &mut Vec<Call>) -> Result<Option<Decision>, SearchError> {
        let mut decision = None;
        if self.left == 0 {
            let made = self.decide(state)?;
            self.queue.clone_from(&made.plan);
            self.left = self.settings.every;
            decision = Some(made);
        }
        self.left -= 1;
        let next = if self.queue.is_empty() { Move::base() } else { self.queue.remove(0) };
        next.choose(self.trials.game(), state, self.base.as_mut(), schedule);
        Ok(decision)
    }
}

/// The plan to follow. The best plan replaces the base policy if it earns more by a margin and does not break the game's limits more
/// often. The margin is three standard errors with two futures, and one with many. The first plan is the base policy.
fn compared(mut plans: Vec<Plan>, played: &[Vec<Trial>], trials: usize) -> Decision {
    let mean = |numbers: &[f64]| farm_core::math::sum(numbers.iter().copied()) / numbers.len().max(1) as f64;
    let breaks = |of_plan: &[Trial]| of_plan.iter().filter(|trial| trial.breaks_limit).count();
    let of_base = &played[0];
    let base = mean(&of_base.iter().map(|trial| trial.total).collect::<Vec<_>>());
    let mut best = (0, base, 0.0);
    for (i, of_plan) in played.iter().enumerate().skip(1).filter(|(_, of_plan)| breaks(of_plan) <= breaks(of_base)) {
        let gains: Vec<f64> = of_plan.iter().zip(of_base).map(|(plan, base)| plan.total - base.total).collect();
        let gain = mean(&gains);
        let n = gains.len() as f64;
        let squares = farm_core::math::sum(gains.iter().map(|other| (other - gain) * (other - gain)));
        let error = if n > 1.0 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
        // With few futures the error itself is uncertain.
        let margin = error * (1.0 + 2.0 / (n - 1.0).max(1.0));
        if gain > margin + 1e-12 && base + gain > best.1 {
            best = (i, base + gain, error);
        }
    }
    Decision { plan: plans.swap_remove(best.0), expected: best.1, base, error: best.2, trials }
}

/// The future for a trial.
fn future(foresight: Foresight, seed: u64) -> Future {
    match foresight {
        Foresight::Drawn => Future::Drawn(seed),
        Foresight::Known => Future::Known,
    }
}
