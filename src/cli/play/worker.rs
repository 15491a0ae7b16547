//! The thread in which searches think: positions in, actions and reports out. Every job can be stopped by itself, and a job
//! that is not waited for any more is known by its number.

use crate::engine::{Engine, PlayError, Position};
use crate::tools::search::{Budget, Report, Search, Seat, Settings, Sitting};
use crate::tools::session::Who;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Stack of the thread, in bytes: rules may be nested deeply.
const STACK: usize = 64 << 20;

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// The sitter of that number chooses.
    Choose(usize),
    /// The search looks for a good action.
    Hint(Budget),
}

/// What became of a job.
pub enum News {
    /// What has been found so far.
    Progress(Report),
    /// The action that was chosen; nothing when there is none.
    Chosen(Option<String>),
    /// What the search would play.
    Hint(Report),
    /// The rules failed.
    Failed(PlayError),
    /// The thread has come to a bad end.
    Broken(Box<dyn Any + Send>),
}

enum Order {
    Job {
        number: u64,
        position: Box<Position>,
        task: Task,
        stop: Arc<AtomicBool>,
    },
    Budget(Budget),
}

/// The thread, seen from outside.
pub struct Worker {
    orders: Sender<Order>,
    number: u64,
    stop: Arc<AtomicBool>,
}

impl Worker {
    /// Starts the thread; `tell` hears news with the number of the job.
    ///
    /// # Errors
    /// When there can be no further thread.
    pub fn start(
        engine: Arc<Engine>,
        sitters: &[Who],
        settings: Settings,
        tell: impl FnMut(u64, News) + Send + 'static,
    ) -> std::io::Result<Worker> {
        let (orders, incoming) = channel();
        let sitters = sitters.to_vec();
        let mut tell = tell;
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let working = || work(&engine, &sitters, &settings, &incoming, &mut tell);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(working)) {
                tell(0, News::Broken(panic));
            }
        })?;
        Ok(Worker {
            orders,
            number: 0,
            stop: Arc::new(AtomicBool::new(false)),
        })
    }

    /// Begins a job and gives its number; what is under way is stopped.
    pub fn begin(&mut self, position: &Position, task: Task) -> u64 {
        self.stop();
        self.number += 1;
        self.stop = Arc::new(AtomicBool::new(false));
        // A thread that has ended has told so.
        let _ = self.orders.send(Order::Job {
            number: self.number,
            position: Box::new(position.clone()),
            task,
            stop: Arc::clone(&self.stop),
        });
        self.number
    }

    /// Lets the job that is under way choose by what it has found so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Gives all searches another budget, from the next job on.
    pub fn set_budget(&self, budget: Budget) {
        let _ = self.orders.send(Order::Budget(budget));
    }
}

fn work(
    engine: &Engine,
    sitters: &[Who],
    settings: &Settings,
    orders: &Receiver<Order>,
    tell: &mut dyn FnMut(u64, News),
) {
    let seat = |(number, who): (u64, &Who)| match who {
        Who::Person => None,
        Who::Seat(seat) => {
            let seed = settings.seed.wrapping_add(number);
            let settings = Settings {
                seed,
                ..settings.clone()
            };
            Some(seat.sit(engine, settings))
        }
    };
    let mut sitting: Vec<Option<Sitting<'_>>> = (0u64..).zip(sitters).map(seat).collect();
    let mut adviser: Option<Search<'_>> = None;
    while let Ok(order) = orders.recv() {
        let (number, position, task, stop) = match order {
            Order::Budget(budget) => {
                for one in sitting.iter_mut().flatten() {
                    if let Sitting::Search(search) = one {
                        search.set_budget(budget);
                    }
                }
                continue;
            }
            Order::Job {
                number,
                position,
                task,
                stop,
            } => (number, position, task, stop),
        };
        let mut progress = |report: &Report| tell(number, News::Progress(report.clone()));
        let news = match task {
            Task::Choose(sitter) => match sitting.get_mut(sitter).and_then(Option::as_mut) {
                Some(one) => one
                    .choose(&position, &stop, &mut progress)
                    .map(News::Chosen),
                None => Ok(News::Chosen(None)),
            },
            Task::Hint(budget) => {
                let search = adviser.get_or_insert_with(|| Search::new(engine, settings.clone()));
                search.set_budget(budget);
                search
                    .think(&position, &stop, &mut progress)
                    .map(News::Hint)
            }
        };
        tell(number, news.unwrap_or_else(News::Failed));
    }
}

/// Whether a sitter searches, and so can be told to stop.
#[must_use]
pub fn searches(who: Who) -> bool {
    matches!(who, Who::Seat(Seat::Search(_)))
}
