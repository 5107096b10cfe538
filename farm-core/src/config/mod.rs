//! Configuration: YAML with places, parameter tables, problems, the registry and the game specification.

mod document;
mod parameters;
mod problem;
mod registry;
mod spec;

pub use document::Document;
pub use parameters::{ParameterDoc, ParameterKind, ParameterValue, Parameters, check_table, sentence, show};
pub use problem::{Location, Path, Problem, Problems, Segment, Severity, nearest};
pub use registry::{Kind, ParameterSet, PartKind, RoleEntry, kind, kinds, roles};
pub use spec::{FieldSpec, GameSpec, InteractionMode, Localization, Preset, Shape, check_tagged, load, load_document};
