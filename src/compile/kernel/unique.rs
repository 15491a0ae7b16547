//! Whether an action's text tells the way to it. Choices are remembered until a notation tells them; what is left at the end
//! of an action makes it doubtful, and then the actions' texts are compared when they are listed.

use crate::board::{Board, Directions};
use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::fun::{NONE, SV, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::points::leads;
use crate::program::kernel::{Bin, Set, Stmt};
use crate::program::{CellExpr, Cells, Domain, Op, Pc, Value};

/// A choice that a text has to tell.
#[derive(Clone, PartialEq, Debug)]
pub enum Choice {
    /// A word, wherever it stands: a cell counted from 0, a number, a direction or kind counted from 1; and the sets that a cell
    /// was chosen from.
    Word(Vec<V>, Vec<SV>),
    /// A fixed word that a variable was given.
    Fixed(Slot, u64),
    /// A part.
    Part(SV),
    /// A match of a picture.
    Match(Ray),
}

/// Doubt about an action by itself; the other bits are for ways of branches, which are in doubt only with one another.
pub const SURE_DOUBT: u64 = 1 << 63;

/// What a text has to tell of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Ray {
    /// The direction, from 0.
    pub way: V,
    /// The word that the direction was taken from.
    pub word: Option<V>,
    /// The variable that it was given to, where it is fixed.
    pub named: Option<(Slot, u64)>,
    /// The cells and runs in order: first cell, length of a run, whether more than one length may fit from what is known before.
    pub cells: Vec<(V, Option<V>, bool)>,
    /// Whether a notation names the direction.
    pub way_told: bool,
    /// Whether there is only one direction.
    pub one_way: bool,
    /// Whether each cell of it tells the one before.
    pub goes_back: bool,
    /// Whether two of its cells tell the direction.
    pub parts: bool,
    /// The runs that have two cells at least, as bits: both ends of one tell the direction as well.
    pub long: u64,
    /// The runs that are whole, as bits.
    pub whole: u64,
    /// Whether it goes on to the edge.
    pub to_edge: bool,
    /// Whether its first cell and its last tell how long its runs are.
    pub ends_tell: bool,
    /// The sets that the first cell is from.
    pub from: Vec<SV>,
    /// Whether its first cell follows from what was chosen before.
    pub anchored: bool,
    /// Whether its direction does.
    pub along: bool,
}

/// What a text tells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Told {
    /// A word.
    Word(V),
    /// The last cell of a run: its first cell and length.
    End(V, V),
    /// The first cell of a set.
    First(SV),
    /// The fixed word of a variable.
    Fixed(Slot, u64),
}

impl<'p> Lowerer<'p> {
    /// Whether actions are told apart in a mode.
    pub fn tells_apart(cx: Cx) -> bool {
        !cx.acted && cx.mode.is_for_all()
    }

    /// Remembers a choice.
    pub fn remember(&mut self, choice: Choice, env: &mut Env, cx: Cx) {
        if Self::tells_apart(cx) {
            env.choices.push(choice);
        } else if cx.acted && cx.mode.is_for_all() {
            env.doubt |= SURE_DOUBT;
        }
    }

    /// Remembers that a word that gets a name is the last cell of a run, so that who tells it tells where the run ends.
    pub fn note_run_end(&mut self, value: &Value, bind: &Bind, env: &mut Env) {
        if let Value::Cell(CellExpr::RunLast(run)) = value
            && let Bind::Cell(end @ V::R(_)) | Bind::Word(end @ V::R(_)) = bind
            && let Ok(run) = self.run_of(*run, env)
            && run.some
        {
            env.run_ends.push((*end, run.start, run.length));
        }
    }

    /// Forgets choices that are told.
    pub fn settle(&mut self, env: &mut Env) {
        loop {
            let before = (env.choices.len(), env.told.len());
            let choices = std::mem::take(&mut env.choices);
            for choice in choices {
                let follows = env.choices.is_empty();
                if !self.is_told(&choice, &mut env.told, follows) {
                    env.choices.push(choice);
                }
            }
            // Where a run begins and how long it is tell where it ends.
            for (end, start, length) in &env.run_ends {
                let known = |v: &V| matches!(v, V::K(_)) || env.told.contains(&Told::Word(*v));
                if known(start) && known(length) && !known(end) {
                    env.told.push(Told::Word(*end));
                }
            }
            if before == (env.choices.len(), env.told.len()) {
                return;
            }
        }
    }

    /// Whether a choice is told, and what that tells; `follows` if all that was chosen before is told, and what follows from it.
    pub fn is_told(&self, choice: &Choice, told: &mut Vec<Told>, follows: bool) -> bool {
        match choice {
            Choice::Word(v, from) => {
                let known = v
                    .iter()
                    .any(|v| matches!(v, V::K(_)) || told.contains(&Told::Word(*v)));
                if known {
                    // The set that it was chosen from is known, when it is one of several parts.
                    let sets = from.iter().map(|s| Told::First(*s));
                    let new: Vec<Told> = sets.filter(|t| !told.contains(t)).collect();
                    told.extend(new);
                }
                known
            }
            Choice::Fixed(slot, k) => told.contains(&Told::Fixed(*slot, *k)),
            Choice::Part(set) => told.contains(&Told::First(*set)),
            Choice::Match(ray) => self.is_match_told(ray, told, follows),
        }
    }

    /// The same of a match.
    fn is_match_told(&self, ray: &Ray, told: &mut Vec<Told>, follows: bool) -> bool {
        let Some((anchor, ..)) = ray.cells.first() else {
            return false;
        };
        let placed = follows
            || !ray.anchored
            || matches!(anchor, V::K(_))
            || told.contains(&Told::Word(*anchor));
        // Where it begins may follow from the direction that was chosen, and then does not tell it.
        let begins = |told: &[Told], at: usize| {
            let (first, ..) = ray.cells[at];
            matches!(first, V::K(_))
                || at == 0 && ray.anchored && (placed || !ray.along)
                || told.contains(&Told::Word(first))
        };
        let known = |told: &[Told], at: usize| {
            let (first, length, _) = ray.cells[at];
            let start = begins(told, at);
            let end = length.is_some_and(|l| told.contains(&Told::End(first, l)));
            start || end
        };
        let places: Vec<usize> = (0..ray.cells.len()).filter(|at| known(told, *at)).collect();
        let both_ends = |at: &usize| {
            let (first, length, _) = ray.cells[*at];
            ray.long >> (*at).min(63) & 1 == 1
                && told.contains(&Told::Word(first))
                && length.is_some_and(|l| told.contains(&Told::End(first, l)))
        };
        let way_known = ray.one_way
            || (ray.parts && places.iter().any(both_ends))
            || told.contains(&Told::Word(ray.way))
            || ray.word.is_some_and(|w| told.contains(&Told::Word(w)))
            || ray
                .named
                .is_some_and(|(slot, k)| told.contains(&Told::Fixed(slot, k)))
            || (places.len() > 1 && ray.parts);
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return false;
        };
        // Before the first known cell nothing may be open, and behind the last only what has one length.
        let length_told = |length: Option<V>| {
            length.is_some_and(|l| matches!(l, V::K(_)) || told.contains(&Told::Word(l)))
        };
        let is_open = |c: &&(V, Option<V>, bool)| c.2 && !length_told(c.1);
        let open = |range: &[(V, Option<V>, bool)]| range.iter().filter(is_open).count();
        let fixed = |at: usize| {
            let (_, length, _) = ray.cells[at];
            let whole = at < 64 && ray.whole >> at & 1 == 1;
            length.is_none() || length_told(length) || whole
        };
        let back = ray.goes_back && (0..*first).all(fixed);
        // Of a run that only its end is told of it must be told how long it is.
        let (_, length, _) = ray.cells[*first];
        let told_start = begins(told, *first);
        let told_length =
            length.is_none_or(|l| matches!(l, V::K(_)) || told.contains(&Told::Word(l)));
        if !told_start && !told_length {
            return false;
        }
        // A run whose last cell is told ends there.
        let (start, length, _) = ray.cells[*last];
        let ended = length.is_some_and(|l| told.contains(&Told::End(start, l)));
        let until = *last + usize::from(ended);
        let ends = open(&ray.cells[until..]) == 0
            && open(&ray.cells[..until]) <= usize::from(*first != *last || ended);
        // One run is as long as what is left of the row, if nothing behind it may be longer or shorter.
        let settled = |c: &(V, Option<V>, bool)| c.1.is_none() || length_told(c.1);
        let fills = ray.to_edge
            && (ray.cells.iter().position(|c| is_open(&c)))
                .is_none_or(|at| ray.cells[at + 1..].iter().all(settled));
        let told_last = length.is_none() || ended;
        let spans =
            ray.ends_tell && *first == 0 && told_start && told_last && *last + 1 == ray.cells.len();
        let sound = way_known && (*first == 0 || back) && (ends || fills || spans);
        if sound {
            for (v, length, _) in ray.cells.iter().filter(|_| placed) {
                told.push(Told::Word(*v));
                told.extend(length.map(Told::Word));
            }
            told.push(Told::Word(ray.way));
            told.extend(ray.word.map(Told::Word));
            if let V::R(_) = ray.way {
                told.extend(ray.from.iter().map(|s| Told::First(*s)));
            }
            let sets: Vec<Told> = ray.from.iter().map(|s| Told::First(*s)).collect();
            told.extend(sets);
            told.dedup();
        }
        sound
    }

    /// An action is complete: what its text has not told, it never will.
    pub fn close_choices(&mut self, env: &mut Env, cx: Cx) {
        if Self::tells_apart(cx) {
            self.settle(env);
            for choice in std::mem::take(&mut env.choices) {
                match self.sole_start(&choice, env) {
                    Some(set) => self.doubt_if_several(set),
                    None => env.doubt |= SURE_DOUBT,
                }
            }
        }
    }

    /// When nothing but the last cell tells an action, and only the part that it was chosen beside is left untold: puts the list in
    /// doubt where two parts have that cell in common. False when it is not so; then nothing is written.
    pub fn overlap_doubts(&mut self, cell: V, set: SV, next: Pc, env: &mut Env, cx: Cx) -> bool {
        if !Self::tells_apart(cx) || !self.untold_at_start || !self.follows_part(next) {
            return false;
        }
        self.settle(env);
        let [Choice::Part(_)] = env.choices.as_slice() else {
            return false;
        };
        if !env.told.contains(&Told::Word(cell)) {
            return false;
        }
        env.choices.clear();
        self.doubts = true;
        let all = self.f.set();
        let none = self.f.sreg(NONE);
        self.f.prelude.push(Stmt::LetSet(all, Set::Copy(none)));
        let both = self.f.and(&mut self.fixed, SV::R(all), set);
        let common = self.f.some(&self.fixed, both);
        let doubt = self.f.bin(Bin::Shl, common, V::K(63));
        self.add_doubt(doubt);
        let more = self.f.or(&mut self.fixed, SV::R(all), set);
        let more = self.f.sreg(more);
        self.f.push(Stmt::LetSet(all, Set::Copy(more)));
        true
    }

    /// Whether an instruction comes right after the choice of a part and one more choice.
    fn follows_part(&self, next: Pc) -> bool {
        let mut at = next.0 as usize - 1;
        for _ in 0..8 {
            let before = |from: &usize| leads(&self.program.code[*from], *from, at);
            let mut ways = (0..self.program.code.len()).filter(before);
            let (Some(from), None) = (ways.next(), ways.next()) else {
                return false;
            };
            match &self.program.code[from] {
                Op::Choose(_, Domain::Parts(_)) => return true,
                Op::Let(..) | Op::Clear(_) | Op::Open(_) | Op::Jump(_) | Op::Require(..) => {
                    at = from
                }
                _ => return false,
            }
        }
        false
    }

    /// The set that a cell is from, or the first cell of a match, when the choice would be told if that set had one cell only.
    fn sole_start(&self, choice: &Choice, env: &Env) -> Option<SV> {
        let ray = match choice {
            Choice::Match(ray) => ray,
            Choice::Word(_, from) => return from.first().copied(),
            Choice::Fixed(..) | Choice::Part(_) => return None,
        };
        let mut told = env.told.clone();
        told.push(Told::Word(ray.cells.first()?.0));
        let set = *ray.from.first()?;
        self.is_told(choice, &mut told, true).then_some(set)
    }

    /// Puts the action in doubt when a set has several cells.
    fn doubt_if_several(&mut self, set: SV) {
        self.doubts = true;
        let count = self.f.count(&self.fixed, set);
        let several = self.f.bin(Bin::Less, V::K(1), count);
        let doubt = self.f.bin(Bin::Shl, several, V::K(63));
        self.add_doubt(doubt);
    }

    fn add_doubt(&mut self, doubt: V) {
        let before = self.f.load(self.room.doubt, V::K(0));
        let all = self.f.bin(Bin::Or, before, doubt);
        self.f.store(self.room.doubt, V::K(0), all);
    }

    /// At a leaf: whether the action may have the text of another.
    pub fn note_doubt(&mut self, env: &mut Env) {
        self.settle(env);
        if !env.choices.is_empty() || self.program.collisions.within {
            env.doubt |= SURE_DOUBT;
        }
        if env.doubt != 0 {
            self.doubts = true;
            self.add_doubt(V::K(env.doubt));
        }
    }

    /// The sets that a domain is cut from, when it is a set or sets in common.
    pub fn drawn_from(&mut self, set: &'p Cells, env: &mut Env) -> Vec<SV> {
        match set {
            Cells::And(a, b) => {
                let mut all = self.drawn_from(a, env);
                all.extend(self.drawn_from(b, env));
                all
            }
            Cells::Var(v) => match self.slot_of(*v, 0).map(|s| self.get(s, env)) {
                Some(Bind::Set(s)) => vec![s],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// Whether from no cell two of some directions come to the same cell, however far.
pub fn rays_part(board: &Board, ways: Directions) -> bool {
    board.cells().iter().all(|c| {
        let mut met = crate::board::Cells::EMPTY;
        ways.iter().all(|d| {
            let mut next = board.step(c, d);
            let mut fresh = true;
            let mut steps = 0;
            while let Some(n) = next {
                fresh &= !met.contains(n) && n != c;
                met.insert(n);
                steps += 1;
                next = board.step(n, d).filter(|_| fresh && steps <= board.len());
            }
            fresh
        })
    })
}
