//! Limits of runs: their time and length, and the files that they may read.

use std::time::Duration;

use clap::Args;
use farm_agents::{Access, MAX_LIFETIME};

use crate::arguments;

pub(super) fn lifetime(text: &str) -> Result<u32, String> {
    arguments::whole_within(text, 1, MAX_LIFETIME)
}

pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|number| (1e-3..=1e9).contains(number))
        .ok_or_else(|| "expected a number from 0.001 to 1e9".to_owned())
}

/// The time limit for a run that someone else recorded.
#[derive(Debug, Args)]
pub(crate) struct TimeLimit {
    /// Maximum seconds to verify and score a run; a slower run is rejected
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = positive)]
    max_seconds: f64,
}

impl TimeLimit {
    pub(super) fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.max_seconds)
    }
}

/// The access that the command line grants to a run.
pub(super) fn access(files: bool) -> Access {
    Access { files, plugins: arguments::are_plugins_allowed(), outside_files: arguments::are_outside_files_allowed() }
}
