//! Wraps lines that are longer than the panel.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The indentation of continuation lines in a panel.
const INDENT: usize = 4;

/// Breaks a text into lines of at most this many characters, at spaces if possible.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    pieces(&letters, room.max(1), 0).into_iter().map(|piece| letters[piece].iter().collect()).collect()
}

/// Breaks a styled line, at spaces if possible, and indents continuation lines.
pub(super) fn folded(line: Line<'static>, room: usize) -> Vec<Line<'static>> {
    if line.width() <= room || room <= 2 * INDENT {
        return vec![line];
    }
    let (letters, styles): (Vec<char>, Vec<Style>) =
        line.spans.iter().flat_map(|span| span.content.chars().map(|c| (c, span.style))).unzip();
    let of = |(i, piece): (usize, Range<usize>)| {
        let indent = Span::raw(" ".repeat(if i == 0 { 0 } else { INDENT }));
        let spans = piece.map(|at| Span::styled(letters[at].to_string(), styles[at]));
        Line::from(std::iter::once(indent).chain(spans).collect::<Vec<_>>())
    };
    pieces(&letters, room, INDENT).into_iter().enumerate().map(of).collect()
}

/// The range of each line, without trailing spaces. Lines after the first have room for `indent` fewer characters.
fn pieces(letters: &[char], room: usize, indent: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < letters.len() || pieces.is_empty() {
        let most = room - if pieces.is_empty() { 0 } else { indent };
        let rest = &letters[start..];
        let end = if rest.len() <= most {
            rest.len()
        } else {
            // A leading space is not a place to break.
            let words = rest.iter().take_while(|c| **c == ' ').count();
            rest[..=most].iter().rposition(|c| *c == ' ').filter(|at| *at > words.max(indent)).unwrap_or(most)
        };
        let shown = rest[..end].iter().rposition(|c| *c != ' ').map_or(0, |last| last + 1);
        pieces.push(start..start + shown);
        start += end;
        start += letters[start..].iter().take_while(|c| **c == ' ').count();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_panel_is_folded_and_loses_nothing() {
        let line = Line::from(vec![Span::raw(" Weather: heavy rain"), Span::raw("  day 120  13.9 °C  0 mm")]);
        let lines: Vec<String> = folded(line.clone(), 30).iter().map(ToString::to_string).collect();
        assert_eq!(lines, [" Weather: heavy rain  day 120", "    13.9 °C  0 mm"]);
        assert_eq!(folded(line.clone(), 80), [line]);
        let long = folded(Line::from("x".repeat(30)), 12);
        assert_eq!(long.iter().map(|line| line.to_string().matches('x').count()).sum::<usize>(), 30);
        assert!(long.iter().all(|line| line.width() <= 12), "{long:?}");
    }

    #[test]
    fn a_line_breaks_at_spaces_and_a_long_word_anywhere() {
        assert_eq!(wrap("the beans died", 9), ["the beans", "died"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
    }
}
