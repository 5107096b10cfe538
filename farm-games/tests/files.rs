//! Games in several files: what is split plays as what is whole, and every problem is shown in the file that holds it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use farm_core::Game;
use farm_core::config::{MAX_FILE_BYTES, Problems};
use farm_games::catalogue::entry;
use farm_games::{Options, open};

use super::measures::processor_time;

/// An empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files_{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn opened(file: &str) -> Game {
    open(file, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn refused(file: &str) -> Problems {
    match open(file, &Options::default()) {
        Ok(_) => panic!("{file} opens"),
        Err(problems) => problems,
    }
}

fn clay_bean() -> &'static str {
    entry("clay_bean-v0").unwrap().yaml
}

/// The text between the line that starts with `from` and that which starts with `to`, indented less by `indent`.
fn block(text: &str, from: &str, to: &str, indent: usize) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with(from)).skip(1);
    lines
        .take_while(|line| !line.starts_with(to))
        .map(|line| format!("{}\n", line.get(indent..).unwrap_or("")))
        .collect()
}

const FIELD: &str = "localization: {latitude#°: 43.6, longitude#°: 3.9, altitude#m: 27}\nshape: {length#nb: 1, width#nb: 1, scale#m: 1.0}\nentity_defaults: {equations: corrected}\nentities:\n  - Weather: montpellier\n  - Soil: clay\n  - Plant: bean\n";

#[test]
fn a_game_in_several_files_is_the_same_game() {
    let text = clay_bean();
    let whole = opened("clay_bean-v0");
    let folder = folder("same");
    write(&folder, "parts/field.yaml", FIELD);
    write(&folder, "fields.yaml", "Field-0: parts/field.yaml\n");
    write(&folder, "rules.yaml", block(text, "rules:", "score:", 2));
    write(&folder, "score.yaml", block(text, "score:", "policies:", 2));
    write(&folder, "policies/expert.yaml", block(text, "  expert:", "presets:", 4));
    write(&folder, "presets.yaml", block(text, "presets:", "nothing", 2));
    let head = text.split("\nfields:").next().unwrap();
    let game = format!(
        "{head}\nfields: fields.yaml\nfarmers:\n  - BasicFarmer: {{max_daily_interventions: 1}}\nrules: rules.yaml\nscore: score.yaml\npolicies: {{random: RandomPolicy, wait: WaitPolicy, expert: policies/expert.yaml}}\npresets: presets.yaml\n"
    );
    let split = opened(&write(&folder, "game.yaml", game));
    assert_eq!(split.spec().to_yaml().unwrap(), whole.spec().to_yaml().unwrap());
    assert!(split.warnings().0.is_empty(), "{}", split.warnings());
}

const START: &str = "Initial:\n  Field-0:\n    Weather-0:\n      day#int365: [110, 120]\n    Plant-0:\n      stage: seed\n      population#nb: 1\nTerminal:\n  - [{state_variable: [Field-0, Weather-0, day#int365, []], function: value, operator: '>=', ref_value: 330}]\n";
const ACTIONS: &str = "params:\n  max_action_schedule_size: 2\nobservations:\n  Free:\n    Field-0:\n      Weather-0:\n        day#int365:\n        air_temperature: {'*': }\n      Plant-0:\n        stage: ['*', '(0, 0)']\n  BasicFarmer-0:\n    Field-0:\n      Soil-0:\n        available_Water#L: ['*']\ninterventions:\n  BasicFarmer-0:\n    Field-0:\n      Soil-0:\n        water_discrete: {plot: ['(0, 0)'], amount#L: [1, 5], duration#min: [60]}\n";

fn with_parts(folder: &Path, start: &str, actions: &str) -> String {
    write(folder, "start.yaml", start);
    write(folder, "deeds.yaml", actions);
    let field: String = FIELD.lines().map(|line| format!("    {line}\n")).collect();
    let text = format!(
        "name: parts\nfields:\n  Field-0:\n{field}farmers: [BasicFarmer]\ninit: start.yaml\nactions: deeds.yaml\nscore:\n  intervention-cost: {{Field-0: {{Soil-0: {{water_discrete: 2}}}}}}\n  final-reward-mix: {{yield#kg: 3}}\ninteraction_mode: aomdp\npolicies: {{wait: WaitPolicy}}\n"
    );
    write(folder, "parts.yaml", text)
}

#[test]
fn start_actions_and_score_can_have_the_layout_of_the_paper() {
    let folder = folder("layout");
    let game = opened(&with_parts(&folder, START, ACTIONS));
    let keys: Vec<&str> = game.observation().entries().iter().map(|entry| entry.key()).collect();
    assert!(keys.contains(&"Field-0.Weather-0.air_temperature.max#°C"), "{keys:?}");
    assert_eq!(keys.iter().filter(|key| key.contains("Plant-0.stage")).count(), 1, "{keys:?}");
    assert_eq!(game.catalogue().max_schedule(), 2);
    let costs: Vec<f64> = game.catalogue().base_actions().iter().map(|base| base.cost()).collect();
    assert!(costs.contains(&2.0), "{costs:?}");
    let text = game.spec().to_yaml().unwrap();
    assert!(text.contains("yield#kg: 3"), "{text}");
}

#[test]
fn a_problem_in_a_part_is_shown_where_it_is_written() {
    let folder = folder("located");
    let broken = START.replace("day#int365: [110", "dya#int365: [110");
    let problems = refused(&with_parts(&folder, &broken, ACTIONS));
    let shown = format!("{}:4:7, at Initial.Field-0.Weather-0.dya#int365", folder.join("start.yaml").display());
    assert!(problems.to_string().contains(&shown), "{problems}");
    assert_eq!(problems.0[0].nearest.as_deref(), Some("day#int365"));
    let broken = ACTIONS.replace("stage: ['*', '(0, 0)']", "stage: ['(0, 7)']");
    let problems = refused(&with_parts(&folder, START, &broken));
    let shown = format!("{}:10:17", folder.join("deeds.yaml").display());
    assert!(problems.to_string().contains(&shown), "{problems}");
    let broken = START.replace("Initial:", "Intial:");
    let problems = refused(&with_parts(&folder, &broken, ACTIONS));
    assert!(problems.to_string().contains("did you mean `Initial`?"), "{problems}");
    let problems = refused(&with_parts(&folder, "Terminal: [[{operator: '<'}]]\n", ACTIONS));
    assert!(problems.to_string().contains("start.yaml:1:"), "{problems}");
}

#[test]
fn what_is_said_twice_is_refused() {
    let folder = folder("twice");
    let file = with_parts(&folder, START, ACTIONS);
    let text = std::fs::read_to_string(&file).unwrap() + "rules: {BasicRule: {initial_conditions: {}}}\n";
    std::fs::write(&file, text).unwrap();
    let problems = refused(&file);
    assert!(problems.to_string().contains("and `rules.BasicRule.initial_conditions` set the same thing"), "{problems}");
}

#[test]
fn a_parameter_of_the_rule_that_two_files_set_otherwise_is_refused_with_both_places() {
    let folder = folder("params");
    let with = |params: &str, rules: &str| {
        let actions = ACTIONS.replace("max_action_schedule_size: 2", &format!("max_action_schedule_size: 2\n{params}"));
        let file = with_parts(&folder, START, &actions);
        let text = std::fs::read_to_string(&file).unwrap() + rules;
        std::fs::write(&file, text).unwrap();
        file
    };
    let deeds = folder.join("deeds.yaml").display().to_string();
    let rules = "rules:\n  BasicRule:\n    max_action_schedule_size: 3\n    max_steps: 30\n";
    let file = with("  max_steps: 40\n", rules);
    let problems = refused(&file);
    assert_eq!(problems.0.len(), 2, "{problems}");
    let said = problems.to_string();
    let line =
        std::fs::read_to_string(&file).unwrap().lines().position(|line| line.contains("max_steps: 30")).unwrap() + 1;
    for words in [
        format!("`max_steps` of `BasicRule` has different values here and at {file}:{line}:16"),
        format!("{deeds}:3:14, at params.max_steps"),
        "found: 40\n      expected: 30".to_owned(),
        format!("{deeds}:2:29"),
        "found: 2\n      expected: 3".to_owned(),
    ] {
        assert!(said.contains(&words), "`{words}` is missing in:\n{said}");
    }
    // The same value twice is no question.
    assert_eq!(opened(&with("", &rules.replace("size: 3", "size: 2"))).rules().max_steps, Some(30));
    // What the file has keys of its own for, and what another file says.
    for (params, key) in [
        ("  free_observations: []\n", "free_observations"),
        ("  observations: {}\n", "observations"),
        ("  actions: {}\n", "actions"),
        ("  initial_conditions: {}\n", "initial_conditions"),
    ] {
        let said = refused(&with(params, "")).to_string();
        assert!(said.contains(&format!("`{key}` of `BasicRule` has different values here and at ")), "{said}");
    }
}

/// The message about a game whose rules are in a file that is somehow wrong.
fn about_rules(folder: &Path, prepare: impl FnOnce(&Path)) -> String {
    let head = clay_bean().split("\nrules:").next().unwrap();
    let game = write(folder, "game.yaml", format!("{head}\nrules: rules.yaml\nscore: {{BasicScore: {{}}}}\n"));
    prepare(&folder.join("rules.yaml"));
    refused(&game).to_string()
}

#[test]
fn a_file_that_can_not_be_read_is_shown_where_it_is_named() {
    let folder = folder("unreadable");
    let head = clay_bean().split("\nrules:").next().unwrap();
    let place = format!("game.yaml:{}:8, at rules", head.matches('\n').count() + 2);
    let said = about_rules(&folder, |_| {});
    assert!(said.contains("can't be read") && said.contains(&place) && said.contains("rules.yaml"), "{said}");
    let said = about_rules(&folder, |file| std::fs::write(file, " \n").unwrap());
    assert!(said.contains("the file is empty") && said.contains(&place), "{said}");
    let said = about_rules(&folder, |file| std::fs::write(file, b"a: 1\nb: \xff\xfe\n").unwrap());
    assert!(said.contains("not text in UTF-8: line 2") && said.contains("rules.yaml:2:4"), "{said}");
    let said = about_rules(&folder, |file| {
        std::fs::write(file, "a: 1\n".repeat(MAX_FILE_BYTES as usize / 5 + 1)).unwrap();
    });
    assert!(said.contains("larger than 8 MB") && said.contains(&place), "{said}");
    let said = about_rules(&folder, |file| std::fs::write(file, "BasicRule: [1\nb: 2\n").unwrap());
    assert!(said.contains("not valid YAML") && said.contains("rules.yaml:2:"), "{said}");
    let said = about_rules(&folder, |file| {
        std::fs::remove_file(file).unwrap();
        std::fs::create_dir(file).unwrap();
    });
    assert!(said.contains("it is a folder") && said.contains(&place), "{said}");
    assert!(refused(&format!("{}/", folder.display())).to_string().contains("it is a folder"));
}

#[test]
fn files_in_a_circle_are_refused() {
    let folder = folder("circle");
    let said = about_rules(&folder, |file| std::fs::write(file, "other.yaml\n").unwrap());
    assert!(said.contains("can't be read"), "{said}");
    write(&folder, "other.yaml", "rules.yaml\n");
    let said = refused(&folder.join("game.yaml").display().to_string()).to_string();
    assert!(said.contains("circle") && said.contains("other.yaml:1:1"), "{said}");
    let itself = write(&folder, "self.yaml", "name: a\nfields: {Field-0: self.yaml}\n");
    let said = refused(&itself).to_string();
    assert!(said.contains("circle") && said.contains("self.yaml:2:19"), "{said}");
}

#[test]
fn texts_that_are_meant_to_harm_are_refused_at_once() {
    let folder = folder("harm");
    let laughs: String = std::iter::once("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned())
        .chain((1..40).map(|i| format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 9].join(", "))))
        .collect();
    let long = format!("a: &a [{}]\nb: [{}]\n", "1,".repeat(1_000_000), "*a,".repeat(500_000));
    let texts = [
        ("laughs", laughs, "aliases"),
        ("long", long, "aliases"),
        ("flow", "[".repeat(4_000_000), "levels deep"),
        ("mappings", "{a: ".repeat(2_000_000), "levels deep"),
        ("block", "- ".repeat(4_000_000), "levels deep"),
        ("keys", "? ".repeat(4_000_000), "levels deep"),
    ];
    for (name, text, message) in texts {
        let file = write(&folder, &format!("{name}.yaml"), text);
        let (said, took) = processor_time(|| refused(&file).to_string());
        assert!(said.contains(message) && said.contains(&format!("{name}.yaml:")), "{name}: {said}");
        assert!(took < Duration::from_secs(10), "{name} took {took:?} of processor time");
    }
    let set = Options { preset: None, set: vec![("doc".into(), "[".repeat(100_000))], ..Default::default() };
    let Err(problems) = open("clay_bean-v0", &set) else { panic!("a setting as deep as this is refused") };
    assert!(problems.to_string().contains("levels deep"), "{problems}");
}

#[test]
fn a_file_that_looks_like_a_part_and_is_none_is_a_warning() {
    let folder = folder("stray");
    let file = write(&folder, "game.yaml", clay_bean());
    assert!(opened(&file).warnings().0.is_empty());
    write(&folder, "game_init.yaml", START);
    write(&folder, "game_notes.yaml", "- nothing\n");
    let game = opened(&file);
    let warnings = game.warnings();
    assert_eq!(warnings.0.len(), 1, "{warnings}");
    assert!(warnings.to_string().contains("`game_init.yaml` is next to the game file"), "{warnings}");
}

#[test]
fn parts_outside_of_the_games_folder_are_refused_unless_that_is_allowed() {
    let folder = folder("outside");
    let secret = write(&folder, "secret.yaml", "{password: hunter2}\n");
    let game = |score: &str| {
        let text = clay_bean();
        let inline = block(text, "score:", "policies:", 0);
        write(&folder, "game/game.yaml", text.replacen(&format!("score:\n{inline}"), &format!("score: {score}\n"), 1))
    };
    let with = |file: &str, allow_outside_files| {
        let options = Options { allow_outside_files, ..Options::default() };
        open(file, &options).map(|_| ()).map_err(|problems| problems.to_string())
    };
    for name in ["../secret.yaml", &secret, "../secrets.yaml", "/etc/passwds.yaml"] {
        let said = with(&game(name), false).unwrap_err();
        assert!(said.contains("the file is outside of the game's folder") && said.contains("at score"), "{said}");
        assert!(said.contains(&format!("found: {name}")) && said.contains("`Options::allow_outside_files`"), "{said}");
        assert!(!said.contains("did you mean") && !said.contains("hunter2"), "{said}");
    }
    let said = with(&game("../secret.yaml"), true).unwrap_err();
    assert!(said.contains("secret.yaml:1:") && !said.contains("hunter2"), "{said}");
    write(&folder, "good.yaml", block(clay_bean(), "score:", "policies:", 2));
    assert_eq!(with(&game("../good.yaml"), true), Ok(()));
    // Below the folder of the game, whatever leads there; a file of a file may go up again as far as that.
    write(&folder, "game/parts/score.yaml", "../own.yaml\n");
    write(&folder, "game/own.yaml", block(clay_bean(), "score:", "policies:", 2));
    assert_eq!(with(&game("parts/score.yaml"), false), Ok(()));
    assert_eq!(with(&game(&folder.join("game/own.yaml").display().to_string()), false), Ok(()));
    write(&folder, "game/parts/score.yaml", "../../good.yaml\n");
    assert!(with(&game("parts/score.yaml"), false).is_err());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_part_and_nobody_waits_for_it() {
    let folder = folder("pipe");
    assert!(std::process::Command::new("mkfifo").arg(folder.join("score.yaml")).status().unwrap().success());
    let inline = block(clay_bean(), "score:", "policies:", 0);
    let text = clay_bean().replacen(&format!("score:\n{inline}"), "score: score.yaml\n", 1);
    let said = refused(&write(&folder, "game.yaml", text)).to_string();
    assert!(said.contains("not a regular file") && said.contains("at score"), "{said}");
}
