//! The pages of the documentation: their blocks and what they quote.

use std::path::PathBuf;

/// A page of the repository.
pub(crate) struct Page {
    /// Its path from the top of the repository.
    pub name: String,
    pub text: String,
}

/// A fenced block.
pub(crate) struct Block<'p> {
    /// The word behind the fence: `yaml`.
    pub language: &'p str,
    /// The words after it: `file=my_game.yaml`.
    pub words: Vec<&'p str>,
    pub text: String,
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The pages that the summary of the site names, except those that are written when it is built, and those of crates, which are
/// tried by the tests of their crate.
pub(crate) fn pages() -> Vec<Page> {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let links = summary.lines().filter_map(|line| line.split_once("](")?.1.strip_suffix(')'));
    let written = links.filter(|link| !link.starts_with("reference/"));
    let names = written.map(|link| link.strip_prefix("../").map_or_else(|| format!("docs/{link}"), str::to_owned));
    let is_of_a_crate = |name: &String| root().join(name).with_file_name("Cargo.toml").is_file() && name.contains('/');
    names
        .filter(|name| !is_of_a_crate(name))
        .map(|name| Page { text: std::fs::read_to_string(root().join(&name)).unwrap(), name })
        .collect()
}

pub(crate) fn page(name: &str) -> Page {
    let text = std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Page { text, name: name.to_owned() }
}

impl Page {
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<Block<'_>> = None;
        for line in self.text.lines() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(info), None) => {
                    let mut words = info.split(',');
                    let language = words.next().unwrap_or_default();
                    open = Some(Block { language, words: words.collect(), text: String::new() });
                }
                (None, Some(block)) => block.text += &format!("{line}\n"),
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block is not closed", self.name);
        blocks
    }

    /// What is quoted outside blocks.
    pub(crate) fn quoted(&self) -> Vec<String> {
        let mut inside = false;
        let mut text = String::new();
        for line in self.text.lines() {
            let is_fence = line.starts_with("```");
            inside ^= is_fence;
            if !inside && !is_fence {
                text += &format!("{line}\n");
            }
        }
        text.split('`').skip(1).step_by(2).map(|quoted| quoted.replace('\n', " ")).collect()
    }
}

impl Block<'_> {
    /// The value of a word such as `file=my_game.yaml`.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}
