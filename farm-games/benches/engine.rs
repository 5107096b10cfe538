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

/// Games with the length and width of their field; 0 leaves it as it is.
const GAMES: [(&str, usize, usize); 8] = [
    ("backwards_valley", 0, 0),
    ("valley_farm", 0, 0),
    ("clay_bean", 1, 1),
    ("clay_bean", 4, 3),
    ("full_farm", 1, 1),
    ("full_farm", 4, 3),
    ("full_farm", 10, 10),
    ("full_farm", 100, 100),
];

fn game(name: &str, length: usize, width: usize) -> Game {
    let size = [("length#nb", length), ("width#nb", width)].into_iter().filter(|(_, n)| *n > 0);
    let set = size.map(|(key, n)| (format!("fields.Field-0.shape.{key}"), n.to_string())).collect();
    let options = Options { set, ..Options::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Steps of one measurement: fewer on a large field, where one takes long.
fn steps(game: &Game) -> usize {
    STEPS / game.fields.iter().map(|field| field.plots()).max().unwrap_or(1).clamp(1, STEPS / 20).max(1)
}

/// Plays some steps with random actions; every observation is written, and an episode that ends is followed by a reset.
fn play(game: &Game, state: &mut State, record: &mut StepRecord, observation: &mut [u8], seed: &mut u64) -> f64 {
    let mut actions = Stream::from_seed(*seed);
    let n = game.catalogue.discrete_len() as u32;
    let mut total = 0.0;
    for _ in 0..steps(game) {
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

#[divan::bench(args = GAMES)]
fn random_policy(bencher: Bencher<'_, '_>, (name, length, width): (&str, usize, usize)) {
    let game = game(name, length, width);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut observation = vec![0; game.observation.size];
    let mut seed = 0;
    game.reset(&mut state, seed, &mut record);
    bencher
        .counter(ItemsCount::new(steps(&game)))
        .bench_local(|| play(&game, &mut state, &mut record, &mut observation, &mut seed));
}

#[divan::bench(args = GAMES)]
fn reset(bencher: Bencher<'_, '_>, (name, length, width): (&str, usize, usize)) {
    let game = game(name, length, width);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        game.reset(&mut state, seed, &mut record);
    });
}

#[divan::bench(args = ["backwards_valley", "valley_farm", "clay_bean", "full_farm"])]
fn clone_state(bencher: Bencher<'_, '_>, name: &str) {
    let state = game(name, 0, 0).new_state();
    bencher.bench_local(|| black_box(&state).clone());
}
