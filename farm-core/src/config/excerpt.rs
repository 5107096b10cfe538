//! The line that a problem is about, with the relevant part marked.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A line from a text, and the part of the line that a problem is about. The text is shared, not copied.
#[derive(Clone, PartialEq, Eq)]
pub struct Excerpt {
    text: Arc<str>,
    /// The line's range, in bytes of the text.
    line: Range<usize>,
    /// The marked range, in bytes of the line.
    marked: Range<usize>,
}

impl Excerpt {
    /// Marks the part of a text from `(line, column)` to `end` (exclusive). Lines and columns count from 1, columns in characters. If `end`
    /// is on a later line, the mark runs to the end of the first line. Without an `end`, the mark covers `value` if `value` is at this
    /// position, and one character otherwise.
    ///
    /// Returns `None` if the text has no such line.
    pub fn new(
        text: &Arc<str>,
        (line, column): (usize, usize),
        end: Option<(usize, usize)>,
        value: &str,
    ) -> Option<Self> {
        // As in YAML, a single carriage return also ends a line.
        let mut lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
        let content = lines.nth(line.checked_sub(1)?)?;
        let begin = content.as_ptr() as usize - text.as_ptr() as usize;
        let byte_of = |column: usize| {
            content.char_indices().nth(column.saturating_sub(1)).map_or(content.len(), |(byte, _)| byte)
        };
        let start = byte_of(column);
        let rest = &content[start..];
        let length = match end {
            Some((last, column)) if last == line => rest[..byte_of(column).max(start) - start].trim_end().len(),
            Some(_) => rest.trim_end().len(),
            None if !value.is_empty() && rest.starts_with(value) => value.len(),
            None => 0,
        };
        let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
        Some(Self { text: text.clone(), line: begin..begin + content.len(), marked: start..start + length })
    }

    /// The line, without its line break.
    pub fn line(&self) -> &str {
        &self.text[self.line.clone()]
    }

    /// The marked range, in bytes of the line; empty at the end of a line.
    pub fn marked(&self) -> Range<usize> {
        self.marked.clone()
    }

    /// The marked text.
    pub fn marked_text(&self) -> &str {
        &self.line()[self.marked()]
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Excerpt").field("line", &self.line()).field("marked", &self.marked).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, place: (usize, usize), end: Option<(usize, usize)>, value: &str) -> Option<(String, String)> {
        let excerpt = Excerpt::new(&text.into(), place, end, value)?;
        Some((excerpt.line().to_owned(), excerpt.marked_text().to_owned()))
    }

    #[test]
    fn a_piece_is_marked_from_its_begin_to_its_end() {
        let text = "a: 1\r\nä: {b: ±2 , c: [3,\n  4]}\rlast: 5";
        let of = |line: &str, piece: &str| Some((line.to_owned(), piece.to_owned()));
        let second = "ä: {b: ±2 , c: [3,";
        assert_eq!(marked(text, (1, 4), Some((1, 5)), ""), of("a: 1", "1"));
        assert_eq!(marked(text, (2, 8), Some((2, 11)), ""), of(second, "±2"));
        assert_eq!(marked(text, (2, 16), Some((3, 5)), ""), of(second, "[3,"));
        assert_eq!(marked(text, (2, 8), None, "±2"), of(second, "±2"));
        assert_eq!(marked(text, (2, 8), None, "2"), of(second, "±"));
        assert_eq!(marked(text, (4, 1), None, ""), of("last: 5", "l"));
        // A position after the end of a line is valid, but there is nothing to mark.
        assert_eq!(marked(text, (1, 5), None, ""), of("a: 1", ""));
        assert_eq!(marked(text, (9, 1), None, ""), None);
        assert_eq!(marked(text, (0, 1), None, ""), None);
    }
}
