//! The profit is what a clerk finds who writes down every harvest and every bag.

use farm_core::Stream;

use crate::support::{Farm, TakenAction, assert_close};

const SCORE: &str = "{ProfitScore: {yield_price#kg-1: 4, water_price#L-1: 0.002, fertilizer_price#kg-1: 1.5, \
     cide_price#kg-1: 20, seed_price#seed-1: 0.1, scarecrow_price#bird-1: 0.25, part_prices: {'cide#kg-1': {Field-0: {Cide-1: 300}}}, \
     labour_cost: {Field-0: {Plant-0: {harvest: 2, sow: 0.25}, Weeds-0: {remove: 0.75}}}, default_labour_cost: 0.125, \
     settlement: SETTLEMENT}}";

/// Scarecrows may be put up, too.
const SCARECROWS: [(&str, &str); 1] = [("rules.BasicRule.actions.Field-0.Facility-0", "{put_scarecrow: {type: '*'}}")];

const NONE: f64 = 0.0;
const SEED: f64 = 1.0;
const HARVESTED: f64 = 7.0;

fn labour(done_action: &TakenAction) -> f64 {
    match (done_action.part.as_str(), done_action.name.as_str()) {
        // Two for each of the twelve plots.
        ("Plant-0", "harvest") => 24.0,
        ("Plant-0", "sow") => 0.25,
        ("Weeds-0", "remove") => 0.75,
        _ => 0.125,
    }
}

/// What an action takes from the store, at the prices of `SCORE`; `stages` are those of the evening before.
fn inputs(done_action: &TakenAction, stages: &[f64]) -> f64 {
    match (done_action.part.as_str(), done_action.name.as_str()) {
        ("Soil-0", _) => 0.002 * done_action.number("amount#L"),
        ("Fertilizer-0", "scatter") => 1.5 * done_action.number("amount#kg"),
        // A bag of the game's fertiliser holds 0.75 kg.
        ("Fertilizer-0", _) => 1.5 * 0.75 * done_action.number("amount#bag"),
        ("Cide-0", _) => 20.0 * done_action.number("amount#kg"),
        ("Cide-1", _) => 300.0 * done_action.number("amount#kg"),
        // 25 plants at 20 cm fit into a plot of 1 m²; the other seeds stay in the bag, as do all where plants grow.
        ("Plant-0", "sow") if [NONE, SEED, HARVESTED].contains(&stages[done_action.plot()]) => {
            0.1 * done_action.number("amount#seed").min(25.0)
        }
        _ => 0.0,
    }
}

#[test]
fn the_profit_of_every_day_is_that_of_the_books() {
    let mut farm = Farm::new(&SCORE.replace("SETTLEMENT", "daily"), &SCARECROWS);
    let mut seen = [0.0; 3];
    for seed in 0..12 {
        farm.env.reset(seed);
        let (mut stream, mut best_scarecrow) = (Stream::from_seed(seed ^ 0x9e37), 0.0_f64);
        loop {
            let stages = farm.values("Plant-0.stage");
            let (done_action, outcome) = farm.day(&mut stream);
            let game = farm.env.game();
            let harvests =
                farm.env.record().events().iter().filter(|e| game.events()[e.id.index()].1.name() == "harvest");
            let sales: f64 = harvests.map(|event| 4.0 * event.value).sum();
            let (bought, labour) = done_action
                .iter()
                .fold((0.0, 0.0), |_, done_action| (inputs(done_action, &stages), labour(done_action)));
            // Ten birds, or four; only a better scarecrow than all before costs money.
            let scarecrow = done_action.as_ref().filter(|action| action.name == "put_scarecrow");
            let birds =
                scarecrow.map_or(0.0, |action| if action.parameters["type"] == "advanced" { 10.0 } else { 4.0 });
            let boards = 0.25 * (birds - best_scarecrow).max(0.0);
            best_scarecrow = best_scarecrow.max(birds);
            assert_close(outcome.reward, sales - bought - boards - labour, &format!("seed {seed}"));
            assert_close(farm.env.record().intervention_cost(), labour, "labour");
            for (seen, today) in seen.iter_mut().zip([sales, bought, labour]) {
                *seen += today;
            }
            if outcome.over() {
                break;
            }
        }
    }
    assert!(seen.iter().all(|sum| *sum > 5.0), "sales, inputs and labour must all have happened: {seen:?}");
}

#[test]
fn a_profit_settled_at_the_end_is_the_sum_of_the_daily_ones() {
    let [mut daily, mut settled] =
        ["daily", "final"].map(|when| Farm::new(&SCORE.replace("SETTLEMENT", when), &SCARECROWS));
    for seed in 0..4 {
        let (mut sum, mut sum_settled) = (0.0, 0.0);
        daily.env.reset(seed);
        settled.env.reset(seed);
        let (mut stream, mut same) = (Stream::from_seed(seed), Stream::from_seed(seed));
        loop {
            let (_, a) = daily.day(&mut stream);
            let (_, b) = settled.day(&mut same);
            sum += a.reward;
            sum_settled += b.reward;
            if b.over() {
                break;
            }
            assert_eq!(b.reward, -settled.env.record().intervention_cost(), "only labour is paid before the end");
        }
        assert_close(sum_settled, sum, &format!("seed {seed}"));
        let earned = settled.sum("ProfitScore-0.sales") - settled.sum("ProfitScore-0.expenses");
        assert!(earned != 0.0);
    }
}

#[test]
fn prices_and_labour_of_what_does_not_exist_are_refused_with_the_nearest_name() {
    let refused = |score: &str| match Farm::open(score, &[]) {
        Ok(_) => panic!("{score} opens"),
        Err(problems) => problems.to_string(),
    };
    let text = refused("{ProfitScore: {part_prices: {'water#L-1': {Field-0: {Plant-0: 1}}}}}");
    assert!(text.contains("`Field-0.Plant-0` does not provide the role `water_given`"), "{text}");
    let text = refused("{ProfitScore: {labour_cost: {Field-0: {Plant-0: {sowe: 1}}}}}");
    assert!(text.contains("has no action `sowe`") && text.contains("did you mean `sow`?"), "{text}");
    let text = refused("{ProfitScore: {'water_price#L-1': -1}}");
    assert!(text.contains("out of range") && text.contains("water_price"), "{text}");
}
