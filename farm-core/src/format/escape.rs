//! Makes text from other people safe for a terminal. Names and descriptions in a game file may contain characters that move the cursor, set
//! the window title, create links, or reverse the writing direction.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal executes a character instead of showing it. These are C0 and C1 control characters, characters that set the writing
/// direction, and line and paragraph separators.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes control characters in text for a terminal. They become `\u001b` and so on, which JSON reads as the same characters. Line breaks
/// and tabs are kept.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// Like [`escape_controls`], but for text on a single line. Line breaks and tabs are also escaped.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape(text, is_control)
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' if is_escaped(c) => escaped.push_str("\\n"),
            '\t' if is_escaped(c) => escaped.push_str("\\t"),
            c if is_escaped(c) => {
                // Writing to a string never fails.
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        let text = "\u{1b}]0;title\u{7}a\rb\u{8}\u{9b}31m\u{202e}x\u{2066}y\u{7f}";
        let expected = "\\u001b]0;title\\u0007a\\u000db\\u0008\\u009b31m\\u202ex\\u2066y\\u007f";
        assert_eq!(escape_controls(text), expected);
        assert_eq!(escape_controls(expected), expected, "what is escaped stays as it is");
        assert_eq!(escape_controls("a\n\tb"), "a\n\tb");
        assert_eq!(escape_line("a\n\tb"), "a\\n\\tb");
    }

    #[test]
    fn every_other_text_stays() {
        for text in ["", "Grüße, 漢字 ½ → ␣", "a\u{301}", "👩\u{200d}🌾", "שלום"] {
            assert!(matches!(escape_line(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    /// In JSON text, the escapes mean the characters that they replace.
    #[test]
    fn json_keeps_its_meaning() {
        let text = "\u{9b}\u{202e}\u{7f}\u{1b}\n";
        let json = serde_json::Value::from(text).to_string();
        assert_eq!(serde_json::from_str::<String>(&escape_controls(&json)).unwrap(), text);
    }
}
