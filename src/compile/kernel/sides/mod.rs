//! Functions of two players that differ only in whose places and constants they use become one, which is told whose it is: half
//! as much is translated. Before: any functions, two players. After: what is asked for each player is a call of what both have;
//! where a few statements differ in more than that, both are there. Conditions: nearly all statements are the same, in the same
//! order (`joiner`).
//!
//! The code of a function that both players run is also nearer when the other player runs it: games become faster by it.

mod calls;
mod joiner;

use crate::compile::kernel::sides::calls::Caller;
use crate::compile::kernel::sides::joiner::Joiner;
use crate::compile::kernel::tidy::reached;
use crate::program::kernel::{FuncId, Function, Kernel, Stmt, Value, W, Word};
use std::collections::BTreeSet;

/// Joins the functions of two players.
pub fn join(kernel: &mut Kernel) {
    if kernel.entries.len() != 2 {
        return;
    }
    let mut pairs = Pairs::new(&kernel.functions);
    for (first, second) in roots(kernel) {
        pairs.add(first, second);
    }
    pairs.find();
    let pairs = pairs.of;
    let reached = reached(kernel);
    let mut functions = std::mem::take(&mut kernel.functions);
    let mut joined: Vec<Option<Function>> = vec![None; functions.len()];
    for at in 0..functions.len() {
        if let Some(Side {
            other,
            second: false,
        }) = pairs[at]
            && (reached[at] || reached[other.0 as usize])
        {
            let (first, second) = (&functions[at], &functions[other.0 as usize]);
            joined[at] = Joiner::new(kernel, &pairs, first, second).function(first, second);
        }
    }
    let params: Vec<usize> = functions.iter().map(|f| f.params.len()).collect();
    let is_joined: Vec<bool> = joined.iter().map(Option::is_some).collect();
    let of = |id: FuncId| match pairs[id.0 as usize] {
        Some(side) if side.second && is_joined[side.other.0 as usize] => Some((side.other, 1)),
        Some(side) if !side.second && is_joined[id.0 as usize] => Some((id, 0)),
        _ => None,
    };
    let asked: BTreeSet<FuncId> = (roots(kernel).into_iter())
        .flat_map(|(first, second)| [first, second])
        .collect();
    // What is asked from outside has no parameters.
    let mut place: Vec<(FuncId, FuncId)> = Vec::new();
    for id in asked {
        if let Some((both, side)) = of(id) {
            place.push((id, FuncId(functions.len() as u32)));
            let name = format!("{} of {side}", functions[id.0 as usize].name);
            functions.push(asking(name, both, side));
        }
    }
    for (at, function) in joined.into_iter().enumerate() {
        if let Some(function) = function {
            functions[at] = function;
        }
    }
    for (at, function) in functions.iter_mut().enumerate() {
        let second = pairs.get(at).copied().flatten().filter(|side| side.second);
        if second.is_some_and(|side| is_joined[side.other.0 as usize]) {
            // Nobody calls it any more.
            function.params.clear();
            function.body.clear();
            continue;
        }
        let mut caller = Caller {
            words: function.words,
            of: &of,
            params: &params,
            pairs: &pairs,
        };
        caller.body(&mut function.body);
        function.words = caller.words;
    }
    kernel.functions = functions;
    each_root(kernel, |id| {
        if let Some((_, to)) = place.iter().find(|(from, _)| from == id) {
            *id = *to;
        }
    });
}

/// What is asked from outside for the first player, and the same for the second.
fn roots(kernel: &Kernel) -> Vec<(FuncId, FuncId)> {
    let mut kernel = Kernel {
        turn: kernel.turn.clone(),
        entries: kernel.entries.clone(),
        ends: kernel.ends.clone(),
        moving: kernel.moving.clone(),
        scores: kernel.scores.clone(),
        ..Kernel::default()
    };
    let mut of_players = [Vec::new(), Vec::new()];
    for (player, of_player) in of_players.iter_mut().enumerate() {
        each_root_of(&mut kernel, player, |id| of_player.push(*id));
    }
    let [first, second] = of_players;
    first.into_iter().zip(second).collect()
}

fn each_root(kernel: &mut Kernel, mut work: impl FnMut(&mut FuncId)) {
    for player in 0..kernel.entries.len() {
        each_root_of(kernel, player, &mut work);
    }
}

fn each_root_of(kernel: &mut Kernel, player: usize, work: impl FnMut(&mut FuncId)) {
    let entries = kernel.entries[player].iter_mut();
    let ends = kernel.ends[player].iter_mut().flatten();
    let scores = kernel.scores[player].iter_mut().flatten();
    (entries.flat_map(|e| e.functions()))
        .chain([&mut kernel.turn[player]])
        .chain(ends)
        .chain(&mut kernel.moving[player])
        .chain(scores)
        .for_each(work);
}

/// A function that asks another for a player.
fn asking(name: String, both: FuncId, side: u64) -> Function {
    let (player, result) = (W(0), W(1));
    Function {
        name,
        params: Vec::new(),
        words: 2,
        sets: 0,
        body: vec![
            Stmt::Let(player, Word::Const(side)),
            Stmt::Call(both, vec![Value::Word(player)], Some(result)),
            Stmt::Return(result),
        ],
    }
}

/// Whose function one is.
#[derive(Clone, Copy)]
struct Side {
    /// The other player's.
    other: FuncId,
    /// Whether it is the second player's.
    second: bool,
}

/// Which functions may be the same but for the player.
struct Pairs<'f> {
    functions: &'f [Function],
    of: Vec<Option<Side>>,
    open: Vec<(FuncId, FuncId)>,
}

impl<'f> Pairs<'f> {
    fn new(functions: &'f [Function]) -> Pairs<'f> {
        Pairs {
            functions,
            of: vec![None; functions.len()],
            open: Vec::new(),
        }
    }

    fn add(&mut self, first: FuncId, second: FuncId) {
        let (a, b) = (first.0 as usize, second.0 as usize);
        if a == b || self.of[a].is_some() || self.of[b].is_some() {
            return;
        }
        let side = |other, second| Some(Side { other, second });
        self.of[a] = side(second, false);
        self.of[b] = side(first, true);
        self.open.push((first, second));
    }

    /// Finds those that are called in the same places.
    fn find(&mut self) {
        while let Some((first, second)) = self.open.pop() {
            let functions = self.functions;
            let body = |id: FuncId| &functions[id.0 as usize].body;
            self.calls(body(first), body(second));
        }
    }

    fn calls(&mut self, first: &[Stmt], second: &[Stmt]) {
        for (a, b) in first.iter().zip(second) {
            if let (Stmt::Call(f, ..), Stmt::Call(g, ..)) = (a, b) {
                self.add(*f, *g);
            }
            for (a, b) in a.bodies().into_iter().zip(b.bodies()) {
                self.calls(a, b);
            }
        }
    }
}
