//! A crate of one's own with an entity, within the repository or elsewhere.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::{Name, Plan, entity, filled, game};

const MANIFEST: &str = include_str!("templates/plugin.toml.txt");
const LIBRARY: &str = include_str!("templates/plugin_lib.rs.txt");
const TEST: &str = include_str!("templates/plugin_test.rs.txt");
const README: &str = include_str!("templates/plugin_readme.md.txt");

/// The crates of the project that a plugin depends on: placeholder and name.
const CRATES: [(&str, &str); 4] =
    [("core", "farm-core"), ("entities", "farm-entities"), ("games", "farm-games"), ("testkit", "farm-testkit")];

pub fn plan(root: &Path, name: &Name, folder: Option<&Path>) -> Result<Plan> {
    name.check_new_kind()?;
    let (kebab, snake, pascal) = (name.kebab(), name.snake(), name.pascal());
    let root = absolute(root)?;
    let folder = match folder {
        Some(folder) => absolute(folder)?,
        None => root.join(&kebab),
    };
    ensure!(
        !folder.exists() || fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none()),
        "{} is there already: choose another name, or another folder with `--path DIR`",
        folder.display()
    );
    let workspace =
        fs::read_to_string(root.join("Cargo.toml")).context("Cargo.toml of the repository can't be read")?;
    let is_member = folder.starts_with(&root);
    ensure!(
        !workspace.contains(&format!("\"{kebab}\"")),
        "the repository has a crate `{kebab}` already: choose another name, as in `my-{kebab}`"
    );
    let mut plan = Plan::default();
    let (module, sets) = entity::texts(name, "farm_entities::roles");
    let own = folder.clone();
    let words = name.sentence();
    let fill = |text: &str, more: &[(&str, &str)]| {
        let own = [("kebab", &*kebab), ("snake", &snake), ("module", &snake), ("Pascal", &pascal), ("Words", &words)];
        filled(text, &[&own[..], more].concat())
    };
    let manifest = if is_member { manifest_of_member() } else { manifest_elsewhere(&root, &workspace)? };
    let values: Vec<(&str, &str)> = manifest.iter().map(|(key, value)| (*key, value.as_str())).collect();
    plan.file(own.join("Cargo.toml"), fill(MANIFEST, &values));
    let target = if is_member { up_to(&folder, &root) + "target" } else { "target".to_owned() };
    let built = format!("{target}/release/{snake}");
    plan.file(own.join("README.md"), fill(README, &[("built", &built)]));
    plan.file(own.join("src/lib.rs"), fill(LIBRARY, &[]));
    plan.file(own.join(format!("src/{snake}.rs")), module);
    plan.file(own.join(format!("src/{snake}.yaml")), sets);
    let header = "# Open it with `farm --plugin PATH run`, or in a program that links the crate.\n";
    plan.file(own.join(format!("games/{snake}.yaml")), game::text(name, header, Some(&pascal)));
    plan.file(own.join("tests/conformance.rs"), fill(TEST, &[]));
    if is_member {
        let path = folder.strip_prefix(&root)?.display().to_string();
        plan.edit(root.join("Cargo.toml"), |text| {
            let (before, after) =
                text.split_once("\"xtask\"").context("the members of the workspace end with xtask")?;
            Ok(format!("{before}\"{path}\", \"xtask\"{after}"))
        })?;
        plan.next(format!("cargo test -p {kebab}"), "what every part must hold, and what this one does");
        plan.next(format!("cargo build --release -p {kebab}"), "the library that `farm` loads");
        let game = folder.join(format!("games/{snake}.yaml"));
        let game = game.strip_prefix(&root)?.display().to_string();
        plan.next(
            format!("cargo run --release -- --plugin target/release/{snake} run {game} --policy expert"),
            "play it",
        );
    } else {
        // The versions that the repository is tested with.
        let lock = fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock of the repository can't be read")?;
        plan.file(own.join("Cargo.lock"), lock);
        plan.next(format!("cd {}", folder.display()), "the crate is a workspace of its own");
        plan.next("cargo test", "what every part must hold, and what this one does");
        plan.next("cargo build --release", "the library that `farm` loads");
        plan.next(format!("farm --plugin target/release/{snake} run games/{snake}.yaml --policy expert"), "play it");
    }
    plan.next(format!("edit src/{snake}.rs"), "make it yours");
    Ok(plan)
}

fn manifest_of_member() -> Vec<(&'static str, String)> {
    let package =
        ["version", "edition", "rust-version", "license"].map(|key| format!("{key}.workspace = true\n")).concat();
    let mut values = vec![("package", package), ("rest", "\n[lints]\nworkspace = true".to_owned())];
    values.extend(CRATES.map(|(key, _)| (key, ".workspace = true".to_owned())));
    with_typetag(&mut values, "typetag.workspace = true");
    values
}

fn manifest_elsewhere(root: &Path, workspace: &str) -> Result<Vec<(&'static str, String)>> {
    let line = |beginning: &str| {
        let found = workspace.lines().find(|line| line.starts_with(beginning));
        found.with_context(|| format!("Cargo.toml of the repository says nothing of `{beginning}`"))
    };
    let package =
        format!("version = \"0.1.0\"\n{}\n{}\npublish = false\n", line("edition = ")?, line("rust-version = ")?);
    // A test plays hundreds of seasons.
    let rest = "\n[profile.dev]\nopt-level = 1\n\n# It belongs to no other workspace.\n[workspace]".to_owned();
    let mut values = vec![("package", package), ("rest", rest)];
    // As a literal text of TOML, in which a backslash is one.
    let path = |name: &str| format!(" = {{ path = '{}' }}", root.join(name).display());
    values.extend(CRATES.map(|(key, name)| (key, path(name))));
    with_typetag(&mut values, line("typetag = ")?);
    Ok(values)
}

/// The macro that registers parts writes paths into this crate.
fn with_typetag(values: &mut [(&str, String)], line: &str) {
    for (_, value) in values.iter_mut().filter(|(key, _)| *key == "entities") {
        value.push('\n');
        value.push_str(line);
    }
}

/// A path without `.` and `..`, whether it is there or not.
fn absolute(path: &Path) -> Result<PathBuf> {
    let full = std::path::absolute(path).with_context(|| format!("{} is no path", path.display()))?;
    let mut plain = PathBuf::new();
    for part in full.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    Ok(plain)
}

/// `../` for each folder from one up to another.
fn up_to(folder: &Path, root: &Path) -> String {
    "../".repeat(folder.components().count() - root.components().count())
}
