//! Pages about episodes: what stands on them, and that people who see no charts are told the same.

use std::fs;

use super::program::{farm, good};
use super::{file, folder};

/// The page that a command writes.
fn page(name: &str, arguments: &[&str]) -> String {
    let path = folder(name).join("page.html").display().to_string();
    good(&[arguments, &["--report", &path]].concat());
    fs::read_to_string(path).unwrap()
}

#[test]
fn every_chart_has_a_name_and_its_numbers_in_words() {
    let page = page("report-names", &["run", "clay_bean", "--policy", "expert", "--episodes", "1", "--seed", "3"]);
    let labels: Vec<&str> =
        page.split("role=\"img\" aria-label=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(labels.len() > 20, "{}", labels.len());
    assert!(labels.iter().all(|label| label.len() > 10), "{labels:?}");
    assert!(labels.iter().any(|label| label.contains("return so far") && label.contains("greatest")), "{labels:?}");
}

#[test]
fn a_report_sums_the_season_up_and_knows_the_date() {
    let page = page("report-season", &["run", "clay_bean", "--policy", "wait", "--episodes", "1", "--seed", "3"]);
    for words in ["The season in numbers", "harvest of Plant-0", "nitrogen leached", "water given", " mm</td>"] {
        assert!(page.contains(words), "{words}");
    }
    // The policy does not harvest, so the season ends when all ripe pods have fallen.
    let end = &page[page.find("<dl").unwrap()..][..900];
    assert!(page.contains("all plants are harvested or dead (") && page.contains(" August)"), "{end}");
    assert!(page.contains("\"start\":"));
}

#[test]
fn the_reward_of_the_whole_episode_stands_beside_the_charts() {
    let page = page("report-final", &["run", "full_farm-v0", "--policy", "expert", "--episodes", "1"]);
    assert!(page.contains("of which at the end"));
    assert!(page.contains("the charts leave that out"));
    let without = self::page("report-no-final", &["run", "backwards_valley", "--policy", "wait", "--episodes", "1"]);
    assert!(!without.contains("of which at the end") && !without.contains("The season in numbers"));
}

#[test]
fn episodes_are_compared_side_by_side() {
    let ran = good(&["compare", "clay_bean", "wait", "expert", "--seed", "3"]);
    for words in ["wait", "expert", "return", "all plants are harvested or dead", "nitrogen leached"] {
        assert!(ran.contains(words), "{words} in\n{ran}");
    }
    // What each earned in euros, why, and what to type next.
    let money = farm(&["run", "clay_bean", "--policy", "expert", "--seed", "3", "--episodes", "1", "--json"]).json();
    let money = format!("€{:.2}", money["return"]["mean"].as_f64().unwrap());
    assert!(
        ran.contains(&money)
            && ran.contains("expert: growth limited by ")
            && ran.contains("\nnext: farm play clay_bean"),
        "{ran}"
    );
    let explained = good(&["run", "clay_bean", "--policy", "wait", "--seed", "3", "--episodes", "1", "--explain"]);
    let line = explained.lines().find(|line| line.ends_with("growth_limited: water")).unwrap();
    let days = line.split_whitespace().next().unwrap();
    assert!(ran.contains(&format!("wait: growth limited by water {days} days")), "{explained}\n{ran}");
    let json = farm(&["compare", "clay_bean", "expert", "expert@4", "--json"]).json();
    let run = farm(&["run", "clay_bean", "--policy", "expert", "--seed", "4", "--episodes", "1", "--json"]).json();
    assert_eq!(json["episodes"][1]["seed"], 4);
    assert_eq!(json["episodes"][0]["seed"], 0);
    assert_eq!(json["episodes"][1]["return"], run["return"]["mean"], "{run}");
}

#[test]
fn a_comparison_draws_all_episodes_into_the_same_charts() {
    let page = page("compared", &["compare", "full_farm", "wait", "expert", "--seed", "2"]);
    for words in [
        "<title>full_farm: wait and expert</title>",
        "Return so far: ",
        "harvest of ",
        "ended because",
        "wait, at the end",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(page.contains("\"n\":\"wait\"") && page.contains("\"n\":\"expert\""));
    let two_years = self::page("compared-years", &["compare", "backwards_valley", "wait@1", "wait@2"]);
    assert!(two_years.contains("<title>backwards_valley: wait, seed 1 and wait, seed 2</title>"));
}

#[test]
fn a_comparison_needs_two_policies_and_a_page_that_can_be_written() {
    let text = file(&folder("compare-errors"), "page.txt", "mine");
    farm(&["compare", "clay_bean", "expert"]).says(2, &["2 values required"]);
    farm(&["compare", "clay_bean", "expert", "wait", "--report", &text]).says(1, &["reports are written as HTML"]);
    farm(&["compare", "clay_bean", "expert", "wiat"]).says(1, &["wiat", "wait"]);
}
