//! What an expression reads of the state, and roughly what it costs. Nothing is computed here.

use crate::compile::kernel::lower::Lowerer;
use crate::compile::points::successors;
use crate::program::{
    CellExpr, Cells, DirExpr, Dirs, KindExpr, Num, Op, Part, Pc, PlayerExpr, Program, TemplateId,
    Truth, Value, VarId, cells_vars, num_vars, op_vars, truth_vars,
};

/// What is read.
#[derive(Clone, Default, Debug)]
pub struct Reads {
    /// The players whose pieces are looked at, as bits.
    pub owned: u32,
    /// Occupied or empty cells, or kinds.
    pub others: bool,
    /// Heights, hands, histories, mirror images, subprograms, kept values of cells: anything else that effects change.
    pub deep: bool,
    /// Variables.
    pub vars: Vec<VarId>,
    /// Whether it asks what has been before.
    pub unseen: bool,
    /// A measure of the work.
    pub cost: u32,
}

impl Reads {
    /// Whether it looks at pieces at all.
    pub fn pieces(&self) -> bool {
        self.owned != 0 || self.others || self.deep
    }
}

/// Who asks: the players, and who `me` is.
#[derive(Clone, Copy)]
pub struct Asker<'p> {
    /// The program.
    pub program: &'p Program,
    /// The player.
    pub me: u8,
}

impl Asker<'_> {
    /// The reads of a truth.
    pub fn truth(self, truth: &Truth) -> Reads {
        let mut reads = Reads {
            vars: truth_vars(truth).reads,
            ..Reads::default()
        };
        self.in_truth(truth, &mut reads);
        reads
    }

    /// The reads of a number.
    pub fn num(self, num: &Num) -> Reads {
        let mut reads = Reads {
            vars: num_vars(num).reads,
            ..Reads::default()
        };
        self.in_num(num, &mut reads);
        reads
    }

    /// The reads of a set.
    pub fn cells(self, cells: &Cells) -> Reads {
        let mut reads = Reads {
            vars: cells_vars(cells).reads,
            ..Reads::default()
        };
        self.in_cells(cells, &mut reads);
        reads
    }

    /// The reads of what stands in a notation, without its variables.
    pub fn told(self, value: &Value) -> Reads {
        let mut reads = Reads::default();
        let r = &mut reads;
        match value {
            Value::Num(n) => self.in_num(n, r),
            Value::Truth(t) => self.in_truth(t, r),
            Value::Cell(c) => self.in_cell(c, r),
            Value::Cells(set) | Value::Groups(set) => self.in_cells(set, r),
            Value::Dir(d) => self.in_dir(d, r),
            Value::Dirs(d) => self.in_dirs(d, r),
            Value::Player(p) => self.in_player(p, r),
            Value::Run(_) | Value::Kind(_) => {}
        }
        reads
    }

    /// Whether a notation tells of pieces, or whether some were captured.
    pub fn tells(self, id: TemplateId) -> bool {
        let parts = &self.program.templates[id.0 as usize].parts;
        parts.iter().any(|part| match part {
            Part::Text(_) => false,
            Part::Hole(value) => self.told(value).pieces(),
            Part::Capture(..) => true,
        })
    }

    /// The player, when it is certain who that is.
    pub fn player(self, p: &PlayerExpr) -> Option<u8> {
        let count = self.program.players.len() as u8;
        match p {
            PlayerExpr::Me => Some(self.me),
            PlayerExpr::Const(p) => Some(p.0),
            PlayerExpr::Next(p) => self.player(p).map(|p| (p + 1) % count),
            PlayerExpr::Var(_) | PlayerExpr::Owner(_) => None,
        }
    }

    pub fn in_player(self, p: &PlayerExpr, r: &mut Reads) {
        match p {
            PlayerExpr::Next(p) => self.in_player(p, r),
            PlayerExpr::Owner(c) => {
                r.owned = u32::MAX;
                self.in_cell(c, r);
            }
            PlayerExpr::Me | PlayerExpr::Const(_) | PlayerExpr::Var(_) => {}
        }
    }

    pub fn in_num(self, num: &Num, r: &mut Reads) {
        r.cost += 1;
        match num {
            Num::Const(_) | Num::Var(_) | Num::RunLength(_) => {}
            Num::OfPlayer(_, p) => self.in_player(p, r),
            Num::OfCell(_, c) => {
                r.deep = true;
                self.in_cell(c, r);
            }
            Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Div(a, b) | Num::Mod(a, b) => {
                self.in_num(a, r);
                self.in_num(b, r);
            }
            Num::Count(c) => self.in_cells(c, r),
            Num::CountParts(c) => {
                r.cost += 60;
                self.in_cells(c, r);
            }
            Num::Height(c) => {
                r.deep = true;
                self.in_cell(c, r);
            }
            Num::RowOf(c) | Num::ColumnOf(c) => self.in_cell(c, r),
            Num::Hand(p, _) => {
                r.deep = true;
                self.in_player(p, r);
            }
            Num::Occurrences => {
                r.deep = true;
                r.cost += 60;
            }
            Num::If(t, a, b) => {
                self.in_truth(t, r);
                self.in_num(a, r);
                self.in_num(b, r);
            }
        }
    }

    pub fn in_truth(self, truth: &Truth, r: &mut Reads) {
        r.cost += 1;
        match truth {
            Truth::Const(_) | Truth::Var(_) => {}
            Truth::OfPlayer(_, p) => self.in_player(p, r),
            Truth::Not(a) => self.in_truth(a, r),
            Truth::And(a, b) | Truth::Or(a, b) => {
                self.in_truth(a, r);
                self.in_truth(b, r);
            }
            Truth::Compare(_, a, b) => {
                self.in_num(a, r);
                self.in_num(b, r);
            }
            Truth::SameCell(a, b) => {
                self.in_cell(a, r);
                self.in_cell(b, r);
            }
            Truth::SamePlayer(a, b) => {
                self.in_player(a, r);
                self.in_player(b, r);
            }
            Truth::SameKind(a, b) => {
                for k in [a, b] {
                    if let KindExpr::Var(_) = **k {
                        r.cost += 1;
                    }
                }
            }
            Truth::SameDir(a, b) => {
                self.in_dir(a, r);
                self.in_dir(b, r);
            }
            Truth::SameCells(a, b) | Truth::Subset(a, b) => {
                self.in_cells(a, r);
                self.in_cells(b, r);
            }
            Truth::Contains(a, b) => {
                self.in_cell(a, r);
                self.in_cells(b, r);
            }
            Truth::ContainsDir(a, b) => {
                self.in_dir(a, r);
                self.in_dirs(b, r);
            }
            Truth::Some(a) => self.in_cells(a, r),
            Truth::Possible(p, _) => {
                if let Some(p) = p {
                    self.in_player(p, r);
                }
                r.deep = true;
                r.cost += 100;
            }
            Truth::Stuck => {
                r.deep = true;
                r.cost += 500;
            }
            Truth::Mirrored(_) | Truth::Unseen => {
                r.unseen |= *truth == Truth::Unseen;
                r.deep = true;
                r.cost += 60;
            }
            Truth::If(t, a, b) => {
                self.in_truth(t, r);
                self.in_truth(a, r);
                self.in_truth(b, r);
            }
        }
    }

    pub fn in_cell(self, cell: &CellExpr, r: &mut Reads) {
        match cell {
            CellExpr::Const(_)
            | CellExpr::Nowhere
            | CellExpr::Var(_)
            | CellExpr::RunFirst(_)
            | CellExpr::RunLast(_) => {}
            CellExpr::First(c) | CellExpr::Last(c) => self.in_cells(c, r),
            CellExpr::Step(c, d) => {
                r.cost += 2;
                self.in_cell(c, r);
                self.in_dir(d, r);
            }
            CellExpr::If(t, a, b) => {
                self.in_truth(t, r);
                self.in_cell(a, r);
                self.in_cell(b, r);
            }
        }
    }

    pub fn in_dir(self, dir: &DirExpr, r: &mut Reads) {
        r.cost += 1;
        if let DirExpr::Opposite(d) = dir {
            self.in_dir(d, r);
        }
    }

    pub fn in_dirs(self, dirs: &Dirs, r: &mut Reads) {
        r.cost += 1;
        match dirs {
            Dirs::Const(_) | Dirs::Var(_) => {}
            Dirs::Single(d) => self.in_dir(d, r),
            Dirs::ByPlayer(_, p) => self.in_player(p, r),
            Dirs::Or(a, b) | Dirs::And(a, b) | Dirs::Without(a, b) => {
                self.in_dirs(a, r);
                self.in_dirs(b, r);
            }
            Dirs::If(t, a, b) => {
                self.in_truth(t, r);
                self.in_dirs(a, r);
                self.in_dirs(b, r);
            }
        }
    }

    pub fn in_cells(self, cells: &Cells, r: &mut Reads) {
        r.cost += 1;
        match cells {
            Cells::Const(_) | Cells::Var(_) | Cells::Run(_) => {}
            Cells::OfPlayer(_, p) | Cells::ByPlayer(_, p) => self.in_player(p, r),
            Cells::Single(c) => self.in_cell(c, r),
            Cells::GroupOf(c) => {
                r.owned = u32::MAX;
                r.cost += 20;
                self.in_cell(c, r);
            }
            Cells::Owned(p) => {
                r.owned |= self.player(p).map_or(u32::MAX, |p| 1 << p);
                self.in_player(p, r);
            }
            Cells::Kind(_) | Cells::Occupied | Cells::Empty => r.others = true,
            Cells::Or(a, b) | Cells::And(a, b) | Cells::Without(a, b) => {
                self.in_cells(a, r);
                self.in_cells(b, r);
            }
            Cells::Adjacent(a) => {
                let one = matches!(**a, Cells::Single(_));
                r.cost += if one { 2 } else { 8 };
                self.in_cells(a, r);
            }
            Cells::AdjacentAlong(a, d) => {
                r.cost += 4;
                self.in_cells(a, r);
                self.in_dirs(d, r);
            }
            Cells::Axis(c, d) => {
                r.cost += 4;
                self.in_cell(c, r);
                self.in_dirs(d, r);
            }
            Cells::PartAt(a, c) => {
                r.cost += 20;
                self.in_cells(a, r);
                self.in_cell(c, r);
            }
            Cells::Seen(a, p) => {
                r.cost += 10;
                self.in_cells(a, r);
                self.in_player(p, r);
            }
            Cells::Where(a, _, t) => {
                self.in_cells(a, r);
                let before = r.cost;
                self.in_truth(t, r);
                r.cost = before + 8 * (r.cost - before);
            }
            Cells::PartsWhere(a, _, t) => {
                self.in_cells(a, r);
                self.in_truth(t, r);
                r.cost += 60;
            }
            Cells::With { set, key, .. } | Cells::PartsWith { set, key, .. } => {
                self.in_cells(set, r);
                self.in_num(key, r);
                r.cost += 60;
            }
            Cells::Gather(..) => {
                r.deep = true;
                r.cost += 100;
            }
            Cells::Closure { seed, more, .. } => {
                self.in_cells(seed, r);
                self.in_cells(more, r);
                r.cost += 400;
            }
            Cells::If(t, a, b) => {
                self.in_truth(t, r);
                self.in_cells(a, r);
                self.in_cells(b, r);
            }
        }
    }
}

impl<'p> Lowerer<'p> {
    /// Whether a subprogram may read one of some variables.
    pub fn reads_any(&mut self, begin: Pc, of: &dyn Fn(VarId) -> bool) -> bool {
        let (mut seen, mut open) = (vec![false; self.program.code.len()], vec![begin.0 as usize]);
        while let Some(at) = open.pop() {
            if at >= seen.len() || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let op = &self.program.code[at];
            if matches!(op, Op::Succeed) {
                continue;
            }
            let access = op_vars(op, &self.program.pictures, &self.program.templates);
            if access.reads.iter().any(|v| of(*v)) {
                return true;
            }
            open.extend(successors(op, at));
            for sub in access.subs {
                open.push(self.sub(sub).0 as usize);
            }
        }
        false
    }

    /// Whether a subprogram may read the chosen cell, or what was given a value behind the choice.
    pub fn reads_chosen(
        &mut self,
        begin: Pc,
        var: VarId,
        means: &[(VarId, Option<&'p Value>)],
    ) -> bool {
        self.reads_any(begin, &|v| v == var || means.iter().any(|(m, _)| *m == v))
    }

    /// Whether a subprogram may read what was given a value behind a choice.
    pub fn reads_given(&mut self, begin: Pc, means: &[(VarId, Option<&'p Value>)]) -> bool {
        self.reads_any(begin, &|v| means.iter().any(|(m, _)| *m == v))
    }
}
