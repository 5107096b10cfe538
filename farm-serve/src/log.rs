//! Logs server events as lines on standard error.

use tracing::Level;
use tracing_subscriber::fmt;

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogForm {
    /// Lines for people.
    Text,
    /// Lines of JSON, for programs.
    Json,
}

/// Writes this program's events to standard error from now on. Has no effect if the program already logs elsewhere.
pub fn log_to_stderr(form: LogForm) {
    let lines = fmt().with_writer(std::io::stderr).with_max_level(Level::INFO).with_ansi(false);
    // This fails only if the program already logs, and then its logging stays unchanged.
    let _ = match form {
        LogForm::Text => lines.try_init(),
        LogForm::Json => lines.json().try_init(),
    };
}
