//! `farm eval`, run as a user runs it: its numbers are those of the episodes it wrote down, whoever plays them.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::program::farm;

/// An empty folder of a test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("eval").join(test);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// The catalogue's first game with three policies, and their names.
fn game() -> (String, Vec<String>) {
    let listed = farm(&["list", "games", "--json"]).json();
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let mut games = listed["games"].as_array().unwrap().iter().map(|game| {
        let policies = game["policies"].as_array().unwrap().iter().map(text);
        (text(&game["name"]), policies.collect::<Vec<_>>())
    });
    games.find(|(_, policies)| policies.len() >= 3).expect("a game with three policies")
}

/// The returns of a policy in a written file, in order.
fn returns(file: &Path, policy: &str) -> Vec<f64> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let rows = reader.records().map(Result::unwrap).filter(|row| &row[0] == policy);
    rows.map(|row| row[3].parse().unwrap()).collect()
}

#[test]
fn the_numbers_of_an_evaluation_are_those_of_its_episodes() {
    let (game, policies) = game();
    let out = folder("numbers");
    let (one, other) = (policies[2].as_str(), policies[0].as_str());
    let arguments = ["eval", &game, "--policy", one, "--paired-with", other, "--episodes", "40", "--seed", "7"];
    let risk = ["--risk", "cvar:0.25", "--json", "--out", out.to_str().unwrap()];
    let json = farm(&[&arguments[..], &risk[..]].concat()).json();
    let file = out.join("evaluation.csv");
    assert_eq!(json["file"].as_str(), file.to_str());
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1, "nothing half-written stays");
    let (mine, theirs) = (returns(&file, one), returns(&file, other));
    assert_eq!((mine.len(), theirs.len()), (40, 40));
    // The mean of the worst ten of forty.
    let worst = |returns: &[f64]| {
        let mut sorted = returns.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[..10].iter().sum::<f64>() / 10.0
    };
    let close = |found: &Json, expected: f64| {
        assert!((found.as_f64().unwrap() - expected).abs() < 1e-9, "{found}, expected {expected}");
    };
    let shown = &json["policies"];
    assert_eq!((shown[0]["policy"].as_str(), shown[1]["policy"].as_str()), (Some(one), Some(other)));
    close(&shown[0]["return"]["mean"], mine.iter().sum::<f64>() / 40.0);
    close(&shown[0]["risk"]["value"], worst(&mine));
    close(&shown[1]["risk"]["value"], worst(&theirs));
    close(&shown[0]["difference"]["value"], worst(&mine) - worst(&theirs));
    let count = |is: fn(f64, f64) -> bool| mine.iter().zip(&theirs).filter(|(a, b)| is(**a, **b)).count() as u64;
    assert_eq!(shown[0]["better"].as_u64(), Some(count(|a, b| a > b)));
    assert_eq!(shown[0]["worse"].as_u64(), Some(count(|a, b| a < b)));
    assert_eq!(shown[1]["difference"], Json::Null, "nobody is compared with himself");
    for estimate in [&shown[0]["risk"], &shown[0]["difference"]] {
        let [low, value, high] = ["low", "value", "high"].map(|key| estimate[key].as_f64().unwrap());
        assert!(low <= value && value <= high && low < high, "{estimate}");
    }
}

/// `farm run` is another loop over other threads, but the same seeds.
#[test]
fn an_evaluation_plays_the_episodes_of_a_run() {
    let (game, policies) = game();
    for policy in &policies {
        let out = folder("run").join(policy);
        let shared = ["--policy", policy, "--episodes", "9", "--seed", "21", "--out", out.to_str().unwrap()];
        farm(&[&["eval", &game][..], &shared].concat()).says(0, &[policy, "seeds 21 … 29", "evaluation.csv"]);
        farm(&[&["run", &game][..], &shared].concat()).says(0, &[policy]);
        let column = |file: &str, name: &str| {
            let mut reader = csv::Reader::from_path(out.join(file)).unwrap();
            let at = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
            reader.records().map(|row| row.unwrap()[at].to_owned()).collect::<Vec<_>>()
        };
        for name in ["seed", "return", "steps", "stop", "state_hash"] {
            assert_eq!(column("evaluation.csv", name), column("episodes.csv", name), "{policy}: {name}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (game, _) = game();
    let evaluated = |threads: &str| {
        let out = folder("threads").join(threads);
        let arguments = ["eval", &game, "--episodes", "25", "--risk", "entropic:0.5", "--threads", threads];
        let ran = farm(&[&arguments[..], &["--out", out.to_str().unwrap()]].concat());
        ran.says(0, &["entropic:0.5", "95 % interval"]);
        let table = ran.stdout.lines().filter(|line| !line.starts_with("episodes:")).map(str::to_owned);
        (table.collect::<Vec<_>>(), std::fs::read(out.join("evaluation.csv")).unwrap())
    };
    let alone = evaluated("1");
    assert!(alone.1.len() > 1000);
    assert_eq!(evaluated("4"), alone);
}

#[test]
fn all_policies_of_a_game_are_compared_unless_some_are_named() {
    let (game, policies) = game();
    let played = |arguments: &[&str]| {
        let json = farm(&[&["eval", &game, "--episodes", "3", "--json"][..], arguments].concat()).json();
        let shown = json["policies"].as_array().unwrap().clone();
        shown.iter().map(|policy| policy["policy"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(played(&[]), policies);
    assert_eq!(played(&["--policy", &policies[1], "--policy", &policies[1]]), policies[1..2]);
    let paired = played(&["--policy", &policies[2], "--paired-with", &policies[0]]);
    assert_eq!(paired, [policies[2].clone(), policies[0].clone()]);
}

#[test]
fn one_episode_has_no_interval() {
    let (game, policies) = game();
    let shared = ["eval", &game, "--policy", &policies[0], "--episodes", "1"];
    farm(&shared).says(0, &["± –"]);
    let json = farm(&[&shared[..], &["--json"]].concat()).json();
    assert_eq!(json["policies"][0]["risk"]["low"], Json::Null);
    assert!(json["policies"][0]["risk"]["value"].is_number());
}

#[test]
fn a_thin_tail_has_no_interval_and_a_footnote_says_how_many_episodes_do() {
    let (game, policies) = game();
    let plot = folder("tail").join("tail.svg");
    std::fs::create_dir_all(plot.parent().unwrap()).unwrap();
    let shared = ["eval", &game, "--policy", &policies[2], "--paired-with", &policies[0], "--episodes", "20"];
    let thin = [&shared[..], &["--risk", "cvar:0.1"]].concat();
    let words = "2 episodes in the tail; at least 10 needed for an interval";
    let said = farm(&[&thin[..], &["--plot", plot.to_str().unwrap()]].concat());
    said.says(0, &[&format!("† {words}: --episodes 100"), "plot: "]);
    assert_eq!(said.stdout.matches('†').count(), 4, "two intervals, one difference, a footnote: {}", said.stdout);
    let chart = std::fs::read_to_string(&plot).unwrap();
    assert!(chart.contains("without interval") && chart.contains("2 episodes in the tail"), "the chart says so, too");
    let json = farm(&[&thin[..], &["--json"]].concat()).json();
    for estimate in [&json["policies"][0]["risk"], &json["policies"][0]["difference"]] {
        assert!(estimate["value"].is_number() && estimate["low"].is_null() && estimate["high"].is_null(), "{estimate}");
        assert_eq!(estimate["no_interval"], words);
    }
    // Of the lowest return no number of episodes gives an interval.
    let lowest = farm(&[&shared[..], &["--risk", "quantile:0"]].concat());
    lowest.says(0, &["† 0 episodes in the tail; at least 10 needed for an interval\n"]);
    let wide = farm(&[&shared[..], &["--risk", "cvar:0.5", "--json"]].concat()).json();
    assert!(wide["policies"][0]["risk"]["low"].is_number() && wide["policies"][0]["risk"]["no_interval"].is_null());
    assert!(!farm(&[&shared[..], &["--risk", "cvar:0.5"]].concat()).stdout.contains('†'));
}

#[test]
fn what_is_wrong_with_an_evaluation_is_said_with_the_way_out() {
    let (game, policies) = game();
    let refused = |arguments: &[&str], words: &[&str]| farm(&[&["eval", &game][..], arguments].concat()).says(1, words);
    refused(&["--risk", "cvra:0.1"], &["no risk criterion `cvra`", "--risk cvra:0.1", "did you mean `cvar`?"]);
    refused(&["--risk", "cvar:2"], &["`2` is not a valid number for `cvar`", "above 0 and at most 1", "cvar:0.1"]);
    refused(&["--risk", "cvar"], &["`cvar` needs a number"]);
    refused(&["--risk", "worst:20", "--episodes", "5"], &["too few episodes", "20 or more", "--episodes 20"]);
    let slip = &policies[2][..policies[2].len() - 1];
    refused(&["--policy", slip], &[&format!("has no policy `{slip}`"), &format!("did you mean `{}`?", policies[2])]);
    refused(&["--paired-with", slip], &[&format!("has no policy `{slip}`")]);
    farm(&["eval", &game, "--confidence", "1"]).says(2, &["between 0 and 1"]);
    farm(&["eval", &game, "--episodes", "0"]).says(2, &["--episodes"]);
}

/// A disk that is full only at the end loses the table, and not the results.
#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_printed_all_the_same() {
    let (game, _) = game();
    let folder = folder("full");
    std::fs::create_dir_all(&folder).unwrap();
    for (command, table) in [("eval", "evaluation.csv"), ("run", "episodes.csv")] {
        let _ = std::fs::remove_file(folder.join(table));
        std::os::unix::fs::symlink("/dev/full", folder.join(table)).unwrap();
        farm(&[command, &game, "--episodes", "2", "--out", folder.to_str().unwrap()])
            .says(1, &["return mean", "can't be written to", "No space left"]);
    }
}

#[test]
fn what_the_episodes_cost_the_constraints_stands_beside_the_returns() {
    let out = folder("constraints");
    let set = "score.BasicScore.constraints={leached_nutrients: {limit: 3}, cide_residue: {}}";
    let shared = ["eval", "clay_bean-v0", "--policy", "expert", "--episodes", "30", "--set", set];
    farm(&shared).says(0, &["leached_nutrients [g]", "cide_residue [g.day]", "total mean", "limit", "within"]);
    let json = farm(&[&shared[..], &["--json", "--out", out.to_str().unwrap()]].concat()).json();
    let mut reader = csv::Reader::from_path(out.join("evaluation.csv")).unwrap();
    let named = ["constraint.leached_nutrients", "constraint.cide_residue", "game"];
    assert!(reader.headers().unwrap().iter().skip(9).eq(named));
    let totals: Vec<f64> = reader.records().map(|row| row.unwrap()[9].parse().unwrap()).collect();
    let shown = &json["policies"][0]["constraints"]["leached_nutrients"];
    let close = |key: &str, expected: f64| {
        assert!((shown[key].as_f64().unwrap() - expected).abs() < 1e-9, "{key}: {shown}, expected {expected}");
    };
    close("mean", totals.iter().sum::<f64>() / 30.0);
    let within = totals.iter().filter(|total| **total <= 3.0).count();
    assert!((1..30).contains(&within), "some seasons are within the limit and some are not: {within}");
    close("within", within as f64 / 30.0);
}

/// What `farm eval --results` writes, `farm results` compares.
#[test]
fn results_are_written_gathered_and_compared_with_their_page() {
    let (game, policies) = game();
    let out = folder("results");
    let (results, page) = (out.join("results"), out.join("board.md"));
    let [results, page] = [&results, &page].map(|path| path.to_str().unwrap());
    let [one, other] = [0, 1].map(|i| policies[i].as_str());
    let evaluate = |seed: &str, set: &[&str]| {
        let shared = ["eval", &game, "--policy", one, "--policy", other, "--episodes", "20", "--seed", seed];
        farm(&[&shared[..], &["--results", results], set].concat()).says(0, &[one, other]);
    };
    evaluate("1000000", &[]);
    let file = |policy: &str| Path::new(results).join(&game).join(format!("{policy}.json"));
    let read = |policy: &str| -> Json { serde_json::from_slice(&std::fs::read(file(policy)).unwrap()).unwrap() };
    let written = read(one);
    assert_eq!(
        (&written["evaluation"]["first_seed"], &written["evaluation"]["episodes"]),
        (&json!(1_000_000), &json!(20))
    );
    assert!(written["made_by"]["command"].as_str().unwrap().starts_with("farm eval"), "{written}");
    assert!(written["made_by"]["cpu_seconds"].as_f64().unwrap() >= 0.0 && written["game"] == game.as_str());
    farm(&["results", results, "--out", page]).says(0, &["2 files of results, 1 game:"]);
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains(&format!("| {one} | named | 1 × 20 |")) && text.contains("farm eval"), "{text}");
    assert!(out.join("pictures/board").join(format!("{game}.svg")).is_file());
    let check = || farm(&["results", results, "--out", page, "--check"]);
    check().says(0, &["matches them"]);
    std::fs::write(page, text.replace("1 × 20", "1 × 21")).unwrap();
    check().says(1, &["stale-page", "board.md:", "1 × 21", "farm results"]);
    // The game changes, and the results of one policy are not regenerated.
    let text = std::fs::read_to_string(file(other)).unwrap();
    let mine = written["fingerprint"].as_str().unwrap();
    std::fs::write(file(other), text.replace(mine, "00000000000000ab")).unwrap();
    check().says(1, &["mixed-fingerprints", mine, "00000000000000ab", &format!("{other}.json"), "regenerate"]);
    std::fs::write(file(other), &text[..text.len() / 2]).unwrap();
    check().says(1, &["not-results", &format!("{other}.json:"), "not JSON"]);
    farm(&["results", out.join("none").to_str().unwrap(), "--out", page]).says(1, &["none"]);
}

/// Six pictures of one game with six plants and soils were called the same: neither chart nor table said how the game was changed.
#[test]
fn chart_and_table_say_how_the_game_was_changed() {
    let out = folder("changes");
    std::fs::create_dir_all(&out).unwrap();
    let plot = out.join("returns.svg");
    let plant = "fields.Field-0.entities.2=Plant: corn";
    let limit = "rules.BasicRule.max_steps=3";
    let changes = ["--preset", "4x3", "--set", plant, "--set", limit];
    let files = ["--plot", plot.to_str().unwrap(), "--out", out.to_str().unwrap(), "--episodes", "2"];
    let shared = [&["eval", "clay_bean-v0", "--policy", "wait"][..], &changes, &files].concat();
    let written = format!("--preset 4x3 --set '{plant}' --set {limit}");
    farm(&shared).says(0, &[&format!("clay_bean-v0 {written}: 2 episodes of each policy, seeds 0 … 1")]);
    // A line of the chart may end between two words.
    let chart = std::fs::read_to_string(&plot).unwrap().replace("&#39;", "'").replace("&apos;", "'");
    assert!(chart.contains(">clay_bean-v0: returns of 2 episodes, seeds 0 … 1<"), "{chart}");
    for word in written.split(' ') {
        assert!(chart.contains(word), "{word}");
    }
    let mut reader = csv::Reader::from_path(out.join("evaluation.csv")).unwrap();
    let at = reader.headers().unwrap().iter().position(|header| header == "game").unwrap();
    let games: Vec<String> = reader.records().map(|row| row.unwrap()[at].to_owned()).collect();
    assert_eq!(games, [format!("clay_bean-v0 {written}"), format!("clay_bean-v0 {written}")]);
    let json = farm(&[&shared[..], &["--json"]].concat()).json();
    assert_eq!((json["set"][0].as_str(), json["set"][1].as_str()), (Some(plant), Some(limit)));
    // A level is a change, too.
    let level = ["eval", "valley_farm", "--level", "test/03", "--policy", "wait", "--episodes", "1"];
    farm(&[&level[..], &["--plot", plot.to_str().unwrap()]].concat()).says(0, &["valley_farm --level test/03: 1 "]);
    assert!(std::fs::read_to_string(&plot).unwrap().contains(">--level test/03<"));
    // What is not changed has no line for it.
    let plain = [&["eval", "clay_bean-v0", "--policy", "wait"][..], &files].concat();
    farm(&plain).says(0, &["clay_bean-v0: 2 episodes"]);
    assert!(!std::fs::read_to_string(&plot).unwrap().contains("--"));
}
