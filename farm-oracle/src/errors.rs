//! The code of games that no planner can solve.

use farm_core::codes;

codes! {
    /// Planners with full knowledge.
    pub enum PlanError: "planners" {
        /// No plan can be made for the game.
        ///
        /// A planner proves that its plan is optimal, and rejects rules that its proof does not cover.
        NoPlan = "no-plan",
    }
}
