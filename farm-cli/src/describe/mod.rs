//! `farm describe`: everything about a game, a kind of part or a role.

mod game;
mod kind;
mod role;
mod values;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_core::Environment;
use farm_core::config::{Kind, Path, Problem, Problems, RoleEntry, kinds, roles};
use farm_core::instructions::RulesText;
use farm_games::{CATALOGUE, Options};
use serde_json::Value as Json;

use crate::arguments::{are_outside_files_allowed, are_plugins_allowed, assignment, preset_of};
use crate::output::{self, Table};

const EXAMPLES: &str = "\
EXAMPLES:
  farm describe GAME                 a game: parts, observations, actions, policies
  farm describe GAME --yaml          its YAML, to start a game of your own from
  farm describe GAME --start 42      the farm on its first day, with every variable
  farm describe GAME --instructions hidden  what a player is told: what is seen, how actions are written, the goal
  farm describe GAME --instructions shown   the same with the rules
  farm describe KIND                 a kind of part: parameters, variables, actions, roles
  farm describe rain_amount          a role: who gives it, who reads it
  farm describe my_game.yaml --json  a game of your own, for a program";

/// All about a game, a kind of part or a role
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A name that `farm list` shows, or the path of a YAML file
    name: String,
    /// A variant that the game names; may be given several times, and the variants are applied in this order
    #[arg(long = "preset", value_name = "PRESET")]
    presets: Vec<String>,
    /// A world of the game, as for `farm run`
    #[arg(long, value_name = "FILE.yaml|NAME")]
    level: Option<String>,
    /// Changes a value of the game's YAML; may be given several times, and `LIST.+=VALUE` adds to a list
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Prints the YAML of the game as shipped
    #[arg(long, conflicts_with_all = ["json", "presets", "level", "set", "start"])]
    yaml: bool,
    /// Prints the farm on its first day, with the value and the range of every variable
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "0", conflicts_with = "json")]
    start: Option<u64>,
    /// Prints what a person or a language model is told before the first step, with the rules hidden or shown
    #[arg(long, value_name = "RULES", conflicts_with_all = ["json", "start", "yaml"])]
    instructions: Option<Instructions>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Whether instructions tell the rules.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Instructions {
    /// What is seen, how actions are written, and the goal.
    Hidden,
    /// Also what actions do, what pays, and when the game ends.
    Shown,
}

/// What a name means.
enum Subject {
    Game,
    Kinds(Vec<&'static Kind>),
    Role(&'static RoleEntry),
}

/// Prints the description.
///
/// # Errors
/// An unknown name; problems of a game; a writer that fails.
pub fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let name = arguments.name.as_str();
    let subject = subject(name)?;
    if arguments.yaml {
        return print_yaml(name, &subject);
    }
    // Compiled before anything is printed: a file with problems shows these and nothing else.
    let compiled = match subject {
        Subject::Game => {
            let level = arguments.level.as_deref().map(|level| farm_games::level::find(name, level)).transpose()?;
            let options = Options {
                preset: preset_of(&arguments.presets),
                level,
                set: arguments.set.clone(),
                allow_plugins: are_plugins_allowed(),
                allow_outside_files: are_outside_files_allowed(),
            };
            Some(farm_games::open(name, &options)?)
        }
        _ if !arguments.presets.is_empty()
            || arguments.level.is_some()
            || !arguments.set.is_empty()
            || arguments.start.is_some()
            || arguments.instructions.is_some() =>
        {
            let problem =
                Problem::new(Path::default(), format!("only games are changed or started, and `{name}` is none"));
            return Err(Problems(vec![problem.help(format!("farm describe {name}"))]).into());
        }
        _ => None,
    };
    compiled.iter().for_each(|game| output::warn(&game.warnings));
    let mut out = output::stdout();
    if let (Some(rules), Some(game)) = (arguments.instructions, &compiled) {
        let rules = match rules {
            Instructions::Hidden => RulesText::Hidden,
            Instructions::Shown => RulesText::Shown,
        };
        write!(out, "{}", game.instructions(rules))?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let compiled = match (arguments.start, compiled) {
        (Some(seed), Some(game)) => {
            let mut environment = Environment::new(game.into());
            environment.reset(seed);
            write!(out, "{environment}")?;
            out.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        (_, compiled) => compiled,
    };
    if arguments.json {
        let json = match (&subject, &compiled) {
            (Subject::Game, None) => Json::Null,
            (Subject::Game, Some(game)) => game::to_json(game),
            (Subject::Role(role), _) => role::to_json(role),
            (Subject::Kinds(kinds), _) => match kinds.as_slice() {
                [kind] => kind::to_json(kind)?,
                several => several.iter().map(|kind| kind::to_json(kind)).collect::<anyhow::Result<_>>()?,
            },
        };
        output::write_json(&mut out, &json)?;
    } else {
        match &subject {
            Subject::Game => compiled.iter().try_for_each(|game| game::write(&mut out, game))?,
            Subject::Role(role) => role::write(&mut out, role)?,
            Subject::Kinds(kinds) => kinds.iter().try_for_each(|kind| kind::write(&mut out, kind))?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Looks a name up among games, kinds and roles; anything that looks like a path is a file.
fn subject(name: &str) -> Result<Subject, Problems> {
    if CATALOGUE.iter().any(|entry| entry.name == name) {
        return Ok(Subject::Game);
    }
    // The same name may be a kind of several sorts, say a farmer and a policy: all of them are meant.
    let named: Vec<&'static Kind> = kinds().iter().filter(|kind| kind.name == name).copied().collect();
    if !named.is_empty() {
        return Ok(Subject::Kinds(named));
    }
    if let Some(role) = roles().into_iter().find(|role| role.name == name) {
        return Ok(Subject::Role(role));
    }
    if name.contains(['/', '\\']) || name.ends_with(".yaml") || name.ends_with(".yml") {
        return Ok(Subject::Game);
    }
    let games = CATALOGUE.iter().map(|entry| entry.name);
    let names: Vec<&str> =
        games.chain(kinds().iter().map(|kind| kind.name)).chain(roles().iter().map(|role| role.name)).collect();
    let message = format!("there is no game, kind of part or role `{name}`");
    Err(output::unknown_name(message, name, &names, "`farm list` shows all names"))
}

fn print_yaml(name: &str, subject: &Subject) -> anyhow::Result<ExitCode> {
    let text = match (subject, CATALOGUE.iter().find(|entry| entry.name == name)) {
        (Subject::Game, Some(entry)) => entry.yaml.to_owned(),
        (Subject::Game, None) => {
            // Parsed only for its messages: what is printed is the file itself.
            farm_games::document_with(name, are_outside_files_allowed())?;
            std::fs::read_to_string(name).with_context(|| format!("{name} can't be read"))?
        }
        _ => {
            let problem =
                Problem::new(Path::default(), format!("only games have a YAML to print, and `{name}` is none"));
            return Err(Problems(vec![problem.help(format!("`farm describe {name}` shows its parameters"))]).into());
        }
    };
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a headline and a table under it; nothing if the table has no rows.
fn write_section(out: &mut impl Write, title: &str, table: &Table) -> std::io::Result<()> {
    if table.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    table.write(out, "  ")
}
