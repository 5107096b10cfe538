//! Panics in plugin methods. They are recorded where they happen, and the step returns them.
//!
//! Most of a part's methods return nothing, so they cannot return an error, and a panic must not unwind from a plugin into the program. The
//! plugin's side of each call therefore catches the panic and records a [`Failure`] for the thread. The code that stepped, reset or
//! observed then checks for a failure, ends the environment and returns the failure. If there is no failure, the check is a single load of
//! a number that does not change.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::{Path, Problem};
use crate::declare::{DeclarationError, PartInfo};

/// A panic in a method of a plugin's part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, farm_macros::Getters)]
#[error("`{part}` of the plugin `{plugin}` panicked in `{method}`: {message}")]
pub struct Failure {
    /// The plugin's name.
    pub(crate) plugin: String,
    /// The path of the part, such as `Field-0.Soil-0`, or its kind if it has no path.
    pub(crate) part: String,
    /// The method.
    pub(crate) method: String,
    /// The panic message, and its location in the plugin's source code.
    pub(crate) message: String,
}

/// The number of threads with a failure that has not been returned yet.
static PENDING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// This thread's first failure that has not been returned yet.
    static FAILURE: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Records a failure. If there are several, only the first is kept, because it may have caused the others.
#[cold]
pub(crate) fn record(failure: Failure) {
    FAILURE.with_borrow_mut(|noted| {
        if noted.is_none() {
            *noted = Some(failure);
            PENDING.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Whether any thread has a failure; almost always false.
#[inline]
fn is_pending() -> bool {
    // A thread sees its own write in any memory order; failures on other threads do not matter here.
    PENDING.load(Ordering::Relaxed) != 0
}

/// Whether this thread has a failure that has not been returned yet.
#[inline]
pub(crate) fn is_recorded() -> bool {
    is_pending() && FAILURE.with_borrow(Option::is_some)
}

/// Takes this thread's failure and clears the record.
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

/// Turns a failure that happened on this thread while compiling a game into a problem at the part that failed.
pub(crate) fn as_problem(parts: &[PartInfo]) -> Option<Problem> {
    let failure = take()?;
    let path =
        parts.iter().find(|part| part.path == failure.part).map_or_else(Path::default, |part| part.config.clone());
    Some(problem_of(path, &failure.to_string()))
}

/// The problem to report for a part that cannot be built because its plugin panicked.
pub(crate) fn problem_of(path: Path, message: &str) -> Problem {
    let help = "this is a defect in the plugin: report it to its author, or remove the part from the game";
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
