//! Models that answer by tool calls or only think, conversations that are longer than their context, and replies that are empty.

use farm_agents::{AgentsError, EndReason, History, Line, RunHeader};
use serde_json::{Value as Json, json};

use super::{Act, Folder, STEPS, header, play_all, scripted, verified};

/// A completion with this message.
fn completion(message: &Json) -> Act {
    let usage = json!({"prompt_tokens": 100.0, "completion_tokens": 10.0});
    Act::Body(json!({"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": usage}).to_string())
}

/// A run with this history.
fn with_history(history: History, episodes: u64) -> RunHeader {
    let header = header(episodes);
    RunHeader { conduct: farm_agents::Conduct { history, ..header.conduct }, ..header }
}

#[test]
fn tool_calls_are_played_and_thoughts_are_kept() {
    let stub = scripted(|_, _| {
        let call = json!({"id": "c", "type": "function", "function": {"name": "MoveS", "arguments": "{}"}});
        completion(&json!({"content": null, "tool_calls": [call], "reasoning_content": "I would Insult"}))
    });
    let folder = Folder::new("tool_calls");
    let run = folder.begin(header(1));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.calls, played.done), (STEPS, 1), "{}", played.problems);
    let trace = verified(&run);
    for call in trace.calls() {
        assert!(call.played && call.rejected.is_empty() && call.reply.contains("MoveS"), "{call:?}");
        assert_eq!(call.details.reasoning.as_deref(), Some("I would Insult"));
        assert_eq!((call.tokens.prompt, call.tokens.estimated), (100, false), "usage may be a float");
    }
    // The next request repeats the call, but not the thought.
    let messages = stub.asked()[1].body["messages"].to_string();
    assert!(messages.contains("MoveS") && !messages.contains("I would Insult"), "{messages}");
}

#[test]
fn a_conversation_that_is_too_long_ends_the_episode_not_the_run() {
    // Three turns fit: one system message, two messages for each turn before, and the current text.
    let stub = scripted(|_, body| match body["messages"].as_array().map_or(0, Vec::len) {
        0..=6 => Act::Reply("Wait".to_owned()),
        _ => Act::TooLong,
    });
    let folder = Folder::new("too_long");
    let run = folder.begin(header(2));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.done, played.problems.0.len()), (2, 0), "{}", played.problems);
    for trace in run.verify(1).unwrap() {
        let end = trace.end().unwrap();
        assert_eq!((end.why, end.turns, end.calls), (EndReason::Context, 3, 3), "{end:?}");
        assert_eq!(trace.failures(), [("context".to_owned(), 1)].into());
    }
    let score = run.score(&run.traces().unwrap(), 1).unwrap();
    assert_eq!((score.episodes.len(), score.ends["context"]), (2, 2));
    // The trace can't go on after the end, or end without it.
    let lines = folder.lines();
    let without: Vec<&String> = lines.iter().filter(|line| !line.contains("\"failed\"")).collect();
    std::fs::write(folder.trace(), without.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    assert!(run.verify(1).unwrap_err().0[0].is(AgentsError::ForgedTrace));
}

#[test]
fn the_history_shrinks_where_that_is_asked() {
    let stub = scripted(|_, body| match body["messages"].as_array().map_or(0, Vec::len) {
        0..=6 => Act::Reply("Wait".to_owned()),
        _ => Act::TooLong,
    });
    let folder = Folder::new("fit");
    let run = folder.begin(with_history(History::Fit, 1));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.calls, played.done), (STEPS, 1), "{}", played.problems);
    let trace = verified(&run);
    assert_eq!(trace.end().unwrap().why, EndReason::Game);
    // Turn 4 does not fit with 3 turns before it; 1 of them stays. Turn 6 does not fit again.
    assert_eq!(trace.failures(), [("context".to_owned(), 2)].into());
    let failed: Vec<usize> = (0..trace.lines.len()).filter(|i| matches!(trace.lines[*i], Line::Failed(_))).collect();
    assert_eq!(failed, [4, 7], "after the first line and three calls, then after two more");
    // Where not even one turn fits, the episode ends.
    let stub = scripted(|_, _| Act::TooLong);
    let folder = Folder::new("fit_nothing");
    let run = folder.begin(with_history(History::Fit, 1));
    assert_eq!(play_all(&run, &stub.url()).done, 1);
    assert_eq!((verified(&run).end().unwrap().why, stub.asked().len()), (EndReason::Context, 1));
}

#[test]
fn empty_replies_end_early_with_a_warning() {
    let stub = scripted(|_, _| completion(&json!({"content": null, "reasoning_content": "Action: Insult"})));
    let folder = Folder::new("empty");
    let run = folder.begin(header(3));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.done, stub.asked().len()), (1, 10), "no other episode is paid for");
    assert!(!played.problems.has_errors() && played.problems.0[0].is(AgentsError::EmptyReplies), "{}", played.problems);
    let end = run.traces().unwrap()[0].end().unwrap().clone();
    assert_eq!((end.why, end.calls), (EndReason::Empty, 10));
    assert!(end.stop.contains("10 empty replies"), "{}", end.stop);
    // One reply with a text in between, and the run goes on.
    let stub = scripted(|number, _| completion(&json!({"content": if number % 5 == 4 { "Wait" } else { "" }})));
    let folder = Folder::new("sometimes_empty");
    let run = folder.begin(header(1));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.done, played.problems.0.len()), (1, 0), "{}", played.problems);
    assert_eq!(verified(&run).end().unwrap().why, EndReason::Game);
}

#[test]
fn an_agent_that_sees_gets_the_picture_of_the_current_text() {
    let stub = scripted(|_, _| Act::Reply("MoveS".to_owned()));
    let folder = Folder::new("vision");
    let plain = header(1);
    let run = folder.begin(RunHeader { conduct: farm_agents::Conduct { vision: true, ..plain.conduct }, ..plain });
    assert_eq!(play_all(&run, &stub.url()).done, 1);
    let trace = verified(&run);
    let mut pictures = std::collections::BTreeSet::new();
    for (asked, call) in stub.asked().iter().zip(trace.calls()) {
        let messages = asked.body["messages"].as_array().unwrap();
        let (last, before) = messages.split_last().unwrap();
        assert!(before.iter().all(|message| message["content"].is_string()), "only the current text has a picture");
        assert_eq!(last["content"][0], json!({"type": "text", "text": call.text}));
        let url = last["content"][1]["image_url"]["url"].as_str().unwrap();
        // The start of every PNG file, in base64.
        assert!(url.starts_with("data:image/png;base64,iVBORw0KGgo"), "{url}");
        pictures.insert(url.to_owned());
    }
    assert!(pictures.len() > 1, "the farmer moves");
    assert!(folder.lines().iter().all(|line| !line.contains("iVBORw0KGgo")), "pictures follow from the replay");
}
