//! Steps a game: executes the scheduled actions, runs the day's phases, computes the score, and checks whether the episode ends.

use super::Game;
use super::allowed::attempt;
use crate::action::{ActionKind, ActionTarget, BaseAction, Call};
use crate::failure;
use crate::math::simd::{self, Loop};
use crate::part::Context;
use crate::rules::AtLimit;
use crate::state::State;
use crate::step::{NotFinite, Outcome, Rejection, StepError, StepRecord, Stop, TooManyEvents, surface};

/// Determines which seed each part sees. A game normally uses [`EpisodeSeed`]; `inspect` shows some parts a different seed.
pub(crate) trait Seeds: Copy {
    /// Sets the context's seed for a part, in an episode with the given seed.
    fn show(self, part: usize, episode: u64, context: &mut Context<'_>);
}

/// Shows the episode's seed to all parts. Every context starts with this seed.
#[derive(Clone, Copy)]
struct EpisodeSeed;

impl Seeds for EpisodeSeed {
    #[inline(always)]
    fn show(self, _: usize, _: u64, _: &mut Context<'_>) {}
}

impl Game {
    /// Starts an episode. The same seed always gives the same state.
    pub fn reset(&self, state: &mut State, seed: u64, record: &mut StepRecord) {
        self.reset_with(state, seed, record, EpisodeSeed);
    }

    /// Like [`Game::reset`], but with different seeds for the parts.
    #[inline]
    pub(crate) fn reset_with(&self, state: &mut State, seed: u64, record: &mut StepRecord, seeds: impl Seeds) {
        state.copy_from(&self.prototype);
        state.seed = seed;
        // If a part panics, the episode is over instead of half started.
        state.over = true;
        record.clear();
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, 0, &mut record.events);
        for (i, part) in self.behaviours().enumerate() {
            seeds.show(i, seed, &mut context);
            part.reset(&mut context);
        }
        for initial in &self.rules.initial {
            initial.apply(&cells, seed);
        }
        for (i, part) in self.behaviours().enumerate() {
            seeds.show(i, seed, &mut context);
            part.after_initial_conditions(&mut context);
        }
        record.events.clear();
        // If a plugin's part failed, the next step returns the failure.
        state.over = failure::is_recorded();
    }

    /// Takes a step with an id from the flat list of actions.
    ///
    /// # Errors
    /// The episode is over, the id is unknown, or a part computes a number that is not finite.
    #[inline]
    pub fn step_discrete(&self, state: &mut State, id: usize, record: &mut StepRecord) -> Result<Outcome, StepError> {
        match self.catalogue.discrete(id) {
            Some(schedule) => self.step(state, schedule, record),
            None => Err(StepError::NoSuchAction { id, last: self.catalogue.discrete_len() - 1 }),
        }
    }

    /// What the next step expects. With priced observations (`aomdp`), observations and interventions alternate; otherwise, every step
    /// expects interventions.
    #[inline]
    pub fn expects(&self, state: &State) -> ActionKind {
        match &self.observation.active_observation {
            Some(active_observation) => active_observation.expects(&state.reader(self.regions)),
            None => ActionKind::Intervention,
        }
    }

    /// Takes a step: executes the schedule, simulates the day and scores it. With priced observations, every second step is the first half
    /// of a day. Such a step only makes observations, and no time passes.
    ///
    /// # Errors
    /// The episode is over, or a part computes a number that is not finite.
    #[inline]
    pub fn step(&self, state: &mut State, schedule: &[Call], record: &mut StepRecord) -> Result<Outcome, StepError> {
        self.step_with(state, schedule, record, EpisodeSeed)
    }

    /// Like [`Game::step`], but with different seeds for the parts.
    #[inline]
    pub(crate) fn step_with(
        &self,
        state: &mut State,
        schedule: &[Call],
        record: &mut StepRecord,
        seeds: impl Seeds,
    ) -> Result<Outcome, StepError> {
        if state.over {
            let mut over = Err(StepError::Over { steps: state.step });
            surface(&mut over);
            return over;
        }
        record.clear();
        // If a part panics, the episode is over instead of left in the middle of a day.
        state.over = true;
        let mut taken = self.take(state, schedule, record, seeds);
        surface(&mut taken);
        state.over = taken.as_ref().map_or(true, Outcome::over);
        taken
    }

    /// Executes the schedule, and simulates the day if this step ends it.
    #[inline]
    fn take(
        &self,
        state: &mut State,
        schedule: &[Call],
        record: &mut StepRecord,
        seeds: impl Seeds,
    ) -> Result<Outcome, StepError> {
        // The usual step in a grid game.
        if let [call] = schedule
            && self.unconditional[call.base()]
        {
            return self.pass_day(state, std::slice::from_ref(call), record, seeds);
        }
        let expected = self.expects(state);
        for (i, call) in schedule.iter().enumerate() {
            match self.checked(&schedule[..i], call, expected, record, &state.reader(self.regions)) {
                Ok(base) => self.execute(base, call, state, record, seeds),
                // The buffer never grows, so a schedule of any length costs no allocation.
                Err(reason) if record.rejected.len() < record.rejected.capacity() => {
                    record.rejected.push(Rejection { call: *call, reason });
                }
                Err(_) => record.rejected_more += 1,
            }
        }
        let passes = match (&self.observation.active_observation, expected) {
            (Some(active_observation), ActionKind::Observation) => {
                active_observation.looked(&state.cells(self.regions));
                false
            }
            _ => self.is_day_over(state, record, seeds),
        };
        if passes {
            self.pass_day(state, &[], record, seeds)
        } else {
            Ok(Outcome { reward: 0.0 - self.charged(record), terminated: false, truncated: false })
        }
    }

    /// Counts a step towards the day, and returns whether it was the day's last.
    #[inline]
    fn is_day_over(&self, state: &mut State, record: &mut StepRecord, seeds: impl Seeds) -> bool {
        let Some(steps_today) = self.steps_today else { return true };
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let steps = &cells.get(steps_today)[0];
        let taken = steps.get() + 1;
        let is_last = taken >= self.rules.steps_per_day as i32;
        steps.set(if is_last { 0 } else { taken });
        let mut context = Context::new(cells, seed, step, &mut record.events);
        for (i, farmer) in self.farmers.iter().enumerate() {
            seeds.show(self.part_of_farmer(i), seed, &mut context);
            farmer.after_step(steps.get(), &mut context);
        }
        if let (false, Some(active_observation)) = (is_last, &self.observation.active_observation) {
            active_observation.next_step(&cells);
        }
        is_last
    }

    /// The costs that are subtracted from a step's reward.
    #[inline]
    fn charged(&self, record: &StepRecord) -> f64 {
        if self.rules.costs_in_info_only { 0.0 } else { record.intervention_cost + record.observation_cost }
    }

    /// Simulates a day, computes its reward, and checks whether the episode ends. The unconditional calls are executed first, without
    /// asking the farmers.
    #[inline]
    pub(crate) fn pass_day(
        &self,
        state: &mut State,
        calls: &[Call],
        record: &mut StepRecord,
        seeds: impl Seeds,
    ) -> Result<Outcome, StepError> {
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut record.events);
        // This does not call `execute`, because a separate context would take 5 % of a small game's step time.
        for call in calls {
            let base = &self.catalogue.base_actions[call.base()];
            if let ActionTarget::Intervention(action) = base.target {
                seeds.show(base.part, seed, &mut context);
                self.behaviour(base.part).act(action, call.arguments(), &mut context);
            }
            record.intervention_cost += base.cost;
            record.executed.push(*call);
        }
        for tick in &self.ticks {
            seeds.show(tick.part, seed, &mut context);
            tick.call(self, &mut context);
        }
        let (score, part_of_score) = (self.score.as_ref(), self.part_of_farmer(self.farmers.len()));
        seeds.show(part_of_score, seed, &mut context);
        let mut reward = score.reward(&mut context);
        if !self.constraints.is_empty() {
            score.constraint_costs(&mut context, &mut record.constraint_costs);
        }
        if let Some(active_observation) = &self.observation.active_observation {
            active_observation.new_day(&cells);
        }
        let stopping = &self.rules.stopping;
        // The usual conditions need no second read of the state.
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
            let mut context = Context::new(cells, seed, step, &mut record.events);
            seeds.show(part_of_score, seed, &mut context);
            record.final_reward = score.final_reward(&mut context);
            reward += record.final_reward;
        }
        if simd::run(AnyNotFinite(state.reals(self.regions))) || !reward.is_finite() {
            return Err(self.not_finite(state, reward));
        }
        if record.events.len() > self.max_events {
            return Err(self.too_many_events(state, record));
        }
        // Adding 0.0 turns a reward of -0.0 into 0.0, because -0.0 would be printed with its sign.
        Ok(Outcome { reward: reward - self.charged(record) + 0.0, terminated, truncated })
    }

    /// Executes a call after notifying its farmer.
    #[inline]
    fn execute(&self, base: &BaseAction, call: &Call, state: &mut State, record: &mut StepRecord, seeds: impl Seeds) {
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut record.events);
        seeds.show(self.part_of_farmer(base.farmer), seed, &mut context);
        self.farmers[base.farmer].before_action(&attempt(base, call), &mut context);
        match &base.target {
            ActionTarget::Intervention(action) => {
                seeds.show(base.part, seed, &mut context);
                self.behaviour(base.part).act(*action, call.arguments(), &mut context);
                record.intervention_cost += base.cost;
            }
            ActionTarget::Observation(request) => {
                if let Some(active_observation) = &self.observation.active_observation {
                    active_observation.show(&request.values, &cells);
                }
                record.observation_cost += base.cost;
            }
        }
        record.executed.push(*call);
    }

    /// The event kind that exceeds its declared maximum by the most.
    #[cold]
    fn too_many_events(&self, state: &State, record: &StepRecord) -> StepError {
        let mut found = vec![0_usize; self.events.len()];
        record.events.iter().for_each(|event| found[event.id.index()] += 1);
        let all = self
            .events
            .iter()
            .zip(found)
            .map(|((part, info), found)| (found.saturating_sub(info.per_step), part, info, found));
        let worst = all.max_by_key(|(beyond, ..)| *beyond);
        let (part, event, found, per_step) = match worst {
            Some((_, part, info, found)) => (self.parts[*part].path.clone(), info.name.clone(), found, info.per_step),
            // If no part declares events, none may be reported.
            None => (String::new(), String::new(), record.events.len(), 0),
        };
        StepError::TooManyEvents(Box::new(TooManyEvents { part, event, found, per_step, step: state.step }))
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

/// Whether any number is infinite or NaN. For each value, one addition tests whether all exponent bits are ones.
struct AnyNotFinite<'a>(&'a [f64]);

impl Loop for AnyNotFinite<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
        const LOWEST: u64 = 0x0010_0000_0000_0000;
        self.0.iter().fold(0, |found, x| found | ((x.to_bits() & EXPONENT) + LOWEST)) >> 63 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::AnyNotFinite;
    use crate::math::simd;

    #[test]
    fn only_infinities_and_nan_are_not_finite() {
        assert!(!simd::run(AnyNotFinite(&[0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324])));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(simd::run(AnyNotFinite(&[1.0, bad, 2.0])));
        }
    }
}
