//! Sequences of actions along trails that only the board can hinder, counted at once. In: such trails. Out: the actions of a list that
//! are counted instead, together with all that can follow each, up to as many actions as are left.
//!
//! Before: every action of such a trail is listed, played, and what follows it counted.
//! After: how many ways there are to go on from the cell that it came to is looked up.
//! Conditions: no more actions are left than the trail still has steps, and no end is asked for between them; behind it nothing can be
//! refused: where some step must come to a set, one has, or each way to go on leads to it in a few steps, or few steps are left and
//! those that come to it are followed one by one.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{ALL, Fun, NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::paces::goes::Goes;
use crate::compile::kernel::paces::numbers::{Numbers, Packed};
use crate::compile::kernel::paces::{Meets, Pace, Rest};
use crate::compile::points::successors;
use crate::program::kernel::{
    Bin, FuncId, Game, Place, S, Set, ShiftId, Stmt, TableId, Value, W, Word,
};
use crate::program::{Cells, Domain, Moment, Op, Pc, Program};

/// In so many steps a set is surely come to, where that is asked.
const SURE: u32 = 3;

/// So many steps are followed one by one where a set is not surely come to.
const TRIED: u64 = 4;

/// How sequences are counted at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ahead {
    /// The numbers of those of one action, two, and so on.
    pub packed: Packed,
    /// Whether one more may be counted, which begins the next turn, see `next`.
    pub ends_alike: bool,
}

/// How sequences are counted at once along trails, if they can be.
pub fn ahead(program: &Program, paces: &[Pace<'_>]) -> Option<Ahead> {
    let within = program.ends.iter().any(|e| e.moment == Moment::AfterAction);
    let widest = paces.iter().map(|pace| pace.goes.widest()).max()? as u64;
    let starts = most_actions(program, paces)?.checked_mul(widest)?;
    let packed = Packed::of(starts, widest).filter(|_| !within)?;
    let kinds = program.kinds.iter().filter(|kind| !kind.neutral).count();
    let of = |me: usize| (paces.iter()).any(|p| usize::from(p.me) == me && p.behind.is_some());
    let ends_alike = kinds == 1 && (0..program.players.len()).all(of);
    Some(Ahead { packed, ends_alike })
}

/// How many trails a list may have at most, from what is chosen before them; nothing where that is not known.
fn most_actions(program: &Program, paces: &[Pace<'_>]) -> Option<u64> {
    let of_trail = |at: usize| (paces.iter()).any(|p| (p.head.0..p.exit.0).contains(&(at as u32)));
    let mut ways = 1u64;
    let turns: Vec<usize> = program.turns.iter().map(|t| t.pc.0 as usize).collect();
    for at in reached(program, turns) {
        let op = &program.code[at];
        let back = successors(op, at).iter().any(|next| *next <= at);
        if of_trail(at) {
            continue;
        }
        let many = match op {
            // What is chosen in a loop is chosen more than once.
            _ if back => return None,
            Op::Choose(_, Domain::Cells(Cells::Single(_))) => 1,
            Op::Choose(_, Domain::Cells(_)) => program.board.len(),
            Op::Choose(..) | Op::Line(_) => return None,
            Op::Branch(ways) => ways.len(),
            _ => 1,
        };
        ways = ways.checked_mul(many as u64)?;
    }
    Some(ways)
}

/// The instructions that are come to from some, ascending.
fn reached(program: &Program, from: Vec<usize>) -> Vec<usize> {
    let mut found = vec![false; program.code.len()];
    let mut open = from;
    while let Some(at) = open.pop() {
        if let Some(new) = found.get_mut(at).filter(|found| !**found) {
            *new = true;
            open.extend(successors(&program.code[at], at));
        }
    }
    (0..found.len()).filter(|at| found[*at]).collect()
}

/// Where a trail has come to.
#[derive(Clone, Copy)]
struct Here {
    /// The cell, counted from 1.
    cell: V,
    /// The kind of its heading, counted from 1.
    kind: V,
    /// How many steps are left.
    left: V,
}

/// What is looked up.
#[derive(Clone, Copy)]
struct Tables {
    /// The kind of each heading.
    kinds: TableId,
    /// How many ways there are to go on.
    numbers: TableId,
    /// How many kinds there are.
    many: u64,
    /// With more steps left the numbers are the same.
    most: u64,
}

impl<'p> Lowerer<'p> {
    /// Leaves for a list what [`Lowerer::counted_ahead`] asks: for each trail that must come to a set, from where every way to go on
    /// comes to it in no step, in one at most, and so on.
    pub fn keep_ahead(&mut self, env: &mut Env, cx: Cx) {
        let paces: Vec<Pace<'p>> = (self.paces.iter())
            .filter(|p| p.me == cx.me)
            .cloned()
            .collect();
        for pace in paces {
            let Rest::Meets(Meets { set, .. }, _) = &pace.rest else {
                continue;
            };
            let at = self.kept_ahead(&pace);
            let holds = self.answered(&pace, env, cx);
            self.f.open();
            let met = self.cells(set, &mut env.clone(), cx);
            self.store_met(&pace.goes, met, at);
            let body = self.f.close();
            self.f.when(holds, body);
        }
    }

    /// Where those sets stand.
    fn kept_ahead(&mut self, pace: &Pace<'p>) -> u32 {
        let words = (SURE + 1) * self.room.words;
        self.scratch_of(format!("met {}", pace.number), words)
    }

    /// Stores from where every way to go on comes to a set in no step, in one at most, and so on.
    fn store_met(&mut self, goes: &Goes, mut met: SV, at: u32) {
        let ways = goes.ways();
        let back: Option<Vec<ShiftId>> = ways.iter().map(|d| self.shift_id(d.0, true)).collect();
        for steps in 0..=SURE {
            let set = self.f.sreg(met);
            let base = at + steps * self.room.words;
            self.f
                .push(Stmt::StoreSet(Place { base, index: None }, set));
            let Some(back) = back.as_ref().filter(|_| steps < SURE) else {
                continue;
            };
            let class = self.fix(goes.class());
            let outside = self.f.without(&mut self.fixed, class, met);
            let mut may_miss = NONE;
            for shift in back {
                let from = self.f.shift(outside, *shift);
                may_miss = self.f.or(&mut self.fixed, may_miss, from);
            }
            let sure = self.f.without(&mut self.fixed, ALL, may_miss);
            met = self.f.or(&mut self.fixed, met, sure);
        }
    }

    /// Counts the action that has come to the head of a trail, with those that can follow it, where that can be looked up: whether it
    /// was counted. Nothing where none is.
    pub fn counted_ahead(&mut self, head: Pc, env: &mut Env, cx: Cx) -> Option<V> {
        self.ahead?;
        if env.span.is_some() || env.ends.is_some() {
            return None;
        }
        self.of_paces(head, env, cx, &|l, pace, falling, env| {
            let Some(tables) = l.tables_ahead(pace).filter(|_| pace.head == head) else {
                return NO;
            };
            let heading = pace.heading.map_or(NO, |v| l.var_word(v, env));
            let here = Here {
                cell: l.var_word(pace.here, env),
                kind: l.f.table(&l.tables, tables.kinds, heading),
                left: l.var_word(pace.left, env),
            };
            let all = l.game_word(Game::Left);
            let more = l.f.bin(Bin::Sub, all, YES);
            let enough = l.f.bin(Bin::AtMost, more, here.left);
            let just = l.has_just(pace, falling, here.left);
            let told = l.f.bin(Bin::Differ, here.kind, NO);
            let known = l.f.both(just, told);
            let can = l.f.both(enough, known);
            // All of what was lifted is still up where one piece falls at the first step.
            let next = match l.ahead.filter(|_| falling == 1) {
                Some(ahead) if ahead.ends_alike => l.comes_next(pace, here, (all, known)),
                _ => NO,
            };
            let can = match l.ahead {
                Some(Ahead { packed, ends_alike }) if ends_alike => {
                    let few = l.f.bin(Bin::AtMost, all, V::K(u64::from(packed.numbers)));
                    let can = l.f.both(can, few);
                    l.f.either(can, next)
                }
                _ => can,
            };
            l.count_here(pace, tables, (here, can, next), env, cx)
        })
    }

    /// Whether behind an action the last one of the sequence is the first of the next turn, and it is known how many there are.
    fn comes_next(&mut self, pace: &Pace<'p>, here: Here, (all, known): (V, V)) -> V {
        if pace.behind.is_none() {
            return NO;
        }
        let last = self.f.bin(Bin::Add, here.left, V::K(2));
        let is_last = self.f.bin(Bin::Equal, all, last);
        let some = self.f.bin(Bin::Less, NO, here.left);
        let is_last = self.f.both(is_last, some);
        let is_last = self.f.both(is_last, known);
        let next = self.f.word();
        self.f.push(Stmt::Let(next, Word::Const(0)));
        self.f.open();
        let own = self.all_up_are_own(pace.me);
        self.f.open();
        let is_known = self.next_is_known(here.cell);
        let is_known = self.f.reg(is_known);
        self.f.push(Stmt::Let(next, Word::Copy(is_known)));
        let body = self.f.close();
        self.f.when(own, body);
        let body = self.f.close();
        self.f.when(is_last, body);
        V::R(next)
    }

    /// Counts an action that has come to a cell, if it can be done with, where it is known what can follow: whether it was counted.
    fn count_here(
        &mut self,
        pace: &Pace<'p>,
        tables: Tables,
        (here, can, next): (Here, V, V),
        env: &mut Env,
        cx: Cx,
    ) -> V {
        let Rest::Meets(meets, _) = &pace.rest else {
            self.f.open();
            self.tally_number(pace, tables, (here, next));
            let body = self.f.close();
            self.f.when(can, body);
            return can;
        };
        let now = self.cells(meets.set, env, cx);
        let flag = self.var_word(meets.flag, env);
        // It has not become smaller since it was looked at.
        let base = self.kept_ahead(pace);
        let was = self.f.make_set(Set::Load(Place { base, index: None }));
        let same = self.f.within(was, now);
        let met = self.surely_met(pace, here);
        let met = self.f.both(met, same);
        let sure = self.f.either(flag, met);
        let sure = self.f.both(can, sure);
        let counted = self.f.word();
        self.f.push(Stmt::Let(counted, Word::Const(1)));
        self.f.open();
        self.tally_number(pace, tables, (here, next));
        let looked_up = self.f.close();
        self.f.open();
        // Where it may be done with in other ways as well, none are counted by going them.
        let tried = if meets.only_so { can } else { NO };
        let few = self.f.bin(Bin::AtMost, here.left, V::K(TRIED));
        let tried = self.f.both(tried, few);
        let tried = self.f.both(tried, same);
        let tried = self.f.reg(tried);
        self.f.push(Stmt::Let(counted, Word::Copy(tried)));
        self.f.open();
        let id = self.tried_ahead(pace, tables);
        let [cell, kind, left] = [here.cell, here.kind, here.left].map(|v| self.f.reg(v));
        let now = self.f.sreg(now);
        let many = self.f.word();
        let words = [cell, kind, left].map(Value::Word);
        let given = words.into_iter().chain([Value::Set(now)]).collect();
        self.f.push(Stmt::Call(id, given, Some(many)));
        self.tally(V::R(many), (here, next));
        let body = self.f.close();
        self.f.when(V::R(tried), body);
        let others = self.f.close();
        let sure = self.f.reg(sure);
        self.f.push(Stmt::If(sure, looked_up, others));
        V::R(counted)
    }

    /// Whether every way to go on comes to the set that some step must come to.
    fn surely_met(&mut self, pace: &Pace<'p>, here: Here) -> V {
        let base = self.kept_ahead(pace);
        let steps = self.f.bin(Bin::Smaller, here.left, V::K(u64::from(SURE)));
        let at = self.f.place(base, steps, self.room.words);
        let met = self.f.make_set(Set::Load(at));
        let cell = self.f.bin(Bin::Sub, here.cell, YES);
        self.f.has(&self.fixed, met, cell)
    }

    fn tally_number(&mut self, pace: &Pace<'p>, tables: Tables, (here, next): (Here, V)) {
        let many = self.number(pace, tables, here);
        self.tally(many, (here, next));
    }

    /// Counts ways to go on; where what comes next is known, also those that end with it.
    fn tally(&mut self, many: V, (here, next): (Here, V)) {
        let all = self.f.reg(many);
        self.f.push(Stmt::Tally(all));
        let Some(Ahead { packed, .. }) = self.ahead else {
            return;
        };
        self.f.open();
        let by = self
            .f
            .bin(Bin::Mul, here.left, V::K(u64::from(packed.bits)));
        let ways = self.f.bin(Bin::Shr, many, by);
        let ways = self.f.bin(Bin::And, ways, V::K(packed.first()));
        self.count_next(ways);
        let body = self.f.close();
        self.f.when(next, body);
    }

    /// How many ways there are to go on.
    fn number(&mut self, pace: &Pace<'p>, tables: Tables, here: Here) -> V {
        let kind = self.f.bin(Bin::Sub, here.kind, YES);
        let left = self.f.bin(Bin::Smaller, here.left, V::K(tables.most));
        let block = self.f.bin(Bin::Mul, left, V::K(tables.many));
        let block = self.f.bin(Bin::Add, block, kind);
        let at = self.f.bin(Bin::Mul, block, V::K(pace.goes.row() as u64));
        let at = self.f.bin(Bin::Add, at, here.cell);
        self.f.table(&self.tables, tables.numbers, at)
    }

    /// What is looked up of a trail; nothing where there is too much of it.
    fn tables_ahead(&mut self, pace: &Pace<'p>) -> Option<Tables> {
        let packed = self.ahead?.packed;
        let numbers = pace.numbers.get_or_init(|| pace.goes.numbers(packed));
        let Numbers { kinds, most, table } = numbers.as_ref()?;
        Some(Tables {
            kinds: self.table(&format!("kinds {}", pace.number), |_| kinds.of.clone()),
            numbers: self.table(&format!("numbers {}", pace.number), |_| table.clone()),
            many: kinds.first.len() as u64,
            most: *most as u64,
        })
    }

    /// The function that counts the ways to go on with which some step comes to a set, by going them. It is given the cell and the kind
    /// of heading, how many steps are left, and the set.
    fn tried_ahead(&mut self, pace: &Pace<'p>, tables: Tables) -> FuncId {
        let name = format!("ahead {}", pace.number);
        FuncId(self.once(name.clone(), |l| {
            let id = FuncId(l.functions.len() as u32);
            let asking = std::mem::replace(&mut l.f, Fun::new());
            let words = [(); 3].map(|()| l.f.word());
            let now = l.f.set_taken();
            let [cell, kind, left] = words.map(V::R);
            let here = Here { cell, kind, left };
            let ways = l.ways_ahead(pace, tables, (id, here, now));
            l.f.ret(ways);
            let params = words.map(Value::Word).into_iter().chain([Value::Set(now)]);
            l.function(&name, params.collect());
            l.f = asking;
            id.0
        }))
    }

    /// What that function gives.
    fn ways_ahead(
        &mut self,
        pace: &Pace<'p>,
        tables: Tables,
        (itself, here, now): (FuncId, Here, S),
    ) -> V {
        let Some(Ahead { packed, .. }) = self.ahead else {
            return NO;
        };
        let (goes, number) = (pace.goes.clone(), pace.number);
        let kinds = goes.kinds();
        let sum = self.f.word();
        self.f.push(Stmt::Let(sum, Word::Const(0)));
        let left = self.f.bin(Bin::Sub, here.left, YES);
        let goes_on = self.f.bin(Bin::Less, NO, left);
        let dirs = self.table(&format!("ways {number}"), |_| goes.ways_of(&kinds));
        let dirs = self.f.table(&self.tables, dirs, here.kind);
        let next = self.table(&format!("next {number}"), |_| goes.next());
        for way in goes.ways().iter() {
            let on = V::K((way.index() * goes.row()) as u64);
            let at = self.f.bin(Bin::Add, here.cell, on);
            let cell = self.f.table(&self.tables, next, at);
            let there = Here {
                cell,
                kind: V::K(kinds.of[way.index() + 1]),
                left,
            };
            let can = self.f.bin(Bin::Shr, dirs, V::K(way.index() as u64));
            let can = self.f.bin(Bin::And, can, YES);
            let some = self.f.bin(Bin::Differ, cell, NO);
            let can = self.f.both(can, some);
            self.f.open();
            let at = self.f.bin(Bin::Sub, cell, YES);
            let inside = self.f.has(&self.fixed, SV::R(now), at);
            let met = self.surely_met(pace, there);
            let met = self.f.either(inside, met);
            self.f.open();
            let many = self.number(pace, tables, there);
            self.add_to(sum, many);
            let looked_up = self.f.close();
            self.f.open();
            let words = [there.cell, there.kind, there.left].map(|v| Value::Word(self.f.reg(v)));
            let given = words.into_iter().chain([Value::Set(now)]).collect();
            let many = self.f.call(itself, given);
            self.add_to(sum, many);
            let gone = self.f.close();
            self.f.open();
            self.f.when(goes_on, gone);
            let gone = self.f.close();
            let met = self.f.reg(met);
            self.f.push(Stmt::If(met, looked_up, gone));
            let body = self.f.close();
            self.f.when(can, body);
        }
        let more = self
            .f
            .bin(Bin::Shl, V::R(sum), V::K(u64::from(packed.bits)));
        let some = self.f.bin(Bin::Differ, V::R(sum), NO);
        let all = self.f.bin(Bin::Or, more, some);
        self.f.bin(Bin::And, all, V::K(packed.all()))
    }

    fn add_to(&mut self, sum: W, more: V) {
        let all = self.f.bin(Bin::Add, V::R(sum), more);
        let all = self.f.reg(all);
        self.f.push(Stmt::Let(sum, Word::Copy(all)));
    }
}
