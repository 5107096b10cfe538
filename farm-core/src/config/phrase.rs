//! Texts in which front ends have words of their own: the command line names its commands, Python its functions.

use std::fmt;
use std::ops::{Deref, Range};

/// What a reader can use to go on, whatever the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tool {
    /// The list of all things of a sort, by its plural: `games`, `entities`, `roles`; empty for the lists of all sorts.
    List(String),
    /// The description of what has this name; `GAME` stands for a game of the reader's choice.
    Describe(String),
    /// The YAML of a game of the reader's choice.
    GameText,
    /// A level of a game, drawn from a seed.
    WriteLevel {
        /// The game; `GAME` stands for one of the reader's choice.
        game: String,
    },
    /// The families of games, and how their members are called.
    Families,
    /// How each name of a game file in the format of the Farm-gym reference is read.
    Notes,
    /// The permission to read files outside of a game's folder.
    AllowOutsideFiles,
    /// The permission to load a plugin, by the path of its library.
    AllowPlugin(String),
    /// How a value is changed whose YAML has special characters.
    SetQuoted,
    /// A preset that a game is opened with, as the place of what it changes.
    Preset(String),
    /// A change that a game is opened with, as the place of its value.
    Change {
        /// The path.
        path: String,
        /// The value, as YAML.
        value: String,
    },
}

/// How a front end names its tools.
pub trait FrontEnd {
    /// A tool in its words, which stand within a sentence.
    fn words(&self, tool: &Tool) -> String;
}

/// The command line, under the name that the program goes by.
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

/// The command line of this project, which a text speaks of unless another front end is asked.
const OWN: CommandLine<'static> = CommandLine("farm");

impl Tool {
    /// The list of all things of a sort, by its plural.
    pub fn list(plural: impl Into<String>) -> Self {
        Self::List(plural.into())
    }

    /// The description of what has this name.
    pub fn describe(name: impl Into<String>) -> Self {
        Self::Describe(name.into())
    }

    /// The tool, and what it does: `Tool::list("games").and(" shows all")`.
    pub fn and(self, text: &str) -> Phrase {
        Phrase::from(self).and(text)
    }
}

/// A text that may name tools. As a `str` it is what the command line says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    /// The tools, and where in the text they are named, in order.
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

    /// What another front end says.
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
