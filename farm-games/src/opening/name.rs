//! What a text names, and the source of the named game.

use std::fmt::{self, Display};
use std::path::PathBuf;

use farm_core::config::{Consent, FileError, Origin, Phrase, Problems, Source, Tool, Trust};

use crate::catalogue::{self, CatalogueEntry};
use crate::families::{self, Member, MemberName};

/// A game that a text names.
#[derive(Debug, Clone)]
pub enum GameName {
    /// A version of a game in the catalogue.
    Shipped(&'static CatalogueEntry),
    /// A member of a family.
    Member(MemberName),
    /// A file.
    File(PathBuf),
}

impl Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped(entry) => f.write_str(entry.name),
            Self::Member(name) => name.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl GameName {
    /// Reads a name. No file is opened.
    ///
    /// # Errors
    /// No game in the catalogue and no member of a family has this name. The problem suggests the nearest name.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        if is_file(text) {
            Ok(Self::File(text.into()))
        } else if families::is_member(text) {
            MemberName::parse(text).map(Self::Member)
        } else {
            catalogue::find(text).map(Self::Shipped)
        }
    }

    /// The source of the game, with the user's permissions.
    ///
    /// # Errors
    /// The file can't be read, or no suitable rules could be drawn for the member.
    pub fn source(&self, consent: Consent) -> Result<Source, Problems> {
        match self {
            Self::Shipped(entry) => Ok(entry.source()),
            Self::Member(name) => Member::of(*name).map(|member| member.source()),
            Self::File(path) => {
                let source = Source::of_file(path).map_err(|problems| if_missing(problems, &games_without_files()))?;
                Ok(source.with_trust(Trust::new(Origin::OwnFile(consent))))
            }
        }
    }
}

/// Whether a string is the path of a file; otherwise it is a name.
pub fn is_file(text: &str) -> bool {
    let extension = std::path::Path::new(text).extension().and_then(|extension| extension.to_str());
    text.contains(['/', '\\']) || matches!(extension, Some("yaml" | "yml"))
}

/// Help for a missing game file.
fn games_without_files() -> Phrase {
    Phrase::from("check the path; ").with(Tool::list("games")).and(" shows the games that need no file")
}

/// Replaces the help in problems about missing files.
pub(crate) fn if_missing(mut problems: Problems, help: &Phrase) -> Problems {
    for problem in &mut problems.0 {
        if problem.is(FileError::FileNotFound) {
            problem.help = Some(help.clone());
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_a_version_of_a_game_a_member_or_a_file() {
        for (text, kind, name) in [
            ("clay_bean", "Shipped", "clay_bean"),
            ("clay_bean-v2", "Shipped", "clay_bean"),
            ("clay_bean-v0", "Shipped", "clay_bean-v0"),
            ("backwards_valley@rules=7,skin=plain", "Member", "backwards_valley@rules=7"),
            ("backwards_valley@tier=3,rules=test-7", "Member", "backwards_valley@tier=3,rules=test-7"),
            ("clay_bean.yaml", "File", "clay_bean.yaml"),
            ("./clay_bean", "File", "./clay_bean"),
            ("games@home/own.yml", "File", "games@home/own.yml"),
        ] {
            let named = GameName::parse(text).unwrap_or_else(|problems| panic!("{text}: {problems}"));
            assert_eq!(named.to_string(), name);
            assert!(format!("{named:?}").starts_with(kind), "{text}: {named:?}");
        }
        for (text, said) in [
            ("clay_baen", "did you mean `clay_bean`?"),
            ("clay_bean-v7", "one of `clay_bean-v0`, `clay_bean-v2`"),
            ("strange_crops", "`strange_crops` is a family of games"),
            ("backward_valley@rules=7", "did you mean `backwards_valley`?"),
        ] {
            let problems = GameName::parse(text).unwrap_err().to_string();
            assert!(problems.contains(said), "{text}: {problems}");
        }
    }
}
