//! Speed of the engine on one core: steps and days per second, reset, clone, snapshot.
//!
//! `cargo bench -p farm-games` prints items (steps or days) per second. A timing is never a test.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use farm_core::rng::Stream;
use farm_core::{Game, State, StepRecord};
use farm_games::{Options, open};

fn main() {
    divan::main();
}

const STEPS: usize = 10_000;

fn game(name: &str, preset: Option<&str>) -> Game {
    let options = Options { preset: preset.map(str::to_owned), ..Options::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Plays `STEPS` steps with random actions; every observation is written, and an episode that ends is followed by a reset.
fn play(game: &Game, state: &mut State, record: &mut StepRecord, observation: &mut [u8], seed: &mut u64) -> f64 {
    let mut actions = Stream::from_seed(*seed);
    let n = game.catalogue.discrete_len() as u32;
    let mut total = 0.0;
    for _ in 0..STEPS {
        let outcome = game.step_discrete(state, actions.index(n) as usize, record).expect("the episode goes on");
        total += outcome.reward;
        if outcome.over() {
            *seed += 1;
            game.reset(state, *seed, record);
        }
        game.observe_into(state, observation);
        black_box(&observation);
    }
    total
}

#[divan::bench(args = [("backwards_valley", None), ("clay_bean", None), ("clay_bean", Some("4x3"))])]
fn random_policy(bencher: Bencher<'_, '_>, (name, preset): (&str, Option<&str>)) {
    let game = game(name, preset);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut observation = vec![0; game.observation.size];
    let mut seed = 0;
    game.reset(&mut state, seed, &mut record);
    bencher
        .counter(ItemsCount::new(STEPS))
        .bench_local(|| play(&game, &mut state, &mut record, &mut observation, &mut seed));
}

#[divan::bench(args = [("backwards_valley", None), ("clay_bean", None), ("clay_bean", Some("4x3"))])]
fn reset(bencher: Bencher<'_, '_>, (name, preset): (&str, Option<&str>)) {
    let game = game(name, preset);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        game.reset(&mut state, seed, &mut record);
    });
}

#[divan::bench(args = ["backwards_valley", "clay_bean"])]
fn clone_state(bencher: Bencher<'_, '_>, name: &str) {
    let state = game(name, None).new_state();
    bencher.bench_local(|| black_box(&state).clone());
}
