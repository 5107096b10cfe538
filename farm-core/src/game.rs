//! The compiled game: every name resolved, every parameter checked, shared by all episodes.

use std::sync::Arc;

use crate::action::{Call, CallArguments, Catalogue};
use crate::config::{GameSpec, InteractionMode, Path, Problem, Problems};
use crate::declare::{Builder, Draft, EventInfo, FieldInfo, PartInfo, Phase, ValueKind};
use crate::observation::{ObservationLayout, all_visible};
use crate::part::{Behaviour, Context, Event, FarmerBehaviour, Player, ScoreBehaviour};
use crate::reference::Names;
use crate::rules::{AtLimit, RuleBuilder, Rules};
use crate::state::{Cells, Reader, Region, Regions, RestoreError, State};

/// A game, compiled once, played by any number of threads and environments.
pub struct Game {
    /// What it was compiled from.
    pub spec: GameSpec,
    /// The fields.
    pub fields: Vec<Arc<FieldInfo>>,
    /// What every part declared: entities of all fields, then farmers, then the score.
    pub parts: Arc<Vec<PartInfo>>,
    /// What may be done.
    pub catalogue: Catalogue,
    /// What is observed.
    pub observation: ObservationLayout,
    /// All event kinds: the index of the emitting part, and the declaration.
    pub events: Vec<(usize, EventInfo)>,
    rules: Rules,
    behaviours: Vec<Behaviours>,
    ticks: Vec<(usize, Phase)>,
    regions: Regions,
    prototype: State,
    fingerprint: u64,
    first_farmer: usize,
}

enum Behaviours {
    Entity(Box<dyn Behaviour>),
    Farmer(Box<dyn FarmerBehaviour>),
    Score(Box<dyn ScoreBehaviour>),
}

impl Behaviours {
    #[inline]
    fn any(&self) -> &dyn Behaviour {
        match self {
            Self::Entity(part) => part.as_ref(),
            Self::Farmer(part) => part.as_ref(),
            Self::Score(part) => part.as_ref(),
        }
    }
}

/// How an episode stood after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Reward of the step, costs subtracted.
    pub reward: f64,
    /// Whether the game came to an end.
    pub terminated: bool,
    /// Whether the episode was cut off by the step limit.
    pub truncated: bool,
}

impl Outcome {
    /// Whether the episode is over, for either reason.
    pub fn over(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Why a step was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The episode has ended.
    #[error("the episode is over after {steps} steps: call `reset` before the next step")]
    Over {
        /// Steps taken.
        steps: u32,
    },
    /// The id is not in the flat list of actions.
    #[error("there is no action {id}: ids go from 0 to {last}")]
    NoSuchAction {
        /// The id given.
        id: usize,
        /// The largest id.
        last: usize,
    },
    /// A part computed a number that is not finite. The episode is over.
    #[error(
        "`{variable}` became {value} at entry {entry} in step {step}: a defect of `{part}` or of its parameters; please report the game and seed {seed}"
    )]
    NotFinite {
        /// The part.
        part: String,
        /// The variable.
        variable: String,
        /// Which entry of it.
        entry: usize,
        /// In which step.
        step: u32,
        /// The value.
        value: String,
        /// Seed of the episode.
        seed: u64,
    },
}

/// An action that was not executed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rejection {
    /// The action.
    pub call: Call,
    /// Why, in a short sentence.
    pub reason: &'static str,
}

/// Why an episode ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// A clause of the stopping conditions holds, by index.
    Condition(usize),
    /// The step limit of the rules.
    Limit,
}

/// What happened in the last step, in buffers that are filled anew each step without allocating.
#[derive(Debug, Clone, Default)]
pub struct StepRecord {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The actions that were not executed.
    pub rejected: Vec<Rejection>,
    /// How many more were not executed than the buffer has room for.
    pub rejected_more: usize,
    /// What the executed interventions cost.
    pub intervention_cost: f64,
    /// What the requested observations cost.
    pub observation_cost: f64,
    /// Why the episode ended, if it did.
    pub stop: Option<Stop>,
}

impl StepRecord {
    fn clear(&mut self) {
        self.events.clear();
        self.rejected.clear();
        self.rejected_more = 0;
        self.intervention_cost = 0.0;
        self.observation_cost = 0.0;
        self.stop = None;
    }
}

/// Rounds of declaration after which a game is said not to settle.
const MAX_ROUNDS: usize = 8;

impl Game {
    /// Compiles a game.
    ///
    /// # Errors
    /// Every name that does not resolve, every role nobody provides, every value that does not fit. The problems have
    /// paths; [`crate::config::Document::locate`] adds lines.
    pub fn new(mut spec: GameSpec) -> Result<Self, Problems> {
        let fields: Vec<Arc<FieldInfo>> = spec
            .fields
            .iter()
            .map(|(name, field)| {
                Arc::new(FieldInfo {
                    name: name.clone(),
                    length: field.shape.length as usize,
                    width: field.shape.width as usize,
                    scale_m: field.shape.scale_m,
                    latitude_degrees: field.localization.latitude_degrees,
                    longitude_degrees: field.localization.longitude_degrees,
                    altitude_m: field.localization.altitude_m,
                })
            })
            .collect();
        let mut before = Draft::default();
        let mut settled = false;
        let mut problems = Problems::default();
        let mut behaviours = Vec::new();
        for _ in 0..MAX_ROUNDS {
            problems = Problems::default();
            let complete = settled;
            let (draft, built) = declare_all(&spec, &fields, &before, complete, &mut problems);
            behaviours = built;
            settled = draft == before;
            before = draft;
            if complete {
                break;
            }
        }
        if !settled {
            problems.push(
                Problem::new(Path::default().child("fields"), "the parts of this game never agree on what they declare")
                    .help("a part declares something else each time it is built: its `build` must depend only on its parameters"),
            );
        }
        let Draft { parts, layout } = before;
        check_declarations(&parts, &mut problems);
        let names = Names { parts: &parts, fields: &fields };
        let rule_path = Path::default().child("rules").child(spec.rules.typetag_name());
        let mut rules = spec.rules.build(&mut RuleBuilder { names, path: rule_path, problems: &mut problems });
        if let Some(Behaviours::Score(score)) = behaviours.last() {
            for base in &mut rules.bases {
                let part = &parts[base.part];
                base.cost = score.intervention_cost(&part.path, &part.actions[base.action].name);
            }
        }
        let max_steps = rules.max_steps.unwrap_or(u32::MAX);
        let observed = match spec.interaction_mode {
            InteractionMode::Pomdp => rules.free.clone(),
            InteractionMode::Fomdp => all_visible(&parts, names, &mut problems),
        };
        let observation = ObservationLayout::new(&observed, names, max_steps);
        if problems.has_errors() {
            return Err(problems);
        }
        spec.warnings.0.append(&mut problems.0);
        let parts = Arc::new(parts);
        let catalogue = Catalogue::new(
            std::mem::take(&mut rules.bases),
            rules.bins,
            rules.max_schedule,
            parts.clone(),
            fields.clone(),
        );
        let in_phase = |phase: Phase| {
            let runs = parts.iter().enumerate().filter(move |(_, part)| part.phases.contains(&phase));
            runs.map(move |(i, _)| (i, phase))
        };
        let ticks = Phase::ALL.into_iter().flat_map(in_phase).collect();
        let events = parts.iter().enumerate().flat_map(|(i, p)| p.events.iter().map(move |e| (i, e.clone()))).collect();
        let regions = layout.regions();
        let mut prototype = State::zeroed(regions);
        fill_defaults(&parts, &prototype.cells(regions));
        let first_farmer = parts.iter().position(|p| p.field.is_none()).unwrap_or(parts.len());
        let text = spec.to_yaml().unwrap_or_default();
        let fingerprint = xxhash_rust::xxh3::xxh3_64(format!("{}\n{text}", env!("CARGO_PKG_VERSION")).as_bytes());
        Ok(Self {
            spec,
            fields,
            catalogue,
            observation,
            events,
            rules,
            behaviours,
            ticks,
            regions,
            prototype,
            fingerprint,
            first_farmer,
            parts,
        })
    }

    /// A state to play with; call [`Game::reset`] before the first step.
    pub fn new_state(&self) -> State {
        self.prototype.clone()
    }

    /// A record to step with: its buffers are large enough for every step, so that no step allocates.
    pub fn new_record(&self) -> StepRecord {
        StepRecord {
            events: Vec::with_capacity(self.events.iter().map(|(_, e)| e.per_step).sum::<usize>() * 2),
            rejected: Vec::with_capacity(self.catalogue.max_schedule + 8),
            ..StepRecord::default()
        }
    }

    /// A hash of everything that the game was compiled from.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Names of parts and fields, to resolve references against.
    pub fn names(&self) -> Names<'_> {
        Names { parts: &self.parts, fields: &self.fields }
    }

    /// The step limit of the rules.
    pub fn max_steps(&self) -> Option<u32> {
        self.rules.max_steps
    }

    /// Begins an episode: equal seeds, equal states.
    pub fn reset(&self, state: &mut State, seed: u64, record: &mut StepRecord) {
        state.copy_from(&self.prototype);
        state.seed = seed;
        record.clear();
        let cells = state.cells(self.regions);
        for part in &self.behaviours {
            part.any().reset(&mut Context::new(cells, seed, 0, &mut record.events));
        }
        for initial in &self.rules.initial {
            initial.apply(&cells, seed);
        }
        for part in &self.behaviours {
            part.any().settle(&mut Context::new(cells, seed, 0, &mut record.events));
        }
        record.events.clear();
    }

    /// Takes a step with an id of the flat list of actions.
    ///
    /// # Errors
    /// When the episode is over, the id unknown, or a part computes a number that is not finite.
    #[inline]
    pub fn step_discrete(&self, state: &mut State, id: usize, record: &mut StepRecord) -> Result<Outcome, StepError> {
        match self.catalogue.discrete(id) {
            Some(schedule) => self.step(state, schedule, record),
            None => Err(StepError::NoSuchAction { id, last: self.catalogue.discrete_len() - 1 }),
        }
    }

    /// Takes a step: executes the schedule, lets the step pass, scores it.
    ///
    /// # Errors
    /// When the episode is over, or a part computes a number that is not finite.
    #[inline]
    pub fn step(&self, state: &mut State, schedule: &[Call], record: &mut StepRecord) -> Result<Outcome, StepError> {
        if state.over {
            return Err(StepError::Over { steps: state.step });
        }
        record.clear();
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut record.events);
        for (i, call) in schedule.iter().enumerate() {
            match self.execute(&schedule[..i], call, record.intervention_cost, &mut context) {
                Ok(cost) => record.intervention_cost += cost,
                // The buffer never grows: a schedule of any length costs no allocation.
                Err(reason) if record.rejected.len() < record.rejected.capacity() => {
                    record.rejected.push(Rejection { call: *call, reason });
                }
                Err(_) => record.rejected_more += 1,
            }
        }
        for &(part, phase) in &self.ticks {
            self.behaviours[part].any().tick(phase, &mut context);
        }
        let Some(Behaviours::Score(score)) = self.behaviours.last() else {
            return Err(StepError::Over { steps: step });
        };
        let mut reward = score.reward(&mut context);
        state.step += 1;
        let max_steps = self.rules.max_steps.unwrap_or(u32::MAX);
        let condition = self.rules.stopping.holds(&state.reader(self.regions), max_steps, None);
        let at_limit = state.step >= max_steps;
        let terminated = condition.is_some() || at_limit && self.rules.at_limit == AtLimit::Terminated;
        let truncated = at_limit && !terminated;
        record.stop = condition.map(Stop::Condition).or(at_limit.then_some(Stop::Limit));
        if terminated || truncated {
            state.over = true;
            let cells = state.cells(self.regions);
            reward += score.final_reward(&mut Context::new(cells, seed, step, &mut record.events));
        }
        if has_not_finite(state.reals(self.regions)) || !reward.is_finite() {
            state.over = true;
            return Err(self.not_finite(state, reward));
        }
        Ok(Outcome { reward: reward - record.intervention_cost - record.observation_cost, terminated, truncated })
    }

    /// Executes one call of a schedule after those `before` it, and returns its cost; or the reason why not.
    #[inline]
    fn execute(
        &self,
        before: &[Call],
        call: &Call,
        spent: f64,
        context: &mut Context<'_>,
    ) -> Result<f64, &'static str> {
        let base = &self.catalogue.bases[call.base()];
        if before.len() >= self.catalogue.max_schedule {
            return Err("the schedule is longer than the rules allow");
        }
        if before.contains(call) {
            return Err("the same action stands in the schedule twice");
        }
        if spent + base.cost > self.rules.max_cost {
            return Err("the schedule costs more than the rules allow");
        }
        if let Behaviours::Farmer(farmer) = &self.behaviours[self.first_farmer + base.farmer] {
            farmer.intervene(context)?;
        }
        self.behaviours[base.part].any().act(base.action, CallArguments(&call.arguments), context);
        Ok(base.cost)
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

    /// Read access to the columns of a state.
    #[inline]
    pub fn reader<'s>(&self, state: &'s State) -> Reader<'s> {
        state.reader(self.regions)
    }

    /// Marks in `mask`, which has `self.catalogue.discrete_len()` entries, the actions that would change something now.
    ///
    /// # Panics
    /// When `mask` is shorter.
    pub fn effect_mask(&self, state: &State, mask: &mut [u8]) {
        let reader = state.reader(self.regions);
        for (id, slot) in mask.iter_mut().enumerate().take(self.catalogue.discrete_len()) {
            let schedule = self.catalogue.discrete(id).unwrap_or_default();
            let effective = |call: &Call| {
                let base = &self.catalogue.bases[call.base()];
                self.behaviours[base.part].any().has_effect(base.action, CallArguments(&call.arguments), &reader)
            };
            *slot = u8::from(schedule.iter().all(effective));
        }
    }

    /// The bytes of a state, with the fingerprint of the game.
    pub fn snapshot(&self, state: &State) -> Vec<u8> {
        state.to_bytes(self.fingerprint)
    }

    /// Makes a state of the bytes of a snapshot. A refused snapshot leaves the state as it is.
    ///
    /// # Errors
    /// When the bytes are no snapshot, of another game, or cut.
    pub fn restore(&self, state: &mut State, bytes: &[u8]) -> Result<(), RestoreError> {
        state.restore(bytes, self.fingerprint)
    }

    /// Why an episode ended, in words.
    pub fn stop_reason(&self, stop: Stop) -> String {
        match stop {
            Stop::Limit => format!("after {} steps", self.rules.max_steps.unwrap_or_default()),
            Stop::Condition(clause) => {
                let conditions = self.rules.stopping.0.get(clause).map_or(&[][..], Vec::as_slice);
                conditions.iter().map(|c| c.text()).collect::<Vec<_>>().join(" and ")
            }
        }
    }

    /// A player of the policy that the game names so.
    ///
    /// # Errors
    /// When the game names no such policy, or the policy does not fit the game.
    pub fn player(&self, name: &str) -> Result<Box<dyn Player>, Problems> {
        let path = Path::default().child("policies");
        match self.spec.policies.get(name) {
            Some(policy) => policy.build(self).map_err(|mut problems| {
                let path = path.child(name).child(policy.typetag_name());
                for problem in &mut problems.0 {
                    problem.path = Path(path.0.iter().chain(&problem.path.0).cloned().collect());
                }
                problems
            }),
            None => {
                let names = self.spec.policies.keys().map(String::as_str);
                let message = format!("`{}` has no policy `{name}`", self.spec.name);
                Err(Problems(vec![Problem::new(path, message).value(name).among(name, names)]))
            }
        }
    }

    #[cold]
    fn not_finite(&self, state: &State, reward: f64) -> StepError {
        let reader = state.reader(self.regions);
        let all = self.parts.iter().flat_map(|p| p.variables.iter().map(move |v| (p, v)));
        for (part, variable) in all {
            let values = variable.column::<f64>().map_or(&[][..], |column| reader.get(column));
            if let Some(entry) = values.iter().position(|v| !v.is_finite()) {
                return StepError::NotFinite {
                    part: part.path.clone(),
                    variable: variable.name.clone(),
                    entry,
                    step: state.step,
                    value: values[entry].to_string(),
                    seed: state.seed,
                };
            }
        }
        StepError::NotFinite {
            part: self.parts.last().map(|score| score.path.clone()).unwrap_or_default(),
            variable: "reward".to_owned(),
            entry: 0,
            step: state.step,
            value: reward.to_string(),
            seed: state.seed,
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

/// One round of declarations: every part in order, against what the round before found.
fn declare_all(
    spec: &GameSpec,
    fields: &[Arc<FieldInfo>],
    before: &Draft,
    complete: bool,
    problems: &mut Problems,
) -> (Draft, Vec<Behaviours>) {
    let mut draft = Draft::default();
    let mut behaviours = Vec::new();
    let mut events_before = 0;
    let mut declare =
        |kind: &str, field: Option<usize>, config: Path, build: &mut dyn FnMut(&mut Builder<'_>) -> Behaviours| {
            let rank = draft.parts.iter().filter(|p| p.kind == kind && p.field == field).count();
            let name = format!("{kind}-{rank}");
            let path = field.map_or(name.clone(), |f| format!("{}.{name}", fields[f].name));
            let mut builder = Builder {
                part: PartInfo { name, kind: kind.to_owned(), field, path, config, ..PartInfo::default() },
                field: fields[field.unwrap_or(0)].clone(),
                before,
                layout: &mut draft.layout,
                events_before,
                problems,
                directory: spec.directory.as_ref(),
                complete,
            };
            behaviours.push(build(&mut builder));
            let part = builder.part;
            events_before += part.events.len();
            draft.parts.push(part);
        };
    let root = Path::default();
    for (f, (name, field)) in spec.fields.iter().enumerate() {
        for (i, entity) in field.entities.iter().enumerate() {
            let kind = entity.typetag_name();
            let config = root.child("fields").child(name).child("entities").child(i).child(kind);
            declare(kind, Some(f), config, &mut |builder| Behaviours::Entity(entity.build(builder)));
        }
    }
    for (i, farmer) in spec.farmers.iter().enumerate() {
        let kind = farmer.typetag_name();
        let config = root.child("farmers").child(i).child(kind);
        declare(kind, None, config, &mut |builder| Behaviours::Farmer(farmer.build(builder)));
    }
    let kind = spec.score.typetag_name();
    declare(kind, None, root.child("score").child(kind), &mut |builder| Behaviours::Score(spec.score.build(builder)));
    (draft, behaviours)
}

/// Everything declared is documented and named once, and category names can stand in a text observation.
fn check_declarations(parts: &[PartInfo], problems: &mut Problems) {
    for part in parts {
        let mut names: Vec<(&str, &str)> = Vec::new();
        names.extend(part.variables.iter().map(|v| (v.name.as_str(), v.doc.as_str())));
        names.extend(part.observables.iter().map(|o| (o.name.as_str(), o.doc.as_str())));
        for (i, (name, doc)) in names.iter().enumerate() {
            let mut defect = |what: &str| {
                problems
                    .push(Problem::new(part.config.clone(), format!("variable `{name}` of `{}` {what}", part.path)));
            };
            if doc.trim().is_empty() {
                defect("has no sentence that says what it is");
            }
            if names[..i].iter().any(|(other, _)| other == name) {
                defect("is declared twice");
            }
        }
        let kinds = part.variables.iter().map(|v| &v.kind).chain(part.observables.iter().map(|o| &o.kind));
        for label in kinds.flat_map(|kind| match kind {
            ValueKind::Category(lists) => lists.as_slice(),
            _ => &[],
        }) {
            if let crate::declare::Labels::Named(words) = label {
                for word in words.iter().filter(|w| w.is_empty() || w.contains(|c: char| c.is_whitespace() || c == '/'))
                {
                    let message = format!("`{word}` can't be the name of a category of `{}`", part.path);
                    problems
                        .push(Problem::new(part.config.clone(), message).expected("a word without spaces and slashes"));
                }
            }
        }
    }
}

fn fill_defaults(parts: &[PartInfo], cells: &Cells<'_>) {
    for variable in parts.iter().flat_map(|p| &p.variables) {
        match variable.slot.0 {
            Region::Reals => {
                let column = variable.column::<f64>().map(|c| cells.get(c)).unwrap_or_default();
                column.iter().for_each(|cell| cell.set(variable.default));
            }
            Region::Counts => {
                let column = variable.column::<i32>().map(|c| cells.get(c)).unwrap_or_default();
                column.iter().for_each(|cell| cell.set(variable.default as i32));
            }
            Region::Bytes => {
                let column = variable.column::<u8>().map(|c| cells.get(c)).unwrap_or_default();
                column.iter().for_each(|cell| cell.set(variable.default as u8));
            }
        }
    }
}

/// Whether any number is infinite or not a number: one addition per value tells whether its exponent is all ones.
#[inline]
fn has_not_finite(reals: &[f64]) -> bool {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    const LOWEST: u64 = 0x0010_0000_0000_0000;
    reals.iter().fold(0, |found, x| found | ((x.to_bits() & EXPONENT) + LOWEST)) >> 63 != 0
}

#[cfg(test)]
mod tests {
    use super::has_not_finite;

    #[test]
    fn only_infinities_and_nan_are_not_finite() {
        assert!(!has_not_finite(&[0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324]));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(has_not_finite(&[1.0, bad, 2.0]));
        }
    }
}
