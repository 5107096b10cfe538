//! A class: 40 pupils at once, what strangers and pupils can't do, and a restart.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use farm_serve::{ClassSettings, ServeError, Server, Settings};
use serde_json::{Value as Json, json};

use crate::client::Running;

/// The season of a new class: the first game that has plots, with several of them.
fn season() -> Json {
    json!({ "name": "clay_bean", "preset": "4x3" })
}

/// A class in a folder of its own, which ends with the test.
struct Class {
    server: Running,
    folder: PathBuf,
    code: String,
    secret: String,
}

impl Class {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("farm-class-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self::open(folder)
    }

    fn open(folder: PathBuf) -> Self {
        let record = Some(folder.join("record"));
        let server_settings = Settings { record, ..Settings::default() };
        let class = settings(&folder, "Spring 9b");
        let (server, address) = Running::of_class(&["backwards_valley", "clay_bean"], &class, server_settings);
        let code = address.pupils.rsplit('/').next().unwrap().to_owned();
        let secret = address.teacher.split_once("#token=").unwrap().1.to_owned();
        Self { server, folder, code, secret }
    }

    /// Stops the server, and starts another one from the file.
    fn restarted(mut self) -> Self {
        self.server.stop();
        Self::open(self.folder)
    }

    /// Ends the server, which saves the class, and removes the folder.
    fn end(mut self) {
        self.server.stop();
        std::fs::remove_dir_all(&self.folder).unwrap();
    }

    fn ask(&self, path: &str, key: &str, body: Option<&Json>) -> (u16, Json) {
        let authorization = format!("Bearer {key}");
        let headers = [("authorization", &*authorization), ("content-type", "application/json")];
        let (method, text) = body.map_or(("GET", String::new()), |body| ("POST", body.to_string()));
        let (status, answer) = self.server.request(method, path, &headers, &text);
        (status, serde_json::from_str(&answer).unwrap_or(Json::String(answer)))
    }

    fn teacher(&self, body: &Json) -> Json {
        let (status, answer) = self.ask("/api/class", &self.secret, Some(body));
        assert_eq!(status, 200, "{body}: {answer}");
        answer
    }

    fn table(&self) -> Json {
        self.ask("/api/class", &self.secret, None).1
    }

    fn join(&self, code: &str, nickname: &str) -> (u16, Json) {
        self.server.post("/api/join", &json!({ "code": code, "nickname": nickname }))
    }

    fn joined(&self, nickname: &str) -> String {
        let (status, answer) = self.join(&self.code, nickname);
        assert_eq!(status, 200, "{answer}");
        answer["key"].as_str().unwrap().to_owned()
    }

    fn advance(&self, key: &str, more: &Json) -> (u16, Json) {
        let mut body = json!({ "game": season(), "seed": 0 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.ask("/api/advance", key, Some(&body))
    }
}

fn settings(folder: &std::path::Path, name: &str) -> ClassSettings {
    ClassSettings { name: name.to_owned(), file: folder.join("class.json") }
}

/// A scripted pupil: waters, lets time pass, undoes, and looks at what was lost.
struct Scripted {
    address: SocketAddr,
    agent: ureq::Agent,
    nickname: String,
    key: String,
    actions: Vec<Json>,
    money: f64,
    /// The time of each answer, in ms.
    times: Vec<f64>,
    verdicts: Vec<f64>,
    seasons: usize,
}

impl Scripted {
    fn new(class: &Class, nickname: String) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let (key, actions) = (class.joined(&nickname), Vec::new());
        let agent = config.build().into();
        let address = class.server.address;
        Self { address, agent, nickname, key, actions, money: 0.0, times: Vec::new(), verdicts: Vec::new(), seasons: 0 }
    }

    fn post(&mut self, path: &str, more: &Json) -> Json {
        let mut body = json!({ "game": season(), "seed": 0, "actions": self.actions });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let url = format!("http://{}{path}", self.address);
        let begun = Instant::now();
        let answer = self.agent.post(url).header("authorization", format!("Bearer {}", self.key)).send_json(&body);
        let mut answer = answer.unwrap();
        let status = answer.status();
        let answer: Json = answer.body_mut().with_config().limit(10_000_000).read_json().unwrap();
        let times = if path == "/api/verdict" { &mut self.verdicts } else { &mut self.times };
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    fn take(&mut self, place: &Json) {
        self.actions = place["actions"].as_array().unwrap().clone();
        self.money = place["return"].as_f64().unwrap();
        if place["over"] == true {
            self.seasons += 1;
            let verdict = self.post("/api/verdict", &json!({}));
            assert!(verdict["returns"].as_array().unwrap().len() > 1, "{verdict}");
            // The season starts again.
            self.actions.clear();
            let start = self.post("/api/place", &json!({}));
            self.money = start["return"].as_f64().unwrap();
        }
    }

    /// Plays a turn; `dice` chooses what.
    fn turn(&mut self, dice: u64) {
        let answer = match dice % 5 {
            0 => self.post(
                "/api/advance",
                &json!({ "orders": [{ "job": 0, "dose": 2, "plots": [dice % 12, (dice / 5) % 12] }] }),
            ),
            1 => self.post("/api/advance", &json!({ "until": true })),
            2 if !self.actions.is_empty() => {
                self.actions.pop();
                let place = self.post("/api/place", &json!({ "details": false }));
                json!({ "place": place })
            }
            _ => self.post("/api/advance", &json!({ "days": 3 })),
        };
        self.take(&answer["place"]);
    }
}

/// The time that the pupils play. A longer run measures latencies and memory: `CLASS_SECONDS=300`.
fn playing_time() -> (Duration, Duration) {
    let seconds = std::env::var("CLASS_SECONDS").ok().and_then(|text| text.parse().ok());
    // In a measurement, a pupil thinks for a second; in the test, all hurry.
    seconds.map_or((Duration::from_secs(3), Duration::ZERO), |s| (Duration::from_secs(s), Duration::from_millis(1000)))
}

fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(((times.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.0)
}

#[test]
fn forty_pupils_play_at_once_and_nothing_is_lost_even_by_a_restart() {
    let class = Class::new("forty");
    class.teacher(&json!({ "now": "running" }));
    let (time, pause) = playing_time();
    let begun = Instant::now();
    let played: Vec<Scripted> = std::thread::scope(|scope| {
        let pupil = |i: u64| {
            let class = &class;
            scope.spawn(move || {
                let mut pupil = Scripted::new(class, format!("Pupil {i}"));
                let mut dice = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(i + 1);
                while begun.elapsed() < time {
                    dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    pupil.turn(dice >> 33);
                    std::thread::sleep(pause);
                }
                pupil
            })
        };
        let threads: Vec<_> = (0..40).map(pupil).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut times: Vec<f64> = played.iter().flat_map(|one| one.times.clone()).collect();
    let mut verdicts: Vec<f64> = played.iter().flat_map(|one| one.verdicts.clone()).collect();
    let seasons: usize = played.iter().map(|one| one.seasons).sum();
    eprintln!(
        "{} answers in {:.0} s, {seasons} seasons; ms: median {:.1}, 95 % {:.1}, 99 % {:.1}, longest {:.1}; {} verdicts: median {:.0}, longest {:.0}; {}",
        times.len(),
        begun.elapsed().as_secs_f64(),
        percentile(&mut times, 0.5),
        percentile(&mut times, 0.95),
        percentile(&mut times, 0.99),
        percentile(&mut times, 1.0),
        verdicts.len(),
        percentile(&mut verdicts, 0.5),
        percentile(&mut verdicts, 1.0),
        memory(),
    );
    assert!(times.len() > 80, "the pupils play: {}", times.len());
    let check = |class: &Class| {
        let table = class.table();
        let rows = table["pupils"].as_array().unwrap();
        assert_eq!(rows.len(), 40);
        for Scripted { nickname, key, actions, money, .. } in &played {
            let (_, season) = class.ask("/api/season", key, None);
            assert_eq!(season["actions"].as_array().unwrap(), actions, "{nickname}");
            let row = rows.iter().find(|row| row["nickname"] == **nickname).unwrap();
            assert!((row["season"]["money"].as_f64().unwrap() - money).abs() < 0.001, "{nickname}: {row}");
            assert_eq!(row["season"]["steps"].as_u64().unwrap() as usize, actions.len(), "{nickname}");
        }
    };
    check(&class);
    let class = class.restarted();
    check(&class);
    // The addresses and the keys stay, and pupils play on.
    let (status, answer) = class.advance(&played[0].key, &json!({ "actions": played[0].actions }));
    assert_eq!(status, 200, "{answer}");
    class.end();
}

/// The memory of this process, which is also that of the pupils.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or_default().replace('\t', " ");
    format!("{}, {}", line("VmRSS"), line("VmHWM"))
}

#[test]
fn without_the_code_a_key_or_the_secret_nothing_is_answered() {
    let class = Class::new("strangers");
    let key = class.joined("Robin");
    for code in ["", "aaaa-aaaa", &class.secret, &class.code[..4]] {
        assert_eq!(class.join(code, "Stranger").0, 403, "{code}");
    }
    let season = json!({ "game": season(), "seed": 0 });
    let pupils = ["place", "advance", "watch", "verdict", "game", "me", "season"];
    for wrong in ["", "0", "00000000000000000000000000000000", &*class.code, &*class.secret] {
        for path in pupils {
            assert_eq!(
                class.ask(&format!("/api/{path}"), wrong, (!matches!(path, "me" | "season")).then_some(&season)).0,
                403,
                "{path}"
            );
        }
    }
    // The teacher's requests need the secret: a pupil's key and the code are not enough.
    for wrong in ["", &*key, &*class.code] {
        for (path, body) in [
            ("/api/class", None),
            ("/api/class", Some(json!({ "now": "running" }))),
            ("/api/class", Some(json!({ "remove": 1 }))),
            ("/api/class/about", None),
            ("/api/class/seasons", Some(json!([1]))),
            ("/api/class/csv", None),
            ("/api/class/game", Some(season["game"].clone())),
        ] {
            assert_eq!(class.ask(path, wrong, body.as_ref()).0, 401, "{path}");
        }
    }
    assert_ne!(class.ask("/api/%63lass", &key, None).0, 200, "another spelling of the path");
    // The requests of other servers are not there: no edited games, no sessions of trainers.
    for path in ["/api/check", "/api/complete", "/api/signs", "/reset", "/mcp", "/metrics"] {
        assert!(class.ask(path, &key, Some(&json!({}))).0 >= 404, "{path}");
    }
    assert_eq!(class.table()["now"], "waiting");
    class.end();
}

#[test]
fn a_pupil_plays_only_the_season_of_the_class_and_sees_the_rest_after_it() {
    let class = Class::new("season");
    let (robin, fennel) = (class.joined("Robin"), class.joined("Fennel"));
    assert_eq!(class.advance(&robin, &json!({})).0, 423, "the teacher has not started");
    class.teacher(&json!({ "now": "running" }));
    let (status, answer) = class.advance(&robin, &json!({ "days": 2 }));
    assert_eq!((status, &answer["place"]["steps"]), (200, &json!(2)), "{answer}");
    // Another game, a text of one's own, another seed.
    let own = std::fs::read_to_string("../farm-games/games/clay_bean.yaml").unwrap();
    for other in [
        json!({ "seed": 1 }),
        json!({ "game": { "name": "clay_bean" } }),
        json!({ "game": { "name": "clay_bean", "yaml": own } }),
    ] {
        let (status, answer) = class.advance(&robin, &other);
        assert_eq!(status, 409, "{answer}");
    }
    // No hidden values and no expert before the end; a hint is possible.
    let place = |more: Json| {
        let mut body = json!({ "game": season(), "seed": 0, "actions": [] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        class.ask("/api/place", &fennel, Some(&body))
    };
    assert_eq!(place(json!({ "looks": "everything" })).0, 423);
    assert_eq!(place(json!({ "hint": "oracle" })).0, 422);
    let (status, hinted) = place(json!({ "hint": "expert" }));
    assert!(status == 200 && hinted["hint"].is_string(), "{hinted}");
    let watch = json!({ "game": season(), "seed": 0, "policy": "expert" });
    assert_eq!(class.ask("/api/watch", &fennel, Some(&watch)).0, 423);
    assert_eq!(class.ask("/api/verdict", &fennel, Some(&json!({ "game": season(), "seed": 0, "actions": [] }))).0, 423);
    let (_, over) = class.advance(&fennel, &json!({ "days": 300 }));
    assert_eq!(over["place"]["over"], true);
    let (status, watched) = class.ask("/api/watch", &fennel, Some(&watch));
    assert_eq!(status, 200, "{watched}");
    // The expert's season is looked at, and does not replace the pupil's.
    let (status, seen) = place(json!({ "looks": "everything", "actions": watched["actions"] }));
    assert_eq!((status, &seen["over"]), (200, &json!(true)));
    let (_, own) = class.ask("/api/season", &fennel, None);
    assert_eq!(own["actions"], over["place"]["actions"]);
    // Each has a season of its own, and nothing of others.
    let (_, robins) = class.ask("/api/season", &robin, None);
    assert_eq!(robins["actions"].as_array().unwrap().len(), 2);
    let (_, me) = class.ask("/api/me", &robin, None);
    assert!(me["nickname"] == "Robin" && !me.to_string().contains("Fennel"), "{me}");
    class.teacher(&json!({ "now": "paused" }));
    assert_eq!(class.advance(&robin, &json!({})).0, 423);
    // Another season: all start again, and wait.
    let changed = class
        .teacher(&json!({ "season": { "game": { "name": "clay_bean", "preset": "4x3", "days": 20 }, "seed": 5 } }));
    assert_eq!((&changed["now"], &changed["round"]), (&json!("waiting"), &json!(2)));
    assert!(
        changed["pupils"]
            .as_array()
            .unwrap()
            .iter()
            .all(|pupil| pupil["season"]["steps"] == 0 && pupil["best"].is_null())
    );
    class.teacher(&json!({ "now": "running" }));
    let short = json!({ "game": { "name": "clay_bean", "preset": "4x3", "days": 20 }, "seed": 5, "days": 300 });
    let (status, answer) = class.ask("/api/advance", &robin, Some(&short));
    assert_eq!((status, &answer["place"]["steps"], &answer["place"]["over"]), (200, &json!(20), &json!(true)));
    let (status, refused) = class.ask(
        "/api/class",
        &class.secret,
        Some(&json!({ "season": { "game": { "name": "backwards_valley" }, "seed": 0 } })),
    );
    assert!(status == 400 && refused.to_string().contains("no plots"), "{refused}");
    let (status, refused) = class.ask(
        "/api/class",
        &class.secret,
        Some(&json!({ "season": { "game": { "name": "clay_bean", "days": 0 }, "seed": 0 } })),
    );
    assert!(status == 422, "{refused}");
    class.end();
}

#[test]
fn the_teacher_lets_pupils_in_removes_them_and_compares_them() {
    let class = Class::new("teacher");
    let (robin, fennel) = (class.joined("Robin"), class.joined("Fennel"));
    let (status, taken) = class.join(&class.code.to_uppercase(), "  ROBIN ");
    assert!(status == 422 && taken.to_string().contains("is taken"), "{taken}");
    for wrong in ["", "<b>", "=A1", "a\u{202e}b"] {
        assert_eq!(class.join(&class.code, wrong).0, 422, "{wrong:?}");
    }
    class.teacher(&json!({ "open": false }));
    assert_eq!(class.join(&class.code, "Otter").0, 422);
    class.teacher(&json!({ "open": true, }));
    class.teacher(&json!({ "now": "running" }));
    class.advance(&robin, &json!({ "days": 3 }));
    class.advance(&fennel, &json!({ "orders": [{ "job": 0, "dose": 2, "plots": [0] }] }));
    let (status, seasons) = class.ask("/api/class/seasons", &class.secret, Some(&json!([2, 1])));
    assert_eq!(status, 200, "{seasons}");
    let money = |i: usize| seasons[i]["season"]["money"].as_array().unwrap().len();
    assert_eq!((money(0), money(1)), (2, 4));
    assert_eq!(class.ask("/api/class/seasons", &class.secret, Some(&json!([1, 2, 3]))).0, 422);
    let (status, csv) = class.ask("/api/class/csv", &class.secret, None);
    let lines: Vec<&str> = csv.as_str().unwrap().lines().collect();
    assert!(status == 200 && lines[1].starts_with("Robin,3,false,0.00,,0,0.0,0.0"), "{csv}");
    assert!(lines[2].starts_with("Fennel,1,false,-") && lines[2].contains(",1,0.0,"), "{csv}");
    let left = class.teacher(&json!({ "remove": 1 }));
    assert_eq!(left["pupils"].as_array().unwrap().len(), 1);
    assert_eq!(class.ask("/api/me", &robin, None).0, 403);
    assert_eq!(class.ask("/api/class", &class.secret, Some(&json!({ "remove": 1 }))).0, 422);
    // A new pupil never gets the number of a former one.
    class.teacher(&json!({ "remove": 2 }));
    class.joined("Wren");
    assert_eq!(class.table()["pupils"][0]["id"], 3);
    // The class has room for 64, and no more.
    for i in 0..63 {
        class.joined(&format!("Filler {i}"));
    }
    let (status, full) = class.join(&class.code, "One more");
    assert!(status == 422 && full.to_string().contains("full"), "{full}");
    class.end();
}

#[test]
fn a_class_that_cannot_be_opened_is_told_with_its_file() {
    let folder = std::env::temp_dir().join(format!("farm-class-wrong-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let open = |names: &[&str], class: &ClassSettings| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let games = farm_serve::Games::open(&names, &farm_games::Options::default()).unwrap();
        match Server::bind_class(games, class, Settings::default()) {
            Err(error @ ServeError::Class { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let spring = settings(&folder, "Spring 9b");
    assert!(open(&["backwards_valley"], &spring).contains("needs a game with plots"));
    assert!(open(&["clay_bean"], &settings(&folder, "<9b>")).contains("the name of the class"));
    let missing = ClassSettings { file: folder.join("nowhere/class.json"), ..spring.clone() };
    assert!(open(&["clay_bean"], &missing).contains("nowhere"));
    std::fs::write(&spring.file, "{}").unwrap();
    assert!(open(&["clay_bean"], &spring).contains("pass another `--class-file`"));
    std::fs::remove_file(&spring.file).unwrap();
    let (mut server, _) = Running::of_class(&["clay_bean"], &spring, Settings::default());
    server.stop();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&spring.file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the file contains keys");
    }
    assert!(open(&["clay_bean"], &settings(&folder, "Autumn")).contains("belongs to the class `Spring 9b`"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_session_follows_each_pupil_and_its_record_has_the_same_rewards() {
    let class = Class::new("record");
    let key = class.joined("Robin");
    class.teacher(&json!({ "now": "running" }));
    let water = json!({ "orders": [{ "job": 0, "dose": 2, "plots": [0, 1, 2, 3, 4] }] });
    let (_, watered) = class.advance(&key, &water);
    // Undo, and another branch.
    let actions = watered["place"]["actions"].as_array().unwrap()[..1].to_vec();
    let undone = json!({ "game": season(), "seed": 0, "actions": actions });
    assert_eq!(class.ask("/api/place", &key, Some(&undone)).0, 200);
    let (_, on) = class.advance(&key, &json!({ "actions": actions, "until": true }));
    let rewards = on["place"]["rewards"].clone();
    let Class { mut server, folder, .. } = class;
    server.stop();
    let recorded = |path: PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.iter().filter(|line| line["type"] == "step").map(|line| line["reward"].clone()).collect::<Vec<_>>()
    };
    let files = std::fs::read_dir(folder.join("record")).unwrap();
    let all: Vec<Json> = files.map(|file| json!(recorded(file.unwrap().path()))).collect();
    assert!(all.contains(&watered["place"]["rewards"]) && all.contains(&rewards), "{all:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
