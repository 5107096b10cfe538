//! Making broken games, opening them as a reader's files are opened, and comparing what is said with what was accepted.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use farm_core::config::{Problem, Problems};
use farm_games::{Options, document, open};

/// A small game that is right.
pub(crate) const BASE: &str = include_str!("../../error-examples/garden.yaml");

/// A broken game, and how it is opened.
pub(crate) struct Case {
    name: &'static str,
    /// What is wrong, for the reader of the accepted texts.
    slip: String,
    files: Vec<(&'static str, Vec<u8>)>,
    opened: &'static str,
    options: Options,
}

/// The base game with pieces replaced, each of which must stand there exactly once.
pub(crate) fn slip(name: &'static str, edits: &[(&str, &str)]) -> Case {
    let text = edits.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{name}: `{from}` must stand in the base exactly once");
        text.replace(from, to)
    });
    Case { slip: changed_lines(&text), ..file(name, "", text) }
}

/// A game file with this content.
pub(crate) fn file(name: &'static str, slip: &str, content: impl Into<Vec<u8>>) -> Case {
    let slip = if slip.is_empty() { String::new() } else { format!("({slip})\n") };
    Case { name, slip, files: vec![("game.yaml", content.into())], opened: "game.yaml", options: Options::default() }
}

impl Case {
    /// Adds a file beside the game.
    pub(crate) fn with(mut self, name: &'static str, content: impl Into<Vec<u8>>) -> Self {
        let content = content.into();
        writeln!(self.slip, "({name}:)\n{}", String::from_utf8_lossy(&content).trim_end()).expect("a text");
        self.files.push((name, content));
        self
    }

    /// Opens another path than the game's.
    pub(crate) fn opening(mut self, path: &'static str) -> Self {
        writeln!(self.slip, "(opened: {path})").expect("a text");
        self.opened = path;
        self
    }

    /// Changes a value as `--set` does.
    pub(crate) fn setting(mut self, path: &str, value: &str) -> Self {
        writeln!(self.slip, "(--set {path}={value})").expect("a text");
        self.options.set.push((path.to_owned(), value.to_owned()));
        self
    }

    /// Opens a preset, or several.
    pub(crate) fn preset(mut self, preset: &str) -> Self {
        writeln!(self.slip, "(--preset {preset})").expect("a text");
        self.options.preset = Some(preset.to_owned());
        self
    }

    /// What is said about the game, with the folder left out of all paths.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let folder = folder();
        for (name, content) in &self.files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, content).expect("a file");
        }
        let problems = said(&folder.join(self.opened).display().to_string(), &self.options);
        fs::remove_dir_all(&folder).expect("the folder");
        let prefix = format!("{}/", folder.display());
        let plain = |text: String| text.replace(&prefix, "");
        let plain = |mut problem: Problem| {
            problem.message = plain(problem.message);
            problem.value = problem.value.map(plain);
            problem.help = problem.help.map(|help| plain(help.to_string()).into());
            problem.location = problem.location.map(|mut at| {
                at.source = plain(at.source);
                at
            });
            problem
        };
        problems.0.into_iter().map(plain).collect()
    }

    /// The slip, and what is said about it, each problem with the line it points at.
    fn text(&self, problems: &[Problem]) -> String {
        let mut text = format!("## {}\n\n{}", self.name, self.slip);
        for problem in problems {
            writeln!(text, "\n{problem}").expect("a text");
            text.push_str(&pointed_at(problem).unwrap_or_default());
        }
        if problems.is_empty() {
            text.push_str("\nnothing is wrong\n");
        }
        text
    }
}

/// The line that a problem points at, with signs below what is marked in it.
fn pointed_at(problem: &Problem) -> Option<String> {
    let excerpt = problem.location.as_ref()?.excerpt()?;
    let shown: String = excerpt.line().chars().take(140).collect();
    let before = excerpt.line()[..excerpt.marked().start].chars().count();
    let marks = "^".repeat(excerpt.marked_text().chars().count().clamp(1, 140));
    Some(format!("  | {shown}\n  | {}{marks}\n", " ".repeat(before)))
}

/// An empty folder of this test's own.
pub(crate) fn folder() -> PathBuf {
    // Tests run side by side, also in two processes at once.
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let name = format!("diagnostics_{}_{}", std::process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// All that is said about a game and its policies: errors, or else the warnings.
pub(crate) fn said(path: &str, options: &Options) -> Problems {
    let game = match open(path, options) {
        Ok(game) => game,
        Err(problems) => return problems,
    };
    let mut problems = game.warnings().clone();
    let document = document(path).expect("the game has been opened");
    for policy in game.spec().policies().keys() {
        if let Err(found) = game.player(policy) {
            problems.0.extend(document.locate(found).0);
        }
    }
    problems
}

/// The lines in which a text differs from the base.
fn changed_lines(text: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (BASE.lines().collect(), text.lines().collect());
    let (mut i, mut j, mut shown) = (0, 0, String::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // The nearest lines that are alike again.
        let reach = 0..old.len() + new.len() - i - j + 1;
        let pairs = reach.flat_map(|sum| (0..=sum).map(move |a| (a, sum - a)));
        let alike = |(a, b): &(usize, usize)| match (old.get(i + a), new.get(j + b)) {
            (Some(x), Some(y)) => x == y && !x.is_empty(),
            (None, None) => i + a == old.len() && j + b == new.len(),
            _ => false,
        };
        let (a, b) = pairs.into_iter().find(alike).expect("both texts end");
        old[i..i + a].iter().for_each(|line| writeln!(shown, "- {line}").expect("a text"));
        new[j..j + b].iter().for_each(|line| writeln!(shown, "+ {line}").expect("a text"));
        (i, j) = (i + a, j + b);
    }
    shown
}

/// Compares what is said about the cases of a topic with what was accepted.
pub(crate) fn check(topic: &str, cases: Vec<Case>) {
    let problems: Vec<Vec<Problem>> = cases.iter().map(Case::problems).collect();
    let texts: Vec<String> = cases.iter().zip(&problems).map(|(case, problems)| case.text(problems)).collect();
    let said = texts.join("\n");
    insta::with_settings!({ snapshot_path => "expected", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(topic, said);
    });
    cases.iter().zip(&problems).for_each(|(case, problems)| assert_tells_all(case, problems));
}

/// What must be true of every problem, whatever its words.
fn assert_tells_all(case: &Case, problems: &[Problem]) {
    for problem in problems {
        let location = problem.location.as_ref();
        assert!(location.is_some(), "{}: no place: {problem}", case.name);
        let way_out = problem.expected.is_some() || problem.nearest.is_some() || problem.help.is_some();
        assert!(way_out, "{}: no way out: {problem}", case.name);
        assert!(!problem.message.ends_with('.'), "{}: {problem}", case.name);
    }
    assert!(!problems.is_empty() || case.name.ends_with("(must load)"), "{}: nothing is said", case.name);
    assert!(problems.is_empty() || !case.name.ends_with("(must load)"), "{}: {problems:?}", case.name);
}
