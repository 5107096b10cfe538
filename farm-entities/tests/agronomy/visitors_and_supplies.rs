//! Birds, scarecrows, pollinators, fertilisers and cides in games: who meets whom, and balances that close.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::spec::load;
use farm_core::{Environment, Game};
// Linking the games registers their parts.
use farm_games as _;

/// A field of plots with weather near Montpellier, soil and some entities, in flow YAML.
struct World(Environment);

impl World {
    fn new(shape: (usize, usize), entities: &[&str], actions: &str, initial: &str) -> Self {
        let listed: String = entities.iter().map(|entity| format!("      - {entity}\n")).collect();
        let text = format!(
            "name: scenario\nfields:\n  Field-0:\n    shape: {{length#nb: {}, width#nb: {}, scale#m: 1.0}}\n    \
             localization: {{latitude#°: 43.61}}\n    entity_defaults: {{equations: corrected}}\n    entities:\n      - Weather: montpellier\n{listed}farmers:\n  \
             - BasicFarmer: {{max_daily_interventions: 100}}\nrules:\n  BasicRule:\n    initial_conditions: {{Field-0: {{{initial}}}}}\n    \
             max_action_schedule_size: 100\n    actions: {{Field-0: {{{actions}}}}}\nscore: BasicScore\n",
            shape.0, shape.1
        );
        let game = load("scenario.yaml", &text).and_then(Game::new);
        Self(Environment::new(Arc::new(game.unwrap_or_else(|problems| panic!("{problems}\n{text}")))))
    }

    /// All values of a variable such as `Soil-0.available_N#g`.
    fn values(&self, name: &str) -> Vec<f64> {
        let (part, variable) = name.split_once('.').unwrap();
        let info = self.0.game().parts().iter().find(|p| p.name() == part).unwrap_or_else(|| panic!("no part {part}"));
        let info =
            info.variables().iter().find(|v| v.name() == variable).unwrap_or_else(|| panic!("no variable {name}"));
        let reader = self.0.game().reader(self.0.state());
        if let Some(column) = info.column::<f64>() {
            reader.get(column).to_vec()
        } else if let Some(column) = info.column::<i32>() {
            reader.get(column).iter().map(|v| f64::from(*v)).collect()
        } else {
            reader.get(info.column::<u8>().unwrap()).iter().map(|v| f64::from(*v)).collect()
        }
    }

    fn sum(&self, name: &str) -> f64 {
        self.values(name).iter().sum()
    }

    /// A day with interventions, as `Cide-0 scatter {…}`.
    fn day(&mut self, lines: &[&str]) {
        let mut schedule: Vec<Call> = Vec::new();
        for line in lines {
            let mut words = line.splitn(3, ' ');
            let (part, name) = (words.next().unwrap(), words.next().unwrap());
            let json = format!("[\"Field-0\", \"{part}\", \"{name}\", {}]", words.next().unwrap_or("{}"));
            schedule.extend(self.0.game().text().parse(&json).unwrap_or_else(|problem| panic!("{problem}")));
        }
        self.0.step(&schedule).unwrap();
        assert!(self.0.record().rejected().is_empty(), "{:?}", self.0.record().rejected());
    }
}

#[track_caller]
fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-3), "{what}: {found}, expected {expected}");
}

const SCATTER: &str = "scatter: {plot: '*', amount#kg: '(0, 10)'}, scatter_bag: {plot: '*', amount#bag: [1, 2, 3, 4]}";

#[test]
fn a_farm_with_fertilizer_publishes_what_leaves_the_stock_and_the_soil_gains_it() {
    let actions = format!("Fertilizer-0: {{{SCATTER}}}, Fertilizer-1: {{{SCATTER}}}");
    let entities = ["Soil: clay", "Fertilizer: fast_all", "Fertilizer: slow_K"];
    let mut world = World::new((2, 1), &entities, &actions, "Soil-0: {microlife_health_index#%: 40}");
    world.0.reset(4);
    world.day(&[
        "Fertilizer-0 scatter {\"plot\": [0, 0], \"amount#kg\": 2.5}",
        "Fertilizer-0 scatter_bag {\"plot\": [1, 0], \"amount#bag\": 2}",
        "Fertilizer-1 scatter_bag {\"plot\": [1, 0], \"amount#bag\": 1}",
    ]);
    let total = "total_cumulated_scattered_amount#kg";
    assert_close(world.sum(&format!("Fertilizer-0.{total}")), 2.5 + 2.0 * 0.75, "kilograms and bags");
    assert_close(world.sum(&format!("Fertilizer-1.{total}")), 1.25, "a bag of another");
    // A quarter of what dissolves in a day at half a week's worth, with microlife at 40 %.
    let first = world.values("Fertilizer-0.release_P#g.day-1");
    assert_close(first[0], 0.25 * 2500.0 * 0.5 / 7.0 * 0.4, "grams on the first day");
    assert_close(first[1], 0.25 * 1500.0 * 0.5 / 7.0 * 0.4, "grams on the first day");
    let (mut released, mut other) = ([0.0; 4], 0.0);
    for day in 0..120 {
        if day > 0 {
            world.day(&[]);
        }
        for (x, nutrient) in ["N", "P", "K", "C"].iter().enumerate() {
            let mine = world.values(&format!("Fertilizer-0.release_{nutrient}#g.day-1"));
            let others = world.values(&format!("Fertilizer-1.release_{nutrient}#g.day-1"));
            released[x] += mine.iter().sum::<f64>();
            other += others.iter().sum::<f64>();
            // Bedrock gives at most 0.1 mg per m² and day.
            for (plot, gain) in world.values(&format!("Soil-0.gain_{nutrient}#g.day-1")).iter().enumerate() {
                assert!((gain - mine[plot] - others[plot]).abs() <= 1.0001e-4, "{nutrient} at {plot}");
            }
        }
        let left = world.sum("Fertilizer-0.amount#kg");
        assert_close(left + released.iter().sum::<f64>() / 1000.0, 4.0, "the stock and what left it");
        assert_close(world.sum("Fertilizer-1.amount#kg") + other / 1000.0, 1.25, "the other stock");
    }
    assert!(released.iter().all(|x| (x - released[0]).abs() < 1e-9), "equal shares");
    assert!(world.sum("Fertilizer-0.amount#kg") < 0.5, "most of a fast fertiliser is gone");
    world.0.reset(5);
    assert_eq!(world.sum(&format!("Fertilizer-0.{total}")), 0.0, "totals belong to an episode");
}

#[test]
fn a_plot_holds_only_so_much_fertilizer_and_the_rest_is_not_counted() {
    let actions = format!("Fertilizer-0: {{{SCATTER}}}");
    let initial = "Fertilizer-0: {amount#kg: 998}, Soil-0: {microlife_health_index#%: 100}";
    let still = "Fertilizer: {base_absorption_speed#week-1: 0}";
    let mut world = World::new((1, 1), &["Soil: clay", still], &actions, initial);
    world.0.reset(1);
    world.day(&["Fertilizer-0 scatter {\"plot\": [0, 0], \"amount#kg\": 5}"]);
    assert_eq!(world.sum("Fertilizer-0.amount#kg"), 1000.0);
    assert_close(world.sum("Fertilizer-0.total_cumulated_scattered_amount#kg"), 2.0, "what the plot took");
}

#[test]
fn a_farm_with_cide_closes_its_books_and_poisons_the_soil_by_its_coefficients() {
    let actions = format!("Cide-0: {{{SCATTER}}}, Cide-1: {{{SCATTER}}}");
    let mut world = World::new((1, 2), &["Soil: loam", "Cide: pesticide", "Cide: herbicide_slow"], &actions, "");
    world.0.reset(4);
    world.day(&[
        "Cide-0 scatter_bag {\"plot\": [0, 1], \"amount#bag\": 4}",
        "Cide-1 scatter {\"plot\": [0, 0], \"amount#kg\": 0.05}",
    ]);
    let targets = ["pests", "weeds", "pollinators", "soil"];
    let stocks = targets.map(|target| world.values(&format!("Soil-0.amount_cide.{target}#g")));
    // One ratio holds for all: how much of a gram survives the day.
    let kept = stocks[0][1] / 100.0;
    assert!(kept > 0.3 && kept < 1.0, "{kept}");
    for (t, expected) in [[0.0, 100.0], [10.0, 0.0], [1.0, 100.0], [1.0, 10.0]].iter().enumerate() {
        assert_close(stocks[t][0], expected[0] * kept, targets[t]);
        assert_close(stocks[t][1], expected[1] * kept, targets[t]);
    }
    let mut released = [0.0; 2];
    for day in 0..7 {
        if day > 0 {
            world.day(&[]);
        }
        released[0] += world.sum("Cide-0.cide_release_pests#g.day-1");
        released[1] += world.sum("Cide-1.cide_release_weeds#g.day-1");
        assert_close(world.sum("Cide-0.amount#kg") + released[0] / 1000.0, 0.4, "pesticide");
        assert_close(world.sum("Cide-1.amount#kg") + released[1] / 1000.0, 0.05, "herbicide");
    }
    assert_close(released[0], 400.0, "all of it after four days");
    assert_close(world.sum("Cide-0.cide_release_pests#g.day-1") + 1.0, 1.0, "nothing is left to be set free");
    assert_close(world.sum("Cide-0.total_cumulated_scattered_amount#kg"), 0.4, "bags of 100 g");
}

#[test]
fn a_farm_with_birds_fears_scarecrows_and_feeds_only_who_eats() {
    let actions = "Facility-0: {put_scarecrow: {type: [basic, advanced]}, remove_scarecrow: }";
    let birds = ["Birds: seed_eater", "Birds: {base: pest_eater, max_population#nb: 20, pollinator_eater: true}"];
    let mut world = World::new((1, 1), &["Facility: base_facility", birds[0], birds[1]], actions, "");
    world.0.reset(9);
    let mut totals = [0.0; 2];
    let mut mean = |world: &mut World, days: usize| -> [f64; 2] {
        let before = totals;
        for _ in 0..days {
            world.day(&[]);
            for (bird, total) in totals.iter_mut().enumerate() {
                let number = |name: &str| world.sum(&format!("Birds-{bird}.{name}#nb"));
                *total += number("population");
                assert_eq!(number("total_cumulated_birds"), *total);
                assert_eq!(number("seed_eaters"), if bird == 0 { number("population") } else { 0.0 });
                assert_eq!(number("pest_eaters"), if bird == 1 { number("population") } else { 0.0 });
                assert_eq!(number("pollinator_eaters"), number("pest_eaters"));
            }
        }
        [0, 1].map(|bird| (totals[bird] - before[bird]) / days as f64)
    };
    // Means of max(0, U{0..m} − s) over 2,000 days; the standard deviations are at most 6.1, so 0.7 is five errors.
    let free = mean(&mut world, 2000);
    assert!((free[0] - 4.0).abs() < 0.3 && (free[1] - 10.0).abs() < 0.7, "{free:?}");
    world.day(&["Facility-0 put_scarecrow {\"type\": \"basic\"}"]);
    let on_the_day = [world.sum("Birds-0.population#nb"), world.sum("Birds-1.population#nb")];
    assert!(on_the_day[0] <= 4.0 && on_the_day[1] <= 16.0, "it works from its first day: {on_the_day:?}");
    let mut world =
        World::new((1, 1), &["Facility: base_facility", birds[0]], actions, "Facility-0: {scarecrow: advanced}");
    world.0.reset(9);
    for _ in 0..200 {
        world.day(&[]);
    }
    assert_eq!(world.sum("Birds-0.total_cumulated_birds#nb"), 0.0, "a scarecrow that stood there from the start");
    world.day(&["Facility-0 remove_scarecrow"]);
    for _ in 0..50 {
        world.day(&[]);
    }
    assert!(world.sum("Birds-0.total_cumulated_birds#nb") > 100.0, "they come back");
}

/// Pollinators whom nothing keeps away, with changes.
fn bees(changes: &str) -> String {
    let careless = "sensitivity_dist_edge: 0, sensitivity_air_temperature: 0, sensitivity_wind: 0, sensitivity_rain: 0";
    format!("Pollinators: {{{careless}{changes}}}")
}

#[test]
fn a_farm_with_pollinators_counts_their_visits() {
    let mut world = World::new((3, 2), &[&bees("")], "", "");
    world.0.reset(2);
    for day in 1..=10 {
        world.day(&[]);
        assert_eq!(world.values("Pollinators-0.occurrence#bin"), [1.0; 6]);
        assert_eq!(world.sum("Pollinators-0.total_cumulated_occurrence#nb"), 6.0 * f64::from(day));
    }
    // Plants that do not bloom yet attract nobody.
    let mut world = World::new((3, 2), &["Soil: clay", "Plant: bean", &bees(", flower_scaling: true")], "", "");
    world.0.reset(2);
    for _ in 0..3 {
        world.day(&[]);
        assert_eq!(world.sum("Pollinators-0.occurrence#bin"), 0.0);
    }
}

#[test]
fn a_farm_with_pollinators_cide_and_birds_loses_visits_to_both() {
    let actions = format!("Cide-0: {{{SCATTER}}}");
    let entities = ["Soil: clay", "Cide: pesticide", &bees(", sensitivity_pesticide: 1000")];
    let mut world = World::new((2, 1), &entities, &actions, "");
    world.0.reset(2);
    world.day(&["Cide-0 scatter {\"plot\": [1, 0], \"amount#kg\": 0.1}"]);
    for _ in 0..5 {
        assert_eq!(world.values("Pollinators-0.occurrence#bin"), [1.0, 0.0], "only the clean plot");
        world.day(&[]);
    }
    let birds = "Birds: {base: base_bird, pollinator_eater: true}";
    let mut world = World::new((2, 1), &[birds, &bees(", sensitivity_death_birds: 1000")], "", "");
    world.0.reset(2);
    for _ in 0..200 {
        world.day(&[]);
        let feared = world.sum("Birds-0.population#nb") > 3.0;
        assert_eq!(world.sum("Pollinators-0.occurrence#bin"), if feared { 0.0 } else { 2.0 });
    }
}
