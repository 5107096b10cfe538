//! The same game plays the same bytes, be the crate linked or loaded.

use std::process::Command;

use farm_games::Options;

use crate::support::{example, folder, garden, loaded, slugs};

#[path = "../../examples/trace/mod.rs"]
mod trace;

const SEEDS: [u64; 4] = [0, 1, 2026, u64::MAX];

/// What the program that links the crate prints.
fn linked(game: &std::path::Path) -> String {
    let seeds = SEEDS.map(|seed| seed.to_string());
    let run = Command::new(example("linked")).arg(game).args(seeds).output().expect("the linked program");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn linked_and_loaded_episodes_are_equal_to_the_last_bit() {
    loaded(&slugs());
    let game = farm_games::open(&garden().to_string_lossy(), &Options::default()).unwrap_or_else(|p| panic!("{p}"));
    let here = trace::trace(game, &SEEDS);
    let there = linked(&garden());
    assert!(here.lines().filter(|line| line.ends_with("false")).count() > 300, "{here}");
    assert!(here.contains("searching#day-1: 0.3") && here.contains("fingerprint"), "the parameters are written out");
    for (ours, theirs) in here.lines().zip(there.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(here, there);
}

#[test]
fn other_seeds_play_otherwise_and_slugs_are_about() {
    loaded(&slugs());
    let open = || farm_games::open(&garden().to_string_lossy(), &Options::default()).unwrap();
    assert_ne!(trace::trace(open(), &[3]), trace::trace(open(), &[4]));
}

#[test]
fn a_game_that_names_its_plugin_runs_where_it_is_linked_and_where_loading_is_allowed() {
    let folder = folder("names_its_plugin");
    // A folder of its own, so that the path is relative and the library is not one that another test has loaded.
    let text = std::fs::read_to_string(garden()).unwrap();
    let own = folder.join(slugs().file_name().unwrap());
    std::fs::copy(slugs(), &own).unwrap();
    let game = folder.join("garden.yaml");
    std::fs::write(&game, format!("plugins: [./farm_plugins_example]\n{text}")).unwrap();
    // Where it is linked nothing is loaded, so nothing has to be allowed.
    let there = linked(&game);
    let allowed = Options { allow_plugins: true, ..Options::default() };
    let opened = farm_games::open(&game.to_string_lossy(), &allowed).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(trace::trace(opened, &SEEDS), there);
    // Now it is loaded, and needs no permission.
    farm_games::open(&game.to_string_lossy(), &Options::default()).unwrap_or_else(|p| panic!("{p}"));
}
