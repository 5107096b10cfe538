//! Games in which looking costs: a policy asks before it acts, and knows nothing that it did not ask for.

use farm_core::{ActionKind, Game};

use super::support::{changed, player, refused};

/// Beans whose stage and soil are not seen for free; only the date is.
fn beans(preset: Option<&str>, more: &[(&str, &str)]) -> Game {
    let free = ("rules.BasicRule.free_observations", "[[Field-0, Weather-0, day#int365]]");
    changed("clay_bean-v0", preset, &[&[("interaction_mode", "aomdp"), free], more].concat())
}

/// What a policy looked at and did on each day of a season, each with its day; nothing may be rejected.
struct Season {
    looks: Vec<(u32, String)>,
    acts: Vec<(u32, String)>,
}

fn season(game: &Game, yaml: &str, seed: u64) -> Season {
    let mut player = player(game, yaml);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    let mut season = Season { looks: Vec::new(), acts: Vec::new() };
    loop {
        let mut schedule = Vec::new();
        player.choose(game, &state, &mut schedule);
        let day = state.step();
        let chosen = schedule.iter().map(|call| (day, game.catalogue().describe(call)));
        match game.expects(&state) {
            ActionKind::Observation => season.looks.extend(chosen),
            ActionKind::Intervention => season.acts.extend(chosen),
        }
        let outcome = game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}"));
        assert!(record.rejected().is_empty(), "{yaml}, day {day}: {:?}", record.rejected());
        if outcome.over() {
            return season;
        }
    }
}

#[test]
fn who_does_not_look_does_not_see() {
    let game = beans(None, &[]);
    let blind = season(&game, "expert", 1);
    assert!(blind.looks.is_empty() && blind.acts.is_empty(), "{:?}", blind.acts);
    // Both are wanted in one look a day: the soil comes first, the stage when the soil need not be seen.
    let looks = "[{ObservePolicy: {variable: available_Water#L, period#day: 2}}, ObservePolicy, WaterPolicy]";
    assert!(!season(&game, looks, 1).acts.is_empty(), "what needs no eyes is done anyway");
}

/// The expert sees what he wants to see, and does what he would have done if it were free.
#[test]
fn who_looks_at_all_does_as_if_it_were_free() {
    let set = [("rules.BasicRule.max_action_schedule_size", "8")];
    let look = "[{ObservePolicy: {variable: available_Water#L}}, {ObservePolicy: {variable: stage}}, expert]";
    for preset in [None, Some("4x3")] {
        for seed in 0..4 {
            let (paid, free) = (beans(preset, &set), changed("clay_bean-v0", preset, &set));
            let (paid, free) = (season(&paid, look, seed), season(&free, "expert", seed));
            assert_eq!(paid.acts, free.acts);
            assert!(!paid.acts.is_empty() && free.looks.is_empty());
            let days = paid.acts.last().map_or(0, |(day, _)| *day);
            assert!(paid.looks.len() as u32 >= 2 * days, "two looks a day");
        }
    }
}

#[test]
fn looks_are_so_many_days_apart() {
    let game = beans(None, &[]);
    let season = season(&game, "{ObservePolicy: {period#day: 7}}", 2);
    let days: Vec<u32> = season.looks.iter().map(|(day, _)| *day).collect();
    assert!(days.len() > 10 && days.iter().enumerate().all(|(i, day)| *day == 7 * i as u32), "{days:?}");
    assert!(season.looks.iter().all(|(_, look)| look == "observe Field-0.Plant-0.stage"), "{:?}", season.looks[0]);
    assert!(season.acts.is_empty());
}

/// The rules sell plots one by one: the policy buys each.
#[test]
fn where_plots_are_sold_one_by_one_each_is_asked_for() {
    let offered = ("rules.BasicRule.observations", "{Field-0: {Plant-0: {stage: ['(0, 0)', '(2, 1)']}}}");
    let game = beans(Some("4x3"), &[offered]);
    let season = season(&game, "ObservePolicy", 3);
    let first: Vec<&str> = season.looks.iter().filter(|(day, _)| *day == 0).map(|(_, look)| look.as_str()).collect();
    assert_eq!(first, ["observe Field-0.Plant-0.stage(0, 0)", "observe Field-0.Plant-0.stage(2, 1)"]);
}

/// A rule looks at the plots, another acts on what it saw there: a value at a plot is known when the plot was looked at.
#[test]
fn a_rule_for_each_plot_asks_and_acts_plot_by_plot() {
    let offered = ("rules.BasicRule.observations", "{Field-0: {Soil-0: {available_Water#L: ['(0, 0)', '(2, 1)']}}}");
    let game = beans(Some("4x3"), &[offered]);
    let look = "{for_each_plot: true, period#day: 3, act: [Field-0, Soil-0, available_Water#L, [here]]}";
    let water = "{for_each_plot: true, when: [[{state_variable: [Field-0, Soil-0, available_Water#L], operator: '<', \
                 ref_value: 1000}]], act: {entity: Soil-0, action: water_discrete, parameters: {plot: here, amount#L: 1}}}";
    let season = season(&game, &format!("{{TriggerPolicy: {{rules: [{water}, {look}]}}}}"), 3);
    assert!(season.looks.len() > 20 && season.looks.len() == season.acts.len());
    for ((day, look), (acted, act)) in season.looks.iter().zip(&season.acts) {
        assert_eq!((day, day % 3), (acted, 0), "what was seen is done on the same day, and forgotten on the next");
        let plot = &look[look.find('(').unwrap_or(0)..];
        assert!(act.contains(&format!("plot={plot}")), "{look}: {act}");
    }
}

#[test]
fn where_everything_is_free_there_is_nothing_to_ask_for() {
    let game = changed("clay_bean-v0", None, &[]);
    let season = season(&game, "ObservePolicy", 1);
    assert!(season.looks.is_empty() && season.acts.is_empty());
    let problems = refused(&game, "{ObservePolicy: {variable: stgae}}");
    assert!(problems.0[0].message.contains("observations of `stgae`"), "{problems}");
}

/// Three looks and two acts a day, whatever the schedule may hold.
#[test]
fn the_time_for_looks_is_not_the_time_for_acts() {
    let game = beans(
        Some("4x3"),
        &[
            ("farmers.0.BasicFarmer.max_daily_interventions", "2"),
            ("farmers.0.BasicFarmer.max_daily_observations", "3"),
            ("rules.BasicRule.steps_per_day", "2"),
        ],
    );
    let looks = ["stage", "size#cm", "flowers_per_plant#nb", "fruits_per_plant#nb"];
    let looks: Vec<String> = looks.iter().map(|name| format!("{{ObservePolicy: {{variable: '{name}'}}}}")).collect();
    let season = season(&game, &format!("[{}, WaterPolicy]", looks.join(", ")), 1);
    for day in 0..30 {
        let on = |done: &[(u32, String)]| done.iter().filter(|(d, _)| *d == day).count();
        assert_eq!((on(&season.looks), on(&season.acts)), (3, 2), "day {day}");
    }
}

/// What a part computes when it is looked at, such as a forecast, decides as what it keeps does.
#[test]
fn a_policy_may_decide_by_a_forecast() {
    let forecast = "state_variable: [Field-0, Weather-0, forecast.rain_amount#mm.day-1], function: sum";
    let policy = format!(
        "TriggerPolicy: {{rules: [{{for_each_plot: true, when: [[{{{forecast}, operator: '>=', ref_value: 5}}]], \
         act: {{field: Field-0, entity: Soil-0, action: water_discrete, parameters: {{plot: here, amount#L: 1000}}}}}}]}}"
    );
    let game = changed("clay_bean", None, &[]);
    let entry = game.observation().entries().iter().find(|entry| entry.key().contains("forecast"));
    let entry = entry.expect("clay_bean shows a forecast");
    let (mut wet, mut dry) = (0, 0);
    let mut player = player(&game, &policy);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 3, &mut record);
    player.start(3);
    for _ in 0..60 {
        let mut seen = vec![0; game.observation().size()];
        game.observe_into(&state, &mut seen);
        let rain: f64 = (0..5).map(|lead| entry.number(&seen, lead)).sum();
        let mut schedule = Vec::new();
        player.choose(&game, &state, &mut schedule);
        let waters = schedule.iter().any(|call| game.catalogue().describe(call).contains("water_discrete"));
        assert_eq!(waters, rain >= 5.0, "day {}: {rain} mm are forecast", state.step());
        if waters {
            wet += 1
        } else {
            dry += 1
        }
        game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(wet > 3 && dry > 3, "{wet} days of rain ahead, {dry} without");
}
