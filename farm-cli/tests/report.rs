//! The page of `farm run --report` and the charts of `farm eval --plot`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::program::{Folder, farm, one_of_each_family, some_game};
use serde_json::Value as Json;

/// With this variable set, a missing browser is a failure.
const NEEDS_BROWSER: &str = "FARM_GYM_NEEDS_BROWSER";

/// A policy of a game that does something sensible, if it has one.
fn able_policy(game: &str) -> String {
    let game = farm_games::open(game, &farm_games::Options::default()).unwrap();
    let names: Vec<&String> = game.spec().policies().keys().collect();
    let able = ["expert", "informed"].into_iter().find(|able| names.iter().any(|name| name == able));
    able.map_or_else(|| names[0].clone(), str::to_owned)
}

/// The numbers behind the charts of a page.
fn data(page: &str) -> Json {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    serde_json::from_str(&page[start..start + page[start..].find("</script>").unwrap()]).unwrap()
}

/// What a page says that the score gives for the episode as a whole.
fn bonus(page: &str) -> f64 {
    let said = page.split("At the end the score gives ").nth(1).and_then(|rest| rest.split(' ').next());
    said.map_or(0.0, |number| number.replace('−', "-").parse().unwrap())
}

/// Everything that a browser would fetch: what stands in `src`, `href`, `url(…)` and `@import`.
fn references(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for opening in ["src=\"", "href=\"", "srcset=\"", "url(", "@import ", "action=\"", "data=\""] {
        found.extend(page.match_indices(opening).map(|(at, _)| {
            let rest = &page[at + opening.len()..];
            &rest[..rest.find(['"', ')', ';']).unwrap_or(rest.len()).min(40)]
        }));
    }
    found
}

/// And opens in a browser without an error.
#[test]
fn a_report_tells_what_the_run_told_and_refers_to_nothing_outside() {
    let folder = Folder::new("page");
    let browser = browser();
    if let Some(browser) = browser {
        // That errors are seen at all.
        let broken = folder.file("broken.html");
        fs::write(&broken, "<!DOCTYPE html><script>null.field</script>").unwrap();
        assert!(!opened(browser, &folder, &broken).1.is_empty(), "an error of a script is seen");
    }
    // Two fields have two films. One game is played to its end, the others to a limit that saves time.
    for (i, game) in one_of_each_family().into_iter().chain(["two_fields"]).enumerate() {
        let (file, policy) = (folder.file(&format!("{game}.html")), able_policy(game));
        let csv = folder.file("csv");
        let words = [
            "run",
            game,
            "--episodes",
            "2",
            "--seed",
            "3",
            "--policy",
            &policy,
            "--report",
            &file,
            "--json",
            "--out",
            &csv,
        ];
        let limit = ["--set", "rules.BasicRule.max_steps=60"];
        let ran = farm(&[&words[..], if i == 1 { &[] } else { &limit }].concat());
        let results = ran.json();
        assert_eq!(results["report"], file.as_str());
        let page = fs::read_to_string(&file).unwrap();
        assert!(page.len() < 5_000_000, "{}: {} bytes", game, page.len());
        for reference in references(&page) {
            let is_own = reference.starts_with('#') || reference.starts_with("data:");
            assert!(is_own, "{}: refers to {reference}", game);
        }
        // The numbers are those that the run itself wrote.
        let mut csv = csv::Reader::from_path(Path::new(&csv).join("episodes.csv")).unwrap();
        let first = csv.records().next().unwrap().unwrap();
        let (total, hash) = (first[2].parse::<f64>().unwrap(), &first[7]);
        let data = data(&page);
        let values = |name: &str| -> Vec<f64> {
            let all = data["series"].as_array().unwrap();
            let series = all.iter().find(|series| series["n"].as_str().unwrap().starts_with(name)).unwrap();
            series["v"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
        };
        let returns = values("return so far");
        assert_eq!(returns.len() as u64, data["n"].as_u64().unwrap());
        assert_eq!(returns[0], 0.0);
        // What is earned for the episode as a whole is told beside the charts.
        let earned = total - bonus(&page);
        // A long episode may end after the last day that is kept.
        if data["every"] == 1 {
            let last = returns[returns.len() - 1];
            assert!((last - earned).abs() <= 1e-3 * total.abs().max(1.0), "{}: {last} and {earned}", game);
            let sum: f64 = values("reward").iter().sum();
            assert!(
                (sum - earned).abs() <= 1e-2 * total.abs().max(1.0),
                "{}: rewards sum to {sum}, not {earned}",
                game
            );
        }
        assert!(page.contains(&format!("<code>{hash}</code>")), "{}: the hash {hash}", game);
        let command = format!("farm run {} --episodes 2 --seed 3 --policy {policy} --report", game);
        assert!(page.contains(&command), "{}", game);
        assert!(page.matches("src=\"data:image/png;base64,iVBORw0KGgo").count() >= 10, "{}: pictures", game);
        for row in ["<td>1</td>", "<td>2</td>"] {
            assert!(page.contains(row) || page.contains(&row.replace("<td>", "<td class=\"n\">")), "both episodes");
        }
        if let Some(browser) = browser {
            let (document, console) = opened(browser, &folder, &file);
            assert!(console.is_empty(), "{}: {console:?}", game);
            for made_by_the_script in ["data-ready=\"yes\"", "id=\"tip\"", "class=\"player\"", "class=\"tools\""] {
                assert!(document.contains(made_by_the_script), "{}: {made_by_the_script}", game);
                let is_known = page.contains(made_by_the_script);
                assert!(!is_known, "{}: {made_by_the_script} is made by the script", game);
            }
        }
    }
}

#[test]
fn a_report_has_headings_and_labels_in_the_language_of_the_call() {
    let folder = Folder::new("page-fr");
    for (language, words) in [
        ("en", ["<html lang=\"en\">", ">The season<", "Soil water", "Irrigate", "all plants are harvested or dead"]),
        (
            "fr",
            [
                "<html lang=\"fr\">",
                ">La saison<",
                "Eau du sol",
                "Irriguer",
                "toutes les plantes sont récoltées ou mortes",
            ],
        ),
    ] {
        let page = folder.file(&format!("{language}.html"));
        farm(&["run", "clay_bean", "--policy", "expert", "--episodes", "1", "--lang", language, "--report", &page])
            .says(0, &["report: "]);
        let page = fs::read_to_string(&page).unwrap();
        for word in words {
            assert!(page.contains(word), "{language}: {word}");
        }
    }
    farm(&["run", "clay_bean", "--lang", "de"]).says(2, &["languages: en, fr"]);
}

#[test]
fn equal_runs_have_equal_pages() {
    let folder = Folder::new("equal");
    let page = |name: &str| {
        let file = folder.file(name);
        farm(&["run", some_game(), "--episodes", "2", "--seed", "3", "--report", &file]).says(0, &["report: "]);
        fs::read_to_string(&file).unwrap().replace(&file, "page.html")
    };
    assert_eq!(page("one.html"), page("again.html"));
}

#[test]
fn a_report_does_not_change_what_is_played() {
    let folder = Folder::new("same");
    let arguments = ["run", some_game(), "--episodes", "3", "--json"];
    let with = farm(&[&arguments[..], &["--report", &folder.file("a.html")]].concat()).json();
    assert_eq!(with["return"], farm(&arguments).json()["return"]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn wrong_paths_are_told_before_anything_is_played() {
    let folder = Folder::new("wrong");
    let missing = folder.file("nowhere/a.html");
    let ran = farm(&["run", some_game(), "--report", &missing]);
    ran.says(1, &["nowhere", "can't be written"]);
    assert!(!ran.stdout.contains("return mean"));
    farm(&["run", some_game(), "--report", "page.pdf"]).says(1, &["page.pdf", "ends in .html", "--report page.html"]);
    let ran = farm(&["eval", some_game(), "--plot", &folder.file("nowhere/a.svg")]);
    ran.says(1, &["nowhere", "can't be written"]);
    assert!(!ran.stdout.contains("return mean"));
    farm(&["eval", some_game(), "--plot", "returns.jpg"])
        .says(1, &["returns.jpg", ".svg or .png", "--plot returns.svg"]);
    farm(&["eval", some_game(), "--plot", &folder.0.display().to_string()]).says(1, &["it is a folder"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_results() {
    for arguments in [["run", "--report"], ["eval", "--plot"]] {
        let [command, option] = arguments;
        let ran = farm(&[command, some_game(), "--episodes", "3", "--policy", "wait", option, "/dev/full"]);
        ran.says(1, &["return mean", "/dev/full can't be written", "No space left"]);
    }
}

#[test]
fn a_plot_shows_the_returns_and_intervals_of_each_policy() {
    let folder = Folder::new("plot");
    let (svg, png) = (folder.file("returns.svg"), folder.file("returns.png"));
    let policies = ["--policy", "random", "--policy", "informed", "--policy", "wait", "--paired-with", "wait"];
    let arguments =
        [&["eval", some_game(), "--episodes", "50", "--json", "--risk", "cvar:0.2"], &policies[..]].concat();
    let results = farm(&[&arguments[..], &["--plot", &svg]].concat()).json();
    assert_eq!(results["plot"], svg.as_str());
    let chart = fs::read_to_string(&svg).unwrap();
    let policies = results["policies"].as_array().unwrap();
    assert_eq!(policies.len(), 3);
    // A point for each episode of each policy, and the numbers of the table.
    assert_eq!(chart.matches("<circle").count(), 50 * policies.len());
    assert!(chart.contains("cvar:0.2") && chart.contains("95 %") && chart.contains("Difference to wait"));
    for policy in policies {
        let name = policy["policy"].as_str().unwrap();
        assert!(chart.contains(&format!(">{name}</text>")), "{name}");
        let [value, low, high] = ["value", "low", "high"].map(|key| policy["risk"][key].as_f64().unwrap());
        let shown = format!(">{} [{}, {}]<", farm_plot::number(value), farm_plot::number(low), farm_plot::number(high));
        assert!(chart.contains(&shown), "{name}: {shown}");
    }
    farm(&[&arguments[..], &["--plot", &png]].concat()).says(0, &["returns.png"]);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
}

/// The browser's program; none if there is none, which is a failure where the environment says so.
fn browser() -> Option<&'static str> {
    let is_there = |name: &&str| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(is_there);
    if found.is_none() {
        assert!(
            std::env::var_os(NEEDS_BROWSER).is_none_or(|value| value.is_empty()),
            "no Chromium, and {NEEDS_BROWSER} is set"
        );
        eprintln!("not tested: there is no Chromium here");
    }
    found
}

/// Opens a page; returns the document after its script has run, and what the browser says on the console.
fn opened(browser: &str, folder: &Folder, file: &str) -> (String, Vec<String>) {
    let profile = folder.file("profile");
    let quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .args(quiet)
        .arg(format!("--user-data-dir={profile}"))
        .arg(format!("file://{file}"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let _ = fs::remove_dir_all(&profile);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stderr);
    let console = said.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}
