//! A plugin crate with a part of any type, inside the repository or elsewhere.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::edit::with_member;
use crate::{Name, ScaffoldPlan, Sort, Taken, filled, game};

const MANIFEST: &str = include_str!("../templates/plugin.toml.txt");
const LIBRARY: &str = include_str!("../templates/plugin_lib.rs.txt");
const TEST: &str = include_str!("../templates/plugin_test.rs.txt");
const README: &str = include_str!("../templates/plugin_readme.md.txt");
const SETS: &str = include_str!("../templates/entity.yaml.txt");

/// A request for a plugin crate.
#[derive(Debug, Clone, Copy)]
pub struct NewPlugin<'a> {
    /// The root of the repository, which contains the crates that the plugin depends on.
    pub repository: &'a Path,
    /// The name, in any form.
    pub name: &'a str,
    /// The type of the part.
    pub sort: Sort,
    /// The parent folder of the crate, if no folder is given.
    pub inside: &'a Path,
    /// The folder of the crate.
    pub folder: Option<&'a Path>,
}

/// The templates for a type of part: the source, the tests, and the section in the README.
struct Templates {
    source: &'static str,
    test: &'static str,
    advice: &'static str,
    /// Whether the part reads roles of the project's entities.
    has_roles: bool,
}

fn templates(sort: Sort) -> Templates {
    let (source, test, advice) = match sort {
        Sort::Entity => (
            include_str!("../templates/entity.rs.txt"),
            include_str!("../templates/entity_test.rs.txt"),
            include_str!("../templates/entity_readme.md.txt"),
        ),
        Sort::Farmer => (
            include_str!("../templates/farmer.rs.txt"),
            include_str!("../templates/farmer_test.rs.txt"),
            include_str!("../templates/farmer_readme.md.txt"),
        ),
        Sort::Rule => (
            include_str!("../templates/rule.rs.txt"),
            include_str!("../templates/rule_test.rs.txt"),
            include_str!("../templates/rule_readme.md.txt"),
        ),
        Sort::Score => (
            include_str!("../templates/score.rs.txt"),
            include_str!("../templates/score_test.rs.txt"),
            include_str!("../templates/score_readme.md.txt"),
        ),
        Sort::Policy => (
            include_str!("../templates/policy.rs.txt"),
            include_str!("../templates/policy_test.rs.txt"),
            include_str!("../templates/policy_readme.md.txt"),
        ),
    };
    Templates { source, test, advice, has_roles: matches!(sort, Sort::Entity | Sort::Farmer | Sort::Score) }
}

/// A part's source code.
pub(crate) fn part_source(sort: Sort, name: &Name) -> String {
    fill(templates(sort).source, name, &[])
}

/// An entity's parameter sets.
pub(crate) fn parameter_sets(name: &Name) -> String {
    fill(SETS, name, &[])
}

fn fill(template: &str, name: &Name, more: &[(&str, &str)]) -> String {
    let (kebab, snake, pascal) = (name.kebab(), name.snake(), name.pascal());
    let (words, sentence) = (name.spaced(), name.sentence());
    let own =
        [("kebab", kebab.as_str()), ("snake", &snake), ("Pascal", &pascal), ("words", &words), ("Words", &sentence)];
    // The caller's values may contain the others.
    filled(&filled(template, more), &own)
}

pub(crate) fn plan(new: &NewPlugin<'_>, name: &Name, taken: &Taken) -> Result<ScaffoldPlan> {
    name.check_new_kind(taken)?;
    let (kebab, snake) = (name.kebab(), name.snake());
    let root = absolute(new.repository)?;
    let folder = absolute(&new.folder.map_or_else(|| new.inside.join(&kebab), Path::to_path_buf))?;
    ensure!(
        !folder.exists() || fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none()),
        "{} already exists: choose another name, or another folder with `--path DIR`",
        folder.display()
    );
    let workspace =
        fs::read_to_string(root.join("Cargo.toml")).context("Cargo.toml of the repository can't be read")?;
    // Folders of build outputs are not part of the repository.
    let is_member = folder.starts_with(&root) && !folder.starts_with(root.join("target"));
    ensure!(
        !workspace.contains(&format!("\"{kebab}\"")),
        "the crate `{kebab}` already exists in the repository: choose another name, as in `my-{kebab}`"
    );
    let mut plan = ScaffoldPlan::new(&root);
    let templates = templates(new.sort);
    let manifest = if is_member { of_member(&templates) } else { of_its_own(&templates, &root, &workspace)? };
    let manifest: Vec<(&str, &str)> = manifest.iter().map(|(key, value)| (*key, value.as_str())).collect();
    plan.file(folder.join("Cargo.toml"), fill(MANIFEST, name, &manifest));
    let target = if is_member { up_to(&folder, &root) + "target" } else { "target".to_owned() };
    // A policy plays its game itself.
    let player = if new.sort == Sort::Policy { snake.as_str() } else { "expert" };
    let more = [
        ("built", format!("{target}/release/{snake}")),
        ("sort", new.sort.name().to_owned()),
        ("a_sort", new.sort.with_article()),
        ("player", player.to_owned()),
    ];
    let mut more: Vec<(&str, &str)> = more.iter().map(|(key, value)| (*key, value.as_str())).collect();
    plan.file(folder.join("README.md"), fill(README, name, &[&[("advice", templates.advice)], &more[..]].concat()));
    plan.file(folder.join("src/lib.rs"), fill(LIBRARY, name, &more));
    plan.file(folder.join(format!("src/{snake}.rs")), part_source(new.sort, name));
    if new.sort == Sort::Entity {
        plan.file(folder.join(format!("src/{snake}.yaml")), parameter_sets(name));
    }
    let header = "# Open it with `farm --plugin PATH run`, or in a program that links the crate.\n";
    plan.file(folder.join(format!("games/{snake}.yaml")), game::text(name, header, Some(new.sort)));
    more.push(("test", templates.test));
    plan.file(folder.join("tests/conformance.rs"), fill(TEST, name, &more));
    if is_member {
        let path = folder.strip_prefix(&root)?.display().to_string();
        plan.edit(root.join("Cargo.toml"), |text| with_member(text, &path))?;
        plan.next(format!("cargo test -p {kebab}"), "runs the checks of all parts, and its own tests");
        plan.next(format!("cargo build --release -p {kebab}"), "builds the library for `farm`");
        let loaded = format!("--plugin target/release/{snake}");
        plan.next(
            format!("cargo run --release -- {loaded} run {path}/games/{snake}.yaml --policy {player}"),
            "runs its game",
        );
    } else {
        // Use the versions with which the repository is tested.
        let lock = fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock of the repository can't be read")?;
        plan.file(folder.join("Cargo.lock"), lock);
        plan.next(format!("cd {}", folder.display()), "the crate is its own workspace");
        plan.next("cargo test", "runs the checks of all parts, and its own tests");
        plan.next("cargo build --release", "builds the library for `farm`");
        plan.next(
            format!("farm --plugin target/release/{snake} run games/{snake}.yaml --policy {player}"),
            "runs its game",
        );
    }
    plan.next(format!("edit src/{snake}.rs"), "replace the example with your part");
    Ok(plan)
}

/// The manifest values for a workspace member: versions and lints come from the workspace.
fn of_member(templates: &Templates) -> Vec<(&'static str, String)> {
    let package =
        ["version", "edition", "rust-version", "license"].map(|key| format!("{key}.workspace = true\n")).concat();
    let (needed, tested) = dependencies(templates, |name| format!("{name}.workspace = true\n"));
    vec![
        ("package", package),
        ("dependencies", needed),
        ("dev-dependencies", tested),
        ("rest", "[lints]\nworkspace = true".to_owned()),
    ]
}

/// The manifest values for a separate workspace.
fn of_its_own(templates: &Templates, root: &Path, workspace: &str) -> Result<Vec<(&'static str, String)>> {
    let line = |beginning: &str| {
        let found = workspace.lines().find(|line| line.starts_with(beginning));
        found.with_context(|| format!("Cargo.toml of the repository has no line `{beginning}`"))
    };
    let package =
        format!("version = \"0.1.0\"\n{}\n{}\npublish = false\n", line("edition = ")?, line("rust-version = ")?);
    // A literal string of TOML, in which a backslash has no special meaning.
    let (needed, tested) =
        dependencies(templates, |name| format!("{name} = {{ path = '{}' }}\n", root.join(name).display()));
    // Tests play hundreds of seasons, so they need optimisation.
    let rest = "[profile.dev]\nopt-level = 1\n\n# This crate is its own workspace.\n[workspace]".to_owned();
    Ok(vec![("package", package), ("dependencies", needed), ("dev-dependencies", tested), ("rest", rest)])
}

/// The manifest lines for the crates that the part and its tests need.
fn dependencies(templates: &Templates, line: impl Fn(&str) -> String) -> (String, String) {
    let roles = if templates.has_roles { line("farm-roles") } else { String::new() };
    (line("farm-core") + &roles, line("farm-games") + &line("farm-testkit"))
}

/// An absolute path without `.` and `..`. The path does not have to exist.
fn absolute(path: &Path) -> Result<PathBuf> {
    let full = std::path::absolute(path).with_context(|| format!("{} is not a valid path", path.display()))?;
    let mut plain = PathBuf::new();
    for part in full.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    Ok(plain)
}

/// The relative path from one folder up to another: `../` for each level.
fn up_to(folder: &Path, root: &Path) -> String {
    "../".repeat(folder.components().count() - root.components().count())
}
