//! A player who has never seen the screen: what it says is enough to let days pass, and no key does nothing without a word.

use farm_games::catalogue::Family;

use super::terminal::{ENTER, Terminal};
use super::{LARGE, NARROW, program};

/// Games in which nobody walks, with one action a day and with several.
const FARMS: [&[&str]; 5] =
    [&["clay_bean-v0"], &["farm0-v0"], &["full_farm-v0"], &["farm1-v0"], &["clay_bean-v0", "--preset", "4x3"]];

/// How many steps have passed, by the bar above.
fn steps(screen: &str) -> u32 {
    let bar = screen.lines().next().unwrap_or_default();
    let mut words = bar.split_whitespace().skip_while(|word| !matches!(*word, "day" | "step")).skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no day in {bar}"))
}

/// The first line of the panel of actions, without its border.
fn first_action(screen: &str) -> String {
    let titles = ["╭ Actions ", "╭ Planned for this step "];
    let at = |line: &str| titles.iter().find_map(|title| line.find(title)).map(|at| line[..at].chars().count());
    let mut lines = screen.lines();
    let column = lines.find_map(at).unwrap_or_else(|| panic!("no actions in\n{screen}"));
    let line: String = lines.next().unwrap_or_default().chars().skip(column + 1).collect();
    line.split('│').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn a_first_time_player_lets_a_day_pass_by_what_the_screen_says() {
    // Where looking costs, the first half of a day is for that: `where_looking_costs_a_day_has_two_halves`.
    let others = farm_games::CATALOGUE.iter().filter(|entry| entry.family != Family::Looking);
    let others = others.map(|entry| vec![entry.name]);
    let games = FARMS.iter().map(|game| (true, game.to_vec())).chain(others.map(|game| (false, game)));
    for (is_farm, game) in games {
        for size in [NARROW, LARGE] {
            let mut terminal = Terminal::play(size, &[&["play"], &game[..]].concat());
            let screen = terminal.shows(&["q leave", "n next"]);
            assert_eq!(steps(&screen), 0);
            let said = first_action(&screen);
            assert!(said.starts_with("␣ n  next ") || said.starts_with("␣ n  Wait"), "{game:?}: {said}\n{screen}");
            // The keys that this line names.
            for (i, key) in [" ", "n", " "].into_iter().enumerate() {
                terminal.press(key);
                // Where somebody walks, a day may have several steps.
                if is_farm {
                    terminal.until("the next day", |screen| steps(screen) == i as u32 + 1);
                }
            }
            terminal.press("q");
            let (code, said) = terminal.ends();
            assert!(code == 0 && said.contains("3 steps, return"), "{game:?}: {said}");
        }
    }
}

#[test]
fn whoever_presses_y_thirty_times_gets_on() {
    for game in [&["full_farm-v0"][..], &["farm1-v0"], &["clay_bean-v0", "--preset", "4x3"], &["clay_bean-v0"]] {
        let mut terminal = Terminal::play(NARROW, &[&["play"], game].concat());
        terminal.shows(&["q leave"]);
        terminal.press_and_see("h", &["Hint, "]);
        for _ in 0..30 {
            let before = terminal.screen();
            terminal.press("y");
            terminal.until("something to happen", |screen| screen != before);
        }
        // A day is planned with one key, and played with the next one.
        let screen = terminal.until("fifteen days", |screen| steps(screen) >= 15 || screen.contains("the end"));
        assert!(screen.contains("Hint, ") || screen.contains("the end"), "{game:?}\n{screen}");
        terminal.press("q");
        assert_eq!(terminal.ends().0, 0);
    }
}

#[test]
fn a_hint_that_is_planned_says_so() {
    let folder = program::Folder::new("planned");
    let policy = "policies={waters: {WaterPolicy: {amount#L: 3, below#L: 1000}}}";
    let mut terminal = Terminal::play(
        LARGE,
        &["play", "clay_bean-v0", "--preset", "4x3", "--set", policy, "--record", &folder.file("moves.txt")],
    );
    terminal.shows(&["q leave", "␣ n  next day"]);
    terminal.press_and_see("h", &["Hint, waters: Irrigate", "y plans it"]);
    terminal.press_and_see("y", &["planned, n plays it", "␣ n  do it: next day"]);
    terminal.press_and_see("y", &["day 1 of 250", "> Irrigate", "y plans it"]);
    terminal.press_and_see("y", &["planned, n plays it"]);
    terminal.press_and_see("n", &["day 2 of 250"]);
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn a_key_without_a_meaning_says_so() {
    let mut terminal = Terminal::play(NARROW, &["play", "clay_bean-v0"]);
    terminal.shows(&["q leave"]);
    for key in ["z", ";", "\x1b[15~"] {
        terminal.press_and_see(key, &["no such key here; ? shows all"]);
        terminal.press_and_see("]", &["q leave"]);
        terminal.until("the message to go", |screen| !screen.contains("no such key"));
    }
    terminal.press_and_see("\t", &["there is no other field"]);
    terminal.press_and_see("l", &["Looking around"]);
    terminal.press_and_see("z", &["no such key here"]);
    terminal.press(ENTER);
    terminal.until("the looking to end", |screen| !screen.contains("Looking around"));
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

/// The smallest window shows the first keys and how to leave.
#[test]
fn where_there_is_little_room_the_keys_that_matter_are_left() {
    let mut terminal = Terminal::play((64, 20), &["play", "clay_bean-v0"]);
    let screen = terminal.shows(&["␣ n  next day", "n next", "? help", "q leave"]);
    assert!(screen.lines().all(|line| line.chars().count() <= 64), "{screen}");
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

/// Names of a game may hold characters that a terminal obeys.
#[test]
fn the_screen_obeys_no_text_of_a_game() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inputs/esc1.yaml");
    let mut terminal = Terminal::play(NARROW, &["play", game]);
    terminal.shows(&["q leave", "pwned title"]);
    terminal.press("q");
    let bytes = terminal.bytes();
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains('\u{202e}') && !text.contains("\u{1b}]0;") && !text.contains('\u{9b}'), "{text:?}");
    assert_eq!(terminal.ends().0, 0);
}
