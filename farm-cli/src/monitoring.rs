//! The tables that `farm run` writes for other programs.

use std::path::PathBuf;

use clap::Args;
use farm_core::{Game, Observer, ObserverError, State, Transition};
#[cfg(feature = "parquet")]
use farm_monitor::Parquet;
use farm_monitor::{Csv, Recorder, Row, Sink, TensorBoard};
use farm_output::OutputError;

use crate::targets::Format;

const CSV: Format = Format { option: "--csv", sentence: "this table is written as CSV", endings: &["csv"] };
#[cfg(feature = "parquet")]
const PARQUET: Format =
    Format { option: "--parquet", sentence: "this table is written as Parquet", endings: &["parquet"] };

/// Outputs of monitored variables
#[derive(Debug, Args)]
pub(crate) struct MonitoringArguments {
    /// Write the monitored variables of every step of all episodes, or all variables if the game monitors none
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Write the same table as Parquet
    #[arg(long, value_name = "FILE.parquet")]
    pub parquet: Option<PathBuf>,
    /// Write the same values for TensorBoard during play: one run per episode in DIR, which is created if missing
    #[arg(long, value_name = "DIR")]
    tensorboard: Option<PathBuf>,
}

/// Writes the rows to all requested outputs.
pub(crate) struct Monitoring {
    recorder: Recorder,
    sinks: Vec<(PathBuf, Box<dyn Sink>)>,
    /// The first error. Its file gets no more rows, but the episodes continue.
    failure: Option<OutputError>,
}

impl Monitoring {
    /// Opens the outputs that the arguments request. `None` if they do not request any.
    ///
    /// # Errors
    /// Fails if a path can't be written. Paths are checked before anything is played.
    pub(crate) fn open(arguments: &MonitoringArguments, game: &Game) -> anyhow::Result<Option<Self>> {
        let MonitoringArguments { csv, parquet, tensorboard } = arguments;
        if csv.is_none() && parquet.is_none() && tensorboard.is_none() {
            return Ok(None);
        }
        #[cfg(not(feature = "parquet"))]
        if parquet.is_some() {
            return Err(OutputError::LeftOut { what: "Parquet", feature: "parquet" }.into());
        }
        let recorder = Recorder::of(game);
        let mut sinks: Vec<(PathBuf, Box<dyn Sink>)> = Vec::new();
        if let Some(path) = csv {
            CSV.check(path)?;
            sinks.push((path.clone(), Box::new(Csv::create(path, recorder.series())?)));
        }
        #[cfg(feature = "parquet")]
        if let Some(path) = parquet {
            PARQUET.check(path)?;
            sinks.push((path.clone(), Box::new(Parquet::create(path, recorder.series())?)));
        }
        if let Some(folder) = tensorboard {
            let board = TensorBoard::create(folder, recorder.series())?;
            sinks.push((board.folder().to_owned(), Box::new(board)));
        }
        Ok(Some(Self { recorder, sinks, failure: None }))
    }

    /// Finishes the files; after an early end, their names mark them as incomplete. Returns the files that were written.
    ///
    /// # Errors
    /// Returns the first file that could not be written. The other files are written anyway.
    pub(crate) fn finish(self, is_whole: bool) -> Result<Vec<PathBuf>, OutputError> {
        let mut written = Vec::new();
        let mut failure = self.failure;
        for (path, sink) in self.sinks {
            let finished = if is_whole { sink.finish().map(|()| None) } else { sink.finish_incomplete() };
            match finished {
                Ok(renamed) => written.push(renamed.unwrap_or(path)),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(written), Err)
    }
}

impl Observer for Monitoring {
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        let Self { recorder, sinks, failure } = self;
        give(sinks, recorder.start(game, state), failure);
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let Self { recorder, sinks, failure } = self;
        give(sinks, recorder.step(transition), failure);
        Ok(())
    }
}

/// Writes a row to all outputs that have no error.
fn give(sinks: &mut Vec<(PathBuf, Box<dyn Sink>)>, row: &Row, failure: &mut Option<OutputError>) {
    sinks.retain_mut(|(_, sink)| match sink.row(row) {
        Ok(()) => true,
        Err(error) => {
            failure.get_or_insert(error);
            false
        }
    });
}
