//! Signals from outside that ask the program to end: they are noted, so that the terminal is given back before it does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What has come since it was made.
#[derive(Debug)]
pub struct Signals {
    /// The number of the last signal; 0 before any.
    last: Arc<AtomicUsize>,
}

impl Signals {
    /// Notes signals from now on. The second one ends the program at once, for when it is too busy to see the first.
    ///
    /// # Errors
    /// A system that does not allow it.
    #[cfg(unix)]
    pub fn note() -> io::Result<Self> {
        use std::sync::atomic::AtomicBool;

        use signal_hook::consts::{SIGHUP, SIGTERM};
        use signal_hook::flag::{register, register_conditional_shutdown, register_usize};

        let (last, has_come) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGTERM, SIGHUP] {
            // In this order: the first signal finds the flag down, and raises it.
            register_conditional_shutdown(signal, i32::from(exit_code(signal as u8)), has_come.clone())?;
            register(signal, has_come.clone())?;
            register_usize(signal, last.clone(), signal as usize)?;
        }
        Ok(Self { last })
    }

    /// Elsewhere there are none: closing the window ends the program.
    #[cfg(not(unix))]
    pub fn note() -> io::Result<Self> {
        Ok(Self { last: Arc::new(AtomicUsize::new(0)) })
    }

    /// The number of the signal that has come.
    pub fn last(&self) -> Option<u8> {
        u8::try_from(self.last.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
    }
}

/// The exit code of a program that a signal has ended, as shells tell it.
pub fn exit_code(signal: u8) -> u8 {
    128_u8.saturating_add(signal)
}
