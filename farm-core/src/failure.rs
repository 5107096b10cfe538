//! Methods of plugins that panicked: recorded where it happens, surfaced by the step.
//!
//! Most methods of a part return nothing that could say that they failed, and a panic may not unwind from a plugin into the
//! program. So the plugin's side of each call catches it and notes a [`Failure`] for the thread; whoever stepped, reset or
//! observed looks whether there is one, ends that environment and returns it. While nothing fails, looking is one load of a
//! number that nobody writes to.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::{Path, Problem};
use crate::declare::{DeclarationError, PartInfo};

/// A method of a plugin's part that panicked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, farm_macros::Getters)]
#[error("`{part}` of the plugin `{plugin}` panicked in `{method}`: {message}")]
pub struct Failure {
    /// Name of the plugin.
    pub(crate) plugin: String,
    /// Path of the part, such as `Field-0.Soil-0`, or its kind where it has no path.
    pub(crate) part: String,
    /// The method.
    pub(crate) method: String,
    /// What the panic said, and where in the plugin's sources.
    pub(crate) message: String,
}

/// Threads that have a failure nobody was told of.
static PENDING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The first failure of this thread that nobody was told of.
    static FAILURE: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Notes a failure; of several the first is kept, which may have caused the others.
#[cold]
pub(crate) fn record(failure: Failure) {
    FAILURE.with_borrow_mut(|noted| {
        if noted.is_none() {
            *noted = Some(failure);
            PENDING.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Whether some thread has a failure; almost always not.
#[inline]
fn is_pending() -> bool {
    // A thread sees what it noted itself whatever the order; what other threads noted is none of its business.
    PENDING.load(Ordering::Relaxed) != 0
}

/// Whether this thread has a failure that nobody was told of.
#[inline]
pub(crate) fn is_recorded() -> bool {
    is_pending() && FAILURE.with_borrow(Option::is_some)
}

/// The failure of this thread, which is thereby told.
#[inline]
pub(crate) fn take() -> Option<Failure> {
    if is_pending() { taken() } else { None }
}

#[cold]
fn taken() -> Option<Failure> {
    let failure = FAILURE.with_borrow_mut(Option::take);
    if failure.is_some() {
        PENDING.fetch_sub(1, Ordering::Relaxed);
    }
    failure
}

/// The failure of this thread while a game was compiled, at the part that failed.
pub(crate) fn as_problem(parts: &[PartInfo]) -> Option<Problem> {
    let failure = take()?;
    let path =
        parts.iter().find(|part| part.path == failure.part).map_or_else(Path::default, |part| part.config.clone());
    Some(problem_of(path, &failure.to_string()))
}

/// The problem of a part that can't be built because its plugin panicked.
pub(crate) fn problem_of(path: Path, message: &str) -> Problem {
    let help = "this is a defect of the plugin: tell its author, or take the part out of the game";
    Problem::new(DeclarationError::PluginFailed, path, message).about_name().help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(message: &str) -> Failure {
        let (plugin, part, method) = ("p".to_owned(), "Field-0.A-0".to_owned(), "tick".to_owned());
        Failure { plugin, part, method, message: message.to_owned() }
    }

    #[test]
    fn the_first_failure_of_a_thread_is_told_once_and_only_there() {
        assert_eq!(take(), None);
        record(failure("first"));
        record(failure("second"));
        std::thread::scope(|scope| scope.spawn(|| assert_eq!(take(), None, "another thread's")).join().unwrap());
        assert_eq!(take(), Some(failure("first")));
        assert_eq!(take(), None);
    }
}
