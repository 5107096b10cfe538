//! Golden hashes of whole states. A change of one of these numbers is a change of the game: of what a seed generates, of
//! what an action does, or of what a state holds. Whoever makes it on purpose says so in the changelog and renews them.

use farm_core::rng::Stream;

use crate::support::*;

/// Seed, hash after the reset, hash after fifty busy actions.
const GOLDEN: [(u64, u64, u64); 5] = [
    (0, 9916425587848702649, 611417635148601916),
    (1, 5123135132024566961, 1394377203888680087),
    (42, 715639441542047121, 2562028114093517824),
    (9999, 3679021140649876270, 4568586061024936713),
    (u64::MAX, 17961823713114182745, 16835978482048043382),
];

#[test]
fn golden_states_of_five_seeds_after_reset_and_after_fifty_steps() {
    let farm = Farm::shipped();
    let found = GOLDEN.map(|(seed, ..)| {
        let mut play = farm.play(seed);
        let start = play.state.hash();
        let mut stream = Stream::from_seed(seed);
        for _ in 0..50 {
            let action = busy_action(&mut stream, &play.world(), seed);
            play.step(action);
        }
        (seed, start, play.state.hash())
    });
    assert_eq!(found, GOLDEN);
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
