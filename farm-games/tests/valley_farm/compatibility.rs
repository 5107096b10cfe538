//! Section "Peer behaviour": the preset `autoenv_compat` on the peer's levels gives what the peer's implementation recorded.
//!
//! `autoenv_traces.jsonl` holds the three Valley Farm levels of AutoEnv-36 (environment 18, MIT licence) and all steps
//! recorded on them; a step has only the entries that differ from the step before. A folder with more of them, levels
//! `NAME.yaml` beside traces `NAME.traces.jsonl`, is read too where the variable `FARM_AUTOENV_VALLEY` names one.

use farm_core::Stream;
use farm_games::{LevelFile, Options};
use serde_json::Value as Json;

use super::autoenv::{recorded_steps, replay_file, replay_folder};
use super::support::*;

const TRACES: &str = include_str!("autoenv_traces.jsonl");

fn tile(position: &Json) -> Tile {
    let at = |i: usize| position[i].as_i64().expect("a coordinate") as i32;
    (at(0), at(1))
}

fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

/// The game on a level of the peer, which is read as any level is.
fn load(source: &str, level: &str) -> Farm {
    let level = Some(LevelFile::new(source, level));
    Farm::open(&Options { preset: Some("autoenv_compat".into()), level, ..Options::default() })
}

/// Plays an episode and compares everything that was recorded; returns the number of steps.
fn replay(farm: &Farm, episode: &Json) -> usize {
    let mut play = farm.play(0);
    let (mut total, mut steps) = (0.0, 0);
    for (context, now) in recorded_steps(episode) {
        let action = NAMES.iter().position(|name| now["action"] == **name).expect("an action");
        let outcome = play.step(action);
        let world = play.world();
        assert!((outcome.reward - number(&now["reward"])).abs() < 1e-9, "{context}: reward {}", outcome.reward);
        assert_eq!(outcome.terminated, now["done"] == true, "{context}");
        assert_eq!(world.at, tile(&now["position"]), "{context}");
        let items = ["seeds", "water", "crops", "animal_feed", "animal_products", "coins", "gifts"];
        assert_eq!(world.inventory, items.map(|item| number(&now["inventory"][item])), "{context}");
        let stage = |stage: u8| ["empty", "seedling", "growing", "mature"][usize::from(stage)];
        let fields: Vec<Json> = world.fields.iter().map(|((x, y), s)| serde_json::json!([x, y, stage(*s)])).collect();
        assert_eq!(Json::Array(fields), now["fields"], "{context}");
        let barns = world.animals.iter().map(|animal| {
            let hunger = if animal.sated_steps > 0 { "sated" } else { "hungry" };
            serde_json::json!([animal.at.0, animal.at.1, hunger, animal.stock])
        });
        assert_eq!(Json::Array(barns.collect()), now["barns"], "{context}");
        let liked: Vec<f64> = world.villagers.iter().map(|villager| villager.relationship).collect();
        let expected: Vec<f64> = now["relationships"].as_array().expect("numbers").iter().map(number).collect();
        assert_eq!(liked, expected, "{context}");
        total += outcome.reward;
        steps += 1;
    }
    assert!((total - number(&episode["return"])).abs() < 1e-9, "{}: {total}", episode["world"]);
    steps
}

#[test]
fn peer_behaviour_every_recorded_step_of_the_three_levels_is_reproduced() {
    assert_eq!(replay_file(TRACES, load, replay), (3, 600));
}

#[test]
fn peer_behaviour_every_recorded_step_of_a_folder_is_reproduced() {
    // Without the folder there is nothing more to compare than the test above does.
    let Some(steps) = replay_folder("FARM_AUTOENV_VALLEY", load, replay) else { return };
    assert!(steps > 0, "the folder has levels");
}

/// A level of the peer's rules with a barn and a villager.
fn peer() -> Level {
    Level { preset: Some("autoenv_compat"), ..Level::default() }
}

#[test]
fn peer_behaviour_one_feed_is_nine_sated_steps_and_one_product() {
    let farm = peer().starts_at((9, 7)).build();
    let mut play = farm.play(0);
    play.step(FEED);
    for step in 1..=12 {
        assert_eq!(play.flag(), if step <= 9 { "sated" } else { "hungry" }, "step {step} after the feeding");
        assert_eq!(play.after(COLLECT).item(PRODUCTS), f64::from(u8::from(step >= 5)), "step {step}");
        play.step(WAIT);
    }
    assert_eq!(play.world().animals[0].stock, 1);
}

#[test]
fn peer_behaviour_products_are_collected_while_hungry() {
    let farm = peer().starts_at((9, 7)).build();
    let mut play = farm.play(0);
    play.step(FEED);
    play.steps(&[WAIT; 20]);
    assert_eq!(play.flag(), "hungry");
    assert_eq!(play.step(COLLECT).reward, 0.2);
    assert_eq!((play.item(PRODUCTS), play.flag()), (1.0, "hungry"));
}

#[test]
fn baselines_acting_at_random_earns_what_is_published() {
    // Published is a mean of 6.1 percent of the declared maxima. Levels differ much more than the means over episodes of
    // one do: the interval is that of Student's distribution for three levels.
    let levels = TRACES.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
    let levels = levels.filter(|line| line["level"].is_object());
    let shares: Vec<f64> = levels
        .zip([10.44, 10.70, 10.63])
        .map(|(line, declared)| {
            let farm = load("level", &line["level"].to_string());
            let mut stream = Stream::from_seed(18);
            let mut total = 0.0;
            for seed in 0..2000 {
                let mut play = farm.play(seed);
                total += (0..50).map(|_| play.step(stream.index(12) as usize).reward).sum::<f64>();
            }
            100.0 * total / 2000.0 / declared
        })
        .collect();
    let mean = shares.iter().sum::<f64>() / 3.0;
    let error = (shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / 2.0 / 3.0).sqrt();
    assert!((mean - 6.1).abs() < 4.303 * error, "{shares:?}");
    assert!(shares.iter().all(|share| (2.0..15.0).contains(share)), "{shares:?}");
}

#[test]
fn peer_behaviour_feeding_a_sated_animal_is_refused() {
    let farm = peer().starts_at((9, 7)).build();
    let mut play = farm.play(0);
    play.step(FEED);
    assert_eq!(play.after(FEED).state, play.after(WAIT).state);
    play.steps(&[WAIT; 9]);
    assert_eq!(play.after(FEED).item(FEED_LEFT), 1.0);
}

#[test]
fn peer_behaviour_water_on_a_mature_crop_is_used_up() {
    let farm = peer().starts_at((7, 6)).build();
    let mut play = farm.play(0);
    play.steps(&[PLANT, WATER, WATER, WATER]);
    assert_eq!((play.item(WATER_LEFT), play.flag()), (2.0, "mature"));
}

#[test]
fn peer_behaviour_a_gift_goes_to_the_first_of_eight_neighbours_and_not_to_the_own_tile() {
    let mut level = peer().starts_at((4, 7));
    level.villagers = vec![((4, 7), 0.0), ((5, 8), 0.0), ((3, 8), 0.0)];
    let farm = level.build();
    let mut play = farm.play(0);
    assert_eq!(play.step(GIFT).reward, 2.5);
    assert_eq!(play.world().villagers.iter().map(|v| v.relationship).collect::<Vec<_>>(), [0.0, 0.0, 5.0]);
    level.villagers.truncate(2);
    let farm = level.build();
    let mut play = farm.play(0);
    play.step(GIFT);
    assert_eq!(play.world().villagers[1].relationship, 5.0);
    level.villagers.truncate(1);
    let farm = level.build();
    let play = farm.play(0);
    assert_eq!(play.after(GIFT).state, play.after(WAIT).state);
}

#[test]
fn peer_behaviour_the_mood_is_neutral_until_the_first_gift() {
    let mut level = peer().starts_at((5, 7));
    level.villagers = vec![((4, 7), 40.0)];
    let farm = level.build();
    let mut play = farm.play(0);
    assert_eq!(play.after(WEST).flag(), "neutral");
    play.step(GIFT);
    assert_eq!(play.after(WEST).flag(), "friendly");
}

#[test]
fn peer_behaviour_coins_are_whole() {
    let level = peer().starts_at((7, 8)).item("crops", "3").item("products", "2");
    let farm = level.build();
    let mut play = farm.play(0);
    // Relationships 0, 10, 40: 7 · (1 + 50/300) = 8.1666…
    assert_eq!(play.step(SELL).reward, 0.8);
    assert_eq!(play.item(COINS), 8.0);
}

#[test]
fn peer_behaviour_relationships_start_at_any_multiple_of_five() {
    let farm = Farm::preset("autoenv_compat");
    let mut counts = [0.0; 9];
    for seed in 0..5000 {
        for villager in farm.play(seed).world().villagers {
            counts[(villager.relationship / 5.0) as usize] += 1.0;
            assert_eq!(villager.relationship % 5.0, 0.0);
        }
    }
    assert_uniform("relationships", &counts);
}
