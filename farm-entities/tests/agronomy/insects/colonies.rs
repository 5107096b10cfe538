//! How insects live: in forced weather, on forced leaves.

use crate::world::{Scenario, World, assert_mean, moments};

/// Insects of which nothing happens to any unless it is said.
const STILL: &str = "arrivals#nb.m-2.day-1: 0, breeding#°C-1.day-1: 0, death#prop.day-1: 0, moving#prop.day-1: 0";

const POPULATION: &str = "Pests-0.plot_population#nb";

/// Plots of 100 m² with insects that are `STILL` besides.
fn colony(shape: (usize, usize), summer: &str, hosts: &[&str], insect: &str, initial: u32) -> World {
    // What is said twice is what was said last.
    let words: Vec<&str> = insect.split(", ").filter(|word| !word.is_empty()).collect();
    let said = |word: &str| words.iter().any(|other| other.split(':').next() == word.split(':').next());
    let all: Vec<&str> = STILL.split(", ").filter(|word| !said(word)).chain(words.iter().copied()).collect();
    let base = Scenario::new().plots(shape.0, shape.1).scale(10.0).with(format!("ForcedSummer: {{{summer}}}"));
    let base = hosts.iter().fold(base, |scenario, host| scenario.with(*host));
    base.with(format!("Pests: {{equations: agronomic, insect: {{{}}}}}", all.join(", ")))
        .initially(format!("{{Pests-0: {{plot_population#nb: {initial}}}}}"))
        .build()
}

/// Insects of the field after a day, for some seeds.
fn after_a_day(world: &mut World, seeds: u64) -> Vec<f64> {
    let sum = |seed| {
        world.env.reset(seed);
        world.wait();
        world.values(POPULATION).iter().sum()
    };
    (0..seeds).map(sum).collect()
}

#[test]
fn insects_fly_in_on_warm_days_where_there_are_leaves_and_years_differ() {
    let arrivals = "arrivals#nb.m-2.day-1: 0.05, year_to_year: 0";
    // 5 m² of leaves for each m² of ground: 5/5.05 of those who fly over come down.
    for (summer, hosts, expected) in [
        ("max: 30", vec!["ForcedLeaves"], 5.0 * 5.0 / 5.05),
        ("max: 18", vec!["ForcedLeaves"], 2.5 * 5.0 / 5.05),
        ("max: 14", vec!["ForcedLeaves"], 0.0),
        ("max: 30", vec!["ForcedLeaves: {leaves: 5}"], 2.5),
        ("max: 30", vec![], 0.0),
    ] {
        let found = after_a_day(&mut colony((1, 1), summer, &hosts, arrivals, 0), 2000);
        assert_mean(&found, expected, 1e-12, &format!("{summer}, {hosts:?}"));
        let (_, variance) = moments(&found);
        assert!((variance - expected).abs() < 0.2 * expected + 1e-12, "a Poisson number: {variance}, {expected}");
    }
    let mut years = colony((1, 1), "", &["ForcedLeaves"], "arrivals#nb.m-2.day-1: 0.05, year_to_year: 0.7", 0);
    let (mean, variance) = moments(&after_a_day(&mut years, 4000));
    // Log-normal years: the mean is the same, its square varies by e^0.49 − 1.
    assert!((mean - 4.95).abs() < 0.35 && variance > 2.5 * mean, "{mean}, {variance}");
}

#[test]
fn the_middle_of_a_large_field_gets_fewer_insects() {
    let mut world = colony((7, 7), "", &["ForcedLeaves"], "arrivals#nb.m-2.day-1: 1, edge_reach#m: 20", 0);
    let (mut edge, mut middle) = (0.0, 0.0);
    for seed in 0..200 {
        world.env.reset(seed);
        world.wait();
        let plots = world.values(POPULATION);
        (edge, middle) = (edge + plots[3], middle + plots[3 * 7 + 3]);
    }
    // Thirty metres are one and a half reaches.
    assert!((middle / edge - 0.223).abs() < 0.03, "{middle} in the middle, {edge} at the edge");
}

#[test]
fn insects_breed_with_warmth_up_to_what_the_leaves_feed() {
    let weeks = |summer: &str, leaves: &str| {
        let mut world = colony((1, 1), summer, &[leaves], "breeding#°C-1.day-1: 0.0075, death#prop.day-1: 0.03", 100);
        let mut numbers = [0.0; 2];
        for seed in 0..20 {
            world.env.reset(seed);
            world.wait_days(35);
            numbers[0] += world.value(POPULATION) / 20.0;
            world.wait_days(165);
            numbers[1] += world.value(POPULATION) / 20.0;
        }
        (numbers[0], numbers[1])
    };
    // 22 °C are twelve degree-days: 0.09 young a day, 0.03 of them dead.
    let (month, season) = weeks("", "ForcedLeaves: {leaves: 5000}");
    assert!((600.0..1000.0).contains(&month), "{month} after five weeks");
    // Growth ends where a third of the young would be left: at two thirds of the insects that 5000 m² feed.
    assert!((60_000.0..70_000.0).contains(&season), "{season}");
    let (month, season) = weeks("min: 5, max: 12", "ForcedLeaves: {leaves: 5000}");
    assert!(month < 50.0 && season < 2.0, "{month}, {season} in the cold");
    let (_, season) = weeks("", "ForcedLeaves: {leaves: 500}");
    assert!((6_000.0..7_000.0).contains(&season), "a tenth of the leaves feed a tenth: {season}");
}

#[test]
fn without_leaves_insects_starve_or_leave() {
    let mut world = colony((1, 1), "", &[], "starving#prop.day-1: 0.4", 10_000);
    let found = after_a_day(&mut world, 200);
    assert_mean(&found, 6000.0, 0.0, "without a host");
    let mut world = colony((1, 1), "", &["ForcedLeaves: {leaves: 500}"], "starving#prop.day-1: 0.4", 10_000);
    assert_eq!(after_a_day(&mut world, 3), [10_000.0; 3], "500 cm² for each");
}

#[test]
fn doses_frost_and_birds_kill_as_their_laws_say() {
    for (summer, surviving) in [
        ("", 1.0),
        // On 100 m², 0.03 g are the dose that half survive, 0.1 g are 10 g/ha and 0.5 g are 50 g/ha.
        ("cide: 0.003", 1.0 / 1.01),
        ("cide: 0.03", 0.5),
        ("cide: 0.1", 1.0 / (1.0 + 100.0 / 9.0)),
        ("cide: 0.5", 1.0 / (1.0 + 2500.0 / 9.0)),
        ("min: -5", 0.5),
        ("min: -1", 1.0),
    ] {
        let found = after_a_day(&mut colony((1, 1), summer, &["ForcedLeaves"], "", 10_000), 100);
        assert_mean(&found, 10_000.0 * surviving, 1.0, summer);
    }
}

#[test]
fn birds_eat_a_share_of_few_insects_and_are_sated_by_many() {
    let share = |initial: u32, birds: u32| {
        let mut world = colony((2, 1), &format!("birds: {birds}"), &["ForcedLeaves"], "", initial);
        let left = after_a_day(&mut world, 400);
        1.0 - left.iter().sum::<f64>() / (400.0 * 2.0 * f64::from(initial))
    };
    // On 200 m² a bird finds 1.5/200 of all, up to twenty.
    assert!((share(100, 8) - 8.0 * 0.0075 / (1.0 + 1.5 / 20.0)).abs() < 0.004, "{}", share(100, 8));
    assert!(share(100, 8) > share(100, 2) && share(100, 2) > share(100, 0));
    assert_eq!(share(100, 0), 0.0);
    let many = share(5000, 8);
    assert!(many * 10_000.0 < 8.0 * 20.0 && many < 0.4 * share(100, 8), "sated: {many}");
    // However many birds, some insects hide.
    assert!(share(10, 1000) < 0.95);
}

#[test]
fn insects_move_to_leaves_downwind_and_none_gets_lost() {
    for wind in [0, 30] {
        for from in [0, 90, 180, 270] {
            let summer = format!("wind: {wind}, from: {from}");
            let mut world = colony((3, 4), &summer, &["ForcedLeaves"], "moving#prop.day-1: 0.3", 400);
            world.env.reset(2);
            for _ in 0..20 {
                world.wait();
                assert_eq!(world.values(POPULATION).iter().sum::<f64>(), 4800.0);
            }
            let plots = world.values(POPULATION);
            let row = |y: usize| plots.iter().skip(y).step_by(4).sum::<f64>();
            let (north, south) = (row(0), row(3));
            if wind > 0 && from % 180 == 0 {
                assert!((south > 1.5 * north) == (from == 0), "from {from}°: {north} north, {south} south");
            }
        }
    }
}

/// Weeds that insects like in the paper's equations (a repulsion of −0.5) draw few of them off a crop of equal leaves.
#[test]
fn insects_sit_on_the_crop_rather_than_on_weeds() {
    let on = |host: &str, hosts: &[&str]| {
        let mut world = colony((10, 10), "", hosts, "", 100);
        world.env.reset(3);
        world.wait();
        world.values(&format!("Pests-0.onplant_population#nb.{host}")).iter().sum::<f64>() / 10_000.0
    };
    let crop = "ForcedLeaves: {repulsion: 0.1}";
    assert_eq!(on("ForcedLeaves-0", &[crop]), 1.0);
    let weedy = on("ForcedLeaves-0", &[crop, "ForcedWeeds: {repulsion: -0.5}"]);
    // 1 : 0.05·e^0.6.
    assert!((weedy - 1.0 / (1.0 + 0.05 * 1.822)).abs() < 0.01, "{weedy}");
    let alike = on("ForcedLeaves-0", &["ForcedLeaves", "ForcedLeaves: {repulsion: 1}"]);
    assert!((alike - 0.731).abs() < 0.02, "{alike}");
}

#[test]
fn equal_seeds_are_equal_and_others_differ() {
    let states = |seed| {
        let insect =
            "arrivals#nb.m-2.day-1: 0.05, breeding#°C-1.day-1: 0.01, death#prop.day-1: 0.03, moving#prop.day-1: 0.2";
        let mut world = colony((3, 3), "birds: 3, wind: 10", &["ForcedLeaves", "ForcedWeeds"], insect, 5);
        world.env.reset(seed);
        world.wait_days(60);
        world.env.state().hash()
    };
    assert_eq!(states(4), states(4));
    assert_ne!(states(4), states(5));
}
