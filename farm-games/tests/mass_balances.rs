//! The balances that parts declare close: stock in the evening = stock in the evening before + what came in − what went out, every day, in
//! every game, whatever is done.

use std::collections::BTreeSet;

use farm_core::declare::{BalanceTracker, MassBalance, PartInfo};
use farm_core::{Agent, Game};
use farm_games::catalogue::all_versions;
use farm_games::{Options, open, policy};

/// The balances close to this share of the largest number in them.
const ROUNDING: f64 = 1e-9;

fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for entry in all_versions() {
        let plain = open(entry.name, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        let presets: Vec<String> = plain.spec().presets().keys().cloned().collect();
        games.push(plain);
        games.extend(presets.into_iter().map(|preset| {
            let options = Options { preset: Some(preset), ..Options::default() };
            open(entry.name, &options).unwrap_or_else(|problems| panic!("{problems}"))
        }));
    }
    // The laws of crop science have balances of their own.
    for (name, preset) in [("farm1", None), ("full_farm", Some("4x3".to_owned()))] {
        let agronomic = ("fields.Field-0.entity_defaults".to_owned(), "{equations: agronomic}".to_owned());
        let options = Options { preset, set: [agronomic].into(), ..Options::default() };
        games.push(open(name, &options).unwrap_or_else(|problems| panic!("{problems}")));
    }
    games
}

fn mass_balances(game: &Game) -> Vec<(&PartInfo, &MassBalance)> {
    game.parts().iter().flat_map(|part| part.mass_balances().iter().map(move |balance| (part, balance))).collect()
}

/// Plays an episode and checks the balances each day; tells which flows there were, and the sum of each.
fn check(game: &Game, player: &mut dyn Agent, seed: u64) -> Vec<(String, f64)> {
    let mass_balances = mass_balances(game);
    let (mut state, mut record, mut schedule) = (game.new_state(), game.new_record(), Vec::new());
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    let mut accounts: Vec<BalanceTracker> =
        mass_balances.iter().map(|(_, balance)| BalanceTracker::open(balance, &game.reader(&state))).collect();
    let mut sums: Vec<Vec<f64>> = mass_balances.iter().map(|(_, balance)| vec![0.0; balance.flows().len()]).collect();
    let mut days = 0;
    while !state.over() && days < 400 {
        schedule.clear();
        player.choose(game, &state, &mut schedule);
        let day = state.step();
        game.step(&mut state, &schedule, &mut record).unwrap();
        if state.step() == day {
            continue;
        }
        days += 1;
        for (((part, balance), account), sums) in mass_balances.iter().zip(&mut accounts).zip(&mut sums) {
            let before = account.stock();
            account.note(balance, &game.reader(&state));
            let flows = balance.flows().iter().zip(account.flows());
            let change: f64 = flows.map(|(flow, amount)| if flow.is_inflow() { *amount } else { -amount }).sum();
            let size = account.flows().iter().map(|amount| amount.abs()).sum::<f64>() + before.abs() + 1.0;
            let open = account.stock() - before - change;
            let what = format!("{} {} day {}", part.path(), balance.name(), state.step());
            assert!(
                open.abs() <= ROUNDING * size,
                "{what}: {before} became {}, flows {:?}",
                account.stock(),
                account.flows()
            );
            assert!(account.flows().iter().all(|amount| *amount >= -ROUNDING * size), "{what}: {:?}", account.flows());
            sums.iter_mut().zip(account.flows()).for_each(|(sum, amount)| *sum += amount);
        }
    }
    let named = mass_balances.iter().zip(sums).flat_map(|((_, balance), sums)| {
        let name = |flow: &farm_core::declare::Flow| format!("{} {}", balance.name(), flow.name());
        balance.flows().iter().map(name).zip(sums).collect::<Vec<_>>()
    });
    named.collect()
}

#[test]
fn all_books_close_every_day_whatever_is_done() {
    let mut flowed = BTreeSet::new();
    for game in games() {
        if mass_balances(&game).is_empty() {
            continue;
        }
        for name in game.spec().policies().keys() {
            let mut player = policy(&game, name).unwrap();
            for seed in 0..2 {
                flowed.extend(
                    check(&game, player.as_mut(), seed).into_iter().filter(|(_, sum)| *sum > 0.0).map(|(n, _)| n),
                );
            }
        }
    }
    // Without these the balances would close of themselves.
    for flow in [
        "water rain",
        "water irrigation",
        "water uptake by plants",
        "water evaporation",
        "water surplus",
        "N leaching",
        "K uptake by plants",
        "on the plots scattered",
        "on the plots released",
        "N in plants uptake",
        "N in plants harvest",
        "N in plants given back",
        "dry matter of plants pulled out",
    ] {
        assert!(flowed.contains(flow), "`{flow}` never happened: {flowed:?}");
    }
}

#[test]
fn books_hold_where_a_day_takes_several_steps() {
    let set = [("rules.BasicRule.steps_per_day", "3")].map(|(path, value)| (path.to_owned(), value.to_owned())).into();
    let game =
        open("full_farm-v0", &Options { set, ..Options::default() }).unwrap_or_else(|problems| panic!("{problems}"));
    let mut player = policy(&game, "random").unwrap();
    let sums = check(&game, player.as_mut(), 5);
    let irrigation = sums.iter().find(|(name, _)| name == "water irrigation").unwrap().1;
    assert!(irrigation > 0.0);
}

#[test]
fn flows_of_a_book_have_names_of_their_own() {
    for game in games() {
        for (part, balance) in mass_balances(&game) {
            let names: BTreeSet<&str> = balance.flows().iter().map(|flow| flow.name()).collect();
            assert_eq!(names.len(), balance.flows().len(), "{} {}", part.path(), balance.name());
            assert!(!balance.name().is_empty() && !balance.unit().is_empty() && !names.contains(""), "{}", part.path());
        }
    }
}
