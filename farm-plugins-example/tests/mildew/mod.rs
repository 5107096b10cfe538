//! A tank for two fields, a disease and its fungicide, and a score of their variables: what entity authors can say of roles.

use std::sync::Arc;

use farm_core::declare::BalanceTracker;
use farm_core::{Environment, Game};
use farm_games::{Options, open};
use farm_testkit::{check_entity, check_game};

const GARDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/mildew_garden.yaml");

fn garden(set: &[(&str, &str)]) -> Arc<Game> {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let game = open(GARDEN, &Options { set, ..Default::default() });
    Arc::new(game.unwrap_or_else(|problems| panic!("{problems}")))
}

/// The values of a variable of real numbers, such as `North.Soil-0.available_Water#L`.
fn numbers(environment: &Environment, name: &str) -> Vec<f64> {
    let game = environment.game();
    let part = game.parts().iter().find(|part| name.starts_with(&format!("{}.", part.path()))).unwrap();
    let variable =
        part.variables().iter().find(|variable| name == format!("{}.{}", part.path(), variable.name())).unwrap();
    game.reader(environment.state()).get(variable.column::<f64>().unwrap()).to_vec()
}

fn sum(environment: &Environment, name: &str) -> f64 {
    numbers(environment, name).iter().sum()
}

#[test]
fn game_and_parts_pass_the_kit() {
    for checked in [check_entity("IrrigationTank"), check_entity("Mildew"), check_game(GARDEN)] {
        assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
}

#[test]
fn the_tank_waters_the_field_that_is_asked_for_and_all_books_of_water_close() {
    let game = garden(&[]);
    let mut environment = Environment::new(game.clone());
    let both = "IrrigationTank-0.irrigate(field=North, amount#L=5); IrrigationTank-0.irrigate(field=South, amount#L=2)";
    let south = "IrrigationTank-0.irrigate(field=South, amount#L=5)";
    let schedules = [both, south, "wait"].map(|text| environment.game().text().parse(text).unwrap());
    let balances: Vec<_> = game.parts().iter().flat_map(|part| part.mass_balances()).collect();
    assert_eq!(
        balances.iter().filter(|balance| balance.name().starts_with("water")).count(),
        3,
        "two soils and the tank"
    );
    let mut ran_dry = false;
    for seed in 0..5 {
        environment.reset(seed);
        let reader = game.reader(environment.state());
        let mut accounts: Vec<BalanceTracker> =
            balances.iter().map(|balance| BalanceTracker::open(balance, &reader)).collect();
        for day in 0..100 {
            let before: Vec<f64> = accounts.iter().map(|account| account.stock()).collect();
            let schedule = &schedules[day % 3];
            environment.step(schedule).unwrap();
            assert!(environment.record().rejected().is_empty());
            let reader = game.reader(environment.state());
            for ((balance, account), before) in balances.iter().zip(&mut accounts).zip(before) {
                account.note(balance, &reader);
                let flows = balance.flows().iter().zip(account.flows());
                let change: f64 = flows.map(|(flow, amount)| if flow.is_inflow() { *amount } else { -amount }).sum();
                let size = before.abs() + account.flows().iter().sum::<f64>() + 1.0;
                let open = account.stock() - before - change;
                assert!(open.abs() < 1e-9 * size, "{} seed {seed} day {day}: {open}", balance.name());
            }
            let got =
                ["North", "South"].map(|field| sum(&environment, &format!("{field}.Soil-0.inflow_Water#L.day-1")));
            let left = sum(&environment, "North.IrrigationTank-0.water#L");
            // Four plots in the North, three in the South.
            let ordered = [[20.0, 6.0], [0.0, 15.0], [0.0, 0.0]][day % 3];
            if left > 0.0 {
                assert!(got.iter().zip(ordered).all(|(got, ordered)| (got - ordered).abs() < 1e-9), "{got:?}");
            } else {
                ran_dry = true;
                assert!(got[0] * ordered[1] - got[1] * ordered[0] < 1e-9, "each gets the same share: {got:?}");
            }
        }
    }
    assert!(ran_dry, "the tank is small");
}

#[test]
fn mildew_slows_growth_by_name_and_fungicide_heals_it() {
    let severe = [
        ("fields.North.entities.3.Mildew.arrival_chance#prop", "1"),
        ("fields.North.entities.3.Mildew.humidity_min#%", "0"),
    ];
    let scatter =
        ["(0, 0)", "(0, 1)", "(1, 0)"].map(|plot| format!("North.Cide-0.scatter(plot={plot}, amount#kg=0.1)"));
    let play = |set: &[(&str, &str)], action: &str| {
        let game = garden(set);
        let mut environment = Environment::new(game.clone());
        environment.reset(4);
        let schedule = environment.game().text().parse(action).unwrap();
        let limited = game.events().iter().position(|(part, event)| {
            game.parts()[*part].path() == "North.Plant-0" && event.name() == "growth_limited"
        });
        let limited = limited.unwrap();
        let mut by_mildew = 0;
        for _ in 0..80 {
            environment.step(&schedule).unwrap();
            let labels = &game.events()[limited].1.labels();
            let events = environment.record().events().iter().filter(|event| event.id.index() == limited);
            by_mildew += events.filter(|event| labels[event.value as usize] == "Mildew-0").count();
        }
        let severity = numbers(&environment, "North.Mildew-0.severity#prop");
        (by_mildew, severity, sum(&environment, "North.Plant-0.size#cm"))
    };
    let (healthy, none, tall) = play(&[("fields.North.entities.3.Mildew.arrival_chance#prop", "0")], "wait");
    assert_eq!((healthy, none), (0, vec![0.0; 4]));
    let (ill, severity, small) = play(&severe, "wait");
    assert!(ill > 20 && severity.iter().all(|ill| *ill > 0.5), "{ill} {severity:?}");
    assert!(small < 0.9 * tall, "{small} cm in all with mildew, {tall} without");
    let (_, severity, _) = play(&severe, &scatter.join("; "));
    assert!(severity[..3].iter().all(|ill| *ill < 0.1), "where fungicide was scattered: {severity:?}");
    assert!(severity[3] > 0.5, "and where none was: {severity:?}");
}

#[test]
fn the_score_counts_progress_and_mildew_of_both_fields() {
    let game = garden(&[("fields.South.entities.1.Mildew.arrival_chance#prop", "0.5")]);
    let mut environment = Environment::new(game);
    for seed in 0..3 {
        environment.reset(seed);
        let mean = |environment: &Environment, name: &str| {
            let values = numbers(environment, name);
            values.iter().sum::<f64>() / values.len() as f64
        };
        let progress = |environment: &Environment| {
            10.0 * (mean(environment, "North.Plant-0.progress#prop") + mean(environment, "South.Plant-0.progress#prop"))
        };
        let mut before = progress(&environment);
        let mut met = [false; 2];
        for _ in 0..100 {
            let reward = environment.step(&[]).unwrap().reward;
            let worst = numbers(&environment, "South.Mildew-0.severity#prop").iter().fold(0.0, |a: f64, b| a.max(*b));
            let ill = 0.1 * mean(&environment, "North.Mildew-0.severity#prop") + 0.05 * worst;
            let expected = progress(&environment) - before - ill;
            assert!((reward - expected).abs() < 1e-9, "{reward}, expected {expected}");
            before = progress(&environment);
            met = [met[0] || before > 0.0, met[1] || ill > 0.0];
        }
        assert_eq!(met, [true; 2], "without plants and mildew the score would be nothing");
    }
}
