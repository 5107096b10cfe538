//! Signals and terminals that disappear. Signals are noted, so that the terminal is restored before the program ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(super) use crate::interrupts::exit_code;

/// The signals received since its creation.
#[derive(Debug)]
pub(super) struct Signals {
    /// The number of the last signal; 0 before any.
    last: Arc<AtomicUsize>,
    /// Whether the watching thread may end.
    is_over: Arc<AtomicBool>,
}

impl Signals {
    /// Notes signals from now on, and watches the terminal. The second signal ends the program immediately, in case the program is too busy
    /// to handle the first one.
    ///
    /// # Errors
    /// Fails if the system does not allow it.
    #[cfg(unix)]
    pub(super) fn note() -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGTERM};
        use signal_hook::flag::{register, register_conditional_shutdown, register_usize};

        let (last, has_come) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGTERM, SIGHUP] {
            // In this order, the first signal finds the flag unset and sets it.
            register_conditional_shutdown(signal, i32::from(exit_code(signal as u8)), has_come.clone())?;
            register(signal, has_come.clone())?;
            register_usize(signal, last.clone(), signal as usize)?;
        }
        let signals = Self { last, is_over: Arc::default() };
        let (last, is_over) = (signals.last.clone(), signals.is_over.clone());
        std::thread::Builder::new().name("terminal".to_owned()).spawn(move || unix::watch(&last, &is_over))?;
        Ok(signals)
    }

    /// Other systems do not have these signals; closing the window ends the program.
    #[cfg(not(unix))]
    pub fn note() -> io::Result<Self> {
        Ok(Self { last: Arc::default(), is_over: Arc::default() })
    }

    /// Like [`Self::last`], but called after an operation on the terminal failed. A terminal that is gone counts as a signal.
    pub(super) fn last_of_terminal(&self) -> Option<u8> {
        #[cfg(unix)]
        unix::is_terminal_there(&self.last);
        self.last()
    }

    /// The number of the last signal, if any.
    pub(super) fn last(&self) -> Option<u8> {
        u8::try_from(self.last.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(unix)]
mod unix {
    use std::io::{IsTerminal, stdin};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::exit_code;

    /// The interval between checks of the terminal.
    const GLANCE: Duration = Duration::from_millis(250);
    /// The time that the program has to end by itself.
    const GRACE: Duration = Duration::from_secs(1);

    /// Whether the terminal still exists. If not, notes a hangup signal.
    pub(super) fn is_terminal_there(last: &AtomicUsize) -> bool {
        // A terminal that was hung up no longer reports that it is a terminal.
        let is_there = stdin().is_terminal();
        if !is_there {
            let hangup = signal_hook::consts::SIGHUP as usize;
            let _ = last.compare_exchange(0, hangup, Ordering::Relaxed, Ordering::Relaxed);
        }
        is_there
    }

    /// Ends the program if its terminal is gone and it does not end by itself. Reading keys from such a terminal blocks forever and does
    /// not check for signals. The terminal is not restored.
    pub(super) fn watch(last: &AtomicUsize, is_over: &AtomicBool) {
        let mut since = None;
        while !is_over.load(Ordering::Relaxed) {
            sleep(GLANCE);
            if is_terminal_there(last) {
                continue;
            }
            if since.get_or_insert_with(Instant::now).elapsed() >= GRACE && !is_over.load(Ordering::Relaxed) {
                let signal = u8::try_from(last.load(Ordering::Relaxed)).unwrap_or(1);
                std::process::exit(exit_code(signal).into());
            }
        }
    }
}
