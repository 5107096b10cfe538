//! The same farm in every interaction mode: who looks how changes nothing in the field.

use std::collections::BTreeMap;
use std::sync::Arc;

use farm_core::declare::Quantity;
use farm_core::{ActionKind, Environment, Stream};
use farm_games::{Options, open};
use serde_json::Value as Json;

use super::common::{Variant, variants};
use super::support::{columns, random_calls};

/// The games that are tested in every mode, each as its three variants. Actions without effect are paid in all of them, because no rules reject
/// such actions where looks have a price.
fn in_all_modes() -> impl Iterator<Item = Vec<Variant>> {
    let name = |variant: &Variant| variant.label.rsplit_once(' ').map(|(game, _)| game.to_owned());
    let modes = variants().chunk_by(move |a, b| name(a) == name(b)).filter(|modes| modes.len() == 3);
    modes.map(|modes| modes.iter().map(paid).collect())
}

/// The same game, in which actions without effect are paid.
fn paid(variant: &Variant) -> Variant {
    let mut words = variant.label.split(' ');
    let (name, mode) = (words.next().unwrap(), words.next_back().unwrap());
    let set = [("interaction_mode", mode), ("rules.BasicRule.futile_actions", "paid")];
    let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
    let game = open(name, &Options { set, ..Default::default() }).unwrap_or_else(|problems| panic!("{problems}"));
    Variant { label: variant.label.clone(), game: Arc::new(game) }
}

type Days = Vec<(BTreeMap<String, Vec<u64>>, u64, bool)>;

/// The columns, the reward and the end of each day under written interventions; in `aomdp` with looks in between.
fn play(variant: &Variant, seed: u64, days: &[Json]) -> Days {
    let mut env = Environment::new(variant.game.clone());
    env.reset(seed);
    let mut looks = Stream::from_seed(seed + 1);
    let mut found = Vec::new();
    for schedule in days {
        let mut reward = 0.0;
        if env.expects() == ActionKind::Observation {
            let calls = random_calls(env.game(), ActionKind::Observation, 3, &mut looks);
            reward += env.step(&calls).unwrap().reward;
        }
        let outcome = env.step(schedule).unwrap();
        found.push((columns(env.game(), env.state()), (reward + outcome.reward).to_bits(), outcome.over()));
        if outcome.over() {
            break;
        }
    }
    found
}

#[test]
fn equal_seeds_and_interventions_give_equal_bytes_in_every_mode() {
    // A farmer whose days off are counted has worked on a day on which it looked.
    let counts_looks = |variant: &Variant| {
        let variables = variant.game.parts().iter().flat_map(|part| part.variables());
        variables.into_iter().any(|variable| variable.name() == "worked_today")
    };
    for modes in in_all_modes().filter(|modes| !counts_looks(&modes[0])) {
        let game = &modes[0].game;
        for seed in 0..3 {
            let mut stream = Stream::from_seed(seed);
            let days: Vec<Json> = (0..120)
                .map(|_| {
                    let calls =
                        random_calls(game, ActionKind::Intervention, game.catalogue().max_schedule() + 1, &mut stream);
                    calls.iter().map(|call| game.catalogue().to_json(call)).collect()
                })
                .collect();
            let expected = play(&modes[0], seed, &days);
            assert!(expected.len() > 5, "{}: the season is too short to tell", modes[0].label);
            for variant in &modes {
                let found = play(variant, seed, &days);
                for (day, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    for (name, bits) in &found.0 {
                        assert_eq!(*bits, expected.0[name], "{} day {day}: {name}", variant.label);
                    }
                }
                assert!(found == expected, "{}: rewards or ends differ", variant.label);
            }
        }
    }
}

#[test]
fn the_three_modes_are_three() {
    for modes in in_all_modes() {
        let words: Vec<&str> = modes.iter().map(|v| v.label.rsplit(' ').next().unwrap()).collect();
        assert_eq!(words, ["pomdp", "fomdp", "aomdp"]);
        let seen = modes[0].game.observation().entries().iter().filter_map(|entry| entry.reference());
        for reference in seen.filter(|reference| !matches!(reference.quantity(), Quantity::Step | Quantity::Remaining))
        {
            assert!(modes[1].game.observation().shows(reference), "{}: {}", modes[1].label, reference.name());
        }
        assert!(modes[2].game.observation().entries().iter().any(|entry| entry.key() == "presence"));
    }
}

#[test]
fn a_mode_repeats_itself_to_the_byte() {
    for variant in variants() {
        let play = || {
            let mut env = Environment::new(variant.game.clone());
            env.reset(17);
            let mut stream = Stream::from_seed(17);
            let mut bytes = Vec::new();
            for _ in 0..60 {
                let kind = env.expects();
                let calls = random_calls(env.game(), kind, 3, &mut stream);
                let over = env.step(&calls).unwrap().over();
                bytes.extend(env.snapshot());
                bytes.extend_from_slice(env.observation());
                if over {
                    break;
                }
            }
            bytes
        };
        assert!(play() == play(), "{}", variant.label);
    }
}
