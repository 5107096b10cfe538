//! How much a run may ask of whoever looks at it. A stranger's run costs them a bounded time and memory.

use std::time::{Duration, Instant};

use farm_core::config::{Path, Problem, Problems};

use crate::errors::AgentsError;

/// The most trials of an episode.
pub const MAX_LIFETIME: u32 = 1000;
/// The most turns that a budget may allow.
pub const MAX_TURNS: u64 = 1_000_000_000;
/// The most tokens that a budget may allow, or that a call may say it took.
pub(crate) const MAX_TOKENS: u64 = 1_000_000_000_000;
/// The most seconds that a budget may allow, or that a call may say it took.
pub(crate) const MAX_SECONDS: f64 = 1e9;
/// The most replies in a turn.
pub(crate) const MAX_REPLIES: u32 = 1000;
/// The highest price of a million tokens.
pub(crate) const MAX_PRICE: f64 = 1e9;
/// The most bytes of a trace that are read.
pub(crate) const MAX_TRACE: u64 = 128 * 1024 * 1024;
/// The longest line of a trace that is written or read, in bytes: a reply of [`MAX_REPLY`], however it is escaped, and as much for what
/// the game shows.
pub(crate) const MAX_LINE: u64 = 12 * 1024 * 1024;
/// The longest reply that a run plays, in bytes. A reply with actions is never half as long.
pub(crate) const MAX_REPLY: usize = 1024 * 1024;
/// The most values that a trace has without regard to its length, and the fewest bytes for each further one. In memory a value takes many
/// times the two bytes that it may take in a file; an honest line has no more than one in sixteen bytes.
pub(crate) const FREE_VALUES: u64 = 10_000;
pub(crate) const BYTES_PER_VALUE: u64 = 12;
/// The most bytes of compiled games that are kept of a run.
pub(crate) const MAX_GAMES: u64 = 256 * 1024 * 1024;
/// Runs that a leaderboard looks at.
pub(crate) const MAX_RUNS: usize = 10_000;

/// Until when a run is looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TimeLimit(Option<(Instant, Duration)>);

impl TimeLimit {
    /// So long from now on; a time that no clock reaches is none.
    pub(crate) fn of(time: Duration) -> Self {
        Self(Instant::now().checked_add(time).map(|end| (end, time)))
    }

    /// Whether there is one: the run is somebody else's, or may be.
    pub(crate) fn is_set(self) -> bool {
        self.0.is_some()
    }

    /// Whether there is time left.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn check(self) -> Result<(), Problems> {
        match self.0 {
            Some((end, time)) if Instant::now() >= end => {
                let message = "looking at the run takes longer than it may";
                let problem = Problem::new(AgentsError::RunTooLarge, Path::default(), message);
                let problem = problem.value(format!("more than {} s", time.as_secs_f64()));
                Err(Problems(vec![problem.help("`--max-seconds`, for a run that you trust")]))
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
