//! The command line for the farm games. `farm --help` lists the commands; each command has its own module here.
//!
//! This crate contains no game. Its output comes from the registry, the built-in games and compiled games.
//!
//! The program `farm` calls [`run`] with its arguments. So does `farm-gym`, the command in the Python package.
//!
//! Exit codes: 0 success, 1 an error in a file, name or value, 2 wrong usage (from clap), 3 out of memory. It is not an error if a reader
//! closes the pipe early (`farm list | head -1`).

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod agents;
mod arguments;
mod blocks;
mod check;
mod commit;
mod compare;
mod complete;
mod converse;
mod csv_file;
mod describe;
mod diagnostics;
mod episode;
mod errors;
mod eval;
mod explain;
mod explain_code;
mod family;
mod film;
mod graph;
mod interrupts;
mod invocation;
#[cfg(not(feature = "serve"))]
mod left_out;
mod level;
mod list;
#[cfg(feature = "serve")]
mod mcp;
mod memory;
mod monitoring;
mod new;
mod oracle;
mod output;
mod package;
mod plan;
mod play;
mod plot;
mod policy;
mod recorded;
mod render;
mod replay;
mod report;
mod results;
mod results_files;
mod run;
mod schema;
#[cfg(feature = "serve")]
mod serve;
mod splits;
mod study;
mod summary;
mod targets;
mod template;
mod tune;
mod weather;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ColorChoice, FromArgMatches, Parser, Subcommand};
use farm_core::RemoteExecutor;
use farm_core::labels::Language;

pub use blocks::BlockPlayer;
pub use memory::out_of_memory;
pub use weather::Station;

const EXAMPLES: &str = "\
GAME is a name from `farm list games`, or the path of a YAML file.

Examples:
  farm list games               the games
  farm play GAME                play a game in the terminal
  farm run GAME --policy expert --episodes 100  run a policy and print its returns
  farm eval GAME                compare the policies of a game
  farm describe GAME            its parts, observations and actions
  farm new-game my_game         create your own game, then `farm check my_game.yaml`
  farm explain unknown-key      explain an error code
  farm serve                    play in the browser, or serve games to trainers and agents
  farm agents GAME --endpoint URL --model NAME --out RUN  let a language model play, then `farm score RUN`
  farm --plugin FILE list       use the parts of a plugin, which is a third-party library

Each command has its own examples: `farm run --help`.
The `schema` of JSON output is its format, such as `farm/run/1`; schemas/outputs/ describes each.
Exit codes: 0 success, 1 an error in a file, name or value, 2 wrong usage, 3 out of memory.";

/// Play, train on, and build farm games for reinforcement learning
#[derive(Debug, Parser)]
#[command(name = "farm", version, about, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    plugins: arguments::PluginArguments,
    /// Use colours: `auto` (on a terminal, unless the environment variable NO_COLOR is set), `always` or `never` [default: auto]
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", hide_default_value = true)]
    color: ColorChoice,
    /// Language of labels, headings and keys on screens and pages: en or fr; the texts of games stay in English [default: en]
    #[arg(long, value_name = "LANGUAGE", global = true, default_value = "en", hide_default_value = true)]
    lang: Language,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::Arguments),
    Describe(describe::Arguments),
    Graph(graph::Arguments),
    Family(family::Arguments),
    Commit(commit::CommitArguments),
    Reveal(commit::RevealArguments),
    Level(level::Arguments),
    Oracle(oracle::Arguments),
    Run(run::Arguments),
    Render(render::Arguments),
    Eval(eval::Arguments),
    Compare(compare::Arguments),
    Replay(replay::Arguments),
    Converse(converse::Arguments),
    Play(play::Arguments),
    Check(check::Arguments),
    Explain(explain_code::Arguments),
    #[command(name = "weather")]
    Station(weather::Arguments),
    Results(results::Arguments),
    Study(study::Arguments),
    Tune(tune::Arguments),
    Plan(plan::Arguments),
    Agents(Box<agents::Arguments>),
    Score(agents::ScoreArguments),
    Verify(agents::VerifyArguments),
    Leaderboard(agents::LeaderboardArguments),
    Package(package::Arguments),
    Template(template::Arguments),
    NewGame(new::NewGameArguments),
    NewPlugin(new::NewPluginArguments),
    Schema(schema::Arguments),
    Completions(complete::CompletionArguments),
    Man(complete::ManArguments),
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    #[cfg(feature = "serve")]
    Mcp(mcp::Arguments),
    /// Serve games to a browser, to trainers (OpenEnv) and to agents (MCP); this program was built without the feature `serve`
    #[cfg(not(feature = "serve"))]
    Serve(left_out::Arguments),
    /// Serve one game as MCP tools on stdin and stdout; this program was built without the feature `serve`
    #[cfg(not(feature = "serve"))]
    Mcp(left_out::Arguments),
}

/// Runs the command line. `program` is the program's name in help and messages, and `words` are the arguments after it.
///
/// It always returns; the caller ends the process. Wrong usage, `--help` and errors are printed and become exit codes.
pub fn run(program: &'static str, words: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupts::report_file_limits();
    run_within(program, words, None, |_, command| command())
}

/// Like [`run`], but inside a call to `around`. `around` receives a flag that allows game files to run their own code, and a function that
/// runs the command. If `remote` is given, it plays the episodes of studies and tunings with one or more [`BlockPlayer`]s.
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
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    let mut execute = || match &cli.command {
        Command::List(arguments) => list::execute(arguments),
        Command::Describe(arguments) => describe::execute(arguments),
        Command::Graph(arguments) => graph::execute(arguments),
        Command::Family(arguments) => family::execute(arguments),
        Command::Commit(arguments) => commit::commit(arguments),
        Command::Reveal(arguments) => commit::reveal(arguments),
        Command::Level(arguments) => level::execute(arguments),
        Command::Oracle(arguments) => oracle::execute(arguments),
        Command::Run(arguments) => run::execute(arguments),
        Command::Render(arguments) => render::execute(arguments),
        Command::Eval(arguments) => eval::execute(arguments),
        Command::Compare(arguments) => compare::execute(arguments),
        Command::Replay(arguments) => replay::execute(arguments),
        Command::Converse(arguments) => converse::execute(arguments),
        Command::Play(arguments) => play::execute(arguments),
        Command::Check(arguments) => check::execute(arguments),
        Command::Explain(arguments) => explain_code::execute(arguments),
        Command::Station(arguments) => weather::execute(arguments),
        Command::Results(arguments) => results::execute(arguments),
        Command::Study(arguments) => study::execute(arguments, remote),
        Command::Plan(arguments) => plan::execute(arguments),
        Command::Agents(arguments) => agents::execute(arguments),
        Command::Score(arguments) => agents::score::execute(arguments),
        Command::Verify(arguments) => agents::verify::execute(arguments),
        Command::Leaderboard(arguments) => agents::leaderboard::execute(arguments),
        Command::Tune(arguments) => tune::execute(arguments, remote),
        Command::Package(arguments) => package::execute(arguments),
        Command::Template(arguments) => template::execute(arguments),
        Command::NewGame(arguments) => new::game(arguments),
        Command::NewPlugin(arguments) => new::crate_of_plugin(arguments),
        Command::Schema(arguments) => schema::execute(arguments),
        Command::Completions(arguments) => complete::completions(arguments),
        Command::Man(arguments) => complete::man(arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::execute(arguments),
        #[cfg(feature = "serve")]
        Command::Mcp(arguments) => mcp::execute(arguments),
        #[cfg(not(feature = "serve"))]
        Command::Serve(arguments) => arguments.refuse("`farm serve`"),
        #[cfg(not(feature = "serve"))]
        Command::Mcp(arguments) => arguments.refuse("`farm mcp`"),
    };
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

/// Parses the arguments, and stores the way the program was called.
fn parse(program: &'static str, words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let called = invocation::note(program, words);
    // Usage errors also use the chosen colours.
    invocation::choose_colors(&called);
    let matches = invocation::command(program).try_get_matches_from(called)?;
    let cli = Cli::from_arg_matches(&matches)?;
    invocation::choose_language(cli.lang);
    Ok(cli)
}

/// The numeric value of an exit code, for callers that end the process without returning the code from `main`.
pub fn exit_number(code: ExitCode) -> u8 {
    // An exit code can be compared, but not read.
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}
