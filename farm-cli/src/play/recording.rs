//! Writes the player's moves to a file for `farm replay`.

use std::path::{Path, PathBuf};

use farm_core::State;
use farm_output::{OutputError, save};

use super::session::Session;
use crate::arguments::GameArguments;
use crate::output::{format_number, plural};
use crate::recorded::Header;

/// A recording that is updated after each move.
#[derive(Debug)]
pub(super) struct MoveRecording {
    /// The file.
    pub path: PathBuf,
    /// The reason why the last update failed, if it did.
    pub failure: Option<String>,
    /// The last move that was written.
    written: Option<usize>,
}

impl MoveRecording {
    /// A recording that has not been written yet.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, failure: None, written: None }
    }

    /// Writes the moves if they have changed, or if the last attempt failed.
    pub(super) fn update(&mut self, session: &Session, arguments: &GameArguments) {
        if self.written != Some(session.current()) || self.failure.is_some() {
            self.failure =
                write(&self.path, session, arguments).err().map(|error| format!("{:#}", anyhow::Error::from(error)));
            self.written = self.failure.is_none().then_some(session.current());
        }
    }
}

fn write(path: &Path, session: &Session, arguments: &GameArguments) -> Result<(), OutputError> {
    save(path, text(session, arguments).as_bytes())
}

/// The file's text: the replay command, the moves up to the player's current one, and the result.
pub(super) fn text(session: &Session, arguments: &GameArguments) -> String {
    let game = session.game();
    let header = Header { game: arguments.clone(), seed: session.seed(), state: hash(session.state()) };
    let mut text = format!(
        "# {} with seed {}, played by hand. To replay it: farm replay FILE\n{}\n",
        game.spec().name(),
        session.seed(),
        header.line()
    );
    for schedule in session.moves() {
        text += &game.text().write(schedule);
        text.push('\n');
    }
    let node = session.node();
    let ending = node.end.as_ref().map_or("the episode continues".to_owned(), |end| format!("ended: {end}"));
    text += &format!(
        "# {}, return {}, {ending}, final state {}\n",
        plural(node.depth as u64, "step"),
        format_number(node.total),
        hash(session.state())
    );
    text
}

/// A state's hash, in the format of `farm replay`.
pub(super) fn hash(state: &State) -> String {
    format!("{:016x}", state.hash())
}
