//! What `farm run` records of the episodes that it plays, for other programs to read.

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

/// Where what is monitored is written
#[derive(Debug, Args)]
pub(crate) struct MonitoringArguments {
    /// Writes what the game monitors, else every variable, as a table with a line for each step of all episodes
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Writes the same table as Parquet
    #[arg(long, value_name = "FILE.parquet")]
    pub parquet: Option<PathBuf>,
    /// Writes the same for TensorBoard, while it is played; a run for each episode in DIR, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    tensorboard: Option<PathBuf>,
}

/// Rows in the making, for everybody who wants them.
pub(crate) struct Monitoring {
    recorder: Recorder,
    sinks: Vec<(PathBuf, Box<dyn Sink>)>,
    /// What went wrong; the file that it went wrong with gets nothing more, and the episodes go on.
    failure: Option<OutputError>,
}

impl Monitoring {
    /// The recording that the arguments ask for; none if they ask for nothing.
    ///
    /// # Errors
    /// A path that can't be written, so that it is told before anything is played.
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

    /// Finishes the files, under names that say so if episodes were cut short; returns those that were written.
    ///
    /// # Errors
    /// What could not be written; what could is written all the same.
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

/// Gives a row to all that still take rows.
fn give(sinks: &mut Vec<(PathBuf, Box<dyn Sink>)>, row: &Row, failure: &mut Option<OutputError>) {
    sinks.retain_mut(|(_, sink)| match sink.row(row) {
        Ok(()) => true,
        Err(error) => {
            failure.get_or_insert(error);
            false
        }
    });
}
