//! The builder, through which a part declares itself and finds the others.

use std::path::PathBuf;
use std::sync::Arc;

use super::errors::{DeclarationError, RoleError};
use super::{
    ActionInfo, ActionParameter, Draft, EventId, EventInfo, Extent, FieldInfo, Need, ObservableInfo, PartInfo, Phase,
    Role, UsualStart, ValueKind, Variable, VariableInfo, values_of,
};
use crate::config::{FoundFile, Problem, Problems, Trust};
use crate::format::join_truncated;
use crate::mass_balance::MassBalance;
use crate::picture::{Picture, Sprite};
use crate::rng::hash_name;
use crate::state::{Column, Element, Layout, StateSlice};

/// The most roles that a message about a missing part names.
const MAX_ROLES: usize = 3;

/// Through which a part declares itself and finds the others.
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
    /// The registered kinds that provide a role, for what is said of one that nobody provides.
    pub(crate) candidates_for: fn(&str) -> Vec<Candidate>,
    /// Roles that nobody provides, with what they mean.
    pub(crate) missing: Vec<(&'static str, &'static str)>,
    /// Roles that several parts provide, though one is wanted, with these parts.
    pub(crate) several: Vec<(&'static str, String)>,
    /// Whether all parts are known, so that a missing provider is a problem.
    pub(crate) complete: bool,
    /// Whether only what the part declares is wanted, and nothing will be played.
    pub(crate) only_declares: bool,
}

/// A registered kind that provides a role.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) kind: &'static str,
    /// How it is written in a game to provide the role.
    pub(crate) written: String,
    /// The choice with which it does, where there are others with which it does not.
    pub(crate) choice: Option<String>,
}

impl Builder<'_> {
    /// The field the part belongs to; the first one for farmers and the score.
    pub fn field(&self) -> &FieldInfo {
        &self.field
    }

    /// The fields whose parts find the roles of this part, by index: its own, and those that name it under `uses`.
    pub fn fields_served(&self) -> Vec<usize> {
        self.part.field.into_iter().chain(self.part.serves.iter().copied()).collect()
    }

    /// Whether only what the part declares is wanted: what it would play with, such as tables, need not be made.
    pub fn only_declares(&self) -> bool {
        self.only_declares
    }

    /// All fields of the farm.
    pub fn fields(&self) -> &[Arc<FieldInfo>] {
        self.fields
    }

    /// Name of the part, such as `Soil-0`.
    pub fn name(&self) -> &str {
        &self.part.name
    }

    /// Its path in the game, such as `Field-0.Soil-0`.
    pub fn path(&self) -> &str {
        &self.part.path
    }

    /// The folder of the configuration, where it was read from a file.
    pub fn directory(&self) -> Option<&std::path::Path> {
        self.directory.map(PathBuf::as_path)
    }

    /// The key of the part's random streams. Asking for it says that the part draws.
    pub fn stream_key(&mut self) -> u64 {
        self.part.draws = true;
        hash_name(&self.part.path)
    }

    /// A file named in the configuration, if the game may read it: relative paths start at the configuration's own folder. Whoever
    /// reads it does so by [`read_regular`](crate::config::read_regular), within a limit.
    ///
    /// # Errors
    /// A problem without a path, if it lies outside of the game's folder and the user has not allowed that.
    pub fn find_file(&self, path: &str) -> Result<FoundFile, Box<Problem>> {
        let folder = self.directory.map_or(std::path::Path::new(""), PathBuf::as_path);
        self.trust.find(folder, folder, path)
    }

    /// The path of a file named in the configuration, wherever it lies; [`Builder::find_file`] asks whether the game may read it.
    pub fn file(&self, path: &str) -> PathBuf {
        match self.directory {
            Some(directory) => directory.join(path),
            None => PathBuf::from(path),
        }
    }

    /// Notes a problem with the part's own parameters; the path starts at the part. It counts once all parts are known: what is noted before,
    /// while look-ups find nobody, is dropped.
    pub fn problem(&mut self, problem: Problem) {
        let mut path = self.part.config.clone();
        path.0.extend(problem.path.0.clone());
        self.problems.push(Problem { path, ..problem });
    }

    /// Notes what the part has read from elsewhere, in a sentence for whoever checks or starts the game.
    pub fn note(&mut self, note: impl Into<String>) {
        self.part.notes.push(note.into());
    }

    /// Declares a variable and returns where its values are.
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
            usual_start: None,
            synonyms: &[],
            roles: variable.roles,
            slot: (T::REGION, column.start, column.len() as u32),
        });
        column
    }

    /// Says between which values games start a variable of this part: a rule that sets it lower or higher in any case, but not to 0, gets a warning with
    /// this message, a sentence without its full stop, and with what is `usual`.
    pub fn usual_start<T: Element>(&mut self, column: Column<T>, low: f64, high: f64, message: &str, usual: &str) {
        if let Some(variable) = self.variable_of(column) {
            variable.usual_start = Some(UsualStart { low, high, message: message.to_owned(), usual: usual.to_owned() });
        }
    }

    /// Gives other words for the names of the values of a variable of this part, each with the name that it means: who writes one is told the name.
    pub fn synonyms(&mut self, column: Column<u8>, synonyms: &'static [(&'static str, &'static str)]) {
        if let Some(variable) = self.variable_of(column) {
            variable.synonyms = synonyms;
        }
    }

    /// The variable of this part that has a column.
    fn variable_of<T: Element>(&mut self, column: Column<T>) -> Option<&mut VariableInfo> {
        let slot = (T::REGION, column.start, column.len() as u32);
        self.part.variables.iter_mut().find(|variable| variable.slot == slot)
    }

    /// Declares a quantity that is computed when it is observed; returns its index for `Behaviour::observe`.
    pub fn observable(&mut self, name: &str, kind: ValueKind, shape: &[usize], doc: &str) -> usize {
        self.part.observables.push(ObservableInfo {
            name: name.to_owned(),
            doc: doc.to_owned(),
            kind,
            shape: shape.to_vec(),
            centred: false,
            elements: Vec::new(),
            copies: None,
        });
        self.part.observables.len() - 1
    }

    /// Says of an observable that it is a window with the farmer in the middle, whose own tile texts mark.
    pub fn centred(&mut self, observable: usize) {
        self.part.observables[observable].centred = true;
    }

    /// Says of an observable that it shows the values of a column as they are, so that the part is never asked for it. An observable
    /// with another number of values than the column, or of another kind, is a problem of the game.
    pub fn copies<T: Element>(&mut self, observable: usize, column: Column<T>) {
        let info = &mut self.part.observables[observable];
        if T::REGION == info.kind.region() && values_of(&info.shape) == column.len() {
            info.copies = Some(StateSlice::of_column(column));
            return;
        }
        let message = format!("`{}` of `{}` is not a copy of the column that it shows", info.name, self.part.path);
        self.problems.push(Problem::new(DeclarationError::WrongDeclaration, self.part.config.clone(), message));
    }

    /// Names the values of an observable, in order, which texts write as `name=value`.
    pub fn elements(&mut self, observable: usize, names: Vec<String>) {
        self.part.observables[observable].elements = names;
    }

    /// A variable for the texts of a game, which `{{ part("Part-0").name }}` inserts: what no single parameter says, or a choice
    /// in words. Facts are what a player may know of the rules, never what a level or a seed hides.
    pub fn text_variable(&mut self, name: &'static str, text: impl Into<String>) {
        self.part.text_variables.push((name, text.into()));
    }

    /// A sentence on how an episode begins, for whoever is told the rules: where things may be, and what is drawn how. It says what a player may
    /// know of every world, never what a level or a seed has.
    pub fn world_text(&mut self, sentence: impl Into<String>) {
        self.part.world_text.push(sentence.into());
    }

    /// Declares a picture of the part, of variables that it has already declared.
    pub fn picture(&mut self, picture: Picture) {
        for problem in picture.problems(&self.part) {
            self.problem(problem);
        }
        self.part.pictures.push(picture);
    }

    /// Declares an action; returns its index for `Behaviour::act`.
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

    /// Says what was done by an action that was declared, in a word of the past such as `watered`, and which sprite marks the plot, or
    /// who acts, in the picture after it.
    pub fn shown_as(&mut self, action: usize, done: &str, badge: impl Into<Sprite>) {
        self.told_as(action, done);
        if let Some(action) = self.part.actions.get_mut(action) {
            action.badge = Some(badge.into());
        }
    }

    /// Says what was done by an action that was declared and that needs no mark: the picture itself shows it.
    pub fn told_as(&mut self, action: usize, done: &str) {
        if let Some(action) = self.part.actions.get_mut(action) {
            action.done = Some(done.to_owned());
        }
    }

    /// Says how who acts looks in the picture after an action that was declared, such as turned to where it went.
    pub fn poses(&mut self, action: usize, sprite: impl Into<Sprite>) {
        if let Some(action) = self.part.actions.get_mut(action) {
            action.pose = Some(sprite.into());
        }
    }

    /// Declares an event of which at most `per_step` happen in a step.
    pub fn event(&mut self, name: &str, per_step: usize, doc: &str) -> EventId {
        self.event_with(EventInfo::new(name, per_step, doc))
    }

    /// Declares an event with all that can be said of it.
    pub fn event_with(&mut self, event: EventInfo) -> EventId {
        self.part.events.push(event);
        EventId((self.events_before + self.part.events.len() - 1) as u16)
    }

    /// Asks to be called in a phase.
    pub fn runs_in(&mut self, phase: Phase) {
        self.part.phases.push(phase);
    }

    /// Says that its ticks change nothing while a flag of the state is 0: it is called only while the flag is set.
    pub fn sleeps_unless(&mut self, awake: Column<u8>) {
        self.part.awake = Some(awake);
    }

    /// The one provider of a role. No provider, or several, is a problem that names them.
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

    /// The roles that nobody or several parts provide, as one problem for all that the same parts give or would give.
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
                "`{}` needs one provider of the {word} {}, and there are several",
                self.part.path,
                roles.join(", ")
            );
            let problem =
                Problem::new(RoleError::SeveralProviders, self.part.config.clone(), message).about_name().value(parts);
            self.problems.push(problem.help("keep one of them in the field"));
        }
        /// What to do, whether it is to add a part, and for which roles, each with its sentence.
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
                (None, []) => ("no known part provides it: write one that declares the role".to_owned(), false),
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
            // Roles say nothing to somebody who has forgotten a part: that comes first.
            let message = if is_part { format!("{help}: {message}") } else { message };
            let expected = format!("one part that gives {docs}");
            let problem = Problem::new(RoleError::RoleWithoutProvider, self.part.config.clone(), message)
                .about_name()
                .expected(expected);
            self.problems.push(if is_part { problem } else { problem.help(help) });
        }
    }

    /// Declares the mass balance of a stock.
    pub fn mass_balance(&mut self, balance: MassBalance) {
        self.part.mass_balances.push(balance);
    }

    /// The provider of a role, if there is one.
    pub fn maybe<T: Element>(&mut self, role: Role<T>) -> Option<Column<T>> {
        self.part.needs.push((role.name, Need::Maybe));
        self.providers(role).first().and_then(|(_, variable)| variable.column())
    }

    /// All providers of a role, in the order of the configuration.
    pub fn all<T: Element>(&mut self, role: Role<T>) -> Vec<Column<T>> {
        self.part.needs.push((role.name, Need::All));
        self.providers(role).iter().filter_map(|(_, variable)| variable.column()).collect()
    }

    /// Tells that the part changes the values that others keep for a role, instead of only reading them.
    pub fn writes<T: Element>(&mut self, role: Role<T>) {
        self.part.writes.push(role.name);
    }

    /// The declaration behind the first provider of a role: its shape and its labels.
    pub fn declaration<T: Element>(&self, role: Role<T>) -> Option<VariableInfo> {
        self.providers(role).first().map(|(_, variable)| (*variable).clone())
    }

    /// Every event of this name, whoever emits it.
    pub fn events_named(&self, name: &str) -> Vec<EventId> {
        let all = self.before.parts.iter().flat_map(|part| &part.events);
        all.enumerate().filter(|(_, event)| event.name == name).map(|(i, _)| EventId(i as u16)).collect()
    }

    /// How many events of this kind happen in one step at the most.
    pub fn events_per_step(&self, id: EventId) -> usize {
        self.before.parts.iter().flat_map(|part| &part.events).nth(id.index()).map_or(0, |event| event.per_step)
    }

    /// All providers of a role with the paths of their parts, in the order of the configuration.
    pub fn all_named<T: Element>(&mut self, role: Role<T>) -> Vec<(String, Column<T>)> {
        self.part.needs.push((role.name, Need::All));
        let found = self.providers(role);
        found.iter().filter_map(|(part, variable)| Some((part.name.clone(), variable.column()?))).collect()
    }

    /// All providers of a role, in the order of the configuration: the path of the part, what it declares, and its values.
    pub fn all_declared<T: Element>(&mut self, role: Role<T>) -> Vec<(String, VariableInfo, Column<T>)> {
        self.part.needs.push((role.name, Need::All));
        let found = self.providers(role);
        found.iter().filter_map(|(part, v)| Some((part.path.clone(), (*v).clone(), v.column()?))).collect()
    }

    /// What names in a configuration are resolved against, as far as it is known.
    pub fn names(&self) -> crate::declare::Names<'_> {
        crate::declare::Names { parts: &self.before.parts, fields: self.fields }
    }

    /// The declarations of all parts, as far as they are known.
    pub fn parts(&self) -> &[PartInfo] {
        &self.before.parts
    }

    /// Whether the part finds the roles of another.
    pub fn sees(&self, other: &PartInfo) -> bool {
        self.part.sees(other)
    }

    /// Whether all parts are known. Only a part whose declarations pass through another language asks: problems that are noted before are
    /// dropped anyway.
    #[doc(hidden)]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The providers that the part sees, in the order of the configuration.
    fn providers<T: Element>(&self, role: Role<T>) -> Vec<(&PartInfo, &VariableInfo)> {
        let parts = &self.before.parts;
        let providers = self.before.providers.get(role.name).iter();
        let known = providers.map(|(part, variable)| (&parts[*part], &parts[*part].variables[*variable]));
        known.filter(|(part, variable)| self.part.sees(part) && self.part.finds(part, variable)).collect()
    }
}
