//! The screens of a farm in a real browser: plots to select, orders, time, the season, and what was lost.

use serde_json::{Value, json};

use super::browser::Browser;
use super::{Served, assert_clean, keep};

/// The keys of WebDriver for arrows.
const RIGHT: &str = "\u{E014}";
const DOWN: &str = "\u{E015}";
const ENTER: &str = "\u{E007}";

/// Farms of all sizes: one plot, 4 × 3, two fields, and 10 × 10.
const FARMS: [&str; 4] = ["clay_bean", "full_farm_4x3", "two_fields", "full_farm_10x10"];

/// Opens a farm and starts its season.
fn start(browser: &Browser, served: &Served, link: &str) {
    browser.go(&served.url(&format!("/{link}")));
    browser.until("#begin", "S");
    browser.click("#begin");
    browser.until("#day", "0");
}

/// The names of the selected plots.
fn selected(browser: &Browser) -> Value {
    browser.run("return [...document.querySelectorAll('.plot[aria-pressed=true]')].map((plot) => plot.querySelector('.id').textContent);")
}

/// Neither the window nor the screen scrolls, and no control lies outside.
fn assert_fits(browser: &Browser, what: &str) {
    let over = browser.run(
        "const root = document.scrollingElement;
         const screen = document.getElementById('screen-' + document.body.dataset.screen);
         const out = [...screen.querySelectorAll('button, svg.chart')].filter((one) => one.getClientRects().length && !one.closest('.jobs, .doses, .pick, .pan, .loss'))
           .filter((one) => { const box = one.getBoundingClientRect(); return box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < 0; });
         return [root.scrollHeight - root.clientHeight, root.scrollWidth - root.clientWidth, ...out.map((one) => one.id || one.textContent)];",
    );
    assert_eq!(over, json!([0, 0]), "{what}");
}

#[test]
fn plots_are_selected_and_watered_by_clicks() {
    let Some(browser) = Browser::open(1400, 900, false) else { return };
    let served = Served::new();
    start(&browser, &served, "#game=clay_bean&preset=4x3&seed=3");
    browser.click(".plot[data-plot='0']");
    browser.click(".plot[data-plot='4']");
    assert_eq!(selected(&browser), json!(["A1", "B2"]));
    browser.until("#panel", "2 plots selected");
    browser.click("[data-dose='2']");
    // The button states the whole order.
    browser.until("#confirm", "Water 2 plots, 20 mm: €2.40");
    browser.click("#confirm");
    browser.until("#day", "day 1");
    browser.until("#money", "−€2.40");
    browser.until("#notice", "Water 2 plots.");
    assert_eq!(selected(&browser), json!([]));
    // More jobs than a day has fill the next days.
    browser.click("#pick-all");
    browser.until("#confirm", "Water 12 plots, 20 mm: €14.40, 3 days");
    // A closed job stays, and gives its reason.
    let harvest = "[data-job][aria-disabled=true]";
    browser.click(harvest);
    browser.until("#notice", "Harvest all is closed: ");
    browser.until("#why", "Harvest is closed: ");
    browser.click("#back");
    browser.until("#day", "day 0");
    browser.until("#money", "€0.00");
    keep(&browser, "play-1400");
    assert_clean(&browser, "a farm");
    assert_fits(&browser, "a farm at 1400 × 900");
}

#[test]
fn a_farm_is_played_by_keys_alone() {
    let Some(browser) = Browser::open(1400, 900, true) else { return };
    let served = Served::new();
    browser.go(&served.url("/#game=clay_bean&preset=4x3&seed=3"));
    browser.until("#card-facts", "€");
    browser.press(ENTER);
    browser.until("#day", "day 0");
    browser.press("3n");
    browser.until("#day", "day 3");
    // Arrows move the focus between plots, and space selects.
    browser.run("document.querySelector('.plot').focus(); return 1;");
    browser.press(RIGHT);
    browser.press(DOWN);
    browser.press(" ");
    assert_eq!(selected(&browser), json!(["B2"]));
    browser.press("x");
    assert_eq!(selected(&browser), json!([]));
    browser.press("a");
    browser.press("w1");
    browser.run("document.activeElement.blur(); return 1;");
    browser.until("#confirm", "Water 12 plots, 5 mm");
    browser.press(ENTER);
    browser.until("#day", "day 6");
    // Undo takes the whole order back, and redo does it again.
    browser.press("u");
    browser.until("#day", "day 3");
    browser.press("U");
    browser.until("#day", "day 6");
    browser.press("2u");
    browser.until("#day", "day 0");
    browser.press("?");
    browser.until("#notice", "expert would");
    browser.press("%");
    browser.until("#notice", "does nothing here");
    browser.press("c");
    browser.until("#read-date", "May");
    browser.press("\u{E00C}");
    browser.until("#day", "day 0");
    browser.press("b");
    browser.until("#branch-list", "1.");
    assert_clean(&browser, "a farm by keys, dark");
}

#[test]
fn time_stops_when_something_happens_and_says_why() {
    let Some(browser) = Browser::open(400, 850, false) else { return };
    let served = Served::new();
    start(&browser, &served, "#game=clay_bean&preset=4x3&seed=3");
    let mut told = Vec::new();
    for _ in 0..8 {
        let before = browser.text("#day");
        browser.click("#until");
        browser.until_gone("#day", &before);
        told.push(browser.until("#notice", "Stopped on"));
    }
    let told = told.join("\n");
    for part in [" mm of rain are forecast for tomorrow", "plots are now: growing", "dry"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    keep(&browser, "play-400");
    assert_clean(&browser, "a farm at 400 pixels");
    assert_fits(&browser, "a farm at 400 × 850");
    browser.click("#language");
    browser.until("#until", "Jusqu’au prochain événement");
    keep(&browser, "play-400-french");
    assert_clean(&browser, "a farm in French");
    assert_fits(&browser, "a farm in French at 400 × 850");
    browser.click("#language");
}

#[test]
fn the_end_card_says_what_was_lost_and_leads_back_to_that_day() {
    for (width, height, is_dark) in [(1400, 900, false), (400, 850, true)] {
        let Some(browser) = Browser::open(width, height, is_dark) else { return };
        let served = Served::new();
        start(&browser, &served, "#game=clay_bean&preset=4x3&seed=3");
        browser.press("250n");
        browser.until("#end-reason", "the season is over");
        browser.until("#earned", "€0.00");
        browser.until("#bench", "expert");
        browser.until("#losses", "ripe plots were not harvested");
        let again = browser.until("#again", "Play again from");
        keep(&browser, &format!("end-{width}"));
        assert_clean(&browser, &format!("the end card at {width}"));
        assert_fits(&browser, &format!("the end card at {width}"));
        browser.click("#losses button");
        browser.until("#read-date", "May");
        browser.click("#compare");
        browser.until("#read", "expert");
        keep(&browser, &format!("season-{width}"));
        assert_clean(&browser, &format!("the season chart at {width}"));
        assert_fits(&browser, &format!("the season chart at {width}"));
        // Keys read days.
        let day = browser.text("#read-day");
        browser.run("document.getElementById('chart').focus(); return 1;");
        browser.press(RIGHT);
        browser.until_gone("#read-day", &day);
        browser.click("#season-back");
        browser.click("#again");
        let date = again.trim_start_matches("Play again from ").to_owned();
        browser.until("#date", &date);
    }
}

#[test]
fn all_farms_fit_the_window_at_their_start_and_in_play() {
    for (width, height) in [(1400, 900), (400, 850)] {
        let Some(browser) = Browser::open(width, height, false) else { return };
        let served = Served::of(&FARMS);
        for farm in FARMS {
            let what = format!("{farm} at {width}");
            browser.go(&served.url(&format!("/?{farm}#game={farm}&seed=1")));
            browser.until("#card-facts", "€");
            keep(&browser, &format!("card-{farm}-{width}"));
            assert_clean(&browser, &format!("the card of {what}"));
            assert_fits(&browser, &format!("the card of {what}"));
            browser.click("#begin");
            browser.until("#day", "day 0");
            browser.press("2n");
            browser.until("#day", "day 2");
            browser.click(".plot");
            browser.until("#panel", "mm");
            keep(&browser, &format!("play-{farm}-{width}"));
            assert_clean(&browser, &what);
            assert_fits(&browser, &what);
            if farm == "two_fields" {
                browser.press("]");
                browser.until("#field-tabs [aria-selected=true]", "Field 2");
            }
        }
    }
}

#[test]
fn each_text_is_in_both_languages_with_the_same_places() {
    let Some(browser) = Browser::open(1400, 900, false) else { return };
    let served = Served::new();
    browser.go(&served.url("/"));
    let wrong = browser.wait_for(
        "import('/words.js').then(({TEXTS}) => {
           const places = (told) => [...[told].flat().join(' ').matchAll(/\\{\\w+\\}/g)].map(([place]) => place);
           const same = (one, other) => JSON.stringify([...new Set(places(one))].sort()) === JSON.stringify([...new Set(places(other))].sort());
           const forms = (told) => [told].flat().length;
           done(Object.entries(TEXTS).filter(([, pair]) => pair.length !== 2 || !pair.flat().every((told) => typeof told === 'string')
             || forms(pair[0]) !== forms(pair[1]) || !same(pair[0], pair[1])).map(([key]) => key));
         });",
    );
    assert_eq!(wrong, json!([]));
    // Nothing that the page shows lacks a text: an unknown key would be shown as it is.
    let missing = browser.wait_for(
        "import('/words.js').then(({TEXTS}) => done([...document.querySelectorAll('[data-t]')].map((one) => one.dataset.t).filter((key) => !TEXTS[key])));",
    );
    assert_eq!(missing, json!([]));
}

#[test]
fn the_start_page_shows_games_by_theme_and_lessons_and_leads_to_them() {
    let Some(browser) = Browser::open(1400, 900, false) else { return };
    let served = Served::of(&["clay_bean", "weeds_only", "backwards_valley", "nitrate_leaching", "full_farm_4x3"]);
    browser.go(&served.url("/"));
    browser.until("#game-cards", "Water a shallow clay field");
    browser.until("#lesson-cards", "Nitrogen and what washes out");
    let titles =
        || browser.run("return [...document.querySelectorAll('#game-cards h3')].map((one) => one.textContent);");
    assert_eq!(titles().as_array().unwrap().len(), 5);
    keep(&browser, "start-1400");
    assert_clean(&browser, "the start page");
    browser.click("[data-theme-of=pests]");
    assert_eq!(titles(), json!(["Weeds only"]));
    browser.click("[data-theme-of='']");
    // By keyboard alone: the button of a game is reached with the tab key, and the way back is that of the browser.
    browser.run("document.querySelector('#game-cards .pri').focus(); return 1;");
    browser.press(ENTER);
    browser.until("#card-title", "Clay bean");
    browser.until("#card-facts", "12 plots");
    browser.run("history.back(); return 1;");
    browser.until("#game-cards", "Weeds only");
    browser.click("#lesson-cards li:nth-child(3) a");
    browser.until("#lesson-title", "All at once");
    browser.click("#to-games");
    browser.click("#all-link");
    browser.until("#game-cards", "Weeds only");
    browser.click("#game-cards li:first-child button:nth-child(2)");
    browser.until("#end", "earned");
}

#[test]
fn the_start_page_fits_a_phone_in_french() {
    let Some(browser) = Browser::open(400, 850, true) else { return };
    let served = Served::new();
    browser.go(&served.url("/"));
    browser.until("#game-cards", "Play");
    browser.click("#language");
    browser.until("#game-cards", "Arroser une argile");
    keep(&browser, "start-400-dark");
    assert_clean(&browser, "the start page on a phone");
}

#[test]
fn with_text_of_twice_the_size_every_control_is_reached_and_nothing_runs_over_the_side() {
    for (width, height) in [(1400, 900), (400, 850)] {
        let Some(browser) = Browser::open(width, height, false) else { return };
        let served = Served::new();
        start(&browser, &served, "#game=clay_bean&preset=4x3&seed=3");
        browser.run("document.documentElement.style.fontSize = '200%'; return 1;");
        browser.click("#pick-all");
        browser.until("#confirm", "Water 12 plots");
        browser.click("#confirm");
        browser.until("#day", "day 3");
        browser.click(".plot[data-plot='0']");
        browser.until("#panel", "Plot A1");
        keep(&browser, &format!("large-{width}"));
        assert_clean(&browser, &format!("text of twice the size, {width} px"));
    }
}
