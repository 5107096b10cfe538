//! Golden hashes of whole states. A change of one of these numbers is a change of the game: of what a seed generates, of
//! what an action does, or of what a state holds. Whoever makes it on purpose says so in the changelog and renews them.

use crate::support::*;

/// Forty actions with some of each, fixed for good.
const SCRIPT: [usize; 40] = [
    MOVE_N, MOVE_N, INSULT, INSULT, WATER, MOVE_E, MOVE_E, MOVE_E, WAIT, FERTILIZE, MOVE_S, FEED, MOVE_S, WAIT, CLEAN,
    MOVE_W, MOVE_W, COMPLIMENT, INSULT, INSULT, MOVE_S, MOVE_W, WAIT, WAIT, MOVE_W, INSULT, MOVE_N, MOVE_N, FEED,
    WATER, MOVE_N, MOVE_E, MOVE_E, INSULT, WAIT, MOVE_N, MOVE_W, MOVE_S, COMPLIMENT, WAIT,
];

/// Seed, hash after the reset, hash and Farm Value after the script.
const GOLDEN: [(u64, u64, u64, f64); 5] = [
    (0, 17473275953126792248, 103274753753428834, 16.0),
    (1, 14034784658306508694, 902588152426503496, 32.0),
    (42, 1703648664481440151, 990134257094329201, 4.0),
    (9_999, 2085022050047588047, 382376265119503863, 24.0),
    (u64::MAX, 2115109528245544764, 11534878456812925725, 4.0),
];

#[test]
fn golden_states_of_five_seeds_after_reset_and_after_forty_steps() {
    let valley = Valley::shipped();
    let found = GOLDEN.map(|(seed, ..)| {
        let mut play = valley.play(seed);
        let start = play.state.hash();
        play.steps(&SCRIPT);
        (seed, start, play.state.hash(), play.world().farm_value)
    });
    assert_eq!(found, GOLDEN);
}
