//! Programs that play in lines of JSON, on systems with a shell.
#![cfg(unix)]

use std::process::Command;
use std::time::Duration;

use farm_agents::{AgentsError, CommandAgent, EndReason, Tokens};

use super::{Folder, IMPATIENCE, PATIENCE, STEPS, header, play, retries, verified};

/// Plays with a command that answers, or ends.
fn run_with(test: &str, command: &str) -> (Folder, farm_agents::Run, farm_agents::Played) {
    run_within(test, command, PATIENCE)
}

fn run_within(test: &str, command: &str, timeout: Duration) -> (Folder, farm_agents::Run, farm_agents::Played) {
    let folder = Folder::new(test);
    let run = folder.begin(header(1));
    let agent = || CommandAgent::new(command, timeout, retries(3));
    let played = play(&run, 1, usize::MAX - 1, || Box::new(agent()));
    (folder, run, played)
}

#[test]
fn a_command_plays_an_episode_in_one_process() {
    let command = r#"while read -r line; do
        n=$((n + 1))
        printf '{"reply": "turn %s\\nWait", "usage": {"prompt_tokens": 5, "completion_tokens": 2}}\n' "$n"
    done"#;
    let (_folder, run, played) = run_with("command", command);
    assert!(!played.problems.has_errors(), "{}", played.problems);
    let trace = verified(&run);
    let replies: Vec<&str> = trace.calls().map(|call| call.reply.as_str()).collect();
    let expected: Vec<String> = (1..=STEPS).map(|turn| format!("turn {turn}\nWait")).collect();
    assert_eq!(replies, expected);
    let end = trace.end().unwrap();
    assert_eq!(end.tokens, Tokens { prompt: 5 * STEPS, completion: 2 * STEPS, ..Tokens::default() });
    assert_eq!(end.why, EndReason::Game);
}

#[test]
fn a_command_is_told_the_instructions_and_what_is_seen() {
    // It answers with what it was told: a key of each line.
    let command = r#"while read -r line; do case "$line" in *'"instructions":"TASK'*'"text":"grid:'*'"messages":['*) echo '{"reply": "Wait"}';; *) echo '{"reply": "Insult"}';; esac; done"#;
    let (_folder, run, _) = run_with("told", command);
    assert!(verified(&run).calls().all(|call| call.reply == "Wait" && call.tokens.estimated));
}

#[test]
fn a_command_that_ends_early_is_begun_again_and_one_that_talks_nonsense_is_not_asked_for_ever() {
    let (_folder, run, played) =
        run_with("ends_early", r#"read -r line; echo '{"reply": "Wait"}'; read -r line; echo '{"reply": "Wait"}'"#);
    assert!(!played.problems.has_errors(), "{}", played.problems);
    let failures = verified(&run).failures();
    assert_eq!(failures, [("command".to_owned(), STEPS as u32 / 2 - 1)].into());
    for (test, command, words) in [
        ("nonsense", "while read -r line; do echo Wait; done", "it is not JSON"),
        // Whether its end or that of its output is seen first is a matter of time.
        ("missing", "no-such-program-of-anybody", "before it answered"),
        ("silent", "exec cat > /dev/null", "before it answered"),
    ] {
        let (_folder, run, played) = run_with(test, command);
        let told = played.problems.to_string();
        assert!(played.problems.0[0].is(AgentsError::AgentFailed) && told.contains(words), "{test}: {told}");
        assert!(told.contains("after 3 attempts"), "{test}: {told}");
        assert!(run.verify(1).unwrap_err().0[0].is(AgentsError::UnfinishedRun));
    }
}

#[test]
fn a_command_that_hangs_is_ended_and_not_waited_for() {
    let pids = Folder::new("hanging");
    std::fs::create_dir_all(&pids.0).unwrap();
    let file = pids.0.join("pids");
    // Each process says its number before it sleeps for far longer than a test takes.
    let command = format!("echo $$ >> '{}'; exec sleep 100000", file.display());
    let (_folder, run, played) = run_within("hangs", &command, IMPATIENCE);
    let told = played.problems.to_string();
    assert!(played.problems.0[0].is(AgentsError::AgentFailed), "{told}");
    assert!(told.contains("did not answer within 0.1 s") && told.contains("after 3 attempts"), "{told}");
    assert!(run.verify(1).unwrap_err().0[0].is(AgentsError::UnfinishedRun));
    // One that was ended before it could say so did not sleep either.
    let pids = std::fs::read_to_string(file).unwrap_or_default();
    for pid in pids.lines() {
        let is_there = Command::new("sh").args(["-c", &format!("kill -0 {pid} 2> /dev/null")]).status().unwrap();
        assert!(!is_there.success(), "{pid} is still there");
    }
}
