//! Seeds: survival (Eq. 2) and sprouting (Eq. 3), with forced weather and soil.

use farm_core::math::exp;

use crate::world::{Scenario, World, assert_share, plant};

const SEEDS: u64 = 10;

fn field(seed: &str, weather: &str) -> Scenario {
    plant(&format!("seed: {{{seed}}}"), weather, "").plots(40, 50)
}

/// The plots in a stage after some days, over all seeds, and how many plots there are.
fn count(scenario: &Scenario, days: usize, stage: &str) -> (usize, usize) {
    let mut world = scenario.build();
    let mut hits = 0;
    for seed in 0..SEEDS {
        world.env.reset(seed);
        world.wait_days(days);
        hits += world.in_stage(stage);
    }
    (hits, 2000 * SEEDS as usize)
}

#[test]
fn equations_2_and_3_young_seeds_never_die_and_hardly_sprout_before_their_age() {
    // On day k the seed is k − 1 days old and misses 5 − k days: chance exp(−1·(5 − k)).
    let mut world = field("", "{}").build();
    let (mut sprouted, mut waiting) = ([0; 6], [0; 6]);
    for seed in 0..SEEDS {
        world.env.reset(seed);
        let mut seeds = 2000;
        for day in 1..=5 {
            world.wait();
            let left = world.in_stage("seed");
            waiting[day] += seeds;
            sprouted[day] += seeds - left;
            seeds = left;
            assert_eq!(world.in_stage("dead"), 0, "day {day}");
        }
    }
    for day in 1..=5 {
        let chance = exp(-(5.0 - day as f64));
        assert_share(sprouted[day], waiting[day], chance, &format!("sprouting on day {day}"));
    }
}

#[test]
fn equation_2_old_seeds_die_by_their_age_alone() {
    // Without sprouting, the seed is 11 days old on day 12: each day survives exp(−0.8·(age − 10)).
    let scenario = field("sensitivity_sprout_0: 100, sprout_age_min#day: 0", "{}");
    let mut world = scenario.build();
    let mut alive = [0usize; 15];
    for seed in 0..SEEDS {
        world.env.reset(seed);
        for count in alive.iter_mut().skip(1) {
            world.wait();
            *count += world.in_stage("seed");
        }
    }
    assert_eq!(alive[11], 20_000, "nobody dies up to the age of 10");
    assert_share(alive[12], alive[11], exp(-0.8), "day 12");
    assert_share(alive[13], alive[12], exp(-1.6), "day 13");
    assert_share(alive[14], alive[13], exp(-2.4), "day 14");
}

#[test]
fn equation_3_cold_and_dry_air_delay_sprouting() {
    for (weather, chance) in [
        ("{t: 8, rh: 50}", 1.0),
        ("{t: 25, rh: 95}", 1.0),
        // 0.7 for each of 2 degrees below 8, 0.4 for each of 3 % below 50.
        ("{t: 6}", exp(-1.4)),
        ("{t: 27}", exp(-1.4)),
        ("{rh: 47}", exp(-1.2)),
        ("{rh: 98}", exp(-1.2)),
        ("{t: 7, rh: 48}", exp(-1.5)),
    ] {
        let scenario = field("", weather).initially("{Plant-0: {age_seed#day: 4}}");
        let (hits, of) = count(&scenario, 1, "grow");
        assert_share(hits, of, chance, weather);
    }
}

#[test]
fn equation_2_birds_eat_seeds() {
    // 3 birds are 2.01 more than tolerated.
    for (birds, survival) in [(0, 1.0), (3, exp(-2.01))] {
        let scenario = field("sensitivity_sprout_0: 100", "{}").with(format!("ForcedGuests: {{birds: {birds}}}"));
        let (hits, of) = count(&scenario, 1, "seed");
        assert_share(hits, of, survival, "seeds left");
    }
}

#[test]
fn equations_2_and_3_death_is_drawn_once_a_day_and_first() {
    // Survival exp(−0.5), sprouting exp(−1): sprouted are exp(−1.5), as a seed that dies can't sprout.
    let scenario = field("sensitivity_death_0: 0.5, sensitivity_sprout_0: 1, sprout_age_min#day: 0", "{}");
    for (stage, share) in [("dead", 1.0 - exp(-0.5)), ("grow", exp(-1.5)), ("seed", exp(-0.5) - exp(-1.5))] {
        let (hits, of) = count(&scenario, 1, stage);
        assert_share(hits, of, share, stage);
    }
}

#[test]
fn a_seed_grows_a_day_older_each_day() {
    let mut world = field("sensitivity_sprout_0: 100", "{}").build();
    for day in 1..=10 {
        world.wait();
        assert!(world.values("Plant-0.age_seed#day").iter().all(|age| *age == f64::from(day)), "day {day}");
    }
}

#[test]
fn seeds_ask_for_nothing_and_shade_nothing() {
    let mut world: World = field("sensitivity_sprout_0: 100", "{et0: 5}").build();
    world.wait();
    for name in ["asked_Water#L.day-1", "asked_N#g.day-1", "shade#m2", "size#cm"] {
        assert!(world.values(&format!("Plant-0.{name}")).iter().all(|v| *v == 0.0), "{name}");
    }
}

#[test]
fn one_plot_over_many_seeds_follows_the_same_law_as_many_plots() {
    let mut world = field("", "{t: 6}").plots(1, 1).initially("{Plant-0: {age_seed#day: 4}}").build();
    let mut hits = 0;
    for seed in 0..10_000 {
        world.env.reset(seed);
        world.wait();
        hits += world.in_stage("grow");
    }
    assert_share(hits, 10_000, exp(-1.4), "sprouting");
}
