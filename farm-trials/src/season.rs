//! A treatment as a game: a plot of 100 m² with the trial's weather, soil, plants, water and nitrogen.
//!
//! The game is written as files, so that `farm check`, `farm play` and `farm run` work on it. Its policy `trial` does on each day what the
//! trial did. Actions on a day come after the weather of that day.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use farm_entities::agronomy::weather::formats::{Date, Series};

use crate::classes::{Class, set_of};
use crate::climate;
use crate::crops::Crop;
use crate::dssat::{SoilProfile, Treatment, Trial};
use crate::ground::{Ground, Layer};
use crate::plants::Plants;

/// Area of the plot in m².
pub(crate) const AREA: f64 = 100.0;
/// The file of the game.
pub const GAME: &str = "game.yaml";
/// The file of its weather.
pub const WEATHER: &str = "weather.csv";
/// The file of the trial's actions.
pub const ACTIONS: &str = "actions.txt";
/// The most days of a season: each day of the year occurs at most once.
const LONGEST: i64 = 364;
/// The most days from the start of a trial to sowing.
const FALLOW: i64 = 200;
/// The fewest days from sowing to harvest. Some trials write the day of sowing as their harvest.
const SHORTEST: i64 = 30;
/// The fewest residues that are worth a note, in kg per ha.
const LEAST_RESIDUES: f64 = 50.0;
/// Percolation of a flooded field in mm per day (IRRI: 1 to 5 mm in puddled clay).
const PUDDLED: f64 = 2.0;
/// Mineral nitrogen of a trial whose authors count nitrogen as ample, in g per m².
const AMPLE_NITROGEN: f64 = 30.0;
/// Amounts that a player can choose in addition to the trial's, in L of water and kg of nitrogen per plot: 5 to 50 mm, 10 to 100 kg/ha.
const WATER: [f64; 4] = [500.0, 1000.0, 2500.0, 5000.0];
const NITROGEN: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

/// A treatment as a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Season {
    /// The crop.
    pub crop: &'static Crop,
    /// The first day, whose weather is shown and not played.
    pub start: Date,
    /// The day of sowing in the game.
    pub sown: Date,
    /// The weather.
    pub weather: Series,
    /// The game's YAML.
    pub yaml: String,
    /// What the trial has and the game does not model.
    pub not_modelled: Vec<String>,
    /// What was assumed because the trial does not have it.
    pub assumed: Vec<String>,
    /// Depths of the ends of the soil's layers, in cm.
    pub layers: Vec<(f64, f64)>,
    /// The last day.
    pub(crate) last: Date,
}

/// What a treatment does on which days, in units of the game.
struct Calendar {
    sow: Date,
    seeds: u32,
    /// Litres per plot.
    water: BTreeMap<Date, f64>,
    /// Kilograms of nitrogen per plot.
    nitrogen: BTreeMap<Date, f64>,
    harvest: Date,
    upkeep: Option<Upkeep>,
}

/// Irrigation by need.
#[derive(Clone, Copy)]
enum Upkeep {
    /// The topsoil is kept saturated.
    Flooded,
    /// The topsoil is refilled when half of the water that plants can use is gone.
    Moist,
}

impl Season {
    /// The game of a treatment. `folder` has the weather files; `soils` are all profiles of the folder.
    ///
    /// # Errors
    /// A sentence that states why the treatment can't be played.
    pub(crate) fn of(
        folder: &Path,
        trial: &Trial,
        treatment: &Treatment,
        soils: &[SoilProfile],
        class: Option<&Class>,
        plants: &Plants,
    ) -> Result<Self, String> {
        let code = &treatment.cultivar.crop;
        let crop = Crop::of(code).ok_or_else(|| format!("no game has the crop {code}"))?;
        let soil = &treatment.field.soil;
        let profile = soils.iter().find(|profile| profile.code == *soil);
        let profile = profile.ok_or_else(|| format!("the folder has no soil {soil}"))?;
        if profile.layers.is_empty() {
            return Err(format!("the soil {soil} has no layers with their water contents"));
        }
        let (mut not_modelled, mut assumed) = (left_out(treatment), Vec::new());
        let planting = &treatment.planting;
        let back = |days: i64| Date::of_epoch(planting.date.epoch() - days).unwrap_or(planting.date);
        // Seedlings are sown in the field, as many days earlier as they are old.
        let age = planting.age.filter(|age| planting.is_transplanted && (0.0..=90.0).contains(age));
        let sow = back(age.map_or(0, |age| age as i64));
        let measured = treatment.initial.as_ref().and_then(|initial| initial.date);
        let start = measured.filter(|date| *date <= sow && sow.epoch() - date.epoch() <= FALLOW).unwrap_or(sow);
        let until = Date::of_epoch(start.epoch() + LONGEST + 1).unwrap_or(start);
        let mut weather = climate::weather(folder, &treatment.field, start, until)?;
        let start = weather.first.unwrap_or(start);
        let sow = sow.max(start);
        if start > planting.date {
            return Err(format!("the weather begins on {start}, after the day of sowing"));
        }
        not_modelled.extend(climate::change(&mut weather, &treatment.environment).iter().map(|quantity| {
            let name = match quantity.as_str() {
                "EDAY" => "day length",
                "ECO2" => "carbon dioxide",
                "EDEW" => "dew point",
                other => other,
            };
            format!("a change of the environment: {name}")
        }));
        // The first day is shown, and the last step needs a day after the harvest.
        let last = weather.date(weather.days.len().saturating_sub(2).min(LONGEST as usize - 1)).unwrap_or(start);
        let recorded = harvest_of(trial, treatment).filter(|date| *date <= last);
        let flooded = treatment.irrigation.floods.iter().any(|(_, depth)| *depth > 0.0);
        let upkeep = match () {
            () if flooded => Some(Upkeep::Flooded),
            () if treatment.irrigation.is_automatic || !treatment.has_water_limits => Some(Upkeep::Moist),
            () => None,
        };
        let mut ground = Ground::of(profile, treatment.initial.as_ref());
        if !treatment.has_nitrogen_limits {
            ground.nitrogen = Some(AMPLE_NITROGEN);
            ground.layers.iter_mut().for_each(|layer| layer.nitrogen = None);
            assumed.push("ample nitrogen in the soil: the trial's authors do not count it".to_owned());
        } else if ground.nitrogen.is_some() {
            assumed.push("30 kg of mineral nitrogen per ha at the start".to_owned());
        }
        if !ground.has_water {
            assumed.push("a soil at field capacity at the start".to_owned());
        }
        match upkeep {
            Some(Upkeep::Flooded) => assumed.push("a field that is flooded until the harvest".to_owned()),
            Some(Upkeep::Moist) => assumed.push("irrigation by need".to_owned()),
            None => {}
        }
        let within = |date: Date| date.clamp(start, last);
        let mut water = BTreeMap::new();
        let efficiency = treatment.irrigation.efficiency.filter(|share| *share > 0.0 && *share <= 1.0).unwrap_or(1.0);
        for (date, mm) in treatment.irrigation.given.iter().filter(|(date, mm)| *mm > 0.0 && *date >= start) {
            *water.entry(within(*date)).or_insert(0.0) += mm * efficiency * AREA;
        }
        let mut nitrogen = BTreeMap::new();
        for application in treatment.fertilizer.iter().filter(|application| application.nutrients[0] > 0.0) {
            *nitrogen.entry(within(application.date)).or_insert(0.0) += application.nutrients[0] * AREA / 1e4;
        }
        for amount in water.values_mut() {
            *amount = (*amount * 10.0_f64).round() / 10.0;
        }
        for amount in nitrogen.values_mut() {
            *amount = (*amount * 1e4_f64).round() / 1e4;
        }
        let seeds = (planting.plants * AREA).round().clamp(1.0, 1e5) as u32;
        let calendar = Calendar { sow, seeds, water, nitrogen, harvest: recorded.unwrap_or(last), upkeep };
        let plant = plants.plant(crop, &set_of(crop, class));
        let yaml = yaml(trial, treatment, &plant, &ground, &weather, start, &calendar);
        let layers = ground.layers.iter().map(|layer| (layer.top, layer.bottom)).collect();
        Ok(Self { crop, start, sown: sow, weather, yaml, not_modelled, assumed, layers, last: calendar.harvest })
    }

    /// Writes the game and its weather into an existing folder.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn write(&self, folder: &Path) -> Result<(), farm_output::OutputError> {
        farm_output::save(&folder.join(WEATHER), self.weather.to_csv().as_bytes())?;
        farm_output::save(&folder.join(GAME), self.yaml.as_bytes())
    }
}

/// The recorded day of harvest.
fn harvest_of(trial: &Trial, treatment: &Treatment) -> Option<Date> {
    let sown = treatment.planting.date.epoch();
    let dates = trial.measured.dates.get(&treatment.number);
    let measured = ["HDAT", "HDATE"].iter().filter_map(|column| dates?.get(*column).copied());
    let planned = treatment.harvests.iter().map(|harvest| harvest.date);
    measured.chain(planned).find(|date| date.epoch() - sown >= SHORTEST)
}

/// What the trial has and games do not model.
fn left_out(treatment: &Treatment) -> Vec<String> {
    let mut left = Vec::new();
    let initial = treatment.initial.as_ref();
    let before = initial.and_then(|initial| initial.residue).unwrap_or_default()
        + initial.and_then(|initial| initial.roots).unwrap_or_default();
    if before >= LEAST_RESIDUES {
        left.push(format!("{before:.0} kg/ha of residues and roots of the crop before"));
    }
    let residues: f64 = treatment.residues.iter().map(|residue| residue.amount).sum();
    if residues >= LEAST_RESIDUES {
        left.push(format!("{residues:.0} kg/ha of residues or manure"));
    }
    for what in ["tillage", "spray"] {
        match treatment.operations.iter().filter(|operation| operation.what == what).count() {
            0 => {}
            1 => left.push(what.to_owned()),
            count => left.push(format!("{count} × {what}")),
        }
    }
    let other: f64 = treatment.fertilizer.iter().map(|given| given.nutrients[1] + given.nutrients[2]).sum();
    if other > 0.0 {
        left.push(format!("{other:.0} kg/ha of phosphorus and potassium"));
    }
    if !treatment.irrigation.floods.is_empty() {
        left.push("depths of the water on the field".to_owned());
    }
    if treatment.planting.is_transplanted {
        left.push("a nursery".to_owned());
    }
    left
}

/// A number without superfluous digits.
fn short(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    rounded.to_string()
}

/// A text as a YAML string.
fn quoted(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_control() || c == char::REPLACEMENT_CHARACTER { ' ' } else { c }).collect();
    serde_json::Value::from(plain.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}

/// The usual amounts and the trial's, in order.
fn amounts<'a>(usual: &'a [f64], own: impl Iterator<Item = &'a f64>) -> String {
    let mut all: Vec<f64> = usual.iter().chain(own).copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all.into_iter().map(short).collect::<Vec<_>>().join(", ")
}

/// The name of a trial's treatment, as an identifier.
fn identifier(trial: &Trial, treatment: &Treatment) -> String {
    let code = trial.code().to_ascii_lowercase();
    let code: String = code.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("trial_{code}_{}", treatment.number)
}

fn yaml(
    trial: &Trial,
    treatment: &Treatment,
    plant: &str,
    ground: &Ground,
    weather: &Series,
    start: Date,
    calendar: &Calendar,
) -> String {
    let steps = calendar_days(weather, start, calendar.harvest) + 1;
    let place = &weather.provenance;
    let doc =
        format!("{}, treatment {}: {} ({}).", trial.code(), treatment.number, treatment.name, trial.experiment.title);
    let soil = soil(ground, calendar.upkeep);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "# A treatment of a field trial as a game; `farm trials --as-game` wrote it.
name: {name}
doc: {doc}
goal: |-
  Harvest as much as possible.

fields:
  Field-0:
    localization: {{latitude#°: {latitude}, longitude#°: {longitude}, altitude#m: {altitude}}}
    shape: {{length#nb: 1, width#nb: 1, scale#m: 10}}
    entities:
      - Weather: {{file: {WEATHER}, year: {year}}}
      # Mineral nitrogen that dissolves in a day in moist soil.
      - Fertilizer: {{base: basic_N, base_absorption_speed#week-1: 7}}
      # The layers of {code} that roots reach.
{soil}      # All seeds come up and all flowers are pollinated.
      - Plant: {plant}

farmers:
  - BasicFarmer: {{max_daily_interventions: 8}}

rules:
  BasicRule:
    initial_conditions:
      Field-0:
        Weather-0: {{day#int365: {day}}}
        Plant-0: {{stage: none}}
    free_observations:
      - [Field-0, Weather-0, day#int365]
      - [Field-0, Weather-0, air_temperature]
      - [Field-0, Weather-0, rain_amount#mm.day-1]
      - [Field-0, Weather-0, forecast.rain_amount#mm.day-1]
      - [Field-0, Soil-0, available_Water#L]
      - [Field-0, Soil-0, topsoil_Water#L]
      - [Field-0, Soil-0, available_N#g]
      - [Field-0, Plant-0, stage]
      - [Field-0, Plant-0, population#nb]
      - [Field-0, Plant-0, biomass#g]
      - [Field-0, Plant-0, leaf_area#m2]
      - [Field-0, Plant-0, fruits_per_plant#nb]
      - [Field-0, Plant-0, fruit_weight#g]
    actions:
      Field-0:
        Soil-0:
          water_discrete: {{plot: '*', amount#L: [{waters}], duration#min: [60]}}
        Plant-0:
          sow: {{plot: '*', amount#seed: [{seeds}], spacing#cm: [10]}}
          harvest:
          micro_harvest: {{plot: '*'}}
        Fertilizer-0:
          scatter: {{plot: '*', amount#kg: [{nitrogens}]}}
    max_action_schedule_size: 8
    stopping_conditions:
      - [{{state_variable: [Field-0, Plant-0, stage], function: fraction, of: [harvested, dead], operator: '>=', ref_value: 1, reason: the plants are harvested or dead}}]
    max_steps: {steps}

# The harvest in kg.
score:
  BasicScore:
    reward_mix: {{yield#kg: 1}}

policies:
  # The calendar of the trial.
  trial:
    TriggerPolicy:
      rules:
{rules}  wait: WaitPolicy
  random: RandomPolicy
",
        name = identifier(trial, treatment),
        doc = quoted(&doc),
        latitude = short(place.latitude_degrees.unwrap_or_default().clamp(-90.0, 90.0)),
        longitude = short(place.longitude_degrees.unwrap_or_default().clamp(-180.0, 180.0)),
        altitude = short(place.elevation_m.unwrap_or_default().clamp(0.0, 5000.0)),
        year = start.year,
        code = quoted(&treatment.field.soil),
        day = start.day_index(),
        waters = amounts(&WATER, calendar.water.values()),
        seeds = seeds(calendar.seeds),
        nitrogens = amounts(&NITROGEN, calendar.nitrogen.values()),
        rules = rules(calendar, ground),
    );
    text
}

/// The soil as an entity of a game. A flooded field has a bund, and its soil is puddled.
fn soil(ground: &Ground, upkeep: Option<Upkeep>) -> String {
    let is_flooded = matches!(upkeep, Some(Upkeep::Flooded));
    let mut text = "      - Soil:\n          base: loam\n          profile:\n".to_owned();
    let known = [
        ("curve_number", ground.curve_number.filter(|_| !is_flooded)),
        ("clay#%", ground.clay),
        ("initial_N#g.m-2", ground.nitrogen),
    ];
    for (name, value) in known.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        let _ = writeln!(text, "            {name}: {}", short(value));
    }
    text.push_str("            layers:\n");
    for layer in &ground.layers {
        let conductivity = if is_flooded { Some(PUDDLED) } else { layer.conductivity };
        let values = [
            ("bottom#m", Some(layer.bottom / 100.0)),
            ("wilting_point#L.m-3", Some(layer.wilting_point)),
            ("field_capacity#L.m-3", Some(layer.capacity)),
            ("saturation#L.m-3", Some(layer.saturation)),
            ("conductivity#mm.day-1", conductivity),
            ("root_growth#prop", layer.root_growth),
            ("bulk_density#g.cm-3", Some(layer.density)),
            ("organic_carbon#%", layer.carbon),
            ("initial_water#L.m-3", layer.water),
            ("initial_nitrate#g.m-2", layer.nitrogen.map(|[nitrate, _]| nitrate)),
            ("initial_ammonium#g.m-2", layer.nitrogen.map(|[_, ammonium]| ammonium)),
        ];
        let written = values.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", short(value?))));
        let _ = writeln!(text, "              - {{{}}}", written.collect::<Vec<_>>().join(", "));
    }
    text
}

/// The trial's number of seeds, and quarters of it. More seeds may not be allowed, because some trials are very dense.
fn seeds(own: u32) -> String {
    let mut all: Vec<u32> = (1..=4).map(|quarters| (own * quarters).div_ceil(4)).collect();
    all.dedup();
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// The number of days from `start` to a date, without 29 February.
fn calendar_days(weather: &Series, start: Date, date: Date) -> usize {
    (0..weather.days.len())
        .rposition(|day| weather.date(day).is_some_and(|of_day| of_day >= start && of_day <= date))
        .unwrap_or(0)
}

/// The rules of the policy: the calendar, and irrigation by need.
fn rules(calendar: &Calendar, ground: &Ground) -> String {
    let stage = "state_variable: [Field-0, Plant-0, stage], operator";
    let on = |date: Date| {
        let day = date.day_index();
        format!("when: [[{{state_variable: [Field-0, Weather-0, day#int365], operator: '==', ref_value: {day}}}]]")
    };
    let act = |entity: &str, action: &str, parameters: &str| {
        format!("act: {{field: Field-0, entity: {entity}, action: {action}, parameters: {{plot: here{parameters}}}}}")
    };
    let mut text = String::new();
    let mut rule = |comment: &str, when: &str, period: &str, act: &str| {
        if !comment.is_empty() {
            let _ = writeln!(text, "        # {comment}");
        }
        let _ = writeln!(text, "        - {when}\n          for_each_plot: true{period}\n          {act}");
    };
    let once = "\n          once: true";
    let harvest = act("Plant-0", "micro_harvest", "");
    rule("", &format!("when: [[{{{stage}: '==', ref_value: ripe}}]]"), "", &harvest);
    rule(&calendar.harvest.to_string(), &on(calendar.harvest), once, &harvest);
    let sow = act("Plant-0", "sow", &format!(", amount#seed: {}, spacing#cm: 10", calendar.seeds));
    rule(&calendar.sow.to_string(), &on(calendar.sow), once, &sow);
    for (date, kilograms) in &calendar.nitrogen {
        let scatter = act("Fertilizer-0", "scatter", &format!(", amount#kg: {}", short(*kilograms)));
        rule(&date.to_string(), &on(*date), once, &scatter);
    }
    for (date, liters) in &calendar.water {
        let irrigate = act("Soil-0", "water_discrete", &format!(", amount#L: {}, duration#min: 60", short(*liters)));
        rule(&date.to_string(), &on(*date), once, &irrigate);
    }
    if let Some(upkeep) = calendar.upkeep {
        let half = |layer: &Layer| f64::midpoint(layer.wilting_point, layer.capacity);
        let (comment, level, liters) = match upkeep {
            Upkeep::Flooded => ("The field is flooded.", ground.topsoil(|layer| layer.saturation), 2500),
            Upkeep::Moist => ("Irrigation by need.", ground.topsoil(half), 2500),
        };
        let when = format!(
            "when: [[{{{stage}: in, ref_value: [seed, grow, bloom, fruit]}}, {{state_variable: [Field-0, Soil-0, topsoil_Water#L], operator: '<', ref_value: {}}}]]",
            short(level * AREA)
        );
        rule(comment, &when, "", &act("Soil-0", "water_discrete", &format!(", amount#L: {liters}, duration#min: 60")));
    }
    text
}
