//! Tokens for what a part has declared. When the game is complete, [`Found::get`](super::Found::get) exchanges them for columns and numbers.

use std::marker::PhantomData;

use super::{EventId, Found, Role};
use crate::state::{Column, Element};

/// A variable of the part's own, or several in a row. It becomes a [`Column`].
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

/// The only provider of a role. It becomes a [`Column`].
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

/// An event that the part emits. It becomes an [`EventId`].
#[derive(Debug, Clone, Copy)]
pub struct OwnEvent(pub(super) usize);

/// A token, and what it becomes when the game is complete. Lists, arrays and options of tokens are tokens too.
pub trait Token {
    /// What it becomes.
    type Found;

    /// Exchanges the token.
    fn found(self, found: &Found<'_>) -> Self::Found;
}

impl<T: Element> Token for Own<T> {
    type Found = Column<T>;

    fn found(self, found: &Found<'_>) -> Column<T> {
        let variables = found.part().own(self.variables).iter();
        let columns: Vec<Column<T>> = variables.filter_map(|variable| variable.column()).collect();
        Column::joined(&columns)
    }
}

impl<T: Element> Token for One<T> {
    type Found = Column<T>;

    fn found(self, found: &Found<'_>) -> Column<T> {
        let mut providers = found.providers(self.0);
        // A part is bound only if each of its needs is met.
        providers.next().and_then(|(_, variable)| variable.column()).unwrap_or(Column::new(0, 0))
    }
}

impl<T: Element> Token for Maybe<T> {
    type Found = Option<Column<T>>;

    fn found(self, found: &Found<'_>) -> Option<Column<T>> {
        found.providers(self.0).next().and_then(|(_, variable)| variable.column())
    }
}

impl<T: Element> Token for All<T> {
    type Found = Vec<Column<T>>;

    fn found(self, found: &Found<'_>) -> Vec<Column<T>> {
        found.providers(self.0).filter_map(|(_, variable)| variable.column()).collect()
    }
}

impl Token for OwnEvent {
    type Found = EventId;

    fn found(self, found: &Found<'_>) -> EventId {
        EventId((found.events_before + self.0) as u16)
    }
}

impl<K: Token> Token for Option<K> {
    type Found = Option<K::Found>;

    fn found(self, found: &Found<'_>) -> Self::Found {
        self.map(|token| token.found(found))
    }
}

impl<K: Token> Token for Vec<K> {
    type Found = Vec<K::Found>;

    fn found(self, found: &Found<'_>) -> Self::Found {
        self.into_iter().map(|token| token.found(found)).collect()
    }
}

impl<K: Token, const N: usize> Token for [K; N] {
    type Found = [K::Found; N];

    fn found(self, found: &Found<'_>) -> Self::Found {
        self.map(|token| token.found(found))
    }
}

impl<A: Token, B: Token> Token for (A, B) {
    type Found = (A::Found, B::Found);

    fn found(self, found: &Found<'_>) -> Self::Found {
        (self.0.found(found), self.1.found(found))
    }
}
