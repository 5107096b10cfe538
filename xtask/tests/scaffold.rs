//! The scaffolds' output compiles, is documented and passes its tests, both in a copy of the repository and outside it.
//!
//! The copy and its build output stay below the target directory, so that only changes are compiled again. The copy uses the dependencies
//! that were built for the repository. The copy's packages have a different version. Otherwise, cargo would treat packages with equal names
//! and versions as identical, and would rebuild nothing in the repository after a change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// The folder for the copy and the plugins; the repository's target directory is above it.
fn workshop() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("scaffold")
}

/// Writes a file only if it has changed, because cargo recompiles files that are newer than before.
fn write(text: &[u8], to: &Path) {
    if fs::read(to).ok().as_deref() != Some(text) {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
        fs::write(to, text).expect("a new file");
    }
}

/// The files below one of the repository's folders that a build needs.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if name.starts_with('.') || name == "target" || name == "__pycache__" {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else if !name.ends_with(".so") {
            found.push(path);
        }
    }
}

/// The crates that are scaffolded into the copy, one for each kind of part, as name and kind.
const PLUGINS: [(&str, &str); 5] = [
    ("garden-toads", "entity"),
    ("night-shift", "farmer"),
    ("short-summer", "rule"),
    ("fair-trade", "score"),
    ("old-habit", "policy"),
];

/// A copy of the repository, without scaffolds from an earlier run.
fn copied() -> PathBuf {
    let (from, to) = (repository(), workshop().join("repository"));
    let mut wanted = Vec::new();
    files(&from, &mut wanted);
    let wanted: Vec<PathBuf> =
        wanted.iter().filter_map(|path| path.strip_prefix(&from).ok().map(Path::to_path_buf)).collect();
    if to.exists() {
        let mut there = Vec::new();
        files(&to, &mut there);
        for path in there {
            let relative = path.strip_prefix(&to).expect("a file of the copy").to_path_buf();
            if !wanted.contains(&relative) {
                fs::remove_file(&path).expect("a file of the copy");
            }
        }
    }
    // A folder without files is there all the same.
    for (plugin, _) in PLUGINS {
        if let Err(error) = fs::remove_dir_all(to.join(plugin)) {
            assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}");
        }
    }
    for path in wanted {
        let text = fs::read(from.join(&path)).expect("a file of the repository");
        let is_manifest = path == Path::new("Cargo.toml");
        write(&if is_manifest { with_its_version(&text) } else { text }, &to.join(&path));
    }
    to
}

/// The copy's manifest.
fn with_its_version(manifest: &[u8]) -> Vec<u8> {
    let manifest = String::from_utf8_lossy(manifest);
    let ours = format!("\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&ours), "the packages have one version");
    manifest.replacen(&ours, "\nversion = \"0.1.99\"\n", 1).into_bytes()
}

/// `cargo xtask …` in a copy of the repository.
fn xtask(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    // Cargo says so where the crate of a task is.
    command.args(arguments).current_dir(root).env("CARGO_MANIFEST_DIR", root.join("xtask"));
    command.output().expect("xtask runs")
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "it should be refused");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

/// Cargo in a folder, with the repository's target directory.
fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", target);
    // What cargo says to a test is about the test.
    for (key, _) in std::env::vars().filter(|(key, _)| key.starts_with("CARGO_") && key != "CARGO_HOME") {
        if key != "CARGO_TARGET_DIR" {
            command.env_remove(key);
        }
    }
    command.output().expect("cargo runs")
}

/// All scaffolds are in one copy, so that the project's crates are compiled only once.
#[test]
fn what_is_scaffolded_builds_and_passes_its_tests() {
    let root = copied();
    let text = succeeds(&xtask(&root, &["new-entity", "WoodMice"]));
    assert!(text.contains("written  farm-entities/src/agronomy/wood_mice.rs"), "{text}");
    assert!(text.contains("next\n  cargo test -p farm-entities wood_mice"), "{text}");
    let text = succeeds(&xtask(&root, &["new-game", "wet_meadow"]));
    assert!(text.contains("cargo run -- run wet_meadow"), "{text}");
    for (plugin, sort) in PLUGINS {
        let text = succeeds(&xtask(&root, &["new-plugin", plugin, "--kind", sort]));
        assert!(text.contains(&format!("cargo test -p {plugin}")), "{text}");
    }

    // Nothing is overwritten.
    let before = fs::read_to_string(root.join("farm-entities/src/agronomy/wood_mice.rs")).expect("the entity");
    refused(&xtask(&root, &["new-entity", "wood_mice"]), &["wood_mice.rs already exists", "choose another name"]);
    refused(&xtask(&root, &["new-game", "WetMeadow"]), &["the game `wet_meadow` already exists", "my_wet_meadow"]);
    refused(&xtask(&root, &["new-plugin", "garden_toads"]), &["garden-toads already exists", "--path DIR"]);
    assert_eq!(fs::read_to_string(root.join("farm-entities/src/agronomy/wood_mice.rs")).ok(), Some(before));

    // The plugins' own tests, and as one of them what the kit says of the entity and the game, which its binary links.
    let test = "//! The other two scaffolds.

#[test]
fn they_conform() {
    for config in [\"WoodMice\", \"WoodMice: slow\", \"WoodMice: fast\"] {
        farm_testkit::check_entity(config).unwrap();
    }
    farm_testkit::check_game(\"wet_meadow\").unwrap();
}
";
    fs::write(root.join(PLUGINS[0].0).join("tests/others.rs"), test).expect("a new file");
    let packages: Vec<&str> = PLUGINS.iter().flat_map(|(plugin, _)| ["-p", plugin]).collect();
    let targets = ["-p", "farm-entities", "--lib", "--test", "conformance", "--test", "others"];
    let tests = ["--", "wood_mice", "conform", "chance", "season", "work", "acts", "action", "wrong", "removed"];
    let text = succeeds(&cargo(
        &root,
        &[&["test", "--offline", "--no-fail-fast"], &packages[..], &targets[..], &tests[..]].concat(),
    ));
    for name in [
        "agronomy::wood_mice::tests::chance_of_growth_is_half",
        "garden_toads::tests::chance_of_growth_is_half",
        "the_entity_conforms_with_every_parameter_set ... ok",
        "it_grows_and_can_be_removed ... ok",
        "the_farmer_conforms ... ok",
        "it_works_while_it_is_warm_enough_and_it_has_time ... ok",
        "the_season_ends_the_game_after_its_days ... ok",
        "a_wrong_name_in_the_game_is_rejected_and_reported ... ok",
        "the_score_conforms ... ok",
        "a_season_is_worth_its_harvest ... ok",
        "work_costs ... ok",
        "it_acts_on_every_other_day ... ok",
        "an_unknown_action_is_rejected_with_the_nearest_name ... ok",
        "they_conform ... ok",
    ] {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert_eq!(text.matches("the_game_conforms ... ok").count(), PLUGINS.len(), "{text}");
    assert!(!text.contains("warning"), "{text}");
    succeeds(&cargo(&root, &[&["fmt", "--check", "-p", "farm-entities", "-p", "farm-games"], &packages[..]].concat()));
}

/// Outside the repository, a plugin is a separate workspace, and cargo finds its dependencies.
#[test]
fn a_plugin_elsewhere_is_a_workspace_of_its_own() {
    let folder = workshop().join("elsewhere/garden-newts");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of an earlier run");
    }
    let path = folder.display().to_string();
    let text = succeeds(&xtask(&repository(), &["new-plugin", "garden_newts", "--path", &path]));
    assert!(
        text.contains("cargo build --release") && text.contains("farm --plugin target/release/garden_newts"),
        "{text}"
    );
    refused(&xtask(&repository(), &["new-plugin", "garden_newts", "--path", &path]), &["already exists"]);
    // The tree is that of this machine, whose packages are there; those of other systems may never have been downloaded.
    let text = succeeds(&cargo(&folder, &["tree", "--offline", "--prefix", "none"]));
    for name in ["garden-newts", "farm-core", "farm-testkit"] {
        assert!(text.contains(&format!("{name} v")), "{name}: {text}");
    }
}
