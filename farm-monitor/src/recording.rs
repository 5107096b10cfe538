//! Rows in memory.

use std::ops::Range;

use farm_output::OutputError;

use crate::{Row, Series, Sink};

/// The rows of episodes, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    series: Vec<Series>,
    /// For each series, the positions of its numbers in a row.
    places: Vec<Range<usize>>,
    rows: Vec<Row>,
}

impl Recording {
    /// Creates a recording for these series, without rows.
    pub fn new(series: &[Series]) -> Self {
        let mut end = 0;
        let place = |series: &Series| {
            let start = end;
            end += series.len();
            start..end
        };
        Self { places: series.iter().map(place).collect(), series: series.to_vec(), rows: Vec::new() }
    }

    /// The series in its rows.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows of each episode, in order, if they are consecutive. In a batch, rows alternate between environments.
    pub fn episodes(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| (a.environment, a.episode) == (b.environment, b.episode))
    }

    /// The recording as bytes, for another process.
    ///
    /// # Errors
    /// The encoding fails, which should never happen.
    pub fn to_bytes(&self) -> Result<Vec<u8>, OutputError> {
        serde_json::to_vec(&(&self.series, &self.rows)).map_err(not_bytes)
    }

    /// Reads a recording from bytes.
    ///
    /// # Errors
    /// The bytes are not a recording.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OutputError> {
        let (series, rows): (Vec<Series>, Vec<Row>) = serde_json::from_slice(bytes).map_err(not_bytes)?;
        let recording = Self::new(&series);
        let numbers = recording.places.last().map_or(0, |place| place.end);
        if let Some(row) = rows.iter().find(|row| row.values.len() != numbers) {
            let message = format!("a row has {} numbers, and the series have {numbers}", row.values.len());
            return Err(OutputError::Encode { what: "recording", message });
        }
        Ok(Self { rows, ..recording })
    }

    /// The numbers of a series in a row, by the series' index.
    pub fn entry<'r>(&self, row: &'r Row, series: usize) -> &'r [f64] {
        self.places.get(series).and_then(|place| row.values.get(place.clone())).unwrap_or_default()
    }
}

fn not_bytes(error: serde_json::Error) -> OutputError {
    OutputError::Encode { what: "recording", message: error.to_string() }
}

impl Sink for Recording {
    fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        self.rows.push(row.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        Ok(())
    }
}
