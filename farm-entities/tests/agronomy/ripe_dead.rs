//! Ripe fruits (Eq. 21) and dead plants, with forced weather and soil.

use farm_core::math::exp;

use crate::world::{NUTRIENTS, Scenario, assert_close, assert_mean, assert_variance, moments, plant};

const FRUITS: &str = "Plant-0.fruits_per_plant#nb";

fn ripe(parameters: &str, fruits: u32, weather: &str, initial: &str) -> Scenario {
    plant(&format!("ripe: {{{parameters}}}"), weather, "")
        .plots(100, 100)
        .initially(format!("{{Plant-0: {{stage: ripe, fruits_per_plant#nb: {fruits}{initial}}}}}"))
}

fn after_a_day(parameters: &str, fruits: u32, weather: &str, initial: &str) -> Vec<f64> {
    let mut world = ripe(parameters, fruits, weather, initial).build();
    world.wait();
    world.values(FRUITS)
}

#[test]
fn equation_21_loses_fruits_one_by_one() {
    for (weather, initial, chance) in [
        // It is the rain, not its amount, that counts.
        ("{rain: 1}", "", exp(-0.1)),
        ("{rain: 50}", "", exp(-0.1)),
        ("{}", ", age_ripe#day: 8", exp(-0.5)),
        ("{}", ", age_ripe#day: 9", exp(-1.0)),
        ("{rain: 1}", ", age_ripe#day: 8", exp(-0.6)),
    ] {
        let fruits = after_a_day("ripe_rate_sigma: 0", 18, weather, initial);
        assert_mean(&fruits, 18.0 * chance, 0.0, &format!("{weather}{initial}"));
        assert_variance(&fruits, 18.0 * chance * (1.0 - chance), &format!("{weather}{initial}"));
    }
}

#[test]
fn equation_21_pests_take_fruits() {
    for (pests, chance) in [(0, 1.0), (1, exp(-1.0)), (2, exp(-2.0))] {
        let mut world =
            ripe("ripe_rate_sigma: 0", 18, "{}", "").with(format!("ForcedPests: {{pests: {pests}}}")).build();
        world.wait();
        assert_mean(&world.values(FRUITS), 18.0 * chance, 0.0, "fruits");
    }
}

#[test]
fn equation_21_in_perfect_days_up_to_the_age_of_seven_no_fruit_is_lost_without_noise() {
    let mut world = ripe("ripe_rate_sigma: 0", 18, "{}", "").build();
    world.wait_days(8);
    assert!(world.values(FRUITS).iter().all(|n| *n == 18.0));
    // On day 9 they are 8 days old.
    world.wait();
    assert_mean(&world.values(FRUITS), 18.0 * exp(-0.5), 0.0, "ninth day");
}

#[test]
fn equation_21_third_frost_in_a_row_takes_fruits() {
    let mut world = ripe("ripe_rate_sigma: 0", 18, "{t_min: -3}", "").build();
    world.wait_days(2);
    assert!(world.values(FRUITS).iter().all(|n| *n == 18.0));
    world.wait();
    assert_mean(&world.values(FRUITS), 18.0 * exp(-2.0), 0.0, "third frost");
}

#[test]
fn equation_21_noise_only_takes_fruits_and_never_adds_any() {
    // The chance is 1 + ξ cut off at 1: on average σ/√(2π) is lost, 0.05·0.398942.
    let fruits = after_a_day("ripe_rate_sigma: 0.05", 18, "{}", "");
    assert!(fruits.iter().all(|n| *n <= 18.0));
    assert_mean(&fruits, 18.0 * (1.0 - 0.05 * 0.398_942), 0.0, "fruits");
}

/// Mean days that fruits last in perfect conditions.
fn lasting(decay: &str) -> Vec<f64> {
    let mut world = ripe(&format!("decay: {decay}, ripe_age_max#day: 10000"), 8, "{}", "").plots(40, 50).build();
    let (mut left, mut days) = (2000, Vec::new());
    for day in 1..3000 {
        world.wait();
        let now = world.in_stage("ripe");
        days.extend(std::iter::repeat_n(f64::from(day), left - now));
        left = now;
        if left == 0 {
            break;
        }
    }
    days
}

#[test]
fn eight_fruits_last_16_days_when_rounded_down_and_131_when_drawn() {
    // Published in whole days.
    assert_mean(&lasting("floor"), 16.0, 0.5, "floor");
    assert_mean(&lasting("binomial"), 131.0, 0.5, "binomial");
}

#[test]
fn floor_rounds_down_as_the_paper_prints_it() {
    // exp(−0.1)·18 = 16.29.
    let fruits = after_a_day("ripe_rate_sigma: 0, decay: floor", 18, "{rain: 1}", "");
    assert_eq!(moments(&fruits), (16.0, 0.0));
}

#[test]
fn a_plant_dies_with_its_last_fruit() {
    let mut world = ripe("sensitivity_ripe_0: 100, ripe_rate_sigma: 0", 3, "{}", "").build();
    world.wait();
    assert_eq!(world.in_stage("dead"), 10_000);
    let first = world.env.info().to_json()["events"][0].clone();
    assert_eq!(first["kind"], "death");
}

#[test]
fn dead_plants_give_back_all_and_leave_an_empty_plot() {
    // Speed 0.1 and microlife of 50 %: 5 % of each pool a day, until none holds 0.1 g; then the rest at once.
    let mut world = plant("", "{}", "microlife: 50")
        .initially(
            "{Plant-0: {stage: dead, cumulated_nutrients_N#g: 3, cumulated_nutrients_P#g: 1, cumulated_nutrients_K#g: 0.5, \
             cumulated_nutrients_C#g: 2}}",
        )
        .build();
    let mut pools: [f64; 4] = [3.0, 1.0, 0.5, 2.0];
    let mut returned = [0.0; 4];
    for day in 1..200 {
        world.wait();
        let rest = pools.map(|g| g * 0.95);
        let last = rest.iter().all(|g| *g < 0.1);
        for (x, name) in NUTRIENTS.iter().enumerate() {
            let expected = if last { pools[x] } else { 0.05 * pools[x] };
            let released = world.value(&format!("Plant-0.released_{name}#g.day-1"));
            assert_close(released, expected, &format!("{name} on day {day}"));
            returned[x] += released;
            pools[x] = if last { 0.0 } else { rest[x] };
            assert!((world.value(&format!("Plant-0.cumulated_nutrients_{name}#g")) - pools[x]).abs() < 1e-12);
        }
        assert_eq!(world.stages()[0], if last { "none" } else { "dead" }, "day {day}");
        if last {
            break;
        }
    }
    // 3·0.95^n < 0.1 for n = 67.
    assert_eq!(world.env.state().step(), 67);
    assert_eq!(world.value("Plant-0.population#nb"), 0.0);
    for (x, all) in [3.0, 1.0, 0.5, 2.0].into_iter().enumerate() {
        assert_close(returned[x], all, NUTRIENTS[x]);
    }
    world.wait();
    assert_eq!(world.value("Plant-0.released_N#g.day-1"), 0.0);
}

#[test]
fn dead_plants_give_back_to_the_soil() {
    let mut world = Scenario::new()
        .with("ForcedWeather: {days: [{}]}")
        .with("Soil: clay")
        .with("Plant: bean")
        .initially("{Soil-0: {available_N#g: 0}, Plant-0: {stage: dead, cumulated_nutrients_N#g: 3}}")
        .build();
    world.wait();
    assert_close(world.value("Soil-0.available_N#g"), 0.3001, "a tenth and the bedrock's 0.1 mg");
    world.wait_days(60);
    // 0.1 mg of bedrock each day.
    assert_close(world.value("Soil-0.available_N#g"), 3.0 + 61.0 * 1e-4, "all");
    assert_eq!(world.stages()[0], "none");
}

#[test]
fn dead_plants_need_nothing() {
    let mut world = plant("", "{et0: 5}", "").initially("{Plant-0: {stage: dead, size#cm: 100}}").build();
    world.wait();
    for name in ["asked_Water#L.day-1", "required_N#g", "shade#m2"] {
        assert_eq!(world.value(&format!("Plant-0.{name}")), 0.0, "{name}");
    }
}
