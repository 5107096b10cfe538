//! Texts that mention commands or functions. Each front end (the command line or Python) inserts its own names.

use std::fmt;
use std::ops::{Deref, Range};

/// Something that the reader can use next, in any front end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tool {
    /// The list of all items of one type, given by its plural, such as `games`, `entities` or `roles`. An empty string means the lists of
    /// all types.
    List(String),
    /// The description of the item with this name. `GAME` is a placeholder for a game.
    Describe(String),
    /// A game's YAML.
    GameText,
    /// A level drawn from a seed for a game.
    WriteLevel {
        /// The game. `GAME` is a placeholder for a game.
        game: String,
    },
    /// The game families and the names of their members.
    Families,
    /// The meaning of each name in a game file in the Farm-gym reference format.
    Notes,
    /// The permission to read files outside a game's folder.
    AllowOutsideFiles,
    /// The permission to load a plugin, given by the path to its library.
    AllowPlugin(String),
    /// An explanation of how to change a value whose YAML contains special characters.
    SetQuoted,
    /// A preset that is applied when a game is opened. Problems in its changes use it as their location.
    Preset(String),
    /// A context that is applied when a game is opened. Problems in its changes use it as their location.
    Context(String),
    /// A change that is applied when a game is opened. Problems in its value use it as their location.
    Change {
        /// The path.
        path: String,
        /// The value, as YAML.
        value: String,
    },
}

/// How a front end refers to its tools.
pub trait FrontEnd {
    /// The name of a tool, for use within a sentence.
    fn words(&self, tool: &Tool) -> String;
}

/// The command line, with the program's name.
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
                     yourself first: `--plugin {path}`"
                )
            }
            Tool::SetQuoted => "--set 'path=\"text\"'".to_owned(),
            Tool::Preset(name) => format!("--preset {name}"),
            Tool::Context(name) => format!("--context {name}"),
            Tool::Change { path, value } => format!("--set {path}={value}"),
        }
    }
}

/// This project's command line. Texts use its terms by default.
const OWN: CommandLine<'static> = CommandLine("farm");

impl Tool {
    /// The list of all items of one type, given by its plural.
    pub fn list(plural: impl Into<String>) -> Self {
        Self::List(plural.into())
    }

    /// The description of the item with this name.
    pub fn describe(name: impl Into<String>) -> Self {
        Self::Describe(name.into())
    }

    /// The tool, followed by some text: `Tool::list("games").and(" shows all")`.
    pub fn and(self, text: &str) -> Phrase {
        Phrase::from(self).and(text)
    }
}

/// A text that can mention tools. If you convert it to a `str`, it uses command-line terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    /// The tools mentioned in the text and their ranges in it, in order.
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

    /// The text in another front end's terms.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        let (mut told, mut end) = (String::with_capacity(self.text.len()), 0);
        for (place, tool) in &self.tools {
            told.push_str(&self.text[end..place.start]);
            told.push_str(&front_end.words(tool));
            end = place.end;
        }
        told + &self.text[end..]
    }

    /// The tools mentioned in the text, in order.
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
