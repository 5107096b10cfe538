//! Flowers (Eqs. 10–15) and fruits (Eqs. 16–20), with forced weather and soil.

use farm_core::math::{exp, ln};

use crate::world::{Scenario, assert_close, assert_mean, assert_share, assert_variance, moments, plant};

const FLOWERS: &str = "Plant-0.flowers_per_plant#nb";
const POLLINATED: &str = "Plant-0.flowers_pollinated_per_plant#nb";
const WEIGHT: &str = "Plant-0.fruit_weight#g";

/// Plants in bloom that stay so, with all their 18 flowers.
fn blooming(bloom: &str, weather: &str) -> Scenario {
    plant(&format!("bloom: {{bloom_duration#day: 1000{bloom}}}"), weather, "")
        .plots(100, 100)
        .initially("{Plant-0: {stage: bloom}}")
}

fn pollinated(bloom: &str, weather: &str) -> Vec<f64> {
    let mut world = blooming(bloom, weather).build();
    world.wait();
    world.values(POLLINATED)
}

#[test]
fn equation_10_draws_the_flowers_that_the_height_promises() {
    // Plants of 48 of 120 cm that stand still bloom at once; 18·0.4 = 7.2, variance 4.32.
    let mut world = plant("grow: {growth_speed#cm0.5.day-1: 0, sensitivity_bloom_size: 0}", "{}", "")
        .plots(100, 100)
        .initially("{Plant-0: {stage: grow, size#cm: 48}}")
        .build();
    world.wait();
    assert_eq!(world.in_stage("bloom"), 10_000);
    world.wait();
    let flowers = world.values(FLOWERS);
    assert_mean(&flowers, 7.2, 0.0, "flowers");
    assert_variance(&flowers, 4.32, "flowers");
    assert!(flowers.iter().all(|n| (0.0..=18.0).contains(n)));
}

#[test]
fn equation_11_pollinates_with_the_published_mean_and_variance() {
    let bloom = format!(
        ", auto_pollination_rate#prop: 0.6, wind_pollination_rate#prop: 0.1, insect_pollination_rate#prop: 0.3, \
         auto_pollination_success#prop: 0.7, sensitivity_wind_0: {}, sensitivity_pollinator_0: {}, sensitivity_pollinator_visits: 0",
        -ln(0.9),
        -ln(0.4)
    );
    let found = pollinated(&bloom, "{}");
    assert_mean(&found, 11.34, 0.0, "pollinated");
    assert_variance(&found, 4.196, "pollinated");
}

#[test]
fn equation_11_weights_need_not_sum_to_one_and_may_all_be_zero() {
    let rates = |auto: f64, wind: f64, insect: f64| {
        format!(
            ", auto_pollination_rate#prop: {auto}, wind_pollination_rate#prop: {wind}, \
             insect_pollination_rate#prop: {insect}, auto_pollination_success#prop: 0.7"
        )
    };
    // (0.5·0.7 + 0.5·exp(−0.1))/1.0 and twice those weights.
    for weight in [0.5, 1.0] {
        let expected = 18.0 * 0.5 * (0.7 + exp(-0.1));
        assert_mean(&pollinated(&rates(weight, weight, 0.0), "{}"), expected, 0.0, "pollinated");
    }
    assert_eq!(moments(&pollinated(&rates(0.0, 0.0, 0.0), "{}")), (0.0, 0.0));
}

#[test]
fn equation_13_without_insects_a_bean_misses_one_visit() {
    // p = 0.25·0.7 + 0.05·exp(−0.1) + 0.7·exp(−0.1 − 1); with a visit 0.7·exp(−0.1).
    let others = 0.25 * 0.7 + 0.05 * exp(-0.1);
    for (insects, chance) in [(false, others + 0.7 * exp(-1.1)), (true, others + 0.7 * exp(-0.1))] {
        let needs = ", auto_pollination_success#prop: 0.7, sensitivity_pollinator_visits: 1";
        let mut world = blooming(needs, "{}").with(format!("ForcedGuests: {{insects: {insects}}}")).build();
        world.wait();
        let first = world.values(POLLINATED);
        assert_mean(&first, 18.0 * chance, 0.0, "first day");
        assert_variance(&first, 18.0 * chance * (1.0 - chance), "first day");
        world.wait();
        // Only flowers not yet pollinated can be.
        assert_mean(&world.values(POLLINATED), 18.0 * (1.0 - (1.0 - chance).powi(2)), 0.0, "second day");
        let visits = if insects { 2.0 } else { 0.0 };
        assert!(world.values("Plant-0.pollinator_visits#nb").iter().all(|v| *v == visits));
    }
}

#[test]
fn equation_13_visits_add_up_over_the_days_and_the_kinds_of_insects() {
    // Five visits wanted, two kinds of insects: 3 missing on the first day, 1 on the second, none on the third.
    let bloom = ", auto_pollination_rate#prop: 0, wind_pollination_rate#prop: 0, insect_pollination_rate#prop: 1, \
                 sensitivity_pollinator_0: 0, sensitivity_pollinator_visits: 1, pollinator_visits_min#nb: 5";
    let mut world =
        blooming(bloom, "{}").with("ForcedGuests: {insects: true}").with("ForcedGuests: {insects: true}").build();
    let mut left = 18.0;
    for missing in [3.0, 1.0, 0.0] {
        world.wait();
        left *= 1.0 - exp(-missing);
        assert_mean(&world.values(POLLINATED), 18.0 - left, 0.0, "pollinated");
    }
}

#[test]
fn equation_12_wind_pollinates_in_mild_air() {
    let bloom = ", auto_pollination_rate#prop: 0, wind_pollination_rate#prop: 1, insect_pollination_rate#prop: 0";
    for (weather, chance) in [("{t: 26}", exp(-0.1)), ("{t: 28}", exp(-0.9)), ("{t: 1}", exp(-1.3))] {
        assert_mean(&pollinated(bloom, weather), 18.0 * chance, 0.0, weather);
    }
}

#[test]
fn equation_14_flowers_fall_after_their_days() {
    // On day k they are k days old: exp(−(5 − k)), all by day 5.
    let mut world = plant("fruit: {sensitivity_ripe_weight: 1e6}", "{}", "")
        .plots(100, 100)
        .initially("{Plant-0: {stage: bloom}}")
        .build();
    let mut left = 10_000;
    for day in 1..=5 {
        world.wait();
        let now = world.in_stage("bloom");
        assert_share(left - now, left, exp(-f64::from(5 - day)), &format!("day {day}"));
        assert_eq!(world.in_stage("fruit"), 10_000 - now);
        left = now;
    }
    assert_eq!(left, 0);
}

#[test]
fn equation_15_frost_in_a_row_kills_flowers() {
    // Frosts of 1 and 2 days are tolerated, then exp(−2), exp(−4).
    let mut world = blooming("", "{t_min: -1}").build();
    world.wait_days(2);
    assert_eq!(world.in_stage("bloom"), 10_000);
    world.wait();
    let left = world.in_stage("bloom");
    assert_share(left, 10_000, exp(-2.0), "third frost");
    world.wait();
    assert_share(world.in_stage("bloom"), left, exp(-4.0), "fourth frost");
    // A mild day begins the count anew.
    let mut world = blooming("", "{t_min: -1}, {t_min: -1}, {t_min: 0}, {t_min: -1}, {t_min: -1}, {}").build();
    world.wait_days(7);
    assert_eq!(world.in_stage("bloom"), 10_000);
}

#[test]
fn pollinated_flowers_become_fruits_of_one_gram() {
    let mut world = plant("bloom: {bloom_duration#day: 1}, fruit: {rate: {rate_sigma: 0, sensitivity_0: 0}}", "{}", "")
        .plots(20, 20)
        .initially("{Plant-0: {stage: bloom}}")
        .build();
    world.wait();
    assert_eq!(world.in_stage("fruit"), 400);
    let pollinated = world.values(POLLINATED);
    world.wait();
    assert_eq!(world.values("Plant-0.fruits_per_plant#nb"), pollinated);
    assert!(world.values(FLOWERS).iter().all(|n| *n == 0.0), "flowers fall");
    // One gram, and the growth of the first day: √50/7·(1 − 1/50).
    assert_close(world.value(WEIGHT), 1.0 + 50f64.sqrt() / 7.0 * 0.98, "weight");
}

#[test]
fn equation_17_gives_the_weight_of_each_day() {
    for (weather, rate) in [("{t: 20}", 1.0), ("{t: 30}", exp(-0.4)), ("{t: 8}", exp(-1.0))] {
        let parameters = "fruit: {sensitivity_ripe_weight: 1e6, rate: {rate_sigma: 0, sensitivity_0: 0}}";
        let mut world = plant(parameters, weather, "").initially("{Plant-0: {stage: fruit}}").build();
        let mut weight: f64 = 1.0;
        for day in 1..=40 {
            world.wait();
            weight += rate * 50f64.sqrt() / 7.0 * (1.0 - weight / 50.0) * weight.sqrt();
            assert_close(world.value(WEIGHT), weight, &format!("{weather}, day {day}"));
            assert_eq!(world.stages()[0], "fruit");
        }
    }
}

#[test]
fn equation_16_weighs_temperature_nutrients_and_water_of_fruits() {
    // A fruit of 25 of 50 g gains √50/7·0.5·5 g at rate 1.
    let rate = |weather: &str, soil: &str| {
        let mut world = plant("fruit: {rate: {rate_sigma: 0, rate_min: 0, sensitivity_0: 0}}", weather, soil)
            .initially("{Plant-0: {stage: fruit, fruits_per_plant#nb: 10, fruit_weight#g: 25}}")
            .build();
        world.wait();
        (world.value(WEIGHT) - 25.0) / (50f64.sqrt() / 7.0 * 0.5 * 5.0)
    };
    for (weather, expected) in [("{t: 13}", 1.0), ("{t: 28}", 1.0), ("{t: 8}", exp(-1.0)), ("{t: 33}", exp(-1.0))] {
        assert_close(rate(weather, ""), expected, weather);
    }
    // Ten fruits of 25 g need 250 times the consumption per gram; the stock is half of that.
    for (x, consumption, weight) in [("n", 1.1e-4, 3.0), ("p", 3.4e-5, 3.0), ("k", 3.7e-4, 3.0), ("c", 0.02, 1.0)] {
        assert_close(rate("{}", &format!("{x}: {}", 250.0 * consumption)), 1.0, x);
        assert_close(rate("{}", &format!("{x}: {}", 125.0 * consumption)), exp(-0.5 * weight), x);
    }
    // They want 110 + 0.3·70 = 131 L.
    assert_close(rate("{}", "water: 131"), 1.0, "enough water");
    assert_close(rate("{}", "water: 120.5"), exp(-1.5), "half the water");
    assert_close(rate("{t: 33}", "water: 120.5"), exp(-2.5), "penalties add up");
}

#[test]
fn equation_16_base_of_the_bean_and_drought_slow_its_fruits() {
    // exp(−0.2) always; at the wilting point exp(−3) more, which is below the least rate.
    let grown = |soil: &str| {
        let mut world = plant("fruit: {rate: {rate_sigma: 0}}", "{}", soil)
            .initially("{Plant-0: {stage: fruit, fruit_weight#g: 25}}")
            .build();
        world.wait();
        (world.value(WEIGHT) - 25.0, world.value("Plant-0.consecutive_noweight#day"))
    };
    let (gain, missed) = grown("");
    assert_close(gain, exp(-0.2) * 50f64.sqrt() / 7.0 * 0.5 * 5.0, "gain");
    assert_eq!(missed, 0.0);
    assert_eq!(grown("water: 110"), (0.0, 1.0));
}

#[test]
fn demand_of_flowers_and_fruits_is_by_their_number_and_weight() {
    // 3 plants with 10 fruits of 20 g each: 600 g. The height of 120 cm is full, so nothing else is needed.
    let mut world = plant("", "{}", "")
        .initially("{Plant-0: {stage: fruit, population#nb: 3, fruits_per_plant#nb: 10, fruit_weight#g: 20}}")
        .build();
    world.wait();
    for (x, consumption) in [("N", 1.1e-4), ("P", 3.4e-5), ("K", 3.7e-4), ("C", 0.02)] {
        assert_close(world.value(&format!("Plant-0.required_{x}#g")), 600.0 * consumption, x);
    }
    assert_close(world.value("Plant-0.asked_Water#L.day-1"), 600.0 * 1e-4 / 1000.0, "water");
    let mut world =
        plant("", "{}", "").initially("{Plant-0: {stage: bloom, population#nb: 3, flowers_per_plant#nb: 10}}").build();
    world.wait();
    assert_close(world.value("Plant-0.required_N#g"), 30.0 * 1.1e-5, "N of flowers");
    assert_close(world.value("Plant-0.asked_Water#L.day-1"), 30.0 * 0.006 / 1000.0, "water of flowers");
}

#[test]
fn equation_19_lowers_the_weight_at_which_fruits_ripen() {
    let threshold = |fruit: &str, initial: &str| {
        let world = plant(&format!("fruit: {{{fruit}}}"), "{}", "")
            .initially(format!("{{Plant-0: {{stage: fruit{initial}}}}}"))
            .build();
        world.value("Plant-0.fruit_weight_threshold#g")
    };
    assert_close(threshold("", ""), 50.0, "nothing missed");
    assert_close(threshold("", ", cumulated_stress_water#L: 1"), 50.0 * exp(-0.7), "a litre missed");
    assert_close(
        threshold("sensitivity_fruit_pollinators: 0.5", ", pollinator_visits#nb: 1"),
        50.0 * exp(-1.0),
        "two visits missed",
    );
    assert_close(
        threshold("sensitivity_fruit_pollinators: 0.5", ", pollinator_visits#nb: 9"),
        50.0,
        "more visits than wanted",
    );
}

#[test]
fn equation_18_ripens_by_the_missing_grams() {
    // Fruits of 48 g that stand still miss 2 g: exp(−2).
    let mut world = plant("fruit: {growth_speed#g0.5.day-1: 0}", "{}", "")
        .plots(100, 100)
        .initially("{Plant-0: {stage: fruit, fruit_weight#g: 48}}")
        .build();
    world.wait();
    assert_share(world.in_stage("ripe"), 10_000, exp(-2.0), "ripe");
}

#[test]
fn equation_20_fruits_die_in_air_too_dry_or_too_moist_of_pests_and_of_standing_still() {
    let alive = |initial: &str, weather: &str, days: usize, pests: u32| {
        let mut world = plant(
            "fruit: {sensitivity_ripe_weight: 1e6, growth_speed#g0.5.day-1: 1, rate: {rate_sigma: 0}}",
            weather,
            "",
        )
        .plots(100, 100)
        .initially(format!("{{Plant-0: {{stage: fruit{initial}}}}}"))
        .with(format!("ForcedPests: {{pests: {pests}}}"))
        .build();
        world.wait_days(days);
        world.in_stage("fruit")
    };
    assert_share(alive("", "{rh: 30}", 1, 0), 10_000, 1.0, "30 %");
    assert_share(alive("", "{rh: 98}", 1, 0), 10_000, 1.0, "98 %");
    assert_share(alive("", "{rh: 20}", 1, 0), 10_000, exp(-0.5), "20 %");
    assert_share(alive("", "{rh: 100}", 1, 0), 10_000, exp(-0.1), "100 %");
    assert_share(alive("", "{}", 1, 2), 10_000, exp(-0.9), "two pests");
    assert_share(alive(", consecutive_noweight#day: 6", "{}", 1, 0), 10_000, 1.0, "six days");
    assert_share(alive(", consecutive_noweight#day: 9", "{}", 1, 0), 10_000, exp(-0.3), "nine days");
    assert_share(alive("", "{rh: 20}", 3, 0), 10_000, exp(-1.5), "three days of 20 %");
}
