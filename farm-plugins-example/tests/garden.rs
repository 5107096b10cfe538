//! The crate linked: what slugs, ladybirds and salt do to each other and to the garden, over pairs of episodes with equal seeds.

mod mildew;
#[path = "garden/parts.rs"]
mod parts;

use std::sync::Arc;

use farm_core::{Environment, Game};
// This line registers everything that the crate has.
use farm_plugins_example as _;

/// Pairs of episodes of each comparison.
const SEEDS: u64 = 30;

fn garden(set: &[(&str, &str)]) -> Arc<Game> {
    let set = set.iter().map(|(path, value)| (format!("Field-0.{path}"), (*value).to_owned())).collect();
    let options = farm_games::Options { set, ..Default::default() };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/games/slug_garden.yaml");
    Arc::new(farm_games::open(path, &options).unwrap_or_else(|problems| panic!("{problems}")))
}

/// The sum of a variable over all its entries.
fn sum(environment: &Environment, name: &str) -> f64 {
    fn all(value: &serde_json::Value) -> f64 {
        match value {
            serde_json::Value::Array(values) => values.iter().map(all).sum(),
            value => value.as_f64().unwrap_or_else(|| panic!("{value}")),
        }
    }
    all(&environment.state_json()[format!("Field-0.{name}")])
}

/// Plays so many days, each with an action by its words where there are some; what `measure` says of the end, on average.
fn mean(game: &Arc<Game>, days: u32, action: &str, measure: impl Fn(&Environment) -> f64) -> f64 {
    let mut environment = Environment::new(game.clone());
    let schedule = if action.is_empty() { Vec::new() } else { environment.game().text().parse(action).unwrap() };
    let mut total = 0.0;
    for seed in 0..SEEDS {
        environment.reset(seed);
        for _ in 0..days {
            if environment.step(&schedule).unwrap().over() {
                break;
            }
        }
        total += measure(&environment);
    }
    total / SEEDS as f64
}

/// An action of the flat list whose name holds all these words.
fn action(game: &Game, words: &[&str]) -> String {
    let names = (0..game.catalogue().discrete_len()).filter_map(|id| game.catalogue().discrete(id)?.first());
    let mut texts = names.map(|call| game.catalogue().to_json(call).to_string());
    texts.find(|text| words.iter().all(|word| text.contains(word))).unwrap_or_else(|| panic!("{words:?}"))
}

fn dead(environment: &Environment) -> f64 {
    let stages = environment.state_json()["Field-0.Plant-0.stage"].to_string();
    stages.matches("6").count() as f64
}

#[test]
fn slugs_kill_seedlings_and_the_hungrier_they_are_the_more() {
    let alone = ("Pests-0.max_population#nb", "0");
    let lost = |appetite: &str| mean(&garden(&[alone, ("Slugs-0.appetite#nb", appetite)]), 40, "", dead);
    let (none, few, many) = (lost("0"), lost("1"), lost("10"));
    assert!(none + 0.3 < few && few < many, "{none} {few} {many} of 6 plants");
}

#[test]
fn slugs_stay_where_weeds_hide_them_and_dry_out_elsewhere() {
    let slugs = |cover: &str| {
        let game = garden(&[("Slugs-0.cover#nb", cover), ("Slugs-0.max_arrivals#nb.day-1", "0")]);
        mean(&game, 90, "", |environment| sum(environment, "Slugs-0.population#nb"))
    };
    let (dense, sparse) = (slugs("0.5"), slugs("10000"));
    assert!(dense > sparse + 0.5, "{dense} under dense weeds, {sparse} under none");
}

#[test]
fn salt_kills_slugs_saves_seedlings_and_harms_the_soil() {
    let game = garden(&[]);
    let salt = action(&game, &["scatter_salt", "[0,0]", "50"]);
    let killed = |environment: &Environment| sum(environment, "Slugs-0.total_cumulated_killed#nb");
    assert_eq!(mean(&game, 40, "", killed), 0.0);
    assert!(mean(&game, 40, &salt, killed) > 0.5);
    let life = |environment: &Environment| sum(environment, "Soil-0.microlife_health_index#%");
    let (with, without) = (mean(&game, 40, &salt, life), mean(&game, 40, "", life));
    assert!(with < without - 1.0, "{with} with salt, {without} without");
}

#[test]
fn no_slug_comes_or_crawls_over_salt() {
    let game = garden(&[("Slugs-0.initial_population#nb", "0"), ("Slugs-0.washing_rain#mm.day-1", "1000")]);
    let salt = action(&game, &["scatter_salt", "[0,0]", "50"]);
    let mut environment = Environment::new(game);
    let salt = environment.game().text().parse(&salt).unwrap();
    let mut elsewhere = 0.0;
    for seed in 0..SEEDS {
        environment.reset(seed);
        for _ in 0..30 {
            let is_over = environment.step(&salt).unwrap().over();
            let slugs = &environment.state_json()["Field-0.Slugs-0.population#nb"];
            assert_eq!(slugs[0][0].as_f64(), Some(0.0), "{slugs}");
            elsewhere += slugs[2][1].as_f64().unwrap();
            if is_over {
                break;
            }
        }
    }
    assert!(elsewhere > 0.0);
}

#[test]
fn ladybirds_come_after_pests_and_leave_fewer_of_them() {
    let pests = |environment: &Environment| sum(environment, "Pests-0.plot_population#nb");
    let many = ("Pests-0.arrival_frequency#day-1", "1");
    let left = |arrivals: &str| mean(&garden(&[many, ("Ladybirds-0.max_arrivals#nb.day-1", arrivals)]), 60, "", pests);
    let (none, some) = (left("0"), left("50"));
    assert!(some < none * 0.8, "{some} pests with ladybirds, {none} without");
    let ladybirds = |environment: &Environment| sum(environment, "Ladybirds-0.population#nb");
    let no_pests = [("Pests-0.max_population#nb", "0")];
    assert_eq!(mean(&garden(&no_pests), 60, "", ladybirds), 0.0, "without pests none comes");
    let game = garden(&no_pests);
    let release = action(&game, &["release", "10"]);
    let set_free = mean(&game, 10, &release, ladybirds);
    assert!(set_free > 5.0 && set_free < 100.0, "those set free leave when they starve: {set_free}");
}

#[test]
fn the_score_is_the_harvest_less_salt_and_work() {
    let game = garden(&[]);
    let mut environment = Environment::new(game.clone());
    environment.reset(0);
    let salt = environment.game().text().parse(&action(&game, &["scatter_salt", "[0,0]", "50"])).unwrap();
    // By hand: 50 g at 0.01, and one intervention at 0.02.
    let outcome = environment.step(&salt).unwrap();
    assert!((outcome.reward + 0.52).abs() < 1e-12, "{}", outcome.reward);
    assert_eq!(environment.step(&[]).unwrap().reward, 0.0);
}

#[test]
fn random_episodes_stay_in_their_spaces_and_go_on_from_snapshots() {
    let game = garden(&[]);
    let (space, mut player) = (game.observation().space(), game.player("random").unwrap());
    for seed in 0..5 {
        let (mut environment, mut copy) = (Environment::new(game.clone()), Environment::new(game.clone()));
        environment.reset(seed);
        player.start(seed);
        loop {
            assert!(space.contains(&environment.observation_json()));
            let mut schedule = Vec::new();
            player.choose(&game, environment.state(), &mut schedule);
            copy.restore(&environment.snapshot()).unwrap();
            let outcome = environment.step(&schedule).unwrap();
            assert_eq!(copy.step(&schedule).unwrap(), outcome);
            assert_eq!(copy.snapshot(), environment.snapshot());
            if outcome.over() {
                break;
            }
        }
    }
}

#[test]
fn documents_of_the_crate_name_what_there_is() {
    let readme = include_str!("../README.md");
    let block = |language: &str| {
        let begin = readme.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
        &readme[begin..begin + readme[begin..].find("```").unwrap()]
    };
    let (code, game) = (block("rust"), block("yaml"));
    let without_header = |text: &'static str| text.split_once("\n\n").unwrap().1;
    assert_eq!(code.trim_start_matches("// src/lib.rs\n"), without_header(include_str!("../examples/moles.rs")));
    assert_eq!(game, include_str!("../examples/moles.yaml"));
    for word in readme
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| ["src/", "games/", "tests/", "examples/"].iter().any(|f| word.starts_with(f)))
    {
        assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(word).exists(), "{word}");
    }
}
