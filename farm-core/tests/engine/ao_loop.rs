//! The loop of the paper's section 2: ask, pay, see; act, pay, and the day passes.

use farm_core::{ActionKind, Environment, Stream};
use serde_json::{Value as Json, json};

use crate::sheet::Sheet;

/// One number costs 0.25, one of the wind's speed 2, an intervention 1.
const RULES: &str = "\
max_action_schedule_size: 5
free_observations:
  - [Field-0, Weather-0, day#int365]
  - [Field-0, Weather-0, air_temperature, ['max#°C']]
  - [Field-0, Soil-0, available_Water#L, ['(1, 0)']]
observations:
  Field-0:
    Weather-0:
      wind: {'*': }
      air_temperature: '*'
    Soil-0:
      available_Water#L: ['*', '(0, 0)', '(1, 0)', '(2, 0)']
    Plant-0:
      stage:
      size#cm: ['*', '(0, 0)', '(1, 0)', '(2, 0)']
actions:
  Field-0:
    Soil-0: {water_discrete: {plot: '*', amount#L: [1, 5], duration#min: 60}}
    Plant-0: {harvest: }
max_steps: 6";

fn environment(more: &str) -> Environment {
    Sheet { rules: &format!("{RULES}\n{more}"), ..Sheet::default() }.environment()
}

fn ask(entity: &str, name: &str, path: Json) -> Json {
    json!(["BasicFarmer-0", "Field-0", entity, name, path])
}

fn water(plot: usize) -> Json {
    json!(["BasicFarmer-0", "Field-0", "Soil-0", "water_discrete", {"plot": [plot, 0], "amount#L": 5}])
}

/// A request with its price, counted from the text of the rules and the price list.
fn priced_requests() -> Vec<(Json, f64)> {
    vec![
        (ask("Weather-0", "wind", json!([])), 2.0 + 0.25),
        // One of its three numbers is free.
        (ask("Weather-0", "air_temperature", json!([])), 2.0 * 0.25),
        (ask("Soil-0", "available_Water#L", json!([])), 2.0 * 0.25),
        (ask("Soil-0", "available_Water#L", json!([[0, 0]])), 0.25),
        (ask("Soil-0", "available_Water#L", json!([[1, 0]])), 0.0),
        (ask("Plant-0", "stage", json!([])), 3.0 * 0.25),
        (ask("Plant-0", "size#cm", json!([])), 3.0 * 0.25),
        (ask("Plant-0", "size#cm", json!([[2, 0]])), 0.25),
    ]
}

/// `[field, entity, name, path, value]` of what is shown now, without the values.
fn shown(environment: &Environment) -> Vec<Json> {
    let listed = environment.game().learner_view().list(environment.observation());
    listed.as_array().unwrap().iter().map(|item| json!([item[1], item[2], item[3]])).collect()
}

fn free() -> Vec<Json> {
    vec![
        json!(["Weather-0", "day#int365", []]),
        json!(["Weather-0", "air_temperature", ["max#°C"]]),
        json!(["Soil-0", "available_Water#L", [[1, 0]]]),
    ]
}

#[test]
fn the_loop_of_the_paper_runs_and_its_rewards_are_gain_minus_both_costs() {
    let (mut told, mut charged) = (environment("costs_in_info_only: true"), environment("costs_in_info_only: false"));
    let requests = priced_requests();
    for seed in 0..5 {
        let mut stream = Stream::from_seed(seed);
        told.reset(seed);
        charged.reset(seed);
        let (mut rewards, mut others, mut is_done, mut day) = (Vec::new(), Vec::new(), false, 0);
        while !is_done {
            let asked: Vec<_> = requests.iter().filter(|_| stream.bernoulli(0.3)).take(5).collect();
            let request: Json = asked.iter().map(|(request, _)| request.clone()).collect();
            let first = told.step(&request).unwrap();
            let obs_cost = told.info().to_json()["observation cost"].as_f64().unwrap();
            assert_eq!(obs_cost, asked.iter().map(|(_, price)| price).sum::<f64>(), "{request}");
            assert_eq!(
                (told.info().to_json()["intervention cost"].as_f64(), first.reward, first.over()),
                (Some(0.0), 0.0, false)
            );
            assert!(first.reward.is_sign_positive(), "nothing lost is 0, and not -0");
            let waters = stream.index(3) as usize;
            let interventions: Json = (0..waters).map(water).collect();
            let second = told.step(&interventions).unwrap();
            let int_cost = told.info().to_json()["intervention cost"].as_f64().unwrap();
            assert_eq!(int_cost, waters as f64);
            assert_eq!(told.info().to_json()["observation cost"], json!(0.0));
            assert_eq!(second.reward, 10.0 + f64::from(day), "the gain of the day, nothing subtracted");
            is_done = second.over();
            rewards.push(second.reward - obs_cost - int_cost);
            let (look, act) = (charged.step(&request).unwrap(), charged.step(&interventions).unwrap());
            assert_eq!((look.reward, act.reward), (-obs_cost, second.reward - int_cost));
            others.push(look.reward + act.reward);
            day += 1;
        }
        assert_eq!((day, &rewards), (6, &others), "six days of two steps");
        assert!(told.step(&[]).is_err() && charged.step(&[]).is_err());
    }
}

#[test]
fn what_was_paid_for_is_seen_once() {
    let mut environment = environment("");
    assert_eq!(shown(&environment), free());
    for _ in 0..2 {
        environment
            .step(&json!([ask("Soil-0", "available_Water#L", json!([])), ask("Plant-0", "size#cm", json!([[2, 0]]))]))
            .unwrap();
        let mut seen = free();
        seen[2] = json!(["Soil-0", "available_Water#L", []]);
        seen.push(json!(["Plant-0", "size#cm", [[2, 0]]]));
        assert_eq!(shown(&environment), seen);
        let truth = environment.state_json();
        for item in environment.game().learner_view().list(environment.observation()).as_array().unwrap() {
            let name = format!("Field-0.{}.{}", item[1].as_str().unwrap(), item[2].as_str().unwrap());
            match (item[2].as_str().unwrap(), item[3].as_array().unwrap().len()) {
                ("air_temperature", _) => assert_eq!(item[4], truth["Field-0.Weather-0.air_temperature.max#°C"]),
                (_, 0) => assert_eq!(item[4], truth[&name], "{item}"),
                (_, _) => assert_eq!(item[4], truth[&name][2][0], "{item}"),
            }
        }
        environment.step(&[]).unwrap();
        assert_eq!(shown(&environment), free(), "the next day only what is free is free");
    }
}

#[test]
fn each_request_costs_its_numbers_also_when_it_overlaps_another() {
    let requests = priced_requests();
    for (i, (one, price)) in requests.iter().enumerate() {
        let mut env = environment("");
        let outcome = env.step(&json!([one])).unwrap();
        assert_eq!((env.record().observation_cost(), outcome.reward), (*price, 0.0 - price), "{one}");
        for (other, more) in &requests[i + 1..] {
            let mut env = environment("");
            env.step(&json!([one, other])).unwrap();
            assert_eq!(env.record().observation_cost(), price + more, "{one} and {other}");
        }
        let mut env = environment("");
        env.step(&json!([one, one])).unwrap();
        assert_eq!(env.record().observation_cost(), *price, "the second is rejected");
        assert_eq!(env.info().to_json()["rejected"][0]["reason"], json!("this step already has the same action"));
    }
}

#[test]
fn the_wrong_half_rejects_costs_nothing_and_leaves_no_trace() {
    let (look, target) = (ask("Plant-0", "stage", json!([])), water(0));
    let mut env = environment("");
    for day in 0..3 {
        for (expects, wrong, reason) in [
            (ActionKind::Observation, &target, "this step is for observations, the next one for actions"),
            (ActionKind::Intervention, &look, "this step is for actions, the next one for observations"),
        ] {
            assert_eq!((env.expects(), env.info().to_json()["expects"].as_str()), (expects, Some(expects.name())));
            let mut idle = env.clone();
            let outcome = env.step(&json!([wrong])).unwrap();
            let info = env.info().to_json();
            assert_eq!(
                info["rejected"],
                json!([{"action": env.game().catalogue().to_json(&env.game().catalogue().parse(wrong).unwrap()[0]), "reason": reason}])
            );
            assert_eq!((&info["observation cost"], &info["intervention cost"]), (&json!(0.0), &json!(0.0)));
            assert_eq!(idle.step(&[]).unwrap(), outcome, "day {day}");
            assert_eq!(env.snapshot(), idle.snapshot(), "day {day}");
            assert_eq!(env.observation(), idle.observation(), "day {day}");
        }
    }
}

/// What a refused step said is no longer true of the state that was restored.
#[test]
fn a_restored_environment_tells_nothing_of_the_step_before() {
    let mut env = environment("");
    let fresh = env.info().to_json();
    let snapshot = env.snapshot();
    env.step(&json!(["no such thing"])).unwrap();
    assert_eq!(env.info().to_json()["rejected"].as_array().unwrap().len(), 1);
    env.restore(&snapshot).unwrap();
    assert_eq!(env.info().to_json(), fresh);
}

/// A cap holds for the schedule of each half alone.
#[test]
fn the_cap_on_costs_holds_for_each_half() {
    let mut env = environment("max_action_schedule_cost: 2.5");
    env.step(&json!([
        ask("Plant-0", "stage", json!([])),
        ask("Weather-0", "wind", json!([])),
        ask("Plant-0", "size#cm", json!([])),
        ask("Soil-0", "available_Water#L", json!([])),
        ask("Soil-0", "available_Water#L", json!([[0, 0]])),
    ]))
    .unwrap();
    // 0.75, then 2.25 would be too much, then 0.75 and 0.5 and 0.25 fit and make 2.25.
    assert_eq!(env.record().observation_cost(), 2.25);
    assert_eq!(env.info().to_json()["rejected"].as_array().unwrap().len(), 1);
    assert_eq!(
        env.info().to_json()["rejected"][0]["reason"],
        json!("the actions of this step would cost more than the rules allow")
    );
    env.step(&json!([water(0), water(1), water(2)])).unwrap();
    assert_eq!((env.record().intervention_cost(), env.record().executed().len()), (2.0, 2));
}
