//! The program `farm`: see the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    farm_cli::run("farm", std::env::args_os().skip(1))
}
