//! Carries out orders, and lets time pass: one day, or until something happens. It stops before a loss, and reports the reason.

use std::collections::VecDeque;

use farm_core::Environment;
use farm_core::action::Call;
use serde::{Deserialize, Serialize};

use super::super::choice::{Choice, Compiled};
use super::super::errors::PlaygroundError;
use super::super::replay::{begun, most_steps, replayed};
use super::jobs::{Order, Target, day};
use super::model::{Farm, Forecast};
use super::sight::Sight;
use super::view::FieldView;

/// The number of days without news after which time stops.
const MAX_QUIET: usize = 30;
/// A forecast of this much rain for tomorrow is news.
const MUCH_RAIN_MM: f64 = 10.0;
/// The number of pests on a plot from which each tenfold increase is news.
const FEW_PESTS: f64 = 10.0;

/// A request to carry out orders or to let time pass.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdvanceRequest {
    /// The game.
    pub(crate) game: Choice,
    /// The seed of the episode.
    #[serde(default)]
    pub(crate) seed: u64,
    /// The actions so far, one line per step.
    #[serde(default)]
    actions: Vec<String>,
    /// The orders; they take as many days as they need.
    #[serde(default)]
    orders: Vec<Order>,
    /// Without orders, whether time passes until something happens.
    #[serde(default)]
    until: bool,
    /// Without orders, the number of days that pass; default: 1.
    #[serde(default = "one")]
    days: usize,
}

fn one() -> usize {
    1
}

/// What happened on the last day.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
enum News {
    /// The season is over.
    Over,
    /// Plots have become dry.
    Dry { field: usize, plots: Vec<usize> },
    /// Plots have reached a stage.
    Stage { field: usize, stage: usize, plots: Vec<usize> },
    /// Plots are ripe and wait for the harvest.
    Ripe { field: usize, plots: Vec<usize> },
    /// There are many more pests.
    Pests { field: usize, number: f64 },
    /// Frost is forecast for tomorrow.
    Frost { celsius: f64 },
    /// Much rain is forecast for tomorrow.
    Rain { mm: f64 },
    /// A job is not possible; it and the jobs after it were not done on these plots.
    Failed { job: usize, plots: Vec<usize> },
    /// Nothing has happened for this many days.
    Quiet { days: usize },
}

impl News {
    /// Whether this is later news of the same kind.
    fn replaces(&self, old: &Self) -> bool {
        match (self, old) {
            (Self::Stage { field, stage, .. }, Self::Stage { field: other, stage: before, .. }) => {
                (field, stage) == (other, before)
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(old),
        }
    }
}

/// The farm after the orders or the days.
#[derive(Debug, Serialize)]
pub(crate) struct Advanced {
    /// The number of days that have passed.
    days: usize,
    /// How often each job was done.
    done: Vec<(usize, usize)>,
    news: Vec<News>,
    /// All actions, in canonical form.
    #[serde(skip)]
    pub(in crate::playground) actions: Vec<String>,
}

/// Carries out orders, and lets time pass.
///
/// # Errors
/// The game is not a farm, an action can't be read, an order names something that does not exist, or there are too many steps.
pub(in crate::playground) fn advance(
    compiled: &Compiled,
    request: &AdvanceRequest,
) -> Result<Advanced, PlaygroundError> {
    let (game, farm) = (&compiled.game, compiled.farm()?);
    let mut environment = begun(game, request.seed);
    let mut actions = replayed(&mut environment, &request.actions)?;
    let mut queue: VecDeque<Target> = VecDeque::new();
    for order in &request.orders {
        queue.extend(order.targets(game, &farm.jobs).map_err(PlaygroundError::Request)?);
    }
    let (mut days, mut done, mut news) = (0, Vec::<Call>::new(), Vec::new());
    let waiting = game.catalogue().waiting().to_vec();
    let mut before = Seen::of(farm, &environment);
    while !environment.state().over() && actions.len() < most_steps(game) {
        let is_ordered = !queue.is_empty();
        let schedule =
            if is_ordered { day(game, &farm.jobs, environment.state(), &mut queue) } else { waiting.clone() };
        if is_ordered && schedule.is_empty() {
            news = failed(&queue);
            break;
        }
        environment.step(schedule.as_slice()).map_err(|error| PlaygroundError::Failed(error.to_string()))?;
        actions.push(game.text().write(&schedule));
        done.extend(schedule);
        days += 1;
        let now = Seen::of(farm, &environment);
        let today = now.news(&before);
        before = now;
        // For several days, the answer contains the latest news of each kind.
        news.retain(|old: &News| !today.iter().any(|new| new.replaces(old)));
        news.extend(today);
        if environment.state().over() {
            news.insert(0, News::Over);
        }
        let is_done = match (request.orders.is_empty(), request.until) {
            (false, _) => queue.is_empty(),
            (true, true) => !news.is_empty(),
            (true, false) => days >= request.days,
        };
        if is_done {
            break;
        }
        if request.orders.is_empty() && request.until && days >= MAX_QUIET {
            news = vec![News::Quiet { days }];
            break;
        }
    }
    let counts = farm.jobs.iter().map(|job| done.iter().filter(|call| job.is_done_by(call)).count());
    let done = counts.enumerate().filter(|(_, count)| *count > 0).collect();
    Ok(Advanced { days, done, news, actions })
}

/// The jobs that were not done.
fn failed(queue: &VecDeque<Target>) -> Vec<News> {
    let Some(first) = queue.front() else { return Vec::new() };
    let plots = queue.iter().filter(|target| target.job == first.job).map(|target| target.plot).collect();
    vec![News::Failed { job: first.job, plots }]
}

/// What the player sees on a day, as far as news depend on it.
struct Seen {
    fields: Vec<FieldView>,
    frost: Option<f64>,
    rain: Option<f64>,
}

impl Seen {
    fn of(farm: &Farm, environment: &Environment) -> Self {
        let (game, state) = (environment.game(), environment.state());
        let sight = Sight::of(game, state, false);
        let tomorrow = |forecast: &Forecast| forecast.get(1).copied().flatten().and_then(|place| sight.observed(place));
        Self {
            fields: farm.fields.iter().map(|field| FieldView::of(field, game, state, &sight)).collect(),
            frost: tomorrow(&farm.min_forecast).filter(|celsius| *celsius < 0.0),
            rain: tomorrow(&farm.rain_forecast).filter(|mm| *mm >= MUCH_RAIN_MM),
        }
    }

    /// What has happened since the day before.
    fn news(&self, before: &Self) -> Vec<News> {
        let mut news = Vec::new();
        for (field, (now, before)) in self.fields.iter().zip(&before.fields).enumerate() {
            let which = |is_new: &dyn Fn(usize) -> bool| (0..now.dry.len()).filter(|plot| is_new(*plot)).collect();
            let dry: Vec<usize> = which(&|plot| now.dry[plot] && !before.dry[plot]);
            if !dry.is_empty() {
                news.push(News::Dry { field, plots: dry });
            }
            let ripe: Vec<usize> = which(&|plot| now.ripe[plot]);
            let mut stages: Vec<usize> = now.stage.iter().copied().flatten().collect();
            stages.sort_unstable();
            stages.dedup();
            for stage in stages {
                let plots: Vec<usize> = which(&|plot| {
                    now.stage[plot] == Some(stage) && before.stage[plot] != Some(stage) && !now.ripe[plot]
                });
                if !plots.is_empty() {
                    news.push(News::Stage { field, stage, plots });
                }
            }
            if !ripe.is_empty() {
                news.push(News::Ripe { field, plots: ripe });
            }
            let level = |pests: f64| if pests < FEW_PESTS { 0 } else { pests.log10() as u32 };
            if level(now.most_pests) > level(before.most_pests) {
                news.push(News::Pests { field, number: now.most_pests });
            }
        }
        news.extend(self.frost.filter(|_| before.frost.is_none()).map(|celsius| News::Frost { celsius }));
        news.extend(self.rain.filter(|_| before.rain.is_none()).map(|mm| News::Rain { mm }));
        news
    }
}
