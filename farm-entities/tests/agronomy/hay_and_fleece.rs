//! A meadow that is mown, dried and baled, and a fleece over plants in a night of frost.

use farm_games::{Options, open};

use crate::world::{Scenario, World, assert_close};

fn game(name: &str, set: &[(&str, &str)]) -> World {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    World::of(open(name, &Options { set, ..Default::default() }).unwrap_or_else(|problems| panic!("{problems}")))
}

const MOW: &str = r#"Meadow-0 mow {"plot": [0, 0]}"#;
const BALE: &str = r#"Meadow-0 bale {"plot": [0, 0]}"#;

/// A meadow in weather that repeats one day without noise.
fn meadow(days: &str) -> World {
    game("hay_meadow", &[("fields.Field-0.entities.0", days)])
}

const DRY: &str = "{Weather: {base: dry, source: replay, noise: {temperature#°C: 0, humidity#%: 0, clouds#%: 0}}}";
const RAINY: &str = "{Weather: {base: rainy, source: replay, noise: {temperature#°C: 0, humidity#%: 0, clouds#%: 0}}}";

#[test]
fn mown_grass_dries_in_the_sun_and_sells_by_quality() {
    let mut world = meadow(DRY);
    world.env.reset(1);
    world.wait_days(40);
    let grass = world.value("Meadow-0.grass#g.m-2");
    assert!(grass > 300.0, "{grass}");
    world.act(&[MOW]);
    let swath = world.value("Meadow-0.swath#g.m-2");
    assert!(swath > 0.9 * (grass - 60.0) && swath <= grass - 60.0, "{swath} of {grass}");
    assert_close(world.value("Meadow-0.grass#g.m-2"), 60.0, "stubble, which does not grow under a swath");
    world.env.step(&[]).unwrap();
    let days = (1..15).find(|_| {
        world.wait();
        world.value("Meadow-0.swath_water#prop") < 0.2
    });
    assert!(days.is_some(), "it dries");
    let (swath, digestible) = (world.value("Meadow-0.swath#g.m-2"), world.value("Meadow-0.swath_digestible#prop"));
    let outcome = world.act(&[BALE]);
    // 2,500 m², a tenth lost; 0.2 euros for a digestible share of 0.65 and more, none at 0.4; 45 euros of labour.
    let weight = swath * 2.5 * 0.9;
    let price = 0.2 * ((digestible - 0.4) / 0.25).min(1.0);
    assert_close(world.value("Meadow-0.baled#kg"), weight, "weight");
    assert_close(outcome.reward, weight * price - 45.0, "sale");
    assert_eq!(world.value("Meadow-0.swath#g.m-2"), 0.0);
}

#[test]
fn wet_hay_is_worth_nothing_and_rain_takes_digestible_matter() {
    let mut world = meadow(RAINY);
    world.env.reset(1);
    world.wait_days(60);
    world.act(&[MOW]);
    let (swath, digestible) = (world.value("Meadow-0.swath#g.m-2"), world.value("Meadow-0.swath_digestible#prop"));
    world.wait_days(5);
    assert!(world.value("Meadow-0.swath_water#prop") > 0.6, "8 mm of rain a day keep it wet");
    assert!(world.value("Meadow-0.swath#g.m-2") < 0.95 * swath);
    assert!(world.value("Meadow-0.swath_digestible#prop") < digestible - 0.01);
    assert_close(world.act(&[BALE]).reward, -45.0, "mouldy hay brings nothing");
}

#[test]
fn an_action_without_effect_on_the_meadow_is_rejected() {
    let mut world = meadow(DRY);
    world.env.reset(1);
    for (first, second) in [(None, BALE), (Some(MOW), MOW)] {
        if let Some(first) = first {
            world.wait_days(20);
            world.act(&[first]);
        }
        let call = world.env.game().text().parse(&format!(
            "[\"Field-0\", \"Meadow-0\", \"{}\", {{\"plot\": [0, 0]}}]",
            second.split(' ').nth(1).unwrap()
        ));
        world.env.step(call.unwrap()).unwrap();
        assert_eq!(world.env.record().rejected().len(), 1, "{second}");
    }
}

/// Corn dies at -5 °C. Under a fleece that gives 4 °C it has -1 °C, which is a degree above its lethal temperature.
#[test]
fn a_fleece_saves_plants_in_one_night() {
    let days = 50;
    let lives = |covered_on: Option<usize>| {
        let mut world = Scenario::new()
            .at(42.0)
            .with(format!("Spells: {{start: 120, spells: [{{t: [15, 25], days: {days}}}, {{t: [-5, 12], days: 1}}, {{t: [15, 25]}}]}}"))
            .with("Soil: {base: loam, equations: agronomic, profile: {depth#m: 1}}")
            .with("Cover: {warmth#°C: 4}")
            .with("Plant: {base: corn, equations: agronomic, initial_population#nb: 8, crop: {nutrition: {nitrogen#%: 0}, fruits: {germination#prop: 1}}}")
            .build();
        for day in 0..=days {
            if covered_on == Some(day) {
                world.act(&[r#"Cover-0 cover {"plot": [0, 0]}"#]);
                assert_eq!(world.value("Cover-0.warmth#°C"), 0.0, "taken off in the morning");
            } else {
                world.wait();
            }
        }
        world.stages()[0] != "dead"
    };
    assert!(!lives(None), "without a fleece");
    assert!(lives(Some(days)), "with a fleece in the night of frost");
    assert!(!lives(Some(days - 1)), "with a fleece in the night before");
}
