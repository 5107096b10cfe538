//! Edits existing files.

use anyhow::{Context as _, Result, bail};

/// Inserts a line in alphabetical order among the lines that start the same way.
///
/// # Errors
/// Fails if there is no such line.
pub(crate) fn with_line(text: &str, beginning: &str, line: &str) -> Result<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let alike = |found: &&str| found.starts_with(beginning);
    let Some(last) = lines.iter().rposition(&alike) else {
        bail!("no line starts with `{beginning}`");
    };
    let place = lines.iter().position(|found| alike(found) && *found > line).unwrap_or(last + 1);
    lines.insert(place, line);
    Ok(lines.join("\n") + "\n")
}

/// Adds a folder to a workspace's members, before `xtask`, which comes last.
///
/// # Errors
/// Fails if the manifest does not list `xtask`.
pub(crate) fn with_member(manifest: &str, folder: &str) -> Result<String> {
    let tasks = "\"xtask\"";
    let (before, after) =
        manifest.split_once(tasks).with_context(|| format!("the members of the workspace do not include {tasks}"))?;
    Ok(format!("{before}\"{folder}\", {tasks}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_finds_its_place_and_a_text_without_such_lines_is_refused() {
        let text = "//! Doc.\n\npub mod birds;\npub mod soil;\n\npub use x;\n";
        let with = |line| with_line(text, "pub mod ", line).unwrap();
        assert_eq!(with("pub mod mice;"), "//! Doc.\n\npub mod birds;\npub mod mice;\npub mod soil;\n\npub use x;\n");
        assert_eq!(with("pub mod zebra;"), "//! Doc.\n\npub mod birds;\npub mod soil;\npub mod zebra;\n\npub use x;\n");
        assert_eq!(with_line(text, "mod ", "mod x;").unwrap_err().to_string(), "no line starts with `mod `");
    }

    #[test]
    fn a_member_stands_before_the_tasks() {
        let text = "members = [\n  \"farm-core\", \"xtask\", \"xtask/generate\",\n]\n";
        let expected = "members = [\n  \"farm-core\", \"toads\", \"xtask\", \"xtask/generate\",\n]\n";
        assert_eq!(with_member(text, "toads").unwrap(), expected);
        assert!(with_member("members = []", "toads").unwrap_err().to_string().contains("\"xtask\""));
    }
}
