//! The playground in a real browser: clicks, keys, widths, themes; and what its requests answer.

mod browser;
mod class;
mod exam;
mod farm;
mod lesson;
#[path = "../serve/odd_game.rs"]
mod odd_game;
mod requests;

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use browser::Browser;
use farm_core::inspect::date_of;
use farm_core::{Environment, Game};
use farm_games::Options;
use farm_serve::{ClassAddress, ClassSettings, Games, Server, Settings};
use tokio::sync::oneshot;

/// A server with a few games, which ends with the test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    file: Option<std::path::PathBuf>,
}

pub(crate) const GAMES: [&str; 4] = ["clay_bean", "backwards_valley", "costly_clay_bean", "full_farm_4x3"];

/// Opens the details of a farm, which starts with its card.
fn open_details(browser: &Browser, url: &str) {
    browser.go(url);
    browser.until("#card-title", "lay");
    browser.click("#to-details");
    browser.until("#status", "Step 0");
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::of(&GAMES)
    }

    pub(crate) fn of(names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let games = Games::open(&names, &Options::default()).unwrap();
        Self::run(Server::bind(games, Settings::default()).unwrap())
    }

    /// A class with a file of its own, which is removed.
    pub(crate) fn of_class(names: &[&str], test: &str) -> (Self, ClassAddress) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let games = Games::open(&names, &Options::default()).unwrap();
        let file = std::env::temp_dir().join(format!("farm-class-page-{test}-{}.json", std::process::id()));
        let class = ClassSettings { name: "Spring 9b".to_owned(), file: file.clone() };
        let (server, address) = Server::bind_class(games, &class, Settings::default()).unwrap();
        let mut served = Self::run(server);
        served.file = Some(file);
        (served, address)
    }

    fn run(server: Server) -> Self {
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async {
            let _ = stopped.await;
        };
        let thread = std::thread::spawn(move || server.run(2, until).unwrap());
        Self { address, stop: Some(stop), thread: Some(thread), file: None }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(ended.is_none_or(|ended| ended.is_ok()), "the server ends without a panic");
        let _ = self.file.take().map(std::fs::remove_file);
    }
}

/// The return of actions in the process, to compare.
fn earned(game: &str, seed: u64, actions: &[&str]) -> f64 {
    let game: Arc<Game> = Arc::new(farm_games::open(game, &Options::default()).unwrap());
    let mut environment = Environment::new(game);
    environment.reset(seed);
    actions.iter().map(|action| environment.step(*action).unwrap().reward).sum()
}

const AXE: &str = include_str!("axe.min.js");

/// What a checker of accessibility finds wrong with the page as it is.
fn barriers(browser: &Browser) -> Vec<String> {
    // The policy of the page lets no script in, so it is run by the driver.
    browser.run(&format!("{AXE}; return true;"));
    let found = browser.wait_for(
        "axe.run(document, {resultTypes: ['violations']}).then((result) => done(result.violations.flatMap((one) => one.nodes.map(
           (node) => `${one.id}: ${node.target.join(' ')}: ${node.failureSummary}`))));",
    );
    found.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// Nothing was asked of another server, nothing failed, nothing runs over the side of the window.
fn assert_clean(browser: &Browser, what: &str) {
    let wrong = barriers(browser);
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
    let outside = browser.run(
        "return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith(location.origin) && !name.startsWith('data:'));",
    );
    assert_eq!(outside, serde_json::json!([]), "{what}");
    let over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth;");
    assert!(over.as_f64().unwrap() <= 0.0, "{what}: {over} pixels over the side");
    let console = browser.console();
    assert!(console.is_empty(), "{what}: {console:#?}");
}

/// A folder for pictures to look at, if the environment names one.
fn keep(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("PLAYGROUND_PICTURES") {
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), browser.picture()).unwrap();
    }
}

#[test]
fn the_details_of_a_season_are_played_by_keyboard_alone_and_by_clicks() {
    let Some(browser) = Browser::open(1400, 1000, false) else { return };
    let served = Served::new();
    open_details(&browser, &served.url("/#game=clay_bean&seed=7"));
    browser.press("   ");
    browser.until("#status", "Step 3");
    let water = "form[data-action='water_discrete']";
    browser.click(&format!("{water} button"));
    browser.until("#status", "Step 4");
    let first = browser.run(
        "return JSON.parse(JSON.stringify([...document.querySelectorAll('#log li')].map((line) => line.textContent)));",
    );
    assert!(first.to_string().contains("water"), "{first}");
    browser.press("u");
    browser.until("#status", "Step 3");
    browser.press("r");
    browser.until("#status", "Step 4");
    browser.press("uu");
    browser.until("#status", "Step 2");
    browser.press("%");
    browser.until("#notice", "does nothing here");
    // Another branch: both ends are listed, and each leads back.
    browser.press(" ");
    browser.press(" ");
    browser.until("#status", "Step 4");
    browser.click("#tab-log");
    browser.click("#branches li:first-child button");
    browser.until("#log", "water");
    browser.click("#tab-season");
    browser.until("#plots", "Return");
    keep(&browser, "season-1400");
    assert_clean(&browser, "a season");
}

#[test]
fn a_link_opens_its_preset_and_reports_one_that_does_not_exist() {
    let Some(browser) = Browser::open(1400, 1000, false) else { return };
    let served = Served::new();
    browser.go(&served.url("/#game=clay_bean&preset=4x3&seed=7"));
    browser.until("#card-title", "Clay bean");
    let chosen = || browser.run("return ['preset', 'seed'].map((id) => document.getElementById(id).value);");
    assert_eq!(chosen(), serde_json::json!(["4x3", "7"]));
    assert_clean(&browser, "a link with a preset");
    // A link in the same window is opened too.
    browser.run("location.hash = '#game=clay_bean&preset=5x5&seed=8'; return 1;");
    let told = browser.until("#notice", "Opened without the preset of the link");
    assert!(told.contains("`5x5`") && told.contains("`4x3`"), "{told}");
    assert_eq!(chosen(), serde_json::json!(["", "8"]));
}

#[test]
fn values_are_dates_and_nouns_in_words() {
    let Some(browser) = Browser::open(1400, 1000, false) else { return };
    let served = Served::new();
    open_details(&browser, &served.url("/#game=clay_bean&seed=7"));
    let seen = browser.until("#seen", "(day ");
    assert!(!seen.contains("of the year"), "{seen}");
    let written = browser.wait_for(
        "import('/common.js').then(({withUnit}) => done([['day#int365', '130'], ['day#int365', '?'], ['dry#day', '1'], ['dry#day', '0'], ['dry#day', '2']]
           .map(([name, value]) => withUnit(name, value))));",
    );
    let date = format!("{} (day 130)", date_of(130));
    assert_eq!(written, serde_json::json!([date, "?", "1 day", "0 days", "2 days"]));
}

#[test]
fn what_is_hidden_is_shown_only_on_demand_and_at_400_pixels_too() {
    let Some(browser) = Browser::open(400, 900, true) else { return };
    let served = Served::new();
    browser.go(&served.url("/#game=backwards_valley&seed=3"));
    browser.until("#status", "Step 0");
    let seen = browser.text("#seen");
    assert!(seen.contains("farm value") && !seen.contains("base value"), "{seen}");
    // Arrows walk, and what was earned is what the process earns.
    let actions = ["MoveE", "MoveE", "MoveS", "Insult", "Wait"];
    browser.press("\u{E014}\u{E014}\u{E015}");
    browser.until("#status", "Step 3");
    browser.click("form[data-action='Insult'] button");
    browser.until("#status", "Step 4");
    browser.press(" ");
    let status = browser.until("#status", "Step 5");
    let expected = format!("return {}", earned("backwards_valley", 3, &actions));
    assert!(status.contains(&expected), "{status}: {expected}");
    keep(&browser, "valley-400");
    assert_clean(&browser, "at 400 pixels, dark");
    // The map keeps its rows, and the name of an action has no line break within a word.
    let rows = browser.run("return [...document.querySelectorAll('#seen .map tr')].map((row) => row.children.length);");
    assert_eq!(rows, serde_json::json!([5, 5, 5, 5, 5]));
    let broken = browser.run(
        "return [...document.querySelectorAll('#seen .map td, #actions .word')].filter((one) => {
           const range = document.createRange();
           range.selectNodeContents(one);
           return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1;
         }).map((one) => one.textContent);",
    );
    assert_eq!(broken, serde_json::json!([]));
    assert!(browser.text("form[data-action='UseWateringCan'] button").contains("Watering Can"));
    browser.click("#everything");
    browser.until("#seen", "(hidden)");
    assert_clean(&browser, "everything, at 400 pixels, dark");
    browser.click("#everything");
    browser.until_gone("#seen", "(hidden)");
    browser.run("document.activeElement.blur(); return 1;");
    browser.press(&" ".repeat(35));
    browser.until("#end", "You earned");
}

#[test]
fn a_policy_plays_an_episode_that_becomes_a_link() {
    let Some(browser) = Browser::open(1400, 1000, true) else { return };
    let served = Served::new();
    browser.go(&served.url("/#game=backwards_valley&seed=5"));
    browser.until("#status", "Step 0");
    browser.click("#tab-policies");
    browser.run("const select = document.getElementById('policy'); select.value = 'informed'; select.dispatchEvent(new Event('change')); return 1;");
    browser.run("document.getElementById('speed').value = '15'; return 1;");
    browser.click("#watch");
    // The signs of the button are drawn, so its text has no sign that a font could lack.
    assert_eq!(browser.until("#play", "Pause"), "Pause");
    browser.until("#status", "Step 40");
    let end = browser.until("#end", "The episode is over");
    assert!(end.contains("`informed` earned"), "{end}");
    keep(&browser, "watched-1400-dark");
    assert_clean(&browser, "a policy that played");
    let status = browser.text("#status");
    browser.click("#share");
    browser.until("#notice", "link");
    let link = browser.run("return location.href;").as_str().unwrap().to_owned();
    browser.go("about:blank");
    browser.go(&link);
    browser.until("#status", "Step 40");
    assert_eq!(browser.text("#status"), status);
    browser.until("#end", "`informed` earned");
    // Hints say what a policy would do, and are followed.
    browser.click("#undo");
    browser.until("#status", "Step 39");
    browser.press("h");
    browser.until("#hint", "would do");
    browser.press("y");
    browser.until("#status", "Step 40");
    browser.until("#end", "`informed` and you earned");
}

#[test]
fn a_map_is_walked_by_buttons_and_swipes_on_a_phone() {
    let Some(browser) = Browser::open(400, 850, false) else { return };
    let served = Served::new();
    browser.go(&served.url("/#game=backwards_valley&seed=7"));
    browser.until("#status", "Step 0");
    browser.click("#pad [data-move=MoveE]");
    browser.until("#status", "Step 1");
    let swipe = |x: i32, y: i32| {
        browser.run(&format!(
            "const picture = document.getElementById('picture');
             const at = (type, x, y) => picture.dispatchEvent(new PointerEvent(type, {{ bubbles: true, clientX: x, clientY: y }}));
             at('pointerdown', 100, 200); at('pointerup', {}, {}); return 1;",
            100 + x,
            200 + y
        ));
    };
    swipe(0, 80);
    browser.until("#status", "Step 2");
    // A tap walks nowhere.
    swipe(5, -5);
    swipe(-60, 20);
    browser.until("#status", "Step 3");
    browser.click("#tab-log");
    let log = browser.until("#log", "Go west");
    assert!(log.contains("Go east") && log.contains("Go south"), "{log}");
    keep(&browser, "map-400");
    assert_clean(&browser, "a map");
}

#[test]
fn what_is_odd_about_a_game_stands_above_it_until_it_is_dismissed() {
    let Some(browser) = Browser::open(1400, 1000, false) else { return };
    let odd = odd_game::OddGame::new("page");
    let served = Served::of(&[&odd.path(), "clay_bean"]);
    browser.go(&served.url("/"));
    // Games of the user come first on the start page.
    browser.until("#game-cards", "Play");
    browser.click("#game-cards li:first-child .pri");
    let told = browser.until("#warnings-text", "latitude 25");
    assert!(told.contains("confirmed: [place]"), "{told}");
    assert_clean(&browser, "a game with a warning");
    keep(&browser, "warning-1400");
    let is_hidden = || browser.run("return document.querySelector('#warnings').hidden;");
    browser.click("#dismiss");
    assert_eq!(is_hidden(), true);
    // The same game again says it no more, and a game without anything odd never does.
    browser.click("#to-games");
    browser.click("#dice");
    browser.until_gone("#sub", "seed 0");
    assert_eq!(is_hidden(), true);
    browser.go(&served.url("/?#game=clay_bean"));
    browser.until("#title", "Clay bean");
    assert_eq!(is_hidden(), true);
}

#[test]
fn a_game_is_edited_with_its_mistakes_marked_and_then_played() {
    let Some(browser) = Browser::open(1400, 1000, false) else { return };
    let served = Served::new();
    open_details(&browser, &served.url("/#game=clay_bean&seed=7"));
    browser.click("#tab-file");
    browser.until("#problems", "No errors");
    // Another soil, misspelt.
    let edit = |from: &str, to: &str| {
        let script = format!(
            "const content = document.querySelector('#editor .cm-content'); const view = content.cmTile?.view ?? content.cmView?.view ?? content.cmView?.rootView?.view; \
             const text = view.state.doc.toString(); const at = text.indexOf({from:?}); if (at < 0) return 'not there'; \
             view.dispatch({{changes: {{from: at, to: at + {}, insert: {to:?}}}, selection: {{anchor: at}}, scrollIntoView: true}}); return 'done';",
            from.len()
        );
        assert_eq!(browser.run(&script), "done");
    };
    edit("base: clay", "base: clya");
    let told = browser.until("#problems", "did you mean");
    assert!(told.contains("line ") && told.contains("clay"), "{told}");
    // The editor draws the lines that are in sight, and the edit was scrolled there.
    let is_marked = "return document.querySelectorAll('#editor .cm-lint-marker-error').length > 0;";
    let marked = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        browser.run(is_marked) == true
    });
    assert!(marked, "the mistake has a mark beside its line");
    keep(&browser, "mistake-1400");
    assert_clean(&browser, "a game with a mistake");
    edit("base: clya", "base: clay");
    edit("max_steps: 250", "max_steps: 240");
    browser.until("#problems", "No errors");
    browser.click("#apply");
    browser.until("#notice", "Playing the edited game");
    assert!(browser.text("#title").contains("(edited)"));
    browser.press(" ");
    browser.until("#status", "Step 1");
    // What could stand at the cursor, and what it is.
    browser.click("#tab-file");
    edit("name: clay_bean\n", "name: clay_bean\n\n");
    browser.click("#editor .cm-line:nth-child(3)");
    browser.press("scor");
    browser.until(".cm-tooltip-autocomplete", "score");
    keep(&browser, "complete-1400");
}
