//! Weeds (Eqs. 26–29, II.7).

use farm_core::math::exp;

use super::forced::{World, assert_mean, assert_variance, field};

/// Weeds to whom nothing happens but what a test turns on; they change every day.
const CALM: &str = "time_to_grow#day: 1, max_new_seeds#nb: 0, flower_to_seed#prop: 0, sensitivity_flowers_0: 100, \
                    grow_conditions: {sensitivity_grow_0: 100}, death_conditions: {sensitivity_death_0: 0}";

/// A hundred by a hundred plots.
fn weeds(change: &str, forced: &str, initial: &str) -> World {
    let weeds = format!("Weeds: {{{}}}", merged(change));
    field((100, 100), &[&format!("ForcedField: {{{forced}}}"), &weeds], &format!("{{Weeds-0: {{{initial}}}}}"))
}

/// `CALM` without the parameters that the change sets.
fn merged(change: &str) -> String {
    let name = |entry: &str| entry.split(':').next().unwrap().trim().to_owned();
    let split = |text: &str| {
        let (mut depth, mut entries) = (0, vec![String::new()]);
        for c in text.chars() {
            depth += i32::from(c == '{' || c == '[') - i32::from(c == '}' || c == ']');
            if c == ',' && depth == 0 { entries.push(String::new()) } else { entries.last_mut().unwrap().push(c) }
        }
        entries.into_iter().filter(|entry| !entry.trim().is_empty()).collect::<Vec<_>>()
    };
    let changes = split(change);
    let kept = split(CALM).into_iter().filter(|entry| changes.iter().all(|c| name(c) != name(entry)));
    kept.chain(changes.clone()).collect::<Vec<_>>().join(", ")
}

#[test]
fn calm_weeds_stay_as_they_are() {
    let mut world = weeds("", "", "grow#nb: 3, seeds#nb: 4, flowers#nb: 5");
    (0..20).for_each(|_| world.wait());
    for (name, number) in [("grow", 3.0), ("seeds", 4.0), ("flowers", 5.0)] {
        assert!(world.values(&format!("Weeds-0.{name}#nb")).iter().all(|n| *n == number), "{name}");
    }
}

#[test]
fn equation_26_seeds_blow_in_from_the_edge() {
    let mut world =
        weeds("max_new_seeds#nb: 10, appear_conditions: {sensitivity_0: 0.2, sensitivity_dist_edge: 0.3}", "", "");
    world.wait();
    let seeds = world.values("Weeds-0.seeds#nb");
    for distance in 0..4 {
        let at = |(i, _): &(usize, &f64)| {
            let (x, y) = (i / 100, i % 100);
            [x, y, 99 - x, 99 - y].into_iter().min() == Some(distance)
        };
        let here: Vec<f64> = seeds.iter().enumerate().filter(at).map(|(_, n)| *n).collect();
        let p = exp(-0.2 - 0.3 * distance as f64);
        assert_mean(&here, 10.0 * p, 10.0 * p * (1.0 - p), &format!("distance {distance}"));
    }
}

#[test]
fn equation_27_seeds_sprout_with_the_days_chance() {
    let mut world = weeds("grow_conditions: {sensitivity_grow_0: 0.1}", "t: 5, cide: 4", "seeds#nb: 20");
    world.wait();
    // 2 °C too cold at 0.3, 1 g of herbicide too much at 0.8.
    let p = exp(-0.1 - 0.6 - 0.8);
    let grow = world.values("Weeds-0.grow#nb");
    assert_mean(&grow, 20.0 * p, 20.0 * p * (1.0 - p), "sprouted");
    assert_variance(&grow, 20.0 * p * (1.0 - p), "sprouted");
    assert!(grow.iter().zip(world.values("Weeds-0.seeds#nb")).all(|(grow, seeds)| grow + seeds == 20.0));
    assert_eq!(world.sum("Weeds-0.total_cumulated_plot_population#nb"), grow.iter().sum::<f64>());
}

#[test]
fn equation_28_a_weed_becomes_its_flowers() {
    let mut world = weeds("sensitivity_flowers_0: 0.5, flowers_per_plant#nb: 3", "", "grow#nb: 12");
    world.wait();
    let (grow, flowers) = (world.values("Weeds-0.grow#nb"), world.values("Weeds-0.flowers#nb"));
    assert!(grow.iter().zip(&flowers).all(|(grow, flowers)| 3.0 * (12.0 - grow) == *flowers));
    let p = exp(-0.5);
    assert_mean(&grow, 12.0 * (1.0 - p), 12.0 * p * (1.0 - p), "not in flower");
}

#[test]
fn equation_29_weeds_die_of_what_they_miss() {
    let death = "death_conditions: {sensitivity_death_0: 0.1}, needs: {N_grow_consumption#g.mm-1: 1, P_grow_consumption#g.mm-1: 2, \
                 K_grow_consumption#g.mm-1: 4, C_grow_consumption#g.mm-1: 0}";
    // 30 weeds ask for 30, 60, 120 and 0 g of N, P, K, C, and 60 g are there: half the potassium is missing. They want a
    // tenth of the 70 L above the wilting point, and half of that is there.
    let mut world = weeds(death, "stock: 60, water: 113.5", "grow#nb: 30");
    world.wait();
    let p = exp(-0.1 - 1.0 * 0.5 - 2.0 * 0.5);
    let grow = world.values("Weeds-0.grow#nb");
    assert_mean(&grow, 30.0 * p, 30.0 * p * (1.0 - p), "alive");
    assert_variance(&grow, 30.0 * p * (1.0 - p), "alive");
}

#[test]
fn demand_of_weeds_is_by_the_consumption_of_each_nutrient() {
    let needs = "needs: {N_grow_consumption#g.mm-1: 1, P_grow_consumption#g.mm-1: 2, K_grow_consumption#g.mm-1: 3, \
                 C_grow_consumption#g.mm-1: 4, Water_grow_consumption#mL.mm-1: 5}, size#cm: 200";
    for (take, weeds_taking) in [("false", 2.0), ("true", 5.0)] {
        let mut world = weeds(&format!("{needs}, flowers_take: {take}"), "", "grow#nb: 2, flowers#nb: 3");
        world.wait();
        for (name, per_weed) in
            [("N#g.day-1", 1.0), ("P#g.day-1", 2.0), ("K#g.day-1", 3.0), ("C#g.day-1", 4.0), ("Water#L.day-1", 0.005)]
        {
            let found = world.values(&format!("Weeds-0.asked_{name}"))[0];
            assert!((found - per_weed * weeds_taking).abs() < 1e-12, "{name}: {found}");
        }
        assert!((world.values("Weeds-0.shade#m2")[0] - 5.0 * std::f64::consts::PI).abs() < 1e-12);
        assert_eq!(world.values("Weeds-0.hosts#nb")[0], 5.0);
    }
}

#[test]
fn all_shed_seeds_land_in_the_field_uniformly_on_the_plot_and_its_neighbours() {
    // One plot of flowers in the middle and one in a corner of many small runs: 9 and 4 plots share the seeds.
    let shedding = merged("flower_to_seed#prop: 1, seed_per_flower#nb: 3");
    let mut counts = [0.0; 25];
    for seed in 0..400 {
        let mut world =
            field((5, 5), &["ForcedField", &format!("Weeds: {{{shedding}}}")], "{Weeds-0: {flowers#nb: 60}}");
        world.env.reset(seed);
        world.wait();
        assert_eq!(world.sum("Weeds-0.seeds#nb"), 25.0 * 180.0, "no seed is lost");
        assert_eq!(world.sum("Weeds-0.flowers#nb"), 0.0);
        counts.iter_mut().zip(world.values("Weeds-0.seeds#nb")).for_each(|(sum, n)| *sum += n / 400.0);
    }
    // A plot's mean is the sum over its neighbours and itself of 180 / (how many they share with): 4, 6 or 9 plots.
    let shares = |x: usize, y: usize| (3 - usize::from(x.is_multiple_of(4))) * (3 - usize::from(y.is_multiple_of(4)));
    for (plot, found) in counts.iter().enumerate() {
        let (x, y) = (plot / 5, plot % 5);
        let near = (0..25usize).filter(|q| (q / 5).abs_diff(x) <= 1 && (q % 5).abs_diff(y) <= 1);
        let (mut mean, mut variance) = (0.0, 0.0);
        for q in near {
            let p = 1.0 / shares(q / 5, q % 5) as f64;
            mean += 180.0 * p;
            variance += 180.0 * p * (1.0 - p);
        }
        let error = (variance / 400.0).sqrt();
        assert!((found - mean).abs() < 5.0 * error, "plot {plot}: {found}, expected {mean} ± {error}");
    }
}

#[test]
fn a_share_of_the_flowers_sheds() {
    let mut world = weeds("flower_to_seed#prop: 0.3", "", "flowers#nb: 20");
    world.wait();
    let left = world.values("Weeds-0.flowers#nb");
    assert_mean(&left, 14.0, 4.2, "left");
    assert_variance(&left, 4.2, "left");
}

#[test]
fn plots_change_independently_every_few_days() {
    let mut world = weeds("time_to_grow#day: 5, sensitivity_flowers_0: 0", "", "grow#nb: 1");
    world.wait();
    assert_mean(&world.values("Weeds-0.grow#nb"), 0.8, 0.16, "unchanged");
}

#[test]
fn ticks_one_makes_one_transition_of_three_and_ticks_all_makes_all() {
    let change = "flower_to_seed#prop: 1, seed_per_flower#nb: 0, sensitivity_flowers_0: 0, flowers_per_plant#nb: 0, \
                  grow_conditions: {sensitivity_grow_0: 0}";
    let changed = |ticks: &str| {
        let initial = "grow#nb: 1, seeds#nb: 1, flowers#nb: 1";
        let mut world = weeds(&format!("{change}, ticks: {ticks}"), "", initial);
        world.wait();
        let [grow, seeds, flowers] = ["grow", "seeds", "flowers"].map(|n| world.values(&format!("Weeds-0.{n}#nb")));
        (0..10_000).map(|plot| (flowers[plot] == 0.0, seeds[plot] == 0.0, grow[plot])).collect::<Vec<_>>()
    };
    assert!(changed("all").iter().all(|plot| *plot == (true, true, 0.0)));
    let one = changed("one");
    for only in [(true, false, 1.0), (false, true, 2.0), (false, false, 0.0)] {
        let share: Vec<f64> = one.iter().map(|plot| f64::from(u8::from(*plot == only))).collect();
        assert_mean(&share, 1.0 / 3.0, 2.0 / 9.0, &format!("{only:?}"));
    }
}

#[test]
fn removing_leaves_the_seeds_of_the_plot_and_all_of_the_others() {
    let mut world = weeds("", "", "grow#nb: 3, seeds#nb: 4, flowers#nb: 5");
    let calls = world.env.game().text().parse(r#"["Field-0", "Weeds-0", "remove", {"plot": [2, 7]}]"#).unwrap();
    world.env.step(&calls).unwrap();
    for (name, here, elsewhere) in [("grow", 0.0, 3.0), ("seeds", 4.0, 4.0), ("flowers", 0.0, 5.0)] {
        let values = world.values(&format!("Weeds-0.{name}#nb"));
        assert!(values.iter().enumerate().all(|(plot, n)| *n == if plot == 207 { here } else { elsewhere }), "{name}");
    }
}

#[test]
fn weeds_never_outgrow_their_plot() {
    // Which of the three fills up depends on where the way on is blocked.
    for (flower, sprout, full) in [(100, 100, "seeds"), (100, 0, "grow"), (0, 0, "flowers")] {
        let change = format!(
            "max_new_seeds#nb: 50, appear_conditions: {{sensitivity_0: 0, sensitivity_dist_edge: 0}}, plot_capacity#nb: 40, \
             flowers_per_plant#nb: 9, sensitivity_flowers_0: {flower}, grow_conditions: {{sensitivity_grow_0: {sprout}}}"
        );
        let mut world = field((3, 3), &["ForcedField", &format!("Weeds: {{{}}}", merged(&change))], "{}");
        for _ in 0..10 {
            world.wait();
            for name in ["grow", "seeds", "flowers"] {
                assert!(world.values(&format!("Weeds-0.{name}#nb")).iter().all(|n| (0.0..=40.0).contains(n)), "{name}");
            }
        }
        assert_eq!(world.values(&format!("Weeds-0.{full}#nb")), [40.0; 9], "{full}");
    }
}
