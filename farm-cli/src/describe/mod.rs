//! `farm describe`: describes a game, a kind of part, a role, or a name within a kind.

mod contexts;
mod game;
mod keys;
mod kind;
mod mention;
mod role;
mod section;
mod values;

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use farm_core::config::{NameError, Path, Problem, Problems, Tool};
use farm_core::registry::{Kind, RoleEntry, kinds, roles};
use farm_core::spec::GameError;
use farm_core::{Environment, SeedSplit};
use farm_games::{CATALOGUE, GameDocument, Options, catalogue, families};
use keys::{FileKind, file_kind};
use mention::Mention;
use serde_json::{Value as Json, json};

use crate::arguments::{Rules, are_outside_files_allowed, are_plugins_allowed, assignment, consent, preset_of, seed};
use crate::output;
use crate::wrapping::Wrapped;

pub(crate) use mention::mentions;

const EXAMPLES: &str = "\
Examples:
  farm describe GAME                 a game: parts, observations, actions, policies
  farm describe GAME --yaml          its YAML, as a start for your own game
  farm describe GAME --start 42      the farm on the first day, with every variable
  farm describe GAME --contexts      its contexts: changed climates, soils and prices to train and to test with
  farm describe GAME --instructions hidden  the player's instructions: goal, observations, format of actions
  farm describe GAME --instructions shown   the instructions with the rules
  farm describe KIND                 a kind of part: parameters, variables, actions, roles
  farm describe rain_amount          a role: the parts that provide and read it
  farm describe SET                  a parameter set: its kind and its values
  farm describe stage_transition     an event, a variable, an observable or an action: the parts that declare it
  farm describe visit                a phase of the step: its effect and the active parts
  farm describe game                 the keys of a game file and their values; `level`: the keys of a level file
  farm describe max_steps            a parameter of a kind, or a key of a game file
  farm describe my_game.yaml --json  your own game, for programs";

/// Describe a game, a part, a parameter or a variable
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A name from `farm list`, a variable, an action, a parameter, a key of a game file, `game` for all keys, or the path of a YAML file
    name: String,
    /// Apply a variant of the game. Repeatable, applied in order
    #[arg(long = "preset", value_name = "PRESET")]
    presets: Vec<String>,
    /// Use a fixed world, as for `farm run`
    #[arg(long, value_name = "FILE.yaml|NAME")]
    level: Option<String>,
    /// Change climate, soil and prices, as for `farm run`
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// List the contexts of the game, with their splits
    #[arg(long, conflicts_with_all = ["context", "yaml", "start", "instructions"])]
    contexts: bool,
    /// Change a value of the game's YAML. Repeatable. `LIST.+=VALUE` appends to a list
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Print the YAML of the game, as a start for your own game
    #[arg(long, conflicts_with_all = ["json", "presets", "level", "context", "set", "start"])]
    yaml: bool,
    /// Print the farm on its first day, with the value and the range of every variable
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "0", value_parser = seed, conflicts_with = "json")]
    start: Option<u64>,
    /// Print the instructions for a person or a language model, with the rules hidden or shown
    #[arg(long, value_name = "RULES", conflicts_with_all = ["json", "start", "yaml"])]
    instructions: Option<Rules>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The meaning of a name.
enum Subject {
    Game,
    Kinds(Vec<&'static Kind>),
    File(FileKind),
    /// A role, names within kinds, or both, because roles, events and actions have separate namespaces.
    Names(Option<&'static RoleEntry>, Vec<Mention>),
}

/// Prints the description.
///
/// # Errors
/// Fails if the name is unknown, a game has errors, or the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let name = arguments.name.as_str();
    let subject = subject(name)?;
    if arguments.yaml {
        return print_yaml(name, &subject);
    }
    // Compiled before anything is printed: for a file with problems, only these are printed.
    let compiled = match subject {
        Subject::Game => {
            let level = arguments.level.as_deref().map(|level| farm_games::level::find(name, level)).transpose()?;
            let options = Options {
                preset: preset_of(&arguments.presets),
                level,
                context: arguments.context.clone(),
                set: arguments.set.clone(),
                allow_plugins: are_plugins_allowed(),
                allow_outside_files: are_outside_files_allowed(),
                ..Options::default()
            };
            let document = GameDocument::read(name, consent())?;
            if arguments.contexts {
                return contexts::list(&document.contexts(&options)?, arguments.json);
            }
            let game = document.open(&options)?;
            let understood = document.read_back(&game);
            Some((game, understood))
        }
        _ if !arguments.presets.is_empty()
            || arguments.level.is_some()
            || arguments.context.is_some()
            || arguments.contexts
            || !arguments.set.is_empty()
            || arguments.start.is_some()
            || arguments.instructions.is_some() =>
        {
            let problem = Problem::new(
                GameError::NotAGame,
                Path::default(),
                format!("this option needs a game, and `{name}` is not a game"),
            );
            return Err(Problems(vec![problem.help(format!("farm describe {name}"))]).into());
        }
        _ => None,
    };
    compiled.iter().for_each(|(game, _)| output::warn(game.warnings()));
    let mut out = output::stdout();
    if let (Some(rules), Some((game, _))) = (arguments.instructions, &compiled) {
        write!(out, "{}", game.text().instructions(rules.into()))?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let compiled = match (arguments.start, compiled) {
        (Some(seed), Some((game, _))) => {
            let mut environment = Environment::new(game.into());
            environment.name_split(SeedSplit::of(seed));
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
            (Subject::Game, Some((game, understood))) => game::to_json(game, understood),
            (Subject::File(file), _) => keys::to_json(file),
            (Subject::Names(role, mentions), _) => {
                let role = role.iter().map(|role| role::to_json(role));
                let mut all: Vec<Json> = role.chain(mentions.iter().map(Mention::to_json)).collect();
                if all.len() == 1 { all.swap_remove(0) } else { json!({"meanings": all}) }
            }
            (Subject::Kinds(kinds), _) => match kinds.as_slice() {
                [kind] => kind::to_json(kind)?,
                several => {
                    let kinds = several.iter().map(|kind| kind::to_json(kind)).collect::<anyhow::Result<Vec<_>>>()?;
                    json!({"meanings": kinds})
                }
            },
        };
        output::write_json(&mut out, "describe", json)?;
    } else {
        let mut out = Wrapped::new(&mut out);
        match &subject {
            Subject::File(file) => keys::write(&mut out, file)?,
            Subject::Game => {
                compiled.iter().try_for_each(|(game, understood)| game::write(&mut out, game, understood))?
            }
            Subject::Names(role, mentions) => {
                role.iter().try_for_each(|role| role::write(&mut out, role))?;
                for (i, mention) in mentions.iter().enumerate() {
                    if i > 0 || role.is_some() {
                        writeln!(out)?;
                    }
                    mention.write(&mut out)?;
                }
            }
            Subject::Kinds(kinds) => kinds.iter().try_for_each(|kind| kind::write(&mut out, kind))?,
        }
        out.flush()?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Looks up a name among games, kinds, roles and the names within kinds. A name that looks like a path is treated as a file.
fn subject(name: &str) -> Result<Subject, Problems> {
    if catalogue::entry(name).is_some() || families::is_member(name) {
        return Ok(Subject::Game);
    }
    // One name may belong to several types of parts, such as a farmer and a policy. All of them are described.
    let named: Vec<&'static Kind> = kinds().iter().filter(|kind| kind.name() == name).copied().collect();
    if !named.is_empty() {
        return Ok(Subject::Kinds(named));
    }
    if farm_games::is_file(name) {
        return Ok(Subject::Game);
    }
    if let Some(file) = file_kind(name) {
        return Ok(Subject::File(file));
    }
    let role = roles().into_iter().find(|role| role.name() == name);
    let mut mentions = mentions();
    // Names with a unit count only if no name matches exactly. The variable of a role often has the role's name plus a unit; the
    // description of the role already lists it.
    let is_exact = role.is_some() || mentions.iter().any(|mention| mention.name == name);
    let is_meant = |mention: &Mention| if is_exact { mention.name == name } else { mention.is_named(name) };
    if role.is_some() || mentions.iter().any(is_meant) {
        mentions.retain(is_meant);
        return Ok(Subject::Names(role, mentions));
    }
    let names: Vec<&str> = CATALOGUE
        .iter()
        .map(|entry| entry.name)
        .chain(kinds().iter().map(|kind| kind.name()))
        .chain(roles().iter().map(|role| role.name()))
        .chain(mentions.iter().map(|mention| mention.name.as_str()))
        .collect();
    if let Some(kind) = kind_of_part(name) {
        let message = format!("`{name}` is a part of a game, not a kind");
        let help =
            Tool::describe(kind).and(" describes its kind, ").with(Tool::describe("GAME")).and(" the parts of a game");
        return Err(Problems(vec![
            Problem::new(NameError::UnknownName, Path::default(), message).value(name).help(help),
        ]));
    }
    let message = format!(
        "unknown name `{name}`: no game, kind, role, parameter set, parameter, variable, action, event or phase"
    );
    Err(output::unknown_name(message, name, &names, Tool::list("").and(" lists all names")))
}

/// The kind of a part, from its name in a game: `Soil` for `Soil-0` and for `Field-0.Soil-0`.
fn kind_of_part(name: &str) -> Option<&'static str> {
    let (kind, number) = name.rsplit('.').next()?.rsplit_once('-')?;
    number.parse::<u32>().ok()?;
    kinds().iter().map(|known| known.name()).find(|known| *known == kind)
}

fn print_yaml(name: &str, subject: &Subject) -> anyhow::Result<ExitCode> {
    let text = match (subject, catalogue::entry(name)) {
        // The schema lies next to the game's source. Users of a copy have `farm schema`.
        (Subject::Game, Some(entry)) => {
            let lines = entry.yaml.split_inclusive('\n');
            lines.skip_while(|line| line.starts_with("# yaml-language-server:")).collect()
        }
        // Parsed only to report errors. The output is the text itself, read once because it may be a pipe.
        (Subject::Game, None) => farm_games::document_with(name, consent())?.own_text().to_owned(),
        _ => {
            let problem = Problem::new(
                GameError::NotAGame,
                Path::default(),
                format!("`--yaml` needs a game, and `{name}` is not a game"),
            );
            return Err(Problems(vec![problem.help(Tool::describe(name).and(" lists its parameters"))]).into());
        }
    };
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
