//! What the files at the top of the repository say of it agrees with its manifests.

use std::path::PathBuf;

use serde_yaml::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The value of a key of the workspace's manifest, between quotation marks.
fn workspace(key: &str) -> String {
    let manifest = read("Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
    line.unwrap_or_else(|| panic!("Cargo.toml has no {key}")).trim_end_matches('"').to_owned()
}

#[test]
fn every_crate_takes_version_edition_rust_version_and_licence_from_the_workspace() {
    let manifest = read("Cargo.toml");
    let members = manifest.split_once("\nmembers = [").unwrap().1.split(']').next().unwrap();
    let members: Vec<&str> = members.split('"').skip(1).step_by(2).collect();
    assert!(members.len() >= 7, "{members:?}");
    for member in members {
        let manifest = read(&format!("{member}/Cargo.toml"));
        for key in ["version", "edition", "rust-version", "license"] {
            let line = format!("{key}.workspace = true");
            assert!(manifest.lines().any(|found| found == line), "{member}/Cargo.toml lacks `{line}`");
        }
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{member}/Cargo.toml takes no lints from the workspace"
        );
    }
}

/// Cargo refuses a compiler that is older than the manifests promise, and clippy what is newer in the standard library; so the number is
/// true if it is the same everywhere.
#[test]
fn the_oldest_rust_is_the_same_wherever_it_is_told() {
    let oldest = workspace("rust-version");
    assert_eq!(env!("CARGO_PKG_RUST_VERSION"), oldest);
    assert!(read("CONTRIBUTING.md").contains(&format!("Rust {oldest} or newer")), "it does not say Rust {oldest}");
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for told in read(page).split("Rust 1.").skip(1) {
            assert!(told.starts_with(&oldest[2..]), "{page} names another Rust than {oldest}");
        }
    }
}

#[test]
fn the_oldest_python_is_the_same_wherever_it_is_told() {
    let project = read("pyproject.toml");
    let oldest = project.lines().find_map(|line| line.strip_prefix("requires-python = \">=")).unwrap();
    let oldest = oldest.trim_end_matches('"');
    assert!(read("CONTRIBUTING.md").contains(&format!("Python {oldest} or newer")));
    assert!(read("README.md").contains(&format!("Python ≥ {oldest}")));
}

#[test]
fn the_citation_names_this_version_and_licence_and_the_paper() {
    let citation: Value = serde_yaml::from_str(&read("CITATION.cff")).unwrap();
    let text = |key: &str| citation.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    for key in ["message", "title", "abstract"] {
        assert!(!text(key).is_empty(), "{key}");
    }
    assert_eq!(text("cff-version"), "1.2.0");
    assert_eq!(text("version"), workspace("version"));
    assert_eq!(text("license"), workspace("license"));
    let paper = &citation["references"][0];
    assert_eq!(paper["authors"][0]["family-names"], Value::from("Maillard"));
    assert!(paper["title"].as_str().is_some_and(|title| title.starts_with("Farm-Gym")));
    assert!(read("LICENSE").starts_with("MIT License"));
}

#[test]
fn the_changelog_has_the_version_of_the_manifests() {
    let changelog = read("CHANGELOG.md");
    let version = workspace("version");
    let headings: Vec<&str> = changelog.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings.first(), Some(&"## [Unreleased]"), "what comes next stands first");
    let is_released = headings.iter().any(|heading| heading.starts_with(&format!("## [{version}] - ")));
    assert!(is_released || changelog.contains(&version), "{version} stands nowhere");
    let known = ["### Added", "### Changed", "### Deprecated", "### Removed", "### Fixed", "### Security"];
    for heading in changelog.lines().filter(|line| line.starts_with("### ")) {
        assert!(known.contains(&heading), "{heading}");
    }
}
