//! A season: one value for each day, from the start on.

use farm_core::action::Call;
use farm_core::{Game, State};
use serde::Serialize;

use super::jobs::Job;
use super::model::Farm;
use super::sight::{Sight, Watch};
use super::view::{FieldView, rounded};

/// A season: one value for each day, from the start on.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Season {
    /// The day of the year at the start; 0 is 1 January.
    start: Option<u32>,
    rain_mm: Vec<Option<f64>>,
    /// The water given on the day before, as a mean over all plots.
    irrigation_mm: Vec<f64>,
    money: Vec<f64>,
    /// The harvest so far, in kg.
    harvest_kg: Vec<f64>,
    /// What the harvest was sold for so far; none if the score has no sales.
    sold: Option<f64>,
    fields: Vec<FieldSeason>,
    /// The jobs that led to each day: job, and number of times.
    jobs: Vec<Vec<(usize, usize)>>,
    #[serde(skip)]
    given: f64,
}

/// A field over a season.
#[derive(Debug, Default, Serialize)]
struct FieldSeason {
    /// The plants' water, in mm: mean, lowest and highest of the plots.
    water_mm: Vec<Option<[f64; 3]>>,
    /// The stage of most plots.
    stage: Vec<Option<usize>>,
}

/// What was done in a season so far.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Totals {
    pub(crate) jobs: usize,
    pub(crate) harvest_kg: f64,
    pub(crate) irrigation_mm: f64,
}

impl Season {
    /// What was done so far.
    pub(in crate::playground) fn totals(&self) -> Totals {
        Totals {
            jobs: self.jobs.iter().flatten().map(|(_, count)| count).sum(),
            harvest_kg: self.harvest_kg.last().copied().unwrap_or_default(),
            irrigation_mm: rounded(self.irrigation_mm.iter().sum()),
        }
    }

    /// Adds a day: the state, the calls that led to it, and the money so far. The season of a player contains the observations only;
    /// `is_full` adds the rest.
    pub(in crate::playground) fn note(
        &mut self,
        farm: &Farm,
        game: &Game,
        state: &State,
        calls: &[Call],
        money: f64,
        is_full: bool,
    ) {
        let sight = Sight::of(game, state, is_full);
        if self.money.is_empty() {
            self.start = farm.date.as_ref().and_then(|date| sight.value(date, 0)).map(|day| day as u32);
            self.fields = farm.fields.iter().map(|_| FieldSeason::default()).collect();
        }
        let area: f64 = farm.fields.iter().map(|field| field.plots() as f64 * field.area_m2).sum();
        // Players know what they have given and harvested.
        let sum = |all: &[Watch]| all.iter().filter_map(|watch| watch.true_value(game, state, 0)).sum::<f64>();
        let given = sum(&farm.water_given);
        self.rain_mm.push(farm.rain.as_ref().and_then(|rain| sight.value(rain, 0)).map(rounded));
        self.irrigation_mm.push(if self.money.is_empty() { 0.0 } else { rounded((given - self.given) / area) });
        self.given = given;
        self.harvest_kg.push(rounded(sum(&farm.harvests)));
        self.money.push(rounded(money));
        self.sold = farm.sales.as_ref().and_then(|sales| sales.true_value(game, state, 0)).map(rounded);
        for (season, field) in self.fields.iter_mut().zip(&farm.fields) {
            let view = FieldView::of(field, game, state, &sight);
            let water: Option<Vec<f64>> = view.water_mm.iter().copied().collect();
            season.water_mm.push(water.filter(|water| !water.is_empty()).map(|water| {
                let mean = water.iter().sum::<f64>() / water.len() as f64;
                [mean, water.iter().copied().fold(f64::MAX, f64::min), water.iter().copied().fold(f64::MIN, f64::max)]
                    .map(rounded)
            }));
            let count = |stage: &usize| view.stage.iter().filter(|own| **own == Some(*stage)).count();
            let stages = view.stage.iter().flatten().copied();
            season.stage.push(stages.max_by_key(|stage| (count(stage), *stage)));
        }
        self.jobs.push(counted(&farm.jobs, calls));
    }
}

/// How often each job was done.
fn counted(jobs: &[Job], calls: &[Call]) -> Vec<(usize, usize)> {
    let of = |(i, job): (usize, &Job)| (i, calls.iter().filter(|call| job.is_done_by(call)).count());
    jobs.iter().enumerate().map(of).filter(|(_, count)| *count > 0).collect()
}
