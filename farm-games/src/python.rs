//! Parts that are Python classes, as they stand in game files: they play in the Python package only, and everybody else can at least
//! tell so, and complete them while one types.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind};
use farm_core::inventory;
use farm_core::registry::{ExternalKind, Kind, KindSource};
use farm_core::serde_yaml::Value;

/// The name of the kinds in YAML.
pub const KIND: &str = "python";

/// The parameter that names the class; a bare text behind the kind means it.
pub const CLASS: &str = "class";

/// Where the kinds come from.
pub const SOURCE: &str = "Written by the user";

/// What the kinds know of their parameters; all others go to the constructor.
pub fn table() -> Vec<ParameterDoc> {
    let doc = "Where the class is, `module:Class`; all other parameters go to its constructor.";
    vec![ParameterDoc::new(CLASS, doc, ParameterKind::Text, None, Value::from(""))]
}

/// Sentences about the kinds, by part.
pub mod docs {
    /// Of entities.
    pub const ENTITY: &str = "An entity that is a Python class: a subclass of `farm_gym.Entity`.";
    /// Of farmers.
    pub const FARMER: &str = "A farmer that is a Python class: a subclass of `farm_gym.Farmer`.";
    /// Of rules.
    pub const RULE: &str = "A rule that is a Python class: a subclass of `farm_gym.Rule`.";
    /// Of scores.
    pub const SCORE: &str = "A score that is a Python class: a subclass of `farm_gym.Score`.";
    /// Of policies.
    pub const POLICY: &str = "A policy that is a Python class: a subclass of `farm_gym.Policy`.";
}

const PLACE: &str = "a part that is a Python class plays in the Python package only";
const HELP: &str = "open the game there, if you trust it: `farm_gym.make(\"game.yaml\", allow_plugins=True)`; for this program, write the part in Rust";

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
