//! What is seen, and what is not: arrays, spaces, text.

use std::sync::Arc;

use farm_core::{Environment, Stream};

use super::support::*;

#[test]
fn observation_has_exactly_the_keys_and_spaces_of_the_rules() {
    let environment = Environment::new(Arc::new(Farm::shipped().game));
    assert_eq!(
        environment.game().observation().space().to_string(),
        "Dict(grid: Box(0, 10, [5, 5], uint8), centre: Discrete(8), inventory: Box(0, 1000000000, [7], float32), \
         relationships: MultiDiscrete([21, 21, 21]), remaining: Discrete(51))"
    );
}

#[test]
fn observation_names_terrains_and_flags_as_the_rules_do() {
    let farm = Farm::shipped();
    let names = |key: &str| {
        let entry = farm.game.observation().entries().iter().find(|entry| entry.key() == key).unwrap();
        let labels = entry.kind().labels(0).unwrap();
        (0..labels.len()).map(|i| labels.name(i)).collect::<Vec<_>>()
    };
    assert_eq!(names("grid"), TERRAINS);
    assert_eq!(names("centre"), FLAGS);
    assert_eq!(names("relationships"), (0..=20).map(|k| (5 * k).to_string()).collect::<Vec<_>>());
}

#[test]
fn observation_relationships_are_rounded_half_up_to_the_nearest_five() {
    for (value, seen) in [(0.0, 0.0), (2.499, 0.0), (2.5, 1.0), (7.499, 1.0), (7.5, 2.0), (37.5, 8.0), (40.0, 8.0)] {
        let mut level = Level::default();
        level.villagers[1].1 = value;
        assert_eq!(level.build().play(0).seen("relationships")[1], seen, "{value}");
    }
}

#[test]
fn observation_counts_the_steps_that_remain() {
    let farm = Farm::shipped();
    let mut play = farm.play(0);
    for remaining in (1..=50).rev() {
        assert_eq!(play.seen("remaining"), [f64::from(remaining)]);
        play.step(WAIT);
    }
    assert_eq!(play.seen("remaining"), [0.0]);
}

#[test]
fn observation_shows_the_window_north_up_in_a_picture() {
    let mut level = Level::default().starts_at((0, 7));
    level.fields =
        vec![((0, 5), Some("mature")), ((2, 5), Some("seedling")), ((1, 6), Some("growing")), ((2, 6), None)];
    level.animals = [(1, 7), (2, 7), (1, 8)].map(|at| (at, 0, 0, 0)).to_vec();
    level.villagers = vec![((0, 9), 20.0), ((1, 9), 3.0), ((9, 9), 98.0)];
    level.market = (0, 7);
    let farm = level.item("coins", "2.5").build();
    let text = farm.game.observation().to_text(&farm.play(0).observation());
    let expected = "grid:\n  obstacle obstacle crop_mature grass soil_seeded\n  obstacle obstacle grass crop_growing soil_empty\n  \
                    obstacle obstacle [market] barn_cow barn_sheep\n  obstacle obstacle grass barn_chicken grass\n  \
                    obstacle obstacle villager villager grass\ncentre: none\n\
                    inventory: seeds=5 water=5 crops=0 feed=3 products=0 coins=2.5 gifts=3\nrelationships: 20 5 100\nremaining: 50\n";
    assert_eq!(text, expected);
}

#[test]
fn observation_has_one_flag_for_the_centre_only() {
    // Two levels that differ in the state of everything but the centre, and in nothing that a tile shows.
    let mut one = Level::default().starts_at((8, 7));
    let mut other = one.clone();
    other.animals.iter_mut().for_each(|animal| (animal.1, animal.2, animal.3) = (9, 4, 3));
    one.villagers = vec![((7, 7), 18.0), ((3, 9), 18.0), ((2, 11), 18.0)];
    other.villagers = vec![((7, 7), 22.0), ((3, 9), 22.0), ((2, 11), 22.0)];
    let (one, other) = (one.build(), other.build());
    let (mut first, mut second) = (one.play(0), other.play(0));
    assert_eq!(first.observation(), second.observation(), "moods and hunger of other tiles are not seen");
    first.step(EAST);
    second.step(EAST);
    assert_eq!((first.flag(), second.flag()), ("hungry", "sated"));
    first.steps(&[WEST, WEST]);
    second.steps(&[WEST, WEST]);
    assert_eq!((first.flag(), second.flag()), ("neutral", "friendly"));
}

#[test]
fn observation_does_not_tell_timers() {
    let mut level = Level::default().starts_at((9, 7));
    level.animals[0] = ((9, 7), 9, 0, 0);
    let one = level.build();
    level.animals[0] = ((9, 7), 4, 3, 5);
    let other = level.build();
    let (mut first, mut second) = (one.play(0), other.play(0));
    for _ in 0..4 {
        assert_eq!(first.observation(), second.observation());
        first.step(WAIT);
        second.step(WAIT);
    }
    assert_ne!(first.observation(), second.observation(), "hunger alone tells");
}

/// A level moved to the west or east by some tiles.
fn moved(level: &Level, by: Tile) -> Level {
    let add = |at: Tile| (at.0 + by.0, at.1 + by.1);
    let mut moved = level.clone();
    moved.fields.iter_mut().for_each(|field| field.0 = add(field.0));
    moved.animals.iter_mut().for_each(|animal| animal.0 = add(animal.0));
    moved.villagers.iter_mut().for_each(|villager| villager.0 = add(villager.0));
    moved.market = add(moved.market);
    moved.starts_at(add(CENTRE))
}

#[test]
fn observation_is_the_same_when_the_whole_map_is_translated() {
    let level =
        Level { villagers: vec![((5, 7), 0.0), ((5, 9), 10.0), ((6, 8), 40.0)], ..Level::default().starts_at(CENTRE) };
    let home = level.build();
    let mut compared = 0;
    for by in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)] {
        let away = moved(&level, by).build();
        for seed in 0..40 {
            let (mut first, mut second) = (home.play(seed), away.play(seed));
            let mut stream = Stream::from_seed(seed);
            for _ in 0..50 {
                let inside = |(x, y): Tile| (3..=11).contains(&x) && (3..=11).contains(&y);
                if !inside(first.world().at) {
                    break;
                }
                assert_eq!(first.observation(), second.observation(), "seed {seed}, moved by {by:?}");
                let action = busy_action(&mut stream, &first.world(), seed);
                assert_eq!(first.step(action), second.step(action));
                compared += 1;
            }
        }
    }
    assert!(compared > 5000, "{compared}");
}

#[test]
fn observation_text_reads_back_to_the_same_bytes() {
    for farm in [Farm::shipped(), Farm::preset("autoenv_compat")] {
        for seed in 0..200 {
            let mut play = farm.play(seed);
            let mut stream = Stream::from_seed(seed);
            for _ in 0..50 {
                let record = play.observation();
                let text = farm.game.observation().to_text(&record);
                assert_eq!(farm.game.observation().parse_text(&text), Ok(record), "{text}");
                let action = busy_action(&mut stream, &play.world(), seed);
                play.step(action);
            }
        }
    }
}

#[test]
fn observation_tells_of_no_success_in_any_channel() {
    // Where nothing that is seen changes, a legal act and a refused one look alike.
    let mut level = Level::default().starts_at((9, 7));
    level.animals[0] = ((9, 7), 10, 0, 0);
    let farm = level.build();
    let play = farm.play(0);
    assert_eq!(play.after(COLLECT).observation(), play.after(WAIT).observation());
    assert_eq!(play.after(COLLECT).record.rejected(), []);
}
