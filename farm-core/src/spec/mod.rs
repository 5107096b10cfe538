//! The game specification: what the YAML says, with every part as a typed object.
//!
//! ```
//! use farm_core::spec::FieldSpec;
//!
//! let field: FieldSpec = farm_core::serde_yaml::from_str("{entities: [], shape: {length#nb: 3, width#nb: 2}}").unwrap();
//! assert_eq!((field.shape().length(), field.shape().width()), (3, 2));
//! ```

mod check;
mod declarations;
mod errors;
mod limits;
mod missing;
mod recover;
mod schema;
mod table;
mod tunable;

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_yaml::Value;

use crate::config::{Document, Origin, Path, Problem, Problems, Trust};
use crate::declare::DeclarationError;
use crate::part::{Entity, Farmer, Policy, Rule, Score};
use crate::registry;

pub use crate::rules::InteractionMode;
pub use check::check_tagged;
use check::{check_game, name_lines};
pub(crate) use declarations::candidates_for;
pub use declarations::{declarations, declarations_with, pictures, providers_of};
pub use errors::GameError;
pub use limits::{MAX_ENTITIES, MAX_ENTITIES_PER_FIELD, MAX_FARMERS, MAX_FIELDS, MAX_POLICIES, MAX_PRESETS};
pub use missing::problems_without_plugin;
use recover::is_part;
pub use recover::recover;
pub use schema::{SchemaFile, file_or, part_file_schema, schemas, table_schema};
use table::REQUIRED;
pub use table::{extension_table, game_table};
pub use tunable::{Tunable, yaml_number};

/// Where a field lies.
#[derive(Debug, Clone, farm_core::Parameters, farm_macros::Getters)]
pub struct Localization {
    /// Latitude, north positive.
    #[parameter(name = "latitude#°", default = 43.6, range = -90.0..=90.0)]
    pub(crate) latitude_degrees: f64,
    /// Longitude, east positive.
    #[parameter(name = "longitude#°", default = 3.9, range = -180.0..=180.0)]
    pub(crate) longitude_degrees: f64,
    /// Height above the sea.
    #[parameter(name = "altitude#m", range = -430.0..=9000.0)]
    pub(crate) altitude_m: f64,
}

/// The form of a field.
#[derive(Debug, Clone, farm_core::Parameters, farm_macros::Getters)]
pub struct Shape {
    /// Number of plots from west to east.
    #[parameter(unit = "nb", default = 1, range = 1..=1000)]
    pub(crate) length: u32,
    /// Number of plots from north to south.
    #[parameter(unit = "nb", default = 1, range = 1..=1000)]
    pub(crate) width: u32,
    /// Edge of a plot.
    #[parameter(name = "scale#m", default = 1.0, range = 0.01..=10_000.0)]
    pub(crate) scale_m: f64,
}

/// Changes to a game by path: `fields.Field-0.shape.length#nb: 4`.
pub type Preset = IndexMap<String, Value>;

/// A field of a game.
#[derive(Debug, Serialize, Deserialize, farm_macros::Getters)]
#[serde(deny_unknown_fields)]
pub struct FieldSpec {
    /// Where it lies.
    #[serde(default)]
    pub(crate) localization: Localization,
    /// Its form.
    #[serde(default)]
    pub(crate) shape: Shape,
    /// Parameters for all its entities that have them; written into each when the game is loaded.
    #[serde(default, skip_serializing)]
    pub(crate) entity_defaults: IndexMap<String, Value>,
    /// Parts of other fields whose roles its own parts find, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) uses: Vec<String>,
    /// Its components, in the order in which they act within a phase.
    #[serde(deserialize_with = "registry::parts")]
    pub(crate) entities: Vec<Box<dyn Entity>>,
}

/// A game as its YAML says it, with all parameter sets written out.
#[derive(Debug, Serialize, Deserialize, farm_macros::Getters)]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// Its name.
    pub(crate) name: String,
    /// What it is about, in a sentence.
    #[serde(default)]
    pub(crate) doc: String,
    /// Libraries that it needs, by path from its own folder; loaded only where the user allows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) plugins: Vec<String>,
    /// What a player is told to aim at, also where the rules are hidden: a template with values of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) goal: String,
    /// The rules as a player is told them where they are shown: a template as `goal` is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) rules_text: String,
    /// The fields by name, in order.
    pub(crate) fields: IndexMap<String, FieldSpec>,
    /// Who executes actions.
    #[serde(deserialize_with = "registry::parts")]
    pub(crate) farmers: Vec<Box<dyn Farmer>>,
    /// Start, allowed actions, free observations, end.
    #[serde(deserialize_with = "registry::part")]
    pub(crate) rules: Box<dyn Rule>,
    /// Costs and rewards.
    #[serde(deserialize_with = "registry::part")]
    pub(crate) score: Box<dyn Score>,
    /// How learner and farm take turns.
    #[serde(default)]
    #[getter(copy)]
    pub(crate) interaction_mode: InteractionMode,
    /// Ways to play this game, by name.
    #[serde(default, deserialize_with = "registry::named_parts")]
    pub(crate) policies: IndexMap<String, Box<dyn Policy>>,
    /// The policies with tunable numbers, as they are written.
    #[serde(skip)]
    #[getter(skip)]
    pub(crate) tunable_policies: IndexMap<String, Value>,
    /// Variants of the game, by name.
    #[serde(default)]
    pub(crate) presets: IndexMap<String, Preset>,
    /// Variables to be recorded; their names are checked when the game is compiled (see [`Monitor`](crate::Monitor)).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) monitoring: Vec<Value>,
    /// The folder that relative paths start from.
    #[serde(skip)]
    pub(crate) directory: Option<PathBuf>,
    /// Who wrote it.
    #[serde(skip)]
    pub(crate) trust: Trust,
    /// How many values its text has; 0 where it was not read from one.
    #[serde(skip)]
    #[getter(skip)]
    pub(crate) values: usize,
    /// What its reader should know, though it can be played: each with its place, once it is located.
    #[serde(skip)]
    pub(crate) warnings: Problems,
}

impl FieldSpec {
    /// Its components, to be changed.
    pub fn entities_mut(&mut self) -> &mut Vec<Box<dyn Entity>> {
        &mut self.entities
    }
}

impl GameSpec {
    /// The fields, to be changed.
    pub fn fields_mut(&mut self) -> impl Iterator<Item = &mut FieldSpec> {
        self.fields.values_mut()
    }

    /// One of the game's policies as it is written, where it holds tunable numbers ([`Tunable`]); none of all others.
    pub fn policy_as_written(&self, name: &str) -> Option<&Value> {
        self.tunable_policies.get(name)
    }

    /// Sets the folder that relative paths start from.
    pub fn set_directory(&mut self, directory: Option<PathBuf>) {
        self.directory = directory;
    }

    /// The YAML of the game, with every parameter written out.
    ///
    /// # Errors
    /// A part whose serialisation fails, which no part of this project does.
    pub fn to_yaml(&self) -> Result<String, serde_yaml::Error> {
        serde_yaml::to_string(self)
    }
}

/// Parses, checks and types a game; `source` names the text in messages.
///
/// # Errors
/// Every problem of the text, located.
pub fn load(source: &str, text: &str) -> Result<GameSpec, Problems> {
    load_document(&Document::parse(source, text)?)
}

/// The classes of another language that a stranger's text names, as problems: to read such a part may run its code. They are looked for
/// everywhere, since a policy may hold others.
fn strangers_code(document: &Document) -> Problems {
    let open: Vec<(&str, &str)> =
        registry::kinds().iter().filter_map(|kind| kind.open.map(|class| (kind.name, class))).collect();
    let mut problems = Problems::default();
    if !open.is_empty() {
        find_code(document, &open, &document.value, &Path::default(), &mut problems);
    }
    problems
}

/// The same for a value within a document; `open` has the kinds that stand for classes, each with the parameter that names the class.
fn find_code(document: &Document, open: &[(&str, &str)], value: &Value, path: &Path, problems: &mut Problems) {
    match value {
        Value::Sequence(items) => {
            items.iter().enumerate().for_each(|(i, item)| find_code(document, open, item, &path.child(i), problems));
        }
        Value::Mapping(entries) => {
            for (key, inner) in entries {
                let Some(key) = key.as_str() else { continue };
                let path = path.child(key);
                find_code(document, open, inner, &path, problems);
                let Some((_, class)) = open.iter().find(|(name, _)| *name == key) else { continue };
                let class = [*class, "base"].iter().find_map(|name| inner.get(*name)).unwrap_or(inner);
                let class = class.as_str().unwrap_or_default();
                if document.trust.origin_of(class) == Origin::Stranger {
                    let message = "a game that a client sends or a run changes runs no Python class";
                    let problem = Problem::new(DeclarationError::PartProblem, path, message).value(class);
                    let help = "use a built-in part; if you trust the game, save it as a file and open that";
                    problems.push(problem.about_name().help(help));
                }
            }
        }
        _ => {}
    }
}

/// The policies of a game that hold tunable numbers, as they are written.
fn tunable_policies(game: &Value) -> IndexMap<String, Value> {
    let policies = game.get("policies").and_then(Value::as_mapping).into_iter().flatten();
    let tunable = policies.filter(|(_, policy)| tunable::is_tunable(policy));
    tunable.filter_map(|(name, policy)| Some((name.as_str()?.to_owned(), policy.clone()))).collect()
}

/// Checks a parsed game and makes the typed specification of it, with the warnings of the document and of the checks.
///
/// # Errors
/// Every problem of the document, located.
pub fn load_document(document: &Document) -> Result<GameSpec, Problems> {
    let mut problems = strangers_code(document);
    let values = limits::check_size(&document.value, document.trust.budget(), &mut problems);
    if problems.has_errors() {
        return Err(document.locate(problems));
    }
    let resolved = check_game(&document.value, &mut problems);
    if !problems.has_errors() {
        match serde_yaml::from_value::<GameSpec>(resolved) {
            Ok(spec) => {
                let mut warnings = document.warnings.clone();
                warnings.0.extend(document.locate(problems).0);
                let (directory, trust) = (document.directory.clone(), document.trust.clone());
                let tunable_policies = tunable_policies(&document.value);
                return Ok(GameSpec { directory, trust, values, warnings, tunable_policies, ..spec });
            }
            // The tables have accepted everything, so this is a part that reads its parameters in a way of its own.
            Err(error) => {
                problems.push(Problem::new(DeclarationError::PartProblem, Path::default(), error.to_string()))
            }
        }
    }
    Err(name_lines(document.locate(problems)))
}
