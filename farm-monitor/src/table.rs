//! Recordings as tables, with a line for each row and a column for each number.
//!
//! All tables have the same columns, in every format:
//!
//! | column | |
//! |---|---|
//! | `environment` | index of the environment, from 0; only for a batch of environments |
//! | `episode` | index of the episode, from 0 |
//! | `seed` | its seed |
//! | `step` | days that have passed; 0 at the start |
//! | `reward` | reward of the step before this state, after costs; empty at the start |
//! | `actions` | executed actions in that step, separated by `; ` |
//! | title | a number, or a word if the numbers encode words |
//! | title `(x, y)` | for a matrix: one column per plot, or one per index if the matrix is not per plot |
//!
//! NaN is an empty cell.

use std::borrow::Cow;

use crate::{Row, Series};

/// The first columns of every table. The very first column exists only for a batch of environments.
pub(crate) const FIXED: [&str; 6] = ["environment", "episode", "seed", "step", "reward", "actions"];

/// The first columns of a table, for a batch of environments or for one environment.
pub(crate) fn fixed(is_batch: bool) -> &'static [&'static str] {
    if is_batch { &FIXED } else { &FIXED[1..] }
}

/// One of a series's columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name; unique in a table.
    pub name: String,
    /// The words that its numbers encode; empty for plain numbers.
    pub words: Vec<String>,
    /// Whether all its numbers are integers.
    pub is_whole: bool,
}

impl Column {
    /// The columns for these series, in the order of a row's numbers, in a table for one environment or for a batch.
    pub fn of(series: &[Series], is_batch: bool) -> Vec<Self> {
        let mut columns: Vec<Self> = Vec::new();
        for series in series {
            for (i, name) in series.columns().into_iter().enumerate() {
                let words = series.words.get(i % series.words.len().max(1)).cloned().unwrap_or_default();
                columns.push(Self { name, words, is_whole: series.is_whole });
            }
        }
        let mut taken: std::collections::HashSet<String> =
            fixed(is_batch).iter().map(|name| (*name).to_owned()).collect();
        for column in &mut columns {
            let title = column.name.clone();
            let mut n = 1;
            while !taken.insert(column.name.clone()) {
                n += 1;
                column.name = format!("{title} [{n}]");
            }
        }
        columns
    }

    /// The word for a number.
    pub fn word(&self, value: f64) -> Option<&str> {
        let is_index = value >= 0.0 && value.fract() == 0.0;
        self.words.get(value as usize).filter(|_| is_index).map(String::as_str)
    }
}

/// Characters that start a formula in a spreadsheet, including the full-width forms of East Asian writing.
const FORMULAS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A string as a CSV cell. If a spreadsheet would evaluate it as a formula, a leading apostrophe turns it into text. Numbers stay numbers.
pub fn text_cell(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULAS) && text.parse::<f64>().is_err() {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

/// A row's executed actions in one string.
pub(crate) fn actions(row: &Row) -> String {
    row.actions.join("; ")
}

#[cfg(test)]
mod tests {
    use super::text_cell;

    #[test]
    fn a_spreadsheet_computes_no_text() {
        for text in ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "-"] {
            assert_eq!(text_cell(text), format!("'{text}"));
        }
        for text in ["", "-2", "+0.5", "-1e-9", "expert", "a=b", "(0, 0)", "'=1"] {
            assert_eq!(text_cell(text), text);
        }
    }
}
