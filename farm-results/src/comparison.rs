//! Policies compared over several games: returns on a common scale, and statistics that give all games equal weight.

use std::collections::{BTreeMap, BTreeSet};

use farm_scoring::risk::{Aggregate, Estimate, Scores};

use crate::board::{BOOTSTRAP, Board, Column, Entry, GameBoard, TAIL, WAIT, is_single};
use crate::file::PolicyName;

/// The expert, or in a valley game, the informed policy.
pub(crate) const EXPERT: &str = "expert";
/// Each game's best policy.
pub(crate) const BEST: &str = "best known";
/// The policies with the same name in all games.
const NAMED: [&str; 3] = [WAIT, "random", "plan"];

/// Policies compared over the games in which all of them have results.
#[derive(Debug)]
pub struct Comparison {
    /// The names of the games.
    pub games: Vec<String>,
    /// The policies: first the policies that exist in all games, then the trained ones.
    pub rows: Vec<Row>,
}

/// A policy over several games. Its scores are returns on a scale where `wait` has mean 0 and the best policy has mean 1.
#[derive(Debug)]
pub struct Row {
    /// The policy's name in tables.
    pub name: String,
    /// The scores, game by game.
    pub scores: Scores,
    /// The interquartile mean over the runs in all games.
    pub iqm: Column,
    /// The mean over the runs in all games.
    pub mean: Column,
    /// The mean of the amounts by which the runs fall short of 1.
    pub gap: Column,
    /// The CVaR 0.1 of a game's episodes, averaged over the games.
    pub tail: Column,
    /// The probability that an episode earns more than one of the expert's episodes, averaged over the games; none for the expert.
    pub improvement: Option<Estimate>,
}

/// A policy's runs in each game with results.
type Runs = BTreeMap<usize, Vec<Vec<f64>>>;

/// A policy with its runs.
struct Compared {
    /// Its name in tables.
    name: String,
    runs: Runs,
    /// Whether it was trained only once in a game; then its numbers have no interval.
    is_single: bool,
}

impl Board {
    /// Comparisons over at least two games, in descending order of the number of games. For each policy, take the set of games in which it
    /// has results. Each such set gives a comparison of all policies with results in all of these games. One more comparison covers all
    /// policies, over the games that they have in common.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let policies = self.policies();
        let mut sets: BTreeSet<Vec<usize>> =
            policies.iter().map(|policy| policy.runs.keys().copied().collect()).collect();
        sets.insert(
            (0..self.games.len()).filter(|game| policies.iter().all(|policy| policy.runs.contains_key(game))).collect(),
        );
        let mut sets: Vec<Vec<usize>> = sets.into_iter().filter(|games| games.len() > 1).collect();
        sets.sort_by_key(|games| std::cmp::Reverse(games.len()));
        sets.iter().filter_map(|games| self.compare(&policies, games)).collect()
    }

    /// The compared policies, in the order of tables.
    fn policies(&self) -> Vec<Compared> {
        let of = |find: &dyn Fn(&GameBoard) -> Option<&Entry>| -> Runs {
            let runs = |game: &GameBoard| game.on_common_scale(find(game)?);
            self.games.iter().enumerate().filter_map(|(i, game)| Some((i, runs(game)?))).collect()
        };
        let named = NAMED.map(|name| (name.to_owned(), of(&|game| game.entry(name))));
        let expert = of(&|game| game.reference().filter(|entry| entry.policy.name != WAIT));
        let all = self.games.iter().flat_map(|game| &game.entries);
        let trained: BTreeSet<&PolicyName> =
            all.map(|entry| &entry.policy).filter(|policy| policy.is_trained()).collect();
        let trained = trained.into_iter().map(|policy| {
            let runs = of(&|game| game.entries.iter().find(|entry| entry.policy == *policy));
            let is_single = runs.values().any(|runs| is_single(policy, runs.len()));
            Compared { name: policy.name.clone(), runs, is_single }
        });
        let common = [(EXPERT.to_owned(), expert), (BEST.to_owned(), of(&GameBoard::best))];
        let common = named.into_iter().chain(common);
        let common = common.map(|(name, runs)| Compared { name, runs, is_single: false });
        common.chain(trained).filter(|policy| !policy.runs.is_empty()).collect()
    }

    fn compare(&self, policies: &[Compared], games: &[usize]) -> Option<Comparison> {
        let scores_of = |runs: &Runs| {
            let tasks: Option<Vec<Vec<Vec<f64>>>> = games.iter().map(|game| runs.get(game).cloned()).collect();
            Scores::new(&tasks?)
        };
        let scores: Vec<(&Compared, Scores)> =
            policies.iter().filter_map(|policy| Some((policy, scores_of(&policy.runs)?))).collect();
        let expert = scores.iter().find(|(policy, _)| policy.name == EXPERT).map(|(_, scores)| scores.clone());
        let rows = scores.into_iter().map(|(policy, scores)| Row::new(policy, scores, expert.as_ref()));
        let names = games.iter().filter_map(|game| self.games.get(*game)).map(|game| game.name.clone());
        Some(Comparison { games: names.collect(), rows: rows.collect() })
    }
}

impl GameBoard {
    /// The returns from a policy's runs, on a scale where `wait` has mean 0 and the best policy has mean 1. Both means are treated as
    /// exact. Policies that exceed a limit more often than the expert get at most 0. None if no policy is better than waiting.
    fn on_common_scale(&self, entry: &Entry) -> Option<Vec<Vec<f64>>> {
        let (wait, best) = (self.entry(WAIT)?.mean(), self.best()?.mean());
        let most = if self.competes(entry) { f64::INFINITY } else { 0.0 };
        let scaled = |value: &f64| ((value - wait) / (best - wait)).min(most);
        (best > wait).then(|| entry.runs().map(|run| run.iter().map(scaled).collect()).collect())
    }
}

impl Row {
    fn new(policy: &Compared, scores: Scores, expert: Option<&Scores>) -> Self {
        let name = policy.name.as_str();
        let aggregates =
            [Aggregate::InterquartileMean, Aggregate::Mean, Aggregate::OptimalityGap(1.0), Aggregate::Risk(TAIL)];
        let intervals = BOOTSTRAP.aggregates(&scores, &aggregates);
        let column = |i: usize| Column {
            value: scores.aggregate(aggregates[i]),
            interval: intervals.as_ref().and_then(|all| all.get(i)).copied().filter(|_| !policy.is_single),
        };
        let [mut iqm, mut mean, mut gap, tail] = [0, 1, 2, 3].map(column);
        if name == BEST {
            // The scale fixes these values.
            for column in [&mut iqm, &mut mean, &mut gap] {
                column.interval = None;
            }
        }
        let expert = expert.filter(|_| name != EXPERT && !policy.is_single);
        let improvement = expert.and_then(|expert| BOOTSTRAP.improvement(&scores, expert));
        Self { name: name.to_owned(), iqm, mean, gap, tail, improvement, scores }
    }
}
