//! `farm agents converse`: a game as lines of JSON, run as a program runs it.

use super::program::{Folder, farm, farm_reads};
use serde_json::{Value as Json, json};

/// The lines that the program answers with.
fn answers(arguments: &[&str], input: &str) -> Vec<Json> {
    let ran = farm_reads(&[&["agents", "converse"], arguments].concat(), input);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_message_is_answered_by_one_line() {
    let input = "{\"reply\": \"I go.\\nAction: MoveN\"}\n\n{\"reply\": \"fly\"}\nMoveN\n{\"reset\": 8}\n";
    let lines = answers(&["backwards_valley", "--seed", "7", "--text", "compact", "--rules", "shown"], input);
    let [first, moved, refused, wrong, again] = lines.as_slice() else { panic!("{lines:#?}") };
    assert!(first["instructions"].as_str().unwrap().contains("\nRULES\n"));
    assert!(first["text"].as_str().unwrap().starts_with("position "), "{first}");
    assert!(moved["text"].as_str().unwrap().contains("last reward: ") && moved["rejected"] == Json::Array(vec![]));
    assert_eq!(moved["returns"][0], moved["reward"]);
    assert!(refused["text"].as_str().unwrap().contains("no step passed"), "{refused}");
    assert_eq!(refused["rejected"][0]["action"], "fly");
    assert!(wrong["error"].as_str().unwrap().contains("expected `{\"reply\": \"…\"}`"), "{wrong}");
    assert_eq!((again["seed"].as_u64(), again["instructions"] == first["instructions"]), (Some(8), true));
}

#[test]
fn a_conversation_ends_with_its_last_episode_and_may_begin_anew() {
    let short = ["backwards_valley", "--set", "rules.BasicRule.max_steps=3", "--episodes", "2", "--seed", "test/4"];
    let lines = answers(&short, &[&"\"Wait\"\n".repeat(7)[..], "{\"reset\": null}\n\"Wait\"\n"].concat());
    let over: Vec<bool> = lines.iter().filter_map(|line| line["episode_over"].as_bool()).collect();
    assert_eq!(over, [false, false, true, false, false, true, false]);
    let ended: Vec<usize> =
        (0..lines.len()).filter(|i| lines[*i]["truncated"] == true || lines[*i]["terminated"] == true).collect();
    assert_eq!(ended, [6]);
    assert_eq!(lines[6]["returns"].as_array().map(Vec::len), Some(2));
    assert!(lines[7]["error"].as_str().unwrap().contains("the conversation is over"), "{}", lines[7]);
    assert_eq!(lines[8]["seed"].as_u64(), Some(8_300_000_000_000_005));
}

#[test]
fn what_is_wrong_is_told_before_anything_is_played() {
    farm(&["agents", "converse", "backwards_vally"]).says(1, &["did you mean `backwards_valley`"]);
    farm(&["agents", "converse", "backwards_valley", "--text", "short"]).says(2, &["full, compact, rows"]);
    farm(&["agents", "converse", "backwards_valley", "--episodes", "0"]).says(2, &["0"]);
    farm(&["agents", "converse", "backwards_valley", "--seed", "8300000000000007"]).says(2, &["--seed test/7"]);
}

/// A conversation with a family is the episode of `farm agents play` in the same world, with the score of `farm agents score`.
#[test]
fn a_family_plays_the_worlds_and_scores_of_runs() {
    let folder = Folder::new("family");
    for (family, lifetime) in [("backwards_valley@tier=5", "1"), ("valley_farm@tier=1", "2")] {
        let run = folder.file(&family[..4]);
        let words = ["agents", "play", family, "--split", "test", "--levels", "2", "--policy", "adaptive"];
        farm(&[&words[..], &["--lifetime", lifetime, "--out", &run]].concat()).says(0, &["adaptive plays"]);
        let score = farm(&["agents", "score", &run, "--json"]).json();
        let (mut input, mut turns) = (String::new(), Vec::new());
        for (index, episode) in score["by_episode"].as_array().unwrap().iter().enumerate() {
            let trace = std::fs::read_to_string(format!("{run}/{}.jsonl", episode["id"].as_str().unwrap())).unwrap();
            let lines: Vec<Json> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let replies: Vec<&Json> =
                lines.iter().map(|line| &line["reply"]).filter(|reply| reply.is_string()).collect();
            if index > 0 {
                input += &format!("{}\n", json!({ "reset": format!("test/{index}") }));
            }
            replies.iter().for_each(|reply| input += &format!("{}\n", json!({ "reply": reply })));
            turns.push((episode.clone(), lines[0].clone(), replies.len()));
        }
        let lines = answers(&[family, "--seed", "test/0", "--episodes", lifetime], &input);
        let mut at = 0;
        for (index, (episode, opening, replies)) in turns.iter().enumerate() {
            let (first, last) = (&lines[at], &lines[at + replies]);
            at += replies + 1;
            assert_eq!((&first["member"], &first["seed"]), (&episode["game"], &episode["seed"]));
            assert_eq!((first["split"].as_str(), first["index"].as_u64()), (Some("test"), Some(index as u64)));
            assert_eq!(first["instructions"].as_str().unwrap().contains("\nRULES\n"), family.ends_with("tier=1"));
            assert!(opening["instructions"].as_str().unwrap().len() > 100);
            for key in ["score", "waiting", "best"] {
                // Over several episodes, the returns are added in another order.
                let apart = last[key].as_f64().unwrap() - episode[key].as_f64().unwrap();
                assert!(apart.abs() < 1e-9, "{key}: {} and {}", last[key], episode[key]);
            }
            assert_eq!(last["proven"], episode["best_is"] == "certified optimum");
            assert!(last["score"].is_f64() && lines[at - 2].get("score").is_none(), "{last}");
        }
    }
}

#[test]
fn a_family_draws_rules_and_map_and_keeps_splits_apart() {
    let lines =
        answers(&["backwards_valley@tier=5", "--seed", "242"], "{\"reset\": null}\n{\"reset\": \"validation/9\"}\n");
    let [first, next, other] = lines.as_slice() else { panic!("{lines:#?}") };
    assert_eq!(first["member"], "backwards_valley@tier=5,rules=train-42");
    assert_eq!((first["index"].as_u64(), next["index"].as_u64()), (Some(242), Some(243)));
    assert_eq!(other["member"], "backwards_valley@tier=5,rules=validation-9");
    assert_eq!(other["seed"].as_u64(), Some(8_200_000_000_000_009));

    let member = "backwards_valley@tier=5,rules=test-7";
    farm(&["agents", "converse", member, "--seed", "train/3"]).says(1, &["rules of the split `test`", "rules=train-3"]);
    let lines = answers(&[member, "--seed", "test/7"], "{\"reset\": \"train/3\"}\n\"Wait\"\n");
    assert!(lines[1]["error"].as_str().unwrap().contains("a world of the split `train`"), "{}", lines[1]);
    assert!(lines[2]["reward"].is_number(), "the conversation goes on: {}", lines[2]);
    farm(&["agents", "converse", "backwards_valley@tier=5", "--set", "a=1"]).says(1, &["can't be changed"]);
    farm(&["agents", "converse", "backwards_valley@tier=12"]).says(1, &["a number from 1 to 9"]);
}
