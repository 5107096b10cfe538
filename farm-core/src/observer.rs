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
/// # struct Waits;
/// # impl Agent for Waits {
/// #     fn start(&mut self, _: u64) {}
/// #     fn choose(&mut self, _: &Game, _: &farm_core::State, _: &mut Vec<farm_core::action::Call>) {}
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # assert_eq!(best_reward(&farm::game("Tanks: {}"), &mut Waits, 0..2).unwrap(), 1.0);
/// ```
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

/// Implements the trait for types that contain observers. `$tell` is a macro that calls a method on each of them.
macro_rules! observe {
    ($([$($generics:tt)*] $type:ty => $tell:ident[$($index:tt)*];)*) => {$(
        impl<$($generics)*> Observer for $type {
            #[inline]
            fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
                $tell!(self.after_reset(game, state) $($index)*)
            }

            #[inline]
            fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
                $tell!(self.after_step(transition) $($index)*)
            }

            #[inline]
            fn after_episode(
                &mut self,
                game: &Game,
                state: &State,
                error: Option<&(dyn Error + 'static)>,
            ) -> Result<(), ObserverError> {
                $tell!(self.after_episode(game, state, error) $($index)*)
            }
        }
    )*};
}

/// Calls the observer behind a reference or in a box.
macro_rules! tell_one {
    ($this:ident.$method:ident $arguments:tt) => {
        (**$this).$method $arguments
    };
}

/// Calls every observer of one type, and returns the first error.
macro_rules! tell_each {
    ($this:ident.$method:ident $arguments:tt) => {
        $this.iter_mut().fold(Ok(()), |first, observer| {
            let told = observer.$method $arguments;
            first.and(told)
        })
    };
}

/// Calls every observer in a tuple, and returns the first error.
macro_rules! tell_tuple {
    ($this:ident.$method:ident $arguments:tt $($index:tt)*) => {{
        let told = Ok(());
        $(let told = told.and($this.$index.$method $arguments);)*
        told
    }};
}

observe! {
    [O: Observer + ?Sized] &mut O => tell_one[];
    [O: Observer + ?Sized] Box<O> => tell_one[];
    [O: Observer] Option<O> => tell_each[];
    [O: Observer] Vec<O> => tell_each[];
    [A: Observer, B: Observer] (A, B) => tell_tuple[0 1];
    [A: Observer, B: Observer, C: Observer] (A, B, C) => tell_tuple[0 1 2];
    [A: Observer, B: Observer, C: Observer, D: Observer] (A, B, C, D) => tell_tuple[0 1 2 3];
}
