//! `farm agents family FAMILY --annotate SPLIT`: a table of a split's worlds, with optima and the returns of scripts. A later run resumes
//! this table. `--optima FILE` reads the optima from an existing table, instead of planning them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path as FilePath;
use std::process::ExitCode;

use anyhow::Context;
use farm_agents::{Mean, mean_json, percent, shown};
use farm_core::config::{Path, Problem, Problems};
use farm_core::{SeedSplit, in_parallel};
use farm_games::families::{Annotation, Optimum, RuleFamily, SCRIPTS, SplitWorld, table};
use serde_json::json;

use super::arguments::Arguments;
use crate::episode::Progress;
use crate::errors::CommandError;
use crate::interrupts::Interrupts;
use crate::output::{self, TextTable, format_number};

/// The number of groups of worlds per thread between two writes of the table.
const AT_ONCE: usize = 4;

/// One world as a table row.
#[derive(Clone)]
struct Row {
    tier: u32,
    optimum: Optimum,
    scripts: [Option<f64>; SCRIPTS.len()],
    text: String,
}

/// Annotates a split's worlds, on one tier or all tiers.
///
/// # Errors
/// Fails if the family, tier or split is unknown, if the file has other contents, or if rules can't be drawn or planned.
pub(super) fn annotate(arguments: &Arguments, family: &str, split: SeedSplit) -> anyhow::Result<ExitCode> {
    let tiers: Vec<u32> = match (arguments.tier, RuleFamily::named(family)) {
        (Some(tier), _) => vec![tier],
        (None, Some(family)) => family.tiers.iter().map(|tier| tier.number).collect(),
        // The first world reports the unknown family.
        (None, None) => vec![1],
    };
    // By number and then by tier, because the worlds of one number have the same rules.
    let of_index = |index: u64| tiers.iter().map(move |tier| SplitWorld::new(family, *tier, split, index));
    let worlds: Vec<SplitWorld> = (0..arguments.count).flat_map(of_index).collect::<Result<_, Problems>>()?;
    let mut rows = match &arguments.out {
        Some(path) => begun(path, &worlds)?,
        None => Vec::new(),
    };
    let known = rows.len();
    let optima = match &arguments.optima {
        Some(path) => optima(path, &worlds)?.into_iter().map(Some).collect(),
        None => vec![None; worlds.len()],
    };
    let worlds: Vec<(SplitWorld, Option<Optimum>)> = worlds.into_iter().zip(optima).collect();
    let (threads, interrupts) = (arguments.threads(), Interrupts::note());
    let mut progress = Progress::of((worlds.len() - known) as u64, "worlds");
    let mut signal = None;
    let groups: Vec<_> = worlds[known..].chunk_by(|(one, _), (next, _)| one.index() == next.index()).collect();
    for block in groups.chunks(threads * AT_ONCE) {
        signal = interrupts.signal();
        if signal.is_some() {
            break;
        }
        let found = in_parallel(block.len(), threads, || (), |(), i| Row::of(block[i]));
        let found = found.into_iter().collect::<Result<Vec<_>, Problems>>()?.concat();
        if let Some(path) = &arguments.out {
            append(path, &found).with_context(|| format!("`{}` can't be extended", path.display()))?;
        }
        found.iter().for_each(|_| progress.episode_done());
        rows.extend(found);
    }
    let seconds = progress.finish();
    print(arguments, family, split, &rows, (rows.len() - known, seconds))?;
    Ok(match signal {
        Some(signal) => signal.tell(rows.len() as u64, worlds.len() as u64, "worlds"),
        None => ExitCode::SUCCESS,
    })
}

impl Row {
    /// The rows for worlds that have the same rules.
    fn of(worlds: &[(SplitWorld, Option<Optimum>)]) -> Result<Vec<Self>, Problems> {
        let known = Annotation::of_all(worlds)?;
        Ok(worlds.iter().zip(known).map(|((world, _), known)| Self::with(world, &known)).collect())
    }

    fn with(world: &SplitWorld, known: &Annotation) -> Self {
        let Annotation { optimum, scripts } = *known;
        Self { tier: world.tier().number, optimum, scripts, text: table::row(world, known) }
    }

    /// Parses a world's row in an existing table.
    fn read(world: &SplitWorld, text: &str) -> Option<Self> {
        let (optimum, scripts) = table::read_row(world, text)?;
        Some(Self {
            tier: world.tier().number,
            optimum,
            scripts: scripts.as_slice().try_into().ok()?,
            text: text.to_owned(),
        })
    }
}

/// The optima of worlds, read from a table that may have other scripts.
fn optima(path: &FilePath, worlds: &[SplitWorld]) -> anyhow::Result<Vec<Optimum>> {
    let refused = |message: String, expected: String| {
        let problem = Problem::new(CommandError::WrongTarget, Path::default(), message).value(path.display());
        Problems(vec![problem.expected(expected).help("use a table that `--annotate` wrote for the same split")])
    };
    let text = fs::read_to_string(path).with_context(|| format!("`{}` can't be read", path.display()))?;
    let mut lines = text.lines();
    let columns = table::COLUMNS.join(",");
    if !lines.next().is_some_and(|header| header.starts_with(&columns)) {
        return Err(refused("the file is not a table of worlds".to_owned(), format!("a header `{columns},…`")).into());
    }
    let mut found = Vec::with_capacity(worlds.len());
    for world in worlds {
        // A table of all tiers also has the rows of one tier.
        let row = lines.by_ref().find_map(|line| table::read_row(world, line));
        let Some((optimum, _)) = row else {
            let message = format!("the table has no row for `{}`, or it is out of order", world.member());
            return Err(refused(message, "rows sorted by number, then by tier".to_owned()).into());
        };
        found.push(optimum);
    }
    Ok(found)
}

/// The rows in an existing file. A missing file is created. An incomplete last row is removed, and its world is annotated again.
fn begun(path: &FilePath, worlds: &[SplitWorld]) -> anyhow::Result<Vec<Row>> {
    let refused = |message: String| {
        let problem = Problem::new(CommandError::WrongTarget, Path::default(), message).value(path.display());
        Problems(vec![problem.help("choose another file, or delete this one to start again")])
    };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            farm_output::save(path, format!("{}\n", table::header()).as_bytes())?;
            return Ok(Vec::new());
        }
        Err(error) => return Err(error).with_context(|| format!("`{}` can't be read", path.display())),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = whole.lines();
    if lines.next() != Some(&table::header()) {
        return Err(refused("the file is not a table of worlds".to_owned()).into());
    }
    let mut rows = Vec::new();
    for (i, line) in lines.enumerate() {
        let row = worlds.get(i).and_then(|world| Row::read(world, line));
        let Some(row) = row else {
            let expected =
                worlds.get(i).map_or_else(|| "no more rows".to_owned(), |world| format!("`{}`", world.member()));
            return Err(
                refused(format!("line {} of the file belongs to another world: expected {expected}", i + 2)).into()
            );
        };
        rows.push(row);
    }
    if whole.len() < text.len() {
        farm_output::save(path, whole.as_bytes())?;
    }
    Ok(rows)
}

fn append(path: &FilePath, rows: &[Row]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    let text: String = rows.iter().map(|row| format!("{}\n", row.text)).collect();
    file.write_all(text.as_bytes())
}

/// The results on a tier.
struct TierSummary {
    tier: u32,
    worlds: usize,
    proven: usize,
    /// The number of worlds whose optimum is not above waiting.
    without_room: usize,
    /// Whether the planner computes bounds on the optima.
    is_bounded: bool,
    optimum: f64,
    length: f64,
    /// Each script's score: the sum of its gains over waiting, divided by the sum of the possible gains. `None` if the script does not play
    /// the game.
    scores: Vec<Option<Mean>>,
}

/// The scripts with a score; the score of waiting is always 0.
const SCORED: std::ops::Range<usize> = 1..SCRIPTS.len();

impl TierSummary {
    fn of(tier: u32, rows: &[&Row]) -> Self {
        let n = rows.len().max(1) as f64;
        let waiting = |row: &Row| row.scripts[0].unwrap_or_default();
        let room = |row: &Row| row.optimum.value - waiting(row);
        let score = |script: usize| {
            let gain = |row: &&Row| Some((row.scripts[script]? - waiting(row), room(row)));
            Mean::ratio(&rows.iter().map(gain).collect::<Option<Vec<_>>>()?)
        };
        Self {
            tier,
            worlds: rows.len(),
            proven: rows.iter().filter(|row| row.optimum.is_proven()).count(),
            without_room: rows.iter().filter(|row| room(row) <= 0.0).count(),
            is_bounded: rows.iter().any(|row| row.optimum.bound.is_finite()),
            optimum: rows.iter().map(|row| row.optimum.value).sum::<f64>() / n,
            length: rows.iter().map(|row| row.optimum.length as f64).sum::<f64>() / n,
            scores: SCORED.map(score).collect(),
        }
    }
}

fn print(
    arguments: &Arguments,
    family: &str,
    split: SeedSplit,
    rows: &[Row],
    (computed, seconds): (usize, f64),
) -> io::Result<()> {
    let mut tiers: Vec<u32> = rows.iter().map(|row| row.tier).collect();
    tiers.sort_unstable();
    tiers.dedup();
    let of_tier = |tier: u32| rows.iter().filter(|row| row.tier == tier).collect::<Vec<_>>();
    let summaries: Vec<TierSummary> = tiers.into_iter().map(|tier| TierSummary::of(tier, &of_tier(tier))).collect();
    let mut out = output::stdout();
    if arguments.json {
        let shown: Vec<_> = summaries
            .iter()
            .map(|summary| {
                let score = |(script, score): (&&str, &Option<Mean>)| ((*script).to_owned(), mean_json(*score));
                let scores: serde_json::Map<_, _> = SCRIPTS[SCORED].iter().zip(&summary.scores).map(score).collect();
                json!({
                    "tier": summary.tier, "worlds": summary.worlds, "proven": summary.proven, "without_room": summary.without_room,
                    "optimum": summary.optimum, "length": summary.length, "scores": scores,
                })
            })
            .collect();
        let shown = json!({
            "family": family, "split": split.name(), "worlds": rows.len(), "computed": computed, "seconds": seconds, "tiers": shown,
            "file": arguments.out.as_ref().map(|file| file.display().to_string()),
        });
        output::write_json(&mut out, "worlds", shown)?;
    } else {
        let took = format!("{computed} of them computed in {} s", format_number(seconds));
        writeln!(out, "{family}: {} {} worlds, {took}", rows.len(), split.name())?;
        let first = ["tier", "worlds", "proven", "without room", "optimum", "length"];
        let header: Vec<&str> = first.into_iter().chain(SCRIPTS[SCORED].iter().copied()).collect();
        let mut table = TextTable::new(&header).right_aligned(0..header.len());
        for summary in &summaries {
            let proven = if summary.is_bounded { summary.proven.to_string() } else { "best found".to_owned() };
            let first =
                [summary.tier.to_string(), summary.worlds.to_string(), proven, summary.without_room.to_string()];
            let means = [summary.optimum, summary.length].map(|mean| format!("{mean:.2}"));
            let scores = summary.scores.iter().map(|score| shown(*score, percent));
            table.row(first.into_iter().chain(means).chain(scores).collect());
        }
        table.write(&mut out, "  ")?;
        if let Some(file) = &arguments.out {
            writeln!(out, "written to {}", file.display())?;
        }
    }
    out.flush()
}
