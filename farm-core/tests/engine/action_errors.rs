//! What is no action, in each form: an error in words, never a panic, never another action.

use farm_core::action::GymError;
use serde_json::{Value as Json, json};

use crate::sheet::Sheet;

const RULES: &str = "\
max_action_schedule_size: 2
observations: {Field-0: {Soil-0: {available_Water#L: ['*', '(0, 0)']}}}
actions:
  Field-0:
    Soil-0:
      water_discrete: {plot: '*', amount#L: [1, 5], duration#min: 60}
      water_continuous: {plot: '(1, 0)', amount#L: '(1, 10)', duration#min: 60}
    Plant-0: {harvest: }";

fn sheet() -> Sheet<'static> {
    Sheet { rules: RULES, ..Sheet::default() }
}

#[test]
fn a_written_action_that_is_none_is_refused_with_the_reason() {
    let game = sheet().game();
    let water = |parameters: Json| json!(["BasicFarmer-0", "Field-0", "Soil-0", "water_discrete", parameters]);
    for (given, expected) in [
        (json!("harvesst"), vec!["no action `harvesst`", "did you mean `harvest`?"]),
        (json!(["Field-0", "Soil-0", "water_discret", {}]), vec!["did you mean `water_discrete`?"]),
        (
            json!(["BasicFarmr-0", "Field-0", "Plant-0", "harvest", {}]),
            vec!["`BasicFarmr-0`", "did you mean `BasicFarmer-0`?"],
        ),
        (json!(["BasicFarmer-0", "Field-0", "Sol-0", "water_discrete", {}]), vec!["`Sol-0`", "did you mean `Soil-0`?"]),
        (
            json!(["BasicFarmer-0", "Feld-0", "Soil-0", "water_discrete", {}]),
            vec!["`Feld-0`", "did you mean `Field-0`?"],
        ),
        (
            water(json!({"plot": [0, 0], "amount#L": 2})),
            vec!["does not allow this value of `amount#L`", "one of 1.0, 5.0"],
        ),
        (water(json!({"plot": [0, 0], "amount#L": "5"})), vec!["does not allow this value of `amount#L`"]),
        (water(json!({"plot": [0, 0]})), vec!["needs `amount#L`"]),
        (
            water(json!({"plot": [0, 0], "amount#L": 5, "duration#min": 30})),
            vec!["does not allow this value of `duration#min`"],
        ),
        (
            water(json!({"plot": [3, 0], "amount#L": 5})),
            vec!["does not allow this value of `plot`", "[0,0], [1,0], [2,0]"],
        ),
        (water(json!({"plot": [0], "amount#L": 5})), vec!["does not allow this value of `plot`"]),
        (water(json!({"plot": [-1, 0], "amount#L": 5})), vec!["does not allow this value of `plot`"]),
        (water(json!({"plot": null, "amount#L": 5})), vec!["does not allow this value of `plot`"]),
        (water(json!({"plot": [0, 0], "amuont#L": 5})), vec!["no parameter `amuont#L`", "did you mean `amount#L`?"]),
        (json!(["Soil-0", "water_continuous", {"amount#L": 10.5}]), vec!["a number from 1 to 10"]),
        (json!(["Soil-0", "available_Wter#L", []]), vec!["`available_Wter#L`", "did you mean `available_Water#L`?"]),
        (json!(["Soil-0", "available_Water#L", [[1, 0]]]), vec!["no observation `available_Water#L(1, 0)`"]),
        (json!([1, 2]), vec!["this is not a valid action"]),
        (json!([{}]), vec!["this is not a valid action"]),
        (json!(true), vec!["this is not a valid action"]),
        (json!([[]]), vec!["this is not a valid action"]),
        (json!(["a", "b", "c", "d", "e", {}]), vec!["this is not a valid action"]),
        (json!([["BasicFarmer-0", "Field-0", "Plant-0", "harvest", 3]]), vec!["this is not a valid action"]),
    ] {
        let error = game.catalogue().parse(&given).map(|calls| calls.len()).expect_err(&given.to_string()).sentence();
        for piece in expected {
            assert!(error.contains(piece), "{given}: `{piece}` is not in: {error}");
        }
    }
    for line in ["[", "{\"a\"", "\"", "[\"harvest\"", "", "   ", "Field-0.Plant-0", "\u{0}"] {
        assert!(game.catalogue().parse_line(line).is_err(), "{line:?}");
    }
}

/// What several farmers may do is one name in a message.
#[test]
fn a_message_names_each_name_once() {
    let farmers = "[BasicFarmer, BasicFarmer, BasicFarmer]";
    let game = Sheet { farmers, ..sheet() }.game();
    let error = game.catalogue().parse(&json!("harvesst")).map(|calls| calls.len()).expect_err("no action").sentence();
    assert!(error.contains("one of `water_discrete`, `water_continuous`, `harvest`;"), "{error}");
}

/// Values left out are filled in where only one is allowed.
#[test]
fn what_is_written_shortly_means_the_same() {
    let game = sheet().game();
    let parsed = |json: Json| game.catalogue().parse(&json).unwrap_or_else(|problem| panic!("{problem}"));
    let full = parsed(json!([["BasicFarmer-0", "Field-0", "Soil-0", "water_discrete",
        {"plot": [1, 0], "amount#L": 5, "duration#min": 60}]]));
    assert_eq!(full.len(), 1);
    let short = json!({"plot": "(1, 0)", "amount#L": 5.0});
    assert_eq!(parsed(json!(["Field-0", "Soil-0", "water_discrete", short])), full);
    assert_eq!(parsed(json!(["Soil-0", "water_discrete", short])), full);
    assert_eq!(parsed(json!(["water_discrete", short])), full);
    assert_eq!(parsed(json!(["", "", "Soil-0", "water_discrete", short])), full);
    assert_eq!(parsed(json!([{"action": "water_discrete", "parameters": short}])), full);
    assert_eq!(
        parsed(json!({"farmer": "BasicFarmer-0", "field": "Field-0", "entity": "Soil-0", "action": "water_discrete",
        "parameters": short})),
        full
    );
    assert_eq!(parsed(json!("harvest")), parsed(json!(["Field-0.Plant-0.harvest"])));
    assert_eq!(
        game.catalogue().parse_line("harvest").unwrap(),
        parsed(json!(["BasicFarmer-0", "Field-0", "Plant-0", "harvest", {}]))
    );
    assert_eq!(parsed(json!(null)), []);
    assert_eq!(parsed(json!([])), []);
    assert_eq!(parsed(json!("wait")), [], "nothing waits in this game, so nothing is what waiting means");
}

/// A list of actions may mix all ways to write one.
#[test]
fn a_list_may_mix_bare_names_and_written_out_actions() {
    let game = sheet().game();
    let water = json!(["BasicFarmer-0", "Field-0", "Soil-0", "water_discrete", {"plot": [0, 0], "amount#L": 1}]);
    let look = json!(["BasicFarmer-0", "Field-0", "Soil-0", "available_Water#L", [[0, 0]]]);
    let object = json!({"entity": "Soil-0", "action": "water_discrete", "parameters": {"plot": [0, 0], "amount#L": 1}});
    for list in [
        json!([water, "harvest"]),
        json!(["harvest", water]),
        json!(["harvest", look]),
        json!(["harvest", "wait", look]),
        json!(["harvest", object]),
        json!([object, "harvest"]),
    ] {
        let calls = game.catalogue().parse(&list).unwrap_or_else(|problem| panic!("{list}: {problem}"));
        let found: Vec<String> = calls.iter().map(|call| game.catalogue().describe(call)).collect();
        assert_eq!(found.len(), 2, "{list}: {found:?}");
        assert!(found.contains(&"Field-0.Plant-0.harvest".to_owned()), "{list}: {found:?}");
    }
}

/// Base actions of the game: 0 and 1 look, 2 and 3 water, 4 harvests.
#[test]
fn a_gym_action_that_is_not_of_the_space_is_refused_with_the_reason() {
    let game = sheet().game();
    let space = game.catalogue().space();
    let look = json!([0, 0]);
    let water = json!([2, {"plot": 2, "amount#L": 1, "duration#min": 0}]);
    let right = [
        json!([]),
        json!([look]),
        json!([look, water]),
        json!([[4, {}]]),
        json!([[3, {"plot": 0, "amount#L": 9.5, "duration#min": 0}]]),
    ];
    for action in &right {
        assert!(space.contains(action), "{space}: {action}");
        let calls = game.catalogue().gym_to_calls(action).unwrap_or_else(|error| panic!("{action}: {error}"));
        assert_eq!(game.catalogue().calls_to_gym(&calls), *action);
    }
    let form = |error: &GymError| matches!(error, GymError::Form { .. });
    type IsRight = fn(&GymError) -> bool;
    let wrong: [(Json, IsRight); 19] = [
        (json!(null), form),
        (json!(3), form),
        (json!("harvest"), form),
        (json!([0, 0]), form),
        (json!([[0]]), form),
        (json!([[0, 0, 0]]), form),
        (json!([[-1, 0]]), form),
        (json!([[0.5, 0]]), form),
        (json!([[0, 1]]), form),
        (json!([[0, {}]]), form),
        (json!([[4, 7]]), form),
        (json!([[4, null]]), form),
        (json!([[2, {"plot": 3, "amount#L": 0, "duration#min": 0}]]), form),
        (json!([[2, {"plot": 0, "amount#L": 0}]]), form),
        (json!([[2, {"plot": 0, "amount#L": 0, "duration#min": 0, "more": 0}]]), form),
        (json!([[3, {"plot": 0, "amount#L": 10.5, "duration#min": 0}]]), form),
        (json!([look, look]), |_| true),
        (json!([[5, 0]]), |error| *error == GymError::NoSuchAction { id: 5, last: 4 }),
        (json!([look, water, [4, {}]]), |error| *error == GymError::TooMany { found: 3, max: 2 }),
    ];
    for (action, is_right) in &wrong {
        assert!(!space.contains(action), "{space}: {action}");
        let error = game.catalogue().gym_to_calls(action).map(|calls| calls.len()).expect_err(&action.to_string());
        assert!(is_right(&error), "{action}: {error:?}");
        assert!(!error.to_string().is_empty());
    }
}

/// 1 + 2 looks + 6 waterings + 11 bins + 1 harvest.
#[test]
fn vectors_of_the_wrong_length_or_with_unknown_ids_are_refused() {
    let game = sheet().game();
    let catalogue = game.catalogue();
    assert_eq!(catalogue.discrete_len(), 21);
    let mut calls = Vec::new();
    for (ids, error) in [
        (vec![1], GymError::Length { expected: 2, found: 1 }),
        (vec![1, 1, 1], GymError::Length { expected: 2, found: 3 }),
        (vec![0, 21], GymError::NoSuchAction { id: 21, last: 20 }),
        (vec![usize::MAX, 0], GymError::NoSuchAction { id: usize::MAX, last: 20 }),
    ] {
        assert_eq!(catalogue.multi_discrete_to_calls(&ids, &mut calls), Err(error), "{ids:?}");
        assert_eq!(calls, [], "nothing is appended");
    }
    let bits = |set: &[usize]| (0..20).map(|i| u8::from(set.contains(&i))).collect::<Vec<u8>>();
    let short = catalogue.multi_binary_to_calls(&[1], &mut calls);
    assert_eq!(short, Err(GymError::Length { expected: 20, found: 1 }));
    // More than the schedule holds are a value of the space: the step refuses the surplus.
    assert_eq!(catalogue.multi_binary_to_calls(&bits(&[0, 5, 19]), &mut calls), Ok(()));
    assert_eq!(calls, [catalogue.calls()[0], catalogue.calls()[5], catalogue.calls()[19]]);
    assert_eq!(catalogue.discrete(21), None);
    let three = [catalogue.calls()[0], catalogue.calls()[1], catalogue.calls()[2]];
    assert_eq!(catalogue.calls_to_multi_discrete(&three), Err(GymError::TooMany { found: 3, max: 2 }));
    let between = catalogue.parse(&json!(["water_continuous", {"amount#L": 1.25}])).unwrap();
    assert_eq!(catalogue.discrete_of(&between[0]), None, "the bins are 0.9 apart");
    let error = catalogue.calls_to_multi_discrete(&between).unwrap_err();
    assert!(matches!(&error, GymError::NotOffered { action } if action.contains("1.25")), "{error:?}");
}
