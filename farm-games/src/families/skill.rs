//! Whether there is anything to gain by acting, as the planner and some simple scripts say.

use farm_core::config::{Path, Problem, Problems};
use farm_core::{Game, State};
use farm_oracle::{PlanError, Planner};

/// The levels that rules are judged by: seeds that nobody else draws from.
pub(super) const SEEDS: [u64; 2] = [900_000_001, 900_000_002];

/// What acting gains, over some levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skill {
    /// What the best plans return together; of farms, the best calendar.
    pub oracle: f64,
    /// What waiting returns.
    pub wait: f64,
    /// What the best of those scripts returns that do the same in every step; of farms also the calendar that is best over all members.
    pub same: f64,
    /// How far the plans may lie below the optimum.
    pub gap: f64,
}

impl Skill {
    /// Plans and plays the levels.
    ///
    /// # Errors
    /// Rules that no planner knows.
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

    /// What waiting and doing the same in every step return; of plans nothing.
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

    /// Whether the best plan is known, and earns at least twice what waiting does and what doing the same does.
    pub fn is_enough(&self) -> bool {
        self.gap <= 1e-9 && self.oracle > 0.0 && self.oracle >= 2.0 * self.wait.max(self.same)
    }
}

/// What an episode returns in which every step does the same.
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
