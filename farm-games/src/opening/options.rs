//! Changes to a game before it is compiled: presets, a level, a context, and single values.

use farm_core::config::{
    ChangeError, Consent, Document, Location, Origin, Path, Phrase, Problem, Problems, Tool, parse_value,
};

use crate::contexts;
use crate::level::{self, LevelFile};

/// Changes to a game before it is compiled.
#[derive(Debug, Clone)]
pub struct Options {
    /// The author of `set`, `preset`, `context` and `level`: the user, unless a file or another source provides them.
    pub written_by: Origin,
    /// A preset of the game, or several in the order in which they apply, written `one+other`.
    pub preset: Option<String>,
    /// A [context](crate::contexts) of the game: `train/3`, or a name such as `warmer_1/rich/low`.
    pub context: Option<String>,
    /// A level to start from, instead of a map drawn from the seed.
    pub level: Option<LevelFile>,
    /// Changes to values, each with its path and its new value as YAML: (`fields.Field-0.shape.length#nb`, `4`).
    pub set: Vec<(String, String)>,
    /// Whether to load the game's plugins, which runs their code; see [`farm_core::plugin`].
    pub allow_plugins: bool,
    /// Whether the game may name files (parts, weather) outside its own folder; see [`Trust`](farm_core::config::Trust).
    pub allow_outside_files: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            written_by: Origin::User,
            preset: None,
            context: None,
            level: None,
            set: Vec::new(),
            allow_plugins: false,
            allow_outside_files: false,
        }
    }
}

impl Options {
    /// The permissions that the user gives.
    pub fn consent(&self) -> Consent {
        Consent { outside_files: self.allow_outside_files, plugins: self.allow_plugins }
    }
}

/// Applies a preset, then a level, then a context, then single changes to a game. Also records the author of these changes and the user's permissions.
///
/// # Errors
/// An unknown preset or context, a level of another game, a change that is not valid YAML, or a path that does not exist. All errors have locations.
pub fn change(document: &mut Document, options: &Options) -> Result<(), Problems> {
    let mut problems = Problems::default();
    document.trust_mut().agree(options.consent());
    if let Some(preset) = &options.preset {
        document.apply_preset(preset, &mut problems);
    }
    if let Some(level) = options.level.as_ref().filter(|_| !problems.has_errors()) {
        level::apply(document, level)?;
    }
    if let Some(context) = options.context.as_ref().filter(|_| !problems.has_errors()) {
        contexts::apply(document, context)?;
    }
    for (path, value) in &options.set {
        let option = Location::of_option(Tool::Change { path: shortened(path), value: shortened(value) });
        if path.len() > LONGEST_PATH {
            let mut problem =
                Problem::new(ChangeError::NoSuchEntry, Path::default(), "the path is longer than any path in a game");
            problem.location = Some(option);
            problems.push(problem.value(shortened(path)).expected(format!("at most {LONGEST_PATH} characters")));
            continue;
        }
        match parse_value(value) {
            Ok(value) => {
                document.trust_mut().add(options.written_by, &value);
                if let Err(problem) = document.set(path, value, option) {
                    problems.push(*problem);
                }
            }
            Err(error) => {
                let mut problem =
                    Problem::new(ChangeError::ValueNotYaml, Path::default(), format!("the value is not YAML: {error}"))
                        .value(value);
                problem.location = Some(option);
                problems
                    .push(problem.help(Phrase::from("quote texts with special characters: ").with(Tool::SetQuoted)));
            }
        }
    }
    if problems.has_errors() { Err(document.locate(problems)) } else { Ok(()) }
}

/// The maximum length of a path in a change, in bytes.
const LONGEST_PATH: usize = 500;

/// A value for messages; long values are shortened.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 80;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
