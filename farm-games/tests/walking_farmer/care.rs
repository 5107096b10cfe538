//! Care pays: who sows, waters, weeds and harvests gets more than who doesn't, and too much water costs.

use farm_core::Environment;

use super::support::shipped;

fn returns(mut env: Environment, policy: &str, seeds: u64) -> Vec<f64> {
    let mut player = env.game().player(policy).unwrap_or_else(|problems| panic!("{problems}"));
    let mut schedule = Vec::new();
    let mut episode = |seed| {
        env.reset(seed);
        player.start(seed);
        let mut total = 0.0;
        loop {
            schedule.clear();
            player.choose(env.game(), env.state(), &mut schedule);
            let outcome = env.step(&schedule).expect("the episode goes on");
            assert!(env.record().rejected().is_empty(), "the players know what is refused");
            total += outcome.reward;
            if outcome.over() {
                return total;
            }
        }
    };
    (0..seeds).map(&mut episode).collect()
}

fn mean(returns: &[f64]) -> f64 {
    returns.iter().sum::<f64>() / returns.len() as f64
}

const THRESHOLD: &str = "policies.expert.WalkingPolicy.tasks.2.when.0.0.ref_value";
const SEEDS: u64 = 16;

#[test]
fn the_expert_beats_those_who_wait_or_act_at_random_in_every_season() {
    let [expert, random, wait] = ["expert", "random", "wait"].map(|policy| returns(shipped(&[]), policy, 100));
    assert!(wait.iter().all(|r| *r == 0.0), "without seeds nothing grows: {wait:?}");
    assert!(mean(&random) < 0.0, "what is done anywhere costs more than it yields: {}", mean(&random));
    for ((expert, random), wait) in expert.iter().zip(&random).zip(&wait) {
        assert!(*expert > random + 2.0 && *expert > wait + 2.0, "{expert}, random {random}, wait {wait}");
    }
    // Sown everywhere and brought to the harvest, a field earns about six stages and its yield.
    assert!(mean(&expert) > 14.0, "{}", mean(&expert));
}

#[test]
fn more_steps_a_day_and_a_bigger_can_are_worth_something() {
    let expert = |path: &str, value: &str| mean(&returns(shipped(&[(path, value)]), "expert", SEEDS));
    let steps = ["6", "12", "24", "48"].map(|steps| expert("rules.BasicRule.steps_per_day", steps));
    assert!(steps.is_sorted() && steps[0] < 0.3 * steps[3], "the day is short: {steps:?}");
    let can = "farmers.0.WalkingFarmer.stocks.water#L.capacity";
    let cans = ["20", "80", "400"].map(|litres| expert(can, litres));
    assert!(cans.is_sorted() && cans[0] < 0.7 * cans[2], "the well is far: {cans:?}");
}

#[test]
fn too_little_and_too_much_water_cost() {
    let watered = |below: &str| mean(&returns(shipped(&[(THRESHOLD, below)]), "expert", SEEDS));
    let (dry, shipped, wet) = (watered("0.1"), watered("130"), watered("185"));
    assert!(dry < 0.5 * shipped && wet < 0.5 * shipped, "{dry}, {shipped}, {wet}");
}

#[test]
fn weeding_pays() {
    let weeded = |from: &str| {
        let when = "policies.expert.WalkingPolicy.tasks.3.when.0.0.ref_value";
        mean(&returns(shipped(&[(when, from)]), "expert", SEEDS))
    };
    let (early, never) = (weeded("1"), weeded("1000000"));
    assert!(never < 0.5 * early, "{never}, {early}");
}
