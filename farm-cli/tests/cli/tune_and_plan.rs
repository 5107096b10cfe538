//! `farm tune` and `farm plan`: what they write can be played, and what makes no sense is refused.

use std::fs;

use serde_json::Value as Json;

use super::program::farm;
use super::{file, folder};

const POLICY: &str = "
- HarvestPolicy: when_ripe
- WaterPolicy: {amount#L: {tune: [1000, 4000], value: 1000, step: 1000}, below#L: {tune: [20000, 40000], value: 21000}}
";

fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

#[test]
fn a_tuned_policy_can_be_played_and_says_where_it_comes_from() {
    let folder = folder("tune");
    let policy = file(&folder, "policy.yaml", POLICY);
    let path = |name: &str| folder.join(name).display().to_string();
    let (out, again, checkpoint) = (path("tuned.yaml"), path("again.yaml"), path("tuning.json"));
    let line = "tune clay_bean --budget 240 --episodes 5 --held-out 30 --threads 1 --seed 4000000 --policy";
    farm(&words(line, &[&policy, "--out", &out, "--checkpoint", &checkpoint]))
        .says(0, &["generation 1 of", "held-out seeds 2000000 … 2000029: mean", "95 % interval", "policy: "]);
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.starts_with("# Tuned by `farm tune clay_bean --policy "), "{text}");
    assert!(
        text.contains("# Game clay_bean, fingerprint ") && text.contains("below#L: 20000 … 40000, was 21000, is "),
        "{text}"
    );
    // On two threads, and from a finished checkpoint, it is the same but for the name of the policy's file.
    let two = line.replace("--threads 1", "--threads 2");
    farm(&words(&two, &[&policy, "--out", &again])).says(0, &["held-out"]);
    assert_eq!(fs::read_to_string(&again).unwrap(), text);
    farm(&words(line, &[&policy, "--out", &again, "--checkpoint", &checkpoint, "--resume"]))
        .says(0, &["resumes after"]);
    assert_eq!(fs::read_to_string(&again).unwrap(), text);
    // What is said of the held-out seeds is what an evaluation finds.
    let told = farm(&words(line, &[&policy, "--json"])).json();
    let held_out = ["eval", "clay_bean", "--seed", "2000000", "--episodes", "30", "--json"];
    let played = farm(&[&held_out[..], &["--policy", &out]].concat()).json();
    assert_eq!(told["held_out"]["after"], played["policies"][0]["risk"]["value"]);
    let before = farm(&[&held_out[..], &["--policy", &policy]].concat()).json();
    assert_eq!(told["held_out"]["before"], before["policies"][0]["risk"]["value"]);
    assert!(told["held_out"]["after"].as_f64() > told["held_out"]["before"].as_f64(), "{told}");
}

#[test]
fn what_can_not_be_tuned_is_refused() {
    let folder = folder("tune-wrong");
    let policy = file(&folder, "policy.yaml", POLICY);
    let damaged = file(&folder, "damaged.json", "{\"format\": 1}");
    let line = "tune clay_bean --budget 240 --episodes 5 --held-out 30 --policy";
    farm(&words(line, &["expert"])).says(1, &["no tunable number", "--all-numbers"]);
    farm(&words(line, &["nobody"])).says(1, &["nobody", "farm describe"]);
    farm(&words(line, &[&policy, "--seed", "1999990"]))
        .says(1, &["seeds 1999990 to 2000229 include test seeds", "--allow-test-seeds"]);
    farm(&words(line, &[&policy, "--seed", "1999990", "--allow-test-seeds"]))
        .says(1, &["seeds 2000000 to 2000029", "give other held-out seeds"]);
    farm(&words(line, &[&policy, "--risk", "cvar:2"])).says(1, &["--risk cvar:2"]);
    farm(&words(line, &[&policy, "--checkpoint", &damaged, "--resume"])).says(1, &["wrong-checkpoint", "damaged.json"]);
    farm(&words(line, &[&policy, "--out", &policy])).says(1, &["the same file"]);
    farm(&words(line, &[&policy, "--resume"])).says(2, &["--checkpoint"]);
    farm(&words("tune clay_bean --budget 20 --policy", &[&policy])).says(1, &["give a budget of"]);
    farm(&words("tune clay_bean --budget 0 --policy", &[&policy])).says(2, &["at least 1"]);
    let wrong = file(&folder, "wrong.yaml", POLICY.replace("[20000, 40000]", "[40000, 20000]"));
    for command in ["run clay_bean --policy", "tune clay_bean --budget 240 --policy"] {
        farm(&words(command, &[&wrong])).says(1, &["error[wrong-range]", "wrong.yaml:3:", "must be below the second"]);
    }
}

#[test]
fn a_planned_episode_can_be_replayed() {
    let folder = folder("plan");
    let record = folder.join("plans").display().to_string();
    for method in ["cem", "mcts"] {
        let line =
            format!("plan clay_bean --budget 24 --every 10 --episodes 2 --seed 5 --method {method} --json --record");
        let told = farm(&words(&line, &[&record])).json();
        assert_eq!((&told["future"], &told["base"]), (&"drawn".into(), &"expert".into()));
        for episode in told["episodes"].as_array().unwrap() {
            let actions = format!("{record}/{}.txt", episode["seed"]);
            let seed = episode["seed"].to_string();
            let replayed = farm(&["replay", "clay_bean", "--seed", &seed, "--actions", &actions]);
            replayed.says(0, &["ended: "]);
            let steps = replayed.stdout.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
            let total: f64 = steps.map(|step| step["reward"].as_f64().unwrap()).sum();
            assert!((total - episode["return"].as_f64().unwrap()).abs() < 1e-9, "{total} {episode}");
        }
        let names: Vec<&str> =
            told["policies"].as_array().unwrap().iter().map(|row| row["policy"].as_str().unwrap()).collect();
        assert_eq!(names, ["wait", "expert", "plan"]);
    }
    let known = "plan clay_bean --budget 24 --every 20 --episodes 2 --future known";
    farm(&words(known, &[])).says(0, &["plan, future known "]);
    farm(&words("plan clay_bean --budget 3", &[])).says(1, &["the minimum is 24"]);
    farm(&words("plan clay_bean --budget 24 --base nobody", &[])).says(1, &["nobody"]);
}
