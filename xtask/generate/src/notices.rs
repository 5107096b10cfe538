//! The licence texts of all third-party code in a wheel. The crates' texts are in one committed file; the texts of the fonts and the editor
//! are separate.
//!
//! Cargo lists the linked crates for all systems with wheels. The texts come from the crates' packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;

/// The file with the crates' licence texts.
pub(crate) const FILE: &str = "licenses/THIRD-PARTY.txt";
/// The package that becomes the wheel. The `farm` program links nothing else.
const WHEEL: &str = "farm-python";
/// The systems for which wheels are built.
const TARGETS: [&str; 8] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
];

/// The licence texts that packages name but do not contain. `{holders}` is replaced by the package's authors.
const MISSING_TEXTS: [(&str, &str); 2] = [("BSD-2-Clause", BSD_2_CLAUSE), ("MIT OR Apache-2.0", MIT)];

const MIT: &str = "\
Copyright (c) {holders}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
\"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

const BSD_2_CLAUSE: &str = "\
Copyright (c) {holders}

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are
met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the
documentation and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS \"AS IS\" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED
TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO,
PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.";

/// A crate that is linked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Linked {
    name: String,
    version: String,
    license: String,
    authors: String,
    folder: PathBuf,
}

/// Writes the file, or compares it with the expected text.
///
/// # Errors
/// A crate has no licence text, or, with `check`, the file differs.
pub(crate) fn run(root: &Path, check: bool) -> Result<usize> {
    let crates = linked(root)?;
    let text = written(&crates)?;
    let path = root.join(FILE);
    if !check {
        std::fs::create_dir_all(path.parent().unwrap_or(root))?;
        std::fs::write(&path, text).with_context(|| format!("{FILE} can't be written"))?;
    } else if std::fs::read_to_string(&path).unwrap_or_default() != text {
        bail!("{FILE} is not up to date: `cargo xtask notices` writes it");
    }
    Ok(crates.len())
}

/// Cargo's metadata about the workspace and all its dependencies, on the systems with wheels.
fn metadata(root: &Path) -> Result<Json> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root);
    for target in TARGETS {
        command.args(["--filter-platform", target]);
    }
    let output = command.output().context("cargo can't be run")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")
}

fn text<'j>(json: &'j Json, key: &str) -> &'j str {
    json.get(key).and_then(Json::as_str).unwrap_or_default()
}

fn list<'j>(json: &'j Json, key: &str) -> impl Iterator<Item = &'j Json> {
    json.get(key).and_then(Json::as_array).into_iter().flatten()
}

/// The third-party crates that are linked into the wheel: its direct and indirect dependencies, except dependencies for builds and tests.
fn linked(root: &Path) -> Result<Vec<Linked>> {
    let metadata = metadata(root)?;
    let packages: BTreeMap<&str, &Json> =
        list(&metadata, "packages").map(|package| (text(package, "id"), package)).collect();
    let nodes: BTreeMap<&str, &Json> = metadata
        .get("resolve")
        .map(|resolve| list(resolve, "nodes").map(|node| (text(node, "id"), node)).collect())
        .unwrap_or_default();
    let wheel =
        packages.iter().find(|(_, package)| text(package, "name") == WHEEL).context("there is no such package")?;
    let (mut seen, mut left) = (BTreeSet::new(), vec![*wheel.0]);
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let needed = nodes.get(id).into_iter().flat_map(|node| list(node, "deps"));
        let is_normal = |need: &&Json| list(need, "dep_kinds").any(|kind| kind.get("kind").is_some_and(Json::is_null));
        left.extend(needed.filter(is_normal).map(|need| text(need, "pkg")));
    }
    let others = seen.into_iter().filter_map(|id| packages.get(id)).filter(|package| !package["source"].is_null());
    let mut crates: Vec<Linked> = others
        .map(|package| Linked {
            name: text(package, "name").to_owned(),
            version: text(package, "version").to_owned(),
            license: text(package, "license").to_owned(),
            authors: list(package, "authors").filter_map(Json::as_str).collect::<Vec<_>>().join(", "),
            folder: Path::new(text(package, "manifest_path")).parent().unwrap_or(root).to_owned(),
        })
        .collect();
    crates.sort();
    Ok(crates)
}

/// The texts in a crate's package, including its third-party parts. If there is a choice of licences, MIT is used, because it is the
/// shortest one that nearly all crates have.
fn texts(linked: &Linked) -> Result<Vec<String>> {
    let mut files = Vec::new();
    find(&linked.folder, &mut files)?;
    files.sort();
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    let is_choice =
        (linked.license.contains(" OR ") || linked.license.contains('/')) && !linked.license.contains(" AND ");
    let own: Vec<&PathBuf> = files.iter().filter(|path| path.parent() == Some(&linked.folder)).collect();
    let has_mit = is_choice && own.iter().any(|path| name(path).contains("MIT"));
    let is_left_out = |path: &&PathBuf| {
        const OTHER_CHOICES: [&str; 6] = ["APACHE", "ZLIB", "0BSD", "-BSD", "UNLICENSE", "-ISC"];
        has_mit && path.parent() == Some(&linked.folder) && OTHER_CHOICES.iter().any(|other| name(path).contains(other))
    };
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
        Ok(tidy(&String::from_utf8_lossy(&bytes)))
    };
    let mut texts = files.iter().filter(|path| !is_left_out(path)).map(read).collect::<Result<Vec<_>>>()?;
    if texts.is_empty() {
        let known = MISSING_TEXTS.iter().find(|(license, _)| *license == linked.license);
        let (_, known) = known.with_context(|| {
            format!(
                "the package of {} has no text of its licence, {}: add that to `MISSING_TEXTS` of {}",
                linked.name,
                linked.license,
                file!()
            )
        })?;
        texts.push(tidy(&known.replace("{holders}", &linked.authors)));
    }
    texts.dedup();
    Ok(texts)
}

/// Finds files in a folder and its subfolders whose names mark them as licences or notices.
fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    const NAMES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];
    const CODE: [&str; 4] = ["rs", "c", "h", "py"];
    for entry in std::fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_code = path.extension().is_some_and(|end| CODE.iter().any(|code| end == *code));
        if NAMES.iter().any(|begin| name.starts_with(begin)) && !is_code {
            found.push(path);
        }
    }
    Ok(())
}

/// Removes the differences between systems and editors from a text: line ends, trailing spaces, and empty lines around it.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The contents of the file: first the crates with the numbers of their texts, then each text once.
fn written(crates: &[Linked]) -> Result<String> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut rows, mut all) = (String::new(), Vec::<(String, String)>::new());
    for linked in crates {
        let mut own = Vec::new();
        for text in texts(linked)? {
            // Texts that differ only in line breaks count as one.
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let number = *numbers.entry(words).or_insert_with(|| {
                all.push((text, format!("{} {}", linked.name, linked.version)));
                all.len()
            });
            if !own.contains(&number) {
                own.push(number);
            }
        }
        own.sort_unstable();
        let own: Vec<String> = own.iter().map(usize::to_string).collect();
        writeln!(rows, "{} {}: {}; texts {}", linked.name, linked.version, linked.license, own.join(", "))?;
    }
    let mut file = String::from(
        "Licences of the crates that are linked into the program `farm` and into the Python package.\n\
         The licences of the fonts and of the editor are next to their files, in farm-plot/fonts and farm-serve/editor.\n\
         Written by `cargo xtask notices`; do not edit.\n\n",
    );
    file += &rows;
    for (index, (text, first)) in all.iter().enumerate() {
        write!(file, "\n{}\nText {}, from {first}\n\n{text}\n", "-".repeat(80), index + 1)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The other licence texts in a distribution: our own, and the texts of the fonts and the playground's editor.
    const OTHERS: [&str; 3] = ["LICENSE", "farm-plot/fonts/LICENSE", "farm-serve/editor/LICENSE"];

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
    }

    #[test]
    fn every_crate_of_the_wheel_is_listed_with_its_licence_text() {
        let count = run(&root(), true).unwrap();
        assert!(count > 100, "{count}");
        let text = std::fs::read_to_string(root().join(FILE)).unwrap();
        // The encoder's own text and that of its sources.
        assert!(text.contains("\nopenh264 ") && text.contains("Cisco Systems") && text.contains("Ralf Biedert"));
        // On no other system than those.
        assert!(text.contains("\nwindows-sys ") && text.contains("\nlinux-raw-sys "));
    }

    #[test]
    fn the_python_package_names_all_texts() {
        let manifest = std::fs::read_to_string(root().join("pyproject.toml")).unwrap();
        let line = manifest.lines().find(|line| line.starts_with("license-files = ")).unwrap();
        for name in OTHERS.iter().chain([&FILE]) {
            assert!(line.contains(&format!("\"{name}\"")) && root().join(name).is_file(), "{name}: {line}");
        }
    }

    #[test]
    fn every_package_that_is_published_has_the_licence() {
        let licence = std::fs::read_to_string(root().join("LICENSE")).unwrap();
        let metadata = metadata(&root()).unwrap();
        let members: BTreeSet<&str> = list(&metadata, "workspace_members").filter_map(Json::as_str).collect();
        let own = list(&metadata, "packages").filter(|package| members.contains(text(package, "id")));
        let (published, kept): (Vec<&Json>, Vec<&Json>) = own.partition(|package| package["publish"].is_null());
        assert!(published.len() > 20);
        for name in ["farm-python", "farm-plugins-example", "xtask", "xtask-generate"] {
            assert!(kept.iter().any(|package| text(package, "name") == name), "{name} is not to be published");
        }
        for package in published {
            let folder = Path::new(text(package, "manifest_path")).parent().unwrap();
            let own = std::fs::read_to_string(folder.join("LICENSE"));
            assert_eq!(own.ok().as_ref(), Some(&licence), "{}: ln -s ../LICENSE", folder.display());
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            assert!(!manifest.lines().any(|line| line.starts_with("include") || line.starts_with("exclude")));
        }
    }
}
