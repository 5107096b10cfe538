//! The builder that parts use to declare themselves and to find other parts.

use std::path::PathBuf;
use std::sync::Arc;

use super::errors::{DeclarationError, RoleError};
use super::{
    ActionInfo, ActionParameter, Candidate, Draft, EventId, EventInfo, Extent, FieldInfo, Need, ObservableInfo,
    PartInfo, Phase, Role, UsualStart, ValueKind, Variable, VariableInfo, values_of,
};
use crate::config::{FoundFile, Problem, Problems, Trust};
use crate::format::join_truncated;
use crate::mass_balance::MassBalance;
use crate::picture::{Picture, Sprite};
use crate::rng::hash_name;
use crate::state::{Column, Element, Layout, StateSlice};

/// The maximum number of roles listed in a message about a missing part.
const MAX_ROLES: usize = 3;

/// Parts use the builder to declare themselves and to find other parts.
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
///     fn build(&self, builder: &mut Builder<'_>) -> Box<dyn Behaviour> {
///         let water = builder.declare(real("water#L", 0.0, 200.0, "Water in the barrel.").default(80.0));
///         builder.action("open", Vec::new(), "Empties the barrel.");
///         Box::new(Tap { water })
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
pub struct Builder<'a> {
    pub(crate) part: PartInfo,
    pub(crate) field: Arc<FieldInfo>,
    pub(crate) fields: &'a [Arc<FieldInfo>],
    pub(crate) before: &'a Draft,
    pub(crate) layout: &'a mut Layout,
    pub(crate) events_before: usize,
    pub(crate) problems: &'a mut Problems,
    pub(crate) directory: Option<&'a PathBuf>,
    pub(crate) trust: &'a Trust,
    /// Returns the registered kinds that provide a role. The message about a missing provider suggests them.
    pub(crate) candidates_for: fn(&str) -> Vec<Candidate>,
    /// The roles without a provider, with their meanings.
    pub(crate) missing: Vec<(&'static str, &'static str)>,
    /// The roles that allow only one provider but have several, each with the parts that provide it.
    pub(crate) several: Vec<(&'static str, String)>,
    /// Whether all parts are known. Only then is a missing provider an error.
    pub(crate) complete: bool,
    /// Whether the caller needs only the declarations and will not play.
    pub(crate) only_declares: bool,
}

impl Builder<'_> {
    /// The part's field. For farmers and the score, this is the first field.
    pub fn field(&self) -> &FieldInfo {
        &self.field
    }

    /// The indices of the fields whose parts can find this part's roles. These are the part's own field and the fields that list the part
    /// under `uses`.
    pub fn fields_served(&self) -> Vec<usize> {
        self.part.field.into_iter().chain(self.part.serves.iter().copied()).collect()
    }

    /// Whether the caller needs only the declarations. The part can then skip data that only the simulation needs, such as tables.
    pub fn only_declares(&self) -> bool {
        self.only_declares
    }

    /// All fields on the farm.
    pub fn fields(&self) -> &[Arc<FieldInfo>] {
        self.fields
    }

    /// The part's name, such as `Soil-0`.
    pub fn name(&self) -> &str {
        &self.part.name
    }

    /// The part's path in the game, such as `Field-0.Soil-0`.
    pub fn path(&self) -> &str {
        &self.part.path
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

    /// Returns the path to a file that the configuration refers to, without checking it. [`Builder::find_file`] checks whether the game may
    /// read it.
    pub fn file(&self, path: &str) -> PathBuf {
        match self.directory {
            Some(directory) => directory.join(path),
            None => PathBuf::from(path),
        }
    }

    /// Reports a problem in the part's own parameters. The problem's path starts at the part. A problem counts only once all parts are
    /// known. Earlier problems are dropped, because look-ups cannot find any parts at that time.
    pub fn problem(&mut self, problem: Problem) {
        let mut path = self.part.config.clone();
        path.0.extend(problem.path.0.clone());
        self.problems.push(Problem { path, ..problem });
    }

    /// Adds a note about data that the part has read from elsewhere. The note is one sentence for the user who checks or starts the game.
    pub fn note(&mut self, note: impl Into<String>) {
        self.part.notes.push(note.into());
    }

    /// Declares a variable and returns where its values are stored.
    pub fn declare<T: Element>(&mut self, variable: Variable<T>) -> Column<T> {
        let shape = match &variable.extent {
            Extent::Scalar => Vec::new(),
            Extent::PerPlot => vec![self.field.length, self.field.width],
            Extent::PlotsOf(field) => {
                self.fields.get(*field).map_or_else(Vec::new, |field| vec![field.length, field.width])
            }
            Extent::Shape(shape) => shape.clone(),
        };
        let column = self.layout.reserve::<T>(values_of(&shape));
        for problem in variable.role_problems {
            let message = format!("variable `{}` of `{}`: {}", variable.name, self.part.path, problem.message);
            self.problem(Problem { message, ..problem });
        }
        let plots_of = match variable.extent {
            Extent::PlotsOf(field) if self.part.field != Some(field) => Some(field),
            _ => None,
        };
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
            slot: (T::REGION, column.start, column.len() as u32),
        });
        column
    }

    /// Sets the range of values with which games usually start one of this part's variables. A rule causes a warning if it always sets a
    /// value above this range, or always a value below it other than 0. `message` is a sentence without its full stop, and `usual`
    /// describes the usual values.
    pub fn usual_start<T: Element>(&mut self, column: Column<T>, low: f64, high: f64, message: &str, usual: &str) {
        if let Some(variable) = self.variable_of(column) {
            variable.usual_start = Some(UsualStart { low, high, message: message.to_owned(), usual: usual.to_owned() });
        }
    }

    /// Sets synonyms for the names of a variable's values, as pairs of a synonym and a name. The variable must belong to this part. If a
    /// user writes a synonym, the error message suggests the name.
    pub fn synonyms(&mut self, column: Column<u8>, synonyms: &'static [(&'static str, &'static str)]) {
        if let Some(variable) = self.variable_of(column) {
            variable.synonyms = synonyms;
        }
    }

    /// This part's variable that is stored in the column.
    fn variable_of<T: Element>(&mut self, column: Column<T>) -> Option<&mut VariableInfo> {
        let slot = (T::REGION, column.start, column.len() as u32);
        self.part.variables.iter_mut().find(|variable| variable.slot == slot)
    }

    /// Declares a quantity that is computed when it is observed. Returns the index that `Behaviour::observe` receives.
    pub fn observable(&mut self, name: &str, kind: ValueKind, shape: &[usize], doc: &str) -> usize {
        self.part.observables.push(ObservableInfo {
            name: name.to_owned(),
            doc: doc.to_owned(),
            kind,
            shape: shape.to_vec(),
            centred: false,
            elements: Vec::new(),
            copied: None,
            copies: None,
        });
        self.part.observables.len() - 1
    }

    /// Declares that an observable is a window centred on the farmer. Texts mark the farmer's own tile.
    pub fn centred(&mut self, observable: usize) {
        self.part.observables[observable].centred = true;
    }

    /// Declares that an observable shows a column's values unchanged. The engine then never asks the part for the observable. If the
    /// observable's kind or number of values differs from the column's, the game is invalid.
    pub fn copies<T: Element>(&mut self, observable: usize, column: Column<T>) {
        let info = &mut self.part.observables[observable];
        if T::REGION == info.kind.region() && values_of(&info.shape) == column.len() {
            info.copies = Some(StateSlice::of_column(column));
            return;
        }
        let message = format!("`{}` of `{}` is not a copy of the column that it shows", info.name, self.part.path);
        self.problems.push(Problem::new(DeclarationError::WrongDeclaration, self.part.config.clone(), message));
    }

    /// Sets names for an observable's values, in order. Texts show each value as `name=value`.
    pub fn elements(&mut self, observable: usize, names: Vec<String>) {
        self.part.observables[observable].elements = names;
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

    /// Declares an action. Returns the index that `Behaviour::act` receives.
    pub fn action(&mut self, name: &str, parameters: Vec<ActionParameter>, doc: &str) -> usize {
        self.part.actions.push(ActionInfo::new(name, doc, parameters));
        self.part.actions.len() - 1
    }

    /// Declares an action that only lets time pass.
    pub fn waiting_action(&mut self, name: &str, doc: &str) -> usize {
        let index = self.action(name, Vec::new(), doc);
        self.part.actions[index].waits = true;
        index
    }

    /// Sets a declared action's past participle, such as `watered`. Also sets the sprite that marks the plot, or the actor, in the picture
    /// after the action.
    pub fn shown_as(&mut self, action: usize, done: &str, badge: impl Into<Sprite>) {
        self.told_as(action, done);
        if let Some(action) = self.part.actions.get_mut(action) {
            action.badge = Some(badge.into());
        }
    }

    /// Sets the past participle for a declared action that needs no mark, because the picture itself shows its effect.
    pub fn told_as(&mut self, action: usize, done: &str) {
        if let Some(action) = self.part.actions.get_mut(action) {
            action.done = Some(done.to_owned());
        }
    }

    /// Sets how the actor looks in the picture after a declared action, for example which way it faces after a move.
    pub fn poses(&mut self, action: usize, sprite: impl Into<Sprite>) {
        if let Some(action) = self.part.actions.get_mut(action) {
            action.pose = Some(sprite.into());
        }
    }

    /// Declares an event that happens at most `per_step` times per step.
    pub fn event(&mut self, name: &str, per_step: usize, doc: &str) -> EventId {
        self.event_with(EventInfo::new(name, per_step, doc))
    }

    /// Declares an event with all its properties.
    pub fn event_with(&mut self, event: EventInfo) -> EventId {
        self.part.events.push(event);
        EventId((self.events_before + self.part.events.len() - 1) as u16)
    }

    /// Requests a call to the part's `tick` in this phase.
    pub fn runs_in(&mut self, phase: Phase) {
        self.part.phases.push(phase);
    }

    /// Declares that the part's ticks change nothing while a flag in the state is 0. The part is then called only while the flag is set.
    pub fn sleeps_unless(&mut self, awake: Column<u8>) {
        self.part.awake = Some(awake);
    }

    /// The only provider of a role. If the role has no provider, or several, the game has an error that names the role and its providers.
    pub fn one<T: Element>(&mut self, role: Role<T>) -> Column<T> {
        self.part.needs.push((role.name, Need::One));
        let found = self.providers(role);
        match found.as_slice() {
            [(_, variable)] => variable.column().unwrap_or(Column::new(0, 0)),
            [] => {
                if self.complete {
                    self.missing.push((role.name, role.doc));
                }
                Column::new(0, 0)
            }
            several => {
                let names: Vec<String> = several.iter().map(|(part, _)| format!("`{}`", part.path)).collect();
                let names = names.join(", ");
                self.several.push((role.name, names));
                Column::new(0, 0)
            }
        }
    }

    /// Reports the roles that have no provider or too many. Roles with the same rival providers, or the same fix, share one problem.
    pub(crate) fn report_roles(&mut self) {
        let mut rivals: Vec<(String, Vec<String>)> = Vec::new();
        for (role, parts) in std::mem::take(&mut self.several) {
            let role = format!("`{role}`");
            match rivals.iter_mut().find(|(known, _)| *known == parts) {
                Some((_, roles)) => roles.push(role),
                None => rivals.push((parts, vec![role])),
            }
        }
        for (parts, roles) in rivals {
            let word = if roles.len() == 1 { "role" } else { "roles" };
            let message = format!(
                "`{}` needs one provider of the {word} {}, but there are several",
                self.part.path,
                roles.join(", ")
            );
            let problem =
                Problem::new(RoleError::SeveralProviders, self.part.config.clone(), message).about_name().value(parts);
            self.problems.push(problem.help("keep one of them in the field"));
        }
        /// A fix, a flag for whether it adds a part, and the roles that need the fix, each with its description.
        struct Remedy<'r> {
            help: (String, bool),
            roles: Vec<(&'r str, &'r str)>,
        }
        let mut remedies: Vec<Remedy<'_>> = Vec::new();
        for (role, doc) in std::mem::take(&mut self.missing) {
            let candidates = (self.candidates_for)(role);
            let there =
                self.before.parts.iter().filter(|part| self.part.field.is_none() || part.field == self.part.field);
            let with_choice = |part: &PartInfo| {
                let candidate = candidates.iter().find(|candidate| candidate.kind == part.kind)?;
                let choice = candidate.choice.as_ref()?;
                Some(format!(
                    "`{}` provides it only with `{choice}`: set that, or give both parts the same choice",
                    part.path
                ))
            };
            let names: Vec<&str> = candidates.iter().map(|candidate| candidate.written.as_str()).collect();
            let choice = there.filter_map(with_choice).next();
            let help = match (choice, names.as_slice()) {
                (Some(choice), _) => (choice, false),
                (None, []) => ("no known part provides it: write a part that declares the role".to_owned(), false),
                (None, names) => (format!("add {} to the field", names.join(" or ")), true),
            };
            match remedies.iter_mut().find(|known| known.help == help) {
                Some(known) => known.roles.push((role, doc)),
                None => remedies.push(Remedy { help, roles: vec![(role, doc)] }),
            }
        }
        for Remedy { help: (help, is_part), roles } in remedies {
            let names = join_truncated(roles.iter(), MAX_ROLES, |(role, _)| format!("`{role}`")).join(", ");
            let doc = |(role, doc): &(&str, &str)| format!("`{role}` ({})", doc.trim().trim_end_matches('.'));
            let docs = join_truncated(roles.iter(), MAX_ROLES, doc).join(", ");
            let word = if roles.len() == 1 { "role" } else { "roles" };
            let message = format!("`{}` needs the {word} {names}, which no part provides", self.part.path);
            // Users who forgot a part may not know about roles, so the fix comes first.
            let message = if is_part { format!("{help}: {message}") } else { message };
            let expected = format!("one part that provides {docs}");
            let problem = Problem::new(RoleError::RoleWithoutProvider, self.part.config.clone(), message)
                .about_name()
                .expected(expected);
            self.problems.push(if is_part { problem } else { problem.help(help) });
        }
    }

    /// Declares a stock's mass balance.
    pub fn mass_balance(&mut self, balance: MassBalance) {
        self.part.mass_balances.push(balance);
    }

    /// The role's provider, if it has one.
    pub fn maybe<T: Element>(&mut self, role: Role<T>) -> Option<Column<T>> {
        self.part.needs.push((role.name, Need::Maybe));
        self.providers(role).first().and_then(|(_, variable)| variable.column())
    }

    /// All providers of a role, in configuration order.
    pub fn all<T: Element>(&mut self, role: Role<T>) -> Vec<Column<T>> {
        self.part.needs.push((role.name, Need::All));
        self.providers(role).iter().filter_map(|(_, variable)| variable.column()).collect()
    }

    /// Declares that the part changes a role's values in other parts instead of only reading them.
    pub fn writes<T: Element>(&mut self, role: Role<T>) {
        self.part.writes.push(role.name);
    }

    /// The declaration of a role's first provider, with its shape and labels.
    pub fn declaration<T: Element>(&self, role: Role<T>) -> Option<VariableInfo> {
        self.providers(role).first().map(|(_, variable)| (*variable).clone())
    }

    /// All events with this name, from any part.
    pub fn events_named(&self, name: &str) -> Vec<EventId> {
        let all = self.before.parts.iter().flat_map(|part| &part.events);
        all.enumerate().filter(|(_, event)| event.name == name).map(|(i, _)| EventId(i as u16)).collect()
    }

    /// The maximum number of events of this kind per step.
    pub fn events_per_step(&self, id: EventId) -> usize {
        self.before.parts.iter().flat_map(|part| &part.events).nth(id.index()).map_or(0, |event| event.per_step)
    }

    /// All providers of a role with the paths of their parts, in configuration order.
    pub fn all_named<T: Element>(&mut self, role: Role<T>) -> Vec<(String, Column<T>)> {
        self.part.needs.push((role.name, Need::All));
        let found = self.providers(role);
        found.iter().filter_map(|(part, variable)| Some((part.name.clone(), variable.column()?))).collect()
    }

    /// All providers of a role, in configuration order: the part's path, its declaration, and its values.
    pub fn all_declared<T: Element>(&mut self, role: Role<T>) -> Vec<(String, VariableInfo, Column<T>)> {
        self.part.needs.push((role.name, Need::All));
        let found = self.providers(role);
        found.iter().filter_map(|(part, v)| Some((part.path.clone(), (*v).clone(), v.column()?))).collect()
    }

    /// The names known so far that a configuration can refer to.
    pub fn names(&self) -> crate::declare::Names<'_> {
        crate::declare::Names { parts: &self.before.parts, fields: self.fields }
    }

    /// The declarations of all parts known so far.
    pub fn parts(&self) -> &[PartInfo] {
        &self.before.parts
    }

    /// Whether the part can find another part's roles.
    pub fn sees(&self, other: &PartInfo) -> bool {
        self.part.sees(other)
    }

    /// Whether all parts are known. Only parts declared in another language need this, because problems added earlier are dropped.
    #[doc(hidden)]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The providers that the part can see, in configuration order.
    fn providers<T: Element>(&self, role: Role<T>) -> Vec<(&PartInfo, &VariableInfo)> {
        let parts = &self.before.parts;
        let providers = self.before.providers.get(role.name).iter();
        let known = providers.map(|(part, variable)| (&parts[*part], &parts[*part].variables[*variable]));
        known.filter(|(part, variable)| self.part.sees(part) && part.shows(variable, self.part.field)).collect()
    }
}
