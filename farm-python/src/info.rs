//! What Gymnasium calls info, as a dictionary.

use farm_core::config::InteractionMode;
use farm_core::part::Event;
use farm_core::{Environment, Game};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString};

use crate::convert::to_python;

/// How to make the info of one environment.
pub struct InfoMaker {
    /// Name and source of each event kind.
    events: Vec<(Py<PyString>, Py<PyString>)>,
    looks: bool,
}

impl InfoMaker {
    pub fn new(py: Python<'_>, game: &Game) -> Self {
        let text = |text: &str| PyString::intern(py, text).unbind();
        let events = game.events.iter().map(|(part, info)| (text(&info.name), text(&game.parts[*part].path)));
        Self { events: events.collect(), looks: game.spec.interaction_mode == InteractionMode::Aomdp }
    }

    /// The info of the last step, with what is not known to the environment's Rust side, the mask of actions.
    pub fn make<'py>(&self, environment: &Environment, mask: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let py = mask.py();
        let (game, record) = (environment.game(), environment.record());
        let info = PyDict::new(py);
        info.set_item(intern!(py, "intervention cost"), PyFloat::new(py, record.intervention_cost))?;
        info.set_item(intern!(py, "observation cost"), PyFloat::new(py, record.observation_cost))?;
        info.set_item(intern!(py, "action_mask"), mask)?;
        let events = PyList::empty(py);
        for event in &record.events {
            events.append(self.event(py, game, event)?)?;
        }
        info.set_item(intern!(py, "events"), events)?;
        let rejected = match environment.has_rejected() {
            true => to_python(py, &environment.rejected())?,
            // The usual case, on the fast path.
            false => PyList::empty(py).into_any(),
        };
        info.set_item(intern!(py, "rejected"), rejected)?;
        if !game.constraints.is_empty() {
            info.set_item(intern!(py, "cost"), PyFloat::new(py, game.constraint_cost(record)))?;
            info.set_item(intern!(py, "constraints"), to_python(py, &environment.constraints())?)?;
        }
        if self.looks {
            info.set_item(intern!(py, "expects"), environment.expects().name())?;
        }
        if let Some(stop) = record.stop {
            info.set_item(intern!(py, "stop"), game.stop_reason(stop))?;
        }
        Ok(info)
    }

    fn event<'py>(&self, py: Python<'py>, game: &Game, event: &Event) -> PyResult<Bound<'py, PyDict>> {
        let (name, source) = &self.events[event.id.index()];
        let shown = PyDict::new(py);
        shown.set_item(intern!(py, "kind"), name.bind(py))?;
        shown.set_item(intern!(py, "source"), source.bind(py))?;
        shown.set_item(intern!(py, "plot"), event.plot)?;
        shown.set_item(intern!(py, "value"), PyFloat::new(py, event.value))?;
        if let Some(label) = game.events[event.id.index()].1.label(event.value) {
            shown.set_item(intern!(py, "label"), label)?;
        }
        Ok(shown)
    }
}
