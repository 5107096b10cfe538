//! Measured values beside simulated ones: for each treatment, each trial and each crop.

use std::path::{Path as FilePath, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use farm_core::config::{Path, Problem, Problems};
use farm_entities::agronomy::weather::formats::Date;

use crate::classes::{self, Class};
use crate::crops::{CROPS, Crop};
use crate::dssat::{ReadError, SoilProfile, Treatment, Trial, find_trials, soil_files};
use crate::errors::TrialError;
use crate::measures::{Agreement, Pair, median, rank_correlation};
use crate::plants::Plants;
use crate::play::{Played, play, play_in};
use crate::season::{ACTIONS, Season};

/// The number of quantities.
const QUANTITIES: usize = 7;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The dry harvest in kg per ha.
    Harvest,
    /// The dry matter above the ground and of tubers at harvest, in kg per ha.
    Biomass,
    /// The largest leaf area per ground area.
    LeafArea,
    /// The nitrogen in the crop at harvest, in kg per ha.
    Nitrogen,
    /// The days from sowing to emergence.
    Emergence,
    /// The days from sowing to flowers, or to tubers.
    Flowering,
    /// The days from sowing to ripeness.
    Maturity,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; QUANTITIES] = [
        Self::Harvest,
        Self::Biomass,
        Self::LeafArea,
        Self::Nitrogen,
        Self::Emergence,
        Self::Flowering,
        Self::Maturity,
    ];

    /// Its name in tables and in JSON, with its unit.
    pub fn key(self) -> &'static str {
        match self {
            Self::Harvest => "harvest#kg.ha-1",
            Self::Biomass => "biomass#kg.ha-1",
            Self::LeafArea => "leaf_area_index",
            Self::Nitrogen => "nitrogen#kg.ha-1",
            Self::Emergence => "emergence#day",
            Self::Flowering => "flowering#day",
            Self::Maturity => "maturity#day",
        }
    }
}

/// The treatments to play; empty lists mean all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Crops: codes such as `MZ` or names such as `corn`.
    pub crops: Vec<String>,
    /// Trials or treatments: `UFGA8201`, `UFGA8201MZ` or `UFGA8201:4`.
    pub treatments: Vec<String>,
}

impl Selection {
    fn has_crop(&self, code: &str) -> bool {
        let base = Crop::of(code).map_or("", |crop| crop.base);
        self.crops.is_empty() || self.crops.iter().any(|crop| crop.eq_ignore_ascii_case(code) || crop == base)
    }

    fn has_treatment(&self, trial: &Trial, number: u32) -> bool {
        self.treatments.is_empty() || self.treatments.iter().any(|wanted| is_meant(wanted, trial, number))
    }
}

/// Whether a text such as `UFGA8201:4` means a treatment.
fn is_meant(wanted: &str, trial: &Trial, number: u32) -> bool {
    let (code, own) = wanted.split_once(':').map_or((wanted, None), |(code, own)| (code, Some(own)));
    let whole = trial.code();
    let code = code.to_ascii_uppercase();
    (code == whole || whole.strip_suffix(&whole[whole.len().saturating_sub(2)..]) == Some(&code))
        && own.is_none_or(|own| own.trim().parse() == Ok(number))
}

/// A folder of trials.
#[derive(Debug, Clone)]
pub struct Trials {
    folder: PathBuf,
    trials: Vec<Trial>,
    soils: Vec<SoilProfile>,
    classes: Vec<Class>,
    plants: Plants,
}

/// A value over time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Course {
    /// The column of the measurements: `CWAD`, `GWAD`, `UWAD`, `PWAD` or `LAID`.
    pub column: &'static str,
    /// The days and the measured values.
    pub measured: Vec<(Date, f64)>,
}

/// A treatment with its results.
#[derive(Debug, Clone, PartialEq)]
pub struct TreatmentResult {
    /// The trial's code, such as `UFGA8201MZ`.
    pub trial: String,
    /// The trial's title.
    pub title: String,
    /// The code of the crop.
    pub crop: String,
    /// The treatment's number.
    pub number: u32,
    /// The treatment's name.
    pub name: String,
    /// The code and the name of the cultivar.
    pub cultivar: (String, String),
    /// The class of the cultivar, if the folder has a table of classes.
    pub class: Option<Class>,
    /// The day of sowing or planting.
    pub sown: Date,
    /// The season, or why there is none.
    pub season: Result<Season, String>,
    /// The played season, or why it was not played.
    pub played: Result<Played, String>,
    /// The measured values of the quantities, in the order of [`Quantity::ALL`].
    pub measured: [Option<f64>; QUANTITIES],
    /// The values over time.
    pub(crate) courses: Vec<Course>,
    /// The depths of a soil layer in cm, and the measured water on a day in m³ per m³.
    pub(crate) water: Vec<((f64, f64), Date, f64)>,
}

/// The results of a trial or of a crop.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The trial's code, or the crop's.
    pub name: String,
    /// The number of treatments.
    pub treatments: usize,
    /// The number of treatments that were not played.
    pub unplayed: usize,
    /// The number of stands that died here and lived in the trial.
    pub died: usize,
    /// The agreement of each quantity, in the order of [`Quantity::ALL`].
    pub agreements: [Agreement; QUANTITIES],
    /// The rank correlation of the harvest, for a crop the median over its trials of at least four treatments.
    pub rank: Option<f64>,
    /// The agreement of the water in the layers of the soil, in m³ per m³.
    pub water: Agreement,
}

/// Trials that were played.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The treatments, in the order of their files.
    pub treatments: Vec<TreatmentResult>,
    /// What was left out or assumed while the files were read.
    pub warnings: Vec<String>,
}

fn unreadable(error: &ReadError) -> Problems {
    Problems(vec![Problem::new(TrialError::UnreadableTrial, Path::default(), error.to_string())])
}

impl Trials {
    /// Reads all trials in a folder and the folders below it, with their soils.
    ///
    /// # Errors
    /// The folder has no trial, or one of its files can't be read.
    pub fn open(folder: &FilePath) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let mut trials = Vec::new();
        for path in find_trials(folder).map_err(|error| unreadable(&error))? {
            match Trial::read(&path) {
                Ok(trial) => trials.push(trial),
                Err(error) => problems.0.extend(unreadable(&error).0),
            }
        }
        let mut soils = Vec::new();
        for path in soil_files(folder) {
            match SoilProfile::read_all(&path) {
                Ok(found) => soils.extend(found),
                Err(error) => problems.0.extend(unreadable(&error).0),
            }
        }
        let classes = classes::read(folder).map_err(|error| unreadable(&error));
        let classes = classes.unwrap_or_else(|unread| {
            problems.0.extend(unread.0);
            Vec::new()
        });
        let folder = folder.to_owned();
        if problems.has_errors() {
            Err(problems)
        } else {
            Ok(Self { folder, trials, soils, classes, plants: Plants::default() })
        }
    }

    /// Changes parameters of crops. `file` is YAML with parameters of `Plant` below the name of a parameter set, such as
    /// `corn: {crop: {density#nb.m-2: 8}}`. Parameters of a crop's usual set change all cultivars of the crop.
    ///
    /// # Errors
    /// The file can't be read, or has an unknown set or a wrong parameter.
    pub fn with_plants(mut self, file: &FilePath) -> Result<Self, Problems> {
        let wrong = |reason: String| {
            let message = format!("the parameters of crops are wrong: {reason}");
            Problems(vec![
                Problem::new(TrialError::WrongPlants, Path::default(), message).value(file.display().to_string()),
            ])
        };
        self.plants = Plants::read(file).map_err(wrong)?;
        // One season with each set shows whether its parameters are right.
        for name in self.plants.names() {
            let plant = format!("\"base\":\"{name}");
            let mut seasons = self.all().filter_map(|(trial, treatment)| self.season(trial, treatment).ok());
            if let Some(season) = seasons.find(|season| season.yaml.contains(&plant)) {
                play(&season).map_err(wrong)?;
            }
        }
        Ok(self)
    }

    fn all(&self) -> impl Iterator<Item = (&Trial, &Treatment)> {
        self.trials.iter().flat_map(|trial| trial.experiment.treatments.iter().map(move |own| (trial, own)))
    }

    fn season(&self, trial: &Trial, treatment: &Treatment) -> Result<Season, String> {
        let class = classes::class_of(&self.classes, &treatment.cultivar);
        Season::of(&self.folder, trial, treatment, &self.soils, class, &self.plants)
    }

    /// The trials.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    fn selected(&self, selection: &Selection) -> Result<Vec<(&Trial, &Treatment)>, Problems> {
        let mut problems = Problems::default();
        let codes: Vec<String> = self.trials.iter().map(Trial::code).collect();
        for wanted in &selection.treatments {
            if !self.all().any(|(trial, treatment)| is_meant(wanted, trial, treatment.number)) {
                let message = format!("no treatment of these trials is `{wanted}`");
                let problem = Problem::new(TrialError::UnknownTreatment, Path::default(), message).value(wanted);
                problems.push(problem.among(wanted, codes.iter().map(String::as_str)));
            }
        }
        for wanted in &selection.crops {
            if !CROPS.iter().any(|crop| crop.code.eq_ignore_ascii_case(wanted) || crop.base == wanted) {
                let message = format!("no trial is played with the crop `{wanted}`");
                let problem = Problem::new(TrialError::UnknownTreatment, Path::default(), message).value(wanted);
                problems.push(problem.among(wanted, CROPS.iter().map(|crop| crop.base)));
            }
        }
        if problems.has_errors() {
            return Err(problems);
        }
        let is_selected = |(trial, treatment): &(&Trial, &Treatment)| {
            selection.has_crop(&treatment.cultivar.crop) && selection.has_treatment(trial, treatment.number)
        };
        let found: Vec<_> = self.all().filter(is_selected).collect();
        if found.is_empty() {
            let message = "no treatment of these trials has a selected crop";
            return Err(Problems(vec![Problem::new(TrialError::UnknownTreatment, Path::default(), message)]));
        }
        Ok(found)
    }

    /// Plays the selected treatments, on several threads. A treatment that can't be played is part of the results, with the reason.
    ///
    /// # Errors
    /// The selection names a treatment or a crop that does not exist.
    pub fn play(&self, selection: &Selection, threads: usize) -> Result<Comparison, Problems> {
        let selected = self.selected(selection)?;
        let next = AtomicUsize::new(0);
        let work = || {
            let mut results = Vec::new();
            while let Some((trial, treatment)) = selected.get(next.fetch_add(1, Ordering::Relaxed)) {
                results.push(self.result(trial, treatment));
            }
            results
        };
        let mut treatments: Vec<TreatmentResult> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.clamp(1, selected.len().max(1))).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        let place = |result: &TreatmentResult| {
            selected
                .iter()
                .position(|(trial, treatment)| trial.code() == result.trial && treatment.number == result.number)
        };
        treatments.sort_by_cached_key(place);
        let mut warnings = Vec::new();
        for trial in self.trials.iter().filter(|trial| treatments.iter().any(|result| result.trial == trial.code())) {
            warnings.extend(trial.experiment.warnings.iter().chain(&trial.measured.warnings).map(ToString::to_string));
        }
        Ok(Comparison { treatments, warnings })
    }

    fn result(&self, trial: &Trial, treatment: &Treatment) -> TreatmentResult {
        let class = classes::class_of(&self.classes, &treatment.cultivar);
        let season = self.season(trial, treatment);
        let played = season.as_ref().map_err(Clone::clone).and_then(play);
        let crop = Crop::of(&treatment.cultivar.crop);
        let number = treatment.number;
        let once = trial.measured.once.get(&number);
        let dates = trial.measured.dates.get(&number);
        let value = |column: &str| once.and_then(|values| values.get(column)).copied();
        let sown = treatment.planting.date;
        let days = |column: &str| {
            let date = dates.and_then(|dates| dates.get(column))?;
            Some((date.epoch() - sown.epoch()) as f64)
        };
        let emergence = treatment.planting.emergence.map(|date| (date.epoch() - sown.epoch()) as f64);
        let over_time = trial.measured.over_time.get(&number).map_or(&[][..], Vec::as_slice);
        let readings = |column: &str| -> Vec<(Date, f64)> {
            let of_column = over_time.iter().filter(|reading| reading.quantity == column);
            of_column.map(|reading| (reading.date, reading.value)).collect()
        };
        let leaves = readings("LAID").into_iter().map(|(_, value)| value).reduce(f64::max);
        let harvest = crop.and_then(|crop| crop.harvest.iter().find_map(|column| value(column)));
        let harvested = crop.map_or("GWAD", |crop| crop.harvest_over_time);
        let mut courses = ["CWAD", harvested, "LAID"].map(|column| Course { column, measured: readings(column) });
        if crop.is_some_and(|crop| crop.has_tubers) {
            // `CWAD` has the tops alone.
            let [tops, tubers, _] = &mut courses;
            let tuber = |date: Date| tubers.measured.iter().find(|(own, _)| *own == date).map(|(_, value)| value);
            let of_plant = |(date, value): &(Date, f64)| Some((*date, value + tuber(*date)?));
            let both = tops.measured.iter().filter_map(of_plant).collect();
            let total = readings("TWAD");
            tops.measured = if total.is_empty() { both } else { total };
        }
        let profile = self.soils.iter().find(|profile| profile.code == treatment.field.soil);
        let layers = profile.map_or(&[][..], |profile| profile.layers.as_slice());
        let mut water = Vec::new();
        for (i, layer) in layers.iter().enumerate() {
            let top = i.checked_sub(1).map_or(0.0, |above| layers[above].bottom);
            // Some trials write 0 for a value that was not measured; no soil of a field is as dry as that.
            let of_layer = readings(&format!("SW{}D", i + 1)).into_iter().filter(|(_, value)| *value > 0.0);
            water.extend(of_layer.map(|(date, value)| ((top, layer.bottom), date, value)));
        }
        TreatmentResult {
            trial: trial.code(),
            title: trial.experiment.title.clone(),
            crop: treatment.cultivar.crop.clone(),
            number,
            name: treatment.name.clone(),
            cultivar: (treatment.cultivar.code.clone(), treatment.cultivar.name.clone()),
            class: class.cloned(),
            sown,
            season,
            played,
            measured: [
                harvest,
                value("CWAM"),
                value("LAIX").or(leaves),
                value("CNAM"),
                days("EDAT").or(emergence),
                crop.and_then(|crop| days(crop.flowering)),
                days("MDAT"),
            ],
            courses: courses.into_iter().filter(|course| !course.measured.is_empty()).collect(),
            water,
        }
    }

    /// Writes a treatment as a game into an existing folder: the game, its weather, and the trial's actions. Returns the season.
    ///
    /// # Errors
    /// The text does not mean exactly one treatment, the treatment can't be played, or a file can't be written.
    pub fn write_game(&self, treatment: &str, folder: &FilePath) -> Result<Season, Problems> {
        let selection = Selection { crops: Vec::new(), treatments: vec![treatment.to_owned()] };
        let selected = self.selected(&selection)?;
        let refused = |code: TrialError, message: String| {
            Problems(vec![Problem::new(code, Path::default(), message).value(treatment)])
        };
        let [(trial, own)] = selected.as_slice() else {
            let names: Vec<String> =
                selected.iter().map(|(trial, own)| format!("{}:{}", trial.code(), own.number)).collect();
            let message = format!("`{treatment}` means several treatments: {}", names.join(", "));
            return Err(refused(TrialError::UnknownTreatment, message));
        };
        let unplayable = |reason: String| {
            refused(TrialError::UnplayableTreatment, format!("the treatment can't be played: {reason}"))
        };
        let season = self.season(trial, own).map_err(unplayable)?;
        season.write(folder).map_err(|error| unplayable(error.to_string()))?;
        let played = play_in(&season, folder).map_err(unplayable)?;
        let mut actions = played.actions.join("\n");
        actions.push('\n');
        farm_output::save(&folder.join(ACTIONS), actions.as_bytes()).map_err(|error| unplayable(error.to_string()))?;
        Ok(season)
    }
}

impl TreatmentResult {
    /// The treatment as `UFGA8201MZ:4`.
    pub fn label(&self) -> String {
        format!("{}:{}", self.trial, self.number)
    }

    /// The measured value of a quantity.
    pub fn measured(&self, quantity: Quantity) -> Option<f64> {
        self.measured[quantity as usize]
    }

    /// The simulated value of a quantity. A stand that died has no harvest and no biomass, and a treatment that was not played has no value.
    pub fn simulated(&self, quantity: Quantity) -> Option<f64> {
        let played = self.played.as_ref().ok()?;
        let lives = played.died_of.is_none();
        let days = |date: Option<Date>| date.map(|date| (date.epoch() - self.sown.epoch()) as f64);
        match quantity {
            Quantity::Harvest => Some(if lives { played.harvest } else { 0.0 }),
            Quantity::Biomass => played.at_harvest().map(|day| if lives { day.biomass } else { 0.0 }).or(Some(0.0)),
            Quantity::LeafArea => Some(played.peak_leaf_area),
            Quantity::Nitrogen => played.at_harvest().map(|day| day.nitrogen),
            Quantity::Emergence => days(played.emergence),
            Quantity::Flowering => days(played.flowering),
            Quantity::Maturity => days(played.maturity),
        }
    }

    /// The measured and the simulated value. A harvest or a biomass that was not played counts as 0.
    pub fn pair(&self, quantity: Quantity) -> Option<Pair> {
        let measured = self.measured(quantity)?;
        let counts = matches!(quantity, Quantity::Harvest | Quantity::Biomass);
        let simulated = self.simulated(quantity).or(counts.then_some(0.0))?;
        Some(Pair { measured, simulated })
    }

    /// The cause of death, if the stand died and the trial measured a harvest.
    pub fn died_of(&self) -> Option<&str> {
        let lived = self.measured(Quantity::Harvest).is_none_or(|harvest| harvest > 0.0);
        self.played.as_ref().ok()?.died_of.as_deref().filter(|_| lived)
    }

    /// The measured and simulated water of soil layers, in m³ per m³.
    pub fn water_pairs(&self) -> Vec<Pair> {
        self.water_over_time().into_iter().map(|(_, _, pair)| pair).collect()
    }

    fn water_over_time(&self) -> Vec<(Date, String, Pair)> {
        let Ok(played) = &self.played else { return Vec::new() };
        let pair = |((top, bottom), date, measured): &((f64, f64), Date, f64)| {
            let day = played.on(*date)?;
            let pair = Pair { measured: *measured, simulated: played.water_between(day, *top, *bottom)? };
            Some((*date, format!("water_{top:.0}_{bottom:.0}cm#m3.m-3"), pair))
        };
        self.water.iter().filter_map(pair).collect()
    }

    /// The values that were measured over time, beside the simulated ones: the day, the quantity, and both values.
    pub fn over_time(&self) -> Vec<(Date, String, Pair)> {
        let Ok(played) = &self.played else { return Vec::new() };
        let mut values = Vec::new();
        for course in &self.courses {
            let key = match course.column {
                "CWAD" => Quantity::Biomass,
                "LAID" => Quantity::LeafArea,
                _ => Quantity::Harvest,
            };
            for (date, measured) in &course.measured {
                let Some(day) = played.on(*date) else { continue };
                let simulated = match key {
                    Quantity::Biomass => day.biomass,
                    Quantity::LeafArea => day.leaf_area,
                    _ => day.harvest,
                };
                values.push((*date, key.key().to_owned(), Pair { measured: *measured, simulated }));
            }
        }
        values.extend(self.water_over_time());
        values
    }
}

impl Comparison {
    /// The results of each trial, in order.
    pub fn trials(&self) -> Vec<Group> {
        self.groups(|result| result.trial.clone())
    }

    /// The results of each crop, in the order of the crops.
    pub fn crops(&self) -> Vec<Group> {
        let trials = self.trials();
        let mut crops = self.groups(|result| result.crop.clone());
        for crop in &mut crops {
            let own = |group: &&Group| {
                self.treatments.iter().any(|result| result.trial == group.name && result.crop == crop.name)
            };
            crop.rank = median(trials.iter().filter(own).filter_map(|group| group.rank).collect());
        }
        crops.sort_by_key(|group| CROPS.iter().position(|crop| crop.code == group.name));
        crops
    }

    /// The median rank correlation of the harvest over all trials of at least four treatments.
    pub fn rank(&self) -> Option<f64> {
        median(self.trials().iter().filter_map(|group| group.rank).collect())
    }

    fn groups(&self, name: impl Fn(&TreatmentResult) -> String) -> Vec<Group> {
        let mut names: Vec<String> = Vec::new();
        for result in &self.treatments {
            let own = name(result);
            if !names.contains(&own) {
                names.push(own);
            }
        }
        let of_name = |group: String| {
            let results: Vec<&TreatmentResult> =
                self.treatments.iter().filter(|result| name(result) == group).collect();
            let pairs =
                |quantity: Quantity| results.iter().filter_map(|result| result.pair(quantity)).collect::<Vec<_>>();
            let water: Vec<Pair> = results.iter().flat_map(|result| result.water_pairs()).collect();
            Group {
                treatments: results.len(),
                unplayed: results.iter().filter(|result| result.played.is_err()).count(),
                died: results.iter().filter(|result| result.died_of().is_some()).count(),
                agreements: Quantity::ALL.map(|quantity| Agreement::of(&pairs(quantity))),
                rank: rank_correlation(&pairs(Quantity::Harvest)),
                water: Agreement::of(&water),
                name: group,
            }
        };
        names.into_iter().map(of_name).collect()
    }
}
