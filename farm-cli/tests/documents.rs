//! What the documents say is true: every path they name exists, every command and example they show works.

use std::path::PathBuf;
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The contents of all fenced blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

#[test]
fn every_path_that_the_documents_name_exists() {
    let mut checked = 0;
    for name in ["README.md", "ARCHITECTURE.md"] {
        let text = document(name);
        let quoted = text.split('`').skip(1).step_by(2);
        let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let is_path = |word: &&str| {
            let first = word.split('/').next().unwrap_or_default();
            !word.contains([' ', '\n', '*'])
                && (word.ends_with(".md") || word.contains('/') && root().join(first).is_dir())
        };
        for path in quoted.chain(linked).filter(is_path) {
            assert!(root().join(path).exists(), "{name} names `{path}`, which does not exist");
            checked += 1;
        }
    }
    assert!(checked > 30, "only {checked} paths were found in the documents");
}

#[test]
fn the_readme_has_exactly_two_set_up_commands() {
    let text = document("README.md");
    let commands: Vec<&str> = blocks(&text, "bash").into_iter().flat_map(str::lines).collect();
    assert_eq!(commands, ["cargo run --release -- run clay_bean --episodes 100", "cargo xtask test"]);
}

#[test]
fn every_farm_command_and_the_yaml_of_the_readme_work() {
    let text = document("README.md");
    let folder = std::env::temp_dir().join(format!("farm-documents-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let yaml = blocks(&text, "yaml");
    assert_eq!(yaml.len(), 1);
    std::fs::write(folder.join("my_game.yaml"), yaml[0]).unwrap();
    let shown = text
        .lines()
        .filter_map(|line| line.strip_prefix("$ farm "))
        .map(|line| line.split("   ").next().unwrap_or_default());
    let quoted = text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("farm "));
    let mut commands: Vec<String> = shown.chain(quoted).filter(|c| !c.starts_with("--")).map(str::to_owned).collect();
    commands.push("run my_game.yaml --policy random --episodes 2".to_owned());
    assert!(commands.len() > 6, "{commands:?}");
    for command in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_farm"))
            .args(command.split_whitespace())
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "farm {command}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "farm {command} prints nothing");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
