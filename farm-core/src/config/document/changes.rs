//! Changes to a document: presets of its own, and single values that a user sets.

use serde_yaml::{Mapping, Value};

use super::{Document, TextPath};
use crate::config::errors::ChangeError;
use crate::config::phrase::{Phrase, Tool};
use crate::config::problem::{Location, Path, Problem, Problems, Segment};

/// What stands between the names of presets that are applied one after the other.
pub const BETWEEN_PRESETS: char = '+';
/// The last name of a path that adds to the list above it.
const APPEND: &str = "+";
/// The most characters of a change that messages show as its place.
const LONGEST_SHOWN: usize = 100;
/// What a path may say about lists.
fn paths_help() -> Phrase {
    Phrase::from("`LIST.+=value` adds to a list; ").with(Tool::GameText).and(" shows the paths of a game")
}

/// Who changed a value.
#[derive(Debug, Clone)]
pub(super) enum ChangedBy {
    /// An option, as messages show it.
    Option(String),
    /// An entry of the document itself.
    Entry(TextPath),
}

/// A value that was changed.
#[derive(Debug, Clone)]
pub(super) struct DocumentChange {
    /// The path of the value.
    pub path: Path,
    /// Who changed it.
    pub by: ChangedBy,
    /// Whether only the form of the value is of the change, such as a text that became a mapping, and not what stands below.
    pub is_form: bool,
}

impl DocumentChange {
    /// The same in a document where the texts have other numbers.
    pub(super) fn with_text_path(mut self, moved: impl Fn(TextPath) -> TextPath) -> Self {
        if let ChangedBy::Entry(origin) = self.by {
            self.by = ChangedBy::Entry(moved(origin));
        }
        self
    }
}

impl Document {
    /// Applies the changes of some of the document's own presets, in this order: `name`, or `one+other`.
    pub fn apply_preset(&mut self, names: &str, problems: &mut Problems) {
        let presets = self.value.get("presets").and_then(Value::as_mapping).cloned().unwrap_or_default();
        // A name may hold the sign itself.
        let names: Vec<&str> =
            if presets.contains_key(names) { vec![names] } else { names.split(BETWEEN_PRESETS).collect() };
        for preset in names {
            let Some(changes) = presets.get(preset).and_then(Value::as_mapping) else {
                let problem = Problem::new(
                    ChangeError::UnknownPreset,
                    Path::default(),
                    format!("this game has no preset `{preset}`"),
                );
                let location = Some(Location::new(format!("--preset {preset}"), None));
                let problem = Problem { location, ..problem };
                problems.push(problem.value(preset).among(preset, presets.keys().filter_map(Value::as_str)));
                continue;
            };
            for (target, value) in changes {
                let Some(target) = target.as_str() else { continue };
                let entry = Path::default().child("presets").child(preset).child(target);
                let by = ChangedBy::Entry(self.text_path(&entry));
                if let Err(problem) = self.change(&self.resolve(target), value.clone(), by) {
                    problems.push(*problem);
                }
            }
        }
    }

    /// Sets the value at `path`, which may be new; `origin` names in messages who asked for it (`--set …`). The segment `+`, or an
    /// index one beyond the last, adds an entry to a list; a list that is not there is made by `+`.
    ///
    /// # Errors
    /// A path that leads through a list to an entry that is not there.
    pub fn set(&mut self, path: &Path, value: Value, origin: &str) -> Result<(), Box<Problem>> {
        let mut shown: String = origin.chars().take(LONGEST_SHOWN).collect();
        if shown.len() < origin.len() {
            shown.push('…');
        }
        self.change(path, value, ChangedBy::Option(shown))
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
                    Problem::new(ChangeError::NoSuchEntry, place, "this path leads to an entry that is not there")
                        .value(path);
                let mut problem = problem.expected(expected).help(paths_help());
                match by {
                    ChangedBy::Option(source) => problem.location = Some(Location::new(source, None)),
                    ChangedBy::Entry(origin) => {
                        problem.location = self.locations([&origin]).pop().flatten();
                        problem.path = origin.path;
                    }
                }
                Err(Box::new(problem))
            }
        }
    }

    /// Who made the value at a path what it is, and what of the path lies below the change; none where no change reaches.
    pub(super) fn changed_by<'c>(&'c self, path: &Path) -> Option<(&'c ChangedBy, Path)> {
        let reaches = |change: &&DocumentChange| {
            if change.is_form { change.path == *path } else { path.0.starts_with(&change.path.0) }
        };
        let change = self.changes.iter().rev().find(reaches)?;
        Some((&change.by, Path(path.0[change.path.0.len()..].to_vec())))
    }

    /// Who made what stands at a path and in no text.
    pub(super) fn made_by(&self, path: &Path) -> Option<&ChangedBy> {
        let is_above = |change: &&DocumentChange| change.path.0.starts_with(&path.0);
        self.changes.iter().rev().find(is_above).map(|change| &change.by)
    }
}

/// Puts a value at a path. Returns the path with the indices of entries that were added, and the paths of what got another form on the
/// way; or else how deep the path leads, and what it may say there.
fn put(root: &mut Value, path: &Path, value: Value) -> Result<(Path, Vec<Path>), (usize, String)> {
    let (mut reached, mut forms) = (Path::default(), Vec::new());
    let mut place = root;
    for (depth, segment) in path.0.iter().enumerate() {
        let is_append = matches!(segment, Segment::Key(key) if key == APPEND);
        // A list that nobody has written yet begins with its first entry.
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
                    // `Plant: bean` becomes `Plant: {base: bean}` when a parameter of it is set.
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
            _ => return Err((depth, "a list there".to_owned())),
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
        // What a preset says is shown in the line of the preset.
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
        let mut set = |path: &str, value: &str| {
            let path = document.resolve(path);
            document.set(&path, Value::from(value), "--set here")
        };
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
        let long = format!("--set name.x={}", "y".repeat(10_000));
        document.set(&document.resolve("name.x"), Value::from("y"), &long).unwrap();
        let said = problem_at(&document, Path::default().child("name"));
        assert!(said.contains("--set name.x=yyy") && said.len() < 200, "{said}");
    }
}
