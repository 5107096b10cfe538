//! Golden hashes of whole states.

use super::golden_file::{Episode, Golden};
use super::support::*;

#[test]
fn golden_states_of_five_seeds_after_reset_and_after_forty_steps() {
    let valley = Valley::shipped();
    Golden::check(include_str!("../golden/backwards_valley.json"), |script, seed| {
        assert_eq!(script.len(), 40);
        let action = |name: &String| NAMES.iter().position(|known| known == name).expect("an action");
        let script: Vec<usize> = script.iter().map(action).collect();
        let mut play = valley.play(seed);
        let start = play.state.hash();
        play.steps(&script);
        Episode { seed, start, end: play.state.hash(), farm_value: Some(play.world().farm_value) }
    });
}
