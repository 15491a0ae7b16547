//! Cells that are chosen next to a part of a set, which is chosen before, and may touch no other part: listed in random games for all parts
//! at once. In: an instruction that chooses a part. Out: the cells next to one of the parts only, as one set; the word of the way for the
//! part is 0, and who plays finds the part beside the cell. Before: one part after the other, and what is next to all that is not of it.
//! After: the same actions in another order.
//! Conditions: nothing has changed yet; between the two choices there are only values; the cell is chosen from what is next to the part and
//! in a set that does not go with it; one requirement, in front of all effects, says that all of the player's pieces beside the cell are of
//! the part, and no other asks for the part; only pieces of the player's are in the set; behind the cell nothing is chosen or asked of the
//! part until the action is complete.

use crate::compile::kernel::env::{Bind, Env, Slot};
use crate::compile::kernel::fun::{NO, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer, Mode};
use crate::compile::kernel::unique::Choice;
use crate::compile::kernel::values::CellV;
use crate::program::kernel::{Bin, Set, Stmt, Word};
use crate::program::{
    CellExpr, Cells, Domain, Op, Pc, PlayerExpr, Truth, VarId, cells_vars, op_vars,
};

/// So many instructions are looked at.
const MOST: usize = 40;

/// The way from a chosen part to a cell beside it.
struct Found<'p> {
    /// The instructions on the way, and of these those that give values or write notations.
    passed: Vec<Pc>,
    before: Vec<Pc>,
    /// The choice of the cell.
    at: Pc,
    cell: VarId,
    /// What it is chosen from, besides being next to the part.
    class: &'p Cells,
}

impl<'p> Lowerer<'p> {
    /// Lists what can be done beside all parts of a set, when that can be listed at once. False when not; then nothing is written.
    pub fn bordering(
        &mut self,
        (var, slot): (VarId, Slot),
        set: &'p Cells,
        pc: Pc,
        env: &Env,
        cx: Cx,
    ) -> bool {
        let plain = cx.mode == Mode::Candidates && !cx.acted && env.pending.is_empty();
        if !plain || !self.is_mutual() || !self.is_mine(set, env, cx) {
            return false;
        }
        let Some(found) = self.cell_behind(var, pc) else {
            return false;
        };
        // No loop waits for the way to the cell to be gone.
        let waited = |at: &Pc| found.passed.contains(at);
        if self.open_hooks(env).iter().any(waited) {
            return false;
        }
        let mut env = env.clone();
        // Where more comes before, it takes longer until the code is there than is gained.
        if !matches!(self.word(self.slots.path, &mut env), V::K(_)) {
            return false;
        }
        self.beside_all((slot, set), &found, env, cx);
        true
    }

    /// A cell of a part that is chosen, of a set, by the word of the way for it: where parts were listed at once, the cell that is chosen
    /// beside the part comes next and tells it.
    pub fn cell_of_part(&mut self, (var, pc): (VarId, Pc), set: SV, word: V, env: &mut Env) -> V {
        let before = self.f.bin(Bin::Sub, word, YES);
        if !self.random || self.cell_behind(var, pc).is_none() {
            return before;
        }
        let cell = self.f.word();
        self.let_word(cell, before);
        self.f.open();
        let at = self.word(self.slots.path, env);
        let next = self.f.load(self.room.path, at);
        let next = self.f.bin(Bin::Sub, next, YES);
        let near = self.neighbours_of(CellV::Known(next));
        let beside = self.f.and(&mut self.fixed, set, near);
        let beside = self.f.sreg(beside);
        let first = self.f.make(Word::First(beside));
        self.let_word(cell, first);
        let body = self.f.close();
        let untold = self.f.not(word);
        self.f.when(untold, body);
        V::R(cell)
    }

    /// Whether all cells of a set surely have pieces of the player's.
    fn is_mine(&self, set: &Cells, env: &Env, cx: Cx) -> bool {
        let of = |set: &Cells| self.is_mine(set, env, cx);
        match set {
            Cells::Owned(player) => **player == PlayerExpr::Me,
            Cells::And(a, b) => of(a) || of(b),
            Cells::Without(a, _) => of(a),
            Cells::Where(set, ..)
            | Cells::PartsWhere(set, ..)
            | Cells::With { set, .. }
            | Cells::PartsWith { set, .. } => of(set),
            Cells::Var(var) => {
                let owners = env.stands.iter().find(|(of, _)| of == var);
                owners.is_some_and(|(_, fact)| fact.owners == 1 << cx.me)
            }
            _ => false,
        }
    }

    /// Lists the cells that border on one part of a set only, with nothing on the way for the part.
    fn beside_all(
        &mut self,
        (slot, set): (Slot, &'p Cells),
        found: &Found<'p>,
        mut env: Env,
        cx: Cx,
    ) {
        let all = self.cells(set, &mut env, cx);
        let all = SV::R(self.f.sreg(all));
        let one = self.next_to_one_part(all);
        self.put(slot, Bind::Set(all), &mut env);
        self.note_path(NO, &mut env, cx);
        for at in &found.before {
            self.simple(*at, &mut env, cx);
        }
        let fact = self.known_here(found.class, &env, cx);
        let class = self.cells(found.class, &mut env, cx);
        let from = self.f.and(&mut self.fixed, class, one);
        let cell = self.f.word();
        let choice = Choice::Word(vec![V::R(cell)], vec![from]);
        if let Some(of) = self.slot_of(found.cell, 0) {
            let next = Pc(found.at.0 + 1);
            self.choose_cell(
                (found.cell, None, of),
                cell,
                (from, fact),
                choice,
                next,
                env,
                cx,
            );
        }
    }

    /// The cells that are next to one part of a set, and not in the set.
    fn next_to_one_part(&mut self, all: SV) -> SV {
        let (some, several) = (self.f.set(), self.f.set());
        let none = self.f.sreg(NONE);
        for set in [some, several] {
            self.f.push(Stmt::LetSet(set, Set::Copy(none)));
        }
        self.each_part(all, None, |l, part, _| {
            let around = l.around(part);
            let twice = l.f.and(&mut l.fixed, SV::R(some), around);
            let twice = l.f.or(&mut l.fixed, SV::R(several), twice);
            let once = l.f.or(&mut l.fixed, SV::R(some), around);
            for (set, grown) in [(several, twice), (some, once)] {
                let grown = l.f.sreg(grown);
                l.f.push(Stmt::LetSet(set, Set::Copy(grown)));
            }
        });
        let one = (self.f).without(&mut self.fixed, SV::R(some), SV::R(several));
        self.f.without(&mut self.fixed, one, all)
    }

    /// The cell that is chosen beside a chosen part, when what comes behind that is as it must be.
    fn cell_behind(&self, var: VarId, pc: Pc) -> Option<Found<'p>> {
        let (mut given, mut before, mut passed) = (vec![var], Vec::new(), Vec::new());
        let mut at = Pc(pc.0 + 1);
        for _ in 0..MOST {
            let next = Pc(at.0 + 1);
            passed.push(at);
            at = match self.op(at) {
                Op::Let(to, _) => {
                    given.push(*to);
                    before.push(at);
                    next
                }
                Op::Open(_) => {
                    before.push(at);
                    next
                }
                // Nothing was done before the choice.
                Op::Point(_) => next,
                Op::Jump(to) => *to,
                Op::Choose(cell, Domain::Cells(Cells::And(a, b))) => {
                    let beside =
                        |set: &Cells| matches!(set, Cells::Adjacent(of) if **of == Cells::Var(var));
                    let class = match (beside(a), beside(b)) {
                        (true, false) => b,
                        (false, true) => a,
                        _ => return None,
                    };
                    let apart = !cells_vars(class).may_read(|v| given.contains(&v));
                    let told = apart && self.touches_no_other(next, *cell, &given);
                    return told.then_some(Found {
                        passed,
                        before,
                        at,
                        cell: *cell,
                        class,
                    });
                }
                _ => return None,
            };
        }
        None
    }

    /// Whether one requirement of an action says that all of the player's pieces beside a cell are of the first of some variables, and all
    /// else up to its end looks at none of these; and nothing is asked behind it.
    fn touches_no_other(&self, mut at: Pc, cell: VarId, given: &[VarId]) -> bool {
        let here = Cells::Single(Box::new(CellExpr::Var(cell)));
        let is_here = |set: &Cells| matches!(set, Cells::Adjacent(of) if **of == here);
        let is_mine = |set: &Cells| *set == Cells::Owned(Box::new(PlayerExpr::Me));
        let (mut required, mut changed) = (false, false);
        for _ in 0..MOST {
            let next = Pc(at.0 + 1);
            let (pictures, templates) = (&self.program.pictures, &self.program.templates);
            let reads = op_vars(self.op(at), pictures, templates).reads;
            let apart = !reads.iter().any(|v| given.contains(v));
            at = match self.op(at) {
                Op::Require(Truth::Subset(a, b), _) if **b == Cells::Var(given[0]) => {
                    let Cells::And(x, y) = a.as_ref() else {
                        return false;
                    };
                    // Other parts may be gone behind an effect.
                    if changed || !(is_mine(x) && is_here(y) || is_mine(y) && is_here(x)) {
                        return false;
                    }
                    required = true;
                    next
                }
                _ if !apart => return false,
                Op::Effect(_) => {
                    changed = true;
                    next
                }
                Op::Require(..) | Op::Open(_) | Op::Close(_) => next,
                Op::Jump(to) => *to,
                Op::ActionDone => return required && self.lists_whatever_follows(next),
                _ => return false,
            };
        }
        false
    }
}
