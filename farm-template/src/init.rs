//! The file for the start and the end.

use farm_core::declare::{PartInfo, ValueKind, VariableInfo};
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::{Game, State};

use crate::actions::{place, reference_note, rule};
use crate::notes;
use crate::text::{Sheet, flow, line};
use crate::tree::{self, Leaf, by_part, merged};

/// Writes the file for the start and the end.
pub(crate) fn write(game: &Game, files: [&str; 3]) -> String {
    let [_, actions, _] = files;
    let rule = rule(game);
    let mut sheet = Sheet::default();
    sheet.prose(0, &format!("Start and end of `{}`.", game.spec().name()));
    sheet.prose(0, "");
    sheet.prose(0, "Lines with one # are unused entries: remove the # to use them. They show the value of the");
    sheet.prose(0, "variable at the start of an episode with seed 0. Values: one for all, a list to choose from at");
    sheet.prose(0, "random, a range '(low, high)' to draw from, or {'(0, 0)': value} for single plots.");
    sheet.blank();
    sheet.key(0, "Initial", "");
    initial(&mut sheet, game, rule.get("initial_conditions").unwrap_or(&Value::Null));
    sheet.blank();
    sheet.prose(0, &format!("The game ends when all conditions of a line hold; `max_steps` is in {actions}."));
    sheet.prose(0, "function: value | sum | mean | min | max, or count | fraction with `of: [values]`.");
    sheet.prose(
        0,
        "operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | in | ni. `step` and `remaining` are variables too.",
    );
    sheet.key(0, "Terminal", "");
    terminal(&mut sheet, game, rule.get("stopping_conditions").unwrap_or(&Value::Null));
    sheet.finish()
}

fn initial(sheet: &mut Sheet, game: &Game, source: &Value) {
    let mut state = game.new_state();
    game.reset(&mut state, 0, &mut game.new_record());
    let (first, below) = by_part(game, source);
    tree::write(sheet, 2, game, &first, &|part| {
        let info = &game.parts()[part];
        let said = below.iter().find(|(p, _)| *p == part).map(|(_, values)| values);
        let said: Vec<(String, &Value)> =
            said.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value))).collect();
        // The score computes its own variables.
        let is_score = part + 1 == game.parts().len();
        let settable = info.variables().iter().filter(|v| !v.is_empty() && (v.visible() || !is_score));
        let all: Vec<String> = settable.map(|v| v.name().to_owned()).collect();
        let names: Vec<String> = said.iter().map(|(name, _)| name.clone()).collect();
        let line = |name: String| {
            let variable = info.variables().iter().find(|v| v.name() == name);
            let comment = variable.map(variable_note).unwrap_or_default();
            let found = said.iter().find(|(said, _)| *said == name);
            let text = match (found, variable) {
                (Some((_, value)), _) => format!("{}: {}", super::text::scalar(&name), flow(value)),
                (None, Some(variable)) => line(&name, &value_at_start(game, &state, variable)),
                (None, None) => return None,
            };
            Some(Leaf { used: found.is_some(), text, comment, ..Leaf::default() })
        };
        merged(&names, &all).into_iter().filter_map(line).collect()
    });
}

fn variable_note(variable: &VariableInfo) -> String {
    let hidden = if variable.visible() { "" } else { " (not seen by the learner)" };
    let doc = format!("{}{hidden}", variable.doc());
    notes::variable(variable.name(), variable.kind(), variable.shape(), variable.per_plot(), &doc)
}

/// A variable's first value at the start of an episode, in the form used in a configuration.
fn value_at_start(game: &Game, state: &State, variable: &VariableInfo) -> Value {
    let reader = game.reader(state);
    let number = variable
        .column::<f64>()
        .map(|c| reader.get(c)[0])
        .or_else(|| variable.column::<i32>().map(|c| f64::from(reader.get(c)[0])))
        .or_else(|| variable.column::<u8>().map(|c| f64::from(reader.get(c)[0])))
        .unwrap_or(variable.default());
    value(variable.kind(), number)
}

fn value(kind: &ValueKind, number: f64) -> Value {
    if kind.is_whole() {
        return kind.to_yaml(number);
    }
    let (low, high) = kind.range();
    // Six digits exceed any measurement.
    let rounded = format!("{number:.5e}").parse().unwrap_or(number);
    kind.to_yaml(if (low..=high).contains(&rounded) { rounded } else { number.clamp(low, high) })
}

fn terminal(sheet: &mut Sheet, game: &Game, source: &Value) {
    let clauses: Vec<&Value> = source.as_sequence().into_iter().flatten().collect();
    for clause in &clauses {
        let conditions = clause.as_sequence().into_iter().flatten();
        let notes: Vec<String> =
            conditions.filter_map(|condition| reference_note(game, condition.get("state_variable")?)).collect();
        sheet.entry(2, true, &format!("- {}", flow(clause)), &notes.join(" And: "));
    }
    let steps = "- [{state_variable: step, operator: '>=', ref_value: 100}]";
    sheet.entry(2, false, steps, "integer: Steps taken.");
    for part in game.parts().iter() {
        let Some((text, variable)) = example(game, part) else { continue };
        let said = |clause: &&Value| {
            flow(clause).contains(&format!("{}, {}", part.name(), super::text::scalar(variable.name())))
        };
        if !clauses.iter().any(said) {
            sheet.entry(2, false, &text, &variable_note(variable));
        }
    }
}

/// A condition on a part's most informative variable, preferably a variable whose values are words.
fn example<'p>(game: &Game, part: &'p PartInfo) -> Option<(String, &'p VariableInfo)> {
    let usable = || part.variables().iter().filter(|v| v.visible() && !v.is_empty());
    let is_word = |v: &&VariableInfo| v.kind().lists().is_some_and(|lists| lists.len() == 1);
    let variable = usable().find(is_word).or_else(|| usable().next())?;
    let mut reference = place(game, part);
    reference.push(Value::from(variable.name()));
    let mut condition = Mapping::new();
    let mut set = |key: &str, value: Value| condition.insert(key.into(), value);
    set("state_variable", Value::Sequence(reference));
    let last = value(variable.kind(), variable.kind().range().1);
    let is_word = is_word(&variable);
    match (is_word, variable.len() > 1) {
        (true, true) => {
            set("function", "fraction".into());
            set("of", Value::Sequence(vec![last]));
            set("operator", ">=".into());
            set("ref_value", Value::from(1.0));
        }
        (true, false) => {
            set("operator", "==".into());
            set("ref_value", last);
        }
        (false, many) => {
            set("function", if many { "mean" } else { "value" }.into());
            set("operator", ">=".into());
            set("ref_value", if last.is_bool() { Value::from(1) } else { last });
        }
    }
    Some((format!("- [{}]", flow(&Value::Mapping(condition))), variable))
}
