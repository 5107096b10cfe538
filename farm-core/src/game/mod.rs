//! The compiled game: every name resolved, every parameter checked, shared by all episodes.

mod allowed;
mod compile;
pub(crate) mod limits;
mod monitors;
mod reply;
mod restore;
mod shown;
mod step;
pub(crate) mod template;
mod unused;
mod uses;

use std::sync::Arc;

pub(crate) use step::Seeds;

use crate::action::ActionTable;
use crate::condition::{Condition, Formula};
use crate::config::{Document, NameError, Path, Problem, Problems};
use crate::declare::{EventInfo, FieldInfo, Names, PartInfo, Phase, Quantity, Reference};
use crate::math::sum;
use crate::monitor::Monitor;
use crate::observation::{ObservationLayout, Slot};
use crate::part::{Agent, Behaviour, ConstraintInfo, Context, FarmerBehaviour, ScoreBehaviour};
use crate::rules::{Rules, Unreadable};
use crate::spec::GameSpec;
use crate::state::{Column, Reader, Regions, State};
use crate::step::{StepRecord, Stop};

/// A game, compiled once, played by any number of threads and environments.
#[derive(farm_macros::Getters)]
pub struct Game {
    /// What it was compiled from.
    pub(crate) spec: GameSpec,
    /// The fields.
    pub(crate) fields: Vec<Arc<FieldInfo>>,
    /// What every part declared: entities of all fields, then farmers, then the score.
    pub(crate) parts: Arc<Vec<PartInfo>>,
    /// What may be done.
    pub(crate) catalogue: ActionTable,
    /// What is observed.
    pub(crate) observation: ObservationLayout,
    /// What is odd about the game though it can be played, such as a stopping condition that never holds.
    pub(crate) warnings: Problems,
    /// All event kinds: the index of the emitting part, and the declaration.
    pub(crate) events: Vec<(usize, EventInfo)>,
    /// The most events of a step: twice what all parts declare together.
    max_events: usize,
    /// What the score wants to stay small.
    pub(crate) constraints: Vec<ConstraintInfo>,
    /// What the game wants to be recorded. No step looks at it.
    pub(crate) monitors: Vec<Monitor>,
    #[getter(skip)]
    pub(crate) rules: Rules,
    /// Where the steps of the day are counted, in games whose day has several.
    steps_today: Option<Column<i32>>,
    #[getter(skip)]
    pub(crate) behaviours: Vec<Behaviours>,
    /// For each base action whether nothing ever keeps it, as the only one of a schedule, from being executed and from ending the day.
    unconditional: Vec<bool>,
    /// Whether that holds of all of them.
    is_unconditional: bool,
    /// Whether the stopping conditions compare single values of the state.
    stops_on_values: bool,
    #[getter(skip)]
    pub(crate) ticks: Vec<Tick>,
    #[getter(skip)]
    pub(crate) regions: Regions,
    #[getter(skip)]
    pub(crate) prototype: State,
    fingerprint: u64,
    /// What it keeps in memory with the state of an episode, in bytes: an estimate that is never too low for games of strangers.
    pub(crate) size_in_bytes: u64,
    first_farmer: usize,
}

pub(crate) enum Behaviours {
    Entity(Box<dyn Behaviour>),
    Farmer(Box<dyn FarmerBehaviour>),
    Score(Box<dyn ScoreBehaviour>),
}

impl Behaviours {
    pub(crate) fn any_mut(&mut self) -> &mut dyn Behaviour {
        match self {
            Self::Entity(part) => part.as_mut(),
            Self::Farmer(part) => part.as_mut(),
            Self::Score(part) => part.as_mut(),
        }
    }

    #[inline]
    pub(crate) fn any(&self) -> &dyn Behaviour {
        match self {
            Self::Entity(part) => part.as_ref(),
            Self::Farmer(part) => part.as_ref(),
            Self::Score(part) => part.as_ref(),
        }
    }
}

/// A part that is called in a phase of the day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tick {
    pub(crate) part: usize,
    phase: Phase,
    /// The flag of a part that rests without it.
    awake: Option<Column<u8>>,
}

impl Tick {
    /// Lets the part do what it does in the phase, unless it rests.
    #[inline]
    pub(crate) fn call(&self, behaviours: &[Behaviours], context: &mut Context<'_>) {
        if !self.rests(context) {
            self.wake(behaviours, context);
        }
    }

    #[inline]
    pub(crate) fn rests(&self, context: &Context<'_>) -> bool {
        self.awake.is_some_and(|awake| context.value(awake) == 0)
    }

    #[inline]
    pub(crate) fn wake(&self, behaviours: &[Behaviours], context: &mut Context<'_>) {
        behaviours[self.part].any().tick(self.phase, context);
    }
}

impl Game {
    /// A state to play with; call [`Game::reset`] before the first step.
    pub fn new_state(&self) -> State {
        self.prototype.clone()
    }

    /// A record to step with: its buffers are large enough for every step, so that no step allocates.
    pub fn new_record(&self) -> StepRecord {
        StepRecord {
            events: Vec::with_capacity(self.max_events),
            executed: Vec::with_capacity(self.catalogue.max_schedule),
            rejected: Vec::with_capacity(self.catalogue.max_schedule + 8),
            constraint_costs: vec![0.0; self.constraints.len()],
            ..StepRecord::default()
        }
    }

    /// What the parts have read from files, such as the days of a table of weather: each part by its path, with a sentence.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().flat_map(|part| part.notes.iter().map(|note| (part.path.as_str(), note.as_str())))
    }

    /// Gives the warnings their places in the document that the game was read from.
    pub fn locate_warnings(&mut self, document: &Document) {
        self.warnings = document.locate(std::mem::take(&mut self.warnings));
    }

    /// A hash of what the game was compiled from, but for what it records and the policies and presets that it names: games with equal hashes
    /// play equal episodes with equal actions.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Names of parts and fields, to resolve references against.
    pub fn names(&self) -> Names<'_> {
        Names { parts: &self.parts, fields: &self.fields }
    }

    /// The step limit of the rules, in days.
    pub fn max_steps(&self) -> Option<u32> {
        self.rules.max_steps
    }

    /// The most that the actions of one step may cost; infinite where the rules set no limit.
    pub fn max_schedule_cost(&self) -> f64 {
        self.rules.max_cost
    }

    /// The clauses of the rules that end the episode, each by itself.
    pub fn stopping(&self) -> &Formula {
        &self.rules.stopping
    }

    /// How many steps make a day.
    pub fn steps_per_day(&self) -> u32 {
        self.rules.steps_per_day.max(1)
    }

    /// After how many calls of [`Game::step`] an episode ends in any case: the step limit counts days, which may have several
    /// steps, each with two halves where looking costs.
    pub fn most_steps(&self) -> Option<u64> {
        let halves = if self.observation.active_observation.is_some() { 2 } else { 1 };
        Some(u64::from(self.rules.max_steps?) * u64::from(self.steps_per_day()) * halves)
    }

    /// What a text counts as that is not a valid action of the game.
    pub fn unreadable(&self) -> Unreadable {
        self.rules.unreadable
    }

    /// How many texts are refused before a step, where they are refused at all: the next one counts as a wait. None for no limit.
    pub fn max_refused_texts(&self) -> Option<u32> {
        self.rules.max_refused_texts
    }

    /// Writes the observation of a state into `out`, which has `self.observation.size` bytes.
    ///
    /// # Panics
    /// When `out` is shorter.
    #[inline]
    pub fn observe_into(&self, state: &State, out: &mut [u8]) {
        let reader = state.reader(self.regions);
        self.observation.write(&reader, out, |part, observable, reader, slot| {
            self.behaviours[part].any().observe(observable, reader, slot);
        });
    }

    /// Writes an observable that a part computes.
    pub(crate) fn observe_one(&self, part: usize, observable: usize, reader: &Reader<'_>, slot: &mut Slot<'_>) {
        self.behaviours[part].any().observe(observable, reader, slot);
    }

    /// Whether a clause of a player's conditions holds, for this plot, of which every condition is `seen`: what is not shown now decides
    /// nothing.
    pub fn holds_as_seen(
        &self,
        formula: &Formula,
        state: &State,
        plot: Option<usize>,
        seen: impl Fn(&Condition) -> bool,
    ) -> bool {
        let reader = self.reader(state);
        let max_steps = self.max_steps().unwrap_or(u32::MAX);
        formula.holds_as_seen(&reader, max_steps, plot, seen, |part, observable, bytes| {
            self.observe_one(part, observable, &reader, &mut Slot::new(bytes));
        })
    }

    /// The layout of a record of all variables, hidden ones included.
    pub fn state_layout(&self) -> ObservationLayout {
        let whole = |part: usize, i: usize| {
            let info = &self.parts[part];
            let name = format!("{}.{}", info.path, info.variables[i].name);
            (name.clone(), Reference { part, quantity: Quantity::Variable(i), element: None, name })
        };
        let parts = self.parts.iter().enumerate();
        let all: Vec<_> = parts.flat_map(|(p, info)| (0..info.variables.len()).map(move |i| whole(p, i))).collect();
        ObservationLayout::new(&all, self.names(), self.rules.max_steps.unwrap_or(u32::MAX))
    }

    /// Writes a record of variables in the layout that [`Game::state_layout`] made.
    ///
    /// # Panics
    /// When `out` is shorter than the record.
    pub fn write_layout(&self, layout: &ObservationLayout, state: &State, out: &mut [u8]) {
        layout.write(&self.reader(state), out, |_, _, _, _| {});
    }

    /// Read access to the columns of a state.
    #[inline]
    pub fn reader<'s>(&self, state: &'s State) -> Reader<'s> {
        state.reader(self.regions)
    }

    /// Whether a learner sees now what a reference means: where looking costs, whether it is free or was asked for today.
    pub fn is_shown(&self, state: &State, reference: &Reference) -> bool {
        self.is_shown_at(state, reference, reference.element)
    }

    /// The same for one value of what a reference means, by flat index; none for all of them.
    pub fn is_shown_at(&self, state: &State, reference: &Reference, element: Option<usize>) -> bool {
        match &self.observation.active_observation {
            _ if matches!(reference.quantity, Quantity::Step | Quantity::Remaining) => true,
            Some(active_observation) => {
                active_observation.is_shown(&self.observation, reference, element, &state.reader(self.regions))
            }
            None => self.observation.shows(reference),
        }
    }

    /// Why an episode ended, in words: the `reason` of the clause that held, or the clause itself with variables called as they are in the
    /// observation.
    pub fn stop_reason(&self, stop: Stop) -> String {
        match stop {
            Stop::Limit => format!("after {} {}", self.rules.max_steps.unwrap_or_default(), self.unit_of_time()),
            Stop::Condition(clause) => self
                .rules
                .stopping
                .0
                .get(clause)
                .map_or(String::new(), |clause| own_reason(clause).unwrap_or_else(|| self.clause_text(clause))),
        }
    }

    /// A clause of the stopping conditions in words, with variables called as they are in the observation.
    pub(crate) fn clause_text(&self, clause: &[Condition]) -> String {
        let words = clause.iter().map(|condition| {
            let entry = self.observation.entries.iter().find(|entry| entry.reference() == Some(&condition.variable));
            condition.in_words(entry.map_or(&condition.variable.name, |entry| &entry.key))
        });
        words.collect::<Vec<_>>().join(" and ")
    }

    /// What the step limit counts.
    pub(crate) fn unit_of_time(&self) -> &'static str {
        if self.steps_per_day() > 1 || self.observation.active_observation.is_some() { "days" } else { "steps" }
    }

    /// The one cost of a step, as libraries of safe learning expect it: what it cost each constraint, weighed.
    pub fn constraint_cost(&self, record: &StepRecord) -> f64 {
        sum(self.constraints.iter().zip(&record.constraint_costs).map(|(info, cost)| info.weight * cost))
    }

    /// A player of the policy that the game names so.
    ///
    /// # Errors
    /// When the game names no such policy, or the policy does not fit the game.
    pub fn player(&self, name: &str) -> Result<Box<dyn Agent>, Problems> {
        let path = Path::default().child("policies");
        match self.spec.policies.get(name) {
            Some(policy) => policy.build(self).map_err(|mut problems| {
                let path = path.child(name).child(policy.typetag_name());
                for problem in problems.0.iter_mut().filter(|problem| !problem.is_from_root) {
                    problem.path = Path(path.0.iter().chain(&problem.path.0).cloned().collect());
                }
                problems
            }),
            None => {
                let names = self.spec.policies.keys().map(String::as_str);
                let message = format!("`{}` has no policy `{name}`", self.spec.name);
                Err(Problems(vec![
                    Problem::new(NameError::UnknownPolicy, path, message).value(name).among(name, names),
                ]))
            }
        }
    }
}

/// The reasons that a clause gives itself; none where it gives none.
fn own_reason(clause: &[Condition]) -> Option<String> {
    let reasons: Vec<&str> = clause.iter().map(Condition::reason).filter(|reason| !reason.is_empty()).collect();
    (!reasons.is_empty()).then(|| reasons.join(" and "))
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game")
            .field("name", &self.spec.name)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
