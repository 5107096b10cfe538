//! Levels and plans on the command line: what one command writes, another one reads.

use std::path::{Path, PathBuf};

use super::program::{farm, good};
use serde_json::Value as Json;

/// Whether all went well, and what was printed and told.
fn tried(arguments: &[&str]) -> (bool, String, String) {
    let ran = farm(arguments);
    (ran.code == 0, ran.stdout, ran.stderr)
}

fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("levels").join(test);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// The games with shipped levels.
fn games() -> Vec<&'static str> {
    let mut games: Vec<_> = farm_games::level::SHIPPED.iter().map(|shipped| shipped.game).collect();
    games.dedup();
    assert_eq!(games.len(), 2);
    games
}

/// The sum of the rewards of a replay.
fn replayed(arguments: &[&str]) -> f64 {
    let lines = good(&[&["replay"], arguments].concat());
    let steps = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    steps.map(|step| step["reward"].as_f64().unwrap()).sum()
}

#[test]
fn a_plan_returns_what_it_says_for_seeds_and_for_levels() {
    let folder = folder("plans");
    let plan = folder.join("plan.txt").display().to_string();
    for game in games() {
        for world in [["--seed", "7"], ["--level", "test/03"], ["--level", "validation/15"]] {
            let rest: Vec<&str> = [&[game][..], &world].concat();
            let shown = good(&[&["oracle"], &rest[..], &["--plan", &plan, "--json"]].concat());
            let shown: Json = serde_json::from_str(&shown).unwrap();
            let value = shown["value"].as_f64().unwrap();
            assert!(value > 5.0 && shown["bound"].as_f64().unwrap() >= value, "{shown}");
            assert_eq!(shown["gap"].as_f64().unwrap(), shown["bound"].as_f64().unwrap() - value);
            let lines = std::fs::read_to_string(&plan).unwrap();
            assert_eq!(lines.lines().count(), shown["plan"].as_array().unwrap().len());
            let total = replayed(&[&rest[..], &["--actions", &plan]].concat());
            assert!((total - value).abs() < 1e-9, "{game} {world:?}: {total} is not {value}");
        }
    }
}

#[test]
fn a_level_that_was_written_is_played_checked_and_described() {
    let folder = folder("written");
    for game in games() {
        let file = folder.join(format!("{game}.yaml"));
        std::fs::write(&file, good(&["level", game, "--seed", "11"])).unwrap();
        let file = file.display().to_string();
        let run = |world: &[&str]| {
            let arguments = [&["run", game, "--policy", "wait", "--episodes", "1", "--json"], world].concat();
            serde_json::from_str::<Json>(&good(&arguments)).unwrap()["return"]["mean"].clone()
        };
        assert_eq!(run(&["--level", &file]), run(&["--seed", "11"]));
        assert!(!good(&["describe", game, "--level", &file, "--start", "5"]).is_empty());
        good(&["check", game, "--level", &file]);
        std::fs::write(&file, good(&["level", game]).replace("agent: {at: [", "agent: {at: [99")).unwrap();
        let (ok, out, error) = tried(&["check", game, "--level", &file]);
        assert!(!ok && format!("{out}{error}").contains("this tile lies beyond the map"), "{out}{error}");
    }
    let (ok, _, error) = tried(&["run", games()[0], "--level", "test/99"]);
    assert!(!ok && error.contains("has no level `test/99`"), "{error}");
}

#[test]
fn a_split_is_judged_between_waiting_and_the_best_plan() {
    for (game, split) in games().into_iter().zip(["test", "validation"]) {
        let shown: Json = serde_json::from_str(&good(&["eval", game, "--split", split, "--json"])).unwrap();
        assert_eq!(shown["levels"], 15);
        let of = |policy: &str, key: &str| {
            let rows = shown["policies"].as_array().unwrap();
            rows.iter().find(|row| row["policy"] == policy).unwrap()[key].as_f64().unwrap()
        };
        for key in ["of_best", "of_best_beyond_waiting"] {
            assert!((of("oracle", key) - 1.0).abs() < 1e-9, "{shown}");
            assert!(of("random", key) < 0.7, "{shown}");
        }
        assert_eq!(of("wait", "of_best_beyond_waiting"), 0.0);
        if game != games()[0] {
            continue;
        }
        // The mean of one level's shares, from the commands that play it alone.
        let one = |level: usize, policy: &str| {
            let level = format!("{split}/{level:02}");
            let arguments = ["run", game, "--level", &level, "--policy", policy, "--episodes", "1", "--json"];
            serde_json::from_str::<Json>(&good(&arguments)).unwrap()["return"]["mean"].as_f64().unwrap()
        };
        let shares = (1..=15).map(|level| one(level, "wait") / one(level, "oracle"));
        assert!((of("wait", "of_best") - shares.sum::<f64>() / 15.0).abs() < 1e-9, "{shown}");
    }
    let (ok, _, error) = tried(&["eval", games()[0], "--split", "tset"]);
    assert!(!ok && error.contains("did you mean `test`?"), "{error}");
}

#[test]
fn the_returns_on_the_levels_of_a_split_are_drawn() {
    let file = std::env::temp_dir().join(format!("farm-split-{}.svg", std::process::id()));
    let game = games()[0];
    let said = good(&["eval", game, "--split", "test", "--policy", "wait", "--plot", file.to_str().unwrap()]);
    assert!(said.contains(&format!("plot: {}", file.display())), "{said}");
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.contains(&format!("{game}: returns on 15 test levels")) && svg.contains(">wait</text>"), "{svg}");
    std::fs::remove_file(file).unwrap();
    let (ok, _, error) = tried(&["eval", game, "--split", "test", "--plot", "/no/such/folder/a.svg"]);
    assert!(!ok && error.contains("/no/such/folder"), "{error}");
}

#[test]
fn a_policy_that_draws_draws_anew_on_each_level_of_a_split_and_has_an_interval() {
    let of = |shown: &Json, policy: &str| -> Json {
        let rows = shown["policies"].as_array().unwrap();
        rows.iter().find(|row| row["policy"] == policy).unwrap().clone()
    };
    let policies = ["--policy", "random", "--policy", "wait", "--json"];
    let eval = |rest: &[&str]| -> Json {
        let arguments = [&["eval", "valley_farm", "--split", "test"], &policies[..], rest].concat();
        serde_json::from_str(&good(&arguments)).unwrap()
    };
    let shown = eval(&[]);
    let (random, wait) = (of(&shown, "random"), of(&shown, "wait"));
    assert_eq!(
        (&random["draws"], &random["episodes"], &random["no_interval"]),
        (&true.into(), &20.into(), &Json::Null)
    );
    assert_eq!((&wait["draws"], &wait["episodes"]), (&false.into(), &1.into()));
    assert!(wait["return"]["interval"].is_null() && wait["no_interval"].as_str().unwrap().contains("does not draw"));
    for (mean, interval) in [
        (&random["return"]["mean"], &random["return"]["interval"]),
        (&random["of_best"], &random["of_best_interval"]),
        (&random["of_best_beyond_waiting"], &random["of_best_beyond_waiting_interval"]),
    ] {
        let [mean, low, high] = [mean, &interval[0], &interval[1]].map(|number| number.as_f64().unwrap());
        assert!(low < mean && mean < high, "{random}");
    }
    // One sequence of actions on all levels came to 14.69 % of the optimum; 50 of them to 6.16 %.
    assert!(random["of_best"].as_f64().unwrap() < 0.1, "{random}");
    // The seeds are the documented ones: a run of a level plays the same episodes.
    let each = shown["seeds_of_a_level"].as_u64().unwrap();
    let alone = (1..=15).map(|level| {
        let (name, seed) = (format!("test/{level:02}"), (level * each).to_string());
        let world = ["run", "valley_farm", "--level", &name, "--policy", "random", "--seed", &seed, "--episodes", "20"];
        let run: Json = serde_json::from_str(&good(&[&world[..], &["--json"]].concat())).unwrap();
        run["return"]["mean"].as_f64().unwrap()
    });
    let mean = alone.sum::<f64>() / 15.0;
    assert!((mean - random["return"]["mean"].as_f64().unwrap()).abs() < 1e-9, "{mean} is not {random}");
    let single = of(&eval(&["--episodes", "1"]), "random");
    assert!(single["draws"].is_null() && single["return"]["interval"].is_null(), "{single}");
    assert!(single["no_interval"].as_str().unwrap().starts_with("1 episode;"), "{single}");
}

/// Levels of one kind of world in a game of another kind, and remedies that work when they are followed.
#[test]
fn a_level_of_another_game_is_refused_with_a_remedy_that_works() {
    let folder = folder("others");
    let file = folder.join("valley.yaml");
    std::fs::write(&file, good(&["level", "backwards_valley", "--seed", "2"])).unwrap();
    let file = file.display().to_string();
    let refused = |game: &str| {
        let (ok, _, error) = tried(&["run", game, "--level", &file, "--policy", "wait", "--episodes", "1"]);
        assert!(!ok && error.contains(&format!("this is a level of `backwards_valley`, not of `{game}`")), "{error}");
        error
    };
    // A game without a map has no levels: the level's own game plays it.
    let error = refused("clay_bean");
    assert!(error.contains("`clay_bean` has no levels") && !error.contains("farm level clay_bean"), "{error}");
    assert!(error.contains("`backwards_valley`"), "{error}");
    assert!(refused("valley_farm").contains("farm level valley_farm --seed 1"));
    good(&["level", "valley_farm", "--seed", "1"]);
}

#[test]
fn a_check_tells_the_errors_of_the_level_and_those_of_the_game() {
    let folder = folder("both");
    let [game, level] = ["game.yaml", "level.yaml"].map(|name| folder.join(name).display().to_string());
    let yaml = farm_games::CATALOGUE.iter().find(|entry| entry.name == "backwards_valley").unwrap().yaml;
    std::fs::write(&game, yaml.replacen("    max_steps: 40", "    max_stebs: 40", 1)).unwrap();
    let world = good(&["level", "backwards_valley", "--seed", "2"]);
    std::fs::write(&level, world.replacen("facing: ", "facing: X", 1)).unwrap();
    let (ok, out, error) = tried(&["check", &game, "--level", &level]);
    let said = out + &error;
    assert!(
        !ok && said.contains("max_stebs") && said.contains("is not a choice here\n --> ") && said.contains("facing: X"),
        "{said}"
    );
    // The same of levels whose facts can't be placed at all.
    std::fs::write(&level, world.replacen("agent: {at: [", "agent: {at: [99", 1)).unwrap();
    let (ok, out, error) = tried(&["check", &game, "--level", &level]);
    let said = out + &error;
    assert!(!ok && said.contains("max_stebs") && said.contains("beyond the map"), "{said}");
    std::fs::write(&level, "").unwrap();
    let (ok, out, error) = tried(&["check", &game, "--level", &level]);
    let said = out + &error;
    assert!(!ok && said.contains("max_stebs") && said.contains("farm level GAME --seed 1"), "{said}");
}

#[test]
fn a_rule_that_no_plan_is_made_for_is_refused_with_the_option_that_sets_it() {
    let size = "rules.BasicRule.max_action_schedule_size=3";
    for arguments in
        [&["oracle", "backwards_valley"][..], &["eval", "backwards_valley", "--split", "test", "--policy", "wait"]]
    {
        let (ok, out, error) = tried(&[arguments, &["--set", size]].concat());
        assert!(!ok && !out.contains("proven"), "{out}");
        for word in
            ["the planner chooses one action for each step", &format!("--set {size}"), "found: 3", "expected: 1"]
        {
            assert!(error.contains(word), "`{word}` is not in: {error}");
        }
    }
}
