//! The kind `python` for parts that are Python classes. Only the Python package can run them.
//!
//! With this declaration, other programs can report this, and editors can complete the keys.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind};
use farm_core::inventory;
use farm_core::registry::{ExternalKind, Kind, KindSource};
use farm_core::serde_yaml::Value;

/// The name of the kinds in YAML.
pub const KIND: &str = "python";

/// The parameter that names the class; a plain string after the kind sets it.
pub const CLASS: &str = "class";

/// The source of the kinds.
pub const SOURCE: &str = "Written by the user";

/// The only declared parameter; all others go to the constructor.
pub fn table() -> Vec<ParameterDoc> {
    let doc = "The import path of the class, `module:Class`; all other parameters go to its constructor.";
    vec![ParameterDoc::new(CLASS, doc, ParameterKind::Text, None, Value::from(""))]
}

/// Descriptions of the kinds, by part.
pub mod docs {
    /// For entities.
    pub const ENTITY: &str = "An entity that is a Python class: a subclass of `farm_gym.Entity`.";
    /// For farmers.
    pub const FARMER: &str = "A farmer that is a Python class: a subclass of `farm_gym.Farmer`.";
    /// For rules.
    pub const RULE: &str = "A rule that is a Python class: a subclass of `farm_gym.Rule`.";
    /// For scores.
    pub const SCORE: &str = "A score that is a Python class: a subclass of `farm_gym.Score`.";
    /// For policies.
    pub const POLICY: &str = "A policy that is a Python class: a subclass of `farm_gym.Policy`.";
}

const PLACE: &str = "a part in Python runs only in the Python package";
const HELP: &str = "if you trust the game, open it in Python: `farm_gym.make(\"game.yaml\", allow_plugins=True)`; for this program, write the part in Rust";

const fn elsewhere(part: PartKind, doc: &'static str) -> ExternalKind {
    let (from, module) = (KindSource::External { table }, module_path!());
    let kind = Kind::new(part, KIND, SOURCE, module, from).with_doc(doc).with_open(Some(CLASS));
    ExternalKind::new(kind, PLACE, HELP)
}

inventory::submit! { elsewhere(PartKind::Entity, docs::ENTITY) }
inventory::submit! { elsewhere(PartKind::Farmer, docs::FARMER) }
inventory::submit! { elsewhere(PartKind::Rule, docs::RULE) }
inventory::submit! { elsewhere(PartKind::Score, docs::SCORE) }
inventory::submit! { elsewhere(PartKind::Policy, docs::POLICY) }
