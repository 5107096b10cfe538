#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! Each command has its own module here. This crate contains no game. Its output comes from the registry, the built-in games and compiled
//! games.
//!
//! Two programs call [`run`] with their arguments: `farm`, and `farm-gym` from the Python package.
//!
//! Exit codes: 0 success, 1 an error in a file, name or value, 2 wrong usage (from clap), 3 out of memory. A reader that closes the pipe
//! early (`farm list | head -1`) is not an error.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]
#![cfg_attr(not(feature = "play"), allow(dead_code, reason = "some helpers belong to commands that are left out"))]

#[cfg(feature = "play")]
mod action_file;
#[cfg(feature = "agents")]
mod agents;
mod arguments;
#[cfg(feature = "experiments")]
mod blocks;
mod check;
#[cfg(feature = "serve")]
mod class;
mod commands;
#[cfg(feature = "agents")]
mod commit;
mod compare;
#[cfg(feature = "authoring")]
mod complete;
#[cfg(feature = "agents")]
mod converse;
mod csv_file;
mod describe;
mod diagnostics;
mod episode;
mod errors;
#[cfg(feature = "experiments")]
mod eval;
mod explain;
mod explain_code;
#[cfg(feature = "agents")]
mod family;
mod film;
mod graph;
mod interrupts;
mod invocation;
#[cfg(not(all(feature = "authoring", feature = "play", feature = "serve")))]
mod left_out;
mod level;
mod list;
#[cfg(feature = "serve")]
mod mcp;
mod memory;
mod monitoring;
#[cfg(feature = "authoring")]
mod new;
#[cfg(feature = "experiments")]
mod oracle;
mod output;
#[cfg(feature = "agents")]
mod package;
#[cfg(feature = "experiments")]
mod plan;
#[cfg(feature = "play")]
mod play;
mod plot;
mod policy;
#[cfg(feature = "play")]
mod recorded;
#[cfg(feature = "experiments")]
mod remote;
mod render;
#[cfg(feature = "play")]
mod replay;
mod report;
#[cfg(feature = "experiments")]
mod results;
#[cfg(feature = "experiments")]
mod results_files;
#[cfg(feature = "experiments")]
mod return_chart;
mod run;
#[cfg(feature = "authoring")]
mod schema;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "experiments")]
mod splits;
#[cfg(feature = "experiments")]
mod study;
mod summary;
mod targets;
#[cfg(feature = "authoring")]
mod template;
#[cfg(feature = "agents")]
mod text_agents;
#[cfg(feature = "experiments")]
mod trials;
#[cfg(feature = "experiments")]
mod tune;
mod weather;
mod wrapping;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use commands::Cli;
use farm_core::RemoteExecutor;
use farm_games::catalogue::one_of_each_family;
#[cfg(all(feature = "agents", not(feature = "serve")))]
use left_out::mcp;
#[cfg(not(feature = "serve"))]
use left_out::serve;
#[cfg(not(feature = "agents"))]
use left_out::text_agents;
#[cfg(not(feature = "authoring"))]
use left_out::{complete, new, schema, template};
#[cfg(not(feature = "experiments"))]
use left_out::{eval, oracle, plan, results, study, trials, tune};
#[cfg(not(feature = "play"))]
use left_out::{play, replay};

#[cfg(feature = "experiments")]
pub use blocks::BlockPlayer;
pub use memory::out_of_memory;
pub use weather::Station;

/// Runs the command line. `program` is the program's name in help and messages, and `words` are the arguments after it.
///
/// It always returns; the caller ends the process. Wrong usage, `--help` and errors are printed and become exit codes.
pub fn run(program: &'static str, words: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupts::report_file_limits();
    run_within(program, words, None, |_, command| command())
}

/// Like [`run`], but inside a call to `around`. `around` receives a flag that allows game files to run their own code, and a function that
/// runs the command. If `remote` is given, it plays the episodes of studies and tunings, and uses one or more [`BlockPlayer`]s.
pub fn run_within(
    program: &'static str,
    words: impl IntoIterator<Item = OsString>,
    remote: Option<&dyn RemoteExecutor>,
    around: impl FnOnce(bool, &mut dyn FnMut() -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    let cli = match parse(program, words) {
        Ok(cli) => cli,
        Err(error) => {
            // If printing the error fails, no output is left to report that.
            let _ = error.print();
            if lacks_game(&error) {
                output::note(some_games());
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    let mut execute = || cli.command.execute(remote);
    let loaded = cli.plugins.load().map_err(anyhow::Error::from);
    let result = loaded.and_then(|()| around(arguments::are_plugins_allowed(), &mut execute));
    match result {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments, and stores how the program was called.
fn parse(program: &'static str, words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let lists_all = commands::asks_for_all(&words);
    if lists_all {
        words = vec!["--help".into()];
    }
    let replaced = commands::replace_former_name(&mut words);
    let called = invocation::note(program, words);
    // Usage errors also use the chosen colours.
    invocation::choose_colors(&called);
    if let Some((former, new)) = replaced {
        output::note(format!(
            "`{program} {former}` is now `{program} {new}`; the former name works in this version only"
        ));
    }
    let matches = invocation::named(commands::command(lists_all), program).try_get_matches_from(called)?;
    let cli = Cli::from_arg_matches(&matches)?;
    invocation::choose_language(cli.lang);
    Ok(cli)
}

/// Whether a command was called without its game.
fn lacks_game(error: &clap::Error) -> bool {
    let is_game = |name: &String| name.starts_with("<GAME");
    error.kind() == ErrorKind::MissingRequiredArgument
        && matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::Strings(names)) if names.iter().any(is_game))
}

/// A few games, and how to list all.
fn some_games() -> String {
    let names: Vec<&str> = one_of_each_family().map(|entry| entry.name).take(3).collect();
    format!("games are {} and others: `{} list games`", names.join(", "), invocation::name())
}

#[cfg(feature = "experiments")]
impl BlockPlayer {
    /// Creates a player for a command: `program` is the program's name, and `words` are the arguments after it. Loads the plugins that the
    /// arguments name.
    ///
    /// # Errors
    /// Returns the error that the command would print about its arguments or a plugin.
    pub fn new(program: &'static str, words: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        use blocks::Source;
        use commands::Command;

        let cli = parse(program, words).map_err(|error| error.to_string())?;
        cli.plugins.load().map_err(|problems| output::told(&problems.into(), &diagnostics::Look::PLAIN))?;
        Ok(Self::of(match cli.command {
            Command::Study(arguments) => Source::Study(arguments),
            Command::Tune(arguments) => Source::Tuning(arguments),
            _ => Source::Other,
        }))
    }
}

/// The numeric value of an exit code, for callers that end the process without returning the code from `main`.
pub fn exit_number(code: ExitCode) -> u8 {
    // An exit code can be compared, but not read.
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}
