//! `farm agents commit` and `farm agents reveal`: a hidden test set. You publish the set's hash before a measurement, and the set itself
//! afterwards.
//!
//! Each world has a leaf: the SHA-256 of a string that contains a secret salt, the world's index, rules and seed, and the game's
//! fingerprint. The commitment is the SHA-256 of a string that contains the family, the tier, the version and all leaves. Publishing this
//! single hash fixes the entire set. With the secret file and the commitment, anyone can list the worlds that have changed.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_agents::{HIDDEN_FORMAT, HiddenHead, HiddenSet, HiddenWorld, hexadecimal};
use farm_core::config::{Path, Problem, Problems, read_text};
use farm_core::{SeedSplit, in_parallel};
use farm_games::Options;
use farm_games::families::{FAMILIES, RuleFamily};
use serde_json::{Value as Json, json};

use crate::arguments::{at_least_one, cores};
use crate::errors::CommandError;
use crate::output;
use crate::targets;

const EXAMPLES: &str = "\
Examples:
  farm agents commit FAMILY --count 200 --out hidden.json --public commitment.json
  farm agents reveal hidden.json --commitment commitment.json

Keep hidden.json secret. Before the first measurement, publish commitment.json, or only the hash in it. Afterwards, publish hidden.json:
with `farm agents reveal` anyone can check that the worlds match the hash. The rules are drawn from the rules of the test split.";

/// Create a hidden test set and the hash to publish
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CommitArguments {
    /// A family from `farm agents family`
    family: String,
    /// Tier of the family [default: the family's own game]
    #[arg(long)]
    tier: Option<u32>,
    /// Number of worlds
    #[arg(long, default_value_t = 200, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    count: u32,
    /// Write the secret file: salt and seeds. An existing file is not replaced
    #[arg(long, value_name = "FILE.json")]
    out: PathBuf,
    /// Write the file to publish: the hash of the set and of each world. An existing file is not replaced
    #[arg(long, value_name = "FILE.json")]
    public: Option<PathBuf>,
}

/// Check a hidden test set against its hash
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RevealArguments {
    /// The secret file of `farm agents commit`
    #[arg(value_name = "HIDDEN.json")]
    hidden: PathBuf,
    /// The published file of `farm agents commit`
    #[arg(long, value_name = "FILE.json")]
    commitment: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The description of a set as JSON.
fn json_of(head: &HiddenHead) -> Json {
    json!({"format": HIDDEN_FORMAT, "family": head.family, "tier": head.tier, "engine": head.engine, "count": head.count})
}

/// The fingerprints of the games with these rules.
fn fingerprints(head: &HiddenHead, rules: &[u64]) -> Result<Vec<String>, Problems> {
    let fingerprint = |(): &mut (), i: usize| {
        let game = farm_games::open(&head.member(rules[i])?.to_string(), &Options::default())?;
        Ok(format!("{:016x}", game.fingerprint()))
    };
    in_parallel(rules.len(), cores(), || (), fingerprint).into_iter().collect()
}

/// Fills the buffer with unpredictable random bytes.
fn drawn(bytes: &mut [u8]) -> anyhow::Result<()> {
    getrandom::fill(bytes).map_err(|error| anyhow::anyhow!("the system provides no random numbers: {error}"))
}

/// A random seed that JSON readers preserve exactly and that no split reserves.
fn drawn_seed() -> anyhow::Result<u64> {
    let mut bytes = [0; 8];
    drawn(&mut bytes)?;
    Ok(SeedSplit::nearest(None, u64::from_le_bytes(bytes) >> 11))
}

/// Draws a set and writes both files.
///
/// # Errors
/// Fails if the family or tier is unknown, a file already exists or can't be written, or the system provides no randomness.
pub(crate) fn commit(arguments: &CommitArguments) -> anyhow::Result<ExitCode> {
    targets::check_distinct(&[("--out", Some(arguments.out.clone())), ("--public", arguments.public.clone())])?;
    if RuleFamily::named(&arguments.family).is_none() {
        let message = format!("unknown family `{}`", arguments.family);
        let problem = Problem::new(farm_core::config::NameError::UnknownGame, Path::default(), message);
        let problem =
            problem.value(&arguments.family).among(&arguments.family, FAMILIES.iter().map(|family| family.name));
        return Err(Problems(vec![problem]).into());
    }
    if arguments.out.exists() {
        let message = "the file already exists and may contain a secret whose hash is published".to_owned();
        return Err(unusable(&arguments.out, message, "choose another file or move this one").into());
    }
    farm_output::check_target(&arguments.out)?;
    if let Some(public) = &arguments.public {
        if public.exists() {
            let message = "the file already exists and may contain a published hash".to_owned();
            return Err(unusable(public, message, "choose another file or move this one").into());
        }
        farm_output::check_target(public)?;
    }
    let head = HiddenHead {
        family: arguments.family.clone(),
        tier: arguments.tier,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        count: arguments.count as usize,
    };
    let mut salt = [0; 32];
    drawn(&mut salt)?;
    let salt = hexadecimal(&salt);
    let rules: Vec<u64> = (0..head.count).map(|_| drawn_seed()).collect::<anyhow::Result<_>>()?;
    let worlds: Vec<HiddenWorld> = fingerprints(&head, &rules)?
        .into_iter()
        .zip(&rules)
        .map(|(fingerprint, rules)| Ok(HiddenWorld { rules: *rules, seed: drawn_seed()?, fingerprint }))
        .collect::<anyhow::Result<_>>()?;
    let leaves: Vec<String> = worlds.iter().enumerate().map(|(i, world)| world.leaf(&salt, i)).collect();
    let commitment = head.commitment(&leaves);
    let mut hidden = json_of(&head);
    hidden["salt"] = salt.into();
    hidden["worlds"] = worlds
        .iter()
        .map(|world| json!({"rules": world.rules, "seed": world.seed, "fingerprint": world.fingerprint}))
        .collect();
    let mut public = json_of(&head);
    public["commitment"] = commitment.clone().into();
    public["leaves"] = leaves.into();
    save(&arguments.out, &hidden)?;
    if let Some(file) = &arguments.public {
        save(file, &public)?;
    }
    let mut out = output::stdout();
    writeln!(out, "commitment: {commitment}")?;
    writeln!(out, "covers {} worlds of {}, for this version of the program", head.count, head.family)?;
    writeln!(out, "keep secret until all measurements are done: {}", arguments.out.display())?;
    if let Some(file) = &arguments.public {
        writeln!(out, "publish: {}", file.display())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn save(path: &FilePath, json: &Json) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(json)?;
    farm_output::save(path, format!("{text}\n").as_bytes())?;
    Ok(())
}

fn unusable(path: &FilePath, message: String, help: &str) -> Problems {
    let problem = Problem::new(CommandError::WrongTarget, Path::default(), message).value(path.display());
    Problems(vec![problem.help(help)])
}

/// Reads a file as JSON.
fn read(path: &FilePath) -> anyhow::Result<Json> {
    let text = read_text(path).map_err(|problem| Problems(vec![*problem]))?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("the file is not valid JSON: {error}");
        unusable(path, message, "use the unchanged file of `farm agents commit`").into()
    })
}

/// The entries in a file. Each error names the entry that causes it.
struct Entries<'a> {
    path: &'a FilePath,
    json: &'a Json,
}

impl<'a> Entries<'a> {
    fn refused(&self, key: &str, expected: &str) -> Problems {
        let message = format!("`{key}` is missing or not {expected}");
        unusable(self.path, message, "use the unchanged file of `farm agents commit`")
    }

    fn text(&self, key: &str) -> Result<String, Problems> {
        self.json[key].as_str().map(str::to_owned).ok_or_else(|| self.refused(key, "a string"))
    }

    fn list(&self, key: &str) -> Result<&'a [Json], Problems> {
        self.json[key].as_array().map(Vec::as_slice).ok_or_else(|| self.refused(key, "a list"))
    }

    fn head(&self) -> Result<HiddenHead, Problems> {
        if self.text("format")? != HIDDEN_FORMAT {
            return Err(self.refused("format", &format!("`{HIDDEN_FORMAT}`")));
        }
        let tier = match &self.json["tier"] {
            Json::Null => None,
            tier => Some(
                tier.as_u64()
                    .and_then(|tier| u32::try_from(tier).ok())
                    .ok_or_else(|| self.refused("tier", "an integer"))?,
            ),
        };
        let count = self.json["count"].as_u64().and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or_else(|| self.refused("count", "an integer"))?;
        Ok(HiddenHead { family: self.text("family")?, tier, engine: self.text("engine")?, count })
    }

    fn worlds(&self) -> Result<Vec<HiddenWorld>, Problems> {
        let world = |(i, world): (usize, &Json)| {
            let at = |key: &str| format!("worlds.{i}.{key}");
            let number = |key: &str| world[key].as_u64().ok_or_else(|| self.refused(&at(key), "an integer"));
            let fingerprint =
                world["fingerprint"].as_str().ok_or_else(|| self.refused(&at("fingerprint"), "a string"))?;
            Ok(HiddenWorld { rules: number("rules")?, seed: number("seed")?, fingerprint: fingerprint.to_owned() })
        };
        self.list("worlds")?.iter().enumerate().map(world).collect()
    }

    fn leaves(&self) -> Result<Vec<String>, Problems> {
        let leaf = |(i, leaf): (usize, &Json)| {
            leaf.as_str().map(str::to_owned).ok_or_else(|| self.refused(&format!("leaves.{i}"), "a string"))
        };
        self.list("leaves")?.iter().enumerate().map(leaf).collect()
    }
}

/// The hidden set in a secret file: its description, its worlds, and its salt.
///
/// # Errors
/// Fails if the file can't be read, was not written by `farm agents commit`, or is from another version of the program.
pub(crate) fn hidden_set(path: &FilePath) -> anyhow::Result<(HiddenHead, Vec<HiddenWorld>, HiddenSet)> {
    let json = read(path)?;
    let entries = Entries { path, json: &json };
    let (head, worlds, salt) = (entries.head()?, entries.worlds()?, entries.text("salt")?);
    if head.count != worlds.len() || worlds.is_empty() {
        return Err(entries.refused("count", "the number of worlds, at least one").into());
    }
    let rules: Vec<u64> = worlds.iter().map(|world| world.rules).collect();
    let now = fingerprints(&head, &rules).context("the games of the set can't be opened")?;
    if let Some(i) = worlds.iter().zip(&now).position(|(world, now)| world.fingerprint != *now) {
        let message = format!("this version of the program plays world {i} of the set differently");
        return Err(unusable(path, message, &format!("use version {}, which drew the set", head.engine)).into());
    }
    let set = HiddenSet { salt, engine: head.engine.clone() };
    Ok((head, worlds, set))
}

/// The maximum number of differing worlds to list. The remaining worlds are only counted.
const MAX_TOLD: usize = 10;

/// All differences between a set and its commitment.
fn differences(hidden: &Entries<'_>, public: &Entries<'_>) -> Result<Vec<String>, Problems> {
    let (head, bound) = (hidden.head()?, public.head()?);
    let (worlds, leaves, salt) = (hidden.worlds()?, public.leaves()?, hidden.text("salt")?);
    let mut found = Vec::new();
    let mut differ = |what: &str, one: &dyn std::fmt::Display, other: &dyn std::fmt::Display| {
        found.push(format!("{what}: {one} in the secret file, {other} in the commitment"));
    };
    if head.family != bound.family {
        differ("family", &head.family, &bound.family);
    }
    if head.tier != bound.tier {
        let tier = |head: &HiddenHead| head.tier.map_or("none".to_owned(), |tier| tier.to_string());
        differ("tier", &tier(&head), &tier(&bound));
    }
    if head.engine != bound.engine {
        differ("engine", &head.engine, &bound.engine);
    }
    if head.count != bound.count {
        differ("count", &head.count, &bound.count);
    }
    if worlds.len() != leaves.len() {
        differ("worlds", &worlds.len(), &leaves.len());
    }
    if bound.commitment(&leaves) != public.text("commitment")? {
        found.push("commitment: the hash does not match the other entries of its file".to_owned());
    }
    let own: Vec<String> = worlds.iter().enumerate().map(|(i, world)| world.leaf(&salt, i)).collect();
    let others: Vec<usize> = (0..own.len().min(leaves.len())).filter(|i| own[*i] != leaves[*i]).collect();
    if !others.is_empty() && others.len() == own.len() {
        found.push("salt: no world matches its hash, so the salt or the whole set differs".to_owned());
    } else {
        found.extend(others.iter().take(MAX_TOLD).map(|i| format!("world {i}: does not match its hash")));
        if others.len() > MAX_TOLD {
            found.push(format!("{} more worlds do not match their hashes", others.len() - MAX_TOLD));
        }
    }
    Ok(found)
}

/// Checks a set against its commitment.
///
/// # Errors
/// Fails if a file can't be read or was not written by `farm agents commit`. Otherwise returns every difference.
pub(crate) fn reveal(arguments: &RevealArguments) -> anyhow::Result<ExitCode> {
    let (hidden, public) = (read(&arguments.hidden)?, read(&arguments.commitment)?);
    let hidden = Entries { path: &arguments.hidden, json: &hidden };
    let public = Entries { path: &arguments.commitment, json: &public };
    let found = differences(&hidden, &public)?;
    if !found.is_empty() {
        let help = "one of the two files was changed after `farm agents commit` wrote it";
        let problem = |message| {
            let problem = Problem::new(CommandError::WrongTarget, Path::default(), message);
            problem.value(arguments.hidden.display()).help(help)
        };
        return Err(Problems(found.into_iter().map(problem).collect()).into());
    }
    let (head, worlds) = (hidden.head()?, hidden.worlds()?);
    let rules: Vec<u64> = worlds.iter().map(|world| world.rules).collect();
    let now = fingerprints(&head, &rules).context("the games of the set can't be opened")?;
    let others = worlds.iter().zip(&now).filter(|(world, now)| world.fingerprint != **now).count();
    let commitment = public.text("commitment")?;
    let mut out = output::stdout();
    if arguments.json {
        let shown = json!({
            "family": head.family, "tier": head.tier, "engine": head.engine, "worlds": worlds.len(), "commitment": commitment,
            "is_bound": true, "games_that_changed_since": others,
        });
        output::write_json(&mut out, "reveal", shown)?;
    } else {
        writeln!(out, "verified: the {} worlds of {} match {commitment}", worlds.len(), head.family)?;
        if others > 0 {
            writeln!(
                out,
                "{others} of their games differ in this version of the program: use version {}",
                head.engine
            )?;
        }
    }
    out.flush()?;
    Ok(if others > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
