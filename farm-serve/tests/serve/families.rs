//! A served family draws rules and map for each episode, and the last answer has the score.

use farm_core::SeedSplit;
use farm_games::baseline::Baseline;
use farm_games::{Options, open};
use serde_json::{Value as Json, json};

use crate::client::Running;

const FAMILY: &str = "backwards_valley@tier=5";

#[test]
fn a_reset_draws_rules_and_map_and_the_end_has_the_score() {
    let server = Running::of(&[FAMILY]);
    let mut session = server.session("/ws");
    for (start, member, world) in [
        (json!({ "split": "test", "index": 7 }), "rules=test-7", ("test", 7)),
        (json!({ "seed": 242, "form": "compact" }), "rules=train-42", ("train", 242)),
    ] {
        let first = session.reset(start);
        let (metadata, member) = (&first["data"]["metadata"], format!("{FAMILY},{member}"));
        assert_eq!((&metadata["member"], &metadata["game"]), (&json!(member), &json!(FAMILY)), "{first}");
        assert_eq!((&metadata["split"], &metadata["index"]), (&json!(world.0), &json!(world.1)));
        let game = open(&member, &Options::default()).unwrap();
        assert_eq!(session.state()["fingerprint"], format!("{:016x}", game.fingerprint()));
        let mut total = 0.0;
        let end = loop {
            let answer = session.step("MoveN");
            total += answer["data"]["reward"].as_f64().unwrap();
            if answer["data"]["done"] == true {
                break answer["data"]["metadata"].clone();
            }
            assert_eq!(answer["data"]["metadata"].get("score"), None);
        };
        let seed = SeedSplit::named(world.0).unwrap().seed(world.1).unwrap();
        let baseline = Baseline::of(&game, seed).unwrap();
        let best = baseline.best.unwrap().value;
        assert_eq!((&end["waiting"], &end["best"]), (&json!(baseline.waiting), &json!(best)));
        assert_eq!((&end["score"], &end["proven"]), (&json!(baseline.score(total)), &json!(true)));
    }
}

/// An agent plays the member of the trainer's episode, with its names and with its rules where the tier shows them.
#[test]
fn tools_belong_to_the_member_that_is_played() {
    let server = Running::of(&["backwards_valley@tiers=1-9"]);
    let names = |answer: &Json| -> Vec<String> {
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let (mut tiers, mut found) = (Vec::new(), Vec::new());
    for seed in 0..12 {
        let (_, answer) = server.post("/reset", &json!({ "seed": seed }));
        let metadata = &answer["metadata"];
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        found.push(names(&server.post(metadata["mcp"].as_str().unwrap(), &message).1));
        let instructions = answer["observation"]["instructions"].as_str().unwrap();
        assert_eq!(instructions.contains("\nRULES\n"), metadata["tier"] == 1, "{metadata}");
        tiers.push(metadata["tier"].as_u64().unwrap());
    }
    assert!(tiers.iter().any(|tier| *tier >= 8) && tiers.iter().any(|tier| *tier < 8), "{tiers:?}");
    for (tier, names) in tiers.iter().zip(&found) {
        assert_eq!(names.iter().any(|name| name == "MoveN"), *tier < 8, "tier {tier}: {names:?}");
    }
}

#[test]
fn a_member_of_another_split_is_refused() {
    let server = Running::of(&["backwards_valley@rules=test-7", FAMILY]);
    let mut session = server.session("/ws");
    let answer = session.reset(json!({ "split": "train", "index": 3 }));
    let message = answer["data"]["message"].as_str().unwrap();
    assert!(message.contains("rules of the split `test`") && message.contains("`rules=train-3`"), "{answer}");
    assert_eq!(session.reset(json!({ "split": "test", "index": 3 }))["data"]["done"], false);
    let answer = session.reset(json!({ "game": FAMILY, "seed": SeedSplit::Test.seed(3) }));
    assert!(answer["data"]["message"].as_str().unwrap().contains("reserved for the split `test`"), "{answer}");
    // The page in the browser shows the first member.
    let (_, games) = server.get("/api/games");
    let listed: Vec<&str> =
        games["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert_eq!(listed, ["backwards_valley@rules=test-7", "backwards_valley@tier=5,rules=train-0"]);
}
