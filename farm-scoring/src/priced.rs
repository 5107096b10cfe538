//! A score whose actions and observations have costs, and whose episodes may have constraints.

use farm_core::{Behaviour, ConstraintInfo, Context, ScoreBehaviour};

use crate::constraints::Meters;
use crate::costs::Costs;

/// A reward with costs and constraints.
pub(crate) struct PricedScore<R> {
    pub(crate) interventions: Costs,
    pub(crate) observations: Costs,
    pub(crate) constraints: Meters,
    pub(crate) reward: R,
}

/// The reward of a [`PricedScore`], before costs. The methods correspond to those of the score.
pub(crate) trait Reward: Send + Sync {
    fn after_initial_conditions(&self, _c: &mut Context<'_>) {}

    fn reward(&self, c: &mut Context<'_>) -> f64;

    fn final_reward(&self, _c: &mut Context<'_>) -> f64 {
        0.0
    }
}

impl<R: Reward> Behaviour for PricedScore<R> {
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.reward.after_initial_conditions(c);
    }
}

impl<R: Reward> ScoreBehaviour for PricedScore<R> {
    fn intervention_cost(&self, part: &str, action: &str) -> f64 {
        self.interventions.of_action(part, action)
    }

    fn observation_cost(&self, part: &str, variable: &str) -> f64 {
        self.observations.of_variable(part, variable)
    }

    fn constraints(&self) -> Vec<ConstraintInfo> {
        self.constraints.infos()
    }

    fn constraint_costs(&self, c: &mut Context<'_>, costs: &mut [f64]) {
        self.constraints.measure(c, costs);
    }

    fn reward(&self, c: &mut Context<'_>) -> f64 {
        self.reward.reward(c)
    }

    fn final_reward(&self, c: &mut Context<'_>) -> f64 {
        self.reward.final_reward(c)
    }
}
