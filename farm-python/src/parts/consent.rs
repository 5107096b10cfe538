//! Whose Python code a game may run. Game files are passed around as data, so a class that one names is neither imported nor called
//! unless the caller allows it or hands the class over.
//!
//! Parts are read from the game's text far below the call that says what is allowed, so the permission goes with the thread while a game
//! is opened, and every part keeps the one it was read under: policies are built long after.

use std::cell::RefCell;
use std::sync::Arc;

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
    static CONSENT: RefCell<Arc<Consent>> = RefCell::default();
}

impl Consent {
    /// What is allowed while this thread opens a game; nothing at any other time.
    pub fn current() -> Arc<Self> {
        CONSENT.with_borrow(Arc::clone)
    }

    /// Calls `body`, which opens games under this permission.
    pub fn during<R>(self: &Arc<Self>, body: impl FnOnce() -> R) -> R {
        /// Puts the permission back that held before, also when a panic passes.
        struct Before(Arc<Consent>);
        impl Drop for Before {
            fn drop(&mut self) {
                CONSENT.set(std::mem::take(&mut self.0));
            }
        }
        let _before = Before(CONSENT.replace(self.clone()));
        body()
    }
}
