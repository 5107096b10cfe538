//! Invariant 5, of states: no value leaves the range that its variable declares, whatever the parameters are, and no number is −0.
//!
//! `tests/data/out_of_range/` holds games that once did: found by a reviewer with parameters at the ends of their ranges.

use std::path::PathBuf;

use farm_core::action::{ActionTarget, BaseAction};
use farm_core::declare::VariableInfo;
use farm_core::{Environment, Game, State, Stream};
use farm_games::{Options, open};
use farm_testkit::play::{random_schedule, values};
use std::sync::Arc;

use crate::common::variants;

fn fixtures() -> Vec<(String, Arc<Game>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/out_of_range");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8, "the fixtures are there");
    let game = |file: &PathBuf| open(&file.display().to_string(), &Options::default()).map(Arc::new);
    files.iter().map(|file| (file.display().to_string(), game(file).unwrap_or_else(|p| panic!("{p}")))).collect()
}

/// The first value of a state that its declaration does not know, in words.
fn outside(game: &Game, state: &State) -> Option<String> {
    let reader = game.reader(state);
    let variables = game.parts().iter().flat_map(|part| part.variables().iter().map(move |v| (part, v)));
    variables.into_iter().find_map(|(part, variable)| {
        let range = |variable: &VariableInfo, entry: usize| match variable.kind().labels(entry) {
            Some(labels) => (0.0, labels.len() as f64 - 1.0),
            None => variable.kind().range(),
        };
        values(&reader, variable).into_iter().enumerate().find_map(|(entry, value)| {
            let (low, high) = range(variable, entry);
            let is_fine = low <= value && value <= high && !(value == 0.0 && value.is_sign_negative());
            (!is_fine).then(|| format!("{}.{}[{entry}] = {value:?}, not in {low}…{high}", part.path(), variable.name()))
        })
    })
}

fn check(label: &str, game: &Arc<Game>, seeds: u64, steps: u32) {
    let mut environment = Environment::new(game.clone());
    let most = game.catalogue().max_schedule() + 1;
    let signed = |number: f64| number == 0.0 && number.is_sign_negative();
    for seed in 0..seeds {
        environment.reset(seed);
        let mut actions = Stream::from_seed(seed);
        let mut schedule = Vec::new();
        for step in 0..steps {
            let place = format!("{label}, seed {seed}, step {step}");
            let found = outside(game, environment.state());
            assert!(found.is_none(), "{place}: {found:?}");
            // Waiting, too: then everything grows.
            schedule.clear();
            if step % 3 != 2 {
                random_schedule(game, most, &mut actions, &mut schedule);
            }
            let outcome = environment.step(&schedule).unwrap_or_else(|error| panic!("{place}: {error}"));
            let record = environment.record();
            let numbers = [outcome.reward, record.intervention_cost(), record.observation_cost()];
            let numbers = numbers.into_iter().chain(record.constraint_costs().iter().copied());
            let numbers: Vec<f64> = numbers
                .chain([farm_core::ConstraintInfo::total_cost(game.constraints(), record.constraint_costs())])
                .collect();
            assert!(!numbers.iter().any(|number| signed(*number)), "{place}: {numbers:?}");
            let printed = format!("{} {}", environment.info().to_json(), environment.observation_json());
            assert!(!has_signed_zero(&printed), "{place}: {printed}");
            if outcome.over() {
                break;
            }
        }
    }
}

/// Whether a text has the number −0.
fn has_signed_zero(text: &str) -> bool {
    text.match_indices("-0").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let digits: String =
            text[at + 1..].chars().take_while(|c| c.is_ascii_digit() || "+-.eE".contains(*c)).collect();
        // `Soil-0` is a name.
        before.is_none_or(|c| !c.is_alphanumeric()) && digits.parse() == Ok(0.0)
    })
}

#[test]
fn invariant_5_nothing_leaves_its_range_in_games_with_extreme_parameters() {
    for (label, game) in fixtures() {
        check(&label, &game, 4, 500);
    }
}

#[test]
fn invariant_5_nothing_leaves_its_range_in_any_game() {
    assert!(has_signed_zero("{\"cost\":-0.0}") && has_signed_zero("[-0]") && has_signed_zero("-0.00"));
    assert!(!has_signed_zero("{\"Soil-0\": -0.5, \"x\": 1e-0}") && !has_signed_zero("-0.001"));
    for variant in variants() {
        check(&variant.label, &variant.game, 2, variant.times(400) as u32);
    }
}

#[test]
fn invariant_5_a_walk_along_the_border_stays_on_the_map() {
    let games = [("backwards_valley", "[fence]"), ("backwards_valley", "[]"), ("valley_farm", "[]")];
    for (game, blocked_by) in games {
        let set = [
            ("farmers.0.GridFarmer.blocked_by", blocked_by),
            ("rules.BasicRule.stopping_conditions", "[]"),
            ("rules.BasicRule.max_steps", "600"),
        ];
        let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
        let game = Arc::new(open(game, &Options { set, ..Options::default() }).unwrap_or_else(|p| panic!("{p}")));
        let mut environment = Environment::new(game.clone());
        // The moves are the first actions of the farmer: north, south, east, west.
        for (seed, moves) in (0..).zip([[0, 3], [1, 2], [0, 2], [1, 3]]) {
            environment.reset(seed);
            for action in moves.into_iter().flat_map(|action| [action; 20]) {
                let is_move =
                    |base: &BaseAction| matches!(base.target(), ActionTarget::Intervention(a) if *a == action);
                let is_own = |base: &BaseAction| game.parts()[base.part()].kind() == "GridFarmer" && is_move(base);
                let base = game.catalogue().base_actions().iter().position(is_own).expect("a move");
                environment.step(&[game.catalogue().call(base, &[]).expect("a call")]).unwrap();
                assert_eq!(outside(&game, environment.state()), None);
            }
        }
    }
}
