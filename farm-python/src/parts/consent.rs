//! Whose Python code a game may run. Game files are passed around as data, so a class that one names is neither imported nor called
//! unless the caller allows it or hands the class over.
//!
//! Parts are read from the game's text far below the call that says what is allowed, so the permission goes with the thread while a game
//! is opened, and every part keeps the one it was read under: policies are built long after.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

/// What the caller allows.
#[derive(Debug, Default)]
pub struct Consent {
    /// Whether any class that the game names may be imported, and any plugin loaded.
    pub everything: bool,
    /// The classes that the caller hands over, which games name by import path or by class.
    pub classes: Vec<Py<PyAny>>,
}

thread_local! {
    static CONSENT: RefCell<Option<Arc<Consent>>> = RefCell::default();
}

/// What holds on threads that have no permission of their own, while a command runs, which builds policies on several threads.
static OF_COMMAND: Mutex<Option<Arc<Consent>>> = Mutex::new(None);

impl Consent {
    /// What is allowed while this thread opens a game, or a command runs; nothing at any other time.
    pub fn current() -> Arc<Self> {
        let of_command = || OF_COMMAND.lock().unwrap_or_else(PoisonError::into_inner).clone();
        CONSENT.with_borrow(Clone::clone).or_else(of_command).unwrap_or_default()
    }

    /// Calls `body`, the command line, all of whose threads read parts under this permission.
    pub fn during_command<R>(self: Arc<Self>, body: impl FnOnce() -> R) -> R {
        /// Takes the permission back, also when a panic passes.
        struct Given;
        impl Drop for Given {
            fn drop(&mut self) {
                *OF_COMMAND.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
        *OF_COMMAND.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
        let _given = Given;
        body()
    }

    /// Calls `body`, which opens games under this permission.
    pub fn during<R>(self: &Arc<Self>, body: impl FnOnce() -> R) -> R {
        /// Puts the permission back that held before, also when a panic passes.
        struct Before(Option<Arc<Consent>>);
        impl Drop for Before {
            fn drop(&mut self) {
                CONSENT.set(self.0.take());
            }
        }
        let _before = Before(CONSENT.replace(Some(self.clone())));
        body()
    }
}
