//! What several subcommands are given: a game, and how it is changed before it is compiled.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};
use farm_core::config::{
    BETWEEN_PRESETS, Consent, ParameterError, Path, Problem, Problems, are_outside_files_allowed_by_environment,
};
use farm_core::inspect::RulesText;
use farm_core::plugin::{self, LoadError};
use farm_core::{Executor, Game, RemoteExecutor, SeedError, SeedSplit};
use farm_games::{GameSource, Options};

use crate::{memory, output};

/// What every subcommand is given.
#[derive(Debug, Args)]
pub(crate) struct PluginArguments {
    /// Loads a plugin, which runs its code: the library that cargo built; may be given several times, and so may paths in the
    /// environment variable FARM_GYM_PLUGINS
    #[arg(long = "plugin", value_name = "PATH", global = true)]
    plugins: Vec<PathBuf>,
    /// Lets game files load the plugins that they name, which runs their code; so does FARM_GYM_ALLOW_PLUGINS=1
    #[arg(long, global = true)]
    allow_plugins: bool,
    /// Lets games read files (parts, weather) outside of their own folder; so does FARM_GYM_ALLOW_OUTSIDE_FILES=1
    #[arg(long, global = true)]
    allow_outside_files: bool,
}

/// Whether game files may load plugins, as the command line or the environment says.
static ARE_PLUGINS_ALLOWED: AtomicBool = AtomicBool::new(false);
/// Whether games may read outside of their folders, likewise.
static ARE_OUTSIDE_FILES_ALLOWED: AtomicBool = AtomicBool::new(false);

impl PluginArguments {
    /// Loads the plugins that the environment and the command line name.
    ///
    /// # Errors
    /// The first that is refused.
    pub(crate) fn load(&self) -> Result<(), Problems> {
        let is_allowed = self.allow_plugins || plugin::is_allowed_by_environment();
        ARE_PLUGINS_ALLOWED.store(is_allowed, Ordering::Relaxed);
        let is_allowed = self.allow_outside_files || are_outside_files_allowed_by_environment();
        ARE_OUTSIDE_FILES_ALLOWED.store(is_allowed, Ordering::Relaxed);
        let refused = |refused: LoadError| Problems(vec![refused.problem(Path::default())]);
        plugin::load_from_environment().map_err(refused)?;
        plugin::load_all(self.plugins.iter().cloned()).map_err(refused)?;
        Ok(())
    }
}

/// Whether game files may load the plugins that they name.
pub(crate) fn are_plugins_allowed() -> bool {
    ARE_PLUGINS_ALLOWED.load(Ordering::Relaxed)
}

/// Whether games may read files outside of their folders.
pub(crate) fn are_outside_files_allowed() -> bool {
    ARE_OUTSIDE_FILES_ALLOWED.load(Ordering::Relaxed)
}

/// What the command line and the environment agree to for games.
pub(crate) fn consent() -> Consent {
    Consent { outside_files: are_outside_files_allowed(), plugins: are_plugins_allowed() }
}

/// Whether instructions tell the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rules {
    /// What is seen, how actions are written, and the goal.
    Hidden,
    /// Also what actions do, what pays, and when the game ends.
    Shown,
}

impl From<Rules> for RulesText {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Hidden => Self::Hidden,
            Rules::Shown => Self::Shown,
        }
    }
}

/// A game and the changes to it.
#[derive(Debug, Clone, Args)]
pub(crate) struct GameArguments {
    /// A game of the catalogue (`farm list games`), or the path of a YAML file
    #[arg(value_name = "GAME|FILE.yaml")]
    pub game: String,
    /// A variant that the game names; may be given several times, and the variants are applied in this order
    #[arg(long = "preset", value_name = "PRESET")]
    pub presets: Vec<String>,
    /// A world to play in, instead of one drawn from the seed: a YAML file, also one of AutoEnv-36, or the name of a level that
    /// comes with the game, such as `test/03`
    #[arg(long, value_name = "FILE.yaml|NAME")]
    pub level: Option<String>,
    /// Changes a value of the game's YAML; may be given several times, and `LIST.+=VALUE` adds to a list
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
}

impl GameArguments {
    /// The changes to the game.
    ///
    /// # Errors
    /// A level that can't be read.
    pub(crate) fn options(&self) -> Result<Options, Problems> {
        let level = self.level.as_deref().map(|level| farm_games::level::find(&self.game, level)).transpose()?;
        Ok(Options {
            preset: self.preset(),
            level,
            set: self.set.clone(),
            allow_plugins: are_plugins_allowed(),
            allow_outside_files: are_outside_files_allowed(),
            ..Options::default()
        })
    }

    /// The presets as one name, `one+other`.
    pub(crate) fn preset(&self) -> Option<String> {
        preset_of(&self.presets)
    }

    /// The file of the game, where it is one: what is written must not replace it.
    pub(crate) fn file(&self) -> (&'static str, Option<PathBuf>) {
        ("GAME", Some(PathBuf::from(&self.game)).filter(|path| path.is_file()))
    }

    /// The arguments as they are written on a command line.
    pub(crate) fn words(&self) -> String {
        format!("{}{}", quoted(&self.game), self.changes())
    }

    /// Refuses changes of a game that differs from world to world.
    ///
    /// # Errors
    /// Changes.
    pub(crate) fn check_unchanged(&self) -> Result<(), Problems> {
        let changes = self.changes();
        if changes.is_empty() {
            return Ok(());
        }
        let message = format!("`{}` is a member of its own in each world, which can't be changed", self.game);
        let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(changes.trim());
        Err(Problems(vec![problem.expected("no changes, or one member such as `FAMILY@tier=5,rules=7`")]))
    }

    /// What is changed of the game, as it is written on a command line after its name, each option with a space before it.
    pub(crate) fn changes(&self) -> String {
        let changes = self.set.iter().map(|(path, value)| ("--set", format!("{path}={value}")));
        let named = self.presets.iter().map(|preset| ("--preset", preset.clone()));
        let named = named.chain(self.level.iter().map(|level| ("--level", level.clone())));
        named.chain(changes).map(|(option, value)| format!(" {option} {}", quoted(&value))).collect()
    }

    /// Compiles the game with its changes; its warnings go to standard error.
    ///
    /// # Errors
    /// Every problem of the game and of the changes.
    pub(crate) fn open(&self) -> Result<Game, Problems> {
        self.open_with_source().map(|(_, game)| game)
    }

    /// The same, with what was written.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub(crate) fn open_with_source(&self) -> Result<(GameSource, Game), Problems> {
        memory::note_compiling(&self.game);
        let options = self.options()?;
        let source = GameSource::read(&self.game, options.consent())?;
        let game = source.open(&options)?;
        output::warn(game.warnings());
        memory::note_playing(&self.game);
        Ok((source, game))
    }
}

/// Presets that are applied one after the other, as one name.
pub(crate) fn preset_of(presets: &[String]) -> Option<String> {
    (!presets.is_empty()).then(|| presets.join(&BETWEEN_PRESETS.to_string()))
}

/// A seed of episodes: a number that is kept for no split, or a world of a split by its name and number, such as `test/7`.
///
/// # Errors
/// What a seed is.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    if let Some((name, index)) = text.trim().split_once('/') {
        let names = SeedSplit::ALL.map(SeedSplit::name).join(", ");
        let split = SeedSplit::named(name).ok_or_else(|| format!("there is no split `{name}`: {names}"))?;
        let seed = index.parse().ok().and_then(|index| split.seed(index));
        let last = SeedSplit::WORLDS - 1;
        return seed.ok_or_else(|| format!("the worlds of a split are numbered from 0 to {last}, such as `{name}/7`"));
    }
    let seed = number(text)?;
    match SeedSplit::check(None, seed) {
        Err(SeedError::Reserved { split, .. }) => {
            let index = seed - split.seeds().start;
            Err(format!("it is kept for the split `{0}`: `--seed {0}/{index}` names that", split.name()))
        }
        _ => Ok(seed),
    }
}

/// A seed of anything but episodes.
///
/// # Errors
/// What a seed is.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// Whether so many episodes from a seed on are of one split, or of none.
///
/// # Errors
/// The first seed that is kept for another split, or none that the split has.
pub(crate) fn check_seeds(first: u64, episodes: u64) -> Result<(), Problems> {
    let (named, last) = (SeedSplit::of(first), first.saturating_add(episodes.saturating_sub(1)));
    let kept =
        SeedSplit::ALL.map(|split| split.seeds().start).into_iter().find(|start| first < *start && *start <= last);
    // Between the first and the last seed there may be a split as a whole.
    let kept = kept.filter(|_| named.is_none()).map_or(Ok(()), |kept| SeedSplit::check(None, kept));
    kept.and_then(|()| SeedSplit::check(named, last)).map_err(|error| {
        let problem = Problem::new(ParameterError::ValueOutOfRange, Path::default(), error.to_string());
        let problem = problem.value(format!("{episodes} episodes from seed {first} on"));
        Problems(vec![
            problem
                .help("`--seed test/7` begins with world 7 of the split `test`; take fewer episodes, or another seed"),
        ])
    })
}

/// The threads that a machine runs at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Who plays blocks of episodes: somebody else, if there is one, or so many threads; as many as the machine has if nothing is said.
pub(crate) fn executor(threads: Option<u32>, remote: Option<&dyn RemoteExecutor>) -> Executor<'_> {
    remote.map_or_else(|| Executor::Threads(threads.map_or_else(cores, |threads| threads as usize)), Executor::Remote)
}

/// A number of things, at least one.
///
/// # Errors
/// What was expected.
pub(crate) fn at_least_one<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = text.trim().parse::<T>().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

/// A whole number within bounds.
///
/// # Errors
/// What was expected.
pub(crate) fn whole_within(text: &str, low: u32, high: u32) -> Result<u32, String> {
    let number = text.trim().parse::<u32>().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("expected a whole number from {low} to {high}"))
}

/// Splits `path=value` at the first `=`: values may hold more of them, paths hold none.
pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => Ok((path.trim().to_owned(), value.to_owned())),
        _ => Err("expected PATH=VALUE, such as fields.Field-0.shape.length#nb=4".to_owned()),
    }
}

/// A word as a shell reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=#,:+".contains(c);
    if word.chars().all(is_plain) && !word.is_empty() && !word.starts_with('#') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
