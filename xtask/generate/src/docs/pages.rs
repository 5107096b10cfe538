//! The site's pages: the repository's pages that `docs/SUMMARY.md` names, and the reference pages.
//!
//! The site keeps the repository's folders, so that links between pages work in both places. A link to any other file in the repository,
//! such as a source file, leads to a copy that browsers show as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::reference::Generated;

/// The folder with the pages.
const DOCS: &str = "docs";
/// The file with the order of the pages. Its links are relative to its folder.
const SUMMARY: &str = "docs/SUMMARY.md";
/// The site's styles, in addition to mdBook's.
pub(super) const STYLE: &str = "docs/style.css";
/// The site's logo, and the additions to the head of its pages.
pub(super) const THEME: &str = "docs/theme";
/// The text that replaces the README's first lines on the site, up to its first second-level heading.
const HOME: &str = "docs/theme/home.html";
const README: &str = "README.md";
/// A page in columns: the text between its headings is shown verbatim.
const IN_COLUMNS: &str = "docs/equation-sheet.md";

/// The input for mdBook.
#[derive(Debug)]
pub(super) struct Pages {
    /// The contents, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    names: BTreeSet<String>,
}

impl Pages {
    /// Reads the repository's pages, adds the generated ones, and turns links to other files into links to their copies.
    ///
    /// # Errors
    /// A file can't be read, the summary does not name a page, or a link points to a file that does not exist.
    pub(super) fn gather(root: &Path, generated: Vec<Generated>) -> Result<Self> {
        let summary = read(root, SUMMARY)?;
        let written: BTreeSet<&str> = generated.iter().map(|page| page.path.as_str()).collect();
        let mut names: BTreeSet<String> = written.iter().map(|path| (*path).to_owned()).collect();
        names.extend(links(&summary).map(|link| resolve(SUMMARY, link)));
        for path in files_below(root, DOCS)? {
            let is_page = path.ends_with(".md") && path != SUMMARY;
            ensure!(!is_page || names.contains(&path), "{path} is a page that {SUMMARY} does not name");
        }
        let mut pages = Self { files: BTreeMap::new(), names };
        for path in pages.names.clone() {
            if !written.contains(path.as_str()) {
                let mut text = read(root, &path)?;
                if path == README && root.join(HOME).is_file() {
                    text = with_home(&text, &read(root, HOME)?);
                }
                if path == IN_COLUMNS {
                    text = in_columns(&text);
                }
                let text = pages.redirect(root, &path, &text)?;
                pages.files.insert(path, text.into_bytes());
            }
        }
        let theme = files_below(root, THEME)?.into_iter().filter(|path| path != HOME);
        for path in files_below(root, "docs/pictures")?.into_iter().chain(theme).chain([STYLE.to_owned()]) {
            let bytes = fs::read(root.join(&path)).with_context(|| format!("{path} can't be read"))?;
            pages.files.insert(path, bytes);
        }
        pages.files.insert("SUMMARY.md".to_owned(), site_summary(&summary, &generated).into_bytes());
        pages.files.extend(generated.into_iter().map(|page| (page.path, page.text.into_bytes())));
        Ok(pages)
    }

    /// Number of pages.
    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    /// Turns a page's links to other files into links to their copies.
    fn redirect(&mut self, root: &Path, page: &str, text: &str) -> Result<String> {
        let mut targets = BTreeMap::new();
        for link in links(text) {
            let (file, _) = link.split_once('#').unwrap_or((link, ""));
            if file.is_empty() || link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let path = resolve(page, file);
            // mdBook makes a README the index of its folder, and does not change links to it.
            if let Some(folder) = file.strip_suffix("README.md")
                && self.names.contains(&path)
            {
                targets.insert(link.to_owned(), link.replacen(file, &format!("{folder}index.md"), 1));
                continue;
            }
            if self.names.contains(&path) || path.starts_with("docs/pictures/") {
                continue;
            }
            let Ok(content) = fs::read(root.join(&path)) else {
                bail!("{page} links to {link}, which is neither a page nor a file");
            };
            self.files.insert(format!("{path}.txt"), content);
            targets.insert(link.to_owned(), format!("{file}.txt"));
        }
        let redirected = outside_blocks(text, |line| {
            let mut line = line.to_owned();
            for (from, to) in &targets {
                line = line.replace(&format!("]({from})"), &format!("]({to})"));
            }
            line
        });
        Ok(redirected)
    }
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("{path} can't be read"))
}

/// The files below a folder, with paths relative to the top of the repository; none if there is no such folder.
pub(super) fn files_below(root: &Path, folder: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Ok(found) };
    for entry in entries {
        let entry = entry.with_context(|| format!("{folder} can't be read"))?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => found.extend(files_below(root, &path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

/// Changes the lines outside code blocks.
fn outside_blocks(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut inside = false;
    let line = |line: &str| {
        let is_fence = line.trim_start().starts_with("```");
        inside ^= is_fence;
        if inside || is_fence { line.to_owned() } else { change(line) }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// The targets of a page's links, except those in code blocks.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    let lines = text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        inside ^= is_fence;
        !inside && !is_fence
    });
    lines.flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()))
}

/// The path that a link on a page leads to.
fn resolve(page: &str, link: &str) -> String {
    let mut path: Vec<&str> = page.split('/').collect();
    path.pop();
    for step in link.split('/') {
        match step {
            ".." => drop(path.pop()),
            "." | "" => {}
            name => path.push(name),
        }
    }
    path.join("/")
}

/// The summary with links relative to the top. The reference pages follow the line that names the first of them.
fn site_summary(summary: &str, generated: &[Generated]) -> String {
    let named: BTreeSet<String> = links(summary).map(|link| resolve(SUMMARY, link)).collect();
    let mut text = String::new();
    for line in summary.lines() {
        let Some((before, rest)) = line.split_once("](") else {
            text += &format!("{line}\n");
            continue;
        };
        let path = resolve(SUMMARY, rest.trim_end_matches(')'));
        text += &format!("{before}]({path})\n");
        if generated.first().is_some_and(|first| first.path == path) {
            for page in generated.iter().filter(|page| !named.contains(&page.path)) {
                text += &format!("{}- [{}]({})\n", "  ".repeat(page.depth), page.title, page.path);
            }
        }
    }
    text
}

/// The README with a different start: first its title, then the site's text, then its sections.
fn with_home(readme: &str, home: &str) -> String {
    let title = readme.lines().next().unwrap_or_default();
    let sections = readme.find("\n## ").map_or("", |at| &readme[at..]);
    format!("{title}\n\n{}\n{sections}", home.trim())
}

/// A page in columns: the text between its headings becomes a block.
fn in_columns(text: &str) -> String {
    let mut page = String::new();
    let mut block = String::new();
    let close = |block: &mut String, page: &mut String| {
        if !block.trim().is_empty() {
            *page += &format!("```text\n{}\n```\n", block.trim_matches('\n'));
        }
        block.clear();
    };
    for line in text.lines() {
        if line.starts_with('#') {
            close(&mut block, &mut page);
            page += &format!("\n{line}\n\n");
        } else {
            block += &format!("{line}\n");
        }
    }
    close(&mut block, &mut page);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_from_their_page() {
        assert_eq!(resolve("docs/a/b.md", "../../README.md"), "README.md");
        assert_eq!(resolve("docs/SUMMARY.md", "./reference/index.md"), "docs/reference/index.md");
        assert_eq!(
            links("[a](b.md) ![c](d.svg)\n```\n[e](f.md)\n```\n[g](h)").collect::<Vec<_>>(),
            ["b.md", "d.svg", "h"]
        );
    }

    #[test]
    fn the_site_begins_with_its_own_words_and_goes_on_with_the_readme() {
        let readme = "# A\n\nFirst.\n\n## B\n\nSecond.\n";
        assert_eq!(with_home(readme, "<p>Home</p>\n"), "# A\n\n<p>Home</p>\n\n## B\n\nSecond.\n");
    }

    #[test]
    fn what_stands_between_headings_keeps_its_columns() {
        assert_eq!(
            in_columns("# A\n\n  x  y\n## B\nz\n"),
            "\n# A\n\n```text\n  x  y\n```\n\n## B\n\n```text\nz\n```\n"
        );
    }
}
