//! Follows every link in the built site: links to pages, to files and to places within pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

/// The result of following the links.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Number of links to an existing page, file or anchor.
    pub checked: usize,
    /// The broken links, each with the page that contains it.
    pub broken: Vec<String>,
}

/// Follows the links on all pages below a folder, except in one subfolder, where a separate tool follows them. Links to other sites are
/// skipped.
///
/// # Errors
/// A page can't be read.
pub(super) fn check(folder: &Path, but: &str) -> Result<Found> {
    let mut pages = BTreeMap::new();
    let but = folder.join(but);
    for path in html_files(folder)?.into_iter().filter(|path| !path.starts_with(&but)) {
        let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        pages.insert(path, text);
    }
    let places: BTreeMap<&PathBuf, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (path, attributes(text, &["id", "name"]).into_iter().collect())).collect();
    let mut found = Found::default();
    for (path, text) in &pages {
        for target in attributes(text, &["href", "src"]) {
            if is_foreign(&target) {
                continue;
            }
            let (file, place) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { path.clone() } else { resolve(path, &decode(file)) };
            let leads_somewhere = match places.get(&file) {
                Some(ids) => place.is_empty() || ids.contains(place) || ids.contains(&decode(place)),
                // The anchor of a film is a time.
                None => file.is_file() && (place.is_empty() || place.starts_with("t=")),
            };
            if leads_somewhere {
                found.checked += 1;
            } else {
                let page = path.strip_prefix(folder).unwrap_or(path);
                found.broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    Ok(found)
}

/// All pages below a folder.
///
/// # Errors
/// A folder can't be read.
pub(super) fn html_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("{} can't be read", folder.display()))?.path();
        if path.is_dir() {
            found.extend(html_files(&path)?);
        } else if path.extension().is_some_and(|end| end == "html") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Whether a target leads out of the site, or is not an address.
fn is_foreign(target: &str) -> bool {
    ["http://", "https://", "mailto:", "data:", "javascript:"].iter().any(|scheme| target.starts_with(scheme))
}

/// The values of some attributes in all elements.
fn attributes(html: &str, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for tag in html.split('<').skip(1).filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic())) {
        for name in names {
            for (at, _) in tag.match_indices(&format!("{name}=\"")) {
                let begins = at == 0 || tag[..at].ends_with(char::is_whitespace);
                let value = tag[at + name.len() + 2..].split('"').next().unwrap_or_default();
                if begins {
                    found.push(value.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'"));
                }
            }
        }
    }
    found
}

/// Resolves a page's relative address to a path.
fn resolve(page: &Path, target: &str) -> PathBuf {
    let mut path = page.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    for component in Path::new(target).components() {
        match component {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path
}

/// Decodes escapes such as `%C3%A9` in addresses.
fn decode(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = (*first == b'%').then(|| after.get(..2)).flatten();
        let value = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(value.unwrap_or(*first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_pages_places_and_files_are_followed() {
        let folder = std::env::temp_dir().join(format!("farm-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let index = "<h1 id=\"top\">T</h1> <a href=\"sub/page.html#%C3%A9t%C3%A9\">x</a> <a href=\"#top\">x</a> \
                     <a href=\"https://example.org/none\">x</a> <img src=\"picture.svg\"> <a data-href=\"no.html\">x</a>";
        fs::write(folder.join("index.html"), index).unwrap();
        fs::write(folder.join("picture.svg"), "<svg/>").unwrap();
        fs::create_dir_all(folder.join("other")).unwrap();
        fs::write(folder.join("other/page.html"), "<a href=\"gone.html\">x</a>").unwrap();
        fs::write(folder.join("sub/page.html"), "<p id=\"été\"><a href=\"../index.html\">x</a>").unwrap();
        let found = check(&folder, "other").unwrap();
        assert_eq!((found.checked, found.broken), (4, Vec::new()));
        let wrong =
            "<a href=\"../index.html#bottom\">x</a> <a href=\"gone.html\">x</a> <a class=\"a\"\nhref=\"..\">x</a>";
        fs::write(folder.join("sub/page.html"), wrong).unwrap();
        let found = check(&folder, "other").unwrap();
        let broken = [
            "index.html: sub/page.html#%C3%A9t%C3%A9",
            "sub/page.html: ../index.html#bottom",
            "sub/page.html: gone.html",
            "sub/page.html: ..",
        ];
        assert_eq!(found.broken, broken);
        fs::remove_dir_all(folder).unwrap();
    }
}
