//! Baselines for a return: the return from waiting, the best return, and the return of a reference policy that sees what the agent sees.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent, EpisodeRunner, Game, Observer, ObserverError, PlayError, SeedSplit, State, Transition};
use farm_oracle::Planner;

use crate::families::Optimum;

/// A check after each step of a baseline's episodes. An error ends the episode.
pub type StepCheck<'c> = &'c dyn Fn() -> Result<(), Problems>;

/// The returns of waiting, the best policy and a reference policy in an episode's world.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// The return from waiting.
    pub waiting: f64,
    /// The best known return; `None` if no such return is known.
    pub best: Option<Best>,
    /// The reference policy and its return, if the game has one.
    pub reference: Option<(String, f64)>,
}

/// The best known return in a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The return.
    pub value: f64,
    /// The source of the return.
    pub kind: BestKind,
    /// The number of steps until the last reward.
    pub length: u64,
}

/// The source of the best return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BestKind {
    /// A plan with a proof that it is optimal.
    Certified,
    /// A plan made with full knowledge, without a proof.
    Planned,
    /// The best known policy. It does not know the future, and a better policy may exist.
    BestKnown,
}

impl BestKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certified => "certified optimum",
            Self::Planned => "best plan found",
            Self::BestKnown => "best known policy",
        }
    }
}

/// Names of reference policies, which see what a learner sees. A game's reference is the first of these policies that the game has.
const REFERENCES: [&str; 2] = ["informed", "expert"];

impl Baseline {
    /// Plays a seed three times: by waiting, with the best policy and with the reference policy.
    ///
    /// # Errors
    /// A step failed.
    pub fn of(game: &Game, seed: u64) -> Result<Self, PlayError> {
        Self::checked(game, seed, &|| Ok(()))
    }

    /// Like [`Self::of`], but calls `check` after each step, for example to limit the time.
    ///
    /// # Errors
    /// A step or a check failed.
    pub fn checked(game: &Game, seed: u64, check: StepCheck<'_>) -> Result<Self, PlayError> {
        let reference = REFERENCES.into_iter().find(|name| game.spec().policies().contains_key(*name));
        let reference = match reference.and_then(|name| Some((name, crate::policy(game, name).ok()?))) {
            Some((name, mut player)) => Some((name.to_owned(), played(game, player.as_mut(), seed, check)?.0)),
            None => None,
        };
        Ok(Self { reference, ..Self::bounds(game, seed, check)? })
    }

    /// Like [`Self::checked`], but without the reference policy, which a score does not need.
    ///
    /// # Errors
    /// As for [`Self::checked`].
    pub(crate) fn bounds(game: &Game, seed: u64, check: StepCheck<'_>) -> Result<Self, PlayError> {
        let (waiting, _) = played(game, &mut Waiting, seed, check)?;
        Ok(Self { waiting, best: Best::of(game, seed, check)?, reference: None })
    }

    /// Sums the baselines of all trials of a lifetime. A return is `None` if it is `None` in any trial.
    pub fn sum(trials: impl IntoIterator<Item = Self>) -> Option<Self> {
        trials.into_iter().reduce(|all, trial| {
            let best = all.best.zip(trial.best).map(|(all, trial)| Best {
                value: all.value + trial.value,
                kind: all.kind.max(trial.kind),
                length: all.length + trial.length,
            });
            let reference = all.reference.zip(trial.reference).map(|((name, all), (_, trial))| (name, all + trial));
            Self { waiting: all.waiting + trial.waiting, best, reference }
        })
    }

    /// The gain over waiting as a share of the possible gain, not clipped. `None` if no gain is possible or no best return is known.
    pub fn score(&self, total: f64) -> Option<f64> {
        let (gain, room) = self.gain(total)?;
        (room > 0.0).then(|| gain / room)
    }

    /// The gain over waiting, and the possible gain. `None` if no best return is known.
    pub fn gain(&self, total: f64) -> Option<(f64, f64)> {
        Some((total - self.waiting, self.best?.value - self.waiting))
    }
}

/// The most that can be earned from a state to the end of the episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueToGo {
    /// The return of the best plan from here on; 0 after the end.
    pub value: f64,
    /// Whether no plan earns more.
    pub is_proven: bool,
}

impl ValueToGo {
    /// Plans from a state, with the planner that scores episodes.
    ///
    /// # Errors
    /// No planner supports the game, or the game does not confirm the plan.
    pub fn of(game: &Game, state: &State) -> Result<Self, Problems> {
        let planner = Planner::of(game)?;
        if state.over() {
            return Ok(Self { value: 0.0, is_proven: true });
        }
        let plan = planner.plan(game, state)?;
        Ok(Self { value: plan.value, is_proven: plan.is_proven() })
    }
}

impl Best {
    fn of(game: &Game, seed: u64, check: StepCheck<'_>) -> Result<Option<Self>, PlayError> {
        if let Ok(planner) = Planner::of(game) {
            let (mut state, mut record) = (game.new_state(), game.new_record());
            game.reset(&mut state, seed, &mut record);
            if let Ok(plan) = planner.plan(game, &state) {
                let calls: Vec<&[Call]> = plan.actions.iter().map(|step| planner.calls(*step)).collect();
                let (_, length) = played(game, &mut Planned { calls: &calls, next: 0 }, seed, check)?;
                let kind = if plan.is_proven() { BestKind::Certified } else { BestKind::Planned };
                return Ok(Some(Self { value: plan.value, kind, length }));
            }
        }
        if let Ok(Some(found)) = Optimum::known(game, seed) {
            return Ok(Some(Self { value: found.value, kind: BestKind::Planned, length: found.length }));
        }
        let name = crate::catalogue::BEST_KNOWN_POLICY;
        if !game.spec().policies().contains_key(name) {
            return Ok(None);
        }
        let Ok(mut player) = crate::policy(game, name) else { return Ok(None) };
        let (value, length) = played(game, player.as_mut(), seed, check)?;
        Ok(Some(Self { value, kind: BestKind::BestKnown, length }))
    }
}

/// A player's return, and the number of steps until its last reward.
fn played(game: &Game, player: &mut dyn Agent, seed: u64, check: StepCheck<'_>) -> Result<(f64, u64), PlayError> {
    let (mut length, mut runner) = (Length { steps: 0, last: 0, check }, EpisodeRunner::new(game));
    // The creator of the run has named the split of its seeds.
    runner.name_split(SeedSplit::of(seed));
    let episode = runner.play(player, seed, &mut length)?;
    Ok((episode.total(), length.last))
}

/// Counts the steps until the last reward, and checks each step.
struct Length<'c> {
    steps: u64,
    last: u64,
    check: StepCheck<'c>,
}

impl Observer for Length<'_> {
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        self.steps += 1;
        if transition.outcome.reward != 0.0 {
            self.last = self.steps;
        }
        (self.check)()?;
        Ok(())
    }
}

/// A policy that waits at every step.
struct Waiting;

impl Agent for Waiting {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        schedule.extend_from_slice(game.catalogue().waiting());
    }
}

/// A policy that follows a plan.
struct Planned<'p> {
    calls: &'p [&'p [Call]],
    next: usize,
}

impl Agent for Planned<'_> {
    fn start(&mut self, _: u64) {
        self.next = 0;
    }

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        schedule.extend_from_slice(self.calls.get(self.next).copied().unwrap_or(game.catalogue().waiting()));
        self.next += 1;
    }
}
