//! Permission to run Python code. People share game files, so a class in a game file is neither imported nor called unless the caller
//! allows it or passes the class.
//!
//! The code that reads parts can't reach the caller's permission, so the permission is stored in the thread while a game is opened. Every
//! part keeps the permission that applied when it was read, because policies are built much later.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

/// The caller's permissions.
#[derive(Debug, Default)]
pub struct Consent {
    /// Whether any class that the game names may be imported, and any plugin loaded.
    pub everything: bool,
    /// The classes that the caller passes; games name them by import path or by class.
    pub classes: Vec<Py<PyAny>>,
}

thread_local! {
    static CONSENT: RefCell<Option<Arc<Consent>>> = RefCell::default();
}

/// The permission for threads without their own, while a command runs. A command builds policies on several threads.
static OF_COMMAND: Mutex<Option<Arc<Consent>>> = Mutex::new(None);

impl Consent {
    /// The permission in force while this thread opens a game or a command runs; at any other time, nothing is allowed.
    pub fn current() -> Arc<Self> {
        let of_command = || OF_COMMAND.lock().unwrap_or_else(PoisonError::into_inner).clone();
        CONSENT.with_borrow(Clone::clone).or_else(of_command).unwrap_or_default()
    }

    /// Calls `body`, which is the command line; all its threads read parts with this permission.
    pub fn during_command<R>(self: Arc<Self>, body: impl FnOnce() -> R) -> R {
        /// Withdraws the permission, even after a panic.
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

    /// Calls `body`, which opens games with this permission.
    pub fn during<R>(self: &Arc<Self>, body: impl FnOnce() -> R) -> R {
        /// Restores the previous permission, even after a panic.
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
