//! `farm run`: policies, presets, seeds and changed values, the table and the files of a run.

use std::fs;

use super::program::{farm, one_of_each_family};
use super::{file, folder, games, games_without_costly_looks, yaml};

#[test]
fn a_run_prints_its_table_and_equal_seeds_give_equal_returns() {
    for game in games_without_costly_looks() {
        let ran = farm(&["run", game, "--episodes", "3", "--seed", "5"]);
        ran.says(0, &["return mean ± sd", "steps/s", "mean steps", "mean days", game, "random"]);
        assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
        assert_eq!(ran.stderr, "", "progress is for people who watch");
        let run = |seed: &str, n: &str| farm(&["run", game, "--episodes", n, "--seed", seed, "--json"]).json();
        let (one, again) = (run("5", "3"), run("5", "3"));
        assert_eq!(one["return"], again["return"]);
        // Where random play seldom earns anything, many episodes are needed to see that they are others.
        let differs = ["3", "20"].iter().any(|n| run("5", n)["return"] != run("1", n)["return"]);
        assert!(differs, "{game}: another seed, other episodes");
        assert_eq!(one["episodes"], 3);
        let steps_a_day =
            f64::from(farm_games::open(game, &farm_games::Options::default()).unwrap().rules().steps_per_day);
        assert_eq!(one["mean_days"].as_f64().unwrap() * steps_a_day, one["mean_steps"].as_f64().unwrap());
        assert!(one["steps_per_second"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn every_policy_and_preset_of_every_game_plays() {
    for game in games() {
        let json = farm(&["describe", &game, "--json"]).json();
        for policy in json["policies"].as_object().unwrap().keys() {
            let ran = farm(&["run", &game, "--policy", policy, "--episodes", "1", "--json"]).json();
            assert_eq!(ran["policy"], policy.as_str());
        }
        for preset in json["presets"].as_object().unwrap().keys() {
            let ran = farm(&["run", &game, "--preset", preset, "--episodes", "1", "--json"]).json();
            assert_eq!(ran["preset"], preset.as_str());
        }
    }
}

#[test]
fn a_policy_is_named_a_kind_a_file_or_several() {
    let folder = folder("policies");
    let expert = farm(&["run", "clay_bean-v0", "--policy", "expert", "--json"]).json();
    for same in ["WaitPolicy + expert", "[WaitPolicy, expert]"] {
        let ran = farm(&["run", "clay_bean-v0", "--policy", same, "--json"]).json();
        assert_eq!(ran["return"], expert["return"], "{same}");
    }
    let text = "# Who waters most.\n- HarvestPolicy: when_ripe\n- WaterPolicy: {amount#L: 10, below#L: 140}\n";
    let path = file(&folder, "careful.yaml", text);
    farm(&["run", "clay_bean-v0", "--policy", &path, "--episodes", "2"]).says(0, &["clay_bean-v0", "careful.yaml"]);
    farm(&["run", "clay_bean-v0", "--policy", "HarvestPolicy", "--episodes", "2"]).says(0, &["HarvestPolicy"]);
    let path = file(&folder, "wrong.yaml", text.replace("below#L: 140", "blow#L: 140"));
    farm(&["run", "clay_bean-v0", "--policy", &path]).says(1, &["wrong.yaml:3:31", "did you mean `below#L`?"]);
    farm(&["run", "clay_bean-v0", "--policy", "HarvestPolcy"])
        .says(1, &["did you mean `HarvestPolicy`?", "farm list policies"]);
    farm(&["run", "clay_bean-v0", "--policy", "no/such.yaml"]).says(1, &["can't be read", "no/such.yaml"]);
}

#[test]
fn a_game_that_never_ends_is_an_error_and_no_endless_wait() {
    let folder = folder("endless");
    let text: String =
        yaml("backwards_valley").lines().filter(|l| !l.contains("max_steps:")).map(|l| format!("{l}\n")).collect();
    let path = file(&folder, "endless.yaml", text);
    farm(&["run", &path, "--policy", "wait"])
        .says(1, &["episode 0 (seed 0)", "no end after 1000000 steps", "BasicRule"]);
}

#[test]
fn the_last_seed_is_followed_by_the_first() {
    farm(&["run", "clay_bean-v0", "--episodes", "2", "--seed", "18446744073709551615"]).says(0, &["clay_bean-v0"]);
}

#[test]
fn the_file_of_a_run_has_a_line_per_episode() {
    let folder = folder("out").join("deep/er");
    for game in one_of_each_family() {
        let out = folder.join(game);
        let ran =
            farm(&["run", game, "--episodes", "4", "--seed", "3", "--json", "--out", out.to_str().unwrap()]).json();
        let mut reader = csv::Reader::from_path(out.join("episodes.csv")).unwrap();
        let header = reader.headers().unwrap().clone();
        let fixed = ["episode", "seed", "return", "steps", "terminated", "truncated", "stop", "state_hash"];
        assert_eq!(header.iter().take(8).collect::<Vec<_>>(), fixed);
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.iter().map(|row| row[1].to_owned()).collect::<Vec<_>>(), ["3", "4", "5", "6"]);
        let mean = rows.iter().map(|row| row[2].parse::<f64>().unwrap()).sum::<f64>() / 4.0;
        assert!((mean - ran["return"]["mean"].as_f64().unwrap()).abs() < 1e-9);
        for row in &rows {
            assert_eq!(row[7].len(), 16, "{row:?}");
            assert!((&row[4] == "true") != (&row[5] == "true") && !row[6].is_empty(), "{row:?}");
        }
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing half-written stays");
    }
}

#[test]
fn a_changed_value_reaches_the_game_and_a_wrong_one_is_found_by_its_option() {
    let length =
        |value: &str| farm(&["run", "clay_bean-v0", "--set", &format!("fields.Field-0.shape.length#nb={value}")]);
    length("2").says(0, &["clay_bean-v0"]);
    length("0").says(1, &["--set fields.Field-0.shape.length#nb=0", "out of range", "found: 0"]);
    length("two").says(1, &["--set fields.Field-0.shape.length#nb=two", "an integer"]);
    length("[").says(1, &["not YAML", "--set"]);
    farm(&["run", "clay_bean-v0", "--set", "fields.Field-0.shape.lenght#nb=2"]).says(1, &["did you mean `length#nb`?"]);
}

#[test]
fn a_run_explains_what_happened() {
    let told = farm(&["run", "full_farm-v0", "--policy", "expert", "--episodes", "3", "--explain"]);
    told.says(0, &["seed 2\n", "Field-0.Plant-0 (0, 0)  stage_transition: grow"]);
    told.says(0, &["steps  Field-0.Plant-0 (0, 0)  growth_limited: "]);
    // What is alike on many plots is a line; a season in which nothing happened is told as such.
    let large = farm(&["run", "full_farm", "--preset", "10x10", "--policy", "wait", "--episodes", "1", "--explain"]);
    assert!(large.stdout.lines().count() < 40, "{}", large.stdout);
    farm(&["run", "full_farm", "--policy", "wait", "--episodes", "1", "--explain"])
        .says(0, &["seed 0\n  nothing happened in ", " days\n"]);
    let json = farm(&["run", "clay_bean-v0", "--policy", "wait", "--episodes", "20", "--explain", "--json"]).json();
    let happened = json["stories"].as_array().unwrap().iter().flat_map(|story| story["happened"].as_array().unwrap());
    let deaths: Vec<&str> = happened.filter(|e| e["kind"] == "death").filter_map(|e| e["what"].as_str()).collect();
    // Nobody waters and nobody harvests: beans stop growing, or ripen and are lost with age.
    assert!(deaths.len() > 10 && deaths.iter().all(|what| !what.is_empty() && *what != "none"), "{deaths:?}");
    assert!(deaths.contains(&"no_growth") || deaths.contains(&"age"), "{deaths:?}");
}

#[test]
fn presets_are_applied_in_order_and_named_together() {
    let folder = folder("presets_together");
    let text = yaml("clay_bean-v0");
    let own = "\npresets:\n  short: {rules.BasicRule.max_steps: 3}\n  shorter: {rules.BasicRule.max_steps: 2}\n";
    let text = match text.contains("\npresets:\n") {
        true => text.replacen("\npresets:\n", own, 1),
        false => format!("{text}{own}"),
    };
    let path = file(&folder, "two.yaml", &text);
    let ran = |first: &str, second: &str| {
        let words = ["run", &path, "--episodes", "1", "--preset", first, "--preset", second, "--json"];
        let json = farm(&words).json();
        (json["preset"].as_str().map(str::to_owned), json["mean_steps"].as_f64())
    };
    assert_eq!(ran("short", "shorter"), (Some("short+shorter".to_owned()), Some(2.0)));
    assert_eq!(ran("shorter", "short"), (Some("shorter+short".to_owned()), Some(3.0)));
}

#[test]
fn numbers_are_refused_in_words() {
    farm(&["run", "clay_bean-v0", "--seed", "-1"]).says(2, &["a seed is an integer from 0"]);
    farm(&["run", "clay_bean-v0", "--episodes", "0"]).says(2, &["expected an integer of at least 1"]);
    farm(&["eval", "clay_bean-v0", "--threads", "0"]).says(2, &["expected an integer of at least 1"]);
}

/// Named in a review from outside: the words were those of the parser of numbers.
#[test]
fn numbers_that_do_not_fit_are_refused_in_plain_words() {
    let game = &games()[0];
    for value in ["0", "abc", "-3", "1.5", "99999999999999999999999"] {
        let refused = farm(&["eval", game, "--resamples", value]);
        refused.says(2, &["expected an integer from 100 to 1000000"]);
        assert!(!refused.stderr.contains("tip:") && !refused.stderr.contains("digit"), "{}", refused.stderr);
    }
    farm(&["run", game, "--seed", "-1"]).says(2, &["a seed is an integer from 0"]);
}

#[test]
fn a_change_of_ten_thousand_letters_is_not_shown_whole() {
    let game = &games()[0];
    let long = "a".repeat(10_000);
    for change in [format!("{long}=3"), format!("name=[{long}")] {
        let refused = farm(&["run", game, "--set", &change]);
        refused.says(1, &["error[", "--> --set "]);
        assert!(refused.stderr.len() < 1500, "{} characters", refused.stderr.len());
    }
}

#[test]
fn a_policy_file_that_is_missing_is_told_where_policies_are_found() {
    let refused = farm(&["run", &games()[0], "--policy", "no_such.yaml"]);
    refused.says(1, &["no_such.yaml", "there is no such file", "farm list policies"]);
    assert!(!refused.stderr.contains("farm list games"), "{}", refused.stderr);
}
