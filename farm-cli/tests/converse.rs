//! `farm agents converse`: a game as lines of JSON, run as a program runs it.

use super::program::{farm, farm_reads};
use serde_json::Value as Json;

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
