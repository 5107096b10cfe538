//! The values that a game's texts can refer to: the parts with their text variables and parameters, and all values in the game file.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Enumerator, Object, ObjectRepr, Value};
use serde_yaml::Value as Yaml;

use super::Game;
use crate::config::{Path, Segment};

/// A name that a text uses but that does not exist.
#[derive(Debug, Clone)]
pub(super) struct Miss {
    /// The object that lacks the name, in words; `None` if the name is unknown at the top level of a text.
    pub(super) owner: Option<String>,
    pub(super) name: String,
    pub(super) known: Vec<String>,
}

/// The source of the values.
#[derive(Debug)]
pub(super) struct TemplateValues {
    root: Yaml,
    parts: Vec<TemplatePart>,
    misses: Mutex<Vec<Miss>>,
}

#[derive(Debug)]
struct TemplatePart {
    path: String,
    name: String,
    config: Path,
    text_variables: Vec<(&'static str, String)>,
}

impl TemplateValues {
    pub(super) fn new(game: &Game) -> Result<Arc<Self>, serde_yaml::Error> {
        let parts = game.parts.iter().map(|part| TemplatePart {
            path: part.path.clone(),
            name: part.name.clone(),
            config: part.config.clone(),
            text_variables: part.text_variables.clone(),
        });
        let root = serde_yaml::to_value(&game.spec)?;
        Ok(Arc::new(Self { root, parts: parts.collect(), misses: Mutex::default() }))
    }

    /// The missing name that caused an error. This is the name in the error's message, or the last name that was not found. Using a missing
    /// value always causes an error.
    pub(super) fn miss_of(&self, error: &str) -> Option<Miss> {
        let misses = self.misses.lock().unwrap_or_else(PoisonError::into_inner);
        misses.iter().rev().find(|miss| error.contains(&miss.name)).or(misses.last()).cloned()
    }

    /// Whether the name is one of the game's top-level keys.
    pub(super) fn has(&self, name: &str) -> bool {
        self.root.get(name).is_some()
    }

    fn miss(&self, owner: Option<&str>, name: &str, known: Vec<String>) {
        let miss = Miss { owner: owner.map(str::to_owned), name: name.to_owned(), known };
        self.misses.lock().unwrap_or_else(PoisonError::into_inner).push(miss);
    }

    fn part(self: &Arc<Self>, name: &str) -> Value {
        match self.parts.iter().position(|part| part.name == name || part.path == name) {
            Some(index) => {
                let part = &self.parts[index];
                let (path, name) = (part.config.clone(), format!("`{}`", part.name));
                Value::from_object(Node { source: self.clone(), path, name, part: Some(index) })
            }
            None => {
                self.miss(Some("the game"), name, self.parts.iter().map(|part| part.name.clone()).collect());
                Value::UNDEFINED
            }
        }
    }

    fn at(&self, path: &Path) -> Option<&Yaml> {
        path.0.iter().try_fold(&self.root, |value, segment| match segment {
            Segment::Key(key) => untagged(value).get(key.as_str()),
            Segment::Index(index) => untagged(value).get(*index),
        })
    }
}

/// The names available at the top level of a text.
pub(super) fn context(source: &Arc<TemplateValues>) -> Value {
    Value::from_object(GlobalNames(source.clone()))
}

#[derive(Debug)]
struct GlobalNames(Arc<TemplateValues>);

impl Object for GlobalNames {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        let source = self.0.clone();
        match name {
            "part" => Some(Value::from_function(move |name: &str| source.part(name))),
            "game" => {
                let name = "the game".to_owned();
                Some(Value::from_object(Node { source, path: Path::default(), name, part: None }))
            }
            _ => {
                self.0.miss(None, name, vec!["part".to_owned(), "game".to_owned()]);
                None
            }
        }
    }
}

/// A part, a mapping or a list in the game.
#[derive(Debug)]
struct Node {
    source: Arc<TemplateValues>,
    path: Path,
    /// The node's name in messages.
    name: String,
    part: Option<usize>,
}

impl Node {
    /// The node's YAML value; null if the part has no parameters.
    fn yaml(&self) -> &Yaml {
        self.source.at(&self.path).map_or(&Yaml::Null, untagged)
    }

    fn text_variables(&self) -> &[(&'static str, String)] {
        self.part.map_or(&[], |part| &self.source.parts[part].text_variables)
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        self.yaml().as_mapping().into_iter().flatten().filter_map(|(key, _)| key.as_str())
    }

    /// The key with this name, or the only key whose name without its unit is this name.
    fn key(&self, name: &str) -> Option<&str> {
        let mut with_unit = self.keys().filter(|key| stem(key) == name);
        let only = with_unit.next().filter(|_| with_unit.next().is_none());
        self.keys().find(|key| *key == name).or(only)
    }

    /// The known names, written with or without units, like the name that was used.
    fn known(&self, asked: &str) -> Vec<String> {
        let text_variables = self.text_variables().iter().map(|(name, _)| *name);
        let keys =
            self.keys().map(|key| if asked.contains('#') || self.key(stem(key)).is_none() { key } else { stem(key) });
        let known: BTreeSet<&str> = text_variables.chain(keys).collect();
        let indices = (0..self.yaml().as_sequence().map_or(0, Vec::len)).map(|index| index.to_string());
        known.into_iter().map(str::to_owned).chain(indices).collect()
    }

    fn child(&self, segment: Segment) -> Option<Value> {
        let path = Path([self.path.0.as_slice(), std::slice::from_ref(&segment)].concat());
        Some(match untagged(self.source.at(&path)?) {
            Yaml::Mapping(_) | Yaml::Sequence(_) => {
                let name = match segment {
                    Segment::Key(key) => format!("`{key}` of {}", self.name),
                    Segment::Index(index) => format!("entry {index} of {}", self.name),
                };
                Value::from_object(Self { source: self.source.clone(), path, name, part: None })
            }
            scalar => value(scalar),
        })
    }
}

impl Object for Node {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        if self.yaml().is_sequence() { ObjectRepr::Seq } else { ObjectRepr::Map }
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = words(key);
        if let Some((_, text_variable)) = self.text_variables().iter().find(|(text_variable, _)| *text_variable == name)
        {
            return Some(text_variable_value(text_variable));
        }
        let found = match key.as_usize().filter(|_| self.yaml().is_sequence()) {
            Some(index) => self.child(Segment::Index(index)),
            None => self.key(&name).and_then(|key| self.child(key.into())),
        };
        if found.is_none() {
            self.source.miss(Some(&self.name), &name, self.known(&name));
        }
        found
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        match self.yaml() {
            Yaml::Sequence(items) => Enumerator::Seq(items.len()),
            _ => Enumerator::Values(self.keys().map(Value::from).collect()),
        }
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.yaml()))
    }
}

fn stem(key: &str) -> &str {
    key.split_once('#').map_or(key, |(stem, _)| stem)
}

fn untagged(value: &Yaml) -> &Yaml {
    match value {
        Yaml::Tagged(tagged) => untagged(&tagged.value),
        value => value,
    }
}

/// Converts a text variable to a number if it is one, so that it can be compared with numbers.
fn text_variable_value(text_variable: &str) -> Value {
    let number = text_variable.parse::<i64>().ok().filter(|number| number.to_string() == text_variable);
    number.map_or_else(|| Value::from(text_variable), Value::from)
}

fn value(scalar: &Yaml) -> Value {
    match scalar {
        Yaml::Bool(flag) => Value::from(*flag),
        Yaml::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::from(whole),
            (None, Some(number)) => Value::from(number),
            (None, None) => Value::from(number.to_string()),
        },
        Yaml::String(text) => Value::from(text.as_str()),
        _ => Value::from(()),
    }
}

/// A template value, as written in a sentence.
pub(super) fn words(value: &Value) -> String {
    if value.is_none() {
        return "none".to_owned();
    }
    match (bool::try_from(value.clone()), f64::try_from(value.clone())) {
        (Ok(flag), _) => flag.to_string(),
        // Integers are written without a decimal point.
        (_, Ok(number)) => number.to_string(),
        _ => value.to_string(),
    }
}

/// A value from the game, as written in a sentence: lists with commas, mappings as `name value`.
fn shown(value: &Yaml) -> String {
    match value {
        Yaml::Null => "none".to_owned(),
        Yaml::Bool(flag) => flag.to_string(),
        Yaml::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        Yaml::String(text) => text.clone(),
        Yaml::Sequence(items) => {
            let words = items.iter().map(|item| match item {
                Yaml::Mapping(_) | Yaml::Sequence(_) => format!("({})", shown(item)),
                item => shown(item),
            });
            words.collect::<Vec<_>>().join(", ")
        }
        Yaml::Mapping(mapping) => {
            let words = mapping.iter().map(|(key, value)| format!("{} {}", shown(key), shown(value)));
            words.collect::<Vec<_>>().join(", ")
        }
        Yaml::Tagged(tagged) => shown(&tagged.value),
    }
}
