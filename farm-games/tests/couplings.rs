//! Who helps and harms whom: the qualitative couplings of the Farm-gym paper, each over 200 pairs of seasons with the same seeds.

use std::sync::Arc;
use std::thread;

use farm_core::action::Call;
use farm_core::config::load;
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
             localization: {{latitude#°: 43.6, longitude#°: 3.9, altitude#m: 27}}\n    entities:\n      - Weather: montpellier\n{listed}\
             farmers:\n  - BasicFarmer: {{max_daily_interventions: 100}}\nrules:\n  BasicRule:\n    initial_conditions:\n      Field-0:\n        \
             Weather-0: {{day#int365: [120, 125, 130], year#int100: '(0, 9)'}}\n        Plant-0: {{stage: seed, population#nb: 1}}\n    \
             max_action_schedule_size: 100\n    actions:\n      Field-0:\n        \
             Soil-0: {{water_continuous: {{plot: '*', amount#L: '(0, 1000)', duration#min: [60]}}}}\n        \
             Plant-0: {{micro_harvest: {{plot: '*'}}}}\n{actions}score: BasicScore\n"
        );
        let game = load("couplings.yaml", &text).and_then(Game::new).unwrap_or_else(|p| panic!("{p}\n{text}"));
        let part = game.parts.iter().find(|part| part.name == "Plant-0").unwrap();
        let stage = part.variables.iter().find(|v| v.name == "stage").unwrap().column().unwrap();
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
        let width = self.env.game().fields[0].width;
        let call = |plot: usize| {
            let at = format!("[{}, {}]", plot / width, plot % width);
            self.call(&format!("[\"Field-0\", \"{part}\", \"{action}\", {{\"plot\": {at}{more}}}]"))
        };
        (0..self.plots).map(call).collect()
    }

    fn call(&self, json: &str) -> Vec<Call> {
        self.env.parse_action(json).unwrap_or_else(|problem| panic!("{json}: {problem}"))
    }

    fn stage(&self, plot: usize) -> &'static str {
        STAGES[usize::from(self.env.game().reader(self.env.state()).get(self.stage)[plot])]
    }

    /// The sum of a variable such as `Soil-0.leached_N#g.day-1`.
    fn sum(&self, name: &str) -> f64 {
        let (part, variable) = name.split_once('.').unwrap();
        let info = self.env.game().parts.iter().find(|p| p.name == part).unwrap();
        let info = info.variables.iter().find(|v| v.name == variable).unwrap_or_else(|| panic!("no {name}"));
        let reader = self.env.game().reader(self.env.state());
        match info.column::<f64>() {
            Some(column) => reader.get(column).iter().sum(),
            None => reader.get(info.column::<i32>().unwrap()).iter().map(|v| f64::from(*v)).sum(),
        }
    }

    fn step(&mut self, schedule: &[Call]) {
        self.env.step(schedule).unwrap_or_else(|problem| panic!("{problem}"));
        assert!(self.env.record().rejected.is_empty(), "{:?}", self.env.record().rejected);
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

#[test]
#[ignore]
fn explore() {
    for crop in ["bean", "corn", "tomato"] {
        let play = |bee: bool| {
            let plant = format!("Plant: {crop}");
            let mut entities = vec!["Soil: clay", &plant];
            if bee {
                entities.push("Pollinators: bee");
            }
            let mut farm = Farm::new((1, 1), &entities, "", 1.0);
            (0..SEASONS).map(|s| farm.season(s, |_| vec![])).collect::<Vec<_>>()
        };
        let (a, b) = (play(false), play(true));
        println!("pollination {crop} {:?}", Comparison::of(&a.iter().zip(b).map(|(a, b)| [*a, b]).collect::<Vec<_>>()));
    }
    thread::scope(|scope| {
        for crop in ["bean", "corn", "tomato"] {
            for weeds in ["base_weed", "grass", "invasive"] {
                for pests in ["basic", "aggressive"] {
                    scope.spawn(move || {
                        let play = |every: Option<u32>| {
                            let (plant, weeds, pests) =
                                (format!("Plant: {crop}"), format!("Weeds: {weeds}"), format!("Pests: {pests}"));
                            let mut farm = Farm::new(
                                (4, 3),
                                &["Soil: clay", &weeds, &pests, "Pollinators: bee", &plant],
                                "        Weeds-0: {remove: {plot: '*'}}\n",
                                1.0,
                            );
                            let removing: Vec<Call> = farm.at_each_plot("Weeds-0", "remove", "").concat();
                            (0..60)
                                .map(|s| {
                                    farm.season(s, |d| match every {
                                        Some(n) if d % n == n - 1 => removing.clone(),
                                        _ => vec![],
                                    })
                                })
                                .collect::<Vec<_>>()
                        };
                        let daily = play(Some(1));
                        for every in [None, Some(60), Some(30), Some(14)] {
                            let other = play(every);
                            let c = Comparison::of(&daily.iter().zip(other).map(|(a, b)| [*a, b]).collect::<Vec<_>>());
                            println!("{crop} {weeds} {pests} daily vs {every:?}: {c:?}");
                        }
                    });
                }
            }
        }
    });
}
