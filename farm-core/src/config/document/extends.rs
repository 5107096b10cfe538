//! A game that extends another game. It starts from the other game's values and writes its own values over them.
//!
//! A value written over the other game counts as a change, so a problem with it is reported in the file that contains the wrong value.

use serde_yaml::Value;

use super::changes::{ChangedBy, DocumentChange, name_of};
use super::files::WITH_ENTRIES;
use super::{Document, TextPath, nearest_text_path};
use crate::config::errors::{ChangeError, ParameterError};
use crate::config::problem::{Path, Problem, Problems, Segment};
use crate::config::to_inline_yaml;

/// The key that names the game to extend.
pub const EXTENDS: &str = "extends";
/// The key that names the extended game's presets.
pub(crate) const PRESET: &str = "preset";
/// Descriptive texts, which have no effect on the game.
const TEXTS: [&str; 4] = ["name", "doc", "goal", "rules_text"];
/// The key for changes by path.
pub(crate) const CHANGES: &str = "changes";

impl Document {
    /// Makes the document extend `base`: first come the values of `base` with the presets in `preset`, then the document's own values, then
    /// its `changes`. `fields` and `policies` are overwritten entry by entry; everything else is overwritten as a whole. `null` removes a
    /// policy. The name and the presets always come from the document itself.
    ///
    /// # Errors
    /// `base` lacks a preset, or a path does not exist. The problem points at the text that contains the error.
    pub fn extend(&mut self, mut base: Self) -> Result<(), Problems> {
        let mut problems = Problems::default();
        let own = std::mem::replace(&mut self.value, Value::Null);
        // A game needs its own name. The check of the whole game later reports a missing name together with all other errors.
        let is_named = own.get("name").is_some();
        if !is_named {
            base.remove(&Path::default().child("name"));
        }
        match own.get(PRESET) {
            None | Some(Value::Null) => {}
            Some(Value::String(names)) => {
                let mut found = Problems::default();
                base.apply_preset(names, &mut found);
                problems.0.extend(found.0.into_iter().map(|problem| match problem.is(ChangeError::UnknownPreset) {
                    true => Problem { location: None, path: Path::default().child(PRESET), ..problem },
                    false => problem,
                }));
            }
            Some(other) => problems.push(wrong_type(PRESET, other, "a string: presets of the other game, `one+other`")),
        }
        // These presets were written for the other game.
        base.remove(&Path::default().child("presets"));
        let origins = self.begin_with(base);
        for (key, value) in own.as_mapping().into_iter().flatten() {
            match key.as_str() {
                Some(EXTENDS | PRESET | CHANGES) => {}
                Some(key) => self.write_over(key, value, &origins),
                // The code that reads the keys later reports such a key.
                None => drop(self.value.as_mapping_mut().map(|all| all.insert(key.clone(), value.clone()))),
            }
        }
        match own.get(CHANGES) {
            None | Some(Value::Null) => {}
            Some(Value::Mapping(changes)) => {
                for (target, value) in changes {
                    let target = name_of(target);
                    let origin = nearest_text_path(&origins, &Path::default().child(CHANGES).child(&target));
                    if let Err(problem) = self.lay_over(&target, value.clone(), origin) {
                        problems.push(*problem);
                    }
                }
            }
            Some(other) => problems.push(wrong_type(CHANGES, other, "a mapping from paths to values, as in a preset")),
        }
        if !problems.has_errors() {
            return Ok(());
        }
        if !is_named {
            let problem = Problem::new(ParameterError::MissingKey, Path::default().child(EXTENDS), "`name` is missing");
            problems.push(problem.expected("a string: a game that extends another one needs its own name"));
        }
        Err(self.locate(problems))
    }

    /// The extended game's values at entries that this game replaced without setting them: path and value.
    pub fn left_out(&self) -> impl Iterator<Item = (&Path, &Value)> {
        self.left_out.iter().map(|(path, value)| (path, value))
    }

    /// The paths at which this game differs from the game it extends, ignoring descriptive texts. Empty if it extends no game.
    pub fn differences(&self) -> Vec<&Path> {
        let is_text = |path: &Path| matches!(path.0.as_slice(), [Segment::Key(key)] if TEXTS.contains(&key.as_str()));
        let own = self.changes.iter().filter(|change| !change.is_form && matches!(change.by, ChangedBy::Entry(_)));
        own.map(|change| &change.path).filter(|path| !is_text(path)).collect()
    }

    /// The same document, with one left-out value from the other game restored.
    pub fn with_left_out(&self, path: &Path, value: &Value) -> Self {
        let mut document = self.clone();
        // The entry exists, because this game replaced it.
        let _ = document.change(path, value.clone(), ChangedBy::Entry(self.text_path(path)));
        document
    }

    /// Copies the values of `base` and their origins into this document. Returns the origins of the document's own values.
    fn begin_with(&mut self, base: Self) -> Vec<(Path, TextPath)> {
        let first = self.texts.len();
        let moved = |origin: TextPath| TextPath { text: origin.text + first, ..origin };
        self.value = base.value;
        self.texts.extend(base.texts);
        self.warnings.0.extend(base.warnings.0);
        let mut origins = Vec::new();
        for (key, _) in self.value.as_mapping().into_iter().flatten() {
            let Some(key) = key.as_str() else { continue };
            let path = Path::default().child(key);
            origins.push((path.clone(), TextPath { text: first, path }));
        }
        origins.extend(base.origins.into_iter().map(|(path, origin)| (path, moved(origin))));
        self.changes = base.changes.into_iter().map(|change| change.with_text_path(moved)).collect();
        std::mem::replace(&mut self.origins, origins)
    }

    /// Writes one of the document's own values over the existing value at a key.
    fn write_over(&mut self, key: &str, value: &Value, origins: &[(Path, TextPath)]) {
        let path = Path::default().child(key);
        let is_there = self.value.get(key).is_some_and(Value::is_mapping);
        let entries = value.as_mapping().filter(|_| is_there && WITH_ENTRIES.contains(&key));
        let Some(entries) = entries else { return self.write(&path, value.clone(), origins) };
        for (name, entry) in entries {
            let path = path.child(&name_of(name));
            if entry.is_null() && key == "policies" {
                self.remove(&path);
            } else {
                let before = self.value[key].get(name).and_then(Value::as_mapping).cloned();
                let is_lost = |key: &Value| entry.as_mapping().is_some_and(|entry| !entry.contains_key(key));
                let lost = before.into_iter().flatten().filter(|(key, _)| key.is_string() && is_lost(key));
                self.left_out.extend(lost.map(|(key, value)| (path.child(&name_of(&key)), value)));
                self.write(&path, entry.clone(), origins);
            }
        }
    }

    /// Writes one of the document's own values at a path, together with the locations of its parts from other files.
    fn write(&mut self, path: &Path, value: Value, origins: &[(Path, TextPath)]) {
        // The key is a top-level key or a key in a mapping, so the path contains no list index that could be out of range.
        let _ = self.change(path, value, ChangedBy::Entry(nearest_text_path(origins, path)));
        let below = origins.iter().filter(|(placed, _)| placed.0.starts_with(&path.0) && placed != path);
        let files = below.map(|(path, origin)| (path.clone(), ChangedBy::Entry(origin.clone())));
        self.changes.extend(files.map(|(path, by)| DocumentChange { path, by, is_form: false }));
    }
}

fn wrong_type(key: &str, value: &Value, expected: &str) -> Problem {
    let problem = Problem::new(ParameterError::WrongType, Path::default().child(key), "this value has the wrong type");
    problem.value(to_inline_yaml(value)).expected(expected)
}

#[cfg(test)]
mod tests {
    use serde_yaml::Mapping;

    use super::*;

    const BASE: &str = "name: base\ndoc: a farm\nfields:\n  Field-0: {entities: [{Soil: clay}]}\nfarmers: [a]\npolicies:\n  wait: W\n  \
                        expert: E\npresets:\n  large: {doc: a large farm, Field-0.Soil-0.depth: 2}\n";

    fn extended(own: &str) -> Result<Document, Problems> {
        let mut document = Document::parse("own.yaml", own).unwrap();
        document.extend(Document::parse("base.yaml", BASE).unwrap()).map(|()| document)
    }

    fn place_of(document: &Document, path: &str) -> String {
        let problem = Problem::new(ChangeError::NoSuchEntry, document.resolve(path), "x");
        document.locate(Problems(vec![problem])).0[0].location.as_ref().unwrap().to_string()
    }

    #[test]
    fn own_values_stand_over_those_of_the_base_and_each_keeps_its_place() {
        let own = "name: own\nextends: base\npreset: large\nfarmers: [b, c]\npolicies: {expert: F, wait: null, bold: B}\nfields:\n  \
                   Field-1: {entities: [{Soil: sand}]}\nchanges:\n  Field-0.Soil-0.pH: 7\n  farmers.+: d\n";
        let document = extended(own).unwrap();
        let value = &document.value;
        assert_eq!(value["name"], Value::from("own"));
        assert_eq!(value["farmers"], Value::from(vec!["b", "c", "d"]));
        assert_eq!(serde_yaml::to_string(&value["policies"]).unwrap(), "expert: F\nbold: B\n");
        let soil = &value["fields"]["Field-0"]["entities"][0]["Soil"];
        assert_eq!(serde_yaml::to_string(soil).unwrap(), "base: clay\ndepth: 2\npH: 7\n");
        let keys: Vec<&str> =
            value.as_mapping().into_iter().flat_map(Mapping::keys).filter_map(Value::as_str).collect();
        assert_eq!(
            keys,
            ["name", "doc", "fields", "farmers", "policies"],
            "no presets, and nothing of how it was said"
        );
        for (path, place) in [
            ("Field-0.Soil-0.base", "base.yaml:4:25"),
            ("Field-0.Soil-0.depth", "base.yaml:10:52"),
            ("doc", "base.yaml:10:16"),
            ("Field-0.Soil-0.pH", "own.yaml:9:22"),
            ("fields.Field-1.entities.0.Soil", "own.yaml:7:31"),
            ("policies.expert", "own.yaml:5:20"),
            ("farmers.1", "own.yaml:4:14"),
            ("farmers.2", "own.yaml:10:14"),
            ("name", "own.yaml:1:7"),
        ] {
            assert_eq!(place_of(&document, path), place, "{path}");
        }
        assert!(document.own_text().starts_with("name: own"));
    }

    #[test]
    fn what_is_wrong_is_told_in_the_file_that_says_it() {
        for (own, place, said) in [
            ("extends: base\npreset: lrage\n", "own.yaml:1:10", "`name` is missing"),
            ("name: a\nextends: base\npreset: lrage\n", "own.yaml:3:9", "did you mean `large`?"),
            ("name: a\nextends: base\npreset: [large]\n", "own.yaml:3:9", "expected: a string"),
            ("name: a\nextends: base\nchanges: {farmers.7: b}\n", "own.yaml:3:22", "an index from 0 to 1, or `+`"),
            ("name: a\nextends: base\nchanges: [b]\n", "own.yaml:3:10", "a mapping from paths to values"),
        ] {
            let problems = extended(own).expect_err(own).to_string();
            assert!(problems.contains(place) && problems.contains(said), "{own}{problems}");
        }
    }

    #[test]
    fn a_base_may_begin_from_another_game() {
        let mut middle =
            Document::parse("middle.yaml", "name: middle\nextends: base\nchanges: {Field-0.Soil-0.pH: 5}\n").unwrap();
        middle.extend(Document::parse("base.yaml", BASE).unwrap()).unwrap();
        let mut own = Document::parse("own.yaml", "name: own\nextends: middle\ndoc: mine\n").unwrap();
        own.extend(middle).unwrap();
        for (path, place) in
            [("Field-0.Soil-0.pH", "middle.yaml:3:30"), ("policies.wait", "base.yaml:7:9"), ("doc", "own.yaml:3:6")]
        {
            assert_eq!(place_of(&own, path), place, "{path}");
        }
    }
}
