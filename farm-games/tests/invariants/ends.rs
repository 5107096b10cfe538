//! Every numeric parameter of every kind at both ends of its range: what is accepted keeps to its own space, and restores its own snapshots.

use farm_core::action::Call;
use farm_core::spec::load;
use farm_core::{Environment, Game};
use farm_games::{Options, open};
use farm_testkit::Kit;
use serde_json::json;

/// A farm of one plot with every kind of entity of crops, whatever the equations.
fn farm_of_all(equations: &str, more: &str) -> Game {
    let text = format!(
        "
name: all
interaction_mode: fomdp
fields:
  Field-0:
    shape: {{length#nb: 1, width#nb: 1}}
    entity_defaults: {{equations: {equations}}}
    entities:
    - Weather: montpellier
    - Soil: sand
    - Plant: {{base: bean, initial_stage: grow{more}}}
    - Weeds: base_weed
    - Pests: basic
    - Pollinators: bee
    - Birds: base_bird
    - Fertilizer: basic_N
    - Cide: pesticide
farmers: [BasicFarmer]
rules: {{BasicRule: {{max_steps: 40}}}}
score: ProfitScore
"
    );
    load("all", &text).and_then(Game::new).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn farms_keep_to_their_ranges_with_every_number_at_both_ends() {
    for equations in ["agronomic", "corrected", "paper"] {
        // A share of them: all take minutes without optimisation.
        Kit::default()
            .ends(24)
            .ends_of(equations, &farm_of_all(equations, ""))
            .unwrap_or_else(|report| panic!("{report:?}"));
    }
}

#[test]
fn grids_keep_to_their_ranges_with_every_number_at_both_ends() {
    for name in ["valley_farm", "backwards_valley"] {
        let game = open(name, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        Kit::default().ends(24).ends_of(name, &game).unwrap_or_else(|report| panic!("{report:?}"));
    }
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
        let more = format!(", initial_population#nb: {plants}, flowers_max#nb: 1000");
        plays_and_restores(Environment::new(farm_of_all(equations, &more).into()), None);
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
