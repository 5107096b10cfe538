//! The width of the terminal, and text in lines of this width.

use std::io::{self, Write};

use terminal_size::Width;

/// The width of the terminal in characters. `None` if the output goes to a file or to another program, which receives complete lines.
pub(crate) fn terminal_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into())
}

/// Breaks text into lines of at most `most` characters, between words if possible. Each line keeps the text's indentation.
pub(crate) fn wrapped(text: &str, most: usize) -> Vec<String> {
    if text.chars().count() <= most {
        return vec![text.to_owned()];
    }
    let indent: String = text.chars().take_while(|c| *c == ' ').take(most / 2).collect();
    let room = (most - indent.len()).max(1);
    let (mut lines, mut line, mut length) = (Vec::new(), String::new(), 0);
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for (i, piece) in letters.chunks(room).enumerate() {
            let blank = usize::from(i == 0 && length > 0);
            if length > 0 && (i > 0 || length + blank + piece.len() > room) {
                lines.push(std::mem::take(&mut line));
                length = 0;
            } else if blank > 0 {
                line.push(' ');
                length += 1;
            }
            line.extend(piece);
            length += piece.len();
        }
    }
    lines.push(line);
    lines.into_iter().map(|line| format!("{indent}{line}")).collect()
}

/// Wraps lines between words at the width of the terminal.
pub(crate) struct Wrapped<W> {
    out: W,
    columns: Option<usize>,
    line: Vec<u8>,
}

impl<W: Write> Wrapped<W> {
    /// Creates a writer that wraps at the width of the terminal.
    pub(crate) fn new(out: W) -> Self {
        Self { out, columns: terminal_columns(), line: Vec::new() }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        for part in wrapped(&line, self.columns.unwrap_or(usize::MAX)) {
            writeln!(self.out, "{part}")?;
        }
        Ok(())
    }
}

impl<W: Write> Write for Wrapped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            if *byte == b'\n' { self.end_line()? } else { self.line.push(*byte) }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_divided_between_words_and_keep_their_indentation() {
        assert_eq!(wrapped("  one two three", 9), ["  one two", "  three"]);
        let mut out = Vec::new();
        let mut lines = Wrapped { out: &mut out, columns: Some(9), line: Vec::new() };
        write!(lines, "  one two three\nfour").unwrap();
        lines.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "  one two\n  three\nfour\n");
    }
}
