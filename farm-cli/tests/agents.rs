//! `farm agents play`, `farm agents score`, `farm agents verify` and `farm agents leaderboard`, run as a user runs them.

use std::process::Stdio;
use std::time::{Duration, Instant};

#[allow(dead_code, reason = "the tests of farm-agents use the rest")]
#[path = "../../farm-agents/tests/agents/scripted.rs"]
mod scripted;

use super::program::{Folder, Ran, farm, farm_reads, program};
use scripted::{Act, ScriptedEndpoint};
use serde_json::{Value as Json, json};

/// The calls of an episode, with `--set` below.
const STEPS: usize = 6;
const SHORT: [&str; 2] = ["--set", "rules.BasicRule.max_steps=6"];

/// An endpoint with replies from a script.
fn scripted(script: impl Fn(usize, &Json) -> Act + Send + Sync + 'static) -> ScriptedEndpoint {
    ScriptedEndpoint::new(script).unwrap()
}

fn agents(arguments: &[&str]) -> Ran {
    farm(&[&["agents", "play", "backwards_valley"][..], &SHORT, arguments].concat())
}

#[test]
fn a_policy_is_played_scored_verified_and_listed() {
    let folder = Folder::new("policy");
    let (one, other) = (folder.file("one"), folder.file("other"));
    let json = agents(&["--policy", "oracle", "--split", "test", "--levels", "2", "--out", &one, "--json"]).json();
    assert_eq!((json["episodes_done"].as_u64(), json["calls_made"].as_u64()), (Some(2), Some(2 * STEPS as u64)));
    // The oracle plays the best plan.
    assert_eq!((&json["score"]["value"], &json["best_is"]), (&json!(1.0), &json!("certified optimum")));
    agents(&["--policy", "wait", "--split", "test", "--levels", "2", "--out", &other, "--history", "last:2"]).says(
        0,
        &[
            "wait plays backwards_valley",
            "rules hidden, full texts, history last:2",
            "2 episodes on 2 levels or worlds: 2 of 15 test levels, the first ones",
            "test-01",
            "game: 2",
        ],
    );
    let third = folder.file("third");
    agents(&["--policy", "wait", "--split", "test", "--levels", "2", "--out", &third]).says(0, &["history full"]);
    let page = folder.file("run.html");
    farm(&["agents", "score", &one, "--report", &page])
        .says(0, &["oracle plays", "100.0 %", "certified optimum", "report: "]);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("Score over turns") && text.contains("id=\"test-02\"") && text.contains("data:image/png"));
    let waited = farm(&["agents", "score", &other, "--json"]).json();
    assert_eq!(waited["score"]["value"].as_f64(), Some(0.0));
    assert_eq!(waited["by_episode"][0]["return"], waited["by_episode"][0]["waiting"]);
    farm(&["agents", "verify", &one]).says(0, &["verified: oracle plays backwards_valley", "2 episodes, 16 lines"]);
    assert_eq!(farm(&["agents", "verify", &format!("{one}/run.json"), "--json"]).json()["verified"], json!(true));
    let table = farm(&["agents", "leaderboard", folder.0.to_str().unwrap()]);
    table.says(
        0,
        &[
            "| oracle | 100.0 %",
            "| wait | 0.0 %",
            "rules hidden, full texts, history full, ",
            "rules hidden, full texts, history last:2, ",
            "2 episodes on 2 levels, 0 without room; best: certified optimum",
            ", 2 of 15 test levels, the first ones, rules hidden",
        ],
    );
    let (_, first) = table.stdout.split_once("history full, ").unwrap();
    let (first, _) = first.split_once("\n## ").unwrap();
    assert!(first.find("| oracle |").unwrap() < first.find("| wait |").unwrap(), "the best stands first: {first}");
}

#[test]
fn a_forged_run_is_refused_by_name() {
    let folder = Folder::new("forged");
    let (honest, forged) = (folder.file("honest"), folder.file("forged"));
    for run in [&honest, &forged] {
        agents(&["--policy", "informed", "--out", run]).says(0, &["informed plays"]);
    }
    let path = format!("{forged}/seed-0.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut line: Json = serde_json::from_str(&lines[2]).unwrap();
    line["reward"] = json!(50.0);
    lines[2] = line.to_string();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let words = ["error[forged-trace]", "forged/seed-0.jsonl:3:1", "at: reward", "found: 50.0", "expected: "];
    farm(&["agents", "verify", &forged]).says(1, &words);
    let out = folder.file("table.md");
    let table = farm(&["agents", "leaderboard", folder.0.to_str().unwrap(), "--out", &out]);
    table.says(1, &["1 runs in", "1 rejected", "error[forged-trace]", "forged/seed-0.jsonl:3:1"]);
    let page = std::fs::read_to_string(&out).unwrap();
    assert!(page.contains("## Rejected") && page.contains("/forged`: forged-trace"), "{page}");
    assert_eq!(page.matches("| informed |").count(), 1, "{page}");
}

/// What an agent of a stranger is called makes no line of its own, and a run that says something else of itself is refused with the line.
#[test]
fn a_run_that_says_what_was_not_played_is_refused() {
    let folder = Folder::new("claims");
    let run = folder.file("run");
    for name in ["a\nscore: 100.0 %", "\u{202e}6-tpg", "a\u{200b}", " a"] {
        let ran = agents(&["--policy", "wait", "--name", name, "--out", &run]);
        ran.says(1, &["error[wrong-agent]", "at: name", "visible characters"]);
        assert!(!ran.stderr.contains(['\u{202e}', '\u{200b}']) && !ran.stderr.contains("\nscore: "), "{}", ran.stderr);
    }
    agents(&["--policy", "wait", "--name", "mine", "--out", &run])
        .says(0, &["mine plays", "on 1 levels or worlds: seed 0"]);
    let path = format!("{run}/run.json");
    let honest = std::fs::read_to_string(&path).unwrap();
    for (found, put, words) in [
        ("\"split\": null", "\"split\": \"test\"", ["at: episodes[0]", "no level, the world of seed 0"]),
        (
            "\"max_seconds\": null",
            "\"max_seconds\": null, \"lifetime\": 2000",
            ["at: conduct.lifetime", "\"lifetime\": 2000"],
        ),
        ("\"seed\": 0", "\"seed\": 0, \"rules\": \"shown\"", ["at: episodes[0].rules", "\"rules\": \"shown\""]),
    ] {
        assert!(honest.contains(found), "{honest}");
        std::fs::write(&path, honest.replacen(found, put, 1)).unwrap();
        for command in [
            &["agents", "verify", &run][..],
            &["agents", "score", &run],
            &["agents", "leaderboard", folder.0.to_str().unwrap()],
        ] {
            farm(command).says(1, &["error[wrong-claim]", "run.json:", words[0], words[1], "expected: "]);
        }
    }
    std::fs::write(&path, honest).unwrap();
    farm(&["agents", "verify", &run]).says(0, &["verified: mine plays", "worlds: seed 0; rules hidden"]);
    farm(&["agents", "verify", &run, "--max-seconds", "0"]).says(2, &["0.001"]);
}

/// Of two commands that begin one folder together the second one is refused, or goes on with what the first one has finished.
#[test]
fn two_commands_do_not_play_one_run() {
    for round in 0..8 {
        let folder = Folder::new(&format!("two-{round}"));
        let run = folder.file("run");
        let arguments = ["agents", "play", "clay_bean", "--policy", "random", "--episodes", "4", "--out", &run];
        let begin = || {
            let mut command = program();
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().unwrap()
        };
        let ended = [begin(), begin()].map(|child| child.wait_with_output().unwrap());
        let told: Vec<String> = ended.iter().map(|ran| String::from_utf8_lossy(&ran.stderr).into_owned()).collect();
        assert!(ended.iter().any(|ran| ran.status.success()), "{told:?}");
        for (ran, told) in ended.iter().zip(&told).filter(|(ran, _)| !ran.status.success()) {
            assert!(ran.status.code() == Some(1) && told.contains("error[run-is-played]"), "{told}");
            assert!(told.contains("another process is playing this run"), "{told}");
        }
        farm(&["agents", "verify", &run]).says(0, &["4 episodes"]);
        assert!(std::path::Path::new(&run).join("run.lock").is_file());
    }
}

#[test]
fn a_run_that_was_killed_goes_on_and_pays_for_nothing_twice() {
    // The fourth reply is on its way for far longer than the process lives.
    let stub = scripted(|number, body| {
        let turn = body["messages"].as_array().unwrap().len() / 2 - 1;
        let reply = ["MoveN", "MoveE", "Wait"][turn % 3].to_owned();
        if number == 3 { Act::Slow(Duration::from_secs(100_000), reply) } else { Act::Reply(reply) }
    });
    let (folder, url) = (Folder::new("killed"), stub.url());
    let run = folder.file("run");
    let arguments = ["agents", "play", "backwards_valley", "--endpoint", &url, "--model", "m", "--out", &run];
    let mut child = program().args(arguments).args(SHORT).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while stub.asked().len() < 4 && start.elapsed() < Duration::from_secs(300) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let known = std::fs::read_to_string(format!("{run}/seed-0.jsonl")).unwrap();
    assert_eq!(known.lines().count(), 4, "a beginning and three calls:\n{known}");
    let json = farm(&[&arguments[..], &SHORT, &["--json"]].concat()).json();
    assert_eq!((json["calls_from_traces"].as_u64(), json["calls_made"].as_u64()), (Some(3), Some(STEPS as u64 - 3)));
    // Only the call that was on its way when the process was killed was made twice.
    let asked: Vec<String> = stub.asked().iter().map(|asked| asked.body.to_string()).collect();
    assert_eq!((asked.len(), asked[3] == asked[4]), (STEPS + 1, true));
    assert_eq!(asked.iter().collect::<std::collections::BTreeSet<_>>().len(), STEPS);
    assert_eq!(json["tokens"]["prompt"].as_u64(), Some(100 * STEPS as u64));
    farm(&["agents", "verify", &run]).says(0, &["verified: m plays"]);
}

#[test]
fn a_run_says_what_it_cost() {
    let stub =
        scripted(|number, _| if number == 1 { Act::Status(429, Some(0)) } else { Act::Reply("Wait".to_owned()) });
    let folder = Folder::new("cost");
    let (run, url) = (folder.file("run"), stub.url());
    let prices = ["--price-prompt", "2", "--price-cached", "0.5", "--price-completion", "10"];
    let arguments =
        ["--endpoint", &url, "--model", "m", "--out", &run, "--json", "--body", "temperature=0.5", "--name", "mine"];
    let json = agents(&[&arguments[..], &prices].concat()).json();
    // Of 100 tokens that are sent 60 are cached, and 10 come back.
    let expected = STEPS as f64 * (40.0 * 2.0 + 60.0 * 0.5 + 10.0 * 10.0) / 1e6;
    assert!((json["cost"].as_f64().unwrap() - expected).abs() < 1e-12, "{}", json["cost"]);
    assert_eq!(json["failures"], json!({"429": 1}));
    assert_eq!(stub.asked()[0].body["temperature"], json!(0.5));
    farm(&["agents", "score", &run])
        .says(0, &["mine plays", "429: 1", "600 sent (360 of them cached), 60 received", "per million tokens"]);
}

#[test]
#[cfg(unix)]
fn a_command_plays() {
    let folder = Folder::new("command");
    let command = r#"while read -r line; do echo '{"reply": "Wait"}'; done"#;
    let json =
        agents(&["--command", command, "--episodes", "3", "--jobs", "2", "--out", &folder.file("run"), "--json"])
            .json();
    assert_eq!((json["episodes_done"].as_u64(), json["tokens"]["estimated"].as_bool()), (Some(3), Some(true)));
}

#[test]
fn what_is_wrong_is_told_with_the_way_out() {
    let folder = Folder::new("wrong");
    let run = folder.file("run");
    let wrong = |arguments: &[&str], code: i32, words: &[&str]| {
        agents(&[arguments, &["--out", &run]].concat()).says(code, words);
        assert!(!std::path::Path::new(&run).exists(), "{arguments:?} wrote something");
    };
    wrong(&[], 2, &["--endpoint", "--command", "--policy"]);
    wrong(&["--policy", "wait", "--command", "x"], 2, &["cannot be used with"]);
    wrong(&["--endpoint", "http://127.0.0.1:1"], 2, &["--model"]);
    wrong(
        &["--endpoint", "ftp://x", "--model", "m"],
        1,
        &["error[wrong-agent]", "ftp://x", "http://127.0.0.1:8000/v1"],
    );
    let secret = ["--endpoint", "http://127.0.0.1:1", "--model", "m", "--key-env", "NO_SUCH_VARIABLE_HERE"];
    wrong(&secret, 1, &["error[wrong-agent]", "NO_SUCH_VARIABLE_HERE", "not the key itself"]);
    wrong(&["--policy", "oracl"], 1, &["error[unknown-policy]", "did you mean `oracle`"]);
    wrong(
        &["--policy", "wait", "--history", "some"],
        2,
        &["`full`, `fit`, `none`, `actions`, `last:K`, or `summary:K`"],
    );
    let short = ["--policy", "wait", "--text", "compact", "--history", "last:3"];
    wrong(&short, 1, &["error[unknown-choice]", "--text compact --history last:3", "`--text rows`"]);
    wrong(&["--policy", "wait", "--max-tokens", "0"], 2, &["at least 1"]);
    wrong(&["--policy", "wait", "--price-prompt", "1"], 2, &["--price-completion"]);
    farm(&["agents", "play", "clay_bean", "--policy", "wait", "--split", "test", "--out", &run])
        .says(1, &["error[no-levels]"]);
    agents(&["--policy", "wait", "--out", &run]).says(0, &["wait plays"]);
    agents(&["--policy", "random", "--out", &run]).says(1, &["error[other-run]", "at: name", "pass another folder"]);
    farm(&["agents", "score", folder.0.to_str().unwrap()]).says(1, &["error[file-not-found]", "run.json"]);
    let nothing = folder.file("nothing");
    std::fs::create_dir(&nothing).unwrap();
    farm(&["agents", "leaderboard", &nothing]).says(1, &["error[no-runs]", "farm agents play"]);
    farm(&["agents", "leaderboard", &folder.file("none")]).says(1, &["error[no-runs]"]);
    std::fs::write(format!("{nothing}/run.json"), "{}").unwrap();
    farm(&["agents", "verify", &nothing]).says(1, &["error[not-a-trace]", "run.json:1:"]);
}

#[test]
fn a_run_of_a_file_is_verified_where_that_is_allowed() {
    let folder = Folder::new("file");
    let (game, run) = (folder.file("game.yaml"), folder.file("run"));
    std::fs::write(&game, "name: mine\nextends: backwards_valley\nrules: {BasicRule: {max_steps: 4}}\n").unwrap();
    farm(&["agents", "play", &game, "--policy", "wait", "--out", &run]).says(0, &["wait plays"]);
    farm(&["agents", "verify", &run]).says(1, &["error[files-in-trace]", "--allow-files"]);
    farm(&["agents", "verify", &run, "--allow-files"]).says(0, &["verified"]);
    // The file is another game since.
    std::fs::write(&game, "name: mine\nextends: backwards_valley\nrules: {BasicRule: {max_steps: 5}}\n").unwrap();
    farm(&["agents", "verify", &run, "--allow-files"])
        .says(1, &["error[other-fingerprint]", "at: episodes[0].fingerprint", "another version of"]);
}

/// What an agent reads is part of the run: short texts are played again as they were.
#[test]
fn short_texts_are_verified_as_they_were_read() {
    let folder = Folder::new("short-texts");
    for form in ["compact", "rows"] {
        let run = folder.file(form);
        let played =
            ["agents", "play", "clay_bean", "--policy", "expert", "--seed", "test/7", "--text", form, "--out", &run];
        farm(&played).says(0, &[&format!("{form} texts, history full")]);
        let mut files = std::fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().path());
        let trace = files.find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap();
        let text = std::fs::read_to_string(&trace).unwrap();
        assert!(text.contains("available_Water [L]") && !text.contains("Field-0.Soil-0.available_Water#L:"), "{form}");
        farm(&["agents", "verify", &run]).says(0, &[]);
    }
}

/// People take part by the same texts: no undo, no hint, and the time of each reply is noted.
#[test]
fn a_person_plays_an_exam_and_goes_on_with_it() {
    let folder = Folder::new("person");
    let run = folder.file("ada");
    let words = [
        "agents",
        "play",
        "backwards_valley",
        "--set",
        "rules.BasicRule.max_steps=4",
        "--person",
        "Ada",
        "--out",
        &run,
    ];
    let played = farm_reads(&words, "MoveN\nfly\n");
    played.says(1, &["TASK", "OBSERVATION", "> ", "not read: ", "the input ended before the episode did"]);
    let played = farm_reads(&words, "Wait\nWait\nWait\n");
    played.says(0, &["last reward: ", "Ada plays backwards_valley", "2 calls from the trace"]);
    farm(&["agents", "verify", &run]).says(0, &["Ada"]);
    farm(&["agents", "play", "backwards_valley", "--person", "Ada", "--jobs", "2", "--out", &run])
        .says(2, &["cannot be used with"]);
}

/// Members of a family, tier by tier: each world has rules of its own, and the first tier shows them.
#[test]
fn the_worlds_of_a_split_are_played_on_tiers() {
    let folder = Folder::new("tiers");
    let run = folder.file("runs/tiers");
    let tiers = ["agents", "play", "backwards_valley@tier=1-2", "--policy", "adaptive"];
    let tiers = [&tiers[..], &["--split", "test", "--levels", "2", "--out", &run]].concat();
    let ran = farm(&tiers);
    ran.says(0, &["adaptive plays backwards_valley@tier=1-2", "score on tier 1", "score on tier 2", "tier-2-test-1"]);
    let json = farm(&["agents", "score", &run, "--json"]).json();
    assert_eq!(json["by_tier"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["by_episode"][3]["game"], "backwards_valley@tier=2,rules=test-1");
    assert_eq!(json["by_episode"][3]["seed"], 8_300_000_000_000_001_u64);
    let page = folder.file("tiers.html");
    farm(&["agents", "score", &run, "--report", &page]).says(0, &["report: "]);
    assert!(std::fs::read_to_string(&page).unwrap().contains("Score over tiers"));
    farm(&["agents", "verify", &run]).says(0, &["verified: adaptive plays"]);
    farm(&["agents", "leaderboard", &folder.file("runs")]).says(0, &["| agent | tier 1 | tier 2 |", "| adaptive |"]);
    let opening =
        |id: &str| std::fs::read_to_string(format!("{run}/{id}.jsonl")).unwrap().lines().next().unwrap().to_owned();
    assert!(opening("tier-1-test-0").contains("WORLD") && !opening("tier-2-test-0").contains("WORLD"));
    let wrong = |arguments: &[&str], words: &[&str]| {
        let other = folder.file("other");
        farm(&[&["agents"], arguments, &["--policy", "wait", "--out", &other]].concat()).says(1, words);
    };
    wrong(&["backwards_valley@tier=2"], &["error[unknown-choice]", "--split train"]);
    wrong(&["backwards_valley@tier=2", "--split", "test", "--seed", "3"], &["--seed 3", "have fixed seeds"]);
    wrong(&["backwards_valley@tier=2", "--split", "test", "--set", "a=1"], &["can't be changed"]);
    wrong(&["backwards_valley@tier=12", "--split", "test"], &["no tier `12`"]);
    wrong(&["backwards_valley", "--split", "train"], &["no levels in the split `train`"]);
}

#[test]
fn lifetimes_are_played_under_one_rule() {
    let folder = Folder::new("lifetimes");
    let run = folder.file("runs/life");
    let life = ["agents", "play", "backwards_valley@rules=test-7", "--seed", "test/7", "--lifetime", "3"];
    farm(&[&life[..], &["--policy", "adaptive", "--out", &run]].concat())
        .says(0, &["adaptive plays backwards_valley@rules=test-7", "score of trial 1", "score of trial 3"]);
    farm(&["agents", "verify", &run]).says(0, &["verified: adaptive"]);
    let json = farm(&["agents", "score", &run, "--json"]).json();
    assert_eq!(json["over_trials"].as_array().map(Vec::len), Some(3));
    let trials = json["by_episode"][0]["trials"].as_array().unwrap();
    assert!(trials.iter().all(|trial| trial["seed"].as_u64().unwrap() / 1_000_000_000 == 8_300_000), "{trials:?}");
    farm(&["agents", "leaderboard", &folder.file("runs")])
        .says(0, &["lifetimes of 3 trials", "| agent | trial 1 | trial 2 | trial 3 |"]);
    agents(&["--policy", "wait", "--split", "test", "--lifetime", "2", "--out", &folder.file("levels")])
        .says(1, &["error[unknown-choice]", "a level is one world"]);
    agents(&["--policy", "wait", "--lifetime", "0", "--out", &folder.file("none")]).says(2, &["from 1 to 1000"]);
}

/// The terms of AutoEnv-36: its rules, what it shows, ten levels, three times each, one message a turn without old observations.
#[test]
fn the_terms_of_autoenv_are_a_protocol() {
    let folder = Folder::new("protocol");
    for (game, shown, hidden) in
        [("backwards_valley", "position: ", "Thriving"), ("valley_farm", "position: ", "villager,")]
    {
        let run = folder.file(game);
        let ran = farm(&["agents", "play", game, "--protocol", "autoenv", "--policy", "wait", "--out", &run, "--json"])
            .json();
        assert_eq!((ran["episodes_done"].as_u64(), ran["levels"].as_u64()), (Some(30), Some(10)), "{game}");
        let header: Json = serde_json::from_str(&std::fs::read_to_string(format!("{run}/run.json")).unwrap()).unwrap();
        assert_eq!(header["preset"], "autoenv_compat+autoenv_text");
        assert_eq!((&header["conduct"]["history"], &header["conduct"]["replies"]), (&json!("actions"), &json!(3)));
        let trace = std::fs::read_to_string(format!("{run}/test-10-3.jsonl")).unwrap();
        let lines: Vec<Json> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let text = lines[1]["text"].as_str().unwrap();
        assert!(text.contains(shown) && !text.contains(hidden), "{text}");
        farm(&["agents", "verify", &run]).says(0, &["30 episodes"]);
    }
    // A model reads one message a turn; what it can't be understood to do three times takes a step, in both games.
    let stub = scripted(|_, _| Act::Reply("dance".to_owned()));
    for game in ["backwards_valley", "valley_farm"] {
        let run = folder.file(&format!("{game}-model"));
        let options =
            ["--endpoint", &stub.url(), "--model", "m", "--jobs", "8", "--set", "rules.BasicRule.max_steps=3"];
        let ran =
            farm(&[&["agents", "play", game, "--protocol", "autoenv", "--out", &run, "--json"], &options[..]].concat())
                .json();
        assert_eq!(ran["calls_made"].as_u64(), Some(30 * 3 * 3), "{game}");
        let trace = std::fs::read_to_string(format!("{run}/test-01-1.jsonl")).unwrap();
        let end: Json = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
        assert_eq!((&end["why"], &end["turns"], &end["days"]), (&json!("game"), &json!(3), &json!(3)), "{game}");
    }
    for asked in stub.asked() {
        let messages = asked.body["messages"].as_array().unwrap();
        let content = messages[0]["content"].as_str().unwrap();
        assert!(messages.len() == 1 && messages[0]["role"] == "user" && content.contains("PAST TURNS"), "{content}");
    }
    // Whoever goes by stages is told that there are none to be seen.
    farm(&["run", "backwards_valley", "--preset", "autoenv_text", "--policy", "InformedPolicy", "--episodes", "1"])
        .says(1, &["error[not-observed]", "terrain_and_status"]);
    // A file of AutoEnv-36 in place of our levels.
    let (file, run) = (folder.file("theirs.yaml"), folder.file("theirs"));
    let level = farm(&["level", "valley_farm", "--level", "test/02", "--format", "autoenv"]);
    level.says(0, &["crop_fields:", "cottages:", "max_steps: 50"]);
    std::fs::write(&file, level.stdout).unwrap();
    let protocol = ["agents", "play", "valley_farm", "--protocol", "autoenv", "--policy", "wait"];
    farm(&[&protocol[..], &["--level", &file, "--out", &run]].concat()).says(0, &["3 episodes on 1 levels"]);
    farm(&[&protocol[..], &["--history", "full", "--out", &run]].concat()).says(2, &["cannot be used with"]);
    farm(&["agents", "play", "clay_bean", "--protocol", "autoenv", "--policy", "wait", "--out", &folder.file("beans")])
        .says(1, &["error[no-levels]", "clay_bean"]);
    farm(&["level", "clay_bean", "--format", "autoenv"]).says(1, &["error[no-levels]"]);
}
