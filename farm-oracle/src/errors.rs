//! The code of games that no planner can solve.

use farm_core::codes;

codes! {
    /// Planners, who know everything.
    pub enum PlanError: "planners" {
        /// No plan can be made for the game.
        ///
        /// A planner proves that its plan is the best one, and refuses rules that its proof does not hold for.
        NoPlan = "no-plan",
    }
}
