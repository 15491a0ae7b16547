//! Pictures that begin with a run, in random games: only where their first runs end is listed, and how far the second run goes is
//! drawn with the action. In: pictures that are followed along lanes (`lanes`). Out: for each direction and length of the first run
//! the set of the cells behind it, its fronts, which stands for as many actions as there are cells that the second run may have
//! before something else comes; and a function that looks on from a drawn front and writes the way to the action, or finds that there is
//! none (`behind`), so that another is drawn: von Neumann's rejection. Before: every match is listed. After: every match is listed
//! once, and what is none may be listed as well. Conditions: a kernel for random games; no two actions of the game may have one
//! text; each front and number of cells is one match at most, which is so where one picture ends with its second run, and of another
//! what follows that run is a class of its own, and all squares from there on take as many cells as they can.

mod behind;
mod listed;

use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::{NO, V, YES};
use crate::compile::kernel::lanes::Thread;
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::program::{Count, Num, Picture, Square, VarId};

/// Pictures whose fronts are listed together.
#[derive(Clone, PartialEq)]
pub struct Fronts<'p> {
    /// The picture that ends with its second run.
    short: Option<Way<'p>>,
    /// The picture that goes on behind that.
    long: Option<Way<'p>>,
    /// The first word of the path that is theirs.
    path: u64,
}

/// A picture whose fronts are listed.
#[derive(Clone, PartialEq)]
struct Way<'p> {
    picture: &'p Picture,
    /// Its number, where the path has one.
    number: Option<u64>,
    /// How many cells its first run has.
    letter: VarId,
}

/// Where the path has what tells an action behind a front, from the first word of fronts on: the direction counted from 1, the length
/// of the first run, the drawn cell counted from 1, and before how many cells of the second run something else comes.
#[derive(Clone, Copy)]
pub enum Place {
    Direction,
    Length,
    Cell,
    Gone,
}

/// A number that follows from a letter and fixed numbers, by that letter.
fn value(n: &Num, letter: VarId, of: i64) -> Option<i64> {
    let both = |a, b| Some((value(a, letter, of)?, value(b, letter, of)?));
    match n {
        Num::Const(k) => Some(*k),
        Num::Var(v) => (*v == letter).then_some(of),
        Num::Add(a, b) => both(a, b).map(|(a, b)| a.saturating_add(b)),
        Num::Sub(a, b) => both(a, b).map(|(a, b)| a.saturating_sub(b)),
        Num::Mul(a, b) => both(a, b).map(|(a, b)| a.saturating_mul(b)),
        _ => None,
    }
}

impl<'p> Lowerer<'p> {
    /// The pictures, when their fronts can be listed instead of their matches.
    pub fn fronts_of(&mut self, all: &[Thread<'p>], cx: Cx) -> Option<Fronts<'p>> {
        let mut env = all.first()?.env.clone();
        if cx.mode != Mode::Candidates || !self.lists_fronts || !self.hooks.is_empty() {
            return None;
        }
        let V::K(path) = self.word(self.slots.path, &mut env) else {
            return None;
        };
        let mut fronts = Fronts {
            short: None,
            long: None,
            path,
        };
        for (number, thread) in (0..).zip(all) {
            let m = &thread.m;
            let way = Way {
                picture: m.picture,
                number: (all.len() > 1).then_some(number),
                letter: Self::letter_of_fronts(m)?,
            };
            let place = match m.picture.squares.len() {
                // A run alone goes nowhere.
                0 | 1 => return None,
                2 => &mut fronts.short,
                _ => &mut fronts.long,
            };
            if m.classes[..2] != all[0].m.classes[..2] || place.replace(way).is_some() {
                return None;
            }
        }
        Some(fronts)
    }

    /// How many cells the first run of a picture has, when its fronts can be listed.
    fn letter_of_fronts(m: &Match<'p>) -> Option<VarId> {
        let mut letter = None;
        for (at, square) in m.picture.squares.iter().enumerate() {
            let Square::Cells { count, whole, .. } = square else {
                return None;
            };
            let within = |n: &Num| letter.is_some_and(|letter| value(n, letter, 1).is_some());
            let bounded = match count {
                Count::Between(low, high) => within(low) && high.as_ref().is_none_or(within),
                Count::One | Count::New(_) => true,
            };
            let fits = match (at, count) {
                (0, Count::New(new)) => {
                    letter = Some(*new);
                    !*whole
                }
                (1, Count::Between(_, Some(_))) => !*whole,
                (0 | 1, _) => false,
                (_, Count::One) => true,
                _ if *whole => Self::has_one(count),
                _ => Self::is_greedy(m, at),
            };
            let parted = at != 2 || (m.facts[1].excludes(m.facts[2]) && Self::has_one(count));
            if !bounded || !fits || !parted {
                return None;
            }
        }
        letter
    }

    /// The least and the most cells of the second run, by those of the first.
    fn second_run(&mut self, way: &Way<'p>, cells: V) -> (V, V) {
        let mut env = self.with_letter(way, cells);
        match way.picture.squares.get(1) {
            Some(Square::Cells { count, .. }) => {
                let (low, high) = self.bounds(count, &mut env, Cx::ANY);
                (low, high.unwrap_or(NO))
            }
            _ => (YES, NO),
        }
    }

    /// What is known where the first run of a picture has so many cells.
    fn with_letter(&mut self, way: &Way<'p>, cells: V) -> Env {
        let mut env = Env::default();
        if let Some(slot) = self.slot_of(way.letter, 0) {
            self.put(slot, Bind::Word(cells), &mut env);
        }
        env
    }
}
