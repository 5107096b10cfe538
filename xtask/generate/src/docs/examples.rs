//! Real reports of episodes that are played while the site is built, so that the reports match the current program.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use farm_core::{EpisodeRunner, Game};
use farm_games::Options;
use farm_report::{EpisodeLine, Report, Run, compare};

/// The game in the reports, its preset, the policies, and the seed.
const GAME: &str = "clay_bean";
const PRESET: &str = "4x3";
const POLICIES: [&str; 2] = ["expert", "wait"];
const SEED: u64 = 3;

/// The pages, each with its path on the site.
///
/// # Errors
/// A game can't be opened or played, or a picture can't be encoded.
pub(super) fn pages() -> Result<[(String, Vec<u8>); 2]> {
    let options = Options { preset: Some(PRESET.to_owned()), ..Options::default() };
    let game = Arc::new(farm_games::open(GAME, &options)?);
    let command = format!(
        "farm run {GAME} --preset {PRESET} --policy {} --seed {SEED} --episodes 1 --report season.html",
        POLICIES[0]
    );
    let (report, line) = play(&game, POLICIES[0], &command)?;
    let season = report.page(&[line])?;
    let command =
        format!("farm compare {GAME} {} --preset {PRESET} --seed {SEED} --report compared.html", POLICIES.join(" "));
    let reports = POLICIES.iter().map(|policy| Ok(play(&game, policy, &command)?.0)).collect::<Result<Vec<_>>>()?;
    let compared = compare(reports)?;
    Ok([
        ("docs/examples/season.html".to_owned(), season.into_bytes()),
        ("docs/examples/compared.html".to_owned(), compared.into_bytes()),
    ])
}

fn play(game: &Arc<Game>, policy: &str, command: &str) -> Result<(Report, EpisodeLine)> {
    let run = Run {
        preset: Some(PRESET.to_owned()),
        policy: policy.to_owned(),
        command: command.to_owned(),
        is_whole: true,
        version: format!("farm {}", env!("CARGO_PKG_VERSION")),
        ..Run::default()
    };
    let mut report = Report::new(game.clone(), run)?;
    let mut player = farm_games::policy(game, policy)?;
    let mut runner = EpisodeRunner::new(game);
    let played =
        runner.play(player.as_mut(), SEED, &mut report).map_err(|error| anyhow!("{policy} in {GAME}: {error}"))?;
    let stop = runner.record().stop().context("an episode that was played has an end")?;
    let line = EpisodeLine {
        seed: SEED,
        total: played.total(),
        steps: played.steps(),
        stop: game.text().stop_reason(stop),
        state_hash: runner.state().hash(),
    };
    Ok((report, line))
}
