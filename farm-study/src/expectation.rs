//! Checks a study's expectations.

use farm_core::config::{Path, Problems};
use farm_games::farm_scoring::risk::Bootstrap;

use crate::expression::number;
use crate::format::{Expectation, Hyperbola, Versus};
use crate::point::{Point, one};
use crate::results::{LineResults, PanelResults};
use crate::study::{Study, wrong_expression};

/// An expectation and its verdicts.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The claim.
    pub claim: String,
    /// The source of the claim.
    pub source: String,
    /// The known reason why the claim does not hold; empty for none.
    pub gap: String,
    /// The verdict for each line, in the order of the file.
    pub verdicts: Vec<Verdict>,
}

/// Whether an expectation holds for a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The line: its panel and title.
    pub line: String,
    /// The values found for the line.
    pub found: String,
    /// The expected ranges of a `within` check; empty for other checks.
    pub expected: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Finding {
    /// Whether the expectation holds for all its lines.
    pub fn holds(&self) -> bool {
        !self.verdicts.is_empty() && self.verdicts.iter().all(|verdict| verdict.holds)
    }

    /// Whether the finding agrees with the file: the expectation holds, or it does not hold and the file contains a reason (`gap`).
    pub fn is_as_said(&self) -> bool {
        self.holds() == self.gap.is_empty()
    }
}

/// A number with three significant digits and at most two decimals.
pub(crate) fn shown(value: f64) -> String {
    let decimals = match value.abs() {
        large if large >= 100.0 => 0,
        large if large >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
}

impl Study {
    /// The findings for all expectations.
    pub(crate) fn findings(&self, panels: &[PanelResults]) -> Result<Vec<Finding>, Problems> {
        let all = self.file.expect.iter().enumerate();
        all.map(|(i, expectation)| {
            let mut verdicts = Vec::new();
            for (p, panel) in panels.iter().enumerate().filter(|(_, panel)| is_meant(&expectation.panels, &panel.title))
            {
                for (l, line) in
                    panel.lines.iter().enumerate().filter(|(_, line)| is_meant(&expectation.lines, &line.title))
                {
                    let ranges = self.ranges(expectation, i, p, l)?;
                    let (found, expected, holds) = check(expectation, panel, line, &ranges);
                    let titles = [&panel.title, &line.title].map(String::as_str);
                    let titles: Vec<&str> = titles.into_iter().filter(|title| !title.is_empty()).collect();
                    verdicts.push(Verdict { line: titles.join(", "), found, expected, holds });
                }
            }
            let Expectation { claim, source, gap, .. } = expectation.clone();
            Ok(Finding { claim, source, gap, verdicts })
        })
        .collect()
    }

    /// The expected range at each point on a line; none for points without an expected range.
    pub(crate) fn ranges(
        &self,
        expectation: &Expectation,
        index: usize,
        panel: usize,
        line: usize,
    ) -> Result<Vec<Option<(f64, f64)>>, Problems> {
        let path = Path::default().child("expect").child(index).child("within");
        let [low, high] = expectation.within.as_slice() else { return Ok(vec![None; self.ranks()]) };
        let range = |rank: usize| {
            let x = self.file.x.values.get(rank);
            if !expectation.at.is_empty() && !x.is_some_and(|x| expectation.at.contains(x)) {
                return Ok(None);
            }
            let names = self.names(Point { panel, line, rank });
            let end = |end: usize, amount: &crate::format::Amount| {
                number(&amount.0, &names).map_err(|wrong| self.located(one(wrong_expression(wrong, &path.child(end)))))
            };
            Ok(Some((end(0, low)?, end(1, high)?)))
        };
        (0..self.ranks()).map(range).collect()
    }
}

/// Whether an expectation applies to a panel or a line. This is the case if it names the panel or line, or if it names none.
pub(crate) fn is_meant(names: &[String], title: &str) -> bool {
    names.is_empty() || names.iter().any(|name| name == title)
}

/// The values found for a line, the expected ranges of a `within` check, and whether the expectation holds.
fn check(
    expectation: &Expectation,
    panel: &PanelResults,
    line: &LineResults,
    ranges: &[Option<(f64, f64)>],
) -> (String, String, bool) {
    let greatest = line.points.iter().fold(0.0, |most: f64, point| most.max(point.mean.abs()));
    let slack = expectation.tolerance * greatest;
    let between = |[from, to]: [f64; 2]| -> Vec<(f64, f64)> {
        let within = line.points.iter().filter(|point| (from..=to).contains(&point.x));
        within.map(|point| (point.x, point.mean)).collect()
    };
    let way = |points: &[(f64, f64)], holds: bool| {
        // If values go back in between, the ends do not show it: print all values.
        let all = points.iter().map(|(_, y)| shown(*y));
        let ends = points.iter().take(1).chain(points.last()).map(|(_, y)| shown(*y));
        if holds { ends.collect::<Vec<_>>().join(" → ") } else { all.collect::<Vec<_>>().join(" ") }
    };
    for (ends, sign) in [(expectation.rises, 1.0), (expectation.falls, -1.0)] {
        if let Some(ends) = ends {
            let points = between(ends);
            let holds = rises(&points, sign, slack);
            return (way(&points, holds), String::new(), holds);
        }
    }
    if let Some(ends) = expectation.saturates {
        let points = between(ends);
        let found = format!("{} %", shown(100.0 * gained_halfway(&points)));
        return (found, String::new(), saturates(&points, slack));
    }
    if let Some([from, to]) = expectation.best {
        let best = line.points.iter().reduce(|best, point| if point.mean > best.mean { point } else { best });
        let x = best.map_or(f64::NAN, |point| point.x);
        return (format!("at {x}"), String::new(), (from..=to).contains(&x));
    }
    if let Some(wanted) = &expectation.hyperbola {
        return hyperbola(wanted, line);
    }
    if let Some(versus) = &expectation.versus {
        let other = panel.lines.iter().find(|other| other.title == versus.line).unwrap_or(line);
        return quotient(versus, &at_places(line, &expectation.at), other, &expectation.at);
    }
    let expected: Vec<(f64, f64, f64)> = line
        .points
        .iter()
        .zip(ranges)
        .filter_map(|(point, range)| range.map(|(low, high)| (point.mean, low, high)))
        .collect();
    let found = expected.iter().map(|(mean, ..)| shown(*mean)).collect::<Vec<_>>().join(" ");
    let mut said: Vec<String> =
        expected.iter().map(|(_, low, high)| format!("{}–{}", shown(*low), shown(*high))).collect();
    said.dedup();
    let holds = !expected.is_empty() && expected.iter().all(|(mean, low, high)| inside(*mean, *low, *high));
    (found, said.join(" "), holds)
}

/// For each episode, the sum of its measured values at these places on the axis, or at all places if the list is empty.
fn at_places(line: &LineResults, places: &[f64]) -> Vec<f64> {
    let mut sums = Vec::new();
    for point in line.points.iter().filter(|point| places.is_empty() || places.contains(&point.x)) {
        sums.resize(point.values.len(), 0.0);
        sums.iter_mut().zip(&point.values).for_each(|(sum, value)| *sum += value);
    }
    sums
}

/// The quotient of the sums of two lists of values, with its interval. Both lists come from the same seeds.
fn quotient(versus: &Versus, values: &[f64], other: &LineResults, at: &[f64]) -> (String, String, bool) {
    let others = at_places(other, if versus.at.is_empty() { at } else { &versus.at });
    let sum = |values: &[f64], counts: &[u32]| -> f64 {
        values.iter().zip(counts).map(|(value, count)| value * f64::from(*count)).sum()
    };
    // A divisor of zero gives the largest quotient instead of infinity.
    let whole = |counts: &[u32]| sum(&others, counts).max(f64::MIN_POSITIVE);
    let ratio = |counts: &[u32]| (sum(values, counts) / whole(counts)).min(MAX_RATIO);
    let [low, high] = versus.ratio;
    match Bootstrap::default().statistic(values.len().min(others.len()), ratio) {
        Some(found) => {
            let told = format!("{} [{}, {}]", shown(found.value), shown(found.low), shown(found.high));
            (told, String::new(), inside(found.low, low, high) && inside(found.high, low, high))
        }
        None => {
            let ratio = ratio(&vec![1; values.len()]);
            (format!("{} (one episode)", shown(ratio)), String::new(), inside(ratio, low, high))
        }
    }
}

/// The upper limit for quotients.
const MAX_RATIO: f64 = 1e9;

/// Whether a value is in a range, with a tolerance for rounding.
fn inside(value: f64, low: f64, high: f64) -> bool {
    let rounding = 1e-9 * value.abs().max(1.0);
    value >= low - rounding && value <= high + rounding
}

/// Whether values rise, or fall if `sign` is −1. No step may go back by more than the slack, and the last value must exceed the first value
/// by more than the slack.
fn rises(points: &[(f64, f64)], sign: f64, slack: f64) -> bool {
    let steps = points.windows(2).all(|pair| sign * (pair[1].1 - pair[0].1) >= -slack);
    let ends = points.first().zip(points.last());
    steps && ends.is_some_and(|(first, last)| sign * (last.1 - first.1) > slack)
}

/// Whether no value is below the straight line between the ends.
fn saturates(points: &[(f64, f64)], slack: f64) -> bool {
    let Some(((x0, y0), (x1, y1))) = points.first().zip(points.last()) else { return false };
    points.iter().all(|(x, y)| *y >= y0 + (y1 - y0) * (x - x0) / (x1 - x0) - slack)
}

/// The share of the total gain that is reached halfway between the two ends.
fn gained_halfway(points: &[(f64, f64)]) -> f64 {
    let Some(((x0, y0), (x1, y1))) = points.first().zip(points.last()) else { return f64::NAN };
    let middle = (x0 + x1) / 2.0;
    let around = points.windows(2).find(|pair| pair[1].0 >= middle);
    let halfway = around.map_or(*y1, |pair| {
        let [(left, low), (right, high)] = [pair[0], pair[1]];
        low + (high - low) * (middle - left) / (right - left)
    });
    (halfway - y0) / (y1 - y0)
}

/// Fits Cousens' hyperbola to a line's losses, as shares of the line's first value.
fn hyperbola(wanted: &Hyperbola, line: &LineResults) -> (String, String, bool) {
    let whole = line.points.first().map_or(0.0, |point| point.mean);
    let losses: Vec<(f64, f64)> = line.points.iter().skip(1).map(|point| (point.x, 1.0 - point.mean / whole)).collect();
    if whole <= 0.0 || losses.len() < 2 {
        return ("no yield".to_owned(), String::new(), false);
    }
    let (i, a, error) = fit(&losses);
    let found = format!("i = {} %, a = {} %, off by {} %", shown(100.0 * i), shown(100.0 * a), shown(100.0 * error));
    let ([least_i, most_i], [least_a, most_a]) = (wanted.i, wanted.a);
    let holds = inside(i, least_i, most_i) && inside(a, least_a, most_a) && error <= MAX_ERROR;
    (found, String::new(), holds)
}

/// The maximum distance between the losses and the hyperbola, as a root mean square.
const MAX_ERROR: f64 = 0.1;

/// The i and a of the hyperbola that best fits the losses, and its root mean square error.
fn fit(losses: &[(f64, f64)]) -> (f64, f64, f64) {
    let error = |i: f64, a: f64| {
        let square = |(d, loss): &(f64, f64)| (loss - i * d / (1.0 + i * d / a)).powi(2);
        (losses.iter().map(square).sum::<f64>() / losses.len() as f64).sqrt()
    };
    // Searches both on a grid that becomes finer around the best point.
    let (mut best, mut factor) = ((0.05, 0.7, error(0.05, 0.7)), 2.0_f64);
    for _ in 0..20 {
        let (i, a, _) = best;
        for step in -6..=6 {
            for other in -6..=6 {
                let (i, a) = (i * factor.powi(step), (a * factor.powi(other)).min(1.0));
                let found = error(i, a);
                if found < best.2 {
                    best = (i, a, found);
                }
            }
        }
        factor = factor.sqrt();
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hyperbola_is_found_again() {
        let losses: Vec<(f64, f64)> =
            [1.0, 5.0, 20.0, 100.0].map(|d: f64| (d, 0.06 * d / (1.0 + 0.06 * d / 0.8))).into_iter().collect();
        let (i, a, error) = fit(&losses);
        assert!((i - 0.06).abs() < 1e-3 && (a - 0.8).abs() < 1e-2 && error < 1e-3, "{i} {a} {error}");
    }

    #[test]
    fn rising_falling_and_saturating_are_told_apart() {
        let up = [(0.0, 0.2), (1.0, 0.6), (2.0, 0.8), (4.0, 1.0)];
        assert!(rises(&up, 1.0, 0.01) && !rises(&up, -1.0, 0.01) && saturates(&up, 0.0));
        assert!(!rises(&[(0.0, 1.0), (1.0, 1.0)], 1.0, 0.01), "level is not rising");
        assert!(!rises(&[(0.0, 0.2), (1.0, 0.1), (2.0, 1.0)], 1.0, 0.01), "back on the way");
        assert!(!saturates(&[(0.0, 0.0), (1.0, 0.1), (2.0, 1.0)], 0.01), "more and more");
        assert!((gained_halfway(&up) - 0.75).abs() < 1e-12, "0.6 of 0.8");
        assert!(!rises(&[], 1.0, 0.0) && !saturates(&[], 0.0));
    }

    #[test]
    fn numbers_have_three_digits_that_count() {
        assert_eq!([0.004, 1.256, 23.45, 678.9, -0.001].map(shown), ["0.00", "1.26", "23.4", "679", "0.00"]);
    }
}
