//! Remarks on names and values that were changed, for warnings and for `farm check --explain`.

use farm_core::config::{Document, Location, Path, Problem, TextPath, Tool};

use crate::ReferenceError;

/// How a name in this project relates to a name in the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Another spelling of the same name.
    Same,
    /// A similar meaning, with a short description.
    Near(&'static str),
}

/// How a name or a value is treated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is read as another name or value.
    Mapped,
    /// It is missing from the file; the default is used.
    Defaulted,
    /// It is ignored. This is a warning.
    LeftOut,
    /// Another value is used instead, and the user should check it. This is a warning.
    Replaced,
}

/// A name or a value that was changed.
#[derive(Debug, Clone)]
pub struct Remark {
    /// How it is treated.
    pub fate: Fate,
    /// Its location.
    pub origin: TextPath,
    /// The name or value as written.
    pub from: String,
    /// The name or value as read.
    pub to: String,
    /// The reason in a few words.
    pub why: String,
    /// The valid names, if the name is unknown.
    pub names: Vec<String>,
}

/// A remark with its location in the file.
#[derive(Debug, Clone)]
pub struct Note {
    /// How it is treated.
    pub fate: Fate,
    /// The name or value as written.
    pub from: String,
    /// The name or value as read; empty if it is ignored.
    pub to: String,
    /// The reason in a few words.
    pub why: String,
    /// The first location.
    pub location: Option<Location>,
    /// The number of further locations.
    pub more: usize,
}

/// The remarks of a translation, in the order in which they were made.
#[derive(Debug, Clone, Default)]
pub struct Remarks(pub Vec<Remark>);

impl Remarks {
    /// Adds a remark that a name is read as another name.
    pub fn mapped(&mut self, origin: &TextPath, from: &str, to: &str, why: &str) {
        self.add(Fate::Mapped, origin, from, to, why);
    }

    /// Adds a remark about a default for a missing value.
    pub fn defaulted(&mut self, origin: &TextPath, what: &str, to: &str, why: &str) {
        self.add(Fate::Defaulted, origin, what, to, why);
    }

    /// Adds a remark about a name that is ignored.
    pub fn left_out(&mut self, origin: &TextPath, what: &str, why: impl Into<String>) {
        self.add(Fate::LeftOut, origin, what, "", &why.into());
    }

    /// Adds a remark about an unknown name, with the known names.
    pub fn unknown(&mut self, origin: &TextPath, what: &str, why: impl Into<String>, names: Vec<String>) {
        self.add(Fate::LeftOut, origin, what, "", &why.into());
        if let Some(last) = self.0.last_mut() {
            last.names = names;
        }
    }

    /// Adds a remark about a value that replaces an invalid or missing one.
    pub fn replaced(&mut self, origin: &TextPath, from: &str, to: &str, why: impl Into<String>) {
        self.add(Fate::Replaced, origin, from, to, &why.into());
    }

    fn add(&mut self, fate: Fate, origin: &TextPath, from: &str, to: &str, why: &str) {
        let (from, to, why) = (from.to_owned(), to.to_owned(), why.to_owned());
        self.0.push(Remark { fate, origin: origin.clone(), from, to, why, names: Vec::new() });
    }

    /// Each remark once, with the number of further locations.
    fn grouped(&self) -> Vec<(&Remark, usize)> {
        let mut groups: Vec<(&Remark, usize)> = Vec::new();
        for remark in &self.0 {
            let same =
                |r: &Remark| (&r.fate, &r.from, &r.to, &r.why) == (&remark.fate, &remark.from, &remark.to, &remark.why);
            match groups.iter_mut().find(|(first, _)| same(first)) {
                Some((_, more)) => *more += 1,
                None => groups.push((remark, 0)),
            }
        }
        groups
    }

    /// The warnings, each at its first location.
    pub fn warnings(&self) -> Vec<(TextPath, Problem)> {
        let warns = |(remark, _): &(&Remark, usize)| matches!(remark.fate, Fate::LeftOut | Fate::Replaced);
        let problem = |(remark, more): (&Remark, usize)| {
            let more = match more {
                0 => String::new(),
                1 => " (and one more place)".to_owned(),
                more => format!(" (and {more} more places)"),
            };
            let message = match remark.fate {
                Fate::Replaced => format!("{}: `{}` is used instead{more}", remark.why, remark.to),
                _ => format!("{}, so it is left out{more}", remark.why),
            };
            let mut problem = Problem::new(ReferenceError::LeftOut, Path::default(), message)
                .value(&remark.from)
                .about_name()
                .warning();
            if !remark.names.is_empty() {
                problem = problem.among(&remark.from, remark.names.iter().map(String::as_str));
            }
            (remark.origin.clone(), problem.help(Tool::Notes.and(" shows how each name of the file is read")))
        };
        self.grouped().into_iter().filter(warns).map(problem).collect()
    }

    /// All remarks with their locations.
    pub fn notes(&self, document: &Document) -> Vec<Note> {
        let groups = self.grouped();
        let places = document.locations(groups.iter().map(|(remark, _)| &remark.origin));
        let note = |((remark, more), location): (&(&Remark, usize), Option<Location>)| Note {
            fate: remark.fate.clone(),
            from: remark.from.clone(),
            to: remark.to.clone(),
            why: remark.why.clone(),
            location,
            more: *more,
        };
        groups.iter().zip(places).map(note).collect()
    }
}
