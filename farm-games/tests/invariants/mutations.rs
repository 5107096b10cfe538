//! Invariant 7: no configuration, however broken, makes the platform panic.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use farm_core::config::{Document, Problems};
use farm_core::spec::InteractionMode;
use farm_core::{Environment, Game};
use farm_games::catalogue::all_versions;
use farm_games::{CATALOGUE, Options, open};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::common::edited;
use crate::problems::open_text;

/// What takes the place of a scalar. Nothing here makes a field so large that memory is the limit.
const GARBAGE: [&str; 30] = [
    "~",
    "''",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "-1",
    "0",
    "3",
    "-0.5",
    "1e400",
    ".nan",
    "-.inf",
    "2147483648",
    "99999999999999999999",
    "true",
    "garbage",
    "'*'",
    "'(0, 1)'",
    "'(9, 0)'",
    "[0, 99]",
    "{a: 1}",
    "{base: clay}",
    "!tag x",
    "*alias",
    "\"",
    "%",
    "- x",
    "Field-0",
    "é\u{1F33D}",
];

/// One change of a text.
#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize),
    Duplicate(usize),
    Replace(usize, usize, usize),
    SwapIndent(usize, usize),
    SwapLines(usize, usize),
    Truncate(usize),
    Insert(usize, usize),
}

fn mutations() -> impl Strategy<Value = Mutation> {
    let at = || 0usize..1000;
    prop_oneof![
        1 => at().prop_map(Mutation::Delete),
        1 => at().prop_map(Mutation::Duplicate),
        4 => (at(), at(), at()).prop_map(|(line, word, with)| Mutation::Replace(line, word, with)),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::SwapIndent(a, b)),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::SwapLines(a, b)),
        1 => (0usize..20_000).prop_map(Mutation::Truncate),
        2 => (0usize..20_000, at()).prop_map(|(place, with)| Mutation::Insert(place, with)),
    ]
}

/// The byte ranges of the scalars of a line, keys included.
fn scalars(line: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (i, c) in line.char_indices().chain([(line.len(), ' ')]) {
        if c.is_whitespace() || "{}[],:".contains(c) {
            found.extend(start.take().map(|from| (from, i)));
        } else if start.is_none() {
            start = Some(i);
        }
    }
    found
}

fn split_indent(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start().len())
}

/// What is inserted: signs of YAML, line ends, and bytes that are no text.
const BYTES: [&[u8]; 16] = [
    b"\t",
    b"\r\n",
    b"\r",
    b"\n",
    b"\0",
    b"\xff",
    b"\xc2",
    b"\xef\xbb\xbf",
    b"[",
    b"}",
    b"\"",
    b"'",
    b": ",
    b"- ",
    b"#",
    b"\n---\n",
];

fn mutate(bytes: Vec<u8>, mutation: &Mutation) -> Vec<u8> {
    match *mutation {
        Mutation::Truncate(at) => bytes[..at % (bytes.len() + 1)].to_vec(),
        Mutation::Insert(at, with) => {
            let (before, after) = bytes.split_at(at % (bytes.len() + 1));
            [before, BYTES[with % BYTES.len()], after].concat()
        }
        _ => mutate_lines(&String::from_utf8_lossy(&bytes), mutation).into_bytes(),
    }
}

fn mutate_lines(text: &str, mutation: &Mutation) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let n = lines.len().max(1);
    match *mutation {
        _ if lines.is_empty() => {}
        Mutation::Delete(line) => drop(lines.remove(line % n)),
        Mutation::Duplicate(line) => lines.insert(line % n, lines[line % n].clone()),
        Mutation::Replace(line, word, with) => {
            let line = &mut lines[line % n];
            let places = scalars(line);
            if let Some((from, to)) = places.get(word % places.len().max(1)) {
                line.replace_range(from..to, GARBAGE[with % GARBAGE.len()]);
            }
        }
        Mutation::SwapIndent(a, b) => {
            let (a, b) = (a % n, b % n);
            let (first, second) = (lines[a].clone(), lines[b].clone());
            let ((indent_a, rest_a), (indent_b, rest_b)) = (split_indent(&first), split_indent(&second));
            lines[a] = format!("{indent_b}{rest_a}");
            lines[b] = format!("{indent_a}{rest_b}");
        }
        Mutation::SwapLines(a, b) => lines.swap(a % n, b % n),
        // These are changes of bytes.
        Mutation::Truncate(_) | Mutation::Insert(..) => {}
    }
    lines.join("\n") + "\n"
}

/// Every problem has a place, and that is inside the file it names.
fn assert_placed(problems: &Problems, files: &[(String, Vec<u8>)]) {
    for problem in &problems.0 {
        let location = problem.location.as_ref().unwrap_or_else(|| panic!("no place: {problem}"));
        let Some((line, column)) = location.position else { continue };
        let file = files.iter().find(|(name, _)| *name == location.source).map(|(_, content)| content.as_slice());
        // A game may begin from one of the catalogue.
        let base = || all_versions().find(|entry| location.source == format!("{}.yaml", entry.name));
        let content = file.or_else(|| base().map(|entry| entry.yaml.as_bytes()));
        let text = String::from_utf8_lossy(content.unwrap_or_else(|| panic!("a line of no file: {problem}")));
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        // YAML ends lines at a carriage return alone as well; the end of the text is a place, too.
        let lines: Vec<&str> =
            text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r')).collect();
        assert!((1..=lines.len()).contains(&line), "line {line} of {}: {problem}", lines.len());
        let length = lines[line - 1].chars().count();
        assert!((1..=length + 1).contains(&column), "column {column} of {length}: {problem}");
    }
}

/// Opens a text; a game that comes of it is played, for it must not panic later either.
fn open_and_play(text: &[u8]) {
    let (source, opened) = open_text(text);
    play(opened, &[(source, text.to_vec())]);
}

fn play(opened: Result<Game, Problems>, files: &[(String, Vec<u8>)]) {
    match opened {
        Err(problems) => {
            assert!(problems.has_errors(), "a refusal has a reason");
            assert_placed(&problems, files);
        }
        Ok(game) => {
            assert_placed(game.warnings(), files);
            let mut environment = Environment::new(Arc::new(game));
            let game = environment.game().clone();
            for id in 0..8 {
                let text = environment.game().observation().to_text(environment.observation());
                // Where looking costs, this sign stands for what was not asked for.
                let may_ask = game.spec().interaction_mode() == InteractionMode::Aomdp;
                let is_named = game.observation().entries().iter().any(|e| e.key().contains('?'));
                assert!(!text.contains('?') || may_ask || is_named, "{text}");
                drop((environment.observation_json(), environment.effect_mask(), environment.info().to_json()));
                // Also the step after the end of an episode must not panic.
                drop(environment.step(id * 7 % game.catalogue().discrete_len()));
            }
            for name in game.spec().policies().keys() {
                if let Ok(mut player) = game.player(name) {
                    let mut schedule = Vec::new();
                    player.start(1);
                    player.choose(&game, environment.state(), &mut schedule);
                }
            }
        }
    }
}

/// Texts of these characters, at most so many.
fn short_texts(characters: impl Iterator<Item = char>, longest: usize) -> impl Strategy<Value = String> {
    let characters = prop::sample::select(characters.collect::<Vec<char>>());
    prop::collection::vec(characters, 0..=longest).prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(Config { cases: 500, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Config::default() })]

    #[test]
    fn invariant_7_mutated_games_never_panic(game in 0..CATALOGUE.len(), changes in prop::collection::vec(mutations(), 1..4)) {
        let yaml = CATALOGUE[game].yaml.as_bytes().to_vec();
        let text = changes.iter().fold(yaml, mutate);
        let outcome = catch_unwind(AssertUnwindSafe(|| open_and_play(&text)));
        let shown = String::from_utf8_lossy(&text);
        prop_assert!(outcome.is_ok(), "this text of {} panics:\n{shown}", CATALOGUE[game].name);
    }

    #[test]
    fn invariant_7_any_text_at_all_never_panics(text in short_texts((' '..='~').chain(['\n']), 60), path in short_texts(('a'..='z').chain('A'..='Z').chain('0'..='9').chain("_.#-".chars()), 20)) {
        let document = Document::parse("any.yaml", &text);
        if let Ok(document) = document {
            drop(document.resolve(&path));
            prop_assert!(farm_core::spec::load_document(&document).is_err(), "no short text is a game");
        }
        drop(open(&path, &Options::default()));
        let set = vec![(path, text)];
        drop(open("clay_bean-v0", &Options { preset: None, set, ..Default::default() }));
    }
}

/// A game of the reference's format: its name, and its files with their bytes.
type ReferenceGame = (String, Vec<(String, Vec<u8>)>);

/// The games in the format of the Farm-gym reference, each with the files beside it.
fn reference_games() -> &'static [ReferenceGame] {
    static GAMES: OnceLock<Vec<ReferenceGame>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let folder =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../farm-reference-format/tests/data/reference_format");
        let entries = fs::read_dir(&folder).expect("the games").map(|entry| entry.expect("a file"));
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().expect("a name")).collect();
        names.sort();
        let is_part = |name: &str| ["_actions.yaml", "_init.yaml", "_score.yaml"].iter().any(|end| name.ends_with(end));
        let games = names.iter().filter(|name| !is_part(name)).map(|game| {
            let stem = game.trim_end_matches(".yaml");
            let of_game = names.iter().filter(|name| *name == game || is_part(name) && name.starts_with(stem));
            let files = of_game.map(|name| (name.clone(), fs::read(folder.join(name)).expect("a file")));
            (game.clone(), files.collect())
        });
        games.collect()
    })
}

/// Writes the files of a game into a folder of their own, opens the game and plays it.
fn open_and_play_files(game: &str, files: &[(String, Vec<u8>)]) {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let name = format!("mutations_{}_{}", std::process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let written: Vec<(String, Vec<u8>)> = files
        .iter()
        .map(|(name, content)| {
            let path = folder.join(name);
            fs::write(&path, content).expect("a file");
            (path.display().to_string(), content.clone())
        })
        .collect();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        play(open(&folder.join(game).display().to_string(), &Options::default()), &written);
    }));
    // The files go whatever comes of them.
    fs::remove_dir_all(&folder).expect("the folder");
    outcome.unwrap_or_else(|panic| resume_unwind(panic));
}

proptest! {
    #![proptest_config(Config { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(2), ..Config::default() })]

    #[test]
    fn invariant_7_mutated_files_of_the_reference_format_never_panic(
        game in 0usize..1000,
        changes in prop::collection::vec((0usize..1000, mutations()), 1..4),
    ) {
        let games = reference_games();
        let (game, files) = &games[game % games.len()];
        let mut files = files.clone();
        for (file, change) in &changes {
            let n = files.len();
            let content = &mut files[file % n].1;
            *content = mutate(std::mem::take(content), change);
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| open_and_play_files(game, &files)));
        prop_assert!(outcome.is_ok(), "these changes of {game} panic: {changes:?}");
    }
}

#[test]
fn the_games_of_the_reference_format_are_mutated_with_their_files() {
    let games: Vec<(&str, usize)> =
        reference_games().iter().map(|(game, files)| (game.as_str(), files.len())).collect();
    assert!(games.contains(&("everything.yaml", 4)) && games.contains(&("minimal.yaml", 1)), "{games:?}");
}

/// Values that a type check alone lets through.
#[test]
fn invariant_7_values_at_the_edge_are_refused_or_play() {
    let edits: [(&str, &str, &str); 16] = [
        ("clay_bean-v0", "stage: seed", "stage: (0, 200)"),
        ("clay_bean-v0", "stage: seed", "stage: 255"),
        ("clay_bean-v0", "stage: seed", "stage: []"),
        ("clay_bean-v0", "population#nb: 1", "population#nb: [0, 100]"),
        ("clay_bean-v0", "day#int365: [110, 120, 130]", "day#int365: (0, 364)"),
        ("clay_bean-v0", "of: [harvested, dead, none], operator: '>='", "of: [], operator: '>='"),
        ("clay_bean-v0", "operator: '>=', ref_value: 1}", "operator: in, ref_value: []}"),
        (
            "clay_bean-v0",
            "function: value, operator: '>=', ref_value: 330",
            "function: value, operator: in, ref_value: []",
        ),
        ("clay_bean-v0", "amount#L: [1, 2, 3, 5, 10, 20]", "amount#L: []"),
        ("clay_bean-v0", "max_action_schedule_size: 1", "max_action_schedule_size: 0"),
        ("clay_bean-v0", "  - BasicFarmer: {max_daily_interventions: 1}", "  []"),
        ("backwards_valley", "    entities:\n", "    entities: []\n    other:\n"),
        ("backwards_valley", "  Field-0:\n", "  !tag Field-0:\n"),
        ("backwards_valley", "stages: [Hostile, Neutral, Friendly]", "stages: []"),
        ("backwards_valley", "statuses: [none, Seed,", "statuses: [Seed,"),
        ("backwards_valley", "max_steps: 40", "max_steps: 1000000000"),
    ];
    let mut panics = Vec::new();
    for (game, from, to) in edits {
        let text = edited(game, &[(from, to)]);
        if catch_unwind(AssertUnwindSafe(|| open_and_play(text.as_bytes()))).is_err() {
            panics.push(format!("{game}: `{from}` → `{to}`"));
        }
    }
    // A game without a field.
    for fields in ["fields: {}\n", "fields:\n", "fields: []\n", "fields: {1: {}}\n"] {
        let yaml = CATALOGUE[0].yaml;
        let (head, rest) = yaml.split_once("fields:\n").expect("the fields");
        let (_, tail) = rest.split_once("\nfarmers:").expect("the farmers");
        let text = format!("{head}{fields}\nfarmers:{tail}");
        if catch_unwind(AssertUnwindSafe(|| open_and_play(text.as_bytes()))).is_err() {
            panics.push(format!("`{}`", fields.trim()));
        }
    }
    assert!(panics.is_empty(), "these panic:\n{}", panics.join("\n"));
}
