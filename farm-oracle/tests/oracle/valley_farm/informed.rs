//! The informed player: what it sees is all it knows, it earns most of what can be earned, and never more.

use std::collections::HashMap;

use farm_core::Environment;
use farm_games::LevelFile;
use farm_games::level::{Split, of_split};

use crate::support::{environment, on_level, play, play_on, player, step};

/// Episodes: many where the compiler makes plans fast, else fewer.
const SEEDS: u64 = if cfg!(debug_assertions) { 20 } else { 200 };

const RANDOM_START: (&str, &str) = ("farmers.0.GridFarmer.start", "random");
const OBSTACLES: (&str, &str) = ("fields.Field-0.entities.0.TileMap.obstacles#nb", "30");

/// The share of the oracle's returns, none of which is exceeded.
fn share(mut environments: Vec<Environment>, seeds: u64) -> f64 {
    let [mut earned, mut best] = [0.0; 2];
    for environment in &mut environments {
        let (mut informed, mut oracle) = (player(environment, "informed"), player(environment, "oracle"));
        for seed in 0..seeds {
            let values = [&mut informed, &mut oracle].map(|player| play(environment, player.as_mut(), seed));
            assert!(values[0] <= values[1] + 1e-9, "seed {seed}: {values:?}");
            earned += values[0];
            best += values[1];
        }
    }
    earned / best
}

#[test]
fn informed_earns_most_of_the_optimum_and_never_more() {
    let share = share(vec![environment("valley_farm", None, &[])], SEEDS);
    assert!(share > 0.75, "{share}");
}

#[test]
fn informed_plays_under_the_peers_rules() {
    let share = share(vec![environment("valley_farm", Some("autoenv_compat"), &[])], SEEDS);
    assert!(share > 0.8, "{share}");
}

#[test]
fn informed_plays_where_it_does_not_know_the_place_of_its_start() {
    let share = share(vec![environment("valley_farm", None, &[RANDOM_START])], SEEDS);
    assert!(share > 0.7, "{share}");
}

#[test]
fn informed_plays_among_obstacles() {
    assert!(share(vec![environment("valley_farm", None, &[OBSTACLES])], SEEDS) > 0.7);
    assert!(share(vec![environment("valley_farm", None, &[OBSTACLES, RANDOM_START])], SEEDS) > 0.6);
}

#[test]
fn informed_plays_the_shipped_levels_and_one_that_starts_in_a_corner() {
    let levels = of_split("valley_farm", Split::Test);
    assert_eq!(levels.len(), 15);
    let shipped: Vec<Environment> = levels.iter().map(|level| on_level("valley_farm", None, level)).collect();
    assert!(share(shipped, 1) > 0.75);
    let level = &levels[0].text;
    assert!(level.contains("agent: {at: [7, 7]"));
    let corner = LevelFile::new("corner.yaml", &level.replace("agent: {at: [7, 7]", "agent: {at: [0, 14]"));
    assert!(share(vec![on_level("valley_farm", None, &corner)], 1) > 0.6);
}

#[test]
fn informed_does_the_same_wherever_it_has_seen_the_same() {
    let mut environment = environment("valley_farm", None, &[]);
    let mut informed = player(&environment, "informed");
    let mut chosen: HashMap<Vec<Vec<u8>>, Vec<farm_core::action::Call>> = HashMap::new();
    let (mut schedule, mut met_again) = (Vec::new(), 0);
    for seed in 0..25 * SEEDS {
        environment.reset(seed);
        informed.start(seed);
        let mut seen = Vec::new();
        for _ in 0..6 {
            seen.push(environment.observation().to_vec());
            step(&mut environment, informed.as_mut(), &mut schedule);
            match chosen.get(&seen) {
                Some(before) => {
                    assert_eq!(*before, schedule, "seed {seed}");
                    met_again += 1;
                }
                None => {
                    chosen.insert(seen.clone(), schedule.clone());
                }
            }
        }
    }
    assert!(met_again > 50, "many see the same at first: {met_again}");
}

#[test]
fn informed_goes_on_when_somebody_else_has_acted() {
    let mut environment = environment("valley_farm", None, &[]);
    let (mut informed, mut schedule) = (player(&environment, "informed"), Vec::new());
    let [mut alone, mut helped] = [0.0; 2];
    for seed in 0..SEEDS {
        alone += play(&mut environment, informed.as_mut(), seed);
        environment.reset(seed);
        informed.start(seed);
        for _ in 0..6 {
            helped += step(&mut environment, informed.as_mut(), &mut schedule).0;
        }
        // Moves that it does not know of.
        for id in [0, 2, 0] {
            environment.step(id).unwrap_or_else(|error| panic!("{error}"));
        }
        helped += play_on(&mut environment, informed.as_mut());
    }
    assert!(helped > 0.6 * alone, "{helped} of {alone}");
}

#[test]
fn informed_says_what_it_needs_to_see() {
    let environment =
        environment("valley_farm", None, &[("rules.BasicRule.free_observations", "{remaining: remaining}")]);
    let problems = environment.game().player("informed").err().expect("nothing is seen");
    let text = problems.to_string();
    assert!(text.contains("needs `view`, which is not observed") && text.contains("policies.informed"), "{text}");
}
