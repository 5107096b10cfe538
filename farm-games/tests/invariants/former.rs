//! Versions of games play the same bytes as ever: the states in which episodes of their policies end, by hash.
//!
//! A number of the file of former versions that changes is a promise broken: whoever wants other laws makes a new version of the game. The
//! newest versions may change until they are released; with `INSTA_UPDATE=always` the test writes what it finds, and the changelog says so.

use std::collections::BTreeMap;

use farm_core::{EpisodeRunner, NoObserver};
use farm_games::catalogue::{CATALOGUE, CatalogueEntry, FORMER};
use farm_games::{Options, open, policy};

use crate::common::{presets, repository};

/// Game and preset → policy → the hash of the last state for each seed from 0.
type Hashes = BTreeMap<String, BTreeMap<String, Vec<u64>>>;

/// How the episodes of a version end, with each preset that is asked for.
fn ends(entry: &CatalogueEntry, presets: Vec<Option<String>>, seeds: u64) -> Hashes {
    let mut found = Hashes::new();
    for preset in presets {
        let options = Options { preset: preset.clone(), ..Options::default() };
        let game = open(entry.name, &options).unwrap_or_else(|problems| panic!("{problems}"));
        let of_policy = |name: &String| {
            let mut player = policy(&game, name).unwrap_or_else(|problems| panic!("{problems}"));
            let mut runner = EpisodeRunner::new(&game);
            let mut end = |seed| {
                runner.play(player.as_mut(), seed, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
                runner.state().hash()
            };
            (name.clone(), (0..seeds).map(&mut end).collect())
        };
        let label = [Some(entry.name), preset.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        found.insert(label, game.spec().policies().keys().map(of_policy).collect());
    }
    found
}

#[test]
fn former_versions_end_their_episodes_in_the_states_of_ever() {
    let all = |entry: &CatalogueEntry| [None].into_iter().chain(presets(entry.name).into_iter().map(Some)).collect();
    let found: Hashes = FORMER.iter().flat_map(|entry| ends(entry, all(entry), 3)).collect();
    let golden: Hashes = serde_json::from_str(include_str!("../golden/former.json")).expect("a file of golden numbers");
    let shown = serde_json::to_string_pretty(&found).expect("numbers");
    assert!(found == golden, "the states are now\n{shown}");
}

/// Two seeds without presets: there are fields of four hundred plots among them.
#[test]
fn newest_versions_end_their_episodes_in_the_states_of_the_file() {
    let path = repository().join("farm-games/tests/golden/newest.json");
    let found: Hashes = CATALOGUE.iter().flat_map(|entry| ends(entry, vec![None], 2)).collect();
    let shown = serde_json::to_string_pretty(&found).expect("numbers") + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(&path, &shown).expect("the file can be written");
    }
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let golden: Hashes = serde_json::from_str(&text).expect("a file of golden numbers");
    let changed: Vec<&String> =
        found.iter().filter(|(game, of)| golden.get(*game) != Some(of)).map(|(game, _)| game).collect();
    assert!(
        found == golden,
        "episodes end in other states than `{}` says in {changed:?}; if the games were changed on purpose: `INSTA_UPDATE=always cargo test \
         --workspace --test invariants newest`",
        path.display()
    );
}
