//! Exams: by text alone, on a terminal, left and gone on with; their runs are those of any agent.

use serde_json::Value as Json;

use super::terminal::{ENTER, Terminal};
use super::{Folder, LARGE, farm};

/// The lines of a trace of one type.
fn lines(run: &str, kind: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(format!("{run}/seed-3.jsonl")).unwrap();
    let parsed = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    parsed.filter(|line| line["type"] == kind).collect()
}

#[test]
fn an_exam_is_taken_by_text_left_and_gone_on_with() {
    let folder = Folder::new("exam");
    let run = folder.file("runs/ada");
    let arguments =
        ["play", "backwards_valley", "--seed", "3", "--set", "rules.BasicRule.max_steps=4", "--exam", "hidden"];
    let arguments = [&arguments[..], &["--out", &run, "--name", "Ada"]].concat();
    let mut terminal = Terminal::start(LARGE, &arguments);
    let first = terminal.shows(&["GOAL", "WHAT YOU SEE", "\n>"]);
    // What a model is not told is not on the screen either: the game, its seed, what policies would do, keys.
    for word in ["backwards", "Backwards", "seed", "Hint", "undo", "RULES"] {
        assert!(!first.contains(word), "`{word}` is shown:\n{first}");
    }
    terminal.press_and_see(&format!("MoveE{ENTER}"), &["last reward: "]);
    // A key of the other screen is a text like any other: nothing is undone.
    terminal.press_and_see(&format!("u{ENTER}"), &["not read: "]);
    terminal.press("\x03");
    let (code, said) = terminal.ends();
    assert_eq!(code, 130, "{said}");
    assert!(said.contains("the same command goes on with it"), "{said}");
    assert_eq!((lines(&run, "call").len(), lines(&run, "failed").len()), (2, 1));

    let mut terminal = Terminal::start(LARGE, &arguments);
    terminal.shows(&["GOAL", "not read: ", "\n>"]);
    for action in ["MoveS", "Insult", "Wait"] {
        terminal.press(&format!("{action}{ENTER}"));
    }
    terminal.shows(&["the episode is over: after 4 steps", "Ada plays backwards_valley"]);
    assert_eq!(terminal.ends().0, 0);
    let calls = lines(&run, "call");
    let replies: Vec<&str> = calls.iter().filter_map(|call| call["reply"].as_str()).collect();
    assert_eq!(replies, ["MoveE", "u", "MoveS", "Insult", "Wait"]);
    for call in &calls {
        assert!(call["seconds"].as_f64().unwrap() > 0.0 && call["text"].as_str().unwrap().contains("position"));
        assert!(call["reward"].is_number() && call["tokens"]["prompt"] == 0, "{call}");
    }
    farm(&["verify", &run]).says(0, &["verified: Ada plays backwards_valley", "1 episodes"]);
    farm(&["score", &run]).says(0, &["Ada plays", "seed-3", "turns with something invalid"]);
    farm(&["leaderboard", &folder.file("runs")]).says(0, &["| Ada | full | full |"]);
    // The same exam by the other name of it.
    let agents =
        ["agents", "backwards_valley", "--seed", "3", "--set", "rules.BasicRule.max_steps=4", "--person", "Ada"];
    farm(&[&agents[..], &["--out", &run]].concat()).says(0, &["Ada plays backwards_valley"]);
}

#[test]
fn an_exam_with_rules_shown_tells_them_and_needs_a_folder() {
    let folder = Folder::new("exam-shown");
    let run = folder.file("run");
    let mut terminal = Terminal::start((200, 100), &["play", "backwards_valley", "--exam", "shown", "--out", &run]);
    terminal.shows(&["WHAT YOU SEE", "RULES", "THE END", "\n>"]);
    terminal.press("\x04");
    let (code, said) = terminal.ends();
    assert!(code == 1 && said.contains("the input ended before the episode did"), "{said}");
    let refused = |arguments: &[&str], word: &str| {
        farm(&[&["play", "backwards_valley"], arguments].concat()).says(2, &[word]);
    };
    refused(&["--exam", "hidden"], "--out");
    refused(&["--out", &run], "--exam");
    refused(&["--exam", "hidden", "--out", &run, "--omniscient"], "cannot be used with");
    refused(&["--exam", "hidden", "--out", &run, "--record", "x.txt"], "cannot be used with");
    refused(&["--exam", "hidden", "--out", &run, "--split", "test", "--level", "test/01"], "cannot be used with");
    refused(&["--exam", "hinted", "--out", &run], "hidden, shown");
}
