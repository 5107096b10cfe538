//! Who helps and harms whom: the qualitative couplings of the Farm-gym paper, each over 200 pairs of seasons with the same seeds.

use std::sync::Arc;
use std::thread;

use farm_core::action::Call;
use farm_core::spec::load;
use farm_core::{Column, Environment, Game};
use farm_entities::agronomy::plant::STAGES;
// Linking the games registers their parts.
use farm_games as _;

/// Pairs of seasons of each comparison.
const SEASONS: u64 = 200;
/// Days until a season is given up.
const LONGEST: u32 = 300;
/// Standard errors that a mean difference of pairs must lie away from 0: chance does this once in three million.
const CERTAIN: f64 = 5.0;

/// A field near Montpellier with one seed on each plot in spring.
struct Farm {
    env: Environment,
    plots: usize,
    stage: Column<u8>,
    watering: Vec<Vec<Call>>,
    harvesting: Vec<Vec<Call>>,
}

impl Farm {
    /// A field of X × Y plots with entities in flow YAML after weather; every listed action is allowed.
    fn new((length, width): (usize, usize), entities: &[&str], actions: &str, liters: f64) -> Self {
        let listed: String = entities.iter().map(|entity| format!("      - {entity}\n")).collect();
        let text = format!(
            "name: couplings\nfields:\n  Field-0:\n    shape: {{length#nb: {length}, width#nb: {width}, scale#m: 1}}\n    \
             localization: {{latitude#°: 43.6, longitude#°: 3.9, altitude#m: 27}}\n    entity_defaults: {{equations: corrected}}\n    entities:\n      - Weather: montpellier\n{listed}\
             farmers:\n  - BasicFarmer: {{max_daily_interventions: 100}}\nrules:\n  BasicRule:\n    initial_conditions:\n      Field-0:\n        \
             Weather-0: {{day#int365: [120, 125, 130], year#int100: '(0, 9)'}}\n        Plant-0: {{stage: seed, population#nb: 1}}\n    \
             max_action_schedule_size: 100\n    actions:\n      Field-0:\n        \
             Soil-0: {{water_continuous: {{plot: '*', amount#L: '(0, 1000)', duration#min: [60]}}}}\n        \
             Plant-0: {{micro_harvest: {{plot: '*'}}}}\n{actions}score: BasicScore\n"
        );
        let game = load("couplings.yaml", &text).and_then(Game::new).unwrap_or_else(|p| panic!("{p}\n{text}"));
        let part = game.parts().iter().find(|part| part.name() == "Plant-0").unwrap();
        let stage = part.variables().iter().find(|v| v.name() == "stage").unwrap().column().unwrap();
        let plots = length * width;
        let env = Environment::new(Arc::new(game));
        let mut farm = Self { env, plots, stage, watering: Vec::new(), harvesting: Vec::new() };
        farm.harvesting = farm.at_each_plot("Plant-0", "micro_harvest", "");
        if liters > 0.0 {
            let amount = format!(", \"amount#L\": {liters}, \"duration#min\": 60");
            farm.watering = farm.at_each_plot("Soil-0", "water_continuous", &amount);
        }
        farm
    }

    /// The same call for each plot, with more arguments in JSON.
    fn at_each_plot(&self, part: &str, action: &str, more: &str) -> Vec<Vec<Call>> {
        let width = self.env.game().fields()[0].width();
        let call = |plot: usize| {
            let at = format!("[{}, {}]", plot / width, plot % width);
            self.call(&format!("[\"Field-0\", \"{part}\", \"{action}\", {{\"plot\": {at}{more}}}]"))
        };
        (0..self.plots).map(call).collect()
    }

    fn call(&self, json: &str) -> Vec<Call> {
        self.env.game().text().parse(json).unwrap_or_else(|problem| panic!("{json}: {problem}"))
    }

    fn stage(&self, plot: usize) -> &'static str {
        STAGES[usize::from(self.env.game().reader(self.env.state()).get(self.stage)[plot])]
    }

    /// The sum of a variable such as `Soil-0.leached_N#g.day-1`.
    fn sum(&self, name: &str) -> f64 {
        let (part, variable) = name.split_once('.').unwrap();
        let info = self.env.game().parts().iter().find(|p| p.name() == part).unwrap();
        let info = info.variables().iter().find(|v| v.name() == variable).unwrap_or_else(|| panic!("no {name}"));
        let reader = self.env.game().reader(self.env.state());
        match info.column::<f64>() {
            Some(column) => reader.get(column).iter().sum(),
            None => reader.get(info.column::<i32>().unwrap()).iter().map(|v| f64::from(*v)).sum(),
        }
    }

    fn step(&mut self, schedule: &[Call]) {
        self.env.step(schedule).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(self.env.record().rejected().is_empty(), "{:?}", self.env.record().rejected());
    }

    /// A season by a fixed rule: water each plot from the sprout on, harvest what is ripe, and do also what is said for a
    /// day; returns the harvest in kg.
    fn season(&mut self, seed: u64, also: impl Fn(u32) -> Vec<Call>) -> f64 {
        self.env.reset(seed);
        for day in 0..LONGEST {
            let mut schedule = also(day);
            let mut alive = false;
            for plot in 0..self.plots {
                match self.stage(plot) {
                    "grow" | "bloom" | "fruit" => {
                        alive = true;
                        schedule.extend(self.watering.get(plot).into_iter().flatten());
                    }
                    "ripe" => schedule.extend(&self.harvesting[plot]),
                    "seed" => alive = true,
                    _ => {}
                }
            }
            self.step(&schedule);
            if !alive {
                break;
            }
        }
        self.sum("Plant-0.harvest_weight#kg")
    }
}

/// What pairs of numbers show.
#[derive(Debug, Clone, Copy)]
struct Comparison {
    /// Mean of the first and of the second.
    means: [f64; 2],
    /// Mean of the differences, second less first, in standard errors.
    t: f64,
}

impl Comparison {
    fn of(pairs: &[[f64; 2]]) -> Self {
        let n = pairs.len() as f64;
        let means = [0, 1].map(|i| pairs.iter().map(|pair| pair[i]).sum::<f64>() / n);
        let mean = means[1] - means[0];
        let variance = pairs.iter().map(|pair| (pair[1] - pair[0] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self { means, t: mean / (variance / n).sqrt() }
    }

    fn ratio(self) -> f64 {
        self.means[1] / self.means[0]
    }
}

/// Plays all seasons without and with something, both at once; `play` makes the farm and returns one number for each seed.
fn compare(play: impl Fn(bool) -> Vec<f64> + Sync) -> Comparison {
    let (without, with) = thread::scope(|scope| {
        let without = scope.spawn(|| play(false));
        let with = play(true);
        (without.join().unwrap(), with)
    });
    assert_eq!((without.len(), with.len()), (SEASONS as usize, SEASONS as usize));
    Comparison::of(&without.into_iter().zip(with).map(|(a, b)| [a, b]).collect::<Vec<_>>())
}

/// The harvests of a crop on one plot of clay that gets a litre a day, without and with bees.
fn bees(plant: &str) -> Comparison {
    compare(|with| {
        let plant = format!("Plant: {plant}");
        let mut entities = vec!["Soil: clay", &plant];
        entities.extend(with.then_some("Pollinators: bee"));
        let mut farm = Farm::new((1, 1), &entities, "", 1.0);
        (0..SEASONS).map(|seed| farm.season(seed, |_| Vec::new())).collect()
    })
}

#[test]
fn bees_raise_the_yield_of_beans_strongly_and_leave_that_of_corn() {
    let (bean, corn) = (bees("bean"), bees("corn"));
    assert!(bean.t > CERTAIN && bean.ratio() > 1.4, "bean: {bean:?}");
    assert!((corn.ratio() - 1.0).abs() < 0.02, "corn: {corn:?}");
}

/// The share of twelve seeds that sprout among seed eaters, without and with a scarecrow.
fn scarecrow(kind: &str, crop: &str) -> Comparison {
    compare(|with| {
        let plant = format!("Plant: {crop}");
        let entities = ["Facility: base_facility", "Birds: seed_eater", "Soil: clay", &plant];
        let actions = "        Facility-0: {put_scarecrow: {type: [basic, advanced]}}\n";
        let mut farm = Farm::new((4, 3), &entities, actions, 0.0);
        let put = farm.call(&format!("[\"Field-0\", \"Facility-0\", \"put_scarecrow\", {{\"type\": \"{kind}\"}}]"));
        let sprouted = |seed| {
            farm.env.reset(seed);
            let mut sprouted = vec![false; farm.plots];
            for day in 0..60 {
                farm.step(if with && day == 0 { &put } else { &[] });
                sprouted.iter_mut().enumerate().for_each(|(plot, is)| *is |= farm.stage(plot) == "grow");
            }
            sprouted.iter().filter(|is| **is).count() as f64 / 12.0
        };
        (0..SEASONS).map(sprouted).collect()
    })
}

#[test]
fn a_scarecrow_saves_seeds_from_birds_and_a_better_one_saves_more() {
    for crop in ["bean", "corn", "tomato"] {
        let (basic, advanced) = (scarecrow("basic", crop), scarecrow("advanced", crop));
        assert!(basic.t > CERTAIN, "{crop}, basic: {basic:?}");
        assert!(advanced.t > CERTAIN, "{crop}, advanced: {advanced:?}");
        assert!(advanced.means[1] > 1.2 * basic.means[1], "{crop}: {basic:?} {advanced:?}");
    }
}

/// The harvests of beans on twelve plots among weeds and other entities, with weeds pulled out every day and with weeds
/// pulled out only on every so many days, or never.
fn weeding(weeds: &str, others: &[&str], seldom: Option<u32>) -> Comparison {
    compare(|rarely| {
        let weeds = format!("Weeds: {weeds}");
        let mut entities = vec!["Soil: clay", &weeds, "Pollinators: bee", "Plant: bean"];
        entities.extend(others);
        let mut farm = Farm::new((4, 3), &entities, "        Weeds-0: {remove: {plot: '*'}}\n", 1.0);
        let removing = farm.at_each_plot("Weeds-0", "remove", "").concat();
        let every = if rarely { seldom } else { Some(1) };
        let today =
            |day: u32| if every.is_some_and(|n| (day + 1).is_multiple_of(n)) { removing.clone() } else { Vec::new() };
        (0..SEASONS).map(|seed| farm.season(seed, today)).collect()
    })
}

/// Weeds attract pests away from the crop: without pesticide, a farmer who weeds too often loses the harvest.
#[test]
fn weeding_too_often_lowers_the_yield_where_there_are_pests() {
    for (weeds, pests) in
        [("invasive", "basic"), ("invasive", "aggressive"), ("grass", "aggressive"), ("grass", "basic")]
    {
        let pests = format!("Pests: {pests}");
        let never = weeding(weeds, &[&pests], None);
        assert!(never.t > CERTAIN && never.means[1] > 2.0 * never.means[0], "{weeds}, {pests}: {never:?}");
    }
    let rarely = weeding("invasive", &["Pests: aggressive"], Some(60));
    assert!(rarely.t > CERTAIN && rarely.means[1] > 2.0 * rarely.means[0], "every 60 days: {rarely:?}");
}

/// What makes it so is that weeds attract pests: where there are no pests, or weeds that pests do not like
/// (`pest_repulsive_effect` 20 instead of -2), weeds only take water and nutrients.
#[test]
fn weeds_that_attract_no_pests_do_not_raise_the_yield() {
    let without = weeding("invasive", &[], None);
    assert!(without.t < -CERTAIN, "no pests: {without:?}");
    let disliked = weeding("{base: invasive, pest_repulsive_effect: 20}", &["Pests: aggressive"], None);
    assert!(disliked.t < 2.0 && disliked.means[1] < 0.1, "disliked: {disliked:?}");
    // The common weed seeds so much that it takes more than it helps, however much pests love it.
    let common = weeding("base_weed", &[], None);
    assert!(common.t < -CERTAIN && common.means[1] < 0.2 * common.means[0], "common weed, no pests: {common:?}");
}

#[test]
fn herbicide_lowers_the_microlife() {
    let microlife = |kg: f64| {
        compare(|with| {
            let actions = "        Cide-0: {scatter: {plot: '*', amount#kg: '(0, 1)'}}\n";
            let mut farm = Farm::new((1, 1), &["Cide: herbicide", "Soil: loam", "Plant: bean"], actions, 0.0);
            let scatter = farm.at_each_plot("Cide-0", "scatter", &format!(", \"amount#kg\": {kg}")).concat();
            let mean = |seed| {
                farm.env.reset(seed);
                let mut sum = 0.0;
                for day in 0..90 {
                    farm.step(if with && day % 30 == 0 { &scatter } else { &[] });
                    sum += farm.sum("Soil-0.microlife_health_index#%");
                }
                sum / 90.0
            };
            (0..SEASONS).map(mean).collect()
        })
    };
    let (little, much) = (microlife(0.1), microlife(0.5));
    assert!(little.t < -CERTAIN, "a bag a month: {little:?}");
    assert!(much.t < -CERTAIN && much.means[1] < little.means[1], "five bags a month: {little:?} {much:?}");
}

#[test]
fn heavy_irrigation_leaches_nutrients() {
    for soil in ["clay", "silt", "loam", "sand"] {
        let leached = ["N", "P", "K", "C"].map(|nutrient| {
            compare(|heavily| {
                let mut farm =
                    Farm::new((1, 1), &[&format!("Soil: {soil}"), "Plant: bean"], "", if heavily { 30.0 } else { 1.0 });
                let watering = farm.watering[0].clone();
                let name = format!("Soil-0.leached_{nutrient}#g.day-1");
                let share = |seed| {
                    farm.env.reset(seed);
                    let first = farm.sum(&format!("Soil-0.available_{nutrient}#g"));
                    let mut sum = 0.0;
                    for _ in 0..60 {
                        farm.step(&watering);
                        sum += farm.sum(&name);
                    }
                    sum / first
                };
                (0..SEASONS).map(share).collect()
            })
        });
        for (nutrient, comparison) in ["N", "P", "K", "C"].iter().zip(leached) {
            assert!(comparison.t > CERTAIN, "{nutrient} of {soil}: {comparison:?}");
            assert!(comparison.means[1] > 2.0 * comparison.means[0], "{nutrient} of {soil}: {comparison:?}");
        }
        assert!(
            leached[0].means[1] > leached[2].means[1] && leached[2].means[1] > leached[1].means[1],
            "N, then K, then P"
        );
    }
}
