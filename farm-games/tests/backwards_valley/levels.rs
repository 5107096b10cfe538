//! Levels: every fact of a world can be given, and what is not said is drawn as usual.

use super::support::*;

#[test]
fn levels_place_things_the_farmer_and_the_fences() {
    let plan =
        format!("\"{}\"", ["#########."; 2].into_iter().chain([".........."; 8]).collect::<Vec<_>>().join("\\n"));
    let valley = Valley::with(&[
        ("Field-0.TileMap-0.plan", &plan),
        ("Field-0.TileMap-0.symmetries", "false"),
        (
            "Field-0.StagedTiles-0.placed",
            "[{x: 9, y: 9, stage: Young, base_value#point: 7}, {x: 3, y: 4, stage: Seed}]",
        ),
        ("Field-0.StagedTiles-1.placed", "[{x: 5, y: 5, stage: Thriving, base_value#point: 2}]"),
        ("Field-0.StagedTiles-2.placed", "[{x: 0, y: 9, base_value#point: 6}]"),
        ("farmers.0.GridFarmer.starts_at", "{x: 9, y: 8}"),
        ("farmers.0.GridFarmer.starts_facing", "W"),
    ]);
    let mut moods = [0; 3];
    for seed in 0..60 {
        let mut play = valley.play(seed);
        let world = play.world();
        assert_eq!((world.at, world.facing), ((9, 8), WEST));
        let found: Vec<_> = world.things.iter().map(|thing| (thing.kind, thing.at, thing.base)).collect();
        assert_eq!((found[0], found[2], found[3]), ((CROP, (9, 9), 7), (PEN, (5, 5), 2), (VILLAGER, (0, 9), 6)));
        assert_eq!((found[1].1, found.len()), ((3, 4), 4));
        assert!((WORTH[CROP].0..=WORTH[CROP].1).contains(&found[1].2), "what is not said is drawn");
        let stages: Vec<_> = world.things.iter().map(|thing| thing.stage).collect();
        assert_eq!(stages[..3], [Some(2), Some(0), Some(2)]);
        moods[usize::from(stages[3].unwrap())] += 1;
        assert_eq!(world.terrain.iter().filter(|terrain| **terrain == FENCE).count(), 18);
        assert_eq!(world.terrain((9, 0)), GROUND);
        // The crop ripens in the step in which the farmer comes to it.
        assert_eq!(play.step(MOVE_S).reward, 7.0);
    }
    assert!(moods.iter().all(|n| *n > 5), "moods are drawn: {moods:?}");
}
