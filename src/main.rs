//! The program `gambol`: hands over to the command line of the library and exits with its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(gambol::cli::run())
}
