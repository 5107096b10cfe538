//! `farm compare`: compares episodes of one game side by side.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use farm_core::Game;
use farm_core::inspect::money;
use farm_render::counts_days;
use farm_report::{Report, SeasonLine};
use serde_json::{Value as Json, json};

use crate::arguments::{GameArguments, seed};
use crate::check;
use crate::episode::{Buffers, Episode, Progress, play};
use crate::interrupts::Interrupts;
use crate::output::{self, TextTable, format_number};
use crate::policy::Choice;
use crate::report::{self, ReportFile};

const EXAMPLES: &str = "\
Examples:
  farm compare GAME random expert                one episode each, with the same seed
  farm compare GAME expert@3 expert@4            one policy with two seeds
  farm compare GAME wait my_policy.yaml --seed 7 --report compared.html

The page draws all episodes in the same charts: the return so far, the actions, and each variable that differs. `farm eval` compares
policies over many episodes.";

/// Compare episodes side by side, in one report
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Two to six policies, as for `--policy` of `farm run`; `POLICY@SEED` uses its own seed
    #[arg(value_name = "POLICY[@SEED]", num_args = 2..=6, required = true)]
    policies: Vec<String>,
    /// Seed of the episodes
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Write a self-contained page
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A finished episode.
struct Compared {
    policy: String,
    episode: Episode,
    season: Vec<SeasonLine>,
}

/// Splits `POLICY@SEED`. Without a seed, uses the common seed.
fn policy_and_seed(word: &str, seed: u64) -> (&str, u64) {
    match word.rsplit_once('@') {
        Some((policy, number)) if !policy.is_empty() => match number.parse() {
            Ok(number) => (policy, number),
            Err(_) => (word, seed),
        },
        _ => (word, seed),
    }
}

/// Plays an episode with each policy.
///
/// # Errors
/// Fails if the game, a policy or the page's path has errors, if the game never ends, or if the game's numbers are no longer finite.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let page = arguments.report.as_deref().map(ReportFile::open).transpose()?;
    let game = Arc::new(arguments.game.open()?);
    let wanted = arguments.policies.iter().map(|word| {
        let (policy, seed) = policy_and_seed(word, arguments.seed);
        Ok((Choice::of(&game, Some(policy))?, seed))
    });
    let wanted = wanted.collect::<anyhow::Result<Vec<_>>>()?;
    let mut buffers = Buffers::new(&game, Interrupts::note());
    let mut progress = Progress::new(wanted.len() as u64);
    let (mut all, mut reports) = (Vec::new(), Vec::new());
    for (policy, seed) in wanted {
        let mut player = policy.player(&game)?;
        let mut report = Report::new(game.clone(), report::run(&arguments.game, &policy.name))?;
        let mut watch = |steps| progress.long_episode(steps);
        let episode = play(&mut buffers, player.as_mut(), seed, &mut report, &mut watch)?;
        all.push(Compared { policy: policy.name, episode, season: report.season() });
        reports.push(report);
        progress.episode_done();
    }
    progress.finish();
    let written = page.map(|page| page.save_comparison(reports)).transpose();
    print(arguments, &game, &all, written.as_ref().ok().and_then(Option::as_ref))?;
    written?;
    Ok(ExitCode::SUCCESS)
}

fn print(arguments: &Arguments, game: &Game, all: &[Compared], written: Option<&PathBuf>) -> anyhow::Result<()> {
    let mut out = output::stdout();
    if arguments.json {
        let episodes: Vec<Json> = all.iter().map(json_of).collect();
        let preset = arguments.game.preset();
        let warnings = check::warnings_json(game);
        let all = json!({
            "game": game.spec().name(), "preset": preset, "episodes": episodes, "report": written, "warnings": warnings,
        });
        output::write_json(&mut out, "compare", all)?;
    } else {
        table(game, all).write(&mut out, "")?;
        for compared in all {
            let reasons = reasons(game, &compared.episode);
            if !reasons.is_empty() {
                writeln!(out, "{}: {reasons}", compared.policy)?;
            }
        }
        if let Some(path) = written {
            writeln!(out, "report: {}", path.display())?;
        }
        let (name, last) = (game.spec().name(), all.last().map_or("random", |compared| compared.policy.as_str()));
        let play = if cfg!(feature = "play") { format!("farm play {name} · ") } else { String::new() };
        writeln!(out, "next: {play}farm run {name} --policy {last} --explain · farm describe {name}")?;
    }
    out.flush()?;
    Ok(())
}

/// An episode's lasting events by cause, with the most frequent cause first: `growth limited by water 47 days, temperature 36 days`.
fn reasons(game: &Game, episode: &Episode) -> String {
    let plots = game.fields().iter().map(|field| field.length() * field.width()).max().unwrap_or(1);
    let unit = match (plots, counts_days(game)) {
        (2.., _) => "plot day",
        (_, true) => "day",
        (_, false) => "step",
    };
    // By event and label, summed over all parts.
    let mut counts: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let lasting = game.events().iter().zip(&episode.events).filter(|((_, info), _)| info.lasting());
    for ((_, info), values) in lasting {
        for (label, count) in info.labels().iter().zip(values).filter(|(_, count)| **count > 0.0) {
            *counts.entry(info.name()).or_default().entry(label).or_default() += *count as u64;
        }
    }
    let events = counts.into_iter().map(|(name, labels)| {
        let mut labels: Vec<(&str, u64)> = labels.into_iter().collect();
        labels.sort_by_key(|(_, count)| Reverse(*count));
        let labels = labels.into_iter().map(|(label, count)| format!("{label} {}", output::plural(count, unit)));
        format!("{} by {}", name.replace('_', " "), labels.collect::<Vec<_>>().join(", "))
    });
    events.collect::<Vec<_>>().join("; ")
}

fn json_of(compared: &Compared) -> Json {
    let Compared { policy, episode, season } = compared;
    let season: serde_json::Map<String, Json> =
        season.iter().map(|(what, amount)| (what.clone(), Json::from(amount.as_str()))).collect();
    json!({
        "policy": policy, "seed": episode.seed, "return": episode.total, "steps": episode.steps, "days": episode.days,
        "stop": episode.stop, "state_hash": format!("{:016x}", episode.state_hash), "season": season,
    })
}

/// One row per measure, one column per episode.
fn table(game: &Game, all: &[Compared]) -> TextTable {
    let head: Vec<&str> = std::iter::once("").chain(all.iter().map(|compared| compared.policy.as_str())).collect();
    let mut table = TextTable::new(&head).right_aligned(1..=all.len());
    let mut row = |name: &str, value: &dyn Fn(&Compared) -> String| {
        table.row(std::iter::once(name.to_owned()).chain(all.iter().map(value)).collect());
    };
    row("seed", &|compared| compared.episode.seed.to_string());
    row("return", &|compared| match game.text().currency() {
        "" => format_number(compared.episode.total),
        currency => money(currency, (compared.episode.total * 100.0).round() / 100.0),
    });
    row("steps", &|compared| compared.episode.steps.to_string());
    row("the end", &|compared| compared.episode.stop.clone());
    let mut measures: Vec<&str> = Vec::new();
    for (what, _) in all.iter().flat_map(|compared| &compared.season) {
        if !measures.contains(&what.as_str()) {
            measures.push(what);
        }
    }
    for measure in measures {
        row(measure, &|compared| {
            let line = compared.season.iter().find(|(what, _)| what == measure);
            line.map_or_else(|| "–".to_owned(), |(_, amount)| amount.clone())
        });
    }
    table
}

#[cfg(test)]
mod tests {
    use super::policy_and_seed;

    #[test]
    fn a_seed_may_follow_a_policy() {
        assert_eq!(policy_and_seed("expert@7", 3), ("expert", 7));
        assert_eq!(policy_and_seed("expert", 3), ("expert", 3));
        // A file may have such a name, and a policy can't be empty.
        assert_eq!(policy_and_seed("mine@home.yaml", 3), ("mine@home.yaml", 3));
        assert_eq!(policy_and_seed("@7", 3), ("@7", 3));
    }
}
