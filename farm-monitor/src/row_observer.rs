//! Rows of the episodes that are played, given to a sink as they are made.

use farm_core::{Game, Observer, ObserverError, State, Transition};

use farm_output::OutputError;

use crate::{Recorder, Row, Sink};

/// Observes episodes and gives a row of each state to a sink. An error of the sink ends the episode.
#[derive(Debug)]
pub struct RowObserver<S> {
    recorder: Recorder,
    sink: S,
}

impl<S: Sink> RowObserver<S> {
    /// Gives the rows of a recorder to a sink, which was made for the series of the recorder.
    pub fn new(recorder: Recorder, sink: S) -> Self {
        Self { recorder, sink }
    }

    /// What makes the rows.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// What makes the rows, to be changed between steps.
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// What takes the rows.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// What takes the rows, to be emptied or changed between steps.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Writes what is left to write. A sink that is dropped instead leaves no file where it writes one as a whole.
    ///
    /// # Errors
    /// What can't be written.
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

/// Rows that are taken away from time to time.
impl Sink for Vec<Row> {
    fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        self.push(row.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        Ok(())
    }
}
