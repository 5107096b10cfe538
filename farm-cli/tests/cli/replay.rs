//! `farm replay`: actions as people write them, the trace, and what can't be read.

use std::fs;

use serde_json::Value as Json;

use super::program::{farm, one_of_each_family};
use super::{farm_with_input, file, folder, games_without_costly_looks, waits};

#[test]
fn a_replay_traces_every_step() {
    let folder = folder("replay");
    for game in one_of_each_family() {
        let description = farm(&["describe", game, "--json"]).json();
        let base = description["actions"]["base"].as_array().unwrap();
        // What several parts or farmers do is not called by its name alone.
        let is_only = |action: &Json| base.iter().filter(|other| other["name"] == action["name"]).count() == 1;
        let plain = base.iter().filter(|action| action["parameters"] == Json::Array(vec![]) && is_only(action));
        let plain: Vec<&str> = plain.map(|action| action["name"].as_str().unwrap()).collect();
        let mut lines = format!("# a comment\n\n{}", waits(2));
        plain.first().iter().for_each(|name| lines.push_str(&format!("{name}\r\n\"{name}\"\n")));
        let steps = 2 + 2 * plain.first().iter().count();
        let actions = file(&folder, &format!("{game}.txt"), &lines);
        let ran = farm(&["replay", game, "--seed", "1", "--actions", &actions]);
        ran.says(0, &["final state"]);
        let trace: Vec<Json> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(trace.len(), steps);
        let keys = ["t", "action", "reward", "terminated", "truncated", "observation", "info", "state_hash"];
        for (i, step) in trace.iter().enumerate() {
            assert_eq!(step.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
            assert_eq!(step["t"], i + 1);
            assert_eq!(step["state_hash"].as_str().unwrap().len(), 16);
        }
        assert_eq!(trace[0]["action"], Json::Array(vec![]));
        // What the trace calls an action can be replayed, with the same result; also from standard input and to a file.
        let again: String = trace.iter().map(|step| format!("{}\n", step["action"])).collect();
        let out = folder.join(format!("{game}.jsonl"));
        let to_file = ["replay", game, "--seed", "1", "--actions", "-", "--trace", out.to_str().unwrap()];
        let silent = farm_with_input(&to_file, again.as_bytes());
        silent.says(0, &["final state"]);
        assert_eq!((silent.stdout.as_str(), fs::read_to_string(&out).unwrap()), ("", ran.stdout));
    }
}

#[test]
fn the_first_actions_of_each_kind_can_be_written_as_the_description_has_them() {
    for game in games_without_costly_looks() {
        let description = farm(&["describe", game, "--json"]).json();
        for base in description["actions"]["base"].as_array().unwrap() {
            let (path, name) = (base["part"].as_str().unwrap(), &base["name"]);
            let mut parameters = serde_json::Map::new();
            for parameter in base["parameters"].as_array().unwrap() {
                let allowed = &parameter["allowed"];
                let value = allowed["values"].get(0).or(allowed.get("low")).unwrap();
                parameters.insert(parameter["name"].as_str().unwrap().to_owned(), value.clone());
            }
            let mut words: Vec<Json> = vec![base["farmer"].clone()];
            words.extend(path.split('.').map(Json::from));
            words.extend([name.clone(), Json::Object(parameters)]);
            let line = Json::Array(words).to_string();
            farm_with_input(&["replay", game, "--seed", "1", "--actions", "-"], line.as_bytes()).says(0, &["1 step,"]);
        }
    }
}

/// What `farm play --record` writes names its game, and the state that it led to.
#[test]
fn a_recording_is_played_by_its_own_header_and_checked() {
    let folder = folder("recording");
    let played = farm_with_input(&["replay", "clay_bean", "--seed", "7", "--actions", "-"], b"[]\n[]\n");
    let (_, hash) = played.stderr.trim().rsplit_once(' ').unwrap();
    let recording = |state: &str, schema: &str| {
        let header = format!(
            "# recording: {{\"schema\": \"{schema}\", \"game\": \"clay_bean\", \"seed\": 7, \"state\": \"{state}\"}}"
        );
        file(&folder, "moves.txt", format!("{header}\n[]\n[]\n").as_bytes())
    };
    let moves = recording(hash, "farm/recording/1");
    let again = farm(&["replay", &moves]);
    again.says(0, &["2 steps", hash]);
    assert_eq!(again.stdout, played.stdout);
    farm(&["replay", &moves, "--preset", "4x3"]).says(1, &["contains its own changes", "--preset 4x3"]);
    farm(&["replay", &moves, "--gif", "film.mp4"]).says(1, &["--gif", ".gif"]);
    let page = folder.join("page.html");
    farm(&["replay", &moves, "--report", page.to_str().unwrap()]).says(0, &["report: "]);
    assert!(fs::read_to_string(&page).unwrap().contains("played by hand"));
    farm(&["replay", &recording("00ff", "farm/recording/1")]).says(1, &[hash, "the recording ended in 00ff"]);
    farm(&["replay", &recording(hash, "farm/recording/2")]).says(1, &["farm/recording/2", "farm/recording/1"]);
    let bare = file(&folder, "bare.txt", b"[]\n");
    farm(&["replay", &bare]).says(1, &["is not a recording", "--actions FILE"]);
}

#[test]
fn an_unreadable_action_stops_everything_before_it_runs() {
    let folder = folder("unreadable");
    for game in one_of_each_family() {
        let actions = file(&folder, "actions.txt", b"[]\n# fine so far\nhravset!\n[1\n\xff\xfe\n");
        let out = folder.join("trace.jsonl");
        let ran = farm(&["replay", game, "--seed", "1", "--actions", &actions, "--trace", out.to_str().unwrap()]);
        ran.says(
            1,
            &[
                "actions.txt:3:1\n",
                "3 | hravset!\n  | ^^^^^^^^\n",
                "actions.txt:4:1",
                "not valid JSON",
                "actions.txt:5:1",
                "UTF-8",
            ],
        );
        assert!(ran.stdout.is_empty() && !out.exists());
        let name =
            farm(&["describe", game, "--json"]).json()["actions"]["base"][0]["name"].as_str().unwrap().to_owned();
        let slip = format!("{name}x");
        let ran = farm_with_input(&["replay", game, "--seed", "1", "--actions", "-"], slip.as_bytes());
        ran.says(1, &["standard input:1:1", &slip, &format!("did you mean `{name}`?")]);
    }
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", "no/such/file"])
        .says(1, &["no/such/file", "can't be read"]);
    let actions = file(&folder, "one.txt", "[]");
    let there = folder.to_str().unwrap();
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", &actions, "--trace", there]).says(1, &["trace", there]);
}

#[cfg(target_os = "linux")]
#[test]
fn actions_are_read_to_a_limit_and_from_files_that_end() {
    let replay = |actions: &str| farm(&["replay", "clay_bean", "--seed", "1", "--actions", actions]);
    replay("/dev/zero").says(1, &["--> /dev/zero", "a device or a pipe", "a regular file", "--actions -"]);
    let folder = folder("large_actions");
    let large = file(&folder, "large.txt", vec![b'\n'; 8 * 1024 * 1024 + 1]);
    replay(&large).says(1, &["large.txt", "larger than 8 MB"]);
    let input = vec![b'#'; 8 * 1024 * 1024 + 1];
    farm_with_input(&["replay", "clay_bean", "--seed", "1", "--actions", "-"], &input)
        .says(1, &["standard input", "larger than 8 MB"]);
    replay(folder.to_str().unwrap()).says(1, &["can't be read"]);
}

#[test]
fn actions_after_the_end_are_an_error_and_the_trace_stays() {
    for game in games_without_costly_looks() {
        let described = farm(&["describe", game, "--json"]).json();
        let number = |key: &str| described[key].as_u64().unwrap() as usize;
        let limit = number("max_steps") * number("steps_per_day");
        let ran = farm_with_input(&["replay", game, "--seed", "1", "--actions", "-"], waits(limit + 3).as_bytes());
        let steps = ran.stdout.lines().count();
        ran.says(1, &[&format!("the episode ended at line {steps}"), &format!("standard input:{}:1", steps + 1)]);
        assert!(steps <= limit, "{steps}");
    }
}

#[test]
fn a_replay_counts_what_cannot_be_read_as_waiting_where_the_rules_say_so() {
    let (folder, actions) = (folder("unreadable_waits"), "dance\nmove n\nmoveeast ; hop\n");
    let path = file(&folder, "dance.txt", actions);
    let replay = ["replay", "backwards_valley", "--seed", "1", "--actions", &path];
    farm(&replay).says(1, &["dance.txt", "no action `dance`"]);
    let waits = farm(&[&replay[..], &["--set", "rules.BasicRule.unreadable=wait"]].concat());
    waits.says(0, &[]);
    assert_eq!(waits.stdout.lines().count(), 3, "{}", waits.stdout);
    // What was not read is told in its step, and what could be read of it is done.
    let steps: Vec<Json> = waits.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let unread =
        |step: &Json| step["info"]["rejected"].as_array().unwrap().iter().map(|r| r["action"].clone()).collect();
    let unread: Vec<Vec<Json>> = steps.iter().map(unread).collect();
    assert_eq!(unread, [vec![Json::from("dance")], vec![], vec![Json::from("hop")]]);
    let done: Vec<&Json> = steps.iter().map(|step| &step["action"]).collect();
    assert_eq!(done, ["Wait", "MoveN", "MoveE"]);
}
