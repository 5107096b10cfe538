//! A Python object as a part: entity, farmer or score.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use farm_core::action::{ActionKind, Argument, CallArguments};
use farm_core::config::Problem;
use farm_core::declare::{ActionInfo, EventId};
use farm_core::{
    Attempt, Behaviour, Bind, BoxedFrom, Context as EngineContext, Declarations, FarmerBehaviour, Found, Known, Phase,
    Reader, ScoreBehaviour,
};
use farm_core::{ConstraintInfo, Slot};
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

use super::context::{Context, Mode, Shared};
use super::declarations::{Declared, Notes, Observable};
use super::desk::{Access, ColumnPlan, Entry, StepBuffers};
use super::facts::{facts_for, facts_found};
use super::source::{Object, Source, module, problem};
use super::stream::contiguous;
use super::{Absent, lasting, of_class};
use crate::convert::{to_json, to_python};
use crate::errors::{self, PartCall};

/// Maximum number of different reasons that a farmer can give. The number is limited because reasons are stored until the program ends.
const MAX_REASONS: usize = 1000;

/// A Python object as a part.
pub(super) struct PythonPart {
    object: Object,
    /// Its path in the game.
    path: String,
    shared: Arc<Shared>,
    plan: ColumnPlan,
    /// Arrays that no call is using.
    desks: Mutex<Vec<StepBuffers>>,
    actions: Vec<ActionInfo>,
    observables: Vec<Observable>,
    events: Vec<EventId>,
    constraints: Vec<ConstraintInfo>,
    /// The possible requests to a farmer: for each part in the game, the path, the width of the field, and the actions.
    others: Vec<(String, usize, Vec<ActionInfo>)>,
    fields: Vec<String>,
    reasons: Mutex<HashSet<&'static str>>,
    has: Has,
}

/// The methods that the class overrides.
struct Has {
    reset: bool,
    settle: bool,
    act: bool,
    has_effect: bool,
    permits: bool,
    refusal: bool,
    did: bool,
    intervention_cost: bool,
    observation_cost: bool,
    final_reward: bool,
    depends_on_arguments: bool,
}

impl PythonPart {
    /// Creates an object of a class, and declares it. An object that looks at the other parts declares in the second declaration.
    pub(super) fn declare<'a, B>(source: &Source, kind: &str, d: &mut Declarations<'_>) -> Bind<'a, B>
    where
        B: ?Sized + BoxedFrom<Self> + BoxedFrom<Absent> + 'a,
    {
        let folder = d.directory().map(std::path::Path::to_path_buf);
        let object = Python::attach(|py| source.object(py, kind, folder.as_deref()));
        let declared = object.and_then(|object| {
            let Some(object) = object else { return Ok(None) };
            Ok(Some(match notes(&object, d, None)? {
                Some(notes) => Self::bind(object, notes, d),
                None => Bind::after(move |d, known| {
                    let notes = notes(&object, d, Some(known));
                    or_absent(notes.map(|notes| notes.map(|notes| Self::bind(object, notes, d))), d)
                }),
            }))
        });
        or_absent(declared, d)
    }

    /// Passes the declarations of an object to the engine. The object is bound later.
    fn bind<'a, B>(object: Object, mut notes: Notes, d: &mut Declarations<'_>) -> Bind<'a, B>
    where
        B: ?Sized + BoxedFrom<Self> + BoxedFrom<Absent> + 'a,
    {
        let remarks = std::mem::take(&mut notes.remarks);
        let declared = notes.declare(d);
        let key = d.stream_key();
        for remark in remarks {
            d.problem(of_class(remark).warning());
        }
        let message =
            format!("`{}` is written in Python: only one environment of a batch runs it at a time", d.part().path());
        d.problem(of_class(message).warning().help("for many environments at full speed, write the part in Rust"));
        Bind::boxed(move |found| match Python::attach(|py| Self::new(py, object, declared, key, found)) {
            Ok(part) => B::boxed(part),
            Err(problem) => {
                found.problem(*problem);
                B::boxed(Absent)
            }
        })
    }

    /// Binds an object, whose attributes are fixed from then on.
    fn new(
        py: Python<'_>,
        object: Object,
        declared: Declared,
        key: u64,
        found: &mut Found<'_>,
    ) -> Result<Self, Box<Problem>> {
        let plan = declared.plan(found);
        let bind = || {
            let facts = to_python(py, &facts_found(found))?;
            module(py)?.call_method1("bind", (&*object.part, facts)).map(drop)
        };
        bind().map_err(|error| problem(py, &error))?;
        let all_events = found
            .parts()
            .iter()
            .flat_map(|part| part.events().iter().map(|e| (e.name().to_owned(), part.path().to_owned())));
        let shared = Arc::new(Shared {
            key,
            length: found.field().length(),
            width: found.field().width(),
            own_events: declared.events.iter().map(|(_, name, per_step)| (name.clone(), *per_step)).collect(),
            all_events: all_events.collect(),
        });
        let width = |field: Option<usize>| field.map_or(1, |field| found.fields()[field].width());
        let judges = object.part.bind(py).getattr("judges_arguments").and_then(|flag| flag.extract::<bool>());
        let has = Has {
            reset: object.has("reset"),
            settle: object.has("settle"),
            act: object.has("act"),
            has_effect: object.has("has_effect"),
            permits: object.has("permits"),
            refusal: object.has("refusal"),
            did: object.has("did"),
            intervention_cost: object.has("intervention_cost"),
            observation_cost: object.has("observation_cost"),
            final_reward: object.has("final_reward"),
            depends_on_arguments: judges.unwrap_or(false),
        };
        let constraints = declared.constraints.into_iter().map(|(note, total)| note.constraint(found.get(total)));
        let others = found.parts().iter().map(|p| (p.path().to_owned(), width(p.field()), p.actions().to_vec()));
        Ok(Self {
            path: found.part().path().to_owned(),
            plan,
            desks: Mutex::default(),
            actions: declared.actions,
            observables: declared.observables,
            events: declared.events.iter().map(|(event, ..)| found.get(*event)).collect(),
            constraints: constraints.collect(),
            others: others.collect(),
            fields: found.fields().iter().map(|field| field.name().to_owned()).collect(),
            reasons: Mutex::default(),
            has,
            shared,
            object,
        })
    }

    /// Calls a method with a context. An exception becomes a panic.
    fn call<R>(
        &self,
        access: Access<'_, '_>,
        what: &dyn Fn() -> String,
        method: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, Context>) -> PyResult<R>,
    ) -> R {
        let (seed, step) = match &access {
            Access::Write(context) => (context.seed(), context.step()),
            Access::Read(reader) => (reader.seed(), reader.step()),
        };
        let writes = matches!(access, Access::Write(_));
        let called = Python::attach(|py| {
            self.with_context(py, access, seed, step, method).map_err(|error| {
                let remedy = self.remedy(py, &error, writes);
                let at = Some((seed, step));
                errors::part(py, error, &PartCall { part: &self.path, method: &what(), at, remedy: &remedy })
            })
        });
        called.unwrap_or_else(|error| errors::throw(error))
    }

    /// The fix for a NumPy exception whose message does not name the cause.
    fn remedy(&self, py: Python<'_>, error: &PyErr, writes: bool) -> String {
        if !is_locked_array(py, error) {
            return String::new();
        }
        if !writes {
            return "this method only reads: it must not change anything".to_owned();
        }
        let is_locked = |slot: &usize| !self.plan.slots[*slot].writes;
        let locked = self.plan.entries.iter().filter(|(_, entry)| match entry {
            Entry::One(slot) => is_locked(slot),
            Entry::Several(slots) => slots.iter().any(is_locked),
            Entry::Nothing => false,
        });
        let names: Vec<String> = locked.map(|(name, _)| format!("`{name}`")).collect();
        let remedy = "to change a role, look it up with `writes=True`";
        format!("{remedy}; read-only here: {}", names.join(", "))
    }

    fn with_context<R>(
        &self,
        py: Python<'_>,
        mut access: Access<'_, '_>,
        seed: u64,
        step: u32,
        method: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, Context>) -> PyResult<R>,
    ) -> PyResult<R> {
        let free = lock(&self.desks).pop();
        let desk = match free {
            Some(desk) => desk,
            None => StepBuffers::new(py, &self.plan, self.shared.clone())?,
        };
        desk.fill(py, &self.plan, &access)?;
        let context = desk.context.bind(py);
        {
            let mut open = context.try_borrow_mut()?;
            (open.seed, open.step) = (seed, step);
            open.told.clear();
            open.happened.clear();
            open.mode = match &access {
                Access::Write(context) => {
                    open.happened.extend_from_slice(context.events());
                    Mode::Write
                }
                Access::Read(_) => Mode::Read,
            };
        }
        let result = method(self.object.part.bind(py), context);
        let mut closed = context.try_borrow_mut()?;
        closed.mode = Mode::Over;
        let result = result?;
        if let Access::Write(state) = &mut access {
            desk.write_back(py, &self.plan, state)?;
            closed.told.drain(..).for_each(|(event, plot, value)| state.emit(self.events[event], plot, value));
        }
        drop(closed);
        lock(&self.desks).push(desk);
        Ok(result)
    }

    /// Calls a method without a context, while the game is compiled.
    fn ask<R>(&self, name: &str, method: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> R {
        let call = PartCall { part: &self.path, method: name, at: None, remedy: "" };
        let asked = Python::attach(|py| method(self.object.part.bind(py)).map_err(|e| errors::part(py, e, &call)));
        asked.unwrap_or_else(|error| errors::throw(error))
    }

    /// An attempt, as `farm_gym.parts.Attempt`.
    fn attempt<'py>(&self, py: Python<'py>, attempt: &Attempt<'_>) -> PyResult<Bound<'py, PyAny>> {
        let (path, width, actions) = &self.others[attempt.part()];
        let action = attempt.action().map(|action| &actions[action]);
        let arguments = match action {
            Some(action) => arguments(py, action, *width, attempt.arguments())?,
            None => PyDict::new(py),
        };
        let name = action.map(|action| action.name());
        py.import("farm_gym.parts.infos")?.getattr("Attempt")?.call1((attempt.kind().name(), path, name, arguments))
    }
}

/// The declarations of an object. None if it looks at the other parts, which are not known yet.
fn notes(object: &Object, d: &Declarations<'_>, known: Option<&Known<'_>>) -> Result<Option<Notes>, Box<Problem>> {
    Python::attach(|py| {
        let notes = || -> PyResult<Option<Notes>> {
            let facts = to_python(py, &facts_for(d, known))?;
            let notes = module(py)?.call_method1("declare", (&*object.part, facts))?;
            serde_json::from_value(to_json(&notes)?).map_err(|error| PyTypeError::new_err(error.to_string()))
        };
        notes().map_err(|error| problem(py, &error))
    })
}

/// The declared part, or a substitute for a class that can't be used.
fn or_absent<'a, B>(declared: Result<Option<Bind<'a, B>>, Box<Problem>>, d: &mut Declarations<'_>) -> Bind<'a, B>
where
    B: ?Sized + BoxedFrom<Absent>,
{
    let declared = declared.unwrap_or_else(|problem| {
        d.problem(*problem);
        None
    });
    declared.unwrap_or_else(|| Bind::new(|_| Absent))
}

/// Arguments by name: a plot as (x, y), a number, or a word.
fn arguments<'py>(
    py: Python<'py>,
    action: &ActionInfo,
    width: usize,
    arguments: CallArguments<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (i, parameter) in action.parameters().iter().enumerate() {
        match Argument::new(parameter.kind(), arguments.real(i), width) {
            Argument::Plot([x, y]) => named.set_item(parameter.name(), (x, y))?,
            Argument::Real(value) => named.set_item(parameter.name(), value)?,
            Argument::Word(word) => named.set_item(parameter.name(), word)?,
        }
    }
    Ok(named)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Behaviour for PythonPart {
    fn reset(&self, context: &mut EngineContext<'_>) {
        if self.has.reset {
            self.call(Access::Write(context), &|| "reset".to_owned(), |part, context| {
                part.call_method1(pyo3::intern!(part.py(), "reset"), (context,)).map(drop)
            });
        }
    }

    fn after_initial_conditions(&self, context: &mut EngineContext<'_>) {
        if self.has.settle {
            self.call(Access::Write(context), &|| "settle".to_owned(), |part, context| {
                part.call_method1(pyo3::intern!(part.py(), "settle"), (context,)).map(drop)
            });
        }
    }

    fn act(&self, action: usize, given: CallArguments<'_>, context: &mut EngineContext<'_>) {
        let action = &self.actions[action];
        if action.waits() && !self.has.act {
            return;
        }
        self.call(Access::Write(context), &|| format!("act({:?})", action.name()), |part, context| {
            let py = part.py();
            let named = arguments(py, action, self.shared.width, given)?;
            part.call_method1(pyo3::intern!(py, "act"), (action.name(), named, context)).map(drop)
        });
    }

    fn has_effect(&self, action: usize, given: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        if !self.has.has_effect {
            return true;
        }
        let action = &self.actions[action];
        self.call(Access::Read(reader), &|| format!("has_effect({:?})", action.name()), |part, context| {
            let py = part.py();
            let named = arguments(py, action, self.shared.width, given)?;
            part.call_method1(pyo3::intern!(py, "has_effect"), (action.name(), named, context))?.is_truthy()
        })
    }

    fn tick(&self, phase: Phase, context: &mut EngineContext<'_>) {
        let phase = phase.name();
        self.call(Access::Write(context), &|| format!("tick({phase:?})"), |part, context| {
            part.call_method1(pyo3::intern!(part.py(), "tick"), (phase, context)).map(drop)
        });
    }

    fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let observable = &self.observables[observable];
        self.call(Access::Read(reader), &|| format!("observe({:?})", observable.name), |part, context| {
            let value = part.call_method1(pyo3::intern!(part.py(), "observe"), (&observable.name, context))?;
            write_observable(observable, &value, out)
        });
    }
}

/// Writes the values that a class computed, or one number for all of them.
fn write_observable(observable: &Observable, value: &Bound<'_, PyAny>, out: &mut Slot<'_>) -> PyResult<()> {
    let values = contiguous::<f64>(value, "float64")?;
    if values.ndim() > 0 && values.shape() != observable.shape {
        let (found, wanted) = (values.shape(), &observable.shape);
        let message = format!("`{}` has the shape {found:?}, but {wanted:?} was declared", observable.name);
        return Err(PyValueError::new_err(message));
    }
    let values = values.try_readonly()?;
    let count: usize = observable.shape.iter().product();
    let values = values.as_slice()?;
    let is_single = values.len() == 1;
    let (low, high) = observable.kind.range();
    let dtype = observable.kind.dtype();
    for i in 0..count {
        let value = values[if is_single { 0 } else { i }];
        if !(low..=high).contains(&value) {
            let message = format!("`{}` is {value}, but it goes from {low} to {high}", observable.name);
            return Err(PyValueError::new_err(message));
        }
        out.set_number(dtype, i, value);
    }
    Ok(())
}

impl FarmerBehaviour for PythonPart {
    fn allows(&self, kind: ActionKind, field: Option<usize>) -> bool {
        let field = field.and_then(|field| self.fields.get(field));
        !self.has.permits || self.ask("permits", |part| part.call_method1("permits", (kind.name(), field))?.is_truthy())
    }

    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        if !self.has.refusal {
            return None;
        }
        self.call(Access::Read(reader), &|| "refusal".to_owned(), |part, context| {
            let py = part.py();
            let attempt = self.attempt(py, attempt)?;
            let said = part.call_method1(pyo3::intern!(py, "refusal"), (attempt, context))?;
            let Some(said) = said.extract::<Option<String>>()? else { return Ok(None) };
            let mut reasons = lock(&self.reasons);
            match reasons.get(said.as_str()) {
                Some(known) => Ok(Some(*known)),
                None if reasons.len() >= MAX_REASONS => {
                    let message = format!("there are {MAX_REASONS} different reasons: leave numbers out of them");
                    Err(PyValueError::new_err(message))
                }
                None => {
                    let kept = lasting(&said);
                    reasons.insert(kept);
                    Ok(Some(kept))
                }
            }
        })
    }

    fn depends_on_arguments(&self) -> bool {
        self.has.depends_on_arguments
    }

    fn before_action(&self, attempt: &Attempt<'_>, context: &mut EngineContext<'_>) {
        if self.has.did {
            self.call(Access::Write(context), &|| "did".to_owned(), |part, context| {
                let attempt = self.attempt(part.py(), attempt)?;
                part.call_method1(pyo3::intern!(part.py(), "did"), (attempt, context)).map(drop)
            });
        }
    }
}

impl ScoreBehaviour for PythonPart {
    fn intervention_cost(&self, part: &str, action: &str) -> f64 {
        if !self.has.intervention_cost {
            return 0.0;
        }
        self.ask("intervention_cost", |score| score.call_method1("intervention_cost", (part, action))?.extract())
    }

    fn observation_cost(&self, part: &str, variable: &str) -> f64 {
        if !self.has.observation_cost {
            return 0.0;
        }
        self.ask("observation_cost", |score| score.call_method1("observation_cost", (part, variable))?.extract())
    }

    fn constraints(&self) -> Vec<ConstraintInfo> {
        self.constraints.clone()
    }

    fn constraint_costs(&self, context: &mut EngineContext<'_>, costs: &mut [f64]) {
        if self.constraints.is_empty() {
            return;
        }
        self.call(Access::Write(context), &|| "constraint_costs".to_owned(), |score, context| {
            let told = score.call_method1(pyo3::intern!(score.py(), "constraint_costs"), (context,))?;
            for item in told.cast::<PyMapping>()?.items()?.iter() {
                let (name, cost): (String, f64) = item.extract()?;
                match self.constraints.iter().position(|constraint| constraint.name == name) {
                    Some(index) => costs[index] = cost,
                    None => return Err(PyKeyError::new_err(format!("no constraint `{name}` was declared"))),
                }
            }
            Ok(())
        });
        for (constraint, cost) in self.constraints.iter().zip(costs) {
            let total = &context.get(constraint.total)[0];
            total.set(total.get() + *cost);
        }
    }

    fn reward(&self, context: &mut EngineContext<'_>) -> f64 {
        self.call(Access::Write(context), &|| "reward".to_owned(), |score, context| {
            score.call_method1(pyo3::intern!(score.py(), "reward"), (context,))?.extract()
        })
    }

    fn final_reward(&self, context: &mut EngineContext<'_>) -> f64 {
        if !self.has.final_reward {
            return 0.0;
        }
        self.call(Access::Write(context), &|| "final_reward".to_owned(), |score, context| {
            score.call_method1(pyo3::intern!(score.py(), "final_reward"), (context,))?.extract()
        })
    }
}

/// Whether the error is a write to a read-only array. NumPy raises a plain `ValueError` for this, so only the message identifies it.
fn is_locked_array(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyValueError>(py) && error.value(py).to_string().contains("read-only")
}
