//! What is seen, and what is not: arrays, spaces, text.

use std::sync::Arc;

use farm_core::{Environment, Game, Stream};
use serde_json::Value as Json;

use super::support::*;

/// Terrain and status of the 25 tiles around the agent, row by row from the north-west.
fn window(world: &World) -> Vec<(u8, u8)> {
    let (x, y) = world.at;
    let tiles = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (x + dx, y + dy)));
    tiles.map(|at| (world.terrain(at), world.status(at))).collect()
}

fn array(game: &Game, record: &[u8], key: &str) -> Vec<f64> {
    let entry = game.observation().entries().iter().find(|entry| entry.key() == key).unwrap();
    (0..entry.len()).map(|i| entry.number(record, i)).collect()
}

/// Calls `look` for every state of random episodes.
fn random_play(valley: &Valley, seeds: u64, mut look: impl FnMut(&Play<'_>, u64)) {
    for seed in 0..seeds {
        let mut play = valley.play(seed);
        let mut stream = Stream::from_seed(seed ^ 0x0b5e);
        look(&play, seed);
        for _ in 0..40 {
            play.step(busy_action(&mut stream, &play.world()));
            look(&play, seed);
        }
    }
}

#[test]
fn observation_has_exactly_the_keys_and_spaces_of_the_rules() {
    let environment = Environment::new(Arc::new(Valley::shipped().game));
    assert_eq!(
        environment.game().observation().space().to_string(),
        "Dict(grid: Box(0, [5.0, 10.0], [5, 5, 2], uint8), position: MultiDiscrete([10, 10]), facing: Discrete(4), \
         remaining: Discrete(41), farm_value: Box(0, 300, [], float32))"
    );
    let json = environment.observation_json();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["grid", "position", "facing", "remaining", "farm_value"]);
}

#[test]
fn observation_names_terrains_statuses_and_directions_as_the_rules_do() {
    let valley = Valley::shipped();
    let entry = |key: &str| valley.game.observation().entries().iter().find(|entry| entry.key() == key).unwrap();
    let names = |key: &str, axis: usize| {
        let labels = entry(key).kind().labels(axis).unwrap();
        (0..labels.len()).map(|i| labels.name(i)).collect::<Vec<_>>()
    };
    assert_eq!(names("grid", 0), TERRAINS);
    assert_eq!(names("grid", 1), STATUSES);
    assert_eq!(names("facing", 0), ["N", "E", "S", "W"]);
}

#[test]
fn observation_is_what_the_hidden_state_says_and_belongs_to_its_space() {
    let valley = Valley::shipped();
    let space = valley.game.observation().space();
    let (mut outside, mut facings) = (0, [0; 4]);
    random_play(&valley, 200, |play, seed| {
        let (world, record) = (play.world(), play.observation());
        let expected: Vec<f64> = window(&world).iter().flat_map(|(t, s)| [f64::from(*t), f64::from(*s)]).collect();
        assert_eq!(array(&valley.game, &record, "grid"), expected, "seed {seed}, step {}", world.step);
        assert_eq!(array(&valley.game, &record, "position"), [f64::from(world.at.0), f64::from(world.at.1)]);
        assert_eq!(array(&valley.game, &record, "facing"), [f64::from(world.facing)]);
        assert_eq!(array(&valley.game, &record, "remaining"), [f64::from(40 - world.step)]);
        assert_eq!(array(&valley.game, &record, "farm_value"), [world.farm_value]);
        assert!(space.contains(&valley.game.observation().to_json(&record)), "seed {seed}");
        outside += expected.iter().step_by(2).filter(|terrain| **terrain == f64::from(OUTSIDE)).count();
        facings[usize::from(world.facing)] += 1;
    });
    assert!(outside > 1000, "windows reach beyond the border");
    assert!(facings.iter().all(|n| *n > 500), "never rotated, whatever the facing: {facings:?}");
}

#[test]
fn observation_shows_the_window_north_up_in_a_picture() {
    // Crop in the north-west, pen in the east, villager in the south; the agent at the western border.
    let valley = Scene::new((0, 3), &["c.#", ".p#", "v##"]).stages(["Young", "Weak", "Neutral"]).build();
    for facing in 0..4 {
        let play = valley.start((0, 4), facing);
        let text = valley.game.observation().to_text(&play.observation());
        let expected = format!(
            "grid:\n  outside outside fence fence fence\n  outside outside field/Young ground fence\n  \
             outside outside [ground] pen/Weak fence\n  outside outside house/Neutral fence fence\n  \
             outside outside fence fence fence\nposition: 0 4\nfacing: {}\nremaining: 40\nfarm_value: 0\n",
            ["N", "E", "S", "W"][usize::from(facing)]
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn observation_text_says_the_same_and_reads_back_to_the_same_bytes() {
    for valley in [Valley::shipped(), Valley::preset("scattered")] {
        random_play(&valley, 100, |play, seed| {
            let (world, record) = (play.world(), play.observation());
            let text = valley.game.observation().to_text(&record);
            assert_eq!(valley.game.observation().parse_text(&text), Ok(record), "seed {seed}");
            let word = |(terrain, status): &(u8, u8)| match status {
                0 => TERRAINS[usize::from(*terrain)].to_owned(),
                _ => format!("{}/{}", TERRAINS[usize::from(*terrain)], STATUSES[usize::from(*status)]),
            };
            let mut expected = vec!["grid:".to_owned()];
            let own = |(i, word): (usize, String)| if i == 12 { format!("[{word}]") } else { word };
            expected.extend(window(&world).iter().map(word).enumerate().map(own));
            expected.extend(["position:".into(), world.at.0.to_string(), world.at.1.to_string()]);
            expected.extend(["facing:".into(), ["N", "E", "S", "W"][usize::from(world.facing)].into()]);
            expected.extend(["remaining:".into(), (40 - world.step).to_string()]);
            expected.extend(["farm_value:".into(), world.farm_value.to_string()]);
            assert_eq!(text.split_whitespace().collect::<Vec<_>>(), expected, "seed {seed}");
        });
    }
}

#[test]
fn observation_at_the_borders_shows_outside_with_no_status() {
    let valley = Valley::shipped();
    for corner in [(0, 0), (9, 0), (0, 9), (9, 9)] {
        let play = valley.start(corner, NORTH);
        let seen = array(&valley.game, &play.observation(), "grid");
        let outside: Vec<usize> = (0..25).filter(|i| seen[2 * i] == f64::from(OUTSIDE)).collect();
        let expected: Vec<usize> =
            (0..25).filter(|i| !on_map((corner.0 + *i as i32 % 5 - 2, corner.1 + *i as i32 / 5 - 2))).collect();
        assert_eq!(outside, expected);
        assert_eq!(outside.len(), 16);
        assert!(outside.iter().all(|i| seen[2 * i + 1] == 0.0));
    }
}

#[test]
fn observation_tells_what_the_agent_stands_on() {
    let valley = Scene::new((3, 3), &[".c", "pv"]).stages(["Seed", "Weak", "Neutral"]).build();
    let mut play = valley.start((3, 3), NORTH);
    let centre = |play: &Play<'_>| array(&valley.game, &play.observation(), "grid")[24..26].to_vec();
    assert_eq!(centre(&play), [0.0, 0.0]);
    play.step(MOVE_E);
    assert_eq!(centre(&play), [1.0, 2.0], "field with a Sprout");
    play.step(MOVE_S);
    assert_eq!(centre(&play), [3.0, 9.0], "house with a Neutral villager");
    play.step(MOVE_W);
    assert_eq!(centre(&play), [2.0, 7.0], "pen with a Thriving animal");
}

#[test]
fn b6_base_values_can_not_be_recovered_from_observations() {
    // The ranges are as wide as in the shipped game, so that the same seed draws the same map.
    let (ours, dear) = (
        Valley::shipped(),
        Valley::with(&[
            ("fields.Field-0.entities.1.StagedTiles.base_value#point", "[3, 6]"),
            ("fields.Field-0.entities.2.StagedTiles.base_value#point", "[4, 6]"),
            ("fields.Field-0.entities.3.StagedTiles.base_value#point", "[7, 10]"),
        ]),
    );
    let (mut paid, mut same) = (0, 0);
    for seed in 0..200 {
        let (mut first, mut second) = (ours.play(seed), dear.play(seed));
        let mut stream = Stream::from_seed(seed);
        let bases = |play: &Play<'_>| play.world().things.iter().map(|thing| thing.base).collect::<Vec<_>>();
        assert!(bases(&first).iter().zip(bases(&second)).all(|(a, b)| *a < b));
        let mut anything_paid = false;
        for _ in 0..40 {
            let (mut one, mut other) = (first.observation(), second.observation());
            if anything_paid {
                let entry = ours.game.observation().entries().iter().find(|entry| entry.key() == "farm_value").unwrap();
                assert!(entry.number(&one, 0) < entry.number(&other, 0));
                one[entry.offset()..entry.offset() + 4].fill(0);
                other[entry.offset()..entry.offset() + 4].fill(0);
            }
            assert_eq!(one, other, "seed {seed}, step {}", first.state.step());
            same += usize::from(!anything_paid);
            let action = busy_action(&mut stream, &first.world());
            let rewards = (first.step(action).reward, second.step(action).reward);
            assert_eq!(rewards.0 > 0.0, rewards.1 > 0.0);
            anything_paid |= rewards.0 > 0.0;
        }
        paid += usize::from(anything_paid);
    }
    assert!(paid > 100 && same > 200);
}

#[test]
fn observation_does_not_tell_which_meter_was_filled() {
    let meters = "{crop_yield: {events: [friendship]}, animal_health: {events: [harvest]}, \
                  social_affinity: {events: [thriving]}}";
    let (ours, swapped) = (Valley::shipped(), Valley::with(&[("score.MeterScore.meters", meters)]));
    let mut different = 0;
    for seed in 0..100 {
        let (mut first, mut second) = (ours.play(seed), swapped.play(seed));
        let mut stream = Stream::from_seed(seed);
        for _ in 0..40 {
            let action = busy_action(&mut stream, &first.world());
            assert_eq!(first.step(action), second.step(action));
            assert_eq!(first.observation(), second.observation(), "seed {seed}");
        }
        different += usize::from(first.world().meters != second.world().meters);
    }
    assert!(different > 50);
}

#[test]
fn b6_hidden_quantities_stay_hidden_even_when_everything_visible_is_shown() {
    let valley = Valley::with(&[("interaction_mode", "fomdp")]);
    let json = valley.game.observation().to_json(&valley.play(0).observation());
    let keys: Vec<&String> = json.as_object().map(|object| object.keys().collect()).unwrap();
    for hidden in ["base_value", "crop_yield", "animal_health", "social_affinity", "stage", "paid", "cell", "tiles"] {
        let shown = keys.iter().find(|key| key.split(['.', '#']).any(|word| word == hidden));
        assert_eq!(shown, None, "of {keys:?}");
    }
}

#[test]
fn b6_hidden_quantities_can_not_be_observed_by_the_rules() {
    for hidden in ["[Field-0, StagedTiles-0, base_value#point]", "[MeterScore-0, crop_yield]"] {
        let set = vec![("rules.BasicRule.free_observations".into(), format!("{{secret: {hidden}}}"))];
        let problems =
            farm_games::open("backwards_valley", &farm_games::Options { set, ..Default::default() }).unwrap_err();
        assert!(problems.to_string().contains("hidden"), "{problems}");
    }
}

#[test]
fn observation_is_the_same_through_an_environment() {
    let valley = Valley::shipped();
    let mut environment = Environment::new(Arc::new(Valley::shipped().game));
    environment.reset(11);
    let mut play = valley.play(11);
    for action in (0..11).cycle().take(40) {
        assert_eq!(environment.observation(), play.observation());
        let text = valley.game.observation().to_text(&play.observation());
        assert_eq!(environment.game().observation().to_text(environment.observation()), text);
        assert_eq!(environment.step(action).unwrap(), play.step(action));
    }
    assert!(matches!(environment.observation_json(), Json::Object(_)));
}

#[test]
fn observation_agrees_with_stages_that_initial_conditions_set() {
    let conditions = "{Field-0: {StagedTiles-1: {stage: Okay}}}";
    let valley = Valley::with(&[("rules.BasicRule.initial_conditions", conditions)]);
    for seed in 0..20 {
        let mut play = valley.play(seed);
        let shows_its_stages = |play: &Play<'_>| {
            let world = play.world();
            world.of(PEN).all(|pen| pen.stage.is_some_and(|stage| world.status(pen.at) == shown(PEN, stage)))
        };
        assert!(play.world().of(PEN).all(|pen| pen.stage == Some(1)), "seed {seed}");
        assert!(shows_its_stages(&play), "seed {seed}: the map shows other stages than the animals have");
        play.step(WAIT);
        assert!(shows_its_stages(&play), "seed {seed}");
        assert_eq!(play.record.events().len(), COUNTS[PEN], "seed {seed}: four animals, four events");
    }
}
