//! Rules B1 to B7: the worlds of the first 10,000 seeds, generated once for all tests of this file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use farm_games::level::Split;

use super::support::*;

pub(crate) const SEEDS: u64 = 10_000;

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    let valley = Valley::shipped();
    let mut play = valley.play(0);
    let mut world = |seed| {
        valley.game.reset(&mut play.state, seed, &mut play.record);
        play.world()
    };
    (0..SEEDS).map(&mut world).collect()
});

/// First column, first row and size of each kind's zone in the base layout.
const ZONES: [(i32, i32, i32); 3] = [(2, 2, 4), (6, 2, 3), (2, 6, 3)];

fn in_zone(kind: usize, (x, y): Tile) -> bool {
    let (left, upper, size) = ZONES[kind];
    (left..left + size).contains(&x) && (upper..upper + size).contains(&y)
}

/// The tile of the base layout that a symmetry of the square brings to this tile.
fn in_base_layout(symmetry: usize, (x, y): Tile) -> Tile {
    let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (SIZE - 1 - x, y) };
    let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, SIZE - 1 - y) };
    if symmetry & 4 == 0 { (x, y) } else { (y, x) }
}

/// Every world with the one symmetry under which all its things lie in their zones.
fn laid_out() -> impl Iterator<Item = (usize, &'static World)> {
    WORLDS.iter().enumerate().map(|(seed, world)| {
        let fits = |s: &usize| world.things.iter().all(|thing| in_zone(thing.kind, in_base_layout(*s, thing.at)));
        let fitting: Vec<usize> = (0..8).filter(fits).collect();
        assert_eq!(fitting.len(), 1, "seed {seed}: the zones lie under exactly one symmetry, found {fitting:?}");
        (fitting[0], world)
    })
}

#[test]
fn b1_the_map_has_ten_by_ten_tiles() {
    let valley = Valley::shipped();
    let field = &valley.game.fields()[0];
    assert_eq!((field.length(), field.width()), (10, 10));
    let (mut xs, mut ys) = (BTreeSet::new(), BTreeSet::new());
    for world in WORLDS.iter() {
        assert!(on_map(world.at) && world.things.iter().all(|thing| on_map(thing.at)));
        assert!(world.terrain.iter().all(|terrain| *terrain < OUTSIDE), "`outside` is outside the map");
        xs.insert(world.at.0);
        ys.insert(world.at.1);
    }
    assert_eq!((xs.len(), ys.len()), (10, 10), "the agent can be in every row and column");
}

#[test]
fn b2_zones_are_disjoint_under_each_of_the_eight_symmetries_and_all_occur() {
    let mut seen = [0.0; 8];
    for (symmetry, _) in laid_out() {
        seen[symmetry] += 1.0;
    }
    assert_uniform("symmetries", &seen);
    for at in all_tiles() {
        assert!(KINDS.iter().filter(|kind| in_zone(**kind, at)).count() <= 1, "two zones share {at:?}");
    }
}

#[test]
fn b2_no_tile_holds_two_things_and_every_tile_shows_what_it_holds() {
    for (seed, world) in WORLDS.iter().enumerate() {
        let mut shown_there = BTreeMap::new();
        for thing in &world.things {
            let stage = thing.stage.expect("nothing is harvested yet");
            let tile = (thing.kind as u8 + 1, shown(thing.kind, stage));
            assert_eq!(shown_there.insert(thing.at, tile), None, "seed {seed}: two things at {:?}", thing.at);
        }
        for at in all_tiles() {
            let tile = (world.terrain(at), world.status(at));
            match shown_there.get(&at) {
                Some(expected) => assert_eq!(tile, *expected, "seed {seed} at {at:?}"),
                None => assert!(matches!(tile, (GROUND | FENCE, 0)), "seed {seed} at {at:?}: {tile:?}"),
            }
        }
    }
}

#[test]
fn b3_twelve_fields_four_pens_and_six_houses_stand_on_distinct_tiles() {
    for (seed, world) in WORLDS.iter().enumerate() {
        for kind in KINDS {
            let tiles: BTreeSet<Tile> = world.of(kind).map(|thing| thing.at).collect();
            assert_eq!((world.of(kind).count(), tiles.len()), (COUNTS[kind], COUNTS[kind]), "seed {seed}");
        }
    }
}

/// How often each tile of a kind's zone is used, and each set of tiles.
fn b3_uses(kind: usize) -> (BTreeMap<Tile, f64>, BTreeMap<Vec<Tile>, f64>) {
    let mut tiles: BTreeMap<Tile, f64> = all_tiles().filter(|at| in_zone(kind, *at)).map(|at| (at, 0.0)).collect();
    let mut sets = BTreeMap::new();
    for (symmetry, world) in laid_out() {
        let mut set: Vec<Tile> = world.of(kind).map(|thing| in_base_layout(symmetry, thing.at)).collect();
        set.sort_unstable();
        set.iter().for_each(|at| *tiles.get_mut(at).expect("in its zone") += 1.0);
        *sets.entry(set).or_insert(0.0) += 1.0;
    }
    (tiles, sets)
}

fn b3_assert_drawn_uniformly(kind: usize, all_sets: usize) {
    let (tiles, sets) = b3_uses(kind);
    let p = COUNTS[kind] as f64 / tiles.len() as f64;
    let (mean, deviation) = (SEEDS as f64 * p, (SEEDS as f64 * p * (1.0 - p)).sqrt());
    // The tiles of one world exclude each other, so their counts are no independent draws: each is looked at alone, and
    // four standard deviations for at most 16 tiles keep a false alarm at one in a thousand.
    for (at, used) in &tiles {
        assert!((used - mean).abs() < 4.0 * deviation, "{at:?} is used {used} times of {mean:.0} expected: {tiles:?}");
    }
    // The sets of tiles are independent draws, one a world.
    let mut counts: Vec<f64> = sets.into_values().collect();
    assert!(counts.len() <= all_sets);
    counts.resize(all_sets, 0.0);
    assert_uniform(("sets of tiles of kind", kind), &counts);
}

#[test]
fn b3_fields_are_drawn_uniformly_on_their_zone() {
    b3_assert_drawn_uniformly(CROP, 1820);
}

#[test]
fn b3_pens_are_drawn_uniformly_on_their_zone() {
    b3_assert_drawn_uniformly(PEN, 126);
}

#[test]
fn b3_villagers_are_drawn_uniformly_on_their_zone() {
    b3_assert_drawn_uniformly(VILLAGER, 84);
}

/// Asserts that every tile without fence can be reached from every other.
pub(crate) fn assert_all_reachable(seed: usize, world: &World) {
    let open = |at: &Tile| on_map(*at) && world.terrain(*at) != FENCE;
    let mut reached: BTreeSet<Tile> = BTreeSet::from([world.at]);
    let mut frontier = vec![world.at];
    while let Some(at) = frontier.pop() {
        for next in (0..4).map(|facing| adjacent(at, facing)).filter(open) {
            if reached.insert(next) {
                frontier.push(next);
            }
        }
    }
    assert_eq!(reached.len(), all_tiles().filter(open).count(), "seed {seed}: some tiles can't be reached");
}

#[test]
fn b4_all_tiles_without_fence_are_mutually_reachable() {
    for (seed, world) in WORLDS.iter().enumerate() {
        assert!(world.terrain.contains(&FENCE), "seed {seed} has no fence");
        assert_all_reachable(seed, world);
    }
}

#[test]
fn b4_fences_are_never_on_an_entity_or_the_agent() {
    for (seed, world) in WORLDS.iter().enumerate() {
        assert!(world.things.iter().all(|thing| world.terrain(thing.at) != FENCE), "seed {seed}");
        assert_ne!(world.terrain(world.at), FENCE, "seed {seed}");
    }
}

#[test]
fn b4_each_wall_has_one_gate_which_varies() {
    let document = farm_games::document("backwards_valley").unwrap();
    let plan = document.value()["fields"]["Field-0"]["entities"][0]["TileMap"]["plan"].as_str().unwrap().to_owned();
    let mut walls: BTreeMap<char, Vec<Tile>> = BTreeMap::new();
    for (at, symbol) in all_tiles().zip(plan.lines().flat_map(str::chars)).filter(|(_, symbol)| symbol.is_ascii_digit())
    {
        walls.entry(symbol).or_default().push(at);
    }
    assert!(walls.len() >= 2, "there are walls");
    let mut gates: BTreeMap<Tile, f64> = BTreeMap::new();
    for (symmetry, world) in laid_out() {
        let fences: BTreeSet<Tile> =
            all_tiles().filter(|at| world.terrain(*at) == FENCE).map(|at| in_base_layout(symmetry, at)).collect();
        assert!(fences.iter().all(|at| walls.values().any(|wall| wall.contains(at))), "fences stand only in walls");
        for wall in walls.values() {
            let open: Vec<&Tile> = wall.iter().filter(|at| !fences.contains(at)).collect();
            assert_eq!(open.len(), 1, "one gate in {wall:?}");
            *gates.entry(*open[0]).or_insert(0.0) += 1.0;
        }
    }
    for wall in walls.values() {
        let counts: Vec<f64> = wall.iter().map(|at| gates.get(at).copied().unwrap_or_default()).collect();
        assert_uniform(("gates of the wall", wall), &counts);
    }
}

/// The stage of the `index`-th thing of a kind.
fn stage(world: &World, kind: usize, index: usize) -> usize {
    usize::from(world.of(kind).nth(index).unwrap().stage.unwrap())
}

#[test]
fn b5_initial_stages_are_uniform_within_three_standard_deviations() {
    // The rule's own criterion: ten frequencies, each over all things of its kind.
    for kind in KINDS {
        let p = 1.0 / STAGES[kind].len() as f64;
        let n = (SEEDS as usize * COUNTS[kind]) as f64;
        for (stage, name) in STAGES[kind].iter().enumerate() {
            let things = WORLDS.iter().flat_map(|world| world.of(kind));
            let found = things.filter(|thing| thing.stage == Some(stage as u8)).count() as f64;
            let deviations = (found - n * p) / (n * p * (1.0 - p)).sqrt();
            assert!(deviations.abs() < 3.0, "{name}: {found} of {n}, {deviations:.1} standard deviations off");
        }
    }
}

#[test]
fn b5_and_b8_initial_stages_are_as_frequent_in_all_splits() {
    // Ten frequencies again, on seeds of the validation and of the test split.
    let valley = Valley::shipped();
    for split in [Split::Validation, Split::Test] {
        let mut found = KINDS.map(|kind| vec![0.0; STAGES[kind].len()]);
        for number in 0..SEEDS as usize {
            let world = valley.play(split.seed(number)).world();
            for kind in KINDS {
                for thing in world.of(kind) {
                    found[kind][usize::from(thing.stage.unwrap())] += 1.0;
                }
            }
        }
        for kind in KINDS {
            let p = 1.0 / STAGES[kind].len() as f64;
            let n = (SEEDS as usize * COUNTS[kind]) as f64;
            for (count, name) in found[kind].iter().zip(STAGES[kind]) {
                let deviations = (count - n * p) / (n * p * (1.0 - p)).sqrt();
                assert!(deviations.abs() < 3.0, "{}: {name} {deviations:.1} standard deviations off", split.name());
            }
        }
    }
}

#[test]
fn b8_the_splits_are_disjoint_ranges_of_seeds() {
    // Training seeds count from 0; a million of each split follow each other.
    let range = |split: Split| split.seed(0)..split.seed(1_000_000);
    let (validation, test) = (range(Split::Validation), range(Split::Test));
    assert!(validation.start >= 1_000_000 && validation.end <= test.start, "{validation:?} {test:?}");
}

#[test]
fn b5_each_things_stage_is_uniform_and_independent_of_the_next_things() {
    // With 22 things and their 21 neighbours in order, single cells would be too many for three standard deviations:
    // one chi-square a thing, and one for each pair's table of both stages.
    let all: Vec<(usize, usize)> =
        KINDS.into_iter().flat_map(|kind| (0..COUNTS[kind]).map(move |i| (kind, i))).collect();
    let pairs = all.iter().zip(all.iter().cycle().skip(1)).take(all.len());
    for (&(kind, index), &(other, next)) in pairs {
        let (n, m) = (STAGES[kind].len(), STAGES[other].len());
        let (mut alone, mut both) = (vec![0.0; n], vec![0.0; n * m]);
        for world in WORLDS.iter() {
            let (first, second) = (stage(world, kind, index), stage(world, other, next));
            alone[first] += 1.0;
            both[first * m + second] += 1.0;
        }
        assert_uniform(("stage of", kind, index), &alone);
        assert_uniform(("stages of", kind, index, "and", other, next), &both);
    }
}

#[test]
fn b5_stages_and_base_values_are_independent_of_each_other_and_of_the_tile() {
    for kind in KINDS {
        let (n, (low, high)) = (STAGES[kind].len(), WORTH[kind]);
        let values = (high - low + 1) as usize;
        let mut by_value = vec![0.0; n * values];
        let mut by_tile: BTreeMap<Tile, Vec<f64>> = BTreeMap::new();
        for (symmetry, world) in laid_out() {
            for thing in world.of(kind) {
                let stage = usize::from(thing.stage.unwrap());
                by_value[stage * values + (thing.base - low) as usize] += 1.0;
                by_tile.entry(in_base_layout(symmetry, thing.at)).or_insert_with(|| vec![0.0; n])[stage] += 1.0;
            }
        }
        assert_uniform(("stage and base value of kind", kind), &by_value);
        for (at, counts) in &by_tile {
            assert_uniform(("stages of kind", kind, "at", at), counts);
        }
    }
}

#[test]
fn b6_base_values_are_uniform_whole_numbers_of_their_range_and_all_occur() {
    for kind in KINDS {
        let (low, high) = WORTH[kind];
        for index in 0..COUNTS[kind] {
            let mut counts = vec![0.0; (high - low + 1) as usize];
            for world in WORLDS.iter() {
                let base = world.of(kind).nth(index).unwrap().base;
                assert!((low..=high).contains(&base), "base value {base} of kind {kind}");
                counts[(base - low) as usize] += 1.0;
            }
            assert!(counts.iter().all(|n| *n > 0.0));
            assert_uniform(("base value of", kind, index), &counts);
        }
    }
}

#[test]
fn b7_the_agent_starts_uniformly_on_free_tiles() {
    let (mut by_tile, mut expected_by_tile) = (vec![0.0; 100], vec![0.0; 100]);
    let (mut by_rank, mut expected_by_rank) = (vec![0.0; 100], vec![0.0; 100]);
    for (seed, world) in WORLDS.iter().enumerate() {
        assert_eq!(world.terrain(world.at), GROUND, "seed {seed}");
        assert!(world.thing_at(world.at).is_none(), "seed {seed}");
        let free: Vec<Tile> = all_tiles().filter(|at| world.terrain(*at) == GROUND).collect();
        let tile = |at: &Tile| (at.1 * SIZE + at.0) as usize;
        by_tile[tile(&world.at)] += 1.0;
        by_rank[free.iter().position(|at| *at == world.at).unwrap()] += 1.0;
        for (rank, at) in free.iter().enumerate() {
            expected_by_tile[tile(at)] += 1.0 / free.len() as f64;
            expected_by_rank[rank] += 1.0 / free.len() as f64;
        }
    }
    assert_fits("start by tile", &by_tile, &expected_by_tile);
    assert_fits("start by rank among the free tiles", &by_rank, &expected_by_rank);
}

#[test]
fn b7_the_facing_is_uniform_wherever_the_agent_starts() {
    let mut facings = [0.0; 4];
    let mut by_row = vec![0.0; 40];
    let mut expected_by_row = vec![0.0; 40];
    for world in WORLDS.iter() {
        facings[usize::from(world.facing)] += 1.0;
        by_row[4 * world.at.1 as usize + usize::from(world.facing)] += 1.0;
        for facing in 0..4 {
            expected_by_row[4 * world.at.1 as usize + facing] += 0.25;
        }
    }
    assert_uniform("facings", &facings);
    assert_fits("facings by row", &by_row, &expected_by_row);
}
