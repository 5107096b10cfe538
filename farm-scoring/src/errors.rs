//! The codes of scores and of risk criteria.

use farm_core::codes;

codes! {
    /// Scores and risk criteria.
    pub enum ScoreError: "scores" {
        /// Nothing in the game counts for a constraint, so that it stays 0.
        ///
        /// Leave the constraint out, or add a part that counts for it.
        IdleConstraint = "idle-constraint",
        /// There is no risk criterion of this name, it lacks its number, or there are too few episodes for it.
        ///
        /// A criterion is a word, or a word and a number, `cvar:0.1`; the worst tenth of five episodes is less than one of them.
        WrongRisk = "wrong-risk",
    }
}
