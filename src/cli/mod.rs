//! The command line: arguments, files and streams in, results and exit codes out. The only place with input and output;
//! everything is decided elsewhere and translated here.

mod args;
mod bench;
mod check;
mod clause;
mod coverage;
mod diff;
mod dump;
mod engines;
mod explain;
mod failure;
mod files;
mod fmt;
mod json;
mod load;
mod moves;
mod mutate;
mod new;
mod options;
mod out;
mod perft;
mod picture;
pub mod play;
mod render;
mod replay;
mod show;
mod simulate;
mod snapshot;
mod solve;
pub mod store;
mod teller;
mod test;
mod trace;
mod ugi;
pub mod verdict;
mod verify;
mod watch;
mod why;

use crate::base::Source;
use crate::cli::args::{Cli, Command};
use crate::cli::failure::Failure;
use crate::cli::out::{ColorChoice, Terminal};
use std::io::{ErrorKind, Write as _};
use std::thread;

/// Stack of the thread that compiles and plays, in bytes: rules may be nested deeply.
const STACK: usize = 64 << 20;

/// Everything went well.
const FINE: u8 = 0;

/// Runs the program with the arguments of the process; gives its exit code.
///
/// 0: fine; 1: findings (invalid game, mismatch, illegal action); 2: wrong usage; 3: cannot read or write.
#[must_use]
pub fn run() -> u8 {
    let cli = match args::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(told) => {
            let code = u8::try_from(told.exit_code()).unwrap_or(failure::USAGE);
            // A complaint that cannot be written leaves nobody to be told; help and version are results.
            let written = told.print().and_then(|()| std::io::stdout().flush());
            return match written {
                Err(error) if code == FINE && error.kind() != ErrorKind::BrokenPipe => {
                    let failure = Failure::Unwritable(error.to_string());
                    failure.report(&mut Terminal::new(ColorChoice::Auto));
                    failure.code()
                }
                _ => code,
            };
        }
    };
    match thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || obey(&cli))
    {
        Ok(worker) => worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => failure::IO,
    }
}

/// Reads a game file and the files that it builds on, as one source.
///
/// # Errors
///
/// Why it cannot be read, in one sentence.
pub fn read_source(path: &str) -> Result<Source, String> {
    match files::read(path) {
        Ok(files::Text {
            source,
            problem: None,
        }) => Ok(source),
        Ok(files::Text {
            problem: Some(problem),
            ..
        }) => Err(problem.message),
        Err(failure) => Err(format!("{path} cannot be read: {failure:?}")),
    }
}

/// Carries a command out and reports why it could not be.
fn obey(cli: &Cli) -> u8 {
    let mut terminal = Terminal::new(cli.color);
    let done =
        perform(&cli.command, &mut terminal).and_then(|code| terminal.flush().map(|()| code));
    match done {
        Ok(code) => code,
        Err(Failure::Closed) => FINE,
        Err(failure) => {
            // What was found before is told before.
            let flushed = terminal.flush();
            failure.report(&mut terminal);
            match flushed {
                Err(Failure::Unwritable(_)) => failure::IO,
                _ => failure.code(),
            }
        }
    }
}

/// Whether a command's exit code says what it found, whoever reads the rest.
fn is_verdict(command: &Command) -> bool {
    matches!(
        command,
        Command::Check(_)
            | Command::Why(_)
            | Command::Options(_)
            | Command::Verify(_)
            | Command::Test(_)
            | Command::Diff(_)
            | Command::Snapshot(_)
            | Command::Dump(_)
            | Command::Fmt(_)
    )
}

fn perform(command: &Command, terminal: &mut Terminal) -> Result<u8, Failure> {
    terminal.to_the_end = is_verdict(command);
    match command {
        Command::New(args) => new::new(args, terminal),
        Command::Check(args) => check::check(args, terminal),
        Command::Show(args) => show::show(args, terminal),
        Command::Render(args) => picture::render(args, terminal),
        Command::Moves(args) => moves::moves(args, terminal),
        Command::Play(args) => play::play(args, terminal),
        Command::Perft(args) => perft::perft(args, terminal),
        Command::Bench(args) => bench::bench(args, terminal),
        Command::Solve(args) => solve::solve(args, terminal),
        Command::Replay(args) => replay::replay(args, terminal),
        Command::Dump(args) => dump::dump(args, terminal),
        Command::Simulate(args) => simulate::simulate(args, terminal),
        Command::Merge(args) => simulate::merge(args, terminal),
        Command::Why(args) => why::why(args, terminal),
        Command::Trace(args) => trace::trace(args, terminal),
        Command::Coverage(args) => coverage::coverage(args, terminal),
        Command::Options(args) => options::options(args, terminal),
        Command::Verify(args) => verify::verify(args, terminal),
        Command::Test(args) => test::test(args, terminal),
        Command::Explain(args) => explain::explain(args, terminal),
        Command::Diff(args) => diff::diff(args, terminal),
        Command::Mutate(args) => mutate::mutate(args, terminal),
        Command::Snapshot(args) => snapshot::snapshot(args, terminal),
        Command::Fmt(args) => fmt::fmt(args, terminal),
        Command::Ugi(args) => ugi::ugi(args, terminal),
    }
}
