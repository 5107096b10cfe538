//! The farm as the player sees it today.

use farm_core::{Game, State};
use serde::Serialize;

use super::jobs::{JobView, views};
use super::model::{Farm, Field, Forecast, Plant};
use super::sight::Sight;

/// The share of the plants' water below which a plot is dry, if plants grow on it.
const DRY: f64 = 1.0 / 3.0;
/// Stages in which plants take up water, and the stage in which they can only be harvested, as plants name them.
const THIRSTY: [&str; 4] = ["seed", "grow", "bloom", "fruit"];
const RIPE: &str = "ripe";
/// The growth limit of a plot without enough water.
const DROUGHT: &str = "water";

/// The weather: today's, and the forecast of the next days.
#[derive(Debug, Serialize)]
struct Weather {
    rain_mm: Option<f64>,
    forecast: Vec<Day>,
}

/// A day of the forecast.
#[derive(Debug, Serialize)]
struct Day {
    rain_mm: Option<f64>,
    min_celsius: Option<f64>,
    max_celsius: Option<f64>,
}

/// A field today, with one value for each plot; plot (x, y) is at `x · rows + y`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FieldView {
    /// The crop and its stage, by index; none if not observed.
    crop: Vec<usize>,
    pub(super) stage: Vec<Option<usize>>,
    /// The water that plants can take up, in mm.
    pub(super) water_mm: Vec<Option<f64>>,
    height_cm: Vec<Option<f64>>,
    /// What limits growth today, by index.
    limit: Vec<Option<usize>>,
    pub(super) dry: Vec<bool>,
    pub(super) ripe: Vec<bool>,
    /// The further values, each with one number for each plot.
    values: Vec<Vec<Option<f64>>>,
    #[serde(skip)]
    pub(super) most_pests: f64,
}

/// The farm today.
#[derive(Debug, Serialize)]
pub(crate) struct FarmView {
    weather: Weather,
    fields: Vec<FieldView>,
    jobs: Vec<JobView>,
}

/// The state of all plots.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Plots {
    /// The latest stage on a plot of the first field, by index.
    stage: Option<usize>,
    /// The number of dry plots, and of ripe ones.
    dry: usize,
    ripe: usize,
}

impl FarmView {
    /// The state of all plots.
    pub(in crate::playground) fn plots(&self) -> Plots {
        let count = |of: fn(&FieldView) -> &Vec<bool>| {
            self.fields.iter().map(|field| of(field).iter().filter(|is| **is).count()).sum()
        };
        Plots {
            stage: self.fields.first().and_then(|field| field.stage.iter().copied().flatten().max()),
            dry: count(|field| &field.dry),
            ripe: count(|field| &field.ripe),
        }
    }

    pub(in crate::playground) fn of(farm: &Farm, game: &Game, state: &State) -> Self {
        let sight = Sight::of(game, state, false);
        let days = farm.rain_forecast.len().max(farm.min_forecast.len());
        let at = |forecast: &Forecast, day: usize| {
            forecast.get(day).copied().flatten().and_then(|place| sight.observed(place))
        };
        let day = |day: usize| Day {
            rain_mm: at(&farm.rain_forecast, day),
            min_celsius: at(&farm.min_forecast, day),
            max_celsius: at(&farm.max_forecast, day),
        };
        let weather = Weather {
            rain_mm: farm.rain.as_ref().and_then(|rain| sight.value(rain, 0)),
            forecast: (1..days).map(day).collect(),
        };
        let fields = farm.fields.iter().map(|field| FieldView::of(field, game, state, &sight)).collect();
        Self { weather, fields, jobs: views(game, &farm.jobs, state) }
    }
}

impl FieldView {
    pub(super) fn of(field: &Field, game: &Game, state: &State, sight: &Sight<'_>) -> Self {
        let limits = field.water_limits(game, state);
        let mut view = Self {
            crop: Vec::new(),
            stage: Vec::new(),
            water_mm: Vec::new(),
            height_cm: Vec::new(),
            limit: Vec::new(),
            dry: Vec::new(),
            ripe: Vec::new(),
            values: Vec::new(),
            most_pests: 0.0,
        };
        for plot in 0..field.plots() {
            // Of several crops, the one that grows there.
            let stage = |plant: &Plant| sight.value(&plant.stage, plot).map(|stage| stage as usize);
            let name = |plant: &Plant| stage(plant).map(|stage| stage_name(game, plant, stage));
            let grows =
                |plant: &Plant| name(plant).is_some_and(|name| name == RIPE || THIRSTY.contains(&name.as_str()));
            let crop = field.plants.iter().position(grows).unwrap_or(0);
            let plant = field.plants.get(crop);
            let water = field.water.as_ref().and_then(|water| sight.value(water, plot));
            let water = water.zip(limits).map(|(water, (wilting, capacity))| (water - wilting, capacity));
            // A player may see what limits growth today, although no observation contains it.
            let limit = plant.filter(|plant| grows(plant)).and_then(|plant| {
                let limit = plant.limit.as_ref()?;
                Some((limit, limit.true_value(game, state, plot)? as usize))
            });
            let is_parched = limit.is_some_and(|(watch, limit)| {
                let kind = game.parts()[watch.part].variables()[watch.variable].kind();
                kind.words(0).is_some_and(|names| names.name(limit) == DROUGHT)
            });
            let name = plant.and_then(name);
            let is_thirsty = name.as_deref().is_some_and(|name| THIRSTY.contains(&name));
            let is_low = water.is_some_and(|(water, capacity)| water < DRY * capacity);
            view.crop.push(crop);
            view.stage.push(plant.and_then(stage));
            view.water_mm.push(water.map(|(water, _)| rounded(water / field.area_m2)));
            view.height_cm
                .push(plant.and_then(|plant| plant.height.as_ref()).and_then(|h| sight.value(h, plot)).map(rounded));
            view.limit.push(limit.map(|(_, limit)| limit));
            view.dry.push(is_thirsty && (is_low || is_parched));
            view.ripe.push(name.as_deref() == Some(RIPE));
        }
        let read = |watch| (0..field.plots()).map(move |plot| sight.value(watch, plot));
        for watch in &field.values {
            view.values.push(read(watch).map(|value| Some(rounded(field.in_units(game, watch, value?)))).collect());
        }
        view.most_pests = field.pests.iter().flat_map(read).flatten().fold(0.0, f64::max);
        view
    }
}

fn stage_name(game: &Game, plant: &Plant, stage: usize) -> String {
    let variable = &game.parts()[plant.stage.part].variables()[plant.stage.variable];
    variable.kind().words(0).map(|names| names.name(stage)).unwrap_or_default()
}

/// Rounds to three decimals, because the page needs no more.
pub(in crate::playground) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
