//! A package's worlds, by split. Each world is a JSON row with the reference values for its score.

use farm_agents::Baseline;
use farm_core::config::Problems;
use farm_core::{Game, SeedSplit, in_parallel};
use farm_games::families::{Ladder, SplitWorld, Told};
use farm_games::{GameDocument, Options};
use serde_json::{Value as Json, json};

use crate::arguments::{GameArguments, cores};

/// The file in a package that contains the game, if the game is not built in.
const GAME_FILE: &str = "game.yaml";

/// The maximum number of turns in games without a step limit.
const ENDLESS: u64 = 10_000;

/// A package's worlds.
#[derive(Debug)]
pub(super) struct Tasks {
    /// The rows in each split.
    pub splits: Vec<(SeedSplit, Vec<Json>)>,
    /// The game as YAML, if it comes from a file or was changed. The rows refer to it as [`GAME_FILE`].
    pub game: Option<String>,
    /// The maximum number of turns in an episode.
    pub max_turns: u64,
}

/// The games for the worlds.
enum Source {
    /// Each world has its own family member.
    Ladder(Ladder),
    /// All worlds use this game, under this name in the rows.
    Game(Box<Game>, String),
}

/// The game as self-contained YAML.
///
/// # Errors
/// Fails if the game needs other files.
fn written(game: &Game) -> anyhow::Result<String> {
    let yaml = game.spec().to_yaml()?;
    let again = GameDocument::parse(GAME_FILE, &yaml).and_then(|source| source.open(&Options::default()))?;
    if again.fingerprint() != game.fingerprint() {
        anyhow::bail!("`{}` needs other files, which a package does not contain", game.spec().name());
    }
    Ok(yaml)
}

impl Tasks {
    /// The first `count` worlds in each split.
    ///
    /// # Errors
    /// Fails if the game has errors, if changes are made to a family without fixed rules, or if a step fails.
    pub(super) fn of(game: &GameArguments, count: u32) -> anyhow::Result<Self> {
        let (source, yaml) = match Ladder::parse(&game.game).transpose()? {
            Some(ladder) => {
                game.check_unchanged()?;
                (Source::Ladder(ladder), None)
            }
            None => {
                let opened = game.open()?;
                let is_plain = !farm_games::is_file(&game.game) && game.changes().is_empty();
                let yaml = if is_plain { None } else { Some(written(&opened)?) };
                let name = if is_plain { game.game.clone() } else { GAME_FILE.to_owned() };
                (Source::Game(Box::new(opened), name), yaml)
            }
        };
        let (mut splits, mut max_turns) = (Vec::new(), 0);
        for split in SeedSplit::ALL {
            let worlds = source.worlds(split, u64::from(count))?;
            let found = in_parallel(worlds.len(), cores(), || (), |_: &mut (), i| source.row(split, &worlds[i]));
            let mut rows = Vec::new();
            for found in found {
                let (row, turns) = found?;
                rows.push(row);
                max_turns = max_turns.max(turns);
            }
            splits.push((split, rows));
        }
        Ok(Self { splits, game: yaml, max_turns })
    }

    /// A split's rows as JSON Lines.
    pub(super) fn lines(rows: &[Json]) -> String {
        rows.iter().map(|row| format!("{row}\n")).collect()
    }
}

/// A world: its name, its own game if it has one, its seed, and whether its rules are shown regardless of the package's setting.
struct World {
    id: String,
    game: Option<String>,
    seed: u64,
    is_shown: bool,
}

impl Source {
    /// The first worlds in a split; if there are tiers, the first worlds on each tier.
    fn worlds(&self, split: SeedSplit, count: u64) -> Result<Vec<World>, Problems> {
        let name = split.name();
        let Self::Ladder(ladder) = self else {
            let seeds = split.seeds();
            let world =
                |index| World { id: format!("{name}-{index}"), game: None, seed: seeds.start + index, is_shown: false };
            return Ok((0..count).map(world).collect());
        };
        let world = |world: &SplitWorld| World {
            id: format!("tier-{}-{name}-{}", world.tier().number, world.index()),
            game: Some(world.member().to_string()),
            seed: world.seed(),
            is_shown: world.tier().told == Told::Shown,
        };
        Ok(ladder.worlds(split, count)?.iter().map(world).collect())
    }

    /// A world as a row, and the maximum number of turns in its episodes.
    fn row(&self, split: SeedSplit, world: &World) -> anyhow::Result<(Json, u64)> {
        let row = |game: &Game, name: &str| -> anyhow::Result<(Json, u64)> {
            let baseline = Baseline::of(game, world.seed)?;
            let turns = game.most_steps().map_or(ENDLESS, |steps| steps.saturating_mul(2));
            let mut row = json!({
                "id": world.id,
                "split": split.name(),
                "game": name,
                "seed": world.seed,
                "waiting": baseline.waiting,
                "best": baseline.best.map(|best| best.value),
                "best_is": baseline.best.map(|best| best.kind.name()),
            });
            if world.is_shown {
                row["rules"] = json!("shown");
            }
            Ok((row, turns))
        };
        match (self, &world.game) {
            (Self::Game(game, name), _) => row(game, name),
            (Self::Ladder(_), name) => {
                let name = name.as_deref().unwrap_or_default();
                row(&farm_games::open(name, &Options::default())?, name)
            }
        }
    }
}
