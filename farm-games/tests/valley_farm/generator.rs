//! Rules V2 and V4 over ten thousand seeds: where things lie, and that all of it can be reached.

use std::collections::BTreeSet;

use farm_games::{Options, open};

use super::support::*;

const SEEDS: u64 = 10_000;

#[test]
fn v2_eleven_things_on_tiles_of_their_own_uniformly_off_the_centre() {
    let farm = Farm::shipped();
    let mut play = farm.play(0);
    let mut used = vec![vec![0.0; 225]; 11];
    for seed in 0..SEEDS {
        farm.game.reset(&mut play.state, seed, &mut play.record);
        let world = play.world();
        let counts = (world.fields.len(), world.animals.len(), world.villagers.len(), world.markets.len());
        assert_eq!(counts, (4, 3, 3, 1), "seed {seed}");
        let sites = world.sites();
        assert!(sites.iter().all(|site| on_map(*site) && *site != CENTRE), "seed {seed}: {sites:?}");
        assert_eq!(sites.iter().collect::<BTreeSet<_>>().len(), 11, "seed {seed}: {sites:?}");
        let terrains = [1, 1, 1, 1, 5, 6, 7, 8, 8, 8, 9];
        for (rank, (site, terrain)) in sites.iter().zip(terrains).enumerate() {
            assert_eq!(world.terrain(*site), terrain, "seed {seed}");
            used[rank][(site.1 * SIZE + site.0) as usize] += 1.0;
        }
        assert_eq!(world.terrain.iter().filter(|terrain| **terrain == 0).count(), 225 - 11, "seed {seed}");
    }
    for (rank, mut counts) in used.into_iter().enumerate() {
        assert_eq!(counts.remove(7 * 15 + 7), 0.0, "the centre stays free");
        assert_uniform(format!("thing {rank}"), &counts);
    }
}

#[test]
fn v2_two_things_lie_independently_of_each_other() {
    // The distance classes of the first two fields against all ordered pairs of different tiles off the centre.
    let farm = Farm::shipped();
    let tiles: Vec<Tile> = (0..225).map(|i| (i % 15, i / 15)).filter(|tile| *tile != CENTRE).collect();
    let class = |a: Tile, b: Tile| ((a.0 - b.0).abs() + (a.1 - b.1).abs()) as usize;
    let mut expected = [0.0; 29];
    for a in &tiles {
        for b in tiles.iter().filter(|b| *b != a) {
            expected[class(*a, *b)] += SEEDS as f64 / (224.0 * 223.0);
        }
    }
    let mut counts = [0.0; 29];
    for seed in 0..SEEDS {
        let fields = farm.play(seed).world().fields;
        counts[class(fields[0].0, fields[1].0)] += 1.0;
    }
    assert_eq!(counts[0], 0.0);
    for (distance, (n, e)) in counts.iter().zip(expected).enumerate().skip(1) {
        assert!((n - e).abs() < 5.0 * e.sqrt() + 1.0, "distance {distance}: {n}, {e:.0} expected");
    }
}

#[test]
fn v2_geography_is_constant_during_the_episode() {
    let farm = Farm::shipped();
    for seed in 0..50 {
        let mut play = farm.play(seed);
        let before = play.world().sites();
        for action in (0..12).cycle().take(50) {
            play.step(action);
            assert_eq!(play.world().sites(), before, "seed {seed}");
        }
    }
}

#[test]
fn v4_obstacles_leave_every_tile_reachable() {
    let farm = Farm::with(&[("Field-0.TileMap-0.obstacles#nb", "60")]);
    let mut play = farm.play(0);
    for seed in 0..SEEDS {
        farm.game.reset(&mut play.state, seed, &mut play.record);
        let world = play.world();
        let closed = world.terrain.iter().filter(|terrain| **terrain == OBSTACLE).count();
        assert_eq!(closed, 60, "seed {seed}");
        let mut reached = BTreeSet::from([CENTRE]);
        let mut open = vec![CENTRE];
        while let Some((x, y)) = open.pop() {
            for next in [(x, y - 1), (x, y + 1), (x + 1, y), (x - 1, y)] {
                if world.terrain(next) != OBSTACLE && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        assert_eq!(reached.len(), 225 - 60, "seed {seed}");
    }
}

#[test]
fn v4_there_are_no_obstacles_unless_asked_for_and_at_most_a_third_of_the_map() {
    assert!(!Farm::shipped().play(0).world().terrain.contains(&OBSTACLE));
    let farm = Farm::with(&[("Field-0.TileMap-0.obstacles#nb", "75")]);
    assert_eq!(farm.play(0).world().sites().iter().filter(|site| on_map(**site)).count(), 11);
    let set = vec![("Field-0.TileMap-0.obstacles#nb".to_owned(), "76".to_owned())];
    let problems = open("valley_farm", &Options { preset: None, set, ..Default::default() }).unwrap_err().to_string();
    assert!(problems.contains("obstacles#nb") && problems.contains("at most 75"), "{problems}");
}
