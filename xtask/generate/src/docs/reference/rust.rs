//! Writes the page about the crates: a description of each, and a link to its pages.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use xtask::RUST_PAGES;

use super::super::RUST;
use super::super::markdown::{Page, code, link, prose};

/// Writes the page; none for a repository without the crates.
///
/// # Errors
/// A manifest can't be read.
pub(super) fn page(root: &Path, has_rust: bool) -> Result<Option<Page>> {
    let manifest = |name: &str| root.join(name).join("Cargo.toml");
    if !RUST_PAGES.iter().all(|name| manifest(name).is_file()) {
        return Ok(None);
    }
    let mut page = Page::new("Rust");
    let written = "The crates for your own parts, games and programs, with all their public items.";
    let without =
        "The crates for your own parts, games and programs. `cargo xtask docs` writes their pages into the site.";
    page.paragraph(if has_rust { written } else { without });
    page.paragraph(
        "`cargo doc --no-deps --open` writes the pages of all crates; [Architecture](../../ARCHITECTURE.md) describes the crates, and \
         [An entity in Rust](../entity-in-rust.md) is a good start.",
    );
    let mut rows = Vec::new();
    for name in RUST_PAGES {
        let path = manifest(name);
        let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        let target = format!("../../{RUST}/{}/index.html", name.replace('-', "_"));
        let shown = if has_rust { link(&code(name), &target) } else { code(name) };
        rows.push(vec![shown, prose(description(&text))]);
    }
    page.table("", &["crate", "what it is"], &rows);
    Ok(Some(page))
}

/// The description in a crate's manifest; empty if there is none.
fn description(manifest: &str) -> &str {
    let line = manifest.lines().find_map(|line| line.strip_prefix("description = "));
    line.map_or("", |text| text.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_lead_to_their_pages_where_there_are_some() {
        let text = |has_rust| page(&crate::root(), has_rust).unwrap().unwrap().into_text();
        assert!(text(true).contains("| [`farm-core`](../../rust/farm_core/index.html) | "));
        assert!(text(false).contains("| `farm-core` | ") && !text(false).contains("index.html"));
        assert!(text(true).lines().filter(|line| line.starts_with("| [")).all(|line| line.len() > 70));
        assert_eq!(description("name = \"a\"\ndescription = \"What it is\"\n"), "What it is");
        assert!(page(Path::new("/nowhere"), true).unwrap().is_none());
    }
}
