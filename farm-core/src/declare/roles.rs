//! What a variable means to others, by which parts find each other.

use std::marker::PhantomData;

/// What a variable means to others. Parts find each other by role, never by type.
#[derive(Debug, farm_macros::Getters)]
pub struct Role<T> {
    /// Its name.
    pub(crate) name: &'static str,
    /// Unit of the values.
    pub(crate) unit: &'static str,
    /// What the values mean, in a sentence.
    #[getter(skip)]
    pub(crate) doc: &'static str,
    /// One value for the field (or farm) instead of one per plot.
    #[getter(name = is_scalar)]
    pub(crate) scalar: bool,
    /// Whether scalar or per plot is all there is to its shape; a role of another shape says so in its sentence.
    #[getter(name = is_plain)]
    pub(crate) plain: bool,
    /// The lowest and the highest value that a variable with this role may declare, each of them infinite where there is no such
    /// bound; none if every range will do.
    pub(crate) range: Option<(f64, f64)>,
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
        Self { name, unit, doc, scalar: false, plain: true, range: None, element: PhantomData }
    }

    /// A role with one value for the field or farm.
    pub const fn scalar(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: true, plain: true, range: None, element: PhantomData }
    }

    /// A role whose values have a shape of their own, which its sentence tells.
    pub const fn shaped(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name, unit, doc, scalar: false, plain: false, range: None, element: PhantomData }
    }

    /// The same role for variables that lie within a range; an infinite end leaves that side open.
    ///
    /// # Panics
    /// When `low` is not below `high`. In a constant, as `roles!` makes it, that is an error of the compiler.
    pub const fn within(mut self, low: f64, high: f64) -> Self {
        assert!(low < high, "the range of a role goes from a lower to a higher value");
        self.range = Some((low, high));
        self
    }
}

/// How a part depends on a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// Exactly one provider.
    One,
    /// One provider or none.
    Maybe,
    /// Any number of providers.
    All,
}
