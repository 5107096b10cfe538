//! Invariants 1 and 9: what the sources may not say.
//!
//! A code line is one that does not start with `//` and does not lie in a `#[cfg(test)]` module. Texts in code are code: a
//! message that names a crop ties the engine to it. Doc comments may use examples.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use farm_core::config::PartKind;
use farm_core::registry::{Kind, kinds};
use farm_games::CATALOGUE;

use crate::common::repository;
use crate::parts;

/// The Rust files below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The folders of all crates of the repository.
fn crates() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repository()).expect("the repository");
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    folders
}

/// The numbered code lines of a file; none of a file that is itself a test module.
fn code_lines(path: &Path) -> Vec<(usize, String)> {
    let is_named = |name: Option<&std::ffi::OsStr>| name.is_some_and(|name| name == "tests");
    if is_named(path.file_stem()) || is_named(path.parent().and_then(Path::file_name)) {
        return Vec::new();
    }
    let text = std::fs::read_to_string(path).expect("a source file");
    code_lines_of(&text)
}

fn code_lines_of(text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut all = text.lines().enumerate().peekable();
    while let Some((number, line)) = all.next() {
        let trimmed = line.trim_start();
        if trimmed == "#[cfg(test)]" {
            let indent = &line[..line.len() - trimmed.len()];
            // A module ends where a brace closes at its own indent.
            if all.peek().is_some_and(|(_, next)| next.trim_start().starts_with("mod ") && next.ends_with('{')) {
                let end = format!("{indent}}}");
                all.by_ref().find(|(_, line)| **line == end);
            } else {
                all.next();
            }
        } else if !trimmed.is_empty() && !trimmed.starts_with("//") {
            lines.push((number + 1, line.to_owned()));
        }
    }
    lines
}

/// The identifiers of a line, as `Soil` in `Soil-0`.
fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The words of an identifier in lower case: `clay_bean` and `ClayBean` are clay and bean.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in identifier.chars() {
        if c == '_' || c.is_ascii_digit() || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if c.is_alphabetic() {
            words.last_mut().expect("at least one").extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn shipped_kinds() -> impl Iterator<Item = &'static Kind> {
    kinds().iter().copied().filter(|kind| !parts::NAMES.contains(&kind.name))
}

/// Names of parts and games, and words that only a game has.
fn forbidden_in_engine() -> (BTreeSet<String>, BTreeSet<String>) {
    let mut names: BTreeSet<String> = shipped_kinds().map(|kind| kind.name.to_owned()).collect();
    names.extend(CATALOGUE.iter().map(|entry| entry.name.to_owned()));
    let crops = ["bean", "corn", "tomato", "clay", "backwards", "valley", "crop", "villager", "animal", "weed", "pest"];
    let mut words: BTreeSet<String> = crops.iter().flat_map(|word| [(*word).to_owned(), format!("{word}s")]).collect();
    words.insert("tomatoes".into());
    for kind in shipped_kinds() {
        let sets = kind.parameter_sets().unwrap_or_else(|error| panic!("{}: {error}", kind.name));
        words.extend(sets.into_iter().map(|set| set.name.to_lowercase()));
    }
    (names, words)
}

fn offences(folder: &str) -> Vec<String> {
    let (names, crops) = forbidden_in_engine();
    let root = repository().join(folder);
    let files = rust_files(&root.join("src"));
    assert!(files.len() > 5, "{folder} has sources");
    let mut found = Vec::new();
    for file in files {
        for (number, line) in code_lines(&file) {
            for identifier in identifiers(&line) {
                if names.contains(identifier) || words(identifier).iter().any(|word| crops.contains(word)) {
                    let file = file.strip_prefix(&root).unwrap_or(&file).display();
                    found.push(format!("{folder}/{file}:{number}: `{identifier}` in: {}", line.trim()));
                }
            }
        }
    }
    found
}

#[test]
fn invariant_1_the_engine_names_no_entity_no_game_and_no_crop() {
    let found = offences("farm-core");
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

#[test]
fn invariant_1_the_command_line_names_no_entity_no_game_and_no_crop() {
    let found = offences("farm-cli");
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

/// The source of an entity: the file that registers it, or the folder whose `mod.rs` does.
fn source_of(entity: &str, files: &[PathBuf]) -> PathBuf {
    let registers = |file: &&PathBuf| {
        let text: String = code_lines(file).into_iter().map(|(_, line)| line).collect();
        let compact: String = text.split_whitespace().collect();
        compact.contains(&format!("implEntityfor{entity}{{"))
    };
    let file = files.iter().find(registers).unwrap_or_else(|| panic!("nobody registers {entity}"));
    if file.ends_with("mod.rs") { file.parent().expect("a folder").to_path_buf() } else { file.clone() }
}

#[test]
fn invariant_1_an_entity_names_no_other_entitys_type() {
    let files = rust_files(&repository().join("farm-entities/src"));
    let entities: Vec<&str> =
        shipped_kinds().filter(|kind| kind.part == PartKind::Entity).map(|kind| kind.name).collect();
    assert!(entities.len() >= 5, "{entities:?}");
    let mut found = Vec::new();
    for entity in &entities {
        let source = source_of(entity, &files);
        let own: Vec<&PathBuf> = files.iter().filter(|file| file.starts_with(&source)).collect();
        assert!(!own.is_empty(), "{entity} has a source");
        for file in own {
            for (number, line) in code_lines(file) {
                let other = |name: &&str| name != entity && entities.contains(name);
                for name in identifiers(&line).filter(other) {
                    found.push(format!("{}:{number}: {entity} names {name}: {}", file.display(), line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

#[test]
fn invariant_1_the_scan_sees_code_and_texts_but_neither_comments_nor_tests() {
    let text = "//! Soil\nuse a::Soil;\n/// Soil\nlet x = \"Soil-0\"; // here\n#[cfg(test)]\nmod tests {\n    Soil\n}\nfn after() {}\n";
    let lines: Vec<usize> = code_lines_of(text).into_iter().map(|(number, _)| number).collect();
    assert_eq!(lines, [2, 4, 9]);
    assert!(identifiers("let x = \"Soil-0\";").any(|word| word == "Soil"));
    assert_eq!(words("ClayBean_2x"), ["clay", "bean", "x"]);
}

/// A line without its texts, so that a test may speak of the word.
fn without_texts(line: &str) -> String {
    line.split('"').step_by(2).collect()
}

/// The places that may hold unsafe code, and why nothing else would do.
const UNSAFE: [&str; 4] = [
    // Work that borrows from the caller is lent to threads that live longer.
    "farm-core/src/vector/pool.rs",
    // States are fetched into the cache ahead of their step, for which there is only an intrinsic.
    "farm-core/src/state.rs",
    // Libraries are loaded, and what they export is read.
    "farm-core/src/plugin/host.rs",
    // A plugin exports a symbol under a name of its own.
    "farm-core/src/plugin/declare.rs",
];

#[test]
fn invariant_9_unsafe_code_stands_in_few_places_each_with_its_reason() {
    let crates = crates();
    assert!(crates.len() >= 4, "{crates:?}");
    let mut found = Vec::new();
    let mut allowed = 0;
    for file in crates.iter().flat_map(|folder| rust_files(folder)) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let lines: Vec<&str> = text.lines().collect();
        // Test modules count here too.
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            if !identifiers(&without_texts(line)).any(|word| word == "unsafe") {
                continue;
            }
            let is_allowed = UNSAFE.iter().any(|path| file.ends_with(path));
            let above = lines[..number].iter().rev().take_while(|line| line.trim_start().starts_with(['/', '#']));
            if is_allowed && above.into_iter().any(|line| line.contains("// SAFETY:")) {
                allowed += 1;
            } else {
                found.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(allowed >= UNSAFE.len(), "each of the places has some");
}

#[test]
fn invariant_9_every_crate_inherits_the_lints_that_deny_unsafe_code() {
    let section = |text: &str, name: &str| -> String {
        let lines = text.lines().map(str::trim).skip_while(|line| *line != name).skip(1);
        lines.take_while(|line| !line.starts_with('[')).map(|line| line.replace(' ', "") + "\n").collect()
    };
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).expect("the workspace");
    assert!(section(&workspace, "[workspace.lints.rust]").contains("unsafe_code=\"deny\"\n"));
    for folder in crates() {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        assert!(section(&manifest, "[lints]").contains("workspace=true\n"), "{}", folder.display());
    }
}
