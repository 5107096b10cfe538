//! Accepted screens: `INSTA_UPDATE=always cargo test --workspace --test play golden` writes them anew, to be looked at.

use std::collections::BTreeSet;

use super::NARROW;
use super::terminal::{ENTER, Terminal};

const TALL: (u16, u16) = (120, 36);

fn trimmed(screen: &str) -> String {
    screen.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_card_at_the_start_is_as_accepted() {
    for (name, game) in [("start_of_a_farm", "clay_bean"), ("start_of_a_valley", "backwards_valley")] {
        let mut terminal = Terminal::start(NARROW, &["play", game, "--seed", "3"]);
        insta::assert_snapshot!(name, trimmed(&terminal.shows(&["Enter begins", "q leave"])));
        terminal.press("q");
        assert_eq!(terminal.ends().0, 0);
    }
}

#[test]
fn screens_after_some_steps_are_as_accepted() {
    let games: [(&str, &[&str], &str, &str); 4] = [
        ("beans_after_ten_days", &["clay_bean"], "10n", "day 10 of"),
        ("plots_after_ten_days", &["clay_bean", "--preset", "4x3"], "10n", "day 10 of"),
        ("a_valley_after_three_steps", &["backwards_valley"], "dsd", "step 3 of"),
        ("a_valley_in_plain_letters", &["valley_farm", "--ascii"], "dsd", "step 3 of"),
    ];
    for (name, game, keys, words) in games {
        let arguments = [&["play"], game, &["--seed", "3"]].concat();
        // Without colours every tile is shown by its sign.
        let mut terminal = Terminal::start_with(TALL, &arguments, &[("NO_COLOR", "1")]).ready();
        terminal.press(keys);
        insta::assert_snapshot!(name, trimmed(&terminal.shows(&[words, "q leave"])));
        terminal.press("q");
        assert_eq!(terminal.ends().0, 0);
    }
}

#[test]
fn labels_and_keys_are_french_for_a_french_reader() {
    for (name, game, keys, words) in [
        ("haricots_apres_dix_jours", "clay_bean", "10n", "jour 10 sur"),
        ("vallee_apres_trois_pas", "backwards_valley", "dsd", "pas 3 sur"),
    ] {
        let arguments = ["play", game, "--seed", "3", "--lang", "fr"];
        let mut terminal = Terminal::start_with(TALL, &arguments, &[("NO_COLOR", "1")]);
        terminal.shows(&["La partie dure au plus", "Entrée commence", "q quitter"]);
        terminal.press(ENTER);
        terminal.until("the card to go", |screen| !screen.contains("Entrée commence"));
        terminal.press(keys);
        insta::assert_snapshot!(name, trimmed(&terminal.shows(&[words, "q quitter"])));
        terminal.press("q");
        assert_eq!(terminal.ends().0, 0);
    }
}

#[test]
fn the_card_at_the_end_of_a_season_is_as_accepted() {
    let arguments = ["play", "clay_bean", "--seed", "3"];
    let mut terminal = Terminal::start_with(NARROW, &arguments, &[("NO_COLOR", "1")]).ready();
    terminal.press_and_see("h", &["Hint, "]);
    // As the first policy would have it, day by day.
    for day in 1..=250 {
        terminal.press("y");
        let screen = terminal.until("a day to pass", |screen| {
            screen.contains(&format!("day {day} of")) || screen.contains("Season over")
        });
        if screen.contains("Season over") {
            break;
        }
    }
    let card = terminal.until("the policies", |screen| screen.contains("Return ") && !screen.contains("still playing"));
    assert!(card.contains(" kg harvested") && !card.contains(": 0 kg"), "{card}");
    insta::assert_snapshot!("end_of_a_season", trimmed(&card));
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}

#[test]
fn a_large_tile_shows_its_sprites_in_their_colours() {
    let mut terminal = Terminal::start(NARROW, &["play", "clay_bean", "--seed", "3"]);
    terminal.shows(&["Enter begins"]);
    terminal.press(ENTER);
    let colors = |terminal: &Terminal| -> BTreeSet<String> {
        (2..15)
            .flat_map(|row| (10..34).map(move |column| (column, row)))
            .map(|(column, row)| format!("{:?}", terminal.background(column, row)))
            .collect()
    };
    let screen = terminal.until("the card to go", |screen| !screen.contains("Enter begins"));
    assert!(screen.matches('▀').count() > 200, "{screen}");
    assert!(colors(&terminal).len() > 3, "soil and seeds differ: {:?}", colors(&terminal));
    terminal.press("q");
    assert_eq!(terminal.ends().0, 0);
}
