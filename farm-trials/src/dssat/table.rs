//! The tables in DSSAT files: sections that begin with `*`, column names after `@`, and rows in columns of fixed width.
//!
//! A value ends where its column's name ends, but many files are a character off, or leave cells blank. A row with one word for each
//! column is therefore read word by word. In all other rows, each word belongs to the column whose end is nearest, and the last column, a
//! name, takes the rest of the line.

use std::path::Path;

use super::ReadError;

/// The value that means not measured, and how files write it.
const MISSING: [f64; 4] = [-99.0, -99.9, -999.0, -9.0];

/// The largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// A file, split into sections.
pub(super) struct Sections {
    pub(super) file: String,
    pub(super) sections: Vec<Section>,
}

/// A section: its title without the `*`, and its tables.
pub(super) struct Section {
    pub(super) title: String,
    pub(super) line: usize,
    pub(super) tables: Vec<Table>,
    /// Lines before the first table.
    pub(super) texts: Vec<String>,
}

/// A line of column names and the rows below it.
pub(super) struct Table {
    file: String,
    line: usize,
    columns: Vec<Column>,
    rows: Vec<(usize, Vec<Option<String>>)>,
}

struct Column {
    name: String,
    end: usize,
    /// Whether the values are texts that may contain blanks.
    is_text: bool,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(super) struct Row<'t> {
    table: &'t Table,
    index: usize,
}

impl Sections {
    pub(super) fn read(path: &Path) -> Result<Self, ReadError> {
        let file = path.display().to_string();
        // Old files are in the encodings of their time; only names have letters beyond ASCII.
        let bytes = farm_core::config::read_regular(path, MAX_BYTES)
            .map_err(|error| ReadError::Unreadable { file: file.clone(), reason: error.to_string() })?;
        Ok(Self::parse(file, &String::from_utf8_lossy(&bytes)))
    }

    pub(super) fn parse(file: String, text: &str) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_end())) {
            // A DOS file ends with a control character.
            let line = line.trim_matches('\u{1a}');
            if line.trim().is_empty() || line.starts_with('!') {
                continue;
            }
            if let Some(title) = line.strip_prefix('*') {
                let title = title.trim().to_owned();
                sections.push(Section { title, line: number, tables: Vec::new(), texts: Vec::new() });
                continue;
            }
            let Some(section) = sections.last_mut() else {
                // Some files of measurements have no title.
                if line.starts_with('@') {
                    sections.push(Section {
                        title: String::new(),
                        line: number,
                        tables: Vec::new(),
                        texts: Vec::new(),
                    });
                    sections.last_mut().into_iter().for_each(|s| s.tables.push(Table::new(&file, number, line)));
                }
                continue;
            };
            match (line.strip_prefix('@').is_some(), section.tables.last_mut()) {
                (true, _) => section.tables.push(Table::new(&file, number, line)),
                (false, Some(table)) => table.push(number, line),
                (false, None) => section.texts.push(line.to_owned()),
            }
        }
        Self { file, sections }
    }

    /// The section whose title begins with these words.
    pub(super) fn get(&self, title: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.title.to_ascii_uppercase().starts_with(title))
    }
}

impl Section {
    /// The rows of all tables that have this column.
    pub(super) fn rows<'s>(&'s self, column: &'s str) -> impl Iterator<Item = Row<'s>> {
        let tables = self.tables.iter().filter(move |table| table.position(column).is_some());
        tables.flat_map(|table| (0..table.rows.len()).map(move |index| Row { table, index }))
    }
}

impl Table {
    fn new(file: &str, line: usize, names: &str) -> Self {
        let (mut columns, mut start) = (Vec::new(), None);
        // The `@` is a blank; it may stand before a name without a gap.
        let blank = |c: char| c.is_whitespace() || c == '@';
        for (at, c) in names.char_indices().chain([(names.len(), ' ')]) {
            match (start, blank(c)) {
                (None, false) => start = Some(at),
                (Some(from), true) => {
                    let name = &names[from..at];
                    let is_text = name.contains("...") || name.ends_with("NAME");
                    let name = name.trim_matches('.').to_ascii_uppercase();
                    columns.push(Column { name, end: at, is_text });
                    start = None;
                }
                _ => {}
            }
        }
        Self { file: file.to_owned(), line, columns, rows: Vec::new() }
    }

    fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|known| known.name == column)
    }

    fn push(&mut self, number: usize, line: &str) {
        let line = line.split('!').next().unwrap_or_default();
        let mut words = words(line);
        if self.position("ODATE").is_some() {
            join_changes(line, &mut words);
        }
        if words.is_empty() {
            return;
        }
        let texts = self.columns.iter().filter(|column| column.is_text).count();
        let values = if words.len() == self.columns.len() && texts == 0 {
            words.iter().map(|(from, to)| Some(line[*from..*to].to_owned())).collect()
        } else {
            self.placed(line, &words)
        };
        self.rows.push((number, values));
    }

    /// The words of a row at their columns.
    fn placed(&self, line: &str, words: &[(usize, usize)]) -> Vec<Option<String>> {
        let mut values: Vec<Option<String>> = vec![None; self.columns.len()];
        for (from, to) in words {
            let word = &line[*from..*to];
            let inside = self.columns.iter().position(|column| column.is_text && *from < column.end);
            let nearest = || {
                let distance = |column: &Column| column.end.abs_diff(*to);
                (0..self.columns.len()).min_by_key(|i| distance(&self.columns[*i]))
            };
            let last = self.columns.len().checked_sub(1).filter(|last| self.columns[*last].is_text);
            let before = |column: usize| column.checked_sub(1).map_or(0, |before| self.columns[before].end);
            let column = match (inside.filter(|column| *from >= before(*column)), last) {
                (Some(column), _) => Some(column),
                (None, Some(last)) if *from >= before(last) => Some(last),
                _ => nearest(),
            };
            if let Some(value) = column.and_then(|column| values.get_mut(column)) {
                match value {
                    Some(text) => *text = format!("{text} {word}"),
                    None => *value = Some(word.to_owned()),
                }
            }
        }
        values
    }
}

/// Joins the letter of a change of the weather with its number: `M .79` is one value.
fn join_changes(line: &str, words: &mut Vec<(usize, usize)>) {
    let mut at = 0;
    while at + 1 < words.len() {
        let (from, to) = words[at];
        if matches!(&line[from..to], "A" | "S" | "M" | "R") {
            words[at] = (from, words.remove(at + 1).1);
        }
        at += 1;
    }
}

/// The start and the end of each word.
fn words(line: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (start, c.is_whitespace()) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                words.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    words
}

impl<'t> Row<'t> {
    /// The file.
    pub(super) fn file(self) -> &'t str {
        &self.table.file
    }

    /// The line in the file.
    pub(super) fn line(self) -> usize {
        self.table.rows[self.index].0
    }

    /// The value as written, if the column exists and the cell is not blank.
    pub(super) fn text(self, column: &str) -> Option<&'t str> {
        let at = self.table.position(column)?;
        self.table.rows[self.index].1.get(at)?.as_deref()
    }

    /// The names of the columns.
    pub(super) fn columns(self) -> impl Iterator<Item = &'t str> {
        self.table.columns.iter().map(|column| column.name.as_str())
    }

    /// A number; `None` if it is not measured. Some files write a dot for that.
    pub(super) fn number(self, column: &str) -> Result<Option<f64>, ReadError> {
        let Some(text) = self.text(column).filter(|text| *text != ".") else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(value) if MISSING.contains(&value) => Ok(None),
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(self.wrong(column, text, "a number")),
        }
    }

    /// A whole number that the row must have.
    pub(super) fn level(self, column: &'static str) -> Result<u32, ReadError> {
        let missing = || ReadError::NoColumn { file: self.table.file.clone(), line: self.table.line, column };
        let text = self.text(column).ok_or_else(missing)?;
        text.parse().map_err(|_| self.wrong(column, text, "a whole number"))
    }

    pub(super) fn wrong(self, column: &str, value: &str, expected: &'static str) -> ReadError {
        let file = self.table.file.clone();
        ReadError::WrongValue { file, line: self.line(), column: column.to_owned(), value: value.to_owned(), expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Sections {
        Sections::parse("trial".to_owned(), text)
    }

    #[test]
    fn a_row_with_a_word_for_each_column_may_be_out_of_line() {
        let file = only("*EXP. DATA (A)\n@TRNO   HWAM  HWUM  CWAM  BWAH\n     3 6850. 0.227 14581 7729.\n");
        let row = file.sections[0].rows("TRNO").next().unwrap();
        assert_eq!((row.level("TRNO").unwrap(), row.number("CWAM").unwrap()), (3, Some(14581.0)));
        assert_eq!(row.number("BWAH").unwrap(), Some(7729.0));
    }

    #[test]
    fn texts_keep_their_blanks_and_blank_cells_stay_blank() {
        let text = "*TREATMENTS\n@N R O C TNAME.................... CU FL SA IC\n 1 1 0 0 RAINFED LOW NITROGEN       1  2     4\n";
        let file = only(text);
        let row = file.sections[0].rows("CU").next().unwrap();
        assert_eq!(row.text("TNAME"), Some("RAINFED LOW NITROGEN"));
        assert_eq!((row.level("CU").unwrap(), row.level("FL").unwrap()), (1, 2));
        assert_eq!((row.text("SA"), row.text("IC")), (None, Some("4")));
    }

    #[test]
    fn a_last_name_takes_the_rest_of_the_line() {
        let file = only("*CULTIVARS\n@C CR INGENO CNAME\n 1 MZ IB0035 McCurdy 84aa\n");
        let row = file.sections[0].rows("CR").next().unwrap();
        assert_eq!((row.text("INGENO"), row.text("CNAME")), (Some("IB0035"), Some("McCurdy 84aa")));
    }

    #[test]
    fn a_word_in_a_column_of_numbers_names_its_place() {
        let file = only("*SOIL\n@  SLB  SLLL\n    15  dry\n");
        let row = file.sections[0].rows("SLB").next().unwrap();
        let error = row.number("SLLL").unwrap_err().to_string();
        assert_eq!(error, "trial:3: `dry` in the column `SLLL` is not a number");
    }
}
