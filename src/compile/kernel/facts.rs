//! What is known of cells: who may own what stands there and of which kind it may be, which cells are not the same, and what is
//! forgotten when cells change.

use crate::compile::kernel::env::{Bind, Env};
use crate::compile::kernel::fun::V;
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::reads::Asker;
use crate::program::{Cells, KindExpr, VarId};
use std::rc::Rc;

/// What may stand on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// A bit for each player, `NEUTRAL` and `VACANT`.
    pub owners: u32,
    /// A bit for each kind.
    pub kinds: u32,
}

/// A neutral piece.
pub const NEUTRAL: u32 = 1 << 30;
/// Nothing.
pub const VACANT: u32 = 1 << 31;

impl Fact {
    /// Nothing is known.
    pub const ANY: Fact = Fact {
        owners: u32::MAX,
        kinds: u32::MAX,
    };

    /// Both are true.
    pub fn and(self, other: Fact) -> Fact {
        Fact {
            owners: self.owners & other.owners,
            kinds: self.kinds & other.kinds,
        }
    }

    /// One of them is true.
    pub fn or(self, other: Fact) -> Fact {
        Fact {
            owners: self.owners | other.owners,
            kinds: self.kinds | other.kinds,
        }
    }

    /// Whether no cell can be both.
    pub fn excludes(self, other: Fact) -> bool {
        self.owners & other.owners == 0
            || (self.kinds & other.kinds == 0 && (self.owners & other.owners & VACANT) == 0)
    }

    /// Whether the cell is certainly empty.
    pub fn vacant(self) -> bool {
        self.owners == VACANT
    }

    /// Whether something certainly stands there.
    pub fn taken(self) -> bool {
        self.owners & VACANT == 0
    }

    /// The only owner there can be: nobody's as `None`.
    pub fn owner(self, players: usize) -> Option<Option<u8>> {
        let owners = self.owners & (((1 << players) - 1) | NEUTRAL | VACANT);
        match owners {
            NEUTRAL => Some(None),
            o if o.is_power_of_two() && o & VACANT == 0 => Some(Some(o.trailing_zeros() as u8)),
            _ => None,
        }
    }
}

impl Env {
    /// What is known of a cell.
    pub fn fact(&self, cell: V) -> Fact {
        let of_cells = self.facts.iter().filter(|(c, _)| *c == cell);
        let known = of_cells.fold(Fact::ANY, |f, (_, g)| f.and(*g));
        let begun = |(bind, _): &(Bind, bool)| match bind {
            Bind::Run(run) if run.some && run.start == cell => Some(run.fact),
            _ => None,
        };
        let runs = self.binds.iter().flatten().filter_map(begun);
        runs.fold(known, Fact::and)
    }

    /// Something is known of a cell.
    pub fn know(&mut self, cell: V, fact: Fact) {
        if fact != Fact::ANY {
            self.facts.push((cell, fact));
        }
    }

    /// A picture is matched along a ray.
    pub fn begin_ray(&mut self) {
        self.ray.clear();
        self.ray_runs.clear();
    }

    /// A cell further along the ray, which never comes back.
    pub fn on_ray(&mut self, cell: V) {
        for before in &self.ray {
            self.apart.push((*before, cell));
        }
        for start in &self.ray_runs {
            self.beside_runs.push((*start, cell));
        }
        self.ray.push(cell);
    }

    /// A run further along the ray, which never comes back.
    pub fn run_on_ray(&mut self, start: V) {
        for before in &self.ray {
            self.beside_runs.push((start, *before));
        }
        self.ray_runs.push(start);
    }

    /// A cell has changed: what was known of it, and of cells that may be the same, is forgotten.
    pub fn forget_cell(&mut self, cell: V, was: Fact) {
        self.facts.retain(|(c, f)| *c != cell && f.excludes(was));
        self.forget_runs(was, Some(cell));
    }

    /// Cells have changed.
    pub fn forget_like(&mut self, was: Fact) {
        self.facts.retain(|(_, f)| f.excludes(was));
        self.forget_runs(was, None);
    }

    /// Any cells have changed.
    pub fn forget_all(&mut self) {
        self.facts.clear();
        self.forget_runs(Fact::ANY, None);
    }

    /// Cells have changed that may be among those of runs; or one has.
    fn forget_runs(&mut self, was: Fact, cell: Option<V>) {
        let beside = &self.beside_runs;
        let apart = |start| cell.is_some_and(|c| beside.contains(&(start, c)));
        for (bind, _) in self.binds.iter_mut().flatten() {
            if let Bind::Run(run) = bind
                && run.fact != Fact::ANY
                && !run.fact.excludes(was)
                && !apart(run.start)
            {
                Rc::make_mut(run).fact = Fact::ANY;
            }
        }
    }
}

impl Lowerer<'_> {
    /// What is true of every cell of a set, whatever variables hold.
    pub fn fact_of(&self, cells: &Cells, cx: Cx) -> Fact {
        self.asker(cx).fact_of(cells, &|_| Fact::ANY)
    }

    /// As [`Lowerer::fact_of`], with what is known of the sets that variables hold.
    pub fn fact_here(&self, cells: &Cells, env: &Env, cx: Cx) -> Fact {
        let known = |var| env.stands.iter().find(|(of, _)| *of == var);
        let of_var = |var| known(var).map_or(Fact::ANY, |(_, fact)| *fact);
        self.asker(cx).fact_of(cells, &of_var)
    }

    /// What is true of every cell: what stands there is of one of the kinds that there are.
    pub fn any_kind(&self) -> Fact {
        let kinds = self.program.kinds.len() as u32;
        Fact {
            kinds: 1u32.checked_shl(kinds).map_or(u32::MAX, |bit| bit - 1),
            ..Fact::ANY
        }
    }
}

impl Asker<'_> {
    /// The kinds of pieces that somebody owns, as bits.
    pub fn owned_kinds(self) -> u32 {
        let kinds = self.program.kinds.iter().enumerate();
        let neutral = kinds.filter(|(_, kind)| kind.neutral);
        neutral.fold(u32::MAX, |all, (k, _)| {
            all & !1u32.checked_shl(k as u32).unwrap_or(0)
        })
    }

    /// What is true of every cell of a set, told what is true of those that variables hold.
    pub fn fact_of(self, cells: &Cells, of_var: &dyn Fn(VarId) -> Fact) -> Fact {
        let of = |set: &Cells| self.fact_of(set, of_var);
        match cells {
            Cells::Owned(p) => Fact {
                owners: self.player(p).map_or(!(VACANT | NEUTRAL), |p| 1 << p),
                kinds: u32::MAX,
            },
            Cells::Empty => Fact {
                owners: VACANT,
                kinds: u32::MAX,
            },
            Cells::Occupied => Fact {
                owners: !VACANT,
                kinds: u32::MAX,
            },
            Cells::Kind(KindExpr::Const(k)) => Fact {
                owners: !VACANT,
                kinds: 1 << k.0,
            },
            Cells::Or(a, b) => of(a).or(of(b)),
            Cells::And(a, b) => of(a).and(of(b)),
            Cells::Without(a, b) => self.fact_without(of(a), b),
            Cells::Where(a, ..) => of(a),
            Cells::PartAt(a, _) | Cells::PartsWhere(a, ..) => of(a),
            Cells::With { set, .. } | Cells::PartsWith { set, .. } => of(set),
            Cells::If(_, a, b) => of(a).or(of(b)),
            Cells::Var(v) => of_var(*v),
            _ => Fact::ANY,
        }
    }

    /// What is true of every cell that is not in a set, where something is true of all of them.
    fn fact_without(self, fact: Fact, set: &Cells) -> Fact {
        let owners = |owners| Fact { owners, ..fact };
        match set {
            Cells::Empty => owners(fact.owners & !VACANT),
            Cells::Occupied => owners(fact.owners & VACANT),
            Cells::Owned(p) => match self.player(p) {
                Some(p) => owners(fact.owners & !(1 << p)),
                None => fact,
            },
            Cells::Kind(KindExpr::Const(k)) if !self.program.stacking => Fact {
                kinds: fact.kinds & !(1 << k.0),
                ..fact
            },
            Cells::Or(a, b) => self.fact_without(self.fact_without(fact, a), b),
            _ => fact,
        }
    }
}
