//! Invariant 1: which names the sources may not hold, read from their tokens.
//!
//! Names are identifiers and the words of texts, for a message that names an entity ties the engine to it. Comments and tests count for
//! nothing. That farm-core uses no entity's type needs no test, since it depends on no other crate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use farm_core::config::PartKind;
use farm_core::registry::{Kind, kinds};
use farm_games::CATALOGUE;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::common::repository;
use crate::parts;

/// The Rust files below a folder, those of tests left out, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    let is_source = |path: &PathBuf| path.file_stem().is_none_or(|name| name != "tests");
    let mut files = Vec::new();
    for path in entries.into_iter().filter(is_source) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn tokens(file: &Path) -> TokenStream {
    let text = std::fs::read_to_string(file).expect("a source file");
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The identifiers and the words of texts, in their order.
fn names(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) => found.push(word.to_string()),
            TokenTree::Literal(text) => {
                let text = text.to_string();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                found.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            TokenTree::Group(group) => names(group.stream(), found),
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                // Of a whole file, the exclamation mark stands between.
                tokens.next_if(|next| next.to_string() == "!");
                let attribute = tokens.next().map(|next| next.to_string()).unwrap_or_default();
                if attribute == "[cfg (test)]" || attribute == "[cfg(test)]" {
                    // The item that it stands before ends with its braces, or with a semicolon.
                    let is_end = |token: &TokenTree| match token {
                        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                        token => token.to_string() == ";",
                    };
                    tokens.by_ref().find(is_end);
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

fn names_of(file: &Path) -> Vec<String> {
    let mut found = Vec::new();
    names(tokens(file), &mut found);
    found
}

fn shipped_kinds() -> impl Iterator<Item = &'static Kind> {
    kinds().iter().copied().filter(|kind| !parts::NAMES.contains(&kind.name()))
}

#[test]
fn invariant_1_engine_and_command_line_name_no_part_and_no_game() {
    let mut forbidden: BTreeSet<&str> = shipped_kinds().map(|kind| kind.name()).collect();
    forbidden.extend(CATALOGUE.iter().map(|entry| entry.name));
    let mut found = Vec::new();
    for folder in ["farm-core/src", "farm-cli/src"] {
        let files = rust_files(&repository().join(folder));
        assert!(files.len() > 5, "{folder} has sources");
        for file in files {
            let named = names_of(&file).into_iter().filter(|name| forbidden.contains(name.as_str()));
            found.extend(named.map(|name| format!("{}: `{name}`", file.display())));
        }
    }
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

/// Whether a struct of this name is declared here, also within a macro.
fn declares(tokens: TokenStream, name: &str) -> bool {
    let mut is_struct = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => {
            let is_it = is_struct && word == name;
            is_struct = word == "struct";
            is_it
        }
        TokenTree::Group(group) => declares(group.stream(), name),
        _ => false,
    })
}

#[test]
fn invariant_1_an_entity_names_no_other_entitys_type() {
    let files = rust_files(&repository().join("farm-entities/src"));
    let entities: Vec<&str> =
        shipped_kinds().filter(|kind| kind.part() == PartKind::Entity).map(|kind| kind.name()).collect();
    assert!(entities.len() >= 5, "{entities:?}");
    let mut found = Vec::new();
    for entity in &entities {
        let home = files.iter().find(|file| declares(tokens(file), entity));
        let home = home.unwrap_or_else(|| panic!("no file declares {entity}"));
        // An entity is a file, or the folder of a `mod.rs`.
        let source = if home.ends_with("mod.rs") { home.parent().expect("a folder") } else { home };
        for file in files.iter().filter(|file| file.starts_with(source)) {
            let named = names_of(file).into_iter().filter(|name| name != entity && entities.contains(&name.as_str()));
            found.extend(named.map(|name| format!("{}: {entity} names {name}", file.display())));
        }
    }
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

#[test]
fn invariant_1_names_are_those_of_code_and_texts_but_neither_of_comments_nor_of_tests() {
    let text = "//! Soil\n#![allow(Birds)]\nuse a::Soil;\n/// Weeds\nlet x = \"Plant-0\"; // Pests\n\
                #[cfg(test)]\nmod tests { Cide }\n#[cfg(test)]\nuse b::Tests;\nm! { struct Plant; }\n";
    let mut found = Vec::new();
    names(text.parse().expect("tokens"), &mut found);
    assert_eq!(found, ["use", "a", "Soil", "let", "x", "Plant", "0", "m", "struct", "Plant"]);
    assert!(declares(text.parse().expect("tokens"), "Plant") && !declares(text.parse().expect("tokens"), "Soil"));
}
