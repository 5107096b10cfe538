//! Plays the run described on the command line, and reports the result.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use farm_agents::{Conduct, FORMAT, MAX_TURNS, Player, Progress, Run, RunHeader, tidy_name};
use farm_core::inspect::format_number;

use super::choice::AgentChoice;
use super::limits::access;
use super::score;
use super::worlds::{Planned, Worlds};
use crate::arguments::{GameArguments, cores};
use crate::interrupts::Interrupts;
use crate::output;

/// The maximum number of turns per trial in games without a step limit.
const ENDLESS: u64 = 10_000;

/// The default for `--max-turns`: twice the step limit, times the number of trials.
pub(super) fn usual_turns(most_steps: Option<u64>, trials: u32) -> u64 {
    most_steps.map_or(ENDLESS, |steps| steps.saturating_mul(2)).saturating_mul(u64::from(trials)).clamp(1, MAX_TURNS)
}

/// A run's header, without prices.
pub(super) fn header(
    game: &GameArguments,
    worlds: Worlds<'_>,
    agent: &AgentChoice,
    conduct: Conduct,
    planned: Planned,
) -> RunHeader {
    RunHeader {
        format: FORMAT.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.game.clone(),
        preset: game.preset(),
        context: game.context.clone(),
        set: game.set.clone(),
        split: worlds.split.map(str::to_owned),
        hidden: planned.hidden,
        name: tidy_name(agent.name()),
        agent: agent.description(),
        conduct,
        prices: None,
        episodes: planned.episodes,
    }
}

/// Plays or resumes a run and prints its score.
///
/// # Errors
/// Fails if the folder contains another run, or if any episode could not be finished.
pub(super) fn play(
    folder: &Path,
    header: RunHeader,
    agent: &AgentChoice,
    jobs: u32,
    interrupts: &Interrupts,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let run = Run::begin(folder, header, access(true))?;
    let watch = |progress: &Progress<'_>| {
        let Progress { plan, end, replayed, done, of } = progress;
        let known = if *replayed > 0 { format!(", {replayed} calls from the trace") } else { String::new() };
        output::note(format!(
            "{done}/{of} {}: return {} after {} turns and {} tokens{known}; {}",
            plan.id,
            format_number(end.total),
            end.turns,
            end.tokens.total(),
            end.stop
        ));
    };
    let has_left = || agent.leaves_at_once() && interrupts.signal().is_some();
    let player = Player {
        jobs: jobs as usize,
        agent: &|game, _| agent.of_episode(game),
        is_ending: &|| interrupts.signal().is_some(),
        is_stopped: &|| interrupts.is_urgent() || has_left(),
        watch: &watch,
    };
    let played = run.play(&player)?;
    if let Some(signal) = interrupts.signal().filter(|_| played.done < run.header().episodes.len()) {
        return Ok(signal.tell(played.done as u64, run.header().episodes.len() as u64, "episodes"));
    }
    if played.problems.has_errors() {
        return Err(played.problems.into());
    }
    output::warn(&played.problems);
    let traces = run.traces()?;
    let score = run.score(&traces, cores())?;
    let mut out = output::stdout();
    if json {
        let mut shown = score.json();
        shown["calls_made"] = played.calls.into();
        shown["calls_from_traces"] = played.replayed.into();
        output::write_json(&mut out, "agents", shown)?;
    } else {
        score::print(&mut out, &run, &score)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
