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
    (0, 5946473190181056028, 14549480275234008890, 16.0),
    (1, 3827755189123080090, 6093542057413942224, 32.0),
    (42, 21788993002128038, 7273311565783904282, 4.0),
    (9_999, 8732273396353426247, 3869183919420422406, 24.0),
    (u64::MAX, 8475133305008198405, 6441745365171086244, 4.0),
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
