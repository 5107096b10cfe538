//! The codes of scores and of risk criteria.

use farm_core::codes;

codes! {
    /// Scores and risk criteria.
    pub enum ScoreError: "scores" {
        /// Nothing in the game counts for a constraint, so that it stays 0.
        ///
        /// Leave the constraint out, or add a part that counts for it.
        IdleConstraint = "idle-constraint",
        /// There is no risk criterion of this name, or it lacks its number.
        ///
        /// A criterion is a word, or a word and a number, `cvar:0.1`.
        WrongRisk = "wrong-risk",
        /// A criterion can't be computed from so few episodes.
        ///
        /// The worst tenth of five episodes is not one episode.
        TooFewEpisodes = "too-few-episodes",
    }
}
