//! Exams: taken in a real browser, gone on with after a reload, and by requests that mean harm.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;

use farm_agents::{
    Access, Conduct, EpisodePlan, FORMAT, History, Line, Played, Player, Rules, Run, RunHeader, describe_person,
};
use farm_core::TextForm;
use farm_games::Options;
use farm_serve::{Exam, Server, Settings};
use serde_json::{Value, json};

use super::browser::Browser;
use super::{assert_clean, keep};

/// A run that a person plays in the browser, which ends with the test.
struct Taken {
    link: String,
    folder: PathBuf,
    exam: Exam,
    is_left: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
    run: Option<JoinHandle<Played>>,
}

impl Taken {
    /// An exam of a game with these changes, in the worlds of these seeds.
    fn new(game: &str, set: &[(&str, &str)], seeds: &[u64], rules: Rules) -> Self {
        // Tests run side by side, some of them with the same game.
        static TAKEN: AtomicU32 = AtomicU32::new(0);
        let number = TAKEN.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("farm-exam-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let set: Vec<_> = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
        let opened = farm_games::open(game, &Options { set: set.clone(), ..Options::default() }).unwrap();
        let fingerprint = format!("{:016x}", opened.fingerprint());
        let plan = |seed: &u64| EpisodePlan {
            id: format!("seed-{seed}"),
            level: None,
            seed: *seed,
            fingerprint: fingerprint.clone(),
            game: None,
            rules: None,
        };
        let header = RunHeader {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.to_owned(),
            preset: None,
            context: None,
            set,
            split: None,
            name: "Ada".to_owned(),
            agent: describe_person(true),
            conduct: Conduct {
                rules,
                text: TextForm::Full,
                history: History::Full,
                replies: 1,
                max_turns: 1000,
                max_tokens: None,
                max_seconds: None,
                lifetime: 1,
                vision: false,
            },
            prices: None,
            hidden: None,
            episodes: seeds.iter().map(plan).collect(),
        };
        let exam = Exam::new(header.episodes.iter().map(|plan| plan.id.clone()).collect(), rules.text());
        let (server, link) = Server::bind_exam(&exam, Settings { port: 0, ..Settings::default() }).unwrap();
        let closed = exam.closed();
        let server = std::thread::spawn(move || server.run(1, closed).unwrap());
        let run = Run::begin(&folder, header, Access::default()).unwrap();
        let is_left = Arc::new(AtomicBool::new(false));
        let (page, left) = (exam.clone(), is_left.clone());
        let play = move || {
            let agent = |_: &farm_core::Game, _: &EpisodePlan| {
                let left = left.clone();
                Ok(Box::new(page.agent(move || left.load(Ordering::Relaxed))) as Box<dyn farm_agents::Agent>)
            };
            let stopped = || left.load(Ordering::Relaxed);
            let player = Player { jobs: 1, agent: &agent, is_ending: &stopped, is_stopped: &stopped, watch: &|_| () };
            run.play(&player).unwrap()
        };
        let run = Some(std::thread::spawn(play));
        Self { link, folder, exam, is_left, server: Some(server), run }
    }

    /// The run when it has been played to its end, which has to verify.
    fn verified(&mut self) -> Vec<farm_agents::Trace> {
        let played = self.run.take().unwrap().join().unwrap();
        assert!(!played.problems.has_errors(), "{}", played.problems);
        Run::open(&self.folder, Access::default()).unwrap().verify(1).unwrap()
    }

    fn token(&self) -> &str {
        self.link.split_once("#token=").unwrap().1
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.link.split("/#").next().unwrap())
    }

    fn ask(&self, token: Option<&str>, path: &str, body: Option<&Value>) -> (u16, Value) {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent: ureq::Agent = config.build().into();
        let bearer = token.map_or(String::new(), |token| format!("Bearer {token}"));
        let mut answer = match body {
            None => agent.get(self.address(path)).header("Authorization", bearer).call().unwrap(),
            Some(body) => agent.post(self.address(path)).header("Authorization", bearer).send_json(body).unwrap(),
        };
        let (status, text) = (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    fn look(&self) -> Value {
        let (status, view) = self.ask(Some(self.token()), "/api/exam", None);
        assert_eq!(status, 200, "{view}");
        view
    }

    fn reply(&self, number: &Value, reply: &str) -> (u16, Value) {
        self.ask(Some(self.token()), "/api/exam", Some(&json!({ "number": number, "reply": reply })))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.is_left.store(true, Ordering::Relaxed);
        self.exam.close();
        for ended in
            [self.run.take().map(|run| run.join().is_ok()), self.server.take().map(|server| server.join().is_ok())]
        {
            assert!(ended != Some(false) || std::thread::panicking());
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

const SHORT: (&str, &str) = ("rules.BasicRule.max_steps", "4");

#[test]
fn an_exam_is_taken_by_keyboard_alone_and_goes_on_after_a_reload() {
    let Some(browser) = Browser::open(1400, 1000, false) else { return };
    let mut taken = Taken::new("backwards_valley", &[SHORT], &[3, 4], Rules::Hidden);
    browser.go(&taken.link);
    browser.until("#status", "Episode 1 of 2 · reply 1");
    assert!(browser.until("#text", "position").len() > 20 && browser.text("#instructions").starts_with("TASK"));
    // What a model is not told does not stand on the page either, shown or not.
    let page = browser.run("for (const one of document.querySelectorAll('img')) one.removeAttribute('src'); return document.documentElement.outerHTML;");
    for word in ["backwards", "valley", "seed", "hint", "undo", "RULES", "fingerprint", "Rejected now"] {
        assert!(!page.to_string().contains(word), "`{word}` stands on the page: {page}");
    }
    browser.press("\u{E014}");
    browser.until("#status", "reply 2");
    assert_clean(&browser, "an exam");
    keep(&browser, "exam-1400");
    browser.run("location.reload(); return 1;");
    browser.until("#status", "reply 2");
    browser.click("#before summary");
    assert!(browser.until("#past", "Reply: ").contains("MoveE"));
    // A text of one's own, also one that the game can't read, is played at once.
    browser.press("/MoveS\u{E007}");
    browser.until("#status", "reply 3");
    browser.press("dance\u{E007}");
    browser.until("#status", "reply 4");
    assert!(browser.text("#text").contains("not read: "));
    browser.run("document.activeElement.blur(); return 1;");
    // What can't be read takes no day.
    browser.press(" ");
    browser.until("#status", "reply 5");
    browser.press(" ");
    browser.until("#status", "Episode 2 of 2 · reply 1");
    browser.until("#end-title", "The next one starts below");
    for turn in 2..=4 {
        browser.press(" ");
        browser.until("#status", &format!("Episode 2 of 2 · reply {turn}"));
    }
    browser.press(" ");
    browser.until("#status", "The exam is over");
    assert!(browser.text("#ended").contains("the episode is over") && browser.text("#text").is_empty());
    assert_clean(&browser, "the end of an exam");
    let traces = taken.verified();
    let replies: Vec<Vec<&str>> =
        traces.iter().map(|trace| trace.calls().map(|call| call.reply.as_str()).collect()).collect();
    assert_eq!(replies[0], [r#"{"action":"MoveE"}"#, "MoveS", "dance", "wait", "wait"]);
    assert_eq!(replies[1], ["wait"; 4]);
    assert!(
        traces.iter().flat_map(farm_agents::Trace::calls).all(|call| call.seconds > 0.0 && call.tokens.total() == 0)
    );
    // After the end a reload shows the end.
    browser.run("location.reload(); return 1;");
    browser.until("#status", "The exam is over");
}

#[test]
fn a_day_of_several_actions_is_answered_by_clicks_at_400_pixels() {
    let Some(browser) = Browser::open(400, 900, true) else { return };
    let several = ("rules.BasicRule.max_action_schedule_size", "4");
    let taken = Taken::new("clay_bean", &[several], &[7], Rules::Shown);
    browser.go(&taken.link);
    browser.until("#status", "reply 1");
    assert!(browser.text("#instructions").contains("RULES"));
    browser.click("form[data-action='water_discrete'] button");
    browser.until("#plan", "water");
    assert_clean(&browser, "a plan at 400 pixels, dark");
    keep(&browser, "exam-400-dark");
    browser.click("form[data-key='Space'] button");
    browser.until("#status", "reply 2");
    assert!(browser.text("#text").contains("last reward: "));
    let trace = std::fs::read_to_string(taken.folder.join("seed-7.jsonl")).unwrap();
    let last: Line = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
    let Line::Call(call) = last else { panic!("{trace}") };
    assert!(call.actions.len() == 1 && call.rejected.is_empty(), "{call:?}");
}

#[test]
fn whoever_lacks_the_token_sees_and_does_nothing() {
    let taken = Taken::new("backwards_valley", &[SHORT], &[3], Rules::Hidden);
    let view = taken.look();
    let reply = json!({ "number": view["number"], "reply": "wait" });
    let other = Taken::new("valley_farm", &[], &[1], Rules::Hidden);
    for token in [None, Some(""), Some("0123456789abcdef"), Some(other.token()), Some(&taken.token()[1..])] {
        for body in [None, Some(&reply)] {
            let (status, said) = taken.ask(token, "/api/exam", body);
            assert_eq!(status, 401, "{token:?}: {said}");
        }
    }
    assert_eq!(taken.ask(None, &format!("/api/exam?token={}", taken.token()), None).0, 401);
    assert_eq!(taken.look(), view, "nothing was played");
}

#[test]
fn an_exam_serves_nothing_by_which_more_could_be_seen() {
    let taken = Taken::new("backwards_valley", &[SHORT], &[3], Rules::Hidden);
    let token = Some(taken.token());
    for path in
        ["/api/games", "/metrics", "/metadata", "/schema", "/state", "/ws", "/list_environments", "/playground.js"]
    {
        assert_eq!(taken.ask(token, path, None).0, 404, "{path}");
    }
    for path in ["/api/place", "/api/watch", "/api/game", "/reset", "/step", "/mcp", "/games/backwards_valley/reset"] {
        assert_eq!(taken.ask(token, path, Some(&json!({ "game": { "name": "backwards_valley" } }))).0, 404, "{path}");
    }
    let mut view = taken.look();
    let mut keys: Vec<String> = view.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    let known = [
        "ended",
        "episode",
        "episodes",
        "instructions",
        "is_over",
        "number",
        "past",
        "picture",
        "schedule",
        "text",
        "tools",
        "turn",
    ];
    assert_eq!(keys, known);
    view["picture"]["png"].take();
    for word in ["backwards", "seed", "fingerprint", "oracle", "hidden", "RULES"] {
        assert!(!view.to_string().contains(word), "`{word}` is told: {view}");
    }
}

#[test]
fn a_text_is_answered_once_whoever_asks_again() {
    let mut taken = Taken::new("backwards_valley", &[SHORT], &[3], Rules::Hidden);
    let first = taken.look()["number"].clone();
    for (body, told) in [
        (json!({ "number": first, "reply": "wait", "seed": 4 }), "unknown key"),
        (json!({ "number": first, "replay": "wait" }), "did you mean `reply`?"),
        (json!({ "number": "1", "reply": "wait" }), "expected a non-negative integer"),
        (json!({ "number": first, "reply": 3 }), "expected a string"),
        (json!({ "reply": "wait" }), "`number` is missing"),
        (json!({ "number": first, "reply": "x".repeat(20_000) }), "maximum of 16384"),
        (json!(["wait"]), "not an object"),
    ] {
        let (status, said) = taken.ask(Some(taken.token()), "/api/exam", Some(&body));
        assert!(status == 400 && said["error"].as_str().unwrap().contains(told), "{body}: {status} {said}");
    }
    for number in [json!(0), json!(2), json!(u64::MAX)] {
        assert_eq!(taken.reply(&number, "wait").0, 409, "{number}");
    }
    // Eight windows reply at once: one of them has answered, and the others are told.
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| taken.reply(&first, "MoveE").0)).collect();
        sent.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [200, 409].contains(status)), "{answers:?}");
    // The beginning can't be played again.
    assert_eq!(taken.reply(&first, "MoveS").0, 409);
    let mut view = taken.look();
    assert_eq!((view["turn"].as_u64(), view["past"].as_array().map(Vec::len)), (Some(1), Some(1)));
    for _ in 0..3 {
        let (status, next) = taken.reply(&view["number"], "wait");
        assert_eq!(status, 200, "{next}");
        view = next;
    }
    assert_eq!(view["is_over"], true);
    assert_eq!(taken.reply(&view["number"], "wait"), (409, json!({ "error": "the exam is over" })));
    let traces = taken.verified();
    assert_eq!(traces[0].calls().count(), 4);
}

#[test]
fn an_exam_that_is_left_says_so_in_its_trace() {
    let mut taken = Taken::new("valley_farm", &[], &[1, 2], Rules::Hidden);
    let view = taken.look();
    assert_eq!(taken.reply(&view["number"], "wait").0, 200);
    taken.is_left.store(true, Ordering::Relaxed);
    let played = taken.run.take().unwrap().join().unwrap();
    assert_eq!((played.done, played.calls), (0, 1));
    let trace = std::fs::read_to_string(taken.folder.join("seed-1.jsonl")).unwrap();
    assert!(trace.lines().last().unwrap().contains("the exam was left while this text was shown"), "{trace}");
}
