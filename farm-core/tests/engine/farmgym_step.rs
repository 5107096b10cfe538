//! A step with actions as the paper writes them: what is none of this game's is told, and the rest is done.

use farm_core::{Action, Rejected};
use serde_json::{Value as Json, json};

use crate::sheet::Sheet;

const RULES: &str = "\
max_action_schedule_size: 3
actions:
  Field-0:
    Soil-0: {water_discrete: {plot: '*', amount#L: [1, 5], duration#min: 60}}
    Plant-0: {harvest: }";

fn sheet() -> Sheet<'static> {
    Sheet { rules: RULES, mode: "pomdp", ..Sheet::default() }
}

fn water(field: &str, name: &str, parameters: Json) -> Json {
    json!(["BasicFarmer-0", field, "Soil-0", name, parameters])
}

#[test]
fn what_can_not_be_executed_is_told_with_its_reason_and_the_rest_is_done() {
    let right = water("Field-0", "water_discrete", json!({"plot": [1, 0], "amount#L": 5}));
    for (wrong, pieces) in [
        (
            water("Field-0", "water_discret", json!({"plot": [0, 0], "amount#L": 5})),
            vec!["water_discret", "did you mean `water_discrete`?"],
        ),
        (
            water("Field-0", "water_discrete", json!({"plot": [0, 0], "amount#L": 3})),
            vec!["does not allow this value of `amount#L`", "1.0, 5.0"],
        ),
        (
            water("Field-0", "water_discrete", json!({"plot": [0, 9], "amount#L": 5})),
            vec!["does not allow this value of `plot`"],
        ),
        (water("Field-0", "water_discrete", json!({"amount#L": 5})), vec!["needs `plot`"]),
        (water("Field-9", "water_discrete", json!({"plot": [0, 0], "amount#L": 5})), vec!["Field-9"]),
        (json!(["Nobody-0", "Field-0", "Plant-0", "harvest", {}]), vec!["Nobody-0"]),
        // The entity has it, the rules do not allow it.
        (json!(["BasicFarmer-0", "Field-0", "Plant-0", "remove", {"plot": [0, 0]}]), vec!["allow no action `remove`"]),
        (
            json!(["BasicFarmer-0", "Field-0", "Soil-0", "available_Water#L", []]),
            vec!["observations cannot be requested in this game"],
        ),
        (json!("fly"), vec!["allow no action `fly`"]),
        (json!(17), vec!["this is not a valid action"]),
        (json!(null), vec!["this is not a valid action"]),
    ] {
        for list in [json!([wrong, right]), json!([right, wrong])] {
            let (mut env, mut only) = (sheet().environment(), sheet().environment());
            let outcome = env.step(&list).unwrap();
            assert_eq!(only.step(&json!([right])), Ok(outcome), "{list}");
            assert_eq!(env.snapshot(), only.snapshot(), "{list}: what is rejected leaves no trace");
            let info = env.info().to_json();
            assert_eq!((info["intervention cost"].as_f64(), outcome.reward), (Some(1.0), 10.0 - 1.0));
            let rejected = info["rejected"].as_array().unwrap();
            assert_eq!((rejected.len(), &rejected[0]["action"]), (1, &wrong), "{list}");
            let reason = rejected[0]["reason"].as_str().unwrap();
            for piece in pieces.iter() {
                assert!(reason.contains(piece), "{wrong}: `{piece}` is not in: {reason}");
            }
            env.step(&[]).unwrap();
            assert_eq!(env.info().to_json()["rejected"], json!([]), "the next step has its own");
        }
    }
}

/// What cannot be read takes no place in the schedule, what is refused for its length does.
#[test]
fn both_kinds_of_rejections_stand_side_by_side() {
    let mut env = sheet().environment();
    let at = |x: u32, litres: u32| water("Field-0", "water_discrete", json!({"plot": [x, 0], "amount#L": litres}));
    env.step(&json!(["fly", at(0, 1), at(0, 1), at(1, 1), "swim", at(2, 1), "harvest"])).unwrap();
    let info = env.info().to_json();
    let told: Vec<(String, &str)> = info["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["action"].as_str().unwrap_or("water").to_owned(), r["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(told.len(), 5, "{told:?}");
    assert_eq!(told[0], ("water".to_owned(), "this step already has the same action"));
    assert_eq!(told[1], ("water".to_owned(), "this step already has as many actions as the rules allow"));
    assert_eq!(told[2], ("harvest".to_owned(), "this step already has as many actions as the rules allow"));
    assert!(told[3].0 == "fly" && told[4].0 == "swim", "{told:?}");
    assert_eq!(info["intervention cost"], json!(2.0), "the first and the third");
    assert_eq!(env.record().executed().len(), 2);
}

#[test]
fn one_action_alone_an_empty_list_and_nothing_are_steps() {
    let mut env = sheet().environment();
    for (action, executed) in [
        (water("Field-0", "water_discrete", json!({"plot": [1, 0], "amount#L": 5})), 1),
        (json!("harvest"), 1),
        (json!(["harvest"]), 1),
        (json!({"action": "harvest"}), 1),
        (json!([]), 0),
        (json!(null), 0),
        (json!("wait"), 0),
    ] {
        let before = env.state().step();
        env.step(&action).unwrap();
        assert_eq!((env.record().executed().len(), env.state().step()), (executed, before + 1), "{action}");
        assert_eq!(env.info().to_json()["rejected"], json!([]), "{action}");
    }
}

#[test]
fn a_step_after_the_end_is_an_error_in_every_form() {
    let mut env = Sheet { rules: "max_steps: 1", mode: "pomdp", ..Sheet::default() }.environment();
    env.step(&[]).unwrap();
    let snapshot = env.snapshot();
    assert!(env.step(&json!(["fly"])).is_err());
    assert!(env.step(Action::Gym(&json!([]))).is_err());
    assert!(env.step(0).is_err());
    assert!(env.step("fly").is_err());
    assert_eq!(env.snapshot(), snapshot);
}

/// What Rust reads of a step from fields is what the command line prints and Python renders.
#[test]
fn info_has_types_and_its_json_has_the_names_of_all_front_ends() {
    let mut env = sheet().environment();
    let twice = water("Field-0", "water_discrete", json!({"plot": [0, 0], "amount#L": 5}));
    env.step(&json!(["fly", twice, twice])).unwrap();
    let (info, executed) = (env.info(), env.record().executed()[0]);
    assert_eq!((info.step(), info.intervention_cost(), info.rejected_more(), info.stop()), (1, 1.0, 0, None));
    let told: Vec<_> = info.rejected().iter().map(|rejected| rejected.what()).collect();
    assert_eq!(told, [Rejected::Call(&executed), Rejected::Unread(&json!("fly"))]);
    assert_eq!(info.rejected()[0].reason(), "this step already has the same action");
    assert_eq!(info.rejected()[0].action(), env.game().catalogue().to_json(&executed));
    assert_eq!(info, env.clone().info());
    let json = info.to_json();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys.join(", "),
        "step, expects, intervention cost, observation cost, cost, constraints, events, rejected, rejected more, refused texts, stop"
    );
    assert_eq!(
        (&json["expects"], &json["constraints"], &json["stop"]),
        (&json!("intervention"), &json!({}), &json!(null))
    );
    assert_eq!(json["rejected"][1]["action"], "fly");
}
