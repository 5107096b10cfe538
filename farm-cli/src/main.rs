//! The program `farm`: the library of this crate, with the arguments of the process.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

use std::process::ExitCode;

fn main() -> ExitCode {
    farm_cli::run("farm", std::env::args_os().skip(1))
}
