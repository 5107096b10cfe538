//! Rule B2's preset `scattered`: the same things without zones.

use std::collections::BTreeSet;

use super::generator::{SEEDS, assert_all_reachable};
use super::support::*;

#[test]
fn b2_scattered_things_lie_anywhere_off_the_fences() {
    let valley = Valley::preset("scattered");
    let mut play = valley.play(0);
    let mut used = [[0.0; 100]; 3];
    let mut expected = [[0.0; 100]; 3];
    for seed in 0..SEEDS {
        valley.game.reset(&mut play.state, seed, &mut play.record);
        let world = play.world();
        assert_all_reachable(seed as usize, &world);
        let tiles: BTreeSet<Tile> = world.things.iter().map(|thing| thing.at).collect();
        assert_eq!(tiles.len(), COUNTS.iter().sum::<usize>(), "seed {seed}: two things share a tile");
        assert_eq!(world.terrain(world.at), GROUND, "seed {seed}");
        let open: Vec<usize> = (0..100).filter(|tile| world.terrain[*tile] != FENCE).collect();
        for kind in KINDS {
            assert_eq!(world.of(kind).count(), COUNTS[kind], "seed {seed}");
            for thing in world.of(kind) {
                assert_eq!(usize::from(world.terrain(thing.at)), kind + 1, "seed {seed}");
                assert_eq!(world.status(thing.at), shown(kind, thing.stage.unwrap()), "seed {seed}");
                used[kind][(thing.at.1 * SIZE + thing.at.0) as usize] += 1.0;
            }
            for tile in &open {
                expected[kind][*tile] += COUNTS[kind] as f64 / open.len() as f64;
            }
        }
    }
    // Tiles of one world exclude each other, which only narrows the counts; 300 cells at five standard deviations.
    for (used, expected) in used.iter().flatten().zip(expected.iter().flatten()) {
        assert!((used - expected).abs() < 5.0 * expected.sqrt(), "a tile is used {used} times, {expected:.0} expected");
    }
}
