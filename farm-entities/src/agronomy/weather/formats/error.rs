//! The errors of weather files, and the report that collects them.

use farm_core::config::{Path, Phrase, Problem, Tool, nearest};

use super::provenance::{Provenance, Series};
use super::quantities::{NAMES, QUANTITIES, RAIN};
use super::units::Unit;
use crate::agronomy::AgronomyError;

/// Maximum number of reported errors in one table.
const MAX_ERRORS: usize = 20;
/// Number of errors at which reading stops: a file with more errors is not a weather table, or all its rows have the same error.
const MAX_FOUND: usize = 1000;
/// Maximum number of characters from a file that a message shows.
const MAX_SHOWN: usize = 40;
/// Replaces a value that a message may not show.
const HIDDEN: &str = "…";

/// A bound of a range, rounded for messages.
fn short(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The part of a message about other rows with the same error.
fn also(rows: usize, last: u64) -> String {
    match rows {
        0 => String::new(),
        1 => format!("; the same in line {last}"),
        rows => format!("; the same in {rows} more rows, the last one in line {last}"),
    }
}

/// An error in a table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read.
    #[error("{file}: the weather table can't be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The operating system's message.
        reason: String,
    },
    /// The file does not exist.
    #[error("{file}: there is no such weather table")]
    NoFile {
        /// The file.
        file: String,
        /// A file in the same folder with a similar name.
        nearest: Option<String>,
    },
    /// The file is not a text table.
    #[error("{file}: the file is {what}; expected a text file with a row for each day or hour")]
    Stranger {
        /// The file.
        file: String,
        /// The type of file.
        what: &'static str,
        /// How to convert it.
        remedy: &'static str,
    },
    /// The file has no row of data.
    #[error("{file}: the weather table has no rows; expected a header line and a line for each day")]
    Empty {
        /// The file.
        file: String,
    },
    /// A required column is missing.
    #[error("{file}:{line}: no column contains the {column}; expected a header such as {accepted}")]
    MissingColumn {
        /// The file.
        file: String,
        /// The line with the headers.
        line: u64,
        /// The quantity.
        column: &'static str,
        /// Headers that are accepted for it.
        accepted: String,
        /// The headers in the file.
        found: Vec<String>,
        /// The most similar header in the file.
        nearest: Option<String>,
    },
    /// The parameter `columns` names a header that the file does not have.
    #[error("{file}:{line}: `columns` names the header `{header}`, which the file does not have")]
    NoHeaderOfColumns {
        /// The file.
        file: String,
        /// The line with the headers.
        line: u64,
        /// The header.
        header: String,
        /// The headers in the file.
        found: Vec<String>,
        /// The most similar header in the file.
        nearest: Option<String>,
    },
    /// Two columns have the same quantity.
    #[error("{file}:{line}: columns `{first}` and `{second}` both contain the {quantity}; expected only one of them")]
    DuplicateColumn {
        /// The file.
        file: String,
        /// The line with the headers.
        line: u64,
        /// Header of the first column.
        first: String,
        /// Header of the second column.
        second: String,
        /// The quantity of both.
        quantity: &'static str,
    },
    /// A header names a unit that is not supported for its quantity.
    #[error("{file}:{line}: column `{column}` has the unit `{unit}`; expected {expected}")]
    WrongUnit {
        /// The file.
        file: String,
        /// The line with the headers.
        line: u64,
        /// The header.
        column: String,
        /// The unit found.
        unit: String,
        /// The supported units.
        expected: String,
    },
    /// A row has more or fewer fields than the headers.
    #[error("{file}:{line}: the row has {found} fields; expected {expected}, as in the header line{}", also(*rows, *last))]
    FieldCount {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// Number of fields in the row.
        found: usize,
        /// Number of headers.
        expected: usize,
        /// Number of other rows with the same error.
        rows: usize,
        /// The line of the last of these rows.
        last: u64,
    },
    /// A value is not a finite number within its range.
    #[error("{file}:{line}: column `{column}`: `{value}` is {what}; expected a number from {} to {} {unit}{}", short(*low), short(*high), also(*rows, *last))]
    BadValue {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header.
        column: String,
        /// The field as written in the file.
        value: String,
        /// The error in the value.
        what: &'static str,
        /// Lowest value, in the column's unit.
        low: f64,
        /// Highest value, in the column's unit.
        high: f64,
        /// The column's unit.
        unit: String,
        /// Number of other rows with the same error.
        rows: usize,
        /// The line of the last of these rows.
        last: u64,
    },
    /// The temperatures on a day contradict each other.
    #[error("{file}:{line}: column `{column}`: {value} °C is {what}; expected {expected}{}", also(*rows, *last))]
    Contradiction {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header.
        column: String,
        /// The value.
        value: f64,
        /// The value that it contradicts.
        what: String,
        /// A consistent value.
        expected: String,
        /// Number of other rows with the same error.
        rows: usize,
        /// The line of the last of these rows.
        last: u64,
    },
    /// A required value is missing.
    #[error("{file}:{line}: column `{column}`: the value is missing; {remedy}{}", also(*rows, *last))]
    Missing {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header.
        column: String,
        /// The fix.
        remedy: &'static str,
        /// Number of other rows with the same error.
        rows: usize,
        /// The line of the last of these rows.
        last: u64,
    },
    /// The file has a rain column, but the column has no value on any day.
    #[error("{file}: the rain column has no values, not even 0; expected rain in mm for each day")]
    NoRain {
        /// The file.
        file: String,
    },
    /// A date is not valid.
    #[error("{file}:{line}: column `{column}`: `{value}` is not a valid date; expected {expected}{}", also(*rows, *last))]
    BadDate {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header.
        column: String,
        /// The text of the date.
        value: String,
        /// The expected form of a date.
        expected: &'static str,
        /// Number of other rows with the same error.
        rows: usize,
        /// The line of the last of these rows.
        last: u64,
    },
    /// A row does not follow the one before it.
    #[error(
        "{file}:{line}: column `{column}`: {found} follows {before}; expected {expected}, because rows must be consecutive"
    )]
    Gap {
        /// The file.
        file: String,
        /// The line.
        line: u64,
        /// The header of the date.
        column: String,
        /// The date or hour found.
        found: String,
        /// The date or hour in the previous row.
        before: String,
        /// The date or hour that should follow.
        expected: String,
    },
    /// The part of the file that defines its columns is missing.
    #[error("{file}: missing {what}; expected {expected}")]
    NoHeader {
        /// The file.
        file: String,
        /// The missing part.
        what: &'static str,
        /// The expected form of this part.
        expected: &'static str,
        /// The first line of the file.
        found: String,
    },
    /// A column seems to hold dates, but is not read as dates.
    #[error(
        "{file}:{line}: column `{column}` seems to contain dates, such as `{value}`, but is not read as dates; expected a column `Date`, or `Year` with `Month` and `Day`, or `Year` with `DOY`"
    )]
    UnusedDate {
        /// The file.
        file: String,
        /// The line with the headers.
        line: u64,
        /// The header.
        column: String,
        /// The first value in the column.
        value: String,
    },
    /// The file has more errors than the report shows.
    #[error("{file}: {count}{} more errors; the first {MAX_ERRORS} are shown", if *is_cut { " or" } else { "" })]
    More {
        /// The file.
        file: String,
        /// Number of errors that are not shown.
        count: usize,
        /// Whether the rest of the file was not read.
        is_cut: bool,
    },
}

/// The errors found so far in one file.
pub(super) struct Report<'a> {
    pub file: &'a str,
    pub errors: Vec<TableError>,
    /// Whether the order of the dates needs no check: it is already checked, or rows are missing because of an error.
    pub dates_settled: bool,
    /// The provenance of the file.
    pub provenance: Provenance,
}

/// A field as it was read.
pub(super) struct Field<'a> {
    pub line: u64,
    pub column: &'a str,
    pub text: &'a str,
}

/// The numbers that a column may hold.
pub(super) struct Expected<'a> {
    /// Lowest and highest value, in the project's unit.
    pub range: (f64, f64),
    /// Unit in the file.
    pub unit: Unit,
    /// The share of a day that a row covers.
    pub days: f64,
    /// Numbers in the file's unit that mean "not known".
    pub codes: &'a [f64],
}

impl<'a> Report<'a> {
    pub(super) fn new(file: &'a str) -> Self {
        Self { file, errors: Vec::new(), dates_settled: false, provenance: Provenance::default() }
    }

    /// Whether the number of errors has reached the limit at which reading stops.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MAX_FOUND
    }

    /// Reports that the part of the file that defines its columns is missing.
    pub(super) fn no_header(&mut self, what: &'static str, expected: &'static str, text: &str) {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        self.errors.push(TableError::NoHeader { file: self.file(), what, expected, found: shortened(first) });
    }

    /// Reports a required quantity that no column has; `unused` are the headers without a known meaning.
    pub(super) fn missing_column(&mut self, line: u64, quantity: usize, found: &[&str], unused: &[&str]) {
        let names = || NAMES.iter().filter(|name| name.quantity == quantity).map(|name| name.plain);
        let key = QUANTITIES[quantity].key;
        let nearest = std::iter::once(key).chain(names()).find_map(|name| nearest(name, unused)).map(str::to_owned);
        let shown = std::iter::once(key).chain(names().filter(|name| !name.eq_ignore_ascii_case(key)).take(2));
        self.errors.push(TableError::MissingColumn {
            file: self.file(),
            line,
            column: QUANTITIES[quantity].name,
            accepted: shown.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            found: found.iter().take(MAX_ERRORS).map(|name| shortened(name)).collect(),
            nearest,
        });
    }

    /// Reports a header of `columns` that the file does not have.
    pub(super) fn no_such_header(&mut self, line: u64, header: &str, found: &[&str]) {
        self.errors.push(TableError::NoHeaderOfColumns {
            file: self.file(),
            line,
            header: header.to_owned(),
            found: found.iter().take(MAX_ERRORS).map(|name| shortened(name)).collect(),
            nearest: nearest(header, found).map(str::to_owned),
        });
    }

    pub(super) fn file(&self) -> String {
        self.file.to_owned()
    }

    /// A field as a number. `None` if it is missing; NaN, which marks a reported error, if it is wrong.
    pub(super) fn number(&mut self, field: &Field<'_>, expected: &Expected<'_>) -> Option<f64> {
        if field.text.is_empty() {
            return None;
        }
        let parsed = field.text.parse::<f64>();
        if parsed.as_ref().is_ok_and(|number| expected.codes.iter().any(|code| (number - code).abs() < 1e-6)) {
            return None;
        }
        let checked = match parsed {
            Err(_) => Err("not a number"),
            Ok(number) if !number.is_finite() => Err("not a finite number"),
            Ok(number) => Ok(expected.unit.convert(number, expected.days))
                .and_then(|n| if n < expected.range.0 || n > expected.range.1 { Err("out of range") } else { Ok(n) }),
        };
        match checked {
            Ok(number) => Some(number),
            Err(what) => {
                self.bad_value(field, what, expected);
                Some(f64::NAN)
            }
        }
    }

    pub(super) fn bad_value(&mut self, field: &Field<'_>, what: &'static str, expected: &Expected<'_>) {
        self.errors.push(TableError::BadValue {
            file: self.file(),
            line: field.line,
            column: field.column.to_owned(),
            value: shortened(field.text),
            what,
            low: expected.unit.back(expected.range.0, expected.days),
            high: expected.unit.back(expected.range.1, expected.days),
            unit: expected.unit.name.to_owned(),
            rows: 0,
            last: 0,
        });
    }

    pub(super) fn bad_date(&mut self, field: &Field<'_>, expected: &'static str) {
        self.dates_settled = true;
        self.errors.push(TableError::BadDate {
            file: self.file(),
            line: field.line,
            column: field.column.to_owned(),
            value: shortened(field.text),
            expected,
            rows: 0,
            last: 0,
        });
    }

    pub(super) fn field_count(&mut self, line: u64, found: usize, expected: usize) {
        self.dates_settled = true;
        self.errors.push(TableError::FieldCount { file: self.file(), line, found, expected, rows: 0, last: 0 });
    }

    /// Returns the days, or the errors in the order of their lines. There is one error for each cause, and their number is limited.
    pub(super) fn finish(mut self, series: Option<Series>) -> Result<Series, Vec<TableError>> {
        let series = series.filter(|series| !series.days.is_empty());
        if series.is_none() && self.errors.is_empty() {
            self.errors.push(TableError::Empty { file: self.file() });
        }
        if let (true, Some(series)) = (self.errors.is_empty(), series) {
            return Ok(series);
        }
        let is_cut = self.is_full();
        self.errors.sort_by_key(|error| error.line().unwrap_or(u64::MAX));
        let mut causes: Vec<TableError> = Vec::new();
        for error in self.errors {
            let line = error.line().unwrap_or_default();
            match causes.iter_mut().find(|cause| cause.is_cause_of(&error)).and_then(TableError::others) {
                Some((rows, last)) => (*rows, *last) = (*rows + 1, line),
                None => causes.push(error),
            }
        }
        let count = causes.len().saturating_sub(MAX_ERRORS);
        if count > 0 {
            causes.truncate(MAX_ERRORS);
            causes.push(TableError::More { file: self.file.to_owned(), count, is_cut });
        }
        Err(causes)
    }
}

/// The beginning of a string, for a message.
pub(super) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

impl TableError {
    /// The text or value found in the file.
    pub fn found(&self) -> Option<String> {
        match self {
            Self::MissingColumn { found, .. } | Self::NoHeaderOfColumns { found, .. } => Some(found.join(", ")),
            Self::NoHeader { found, .. } | Self::Gap { found, .. } => Some(found.clone()),
            Self::BadValue { value, .. } | Self::BadDate { value, .. } | Self::UnusedDate { value, .. } => {
                Some(value.clone())
            }
            Self::WrongUnit { unit, .. } => Some(unit.clone()),
            Self::FieldCount { found, .. } => Some(format!("{found} fields")),
            Self::Contradiction { value, .. } => Some(format!("{value} °C")),
            Self::Unreadable { .. }
            | Self::NoFile { .. }
            | Self::Empty { .. }
            | Self::NoRain { .. }
            | Self::Stranger { .. }
            | Self::DuplicateColumn { .. }
            | Self::Missing { .. }
            | Self::More { .. } => None,
        }
        .filter(|found| !found.is_empty() && found != HIDDEN)
    }

    /// The most similar header or file.
    pub fn nearest(&self) -> Option<&str> {
        match self {
            Self::MissingColumn { nearest, .. }
            | Self::NoHeaderOfColumns { nearest, .. }
            | Self::NoFile { nearest, .. } => nearest.as_deref(),
            _ => None,
        }
    }

    /// How to fix the error.
    pub fn help(&self) -> Phrase {
        match self {
            Self::NoFile { .. } => "paths are relative to the folder of the game file".into(),
            Self::Unreadable { .. } => "use a text file of daily weather that you are allowed to read".into(),
            Self::NoRain { .. } => "set `rain: {file: FILE}` or `rain: {dataset: montpellier}`".into(),
            Self::Stranger { remedy, .. } => (*remedy).into(),
            Self::MissingColumn { column, .. } if *column == QUANTITIES[RAIN].name => {
                Phrase::from("set `rain: {file: FILE}`, or name the column with `columns: {Rain: HEADER}`; ")
                    .with(Tool::describe("Weather"))
                    .and(" lists the known headers")
            }
            Self::MissingColumn { .. } => Phrase::from("name the column with `columns: {Tmin: HEADER, …}`; ")
                .with(Tool::describe("Weather"))
                .and(" lists the known headers"),
            Self::NoHeader { .. } => Phrase::from("for a CSV table with any file extension, set `format: table`; ")
                .with(Tool::describe("Weather"))
                .and(" lists the formats"),
            _ => Tool::describe("Weather").and(" describes the format of a weather table"),
        }
    }

    /// The error as a problem of the parameter that names the file, at its path.
    pub fn problem(&self, path: &Path) -> Problem {
        let problem = Problem::new(AgronomyError::WrongWeatherTable, path.clone(), self.to_string()).help(self.help());
        let problem = Problem { nearest: self.nearest().map(str::to_owned), ..problem };
        match self.found() {
            Some(found) => problem.value(found),
            None => problem,
        }
    }

    /// The same error without text from the file: only the location and the expected value.
    pub fn without_values(mut self) -> Self {
        match &mut self {
            Self::MissingColumn { found, nearest, .. } | Self::NoHeaderOfColumns { found, nearest, .. } => {
                found.clear();
                *nearest = None;
            }
            Self::NoFile { nearest, .. } => *nearest = None,
            Self::NoHeader { found, .. } => *found = HIDDEN.to_owned(),
            Self::BadValue { value, .. } | Self::BadDate { value, .. } => *value = HIDDEN.to_owned(),
            Self::UnusedDate { column, value, .. } => {
                *column = HIDDEN.to_owned();
                *value = HIDDEN.to_owned();
            }
            Self::WrongUnit { column, unit, .. } => {
                *column = HIDDEN.to_owned();
                *unit = HIDDEN.to_owned();
            }
            _ => {}
        }
        self
    }

    /// The line of the error.
    fn line(&self) -> Option<u64> {
        match self {
            Self::MissingColumn { line, .. }
            | Self::NoHeaderOfColumns { line, .. }
            | Self::UnusedDate { line, .. }
            | Self::DuplicateColumn { line, .. }
            | Self::WrongUnit { line, .. }
            | Self::FieldCount { line, .. }
            | Self::BadValue { line, .. }
            | Self::Contradiction { line, .. }
            | Self::Missing { line, .. }
            | Self::BadDate { line, .. }
            | Self::Gap { line, .. } => Some(*line),
            Self::Unreadable { .. }
            | Self::NoFile { .. }
            | Self::Empty { .. }
            | Self::NoHeader { .. }
            | Self::NoRain { .. }
            | Self::Stranger { .. }
            | Self::More { .. } => None,
        }
    }

    /// Whether another error, in a later row, has the same cause as this one.
    fn is_cause_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::BadValue { column: a, what: x, .. }, Self::BadValue { column: b, what: y, .. }) => a == b && x == y,
            (Self::BadDate { column: a, .. }, Self::BadDate { column: b, .. })
            | (Self::Missing { column: a, .. }, Self::Missing { column: b, .. })
            | (Self::Contradiction { column: a, .. }, Self::Contradiction { column: b, .. }) => a == b,
            (Self::FieldCount { found: a, .. }, Self::FieldCount { found: b, .. }) => a == b,
            _ => false,
        }
    }

    /// The count of other rows with the same cause, and the last of them.
    fn others(&mut self) -> Option<(&mut usize, &mut u64)> {
        match self {
            Self::BadValue { rows, last, .. }
            | Self::BadDate { rows, last, .. }
            | Self::Missing { rows, last, .. }
            | Self::Contradiction { rows, last, .. }
            | Self::FieldCount { rows, last, .. } => Some((rows, last)),
            _ => None,
        }
    }
}
