//! Plays steps of a game with random actions and writes every observation, for tools that count instructions.
//!
//! `valgrind --tool=callgrind target/release/examples/steps full_farm 4x3 600`: the game, the size of the field in plots (`-` for the
//! size that the game has) and the number of steps. The cost of a step is the difference between runs of two lengths. The program
//! prints a hash of the last states of all episodes. Two builds that play the same print the same hash.
use std::hint::black_box;

use farm_core::{Stream, mix};
use farm_games::{Options, open};

#[allow(clippy::print_stdout, reason = "the hash is its output")]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let sides = arguments[2]
        .split_once('x')
        .into_iter()
        .flat_map(|(length, width)| [("length#nb", length), ("width#nb", width)]);
    let set = sides.map(|(key, n)| (format!("fields.Field-0.shape.{key}"), n.to_owned())).collect();
    let options = Options { set, ..Options::default() };
    let game = open(&arguments[1], &options).unwrap_or_else(|problems| panic!("{problems}"));
    let steps: usize = arguments[3].parse().expect("a number of steps");
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut observation = vec![0; game.observation().size()];
    let (mut seed, mut hash) = (1, 0);
    game.reset(&mut state, seed, &mut record);
    let mut actions = Stream::from_seed(7);
    let n = game.catalogue().discrete_len() as u32;
    for _ in 0..steps {
        let outcome =
            game.step_discrete(&mut state, actions.index(n) as usize, &mut record).expect("the episode is running");
        if outcome.over() {
            hash = mix(hash, state.hash());
            seed += 1;
            game.reset(&mut state, seed, &mut record);
        }
        game.observe_into(&state, &mut observation);
        black_box(&observation);
    }
    println!("{:016x}", mix(hash, state.hash()));
}
