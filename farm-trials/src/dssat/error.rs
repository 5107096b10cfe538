//! Why a file cannot be read, and what was assumed.

/// A file, or a line in it, that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("{file}: the file can't be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The operating system's message.
        reason: String,
    },
    /// A section that every experiment has is missing.
    #[error("{file}: the section `*{section}` is missing; an experiment file of DSSAT has it")]
    NoSection {
        /// The file.
        file: String,
        /// The section's name.
        section: &'static str,
    },
    /// A column that is needed is missing.
    #[error("{file}:{line}: the table has no column `{column}`")]
    NoColumn {
        /// The file.
        file: String,
        /// The line with the columns' names.
        line: usize,
        /// The column's name.
        column: &'static str,
    },
    /// A value that is not what its column holds.
    #[error("{file}:{line}: `{value}` in the column `{column}` is not {expected}")]
    WrongValue {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The column's name.
        column: String,
        /// The value as written.
        value: String,
        /// What the column holds.
        expected: &'static str,
    },
    /// A treatment names a level that its section does not have.
    #[error(
        "{file}:{line}: the treatment {treatment} uses level {level} of `*{section}`, which the file does not have"
    )]
    NoLevel {
        /// The file.
        file: String,
        /// The line of the treatment.
        line: usize,
        /// The treatment's number.
        treatment: u32,
        /// The level.
        level: u32,
        /// The section.
        section: &'static str,
    },
    /// Nothing in the folder is a trial.
    #[error("{folder}: no experiment file of DSSAT in this folder; its name has the form `UFGA8201.MZX`")]
    NoTrial {
        /// The folder.
        folder: String,
    },
}

/// Something that was left out or assumed while a file was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: String,
    /// The line; 0 for the whole file.
    pub line: usize,
    /// One sentence.
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}
