//! The rules of the farmer, one by one.

use serde_json::json;

use super::support::*;

const FAR: Option<&str> = Some("the plot is out of reach");
const EMPTY: Option<&str> = Some("the farmer does not carry enough for this");

fn water(env: &farm_core::Environment, plot: [usize; 2], amount: f64) -> farm_core::action::Call {
    call(env, "Soil-0", "water_discrete", json!({"plot": plot, "amount#L": amount, "duration#min": 60}))
}

#[test]
fn moves_go_one_plot_and_the_border_stops_them() {
    let mut env = shipped(&[]);
    assert_eq!(position(&env), (3, 3));
    for (name, expected) in
        [("MoveN", (3, 2)), ("MoveE", (4, 2)), ("MoveS", (4, 3)), ("MoveW", (3, 3)), ("Wait", (3, 3))]
    {
        walk(&mut env, &[name]);
        assert_eq!(position(&env), expected, "{name}");
    }
    for (name, expected) in [("MoveN", (3, 0)), ("MoveW", (0, 0)), ("MoveS", (0, 7)), ("MoveE", (7, 7))] {
        walk(&mut env, &[name; 9]);
        assert_eq!(position(&env), expected, "{name}");
    }
    // A move into the border is allowed and changes nothing, which the mask of effects tells.
    let id = env.game().catalogue().discrete_of(&env.game().text().parse("MoveE").unwrap()[0]).unwrap();
    assert_eq!((env.action_mask()[id], env.effect_mask()[id]), (1, 0));
}

#[test]
fn names_of_moves_and_waiting_are_parameters() {
    let names = "farmers.0.WalkingFarmer.moves";
    let actions = "rules.BasicRule.actions.WalkingFarmer-0";
    let mut env = shipped(&[
        (names, "[up, down, right, left]"),
        ("farmers.0.WalkingFarmer.wait", "rest"),
        ("farmers.0.WalkingFarmer.refill", "fill"),
        (actions, "{up: , down: , right: , left: , rest: , fill: }"),
    ]);
    walk(&mut env, &["up", "right", "right", "rest", "down", "left", "down", "fill"]);
    assert_eq!(position(&env), (4, 4));
}

#[test]
fn without_a_plot_to_start_on_it_starts_anywhere() {
    let mut env = shipped(&[("farmers.0.WalkingFarmer.starts_at", "null")]);
    let mut starts = std::collections::BTreeMap::new();
    for seed in 0..6400 {
        env.reset(seed);
        *starts.entry(position(&env)).or_insert(0) += 1;
    }
    // A hundred are expected at each of the 64 plots; five standard deviations of the binomial law are 50.
    assert_eq!(starts.len(), 64);
    assert!(starts.values().all(|n| (50..=150).contains(n)), "{starts:?}");
}

#[test]
fn it_acts_on_the_plots_within_its_reach() {
    for reach in 0..4_usize {
        let mut env = yard(&[("reach#nb: 2", &format!("reach#nb: {reach}")), ("capacity: 7", "capacity: 1000")]);
        for (x, y) in (0..5_usize).flat_map(|x| (0..4_usize).map(move |y| (x, y))) {
            let near = x.abs_diff(2_usize) + y.abs_diff(1_usize) <= reach;
            let call = water(&env, [x, y], 1.0);
            assert_eq!(attempt(&mut env, call), if near { None } else { FAR }, "reach {reach}: ({x}, {y})");
        }
    }
}

#[test]
fn what_concerns_the_whole_field_is_not_done_from_one_place() {
    let mut env = yard(&[]);
    let harvest = call(&env, "Plant-0", "harvest", json!({}));
    let reason = "a farmer on foot cannot act on the whole field";
    assert_eq!(attempt(&mut env, harvest), Some(reason));
    let here = call(&env, "Plant-0", "micro_harvest", json!({"plot": [2, 1]}));
    assert_eq!(attempt(&mut env, here), None);
}

#[test]
fn amounts_are_drawn_from_the_stock_of_their_unit() {
    let mut env = yard(&[]);
    let (watering, sowing) = (
        water(&env, [2, 1], 5.0),
        call(&env, "Plant-0", "sow", json!({"plot": [2, 1], "amount#seed": 1, "spacing#cm": 20})),
    );
    assert_eq!((attempt(&mut env, watering), carried(&env, "water#L")), (None, 2.0));
    // Five litres are more than the two that are left; two are not.
    assert_eq!((attempt(&mut env, watering), carried(&env, "water#L")), (EMPTY, 2.0));
    let rest = water(&env, [2, 1], 2.0);
    assert_eq!((attempt(&mut env, rest), carried(&env, "water#L")), (None, 0.0));
    assert_eq!((attempt(&mut env, sowing), carried(&env, "seeds#seed")), (None, 0.0));
    assert_eq!(attempt(&mut env, sowing), EMPTY);
    assert_eq!((carried(&env, "manure#kg"), carried(&env, "poison#kg")), (1.0, 0.25), "nothing else was used");
}

#[test]
fn stocks_of_one_unit_are_told_apart_by_entity() {
    let mut env = yard(&[]);
    let manure = call(&env, "Fertilizer-0", "scatter", json!({"plot": [2, 1], "amount#kg": 0.5}));
    let poison = call(&env, "Cide-0", "scatter", json!({"plot": [2, 1], "amount#kg": 0.1}));
    assert_eq!(attempt(&mut env, manure), None);
    assert_eq!(attempt(&mut env, poison), None);
    assert!((carried(&env, "manure#kg") - 0.5).abs() < 1e-12);
    assert!((carried(&env, "poison#kg") - 0.15).abs() < 1e-12);
}

#[test]
fn a_refused_amount_changes_neither_field_nor_stock_and_costs_nothing() {
    let mut env = shipped(&[("farmers.0.WalkingFarmer.stocks.water#L.starts_with", "19")]);
    let given = |env: &farm_core::Environment| env.state_json()["Field-0.Soil-0.available_Water#L"].clone();
    let before = given(&env);
    let watering = water(&env, [3, 3], 20.0);
    assert_eq!(attempt(&mut env, watering), EMPTY);
    assert_eq!((given(&env), carried(&env, "water#L")), (before, 19.0));
    assert_eq!(env.info().to_json()["intervention cost"], json!(0.0));
    assert_eq!(env.info().to_json()["rejected"][0]["reason"], json!(EMPTY));
}

#[test]
fn stocks_are_filled_up_at_their_places_alone() {
    let mut env = yard(&[("capacity: 7}", "capacity: 7, starts_with: 0}")]);
    let refill = env.game().text().parse("Refill").unwrap()[0];
    let nothing = Some("this plot has no refill point");
    assert_eq!(attempt(&mut env, refill), nothing);
    walk(&mut env, &["MoveE", "MoveE", "MoveN"]);
    assert_eq!(attempt(&mut env, refill), None);
    assert_eq!((carried(&env, "water#L"), carried(&env, "seeds#seed"), carried(&env, "poison#kg")), (7.0, 1.0, 0.25));
    walk(&mut env, &["MoveS", "MoveS", "MoveS", "MoveW", "MoveW", "MoveW", "MoveW"]);
    assert_eq!(attempt(&mut env, refill), None);
    assert_eq!((carried(&env, "water#L"), carried(&env, "seeds#seed"), carried(&env, "poison#kg")), (7.0, 4.0, 0.5));
    let id = env.game().catalogue().discrete_of(&refill).unwrap();
    assert_eq!((env.action_mask()[id], env.effect_mask()[id]), (1, 0), "all that is filled up here is full");
}

#[test]
fn the_steps_of_the_day_are_seen_whatever_is_done_in_them() {
    let mut env = yard(&[]);
    let (far, near) = (water(&env, [4, 3], 1.0), water(&env, [2, 1], 1.0));
    let steps = |env: &farm_core::Environment| values::<i32>(env, "WalkingFarmer-0", "steps_today")[0];
    for day in 0..4 {
        for (i, schedule) in [&[][..], &[far], &[near], &[], &[near]].into_iter().enumerate() {
            assert_eq!((env.state().step(), steps(&env)), (day, i as i32));
            env.step(schedule).unwrap();
        }
    }
}

#[test]
fn a_snapshot_in_the_middle_of_a_day_goes_on_alike() {
    let mut first = shipped(&[]);
    walk(&mut first, &["MoveN", "MoveE", "MoveE", "Wait", "MoveS"]);
    let mut second = shipped(&[]);
    second.restore(&first.snapshot()).unwrap();
    for _ in 0..60 {
        walk(&mut first, &["MoveE", "MoveN", "MoveW"]);
        walk(&mut second, &["MoveE", "MoveN", "MoveW"]);
        assert_eq!((first.snapshot(), first.observation()), (second.snapshot(), second.observation()));
    }
}

#[test]
fn where_looking_costs_far_plots_cannot_be_asked_for() {
    let mut env = shipped(&[("interaction_mode", "aomdp")]);
    let look = |env: &mut farm_core::Environment, entity: &str, variable: &str| {
        env.step(&json!([["WalkingFarmer-0", "Field-0", entity, variable, []]])).unwrap();
        let rejected = env.info().to_json()["rejected"].as_array().unwrap().len();
        env.step(&[]).unwrap();
        rejected
    };
    assert_eq!(look(&mut env, "Soil-0", "available_Water#L"), 1);
    assert_eq!(look(&mut env, "Plant-0", "stage"), 1);
    assert_eq!(look(&mut env, "Weather-0", "wind"), 0);
}

/// A game where looking costs, with these observations free.
fn looking(free: &str) -> farm_core::Environment {
    shipped(&[("interaction_mode", "aomdp"), ("rules.BasicRule.free_observations", free)])
}

const OWN: &str =
    "[WalkingFarmer-0, position], [WalkingFarmer-0, carried_water#L], [WalkingFarmer-0, carried_seeds#seed]";

#[test]
fn where_looking_costs_the_window_can_be_asked_for() {
    let mut env = looking(&format!("[{OWN}]"));
    let shown =
        |env: &farm_core::Environment| !env.game().observation().to_text(env.observation()).contains("view.stage: ?");
    assert!(!shown(&env));
    env.step(&json!([["WalkingFarmer-0", "", "WalkingFarmer-0", "view.stage", []]])).unwrap();
    assert_eq!(env.info().to_json()["rejected"], json!([]));
    while env.state().step() == 0 {
        assert!(shown(&env), "what was asked for is shown until the day ends");
        env.step(&[]).unwrap();
    }
    assert!(!shown(&env));
}

#[test]
fn where_looking_costs_the_expert_acts_on_what_is_shown_alone() {
    let play = |env: &mut farm_core::Environment| {
        let mut player = env.game().player("expert").unwrap_or_else(|problems| panic!("{problems}"));
        let (mut total, mut acted, mut schedule) = (0.0, 0, Vec::new());
        env.reset(3);
        player.start(3);
        loop {
            schedule.clear();
            player.choose(env.game(), env.state(), &mut schedule);
            acted += schedule.iter().filter(|call| env.game().catalogue().describe(call).contains("Field-0")).count();
            let outcome = env.step(&schedule).expect("the episode goes on");
            assert!(env.record().rejected().is_empty(), "{:?}", env.record().rejected());
            total += outcome.reward;
            if outcome.over() {
                return (total, acted);
            }
        }
    };
    // All that the shipped game shows is free: nothing is lost by not looking.
    let free = play(&mut shipped(&[("interaction_mode", "aomdp")]));
    assert_eq!(free, play(&mut shipped(&[])));
    assert!(free.1 > 300, "{free:?}");
    assert_eq!(play(&mut looking(&format!("[{OWN}, [Field-0, Weather-0, day#int365]]"))), (0.0, 0));
}
