//! The farmer, the rule and the policy of the crate, in the game `clay_bean`.

use std::sync::Arc;

use farm_core::{Environment, Game};
use farm_games::Options;

fn opened(set: &[(&str, &str)]) -> Result<Arc<Game>, String> {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let game = farm_games::open("clay_bean-v0", &Options { set, ..Default::default() });
    game.map(Arc::new).map_err(|problems| problems.to_string())
}

fn bean(set: &[(&str, &str)]) -> Arc<Game> {
    opened(set).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn farmer_and_score_conform() {
    farm_testkit::check_farmer("FairWeatherFarmer").unwrap_or_else(|report| panic!("{report}"));
    farm_testkit::check_farmer("FairWeatherFarmer: {wet_rain#mm.day-1: 5}").unwrap_or_else(|report| panic!("{report}"));
    farm_testkit::check_score("GardenScore").unwrap_or_else(|report| panic!("{report}"));
}

#[test]
fn the_farmer_works_on_dry_days_only() {
    let game = bean(&[("farmers", "[FairWeatherFarmer: {wet_rain#mm.day-1: 0.1}]")]);
    let mut environment = Environment::new(game);
    let water = environment.game().text().parse("water_discrete(amount#L=5)").unwrap();
    let (mut wet, mut dry) = (0, 0);
    for seed in 0..3 {
        environment.reset(seed);
        for _ in 0..60 {
            // What it decides by is the rain that is seen before the step.
            let rains = environment.state_json()["Field-0.Weather-0.rain_amount#mm.day-1"].as_f64().unwrap() >= 0.1;
            let is_over = environment.step(&water).unwrap().over();
            let rejected = environment.info().to_json()["rejected"].to_string();
            assert_eq!(rejected.contains("stays at home because it rains"), rains, "{rejected}");
            *(if rains { &mut wet } else { &mut dry }) += 1;
            if is_over {
                break;
            }
        }
    }
    assert!(wet > 10 && dry > 10, "{wet} wet days, {dry} dry days");
}

#[test]
fn the_rule_shows_and_allows_everything_and_the_season_ends_the_game() {
    let game = bean(&[("rules", "{OpenRule: {season#day: 5}}")]);
    let visible = game.parts().iter().filter(|part| part.field().is_some());
    let visible: usize =
        visible.map(|part| part.variables().iter().filter(|variable| variable.visible()).count()).sum();
    let shown = game.observation().entries().iter().filter(|entry| entry.key().starts_with("Field-0.")).count();
    assert!(shown == visible && shown > 20, "{shown} of {visible}");
    let actions: usize = game.parts().iter().map(|part| part.actions().len()).sum();
    assert_eq!(game.catalogue().base_actions().len(), actions);
    let mut environment = Environment::new(game);
    environment.reset(0);
    let outcomes: Vec<_> = (0..5).map(|_| environment.step(&[]).unwrap()).collect();
    assert!(outcomes[..4].iter().all(|outcome| !outcome.over()) && outcomes[4].terminated, "{outcomes:?}");
}

#[test]
fn the_policy_goes_from_plot_to_plot_and_names_the_nearest_action() {
    let of = |action: &str| {
        let policy = format!("{{RoundPolicy: {{action: {action}}}}}");
        opened(&[("fields.Field-0.shape.length#nb", "2"), ("policies.own", &policy)])
    };
    let game = of("micro_harvest").unwrap();
    let (mut environment, mut player) = (Environment::new(game.clone()), game.player("own").unwrap());
    let mut plots = Vec::new();
    for seed in 0..2 {
        environment.reset(seed);
        player.start(seed);
        for _ in 0..3 {
            let mut schedule = Vec::new();
            player.choose(&game, environment.state(), &mut schedule);
            plots.push(schedule[0].arguments().plot(0));
            environment.step(&schedule).unwrap();
        }
    }
    assert_eq!(plots, [0, 1, 0, 0, 1, 0], "an episode begins with the first");
    let problems = of("micro_harvset").and_then(|game| game.player("own").map(drop).map_err(|p| p.to_string()));
    let problems = problems.unwrap_err();
    assert!(problems.contains("did you mean `micro_harvest`"), "{problems}");
}
