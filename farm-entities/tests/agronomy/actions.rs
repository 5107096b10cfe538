//! Sowing, harvesting and removing, and what a yield is.

use crate::world::{Scenario, World, assert_close, plant};

/// Cold: seeds stay seeds.
const COLD: &str = "{t: -20}";
const STOCK: &str = "Plant-0.harvest_weight#kg";
const PER_PLANT: [&str; 8] = [
    "population#nb",
    "size#cm",
    "flowers_per_plant#nb",
    "fruits_per_plant#nb",
    "fruit_weight#g",
    "cumulated_nutrients_N#g",
    "cumulated_stress_nutrients_C#g",
    "cumulated_stress_water#L",
];

fn sow(amount: f64, spacing: f64) -> String {
    format!("Plant-0 sow {{\"plot\": [0, 0], \"amount#seed\": {amount}, \"spacing#cm\": {spacing}}}")
}

const MICRO: &str = "Plant-0 micro_harvest {\"plot\": [0, 0]}";
const REMOVE: &str = "Plant-0 remove {\"plot\": [0, 0]}";

fn started(stage: &str) -> Scenario {
    plant("", COLD, "").initially(format!("{{Plant-0: {{stage: {stage}}}}}"))
}

/// Ripe plants whose fruits keep.
fn ripe(population: u32) -> Scenario {
    plant("ripe: {ripe_rate_sigma: 0}", COLD, "").initially(format!(
        "{{Plant-0: {{stage: ripe, population#nb: {population}, fruits_per_plant#nb: 10, fruit_weight#g: 40, cumulated_nutrients_N#g: 2, \
         cumulated_stress_nutrients_C#g: 3, cumulated_stress_water#L: 4}}}}"
    ))
}

fn sown(world: &World) -> bool {
    world.stages()[0] == "seed"
        && world.value("Plant-0.population#nb") == 7.0
        && world.value("Plant-0.age_seed#day") == 1.0
}

#[test]
fn only_plots_without_plants_can_be_sown() {
    for (stage, can) in [
        ("none", true),
        ("seed", true),
        ("harvested", true),
        ("grow", false),
        ("bloom", false),
        ("fruit", false),
        ("ripe", false),
        ("dead", false),
    ] {
        let mut world = started(stage).build();
        world.act(&[&sow(7.0, 10.0)]);
        assert_eq!(sown(&world), can, "{stage} became {:?}", world.stages());
    }
}

#[test]
fn sowing_begins_anew_with_the_age() {
    let mut world = started("seed").build();
    world.wait_days(5);
    assert_eq!(world.value("Plant-0.age_seed#day"), 5.0);
    world.act(&[&sow(7.0, 10.0)]);
    assert!(sown(&world));
}

#[test]
fn no_more_seeds_are_sown_than_their_spacing_leaves_room_for() {
    // floor(A/(spacing/100)²) by hand.
    for (scale, amount, spacing, population) in [
        (1.0, 3.0, 10.0, 3.0),
        (1.0, 30.0, 50.0, 4.0),
        (1.0, 30.0, 40.0, 6.0),
        (1.0, 30.0, 20.0, 25.0),
        (1.0, 100.0, 10.0, 100.0),
        (0.5, 30.0, 10.0, 25.0),
        (2.0, 30.0, 50.0, 16.0),
        (3.0, 30.0, 60.0, 25.0),
    ] {
        let mut world = started("none").scale(scale).build();
        world.act(&[&sow(amount, spacing)]);
        let found = world.value("Plant-0.population#nb");
        assert_eq!(found, population, "{amount} seeds at {spacing} cm on {scale} m × {scale} m");
    }
}

#[test]
fn yield_is_population_times_fruits_times_weight() {
    for (population, kg) in [(1, 0.4), (30, 12.0)] {
        let mut world = ripe(population).build();
        world.act(&[MICRO]);
        assert_close(world.value(STOCK), kg, "10 fruits of 40 g on each plant");
        assert_eq!(world.stages()[0], "harvested");
        let event = world.env.info().to_json()["events"][0].clone();
        assert_eq!(event["kind"], "harvest");
        assert_close(event["value"].as_f64().unwrap(), kg, "event");
        for name in PER_PLANT {
            assert_eq!(world.value(&format!("Plant-0.{name}")), 0.0, "{name}");
        }
    }
}

#[test]
fn a_harvest_counts_once_and_stays_counted() {
    let mut world = ripe(1).build();
    world.act(&["Plant-0 harvest", MICRO]);
    world.act(&["Plant-0 harvest"]);
    assert_close(world.value(STOCK), 0.4, "twice harvested");
    world.act(&[&sow(7.0, 10.0)]);
    assert!(sown(&world));
    world.act(&[REMOVE]);
    world.act(&["Plant-0 harvest"]);
    assert_close(world.value(STOCK), 0.4, "sown, removed and harvested again");
}

#[test]
fn only_fruits_can_be_harvested() {
    for stage in ["none", "seed", "grow", "bloom", "dead"] {
        for line in ["Plant-0 harvest", MICRO] {
            let (mut acting, mut waiting) = (started(stage).build(), started(stage).build());
            acting.act(&[line]);
            waiting.wait();
            assert_eq!(acting.env.state(), waiting.env.state(), "{line} in {stage}");
        }
    }
    let mut world =
        plant("", COLD, "").initially("{Plant-0: {stage: fruit, fruits_per_plant#nb: 5, fruit_weight#g: 20}}").build();
    world.act(&[MICRO]);
    assert_close(world.value(STOCK), 0.1, "unripe fruits");
    assert_eq!(world.stages()[0], "harvested");
}

#[test]
fn harvest_takes_all_plots_and_micro_harvest_one() {
    let field = || ripe(1).plots(2, 3).build();
    let mut world = field();
    world.act(&["Plant-0 harvest"]);
    assert_eq!(world.in_stage("harvested"), 6);
    assert_close(world.value(STOCK), 2.4, "all");
    let mut world = field();
    world.act(&["Plant-0 micro_harvest {\"plot\": [1, 0]}"]);
    // Plots are counted from west to east, and within that from north to south.
    let stages: Vec<usize> = (0..6).filter(|i| world.stages()[*i] == "harvested").collect();
    assert_eq!(stages, [3]);
    assert_close(world.value(STOCK), 0.4, "one");
}

#[test]
fn removing_leaves_nothing_and_yields_nothing() {
    for stage in ["seed", "grow", "bloom", "fruit", "ripe", "dead", "harvested"] {
        let mut world = started(stage).build();
        world.act(&[REMOVE]);
        assert_eq!(world.stages()[0], "none", "{stage}");
        assert_eq!(world.value(STOCK), 0.0);
        for name in PER_PLANT {
            assert_eq!(world.value(&format!("Plant-0.{name}")), 0.0, "{name}");
        }
    }
}

#[test]
fn the_global_stage_is_that_of_three_quarters() {
    let global = |plots: &[&str]| {
        let mut world = started("none").plots(2, 2).build();
        let lines: Vec<String> = plots.iter().map(|plot| sow(3.0, 10.0).replace("[0, 0]", plot)).collect();
        world.act(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let kind = world.variable("Plant-0.global_stage").kind().clone();
        kind.labels(0).unwrap().name(world.value("Plant-0.global_stage") as usize)
    };
    assert_eq!(global(&["[0, 0]", "[0, 1]"]), "undefined");
    assert_eq!(global(&["[0, 0]", "[0, 1]", "[1, 0]"]), "seed");
    assert_eq!(global(&["[0, 0]"]), "none");
}
