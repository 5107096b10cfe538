//! The built program, run as a user runs it: what works, what every error says, and that no input makes it panic.
//!
//! The tests ask the program itself for its games, so that they hold for every game of the catalogue.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

mod program;

use program::{Ran, farm, program};

fn farm_with_input(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may refuse its arguments before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(input);
    Ran::of(&child.wait_with_output().unwrap())
}

/// An empty folder of a test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn names(json: &Json) -> Vec<String> {
    json.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

fn games() -> Vec<String> {
    let games = names(&farm(&["list", "games", "--json"]).json()["games"]);
    assert!(games.len() >= 2, "{games:?}");
    games
}

fn yaml(game: &str) -> String {
    let ran = farm(&["describe", game, "--yaml"]);
    ran.says(0, &["name:"]);
    ran.stdout
}

/// Steps that a game allows without a limit of ours being in the way.
fn waits(n: usize) -> String {
    "[]\n".repeat(n)
}

#[test]
fn help_has_examples_and_wrong_usage_has_its_own_code() {
    farm(&["--help"]).says(0, &["EXAMPLES", "farm run", "Exit codes"]);
    for command in ["list", "describe", "graph", "run", "replay", "check"] {
        farm(&[command, "--help"]).says(0, &["EXAMPLES", &format!("farm {command}")]);
    }
    farm(&["--version"]).says(0, &["farm"]);
    farm::<&str>(&[]).says(2, &["Usage"]);
    farm(&["lsit"]).says(2, &["lsit", "list"]);
    farm(&["run"]).says(2, &["GAME"]);
    farm(&["run", "clay_bean", "--episodes", "0"]).says(2, &["0", "--episodes"]);
    farm(&["run", "clay_bean", "--seed", "-1"]).says(2, &[]);
    farm(&["run", "clay_bean", "--seed", "99999999999999999999"]).says(2, &["--seed"]);
    farm(&["run", "clay_bean", "--set", "depth"]).says(2, &["PATH=VALUE"]);
    farm(&["run", "clay_bean", "--set", "=3"]).says(2, &["PATH=VALUE"]);
    farm(&["replay", "clay_bean"]).says(2, &["--seed", "--actions"]);
    farm(&["check"]).says(2, &["FILE"]);
}

#[test]
fn list_shows_every_section_with_a_sentence_for_each_name() {
    let all = farm(&["list", "--json"]).json();
    let sections = ["games", "entities", "farmers", "rules", "scores", "policies", "roles"];
    assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), sections);
    for section in sections {
        let items = all[section].as_array().unwrap();
        assert!(!items.is_empty(), "{section}");
        for item in items {
            assert!(!item["doc"].as_str().unwrap().is_empty(), "{item}");
        }
        let text = farm(&["list", section]);
        assert_eq!(text.stdout.lines().count(), items.len(), "one line each");
        for (line, name) in text.stdout.lines().zip(names(&all[section])) {
            assert!(line.starts_with(&name), "{line}");
        }
    }
    farm(&["list"]).says(0, &["games\n", "\nroles\n", "policies: "]);
    farm(&["list", "entites"]).says(1, &["there is no section `entites`", "did you mean `entities`?"]);
}

#[test]
fn every_name_of_the_list_can_be_described() {
    let all = farm(&["list", "--json"]).json();
    let mut sprites = 0;
    for (section, items) in all.as_object().unwrap() {
        for name in names(items) {
            let text = farm(&["describe", &name]);
            text.says(0, &[&name]);
            assert!(text.stdout.lines().count() >= 2, "{}", text.stdout);
            let json = farm(&["describe", &name, "--json"]).json();
            let one = if json.is_array() { &json[0] } else { &json };
            assert_eq!(one["name"], name.as_str(), "{section}");
            let pictures = one["pictures"].as_array().cloned().unwrap_or_default();
            assert_eq!(text.stdout.contains("\npictures\n"), !pictures.is_empty(), "{name}");
            for look in pictures.iter().flat_map(|picture| picture["looks"].as_array().unwrap()) {
                let when = look["when"].as_str().unwrap();
                assert!(text.stdout.contains(when), "{name} lacks {when}");
                sprites += usize::from(look["svg"].as_str().is_some_and(|svg| svg.contains("<svg")));
            }
        }
    }
    assert!(sprites > 30, "{sprites}");
}

#[test]
fn a_game_is_described_with_its_spaces_actions_policies_and_limit() {
    for game in games() {
        let json = farm(&["describe", &game, "--json"]).json();
        for key in ["fields", "parts"] {
            assert!(!json[key].as_array().unwrap().is_empty(), "{key}");
        }
        assert!(json["actions"]["discrete"].as_u64().unwrap() > 1);
        assert!(json["observation"]["bytes"].as_u64().unwrap() > 0);
        assert!(!json["policies"].as_object().unwrap().is_empty());
        farm(&["describe", &game]).says(0, &["parts", "observation", "actions: ", "policies", "an episode ends"]);
    }
}

#[test]
fn a_player_is_told_what_is_seen_and_how_to_act_and_the_rules_only_if_they_are_shown() {
    for game in games() {
        let hidden = farm(&["describe", &game, "--instructions", "hidden"]);
        hidden.says(0, &["GOAL\n", "\nWHAT YOU SEE\n", "\nHOW TO ACT\n"]);
        assert!(!hidden.stdout.contains("RULES") && !hidden.stdout.contains(&game), "{}", hidden.stdout);
        let shown = farm(&["describe", &game, "--instructions", "shown"]);
        shown.says(0, &["GOAL\n", "\nWHAT YOU SEE\n", "\nHOW TO ACT\n", "\nRULES\n"]);
        assert!(shown.stdout.len() > hidden.stdout.len());
        let json = farm(&["describe", &game, "--json"]).json();
        for name in names(&json["actions"]["base"]) {
            assert!(hidden.stdout.contains(&name) && shown.stdout.contains(&name), "{game}: {name}");
        }
    }
    let told = |change: &[&str]| {
        let ran = farm(&[&["describe", "valley_farm", "--instructions", "shown"][..], change].concat());
        ran.says(0, &["RULES"]);
        ran.stdout
    };
    assert!(told(&["--preset", "autoenv_compat"]).contains("relationship by 5,"));
    assert!(told(&["--set", "rules.BasicRule.max_steps=7"]).contains("after 7 steps"));
    assert_eq!(told(&["--level", "test/01"]), told(&[]));
    farm(&["describe", "valley_farm", "--instructions", "some"]).says(2, &["hidden, shown"]);
    farm(&["describe", "valley_farm", "--instructions", "shown", "--json"]).says(2, &["cannot be used with"]);
    farm(&["describe", "BasicFarmer", "--instructions", "shown"]).says(1, &["only games are changed or started"]);
}

#[test]
fn a_replay_counts_what_cannot_be_read_as_waiting_where_the_rules_say_so() {
    let (folder, actions) = (folder("unreadable_waits"), "dance\nmove n\nmoveeast ; hop\n");
    let path = file(&folder, "dance.txt", actions);
    let replay = ["replay", "backwards_valley", "--seed", "1", "--actions", &path];
    farm(&replay).says(1, &["dance.txt", "no action `dance`"]);
    let waits = farm(&[&replay[..], &["--set", "rules.BasicRule.unreadable=wait"]].concat());
    waits.says(0, &[]);
    assert_eq!(waits.stdout.lines().count(), 3, "{}", waits.stdout);
}

#[test]
fn the_yaml_of_a_game_is_a_game_of_its_own() {
    let folder = folder("yaml_of_a_game");
    for game in games() {
        let path = file(&folder, &format!("{game}.yaml"), yaml(&game));
        farm(&["describe", &path]).says(0, &[&game]);
        let of_file = farm(&["run", &path, "--episodes", "2", "--json"]).json();
        let of_name = farm(&["run", &game, "--episodes", "2", "--json"]).json();
        assert_eq!(of_file["return"], of_name["return"]);
        assert_eq!(yaml(&path), yaml(&game));
    }
    let kind = names(&farm(&["list", "entities", "--json"]).json()["entities"]).swap_remove(0);
    farm(&["describe", &kind, "--yaml"]).says(1, &["only games have a YAML", &format!("farm describe {kind}")]);
}

#[test]
fn an_unknown_name_has_the_nearest_of_all_names() {
    farm(&["describe", "clay_baen"]).says(1, &["`clay_baen`", "did you mean `clay_bean`?", "farm list"]);
    farm(&["describe", "BasicFramer"]).says(1, &["did you mean `BasicFarmer`?"]);
    farm(&["describe", "rain_amonut"]).says(1, &["did you mean `rain_amount`?"]);
    farm(&["run", "clay_baen"]).says(1, &["there is no game `clay_baen`", "did you mean `clay_bean`?"]);
    farm(&["run", "clay_bean", "--policy", "radnom"]).says(1, &["no policy `radnom`", "did you mean `random`?"]);
    farm(&["run", "clay_bean", "--preset", "xyz"]).says(1, &["no preset `xyz`"]);
    farm(&["run", "./no/such.yaml"]).says(1, &["can't be read", "./no/such.yaml"]);
}

#[test]
fn a_run_prints_its_table_and_equal_seeds_give_equal_returns() {
    for game in games() {
        let ran = farm(&["run", &game, "--episodes", "3", "--seed", "5"]);
        ran.says(0, &["return mean ± sd", "steps/s", "days", &game, "random"]);
        assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
        assert_eq!(ran.stderr, "", "progress is for people who watch");
        let run = |seed: &str| farm(&["run", &game, "--episodes", "20", "--seed", seed, "--json"]).json();
        // Episodes of seeds close together are mostly the same ones, and where random play seldom earns anything, so are
        // their returns.
        let (one, again, other) = (run("5"), run("5"), run("1"));
        assert_eq!(one["return"], again["return"]);
        assert_ne!(one["return"], other["return"], "another seed, other episodes");
        assert_eq!(one["episodes"], 20);
        assert_eq!(one["days"].as_f64().unwrap(), one["steps"].as_f64().unwrap() * 20.0);
        assert!(one["steps_per_second"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn every_policy_and_preset_of_every_game_plays() {
    for game in games() {
        let json = farm(&["describe", &game, "--json"]).json();
        for policy in json["policies"].as_object().unwrap().keys() {
            let ran = farm(&["run", &game, "--policy", policy, "--episodes", "2", "--json"]).json();
            assert_eq!(ran["policy"], policy.as_str());
        }
        for preset in json["presets"].as_object().unwrap().keys() {
            let ran = farm(&["run", &game, "--preset", preset, "--episodes", "2", "--json"]).json();
            assert_eq!(ran["preset"], preset.as_str());
        }
    }
}

#[test]
fn a_policy_is_named_a_kind_a_file_or_several() {
    let folder = folder("policies");
    let expert = farm(&["run", "clay_bean", "--policy", "expert", "--json"]).json();
    for same in ["WaitPolicy + expert", "[WaitPolicy, expert]"] {
        let ran = farm(&["run", "clay_bean", "--policy", same, "--json"]).json();
        assert_eq!(ran["return"], expert["return"], "{same}");
    }
    let text = "# Who waters most.\n- HarvestPolicy: when_ripe\n- WaterPolicy: {amount#L: 10, below#L: 140}\n";
    let path = file(&folder, "careful.yaml", text);
    farm(&["run", "clay_bean", "--policy", &path, "--episodes", "2"]).says(0, &["clay_bean", "careful.yaml"]);
    farm(&["run", "clay_bean", "--policy", "HarvestPolicy", "--episodes", "2"]).says(0, &["HarvestPolicy"]);
    let path = file(&folder, "wrong.yaml", text.replace("below#L: 140", "blow#L: 140"));
    farm(&["run", "clay_bean", "--policy", &path]).says(1, &["wrong.yaml:3:31", "did you mean `below#L`?"]);
    farm(&["run", "clay_bean", "--policy", "HarvestPolcy"])
        .says(1, &["did you mean `HarvestPolicy`?", "farm list policies"]);
    farm(&["run", "clay_bean", "--policy", "no/such.yaml"]).says(1, &["can't be read", "no/such.yaml"]);
}

#[test]
fn a_game_that_never_ends_is_an_error_and_no_endless_wait() {
    let folder = folder("endless");
    let text: String =
        yaml("backwards_valley").lines().filter(|l| !l.contains("max_steps:")).map(|l| format!("{l}\n")).collect();
    let path = file(&folder, "endless.yaml", text);
    farm(&["run", &path, "--policy", "wait"])
        .says(1, &["episode 0 (seed 0)", "no end after 1000000 steps", "BasicRule"]);
}

#[test]
fn the_last_seed_is_followed_by_the_first() {
    farm(&["run", "clay_bean", "--episodes", "2", "--seed", "18446744073709551615"]).says(0, &["clay_bean"]);
}

#[test]
fn the_file_of_a_run_has_a_line_per_episode() {
    let folder = folder("out").join("deep/er");
    for game in games() {
        let out = folder.join(&game);
        let ran =
            farm(&["run", &game, "--episodes", "4", "--seed", "3", "--json", "--out", out.to_str().unwrap()]).json();
        let mut reader = csv::Reader::from_path(out.join("episodes.csv")).unwrap();
        let header = reader.headers().unwrap().clone();
        let fixed = ["episode", "seed", "return", "steps", "terminated", "truncated", "stop", "state_hash"];
        assert_eq!(header.iter().take(8).collect::<Vec<_>>(), fixed);
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.iter().map(|row| row[1].to_owned()).collect::<Vec<_>>(), ["3", "4", "5", "6"]);
        let mean = rows.iter().map(|row| row[2].parse::<f64>().unwrap()).sum::<f64>() / 4.0;
        assert!((mean - ran["return"]["mean"].as_f64().unwrap()).abs() < 1e-9);
        for row in &rows {
            assert_eq!(row[7].len(), 16, "{row:?}");
            assert!((&row[4] == "true") != (&row[5] == "true") && !row[6].is_empty(), "{row:?}");
        }
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing half-written stays");
    }
}

#[test]
fn results_that_cannot_be_written_are_printed_all_the_same() {
    let folder = folder("unwritable");
    let occupied = file(&folder, "occupied", "");
    let ran = farm(&["run", "clay_bean", "--episodes", "2", "--out", &occupied]);
    ran.says(1, &["return mean", "can't be written to", &occupied]);
    fs::create_dir_all(folder.join("out/episodes.csv/in_the_way")).unwrap();
    let out = folder.join("out");
    farm(&["run", "clay_bean", "--episodes", "2", "--out", out.to_str().unwrap()])
        .says(1, &["return mean", "episodes.csv"]);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing half-written stays");
}

#[test]
fn a_changed_value_reaches_the_game_and_a_wrong_one_is_found_by_its_option() {
    let length = |value: &str| farm(&["run", "clay_bean", "--set", &format!("fields.Field-0.shape.length#nb={value}")]);
    length("2").says(0, &["clay_bean"]);
    length("0").says(1, &["--set fields.Field-0.shape.length#nb=0", "out of range", "found: 0"]);
    length("two").says(1, &["--set fields.Field-0.shape.length#nb=two", "a whole number"]);
    length("[").says(1, &["not YAML", "--set"]);
    farm(&["run", "clay_bean", "--set", "fields.Field-0.shape.lenght#nb=2"]).says(1, &["did you mean `length#nb`?"]);
}

#[test]
fn a_replay_traces_every_step() {
    let folder = folder("replay");
    for game in games() {
        let description = farm(&["describe", &game, "--json"]).json();
        let plain = description["actions"]["base"].as_array().unwrap().iter();
        let plain: Vec<&str> =
            plain.filter(|a| a["parameters"] == Json::Array(vec![])).map(|a| a["name"].as_str().unwrap()).collect();
        let mut lines = format!("# a comment\n\n{}", waits(2));
        plain.first().iter().for_each(|name| lines.push_str(&format!("{name}\r\n\"{name}\"\n")));
        let steps = 2 + 2 * plain.first().iter().count();
        let actions = file(&folder, &format!("{game}.txt"), &lines);
        let ran = farm(&["replay", &game, "--seed", "1", "--actions", &actions]);
        ran.says(0, &["final state"]);
        let trace: Vec<Json> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(trace.len(), steps);
        let keys = ["t", "action", "reward", "terminated", "truncated", "observation", "info", "state_hash"];
        for (i, step) in trace.iter().enumerate() {
            assert_eq!(step.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
            assert_eq!(step["t"], i + 1);
            assert_eq!(step["state_hash"].as_str().unwrap().len(), 16);
        }
        assert_eq!(trace[0]["action"], Json::Array(vec![]));
        // What the trace calls an action can be replayed, with the same result; also from standard input and to a file.
        let again: String = trace.iter().map(|step| format!("{}\n", step["action"])).collect();
        let out = folder.join(format!("{game}.jsonl"));
        let to_file = ["replay", &game, "--seed", "1", "--actions", "-", "--trace", out.to_str().unwrap()];
        let silent = farm_with_input(&to_file, again.as_bytes());
        silent.says(0, &["final state"]);
        assert_eq!((silent.stdout.as_str(), fs::read_to_string(&out).unwrap()), ("", ran.stdout));
    }
}

#[test]
fn the_first_actions_of_each_kind_can_be_written_as_the_description_has_them() {
    for game in games() {
        let description = farm(&["describe", &game, "--json"]).json();
        for base in description["actions"]["base"].as_array().unwrap() {
            let (path, name) = (base["part"].as_str().unwrap(), &base["name"]);
            let mut parameters = serde_json::Map::new();
            for parameter in base["parameters"].as_array().unwrap() {
                let allowed = &parameter["allowed"];
                let value = allowed["values"].get(0).or(allowed.get("low")).unwrap();
                parameters.insert(parameter["name"].as_str().unwrap().to_owned(), value.clone());
            }
            let mut words: Vec<Json> = path.split('.').map(Json::from).collect();
            words.extend([name.clone(), Json::Object(parameters)]);
            let line = Json::Array(words).to_string();
            farm_with_input(&["replay", &game, "--seed", "1", "--actions", "-"], line.as_bytes()).says(0, &["1 steps"]);
        }
    }
}

#[test]
fn an_unreadable_action_stops_everything_before_it_runs() {
    let folder = folder("unreadable");
    for game in games() {
        let actions = file(&folder, "actions.txt", b"[]\n# fine so far\nhravset!\n[1\n\xff\xfe\n");
        let out = folder.join("trace.jsonl");
        let ran = farm(&["replay", &game, "--seed", "1", "--actions", &actions, "--trace", out.to_str().unwrap()]);
        ran.says(
            1,
            &["actions.txt:3:1", "found: hravset!", "actions.txt:4:1", "not valid JSON", "actions.txt:5:1", "UTF-8"],
        );
        assert!(ran.stdout.is_empty() && !out.exists());
        let name =
            farm(&["describe", &game, "--json"]).json()["actions"]["base"][0]["name"].as_str().unwrap().to_owned();
        let slip = format!("{name}x");
        let ran = farm_with_input(&["replay", &game, "--seed", "1", "--actions", "-"], slip.as_bytes());
        ran.says(1, &["standard input:1:1", &slip, &format!("did you mean `{name}`?")]);
    }
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", "no/such/file"])
        .says(1, &["no/such/file", "can't be read"]);
    let actions = file(&folder, "one.txt", "[]");
    let there = folder.to_str().unwrap();
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", &actions, "--trace", there]).says(1, &["trace", there]);
}

#[test]
fn actions_after_the_end_are_an_error_and_the_trace_stays() {
    for game in games() {
        let described = farm(&["describe", &game, "--json"]).json();
        let number = |key: &str| described[key].as_u64().unwrap() as usize;
        let limit = number("max_steps") * number("steps_per_day");
        let ran = farm_with_input(&["replay", &game, "--seed", "1", "--actions", "-"], waits(limit + 3).as_bytes());
        let steps = ran.stdout.lines().count();
        ran.says(1, &[&format!("the episode ended at line {steps}"), &format!("standard input:{}:1", steps + 1)]);
        assert!(steps <= limit, "{steps}");
    }
}

#[test]
fn check_accepts_every_game_of_the_catalogue() {
    let games = games();
    let arguments: Vec<&str> = std::iter::once("check").chain(games.iter().map(String::as_str)).collect();
    let ran = farm(&arguments);
    ran.says(
        0,
        &games
            .iter()
            .map(|game| format!("ok: {game}: "))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    let json = farm(&["check", &games[0], "--json"]).json();
    assert_eq!((&json[0]["ok"], &json[0]["problems"]), (&Json::Bool(true), &Json::Array(vec![])));
}

#[test]
fn check_prints_every_problem_with_its_place_and_the_nearest_name() {
    let folder = folder("problems");
    let text = yaml("clay_bean").replacen("name:", "nmae: x\nname:", 1).replacen("length#nb: 1", "length#nb: -1", 1);
    let text = text.replacen("score:\n", "scroe: 1\nscore:\n", 1).replacen("length#nb:", "length#cm:", 1);
    let path = file(&folder, "bad.yaml", &text);
    let line_of = |key: &str| 1 + text.lines().position(|line| line.contains(key)).unwrap();
    let ran = farm(&["check", &path, "clay_bean"]);
    let place = |key: &str| format!("bad.yaml:{}:", line_of(key));
    ran.says(
        1,
        &["ok: clay_bean", "did you mean `name`?", "did you mean `length#nb`?", &place("nmae"), &place("length#cm")],
    );
    let json = farm(&["check", &path, "--json"]);
    assert_eq!(json.code, 1);
    let json: Json = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json[0]["ok"], false);
    let first = &json[0]["problems"][0];
    assert_eq!((first["severity"].as_str(), first["line"].as_u64()), (Some("error"), Some(line_of("nmae") as u64)));
    assert!(first["column"].is_u64() && first["help"].is_string() && first["expected"].is_string(), "{first}");
}

#[test]
fn check_looks_into_presets_and_policies() {
    let folder = folder("presets");
    let text = yaml("clay_bean");
    let with = |key: &str, entry: &str| match text.contains(&format!("\n{key}:\n")) {
        true => text.replacen(&format!("\n{key}:\n"), &format!("\n{key}:\n  {entry}\n"), 1),
        false => format!("{text}\n{key}:\n  {entry}\n"),
    };
    let path = file(&folder, "preset.yaml", with("presets", "wrong: {fields.Field-0.shape.length#nb: -3}"));
    farm(&["check", &path]).says(1, &["with preset `wrong`", "found: -3"]);
    farm(&["run", &path, "--preset", "wrong"]).says(1, &["found: -3", "preset wrong"]);
    farm(&["run", &path, "--preset", "wrnog"]).says(1, &["did you mean `wrong`?"]);
}

/// The reader takes a line and leaves.
#[test]
fn a_broken_pipe_is_quiet() {
    let folder = folder("pipe");
    let limit = farm(&["describe", "clay_bean", "--json"]).json()["max_steps"].as_u64().unwrap() as usize;
    // More than fits into the pipe's buffer together with the program's own, where the game lasts that long.
    let actions = file(&folder, "actions.txt", waits(limit));
    let replay = ["replay", "clay_bean", "--seed", "1", "--actions", &actions];
    for arguments in
        [&["list"][..], &["list", "--json"], &["describe", "clay_bean", "--json"], &["run", "clay_bean"], &replay]
    {
        let mut command = program();
        let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ran = Ran::of(&child.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("error"), "{arguments:?}: {}", ran.stderr);
    }
    // Nobody reads at all: every write fails.
    for arguments in
        [&["list"][..], &["describe", "clay_bean"], &["run", "clay_bean"], &["check", "clay_bean"], &replay]
    {
        let mut child = program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::of(&child.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn results_are_saved_although_nobody_reads_the_table() {
    let out = folder("unread");
    let mut command = program();
    command.args(["run", "clay_bean", "--out"]).arg(&out).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(Ran::of(&child.wait_with_output().unwrap()).code, 0);
    assert_eq!(fs::read_to_string(out.join("episodes.csv")).unwrap().lines().count(), 11);
}

/// Files that no careful user writes.
fn nasty_files() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let game = |body: &str| {
        format!("name: x\nfarmers: [BasicFarmer]\nrules: BasicRule\nscore: BasicScore\n{body}").into_bytes()
    };
    let bomb: String = (1..30).fold("a0: &a0 [x, x, x, x]\n".to_owned(), |text, i| {
        let alias = format!("*a{}", i - 1);
        format!("{text}a{i}: &a{i} [{alias}, {alias}, {alias}, {alias}]\n")
    });
    vec![
        ("empty", Vec::new()),
        ("spaces", text(" \n\t\n")),
        ("null", text("null\n")),
        ("number", text("42\n")),
        ("list", text("- a\n- b\n")),
        ("word", text("clay_bean")),
        ("nul_bytes", vec![0; 4096]),
        ("binary", (0..=255).cycle().take(10_000).collect()),
        ("not_utf8", b"name: \xff\xfe\n".to_vec()),
        ("mark_only", b"\xef\xbb\xbf".to_vec()),
        ("utf16", b"\xff\xfen\0a\0m\0e\0:\0".to_vec()),
        ("deep_lists", "[".repeat(100_000).into_bytes()),
        ("deep_maps", "{a: ".repeat(5_000).into_bytes()),
        ("deep_closed", format!("name: {}{}", "[".repeat(120), "]".repeat(120)).into_bytes()),
        ("deep_blocks", (0..3000).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>().into_bytes()),
        ("dashes", "- ".repeat(20_000).into_bytes()),
        ("bomb", bomb.into_bytes()),
        ("alias_of_nothing", text("name: *nobody\n")),
        ("alias_of_itself", text("name: &a [*a]\n")),
        ("merge", text("a: &a {name: x}\n<<: *a\n")),
        ("tag", text("!Foo\nname: !bar x\nfields: !!map {}\n")),
        ("two_documents", text("name: a\n---\nname: b\n")),
        ("key_twice", text("name: a\nname: b\n")),
        ("keys_of_all_kinds", text("1: a\n1.5: b\nnull: c\n[a]: d\n{a: b}: e\ntrue: f\n")),
        ("tab", text("name: x\nfields:\n\tField-0: 3\n")),
        ("unclosed", text("name: \"x\n")),
        ("long_line", format!("name: {}", "x".repeat(1_000_000)).into_bytes()),
        ("many_keys", (0..300).map(|i| format!("k{i}: 1\n")).collect::<String>().into_bytes()),
        ("no_parts", text("name: x\nfields: {}\nfarmers: []\nrules: {}\nscore: []\n")),
        ("no_fields", game("fields: {}\n")),
        ("fields_list", game("fields: [1, 2]\n")),
        ("field_null", game("fields: {Field-0: null}\n")),
        ("field_number_name", game("fields: {0: {entities: [Soil]}}\n")),
        ("entities_map", game("fields: {Field-0: {entities: {Soil: clay}}}\n")),
        ("entity_null", game("fields: {Field-0: {entities: [null, 3, [], {}, {a: 1, b: 2}, '']}}\n")),
        ("entity_tag", game("fields: !t {Field-0: !t {entities: !t [!t {Soil: clay}]}}\n")),
        ("shape_nan", game("fields: {Field-0: {shape: {length#nb: .nan, scale#m: .inf}, entities: [Soil: clay]}}\n")),
        (
            "shape_huge",
            game(
                "fields: {Field-0: {shape: {length#nb: 1e300, width#nb: 99999999999999999999}, entities: [Soil: clay]}}\n",
            ),
        ),
        ("shape_texts", game("fields: {Field-0: {shape: {length#nb: '4', width#nb: true}, entities: [Soil: clay]}}\n")),
        ("base_list", game("fields: {Field-0: {entities: [Soil: {base: [clay]}]}}\n")),
        (
            "no_farmers",
            text(
                "name: x\nfields: {Field-0: {entities: [Soil: clay]}}\nfarmers: []\nrules: BasicRule\nscore: BasicScore\n",
            ),
        ),
        ("many_parts", game(&format!("fields: {{Field-0: {{entities: [{}]}}}}\n", "Soil: clay, ".repeat(40)))),
        ("policies_list", game("fields: {Field-0: {entities: [Soil: clay]}}\npolicies: [a]\npresets: 7\n")),
        (
            "preset_cycle",
            game("fields: {Field-0: {entities: [Soil: clay]}}\npresets: {a: {presets.a: null}, b: {'': 1}, c: 3}\n"),
        ),
    ]
}

#[test]
fn no_file_makes_the_program_panic() {
    let folder = folder("nasty");
    for (name, content) in nasty_files() {
        let path = file(&folder, &format!("{name}.yaml"), content);
        for command in ["check", "describe", "run"] {
            let ran = farm(&[command, &path]);
            assert_eq!(ran.code, 1, "{command} {name}: {}{}", ran.stdout, ran.stderr);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(said.contains("error") && said.len() < 100_000, "{command} {name}: {} characters", said.len());
        }
        let ran = farm(&["replay", "clay_bean", "--seed", "1", "--actions", &path]);
        assert!((0..=1).contains(&ran.code), "replay {name}: {}", ran.stderr);
    }
    // A folder where a file belongs.
    let there = format!("{}/", folder.display());
    farm(&["check", &there]).says(1, &["can't be read"]);
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", &there]).says(1, &["can't be read"]);
}

#[test]
fn no_argument_makes_the_program_panic() {
    let huge = "9".repeat(400);
    let deep = format!("{}=1", "a.".repeat(2000));
    let nested = format!("name={}", "[".repeat(5000));
    let values: Vec<&str> = vec![
        "",
        " ",
        "-",
        "--",
        "=",
        "a=",
        ".=1",
        "..=1",
        "#=1",
        "name=",
        "name=null",
        "name=[1,2]",
        "fields=1",
        "fields=",
        "fields={}",
        "fields.Field-0=null",
        "fields.Field-0.entities=[]",
        "fields.Field-0.entities.0=3",
        "fields.Field-0.entities.99.Soil=1",
        "fields.Field-0.entities.-1=1",
        "Field-0.Soil-99.depth#m=1",
        "Field-0.Soil-0.depth#m=.nan",
        "Field-0.Soil-0=~",
        "Field-0.-=1",
        "Field-0.Soil-18446744073709551616.x=1",
        "farmers=[]",
        "farmers.0=",
        "rules=",
        "score={a: {b: c}}",
        "policies.random=Nobody",
        "presets=1",
        "\u{1F33E}=\u{0}",
        "rules.BasicRule.max_steps=0",
        "rules.BasicRule.max_steps=4294967296",
        "rules.BasicRule.actions=7",
        "rules.BasicRule.stopping_conditions=[[{}]]",
        "rules.BasicRule.initial_conditions={a: {b: {c: d}}}",
        "rules.BasicRule.free_observations=[[[[]]]]",
        "interaction_mode=fomdp",
        "interaction_mode=[fomdp]",
        &huge,
        &deep,
        &nested,
    ];
    for value in values.iter().filter(|value| !value.contains('\0')) {
        for game in ["clay_bean", "backwards_valley"] {
            let ran = farm(&["run", game, "--episodes", "1", "--set", value]);
            assert!((0..=2).contains(&ran.code), "--set {value}: {}", ran.stderr);
        }
        for arguments in [["describe", value], ["graph", value], ["list", value], ["check", value], ["run", value]] {
            let code = farm(&arguments).code;
            // Only `farm list --` asks for nothing wrong.
            assert!(code == 1 || code == 2 || arguments == ["list", "--"], "{arguments:?}: {code}");
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let not_utf8 = std::ffi::OsStr::from_bytes(b"\xff\xfe");
        for command in ["describe", "graph", "list", "check", "run"] {
            assert_eq!(farm(&[std::ffi::OsStr::new(command), not_utf8]).code, 2);
        }
    }
}

#[test]
fn no_action_makes_the_program_panic() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let lines = [
        "null",
        "[null]",
        "[[]]",
        "[[[]]]",
        "{}",
        "[{}]",
        "[\"a\"]",
        "[\"a\", {}]",
        "[\"\", \"\", \"\", \"\", {}]",
        "[{\"action\": 3}]",
        "{\"action\": \"wait\", \"parameters\": []}",
        "{\"entity\": \"Soil-0\", \"action\": \"\"}",
        "[1e999]",
        "-1",
        "99999999999999999999",
        "\"\"",
        "\"\\ud800\"",
        "\u{1F33E}",
        ".",
        "Field-0.Soil-0.",
        "[\"Soil-0\", {}]",
        "[\"Field-0\", \"Soil-0\", \"water_discrete\", {\"plot\": [-1, 0], \"amount#L\": 1e308}]",
        "[\"Field-0\", \"Soil-0\", \"water_discrete\", {\"plot\": [18446744073709551615, 18446744073709551615]}]",
        "[\"Field-0\", \"Soil-0\", \"water_discrete\", {\"plot\": \"(((\", \"amount#L\": null}]",
        &deep,
    ];
    for line in lines {
        for game in ["clay_bean", "backwards_valley"] {
            let ran = farm_with_input(&["replay", game, "--seed", "1", "--actions", "-"], line.as_bytes());
            assert!((0..=1).contains(&ran.code), "{line}: {}", ran.stderr);
        }
    }
}

/// Every line of every game left out, written twice, cut, or with another value: problems, perhaps, but never a panic.
#[test]
fn no_slip_in_a_game_makes_the_program_panic() {
    let folder = folder("slips");
    let values =
        ["", "null", "-1", "1e308", ".nan", "[]", "{}", "[[1, 2], x]", "'*'", "'(3, 1)'", "99999999999", "!t x"];
    for game in games() {
        let text = yaml(&game);
        let lines: Vec<&str> = text.lines().collect();
        let mut paths = vec!["check".to_owned()];
        for (i, line) in lines.iter().enumerate() {
            let (before, after) = (lines[..i].join("\n"), lines[i + 1..].join("\n"));
            let mut slips =
                vec![format!("{before}\n{after}"), format!("{before}\n{line}\n{line}\n{after}"), before.clone()];
            if let Some((key, _)) = line.split_once(": ") {
                slips.extend(values.iter().map(|value| format!("{before}\n{key}: {value}\n{after}")));
            }
            for (k, slip) in slips.into_iter().enumerate() {
                paths.push(file(&folder, &format!("{game}_{i}_{k}.yaml"), slip));
            }
        }
        // Many files in one run, so that the test takes seconds and not minutes.
        let ran = farm(&paths);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(paths.len() > 100, "{}", paths.len());
    }
}

#[test]
fn a_run_explains_what_happened() {
    let arguments = ["run", "full_farm", "--policy", "expert", "--episodes", "3", "--explain"];
    let output = Command::new(env!("CARGO_BIN_EXE_farm")).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("seed 2\n"), "{text}");
    assert!(text.contains("Field-0.Plant-0 (0, 0)  stage_transition: grow"), "{text}");
    assert!(text.contains("steps  Field-0.Plant-0 (0, 0)  growth_limited: "), "{text}");
    let arguments = ["run", "clay_bean", "--policy", "wait", "--episodes", "20", "--explain", "--json"];
    let output = Command::new(env!("CARGO_BIN_EXE_farm")).args(arguments).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let happened = json["stories"].as_array().unwrap().iter().flat_map(|story| story["happened"].as_array().unwrap());
    let deaths: Vec<&str> = happened.filter(|e| e["kind"] == "death").filter_map(|e| e["what"].as_str()).collect();
    // Nobody waters and nobody harvests: beans stop growing, or ripen and are lost with age.
    assert!(deaths.len() > 10 && deaths.iter().all(|what| !what.is_empty() && *what != "none"), "{deaths:?}");
    assert!(deaths.contains(&"no_growth") || deaths.contains(&"age"), "{deaths:?}");
}
