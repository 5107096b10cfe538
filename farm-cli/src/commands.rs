//! The commands of `farm`, their groups in the help, and former names.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use farm_core::RemoteExecutor;
use farm_core::labels::Language;

use crate::{
    arguments, check, compare, complete, describe, eval, explain_code, graph, level, list, new, oracle, plan, play,
    render, replay, results, run, schema, serve, study, template, text_agents, trials, tune, weather,
};

const AFTER_HELP: &str = "\
All commands: `farm help all`. Options of a command: `farm COMMAND --help`.

GAME is a name from `farm list games`, or the path of a YAML file.
The `schema` of JSON output is its format, such as `farm/run/1`; schemas/outputs/ describes each.
Exit codes: 0 success, 1 an error in a file, name or value, 2 wrong usage, 3 out of memory.

Examples:
  farm list games               the games
  farm play GAME                play a game in the terminal
  farm run GAME --policy expert --episodes 100  run a policy and print its returns
  farm new-game my_game         create your own game, then `farm check my_game.yaml`
  farm --plugin FILE list       use the parts of a plugin, which is a third-party library";

/// Play, train on, and build farm games for reinforcement learning
#[derive(Debug, Parser)]
#[command(name = "farm", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) plugins: arguments::PluginArguments,
    /// Use colours: `auto` (on a terminal, unless the environment variable NO_COLOR is set), `always` or `never` [default: auto]
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", hide_default_value = true, help_heading = arguments::GLOBAL)]
    color: ColorChoice,
    /// Language of screens and pages: en or fr; the rules of games and the meanings of variables stay in English [default: en]
    #[arg(long, value_name = "LANGUAGE", global = true, default_value = "en", hide_default_value = true, help_heading = arguments::GLOBAL)]
    pub(crate) lang: Language,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(list::Arguments),
    Play(play::Arguments),
    Run(run::Arguments),
    Check(check::Arguments),
    NewGame(new::NewGameArguments),
    Serve(serve::Arguments),
    Describe(describe::Arguments),
    Graph(graph::Arguments),
    Explain(explain_code::Arguments),
    Render(render::Arguments),
    Eval(eval::Arguments),
    Compare(compare::Arguments),
    Study(study::Arguments),
    Trials(trials::Arguments),
    Tune(tune::Arguments),
    Replay(replay::Arguments),
    Agents(text_agents::Arguments),
    Template(template::Arguments),
    NewPlugin(new::NewPluginArguments),
    Level(level::Arguments),
    Plan(plan::Arguments),
    Oracle(oracle::Arguments),
    Results(results::Arguments),
    #[command(name = "weather")]
    Station(weather::Arguments),
    Schema(schema::Arguments),
    Completions(complete::CompletionArguments),
    Man(complete::ManArguments),
}

impl Command {
    /// Runs the command. If `remote` is given, it plays the episodes of studies and tunings.
    pub(crate) fn execute(&self, remote: Option<&dyn RemoteExecutor>) -> anyhow::Result<ExitCode> {
        match self {
            Self::List(arguments) => list::execute(arguments),
            Self::Play(arguments) => play::execute(arguments),
            Self::Run(arguments) => run::execute(arguments),
            Self::Check(arguments) => check::execute(arguments),
            Self::NewGame(arguments) => new::game(arguments),
            Self::Serve(arguments) => serve::execute(arguments),
            Self::Describe(arguments) => describe::execute(arguments),
            Self::Graph(arguments) => graph::execute(arguments),
            Self::Explain(arguments) => explain_code::execute(arguments),
            Self::Render(arguments) => render::execute(arguments),
            Self::Eval(arguments) => eval::execute(arguments),
            Self::Compare(arguments) => compare::execute(arguments),
            Self::Study(arguments) => study::execute(arguments, remote),
            Self::Trials(arguments) => trials::execute(arguments),
            Self::Tune(arguments) => tune::execute(arguments, remote),
            Self::Replay(arguments) => replay::execute(arguments),
            Self::Agents(arguments) => text_agents::execute(arguments),
            Self::Template(arguments) => template::execute(arguments),
            Self::NewPlugin(arguments) => new::crate_of_plugin(arguments),
            Self::Level(arguments) => level::execute(arguments),
            Self::Plan(arguments) => plan::execute(arguments),
            Self::Oracle(arguments) => oracle::execute(arguments),
            Self::Results(arguments) => results::execute(arguments),
            Self::Station(arguments) => weather::execute(arguments),
            Self::Schema(arguments) => schema::execute(arguments),
            Self::Completions(arguments) => complete::completions(arguments, Cli::command()),
            Self::Man(arguments) => complete::man(arguments, Cli::command()),
        }
    }
}

/// A heading in the help, and the commands below it.
type Group = (&'static str, &'static [&'static str]);

/// The commands that the help lists first.
const GROUPS: [Group; 5] = [
    ("Start here", &["list", "play", "run", "check", "new-game", "serve"]),
    ("Understand a game", &["describe", "graph", "explain", "render"]),
    ("Measure", &["eval", "compare", "study", "trials", "tune", "replay"]),
    ("Test language models", &["agents"]),
    ("Extend", &["template", "new-plugin"]),
];

/// The commands that only `farm help all` lists.
const MORE_GROUPS: [Group; 3] = [
    ("Worlds and planning", &["level", "plan", "oracle"]),
    ("Data and results", &["weather", "results"]),
    ("Shell and editor", &["schema", "completions", "man"]),
];

/// The command line; its help lists all commands, or only the usual ones.
pub(crate) fn command(lists_all: bool) -> clap::Command {
    let command = Cli::command();
    let more = if lists_all { &MORE_GROUPS[..] } else { &[] };
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in GROUPS.iter().chain(more) {
        let _ = write!(template, "\n{heading}:\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let _ = writeln!(template, "  {name:<12} {}", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    template.push_str("\nGlobal options:\n{options}{after-help}");
    command.help_template(template)
}

/// The commands that have moved below `farm agents`. Their former names still work in this version.
const MOVED: [&str; 9] = ["score", "verify", "leaderboard", "converse", "mcp", "package", "family", "commit", "reveal"];

/// The group of the commands that have moved, and its command that had the name of the group.
const AGENTS: &str = "agents";
const AGENTS_PLAY: &str = "play";

/// Whether the words ask for the help with all commands.
pub(crate) fn asks_for_all(words: &[OsString]) -> bool {
    matches!(words, [help, all] if help == "help" && all == "all")
}

/// Replaces the former name of a command. Returns the former and the new name, if there was one.
pub(crate) fn replace_former_name(words: &mut Vec<OsString>) -> Option<(String, String)> {
    let at = position_of_command(words)?;
    let name = words[at].to_str()?.to_owned();
    if MOVED.contains(&name.as_str()) {
        words.insert(at, AGENTS.into());
        return Some((name.clone(), format!("{AGENTS} {name}")));
    }
    let next = words.get(at + 1)?.to_str().unwrap_or_default();
    let is_known = next == AGENTS_PLAY || MOVED.contains(&next) || ["help", "--help", "-h"].contains(&next);
    if name != AGENTS || is_known {
        return None;
    }
    words.insert(at + 1, AGENTS_PLAY.into());
    Some((format!("{name} …"), format!("{AGENTS} {AGENTS_PLAY} …")))
}

/// The position of the first word that is neither a global option nor its value.
fn position_of_command(words: &[OsString]) -> Option<usize> {
    let has_value = |word: &OsStr| ["--plugin", "--color", "--lang"].iter().any(|option| word == *option);
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if !word.as_encoded_bytes().starts_with(b"-") {
            return Some(at);
        }
        at += if has_value(word) { 2 } else { 1 };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invocation;

    #[test]
    fn the_command_line_is_consistent_under_any_name() {
        for program in ["farm", "farm-gym"] {
            invocation::named(command(true), program).debug_assert();
        }
    }

    #[test]
    fn every_help_says_the_name_that_the_program_goes_by() {
        let mut checked = 0;
        let mut all = vec![invocation::named(command(false), "farm-gym")];
        while let Some(mut command) = all.pop() {
            all.extend(command.get_subcommands().cloned());
            let help = command.render_long_help().to_string();
            assert!(!help.contains("  farm ") && !help.contains("`farm "), "{help}");
            checked += usize::from(help.contains("  farm-gym "));
        }
        assert!(checked > 10, "only {checked} have examples");
    }

    #[test]
    fn the_help_lists_each_command_once_with_its_sentence() {
        let help = |lists_all| command(lists_all).render_help().to_string();
        for command in Cli::command().get_subcommands() {
            let (name, about) = (command.get_name(), command.get_about().unwrap().to_string());
            let line = format!("\n  {name:<12} {about}\n");
            assert_eq!(help(true).matches(&line).count(), 1, "{name}");
            assert!(line.trim().chars().count() <= 85, "{line}");
        }
        assert!(
            help(false).len() < help(true).len() && help(false).contains("  farm list games               the games\n")
        );
        assert_eq!(GROUPS[0].1.len(), 6);
        assert!(GROUPS[1..].iter().map(|(_, names)| names.len()).sum::<usize>() <= 14);
    }

    #[test]
    fn former_names_become_the_new_ones() {
        for (former, new, told) in [
            ("score runs/a --json", "agents score runs/a --json", Some(("score", "agents score"))),
            (
                "--plugin p.so --color=never family",
                "--plugin p.so --color=never agents family",
                Some(("family", "agents family")),
            ),
            ("agents farm --policy x", "agents play farm --policy x", Some(("agents …", "agents play …"))),
            ("agents --policy x farm", "agents play --policy x farm", Some(("agents …", "agents play …"))),
            ("agents score runs/a", "agents score runs/a", None),
            ("agents --help", "agents --help", None),
            ("agents", "agents", None),
            ("run score", "run score", None),
            ("--version", "--version", None),
        ] {
            let mut words: Vec<OsString> = former.split(' ').map(OsString::from).collect();
            let replaced = replace_former_name(&mut words);
            assert_eq!(words, new.split(' ').map(OsString::from).collect::<Vec<_>>());
            assert_eq!(replaced, told.map(|(former, new)| (former.to_owned(), new.to_owned())));
        }
        let names: Vec<String> = Cli::command()
            .find_subcommand(AGENTS)
            .unwrap()
            .get_subcommands()
            .map(|c| c.get_name().to_owned())
            .collect();
        assert!(names.iter().all(|name| name == AGENTS_PLAY || MOVED.contains(&name.as_str())), "{names:?}");
    }
}
