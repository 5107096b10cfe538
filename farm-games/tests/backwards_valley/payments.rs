//! Step order 3 and 4: what pays, when, and how often; meters and reward.

use farm_core::Stream;

use super::support::*;
use super::walking::cross;

/// Crop in the north worth 3, pen in the east worth 2, villager in the west worth 5.
fn scene(stages: [&str; 3]) -> (Scene, Tile) {
    let (scene, at) = cross(['c', 'p', '#', 'v']);
    (scene.stages(stages).worth([3, 2, 5]), at)
}

/// The rewards of actions in that scene, from a start with a facing.
fn rewards(stages: [&str; 3], facing: u8, start_in_top_pays: &str, actions: &[usize]) -> Vec<f64> {
    let (scene, at) = scene(stages);
    let valley = scene.start_in_top_pays(start_in_top_pays).build();
    valley.start(at, facing).steps(actions)
}

#[test]
fn step_order_3_a_crop_is_harvested_once_when_the_agent_stands_on_it_ripe() {
    // The step onto the crop counts as its first: a Young crop ripens in the very step that enters it.
    for (stage, expected) in [
        ("HarvestReady", [3.0, 0.0, 0.0, 0.0, 0.0]),
        ("Young", [3.0, 0.0, 0.0, 0.0, 0.0]),
        ("Sprout", [0.0, 3.0, 0.0, 0.0, 0.0]),
        ("Seed", [0.0, 0.0, 3.0, 0.0, 0.0]),
    ] {
        let found = rewards([stage, "Thriving", "Hostile"], WEST, "first_entry", &[MOVE_N, WAIT, WAIT, WAIT, WAIT]);
        assert_eq!(found, expected, "{stage}");
    }
}

#[test]
fn step_order_3_a_harvested_tile_is_ground_and_nothing_grows_again() {
    let (scene, at) = scene(["HarvestReady", "Thriving", "Hostile"]);
    let valley = scene.build();
    let mut play = valley.start(at, WEST);
    let field = adjacent(at, NORTH);
    assert_eq!(play.world().terrain(field), 1);
    assert_eq!(play.step(MOVE_N).reward, 3.0);
    let mut later = Vec::new();
    for action in [WAIT, WAIT, MOVE_S, MOVE_N, MOVE_S, WAIT, MOVE_N] {
        later.push(play.step(action).reward);
        let world = play.world();
        assert_eq!((world.terrain(field), world.status(field), world.the(CROP).stage), (GROUND, 0, None));
    }
    assert_eq!(later, [0.0; 7]);
}

#[test]
fn step_order_3_verbs_find_nothing_on_a_harvested_tile_in_front() {
    let valley = Scene::new((3, 3), &["vp##", ".c..", "####"]).stages(["HarvestReady", "Thriving", "Friendly"]).build();
    let mut play = valley.start((3, 4), NORTH);
    let base = f64::from(play.world().the(CROP).base);
    // Over the crop, beyond it, and one tile back, to look at what is left.
    assert_eq!(play.steps(&[MOVE_E, MOVE_E, MOVE_E, MOVE_W]), [base, 0.0, 0.0, 0.0]);
    assert_eq!((play.world().at, play.world().facing), ((5, 4), WEST));
    for verb in VERBS {
        assert_eq!(play.after(verb).state, play.after(WAIT).state, "verb {verb}");
    }
}

#[test]
fn step_order_3_a_ripe_crop_pays_nothing_to_an_agent_beside_it() {
    assert_eq!(rewards(["Young", "Thriving", "Hostile"], NORTH, "first_entry", &[WAIT; 40]), [0.0; 40]);
}

#[test]
fn step_order_3_care_before_a_visit_delays_the_harvest() {
    let found =
        rewards(["HarvestReady", "Thriving", "Hostile"], NORTH, "first_entry", &[WATER, MOVE_N, WAIT, WAIT, WAIT]);
    assert_eq!(found, [0.0, 0.0, 0.0, 3.0, 0.0]);
}

#[test]
fn step_order_3_an_animal_pays_when_it_first_comes_to_thrive_and_never_again() {
    let actions = [WAIT, WAIT, WAIT, FEED, WAIT, WAIT, CLEAN, WAIT, WAIT, WAIT];
    for (stage, first) in [("Weak", [0.0, 2.0]), ("Okay", [2.0, 0.0])] {
        let found = rewards(["Seed", stage, "Hostile"], EAST, "first_entry", &actions);
        assert_eq!(found[..2], first, "{stage}");
        assert_eq!(found[2..], [0.0; 8], "{stage}");
    }
}

#[test]
fn step_order_3_an_animal_that_is_fed_in_time_pays_later() {
    let found = rewards(["Seed", "Okay", "Hostile"], EAST, "first_entry", &[FEED, WAIT, CLEAN, WAIT, WAIT, WAIT]);
    assert_eq!(found, [0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
}

#[test]
fn step_order_3_a_villager_pays_when_first_befriended_and_never_again() {
    let found = rewards(["Seed", "Thriving", "Hostile"], WEST, "first_entry", &[INSULT; 4]);
    assert_eq!(found, [0.0, 5.0, 0.0, 0.0]);
    let actions = [COMPLIMENT, INSULT, INSULT, COMPLIMENT, INSULT, COMPLIMENT, COMPLIMENT, INSULT, INSULT];
    let found = rewards(["Seed", "Thriving", "Neutral"], WEST, "first_entry", &actions);
    assert_eq!(found, [0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn start_in_top_pays_first_entry_after_a_push_down_and_return() {
    let animal = [WAIT, WAIT, FEED, WAIT, WAIT, WAIT, FEED, WAIT, WAIT];
    let found = rewards(["Seed", "Thriving", "Hostile"], EAST, "first_entry", &animal);
    assert_eq!(found, [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    let villager = [WAIT, INSULT, COMPLIMENT, INSULT, COMPLIMENT, INSULT];
    let found = rewards(["Seed", "Thriving", "Friendly"], WEST, "first_entry", &villager);
    assert_eq!(found, [0.0, 0.0, 0.0, 5.0, 0.0, 0.0]);
}

#[test]
fn start_in_top_pays_immediately_in_the_first_step_and_only_then() {
    let top = ["Seed", "Thriving", "Friendly"];
    assert_eq!(rewards(top, EAST, "immediately", &[WAIT, WAIT, FEED, WAIT, WAIT]), [7.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(rewards(top, WEST, "immediately", &[WAIT, COMPLIMENT, INSULT, INSULT]), [7.0, 0.0, 0.0, 0.0]);
    // What starts below pays as always.
    let below = ["Seed", "Weak", "Neutral"];
    assert_eq!(rewards(below, WEST, "immediately", &[WAIT, WAIT, WAIT, INSULT]), [0.0, 2.0, 0.0, 5.0]);
}

#[test]
fn start_in_top_pays_never_but_what_starts_below_does() {
    let top = ["Seed", "Thriving", "Friendly"];
    assert_eq!(rewards(top, EAST, "never", &[WAIT, FEED, WAIT, WAIT, WAIT]), [0.0; 5]);
    assert_eq!(rewards(top, WEST, "never", &[WAIT, COMPLIMENT, INSULT, INSULT]), [0.0; 4]);
    assert_eq!(rewards(["Seed", "Weak", "Neutral"], WEST, "never", &[WAIT, WAIT, INSULT]), [0.0, 2.0, 5.0]);
}

#[test]
fn step_order_3_the_shipped_game_pays_on_first_entry() {
    let (scene, at) = scene(["Seed", "Thriving", "Friendly"]);
    let valley = scene.build();
    assert_eq!(valley.start(at, EAST).steps(&[WAIT, FEED, WAIT, WAIT]), [0.0, 0.0, 0.0, 2.0]);
    assert_eq!(valley.start(at, WEST).steps(&[WAIT, COMPLIMENT, INSULT]), [0.0, 0.0, 5.0]);
}

#[test]
fn step_order_4_each_meter_stops_at_one_hundred() {
    let rows = ["p####", ".cccv"];
    let valley = Scene::new((3, 4), &rows).stages(["HarvestReady", "Okay", "Hostile"]).worth([60, 70, 120]).build();
    let mut play = valley.start((3, 5), NORTH);
    assert_eq!(play.step(MOVE_E).reward, 130.0, "60 for the crop, 70 for the animal");
    assert_eq!(play.world().meters, [60.0, 70.0, 0.0]);
    assert_eq!(play.step(MOVE_E).reward, 40.0, "only 40 fit");
    assert_eq!(play.world().meters, [100.0, 70.0, 0.0]);
    assert_eq!(play.step(MOVE_E).reward, 0.0, "the meter is full");
    assert_eq!(play.world().the_crops_left(), 0, "harvested all the same");
    assert_eq!(play.steps(&[INSULT, INSULT]), [0.0, 100.0], "120 do not fit");
    let world = play.world();
    assert_eq!((world.meters, world.farm_value), ([100.0, 70.0, 100.0], 270.0));
}

impl World {
    fn the_crops_left(&self) -> usize {
        self.of(CROP).filter(|crop| crop.stage.is_some()).count()
    }
}

#[test]
fn step_order_4_the_reward_is_the_change_of_farm_value_which_is_the_sum_of_the_meters() {
    let valley = Valley::shipped();
    let mut earned = 0.0;
    for seed in 0..300 {
        let mut play = valley.play(seed);
        let mut stream = Stream::from_seed(seed);
        let (mut sum, mut before) = (0.0, 0.0);
        assert_eq!((play.world().farm_value, play.world().meters), (0.0, [0.0; 3]));
        for _ in 0..40 {
            let reward = play.step(busy_action(&mut stream, &play.world())).reward;
            let world = play.world();
            assert!(reward >= 0.0 && reward.fract() == 0.0, "seed {seed}: {reward}");
            assert_eq!(reward, world.farm_value - before, "seed {seed}");
            assert_eq!(world.farm_value, world.meters.iter().sum::<f64>(), "seed {seed}");
            assert!(world.meters.iter().all(|meter| (0.0..=100.0).contains(meter)));
            (sum, before) = (sum + reward, world.farm_value);
        }
        assert_eq!(sum, play.world().farm_value, "seed {seed}");
        earned += sum;
    }
    assert!(earned > 1500.0, "the episodes earn something: {earned}");
}

#[test]
fn known_optimum_facts_wait_only_earns_what_theory_says() {
    // Four animals of mean worth 2, of which two thirds start below the top: 4 · ⅔ · 2. For one animal the square has
    // the mean ⅔ · (1 + 4 + 9)/3, so its variance is 28/9 − 16/9 = 4/3, and that of the sum of four 16/3.
    let (seeds, expected, variance) = (10_000, 16.0 / 3.0, 16.0 / 3.0);
    let valley = Valley::shipped();
    let mut play = valley.play(0);
    let mut total = 0.0;
    for seed in 0..seeds {
        valley.game.reset(&mut play.state, seed, &mut play.record);
        let rewards = play.steps(&[WAIT; 40]);
        let from_animals = rewards[..2].iter().sum::<f64>();
        assert_eq!(from_animals, rewards.iter().sum::<f64>(), "seed {seed}: every animal thrives after two steps");
        assert_eq!(play.world().meters, [0.0, from_animals, 0.0], "seed {seed}");
        total += from_animals;
    }
    let (mean, error) = (total / seeds as f64, (variance / seeds as f64).sqrt());
    assert!((mean - expected).abs() < 3.0 * error, "{mean} for {expected} ± {:.3}", 3.0 * error);
}
