//! Delay, period, once and lists of actions against days counted by hand; plots of several fields.

use farm_core::Environment;
use std::sync::Arc;

use super::support::{TWO_FIELDS, compile, days, game, player, rule, rules, trace, trace_of};

/// The days on which one rule harvests.
fn harvests(steps: &str, keys: &str, until: u32) -> Vec<usize> {
    let game = game("full_farm-v0", None);
    days(&trace(&game, &rules(&[rule(steps, keys, "{entity: Plant-0, action: harvest}")]), until), "Plant-0.harvest")
}

#[test]
fn without_more_a_rule_acts_on_the_day_on_which_it_holds() {
    assert_eq!(harvests("[2, 3, 9]", "", 12), [2, 3, 9]);
}

#[test]
fn a_delay_counts_from_the_day_on_which_the_trigger_first_held() {
    // Day 3 falls into the wait for day 5; day 9 starts a new wait.
    assert_eq!(harvests("[2, 3, 9]", ", delay#day: 3", 20), [5, 12]);
    // It may hold again on the day of the action only after it: 2 → 4, then 5 → 7.
    assert_eq!(harvests("[2, 3, 4, 5, 6]", ", delay#day: 2", 20), [4, 7]);
}

#[test]
fn a_period_keeps_actions_apart() {
    // Day 3 is two days after day 1, day 5 is four.
    assert_eq!(harvests("[1, 3, 5, 6]", ", period#day: 4", 20), [1, 5]);
    // From action to action, not from trigger to trigger: what holds on day 5 is done on day 7.
    assert_eq!(harvests("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", ", delay#day: 2, period#day: 5", 14), [2, 7, 12]);
}

#[test]
fn without_conditions_a_rule_acts_whenever_its_period_allows() {
    let game = game("full_farm-v0", None);
    let every = |keys: &str| days(&trace(&game, &rules(&[format!("{{act: harvest{keys}}}")]), 10), "Plant-0.harvest");
    assert_eq!(every(", period#day: 3"), [0, 3, 6, 9]);
    assert_eq!(every(""), (0..10).collect::<Vec<_>>());
    assert_eq!(every(", delay#day: 4, once: true"), [4]);
}

#[test]
fn once_is_once_in_an_episode() {
    assert_eq!(harvests("[3, 7]", ", once: true", 12), [3]);
    assert_eq!(harvests("[3, 7]", ", once: true, delay#day: 2", 12), [5]);
    let game = game("full_farm-v0", None);
    let mut player = player(&game, &rules(&[rule("[3, 7]", ", once: true", "harvest")]));
    for _ in 0..3 {
        assert_eq!(days(&trace_of(&game, player.as_mut(), 12), "Plant-0.harvest"), [3], "a new episode, a new chance");
    }
}

#[test]
fn a_new_episode_forgets_what_was_due() {
    let game = game("full_farm-v0", None);
    let mut player = player(&game, &rules(&[rule("[2]", ", delay#day: 3", "harvest")]));
    assert!(days(&trace_of(&game, player.as_mut(), 4), "Plant-0.harvest").is_empty(), "due on day 5");
    let mut state = game.new_state();
    game.reset(&mut state, 1, &mut game.new_record());
    player.start(1);
    state.set_step(5);
    let mut schedule = Vec::new();
    player.choose(&game, &state, &mut schedule);
    assert!(schedule.is_empty(), "due in the episode before");
}

/// One intervention a day.
#[test]
fn several_actions_of_a_rule_are_done_in_order_on_as_many_days_as_it_takes() {
    let game = game("full_farm-v0", None);
    let acts = "[{action: put_scarecrow, parameters: {type: basic}}, {action: harvest}, {action: remove_scarecrow}]";
    let trace = trace(&game, &rules(&[rule("[2]", "", acts)]), 8);
    let chosen: Vec<&str> = trace.iter().flatten().map(String::as_str).collect();
    assert_eq!(
        chosen,
        [
            "Field-0.Facility-0.put_scarecrow(type=basic)",
            "Field-0.Plant-0.harvest",
            "Field-0.Facility-0.remove_scarecrow"
        ]
    );
    assert_eq!(trace.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 1, 1, 1, 0, 0, 0]);
}

#[test]
fn the_first_rule_that_is_due_has_the_only_place_of_the_day() {
    let game = game("full_farm-v0", None);
    let first = rule("[2, 3]", "", "harvest");
    let anew = rule("[1, 2]", "", "remove_scarecrow");
    let delayed = rule("[1]", ", delay#day: 1", "{action: put_scarecrow, parameters: {type: basic}}");
    let trace = trace(&game, &rules(&[first, anew, delayed]), 7);
    assert_eq!(days(&trace, "Plant-0.harvest"), [2, 3]);
    // On day 2 there is no room for it, and on day 3 it does not hold any more.
    assert_eq!(days(&trace, "remove_scarecrow"), [1]);
    // Due on day 2, with room on day 4.
    assert_eq!(days(&trace, "put_scarecrow"), [4]);
}

#[test]
fn the_same_action_of_two_rules_is_done_once_a_day() {
    let game = game("full_farm-v0", Some("4x3"));
    let both =
        [rule("[1]", "", "harvest"), rule("[1]", ", once: true", "harvest"), rule("[1]", "", "remove_scarecrow")];
    let trace = trace(&game, &rules(&both), 3);
    assert_eq!(trace[1], ["Field-0.Plant-0.harvest", "Field-0.Facility-0.remove_scarecrow"]);
    assert!(trace[0].is_empty() && trace[2].is_empty());
}

fn dry(field: &str, keys: &str) -> String {
    format!(
        "{{when: [[{{state_variable: [{field}, Soil-0, available_Water#L], operator: '<', ref_value: 100}}]], \
         for_each_plot: true{keys}, act: {{field: {field}, entity: Soil-0, action: water_discrete, \
         parameters: {{plot: here, amount#L: 5}}}}}}"
    )
}

#[test]
fn a_rule_for_each_plot_finds_the_plots_of_every_field() {
    let game = Arc::new(compile(TWO_FIELDS));
    let mut seen = [false; 2];
    for seed in 0..20 {
        let mut environment = Environment::new(game.clone());
        environment.reset(seed);
        let observed = environment.observation_json();
        for (f, field) in ["Field-0", "Field-1"].into_iter().enumerate() {
            let mut player = player(&game, &rules(&[dry(field, "")]));
            player.start(seed);
            let mut schedule = Vec::new();
            player.choose(&game, environment.state(), &mut schedule);
            let chosen: Vec<String> = schedule.iter().map(|call| game.catalogue().describe(call)).collect();
            let water = observed[format!("{field}.Soil-0.available_Water#L")].as_array().expect("rows of plots");
            let plots = water.iter().enumerate().flat_map(|(x, row)| {
                row.as_array().expect("plots").iter().enumerate().map(move |(y, water)| (x, y, water.as_f64()))
            });
            let expected: Vec<String> = plots
                .filter(|(.., water)| water.expect("litres") < 100.0)
                .map(|(x, y, _)| {
                    format!("BasicFarmer-{f}: {field}.Soil-0.water_discrete(plot=({x}, {y}), amount#L=5.0, duration#min=60.0)")
                })
                // So much does the farmer of the field in a day.
                .take(4)
                .collect();
            assert_eq!(chosen, expected, "seed {seed}");
            seen[f] |= expected.len() > 1;
        }
    }
    assert_eq!(seen, [true; 2], "several plots of both fields are dry at times");
}

/// Four interventions a day and farmer, ten plots that always want one: eight are done, and nothing is rejected.
#[test]
fn every_farmer_is_kept_to_the_time_he_has() {
    let game = compile(TWO_FIELDS);
    let always = |field: &str| {
        format!(
            "{{for_each_plot: true, act: {{field: {field}, entity: Soil-0, action: water_discrete, parameters: \
             {{plot: here, amount#L: 1}}}}}}"
        )
    };
    let mut player = player(&game, &rules(&[always("Field-0"), always("Field-1")]));
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 3, &mut record);
    player.start(3);
    let mut schedule = Vec::new();
    player.choose(&game, &state, &mut schedule);
    assert_eq!(schedule.len(), 2 + 4, "both plots of the one, four of six of the other");
    game.step(&mut state, &schedule, &mut record).expect("a step");
    assert!(record.rejected().is_empty(), "{:?}", record.rejected());
}

/// Both farmers may water Field-1, with six plots: the second does what the first has no time for, unless one is named.
#[test]
fn what_several_farmers_may_do_is_done_by_whoever_has_time() {
    let rest = TWO_FIELDS.find("      BasicFarmer-1: {Field-1").expect("the actions of the second farmer");
    let text =
        format!("{}{}", &TWO_FIELDS[..rest], TWO_FIELDS[rest..].replacen("BasicFarmer-1: {Field-1: ", "Field-1: ", 1));
    let text = text.replacen("[60]}}}}\n    max_action", "[60]}}}\n    max_action", 1);
    let game = compile(&text);
    for (farmer, expected) in [("", [4, 2]), ("farmer: BasicFarmer-1, ", [0, 4])] {
        let act = format!(
            "{{{farmer}field: Field-1, entity: Soil-0, action: water_discrete, parameters: {{plot: here, amount#L: 1}}}}"
        );
        let mut player = player(&game, &rules(&[format!("{{for_each_plot: true, act: {act}}}")]));
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 3, &mut record);
        player.start(3);
        let mut schedule = Vec::new();
        player.choose(&game, &state, &mut schedule);
        let by = |rank: usize| {
            schedule.iter().filter(|call| game.catalogue().base_actions()[call.base()].farmer() == rank).count()
        };
        assert_eq!([by(0), by(1)], expected, "{farmer}");
        game.step(&mut state, &schedule, &mut record).expect("a step");
        assert!(record.rejected().is_empty(), "{:?}", record.rejected());
    }
}

/// Six plots, four a day: with a period of two days every plot has its turn.
#[test]
fn a_period_lets_the_other_plots_have_their_turn() {
    let game = compile(TWO_FIELDS);
    let act = "{field: Field-1, entity: Soil-0, action: water_discrete, parameters: {plot: here, amount#L: 1}}";
    let trace = trace(&game, &rules(&[format!("{{for_each_plot: true, period#day: 2, act: {act}}}")]), 4);
    let plots = |day: usize| -> Vec<&str> {
        trace[day].iter().map(|call| &call[call.find("plot=").unwrap_or(0) + 5..][..6]).collect()
    };
    assert_eq!(plots(0), ["(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)"]);
    assert_eq!(plots(1), ["(1, 1)", "(1, 2)"]);
    assert_eq!(plots(2), ["(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)"]);
    assert_eq!(plots(3), ["(1, 1)", "(1, 2)"]);
}

#[test]
fn plots_on_which_the_rules_forbid_the_action_are_left_out() {
    let game = compile(&TWO_FIELDS.replacen(
        "Field-1: {Soil-0: {water_discrete: {plot: '*'",
        "Field-1: {Soil-0: {water_discrete: {plot: ['(0, 2)', '(1, 1)']",
        1,
    ));
    let act = "{field: Field-1, entity: Soil-0, action: water_discrete, parameters: {plot: here, amount#L: 1}}";
    let trace = trace(&game, &rules(&[format!("{{for_each_plot: true, act: {act}}}")]), 1);
    assert_eq!(trace[0].len(), 2);
    assert!(trace[0][0].contains("plot=(0, 2)") && trace[0][1].contains("plot=(1, 1)"), "{trace:?}");
}
