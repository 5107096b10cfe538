//! Who pollinates, and what it costs if no insect does.

use super::{Beans, mean_harvest};
use crate::world::{Scenario, World, assert_share};

/// Plots of 100 m² with flowers and bees.
fn flowers(shape: (usize, usize), flowers: u32, summer: &str) -> World {
    let scenario = Scenario::new().plots(shape.0, shape.1).scale(10.0).with(format!("ForcedSummer: {{{summer}}}"));
    scenario
        .with(format!("ForcedLeaves: {{flowers: {flowers}}}"))
        .with("Pollinators: {base: bee, equations: agronomic}")
        .build()
}

fn share_of_days(world: &mut World, days: usize) -> f64 {
    world.env.reset(1);
    world.wait_days(days);
    world.value("Pollinators-0.total_cumulated_occurrence#nb")
        / (days * world.values("Pollinators-0.occurrence#bin").len()) as f64
}

#[test]
fn bees_come_where_flowers_are_and_share_them() {
    assert_eq!(share_of_days(&mut flowers((1, 1), 0, ""), 200), 0.0, "no flowers, no visits");
    assert_eq!(share_of_days(&mut flowers((1, 1), 100, ""), 500), 1.0, "nine visits of each flower");
    // 400 flowers per m² get 900/(400 + 100) visits each.
    let mut world = flowers((5, 5), 40_000, "");
    world.env.reset(1);
    world.wait_days(400);
    let visits = world.value("Pollinators-0.total_cumulated_occurrence#nb") as usize;
    // The middle lies 20 m from the edge: 2 % fewer, within the error.
    assert_share(visits, 10_000, 0.8318, "visits");
    assert_eq!(world.value("Pollinators-0.total_cumulated_killed#nb"), 0.0);
}

#[test]
fn cides_keep_bees_away_by_the_dose_per_square_metre() {
    let visits = |grams: f64| share_of_days(&mut flowers((5, 5), 40_000, &format!("cide: {grams}")), 200);
    let doses = [0.0, 0.05, 0.1, 0.5].map(visits);
    assert!(doses.windows(2).all(|pair| pair[1] < pair[0]), "{doses:?}");
    assert!(doses[3] < 0.05 && doses[0] > 0.8, "{doses:?}");
    let mut world = flowers((5, 5), 40_000, "cide: 0.5");
    world.env.reset(1);
    world.wait_days(100);
    assert!(world.value("Pollinators-0.total_cumulated_killed#nb") > 1900.0, "what the cide prevented is counted");
}

/// Klein et al. 2007: without animals beans, tomatoes lose up to a tenth, soybeans and sunflowers a tenth to four tenths; wheat, rice,
/// potatoes and corn lose nothing.
#[test]
fn crops_need_bees_as_much_as_published() {
    for (crop, plants, sown_on, [least, most]) in [
        ("bean", 13, 121, [-0.03, 0.1]),
        ("tomato", 3, 125, [-0.03, 0.1]),
        ("soybean", 33, 130, [0.1, 0.4]),
        ("sunflower", 6, 110, [0.1, 0.4]),
        ("corn", 8, 110, [-0.05, 0.05]),
        ("potato", 4, 100, [-0.05, 0.05]),
    ] {
        let yields = |extra: &str| {
            let mut field = Beans::of(1.0);
            (field.crop, field.plants, field.sown_on) = (crop, plants, sown_on);
            let mut world = field.with(extra).build_with("", "");
            mean_harvest(&mut world, 1.0, 3)
        };
        let (with, without) = (yields("ForcedGuests: {insects: true}"), yields("ForcedGuests: {insects: false}"));
        let lost = 1.0 - without / with;
        assert!((least..=most).contains(&lost), "{crop}: {with} kg with insects every day, {without} without: {lost}");
    }
}
