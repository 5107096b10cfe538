//! A game as a text conversation.

use farm_core::{Reading, TextForm};
use farm_games::baseline::ValueToGo;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::choices::{rules_text, unknown};
use crate::convert::to_python;
use crate::errors;
use crate::game::Game;
use crate::splits;

/// One or more episodes of a game, played as a conversation.
#[pyclass(module = "farm_gym._native")]
#[derive(Clone)]
pub struct Conversation {
    conversation: farm_core::Conversation,
}

/// The result of a reply: text, reward, terminated, truncated, whether an episode ended.
type Read = (String, f64, bool, bool, bool);

#[pymethods]
impl Conversation {
    /// Creates a conversation of `episodes` episodes, with observations in the form `form`.
    #[new]
    fn new(game: &Game, form: &str, episodes: u32) -> PyResult<Self> {
        let names = TextForm::ALL.map(TextForm::name);
        let Some(form) = TextForm::ALL.into_iter().find(|known| known.name() == form) else {
            return Err(unknown("texts are full, compact, or rows", form, &names));
        };
        let game = game.game.clone();
        Ok(Self { conversation: errors::guarded(|| farm_core::Conversation::new(game, form, episodes))? })
    }

    /// The instructions for a player before the first text.
    fn instructions(&self, rules: &str) -> PyResult<String> {
        Ok(self.conversation.instructions(rules_text(rules)?))
    }

    /// Starts a conversation and returns the first text. A seed that belongs to a split requires the name of the split.
    #[pyo3(signature = (seed, split=None))]
    fn reset(&mut self, seed: u64, split: Option<&str>) -> PyResult<String> {
        let split = splits::named(split)?;
        self.conversation.name_split(split);
        if split.is_some() {
            let game = self.conversation.environment().game();
            farm_games::check_split(game, seed).map_err(|problems| errors::config(&problems))?;
        }
        let text = errors::guarded(|| self.conversation.reset(seed))?;
        match self.conversation.environment().refused_seed() {
            Some(refused) => Err(errors::seed(refused)),
            None => Ok(text),
        }
    }

    /// Plays the actions in a reply.
    fn reply(&mut self, text: &str) -> PyResult<Read> {
        let reading = errors::guarded(|| self.conversation.reply(text))?.map_err(|error| errors::step(&error))?;
        let Reading { text, reward, terminated, truncated, is_episode_over } = reading;
        Ok((text, reward, terminated, truncated, is_episode_over))
    }

    /// The parts of the last reply that could not be read or executed: a list of objects with `action` and `reason`.
    fn rejected<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.conversation.rejected()))
    }

    /// The return of each episode that has started.
    fn returns(&self) -> Vec<f64> {
        self.conversation.returns().to_vec()
    }

    /// Number of texts with unreadable parts in this episode.
    fn rejected_texts(&self) -> u64 {
        self.conversation.environment().last_step().rejected_texts()
    }

    /// The most that can be earned from here to the end of the episode, and whether this is proven.
    fn value_to_go(&self, py: Python<'_>) -> PyResult<(f64, bool)> {
        let environment = self.conversation.environment();
        let found = py.detach(|| errors::guarded(|| ValueToGo::of(environment.game(), environment.state())))?;
        let found = found.map_err(|problems| errors::config(&problems))?;
        Ok((found.value, found.is_proven))
    }

    /// A hash of the state; equal hashes mean equal futures.
    fn state_hash(&self) -> u64 {
        self.conversation.environment().state().hash()
    }

    /// The episode's state as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.conversation.environment().snapshot())
    }

    /// A copy of the conversation, which can continue independently.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// The seed of one episode in a conversation, from the conversation's seed.
    #[staticmethod]
    fn seed_of(seed: u64, episode: u32) -> u64 {
        farm_core::Conversation::seed_of(seed, episode)
    }
}
