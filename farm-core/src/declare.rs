//! What a part declares: variables, observables, actions, events, roles.
//!
//! A part declares all of it in its `build`, through a [`Builder`]. `build` is called several times: the first time
//! nobody's columns are known yet, and lookups of roles give empty columns; it is called again until the declarations of
//! all parts stand still, and the result of the last call is the one that plays. A `build` must therefore depend on
//! nothing but the part's own parameters and what the builder says.

use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Path, Problem, Problems};
use crate::picture::Picture;
use crate::reference::Source;
use crate::rng::hash_name;
use crate::state::{Column, Element, Layout, Region};

/// The names or the number of the values that a category takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// Named values; the byte is the index.
    Named(Vec<String>),
    /// The numbers 0…n−1.
    Numbered(u32),
}

impl Labels {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Numbered(n) => *n as usize,
        }
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a value; numbered values are named by their number.
    pub fn name(&self, index: usize) -> String {
        match self {
            Self::Named(names) => names.get(index).cloned().unwrap_or_else(|| format!("?{index}")),
            Self::Numbered(_) => index.to_string(),
        }
    }

    /// The value of a name.
    pub fn index(&self, name: &str) -> Option<usize> {
        match self {
            Self::Named(names) => names.iter().position(|n| n == name),
            Self::Numbered(n) => name.parse().ok().filter(|i| i < &(*n as usize)),
        }
    }
}

/// What kind of values a variable or observable has.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueKind {
    /// Real numbers in a closed range.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
    },
    /// Whole numbers in a closed range.
    Count {
        /// Lowest value.
        low: i32,
        /// Highest value.
        high: i32,
    },
    /// One of a list. One list for all values, or one per entry of the last axis.
    Category(Vec<Labels>),
    /// Yes or no.
    Flag,
}

impl ValueKind {
    /// Where a state holds values of this kind.
    fn region(&self) -> Region {
        match self {
            Self::Real { .. } => Region::Reals,
            Self::Count { .. } => Region::Counts,
            Self::Category(_) | Self::Flag => Region::Bytes,
        }
    }

    /// A category with the same names for every value.
    pub fn named(names: &[&str]) -> Self {
        Self::Category(vec![Labels::Named(names.iter().map(|n| (*n).to_owned()).collect())])
    }

    /// The lowest and the highest value, categories and flags by number.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Real { low, high } => (*low, *high),
            Self::Count { low, high } => (f64::from(*low), f64::from(*high)),
            Self::Category(lists) => (0.0, lists.iter().map(Labels::len).max().unwrap_or(1).saturating_sub(1) as f64),
            Self::Flag => (0.0, 1.0),
        }
    }

    /// The labels of the value at a flat index, where the kind is a category.
    pub fn labels(&self, flat_index: usize) -> Option<&Labels> {
        match self {
            Self::Category(lists) => lists.get(flat_index % lists.len().max(1)),
            _ => None,
        }
    }
}

/// How many values a variable has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// One.
    Scalar,
    /// One per plot of the field, x-major: plot (x, y) has index `x · width + y`.
    PerPlot,
    /// A fixed shape.
    Shape(Vec<usize>),
}

/// The declaration of a variable before it has its place.
#[derive(Debug, Clone)]
pub struct Variable<T> {
    name: String,
    doc: String,
    kind: ValueKind,
    extent: Extent,
    visible: bool,
    default: f64,
    roles: Vec<&'static str>,
    role_problems: Vec<String>,
    element: PhantomData<T>,
}

fn variable<T>(name: &str, kind: ValueKind, doc: &str) -> Variable<T> {
    Variable {
        name: name.to_owned(),
        doc: doc.to_owned(),
        kind,
        extent: Extent::Scalar,
        visible: true,
        default: 0.0,
        roles: Vec::new(),
        role_problems: Vec::new(),
        element: PhantomData,
    }
}

/// A real variable `name#unit` with its range.
pub fn real(name: &str, low: f64, high: f64, doc: &str) -> Variable<f64> {
    variable(name, ValueKind::Real { low, high }, doc)
}

/// A variable of whole numbers with its range.
pub fn count(name: &str, low: i32, high: i32, doc: &str) -> Variable<i32> {
    variable(name, ValueKind::Count { low, high }, doc)
}

/// A variable that takes one of a list of values.
pub fn category(name: &str, kind: ValueKind, doc: &str) -> Variable<u8> {
    variable(name, kind, doc)
}

/// A yes/no variable.
pub fn flag(name: &str, doc: &str) -> Variable<u8> {
    variable(name, ValueKind::Flag, doc)
}

impl<T: Element> Variable<T> {
    /// One value per plot.
    pub fn per_plot(mut self) -> Self {
        self.extent = Extent::PerPlot;
        self
    }

    /// A fixed shape.
    pub fn shape(mut self, shape: &[usize]) -> Self {
        self.extent = Extent::Shape(shape.to_vec());
        self
    }

    /// Not to be observed by the learner.
    pub fn hidden(mut self) -> Self {
        self.visible = false;
        self
    }

    /// The value at reset, before the part's own `reset`; 0 unless said.
    pub fn default(mut self, value: f64) -> Self {
        self.default = value;
        self
    }

    /// What the variable means to others.
    pub fn role(mut self, role: Role<T>) -> Self {
        if role.scalar != (self.extent == Extent::Scalar) && role.plain {
            let wanted = if role.scalar { "one value" } else { "one value per plot" };
            self.role_problems.push(format!("role `{}` has {wanted}", role.name));
        }
        self.roles.push(role.name);
        self
    }
}

/// What a variable means to others. Parts find each other by role, never by type.
#[derive(Debug)]
pub struct Role<T> {
    /// Its name.
    pub name: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// What the values mean, in a sentence.
    pub doc: &'static str,
    /// One value for the field (or farm) instead of one per plot.
    pub scalar: bool,
    /// Whether scalar or per plot is all there is to its shape; a role of another shape says so in its sentence.
    pub plain: bool,
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Role<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Role<T> {}

impl<T> Role<T> {
    /// A role with one value per plot.
    pub const fn per_plot(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: false, plain: true, element: PhantomData }
    }

    /// A role with one value for the field or farm.
    pub const fn scalar(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: true, plain: true, element: PhantomData }
    }

    /// A role whose values have a shape of their own, which its sentence tells.
    pub const fn shaped(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: false, plain: false, element: PhantomData }
    }
}

/// A declared variable with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct VariableInfo {
    /// `name#unit`.
    pub name: String,
    /// What it is, in a sentence.
    pub doc: String,
    /// What values it takes.
    pub kind: ValueKind,
    /// Shape: empty for a scalar.
    pub shape: Vec<usize>,
    /// Whether it has one value per plot.
    pub per_plot: bool,
    /// Whether a learner may observe it.
    pub visible: bool,
    /// Value at reset.
    pub default: f64,
    /// The roles it fills.
    pub roles: Vec<&'static str>,
    /// Which region holds it, where it begins there, and how many values it has.
    pub(crate) slot: (Region, u32, u32),
}

impl VariableInfo {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.slot.2 as usize
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.slot.2 == 0
    }

    /// The typed column, if the variable holds values of this type.
    pub fn column<T: Element>(&self) -> Option<Column<T>> {
        (T::REGION == self.slot.0).then(|| Column::new(self.slot.1, self.slot.2))
    }
}

/// A quantity computed when it is observed, instead of being kept in the state.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservableInfo {
    /// `name#unit`.
    pub name: String,
    /// What it is, in a sentence.
    pub doc: String,
    /// What values it takes.
    pub kind: ValueKind,
    /// Shape: empty for a scalar.
    pub shape: Vec<usize>,
    /// Whether it is a window with the farmer in the middle.
    pub centred: bool,
    /// What each value of a list is, for texts; empty if they need no names.
    pub elements: Vec<String>,
    /// The values of the state that it shows as they are; none if the part computes it.
    pub(crate) copies: Option<Source>,
}

/// One parameter of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionParameter {
    /// `name#unit`.
    pub name: String,
    /// What it is, in a sentence.
    pub doc: String,
    /// What values it takes.
    pub kind: ActionParameterKind,
}

/// What values an action's parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionParameterKind {
    /// A plot of the field, written `(x, y)`.
    Plot,
    /// A real number in a closed range, with the values that a game offers unless its rules say otherwise.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
        /// Values offered by default.
        offered: Vec<f64>,
    },
    /// One of a list of words.
    Choice(Vec<String>),
}

/// A declared action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionInfo {
    /// Its name.
    pub name: String,
    /// What it does, in a sentence.
    pub doc: String,
    /// Its parameters in the order in which the part receives them.
    pub parameters: Vec<ActionParameter>,
    /// Whether it only lets time pass; a game with such an action needs no empty schedule.
    pub waits: bool,
}

/// A declared event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventInfo {
    /// Its name, shared by all parts that emit the like.
    pub name: String,
    /// What happened, in a sentence.
    pub doc: String,
    /// How many may happen in one step at the most.
    pub per_step: usize,
    /// What the values 0, 1, 2 … mean, where they are not amounts.
    pub labels: Vec<String>,
    /// Whether it tells of a state that lasts, step after step, rather than of something that happened once.
    pub lasting: bool,
}

impl EventInfo {
    /// The name of a value, where values have names.
    pub fn label(&self, value: f64) -> Option<&str> {
        self.labels.get(value as usize).map(String::as_str)
    }
}

/// An event kind of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId(pub(crate) u16);

impl EventId {
    /// Its rank among all event kinds of the game.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// When in a step a part acts. The order is the order of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// What nobody controls: weather, date, arrivals.
    Exogenous,
    /// What is set free: fertilisers, cides, dead matter.
    Release,
    /// Who needs what: water and nutrient demand, shade.
    Demand,
    /// The exchange: inputs, supply, stress, evaporation, leaching.
    Exchange,
    /// What grows and spreads by itself: weeds.
    Spread,
    /// Who comes and goes: pests, pollinators.
    Visit,
    /// Growth and transitions of what is cultivated: plants, tiles.
    Develop,
    /// Totals and derived values.
    Account,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 8] = [
        Self::Exogenous,
        Self::Release,
        Self::Demand,
        Self::Exchange,
        Self::Spread,
        Self::Visit,
        Self::Develop,
        Self::Account,
    ];
}

/// How a part depends on a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Exactly one provider.
    One,
    /// One provider or none.
    Maybe,
    /// Any number of providers.
    All,
}

/// What one part declared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartInfo {
    /// Its name within its field or farm, such as `Soil-0`.
    pub name: String,
    /// The kind as written in YAML, such as `Soil`.
    pub kind: String,
    /// The field it belongs to; none for farmers and the score.
    pub field: Option<usize>,
    /// Its path in the game, such as `Field-0.Soil-0`.
    pub path: String,
    /// Its place in the configuration.
    pub config: Path,
    /// The variables, in order.
    pub variables: Vec<VariableInfo>,
    /// The observables, in order.
    pub observables: Vec<ObservableInfo>,
    /// The actions, in order.
    pub actions: Vec<ActionInfo>,
    /// The event kinds, in order.
    pub events: Vec<EventInfo>,
    /// The phases in which it ticks.
    pub phases: Vec<Phase>,
    /// The flag without which its ticks change nothing, so that they are left out.
    pub(crate) awake: Option<Column<u8>>,
    /// The roles it looks up.
    pub needs: Vec<(&'static str, Need)>,
    /// The roles of which it changes the values of others.
    pub writes: Vec<&'static str>,
    /// What can be said of it in the texts of the game, by name.
    pub facts: Vec<(&'static str, String)>,
    /// Whether it asked for the key of its random streams, which is how a part says that it draws.
    pub draws: bool,
    /// How it is drawn.
    pub pictures: Vec<Picture>,
}

impl PartInfo {
    /// Whether it finds the roles of another part: parts of a field see those of the same field and the farm's own parts,
    /// which see everybody.
    pub fn sees(&self, other: &Self) -> bool {
        other.field.is_none() || self.field.is_none() || other.field == self.field
    }
}

impl PartInfo {
    /// A name split at the dots between the keys of groups: `air_temperature.max#°C` is `max#°C` of `air_temperature`. A prefix
    /// is a group when several names begin with it; dots also stand in units such as `mm.day-1`.
    pub fn split_name<'n>(&self, name: &'n str) -> Vec<&'n str> {
        let all = || self.variables.iter().map(|v| &v.name).chain(self.observables.iter().map(|o| &o.name));
        let is_group = |prefix: &str| {
            let below = |name: &&String| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
            all().filter(below).count() > 1
        };
        let mut keys = Vec::new();
        let mut start = 0;
        for (dot, _) in name.match_indices('.') {
            if is_group(&name[..dot]) {
                keys.push(&name[start..dot]);
                start = dot + 1;
            }
        }
        keys.push(&name[start..]);
        keys
    }
}

/// The form and place of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldInfo {
    /// Its name, such as `Field-0`.
    pub name: String,
    /// Number of plots from west to east (x).
    pub length: usize,
    /// Number of plots from north to south (y).
    pub width: usize,
    /// Edge of a plot in metres.
    pub scale_m: f64,
    /// Degrees, north positive.
    pub latitude_degrees: f64,
    /// Degrees, east positive.
    pub longitude_degrees: f64,
    /// Metres above the sea.
    pub altitude_m: f64,
}

impl FieldInfo {
    /// Number of plots.
    pub fn plots(&self) -> usize {
        self.length * self.width
    }

    /// Area of one plot in m².
    pub fn plot_area_m2(&self) -> f64 {
        self.scale_m * self.scale_m
    }
}

/// The declarations of all parts after one round.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Draft {
    pub parts: Vec<PartInfo>,
    pub layout: Layout,
}

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
    /// Roles that nobody provides, with what they mean.
    pub(crate) missing: Vec<(&'static str, &'static str)>,
    /// Roles that several parts provide, though one is wanted, with these parts.
    pub(crate) several: Vec<(&'static str, String)>,
    /// Whether all parts are known, so that a missing provider is a problem.
    pub(crate) complete: bool,
}

impl Builder<'_> {
    /// The field the part belongs to; the first one for farmers and the score.
    pub fn field(&self) -> &FieldInfo {
        &self.field
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

    /// A file named in the configuration: relative paths start at the configuration's own folder.
    pub fn file(&self, path: &str) -> PathBuf {
        match self.directory {
            Some(directory) => directory.join(path),
            None => PathBuf::from(path),
        }
    }

    /// Notes a problem with the part's own parameters; the path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        let mut path = self.part.config.clone();
        path.0.extend(problem.path.0.clone());
        self.problems.push(Problem { path, ..problem });
    }

    /// Declares a variable and returns where its values are.
    pub fn declare<T: Element>(&mut self, variable: Variable<T>) -> Column<T> {
        let shape = match &variable.extent {
            Extent::Scalar => Vec::new(),
            Extent::PerPlot => vec![self.field.length, self.field.width],
            Extent::Shape(shape) => shape.clone(),
        };
        let len = shape.iter().product::<usize>() as u32;
        let column = self.layout.reserve::<T>(len);
        for problem in &variable.role_problems {
            let message = format!("variable `{}` of `{}`: {problem}", variable.name, self.part.path);
            self.problems.push(Problem::new(self.part.config.clone(), message));
        }
        self.part.variables.push(VariableInfo {
            name: variable.name,
            doc: variable.doc,
            kind: variable.kind,
            shape,
            per_plot: variable.extent == Extent::PerPlot,
            visible: variable.visible,
            default: variable.default,
            roles: variable.roles,
            slot: (T::REGION, column.start, len),
        });
        column
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

    /// Says of an observable that it shows the values of a column as they are, so that the part is never asked for it.
    ///
    /// # Panics
    /// When the observable has another number of values than the column, or of another kind.
    pub fn copies<T: Element>(&mut self, observable: usize, column: Column<T>) {
        let info = &mut self.part.observables[observable];
        let values: usize = info.shape.iter().product();
        assert!(T::REGION == info.kind.region() && values == column.len(), "`{}` is no copy of the column", info.name);
        info.copies = Some(Source::of_column(column));
    }

    /// Names the values of an observable, in order, which texts write as `name=value`.
    pub fn elements(&mut self, observable: usize, names: Vec<String>) {
        self.part.observables[observable].elements = names;
    }

    /// A fact for the texts of a game, which a placeholder `{Part-0.name}` inserts: what no single parameter says, or a choice
    /// in words. Facts are what a player may know of the rules, never what a level or a seed hides.
    pub fn fact(&mut self, name: &'static str, text: impl Into<String>) {
        self.part.facts.push((name, text.into()));
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
        self.part.actions.push(ActionInfo { name: name.to_owned(), doc: doc.to_owned(), parameters, waits: false });
        self.part.actions.len() - 1
    }

    /// Declares an action that only lets time pass.
    pub fn waiting_action(&mut self, name: &str, doc: &str) -> usize {
        let index = self.action(name, Vec::new(), doc);
        self.part.actions[index].waits = true;
        index
    }

    /// Declares an event of which at most `per_step` happen in a step.
    pub fn event(&mut self, name: &str, per_step: usize, doc: &str) -> EventId {
        let (name, doc) = (name.to_owned(), doc.to_owned());
        self.event_with(EventInfo { name, doc, per_step, labels: Vec::new(), lasting: false })
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
    pub fn rests_without(&mut self, awake: Column<u8>) {
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
            let problem = Problem::new(self.part.config.clone(), message).about_name().value(parts);
            self.problems.push(problem.help("keep one of them in the field"));
        }
        let mut groups: Vec<(String, Vec<(&str, &str)>)> = Vec::new();
        for (role, doc) in std::mem::take(&mut self.missing) {
            let help = match crate::probe::providers_of(role).as_slice() {
                [] => "no known part provides it: write one that declares the role".to_owned(),
                names => format!("add {} to the field", names.join(" or ")),
            };
            match groups.iter_mut().find(|(known, _)| *known == help) {
                Some((_, roles)) => roles.push((role, doc)),
                None => groups.push((help, vec![(role, doc)])),
            }
        }
        for (help, roles) in groups {
            let names: Vec<String> = roles.iter().map(|(role, _)| format!("`{role}`")).collect();
            let docs = roles.iter().map(|(role, doc)| format!("`{role}` ({})", doc.trim().trim_end_matches('.')));
            let word = if roles.len() == 1 { "role" } else { "roles" };
            let message = format!("`{}` needs the {word} {}, which nobody provides", self.part.path, names.join(", "));
            let expected = format!("one part that gives {}", docs.collect::<Vec<_>>().join(", "));
            self.problems
                .push(Problem::new(self.part.config.clone(), message).about_name().expected(expected).help(help));
        }
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

    /// The declarations of all parts, as far as they are known.
    pub fn parts(&self) -> &[PartInfo] {
        &self.before.parts
    }

    /// Whether the part finds the roles of another.
    pub fn sees(&self, other: &PartInfo) -> bool {
        self.part.sees(other)
    }

    /// Whether all parts are known: only then is it a problem when a name does not exist.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The providers that the part sees, in the order of the configuration.
    fn providers<T: Element>(&self, role: Role<T>) -> Vec<(&PartInfo, &VariableInfo)> {
        let parts = self.before.parts.iter().filter(|part| self.part.sees(part));
        parts
            .flat_map(|part| part.variables.iter().map(move |v| (part, v)))
            .filter(|(_, v)| v.roles.contains(&role.name))
            .collect()
    }
}

impl ActionParameter {
    /// A plot of the field.
    pub fn plot() -> Self {
        Self { name: "plot".into(), doc: "The plot to act on, (x, y).".into(), kind: ActionParameterKind::Plot }
    }

    /// A real number in a closed range, with the values that a game offers unless its rules say otherwise.
    pub fn real(name: &str, low: f64, high: f64, offered: &[f64], doc: &str) -> Self {
        let kind = ActionParameterKind::Real { low, high, offered: offered.to_vec() };
        Self { name: name.into(), doc: doc.into(), kind }
    }

    /// One of a list of words.
    pub fn choice(name: &str, words: &[&str], doc: &str) -> Self {
        let kind = ActionParameterKind::Choice(words.iter().map(|w| (*w).to_owned()).collect());
        Self { name: name.into(), doc: doc.into(), kind }
    }
}
