//! Jobs: actions with doses in farmer's units, their prices, and the reasons why they are closed. Orders of several plots fill the next days.

use std::collections::VecDeque;

use farm_core::action::{ActionTarget, Call};
use farm_core::declare::ActionParameterKind;
use farm_core::labels::{LITRES, unit};
use farm_core::{ActionKind, Game, State};
use farm_roles::SOIL_WATER;
use serde::{Deserialize, Serialize};

use super::super::replay::most_tried;
use super::bilingual::Words;
use super::sight::{EXPENSES, of_score};

/// The maximum number of doses of a job.
const MAX_DOSES: usize = 24;

/// An action of a part, by any of the farmers who can do it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) part: usize,
    action: usize,
    pub(super) field: Option<usize>,
    /// The base actions, one for each farmer who can do it.
    bases: Vec<usize>,
    /// The position of the plot among the arguments; none for a job on a whole field or without a place.
    plot: Option<usize>,
    /// The arguments of each dose, with plot 0.
    doses: Vec<Vec<f64>>,
}

/// All jobs of a game.
pub(super) fn jobs(game: &Game) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (base, action) in game.catalogue().base_actions().iter().enumerate() {
        let (ActionTarget::Intervention(own), Some(info)) = (action.target(), action.info(game.parts())) else {
            continue;
        };
        if info.waits() || action.kind() != ActionKind::Intervention {
            continue;
        }
        if let Some(job) = jobs.iter_mut().find(|job| (job.part, job.action) == (action.part(), *own)) {
            job.bases.push(base);
            continue;
        }
        let plot = info.parameters().iter().position(|parameter| *parameter.kind() == ActionParameterKind::Plot);
        let mut doses: Vec<Vec<f64>> = Vec::new();
        for call in game.catalogue().calls_of(base) {
            let arguments: Vec<f64> = (0..info.parameters().len())
                .map(|i| if Some(i) == plot { 0.0 } else { call.arguments().real(i) })
                .collect();
            if doses.len() < MAX_DOSES && !doses.contains(&arguments) {
                doses.push(arguments);
            }
        }
        let field = game.parts().get(action.part()).and_then(|part| part.field());
        jobs.push(Job { part: action.part(), action: *own, field, bases: vec![base], plot, doses });
    }
    jobs
}

/// What the page knows of a job before the first day.
#[derive(Debug, Serialize)]
pub(super) struct JobFacts {
    /// Its identifiers, for the page's words and signs: the part's label and the action's name.
    part: String,
    action: String,
    label: Words,
    field: Option<usize>,
    per_plot: bool,
    /// The cost of labour.
    labour: f64,
    doses: Vec<DoseFacts>,
}

/// A dose of a job.
#[derive(Debug, Serialize)]
struct DoseFacts {
    label: Words,
    /// The water that it gives to a plot.
    water_mm: Option<f64>,
}

impl Job {
    pub(super) fn facts(&self, game: &Game) -> JobFacts {
        let (part, base) = (&game.parts()[self.part], &game.catalogue().base_actions()[self.bases[0]]);
        let parameters = part.actions()[self.action].parameters();
        let waters = part.variables().iter().any(|variable| variable.roles().contains(&SOIL_WATER.name()));
        let varied: Vec<usize> = (0..parameters.len())
            .filter(|i| self.doses.iter().any(|dose| Some(&dose[*i]) != self.doses.first().map(|first| &first[*i])))
            .collect();
        let amount = (0..parameters.len()).find(|i| Some(*i) != self.plot);
        let told = if varied.is_empty() { amount.into_iter().collect() } else { varied };
        let dose = |dose: &Vec<f64>| {
            let label = Words::new(|labels| {
                let words = told.iter().map(|i| labels.argument(game, base, &parameters[*i], dose[*i]));
                words.collect::<Vec<_>>().join(", ")
            });
            let litres = (0..parameters.len()).find(|i| waters && unit(parameters[*i].name()) == LITRES);
            let area = self.field.map_or(1.0, |field| game.fields()[field].plot_area_m2());
            DoseFacts { label, water_mm: litres.map(|i| dose[i] / area) }
        };
        JobFacts {
            part: part.label().to_owned(),
            action: base.name(game.parts()).to_owned(),
            label: Words::new(|labels| labels.base_action(game, base)),
            field: self.field,
            per_plot: self.plot.is_some(),
            labour: if game.rules().costs_in_info_only { 0.0 } else { base.cost() },
            doses: self.doses.iter().map(dose).collect(),
        }
    }

    /// The calls of a dose, one for each farmer.
    fn calls<'g>(&'g self, game: &'g Game, dose: usize, plot: usize) -> impl Iterator<Item = Call> + 'g {
        let mut arguments = self.doses.get(dose).cloned().unwrap_or_default();
        if let Some(slot) = self.plot.and_then(|at| arguments.get_mut(at)) {
            *slot = plot as f64;
        }
        self.bases.iter().filter_map(move |base| game.catalogue().call(*base, &arguments))
    }

    /// Whether a call does this job.
    pub(super) fn is_done_by(&self, call: &Call) -> bool {
        self.bases.contains(&call.base())
    }

    /// The number of places where it can be done.
    fn places(&self, game: &Game) -> usize {
        let plots = self.field.and_then(|field| game.fields().get(field)).map_or(1, |field| field.plots());
        if self.plot.is_some() { plots } else { 1 }
    }
}

/// A job today.
#[derive(Debug, Serialize)]
pub(super) struct JobView {
    /// The reason, if it can be done nowhere.
    closed: Option<Words>,
    /// The plots on which it can be done.
    open: Vec<usize>,
    /// The price of each dose on one plot, for labour and supplies; none for a dose that is possible nowhere.
    costs: Vec<Option<f64>>,
    /// How many of them are possible in a day.
    per_day: usize,
}

/// The jobs today.
pub(super) fn views(game: &Game, jobs: &[Job], state: &State) -> Vec<JobView> {
    let expenses = of_score(game, EXPENSES);
    let spent = |state: &State| expenses.as_ref().and_then(|watch| watch.true_value(game, state, 0)).unwrap_or(0.0);
    let idle = if state.over() { None } else { tried(game, state, game.catalogue().waiting()) };
    let view = |job: &Job| {
        let possible = |dose: usize, plot: usize| {
            let is_free = |call: &Call| !state.over() && game.rejection(state, call).is_none();
            job.calls(game, dose, plot).find(is_free)
        };
        let doses = 0..job.doses.len();
        let mut open = Vec::new();
        let mut first = vec![None; job.doses.len()];
        for plot in 0..job.places(game) {
            let mut is_open = false;
            for dose in doses.clone() {
                if let Some(call) = possible(dose, plot) {
                    is_open = true;
                    first[dose].get_or_insert(call);
                }
            }
            if is_open {
                open.push(plot);
            }
        }
        let cost = |call: &Option<Call>| {
            let (after, cost) = tried(game, state, &[(*call)?])?;
            let supplies = spent(&after) - idle.as_ref().map_or(0.0, |(idle, _)| spent(idle));
            Some(if game.rules().costs_in_info_only { supplies } else { cost + supplies })
        };
        let costs = first.iter().map(cost).collect();
        let dose = first.iter().position(Option::is_some);
        let mut queue: VecDeque<Target> =
            open.iter().filter_map(|plot| Some(Target { job: 0, dose: dose?, plot: *plot })).collect();
        let per_day = day(game, std::slice::from_ref(job), state, &mut queue).len();
        let reason = || job.calls(game, 0, 0).find_map(|call| game.rejection(state, &call));
        let closed = open.is_empty().then(reason).flatten();
        let closed = closed.map(|reason| Words::new(|labels| labels.words(reason).to_owned()));
        JobView { closed, open, costs, per_day }
    };
    jobs.iter().map(view).collect()
}

/// The state after a schedule and its cost of labour; none if an action is rejected.
fn tried(game: &Game, state: &State, schedule: &[Call]) -> Option<(State, f64)> {
    let (mut after, mut record) = (state.clone(), game.new_record());
    game.step(&mut after, schedule, &mut record).ok()?;
    record.rejected().is_empty().then(|| (after, record.intervention_cost()))
}

/// An order: a job with a dose on several plots. A job without plots is ordered once.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub(super) job: usize,
    #[serde(default)]
    pub(super) dose: usize,
    #[serde(default)]
    pub(super) plots: Vec<usize>,
}

/// A job to be done on a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    pub(super) job: usize,
    dose: usize,
    pub(super) plot: usize,
}

impl Order {
    /// Its single jobs.
    ///
    /// # Errors
    /// The farm has no such job, dose or plot.
    pub(super) fn targets(&self, game: &Game, jobs: &[Job]) -> Result<Vec<Target>, String> {
        let job = jobs.get(self.job).ok_or_else(|| format!("there is no job {}: 0 to {}", self.job, jobs.len()))?;
        if self.dose >= job.doses.len() {
            return Err(format!("job {} has no dose {}: 0 to {}", self.job, self.dose, job.doses.len() - 1));
        }
        let plots: &[usize] = if job.plot.is_some() { &self.plots } else { &[0] };
        let most = job.places(game);
        if let Some(plot) = plots.iter().find(|plot| **plot >= most) {
            return Err(format!("there is no plot {plot}: 0 to {}", most - 1));
        }
        Ok(plots.iter().map(|plot| Target { job: self.job, dose: self.dose, plot: *plot }).collect())
    }
}

/// Takes as many jobs from a queue as fit into the day, in order, and returns the day's schedule. Empty if the first is not possible.
pub(super) fn day(game: &Game, jobs: &[Job], state: &State, queue: &mut VecDeque<Target>) -> Vec<Call> {
    let mut schedule: Vec<Call> = Vec::new();
    let most = game.catalogue().max_schedule().min(most_tried(game));
    while schedule.len() < most && !state.over() {
        let Some(target) = queue.front() else { break };
        let Some(job) = jobs.get(target.job) else { break };
        let fits = |call: &Call| tried(game, state, &[schedule.as_slice(), &[*call]].concat()).is_some();
        let Some(call) = job.calls(game, target.dose, target.plot).find(fits) else { break };
        schedule.push(call);
        queue.pop_front();
    }
    schedule
}
