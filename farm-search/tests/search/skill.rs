//! What skill is worth in the farm games: with it against without, on common seeds.

use farm_core::Game;
use farm_core::config::Document;
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_games::Options;
use farm_games::catalogue::BEST_KNOWN_POLICY;
use farm_search::{Arena, Draw, LuckPlan, compare, luck};

/// The lower end of the 95 % interval of what a policy earns more than another.
fn gain(game: &Game, with: &str, without: &str, episodes: u64) -> f64 {
    let draws: Vec<Draw> = (0..episodes).map(Draw::Episode).collect();
    let (with, without) = (Value::from(with), Value::from(without));
    let arena = Arena::new(game, std::thread::available_parallelism().map_or(1, usize::from));
    let returns = arena.play(&[(&with, &draws), (&without, &draws)]).unwrap();
    compare(&returns)[0].paired.interval.unwrap().low
}

#[test]
fn forecasts_looks_and_prevention_are_worth_something() {
    let shipped = |name| farm_games::open(name, &Options::default()).unwrap();
    assert!(gain(&shipped("clay_bean"), "expert", "without_forecast", 4000) > 0.0);
    assert!(gain(&shipped("farm0"), "expert", "without_forecast", 300) > 0.2);
    assert!(gain(&shipped("full_farm"), "expert", "without_scarecrow", 100) > 10.0);
    let document = Document::parse("costly_looks.yaml", include_str!("costly_looks.yaml")).unwrap();
    assert!(gain(&farm_games::compile(&document).unwrap(), "expert", "by_calendar", 200) > 3.0);
}

/// Who looks at the soil against who waters by the calendar: what is better depends on the year, and dice make less of the difference than
/// that, and less than half of all.
#[test]
fn weather_that_can_be_acted_on_makes_more_than_dice_do() {
    let calendars: Mapping = serde_yaml::from_str(include_str!("calendars.yaml")).unwrap();
    assert!(calendars.len() >= 3);
    for (name, calendar) in calendars {
        let name = name.as_str().unwrap();
        let game = farm_games::open(name, &Options::default()).unwrap();
        let arena = Arena::new(&game, std::thread::available_parallelism().map_or(1, usize::from));
        let plan = LuckPlan { worlds: 50, repeats: 4, seed: 3_000_000 };
        let shares = luck(arena, &[BEST_KNOWN_POLICY.into(), calendar], plan).unwrap().shares();
        assert!(shares.both > shares.dice && shares.dice < 0.5, "{name}: {shares:?}");
    }
}
