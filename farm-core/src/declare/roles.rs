//! What a variable means to others, by which parts find each other.

use std::marker::PhantomData;

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
