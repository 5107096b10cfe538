//! Books: sums of free values that stand at 1 on the days on which a rule acts. They replace looks.
//!
//! A rule that waters acts after a certain sum of warmth and rain since its last action; a rule that harvests acts after a certain sum since
//! the first day. The weights of the sums come from a least-squares fit to the days on which a policy acted.

use farm_core::serde_yaml::{Mapping, Value};

use crate::generator::written;
use crate::probes::number_value;
use crate::rule_lists::mapping;

/// Weight of the ridge that keeps the fit stable, in units of the mean square of the sums.
const RIDGE: f64 = 1e-3;
/// Minimum number of actions for a fit.
const FEWEST: usize = 8;

/// The cumulative free values of an episode, by step. The last value counts the days.
pub(crate) type Sums = Vec<Vec<f64>>;

/// A weighted sum of free values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Book {
    weights: Vec<f64>,
    /// Whether the sum restarts after each action.
    pub is_reset: bool,
}

impl Book {
    /// The better of two books: since the first day, or since the last action. Each list holds the steps of a rule's actions on a plot.
    pub(crate) fn fitted(lists: &[(Vec<usize>, &Sums)]) -> Option<Self> {
        let books = [false, true].into_iter().filter_map(|is_reset| {
            let rows: Vec<Vec<f64>> = lists.iter().flat_map(|(steps, sums)| rows(steps, sums, is_reset)).collect();
            let weights = fit(&rows)?;
            let errors = rows.iter().map(|row| (product(row, &weights) - 1.0) * (product(row, &weights) - 1.0));
            Some((farm_core::math::sum(errors) / rows.len() as f64, Self { weights, is_reset }))
        });
        books.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, book)| book)
    }

    /// The book as a number of a policy's memory.
    pub(crate) fn memory(&self, variables: &[Value], field: Option<&Value>) -> Value {
        let term = |(variable, weight): (&Value, &f64)| {
            mapping([("state_variable", variable.clone()), ("times", written(*weight, false))])
        };
        let days = self.weights.last().map(|weight| mapping([("plus", written(*weight, false))]));
        let terms = variables.iter().zip(&self.weights).filter(|(_, weight)| **weight != 0.0).map(term).chain(days);
        let mut memory = Mapping::new();
        memory.extend(field.map(|field| ("field".into(), field.clone())));
        memory.insert("add".into(), Value::Sequence(terms.collect()));
        Value::Mapping(memory)
    }

    /// The condition that the sum is reached.
    pub(crate) fn is_reached(name: &str) -> Value {
        mapping([("memory", name.into()), ("operator", ">=".into()), ("ref_value", number_value(1.0))])
    }
}

/// The sums at each action: since the first day, or since the last action.
fn rows(steps: &[usize], sums: &Sums, is_reset: bool) -> Vec<Vec<f64>> {
    let mut before: Option<&Vec<f64>> = None;
    let mut found = Vec::new();
    for sum in steps.iter().filter_map(|step| sums.get(*step)) {
        let start = before.filter(|_| is_reset);
        found.push(sum.iter().enumerate().map(|(i, value)| value - start.map_or(0.0, |start| start[i])).collect());
        before = Some(sum);
    }
    found
}

fn product(row: &[f64], weights: &[f64]) -> f64 {
    farm_core::math::sum(row.iter().zip(weights).map(|(value, weight)| value * weight))
}

/// The weights with which all rows sum to about 1: least squares with a ridge. None if there are too few rows.
fn fit(rows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let n = rows.first().filter(|_| rows.len() >= FEWEST)?.len();
    let square = |i: usize| farm_core::math::sum(rows.iter().map(|row| row[i] * row[i])) / rows.len() as f64;
    let scales: Vec<f64> = (0..n).map(|i| square(i).sqrt().max(1e-9)).collect();
    // The normal equations, with a last column for the right-hand side.
    let mut system: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let column = |j: usize| {
                let value = |row: &Vec<f64>| row.get(j).map_or(1.0, |value| value / scales[j]);
                let mean =
                    farm_core::math::sum(rows.iter().map(|row| row[i] / scales[i] * value(row))) / rows.len() as f64;
                if i == j { mean + RIDGE } else { mean }
            };
            (0..=n).map(column).collect()
        })
        .collect();
    // The ridge makes the matrix positive definite, so no pivot is 0.
    for i in 0..n {
        let pivot = system[i].clone();
        for (_, row) in system.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some((0..n).map(|i| system[i][n] / system[i][i] / scales[i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_the_sum_at_which_a_rule_acts() {
        // A rule acts when warmth minus three times the rain since its last action reaches 100.
        let (mut sums, mut steps): (Sums, Vec<usize>) = (vec![vec![0.0; 3]], Vec::new());
        let mut since = 0.0;
        for day in 1..400_usize {
            let (warmth, rain) = (10.0 + (day * 7 % 13) as f64, 2.0 * (day * 5 % 7 % 3) as f64);
            let last = sums[day - 1].clone();
            sums.push(vec![last[0] + warmth, last[1] + rain, last[2] + 1.0]);
            since += warmth - 3.0 * rain;
            if since >= 100.0 {
                (since, _) = (0.0, steps.push(day));
            }
        }
        let book = Book::fitted(&[(steps, &sums)]).unwrap();
        assert!(book.is_reset);
        let reached = product(&[160.0, 15.0, 10.0], &book.weights);
        assert!((reached - 1.1).abs() < 0.1, "{reached} {book:?}");
        assert_eq!(Book::fitted(&[(vec![3], &sums)]), None, "one action is too few");
    }
}
