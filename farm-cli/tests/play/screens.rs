//! What stands on the screen: of every game, in every size, with colours and without, and never what a learner does not see.

use std::collections::BTreeSet;

use super::terminal::{DOWN, ENTER, LEFT, Terminal, UP};
use super::{LARGE, NARROW};

#[test]
fn every_game_has_a_screen_of_the_size_of_the_terminal() {
    for entry in farm_games::CATALOGUE {
        for (columns, rows) in [NARROW, LARGE] {
            let mut terminal = Terminal::play((columns, rows), &["play", entry.name]);
            let screen = terminal.shows(&[entry.name, "Log", "In view", "q leave"]);
            assert_eq!(screen.lines().count(), usize::from(rows), "{screen}");
            let widest = screen.lines().map(|line| line.chars().count()).max().unwrap();
            assert_eq!(widest, usize::from(columns), "{}: a sign wider than its place?\n{screen}", entry.name);
            // Borders are whole: what is wider than it says would move them.
            let borders = |line: &&str| line.starts_with('│');
            for line in screen.lines().filter(borders) {
                assert!(line.ends_with('│') || line.ends_with('╯') || line.ends_with('╮'), "{}:\n{screen}", entry.name);
            }
            terminal.press_and_see("?", &["menu of actions", "choose the policy"]);
            terminal.press("q");
            terminal.until("the help to close", |screen| !screen.contains("choose the policy"));
            terminal.press("q");
            assert_eq!(terminal.ends().0, 0);
        }
    }
}

/// Named in a review from outside: lines had up to 276 columns, whatever the terminal.
#[test]
fn descriptions_lists_and_help_are_as_wide_as_the_terminal() {
    for arguments in [&["describe", "Soil"][..], &["describe", "game"], &["list"], &["eval", "--help"]] {
        let piped = super::farm(arguments).stdout;
        assert!(piped.lines().any(|line| line.chars().count() > 100), "{arguments:?} has long lines");
        for (columns, rows) in [NARROW, (100, 24)] {
            let printed = Terminal::start((columns, rows), arguments).printed();
            let widest = printed.lines().max_by_key(|line| line.trim_end().chars().count()).unwrap();
            assert!(widest.trim_end().chars().count() <= usize::from(columns), "{arguments:?}: {widest}");
            let letters = |text: &str| {
                let mut letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
                letters.sort_unstable();
                letters
            };
            // Nothing is lost. Long kinds of parameters are cut on terminals.
            assert!(printed.contains('…') || letters(&printed) == letters(&piped), "{arguments:?}:\n{printed}");
        }
    }
}

#[test]
fn the_screen_follows_the_size_of_the_window() {
    let mut terminal = Terminal::play(NARROW, &["play", "walking_farmer-v0", "--seed", "2"]);
    terminal.shows(&["walking_farmer-v0", "Actions"]);
    terminal.resize(LARGE);
    terminal.shows(&["Branches", "Looked at"]);
    terminal.resize((40, 10));
    let small = terminal.shows(&["too small: 40 × 10", "64 × 20"]);
    assert!(!small.contains("Actions"), "{small}");
    // A key does in a small window what it does in a large one.
    let before = terminal.bytes().len();
    terminal.press("d");
    // Of a key and a new size at once, what reads the terminal may hold back the key until the next one.
    terminal.until("a new picture", |_| terminal.bytes().len() > before);
    terminal.resize(NARROW);
    terminal.shows(&["1 > Go east", "Actions"]);
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

/// Whether a program has set a colour: the parameters 30–49 and 90–107 of `ESC [ … m`, resets (39, 49) left out.
fn sets_colors(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.split("\x1b[").skip(1).any(|rest| {
        let Some((parameters, _)) =
            rest.split_once('m').filter(|(p, _)| p.chars().all(|c| c.is_ascii_digit() || c == ';'))
        else {
            return false;
        };
        let mut numbers = parameters.split(';').filter_map(|number| number.parse::<u32>().ok());
        numbers.any(|n| matches!(n, 30..=38 | 40..=48 | 90..=107))
    })
}

#[test]
fn without_colours_signs_tell_everything_apart() {
    let play = ["play", "backwards_valley", "--seed", "3", "--omniscient"];
    let mut colored = Terminal::play(NARROW, &play);
    let screen = colored.shows(&["Farmer", "Actions", "q leave"]);
    assert!(sets_colors(&colored.bytes()));
    let has_background = |column| (0..24).any(|row| colored.background(column, row) != vt100::Color::Default);
    assert!((2..40).any(has_background), "the ground has its colour");
    colored.press("q");
    colored.ends();
    for variables in [&[("NO_COLOR", "1")][..], &[("TERM", "dumb")], &[("TERM", "xterm-mono")]] {
        let mut plain = Terminal::start_with(NARROW, &play, variables).ready();
        let without = plain.shows(&["Farmer", "Actions", "q leave"]);
        assert_eq!(without, screen, "the signs are the same");
        assert!(!sets_colors(&plain.bytes()), "{variables:?}");
        plain.press("q");
        assert_eq!(plain.ends().0, 0);
    }
    let mut ascii = Terminal::play(NARROW, &[&play[..], &["--ascii"]].concat());
    let screen = ascii.shows(&["Farmer", "Actions", "+-", "q leave"]);
    let odd: BTreeSet<char> = screen.chars().filter(|c| !c.is_ascii()).collect();
    assert!(odd.is_empty(), "{odd:?}\n{screen}");
    ascii.press("q");
    ascii.ends();
}

/// The map's panel without its borders.
fn map_of(screen: &str) -> Vec<String> {
    let lines = screen.lines().skip(2).take_while(|line| line.starts_with('│'));
    lines.map(|line| line.chars().skip(1).take_while(|c| *c != '│').collect()).collect()
}

#[test]
fn what_a_learner_does_not_see_is_shown_to_the_omniscient_alone() {
    // A window of 5 × 5 on a map of 10 × 10, in a game that tells where the farmer is.
    let mut seen = Terminal::play(LARGE, &["play", "backwards_valley", "--seed", "3"]);
    let learner = map_of(&seen.shows(&["Actions", "Farmer", "q leave"]));
    let mut everything = Terminal::play(LARGE, &["play", "backwards_valley", "--seed", "3", "--omniscient"]);
    let all = map_of(&everything.shows(&["Actions", "omniscient", "q leave"]));
    let signs = |map: &[String]| map.iter().flat_map(|line| line.chars()).filter(|c| !" ·░".contains(*c)).count();
    assert!(learner.iter().any(|line| line.contains('░')), "{learner:#?}");
    assert!(all.iter().all(|line| !line.contains('░')), "{all:#?}");
    assert!(signs(&learner) < signs(&all), "{learner:#?}\n{all:#?}");
    // What stands on the learner's map stands on the other one at the same place.
    for (line, whole) in learner.iter().zip(&all) {
        for (sign, true_sign) in line.chars().zip(whole.chars()).filter(|(sign, _)| *sign != '░') {
            assert_eq!(sign, true_sign, "{learner:#?}\n{all:#?}");
        }
    }
    for terminal in [&mut seen, &mut everything] {
        terminal.press("q");
    }
    // A game that does not tell where the farmer is: the window is all there is, and no coordinates.
    let mut seen = Terminal::play(LARGE, &["play", "valley_farm", "--seed", "3"]);
    let screen = seen.shows(&["the farmer's own tile", "Relationships", "q leave"]);
    assert!(!screen.contains("(7, 7)") && !screen.contains('░'), "{screen}");
    seen.press("q");
    // A game that shows little of its soil.
    let seen = Terminal::play(LARGE, &["play", "clay_bean-v0"]);
    let screen = seen.shows(&["Looked at", "Soil water", "q leave"]);
    assert!(!screen.contains("Soil life") && !screen.contains("Cloud cover"), "{screen}");
    let everything = Terminal::play(LARGE, &["play", "clay_bean-v0", "--omniscient"]);
    everything.shows(&["Soil life", "Cloud cover"]);
    for mut terminal in [seen, everything] {
        terminal.press("q");
        assert_eq!(terminal.ends().0, 0);
    }
}

#[test]
fn the_log_tells_why_to_the_omniscient() {
    let folder = super::Folder::new("why");
    let file = folder.file("wait.txt");
    // Beans that nobody waters suffer, and die of age.
    std::fs::write(&file, "[]\n".repeat(76)).unwrap();
    let mut terminal = Terminal::start(LARGE, &["play", "clay_bean-v0", "--seed", "0", "--actions", &file]);
    // A player sees that they die, but no observation says of what.
    let screen = terminal.shows(&["→ dead", "the end"]);
    assert!(!screen.contains("death") && !screen.contains("limited"), "{screen}");
    terminal.press("q");
    terminal.ends();
    let play = ["play", "clay_bean-v0", "--seed", "0", "--actions", &file, "--omniscient"];
    let mut terminal = Terminal::start(LARGE, &play);
    let screen = terminal.shows(&["death: too old", "growth limited by: drought", "the end"]);
    assert!(screen.contains("the end: Field-0.Plant-0.stage is harvested"), "{screen}");
    terminal.press("q");
    terminal.ends();
}

#[test]
fn what_would_be_refused_is_marked_with_the_reason() {
    let mut terminal = Terminal::play(LARGE, &["play", "walking_farmer-v0", "--seed", "2"]);
    terminal.shows(&["Refill", "Actions"]);
    // Far away from the farmer nothing can be done.
    terminal.press_and_see("m", &["In which field?"]);
    terminal.press_and_see(&format!("{DOWN}{ENTER}"), &["With what?", "Soil"]);
    terminal.press_and_see(ENTER, &["Now (3, 3)"]);
    let screen = terminal.press_and_see(&format!("{}{}", LEFT.repeat(3), UP.repeat(3)), &["Now (0, 0)", "here: "]);
    let reason = screen.split("here: ").nth(1).unwrap().lines().next().unwrap().trim().to_owned();
    terminal.press_and_see(ENTER, &[&reason]);
    terminal.press("\x03");
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn a_large_field_scrolls_with_the_cursor() {
    let large = ["--set", "fields.Field-0.shape.length#nb=100", "--set", "fields.Field-0.shape.width#nb=100"];
    let mut terminal = Terminal::play(NARROW, &[&["play", "clay_bean-v0"], &large[..]].concat());
    terminal.shows(&["x 0–20 of 100", "(0, 0)"]);
    terminal.press_and_see(&"\x1b[C".repeat(60), &["x 50–70 of 100", "(60, 0)"]);
    terminal.press_and_see(&"\x1b[B".repeat(99), &["y 87–99 of 100", "(60, 99)"]);
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn the_screen_in_the_documentation_is_true() {
    let mut terminal = Terminal::play(NARROW, &["play", "backwards_valley", "--seed", "3", "--omniscient"]);
    terminal.shows(&["q leave"]);
    terminal.press_and_see("h", &["Hint, informed"]);
    for step in ["step 1 ", "step 2 ", "step 3 "] {
        terminal.press_and_see("y", &[step]);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/play.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (_, rest) = page.split_once("```text,screen\n").unwrap();
    let (written, _) = rest.split_once("```").unwrap();
    let trimmed = |screen: &str| -> String { screen.lines().map(|line| format!("{}\n", line.trim_end())).collect() };
    let how = "the page's screen; if it is meant to be another, take this one into docs/play.md";
    terminal.until(how, |screen| trimmed(screen) == written);
    terminal.press("q");
    terminal.ends();
}
