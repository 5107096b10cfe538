//! Prints tables, short numbers, JSON and errors. Nothing here panics if the reader has closed the pipe.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use farm_core::config::{NameError, Path, Phrase, Problem, Problems};
use serde_json::Value as Json;

use crate::diagnostics::Look;
use crate::wrapping::{terminal_columns, wrapped};

use farm_core::inspect::{escape_controls, escape_line};
pub(crate) use farm_core::inspect::{first_sentence, format_number};

/// Standard output, locked and buffered, with visible control characters. To get write errors, the caller must flush it.
pub(crate) fn stdout() -> Escaped<BufWriter<StdoutLock<'static>>> {
    Escaped(BufWriter::new(io::stdout().lock()))
}

/// Writes text with visible control characters, so that a terminal does not interpret them. Each write must contain complete characters.
pub(crate) struct Escaped<W>(W);

impl<W: Write> Escaped<W> {
    /// Writes a line unchanged. The line must be formatted for this output, with the colours of its [`Look`].
    ///
    /// # Errors
    /// Fails if the writer fails.
    pub(crate) fn styled_line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.0, "{text}")
    }
}

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

/// Writes a result as an indented JSON object with a final newline. Its `schema` key names its format, such as `farm/run/1`.
/// `schemas/outputs/` describes the formats; a changed format gets a new number.
///
/// # Errors
/// Fails if the writer fails.
pub(crate) fn write_json(out: &mut impl Write, form: &str, mut json: Json) -> io::Result<()> {
    if let Json::Object(entries) = &mut json {
        entries.insert("schema".to_owned(), format!("farm/{form}/1").into());
    }
    writeln!(out, "{json:#}")
}

/// The error message for standard error.
pub(crate) fn told(error: &anyhow::Error, look: &Look) -> String {
    if let Some(problems) = error.downcast_ref::<Problems>() {
        return look.problems(problems);
    }
    // A remote player runs this program and has already formatted its error.
    #[cfg(feature = "experiments")]
    if let Some(farm_core::RemoteError::Told(text)) = crate::remote::error(error) {
        return escape_controls(text).into_owned();
    }
    // Only errors of standard output come without a context.
    if error.chain().count() == 1 && error.is::<io::Error>() {
        return look.error(&format!("standard output can't be written: {error}"));
    }
    look.error(&format!("{error:#}"))
}

/// Prints an error to standard error. If printing fails, there is no output left to report the failure.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "{}", told(error, &Look::of_stderr()));
}

/// Prints a line to standard error, if standard error is available.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", escape_controls(&text.to_string()));
}

/// Prints warnings to standard error, so that they do not mix with the results.
pub(crate) fn warn(warnings: &Problems) {
    if !warnings.0.is_empty() {
        let _ = writeln!(io::stderr(), "{}\n", Look::of_stderr().problems(warnings));
    }
}

/// Whether the reader closed the pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(is_pipe)
}

/// The error for an unknown name, with the nearest known name.
pub(crate) fn unknown_name(message: String, found: &str, names: &[&str], help: impl Into<Phrase>) -> Problems {
    let problem =
        Problem::new(NameError::UnknownName, Path::default(), message).value(found).among(found, names.iter().copied());
    Problems(vec![problem.help(help)])
}

/// A large number with three digits and a prefix: `1.16 M`.
pub(crate) fn with_prefix(value: f64) -> String {
    let (scaled, prefix) = match value {
        v if v >= 1e9 => (v / 1e9, " G"),
        v if v >= 1e6 => (v / 1e6, " M"),
        v if v >= 1e3 => (v / 1e3, " k"),
        v => (v, ""),
    };
    let decimals = match scaled {
        s if s < 10.0 => 2,
        s if s < 100.0 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$}{prefix}")
}

/// A number with its noun, in singular or plural: `1 step`, `2 steps`.
pub(crate) fn plural(n: u64, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {}", farm_core::inspect::plural(thing)) }
}

/// The text, shortened to at most this many characters. If it is cut, it ends with an ellipsis.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// The minimum width of a table column on a narrow terminal.
const NARROWEST: usize = 10;

/// Rows in columns that are as wide as their widest cell. On a narrower terminal, cells in wide columns are wrapped.
#[derive(Debug, Default)]
pub(crate) struct TextTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    right_aligned: Vec<usize>,
}

impl TextTable {
    /// Creates a table with these headings. Without headings, only the rows are printed.
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(|h| escape_line(h).into_owned()).collect(), ..Self::default() }
    }

    /// Right-aligns columns that contain numbers.
    pub(crate) fn right_aligned(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.right_aligned = columns.into_iter().collect();
        self
    }

    /// Adds a row. Each cell becomes a single line, and its displayed width counts.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| escape_line(&cell).into_owned()).collect());
    }

    /// Whether the table has no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table, with `indent` before each line.
    ///
    /// # Errors
    /// Fails if the writer fails.
    pub(crate) fn write(&self, out: &mut impl Write, indent: &str) -> io::Result<()> {
        self.write_within(out, indent, terminal_columns())
    }

    /// Writes the table with a maximum line width.
    fn write_within(&self, out: &mut impl Write, indent: &str, most: Option<usize>) -> io::Result<()> {
        let header = (!self.header.is_empty()).then_some(&self.header);
        let lines: Vec<&Vec<String>> = header.into_iter().chain(&self.rows).collect();
        let columns = lines.iter().map(|line| line.len()).max().unwrap_or(0);
        let width_of = |line: &&Vec<String>, column: usize| line.get(column).map_or(0, |cell| cell.chars().count());
        let widths: Vec<usize> =
            (0..columns).map(|column| lines.iter().map(|line| width_of(line, column)).max().unwrap_or(0)).collect();
        let widths = match most {
            Some(most) => narrowed(widths, most.saturating_sub(indent.chars().count())),
            None => widths,
        };
        for line in lines {
            let cells: Vec<Vec<String>> = line.iter().zip(&widths).map(|(cell, width)| wrapped(cell, *width)).collect();
            for part in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let cells = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                    let cell = cell.get(part).map_or("", String::as_str);
                    if self.right_aligned.contains(&column) {
                        format!("{cell:>width$}")
                    } else {
                        format!("{cell:<width$}")
                    }
                });
                let text = cells.collect::<Vec<_>>().join("  ");
                writeln!(out, "{indent}{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}

/// Reduces column widths to a maximum sum, including two spaces between columns. The widest columns shrink. The last column, which has the
/// longest texts, gets the remaining width.
fn narrowed(mut widths: Vec<usize>, most: usize) -> Vec<usize> {
    let room = most.saturating_sub(2 * widths.len().saturating_sub(1));
    if widths.iter().sum::<usize>() <= room {
        return widths;
    }
    let taken = |cap: usize| widths.iter().map(|width| (*width).min(cap)).sum::<usize>();
    let cap = (NARROWEST..=room).rev().find(|cap| taken(*cap) <= room).unwrap_or(NARROWEST);
    let left = room.saturating_sub(taken(cap));
    let last = widths.len().saturating_sub(1);
    for (column, width) in widths.iter_mut().enumerate() {
        *width = (*width).min(if column == last { cap + left } else { cap });
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_a_prefix_and_things_a_plural() {
        assert_eq!(with_prefix(1_162_466.0), "1.16 M");
        assert_eq!(with_prefix(23_400.0), "23.4 k");
        assert_eq!(with_prefix(812.4), "812");
        assert_eq!((plural(1, "step"), plural(2, "step")), ("1 step".to_owned(), "2 steps".to_owned()));
    }

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
        let mut table = TextTable::new(&["name", "n"]);
        table.row(vec![format!("{name}\n"), "1".into()]);
        table.write(&mut out, "").unwrap();
        let expected =
            "game a\\u001b[31m\\u202eé\t1\n\u{fffd}31m\nname                  n\na\\u001b[31m\\u202eé\\n  1\n";
        assert_eq!(String::from_utf8(out.0).unwrap(), expected);
    }

    #[test]
    fn a_narrow_terminal_gets_every_word_in_lines_that_fit() {
        let mut table = TextTable::new(&["name", "kind", "meaning"]);
        let kind = "one of monday, tuesday, wednesday, thursday, friday";
        table.row(vec!["  day".into(), kind.into(), "The day on which the market is open, and no other.".into()]);
        table.row(vec!["x".repeat(30), String::new(), "Long.".into()]);
        for most in [60, 40, 200] {
            let mut out = Vec::new();
            table.write_within(&mut out, "  ", Some(most)).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert!(out.lines().all(|line| line.chars().count() <= most), "{most}:\n{out}");
            for word in kind.split(' ').chain(["market", "open,", "other.", "Long."]) {
                assert!(out.contains(word), "{most}: {word} is missing in\n{out}");
            }
            assert_eq!(out.matches('x').count(), 30, "{out}");
            assert_eq!(out.lines().count() == 3, most == 200, "{out}");
        }
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let mut table = TextTable::new(&["name", "n"]).right_aligned([1]);
        table.row(vec!["é".into(), "10".into()]);
        let mut out = Vec::new();
        table.write(&mut out, " ").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), " name   n\n é     10\n");
    }
}
