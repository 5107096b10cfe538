//! Passes rows from played episodes to a sink as they are created.

use farm_core::{Game, Observer, ObserverError, State, Transition};

use farm_output::OutputError;

use crate::{Recorder, Row, Sink};

/// Observes episodes and passes a row for each state to a sink. An error from the sink ends the episode.
#[derive(Debug)]
pub struct RowObserver<S> {
    recorder: Recorder,
    sink: S,
}

impl<S: Sink> RowObserver<S> {
    /// Passes a recorder's rows to a sink. The sink must have been created for the recorder's series.
    pub fn new(recorder: Recorder, sink: S) -> Self {
        Self { recorder, sink }
    }

    /// The recorder.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The recorder, mutable between steps.
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// The sink.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// The sink, mutable between steps.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Writes the remaining data. If a sink is dropped instead, files that are written all at once are not created.
    ///
    /// # Errors
    /// The data cannot be written.
    pub fn finish(self) -> Result<(), OutputError> {
        Box::new(self.sink).finish()
    }
}

impl<S: Sink> Observer for RowObserver<S> {
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        Ok(self.sink.row(self.recorder.start(game, state))?)
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        Ok(self.sink.row(self.recorder.step(transition))?)
    }
}

/// Collects rows, so that the caller can remove them in between.
impl Sink for Vec<Row> {
    fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        self.push(row.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        Ok(())
    }
}
