//! Standard output and error: text in, bytes and colours out. A reader that has gone away ends the program quietly, or is done
//! without where the exit code is a result as well.

use crate::base::Source;
use crate::cli::failure::Failure;
use anstream::AutoStream;
use clap::ValueEnum;
use std::io::{BufWriter, ErrorKind, IsTerminal, StderrLock, StdoutLock, Write, stderr, stdout};

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColorChoice {
    /// As the environment says: NO_COLOR, CLICOLOR_FORCE, TERM=dumb, then whether a terminal is written to.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where results and complaints are written to.
pub struct Terminal {
    out: BufWriter<AutoStream<StdoutLock<'static>>>,
    err: AutoStream<StderrLock<'static>>,
    /// Whether results are coloured.
    pub color_out: bool,
    /// Whether complaints are coloured.
    pub color_err: bool,
    /// Whether work goes on to its exit code when nobody reads the results any more.
    pub to_the_end: bool,
    /// The text of the one game that is played; nothing when there are several, or none yet.
    game: Game,
}

/// Which games were read.
#[derive(Default)]
enum Game {
    #[default]
    None,
    One(Source),
    Several,
}

impl Terminal {
    /// The streams of the process.
    #[must_use]
    pub fn new(choice: ColorChoice) -> Terminal {
        let environment = Environment::of_process();
        let color_out = environment.colors(choice, stdout().is_terminal());
        let color_err = environment.colors(choice, stderr().is_terminal());
        Terminal {
            out: BufWriter::new(AutoStream::new(stdout().lock(), stream_choice(color_out))),
            err: AutoStream::new(stderr().lock(), stream_choice(color_err)),
            color_out,
            color_err,
            to_the_end: false,
            game: Game::None,
        }
    }

    /// A game is going to be played: what goes wrong then has its place in this text.
    pub fn plays(&mut self, source: &Source) {
        self.game = match std::mem::take(&mut self.game) {
            Game::None => Game::One(source.clone()),
            Game::One(known) if known.text() == source.text() => Game::One(known),
            Game::One(_) | Game::Several => Game::Several,
        };
    }

    /// As [`plays`](Self::plays), where no other game is played any more.
    pub fn plays_alone(&mut self, source: &Source) {
        self.game = Game::One(source.clone());
    }

    /// The text of the one game that is played.
    #[must_use]
    pub fn game(&self) -> Option<&Source> {
        match &self.game {
            Game::One(source) => Some(source),
            Game::None | Game::Several => None,
        }
    }

    /// Writes a part of the result.
    ///
    /// # Errors
    ///
    /// If it cannot be written; [`Failure::Closed`] if nobody reads it any more, unless work goes on to the end.
    pub fn print(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.out.write_all(text.as_bytes());
        self.judged(written)
    }

    /// Writes a line of the result.
    ///
    /// # Errors
    ///
    /// As of [`Terminal::print`].
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.print(text)?;
        self.print("\n")
    }

    /// Hands all results over.
    ///
    /// # Errors
    ///
    /// As of [`Terminal::print`].
    pub fn flush(&mut self) -> Result<(), Failure> {
        let written = self.out.flush();
        self.judged(written)
    }

    fn judged(&self, written: std::io::Result<()>) -> Result<(), Failure> {
        match written.map_err(failed) {
            Err(Failure::Closed) if self.to_the_end => Ok(()),
            written => written,
        }
    }

    /// Writes to standard error, behind all results so far; if that fails, nobody can be told.
    pub fn complain(&mut self, text: &str) {
        let _ = self.out.flush();
        let _ = self.err.write_all(text.as_bytes());
    }
}

fn failed(error: std::io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        return Failure::Closed;
    }
    Failure::Unwritable(error.to_string())
}

fn stream_choice(color: bool) -> anstream::ColorChoice {
    if color {
        anstream::ColorChoice::Always
    } else {
        anstream::ColorChoice::Never
    }
}

/// What the environment says of colours.
#[derive(Clone, Copy, Debug, Default)]
struct Environment {
    no_color: bool,
    force: bool,
    dumb: bool,
}

impl Environment {
    fn of_process() -> Environment {
        let var = |name| std::env::var_os(name).unwrap_or_default();
        let force = var("CLICOLOR_FORCE");
        Environment {
            no_color: !var("NO_COLOR").is_empty(),
            force: !force.is_empty() && force != "0",
            dumb: var("TERM") == "dumb",
        }
    }

    fn colors(self, choice: ColorChoice, terminal: bool) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => !self.no_color && (self.force || (!self.dumb && terminal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::out::{ColorChoice, Environment};

    #[test]
    fn the_order_of_precedence() {
        let plain = Environment::default();
        let no_color = Environment {
            no_color: true,
            force: true,
            ..plain
        };
        let force = Environment {
            force: true,
            dumb: true,
            ..plain
        };
        let dumb = Environment {
            dumb: true,
            ..plain
        };
        let auto = |e: Environment, terminal| e.colors(ColorChoice::Auto, terminal);
        assert!(auto(plain, true) && !auto(plain, false));
        assert!(!auto(no_color, true) && auto(force, false) && !auto(dumb, true));
        assert!(
            no_color.colors(ColorChoice::Always, false) && !force.colors(ColorChoice::Never, true)
        );
    }
}
