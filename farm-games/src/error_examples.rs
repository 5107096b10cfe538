//! Examples of problems: for each code, an input that has the problem, and the corrected input.
//!
//! They are in `error-examples/`, one file for each area of codes. An example is usually a piece of a small correct game (`garden.yaml`)
//! and a wrong replacement for it. A caller runs an example before it shows it, so the messages are the program's current ones.

use std::collections::BTreeMap;

use farm_core::config::{Code, Consent, Problem, Problems};
use farm_core::{Environment, Game, serde_yaml};
use serde::Deserialize;

use crate::{GameDocument, LevelFile, Options, catalogue, level, policy};

/// The game that most examples take a piece from.
const GARDEN: &str = include_str!("../error-examples/garden.yaml");

/// The example files, one for each area.
const FILES: [&str; 12] = [
    include_str!("../error-examples/yaml.yaml"),
    include_str!("../error-examples/files.yaml"),
    include_str!("../error-examples/parameters.yaml"),
    include_str!("../error-examples/games.yaml"),
    include_str!("../error-examples/names.yaml"),
    include_str!("../error-examples/actions.yaml"),
    include_str!("../error-examples/rules.yaml"),
    include_str!("../error-examples/crops.yaml"),
    include_str!("../error-examples/maps.yaml"),
    include_str!("../error-examples/farmers.yaml"),
    include_str!("../error-examples/programs.yaml"),
    include_str!("../error-examples/rehearsal.yaml"),
];

/// The kind of input in an example, which determines how to run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Lines of a game file.
    #[default]
    Game,
    /// A whole file.
    File,
    /// Lines of a game file whose first seasons are played.
    Season,
    /// A change, `--set PATH=VALUE`.
    Set,
    /// A preset, `--preset NAME`.
    Preset,
    /// The name or the path of a game.
    Open,
    /// Lines of a level.
    Level,
    /// The name of a level, `--level NAME`.
    LevelName,
    /// An action, as a player writes it.
    Action,
    /// A policy, `--policy POLICY`.
    Policy,
    /// A risk criterion, `--risk CRITERION`.
    Risk,
}

impl Form {
    /// The form in words, such as "in a game file".
    pub fn name(self) -> &'static str {
        match self {
            Self::Game | Self::Season => "in a game file",
            Self::File => "as a file",
            Self::Set => "as a change, `--set`",
            Self::Preset => "as a preset, `--preset`",
            Self::Open => "as a game",
            Self::Level => "in a level",
            Self::LevelName => "as a level, `--level`",
            Self::Action => "as an action",
            Self::Policy => "as a policy, `--policy`",
            Self::Risk => "as a risk criterion, `--risk`",
        }
    }
}

/// An example as written in its file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    /// The reason why the code has no example.
    none: Option<String>,
    form: Form,
    /// The catalogue game that the piece comes from; default: the garden.
    game: Option<String>,
    /// The piece that is replaced. The text contains it exactly once.
    at: Option<String>,
    wrong: String,
    /// The correct piece; default: `at`.
    right: Option<String>,
}

/// The example for a code, or the reason why it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Example {
    /// A wrong input and its correction.
    Shown(Shown),
    /// No example, for this reason.
    None(String),
}

/// A wrong input and its correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The kind of input.
    pub form: Form,
    /// The wrong lines, complete and without their common indentation.
    pub wrong: String,
    /// The correct lines.
    pub right: String,
    game: String,
    /// The complete texts to run, wrong and right; equal to the fields above for forms without lines.
    texts: [String; 2],
}

/// The example for a code; none for codes from outside this project.
pub fn example(code: Code) -> Option<Example> {
    let written = FILES.iter().find_map(|file| {
        let mut all: BTreeMap<String, Written> = serde_yaml::from_str(file).ok()?;
        all.remove(code.name())
    })?;
    Some(match written.none {
        Some(reason) => Example::None(reason),
        None => Example::Shown(shown(written)?),
    })
}

/// The codes in the example files, in file order.
pub fn names() -> Vec<String> {
    let of_file = |file: &&str| serde_yaml::from_str::<BTreeMap<String, Written>>(file).unwrap_or_default().into_keys();
    FILES.iter().flat_map(of_file).collect()
}

fn shown(written: Written) -> Option<Shown> {
    let Written { form, game, at, wrong, right, .. } = written;
    let game = game.unwrap_or_else(|| "garden".to_owned());
    let Some(at) = at else {
        let right = right?;
        return Some(Shown { form, texts: [wrong.clone(), right.clone()], wrong, right, game });
    };
    let base = base(form, &game)?;
    let place = base.find(&at).filter(|_| base.matches(&at).count() == 1)?;
    let right = right.unwrap_or_else(|| at.clone());
    let with = |piece: &str| format!("{}{piece}{}", &base[..place], &base[place + at.len()..]);
    let texts = [with(&wrong), with(&right)];
    let [wrong, right] = [(0, &wrong), (1, &right)].map(|(i, piece)| lines(&texts[i], place, piece.len()));
    Some(Shown { form, wrong, right, game, texts })
}

/// The complete text that a form's pieces belong to.
fn base(form: Form, game: &str) -> Option<String> {
    match form {
        Form::Level => level::find(game, "test/01").ok().map(|level| level.text),
        _ if game == "garden" => Some(GARDEN.to_owned()),
        _ => catalogue::entry(game).map(|entry| entry.yaml.to_owned()),
    }
}

/// The lines that contain a piece of `text`, without their common indentation.
fn lines(text: &str, start: usize, length: usize) -> String {
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    // A piece that ends with its line does not reach into the next one.
    let end = (start + length).saturating_sub(usize::from(text[..start + length].ends_with('\n'))).max(first);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let lines: Vec<&str> = text[first..last].lines().collect();
    let indentation = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    lines.iter().map(|line| line.get(common..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

impl Shown {
    /// Runs the wrong input and returns all its problems.
    pub fn problems_of_wrong(&self) -> Problems {
        self.problems(&self.texts[0])
    }

    /// Runs the correct input and returns its problems, none of which is an error.
    pub fn problems_of_right(&self) -> Problems {
        self.problems(&self.texts[1])
    }

    fn problems(&self, text: &str) -> Problems {
        let game = |options: Options| self.opened().and_then(|document| document.open(&options));
        let options = Options::default();
        let tried = match self.form {
            Form::Game | Form::File => {
                GameDocument::parse("game.yaml", text).and_then(|document| said_of(&document, document.open(&options)?))
            }
            Form::Season => GameDocument::parse("game.yaml", text).map(|document| document.check(&options).1),
            Form::Open => crate::open(text, &options).map(|game| game.warnings().clone()),
            Form::Set => {
                let (path, value) = text.split_once('=').unwrap_or((text, ""));
                game(Options { set: vec![(path.to_owned(), value.to_owned())], ..options })
                    .map(|game| game.warnings().clone())
            }
            Form::Preset => {
                game(Options { preset: Some(text.to_owned()), ..options }).map(|game| game.warnings().clone())
            }
            Form::Level => {
                let level = Some(LevelFile::new("level.yaml", text));
                game(Options { level, ..options }).map(|game| game.warnings().clone())
            }
            Form::LevelName => level::find(&self.game, text).map(|_| Problems::default()),
            Form::Action => game(options).and_then(|game| {
                let environment = Environment::new(game.into());
                let read = environment.game().text().parse(text);
                read.map(|_| Problems::default()).map_err(|problem| Problems(vec![*problem]))
            }),
            Form::Policy => game(options).and_then(|game| policy(&game, text).map(|_| Problems::default())),
            Form::Risk => {
                let read = text.parse::<farm_scoring::risk::Criterion>();
                read.map(|_| Problems::default()).map_err(|problem| Problems(vec![*problem]))
            }
        };
        tried.unwrap_or_else(|problems| problems)
    }

    fn opened(&self) -> Result<GameDocument, Problems> {
        match self.game.as_str() {
            "garden" => GameDocument::parse("garden.yaml", GARDEN),
            name => GameDocument::read(name, Consent::default()),
        }
    }
}

/// A game's warnings, and the errors of its policies.
fn said_of(document: &GameDocument, game: Game) -> Result<Problems, Problems> {
    let refused = game.spec().policies().keys().filter_map(|name| game.player(name).err());
    let refused: Vec<Problem> = refused.flat_map(|problems| document.document().locate(problems).0).collect();
    Ok(Problems(game.warnings().0.iter().cloned().chain(refused).collect()))
}
