//! Generated weather in a whole game: the same whatever is done on the farm, and without an allocation.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Environment, Game};
use farm_games::catalogue::entry;

/// `clay_bean` with generated weather, without end.
fn game(weather: &str) -> Arc<Game> {
    let text = entry("clay_bean-v0").unwrap().yaml;
    let (before, rest) = text.split_once("    stopping_conditions:").unwrap();
    let (_, after) = rest.split_once("    max_steps: 250\n").unwrap();
    let text = format!("{before}    max_steps: 400\n{after}").replace("Weather: montpellier", weather);
    let spec = farm_core::spec::load("generated.yaml", &text).unwrap_or_else(|problems| panic!("{problems}"));
    Arc::new(Game::new(spec).unwrap_or_else(|problems| panic!("{problems}")))
}

const SOURCES: [&str; 4] = [
    "Weather: lille_generated",
    "Weather: {base: montpellier, equations: agronomic}",
    "Weather: {base: phoenix_generated, forecast_skill#prop: 0.7, forecast_lookahead#day: 12}",
    "Weather: {files: [{dataset: montpellier, weight: 0.6}, {dataset: dry_hot, weight: 0.4}], forecast: paper}",
];

#[test]
fn equal_seeds_have_equal_weather_under_any_policy() {
    for weather in SOURCES {
        let game = game(weather);
        let names: Vec<String> = game.spec().policies().keys().cloned().collect();
        assert!(names.len() >= 2, "{names:?}");
        let mut worlds: Vec<_> =
            names.iter().map(|name| (Environment::new(game.clone()), game.player(name).unwrap())).collect();
        let part = game.parts().iter().find(|part| part.kind() == "Weather").unwrap();
        let columns: Vec<_> = part.variables().iter().filter_map(|variable| variable.column::<f64>()).collect();
        for seed in 0..5 {
            for (environment, player) in &mut worlds {
                environment.reset(seed);
                player.start(seed);
            }
            for day in 0..120 {
                let mut seen: Option<Vec<f64>> = None;
                for (environment, player) in &mut worlds {
                    let reader = game.reader(environment.state());
                    let values: Vec<f64> = columns.iter().flat_map(|column| reader.get(*column)).copied().collect();
                    assert_eq!(seen.get_or_insert_with(|| values.clone()), &values, "{weather}, {seed}, {day}");
                    let mut schedule: Vec<Call> = Vec::new();
                    player.choose(&game, environment.state(), &mut schedule);
                    environment.step(&schedule).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_day_allocates_nothing() {
    for weather in SOURCES {
        let mut environment = Environment::new(game(weather));
        environment.reset(3);
        environment.step(&[]).unwrap();
        let info = allocation_counter::measure(|| {
            for _ in 0..30 {
                environment.step(&[]).unwrap();
            }
            environment.reset(4);
        });
        assert_eq!(info.count_total, 0, "{weather}");
    }
}
