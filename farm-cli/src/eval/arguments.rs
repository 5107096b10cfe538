//! The arguments of `farm eval`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use clap::builder::ArgPredicate;

use crate::arguments::{GameArguments, at_least_one, seed, whole_within};

const EXAMPLES: &str = "\
Examples:
  farm eval GAME                                           all policies of the game, by mean return
  farm eval GAME --policy expert --risk cvar:0.1           the mean of the worst 10 % of the episodes
  farm eval GAME --policy expert --paired-with random      the difference, seed by seed
  farm eval GAME --context test --policy expert            on the contexts of a split in turn: seed S plays context S mod n
  farm eval GAME --split test --policy expert              on the levels of a split, against the best plan and waiting
  farm eval GAME --risk worst:20 --episodes 1000 --json --out results
  farm eval GAME --episodes 500 --seed 1000000 --results results   a file per policy, for `farm results`
  farm eval GAME --risk cvar:0.1 --plot returns.svg        the distribution of returns, with intervals

Risk criteria:
  mean          mean return
  variance:0.5  mean minus 0.5 × variance
  quantile:0.1  the return that 10 % of the episodes stay below
  cvar:0.1      mean of the worst 10 % of the episodes
  entropic:1.0  −ln E[exp(−return)]; larger numbers are more cautious
  worst:20      expected worst return among 20 episodes

All policies play the same seeds S, S+1, S+2, …, so differences are due to the policies and not to the weather. Intervals are BCa bootstrap
intervals (percentile for quantile and worst). Paired differences resample both returns of a seed together. A tail criterion has an
interval only if at least 10 episodes lie in the tail: cvar:0.1 needs 100 episodes. Equal arguments give equal results for any number of
threads.

Levels:
With --split, episode i (from 0) on level k (from 1) has the seed S + 1000000000 k + i. A policy that draws therefore makes new choices on
each level. `farm run GAME --level test/03 --policy random --seed 3000000000` plays the first episode on level 3. A policy that makes
the same choices for two seeds draws nothing and plays one episode per level. The 95 % interval is for the mean over all levels; it shows
how much this mean varies between runs over all levels.

Ctrl-C (SIGINT), SIGTERM, or SIGHUP of a closing terminal stops after the running episodes; a second signal stops at once. The finished
lines are then in evaluation.incomplete.csv of --out, an earlier evaluation.csv is unchanged, and nothing is compared. The exit code is
130, 143 or 129.";

/// Compare policies on the same seeds, with intervals
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// A policy of the game. Repeatable [default: all policies of the game]
    #[arg(long)]
    pub(super) policy: Vec<String>,
    /// Compare the other policies with this one, seed by seed
    #[arg(long, value_name = "POLICY")]
    pub(super) paired_with: Option<String>,
    /// Risk criterion: mean, variance:W, quantile:Q, cvar:A, entropic:B or worst:N
    #[arg(long, value_name = "CRITERION", default_value = "mean")]
    pub(super) risk: String,
    /// Play the game's levels of a split (`validation` or `test`) instead of drawn worlds, and compare with the best plan and with
    /// waiting
    #[arg(long, conflicts_with_all = ["level", "context", "paired_with", "risk", "confidence", "resamples", "threads", "out", "results"])]
    pub(super) split: Option<String>,
    /// Episodes per policy; with --split per level: 20, or 1 for a policy that draws nothing
    #[arg(long, default_value_t = 100, default_value_if("split", ArgPredicate::IsPresent, "20"), value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    pub(super) episodes: u32,
    /// Seed of the first episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    pub(super) seed: u64,
    /// Coverage of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = share)]
    pub(super) confidence: f64,
    /// Number of bootstrap resamples
    #[arg(long, default_value_t = 2000, value_parser = resamples, allow_negative_numbers = true)]
    pub(super) resamples: u32,
    /// Number of threads [default: all cores; the result does not depend on it]
    #[arg(long, value_parser = threads, allow_negative_numbers = true)]
    pub(super) threads: Option<NonZero<usize>>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Write one line per policy and episode to DIR/evaluation.csv, with the game and the options that change it; DIR is created if
    /// missing
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Write a result file per policy to DIR/GAME/POLICY.json, for `farm results`; DIR is created if missing
    #[arg(long, value_name = "DIR")]
    pub(super) results: Option<PathBuf>,
    /// Draw the distribution of returns with the criterion and its interval, as .svg or .png
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub(super) plot: Option<PathBuf>,
}

fn resamples(text: &str) -> Result<u32, String> {
    whole_within(text, 100, 1_000_000)
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "expected a number between 0 and 1, such as 0.95".to_owned())
}

/// Parses a number of threads.
fn threads(text: &str) -> Result<NonZero<usize>, String> {
    text.trim().parse().map_err(|_| "expected an integer of at least 1".to_owned())
}
