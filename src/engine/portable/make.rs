//! A function into flat code: blocks become jumps, fixed words and sets become places that are filled when the function
//! begins, and what is computed only for the next statement is done within it. Expressions are in `operands`.

use crate::engine::portable::code::{Call, Code, Ins, Op, R, Rare, SPAN};
use crate::engine::portable::scan::Scan;
use crate::program::kernel::{Fault, FuncId, Function, Kernel, Label, Place, S, Stmt, Value, W};

/// A position that is not known yet.
#[derive(Clone, Copy, Debug)]
pub struct Spot(u32);

/// Makes the code of one function.
#[derive(Debug)]
pub struct Maker<'k> {
    kernel: &'k Kernel,
    /// What is known of the function.
    pub scan: Scan,
    /// The code so far.
    pub code: Code,
    /// Whether fixed sets are filled in when the function begins.
    pub hoist: bool,
    spots: Vec<u32>,
    jumps: Vec<usize>,
    open: Vec<(Label, Spot)>,
}

/// The code of a function. Fixed sets are filled in at its beginning when `hoist` is set.
#[must_use]
pub fn make(kernel: &Kernel, function: &Function, hoist: bool) -> Code {
    let scan = Scan::of(function);
    let (words, sets) = (scan.words.len(), scan.sets.len());
    let fixed: Vec<u32> = match hoist {
        true => scan.fixed.iter().map(|id| id.0).collect(),
        false => Vec::new(),
    };
    let code = Code {
        words: words + scan.constants.len(),
        sets: sets + fixed.len(),
        constants: (words, scan.constants.clone()),
        fixed: (sets, fixed),
        ..Code::default()
    };
    let mut maker = Maker {
        kernel,
        scan,
        code,
        hoist,
        spots: Vec::new(),
        jumps: Vec::new(),
        open: Vec::new(),
    };
    maker.body(&function.body);
    let zero = maker.constant(0);
    maker.put(Op::Return(zero), 0);
    maker.finish()
}

/// Whether nothing goes on behind these statements.
fn ends(body: &[Stmt]) -> bool {
    matches!(
        body.last(),
        Some(Stmt::Leave(_) | Stmt::Return(_) | Stmt::Fault(_))
    )
}

impl Maker<'_> {
    /// The place of a word.
    pub fn w(&self, w: W) -> R {
        match self.scan.words.get(w.0 as usize).and_then(|u| u.always()) {
            Some(number) => (self.code.constants.0 + number) as R,
            None => w.0 as R,
        }
    }

    /// The place of a set.
    pub fn s(&self, s: S) -> R {
        let used = self.scan.sets.get(s.0 as usize);
        match used.and_then(|u| u.always()).filter(|_| self.hoist) {
            Some(number) => (self.code.fixed.0 + number) as R,
            None => s.0 as R,
        }
    }

    /// The place of a fixed word.
    pub fn constant(&self, value: u64) -> R {
        (self.code.constants.0 + self.scan.number(value).unwrap_or(0)) as R
    }

    /// Takes down an instruction.
    pub fn put(&mut self, op: Op, x: u32) {
        self.code.ins.push(Ins { op, x });
    }

    /// A place for a word that only the code knows.
    pub fn spare_word(&mut self) -> R {
        self.code.words += 1;
        (self.code.words - 1) as R
    }

    fn spare_set(&mut self) -> R {
        self.code.sets += 1;
        (self.code.sets - 1) as R
    }

    fn spot(&mut self) -> Spot {
        self.spots.push(0);
        Spot(self.spots.len() as u32 - 1)
    }

    fn set_spot(&mut self, spot: Spot) {
        self.spots[spot.0 as usize] = self.code.ins.len() as u32;
    }

    fn jump(&mut self, op: Op, to: Spot) {
        self.jumps.push(self.code.ins.len());
        self.put(op, to.0);
    }

    fn here(&mut self) -> Spot {
        let spot = self.spot();
        self.set_spot(spot);
        spot
    }

    /// Statements in order.
    pub fn body(&mut self, body: &[Stmt]) {
        let mut rest = body;
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            if let Some(next) = behind.first()
                && self.together(first, next)
            {
                rest = &behind[1..];
            } else {
                self.stmt(first);
            }
        }
    }

    /// Two statements at once, when the first is only for the second; whether that went.
    fn together(&mut self, first: &Stmt, next: &Stmt) -> bool {
        match (first, next) {
            (Stmt::Let(w, value), Stmt::If(on, then, other)) if w == on => {
                if !self.scan.words[w.0 as usize].passes() {
                    return false;
                }
                let Some((yes, no)) = self.test(value) else {
                    return false;
                };
                self.choice(yes, no, then, other);
                true
            }
            (Stmt::LetSet(s, value), Stmt::LetSet(to, next)) => {
                self.scan.sets[s.0 as usize].passes() && self.two_sets(*s, value, *to, next)
            }
            _ => false,
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(w, value) => self.word(*w, value),
            Stmt::LetSet(s, value) => self.set(*s, value),
            Stmt::Store(place, w) => {
                let w = self.w(*w);
                match place.index {
                    None => self.put(Op::Store(w), place.base),
                    Some((i, times)) => self.put(Op::StoreBy(self.w(i), w, times), place.base),
                }
            }
            Stmt::StoreSet(place, s) => {
                let s = self.s(*s);
                match place.index {
                    None => self.put(Op::SetStore(s), place.base),
                    Some((i, times)) => self.put(Op::SetStoreBy(self.w(i), s, times), place.base),
                }
            }
            Stmt::StoreLogged(place, w) => self.store_logged(place, *w),
            Stmt::Mark(w) => self.put(Op::Rare(Rare::Mark(self.w(*w))), 0),
            Stmt::Undo(w) => self.put(Op::Rare(Rare::Undo(self.w(*w))), 0),
            Stmt::If(w, then, other) => {
                let w = self.w(*w);
                self.choice(Op::IfTrue(w), Op::IfFalse(w), then, other);
            }
            Stmt::Switch(w, bodies) => self.switch(*w, bodies),
            Stmt::ForCells(w, s, body) => {
                let (left, w, s) = (self.spare_set(), self.w(*w), self.s(*s));
                self.repeat(Op::Cells(left, w, s), Op::NextCell(left, w), body);
            }
            Stmt::ForBits(w, of, body) => {
                let (left, w, of) = (self.spare_word(), self.w(*w), self.w(*of));
                self.repeat(Op::Bits(left, w, of), Op::NextBit(left, w), body);
            }
            Stmt::ForNumbers(w, from, to, body) => {
                let (at, last) = (self.spare_word(), self.spare_word());
                let (w, from, to) = (self.w(*w), self.w(*from), self.w(*to));
                let begin = Op::Numbers(at, last, w, from, to);
                self.repeat(begin, Op::NextNumber(at, last, w), body);
            }
            Stmt::Loop(label, body) => self.block(*label, body, true),
            Stmt::Block(label, body) => self.block(*label, body, false),
            Stmt::Leave(label) => match self.way_out(*label) {
                Some(spot) => self.jump(Op::Jump, spot),
                None => self.put(Op::Rare(Rare::Fault(Fault::Room)), 0),
            },
            Stmt::Call(f, arguments, result) => self.call(*f, arguments, *result),
            Stmt::Return(w) => self.put(Op::Return(self.w(*w)), 0),
            Stmt::Leaf(w) => self.put(Op::Rare(Rare::Leaf(self.w(*w))), 0),
            Stmt::Leaves(w, s, family) => {
                self.put(Op::Rare(Rare::Leaves(self.w(*w), self.s(*s))), *family);
            }
            Stmt::Tally(w) => self.put(Op::Tally(self.w(*w)), 0),
            Stmt::Note(all, pieces) => {
                self.put(Op::Rare(Rare::Note(self.w(*all), self.w(*pieces))), 0);
            }
            Stmt::Fault(fault) => self.put(Op::Rare(Rare::Fault(*fault)), 0),
        }
    }

    fn store_logged(&mut self, place: &Place, w: W) {
        let w = self.w(w);
        let Some((i, times)) = place.index else {
            return self.put(Op::Rare(Rare::StoreLogged(w)), place.base);
        };
        let mut i = self.w(i);
        if times != 1 {
            let scaled = self.spare_word();
            self.put(Op::Scale(scaled, i, times), 0);
            i = scaled;
        }
        self.put(Op::Rare(Rare::StoreLoggedAt(i, w)), place.base);
    }

    fn way_out(&self, label: Label) -> Option<Spot> {
        let open = self.open.iter().rfind(|(l, _)| *l == label)?;
        Some(open.1)
    }

    /// Statements for either case: a jump for when the condition holds, one for when not.
    fn choice(&mut self, yes: Op, no: Op, then: &[Stmt], other: &[Stmt]) {
        if let [Stmt::Leave(label)] = then
            && let Some(out) = self.way_out(*label)
        {
            self.jump(yes, out);
            return self.body(other);
        }
        if let ([], [Stmt::Leave(label)]) = (then, other)
            && let Some(out) = self.way_out(*label)
        {
            return self.jump(no, out);
        }
        let end = self.spot();
        if then.is_empty() {
            self.jump(yes, end);
            self.body(other);
        } else if other.is_empty() {
            self.jump(no, end);
            self.body(then);
        } else {
            let second = self.spot();
            self.jump(no, second);
            self.body(then);
            if !ends(then) {
                self.jump(Op::Jump, end);
            }
            self.set_spot(second);
            self.body(other);
        }
        self.set_spot(end);
    }

    fn switch(&mut self, w: W, bodies: &[Vec<Stmt>]) {
        let first = self.code.targets.len();
        let spots: Vec<Spot> = bodies.iter().map(|_| self.spot()).collect();
        self.code.targets.extend(spots.iter().map(|s| s.0));
        self.put(Op::Switch(self.w(w), bodies.len() as u32), first as u32);
        let end = self.spot();
        self.jump(Op::Jump, end);
        for (spot, body) in spots.into_iter().zip(bodies) {
            self.set_spot(spot);
            self.body(body);
            if !ends(body) {
                self.jump(Op::Jump, end);
            }
        }
        self.set_spot(end);
    }

    /// A loop: what begins it and jumps behind it when there is nothing, and what ends a round and jumps back.
    fn repeat(&mut self, begin: Op, next: Op, body: &[Stmt]) {
        let end = self.spot();
        self.jump(begin, end);
        let top = self.here();
        self.body(body);
        self.jump(next, top);
        self.set_spot(end);
    }

    fn block(&mut self, label: Label, body: &[Stmt], again: bool) {
        let end = self.spot();
        let top = self.here();
        self.open.push((label, end));
        self.body(body);
        self.open.pop();
        if again && !ends(body) {
            self.jump(Op::Jump, top);
        }
        self.set_spot(end);
    }

    fn call(&mut self, function: FuncId, arguments: &[Value], result: Option<W>) {
        let Some(callee) = self.kernel.functions.get(function.0 as usize) else {
            return self.put(Op::Rare(Rare::Fault(Fault::Calls)), 0);
        };
        let mut call = Call {
            function: function.0 as usize,
            words: Vec::new(),
            sets: Vec::new(),
            result: result.map(|w| self.w(w)),
        };
        for (argument, param) in arguments.iter().zip(&callee.params) {
            match (*argument, *param) {
                (Value::Word(from), Value::Word(to)) => call.words.push((self.w(from), to.0 as R)),
                (Value::Set(from), Value::Set(to)) => call.sets.push((self.s(from), to.0 as R)),
                (Value::Word(_), Value::Set(_)) | (Value::Set(_), Value::Word(_)) => {}
            }
        }
        self.put(Op::Call, self.code.calls.len() as u32);
        self.code.calls.push(call);
    }

    /// Turns spots into positions.
    fn finish(mut self) -> Code {
        if self.code.words > SPAN || self.code.sets > SPAN {
            let op = Op::Rare(Rare::Fault(Fault::Room));
            return Code {
                ins: vec![Ins { op, x: 0 }],
                ..Code::default()
            };
        }
        for target in &mut self.code.targets {
            *target = self.spots[*target as usize];
        }
        for at in self.jumps {
            let mut to = self.spots[self.code.ins[at].x as usize];
            // A jump to a jump goes at once where that goes. Up to here they have positions, behind here still spots.
            for _ in 0..4 {
                match self.code.ins.get(to as usize) {
                    Some(Ins { op: Op::Jump, x }) if (to as usize) < at => to = *x,
                    Some(Ins { op: Op::Jump, x }) if to as usize > at => {
                        to = self.spots[*x as usize];
                    }
                    _ => break,
                }
            }
            self.code.ins[at].x = to;
        }
        self.code
    }
}
