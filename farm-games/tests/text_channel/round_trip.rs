//! The text of an observation says what the arrays say, no more and no less, and reads back to them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use farm_core::Environment;
use farm_games::level::{Split, of_split};
use proptest::prelude::*;

use super::{environment, game_on};

/// Both grid games with every preset, and the number of actions that each has.
const GAMES: [(&str, Option<&str>, usize); 5] = [
    ("backwards_valley", None, 11),
    ("backwards_valley", Some("autoenv_compat"), 11),
    ("backwards_valley", Some("scattered"), 11),
    ("valley_farm", None, 12),
    ("valley_farm", Some("autoenv_compat"), 12),
];

/// The arrays as a reader has them who knows the spaces of a game and splits the text at spaces: a number for each word, or one
/// for each part of it, categories by their rank.
fn arrays(env: &Environment, text: &str) -> serde_json::Value {
    let mut lines = text.lines().peekable();
    let mut arrays = serde_json::Map::new();
    for entry in env.game().observation().entries() {
        let (key, first) = lines.next().and_then(|line| line.split_once(':')).expect("a line for each array");
        let mut words: Vec<String> = first.split_whitespace().map(str::to_owned).collect();
        while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
            words.extend(line.split_whitespace().map(str::to_owned));
        }
        let labels = |index: usize| entry.kind().labels(index);
        let per_word = if entry.shape().len() == 3 { entry.shape()[2] } else { 1 };
        let mut numbers = Vec::new();
        for word in &words {
            let word = word.trim_matches(['[', ']']);
            let word = word.split_once('=').map_or(word, |(_, value)| value);
            let mut parts: Vec<&str> = word.split('/').collect();
            let named = parts.len();
            parts.resize(per_word, "");
            for (i, part) in parts.into_iter().enumerate() {
                numbers.push(match labels(numbers.len()) {
                    Some(_) if i >= named => 0.0,
                    Some(labels) => (0..labels.len()).find(|i| labels.name(*i) == part).expect("a label") as f64,
                    None => part.parse().expect("a number"),
                });
            }
        }
        arrays.insert(key.to_owned(), serde_json::json!(numbers));
    }
    assert_eq!(lines.next(), None, "nothing else is told");
    serde_json::Value::Object(arrays)
}

/// The observation as JSON, each array in one row.
fn flat(env: &Environment) -> serde_json::Value {
    fn numbers(json: &serde_json::Value, out: &mut Vec<f64>) {
        match json {
            serde_json::Value::Array(items) => items.iter().for_each(|item| numbers(item, out)),
            number => out.push(number.as_f64().expect("a number")),
        }
    }
    let json = env.observation_json();
    let rows = json.as_object().expect("arrays by key").iter().map(|(key, array)| {
        let mut row = Vec::new();
        numbers(array, &mut row);
        (key.clone(), serde_json::json!(row))
    });
    serde_json::Value::Object(rows.collect())
}

fn assert_says_the_same(env: &Environment) {
    let text = env.game().observation().to_text(env.observation());
    assert_eq!(env.game().observation().parse_text(&text).as_deref(), Ok(env.observation()), "{text}");
    assert_eq!(arrays(env, &text), flat(env), "{text}");
}

proptest! {
    #[test]
    fn observation_text_reads_back_over_seeds_and_steps(
        seed in any::<u64>(),
        which in 0..GAMES.len(),
        actions in prop::collection::vec(0_usize..132, 0..50),
    ) {
        thread_local!(static PLAYED: RefCell<HashMap<usize, Environment>> = RefCell::default());
        PLAYED.with_borrow_mut(|played| {
            let (name, preset, n) = GAMES[which];
            let env = played.entry(which).or_insert_with(|| environment(name, preset, &[]));
            env.reset(seed);
            assert_says_the_same(env);
            for action in actions {
                if env.state().over() {
                    break;
                }
                // Every action by its name, as the text channel takes it.
                let calls = env.game().catalogue().discrete(action % n).expect("an action").to_vec();
                let text = env.game().catalogue().write(&calls[0]).to_lowercase();
                env.step(&text).expect("a step");
                prop_assert_eq!(env.info().to_json()["rejected"].as_array().map(Vec::len), Some(0), "{}", text);
                assert_says_the_same(env);
            }
            Ok(())
        })?;
    }
}

#[test]
fn observation_text_reads_back_on_every_shipped_level() {
    for (name, preset, n) in GAMES.into_iter().filter(|(_, preset, _)| *preset != Some("scattered")) {
        for level in Split::ALL.into_iter().flat_map(|split| of_split(name, split)) {
            let mut env = Environment::new(Arc::new(game_on(name, preset, level)));
            env.reset(0);
            assert_says_the_same(&env);
            for step in 0.. {
                if env.step(step * 7 % n).expect("a step").over() {
                    break;
                }
                assert_says_the_same(&env);
            }
        }
    }
}

#[test]
fn observation_text_reads_back_in_the_farm_games_too() {
    for name in ["clay_bean-v0", "full_farm-v0"] {
        for set in [&[][..], &[("interaction_mode", "aomdp")], &[("interaction_mode", "fomdp")]] {
            let mut env = environment(name, Some("4x3"), set);
            for step in 0..60 {
                let text = env.game().observation().to_text(env.observation());
                assert_eq!(env.game().observation().parse_text(&text).as_deref(), Ok(env.observation()), "{text}");
                if env.step(step * 13 % env.game().catalogue().discrete_len()).expect("a step").over() {
                    env.reset(step as u64);
                }
            }
        }
    }
}

/// The farmer's own tile stands in brackets in the middle of the window, and nothing else does.
#[test]
fn the_own_tile_is_marked() {
    for name in ["backwards_valley", "valley_farm"] {
        let mut env = environment(name, None, &[]);
        for action in ["wait", "move n", "moven", "move north", "wait"] {
            env.step(action).expect("a step");
            let text = env.game().observation().to_text(env.observation());
            let rows: Vec<Vec<&str>> =
                text.lines().skip(1).take(5).map(|row| row.split_whitespace().collect()).collect();
            assert!(rows.iter().all(|row| row.len() == 5), "{text}");
            assert!(rows[2][2].starts_with('[') && rows[2][2].ends_with(']'), "{text}");
            assert_eq!(text.matches('[').count(), 1, "{text}");
        }
    }
}

/// A text that was changed is no observation of the game, or another one; it never passes for the same.
#[test]
fn what_is_no_observation_is_refused_with_its_line() {
    let env = environment("valley_farm", None, &[]);
    let (text, layout) = (env.game().observation().to_text(env.observation()), env.game().observation());
    for (from, to, says) in [
        ("seeds=5", "seds=5", "expected `seeds`, found `seds=5`"),
        ("seeds=5", "seeds=five", "`five` is not one of its values"),
        ("seeds=5 ", "", "`inventory` has 7 values, found 6"),
        ("centre: none", "centre: nothing", "`nothing` is not one of its values"),
        ("centre: none\n", "", "expected a line that starts with `centre:`"),
        ("remaining: 50", "remaining: 51", "`51` is not one of its values"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "`{from}` is there");
        let problem = layout.parse_text(&changed).expect_err(from);
        assert!(problem.contains(says), "{problem}");
    }
    // Without their names the values stand in order.
    let bare: String = text.replace("seeds=", "").replace("gifts=", "");
    assert_eq!(layout.parse_text(&bare).as_deref(), Ok(env.observation()));
    assert_ne!(layout.parse_text(&text.replace("seeds=5", "seeds=4")).as_deref(), Ok(env.observation()));
}

/// Items whose names would not read back stand in order without them.
#[test]
fn items_with_odd_names_read_back() {
    let items = "{seeds: 5, water: 5, crops: 0, feed: 3, products: 0, coins: 0, gifts: 3, old hat: 1}";
    let env = environment("valley_farm", None, &[("farmers.0.GridFarmer.inventory#nb", items)]);
    let text = env.game().observation().to_text(env.observation());
    assert!(text.contains("inventory: 5 5 0 3 0 0 3 1\n"), "{text}");
    assert_eq!(env.game().observation().parse_text(&text).as_deref(), Ok(env.observation()), "{text}");
}
