//! Games in the format of the Farm-gym reference load unchanged and play, and say what they read otherwise than it is written.
//!
//! The files under `data/reference_format/` are made for these tests. Where the environment variable `FARM_GYM_GAMES` names a
//! folder with published games, these have to load and play too.

use std::path::{Path, PathBuf};

use farm_core::Game;
use farm_core::config::{Consent, Problems, Severity};
use farm_games::{GameDocument, Options, open};
use farm_reference_format::Fate;

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference_format").join(name).display().to_string()
}

fn opened(file: &str) -> Game {
    open(file, &Options::default()).unwrap_or_else(|problems| panic!("{file}: {problems}"))
}

/// The games of a folder: files with the root key `Farm`.
fn games(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_game = |path: &PathBuf| {
        let yaml = path.extension().is_some_and(|extension| extension == "yaml");
        yaml && std::fs::read_to_string(path).unwrap().lines().any(|line| line.starts_with("Farm:"))
    };
    let mut games: Vec<String> = files.filter(is_game).map(|path| path.display().to_string()).collect();
    games.sort();
    games
}

/// Plays until the end; returns the steps and the sum of the rewards.
fn season(game: &Game, policy: &str, seed: u64) -> (u32, f64) {
    let mut player = game.player(policy).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut state, mut record, mut schedule) = (game.new_state(), game.new_record(), Vec::new());
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    let (mut steps, mut total) = (0, 0.0);
    loop {
        schedule.clear();
        player.choose(game, &state, &mut schedule);
        let outcome = game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}"));
        steps += 1;
        total += outcome.reward;
        if outcome.over() {
            return (steps, total);
        }
        assert!(steps < 20_000, "{} does not end", game.spec().name());
    }
}

fn all_load_and_play(folder: &Path) -> usize {
    let games = games(folder);
    for file in &games {
        let game = opened(file);
        for policy in ["random", "wait"] {
            for seed in 0..3 {
                assert!(season(&game, policy, seed).0 > 0, "{file}");
            }
        }
        assert!(game.warnings().0.iter().all(|warning| warning.severity == Severity::Warning), "{file}");
        assert!(game.warnings().0.iter().all(|warning| warning.location.is_some()), "{file}: {}", game.warnings());
    }
    games.len()
}

#[test]
fn every_game_loads_and_plays_a_season() {
    assert_eq!(all_load_and_play(&PathBuf::from(data(""))), 6);
}

#[test]
fn the_published_games_load_and_play() {
    let Some(folder) = std::env::var_os("FARM_GYM_GAMES") else { return };
    assert!(all_load_and_play(Path::new(&folder)) > 0, "there are games in {}", folder.display());
}

/// Each warning as `file:line: message`.
fn warnings(file: &str) -> Vec<String> {
    let game = opened(file);
    let shown = |problem: &farm_core::config::Problem| {
        let location = problem.location.clone().unwrap();
        let name = Path::new(&location.source).file_name().unwrap().to_string_lossy().into_owned();
        format!("{name}:{}: {}", location.position.map_or(0, |(line, _)| line), problem.message)
    };
    game.warnings().0.iter().map(shown).collect()
}

#[test]
fn what_is_left_out_is_told_with_its_line() {
    assert_eq!(
        warnings(&data("older.yaml")),
        [
            "older.yaml:2: the score has observation prices, but all observations of this game are free of charge",
            "older_init.yaml:6: `available_Water#L` must be from 0 to 160: `160.0` is used instead",
            "older_init.yaml:7: `Soil-0` has no variable `depth#m` here, so it is left out",
            "older_init.yaml:17: this ending uses names that the game does not have, so it is left out",
            "older_init.yaml:17: `Field-0` has no entity `Weeds-0` here, so it is left out",
            "older_actions.yaml:19: `Plant-0` has no variable `weight#g` here, so it is left out",
            "older_actions.yaml:39: this is not a valid value of `plot`, so it is left out",
            "older_actions.yaml:40: this is not a valid value of `amount#bag`, so it is left out",
            "older_actions.yaml:41: `Field-0` has no entity `Bees-0` here, so it is left out",
            "older_score.yaml:18: the score has no weight `weight_happiness`, so it is left out",
        ]
    );
    assert_eq!(
        warnings(&data("scarecrow.yaml")),
        [
            "scarecrow.yaml:12: there is no entity `Hedge`, so it is left out",
            "scarecrow.yaml:15: a farmer has no parameter `mood`, so it is left out",
            "scarecrow.yaml:21: `sprites` is not a key of a game, so it is left out",
        ]
    );
    assert_eq!(warnings(&data("everything.yaml")), Vec::<String>::new());
    assert_eq!(warnings(&data("two_fields.yaml")), Vec::<String>::new());
    let missing = warnings(&data("missing.yaml"));
    assert_eq!(missing[0], "missing.yaml:8: `Plant` has no parameter set `bena`: `bean` is used instead");
    assert!(
        missing[3].starts_with("missing.yaml:14: there is no file `missing_init.yaml` next to the game"),
        "{missing:?}"
    );
    assert_eq!(missing.len(), 4);
}

#[test]
fn every_name_that_is_read_otherwise_is_shown() {
    let notes = GameDocument::read(&data("older.yaml"), Consent::default())
        .unwrap()
        .notes()
        .expect("notes of a translated game");
    let read = |from: &str| {
        let note = notes.iter().find(|note| note.from == from).unwrap_or_else(|| panic!("no note on {from}"));
        (note.fate.clone(), note.to.as_str(), note.location.as_ref().unwrap().position.unwrap().0)
    };
    assert_eq!(read("agressive"), (Fate::Mapped, "aggressive", 16));
    assert_eq!(read("humidity_index#%"), (Fate::Mapped, "humidity#%", 12));
    assert_eq!(read("watering_discrete"), (Fate::Mapped, "water_discrete", 24));
    assert_eq!(read("entered_ripe"), (Fate::Mapped, "ripe", 17));
    assert_eq!(read("weight#g"), (Fate::LeftOut, "", 19));
    assert_eq!(read("5000").0, Fate::Replaced);
    assert_eq!(read("costs_in_info_only").0, Fate::Defaulted);
    assert!(GameDocument::read("clay_bean", Consent::default()).unwrap().notes().is_none());
}

/// What a field plays by does not depend on the default of our entities.
#[test]
fn games_of_the_reference_play_the_papers_equations() {
    for name in ["older.yaml", "everything.yaml", "two_fields.yaml"] {
        let source = GameDocument::read(&data(name), Consent::default()).unwrap();
        let notes = source.notes().expect("notes of a translated game");
        let note = notes.iter().find(|note| note.from == "equations").unwrap_or_else(|| panic!("{name}"));
        assert_eq!((&note.fate, note.to.as_str()), (&Fate::Defaulted, "corrected"), "{name}");
        let text = opened(&data(name)).spec().to_yaml().unwrap();
        assert!(text.contains("equations: corrected") && !text.contains("equations: agronomic"), "{name}:\n{text}");
    }
}

#[test]
fn start_actions_and_observations_are_those_of_the_files() {
    let game = opened(&data("older.yaml"));
    let keys: Vec<&str> = game.observation().entries().iter().map(|entry| entry.key()).collect();
    let expected = [
        "Field-0.Weather-0.day#int365",
        "Field-0.Weather-0.air_temperature.mean#°C",
        "Field-0.Weather-0.air_temperature.min#°C",
        "Field-0.Weather-0.air_temperature.max#°C",
        "Field-0.Weather-0.humidity#%",
        "Field-0.Weather-0.rain_amount#mm.day-1",
        "Field-0.Weather-0.clouds#%",
        "Field-0.Soil-0.available_Water#L",
        "Field-0.Plant-0.stage(0, 0)",
    ];
    assert_eq!(keys, expected);
    let text = game.spec().to_yaml().unwrap();
    for piece in ["water_discrete", "water_continuous", "scatter_bag", "amount#seed", "aggressive"] {
        assert!(text.contains(piece) || piece == "aggressive", "{piece} is missing in:\n{text}");
    }
    // Two amounts and two durations.
    let watering = game.catalogue().base_actions().iter().find(|base| base.parameters().len() == 3).expect("watering");
    assert_eq!(watering.parameters().len(), 3);
    assert_eq!(game.catalogue().max_schedule(), 3);
}

#[test]
fn an_episode_ends_as_the_file_says() {
    let game = opened(&data("everything.yaml"));
    // From day 120 to day 300, two steps a day, since looking is a step of its own.
    assert_eq!(season(&game, "wait", 0).0, 2 * (300 - 120));
    let game = opened(&data("scarecrow.yaml"));
    assert_eq!(season(&game, "wait", 0).0, 250 - 120);
}

#[test]
fn a_problem_of_the_farm_is_shown_in_its_file() {
    let folder = folder("problem");
    let game = |text: &str| {
        std::fs::write(folder.join("broken.yaml"), text).unwrap();
        match open(&folder.join("broken.yaml").display().to_string(), &Options::default()) {
            Ok(_) => panic!("this game is broken:\n{text}"),
            Err(problems) => problems,
        }
    };
    let text = "Farm:\n  Field-0:\n    shape: {length#nb: 0}\n    entities:\n      - Weather: dry\n";
    let problems = game(text);
    assert!(problems.to_string().contains("broken.yaml:3:24, at Farm.Field-0.shape.length#nb"), "{problems}");
    let problems = game("Farm:\n  Field-0:\n    entities:\n      - Plant: bean\n");
    assert!(problems.to_string().contains("broken.yaml:4:"), "{problems}");
    let problems = game("Farm:\n  House: {}\n");
    assert!(problems.to_string().contains("the farm has no field"), "{problems}");
    let problems = game("Farm: 3\n");
    assert!(problems.to_string().contains("broken.yaml:1:7"), "{problems}");
    // Neither form: both are explained.
    let problems = game("House:\n  Field-0: {}\n");
    assert!(problems.to_string().contains("`Farm:`") && problems.to_string().contains("`fields:`"), "{problems}");
}

#[test]
fn a_broken_file_beside_the_game_is_shown() {
    let folder = folder("beside");
    let base = "Farm:\n  Field-0:\n    entities:\n      - Weather: dry\n      - Soil: clay\n      - Plant: bean\ninitialization: init.yaml\n";
    std::fs::write(folder.join("game.yaml"), base).unwrap();
    let file = folder.join("game.yaml").display().to_string();
    let with = |init: &str| -> Result<Game, Problems> {
        std::fs::write(folder.join("game_init.yaml"), init).unwrap();
        open(&file, &Options::default())
    };
    let refused = |init: &str| with(init).err().unwrap_or_else(|| panic!("this is broken: {init}")).to_string();
    assert!(refused("Initial: [1\nb: 2\n").contains("game_init.yaml:2:"));
    assert!(refused("").contains("the file is empty"));
    assert!(refused("- 1\n").contains("game_init.yaml:1:1"));
    // A word that is no stage is left out, as the reference ignores it.
    let game = with("Initial:\n  Field-0:\n    Plant-0: {stage: groww, population#nb: 2}\n").unwrap();
    let said = game.warnings().to_string();
    assert!(said.contains("game_init.yaml:3:15") && said.contains("groww") && said.contains("left out"), "{said}");
    // So is an operator that nobody knows.
    let game = with(
        "Terminal:\n  - [{state_variable: [Field-0, Weather-0, day#int365, []], operator: after, ref_value: 300}]\n  - [{state_variable: [Field-0, Weather-0, day#int365, []], operator: '>=', ref_value: 10}]\n",
    )
    .unwrap();
    assert!(game.warnings().to_string().contains("game_init.yaml:2:"), "{}", game.warnings());
    assert_eq!(season(&game, "wait", 0).0 % 10, 0);
}

#[test]
fn of_a_key_that_stands_twice_the_last_counts_as_in_the_reference() {
    let folder = folder("repeated");
    let text = "Farm:\n  Field-0:\n    shape: {length#nb: 1, length#nb: 2}\n    entities:\n      - Weather: dry\n      - Soil: clay\n      - Plant: bean\n";
    std::fs::write(folder.join("game.yaml"), text).unwrap();
    let game = opened(&folder.join("game.yaml").display().to_string());
    assert_eq!(game.fields()[0].length(), 2);
    assert!(game.warnings().to_string().contains("duplicate key `length#nb`"), "{}", game.warnings());
    assert!(game.warnings().to_string().contains("game.yaml:3:"), "{}", game.warnings());
    assert!(GameDocument::parse("game.yaml", text).is_ok(), "also without a file");
    // A game of this project may not.
    std::fs::write(folder.join("ours.yaml"), "name: a\nname: b\nfields: {}\n").unwrap();
    let refused = open(&folder.join("ours.yaml").display().to_string(), &Options::default());
    assert!(refused.err().is_some_and(|problems| problems.to_string().contains("duplicate")));
}

#[test]
fn every_parameter_set_of_the_reference_plays() {
    let folder = folder("sets");
    let sets = [
        ("Weather", "montpellier montpellier2 montpellier3 lille lille2 lille3 mixed rainy dry"),
        ("Soil", "clay silt loam sand"),
        ("Plant", "bean corn tomato"),
        ("Weeds", "base_weed grass invasive"),
        ("Pests", "basic nice agressive"),
        ("Pollinators", "bee"),
        ("Birds", "base_bird pest_eater seed_eater"),
        ("Fertilizer", "basic_N basic_K basic_all slow_all fast_all"),
        ("Cide", "pesticide herbicide herbicide_slow herbicide_fast"),
        ("Facility", "base_facility"),
    ];
    for (kind, names) in sets {
        for set in names.split(' ') {
            let mut text = String::from("Farm:\n  Field-0:\n    entities:\n");
            for (other, usual) in [("Weather", "montpellier"), ("Soil", "loam"), ("Plant", "bean")] {
                text += &format!("      - {other}: {}\n", if other == kind { set } else { usual });
            }
            if !["Weather", "Soil", "Plant"].contains(&kind) {
                text += &format!("      - {kind}: {set}\n");
            }
            let file = folder.join("set.yaml");
            std::fs::write(&file, text + "interaction_mode: POMDP\n").unwrap();
            let game = opened(&file.display().to_string());
            let said = game.warnings().to_string();
            assert!(!said.contains("parameter set"), "{kind}: {set}: {said}");
            assert!(season(&game, "random", 1).0 > 0);
        }
    }
}

#[test]
fn harvests_count_in_grams_and_costs_only_in_info() {
    let folder = folder("score");
    let text = "Farm:\n  Field-0:\n    entities:\n      - Weather: montpellier\n      - Soil: clay\n      - Plant: bean\n  Farmer-0: {type: basic, parameters: {max_daily_interventions: 1}}\ninteraction_mode: POMDP\ninitialization: init.yaml\nactions: actions.yaml\nscore: score.yaml\n";
    std::fs::write(folder.join("game.yaml"), text).unwrap();
    let init = "Initial: {Field-0: {Weather-0: {day#int365: 200}, Plant-0: {stage: ripe, population#nb: 2, size#cm: 100, fruits_per_plant#nb: 3, fruit_weight#g: 40}}}\nTerminal: [[{state_variable: [Field-0, Plant-0, global_stage, []], operator: '==', ref_value: harvested}]]\n";
    std::fs::write(folder.join("game_init.yaml"), init).unwrap();
    let actions = "interventions: {BasicFarmer-0: {Field-0: {Plant-0: {harvest: }}}}\nobservations: {Free: {Field-0: {Weather-0: {day#int365: }}}}\nparams: {max_action_schedule_size: 1}\n";
    std::fs::write(folder.join("game_actions.yaml"), actions).unwrap();
    let score = "intervention-cost: {Field-0: {Plant-0: {harvest: 7}}}\nreward-mix: {}\nfinal-reward-mix: {weight_harvest: 1.}\n";
    std::fs::write(folder.join("game_score.yaml"), score).unwrap();
    let game = opened(&folder.join("game.yaml").display().to_string());
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 1, &mut record);
    let harvest = game.catalogue().parse_line("harvest").unwrap();
    let outcome = game.step(&mut state, &harvest, &mut record).unwrap();
    assert!(outcome.terminated);
    // Two plants with three fruits of 40 g.
    assert!((outcome.reward - 240.0).abs() < 1e-9, "{}", outcome.reward);
    assert_eq!(record.intervention_cost(), 7.0);
}

/// An empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reference_format_{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
