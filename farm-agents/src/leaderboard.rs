//! Tables of runs, each of them verified before: games by agents.

use std::fmt::Write as _;
use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{Location, Path, Problem, Problems};
use farm_core::inspect::format_number;

use crate::errors::AgentsError;
use crate::run::{Access, EpisodePlan, HEADER, Run, RunHeader};
use crate::score::{Mean, Score};

/// A run that verifies, with its score.
#[derive(Debug)]
pub struct Entry {
    /// Its folder.
    pub folder: PathBuf,
    /// What it says of itself.
    pub header: RunHeader,
    /// Its score.
    pub score: Score,
}

/// Runs side by side.
#[derive(Debug, Default)]
pub struct Leaderboard {
    /// Those that verify.
    pub entries: Vec<Entry>,
    /// Those that do not, with what is wrong.
    pub refused: Vec<(PathBuf, Problems)>,
}

impl Leaderboard {
    /// Verifies and scores all runs below a folder.
    ///
    /// # Errors
    /// A folder that can't be read, or has no run in it. What is wrong with a run stands in [`Leaderboard::refused`].
    pub fn of(folder: &FilePath, access: Access, threads: usize) -> Result<Self, Problems> {
        let folders = runs_below(folder)?;
        let mut board = Self::default();
        for run in folders {
            let scored = Run::open(&run, access).and_then(|opened| {
                let traces = opened.verify(threads)?;
                let score = opened.score(&traces, threads)?;
                Ok((opened.header().clone(), score))
            });
            match scored {
                Ok((header, score)) => board.entries.push(Entry { folder: run, header, score }),
                Err(problems) => board.refused.push((run, problems)),
            }
        }
        Ok(board)
    }

    /// The tables in Markdown.
    pub fn page(&self) -> String {
        let mut page = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut page);
        page
    }

    fn write(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "# Agents\n")?;
        writeln!(
            page,
            "Each run was verified: its replies were played again, bit by bit. Score: (R − waiting) / (best − waiting), the mean over levels, \
             clipped nowhere. ΣR / Σbest: as AutoEnv-36 prints it. Square brackets: 95 % intervals by bootstrap over levels. Invalid: turns in \
             which something of the reply was not read or not done. Asked again: replies that could not be read. Tokens and seconds are what \
             the run says; `~` marks estimates."
        )?;
        let mut tables: Vec<(&Entry, Vec<&Entry>)> = Vec::new();
        for entry in &self.entries {
            match tables.iter_mut().find(|(first, _)| is_comparable(first, entry)) {
                Some((_, rows)) => rows.push(entry),
                None => tables.push((entry, vec![entry])),
            }
        }
        tables.sort_by_key(|(first, rows)| (first.header.title(), std::cmp::Reverse(rows.len())));
        for (first, mut rows) in tables {
            let by_score = |entry: &&Entry| entry.score.score.map_or(f64::NEG_INFINITY, |score| score.value);
            rows.sort_by(|a, b| by_score(b).total_cmp(&by_score(a)).then_with(|| a.header.name.cmp(&b.header.name)));
            let (header, score) = (&first.header, &first.score);
            let split = header.split.as_ref().map_or(String::new(), |split| format!(", {split} levels"));
            let lifetime = match header.conduct.lifetime {
                1 => String::new(),
                trials => format!(", lifetimes of {trials} trials"),
            };
            let rules = header.rules_in_words();
            writeln!(page, "\n## {}{split}{lifetime}, rules {rules}\n", text(&header.title()))?;
            let best = score.best.map_or("nobody knows the best return", |best| best.name());
            let worlds = match (header.split.is_some(), score.levels) {
                (_, 1) => "world",
                (true, _) => "levels",
                (false, _) => "worlds",
            };
            writeln!(page, "{} episodes on {} {worlds}; best: {best}.\n", score.of, score.levels)?;
            writeln!(
                page,
                "| agent | texts | history | score | ΣR / Σbest | return | invalid | asked again | turns | tokens | cost |"
            )?;
            writeln!(page, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
            for entry in &rows {
                let Score { counts, tokens, cost, .. } = &entry.score;
                let share = |share: Option<f64>| share.map_or("–".to_owned(), percent);
                let estimated = if tokens.estimated { "~" } else { "" };
                writeln!(
                    page,
                    "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {estimated}{} | {} |",
                    text(&entry.header.name),
                    entry.header.conduct.text.name(),
                    entry.header.conduct.history,
                    shown(entry.score.score, percent),
                    shown(entry.score.ratio_of_sums, percent),
                    shown(entry.score.returns, format_number),
                    share(counts.invalid_rate()),
                    share(counts.asked_again_rate()),
                    counts.turns,
                    tokens.total(),
                    cost.map_or("–".to_owned(), format_number),
                )?;
            }
            let numbered = |entry: &Entry| (1..).zip(entry.score.over_trials.iter().copied()).collect();
            curve(page, "trial", &rows, &numbered)?;
            curve(page, "tier", &rows, &|entry| entry.score.by_tier.clone())?;
        }
        if !self.refused.is_empty() {
            writeln!(page, "\n## Refused\n")?;
        }
        for (folder, problems) in &self.refused {
            let first = problems.0.first();
            let place =
                first.and_then(|problem| problem.location.as_ref()).map_or(String::new(), |at| format!(", {at}"));
            let said = first.map_or(String::new(), |problem| format!("{}: {}", problem.code, problem.message));
            writeln!(
                page,
                "- `{}`: {}",
                folder.display().to_string().replace('`', "'"),
                text(&format!("{said}{place}"))
            )?;
        }
        Ok(())
    }
}

/// A table of scores over trials or tiers, where there are several.
fn curve(
    page: &mut String,
    over: &str,
    rows: &[&Entry],
    means: &dyn Fn(&Entry) -> Vec<(u32, Mean)>,
) -> std::fmt::Result {
    let numbers: Vec<u32> = rows.first().map_or(Vec::new(), |entry| means(entry).iter().map(|(at, _)| *at).collect());
    if numbers.len() < 2 {
        return Ok(());
    }
    let head: String = numbers.iter().map(|at| format!(" {over} {at} |")).collect();
    writeln!(page, "\n| agent |{head}\n|---|{}", "--:|".repeat(numbers.len()))?;
    for entry in rows {
        let known = means(entry);
        let mean = |at: u32| known.iter().find(|(number, _)| *number == at).map(|(_, mean)| *mean);
        let cells: String = numbers.iter().map(|at| format!(" {} |", shown(mean(*at), percent))).collect();
        writeln!(page, "| {} |{cells}", text(&entry.header.name))?;
    }
    Ok(())
}

/// A mean with its interval.
pub fn shown(mean: Option<Mean>, number: impl Fn(f64) -> String) -> String {
    let Some(Mean { value, interval }) = mean else { return "–".to_owned() };
    let interval = interval.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
    number(value) + &interval.unwrap_or_default()
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Whether two runs are of the same worlds under the same rules.
fn is_comparable(one: &Entry, other: &Entry) -> bool {
    let worlds = |entry: &Entry| entry.header.episodes.iter().map(EpisodePlan::world).map(owned).collect::<Vec<_>>();
    one.header.title() == other.header.title()
        && one.header.conduct.rules == other.header.conduct.rules
        && one.header.conduct.lifetime == other.header.conduct.lifetime
        && worlds(one) == worlds(other)
}

fn owned((level, seed, fingerprint): (&Option<String>, u64, &str)) -> (Option<String>, u64, String) {
    (level.clone(), seed, fingerprint.to_owned())
}

/// A text in a cell of a table.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '<' | '*' | '_' | '[' | ']' | '`' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The folders below this one, itself included, that hold a run.
fn runs_below(folder: &FilePath) -> Result<Vec<PathBuf>, Problems> {
    let at = |mut problem: Problem| {
        problem.location = Some(Location::new(folder.display().to_string(), None));
        Problems(vec![problem])
    };
    let mut found = Vec::new();
    if folder.join(HEADER).is_file() {
        found.push(folder.to_owned());
    }
    let entries = std::fs::read_dir(folder).map_err(|error| {
        at(Problem::new(AgentsError::NoRuns, Path::default(), format!("the folder can't be read: {error}")))
    })?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.join(HEADER).is_file() {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        let problem = Problem::new(AgentsError::NoRuns, Path::default(), "there is no run in this folder");
        return Err(at(problem.help("`farm agents GAME --out FOLDER/RUN` writes one")));
    }
    Ok(found)
}
