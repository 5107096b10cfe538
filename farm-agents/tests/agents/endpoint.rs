//! Endpoints that are busy, fail, are slow, answer nonsense or are cut off: nothing is lost and nothing counted twice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use farm_agents::{AgentsError, EndReason, Tokens};

use super::{Act, Folder, IMPATIENCE, STEPS, endpoint, endpoint_within, header, play, play_all, scripted, verified};

fn wait() -> String {
    "I think.\nAction: Wait".to_owned()
}

#[test]
fn an_endpoint_that_fails_in_every_way_is_survived() {
    let stub = scripted(|number, _| match number {
        0 => Act::Status(429, Some(0)),
        1 => Act::Status(500, None),
        2 => Act::Reply(wait()),
        3 => Act::Body("{\"choices\": [".to_owned()),
        4 => Act::Body("<html>".to_owned()),
        5 => Act::Cut("Let me think about this for a".to_owned()),
        6 => Act::Close,
        7 => Act::Reply("dance".to_owned()),
        8 => Act::Reply(wait()),
        9 => Act::Status(503, None),
        10 => Act::Uncounted(wait()),
        _ => Act::Reply(wait()),
    });
    let folder = Folder::new("every_way");
    let run = folder.begin(header(1));
    let played = play_all(&run, &stub.url());
    assert!(!played.problems.has_errors(), "{}", played.problems);
    let trace = verified(&run);
    let calls: Vec<_> = trace.calls().collect();
    // Two replies could not be used, and were asked for again: one cut off, one that is not an action.
    assert_eq!(calls.len() as u64, STEPS + 2);
    assert_eq!(played.calls as usize, calls.len());
    let played_calls: Vec<bool> = calls.iter().map(|call| call.played).collect();
    assert_eq!(played_calls, [true, false, false, true, true, true, true, true]);
    assert_eq!((calls[1].cut, calls[1].turn, calls[2].turn, calls[3].turn), (true, 1, 1, 1));
    assert!(calls[2].rejected[0].reason.contains("dance"), "{:?}", calls[2].rejected);
    let failures = trace.failures();
    let expected = [("429", 1), ("500", 1), ("503", 1), ("connection", 1), ("malformed", 2)];
    let expected = expected.map(|(kind, count)| (kind.to_owned(), count)).into();
    assert_eq!(failures, expected);
    assert_eq!(calls.iter().map(|call| call.attempts).collect::<Vec<_>>(), [3, 3, 2, 1, 2, 1, 1, 1]);
    // Each request is an attempt of one call.
    assert_eq!(stub.asked().len(), calls.iter().map(|call| call.attempts as usize).sum::<usize>());
    // All but one reply come with their tokens; of that one they are estimated.
    let end = trace.end().unwrap();
    let uncounted = calls[4].tokens;
    assert!(uncounted.estimated && uncounted.completion == (wait().len() as u64).div_ceil(4), "{uncounted:?}");
    let counted = STEPS + 1;
    let expected = Tokens {
        prompt: 100 * counted + uncounted.prompt,
        completion: 10 * counted + uncounted.completion,
        cached: 60 * counted,
        estimated: true,
        ..Tokens::default()
    };
    assert_eq!(end.tokens, expected);
    assert_eq!((end.why, end.turns, end.calls), (EndReason::Game, STEPS, STEPS + 2));
}

#[test]
fn an_endpoint_that_does_not_answer_is_not_waited_for() {
    let answers = Arc::new(AtomicBool::new(false));
    let does_answer = answers.clone();
    let stub = scripted(move |_, _| match does_answer.load(Ordering::SeqCst) {
        true => Act::Reply(wait()),
        false => Act::Slow(Duration::from_secs(100_000), wait()),
    });
    let folder = Folder::new("no_answer");
    let run = folder.begin(header(1));
    let played = play(&run, 1, usize::MAX - 1, || Box::new(endpoint_within(&stub.url(), None, IMPATIENCE)));
    assert_eq!((played.calls, played.done), (0, 0));
    assert!(played.problems.to_string().contains("no reply after 4 attempts"), "{}", played.problems);
    answers.store(true, Ordering::SeqCst);
    let played = play_all(&run, &stub.url());
    assert_eq!((played.calls, played.done), (STEPS, 1));
    assert_eq!(verified(&run).failures(), [("timeout".to_owned(), 4)].into());
}

#[test]
fn the_conversation_is_what_the_game_shows_and_what_was_answered() {
    let stub = scripted(|_, _| Act::Reply(wait()));
    let folder = Folder::new("conversation");
    let run = folder.begin(header(1));
    play(&run, 1, usize::MAX - 1, || Box::new(endpoint(&stub.url(), Some("sk-secret"))));
    let (asked, trace) = (stub.asked(), verified(&run));
    assert_eq!(asked.len() as u64, STEPS);
    for (turn, (asked, call)) in asked.iter().zip(trace.calls()).enumerate() {
        assert!(asked.head.starts_with("POST /v1/chat/completions "), "{}", asked.head);
        assert!(asked.head.to_lowercase().contains("authorization: bearer sk-secret"), "{}", asked.head);
        let messages = asked.body["messages"].as_array().unwrap();
        assert_eq!((asked.body["model"].as_str(), asked.body["temperature"].as_u64()), (Some("model"), Some(0)));
        assert_eq!(messages.len(), 2 * turn + 2);
        assert_eq!(messages[0]["role"], "system");
        assert!(messages[0]["content"].as_str().unwrap().contains("REPLY FORMAT"));
        assert_eq!(messages.last().unwrap()["content"].as_str(), Some(call.text.as_str()));
        if turn > 0 {
            assert_eq!(messages[2 * turn]["content"].as_str(), Some(wait().as_str()));
        }
    }
    for line in folder.lines() {
        assert!(!line.contains("sk-secret"), "{line}");
    }
}

#[test]
fn a_wait_that_the_endpoint_asks_for_is_kept() {
    let stub = scripted(|number, _| if number == 0 { Act::Status(429, Some(1)) } else { Act::Reply(wait()) });
    let folder = Folder::new("retry_after");
    let run = folder.begin(header(1));
    let start = Instant::now();
    play_all(&run, &stub.url());
    // Without it the second attempt would follow after a millisecond.
    assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(verified(&run).calls().next().unwrap().seconds >= 1.0);
}

#[test]
fn a_key_that_is_refused_ends_the_run_at_once_and_is_shown_nowhere() {
    let stub = scripted(|_, _| Act::RefuseKey);
    let folder = Folder::new("refused_key");
    let run = folder.begin(header(3));
    let played = play(&run, 1, usize::MAX - 1, || Box::new(endpoint(&stub.url(), Some("sk-secret"))));
    assert_eq!((stub.asked().len(), played.calls, played.done), (1, 0, 0));
    let told = played.problems.to_string();
    assert!(played.problems.0[0].is(AgentsError::AgentFailed) && told.contains("401"), "{told}");
    assert!(!told.contains("sk-secret"), "{told}");
    let lines = folder.lines();
    assert!(lines.iter().all(|line| !line.contains("sk-secret")), "{lines:?}");
    assert_eq!(super::parsed(lines.last().unwrap())["type"], "failed");
}

#[test]
fn an_endpoint_that_stays_down_leaves_the_run_to_be_gone_on_with() {
    // Up for four replies, down for as many attempts as there are, then up again.
    let stub = scripted(|number, _| if (4..8).contains(&number) { Act::Status(500, None) } else { Act::Reply(wait()) });
    let folder = Folder::new("down");
    let run = folder.begin(header(1));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.calls, played.done), (4, 0));
    assert!(played.problems.to_string().contains("no reply after 4 attempts"), "{}", played.problems);
    assert!(run.verify(1).unwrap_err().0[0].is(AgentsError::UnfinishedRun));
    let played = play_all(&run, &stub.url());
    assert_eq!((played.calls, played.replayed, played.done), (STEPS - 4, 4, 1));
    let trace = verified(&run);
    // The attempts that came to nothing are still counted.
    assert_eq!(trace.failures(), [("500".to_owned(), 4)].into());
    assert_eq!((stub.paid() as u64, trace.end().unwrap().calls), (STEPS, STEPS));
}

#[test]
fn episodes_are_played_at_once() {
    // The first three wait for each other.
    let all = Barrier::new(3);
    let stub = scripted(move |number, _| {
        if number < 3 {
            all.wait();
        }
        Act::Reply(wait())
    });
    let folder = Folder::new("at_once");
    let run = folder.begin(header(6));
    let played = play(&run, 3, usize::MAX - 1, || Box::new(endpoint(&stub.url(), None)));
    assert_eq!((played.done, played.calls), (6, 6 * STEPS));
    assert_eq!(stub.most_at_once(), 3);
    assert_eq!(run.verify(2).unwrap().len(), 6);
    assert_eq!(stub.paid() as u64, 6 * STEPS);
}
