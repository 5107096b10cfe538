//! A rule in separate files: `init:` and `actions:` at the root of a game, in the paper's layout.

use farm_core::config::{Document, ParameterError, Path, Problem, Problems, to_inline_yaml};
use farm_core::serde_yaml::Value;

use crate::sections::{RULE, SCORE, SCORE_KEYS, Sheets, rule_path};
use crate::vocabulary::Vocabulary;
use crate::{ReferenceError, Remarks};

/// The parameters set in a file for start and end, and those set in a file for actions.
const SETS: [(&str, &[&str]); 2] = [
    ("init", &["initial_conditions", "stopping_conditions"]),
    ("actions", &["free_observations", "observations", "actions"]),
];

/// Moves a game's `init:` and `actions:` into its rule, and values in the paper's layout into its score.
///
/// # Errors
/// Values that are set twice, unknown keys, or a rule of another kind, each with its location.
pub fn spread(document: &mut Document) -> Result<(), Problems> {
    let fields = document.value().get("fields").and_then(Value::as_mapping).into_iter().flatten();
    let fields: Vec<String> = fields.map(|(name, _)| to_inline_yaml(name)).collect();
    let mut problems = Problems::default();
    let mut located = Problems::default();
    let mut remarks = Remarks::default();
    for (key, sets) in SETS {
        let path = Path::default().child(key);
        if document.value().get(key).is_none() {
            continue;
        }
        if let Some(problem) = conflict(document, key, sets) {
            problems.push(problem);
            continue;
        }
        let origin = document.text_path(&path);
        let Some(value) = document.remove(&path) else { continue };
        let mut sheets = Sheets {
            document,
            vocabulary: Vocabulary::AsWritten(&fields),
            remarks: &mut remarks,
            problems: Vec::new(),
            asks: true,
        };
        if key == "init" {
            sheets.init(&value, origin)
        } else {
            sheets.actions(&value, origin)
        }
        let found = std::mem::take(&mut sheets.problems);
        located.0.extend(document.locate_at(found).0);
    }
    let score = Path::default().child("score");
    let in_layout = |value: &Value| SCORE_KEYS.iter().any(|key| value.get(*key).is_some());
    if score.value_in(document.value()).is_some_and(in_layout) {
        let origin = document.text_path(&score);
        let value = document.remove(&score).unwrap_or_default();
        document.place(&score.child(SCORE), Value::Mapping(Default::default()), origin.clone());
        let vocabulary = Vocabulary::AsWritten(&fields);
        let mut sheets = Sheets { document, vocabulary, remarks: &mut remarks, problems: Vec::new(), asks: true };
        sheets.score(&value, origin);
        let found = std::mem::take(&mut sheets.problems);
        located.0.extend(document.locate_at(found).0);
    }
    located.0.extend(document.locate(problems).0);
    if located.has_errors() { Err(located) } else { Ok(()) }
}

/// The problem if a file can't be moved into the rule.
fn conflict(document: &mut Document, key: &str, sets: &[&str]) -> Option<Problem> {
    let path = Path::default().child(key);
    let rules = document.value().get("rules").cloned().unwrap_or_default();
    match &rules {
        Value::Null => {}
        Value::String(kind) if kind == RULE => {
            let origin = document.text_path(&Path::default().child("rules"));
            let rule = Path::default().child("rules").child(RULE);
            document.place(&rule, Value::Mapping(Default::default()), origin);
        }
        rules if rules.get(RULE).is_some() => {}
        other => {
            let problem = Problem::new(
                ReferenceError::NotThisRule,
                path,
                format!("`{key}` belongs to `{RULE}`, but the game has another rule"),
            );
            return Some(
                problem.value(to_inline_yaml(other)).expected(format!("`rules: {{{RULE}: {{…}}}}`, or no `rules`")),
            );
        }
    }
    let twice = sets.iter().find(|set| rule_path(set).value_in(document.value()).is_some())?;
    let problem =
        Problem::new(ParameterError::SaidTwice, path, format!("`{key}` and `rules.{RULE}.{twice}` set the same thing"));
    Some(problem.value(twice).help("leave one of the two out"))
}
