//! A day of several steps: time passes with the last of them, and what was done in them counts as if done at once.

use farm_core::{ActionKind, Environment};
use serde_json::{Value as Json, json};

use crate::sheet::Sheet;

fn environment(mode: &str, rules: &str) -> Environment {
    let mut environment = Sheet { fields: &[(4, 3)], mode, rules, ..Sheet::default() }.environment();
    environment.reset(5);
    environment
}

fn water(x: usize) -> Json {
    json!([["BasicFarmer-0", "Field-0", "Soil-0", "water_discrete", {"plot": [x, 1], "amount#L": 5.0}]])
}

#[test]
fn three_steps_of_a_day_do_what_one_schedule_of_three_does() {
    let mut at_once = environment("pomdp", "max_action_schedule_size: 3");
    let mut one_by_one = environment("pomdp", "max_action_schedule_size: 3\nsteps_per_day: 3");
    for day in 0..20 {
        let all: Vec<Json> = (0..3).flat_map(|x| water(x).as_array().cloned().unwrap()).collect();
        let outcome = at_once.step(&Json::from(all)).unwrap();
        let before = one_by_one.state_json();
        let mut sum = 0.0;
        for x in 0..3 {
            assert_eq!(one_by_one.state().step(), day);
            let step = one_by_one.step(&water(x)).unwrap();
            sum += step.reward;
            assert_eq!(one_by_one.info().to_json()["rejected"], json!([]));
            if x < 2 {
                let now = one_by_one.state_json();
                assert_eq!(now["Field-0.Weather-0.day#int365"], before["Field-0.Weather-0.day#int365"]);
                assert!(!step.over());
            } else {
                assert_eq!((step.terminated, step.truncated), (outcome.terminated, outcome.truncated));
            }
        }
        assert_eq!(one_by_one.state_json(), at_once.state_json(), "day {day}");
        assert!((sum - outcome.reward).abs() < 1e-12);
    }
}

#[test]
fn what_was_asked_for_stays_in_view_until_the_day_ends() {
    let rules = "free_observations: [[Field-0, Weather-0, day#int365]]\nsteps_per_day: 2";
    let mut environment = environment("aomdp", rules);
    let seen = |environment: &Environment| {
        environment.game().learner_view().list(environment.observation()).as_array().unwrap().len()
    };
    let look = json!([["BasicFarmer-0", "Field-0", "Soil-0", "available_Water#L", [[1, 1]]]]);
    assert_eq!((environment.expects(), seen(&environment)), (ActionKind::Observation, 1));
    environment.step(&look).unwrap();
    assert_eq!((environment.expects(), seen(&environment)), (ActionKind::Intervention, 2));
    environment.step(&json!([])).unwrap();
    assert_eq!((environment.expects(), seen(&environment)), (ActionKind::Observation, 2));
    environment.step(&json!([])).unwrap();
    environment.step(&json!([])).unwrap();
    assert_eq!(
        (environment.expects(), seen(&environment), environment.state().step()),
        (ActionKind::Observation, 1, 1)
    );
}

#[test]
fn snapshots_remember_the_step_of_the_day() {
    let mut first = environment("pomdp", "steps_per_day: 4");
    first.step(&water(0)).unwrap();
    let mut second = environment("pomdp", "steps_per_day: 4");
    second.restore(&first.snapshot()).unwrap();
    for _ in 0..9 {
        first.step(&water(2)).unwrap();
        second.step(&water(2)).unwrap();
        assert_eq!(first.snapshot(), second.snapshot());
    }
    assert_eq!(first.state().step(), 2);
}
