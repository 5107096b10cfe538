//! The name of a new part or game, in every form that is needed.

use anyhow::{Result, bail, ensure};

use crate::Taken;

/// A name with one or more words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    words: Vec<String>,
}

/// Words that can't be module names.
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
    /// Fails for an invalid name; the error shows a valid example.
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
        ensure!(starts, "`{text}` can't be a name: names start with a letter, as in `WoodMice` or `wood_mice`");
        ensure!(name.snake().len() >= 3, "`{text}` is too short: use a word, as in `Moles`");
        ensure!(
            !KEYWORDS.contains(&name.snake().as_str()),
            "`{text}` is a keyword of Rust: add a word, as in `{text}_beds`"
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

    /// Checks that no part has this name. Names are unique across all kinds, because `farm describe NAME` accepts only a name.
    ///
    /// # Errors
    /// Returns the part with this name, and a free name.
    pub fn check_new_kind(&self, taken: &Taken) -> Result<()> {
        let pascal = self.pascal();
        if let Some((sort, name)) = taken.kinds.iter().find(|(_, name)| name.eq_ignore_ascii_case(&pascal)) {
            bail!(
                "the {sort} `{name}` already exists: choose another name, as in `My{pascal}`; `farm describe {name}` shows the existing one"
            );
        }
        Ok(())
    }

    /// Checks that no game has this name.
    ///
    /// # Errors
    /// Returns the game with this name, and a free name.
    pub fn check_new_game(&self, taken: &Taken) -> Result<()> {
        let snake = self.snake();
        ensure!(
            !taken.games.contains(&snake),
            "the game `{snake}` already exists: choose another name, as in `my_{snake}`; `farm describe {snake}` shows it"
        );
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
    use crate::Sort;

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
            ("", "start with a letter"),
            ("___", "start with a letter"),
            ("2mice", "start with a letter"),
            ("wood mice", "because of ` `"),
            ("Mäuse", "because of `ä`"),
            ("../mice", "because of `.`"),
            ("ab", "too short"),
            ("match", "a keyword of Rust"),
        ] {
            let error = Name::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn a_name_that_a_part_or_a_game_has_is_refused_and_others_are_not() {
        let kinds = [(Sort::Entity, "Soil"), (Sort::Farmer, "BasicFarmer"), (Sort::Policy, "WeedPolicy")];
        let kinds = kinds.map(|(sort, name)| (sort, name.to_owned())).to_vec();
        let taken = Taken { kinds, games: vec!["clay_bean".to_owned()] };
        for (text, message) in [
            ("soil", "the entity `Soil` already exists: choose another name, as in `MySoil`"),
            ("basic_farmer", "the farmer `BasicFarmer` already exists"),
            ("WeedPolicy", "the policy `WeedPolicy` already exists"),
        ] {
            let error = Name::parse(text).unwrap().check_new_kind(&taken).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        let error = Name::parse("ClayBean").unwrap().check_new_game(&taken).unwrap_err().to_string();
        assert!(error.contains("the game `clay_bean` already exists") && error.contains("`my_clay_bean`"), "{error}");
        let free = Name::parse("WoodMice").unwrap();
        free.check_new_kind(&taken).and_then(|()| free.check_new_game(&taken)).unwrap();
    }
}
