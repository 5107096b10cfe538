//! Builds the documentation site with mdBook: the repository's pages, and reference pages written from the declarations. Every link is
//! checked.
//!
//! Each build of the site regenerates the reference pages. These pages are not stored anywhere else, so they are never out of date.

mod about;
mod examples;
mod links;
mod markdown;
mod pages;
mod reference;
mod warnings;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use mdbook_driver::MDBook;
use mdbook_driver::config::{BuildConfig, Config, HtmlConfig};

use pages::Pages;
pub(crate) use reference::Formulas;

/// The site's folder, relative to the target directory.
const SITE: &str = "site";

/// The folder for the crates' pages, inside the site's folder.
const RUST: &str = "rust";

/// The book in one sentence.
const ABOUT: &str = "Farm games for reinforcement learning, powered by a deterministic Rust engine";

/// The result of a build.
#[derive(Debug)]
pub(crate) struct Site {
    /// The folder, which contains `index.html`.
    pub folder: PathBuf,
    /// Number of pages.
    pub pages: usize,
    /// Number of links that were followed.
    pub links: usize,
}

/// Builds the site below a target directory, with the crates' pages if rustdoc has written them.
///
/// # Errors
/// A page can't be read or is missing from the summary, mdBook prints a warning, or a link is broken.
pub(crate) fn build(root: &Path, target: &Path, rust: Option<&Path>) -> Result<Site> {
    let pages = Pages::gather(root, reference::pages(root, rust.is_some())?)?;
    // mdBook takes its pages from a folder, which must not contain old ones.
    let source = target.join("site-source");
    if source.exists() {
        fs::remove_dir_all(&source).with_context(|| format!("{} can't be emptied", source.display()))?;
    }
    for (path, content) in &pages.files {
        write(&source.join(path), content)?;
    }
    for (path, content) in examples::pages()? {
        write(&source.join(path), &content)?;
    }
    let folder = target.join(SITE);
    let (result, said) = warnings::collect(|| {
        let mut book = MDBook::load_with_config(&source, config(&folder)?)?;
        book.config.build.create_missing = false;
        book.build()
    });
    result.map_err(|error| anyhow::anyhow!("mdBook can't build the site: {error:#}"))?;
    ensure!(said.is_empty(), "mdBook warns:\n{}", said.join("\n"));
    about::describe(&folder, ABOUT)?;
    if let Some(written) = rust {
        copy(written, &folder.join(RUST))?;
    }
    let found = links::check(&folder, RUST)?;
    if !found.broken.is_empty() {
        bail!("broken links:\n{}", found.broken.join("\n"));
    }
    Ok(Site { folder, pages: pages.count(), links: found.checked })
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).with_context(|| format!("{} can't be created", parent.display()))?;
    fs::write(path, content).with_context(|| format!("{} can't be written", path.display()))
}

/// Copies a folder with all its contents.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("{} can't be created", to.display()))?;
    let entries = fs::read_dir(from).with_context(|| format!("{} can't be read", from.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("{} can't be read", from.display()))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).with_context(|| format!("{} can't be copied", path.display()))?;
        }
    }
    Ok(())
}

fn config(folder: &Path) -> Result<Config> {
    let mut config = Config::default();
    config.book.title = Some("Farm-gym".to_owned());
    config.book.language = Some("en".to_owned());
    config.book.description = Some(ABOUT.to_owned());
    config.book.src = PathBuf::from(".");
    let mut build = BuildConfig::default();
    build.build_dir = folder.to_path_buf();
    build.create_missing = false;
    config.build = build;
    let mut html = HtmlConfig::default();
    html.no_section_label = true;
    html.fold.enable = true;
    html.fold.level = 1;
    // The site needs neither one long page of everything nor a page for missing files of a server.
    html.print.enable = false;
    html.input_404 = Some(String::new());
    html.playground.runnable = false;
    html.theme = Some(PathBuf::from(pages::THEME));
    html.additional_css = vec![PathBuf::from(pages::STYLE)];
    config.set("output.html", html)?;
    Ok(config)
}

#[cfg(test)]
mod tests;
