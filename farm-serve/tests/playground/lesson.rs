//! A lesson in a real browser: once by keyboard alone, once by touch alone, and the teacher's sheet.

use super::browser::Browser;
use super::{Served, assert_clean, keep};

const ENTER: &str = "\u{E007}";

const GAMES: [&str; 1] = ["clay_bean"];

#[test]
fn a_lesson_is_played_by_keyboard_alone() {
    let Some(browser) = Browser::open(1400, 900, false) else { return };
    let served = Served::of(&GAMES);
    browser.go(&served.url("/#lesson=look-and-wait"));
    browser.until("#lesson-title", "The beans come up");
    browser.until("#lesson-checks", "You have not watered");
    browser.press(ENTER);
    browser.until("#day", "day 0");
    browser.until("#lesson-line", "Task 1 of 5");
    browser.press("5n");
    browser.until("#to-card", "Task done");
    keep(&browser, "lesson-play-1400");
    assert_clean(&browser, "a lesson's season");
    browser.run("document.getElementById('to-card').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#lesson-checks", "(day 5)");
    browser.run("document.getElementById('lesson-title').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#lesson-title", "Rain does the work");
    browser.press("\u{E00C}");
    browser.until("#day", "day 5");
    browser.press("15n");
    browser.until("#day", "day 20");
    browser.until("#to-card", "Task done");
    browser.run("document.getElementById('to-card').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#lesson-asks", "113 of 120");
    // A wrong answer leads no further; a right one is explained.
    browser.run("document.getElementById('lesson-title').focus(); return 1;");
    browser.press("a");
    browser.until("#lesson-told", "Not quite");
    browser.press(ENTER);
    browser.until("#notice", "Answer the question");
    browser.press("b");
    browser.until("#lesson-told", "Right. The soil holds 120 mm.");
    keep(&browser, "lesson-1400");
    assert_clean(&browser, "a card");
    browser.press(ENTER);
    browser.until("#lesson-title", "The soil dries");
    browser.press(ENTER);
    // Time stops for other news before that.
    while !browser.text("#to-card").contains("Task done") {
        let day = browser.text("#day");
        browser.press("N");
        browser.until_gone("#day", &day);
        browser.until("#money", "€");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    browser.until("#to-card", "Task done");
    browser.run("document.getElementById('to-card').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#lesson-asks", "47 mm");
    browser.run("document.getElementById('lesson-title').focus(); return 1;");
    browser.press("a");
    browser.press(ENTER);
    browser.until("#lesson-title", "Water where it is dry");
    browser.press(ENTER);
    browser.press("dw4");
    browser.run("document.activeElement.blur(); return 1;");
    browser.press(ENTER);
    browser.until("#to-card", "Task done");
    browser.run("document.getElementById('to-card').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#lesson-next", "Next task");
    browser.run("document.getElementById('lesson-title').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#lesson-title", "Harvest");
    // Another game leaves the lesson.
    browser.go(&served.url("/#game=clay_bean&seed=9"));
    browser.until("#begin", "Start");
    browser.until_gone("#lesson-line", "Task");
    // A return opens the card that started the season.
    browser.go(&served.url("/#lesson=look-and-wait"));
    browser.until("#lesson-title", "The beans come up");
}

#[test]
fn a_lesson_is_played_by_touch_in_french_and_has_a_sheet_to_print() {
    let Some(browser) = Browser::open(400, 850, true) else { return };
    let served = Served::of(&GAMES);
    browser.go(&served.url("/"));
    browser.until("#card-title", "Clay bean");
    browser.click("#language");
    browser.click("#to-games");
    browser.until("#lesson-links", "Regarder et attendre, 20 min");
    keep(&browser, "lesson-list-400-dark");
    assert_clean(&browser, "the list of lessons");
    browser.click("#lesson-links a:nth-child(2)");
    browser.until("#lesson-title", "Combien de temps");
    browser.until("#lesson-checks", "moins de 80 mm");
    keep(&browser, "lesson-card-400-dark");
    assert_clean(&browser, "a card on a phone");
    browser.click("#lesson-play");
    browser.until("#day", "jour 12");
    for day in 13..=21 {
        browser.click("#one-day");
        browser.until("#day", &format!("jour {day}"));
    }
    browser.until("#to-card", "Tâche faite");
    keep(&browser, "lesson-play-400-dark");
    browser.click("#to-card");
    browser.until("#lesson-asks", "33 mm");
    browser.click("#lesson-answers button:nth-child(3)");
    browser.until("#lesson-told", "Juste.");
    browser.click("#lesson-next");
    browser.until("#lesson-title", "La dernière eau");
    browser.click("#to-sheet");
    browser.until("#sheet-cards", "3 300 litres ✓");
    keep(&browser, "lesson-sheet-400-dark");
    assert_clean(&browser, "the teacher's sheet");
    browser.click("#sheet-back");
    browser.until("#lesson-title", "La dernière eau");
}
