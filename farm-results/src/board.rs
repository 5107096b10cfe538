//! Each game's results: checks that they are comparable, and their statistics.

use std::collections::BTreeMap;
use std::fmt;

use farm_core::config::{Location, Path, Problem, Problems};
use farm_core::inspect::format_number;
use farm_scoring::risk::{Bootstrap, Criterion, Estimate, Scores, Statistic};

use crate::errors::ResultsError;
use crate::file::{PolicyName, ResultsFile};

/// The results of games.
#[derive(Debug)]
pub struct Board {
    /// The games, by name.
    pub games: Vec<GameBoard>,
}

/// The results of one game.
#[derive(Debug)]
pub struct GameBoard {
    /// The game's name, with its changes.
    pub name: String,
    /// Its id in Gymnasium, if it has one.
    pub game_id: Option<String>,
    /// The game's fingerprint, which is the same in all results.
    pub fingerprint: u64,
    /// The policies, in descending order of their means.
    pub entries: Vec<Entry>,
}

/// One policy's results in a game.
#[derive(Debug)]
pub struct Entry {
    /// The policy.
    pub policy: PolicyName,
    /// The results, one file per training seed.
    pub files: Vec<ResultsFile>,
    /// All returns, run by run.
    pub scores: Scores,
    /// Mean, interquartile mean and CVaR 0.1. CVaR has no interval if its tail has too few episodes.
    pub columns: [Column; 3],
    /// The runs' mean optimality gap, on a scale from `wait` (0) to the best policy (1). None if there are no results for `wait`.
    pub gap: Option<Column>,
    /// The probability that an episode earns more than an episode of the reference policy; none for the reference policy.
    pub improvement: Option<Estimate>,
}

/// A statistic, with its interval if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// The statistic.
    pub value: f64,
    /// Its interval.
    pub interval: Option<Estimate>,
}

impl Column {
    /// The same statistic on another scale, given by an increasing function.
    pub(crate) fn map(self, scale: impl Fn(f64) -> f64) -> Self {
        let of = |e: Estimate| Estimate { value: scale(e.value), low: scale(e.low), high: scale(e.high) };
        Self { value: scale(self.value), interval: self.interval.map(of) }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_number(self.value))?;
        match self.interval {
            Some(interval) => write!(f, " [{}, {}]", format_number(interval.low), format_number(interval.high)),
            None => Ok(()),
        }
    }
}

/// The criterion for the worst episodes.
pub(crate) const TAIL: Criterion = Criterion::Cvar(0.1);
/// The waiting policy, which defines the zero of the gap's scale.
pub(crate) const WAIT: &str = "wait";
/// The reference policies. The first one that has results is used.
const REFERENCES: [&str; 3] = ["expert", "informed", WAIT];

/// The bootstrap settings for intervals: enough resamples for three digits, but few enough for a page with many games.
pub(crate) const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 1000, confidence: 0.95, seed: 0 };

impl Board {
    /// The results of all files.
    ///
    /// # Errors
    /// Results for one game have different fingerprints, a run has two files, or a policy's runs use different seeds.
    pub fn new(files: Vec<ResultsFile>) -> Result<Self, Problems> {
        let mut games: BTreeMap<String, Vec<ResultsFile>> = BTreeMap::new();
        for file in files {
            games.entry(title(&file)).or_default().push(file);
        }
        let mut problems = Problems::default();
        let boards = games.into_iter().filter_map(|(name, files)| GameBoard::new(name, files, &mut problems)).collect();
        if problems.has_errors() { Err(problems) } else { Ok(Self { games: boards }) }
    }
}

/// A game with its changes, as written on a command line.
fn title(file: &ResultsFile) -> String {
    let mut title = file.game.clone();
    for (key, value) in &file.arguments {
        let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match value.as_object() {
            Some(changes) if key == "set" => {
                let mut changes: Vec<String> =
                    changes.iter().map(|(path, value)| format!(" --set {path}={}", text(value))).collect();
                changes.sort();
                title += &changes.concat();
            }
            _ => title += &format!(" --{key} {}", text(value)),
        }
    }
    title
}

impl GameBoard {
    fn new(name: String, files: Vec<ResultsFile>, problems: &mut Problems) -> Option<Self> {
        let first = files.first()?;
        let (fingerprint, game_id, origin) = (first.fingerprint, first.game_id.clone(), first.source.clone());
        for other in files.iter().filter(|file| file.fingerprint != fingerprint) {
            let message = format!(
                "results of `{name}` with different fingerprints: {:016x} here, {fingerprint:016x} in {origin}",
                other.fingerprint
            );
            let problem = about(other, ResultsError::MixedFingerprints, "fingerprint", message);
            let problem = problem.value(format!("{:016x}", other.fingerprint));
            let problem = problem.expected(format!("{fingerprint:016x}, as in {origin}"));
            problems.push(problem.help(format!(
                "the game has changed: regenerate the older of the two results (`{}`; `{}`)",
                other.made_by.command, first.made_by.command
            )));
        }
        let mut policies: BTreeMap<PolicyName, Vec<ResultsFile>> = BTreeMap::new();
        for file in files {
            policies.entry(file.policy.clone()).or_default().push(file);
        }
        let entries: Vec<Entry> =
            policies.into_iter().filter_map(|(policy, files)| Entry::new(policy, files, problems)).collect();
        if problems.has_errors() {
            return None;
        }
        let mut board = Self { name, game_id, fingerprint, entries };
        board.compare();
        Some(board)
    }

    /// The reference policy.
    pub fn reference(&self) -> Option<&Entry> {
        REFERENCES.iter().find_map(|name| self.entry(name))
    }

    /// The policy with the highest mean; if several have the same mean, the first one. A policy does not compete if it knew the future, or
    /// if it exceeded one of the game's limits more often than the reference policy.
    pub fn best(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| self.competes(entry))
    }

    /// Whether a policy can be the best.
    pub(crate) fn competes(&self, entry: &Entry) -> bool {
        let allowed = self.reference().and_then(Entry::over_limit).unwrap_or_default();
        !entry.policy.is_hindsight() && entry.over_limit().is_none_or(|share| share <= allowed)
    }

    /// The policy that was planned with knowledge of the future, if there is one.
    pub fn hindsight(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.policy.is_hindsight())
    }

    /// The policy with this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.policy.name == name)
    }

    /// Sorts the policies by their means, and measures gaps and improvements.
    fn compare(&mut self) {
        self.entries.sort_by(|a, b| b.mean().total_cmp(&a.mean()).then_with(|| a.policy.cmp(&b.policy)));
        let best = self.best().map(Entry::mean);
        let ends = best.zip(self.entry(WAIT).map(Entry::mean)).filter(|(best, wait)| best > wait);
        let reference = self.reference().map(|entry| (entry.policy.clone(), entry.scores.clone()));
        let competes: Vec<bool> = self.entries.iter().map(|entry| self.competes(entry)).collect();
        for (entry, competes) in self.entries.iter_mut().zip(competes) {
            let ends = ends.filter(|_| competes);
            entry.gap = ends.and_then(|(best, wait)| entry.gap_between(wait, best));
            entry.improvement = reference
                .as_ref()
                .filter(|(policy, _)| *policy != entry.policy && !is_single(&entry.policy, entry.files.len()))
                .and_then(|(_, scores)| BOOTSTRAP.improvement(&entry.scores, scores));
        }
    }
}

impl Entry {
    fn new(policy: PolicyName, mut files: Vec<ResultsFile>, problems: &mut Problems) -> Option<Self> {
        files.sort_by_key(|file| file.training_seed);
        let first = files.first()?;
        let mut is_fine = true;
        let mut refuse = |problem: Problem| {
            problems.push(problem);
            is_fine = false;
        };
        for pair in files.windows(2).filter(|pair| pair[0].training_seed == pair[1].training_seed) {
            let run = pair[1].training_seed.map_or(String::new(), |seed| format!(" trained with seed {seed}"));
            let message = format!("`{}`{run} also has results in {}", policy.name, pair[0].source);
            let problem = about(&pair[1], ResultsError::MixedResults, "policy", message);
            refuse(problem.expected("one file per run").help("remove one of them, or give one policy another name"));
        }
        for other in files.iter().filter(|file| file.seeds() != first.seeds()) {
            let message = format!("runs of `{}` use other seeds than in {}", policy.name, first.source);
            let problem = about(other, ResultsError::MixedResults, "evaluation.first_seed", message);
            let problem = problem.expected("the same seeds for all runs of a policy");
            refuse(problem.help(format!("regenerate one of them (`{}`)", other.made_by.command)));
        }
        let runs: Vec<Vec<f64>> = files.iter().map(|file| file.returns.clone()).collect();
        let scores = Scores::of_runs(&runs).filter(|_| is_fine)?;
        let statistics = [Statistic::Mean, Statistic::InterquartileMean, Statistic::Risk(TAIL)];
        let intervals = BOOTSTRAP.scores(&scores, &statistics);
        let column = |i: usize| {
            let is_thin = i == 2 && TAIL.no_interval(scores.len()).is_some();
            let interval = intervals.as_ref().and_then(|all| all.get(i)).copied();
            let interval = interval.filter(|_| !is_thin && !is_single(&policy, files.len()));
            Column { value: scores.value(statistics[i]), interval }
        };
        let columns = [column(0), column(1), column(2)];
        Some(Self { policy, files, scores, columns, gap: None, improvement: None })
    }

    /// The mean of all returns.
    pub fn mean(&self) -> f64 {
        let [mean, ..] = self.columns;
        mean.value
    }

    /// The number of episodes in each run.
    pub fn episodes(&self) -> usize {
        self.files.first().map_or(0, |file| file.returns.len())
    }

    /// The share of its episodes that exceeded one of the game's limits; none if unknown.
    pub fn over_limit(&self) -> Option<f64> {
        let counts: Option<Vec<usize>> = self.files.iter().map(|file| file.over_limit).collect();
        counts.map(|counts| counts.iter().sum::<usize>() as f64 / self.scores.len().max(1) as f64)
    }

    /// The difference between its returns and another policy's on the same episodes, if both have one run; otherwise none.
    pub fn less(&self, other: &Self) -> Option<Column> {
        let ([own], [others]) = (self.files.as_slice(), other.files.as_slice()) else { return None };
        let paired = BOOTSTRAP.paired(&Criterion::Mean, &own.returns, &others.returns);
        let paired = paired.filter(|_| own.seeds() == others.seeds())?;
        Some(Column { value: paired.difference, interval: paired.interval })
    }

    /// The policy's name in tables.
    pub fn name(&self) -> String {
        match &self.policy.mode {
            Some(mode) => format!("{}, {mode}", self.policy.name),
            None => self.policy.name.clone(),
        }
    }

    /// The returns in each run.
    pub fn runs(&self) -> impl Iterator<Item = &[f64]> {
        self.files.iter().map(|file| file.returns.as_slice())
    }

    /// The gap on a scale where `wait` is 0 and `best` is 1. Both values are treated as exact.
    fn gap_between(&self, wait: f64, best: f64) -> Option<Column> {
        let share = |value: &f64| (value - wait) / (best - wait);
        let runs: Vec<Vec<f64>> = self.runs().map(|run| run.iter().map(share).collect()).collect();
        let scores = Scores::of_runs(&runs)?;
        // With several runs, each run is one score. With one run, its episodes are resampled, and the gap is that of its mean.
        if runs.len() > 1 {
            let means = scores.means_of_runs();
            let statistic = Statistic::OptimalityGap(1.0);
            let interval = BOOTSTRAP.scores(&means, &[statistic]).and_then(|found| found.first().copied());
            return Some(Column { value: means.value(statistic), interval });
        }
        let short = |mean: f64| (1.0 - mean).max(0.0);
        let interval = BOOTSTRAP.scores(&scores, &[Statistic::Mean]).and_then(|found| found.first().copied());
        let interval = interval.filter(|_| !is_single(&self.policy, runs.len()));
        let interval = interval.map(|e| Estimate { value: short(e.value), low: short(e.high), high: short(e.low) });
        Some(Column { value: short(scores.value(Statistic::Mean)), interval })
    }
}

/// Whether a policy was trained only once. Training with another seed could give a better or a worse policy. No interval over this run's
/// episodes shows that.
pub(crate) fn is_single(policy: &PolicyName, runs: usize) -> bool {
    policy.is_trained() && runs < 2
}

/// A problem with a field in a file.
fn about(file: &ResultsFile, code: ResultsError, field: &str, message: String) -> Problem {
    let path = field.split('.').fold(Path::default(), |path, key| path.child(key));
    let mut problem = Problem::new(code, path, message);
    problem.location = Some(Location::new(file.source.clone(), None));
    problem
}
