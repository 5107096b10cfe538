//! `cargo xtask evidence`: checks that the published results are reproducible.
//!
//! Every policy and the planner replay some of their episodes, selected by a seed. Fingerprints and returns must be equal to the last bit.
//! To reproduce learners' results, run the commands in their files, which takes hours; this task only counts these results.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::Parser;
use farm_core::config::Origin;
use farm_core::{EpisodeRunner, Game, NoObserver, hash_name, in_parallel, mix};
use farm_games::catalogue::BEST_KNOWN_POLICY;
use farm_games::{CATALOGUE, Options};
use farm_results::{ResultsFile, gather};
use farm_search::plan::{Foresight, PlanSettings, play_planned};
use farm_search::policy_of;
use xtask::Evidence;

/// The results folder, relative to the top of the repository.
const FOLDER: &str = "results";
/// The kind of policy that a game or the engine names.
const NAMED: &str = "named";
/// The kinds of policy that this program can't replay.
const LEARNT: [&str; 2] = ["trained", "tuned"];
/// Number of unseen seeds for each policy, and the first of these seeds.
const EPISODES: &str = "500";
const FIRST_SEED: &str = "1000000";
/// Maximum number of plots in a farm for which plans are published.
const FEW_PLOTS: u32 = 4;
/// Maximum number of differing files to show.
const SHOWN: usize = 10;
/// Number of these seeds for which plans are computed.
const PLANNED: &str = "200";
/// Number of trials for a plan, and number of steps for which the plan is played.
const BUDGET: &str = "48";
const EVERY: &str = "8";

/// The replayed results.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    /// Number of files whose policy was replayed.
    pub files: usize,
    /// Number of replayed episodes.
    pub episodes: usize,
    /// Number of learners' files, which are not replayed.
    pub learnt: usize,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, episodes, learnt } = self;
        write!(f, "{files} files of results: {episodes} of their episodes are the same, bit for bit")?;
        if *learnt > 0 {
            write!(f, "; {learnt} more are results of learners, which the commands in them reproduce")?;
        }
        Ok(())
    }
}

/// Regenerates all results of named policies with the optimised program, and their page.
///
/// # Errors
/// A program can't be built, or it fails.
pub(crate) fn write(root: &Path, request: &Evidence) -> anyhow::Result<()> {
    for game in games(request) {
        farm(root, &["eval", &game, "--episodes", EPISODES, "--seed", FIRST_SEED, "--results", FOLDER])?;
        if let Some(base) = plans(&game)? {
            let settings = ["--base", base, "--budget", BUDGET, "--every", EVERY, "--future", "known"];
            let plan = ["plan", &game, "--episodes", PLANNED, "--seed", FIRST_SEED, "--results", FOLDER];
            farm(root, &[&plan[..], &settings].concat())?;
        }
    }
    farm(root, &["results", "--summary"])
}

/// The requested games; default: all in the catalogue.
fn games(request: &Evidence) -> Vec<String> {
    match request.games.as_slice() {
        [] => CATALOGUE.iter().map(|entry| entry.name.to_owned()).collect(),
        games => games.to_vec(),
    }
}

/// The base policy for published plans with a known future. Such plans exist only for farms with few plots, because these take only
/// seconds. They also exist only for games without a limit, because the planner ignores limits.
///
/// # Errors
/// A game can't be opened.
fn plans(game: &str) -> anyhow::Result<Option<&'static str>> {
    let game = farm_games::open(game, &Options::default())?;
    let plots: u32 = game.spec().fields().values().map(|field| field.shape().length() * field.shape().width()).sum();
    let named = |name: &&str| game.spec().policies().contains_key(*name);
    let has_limit = game.constraints().iter().any(|constraint| constraint.limit.is_some());
    Ok([BEST_KNOWN_POLICY, "expert"].into_iter().find(named).filter(|_| plots <= FEW_PLOTS && !has_limit))
}

fn farm(root: &Path, words: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--release", "--bin", "farm", "--"]).args(words).current_dir(root);
    let status = command.status().context("cargo can't be started")?;
    ensure!(status.success(), "`farm {}` has failed", words.join(" "));
    Ok(())
}

/// Replays a share of the episodes in all results.
///
/// # Errors
/// Results can't be read, a game or a policy no longer exists, or a fingerprint or a return differs. The error names the file.
pub(crate) fn check(root: &Path, request: &Evidence) -> anyhow::Result<Checked> {
    ensure!(request.share > 0.0 && request.share <= 1.0, "--share {}: a share is above 0 and at most 1", request.share);
    let files = gather(&[root.join(FOLDER)])?;
    let wanted = |file: &ResultsFile| request.games.is_empty() || request.games.contains(&file.game);
    let files: Vec<ResultsFile> = files.into_iter().filter(wanted).collect();
    ensure!(!files.is_empty(), "{FOLDER}/ has no results for {}", request.games.join(", "));
    let learnt = files.iter().filter(|file| LEARNT.contains(&file.policy.kind.as_str())).count();
    let files: Vec<ResultsFile> = files.into_iter().filter(|file| request.kinds.contains(&file.policy.kind)).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let checked = in_parallel(
        files.len(),
        threads,
        || (),
        |(), i| {
            let sample = sample(root, &files[i], request);
            replay(&files[i], &sample)
                .map(|()| sample.len())
                .map_err(|error| format!("{}: {error:#}", place(root, &files[i]).display()))
        },
    );
    let differing: Vec<&str> =
        checked.iter().filter_map(|checked| checked.as_ref().err().map(String::as_str)).collect();
    if !differing.is_empty() {
        let again = "`cargo xtask evidence` regenerates them; a game that plays differently is a new version";
        let shown = differing.iter().take(SHOWN).copied().collect::<Vec<_>>().join("\n");
        let more = differing.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!("… and {more} more files\n") } else { String::new() };
        bail!("{shown}\n{more}{again}");
    }
    Ok(Checked { files: files.len(), episodes: checked.iter().flatten().sum(), learnt })
}

/// The path of a file relative to the top of the repository.
fn place(root: &Path, file: &ResultsFile) -> PathBuf {
    let path = PathBuf::from(&file.source);
    path.strip_prefix(root).map_or(path.clone(), Path::to_path_buf)
}

/// The episodes in a file to replay. Each episode is chosen with a probability equal to the share, but at least one is chosen.
fn sample(root: &Path, file: &ResultsFile, request: &Evidence) -> Vec<usize> {
    let stream = mix(request.seed, hash_name(&place(root, file).to_string_lossy()));
    // A number from 0 to 1 for each episode.
    let drawn = |i: &usize| mix(stream, *i as u64) as f64 / u64::MAX as f64;
    let mut sample: Vec<usize> = (0..file.returns.len()).filter(|i| drawn(i) < request.share).collect();
    if sample.is_empty() {
        sample.extend((0..file.returns.len()).min_by(|a, b| drawn(a).total_cmp(&drawn(b))));
    }
    sample
}

/// Replays episodes from a file.
///
/// # Errors
/// Returns the first difference.
fn replay(file: &ResultsFile, sample: &[usize]) -> anyhow::Result<()> {
    let text = |key: &str| file.arguments.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    let set = file.arguments.get("set").and_then(|set| set.as_object()).into_iter().flatten();
    let set = set.map(|(path, value)| (path.clone(), value.to_string())).collect();
    ensure!(!file.arguments.contains_key("level"), "results with a level can't be replayed here");
    let game = farm_games::open(
        &file.game,
        &Options { written_by: Origin::Stranger, preset: text("preset"), set, ..Default::default() },
    )?;
    let (was, is) = (file.fingerprint, game.fingerprint());
    ensure!(was == is, "the results have the fingerprint {was:016x}, the game has {is:016x}");
    let seeds: Vec<u64> = sample.iter().map(|i| file.first_seed + *i as u64).collect();
    let played = if file.policy.kind == NAMED { named(&game, file, &seeds)? } else { planned(&game, file, &seeds)? };
    for ((i, seed), is) in sample.iter().zip(seeds).zip(played) {
        let was = file.returns[*i];
        ensure!(was.to_bits() == is.to_bits(), "the episode of seed {seed} earned {was}, and earns {is} now");
    }
    Ok(())
}

/// The returns of one of the game's policies.
fn named(game: &Game, file: &ResultsFile, seeds: &[u64]) -> anyhow::Result<Vec<f64>> {
    let mut player = farm_games::policy(game, &file.policy.name)?;
    let mut runner = EpisodeRunner::new(game);
    let mut play = |seed: &u64| Ok(runner.play(player.as_mut(), *seed, &mut NoObserver)?.total());
    seeds.iter().map(&mut play).collect()
}

/// The returns from planning with the command in the file.
fn planned(game: &Game, file: &ResultsFile, seeds: &[u64]) -> anyhow::Result<Vec<f64>> {
    let words = file.made_by.command.split_whitespace().skip(1);
    let words = PlanWords::try_parse_from(words).context("its command is not `farm plan`")?;
    let settings = PlanSettings {
        foresight: if words.future == "known" { Foresight::Known } else { Foresight::Drawn },
        budget: words.budget,
        every: words.every,
        ..PlanSettings::default()
    };
    let base = policy_of(game, &words.base)?;
    let played = play_planned(game, &base, &settings, seeds, &|| true, &|_| {})?;
    Ok(played.into_iter().flatten().map(|episode| episode.total).collect())
}

/// The arguments of a `farm plan` command with published results.
#[derive(Debug, Parser)]
struct PlanWords {
    #[arg(value_name = "GAME")]
    _game: String,
    #[arg(long)]
    base: String,
    #[arg(long)]
    budget: usize,
    #[arg(long, default_value_t = 1)]
    every: usize,
    #[arg(long, default_value = "drawn")]
    future: String,
    #[arg(long = "episodes")]
    _episodes: u32,
    #[arg(long = "seed")]
    _seed: u64,
    #[arg(long = "threads")]
    _threads: Option<u32>,
    #[arg(long = "results")]
    _results: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(share: f64, games: &[&str]) -> Evidence {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Evidence { check: true, share, seed: 1, games: words(games), kinds: words(&[NAMED]) }
    }

    /// A folder with one game's results, in which `to` replaces `from`.
    fn changed(name: &str, from: &str, to: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("farm-evidence-{name}-{}", std::process::id()));
        let folder = root.join("results/farm0");
        std::fs::create_dir_all(&folder).unwrap();
        let text = std::fs::read_to_string(crate::root().join("results/farm0/expert.json")).unwrap();
        let changed = text.replacen(from, to, 1);
        assert!(from.is_empty() || text != changed);
        std::fs::write(folder.join("expert.json"), changed).unwrap();
        root
    }

    #[test]
    fn what_is_published_can_be_made_again() {
        // A few of each file, since a season of four hundred plots takes a second in a debug build; `cargo xtask evidence --check` plays a tenth.
        let checked = check(&crate::root(), &Evidence { seed: 0, ..request(0.01, &[]) });
        let checked = checked.unwrap();
        assert!(checked.files >= 100, "{checked}");
        assert!(checked.episodes >= checked.files, "{checked}");
    }

    #[test]
    fn what_was_planned_can_be_made_again() {
        let planned = request(1e-9, &["clay_bean", "water_only", "farm0"]);
        let checked = check(&crate::root(), &Evidence { kinds: vec!["hindsight".to_owned()], ..planned }).unwrap();
        assert_eq!((checked.files, checked.episodes), (3, 3));
    }

    #[test]
    fn a_return_that_differs_is_found_with_its_seed() {
        let file = ResultsFile::read(&crate::root().join("results/farm0/expert.json")).unwrap();
        let (seed, earned) = (file.first_seed + 7, file.returns[7]);
        let root = changed("return", &earned.to_string(), "31.25");
        let error = check(&root, &request(1.0, &[])).unwrap_err().to_string();
        std::fs::remove_dir_all(root).unwrap();
        assert!(
            error.contains("results/farm0/expert.json") && error.contains(&format!("seed {seed} earned 31.25")),
            "{error}"
        );
    }

    #[test]
    fn a_fingerprint_that_differs_is_found() {
        let root = changed("fingerprint", "\"fingerprint\": \"", "\"fingerprint\": \"0");
        let broken = check(&root, &request(0.01, &[])).unwrap_err().to_string();
        std::fs::remove_dir_all(root).unwrap();
        assert!(broken.contains("fingerprint"), "{broken}");
    }

    #[test]
    fn what_can_not_be_drawn_is_refused() {
        for share in [0.0, -1.0, 1.5, f64::NAN] {
            assert!(check(&crate::root(), &request(share, &[])).unwrap_err().to_string().contains("--share"));
        }
        assert!(check(&crate::root(), &request(0.1, &["no_game"])).unwrap_err().to_string().contains("no_game"));
    }

    #[test]
    fn a_sample_is_a_share_of_the_episodes_and_another_for_another_seed() {
        let root = crate::root();
        let file = ResultsFile::read(&root.join("results/farm0/expert.json")).unwrap();
        let drawn = |seed, share| sample(&root, &file, &Evidence { seed, ..request(share, &[]) });
        assert!((30..=75).contains(&drawn(1, 0.1).len()));
        assert_eq!(drawn(1, 0.1), drawn(1, 0.1));
        assert_ne!(drawn(1, 0.1), drawn(2, 0.1));
        assert_eq!(drawn(1, 1.0).len(), file.returns.len());
        assert_eq!(drawn(1, 1e-9).len(), 1);
    }
}
