//! The compiled game: every name resolved, every parameter checked, shared by all episodes.

mod compile;

use std::sync::Arc;

use crate::action::{ActionKind, BaseAction, Call, Catalogue, Deed};
use crate::condition::Formula;
use crate::config::{GameSpec, Path, Problem, Problems};
use crate::declare::{EventInfo, FieldInfo, PartInfo, Phase};
use crate::failure;
use crate::monitor::Monitor;
use crate::observation::ObservationLayout;
use crate::part::{Attempt, Behaviour, ConstraintInfo, Context, FarmerBehaviour, Player, ScoreBehaviour};
use crate::reference::{Names, Quantity, Reference};
use crate::rules::{AtLimit, Rules, Unreadable};
use crate::state::{Column, Reader, Regions, RestoreError, State};
use crate::step::{NotFinite, Outcome, Rejection, StepError, StepRecord, Stop};

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
    /// What is odd about the game though it can be played, such as a stopping condition that never holds.
    pub warnings: Problems,
    /// All event kinds: the index of the emitting part, and the declaration.
    pub events: Vec<(usize, EventInfo)>,
    /// What the score wants to stay small.
    pub constraints: Vec<ConstraintInfo>,
    /// What the game wants to be recorded. No step looks at it.
    pub monitors: Vec<Monitor>,
    pub(crate) rules: Rules,
    /// Where the steps of the day are counted, in games whose day has several.
    steps_today: Option<Column<i32>>,
    pub(crate) behaviours: Vec<Behaviours>,
    /// For each base action whether nothing ever keeps it, as the only one of a schedule, from being executed and from ending the day.
    unconditional: Vec<bool>,
    /// Whether that holds of all of them.
    is_unconditional: bool,
    /// Whether the stopping conditions compare single values of the state.
    stops_on_values: bool,
    pub(crate) ticks: Vec<Tick>,
    pub(crate) regions: Regions,
    pub(crate) prototype: State,
    fingerprint: u64,
    first_farmer: usize,
}

pub(crate) enum Behaviours {
    Entity(Box<dyn Behaviour>),
    Farmer(Box<dyn FarmerBehaviour>),
    Score(Box<dyn ScoreBehaviour>),
}

impl Behaviours {
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
            events: Vec::with_capacity(self.events.iter().map(|(_, e)| e.per_step).sum::<usize>() * 2),
            executed: Vec::with_capacity(self.catalogue.max_schedule),
            rejected: Vec::with_capacity(self.catalogue.max_schedule + 8),
            constraint_costs: vec![0.0; self.constraints.len()],
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

    /// Whether a farmer, by rank, may ever do something of a kind in a field; of the farm's own parts where there is none.
    pub fn permits(&self, farmer: usize, kind: ActionKind, field: Option<usize>) -> bool {
        match self.behaviours.get(self.first_farmer + farmer) {
            Some(Behaviours::Farmer(farmer)) => farmer.permits(kind, field),
            _ => false,
        }
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
        let halves = if self.observation.looking.is_some() { 2 } else { 1 };
        Some(u64::from(self.rules.max_steps?) * u64::from(self.steps_per_day()) * halves)
    }

    /// What a text counts as that is no action of the game.
    pub fn unreadable(&self) -> Unreadable {
        self.rules.unreadable
    }

    /// Begins an episode: equal seeds, equal states.
    pub fn reset(&self, state: &mut State, seed: u64, record: &mut StepRecord) {
        state.copy_from(&self.prototype);
        state.seed = seed;
        // A part that panics leaves an episode that is over, and not one that is half begun.
        state.over = true;
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
        // A part of a plugin that failed: the next step tells it.
        state.over = failure::is_noted();
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

    /// What the next step expects: where looking costs (`aomdp`) observations and interventions by turns, else interventions.
    #[inline]
    pub fn expects(&self, state: &State) -> ActionKind {
        match &self.observation.looking {
            Some(looking) => looking.expects(&state.reader(self.regions)),
            None => ActionKind::Intervention,
        }
    }

    /// Takes a step: executes the schedule, lets the day pass, scores it. Where looking costs, every other step is the first
    /// half of a day: it executes observations and no time passes.
    ///
    /// # Errors
    /// When the episode is over, or a part computes a number that is not finite.
    #[inline]
    pub fn step(&self, state: &mut State, schedule: &[Call], record: &mut StepRecord) -> Result<Outcome, StepError> {
        if state.over {
            let mut over = Err(StepError::Over { steps: state.step });
            failure::tell(&mut over);
            return over;
        }
        record.clear();
        // A part that panics leaves an episode that is over, and not one in the middle of a day.
        state.over = true;
        let mut taken = self.take(state, schedule, record);
        failure::tell(&mut taken);
        state.over = taken.as_ref().map_or(true, Outcome::over);
        taken
    }

    /// Executes the schedule and lets the day pass where it ends.
    #[inline]
    fn take(&self, state: &mut State, schedule: &[Call], record: &mut StepRecord) -> Result<Outcome, StepError> {
        // The usual step of a grid game.
        if let [call] = schedule
            && self.unconditional[call.base()]
        {
            return self.pass_day(state, Some(call), record);
        }
        let expected = self.expects(state);
        for (i, call) in schedule.iter().enumerate() {
            match self.admit(&schedule[..i], call, expected, record, &state.reader(self.regions)) {
                Ok(base) => self.execute(base, call, state, record),
                // The buffer never grows: a schedule of any length costs no allocation.
                Err(reason) if record.rejected.len() < record.rejected.capacity() => {
                    record.rejected.push(Rejection { call: *call, reason });
                }
                Err(_) => record.rejected_more += 1,
            }
        }
        let passes = match (&self.observation.looking, expected) {
            (Some(looking), ActionKind::Observation) => {
                looking.looked(&state.cells(self.regions));
                false
            }
            _ => self.is_day_over(state, record),
        };
        if passes {
            self.pass_day(state, None, record)
        } else {
            Ok(Outcome { reward: 0.0 - self.charged(record), terminated: false, truncated: false })
        }
    }

    /// Counts a step of the day, and tells whether it was the last.
    #[inline]
    fn is_day_over(&self, state: &mut State, record: &mut StepRecord) -> bool {
        let Some(steps_today) = self.steps_today else { return true };
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let steps = &cells.get(steps_today)[0];
        let taken = steps.get() + 1;
        let is_last = taken >= self.rules.steps_per_day as i32;
        steps.set(if is_last { 0 } else { taken });
        let mut context = Context::new(cells, seed, step, &mut record.events);
        for behaviour in &self.behaviours[self.first_farmer..] {
            if let Behaviours::Farmer(farmer) = behaviour {
                farmer.stepped(steps.get(), &mut context);
            }
        }
        if let (false, Some(looking)) = (is_last, &self.observation.looking) {
            looking.next_step(&cells);
        }
        is_last
    }

    /// What the reward of a step loses to costs.
    #[inline]
    fn charged(&self, record: &StepRecord) -> f64 {
        if self.rules.costs_in_info_only { 0.0 } else { record.intervention_cost + record.observation_cost }
    }

    /// The dynamics of a day, its reward, and whether the episode ends with it. An unconditional call is executed first.
    #[inline]
    fn pass_day(&self, state: &mut State, call: Option<&Call>, record: &mut StepRecord) -> Result<Outcome, StepError> {
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut record.events);
        if let Some(call) = call {
            let base = &self.catalogue.bases[call.base()];
            if let Deed::Intervention(action) = base.deed {
                self.behaviours[base.part].any().act(action, call.arguments(), &mut context);
            }
            record.intervention_cost += base.cost;
            record.executed.push(*call);
        }
        for tick in &self.ticks {
            tick.call(&self.behaviours, &mut context);
        }
        let Some(Behaviours::Score(score)) = self.behaviours.last() else {
            return Err(StepError::Over { steps: step });
        };
        let mut reward = score.reward(&mut context);
        if !self.constraints.is_empty() {
            score.constraint_costs(&mut context, &mut record.constraint_costs);
        }
        if let Some(looking) = &self.observation.looking {
            looking.new_day(&cells);
        }
        let stopping = &self.rules.stopping;
        // The usual conditions need no second look at the state.
        let early = if self.stops_on_values { stopping.holds_in(&cells) } else { None };
        state.step += 1;
        let max_steps = self.rules.max_steps.unwrap_or(u32::MAX);
        let condition = match self.stops_on_values {
            true => early,
            false => stopping.holds(&state.reader(self.regions), max_steps, None),
        };
        let at_limit = state.step >= max_steps;
        let terminated = condition.is_some() || at_limit && self.rules.at_limit == AtLimit::Terminated;
        let truncated = at_limit && !terminated;
        record.stop = condition.map(Stop::Condition).or(at_limit.then_some(Stop::Limit));
        if terminated || truncated {
            let cells = state.cells(self.regions);
            reward += score.final_reward(&mut Context::new(cells, seed, step, &mut record.events));
        }
        if has_not_finite(state.reals(self.regions)) || !reward.is_finite() {
            return Err(self.not_finite(state, reward));
        }
        Ok(Outcome { reward: reward - self.charged(record), terminated, truncated })
    }

    /// The base action of a call that may be executed after those `before` it in the schedule; or the reason why not.
    #[inline]
    fn admit(
        &self,
        before: &[Call],
        call: &Call,
        expected: ActionKind,
        record: &StepRecord,
        reader: &Reader<'_>,
    ) -> Result<&BaseAction, &'static str> {
        let base = &self.catalogue.bases[call.base()];
        if before.len() >= self.catalogue.max_schedule {
            return Err("the schedule is longer than the rules allow");
        }
        if before.contains(call) {
            return Err("the same action stands in the schedule twice");
        }
        match self.refusal(base, call, expected, record.intervention_cost + record.observation_cost, reader) {
            Some(reason) => Err(reason),
            None => Ok(base),
        }
    }

    /// Why a call can't be executed now, after `spent` was paid in this step; none if it can.
    #[inline]
    fn refusal(
        &self,
        base: &BaseAction,
        call: &Call,
        expected: ActionKind,
        spent: f64,
        reader: &Reader<'_>,
    ) -> Option<&'static str> {
        self.out_of_turn(base, expected, spent).or_else(|| match &self.behaviours[self.first_farmer + base.farmer] {
            Behaviours::Farmer(farmer) => farmer.refusal(&attempt(base, call), reader),
            _ => None,
        })
    }

    /// Why the rules let nobody execute a base action now, whatever its arguments.
    #[inline]
    fn out_of_turn(&self, base: &BaseAction, expected: ActionKind, spent: f64) -> Option<&'static str> {
        if base.kind() != expected {
            return Some(match expected {
                ActionKind::Observation => "this step takes observations, the next one interventions",
                ActionKind::Intervention => "this step takes interventions, the next one observations",
            });
        }
        (spent + base.cost > self.rules.max_cost).then_some("the schedule costs more than the rules allow")
    }

    #[inline]
    fn execute(&self, base: &BaseAction, call: &Call, state: &mut State, record: &mut StepRecord) {
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut record.events);
        if let Behaviours::Farmer(farmer) = &self.behaviours[self.first_farmer + base.farmer] {
            farmer.did(&attempt(base, call), &mut context);
        }
        match &base.deed {
            Deed::Intervention(action) => {
                self.behaviours[base.part].any().act(*action, call.arguments(), &mut context);
                record.intervention_cost += base.cost;
            }
            Deed::Observation(request) => {
                if let Some(looking) = &self.observation.looking {
                    looking.show(&request.values, &cells);
                }
                record.observation_cost += base.cost;
            }
        }
        record.executed.push(*call);
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
        match &self.observation.looking {
            _ if matches!(reference.quantity, Quantity::Step | Quantity::Remaining) => true,
            Some(looking) => looking.is_shown(&self.observation, reference, element, &state.reader(self.regions)),
            None => self.observation.shows(reference),
        }
    }

    /// Why a call would not be executed now as the first of a schedule; none if it would be.
    pub fn refuses(&self, state: &State, call: &Call) -> Option<&'static str> {
        let base = &self.catalogue.bases[call.base()];
        self.refusal(base, call, self.expects(state), 0.0, &state.reader(self.regions))
    }

    /// Marks in `mask`, which has `self.catalogue.discrete_len()` entries, the actions that would be executed now if they were
    /// the first of a schedule. Doing nothing is always allowed.
    ///
    /// # Panics
    /// When `mask` is shorter.
    pub fn action_mask(&self, state: &State, mask: &mut [u8]) {
        if self.is_unconditional {
            mask[..self.catalogue.discrete_len()].fill(u8::from(!state.over));
            mask[0] = 1;
            return;
        }
        let (reader, expected) = (state.reader(self.regions), self.expects(state));
        let is_open = !state.over && self.catalogue.max_schedule > 0;
        mask[0] = 1;
        for (i, base) in self.catalogue.bases.iter().enumerate() {
            let slots = &mut mask[self.catalogue.ids_of(i)];
            match (&self.behaviours[self.first_farmer + base.farmer], self.catalogue.calls_of(i)) {
                (Behaviours::Farmer(farmer), calls @ [first, ..])
                    if is_open && self.out_of_turn(base, expected, 0.0).is_none() =>
                {
                    farmer.mask(&attempt(base, first), calls, &reader, slots);
                }
                _ => slots.fill(0),
            }
        }
    }

    /// Marks in `mask`, which has `self.catalogue.discrete_len()` entries, the allowed actions that would change something now.
    ///
    /// # Panics
    /// When `mask` is shorter.
    pub fn effect_mask(&self, state: &State, mask: &mut [u8]) {
        self.action_mask(state, mask);
        let reader = state.reader(self.regions);
        for (i, base) in self.catalogue.bases.iter().enumerate() {
            let Deed::Intervention(action) = base.deed else { continue };
            let part = self.behaviours[base.part].any();
            let ids = self.catalogue.ids_of(i);
            for (call, slot) in self.catalogue.calls_of(i).iter().zip(&mut mask[ids]) {
                *slot &= u8::from(part.has_effect(action, call.arguments(), &reader));
            }
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
            Stop::Limit => {
                let unit = if self.steps_per_day() == 1 { "steps" } else { "days" };
                format!("after {} {unit}", self.rules.max_steps.unwrap_or_default())
            }
            Stop::Condition(clause) => {
                let conditions = self.rules.stopping.0.get(clause).map_or(&[][..], Vec::as_slice);
                conditions.iter().map(|c| c.text()).collect::<Vec<_>>().join(" and ")
            }
        }
    }

    /// The one cost of a step, as libraries of safe learning expect it: what it cost each constraint, weighed.
    pub fn constraint_cost(&self, record: &StepRecord) -> f64 {
        self.constraints.iter().zip(&record.constraint_costs).map(|(info, cost)| info.weight * cost).sum()
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
                for problem in problems.0.iter_mut().filter(|problem| !problem.is_from_root) {
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
                return StepError::NotFinite(Box::new(NotFinite {
                    part: part.path.clone(),
                    variable: variable.name.clone(),
                    entry,
                    step: state.step,
                    value: values[entry].to_string(),
                    seed: state.seed,
                }));
            }
        }
        StepError::NotFinite(Box::new(NotFinite {
            part: self.parts.last().map(|score| score.path.clone()).unwrap_or_default(),
            variable: "reward".to_owned(),
            entry: 0,
            step: state.step,
            value: reward.to_string(),
            seed: state.seed,
        }))
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

#[inline]
fn attempt<'c>(base: &BaseAction, call: &'c Call) -> Attempt<'c> {
    let action = match base.deed {
        Deed::Intervention(action) => Some(action),
        Deed::Observation(_) => None,
    };
    Attempt { kind: base.kind(), part: base.part, action, arguments: call.arguments() }
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
