//! Histories of actions: every turn is one message of the user, with what was thought and done, and without old observations.

use farm_agents::{CallLine, Conduct, History, RunHeader};
use serde_json::{Value as Json, json};

use super::{Act, Folder, STEPS, conduct, endpoint, header, play, play_all, scripted, verified};

/// What the endpoint answers, call by call; then it waits.
const REPLIES: [&str; 6] = [
    "<thinking_memory>Fields lie\nnorth.</thinking_memory>\nSo:\n```json\n{\"action\": \"MoveN\", \"params\": {}}\n```",
    "I look east.\n```json\n{\"action\": \"MoveE\", \"params\": {}}\n```\nGood.",
    "",
    "dance",
    "<thinking_memory>I forget how.</thinking_memory> {\"action\": ",
    "Wait",
];

/// The thoughts and the actions of the turns that come of these replies.
const PAST: [[&str; 2]; 4] = [
    ["Fields lie\nnorth.", "MoveN"],
    ["I look east.", "MoveE"],
    ["I forget how.", "none that can be read"],
    ["Wait", "Wait"],
];

fn autoenv(text: &str) -> RunHeader {
    let mut header = header(1);
    header.preset = Some(text.to_owned());
    header.conduct = Conduct { history: History::Actions, ..conduct() };
    let options = farm_games::Options { preset: header.preset.clone(), set: header.set.clone(), ..Default::default() };
    let game = farm_games::open("backwards_valley", &options).unwrap();
    header.episodes[0].fingerprint = format!("{:016x}", game.fingerprint());
    header
}

fn reply(number: usize, _: &Json) -> Act {
    Act::Reply(REPLIES.get(number).unwrap_or(&"Wait").to_string())
}

/// What came of a turn, as the text after it says.
fn result(text: &str) -> String {
    let (_, told) = text.split_once("last reward: ").unwrap();
    format!("last reward: {}", told.trim_end().replace('\n', "; "))
}

#[test]
fn a_turn_is_one_message_with_five_parts() {
    let stub = scripted(reply);
    let folder = Folder::new("one_message");
    let run = folder.begin(autoenv("autoenv_compat+autoenv_text"));
    let played = play_all(&run, &stub.url());
    assert!(!played.problems.has_errors(), "{}", played.problems);
    let trace = verified(&run);
    let calls: Vec<&CallLine> = trace.calls().collect();
    // Three replies of the third turn could not be read; the last of them was played, and took a step.
    assert_eq!(calls.iter().map(|call| call.turn).collect::<Vec<_>>(), [0, 1, 2, 2, 2, 3, 4, 5]);
    assert_eq!(calls.iter().filter(|call| !call.played).count(), 2);
    assert_eq!((trace.end().unwrap().turns, trace.end().unwrap().days), (STEPS, STEPS as u32));
    let asked = stub.asked();
    assert_eq!(asked.len(), calls.len());
    let turns: Vec<&&CallLine> = calls.iter().filter(|call| call.played).collect();
    let instructions = serde_json::from_str::<Json>(&folder.lines()[0]).unwrap()["instructions"].clone();
    let instructions = instructions.as_str().unwrap();
    for (asked, call) in asked.iter().zip(&calls) {
        let mut past = String::new();
        for (i, [thought, action]) in PAST.iter().chain([&PAST[3]; 2]).enumerate().take(call.turn as usize) {
            let result = result(&turns[i + 1].text);
            past += &format!("Turn {}\nThought: {thought}\nAction: {action}\n-> {result}\n", i + 1);
        }
        if past.is_empty() {
            past += "None.\n";
        }
        let content = format!("{instructions}\nPAST TURNS\n{past}\nNOW\n{}", call.text);
        assert_eq!(asked.body["messages"], json!([{"role": "user", "content": content}]), "turn {}", call.turn);
    }
    // The task, what may be done, and how to answer, in this order.
    let places = [
        "TASK\n",
        "OBSERVATION\n",
        "\nACTIONS\n",
        "1. `MoveN`\n",
        "\nREPLY FORMAT\n",
        "<thinking_memory>",
        "```json\n{",
    ];
    let places: Vec<usize> = places.map(|part| instructions.find(part).unwrap_or_else(|| panic!("{part}"))).to_vec();
    assert!(places.is_sorted(), "{places:?}: {instructions}");
    assert!(
        instructions.contains("A reply that cannot be read counts as `wait`.")
            && !instructions.contains("Reply with exactly one action")
    );
}

#[test]
fn what_was_earned_stands_behind_the_action_and_what_was_seen_does_not() {
    let stub = scripted(|_, _| Act::Reply("Feed".to_owned()));
    let folder = Folder::new("one_message_earned");
    let run = folder.begin(autoenv("autoenv_compat+autoenv_text"));
    play_all(&run, &stub.url());
    let trace = verified(&run);
    let reward = trace.calls().next().unwrap().reward;
    assert!(reward > 0.0, "something is earned in the first turn");
    let content = stub.asked()[1].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(content.contains(&format!("Turn 1\nThought: Feed\nAction: Feed\n-> last reward: {reward}\n")), "{content}");
    assert_eq!(content.matches("farm_value: ").count(), 1, "only what it is now: {content}");
}

/// What is read again is made of the trace: after a kill the next request is the one that would have come.
#[test]
fn a_run_that_was_stopped_reads_the_same() {
    let whole = {
        let (stub, folder) = (scripted(reply), Folder::new("one_message_whole"));
        play_all(&folder.begin(autoenv("autoenv_compat")), &stub.url());
        stub.asked().into_iter().map(|asked| asked.body).collect::<Vec<_>>()
    };
    for stop in [1, 3, 4, 6] {
        let (stub, folder) = (scripted(reply), Folder::new("one_message_stopped"));
        let run = folder.begin(autoenv("autoenv_compat"));
        play(&run, 1, stop, || Box::new(endpoint(&stub.url(), None)));
        assert_eq!(stub.paid(), stop, "the run was to be stopped");
        play_all(&folder.begin(autoenv("autoenv_compat")), &stub.url());
        let asked: Vec<Json> = stub.asked().into_iter().map(|asked| asked.body).collect();
        assert_eq!(asked, whole, "stopped after {stop}");
    }
}
