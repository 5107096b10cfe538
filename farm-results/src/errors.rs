//! The codes of results files.

use farm_core::codes;

codes! {
    /// Results files: what policies earned.
    pub enum ResultsError: "results" {
        /// The file is not one of results.
        ///
        /// `farm eval --results` and `python -m farm_gym.train` write such files; `schemas/results.schema.json` describes them.
        NotResults = "not-results",
        /// Results of one game are of different fingerprints: the game has changed in between.
        ///
        /// Make the older results anew with the command that they name, or put them into a folder of their own.
        MixedFingerprints = "mixed-fingerprints",
        /// Results of one policy can't stand beside one another.
        ///
        /// A policy has one file for each of its training seeds, and all of them are on the same seeds.
        MixedResults = "mixed-results",
        /// There are no results where they were looked for.
        ///
        /// `farm eval GAME --results results` writes some.
        NoResults = "no-results",
    }
}
