//! The codes of what the command line is asked and can't do.

use farm_core::codes;

codes! {
    /// What the command line is asked, and can't do.
    pub(crate) enum CommandError: "commands" {
        /// A line of the actions to replay can't be read or is one too many.
        ///
        /// A line is a step: the name of an action, or JSON.
        WrongActions = "wrong-actions",
        /// The file of an option can't be used.
        ///
        /// The ending of its name says what is written.
        WrongTarget = "wrong-output-file",
        /// A checkpoint can't be gone on from.
        ///
        /// It belongs to one tuning: the same game, policy, criterion, budget and seed.
        UnusableCheckpoint = "wrong-checkpoint",
        /// The page of results is not what the results say.
        ///
        /// `farm results` without `--check` writes it anew.
        StalePage = "stale-page",
    }
}
