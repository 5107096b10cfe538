//! Initial conditions, free observations, costs of a schedule, and what is said of mistakes.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::sheet::Sheet;

fn sheet(rules: &str) -> Sheet<'_> {
    Sheet { entities: "[{Weather: montpellier}, {Soil: loam}, Board]", rules, mode: "pomdp", ..Sheet::default() }
}

fn start(conditions: &str) -> String {
    format!("initial_conditions:\n  Field-0:\n    {conditions}\nmax_steps: 9")
}

/// A variable at the start of several episodes.
fn at_start(conditions: &str, variable: &str, seeds: u64) -> Vec<Json> {
    let rules = start(conditions);
    let mut env = sheet(&rules).environment();
    (0..seeds)
        .map(|seed| {
            env.reset(seed);
            let state = env.state_json();
            state.get(variable).unwrap_or_else(|| panic!("no {variable}")).clone()
        })
        .collect()
}

#[test]
fn a_value_counts_for_every_entry_and_a_plot_for_one() {
    let level =
        |conditions: &str| at_start(&format!("Board-0: {{{conditions}}}"), "Field-0.Board-0.level#nb", 1)[0].clone();
    assert_eq!(level(""), json!([[0.0], [0.0], [0.0]]), "what is not mentioned has its default");
    assert_eq!(level("level#nb: 3.5"), json!([[3.5], [3.5], [3.5]]));
    assert_eq!(level("level#nb: {'(1, 0)': 2}"), json!([[0.0], [2.0], [0.0]]));
    assert_eq!(level("level#nb: {'*': 1, '(2, 0)': 4}"), json!([[1.0], [1.0], [4.0]]));
    assert_eq!(level("level#nb: {'(2, 0)': 4, '*': 1}"), json!([[1.0], [1.0], [1.0]]), "the later line counts");
    let other = |conditions: &str, name: &str| {
        at_start(&format!("Board-0: {{{conditions}}}"), &format!("Field-0.Board-0.{name}"), 1)[0].clone()
    };
    assert_eq!(other("ahead#nb: {2: 9}", "ahead#nb"), json!([0, 0, 9, 0]));
    assert_eq!(other("ahead#nb: 4", "ahead#nb"), json!([4, 4, 4, 4]));
    assert_eq!(other("mark: blue", "mark"), json!([[2], [2], [2]]));
    assert_eq!(other("mark: {'(0, 0)': green}", "mark"), json!([[1], [0], [0]]));
    assert_eq!(other("mark: 1", "mark"), json!([[1], [1], [1]]), "a category by number");
    assert_eq!(other("open: true", "open"), json!(1));
    assert_eq!(other("pair: {right#nb: 3}", "pair.right#nb"), json!(3.0));
    assert_eq!(other("pair: {right#nb: 3}", "pair.left#nb"), json!(0.0));
    assert_eq!(other("pair: 6", "pair.left#nb"), json!(6.0), "a group sets all its members");
    assert_eq!(other("pair.left#nb: 6", "pair.left#nb"), json!(6.0));
}

#[test]
fn a_list_is_a_choice_and_a_range_a_draw_that_depend_on_the_seed_alone() {
    let conditions = "Board-0: {number#nb: [3, 8], level#nb: '(2, 6)', mark: [red, blue], ahead#nb: '(1, 3)'}";
    let all = |name: &str| at_start(conditions, &format!("Field-0.Board-0.{name}"), 200);
    let numbers: BTreeSet<String> = all("number#nb").iter().map(Json::to_string).collect();
    assert_eq!(numbers, ["3", "8"].map(String::from).into());
    let numbers_of = |values: &[Json]| -> Vec<f64> {
        let flat = values.iter().flat_map(|v| v.as_array().unwrap().iter());
        flat.map(|v| v.as_f64().or_else(|| v[0].as_f64()).unwrap()).collect()
    };
    let levels = numbers_of(&all("level#nb"));
    assert_eq!(levels.len(), 600);
    assert!(levels.iter().all(|v| (2.0..=6.0).contains(v)));
    // Uniform in (2, 6): the mean of 600 has a standard error of 4 / √12 / √600 = 0.047.
    let mean = levels.iter().sum::<f64>() / 600.0;
    assert!((mean - 4.0).abs() < 5.0 * 0.047, "{mean}");
    assert!(levels[..3].windows(2).all(|pair| pair[0] != pair[1]), "each plot is drawn anew");
    let marks: BTreeSet<u64> = numbers_of(&all("mark")).iter().map(|v| *v as u64).collect();
    assert_eq!(marks, [0, 2].into());
    let ahead: BTreeSet<u64> = numbers_of(&all("ahead#nb")).iter().map(|v| *v as u64).collect();
    assert_eq!(ahead, [1, 2, 3].into(), "whole numbers of a closed range");
    assert_eq!(all("level#nb"), all("level#nb"));
    // Another line changes nothing in this one.
    let alone = at_start("Board-0: {level#nb: '(2, 6)'}", "Field-0.Board-0.level#nb", 200);
    assert_eq!(alone, all("level#nb"));
}

#[test]
fn an_initial_condition_that_can_not_be_is_an_error_with_its_place() {
    for (line, pieces) in [
        ("Board-0: {levl#nb: 3}", vec!["no variable `levl#nb`", "did you mean `level#nb`?"]),
        ("Bord-0: {level#nb: 3}", vec!["no part `Bord-0`", "did you mean `Board-0`?"]),
        ("Board-0: {level#nb: 101}", vec!["out of range", "from 0 to 100"]),
        ("Board-0: {level#nb: -0.5}", vec!["out of range"]),
        ("Board-0: {level#nb: '(50, 101)'}", vec!["out of range"]),
        ("Board-0: {level#nb: [1, 101]}", vec!["out of range"]),
        ("Board-0: {level#nb: []}", vec!["nothing to draw from"]),
        ("Board-0: {level#nb: '(6, 2)'}", vec!["starts above its end"]),
        ("Board-0: {level#nb: much}", vec!["a finite number"]),
        ("Board-0: {level#nb: .nan}", vec!["a finite number"]),
        ("Board-0: {level#nb: {'(3, 0)': 1}}", vec!["no such entry", "(0, 0) to (2, 0)"]),
        ("Board-0: {level#nb: {0: 1}}", vec!["no such entry"]),
        ("Board-0: {level#nb: {top: 1}}", vec!["no variable `level#nb.top`"]),
        ("Board-0: {ahead#nb: {4: 1}}", vec!["no such entry", "[4]"]),
        ("Board-0: {number#nb: {0: 1}}", vec!["no such entry", "single value"]),
        ("Board-0: {number#nb: 2.5}", vec!["an integer"]),
        ("Board-0: {number#nb: [1, 2.5]}", vec!["an integer"]),
        ("Board-0: {mark: gren}", vec!["did you mean `green`?"]),
        ("Board-0: {mark: 3}", vec!["not a value of the variable"]),
        ("Board-0: {open: maybe}", vec!["`true` or `false`"]),
        ("Board-0: {seen#nb: 1}", vec!["computed and can't be set"]),
        ("Weather-0: {forecast: {rain_amount#mm.day-1: {1: 5}}}", vec!["computed and can't be set"]),
        ("Board-0: 3", vec!["Board-0"]),
        ("Board-0: [level#nb]", vec!["Board-0"]),
    ] {
        let shown = sheet(&start(line)).refused_at(line);
        for piece in pieces {
            assert!(shown.contains(piece), "{line}: `{piece}` is not in\n{shown}");
        }
    }
    for rules in ["initial_conditions: {Field-0: 3}", "initial_conditions: 3", "initial_conditions: {Feld-0: {}}"] {
        sheet(rules).refused_at(rules);
    }
}

#[test]
fn what_is_free_is_seen_whole_by_group_by_plot_and_by_index() {
    let rules = "\
free_observations:
  - [Field-0, Weather-0, air_temperature]
  - [Field-0, Weather-0, wind, ['speed#km.h-1']]
  - [Field-0, Weather-0, forecast, [rain_amount#mm.day-1, 2]]
  - [Field-0, Soil-0, available_Water#L, ['(1, 0)']]
  - [Field-0, Soil-0, available_N#g, '*']
  - remaining
max_steps: 9";
    let env = sheet(rules).environment();
    let listed = env.game().learner_view().list(env.observation());
    let names: Vec<Json> = listed.as_array().unwrap().iter().map(|o| json!([o[0], o[1], o[2], o[3]])).collect();
    let of = |part: &str, name: &str, path: Json| json!(["Field-0", part, name, path]);
    assert_eq!(
        names,
        [
            of("Weather-0", "air_temperature", json!(["mean#°C"])),
            of("Weather-0", "air_temperature", json!(["min#°C"])),
            of("Weather-0", "air_temperature", json!(["max#°C"])),
            of("Weather-0", "wind", json!(["speed#km.h-1"])),
            of("Weather-0", "forecast", json!(["rain_amount#mm.day-1", 2])),
            of("Soil-0", "available_Water#L", json!([[1, 0]])),
            of("Soil-0", "available_N#g", json!([])),
            json!(["", "", "remaining", []]),
        ]
    );
    let state = env.state_json();
    assert!(env.game().state_layout().space().contains(&state));
    assert_eq!(listed[0][4], state["Field-0.Weather-0.air_temperature.mean#°C"]);
    let whole = sheet("free_observations: [[Field-0, Weather-0, forecast, [rain_amount#mm.day-1]], [Field-0, Weather-0, day#int365]]\nmax_steps: 9").environment();
    assert_eq!(listed[4][4], whole.game().learner_view().list(whole.observation())[0][4][2], "one value of a forecast");
    assert_eq!(listed[5][4], state["Field-0.Soil-0.available_Water#L"][1][0]);
    assert_eq!(listed[6][4], state["Field-0.Soil-0.available_N#g"]);
    assert_eq!(listed[7][4], json!(9));
}

#[test]
fn a_schedule_costs_no_more_than_the_rules_allow() {
    let rules = "max_action_schedule_size: 4\nmax_action_schedule_cost: 2.5";
    let mut env = Sheet { rules, mode: "pomdp", ..Sheet::default() }.environment();
    let remove = |x: u32| json!(["Field-0", "Plant-0", "micro_harvest", {"plot": [x, 0]}]);
    let outcome = env.step(&json!([remove(0), remove(1), remove(2), "harvest"])).unwrap();
    let info = env.info().to_json();
    assert_eq!((info["intervention cost"].as_f64(), outcome.reward), (Some(2.0), 10.0 - 2.0), "each costs 1");
    let rejected = info["rejected"].as_array().unwrap();
    assert_eq!(rejected.len(), 2);
    assert!(
        rejected.iter().all(|r| r["reason"] == json!("the actions of this step would cost more than the rules allow"))
    );
    assert_eq!(rejected[1]["action"], json!("harvest"));
    for (cap, executed) in [("0", 0), ("1", 1), ("2", 2), ("null", 4)] {
        let rules = format!("max_action_schedule_size: 4\nmax_action_schedule_cost: {cap}");
        let mut env = Sheet { rules: &rules, mode: "pomdp", ..Sheet::default() }.environment();
        env.step(&json!([remove(0), remove(1), remove(2), "harvest"])).unwrap();
        assert_eq!(env.record().executed().len(), executed, "{cap}");
    }
}

#[test]
fn a_tree_of_actions_that_can_not_be_is_an_error_with_its_place() {
    fn farm(rules: &str) -> Sheet<'_> {
        Sheet { rules, ..Sheet::default() }
    }
    for (line, pieces) in [
        ("Field-0: {Soil-0: {water_discret: }}", vec!["no action `water_discret`", "did you mean `water_discrete`?"]),
        ("Field-0: {Sol-0: {water_discrete: }}", vec!["no part `Sol-0`", "did you mean `Soil-0`?"]),
        ("Feld-0: {Soil-0: {water_discrete: }}", vec!["`Feld-0`", "did you mean `Field-0`?"]),
        (
            "Field-0: {Soil-0: {water_discrete: {amuont#L: 3}}}",
            vec!["no parameter `amuont#L`", "did you mean `amount#L`?"],
        ),
        (
            "Field-0: {Soil-0: {water_discrete: {amount#L: [1, -3]}}}",
            vec!["not a valid value of `amount#L`", "from 0 to 1000"],
        ),
        ("Field-0: {Soil-0: {water_discrete: {amount#L: much}}}", vec!["not a valid value of `amount#L`"]),
        (
            "Field-0: {Soil-0: {water_continuous: {amount#L: '(1, 2000)'}}}",
            vec!["wider than the action allows", "(0, 1000)"],
        ),
        ("Field-0: {Soil-0: {water_continuous: {amount#L: '(9, 1)'}}}", vec!["not a valid value of `amount#L`"]),
        ("Field-0: {Soil-0: {water_discrete: {amount#L: []}}}", vec!["amount#L"]),
        (
            "Field-0: {Plant-0: {micro_harvest: {plot: '(3, 0)'}}}",
            vec!["not a valid value of `plot`", "'(0, 0)' to '(2, 0)'"],
        ),
        ("Field-0: {Plant-0: {micro_harvest: {plot: [0, 0, 0]}}}", vec!["not a valid value of `plot`"]),
        ("Field-0: {Plant-0: {micro_harvest: {plot: 1}}}", vec!["not a valid value of `plot`"]),
        ("Field-0: {Plant-0: {micro_harvest: '(0, 0)'}}", vec!["micro_harvest"]),
        ("Field-0: {Plant-0: harvest}", vec!["Plant-0"]),
        ("Field-0: {Plant-0: [harvest]}", vec!["Plant-0"]),
        ("Field-0: harvest", vec!["Field-0"]),
    ] {
        let rules = format!("actions:\n  {line}");
        let shown = farm(&rules).refused_at(line);
        for piece in pieces {
            assert!(shown.contains(piece), "{line}: `{piece}` is not in\n{shown}");
        }
    }
    for (line, pieces) in [
        ("Field-0: {Soil-0: {available_Wter#L: '*'}}", vec!["no variable `available_Wter#L`", "`available_Water#L`"]),
        ("Field-0: {Soil-0: {available_Water#L: '(3, 0)'}}", vec!["no such entry"]),
        ("Field-0: {Soil-0: {available_Water#L: ['*', '*']}}", vec!["is offered twice"]),
        ("Field-0: {Soil-0: {pending_surplus#L: '*'}}", vec!["hidden"]),
        (
            "Field-0: {Weather-0: {wind: {sped#km.h-1: }}}",
            vec!["no variable `wind.sped#km.h-1`", "`wind.speed#km.h-1`"],
        ),
        ("Field-0: {Weather-0: {wind: [sped#km.h-1]}}", vec!["sped#km.h-1"]),
        ("Field-0: {Weather-0: {forecast: {rain_amount#mm.day-1: 7}}}", vec!["no such entry"]),
        ("Field-0: {Sol-0: {available_Water#L: '*'}}", vec!["no part `Sol-0`"]),
        ("Field-0: {Soil-0: available_Water#L}", vec!["Soil-0"]),
    ] {
        let rules = format!("observations:\n  {line}");
        let shown = farm(&rules).refused_at(line);
        for piece in pieces {
            assert!(shown.contains(piece), "{line}: `{piece}` is not in\n{shown}");
        }
    }
    farm("actions: 3").refused_at("actions: 3");
    farm("actions: [harvest, sowe]").refused_at("actions: [harvest, sowe]");
    farm("observations: all").refused_at("observations: all");
}
