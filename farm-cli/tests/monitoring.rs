//! Recordings that the command line writes, and what it says where it can't.

use std::fs;

use super::program::{Folder, farm, some_game};

#[test]
fn a_run_records_every_step_of_all_episodes() {
    let folder = Folder::new("all");
    let (csv, parquet, board) = (folder.file("a.csv"), folder.file("a.parquet"), folder.file("runs"));
    let arguments = ["run", some_game(), "--episodes", "3", "--seed", "5", "--policy", "wait", "--json"];
    let ran = farm(&[&arguments[..], &["--csv", &csv, "--parquet", &parquet, "--tensorboard", &board]].concat());
    let results = ran.json();
    let written: Vec<&str> =
        results["monitoring"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(written, [csv.as_str(), &parquet, &board]);
    let mut reader = csv::Reader::from_path(&csv).unwrap();
    let header = reader.headers().unwrap().clone();
    let variables: usize = farm_games::open(some_game(), &farm_games::Options::default())
        .unwrap()
        .parts()
        .iter()
        .map(|part| part.variables().iter().filter(|variable| !variable.is_empty()).count())
        .sum();
    assert!(header.len() >= 5 + variables, "every variable has a column where the game names none");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(
        rows.len() as u64,
        (results["mean_days"].as_f64().unwrap() * 3.0).round() as u64 + 3,
        "every step, and the start of each episode"
    );
    let starts: Vec<(&str, &str)> = rows.iter().filter(|row| row[3].is_empty()).map(|row| (&row[0], &row[1])).collect();
    assert_eq!(starts, [("0", "5"), ("1", "6"), ("2", "7")]);
    let rewards: f64 = rows.iter().filter_map(|row| row[3].parse::<f64>().ok()).sum();
    assert!((rewards / 3.0 - results["return"]["mean"].as_f64().unwrap()).abs() < 1e-9);
    assert_eq!(&fs::read(&parquet).unwrap()[..4], b"PAR1");
    assert!(fs::metadata(folder.0.join("runs/episode_0002")).unwrap().is_dir());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3, "no temporary file is left");
    farm(&["run", some_game(), "--episodes", "1", "--csv", &csv]).says(0, &[&format!("monitoring: {csv}")]);
}

#[test]
fn what_the_game_names_is_recorded_and_nothing_else() {
    let folder = Folder::new("named");
    let csv = folder.file("a.csv");
    let list = "monitoring=[{variable: remaining, title: left, range: [0, 365]}, [step, value]]";
    farm(&["run", some_game(), "--episodes", "1", "--set", list, "--csv", &csv]).says(0, &[]);
    let text = fs::read_to_string(&csv).unwrap();
    assert_eq!(text.lines().next(), Some("episode,seed,step,reward,actions,left,step [2]"));
    let file = folder.file("game.yaml");
    let game = farm(&["describe", some_game(), "--yaml"]).stdout;
    for (function, code, words) in [("value", 0, "ok"), ("valeu", 1, "did you mean `value`?")] {
        fs::write(&file, format!("{game}\nmonitoring:\n  - [remaining, {function}]\n")).unwrap();
        farm(&["check", &file]).says(code, &[words]);
    }
    fs::write(&file, format!("{game}\nmonitoring:\n  - [remaining, value, Days left]\n")).unwrap();
    farm(&["describe", &file]).says(0, &["\nmonitoring\n  Days left  value of remaining\n"]);
    assert_eq!(farm(&["describe", &file, "--json"]).json()["monitoring"][0]["title"], "Days left");
    farm(&["run", some_game(), "--set", "monitoring=[[remaining, summ]]", "--csv", &csv])
        .says(1, &["unknown function `summ`", "did you mean `sum`?"]);
}

#[test]
fn a_broken_path_is_told_before_anything_is_played() {
    let folder = Folder::new("broken");
    let file = folder.file("file");
    fs::write(&file, "").unwrap();
    let (missing, below) = (folder.file("no/where.csv"), folder.file("file/runs"));
    let absent = folder.file("no/where.parquet");
    for (option, path, words) in [
        ("--csv", missing.as_str(), "can't be written"),
        ("--parquet", &absent, "can't be written"),
        ("--csv", &folder.0.display().to_string(), "it is a folder"),
        ("--tensorboard", &below, "can't be written"),
    ] {
        let ran = farm(&["run", some_game(), option, path]);
        ran.says(1, &[path, words]);
        assert!(!ran.stdout.contains("return mean"), "nothing was played: {}", ran.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_results() {
    let folder = Folder::new("full");
    for (option, other, name) in [("--csv", "--parquet", "good.parquet"), ("--parquet", "--csv", "good.csv")] {
        let good = folder.file(name);
        // A line with the names of all variables would be too much already.
        let arguments =
            ["run", some_game(), "--episodes", "3", "--policy", "wait", "--set", "monitoring=[[remaining, value]]"];
        let ran = farm(&[&arguments[..], &[option, "/dev/full", other, &good]].concat());
        ran.says(1, &["return mean", "/dev/full can't be written", "No space left"]);
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
        assert!(fs::metadata(&good).unwrap().len() > 500, "what could be written is there");
        fs::remove_file(&good).unwrap();
    }
}
