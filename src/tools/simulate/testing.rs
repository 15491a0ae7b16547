//! A small run for the tests of this folder. Not part of the program.

use crate::engine::Engine;
use crate::tools::search::Seat;
use crate::tools::simulate::plan::{Configuration, Plan, Shard, Task};
use crate::tools::simulate::run::{Ear, run};
use crate::tools::simulate::tally::Tally;
use crate::tools::simulate::{Arena, shard};
use crate::tools::testing::three_in_a_row;
use std::sync::atomic::AtomicBool;

/// Random games of three in a row, and the same once more.
pub(super) fn plan(games: u64) -> Plan {
    let engine = three_in_a_row();
    let of = |file: &str| Configuration::of(file, &engine, &engine.initial(), &[]);
    Plan {
        version: "0".to_owned(),
        files: vec!["a.game".to_owned(), "b.game".to_owned()],
        set: Vec::new(),
        sweep: Vec::new(),
        skip_refused: false,
        seats: vec!["random".to_owned()],
        position: None,
        seed: 1,
        games,
        max_plies: 100,
        quick: false,
        way: "plain".to_owned(),
        leads: 0,
        configurations: vec![of("a.game"), of("b.game")],
    }
}

/// The rules of all configurations of [`plan`].
pub(super) fn rules() -> Engine {
    three_in_a_row()
}

/// Hears lines, and has had enough after some.
pub(super) struct Paper {
    /// What was heard.
    pub text: String,
    /// What was heard, added up.
    pub tallies: Vec<Tally>,
    /// After how many pieces it has had enough.
    pub enough: usize,
}

impl Ear for Paper {
    type Error = ();

    fn done(&mut self, task: &Task, tally: Tally) -> Result<(), ()> {
        if self.enough == 0 {
            return Err(());
        }
        self.enough -= 1;
        self.text.push_str(&shard::line(task, &tally));
        self.tallies[task.configuration].add(&tally);
        Ok(())
    }

    fn played(&mut self, _: u64) {}
}

/// Plays pieces of a plan; whether all were played.
pub(super) fn perform(plan: &Plan, tasks: &[Task], threads: usize, paper: &mut Paper) -> bool {
    let engine = rules();
    let seats: Vec<Seat> = plan
        .seats
        .iter()
        .map(|seat| seat.parse().unwrap())
        .collect();
    let arenas: Vec<Arena<'_>> = plan
        .configurations
        .iter()
        .map(|configuration| Arena {
            engine: &engine,
            start: engine.initial(),
            seats: &seats,
            plan,
            configuration,
        })
        .collect();
    let stop = AtomicBool::new(false);
    run(&arenas, tasks, threads, &stop, paper).unwrap_or(false)
}

/// The sums of a plan, by configuration.
pub(super) fn all(plan: &Plan, threads: usize) -> Vec<Tally> {
    let tallies = plan.configurations.iter().map(Tally::of).collect();
    let mut paper = Paper {
        text: String::new(),
        tallies,
        enough: usize::MAX,
    };
    assert!(perform(
        plan,
        &plan.tasks(Shard::WHOLE),
        threads,
        &mut paper
    ));
    paper.tallies
}

/// The sums of the first configuration.
pub(super) fn played(plan: &Plan) -> Tally {
    all(plan, 2).swap_remove(0)
}
