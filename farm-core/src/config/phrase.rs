//! Texts that name commands or functions, in the terms of each front end: the command line or Python.

use std::fmt;
use std::ops::{Deref, Range};

/// Something that the reader can use next, in any front end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tool {
    /// The list of everything of one type, by its plural: `games`, `entities`, `roles`. Empty for the lists of all types.
    List(String),
    /// The description of the thing with this name. `GAME` is a placeholder for a game.
    Describe(String),
    /// The YAML of a game.
    GameText,
    /// A level of a game, drawn from a seed.
    WriteLevel {
        /// The game. `GAME` is a placeholder for a game.
        game: String,
    },
    /// The families of games and the names of their members.
    Families,
    /// How each name in a game file of the Farm-gym reference format is read.
    Notes,
    /// The permission to read files outside of a game's folder.
    AllowOutsideFiles,
    /// The permission to load a plugin, by the path of its library.
    AllowPlugin(String),
    /// How to change a value whose YAML contains special characters.
    SetQuoted,
    /// A preset with which a game is opened, as the location of its changes.
    Preset(String),
    /// A change with which a game is opened, as the location of its value.
    Change {
        /// The path.
        path: String,
        /// The value, as YAML.
        value: String,
    },
}

/// How a front end names its tools.
pub trait FrontEnd {
    /// The name of a tool, for use within a sentence.
    fn words(&self, tool: &Tool) -> String;
}

/// The command line, with the name of the program.
#[derive(Debug, Clone, Copy)]
pub struct CommandLine<'n>(pub &'n str);

impl FrontEnd for CommandLine<'_> {
    fn words(&self, tool: &Tool) -> String {
        let program = self.0;
        match tool {
            Tool::List(plural) if plural.is_empty() => format!("`{program} list`"),
            Tool::List(plural) => format!("`{program} list {plural}`"),
            Tool::Describe(name) => format!("`{program} describe {name}`"),
            Tool::GameText => format!("`{program} describe GAME --yaml`"),
            Tool::WriteLevel { game } => format!("`{program} level {game} --seed 1`"),
            Tool::Families => format!("`{program} family`"),
            Tool::Notes => format!("`{program} check --explain`"),
            Tool::AllowOutsideFiles => {
                let variable = crate::config::ALLOW_OUTSIDE_VARIABLE;
                format!(
                    "`--allow-outside-files`, the environment variable `{variable}=1`, `allow_outside_files=True` in Python, \
                     `Options::allow_outside_files` in Rust"
                )
            }
            Tool::AllowPlugin(path) => {
                let variable = crate::config::ALLOW_PLUGINS_VARIABLE;
                format!(
                    "`--allow-plugins`, the environment variable `{variable}=1`, `Options::allow_plugins` in Rust, or load it \
                     yourself before, `--plugin {path}`"
                )
            }
            Tool::SetQuoted => "--set 'path=\"text\"'".to_owned(),
            Tool::Preset(name) => format!("--preset {name}"),
            Tool::Change { path, value } => format!("--set {path}={value}"),
        }
    }
}

/// The command line of this project. Texts use its terms unless another front end is given.
const OWN: CommandLine<'static> = CommandLine("farm");

impl Tool {
    /// The list of everything of one type, by its plural.
    pub fn list(plural: impl Into<String>) -> Self {
        Self::List(plural.into())
    }

    /// The description of the thing with this name.
    pub fn describe(name: impl Into<String>) -> Self {
        Self::Describe(name.into())
    }

    /// The tool, followed by text: `Tool::list("games").and(" shows all")`.
    pub fn and(self, text: &str) -> Phrase {
        Phrase::from(self).and(text)
    }
}

/// A text that can name tools. As a `str`, it uses the terms of the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    /// The tools that the text names and their ranges in it, in order.
    tools: Vec<(Range<usize>, Tool)>,
}

impl Phrase {
    /// Adds words.
    pub fn and(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Adds a tool.
    pub fn with(mut self, tool: Tool) -> Self {
        let start = self.text.len();
        self.text.push_str(&OWN.words(&tool));
        self.tools.push((start..self.text.len(), tool));
        self
    }

    /// The text in the terms of another front end.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        let (mut told, mut end) = (String::with_capacity(self.text.len()), 0);
        for (place, tool) in &self.tools {
            told.push_str(&self.text[end..place.start]);
            told.push_str(&front_end.words(tool));
            end = place.end;
        }
        told + &self.text[end..]
    }

    /// The tools that it names, in order.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().map(|(_, tool)| tool)
    }
}

impl Deref for Phrase {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self { text, tools: Vec::new() }
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Phrase {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<&Phrase> for Phrase {
    fn from(phrase: &Phrase) -> Self {
        phrase.clone()
    }
}

impl From<Tool> for Phrase {
    fn from(tool: Tool) -> Self {
        Self::default().with(tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A front end that shouts.
    struct Loud;

    impl FrontEnd for Loud {
        fn words(&self, tool: &Tool) -> String {
            format!("{tool:?}").to_uppercase()
        }
    }

    #[test]
    fn each_front_end_names_the_tools_in_its_own_words() {
        let phrase = Phrase::from("see ").with(Tool::list("games")).and(" or ").with(Tool::describe("Soil")).and(".");
        assert_eq!(&*phrase, "see `farm list games` or `farm describe Soil`.");
        assert_eq!(phrase.to_string(), &*phrase);
        assert_eq!(phrase.told_by(&CommandLine("farm-gym")), "see `farm-gym list games` or `farm-gym describe Soil`.");
        assert_eq!(phrase.told_by(&Loud), "see LIST(\"GAMES\") or DESCRIBE(\"SOIL\").");
        assert_eq!(phrase.tools().count(), 2);
        assert_eq!(Phrase::from("nothing").told_by(&Loud), "nothing");
    }
}
