//! The error codes of the command line.

use farm_core::codes;

codes! {
    /// Errors in the arguments of a command.
    pub(crate) enum CommandError: "commands" {
        /// A line of the actions to replay can't be read or follows the end of the episode.
        ///
        /// Each line is one step: the name of an action, or JSON.
        WrongActions = "wrong-actions",
        /// The file of an option can't be used.
        ///
        /// The extension of its name sets the format.
        WrongTarget = "wrong-output-file",
        /// A tuning can't be resumed from this checkpoint.
        ///
        /// A checkpoint belongs to one tuning: the same game, policy, criterion, budget and seed.
        UnusableCheckpoint = "wrong-checkpoint",
        /// The page of results does not match the results.
        ///
        /// `farm results` without `--check` regenerates it.
        StalePage = "stale-page",
    }
}
