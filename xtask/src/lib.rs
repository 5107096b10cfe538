//! Code that the repository's tasks share: the path of the repository, and the tasks in `xtask-generate`.
//!
//! `cargo xtask` itself builds in seconds, so that writing a skeleton in a fresh clone is fast. Tasks that need the games, the
//! documentation tools or random distributions are in the crate `xtask-generate`, which `cargo xtask` builds and starts.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

/// The tasks of `xtask-generate`. Both programs read them, so that `cargo xtask TASK --help` answers at once.
#[derive(Debug, Subcommand)]
pub enum Generate {
    /// Writes the built-in weather of Montpellier from its climate normals
    Weather {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Checks that every equation of the equation sheet has a function and a test
    Equations,
    /// Writes the levels of the games, from their fixed seeds
    Levels {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Redraws the rules of all published family members, and records the draw of each
    Rules {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Plays and draws the project's studies, writes their verdicts into the documentation, and draws its tables of daily watering
    Curves {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Writes the JSON Schemas of game files, of levels and of parameter sets from the declarations of all kinds
    Schema {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Writes the licence texts of all crates that are linked into the program and the Python package
    Notices {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Builds the documentation site, with reference pages for everything that is registered, and checks its links
    Docs {
        /// Only checks: builds into a temporary folder, without the pages of the crates
        #[arg(long)]
        check: bool,
        /// Takes the pages of the crates from this folder, written by rustdoc (default: rustdoc writes them first)
        #[arg(long, value_name = "DIR", conflicts_with = "check")]
        rust: Option<PathBuf>,
    },
    /// Writes start, actions and score of a game into separate files, with every possible entry
    Template {
        /// A game from the catalogue, or the path of a YAML file
        game: String,
        /// The folder to write into
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// A preset of the game
        #[arg(long)]
        preset: Option<String>,
        /// Overwrites existing files
        #[arg(long)]
        force: bool,
    },
    /// Searches for policies that beat a game's expert, or estimates the share of luck in returns, or compares policies
    Exploits(Exploits),
    /// Measures how deep the games are: what calendars, looks, forecasts, rules and plans are worth
    Depth(Depth),
    /// Regenerates the results of all named policies, or replays some of their episodes and compares bit for bit
    Evidence(Evidence),
    /// Searches and tunes the best known policies of the games, which are part of the games as `best_known`
    BestKnown(BestKnown),
}

/// The games, and the length of the search.
#[derive(Debug, Clone, Args)]
pub struct BestKnown {
    /// Games of the catalogue, separated by commas (default: all with an expert that can be searched)
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// Number of candidates of the search
    #[arg(long, default_value_t = 600)]
    pub candidates: usize,
    /// Number of episodes that the best candidates play in the search
    #[arg(long, default_value_t = 48)]
    pub episodes: usize,
    /// Number of episodes of each tuning
    #[arg(long, default_value_t = 20_000)]
    pub budget: usize,
    /// Number of episodes on which the best is judged
    #[arg(long, default_value_t = 1000)]
    pub fresh: u64,
    /// Seed of the search; the seeds of tuning, choice and judgement are millions higher
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// The seed and the threads of a search.
#[derive(Debug, Clone, Args)]
pub struct SearchRun {
    /// Seed of the search; the seeds on which the best are chosen and judged are 3000000 and 2000000 higher
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Number of threads (default: one per core)
    #[arg(long)]
    pub threads: Option<usize>,
}

impl SearchRun {
    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get))
    }
}

/// The games, and the length of the measurements.
#[derive(Debug, Clone, Args)]
pub struct Depth {
    /// Games of the catalogue or paths of YAML files, separated by commas (default: all with an expert, without grids of tiles)
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// Number of candidates of each search
    #[arg(long, default_value_t = 5000)]
    pub candidates: usize,
    /// Number of fresh seeds
    #[arg(long, default_value_t = 1000)]
    pub seeds: u64,
    /// Number of these seeds on which the planner plays
    #[arg(long, default_value_t = 100)]
    pub plan_seeds: u64,
    /// Number of trials of each plan
    #[arg(long, default_value_t = 192)]
    pub plan_trials: usize,
    /// The seed and the threads.
    #[command(flatten)]
    pub run: SearchRun,
    /// The folder for the files of the games (default: `results/depth`); a game with such a file is not measured again
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Only writes the table of the files into `docs/exploits.md`
    #[arg(long)]
    pub table: bool,
}

/// The results, and the share of their episodes.
#[derive(Debug, Clone, Args)]
pub struct Evidence {
    /// Replays episodes and compares them, instead of regenerating everything
    #[arg(long)]
    pub check: bool,
    /// The share of the episodes that are replayed
    #[arg(long, default_value_t = 0.1)]
    pub share: f64,
    /// The seed that selects these episodes
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Games, separated by commas (default: all that have results)
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// The kinds of results that are replayed, separated by commas; planned episodes take long
    #[arg(long, value_delimiter = ',', default_value = "named,planned,hindsight")]
    pub kinds: Vec<String>,
}

/// The games and policies, and the length of the search.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXPLOITS)]
pub struct Exploits {
    /// Games of the catalogue or paths of YAML files, separated by commas (default: all of the catalogue with an expert)
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// A variant of the games; games of the catalogue without it are left out
    #[arg(long)]
    pub preset: Option<String>,
    /// A change of the games, such as score.BasicScore.default_intervention_cost=0.1; may be given several times
    #[arg(long, value_name = "PATH=VALUE", value_parser = change)]
    pub set: Vec<(String, String)>,
    /// The policy that no other may beat by more than 10 % (default: `best_known` of games that have it, otherwise `expert`)
    #[arg(long, value_name = "POLICY")]
    pub expert: Option<String>,
    /// Number of candidates for each game
    #[arg(long, default_value_t = 300)]
    pub candidates: usize,
    /// Number of episodes that the best candidates play in the search
    #[arg(long, default_value_t = 48)]
    pub episodes: usize,
    /// Number of episodes on which the best are judged, and of each policy in a comparison
    #[arg(long, default_value_t = 400)]
    pub fresh: u64,
    /// The seed and the threads.
    #[command(flatten)]
    pub run: SearchRun,
    /// The folder for tables and policies (default: `target/exploits`)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Divides the variance of returns into policy, weather, both and dice, for the expert and its best variants or for `--compare`
    #[arg(long)]
    pub luck: bool,
    /// Compares policies of the games, or files of policies, separated by commas, on common seeds
    #[arg(long, value_delimiter = ',', value_name = "POLICIES")]
    pub compare: Vec<String>,
}

/// The crates that have pages on the site. Users write parts, games and programs with these crates.
pub const RUST_PAGES: [&str; 14] = [
    "farm-core",
    "farm-macros",
    "farm-roles",
    "farm-entities",
    "farm-scoring",
    "farm-games",
    "farm-oracle",
    "farm-search",
    "farm-study",
    "farm-testkit",
    "farm-plot",
    "farm-render",
    "farm-monitor",
    "farm-report",
];

const EXPLOITS: &str = "\
EXAMPLES:
  cargo xtask exploits                                           all games with an expert; some minutes
  cargo xtask exploits --games full_farm --preset 4x3            one of them, in a variant
  cargo xtask exploits --games full_farm --candidates 1000       a longer search
  cargo xtask exploits --games full_farm --luck                  how much is luck
  cargo xtask exploits --games farm0 --luck --compare expert,without_forecast
                                                                 how much of their returns
  cargo xtask exploits --games full_farm --compare expert,wait   paired differences of policies

It fails if the best policy found earns significantly more than 1.10 times the expert, or if naive play earns as much as the expert.
Equal arguments give equal results, with any number of threads. The best policy found is written to a file:
`farm eval GAME --policy FILE --paired-with expert` plays it.";

fn change(text: &str) -> Result<(String, String), String> {
    let (path, value) = text.split_once('=').ok_or("expected PATH=VALUE")?;
    Ok((path.to_owned(), value.to_owned()))
}

/// The top of the repository. It is found from the crate that cargo runs or, without cargo, from the crate that was built. Cargo passes the
/// crate's current path, even if the repository was moved.
pub fn repository(built: &str) -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(built), PathBuf::from);
    let top = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file() && folder.join("xtask").is_dir());
    top.map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The target directory.
pub fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from))
}
