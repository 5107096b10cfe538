//! What the YAML parsers complain of: their words are read here and nowhere else.
//!
//! Two parsers read each text, and both say only in words what they met. A test pins these words, so that a new version of a parser that
//! says it otherwise is noticed.

use crate::config::errors::YamlError;

/// What a parser complains of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) subject: Subject,
    /// Whether it is noticed within brackets, or where a bracket that is not closed would be noticed.
    pub(super) is_within_brackets: bool,
    /// Whether it is noticed where a name without its colon would be.
    pub(super) is_about_name: bool,
    words: String,
}

/// What it is about.
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

/// Words of the parsers, and what they are about; the first that are found count.
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
    // A `>` or `|` begins a text of several lines, and nothing but a comment stands behind it.
    ("expected comment or line break", Subject::Sign),
    ("duplicate entry", Subject::Duplicate),
    (HUGE_NUMBER, Subject::HugeNumber),
    ("recursion limit exceeded", Subject::TooDeep),
];

/// What stands before a number that is too large.
const HUGE_NUMBER: &str = "invalid type: integer `";

/// Words that are said within brackets.
const WITHIN_BRACKETS: [&str; 4] = ["flow", "expected ','", "node content", "invalid indentation"];
/// Words that are said about names.
const ABOUT_NAMES: [&str; 2] = ["simple key", "mapping values are not allowed"];

impl Complaint {
    /// What a parser said, without the place.
    pub(super) fn of(words: &str) -> Self {
        let said = |part: &&str| words.contains(part);
        Self {
            subject: WORDS.iter().find(|(part, _)| said(part)).map_or(Subject::Other, |(_, subject)| *subject),
            is_within_brackets: WITHIN_BRACKETS.iter().any(&said),
            is_about_name: ABOUT_NAMES.iter().any(&said),
            words: words.to_owned(),
        }
    }

    /// Of what no parser has complained.
    pub(super) fn none() -> Self {
        Self::of("")
    }

    /// What serde_yaml said: the first line, without the position that is shown beside it.
    pub(super) fn of_serde(error: &serde_yaml::Error) -> Self {
        let text = error.to_string();
        Self::of(text.split(" at line ").next().unwrap_or(&text))
    }

    /// The number that is too large.
    pub(super) fn number(&self) -> Option<&str> {
        let (_, rest) = self.words.split_once(HUGE_NUMBER)?;
        rest.split('`').next()
    }

    /// Its code, what it means to somebody who writes a game, and what to do.
    pub(super) fn meaning(&self) -> (YamlError, &str, &'static str) {
        match self.subject {
            Subject::Tab => (YamlError::TabIndentation, "found a tab where only spaces may be", "indent with spaces"),
            Subject::ListGoesOn => (
                YamlError::UnclosedBracket,
                "neither `,` nor `]` follows in a list `[…]`",
                "close the list with `]`, or quote a text in it that contains `: `, `{` or `}`",
            ),
            Subject::MappingGoesOn => (
                YamlError::UnclosedBracket,
                "neither `,` nor `}` follows in a mapping `{…}`",
                "close the mapping with `}`, or look for a bracket too many",
            ),
            Subject::Colon => (
                YamlError::UnexpectedColon,
                "found a `:` where no name can be",
                "write `name: value` with a blank after the colon, also in the line above, and quote a text that contains `: `",
            ),
            Subject::NameIndentation => (
                YamlError::WrongIndentation,
                "this line is not indented like the lines that it belongs to",
                "give all names of a mapping the same indentation",
            ),
            Subject::EntryIndentation => (
                YamlError::WrongIndentation,
                "this line is not indented like the lines that it belongs to",
                "give all entries `- …` of a list the same indentation",
            ),
            Subject::NameWithoutColon => (
                YamlError::MissingColon,
                "a name without its colon stands here or in the line above",
                "write `name: value`, and quote texts of several lines",
            ),
            Subject::SignOfAnchor => (
                YamlError::UnknownAnchor,
                "`*` and `&` have a meaning in YAML, and no name follows here",
                "quote the sign: `'*'`",
            ),
            Subject::UnknownAnchor => (
                YamlError::UnknownAnchor,
                "a word after `*` means an anchor, and there is none of this name",
                "quote the text",
            ),
            Subject::NoValue => {
                (YamlError::MissingValue, "a value is missing", "look for a bracket or a quote that is not closed")
            }
            Subject::Quote => {
                (YamlError::UnclosedQuote, "a quote is not closed", "close it, or leave out the one that opens it")
            }
            Subject::Sign => (
                YamlError::UnquotedSign,
                "a text that begins with this sign must be quoted",
                "quote texts that begin with `%`, `@`, `>` or a backtick",
            ),
            // One name in two spellings, such as a number in two systems: the same in one spelling is found before.
            Subject::Duplicate => (YamlError::DuplicateKey, &self.words, "leave one of the two out"),
            Subject::HugeNumber | Subject::TooDeep | Subject::Other => (
                YamlError::NotYaml,
                &self.words,
                "indent with spaces, and quote texts that contain `: ` or start with `*`, `{` or `[`",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use saphyr_parser::Parser;
    use serde_yaml::Value;

    use super::*;

    /// What each parser says of a text, first the one of places, which reads it first: the other is asked only where that one is content.
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
