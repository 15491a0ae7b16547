//! Sequences of several actions counted in one go: from positions at the beginning of turns, within them and near the end of games every
//! engine finds as many of each number of actions as the plain one does, also with little room for lists.

use crate::agree::rivals;
use crate::common::slow;
use crate::paces;
use gambol::base::Source;
use gambol::engine::native::checked;
use gambol::engine::{Engine, Position, Runner};
use gambol::program::Program;
use gambol::program::kernel::{Body, Kernel, Stmt, Word, Work};
use gambol::tools::rng::Rng;
use std::sync::Arc;

/// So many actions one after the other, more when there is time, and most sequences that are gone through one by one.
const DEEP: usize = 4;
const DEEPER: usize = 7;
const MOST: u64 = 40_000;

/// An engine whose kernel for counting was changed, with every index checked.
pub fn changed(program: &Program, change: fn(&mut Kernel)) -> Engine {
    let engine = Engine::new(program.clone()).unwrap();
    engine.with_kernels(Box::new(move |program, work| {
        let mut kernel = gambol::compile::kernel::kernel(program, work, true).ok()?;
        change(&mut kernel);
        let kernel = Arc::new(kernel);
        Some((Arc::clone(&kernel), checked(kernel).ok()?))
    }))
}

/// The numbers of sequences by the plain engine; nothing where there are too many.
pub fn counts(plain: &Engine, position: &Position, counts: &mut [u64]) -> Option<()> {
    let [here, deeper @ ..] = counts else {
        return Some(());
    };
    let actions = plain.legal_actions(position).unwrap();
    *here += actions.len() as u64;
    if *here > MOST {
        return None;
    }
    let mut next = actions.iter().map(|action| plain.play(position, action));
    next.try_for_each(|next| self::counts(plain, &next, deeper))
}

/// Compares along a game; how many positions were compared.
fn hold(plain: &Engine, engines: &[(String, &Engine)], seed: u64) -> Result<usize, String> {
    let mut runners: Vec<_> = engines.iter().map(|(_, e)| Runner::new(e)).collect();
    let mut rng = Rng::new(seed);
    let (mut position, mut compared) = (plain.initial(), 0);
    for ply in 0..60 {
        let deep = 1 + ply % if slow() { DEEPER } else { DEEP };
        let mut expected = vec![0; deep];
        if counts(plain, &position, &mut expected).is_some() {
            for ((name, _), runner) in engines.iter().zip(&mut runners) {
                // What was counted before stays.
                let mut found = vec![ply as u64; deep];
                runner.counts(&position, &mut found).unwrap();
                found.iter_mut().for_each(|found| *found -= ply as u64);
                if found != expected {
                    let line = plain.print(&position);
                    return Err(format!(
                        "{name}: {found:?} instead of {expected:?}, in {line}"
                    ));
                }
            }
            compared += 1;
        }
        let actions = plain.legal_actions(&position).unwrap();
        match rng.pick(&actions) {
            Some(action) => position = plain.play(&position, action),
            None => break,
        }
    }
    Ok(compared)
}

/// Puts another fixed number in place of one.
fn replace(body: &mut Body, from: u64, to: u64) {
    for stmt in body {
        if let Stmt::Let(_, Word::Const(number)) = stmt
            && *number == from
        {
            *number = to;
        }
        for inner in stmt.bodies_mut() {
            replace(inner, from, to);
        }
    }
}

fn hold_all(board: &str, trails: &str, sown: bool) {
    let (mut wrong, mut compared, mut in_one_go) = (Vec::new(), 0, 0);
    for trail in trails.trim().lines() {
        let name = format!("{} on {board}", trail.trim());
        let source = Source::new(name.clone(), paces::game(board, trail, sown));
        let program = gambol::compile(&source, &[]).program.unwrap();
        let rivals = rivals(&program, false).unwrap();
        let short = changed(&program, |kernel| {
            let room = kernel.room;
            kernel.room.memory = room.moves + 200;
            // The kernel itself asks whether there is room for what it brings back.
            let before = u64::from(room.memory - room.moves);
            for function in &mut kernel.functions {
                replace(&mut function.body, before, 200);
            }
        });
        let whole = changed(&program, |_| {});
        let kernel = whole.kernel(Work::Counting);
        in_one_go += usize::from(kernel.is_some_and(|kernel| kernel.deep.is_some()));
        let mut engines: Vec<(String, &Engine)> = vec![
            ("checked".to_owned(), &whole),
            ("checked, with little room".to_owned(), &short),
        ];
        engines.extend(rivals.iter().map(|r| (r.name.to_owned(), &r.engine)));
        let plain = Engine::new(program.clone()).unwrap();
        for seed in 0..if slow() { 20 } else { 2 } {
            match hold(&plain, &engines, seed) {
                Ok(many) => compared += many,
                Err(what) => wrong.push(format!("{name}: {what}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(compared > 200, "only {compared} positions");
    assert!(in_one_go > 2, "only {in_one_go} games count in one go");
}

#[test]
fn sequences_are_counted_in_one_go() {
    hold_all("square(4, 6)", paces::SOWN, true);
    hold_all("square(3, 6)", paces::WALKED, false);
}
