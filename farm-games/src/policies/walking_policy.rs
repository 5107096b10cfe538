//! Walks to the most urgent task that it knows, and does it.
//!
//! It plays for a walking farmer (role `agent_position`) with a window of plots. It knows each plot only as last seen: when a plot is in
//! the window, the policy records which tasks are due there. In every step, it chooses the task with the smallest distance. For each
//! position further down the list, the distance increases by `detour#nb` plots. If the stock for a task is too small, the farmer first
//! walks to the refill place. If no task is due, it walks to the plot that it has not seen for the longest time. If it has seen all plots
//! today, it waits. When a plot is in the window, it also checks conditions on variables without a value per plot.
//!
//! Source: the rules of thumb in the Farm-gym reference (triggers), carried out on foot.

use farm_core::action::{ActionTarget, BaseAction, Call};
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_core::declare::{PartInfo, Quantity, Reference};
use farm_core::rules::{Conditions, Formula};
use farm_core::{ActionKind, Agent, Column, Game, Policy, State};
use farm_entities::grid::GridError;
use farm_roles::AGENT_POSITION;

use super::memory::Slots;
use super::schedule_budget::ScheduleBudget;
use super::trigger_policy::{Doing, Trigger};
use crate::farmers::{PLACES_SEEN, REFILL};
use crate::{FarmerError, PolicyError};

/// A task on a plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Task {
    /// The conditions: a list (or) of lists (and) of {state_variable, function, operator, ref_value}.
    pub when: Conditions,
    /// The action: {field, entity, action, parameters}; `here` is the plot.
    pub act: Doing,
    /// The stock that it uses, such as `water#L`.
    pub stock: Option<String>,
    /// The amount of the stock that it needs, in the stock's unit. With less, the farmer goes to refill the stock.
    #[parameter(default = 1.0, range = 0.0..=1e6)]
    pub amount: f64,
    /// The name of the place where the farmer refills the stock.
    pub filled_at: Option<String>,
}

/// Walks to the most urgent task that it knows, and does it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WalkingPolicy {
    /// The tasks, starting with the most important one.
    pub tasks: Vec<Task>,
    /// The number of extra plots that it is willing to walk for a task rather than for the next task in the list.
    #[parameter(unit = "nb", default = 3, range = 0..=1000)]
    pub detour: u32,
}

#[farm_core::register(source = "Rules of thumb of the Farm-gym reference, on foot")]
impl Policy for WalkingPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        let mut problems = Problems::default();
        let Some(body) = Body::of(game, &mut problems) else { return Err(problems) };
        let path = Path::default().child("tasks");
        let compile = |(i, task): (usize, &Task)| task.compile(game, &body, &path.child(i), &mut problems);
        let tasks: Vec<CompiledTask> = self.tasks.iter().enumerate().map(compile).collect();
        if problems.has_errors() {
            return Err(problems);
        }
        let plots = body.length * body.width;
        Ok(Box::new(Walk {
            detour: self.detour as usize,
            seen: vec![0; plots],
            known: vec![KnownTask::default(); plots * tasks.len()],
            tasks,
            body,
            budget: ScheduleBudget::of(game),
        }))
    }
}

/// The policy's knowledge of the farmer.
#[derive(Clone)]
struct Body {
    farmer: usize,
    length: usize,
    width: usize,
    half: usize,
    position: Column<u8>,
    position_seen: Reference,
    places: Column<u8>,
    moves: [Call; 4],
    refill: Option<Call>,
}

impl Body {
    fn of(game: &Game, problems: &mut Problems) -> Option<Self> {
        let walks = |part: &&PartInfo| part.observables().iter().any(|seen| seen.name() == PLACES_SEEN);
        let found = game.parts().iter().position(|part| walks(&part)).and_then(|farmer| {
            let part = &game.parts()[farmer];
            let rank = part.variables().iter().position(|v| v.roles().contains(&AGENT_POSITION.name()))?;
            let position = part.variables()[rank].column()?;
            let position_seen = reference(game, farmer, Quantity::Variable(rank), part.variables()[rank].name());
            let places = part.variables().iter().find(|v| v.name() == "place")?.column()?;
            let half = part.observables().iter().find(|seen| seen.name() == PLACES_SEEN)?.shape().first()? / 2;
            let is_own = |base: &BaseAction, wanted: usize| {
                base.part() == farmer
                    && matches!(base.target(), ActionTarget::Intervention(action) if *action == wanted)
            };
            let call = |wanted: usize| {
                game.catalogue()
                    .calls()
                    .iter()
                    .find(|call| is_own(&game.catalogue().base_actions()[call.base()], wanted))
                    .copied()
            };
            let moves = [call(0)?, call(1)?, call(2)?, call(3)?];
            let (length, width) = (game.fields()[0].length(), game.fields()[0].width());
            Some(Self { farmer, length, width, half, position, position_seen, places, moves, refill: call(REFILL) })
        });
        match &found {
            None => {
                let problem =
                    Problem::new(PolicyError::NothingToActOn, Path::default(), "this game has no walking farmer");
                let problem = problem.expected("a `WalkingFarmer`, and rules that allow its moves");
                problems.push(problem.help("choose another policy"));
            }
            Some(body) if !game.observation().shows(&body.position_seen) => {
                problems.push(unobserved(&body.position_seen, Path::default()));
            }
            Some(_) => {}
        }
        found
    }

    /// The window in which the farmer sees one of the field's variables; none if it has no such window.
    fn window(&self, game: &Game, variable: &Reference) -> Option<Reference> {
        let Quantity::Variable(i) = variable.quantity() else { return None };
        let (entity, name) =
            (game.parts()[variable.part()].name(), game.parts()[variable.part()].variables()[i].name());
        let names = [format!("view.{name}"), format!("view.{name}.{entity}")];
        let windows = game.parts()[self.farmer].observables().iter().enumerate();
        let windows = windows.filter(|(_, seen)| names.iter().any(|name| name == seen.name()));
        let mut windows = windows.map(|(i, seen)| reference(game, self.farmer, Quantity::Observable(i), seen.name()));
        windows.find(|window| game.observation().shows(window))
    }
}

/// The reference to all values of a part's variable or observable.
fn reference(game: &Game, part: usize, quantity: Quantity, name: &str) -> Reference {
    Reference::new(part, quantity, format!("{}.{name}", game.parts()[part].path()))
}

/// The problem to report if a policy needs an observation that learners do not get.
fn unobserved(wanted: &Reference, path: Path) -> Problem {
    let problem =
        Problem::new(NameError::NotObserved, path, format!("`{}` is not observed in this game", wanted.name()))
            .value(wanted.name());
    problem.expected("an observed variable").help("add it to the free observations of the rules")
}

/// A task with all names resolved.
#[derive(Clone)]
struct CompiledTask {
    when: Formula,
    /// The observations that the conditions need: windows, and variables without a value per plot.
    needs: Vec<Reference>,
    /// The call on each plot; none if the rules do not allow it there.
    acts: Vec<Option<Call>>,
    stock: Option<Supply>,
}

/// The stock that a task uses.
#[derive(Clone)]
struct Supply {
    carried: Column<f64>,
    carried_seen: Reference,
    /// The amount that the task needs.
    amount: f64,
    /// The code of its refill place.
    place: u8,
}

impl Task {
    fn compile(&self, game: &Game, body: &Body, path: &Path, problems: &mut Problems) -> CompiledTask {
        let when = if self.when.0.is_null() {
            Formula(vec![Vec::new()])
        } else {
            Formula::parse_for_player(&self.when.0, game.names(), true, &path.child("when"), problems)
        };
        let mut needs = Vec::new();
        for (i, clause) in when.0.iter().enumerate() {
            for (j, condition) in clause.iter().enumerate() {
                let variable = condition.variable();
                let seen = if matches!(variable.quantity(), Quantity::Step | Quantity::Remaining) {
                    // A policy can count days without observing them.
                    continue;
                } else if condition.is_per_plot() {
                    body.window(game, variable)
                } else {
                    game.observation().shows(variable).then(|| variable.clone())
                };
                if seen.is_none() {
                    let message = format!("the farmer does not see `{}`", variable.name());
                    let problem = Problem::new(NameError::NotObserved, path.child("when").child(i).child(j), message);
                    problems.push(problem.value(variable.name()).help("add it to `shows` of the farmer"));
                }
                needs.extend(seen);
            }
        }
        let doing = Trigger { for_each_plot: true, act: self.act.clone(), ..Trigger::default() };
        let mut acts = vec![None; body.length * body.width];
        for target in doing.compile(game, &Slots::default(), path, problems).targets {
            if let (Some(slot), [calls]) = (target.plot.and_then(|plot| acts.get_mut(plot)), target.acts.as_slice()) {
                *slot = calls.first().copied();
            }
        }
        CompiledTask { when, needs, acts, stock: self.stock(game, body, path, problems) }
    }

    fn stock(&self, game: &Game, body: &Body, path: &Path, problems: &mut Problems) -> Option<Supply> {
        let name = self.stock.as_ref()?;
        let variables = game.parts()[body.farmer].variables();
        let stock_of = |variable: &str| variable.strip_prefix("carried_").map(str::to_owned);
        let rank = variables.iter().position(|v| stock_of(v.name()).as_ref() == Some(name));
        let found = rank.and_then(|rank| Some((variables[rank].column()?, rank)));
        let Some((carried, rank)) = found else {
            let stocks: Vec<String> = variables.iter().filter_map(|v| stock_of(v.name())).collect();
            let problem =
                Problem::new(GridError::NotCarried, path.child("stock"), format!("the farmer carries no `{name}`"))
                    .value(name);
            problems.push(problem.among(name, stocks.iter().map(String::as_str)));
            return None;
        };
        let carried_seen = reference(game, body.farmer, Quantity::Variable(rank), variables[rank].name());
        if !game.observation().shows(&carried_seen) {
            problems.push(unobserved(&carried_seen, path.child("stock")));
        }
        let place = self.filled_at.as_deref().unwrap_or_default();
        let labels = variables.iter().find(|v| v.name() == "place").and_then(|v| v.kind().labels(0));
        let code = labels.and_then(|labels| labels.index(place)).and_then(|code| u8::try_from(code).ok());
        let Some(code) = code.filter(|code| *code > 0) else {
            let names: Vec<String> = labels.map_or(Vec::new(), |l| (1..l.len()).map(|i| l.name(i)).collect());
            let problem =
                Problem::new(FarmerError::WrongPlace, path.child("filled_at"), format!("there is no place `{place}`"))
                    .value(place);
            problems.push(problem.among(place, names.iter().map(String::as_str)));
            return None;
        };
        Some(Supply { carried, carried_seen, amount: self.amount, place: code })
    }
}

/// The knowledge about a task on a plot.
#[derive(Debug, Clone, Copy, Default)]
struct KnownTask {
    /// Whether the conditions held when the plot was last seen.
    is_due: bool,
    /// The last day on which it was done or given up, plus 1; 0 for never.
    done: u32,
}

#[derive(Clone)]
struct Walk {
    body: Body,
    tasks: Vec<CompiledTask>,
    detour: usize,
    /// The last day on which each plot was seen, plus 1; 0 for never.
    seen: Vec<u32>,
    /// The knowledge about each task, for each plot.
    known: Vec<KnownTask>,
    budget: ScheduleBudget,
}

impl Walk {
    /// Records what the window shows.
    fn look(&mut self, game: &Game, state: &State, (x, y): (usize, usize)) {
        let (body, n) = (&self.body, self.tasks.len());
        let around = |at: usize, edge: usize| at.saturating_sub(body.half)..(at + body.half + 1).min(edge);
        let plots = || around(x, body.length).flat_map(|x| around(y, body.width).map(move |y| x * body.width + y));
        plots().for_each(|plot| self.seen[plot] = state.step() + 1);
        for (rank, task) in self.tasks.iter().enumerate() {
            if task.needs.iter().all(|needed| game.learner_view().is_shown(state, needed)) {
                for plot in plots() {
                    let holds = game.learner_view().holds(&task.when, state, Some(plot), |_| true);
                    self.known[plot * n + rank].is_due = holds;
                }
            }
        }
    }

    fn distance(&self, plot: usize, (x, y): (usize, usize)) -> usize {
        (plot / self.body.width).abs_diff(x) + (plot % self.body.width).abs_diff(y)
    }

    /// The next task and its plot.
    fn next(&self, state: &State, at: (usize, usize)) -> Option<(usize, usize)> {
        let n = self.tasks.len();
        let open = self.known.iter().enumerate().filter(|(_, known)| known.is_due && known.done != state.step() + 1);
        let open = open.map(|(i, _)| (i % n, i / n)).filter(|(task, plot)| self.tasks[*task].acts[*plot].is_some());
        open.min_by_key(|(task, plot)| (self.distance(*plot, at) + task * self.detour, *plot))
    }

    /// The move towards a plot: first along the longer axis.
    fn towards(&self, plot: usize, (x, y): (usize, usize)) -> Option<Call> {
        let (to_x, to_y) = (plot / self.body.width, plot % self.body.width);
        let [north, south, east, west] = self.body.moves;
        if (to_x, to_y) == (x, y) {
            None
        } else if to_x.abs_diff(x) >= to_y.abs_diff(y) {
            Some(if to_x > x { east } else { west })
        } else {
            Some(if to_y > y { south } else { north })
        }
    }

    /// The nearest place to refill a task's stock, if the farmer carries too little of it.
    fn place(&self, game: &Game, state: &State, task: usize, at: (usize, usize)) -> Option<usize> {
        let supply = self.tasks[task].stock.as_ref()?;
        let reader = game.reader(state);
        if reader.get(supply.carried)[0] >= supply.amount {
            return None;
        }
        let places = reader.get(self.body.places).iter().enumerate().filter(|(_, place)| **place == supply.place);
        places.map(|(plot, _)| plot).min_by_key(|plot| self.distance(*plot, at))
    }
}

impl Agent for Walk {
    fn start(&mut self, _: u64) {
        self.seen.fill(0);
        self.known.fill(KnownTask::default());
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        // In games with paid observations, other policies must request them. Without them the farmer does not move.
        if game.expects(state) == ActionKind::Intervention && self.knows_itself(game, state) {
            let reader = game.reader(state);
            if let &[x, y] = reader.get(self.body.position) {
                let at = (usize::from(x), usize::from(y));
                self.look(game, state, at);
                self.decide(game, state, at, schedule);
            }
        }
        self.budget.wait_if_empty(game, schedule);
    }
}

impl Walk {
    /// Whether the farmer's position and stocks are shown.
    fn knows_itself(&self, game: &Game, state: &State) -> bool {
        let stocks = self.tasks.iter().filter_map(|task| Some(&task.stock.as_ref()?.carried_seen));
        stocks.chain([&self.body.position_seen]).all(|seen| game.learner_view().is_shown(state, seen))
    }

    /// Adds the next action if the schedule has room for it.
    fn decide(&mut self, game: &Game, state: &State, at: (usize, usize), schedule: &mut Vec<Call>) {
        let accepts = |call: &Call| game.rejection(state, call).is_none();
        while let Some((task, plot)) = self.next(state, at) {
            let act = self.tasks[task].acts[plot].filter(accepts);
            let place = self.place(game, state, task, at);
            let (call, is_act) = match (place, act) {
                (Some(place), _) => (self.towards(place, at).or(self.body.refill), false),
                (None, Some(act)) => (Some(act), true),
                (None, None) => (self.towards(plot, at), false),
            };
            let call = call.filter(accepts);
            let has_room = call.is_some_and(|call| self.budget.holds(game, state, schedule, &call));
            if has_room {
                schedule.extend(call);
            }
            // A task that is done, or impossible on its plot, is not tried again today. A task without room in the schedule is.
            if call.is_none() || (is_act && has_room) {
                self.known[plot * self.tasks.len() + task].done = state.step() + 1;
            }
            if call.is_some() {
                return;
            }
        }
        let oldest = (0..self.seen.len()).min_by_key(|plot| (self.seen[*plot], self.distance(*plot, at)));
        let stale = oldest.filter(|plot| self.seen[*plot] <= state.step());
        let step = stale.and_then(|plot| self.towards(plot, at));
        schedule.extend(step.filter(|call| self.budget.holds(game, state, schedule, call)));
    }
}
