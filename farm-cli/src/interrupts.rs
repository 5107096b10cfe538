//! Signals that end a long run early. Finished results are written, and no unfinished file is left behind.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::output;

/// The signals since the start of a run: INT (Ctrl-C), TERM, or HUP from a closing terminal. The first signal ends the run after the
/// current episode, the second signal during the episode, and the third signal immediately.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupts(Arc<Noted>);

#[derive(Debug, Default)]
struct Noted {
    /// The number of the last signal.
    signal: AtomicU8,
    /// The number of signals so far.
    count: AtomicU8,
}

/// The error for an episode that a second signal ended.
#[derive(Debug)]
pub(crate) struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped by a signal")
    }
}

impl std::error::Error for Stopped {}

impl Interrupts {
    /// Handles signals from now on. If the system does not allow this, the first signal ends the program.
    pub(crate) fn note() -> Self {
        Self::note_as("ends after this episode; a second signal ends the run within the episode, a third one at once")
    }

    /// Like [`Self::note`], but prints `consequence` as the effect of the first signal.
    #[cfg(unix)]
    pub(crate) fn note_as(consequence: &'static str) -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;

        let interrupts = Self::default();
        let noted = interrupts.0.clone();
        let hangup = (!is_hangup_ignored()).then_some(SIGHUP);
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup)) else { return interrupts };
        let listen = move || {
            for signal in signals.forever() {
                let number = signal.try_into().unwrap_or_default();
                noted.signal.store(number, Ordering::Relaxed);
                match noted.count.fetch_add(1, Ordering::Relaxed) {
                    0 => output::note(format!("{}: {consequence}", name(number))),
                    1 => {}
                    _ => std::process::exit(exit_code(number).into()),
                }
            }
        };
        // Without the thread, the run would never see the signals.
        if std::thread::Builder::new().name("signals".to_owned()).spawn(listen).is_err() {
            output::note("the program can't listen for signals: Ctrl-C will not end this run");
        }
        interrupts
    }

    /// On other systems, the first signal ends the program.
    #[cfg(not(unix))]
    pub(crate) fn note_as(_: &'static str) -> Self {
        Self::default()
    }

    /// The signal that asked the run to end, if any.
    pub(crate) fn signal(&self) -> Option<Signal> {
        (self.0.count.load(Ordering::Relaxed) > 0).then(|| Signal(self.0.signal.load(Ordering::Relaxed)))
    }

    /// Whether to end before the episode is finished.
    pub(crate) fn is_urgent(&self) -> bool {
        self.0.count.load(Ordering::Relaxed) > 1
    }
}

/// A signal, by number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signal(u8);

impl Signal {
    /// Prints the progress of the run to standard error. Returns the exit code of a program that this signal ended.
    pub(crate) fn tell(self, done: u64, of: u64, what: &str) -> std::process::ExitCode {
        output::note(format!("ended by {}: {done} of {of} {what}; finished results are written", name(self.0)));
        std::process::ExitCode::from(exit_code(self.0))
    }
}

/// Whether HUP was ignored when the program started, for example because of `nohup`. This is known only on Linux.
pub(crate) fn is_hangup_ignored() -> bool {
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & HANGUP != 0)
}

/// Makes a write beyond the file size limit (`ulimit -f`) fail like any other write, with a message that names the file. By default, the
/// system's signal would end the program without a message.
pub(crate) fn report_file_limits() {
    #[cfg(unix)]
    {
        // The flag is never read: handling the signal keeps it from ending the program. A system without the signal has no limit.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

fn name(signal: u8) -> String {
    match signal {
        1 => "SIGHUP".to_owned(),
        2 => "SIGINT".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    }
}

/// The shell's exit code for a program ended by a signal.
pub(crate) fn exit_code(signal: u8) -> u8 {
    128_u8.saturating_add(signal)
}
