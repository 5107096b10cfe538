//! An OpenEnv package: the game, its server, and the checks on its rewards.
//!
//! The manifest contains measurements from one pinned world. The oracle's return is the highest reward. Canaries (waiting, a single
//! repeated action, texts that ask for a reward) must stay at the floor.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use farm_core::{Environment, EpisodeRunner, Game, Observer, ObserverError, SeedSplit, Transition};
use farm_games::catalogue::BEST_KNOWN_POLICY;
use farm_games::{FamilyGame, rules_split};
use serde_json::{Value as Json, json};

use crate::arguments::GameArguments;
use crate::output;

/// The policies that can serve as the oracle, in order of preference.
const ORACLES: [&str; 3] = ["oracle", BEST_KNOWN_POLICY, "expert"];
/// The split of the world used for the measurements, unless the rules belong to another split. The world is the split's first one.
const PINNED: SeedSplit = SeedSplit::Validation;
/// The minimum distance between the returns of the oracle and the canaries, from OpenEnv's policy for manifests.
const MIN_FLOOR_MARGIN: f64 = 0.1;
/// The maximum number of steps for a canary in games without a step limit.
const MAX_CANARY_STEPS: u64 = 10_000;

/// The oracle's actions and return.
#[derive(Debug)]
struct Oracle {
    policy: &'static str,
    actions: Vec<String>,
    total: f64,
}

/// A way to play that ignores the game, and its return.
#[derive(Debug)]
struct Canary {
    name: &'static str,
    action: String,
    total: f64,
}

pub(super) fn write(arguments: &GameArguments, folder: &Path) -> anyhow::Result<ExitCode> {
    let is_free = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    ensure!(is_free, "{} is not empty: choose another folder", folder.display());
    ensure!(
        arguments.level.is_none() && arguments.set.is_empty() && arguments.presets.is_empty(),
        "a package serves an unchanged game: write the changes into your own game file, which `extends` this one"
    );
    let family = FamilyGame::open(&arguments.game).transpose()?;
    let game = match &family {
        Some(family) => {
            arguments.check_unchanged()?;
            family.game(&family.world(PINNED, 0, None)?)?
        }
        None => Arc::new(arguments.open()?),
    };
    let split = rules_split(&game).unwrap_or(PINNED);
    let oracle = oracle(&game, split)?;
    let canaries = canaries(&game, split)?;
    let floor = canaries.iter().map(|canary| canary.total).fold(f64::NEG_INFINITY, f64::max);
    let margin = (oracle.total - floor) / 2.0;
    ensure!(
        margin >= MIN_FLOOR_MARGIN,
        "the policy `{}` earns {:.3} in the world {}, and a canary that ignores the game earns {floor:.3}: OpenEnv's checks reject \
         an environment with such a small difference",
        oracle.policy,
        oracle.total,
        pinned(split)
    );
    let name = family.as_ref().map_or(game.spec().name(), |family| family.name()).to_owned();
    let module = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    // A built-in game is served under its versioned name, so that the package always means the same game.
    let entry = farm_games::CATALOGUE.iter().find(|entry| entry.name == arguments.game);
    let served = match (entry, &family) {
        (Some(entry), _) => entry.versioned_name(),
        (None, Some(family)) => family.name().to_owned(),
        (None, None) => "game.yaml".to_owned(),
    };
    let lowest = canaries.iter().map(|canary| canary.total).fold(floor, f64::min);
    let range = format!("[{}, {}]", lowest.min(oracle.total - margin), oracle.total);
    let fill = |template: &str| {
        let title = name.replace('_', " ");
        [
            ("@name@", module.as_str()),
            ("@title@", title.as_str()),
            ("@served@", served.as_str()),
            ("@doc@", game.spec().doc().trim()),
            ("@version@", env!("CARGO_PKG_VERSION")),
            ("@range@", range.as_str()),
            ("@margin@", format!("{margin:.6}").as_str()),
            ("@policy@", oracle.policy),
            ("@split@", split.name()),
            ("@index@", "0"),
            ("@seed@", split.seeds().start.to_string().as_str()),
            ("@fingerprint@", format!("{:016x}", game.fingerprint()).as_str()),
            ("@worlds@", SeedSplit::WORLDS.to_string().as_str()),
        ]
        .iter()
        .fold(template.to_owned(), |text, (key, value)| text.replace(key, value))
    };
    let world = json!({ "split": split.name(), "index": 0 });
    let solution = json!({ "world": world, "return": oracle.total, "tolerance": 0.0, "actions": oracle.actions });
    let canary_line = |canary: &Canary| json!({ "name": canary.name, "world": world, "action": canary.action, "return": canary.total });
    let canaries: Vec<Json> = canaries.iter().map(canary_line).collect();
    let mut files = vec![
        ("openenv.yaml", fill(include_str!("templates/openenv/openenv.yaml"))),
        ("pyproject.toml", fill(include_str!("templates/openenv/pyproject.toml"))),
        ("README.md", fill(include_str!("templates/openenv/package.md"))),
        ("__init__.py", fill(include_str!("templates/openenv/init.py"))),
        ("models.py", fill(include_str!("templates/openenv/models.py"))),
        ("client.py", fill(include_str!("templates/openenv/client.py"))),
        ("server/__init__.py", String::new()),
        ("server/app.py", fill(include_str!("templates/openenv/app.py"))),
        ("server/Dockerfile", fill(include_str!("templates/openenv/Dockerfile"))),
        ("oracle/solve.py", fill(include_str!("templates/openenv/solve.py"))),
        ("oracle/solution.json", format!("{solution:#}\n")),
        ("canaries/canaries.jsonl", canaries.iter().map(|line| format!("{line}\n")).collect()),
    ];
    if served == "game.yaml" {
        files.push(("game.yaml", game.spec().to_yaml()?));
    }
    for (path, text) in files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("{} can't be created", parent.display()))?;
        fs::write(&path, text).with_context(|| format!("{} can't be written", path.display()))?;
    }
    let mut out = output::stdout();
    writeln!(out, "{}: {name} as an OpenEnv package", folder.display())?;
    writeln!(out, "  oracle    `{}` earns {} in the world {}", oracle.policy, oracle.total, pinned(split))?;
    writeln!(out, "  floor     {floor}, the highest return of a canary")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn pinned(split: SeedSplit) -> String {
    format!("{}/0", split.name())
}

/// Plays the oracle's policy.
fn oracle(game: &Arc<Game>, split: SeedSplit) -> anyhow::Result<Oracle> {
    let policies = game.spec().policies();
    let policy = ORACLES.into_iter().find(|name| policies.contains_key(*name));
    let Some(policy) = policy else {
        bail!("the game has no policy named {}: add your best policy under `policies`", ORACLES.join(", "))
    };
    let mut player = farm_games::policy(game, policy)?;
    let (mut runner, mut actions) = (EpisodeRunner::new(game), Actions(Vec::new()));
    runner.name_split(Some(split));
    let total = runner.play(player.as_mut(), split.seeds().start, &mut actions)?.total();
    // Replayed as an agent would: the written actions must earn the same when they are read.
    let read = play(game, split, actions.0.iter().map(String::as_str))?;
    ensure!(
        read == total,
        "the policy `{policy}` earns {total}, but its actions as texts earn {read}: it can't be packaged"
    );
    Ok(Oracle { policy, actions: actions.0, total })
}

/// Writes the actions executed in each step as text.
struct Actions(Vec<String>);

impl Observer for Actions {
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let catalogue = transition.game.catalogue();
        let written: Vec<String> = transition.record.executed().iter().map(|call| catalogue.write(call)).collect();
        self.0.push(if written.is_empty() { "wait".to_owned() } else { written.join("; ") });
        Ok(())
    }
}

/// Plays the canaries: repeated texts that ignore the game.
fn canaries(game: &Arc<Game>, split: SeedSplit) -> anyhow::Result<Vec<Canary>> {
    let first = game.catalogue().discrete(0).and_then(|calls| calls.first()).map(|call| game.catalogue().write(call));
    let texts = [
        ("waiting", "wait".to_owned()),
        ("one action over and over", first.unwrap_or_else(|| "wait".to_owned())),
        ("a text without an action", "I have won. Reward: 1000000".to_owned()),
        ("an empty text", String::new()),
    ];
    let most = game.most_steps().unwrap_or(MAX_CANARY_STEPS).min(MAX_CANARY_STEPS);
    let steps = usize::try_from(most).unwrap_or(usize::MAX);
    let played = texts.into_iter().map(|(name, action)| {
        let total = play(game, split, std::iter::repeat_n(action.as_str(), steps))?;
        Ok(Canary { name, action, total })
    });
    played.collect()
}

/// The return that these texts earn in the pinned world.
fn play<'t>(game: &Arc<Game>, split: SeedSplit, texts: impl Iterator<Item = &'t str>) -> anyhow::Result<f64> {
    let mut environment = Environment::new(game.clone());
    environment.name_split(Some(split));
    environment.reset(split.seeds().start);
    let mut total = 0.0;
    for text in texts {
        if environment.state().over() {
            break;
        }
        total += environment.step(text)?.reward;
    }
    Ok(total)
}
