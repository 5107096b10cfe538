//! The tree of allowed actions: the paper's examples (3.1.3), single values, lists, ranges, `'*'`, bins.

use farm_core::ActionKind;
use farm_core::action::{Allowed, Call};
use serde_json::json;

use crate::sheet::{Sheet, intervention_counts};

/// The paper's first example, with our names of the actions.
const PAPER: &str = "\
actions:
  Field-0:
    Soil-0:
      water_discrete:
        plot: ['(0, 0)', '(1, 0)', '(2, 0)']
        amount#L: [1.0, 2.0, 3.0, 4.0, 5.0]
        duration#min: [30, 60]
      water_continuous:
        plot: ['(0, 0)', '(1, 0)', '(2, 0)']
        amount#L: (1, 10)
        duration#min: [30, 60]
    Plant-0:
      sow:
        plot: ['(0, 0)', '(1, 0)', '(2, 0)']
        amount#seed: [1, 3, 5, 10, 15, 20, 25, 30]
        spacing#cm: [5, 10, 15, 20]
      harvest:
      micro_harvest:
        plot: ['(0, 0)', '(1, 0)', '(2, 0)']
      remove:
        plot: ['(0, 0)', '(1, 0)', '(2, 0)']
max_action_schedule_size: 5";

fn counts(rules: &str) -> (usize, usize) {
    intervention_counts(&Sheet { rules, mode: "pomdp", ..Sheet::default() }.game())
}

/// 3·5·2 waterings, 3·8·4 sowings, one harvest, 3 harvests and 3 removals of a plot; and 3·2 waterings with any amount.
#[test]
fn the_papers_example_has_133_discrete_and_6_continuous_interventions() {
    assert_eq!(counts(PAPER), (30 + 96 + 1 + 3 + 3, 6));
    assert_eq!(counts(PAPER), (133, 6));
}

#[test]
fn the_papers_restricted_example_has_one_discrete_and_three_continuous_interventions() {
    let rules = "\
actions:
  Field-0:
    Soil-0:
      water_continuous:
        plot: ['(0, 0)', '(1, 0)', '(2, 0)']
        amount#L: (5, 10)
        duration#min: [30]
    Plant-0:
      harvest:";
    assert_eq!(counts(rules), (1, 3));
}

/// Doing nothing, 133 discrete ones, and each of the 6 continuous ones with every bin.
#[test]
fn the_flat_list_offers_each_bin_of_a_range() {
    for (bins, expected) in [(1, 1 + 133 + 6), (2, 1 + 133 + 12), (5, 1 + 133 + 30), (11, 1 + 133 + 66)] {
        let rules = format!("{PAPER}\nnumber_of_bins_to_discretize_continuous_actions: {bins}");
        let game = Sheet { rules: &rules, mode: "pomdp", ..Sheet::default() }.game();
        assert_eq!(game.catalogue().discrete_len(), expected, "{bins} bins");
        assert_eq!(game.catalogue().multi_discrete_space().to_string(), format!("MultiDiscrete({:?})", [expected; 5]));
        assert_eq!(game.catalogue().multi_binary_space().to_string(), format!("MultiBinary([{}])", expected - 1));
    }
    let game = Sheet {
        rules: &format!("{PAPER}\nnumber_of_bins_to_discretize_continuous_actions: 4"),
        mode: "pomdp",
        ..Sheet::default()
    }
    .game();
    let amounts: Vec<String> = game
        .catalogue()
        .calls()
        .iter()
        .map(|call| game.catalogue().describe(call))
        .filter(|text| text.contains("water_continuous(plot=(2, 0)") && text.contains("=30"))
        .collect();
    assert_eq!(amounts.len(), 4, "{amounts:?}");
    for (text, amount) in amounts.iter().zip(["1.0", "4.0", "7.0", "10.0"]) {
        assert!(text.contains(&format!("amount#L={amount},")), "{text}");
    }
}

#[test]
fn the_space_of_actions_is_the_papers_multi_union() {
    let game = Sheet { rules: PAPER, mode: "pomdp", ..Sheet::default() }.game();
    let space = game.catalogue().space().to_string();
    let expected = "MultiUnion[5](Dict(plot: Discrete(3), amount#L: Discrete(5), duration#min: Discrete(2)), \
         Dict(plot: Discrete(3), amount#L: Box(1, 10, [], float32), duration#min: Discrete(2)), \
         Dict(plot: Discrete(3), amount#seed: Discrete(8), spacing#cm: Discrete(4)), Dict(), Dict(plot: Discrete(3)), \
         Dict(plot: Discrete(3)))";
    assert_eq!(space, expected);
}

/// What one parameter may be, by the line that says so.
#[test]
fn a_parameter_is_a_value_a_list_a_range_or_a_star() {
    let plots = |line: &str| allowed("micro_harvest", "Plant-0", line);
    assert_eq!(plots("plot: '(1, 0)'"), [Allowed::Values(vec![1.0])]);
    assert_eq!(plots("plot: [2, 0]"), [Allowed::Values(vec![2.0])], "a plot as a list is one value");
    assert_eq!(plots("plot: [[2, 0], '(0, 0)']"), [Allowed::Values(vec![2.0, 0.0])], "the order of the rules is kept");
    assert_eq!(plots("plot: '*'"), [Allowed::Values(vec![0.0, 1.0, 2.0])]);
    assert_eq!(plots("plot: ['*']"), [Allowed::Values(vec![0.0, 1.0, 2.0])]);
    assert_eq!(plots("plot: ['(2, 0)', '(2, 0)']"), [Allowed::Values(vec![2.0])], "twice the same is once");
    assert_eq!(
        plots("plot: ['(2, 0)', '*']"),
        [Allowed::Values(vec![2.0, 0.0, 1.0])],
        "a star adds what is not there yet"
    );
    assert_eq!(plots("{}"), [Allowed::Values(vec![0.0, 1.0, 2.0])], "nothing said allows everything");
    let water =
        |line: &str| allowed("water_continuous", "Soil-0", &format!("plot: '(0, 0)', duration#min: 30, {line}"));
    let amount = |line: &str| water(line)[1].clone();
    assert_eq!(amount("amount#L: 4"), Allowed::Values(vec![4.0]));
    assert_eq!(amount("amount#L: [4, 2.5]"), Allowed::Values(vec![4.0, 2.5]));
    assert_eq!(amount("amount#L: '(0.5, 12)'"), Allowed::Range { low: 0.5, high: 12.0 });
    assert_eq!(amount("amount#L: '( 1 , 2 )'"), Allowed::Range { low: 1.0, high: 2.0 });
    let offered: Vec<f64> = (1..=15).map(f64::from).collect();
    assert_eq!(amount("amount#L: '*'"), Allowed::Values(offered), "a star means the values that the soil offers");
}

fn allowed(action: &str, entity: &str, line: &str) -> Vec<Allowed> {
    let inner = if line == "{}" { line.to_owned() } else { format!("{{{line}}}") };
    let rules = format!("actions: {{Field-0: {{{entity}: {{{action}: {inner}}}}}}}");
    let game = Sheet { rules: &rules, mode: "pomdp", ..Sheet::default() }.game();
    assert_eq!(game.catalogue().base_actions().len(), 1);
    game.catalogue().base_actions()[0].parameters().to_vec()
}

/// A range of one value offers it once, however many bins there are, so that no action has two ids.
#[test]
fn a_range_without_width_offers_one_value() {
    let rules =
        "actions: {Field-0: {Soil-0: {water_continuous: {plot: '(0, 0)', amount#L: '(5, 5)', duration#min: 30}}}}";
    let game = Sheet { rules, mode: "pomdp", ..Sheet::default() }.game();
    assert_eq!((game.catalogue().discrete_len(), intervention_counts(&game)), (2, (0, 1)));
}

/// The paper's example of observations: the wind at once, the water at once and plot by plot, one stage, the size likewise.
#[test]
fn the_papers_example_of_observations_has_ten() {
    let rules = "\
observations:
  Field-0:
    Weather-0:
      wind:
        '*':
    Soil-0:
      available_Water#L: ['*', '(0, 0)', '(1, 0)', '(2, 0)']
    Plant-0:
      stage:
      size#cm: ['*', '(0, 0)', '(1, 0)', '(2, 0)']
actions: {Field-0: {Plant-0: {harvest: }}}";
    let game = Sheet { rules, ..Sheet::default() }.game();
    assert_eq!(game.catalogue().observation_count(), 10);
    let farmer = "BasicFarmer-0";
    let mut expected = vec![json!([farmer, "Field-0", "Weather-0", "wind", []])];
    for (entity, name) in [("Soil-0", "available_Water#L"), ("Plant-0", "size#cm")] {
        if entity == "Plant-0" {
            expected.push(json!([farmer, "Field-0", entity, "stage", []]));
        }
        expected.push(json!([farmer, "Field-0", entity, name, []]));
        expected.extend((0..3).map(|x| json!([farmer, "Field-0", entity, name, [[x, 0]]])));
    }
    let found: Vec<_> = game.catalogue().calls()[..10].iter().map(|call| game.catalogue().to_json(call)).collect();
    assert_eq!(found, expected);
    assert_eq!(intervention_counts(&game), (1, 0), "the tree of observations adds no intervention");
    let looks = "Discrete(1), ".repeat(10);
    assert_eq!(game.catalogue().space().to_string(), format!("MultiUnion[1]({looks}Dict())"));
    // The same rules where everything visible is seen anyway.
    for mode in ["pomdp", "fomdp"] {
        assert_eq!(Sheet { rules, mode, ..Sheet::default() }.game().catalogue().observation_count(), 0, "{mode}");
    }
}

/// The forms in which one may ask, each for what it shows.
#[test]
fn an_observation_is_asked_for_by_keys_plots_indices_and_stars() {
    let rules = "\
observations:
  Field-0:
    Weather-0:
      air_temperature: {'*': , 'max#°C': }
      forecast: {air_temperature: {'mean#°C': [0, 2]}}
      wind: ['direction#°']
    Soil-0: {available_N#g: '(1, 0)'}";
    let game = Sheet { rules, ..Sheet::default() }.game();
    let ask = |path: serde_json::Value| game.catalogue().parse(&path).map_err(|problem| problem.sentence());
    let one = |path: serde_json::Value| match ask(path.clone()).as_deref() {
        Ok([call]) => *call,
        other => panic!("{path}: {other:?}"),
    };
    let whole = one(json!(["Field-0", "Weather-0", "air_temperature", []]));
    assert_eq!(whole, one(json!(["BasicFarmer-0", "Field-0", "Weather-0", "air_temperature", "*"])));
    assert_eq!(whole, one(json!(["Weather-0", "air_temperature", ["*"]])));
    let max = one(json!(["Weather-0", "air_temperature", ["max#°C"]]));
    assert_ne!(whole, max);
    assert_eq!(max, one(json!(["Weather-0", "air_temperature.max#°C", []])));
    assert_eq!(shown(&game, max), ["Field-0.Weather-0.air_temperature.max#°C"]);
    assert_eq!(shown(&game, whole).len(), 3);
    let ahead = one(json!(["Weather-0", "forecast", ["air_temperature", "mean#°C", 2]]));
    assert_eq!(shown(&game, ahead), ["Field-0.Weather-0.forecast.air_temperature.mean#°C[2]"]);
    let direction = one(json!(["Weather-0", "wind", ["direction#°"]]));
    assert_eq!(shown(&game, direction), ["Field-0.Weather-0.wind.direction#°"]);
    let plot = one(json!(["Soil-0", "available_N#g", [[1, 0]]]));
    assert_eq!(plot, one(json!(["Soil-0", "available_N#g", ["(1, 0)"]])));
    assert_eq!(plot, one(json!({"entity": "Soil-0", "name": "available_N#g", "path": [[1, 0]]})));
    assert_eq!(shown(&game, plot), ["Field-0.Soil-0.available_N#g(1, 0)"]);
    for (nothing, why) in [
        (json!(["Weather-0", "wind", []]), "wind"),
        (json!(["Soil-0", "available_N#g", [[2, 0]]]), "available_N#g(1, 0)"),
        (json!(["Weather-0", "forecast", ["air_temperature", "mean#°C", 1]]), "mean#°C(2)"),
        (json!(["Soil-0", "available_N#g", [-1]]), "not a valid path"),
        (json!(["Soil-0", "available_N#g", [1.5]]), "not a valid path"),
        (json!(["Soil-0", "available_N#g", [null]]), "not a valid path"),
    ] {
        let error = ask(nothing.clone()).expect_err(&nothing.to_string());
        assert!(error.contains(why), "{nothing}: {error}");
    }
}

fn shown(game: &farm_core::Game, call: Call) -> Vec<&str> {
    match &game.catalogue().base_actions()[call.base()].target() {
        farm_core::action::ActionTarget::Observation(request) => {
            request.references().iter().map(|r| r.name()).collect()
        }
        farm_core::action::ActionTarget::Intervention(_) => {
            panic!("{} is no observation", game.catalogue().describe(&call))
        }
    }
}

#[test]
fn nothing_said_offers_everything_visible_and_an_empty_tree_nothing() {
    let everything = Sheet::default().game();
    let visible =
        |name: &str| everything.catalogue().calls().iter().any(|c| everything.catalogue().describe(c) == name);
    assert!(visible("observe Field-0.Soil-0.available_Water#L"));
    assert!(visible("observe Field-0.Soil-0.available_Water#L(2, 0)"));
    assert!(visible("observe Field-0.Weather-0.air_temperature"));
    assert!(visible("observe Field-0.Weather-0.air_temperature.max#°C"));
    assert!(visible("observe Field-0.Weather-0.forecast.humidity#%(4)"));
    assert!(!visible("observe Field-0.Weather-0.humidity_min#%"), "what is hidden can't be asked for");
    let none = Sheet { rules: "observations: {}", ..Sheet::default() }.game();
    assert_eq!(none.catalogue().observation_count(), 0);
    let acts = |game: &farm_core::Game| {
        game.catalogue().base_actions().iter().filter(|base| base.kind() == ActionKind::Intervention).count()
    };
    assert_eq!(acts(&none), acts(&everything));
    assert_eq!(acts(&none), 2 + 4, "two waterings, and sow, harvest, micro_harvest, remove");
}
