//! Limits on the time and memory that a third-party run can take.

use std::time::{Duration, Instant};

use farm_core::config::{Path, Problem, Problems};

use crate::errors::AgentsError;

/// The maximum number of trials in an episode.
pub const MAX_LIFETIME: u32 = 1000;
/// The maximum turn budget.
pub const MAX_TURNS: u64 = 1_000_000_000;
/// The maximum token budget, and the maximum number of tokens in a call.
pub(crate) const MAX_TOKENS: u64 = 1_000_000_000_000;
/// The maximum time budget and the maximum duration of a call, in seconds.
pub(crate) const MAX_SECONDS: f64 = 1e9;
/// The maximum number of replies in a turn.
pub(crate) const MAX_REPLIES: u32 = 1000;
/// The maximum price per million tokens.
pub(crate) const MAX_PRICE: f64 = 1e9;
/// The maximum size of a trace in bytes.
pub(crate) const MAX_TRACE: u64 = 128 * 1024 * 1024;
/// The maximum length of a trace line, in bytes. A line has room for an escaped reply of [`MAX_REPLY`] bytes, and the same amount of room
/// for the game's text.
pub(crate) const MAX_LINE: u64 = 12 * 1024 * 1024;
/// The maximum length of a reply that a run plays, in bytes. A reply with actions is less than half as long.
pub(crate) const MAX_REPLY: usize = 1024 * 1024;
/// The maximum length of each detail of a reply that a trace keeps, in bytes.
pub(crate) const MAX_DETAIL: usize = 256 * 1024;
/// The number of empty replies in a row after which an episode ends.
pub(crate) const MAX_EMPTY: u32 = 10;
/// The number of values allowed in a trace of any size; each further value needs a minimum number of bytes. A value takes at least 2 bytes
/// in a file but many times that in memory. Genuine lines have at most one value per 16 bytes.
pub(crate) const FREE_VALUES: u64 = 10_000;
pub(crate) const BYTES_PER_VALUE: u64 = 12;
/// The maximum total size of a run's stored compiled games, in bytes.
pub(crate) const MAX_GAMES: u64 = 256 * 1024 * 1024;
/// The maximum number of runs in a leaderboard.
pub(crate) const MAX_RUNS: usize = 10_000;

/// The time limit for checking a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TimeLimit(Option<(Instant, Duration)>);

impl TimeLimit {
    /// Starts the time limit now. A duration beyond the clock's range means no limit.
    pub(crate) fn of(time: Duration) -> Self {
        Self(Instant::now().checked_add(time).map(|end| (end, time)))
    }

    /// Whether there is a limit, which means that the run may be from a third party.
    pub(crate) fn is_set(self) -> bool {
        self.0.is_some()
    }

    /// Checks whether there is time left.
    ///
    /// # Errors
    /// There is no time left.
    pub(crate) fn check(self) -> Result<(), Problems> {
        match self.0 {
            Some((end, time)) if Instant::now() >= end => {
                let message = "checking the run takes longer than the time limit";
                let problem = Problem::new(AgentsError::RunTooLarge, Path::default(), message);
                let problem = problem.value(format!("more than {} s", time.as_secs_f64()));
                Err(Problems(vec![problem.help("pass a higher `--max-seconds` if you trust the run")]))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_where_it_is_limited() {
        assert!(TimeLimit::default().check().is_ok());
        assert!(TimeLimit::of(Duration::MAX).check().is_ok());
        let problems = TimeLimit::of(Duration::ZERO).check().unwrap_err();
        assert!(problems.0[0].is(AgentsError::RunTooLarge), "{problems}");
    }
}
