//! Former versions of games play the same bytes as ever: the states in which episodes of their policies end, by hash.
//!
//! A number of the file that changes is a promise broken: whoever wants other laws makes a new version of the game.

use std::collections::BTreeMap;

use farm_core::{EpisodeRunner, NoObserver};
use farm_games::catalogue::FORMER;
use farm_games::{Options, open, policy};

use crate::common::presets;

/// Game and preset → policy → the hash of the last state for each seed from 0.
type Hashes = BTreeMap<String, BTreeMap<String, Vec<u64>>>;

#[test]
fn former_versions_end_their_episodes_in_the_states_of_ever() {
    let mut found = Hashes::new();
    for entry in FORMER {
        for preset in [None].into_iter().chain(presets(entry.name).into_iter().map(Some)) {
            let options = Options { preset: preset.clone(), ..Options::default() };
            let game = open(entry.name, &options).unwrap_or_else(|problems| panic!("{problems}"));
            let of_policy = |name: &String| {
                let mut player = policy(&game, name).unwrap_or_else(|problems| panic!("{problems}"));
                let mut runner = EpisodeRunner::new(&game);
                let mut end = |seed| {
                    runner.play(player.as_mut(), seed, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
                    runner.state().hash()
                };
                (name.clone(), (0..3).map(&mut end).collect())
            };
            let label = [Some(entry.name), preset.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
            found.insert(label, game.spec().policies().keys().map(of_policy).collect());
        }
    }
    let golden: Hashes = serde_json::from_str(include_str!("../golden/former.json")).expect("a file of golden numbers");
    let shown = serde_json::to_string_pretty(&found).expect("numbers");
    assert!(found == golden, "the states are now\n{shown}");
}
