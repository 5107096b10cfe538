//! `cargo xtask` as a program: its help, and the names that it rejects.

use std::path::Path;
use std::process::{Command, Output};

/// `cargo xtask …` at the top of the repository.
fn xtask(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.output().expect("xtask runs")
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "it should be refused");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

#[test]
fn without_a_task_it_explains_itself_and_names_that_are_taken_are_refused() {
    let text = succeeds(&xtask(&[]));
    for task in ["test", "ci", "schema", "template", "new-entity", "new-game", "new-plugin", "EXAMPLES"] {
        assert!(text.contains(task), "{task}: {text}");
    }
    refused(&xtask(&["new-entity", "Soil"]), &["the entity `Soil` already exists", "MySoil"]);
    refused(&xtask(&["new-game", "clay_bean"]), &["the game `clay_bean` already exists", "my_clay_bean"]);
    refused(&xtask(&["new-plugin", "farm-core"]), &["already", "choose another name"]);
    refused(&xtask(&["new-plugin", "wood-mice", "--kind", "tractor"]), &["entity, farmer, rule, score, policy"]);
    refused(&xtask(&["new-entity", "wood mice"]), &["can't be a name"]);
}
