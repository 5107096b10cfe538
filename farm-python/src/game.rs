//! A compiled game.

use std::sync::Arc;

use farm_core::ObservationEntry;
use farm_core::config::Problems;
use farm_core::space::{Dtype, Space};
use farm_core::spec::InteractionMode;
use farm_games::contexts::Context;
use farm_games::{CATALOGUE, FORMER, GameDocument, LevelFile, Options, catalogue as versions};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value as Json, json};

use crate::choices::rules_text;
use crate::convert::{to_json, to_python};
use crate::errors;
use crate::parts::Consent;
use crate::words::InPython;

/// A game, compiled once and shared by any number of environments.
#[pyclass(frozen, module = "farm_gym._native")]
pub struct Game {
    pub game: Arc<farm_core::Game>,
    /// The arguments that open a copy in another process.
    source: Source,
}

/// The constructor's arguments: game, preset, level, changes, passed classes, whether all code is allowed, whether files outside the
/// game's folder may be read, and the context.
type Arguments =
    (String, Option<String>, Option<String>, Vec<(String, String)>, Vec<Py<PyAny>>, bool, bool, Option<String>);

#[derive(Clone)]
struct Source {
    game: String,
    preset: Option<String>,
    level: Option<String>,
    set: Vec<(String, String)>,
    consent: Arc<Consent>,
    allow_outside_files: bool,
    context: Option<String>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game, preset=None, level=None, set=Vec::new(), parts=Vec::new(), allow_plugins=false, allow_outside_files=false, context=None))]
    #[expect(clippy::too_many_arguments, reason = "the one caller names them all")]
    fn new(
        py: Python<'_>,
        game: String,
        preset: Option<String>,
        level: Option<String>,
        set: Vec<(String, String)>,
        parts: Vec<Py<PyAny>>,
        allow_plugins: bool,
        allow_outside_files: bool,
        context: Option<String>,
    ) -> PyResult<Self> {
        let everything = allow_plugins || farm_core::plugin::is_allowed_by_environment();
        let consent = Arc::new(Consent { everything, classes: parts });
        let source = Source { game, preset, level, set, consent, allow_outside_files, context };
        let opened = py.detach(|| errors::guarded(|| source.consent.during(|| open(&source))))?;
        Ok(Self { game: Arc::new(opened.map_err(|problems| errors::config(&problems))?), source })
    }

    /// The arguments that open the same game again.
    fn __getnewargs__(&self, py: Python<'_>) -> Arguments {
        let Source { game, preset, level, set, consent, allow_outside_files, context } = self.source.clone();
        let classes = consent.classes.iter().map(|class| class.clone_ref(py)).collect();
        (game, preset, level, set, classes, consent.everything, allow_outside_files, context)
    }

    /// The context that the game was opened in.
    #[getter]
    fn context(&self) -> Option<&str> {
        self.source.context.as_deref()
    }

    #[getter]
    fn name(&self) -> &str {
        self.game.spec().name()
    }

    #[getter]
    fn doc(&self) -> &str {
        self.game.spec().doc()
    }

    #[getter]
    fn fingerprint(&self) -> u64 {
        self.game.fingerprint()
    }

    /// Maximum number of steps in an episode.
    #[getter]
    fn max_steps(&self) -> Option<u64> {
        self.game.most_steps()
    }

    #[getter]
    fn max_schedule(&self) -> usize {
        self.game.catalogue().max_schedule()
    }

    /// The flat-list id of the action that does nothing.
    #[getter]
    fn idle(&self) -> usize {
        let catalogue = self.game.catalogue();
        catalogue.waiting().first().and_then(|call| catalogue.discrete_of(call)).unwrap_or(0)
    }

    #[getter]
    fn interaction_mode(&self) -> PyResult<String> {
        Ok(serde_json::to_value(self.game.spec().interaction_mode())
            .ok()
            .and_then(|mode| mode.as_str().map(str::to_owned))
            .unwrap_or_default())
    }

    /// Whether a learner sees only a window of the map around its farmer.
    #[getter]
    fn has_limited_view(&self) -> bool {
        let has_window =
            self.game.parts().iter().flat_map(|part| part.pictures()).any(|picture| picture.window().is_some());
        has_window && self.game.spec().interaction_mode() != InteractionMode::Fomdp
    }

    /// Whether the flat list offers every action: no parameter is a range.
    #[getter]
    fn is_discrete(&self) -> bool {
        self.game
            .catalogue()
            .base_actions()
            .iter()
            .flat_map(|base| base.parameters())
            .all(|allowed| matches!(allowed, farm_core::action::Allowed::Values(_)))
    }

    /// The score's constraints: name, limit per episode if there is one, and weight in the cost of a step.
    #[getter]
    fn constraints(&self) -> Vec<(String, Option<f64>, f64)> {
        self.game.constraints().iter().map(|one| (one.name.clone(), one.limit, one.weight)).collect()
    }

    #[getter]
    fn policies(&self) -> Vec<String> {
        self.game.spec().policies().keys().cloned().collect()
    }

    #[getter]
    fn presets(&self) -> Vec<String> {
        self.game.spec().presets().keys().cloned().collect()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.game.warnings().0.iter().map(|warning| warning.told_by(&InPython)).collect()
    }

    /// Notes on the files that the parts have read, one line per file.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.game.notes().map(|(part, note)| format!("{part}: {note}")).collect()
    }

    /// The paths of the parts that are written in Python.
    #[getter]
    fn python_parts(&self) -> Vec<String> {
        let spec = self.game.spec();
        let entities = spec.fields().values().flat_map(|field| field.entities()).map(|entity| entity.typetag_name());
        let farmers = spec.farmers().iter().map(|farmer| farmer.typetag_name());
        let kinds = entities.chain(farmers).chain([spec.score().typetag_name()]);
        let parts = self.game.parts().iter().zip(kinds);
        parts.filter(|(_, kind)| *kind == crate::parts::KIND).map(|(part, _)| part.path().to_owned()).collect()
    }

    fn yaml(&self) -> PyResult<String> {
        self.game.spec().to_yaml().map_err(|error| errors::ConfigError::new_err(error.to_string()))
    }

    /// The JSON description of a space, by its name.
    fn space(&self, name: &str) -> PyResult<String> {
        let catalogue = self.game.catalogue();
        let space = match name {
            "observation" => self.game.observation().space(),
            "state" => self.game.state_layout().space(),
            "action" => catalogue.space(),
            "discrete" => Space::Discrete { n: catalogue.discrete_len() },
            "multi_discrete" => catalogue.multi_discrete_space(),
            "multi_binary" => catalogue.multi_binary_space(),
            other => return Err(errors::ConfigError::new_err(format!("there is no space `{other}`"))),
        };
        serde_json::to_string(&space).map_err(|error| errors::ConfigError::new_err(error.to_string()))
    }

    /// The layout of an observation record: its size in bytes, and the key, meaning, type, shape and offset of each entry.
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let layout = self.game.observation();
        let dtype = |entry: &ObservationEntry| match (entry.dtype(), entry.space()) {
            // The type that Gymnasium uses here; 0 and 1 have the same bytes in both types.
            (Dtype::Uint8, Space::MultiBinary { .. }) => "|i1",
            (Dtype::Uint8, _) => "|u1",
            (Dtype::Int32, _) => "<i4",
            (Dtype::Float32, _) => "<f4",
        };
        let entries: Vec<Json> = layout
            .entries()
            .iter()
            .map(|e| json!({"key": e.key(), "doc": e.doc(), "dtype": dtype(e), "shape": e.shape(), "offset": e.offset()}))
            .collect();
        to_python(py, &json!({"size": layout.size(), "entries": entries}))
    }

    /// The names of the actions in the flat list.
    fn action_names(&self) -> Vec<String> {
        let catalogue = self.game.catalogue();
        let name = |id| {
            let calls = catalogue.discrete(id).unwrap_or_default();
            let names: Vec<String> = calls.iter().map(|call| catalogue.describe(call)).collect();
            if names.is_empty() { "nothing".to_owned() } else { names.join(" + ") }
        };
        (0..catalogue.discrete_len()).map(name).collect()
    }

    /// The actions for a flat-list id: a list of `[farmer, field, entity, name, parameters]`.
    fn discrete_to_farm<'py>(&self, py: Python<'py>, id: usize) -> PyResult<Bound<'py, PyAny>> {
        let catalogue = self.game.catalogue();
        let last = catalogue.discrete_len() - 1;
        let calls =
            catalogue.discrete(id).ok_or_else(|| errors::step(&farm_core::StepError::NoSuchAction { id, last }))?;
        to_python(py, &calls.iter().map(|call| catalogue.to_json(call)).collect::<Json>())
    }

    /// Converts an action in the paper's space to a list of `[farmer, field, entity, name, parameters]`.
    fn gym_to_farm<'py>(&self, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let catalogue = self.game.catalogue();
        let calls =
            catalogue.gym_to_calls(&to_json(action)?).map_err(|e| errors::ActionError::new_err(e.to_string()))?;
        to_python(action.py(), &calls.iter().map(|call| catalogue.to_json(call)).collect::<Json>())
    }

    /// Converts a list of `[farmer, field, entity, name, parameters]` to an action in the paper's space.
    fn farm_to_gym<'py>(&self, actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let catalogue = self.game.catalogue();
        let calls = catalogue.parse(&to_json(actions)?).map_err(|problem| errors::action(&problem))?;
        to_python(actions.py(), &catalogue.calls_to_gym(&calls))
    }

    /// Converts a list of `[farmer, field, entity, name, parameters]` to flat-list ids.
    fn farm_to_discrete(&self, actions: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let catalogue = self.game.catalogue();
        let calls = catalogue.parse(&to_json(actions)?).map_err(|problem| errors::action(&problem))?;
        calls
            .iter()
            .map(|call| {
                let absent = || format!("`{}` is not in the flat list of actions", catalogue.describe(call));
                catalogue.discrete_of(call).ok_or_else(|| errors::ActionError::new_err(absent()))
            })
            .collect()
    }

    /// The actions as tools: a list of objects with `name`, `action`, `description` and `arguments`, a JSON Schema.
    fn tools<'py>(&self, py: Python<'py>, rules: &str) -> PyResult<Bound<'py, PyAny>> {
        let tools = self.game.text().tool_schemas(rules_text(rules)?).into_iter().map(|tool| {
            json!({
                "name": tool.name(), "action": tool.action(), "description": tool.description(), "arguments": tool.arguments(),
            })
        });
        to_python(py, &tools.collect::<Json>())
    }

    /// Reads a line such as `MoveN` or a JSON action, and returns the actions that a step takes from it.
    fn parse<'py>(&self, py: Python<'py>, line: &str) -> PyResult<Bound<'py, PyAny>> {
        let catalogue = self.game.catalogue();
        let calls = self.game.text().parse(line).map_err(|problem| errors::action(&problem))?;
        // No step executes actions beyond the length of a schedule.
        let calls = calls.iter().take(catalogue.max_schedule().max(1));
        to_python(py, &calls.map(|call| catalogue.to_json(call)).collect::<Json>())
    }

    /// The names of the game's contexts in a split, or in both.
    #[pyo3(signature = (split=None))]
    fn contexts(&self, split: Option<&str>) -> PyResult<Vec<String>> {
        let found = self.source.consent.during(|| {
            let options = options(&self.source)?;
            GameDocument::read(&self.source.game, options.consent())?.contexts(&options)
        });
        let contexts = found.map_err(|problems| errors::config(&problems))?;
        let fits = |context: &&Context| split.is_none_or(|split| context.split.name() == split);
        Ok(contexts.iter().filter(fits).map(Context::to_string).collect())
    }

    fn __repr__(&self) -> String {
        format!("<farm_gym game {}>", self.game.spec().name())
    }
}

impl Game {
    /// A member of a family, whose name opens it again.
    pub fn of_member(game: Arc<farm_core::Game>) -> Self {
        let source = Source {
            game: game.spec().name().to_owned(),
            preset: None,
            level: None,
            set: Vec::new(),
            consent: Arc::new(Consent { everything: false, classes: Vec::new() }),
            allow_outside_files: false,
            context: None,
        };
        Self { game, source }
    }

    /// The code that the game may run when it is opened again.
    pub fn consent(&self) -> Arc<Consent> {
        self.source.consent.clone()
    }
}

fn open(source: &Source) -> Result<farm_core::Game, Problems> {
    farm_games::open(&source.game, &options(source)?).map_err(crate::parts::without_consequences)
}

fn options(source: &Source) -> Result<Options, Problems> {
    let level: Option<LevelFile> = match &source.level {
        Some(level) => Some(farm_games::level::find(&source.game, level)?),
        None => None,
    };
    let allow_plugins = source.consent.everything;
    let allow_outside_files =
        source.allow_outside_files || farm_core::config::are_outside_files_allowed_by_environment();
    let (preset, context, set) = (source.preset.clone(), source.context.clone(), source.set.clone());
    Ok(Options { preset, context, level, set, allow_plugins, allow_outside_files, ..Options::default() })
}

/// The package's games: name → description, version and former versions, family, presets, and maximum number of steps.
#[pyfunction]
pub(crate) fn catalogue(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let games = PyDict::new(py);
    for entry in CATALOGUE {
        let game = farm_games::open(entry.name, &Options::default()).map_err(|problems| errors::config(&problems))?;
        let presets: Vec<&String> = game.spec().presets().keys().collect();
        let of_game = FORMER.iter().filter(|former| former.game() == entry.game());
        let former: Vec<&str> = of_game.map(|former| former.name).collect();
        let about = json!({
            "doc": game.spec().doc(),
            "version": entry.version,
            "family": entry.family.name(),
            "former": former,
            "presets": presets,
            "max_steps": game.most_steps(),
        });
        games.set_item(entry.name, to_python(py, &about)?)?;
    }
    Ok(games)
}

/// The names of the package's games, including former versions.
#[pyfunction]
pub(crate) fn catalogue_names() -> Vec<&'static str> {
    versions::all_versions().map(|entry| entry.name).collect()
}

/// Splits the name of a game in the package into the base name and the version.
#[pyfunction]
pub(crate) fn game_and_version(name: &str) -> PyResult<(&'static str, u32)> {
    let entry = versions::find(name).map_err(|problems| errors::config(&problems))?;
    Ok((entry.game(), entry.version))
}
