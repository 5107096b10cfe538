//! The program `farm`: runs the library of this crate with the arguments of the process.

#![warn(clippy::unwrap_used)]

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    farm_cli::run("farm", std::env::args_os().skip(1))
}
