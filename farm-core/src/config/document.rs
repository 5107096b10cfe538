//! A YAML text with the place of every value.
//!
//! `yaml_serde` gives the values and `saphyr` their places; a path found wrong in the values is looked up in the places.

use std::path::PathBuf;

use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use serde_yaml::Value;

use super::problem::{Location, Path, Problem, Problems, Segment};

/// A parsed configuration: the values with all overrides applied, and where each came from.
#[derive(Debug, Clone)]
pub struct Document {
    /// What the file is called in messages.
    pub source: String,
    /// The values.
    pub value: Value,
    /// The folder that relative paths in it start from.
    pub directory: Option<PathBuf>,
    text: String,
    overrides: Vec<(Path, String)>,
}

impl Document {
    /// Parses a YAML text; `source` names it in messages.
    ///
    /// # Errors
    /// A located problem when the text is not YAML or has a key twice.
    pub fn parse(source: &str, text: &str) -> Result<Self, Problems> {
        let value = serde_yaml::from_str(text).map_err(|error| {
            let mut problem = Problem::new(Path::default(), format!("this is not valid YAML: {}", headline(&error)))
                .help("indent with spaces, and quote texts that contain `: ` or start with `*`, `{` or `[`");
            let position = error.location().map(|at| (at.line(), at.column()));
            problem.location = Some(Location { source: source.to_owned(), position });
            Problems(vec![problem])
        })?;
        if let Some(tag) = first_tag(&value) {
            let mut problem = Problem::new(Path::default(), format!("YAML tags such as `{tag}` have no meaning here"))
                .value(&tag)
                .help("leave the tag out; a kind of part is written as a key, `KIND: parameter set`");
            let before = text.split(tag.as_str()).next().unwrap_or_default();
            let position = (before.lines().count().max(1), before.lines().last().map_or(1, |l| l.chars().count() + 1));
            problem.location = Some(Location { source: source.to_owned(), position: Some(position) });
            return Err(Problems(vec![problem]));
        }
        Ok(Self { source: source.to_owned(), value, directory: None, text: text.to_owned(), overrides: Vec::new() })
    }

    /// Applies the changes of one of the document's own presets.
    pub fn apply_preset(&mut self, preset: &str, problems: &mut Problems) {
        let presets = self.value.get("presets").and_then(Value::as_mapping).cloned().unwrap_or_default();
        let Some(changes) = presets.get(preset).and_then(Value::as_mapping).cloned() else {
            let problem = Problem::new(Path::default(), format!("this game has no preset `{preset}`"));
            problems.push(problem.value(preset).among(preset, presets.keys().filter_map(Value::as_str)));
            return;
        };
        for (target, value) in changes {
            if let Some(target) = target.as_str()
                && let Err(problem) = self.set(&self.resolve(target), value, &format!("preset {preset}: {target}"))
            {
                problems.push(*problem);
            }
        }
    }

    /// Sets the value at `path`, which may be new; `origin` names in messages who asked for it (`--set …`).
    ///
    /// # Errors
    /// A path that leads through a list to an entry that is not there.
    pub fn set(&mut self, path: &Path, value: Value, origin: &str) -> Result<(), Box<Problem>> {
        let nowhere = |depth: usize, found: &Value| {
            let length = found.as_sequence().map_or(0, Vec::len);
            let mut problem =
                Problem::new(Path(path.0[..=depth].to_vec()), "this path leads to an entry that is not there");
            problem.location = Some(Location { source: origin.to_owned(), position: None });
            let expected =
                if length == 0 { "a list there".into() } else { format!("an index from 0 to {}", length - 1) };
            Box::new(
                problem.value(path).expected(expected).help("`farm describe GAME --yaml` shows the paths of a game"),
            )
        };
        let mut place = &mut self.value;
        for (depth, segment) in path.0.iter().enumerate() {
            place = match segment {
                Segment::Index(index) if place.get(*index).is_some() => &mut place[*index],
                Segment::Index(_) => return Err(nowhere(depth, place)),
                Segment::Key(_) if place.is_sequence() => return Err(nowhere(depth, place)),
                Segment::Key(key) => {
                    // `Plant: bean` becomes `Plant: {base: bean}` when a parameter of it is set.
                    if let Value::String(base) = place {
                        *place = Value::Mapping([("base".into(), Value::String(base.clone()))].into_iter().collect());
                    } else if !place.is_mapping() {
                        *place = Value::Mapping(Default::default());
                    }
                    match place {
                        Value::Mapping(mapping) => mapping.entry(Value::String(key.clone())).or_insert(Value::Null),
                        other => other,
                    }
                }
            };
        }
        *place = value;
        self.overrides.push((path.clone(), origin.to_owned()));
        Ok(())
    }

    /// Finds the path that a text such as `fields.Field-0.shape.length#nb` or `Field-0.Soil-0.depth#m` means.
    ///
    /// Keys may contain dots, so at each level the longest key that fits is taken. An entity of a field may be named as
    /// the game names it (`Soil-0`), and the word `fields` may be left out.
    pub fn resolve(&self, text: &str) -> Path {
        let mut path = Path::default();
        let mut place = &self.value;
        let mut rest = text;
        if let Some(fields) = place.get("fields").filter(|fields| longest_key(fields, rest).is_some()) {
            path = path.child("fields");
            place = fields;
        }
        while !rest.is_empty() {
            let (segments, next, after) = step(place, rest);
            path.0.extend(segments);
            place = next.unwrap_or(&Value::Null);
            rest = after;
        }
        path
    }

    /// Gives every problem its file, line and column.
    pub fn locate(&self, mut problems: Problems) -> Problems {
        let marks = MarkedYaml::load_from_str(&self.text).unwrap_or_default();
        for problem in &mut problems.0 {
            if problem.location.is_none() {
                problem.location = Some(self.location(marks.first(), &problem.path));
            }
        }
        problems
    }

    fn location(&self, root: Option<&MarkedYaml<'_>>, path: &Path) -> Location {
        if let Some((_, origin)) = self.overrides.iter().rev().find(|(set, _)| path.0.starts_with(&set.0)) {
            return Location { source: origin.clone(), position: None };
        }
        let mut position = None;
        let mut place = root;
        for segment in std::iter::once(None).chain(path.0.iter().map(Some)) {
            if let (Some(segment), Some(node)) = (segment, place) {
                place = match (&node.data, segment) {
                    (YamlData::Mapping(mapping), Segment::Key(key)) => {
                        let entry = mapping.iter().find(|(k, _)| is_key(k, key));
                        if let Some((k, _)) = entry {
                            position = Some(marker(k));
                        }
                        entry.map(|(_, v)| v)
                    }
                    (YamlData::Sequence(items), Segment::Index(index)) => {
                        let item = items.get(*index);
                        if let Some(item) = item {
                            position = Some(marker(item));
                        }
                        item
                    }
                    _ => None,
                };
            } else if let Some(node) = place {
                position = Some(marker(node));
            }
        }
        Location { source: self.source.clone(), position }
    }
}

fn marker(node: &MarkedYaml<'_>) -> (usize, usize) {
    (node.span.start.line(), node.span.start.col() + 1)
}

fn is_key(node: &MarkedYaml<'_>, key: &str) -> bool {
    match &node.data {
        YamlData::Value(Scalar::String(text)) => text == key,
        YamlData::Value(Scalar::Integer(number)) => number.to_string() == key,
        YamlData::Representation(text, ..) => text == key,
        _ => false,
    }
}

/// The first tag of a document, as it is written.
fn first_tag(value: &Value) -> Option<String> {
    match value {
        Value::Tagged(tagged) => Some(tagged.tag.to_string()),
        Value::Sequence(items) => items.iter().find_map(first_tag),
        Value::Mapping(mapping) => mapping.iter().find_map(|(key, item)| first_tag(key).or_else(|| first_tag(item))),
        _ => None,
    }
}

/// The first line of a YAML error, without the position that is shown beside it.
fn headline(error: &serde_yaml::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// The longest key of a mapping that starts `text`, with what follows it.
fn longest_key<'v, 't>(place: &'v Value, text: &'t str) -> Option<(&'v str, &'v Value, &'t str)> {
    let mapping = place.as_mapping()?;
    mapping
        .iter()
        .filter_map(|(key, value)| {
            let key = key.as_str()?;
            let rest = text.strip_prefix(key)?;
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix('.')? };
            Some((key, value, rest))
        })
        .max_by_key(|(key, ..)| key.len())
}

/// One step of [`Document::resolve`]: the segments it adds, where they lead, and what is left of the text.
fn step<'v, 't>(place: &'v Value, rest: &'t str) -> (Vec<Segment>, Option<&'v Value>, &'t str) {
    if let Some((key, value, after)) = longest_key(place, rest) {
        return (vec![key.into()], Some(value), after);
    }
    let (head, after) = rest.split_once('.').unwrap_or((rest, ""));
    if let (Value::Sequence(items), Ok(index)) = (place, head.parse::<usize>()) {
        return (vec![index.into()], items.get(index), after);
    }
    // An entity by the name the game gives it: its type and its rank among those of its type.
    let entities = place.get("entities").and_then(Value::as_sequence);
    if let (Some(items), Some((kind, rank))) = (entities, head.rsplit_once('-')) {
        let same_kind = items.iter().enumerate().filter(|(_, item)| item.get(kind).is_some());
        if let Some((index, item)) = rank.parse().ok().and_then(|rank| same_kind.into_iter().nth(rank)) {
            return (vec!["entities".into(), index.into(), kind.into()], item.get(kind), after);
        }
    }
    // A key that is not there yet: a name with a unit is a leaf, whatever dots its unit has.
    if head.contains('#') { (vec![rest.into()], None, "") } else { (vec![head.into()], place.get(head), after) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: a\nfields:\n  Field-0:\n    entities:\n      - Soil: clay\n      - Soil: {base: clay, speed#km.h-1: 3}\n";

    fn document() -> Document {
        Document::parse("a.yaml", TEXT).unwrap()
    }

    #[test]
    fn places_are_found_through_keys_with_dots() {
        let path = document().resolve("fields.Field-0.entities.1.Soil.speed#km.h-1");
        let problems = document().locate(Problems(vec![Problem::new(path, "x")]));
        assert_eq!(problems.0[0].location.as_ref().unwrap().to_string(), "a.yaml:6:28");
    }

    #[test]
    fn an_entity_can_be_named_as_the_game_names_it() {
        assert_eq!(
            document().resolve("Field-0.Soil-1.speed#km.h-1").to_string(),
            "fields.Field-0.entities[1].Soil.speed#km.h-1"
        );
    }

    #[test]
    fn setting_a_parameter_keeps_the_parameter_set_and_names_its_origin() {
        let mut doc = document();
        let path = doc.resolve("Field-0.Soil-0.depth#m");
        doc.set(&path, Value::from(2.0), "--set Field-0.Soil-0.depth#m=2").unwrap();
        assert_eq!(doc.value["fields"]["Field-0"]["entities"][0]["Soil"]["base"], Value::from("clay"));
        let problems = doc.locate(Problems(vec![Problem::new(path, "x")]));
        assert_eq!(problems.0[0].location.as_ref().unwrap().to_string(), "--set Field-0.Soil-0.depth#m=2");
    }

    #[test]
    fn a_syntax_error_has_its_line() {
        let problems = Document::parse("a.yaml", "a: [1\nb: 2\n").unwrap_err();
        assert!(problems.0[0].location.as_ref().unwrap().position.is_some(), "{problems}");
        let twice = Document::parse("a.yaml", "a: 1\na: 2\n").unwrap_err();
        assert!(twice.to_string().contains("duplicate"), "{twice}");
    }
}
