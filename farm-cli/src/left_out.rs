//! Commands that this program was built without: they say which feature brings them.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use farm_output::OutputError;

/// Whatever was written behind the command.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[allow(dead_code, reason = "no command is here that would read them")]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

impl Arguments {
    /// Says that the command comes with the feature `serve`.
    pub(crate) fn refuse(&self, what: &'static str) -> anyhow::Result<ExitCode> {
        Err(OutputError::LeftOut { what, feature: "serve" }.into())
    }
}
