//! Logs: what happens to the server, as lines on standard error.

use tracing::Level;
use tracing_subscriber::fmt;

/// How events are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogForm {
    /// Lines for people.
    Text,
    /// Lines of JSON, for programs.
    Json,
}

/// Writes the events of this program to standard error from now on; nothing changes where they are written somewhere already.
pub fn log_to_stderr(form: LogForm) {
    let lines = fmt().with_writer(std::io::stderr).with_max_level(Level::INFO).with_ansi(false);
    // Only a program that logs already refuses, and then it goes on as it does.
    let _ = match form {
        LogForm::Text => lines.try_init(),
        LogForm::Json => lines.json().try_init(),
    };
}
