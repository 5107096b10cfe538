//! The levels that come with the games: 15 test levels and 15 validation levels per game, from fixed seeds.

use farm_core::Game;
use farm_core::config::{NameError, Path, Problem, Problems};

use super::{LevelFile, write, write_autoenv};
use crate::{Options, catalogue, open};

/// A game's levels in a split.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// The game.
    pub game: &'static str,
    /// The purpose of these levels.
    pub split: Split,
    /// Their texts, numbered from 1.
    pub levels: [&'static str; LEVELS],
}

/// The number of levels per game and split.
pub const LEVELS: usize = 15;

/// The purpose of levels. No other code draws maps from their seeds, unless a user passes exactly these seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Split {
    /// For choosing between learners, and between their settings.
    Validation,
    /// For reported results.
    Test,
}

impl Split {
    /// All splits.
    pub const ALL: [Self; 2] = [Self::Validation, Self::Test];

    /// Its name, which is also the name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }

    /// The seed of the level with this number.
    pub fn seed(self, number: usize) -> u64 {
        let first = match self {
            Self::Validation => 1_000_000,
            Self::Test => 2_000_000,
        };
        first + number as u64
    }
}

macro_rules! levels {
    ($game:literal, $split:literal) => {
        levels!($game, $split: "01" "02" "03" "04" "05" "06" "07" "08" "09" "10" "11" "12" "13" "14" "15")
    };
    ($game:literal, $split:literal: $($number:literal)+) => {
        [$(include_str!(concat!("../../levels/", $game, "/", $split, "/", $number, ".yaml"))),+]
    };
}

/// All shipped levels.
pub const SHIPPED: [Shipped; 4] = [
    Shipped { game: "backwards_valley", split: Split::Validation, levels: levels!("backwards_valley", "validation") },
    Shipped { game: "backwards_valley", split: Split::Test, levels: levels!("backwards_valley", "test") },
    Shipped { game: "valley_farm", split: Split::Validation, levels: levels!("valley_farm", "validation") },
    Shipped { game: "valley_farm", split: Split::Test, levels: levels!("valley_farm", "test") },
];

/// A game's levels in a split, with names such as `test/03`; empty if none come with the game.
pub fn of_split(game: &str, split: Split) -> Vec<LevelFile> {
    // A game of the catalogue may be written with its version.
    let game = catalogue::entry(game).map_or(game, |entry| entry.name);
    let shipped = SHIPPED.iter().filter(|shipped| shipped.game == game && shipped.split == split);
    let named = |(i, text): (usize, &&str)| LevelFile::new(&format!("{}/{:02}", split.name(), i + 1), text);
    shipped.flat_map(|shipped| shipped.levels.iter().enumerate().map(named)).collect()
}

/// Finds a level by the name of a shipped level, such as `test/03`, or by the path of a file.
///
/// # Errors
/// The file can't be read, or the name is unknown.
pub fn find(game: &str, name: &str) -> Result<LevelFile, Problems> {
    let all: Vec<LevelFile> = Split::ALL.iter().flat_map(|split| of_split(game, *split)).collect();
    if let Some(level) = all.iter().find(|level| level.source == name) {
        return Ok(level.clone());
    }
    let path = std::path::Path::new(name);
    if crate::is_file(name) && (path.extension().is_some() || path.exists()) {
        return LevelFile::read(path);
    }
    let problem =
        Problem::new(NameError::UnknownLevel, Path::default(), format!("`{game}` has no level `{name}`")).value(name);
    let problem = problem.among(name, all.iter().map(|level| level.source.as_str()));
    Err(Problems(vec![problem.help("for a file, write its path, such as `./world.yaml`")]))
}

/// A shipped level's file: its path relative to this crate's folder, and the contents that it should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The path, such as `levels/GAME/test/03.yaml`.
    pub path: String,
    /// The level.
    pub text: String,
}

/// The files of all shipped levels, with the contents that they should have: the maps drawn from their seeds.
///
/// # Errors
/// A game in the catalogue has problems.
pub fn wanted() -> Result<Vec<Wanted>, Problems> {
    let mut files = Vec::new();
    for shipped in &SHIPPED {
        let game = open(shipped.game, &Options::default())?;
        for number in 1..=LEVELS {
            let seed = shipped.split.seed(number);
            let path = format!("levels/{}/{}/{number:02}.yaml", shipped.game, shipped.split.name());
            files.push(Wanted { path, text: of_seed(&game, None, seed)? });
        }
    }
    Ok(files)
}

/// The map drawn from a seed, as a level.
///
/// # Errors
/// The game has no levels.
pub fn of_seed(game: &Game, preset: Option<&str>, seed: u64) -> Result<String, Problems> {
    of_seed_in(game, preset, seed, LevelFormat::Native)
}

/// A level format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelFormat {
    /// The format of this project.
    #[default]
    Native,
    /// The format of AutoEnv-36.
    AutoEnv,
}

/// The map drawn from a seed, as a level in this format.
///
/// # Errors
/// The game has no levels, or the format can't describe the map.
pub fn of_seed_in(game: &Game, preset: Option<&str>, seed: u64, format: LevelFormat) -> Result<String, Problems> {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    let preset = preset.map_or(String::new(), |preset| format!(" ({preset})"));
    let heading = format!("The world of seed {seed} of {}{preset}.", game.spec().name());
    match format {
        LevelFormat::Native => write(game, &state, &heading),
        LevelFormat::AutoEnv => write_autoenv(game, &state, &heading),
    }
}
