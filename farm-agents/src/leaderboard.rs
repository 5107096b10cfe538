//! Tables of verified runs, by game and agent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use farm_core::config::{Location, Path, Problem, Problems};
use farm_core::inspect::format_number;
use serde_json::Value as Json;

use crate::dialogue::Rules;
use crate::errors::AgentsError;
use crate::header::{Conduct, EpisodePlan, HEADER, RunHeader};
use crate::limits::MAX_RUNS;
use crate::run::{Access, Run};
use crate::score::{Mean, Score};
use crate::texts::{code, markdown};

/// A run that verifies, with its score.
#[derive(Debug)]
pub struct Entry {
    /// Its folder.
    pub folder: PathBuf,
    /// Its header.
    pub header: RunHeader,
    /// Its score, without the curves over turns and tokens.
    pub score: Score,
    /// The properties that comparable runs share.
    compared: Compared,
}

/// The protocol that all runs in a table share. It describes the played episodes, whatever the runs report about them.
#[derive(Debug, Clone, PartialEq)]
struct Compared {
    title: String,
    /// How the episodes were played. `worlds` has the rules that they showed.
    conduct: Conduct,
    /// Each episode's level, seed, game and whether it showed the rules, sorted.
    worlds: Vec<(Option<String>, u64, String, bool)>,
}

/// Runs side by side.
#[derive(Debug, Default)]
pub struct Leaderboard {
    /// Runs that verify.
    pub entries: Vec<Entry>,
    /// Runs that do not verify, with their problems.
    pub refused: Vec<(PathBuf, Problems)>,
}

impl Leaderboard {
    /// Verifies and scores all runs in a folder and its subfolders. `time` is the time limit for each run; when it expires, the current
    /// step is the last.
    ///
    /// # Errors
    /// The folder can't be read or contains no run. Problems of a run are in [`Leaderboard::refused`].
    pub fn of(folder: &FilePath, access: Access, threads: usize, time: Duration) -> Result<Self, Problems> {
        let mut board = Self::default();
        for run in runs_below(folder)? {
            let scored = is_within(folder, &run)
                .and_then(|()| Run::open_within(&run, access, time))
                .and_then(|opened| Ok((opened.header().clone(), opened.verify_and_score(threads)?.0)));
            match scored {
                Ok((header, mut score)) => {
                    for episode in &mut score.episodes {
                        (episode.returns, episode.tokens) = (Vec::new(), Vec::new());
                    }
                    let compared = Compared::of(&header);
                    board.entries.push(Entry { folder: run, header, score, compared });
                }
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
            "Each run was verified: a replay of its replies matches bit for bit. Score: Σ(R − waiting) / Σ(best − waiting) over levels, \
             not clipped. Levels without room have best = waiting. ΣR / Σbest: as AutoEnv-36 prints it. Square brackets: 95 % bootstrap intervals over levels. Invalid: turns with a \
             part of the reply that was not read or not executed. Asked again: replies that could not be read. Worlds, rules, counts and \
             scores are computed from the replay. **Who played is a claim of the run**, as are the kind of agent, tokens, seconds and prices: \
             nothing here can check them. `~` marks estimates."
        )?;
        let mut tables: Vec<(&Entry, Vec<&Entry>)> = Vec::new();
        for entry in &self.entries {
            match tables.iter_mut().find(|(first, _)| first.compared == entry.compared) {
                Some((_, rows)) => rows.push(entry),
                None => tables.push((entry, vec![entry])),
            }
        }
        tables.sort_by_key(|(first, rows)| (first.header.title(), std::cmp::Reverse(rows.len())));
        for (first, mut rows) in tables {
            let by_score = |entry: &&Entry| entry.score.score.map_or(f64::NEG_INFINITY, |score| score.value);
            rows.sort_by(|a, b| by_score(b).total_cmp(&by_score(a)).then_with(|| a.header.name.cmp(&b.header.name)));
            let (header, score) = (&first.header, &first.score);
            writeln!(page, "\n## {}, {}\n", markdown(&header.title()), protocol(header))?;
            let best = score.best.map_or("no best return is known", |best| best.name());
            let worlds = match (header.episodes.iter().all(|plan| plan.level.is_some()), score.levels) {
                (_, 1) => "world",
                (true, _) => "levels",
                (false, _) => "worlds",
            };
            let repeated = repetitions(header);
            writeln!(
                page,
                "{} episodes on {} {worlds}{repeated}, {} without room; best: {best}.\n",
                score.of, score.levels, score.without_room
            )?;
            writeln!(
                page,
                "| who played (claim) | score | ΣR / Σbest | return | invalid | asked again | turns | tokens (claim) | cost (claim) | kind (claim) |"
            )?;
            writeln!(page, "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")?;
            for entry in &rows {
                let Score { counts, tokens, cost, .. } = &entry.score;
                let share = |share: Option<f64>| share.map_or("–".to_owned(), percent);
                let estimated = if tokens.estimated { "~" } else { "" };
                writeln!(
                    page,
                    "| {} | {} | {} | {} | {} | {} | {} | {estimated}{} | {} | {} |",
                    markdown(&entry.header.name),
                    shown(entry.score.score, percent),
                    shown(entry.score.ratio_of_sums, percent),
                    shown(entry.score.returns, format_number),
                    share(counts.invalid_rate()),
                    share(counts.asked_again_rate()),
                    counts.turns,
                    tokens.total(),
                    cost.map_or("–".to_owned(), format_number),
                    markdown(entry.header.agent.get("kind").and_then(Json::as_str).unwrap_or("–")),
                )?;
            }
            let numbered = |entry: &Entry| (1..).zip(entry.score.over_trials.iter().copied()).collect();
            curve(page, "trial", &rows, &numbered)?;
            curve(page, "tier", &rows, &|entry| entry.score.by_tier.clone())?;
        }
        if !self.refused.is_empty() {
            writeln!(page, "\n## Rejected\n")?;
        }
        for (folder, problems) in &self.refused {
            let first = problems.0.first();
            let place =
                first.and_then(|problem| problem.location.as_ref()).map_or(String::new(), |at| format!(", {at}"));
            let said = first.map_or(String::new(), |problem| format!("{}: {}", problem.code, problem.message));
            writeln!(page, "- {}: {}", code(&folder.display().to_string()), markdown(&format!("{said}{place}")))?;
        }
        Ok(())
    }
}

/// A table of scores by trial or by tier; empty if there is only one row.
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
        writeln!(page, "| {} |{cells}", markdown(&entry.header.name))?;
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

/// The protocol of a run, in words: its worlds, rules, texts, history and budgets.
fn protocol(header: &RunHeader) -> String {
    let conduct = &header.conduct;
    let mut words = vec![header.worlds_in_words()];
    if conduct.lifetime > 1 {
        words.push(format!("lifetimes of {} trials", conduct.lifetime));
    }
    words.push(format!("rules {}", header.rules_in_words()));
    words.push(format!("{} texts", conduct.text.name()));
    if conduct.vision {
        words.push("pictures".to_owned());
    }
    words.push(format!("history {}", conduct.history));
    words.push(format!("{} turns of {} replies", conduct.max_turns, conduct.replies));
    words.extend(conduct.max_tokens.map(|most| format!("{most} tokens")));
    words.extend(conduct.max_seconds.map(|most| format!("{} s", format_number(most))));
    words.join(", ")
}

/// How often the worlds are repeated, in words; empty if each is played once.
fn repetitions(header: &RunHeader) -> String {
    let mut times: BTreeMap<_, u32> = BTreeMap::new();
    for plan in &header.episodes {
        let seed = if plan.level.is_some() { 0 } else { plan.seed };
        *times.entry((&plan.level, seed, &plan.game)).or_default() += 1;
    }
    match (times.values().min(), times.values().max()) {
        (Some(1), Some(1)) | (None, _) | (_, None) => String::new(),
        (Some(least), Some(most)) if least == most => format!(", each {most} times"),
        (Some(least), Some(most)) => format!(", each {least} to {most} times"),
    }
}

impl Compared {
    fn of(header: &RunHeader) -> Self {
        let told = |plan: &EpisodePlan| plan.conduct(header.conduct).rules == Rules::Shown;
        let world = |plan: &EpisodePlan| (plan.level.clone(), plan.seed, plan.fingerprint.clone(), told(plan));
        let mut worlds: Vec<_> = header.episodes.iter().map(world).collect();
        worlds.sort();
        Self { title: header.title(), conduct: Conduct { rules: Rules::Hidden, ..header.conduct }, worlds }
    }
}

/// Rejects a run whose folder links to a place outside the searched folder.
fn is_within(folder: &FilePath, run: &FilePath) -> Result<(), Problems> {
    let whole = |path: &FilePath| path.canonicalize().ok();
    if whole(folder).zip(whole(run)).is_some_and(|(folder, run)| run.starts_with(folder)) {
        return Ok(());
    }
    let mut problem =
        Problem::new(AgentsError::NotATrace, Path::default(), "the folder of the run is a link to another place");
    problem.location = Some(Location::new(run.display().to_string(), None));
    Err(Problems(vec![problem.help("pass the linked folder itself, or copy the run into this folder")]))
}

/// Finds all folders that contain a run, from this folder downwards.
fn runs_below(folder: &FilePath) -> Result<Vec<PathBuf>, Problems> {
    let at = |mut problem: Problem| {
        problem.location = Some(Location::new(folder.display().to_string(), None));
        Problems(vec![problem])
    };
    let mut found = BTreeSet::new();
    // Any file counts here, so that unreadable headers are rejected by name.
    let is_run = |folder: &FilePath| folder.join(HEADER).symlink_metadata().is_ok();
    if is_run(folder) {
        found.insert(folder.to_owned());
    }
    let entries = std::fs::read_dir(folder).map_err(|error| {
        at(Problem::new(AgentsError::NoRuns, Path::default(), format!("the folder can't be read: {error}")))
    })?;
    found.extend(entries.flatten().map(|entry| entry.path()).filter(|path| is_run(path)));
    if found.len() > MAX_RUNS {
        let message = format!("there are {} runs in this folder", found.len());
        let problem = Problem::new(AgentsError::RunTooLarge, Path::default(), message);
        return Err(at(problem.expected(format!("at most {MAX_RUNS}"))));
    }
    if found.is_empty() {
        let problem = Problem::new(AgentsError::NoRuns, Path::default(), "there is no run in this folder");
        return Err(at(problem.help("`farm agents play GAME --out FOLDER/RUN` writes one")));
    }
    Ok(found.into_iter().collect())
}
