//! The moves of a player as a file that `farm replay` plays again.

use std::path::{Path, PathBuf};

use farm_core::action::Call;
use farm_core::{Game, State};
use farm_output::{OutputError, save};
use serde_json::Value as Json;

use super::session::Session;
use crate::arguments::GameArguments;
use crate::output::format_number;
use crate::replay::read_line;

/// A file that is kept up to date with the moves.
#[derive(Debug)]
pub(super) struct MoveRecording {
    /// The file.
    pub path: PathBuf,
    /// Why it could not be written last time.
    pub failure: Option<String>,
    /// The move up to which it was written.
    written: Option<usize>,
}

impl MoveRecording {
    /// A recording that is not yet written.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, failure: None, written: None }
    }

    /// Writes the moves, if they have changed or the last attempt failed.
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

/// The file: how it is played again, the moves that lead to where the player is, and what they led to.
pub(super) fn text(session: &Session, arguments: &GameArguments) -> String {
    let game = session.game();
    let mut text = format!(
        "# {} with seed {}, played by hand. To play it again:\n#   farm replay {} --seed {} --actions FILE\n",
        game.spec().name(),
        session.seed(),
        arguments.words(),
        session.seed()
    );
    for schedule in session.moves() {
        text += &line(game, schedule);
        text.push('\n');
    }
    let node = session.node();
    let ending = node.end.as_ref().map_or("the episode goes on".to_owned(), |end| format!("ended: {end}"));
    text += &format!(
        "# {} steps, return {}, {ending}, final state {}\n",
        node.depth,
        format_number(node.total),
        hash(session.state())
    );
    text
}

/// The hash of a state as `farm replay` writes it.
pub(super) fn hash(state: &State) -> String {
    format!("{:016x}", state.hash())
}

/// A schedule in one line: as people write it where that reads back to the same, otherwise as JSON.
pub(super) fn line(game: &Game, schedule: &[Call]) -> String {
    let plain = schedule.iter().map(|call| game.catalogue().write(call)).collect::<Vec<_>>().join("; ");
    let is_comment = plain.is_empty() || plain.starts_with('#');
    if !is_comment && read_line(game, &plain).is_ok_and(|read| read == schedule) {
        return plain;
    }
    Json::from_iter(schedule.iter().map(|call| game.catalogue().to_json(call))).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use farm_games::{CATALOGUE, Options};

    #[test]
    fn every_schedule_of_every_game_reads_back_to_the_same() {
        let set = |path: &str, value: &str| (path.to_owned(), value.to_owned());
        let variants =
            [vec![], vec![set("interaction_mode", "aomdp")], vec![set("rules.BasicRule.unreadable", "wait")]];
        let mut lines = 0;
        for entry in CATALOGUE {
            for variant in &variants {
                let options = Options { set: variant.clone(), ..Options::default() };
                let Ok(game) = farm_games::open(entry.name, &options) else { continue };
                let calls = game.catalogue().calls();
                let step = calls.len().div_ceil(200).max(1);
                let singles = calls.iter().step_by(step).map(|call| vec![*call]);
                let pair = vec![calls[0], calls[calls.len() - 1]];
                for schedule in singles.chain([pair, Vec::new()]) {
                    let line = line(&game, &schedule);
                    assert!(!line.trim().is_empty() && !line.starts_with('#') && !line.contains('\n'), "{line:?}");
                    let read =
                        read_line(&game, &line).unwrap_or_else(|problem| panic!("{}: {line}: {problem:?}", entry.name));
                    assert_eq!(read, schedule, "{}: {line}", entry.name);
                    lines += 1;
                }
            }
        }
        assert!(lines > 1000, "only {lines} lines");
    }
}
