//! A game as a farm: its fields, and the variables that the page shows, found by role.

use farm_core::declare::{Quantity, VariableInfo};
use farm_core::labels::LITRES;
use farm_core::{Game, RecordIndex, Role, Stop};
use farm_roles::{
    AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, DAY_OF_YEAR, HARVEST_WEIGHT, PEST_POPULATION, PLANT_STAGE, RAIN_AMOUNT,
    SOIL_WATER, WATER_CAPACITY, WATER_GIVEN, WILTING_WATER,
};
use serde::Serialize;

use super::bilingual::Words;
use super::jobs::{Job, JobFacts, jobs};
use super::sight::{SALES, Watch, of_score};

/// The maximum number of further values per plot.
const MAX_VALUES: usize = 8;
/// The name of a plant's growth limit and of its height. No other part reads them, so they have no role.
const LIMIT: &str = "limited_by";
const HEIGHT: &str = "size#cm";

/// The forecast of a quantity, by lead. The first value is for the day that has just ended.
pub(super) type Forecast = Vec<Option<RecordIndex>>;

/// A field of plots.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) area_m2: f64,
    pub(super) plants: Vec<Plant>,
    pub(super) water: Option<Watch>,
    /// Constants of the soil, in litres per plot.
    wilting: Option<Watch>,
    capacity: Option<Watch>,
    pub(super) pests: Vec<Watch>,
    pub(super) values: Vec<Watch>,
}

/// A crop in a field.
#[derive(Debug)]
pub(super) struct Plant {
    pub(super) stage: Watch,
    pub(super) limit: Option<Watch>,
    pub(super) height: Option<Watch>,
}

/// A game as a farm.
#[derive(Debug)]
pub(in crate::playground) struct Farm {
    pub(super) fields: Vec<Field>,
    pub(super) jobs: Vec<Job>,
    pub(super) date: Option<Watch>,
    pub(super) rain: Option<Watch>,
    pub(super) rain_forecast: Forecast,
    pub(super) min_forecast: Forecast,
    pub(super) max_forecast: Forecast,
    pub(super) water_given: Vec<Watch>,
    pub(super) harvests: Vec<Watch>,
    /// The score's sum of sales.
    pub(super) sales: Option<Watch>,
}

/// All variables with a role, with the indices of their parts and their own.
fn with_role<T: farm_core::Element>(game: &Game, role: Role<T>) -> impl Iterator<Item = Watch> + '_ {
    let name = role.name();
    let all = game
        .parts()
        .iter()
        .enumerate()
        .flat_map(|(p, part)| part.variables().iter().enumerate().map(move |(v, variable)| (p, v, variable)));
    all.filter(move |(.., variable)| variable.roles().contains(&name)).filter_map(|(p, v, _)| Watch::of(game, p, v))
}

impl Farm {
    /// A game as a farm; none for a game without plants on plots, with several steps a day or with priced observations, or if the player
    /// sees only a part of the field.
    pub(in crate::playground) fn of(game: &Game) -> Option<Self> {
        let is_daily = game.rules().steps_per_day == 1 && game.catalogue().observation_count() == 0;
        if !is_daily || game.learner_view().is_limited() {
            return None;
        }
        let fields: Vec<Field> = (0..game.fields().len()).map(|field| Field::of(game, field)).collect();
        if fields.iter().all(|field| field.plants.is_empty()) {
            return None;
        }
        Some(Self {
            fields,
            jobs: jobs(game),
            date: with_role(game, DAY_OF_YEAR).next(),
            rain: with_role(game, RAIN_AMOUNT).next(),
            rain_forecast: forecast(game, RAIN_AMOUNT),
            min_forecast: forecast(game, AIR_TEMPERATURE_MIN),
            max_forecast: forecast(game, AIR_TEMPERATURE_MAX),
            water_given: with_role(game, WATER_GIVEN).collect(),
            harvests: with_role(game, HARVEST_WEIGHT).collect(),
            sales: of_score(game, SALES),
        })
    }
}

/// The observed forecast of the variable with a role: the observable `forecast.` with its name.
fn forecast<T: farm_core::Element>(game: &Game, role: Role<T>) -> Forecast {
    let found = with_role(game, role).next().and_then(|watch| {
        let part = &game.parts()[watch.part];
        let name = format!("forecast.{}", part.variables()[watch.variable].name());
        let at = part.observables().iter().position(|observable| observable.name() == name)?;
        Some(game.learner_view().locations(watch.part, Quantity::Observable(at)))
    });
    found.unwrap_or_default()
}

impl Field {
    fn of(game: &Game, field: usize) -> Self {
        let info = &game.fields()[field];
        let is_here = |watch: &Watch| game.parts()[watch.part].field() == Some(field);
        let named = |part: usize, name: &str| {
            let at = game.parts()[part].variables().iter().position(|variable| variable.name() == name)?;
            Watch::of(game, part, at)
        };
        let plants: Vec<Plant> = with_role(game, PLANT_STAGE)
            .filter(is_here)
            .map(|stage| Plant { limit: named(stage.part, LIMIT), height: named(stage.part, HEIGHT), stage })
            .collect();
        let water = with_role(game, SOIL_WATER).find(is_here);
        let shown_elsewhere = |watch: &Watch| {
            let same = |other: &Watch| (other.part, other.variable) == (watch.part, watch.variable);
            water.as_ref().is_some_and(same)
                || plants.iter().any(|plant| same(&plant.stage) || plant.height.as_ref().is_some_and(same))
        };
        let here = game.parts().iter().enumerate().filter(|(_, part)| part.field() == Some(field));
        let per_plot = here.flat_map(|(p, part)| {
            let plots = part.variables().iter().enumerate().filter(|(_, variable)| variable.per_plot());
            plots.filter_map(move |(v, _)| Watch::of(game, p, v))
        });
        let values = per_plot.filter(|watch| watch.is_observed() && !shown_elsewhere(watch)).take(MAX_VALUES).collect();
        Self {
            columns: info.length(),
            rows: info.width(),
            area_m2: info.plot_area_m2(),
            wilting: with_role(game, WILTING_WATER).find(is_here),
            capacity: with_role(game, WATER_CAPACITY).find(is_here),
            pests: with_role(game, PEST_POPULATION).filter(is_here).filter(Watch::is_observed).collect(),
            values,
            water,
            plants,
        }
    }

    /// The number of plots.
    pub(super) fn plots(&self) -> usize {
        self.columns * self.rows
    }

    /// The water at the wilting point and the plants' water at field capacity, in litres per plot.
    pub(super) fn water_limits(&self, game: &Game, state: &farm_core::State) -> Option<(f64, f64)> {
        let [wilting, capacity] = [self.wilting.as_ref()?, self.capacity.as_ref()?];
        let wilting = wilting.true_value(game, state, 0)?;
        Some((wilting, capacity.true_value(game, state, 0)? - wilting))
    }
}

/// A named value, with its identifier.
#[derive(Debug, Serialize)]
struct Named {
    id: String,
    label: Words,
}

/// A further value of a plot.
#[derive(Debug, Serialize)]
struct ValueFacts {
    label: Words,
    unit: Words,
    /// The names of its values, for categories.
    names: Vec<Words>,
}

/// What the page knows of a field before the first day.
#[derive(Debug, Serialize)]
struct FieldFacts {
    label: Words,
    columns: usize,
    rows: usize,
    area_m2: f64,
    /// The water that plants can take up at field capacity, in mm.
    capacity_mm: Option<f64>,
    crops: Vec<Words>,
    stages: Vec<Named>,
    limits: Vec<Named>,
    values: Vec<ValueFacts>,
}

/// What the page knows of a farm before the first day.
#[derive(Debug, Serialize)]
pub(in crate::playground) struct FarmFacts {
    fields: Vec<FieldFacts>,
    jobs: Vec<JobFacts>,
    goal: Words,
    ends: Vec<Words>,
    currency: String,
    jobs_a_day: usize,
    /// The score's texts about prices: sales, and supplies.
    sales: String,
    expenses: String,
}

impl Farm {
    /// What the page knows before the first day.
    pub(in crate::playground) fn facts(&self, game: &Game) -> FarmFacts {
        let mut state = game.new_state();
        game.reset(&mut state, 0, &mut game.new_record());
        let score = game.parts().last();
        let text = |name: &str| {
            let found = score.and_then(|score| score.text_variables().iter().find(|(own, _)| *own == name));
            found.map(|(_, text)| text.clone()).unwrap_or_default()
        };
        let conditions = (0..game.rules().stopping.0.len()).map(Stop::Condition);
        let limit = game.rules().max_steps.map(|_| Stop::Limit);
        let ends = conditions.chain(limit).map(|stop| game.text().stop_reason(stop));
        FarmFacts {
            fields: self.fields.iter().enumerate().map(|(i, field)| field.facts(game, i, &state)).collect(),
            jobs: self.jobs.iter().map(|job| job.facts(game)).collect(),
            goal: Words::new(|labels| labels.goal(game)),
            ends: ends.map(|reason| Words::end_of_season(&reason)).collect(),
            currency: game.text().currency().to_owned(),
            jobs_a_day: game.catalogue().max_schedule(),
            sales: text("sales"),
            expenses: text("expenses"),
        }
    }
}

impl Field {
    fn facts(&self, game: &Game, index: usize, state: &farm_core::State) -> FieldFacts {
        let variable = |watch: &Watch| &game.parts()[watch.part].variables()[watch.variable];
        let names = |watch: &Watch| {
            let all = variable(watch).kind().words(0).map(farm_core::declare::Labels::names).unwrap_or_default();
            let name = variable(watch).name().to_owned();
            all.into_iter().map(move |id| {
                let label = Words::new(|labels| labels.value(&name, &id).into_owned());
                Named { id, label }
            })
        };
        let first = self.plants.first();
        let value = |watch: &Watch| ValueFacts {
            label: Words::new(|labels| label_of(game, watch, labels).text),
            unit: Words::new(|labels| self.unit(variable(watch), labels)),
            names: names(watch).map(|named| named.label).collect(),
        };
        FieldFacts {
            label: Words::new(|labels| labels.field(game, index)),
            columns: self.columns,
            rows: self.rows,
            area_m2: self.area_m2,
            capacity_mm: self.water_limits(game, state).map(|(_, capacity)| capacity / self.area_m2),
            crops: self.plants.iter().map(|plant| part_words(game, plant.stage.part)).collect(),
            stages: first.map(|plant| names(&plant.stage).collect()).unwrap_or_default(),
            limits: first
                .and_then(|plant| plant.limit.as_ref())
                .map(|limit| names(limit).collect())
                .unwrap_or_default(),
            values: self.values.iter().map(value).collect(),
        }
    }

    /// The unit in which people read a variable. Water on a plot is a depth.
    fn unit(&self, variable: &VariableInfo, labels: &farm_core::labels::Labels) -> String {
        let unit = labels.unit(variable.name());
        if unit == LITRES { "mm".to_owned() } else { unit }
    }

    /// A value as people read it: water on a plot in mm.
    pub(super) fn in_units(&self, game: &Game, watch: &Watch, value: f64) -> f64 {
        let name = game.parts()[watch.part].variables()[watch.variable].name();
        if farm_core::labels::unit(name) == LITRES { value / self.area_m2 } else { value }
    }
}

fn label_of(game: &Game, watch: &Watch, labels: &farm_core::labels::Labels) -> farm_core::labels::Label {
    let part = &game.parts()[watch.part];
    labels.variable(part.kind(), part.variables()[watch.variable].name())
}

/// The label of a part.
pub(super) fn part_words(game: &Game, part: usize) -> Words {
    Words::new(|labels| labels.part(game, &game.parts()[part]))
}
