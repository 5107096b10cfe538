//! Traces that lie: whatever was changed, verification refuses it and says where.

use farm_agents::{AgentsError, Line, Run};
use farm_core::config::{Problem, Problems};
use serde_json::{Value as Json, json};

use super::{Act, Folder, STEPS, header, parsed, play_all, scripted};

/// A run with a few rewards, a reply that was asked for again and one that could not be done.
fn honest(test: &str) -> (Folder, Run) {
    let stub = scripted(|number, _| {
        Act::Reply(
            ["Compliment", "dance", "Action: Insult", "Wait", "MoveN; MoveN", "MoveE", "Insult"][number % 7].to_owned(),
        )
    });
    let folder = Folder::new(test);
    let run = folder.begin(header(1));
    play_all(&run, &stub.url());
    run.verify(1).unwrap();
    (folder, run)
}

/// Another value of the same kind.
fn other(value: &Json) -> Json {
    match value {
        Json::Null => json!("x"),
        Json::Bool(value) => json!(!value),
        Json::Number(number) if number.is_u64() => json!(number.as_u64().unwrap() + 1),
        Json::Number(number) => json!(number.as_f64().unwrap() + 0.5),
        Json::String(text) => match text.as_str() {
            "game" => json!("turns"),
            text if text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit()) => json!("0123456789abcdef"),
            text => json!(format!("{text} ")),
        },
        Json::Array(items) if items.is_empty() => json!([{"action": null, "reason": "x"}]),
        Json::Array(_) => json!([]),
        Json::Object(map) if map.is_empty() => json!({"429": 1}),
        Json::Object(map) => {
            let mut map = map.clone();
            let (key, value) = map.iter().next().map(|(key, value)| (key.clone(), other(value))).unwrap();
            map.insert(key, value);
            Json::Object(map)
        }
    }
}

fn refused(folder: &Folder, lines: &[String]) -> Problem {
    std::fs::write(folder.trace(), lines.join("\n") + "\n").unwrap();
    let problems: Problems = folder.open().and_then(|run| run.verify(1)).expect_err("a forged trace verifies");
    problems.0[0].clone()
}

/// The lines of a trace with the digests that a forger would compute.
fn sealed(lines: &[String]) -> Vec<String> {
    let mut seal = 0;
    let mut sealed = Vec::new();
    for line in lines {
        let line: Line = serde_json::from_str(line).unwrap();
        let line = line.sealed(seal);
        seal = u64::from_str_radix(line.digest(), 16).unwrap();
        sealed.push(line.text());
    }
    sealed
}

#[test]
fn every_field_of_every_line_is_looked_at() {
    let (folder, _) = honest("fields");
    let lines = folder.lines();
    let mut tried = 0;
    for (number, line) in lines.iter().enumerate() {
        let entries = parsed(line);
        for (key, value) in entries.as_object().unwrap().iter().filter(|(key, _)| *key != "type") {
            let mut forged = entries.clone();
            forged[key] = if key == "actions" { json!(["Wait"]) } else { other(value) };
            if forged == entries {
                continue;
            }
            let mut all = lines.clone();
            all[number] = forged.to_string();
            let problem = refused(&folder, &all);
            assert!(problem.is(AgentsError::ForgedTrace), "{key}: {problem}");
            let location = problem.location.clone().unwrap();
            assert!(location.source.ends_with("seed-0.jsonl"), "{problem}");
            // What can be computed again is found as itself. A reply that counts for the same is found by the digest.
            assert_eq!(location.position.map(|(line, _)| line), Some(number + 1), "{key}: {problem}");
            assert!(problem.value.is_some() && problem.expected.is_some(), "{key}: {problem}");
            tried += 1;
        }
    }
    assert!(tried > 100, "only {tried} fields were tried");
}

#[test]
fn whoever_seals_the_lines_anew_is_found_by_the_replay() {
    let (folder, _) = honest("sealed");
    let lines = folder.lines();
    assert_eq!(sealed(&lines), lines, "a trace is sealed as it is written");
    let call = |key: &str, value: Json| {
        let mut all = lines.clone();
        let mut line = parsed(&all[1]);
        line[key] = value;
        all[1] = line.to_string();
        let problem = refused(&folder, &sealed(&all));
        assert_eq!(problem.path.to_string(), if key == "reply" { "actions" } else { key }, "{problem}");
        assert_eq!(problem.location.clone().unwrap().position, Some((2, 1)), "{problem}");
    };
    call("reward", json!(100.0));
    call("return", json!(100.0));
    call("reply", json!("Insult"));
    call("state", json!("0123456789abcdef"));
    call("text", json!("nothing to be seen"));
    call("actions", json!(["MoveN"]));
    call("rejected", json!([{"action": null, "reason": "x"}]));
    call("played", json!(false));
    call("turn", json!(3));
    call("call", json!(3));
    // The end is the sum of its calls.
    for (key, value) in [
        ("return", json!(100.0)),
        ("turns", json!(1)),
        ("why", json!("turns")),
        ("stop", json!("x")),
        ("seconds", json!(0.5)),
    ] {
        let mut all = lines.clone();
        let mut end = parsed(all.last().unwrap());
        end[key] = value;
        *all.last_mut().unwrap() = end.to_string();
        let problem = refused(&folder, &sealed(&all));
        assert_eq!(problem.path.to_string(), key, "{problem}");
    }
    let mut all = lines.clone();
    let mut end = parsed(all.last().unwrap());
    end["tokens"]["prompt"] = json!(1);
    *all.last_mut().unwrap() = end.to_string();
    assert_eq!(refused(&folder, &sealed(&all)).path.to_string(), "tokens");
}

#[test]
fn lines_that_are_missing_or_too_many_are_found() {
    let (folder, _) = honest("missing");
    let lines = folder.lines();
    let n = lines.len();
    // A call left out, the end left out, an end too early, a line behind the end, no beginning.
    assert!(refused(&folder, &sealed(&[&lines[..3], &lines[4..]].concat())).is(AgentsError::ForgedTrace));
    assert!(refused(&folder, &lines[..n - 1]).is(AgentsError::UnfinishedRun));
    let early = sealed(&[&lines[..3], &lines[n - 1..]].concat());
    assert_eq!(refused(&folder, &early).path.to_string(), "why");
    let more = sealed(&[&lines[..], &lines[n - 1..]].concat());
    assert_eq!(refused(&folder, &more).path.to_string(), "type");
    let more = sealed(&[&lines[..n - 1], &lines[n - 2..]].concat());
    assert!(refused(&folder, &more).is(AgentsError::ForgedTrace));
    assert_eq!(refused(&folder, &sealed(&lines[1..])).path.to_string(), "type");
    assert!(refused(&folder, &["{}".to_owned()]).is(AgentsError::NotATrace));
    std::fs::remove_file(folder.trace()).unwrap();
    let problems = folder.open().and_then(|run| run.verify(1)).unwrap_err();
    assert!(problems.0[0].is(AgentsError::UnfinishedRun));
}

#[test]
fn a_run_that_says_something_else_of_itself_is_refused() {
    let (folder, run) = honest("header");
    let path = folder.0.join(farm_agents::HEADER);
    let text = std::fs::read_to_string(&path).unwrap();
    let with = |change: &dyn Fn(&mut Json)| {
        let mut header = parsed(&text);
        change(&mut header);
        std::fs::write(&path, header.to_string()).unwrap();
        folder.open().and_then(|run| run.verify(1)).map(drop)
    };
    let problem = |change: &dyn Fn(&mut Json)| with(change).expect_err("a forged run verifies").0.remove(0);
    let other = problem(&|header| header["episodes"][0]["fingerprint"] = json!("0123456789abcdef"));
    assert!(
        other.is(AgentsError::OtherGame) && other.to_string().contains("another version of `backwards_valley`"),
        "{other}"
    );
    let changed = problem(&|header| header["set"][0][1] = json!("7"));
    assert!(changed.is(AgentsError::OtherGame), "{changed}");
    let seed = problem(&|header| header["episodes"][0]["seed"] = json!(1));
    assert!(seed.is(AgentsError::ForgedTrace) && seed.path.to_string() == "seed", "{seed}");
    let shown = problem(&|header| header["conduct"]["rules"] = json!("shown"));
    assert!(shown.is(AgentsError::ForgedTrace), "{shown}");
    let named = problem(&|header| header["name"] = json!("better"));
    assert!(named.path.to_string() == "run" && named.message.contains("run.json"), "{named}");
    for key in ["history", "replies", "max_turns"] {
        let value = if key == "history" { json!("none") } else { json!(40) };
        let changed = problem(&|header| header["conduct"][key] = value.clone());
        assert_eq!(changed.path.to_string(), "run", "{changed}");
    }
    let file = problem(&|header| header["game"] = json!("/etc/passwd.yaml"));
    assert!(file.is(AgentsError::FilesInTrace), "{file}");
    let level = problem(&|header| header["episodes"][0]["level"] = json!("/etc/passwd"));
    assert!(level.is(AgentsError::FilesInTrace), "{level}");
    let escapes = problem(&|header| header["episodes"][0]["id"] = json!("../seed-0"));
    assert!(escapes.is(AgentsError::NotATrace), "{escapes}");
    let format = problem(&|header| header["format"] = json!("farm_gym.trace/2"));
    assert!(format.is(AgentsError::NotATrace), "{format}");
    let unknown = problem(&|header| header["more"] = json!(1));
    assert!(unknown.is(AgentsError::NotATrace), "{unknown}");
    // Another version of the program, and prices, change nothing of what was played.
    with(&|header| header["version"] = json!("9")).unwrap();
    with(&|header| header["prices"] = json!({"prompt": 1.0, "cached": null, "completion": 2.0})).unwrap();
    let trace = verified_end(&run);
    assert_eq!(trace, STEPS);
}

fn verified_end(run: &Run) -> u64 {
    u64::from(run.trace(&run.header().episodes[0]).unwrap().end().unwrap().days)
}
