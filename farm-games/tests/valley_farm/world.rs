//! Rules V1 to V7: size, start, what is carried, the end, and levels.

use farm_core::StepError;
use farm_games::{Options, open};

use super::support::*;

#[test]
fn v1_the_map_has_fifteen_by_fifteen_tiles_with_north_up() {
    let farm = Level::default().starts_at((0, 0)).build();
    let mut play = farm.play(0);
    play.walk((14, 14));
    assert_eq!(play.world().at, (14, 14));
    assert_eq!(play.step(EAST).reward, 0.0);
    play.step(SOUTH);
    assert_eq!(play.world().at, (14, 14));
    play.step(NORTH);
    assert_eq!(play.world().at, (14, 13));
}

#[test]
fn v3_the_farmer_starts_at_the_centre_or_anywhere_free() {
    let farm = Farm::shipped();
    assert!((0..200).all(|seed| farm.play(seed).world().at == CENTRE));
    let farm = Farm::with(&[("farmers.0.GridFarmer.start", "random")]);
    let mut counts = vec![0.0; 225];
    for seed in 0..10_000 {
        let world = farm.play(seed).world();
        assert_eq!(world.terrain(world.at), 0, "on free ground");
        counts[(world.at.1 * SIZE + world.at.0) as usize] += 1.0;
    }
    assert_uniform("starts", &counts);
}

#[test]
fn v5_fields_are_bare_animals_hungry_and_relationships_even() {
    let farm = Farm::shipped();
    let mut counts = [[0.0; 5]; 3];
    for seed in 0..10_000 {
        let world = farm.play(seed).world();
        assert!(world.fields.iter().all(|field| field.1 == 0));
        assert!(world.animals.iter().all(|a| (a.sated_steps, a.ticks, a.stock) == (0, 0, 0)));
        for (counts, villager) in counts.iter_mut().zip(&world.villagers) {
            assert_eq!(villager.relationship % 10.0, 0.0);
            counts[(villager.relationship / 10.0) as usize] += 1.0;
            assert_eq!(villager.friendly, villager.relationship >= 20.0);
        }
    }
    counts.iter().for_each(|counts| assert_uniform("relationships", counts));
}

#[test]
fn v5_a_level_may_hold_any_relationship() {
    let mut level = Level::default();
    level.villagers[1].1 = 12.345;
    let farm = level.build();
    assert_eq!(farm.play(0).world().villagers[1].relationship, 12.345);
}

#[test]
fn v6_the_inventory_at_the_start() {
    let farm = Farm::shipped();
    assert_eq!(farm.play(0).world().inventory, [5.0, 5.0, 0.0, 3.0, 0.0, 0.0, 3.0]);
    assert_eq!(farm.play(0).seen("inventory"), [5.0, 5.0, 0.0, 3.0, 0.0, 0.0, 3.0]);
}

#[test]
fn v7_fifty_steps_then_terminated_with_a_reason_and_a_further_step_is_an_error() {
    let farm = Farm::shipped();
    let mut play = farm.play(3);
    for step in 1..=50 {
        let outcome = play.step(WAIT);
        assert_eq!((outcome.terminated, outcome.truncated, outcome.reward), (step == 50, false, 0.0), "step {step}");
        assert_eq!(play.record.stop().is_some(), step == 50);
    }
    let stop = play.record.stop().expect("a reason");
    assert_eq!(farm.game.text().stop_reason(stop), "after 50 steps");
    let over = play.state.clone();
    let error = farm.game.step_discrete(&mut play.state, WAIT, &mut play.record).unwrap_err();
    assert_eq!((error, &play.state), (StepError::Over { steps: 50 }, &over));
}

#[test]
fn v7_used_up_resources_do_not_end_the_episode() {
    let farm = Level::default()
        .set(
            "farmers.0.GridFarmer.inventory#nb",
            "{seeds: 0, water: 0, crops: 0, feed: 0, products: 0, coins: 0, gifts: 0}",
        )
        .build();
    let mut play = farm.play(0);
    assert!((0..49).all(|i| !play.step(i % 12).over()));
}

#[test]
fn v7_reset_is_legal_at_any_time() {
    let farm = Farm::shipped();
    for steps in [0, 1, 20, 50] {
        let mut play = farm.play(8);
        play.steps(&vec![EAST; steps]);
        farm.game.reset(&mut play.state, 9, &mut play.record);
        assert_eq!(play.state, farm.play(9).state, "after {steps} steps");
    }
}

#[test]
fn levels_hold_every_fact_of_a_world() {
    let mut level = Level::default().starts_at((2, 3)).item("coins", "1.5");
    level.fields[2].1 = Some("growing");
    level.animals[1] = ((10, 7), 4, 2, 1);
    let farm = level.build();
    for seed in [0, 77] {
        let world = farm.play(seed).world();
        assert_eq!(world.at, (2, 3));
        assert_eq!(world.inventory[COINS], 1.5);
        assert_eq!(world.fields, [((7, 6), 0), ((6, 6), 0), ((8, 6), 2), ((7, 5), 0)]);
        // The tick of the first step comes before its action: it is counted already.
        assert_eq!(world.animals[1], Animal { at: (10, 7), sated_steps: 4, ticks: 3, stock: 1 });
        let villagers: Vec<_> = world.villagers.iter().map(|v| (v.at, v.relationship)).collect();
        assert_eq!(villagers, level.villagers);
        assert_eq!(world.markets, [level.market]);
        let drawn = [(2, 0), (1, 3), (3, 1), (5, 1), (6, 1), (7, 1), (8, 3), (9, 1)];
        for (terrain, count) in drawn {
            assert_eq!(
                world.terrain.iter().filter(|t| **t == terrain).count(),
                count,
                "{}",
                TERRAINS[usize::from(terrain)]
            );
        }
    }
}

#[test]
fn levels_with_mistakes_are_refused_with_a_reason() {
    let wrong: [(&str, &str, &str); 8] = [
        ("Field-0.CropTiles-0.placed", "[{x: 15, y: 0}]", "beyond the map"),
        ("Field-0.CropTiles-0.placed", "[{x: 1, y: 0}, {x: 1, y: 0}]", "two things"),
        ("Field-0.CropTiles-0.placed", "[{x: 1, y: 0, stage: mture}]", "not a stage"),
        ("Field-0.AnimalTiles-0.placed", "[{x: 1, y: 0, terrain: barn_pig}]", "no terrain"),
        ("Field-0.NeighbourTiles-0.placed", "[{x: 1, y: 0, relationship#point: 101}]", "above the maximum"),
        ("farmers.0.GridFarmer.starts_at", "{x: 0, y: 15}", "beyond the map"),
        ("Field-0.CropTiles-0.seed_item", "sedes", "carries no"),
        ("score.EventScore.weights#point", "{harvset: 1}", "no part emits"),
    ];
    for (path, value, expected) in wrong {
        let set = vec![(path.to_owned(), value.to_owned())];
        let problems =
            open("valley_farm", &Options { preset: None, set, ..Default::default() }).unwrap_err().to_string();
        assert!(problems.contains(expected), "{path}: {problems}");
    }
}

#[test]
fn levels_agree_with_what_initial_conditions_set() {
    let conditions = "{Field-0: {CropTiles-0: {stage: mature}, AnimalTiles-0: {sated_steps#step: 2, stock#nb: 4}, \
                      NeighbourTiles-0: {relationship#point: 20}}, GridFarmer-0: {seeds#nb: 1}}";
    let farm = Farm::with(&[("rules.BasicRule.initial_conditions", conditions)]);
    for seed in 0..20 {
        let mut play = farm.play(seed);
        let world = play.world();
        assert_eq!(world.inventory[SEEDS], 1.0);
        assert!(world.villagers.iter().all(|villager| villager.relationship == 20.0 && villager.friendly));
        assert!(world.fields.iter().all(|(at, stage)| *stage == 3 && world.terrain(*at) == 4));
        assert!(world.animals.iter().all(|animal| (animal.sated_steps, animal.stock) == (2, 4)));
        play.walk(world.fields[0].0);
        assert_eq!((play.flag(), play.step(HARVEST).reward), ("mature", 0.1));
    }
}
