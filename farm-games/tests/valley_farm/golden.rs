//! Golden hashes of whole states. A change of one of these numbers is a change of the game: of what a seed generates, of
//! what an action does, or of what a state holds. Whoever makes it on purpose says so in the changelog and renews them.

use farm_core::rng::Stream;

use crate::support::*;

/// Seed, hash after the reset, hash after fifty busy actions.
const GOLDEN: [(u64, u64, u64); 5] = [
    (0, 13127207575945676948, 4971051904278032185),
    (1, 17187410110333398982, 17594627294714233028),
    (42, 6900306639527755215, 894032381198660050),
    (9999, 17628959791934884949, 5339428835583592533),
    (u64::MAX, 3992616315775193643, 10568139675324990576),
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
