//! `gambol play`: any game in the terminal, on a full screen or line by line.

pub mod command;
mod desk;
mod events;
mod guard;
mod keeper;
mod lines;
pub mod screen;
mod telling;
mod worker;

use crate::base::Source;
use crate::cli::args::{Standing, setting, whole};
use crate::cli::engines::{self, Choice};
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::play::desk::Desk;
use crate::cli::play::events::{Happening, Leaver};
use crate::cli::play::keeper::Keeper;
use crate::cli::play::worker::Worker;
use crate::cli::{files, load, moves, replay};
use crate::engine::{Engine, Refusal};
use crate::tools::record::Record;
use crate::tools::record_text;
use crate::tools::replay::replay as play_again;
use crate::tools::rng::DEFAULT_SEED;
use crate::tools::search::Settings;
use crate::tools::session::{Seats, Session};
use clap::Args;
use std::io::{IsTerminal as _, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

/// The arguments of `play`.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    /// The game file.
    pub file: String,
    /// Who plays, in the order of play: `person`, `random`, `search` or `search:time=2s`; one entry for all, or one for each
    /// with commas between [default: a person, then searches].
    #[arg(long, value_name = "WHO,WHO")]
    pub players: Option<String>,
    /// Write the record of the game to a new file, after every action.
    #[arg(long, value_name = "RECORD")]
    pub record: Option<PathBuf>,
    /// Go on with the game of a record, and with the record, unless `--record` names another.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["position", "play"])]
    pub resume: Option<PathBuf>,
    /// Line by line, as in a pipe, instead of the full screen.
    #[arg(long)]
    pub plain: bool,
    /// Seed of those who choose by chance.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// How many threads a search uses; with one the same seed plays the same, when budgets are no times.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1024_u16))]
    pub threads: u16,
    /// Where the game begins.
    #[command(flatten)]
    pub at: Standing,
    /// Give an option of the game a value; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
}

/// Plays a game.
///
/// # Errors
///
/// If file, record or arguments are wrong, the rules fail, or the record could not be written to the end.
pub fn play(args: &PlayArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.file == "-" {
        let told =
            "the game cannot come from the standard input: that is where the moves are typed";
        return Err(Failure::Usage(told.to_owned()));
    }
    let (session, source) = open(args, terminal)?;
    let writing = Arc::new(Mutex::new(()));
    let mut keeper = keeper(args, &session, &writing)?;
    if let Some(keeper) = &mut keeper
        && args.record.is_some()
    {
        keeper.keep(&session.record().to_string());
        if let Some(failure) = keeper.trouble() {
            return Err(failure);
        }
    }
    let (sender, inbox) = channel();
    let leaver = Leaver::listen(sender.clone(), Arc::clone(&writing));
    let settings = Settings {
        threads: usize::from(args.threads),
        seed: args.seed,
        ..Settings::default()
    };
    let news = sender.clone();
    let tell = move |number, told| {
        // Nobody listens any more only when the program ends.
        let _ = news.send(Happening::News(number, told));
    };
    let engine = Arc::clone(session.engine());
    let worker =
        Worker::start(engine, session.seats.sitters(), settings, tell).map_err(|error| {
            Failure::Usage(format!("no thread can be started to think in: {error}"))
        })?;
    let mut desk = Desk::new(session, source, worker, keeper);
    let typed = stdin().is_terminal();
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if args.plain || dumb || !typed || !stdout().is_terminal() {
        events::read_lines(sender);
        lines::run(&mut desk, &inbox, terminal, typed)?;
    } else {
        terminal.flush()?;
        screen::run(&mut desk, &inbox, &sender, &leaver, terminal.color_out)?;
    }
    // One last time, for a disk that has room again.
    desk.keep();
    match desk.keeper().and_then(Keeper::trouble) {
        Some(failure) => Err(failure),
        None => Ok(0),
    }
}

/// The game as the arguments ask for it.
fn open(args: &PlayArgs, terminal: &mut Terminal) -> Result<(Session, Source), Failure> {
    let text = files::read(&args.file)?;
    let Some(path) = &args.resume else {
        let engine = Arc::new(engines::engine_of(
            &text,
            &args.set,
            Choice::Auto,
            terminal,
        )?);
        let seats = seats(args, &engine)?;
        let start = load::position(&engine, args.at.position.as_deref())?;
        moves::standing(&engine, &args.at)?;
        let mut session = Session::new(engine, start, seats)?;
        for action in args.at.play.as_deref().unwrap_or("").split_whitespace() {
            session.play(action).map_err(failed)?;
        }
        return Ok((session, text.source));
    };
    let source = load::read_text(&path.to_string_lossy(), terminal)?;
    let wrong = |error| replay::wrong_record(&source, error);
    let record = record_text::parse(source.text()).map_err(wrong)?;
    let settings = replay::settings(&record.settings(&source).map_err(wrong)?, &args.set);
    let engine = Arc::new(engines::engine_of(
        &text,
        &settings,
        Choice::Auto,
        terminal,
    )?);
    let seats = seats(args, &engine)?;
    if let Some(error) = play_again(&engine, &record).failure {
        return Err(replay::explain(engine.program(), &source, &record, error));
    }
    let session = resume(engine, seats, &record)?;
    Ok((session, text.source))
}

fn resume(engine: Arc<Engine>, seats: Seats, record: &Record) -> Result<Session, Failure> {
    let line = record.tag("Position").map(|tag| tag.value.as_str());
    let start = load::position(&engine, line)?;
    Session::resume(engine, start, seats, record).map_err(failed)
}

fn failed(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Failed(error) => Failure::Play(error),
        Refusal::Illegal { .. } | Refusal::Over(_) => Failure::Usage(refusal.to_string()),
    }
}

fn seats(args: &PlayArgs, engine: &Engine) -> Result<Seats, Failure> {
    let players = engine.program().players.len();
    match &args.players {
        None => Ok(Seats::usual(players)),
        Some(text) => {
            Seats::read(text, players).map_err(|e| Failure::Usage(format!("--players: {e}")))
        }
    }
}

/// The file that the record is kept in, if any.
fn keeper(
    args: &PlayArgs,
    session: &Session,
    writing: &Arc<Mutex<()>>,
) -> Result<Option<Keeper>, Failure> {
    let same = |path: &Path| args.resume.as_deref() == Some(path);
    let path = match (&args.record, &args.resume) {
        (Some(path), _) if !same(path) => path,
        (_, Some(path)) => {
            // What is there says the same, perhaps in other words: it is written again when something is played.
            let text = session.record().to_string();
            return Ok(Some(Keeper::new(
                path.clone(),
                Some(text),
                Arc::clone(writing),
            )));
        }
        (Some(path), None) => path,
        (None, None) => return Ok(None),
    };
    if std::fs::metadata(path).is_ok_and(|found| found.len() > 0 || !found.is_file()) {
        let file = path.display();
        return Err(Failure::Usage(format!(
            "{file} is there already: go on with it by `--resume {file}`, or name another file"
        )));
    }
    Ok(Some(Keeper::new(path.clone(), None, Arc::clone(writing))))
}
