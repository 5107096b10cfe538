//! What a learner must not know stands in no text: worlds that differ in hidden things only are told of in the same words.

use std::sync::Arc;

use farm_core::Environment;
use farm_core::inspect::RulesText;
use farm_games::LevelFile;

use super::game_on;

const BACKWARDS: &str = "game: backwards_valley
agent: {at: [4, 4], facing: E}
map: |
  ..........
  ..........
  ..........
  ..........
  ..........
  ..........
  ..........
  ..........
  ..........
  ..........
fields:
  - {at: [5, 5], stage: Seed, base_value#point: A}
  - {at: [8, 8], stage: C, base_value#point: B}
pens:
  - {at: [0, 0], stage: Thriving, base_value#point: 1}
  - {at: [9, 9], stage: Weak, base_value#point: 3}
villagers:
  - {at: [4, 3], mood: Neutral, base_value#point: D}
";

const VALLEY: &str = "game: valley_farm
agent: {at: [7, 7]}
map: |
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
  ...............
fields:
  - {at: [6, 7]}
  - {at: [0, 0], stage: A}
barns:
  - {at: [7, 8], species: cow, sated_steps#step: B, ticks#nb: C, stock#nb: D}
  - {at: [1, 0], species: sheep}
villagers:
  - {at: [8, 7], relationship#point: E}
  - {at: [2, 0], relationship#point: 10}
  - {at: [3, 0], relationship#point: 10}
markets:
  - {at: [7, 6]}
";

/// Two environments of a level that differ in the values of its letters.
fn pair(game: &str, preset: Option<&str>, level: &str, values: &[(&str, &str, &str)]) -> [Environment; 2] {
    let fill = |second: bool| {
        let replace = |text: String, (letter, one, other): &(&str, &str, &str)| {
            text.replace(&format!(": {letter}"), &format!(": {}", if second { other } else { one }))
        };
        let level = LevelFile::new("level.yaml", &values.iter().fold(level.to_owned(), replace));
        let mut env = Environment::new(Arc::new(game_on(game, preset, level)));
        env.reset(0);
        env
    };
    [fill(false), fill(true)]
}

/// All that is told in words: the instructions, the observation, why an action was refused, and how the episode ended.
fn told(env: &Environment) -> [String; 6] {
    let info = env.info().to_json();
    [
        env.game().text().instructions(RulesText::Hidden),
        env.game().text().instructions(RulesText::Shown),
        env.game().observation().to_text(env.observation()),
        env.text(),
        info["rejected"].to_string(),
        info["stop"].to_string(),
    ]
}

/// Plays the same texts in both and compares everything that is told; returns the sums of the rewards.
fn compare([one, other]: &mut [Environment; 2], texts: &[&str]) -> [f64; 2] {
    assert_ne!(one.state_json(), other.state_json(), "the worlds differ");
    assert_eq!(told(one), told(other));
    let mut sums = [0.0; 2];
    for text in texts {
        sums[0] += one.step(*text).expect("a step").reward;
        sums[1] += other.step(*text).expect("a step").reward;
        assert_eq!(told(one), told(other), "after {text}");
    }
    sums
}

#[test]
fn b6_base_values_and_what_is_out_of_sight_are_told_in_no_text() {
    for preset in [None, Some("autoenv_compat")] {
        let values = [("A", "2", "5"), ("B", "3", "4"), ("C", "Sprout", "HarvestReady"), ("D", "3", "6")];
        let mut pair = pair("backwards_valley", preset, BACKWARDS, &values);
        let texts = ["wait", "use watering can", "sing", "", "move e", "Feed", "compliment", "MoveW; MoveE"];
        let [one, other] = compare(&mut pair, &texts);
        assert_eq!(one, other);
    }
}

#[test]
fn observation_of_valley_farm_tells_no_timers_stocks_relationships_or_success() {
    for preset in [None, Some("autoenv_compat")] {
        // Stock and ticks differ; the flag of the own tile, the rounded relationships and the inventory do not.
        let values =
            [("A", "seedling", "mature"), ("B", "40", "45"), ("C", "0", "1"), ("D", "0", "2"), ("E", "12.5", "17")];
        let mut pair = pair("valley_farm", preset, VALLEY, &values);
        // Most of these are refused: nothing to plant on, to harvest, to sell; no word tells so.
        let texts = [
            "PlantSeed",
            "sell at market",
            "harvestcrop",
            "wait",
            "collect product",
            "MoveSouth",
            "WaterCrop",
            "no such thing",
        ];
        let [one, other] = compare(&mut pair, &texts);
        assert_eq!((one, other), (0.0, 0.0));
        assert_eq!(
            pair[0].info().to_json()["rejected"][0]["action"],
            "no such thing",
            "only what can't be read is refused in words"
        );
    }
}

#[test]
fn observation_of_valley_farm_says_the_same_of_a_refused_action_as_of_waiting() {
    let values = [("A", "mature", "mature"), ("B", "0", "0"), ("C", "0", "0"), ("D", "0", "0"), ("E", "10", "10")];
    let [env, _] = pair("valley_farm", None, VALLEY, &values);
    let mut refused = 0;
    let names = env.game().catalogue().calls().iter().map(|call| env.game().catalogue().write(call));
    for name in names.collect::<Vec<_>>() {
        let (mut acts, mut waits) = (env.clone(), env.clone());
        acts.step(&name).expect("a step");
        waits.step("wait").expect("a step");
        if acts.snapshot() == waits.snapshot() {
            assert_eq!(told(&acts), told(&waits), "{name}");
            assert_eq!(acts.info().to_json()["events"], waits.info().to_json()["events"], "{name}");
            refused += 1;
        }
    }
    assert_eq!(refused, 7, "all but four moves and the gift to the neighbour in the east, and with them Wait itself");
}
