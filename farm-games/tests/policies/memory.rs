//! Numbers that a policy keeps from day to day: sums, counters, resets, and what is wrong in them.

use allocation_counter::measure;
use farm_core::{Game, State};

use super::problems::says;
use super::support::{TWO_FIELDS, changed, compile, days, game, player, trace};

/// A policy with a memory and rules.
fn policy(memory: &str, rules: &str) -> String {
    format!("{{TriggerPolicy: {{memory: {{{memory}}}, rules: [{rules}]}}}}")
}

/// A condition on memory.
fn when(name: &str, operator: &str, value: f64) -> String {
    format!("when: [[{{memory: {name}, operator: '{operator}', ref_value: {value}}}]]")
}

#[test]
fn a_counter_counts_days_since_a_rule_acted() {
    let game = game("clay_bean-v0", None);
    let counter = |keys: &str| {
        policy("days: {add: [{plus: 1}]}", &format!("{{{}, act: harvest{keys}}}", when("days", ">=", 3.0)))
    };
    assert_eq!(days(&trace(&game, &counter(", then_set: {days: 0}"), 11), "harvest"), [3, 6, 9]);
    assert_eq!(days(&trace(&game, &counter(", then_add: {days: -2}"), 9), "harvest"), [3, 5, 7]);
    let later =
        policy("days: {start: -4, add: [{plus: 2}]}", &format!("{{{}, act: harvest}}", when("days", "==", 2.0)));
    assert_eq!(days(&trace(&game, &later, 9), "harvest"), [3]);
}

#[test]
fn terms_and_numbers_stay_between_their_bounds() {
    let game = game("clay_bean-v0", None);
    let on = |memory: &str, operator: &str, value: f64| {
        days(&trace(&game, &policy(memory, &format!("{{{}, act: harvest}}", when("x", operator, value))), 8), "harvest")
    };
    // The number of steps minus 2, but not below 0 and not above 3: 0, 0, 1, 2, 3, 3, 3 from the second day on.
    let term = "x: {add: [{state_variable: step, plus: -2, at_least: 0, at_most: 3}]}";
    assert_eq!(on(term, ">=", 6.0), [5, 6, 7]);
    assert_eq!(on("x: {add: [{plus: 5}], at_most: 12}", "==", 12.0), [3, 4, 5, 6, 7]);
    assert_eq!(on("x: {start: 3, add: [{plus: -2}], at_least: 0}", "<=", 0.0), [2, 3, 4, 5, 6, 7]);
    // Half of it is left each day.
    assert_eq!(on("x: {start: 8, add: [{memory: x, times: -0.5}]}", "==", 2.0), [2]);
    // A number that is written above has already been updated.
    assert_eq!(on("n: {add: [{plus: 1}]}, x: {add: [{memory: n}]}", "==", 6.0), [3]);
    let some_days = "x: {add: [{plus: 1, when: [[{state_variable: step, operator: in, ref_value: [2, 5]}]]}]}";
    assert_eq!(on(some_days, "==", 1.0), [2, 3, 4]);
    let reset = "x: {start: 1, add: [{plus: 1}], reset_when: [[{memory: x, operator: '>', ref_value: 3}]]}";
    assert_eq!(on(reset, "==", 1.0), [0, 3, 6]);
}

#[test]
fn each_plot_has_a_number_of_its_own() {
    let game = compile(TWO_FIELDS);
    let water = "{for_each_plot: true, when: [[{memory: dry, operator: '>=', ref_value: 2}]], then_set: {dry: 0}, \
                 act: {field: Field-1, entity: Soil-0, action: water_discrete, parameters: {plot: here, amount#L: 5}}}";
    let trace = trace(&game, &policy("dry: {field: Field-1, add: [{plus: 1}]}", water), 6);
    // The farmer has time for four of the six plots. Two of them wait for a day.
    let n: Vec<usize> = trace.iter().map(|day| day.iter().filter(|call| call.contains("water")).count()).collect();
    assert_eq!(n, [0, 0, 4, 2, 4, 2]);
}

/// Plays a season, and calls `see` on each morning after the policy has chosen.
fn play(game: &Game, yaml: &str, seed: u64, mut see: impl FnMut(&State, &[String])) {
    let mut player = player(game, yaml);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    // The second episode begins as if there had been no first one.
    for _ in 0..2 {
        game.reset(&mut state, seed, &mut record);
        player.start(seed);
        let mut schedule = Vec::new();
        player.choose(game, &state, &mut schedule);
    }
    let mut fork = player.fork().unwrap();
    loop {
        let (mut schedule, mut same) = (Vec::new(), Vec::new());
        player.choose(game, &state, &mut schedule);
        fork.choose(game, &state, &mut same);
        assert_eq!(schedule, same);
        let chosen: Vec<String> = schedule.iter().map(|call| game.catalogue().describe(call)).collect();
        see(&state, &chosen);
        if game.step(&mut state, &schedule, &mut record).unwrap().over() {
            return;
        }
    }
}

#[test]
fn degree_days_are_the_sum_of_what_is_observed() {
    // The harvest of unripe beans has no effect, and is counted here all the same.
    let game = changed("clay_bean", None, &[("rules.BasicRule.futile_actions", "paid")]);
    let mean = game.parts().iter().flat_map(|part| part.variables()).find(|v| v.name() == "air_temperature.mean#°C");
    let mean = mean.and_then(|variable| variable.column::<f64>()).unwrap();
    let sum = "sum: {add: [{state_variable: [Field-0, Weather-0, air_temperature.mean#°C], plus: -10, at_least: 0}]}";
    let harvest = format!("{{{}, once: true, act: harvest}}", when("sum", ">=", 150.0));
    let (mut expected, mut harvested) = (0.0, None);
    play(&game, &policy(sum, &harvest), 3, |state, chosen| {
        if state.step() > 0 {
            expected += (game.reader(state).get(mean)[0] - 10.0).max(0.0);
        }
        if chosen.iter().any(|call| call.contains("harvest")) {
            harvested = Some(expected);
        }
    });
    assert!(harvested.is_some_and(|sum| (150.0..170.0).contains(&sum)), "{harvested:?}");
}

/// The example of `docs/policies.md`, in a game in which looks have a price.
#[test]
fn a_bookkeeper_allocates_nothing_and_never_looks() {
    let text = include_str!("../../../docs/policies.md");
    let text =
        text.split_once("file=bookkeeper.yaml\n").and_then(|(_, rest)| rest.split_once("```")).map(|(yaml, _)| yaml);
    let game = game("costly_clay_bean", None);
    let mut player = player(&game, text.unwrap());
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut schedule = Vec::with_capacity(game.catalogue().max_schedule());
    game.reset(&mut state, 1, &mut record);
    let (mut earned, mut looks) = (0.0, 0.0);
    let counted = measure(|| {
        player.start(1);
        loop {
            schedule.clear();
            player.choose(&game, &state, &mut schedule);
            let Ok(outcome) = game.step(&mut state, &schedule, &mut record) else { return };
            earned += outcome.reward;
            looks += record.observation_cost();
            if outcome.over() {
                return;
            }
        }
    });
    assert_eq!(counted.count_total, 0);
    assert!(looks == 0.0 && earned > 50.0, "{looks} {earned}");
}

/// Beans whose soil and stage are not seen for free.
fn beans() -> Game {
    let free = "[[Field-0, Weather-0, day#int365], [Field-0, Weather-0, rain_amount#mm.day-1]]";
    changed("clay_bean-v0", None, &[("interaction_mode", "aomdp"), ("rules.BasicRule.free_observations", free)])
}

#[test]
fn a_look_can_set_a_number_and_the_day_counts_once() {
    let game = beans();
    // It looks on day 4 only, and remembers what it saw.
    let seen = "[[{state_variable: [Field-0, Soil-0, available_Water#L, [0, 0]], operator: '>', ref_value: 0}]]";
    let water = format!(
        "days: {{add: [{{plus: 1}}]}}, water: {{start: -1, reset_when: {seen}, \
         reset_to: {{state_variable: [Field-0, Soil-0, available_Water#L, [0, 0]], times: 0, plus: 7}}}}"
    );
    let look = "{when: [[{state_variable: step, operator: '==', ref_value: 4}]], act: [Field-0, Soil-0, available_Water#L, []]}";
    let harvest = "{when: [[{memory: water, operator: '==', ref_value: 7}, {memory: days, operator: '>=', ref_value: 6}]], act: harvest}";
    let mut first = None;
    play(&game, &policy(&water, &format!("{look}, {harvest}")), 1, |state, chosen| {
        if chosen.iter().any(|call| call.contains("harvest")) {
            first.get_or_insert(state.step());
        }
    });
    assert_eq!(first, Some(6));
}

#[test]
fn problems_of_a_memory_stand_where_they_are_written() {
    let game = game("clay_bean", None);
    let at = |path: &str| format!("TriggerPolicy.{path}");
    let rule = "{act: harvest}";
    let on = |name: &str| format!("{{{}, act: harvest}}", when(name, "<", 1.0));
    says(&game, &policy("warmth: {}", &on("warmt")), &at("rules[0].when[0][0].memory"), "no memory `warmt`");
    let then = policy("warmth: {}", "{act: harvest, then_add: {warm: 1}}");
    says(&game, &then, &at("rules[0].then_add.warm"), "no memory `warm`");
    let circle = "a: {add: [{memory: b}]}, b: {add: [{memory: a}]}";
    says(&game, &policy(circle, rule), &at("memory.a.add[0].memory"), "`a` reads `b`, which is written below it");
    let below = "a: {reset_when: [[{memory: b, operator: '>', ref_value: 1}]]}, b: {}";
    says(&game, &policy(below, rule), &at("memory.a.reset_when[0][0].memory"), "written below it");
    let unknown = "a: {add: [{state_variable: [Field-0, Weather-0, rain]}]}";
    says(&game, &policy(unknown, rule), &at("memory.a.add[0].state_variable[2]"), "no variable `rain`");
    let word = "a: {add: [{state_variable: [Field-0, Plant-0, stage]}]}";
    says(&game, &policy(word, rule), &at("memory.a.add[0].state_variable"), "is a word");
    let unseen = "a: {add: [{state_variable: [Field-0, Soil-0, microlife_health_index#%], function: mean}]}";
    says(&game, &policy(unseen, rule), &at("memory.a.add[0].state_variable"), "not observed");
    says(&game, &policy("a: {at_least: 2, at_most: 1}", rule), &at("memory.a.at_least"), "is above `at_most`");
    says(&game, &policy("a: {field: Field-7}", rule), &at("memory.a.field"), "no field `Field-7`");
    let plots = policy("a: {field: Field-0}", &on("a"));
    says(&game, &plots, &at("rules[0].when[0][0].memory"), "value for each plot");
    let word = "{when: [[{memory: a, operator: '<', ref_value: ripe}]], act: harvest}";
    says(&game, &policy("a: {}", word), &at("rules[0].when[0][0].ref_value"), "memory is a number");
    let paid = "a: {add: [{state_variable: [Field-0, Soil-0, available_Water#L, [0, 0]]}]}";
    says(&beans(), &policy(paid, rule), &at("memory.a.add[0].state_variable"), "has a price");
}
