//! The gain from acting, measured with the planner and some simple scripts.

use farm_core::config::{Path, Problem, Problems};
use farm_core::{Game, State};
use farm_oracle::{PlanError, Planner};

/// The seeds of the levels that measure rules. No other code draws from them.
pub(super) const SEEDS: [u64; 2] = [900_000_001, 900_000_002];

/// The gain from acting, as sums over some levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skill {
    /// The return of the best plans; on farms, of the best calendar.
    pub oracle: f64,
    /// The return of waiting.
    pub wait: f64,
    /// The best return from repeating one action; on farms, also from the calendar that is best across all members.
    pub same: f64,
    /// The largest possible gap between the plans' return and the optimum.
    pub gap: f64,
}

impl Skill {
    /// Plans and plays the levels.
    ///
    /// # Errors
    /// No planner supports the rules.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        let planner = Planner::of(game)?;
        let mut skill = Self::of_repeating(game)?;
        let (mut state, mut record) = (game.new_state(), game.new_record());
        for seed in SEEDS {
            game.reset(&mut state, seed, &mut record);
            let plan = planner.search(game, &state);
            skill.oracle += plan.value;
            skill.gap += plan.gap();
        }
        Ok(skill)
    }

    /// The returns of waiting and of repeating one action, without the plans.
    pub(super) fn of_repeating(game: &Game) -> Result<Self, Problems> {
        let (mut state, mut record) = (game.new_state(), game.new_record());
        let mut skill = Self { oracle: 0.0, wait: 0.0, same: 0.0, gap: 0.0 };
        for seed in SEEDS {
            game.reset(&mut state, seed, &mut record);
            skill.wait += repeated(game, &state, None)?;
            let mut best: f64 = 0.0;
            for action in 0..game.catalogue().discrete_len() {
                best = best.max(repeated(game, &state, Some(action))?);
            }
            skill.same += best;
        }
        Ok(skill)
    }

    /// Whether the plans are optimal and earn at least twice as much as waiting and as repeating one action.
    pub fn is_enough(&self) -> bool {
        self.gap <= 1e-9 && self.oracle > 0.0 && self.oracle >= 2.0 * self.wait.max(self.same)
    }
}

/// The return of an episode that repeats one action; `None` repeats waiting.
fn repeated(game: &Game, state: &State, action: Option<usize>) -> Result<f64, Problems> {
    let (mut state, mut record, mut total) = (state.clone(), game.new_record(), 0.0);
    let calls = match action {
        Some(action) => game.catalogue().discrete(action).unwrap_or_default(),
        None => game.catalogue().waiting(),
    };
    loop {
        let outcome = game
            .step(&mut state, calls, &mut record)
            .map_err(|error| Problems(vec![Problem::new(PlanError::NoPlan, Path::default(), error.to_string())]))?;
        total += outcome.reward;
        if outcome.over() {
            return Ok(total);
        }
    }
}
