//! What is behind a drawn front: a function for each kind of fronts that goes over so many cells of the second run and writes the way
//! to the action that is there. In: the words of the path that the list has of the fronts, the cell and the number of cells. Out: the
//! words of the way to the match, and 1; or 0, when there is no match.

use crate::compile::kernel::fronts::{Fronts, Place, Way};
use crate::compile::kernel::fun::{Fun, NO, SV, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::program::kernel::{Bin, FuncId, Set, Stmt, W};
use crate::program::{Count, Square};

/// The way from a front on, as far as it is gone.
struct Gone {
    /// The direction.
    way: V,
    /// The next cell, counted from 1; 0 where the board ends.
    at: W,
    /// The cell before, counted from 1.
    before: W,
    /// The lengths of the runs so far.
    lengths: Vec<V>,
}

impl<'p> Lowerer<'p> {
    /// The functions that look behind fronts, one for each kind of fronts that lists have, in the order of their families.
    pub fn behind_fronts(&mut self) -> Vec<FuncId> {
        let all = std::mem::take(&mut self.fronts);
        let functions = all.iter().map(|(fronts, classes)| {
            self.f = Fun::new();
            self.behind_front(fronts, *classes);
            self.function("behind a front", Vec::new())
        });
        functions.collect()
    }

    fn behind_front(&mut self, fronts: &Fronts<'p>, classes: u32) {
        let [way, cells, cell, gone] = [Place::Direction, Place::Length, Place::Cell, Place::Gone]
            .map(|place| {
                self.f
                    .load(self.room.path, V::K(fronts.path + place as u64))
            });
        let way = self.f.bin(Bin::Sub, way, YES);
        let path = self.front_class(classes, 0);
        let (at, before) = (self.f.word(), self.f.word());
        let stride = self.stride(way);
        let first = self.f.bin(Bin::Sub, cell, stride);
        self.let_word(at, cell);
        self.let_word(before, first);
        let i = self.f.word();
        self.f.open();
        self.over_cell((at, before), path, way);
        let body = self.f.close();
        let (first, last) = (self.f.reg(YES), self.f.reg(gone));
        self.f.push(Stmt::ForNumbers(i, first, last, body));
        self.refuse_unless(V::R(at));
        if let Some(short) = &fronts.short {
            let here = self.f.bin(Bin::Sub, V::R(at), YES);
            let inside = self.f.has(&self.fixed, path, here);
            self.f.open();
            let length = self.f.bin(Bin::Add, gone, YES);
            let (low, high) = self.second_run(short, cells);
            self.refuse_outside(length, low, Some(high));
            self.write_way(fronts, short, way, &[cells, length], V::R(at));
            let body = self.f.close();
            self.f.when(inside, body);
        }
        let Some(long) = &fronts.long else {
            return self.f.ret(NO);
        };
        let (low, high) = self.second_run(long, cells);
        self.refuse_outside(gone, low, Some(high));
        let mut gone = Gone {
            way,
            at,
            before,
            lengths: vec![cells, gone],
        };
        for (nth, square) in (1..).zip(&long.picture.squares[2..]) {
            let class = self.front_class(classes, nth);
            self.over_square(long, square, class, &mut gone);
        }
        self.write_way(fronts, long, way, &gone.lengths, V::R(before));
    }

    /// A class that the list left, by its number.
    fn front_class(&mut self, classes: u32, nth: u64) -> SV {
        let place = self.f.place(classes, V::K(nth), self.room.words);
        self.f.make_set(Set::Load(place))
    }

    /// There is no match unless a truth holds.
    fn refuse_unless(&mut self, v: V) {
        let not = self.f.not(v);
        self.f.open();
        self.f.ret(NO);
        let body = self.f.close();
        self.f.when(not, body);
    }

    /// There is no match unless a number is one of those from one to another.
    fn refuse_outside(&mut self, number: V, low: V, high: Option<V>) {
        let mut fits = self.f.bin(Bin::AtMost, low, number);
        if let Some(high) = high {
            let under = self.f.bin(Bin::AtMost, number, high);
            fits = self.f.both(fits, under);
        }
        self.refuse_unless(fits);
    }

    /// Over one cell, which must be there and of a class.
    fn over_cell(&mut self, (at, before): (W, W), class: SV, way: V) {
        self.refuse_unless(V::R(at));
        let here = self.f.bin(Bin::Sub, V::R(at), YES);
        let inside = self.f.has(&self.fixed, class, here);
        self.refuse_unless(inside);
        self.on((at, before), here, way);
    }

    fn on(&mut self, (at, before): (W, W), here: V, way: V) {
        let next = self.step(here, way);
        self.let_word(before, V::R(at));
        self.let_word(at, next);
    }

    /// Over a square behind the second run.
    fn over_square(&mut self, long: &Way<'p>, square: &'p Square, class: SV, gone: &mut Gone) {
        let Square::Cells { count, whole, .. } = square else {
            return;
        };
        let words = (gone.at, gone.before);
        if *count == Count::One {
            return self.over_cell(words, class, gone.way);
        }
        if *whole {
            let before = self.f.bin(Bin::Sub, V::R(gone.before), YES);
            let inside = self.f.has(&self.fixed, class, before);
            let begins = self.f.not(inside);
            self.refuse_unless(begins);
        }
        let (length, run) = (self.f.word(), self.f.label());
        self.let_word(length, NO);
        self.f.open();
        self.leave_unless(V::R(gone.at), run);
        let here = self.f.bin(Bin::Sub, V::R(gone.at), YES);
        let inside = self.f.has(&self.fixed, class, here);
        self.leave_unless(inside, run);
        let longer = self.f.bin(Bin::Add, V::R(length), YES);
        self.let_word(length, longer);
        self.on(words, here, gone.way);
        let body = self.f.close();
        self.f.push(Stmt::Loop(run, body));
        let mut env = self.with_letter(long, gone.lengths[0]);
        let (low, high) = self.bounds(count, &mut env, crate::compile::kernel::lower::Cx::ANY);
        self.refuse_outside(V::R(length), low, high);
        gone.lengths.push(V::R(length));
    }

    /// Writes the way to a match, by the lengths of its runs and its last cell counted from 1.
    fn write_way(&mut self, fronts: &Fronts<'p>, of: &Way<'p>, way: V, lengths: &[V], last: V) {
        let direction = self.f.bin(Bin::Add, way, YES);
        let number = of.number.map(V::K);
        let words = number.into_iter().chain([direction]);
        let words = words.chain(lengths.iter().copied()).chain([last]);
        for (at, word) in (fronts.path..).zip(words.collect::<Vec<_>>()) {
            self.f.store(self.room.path, V::K(at), word);
        }
        self.f.ret(YES);
    }
}
