//! The turns of an episode in which the player may return to an earlier turn.
//!
//! Every step counts against the game's step limit, in whichever branch it is taken, and each return counts as a step, too.

use std::collections::BTreeMap;

use farm_core::Game;

use crate::episode::Choice;
use crate::fields::Invalid;

/// The maximum length, in bytes, of a text that is kept as written.
const MAX_KEPT_BYTES: usize = 256;
/// A text without actions.
const UNREADABLE: &str = "?";

/// The turns of an episode, as a tree.
#[derive(Debug, Clone)]
pub(crate) struct Branches {
    /// The turns. The start is the first; every step and every return adds one.
    turns: Vec<Turn>,
    /// The current turn.
    at: usize,
    /// The turns by their handles.
    handles: BTreeMap<String, usize>,
    /// The maximum number of steps in all branches.
    most: u64,
}

/// A turn: the turn before it, and the choice that led from there; none for a return.
#[derive(Debug, Clone)]
struct Turn {
    before: usize,
    choice: Option<Choice>,
}

impl Branches {
    /// The start of an episode with this step limit.
    pub(crate) fn new(most: u64) -> Self {
        Self { turns: vec![Turn { before: 0, choice: None }], at: 0, handles: BTreeMap::new(), most }
    }

    /// The number of steps so far in all branches, including returns.
    pub(crate) fn spent(&self) -> u64 {
        self.turns.len() as u64 - 1
    }

    /// The number of steps that are left.
    pub(crate) fn left(&self) -> u64 {
        self.most.saturating_sub(self.spent())
    }

    /// Names the current turn.
    pub(crate) fn name(&mut self, handle: &str) {
        self.handles.insert(handle.to_owned(), self.at);
    }

    /// Adds a step.
    pub(crate) fn stepped(&mut self, choice: &Choice, game: &Game) {
        self.add(self.at, Some(kept(choice, game)));
    }

    /// Finds a turn, and the choices that lead to it from the start.
    ///
    /// # Errors
    /// No turn has this handle.
    pub(crate) fn find(&self, handle: &str) -> Result<(usize, Vec<Choice>), Invalid> {
        let unknown = || Invalid("`handle` is not a handle of an earlier turn of this episode".into());
        let turn = *self.handles.get(handle).ok_or_else(unknown)?;
        let (mut path, mut at) = (Vec::new(), turn);
        while at != 0 {
            path.extend(self.turns[at].choice.clone());
            at = self.turns[at].before;
        }
        path.reverse();
        Ok((turn, path))
    }

    /// Returns to a turn.
    pub(crate) fn back_to(&mut self, turn: usize) {
        self.add(turn, None);
    }

    fn add(&mut self, before: usize, choice: Option<Choice>) {
        self.turns.push(Turn { before, choice });
        self.at = self.turns.len() - 1;
    }
}

/// A choice with the same effect as this one. Of a long text, only the actions are kept.
fn kept(choice: &Choice, game: &Game) -> Choice {
    match choice {
        Choice::Text(text) if text.len() > MAX_KEPT_BYTES => {
            let played = game.text().read(text).played();
            Choice::Text(played.map_or_else(|_| UNREADABLE.to_owned(), |schedule| game.text().write(&schedule)))
        }
        short => short.clone(),
    }
}
