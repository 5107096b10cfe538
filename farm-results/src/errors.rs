//! The codes of results files.

use farm_core::codes;

codes! {
    /// Results files: the returns of policies.
    pub enum ResultsError: "results" {
        /// The file is not a results file.
        ///
        /// `farm eval --results` and `python -m farm_gym.train` write such files; `schemas/results.schema.json` describes them.
        NotResults = "not-results",
        /// Results of one game have different fingerprints, because the game has changed.
        ///
        /// Regenerate the older results with the command in the file, or move them to another folder.
        MixedFingerprints = "mixed-fingerprints",
        /// Results of one policy can't be combined.
        ///
        /// A policy has one file per training seed, and all its files use the same evaluation seeds.
        MixedResults = "mixed-results",
        /// The given files and folders contain no results.
        ///
        /// Write results with `farm eval GAME --results results`.
        NoResults = "no-results",
    }
}
