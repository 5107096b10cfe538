//! Readers who leave early: nothing is said of it, and results are saved all the same.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::program::{Ran, farm, program};
use super::{file, folder, waits};

/// The reader takes a line and leaves.
#[test]
fn a_broken_pipe_is_quiet() {
    let folder = folder("pipe");
    let limit = farm(&["describe", "clay_bean-v0", "--json"]).json()["max_steps"].as_u64().unwrap() as usize;
    // More than fits into the pipe's buffer together with the program's own, where the game lasts that long.
    let actions = file(&folder, "actions.txt", waits(limit));
    let replay = ["replay", "clay_bean-v0", "--seed", "1", "--actions", &actions];
    for arguments in
        [&["list"][..], &["list", "--json"], &["describe", "clay_bean-v0", "--json"], &["run", "clay_bean-v0"], &replay]
    {
        let mut command = program();
        let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ran = Ran::of(&child.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("error"), "{arguments:?}: {}", ran.stderr);
    }
    // Nobody reads at all: every write fails.
    for arguments in
        [&["list"][..], &["describe", "clay_bean-v0"], &["run", "clay_bean-v0"], &["check", "clay_bean-v0"], &replay]
    {
        let mut child = program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::of(&child.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn results_are_saved_although_nobody_reads_the_table() {
    let out = folder("unread");
    let mut command = program();
    command.args(["run", "clay_bean-v0", "--out"]).arg(&out).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(Ran::of(&child.wait_with_output().unwrap()).code, 0);
    assert_eq!(fs::read_to_string(out.join("episodes.csv")).unwrap().lines().count(), 11);
}
