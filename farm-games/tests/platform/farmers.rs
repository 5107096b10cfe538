//! Several farmers in several fields: who may do what, how often, and on which days.

use farm_core::{Environment, Stream};
use serde_json::{Value as Json, json};

use super::sheet::intervention_counts;
use super::support::Sheet;

/// The first farmer looks everywhere and acts in the first field; the second acts in the second field and sees nothing else.
const TWO: &str = "[{BasicFarmer: {max_daily_interventions: 2, max_daily_observations: 1, permissions: {Field-1: {can_intervene: false}}}}, \
     {BasicFarmer: {max_daily_interventions: 1, max_daily_observations: 3, permissions: {Field-0: {can_observe: false, can_intervene: false}}}}]";

fn two(rules: &str) -> Sheet<'_> {
    Sheet { fields: &[(3, 1), (2, 2)], farmers: TWO, rules, ..Sheet::default() }
}

const RULES: &str = "\
max_action_schedule_size: 9
observations:
  Field-0: {Soil-0: {available_Water#L: ['*', '(0, 0)']}}
  Field-1: {Soil-0: {available_Water#L: ['*', '(0, 0)', '(1, 1)']}}
actions:
  Field-0: {Plant-0: {micro_harvest: {plot: '*'}}}
  Field-1: {Plant-0: {micro_harvest: {plot: '*'}, harvest: }}";

/// `[farmer, field]` of every base action with its name.
fn who(env: &Environment) -> Vec<(String, String, String)> {
    let catalogue = env.game().catalogue();
    let mut found: Vec<(String, String, String)> = Vec::new();
    for call in catalogue.calls() {
        let json = catalogue.to_json(call);
        let base = &catalogue.base_actions()[call.base()];
        let farmers: Vec<&str> = env.game().parts().iter().filter(|p| p.field().is_none()).map(|p| p.name()).collect();
        let part = &env.game().parts()[base.part()];
        let field = env.game().fields()[part.field().unwrap()].name().to_owned();
        if let Some(written) = json[0].as_str().filter(|_| json.is_array()) {
            assert_eq!((written, json[1].as_str()), (farmers[base.farmer()], Some(field.as_str())));
        }
        let item = (farmers[base.farmer()].to_owned(), field, base.name(env.game().parts()).to_owned());
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

#[test]
fn permissions_decide_who_may_look_and_act_where() {
    let env = two(RULES).environment();
    let item = |farmer: u32, field: u32, name: &str| {
        (format!("BasicFarmer-{farmer}"), format!("Field-{field}"), name.to_owned())
    };
    let water = "available_Water#L";
    let expected = [
        item(0, 0, water),
        item(0, 1, water),
        item(1, 1, water),
        item(0, 0, "micro_harvest"),
        item(1, 1, "micro_harvest"),
        item(1, 1, "harvest"),
    ];
    assert_eq!(who(&env), expected);
    assert_eq!(env.game().catalogue().observation_count(), 2 + 2 * 3);
    assert_eq!(intervention_counts(env.game()), (3 + 4 + 1, 0));
}

#[test]
fn each_farmer_has_its_own_limits_for_looking_and_for_acting() {
    let mut env = two(RULES).environment();
    let look = |farmer: u32, field: u32, path: Json| {
        json!([format!("BasicFarmer-{farmer}"), format!("Field-{field}"), "Soil-0", "available_Water#L", path])
    };
    let act = |farmer: u32, field: u32, plot: Json| json!([format!("BasicFarmer-{farmer}"), format!("Field-{field}"), "Plant-0", "micro_harvest", {"plot": plot}]);
    for day in 0..3 {
        let looks = json!([
            look(0, 1, json!([])),
            look(0, 0, json!([])),
            look(1, 1, json!([])),
            look(1, 1, json!([[0, 0]])),
            look(1, 1, json!([[1, 1]]))
        ]);
        env.step(&looks).unwrap();
        // The second request is the first farmer's second look, and it looks once a day; prices are 4, 4, 1 and 1 numbers.
        let info = env.info().to_json();
        assert_eq!(
            info["rejected"],
            json!([{"action": looks[1], "reason": "the farmer has no time left today"}]),
            "day {day}"
        );
        assert_eq!(info["observation cost"], json!(10.0 * 0.25));
        let acts = json!([
            act(0, 0, json!([0, 0])),
            act(1, 1, json!([1, 1])),
            act(1, 1, json!([0, 0])),
            act(0, 0, json!([1, 0])),
            act(0, 0, json!([2, 0]))
        ]);
        env.step(&acts).unwrap();
        let info = env.info().to_json();
        let late: Vec<&Json> = info["rejected"].as_array().unwrap().iter().map(|r| &r["action"]).collect();
        assert_eq!(late, [&acts[2], &acts[4]], "day {day}: one for the second farmer, two for the first");
        assert_eq!(info["intervention cost"], json!(3.0));
    }
}

#[test]
fn a_farmer_is_named_or_the_first_that_may_does_it() {
    let env = two(RULES).environment();
    let catalogue = env.game().catalogue();
    let farmer = |action: Json| {
        let calls = catalogue.parse(&action).unwrap_or_else(|problem| panic!("{action}: {problem}"));
        let json = catalogue.to_json(&calls[0]);
        json[0].as_str().unwrap().to_owned()
    };
    assert_eq!(farmer(json!(["Field-0", "Plant-0", "micro_harvest", {"plot": [0, 0]}])), "BasicFarmer-0");
    assert_eq!(farmer(json!(["Field-1", "Plant-0", "micro_harvest", {"plot": [0, 0]}])), "BasicFarmer-1");
    assert_eq!(farmer(json!(["Field-1", "Soil-0", "available_Water#L", []])), "BasicFarmer-0");
    assert_eq!(farmer(json!(["BasicFarmer-1", "Field-1", "Soil-0", "available_Water#L", []])), "BasicFarmer-1");
    let error =
        |action: Json| catalogue.parse(&action).map(|calls| calls.len()).expect_err(&action.to_string()).sentence();
    let unknown = error(json!(["BasicFarmer-2", "Field-1", "Plant-0", "micro_harvest", {"plot": [0, 0]}]));
    assert!(unknown.contains("`BasicFarmer-2`") && unknown.contains("did you mean `BasicFarmer-"), "{unknown}");
    // Who may not is told so, and not that the action does not exist.
    let forbidden = error(json!(["BasicFarmer-1", "Field-0", "Plant-0", "micro_harvest", {"plot": [0, 0]}]));
    assert!(forbidden.contains("BasicFarmer-1") && !forbidden.contains("did you mean `micro_harvest`"), "{forbidden}");
    // The same name in two fields has to be told apart.
    let ambiguous = error(json!(["Plant-0", "micro_harvest", {"plot": [0, 0]}]));
    assert!(ambiguous.contains("ambiguous") && ambiguous.contains("Field-1.Plant-0"), "{ambiguous}");
}

#[test]
fn a_tree_below_a_farmer_is_for_that_farmer_alone() {
    let farmers = "[BasicFarmer, {ScheduledFarmer: {max_daily_interventions: 3}}]";
    let rules = "\
observations:
  ScheduledFarmer-0: {Field-0: {Soil-0: {available_N#g: '*'}}}
  Field-0: {Weather-0: {wind: '*'}}
actions:
  BasicFarmer-0: {Field-0: {Plant-0: {micro_harvest: {plot: '(0, 0)'}}}}
  ScheduledFarmer-0: {Field-0: {Plant-0: {micro_harvest: {plot: ['(1, 0)', '(2, 0)']}}}}
  Field-0: {Plant-0: {harvest: }}";
    let env = Sheet { farmers, rules, ..Sheet::default() }.environment();
    let of = |farmer: &str, name: &str| (farmer.to_owned(), "Field-0".to_owned(), name.to_owned());
    let (first, second) = ("BasicFarmer-0", "ScheduledFarmer-0");
    let expected = [
        of(second, "available_N#g"),
        of(first, "wind"),
        of(second, "wind"),
        of(first, "micro_harvest"),
        of(second, "micro_harvest"),
        of(first, "harvest"),
        of(second, "harvest"),
    ];
    assert_eq!(who(&env), expected);
    assert_eq!(intervention_counts(env.game()), (1 + 2 + 2, 0));
    let plot = |json: Json| {
        env.game().catalogue().parse(&json).map(|calls| env.game().catalogue().to_json(&calls[0])[0].clone())
    };
    assert_eq!(plot(json!(["micro_harvest", {"plot": [0, 0]}])), Ok(json!(first)));
    assert_eq!(plot(json!(["micro_harvest", {"plot": [1, 0]}])), Ok(json!(second)), "the first that may");
    assert!(plot(json!([first, "Field-0", "Plant-0", "micro_harvest", {"plot": [1, 0]}])).is_err());
}

#[test]
fn a_farmer_or_field_that_can_not_be_is_an_error_with_its_place() {
    for (rules, at, pieces) in [
        (
            "actions:\n  BasicFarmer-1: {Field-0: {Plant-0: {harvest: }}}",
            "BasicFarmer-1:",
            vec!["no permission for this field"],
        ),
        (
            "observations:\n  BasicFarmer-1: {Field-0: {Soil-0: {available_N#g: }}}",
            "BasicFarmer-1:",
            vec!["no permission for this field"],
        ),
        (
            "actions:\n  BasicFarmer-2: {Field-0: {Plant-0: {harvest: }}}",
            "BasicFarmer-2:",
            vec!["`BasicFarmer-2`", "did you mean `BasicFarmer-"],
        ),
        ("actions:\n  BasicFarmer-0: {Feld-0: {Plant-0: {harvest: }}}", "Feld-0", vec!["Feld-0"]),
        (
            "actions:\n  Field-0: {Plant-0: {harvest: }}\n  BasicFarmer-0: {Field-0: {Plant-0: {harvest: }}}",
            "BasicFarmer-0: {F",
            vec!["allowed twice"],
        ),
        (
            "observations:\n  Field-0: {Soil-0: {available_N#g: }, Weather-0: {wind: }}\n  BasicFarmer-0: {Field-0: {Soil-0: {available_N#g: }}}",
            "BasicFarmer-0: {F",
            vec!["is offered twice"],
        ),
    ] {
        let shown = two(rules).refused_at(at);
        for piece in pieces {
            assert!(shown.contains(piece), "{rules}: `{piece}` is not in\n{shown}");
        }
    }
    for (farmers, pieces) in [
        (
            "[{BasicFarmer: {permissions: {Feld-0: {can_observe: false}}}}]",
            vec!["no field `Feld-0`", "did you mean `Field-0`?"],
        ),
        (
            "[{BasicFarmer: {permissions: {Field-0: {can_obsreve: false}}}}]",
            vec!["can_obsreve", "did you mean `can_observe`?"],
        ),
        ("[{ScheduledFarmer: {weekdays: []}}]", vec!["never works"]),
        ("[{ScheduledFarmer: {weekdays: [mondy]}}]", vec!["did you mean `monday`?"]),
        ("[{ScheduledFarmer: {every#day: 0}}]", vec!["every#day"]),
        ("[{BasicFarmer: {max_daily_interventions: -1}}]", vec!["max_daily_interventions"]),
    ] {
        let shown = Sheet { farmers, ..Sheet::default() }.refused_at("farmers:");
        for piece in pieces {
            assert!(shown.contains(piece), "{farmers}: `{piece}` is not in\n{shown}");
        }
    }
}

const WEEK: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A calendar of its own: which days are days of work is told by dates, what rests by the last day of work.
#[test]
fn a_scheduled_farmer_keeps_its_weekdays_and_its_days_of_rest() {
    let mut stream = Stream::from_seed(12);
    for mode in ["pomdp", "aomdp"] {
        for _ in 0..12 {
            let weekdays: Vec<&str> = WEEK.into_iter().filter(|_| stream.bernoulli(0.5)).collect();
            let weekdays = if weekdays.is_empty() { vec!["sunday"] } else { weekdays };
            let (first, every) = (stream.index(7) as usize, 1 + stream.index(4));
            let farmers = format!(
                "[{{ScheduledFarmer: {{weekdays: [{}], first_weekday: {}, every#day: {every}, max_daily_interventions: 2, max_daily_observations: 1}}}}]",
                weekdays.join(", "),
                WEEK[first]
            );
            let rules =
                "max_action_schedule_size: 5\nobservations: {Field-0: {Soil-0: {available_N#g: ['*', '(0, 0)']}}}";
            let mut env = Sheet { farmers: &farmers, rules, mode, ..Sheet::default() }.environment();
            let mut last_worked: Option<u32> = None;
            for day in 0..60 {
                let is_weekday = weekdays.contains(&WEEK[(first + day as usize) % 7]);
                let rests = last_worked.is_some_and(|last| day - last < every);
                let reason = match (is_weekday, rests) {
                    (false, _) => Some("the farmer does not work on this weekday"),
                    (true, true) => Some("the farmer is resting"),
                    (true, false) => None,
                };
                let label = format!("{farmers} day {day}");
                let mut works = false;
                if mode == "aomdp" {
                    let looks = stream.index(3);
                    let paths = [json!([]), json!([[0, 0]])];
                    let looks: Vec<Json> =
                        paths[..looks as usize].iter().map(|path| json!(["Soil-0", "available_N#g", path])).collect();
                    env.step(&json!(looks)).unwrap();
                    works |= check(&env, looks.len(), 1, reason, &label);
                }
                let acts: Vec<Json> =
                    (0..stream.index(4)).map(|x| json!(["Plant-0", "micro_harvest", {"plot": [x, 0]}])).collect();
                env.step(&json!(acts)).unwrap();
                works |= check(&env, acts.len(), 2, reason, &label);
                if works {
                    last_worked = Some(day);
                }
            }
        }
    }
}

/// Of `asked` actions as many as the limit are executed on a day of work and none on another; tells whether any was.
fn check(env: &Environment, asked: usize, limit: usize, reason: Option<&str>, label: &str) -> bool {
    let executed = env.record().executed().len();
    assert_eq!(executed, if reason.is_none() { asked.min(limit) } else { 0 }, "{label}");
    let expected = reason.unwrap_or("the farmer has no time left today");
    assert!(env.record().rejected().iter().all(|r| r.reason() == expected), "{label}: {:?}", env.record().rejected());
    assert_eq!(env.record().rejected().len(), asked - executed, "{label}");
    executed > 0
}

/// A farmer stays away from plots whose topsoil is too wet. Watering needs no tractor.
#[test]
fn a_farmer_works_only_on_soil_that_is_dry_enough() {
    let rules = "max_action_schedule_size: 1\ninitial_conditions: {Field-0: {Plant-0: {stage: grow, population#nb: 13}, \
                 Soil-0: {water_layer_1#L: {'(0, 0)': 34, '(1, 0)': 15}, water_layer_2#L: {'(0, 0)': 60, '(1, 0)': 30}}}}\n\
                 actions: {Field-0: {Plant-0: {remove: {plot: '*'}, harvest: }, Soil-0: {water_discrete: {plot: '*', amount#L: [1], duration#min: [60]}}}}";
    let entities = "[{Weather: montpellier}, {Soil: {base: loam, equations: agronomic}}, {Plant: {base: bean, equations: agronomic}}]";
    let with = |limit: &str| {
        let farmers = format!("[{{BasicFarmer: {{max_daily_interventions: 9{limit}}}}}]");
        let env = Sheet { fields: &[(2, 1)], entities, rules, farmers: &farmers, mode: "pomdp", ..Sheet::default() }
            .environment();
        let catalogue = env.game().catalogue();
        let ids = 1..catalogue.discrete_len();
        let mut reasons: Vec<(String, &'static str)> = Vec::new();
        for id in ids {
            let mut after = env.clone();
            after.step(id).unwrap();
            assert_eq!(env.action_mask()[id] == 1, after.record().rejected().is_empty());
            let what = catalogue.describe(&catalogue.discrete(id).unwrap()[0]);
            reasons.extend(after.record().rejected().iter().map(|rejection| (what.clone(), rejection.reason())));
        }
        reasons
    };
    let wet = |what: &str| (format!("Field-0.Plant-0.{what}"), "the soil is too wet to work on");
    assert_eq!(with(""), []);
    assert_eq!(with(", wettest_soil#prop: 0.92"), [wet("remove(plot=(0, 0))")]);
    // The mean of the field counts for work on the whole field.
    assert_eq!(with(", wettest_soil#prop: 0.6"), [wet("remove(plot=(0, 0))"), wet("harvest")]);
}
