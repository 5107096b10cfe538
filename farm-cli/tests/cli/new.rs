//! Skeletons: a game plays at once, a crate is written beside the sources that it needs, and nothing is overwritten.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::program::{Folder, Ran, program};

/// A run of the program in a folder outside of the repository.
fn farm_in(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = program();
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).env_remove("FARM_GYM_PLUGINS");
    Ran::of(&command.output().unwrap())
}

fn repository() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().display().to_string()
}

#[test]
fn a_new_game_plays_at_once_and_is_never_overwritten() {
    let folder = Folder::new("new-game");
    let written = farm_in(&folder, &["new-game", "WetMeadow"]);
    written.says(0, &["written  wet_meadow.yaml", "next", "farm run wet_meadow.yaml --policy expert"]);
    farm_in(&folder, &["check", "wet_meadow.yaml"]).says(0, &["ok: wet_meadow"]);
    for policy in ["expert", "random", "wait"] {
        farm_in(&folder, &["run", "wet_meadow.yaml", "--policy", policy, "--episodes", "2"]).says(0, &[policy]);
    }
    let told = farm_in(&folder, &["describe", "wet_meadow.yaml", "--instructions", "shown"]);
    told.says(0, &["Grow beans", "at most 2 of your actions a day"]);

    fs::write(folder.file("wet_meadow.yaml"), "mine").unwrap();
    let refused = farm_in(&folder, &["new-game", "wet_meadow"]);
    refused.says(1, &["wet_meadow.yaml is there already", "choose another name"]);
    assert_eq!(fs::read_to_string(folder.file("wet_meadow.yaml")).unwrap(), "mine");
    farm_in(&folder, &["new-game", "clay-bean"]).says(1, &["there is already a game `clay_bean`", "my_clay_bean"]);
    farm_in(&folder, &["new-game", "../meadow"]).says(1, &["`../meadow` can't be a name, because of `.`"]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn a_new_plugin_of_every_kind_is_written_beside_sources_that_are_named() {
    let (folder, repository) = (Folder::new("new-plugin"), repository());
    let kinds = ["entity", "farmer", "rule", "score", "policy"];
    for (name, kind) in ["night_mice", "night_shift", "night_law", "night_prize", "night_habit"].iter().zip(kinds) {
        let ran = farm_in(&folder, &["new-plugin", name, "--kind", kind, "--farm-gym", &repository]);
        let kebab = name.replace('_', "-");
        ran.says(0, &["written", "Cargo.toml", "cargo test", &format!("farm --plugin target/release/{name}")]);
        let manifest = fs::read_to_string(folder.0.join(&kebab).join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("farm-core = {{ path = '{repository}")), "{manifest}");
        let files = ["src/lib.rs", "src/NAME.rs", "games/NAME.yaml", "tests/conformance.rs", "README.md", "Cargo.lock"];
        for file in files.map(|file| folder.0.join(&kebab).join(file.replace("NAME", name))) {
            let text = fs::read_to_string(&file).unwrap();
            // Placeholders of skeletons touch their braces, those of game texts do not.
            let is_left = text.split("{{").skip(1).any(|rest| rest.starts_with(char::is_alphabetic));
            assert!(!is_left, "{}: {text}", file.display());
        }
        // Neutral words: a name is not always that of animals.
        let source = fs::read_to_string(folder.0.join(&kebab).join(format!("src/{name}.rs"))).unwrap();
        for word in ["they", "They", "driven away", "that come"] {
            assert!(!source.contains(word), "{kind}: `{word}`");
        }
    }
    let again = farm_in(&folder, &["new-plugin", "NightMice", "--farm-gym", &repository]);
    again.says(1, &["night-mice is there already", "--path DIR"]);
    let other = ["new-plugin", "NightMice", "--farm-gym", &repository, "--path", "elsewhere/mice"];
    farm_in(&folder, &other).says(0, &["elsewhere/mice/Cargo.toml"]);
}

#[test]
fn a_new_plugin_without_sources_or_with_a_name_that_is_taken_is_refused_with_what_to_do() {
    let (folder, repository) = (Folder::new("no-sources"), repository());
    let refused = farm_in(&folder, &["new-plugin", "night_mice"]);
    refused.says(1, &["built against the sources of farm-gym", "`--farm-gym DIR`"]);
    let shown = folder.0.display().to_string();
    refused.says(1, &[&shown]);
    let nowhere = farm_in(&folder, &["new-plugin", "night_mice", "--farm-gym", "nowhere"]);
    nowhere.says(1, &["nowhere", "`--farm-gym DIR`"]);
    let taken = farm_in(&folder, &["new-plugin", "soil", "--farm-gym", &repository]);
    taken.says(1, &["there is already the entity `Soil`", "MySoil"]);
    let kind = farm_in(&folder, &["new-plugin", "night_mice", "--kind", "tractor"]);
    kind.says(2, &["tractor", "entity, farmer, rule, score, policy"]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0, "something was written");
}
