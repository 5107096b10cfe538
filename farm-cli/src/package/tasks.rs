//! The worlds of a package: one row of JSON each, by split, with what its score is measured by.

use farm_agents::Baseline;
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_core::{Game, SeedSplit, in_parallel};
use farm_games::Options;
use farm_games::families::Ladder;
use serde_json::{Value as Json, json};

use crate::arguments::{GameArguments, cores};

/// The file of a package that holds a game which has no name of its own.
const GAME_FILE: &str = "game.yaml";

/// Turns without a limit in the game.
const ENDLESS: u64 = 10_000;

/// The worlds of a package.
#[derive(Debug)]
pub(super) struct Tasks {
    /// The rows of each split.
    pub splits: Vec<(SeedSplit, Vec<Json>)>,
    /// The game as YAML, where it is a file or was changed; the rows name it by [`GAME_FILE`].
    pub game: Option<String>,
    /// The most turns of an episode.
    pub max_turns: u64,
}

/// The games of the worlds.
enum Source {
    /// Each world has a member of its own.
    Ladder(Ladder),
    /// All have this one, by the name that rows give it.
    Game(Box<Game>, String),
}

impl Tasks {
    /// So many worlds of each split.
    ///
    /// # Errors
    /// Problems of the game; changes to members that differ from world to world; a step that fails.
    pub(super) fn of(game: &GameArguments, count: u32) -> anyhow::Result<Self> {
        let (source, yaml) = match Ladder::parse(&game.game).transpose()? {
            Some(ladder) => {
                check_unchanged(game)?;
                (Source::Ladder(ladder), None)
            }
            None => {
                let opened = game.open()?;
                let is_plain = !farm_games::is_file(&game.game) && game.changes().is_empty();
                let yaml = if is_plain { None } else { Some(opened.spec().to_yaml()?) };
                let name = if is_plain { game.game.clone() } else { GAME_FILE.to_owned() };
                (Source::Game(Box::new(opened), name), yaml)
            }
        };
        let worlds: Vec<(SeedSplit, u64)> = SeedSplit::ALL
            .into_iter()
            .flat_map(|split| (0..u64::from(count)).map(move |index| (split, index)))
            .collect();
        let rows = in_parallel(worlds.len(), cores(), || (), |_: &mut (), i| source.row(worlds[i].0, worlds[i].1));
        let (mut splits, mut max_turns) = (Vec::new(), 0);
        for ((split, index), row) in worlds.into_iter().zip(rows) {
            let (row, turns) = row?;
            if index == 0 {
                splits.push((split, Vec::new()));
            }
            if let Some((_, rows)) = splits.last_mut() {
                rows.push(row);
            }
            max_turns = max_turns.max(turns);
        }
        Ok(Self { splits, game: yaml, max_turns })
    }

    /// The rows of a split as JSON lines.
    pub(super) fn lines(rows: &[Json]) -> String {
        rows.iter().map(|row| format!("{row}\n")).collect()
    }
}

impl Source {
    /// A world as a row, and the most turns that an episode of it has.
    fn row(&self, split: SeedSplit, index: u64) -> anyhow::Result<(Json, u64)> {
        let id = format!("{}-{index}", split.name());
        let row = |game: &Game, name: String, seed: u64| -> anyhow::Result<(Json, u64)> {
            let baseline = Baseline::of(game, seed)?;
            let turns = game.most_steps().map_or(ENDLESS, |steps| steps.saturating_mul(2));
            let row = json!({
                "id": id,
                "split": split.name(),
                "game": name,
                "seed": seed,
                "waiting": baseline.waiting,
                "best": baseline.best.map(|best| best.value),
                "best_is": baseline.best.map(|best| best.kind.name()),
            });
            Ok((row, turns))
        };
        match self {
            Self::Ladder(ladder) => {
                let world = ladder.world(split, index)?;
                let name = world.member().to_string();
                row(&farm_games::open(&name, &Options::default())?, name, world.seed())
            }
            Self::Game(game, name) => row(game, name.clone(), split.seeds().start + index),
        }
    }
}

/// Refuses changes of games that differ from world to world.
fn check_unchanged(game: &GameArguments) -> Result<(), Problems> {
    let changes = game.changes();
    if changes.is_empty() {
        return Ok(());
    }
    let message = format!("`{}` is a member of its own in each world, which can't be changed", game.game);
    let problem = Problem::new(NameError::UnknownGame, Path::default(), message).value(changes.trim());
    Err(Problems(vec![problem.expected("no changes, or one member such as `backwards_valley@tier=5,rules=7`")]))
}
