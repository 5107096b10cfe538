//! The page about episodes, for the package's `Report` class.

use std::path::PathBuf;

use farm_core::{Observer, Rejected};
use farm_output::{check_target, save};
use farm_render::RenderError;
use farm_report::{EpisodeLine, LEFT, Report as EpisodePage, Run};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors;

/// An unfinished page: the data of the first episode, and a line for each episode. Nothing is written before the page is complete, and
/// until then an existing file with that name is unchanged.
#[pyclass(module = "farm_gym._native")]
pub struct Report {
    path: PathBuf,
    policy: String,
    /// The episode shown on the page: the first one with a step.
    shown: Option<EpisodePage>,
    /// The episodes that are over or were abandoned.
    lines: Vec<EpisodeLine>,
    /// The current episode.
    open: Option<EpisodeLine>,
    /// The page, once it has been requested.
    page: Option<String>,
}

#[pymethods]
impl Report {
    /// Starts a page that will be written to a path. Rejects a path that can't be written immediately.
    #[new]
    fn new(path: PathBuf, policy: String) -> PyResult<Self> {
        check_target(&path).map_err(|error| errors::written(&error))?;
        Ok(Self { path, policy, shown: None, lines: Vec::new(), open: None, page: None })
    }

    /// Records the start of an episode, or a restored state. `command` replays the episode, and `is_whole` is true if it replays all of it.
    fn begin(
        &mut self,
        environment: &Environment,
        preset: Option<String>,
        command: String,
        is_whole: bool,
    ) -> PyResult<()> {
        self.close();
        let state = environment.environment.state();
        if self.lines.is_empty() {
            let version = format!("farm_gym {}", env!("CARGO_PKG_VERSION"));
            let run = Run { preset, policy: self.policy.clone(), command, is_whole, version, ..Run::default() };
            let made = EpisodePage::new(environment.environment.game().clone(), run);
            let mut page_in_making = made.map_err(|error| errors::render(&error))?;
            let seen = page_in_making.after_reset(environment.environment.game(), state);
            seen.map_err(|error| errors::observer(&error))?;
            self.shown = Some(page_in_making);
        }
        let stop = LEFT.to_owned();
        self.open = Some(EpisodeLine { seed: state.seed(), total: 0.0, steps: 0, stop, state_hash: state.hash() });
        Ok(())
    }

    /// Records the result of a step.
    fn step(&mut self, environment: &Environment, reward: f64) -> PyResult<()> {
        let Some(line) = &mut self.open else { return Ok(()) };
        let (state, record) = (environment.environment.state(), environment.environment.record());
        line.total += reward;
        line.steps += 1;
        line.state_hash = state.hash();
        if let (true, Some(page_in_making)) = (self.lines.is_empty(), &mut self.shown) {
            page_in_making.after_step(&environment.transition(reward)).map_err(|error| errors::observer(&error))?;
            for rejected in environment.environment.last_step().rejected() {
                if let Rejected::Unread(given) = rejected.what() {
                    page_in_making.unread(given.to_string(), rejected.reason().to_owned());
                }
            }
        }
        if state.over() {
            line.stop =
                record.stop().map(|stop| environment.environment.game().text().stop_reason(stop)).unwrap_or_default();
            self.close();
        }
        Ok(())
    }

    /// The return (sum of rewards) of each episode with at least one step.
    #[getter]
    fn returns(&self) -> Vec<f64> {
        let open = self.open.iter().filter(|line| line.steps > 0);
        self.lines.iter().chain(open).map(|line| line.total).collect()
    }

    /// Writes the page, completely or not at all.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.close();
        let Self { path, lines, shown, page, .. } = self;
        if lines.is_empty() {
            let message = format!("the report {} has no episode: no step was taken", path.display());
            return Err(errors::ConfigError::new_err(message));
        }
        py.detach(|| {
            if let Some(shown) = shown.take() {
                *page = Some(shown.page(lines)?);
            }
            Ok(save(path, page.as_deref().unwrap_or_default().as_bytes())?)
        })
        .map_err(|error: RenderError| errors::render(&error))
    }
}

impl Report {
    /// Ends the current episode; an episode without steps does not count.
    fn close(&mut self) {
        self.lines.extend(self.open.take().filter(|line| line.steps > 0));
    }
}
