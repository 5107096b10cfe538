//! Reads everything that users write, as YAML with locations and from files with size limits. Also contains parameter tables and problems.
//!
//! ```
//! use farm_core::config::Document;
//!
//! let problems = Document::parse("game.yaml", "name: beans\nfields: [1, 2").unwrap_err();
//! assert!(problems.to_string().contains("game.yaml:2"));
//! ```

mod access;
mod code;
mod document;
mod errors;
mod excerpt;
mod name_errors;
mod parameters;
mod part_kind;
mod phrase;
mod problem;
mod trust;

pub use access::{
    ALLOW_OUTSIDE_VARIABLE, ALLOW_PLUGINS_VARIABLE, FoundFile, LimitedLine, ReadError,
    are_outside_files_allowed_by_environment, nearest_file, read_limited, read_line_limited, read_regular,
};
pub(crate) use code::add_code_areas;
pub use code::{Code, CodeArea, CodeInfo, code, code_areas, is_code};
pub use document::{
    BETWEEN_PRESETS, Document, EXTENDS, MAX_ALIASED_VALUES, MAX_DEPTH, MAX_FILE_BYTES, Source, Text, TextPath,
    parse_value, read_text,
};
pub(crate) use document::{CHANGES, PLAIN_TEXTS, PRESET, WITH_ENTRIES};
pub use errors::{ChangeError, FileError, LimitError, ParameterError, YamlError};
pub use excerpt::Excerpt;
pub use name_errors::NameError;
pub use parameters::{Idle, ParameterDoc, ParameterKind, ParameterValue, Parameters, check_table, to_inline_yaml};
pub use part_kind::PartKind;
pub use phrase::{CommandLine, FrontEnd, Phrase, Tool};
pub use problem::{Location, MAX_PROBLEMS, Path, Problem, Problems, Segment, Severity, nearest};
pub(crate) use trust::OWN_FILE;
pub use trust::{Budget, Consent, Origin, STRANGER_BYTES, Trust};
