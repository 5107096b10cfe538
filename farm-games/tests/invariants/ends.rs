//! Every numeric parameter of every kind at both ends of its range: what is accepted keeps to its own space, and restores its own snapshots.

use farm_core::Environment;
use farm_core::action::Call;
use farm_core::config::{ParameterKind, PartKind};
use farm_core::registry::{Kind, kinds};
use farm_core::spec::load;
use farm_games::{Options, open};
use farm_testkit::Kit;
use serde_json::json;

use super::parts;

/// A kind as games write it, once for each of the equations that it knows; with its first parameter set, if it has any.
fn configs(kind: &Kind) -> Vec<String> {
    let set = kind.parameter_sets().unwrap_or_default().first().map(|set| format!("base: {}", set.name()));
    let table = kind.table();
    let equations = table.iter().find(|parameter| parameter.name() == "equations");
    let words: &[&str] = match equations.map(|parameter| parameter.kind()) {
        Some(ParameterKind::Choice(words)) => words,
        _ => &[],
    };
    let config = |equations: Option<&&str>| {
        let parameters: Vec<String> =
            set.iter().cloned().chain(equations.map(|word| format!("equations: {word}"))).collect();
        format!("{}: {{{}}}", kind.name(), parameters.join(", "))
    };
    if words.is_empty() { vec![config(None)] } else { words.iter().map(|word| config(Some(word))).collect() }
}

fn check(part: PartKind, check: impl Fn(&Kit, &str) -> Result<(), farm_testkit::Report>) {
    // All else is checked elsewhere.
    let kit = Kit::default().seeds(1).steps(1).draws_nothing();
    let own = kinds().iter().filter(|kind| kind.part() == part && !parts::NAMES.contains(&kind.name()));
    let mut reports = Vec::new();
    for config in own.filter(|kind| kind.open().is_none()).flat_map(|kind| configs(kind)) {
        let begun = std::time::Instant::now();
        reports.extend(check(&kit, &config).err());
        eprintln!("{config}: {:?}", begun.elapsed());
    }
    assert!(reports.is_empty(), "{}: {reports:?}", reports.len());
}

#[test]
fn entities_keep_to_their_ranges_with_every_number_at_both_ends() {
    check(PartKind::Entity, Kit::entity);
}

#[test]
fn farmers_keep_to_their_ranges_with_every_number_at_both_ends() {
    check(PartKind::Farmer, Kit::farmer);
}

#[test]
fn scores_keep_to_their_ranges_with_every_number_at_both_ends() {
    check(PartKind::Score, Kit::score);
}

/// Plays some steps of an action of the flat list, or waits, and goes back to a snapshot after each.
fn plays_and_restores(mut environment: Environment, action: Option<usize>) {
    environment.reset(0);
    for _ in 0..30 {
        let game = environment.game().clone();
        let state = environment.state();
        let mut restored = game.new_state();
        game.restore(&mut restored, &game.snapshot(state)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(&restored, state);
        let mut seen = vec![0; game.observation().size()];
        game.observe_into(state, &mut seen);
        assert!(game.observation().space().contains(&game.observation().to_json(&seen)));
        let outcome = match action {
            Some(id) => environment.step(id),
            None => environment.step(&json!([])),
        };
        if outcome.unwrap_or_else(|error| panic!("{error}")).over() {
            break;
        }
    }
}

#[test]
fn more_plants_than_are_ever_sown_lie_in_the_space_of_their_game() {
    for (equations, plants) in [("corrected", 101), ("paper", 100_000), ("agronomic", 100_000)] {
        let text = format!(
            "
name: population
interaction_mode: fomdp
fields:
  Field-0:
    shape: {{length#nb: 1, width#nb: 1}}
    entities:
    - Weather: {{base: montpellier, equations: {equations}}}
    - Soil: {{base: sand, equations: {equations}}}
    - Plant: {{base: bean, equations: {equations}, initial_stage: grow, initial_population#nb: {plants}, flowers_max#nb: 1000}}
farmers: [BasicFarmer]
rules: {{BasicRule: {{max_steps: 40, initial_conditions: {{Field-0.Plant-0.stage: bloom}}}}}}
score: {{BasicScore: {{reward_mix: {{stage_transition: 1.0}}}}}}
"
        );
        let game =
            load("population", &text).and_then(farm_core::Game::new).unwrap_or_else(|problems| panic!("{problems}"));
        plays_and_restores(Environment::new(game.into()), None);
    }
}

#[test]
fn expenses_at_the_highest_prices_lie_in_the_space_of_their_game() {
    let set = ["seed", "water", "fertilizer", "cide"].map(|what| {
        let unit = match what {
            "seed" => "seed-1",
            "water" => "L-1",
            _ => "kg-1",
        };
        (format!("score.ProfitScore.{what}_price#{unit}"), "1e9".to_owned())
    });
    let options = Options { set: set.to_vec(), ..Options::default() };
    let game = open("dry_corn", &options).unwrap_or_else(|problems| panic!("{problems}"));
    let catalogue = game.catalogue();
    let is_sowing = |call: &&Call| catalogue.describe(call).contains("sow");
    let sow = catalogue.calls().iter().rfind(is_sowing).and_then(|call| catalogue.discrete_of(call));
    assert!(sow.is_some());
    plays_and_restores(Environment::new(game.into()), sow);
}
