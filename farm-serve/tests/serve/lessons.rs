//! Lessons: those of the project can be solved as their sheets tell, and wrong files are refused with the place and a remedy.

use farm_serve::{Lesson, Settings};
use serde_json::{Value as Json, json};

use crate::client::Running;

const NAMES: [&str; 5] = ["look-and-wait", "water-and-roots", "nitrogen", "weeds-pests-bees", "risk-and-forecast"];
const GAMES: [&str; 4] = ["clay_bean", "nitrate_leaching", "pests_and_pollinators", "weeds_only"];

/// A pupil who follows a lesson.
struct Follower<'s> {
    server: &'s Running,
    lesson: Json,
    card: usize,
    game: Json,
    seed: Json,
    actions: Json,
    from: usize,
    place: Json,
}

impl<'s> Follower<'s> {
    fn new(server: &'s Running, name: &str) -> Self {
        let (status, lesson) = server.post("/api/lesson", &json!({ "name": name }));
        assert_eq!(status, 200, "{lesson}");
        let none = Json::Null;
        Self {
            server,
            lesson,
            card: 0,
            game: none.clone(),
            seed: none.clone(),
            actions: json!([]),
            from: 0,
            place: none,
        }
    }

    /// Goes to a card, as the page does: with its season, or with the season so far.
    fn to(&mut self, card: usize) {
        self.card = card;
        let season = self.lesson["cards"][card]["season"].clone();
        if !season.is_null() {
            (self.game, self.seed) = (season["game"].clone(), season["seed"].clone());
            let played = season["played"].as_u64().unwrap() as usize;
            let mut before = Vec::new();
            if played > 0 {
                let watch = json!({ "game": self.game, "seed": self.seed, "policy": season["played_by"] });
                let (status, watched) = self.server.post("/api/watch", &watch);
                assert_eq!(status, 200, "{watched}");
                before = watched["actions"].as_array().unwrap()[..played].to_vec();
            }
            self.actions = json!(before);
        }
        self.from = self.actions.as_array().unwrap().len();
        assert!(!self.is_done(), "card {card} is not done before it is played: {}", self.lesson["name"]);
    }

    fn day(&self) -> usize {
        self.actions.as_array().unwrap().len()
    }

    fn advance(&mut self, more: Json) {
        let mut body = json!({ "game": self.game, "seed": self.seed, "actions": self.actions });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, mut answer) = self.server.post("/api/advance", &body);
        assert_eq!(status, 200, "{answer}");
        self.actions = answer["place"]["actions"].take();
        self.place = answer["place"].take();
    }

    fn days(&mut self, until: usize) {
        self.advance(json!({ "days": until - self.day() }));
    }

    /// Orders a job on all plots, or on one.
    fn order(&mut self, job: usize, dose: usize, plots: usize) {
        self.advance(json!({ "orders": [{ "job": job, "dose": dose, "plots": (0..plots).collect::<Vec<_>>() }] }));
    }

    fn checks(&self) -> Json {
        let body = json!({
            "lesson": self.lesson["name"], "card": self.card, "game": self.game, "seed": self.seed, "actions": self.actions, "from": self.from,
        });
        let (status, mut answer) = self.server.post("/api/lesson/check", &body);
        assert_eq!(status, 200, "{answer}");
        answer["checks"].take()
    }

    fn is_done(&self) -> bool {
        self.checks().as_array().unwrap().iter().all(|check| check["holds"] == true)
    }

    #[track_caller]
    fn done(&self) {
        assert!(self.is_done(), "{} card {} on day {}: {}", self.lesson["name"], self.card, self.day(), self.checks());
    }

    /// Lets time pass until a plot is ripe, and harvests everything.
    fn harvest(&mut self, job: usize) {
        for _ in 0..300 {
            let ripe = self.place["farm"]["jobs"][job]["closed"].is_null();
            match ripe && !self.place.is_null() {
                true => self.advance(json!({ "orders": [{ "job": job, "plots": [0] }] })),
                false => self.advance(json!({ "days": 1 })),
            }
            if self.place["over"] == true {
                return;
            }
        }
        panic!("nothing is ripe: {}", self.place["steps"]);
    }
}

fn server() -> Running {
    Running::of(&GAMES)
}

#[test]
fn look_and_wait_is_solved_as_its_cards_tell() {
    let server = server();
    let mut pupil = Follower::new(&server, NAMES[0]);
    pupil.to(0);
    pupil.days(5);
    pupil.done();
    pupil.to(1);
    pupil.days(20);
    pupil.done();
    pupil.to(2);
    pupil.days(33);
    assert!(!pupil.is_done());
    pupil.days(34);
    pupil.done();
    pupil.to(3);
    pupil.order(0, 3, 12);
    pupil.done();
    pupil.to(4);
    for _ in 0..10 {
        pupil.advance(json!({ "days": 6 }));
        pupil.order(0, 3, 12);
        if pupil.place["farm"]["jobs"][1]["closed"].is_null() {
            break;
        }
    }
    pupil.harvest(1);
    pupil.done();
}

#[test]
fn water_and_roots_is_solved_as_its_cards_tell() {
    let server = server();
    let mut pupil = Follower::new(&server, NAMES[1]);
    pupil.to(0);
    pupil.days(21);
    pupil.done();
    pupil.to(1);
    pupil.days(45);
    pupil.done();
    pupil.to(2);
    pupil.order(0, 5, 12);
    pupil.done();
    pupil.to(3);
    pupil.days(29);
    pupil.order(0, 3, 12);
    pupil.days(41);
    pupil.done();
    // Without water, a plot becomes dry.
    pupil.to(3);
    pupil.days(41);
    assert_eq!(pupil.checks()[1]["holds"], false);
}

#[test]
fn nitrogen_is_solved_as_its_cards_tell() {
    let server = server();
    let mut pupil = Follower::new(&server, NAMES[2]);
    pupil.to(0);
    pupil.order(0, 5, 1);
    pupil.order(3, 3, 1);
    pupil.done();
    pupil.to(1);
    pupil.days(40);
    pupil.done();
    pupil.to(2);
    pupil.order(3, 2, 1);
    pupil.days(47);
    pupil.order(3, 2, 1);
    pupil.done();
    pupil.to(3);
    pupil.harvest(2);
    pupil.done();
    let money = pupil.place["return"].as_f64().unwrap();
    assert!((12.0..15.0).contains(&money), "the question gives about 13 euros: {money}");
}

#[test]
fn weeds_pests_and_bees_is_solved_as_its_cards_tell() {
    let server = server();
    let mut pupil = Follower::new(&server, NAMES[3]);
    pupil.to(0);
    pupil.order(2, 0, 1);
    pupil.done();
    pupil.to(1);
    pupil.days(54);
    pupil.done();
    pupil.to(2);
    pupil.days(65);
    pupil.order(2, 0, 1);
    pupil.done();
    pupil.to(3);
    pupil.harvest(1);
    pupil.done();
    let money = pupil.place["return"].as_f64().unwrap();
    assert!((150.0..158.0).contains(&money), "the question gives 154 euros: {money}");
}

#[test]
fn risk_and_forecast_is_solved_as_its_cards_tell() {
    let server = server();
    let mut pupil = Follower::new(&server, NAMES[4]);
    pupil.to(0);
    pupil.days(49);
    pupil.done();
    pupil.to(1);
    pupil.order(0, 3, 12);
    pupil.days(42);
    pupil.done();
    for (card, earned) in [(2, 20.77), (3, -2.16)] {
        pupil.to(card);
        pupil.place = Json::Null;
        pupil.harvest(2);
        pupil.done();
        let money = pupil.place["return"].as_f64().unwrap();
        assert!((money - earned).abs() < 0.01, "{money}");
    }
}

#[test]
fn each_lesson_has_three_questions_in_two_languages_and_a_note_for_each_card() {
    let server = server();
    let (_, listed) = server.get("/api/lessons");
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|lesson| lesson["name"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    let is_told = |text: &Json| {
        let (en, fr) = (text["en"].as_str().unwrap(), text["fr"].as_str().unwrap());
        assert!(!en.is_empty() && !fr.is_empty(), "{text}");
    };
    for name in NAMES {
        let (_, lesson) = server.post("/api/lesson", &json!({ "name": name }));
        let cards = lesson["cards"].as_array().unwrap();
        let questions: Vec<&Json> = cards.iter().map(|card| &card["question"]).filter(|one| !one.is_null()).collect();
        assert_eq!((questions.len(), &lesson["minutes"]), (3, &json!(20)), "{name}");
        for card in cards {
            ["title", "task", "teacher"].iter().for_each(|key| is_told(&card[key]));
            card["checks"].as_array().unwrap().iter().for_each(is_told);
        }
        for question in questions {
            [&question["text"], &question["because"]].into_iter().for_each(is_told);
            question["answers"].as_array().unwrap().iter().for_each(is_told);
        }
    }
    // A server without the games of a lesson does not offer it.
    let (_, some) = Running::of(&["clay_bean"]).get("/api/lessons");
    assert_eq!(some.as_array().unwrap().len(), 2, "{some}");
}

const OWN: &str = "
name: my-lesson
title: {en: My lesson}
cards:
  - title: {en: One}
    task: {en: Wait until day 2.}
    season: {game: clay_bean, days: 10}
    checks:
      - text: {en: Day 2}
        when: [[{state_variable: step, operator: '>=', ref_value: 2}]]
    question: {text: {en: Why?}, answers: [{en: A}, {en: B}], right: 2, because: {en: So.}}
";

#[test]
fn a_lesson_of_the_user_is_served_and_wrong_ones_are_refused_with_the_place() {
    let lesson = Lesson::parse("own.yaml", OWN).unwrap();
    assert_eq!((lesson.name(), lesson.games()), ("my-lesson", vec!["clay_bean".to_owned()]));
    let server = Running::with(&["clay_bean"], Settings { lessons: vec![lesson], ..Settings::default() });
    let mut pupil = Follower::new(&server, "my-lesson");
    assert_eq!(pupil.lesson["title"], json!({ "en": "My lesson", "fr": "My lesson" }));
    pupil.to(0);
    pupil.days(3);
    assert_eq!(pupil.checks(), json!([{ "holds": true, "day": 2 }]));
    let (status, refused) = server.post("/api/lesson", &json!({ "name": "no-lesson" }));
    assert!(status == 400 && refused.to_string().contains("no-lesson"), "{refused}");
    for (body, part) in [
        (json!({ "lesson": "my-lesson", "card": 1, "game": pupil.game, "actions": [] }), "1 cards"),
        (
            json!({ "lesson": "my-lesson", "card": 0, "game": { "name": "clay_bean" }, "actions": [] }),
            "not that of the card",
        ),
    ] {
        let (status, refused) = server.post("/api/lesson/check", &body);
        assert!(status == 400 && refused.to_string().contains(part), "{refused}");
    }
    for (from, to, expected) in [
        ("name: my-lesson\n", "", "lacks `name`"),
        ("clay_bean", "clay_been", "clay_bean"),
        ("right: 2", "right: 3", "has 2 answers"),
        ("right: 2", "rigth: 2", "right"),
        ("{en: One}", "{fr: Un}", "lacks `title`"),
        ("    season: {game: clay_bean, days: 10}\n", "", "lacks `season`"),
        ("days: 10", "played: 3, played_by: exprt", "expert"),
        ("state_variable: step", "state_variable: [Field-0, Soil-0, water]", "own.yaml:10"),
        ("answers: [{en: A}, {en: B}]", "answers: [{en: A}]", "fewer than two"),
        ("game: clay_bean", "game: backwards_valley", "plots"),
        ("game: clay_bean", "game: ./clay_bean.yaml", "catalogue"),
    ] {
        let parsed = Lesson::parse("own.yaml", &OWN.replace(from, to));
        let problems = parsed.map(|_| ()).expect_err(expected).to_string();
        assert!(problems.contains(expected) && problems.contains("own.yaml:"), "{to}: {problems}");
    }
    let unknown = Lesson::read("look-and-wate").unwrap_err().to_string();
    assert!(unknown.contains("look-and-wait"), "{unknown}");
    assert!(Lesson::read("./no-lesson.yaml").is_err());
}
