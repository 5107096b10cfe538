//! Pests (Eqs. 30–33, II.8).

use farm_core::math::exp;

use super::forced::{World, assert_mean, assert_variance, field};

/// Pests that neither come nor leave.
const CONFINED: &str = "arrival_frequency#day-1: 0, leave_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0, sensitivity_death_birds: 0}";

const POPULATION: &str = "Pests-0.plot_population#nb";

fn confined(shape: (usize, usize), forced: &str, hosts: &[&str], initial: &str) -> World {
    let (forced, pests) = (format!("ForcedField: {{{forced}}}"), format!("Pests: {{{CONFINED}}}"));
    let entities: Vec<&str> = [forced.as_str(), pests.as_str()].into_iter().chain(hosts.iter().copied()).collect();
    field(shape, &entities, initial)
}

#[test]
fn equation_30_as_many_reach_the_field_as_the_interval_says_both_ends_included() {
    // On one plot, where all who reach the field come in and all of yesterday leave: the daily count is the arrivals.
    let pests = "Pests: {min_population#nb: 2, max_population#nb: 5, arrival_frequency#day-1: 0.3, \
                 appear_conditions: {sensitivity_0: 0}, leave_conditions: {sensitivity_0: 100}}";
    let mut world = field((1, 1), &["ForcedField", pests], "{}");
    let mut days = [0.0; 6];
    for _ in 0..20_000 {
        world.wait();
        days[world.values(POPULATION)[0] as usize] += 1.0 / 20_000.0;
    }
    for (number, share) in [0.7, 0.0, 0.075, 0.075, 0.075, 0.075].into_iter().enumerate() {
        let error = (share * (1.0 - share) / 20_000.0f64).sqrt();
        assert!((days[number] - share).abs() <= 5.0 * error, "{number}: {}, expected {share}", days[number]);
    }
}

#[test]
fn equation_30_is_drawn_once_for_the_whole_field() {
    let pests = "Pests: {min_population#nb: 0, max_population#nb: 1000, arrival_frequency#day-1: 1, \
                 appear_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0}, leave_conditions: {sensitivity_0: 100}}";
    let mut world = field((2, 2), &["ForcedField", pests], "{}");
    let mut before = 0.0;
    for _ in 0..20 {
        world.wait();
        assert_eq!(world.sum(POPULATION) % 4.0, 0.0, "every plot got the same number before they moved");
        let total = world.sum("Pests-0.total_cumulated_plot_population#nb");
        assert_eq!(total - before, world.sum(POPULATION), "those who came are counted");
        before = total;
    }
}

#[test]
fn equation_31_those_who_stay_and_those_who_come_are_two_draws_that_add_up() {
    // One plot with 100 pests, and 40 more that reach the field: Bin(100, exp(−0.1)) + Bin(40, exp(−0.2)).
    let pests = "Pests: {min_population#nb: 40, max_population#nb: 40, arrival_frequency#day-1: 1, \
                 appear_conditions: {sensitivity_0: 0.2}, leave_conditions: {sensitivity_0: 0.1}}";
    let mut world = field((1, 1), &["ForcedField", pests], "{Pests-0: {plot_population#nb: 100}}");
    let (mut found, mut came) = (Vec::new(), Vec::new());
    for seed in 0..4000 {
        world.env.reset(seed);
        world.wait();
        found.push(world.sum(POPULATION));
        came.push(world.sum("Pests-0.total_cumulated_plot_population#nb"));
    }
    let (stay, come) = (exp(-0.1), exp(-0.2));
    let variance = |number: f64, chance: f64| number * chance * (1.0 - chance);
    assert_mean(&came, 40.0 * come, variance(40.0, come), "came");
    let all = variance(100.0, stay) + variance(40.0, come);
    assert_mean(&found, 100.0 * stay + 40.0 * come, all, "pests of the plot");
    assert_variance(&found, all, "pests of the plot");
}

#[test]
fn equations_31_to_33_pests_stay_and_come_with_the_chances_of_the_place() {
    // Wind-still wandering mixes plots, so sums are compared: every plot holds 10, and 4 reach the field each day.
    let pests = "Pests: {min_population#nb: 4, max_population#nb: 4, arrival_frequency#day-1: 1, \
                 appear_conditions: {sensitivity_0: 0.2, sensitivity_dist_edge: 0.5}, leave_conditions: {sensitivity_0: 0.1, sensitivity_dist_edge: 0.3}}";
    let (mut found, mut mean, mut variance) = (Vec::new(), 0.0, 0.0);
    for seed in 0..400 {
        let mut world = field((5, 5), &["ForcedField", pests], "{Pests-0: {plot_population#nb: 10}}");
        world.env.reset(seed);
        world.wait();
        found.push(world.sum(POPULATION));
    }
    for (plots, distance) in [(16.0, 0.0), (8.0, 1.0), (1.0, 2.0)] {
        let (stay, come) = (exp(-0.1 - 0.3 * (2.0 - distance)), exp(-0.2 - 0.5 * distance));
        mean += plots * (10.0 * stay + 4.0 * come);
        variance += plots * (10.0 * stay * (1.0 - stay) + 4.0 * come * (1.0 - come));
    }
    assert_mean(&found, mean, variance, "pests in the field");
}

#[test]
fn birds_and_pesticide_drive_pests_away() {
    for (forced, p) in [("birds: 1", 1.0), ("birds: 2", exp(-3.0)), ("cide: 0.2", exp(-1.0)), ("t: 5", exp(-1.0))] {
        let pests =
            "Pests: {arrival_frequency#day-1: 0, leave_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0}}";
        let mut world =
            field((1, 1), &[&format!("ForcedField: {{{forced}}}"), pests], "{Pests-0: {plot_population#nb: 10000}}");
        world.wait();
        let (mean, variance) = (10_000.0 * p, 10_000.0 * p * (1.0 - p));
        assert_mean(&world.values(POPULATION), mean, variance, forced);
    }
}

#[test]
fn movement_conserves_pests() {
    for (shape, wind) in [((1, 1), 50), ((1, 6), 0), ((4, 3), 30), ((9, 7), 1000)] {
        for from in [0, 90, 180, 270, 315] {
            let mut world = confined(
                shape,
                &format!("wind: {wind}, from: {from}"),
                &[],
                "{Pests-0: {plot_population#nb: '(0, 900)'}}",
            );
            let before = world.sum(POPULATION);
            for _ in 0..50 {
                world.wait();
                assert_eq!(world.sum(POPULATION), before);
            }
        }
    }
}

/// A field of 5 × 5 plots where pesticide leaves only the 1000 pests in the middle before they move.
fn released(forced: &str) -> World {
    let pests = "Pests: {arrival_frequency#day-1: 0, leave_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0, \
                 sensitivity_pesticide: 1e6}}";
    let forced = format!("ForcedField: {{cide: 1, spared: 12{forced}}}");
    field((5, 5), &[&forced, pests], "{Pests-0: {plot_population#nb: 1000}}")
}

#[test]
fn movement_reaches_the_four_neighbours_alike_and_no_further_in_a_day() {
    let mut shares = vec![Vec::new(); 25];
    for seed in 0..4000 {
        let mut world = released("");
        world.env.reset(seed);
        world.wait();
        world.values(POPULATION).iter().enumerate().for_each(|(plot, n)| shares[plot].push(n / 1000.0));
    }
    for (plot, shares) in shares.iter().enumerate() {
        let near = (plot / 5).abs_diff(2) + (plot % 5).abs_diff(2) <= 1;
        // Five weights of the same law: a fifth each, with a variance below that of one uniform weight.
        assert_mean(shares, if near { 0.2 } else { 0.0 }, if near { 0.01 } else { 0.0 }, &format!("plot {plot}"));
    }
}

#[test]
fn movement_goes_downwind() {
    // The wind's weight of 100000 is far above the others' 1: all go with it.
    for (from, to) in [(0, (2, 3)), (90, (1, 2)), (180, (2, 1)), (270, (3, 2))] {
        let mut world = released(&format!(", wind: 1000000, from: {from}"));
        world.wait();
        assert!(world.values(POPULATION)[to.0 * 5 + to.1] > 990.0, "from {from}°: {:?}", world.values(POPULATION));
    }
    // At 10 km/h the downwind weight is u + 1: its mean share is E[(u₀+1)/(u₀+…+u₄+1)], 0.4372 with variance
    // 0.0083 by numerical simulation outside this program.
    let mut shares = Vec::new();
    for seed in 0..4000 {
        let mut world = released(", wind: 10, from: 180");
        world.env.reset(seed);
        world.wait();
        shares.push(world.values(POPULATION)[2 * 5 + 1] / 1000.0);
    }
    assert_mean(&shares, 0.4372, 0.0083 + 0.0003, "downwind");
}

#[test]
fn hosts_are_chosen_by_number_and_repulsion() {
    let hosts = [
        "ForcedHost: {number: 3, repulsion: 0.5}",
        "ForcedHost: {number: 0, repulsion: -5}",
        "ForcedHost: {number: 2, repulsion: -1}",
    ];
    let mut world = confined((100, 100), "", &hosts, "{Pests-0: {plot_population#nb: 30}}");
    world.wait();
    let on = |k: usize| world.values(&format!("Pests-0.onplant_population#nb.ForcedHost-{k}"));
    let p = 3.0 * exp(-0.5) / (3.0 * exp(-0.5) + 2.0 * exp(1.0));
    let here = world.values(POPULATION);
    let (first, second, third) = (on(0), on(1), on(2));
    assert!((0..10_000).all(|plot| first[plot] + second[plot] + third[plot] == here[plot]), "everybody sits");
    assert!(second.iter().all(|n| *n == 0.0), "nobody sits where there is no host");
    let surprise: Vec<f64> = first
        .iter()
        .zip(&here)
        .filter(|(_, n)| **n > 0.0)
        .map(|(k, n)| (k - n * p) / (n * p * (1.0 - p)).sqrt())
        .collect();
    assert_mean(&surprise, 0.0, 1.0, "on the first host");
    assert_variance(&surprise, 1.0, "on the first host");
    for (k, found) in [first, second, third].iter().enumerate() {
        assert_eq!(&world.values(&format!("ForcedHost-{k}.pests")), found, "the host is told");
    }
}

#[test]
fn hosts_add_up_several_kinds_of_pests_and_without_hosts_nobody_sits() {
    let pests = format!("Pests: {{{CONFINED}}}");
    let entities = [
        "ForcedField",
        pests.as_str(),
        "Weeds: {max_new_seeds#nb: 0, death_conditions: {sensitivity_death_0: 0}}",
        pests.as_str(),
    ];
    let initial = "Pests-0: {plot_population#nb: 3}, Pests-1: {plot_population#nb: 4}";
    let sitting = |weeds: u32| {
        let mut world = field((2, 2), &entities, &format!("{{{initial}, Weeds-0: {{grow#nb: {weeds}}}}}"));
        (0..3).for_each(|_| world.wait());
        ["Pests-0.onplant_population#nb.Weeds-0", "Pests-1.onplant_population#nb.Weeds-0", "Weeds-0.pests#nb"]
            .map(|name| world.sum(name))
    };
    assert_eq!(sitting(0), [0.0; 3]);
    assert_eq!(sitting(2), [12.0, 16.0, 28.0]);
}

#[test]
fn a_plot_takes_no_more_than_its_capacity_from_outside() {
    let pests = "Pests: {min_population#nb: 500, max_population#nb: 500, arrival_frequency#day-1: 1, plot_capacity#nb: 60, \
                 appear_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0}, leave_conditions: {sensitivity_0: 0}}";
    let mut world = field((3, 3), &["ForcedField", pests], "{}");
    for _ in 0..30 {
        world.wait();
        assert_eq!(world.sum(POPULATION), 540.0);
    }
}
