//! Configuration: YAML with places, parameter tables, problems, the registry, the game specification, and the
//! JSON Schemas of all this.

mod access;
mod document;
mod missing;
mod parameters;
mod problem;
mod registry;
mod schema;
mod spec;

pub(crate) use access::OWN_FOLDER;
pub use access::{
    ALLOW_OUTSIDE_VARIABLE, FileAccess, FoundFile, ReadError, are_outside_files_allowed_by_environment, nearest_file,
    read_limited, read_regular,
};
pub use document::{
    BETWEEN_PRESETS, Document, MAX_ALIASED_VALUES, MAX_DEPTH, MAX_FILE_BYTES, Origin, Text, parse_value, read_text,
};
pub use missing::problems_without_plugin;
pub use parameters::{ParameterDoc, ParameterKind, ParameterValue, Parameters, check_table, sentence, show};
pub use problem::{Location, MAX_PROBLEMS, Path, Problem, Problems, Segment, Severity, nearest};
pub(crate) use registry::add;
pub use registry::{Elsewhere, Kind, ParameterSet, PartKind, RoleEntry, elsewhere, kind, kinds, roles};
pub use schema::{SchemaFile, file_or, part_file_schema, schemas, table_schema};
pub use spec::{
    FieldSpec, GameSpec, InteractionMode, Localization, MAX_ENTITIES, MAX_ENTITIES_PER_FIELD, MAX_FARMERS, MAX_FIELDS,
    MAX_POLICIES, MAX_PRESETS, Preset, Shape, check_tagged, game_table, load, load_document, recover,
};
