//! Plays the game of a treatment with the trial's calendar, and records each day.

use std::path::{Path as FilePath, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use farm_core::config::{Path, Problems};
use farm_core::serde_yaml::{self, Value};
use farm_core::{EpisodeRunner, Game, Monitor, Observer, ObserverError, State, Transition};
use farm_entities::agronomy::plant::STAGES;
use farm_entities::agronomy::weather::formats::Date;
use farm_games::Options;

use crate::season::{AREA, GAME, Season};

/// Kilograms per hectare for a gram on the plot.
const PER_HECTARE: f64 = 10.0 / AREA;
/// The policy that follows the trial's calendar.
const POLICY: &str = "trial";

/// The crop and the soil on one day.
#[derive(Debug, Clone, PartialEq)]
pub struct DayRecord {
    /// The day.
    pub date: Date,
    /// The stage of the plants, such as `bloom`.
    pub stage: &'static str,
    /// Dry matter above the ground and of tubers, in kg per ha.
    pub biomass: f64,
    /// Dry matter of the harvested parts, in kg per ha.
    pub harvest: f64,
    /// Leaf area per ground area.
    pub leaf_area: f64,
    /// Nitrogen in the crop above the ground, in kg per ha.
    pub nitrogen: f64,
    /// Water in the layers of the soil, in m³ per m³.
    pub water: Vec<f64>,
}

/// A season that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Each day after the first one.
    pub days: Vec<DayRecord>,
    /// The first day with leaves.
    pub emergence: Option<Date>,
    /// The first day of flowers, or of tubers.
    pub flowering: Option<Date>,
    /// The first day on which the crop was ripe.
    pub maturity: Option<Date>,
    /// The cause of death, if the plants died before the harvest.
    pub died_of: Option<String>,
    /// The dry harvest, in kg per ha.
    pub harvest: f64,
    /// The largest leaf area per ground area.
    pub peak_leaf_area: f64,
    /// The actions of each step, as `farm replay` reads them.
    pub actions: Vec<String>,
    /// Depths of the ends of the soil's layers, in cm.
    pub layers: Vec<(f64, f64)>,
}

impl Played {
    /// The last day with living plants.
    pub fn at_harvest(&self) -> Option<&DayRecord> {
        self.days.iter().rfind(|day| matches!(day.stage, "grow" | "bloom" | "fruit" | "ripe"))
    }

    /// The mean water between two depths in cm, in m³ per m³; `None` above or below the soil.
    pub fn water_between(&self, day: &DayRecord, from: f64, to: f64) -> Option<f64> {
        let inside = self.layers.iter().map(|(top, bottom)| (bottom.min(to) - top.max(from)).max(0.0));
        let (sum, thickness) = inside
            .zip(&day.water)
            .fold((0.0, 0.0), |(sum, thickness), (inside, water)| (sum + inside * water, thickness + inside));
        (thickness > 0.0).then(|| sum / thickness)
    }

    /// The record of a day.
    pub fn on(&self, date: Date) -> Option<&DayRecord> {
        self.days.iter().find(|day| day.date == date)
    }
}

/// The variables of a day, in the order of [`Diary::read`].
const VARIABLES: [(&str, &str); 8] = [
    ("Plant-0", "stage"),
    ("Plant-0", "cause_of_death"),
    ("Plant-0", "biomass#g"),
    ("Plant-0", "leaf_area#m2"),
    ("Plant-0", "cumulated_nutrients_N#g"),
    ("Plant-0", "population#nb"),
    ("Plant-0", "fruits_per_plant#nb"),
    ("Plant-0", "fruit_weight#g"),
];
const HARVESTED: (&str, &str) = ("Plant-0", "harvest_weight#kg");

/// Records an episode.
struct Diary<'s> {
    season: &'s Season,
    monitors: Vec<Monitor>,
    harvested: Monitor,
    dry_share: f64,
    /// Share of the nitrogen above the ground.
    above_ground: f64,
    /// The water of the layers, and the litres of each layer.
    water: Vec<(Monitor, f64)>,
    played: Played,
}

impl<'s> Diary<'s> {
    fn new(season: &'s Season, game: &Game) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let mut monitor = |(entity, name): (&str, &str), function: &str| {
            let mut written = serde_yaml::Mapping::new();
            written.insert("variable".into(), Value::from(vec!["Field-0", entity, name]));
            written.insert("function".into(), function.into());
            Monitor::new(&Value::Mapping(written), &Path::default(), game.names(), None, &mut problems)
        };
        let monitors: Vec<Monitor> = VARIABLES.into_iter().filter_map(|variable| monitor(variable, "max")).collect();
        let harvested = monitor(HARVESTED, "sum");
        let liters = |(top, bottom): &(f64, f64)| (bottom - top) * 10.0 * AREA;
        let named =
            season.layers.iter().enumerate().map(|(i, ends)| (format!("water_layer_{}#L", i + 1), liters(ends)));
        let water: Vec<_> =
            named.filter_map(|(name, liters)| Some((monitor(("Soil-0", &name), "max")?, liters))).collect();
        let (Some(harvested), false) = (harvested, problems.has_errors()) else { return Err(problems) };
        let written = game.spec().to_yaml().ok().and_then(|text| serde_yaml::from_str::<Value>(&text).ok());
        let entities =
            written.as_ref().and_then(|game| game.get("fields")?.get("Field-0")?.get("entities")?.as_sequence());
        let part = |name: &str| entities.into_iter().flatten().find_map(|entity| entity.get(name));
        let number = |value: Option<&Value>| value.and_then(Value::as_f64).unwrap_or(1.0);
        let of_crop = |group: &str, key: &str| part("Plant").and_then(|plant| plant.get("crop")?.get(group)?.get(key));
        let dry = of_crop("fruits", "dry_share#prop");
        let roots = of_crop("nutrition", "roots#prop").and_then(Value::as_f64).unwrap_or(0.0);
        Ok(Self {
            season,
            monitors,
            harvested,
            dry_share: number(dry),
            above_ground: 1.0 - roots,
            water,
            played: Played {
                days: Vec::new(),
                emergence: None,
                flowering: None,
                maturity: None,
                died_of: None,
                harvest: 0.0,
                peak_leaf_area: 0.0,
                actions: Vec::new(),
                layers: season.layers.clone(),
            },
        })
    }

    fn read(&mut self, game: &Game, state: &State) {
        let reader = game.reader(state);
        let value = |monitor: &Monitor| {
            let mut value = [0.0];
            monitor.read(&reader, &mut value);
            value[0]
        };
        let values: Vec<f64> = self.monitors.iter().map(value).collect();
        let &[stage, cause, biomass, leaves, nitrogen, plants, fruits, weight] = values.as_slice() else { return };
        let Some(date) = self.season.weather.date(self.played.days.len() + 1) else { return };
        let number = stage as usize;
        let stage = STAGES.get(number).copied().unwrap_or("none");
        let played = &mut self.played;
        let rank = |name: &str| STAGES.iter().position(|known| *known == name).unwrap_or(STAGES.len());
        if (rank("grow")..=rank("ripe")).contains(&number) {
            for (event, from) in
                [(&mut played.emergence, "grow"), (&mut played.flowering, "bloom"), (&mut played.maturity, "ripe")]
            {
                if number >= rank(from) {
                    event.get_or_insert(date);
                }
            }
        }
        if stage == "dead" && played.died_of.is_none() {
            let word = self.monitors[1].labels(0).map_or("unknown".to_owned(), |labels| labels.name(cause as usize));
            played.died_of = Some(word);
        }
        played.harvest = value(&self.harvested) * 1000.0 * self.dry_share * PER_HECTARE;
        let record = DayRecord {
            date,
            stage,
            biomass: biomass * PER_HECTARE,
            harvest: plants * fruits * weight * self.dry_share * PER_HECTARE,
            leaf_area: leaves / AREA,
            nitrogen: nitrogen * self.above_ground * PER_HECTARE,
            water: self.water.iter().map(|(monitor, liters)| value(monitor) / liters).collect(),
        };
        played.peak_leaf_area = played.peak_leaf_area.max(record.leaf_area);
        played.days.push(record);
    }
}

impl Observer for Diary<'_> {
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let table = transition.game.catalogue();
        let executed = transition.record.executed().iter().map(|call| table.write(call)).collect::<Vec<_>>();
        self.played.actions.push(if executed.is_empty() { "wait".to_owned() } else { executed.join("; ") });
        self.read(transition.game, transition.state);
        Ok(())
    }
}

/// A temporary folder. Dropping this value removes the folder.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("farm-trials-{}-{number}", std::process::id()));
        std::fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that can't be removed stays in the system's folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Plays a season in a folder of its own.
///
/// # Errors
/// A sentence that states why it can't be played.
pub(crate) fn play(season: &Season) -> Result<Played, String> {
    let scratch = Scratch::new().map_err(|error| format!("a temporary folder can't be created: {error}"))?;
    season.write(&scratch.0).map_err(|error| error.to_string())?;
    play_in(season, &scratch.0)
}

/// Plays a season whose files are in a folder.
pub(crate) fn play_in(season: &Season, folder: &FilePath) -> Result<Played, String> {
    let first = |problems: Problems| {
        problems.0.first().map_or_else(String::new, |problem| {
            let value = problem.value.as_ref().map_or(String::new(), |value| format!(" = {value}"));
            format!("{} at {}{value}", problem.message, problem.path)
        })
    };
    let path = folder.join(GAME).display().to_string();
    let game = farm_games::open(&path, &Options::default()).map_err(first)?;
    let mut player = farm_games::policy(&game, POLICY).map_err(first)?;
    let mut diary = Diary::new(season, &game).map_err(first)?;
    EpisodeRunner::new(&game).play(player.as_mut(), 0, &mut diary).map_err(|error| error.to_string())?;
    Ok(diary.played)
}
