//! Variables, which are part of the state, and observables, which are computed when they are observed.

use std::marker::PhantomData;

use super::errors::DeclarationError;
use super::roles::Role;
use super::tokens::Own;
use super::values::ValueKind;
use crate::config::{Path, Problem, Tool};
use crate::format::{bounds, range};
use crate::state::{Column, Element, Region, StateSlice};

/// How many values a variable has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// One value.
    Scalar,
    /// One value per plot in the field, x-major: plot (x, y) has index `x · width + y`.
    PerPlot,
    /// One value per plot in another field, for the parts in that field. The field is given by its index; see [`Variable::plots_of`].
    PlotsOf(usize),
    /// A fixed shape.
    Shape(Vec<usize>),
}

/// The declaration of a variable, before its values have a place in the state.
///
/// ```
/// use farm_core::prelude::*;
///
/// # use farm_core::declare::Own;
/// fn declare(d: &mut Declarations<'_>) -> (Own<f64>, Own<u8>) {
///     let depth = real("depth#m", 0.0, 5.0, "Depth of the pond.").per_plot().default(2.0);
///     let cover = category("cover", ValueKind::named(&["open", "lilies", "ice"]), "Cover of the pond.").hidden();
///     (d.variable(depth), d.variable(cover))
/// }
/// # /// Ponds.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Ponds {}
/// # #[register(source = "An example")]
/// # impl Entity for Ponds {
/// #     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
/// #         declare(d);
/// #         Bind::new(|_| Still)
/// #     }
/// # }
/// # struct Still;
/// # impl Behaviour for Still {}
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let game = farm::game("Ponds: {}");
///
/// let [depth, cover] = game.parts()[0].variables() else { panic!("two variables") };
/// assert_eq!((depth.name(), depth.len(), depth.visible()), ("depth#m", 4, true));
/// assert_eq!((cover.name(), cover.len(), cover.visible()), ("cover", 1, false));
/// ```
#[derive(Debug, Clone)]
pub struct Variable<T> {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) kind: ValueKind,
    pub(super) extent: Extent,
    pub(super) visible: bool,
    pub(super) default: f64,
    pub(super) roles: Vec<&'static str>,
    pub(super) usual_start: Option<UsualStart>,
    pub(super) synonyms: &'static [(&'static str, &'static str)],
    /// The problems with the variable's roles. Each message starts after the variable's name.
    pub(super) role_problems: Vec<Problem>,
    element: PhantomData<T>,
}

/// A variable `name#unit` for real numbers in this range.
pub fn real(name: &str, low: f64, high: f64, doc: &str) -> Variable<f64> {
    Variable::new(name, ValueKind::Real { low, high }, doc)
}

/// A variable for integers in this range.
pub fn count(name: &str, low: i32, high: i32, doc: &str) -> Variable<i32> {
    Variable::new(name, ValueKind::Count { low, high }, doc)
}

/// A variable whose values come from a list.
pub fn category(name: &str, kind: ValueKind, doc: &str) -> Variable<u8> {
    Variable::new(name, kind, doc)
}

/// A yes/no variable.
pub fn flag(name: &str, doc: &str) -> Variable<u8> {
    Variable::new(name, ValueKind::Flag, doc)
}

impl<T: Element> Variable<T> {
    /// A variable of any kind. Its values are stored in the region for `T`. If this is not [`ValueKind::region`], the game has a problem.
    pub fn new(name: &str, kind: ValueKind, doc: &str) -> Self {
        Self {
            name: name.to_owned(),
            doc: doc.to_owned(),
            kind,
            extent: Extent::Scalar,
            visible: true,
            default: 0.0,
            roles: Vec::new(),
            usual_start: None,
            synonyms: &[],
            role_problems: Vec::new(),
            element: PhantomData,
        }
    }

    /// Gives the variable one value per plot.
    pub fn per_plot(mut self) -> Self {
        self.extent = Extent::PerPlot;
        self
    }

    /// Gives the variable one value per plot in a field that the part serves ([`super::PartInfo::fields_served`]). `field` is that field's
    /// index. Only parts in that field can find the variable by its role. For the part's own field, this is the same as
    /// [`Variable::per_plot`].
    pub fn plots_of(mut self, field: usize) -> Self {
        self.extent = Extent::PlotsOf(field);
        self
    }

    /// Gives the variable a fixed shape.
    pub fn shape(mut self, shape: &[usize]) -> Self {
        self.extent = Extent::Shape(shape.to_vec());
        self
    }

    /// Hides the variable from observations.
    pub fn hidden(mut self) -> Self {
        self.visible = false;
        self
    }

    /// Sets the value at reset, before the part's own `reset`. Default: 0.
    pub fn default(mut self, value: f64) -> Self {
        self.default = value;
        self
    }

    /// Sets the range of values with which games usually start the variable, if there is one.
    pub fn usual_start(mut self, usual: impl Into<Option<UsualStart>>) -> Self {
        self.usual_start = usual.into();
        self
    }

    /// Sets synonyms for the names of the variable's values, as pairs of a synonym and a name. If a user writes a synonym, the error
    /// message suggests the name.
    pub fn synonyms(mut self, synonyms: &'static [(&'static str, &'static str)]) -> Self {
        self.synonyms = synonyms;
        self
    }

    /// Sets what the variable means to other parts. The variable's range must be within the role's range, if the role has one.
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
            let message = format!("role `{}` requires values of {}", role.name, bounds(lowest, highest));
            let problem = Problem::new(DeclarationError::WrongDeclaration, Path::default(), message)
                .about_name()
                .value(range(low, high));
            let problem = problem.expected(format!("a range within {}", range(lowest, highest)));
            self.role_problems.push(problem.help(Tool::describe(role.name).and(" explains the role")));
        }
        self.roles.push(role.name);
        self
    }
}

/// The range of values with which games usually start a variable. A rule causes a warning if it always sets a value above this range, or
/// always a value below it other than 0.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct UsualStart {
    /// The lowest usual value.
    pub(crate) low: f64,
    /// The highest usual value.
    pub(crate) high: f64,
    /// A sentence, without its full stop, about what happens if the start is outside the range.
    pub(crate) message: String,
    /// The usual values, in words.
    pub(crate) usual: String,
}

impl UsualStart {
    /// `message` is a sentence without its full stop, and `usual` describes the usual values.
    pub fn new(low: f64, high: f64, message: &str, usual: &str) -> Self {
        Self { low, high, message: message.to_owned(), usual: usual.to_owned() }
    }
}

/// A declared variable and where its values are stored.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct VariableInfo {
    /// `name#unit`.
    pub(crate) name: String,
    /// A one-sentence description.
    pub(crate) doc: String,
    /// The values that the variable accepts.
    pub(crate) kind: ValueKind,
    /// Its shape; empty for a scalar.
    pub(crate) shape: Vec<usize>,
    /// Whether the variable has one value per plot.
    pub(crate) per_plot: bool,
    /// The index of another field, if there is one value for each plot in that field. Only parts in that field can find the variable by its
    /// roles.
    #[getter(skip)]
    pub(crate) plots_of: Option<usize>,
    /// Whether a learner may observe the variable.
    pub(crate) visible: bool,
    /// The value at reset.
    pub(crate) default: f64,
    /// The range of values with which games usually start the variable.
    pub(crate) usual_start: Option<UsualStart>,
    /// Synonyms for the names of the variable's values, as pairs of a synonym and a name. If a user writes a synonym, the error message
    /// suggests the name.
    #[getter(skip)]
    pub(crate) synonyms: &'static [(&'static str, &'static str)],
    /// The roles that the variable provides.
    pub(crate) roles: Vec<&'static str>,
    /// The region that stores its values, where they start in that region, and how many there are.
    #[getter(skip)]
    pub(crate) slot: (Region, u32, u32),
}

impl VariableInfo {
    /// The start of a variable that has no place in the state yet.
    pub(crate) const NO_PLACE: u32 = u32::MAX;

    /// The number of values.
    pub fn len(&self) -> usize {
        self.slot.2 as usize
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.slot.2 == 0
    }

    /// The typed column, if the variable holds values of this type. A variable has a column only after all parts have declared.
    pub fn column<T: Element>(&self) -> Option<Column<T>> {
        (T::REGION == self.slot.0 && self.slot.1 != Self::NO_PLACE).then(|| Column::new(self.slot.1, self.slot.2))
    }
}

/// The maximum size of an observable from which a game can select a single value. To select it, the engine computes the whole observable
/// outside the record.
pub(crate) const MAX_PICKED_FROM: usize = 1024;

/// A quantity that is computed when it is observed and is not part of the state.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct ObservableInfo {
    /// `name#unit`.
    pub(crate) name: String,
    /// A one-sentence description.
    pub(crate) doc: String,
    /// The values that the observable can have.
    pub(crate) kind: ValueKind,
    /// Its shape; empty for a scalar.
    pub(crate) shape: Vec<usize>,
    /// Whether the observable is a window centred on the farmer.
    #[getter(skip)]
    pub(crate) centred: bool,
    /// A name for each value in a list, for texts. Empty if no names are needed.
    #[getter(skip)]
    pub(crate) elements: Vec<String>,
    /// The first of the part's variables that the observable shows unchanged, and their number.
    #[getter(skip)]
    pub(crate) copied: Option<(usize, usize)>,
    /// The state values that the observable shows unchanged; `None` if the part computes it.
    #[getter(skip)]
    pub(crate) copies: Option<StateSlice>,
}

impl ObservableInfo {
    /// A quantity that is computed when it is observed.
    pub fn new(name: &str, kind: ValueKind, shape: &[usize], doc: &str) -> Self {
        Self {
            name: name.to_owned(),
            doc: doc.to_owned(),
            kind,
            shape: shape.to_vec(),
            centred: false,
            elements: Vec::new(),
            copied: None,
            copies: None,
        }
    }

    /// Makes the observable a window centred on the farmer. Texts mark the farmer's own tile.
    pub fn centred(self) -> Self {
        Self { centred: true, ..self }
    }

    /// Sets names for the values, in order. Texts show each value as `name=value`.
    pub fn with_elements(self, elements: Vec<String>) -> Self {
        Self { elements, ..self }
    }

    /// Shows the values of an own variable unchanged. The engine then never asks the part for the observable. If the observable's kind or
    /// number of values differs from the variable's, the game is invalid.
    pub fn copying<T: Element>(self, own: Own<T>) -> Self {
        Self { copied: Some(own.variables), ..self }
    }
}
