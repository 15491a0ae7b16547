//! Where lanes end: all matches of the same lengths, by their last cells, are taken down or counted; those whose requirements do not
//! surely hold one by one.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lanes::Thread;
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::pictures::Match;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Stmt};

impl<'p> Lowerer<'p> {
    /// All matches of the same lengths, by their last cells. Where it is noted that there is one, they are looked at first.
    pub fn take_ends(&mut self, way: u8, ends: SV, thread: Thread<'p>, cx: Cx) {
        if self.open_hooks(&thread.env).is_empty() {
            return self.take_all_ends(way, ends, thread, cx);
        }
        let some = self.f.some(&self.fixed, ends);
        self.f.open();
        self.take_all_ends(way, ends, thread, cx);
        let body = self.f.close();
        self.f.when(some, body);
    }

    fn take_all_ends(&mut self, way: u8, ends: SV, thread: Thread<'p>, cx: Cx) {
        let Thread {
            m,
            mut env,
            heads,
            lengths,
            ..
        } = thread;
        let (m, lengths) = (&m, lengths.as_slice());
        let mut ends = ends;
        for head in heads {
            self.note_path(head, &mut env, cx);
        }
        if cx.mode.is_exact() {
            let tests = self.requirements(m.then, cx).unwrap_or_default();
            let surely = self.surely(m, way, &tests, &mut env, cx);
            let others = self.f.without(&mut self.fixed, ends, surely);
            self.one_by_one(m, others, lengths, env.clone(), cx);
            ends = self.f.and(&mut self.fixed, ends, surely);
            env.proven.extend(tests.into_iter().map(|(pc, _)| pc.0));
        }
        if ends == NONE {
            return;
        }
        // The cells stand for those of each match; nothing may be asked of them.
        let starts: Vec<V> = lengths.iter().map(|_| V::R(self.f.word())).collect();
        for start in &starts {
            if let V::R(w) = start {
                self.let_word(*w, NO);
            }
        }
        let runs = self.place_match(m, &starts, lengths, &mut env);
        for length in runs.into_iter().flatten() {
            self.note_path(length, &mut env, cx);
        }
        env.ends = Some((ends, self.f.depth()));
        self.squares(m, lengths.len(), CellV::Maybe(NO), env, cx);
    }

    /// Gives what a match binds; the lengths of its runs.
    fn place_match(
        &mut self,
        m: &Match<'p>,
        starts: &[V],
        lengths: &[(V, bool)],
        env: &mut Env,
    ) -> Vec<Option<V>> {
        let runs: Vec<Option<V>> = lengths.iter().map(|(l, run)| run.then_some(*l)).collect();
        for (index, (start, length)) in starts.iter().zip(&runs).enumerate() {
            let open = length.is_some() && !Self::has_one_length(m, index);
            env.match_cells.push((*start, *length, open));
        }
        self.place_squares((m.picture, &m.facts), m.way, starts, &runs, env);
        runs
    }

    /// Each match of the same lengths by itself, by its last cell.
    fn one_by_one(&mut self, m: &Match<'p>, ends: SV, lengths: &[(V, bool)], mut env: Env, cx: Cx) {
        if ends == NONE {
            return;
        }
        let end = self.f.word();
        self.f.open();
        let starts = self.starts_of_end(m.way, V::R(end), lengths);
        let runs = self.place_match(m, &starts, lengths, &mut env);
        if Self::notes_path(cx) {
            for length in runs.into_iter().flatten() {
                self.note_path(length, &mut env, cx);
            }
            let last = self.f.bin(Bin::Add, V::R(end), YES);
            self.note_path(last, &mut env, cx);
        }
        self.squares(m, lengths.len(), CellV::Maybe(NO), env, cx);
        let body = self.f.close();
        let ends = self.f.sreg(ends);
        self.f.push(Stmt::ForCells(end, ends, body));
    }
}
