//! What a part declares.

use std::path::PathBuf;
use std::sync::Arc;

use super::errors::DeclarationError;
use super::{
    ActionInfo, ActionParameter, All, EventInfo, Extent, FieldInfo, Maybe, Need, ObservableInfo, One, Own, OwnEvent,
    PartInfo, Phase, Role, ValueKind, Variable, VariableInfo, values_of,
};
use crate::config::{FoundFile, Path, Problem, Problems, Trust};
use crate::picture::Picture;
use crate::rng::hash_name;
use crate::state::Element;

/// What a part declares: its variables, observables, actions, events, pictures and phases, and the roles that it needs.
///
/// A declaration returns a token. When all parts have declared, [`Bind`](crate::Bind) exchanges the tokens for columns.
///
/// ```
/// use farm_core::prelude::*;
///
/// /// A barrel with a tap.
/// #[derive(Debug, Clone, Parameters)]
/// struct Barrel {}
///
/// #[register(source = "An example")]
/// impl Entity for Barrel {
///     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
///         let water = d.variable(real("water#L", 0.0, 200.0, "Water in the barrel.").default(80.0));
///         d.action("open", Vec::new(), "Empties the barrel.");
///         Bind::new(move |found| Tap { water: found.get(water) })
///     }
/// }
/// # struct Tap { water: Column<f64> }
/// # impl Behaviour for Tap {
/// #     fn act(&self, _: usize, _: CallArguments<'_>, context: &mut Context<'_>) { context.get(self.water)[0].set(0.0) }
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let mut environment = Environment::new(farm::game("Barrel: {}"));
/// # let water = environment.game().parts()[0].variables()[0].column::<f64>().unwrap();
/// # environment.step("open").unwrap();
/// # assert_eq!(environment.game().reader(environment.state()).get(water), [0.0]);
/// ```
#[derive(Debug)]
pub struct Declarations<'a> {
    pub(crate) part: PartInfo,
    pub(crate) fields: &'a [Arc<FieldInfo>],
    pub(crate) problems: Problems,
    pub(crate) directory: Option<&'a PathBuf>,
    pub(crate) trust: &'a Trust,
    /// Whether the caller needs only the declarations and will not play.
    pub(crate) only_declares: bool,
}

impl Declarations<'_> {
    /// The part's field. For farmers and the score, this is the first field.
    pub fn field(&self) -> &FieldInfo {
        &self.fields[self.part.field.unwrap_or(0)]
    }

    /// The part's declarations so far, with its name and path.
    pub fn part(&self) -> &PartInfo {
        &self.part
    }

    /// Whether the caller needs only the declarations. The part can then skip data that only the simulation needs, such as tables.
    pub fn only_declares(&self) -> bool {
        self.only_declares
    }

    /// All fields on the farm.
    pub fn fields(&self) -> &[Arc<FieldInfo>] {
        self.fields
    }

    /// The folder of the configuration file. `None` if the configuration was not read from a file.
    pub fn directory(&self) -> Option<&std::path::Path> {
        self.directory.map(PathBuf::as_path)
    }

    /// The key for the part's random streams. Calling this declares that the part uses randomness.
    pub fn stream_key(&mut self) -> u64 {
        self.part.draws = true;
        hash_name(&self.part.path)
    }

    /// Finds a file that the configuration refers to, if the game may read it. Relative paths start at the configuration's folder.
    /// Read the file with [`read_regular`](crate::config::read_regular), which has a size limit.
    ///
    /// # Errors
    /// A problem without a path: the file is outside the game's folder, and the user has not allowed this.
    pub fn find_file(&self, path: &str) -> Result<FoundFile, Box<Problem>> {
        let folder = self.directory.map_or(std::path::Path::new(""), PathBuf::as_path);
        self.trust.find(folder, folder, path)
    }

    /// Reports a problem in the part's own parameters. The problem's path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem.below(&self.part.config));
    }

    /// Adds a note about data that the part has read from elsewhere. The note is one sentence for the user who checks or starts the game.
    pub fn note(&mut self, note: impl Into<String>) {
        self.part.notes.push(note.into());
    }

    /// Declares a variable.
    pub fn variable<T: Element>(&mut self, variable: Variable<T>) -> Own<T> {
        let own = self.part.field.unwrap_or(0);
        let shape_of = |field: &Arc<FieldInfo>| vec![field.length, field.width];
        let shape = match &variable.extent {
            Extent::Scalar => Vec::new(),
            Extent::PerPlot => shape_of(&self.fields[own]),
            Extent::PlotsOf(field) => self.fields.get(*field).map_or_else(Vec::new, shape_of),
            Extent::Shape(shape) => shape.clone(),
        };
        for problem in variable.role_problems {
            let message = format!("variable `{}` of `{}`: {}", variable.name, self.part.path, problem.message);
            self.problem(Problem { message, ..problem });
        }
        // Values for the part's own field are simply per plot.
        let plots_of = match variable.extent {
            Extent::PlotsOf(field) if Some(field) != self.part.field => Some(field),
            _ => None,
        };
        let len = values_of(&shape) as u32;
        self.part.variables.push(VariableInfo {
            name: variable.name,
            doc: variable.doc,
            kind: variable.kind,
            shape,
            per_plot: plots_of.is_none() && matches!(variable.extent, Extent::PerPlot | Extent::PlotsOf(_)),
            plots_of,
            visible: variable.visible,
            default: variable.default,
            usual_start: variable.usual_start,
            synonyms: variable.synonyms,
            roles: variable.roles,
            slot: (T::REGION, VariableInfo::NO_PLACE, len),
        });
        Own::new(self.part.variables.len() - 1)
    }

    /// Changes the values that a variable of this part accepts. A second declaration uses this for a range, or for names, that depend on other
    /// parts. The default becomes the nearest of these values.
    pub fn set_kind<T: Element>(&mut self, own: Own<T>, kind: ValueKind) {
        let variable = &mut self.part.variables[own.variables.0];
        let (low, high) = kind.common_range();
        variable.default = variable.default.max(low).min(high);
        variable.kind = kind;
    }

    /// Changes the names of the values of an event that this part has declared.
    pub fn rename_event_values(&mut self, event: OwnEvent, labels: Vec<String>) {
        self.part.events[event.0].labels = labels;
    }

    /// Declares a quantity that is computed when it is observed. Returns the index that `Behaviour::observe` receives.
    pub fn observable(&mut self, name: &str, kind: ValueKind, shape: &[usize], doc: &str) -> usize {
        self.observable_with(ObservableInfo::new(name, kind, shape, doc))
    }

    /// Declares an observable with all its properties.
    pub fn observable_with(&mut self, observable: ObservableInfo) -> usize {
        if let Some(copied) = observable.copied {
            let copied = self.part.own(copied);
            let is_like = copied.iter().all(|variable| variable.slot.0 == observable.kind.region());
            if !is_like || copied.iter().map(VariableInfo::len).sum::<usize>() != values_of(&observable.shape) {
                let name = &observable.name;
                let message = format!("`{name}` of `{}` is not a copy of the column that it shows", self.part.path);
                self.problem(Problem::new(DeclarationError::WrongDeclaration, Path::default(), message));
            }
        }
        self.part.observables.push(observable);
        self.part.observables.len() - 1
    }

    /// Declares an action. Returns the index that `Behaviour::act` receives.
    pub fn action(&mut self, name: &str, parameters: Vec<ActionParameter>, doc: &str) -> usize {
        self.action_with(ActionInfo::new(name, doc, parameters))
    }

    /// Declares an action with all its properties.
    pub fn action_with(&mut self, action: ActionInfo) -> usize {
        self.part.actions.push(action);
        self.part.actions.len() - 1
    }

    /// Declares a variable that a game's texts insert with `{{ part("Part-0").name }}`. It is a fact that no single parameter states, or a
    /// choice in words. Facts describe rules that a player may know, never the hidden content of a level or seed.
    pub fn text_variable(&mut self, name: &'static str, text: impl Into<String>) {
        self.part.text_variables.push((name, text.into()));
    }

    /// Adds a sentence about how an episode starts, for players who see the rules. For example, it describes possible locations and random
    /// choices. It states what a player may know about every map, never the content of one level or seed.
    pub fn world_text(&mut self, sentence: impl Into<String>) {
        self.part.world_text.push(sentence.into());
    }

    /// Sets a label for the part if its kind is not clear enough for people. For example, a pesticide may be a `Herbicide`.
    pub fn label(&mut self, label: impl Into<String>) {
        self.part.label = Some(label.into());
    }

    /// Declares a picture of the part. It may use variables that the part has already declared.
    pub fn picture(&mut self, picture: Picture) {
        for problem in picture.problems(&self.part) {
            self.problem(problem);
        }
        self.part.pictures.push(picture);
    }

    /// Declares an event that happens at most `per_step` times per step.
    pub fn event(&mut self, name: &str, per_step: usize, doc: &str) -> OwnEvent {
        self.event_with(EventInfo::new(name, per_step, doc))
    }

    /// Declares an event with all its properties.
    pub fn event_with(&mut self, event: EventInfo) -> OwnEvent {
        self.part.events.push(event);
        OwnEvent(self.part.events.len() - 1)
    }

    /// Requests a call to the part's `tick` in this phase.
    pub fn runs_in(&mut self, phase: Phase) {
        self.part.phases.push(phase);
    }

    /// Declares that the part's ticks change nothing while one of its flags is 0. The part is then called only while the flag is set.
    pub fn sleeps_unless(&mut self, awake: Own<u8>) {
        self.part.awakened_by = Some(awake.variables.0);
    }

    /// Needs the only provider of a role. If the role has no provider, or several, the game has an error that names the role and its
    /// providers.
    pub fn one<T: Element>(&mut self, role: Role<T>) -> One<T> {
        self.needs(role, Need::One);
        One(role)
    }

    /// Needs the role's provider, if it has one.
    pub fn maybe<T: Element>(&mut self, role: Role<T>) -> Maybe<T> {
        self.needs(role, Need::Maybe);
        Maybe(role)
    }

    /// Needs all providers of a role.
    pub fn all<T: Element>(&mut self, role: Role<T>) -> All<T> {
        self.needs(role, Need::All);
        All(role)
    }

    fn needs<T: Element>(&mut self, role: Role<T>, need: Need) {
        self.part.needs.push((role.name, need));
        self.part.docs_of_needs.push(role.doc);
    }

    /// Declares that the part changes a role's values in other parts instead of only reading them.
    pub fn writes<T: Element>(&mut self, role: Role<T>) {
        self.part.writes.push(role.name);
    }
}
