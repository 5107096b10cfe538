//! Variables, which the state keeps, and observables, which are computed when they are looked at.

use std::marker::PhantomData;

use super::errors::DeclarationError;
use super::roles::Role;
use super::values::ValueKind;
use crate::config::{Path, Problem, Tool};
use crate::format::{bounds, range};
use crate::state::{Column, Element, Region, StateSlice};

/// How many values a variable has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// One.
    Scalar,
    /// One per plot of the field, x-major: plot (x, y) has index `x · width + y`.
    PerPlot,
    /// One per plot of another field, by index, for the parts of that field; see [`Variable::plots_of`].
    PlotsOf(usize),
    /// A fixed shape.
    Shape(Vec<usize>),
}

/// The declaration of a variable before it has its place.
#[derive(Debug, Clone)]
pub struct Variable<T> {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) kind: ValueKind,
    pub(super) extent: Extent,
    pub(super) visible: bool,
    pub(super) default: f64,
    pub(super) roles: Vec<&'static str>,
    /// What is wrong with its roles; the messages go on after the variable's name.
    pub(super) role_problems: Vec<Problem>,
    element: PhantomData<T>,
}

/// A real variable `name#unit` with its range.
pub fn real(name: &str, low: f64, high: f64, doc: &str) -> Variable<f64> {
    Variable::new(name, ValueKind::Real { low, high }, doc)
}

/// A variable of whole numbers with its range.
pub fn count(name: &str, low: i32, high: i32, doc: &str) -> Variable<i32> {
    Variable::new(name, ValueKind::Count { low, high }, doc)
}

/// A variable that takes one of a list of values.
pub fn category(name: &str, kind: ValueKind, doc: &str) -> Variable<u8> {
    Variable::new(name, kind, doc)
}

/// A yes/no variable.
pub fn flag(name: &str, doc: &str) -> Variable<u8> {
    Variable::new(name, ValueKind::Flag, doc)
}

impl<T: Element> Variable<T> {
    /// A variable of any kind of values. They are kept in the region of `T`: a game in which it is not [`ValueKind::region`] has a
    /// problem.
    pub fn new(name: &str, kind: ValueKind, doc: &str) -> Self {
        Self {
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

    /// One value per plot.
    pub fn per_plot(mut self) -> Self {
        self.extent = Extent::PerPlot;
        self
    }

    /// One value per plot of a field that the part serves ([`super::Builder::fields_served`]), by index: the parts of that field
    /// find it by its role, and those of other fields do not. For the part's own field it is the same as [`Variable::per_plot`].
    pub fn plots_of(mut self, field: usize) -> Self {
        self.extent = Extent::PlotsOf(field);
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

    /// What the variable means to others. The range of the variable must lie within that of the role, if the role has one.
    pub fn role(mut self, role: Role<T>) -> Self {
        let is_like_the_role = match &self.extent {
            Extent::Scalar => role.scalar,
            Extent::PerPlot | Extent::PlotsOf(_) => !role.scalar,
            Extent::Shape(_) => false,
        };
        if role.plain && !is_like_the_role {
            let wanted = if role.scalar { "one value" } else { "one value per plot" };
            self.role_problems.push(Problem::new(
                DeclarationError::WrongDeclaration,
                Path::default(),
                format!("role `{}` has {wanted}", role.name),
            ));
        }
        let (low, high) = self.kind.range();
        if let Some((lowest, highest)) = role.range
            && !(lowest <= low && high <= highest)
        {
            let message = format!("role `{}` means values of {}", role.name, bounds(lowest, highest));
            let problem = Problem::new(DeclarationError::WrongDeclaration, Path::default(), message)
                .about_name()
                .value(range(low, high));
            let problem = problem.expected(format!("a range within {}", range(lowest, highest)));
            self.role_problems.push(problem.help(Tool::describe(role.name).and(" says what the role means")));
        }
        self.roles.push(role.name);
        self
    }
}

/// Between which values games start a variable, though others are allowed.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct UsualStart {
    /// The lowest.
    pub(crate) low: f64,
    /// The highest.
    pub(crate) high: f64,
    /// What it means to start outside, a sentence without its full stop.
    pub(crate) message: String,
    /// What is usual.
    pub(crate) usual: String,
}

/// A declared variable with its place.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct VariableInfo {
    /// `name#unit`.
    pub(crate) name: String,
    /// What it is, in a sentence.
    pub(crate) doc: String,
    /// What values it takes.
    pub(crate) kind: ValueKind,
    /// Shape: empty for a scalar.
    pub(crate) shape: Vec<usize>,
    /// Whether it has one value per plot.
    pub(crate) per_plot: bool,
    /// The other field whose plots its values are for, by index: only the parts of that field find it by its roles.
    #[getter(skip)]
    pub(crate) plots_of: Option<usize>,
    /// Whether a learner may observe it.
    pub(crate) visible: bool,
    /// Value at reset.
    pub(crate) default: f64,
    /// Between which values games start it.
    pub(crate) usual_start: Option<UsualStart>,
    /// Other words for the names of its values, each with the name that it means: none is read, but each is understood.
    #[getter(skip)]
    pub(crate) synonyms: &'static [(&'static str, &'static str)],
    /// The roles it fills.
    pub(crate) roles: Vec<&'static str>,
    /// Which region holds it, where it begins there, and how many values it has.
    #[getter(skip)]
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

/// The most values of an observable out of which one can be picked: the whole is computed beside the record.
pub(crate) const MAX_PICKED_FROM: usize = 1024;

/// A quantity computed when it is observed, instead of being kept in the state.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct ObservableInfo {
    /// `name#unit`.
    pub(crate) name: String,
    /// What it is, in a sentence.
    pub(crate) doc: String,
    /// What values it takes.
    pub(crate) kind: ValueKind,
    /// Shape: empty for a scalar.
    pub(crate) shape: Vec<usize>,
    /// Whether it is a window with the farmer in the middle.
    #[getter(skip)]
    pub(crate) centred: bool,
    /// What each value of a list is, for texts; empty if they need no names.
    #[getter(skip)]
    pub(crate) elements: Vec<String>,
    /// The values of the state that it shows as they are; none if the part computes it.
    #[getter(skip)]
    pub(crate) copies: Option<StateSlice>,
}
