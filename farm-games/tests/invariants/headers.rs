//! What the header of a part's source says that it reads and writes is what the part declares.

use std::collections::BTreeSet;
use std::path::PathBuf;

use farm_core::registry::{Kind, kinds, roles};
use farm_core::spec;

/// The source of a kind that is part of the project: `farm_entities::agronomy::soil` is `farm-entities/src/agronomy/soil/mod.rs`.
fn source(kind: &Kind) -> PathBuf {
    let mut steps = kind.module().split("::");
    let krate = steps.next().unwrap_or_default().replace('_', "-");
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src");
    let path: PathBuf = steps.fold(root, |path, step| path.join(step));
    let file = path.with_extension("rs");
    if file.is_file() { file } else { path.join("mod.rs") }
}

/// A word in backticks of a header's table.
struct Word {
    text: String,
    /// Whether it goes on after an ellipsis, as in `release_…` and in `release_N` … `release_C`.
    goes_on: bool,
    /// Whether the row says that it depends on the parameters.
    depends: bool,
}

impl Word {
    fn means(&self, role: &str) -> bool {
        if self.goes_on { role.starts_with(&self.text) } else { role == self.text }
    }
}

/// The words of the header's table of what is read or written.
fn words(header: &str, table: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut inside = false;
    for line in header.lines() {
        let Some(row) = line.strip_prefix("//! |") else {
            inside = false;
            continue;
        };
        if row.trim_start().starts_with("reads") || row.trim_start().starts_with("writes") {
            inside = row.trim_start().starts_with(table);
            continue;
        }
        if !inside {
            continue;
        }
        let depends = ["only with", "where", "further"].iter().any(|word| row.contains(word));
        let parts: Vec<&str> = row.split('`').collect();
        for (i, word) in parts.iter().enumerate().skip(1).step_by(2) {
            let is_end = |text: Option<&&str>| text.is_some_and(|text| text.trim() == "…");
            let of_range = is_end(parts.get(i + 1)) || is_end(i.checked_sub(1).and_then(|i| parts.get(i)));
            let (text, goes_on) = match word.strip_suffix('…') {
                Some(stem) => (stem.to_owned(), true),
                None if of_range => (word.rsplit_once('_').map_or(*word, |(stem, _)| stem).to_owned() + "_", true),
                None => ((*word).to_owned(), false),
            };
            words.push(Word { text, goes_on, depends });
        }
    }
    words
}

#[test]
fn invariant_6_the_header_of_a_part_names_the_roles_that_it_looks_up_and_fills() {
    let known: BTreeSet<&str> = roles().iter().map(|role| role.name()).collect();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for kind in kinds().iter().filter(|kind| kind.module().starts_with("farm_")) {
        let (file, Some(part)) = (source(kind), spec::declarations(kind)) else { continue };
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let header: String =
            text.lines().take_while(|line| line.starts_with("//!")).map(|line| format!("{line}\n")).collect();
        let (reads, writes) = (words(&header, "reads"), words(&header, "writes"));
        if reads.is_empty() && writes.is_empty() {
            continue;
        }
        seen += 1;
        let needs: BTreeSet<&str> = part.needs().iter().map(|(role, _)| *role).collect();
        let fills: BTreeSet<&str> =
            part.variables().iter().flat_map(|variable| variable.roles().iter().copied()).collect();
        let named = |role: &str| reads.iter().chain(&writes).any(|word| word.means(role));
        let mut add = |what: String| wrong.push(format!("{}: `{}` {what}", file.display(), kind.name()));
        // What a part changes of others it looks up, too, and may be named in either table.
        for need in needs.iter().filter(|need| !named(need)) {
            add(format!("looks up `{need}`, which its header does not name"));
        }
        let is_role = |word: &&Word| !word.depends && known.iter().any(|role| word.means(role));
        for word in reads.iter().filter(is_role).filter(|word| !needs.iter().any(|need| word.means(need))) {
            add(format!("does not look up `{}`, which its header names", word.text));
        }
        let is_there = |word: &&Word| fills.iter().chain(&needs).any(|role| word.means(role));
        for word in writes.iter().filter(is_role).filter(|word| !is_there(word)) {
            add(format!("does not fill `{}`, which its header names", word.text));
        }
    }
    assert!(seen >= 15, "only {seen} headers were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
