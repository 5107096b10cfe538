//! What the formats with a row for each day share: columns by name, whatever separates them.

use super::error::{Expected, Field, Report};

/// A column that a format knows.
pub(super) struct Known {
    pub name: &'static str,
    pub range: (f64, f64),
    pub unit: &'static str,
    /// Into the unit of the project.
    pub factor: f64,
}

/// The line of headers.
pub(super) struct Header {
    pub line: u64,
    names: Vec<String>,
}

/// One row of a file.
pub(super) struct Row<'a> {
    pub line: u64,
    header: &'a Header,
    fields: Vec<&'a str>,
}

/// The fields of a line: between commas if there are any, otherwise between blanks.
pub(super) fn split(text: &str) -> Vec<&str> {
    if text.contains(',') { text.split(',').map(str::trim).collect() } else { text.split_whitespace().collect() }
}

impl Header {
    pub(super) fn new(line: u64, fields: &[&str]) -> Self {
        Self { line, names: fields.iter().map(|name| name.to_ascii_uppercase()).collect() }
    }

    /// Number of columns.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Reports a column that cannot be done without, by the headers that mean it.
    pub(super) fn need(&self, report: &mut Report<'_>, accepted: &[&'static str]) {
        if !accepted.iter().any(|name| self.has(name)) {
            let found: Vec<&str> = self.names.iter().map(String::as_str).collect();
            report.missing_column(self.line, accepted, &found, &found);
        }
    }

    /// A row below these headers; nothing, and an error, if it has more or fewer fields.
    pub(super) fn row<'a>(&'a self, report: &mut Report<'_>, line: u64, text: &'a str) -> Option<Row<'a>> {
        let fields = split(text);
        if fields.len() != self.names.len() {
            report.field_count(line, fields.len(), self.names.len());
            return None;
        }
        Some(Row { line, header: self, fields })
    }
}

impl Row<'_> {
    /// The text in a column; empty if there is no such column.
    pub(super) fn text(&self, name: &str) -> &str {
        self.header.names.iter().position(|known| known == name).map_or("", |i| self.fields[i])
    }

    /// The number in a column; none if there is no such column or the value is missing.
    pub(super) fn number(&self, report: &mut Report<'_>, known: &Known, codes: &[f64]) -> Option<f64> {
        let field = Field { line: self.line, column: known.name, text: self.text(known.name) };
        report.number(&field, &Expected { range: known.range, unit: known.unit, factor: known.factor, codes })
    }

    /// Notes that the date of the row is none.
    pub(super) fn bad_date(&self, report: &mut Report<'_>, column: &str, text: &str, expected: &'static str) {
        report.bad_date(&Field { line: self.line, column, text }, expected);
    }
}
