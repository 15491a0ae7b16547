//! The program `gambol`: hands over to the command line of the library and exits with its code.

use std::process::ExitCode;

/// Making kernels and their code takes many small pieces of memory: with it they are ready in three quarters of the time.
#[cfg(feature = "native")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(gambol::cli::run())
}
