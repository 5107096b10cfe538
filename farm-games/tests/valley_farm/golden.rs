//! Golden hashes of whole states.

use farm_core::Stream;

use super::golden_file::{Episode, Golden};
use super::support::*;

#[test]
fn golden_states_of_five_seeds_after_reset_and_after_fifty_steps() {
    let farm = Farm::shipped();
    Golden::check(include_str!("../golden/valley_farm.json"), |_, seed| {
        let mut play = farm.play(seed);
        let start = play.state.hash();
        let mut stream = Stream::from_seed(seed);
        for _ in 0..50 {
            let action = busy_action(&mut stream, &play.world(), seed);
            play.step(action);
        }
        Episode { seed, start, end: play.state.hash(), farm_value: None }
    });
}

#[test]
fn golden_snapshot_and_restore_continue_the_episode() {
    let farm = Farm::shipped();
    for seed in 0..50 {
        let mut play = farm.play(seed);
        let mut stream = Stream::from_seed(seed);
        for _ in 0..20 {
            let action = busy_action(&mut stream, &play.world(), seed);
            play.step(action);
        }
        let bytes = farm.game.snapshot(&play.state);
        let mut other = farm.play(seed + 1);
        farm.game.restore(&mut other.state, &bytes).expect("a snapshot of this game");
        for _ in 0..30 {
            let action = busy_action(&mut stream, &play.world(), seed);
            assert_eq!((play.step(action), &play.state), (other.step(action), &other.state), "seed {seed}");
        }
    }
}
