//! A random game asks, lists and draws for each player on a way of his own; where both ways do the same but for whose places and
//! constants they use, they become one. Before: a game that switches by who moves. After: one way, told whose it is; where a
//! few statements differ in more than that, both are there. Conditions: those of `joiner`; the first switch between two ways in a round
//! is by the player, who is 0 or 1.

use crate::compile::kernel::fresh::Fresh;
use crate::compile::kernel::sides::Side;
use crate::compile::kernel::sides::joiner::{Joiner, aligned};
use crate::program::kernel::{
    Bin, Body, Function, Kernel, Label, Stmt, Value, W, Word, each_statement,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Joins the ways of both players in a game.
pub fn join(kernel: &mut Kernel, pairs: &[Option<Side>], game: &mut Function) {
    let entries = kernel.entries.first().map_or(0, Vec::len);
    let mut body = std::mem::take(&mut game.body);
    if let Some(Stmt::Loop(_, round)) = body.iter_mut().find(|s| matches!(s, Stmt::Loop(..))) {
        let mut plies = Plies {
            kernel,
            pairs,
            game,
        };
        plies.join(round, 1);
        // How an action is played: by each entry of the first player, and then by each of the second.
        if entries > 1 {
            plies.join_within(round, entries);
        }
    }
    game.body = body;
}

/// The ways of both players.
struct Plies<'k> {
    kernel: &'k mut Kernel,
    pairs: &'k [Option<Side>],
    game: &'k mut Function,
}

impl Plies<'_> {
    /// Joins a switch with so many ways for each player, wherever it stands.
    fn join_within(&mut self, body: &mut Body, each: usize) {
        self.join(body, each);
        for inner in body.iter_mut().flat_map(Stmt::bodies_mut) {
            self.join_within(inner, each);
        }
    }

    /// Joins the first switch of a body with so many ways for each player.
    fn join(&mut self, body: &mut Body, each: usize) {
        let fits = |stmt: &Stmt| matches!(stmt, Stmt::Switch(_, ways) if ways.len() == 2 * each);
        let Some(at) = body.iter().position(fits) else {
            return;
        };
        let behind = body.split_off(at + 1);
        let switch = body.pop();
        if let Some(Stmt::Switch(by, ways)) = &switch
            && let owners = Owners::of(ways, [body, &behind])
            && let Some(one) = self.joined(*by, ways, each, &owners)
        {
            body.extend(one);
        } else {
            body.extend(switch);
        }
        body.extend(behind);
    }

    /// What stands in place of a switch by a word, with the ways of both players.
    fn joined(&mut self, by: W, ways: &[Body], each: usize, owners: &Owners) -> Option<Body> {
        if each == 1 {
            return self.one(by, ways, [0, 1], owners);
        }
        let [number, side, further, at] = [0, 1, 2, 3].map(|i| W(self.game.words + i));
        self.game.words += 4;
        let all: Option<Vec<Body>> = (0..each)
            .map(|i| self.one(side, ways, [i, i + each], owners))
            .collect();
        Some(vec![
            Stmt::Let(number, Word::Const(each as u64)),
            Stmt::Let(side, Word::Bin(Bin::AtMost, number, by)),
            Stmt::Let(further, Word::Bin(Bin::Mul, side, number)),
            Stmt::Let(at, Word::Bin(Bin::Sub, by, further)),
            Stmt::Switch(at, all?),
        ])
    }

    /// One way in place of two, one for each player; whose it is is told by a word.
    fn one(&mut self, side: W, ways: &[Body], which: [usize; 2], owners: &Owners) -> Option<Body> {
        let [first, second] = which.map(|i| &ways[i]);
        let second = numbered_as([first, second], which, owners);
        let joiner = Joiner::new(self.kernel, self.pairs, self.game, self.game);
        joiner.switch(self.game, side, [first, &second])
    }
}

/// Which way gives a value, when no other statement of the game gives it.
struct Owners(FxHashMap<Value, Option<usize>>);

impl Owners {
    fn of(ways: &[Body], others: [&Body; 2]) -> Owners {
        let mut owners = FxHashMap::default();
        for body in others {
            each_statement(body, &mut |stmt| {
                owners.extend(stmt.gives().map(|value| (value, None)));
            });
        }
        for (at, way) in ways.iter().enumerate() {
            each_statement(way, &mut |stmt| {
                if let Some(value) = stmt.gives() {
                    let owner = owners.entry(value).or_insert(Some(at));
                    *owner = owner.filter(|owner| *owner == at);
                }
            });
        }
        Owners(owners)
    }

    /// Whether a value is given by a way alone.
    fn is(&self, value: Value, way: usize) -> bool {
        self.0.get(&value) == Some(&Some(way))
    }
}

/// The second of two ways, with the numbers of the first for what only one of the ways gives.
fn numbered_as([first, second]: [&Body; 2], ways: [usize; 2], owners: &Owners) -> Body {
    let mut numbers = Numbers {
        ways,
        owners,
        values: BTreeMap::new(),
        taken: BTreeSet::new(),
        labels: Vec::new(),
    };
    numbers.meet(first, second);
    let mut fresh = Fresh::default();
    for (what, other) in numbers.values {
        fresh.as_other(what, other);
    }
    for (label, other) in numbers.labels {
        fresh.label(label, other);
    }
    fresh.body(second)
}

/// Which numbers of one way are which of the other.
struct Numbers<'o> {
    ways: [usize; 2],
    owners: &'o Owners,
    /// For what the second gives, what the first gives in its place.
    values: BTreeMap<Value, Value>,
    taken: BTreeSet<Value>,
    labels: Vec<(Label, Label)>,
}

impl Numbers<'_> {
    fn meet(&mut self, first: &[Stmt], second: &[Stmt]) {
        let (before, behind) = aligned(first, second);
        let ends = |body: &[Stmt]| body.len() - behind;
        let starts = first[..before].iter().zip(&second[..before]);
        let ends = first[ends(first)..].iter().zip(&second[ends(second)..]);
        for (a, b) in starts.chain(ends) {
            self.statement(a, b);
        }
    }

    fn statement(&mut self, a: &Stmt, b: &Stmt) {
        if let (Some(mine), Some(others)) = (a.gives(), b.gives())
            && self.owners.is(mine, self.ways[0])
            && self.owners.is(others, self.ways[1])
            && !self.values.contains_key(&others)
            && matches!(
                (mine, others),
                (Value::Word(_), Value::Word(_)) | (Value::Set(_), Value::Set(_))
            )
            && self.taken.insert(mine)
        {
            self.values.insert(others, mine);
        }
        if let (Stmt::Loop(to, _), Stmt::Loop(label, _))
        | (Stmt::Block(to, _), Stmt::Block(label, _)) = (a, b)
        {
            self.labels.push((*label, *to));
        }
        for (a, b) in a.bodies().zip(b.bodies()) {
            self.meet(a, b);
        }
    }
}
