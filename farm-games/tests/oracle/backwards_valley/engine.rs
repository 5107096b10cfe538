//! The plans in the game itself: what they claim is what they return.

use std::sync::Arc;
use std::time::Instant;

use farm_core::{Environment, Player};
use farm_games::oracle::backwards_valley::Reading;
use farm_games::{Options, open};

/// Episodes to plan for: all where the compiler makes plans fast, else fewer.
const SEEDS: u64 = if cfg!(debug_assertions) { 60 } else { 400 };

fn environment(preset: Option<&str>, set: &[(&str, &str)]) -> Environment {
    let set = set.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let options = Options { preset: preset.map(String::from), set };
    Environment::new(Arc::new(open("backwards_valley", &options).unwrap_or_else(|problems| panic!("{problems}"))))
}

/// The return of an episode that a player plays.
fn play(environment: &mut Environment, player: &mut dyn Player, seed: u64) -> f64 {
    environment.reset(seed);
    player.start(seed);
    let mut schedule = Vec::new();
    let mut total = 0.0;
    loop {
        schedule.clear();
        player.choose(&environment.game().clone(), environment.state(), &mut schedule);
        let outcome = environment.step(&schedule).unwrap_or_else(|error| panic!("{error}"));
        total += outcome.reward;
        if outcome.over() {
            return total;
        }
    }
}

#[test]
#[ignore]
fn measure() {
    for preset in [None, Some("scattered")] {
        let mut environment = environment(preset, &[]);
        let reading = Reading::of(environment.game()).unwrap();
        let mut times = Vec::new();
        let (mut sum, mut ratio, mut unproven, mut bounds) = (0.0, 0.0, 0, 0.0);
        let seeds = 200;
        for seed in 0..seeds {
            environment.reset(seed);
            let world = reading.world(environment.game(), environment.state());
            let start = Instant::now();
            let plan = world.plan();
            times.push(start.elapsed().as_secs_f64());
            let all = [&world.crops, &world.animals, &world.villagers].into_iter().flatten();
            let all: f64 = all.map(|t| f64::from(t.base_value)).sum();
            sum += plan.value;
            bounds += all;
            ratio += plan.value / all;
            unproven += u32::from(!plan.is_proven());
        }
        times.sort_by(f64::total_cmp);
        let n = seeds as f64;
        println!(
            "{preset:?}: mean {:.4} s, median {:.4} s, 95% {:.4}, max {:.4} s; mean value {:.2} of {:.2} ({:.4}), unproven {unproven}",
            times.iter().sum::<f64>() / n,
            times[times.len() / 2],
            times[times.len() * 95 / 100],
            times[times.len() - 1],
            sum / n, bounds / n, ratio / n,
        );
    }
}
