//! Terminal play through a pseudo-terminal: keys in, screen out.
#![cfg(unix)]

mod days;
mod exam;
mod first_time;
mod golden;
mod screens;
mod terminal;
mod trouble;

use super::program;

use program::{Folder, farm};
use terminal::{DOWN, ENTER, ESCAPE, LEFT, RIGHT, Terminal, UP};

/// The usual size of a terminal, in columns and rows.
pub(crate) const NARROW: (u16, u16) = (80, 24);
/// A large window.
pub(crate) const LARGE: (u16, u16) = (200, 50);

/// The hash of the last state that a program tells.
fn hash_of(said: &str) -> String {
    let start = said.rfind("final state ").unwrap_or_else(|| panic!("no hash in {said}")) + "final state ".len();
    said[start..].chars().take_while(char::is_ascii_hexdigit).collect()
}

/// What `farm replay` makes of a recording.
fn replayed(game: &[&str], seed: &str, file: &str) -> program::Ran {
    let ran = farm(&[&["replay"], game, &["--seed", seed, "--actions", file]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

fn lines_of(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn grid_games_are_played_undone_branched_and_recorded_by_keys() {
    let games = [
        ("backwards_valley", ["MoveE", "MoveS", "Insult"], "Insult", "i"),
        ("valley_farm", ["MoveEast", "MoveSouth", "GiveGift"], "Give a gift", "g"),
    ];
    for (game, recorded, other, key) in games {
        for size in [NARROW, LARGE] {
            let folder = Folder::new(game);
            let file = folder.file("moves.txt");
            let mut terminal = Terminal::play(size, &["play", game, "--seed", "7", "--record", &file]);
            terminal.shows(&[game, "step 0", "seed 7", "Go north", other, "Wait", "return 0", "rec"]);
            terminal.press_and_see(RIGHT, &["step 1 ", "1 > Go east"]);
            terminal.press_and_see("s", &["step 2 ", "2 > Go south"]);
            terminal.press_and_see(key, &["step 3 ", &format!("3 > {other}")]);
            terminal.press_and_see("u", &["step 2 "]);
            terminal.press_and_see("r", &["step 3 ", &format!("3 > {other}")]);
            terminal.press_and_see("u", &["step 2 "]);
            terminal.press_and_see(" ", &["step 3 ", "3 > Wait"]);
            // A name for this place, then back to the other branch.
            terminal.press_and_see("B", &["name of this place"]);
            terminal.press_and_see(&format!("camp{ENTER}"), &["step 3 "]);
            terminal.press_and_see("b", &["where to?", "\"camp\"", "leaves this one after step 2", other]);
            // The marked line is the player's own; the other one stands before it.
            terminal.press_and_see(&format!("{}{ENTER}", UP), &[&format!("3 > {other}")]);
            terminal.press_and_see("h", &["Hint, informed: "]);
            terminal.press_and_see("p", &["Which policy?", "oracle (sees hidden variables)"]);
            terminal.press_and_see(DOWN, &["Which policy?"]);
            terminal.press_and_see(ENTER, &["Hint, "]);
            terminal.press_and_see("y", &["step 4 "]);
            terminal.press("q");
            let (code, said) = terminal.ends();
            assert_eq!(code, 0, "{said}");
            let moves = lines_of(&file);
            assert_eq!(moves.len(), 4, "{moves:?}");
            assert_eq!(moves[..3], recorded);
            assert_eq!(hash_of(&said), hash_of(&replayed(&[game], "7", &file).stderr));
        }
    }
}

#[test]
fn whoever_follows_a_policys_hints_plays_as_it_does() {
    let game = "backwards_valley";
    let folder = Folder::new("hints");
    let file = folder.file("moves.txt");
    let mut terminal = Terminal::play(NARROW, &["play", game, "--seed", "3", "--record", &file]);
    terminal.press_and_see("h", &["Hint, informed: "]);
    for step in 1..=40 {
        terminal.press_and_see("y", &[&format!("step {step} ")]);
    }
    let screen = terminal.shows(&["the end"]);
    // After the end there is no hint, and no step.
    terminal.press_and_see("y", &["y follows it"]);
    terminal.press_and_see(" ", &["the episode is over"]);
    terminal.press("q");
    let (_, said) = terminal.ends();
    let run = farm(&["run", game, "--policy", "informed", "--seed", "3", "--episodes", "1", "--json"]).json();
    let total = run["return"]["mean"].as_f64().unwrap();
    assert!(total > 0.0 && screen.contains(&format!("return {total} ")), "{total}:\n{screen}");
    assert_eq!(hash_of(&said), hash_of(&replayed(&[game], "3", &file).stderr));
}

#[test]
fn a_day_of_a_farm_is_planned_in_the_menu_with_parameters() {
    let game = ["clay_bean-v0", "--preset", "4x3"];
    for size in [NARROW, LARGE] {
        let folder = Folder::new("farm");
        let file = folder.file("days.txt");
        let arguments = [&["play"], &game[..], &["--seed", "1", "--record", &file]].concat();
        let mut terminal = Terminal::play(size, &arguments);
        terminal.shows(&["clay_bean-v0", "day 0 of 250", "Planned for this step", "0 of 4", "Forecast", "Rain"]);
        terminal.press_and_see("m", &["With what?", "Soil", "Plants"]);
        // The only action of the soil leads to its first parameter: the plot, on the map.
        terminal.press_and_see(ENTER, &["Now (0, 0)"]);
        terminal.press_and_see(&format!("{RIGHT}{RIGHT}{DOWN}"), &["Now (2, 1)"]);
        terminal.press_and_see(ENTER, &["Amount", "mm"]);
        terminal.press_and_see(&format!("{DOWN}{DOWN}{ENTER}"), &["1 of 4, costs 0.02", "Irrigate: (2, 1), 3 mm"]);
        // The same once more is refused, another is not.
        terminal.press_and_see("w", &["Now (2, 1)"]);
        terminal.press_and_see(ENTER, &["Amount", "Amount of water"]);
        terminal.press_and_see(&format!("{DOWN}{DOWN}{ENTER}"), &["this is planned already"]);
        terminal.press_and_see("a", &["2 of 4", "2. Harvest all plots"]);
        terminal.press_and_see("x", &["1 of 4", "removed: Harvest all plots"]);
        terminal.press_and_see("n", &["day 1 of 250", "0 of 4", "1 > Irrigate"]);
        terminal.press_and_see("n", &["day 2 of 250"]);
        // A day that is undone is not recorded.
        terminal.press_and_see("n", &["day 3 of 250"]);
        terminal.press_and_see("u", &["day 2 of 250"]);
        terminal.press("q");
        let (code, said) = terminal.ends();
        assert_eq!(code, 0, "{said}");
        assert_eq!(lines_of(&file), ["water_discrete(plot=(2, 1), amount#L=3.0, duration#min=60.0)", "[]"]);
        assert_eq!(hash_of(&said), hash_of(&replayed(&game, "1", &file).stderr));
    }
}

#[test]
fn where_looking_costs_a_day_has_two_halves() {
    let game = ["clay_bean-v0", "--set", "interaction_mode=aomdp"];
    for size in [NARROW, LARGE] {
        let folder = Folder::new("looking");
        let file = folder.file("days.txt");
        let mut terminal = Terminal::play(size, &[&["play"], &game[..], &["--seed", "1", "--record", &file]].concat());
        let before = terminal.shows(&["First half: observing", "observe…"]);
        assert!(!before.contains("Cloud cover  "), "what was not asked for is not shown:\n{before}");
        // The farm's own parts can be looked at, too.
        terminal.press_and_see("m", &["In which field?", "Farm", "Field"]);
        terminal.press_and_see(&format!("{DOWN}{ENTER}"), &["With what?", "Weather"]);
        terminal.press_and_see(ENTER, &["Observe what?", "Year"]);
        // The first answer that begins with a letter.
        terminal.press_and_see("cc", &["Observe what?"]);
        terminal.press_and_see(ENTER, &["1. Observe"]);
        let after = terminal.press_and_see("n", &["day 0 of 250", "Planned for this step"]);
        assert!(after.contains("Harvest"), "{after}");
        terminal.press_and_see("n", &["day 1 of 250", "First half: observing"]);
        terminal.press("q");
        let (code, said) = terminal.ends();
        assert_eq!(code, 0, "{said}");
        let days = lines_of(&file);
        assert!(days.len() == 2 && days[0].starts_with("observe c") && days[1] == "[]", "{days:?}");
        assert_eq!(hash_of(&said), hash_of(&replayed(&game, "1", &file).stderr));
    }
}

#[test]
fn a_file_is_gone_on_from_and_its_slips_are_told_before_the_screen_opens() {
    let folder = Folder::new("from");
    let (first, second) = (folder.file("first.txt"), folder.file("second.txt"));
    std::fs::write(&first, "MoveE\nMoveE\nWait\n").unwrap();
    let mut terminal =
        Terminal::start(NARROW, &["play", "backwards_valley", "--seed", "5", "--actions", &first, "--record", &second]);
    terminal.shows(&["step 3 ", "2 > Go east", "3 > Wait"]);
    terminal.press_and_see("u", &["step 2 "]);
    terminal.press_and_see("w", &["step 3 ", "3 > Go north"]);
    terminal.press("\x03");
    let (code, said) = terminal.ends();
    assert_eq!(code, 0, "{said}");
    assert_eq!(lines_of(&second), ["MoveE", "MoveE", "MoveN"]);
    assert_eq!(hash_of(&said), hash_of(&replayed(&["backwards_valley"], "5", &second).stderr));
    std::fs::write(&first, "MoveE\nMoveX\n").unwrap();
    let terminal = Terminal::start(NARROW, &["play", "backwards_valley", "--actions", &first]);
    let (code, said) = terminal.ends();
    assert!(code == 1 && said.contains("first.txt:2:1") && said.contains("MoveX"), "{said}");
    let too_many = "Wait\n".repeat(41);
    std::fs::write(&first, too_many).unwrap();
    let terminal = Terminal::start(NARROW, &["play", "backwards_valley", "--actions", &first]);
    let (code, said) = terminal.ends();
    assert!(code == 1 && said.contains("the episode ended at line 40"), "{said}");
}

#[test]
fn a_file_is_watched_paused_and_stepped_through() {
    let folder = Folder::new("watch");
    let file = folder.file("moves.txt");
    std::fs::write(&file, "MoveEast\nMoveSouth\nWait\nMoveWest\n").unwrap();
    let plain = replayed(&["valley_farm"], "7", &file);
    let arguments = ["replay", "valley_farm", "--seed", "7", "--actions", &file, "--watch", "--fps", "20"];
    for size in [NARROW, LARGE] {
        let mut terminal = Terminal::start(size, &arguments);
        terminal.shows(&["Watching", "paused", "step 4 of 4", "4 > Go west"]);
        terminal.press_and_see(LEFT, &["step 3 of 4", "3 > Wait"]);
        terminal.press_and_see(LEFT, &["step 2 of 4", "2 > Go south"]);
        terminal.press_and_see(RIGHT, &["step 3 of 4"]);
        terminal.press_and_see("-", &["13.3333 steps/s"]);
        terminal.press_and_see("\x1b[H", &["step 0 of 4"]);
        terminal.press_and_see(" ", &["step 4 of 4"]);
        terminal.press_and_see("?", &["faster, slower"]);
        terminal.press(ESCAPE);
        terminal.until("the help to close", |screen| !screen.contains("faster, slower") || screen.contains("Watching"));
        terminal.press("\x03");
        let (code, said) = terminal.ends();
        assert_eq!(code, 0, "{said}");
        assert_eq!(hash_of(&said), hash_of(&plain.stderr));
    }
    farm(&[&arguments[..], &["--trace", "x.jsonl"]].concat()).says(2, &["--trace", "--watch"]);
}
