//! Memory that does not suffice: the program says so in one sentence, and what to make smaller.

use std::process::Command;

use super::program::{Ran, program};

/// Runs the program with so much memory of its own, in kB.
fn within(kilobytes: u32, arguments: &[&str]) -> Ran {
    let script = format!("ulimit -v {kilobytes}; exec \"$@\"");
    let mut limited = Command::new("sh");
    limited.args(["-c", &script, "sh"]).arg(program().get_program()).args(arguments);
    Ran::of(&limited.output().unwrap())
}

#[test]
fn out_of_memory_is_one_sentence_with_a_remedy() {
    let large = ["--set", "fields.Field-0.shape.length#nb=1000", "--set", "fields.Field-0.shape.width#nb=1000"];
    let ran = within(300_000, &[&["run", "full_farm", "--episodes", "1"], &large[..]].concat());
    ran.says(
        3,
        &[
            "error: out of memory: ",
            " more bytes could not be allocated while the game `full_farm` was compiled; use fewer plots",
        ],
    );
    assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{}", ran.stderr);
    within(300_000, &["eval", "clay_bean", "--episodes", "20", "--threads", "2"]).says(0, &["mean"]);
}
