//! An episode that goes one way. Each step counts once and is recorded before its answer.

use std::sync::Arc;

use crate::branches::Branches;
use crate::episode::{Choice, Episode, Start, Told, Untaken};
use crate::errors::RecordError;
use crate::fields::Invalid;
use crate::game::Served;
use crate::keys::drawn;
use crate::record::EpisodeRecord;
use crate::tally::Tally;

/// An episode in progress.
#[derive(Debug)]
pub(crate) struct Playing {
    episode: Episode,
    record: Option<EpisodeRecord>,
    /// The newest handle, and its turn.
    handle: Option<(String, u64)>,
    /// The turns, if the player may return to them.
    branches: Option<Box<Branches>>,
    tally: Arc<Tally>,
}

impl Playing {
    /// Starts an episode, and returns it with its first text.
    ///
    /// # Errors
    /// The record can't be created, or a game without a step limit is to have branches.
    pub(crate) fn begin(served: &Served, start: Start, tally: &Arc<Tally>) -> Result<(Self, String), Untaken> {
        let branches = match (start.branches, served.game.most_steps()) {
            (false, _) => None,
            (true, Some(most)) => Some(Box::new(Branches::new(most))),
            (true, None) => {
                return Err(Invalid("`branches` needs a game with a step limit, which is their price".into()).into());
            }
        };
        let (episode, text) = Episode::begin(served.game.clone(), start);
        let record = tally.recorder.as_ref().map(|recorder| recorder.begin(served.played(), &episode)).transpose()?;
        tally.metrics.count_episode();
        Ok((Self { episode, record, handle: None, branches, tally: tally.clone() }, text))
    }

    /// Takes a step. A step that can't be recorded is an error.
    ///
    /// # Errors
    /// The episode is over, a part fails, or the record can't be written.
    pub(crate) fn step(&mut self, choice: &Choice) -> Result<Told, Untaken> {
        if let Some(record) = &self.record {
            record.check()?;
        }
        if self.left() == Some(0) {
            return Err(Invalid("the episode is over: no steps are left".into()).into());
        }
        let mut told = self.episode.step(choice)?;
        self.tally.metrics.count_step();
        if let Some(branches) = &mut self.branches {
            branches.stepped(choice, self.episode.environment().game());
            told.outcome.truncated |= branches.left() == 0 && !told.outcome.terminated;
        }
        if let Some(record) = &mut self.record {
            record.step(choice, told.outcome, &self.episode)?;
        }
        Ok(told)
    }

    /// Returns to the turn with this handle, and returns its text. This costs a step.
    ///
    /// # Errors
    /// The episode has no branches, no steps are left, no turn has this handle, or the record can't be written.
    pub(crate) fn branch(&mut self, handle: &str) -> Result<String, Untaken> {
        let Some(branches) = &mut self.branches else {
            return Err(Invalid("this episode has no branches".into()).into());
        };
        if branches.left() == 0 {
            return Err(Invalid("the episode is over: no steps are left".into()).into());
        }
        if let Some(record) = &self.record {
            record.check()?;
        }
        let (turn, path) = branches.find(handle)?;
        let (mut episode, mut text) = Episode::begin(self.episode.environment().game().clone(), self.episode.start());
        for choice in &path {
            text = episode.step(choice)?.text;
        }
        branches.back_to(turn);
        self.episode = episode;
        let is_over = branches.left() == 0;
        if let Some(record) = &mut self.record {
            record.branch(turn, &self.episode, is_over)?;
        }
        Ok(text)
    }

    /// A copy that continues by itself, with a record of its own.
    ///
    /// # Errors
    /// The record can't be created.
    pub(crate) fn fork(&self) -> Result<Self, RecordError> {
        let record = self.record.as_ref().map(EpisodeRecord::fork).transpose()?;
        self.tally.metrics.count_episode();
        let (episode, handle, branches) = (self.episode.clone(), self.handle.clone(), self.branches.clone());
        Ok(Self { episode, record, handle, branches, tally: self.tally.clone() })
    }

    /// The newest handle. A handle is drawn for each turn and contains nothing, so old handles are of no use.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn handle(&mut self) -> Result<String, Untaken> {
        let turn = self.turns();
        if let Some((handle, of)) = &self.handle
            && *of == turn
        {
            return Ok(handle.clone());
        }
        let handle = drawn().map_err(|_| Untaken::Random)?;
        if let Some(branches) = &mut self.branches {
            branches.name(&handle);
        }
        self.handle = Some((handle.clone(), turn));
        Ok(handle)
    }

    /// The episode, in the current branch.
    pub(crate) fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The number of steps in all branches.
    pub(crate) fn turns(&self) -> u64 {
        self.branches.as_ref().map_or_else(|| self.episode.steps(), |branches| branches.spent())
    }

    /// The number of steps that are left, if the episode has branches.
    pub(crate) fn left(&self) -> Option<u64> {
        self.branches.as_ref().map(|branches| branches.left())
    }

    /// The number of steps for all branches, if the episode has branches.
    pub(crate) fn most(&self) -> Option<u64> {
        self.branches.as_ref().map(|branches| branches.left() + branches.spent())
    }

    /// Whether no further step is possible.
    pub(crate) fn is_over(&self) -> bool {
        self.episode.is_over() || self.left() == Some(0)
    }

    /// Marks the episode as played by an agent with tools, so that its record ends with a score.
    pub(crate) fn mark_agent(&mut self) {
        if let Some(record) = &mut self.record {
            record.wants_score();
        }
    }

    /// Ends the record.
    ///
    /// # Errors
    /// The end can't be written. There is no error if the client already knows that the episode is not recorded.
    pub(crate) fn end_record(&mut self) -> Result<(), RecordError> {
        match &mut self.record {
            Some(record) if record.check().is_ok() => record.end(),
            _ => Ok(()),
        }
    }
}
