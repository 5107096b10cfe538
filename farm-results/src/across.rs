//! The part of the page that covers many games: aggregates, their chart, and learners' returns in each game.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use farm_plot::{Distributions, Drawing, Group, Lines, Series};

use crate::board::{BOOTSTRAP, Board, Column, Entry, GameBoard, WAIT};
use crate::comparison::{Comparison, EXPERT, Row};
use crate::picture::{Picture, WIDTH, brief, heading, percent, text};

/// The name of the chart for all games; no game has this name.
const PICTURE: &str = "games.all.svg";
/// The best set of standing orders that never changes. A learner that switches between orders must beat it.
const CONSTANT_ORDERS: &str = "constant orders";
/// The range of a profile's horizontal axis, and its number of steps.
const PROFILE: (f64, f64) = (-0.5, 2.0);
const STEPS: u32 = 50;
const PROFILE_HEIGHT: f64 = 300.0;

const ACROSS: &str = "
## Across games

All returns are on the same scale: in each game, `wait` scores 0 on average and the best policy scores 1. `best known` is a valley's proved optimum, or another game's best policy.
`expert` is `informed` in the valleys. All games count equally (Agarwal et al. 2021, and their library rliable).

- A run's score is the mean over its episodes. IQM is the mean of the middle half of all games' runs.
- The optimality gap is the mean amount by which runs fall short of 1; a score above 1 counts as 1.
- CVaR 0.1 is the mean of the worst 10 % of a game's episodes, averaged over the games.
- The last column is the probability that an episode earns more than one of the expert's episodes in the same game; ties count half.
- Intervals come from a bootstrap over runs and episodes within each game. A learner with only one training run in any game has no interval.
- A policy that exceeds a limit more often than the expert does scores at most 0.
";

impl Board {
    /// Tables of all games, and of the games in which learners have results.
    pub(crate) fn write_across(
        &self,
        comparisons: &[Comparison],
        page: &mut String,
        folder: &str,
        is_summary: bool,
    ) -> std::fmt::Result {
        if !comparisons.is_empty() {
            page.push_str(ACROSS);
        }
        for comparison in comparisons {
            self.write_comparison(comparison, page)?;
        }
        if pictured(comparisons).is_some() {
            writeln!(
                page,
                "\n![Aggregates, performance profiles and probabilities of improvement]({folder}/{PICTURE})"
            )?;
        }
        self.write_trained(page, is_summary)
    }

    fn write_comparison(&self, comparison: &Comparison, page: &mut String) -> std::fmt::Result {
        let count = comparison.games.len();
        let left_out: Vec<&GameBoard> =
            self.games.iter().filter(|game| !comparison.games.contains(&game.name)).collect();
        if left_out.is_empty() {
            writeln!(page, "\n### All {count} games\n")?;
        } else {
            writeln!(page, "\n### {count} of {} games\n", self.games.len())?;
            let names = comparison.games.iter().map(|name| text(name)).collect::<Vec<_>>().join(", ");
            writeln!(page, "All of these policies have results in these games: {names}.\n")?;
        }
        writeln!(page, "| policy | IQM | mean | optimality gap | CVaR 0.1 | above {EXPERT} |")?;
        writeln!(page, "|---|--:|--:|--:|--:|--:|")?;
        for row in &comparison.rows {
            let [iqm, mean, gap, tail] = [row.iqm, row.mean, row.gap, row.tail].map(share);
            let above = row.improvement.map(|e| percent(Column { value: e.value, interval: Some(e) }));
            let above = above.unwrap_or("–".to_owned());
            writeln!(page, "| {} | {iqm} | {mean} | {gap} | {tail} | {above} |", text(&row.name))?;
        }
        Ok(())
    }

    /// One line per game and learner.
    fn write_trained(&self, page: &mut String, is_summary: bool) -> std::fmt::Result {
        let lines: Vec<String> = self.games.iter().flat_map(|game| game.trained_lines(is_summary)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(
            page,
            "\n## Trained\n\nThe table shows the returns of learners on unseen seeds, with greedy (most probable) actions and with sampled actions.\n\
             Intervals are over runs and episodes; a single run has no interval. The share is the greedy policy's gain over `wait`, divided by the expert's gain over `wait`.\n\
             A learner that exceeds the game's limit more often than the expert does is marked and has no share.\n"
        )?;
        writeln!(
            page,
            "| game | learner | runs × episodes | greedy | sampled | constant orders | expert | share of expert | best | |"
        )?;
        writeln!(page, "|---|---|--:|--:|--:|--:|--:|--:|--:|---|")?;
        lines.iter().try_for_each(|line| writeln!(page, "{line}"))?;
        let without: Vec<String> = self
            .games
            .iter()
            .filter(|game| game.trained_lines(is_summary).is_empty())
            .map(|game| text(&game.name))
            .collect();
        // A longer list is no sentence.
        match without.len() {
            0 => {}
            1..=10 => writeln!(page, "\nNo learner has results in {}.", without.join(", "))?,
            others => writeln!(page, "\nNo learner has results in the other {others} games.")?,
        }
        Ok(())
    }
}

impl GameBoard {
    /// The lines for this game in the table of learners.
    fn trained_lines(&self, is_summary: bool) -> Vec<String> {
        let trained = || self.entries.iter().filter(|entry| entry.policy.is_trained());
        let learners: BTreeSet<&str> = trained().map(|entry| entry.policy.learner()).collect();
        let line = |learner: &str| {
            let of = |is_sampled: bool| {
                let is_mode = move |entry: &&Entry| (entry.policy.mode.as_deref() == Some("sampled")) == is_sampled;
                trained().filter(|entry| entry.policy.learner() == learner).find(is_mode)
            };
            let (greedy, sampled) = (of(false), of(true));
            let expert = self.reference().filter(|entry| entry.policy.name != WAIT);
            let mean =
                |entry: Option<&Entry>| entry.map_or("–".to_owned(), |entry| interval(entry.columns[0], brief));
            let plain = |entry: Option<&Entry>| entry.map_or("–".to_owned(), |entry| brief(entry.mean()));
            let ends = expert.zip(self.entry(WAIT)).map(|(expert, wait)| (wait.mean(), expert.mean()));
            let ends = ends.filter(|(wait, expert)| expert > wait);
            let broken = greedy.filter(|entry| !self.competes(entry)).and_then(Entry::over_limit);
            let broken = broken.map_or_else(String::new, |over| format!(", over the limit in {:.0} %", 100.0 * over));
            let ends = ends.filter(|_| broken.is_empty());
            let part = ends.zip(greedy).map_or("–".to_owned(), |((wait, expert), greedy)| {
                share(greedy.columns[0].map(|value| (value - wait) / (expert - wait)))
            });
            let shown = greedy.or(sampled);
            format!(
                "| {} | {}{broken} | {} × {} | {} | {} | {} | {} | {part} | {} | {} |",
                heading(&self.name, is_summary),
                text(learner),
                shown.map_or(0, |entry| entry.files.len()),
                shown.map_or(0, Entry::episodes),
                mean(greedy),
                mean(sampled),
                plain(self.entry(CONSTANT_ORDERS)),
                plain(expert),
                plain(self.best()),
                self.best().map(|best| text(&best.name())).unwrap_or_default(),
            )
        };
        learners.into_iter().map(line).collect()
    }
}

/// Reads a statistic from a row.
type ColumnOf = fn(&Row) -> Option<Column>;

/// The comparison to draw: the one with the most policies or, if several have the same number, with the most games.
fn pictured(comparisons: &[Comparison]) -> Option<&Comparison> {
    comparisons.iter().rev().max_by_key(|comparison| (comparison.rows.len(), comparison.games.len()))
}

/// The chart for all games, if there is anything to compare.
pub(crate) fn picture(comparisons: &[Comparison]) -> Option<Picture> {
    let drawing = pictured(comparisons)?.draw();
    Some(Picture { name: PICTURE.to_owned(), drawing })
}

impl Comparison {
    /// Estimates with their intervals, with the profiles below them.
    fn draw(&self) -> Drawing {
        // What loses more than the best gains would take all of the scale.
        let is_drawn = |row: &Row| row.tail.value > -1.0;
        let statistics: [(&str, ColumnOf); 4] = [
            ("interquartile mean", |row| Some(row.iqm)),
            ("CVaR 0.1: the worst tenth of the episodes", |row| Some(row.tail)),
            ("optimality gap: lower is better", |row| Some(row.gap)),
            ("probability of improvement over the expert", |row| {
                row.improvement.map(|e| Column { value: e.value, interval: Some(e) })
            }),
        ];
        let group = |section: &str, color: usize, row: &Row, column: Column| Group {
            name: row.name.clone(),
            section: section.to_owned(),
            color,
            estimate: column.interval.map(|e| farm_plot::Estimate { value: e.value, low: e.low, high: e.high }),
            ..Group::default()
        };
        let groups = statistics.iter().flat_map(|(section, column)| {
            let rows = self.rows.iter().enumerate().filter(|(_, row)| is_drawn(row) && row.name != WAIT);
            let rows = rows.filter_map(move |(color, row)| Some(group(section, color, row, column(row)?)));
            rows.filter(|group| group.estimate.is_some())
        });
        let estimates = Distributions {
            title: format!("{} games: from waiting (0) to the best known (1)", self.games.len()),
            axis: "score, or share".to_owned(),
            groups: groups.collect(),
            estimate: "estimate with 95 % interval".to_owned(),
            width: WIDTH,
            ..Distributions::default()
        };
        let (low, high) = PROFILE;
        let thresholds: Vec<f64> = (0..=STEPS).map(|i| low + (high - low) * f64::from(i) / f64::from(STEPS)).collect();
        let series = self.rows.iter().enumerate().map(|(color, row)| {
            let band = BOOTSTRAP.profile(&row.scores, &thresholds).unwrap_or_default();
            let shares = row.scores.profile(&thresholds);
            Series {
                name: row.name.clone(),
                points: thresholds.iter().copied().zip(shares).collect(),
                band: band.iter().map(|e| (e.low, e.high)).collect(),
                color,
                ..Series::default()
            }
        });
        let profiles = Lines {
            title: "Performance profiles: share of a game's episodes that earn more".to_owned(),
            x: "score of an episode".to_owned(),
            y: "share of episodes, averaged over games".to_owned(),
            series: series.collect(),
            range: Some(PROFILE),
            y_range: Some((0.0, 1.0)),
            width: WIDTH,
            height: PROFILE_HEIGHT,
            ..Lines::default()
        };
        Drawing::stacked(vec![profiles.draw(), estimates.draw()])
    }
}

/// A number on a scale from 0 to 1, with its interval.
fn share(column: Column) -> String {
    // No −0.000.
    interval(column, |value| format!("{:.3}", if value.abs() < 5e-4 { 0.0 } else { value }))
}

/// A number, with its interval.
fn interval(column: Column, number: impl Fn(f64) -> String) -> String {
    let range = column.interval.map(|e| format!(" [{}, {}]", number(e.low), number(e.high)));
    number(column.value) + &range.unwrap_or_default()
}
