//! The twelve actions: names, effects, and that an illegal one is a Wait.

use std::collections::BTreeSet;

use farm_core::{StepError, Stream};

use super::support::*;

#[test]
fn actions_are_twelve_in_the_order_of_the_rules() {
    let farm = Farm::shipped();
    let catalogue = farm.game.catalogue();
    assert_eq!(catalogue.discrete_len(), 12);
    for (id, name) in NAMES.iter().enumerate() {
        let [call] = catalogue.discrete(id).unwrap() else { panic!("{name} is one call") };
        assert_eq!(catalogue.to_json(call), **name);
        assert_eq!(catalogue.parse_line(name).unwrap(), [*call]);
    }
    assert_eq!(catalogue.waiting(), catalogue.discrete(WAIT).unwrap());
    let mut play = farm.play(0);
    let before = play.state.clone();
    let error = farm.game.step_discrete(&mut play.state, 12, &mut play.record).unwrap_err();
    assert_eq!((error, play.state), (StepError::NoSuchAction { id: 12, last: 11 }, before));
}

#[test]
fn moves_go_one_tile_and_not_over_the_border() {
    for (corner, blocked) in
        [((0, 0), [NORTH, WEST]), ((14, 0), [NORTH, EAST]), ((0, 14), [SOUTH, WEST]), ((14, 14), [SOUTH, EAST])]
    {
        let farm = Level::default().starts_at(corner).build();
        let play = farm.play(0);
        for (action, (dx, dy)) in [(NORTH, (0, -1)), (SOUTH, (0, 1)), (EAST, (1, 0)), (WEST, (-1, 0))] {
            let after = play.after(action);
            if blocked.contains(&action) {
                assert_eq!(after.state, play.after(WAIT).state, "{corner:?} {}", NAMES[action]);
            } else {
                assert_eq!(after.world().at, (corner.0 + dx, corner.1 + dy));
            }
        }
    }
}

#[test]
fn moves_walk_onto_every_site() {
    let farm = Level::default().build();
    for site in farm.play(0).world().sites() {
        let mut play = farm.play(0);
        play.walk(site);
        assert_eq!(play.world().at, site);
    }
}

#[test]
fn plant_seed_makes_a_seedling_of_bare_soil() {
    let farm = Level::default().starts_at((7, 6)).build();
    let mut play = farm.play(0);
    assert_eq!((play.flag(), play.seen("grid")[12]), ("none", 1.0));
    play.step(PLANT);
    assert_eq!((play.flag(), play.seen("grid")[12]), ("seedling", 2.0));
    assert_eq!(play.item(SEEDS), 4.0);
    assert_eq!(play.after(PLANT).state, play.after(WAIT).state, "the soil is taken");
    assert!(play.world().fields[1..].iter().all(|field| field.1 == 0), "the other fields stay bare");
}

#[test]
fn water_crop_leads_exactly_one_stage_on_and_is_illegal_on_a_mature_crop() {
    let farm = Level::default().starts_at((7, 6)).build();
    let mut play = farm.play(0);
    assert_eq!(play.after(WATER).state, play.after(WAIT).state, "bare soil");
    play.step(PLANT);
    for (flag, terrain, left) in [("growing", 3.0, 4.0), ("mature", 4.0, 3.0)] {
        play.step(WATER);
        assert_eq!((play.flag(), play.seen("grid")[12], play.item(WATER_LEFT)), (flag, terrain, left));
    }
    assert_eq!(play.after(WATER).state, play.after(WAIT).state, "mature: the water is kept");
    play.steps(&[WAIT; 10]);
    assert_eq!(play.flag(), "mature", "mature crops never regress");
}

#[test]
fn harvest_crop_takes_a_mature_crop_and_frees_the_soil() {
    let farm = Level::default().starts_at((7, 6)).build();
    let mut play = farm.play(0);
    for _ in 0..2 {
        for action in [PLANT, WATER, WATER] {
            assert_eq!(play.after(HARVEST).state, play.after(WAIT).state, "not mature");
            play.step(action);
        }
        assert_eq!(play.step(HARVEST).reward, 0.1);
        assert_eq!((play.flag(), play.seen("grid")[12]), ("none", 1.0));
    }
    assert_eq!([play.item(CROPS), play.item(SEEDS), play.item(WATER_LEFT)], [2.0, 3.0, 1.0]);
}

#[test]
fn feed_animal_takes_feed_until_none_is_left() {
    let farm = Level::default().starts_at((9, 7)).build();
    let mut play = farm.play(0);
    for left in [2.0, 1.0, 0.0] {
        play.step(FEED);
        assert_eq!((play.item(FEED_LEFT), play.flag()), (left, "sated"));
    }
    assert_eq!(play.after(FEED).state, play.after(WAIT).state);
}

#[test]
fn collect_product_takes_all_stock_of_a_sated_animal_and_nothing_else() {
    let farm = Level::default().starts_at((9, 7)).build();
    let mut play = farm.play(0);
    assert_eq!(play.after(COLLECT).state, play.after(WAIT).state, "hungry, and no stock");
    play.step(FEED);
    for _ in 1..5 {
        assert_eq!(play.after(COLLECT).state, play.after(WAIT).state, "no stock yet");
        play.step(WAIT);
    }
    play.steps(&[WAIT; 5]);
    // In the tenth step after the feeding two products are there, and the animal is sated for the last time.
    let mut late = play.after(WAIT);
    let before = play.world().inventory;
    assert_eq!(late.after(COLLECT).state, late.after(WAIT).state, "hungry");
    assert_eq!(play.step(COLLECT).reward, 0.4);
    let mut expected = before;
    expected[PRODUCTS] += 2.0;
    assert_eq!(play.world().inventory, expected);
    assert_eq!(play.world().animals[0].stock, 0);
    late.step(WAIT);
    assert_eq!(late.world().animals[0].stock, 2, "what is not collected stays");
}

#[test]
fn wait_changes_nothing_but_the_time() {
    let farm = Level::default().starts_at((7, 6)).build();
    let mut play = farm.play(0);
    play.step(PLANT);
    for step in 1..49 {
        let before = play.world();
        let outcome = play.step(WAIT);
        assert_eq!(outcome.reward, 0.0);
        let after = play.world();
        assert_eq!(after.step, step + 1);
        assert_eq!(World { step: before.step, ..after }, before);
    }
}

#[test]
fn moves_are_stopped_by_obstacles() {
    let farm = Farm::with(&[("fields.Field-0.entities.0.TileMap.obstacles#nb", "60")]);
    let [mut stopped, mut moved] = [0; 2];
    for seed in 0..200 {
        let play = farm.play(seed);
        let world = play.world();
        for (action, (dx, dy)) in [(NORTH, (0, -1)), (SOUTH, (0, 1)), (EAST, (1, 0)), (WEST, (-1, 0))] {
            let target = (world.at.0 + dx, world.at.1 + dy);
            let after = play.after(action);
            if world.terrain(target) == OBSTACLE {
                assert_eq!(after.state, play.after(WAIT).state, "seed {seed}");
                stopped += 1;
            } else {
                assert_eq!(after.world().at, target, "seed {seed}");
                moved += 1;
            }
        }
    }
    assert!(stopped > 50 && moved > 50, "{stopped} stopped, {moved} moved");
}

#[test]
fn give_gift_looks_on_the_own_tile_then_north_east_south_west() {
    let order = [(4, 7), (4, 6), (5, 7), (4, 8), (3, 7)];
    for first in 0..order.len() {
        let mut level = Level::default().starts_at((4, 7));
        // The last in the order comes first in the list of villagers.
        level.villagers = order[first..].iter().rev().take(3).map(|at| (*at, 0.0)).collect();
        let farm = level.build();
        let mut play = farm.play(0);
        play.step(GIFT);
        let chosen = play.world().villagers.iter().find(|villager| villager.relationship > 0.0).map(|v| v.at);
        let expected = order.iter().find(|at| level.villagers.iter().any(|v| v.0 == **at));
        assert_eq!(chosen.as_ref(), expected);
        assert_eq!(play.item(GIFTS), 2.0);
    }
}

#[test]
fn give_gift_reaches_no_diagonal_and_no_second_tile() {
    for at in [(3, 6), (5, 6), (3, 8), (5, 8), (4, 5), (6, 7), (4, 9), (2, 7)] {
        let mut level = Level::default().starts_at((4, 7));
        level.villagers = vec![(at, 0.0)];
        let farm = level.build();
        let play = farm.play(0);
        assert_eq!(play.after(GIFT).state, play.after(WAIT).state, "{at:?}");
    }
}

#[test]
fn give_gift_does_not_reach_around_the_border_of_the_map() {
    for (start, home) in [((14, 3), (0, 4)), ((0, 4), (14, 3)), ((3, 0), (3, 14))] {
        let mut level = Level::default().starts_at(start);
        level.villagers = vec![(home, 0.0)];
        let farm = level.build();
        let play = farm.play(0);
        assert_eq!(play.after(GIFT).state, play.after(WAIT).state, "{home:?}");
    }
}

#[test]
fn sell_at_market_sells_all_or_is_illegal() {
    let farm = Level::default().starts_at((7, 8)).build();
    let play = farm.play(0);
    assert_eq!(play.after(SELL).state, play.after(WAIT).state, "nothing to sell");
    let farm = Level::default().starts_at((7, 9)).item("crops", "4").build();
    let play = farm.play(0);
    assert_eq!(play.after(SELL).state, play.after(WAIT).state, "beside the market");
}

/// What a world allows, by the table of the rules.
fn is_legal(world: &World, action: usize) -> bool {
    let has = |item: usize| world.inventory[item] > 0.0;
    let field = world.fields.iter().find(|field| field.0 == world.at).map(|field| field.1);
    let animal = world.animals.iter().find(|animal| animal.at == world.at);
    let (x, y) = world.at;
    match action {
        NORTH => y > 0,
        SOUTH => y < 14,
        EAST => x < 14,
        WEST => x > 0,
        PLANT => field == Some(0) && has(SEEDS),
        WATER => matches!(field, Some(1 | 2)) && has(WATER_LEFT),
        HARVEST => field == Some(3),
        FEED => animal.is_some() && has(FEED_LEFT),
        COLLECT => animal.is_some_and(|animal| animal.sated_steps > 0 && animal.stock > 0),
        GIFT => has(GIFTS) && world.villagers.iter().any(|v| (v.at.0 - x).abs() + (v.at.1 - y).abs() <= 1),
        SELL => world.markets.contains(&world.at) && (has(CROPS) || has(PRODUCTS)),
        _ => true,
    }
}

/// Every action in every context that random play on several games reaches: the kind of the tile underfoot with its
/// stage, and which items are used up.
#[test]
fn illegal_is_a_wait_for_every_action_in_every_context_and_the_mask_tells() {
    let mut seen = BTreeSet::new();
    let poor = "{seeds: 1, water: 2, crops: 0, feed: 0, products: 0, coins: 0, gifts: 0}";
    let games = [
        Farm::shipped(),
        Level::default().build(),
        Level::default().set("farmers.0.GridFarmer.inventory#nb", poor).build(),
        Level::default().item("seeds", "0").item("feed", "1").item("crops", "1").build(),
        Farm::with(&[("Field-0.TileMap-0.obstacles#nb", "60")]),
    ];
    for (g, farm) in games.iter().enumerate() {
        for seed in 0..150 {
            let mut play = farm.play(seed);
            let mut stream = Stream::from_seed(seed);
            for _ in 0..49 {
                let world = play.world();
                let waited = play.after(WAIT);
                let mut mask = vec![0; 12];
                farm.game.effect_mask(&play.state, &mut mask);
                for action in 0..12 {
                    let towards = [(0, -1), (0, 1), (1, 0), (-1, 0)].get(action);
                    let target = towards.map(|(dx, dy)| (world.at.0 + dx, world.at.1 + dy));
                    let open = target.is_none_or(|target| world.terrain(target) != OBSTACLE);
                    let legal = is_legal(&world, action) && open;
                    let after = play.after(action);
                    let context = format!("game {g}, seed {seed}, step {}, {}", world.step, NAMES[action]);
                    assert_eq!(after.state == waited.state, !legal || action == WAIT, "{context}");
                    assert_eq!(mask[action] == 1, legal, "{context}");
                    if !legal {
                        assert!(after.record.events().is_empty() && after.record.rejected().is_empty(), "{context}");
                        let flag = play.seen("centre")[0] as u8;
                        seen.insert((action, world.terrain(world.at), flag));
                    }
                }
                play.step(busy_action(&mut stream, &world, seed));
            }
        }
    }
    // Each of the seven acts was refused on each kind of tile where it means nothing.
    for action in [PLANT, WATER, HARVEST, FEED, COLLECT, SELL] {
        let terrains: BTreeSet<u8> =
            seen.iter().filter(|(a, ..)| *a == action).map(|(_, terrain, _)| *terrain).collect();
        assert!(terrains.len() >= 8, "{}: {terrains:?}", NAMES[action]);
    }
    assert!(seen.len() > 70, "{}", seen.len());
}
