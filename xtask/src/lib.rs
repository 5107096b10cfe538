//! What the tasks of the repository share: where it is, and the tasks that `xtask-generate` carries out.
//!
//! `cargo xtask` itself builds in seconds, so that a skeleton is written soon after a clone. What needs the games, the documentation's
//! tools or random laws stands in the crate `xtask-generate`, which `cargo xtask` builds and starts.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

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
    /// Writes the levels that come with the games, from their fixed seeds
    Levels {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Draws the rules of all published members of families anew, and writes which draw gives each
    Rules {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Plays the studies that come with the project, draws them, and writes what holds into the pages "How right is it?" and "Studies"; draws the tables of "What daily watering yields"
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
    /// Builds the documentation site, with reference pages of everything that is registered, and follows its links
    Docs {
        /// Only checks: builds into a folder that is removed again, without the pages of the crates
        #[arg(long)]
        check: bool,
        /// Takes the pages of the crates from this folder that rustdoc has written; without --check they are written first
        #[arg(long, value_name = "DIR", conflicts_with = "check")]
        rust: Option<PathBuf>,
    },
    /// Writes start, actions and score of a game into files of their own, with every entry that the game could have
    Template {
        /// A game of the catalogue, or the path of a YAML file
        game: String,
        /// The folder to write into
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// A variant that the game names
        #[arg(long)]
        preset: Option<String>,
        /// Writes over files that are there
        #[arg(long)]
        force: bool,
    },
    /// Searches for play that beats a game's expert, or says how much of what is earned is luck, or compares policies
    Exploits(Exploits),
    /// Makes the results of all named policies anew, or plays some of their episodes again and compares bit for bit
    Evidence(Evidence),
    /// Searches and tunes the best policies that are known of the games, which come with them as `best_known`
    BestKnown(BestKnown),
}

/// Which games, and how long to search.
#[derive(Debug, Clone, Args)]
pub struct BestKnown {
    /// Games of the catalogue, with commas between them; all with an expert that can be searched if not given
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
    /// Seed of the search; those of tuning, choice and judgement are millions further
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Which results, and how many of their episodes.
#[derive(Debug, Clone, Args)]
pub struct Evidence {
    /// Plays episodes again and compares, instead of writing all anew
    #[arg(long)]
    pub check: bool,
    /// The share of the episodes that are played again
    #[arg(long, default_value_t = 0.1)]
    pub share: f64,
    /// The seed by which these episodes are drawn
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Games, with commas between them; all that have results if not given
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// The kinds of results that are played again, with commas between them: planned episodes take long
    #[arg(long, value_delimiter = ',', default_value = "named,planned,hindsight")]
    pub kinds: Vec<String>,
}

/// What to search, and how long.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXPLOITS)]
pub struct Exploits {
    /// Games of the catalogue or paths of YAML files, with commas between them; all of the catalogue with an expert if not given
    #[arg(long, value_delimiter = ',')]
    pub games: Vec<String>,
    /// A variant of the games; those of the catalogue that lack it are left out
    #[arg(long)]
    pub preset: Option<String>,
    /// A change of the games, such as score.BasicScore.default_intervention_cost=0.1; may be given several times
    #[arg(long, value_name = "PATH=VALUE", value_parser = change)]
    pub set: Vec<(String, String)>,
    /// The policy that nothing may beat by more than a tenth; `best_known` of games that have one, else `expert`, if not given
    #[arg(long, value_name = "POLICY")]
    pub expert: Option<String>,
    /// Number of candidates for each game
    #[arg(long, default_value_t = 300)]
    pub candidates: usize,
    /// Number of episodes that the best candidates play in the search
    #[arg(long, default_value_t = 48)]
    pub episodes: usize,
    /// Number of episodes on which the best are judged, and of those of a comparison
    #[arg(long, default_value_t = 400)]
    pub fresh: u64,
    /// Seed of the search; those on which the best are chosen and judged are 3000000 and 2000000 further
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Number of threads; as many as the machine has if not given
    #[arg(long)]
    pub threads: Option<usize>,
    /// The folder for tables and policies; `target/exploits` if not given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Divides the variance of the expert and its best variants, or of the policies of `--compare`, into policy, weather, both and dice
    #[arg(long)]
    pub luck: bool,
    /// Compares policies of the games, or files of policies, with commas between them, on common seeds
    #[arg(long, value_delimiter = ',', value_name = "POLICIES")]
    pub compare: Vec<String>,
}

/// The crates whose pages the site has: what parts, games and programs of one's own are made of.
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
                                                                 how much of what these earn
  cargo xtask exploits --games full_farm --compare expert,wait   paired differences of policies

It fails if the best that is found earns more than 1.10 times what the expert does, beyond chance, or if naive play earns as much as
the expert. Equal arguments give equal results, whatever the number of threads. What was found is written as a policy:
`farm eval GAME --policy FILE --paired-with expert` plays it.";

fn change(text: &str) -> Result<(String, String), String> {
    let (path, value) = text.split_once('=').ok_or("expected PATH=VALUE")?;
    Ok((path.to_owned(), value.to_owned()))
}

/// The top of the repository, from the crate that cargo runs or, without cargo, from the crate that was built. Cargo says where the crate is
/// when it runs it, wherever the repository has been moved.
pub fn repository(built: &str) -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(built), PathBuf::from);
    let top = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file() && folder.join("xtask").is_dir());
    top.map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The folder of everything that is built.
pub fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from))
}
