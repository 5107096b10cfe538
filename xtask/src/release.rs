//! `cargo xtask release`: checks everything that a release needs, and writes its notes from the files in `changes/`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::run::{Log, root};
use crate::{python, tiers};

/// The folder with a file for each change since the last release.
const CHANGES: &str = "changes";
const CHANGELOG: &str = "CHANGELOG.md";
/// The heading of what is not released yet.
const UNRELEASED: &str = "## [Unreleased]\n";
/// Where a dry run writes the notes, in the folder for build output.
const NOTES: &str = "release-notes.md";

/// Runs all checks and writes the notes: into the changelog, or with `dry_run` only into `target/release-notes.md`.
///
/// # Errors
/// A check fails, or a file can't be read or written.
pub(crate) fn run(dry_run: bool, log: &mut Log) -> anyhow::Result<()> {
    let root = root();
    let changes = changes(&root)?;
    let changelog = fs::read_to_string(root.join(CHANGELOG)).context("CHANGELOG.md can't be read")?;
    let written = released(&changelog, env!("CARGO_PKG_VERSION"), &changes)?;
    tiers::ci(log)?;
    tiers::targets(log)?;
    python::source_package(&root, log)?;
    if dry_run {
        let path = xtask::target(&root).join(NOTES);
        fs::write(&path, notes(&written)).with_context(|| format!("{} can't be written", path.display()))?;
        eprintln!("The notes are in {}. Nothing else has been changed.", path.display());
        return Ok(());
    }
    fs::write(root.join(CHANGELOG), written).context("CHANGELOG.md can't be written")?;
    for (path, _) in &changes {
        fs::remove_file(path).with_context(|| format!("{} can't be removed", path.display()))?;
    }
    eprintln!("CHANGELOG.md has the notes. Commit it, and push a tag `v{}`.", env!("CARGO_PKG_VERSION"));
    Ok(())
}

/// The files of the changes with their texts, by name.
fn changes(root: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let entries = fs::read_dir(root.join(CHANGES)).context("`changes` can't be read")?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
            Ok((path, text))
        })
        .collect()
}

/// The changelog after the release: what was unreleased has the version as its heading, and ends with the changes as a list.
fn released(changelog: &str, version: &str, changes: &[(PathBuf, String)]) -> anyhow::Result<String> {
    let (before, rest) =
        changelog.split_once(UNRELEASED).context("CHANGELOG.md has no heading `## [Unreleased]`; write it")?;
    ensure!(!rest.contains(&format!("## [{version}]")), "CHANGELOG.md already has {version}; raise the version");
    let (unreleased, older) = rest.find("\n## [").map_or((rest, ""), |at| rest.split_at(at));
    let mut text = format!("{before}{UNRELEASED}\n## [{version}]\n{}\n", unreleased.trim_end());
    if !changes.is_empty() {
        text.push_str("\n### Also changed\n\n");
    }
    for (_, change) in changes {
        // The lines after the first one belong to the same item.
        text.push_str(&format!("- {}\n", change.trim().replace('\n', "\n  ")));
    }
    Ok(text + older)
}

/// The newest release in a changelog, which is what [`released`] has added.
fn notes(changelog: &str) -> &str {
    let rest = changelog.split_once(UNRELEASED).map_or(changelog, |(_, rest)| rest).trim_start();
    rest[1..].find("\n## [").map_or(rest, |at| &rest[..=at + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "# Changelog\n\nAbout it.\n\n## [Unreleased]\n\n### Added\n\n- A game.\n\n## [0.1.0]\n\n- The first.\n";

    fn change(text: &str) -> (PathBuf, String) {
        (PathBuf::from("x.md"), text.to_owned())
    }

    #[test]
    fn what_was_unreleased_gets_the_version_and_the_changes() {
        let after = released(BEFORE, "0.2.0", &[change("One\nline more.\n"), change("Two.\n")]).unwrap();
        assert_eq!(
            after,
            "# Changelog\n\nAbout it.\n\n## [Unreleased]\n\n## [0.2.0]\n\n### Added\n\n- A game.\n\n### Also changed\n\n\
             - One\n  line more.\n- Two.\n\n## [0.1.0]\n\n- The first.\n"
        );
        assert_eq!(notes(&after), &after[after.find("## [0.2.0]").unwrap()..after.find("\n## [0.1.0]").unwrap() + 1]);
    }

    #[test]
    fn the_first_release_has_no_older_one() {
        let first = BEFORE.split("\n## [0.1.0]").next().unwrap();
        let after = released(first, "0.1.0", &[]).unwrap();
        assert!(after.ends_with("## [0.1.0]\n\n### Added\n\n- A game.\n"), "{after}");
        assert!(notes(&after).starts_with("## [0.1.0]\n") && notes(&after).ends_with("- A game.\n"));
    }

    #[test]
    fn a_version_is_released_once() {
        let error = released(BEFORE, "0.1.0", &[]).unwrap_err().to_string();
        assert!(error.contains("raise the version"), "{error}");
        assert!(released("# Changelog\n", "0.1.0", &[]).is_err());
    }

    #[test]
    fn the_changes_of_this_repository_make_notes() {
        let root = root();
        let changes = changes(&root).unwrap();
        let changelog = fs::read_to_string(root.join(CHANGELOG)).unwrap();
        let after = released(&changelog, env!("CARGO_PKG_VERSION"), &changes).unwrap();
        for (path, text) in &changes {
            let first = text.lines().next().unwrap_or_default();
            assert!(!first.is_empty() && notes(&after).contains(first), "{}", path.display());
        }
    }
}
