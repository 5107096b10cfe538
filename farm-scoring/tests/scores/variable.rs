//! The score of variables against what the variables say each day.

use farm_core::Stream;

use crate::support::{Farm, assert_close};

const WATER: &str = "Soil-0.available_Water#L";
const STAGE: &str = "Plant-0.stage";
const WEEDS: &str = "Weeds-0.grow#nb";

fn score(terms: &str, more: &str) -> String {
    format!("{{VariableScore: {{terms: [{terms}]{more}}}}}")
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn the_reward_is_the_sum_of_functions_of_variables_times_their_weights() {
    let terms = "{variable: [Field-0, Soil-0, available_Water#L], weight: 0.01}, \
                 {variable: [Field-0, Weeds-0, grow#nb], function: sum, weight: -0.5}, \
                 {variable: [Field-0, Weeds-0, grow#nb], function: max, weight: 2}, \
                 {variable: [Field-0, Soil-0, available_Water#L], function: min, weight: 0.1}, \
                 {variable: [Field-0, Soil-0, available_Water#L, ['(1, 2)']], weight: 3}, \
                 {variable: [Field-0, Plant-0, stage], function: count, of: [grow, bloom], weight: 5}, \
                 {variable: [Field-0, Plant-0, stage], function: fraction, of: [dead], weight: -7}";
    let mut farm = Farm::new(&score(terms, ""), &[]);
    let mut met = [false; 3];
    for seed in 0..4 {
        farm.env.reset(seed);
        let mut stream = Stream::from_seed(seed);
        loop {
            let (_, outcome) = farm.day(&mut stream);
            let (water, weeds, stages) = (farm.values(WATER), farm.values(WEEDS), farm.values(STAGE));
            let among = |of: &[f64]| stages.iter().filter(|stage| of.contains(stage)).count() as f64;
            let expected = 0.01 * mean(&water) - 0.5 * weeds.iter().sum::<f64>()
                + 2.0 * weeds.iter().fold(0.0, |a: f64, b| a.max(*b))
                + 0.1 * water.iter().fold(f64::INFINITY, |a, b| a.min(*b))
                + 3.0 * water[5]
                + 5.0 * among(&[2.0, 3.0])
                - 7.0 * among(&[6.0]) / 12.0;
            assert_close(outcome.reward, expected, &format!("seed {seed}"));
            met[0] |= weeds.iter().any(|weeds| *weeds > 0.0);
            met[1] |= among(&[2.0, 3.0]) > 0.0;
            met[2] |= among(&[6.0]) > 0.0;
            if outcome.over() {
                break;
            }
        }
    }
    assert_eq!(met, [true; 3], "without these the terms would be nothing");
}

#[test]
fn changes_pay_the_difference_between_end_and_start_whatever_comes_between() {
    let terms = "{variable: [Field-0, Soil-0, available_Water#L], function: sum, weight: 0.5, change: true}, \
                 {variable: [Field-0, Weeds-0, seeds#nb], function: mean, weight: -2, change: true}, \
                 {variable: [Field-0, Weeds-0, seeds#nb], function: mean, weight: 0.25}";
    let mut farm = Farm::new(&score(terms, ""), &[]);
    for seed in 0..4 {
        farm.env.reset(seed);
        let mut stream = Stream::from_seed(seed);
        let now = |farm: &Farm| 0.5 * farm.sum(WATER) - 2.0 * mean(&farm.values("Weeds-0.seeds#nb"));
        // The seeds of the start are initial conditions of the rule, and no gain.
        let start = now(&farm);
        let (mut total, mut levels, mut before) = (0.0, 0.0, start);
        loop {
            let (_, outcome) = farm.day(&mut stream);
            let level = 0.25 * mean(&farm.values("Weeds-0.seeds#nb"));
            assert_close(outcome.reward, now(&farm) - before + level, &format!("seed {seed}"));
            before = now(&farm);
            (total, levels) = (total + outcome.reward, levels + level);
            if outcome.over() {
                break;
            }
        }
        assert_close(total, now(&farm) - start + levels, "the whole episode");
    }
}

#[test]
fn costs_and_constraints_are_those_of_other_scores() {
    let more = ", default_intervention_cost: 0.125, intervention_cost: {Field-0: {Soil-0: {water_discrete: 2}}}, \
                constraints: {leached_nutrients: {limit: 50}}";
    let mut farm = Farm::new(&score("{variable: [Field-0, Soil-0, available_Water#L], weight: 0}", more), &[]);
    let mut stream = Stream::from_seed(3);
    farm.env.reset(3);
    let mut kinds = [0; 2];
    loop {
        let (done_action, outcome) = farm.day(&mut stream);
        let cost = done_action.map_or(0.0, |done_action| if done_action.part == "Soil-0" { 2.0 } else { 0.125 });
        kinds[usize::from(cost == 2.0)] += 1;
        assert_close(outcome.reward, -cost, "the reward is the cost alone");
        assert_eq!(farm.env.record().constraint_costs().len(), 1);
        if outcome.over() {
            break;
        }
    }
    assert!(kinds.iter().all(|n| *n > 0));
    assert!(farm.sum("VariableScore-0.leached_nutrients#g") > 0.0);
}

#[test]
fn slips_in_terms_are_told_with_their_place() {
    let refused = |terms: &str| Farm::open(&score(terms, ""), &[]).err().map(|problems| problems.to_string());
    for (terms, told) in [
        (
            "{variable: [Field-0, Soil-0, availible_Water#L]}",
            ["did you mean `available_Water#L`?", "terms[0].variable[2]"],
        ),
        ("{variable: [Field-0, Weather-0, air_temperature]}", ["VariableScore.terms[0].variable", "air_temperature"]),
        ("{}", ["`variable` is missing", "expected: `variable: [field, entity, name]`"]),
        ("{variable: step}", ["terms[0].variable", "`step` and `remaining` are not variables of a part"]),
        ("{variable: [Field-0, Plant-0, stage], function: count}", ["`count` needs values to look for", "terms[0]"]),
        ("{variable: [Field-0, Plant-0, stage], function: count, of: [gorw]}", ["did you mean `grow`?", "terms[0].of"]),
        ("{variable: [Field-0, Plant-0, stage], function: median}", ["terms[0].function", "median"]),
        ("{variable: [Field-0, Soil-0, available_Water#L], wieght: 2}", ["did you mean `weight`?", "terms[0].wieght"]),
    ] {
        let found = refused(terms).unwrap_or_else(|| panic!("{terms} is accepted"));
        assert!(told.iter().all(|piece| found.contains(piece)), "{terms}: {told:?} in\n{found}");
    }
}
