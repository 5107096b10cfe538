//! Names of what is scaffolded, in every form that is needed.

use anyhow::{Result, bail, ensure};
use farm_core::registry::kinds;

/// A name of one or more words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    words: Vec<String>,
}

/// What can't be the name of a module, though it is a word.
const KEYWORDS: [&str; 43] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "true", "try", "type", "union", "unsafe", "use", "where", "while", "yield",
    "test", "std",
];

impl Name {
    /// Reads `WoodMice`, `wood_mice` or `wood-mice`.
    ///
    /// # Errors
    /// What is no name, with one that would be.
    pub fn parse(text: &str) -> Result<Self> {
        let mut words: Vec<String> = vec![String::new()];
        let mut before = ' ';
        for c in text.chars() {
            match c {
                '_' | '-' => words.push(String::new()),
                c if c.is_ascii_alphanumeric() => {
                    if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
                        words.push(String::new());
                    }
                    words.last_mut().unwrap_or(&mut String::new()).push(c.to_ascii_lowercase());
                }
                c => bail!(
                    "`{text}` can't be a name, because of `{c}`: use letters, digits and `_`, as in `WoodMice` or `wood_mice`"
                ),
            }
            before = c;
        }
        words.retain(|word| !word.is_empty());
        let name = Self { words };
        let starts = name.words.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
        ensure!(starts, "`{text}` can't be a name: it begins with a letter, as in `WoodMice` or `wood_mice`");
        ensure!(name.snake().len() >= 3, "`{text}` is too short to say what it is: use a word, as in `Moles`");
        ensure!(
            !KEYWORDS.contains(&name.snake().as_str()),
            "`{text}` is a word of Rust itself: add another, as in `{text}_beds`"
        );
        Ok(name)
    }

    /// `wood_mice`.
    pub fn snake(&self) -> String {
        self.words.join("_")
    }

    /// `wood-mice`.
    pub fn kebab(&self) -> String {
        self.words.join("-")
    }

    /// `wood mice`.
    pub fn spaced(&self) -> String {
        self.words.join(" ")
    }

    /// `Wood mice`.
    pub fn sentence(&self) -> String {
        capital(&self.spaced())
    }

    /// `WoodMice`.
    pub fn pascal(&self) -> String {
        self.words.iter().map(|word| capital(word)).collect()
    }

    /// That no part has the name: names are unique across all kinds, as `farm describe NAME` knows no other difference.
    ///
    /// # Errors
    /// Who has it, with the way out.
    pub fn check_new_kind(&self) -> Result<()> {
        let pascal = self.pascal();
        if let Some(kind) = kinds().iter().find(|kind| kind.name.eq_ignore_ascii_case(&pascal)) {
            bail!(
                "there is already the {} `{}`: choose another name, as in `{}{pascal}`; `farm describe {}` shows what is there",
                kind.part.singular(),
                kind.name,
                "My",
                kind.name
            );
        }
        Ok(())
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_in_each_of_its_forms() {
        for text in ["WoodMice", "wood_mice", "wood-mice", "Wood_Mice", "woodMice"] {
            let name = Name::parse(text).unwrap();
            let forms = [name.snake(), name.kebab(), name.spaced(), name.sentence(), name.pascal()];
            assert_eq!(forms, ["wood_mice", "wood-mice", "wood mice", "Wood mice", "WoodMice"], "{text}");
        }
        assert_eq!(Name::parse("Farm2Beans").unwrap().snake(), "farm2beans");
    }

    #[test]
    fn what_is_no_name_is_refused_with_one_that_is() {
        for (text, word) in [
            ("", "begins with a letter"),
            ("___", "begins with a letter"),
            ("2mice", "begins with a letter"),
            ("wood mice", "because of ` `"),
            ("Mäuse", "because of `ä`"),
            ("../mice", "because of `.`"),
            ("ab", "too short"),
            ("match", "a word of Rust itself"),
        ] {
            let error = Name::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn a_name_that_a_part_has_is_refused() {
        // Asking for the catalogue links the parts.
        assert!(!farm_games::CATALOGUE.is_empty());
        for text in ["Soil", "soil", "basic_farmer", "WeedPolicy"] {
            let error = Name::parse(text).unwrap().check_new_kind().unwrap_err().to_string();
            assert!(error.contains("there is already the") && error.contains("choose another name"), "{error}");
        }
        Name::parse("WoodMice").unwrap().check_new_kind().unwrap();
    }
}
