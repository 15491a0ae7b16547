//! `gambol simulate`: arguments into a plan, the plan into games, with what is told meanwhile and where it is written.

use crate::base::{Code, Diagnostic, Severity, Source};
use crate::cli::args::whole;
use crate::cli::engines::{self, EngineArg};
use crate::cli::failure::{self, FINDINGS, Failure};
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::simulate::file::{Kept, NotKept};
use crate::cli::simulate::tell::{self, Told};
use crate::cli::{args, load, render};
use crate::engine::{Engine, Position};
use crate::program::kernel::Work;
use crate::tools::phrase;
use crate::tools::rng::DEFAULT_SEED;
use crate::tools::search::Seat;
use crate::tools::simulate::{
    Arena, Configuration, Ear, Halt, Plan, Settings, Shard, Sweep, Tally, Task, combinations,
    nothing, run, shard,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

/// The arguments of `simulate`.
#[derive(Args, Clone, Debug)]
pub struct SimulateArgs {
    /// Game files; folders stand for the games in them, `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How many games of each configuration.
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000_u64))]
    pub games: u64,
    /// Who plays: `random`, or `search:` and a budget; one for all, or one a player in the order of play with `/` between,
    /// such as `random/search:playouts=100,time=1s`.
    #[arg(
        long,
        value_name = "PLAYERS",
        value_delimiter = '/',
        default_value = "random"
    )]
    pub players: Vec<Seat>,
    /// Give an option several values one after the other: `rows=6..12`, `rows=6..12 by 2` or `size=5,7,9`; several sweeps make
    /// all combinations.
    #[arg(long, value_name = "NAME=VALUES")]
    pub sweep: Vec<Sweep>,
    /// Give an option of the games a value; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = args::setting)]
    pub set: Vec<(String, String)>,
    /// Leave combinations out that a game refuses because of its own conditions.
    #[arg(long)]
    pub skip_refused: bool,
    /// A position line that games begin at, instead of the beginning.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Seed of the games.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// The most actions of one game; a longer one is broken off and counted as unfinished.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = whole(1..=u32::MAX))]
    pub max_plies: u32,
    /// Only winners, ends and numbers of actions, of random players, much faster.
    #[arg(long, conflicts_with = "leads")]
    pub quick: bool,
    /// Look at so many games of each configuration for changes of the lead.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub leads: u64,
    /// Keep what is done in this file; a run that was broken off goes on from it.
    #[arg(long, value_name = "FILE")]
    pub out: Option<String>,
    /// Play one part of several only, such as 1/4, and tell nothing; `gambol merge` puts the parts together.
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with_all = ["json", "csv", "html", "details"])]
    pub shard: Option<Shard>,
    /// Which engine.
    #[command(flatten)]
    pub engine: EngineArg,
    /// How it is told.
    #[command(flatten)]
    pub told: Told,
}

/// A game under its options, ready to be played.
struct Ready {
    source: Source,
    engine: Engine,
    start: Position,
}

/// Plays and tells.
///
/// # Errors
/// If the arguments contradict each other, a file cannot be read or is no game, the rules fail, or something cannot be written.
pub fn simulate(args: &SimulateArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    tell::can_be_written(&args.told)?;
    let Some((plan, ready)) = prepare(args, terminal)? else {
        return Ok(FINDINGS);
    };
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let mut tasks = plan.tasks(shard);
    let mut ear = Listener {
        kept: None,
        tallies: nothing(&plan),
        games: 0,
        bar: ProgressBar::hidden(),
    };
    if let Some(file) = &args.out {
        let (kept, done) = match Kept::open(file, &plan, shard) {
            Ok(opened) => opened,
            Err(NotKept::Failure(failure)) => return Err(failure),
            Err(NotKept::Other(message, help)) => {
                let text = render::message(None, &message, Some(help), terminal.color_err);
                terminal.complain(&text);
                return Ok(FINDINGS);
            }
        };
        for batch in &done {
            ear.add(&batch.task, &batch.tally);
        }
        if ear.games > 0 {
            terminal.complain(&format!(
                "{file}: {} of {} games are there already\n",
                ear.games,
                all_games(&plan, shard)
            ));
        }
        tasks = shard::missing(tasks, &done);
        ear.kept = Some(kept);
    }
    let all = all_games(&plan, shard);
    match play(args, &plan, &ready, &tasks, &mut ear, all)? {
        Some(Halt::Failed(at, error)) => {
            let configuration = &plan.configurations[at];
            let swept = settings_text(&configuration.swept);
            let told = format!("{} {swept}", configuration.file);
            terminal.complain(&format!("while playing {}:\n", told.trim_end()));
            terminal.plays_alone(&ready[at].source);
            return Err(Failure::Play(error));
        }
        Some(Halt::Heard(failure)) => {
            if let Some(file) = &args.out {
                terminal.complain(&kept_so_far(file, ear.games, all));
            }
            return Err(failure);
        }
        None if ear.games < all => {
            terminal.complain(&broken_off(args, ear.games, all));
            return Ok(failure::BROKEN_OFF);
        }
        None => {}
    }
    if let Some(kept) = &mut ear.kept {
        kept.finish()?;
    }
    if let (Some(shard), Some(file)) = (args.shard, &args.out) {
        terminal.complain(&format!(
            "{file}: part {shard} is whole, {} games\n",
            ear.games
        ));
        return Ok(0);
    }
    tell::tell(&plan, &ear.tallies, &args.told, terminal)?;
    Ok(0)
}

fn all_games(plan: &Plan, shard: Shard) -> u64 {
    let part = plan.part(shard).len();
    part.saturating_mul(plan.configurations.len() as u64)
}

fn settings_text(settings: &[(String, String)]) -> String {
    let settings = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    settings.collect::<Vec<_>>().join(" ")
}

fn kept_so_far(file: &str, games: u64, all: u64) -> String {
    format!("{file} holds {games} of {all} games; the same command goes on from there\n")
}

fn broken_off(args: &SimulateArgs, games: u64, all: u64) -> String {
    match &args.out {
        Some(file) => format!("broken off: {}", kept_so_far(file, games, all)),
        None => format!(
            "broken off after {games} of {all} games, and nothing is kept; with `--out FILE` a run can go on\n"
        ),
    }
}

/// Plays; why it was not finished, when it was not for being stopped.
fn play(
    args: &SimulateArgs,
    plan: &Plan,
    ready: &[Ready],
    tasks: &[Task],
    ear: &mut Listener,
    all: u64,
) -> Result<Option<Halt<Failure>>, Failure> {
    let arenas: Vec<Arena<'_>> = plan
        .configurations
        .iter()
        .zip(ready)
        .map(|(configuration, ready)| Arena {
            engine: &ready.engine,
            start: ready.start.clone(),
            seats: &args.players,
            plan,
            configuration,
        })
        .collect();
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // Whoever asks a second time does not want to wait. Where nobody can be heard, the system ends the program.
    let _ = ctrlc::set_handler(move || {
        if heard.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(failure::BROKEN_OFF));
        }
    });
    let processors = || available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(processors, usize::from);
    ear.bar = bar(all);
    let before = ear.games;
    ear.bar.set_position(before);
    let mut counting = Counting { ear, before };
    let done = run(&arenas, tasks, threads, &stop, &mut counting);
    ear.bar.finish_and_clear();
    Ok(done.err())
}

fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    match ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} games, {eta} to go") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Adds up what is heard and writes it down.
struct Listener {
    kept: Option<Kept>,
    tallies: Vec<Tally>,
    games: u64,
    bar: ProgressBar,
}

impl Listener {
    fn add(&mut self, task: &Task, tally: &Tally) {
        if let Some(sum) = self.tallies.get_mut(task.configuration) {
            sum.add(tally);
        }
        self.games += task.games.len();
    }
}

/// Hears of games after those that were there before.
struct Counting<'l> {
    ear: &'l mut Listener,
    before: u64,
}

impl Ear for Counting<'_> {
    type Error = Failure;

    fn done(&mut self, task: &Task, tally: Tally) -> Result<(), Failure> {
        if let Some(kept) = &mut self.ear.kept {
            kept.note(task, &tally)?;
        }
        self.ear.add(task, &tally);
        Ok(())
    }

    fn played(&mut self, games: u64) {
        self.ear.bar.set_position(self.before + games);
    }
}

/// The plan, and all that is needed to play it; nothing when something is wrong with a game, which has been told then.
fn prepare(
    args: &SimulateArgs,
    terminal: &mut Terminal,
) -> Result<Option<(Plan, Vec<Ready>)>, Failure> {
    let combinations = combinations(&args.set, &args.sweep).map_err(Failure::Usage)?;
    if args.quick && args.players.iter().any(|seat| *seat != Seat::Random) {
        let message = "`--quick` is for random players: leave it out, or `--players`";
        return Err(Failure::Usage(message.to_owned()));
    }
    let names = files::expand_all(&args.files)?;
    if names.len().saturating_mul(combinations.len()) > MOST {
        let message = format!("these are more than {MOST} configurations; take fewer of them");
        return Err(Failure::Usage(message));
    }
    let (mut ready, mut configurations) = (Vec::new(), Vec::new());
    let mut complaints = Complaints::default();
    for file in &names {
        let text = files::read(file)?;
        for swept in &combinations {
            let made = make(args, file, &text, swept, &mut complaints, terminal)?;
            let Some((configuration, made)) = made else {
                continue;
            };
            configurations.push(configuration);
            ready.push(made);
        }
    }
    if complaints.any() || configurations.is_empty() {
        let told = complaints.text().unwrap_or_else(|| {
            let all = "all these combinations are refused, the first of them by this:\n";
            let refusal = complaints.refusal.clone().unwrap_or_default();
            format!("{all}{refusal}")
        });
        terminal.complain(&told);
        return Ok(None);
    }
    if complaints.skipped > 0 {
        let skipped = phrase::number(complaints.skipped, "combination");
        terminal.complain(&format!(
            "left out, because the games refuse them: {skipped}\n"
        ));
    }
    // How actions are drawn depends on it.
    let kernels = ready
        .iter()
        .filter(|r| r.engine.kernel(Work::Games).is_some());
    let way = match kernels.count() {
        0 => "plain",
        all if all == ready.len() => "kernels",
        _ => "some kernels",
    };
    let plan = Plan {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        files: args.files.clone(),
        set: args.set.clone(),
        sweep: args.sweep.iter().map(Sweep::to_string).collect(),
        skip_refused: args.skip_refused,
        seats: seats(&args.players),
        position: args.position.clone(),
        seed: args.seed,
        games: args.games,
        max_plies: u64::from(args.max_plies),
        quick: args.quick,
        way: way.to_owned(),
        leads: args.leads.min(args.games),
        configurations,
    };
    Ok(Some((plan, ready)))
}

/// The most configurations.
const MOST: usize = 1000;
/// The most complaints.
const TOLD: usize = 5;

/// Who plays, in words; one for all when all are the same.
fn seats(players: &[Seat]) -> Vec<String> {
    let mut seats: Vec<String> = players.iter().map(Seat::to_string).collect();
    if seats.windows(2).all(|w| w[0] == w[1]) {
        seats.truncate(1);
    }
    seats
}

/// What is wrong with games: each thing once.
#[derive(Default)]
struct Complaints {
    known: BTreeSet<String>,
    told: Vec<String>,
    /// Combinations that were left out.
    skipped: usize,
    /// Why the first of them was.
    refusal: Option<String>,
}

impl Complaints {
    fn add(&mut self, complaint: String) {
        if self.known.insert(complaint.clone()) && self.told.len() < TOLD {
            self.told.push(complaint);
        }
    }

    fn any(&self) -> bool {
        !self.known.is_empty()
    }

    fn text(&self) -> Option<String> {
        let mut text = self.told.join("\n");
        let more = self.known.len() - self.told.len();
        if more > 0 {
            text.push_str(&format!("\nand {more} more\n"));
        }
        self.any().then_some(text)
    }
}

/// Whether a game refuses its options by its own conditions: what else is wrong then, as a setup beyond the board, follows from it.
fn refused(diagnostics: &[Diagnostic]) -> bool {
    let refuses = |d: &Diagnostic| [Code::OptionRefused, Code::IdleOption].contains(&d.code);
    let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.any(refuses)
}

fn make(
    args: &SimulateArgs,
    file: &str,
    text: &Text,
    swept: &Settings,
    complaints: &mut Complaints,
    terminal: &mut Terminal,
) -> Result<Option<(Configuration, Ready)>, Failure> {
    let mut settings = args.set.clone();
    settings.extend(swept.iter().cloned());
    let color = terminal.color_err;
    let compiled = files::compile_text(text, &settings);
    let Some(program) = compiled.program else {
        if args.skip_refused && refused(&compiled.diagnostics) {
            complaints.skipped += 1;
            if let (None, Some(why)) = (&complaints.refusal, compiled.diagnostics.first()) {
                complaints.refusal = Some(render::diagnostic(&text.source, why, color));
            }
            return Ok(None);
        }
        for diagnostic in &compiled.diagnostics {
            complaints.add(render::diagnostic(&text.source, diagnostic, color));
        }
        return Ok(None);
    };
    terminal.plays_alone(&text.source);
    let players = program.players.len();
    if args.players.len() > 1 && args.players.len() != players {
        return Err(Failure::Usage(format!(
            "{file} has {players} players, and `--players` names {}: name one for all, or {players} with `/` between",
            args.players.len()
        )));
    }
    let engine = engines::make(program, args.engine.engine, Work::Games)?.engine;
    let start = load::position(&engine, args.position.as_deref())?;
    if let Some(outcome) = engine.outcome(&start)? {
        return Err(Failure::Usage(format!(
            "the game is over in this position ({}): there is nothing to play",
            phrase::outcome(engine.program(), &outcome)
        )));
    }
    let configuration = Configuration::of(file, &engine, &start, swept);
    let source = text.source.clone();
    Ok(Some((
        configuration,
        Ready {
            source,
            engine,
            start,
        },
    )))
}
