//! Tokens for what a part has declared. When the game is complete, [`Found::get`](super::Found::get) exchanges them for columns.

use std::marker::PhantomData;

use super::Role;

/// A variable of the part's own, or several in a row. It becomes a [`Column`](crate::Column).
#[derive(Debug)]
pub struct Own<T> {
    /// The index of the first variable among the part's variables, and the number of variables.
    pub(super) variables: (usize, usize),
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Own<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Own<T> {}

impl<T> Own<T> {
    pub(super) fn new(variable: usize) -> Self {
        Self { variables: (variable, 1), element: PhantomData }
    }

    /// Joins variables that were declared consecutively into a single column.
    ///
    /// # Panics
    /// If the variables are not consecutive.
    pub fn joined(own: &[Self]) -> Self {
        let first = own.first().map_or(0, |own| own.variables.0);
        let next = own.iter().fold(first, |next, own| {
            assert_eq!(own.variables.0, next, "the variables are not consecutive");
            next + own.variables.1
        });
        Self { variables: (first, next - first), element: PhantomData }
    }
}

/// The only provider of a role. It becomes a [`Column`](crate::Column).
#[derive(Debug)]
pub struct One<T>(pub(super) Role<T>);

/// The provider of a role, if there is one. It becomes an `Option<Column>`.
#[derive(Debug)]
pub struct Maybe<T>(pub(super) Role<T>);

/// All providers of a role, in configuration order. They become a `Vec<Column>`.
#[derive(Debug)]
pub struct All<T>(pub(super) Role<T>);

macro_rules! copied {
    ($($token:ident),*) => {
        $(
            impl<T> Clone for $token<T> {
                fn clone(&self) -> Self {
                    *self
                }
            }

            impl<T> Copy for $token<T> {}
        )*
    };
}

copied!(One, Maybe, All);

/// An event that the part emits. It becomes an [`EventId`](super::EventId).
#[derive(Debug, Clone, Copy)]
pub struct OwnEvent(pub(super) usize);
