//! `farm tune`: finds the numbers in a policy that maximise a criterion of its returns.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_core::config::{Location, Path, Problem, Problems, read_limited};
use farm_core::{Game, RemoteExecutor};
use farm_games::farm_scoring::risk::Criterion;
use farm_search::tune::{HeldOut, TunePlan, Tuned, Tuning, with_all_numbers};
use farm_search::{Arena, TUNING_SEED, VALIDATION_SEED, Vocabulary, expand_tunable, policy_of, reject_test_seeds};
use serde_json::json;

use crate::arguments::{GameArguments, at_least_one, executor, seed};
use crate::errors::CommandError;
use crate::interrupts::Interrupts;
use crate::output::{self, TextTable, format_number};
use crate::summary::Decimals;
use crate::{check, targets};

const EXAMPLES: &str = "\
Examples:
  farm tune GAME --policy my_policy.yaml --budget 5000 --out tuned.yaml
  farm tune GAME --policy my_policy.yaml --risk cvar:0.1 --budget 20000 --checkpoint tuning.json
  farm tune GAME --policy my_policy.yaml --risk cvar:0.1 --budget 20000 --checkpoint tuning.json --resume
  farm tune GAME --policy expert --all-numbers --budget 5000
  farm eval GAME --policy tuned.yaml --paired-with expert --episodes 300

Tunable numbers:
In a policy, `{tune: [low, high]}` replaces a number. `value: 3` sets the start (default: the middle), `step: 1` the spacing of values.
`--all-numbers` tunes the thresholds, waiting times and action arguments of rules, within the values seen in a few episodes or
allowed by the game.

All candidates of a generation play the same seeds; the next generation plays the seeds after those. The held-out seeds measure the
policy before and after. Seeds 1000000 to 1999999 are the test seeds of published results: tuning rejects them. Equal arguments give equal
results on any number of threads. Ctrl-C (SIGINT) ends the tuning after the current generation. Each generation writes the checkpoint,
from which `--resume` continues to the same result.";

/// Tune the numbers of a policy
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Policy: a name in the game, a YAML file, or such YAML itself
    #[arg(long, value_name = "POLICY|FILE.yaml")]
    policy: String,
    /// Criterion to maximise: mean, variance:W, quantile:Q, cvar:A, entropic:B or worst:N
    #[arg(long, value_name = "CRITERION", default_value = "mean")]
    risk: String,
    /// Total number of episodes, without the held-out ones
    #[arg(long, value_name = "EPISODES", value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    budget: u32,
    /// Episodes of each candidate per generation [default: depends on the criterion]
    #[arg(long, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    episodes: Option<u32>,
    /// Seed of the first episode and of the tuning's random numbers
    #[arg(long, default_value_t = TUNING_SEED, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Allow the test seeds of published results, 1000000 to 1999999
    #[arg(long)]
    allow_test_seeds: bool,
    /// Number of held-out seeds that measure the result
    #[arg(long, value_name = "EPISODES", default_value_t = 300, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    held_out: u32,
    /// First held-out seed
    #[arg(long, value_name = "SEED", default_value_t = VALIDATION_SEED, value_parser = seed, allow_negative_numbers = true)]
    held_out_seed: u64,
    /// Tune all numbers of the policy
    #[arg(long)]
    all_numbers: bool,
    /// Number of threads [default: all cores; the result does not depend on it]
    #[arg(long, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    threads: Option<u32>,
    /// Write the tuned policy to a file
    #[arg(long, value_name = "FILE.yaml")]
    out: Option<PathBuf>,
    /// Write the tuning to a file after each generation
    #[arg(long, value_name = "FILE.json")]
    checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Opens the game, so that blocks of its tuning can be played.
    ///
    /// # Errors
    /// Returns every problem with the game and the changes.
    pub(crate) fn open(&self) -> Result<Game, Problems> {
        self.game.open()
    }
}

/// Tunes the policy and prints it. The episodes are played on this machine or on remote machines.
///
/// # Errors
/// Fails if the game, policy, criterion, budget or checkpoint has problems, if the game fails in a step, or if a remote machine fails.
pub(crate) fn execute(arguments: &Arguments, remote: Option<&dyn RemoteExecutor>) -> anyhow::Result<ExitCode> {
    let policy_file = Some(PathBuf::from(&arguments.policy)).filter(|path| path.is_file());
    targets::check_distinct(&[
        arguments.game.file(),
        ("--policy", policy_file),
        ("--out", arguments.out.clone()),
        ("--checkpoint", arguments.checkpoint.clone()),
    ])?;
    let criterion = criterion(&arguments.risk)?;
    if !arguments.allow_test_seeds {
        reject_test_seeds(arguments.seed, u64::from(arguments.budget))
            .map_err(|error| anyhow::anyhow!("{error}, or add --allow-test-seeds"))?;
    }
    let game = arguments.game.open()?;
    for path in arguments.out.iter().chain(&arguments.checkpoint) {
        farm_output::check_target(path)?;
    }
    let arena = Arena::new(&game, executor(arguments.threads, remote));
    let mut tuning = begin(arguments, arena, criterion)?;
    let interrupts = Interrupts::note();
    while !tuning.is_done() {
        if let Some(signal) = interrupts.signal() {
            let schedule = tuning.schedule();
            return Ok(signal.tell(tuning.generations() as u64, schedule.generations as u64, "generations"));
        }
        let progress = tuning.generation()?;
        output::note(format!(
            "generation {} of {}: {criterion} {} (untuned: {})",
            progress.generation,
            progress.of,
            format_number(progress.best),
            format_number(progress.before)
        ));
        if let Some(path) = &arguments.checkpoint {
            farm_output::save(path, tuning.checkpoint()?.as_bytes())?;
        }
    }
    let tuned = tuning.finish()?;
    let held_out = tuning.held_out(&tuned, arguments.held_out_seed, arguments.held_out as usize)?;
    let results = Results { arguments, game: &game, criterion, tuning: &tuning, tuned: &tuned, held_out: &held_out };
    let text = results.policy_file()?;
    if let Some(path) = &arguments.out {
        farm_output::save(path, text.as_bytes())?;
    }
    results.print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn criterion(text: &str) -> Result<Criterion, Problems> {
    text.parse().map_err(|problem: Box<Problem>| {
        let location = Location::new(format!("--risk {text}"), None);
        Problems(vec![Problem { location: Some(location), ..*problem }])
    })
}

/// Starts the tuning, or resumes it from its checkpoint.
fn begin<'g>(arguments: &Arguments, arena: Arena<'g>, criterion: Criterion) -> anyhow::Result<Tuning<'g>> {
    let game = arena.game();
    // Errors in the policy are reported as for any other command.
    farm_games::policy(game, &arguments.policy)?;
    let mut policy = expand_tunable(game, &policy_of(game, &arguments.policy)?);
    if arguments.all_numbers {
        let vocabulary = Vocabulary::new(game, &policy_of(game, &arguments.policy)?, arguments.seed)?;
        policy = with_all_numbers(arena, &vocabulary, &policy);
    }
    let plan = TunePlan {
        criterion,
        budget: arguments.budget as usize,
        episodes: arguments.episodes.map(|episodes| episodes as usize),
        seed: arguments.seed,
    };
    let mut tuning = Tuning::new(arena, policy, plan)?;
    tuning.check_held_out(arguments.held_out_seed, arguments.held_out as usize)?;
    if let Some(path) = arguments.checkpoint.as_ref().filter(|_| arguments.resume) {
        resume(&mut tuning, path)?;
    }
    Ok(tuning)
}

fn resume(tuning: &mut Tuning<'_>, path: &FilePath) -> anyhow::Result<()> {
    /// The maximum size of a checkpoint, in bytes. It is larger than any checkpoint that a tuning writes.
    const MAX_BYTES: u64 = 64 * 1024 * 1024;
    let place = || format!("the tuning can't resume from {}", path.display());
    let bytes = read_limited(std::fs::File::open(path).with_context(place)?, MAX_BYTES).with_context(place)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    tuning.resume(&text).map_err(|error| {
        let mut problem = Problem::new(CommandError::UnusableCheckpoint, Path::default(), error.to_string());
        problem.location = Some(Location::new(format!("--checkpoint {}", path.display()), None));
        Problems(vec![problem.help("use the arguments of the checkpoint, or leave out --resume to start again")])
    })?;
    output::note(format!("resumes after generation {} of {}", tuning.generations(), tuning.schedule().generations));
    Ok(())
}

/// A tuning's result, with the data for its report.
struct Results<'a> {
    arguments: &'a Arguments,
    game: &'a Game,
    criterion: Criterion,
    tuning: &'a Tuning<'a>,
    tuned: &'a Tuned,
    held_out: &'a HeldOut,
}

impl Results<'_> {
    /// The command that repeats this tuning, without the options for its output.
    fn command(&self) -> String {
        let Arguments {
            game,
            policy,
            budget,
            episodes,
            seed,
            held_out,
            held_out_seed,
            all_numbers,
            allow_test_seeds,
            ..
        } = self.arguments;
        let episodes = episodes.map_or_else(String::new, |episodes| format!(" --episodes {episodes}"));
        let all = if *all_numbers { " --all-numbers" } else { "" };
        let allowed = if *allow_test_seeds { " --allow-test-seeds" } else { "" };
        format!(
            "farm tune {} --policy {} --risk {} --budget {budget}{episodes} --seed {seed} --held-out {held_out} --held-out-seed \
             {held_out_seed}{all}{allowed}",
            game.words(),
            crate::arguments::quoted(policy),
            self.criterion
        )
    }

    /// A line with the criterion's value on the held-out seeds, before and after tuning.
    fn verdict(&self) -> String {
        let HeldOut { before, after, paired } = self.held_out;
        // Two standard errors lie on each side of the difference.
        let decimals = Decimals::of(paired.interval.map(|interval| (interval.high - interval.low) / 4.0));
        let interval = paired.interval.map_or_else(
            || {
                format!(
                    "no interval: {}",
                    self.criterion.no_interval(self.arguments.held_out as usize).unwrap_or_default()
                )
            },
            |interval| format!("95 % interval [{}, {}]", decimals.write(interval.low), decimals.write(interval.high)),
        );
        let numbers = [*before, *after, paired.difference].map(|value| decimals.write(value));
        format!(
            "{} {} before, {} after, difference {} ({interval})",
            self.criterion, numbers[0], numbers[1], numbers[2]
        )
    }

    fn held_out_seeds(&self) -> (u64, u64) {
        let first = self.arguments.held_out_seed;
        (first, first.saturating_add(u64::from(self.arguments.held_out) - 1))
    }

    /// The content of a policy file, with comments about the policy's origin.
    fn policy_file(&self) -> anyhow::Result<String> {
        let schedule = self.tuning.schedule();
        let ((first, last), (held_first, held_last)) = (self.tuning.seeds(), self.held_out_seeds());
        let mut lines = vec![
            format!("Tuned by `{}`, farm {}.", self.command(), env!("CARGO_PKG_VERSION")),
            format!("Game {}, fingerprint {:016x}.", self.game.spec().name(), self.game.fingerprint()),
            format!(
                "{} generations of {} candidates, each on {} seeds; {} episodes in all, seeds {first} … {last}; chosen: {}.",
                schedule.generations, schedule.candidates, schedule.episodes, self.tuned.episodes, self.tuned.chosen
            ),
            format!("Held-out seeds {held_first} … {held_last}: {}.", self.verdict()),
        ];
        for (knob, value) in self.tuning.knobs().iter().zip(&self.tuned.values) {
            let range = knob.range;
            lines.push(format!("{}: {} … {}, was {}, is {value}", knob.path, range.low(), range.high(), range.value()));
        }
        let header: String = lines.into_iter().map(|line| format!("# {}\n", line.replace(['\n', '\r'], " "))).collect();
        Ok(header + &serde_yaml::to_string(&self.tuned.policy)?)
    }

    fn print(&self, text: &str) -> std::io::Result<()> {
        let mut out = output::stdout();
        if self.arguments.json {
            output::write_json(&mut out, "tune", self.to_json())?;
            return out.flush();
        }
        let Some(file) = &self.arguments.out else {
            write!(out, "{text}")?;
            return out.flush();
        };
        let mut table = TextTable::new(&["number", "low", "high", "before", "after"]).right_aligned(1..5);
        for (knob, value) in self.tuning.knobs().iter().zip(&self.tuned.values) {
            let numbers = [knob.range.low(), knob.range.high(), knob.range.value(), *value];
            // Whole numbers stay whole; others have the digits that their range is worth.
            let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
            let decimals = Decimals::of((!is_whole).then(|| (knob.range.high() - knob.range.low()) / 10.0));
            let numbers = numbers.map(|number| decimals.write(number));
            table.row(std::iter::once(knob.path.to_string()).chain(numbers).collect());
        }
        table.write(&mut out, "")?;
        let (first, last) = self.held_out_seeds();
        writeln!(out, "held-out seeds {first} … {last}: {}", self.verdict())?;
        writeln!(out, "policy: {}", file.display())?;
        out.flush()
    }

    fn to_json(&self) -> serde_json::Value {
        let (tuning, paired) = (self.tuning, self.held_out.paired);
        let knobs = tuning.knobs().iter().zip(&self.tuned.values).map(|(knob, value)| {
            json!({
                "path": knob.path.to_string(),
                "low": knob.range.low(),
                "high": knob.range.high(),
                "before": knob.range.value(),
                "after": value,
            })
        });
        let schedule = tuning.schedule();
        json!({
            "command": self.command(),
            "version": env!("CARGO_PKG_VERSION"),
            "game": self.game.spec().name(),
            "fingerprint": format!("{:016x}", self.game.fingerprint()),
            "risk": self.criterion.to_string(),
            "generations": schedule.generations,
            "candidates": schedule.candidates,
            "episodes_of_a_candidate": schedule.episodes,
            "episodes": self.tuned.episodes,
            "seeds": [tuning.seeds().0, tuning.seeds().1],
            "chosen": self.tuned.chosen,
            "numbers": knobs.collect::<Vec<_>>(),
            "held_out": {
                "seeds": [self.held_out_seeds().0, self.held_out_seeds().1],
                "before": self.held_out.before,
                "after": self.held_out.after,
                "difference": paired.difference,
                "low": paired.interval.map(|interval| interval.low),
                "high": paired.interval.map(|interval| interval.high),
                "better": paired.better,
                "equal": paired.equal,
                "worse": paired.worse,
            },
            "policy": self.tuned.policy,
            "file": self.arguments.out.as_ref().map(|file| file.display().to_string()),
            "warnings": check::warnings_json(self.game),
        })
    }
}
