//! `farm describe`: every name of the list, games with all that can be asked of them.

use super::program::farm;
use super::{file, folder, games, names, yaml};

#[test]
fn every_name_of_the_list_can_be_described() {
    let all = farm(&["list", "--json"]).json();
    let mut sprites = 0;
    for (section, items) in all.as_object().unwrap().iter().filter(|(key, _)| *key != "schema") {
        // Of long sections every third name; that each has what is described here is tried where they are declared.
        let step = if names(items).len() > 12 { 3 } else { 1 };
        for name in names(items).into_iter().step_by(step) {
            let text = farm(&["describe", &name]);
            text.says(0, &[&name]);
            assert!(text.stdout.lines().count() >= 2, "{}", text.stdout);
            let json = farm(&["describe", &name, "--json"]).json();
            let one = if json["meanings"].is_array() { &json["meanings"][0] } else { &json };
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
    assert!(sprites > 10, "{sprites}");
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
        hidden.says(0, &["TASK\n", "\nOBSERVATION\n", "\nREPLY FORMAT\n"]);
        assert!(!hidden.stdout.contains("RULES") && !hidden.stdout.contains(&game), "{}", hidden.stdout);
        let shown = farm(&["describe", &game, "--instructions", "shown"]);
        shown.says(0, &["TASK\n", "\nOBSERVATION\n", "\nREPLY FORMAT\n", "\nRULES\n"]);
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
    assert!(told(&["--preset", "autoenv_compat"]).contains("one villager by 5, up to"));
    assert!(told(&["--set", "rules.BasicRule.max_steps=7"]).contains("lasts 7 steps."));
    assert_eq!(told(&["--level", "test/01"]), told(&[]));
    farm(&["describe", "valley_farm", "--instructions", "some"]).says(2, &["hidden, shown"]);
    farm(&["describe", "valley_farm", "--instructions", "shown", "--json"]).says(2, &["cannot be used with"]);
    farm(&["describe", "BasicFarmer", "--instructions", "shown"]).says(1, &["this option needs a game"]);
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
    farm(&["describe", &kind, "--yaml"]).says(1, &["`--yaml` needs a game", &format!("farm describe {kind}")]);
}

#[test]
fn names_within_kinds_are_described() {
    let set = farm(&["describe", "bean"]);
    set.says(0, &["bean · parameter set of Plant", "source: ", "in a game: - Plant: bean", "\nparameters\n"]);
    farm(&["describe", "montpellier"]).says(0, &["montpellier · parameter set of Weather"]);
    farm(&["describe", "stage_transition"]).says(0, &["stage_transition · event of Plant", "reported: once"]);
    farm(&["describe", "growth_limited"]).says(0, &["reported: in each step while it lasts", "values: 0 is "]);
    farm(&["describe", "water_discrete"]).says(0, &["water_discrete · action of Soil", "\nparameters\n"]);
    for name in ["available_Water#L", "available_Water"] {
        farm(&["describe", name]).says(0, &["available_Water#L · variable of Soil", "values: ", "seen: "]);
    }
    farm(&["describe", "visit"]).says(0, &["visit · phase", "order: 6 of 8", "active parts: Pests, Pollinators"]);
    // A name that several kinds declare is described for each.
    let all = farm(&["describe", "remove", "--json"]).json();
    let of: Vec<&str> = all["meanings"].as_array().unwrap().iter().map(|one| one["of"].as_str().unwrap()).collect();
    assert_eq!(of, ["Plant", "Weeds"]);
    let set = farm(&["describe", "bean", "--json"]).json();
    assert_eq!((set["kind"].as_str(), set["of"].as_str()), (Some("parameter set"), Some("Plant")));
    assert!(!set["parameters"].as_object().unwrap().is_empty());
}

#[test]
fn a_name_of_a_part_leads_to_its_kind_and_a_misspelt_one_to_the_nearest() {
    for name in ["Soil-0", "Field-0.Soil-0"] {
        farm(&["describe", name]).says(1, &["is a part of a game, not a kind", "farm describe Soil`"]);
    }
    for (wrong, right) in [
        ("stage_transiton", "stage_transition"),
        ("montpelier", "montpellier"),
        ("water_discret", "water_discrete"),
        ("availible_Water#L", "available_Water#L"),
        ("exogenus", "exogenous"),
    ] {
        farm(&["describe", wrong]).says(1, &[&format!("did you mean `{right}`?")]);
    }
}

#[test]
fn kinds_of_parameters_are_whole_where_the_output_is_no_terminal() {
    for kind in names(&farm(&["list", "entities", "--json"]).json()["entities"]) {
        let json = farm(&["describe", &kind, "--json"]).json();
        let text = farm(&["describe", &kind]).stdout;
        for parameter in json["parameters"].as_array().unwrap() {
            let values = parameter["kind"].as_str().unwrap();
            assert!(text.contains(values), "{kind} lacks {values}");
        }
    }
}

#[test]
fn the_keys_of_a_game_file_are_described_with_what_stands_there() {
    let schema = farm(&["schema"]).json();
    let text = farm(&["describe", "game"]);
    text.says(
        0,
        &[
            "game · file",
            "\nkeys\n",
            "farm schema game",
            "one of pomdp, aomdp, fomdp",
            "{{ part(\"Part-0\").parameter }}",
        ],
    );
    let json = farm(&["describe", "game", "--json"]).json();
    let keys = names(&json["keys"]);
    let offered: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut sorted = (keys.clone(), offered.clone());
    sorted.0.sort();
    sorted.1.sort();
    assert_eq!(sorted.0, sorted.1, "the same keys as in the schema");
    for key in json["keys"].as_array().unwrap() {
        let (name, doc) = (key["name"].as_str().unwrap(), key["doc"].as_str().unwrap());
        assert!(text.stdout.contains(doc), "{name} lacks {doc}");
        assert!(
            !["a value", "any value"].contains(&key["kind"].as_str().unwrap()),
            "{name} says nothing of its values"
        );
        farm(&["describe", name]).says(0, &[&format!("{name} · key of a game file"), doc]);
    }
    farm(&["describe", "shape"]).says(0, &["shape · key of a game file", "path: fields.NAME.shape", "length#nb"]);
    farm(&["describe", "level"]).says(0, &["level · file", "agent", "facing", "farm schema level"]);
    farm(&["describe", "monitring"]).says(1, &["did you mean `monitoring`?"]);
}

#[test]
fn a_parameter_is_described_by_its_name_with_what_values_it_takes() {
    let start = farm(&["describe", "initial_conditions"]);
    start.says(0, &["initial_conditions · parameter of BasicRule", "values: a tree of fields, entities and variables"]);
    farm(&["describe", "max_steps"])
        .says(0, &["max_steps · parameter of BasicRule", "range: 1 … 1e9", "default: null"]);
    farm(&["describe", "depth"]).says(0, &["depth#m · parameter of Soil", "values: a number", "default: 0.5"]);
    let json = farm(&["describe", "max_steps", "--json"]).json();
    let of_rule = json["meanings"].as_array().unwrap().iter().find(|one| one["of"] == "BasicRule").unwrap();
    assert_eq!((of_rule["kind"].as_str(), of_rule["values"].as_str()), (Some("parameter"), Some("an integer or null")));
}

/// Copied elsewhere, a game would name a schema that is not there.
#[test]
fn the_yaml_of_a_game_names_no_schema_and_a_pipe_is_read_once() {
    for game in games() {
        assert!(!yaml(&game).contains("$schema"), "{game}");
    }
    if cfg!(unix) {
        let text = yaml("clay_bean");
        let printed = super::farm_with_input(&["describe", "/dev/stdin", "--yaml"], text.as_bytes());
        assert_eq!((printed.code, printed.stdout), (0, text.clone()), "{}", printed.stderr);
        super::farm_with_input(&["describe", "/dev/stdin"], text.as_bytes()).says(0, &["clay_bean · game"]);
        super::farm_with_input(&["check", "/dev/stdin"], text.as_bytes()).says(0, &["ok: clay_bean"]);
    }
    let folder = folder("yaml_of_a_reference");
    let reference = include_str!("../../../farm-reference-format/tests/data/reference_format/minimal.yaml");
    let path = file(&folder, "minimal.yaml", reference);
    assert_eq!(farm(&["describe", &path, "--yaml"]).stdout, reference);
}
