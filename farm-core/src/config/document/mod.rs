//! A configuration that records each value's location in its texts.
//!
//! `yaml_serde` provides the values, and `saphyr` provides their locations. If a value is wrong, its path leads to its location. A game may
//! consist of several files or be converted from another format. The origins then map each path in the assembled values to a path in a
//! text.

mod changes;
mod complaint;
mod extends;
mod files;
mod repeated;
mod slips;
mod source;
mod text;

use std::path::{Path as FilePath, PathBuf};

use saphyr::MarkedYaml;
use serde_yaml::{Mapping, Value};

use super::errors::ChangeError;
use super::problem::{Location, Path, Problem, Problems, Segment, shorten};
use super::trust::Trust;

use changes::{ChangedBy, DocumentChange};

pub use changes::BETWEEN_PRESETS;
pub use extends::EXTENDS;
pub(crate) use extends::{CHANGES, PRESET};
pub(crate) use files::{PLAIN_TEXTS, WITH_ENTRIES};
pub use source::Source;
pub use text::{MAX_ALIASED_VALUES, MAX_DEPTH, MAX_FILE_BYTES, Text, TextPath, parse_value, read_text};

/// A parsed configuration: its values with all changes applied, and the origin of each value.
#[derive(Debug, Clone, farm_macros::Getters)]
pub struct Document {
    /// The name of the file in messages.
    pub(crate) source: String,
    /// The values.
    pub(crate) value: Value,
    /// The folder that relative paths start from.
    pub(crate) directory: Option<PathBuf>,
    /// How far the document's authors are trusted.
    pub(crate) trust: Trust,
    /// Problems that do not prevent the game from being built, each with its location.
    pub(crate) warnings: Problems,
    texts: Vec<Text>,
    /// The origins of the values at and below certain paths. A value without an origin is at its own path in the first text.
    origins: Vec<(Path, TextPath)>,
    changes: Vec<DocumentChange>,
    /// The extended game's values at keys that this game replaced without setting them.
    left_out: Vec<(Path, Value)>,
}

impl Document {
    /// Parses YAML text. Messages refer to the text as `source`.
    ///
    /// # Errors
    /// A located problem: the text is not YAML, has a duplicate key, or exceeds the limits.
    pub fn parse(source: &str, text: &str) -> Result<Self, Problems> {
        Source::new(source, text).document()
    }

    /// Reads and parses a file that the user names.
    ///
    /// # Errors
    /// The same errors as [`Source::of_file`] and [`Source::document`].
    pub fn read(path: &FilePath) -> Result<Self, Problems> {
        Source::of_file(path)?.document()
    }

    /// A document without values, to be filled with [`Document::place`]. For values without an origin, messages point at `first`.
    pub fn assembled(first: Text) -> Self {
        Self {
            source: first.source.clone(),
            value: Value::Mapping(Mapping::new()),
            directory: None,
            trust: Trust::default(),
            warnings: Problems::default(),
            texts: vec![first],
            origins: Vec::new(),
            changes: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Mutable access to the values. New values are at their own path in the first text; see [`Document::place`] for other origins.
    pub fn value_mut(&mut self) -> &mut Value {
        &mut self.value
    }

    /// Mutable access to the document's trust.
    pub fn trust_mut(&mut self) -> &mut Trust {
        &mut self.trust
    }

    /// Adds warnings, each with its location.
    pub fn warn(&mut self, warnings: Problems) {
        self.warnings.0.extend(warnings.0);
    }

    /// The text of the document's own file, without the files it refers to.
    pub fn own_text(&self) -> &str {
        self.texts.first().map_or("", Text::as_str)
    }

    /// Adds a text as a source of values and returns its index. The first text has index 0.
    pub fn add_text(&mut self, text: Text) -> usize {
        self.texts.push(text);
        self.texts.len() - 1
    }

    /// Puts a value at a path, creates missing mappings on the way, and records the value's origin.
    /// An index equal to a list's length appends to the list.
    pub fn place(&mut self, path: &Path, value: Value, origin: TextPath) {
        let mut place = &mut self.value;
        for segment in &path.0 {
            place = match segment {
                Segment::Key(key) => {
                    if !place.is_mapping() {
                        *place = Value::Mapping(Mapping::new());
                    }
                    match place {
                        Value::Mapping(mapping) => mapping.entry(Value::String(key.clone())).or_insert(Value::Null),
                        other => other,
                    }
                }
                Segment::Index(index) => {
                    if !place.is_sequence() {
                        *place = Value::Sequence(Vec::new());
                    }
                    match place {
                        Value::Sequence(items) => {
                            if *index >= items.len() {
                                items.push(Value::Null);
                            }
                            let last = items.len() - 1;
                            &mut items[last.min(*index)]
                        }
                        other => other,
                    }
                }
            };
        }
        *place = value;
        self.origins.push((path.clone(), origin));
    }

    /// Removes the value at a path and returns it. Later elements of a list move up.
    pub fn remove(&mut self, path: &Path) -> Option<Value> {
        let (last, above) = path.0.split_last()?;
        let mut place = &mut self.value;
        for segment in above {
            place = match segment {
                Segment::Key(key) => place.get_mut(key.as_str())?,
                Segment::Index(index) => place.get_mut(*index)?,
            };
        }
        let removed = match (place, last) {
            (Value::Mapping(mapping), Segment::Key(key)) => mapping.shift_remove(key.as_str()),
            (Value::Sequence(items), Segment::Index(index)) if *index < items.len() => Some(items.remove(*index)),
            _ => None,
        }?;
        self.origins.retain(|(placed, _)| !placed.0.starts_with(&path.0));
        if let Segment::Index(removed) = last {
            for (placed, _) in &mut self.origins {
                let behind = placed.0.starts_with(above).then(|| placed.0.get_mut(above.len())).flatten();
                if let Some(Segment::Index(index)) = behind
                    && *index > *removed
                {
                    *index -= 1;
                }
            }
        }
        Some(removed)
    }

    /// The origin of the value at a path.
    pub fn text_path(&self, path: &Path) -> TextPath {
        nearest_text_path(&self.origins, path)
    }

    /// The locations that these origins point to, in the same order.
    pub fn locations<'o>(&self, origins: impl IntoIterator<Item = &'o TextPath>) -> Vec<Option<Location>> {
        let mut places = Places::new(&self.texts);
        let place = |origin: &TextPath| {
            self.located(Problem::new(ChangeError::NoSuchEntry, origin.path.clone(), ""), origin, &mut places).location
        };
        origins.into_iter().map(place).collect()
    }

    /// Sets the problems' locations from their origins, then sorts the problems by location.
    pub fn locate_at(&self, problems: impl IntoIterator<Item = (TextPath, Problem)>) -> Problems {
        let mut places = Places::new(&self.texts);
        let mut problems: Vec<(TextPath, Problem)> = problems.into_iter().collect();
        let more = shorten(&mut problems, |(_, problem)| problem.severity);
        let located = problems.into_iter().map(|(origin, problem)| self.located(problem, &origin, &mut places));
        self.in_order(located.collect(), more)
    }

    /// Finds the path that a string such as `fields.Field-0.shape.length#nb` or `Field-0.Soil-0.depth#m` refers to.
    ///
    /// Keys may contain dots, so each level uses the longest key that matches. An entity in a field may be given by its name in the game
    /// (`Soil-0`), and the word `fields` is optional.
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

    /// Sets the file, line and column of each problem. In a document assembled from several texts, the path becomes the path in the text
    /// that contains the value.
    /// If more than [`MAX_PROBLEMS`](super::MAX_PROBLEMS) problems lack a location, the rest are only counted.
    pub fn locate(&self, problems: Problems) -> Problems {
        let mut places = Places::new(&self.texts);
        let (mut known, mut problems): (Vec<Problem>, Vec<Problem>) =
            problems.0.into_iter().partition(|problem| problem.location.is_some());
        let more = shorten(&mut problems, |problem| problem.severity);
        let located = problems.into_iter().map(|problem| {
            if let Some((by, below)) = self.changed_by(&problem.path) {
                return self.located_at_change(problem, by, &below, &mut places);
            }
            let origin = self.text_path(&problem.path);
            let (_, depth) = text::place(places.marks(origin.text), &origin.path, true);
            // A value that is not in any text was created on the path to a changed value.
            if depth < origin.path.0.len()
                && let Some(by) = self.made_by(&problem.path)
            {
                return self.located_at_change(problem, by, &Path::default(), &mut places);
            }
            self.located(problem, &origin, &mut places)
        });
        known.extend(located);
        self.in_order(known, more)
    }

    /// Sorts problems in text order, file by file. Problems without a file come after these, and `more` comes last.
    fn in_order(&self, mut problems: Vec<Problem>, more: Option<Problem>) -> Problems {
        problems.sort_by_key(|problem| {
            let location = problem.location.as_ref();
            let source = location.map(|location| location.source.as_str());
            let text = self.texts.iter().position(|text| Some(text.source.as_str()) == source);
            let position = location.and_then(|location| location.position).unwrap_or((usize::MAX, 0));
            (text.unwrap_or(usize::MAX), position)
        });
        let location = Some(Location::new(self.source.clone(), None));
        problems.extend(more.map(|more| Problem { location, ..more }));
        Problems(problems)
    }

    /// Points a problem with a changed value at the option, or at the entry in the document that changed it.
    fn located_at_change(
        &self,
        mut problem: Problem,
        by: &ChangedBy,
        below: &Path,
        places: &mut Places<'_>,
    ) -> Problem {
        match by {
            ChangedBy::Option(option) => {
                problem.location = Some(option.clone());
                problem
            }
            ChangedBy::Entry(entry) => {
                let mut origin = entry.clone();
                origin.path.0.extend_from_slice(&below.0);
                self.located(problem, &origin, places)
            }
        }
    }

    fn located(&self, mut problem: Problem, origin: &TextPath, places: &mut Places<'_>) -> Problem {
        let (place, depth) = text::place(places.marks(origin.text), &origin.path, problem.is_about_name);
        // The rest of the path belongs to the assembled values and does not exist in the text.
        let depth = if origin.path == problem.path { origin.path.0.len() } else { depth };
        problem.path = Path(origin.path.0[..depth].to_vec());
        let text = self.texts.get(origin.text);
        if text.is_some_and(|text| text.is_outside) {
            problem.value = None;
        }
        problem.location = Some(match text {
            Some(text) => text.location(place, problem.value.as_deref()),
            None => Location::new(self.source.clone(), place.map(|place| place.start)),
        });
        problem
    }
}

/// The origin of the value at a path, derived from the origins of the values above it.
fn nearest_text_path(origins: &[(Path, TextPath)], path: &Path) -> TextPath {
    // Among equally long paths, the last path was written over the others.
    let nearest = origins.iter().filter(|(placed, _)| path.0.starts_with(&placed.0));
    let Some((placed, origin)) = nearest.max_by_key(|(placed, _)| placed.0.len()) else {
        return TextPath { text: 0, path: path.clone() };
    };
    let mut found = origin.clone();
    found.path.0.extend_from_slice(&path.0[placed.0.len()..]);
    found
}

/// The locations in a document's texts. Each text is parsed when it is first needed.
struct Places<'a> {
    texts: &'a [Text],
    marks: Vec<Option<Option<MarkedYaml<'a>>>>,
}

impl<'a> Places<'a> {
    fn new(texts: &'a [Text]) -> Self {
        Self { texts, marks: vec![None; texts.len()] }
    }

    fn marks(&mut self, text: usize) -> Option<&MarkedYaml<'a>> {
        let source = self.texts.get(text)?;
        self.marks.get_mut(text)?.get_or_insert_with(|| source.marks()).as_ref()
    }
}

/// Finds the longest key in a mapping that `text` starts with. Returns the key, its value, and the rest of `text`.
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

/// One step of [`Document::resolve`]: the segments to add, the value there, and the rest of the text.
fn step<'v, 't>(place: &'v Value, rest: &'t str) -> (Vec<Segment>, Option<&'v Value>, &'t str) {
    if let Some((key, value, after)) = longest_key(place, rest) {
        return (vec![key.into()], Some(value), after);
    }
    let (head, after) = rest.split_once('.').unwrap_or((rest, ""));
    if let (Value::Sequence(items), Ok(index)) = (place, head.parse::<usize>()) {
        return (vec![index.into()], items.get(index), after);
    }
    // An entity is given by its name in the game: its kind and its index among the entities of this kind.
    let entities = place.get("entities").and_then(Value::as_sequence);
    if let (Some(items), Some((kind, rank))) = (entities, head.rsplit_once('-')) {
        let same_kind = items.iter().enumerate().filter(|(_, item)| item.get(kind).is_some());
        if let Some((index, item)) = rank.parse().ok().and_then(|rank| same_kind.into_iter().nth(rank)) {
            return (vec!["entities".into(), index.into(), kind.into()], item.get(kind), after);
        }
    }
    // A new key. A name with a unit is a leaf, even if the unit contains dots.
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
        let problems = document().locate(Problems(vec![Problem::new(ChangeError::NoSuchEntry, path, "x")]));
        assert_eq!(problems.0[0].location.as_ref().unwrap().to_string(), "a.yaml:6:42");
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
        let option = Location::new("--set Field-0.Soil-0.depth#m=2", None);
        doc.set("Field-0.Soil-0.depth#m", Value::from(2.0), option).unwrap();
        assert_eq!(doc.value["fields"]["Field-0"]["entities"][0]["Soil"]["base"], Value::from("clay"));
        let problems = doc.locate(Problems(vec![Problem::new(ChangeError::NoSuchEntry, path, "x")]));
        assert_eq!(problems.0[0].location.as_ref().unwrap().to_string(), "--set Field-0.Soil-0.depth#m=2");
    }

    #[test]
    fn a_value_from_another_text_is_shown_there() {
        let mut doc = Document::assembled(Text::new("a.yaml", "first: 1\n"));
        let other = doc.add_text(Text::new("b.yaml", "# a comment\nlist:\n  - {x: 1}\n  - {x: 2}\n"));
        let rules = Path::default().child("rules").child("kind").child("conditions");
        for i in 0..2 {
            let path = Path::default().child("list").child(i).child("x");
            doc.place(&rules.child(i), Value::from(i), TextPath { text: other, path });
        }
        assert_eq!(doc.value["rules"]["kind"]["conditions"], Value::from(vec![0, 1]));
        let problems =
            doc.locate(Problems(vec![Problem::new(ChangeError::NoSuchEntry, rules.child(1).child("deeper"), "x")]));
        assert_eq!(problems.to_string(), "error[no-such-entry]: x\n  --> b.yaml:4:6, at list[1].x");
        let nowhere =
            doc.locate(Problems(vec![Problem::new(ChangeError::NoSuchEntry, Path::default().child("first"), "x")]));
        assert_eq!(nowhere.to_string(), "error[no-such-entry]: x\n  --> a.yaml:1:8, at first");
        // Values after a removed entry keep their locations.
        doc.remove(&rules.child(0)).unwrap();
        let problems = doc.locate(Problems(vec![Problem::new(ChangeError::NoSuchEntry, rules.child(0), "x")]));
        assert_eq!(problems.0[0].location.as_ref().unwrap().to_string(), "b.yaml:4:9");
    }
}
