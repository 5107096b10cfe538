//! Plays the game of this crate in a program that links it, and prints a trace in which every bit shows:
//! `cargo run -p farm-plugins-example --example linked -- farm-plugins-example/games/slug_garden.yaml 1 2 3`.

// This line registers everything in the crate; without it the linker would leave the crate out.
use farm_plugins_example as _;

#[path = "trace/mod.rs"]
mod trace;

#[allow(clippy::print_stdout, reason = "the trace is its output")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "farm-plugins-example/games/slug_garden.yaml".to_owned());
    let seeds: Vec<u64> = arguments.filter_map(|seed| seed.parse().ok()).collect();
    match farm_games::open(&game, &farm_games::Options::default()) {
        Ok(game) => print!("{}", trace::trace(game, if seeds.is_empty() { &[0] } else { &seeds })),
        Err(problems) => {
            eprintln!("{problems}");
            std::process::exit(1);
        }
    }
}
