//! Changes to a document: the document's presets, and single values that the user sets.

use serde_yaml::{Mapping, Value};

use super::{Document, TextPath};
use crate::config::errors::ChangeError;
use crate::config::phrase::{Phrase, Tool};
use crate::config::problem::{Location, Path, Problem, Problems, Segment};
use crate::config::to_inline_yaml;
use crate::format::join_truncated;

/// The separator between preset names. Presets are applied in the given order.
pub const BETWEEN_PRESETS: char = '+';
/// The last path segment that appends to the list above it.
const APPEND: &str = "+";
/// The last path segment that replaces the entire mapping above it.
const REPLACE: &str = "=";
/// Help text about paths that go through lists.
fn paths_help() -> Phrase {
    Phrase::from("`LIST.+=value` adds to a list; ").with(Tool::GameText).and(" shows the paths of a game")
}

/// The source of a changed value.
#[derive(Debug, Clone)]
pub(super) enum ChangedBy {
    /// A command-line option.
    Option(Location),
    /// An entry in the document itself.
    Entry(TextPath),
}

/// A changed value.
#[derive(Debug, Clone)]
pub(super) struct DocumentChange {
    /// The path to the value.
    pub path: Path,
    /// The source of the change.
    pub by: ChangedBy,
    /// Whether the change affects only the form of the value, such as a string that became a mapping, and not the values below it.
    pub is_form: bool,
}

impl DocumentChange {
    /// The same change, for a document in which the texts have different indices.
    pub(super) fn with_text_path(mut self, moved: impl Fn(TextPath) -> TextPath) -> Self {
        if let ChangedBy::Entry(origin) = self.by {
            self.by = ChangedBy::Entry(moved(origin));
        }
        self
    }
}

impl Document {
    /// Applies some of the document's presets in the given order, such as `name` or `one+other`.
    pub fn apply_preset(&mut self, names: &str, problems: &mut Problems) {
        let presets = self.value.get("presets").and_then(Value::as_mapping).cloned().unwrap_or_default();
        // A preset's name may itself contain the separator.
        let names: Vec<&str> =
            if presets.contains_key(names) { vec![names] } else { names.split(BETWEEN_PRESETS).collect() };
        for preset in names {
            let Some(changes) = presets.get(preset).and_then(Value::as_mapping) else {
                let problem = Problem::new(
                    ChangeError::UnknownPreset,
                    Path::default(),
                    format!("this game has no preset `{preset}`"),
                );
                let location = Some(Location::of_option(Tool::Preset(preset.to_owned())));
                let problem = Problem { location, ..problem };
                problems.push(problem.value(preset).among(preset, presets.keys().filter_map(Value::as_str)));
                continue;
            };
            for (target, value) in changes {
                let Some(target) = target.as_str() else { continue };
                let entry = Path::default().child("presets").child(preset).child(target);
                let origin = self.text_path(&entry);
                if let Err(problem) = self.lay_over(target, value.clone(), origin) {
                    problems.push(*problem);
                }
            }
        }
    }

    /// Sets the value at a path (see [`Document::resolve`]), which may be new. Messages show `option` as the source (`--set …`). If the
    /// last segment is `+` or an index equal to the list's length, the value is appended to a list. `+` also creates a missing list.
    ///
    /// # Errors
    /// The path leads through a list to an element that does not exist.
    pub fn set(&mut self, target: &str, value: Value, option: Location) -> Result<(), Box<Problem>> {
        self.change(&self.resolve(target), value, ChangedBy::Option(option))
    }

    /// Applies a change from a file. If the value is a mapping, it is merged key by key into the existing mapping, so other keys stay
    /// unchanged. If the last segment is `=`, the entire mapping is replaced.
    pub(super) fn lay_over(&mut self, target: &str, value: Value, origin: TextPath) -> Result<(), Box<Problem>> {
        let mut path = self.resolve(target);
        if matches!(path.0.last(), Some(Segment::Key(last)) if last == REPLACE) {
            path.0.pop();
            return self.change(&path, value, ChangedBy::Entry(origin));
        }
        let there = path.value_in(&self.value).and_then(Value::as_mapping).filter(|there| !there.is_empty());
        let (Some(there), false) = (there, value.is_null()) else {
            return self.change(&path, value, ChangedBy::Entry(origin));
        };
        let Value::Mapping(entries) = value else {
            return Err(Box::new(self.replaces_whole(target, &path, there, &value, origin)));
        };
        if stands_for_a_part(&path) && !entries.keys().all(|key| there.contains_key(key)) {
            return Err(Box::new(self.replaces_whole(target, &path, there, &Value::Mapping(entries), origin)));
        }
        for (key, value) in entries {
            let key = name_of(&key);
            // If the mapping does not have a key, the key may be the name of a part inside the mapping: `Field-0: {Soil-0: …}`.
            let below = format!("{target}.{key}");
            let is_key = path.child(&key).value_in(&self.value).is_some();
            let is_named = !is_key && self.resolve(&below).value_in(&self.value).is_some();
            let origin = TextPath { path: origin.path.child(&key), ..origin };
            if is_key || is_named {
                self.lay_over(&below, value, origin)?;
            } else {
                self.change(&path.child(&key), value, ChangedBy::Entry(origin))?;
            }
        }
        Ok(())
    }

    /// The problem to report for a value that would replace a whole mapping.
    fn replaces_whole(&self, target: &str, path: &Path, there: &Mapping, value: &Value, origin: TextPath) -> Problem {
        let names = |entries: &Mapping| {
            join_truncated(0..entries.len(), 4, |i| entries.keys().nth(i).map_or_else(String::new, name_of)).join(", ")
        };
        let entry = there.keys().next().map_or_else(String::new, name_of);
        let message = format!("this would replace all of `{path}`: {}", names(there));
        let problem = Problem::new(ChangeError::ReplacesMapping, path.clone(), message).value(to_inline_yaml(value));
        let problem = problem.expected("a mapping with the entries to change, or a path that ends in `=`");
        let help = format!(
            "`{target}.{entry}: …` changes one entry and keeps the others; `{target}.{REPLACE}: …` replaces the whole mapping"
        );
        self.placed(problem.help(help), &ChangedBy::Entry(origin))
    }

    /// Moves the location of a problem with a changed value to the text of the change.
    fn placed(&self, mut problem: Problem, by: &ChangedBy) -> Problem {
        match by {
            ChangedBy::Option(option) => problem.location = Some(option.clone()),
            ChangedBy::Entry(origin) => {
                problem.location = self.locations([origin]).pop().flatten();
                problem.path = origin.path.clone();
            }
        }
        problem
    }

    pub(super) fn change(&mut self, path: &Path, value: Value, by: ChangedBy) -> Result<(), Box<Problem>> {
        match put(&mut self.value, path, value) {
            Ok((reached, forms)) => {
                let forms = forms.into_iter().map(|path| DocumentChange { path, by: by.clone(), is_form: true });
                self.changes.extend(forms);
                self.changes.push(DocumentChange { path: reached, by, is_form: false });
                Ok(())
            }
            Err((depth, expected)) => {
                let place = Path(path.0[..=depth].to_vec());
                let problem =
                    Problem::new(ChangeError::NoSuchEntry, place, "this path leads to an entry that does not exist")
                        .value(path);
                Err(Box::new(self.placed(problem.expected(expected).help(paths_help()), &by)))
            }
        }
    }

    /// The source of the change that set the value at a path, and the rest of the path below that change. `None` if no change set the
    /// value.
    pub(super) fn changed_by<'c>(&'c self, path: &Path) -> Option<(&'c ChangedBy, Path)> {
        let reaches = |change: &&DocumentChange| {
            if change.is_form { change.path == *path } else { path.0.starts_with(&change.path.0) }
        };
        let change = self.changes.iter().rev().find(reaches)?;
        Some((&change.by, Path(path.0[change.path.0.len()..].to_vec())))
    }

    /// The source of a value whose path is not in any text.
    pub(super) fn made_by(&self, path: &Path) -> Option<&ChangedBy> {
        let is_above = |change: &&DocumentChange| change.path.0.starts_with(&path.0);
        self.changes.iter().rev().find(is_above).map(|change| &change.by)
    }
}

/// Whether the mapping at a path is a part. Its only key is then the part's kind, so a different key means a different part.
fn stands_for_a_part(path: &Path) -> bool {
    let keys: Vec<Option<&str>> = path
        .0
        .iter()
        .map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
        .collect();
    matches!(
        keys.as_slice(),
        [Some("score" | "rules")]
            | [Some("policies"), Some(_)]
            | [Some("farmers"), None]
            | [Some("fields"), Some(_), Some("entities"), None]
    )
}

/// A key, as a path segment.
pub(super) fn name_of(key: &Value) -> String {
    key.as_str().map_or_else(|| to_inline_yaml(key), str::to_owned)
}

/// Puts a value at a path.
/// Returns the path with the indices of appended elements, and the paths of values whose form changed along the way.
/// On failure, returns the depth at which the path ends, and what was expected there.
fn put(root: &mut Value, path: &Path, value: Value) -> Result<(Path, Vec<Path>), (usize, String)> {
    let (mut reached, mut forms) = (Path::default(), Vec::new());
    let mut place = root;
    for (depth, segment) in path.0.iter().enumerate() {
        let is_append = matches!(segment, Segment::Key(key) if key == APPEND);
        // A missing list is created with its first element.
        if is_append && place.is_null() {
            *place = Value::Sequence(Vec::new());
        }
        let (segment, next) = match (place, segment) {
            (Value::Sequence(items), segment) => {
                let index = match segment {
                    Segment::Index(index) => Some(*index),
                    Segment::Key(_) => is_append.then_some(items.len()),
                };
                let Some(index) = index.filter(|index| *index <= items.len()) else {
                    return Err((depth, format!("an index from 0 to {}, or `{APPEND}`", items.len())));
                };
                if index == items.len() {
                    items.push(Value::Null);
                }
                (Segment::Index(index), &mut items[index])
            }
            (place, Segment::Key(key)) if !is_append => {
                if !place.is_mapping() {
                    // `Plant: bean` becomes `Plant: {base: bean}` when one of its parameters is set.
                    let mut entries = Mapping::new();
                    if let Value::String(base) = place {
                        entries.insert("base".into(), Value::String(std::mem::take(base)));
                    }
                    *place = Value::Mapping(entries);
                    forms.push(reached.clone());
                }
                let next = match place {
                    Value::Mapping(entries) => entries.entry(Value::String(key.clone())).or_insert(Value::Null),
                    other => other,
                };
                (Segment::Key(key.clone()), next)
            }
            _ => return Err((depth, "a list at this location".to_owned())),
        };
        reached.0.push(segment);
        place = next;
    }
    *place = value;
    Ok((reached, forms))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: a\nlist: [x]\nrules:\n  Kind: {a: 1}\npresets:\n  more: {list.+: y, rules.Kind.b: 2}\n  \
                        less: {list.+: z}\n  wrong: {list.7: q}\n";

    fn document() -> Document {
        Document::parse("a.yaml", TEXT).unwrap()
    }

    fn problem_at(document: &Document, path: Path) -> String {
        document.locate(Problems(vec![Problem::new(ChangeError::NoSuchEntry, path, "x")])).to_string()
    }

    #[test]
    fn presets_are_applied_in_order_and_add_to_lists() {
        let mut document = document();
        let mut problems = Problems::default();
        document.apply_preset("less+more", &mut problems);
        assert!(problems.0.is_empty(), "{problems}");
        assert_eq!(document.value["list"], Value::from(vec!["x", "z", "y"]));
        assert_eq!(document.value["rules"]["Kind"]["b"], Value::from(2));
        // Problems in a preset's changes are shown at the preset's line.
        let list = Path::default().child("list");
        assert!(problem_at(&document, list.child(1)).contains("a.yaml:7:18, at presets.less.list.+"));
        assert!(problem_at(&document, list.child(2)).contains("a.yaml:6:18, at presets.more.list.+"));
        assert!(problem_at(&document, list.child(0)).contains("a.yaml:2:8, at list[0]"));
        document.apply_preset("more+wrnog", &mut problems);
        document.apply_preset("wrong", &mut problems);
        let said = problems.to_string();
        assert!(said.contains("no preset `wrnog`") && said.contains("did you mean `wrong`?"), "{said}");
        assert!(said.contains("a.yaml:8:19") && said.contains("an index from 0 to 4, or `+`"), "{said}");
    }

    #[test]
    fn what_is_added_is_told_at_the_option() {
        let mut document = document();
        let mut set =
            |path: &str, value: &str| document.set(path, Value::from(value), Location::new("--set here", None));
        set("list.+", "y").unwrap();
        set("list.2", "z").unwrap();
        set("new.+", "first").unwrap();
        for path in ["list.4", "list.-1", "name.+", "rules.Kind.+", "list.x"] {
            let said = set(path, "q").expect_err(path).to_string();
            assert!(said.contains("--set here") && said.contains("help:"), "{said}");
        }
        assert_eq!(document.value["list"], Value::from(vec!["x", "y", "z"]));
        assert_eq!(document.value["new"], Value::from(vec!["first"]));
        assert!(problem_at(&document, Path::default().child("list").child(2)).contains("--set here"));
    }

    #[test]
    fn a_text_that_became_a_mapping_is_told_at_the_option_and_so_is_a_long_one_in_short() {
        let mut document = document();
        let long = Tool::Change { path: "name.x".to_owned(), value: "y".repeat(10_000) };
        document.set("name.x", Value::from("y"), Location::of_option(long)).unwrap();
        let said = problem_at(&document, Path::default().child("name"));
        assert!(said.contains("--set name.x=yyy") && said.len() < 200, "{said}");
    }

    const FARM: &str = "score:\n  Profit: {price: 2, labour: {water: 1, sow: 3}}\nfields:\n  Field-0:\n    entities: [{Soil: {base: clay, depth: 1}}]\n";

    /// The farm with changes, where each change is in a separate preset.
    fn farm_with(changes: &[(&str, &str)]) -> Result<String, String> {
        let presets: Vec<String> =
            changes.iter().enumerate().map(|(i, (path, value))| format!("  p{i}: {{{path}: {value}}}\n")).collect();
        let mut document = Document::parse("a.yaml", &format!("{FARM}presets:\n{}", presets.concat())).unwrap();
        let (names, mut problems) =
            ((0..changes.len()).map(|i| format!("p{i}")).collect::<Vec<_>>(), Problems::default());
        document.apply_preset(&names.join("+"), &mut problems);
        document.value["presets"] = Value::Null;
        if problems.has_errors() { Err(problems.to_string()) } else { Ok(to_inline_yaml(&document.value)) }
    }

    #[test]
    fn a_mapping_is_merged_however_deep_it_stands() {
        let dotted = farm_with(&[("score.Profit.labour.water", "5"), ("score.Profit.hours", "8")]).unwrap();
        for nested in ["{Profit: {labour: {water: 5}, hours: 8}}", "{Profit: {hours: 8, labour: {water: 5}}}"] {
            let nested: Value = serde_yaml::from_str(&farm_with(&[("score", nested)]).unwrap()).unwrap();
            assert_eq!(nested, serde_yaml::from_str::<Value>(&dotted).unwrap());
        }
        let by_part = farm_with(&[("Field-0.Soil-0.depth", "2")]).unwrap();
        assert_eq!(farm_with(&[("Field-0", "{Soil-0: {depth: 2}}")]).unwrap(), by_part);
        assert_eq!(farm_with(&[("fields", "{Field-0: {Soil-0: {depth: 2}}}")]).unwrap(), by_part);
    }

    #[test]
    fn what_would_replace_a_whole_mapping_is_refused_and_both_forms_are_shown() {
        for (path, value) in
            [("score", "{Basic: {}}"), ("score", "Basic"), ("Field-0.Soil-0", "sand"), ("score.Profit.labour", "[1]")]
        {
            let said = farm_with(&[(path, value)]).expect_err(path);
            assert!(said.contains("replaces-mapping") && said.contains("a.yaml:7:"), "{said}");
            assert!(said.contains(&format!("`{path}.=: …`")) && said.contains(&format!("`{path}.")), "{said}");
        }
        let replaced =
            farm_with(&[("score.=", "{Basic: {}}"), ("Field-0.Soil-0.=", "sand"), ("score.Basic", "null")]).unwrap();
        assert!(
            replaced.contains("Basic: null") && replaced.contains("Soil: sand") && !replaced.contains("Profit"),
            "{replaced}"
        );
    }
}
