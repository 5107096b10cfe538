//! What every text of a user goes through: YAML with places, from files within limits; tables of parameters; problems.

mod access;
mod document;
mod parameters;
mod part_kind;
mod problem;

pub(crate) use access::OWN_FOLDER;
pub use access::{
    ALLOW_OUTSIDE_VARIABLE, FileAccess, FoundFile, ReadError, are_outside_files_allowed_by_environment, nearest_file,
    read_limited, read_regular,
};
pub use document::{
    BETWEEN_PRESETS, Document, MAX_ALIASED_VALUES, MAX_DEPTH, MAX_FILE_BYTES, Origin, Text, parse_value, read_text,
};
pub(crate) use document::{PLAIN_TEXTS, WITH_ENTRIES};
pub use parameters::{ParameterDoc, ParameterKind, ParameterValue, Parameters, check_table, show};
pub use part_kind::PartKind;
pub use problem::{Location, MAX_PROBLEMS, Path, Problem, Problems, Segment, Severity, nearest};
