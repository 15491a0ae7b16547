//! The ways of two players in a drawn game become one, which does the same: where they differ in places and constants only, and
//! where some statements are others.

use super::{Other, draw, expected};
use crate::common::slow;
use gambol::compile::kernel::sides;
use gambol::program::kernel::{
    Bin, Body, Entry, FuncId, Function, Kernel, Label, Place, Renumber, S, Stmt, W, Word, dump,
};

/// So far apart are the labels of two ways.
const LABELS: u32 = 1000;

/// Numbers of which no two ways have the same.
struct Apart {
    words: u32,
    sets: u32,
    labels: u32,
}

impl Renumber for Apart {
    fn word(&mut self, w: W) -> W {
        W(w.0 + self.words)
    }

    fn set(&mut self, s: S) -> S {
        S(s.0 + self.sets)
    }
}

impl Apart {
    fn body(&mut self, body: &mut Body) {
        for stmt in body {
            stmt.renumber_reads(self);
            stmt.renumber_gives(self);
            if let Stmt::Loop(l, _) | Stmt::Block(l, _) | Stmt::Leave(l) = stmt {
                *l = Label(l.0 + self.labels);
            }
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
        }
    }
}

/// A drawn kernel for two players with a game that switches by a word of memory between two ways, and by another between four.
fn game(seed: u64) -> (Kernel, gambol::engine::executor::Frame) {
    let (mut kernel, frame, _) = draw::kernel(seed);
    let many = kernel.functions.len() as u32;
    let mut dice = draw::Dice(!seed);
    let swapped = [0; 2].map(|_| dice.below(8) as u32);
    let mut other = Other { swapped, dice };
    for at in 0..many as usize {
        let mut function = kernel.functions[at].clone();
        other.body(&mut function.body, many, false);
        kernel.functions.push(function);
    }
    let first = kernel.functions[0].clone();
    let mut number = 0;
    let mut way = |changed: bool| {
        let mut body = first.body.clone();
        if changed {
            other.body(&mut body, many, false);
        }
        number += 1;
        let mut apart = Apart {
            words: number * first.words,
            sets: number * first.sets,
            labels: number * LABELS,
        };
        apart.body(&mut body);
        body
    };
    let (two, four) = (
        [false, true].map(&mut way),
        [false, false, true, true].map(&mut way),
    );
    let [player, which, three, end] = [0, 1, 2, 3].map(|i| W(7 * first.words + i));
    let load = |base| Word::Load(Place { base, index: None });
    let round = vec![
        Stmt::Let(player, load(0)),
        Stmt::Switch(player, two.to_vec()),
        Stmt::Let(which, load(1)),
        Stmt::Let(three, Word::Const(3)),
        Stmt::Let(which, Word::Bin(Bin::And, which, three)),
        Stmt::Switch(which, four.to_vec()),
        Stmt::Let(end, load(2)),
        Stmt::Return(end),
    ];
    kernel.functions.push(Function {
        name: "game".to_owned(),
        params: Vec::new(),
        words: 7 * first.words + 4,
        sets: 7 * first.sets,
        body: vec![Stmt::Loop(Label(0), round)],
    });
    let entry = |of: u32| Entry {
        list: FuncId(of),
        play: FuncId(of),
        counting: None,
    };
    kernel.game = Some(FuncId(2 * many));
    kernel.turn = vec![FuncId(0), FuncId(many)];
    kernel.entries = vec![vec![entry(0); 2], vec![entry(many); 2]];
    kernel.ends = vec![[None; 3]; 2];
    kernel.moving = vec![None; 2];
    kernel.scores = vec![Vec::new(); 2];
    (kernel, frame)
}

#[test]
fn ways_of_two_players_in_a_game_become_one() {
    let (mut same, mut joined) = (0, [0; 2]);
    let drawn: usize = if slow() { 200 } else { 20 };
    for seed in 0..drawn as u64 {
        let (kernel, mut frame) = game(seed);
        let mut shared = kernel.clone();
        sides::share(&mut shared, &[], sides::For::Soon);
        let written = dump(&shared);
        let game = written.split("function game").nth(1).unwrap_or("");
        let switches = game.matches("switch").count();
        let before = dump(&kernel);
        let before = before.split("function game").nth(1).unwrap_or("");
        joined[0] += usize::from(switches < before.matches("switch").count());
        joined[1] += usize::from(game.len() * 10 < before.len() * 7);
        for (player, which) in [(0, 0), (0, 1), (1, 2), (1, 3)] {
            (frame.mem[0], frame.mem[1]) = (player, which);
            let id = kernel.game.unwrap();
            let answers = [&kernel, &shared]
                .map(|kernel| expected(kernel, &frame, &[id]).and_then(|mut a| a.pop()));
            let [Some((result, mut mem)), Some((found, mut other))] = answers else {
                continue;
            };
            let (fault, fuel) = (kernel.room.fault as usize, kernel.room.fuel as usize);
            if mem[fault] != 0 || other[fault] != 0 {
                continue;
            }
            // Who is asked for a player asks what both have: one call more.
            (mem[fuel], other[fuel]) = (0, 0);
            assert!(
                found == result && mem == other,
                "seed {seed}, player {player}, way {which}: {found} for {result}, at {:?}\n{}\nand shared\n{}",
                (0..mem.len()).find(|i| mem[*i] != other[*i]),
                dump(&kernel),
                dump(&shared)
            );
            same += 1;
        }
    }
    assert!(
        same > drawn && joined[0] * 5 > drawn && joined[1] * 8 > drawn,
        "{same} answers of {drawn} games, {joined:?} joined"
    );
}
