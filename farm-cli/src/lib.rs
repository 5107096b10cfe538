//! The command line of the farm games: `farm --help` shows its commands, each of which has a file of its own here.
//!
//! It knows no game: what it shows comes from the registry, from the catalogue and from compiled games.
//!
//! The program `farm` is [`run`] with its arguments, and so is `farm-gym`, the command of the Python package.
//!
//! Exit codes: 0 all went well, 1 something is wrong with a file, a name or a value, 2 the command was written wrongly
//! (clap's own), 3 the memory did not suffice. A reader that closes the pipe early (`farm list | head -1`) is no error.

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

pub use blocks::BlockPlayer;
pub use memory::out_of_memory;
pub use weather::Station;

const EXAMPLES: &str = "\
GAME is a name that `farm list games` shows, or the path of a YAML file.

EXAMPLES:
  farm list games               the games
  farm family                   families of games, whose rules are drawn from a seed
  farm commit FAMILY --out hidden.json  a hidden set of worlds, and what binds it; `farm reveal` checks it
  farm describe GAME            what a game consists of
  farm graph GAME               who influences whom in it, as a Mermaid diagram
  farm run GAME --episodes 100  play it, and see the returns
  farm play GAME                play it yourself, on the terminal
  farm run GAME --gif film.gif  and watch it; `farm render` draws single pictures
  farm eval GAME --risk cvar:0.1  how its policies do in their worst years
  farm compare GAME A B         two policies on the same seed, side by side; `--report` draws both into the same charts
  farm converse GAME            play it by JSON lines, from a program or a language model
  farm serve GAME               the games for trainers (OpenEnv), agents (MCP) and a browser; `farm mcp GAME` speaks to one agent
  farm results results          the page that compares results of policies
  farm study nitrogen           a game over a grid of changes, and what holds of what is expected
  farm tune GAME --policy FILE --budget 5000  better numbers for a policy
  farm plan GAME --budget 64    what trying things before each step is worth
  farm agents GAME --endpoint URL --model NAME --out RUN  lets a language model play by text; `farm score RUN` says how well
  farm package verifiers GAME --out DIR  a package for a trainer of language models
  farm check my_game.yaml       all that is wrong with a game of yours
  farm weather station.csv      what is read from a file of weather
  farm explain CODE             what a problem with this code is, with an example
  farm template GAME            its parts in files of their own, with every possible entry
  farm new-game NAME            a game of your own; `farm new-plugin NAME` is a crate with parts in Rust
  farm schema > game.schema.json  with which editors complete and check game files
  farm completions bash         commands, options and games completed by a shell; `farm man --out DIR` writes manual pages
  farm --plugin PATH list       the same with the kinds of a plugin, a library that a third party wrote

What `--json` prints names its form, such as `farm/run/1`; schemas/outputs/ describes each.
Exit codes: 0 success, 1 a problem in a file, name or value, 2 wrong usage, 3 out of memory.";

/// Farm games: look at them, play them, check your own.
#[derive(Debug, Parser)]
#[command(name = "farm", version, about, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    plugins: arguments::PluginArguments,
    /// When there are colours: `auto` means on a terminal, unless the environment variable NO_COLOR is set
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", hide_default_value = true)]
    color: ColorChoice,
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
    /// Serves games; this program was built without it
    #[cfg(not(feature = "serve"))]
    Serve(left_out::Arguments),
    /// Plays games by the Model Context Protocol; this program was built without it
    #[cfg(not(feature = "serve"))]
    Mcp(left_out::Arguments),
}

/// Runs the command line: `program` is the name that it goes by, in its own help above all, and `words` are its arguments without that.
///
/// It returns whatever happens, and leaves it to the caller to end the process: a wrong command, `--help` and errors are told, and are
/// exit codes.
pub fn run(program: &'static str, words: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupts::report_file_limits();
    run_within(program, words, None, |_, command| command())
}

/// The same within a call of `around`, which is told whether game files may run code of their own, and calls the command. Studies and
/// tunings have their episodes played by `remote`, if there is one: what it plays is one [`BlockPlayer`] or many.
pub fn run_within(
    program: &'static str,
    words: impl IntoIterator<Item = OsString>,
    remote: Option<&dyn RemoteExecutor>,
    around: impl FnOnce(bool, &mut dyn FnMut() -> anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    let cli = match parse(program, words) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody is left to be told that it can't be printed.
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

/// Reads the words of a command line, and keeps how it was called.
fn parse(program: &'static str, words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let called = invocation::note(program, words);
    // What is wrong with the words is told in colours, too.
    invocation::choose_colors(&called);
    let matches = invocation::command(program).try_get_matches_from(called)?;
    Cli::from_arg_matches(&matches)
}

/// The number of an exit code, for whoever ends the process in another way than by returning it from `main`.
pub fn exit_number(code: ExitCode) -> u8 {
    // It can be compared, and not read.
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}
