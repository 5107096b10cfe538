//! Invariant 7: no configuration, however broken, makes the platform panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use farm_core::Environment;
use farm_core::config::Document;
use farm_games::{CATALOGUE, Options, open};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::sync::Arc;

use crate::common::edited;
use crate::problems::open_text;

/// What takes the place of a scalar. Nothing here makes a field so large that memory is the limit.
const GARBAGE: [&str; 30] = [
    "~",
    "''",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "-1",
    "0",
    "3",
    "-0.5",
    "1e400",
    ".nan",
    "-.inf",
    "2147483648",
    "99999999999999999999",
    "true",
    "garbage",
    "'*'",
    "'(0, 1)'",
    "'(9, 0)'",
    "[0, 99]",
    "{a: 1}",
    "{base: clay}",
    "!tag x",
    "*alias",
    "\"",
    "%",
    "- x",
    "Field-0",
    "é\u{1F33D}",
];

/// One change of a text.
#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize),
    Duplicate(usize),
    Replace(usize, usize, usize),
    SwapIndent(usize, usize),
    SwapLines(usize, usize),
}

fn mutations() -> impl Strategy<Value = Mutation> {
    let at = || 0usize..1000;
    prop_oneof![
        1 => at().prop_map(Mutation::Delete),
        1 => at().prop_map(Mutation::Duplicate),
        4 => (at(), at(), at()).prop_map(|(line, word, with)| Mutation::Replace(line, word, with)),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::SwapIndent(a, b)),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::SwapLines(a, b)),
    ]
}

/// The byte ranges of the scalars of a line, keys included.
fn scalars(line: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (i, c) in line.char_indices().chain([(line.len(), ' ')]) {
        if c.is_whitespace() || "{}[],:".contains(c) {
            found.extend(start.take().map(|from| (from, i)));
        } else if start.is_none() {
            start = Some(i);
        }
    }
    found
}

fn split_indent(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start().len())
}

fn mutate(text: &str, mutation: &Mutation) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let n = lines.len().max(1);
    match *mutation {
        _ if lines.is_empty() => {}
        Mutation::Delete(line) => drop(lines.remove(line % n)),
        Mutation::Duplicate(line) => lines.insert(line % n, lines[line % n].clone()),
        Mutation::Replace(line, word, with) => {
            let line = &mut lines[line % n];
            let places = scalars(line);
            if let Some((from, to)) = places.get(word % places.len().max(1)) {
                line.replace_range(from..to, GARBAGE[with % GARBAGE.len()]);
            }
        }
        Mutation::SwapIndent(a, b) => {
            let (a, b) = (a % n, b % n);
            let (first, second) = (lines[a].clone(), lines[b].clone());
            let ((indent_a, rest_a), (indent_b, rest_b)) = (split_indent(&first), split_indent(&second));
            lines[a] = format!("{indent_b}{rest_a}");
            lines[b] = format!("{indent_a}{rest_b}");
        }
        Mutation::SwapLines(a, b) => lines.swap(a % n, b % n),
    }
    lines.join("\n") + "\n"
}

/// Opens a text; a game that comes of it is played, for it must not panic later either.
fn open_and_play(text: &str) {
    match open_text(text).1 {
        Err(problems) => {
            assert!(problems.has_errors(), "a refusal has a reason");
            assert!(problems.0.iter().all(|problem| problem.location.is_some()), "{problems}");
        }
        Ok(game) => {
            let mut environment = Environment::new(Arc::new(game));
            let game = environment.game().clone();
            for id in 0..8 {
                let text = environment.observation_text();
                assert!(!text.contains('?') || game.observation.entries.iter().any(|e| e.key.contains('?')), "{text}");
                drop((environment.observation_json(), environment.effect_mask(), environment.info()));
                // Also the step after the end of an episode must not panic.
                drop(environment.step_discrete(id * 7 % game.catalogue.discrete_len()));
            }
            for name in game.spec.policies.keys() {
                if let Ok(mut player) = game.player(name) {
                    let mut schedule = Vec::new();
                    player.start(1);
                    player.choose(&game, environment.state(), &mut schedule);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 1500, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Config::default() })]

    #[test]
    fn invariant_7_mutated_games_never_panic(game in 0..CATALOGUE.len(), changes in prop::collection::vec(mutations(), 1..4)) {
        let text = changes.iter().fold(CATALOGUE[game].yaml.to_owned(), |text, change| mutate(&text, change));
        let outcome = catch_unwind(AssertUnwindSafe(|| open_and_play(&text)));
        prop_assert!(outcome.is_ok(), "this text of {} panics:\n{text}", CATALOGUE[game].name);
    }

    #[test]
    fn invariant_7_any_text_at_all_never_panics(text in "[ -~\n]{0,60}", path in "[a-zA-Z0-9_.#\\-]{0,20}") {
        let document = Document::parse("any.yaml", &text);
        if let Ok(document) = document {
            drop(document.resolve(&path));
            prop_assert!(farm_core::config::load_document(&document).is_err(), "no short text is a game");
        }
        drop(open(&path, &Options::default()));
        let set = vec![(path, text)];
        drop(open("clay_bean", &Options { preset: None, set, ..Default::default() }));
    }
}

/// Values that a type check alone lets through.
#[test]
fn invariant_7_values_at_the_edge_are_refused_or_play() {
    let edits: [(&str, &str, &str); 16] = [
        ("clay_bean", "stage: seed", "stage: (0, 200)"),
        ("clay_bean", "stage: seed", "stage: 255"),
        ("clay_bean", "stage: seed", "stage: []"),
        ("clay_bean", "population#nb: 1", "population#nb: [0, 100]"),
        ("clay_bean", "day#int365: [110, 120, 130]", "day#int365: (0, 364)"),
        ("clay_bean", "of: [harvested, dead, none], operator: '>='", "of: [], operator: '>='"),
        ("clay_bean", "operator: '>=', ref_value: 1}", "operator: in, ref_value: []}"),
        (
            "clay_bean",
            "function: value, operator: '>=', ref_value: 330",
            "function: value, operator: in, ref_value: []",
        ),
        ("clay_bean", "amount#L: [1, 2, 3, 5, 10, 20]", "amount#L: []"),
        ("clay_bean", "max_action_schedule_size: 1", "max_action_schedule_size: 0"),
        ("clay_bean", "  - BasicFarmer: {max_daily_interventions: 1}", "  []"),
        ("backwards_valley", "    entities:\n", "    entities: []\n    other:\n"),
        ("backwards_valley", "  Field-0:\n", "  !tag Field-0:\n"),
        ("backwards_valley", "stages: [Hostile, Neutral, Friendly]", "stages: []"),
        ("backwards_valley", "statuses: [none, Seed,", "statuses: [Seed,"),
        ("backwards_valley", "max_steps: 40", "max_steps: 1000000000"),
    ];
    let mut panics = Vec::new();
    for (game, from, to) in edits {
        let text = edited(game, &[(from, to)]);
        if catch_unwind(AssertUnwindSafe(|| open_and_play(&text))).is_err() {
            panics.push(format!("{game}: `{from}` → `{to}`"));
        }
    }
    // A game without a field.
    for fields in ["fields: {}\n", "fields:\n", "fields: []\n", "fields: {1: {}}\n"] {
        let yaml = CATALOGUE[0].yaml;
        let (head, rest) = yaml.split_once("fields:\n").expect("the fields");
        let (_, tail) = rest.split_once("\nfarmers:").expect("the farmers");
        let text = format!("{head}{fields}\nfarmers:{tail}");
        if catch_unwind(AssertUnwindSafe(|| open_and_play(&text))).is_err() {
            panics.push(format!("`{}`", fields.trim()));
        }
    }
    assert!(panics.is_empty(), "these panic:\n{}", panics.join("\n"));
}
