//! What a text of a stranger may take, counted byte by byte: in a process of its own, since every allocation of it is counted.
//!
//! The largest game that is accepted is looked for in each of many directions, and compiled: it keeps no more than was counted beforehand,
//! and what it takes meanwhile is bounded, too. Then a server is sent texts that were far too large once.

mod served;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use farm_core::config::{LimitError, Origin, Problems, STRANGER_BYTES};
use farm_core::{Environment, Game};
use farm_games::{CATALOGUE, GameDocument, Options};

/// The system's allocator, which counts what is there and what was there at most.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn more(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "an allocator is declared so; this one only counts and calls that of the system")]
// SAFETY: every call is passed on to the allocator of the system, whose contract is the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts are those of the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// What is there after `body` besides what was there before, and what was there at most, in bytes.
fn counted<R>(body: impl FnOnce() -> R) -> (R, usize, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let made = body();
    let after = LIVE.load(Ordering::Relaxed);
    (made, after.saturating_sub(before), PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

fn of_stranger(text: &str) -> Result<Game, Problems> {
    let options = Options { written_by: Origin::Stranger, ..Options::default() };
    GameDocument::parse_of_stranger("game.yaml", text)?.open(&options)
}

/// A field of a farm with these entities.
fn field(name: &str, length: usize, width: usize, entities: &str) -> String {
    format!(
        "  {name}:\n    shape: {{length#nb: {length}, width#nb: {width}, scale#m: 10.0}}\n    entities: [{entities}]\n"
    )
}

fn farm(fields: &str, rule: &str, more: &str) -> String {
    format!(
        "name: large\nfields:\n{fields}farmers: [BasicFarmer: {{max_daily_interventions: 1}}]\nrules: {{BasicRule: {{max_steps: 100{rule}}}}}\n\
         score: {{BasicScore: {{reward_mix: {{stage_transition: 1.0}}}}}}\npolicies: {{wait: WaitPolicy}}\n{more}"
    )
}

fn extended(game: &str, changes: &str) -> String {
    format!("name: large\nextends: {game}\nchanges: {{{changes}}}\n")
}

const CROP: &str = "Weather: montpellier, Soil: clay, Plant: bean";

/// Directions in which a text makes a game large: each a name, and the text of a size.
type Direction = (&'static str, fn(usize) -> String);

const DIRECTIONS: &[Direction] = &[
    ("plots of a small farm", |n| {
        extended("clay_bean", &format!("fields.Field-0.shape.length#nb: {n}, fields.Field-0.shape.width#nb: {n}"))
    }),
    ("plots of a row", |n| extended("clay_bean", &format!("fields.Field-0.shape.length#nb: {n}"))),
    ("plots of a farm with everything", |n| {
        extended("full_farm", &format!("fields.Field-0.shape.length#nb: {n}, fields.Field-0.shape.width#nb: {n}"))
    }),
    ("plots, where looking costs", |n| {
        let shape = format!("fields.Field-0.shape.length#nb: {n}, fields.Field-0.shape.width#nb: {n}");
        extended("costly_full_farm", &shape)
    }),
    ("plots that are all seen", |n| {
        let shape = format!("fields.Field-0.shape.length#nb: {n}, fields.Field-0.shape.width#nb: {n}");
        extended("full_farm", &format!("{shape}, interaction_mode: fomdp"))
    }),
    ("plots of the paper's equations", |n| {
        let crop = "Weather: montpellier, Soil: {base: clay, equations: paper}, Plant: {base: bean, equations: paper}";
        farm(&field("F", n, n, crop), "", "")
    }),
    ("plots of two fields", |n| {
        let shape = |field: &str| format!("fields.{field}.shape.length#nb: {n}, fields.{field}.shape.width#nb: {n}");
        extended("two_fields", &format!("{}, {}", shape("Field-0"), shape("Field-1")))
    }),
    ("tiles", |n| {
        let things = "TileMap: {}";
        farm(&field("F", n, n, things), "", "").replace("BasicFarmer: {max_daily_interventions: 1}", "GridFarmer: {}")
    }),
    ("fields", |n| farm(&(0..n).map(|i| field(&format!("F{i}"), 1, 1, CROP)).collect::<String>(), "", "")),
    ("generated weather", |n| {
        let crop = CROP.replace("Weather: montpellier", "Weather: {base: montpellier, source: generator}");
        farm(&(0..n).map(|i| field(&format!("F{i}"), 1, 1, &crop)).collect::<String>(), "", "")
    }),
    ("entities of a field", |n| {
        let many = ", Fertilizer: npk".repeat(n);
        farm(&field("F", 1, 1, &format!("{CROP}{many}")), "", "")
    }),
    ("entities of many plots", |n| {
        let many = ", Pests: basic".repeat(n.min(60));
        farm(&field("F", 20, n, &format!("{CROP}, Birds: seed_eater{many}")), "", "")
    }),
    ("farmers", |n| {
        let farmers = "BasicFarmer: {}, ".repeat(n);
        farm(&field("F", 10, 10, CROP), "", "").replace("farmers: [", &format!("farmers: [{farmers}"))
    }),
    ("tables of weather", |n| {
        let tables = "{dataset: montpellier, weight: 1}, ".repeat(n);
        farm(
            &field("F", 1, 1, &CROP.replace("Weather: montpellier", &format!("Weather: {{files: [{tables}]}}"))),
            "",
            "",
        )
    }),
    ("values of an action", |n| {
        let amounts: String = (1..=n).map(|i| format!("{i}, ")).collect();
        let actions = format!(
            ", actions: {{F: {{Soil-0: {{water_discrete: {{plot: '*', amount#L: [{amounts}], duration#min: [60]}}}}}}}}"
        );
        farm(&field("F", 10, 10, CROP), &actions, "")
    }),
    ("bins of a range", |n| {
        let actions = format!(
            ", number_of_bins_to_discretize_continuous_actions: {n}, actions: {{F: {{Soil-0: {{water_continuous: {{plot: '*', amount#L: '(1, 9)', duration#min: '(1, 60)'}}}}}}}}"
        );
        farm(&field("F", 3, 3, CROP), &actions, "")
    }),
    ("a schedule", |n| farm(&field("F", 1, 1, CROP), &format!(", max_action_schedule_size: {n}"), "")),
    ("monitors", |n| {
        let monitor: String = (0..n).map(|i| format!("[F, Plant-0, size#cm, sum, Size {i}, range_auto], ")).collect();
        farm(&field("F", 2, 2, CROP), "", &format!("monitoring: [{monitor}]\n"))
    }),
    ("stopping conditions", |n| {
        let condition =
            "[{state_variable: [F, Plant-0, stage], function: fraction, of: [dead], operator: '>=', ref_value: 1}], "
                .repeat(n);
        farm(&field("F", 2, 2, CROP), &format!(", stopping_conditions: [{condition}]"), "")
    }),
    ("presets", |n| {
        let presets: String = (0..n).map(|i| format!("p{i}: {{doc: x}}, ")).collect();
        farm(&field("F", 2, 2, CROP), "", &format!("presets: {{{presets}}}\n"))
    }),
    ("aliases", |n| {
        let condition =
            "&x [{state_variable: [F, Plant-0, stage], function: fraction, of: [dead], operator: '>=', ref_value: 1}]";
        farm(&field("F", 2, 2, CROP), &format!(", stopping_conditions: [{condition}{}]", ", *x".repeat(n)), "")
    }),
];

/// The largest size of a direction that is accepted, up to a million; none if not even 1 is.
fn largest(text: fn(usize) -> String) -> Option<usize> {
    // Texts as long as a server takes them.
    let accepts = |n: usize| {
        let text = text(n);
        text.len() <= 256 * 1024 && of_stranger(&text).is_ok()
    };
    if !accepts(1) {
        return None;
    }
    let mut low = 1;
    while low < 1_000_000 && accepts(2 * low) {
        low *= 2;
    }
    let mut high = 2 * low;
    // A twentieth is near enough.
    while high - low > 1 + low / 20 {
        let middle = low + (high - low) / 2;
        if accepts(middle) { low = middle } else { high = middle }
    }
    Some(low)
}

#[test]
fn the_largest_games_that_are_accepted_stay_within_their_budget() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // What is read once and kept for all games: tables of weather, fonts, the registry.
    drop(of_stranger(&extended("full_farm", "doc: large")).unwrap_or_else(|problems| panic!("{problems}")));
    let mut told = String::new();
    let mut wrong = Vec::new();
    for (name, text) in DIRECTIONS {
        let Some(size) = largest(*text) else {
            let problems = of_stranger(&text(1)).map(drop).expect_err("size 1 is refused");
            let _ = writeln!(told, "{name}: {problems}");
            wrong.push(*name);
            continue;
        };
        let text = text(size);
        let start = Instant::now();
        let ((game, state), kept, peak) = counted(|| {
            let game = Arc::new(of_stranger(&text).unwrap());
            let mut environment = Environment::new(game.clone());
            environment.reset(1);
            let _ = environment.step(&[][..]);
            (game, environment)
        });
        let took = start.elapsed();
        let counted = game.size_in_bytes();
        let _ = writeln!(told, "{name}: {size}, {kept} bytes kept of {counted} counted, {peak} at most, {took:.1?}");
        if kept as u64 > counted
            || counted > STRANGER_BYTES
            || peak as u64 > 6 * STRANGER_BYTES
            || took > Duration::from_secs(20)
        {
            wrong.push(*name);
        }
        drop((game, state));
    }
    assert!(wrong.is_empty(), "{wrong:?} of\n{told}");
    println!("{told}");
}

#[test]
fn a_size_beyond_the_budget_is_told_with_the_budget_and_costs_little() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    drop(of_stranger(&extended("full_farm", "doc: large")).unwrap());
    for (name, text) in DIRECTIONS {
        for size in [200, 700, 1000, 100_000] {
            let text = text(size);
            if text.len() > 256 * 1024 {
                continue;
            }
            let (opened, _, peak) = counted(|| of_stranger(&text).map(drop));
            assert!(peak as u64 <= 6 * STRANGER_BYTES, "{name}, {size}: {peak} bytes");
            let Err(problems) = opened else { continue };
            assert!(problems.0.len() <= 4, "{name}, {size}: {problems}");
            let Some(problem) = problems.0.iter().find(|problem| problem.is(LimitError::GameTooLarge)) else {
                continue;
            };
            assert!(problem.expected.is_some() && problem.location.is_some(), "{name}, {size}: {problems}");
        }
    }
}

#[test]
fn every_game_of_the_catalogue_is_small_enough_for_a_stranger() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for entry in CATALOGUE {
        let game = of_stranger(&extended(entry.name, "doc: mine"))
            .unwrap_or_else(|problems| panic!("{}: {problems}", entry.name));
        assert!(game.size_in_bytes() < STRANGER_BYTES / 2, "{}: {}", entry.name, game.size_in_bytes());
    }
}

/// What ended a server once: games of 200 to 1000 plots on each side, one after another and side by side.
#[test]
fn a_server_outlives_texts_that_are_far_too_large() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = served::Served::new(&["clay_bean", "backwards_valley"]);
    let large = |n: usize| {
        extended("clay_bean", &format!("fields.Field-0.shape.length#nb: {n}, fields.Field-0.shape.width#nb: {n}"))
    };
    let bodies = |n: usize| {
        let game = serde_json::json!({ "name": "clay_bean", "yaml": large(n) });
        [
            ("/api/game", game.clone()),
            ("/api/check", game.clone()),
            ("/api/signs", game.clone()),
            ("/api/place", serde_json::json!({ "game": game.clone(), "actions": ["[]"] })),
            ("/api/watch", serde_json::json!({ "game": game, "policy": "expert" })),
        ]
    };
    let ((), _, peak) = counted(|| {
        std::thread::scope(|scope| {
            for n in [200, 300, 700, 1000] {
                let server = &server;
                scope.spawn(move || {
                    for (path, body) in bodies(n) {
                        let (status, answer) = server.post(path, &body.to_string());
                        assert_eq!(status, if path == "/api/check" { 200 } else { 422 }, "{path}: {answer}");
                        let said = answer.to_string();
                        assert!(said.contains("game-too-large") && said.contains("at most 16.0 MB"), "{path}: {said}");
                    }
                });
            }
        });
    });
    assert!(peak < 200_000_000, "{peak} bytes");
    let (status, answer) = server.post("/api/game", r#"{"name": "backwards_valley"}"#);
    assert_eq!(status, 200, "{answer}");
}

/// To read a part takes milliseconds, so that parts are counted before.
#[test]
fn a_game_of_too_many_parts_is_refused_at_once() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let beans = |n: usize| format!("{CROP}{}", ", Plant: bean".repeat(n));
    for text in [
        farm(&field("F", 1, 1, &beans(990)), "", ""),
        farm(&["F", "G", "H"].map(|name| field(name, 1, 1, &beans(600))).concat(), "", ""),
        // One that has other problems, too, which would be looked for in the rest of it.
        farm(&field("F", 1, 1, &format!("{}, Plnt: bean", beans(990))), "", ""),
    ] {
        let start = Instant::now();
        let source = GameDocument::parse_of_stranger("game.yaml", &text).unwrap();
        let (game, problems) = source.check(&Options { written_by: Origin::Stranger, ..Options::default() });
        assert!(game.is_none() && problems.0.len() == 1, "{problems}");
        assert!(
            problems.0[0].is(LimitError::GameTooLarge) && problems.to_string().contains("at most 120"),
            "{problems}"
        );
        assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
    }
}

/// Games that are accepted are kept, and what is kept is bounded by bytes: each of these takes nearly all that a stranger's game may.
#[test]
fn what_a_server_keeps_of_games_is_bounded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = served::Served::new(&["clay_bean"]);
    let size = largest(DIRECTIONS[0].1).unwrap();
    let mut most = 0;
    let ((), kept, _) = counted(|| {
        for i in 0..14 {
            let yaml = DIRECTIONS[0].1(size).replace("name: large", &format!("name: large_{i}"));
            let game = serde_json::json!({ "name": "clay_bean", "yaml": yaml });
            for (path, body) in [
                ("/api/game", game.clone()),
                ("/api/place", serde_json::json!({ "game": game.clone(), "actions": ["[]", "[]"] })),
                ("/api/watch", serde_json::json!({ "game": game.clone(), "policy": "wait" })),
            ] {
                let (_, _, peak) = counted(|| {
                    let (status, answer) = server.post(path, &body.to_string());
                    assert_eq!(status, 200, "{path}: {answer}");
                    if path == "/api/place" {}
                });
                most = most.max(peak);
            }
        }
    });
    // 96 MB are kept, and a game that was let go lives on until its answer is sent.
    assert!(kept < 150_000_000, "{kept} bytes are kept");
    assert!(most < 150_000_000, "{most} bytes for one answer");
}
