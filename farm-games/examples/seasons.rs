//! The yield of a plot that gets the same water every day: the tables of `docs/seasons.md` and the charts of `cargo xtask curves`.
//!
//! `cargo run --release -p farm-games --example seasons`
//!
//! One plant on a plot of 1 m² near Montpellier, each crop on each soil, in dry, mean and wet years (those of the built-in
//! table with 0.3, 1 and 2 times its rain). From emergence on it gets the same amount of water every day, and it is
//! harvested on the first day that it is ripe. There are no other actions, and no weeds, pests or birds.

use std::sync::Arc;
use std::{env, fs, process, thread};

use farm_core::action::Call;
use farm_core::config::{Origin, Source, Trust};
use farm_core::spec::load_document;
use farm_core::{Column, Environment, Game};
use farm_entities::agronomy::plant::STAGES;
use farm_games as _;

/// The plants of the table, by parameter set, and the possible sowing days of the year.
///
/// Beans are sown after the late frosts, corn and tomatoes when the days are warm enough to sprout.
pub(crate) const CROPS: [(&str, [u32; 3]); 3] =
    [("bean", [110, 120, 130]), ("corn", [120, 125, 130]), ("tomato", [120, 125, 130])];
/// The soils, by parameter set.
pub(crate) const SOILS: [&str; 4] = ["clay", "silt", "loam", "sand"];
/// The years, and the factor of their rain.
pub(crate) const YEARS: [(&str, f64); 3] = [("dry", 0.3), ("mean", 1.0), ("wet", 2.0)];
/// Litres per day.
pub(crate) const WATERINGS: [f64; 6] = [0.0, 0.5, 1.0, 2.0, 3.0, 5.0];

/// The built-in table of days, whose rain is scaled.
const MONTPELLIER: &str = include_str!("../../farm-entities/src/agronomy/weather/montpellier.csv");
/// Days until a season is given up.
const LONGEST: u32 = 300;

/// The result of one season.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Season {
    /// Weight of the harvest.
    pub yield_kg: f64,
    /// Days from emergence to ripe fruits; none if the plant did not ripen.
    pub ripening_days: Option<u32>,
}

/// The results of many seasons.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    /// Mean weight of the harvest, failed seasons included.
    pub mean_kg: f64,
    /// Share of the seasons with a harvest.
    pub success: f64,
    /// Mean days from emergence to ripe fruits, over the seasons in which the plant ripened.
    pub ripening_days: f64,
}

/// A plot with one plant.
pub(crate) struct Plot {
    environment: Environment,
    stage: Column<u8>,
    harvest: Column<f64>,
    harvesting: Vec<Call>,
    watering: Vec<Vec<Call>>,
}

impl Plot {
    /// A crop on a soil, in years with the usual rain multiplied by `rain`.
    pub(crate) fn new(crop: (&str, [u32; 3]), soil: &str, rain: f64) -> Self {
        let file = scaled_weather(rain);
        let text = format!(
            "name: seasons\n\
             fields:\n  Field-0:\n    shape: {{length#nb: 1, width#nb: 1, scale#m: 1}}\n    \
             localization: {{latitude#°: 43.6, longitude#°: 3.9, altitude#m: 27}}\n    entity_defaults: {{equations: corrected}}\n    entities:\n      \
             - Weather: {{base: montpellier, file: {:?}}}\n      - Soil: {soil}\n      - Plant: {}\n\
             farmers:\n  - BasicFarmer: {{max_daily_interventions: 1}}\n\
             rules:\n  BasicRule:\n    initial_conditions:\n      Field-0:\n        \
             Weather-0: {{day#int365: {:?}, year#int100: '(0, 9)'}}\n        Plant-0: {{stage: seed, population#nb: 1}}\n    \
             actions:\n      Field-0:\n        Soil-0: {{water_continuous: {{plot: '*', amount#L: '(0, 5)', duration#min: [60]}}}}\n        \
             Plant-0: {{harvest: }}\n\
             score: BasicScore\n",
            file.display().to_string(),
            crop.0,
            crop.1,
        );
        // The table lies in the system's folder of temporary files.
        let source = Source::new("seasons.yaml", &text).with_trust(Trust::new(Origin::User));
        let game = source.document().and_then(|document| load_document(&document)).and_then(Game::new);
        let game = game.unwrap_or_else(|problems| panic!("{problems}"));
        // The table has been read.
        let _ = fs::remove_file(&file);
        let part = game.parts().iter().find(|part| part.name() == "Plant-0").expect("there is a plant");
        let variable = |name| part.variables().iter().find(|v| v.name() == name).expect("plants have this variable");
        let (stage, harvest) = (variable("stage").column(), variable("harvest_weight#kg").column());
        let environment = Environment::new(Arc::new(game));
        let call = |line: &str| environment.game().text().parse(line).unwrap_or_else(|problem| panic!("{problem}"));
        let watering = |liters: f64| {
            call(&format!(
                "[\"Field-0\", \"Soil-0\", \"water_continuous\", {{\"plot\": [0, 0], \"amount#L\": {liters}, \"duration#min\": 60}}]"
            ))
        };
        Self {
            stage: stage.expect("the stage is a category"),
            harvest: harvest.expect("the harvest is a real"),
            harvesting: call("[\"Field-0\", \"Plant-0\", \"harvest\", {}]"),
            watering: WATERINGS.map(watering).to_vec(),
            environment,
        }
    }

    fn stage(&self) -> &'static str {
        STAGES[usize::from(self.environment.game().reader(self.environment.state()).get(self.stage)[0])]
    }

    /// Plays a season with one of the waterings.
    pub(crate) fn season(&mut self, watering: usize, seed: u64) -> Season {
        self.environment.reset(seed);
        let (mut sprouted, mut ripening_days) = (None, None);
        for day in 0..LONGEST {
            let stage = self.stage();
            if stage != "seed" && sprouted.is_none() {
                sprouted = Some(day);
            }
            let schedule = match stage {
                "grow" | "bloom" | "fruit" if WATERINGS[watering] > 0.0 => self.watering[watering].as_slice(),
                "ripe" => {
                    ripening_days = sprouted.map(|sprout| day - sprout);
                    &self.harvesting
                }
                "dead" | "none" | "harvested" => break,
                _ => &[],
            };
            self.environment.step(schedule).unwrap_or_else(|error| panic!("{error}"));
            assert!(self.environment.record().rejected().is_empty(), "an intervention was rejected");
        }
        let yield_kg = self.environment.game().reader(self.environment.state()).get(self.harvest)[0];
        Season { yield_kg, ripening_days }
    }

    /// Plays many seasons with one of the waterings.
    pub(crate) fn seasons(&mut self, watering: usize, seasons: u64) -> Cell {
        let played: Vec<Season> = (0..seasons).map(|seed| self.season(watering, seed)).collect();
        let ripened: Vec<f64> = played.iter().filter_map(|s| s.ripening_days).map(f64::from).collect();
        Cell {
            mean_kg: played.iter().map(|s| s.yield_kg).sum::<f64>() / seasons as f64,
            success: played.iter().filter(|s| s.yield_kg > 0.0).count() as f64 / seasons as f64,
            ripening_days: ripened.iter().sum::<f64>() / ripened.len() as f64,
        }
    }

    /// Plays many seasons with each of the waterings.
    pub(crate) fn row(&mut self, seasons: u64) -> [Cell; WATERINGS.len()] {
        std::array::from_fn(|watering| self.seasons(watering, seasons))
    }
}

/// The index of the watering with the largest mean yield.
pub(crate) fn best(row: &[Cell]) -> usize {
    (0..row.len()).max_by(|a, b| row[*a].mean_kg.total_cmp(&row[*b].mean_kg)).unwrap_or(0)
}

/// Writes the built-in table of days with its rain multiplied by `factor`. Each call writes a new file.
fn scaled_weather(factor: f64) -> std::path::PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let mut lines = MONTPELLIER.lines().filter(|line| !line.starts_with('#'));
    let header = lines.next().expect("the table has headers");
    let rain = header.split(',').position(|name| name == "rain#mm.day-1").expect("the table has rain");
    let mut text = format!("{header}\n");
    for line in lines {
        let cells = line.split(',').enumerate().map(|(i, cell)| {
            let scaled = cell.parse::<f64>().map(|mm| format!("{}", factor * mm));
            if i == rain { scaled.expect("rain is a number") } else { cell.to_owned() }
        });
        text += &cells.collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let path = env::temp_dir().join(format!("farm-seasons-{}-{number}.csv", process::id()));
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

#[allow(dead_code, reason = "the tests use the rest of this file")]
#[allow(clippy::print_stdout, reason = "the table is its output")]
fn main() {
    let seasons = env::args().nth(1).map_or(200, |n| n.parse().expect("the number of seasons"));
    println!(
        "Mean yield in kg, and the share of seasons with a yield, over {seasons} seasons, by litres a day from the sprout on."
    );
    println!("The best of a row is bold; days are from sprout to ripe with it.");
    for crop in CROPS {
        let header: String = WATERINGS.iter().map(|liters| format!(" {liters} L |")).collect();
        println!("\n| {} | year |{header} days |\n|---|---|{} ---: |", crop.0, " ---: |".repeat(WATERINGS.len()));
        for soil in SOILS {
            let row = |rain: f64| Plot::new(crop, soil, rain).row(seasons);
            let rows = thread::scope(|scope| YEARS.map(|(_, rain)| scope.spawn(move || row(rain))).map(|t| t.join()));
            for ((year, _), row) in YEARS.iter().zip(rows) {
                let row = row.expect("seasons are played");
                let best = best(&row);
                let cells = row.iter().enumerate().map(|(i, cell)| {
                    let mark = if i == best { "**" } else { "" };
                    format!(" {mark}{:.2}{mark} {:.0} % |", cell.mean_kg, 100.0 * cell.success)
                });
                println!("| {soil} | {year} |{} {:.0} |", cells.collect::<String>(), row[best].ripening_days);
            }
        }
    }
}
