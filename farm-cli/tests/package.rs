//! `farm agents package`: folders for trainers of language models. The packages themselves play them in the tests of the Python package.

use std::path::Path;

use super::program::{Folder, farm};
use serde_json::Value as Json;

fn rows(path: &Path) -> Vec<Json> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_taskset_has_worlds_of_each_split_with_what_they_are_measured_by() {
    let folder = Folder::new("verifiers");
    let out = folder.file("out");
    let package = [
        "agents",
        "package",
        "verifiers",
        "backwards_valley@tier=1-2",
        "--tasks",
        "2",
        "--text",
        "rows",
        "--out",
        &out,
    ];
    farm(&package).says(0, &["farm_backwards_valley_tier_1_2/taskset.py", "uv pip install -e", "uv run vf-eval"]);
    let code = folder.0.join("out/farm_backwards_valley_tier_1_2");
    for (split, first) in
        [("train", 8_100_000_000_000_000_u64), ("validation", 8_200_000_000_000_000), ("test", 8_300_000_000_000_000)]
    {
        let rows = rows(&code.join(format!("tasks/{split}.jsonl")));
        assert_eq!(rows.len(), 4);
        for (i, row) in rows.iter().enumerate() {
            let (tier, index) = (i / 2 + 1, i as u64 % 2);
            assert_eq!(row["id"], format!("tier-{tier}-{split}-{index}"));
            assert_eq!(row["game"], format!("backwards_valley@tier={tier},rules={split}-{index}"));
            assert_eq!(
                (row["seed"].as_u64(), &row["best_is"]),
                (Some(first + index), &Json::from("certified optimum"))
            );
            assert!(row["best"].as_f64() > row["waiting"].as_f64());
            // The first tier is played with its rules shown.
            assert_eq!(row.get("rules").and_then(Json::as_str), (tier == 1).then_some("shown"));
        }
    }
    let settings: Json = serde_json::from_str(&std::fs::read_to_string(code.join("settings.json")).unwrap()).unwrap();
    assert_eq!((&settings["form"], &settings["rules"]), (&Json::from("rows"), &Json::from("hidden")));
    assert!(!code.join("game.yaml").exists());
    // Nothing is overwritten, and no placeholder is left.
    farm(&package).says(1, &["already exists"]);
    for name in ["pyproject.toml", "README.md"] {
        let text = std::fs::read_to_string(folder.0.join("out").join(name)).unwrap();
        assert!(!text.contains("{{") && text.contains("farm-backwards-valley-tier-1-2"), "{text}");
    }
}

#[test]
fn a_game_that_was_changed_goes_with_its_package() {
    let folder = Folder::new("nemo");
    let out = folder.file("out");
    let changed = [
        "agents",
        "package",
        "nemo-gym",
        "backwards_valley",
        "--set",
        "rules.BasicRule.max_steps=6",
        "--rules",
        "shown",
    ];
    farm(&[&changed[..], &["--tasks", "7", "--out", &out]].concat()).says(0, &["gym env start"]);
    let server = folder.0.join("out/resources_servers/farm_backwards_valley");
    let game = server.join("game.yaml").display().to_string();
    farm(&["run", &game, "--policy", "wait", "--episodes", "1"]).says(0, &[]);
    assert_eq!(rows(&server.join("data/example.jsonl")).len(), 5);
    let train = rows(&server.join("data/train.jsonl"));
    assert_eq!(train.len(), 7);
    assert_eq!(train[3]["agent_ref"]["name"], "farm_backwards_valley_agent");
    assert_eq!((train[3]["game"].as_str(), train[3]["id"].as_str()), (Some("game.yaml"), Some("train-3")));
    let config = std::fs::read_to_string(server.join("configs/farm_backwards_valley.yaml")).unwrap();
    let config: serde_yaml::Value = serde_yaml::from_str(&config).unwrap();
    let agent = &config["farm_backwards_valley_agent"]["responses_api_agents"]["gymnasium_agent"];
    assert_eq!(agent["max_steps"].as_u64(), Some(12));
    let refused = [
        "agents",
        "package",
        "verifiers",
        "backwards_valley@tier=3",
        "--preset",
        "scattered",
        "--out",
        &folder.file("no"),
    ];
    farm(&refused).says(1, &["error[unknown-choice]", "can't be changed"]);
    farm(&["agents", "package", "verifiers", "backwards_vally", "--out", &folder.file("no")])
        .says(1, &["did you mean"]);
}

/// The oracle and the canaries play a world of the split of the rules; a family is served as a whole.
#[test]
fn a_family_and_a_member_are_packaged_for_openenv() {
    let folder = Folder::new("openenv-families");
    let family = "backwards_valley@tier=5";
    for (game, served, split) in
        [(family, family, "validation"), ("backwards_valley@tier=5,rules=test-7", "game.yaml", "test")]
    {
        let out = folder.file(split);
        farm(&["agents", "package", "openenv", game, "--out", &out]).says(0, &["as an OpenEnv package", "oracle"]);
        let read = |name: &str| std::fs::read_to_string(format!("{out}/{name}")).unwrap();
        assert!(read("server/app.py").contains(&format!("GAME = \"{served}\"")));
        let solution: Json = serde_json::from_str(&read("oracle/solution.json")).unwrap();
        assert_eq!(solution["world"], serde_json::json!({ "split": split, "index": 0 }));
        assert!(solution["return"].as_f64() > Some(0.0));
    }
}
