//! Functions of two players that differ only in whose places and constants they use become one, which is told whose it is: half
//! as much is translated. Before: any functions, two players. After: what is asked for each player is a call of what both have;
//! where a few statements differ in more than that, both are there. Conditions: nearly all statements are the same, in the same
//! order (`joiner`).
//!
//! The code of a function that both players run is also nearer when the other player runs it: games become faster by it.

mod calls;
mod joiner;
mod plies;

use crate::compile::kernel::sides::calls::Caller;
use crate::compile::kernel::sides::joiner::Joiner;
use crate::compile::kernel::tidy::reached;
use crate::program::kernel::{FuncId, Function, Kernel, Stmt, Value, W, Word};

/// What functions are shared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum For {
    /// That code comes soon: all but the shortest are, and a random game has one way for both players as well (`plies`).
    Soon,
    /// That it runs fast: only long ones are, which are nearer when the other player runs them.
    Good,
}

impl For {
    /// How many statements functions have at least that are shared.
    fn least(self) -> usize {
        match self {
            For::Soon => 12,
            For::Good => 400,
        }
    }
}

/// Lets two players share functions; `more` do the same for both besides what is asked for them from outside.
pub fn share(kernel: &mut Kernel, more: &[(FuncId, FuncId)], what_for: For) {
    if kernel.entries.len() != 2 {
        return;
    }
    let reached = reached(&kernel.functions, kernel.asked());
    let mut separate = std::mem::take(&mut kernel.functions);
    let game = kernel.game.filter(|_| what_for == For::Soon);
    let game = game.map(|id| (id.0 as usize, separate[id.0 as usize].clone()));
    let mut pairs = Pairs::new(&separate);
    for (first, second) in roots(kernel).into_iter().chain(more.iter().copied()) {
        pairs.add(first, second);
    }
    pairs.find();
    let pairs = pairs.of;
    if let Some((at, mut game)) = game {
        plies::join(kernel, &pairs, &mut game);
        separate[at] = game;
    }
    kernel.functions = join(kernel, separate, (&pairs, &reached), what_for.least());
}

/// Joins the functions of two players that have so many statements at least. What both have is put behind all others.
fn join(
    kernel: &mut Kernel,
    separate: Vec<Function>,
    (pairs, reached): (&[Option<Side>], &[bool]),
    least: usize,
) -> Vec<Function> {
    let mut joined = Vec::new();
    let mut both = vec![None; separate.len()];
    for (at, first) in separate.iter().enumerate() {
        let Some(side) = pairs[at].filter(|side| !side.second) else {
            continue;
        };
        let second = &separate[side.other.0 as usize];
        if reached[at] || reached[side.other.0 as usize] {
            let joiner = Joiner::new(kernel, pairs, first, second);
            if let Some(function) = joiner.function(first, second, least) {
                both[at] = Some(FuncId((separate.len() + joined.len()) as u32));
                joined.push(function);
            }
        }
    }
    let of = |id: FuncId| {
        let side = pairs[id.0 as usize]?;
        let first = if side.second { side.other } else { id };
        Some((both[first.0 as usize]?, u64::from(side.second)))
    };
    let params: Vec<usize> = separate.iter().map(|f| f.params.len()).collect();
    // What is asked from outside stays where it is, and has no parameters.
    let functions = (separate.into_iter().zip(0..)).map(|(function, at)| match of(FuncId(at)) {
        Some((both, side)) => asking(function.name, both, side),
        None => function,
    });
    let mut functions: Vec<Function> = functions.chain(joined).collect();
    for function in &mut functions {
        let mut caller = Caller {
            words: function.words,
            of: &of,
            params: &params,
            pairs,
        };
        caller.body(&mut function.body);
        function.words = caller.words;
    }
    functions
}

/// What is asked from outside for the first player, and the same for the second.
fn roots(kernel: &Kernel) -> Vec<(FuncId, FuncId)> {
    let mut kernel = Kernel {
        turn: kernel.turn.clone(),
        entries: kernel.entries.clone(),
        ends: kernel.ends.clone(),
        moving: kernel.moving.clone(),
        scores: kernel.scores.clone(),
        lists: kernel.lists.clone(),
        ..Kernel::default()
    };
    let mut of_players = [Vec::new(), Vec::new()];
    for (player, of_player) in of_players.iter_mut().enumerate() {
        each_root_of(&mut kernel, player, |id| of_player.push(*id));
    }
    let [first, second] = of_players;
    let lists = kernel.lists.first().into_iter().zip(kernel.lists.get(1));
    let lists = lists.flat_map(|(a, b)| a.iter().copied().zip(b.iter().copied()));
    first.into_iter().zip(second).chain(lists).collect()
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
            for (a, b) in a.bodies().zip(b.bodies()) {
                self.calls(a, b);
            }
        }
    }
}
