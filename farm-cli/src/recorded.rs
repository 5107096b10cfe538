//! Recordings, and the films and reports made from them. A recording is a file of moves with a header line that names the game.

use std::path::Path as FilePath;
use std::sync::Arc;

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems};
use farm_core::{Agent, EpisodeRunner, Game, Observer, SeedSplit, State};
use farm_report::{EpisodeLine, Report};
use serde_json::{Value as Json, json};

use crate::arguments::GameArguments;
use crate::errors::CommandError;
use crate::film::{FilmArguments, FilmObserver};
use crate::report::{self, ReportFile};

/// The name and version of the header format.
const SCHEMA: &str = "farm/recording/1";
/// The start of the header line. Programs that read only the moves treat the line as a comment.
const START: &str = "# recording: ";

/// A recording's header: the episode that was played.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// The game and the changes to it.
    pub game: GameArguments,
    /// The seed of the episode.
    pub seed: u64,
    /// The hash of the last state.
    pub state: String,
}

impl Header {
    /// The header line, without the line break.
    pub(crate) fn line(&self) -> String {
        let Self { game: GameArguments { game, presets, level, context, set }, seed, state } = self;
        let set: Vec<String> = set.iter().map(|(path, value)| format!("{path}={value}")).collect();
        let mut words = json!({"schema": SCHEMA, "game": game, "seed": seed, "state": state});
        let lists = [("presets", json!(presets)), ("set", json!(set))];
        for (key, value) in lists.into_iter().filter(|(_, value)| value.as_array().is_some_and(|list| !list.is_empty()))
        {
            words[key] = value;
        }
        let names = [("level", level), ("context", context)];
        for (key, name) in names.into_iter().filter_map(|(key, name)| Some((key, name.as_ref()?))) {
            words[key] = json!(name);
        }
        format!("{START}{words}")
    }

    /// Reads a recording's header. `None` if the text has no header line.
    ///
    /// # Errors
    /// Fails if the header line is invalid.
    pub(crate) fn read(text: &str) -> Option<Result<Self, String>> {
        let line = text.lines().take_while(|line| line.starts_with('#') || line.trim().is_empty());
        let words = line.filter_map(|line| line.strip_prefix(START)).next()?;
        Some(Self::parse(words))
    }

    fn parse(words: &str) -> Result<Self, String> {
        let json: Json =
            serde_json::from_str(words).map_err(|error| format!("its line `{START}` is not JSON: {error}"))?;
        let text = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
        let texts = |key: &str| -> Vec<String> {
            let list = json.get(key).and_then(Json::as_array).into_iter().flatten();
            list.filter_map(Json::as_str).map(str::to_owned).collect()
        };
        if text("schema").as_deref() != Some(SCHEMA) {
            let found = json.get("schema").cloned().unwrap_or_default();
            return Err(format!("its schema is {found}, but this program reads \"{SCHEMA}\""));
        }
        let missing = |key: &str| format!("its line `{START}` lacks `{key}`");
        let set = texts("set").iter().map(|change| crate::arguments::assignment(change)).collect::<Result<_, _>>()?;
        let game = GameArguments {
            game: text("game").ok_or_else(|| missing("game"))?,
            presets: texts("presets"),
            level: text("level"),
            context: text("context"),
            set,
        };
        let seed = json.get("seed").and_then(Json::as_u64).ok_or_else(|| missing("seed"))?;
        Ok(Self { game, seed, state: text("state").ok_or_else(|| missing("state"))? })
    }
}

/// The error for a file that is not a recording.
pub(crate) fn not_a_recording(file: &str, why: &str) -> Problems {
    let message = format!("`{file}` is not a recording that names its game: {why}");
    let help = "give the game and the seed: `farm replay GAME --seed N --actions FILE`";
    Problems(vec![
        Problem::new(CommandError::WrongActions, Path::default(), message)
            .expected("a file that `farm play GAME --record FILE` wrote")
            .help(help),
    ])
}

/// Plays schedules in order.
struct Moves<'a> {
    all: &'a [Vec<Call>],
    next: usize,
}

impl Agent for Moves<'_> {
    fn start(&mut self, _: u64) {
        self.next = 0;
    }

    fn choose(&mut self, _: &Game, _: &State, schedule: &mut Vec<Call>) {
        schedule.extend(self.all.get(self.next).into_iter().flatten());
        self.next += 1;
    }
}

/// Plays an episode's moves with an observer; returns the episode's line for the report.
///
/// # Errors
/// Fails if a step or the observer fails.
fn watch(game: &Game, seed: u64, moves: &[Vec<Call>], observer: &mut impl Observer) -> anyhow::Result<EpisodeLine> {
    let mut runner = EpisodeRunner::new(game);
    runner.name_split(SeedSplit::of(seed));
    let mut player = Moves { all: moves, next: 0 };
    runner.start(&mut player, seed, observer)?;
    for _ in moves {
        if runner.advance(&mut player, observer)?.over() {
            break;
        }
    }
    let (episode, state) = (runner.episode(), runner.state());
    let stop = runner.record().stop().map(|stop| game.text().stop_reason(stop)).unwrap_or_default();
    let mut line = EpisodeLine::default();
    (line.seed, line.total, line.steps, line.stop) = (seed, episode.total(), episode.steps(), stop);
    line.state_hash = state.hash();
    Ok(line)
}

/// Writes the films and the report for a recorded episode; returns one line per written file.
///
/// # Errors
/// Fails before the episode is played if a file has the wrong format or can't be written. Fails during the episode if a move fails.
pub(crate) fn write(
    game: &Arc<Game>,
    (arguments, seed): (&GameArguments, u64),
    moves: &[Vec<Call>],
    film: &FilmArguments,
    page: Option<&FilePath>,
) -> anyhow::Result<Vec<String>> {
    let mut film = FilmObserver::open(film, game)?;
    let page = page.map(ReportFile::open).transpose()?;
    let report = || Report::new(game.clone(), report::run(arguments, "played by hand"));
    let mut report = page.as_ref().map(|_| report()).transpose()?;
    if film.is_none() && report.is_none() {
        return Ok(Vec::new());
    }
    let line = watch(game, seed, moves, &mut (&mut film, &mut report))?;
    let films = film.map(|film| film.finish(true)).transpose()?.unwrap_or_default();
    let mut written: Vec<String> = films.iter().map(|film| format!("film: {}", film.display())).collect();
    if let (Some(page), Some(report)) = (&page, report) {
        written.push(format!("report: {}", page.save(report, &[line], true)?.display()));
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let game = GameArguments {
            game: "games/my farm.yaml".to_owned(),
            presets: vec!["4x3".to_owned(), "dry".to_owned()],
            context: None,
            level: None,
            set: vec![("fields.Field-0.shape.length#nb".to_owned(), "4".to_owned())],
        };
        let header = Header { game, seed: u64::MAX, state: "00ff".to_owned() };
        let text = format!("# Played by hand\n{}\nwait\n", header.line());
        let read = Header::read(&text).unwrap().unwrap();
        assert_eq!(read.line(), header.line());
        assert_eq!((read.seed, read.game.set, read.game.presets.len()), (u64::MAX, header.game.set, 2));
    }

    #[test]
    fn what_is_wrong_with_a_header_is_told() {
        let read = |words: &str| Header::read(&format!("{START}{words}\n")).unwrap().unwrap_err();
        assert!(read("{").contains("not JSON"));
        assert!(read(r#"{"schema": "farm/recording/9"}"#).contains("farm/recording/9"));
        assert!(read(r#"{"schema": "farm/recording/1", "game": "x", "state": ""}"#).contains("lacks `seed`"));
        assert!(Header::read("wait\n# recording: {}\n").is_none(), "a header stands before the moves");
    }
}
