//! `gambol ugi`: lines of the standard input into a conversation, its answers out, line by line. What takes time is done in a
//! thread of its own, so that a line is heard at any time; lines that must wait for it are kept in their order.

use crate::cli::engines::EngineArg;
use crate::cli::failure::Failure;
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::{STACK, args, engines};
use crate::engine::Engine;
use crate::tools::protocol::{Dialogue, Make, Reply, Thought};
use crate::tools::search::{Search, Settings};
use clap::Args;
use std::collections::VecDeque;
use std::io::{BufRead, Read, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvError, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// So many lines may wait for the end of a search.
const MOST: usize = 1000;

/// The arguments of `ugi`.
#[derive(Args, Clone, Debug)]
pub struct UgiArgs {
    /// The game file.
    pub file: String,
    /// Give an option of the game a value; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = args::setting)]
    pub set: Vec<(String, String)>,
    /// Which engine.
    #[command(flatten)]
    pub engine: EngineArg,
}

/// Speaks until it is told to leave, or the input ends.
///
/// # Errors
///
/// If the file cannot be read or is no game of two players, or nobody reads the answers.
pub fn ugi(args: &UgiArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    if args.file == "-" {
        return Err(Failure::Usage(
            "the standard input is where the protocol is spoken: write the name of a game file"
                .to_owned(),
        ));
    }
    let text = files::read(&args.file)?;
    let engine = engines::engine_of(&text, &args.set, args.engine.engine, terminal)?;
    let players = engine.program().players.len();
    if players != 2 {
        return Err(Failure::Usage(format!(
            "the protocol is for two players, and this game has {players}"
        )));
    }
    let (events, heard) = sync_channel(64);
    let (jobs, work) = channel();
    let lines = events.clone();
    start(move || read_lines(&lines))?;
    let worker = start(move || serve_all(&work, &events))?;
    let mut table = Table {
        dialogue: Dialogue::new(engine, args.set.clone()),
        make: Box::new(|set: &[(String, String)]| remake(&text, set, args.engine)),
        jobs,
        busy: None,
        kept: VecDeque::new(),
        left: false,
        terminal,
    };
    table.talk(&heard, worker)
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Failure> {
    let thread = Builder::new().stack_size(STACK).spawn(work);
    thread.map_err(|error| Failure::Unreadable {
        file: "the standard input".to_owned(),
        reason: error.to_string(),
    })
}

/// Compiles the game under other options; says in one sentence why it cannot be.
fn remake(text: &Text, set: &[(String, String)], engine: EngineArg) -> Result<Engine, String> {
    let compiled = files::compile_text(text, set);
    let Some(program) = compiled.program else {
        let mut errors = compiled.diagnostics.iter();
        let first = errors.find(|d| d.severity == crate::base::Severity::Error);
        return Err(first.map_or_else(String::new, |d| match &d.help {
            Some(help) => format!("{}; {help}", d.message),
            None => d.message.clone(),
        }));
    };
    match crate::engine(program, engine.engine.kind()) {
        Ok((engine, _)) => Ok(engine),
        Err(error) => Err(error.to_string()),
    }
}

/// What happens.
enum Event {
    /// A line has come, or why it cannot be one.
    Line(Result<String, &'static str>),
    /// The input has ended.
    End,
    /// The worker tells something.
    Told(String),
    /// The worker has done what it was asked for; its last lines.
    Done(Vec<String>),
    /// The worker has gone, which is a fault.
    Gone,
}

/// Work for the other thread.
enum Job {
    /// Do this, until it is stopped.
    Work(Thought, Arc<AtomicBool>),
    /// Forget what was found.
    Forget,
}

/// The work that is done now.
struct Busy {
    stop: Arc<AtomicBool>,
    /// Its answer must wait until it is stopped.
    endless: bool,
    /// The answer that waits.
    answer: Option<Vec<String>>,
}

struct Table<'t> {
    dialogue: Dialogue,
    make: Box<Make<'t>>,
    jobs: Sender<Job>,
    busy: Option<Busy>,
    /// Lines that wait, and whether they have been stopped already.
    kept: VecDeque<(String, bool)>,
    /// No line comes any more.
    left: bool,
    terminal: &'t mut Terminal,
}

impl Table<'_> {
    fn talk(&mut self, heard: &Receiver<Event>, worker: JoinHandle<()>) -> Result<u8, Failure> {
        loop {
            while self.busy.is_none()
                && let Some((line, stopped)) = self.kept.pop_front()
            {
                if self.hear(&line, stopped)? {
                    return Ok(0);
                }
            }
            if self.left && self.busy.is_none() {
                return Ok(0);
            }
            let Ok(event) = heard.recv() else {
                return Ok(0);
            };
            match event {
                Event::Line(Ok(line)) => {
                    if self.hear(&line, false)? {
                        return Ok(0);
                    }
                }
                Event::Line(Err(why)) => self.say(&format!("info string {why}"))?,
                Event::End => {
                    self.left = true;
                    // Nobody can stop it any more.
                    if self.busy.as_ref().is_some_and(|busy| busy.endless) {
                        self.stop()?;
                    }
                }
                Event::Told(line) => self.say(&line)?,
                Event::Done(lines) => self.done(lines)?,
                Event::Gone => {
                    return worker
                        .join()
                        .map_or_else(|panic| std::panic::resume_unwind(panic), |()| Ok(0));
                }
            }
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        self.terminal.line(line)?;
        self.terminal.flush()
    }

    /// Hears a line; whether that was the last one.
    fn hear(&mut self, line: &str, stopped: bool) -> Result<bool, Failure> {
        let busy = self.busy.is_some();
        let Some(replies) = self.dialogue.hear(line, busy, &mut self.make) else {
            if self.kept.len() < MOST {
                self.kept.push_back((line.to_owned(), false));
            } else {
                self.say("info string too many lines wait for the end of the search: this one is left out")?;
            }
            return Ok(false);
        };
        for reply in replies {
            match reply {
                Reply::Say(line) => self.say(&line)?,
                Reply::Work(thought) => self.work(thought, stopped),
                Reply::Forget => self.send(Job::Forget),
                Reply::Stop => self.stop()?,
                // What was asked before is still answered.
                Reply::Leave if self.busy.is_some() => self.kept.push_back((line.to_owned(), true)),
                Reply::Leave => return Ok(true),
            }
        }
        Ok(false)
    }

    fn send(&self, job: Job) {
        // A worker that is gone is noticed by what it sends at its end.
        let _ = self.jobs.send(job);
    }

    fn work(&mut self, thought: Thought, stopped: bool) {
        let endless = match &thought {
            Thought::Think(task) => task.endless && !stopped && !self.left,
            Thought::Count(_) => false,
        };
        let stop = Arc::new(AtomicBool::new(stopped));
        if self.left && matches!(&thought, Thought::Think(task) if task.endless) {
            stop.store(true, Ordering::Relaxed);
        }
        self.busy = Some(Busy {
            stop: Arc::clone(&stop),
            endless,
            answer: None,
        });
        self.send(Job::Work(thought, stop));
    }

    fn stop(&mut self) -> Result<(), Failure> {
        for (_, stopped) in &mut self.kept {
            *stopped = true;
        }
        let Some(busy) = &mut self.busy else {
            return Ok(());
        };
        busy.stop.store(true, Ordering::Relaxed);
        busy.endless = false;
        match busy.answer.take() {
            Some(lines) => self.done(lines),
            None => Ok(()),
        }
    }

    /// The work is done: tells its answer, or keeps it until it is asked for.
    fn done(&mut self, lines: Vec<String>) -> Result<(), Failure> {
        let mut lines = lines;
        if let Some(busy) = self.busy.as_mut().filter(|busy| busy.endless) {
            busy.answer = lines.pop().map(|answer| vec![answer]);
        } else {
            self.busy = None;
        }
        lines.iter().try_for_each(|line| self.say(line))
    }
}

/// Hands the lines of the standard input over, until it ends or nobody listens.
fn read_lines(events: &SyncSender<Event>) {
    let mut input = stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) | Err(_) => Event::End,
            Ok(_) if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') => {
                match skip_line(&mut input) {
                    Ok(()) => Event::Line(Err("a line is longer than a megabyte and is left out")),
                    Err(_) => Event::End,
                }
            }
            Ok(_) => Event::Line(
                std::str::from_utf8(&line)
                    // A file of lines may begin with a byte order mark.
                    .map(|text| text.trim_start_matches('\u{feff}').to_owned())
                    .map_err(|_| "a line is not UTF-8 text and is left out"),
            ),
        };
        let end = matches!(event, Event::End);
        if events.send(event).is_err() || end {
            return;
        }
    }
}

/// Reads to the end of a line and keeps nothing.
fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let part = input.fill_buf()?;
        let end = part.iter().position(|b| *b == b'\n');
        let read = end.map_or(part.len(), |at| at + 1);
        let over = end.is_some() || part.is_empty();
        input.consume(read);
        if over {
            return Ok(());
        }
    }
}

/// Tells the end of a worker, however it comes.
struct Farewell<'e>(&'e SyncSender<Event>);

impl Drop for Farewell<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Gone);
    }
}

/// Does all work, with one search for each engine and way of searching.
fn serve_all(jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    let _farewell = Farewell(events);
    let mut next = jobs.recv();
    while let Ok(job) = next {
        next = match job {
            Job::Forget => jobs.recv(),
            Job::Work(Thought::Count(count), stop) => {
                let last = count.count(&stop, &mut |line| tell(events, line));
                let _ = events.send(Event::Done(last));
                jobs.recv()
            }
            Job::Work(Thought::Think(task), stop) => {
                let (engine, settings) = (Arc::clone(&task.engine), task.settings.clone());
                let first = Job::Work(Thought::Think(task), stop);
                serve(&engine, &settings, first, jobs, events)
            }
        };
    }
}

/// Thinks with one search as long as nothing of it changes; gives the first job that is for another.
fn serve(
    engine: &Arc<Engine>,
    settings: &Settings,
    first: Job,
    jobs: &Receiver<Job>,
    events: &SyncSender<Event>,
) -> Result<Job, RecvError> {
    let mut search = Search::new(engine, settings.clone());
    let mut job = first;
    loop {
        let Job::Work(Thought::Think(task), stop) = &job else {
            return Ok(job);
        };
        if !Arc::ptr_eq(engine, &task.engine) || !alike(settings, &task.settings) {
            return Ok(job);
        }
        let last = task.think(&mut search, stop, &mut |line| tell(events, line));
        let _ = events.send(Event::Done(last));
        job = jobs.recv()?;
    }
}

/// Whether two searches differ at most in their budgets.
fn alike(one: &Settings, other: &Settings) -> bool {
    (one.threads, one.seed, one.nodes) == (other.threads, other.seed, other.nodes)
}

fn tell(events: &SyncSender<Event>, line: String) {
    let _ = events.send(Event::Told(line));
}
