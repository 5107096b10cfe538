//! Somebody who has never played: from the first card to the last one, by what the screen says alone.

use super::terminal::{ENTER, PAGE_DOWN, PAGE_UP, Terminal};
use super::{LARGE, NARROW, farm, hash_of, program::Folder};

/// The key that the screen names before some words: the last one of its row, or of its half of a row.
#[track_caller]
fn key_of(screen: &str, what: &str) -> String {
    let row = screen.lines().find_map(|line| Some(line[..line.find(what)?].to_owned()));
    let row = row.unwrap_or_else(|| panic!("no `{what}` in\n{screen}"));
    let word = row.trim_end().rsplit([' ', '│']).next().unwrap_or_default().to_owned();
    match word.as_str() {
        "" => panic!("no key before `{what}` in\n{screen}"),
        "␣" | "space" => " ".to_owned(),
        "Enter" => ENTER.to_owned(),
        word => word.chars().last().map(String::from).unwrap_or_default(),
    }
}

#[test]
fn a_season_of_beans_is_played_by_what_the_screen_says() {
    let folder = Folder::new("first");
    let (moves, film, page) = (folder.file("moves.txt"), folder.file("film.gif"), folder.file("page.html"));
    let mut terminal = Terminal::start(NARROW, &["play", "clay_bean", "--seed", "3", "--record", &moves]);
    let card = terminal.shows(&[
        "You run a bean farm",
        "The episode lasts at most 250",
        "It ends earlier when",
        "Enter begins",
    ]);
    let (next, on, hint) = (key_of(&card, "next day"), key_of(&card, "5 days;"), key_of(&card, "hint of a policy"));
    assert_eq!((next.as_str(), on.as_str()), ("n", "N"));
    assert_eq!(hint, "y", "two keys stand there: h asks, y does it");
    // Below it stands what was understood of the game.
    terminal.press_and_see(PAGE_DOWN.repeat(4).as_str(), &["Plant-0 (bean", "pays: sales"]);
    terminal.press_and_see(PAGE_UP.repeat(9).as_str(), &["You run a bean farm", "Enter begins"]);
    terminal.press(ENTER);
    let screen = terminal.until("the card to go", |screen| !screen.contains("Enter begins"));
    assert!(screen.contains("day 0 of 250"), "{screen}");
    terminal.press_and_see(&next, &["day 1 of 250", ". 1 d"]);
    // A count, and what the days have brought.
    terminal.press_and_see("4", &["4 times"]);
    let screen = terminal.press_and_see(&next, &["day 5 of 250", ". 5 d: ", "Soil water", "4u goes back"]);
    assert!(!screen.contains("times:"), "{screen}");
    terminal.press_and_see("4u", &["day 1 of 250"]);
    terminal.press_and_see("I", &["You run a bean farm", "Enter begins"]);
    terminal.press(ENTER);
    terminal.until("the card to go", |screen| !screen.contains("Enter begins"));
    // On and on, until the beans can be harvested.
    let harvest = key_of(&terminal.screen(), "Harvest all plots");
    for _ in 0..40 {
        let before = terminal.screen();
        if before.contains(": ripe") || before.contains("Season over") {
            break;
        }
        terminal.press(&on);
        terminal.until("time to pass", |screen| screen != before);
    }
    let ripe = terminal.shows(&[": ripe"]);
    assert!(!ripe.contains("Season over"), "{ripe}");
    terminal.press(&harvest);
    let words = ["Season over", "Return ", "you ", "this world", "expert", "wait", "again", "new seed"];
    let end = terminal.shows(&[&words[..], &["film", "report", "undo"]].concat());
    assert!(["film", "report", "undo"].iter().all(|what| !key_of(&end, what).is_empty()), "{end}");
    terminal.until("the policies", |screen| !screen.contains("still playing"));
    let total: f64 = end.split("Return ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let run = farm(&["run", "clay_bean", "--policy", "expert", "--seed", "3", "--episodes", "1", "--json"]).json();
    let expert = format!("{:.2}", run["return"]["mean"].as_f64().unwrap());
    let screen = terminal.shows(&[&expert]);
    assert!(screen.contains(&format!("{total:.2}")), "{screen}");
    // A film and a report, to files that are typed in place of those proposed.
    terminal.press_and_see(&key_of(&end, "film"), &["Film to which file?", "clay_bean-3.gif"]);
    terminal.press_and_see(&format!("{film}{ENTER}"), &["film: "]);
    terminal.press_and_see(&key_of(&end, "report"), &["Report to which file?"]);
    terminal.press_and_see(&format!("{page}{ENTER}"), &["report: "]);
    assert!(std::fs::read(&film).unwrap().starts_with(b"GIF89a"));
    assert!(std::fs::read_to_string(&page).unwrap().contains("played by hand"));
    terminal.press("q");
    let (code, said) = terminal.ends();
    assert_eq!(code, 0, "{said}");
    // The recording names its game.
    let replayed =
        farm(&["replay", &moves, "--gif", &folder.file("again.gif"), "--report", &folder.file("again.html")]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert_eq!(hash_of(&said), hash_of(&replayed.stderr));
    assert!(replayed.stdout.is_empty(), "who wants a film is not shown the steps");
    assert_eq!(std::fs::read(folder.file("again.gif")).unwrap(), std::fs::read(&film).unwrap());
}

#[test]
fn a_valley_is_walked_by_what_the_screen_says() {
    let mut terminal = Terminal::start(NARROW, &["play", "backwards_valley", "--seed", "3"]);
    let card = terminal.shows(&["You are a farmer", "at most 40 steps", "walk; G walks to a place", "Enter begins"]);
    let (next, on) = (key_of(&card, "Wait"), key_of(&card, "5 steps;"));
    terminal.press(ENTER);
    let screen = terminal.until("the card to go", |screen| !screen.contains("Enter begins"));
    terminal.press_and_see(&key_of(&screen, "Go east"), &["step 1 of 40", "1 > Go east"]);
    // North of the upper border there is nothing.
    terminal.press_and_see(&key_of(&screen, "Go north"), &["step 2 of 40", "the way is blocked"]);
    // A step that is blocked ends what a count began.
    terminal.press_and_see("5d", &["step 3 of 40", "the way is blocked"]);
    terminal.press_and_see("4u", &["step 0 of 40"]);
    // To a place, over the cursor.
    terminal.press_and_see("G", &["where to?"]);
    terminal.press_and_see("\x1b[B\x1b[B", &["(0, 2)"]);
    terminal.press_and_see("G", &["step 2 of 40", "2 > Go south", "2u goes back"]);
    terminal.press(&on);
    terminal.until("time to pass", |screen| !screen.contains("step 2 of 40"));
    terminal.press(&format!("99{next}"));
    let end =
        terminal.shows(&["The episode is over: after 40 steps", "Return ", "you ", "this world", "undo", "new seed"]);
    terminal.press_and_see(&key_of(&end, "undo"), &["step 39 of 40"]);
    terminal.press_and_see(&next, &["The episode is over"]);
    terminal.press_and_see(&key_of(&end, "new seed"), &["step 0 of 40", "seed 4", "a new world"]);
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

/// A reward that is lost is not told in the colour of one that is earned.
#[test]
fn what_is_lost_has_another_colour_than_what_is_earned() {
    let mut terminal = Terminal::play(LARGE, &["play", "clay_bean", "--seed", "3"]);
    // Watering costs.
    terminal.press("w");
    let screen = terminal.press_and_see(ENTER, &["= -"]);
    let at = |line: &str| Some(line[..line.find("= -")?].chars().count());
    let (row, column) = screen.lines().enumerate().find_map(|(row, line)| Some((row, at(line)?))).unwrap();
    // Red, as the palette of 256 has it: the share of red exceeds that of green.
    let color = terminal.foreground(column as u16 + 2, row as u16);
    let vt100::Color::Idx(index) = color else { panic!("{color:?} at {column}, {row} of\n{screen}") };
    let (red, green) = ((index - 16) / 36, (index - 16) / 6 % 6);
    assert!(red > green, "colour {index} of the palette");
    terminal.press("q");
    terminal.ends();
}

/// Every character is plain, in every game.
#[test]
fn plain_letters_are_plain() {
    for entry in farm_games::CATALOGUE.iter().take(8) {
        for size in [NARROW, LARGE] {
            let mut terminal = Terminal::start(size, &["play", entry.name, "--ascii"]);
            let card = terminal.shows(&["Enter begins"]);
            terminal.press(ENTER);
            let screen = terminal.until("the card to go", |screen| !screen.contains("Enter begins"));
            let odd: Vec<char> = card.chars().chain(screen.chars()).filter(|c| !c.is_ascii()).collect();
            assert!(odd.is_empty(), "{}: {odd:?}\n{screen}", entry.name);
            terminal.press("q");
            assert_eq!(terminal.ends().0, 0);
        }
    }
}
