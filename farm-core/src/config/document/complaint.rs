//! The YAML parsers' error messages. Only this module interprets them.
//!
//! Two parsers read each text, and their errors are messages without codes. A test compares these messages with fixed strings, so it fails
//! if a new parser version changes them.

use crate::config::errors::YamlError;

/// An error reported by a parser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) subject: Subject,
    /// Whether the error is inside brackets or at the end of an unclosed bracket.
    pub(super) is_within_brackets: bool,
    /// Whether the error is at a key without a colon.
    pub(super) is_about_name: bool,
    words: String,
}

/// What an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Tab,
    ListGoesOn,
    MappingGoesOn,
    Colon,
    NameIndentation,
    EntryIndentation,
    NameWithoutColon,
    SignOfAnchor,
    UnknownAnchor,
    NoValue,
    Quote,
    Sign,
    Duplicate,
    HugeNumber,
    TooDeep,
    Other,
}

/// Fragments of the parsers' messages, each with the subject of the error. The first match counts.
const WORDS: [(&str, Subject); 18] = [
    ("tabs disallowed", Subject::Tab),
    ("found a tab", Subject::Tab),
    ("expected ',' or ']'", Subject::ListGoesOn),
    ("expected ',' or '}'", Subject::MappingGoesOn),
    ("mapping values are not allowed", Subject::Colon),
    ("did not find expected key", Subject::NameIndentation),
    ("did not find expected '-' indicator", Subject::EntryIndentation),
    ("simple key expect", Subject::NameWithoutColon),
    ("scanning an anchor or alias", Subject::SignOfAnchor),
    ("found unknown anchor", Subject::UnknownAnchor),
    ("did not find expected node content", Subject::NoValue),
    ("quoted scalar", Subject::Quote),
    ("unexpected character", Subject::Sign),
    ("cannot start any token", Subject::Sign),
    // A `>` or `|` starts text with several lines, and only a comment may come after it on the same line.
    ("expected comment or line break", Subject::Sign),
    ("duplicate entry", Subject::Duplicate),
    (HUGE_NUMBER, Subject::HugeNumber),
    ("recursion limit exceeded", Subject::TooDeep),
];

/// The text before a number that is too large.
const HUGE_NUMBER: &str = "invalid type: integer `";

/// Message fragments for errors inside brackets.
const WITHIN_BRACKETS: [&str; 4] = ["flow", "expected ','", "node content", "invalid indentation"];
/// Message fragments for errors in keys.
const ABOUT_NAMES: [&str; 2] = ["simple key", "mapping values are not allowed"];

impl Complaint {
    /// Classifies a parser's message, given without its location.
    pub(super) fn of(words: &str) -> Self {
        let said = |part: &&str| words.contains(part);
        Self {
            subject: WORDS.iter().find(|(part, _)| said(part)).map_or(Subject::Other, |(_, subject)| *subject),
            is_within_brackets: WITHIN_BRACKETS.iter().any(&said),
            is_about_name: ABOUT_NAMES.iter().any(&said),
            words: words.to_owned(),
        }
    }

    /// The value for a text without a parser error.
    pub(super) fn none() -> Self {
        Self::of("")
    }

    /// Classifies serde_yaml's message without its position, which is shown separately.
    pub(super) fn of_serde(error: &serde_yaml::Error) -> Self {
        let text = error.to_string();
        Self::of(text.split(" at line ").next().unwrap_or(&text))
    }

    /// The number, if it is too large.
    pub(super) fn number(&self) -> Option<&str> {
        let (_, rest) = self.words.split_once(HUGE_NUMBER)?;
        rest.split('`').next()
    }

    /// The code, what the error means to the author of a game, and the fix.
    pub(super) fn meaning(&self) -> (YamlError, &str, &'static str) {
        match self.subject {
            Subject::Tab => {
                (YamlError::TabIndentation, "found a tab; only spaces are allowed here", "indent with spaces")
            }
            Subject::ListGoesOn => (
                YamlError::UnclosedBracket,
                "expected `,` or `]` in a list `[…]`",
                "close the list with `]`, or quote strings in it that contain `: `, `{` or `}`",
            ),
            Subject::MappingGoesOn => (
                YamlError::UnclosedBracket,
                "expected `,` or `}` in a mapping `{…}`",
                "close the mapping with `}`, or check for an extra bracket",
            ),
            Subject::Colon => (
                YamlError::UnexpectedColon,
                "found a `:` at a location that allows no key",
                "write `key: value` with a space after the colon, also in the line above, and quote strings that contain `: `",
            ),
            Subject::NameIndentation => (
                YamlError::WrongIndentation,
                "this line has a different indentation from its list or mapping",
                "give all keys of a mapping the same indentation",
            ),
            Subject::EntryIndentation => (
                YamlError::WrongIndentation,
                "this line has a different indentation from its list or mapping",
                "give all elements `- …` of a list the same indentation",
            ),
            Subject::NameWithoutColon => (
                YamlError::MissingColon,
                "a key has no colon, in this line or the line above",
                "write `key: value`, and quote strings that span several lines",
            ),
            Subject::SignOfAnchor => (
                YamlError::UnknownAnchor,
                "`*` and `&` refer to an anchor in YAML, but no name follows",
                "quote the character: `'*'`",
            ),
            Subject::UnknownAnchor => (
                YamlError::UnknownAnchor,
                "a word after `*` refers to an anchor, but no anchor has this name",
                "quote the string",
            ),
            Subject::NoValue => {
                (YamlError::MissingValue, "a value is missing", "check for an unclosed bracket or quote")
            }
            Subject::Quote => {
                (YamlError::UnclosedQuote, "a quote is not closed", "close it, or remove the opening quote")
            }
            Subject::Sign => (
                YamlError::UnquotedSign,
                "a string that starts with this character must be quoted",
                "quote strings that start with `%`, `@`, `>` or a backtick",
            ),
            // This is one key in two spellings, such as a number in two bases. A duplicate key in the same spelling is found earlier.
            Subject::Duplicate => (YamlError::DuplicateKey, &self.words, "remove one of the two"),
            Subject::HugeNumber | Subject::TooDeep | Subject::Other => (
                YamlError::NotYaml,
                &self.words,
                "indent with spaces, and quote strings that contain `: ` or start with `*`, `{` or `[`",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use saphyr_parser::Parser;
    use serde_yaml::Value;

    use super::*;

    /// The error that each parser reports for a text: first the location parser's, then the value parser's.
    fn said(text: &str) -> [Option<Complaint>; 2] {
        let places = Parser::new_from_str(text).find_map(Result::err).map(|error| Complaint::of(error.info()));
        let values = serde_yaml::from_str::<Value>(text).err().map(|error| Complaint::of_serde(&error));
        [places, values]
    }

    fn subjects(text: &str) -> [Option<Subject>; 2] {
        said(text).map(|complaint| complaint.map(|complaint| complaint.subject))
    }

    #[test]
    fn the_words_of_the_parsers_are_those_that_are_read() {
        let mut other = Vec::new();
        for (text, of_places, of_values) in [
            ("a:\n\tb: 1\n", Some(Subject::Tab), Some(Subject::Sign)),
            ("a: [1, 2", Some(Subject::ListGoesOn), Some(Subject::ListGoesOn)),
            ("a: {b: 1", Some(Subject::MappingGoesOn), Some(Subject::MappingGoesOn)),
            ("a: b: 1", Some(Subject::Colon), Some(Subject::Colon)),
            ("a:\n  b: 1\n c: 2\n", Some(Subject::NameIndentation), Some(Subject::NameIndentation)),
            ("a:\n  - 1\n - 2\n", Some(Subject::NameIndentation), Some(Subject::NameIndentation)),
            ("- 1\nb: 2\n", Some(Subject::EntryIndentation), Some(Subject::EntryIndentation)),
            ("a: 1\nb\n", Some(Subject::NameWithoutColon), Some(Subject::Other)),
            ("a: *", Some(Subject::SignOfAnchor), Some(Subject::Other)),
            ("a: *b", Some(Subject::UnknownAnchor), Some(Subject::Other)),
            ("a: [1, 2]]", Some(Subject::Other), Some(Subject::NameIndentation)),
            ("a: [,", Some(Subject::NoValue), Some(Subject::NoValue)),
            ("a: \"b", Some(Subject::Quote), Some(Subject::Other)),
            ("a: %b", Some(Subject::Sign), Some(Subject::Sign)),
            ("{a: >=, b: 1}", None, Some(Subject::Sign)),
            ("a: >=\nb: 1\n", Some(Subject::Sign), Some(Subject::Sign)),
            ("a:\n  - b: c\n\t- d\n", Some(Subject::Tab), Some(Subject::Tab)),
            ("1: a\n0x1: b\n", None, Some(Subject::Duplicate)),
            ("a: 99999999999999999999250", None, Some(Subject::HugeNumber)),
        ] {
            if subjects(text) != [of_places, of_values] {
                other.push(format!("{text:?}: {:?}", said(text)));
            }
        }
        assert!(other.is_empty(), "{}", other.join("\n"));
        let huge = said("a: 99999999999999999999250");
        assert_eq!(huge[1].as_ref().and_then(Complaint::number), Some("99999999999999999999250"));
    }

    #[test]
    fn every_subject_has_its_own_code_or_words() {
        assert_eq!(Complaint::of("tabs disallowed here").meaning().0, YamlError::TabIndentation);
        let other = Complaint::of("something new");
        assert_eq!((other.subject, other.meaning().1), (Subject::Other, "something new"));
        assert_eq!(Complaint::none().number(), None);
    }
}
