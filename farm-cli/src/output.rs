//! Printing: tables, short numbers, JSON and errors. Nothing here panics when the reader has gone away.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use farm_core::config::{Path, Problem, Problems};
use serde_json::Value as Json;

use farm_core::format::{escape_controls, escape_line};
pub use farm_core::format::{first_sentence, number};

/// Standard output, locked and buffered, with control characters written out; to be flushed by the caller, who thereby learns of
/// failures.
pub fn stdout() -> Escaped<BufWriter<StdoutLock<'static>>> {
    Escaped(BufWriter::new(io::stdout().lock()))
}

/// Writes texts so that a terminal shows what it would otherwise obey. It is given whole characters at a time, as texts are.
pub struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for chunk in bytes.utf8_chunks() {
            self.0.write_all(escape_controls(chunk.valid()).as_bytes())?;
            if !chunk.invalid().is_empty() {
                write!(self.0, "{}", char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes JSON with indentation and a final newline.
///
/// # Errors
/// When the writer fails.
pub fn write_json(out: &mut impl Write, json: &Json) -> io::Result<()> {
    writeln!(out, "{json:#}")
}

/// Says on standard error what went wrong. A failure to say so is ignored: there is nobody left to tell.
pub fn complain(error: &anyhow::Error) {
    let text = match error.downcast_ref::<Problems>() {
        Some(problems) => problems.to_string(),
        // Only writing to standard output fails without a word about the place.
        None if error.chain().count() == 1 && error.is::<io::Error>() => {
            format!("error: standard output can't be written: {error}")
        }
        None => format!("error: {error:#}"),
    };
    note(text);
}

/// Prints a line on standard error, where there is one.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", escape_controls(&text.to_string()));
}

/// Shows warnings on standard error, so that they do not get into the results.
pub fn warn(warnings: &Problems) {
    if !warnings.0.is_empty() {
        note(format!("{warnings}\n"));
    }
}

/// Whether the error is a reader that stopped reading.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(is_pipe)
}

/// The error of a name that is not among those known, with the nearest of them.
pub fn unknown_name(message: String, found: &str, names: &[&str], help: &str) -> Problems {
    let problem = Problem::new(Path::default(), message).value(found).among(found, names.iter().copied());
    Problems(vec![problem.help(help)])
}

/// A text cut to a number of characters, with an ellipsis where something was cut.
pub fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Rows in columns as wide as their widest entry. The last column is as long as it likes.
#[derive(Debug, Default)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    right_aligned: Vec<usize>,
}

impl Table {
    /// A table with these headings; without any, only its rows are printed.
    pub fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(|h| escape_line(h).into_owned()).collect(), ..Self::default() }
    }

    /// Aligns columns of numbers at their right.
    pub fn right_aligned(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.right_aligned = columns.into_iter().collect();
        self
    }

    /// Adds a row. Each cell takes one line, as wide as it will be shown.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| escape_line(&cell).into_owned()).collect());
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table, each line after `indent`.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(&self, out: &mut impl Write, indent: &str) -> io::Result<()> {
        let header = (!self.header.is_empty()).then_some(&self.header);
        let lines: Vec<&Vec<String>> = header.into_iter().chain(&self.rows).collect();
        let columns = lines.iter().map(|line| line.len()).max().unwrap_or(0);
        let width_of = |line: &&Vec<String>, column: usize| line.get(column).map_or(0, |cell| cell.chars().count());
        let widths: Vec<usize> =
            (0..columns).map(|column| lines.iter().map(|line| width_of(line, column)).max().unwrap_or(0)).collect();
        for line in lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if self.right_aligned.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            let text = cells.collect::<Vec<_>>().join("  ");
            writeln!(out, "{indent}{}", text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_has_an_ellipsis() {
        assert_eq!(shorten("grüße", 5), "grüße");
        assert_eq!(shorten("grüße!", 5), "grüß…");
    }

    #[test]
    fn a_terminal_obeys_nothing_that_is_printed() {
        let mut out = Escaped(Vec::new());
        let name = "a\u{1b}[31m\u{202e}é";
        writeln!(out, "game {name}\t1").unwrap();
        out.write_all(b"\x9b31m\n").unwrap();
        let mut table = Table::new(&["name", "n"]);
        table.row(vec![format!("{name}\n"), "1".into()]);
        table.write(&mut out, "").unwrap();
        let expected =
            "game a\\u001b[31m\\u202eé\t1\n\u{fffd}31m\nname                  n\na\\u001b[31m\\u202eé\\n  1\n";
        assert_eq!(String::from_utf8(out.0).unwrap(), expected);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let mut table = Table::new(&["name", "n"]).right_aligned([1]);
        table.row(vec!["é".into(), "10".into()]);
        let mut out = Vec::new();
        table.write(&mut out, " ").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), " name   n\n é     10\n");
    }
}
