//! Texts of a game file that a terminal would obey: names, descriptions, unknown keys, names of files. Found by a review from outside;
//! its files are in `tests/inputs/`.

use std::path::{Path, PathBuf};

use super::program::{Ran, farm};
use super::{file, folder};

fn input(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs").join(name);
    path.display().to_string()
}

/// Whether a terminal would show this character, and do nothing else.
fn is_plain(c: char) -> bool {
    matches!(c, '\n' | '\t') || !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[track_caller]
fn is_harmless(ran: &Ran, what: &[&str]) {
    for said in [&ran.stdout, &ran.stderr] {
        let found: Vec<String> =
            said.lines().filter(|line| !line.chars().all(is_plain)).map(|l| format!("{l:?}")).collect();
        assert!(found.is_empty(), "{what:?}: {found:#?}");
    }
}

#[test]
fn a_terminal_obeys_no_text_of_a_game() {
    let out = folder("escapes");
    let out = out.to_str().unwrap();
    let (mut shown, mut refused) = (0, 0);
    for name in ["esc1.yaml", "esc2.yaml", "esc3.yaml"] {
        let game = input(name);
        for arguments in [
            &["check", &game][..],
            &["check", "--explain", &game],
            &["describe", &game],
            &["describe", &game, "--start"],
            &["describe", &game, "--instructions", "shown"],
            &["describe", &game, "--json"],
            &["graph", &game],
            &["graph", &game, "--format", "dot"],
            &["run", &game, "--episodes", "2", "--explain"],
            &["run", &game, "--episodes", "2", "--json"],
            &["run", &game, "--policy", "radnom"],
            &["eval", &game, "--episodes", "4", "--paired-with", "random", "--out", out],
            &["eval", &game, "--episodes", "4", "--json"],
            &["level", &game],
            &["oracle", &game],
        ] {
            let ran = farm(arguments);
            is_harmless(&ran, arguments);
            shown += usize::from(ran.stdout.contains("\\u001b") && ran.stdout.contains("\\u202e"));
            refused += usize::from(ran.stderr.contains("\\u001b"));
        }
    }
    assert!(
        shown > 12 && refused > 5,
        "what is escaped is shown: {shown} times as a result, {refused} times as an error"
    );
}

#[test]
fn json_tells_the_names_as_they_are() {
    let json = farm(&["run", &input("esc1.yaml"), "--episodes", "1", "--json"]).json();
    let name = json["game"].as_str().unwrap();
    assert!(name.starts_with("\u{1b}]0;pwned title\u{7}") && name.contains('\u{202e}'), "{name:?}");
}

#[cfg(unix)]
#[test]
fn a_terminal_obeys_no_name_of_a_file() {
    let folder = folder("escaped_names");
    let path = file(&folder, "a\u{1b}]0;pwned\u{7}\u{202e}.yaml", "name: a\nfeilds: {}\n");
    for arguments in [
        &["check", &path][..],
        &["run", &path],
        &["run", &format!("{path}.yaml")],
        &["run", "clay_bean", "--set", "a\u{1b}b=1"],
    ] {
        let ran = farm(arguments);
        is_harmless(&ran, arguments);
        ran.says(1, &["\\u001b"]);
    }
}

#[test]
fn a_game_whose_names_are_markup_is_a_game_like_any_other() {
    let folder = folder("markup");
    let page = folder.join("page.html");
    let ran =
        farm(&["run", &input("xss.yaml"), "--policy", "random", "--episodes", "1", "--report", page.to_str().unwrap()]);
    ran.says(0, &["report: "]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "markup of a name in the page");
}
