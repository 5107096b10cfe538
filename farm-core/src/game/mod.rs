//! The compiled game: all names resolved, all parameters checked, shared by all episodes.

mod allowed;
mod compile;
mod declared;
mod declaring;
pub(crate) mod limits;
mod monitors;
mod resolved;
mod restore;
mod shown;
mod step;
pub(crate) mod template;
mod unused;
mod uses;

use std::sync::Arc;

pub use shown::LearnerView;
pub(crate) use step::Seeds;

use crate::action::ActionTable;
use crate::config::{Document, NameError, Path, Problem, Problems};
use crate::declare::{EventInfo, FieldInfo, Names, PartInfo, Phase, Quantity, Reference};
use crate::monitor::Monitor;
use crate::observation::{ObservationLayout, Slot};
use crate::part::{Agent, Behaviour, ConstraintInfo, Context, FarmerBehaviour, ScoreBehaviour};
use crate::rules::Rules;
use crate::spec::GameSpec;
use crate::state::{Column, Reader, Regions, State};
use crate::step::StepRecord;

/// A game that is compiled once and can be played by any number of threads and environments.
#[derive(farm_macros::Getters)]
pub struct Game {
    /// The specification from which the game was compiled.
    pub(crate) spec: GameSpec,
    /// The fields.
    pub(crate) fields: Vec<Arc<FieldInfo>>,
    /// The declarations of all parts: the entities in all fields, then the farmers, then the score.
    pub(crate) parts: Arc<Vec<PartInfo>>,
    /// The actions.
    pub(crate) catalogue: ActionTable,
    /// The layout of observations.
    pub(crate) observation: ObservationLayout,
    /// Warnings about the game, such as a stopping condition that never holds. A game with warnings is playable.
    pub(crate) warnings: Problems,
    /// All event kinds: the index of the emitting part, and the declaration.
    pub(crate) events: Vec<(usize, EventInfo)>,
    /// The maximum number of events in a step, which is twice the number that all parts declare combined.
    max_events: usize,
    /// The quantities that should stay small.
    pub(crate) constraints: Vec<ConstraintInfo>,
    /// The game's monitors. Steps do not use them.
    pub(crate) monitors: Vec<Monitor>,
    /// The compiled rules.
    pub(crate) rules: Rules,
    /// Counts the steps taken today, in games with several steps per day.
    steps_today: Option<Column<i32>>,
    /// The behaviours of the entities in all fields.
    #[getter(skip)]
    entities: Vec<Box<dyn Behaviour>>,
    /// The behaviours of the farmers.
    #[getter(skip)]
    farmers: Vec<Box<dyn FarmerBehaviour>>,
    /// The behaviour of the score, which is the last part.
    #[getter(skip)]
    score: Box<dyn ScoreBehaviour>,
    /// For each base action, whether it is always executed, and ends the day if it is the only action in the schedule.
    unconditional: Vec<bool>,
    /// Whether this is true for all base actions.
    is_unconditional: bool,
    /// Whether the stopping conditions compare single state values.
    stops_on_values: bool,
    #[getter(skip)]
    pub(crate) ticks: Vec<Tick>,
    #[getter(skip)]
    pub(crate) regions: Regions,
    #[getter(skip)]
    pub(crate) prototype: State,
    /// A hash of the specification without its monitors, policies, presets and texts for players. Episodes are equal if their hashes, seeds
    /// and actions are equal.
    pub(crate) fingerprint: u64,
    /// The estimated memory for the game and one episode, in bytes. For untrusted games, it is never too low.
    pub(crate) size_in_bytes: u64,
}

/// A part that is called in one of the day's phases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tick {
    pub(crate) part: usize,
    phase: Phase,
    /// The flag of a part that may rest. The part runs only while the flag is set.
    awake: Option<Column<u8>>,
}

impl Tick {
    /// Runs the part in its phase, unless the part is resting.
    #[inline]
    pub(crate) fn call(&self, game: &Game, context: &mut Context<'_>) {
        if !self.rests(context) {
            self.wake(game, context);
        }
    }

    #[inline]
    pub(crate) fn rests(&self, context: &Context<'_>) -> bool {
        self.awake.is_some_and(|awake| context.value(awake) == 0)
    }

    #[inline]
    pub(crate) fn wake(&self, game: &Game, context: &mut Context<'_>) {
        game.behaviour(self.part).tick(self.phase, context);
    }
}

impl Game {
    /// A part's behaviour, by its index in [`Game::parts`].
    #[inline]
    pub(crate) fn behaviour(&self, part: usize) -> &dyn Behaviour {
        match self.entities.get(part) {
            Some(entity) => entity.as_ref(),
            None => match self.farmers.get(part - self.entities.len()) {
                Some(farmer) => farmer.as_ref(),
                None => self.score.as_ref(),
            },
        }
    }

    /// All parts' behaviours, in the order of [`Game::parts`].
    pub(crate) fn behaviours(&self) -> impl Iterator<Item = &dyn Behaviour> {
        (0..self.parts.len()).map(|part| self.behaviour(part))
    }

    /// The index of a farmer in [`Game::parts`].
    #[inline]
    fn part_of_farmer(&self, farmer: usize) -> usize {
        self.entities.len() + farmer
    }

    /// A new state; call [`Game::reset`] before the first step.
    pub fn new_state(&self) -> State {
        self.prototype.clone()
    }

    /// A new record. Its buffers are large enough for any step, so steps never allocate.
    pub fn new_record(&self) -> StepRecord {
        StepRecord {
            events: Vec::with_capacity(self.max_events),
            executed: Vec::with_capacity(self.catalogue.max_schedule),
            rejected: Vec::with_capacity(self.catalogue.max_schedule + 8),
            constraint_costs: vec![0.0; self.constraints.len()],
            ..StepRecord::default()
        }
    }

    /// Notes on the files that parts have read, such as the days in a weather table. Each note is a part's path and a sentence.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().flat_map(|part| part.notes.iter().map(|note| (part.path.as_str(), note.as_str())))
    }

    /// Adds each warning's location in the document from which the game was read.
    pub fn locate_warnings(&mut self, document: &Document) {
        self.warnings = document.locate(std::mem::take(&mut self.warnings));
    }

    /// The names of parts and fields, used to resolve references.
    pub fn names(&self) -> Names<'_> {
        Names { parts: &self.parts, fields: &self.fields }
    }

    /// The maximum number of [`Game::step`] calls in an episode. The step limit counts days, which may have several steps, each with
    /// two halves if observations are priced.
    pub fn most_steps(&self) -> Option<u64> {
        let halves = if self.observation.active_observation.is_some() { 2 } else { 1 };
        Some(u64::from(self.rules.max_steps?) * u64::from(self.rules.steps_per_day) * halves)
    }

    /// Writes a state's observation into `out`, which must have `self.observation.size` bytes.
    ///
    /// # Panics
    /// If `out` is too short.
    #[inline]
    pub fn observe_into(&self, state: &State, out: &mut [u8]) {
        let reader = state.reader(self.regions);
        self.observation.write(&reader, out, |part, observable, reader, slot| {
            self.behaviour(part).observe(observable, reader, slot);
        });
    }

    /// Writes an observable that a part computes.
    pub(crate) fn observe_one(&self, part: usize, observable: usize, reader: &Reader<'_>, slot: &mut Slot<'_>) {
        self.behaviour(part).observe(observable, reader, slot);
    }

    /// The layout of a record with all variables, including hidden ones.
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

    /// Read access to a state's columns.
    #[inline]
    pub fn reader<'s>(&self, state: &'s State) -> Reader<'s> {
        state.reader(self.regions)
    }

    /// An agent that plays the game's policy with this name.
    ///
    /// # Errors
    /// The game has no policy with this name, or the policy does not fit the game.
    pub fn player(&self, name: &str) -> Result<Box<dyn Agent>, Problems> {
        let path = Path::default().child("policies");
        match self.spec.policies.get(name) {
            Some(policy) => policy.build(self).map_err(|problems| {
                let path = path.child(name).child(policy.typetag_name());
                let placed = |problem: Problem| if problem.is_from_root { problem } else { problem.below(&path) };
                Problems(problems.0.into_iter().map(placed).collect())
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

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game")
            .field("name", &self.spec.name)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
