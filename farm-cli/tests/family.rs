//! Families on the command line: members, ladders, tables of worlds, seeds of splits, and hidden sets that are bound.

use std::path::{Path, PathBuf};

use super::program::{farm, good};
use serde_json::Value as Json;

#[track_caller]
fn bad(arguments: &[&str], said: &str) {
    let ran = farm(arguments);
    assert!(ran.code != 0 && ran.stderr.contains(said), "{arguments:?}: expected `{said}` in {}", ran.stderr);
}

fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("family").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn families_are_listed_with_their_ladders() {
    let text = good(&["agents", "family"]);
    let listed = json(&good(&["agents", "family", "--json"]));
    for family in listed["families"].as_array().unwrap() {
        assert!(text.contains(family["name"].as_str().unwrap()));
        let tiers = family["tiers"].as_array().unwrap();
        assert!(tiers.len() >= 8);
        // A farm has plots and no map to search, and its names mean nothing already.
        let is_farm = family["name"] == "strange_crops";
        assert!(tiers.iter().all(|tier| tier["plots"].is_u64() == is_farm && tier["size"].is_u64() != is_farm));
        for (told, is_there) in [("shown", true), ("hidden", true), ("invented", !is_farm)] {
            assert_eq!(tiers.iter().any(|tier| tier["told"] == told), is_there, "{told}");
        }
    }
}

#[test]
fn a_member_is_the_same_however_it_is_named() {
    let folder = folder("member");
    let file = folder.join("member.yaml").display().to_string();
    let yaml = good(&["agents", "family", "backwards_valley", "--split", "test", "--seed", "7", "--tier", "3"]);
    assert!(yaml.starts_with("name: backwards_valley@tier=3,rules=test-7\n"), "{yaml}");
    good(&["agents", "family", "backwards_valley@tier=3,rules=test-7", "--out", &file]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), yaml);
    assert_eq!(good(&["describe", "backwards_valley@tier=3,rules=test-7", "--yaml"]), yaml);
    let returns =
        |game: &str| json(&good(&["run", game, "--policy", "adaptive", "--episodes", "2", "--json"]))["return"].clone();
    assert_eq!(returns(&file), returns("backwards_valley@tier=3,rules=test-7"));
    let clauses =
        json(&good(&["agents", "family", "backwards_valley", "--seed", "7", "--split", "test", "--clauses", "--json"]));
    assert_eq!(clauses["split"], "test");
    assert!(clauses["hidden"]["crops.nature"].is_string() && clauses["shown"]["view"].is_string());
    let skinned = good(&["agents", "family", "backwards_valley", "--seed", "7", "--skin", "invented-3"]);
    assert!(!skinned.contains("Insult") && !skinned.contains("MoveN"), "{skinned}");
    for (arguments, said) in [
        (&["agents", "family", "backwards_vally"][..], "did you mean `backwards_valley`?"),
        (&["agents", "family", "backwards_valley", "--split", "tset"], "has no rules `tset-0`"),
        (&["agents", "family", "backwards_valley", "--tier", "99"], "a number from 1 to 9"),
        (&["agents", "family", "backwards_valley", "--skin", "inventd-1"], "there is no skin `inventd-1`"),
        (&["agents", "family", "backwards_valley", "--plot", "a.svg"], "--check"),
        (&["agents", "family", "backwards_valley", "--annotate", "tset"], "did you mean `test`?"),
        (&["agents", "family", "backwards_valley", "--annotate", "test", "--count", "0"], "at least 1"),
        (&["agents", "family", "backwards_vally", "--annotate", "test"], "did you mean `backwards_valley`?"),
        (&["agents", "family", "strange_crops", "--annotate", "test", "--tier", "10"], "a number from 1 to 9"),
        (&["agents", "family", "strange_crops", "--skin", "invented-1"], "has no skins"),
    ] {
        bad(arguments, said);
    }
}

/// `farm agents family FAMILY --check 1000` is the same for more members.
#[test]
fn thirty_members_of_each_family_are_certified() {
    let folder = folder("check");
    let chart = folder.join("members.svg").display().to_string();
    for (family, members, seen) in
        [("backwards_valley", "30", "view"), ("strange_crops", "30", "quorn.water"), ("valley_farm", "12", "view")]
    {
        let shown = json(&good(&["agents", "family", family, "--check", members, "--plot", &chart, "--json"]));
        assert_eq!(shown["members"].to_string(), members);
        assert_eq!(shown["faults"].as_array().unwrap().len(), 0);
        assert!(shown["oracle"].as_f64().unwrap() >= 2.0 * shown["same"].as_f64().unwrap());
        let drawn: u64 = shown["values"][seen].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(drawn.to_string(), members);
        assert!(std::fs::read_to_string(&chart).unwrap().contains("<svg"));
    }
}

#[test]
fn a_table_of_worlds_is_gone_on_with_where_it_ended() {
    let folder = folder("table");
    let file = folder.join("test.csv");
    let path = file.display().to_string();
    let request =
        ["agents", "family", "backwards_valley", "--annotate", "test", "--tier", "5", "--count", "6", "--out", &path];
    let shown = json(&good(&[&request[..], &["--json"]].concat()));
    assert_eq!((&shown["worlds"], &shown["computed"]), (&Json::from(6), &Json::from(6)));
    let whole = std::fs::read_to_string(&file).unwrap();
    assert_eq!(whole.lines().count(), 7);
    // As a run leaves it that was killed while it wrote a row.
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    std::fs::write(&file, format!("{}{}", lines[..4].concat(), &lines[4][..20])).unwrap();
    let again = json(&good(&[&request[..], &["--threads", "1", "--json"]].concat()));
    assert_eq!(again["computed"], 3);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
    assert_eq!(again["tiers"], shown["tiers"]);
    // What `farm oracle` says of a world, too.
    let row: Vec<&str> = lines[3].trim().rsplitn(11, ',').collect();
    let oracle = ["oracle", "backwards_valley@tier=5,rules=test-2", "--seed", "test/2", "--json"];
    assert_eq!(json(&good(&oracle))["value"].as_f64().unwrap(), row[7].parse::<f64>().unwrap(), "{row:?}");
    // With its optima, the scripts alone are played, and come to the same.
    let optima =
        ["agents", "family", "backwards_valley", "--annotate", "test", "--tier", "5", "--optima", &path, "--json"];
    let played = json(&good(&[&optima[..], &["--count", "6"]].concat()));
    assert_eq!((&played["computed"], &played["tiers"]), (&Json::from(6), &shown["tiers"]));
    let row = whole.lines().nth(2).unwrap().split("\",").nth(1).unwrap();
    let known: f64 = row.split(',').nth(2).unwrap().parse().unwrap();
    std::fs::write(
        folder.join("raised.csv"),
        whole.replace(row, &row.replacen(&format!(",{known},{known},"), ",1000,1000,", 1)),
    )
    .unwrap();
    let raised = folder.join("raised.csv").display().to_string();
    let raised = [
        "agents",
        "family",
        "backwards_valley",
        "--annotate",
        "test",
        "--tier",
        "5",
        "--count",
        "6",
        "--optima",
        &raised,
        "--json",
    ];
    let raised = json(&good(&raised))["tiers"][0]["optimum"].as_f64().unwrap();
    assert!(raised > 100.0, "the optima are those of the table: {raised}");
    bad(&[&optima[..], &["--count", "7"]].concat(), "no row for `backwards_valley@tier=5,rules=test-6`");
    bad(
        &["agents", "family", "backwards_valley", "--annotate", "train", "--tier", "5", "--out", &path],
        "belongs to another world",
    );
    std::fs::write(&file, "nothing of the kind\n").unwrap();
    bad(&request, "is not a table of worlds");
}

/// The reference agents on the published test worlds, which played no part when the tiers were defined.
#[test]
fn no_tier_is_easier_than_the_one_before_and_the_page_has_the_scores() {
    let page = include_str!("../../docs/families.md");
    let table = page.split("scripts reach these scores").nth(1).unwrap().split("\n\n").nth(1).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(2).map(|row| row.trim_matches('|').split('|').collect()).collect();
    let folder = folder("scores");
    let mut column = 1;
    for (family, table) in [
        ("backwards_valley", include_str!("../../farm-games/worlds/backwards_valley-test.csv")),
        ("valley_farm", include_str!("../../farm-games/worlds/valley_farm-test.csv")),
        ("strange_crops", include_str!("../../farm-games/worlds/strange_crops-test.csv")),
    ] {
        let count = (table.lines().count() / 9).to_string();
        // A complete table is only summed up.
        let path = folder.join("test.csv");
        std::fs::write(&path, table).unwrap();
        let path = path.display().to_string();
        let shown = json(&good(&[
            "agents",
            "family",
            family,
            "--annotate",
            "test",
            "--count",
            &count,
            "--out",
            &path,
            "--json",
        ]));
        assert_eq!(shown["computed"], 0);
        let tiers = shown["tiers"].as_array().unwrap();
        assert!(tiers.iter().all(|tier| tier["without_room"] == 0), "{family}: {tiers:?}");
        for agent in ["informed", "adaptive", "bayesian"] {
            let score = |tier: &Json| tier["scores"][agent]["value"].as_f64();
            let Some(mut before) = score(&tiers[0]) else { continue };
            for (tier, row) in tiers.iter().zip(&rows) {
                let (value, interval) = (score(tier).unwrap(), &tier["scores"][agent]["interval"]);
                let [low, high] = [0, 1].map(|end| 100.0 * interval[end].as_f64().unwrap());
                // Apart from noise.
                let least = if family == "backwards_valley" { value } else { low / 100.0 };
                assert!(least <= before + 1e-9, "{family}, {agent}, tier {}: {value}, {before} before", tier["tier"]);
                before = value;
                let cell = format!("{:.0} [{low:.0}, {high:.0}]", 100.0 * value);
                assert_eq!(row[column].trim(), cell, "{family}, {agent}, tier {}", tier["tier"]);
            }
            column += 1;
        }
    }
    assert_eq!(column, rows[0].len(), "the page has no other columns");
}

/// Groups of random play, by split and tier, and a table of them.
#[test]
fn groups_that_carry_a_gradient_are_counted_and_written() {
    let folder = folder("gradients");
    let path = folder.join("gradients.csv").display().to_string();
    let request = ["agents", "family", "valley_farm", "--gradients", "--tier", "9", "--count", "5", "--out", &path];
    let text = good(&request);
    assert!(text.contains("groups of 8 episodes of random play") && text.contains("written to"), "{text}");
    let shown = json(&good(&[&request[..], &["--json"]].concat()));
    let shares = shown["shares"].as_array().unwrap();
    assert_eq!(shares.len(), 3);
    let written = std::fs::read_to_string(&path).unwrap();
    for (share, row) in shares.iter().zip(written.lines().skip(1)) {
        let cells = [&share["split"], &share["tier"], &share["groups"], &share["with_gradient"]];
        let cells = cells.map(|cell| cell.to_string().replace('"', "")).join(",");
        assert_eq!(row, format!("valley_farm,{cells}"));
    }
    bad(&["agents", "family", "valley_frm", "--gradients"], "did you mean `valley_farm`?");
    bad(&["agents", "family", "valley_farm", "--gradients", "--tier", "10"], "a number from 1 to 9");
}

/// On a farm the optimum is the best that was found, and the table says so.
#[test]
fn a_table_of_farms_says_that_its_optima_are_found_and_not_proven() {
    let folder = folder("farms");
    let path = folder.join("test.csv").display().to_string();
    let request = ["agents", "family", "strange_crops", "--annotate", "test", "--count", "1", "--out", &path];
    let text = good(&request);
    assert!(text.contains("strange_crops: 9 test worlds, 9 of them computed") && text.contains("best found"), "{text}");
    let published = include_str!("../../farm-games/worlds/strange_crops-test.csv");
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written, published.split_inclusive('\n').take(10).collect::<String>());
    assert!(good(&request).contains("0 of them computed"), "the table is gone on with");
    let run =
        ["run", "strange_crops@tier=5,rules=test-0", "--seed", "test/0", "--policy", "adaptive", "--episodes", "1"];
    let returned = json(&good(&[&run[..], &["--json"]].concat()))["return"]["mean"].as_f64().unwrap();
    let row = written.lines().find(|row| row.starts_with("5,0,")).unwrap();
    let earned: f64 = row.split(',').rev().nth(1).unwrap().parse().unwrap();
    assert!((returned - earned).abs() < 1e-9, "{row}: {returned}");
}

#[test]
fn seeds_of_a_split_are_taken_by_its_name_alone() {
    let game = "backwards_valley@tier=3,rules=test-7";
    let run =
        |seed: &str| json(&good(&["run", game, "--policy", "oracle", "--seed", seed, "--episodes", "1", "--json"]));
    assert_eq!(run("test/7")["seed"], 8_300_000_000_000_007_u64);
    good(&["level", game, "--seed", "test/7"]);
    good(&["describe", game, "--start", "test/7"]);
    good(&["run", game, "--seed", "test/0", "--episodes", "3"]);
    for (arguments, said) in [
        (&["run", game, "--seed", "8300000000000007"][..], "write `--seed test/7`"),
        (&["oracle", game, "--seed", "8100000000000000"], "write `--seed train/0`"),
        (&["run", game, "--seed", "train/0", "--episodes", "3"], "a world of the split `train`"),
        (&["run", game, "--seed", "tset/7"], "unknown split `tset`"),
        (&["run", game, "--seed", "test/1000000000"], "from 0 to 999999999"),
        (&["run", game, "--seed", "test/x"], "from 0 to 999999999"),
        (&["run", game, "--seed", "8299999999999995", "--episodes", "10"], "reserved for the split `test` (world 0)"),
        (&["run", game, "--seed", "test/999999999", "--episodes", "2"], "is not in the split `test`"),
        (&["eval", game, "--seed", "8299999999999995", "--episodes", "10"], "reserved for the split `test`"),
    ] {
        bad(arguments, said);
    }
}

#[test]
fn a_hidden_set_is_bound_and_no_change_of_it_goes_unnoticed() {
    let folder = folder("hidden");
    let path = |name: &str| folder.join(name).display().to_string();
    let (hidden, public) = (path("hidden.json"), path("commitment.json"));
    let commit =
        ["agents", "commit", "backwards_valley", "--tier", "2", "--count", "4", "--out", &hidden, "--public", &public];
    let said = good(&commit);
    let bound = json(&std::fs::read_to_string(&public).unwrap());
    assert!(said.contains(bound["commitment"].as_str().unwrap()));
    let public_text = std::fs::read_to_string(&public).unwrap();
    let secret_text = std::fs::read_to_string(&hidden).unwrap();
    let secret = json(&secret_text);
    let salt = secret["salt"].as_str().unwrap();
    assert!(salt.len() == 64 && !public_text.contains(salt), "what is public does not tell the salt");
    for world in secret["worlds"].as_array().unwrap() {
        assert!(!public_text.contains(&world["seed"].to_string()));
    }
    let reveal = ["agents", "reveal", &hidden, "--commitment", &public];
    assert!(good(&reveal).contains("the 4 worlds of backwards_valley match"));
    assert_eq!(json(&good(&[&reveal[..], &["--json"]].concat()))["is_bound"], true);
    // A secret is not replaced, and another draw is another set.
    bad(&commit, "already exists");
    let other = path("other.json");
    // Nor is a commitment that was published.
    bad(
        &["agents", "commit", "backwards_valley", "--tier", "2", "--out", &other, "--public", &public],
        "already exists",
    );
    good(&["agents", "commit", "backwards_valley", "--tier", "2", "--count", "4", "--out", &other]);
    bad(&["agents", "reveal", &other, "--commitment", &public], "salt: no world matches its hash");

    type Change = fn(&mut Json);
    let changes: [(Change, &str); 7] = [
        (|set| set["worlds"][2]["seed"] = 7.into(), "world 2: does not match its hash"),
        (|set| set["worlds"][1]["rules"] = 7.into(), "world 1: does not match its hash"),
        (|set| set["worlds"][3]["fingerprint"] = "00".into(), "world 3: does not match its hash"),
        (|set| set["salt"] = "00".into(), "salt: no world"),
        (|set| set["tier"] = 3.into(), "tier: 3 in the secret file, 2 in the commitment"),
        (|set| set["engine"] = "9.9.9".into(), "engine: 9.9.9 in the secret file"),
        (
            |set| set["worlds"] = Json::Array(set["worlds"].as_array().unwrap()[..3].to_vec()),
            "worlds: 3 in the secret file, 4",
        ),
    ];
    for (change, said) in changes {
        let mut set = secret.clone();
        change(&mut set);
        std::fs::write(&hidden, set.to_string()).unwrap();
        bad(&reveal, said);
    }
    std::fs::write(&hidden, &secret_text).unwrap();
    let mut forged = bound.clone();
    forged["tier"] = 3.into();
    std::fs::write(&public, forged.to_string()).unwrap();
    bad(&reveal, "the hash does not match the other entries of its file");
    for (text, said) in [("{", "not valid JSON"), ("{}", "`format` is missing"), ("[]", "`format` is missing")] {
        std::fs::write(&hidden, text).unwrap();
        bad(&reveal, said);
    }
    bad(&["agents", "reveal", &path("nowhere.json"), "--commitment", &public], "nowhere.json");
    bad(&["agents", "commit", "backwards_vally", "--out", &path("x.json")], "did you mean `backwards_valley`?");
    bad(&["agents", "commit", "backwards_valley", "--tier", "99", "--out", &path("x.json")], "a number from 1 to 9");
}

/// Commands that show one world of a family draw its member and its map.
#[test]
fn a_family_opens_at_the_world_of_a_seed() {
    let tier = "backwards_valley@tier=5";
    for (seed, member) in [("test/7", "rules=test-7"), ("207", "rules=train-7")] {
        let plan = farm(&["oracle", tier, "--seed", seed, "--json"]).json();
        assert_eq!(plan["game"], format!("{tier},{member}"));
        let index = seed.rsplit('/').next().unwrap();
        let world = format!("{}/{index}", if seed == "207" { "train" } else { "test" });
        let same = farm(&["oracle", &format!("{tier},{member}"), "--seed", &world, "--json"]).json();
        assert_eq!((&plan["seed"], &plan["plan"]), (&same["seed"], &same["plan"]));
    }
    bad(&["oracle", "backwards_valley@rules=test-7", "--seed", "train/3"], "rules of the split `test`");
    bad(&["run", "backwards_valley@rules=test-7", "--seed", "train/3"], "the member with `rules=train-3`");
    bad(&["level", tier, "--set", "a=1"], "can't be changed");
}
