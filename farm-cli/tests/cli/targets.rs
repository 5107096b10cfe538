//! The files of a run: refused before anything is played where they can't be written, and whole where a signal ends the run.

use std::fs;
use std::path::Path;

use super::program::farm;
use super::{file, folder};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// So many episodes that a test which plays them never ends.
const ENDLESS: &str = "1000000000";

#[test]
fn two_options_do_not_write_one_file() {
    let folder = folder("equal");
    let at = |name: &str| folder.join(name).display().to_string();
    fs::create_dir_all(folder.join("sub")).unwrap();
    let (csv, same) = (at("episodes.csv"), at("sub/../episodes.csv"));
    let run = ["run", "clay_bean", "--episodes", ENDLESS];
    let dir = folder.to_str().unwrap();
    for (targets, words) in [
        (&["--out", dir, "--csv", &csv][..], ["`--out`", "`--csv`"]),
        (&["--out", dir, "--csv", &same], ["`--out`", "`--csv`"]),
    ] {
        let ran = farm(&[&run[..], targets].concat());
        ran.says(1, &["name the same file", words[0], words[1]]);
        assert_eq!(ran.stdout, "", "nothing is played");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("sub"), folder.join("link")).unwrap();
        let (real, linked) = (at("sub/episodes.csv"), at("link"));
        farm(&[&run[..], &["--csv", &real, "--out", &linked]].concat()).says(1, &["name the same file"]);
    }
    let actions = file(&folder, "moves.txt", "[]\n");
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", &actions, "--trace", &actions])
        .says(1, &["name the same file", "`--actions`", "`--trace`"]);
    assert_eq!(fs::read_to_string(&actions).unwrap(), "[]\n");
    let game = file(&folder, "game.yaml", super::yaml("clay_bean"));
    farm(&["replay", &game, "--seed", "1", "--actions", &actions, "--trace", &game])
        .says(1, &["name the same file", "`GAME`", "`--trace`"]);
    farm(&["oracle", &game, "--plan", &game]).says(1, &["name the same file", "`GAME`", "`--plan`"]);
    assert_eq!(names(&folder).iter().filter(|name| name.contains("part")).count(), 0);
}

#[test]
fn a_name_with_the_ending_of_another_format_is_refused() {
    let folder = folder("endings");
    let at = |name: &str| folder.join(name).display().to_string();
    for (option, name, remedy) in [
        ("--gif", "film.mp4", "film.gif"),
        ("--mp4", "film.gif", "film.mp4"),
        ("--csv", "table", "table.csv"),
        ("--csv", "table.parquet", "table.csv"),
        ("--parquet", "table.csv", "table.parquet"),
    ] {
        let ran = farm(&["run", "clay_bean", "--episodes", ENDLESS, option, &at(name)]);
        ran.says(1, &["written as", &format!("{option} {}", at(remedy)), "a name that ends in"]);
        assert_eq!(ran.stdout, "");
    }
    farm(&["run", "clay_bean", "--csv", "-"]).says(1, &["`-`", "--csv FILE.csv"]);
    farm(&["render", "clay_bean", &at("picture.jpg")]).says(1, &["written as PNG", "picture.png"]);
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

/// Neither the folder nor the name can be had: it is told at once, and not after all the episodes.
#[test]
fn targets_that_cannot_be_written_are_told_before_anything_is_played() {
    let folder = folder("unwritable");
    let occupied = file(&folder, "occupied", "");
    let in_file = format!("{occupied}/deeper");
    for table in ["episodes.csv", "evaluation.csv"] {
        fs::create_dir_all(folder.join("out").join(table).join("in_the_way")).unwrap();
    }
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    for (option, target, word) in [
        ("--out", occupied.as_str(), "this is a file, not a folder"),
        ("--out", &in_file, "occupied"),
        ("--out", out, "it is a folder"),
        ("--png", &occupied, "occupied"),
        #[cfg(target_os = "linux")]
        ("--out", "/proc/farm", "/proc/farm"),
        #[cfg(target_os = "linux")]
        ("--gif", "/proc/film.gif", "/proc/film.gif"),
        #[cfg(target_os = "linux")]
        ("--report", "/proc/page.html", "/proc/page.html"),
        #[cfg(target_os = "linux")]
        ("--png", "/proc", "/proc"),
    ] {
        let ran = farm(&["run", "clay_bean", "--episodes", ENDLESS, option, target]);
        ran.says(1, &["can't be written", word]);
        assert_eq!(ran.stdout, "", "{option} {target}");
    }
    for (option, target) in [("--out", occupied.as_str()), ("--out", out)] {
        let ran = farm(&["eval", "clay_bean", "--episodes", "100000000", option, target]);
        ran.says(1, &["can't be written"]);
    }
    assert_eq!(names(&folder), ["occupied", "out"]);
}

#[test]
fn pictures_of_a_longer_episode_before_are_removed() {
    let folder = folder("pictures");
    let other = file(&folder, "step_one.png", "of somebody else");
    let dir = folder.to_str().unwrap();
    for steps in ["6", "3"] {
        let limit = format!("rules.BasicRule.max_steps={steps}");
        farm(&["run", "clay_bean", "--policy", "wait", "--episodes", "1", "--set", &limit, "--png", dir])
            .says(0, &["film: "]);
        let frames: Vec<String> = (0..=steps.parse().unwrap()).map(|step: u32| format!("step_{step:04}.png")).collect();
        assert_eq!(names(&folder), [&frames[..], &["step_one.png".to_owned()]].concat());
    }
    assert_eq!(fs::read_to_string(other).unwrap(), "of somebody else");
}

#[test]
fn a_spreadsheet_computes_nothing_of_a_table() {
    let folder = folder("formulas");
    let formula = "=HYPERLINK(\"http://evil\")";
    let yaml = super::yaml("clay_bean");
    assert!(yaml.contains("\npolicies:\n"), "{yaml}");
    let yaml = yaml.replace("\npolicies:\n", &format!("\npolicies:\n  '{formula}': WaitPolicy\n"));
    let monitoring = "\nmonitoring:\n  - [Field-0, Plant-0, size#cm, mean, '@SUM(A1)']\n";
    let game = file(&folder, "game.yaml", format!("{yaml}{monitoring}"));
    let (out, csv) = (folder.join("out"), folder.join("a.csv"));
    let (out, csv) = (out.to_str().unwrap(), csv.to_str().unwrap());
    farm(&["eval", &game, "--episodes", "2", "--policy", formula, "--out", out]).says(0, &["evaluation.csv"]);
    let mut table = csv::Reader::from_path(folder.join("out/evaluation.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row[0] == format!("'{formula}")), "{rows:?}");
    assert!(rows.iter().all(|row| row[3].parse::<f64>().is_ok()), "numbers stay numbers: {rows:?}");
    farm(&["run", &game, "--episodes", "1", "--csv", csv]).says(0, &["monitoring: "]);
    let mut table = csv::Reader::from_path(csv).unwrap();
    assert!(table.headers().unwrap().iter().any(|name| name == "'@SUM(A1)"));
}

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::io::{BufRead, BufReader};
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::super::program::{Ran, program};
    use super::{ENDLESS, names};
    use super::{file, folder};

    /// How long anything may take: the machine may have much else to do.
    const PATIENCE: Duration = Duration::from_secs(120);

    fn start(arguments: &[&str]) -> Child {
        program().args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn signal(child: &Child, name: &str) {
        assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
    }

    /// Waits until something was written to the unfinished file of a name.
    fn wait_for_part(folder: &Path, name: &str, size: u64) {
        let start = Instant::now();
        loop {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let is_part = |found: &str| found.starts_with(name) && found.ends_with(".part");
            let mut parts = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_part));
            if parts.any(|part| part.metadata().is_ok_and(|found| found.len() >= size)) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "nothing is written to {name}");
            sleep(Duration::from_millis(10));
        }
    }

    /// How many episodes or steps were done, as the program says.
    fn done(ran: &Ran, signal: &str) -> usize {
        let start = format!("ended by SIG{signal}: ");
        let rest = ran.stderr.split(&start).nth(1).unwrap_or_else(|| panic!("{start}: {}", ran.stderr));
        rest.split(' ').next().unwrap().parse().unwrap()
    }

    fn lines(path: &Path) -> usize {
        fs::read_to_string(path).unwrap().lines().count()
    }

    #[test]
    fn a_signal_ends_a_run_after_its_episode_and_what_was_done_is_written() {
        for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            let folder = folder(&format!("signal_{name}"));
            let csv = folder.join("steps.csv");
            // What an earlier run wrote as a whole stays as it was.
            file(&folder, "episodes.csv", "whole");
            file(&folder, "steps.csv", "whole");
            let arguments = ["run", "clay_bean", "--episodes", ENDLESS, "--csv", csv.to_str().unwrap(), "--out"];
            let child = start(&[&arguments[..], &[folder.to_str().unwrap()]].concat());
            // Rows are written while it plays, not kept until the end.
            wait_for_part(&folder, "episodes.csv", 1000);
            signal(&child, name);
            let ran = Ran::of(&child.wait_with_output().unwrap());
            ran.says(code, &["return mean", "ends after this episode", "finished results are written", "incomplete: "]);
            let done = done(&ran, name);
            assert!(done > 1, "{}", ran.stderr);
            let cut = ["episodes.incomplete.csv", "steps.incomplete.csv"];
            assert_eq!(names(&folder), ["episodes.csv", cut[0], "steps.csv", cut[1]]);
            assert!(cut.iter().all(|name| ran.stderr.contains(name)), "{}", ran.stderr);
            assert_eq!(fs::read_to_string(folder.join("episodes.csv")).unwrap(), "whole");
            assert_eq!(fs::read_to_string(&csv).unwrap(), "whole");
            assert_eq!(lines(&folder.join(cut[0])), done + 1);
            let last = fs::read_to_string(folder.join(cut[1])).unwrap().lines().last().unwrap().to_owned();
            assert!(last.starts_with(&format!("{},", done - 1)), "{last}");
        }
    }

    #[test]
    fn a_second_signal_ends_a_run_within_its_episode() {
        let folder = folder("second_signal");
        let csv = folder.join("steps.csv");
        let endless = ["--policy", "wait", "--set", "rules.BasicRule.max_steps=1000000000"];
        let arguments = ["run", "backwards_valley", "--episodes", "1", "--csv", csv.to_str().unwrap()];
        let mut child = start(&[&arguments[..], &endless].concat());
        // The header alone may have thousands of bytes.
        wait_for_part(&folder, "steps.csv", 100_000);
        signal(&child, "INT");
        let mut line = String::new();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        said.read_line(&mut line).unwrap();
        assert!(line.contains("ends after this episode"), "{line}");
        signal(&child, "INT");
        line.clear();
        said.read_line(&mut line).unwrap();
        assert!(line.contains("ended by SIGINT: 0 of 1 episodes"), "{line}");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(names(&folder), ["steps.incomplete.csv"]);
        assert!(lines(&folder.join("steps.incomplete.csv")) > 1);
    }

    /// `nohup` asks for it; whether a signal is ignored is known on Linux alone.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_run_that_outlives_its_terminal_is_not_ended_by_it() {
        let folder = folder("nohup");
        let arguments = ["run", "clay_bean", "--episodes", ENDLESS, "--out", folder.to_str().unwrap()];
        let mut child = Command::new("sh")
            .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
            .arg(program().get_program())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_part(&folder, "episodes.csv", 1000);
        signal(&child, "HUP");
        signal(&child, "TERM");
        let mut line = String::new();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        said.read_line(&mut line).unwrap();
        assert!(line.contains("SIGTERM: ends after this episode"), "{line}");
        assert_eq!(child.wait().unwrap().code(), Some(143));
    }

    #[test]
    fn a_limit_of_a_files_size_is_reported_like_a_full_disk() {
        let folder = folder("file_limit");
        let out = folder.to_str().unwrap();
        let limited = Command::new("sh")
            .args(["-c", "ulimit -f 8; exec \"$@\"", "sh"])
            .arg(program().get_program())
            .args(["run", "clay_bean", "--episodes", "2000", "--out", out])
            .output()
            .unwrap();
        Ran::of(&limited).says(1, &["the episodes can't be written to", "episodes.csv", "too large"]);
        assert!(names(&folder).is_empty());
    }

    #[test]
    fn a_signal_ends_a_comparison_and_its_episodes_are_written() {
        let folder = folder("signal_eval");
        let arguments = ["eval", "clay_bean", "--episodes", "100000000", "--threads", "2", "--out"];
        let child = start(&[&arguments[..], &[folder.to_str().unwrap()]].concat());
        wait_for_part(&folder, "evaluation.csv", 0);
        signal(&child, "TERM");
        let ran = Ran::of(&child.wait_with_output().unwrap());
        ran.says(143, &["too few to compare"]);
        ran.says(143, &["incomplete: ", "evaluation.incomplete.csv"]);
        assert_eq!(lines(&folder.join("evaluation.incomplete.csv")), done(&ran, "TERM") + 1);
        assert_eq!(names(&folder), ["evaluation.incomplete.csv"]);
    }

    #[test]
    fn a_signal_ends_a_replay_and_its_steps_are_written() {
        let folder = folder("signal_replay");
        let actions = file(&folder, "waits.txt", "Wait\n".repeat(300_000));
        let trace = folder.join("trace.jsonl");
        let endless = ["--set", "rules.BasicRule.max_steps=1000000000", "--trace", trace.to_str().unwrap()];
        let arguments = ["replay", "backwards_valley", "--seed", "1", "--actions", &actions];
        let child = start(&[&arguments[..], &endless].concat());
        wait_for_part(&folder, "trace.jsonl", 1000);
        signal(&child, "INT");
        let ran = Ran::of(&child.wait_with_output().unwrap());
        ran.says(130, &["300000 steps"]);
        assert_eq!(lines(&folder.join("trace.incomplete.jsonl")), done(&ran, "INT"));
        assert_eq!(names(&folder), ["trace.incomplete.jsonl", "waits.txt"]);
    }
}
