//! Commands that this build leaves out. Each command reports the feature that adds it.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use farm_output::OutputError;

/// The arguments of such a command, all ignored.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[allow(dead_code, reason = "the command that would read them is left out")]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

impl Arguments {
    /// Reports that the command needs the `serve` feature.
    pub(crate) fn refuse(&self, what: &'static str) -> anyhow::Result<ExitCode> {
        Err(OutputError::LeftOut { what, feature: "serve" }.into())
    }
}
