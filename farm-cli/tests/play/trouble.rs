//! What goes wrong: no terminal, a full disk, a path that can't be written.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::program::Folder;
use portable_pty::CommandBuilder;

use super::terminal::{self, ENTER, Terminal};
use super::{NARROW, farm, hash_of, replayed};

#[test]
fn without_a_terminal_it_says_what_to_use_instead() {
    farm(&["play", "valley_farm"]).says(1, &["standard input is not a terminal", "farm run", "farm replay"]);
    let folder = Folder::new("piped");
    let file = folder.file("moves.txt");
    std::fs::write(&file, "Wait\n").unwrap();
    farm(&["replay", "valley_farm", "--seed", "1", "--actions", &file, "--watch"])
        .says(1, &["not a terminal", "leave out `--watch`"]);
    let mut program = Command::new(env!("CARGO_BIN_EXE_farm"));
    let output = program.args(["play", "valley_farm"]).stdin(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing is drawn");
}

#[test]
fn a_recording_that_cannot_begin_is_told_before_anything_is_played() {
    let folder = Folder::new("nowhere");
    let terminal = Terminal::start(NARROW, &["play", "valley_farm", "--record", &folder.file("no/where.txt")]);
    let (code, said) = terminal.ends();
    assert!(code == 1 && said.contains("where.txt") && !said.contains("Actions"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_nothing_played_is_lost() {
    let folder = Folder::new("full");
    let file = folder.file("moves.txt");
    let mut terminal = Terminal::start(NARROW, &["play", "valley_farm", "--seed", "4", "--record", "/dev/full"]);
    terminal.shows(&["/dev/full can't be written", "rec!"]);
    terminal.press_and_see("d", &["step 1 ", "/dev/full"]);
    terminal.press_and_see("s", &["step 2 ", "/dev/full"]);
    terminal.press_and_see("q", &["R records", "q leaves and prints the actions"]);
    terminal.press("q");
    let (code, said) = terminal.ends();
    assert_eq!(code, 1);
    assert!(said.contains("MoveEast\nMoveSouth\n") && said.contains("No space left"), "{said}");
    // Or to another file.
    let mut terminal = Terminal::start(NARROW, &["play", "valley_farm", "--seed", "4", "--record", "/dev/full"]);
    terminal.shows(&["rec!"]);
    terminal.press_and_see("d", &["step 1 "]);
    terminal.press_and_see("q", &["R records"]);
    terminal.press_and_see("R", &["Record to which file?", "/dev/full_"]);
    terminal.press_and_see(&format!("{}{file}{ENTER}", "\x7f".repeat("/dev/full".len())), &["recording to"]);
    terminal.press("q");
    let (code, said) = terminal.ends();
    assert_eq!(code, 0, "{said}");
    assert_eq!(hash_of(&said), hash_of(&replayed(&["valley_farm"], "4", &file).stderr));
    assert!(!std::fs::metadata("/dev/full").unwrap().is_file());
}

#[test]
fn leaving_by_either_way_gives_the_terminal_back() {
    for keys in ["q", "\x03", "hhq", "m\x03", "b\x03", "?\x03", "R\x03"] {
        let mut terminal = Terminal::start(NARROW, &["play", "clay_bean-v0"]);
        terminal.shows(&["q leave"]);
        terminal.press(keys);
        let (code, said) = terminal.ends();
        assert_eq!(code, 0, "{keys:?}: {said}");
        assert!(said.contains("0 steps, return 0, the episode continues"), "{keys:?}: {said}");
    }
}

/// The codes are those with which shells tell of a program that a signal has ended: 128 and the signal.
#[cfg(unix)]
#[test]
fn a_signal_from_outside_gives_the_terminal_back_and_loses_nothing() {
    for (signal, expected) in [("TERM", 143), ("HUP", 129)] {
        let mut terminal = Terminal::start(NARROW, &["play", "valley_farm", "--seed", "4"]);
        terminal.shows(&["q leave"]);
        terminal.press_and_see("d", &["step 1 "]);
        terminal.signal(signal);
        let (code, said) = terminal.ends();
        assert_eq!(code, expected, "{said}");
        assert!(said.contains("MoveEast") && said.contains("1 step, return 0, the episode continues"), "{said}");
    }
    let folder = Folder::new("ended");
    let file = folder.file("moves.txt");
    let mut terminal = Terminal::start(NARROW, &["play", "valley_farm", "--seed", "4", "--record", &file]);
    terminal.press_and_see("d", &["step 1 "]);
    // In a dialog, too.
    terminal.press("m");
    terminal.signal("TERM");
    let (code, said) = terminal.ends();
    assert_eq!(code, 143);
    assert_eq!(hash_of(&said), hash_of(&replayed(&["valley_farm"], "4", &file).stderr));
    let terminal = Terminal::start(NARROW, &["replay", "valley_farm", "--seed", "4", "--actions", &file, "--watch"]);
    terminal.shows(&["step 1"]);
    terminal.signal("TERM");
    assert_eq!(terminal.ends().0, 143);
}

/// How long a program may live without its terminal; the machine may have much else to do.
#[cfg(unix)]
const SOON: Duration = Duration::from_secs(20);

#[cfg(unix)]
fn command(words: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(words[0]);
    command.args(&words[1..]);
    command.cwd(std::env::current_dir().unwrap());
    command.env("TERM", "xterm-256color");
    command
}

/// The window is closed, or the line drops: whoever reads keys then reads nothing for ever.
#[cfg(unix)]
#[test]
fn it_ends_with_its_terminal() {
    let folder = Folder::new("closed");
    let moves = folder.file("moves.txt");
    std::fs::write(&moves, "Wait\n").unwrap();
    let farm = env!("CARGO_BIN_EXE_farm");
    let play = [farm, "play", "valley_farm", "--seed", "3"];
    let watch = [farm, "replay", "valley_farm", "--seed", "3", "--actions", &moves, "--watch"];
    for words in [&play[..], &watch] {
        for signal in [None, Some("HUP"), Some("TERM")] {
            let mut child = terminal::close(command(words), "leave", |id| {
                if let Some(signal) = signal {
                    assert!(Command::new("kill").args(["-s", signal, &id.to_string()]).status().unwrap().success());
                }
            });
            let closed = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if closed.elapsed() > SOON {
                    child.kill().unwrap();
                    panic!("{words:?} lives on without its terminal (signal before: {signal:?})");
                }
                std::thread::sleep(Duration::from_millis(20));
            };
            assert!([129, 143].contains(&status.exit_code()), "{signal:?}: {status:?}");
        }
    }
}

/// A program in a session of its own is sent no signal when its terminal goes.
#[cfg(target_os = "linux")]
#[test]
fn it_ends_with_its_terminal_though_no_signal_says_so() {
    let folder = Folder::new("session");
    let note = folder.file("id");
    let script = format!("echo $$ > '{note}'; exec '{}' play valley_farm", env!("CARGO_BIN_EXE_farm"));
    let mut parent = terminal::close(command(&["setsid", "--fork", "--wait", "sh", "-c", &script]), "leave", |_| {});
    let closed = Instant::now();
    let id = std::fs::read_to_string(&note).unwrap().trim().to_owned();
    // What has ended may wait for its parent to take note: state Z.
    let lives = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        status.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
    };
    while lives() && closed.elapsed() < SOON {
        std::thread::sleep(Duration::from_millis(20));
    }
    let lives_on = lives();
    if lives_on {
        let _ = Command::new("kill").args(["-s", "KILL", &id]).status();
    }
    let _ = parent.kill();
    let _ = parent.wait();
    assert!(!lives_on, "it lives on without its terminal");
}
