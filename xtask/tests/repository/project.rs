//! The files at the top of the repository agree with its manifests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use serde_yaml::Value;

pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files in the repository, with paths relative to its top, without build output.
pub(super) fn files() -> Vec<String> {
    const LEFT: [&str; 6] = ["target", "runs", "venv", "node_modules", "__pycache__", "dist"];
    let (mut folders, mut found) = (vec![PathBuf::new()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            if entry.file_type().unwrap().is_dir() {
                if !name.starts_with('.') && !LEFT.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    assert!(found.len() > 500, "{found:?}");
    found
}

/// The value of a key in the workspace's manifest, without its quotation marks.
fn workspace(key: &str) -> String {
    let manifest = read("Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
    line.unwrap_or_else(|| panic!("Cargo.toml has no {key}")).trim_end_matches('"').to_owned()
}

/// The folders of all crates.
pub(super) fn members() -> Vec<String> {
    let manifest = read("Cargo.toml");
    let members = manifest.split_once("\nmembers = [").unwrap().1.split(']').next().unwrap();
    let members: Vec<String> = members.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(members.len() >= 7, "{members:?}");
    members
}

/// The project's crates that a crate depends on, each with the rest of its line. With `for_tests`, the crates that only its tests need.
fn needs(member: &str, for_tests: bool) -> Vec<(String, String)> {
    let manifest = read(&format!("{member}/Cargo.toml"));
    let section = if for_tests { "dev-dependencies]" } else { "dependencies]" };
    let mut is_in = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_in = line.ends_with(section) && (for_tests || !line.ends_with("dev-dependencies]"));
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if is_in && (name.starts_with("farm-") || name == "xtask") {
            found.push((name.to_owned(), line.to_owned()));
        }
    }
    found.sort();
    found
}

/// The crates' folders in the architecture's table of crates.
fn rows() -> Vec<String> {
    let page = read("ARCHITECTURE.md");
    let table = page.split_once("\n## The crates\n").unwrap().1.split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| line.split('`').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn the_architecture_names_all_crates_each_below_those_that_it_depends_on() {
    let mut above = BTreeSet::new();
    for member in rows() {
        for (name, _) in needs(&member, false) {
            assert!(above.contains(&name), "{member} depends on {name}, which does not stand above it");
        }
        assert!(above.insert(member.clone()), "{member} stands twice");
    }
    assert_eq!(above, members().into_iter().collect(), "the crates of the workspace");
}

#[test]
fn the_architecture_is_short() {
    let words = read("ARCHITECTURE.md").split_whitespace().count();
    assert!(words <= 2000, "{words} words");
}

#[test]
fn the_architecture_draws_the_crates() {
    // Without the tasks and the example, which others do not build on.
    let apart = ["xtask", "xtask/generate", "xtask/interop", "farm-plugins-example"];
    let mut lines = Vec::new();
    for member in members().into_iter().filter(|member| !apart.contains(&member.as_str())) {
        let direct: Vec<String> = needs(&member, false).into_iter().map(|(name, _)| name).collect();
        if direct.is_empty() {
            continue;
        }
        let follows = |name: &String| direct.iter().any(|other| other != name && builds(other).contains(name));
        let mut drawn: Vec<&String> = direct.iter().filter(|name| !follows(name)).collect();
        drawn.sort();
        lines.extend(drawn.into_iter().map(|name| format!("  {member} --> {name}")));
    }
    lines.sort();
    let drawing = format!("```mermaid\ngraph TD\n{}\n```", lines.join("\n"));
    assert!(read("ARCHITECTURE.md").contains(&drawing), "ARCHITECTURE.md should draw the crates so:\n{drawing}");
}

/// All of the project's crates that a crate builds.
fn builds(member: &str) -> BTreeSet<String> {
    let direct: Vec<String> = needs(member, false).into_iter().map(|(name, _)| name).collect();
    direct.iter().flat_map(|name| builds(name)).chain(direct.clone()).collect()
}

#[test]
fn scores_and_plugins_need_no_entity_and_tables_need_no_font() {
    for member in ["farm-scoring", "farm-plugins-example"] {
        assert_eq!(builds(member), ["farm-core", "farm-macros", "farm-roles"].map(str::to_owned).into(), "{member}");
    }
    assert_eq!(builds("farm-monitor"), ["farm-core", "farm-macros", "farm-output"].map(str::to_owned).into());
    for external in ["resvg", "ab_glyph"] {
        for member in ["farm-monitor", "farm-output", "farm-core"] {
            assert!(!read(&format!("{member}/Cargo.toml")).contains(external), "{member} needs {external}");
        }
    }
}

/// Cargo publishes a crate after all crates that it names with a version, even for tests. If two crates name each other that way, neither
/// can be first.
#[test]
fn a_crate_names_one_that_builds_it_without_a_version() {
    let mut found = 0;
    for member in members() {
        for (name, line) in needs(&member, true) {
            if builds(&name).contains(&member) {
                assert!(line.contains("path = ") && !line.contains("version"), "{member}/Cargo.toml: {line}");
                found += 1;
            }
        }
    }
    assert!(found >= 3, "only {found}");
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The files that `include_str!` and `include_bytes!` name, except documentation, which is included in attributes.
fn included_files(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '#' => drop(tokens.next()),
            TokenTree::Ident(word) if word == "include_str" || word == "include_bytes" => {
                // A name that a macro puts together is not known here; the folder that it begins with is.
                let named = tokens.nth(1).map(|arguments| arguments.to_string()).unwrap_or_default();
                found.extend(named.split('"').nth(1).map(str::to_owned));
            }
            TokenTree::Group(group) => included_files(group.stream(), found),
            _ => {}
        }
    }
}

/// Only files in a crate's folder are packaged with the crate. Documentation pages, which only doc tests include, are not packaged.
#[test]
fn a_crate_includes_no_file_of_another() {
    let mut included = 0;
    for member in members() {
        let home = fs::canonicalize(root().join(&member)).unwrap();
        let mut files = Vec::new();
        rust_files(&home.join("src"), &mut files);
        for file in files {
            let mut names = Vec::new();
            included_files(fs::read_to_string(&file).unwrap().parse().unwrap(), &mut names);
            for name in names {
                let path = fs::canonicalize(file.with_file_name(&name));
                let path = path.unwrap_or_else(|error| panic!("{}: {name}: {error}", file.display()));
                assert!(path.starts_with(&home), "{} includes {name}", file.display());
                included += 1;
            }
        }
    }
    assert!(included > 50, "only {included}");
}

/// The string literals and the names `PreEscaped` in a file, except in attributes and in the module `tests`.
fn literals(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                tokens.next_if(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '!'));
                drop(tokens.next());
            }
            TokenTree::Ident(word) if word == "tests" => {
                tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
            }
            TokenTree::Ident(word) if word == "PreEscaped" => found.push(word.to_string()),
            TokenTree::Literal(literal) => found.push(literal.to_string()),
            TokenTree::Group(group) => literals(group.stream(), found),
            _ => {}
        }
    }
}

/// Whether text contains a tag of an element that pages have and drawings lack.
fn has_tag(text: &str) -> bool {
    const ELEMENTS: &str = "b body button code dd details div dl dt figcaption figure h1 h2 h3 head html i img li link main meta nav p pre \
                            script section small span summary table td tr";
    text.split('<').skip(1).any(|rest| {
        let rest = rest.trim_start_matches('/');
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        ELEMENTS.split(' ').any(|element| element == name) && rest[end..].starts_with(['>', ' ', '\\', '/'])
    })
}

/// `maud` escapes every string on a page. It can't escape text that a crate joins with tags by itself, and it does not escape `PreEscaped`.
#[test]
fn pages_are_written_by_the_library_that_escapes() {
    // The frame of pages, and the two places that embed drawings.
    let embedding = ["farm-agents/src/page.rs", "farm-render/src/page.rs", "farm-report/src/charts.rs"];
    assert!(
        has_tag("<p class=\"a\">") && has_tag("a</TD>") && has_tag("<img\\n") && !has_tag("<path d=\"\"/> a < b <tdx>")
    );
    let mut is_embedding = BTreeSet::new();
    // The tasks write Markdown from the repository's own texts.
    for member in members().iter().filter(|member| !member.starts_with("xtask")) {
        let mut files = Vec::new();
        rust_files(&root().join(member).join("src"), &mut files);
        for file in files {
            let name = file.strip_prefix(root()).unwrap().display().to_string();
            let mut found = Vec::new();
            literals(fs::read_to_string(&file).unwrap().parse().unwrap(), &mut found);
            if found.iter().any(|word| word == "PreEscaped") {
                is_embedding.insert(name.clone());
            }
            let joined = found.iter().find(|literal| has_tag(literal) && !name.ends_with("/tests/mod.rs"));
            assert_eq!(joined, None, "{name} writes HTML without `maud::html`");
        }
    }
    assert_eq!(is_embedding, embedding.map(str::to_owned).into(), "files that use `PreEscaped`");
}

#[test]
fn every_crate_takes_version_edition_rust_version_licence_and_address_from_the_workspace() {
    for member in members() {
        let manifest = read(&format!("{member}/Cargo.toml"));
        for key in ["version", "edition", "rust-version", "license", "repository"] {
            let line = format!("{key}.workspace = true");
            assert!(manifest.lines().any(|found| found == line), "{member}/Cargo.toml lacks `{line}`");
        }
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{member}/Cargo.toml takes no lints from the workspace"
        );
    }
}

/// The first page that users of a crate see is the same in its repository, in the registry and in its documentation.
#[test]
fn every_published_crate_has_a_readme_that_its_documentation_includes() {
    let is_published = |member: &String| !read(&format!("{member}/Cargo.toml")).contains("\npublish = false");
    let published: Vec<String> = members().into_iter().filter(is_published).collect();
    assert!(published.len() >= 20, "{published:?}");
    for member in published {
        let (page, library) = (read(&format!("{member}/README.md")), read(&format!("{member}/src/lib.rs")));
        assert!(library.starts_with("#![doc = include_str!(\"../README.md\")]\n"), "{member}");
        for piece in [&format!("# {member}\n\n"), "\nYou need this crate", "\n```rust\n", "\nNext: [", "](../docs/"] {
            assert!(page.contains(piece), "{member}/README.md has no {piece:?}");
        }
    }
}

/// The version number is correct if it is the same everywhere. Cargo rejects a compiler that is older than the manifests state, and clippy
/// rejects newer features of the standard library.
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
