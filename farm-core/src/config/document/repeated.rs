//! The values in a text with duplicate keys. The last value of each key counts.
//!
//! Parsers in other languages accept such texts. The value parser rejects them, so this module builds the values from the location
//! parser's events.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_yaml::{Mapping, Value};

use crate::config::problem::{Path, Segment};

/// A mapping or list that is not yet closed.
enum Open {
    Mapping { anchor: usize, mapping: Mapping, key: Option<Value> },
    List { anchor: usize, items: Vec<Value> },
}

/// The values in a text, and the paths of duplicate keys. `None` if the text has tags, has several documents, or is not YAML.
///
/// The text must already have passed the depth and alias limits.
pub(super) fn last_wins(text: &str) -> Option<(Value, Vec<Path>)> {
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: BTreeMap<usize, Value> = BTreeMap::new();
    let mut repeated = Vec::new();
    let mut root = None;
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (anchor, value) = match event.ok()?.0 {
            Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) | Event::Scalar(.., Some(_)) => {
                return None;
            }
            Event::SequenceStart(anchor, None) => {
                open.push(Open::List { anchor, items: Vec::new() });
                continue;
            }
            Event::MappingStart(anchor, None) => {
                open.push(Open::Mapping { anchor, mapping: Mapping::new(), key: None });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop()? {
                Open::Mapping { anchor, mapping, .. } => (anchor, Value::Mapping(mapping)),
                Open::List { anchor, items } => (anchor, Value::Sequence(items)),
            },
            Event::Scalar(text, style, anchor, None) => (anchor, scalar(&text, style)),
            Event::Alias(anchor) => (0, anchors.get(&anchor)?.clone()),
            _ => continue,
        };
        if anchor > 0 {
            anchors.insert(anchor, value.clone());
        }
        let path = path_of(&open);
        match open.last_mut() {
            Some(Open::List { items, .. }) => items.push(value),
            Some(Open::Mapping { mapping, key, .. }) => match key.take() {
                None => *key = Some(value),
                Some(key) => {
                    let name = crate::config::to_inline_yaml(&key);
                    // A replaced value must move to the end, because it comes after the other values in the text.
                    if mapping.shift_remove(&key).is_some() {
                        repeated.push(path.child(&name));
                    }
                    mapping.insert(key, value);
                }
            },
            None if root.is_none() => root = Some(value),
            None => return None,
        }
    }
    root.map(|root| (root, repeated))
}

/// The path of the next value in the innermost open mapping or list.
fn path_of(open: &[Open]) -> Path {
    let inner = open.len().saturating_sub(1);
    let segment = |open: &Open| match open {
        Open::Mapping { key, .. } => Segment::Key(key.as_ref().map(crate::config::to_inline_yaml).unwrap_or_default()),
        Open::List { items, .. } => Segment::Index(items.len()),
    };
    Path(open[..inner].iter().map(segment).collect())
}

/// The value of a scalar. Only a plain scalar can be a number, a flag or null.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(text.to_owned());
    }
    match serde_yaml::from_str(text) {
        Ok(value @ (Value::Null | Value::Bool(_) | Value::Number(_))) => value,
        _ => Value::String(text.to_owned()),
    }
}
