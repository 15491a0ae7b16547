//! Where ways part: for all cells together by what is found out when it is run, or the cells from one another by sets of them.

use crate::compile::kernel::fun::{NO, V};
use crate::compile::kernel::summed::state::{Around, State};
use crate::compile::kernel::summed::values::{Num, Read, Test};
use crate::compile::kernel::summed::walk::{Next, Walk};
use crate::compile::kernel::summed::writer::Pointwise;
use crate::program::kernel::{Bin, Stmt, W, falls};

impl<'k> Walk<'k> {
    /// One way or the other.
    pub fn branch(
        &mut self,
        w: W,
        (yes, no): (&'k [Stmt], &'k [Stmt]),
        stmt: &'k Stmt,
        mut state: State<'k>,
    ) -> Next<'k> {
        let num = state.env.num(w);
        let test = self.writer.test(&num);
        if let Test::Known(holds) = test {
            state.enter(if holds { yes } else { no }, Around::Branch, None);
            return Next::On(state);
        }
        if matches!(test, Test::Unknown) {
            return self.left_over(&state);
        }
        // Where nothing follows they meet further out.
        let meets = falls(yes) && falls(no) && !state.code.is_empty();
        let meeting = meets.then(|| {
            let read = self.read_behind(stmt, state.function);
            self.open_meeting(read, state.clone())
        });
        let mut otherwise = state.clone();
        state.enter(yes, Around::Branch, meeting);
        otherwise.enter(no, Around::Branch, meeting);
        match test {
            Test::Same(w) => {
                self.writer.open();
                self.writer.know_truth(w, true);
                self.walk(state);
                let yes = self.writer.close();
                self.writer.open();
                self.writer.know_truth(w, false);
                self.walk(otherwise);
                let no = self.writer.close();
                self.writer.push(Stmt::If(w, yes, no));
            }
            Test::Cells(holds) => {
                let cells = state.cells;
                let yes = self.writer.point(cells, holds, Pointwise::And);
                let no = self.writer.point(cells, holds, Pointwise::Without);
                self.with(state, yes, |writer| writer.know_side(holds, true));
                self.with(otherwise, no, |writer| writer.know_side(holds, false));
            }
            Test::Known(_) | Test::Unknown => {}
        }
        if meeting.is_some() {
            self.close_meeting();
        }
        Next::Done
    }

    /// The way of a number.
    pub fn switch(
        &mut self,
        w: W,
        bodies: &'k [Vec<Stmt>],
        (stmt, here): (&'k Stmt, &'k [Stmt]),
        mut state: State<'k>,
    ) -> Next<'k> {
        let num = state.env.num(w);
        let Num::Same(v) = num else {
            let Some(regions) = self.writer.regions(&num) else {
                return self.left_over(&state);
            };
            for (cells, v) in regions {
                let mut part = state.clone();
                part.code = here;
                part.give(w, Num::Same(v));
                self.with(part, cells, |_| {});
            }
            return Next::Done;
        };
        let of = match self.writer.get(v) {
            V::K(k) => {
                let body = usize::try_from(k).ok().and_then(|k| bodies.get(k));
                if let Some(body) = body {
                    state.enter(body, Around::Branch, None);
                }
                return Next::On(state);
            }
            V::R(of) => of,
        };
        if let Some((test, a, b)) = self.writer.chosen(of) {
            self.writer.open();
            self.writer.know_truth(test, true);
            let mut way = state.clone();
            (way.code, self.writer.cells) = (here, state.cells);
            way.give(w, Num::Same(V::K(a)));
            self.walk(way);
            let yes = self.writer.close();
            self.writer.open();
            self.writer.know_truth(test, false);
            state.code = here;
            state.give(w, Num::Same(V::K(b)));
            self.walk(state);
            let no = self.writer.close();
            self.writer.push(Stmt::If(test, yes, no));
            return Next::Done;
        }
        let several = bodies.iter().filter(|body| falls(body)).count() > 1;
        let meeting = (several && !state.code.is_empty()).then(|| {
            let read = self.read_behind(stmt, state.function);
            self.open_meeting(read, state.clone())
        });
        let sure = self.writer.is_truth(v) && bodies.len() > 1;
        let not_below = self.writer.of_two(Bin::AtMost, NO, v);
        let below = self.writer.of_two(Bin::Less, v, V::K(bodies.len() as u64));
        let both = self.writer.of_two(Bin::And, not_below, below);
        let mut ways = Vec::new();
        for (k, body) in bodies.iter().enumerate() {
            let mut way = state.clone();
            way.enter(body, Around::Branch, meeting);
            self.writer.open();
            self.writer.know(of, k as u64);
            self.walk(way);
            ways.push(self.writer.close());
        }
        let switch = Stmt::Switch(of, ways);
        if sure {
            self.writer.push(switch);
        } else {
            self.writer.open();
            self.left_over(&state);
            let other = self.writer.close();
            let both = self.writer.f.reg(both);
            self.writer.push(Stmt::If(both, vec![switch], other));
        }
        if meeting.is_some() {
            self.close_meeting();
        }
        Next::Done
    }
}
