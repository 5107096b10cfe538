//! Stopping conditions on variables that never change, so that what is true is known by hand.

use crate::sheet::Sheet;

/// Three plots: levels 1, 2, 4; marks red, green, blue; number 7; ahead 5, 6, 7, 8; left 2; open.
const START: &str = "\
initial_conditions:
  Field-0:
    Board-0:
      level#nb: {'(0, 0)': 1, '(1, 0)': 2, '(2, 0)': 4}
      mark: {'(0, 0)': red, '(1, 0)': green, '(2, 0)': blue}
      number#nb: 7
      ahead#nb: {0: 5, 1: 6, 2: 7, 3: 8}
      pair: {left#nb: 2, right#nb: 3}
      open: true";

const LEVEL: &str = "[Field-0, Board-0, level#nb]";
const MARK: &str = "[Field-0, Board-0, mark]";
const NUMBER: &str = "[Field-0, Board-0, number#nb]";

fn sheet(rules: &str) -> Sheet<'_> {
    Sheet { entities: "[Board]", rules, mode: "pomdp", ..Sheet::default() }
}

/// Whether a formula ends the game after its first step, and why.
fn ends(formula: &str) -> Option<String> {
    let rules = format!("{START}\nstopping_conditions: {formula}\nmax_steps: 3");
    let mut env = sheet(&rules).environment();
    let outcome = env.step(&[]).unwrap();
    assert!(!outcome.truncated, "{formula}");
    assert_eq!(env.info().to_json()["stop"].is_string(), outcome.terminated, "{formula}");
    env.info().to_json()["stop"].as_str().map(str::to_owned)
}

fn one(variable: &str, function: &str, operator: &str, value: &str) -> String {
    format!("{{state_variable: {variable}, {function}, operator: '{operator}', ref_value: {value}}}")
}

#[test]
fn every_function_with_every_comparison() {
    // What each function yields, counted by hand.
    for (variable, function, value) in [
        ("step", "function: value", 1.0),
        ("remaining", "function: value", 2.0),
        (NUMBER, "function: value", 7.0),
        (NUMBER, "function: sum", 7.0),
        ("[Field-0, Board-0, level#nb, ['(1, 0)']]", "function: value", 2.0),
        ("[Field-0, Board-0, ahead#nb, [3]]", "function: value", 8.0),
        ("[Field-0, Board-0, pair, ['left#nb']]", "function: value", 2.0),
        ("[Field-0, Board-0, pair.right#nb]", "function: value", 3.0),
        (LEVEL, "function: sum", 7.0),
        (LEVEL, "function: mean", 7.0 / 3.0),
        (LEVEL, "function: min", 1.0),
        (LEVEL, "function: max", 4.0),
        ("[Field-0, Board-0, ahead#nb]", "function: mean", 6.5),
        (LEVEL, "function: count, of: [1, 4, 9]", 2.0),
        (LEVEL, "function: fraction, of: 2", 1.0 / 3.0),
        (MARK, "function: count, of: green", 1.0),
        (MARK, "function: count, of: [red, blue]", 2.0),
        (MARK, "function: fraction, of: [red, green, blue]", 1.0),
    ] {
        let whole = variable == "step" || variable == "remaining" || value == f64::floor(value);
        for (operator, holds) in [
            ("==", [false, true, false]),
            ("!=", [true, false, true]),
            ("<", [false, false, true]),
            ("<=", [false, true, true]),
            (">", [true, false, false]),
            (">=", [true, true, false]),
        ] {
            for (reference, expected) in [value - 1.0, value, value + 1.0].into_iter().zip(holds) {
                // A third is no decimal, so only its neighbours are compared with.
                if reference == value && !whole {
                    continue;
                }
                let formula = format!("[[{}]]", one(variable, function, operator, &reference.to_string()));
                assert_eq!(ends(&formula).is_some(), expected, "{formula}");
            }
        }
    }
}

#[test]
fn words_flags_and_lists() {
    let plot = |x: u32| format!("[Field-0, Board-0, mark, ['({x}, 0)']]");
    for (variable, operator, value, expected) in [
        (plot(0), "==", "red", true),
        (plot(0), "==", "blue", false),
        (plot(1), "!=", "red", true),
        (plot(2), "in", "[red, blue]", true),
        (plot(1), "in", "[red, blue]", false),
        (plot(1), "in", "green", true),
        (plot(1), "not in", "[red, blue]", true),
        (plot(2), "not in", "[red, blue]", false),
        (NUMBER.to_owned(), "in", "[3, 7]", true),
        (NUMBER.to_owned(), "in", "[3, 6]", false),
        (NUMBER.to_owned(), "not in", "[3, 6]", true),
        ("[Field-0, Board-0, open]".to_owned(), "==", "true", true),
        ("[Field-0, Board-0, open]".to_owned(), "==", "false", false),
        ("[Field-0, Board-0, open]".to_owned(), "!=", "false", true),
    ] {
        let formula = format!("[[{}]]", one(&variable, "function: value", operator, value));
        assert_eq!(ends(&formula).is_some(), expected, "{formula}");
    }
}

/// `ni` turns `in` round: the values contain the references.
#[test]
fn values_contain() {
    let ahead = "[Field-0, Board-0, ahead#nb]";
    for (variable, function, value, expected) in [
        (MARK, "function: value", "green", true),
        (MARK, "function: value", "[red, blue]", true),
        (ahead, "function: value", "8", true),
        (ahead, "function: value", "[5, 9]", false),
        (ahead, "function: max", "8", true),
        (ahead, "function: max", "7", false),
        (NUMBER, "function: value", "7", true),
        (NUMBER, "function: value", "[7, 8]", false),
    ] {
        for (operator, expected) in [("ni", expected), ("not ni", !expected)] {
            let formula = format!("[[{}]]", one(variable, function, operator, value));
            assert_eq!(ends(&formula).is_some(), expected, "{formula}");
        }
    }
}

/// The reasons are told, and the first clause that holds is the reason.
#[test]
fn a_list_of_lists_means_or_of_ands() {
    let (yes, no) = (one(NUMBER, "function: value", "==", "7"), one(NUMBER, "function: value", "==", "8"));
    let also = one(LEVEL, "function: max", ">=", "4");
    for (formula, expected) in [
        (format!("[[{yes}]]"), true),
        (format!("[[{no}]]"), false),
        (format!("[[{yes}, {no}]]"), false),
        (format!("[[{yes}, {also}]]"), true),
        (format!("[[{no}], [{yes}]]"), true),
        (format!("[[{no}, {yes}], [{also}, {no}]]"), false),
        (format!("[[{no}, {yes}], [{also}, {no}], [{also}]]"), true),
        ("[]".to_owned(), false),
    ] {
        assert_eq!(ends(&formula).is_some(), expected, "{formula}");
    }
    let reason = ends(&format!("[[{no}], [{yes}, {also}], [{yes}]]")).unwrap();
    assert_eq!(reason, "Field-0.Board-0.number#nb is 7 and the highest Field-0.Board-0.level#nb reaches 4");
}

#[test]
fn a_condition_terminates_and_the_limit_of_days_truncates() {
    let stop = one("step", "function: value", ">=", "2");
    for (rules, days, terminated, reason) in [
        ("max_steps: 3".to_owned(), 3, false, "after 3 steps"),
        ("max_steps: 3\nat_max_steps: terminated".to_owned(), 3, true, "after 3 steps"),
        (format!("max_steps: 3\nstopping_conditions: [[{stop}]]"), 2, true, "step reaches 2"),
        (format!("max_steps: 2\nstopping_conditions: [[{stop}]]"), 2, true, "step reaches 2"),
        (format!("stopping_conditions: [[{stop}]]"), 2, true, "step reaches 2"),
    ] {
        let mut env = sheet(&rules).environment();
        for day in 1..=days {
            let outcome = env.step(&[]).unwrap();
            assert_eq!(outcome.over(), day == days, "{rules}: day {day}");
            assert_eq!(
                (outcome.terminated, outcome.truncated),
                (day == days && terminated, day == days && !terminated)
            );
        }
        assert_eq!(env.info().to_json()["stop"], serde_json::json!(reason));
        assert!(env.step(&[]).is_err());
        env.reset(1);
        assert!(!env.step(&[]).unwrap().over(), "a reset begins anew");
    }
}

#[test]
fn a_condition_that_can_not_be_read_is_an_error_with_its_place() {
    for (condition, pieces) in [
        (
            "state_variable: [Field-0, Board-0, levl#nb], function: sum, operator: '>', ref_value: 1",
            vec!["no variable `levl#nb`", "`level#nb`"],
        ),
        (
            "state_variable: [Field-0, Bord-0, level#nb], function: sum, operator: '>', ref_value: 1",
            vec!["no part `Bord-0`", "`Board-0`"],
        ),
        (
            "state_variable: [Feld-0, Board-0, level#nb], function: sum, operator: '>', ref_value: 1",
            vec!["`Feld-0`", "`Field-0`"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb, ['(3, 0)']], function: value, operator: '>', ref_value: 1",
            vec!["no such entry", "(2, 0)"],
        ),
        (
            "state_variable: [Field-0, Board-0, ahead#nb, [4]], function: value, operator: '>', ref_value: 1",
            vec!["no such entry"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: value, operator: '>', ref_value: 1",
            vec!["has several values"],
        ),
        (
            "state_variable: [Field-0, Board-0, pair], function: sum, operator: '>', ref_value: 1",
            vec!["reads only one variable"],
        ),
        (
            "state_variable: [Field-0, Board-0, seen#nb], function: value, operator: '>', ref_value: 1",
            vec!["computed only when it is observed"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: avg, operator: '>', ref_value: 1",
            vec!["unknown function `avg`"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: meen, operator: '>', ref_value: 1",
            vec!["did you mean `mean`?"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: sum, operator: '=>', ref_value: 1",
            vec!["unknown operator `=>`"],
        ),
        ("state_variable: [Field-0, Board-0, level#nb], function: sum, operator: '>'", vec!["`ref_value` is missing"]),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: sum, operator: '>', ref_value: [1, 2]",
            vec!["compares with one value"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: sum, operator: in, ref_value: []",
            vec!["the list is empty"],
        ),
        (
            "state_variable: [Field-0, Board-0, level#nb], function: count, operator: '>', ref_value: 1",
            vec!["`of` is missing"],
        ),
        (
            "state_variable: [Field-0, Board-0, mark], function: count, of: grean, operator: '>', ref_value: 1",
            vec!["did you mean `green`?"],
        ),
        ("state_variable: [Field-0, Board-0, number#nb], operator: '>', ref_value: many", vec!["an integer"]),
        (
            "state_variable: [Field-0, Board-0, number#nb], operator: '>', refvalue: 1",
            vec!["unknown key `refvalue`", "`ref_value`"],
        ),
        ("operator: '>', ref_value: 1", vec!["`state_variable` is missing"]),
    ] {
        let rules = format!("stopping_conditions:\n  - - {{{condition}}}");
        let shown = sheet(&rules).refused_at(condition);
        for piece in pieces {
            assert!(shown.contains(piece), "{condition}: `{piece}` is not in\n{shown}");
        }
    }
    for wrong in ["{a: 1}", "[{a: 1}]", "3", "[[3]]", "['now']"] {
        sheet(&format!("stopping_conditions: {wrong}")).refused_at(&format!("stopping_conditions: {wrong}"));
    }
}

#[test]
fn a_clause_says_itself_why_the_episode_ends() {
    let with_reason = one(NUMBER, "function: value", ">=", "7").replace('}', ", reason: the number is high}");
    assert_eq!(ends(&format!("[[{with_reason}]]")).as_deref(), Some("the number is high"));
    let second = one(LEVEL, "function: sum", ">=", "7").replace('}', ", reason: so are the levels}");
    let both = format!("[[{with_reason}, {second}]]");
    assert_eq!(ends(&both).as_deref(), Some("the number is high and so are the levels"));
    // The rules that a player is told have the condition itself.
    let rules = format!("{START}\nstopping_conditions: [[{with_reason}]]\nmax_steps: 3");
    let game = sheet(&rules).environment().game().clone();
    assert_eq!(farm_core::inspect::endings(&game)[0], "when the number is high (Field-0.Board-0.number#nb reaches 7)");
}

#[test]
fn a_reason_changes_nothing_of_what_is_played() {
    let plain = one(NUMBER, "function: value", ">=", "7");
    let fingerprint = |formula: &str| {
        let rules = format!("{START}\nstopping_conditions: [[{formula}]]\nmax_steps: 3");
        sheet(&rules).environment().game().fingerprint()
    };
    assert_eq!(fingerprint(&plain), fingerprint(&plain.replace('}', ", reason: the number is high}")));
    assert_ne!(fingerprint(&plain), fingerprint(&plain.replace("7}", "8}")));
}
