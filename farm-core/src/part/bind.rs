//! The second half of a part: its behaviour, which is made when all declarations are known.

use std::fmt;

use crate::declare::{Declarations, Found, Known};

/// How a part's behaviour is made once all declarations are known. A part's `declare` returns it. `B` is the behaviour's trait.
pub struct Bind<'a, B: ?Sized>(pub(crate) Next<'a, B>);

/// What happens after a part's declaration.
pub(crate) enum Next<'a, B: ?Sized> {
    /// The part is complete.
    Bind(Box<Making<'a, B>>),
    /// The part has a second declaration.
    Declare(Box<Second<'a, B>>),
}

/// A function that makes a behaviour.
type Making<'a, B> = dyn FnOnce(&mut Found<'_>) -> Box<B> + 'a;

/// A second declaration.
type Second<'a, B> = dyn FnOnce(&mut Declarations<'_>, &Known<'_>) -> Bind<'a, B> + 'a;

impl<B: ?Sized> fmt::Debug for Bind<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Next::Bind(_) => "Bind",
            Next::Declare(_) => "Declare",
        })
    }
}

/// The boxed form of a behaviour. It exists for the three traits of behaviours.
pub trait BoxedFrom<T> {
    /// Boxes a behaviour.
    fn boxed(behaviour: T) -> Box<Self>;
}

/// A behaviour's trait.
pub(crate) trait Trait {
    /// A behaviour that does nothing, for a game that is rejected.
    fn absent() -> Box<Self>;
}

impl<'a, B: ?Sized> Bind<'a, B> {
    /// Makes the behaviour with a function, which receives all declarations and their columns.
    pub fn new<T>(bind: impl FnOnce(&mut Found<'_>) -> T + 'a) -> Self
    where
        B: BoxedFrom<T>,
    {
        Self::boxed(|found| B::boxed(bind(found)))
    }

    /// The same as [`Bind::new`], for a function that chooses between behaviours of several types.
    pub fn boxed(bind: impl FnOnce(&mut Found<'_>) -> Box<B> + 'a) -> Self {
        Self(Next::Bind(Box::new(bind)))
    }

    /// Declares more, depending on the declarations of the other parts. The function receives the first declarations of all parts. A
    /// farmer's function also receives the entities' second declarations, and a score's function those of the farmers.
    ///
    /// A second declaration must not provide a role that another second declaration of entities looks up. Such a game is rejected.
    pub fn after(declare: impl FnOnce(&mut Declarations<'_>, &Known<'_>) -> Self + 'a) -> Self {
        Self(Next::Declare(Box::new(declare)))
    }
}
