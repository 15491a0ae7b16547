//! Runs that end an action: every length that fits is an action of its own, and all of them are taken down at once.

use crate::board::{Cell, Cells};
use crate::compile::kernel::env::{Bind, Env, RunBind};
use crate::compile::kernel::fun::{SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::Bin;
use crate::program::{Count, Num, Pc, Square, VarId, num_vars};
use std::rc::Rc;

impl<'p> Lowerer<'p> {
    /// Whether after a run, which is the last square of a picture, nothing is chosen or asked any more before the action is
    /// complete: in candidates, but for what is asked of the one that is played.
    pub fn is_last_choice(&self, m: &Match<'p>, index: usize, low: V, cx: Cx) -> bool {
        let lists = cx.mode.lists() && !cx.acted;
        let last = index + 1 == m.picture.squares.len();
        let some = matches!(low, V::K(n) if n >= 1);
        lists
            && last
            && some
            && self.sees_rays()
            && !self.tells_end(m.picture)
            && self.is_free(m.then, cx)
    }

    /// Whether nothing more is chosen or asked from an instruction to the end of the action.
    pub fn is_free(&self, at: Pc, cx: Cx) -> bool {
        let later = |test| cx.mode == Mode::Candidates && self.is_heavy(test, cx);
        let tests = self.requirements(at, cx);
        tests.is_some_and(|all| all.into_iter().all(|(_, test)| later(test)))
    }

    /// All lengths of the last run of a picture, from the least to the longest that fits. False when something is asked of them;
    /// then nothing is written.
    #[allow(clippy::too_many_arguments, reason = "a square and where it is")]
    pub fn span(
        &mut self,
        m: &Match<'p>,
        index: usize,
        (first, set): (V, SV),
        (low, high): (V, Option<V>),
        bind: Option<VarId>,
        mut env: Env,
        cx: Cx,
    ) -> bool {
        self.span_asked = false;
        self.f.open();
        let (length, _) = self.run_end(first, set, m.way);
        let most = match high {
            Some(high) => self.f.bin(Bin::Smaller, length, high),
            None => length,
        };
        let fits = self.f.bin(Bin::AtMost, low, most);
        self.f.open();
        let (start, _) = self.safe(first);
        env.match_cells.push((start, Some(most), true));
        if let Some(slot) = bind.and_then(|v| self.slot_of(v, 0)) {
            let run = RunBind {
                some: true,
                start,
                way: m.way,
                length: most,
                fact: m.facts[index],
                next: [None; 2],
            };
            if !self.returns {
                env.run_on_ray(start);
            }
            self.put(slot, Bind::Run(Rc::new(run)), &mut env);
            self.note_path(start, &mut env, cx);
            env.span = Some((low, most, self.f.depth()));
        }
        self.squares(
            m,
            index + 1,
            CellV::Maybe(crate::compile::kernel::fun::NO),
            env,
            cx,
        );
        let body = self.f.close();
        self.f.when(fits, body);
        let body = self.f.close();
        if !self.span_asked {
            self.f.when(YES, body);
        }
        !self.span_asked
    }

    /// The numbers of a span as a set of cells: the cell before each number.
    pub fn span_cells(&mut self, low: V, most: V) -> SV {
        let below = |n: usize| -> Cells { (0..n).map(|c| Cell(c as u16)).collect() };
        let rows = self.rows("below", |p| (0..=p.board.len()).map(below).collect());
        let all = self.f.row(rows, most);
        match low {
            V::K(n) if n > 1 => {
                let fewer = self.fix(&below(n as usize - 1));
                self.f.without(&mut self.fixed, all, fewer)
            }
            _ => all,
        }
    }

    /// What is asked of a letter that has just been given its number, so that later runs can be: that their bounds leave room.
    pub fn later_bounds(&mut self, m: &Match<'p>, index: usize, env: &mut Env, cx: Cx) -> V {
        let letters: Vec<VarId> = (m.picture.squares[..=index].iter())
            .filter_map(|s| match s {
                Square::Cells {
                    count: Count::New(letter),
                    ..
                } => Some(*letter),
                Square::Cells { .. } | Square::Edge => None,
            })
            .collect();
        let mut all = YES;
        for square in &m.picture.squares[index + 1..] {
            let Square::Cells {
                count: Count::Between(low, Some(high)),
                ..
            } = square
            else {
                continue;
            };
            let known = |n: &Num| {
                let reads = self.asker(cx).num(n);
                !reads.pieces() && !num_vars(n).may_read(|v| !letters.contains(&v))
            };
            if known(low) && known(high) {
                let (low, high) = (self.num(low, env, cx), self.num(high, env, cx));
                let fits = self.f.bin(Bin::AtMost, low, high);
                all = self.f.both(all, fits);
            }
        }
        all
    }
}
