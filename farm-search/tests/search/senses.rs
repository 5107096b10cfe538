//! Searches whose policies may not read or request everything.

use farm_core::Game;
use farm_core::serde_yaml::{self, Value};
use farm_games::Options;
use farm_search::{
    Arena, Candidate, Draw, Generator, SearchPlan, Senses, Vocabulary, Worth, expand, search, with_forecasts,
    without_sight,
};

const LIMITED: [Senses; 3] = [Senses::Calendar, Senses::Unpaid, Senses::NoForecast];

fn open(name: &str) -> Game {
    farm_games::open(name, &Options::default()).unwrap()
}

fn mean(arena: Arena<'_>, policy: &Value) -> f64 {
    let draws: Vec<Draw> = (100..140).map(Draw::Episode).collect();
    let returns = arena.play(&[(policy, &draws)]).unwrap().concat();
    returns.iter().sum::<f64>() / returns.len() as f64
}

/// Whether the text of a policy shows that it reads or requests only what it may.
fn is_blind(senses: Senses, policy: &str) -> bool {
    let lacks = |words: &[&str]| words.iter().all(|word| !policy.contains(word));
    match senses {
        Senses::All => true,
        Senses::Calendar => {
            let stages = ["seed", "grow", "bloom", "fruit", "harvested", "dead"];
            lacks(&["available_Water", "rain_amount", "air_temperature", "humidity", "consecutive_dry", "size#cm"])
                && stages.iter().all(|stage| !policy.contains(&format!("ref_value: {stage}\n")))
                && stages.iter().all(|stage| !policy.contains(&format!("- {stage}\n")))
        }
        // The act of a request is a list of words.
        Senses::Unpaid => lacks(&["ObservePolicy", "act:\n  - ", "act:\n    - ", "act:\n      - "]),
        Senses::NoForecast => lacks(&["forecast"]),
    }
}

#[test]
fn no_candidate_reads_or_requests_what_it_must_not() {
    let game = open("costly_clay_bean");
    let arena = Arena::new(&game, 2);
    let expert = expand(&game, &"expert".into());
    let whole = Vocabulary::new(&game, &expert, 0).unwrap();
    for senses in LIMITED {
        assert!(!senses.admit(&expert), "{senses:?}");
        let starts = without_sight(arena, &whole, senses, &expert, 0).unwrap();
        assert!(starts.len() > 2, "{senses:?}");
        let vocabulary = whole.within(senses, starts[1].policy.clone());
        let generator = Generator::new(arena, &vocabulary, 0);
        let mut found: Vec<Candidate> = starts.clone();
        found.extend((0..100).filter_map(|number| generator.rules(number)));
        found.extend((100..200).filter_map(|number| generator.schedule(number)));
        found
            .extend((200..300).filter_map(|number| generator.changed(number, &starts[number as usize % starts.len()])));
        // The game's own policies are offered, but read too much.
        let all = [Candidate::new(expert.clone(), "expert"), Candidate::new("looks_daily".into(), "looks_daily")];
        let plan = SearchPlan { candidates: 40, episodes: 4, seed: 0 };
        let searched = search(arena, &generator, &all, plan, &mut |_| ()).unwrap();
        found.extend(searched.into_iter().map(|scored| scored.candidate));
        assert!(found.len() > 200, "{senses:?}: {}", found.len());
        for candidate in found {
            let text = candidate.to_yaml();
            assert!(is_blind(senses, &text), "{senses:?}, {}:\n{text}", candidate.how);
        }
    }
}

#[test]
fn policies_are_admitted_by_what_they_read() {
    let rule = |variable: &str, value: &str| {
        format!(
            "TriggerPolicy: {{rules: [{{when: [[{{state_variable: {variable}, operator: '==', ref_value: {value}}}]], act: {{action: a}}}}]}}"
        )
    };
    let (stage, day) = ("[Field-0, Plant-0, stage]", "[Field-0, Weather-0, day#int365]");
    let rain = "[Field-0, Weather-0, 'forecast.rain_amount#mm.day-1']";
    for (policy, admitted) in [
        (rule("step", "3"), [true, true, true]),
        (rule(day, "3"), [true, true, true]),
        (rule(stage, "ripe"), [true, true, true]),
        (rule(stage, "[ripe]"), [true, true, true]),
        (rule(stage, "[ripe, fruit]"), [false, true, true]),
        (rule(rain, "3"), [false, true, false]),
        (format!("[{}, WaitPolicy]", rule(rain, "3")), [false, true, false]),
        ("ObservePolicy: {variable: stage}".to_owned(), [true, false, true]),
        ("TriggerPolicy: {rules: [{act: [Field-0, Soil-0, water, []]}]}".to_owned(), [false, false, true]),
        (format!("TriggerPolicy: {{memory: {{rain: {{add: [{{state_variable: {rain}}}]}}}}}}"), [false, true, false]),
        ("HarvestPolicy: when_ripe".to_owned(), [false, false, true]),
    ] {
        let value: Value = serde_yaml::from_str(&policy).unwrap();
        assert_eq!(LIMITED.map(|senses| senses.admit(&value)), admitted, "{policy}");
        assert!(Senses::All.admit(&value));
    }
}

#[test]
fn books_of_free_weather_replace_looks_better_than_dates_do() {
    let game = open("costly_clay_bean");
    let arena = Arena::new(&game, 2).counting(Worth::WithinLimits);
    let expert = expand(&game, &"expert".into());
    let vocabulary = Vocabulary::new(&game, &expert, 0).unwrap();
    let starts = without_sight(arena, &vocabulary, Senses::Unpaid, &expert, 0).unwrap();
    let best = |how: &str| {
        let of_form = starts.iter().filter(|start| start.how == how).map(|start| mean(arena, &start.policy));
        of_form.fold(f64::NEG_INFINITY, f64::max)
    };
    let (expert, books, dates) = (mean(arena, &expert), best("by books"), best("on dates"));
    assert!(books > dates && books > 0.5 * expert, "{expert} {books} {dates}");
    assert!(starts.iter().all(|start| !start.to_yaml().contains("Observe")));
}

#[test]
fn forecasts_are_offered_to_rules_only_where_the_game_shows_them() {
    for (name, has_forecast) in [("clay_bean", true), ("winter_wheat", false)] {
        let game = open(name);
        let arena = Arena::new(&game, 1);
        let expert = expand(&game, &"expert".into());
        let vocabulary = Vocabulary::new(&game, &expert, 0).unwrap();
        let offered = with_forecasts(arena, &vocabulary, &expert);
        assert_eq!(!offered.is_empty(), has_forecast, "{name}");
        assert!(offered.iter().all(|offered| offered.to_yaml().contains("forecast")));
    }
}
