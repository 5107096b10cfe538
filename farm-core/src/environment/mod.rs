//! An environment: a game, a state, and the buffers needed to play. Code outside the engine plays single games through this type.

mod conversation;
mod info;
mod turn;

use std::sync::{Arc, OnceLock};

use serde_json::{Value as Json, json};

pub use self::conversation::{Conversation, EpisodeEnd, Reading};
pub use self::info::{ConstraintCost, LastStep, Rejected, RejectedAction, StepEvent, StepInfo};
use self::turn::Turn;
use crate::action::{Action, ActionKind, ActionTable, Call, LEFT_OUT};
use crate::failure::{self, Failure};
use crate::game::Game;
use crate::seeds::{SeedError, SeedSplit};
use crate::state::{RestoreError, State};
use crate::step::{Outcome, StepError, StepRecord, surface};

/// A game being played.
///
/// ```
/// use farm_core::prelude::*;
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
///
/// # let game = farm::game("Tanks: {}");
/// let mut environment = Environment::new(game);
/// environment.reset(7);
/// let mut total = 0.0;
/// loop {
///     // A policy reads `environment.observation()` here.
///     let outcome = environment.step("fill(plot=(0, 0))")?;
///     total += outcome.reward;
///     if outcome.over() {
///         break;
///     }
/// }
/// assert_eq!((total, environment.state().step()), (10.0, 10));
/// # Ok::<(), StepError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Environment {
    game: Arc<Game>,
    state: State,
    record: StepRecord,
    observation: Vec<u8>,
    /// Actions in the last step that this game does not have, each with the reason.
    unknown: Vec<(Json, String)>,
    /// The values needed for the text about the last step.
    turn: Turn,
    /// A failure since the last step; the next step returns it.
    failed: OnceLock<Failure>,
    /// The selected split, if any. Only its seeds can then start episodes.
    split: Option<SeedSplit>,
    /// Why the last reset was rejected.
    refused: Option<SeedError>,
}

impl Environment {
    /// Creates an environment for a game and starts an episode with seed 0. You can step at once, or start another episode with
    /// [`Environment::reset`].
    pub fn new(game: Arc<Game>) -> Self {
        let (state, record) = (game.new_state(), game.new_record());
        let observation = vec![0; game.observation.size];
        let (unknown, turn, failed) = (Vec::new(), Turn::default(), OnceLock::new());
        let (split, refused) = (None, None);
        let mut environment = Self { game, state, record, observation, unknown, turn, failed, split, refused };
        environment.reset(0);
        environment
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What happened in the last step.
    pub fn record(&self) -> &StepRecord {
        &self.record
    }

    /// Selects the split whose seeds can start episodes, from the next reset on. With `None`, the seeds of all splits are rejected.
    pub fn name_split(&mut self, split: Option<SeedSplit>) {
        self.split = split;
    }

    /// Why the last reset was rejected: its seed is reserved for a split that is not selected, or is outside the selected split. The
    /// environment is then unchanged, and every step returns this error.
    pub fn refused_seed(&self) -> Option<SeedError> {
        self.refused
    }

    /// Starts an episode. The same seed always starts the same episode. To use a seed that is reserved for a split, first call
    /// [`Environment::name_split`]; see [`Environment::refused_seed`].
    pub fn reset(&mut self, seed: u64) {
        self.unknown.clear();
        self.turn = Turn::default();
        self.refused = SeedSplit::check(self.split, seed).err();
        if self.refused.is_some() {
            self.state.over = true;
            return;
        }
        self.game.reset(&mut self.state, seed, &mut self.record);
        self.observe();
    }

    /// The failure of a plugin's part at the start of an episode, while restoring a snapshot, or while computing a mask. After that,
    /// every step returns this failure.
    pub fn failed(&self) -> Option<&Failure> {
        self.failed.get()
    }

    /// Observes a new episode.
    fn observe(&mut self) {
        self.game.observe_into(&self.state, &mut self.observation);
        self.failed.take();
        self.note_failure();
        self.state.over |= self.failed().is_some();
    }

    fn note_failure(&self) {
        if let Some(failure) = failure::take() {
            self.failed.get_or_init(|| failure);
        }
    }

    /// Takes a step, then observes. Fails if either of these fails.
    #[inline]
    fn stepped(
        &mut self,
        step: impl FnOnce(&Game, &mut State, &mut StepRecord) -> Result<Outcome, StepError>,
    ) -> Result<Outcome, StepError> {
        self.unknown.clear();
        if let Some(refused) = self.refused {
            return Err(refused.into());
        }
        if let Some(failure) = self.failed.get() {
            self.state.over = true;
            return Err(failure.clone().into());
        }
        let mut outcome = Ok(step(&self.game, &mut self.state, &mut self.record)?);
        self.game.observe_into(&self.state, &mut self.observation);
        surface(&mut outcome);
        self.state.over |= outcome.is_err();
        let reward = outcome.as_ref().ok().map(|outcome| outcome.reward);
        self.turn = Turn { reward, rejected_texts: self.turn.rejected_texts, ..Turn::default() };
        outcome
    }

    /// Takes a step with an action in any form of [`Action`]: an id in the flat list, a schedule, text, or JSON.
    ///
    /// Actions that the rules do not allow are not executed; [`Environment::info`] lists them with the reason. It also lists the unreadable
    /// pieces of text, or of JSON that names actions. The rules decide whether unreadable text counts as a wait or is rejected entirely. If
    /// it is rejected, no time passes. For example, `step("dance")` returns `Ok` but executes no action. To check first whether a string is
    /// an action, call [`TextChannel::parse`](crate::TextChannel::parse).
    ///
    /// ```
    /// # use farm_core::{Environment, StepError};
    /// fn walk(environment: &mut Environment) -> Result<f64, StepError> {
    ///     let mut total = environment.step("MoveN; MoveE")?.reward;
    ///     total += environment.step(0)?.reward;
    ///     total += environment.step(&serde_json::json!(["harvest"]))?.reward;
    ///     Ok(total)
    /// }
    /// ```
    ///
    /// # Errors
    /// The episode is over, a part computes a number that is not finite, or a plugin's part panics. If the id is unknown or the action is
    /// outside the action space, no step is taken.
    #[inline]
    pub fn step<'a>(&mut self, action: impl Into<Action<'a>>) -> Result<Outcome, StepError> {
        match action.into() {
            Action::Id(id) => self.step_id(id),
            Action::Schedule(schedule) => self.step_schedule(&schedule),
            Action::Text(text) => self.step_text(text),
            Action::Named(actions) => self.step_named(actions),
            Action::Gym(action) => self.step_gym(action),
        }
    }

    fn step_schedule(&mut self, schedule: &[Call]) -> Result<Outcome, StepError> {
        self.stepped(|game, state, record| game.step(state, schedule, record))
    }

    fn step_id(&mut self, id: usize) -> Result<Outcome, StepError> {
        self.stepped(|game, state, record| game.step_discrete(state, id, record))
    }

    fn step_named(&mut self, actions: &Json) -> Result<Outcome, StepError> {
        let mut schedule = Vec::new();
        let mut unknown = Vec::new();
        let (items, most) = (ActionTable::schedule_items(actions), self.game.catalogue.most_read());
        for action in items.iter().copied().take(most) {
            // The action is wrapped in a list, so that an empty item is an error instead of an empty list.
            match self.game.catalogue.parse(&json!([action])) {
                Ok(calls) => schedule.extend(calls),
                Err(problem) => unknown.push((action.clone(), problem.sentence())),
            }
        }
        if items.len() > most {
            let problem = self.game.catalogue.too_many_problem(items.len() - most);
            unknown.push((Json::from(LEFT_OUT), problem.sentence()));
        }
        let outcome = self.step_schedule(&schedule)?;
        self.unknown = unknown;
        Ok(outcome)
    }

    fn step_text(&mut self, text: &str) -> Result<Outcome, StepError> {
        let reply = self.game.text().read(text);
        let is_last = self.game.rules.max_refused_texts.is_some_and(|most| self.turn.rejected_in_a_row >= most);
        let outcome = if reply.is_rejected && !is_last && !self.state.over {
            self.record.clear();
            self.turn.is_rejected = true;
            self.turn.rejected_in_a_row += 1;
            Outcome { reward: 0.0, terminated: false, truncated: false }
        } else {
            self.step_schedule(&reply.schedule)?
        };
        self.turn.rejected_texts += u64::from(!reply.unread.is_empty());
        let unread = reply.unread.into_iter();
        self.unknown = unread.map(|(text, problem)| (Json::from(text), problem.sentence())).collect();
        Ok(outcome)
    }

    fn step_gym(&mut self, action: &Json) -> Result<Outcome, StepError> {
        let schedule = self.game.catalogue.gym_to_calls(action)?;
        self.step_schedule(&schedule)
    }

    /// The record with the last observation. Its layout is `game().observation()`.
    pub fn observation(&self) -> &[u8] {
        &self.observation
    }

    /// The last observation as JSON.
    pub fn observation_json(&self) -> Json {
        self.game.observation.to_json(&self.observation)
    }

    /// All variables as JSON, including hidden ones, by full name. Its space is that of [`Game::state_layout`].
    pub fn state_json(&self) -> Json {
        let layout = self.game.state_layout();
        let mut record = vec![0; layout.size];
        layout.write_columns(&self.game.reader(&self.state), &mut record);
        layout.to_json(&record)
    }

    /// What the next step expects: observations or interventions.
    pub fn expects(&self) -> ActionKind {
        self.game.expects(&self.state)
    }

    /// Marks the actions in the flat list that would be executed now, one byte each.
    pub fn action_mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.game.catalogue.discrete_len()];
        self.game.action_mask(&self.state, &mut mask);
        self.note_failure();
        mask
    }

    /// Marks the actions in the flat list that would change something now, one byte each.
    pub fn effect_mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.game.catalogue.discrete_len()];
        self.game.effect_mask(&self.state, &mut mask);
        self.note_failure();
        mask
    }

    /// The state as bytes, with everything that a later [`Environment::restore`] needs.
    ///
    /// ```
    /// use farm_core::prelude::*;
    /// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
    ///
    /// # let game = farm::game("Tanks: {}");
    /// let mut environment = Environment::new(game);
    /// let saved = environment.snapshot();
    /// environment.step("fill(plot=(0, 0))")?;
    /// let filled = environment.state().hash();
    /// // Another action leads to another state, and the same action to the same state.
    /// for (action, is_same) in [("wait", false), ("fill(plot=(0, 0))", true)] {
    ///     environment.restore(&saved).expect("a snapshot of this game");
    ///     environment.step(action)?;
    ///     assert_eq!(environment.state().hash() == filled, is_same);
    /// }
    /// # Ok::<(), StepError>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        self.game.snapshot(&self.state)
    }

    /// Restores a snapshot. If the snapshot is rejected, the environment is unchanged.
    ///
    /// # Errors
    /// The bytes are not a snapshot, are truncated, belong to another game, or contain a value that the game cannot have.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        self.game.restore(&mut self.state, bytes)?;
        self.record = self.game.new_record();
        self.unknown.clear();
        self.turn = Turn::default();
        self.refused = None;
        self.observe();
        Ok(())
    }
}
