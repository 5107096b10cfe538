//! Gymnasium's info dictionary.

use farm_core::action::{ActionTable, Argument, Call};
use farm_core::spec::InteractionMode;
use farm_core::{ConstraintCost, Environment, Game, Rejected, StepEvent};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString};

use crate::convert::to_python;

/// Builds the info of one environment.
pub(crate) struct InfoMaker {
    /// Name and source of each event kind.
    events: Vec<(Py<PyString>, Py<PyString>)>,
    /// The form of each base action.
    actions: Vec<ActionWriter>,
    looks: bool,
    /// Whether the info includes data that the game may conceal from a learner: events and constraints.
    is_full: bool,
}

/// The written form of calls to a base action, as in [`ActionTable::to_json`].
enum ActionWriter {
    /// `"MoveN"`.
    Word(Py<PyString>),
    /// `[farmer, field, entity, name, {parameter: value}]`, with the names of all parameters.
    Names([Py<PyString>; 4], Vec<Py<PyString>>),
    /// `[farmer, field, entity, name, path]` and other rare forms, which are converted through JSON.
    Look,
}

impl ActionWriter {
    fn new(py: Python<'_>, catalogue: &ActionTable, call: &Call) -> Self {
        let text = |text: &str| PyString::intern(py, text).unbind();
        let json = catalogue.to_json(call);
        let names = || Some(json.as_array()?.first_chunk::<5>()?.each_ref());
        match (json.as_str(), names()) {
            (Some(word), _) => Self::Word(text(word)),
            (_, Some([names @ .., parameters])) if parameters.is_object() => {
                let parameters = catalogue.arguments(call).map(|(parameter, _)| text(parameter.name()));
                Self::Names(names.map(|name| text(name.as_str().unwrap_or_default())), parameters.collect())
            }
            _ => Self::Look,
        }
    }

    fn write<'py>(&self, py: Python<'py>, catalogue: &ActionTable, call: &Call) -> PyResult<Bound<'py, PyAny>> {
        let (names, parameters) = match self {
            Self::Word(word) => return Ok(word.bind(py).clone().into_any()),
            Self::Look => return to_python(py, &catalogue.to_json(call)),
            Self::Names(names, parameters) => (names, parameters),
        };
        let given = PyDict::new(py);
        for (name, (_, argument)) in parameters.iter().zip(catalogue.arguments(call)) {
            let name = name.bind(py);
            match argument {
                Argument::Plot(plot) => given.set_item(name, PyList::new(py, plot)?)?,
                Argument::Real(value) => given.set_item(name, PyFloat::new(py, value))?,
                Argument::Word(word) => given.set_item(name, word)?,
            }
        }
        let [farmer, field, entity, name] = names.each_ref().map(|name| name.bind(py).as_any());
        Ok(PyList::new(py, [farmer, field, entity, name, given.as_any()])?.into_any())
    }
}

impl InfoMaker {
    pub(crate) fn new(py: Python<'_>, game: &Game, is_full: bool) -> Self {
        let text = |text: &str| PyString::intern(py, text).unbind();
        let events = game.events().iter().map(|(part, info)| (text(info.name()), text(game.parts()[*part].path())));
        let catalogue = game.catalogue();
        let mut actions: Vec<ActionWriter> = catalogue.base_actions().iter().map(|_| ActionWriter::Look).collect();
        for calls in catalogue.calls().chunk_by(|one, next| one.base() == next.base()) {
            actions[calls[0].base()] = ActionWriter::new(py, catalogue, &calls[0]);
        }
        let looks = game.spec().interaction_mode() == InteractionMode::Aomdp;
        Self { events: events.collect(), actions, looks, is_full }
    }

    /// The info of the last step. The caller passes the action mask, which the engine's environment does not store.
    pub(crate) fn make<'py>(&self, environment: &Environment, mask: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let py = mask.py();
        let (game, record) = (environment.game(), environment.record());
        let info = PyDict::new(py);
        info.set_item(intern!(py, "intervention cost"), PyFloat::new(py, record.intervention_cost()))?;
        info.set_item(intern!(py, "observation cost"), PyFloat::new(py, record.observation_cost()))?;
        info.set_item(intern!(py, "action_mask"), mask)?;
        if self.is_full {
            let events = PyList::empty(py);
            for event in environment.last_step().events() {
                events.append(self.event(py, &event)?)?;
            }
            info.set_item(intern!(py, "events"), events)?;
        }
        info.set_item(intern!(py, "rejected"), self.rejected(py, environment)?)?;
        if environment.last_step().rejected_texts() > 0 {
            info.set_item(intern!(py, "refused texts"), environment.last_step().rejected_texts())?;
        }
        if !game.constraints().is_empty() {
            info.set_item(
                intern!(py, "cost"),
                PyFloat::new(py, farm_core::ConstraintInfo::total_cost(game.constraints(), record.constraint_costs())),
            )?;
            if self.is_full {
                let constraints = PyDict::new(py);
                for constraint in environment.last_step().constraints() {
                    constraints.set_item(constraint.name(), Self::constraint(py, &constraint)?)?;
                }
                info.set_item(intern!(py, "constraints"), constraints)?;
            }
        }
        if self.looks {
            info.set_item(intern!(py, "expects"), environment.expects().name())?;
        }
        if let Some(stop) = record.stop() {
            info.set_item(intern!(py, "stop"), game.text().stop_reason(stop))?;
        }
        Ok(info)
    }

    /// The actions that were not executed, as in [`LastStep::rejected`](farm_core::LastStep::rejected).
    fn rejected<'py>(&self, py: Python<'py>, environment: &Environment) -> PyResult<Bound<'py, PyList>> {
        let rejected = PyList::empty(py);
        let add = |action: Bound<'py, PyAny>, reason: &str| {
            let shown = PyDict::new(py);
            shown.set_item(intern!(py, "action"), action)?;
            shown.set_item(intern!(py, "reason"), reason)?;
            rejected.append(shown)
        };
        let catalogue = environment.game().catalogue();
        for rejection in environment.last_step().rejected() {
            let action = match rejection.what() {
                Rejected::Call(call) => self.actions[call.base()].write(py, catalogue, call)?,
                Rejected::Unread(given) => to_python(py, given)?,
            };
            add(action, rejection.reason())?;
        }
        Ok(rejected)
    }

    fn event<'py>(&self, py: Python<'py>, event: &StepEvent<'_>) -> PyResult<Bound<'py, PyDict>> {
        let (name, source) = &self.events[event.id().index()];
        let shown = PyDict::new(py);
        shown.set_item(intern!(py, "kind"), name.bind(py))?;
        shown.set_item(intern!(py, "source"), source.bind(py))?;
        shown.set_item(intern!(py, "plot"), event.plot())?;
        shown.set_item(intern!(py, "value"), PyFloat::new(py, event.value()))?;
        if let Some(label) = event.label() {
            shown.set_item(intern!(py, "label"), label)?;
        }
        Ok(shown)
    }

    fn constraint<'py>(py: Python<'py>, cost: &ConstraintCost<'_>) -> PyResult<Bound<'py, PyDict>> {
        let shown = PyDict::new(py);
        shown.set_item(intern!(py, "value"), PyFloat::new(py, cost.value()))?;
        shown.set_item(intern!(py, "total"), PyFloat::new(py, cost.total()))?;
        shown.set_item(intern!(py, "limit"), cost.limit())?;
        Ok(shown)
    }
}
