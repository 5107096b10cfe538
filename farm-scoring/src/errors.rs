//! Error codes of scores and of risk criteria.

use farm_core::codes;

codes! {
    /// Scores and risk criteria.
    pub enum ScoreError: "scores" {
        /// No part of the game contributes to a constraint, so its total stays 0.
        ///
        /// Remove the constraint, or add a part that contributes to it.
        IdleConstraint = "idle-constraint",
        /// A risk criterion is unknown, has no number, or has too few episodes.
        ///
        /// A criterion is a word, or a word and a number such as `cvar:0.1`. The worst 10 % of five episodes is less than one episode.
        WrongRisk = "wrong-risk",
    }
}
