//! A world that was written as a level and read again is the same world.

use farm_core::config::Problems;
use farm_core::declare::VariableInfo;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Game, State};
use farm_games::level::{LEVELS, LevelFormat, SHIPPED, Split, find, of_seed, of_seed_in, of_split};
use farm_games::{LevelFile, Options, open};

const GAMES: [&str; 2] = ["backwards_valley", "valley_farm"];

fn opened(game: &str, preset: Option<&str>, level: Option<LevelFile>) -> Result<Game, Problems> {
    open(game, &Options { preset: preset.map(str::to_owned), level, ..Options::default() })
}

fn reset(game: &Game, seed: u64) -> State {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    state
}

/// The values of a variable as numbers.
fn values(game: &Game, state: &State, variable: &VariableInfo) -> Vec<f64> {
    let reader = game.reader(state);
    let reals = variable.column::<f64>().map(|column| reader.get(column).to_vec());
    let counts = variable.column::<i32>().map(|column| reader.get(column).iter().map(|n| f64::from(*n)).collect());
    let bytes = variable.column::<u8>().map(|column| reader.get(column).iter().map(|n| f64::from(*n)).collect());
    reals.or(counts).or(bytes).expect("a column of one of the three regions")
}

/// Compares all variables of two worlds; returns how many there are.
fn assert_same(drawn: (&Game, &State), read: (&Game, &State), context: &str) -> usize {
    let mut compared = 0;
    for part in drawn.0.parts().iter() {
        let other = read.0.parts().iter().find(|other| other.path() == part.path()).expect("the same parts");
        // How the plan lay before it was drawn into the map; afterwards it means nothing.
        for variable in part.variables().iter().filter(|variable| variable.name() != "symmetry") {
            let twin =
                other.variables().iter().find(|twin| twin.name() == variable.name()).expect("the same variables");
            let (found, expected) = (values(read.0, read.1, twin), values(drawn.0, drawn.1, variable));
            assert_eq!(found, expected, "{context}: {}.{}", part.path(), variable.name());
            compared += 1;
        }
    }
    compared
}

#[test]
fn a_level_of_a_seed_starts_in_the_world_of_that_seed() {
    for (name, preset) in [
        ("backwards_valley", None),
        ("backwards_valley", Some("scattered")),
        ("backwards_valley", Some("autoenv_compat")),
        ("valley_farm", None),
        ("valley_farm", Some("autoenv_compat")),
    ] {
        let game = opened(name, preset, None).unwrap_or_else(|problems| panic!("{problems}"));
        let mut texts = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let context = format!("{name} {preset:?} seed {seed}");
            let text = of_seed(&game, preset, seed).unwrap_or_else(|problems| panic!("{context}: {problems}"));
            let level = LevelFile::new("world.yaml", &text);
            let read = opened(name, preset, Some(level)).unwrap_or_else(|problems| panic!("{context}: {problems}"));
            // Nothing is drawn any more, so any seed will do.
            let (drawn, other) = (reset(&game, seed), reset(&read, 7 * seed + 3));
            assert!(assert_same((&game, &drawn), (&read, &other), &context) > 10);
            texts.insert(text.split_once('\n').expect("lines").1.to_owned());
        }
        assert_eq!(texts.len(), 40, "{name}: seeds have worlds of their own");
    }
}

#[test]
fn obstacles_and_animals_in_the_midst_of_things_come_back_too() {
    let text = "game: valley_farm
agent: {at: [2, 1], inventory#nb: {seeds: 1, feed: 2, coins: 2.5}}
map: |
  ....
  .#..
  ....
steps#step: 9
fields: [{at: [0, 0], stage: growing}, {at: [1, 0]}]
barns: [{at: [3, 0], species: chicken, sated_steps#step: 4, ticks#nb: 4, stock#nb: 2}, {at: [3, 1], species: cow}]
villagers: [{at: [0, 2], relationship#point: 12.345}]
markets: [{at: [3, 2]}]
";
    let game = opened("valley_farm", None, Some(LevelFile::new("small.yaml", text))).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!((game.fields()[0].length(), game.fields()[0].width(), game.rules().max_steps), (4, 3, Some(9)));
    let written = of_seed(&game, None, 1).unwrap_or_else(|problems| panic!("{problems}"));
    let facts = |text: &str| serde_yaml::from_str::<Value>(text).expect("YAML");
    let (wanted, found) = (facts(text), facts(&written));
    for key in ["map", "fields", "barns", "villagers", "markets"] {
        assert_eq!(found[key], wanted[key], "{key}");
    }
    assert_eq!(found["agent"]["at"], wanted["agent"]["at"]);
    let carried = &found["agent"]["inventory#nb"];
    // What the level does not name is what the game has.
    let amounts = ["seeds", "feed", "coins", "gifts"].map(|item| carried[item].as_f64());
    assert_eq!(amounts, [Some(1.0), Some(2.0), Some(2.5), Some(3.0)]);
    let again = opened("valley_farm", None, Some(LevelFile::new("again.yaml", &written)));
    let again = again.unwrap_or_else(|problems| panic!("{problems}"));
    assert_same((&game, &reset(&game, 5)), (&again, &reset(&again, 6)), "a small world");
}

#[test]
fn every_shipped_level_is_the_world_of_its_seed_and_is_found_by_name() {
    for name in GAMES {
        let game = opened(name, None, None).unwrap_or_else(|problems| panic!("{problems}"));
        for split in Split::ALL {
            let levels = of_split(name, split);
            assert_eq!(levels.len(), LEVELS);
            for (i, level) in levels.into_iter().enumerate() {
                assert_eq!(level.source, format!("{}/{:02}", split.name(), i + 1));
                assert_eq!(find(name, &level.source), Ok(level.clone()));
                let context = format!("{name} {}", level.source);
                let read = opened(name, None, Some(level)).unwrap_or_else(|problems| panic!("{context}: {problems}"));
                let drawn = reset(&game, split.seed(i + 1));
                assert_same((&game, &drawn), (&read, &reset(&read, 0)), &context);
            }
        }
    }
    assert_eq!(SHIPPED.len(), GAMES.len() * Split::ALL.len());
}

/// All shipped levels, and drawn worlds: written for AutoEnv-36 and read again they are the same worlds.
#[test]
fn a_level_of_autoenv_leads_back_to_the_same_level() {
    let mut compared = 0;
    for name in GAMES {
        for preset in [None, Some("autoenv_compat")] {
            let levels = Split::ALL.iter().flat_map(|split| of_split(name, *split)).map(Some);
            for (i, level) in levels.chain(std::iter::repeat_n(None, 5)).enumerate() {
                let context = format!("{name} {preset:?} world {i}");
                let game = opened(name, preset, level).unwrap_or_else(|problems| panic!("{context}: {problems}"));
                let seed = i as u64;
                let theirs = of_seed_in(&game, preset, seed, LevelFormat::AutoEnv);
                let theirs = theirs.unwrap_or_else(|problems| panic!("{context}: {problems}"));
                let value: Value = serde_yaml::from_str(&theirs).unwrap();
                assert!(value.get("game").is_none() && value["objects"].is_mapping(), "{context}: {theirs}");
                let file = LevelFile::new("theirs.yaml", &theirs);
                let read = opened(name, preset, Some(file)).unwrap_or_else(|problems| panic!("{context}: {problems}"));
                let (drawn, other) = (reset(&game, seed), reset(&read, seed));
                assert!(assert_same((&game, &drawn), (&read, &other), &context) > 10);
                assert_eq!(of_seed(&game, preset, seed).unwrap(), of_seed(&read, preset, seed).unwrap(), "{context}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * 2 * (2 * LEVELS + 5));
}

#[test]
fn a_world_that_autoenv_cannot_have_is_refused_with_its_place() {
    let set = vec![("fields.Field-0.entities.0.TileMap.obstacles#nb".to_owned(), "5".to_owned())];
    let game = open("valley_farm", &Options { set, ..Options::default() }).unwrap();
    let blocked = of_seed_in(&game, None, 0, LevelFormat::AutoEnv).unwrap_err().to_string();
    assert!(blocked.contains("not-of-autoenv") && blocked.contains("no obstacles"), "{blocked}");
    let member = opened("backwards_valley@rules=7,skin=invented-3", None, None).unwrap();
    let problems = of_seed_in(&member, None, 0, LevelFormat::AutoEnv).unwrap_err().to_string();
    assert!(problems.contains("no such stage") && problems.contains("fields[0].stage"), "{problems}");
}
