//! Observers of episodes. Films, monitors, reports, batches and the test kit's checks all use [`Observer`].

use std::error::Error;

use crate::action::Call;
use crate::game::Game;
use crate::state::State;
use crate::step::{Outcome, StepRecord};

/// The reason why an observer cannot continue, for example because it cannot write a file.
pub type ObserverError = Box<dyn Error + Send + Sync>;

/// A step and its result.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'a> {
    /// The game.
    pub game: &'a Game,
    /// The state after the step.
    pub state: &'a State,
    /// The chosen actions. The record shows which of them were executed and which were rejected.
    pub schedule: &'a [Call],
    /// What happened.
    pub record: &'a StepRecord,
    /// The reward, and whether the episode is over.
    pub outcome: Outcome,
}

/// Watches episodes, each from reset to end, without changing them.
///
/// In each episode, the observer is called once for the reset, once for each step in order, and once for the end. Methods that are not
/// implemented do nothing. An error ends the episode with that error. To let the episode continue after a failure, store the error and
/// return `Ok`.
///
/// You can combine several observers in a tuple or a vector. All of them get the same calls; then the first error is returned. `None` and
/// [`NoObserver`] watch nothing. With `NoObserver`, generic code compiles as if there were no observer.
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
/// The documentation for the `farm-games` crate has an example with a complete game.
pub trait Observer {
    /// An episode has started, or has resumed from a saved state.
    ///
    /// # Errors
    /// An error that prevents the observer from continuing.
    #[inline]
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        let _ = (game, state);
        Ok(())
    }

    /// A step was taken. After the last step in an episode, the outcome is over.
    ///
    /// # Errors
    /// An error that prevents the observer from continuing.
    #[inline]
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let _ = transition;
        Ok(())
    }

    /// The episode has ended, either by the game's rules or with an error from the step or an observer.
    ///
    /// # Errors
    /// An error that occurred while the observer finished its work. The error is ignored if the episode already ended with another error.
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

/// An observer that does nothing and takes no time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// Implements the trait for an observer behind a reference or in a box.
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

/// Combines observers of one type. All of them are called.
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

/// Combines observers of several types. All of them are called.
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
