//! All games of a plan, or of a part of it: pieces of work in, sums out, in the order of the pieces whatever the threads. Who hears
//! them may write them down at once.

use crate::engine::{PlayError, Runner};
use crate::tools::simulate::game::Arena;
use crate::tools::simulate::plan::Task;
use crate::tools::simulate::tally::Tally;
use rayon::ThreadPoolBuilder;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Stack of a playing thread, in bytes.
const STACK: usize = 64 << 20;
/// How long to wait before telling how many games have been played.
const PAUSE: Duration = Duration::from_millis(100);

/// Why a run came to no end.
#[derive(Debug)]
pub enum Halt<E> {
    /// The rules fail, in a game of a configuration.
    Failed(usize, PlayError),
    /// Who hears has had enough.
    Heard(E),
}

/// Who hears of a run, on the thread that began it.
pub trait Ear {
    /// Why it has had enough.
    type Error;

    /// A piece of work is done; they come in order.
    ///
    /// # Errors
    /// When it has had enough.
    fn done(&mut self, task: &Task, tally: Tally) -> Result<(), Self::Error>;

    /// So many games have been played.
    fn played(&mut self, games: u64);
}

/// A finished piece of work; nothing when it was stopped.
type Message = (usize, Result<Option<Tally>, PlayError>);

struct Work<'w> {
    arenas: &'w [Arena<'w>],
    tasks: &'w [Task],
    next: AtomicUsize,
    games: AtomicU64,
    /// No new piece of work is begun.
    over: AtomicBool,
    /// And those that have been begun are left.
    stop: &'w AtomicBool,
}

/// Plays; true when all has been played, false when it was stopped.
///
/// # Errors
/// When the rules fail, or when who hears has had enough.
pub fn run<E: Ear>(
    arenas: &[Arena<'_>],
    tasks: &[Task],
    threads: usize,
    stop: &AtomicBool,
    ear: &mut E,
) -> Result<bool, Halt<E::Error>> {
    let work = Work {
        arenas,
        tasks,
        next: AtomicUsize::new(0),
        games: AtomicU64::new(0),
        over: AtomicBool::new(false),
        stop,
    };
    let threads = threads.clamp(1, tasks.len().max(1));
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build();
    let Ok(pool) = pool else {
        return alone(&work, ear);
    };
    let (sender, receiver) = channel::<Message>();
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move |_| work.labour(&sender));
        }
        drop(sender);
        let mut waiting: BTreeMap<usize, Result<Option<Tally>, PlayError>> = BTreeMap::new();
        let mut next = 0;
        let mut whole = true;
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok((number, result)) => {
                    waiting.insert(number, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            ear.played(work.games.load(Ordering::Relaxed));
            while let Some(result) = waiting.remove(&next) {
                let heard = work.hand_over(next, result, ear);
                whole &= *heard.as_ref().unwrap_or(&false);
                if let Err(halt) = heard {
                    work.over.store(true, Ordering::Relaxed);
                    work.stop.store(true, Ordering::Relaxed);
                    return Err(halt);
                }
                next += 1;
            }
        }
        Ok(whole && next == tasks.len())
    })
}

/// Without other threads.
fn alone<E: Ear>(work: &Work<'_>, ear: &mut E) -> Result<bool, Halt<E::Error>> {
    for (number, task) in work.tasks.iter().enumerate() {
        let result = work.task(task);
        ear.played(work.games.load(Ordering::Relaxed));
        if !work.hand_over(number, result, ear)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Work<'_> {
    /// Takes one piece after the other, always the next one.
    fn labour(&self, sender: &Sender<Message>) {
        loop {
            if self.over.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = self.tasks.get(number) else {
                return;
            };
            let result = self.task(task);
            if result.is_err() {
                // Those before have been begun and are finished, so that the first error is always the same.
                self.over.store(true, Ordering::Relaxed);
            }
            if sender.send((number, result)).is_err() {
                return;
            }
        }
    }

    /// One piece; nothing when it was stopped.
    fn task(&self, task: &Task) -> Result<Option<Tally>, PlayError> {
        let Some(arena) = self.arenas.get(task.configuration) else {
            return Ok(None);
        };
        let mut runner = Runner::new(arena.engine);
        let mut tally = Tally::of(arena.configuration);
        for number in task.games.numbers() {
            if !arena.play(&mut runner, number, self.stop, &mut tally)? {
                return Ok(None);
            }
            self.games.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(tally))
    }

    fn hand_over<E: Ear>(
        &self,
        number: usize,
        result: Result<Option<Tally>, PlayError>,
        ear: &mut E,
    ) -> Result<bool, Halt<E::Error>> {
        let task = &self.tasks[number];
        match result {
            Err(error) => Err(Halt::Failed(task.configuration, error)),
            Ok(None) => Ok(false),
            Ok(Some(tally)) => {
                ear.done(task, tally).map_err(Halt::Heard)?;
                Ok(true)
            }
        }
    }
}
