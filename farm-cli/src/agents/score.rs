//! `farm agents score`: scores a run against waiting, the best return and a reference.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use farm_agents::{ClauseSummary, EpisodeClauses, Mean, Run, Score, percent, shown, visible};
use farm_core::inspect::format_number;

use super::limits::access;
use crate::arguments::cores;
use crate::output::{self, TextTable};
use crate::targets::Format;

const EXAMPLES: &str = "\
Examples:
  farm agents score runs/name                     a table of scores
  farm agents score runs/name --json              for programs, with curves over turns and tokens
  farm agents score runs/name --report run.html   a page with curves, levels, and each episode step by step

The score is Σ(R − waiting) / Σ(best − waiting) over levels, unclipped. `best` is the certified optimum or, without one, the return of the
best known policy. Levels without room have best = waiting. Intervals are 95 % bootstrap intervals over levels. The replies are not replayed: `farm agents verify` does that.";

const REPORT: Format =
    Format { option: "--report", sentence: "reports are written as HTML", endings: &["html", "htm"] };

/// Score a recorded run
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write a page with curves, levels, and each episode step by step
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Open the game and level files that the run names
    #[arg(long)]
    allow_files: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Scores the run and prints its score.
///
/// # Errors
/// Fails if the folder is not a run, if the game has changed since the run, or if the page can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(path) = &arguments.report {
        REPORT.check(path)?;
        farm_output::check_target(path)?;
    }
    let run = Run::open(&arguments.run, access(arguments.allow_files))?;
    let traces = run.traces()?;
    let score = run.score(&traces, cores())?;
    let clauses = farm_agents::clauses(&run, &traces)?;
    if let Some(path) = &arguments.report {
        farm_output::save(path, farm_agents::page(&run, &traces, &score)?.as_bytes())?;
    }
    let mut out = output::stdout();
    if arguments.json {
        let mut shown = score.json();
        shown["clauses"] = clauses.iter().map(EpisodeClauses::json).collect();
        output::write_json(&mut out, "score", shown)?;
    } else {
        print(&mut out, &run, &score)?;
        print_clauses(&mut out, &clauses)?;
        if let Some(path) = &arguments.report {
            writeln!(out, "report: {}", path.display())?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// For games in a family, prints the step from which the behaviour agrees with each clause of the rules.
fn print_clauses(out: &mut impl Write, clauses: &[EpisodeClauses]) -> std::io::Result<()> {
    if clauses.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut table =
        TextTable::new(&["clause", "episodes that agree at the end", "from step, mean"]).right_aligned(1..3);
    ClauseSummary::of(clauses).iter().for_each(|summary| table.row(summary.row().to_vec()));
    table.write(out, "")
}

/// Formats a number.
type Number = fn(f64) -> String;

/// Prints a score: the overall figures, then the episodes.
pub(crate) fn print(out: &mut impl Write, run: &Run, score: &Score) -> std::io::Result<()> {
    let header = run.header();
    let conduct = &header.conduct;
    let (title, rules, history) = (header.shown_title(), header.rules_in_words(), conduct.history);
    let name = visible(&header.name);
    writeln!(out, "{name} plays {title}: rules {rules}, {} texts, history {history}", conduct.text.name())?;
    let unfinished = if score.episodes.len() < score.of {
        format!(" of {}; the same command plays the rest", score.of)
    } else {
        String::new()
    };
    let (episodes, levels, worlds) = (score.episodes.len(), score.levels, header.worlds_in_words());
    writeln!(out, "{episodes} episodes on {levels} levels or worlds{unfinished}: {worlds}")?;
    let best = score.best.map_or("the best return of this game is unknown", |best| best.name());
    let reference = score.reference.as_deref().unwrap_or("a reference");
    let means: [(String, Option<Mean>, Number); 6] = [
        ("score, Σ(R − waiting) / Σ(best − waiting)".to_owned(), score.score, percent),
        ("ΣR / Σbest".to_owned(), score.ratio_of_sums, percent),
        ("return R".to_owned(), score.returns, format_number),
        ("regret to best".to_owned(), score.regret, format_number),
        (format!("regret to {reference}"), score.regret_to_reference, format_number),
        ("steps of best / steps, where R = best".to_owned(), score.efficiency, percent),
    ];
    let mut table = TextTable::new(&["", "mean [95 % interval]"]);
    for (name, mean, number) in means {
        table.row(vec![name, shown(mean, number)]);
    }
    for (trial, mean) in (1..).zip(&score.over_trials) {
        table.row(vec![format!("score of trial {trial}"), shown(Some(*mean), percent)]);
    }
    for (tier, mean) in &score.by_tier {
        table.row(vec![format!("score on tier {tier}"), shown(Some(*mean), percent)]);
    }
    // Omitted for games with free observations.
    if score.observation_cost.is_some_and(|cost| cost.value != 0.0) {
        table.row(vec!["cost of observations".to_owned(), shown(score.observation_cost, format_number)]);
    }
    table.row(vec!["best".to_owned(), best.to_owned()]);
    table.row(vec!["levels or worlds without room".to_owned(), format!("{} of {levels}", score.without_room)]);
    let (counts, tokens) = (&score.counts, &score.tokens);
    let of = |count: u64, all: u64, share: Option<f64>| {
        format!("{count} of {all}{}", share.map_or(String::new(), |share| format!(" ({})", percent(share))))
    };
    table.row(vec!["turns with an invalid part".to_owned(), of(counts.invalid, counts.turns, counts.invalid_rate())]);
    table.row(vec![
        "replies requested again".to_owned(),
        of(counts.asked_again, counts.calls, counts.asked_again_rate()),
    ]);
    table.row(vec!["replies cut off".to_owned(), of(counts.cut, counts.calls, None)]);
    let estimated = if tokens.estimated { ", partly estimated: 4 bytes per token" } else { "" };
    let all =
        format!("{} sent ({} of them cached), {} received{estimated}", tokens.prompt, tokens.cached, tokens.completion);
    table.row(vec!["tokens".to_owned(), all]);
    table.row(vec!["seconds in calls".to_owned(), format_number(score.seconds)]);
    let listed = |pairs: Vec<String>| if pairs.is_empty() { "none".to_owned() } else { pairs.join(", ") };
    let failed = score.failures.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
    table.row(vec!["failed attempts".to_owned(), listed(failed)]);
    let ends = score.ends.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
    table.row(vec!["ended by".to_owned(), listed(ends)]);
    if let (Some(cost), Some(prices)) = (score.cost, header.prices) {
        let of_each = cost / score.episodes.len().max(1) as f64;
        let cached = prices.cached.map_or(String::new(), |price| format!(", {price} cached"));
        let rates = format!("at {} sent{cached}, {} received per million tokens", prices.prompt, prices.completion);
        table.row(vec![
            "cost".to_owned(),
            format!("{}, {} per episode, {rates}", format_number(cost), format_number(of_each)),
        ]);
    }
    table.write(out, "")?;
    writeln!(out)?;
    let header = ["episode", "return", "waiting", "best", "score", "turns", "calls", "invalid", "tokens", "ended by"];
    let mut table = TextTable::new(&header).right_aligned(1..header.len() - 1);
    for episode in &score.episodes {
        let best = episode.baseline.best.map_or("–".to_owned(), |best| format_number(best.value));
        table.row(vec![
            episode.plan.label(),
            format_number(episode.end.total),
            format_number(episode.baseline.waiting),
            best,
            episode.score().map_or("–".to_owned(), percent),
            episode.end.turns.to_string(),
            episode.end.calls.to_string(),
            episode.invalid.to_string(),
            episode.end.tokens.total().to_string(),
            episode.end.why.name().to_owned(),
        ]);
    }
    table.write(out, "")
}
