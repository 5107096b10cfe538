//! A class in real browsers: pupils join and play, and the teacher watches, pauses and compares.

use serde_json::json;

use super::browser::Browser;
use super::{Served, assert_clean, keep};

const ENTER: &str = "\u{E007}";

/// Joins the class, from its address.
fn join(browser: &Browser, address: &str, nickname: &str) {
    browser.go(address);
    browser.until("#join", "Join");
    browser.click("#nickname");
    browser.press(nickname);
    browser.press(ENTER);
    browser.until("#card-title", "Clay bean");
}

#[test]
fn a_class_is_joined_played_paused_and_compared() {
    let Some(teacher) = Browser::open(1400, 900, false) else { return };
    let Some(pupil) = Browser::open(400, 850, false) else { return };
    let (served, address) = Served::of_class(&["clay_bean", "full_farm_4x3"], "browser");
    teacher.go(&address.teacher);
    teacher.until("#pupil-count", "No pupil yet");
    teacher.until("#class-now", "Not started: Clay bean, 4x3, seed 0");
    assert!(address.pupils.ends_with(teacher.text("#class-address").split('/').next_back().unwrap()));
    pupil.go(&address.pupils);
    pupil.until("#join", "Join");
    keep(&pupil, "class-join-400");
    assert_clean(&pupil, "joining");
    // A name that is markup is refused with the reason, and a right one is taken.
    pupil.click("#nickname");
    pupil.press("<b>");
    pupil.press(ENTER);
    pupil.until("#join-problem", "can't contain");
    // The refusal is on the console of the browser.
    pupil.console();
    pupil.run("document.getElementById('nickname').value = ''; return 1;");
    join(&pupil, &address.pupils, "Robin");
    pupil.until("#of-class", "Wait for the teacher");
    keep(&pupil, "class-card-400");
    assert_clean(&pupil, "a pupil's card");
    pupil.click("#begin");
    pupil.until("#day", "day 0");
    pupil.click("#one-day");
    pupil.until("#notice", "teacher has not started");
    pupil.console();
    teacher.until("#pupils", "Robin");
    teacher.click("#class-buttons button");
    teacher.until("#class-now", "Running");
    pupil.until_gone("#of-class", "Wait");
    pupil.click("#one-day");
    pupil.until("#day", "day 1");
    pupil.click("#pick-all");
    pupil.click("#confirm");
    pupil.until("#day", "day 4");
    teacher.until("#pupils", "−€");
    keep(&pupil, "class-play-400");
    // A second visit shows the same season, and asks for no name.
    pupil.go(&address.pupils);
    pupil.until("#day", "day 4");
    // Undo goes back on the server as well.
    pupil.click("#back");
    pupil.until("#day", "day 3");
    assert_clean(&pupil, "a pupil's farm");
    // A second pupil, on another machine.
    let Some(other) = Browser::open(1400, 900, true) else { return };
    join(&other, &address.pupils, "Fennel");
    other.click("#begin");
    other.until("#day", "day 0");
    other.press("365n");
    other.until("#earned", "€");
    other.until("#losses", "Show");
    keep(&other, "class-end-1400-dark");
    assert_clean(&other, "a pupil's end");
    teacher.until("#pupils", "finished");
    teacher.click("#pupils tr:nth-child(1) input");
    teacher.click("#pupils tr:nth-child(2) input");
    teacher.until("#compared-title", "Fennel and Robin");
    assert_eq!(
        teacher.run("return document.querySelectorAll('#class-chart path[stroke-dasharray=\"6 4\"]').length > 0;"),
        json!(true)
    );
    keep(&teacher, "class-1400");
    assert_clean(&teacher, "the teacher's page");
    teacher.click("#language");
    teacher.until("#class-now", "En cours");
    teacher.click("#language");
    // A pause reaches the pupils, and the next season opens by itself.
    teacher.click("#class-buttons button");
    pupil.until("#of-class", "paused");
    teacher.run("const seed = document.getElementById('class-seed'); seed.value = 7; document.getElementById('class-days').value = 30; return 1;");
    teacher.click("#class-set");
    teacher.until("#class-set", "Press once more");
    teacher.click("#class-set");
    teacher.until("#class-now", "seed 7, 30 days");
    pupil.until("#card-facts", "30 days");
    pupil.until("#of-class", "Wait");
    // A pupil who is removed has to join again.
    teacher.click("#pupils tr:nth-child(1) button");
    teacher.click("#pupils tr:nth-child(1) button");
    pupil.until("#join", "Join");
    drop(served);
    other.until("#of-class", "No connection");
}

#[test]
fn the_teachers_page_fits_a_phone() {
    let Some(browser) = Browser::open(400, 850, true) else { return };
    let (served, address) = Served::of_class(&["clay_bean"], "phone");
    let join = json!({ "code": address.pupils.rsplit('/').next().unwrap(), "nickname": "ليلى" });
    ureq::post(served.url("/api/join")).send_json(&join).unwrap();
    browser.go(&address.teacher);
    browser.until("#pupils", "ليلى");
    keep(&browser, "class-400-dark");
    assert_clean(&browser, "the teacher's page on a phone");
}
