//! Makes third-party texts safe to show. A run may come from anyone, so each of its texts is shown as one line without hidden characters.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character has an effect instead of a shape, is invisible, or looks like a space. Such characters are control characters,
/// direction marks, zero-width and private-use characters, and all spaces except the ordinary one.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Whether a character is drawn over the one before it. Such characters are marks in Unicode blocks that contain only marks. Marks in
/// scripts whose words never have three or more marks on one letter also count.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}'
        | '\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}'
        | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}' | '\u{730}'..='\u{74a}' | '\u{e31}' | '\u{e34}'..='\u{e3a}'
        | '\u{e47}'..='\u{e4e}' | '\u{eb1}' | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}'
        | '\u{a66f}'..='\u{a672}' | '\u{a674}'..='\u{a67d}' | '\u{a69e}' | '\u{a69f}' | '\u{a6f0}' | '\u{a6f1}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{101fd}' | '\u{1d165}'..='\u{1d169}')
}

/// The maximum number of marks on one character, for example a vowel and a tone, or two accents. More marks would cover the lines above and
/// below.
const MOST_MARKS: usize = 2;

/// Whether any character in the text has more than [`MOST_MARKS`] marks.
fn is_overgrown(text: &str) -> bool {
    let mut marks = 0;
    text.chars().any(|c| {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        marks > MOST_MARKS
    })
}

/// The text on one line, without hidden characters. Hidden characters, and marks that cover other lines, are written as escapes such as
/// `\u200b`.
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, is_hidden, MOST_MARKS)
}

/// The same JSON value with hidden characters escaped. Line breaks stay.
pub(crate) fn visible_json(json: &str) -> Cow<'_, str> {
    written_out(json, |c| is_hidden(c) && c != '\n', usize::MAX)
}

fn written_out(text: &str, is_hidden: impl Fn(char) -> bool, most_marks: usize) -> Cow<'_, str> {
    if !text.contains(&is_hidden) && (most_marks == usize::MAX || !is_overgrown(text)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        let is_hidden = |c: char| is_hidden(c) || marks > most_marks;
        match c {
            '\n' if is_hidden(c) => out.push_str("\\n"),
            '\t' if is_hidden(c) => out.push_str("\\t"),
            c if is_hidden(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing into a string never fails.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text, shortened to at most `most` characters. A longer text is cut and ends in `…` and a digest of the full text, so different texts
/// stay different.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            Cow::Owned(format!("{}… ({:016x})", &text[..end], xxhash_rust::xxh3::xxh3_64(text.as_bytes())))
        }
        None => Cow::Borrowed(text),
    }
}

/// The maximum length of text that a page shows in full, in characters.
const MOST_SHOWN: usize = 300;

/// The text as Markdown on one line. It can't end a cell, start markup or a link, or turn into another character.
pub(crate) fn markdown(text: &str) -> String {
    let text = visible(text);
    let mut out = String::new();
    let text = shortened(&text, MOST_SHOWN);
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '!' | '$' => out.extend(['\\', c]),
            // Texts that look like a URL or an e-mail address would become links.
            ':' if ends_with_any(&out, &["http", "https", "ftp", "mailto", "xmpp"]) => out.push_str("\\:"),
            '.' if ends_with_any(&out, &["www"]) => out.push_str("\\."),
            // Some renderers link an address even with a backslash in it; an empty comment prevents this.
            '@' if is_domain(&text[at + 1..]) => out.push_str("@<!-- -->"),
            c => out.push(c),
        }
    }
    out
}

/// Whether the text ends in one of these words, ignoring case.
fn ends_with_any(text: &str, words: &[&str]) -> bool {
    let ends = |word: &&str| {
        let from = text.len().checked_sub(word.len());
        from.and_then(|from| text.get(from..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
    };
    words.iter().any(ends)
}

/// Whether the text starts like the domain of an e-mail address: words with a dot between them.
fn is_domain(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c)).next().is_some_and(|word| word.contains('.'))
}

/// The text as Markdown code, in which only backticks must be replaced.
pub(crate) fn code(text: &str) -> String {
    format!("`{}`", shortened(&visible(text), MOST_SHOWN).replace('`', "'"))
}

/// The maximum length of an agent's name, in characters.
const LONGEST_NAME: usize = 200;

/// A name for tables, made from a command, a policy or a model.
pub fn tidy_name(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = visible(&words.join(" ")).into_owned();
    let name = match name.char_indices().nth(LONGEST_NAME) {
        Some(_) => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
        None => name,
    };
    if name.is_empty() { "agent".to_owned() } else { name }
}

/// The problem with an agent's name, if any. The rules exclude different names that look alike.
pub(crate) fn wrong_name(name: &str) -> Option<&'static str> {
    if name.contains(is_hidden) {
        return Some("the name of the agent contains a hidden character");
    }
    if is_overgrown(name) {
        return Some("the name of the agent contains marks that cover the lines around it");
    }
    if name.is_empty() || name.starts_with(' ') || name.ends_with(' ') || name.contains("  ") {
        return Some("the name of the agent is empty, or has leading, trailing or double spaces");
    }
    (name.chars().count() > LONGEST_NAME).then_some("the name of the agent is too long")
}

/// The valid form of an agent's name.
pub(crate) const A_NAME: &str =
    "one line of at most 200 visible characters, with single spaces between them and at most 2 marks on each";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_seen_is_written_out() {
        for (text, expected) in [
            ("GPT\u{202e}6", "GPT\\u202e6"),
            ("GPT-6\u{200b}", "GPT-6\\u200b"),
            ("a\nb\tc\r", "a\\nb\\tc\\u000d"),
            ("a\u{a0}b\u{3000}c\u{2800}", "a\\u00a0b\\u3000c\\u2800"),
            ("\u{1b}[31m\u{9b}", "\\u001b[31m\\u009b"),
            ("x\u{e0041}", "x\\udb40\\udc41"),
            ("\u{feff}\u{fe0f}\u{ad}\u{2066}", "\\ufeff\\ufe0f\\u00ad\\u2066"),
            ("Z\u{335}\u{321}\u{322}a\u{302}\u{301}", "Z\u{335}\u{321}\\u0322a\u{302}\u{301}"),
        ] {
            assert_eq!(visible(text), expected);
            assert_eq!(wrong_name(text).map(|_| ()), Some(()), "{expected}");
            assert_eq!(wrong_name(&tidy_name(text)), None, "{expected}");
            let json = serde_json::Value::from(text).to_string();
            assert_eq!(serde_json::from_str::<String>(&visible_json(&json)).unwrap(), text);
            assert!(!visible_json(&json).contains(is_hidden));
        }
        for text in ["", "Grüße, 漢字 ½ → ♥", "a\u{301}", "שָׁלוֹם", "ที่นี้", "שלום", "gpt-6 (high)"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn markdown_shows_a_text_as_it_is() {
        for (text, expected) in [
            ("a|b", "a\\|b"),
            ("<script>&lt;", "&lt;script&gt;&amp;lt;"),
            ("a\n\n| x |", "a\\\\n\\\\n\\| x \\|"),
            ("[a](https://b.c)", "\\[a\\](https\\://b.c)"),
            ("WWW.b.c", "WWW\\.b.c"),
            ("HTTP://b.c Https://b.c fTp://b.c", "HTTP\\://b.c Https\\://b.c fTp\\://b.c"),
            ("a@b.c Mailto:a@b.c", "a@<!-- -->b.c Mailto\\:a@<!-- -->b.c"),
            ("backwards@tier=2, rules", "backwards@tier=2, rules"),
            ("é:www", "é:www"),
            ("**a** _b_ `c` # $x$ ![d]", "\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\# \\$x\\$ \\!\\[d\\]"),
        ] {
            assert_eq!(markdown(text), expected);
        }
        assert_eq!(code("a`b\n"), "`a'b\\n`");
        let (one, other) = ("x".repeat(1000), "x".repeat(1001));
        assert!(markdown(&one).chars().count() < 330 && markdown(&one) != markdown(&other));
    }

    #[test]
    fn a_name_is_one_line_that_is_seen() {
        for name in ["gpt-6", "Ada Lovelace", "漢字", "a/b:c (high) | *"] {
            assert_eq!(wrong_name(name), None, "{name}");
            assert_eq!(tidy_name(name), name);
        }
        for name in ["", " ", "a ", " a", "a  b", "a\n", "\t", &"x".repeat(201)] {
            assert!(wrong_name(name).is_some(), "{name:?}");
            assert_eq!(wrong_name(&tidy_name(name)), None, "{name:?}");
        }
        assert_eq!(tidy_name("while read -r line\ndo  echo\ndone"), "while read -r line do echo done");
    }
}
