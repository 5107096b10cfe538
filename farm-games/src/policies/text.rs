//! Policies from text that a user writes on a command line.

use farm_core::config::{Document, PartKind, Path, Phrase, Problems, Tool};
use farm_core::registry::kind;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game};

use super::combined_policy::{player, together, unknown};

/// Help for a missing policy file.
fn without_files() -> Phrase {
    let phrase = Phrase::from("check the path; ").with(Tool::describe("GAME")).and(" shows the policies of a game, ");
    phrase.with(Tool::list("policies")).and(" all kinds, which need no file")
}

/// The name that messages use for an inline policy.
const INLINE: &str = "--policy";

/// A player for the policy in `text`: the name of one of the game's policies; a kind with its defaults (`RandomPolicy`); a file with a
/// policy or a list of policies; a policy in YAML (`WaterPolicy: {amount#L: 5}`, `[expert, RandomPolicy]`); or several of these joined by
/// `+`, which decide together.
///
/// # Errors
/// An unknown name, with the nearest one, or the problems of the policy, located in its file.
pub fn policy(game: &Game, text: &str) -> Result<Box<dyn Agent>, Problems> {
    // A name that the game gives is one as it stands there, whatever blanks it has.
    if game.spec().policies().contains_key(text) {
        return player(game, &text.into(), &Path::default());
    }
    let text = text.trim();
    if is_name(game, text) {
        return policy_by_name(game, text);
    }
    if std::path::Path::new(text).is_file() {
        return of_file(game, text);
    }
    if text.starts_with(['[', '{']) || text.contains(": ") {
        return of_document(game, &Document::parse(INLINE, text)?);
    }
    if text.contains('+') {
        let players = text.split('+').map(|part| policy(game, part)).collect::<Result<_, _>>()?;
        return Ok(together(game, players));
    }
    if crate::is_file(text) { of_file(game, text) } else { Err(Problems(vec![unknown(game, text, &Path::default())])) }
}

/// A player for the policy with a name: one of the game's policies, or a kind with its defaults. Use it for requests from strangers: the
/// name is never interpreted as a file or as YAML.
///
/// # Errors
/// An unknown name, with the nearest one, or the problems of the policy.
pub fn policy_by_name(game: &Game, name: &str) -> Result<Box<dyn Agent>, Problems> {
    match is_name(game, name) {
        true => player(game, &name.into(), &Path::default()),
        false => Err(Problems(vec![unknown(game, name, &Path::default())])),
    }
}

fn is_name(game: &Game, text: &str) -> bool {
    game.spec().policies().contains_key(text) || kind(PartKind::Policy, text).is_some()
}

/// A player for the policy in a YAML value: the name of one of the game's policies or of a kind, a kind with parameters, or a list of
/// these, which decide together.
///
/// # Errors
/// An unknown name, with the nearest one, or the problems of the policy, by their paths in the value.
pub fn policy_from_value(game: &Game, written: &Value) -> Result<Box<dyn Agent>, Problems> {
    player(game, written, &Path::default())
}

fn of_file(game: &Game, path: &str) -> Result<Box<dyn Agent>, Problems> {
    let read = Document::read(std::path::Path::new(path));
    of_document(game, &read.map_err(|problems| crate::opening::if_missing(problems, &without_files()))?)
}

fn of_document(game: &Game, document: &Document) -> Result<Box<dyn Agent>, Problems> {
    player(game, document.value(), &Path::default()).map_err(|problems| document.locate(problems))
}
