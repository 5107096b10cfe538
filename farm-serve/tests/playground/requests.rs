//! What the requests of the page answer, and what they refuse.

use serde_json::{Value, json};

use super::Served;

fn post(served: &Served, path: &str, body: &str) -> (u16, Value) {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = config.build().into();
    let mut answer = agent.post(served.url(path)).header("Content-Type", "application/json").send(body).unwrap();
    let status = answer.status().as_u16();
    let text = answer.body_mut().read_to_string().unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

#[test]
fn a_place_is_the_same_wherever_it_is_asked_for() {
    let served = Served::new();
    for name in super::GAMES {
        let body = json!({ "game": { "name": name }, "seed": 11, "policy": "random" }).to_string();
        let (status, watched) = post(&served, "/api/watch", &body);
        assert_eq!(status, 200, "{watched}");
        let actions = watched["actions"].as_array().unwrap();
        let ask = |looks: &str, actions: &[Value]| {
            let body = json!({ "game": { "name": name }, "seed": 11, "looks": looks, "actions": actions }).to_string();
            post(&served, "/api/place", &body)
        };
        let (_, whole) = ask("learner", actions);
        assert_eq!(whole["over"], true, "{name}");
        assert_eq!(whole["return"], watched["return"], "{name}");
        assert_eq!(whole["steps"].as_u64().unwrap() as usize, actions.len());
        let (_, again) = ask("everything", actions);
        assert_eq!(whole["state"], again["state"], "{name}");
        let (_, half) = ask("learner", &actions[..actions.len() / 2]);
        assert_eq!(
            half["rewards"].as_array().unwrap()[..],
            whole["rewards"].as_array().unwrap()[..actions.len() / 2],
            "{name}"
        );
        for series in whole["series"].as_array().unwrap() {
            assert_eq!(series["values"].as_array().unwrap().len(), actions.len() + 1, "{name}: {}", series["key"]);
        }
        assert!(whole["shown"].as_array().unwrap().iter().all(|shown| shown["hidden"] == false), "{name}");
    }
}

#[test]
fn requests_that_are_not_right_are_refused_with_the_way_out() {
    let served = Served::new();
    let cases = [
        ("/api/place", json!({ "game": { "name": "clay_been" } }), 422, "clay_bean"),
        ("/api/place", json!({ "game": { "name": "clay_bean" }, "sed": 3 }), 400, "sed"),
        ("/api/place", json!({ "game": { "name": "clay_bean", "level": "../../secret.yaml" } }), 422, "no level"),
        ("/api/place", json!({ "game": { "name": "/etc/passwd" } }), 422, "not served here"),
        ("/api/place", json!({ "game": { "name": "./game.yaml" } }), 422, "not served here"),
        ("/api/place", json!({ "game": { "name": "clay_bean", "preset": "4x4" } }), 422, "4x3"),
        ("/api/place", json!({ "game": { "name": "clay_bean" }, "actions": vec!["water"; 20_001] }), 422, "20000"),
        ("/api/verdict", json!({ "game": { "name": "clay_bean" }, "actions": vec!["[]"; 401] }), 422, "at most 400"),
        ("/api/verdict", json!({ "game": { "name": "clay_bean" }, "actions": ["[]", "Fly"] }), 422, "step 2"),
        ("/api/place", json!({ "game": { "name": "backwards_valley" }, "actions": ["MoveN", "Fly"] }), 422, "step 2"),
        ("/api/place", json!({ "game": { "name": "clay_bean" }, "hint": "expret" }), 422, "expert"),
        ("/api/watch", json!({ "game": { "name": "clay_bean" }, "policy": "expert.yaml" }), 422, "expert"),
    ];
    for (path, body, status, says) in cases {
        let (found, answer) = post(&served, path, &body.to_string());
        let answer = answer.to_string();
        assert_eq!(found, status, "{body}: {answer}");
        assert!(answer.contains(says), "{answer}");
    }
    let (status, answer) = post(&served, "/api/place", "{");
    assert_eq!(status, 400, "{answer}");
}

#[test]
fn what_is_odd_about_a_game_and_what_is_wrong_is_told_in_words_of_the_page() {
    let odd = super::odd_game::OddGame::new("requests");
    let served = Served::of(&[&odd.path(), "clay_bean"]);
    let of = |name: &str| post(&served, "/api/game", &json!({ "name": name }).to_string()).1["warnings"].clone();
    let warnings = of(&odd.path());
    assert_eq!((warnings.as_array().unwrap().len(), &warnings[0]["severity"]), (1, &json!("warning")), "{warnings}");
    assert!(warnings[0]["text"].as_str().unwrap().contains("latitude 25"), "{warnings}");
    assert_eq!(of("clay_bean"), json!([]));
    let (_, answer) = post(&served, "/api/check", &json!({ "name": "clay_bean", "yaml": "name: x\n" }).to_string());
    let texts: String = answer["problems"].as_array().unwrap().iter().map(|one| one["text"].to_string()).collect();
    assert!(texts.contains("help: ") && !texts.contains("`farm "), "{texts}");
}

#[test]
fn the_instructions_on_the_page_have_no_line_break_within_a_sentence() {
    let served = Served::new();
    let (_, game) = post(&served, "/api/game", &json!({ "name": "backwards_valley" }).to_string());
    let instructions = game["instructions"]["hidden"].as_str().unwrap();
    let is_whole = instructions.lines().any(|line| line.contains("Crop Yield, Animal Health and Social Affinity."));
    assert!(is_whole, "{instructions}");
    assert!(!game["doc"].as_str().unwrap().contains('\n'));
}

/// A text that anybody may have sent: it reads no file, loads no plugin, runs no Python, and grows without bound nowhere.
#[test]
fn an_edited_game_reads_no_file_and_loads_nothing() {
    let served = Served::new();
    let secret = std::env::temp_dir().join(format!("farm-secret-{}.yaml", std::process::id()));
    std::fs::write(&secret, "name: secret_of_the_machine\n").unwrap();
    let secret_path = secret.display().to_string();
    let base = "farmers: [BasicFarmer: {}]\nrules:\n  BasicRule: {max_steps: 5}\nscore:\n  BasicScore: {}\n";
    let texts = [
        format!("extends: {secret_path}\n"),
        "extends: ./Cargo.toml.yaml\n".to_owned(),
        format!("name: x\nfields: {secret_path}\n{base}"),
        format!("name: x\nfields:\n  Field-0:\n    entities: [Weather: {{set: {secret_path}}}]\n{base}"),
        format!("name: x\nplugins: [./libevil.so]\nfields:\n  Field-0:\n    entities: [Weather: lille]\n{base}"),
        format!("name: x\nfields:\n  Field-0:\n    entities: [python: {{class: os.system}}]\n{base}"),
        format!(
            "a: &a [x, x, x, x, x, x, x, x, x]\n{}",
            (0..9).map(|i| format!("b{i}: &b{i} [*a, *a, *a, *a, *a, *a, *a, *a]\n")).collect::<String>()
        ),
        "x: &x {y: *x}\n".to_owned(),
        "[".repeat(100_000),
        format!(
            "name: x\nfields:\n  Field-0:\n    shape: {{length#nb: 1000, width#nb: 1000}}\n    entities: [Weather: lille, Soil: clay, Plant: bean, Weeds: {{}}, Pests: {{}}]\n{base}"
        ),
    ];
    for text in texts {
        let body = json!({ "name": "clay_bean", "yaml": text }).to_string();
        let (status, answer) = post(&served, "/api/check", &body);
        assert_eq!(status, 200, "{answer}");
        let told = answer.to_string();
        assert!(!told.contains("secret_of_the_machine"), "{told}");
        let place = json!({ "game": { "name": "clay_bean", "yaml": text } }).to_string();
        let (status, _) = post(&served, "/api/place", &place);
        if answer["ok"] == false {
            assert_eq!(status, 422, "{told}");
        }
    }
    std::fs::remove_file(&secret).unwrap();
    let body = json!({ "name": "clay_bean", "yaml": "x".repeat(300 * 1024) }).to_string();
    assert_eq!(post(&served, "/api/check", &body).0, 413, "a body that is too long is not read");
}

#[test]
fn the_page_names_no_other_server() {
    let served = Served::new();
    let agent: ureq::Agent = ureq::Agent::config_builder().build().into();
    let scripts = [
        "playground",
        "cards",
        "chart",
        "common",
        "details",
        "editing",
        "farm",
        "files",
        "plots",
        "screens",
        "season",
        "tree",
        "words",
    ];
    let scripts = scripts.map(|name| format!("/{name}.js"));
    for path in
        ["/", "/playground.css", "/farm.css", "/logo.svg"].iter().copied().chain(scripts.iter().map(String::as_str))
    {
        let mut answer = agent.get(served.url(path)).call().unwrap();
        let policy = answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
        let text = answer.body_mut().read_to_string().unwrap().replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{path}");
    }
}

/// The place after orders, and what was reported.
fn advance(served: &Served, body: &Value) -> Value {
    let (status, answer) = post(served, "/api/advance", &body.to_string());
    assert_eq!(status, 200, "{answer}");
    answer
}

fn dose(game: &Value, job: usize, label: &str) -> usize {
    let doses = game["farm"]["jobs"][job]["doses"].as_array().unwrap();
    doses.iter().position(|dose| dose["label"]["en"] == label).unwrap_or_else(|| panic!("{label}: {doses:?}"))
}

fn job(game: &Value, action: &str) -> usize {
    let jobs = game["farm"]["jobs"].as_array().unwrap();
    jobs.iter().position(|job| job["action"] == action).unwrap_or_else(|| panic!("{action}: {jobs:?}"))
}

#[test]
fn an_order_of_many_plots_fills_the_next_days_and_costs_what_was_announced() {
    let served = Served::new();
    let choice = json!({ "name": "clay_bean", "preset": "4x3" });
    let (_, game) = post(&served, "/api/game", &choice.to_string());
    let water = job(&game, "water_discrete");
    let dose = dose(&game, water, "20 mm");
    let start = json!({ "game": choice, "seed": 3, "details": false });
    let (_, place) = post(&served, "/api/place", &start.to_string());
    let today = &place["farm"]["jobs"][water];
    // 60 cents of work and 20 mm on 100 m² at 0.03 cents a litre; four jobs a day.
    assert_eq!(today["costs"][dose], 0.6 + 2000.0 * 0.0003);
    assert_eq!(today["per_day"], 4);
    assert_eq!(today["open"].as_array().unwrap().len(), 12);
    assert_eq!(place["picture"], "", "a farm's page asks for no picture");
    let order =
        json!({ "game": choice, "seed": 3, "orders": [{ "job": water, "dose": dose, "plots": [0, 1, 2, 5, 6, 7] }] });
    let answer = advance(&served, &order);
    assert_eq!((&answer["advanced"]["days"], &answer["advanced"]["done"]), (&json!(2), &json!([[water, 6]])));
    assert!((answer["place"]["return"].as_f64().unwrap() + 6.0 * 1.2).abs() < 1e-9, "{}", answer["place"]["return"]);
    let season = &answer["place"]["season"];
    // Four of twelve plots got 20 mm on the first day.
    assert_eq!(season["irrigation_mm"], json!([0.0, 6.667, 3.333]));
    assert_eq!(season["jobs"], json!([[], [[water, 4]], [[water, 2]]]));
    // The same actions lead to the same place.
    let again = json!({ "game": choice, "seed": 3, "actions": answer["place"]["actions"], "details": false });
    assert_eq!(post(&served, "/api/place", &again.to_string()).1["state"], answer["place"]["state"]);
}

#[test]
fn time_stops_before_a_loss_and_the_reason_is_reported() {
    let served = Served::new();
    let choice = json!({ "name": "clay_bean", "preset": "4x3" });
    let (mut actions, mut codes) = (json!([]), Vec::new());
    for _ in 0..60 {
        let answer = advance(&served, &json!({ "game": choice, "seed": 3, "actions": actions, "until": true }));
        let (days, news) = (answer["advanced"]["days"].as_u64().unwrap(), &answer["advanced"]["news"]);
        assert!((1..=30).contains(&days), "{answer}");
        let news = news.as_array().unwrap();
        assert!(!news.is_empty(), "a stop has a reason");
        let place = &answer["place"];
        for one in news {
            let code = one["code"].as_str().unwrap();
            codes.push(code.to_owned());
            let flags = |name: &str| place["farm"]["fields"][0][name].as_array().unwrap();
            let all = |name: &str| {
                one["plots"].as_array().unwrap().iter().all(|plot| flags(name)[plot.as_u64().unwrap() as usize] == true)
            };
            match code {
                "dry" => assert!(all("dry")),
                "ripe" => assert!(all("ripe")),
                "rain" => assert!(one["mm"].as_f64().unwrap() >= 10.0),
                _ => {}
            }
        }
        actions = place["actions"].clone();
        if codes.iter().filter(|code| *code == "ripe").count() == 3 {
            break;
        }
    }
    // Ripe plots stop time every day until they are harvested; days that are counted pass anyway.
    let answer = advance(&served, &json!({ "game": choice, "seed": 3, "actions": actions, "days": 250 }));
    assert_eq!((&answer["advanced"]["news"][0]["code"], &answer["place"]["over"]), (&json!("over"), &json!(true)));
    for wanted in ["stage", "dry", "rain", "ripe"] {
        assert!(codes.iter().any(|code| code == wanted), "{wanted}: {codes:?}");
    }
}

#[test]
fn an_order_that_is_not_possible_is_reported_and_changes_nothing() {
    let served = Served::new();
    let choice = json!({ "name": "clay_bean", "preset": "4x3" });
    let (_, game) = post(&served, "/api/game", &choice.to_string());
    let harvest = job(&game, "micro_harvest");
    let order = json!({ "game": choice, "seed": 3, "orders": [{ "job": harvest, "plots": [4] }] });
    let answer = advance(&served, &order);
    assert_eq!(answer["advanced"]["days"], 0);
    assert_eq!(answer["advanced"]["news"], json!([{ "code": "failed", "job": harvest, "plots": [4] }]));
    let closed = &answer["place"]["farm"]["jobs"][harvest]["closed"];
    assert!(closed["en"].as_str().is_some_and(|reason| !reason.is_empty()), "{closed}");
    assert_ne!(closed["en"], closed["fr"]);
    let wrong = [json!({ "job": 99 }), json!({ "job": harvest, "dose": 7 }), json!({ "job": harvest, "plots": [12] })];
    for order in wrong {
        let body = json!({ "game": choice, "orders": [order] }).to_string();
        let (status, answer) = post(&served, "/api/advance", &body);
        assert_eq!(status, 400, "{answer}");
    }
    let (status, answer) =
        post(&served, "/api/advance", &json!({ "game": { "name": "backwards_valley" } }).to_string());
    assert_eq!(status, 400, "{answer}");
}

/// The return of some days without work that the expert finishes, in the world of the verdict.
fn finished_by_hand(taken: usize) -> f64 {
    let options = farm_games::Options { preset: Some("4x3".to_owned()), ..farm_games::Options::default() };
    let game = std::sync::Arc::new(farm_games::open("clay_bean", &options).unwrap());
    let mut expert = farm_games::policies::policy_by_name(&game, "expert").unwrap();
    let mut environment = farm_core::Environment::new(game.clone());
    environment.reset(3);
    expert.start(3);
    let mut total = 0.0;
    for step in 0.. {
        if environment.state().over() {
            break;
        }
        let mut schedule = Vec::new();
        expert.choose(&game, environment.state(), &mut schedule);
        if step < taken {
            schedule.clear();
        }
        total += environment.step(schedule.as_slice()).unwrap().reward;
    }
    total
}

#[test]
fn a_verdict_names_the_losses_and_the_day_to_play_again_from() {
    let served = Served::new();
    let choice = json!({ "name": "clay_bean", "preset": "4x3" });
    let waits = vec!["[]"; 250];
    let body = json!({ "game": choice, "seed": 3, "actions": waits }).to_string();
    let (status, verdict) = post(&served, "/api/verdict", &body);
    assert_eq!(status, 200, "{verdict}");
    let watched = |policy: &str| {
        let body = json!({ "game": choice, "seed": 3, "policy": policy }).to_string();
        post(&served, "/api/watch", &body).1["return"].as_f64().unwrap()
    };
    let returns: Vec<f64> =
        verdict["returns"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert_eq!((&verdict["heir"], returns[0]), (&json!("expert"), watched("expert")));
    assert_eq!(returns.last(), Some(&0.0), "a farm without work earns nothing");
    for taken in [1, 30, 60, returns.len() - 2] {
        assert_eq!(returns[taken], finished_by_hand(taken), "{taken} days without work, and then the expert");
    }
    let losses = verdict["losses"].as_array().unwrap();
    assert!((1..=4).contains(&losses.len()), "{losses:?}");
    for loss in losses {
        let at = |key: &str| returns[loss[key].as_u64().unwrap() as usize];
        assert!((loss["amount"].as_f64().unwrap() - (at("from") - at("to"))).abs() < 1e-9, "{loss}");
    }
    assert!(losses.windows(2).all(|pair| pair[0]["amount"].as_f64() >= pair[1]["amount"].as_f64()));
    assert!(losses.iter().any(|loss| loss["from"] == verdict["play_again"]), "{verdict}");
    assert!(losses.iter().any(|loss| loss["cause"]["code"] == "ripe"), "ripe plots were never harvested: {losses:?}");
    let others = verdict["others"].as_array().unwrap();
    let expert = others.iter().find(|other| other["policy"] == "expert").unwrap();
    assert_eq!(expert["return"], watched("expert"));
}
