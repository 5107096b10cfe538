//! Arguments that several subcommands share: the game, and the changes to it before compilation.

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
use farm_games::contexts::ContextSplit;
use farm_games::{FamilyGame, GameDocument, Options, check_split};

use crate::{memory, output};

/// The heading in the help for options that every command has.
pub(crate) const GLOBAL: &str = "Global options";

/// The arguments of every subcommand.
#[derive(Debug, Args)]
pub(crate) struct PluginArguments {
    /// Load a plugin, the library that cargo built. This runs its code. Repeatable. Env: FARM_GYM_PLUGINS
    #[arg(long = "plugin", value_name = "PATH", global = true, help_heading = GLOBAL)]
    plugins: Vec<PathBuf>,
    /// Allow game files to load the plugins that they name. This runs their code. Env: FARM_GYM_ALLOW_PLUGINS=1
    #[arg(long, global = true, help_heading = GLOBAL)]
    allow_plugins: bool,
    /// Allow game files to read files (parts, weather) outside their own folder. Env: FARM_GYM_ALLOW_OUTSIDE_FILES=1
    #[arg(long, global = true, help_heading = GLOBAL)]
    allow_outside_files: bool,
}

/// Whether the command line or the environment lets game files load plugins.
static ARE_PLUGINS_ALLOWED: AtomicBool = AtomicBool::new(false);
/// Whether the command line or the environment lets games read files outside their folders.
static ARE_OUTSIDE_FILES_ALLOWED: AtomicBool = AtomicBool::new(false);

impl PluginArguments {
    /// Loads the plugins named in the environment and on the command line.
    ///
    /// # Errors
    /// Fails at the first plugin that can't be loaded.
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

/// Whether games may read files outside their folders.
pub(crate) fn are_outside_files_allowed() -> bool {
    ARE_OUTSIDE_FILES_ALLOWED.load(Ordering::Relaxed)
}

/// The permissions given by the command line and the environment.
pub(crate) fn consent() -> Consent {
    Consent { outside_files: are_outside_files_allowed(), plugins: are_plugins_allowed() }
}

/// Whether the instructions contain the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rules {
    /// The goal, the observations and the format of actions.
    Hidden,
    /// Also the effects of actions, the rewards and the end of the game.
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
    /// A name from `farm list games`, or the path of a YAML file
    #[arg(value_name = "GAME|FILE.yaml")]
    pub game: String,
    /// Apply a variant of the game. Repeatable, applied in order
    #[arg(long = "preset", value_name = "PRESET")]
    pub presets: Vec<String>,
    /// Play a fixed world instead of one drawn from the seed: a YAML file (also of AutoEnv-36), or the name of a level of the game
    /// such as `test/03`
    #[arg(long, value_name = "FILE.yaml|NAME")]
    pub level: Option<String>,
    /// Change climate, soil and prices to a context of the game, such as `test/3` or `warmer_1/rich/low`. `farm describe GAME
    /// --contexts` lists them
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// Change a value of the game's YAML. Repeatable. `LIST.+=VALUE` appends to a list
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
}

impl GameArguments {
    /// The changes to the game.
    ///
    /// # Errors
    /// Fails if the level can't be read.
    pub(crate) fn options(&self) -> Result<Options, Problems> {
        let level = self.level.as_deref().map(|level| farm_games::level::find(&self.game, level)).transpose()?;
        Ok(Options {
            preset: self.preset(),
            context: self.context.clone(),
            level,
            set: self.set.clone(),
            allow_plugins: are_plugins_allowed(),
            allow_outside_files: are_outside_files_allowed(),
            ..Options::default()
        })
    }

    /// The presets, combined into one name: `one+other`.
    pub(crate) fn preset(&self) -> Option<String> {
        preset_of(&self.presets)
    }

    /// The game's file, if it has one. Outputs must not replace it.
    pub(crate) fn file(&self) -> (&'static str, Option<PathBuf>) {
        ("GAME", Some(PathBuf::from(&self.game)).filter(|path| path.is_file()))
    }

    /// The arguments as command-line words.
    pub(crate) fn words(&self) -> String {
        format!("{}{}", quoted(&self.game), self.changes())
    }

    /// Rejects changes if each world has its own family member.
    ///
    /// # Errors
    /// Fails if there are changes.
    pub(crate) fn check_unchanged(&self) -> Result<(), Problems> {
        let changes = self.changes();
        if changes.is_empty() {
            return Ok(());
        }
        let message = format!("`{}` has different rules in each world, so it can't be changed", self.game);
        let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(changes.trim());
        Err(Problems(vec![problem.expected("no changes, or one member such as `FAMILY@tier=5,rules=7`")]))
    }

    /// The changes as command-line words, each with a leading space.
    pub(crate) fn changes(&self) -> String {
        let changes = self.set.iter().map(|(path, value)| ("--set", format!("{path}={value}")));
        let named = self.presets.iter().map(|preset| ("--preset", preset.clone()));
        let named = named.chain(self.level.iter().map(|level| ("--level", level.clone())));
        let named = named.chain(self.context.iter().map(|context| ("--context", context.clone())));
        named.chain(changes).map(|(option, value)| format!(" {option} {}", quoted(&value))).collect()
    }

    /// The arguments for each context of a split, if `context` is the name of a split. Otherwise only these arguments.
    ///
    /// # Errors
    /// Returns every problem with the game and the changes.
    pub(crate) fn each_context(&self) -> Result<Vec<Self>, Problems> {
        let Some(split) = self.context.as_deref().and_then(ContextSplit::named) else { return Ok(vec![self.clone()]) };
        let options = self.options()?;
        let contexts = GameDocument::read(&self.game, options.consent())?.contexts(&options)?;
        let of_split = contexts.iter().filter(|context| context.split == split);
        let all: Vec<Self> =
            of_split.map(|context| Self { context: Some(context.to_string()), ..self.clone() }).collect();
        // Opening the game reports that it has no contexts.
        Ok(if all.is_empty() { vec![self.clone()] } else { all })
    }

    /// Compiles the game with its changes, and prints its warnings to standard error.
    ///
    /// # Errors
    /// Returns every problem with the game and the changes.
    pub(crate) fn open(&self) -> Result<Game, Problems> {
        self.open_with_document().map(|(_, game)| game)
    }

    /// Like [`Self::open`], and also returns its document.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub(crate) fn open_with_document(&self) -> Result<(GameDocument, Game), Problems> {
        memory::note_compiling(&self.game);
        let options = self.options()?;
        let document = GameDocument::read(&self.game, options.consent())?;
        let game = document.open(&options)?;
        output::warn(game.warnings());
        memory::note_playing(&self.game);
        Ok((document, game))
    }
}

/// A game and the seed of one of its worlds.
#[derive(Debug, Args)]
pub(crate) struct SeededGame {
    #[command(flatten)]
    pub game: GameArguments,
    /// Seed of the world, or a world of a split, such as `test/7`
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
}

impl SeededGame {
    /// Opens the game, and returns it with the seed of its world. A family draws a member and a map.
    ///
    /// # Errors
    /// Returns every problem with the game and the changes, or the seed belongs to another split than the game's rules.
    pub(crate) fn open(&self) -> Result<(Game, u64), Problems> {
        let Some(family) = FamilyGame::open(&self.game.game).transpose()? else {
            let game = self.game.open()?;
            check_split(&game, self.seed)?;
            return Ok((game, self.seed));
        };
        self.game.check_unchanged()?;
        let world = family.of_seed(self.seed)?;
        let member = GameArguments { game: world.member().to_string(), ..self.game.clone() };
        Ok((member.open()?, world.seed()))
    }
}

/// Presets that are applied in order, combined into one name.
pub(crate) fn preset_of(presets: &[String]) -> Option<String> {
    (!presets.is_empty()).then(|| presets.join(&BETWEEN_PRESETS.to_string()))
}

/// Parses an episode's seed: a seed that is not reserved for a split, or a world in a split, such as `test/7`.
///
/// # Errors
/// Returns the expected form.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    if let Some((name, index)) = text.trim().split_once('/') {
        let names = SeedSplit::ALL.map(SeedSplit::name).join(", ");
        let split = SeedSplit::named(name).ok_or_else(|| format!("unknown split `{name}`; splits: {names}"))?;
        let seed = index.parse().ok().and_then(|index| split.seed(index));
        let last = SeedSplit::WORLDS - 1;
        return seed.ok_or_else(|| format!("the worlds of a split are numbered from 0 to {last}, such as `{name}/7`"));
    }
    let seed = number(text)?;
    match SeedSplit::check(None, seed) {
        Err(SeedError::Reserved { split, .. }) => {
            let index = seed - split.seeds().start;
            Err(format!("the split `{0}` reserves this seed: write `--seed {0}/{index}`", split.name()))
        }
        _ => Ok(seed),
    }
}

/// Parses a seed that does not start an episode.
///
/// # Errors
/// Returns the expected form.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("a seed is an integer from 0 to {}", u64::MAX))
}

/// Checks that consecutive seeds all belong to the same split, or all belong to none.
///
/// # Errors
/// Returns the first seed that is reserved for another split or is not in the split.
pub(crate) fn check_seeds(first: u64, episodes: u64) -> Result<(), Problems> {
    let (named, last) = (SeedSplit::of(first), first.saturating_add(episodes.saturating_sub(1)));
    let kept =
        SeedSplit::ALL.map(|split| split.seeds().start).into_iter().find(|start| first < *start && *start <= last);
    // A whole split may lie between the first and the last seed.
    let kept = kept.filter(|_| named.is_none()).map_or(Ok(()), |kept| SeedSplit::check(None, kept));
    kept.and_then(|()| SeedSplit::check(named, last)).map_err(|error| {
        let problem = Problem::new(ParameterError::ValueOutOfRange, Path::default(), error.to_string());
        let problem = problem.value(format!("{episodes} episodes from seed {first}"));
        Problems(vec![
            problem.help("`--seed test/7` starts with world 7 of the split `test`; use fewer episodes or another seed"),
        ])
    })
}

/// The number of threads that the machine can run in parallel.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The executor for blocks of episodes: `remote`, if given, and otherwise `threads` threads (default: one per core).
pub(crate) fn executor(threads: Option<u32>, remote: Option<&dyn RemoteExecutor>) -> Executor<'_> {
    remote.map_or_else(|| Executor::Threads(threads.map_or_else(cores, |threads| threads as usize)), Executor::Remote)
}

/// Parses an integer of at least 1.
///
/// # Errors
/// Returns the expected form.
pub(crate) fn at_least_one<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = text.trim().parse::<T>().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| "expected an integer of at least 1".to_owned())
}

/// Parses an integer within bounds.
///
/// # Errors
/// Returns the expected form.
pub(crate) fn whole_within(text: &str, low: u32, high: u32) -> Result<u32, String> {
    let number = text.trim().parse::<u32>().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("expected an integer from {low} to {high}"))
}

/// Splits `path=value` at the first `=`. Values may contain more `=` signs; paths contain none.
pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => Ok((path.trim().to_owned(), value.to_owned())),
        _ => Err("expected PATH=VALUE, such as fields.Field-0.shape.length#nb=4".to_owned()),
    }
}

/// Quotes a word for a shell if necessary.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=#,:+".contains(c);
    if word.chars().all(is_plain) && !word.is_empty() && !word.starts_with('#') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
