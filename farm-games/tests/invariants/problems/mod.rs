//! Invariant 7: every problem of a configuration is reported, with its place, its value and the way out.

mod grid;
mod parts;
mod rules;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use farm_core::Game;
use farm_core::config::{Document, Problem, Problems, nearest};
use farm_games::{Options, open};

use crate::common::edited;

/// Opens a game from a file with this text, as a reader's own file is opened; the file's name stands in every message.
pub(crate) fn open_text(text: impl AsRef<[u8]>) -> (String, Result<Game, Problems>) {
    // Tests run side by side, also in two processes at once.
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("invariants_{}_{}.yaml", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text.as_ref()).expect("a temporary file");
    let source = path.display().to_string();
    let outcome = catch_unwind(AssertUnwindSafe(|| open(&source, &Options::default())));
    // The file goes whatever comes of it.
    std::fs::remove_file(&path).expect("the temporary file");
    (source, outcome.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// A problem that must be reported.
struct Expected {
    path: &'static str,
    message: &'static str,
    /// A piece of the broken text that begins where the problem is to be shown, or has `»` there.
    at: &'static str,
    nearest: Option<&'static str>,
}

const fn expect(path: &'static str, message: &'static str, at: &'static str) -> Expected {
    Expected { path, message, at, nearest: None }
}

impl Expected {
    const fn near(self, name: &'static str) -> Self {
        Self { nearest: Some(name), ..self }
    }
}

/// A broken game and all that must be said about it.
struct Case {
    name: &'static str,
    game: &'static str,
    edits: &'static [(&'static str, &'static str)],
    /// Whether more than the expected problems may follow from the mistake.
    more: bool,
    expected: Vec<Expected>,
}

/// Line and column of the only place where a piece of text stands; of the sign `»` in it, if it has one.
fn position(text: &str, piece: &str) -> (usize, usize) {
    let (before, after) = piece.split_once('»').unwrap_or(("", piece));
    let piece = &format!("{before}{after}");
    let start = text.find(piece).unwrap_or_else(|| panic!("`{piece}` is not in the text"));
    assert!(text[start + 1..].find(piece).is_none(), "`{piece}` is there twice");
    let before = &text[..start + before.len()];
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

fn problems_of(game: &str, options: &Options) -> Problems {
    match open(game, options) {
        Ok(game) => panic!("{} opens, though it is broken", game.spec().name()),
        Err(problems) => problems,
    }
}

/// The problems of a broken text, with the name of its file.
fn refused(text: &str) -> (String, Problems) {
    match open_text(text) {
        (_, Ok(game)) => panic!("{} opens, though it is broken", game.spec().name()),
        (source, Err(problems)) => (source, problems),
    }
}

const C: &str = "clay_bean-v0";
const B: &str = "backwards_valley";

fn all_cases() -> [Vec<Case>; 4] {
    [parts::entity_cases(), parts::structure_cases(), rules::rule_cases(), grid::grid_cases()]
}

/// All cases, each opened: the broken text, the name of its file, and what was said.
fn opened() -> Vec<(Case, String, String, Problems)> {
    let cases = all_cases();
    let opened = cases.into_iter().flatten().filter_map(|case| {
        let text = edited(case.game, case.edits);
        let (source, outcome) = open_text(&text);
        Some((case, text, source, outcome.err()?))
    });
    opened.collect()
}

/// Whether a problem is the expected one, as far as path and message tell.
fn is_meant(expected: &Expected, problem: &Problem) -> bool {
    problem.path.to_string() == expected.path && problem.message.contains(expected.message)
}

#[test]
fn invariant_7_broken_games_are_refused() {
    let refused: Vec<&str> = opened().iter().map(|(case, ..)| case.name).collect();
    let cases = all_cases();
    let all: Vec<&str> = cases.iter().flatten().map(|case| case.name).collect();
    assert!(all.len() >= 30, "{}", all.len());
    let accepted: Vec<&&str> = all.iter().filter(|name| !refused.contains(name)).collect();
    assert!(accepted.is_empty(), "these open, though they are broken: {accepted:?}");
}

#[test]
fn invariant_7_every_problem_of_a_broken_game_is_reported_at_its_place() {
    let mut defects = Vec::new();
    for (case, text, source, problems) in opened() {
        for expected in &case.expected {
            let Some(problem) = problems.0.iter().find(|problem| is_meant(expected, problem)) else {
                defects.push(format!(
                    "{}: `{}` at `{}` is not reported, but\n{problems}",
                    case.name, expected.message, expected.path
                ));
                continue;
            };
            let location = problem.location.as_ref();
            let place = location.and_then(|location| location.position);
            let wanted = position(&text, expected.at);
            if place != Some(wanted) || location.is_none_or(|location| location.source != source) {
                defects.push(format!("{}: expected at {wanted:?}: {problem}", case.name));
            }
            if expected.nearest.is_some() && problem.nearest.as_deref() != expected.nearest {
                defects
                    .push(format!("{}: expected `{:?}` as the nearest name: {problem}", case.name, expected.nearest));
            }
            let shown = problem.to_string();
            if !shown.contains(&problem.message) || !shown.contains(expected.path) {
                defects.push(format!("{}: message and path are shown: {shown}", case.name));
            }
        }
        if !case.more && problems.0.len() != case.expected.len() {
            let all: Vec<String> = problems.0.iter().map(|p| format!("  {}: {}", p.path, p.message)).collect();
            defects.push(format!(
                "{}: {} problems expected, found\n{}",
                case.name,
                case.expected.len(),
                all.join("\n")
            ));
        }
    }
    assert!(defects.is_empty(), "{} defects:\n{}", defects.len(), defects.join("\n\n"));
}

/// A problem says what was found, what would have been right, and what to do.
#[test]
fn invariant_7_every_problem_shows_the_value_and_a_way_out() {
    let mut defects = Vec::new();
    for (case, .., problems) in opened() {
        for problem in &problems.0 {
            // What is missing has no value; a name or a number in the message shows the value as well.
            let missing = problem.message.contains("missing") || problem.message.contains("needs at least");
            let shown = problem.message.contains(|c: char| c == '`' || c.is_ascii_digit());
            let names_it = missing || shown || problem.value.is_some();
            let way_out = problem.expected.is_some() || problem.nearest.is_some() || problem.help.is_some();
            if !names_it {
                defects.push(format!("{}: no value: {problem}", case.name));
            }
            if !way_out {
                defects.push(format!("{}: no way out: {problem}", case.name));
            }
        }
    }
    defects.sort();
    assert!(defects.is_empty(), "{} defects:\n{}", defects.len(), defects.join("\n\n"));
}

#[test]
fn invariant_7_a_missing_provider_names_role_needer_and_candidates() {
    let text = edited(C, &[("      - Weather: montpellier\n", "")]);
    let problems = refused(&text).1;
    let wanted = |p: &&Problem| p.message.contains("Field-0.Plant-0") && p.message.contains("`relative_humidity`");
    let problem = problems.0.iter().find(wanted).unwrap_or_else(|| panic!("{problems}"));
    assert!(problem.message.starts_with("add `Weather` to the field: "), "{problem}");
    assert!(problem.expected.as_deref().is_some_and(|text| text.contains("Mean relative humidity")), "{problem}");
    let two = edited(C, &[("- Weather: montpellier", "- Weather: montpellier\n      - Weather")]);
    let problems = refused(&two).1;
    let several = problems.0.iter().find(|p| p.message.contains("several")).unwrap_or_else(|| panic!("{problems}"));
    let names = ["Field-0.Weather-0", "Field-0.Weather-1"];
    assert!(several.value.as_deref().is_some_and(|value| names.iter().all(|name| value.contains(name))), "{several}");
}

#[test]
fn invariant_7_a_text_that_is_no_game_is_refused_with_its_place() {
    for (name, text, line) in [
        ("syntax", "name: [1\nfields: 2\n", Some(2)),
        ("twice", "name: a\ndoc: b\nname: c\n", None),
        ("empty", "", None),
        ("list", "- 1\n- 2\n", None),
        ("word", "hello\n", None),
        ("tabs", "name: a\nfields:\n\tField-0: 1\n", Some(3)),
        ("deep", &"[".repeat(5000), None),
    ] {
        let (path, problems) = refused(text);
        let location = problems.0[0].location.as_ref().unwrap_or_else(|| panic!("{name}: {problems}"));
        assert_eq!(location.source, path, "{name}");
        let found = location.position.map(|(line, _)| line);
        // An empty text has no line to show.
        assert!(text.is_empty() || found.is_some() && (line.is_none() || line == found), "{name}: {problems}");
        assert!(problems.0[0].help.is_some(), "{name}: {problems}");
    }
}

#[test]
fn invariant_7_unknown_games_files_and_presets_show_the_nearest_name() {
    let problems = problems_of("clay_baen", &Options::default());
    assert_eq!(problems.0[0].nearest.as_deref(), Some("clay_bean"), "{problems}");
    assert!(problems.0[0].help.is_some(), "{problems}");
    let problems = problems_of("./no/such/file.yaml", &Options::default());
    assert!(problems.0[0].message.contains("can't be read") && problems.0[0].help.is_some(), "{problems}");
    let problems = problems_of(C, &Options { preset: Some("4x4".into()), ..Options::default() });
    assert_eq!(problems.0[0].nearest.as_deref(), Some("4x3"), "{problems}");
    assert!(problems.0[0].message.contains("no preset `4x4`"), "{problems}");
    let problems = problems_of(B, &Options { preset: Some("".into()), ..Options::default() });
    assert!(problems.0[0].expected.as_deref().is_some_and(|names| names.contains("scattered")), "{problems}");
}

fn set(path: &str, value: &str) -> Options {
    Options { set: vec![(path.to_owned(), value.to_owned())], ..Options::default() }
}

#[test]
fn invariant_7_a_problem_of_a_setting_names_the_setting_instead_of_a_line() {
    for (path, value, message) in [
        ("Field-0.Soil-0.depth#m", "100", "out of range"),
        ("Field-0.Soil-0.dephth#m", "1", "unknown parameter"),
        ("rules.BasicRule.max_steps", "many", "found a string"),
        ("Field-0.Soil-0.depth#m", "[1", "is not YAML"),
    ] {
        let problems = problems_of(C, &set(path, value));
        assert_eq!(problems.0.len(), 1, "{problems}");
        assert!(problems.0[0].message.contains(message), "{problems}");
        let source = problems.0[0].location.as_ref().map(|location| location.source.clone());
        assert_eq!(source, Some(format!("--set {path}={value}")), "{problems}");
    }
}

/// A setting that goes nowhere is a slip of the reader, and must not be lost.
#[test]
fn invariant_7_a_setting_that_leads_nowhere_is_refused() {
    let paths = [
        "Field-0.Soli-0.depth#m",
        "fields.Field-0.entities.9.Soil.depth#m",
        "farmers.5.BasicFarmer.x",
        "farmer.0.x",
        "",
    ];
    let taken: Vec<&str> = paths.into_iter().filter(|path| open(C, &set(path, "1")).is_ok()).collect();
    assert!(taken.is_empty(), "these settings do nothing and are not refused: {taken:?}");
}

/// The commonest slips: two letters swapped, one missing, one too many, one wrong.
#[test]
fn invariant_7_the_nearest_name_forgives_one_slip_in_short_names() {
    let names = ["ground", "field", "pen", "house", "fence", "outside"];
    let slips =
        [("pne", "pen"), ("epn", "pen"), ("penn", "pen"), ("pan", "pen"), ("fild", "field"), ("huose", "house")];
    let missed: Vec<&str> =
        slips.iter().filter(|(slip, name)| nearest(slip, &names) != Some(name)).map(|(slip, _)| *slip).collect();
    assert!(missed.is_empty(), "no name, or the wrong one, is suggested for {missed:?}");
}

#[test]
fn invariant_7_a_policy_looks_only_at_what_is_observed() {
    let text = edited(
        C,
        &[
            (
                "- {state_variable: [Field-0, Soil-0, available_Water#L], operator: '<', ref_value: 140}",
                "- {state_variable: [Field-0, Soil-0, microlife_health_index#%], operator: '<', ref_value: 140}",
            ),
            (
                "[Field-0, Plant-0, stage], operator: '==', ref_value: ripe}",
                "[Field-0, Plant-0, stage], operator: '==', ref_value: rype}",
            ),
            (
                "action: water_discrete, parameters: {plot: here, amount#L: 10}",
                "action: water_discrete, parameters: {plot: here, amount#L: 11}",
            ),
        ],
    );
    let (path, game) = open_text(&text);
    let game = game.unwrap_or_else(|problems| panic!("{problems}"));
    let Err(problems) = game.player("expert") else { panic!("this policy peeps") };
    let problems = Document::parse(&path, &text).unwrap_or_else(|problems| panic!("{problems}")).locate(problems);
    let rules = "policies.expert.TriggerPolicy.rules";
    for expected in [
        expect("[0].when[0][0].ref_value", "`rype` is not a value", "ref_value: »rype").near("ripe"),
        expect(
            "[1].when[0][0].state_variable",
            "`Field-0.Soil-0.microlife_health_index#%` is not observed in this game",
            "state_variable: »[Field-0, Soil-0, micro",
        ),
        expect("[1].act.parameters.amount#L", "does not allow this value of `amount#L`", "amount#L: »11"),
    ] {
        let path = format!("{rules}{}", expected.path);
        let found = problems.0.iter().find(|p| p.path.to_string() == path && p.message.contains(expected.message));
        let problem = found.unwrap_or_else(|| panic!("{path}: {problems}"));
        assert_eq!(problem.location.as_ref().and_then(|l| l.position), Some(position(&text, expected.at)), "{problem}");
        assert!(expected.nearest.is_none() || problem.nearest.as_deref() == expected.nearest, "{problem}");
        assert!(problem.expected.is_some() || problem.help.is_some(), "{problem}");
    }
    assert_eq!(problems.0.len(), 3, "{problems}");
    let Err(problems) = game.player("expret") else { panic!("there is no such policy") };
    assert_eq!(problems.0[0].nearest.as_deref(), Some("expert"), "{problems}");
}
