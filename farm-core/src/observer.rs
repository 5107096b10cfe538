//! Observers of episodes: films, monitors, reports, batches and the kit's checks all attach by [`Observer`].

use std::error::Error;

use crate::action::Call;
use crate::game::Game;
use crate::state::State;
use crate::step::{Outcome, StepRecord};

/// Why an observer can't go on, such as a file that can't be written.
pub type ObserverError = Box<dyn Error + Send + Sync>;

/// A step that was taken, and what it led to.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'a> {
    /// The game.
    pub game: &'a Game,
    /// The state that the step led to.
    pub state: &'a State,
    /// What was to be done. The record has what of it was executed and what was rejected.
    pub schedule: &'a [Call],
    /// What happened.
    pub record: &'a StepRecord,
    /// The reward, and how the episode stands.
    pub outcome: Outcome,
}

/// Watches episodes, each from its reset to its end, without any influence on them.
///
/// In each episode an observer is called for the reset once, for each step once and in order, and for the end once. A method that is left
/// out does nothing. An error ends the episode with that error; an observer that can do without what has failed keeps the error and
/// returns `Ok`.
///
/// Several observers attach as a tuple or a vector: all of them see the same, and the first error counts, after all have been called.
/// `None` and [`NoObserver`] watch nothing. Code that is generic over observers is compiled for `NoObserver` as if there were none.
///
/// ```
/// use farm_core::{Agent, Game, NoObserver, Observer, ObserverError, PlayError, Transition, play};
///
/// /// The largest reward of all episodes.
/// struct Best(f64);
///
/// impl Observer for Best {
///     fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
///         self.0 = self.0.max(transition.outcome.reward);
///         Ok(())
///     }
/// }
///
/// fn best_reward(game: &Game, agent: &mut dyn Agent, seeds: std::ops::Range<u64>) -> Result<f64, PlayError> {
///     let mut best = Best(f64::NEG_INFINITY);
///     for seed in seeds {
///         play(game, agent, seed, &mut (&mut best, NoObserver))?;
///     }
///     Ok(best.0)
/// }
/// ```
///
/// The documentation of the crate `farm-games` plays a game with one.
pub trait Observer {
    /// An episode has begun, or goes on from a state that was saved.
    ///
    /// # Errors
    /// What keeps the observer from going on.
    #[inline]
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        let _ = (game, state);
        Ok(())
    }

    /// A step has been taken. With the last one of an episode the outcome is over.
    ///
    /// # Errors
    /// What keeps the observer from going on.
    #[inline]
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let _ = transition;
        Ok(())
    }

    /// The episode has ended: by the rules of the game, or by an error, which is that of the step or of an observer.
    ///
    /// # Errors
    /// What the observer could not finish. It does not count where the episode ended by an error already.
    #[inline]
    fn after_episode(
        &mut self,
        game: &Game,
        state: &State,
        error: Option<&(dyn Error + 'static)>,
    ) -> Result<(), ObserverError> {
        let _ = (game, state, error);
        Ok(())
    }
}

/// Watches nothing and costs nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// An observer that is reached through something else.
macro_rules! pass_on {
    ($($type:ty),*) => {$(
        impl<O: Observer + ?Sized> Observer for $type {
            #[inline]
            fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
                (**self).after_reset(game, state)
            }

            #[inline]
            fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
                (**self).after_step(transition)
            }

            #[inline]
            fn after_episode(
                &mut self,
                game: &Game,
                state: &State,
                error: Option<&(dyn Error + 'static)>,
            ) -> Result<(), ObserverError> {
                (**self).after_episode(game, state, error)
            }
        }
    )*};
}

pass_on!(&mut O, Box<O>);

/// Calls every observer, and returns the first error.
fn tell_each<'o, O: Observer + 'o>(
    observers: impl IntoIterator<Item = &'o mut O>,
    mut tell: impl FnMut(&mut O) -> Result<(), ObserverError>,
) -> Result<(), ObserverError> {
    let mut first = Ok(());
    for observer in observers {
        let told = tell(observer);
        first = first.and(told);
    }
    first
}

/// Observers of one type, each of which is called.
macro_rules! tell_all {
    ($($type:ty),*) => {$(
        impl<O: Observer> Observer for $type {
            #[inline]
            fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
                tell_each(self, |observer| observer.after_reset(game, state))
            }

            #[inline]
            fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
                tell_each(self, |observer| observer.after_step(transition))
            }

            #[inline]
            fn after_episode(
                &mut self,
                game: &Game,
                state: &State,
                error: Option<&(dyn Error + 'static)>,
            ) -> Result<(), ObserverError> {
                tell_each(self, |observer| observer.after_episode(game, state, error))
            }
        }
    )*};
}

tell_all!(Option<O>, Vec<O>);

/// Observers of several types, each of which is called.
macro_rules! tell_tuple {
    ($($name:ident $index:tt),*) => {
        impl<$($name: Observer),*> Observer for ($($name,)*) {
            #[inline]
            fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
                let told = Ok(());
                $(let told = told.and(self.$index.after_reset(game, state));)*
                told
            }

            #[inline]
            fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
                let told = Ok(());
                $(let told = told.and(self.$index.after_step(transition));)*
                told
            }

            #[inline]
            fn after_episode(
                &mut self,
                game: &Game,
                state: &State,
                error: Option<&(dyn Error + 'static)>,
            ) -> Result<(), ObserverError> {
                let told = Ok(());
                $(let told = told.and(self.$index.after_episode(game, state, error));)*
                told
            }
        }
    };
}

tell_tuple!(A 0, B 1);
tell_tuple!(A 0, B 1, C 2);
tell_tuple!(A 0, B 1, C 2, D 3);
