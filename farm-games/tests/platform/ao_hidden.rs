//! What was not paid for is not told: not by the record, not by JSON, text or the list of observations.

use farm_core::{ActionKind, Environment, Stream};
use serde_json::json;

use super::common::{Variant, variants};
use super::support::random_calls;

fn actively_observed() -> impl Iterator<Item = &'static Variant> {
    variants().iter().filter(|variant| variant.label.ends_with("aomdp"))
}

/// Plays every such game with random observations and interventions and shows the environment after each step.
fn visit(mut check: impl FnMut(&Environment, &str)) {
    for variant in actively_observed() {
        let mut env = Environment::new(variant.game.clone());
        let mut stream = Stream::from_seed(21);
        check(&env, &variant.label);
        for seed in 0..60 {
            let kind = env.expects();
            let most = if kind == ActionKind::Observation { 6 } else { 2 };
            let calls = random_calls(env.game(), kind, most, &mut stream);
            let over = env.step(&calls).unwrap().over();
            check(&env, &variant.label);
            if over {
                env.reset(seed);
            }
        }
    }
}

#[test]
fn what_is_blank_has_the_blank_value_and_lies_in_the_space() {
    visit(|env, label| {
        let (layout, record) = (&env.game().observation(), env.observation());
        for (e, entry) in layout.entries().iter().enumerate() {
            let (low, high) = entry.kind().range();
            for i in (0..entry.len()).filter(|i| !layout.is_present(record, e, *i)) {
                assert_eq!(
                    entry.number(record, i) as f32,
                    0.0_f32.clamp(low as f32, high as f32),
                    "{label}: {}",
                    entry.key()
                );
            }
        }
        assert!(env.game().observation().space().contains(&env.observation_json()), "{label}");
    });
}

#[test]
fn presence_in_json_text_and_the_list_of_observations_agree() {
    visit(|env, label| {
        let (layout, record) = (env.game().observation(), env.observation());
        let (json, text) = (env.observation_json(), env.game().observation().to_text(env.observation()));
        let bits: Vec<bool> = json["presence"].as_array().unwrap().iter().map(|bit| *bit == json!(1)).collect();
        let values = || layout.entries().iter().enumerate().filter(|(_, entry)| entry.reference().is_some());
        let expected: Vec<bool> =
            values().flat_map(|(e, entry)| (0..entry.len()).map(move |i| layout.is_present(record, e, i))).collect();
        assert_eq!(bits, expected, "{label}");
        // What the list tells, number by number.
        let listed: usize = env
            .game()
            .learner_view()
            .list(env.observation())
            .as_array()
            .unwrap()
            .iter()
            .map(|item| numbers(&item[4]))
            .sum();
        assert_eq!(listed, bits.iter().filter(|bit| **bit).count(), "{label}");
        let mut lines = text.lines().peekable();
        for (e, entry) in values() {
            let mut body = lines.next().unwrap().strip_prefix(&format!("{}:", entry.key())).unwrap().to_owned();
            while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
                body.push(' ');
                body.push_str(line);
            }
            let present = (0..entry.len()).filter(|i| layout.is_present(record, e, *i)).count();
            let asked = body.split_whitespace().filter(|word| *word == "?").count();
            let words = body.split_whitespace().count();
            match present {
                0 if entry.is_empty() => {}
                0 => assert_eq!((asked, words), (1, 1), "{label}: {}: {body}", entry.key()),
                n if n == entry.len() => assert_eq!(asked, 0, "{label}: {}: {body}", entry.key()),
                n => assert_eq!((asked, words - asked), (entry.len() - n, n), "{label}: {}: {body}", entry.key()),
            }
        }
        assert_eq!(lines.next(), Some(&*format!("half_step: {}", env.expects().name())), "{label}");
        assert_eq!(lines.next(), None, "{label}");
    });
}

fn numbers(value: &serde_json::Value) -> usize {
    value.as_array().map_or(1, |items| items.iter().map(numbers).sum())
}

#[test]
fn the_text_reads_back_to_the_same_record() {
    visit(|env, label| {
        let layout = env.game().observation();
        let text = env.game().observation().to_text(env.observation());
        assert_eq!(layout.parse_text(&text).as_deref(), Ok(env.observation()), "{label}:\n{text}");
    });
}

/// The list names what is shown: a policy may read it only then.
#[test]
fn what_a_policy_may_read_is_what_is_shown() {
    visit(|env, label| {
        let game = env.game();
        for (e, entry) in game.observation().entries().iter().enumerate() {
            let Some(whole) = entry.reference() else { continue };
            let present: Vec<bool> =
                (0..entry.len()).map(|i| game.observation().is_present(env.observation(), e, i)).collect();
            let one = |i| whole.clone().at(i);
            for (i, bit) in present.iter().enumerate() {
                assert!(game.learner_view().is_shown(env.state(), &one(i)) == *bit, "{label}: {} {i}", entry.key());
            }
            assert_eq!(
                game.learner_view().is_shown(env.state(), whole),
                present.iter().all(|bit| *bit),
                "{label}: {}",
                entry.key()
            );
        }
    });
}
