//! The game specification, which is the contents of the YAML file with every part as a typed object.
//!
//! ```
//! use farm_core::spec::FieldSpec;
//!
//! let field: FieldSpec = farm_core::serde_yaml::from_str("{entities: [], shape: {length#nb: 3, width#nb: 2}}").unwrap();
//! assert_eq!((field.shape().length(), field.shape().width()), (3, 2));
//! ```

pub(crate) mod check;
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

/// The location of a field.
#[derive(Debug, Clone, farm_core::Parameters, farm_macros::Getters)]
pub struct Localization {
    /// Latitude, north positive.
    #[parameter(name = "latitude#°", default = 43.6, range = -90.0..=90.0)]
    pub(crate) latitude_degrees: f64,
    /// Longitude, east positive.
    #[parameter(name = "longitude#°", default = 3.9, range = -180.0..=180.0)]
    pub(crate) longitude_degrees: f64,
    /// Height above sea level.
    #[parameter(name = "altitude#m", range = -430.0..=9000.0)]
    pub(crate) altitude_m: f64,
}

/// The shape of a field.
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

/// One of a game's fields.
#[derive(Debug, Serialize, Deserialize, farm_macros::Getters)]
#[serde(deny_unknown_fields)]
pub struct FieldSpec {
    /// The field's location.
    #[serde(default)]
    pub(crate) localization: Localization,
    /// The field's shape.
    #[serde(default)]
    pub(crate) shape: Shape,
    /// Parameters for all entities in the field that have them. They are written into each entity when the game is loaded.
    #[serde(default, skip_serializing)]
    pub(crate) entity_defaults: IndexMap<String, Value>,
    /// Parts in other fields, by path, that provide roles for the parts in this field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) uses: Vec<String>,
    /// The field's components, in the order in which they act within a phase.
    #[serde(deserialize_with = "registry::parts")]
    pub(crate) entities: Vec<Box<dyn Entity>>,
}

/// A game as written in YAML, with all parameter sets written out.
#[derive(Debug, Serialize, Deserialize, farm_macros::Getters)]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// The game's name.
    pub(crate) name: String,
    /// What the game is about, in one sentence.
    #[serde(default)]
    pub(crate) doc: String,
    /// Libraries that the game needs, as paths relative to the game's folder. They are loaded only with the user's permission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) plugins: Vec<String>,
    /// The goal, which players see even if the rules are hidden. It is a template that can use the game's values.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) goal: String,
    /// The rules as text, which players see if the rules are shown. This is a template like `goal`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) rules_text: String,
    /// The fields by name, in order.
    pub(crate) fields: IndexMap<String, FieldSpec>,
    /// The farmers, who execute actions.
    #[serde(deserialize_with = "registry::parts")]
    pub(crate) farmers: Vec<Box<dyn Farmer>>,
    /// The rules for the start, the allowed actions, the free observations and the end.
    #[serde(deserialize_with = "registry::part")]
    pub(crate) rules: Box<dyn Rule>,
    /// Costs and rewards.
    #[serde(deserialize_with = "registry::part")]
    pub(crate) score: Box<dyn Score>,
    /// The order of observations and interventions, and whether observations are priced.
    #[serde(default)]
    #[getter(copy)]
    pub(crate) interaction_mode: InteractionMode,
    /// The game's policies, by name.
    #[serde(default, deserialize_with = "registry::named_parts")]
    pub(crate) policies: IndexMap<String, Box<dyn Policy>>,
    /// The policies with tunable numbers, as written in the game file.
    #[serde(skip)]
    #[getter(skip)]
    pub(crate) tunable_policies: IndexMap<String, Value>,
    /// The game's variants, by name.
    #[serde(default)]
    pub(crate) presets: IndexMap<String, Preset>,
    /// Variables to record. Their names are checked when the game is compiled (see [`Monitor`](crate::Monitor)).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) monitoring: Vec<Value>,
    /// The folder that relative paths start from.
    #[serde(skip)]
    pub(crate) directory: Option<PathBuf>,
    /// How far the game's author is trusted.
    #[serde(skip)]
    pub(crate) trust: Trust,
    /// The number of values in the game's text; 0 if the game was not read from text.
    #[serde(skip)]
    #[getter(skip)]
    pub(crate) values: usize,
    /// Warnings for the reader, with their locations once they are known.
    #[serde(skip)]
    pub(crate) warnings: Problems,
}

impl FieldSpec {
    /// Mutable access to the field's components.
    pub fn entities_mut(&mut self) -> &mut Vec<Box<dyn Entity>> {
        &mut self.entities
    }
}

impl GameSpec {
    /// Mutable access to the fields.
    pub fn fields_mut(&mut self) -> impl Iterator<Item = &mut FieldSpec> {
        self.fields.values_mut()
    }

    /// One of the game's policies as written in the game file, if the policy has tunable numbers ([`Tunable`]); `None` for any other
    /// policy.
    pub fn policy_as_written(&self, name: &str) -> Option<&Value> {
        self.tunable_policies.get(name)
    }

    /// Sets the folder that relative paths start from.
    pub fn set_directory(&mut self, directory: Option<PathBuf>) {
        self.directory = directory;
    }

    /// The game's YAML, with every parameter written out.
    ///
    /// # Errors
    /// A part cannot be serialised. This never happens with this project's own parts.
    pub fn to_yaml(&self) -> Result<String, serde_yaml::Error> {
        serde_yaml::to_string(self)
    }
}

/// Parses and checks a game, and converts it to typed objects. Messages refer to the text as `source`.
///
/// # Errors
/// All problems in the text, with their locations.
pub fn load(source: &str, text: &str) -> Result<GameSpec, Problems> {
    load_document(&Document::parse(source, text)?)
}

/// Reports classes from another language in an untrusted game, because reading such a part may run the class's code. All values are
/// searched, because a policy may contain other policies.
fn strangers_code(document: &Document) -> Problems {
    let open: Vec<(&str, &str)> =
        registry::kinds().iter().filter_map(|kind| kind.open.map(|class| (kind.name, class))).collect();
    let mut problems = Problems::default();
    if !open.is_empty() {
        find_code(document, &open, &document.value, &Path::default(), &mut problems);
    }
    problems
}

/// Searches a value within a document. `open` lists the kinds that load classes, each with the parameter that names the class.
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
                    let message = "a game that a client sends or a run changes cannot run Python classes";
                    let problem = Problem::new(DeclarationError::PartProblem, path, message).value(class);
                    let help = "use a built-in part; if you trust the game, save it as a file and open that";
                    problems.push(problem.about_name().help(help));
                }
            }
        }
        _ => {}
    }
}

/// A game's policies with tunable numbers, as written in the game file.
fn tunable_policies(game: &Value) -> IndexMap<String, Value> {
    let policies = game.get("policies").and_then(Value::as_mapping).into_iter().flatten();
    let tunable = policies.filter(|(_, policy)| tunable::is_tunable(policy));
    tunable.filter_map(|(name, policy)| Some((name.as_str()?.to_owned(), policy.clone()))).collect()
}

/// Checks a parsed game and converts it to the typed specification, including the warnings from the document and the checks.
///
/// # Errors
/// All problems in the document, with their locations.
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
            // The tables accepted everything, so the error comes from a part that reads its own parameters.
            Err(error) => {
                problems.push(Problem::new(DeclarationError::PartProblem, Path::default(), error.to_string()))
            }
        }
    }
    Err(name_lines(document.locate(problems)))
}
