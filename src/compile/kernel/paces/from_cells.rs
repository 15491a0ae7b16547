//! From which cells all turns along trails change the same. In: cells that first steps have come to, and how many actions are left. Out:
//! those of them behind which nothing can happen for one way and not for another, and the cells that their turns may change.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::paces::Pace;
use crate::compile::kernel::paces::chances::{Ends, Look};
use crate::program::kernel::{Bin, Label, Place, Set, Stmt, W};

impl<'p> Lowerer<'p> {
    /// Keeps those of the cells that were noted from where all turns along trails change the same, but on some cells, which are noted
    /// as well; leaves a block when there are none.
    pub fn leave_unless_alike(&mut self, not: Label, left: W, cx: Cx) {
        let known = self.known_next();
        let mut env = Env::default();
        let from = self.f.make_set(Set::Load(Place::plain(known.cells)));
        let paces: Vec<(Pace<'p>, V)> = (self.ended_alike(cx.me).into_iter())
            .map(|pace| {
                let holds = self.answered(&pace, &mut env, cx);
                (pace, holds)
            })
            .collect();
        let own = self.owned(cx.me, &mut env, cx);
        let mut others = NONE;
        for p in (0..self.program.players.len() as u8).filter(|p| *p != cx.me) {
            let its = self.owned(p, &mut env, cx);
            others = self.f.or(&mut self.fixed, others, its);
        }
        let (good, doubt) = (self.f.set(), self.f.set());
        for set in [good, doubt] {
            let none = self.f.sreg(NONE);
            self.f.push(Stmt::LetSet(set, Set::Copy(none)));
        }
        let (c, may) = (self.f.word(), self.f.word());
        self.f.open();
        let [reach, starts] = self.changed_from(&paces, V::R(c), (left, own));
        let changed = self.f.or(&mut self.fixed, reach, starts);
        let met = self.f.and(&mut self.fixed, changed, others);
        let met = self.f.some(&self.fixed, met);
        self.let_word(may, met);
        let low = self.f.without(&mut self.fixed, own, changed);
        let high = self.f.or(&mut self.fixed, own, reach);
        for (pace, holds) in &paces {
            let Some(behind) = &pace.behind else { continue };
            let steps = self.most_steps();
            self.f.open();
            let look = Look {
                cx,
                last: &behind.last,
                at: NO,
                reach,
                starts,
                falls: self.f.bin(Bin::Sub, V::R(left), YES),
                falls_on_one: self.most_on_one(pace.goes.shortest_back(steps), left),
                back: self.rows(&format!("back {}", pace.number), |_| pace.goes.back(steps)),
                along: self.rows(&format!("along {}", pace.number), |_| {
                    pace.goes.along(steps)
                }),
                now: own,
                own: Ends { low, high },
                env: env.clone(),
                its: Vec::new(),
            };
            let happens = self.may_happen(behind, &look);
            let either = self.f.either(V::R(may), happens);
            self.let_word(may, either);
            let body = self.f.close();
            self.f.when(*holds, body);
        }
        self.f.open();
        let all = self.f.with(SV::R(good), V::R(c));
        let more = self.f.or(&mut self.fixed, SV::R(doubt), changed);
        for (set, all) in [(good, all), (doubt, more)] {
            let all = self.f.sreg(all);
            self.f.push(Stmt::LetSet(set, Set::Copy(all)));
        }
        let body = self.f.close();
        let alike = self.f.not(V::R(may));
        self.f.when(alike, body);
        let body = self.f.close();
        let from = self.f.sreg(from);
        self.f.push(Stmt::ForCells(c, from, body));
        let some = self.f.some(&self.fixed, SV::R(good));
        self.leave_unless(some, not);
        for (at, set) in [(known.cells, good), (known.doubt, doubt)] {
            self.f.push(Stmt::StoreSet(Place::plain(at), set));
        }
    }

    /// The most steps behind the first: no more pieces fall than there are numbers.
    fn most_steps(&self) -> usize {
        let numbers = self.ahead.map_or(0, |ahead| ahead.packed.numbers);
        numbers.saturating_sub(1) as usize
    }

    /// The cells that a trail may come to whose first step has come to one, with two steps less than actions are left, that one among
    /// them; and those of the player's that it may begin at.
    fn changed_from(&mut self, paces: &[(Pace<'p>, V)], cell: V, (left, own): (W, SV)) -> [SV; 2] {
        let steps = self.most_steps();
        let cells = V::K(self.program.board.len() as u64);
        let block = self.f.bin(Bin::Sub, V::R(left), V::K(3));
        let block = self.f.bin(Bin::Mul, block, cells);
        let at = self.f.bin(Bin::Add, block, cell);
        let mut reach = self.f.single(&mut self.fixed, cell);
        let mut starts = NONE;
        for (pace, holds) in paces {
            let near = self.rows(&format!("near {}", pace.number), |_| {
                (1..=steps)
                    .flat_map(|steps| pace.goes.near(steps))
                    .collect()
            });
            let before = self.rows(&format!("before {}", pace.number), |_| pace.goes.back(1));
            let near = self.f.row(near, at);
            let near = self.f.select_set(*holds, near, NONE);
            reach = self.f.or(&mut self.fixed, reach, near);
            let before = self.f.row(before, cell);
            let before = self.f.select_set(*holds, before, NONE);
            starts = self.f.or(&mut self.fixed, starts, before);
        }
        [reach, self.f.and(&mut self.fixed, starts, own)]
    }

    /// How many pieces may fall on one cell, of one for each of one step less than actions are left, when a trail can come back to a
    /// cell in so many steps.
    fn most_on_one(&mut self, back: Option<usize>, left: W) -> V {
        let Some(back) = back else { return YES };
        let more = self.f.bin(Bin::Sub, V::R(left), V::K(2));
        let again = self.f.bin(Bin::Quotient, more, V::K(back as u64));
        self.f.bin(Bin::Add, YES, again)
    }
}
