//! A supply of water that runs dry, in both soils.

use farm_core::declare::BalanceTracker;
use farm_core::spec::load;

use crate::world::{Scenario, World, assert_close, sheet_soil};

const LEFT: &str = "Soil-0.supply_left#L";
const GIVEN: &str = "Soil-0.total_cumulated_added_water#L";
const WATER: &str = "Soil-0.available_Water#L";

/// A plot of 1 m² with a supply, by the name of the equations; the same rain falls every day.
fn field(agronomic: bool, rain: f64, supply: &str) -> World {
    let soil = match agronomic {
        true => "Soil: {base: loam, equations: agronomic}".to_owned(),
        false => sheet_soil("clay"),
    };
    let soil = soil.replacen('}', &format!("{supply}}}"), 1);
    let weather = format!("ForcedWeather: {{days: [{{rain: {rain}}}]}}");
    Scenario::new().with(weather).with(soil).build()
}

/// Waters every day and checks that what is kept of the water, and of the supply, is what came in less what went out.
fn days(world: &mut World, liters: f64, days: usize) {
    let game = world.env.game().clone();
    let balances: Vec<_> = game.parts().iter().flat_map(|part| part.mass_balances()).collect();
    assert!(balances.iter().any(|balance| balance.name() == "water of the supply"));
    let reader = game.reader(world.env.state());
    let mut accounts: Vec<_> = balances.iter().map(|balance| BalanceTracker::open(balance, &reader)).collect();
    for day in 0..days {
        let before: Vec<f64> = accounts.iter().map(|account| account.stock()).collect();
        world.water(liters, 60.0);
        let reader = game.reader(world.env.state());
        for ((balance, account), before) in balances.iter().zip(&mut accounts).zip(before) {
            account.note(balance, &reader);
            let flows = balance.flows().iter().zip(account.flows());
            let change: f64 = flows.map(|(flow, amount)| if flow.is_inflow() { *amount } else { -amount }).sum();
            let open = account.stock() - before - change;
            let size = before.abs() + account.flows().iter().sum::<f64>() + 1.0;
            assert!(open.abs() < 1e-9 * size, "{} day {day}: {open}", balance.name());
        }
    }
}

#[test]
fn a_supply_gives_what_is_left_and_then_nothing() {
    for agronomic in [false, true] {
        let mut world = field(agronomic, 0.0, ", supply#L: 25");
        assert_eq!(world.value(LEFT), 25.0);
        for (left, given) in [(15.0, 10.0), (5.0, 20.0), (0.0, 25.0), (0.0, 25.0)] {
            days(&mut world, 10.0, 1);
            assert_close(world.value(LEFT), left, "left");
            assert_close(world.value(GIVEN), given, "given");
        }
        // A dry supply wets nothing.
        let before = world.value(WATER);
        days(&mut world, 10.0, 1);
        assert!(world.value(WATER) <= before, "{} after {before}", world.value(WATER));
    }
}

#[test]
fn rain_fills_it_only_from_a_catchment_and_only_up_to_the_brim() {
    for agronomic in [false, true] {
        let mut world = field(agronomic, 5.0, ", supply#L: 25");
        days(&mut world, 10.0, 2);
        assert_close(world.value(LEFT), 5.0, "rain does not fill it");
        // 5 mm on 1.5 m² are 7.5 L a day.
        let mut world = field(agronomic, 5.0, ", supply#L: 25, supply_catchment#m2: 1.5");
        for left in [22.5, 20.0, 17.5] {
            days(&mut world, 10.0, 1);
            assert_close(world.value(LEFT), left, "after watering and rain");
        }
        world.wait_days(3);
        assert_close(world.value(LEFT), 25.0, "full");
        assert_close(world.value("Soil-0.supply_caught#L.day-1"), 0.0, "no room for more");
        days(&mut world, 100.0, 4);
        assert_close(world.value(LEFT), 7.5, "the rain of the day");
    }
}

#[test]
fn several_plots_share_it_in_the_order_of_the_schedule() {
    let mut world = Scenario::new()
        .plots(2, 1)
        .with("ForcedWeather: {days: [{}]}")
        .with(sheet_soil("clay").replacen('}', ", supply#L: 15}", 1))
        .build();
    let water = |plot: u32| {
        format!("Soil-0 water_continuous {{\"plot\": [{plot}, 0], \"amount#L\": 10, \"duration#min\": 60}}")
    };
    let before = world.values(WATER);
    world.act(&[&water(1), &water(0)]);
    let came: Vec<f64> = world.values(WATER).iter().zip(before).map(|(now, before)| now - before).collect();
    assert!(came[1] > came[0] + 4.0, "10 L and 5 L, less what evaporates: {came:?}");
    assert_close(world.value(GIVEN), 15.0, "given");
}

#[test]
fn a_soil_without_a_supply_keeps_none_and_is_written_as_before() {
    let text = |soil: &str| {
        format!(
            "name: dry\nfields: {{Field-0: {{entities: [Weather: montpellier, Soil: {soil}]}}}}\nfarmers: [BasicFarmer]\nrules: BasicRule\nscore: BasicScore\n"
        )
    };
    let written = |soil: &str| load("dry.yaml", &text(soil)).unwrap().to_yaml().unwrap();
    assert!(!written("clay").contains("supply"));
    assert!(written("{base: clay, supply#L: 100}").contains("supply#L: 100"));
    // A catchment without a supply fills nothing.
    let game = load("dry.yaml", &text("{base: clay, supply_catchment#m2: 5}")).and_then(farm_core::Game::new).unwrap();
    let warning = game.warnings().0.iter().find(|problem| problem.message.contains("supply_catchment#m2"));
    assert!(
        warning.is_some_and(|problem| problem.path.to_string().ends_with("Soil.supply_catchment#m2")),
        "{warning:?}"
    );
}
