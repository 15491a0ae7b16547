//! What surely stands on the cells of the sets that a turn keeps, wherever an instruction is come to: a group on the move is of the mover's
//! pieces, however often it has moved. In: a program. Out: for each player and instruction the sets of which something is known; and for
//! each point at which a turn rests what that takes for known.
//!
//! Before: a piece of such a set may be anybody's where the turn goes on, and every set of pieces is changed with it. After: only those of
//! whoever it can be. Conditions: no stacks; as for `certain`, positions that a game comes to.
//!
//! A forward data-flow analysis to its fixed point: who may own what stands on the cells of a set, and which sets have no cell in common,
//! since a piece that moves leaves a cell that another set may still have.

use crate::compile::kernel::certain::{asked_anywhere, joined};
use crate::compile::kernel::facts::{Fact, NEUTRAL, VACANT};
use crate::compile::kernel::reads::Asker;
use crate::compile::points::successors;
use crate::program::kernel::Standing;
use crate::program::{
    Access, CellExpr, Cells, Count, Domain, Effect, Life, NO_PC, Op, Pc, Per, Program, Square,
    Value, VarId, VarType, op_vars,
};
use std::collections::BTreeSet;

/// No more variables than this are looked at.
const MOST: usize = 64;

/// What is known of one variable: who may own what stands on its cells, and with which of the others it has no cell in common, as bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    owners: u32,
    apart: u64,
}

impl Known {
    const ANY: Known = Known {
        owners: u32::MAX,
        apart: 0,
    };

    /// No cell.
    const NONE: Known = Known {
        owners: 0,
        apart: u64::MAX,
    };

    fn or(self, other: Known) -> Known {
        Known {
            owners: self.owners | other.owners,
            apart: self.apart & other.apart,
        }
    }
}

type State = Box<[Known]>;

/// What was found out for a player.
pub struct Stands {
    /// For each instruction the sets, and what stands on their cells.
    at: Vec<Vec<(VarId, Fact)>>,
    /// For each point, the first for the beginning of a turn, what is taken for known there.
    pub rests: Vec<Standing>,
}

impl Stands {
    /// The sets of which something is known where an instruction is come to.
    pub fn at(&self, pc: Pc) -> impl Iterator<Item = (VarId, Fact)> + '_ {
        self.at.get(pc.0 as usize).into_iter().flatten().copied()
    }
}

/// The walk for one player.
struct Walk<'p> {
    program: &'p Program,
    asker: Asker<'p>,
    accesses: &'p [Access],
    vars: &'p [VarId],
    place: Vec<Option<usize>>,
    at: Vec<Option<State>>,
    /// What is still to be gone on from, the first of it first: most ways lead on from there.
    open: BTreeSet<usize>,
}

/// Finds out what stands on the cells of sets, for each player; nothing where cells hold stacks, and where no set is kept in a turn.
pub fn stands(program: &Program) -> Vec<Stands> {
    let kept = |v: &VarId| {
        let var = program.var(*v);
        matches!(var.ty, VarType::Cells | VarType::Groups)
            && var.in_state()
            && var.life != Life::Game
    };
    let looked_at = |v: &VarId| {
        let var = program.var(*v);
        let cells = matches!(var.ty, VarType::Cells | VarType::Groups | VarType::Cell);
        cells && var.per == Per::Game && var.life != Life::Game
    };
    let all = || (0..program.vars.len()).map(|v| VarId(v as u16));
    let mut vars: Vec<VarId> = all().filter(looked_at).collect();
    if program.stacking || !vars.iter().any(kept) {
        return Vec::new();
    }
    // What is kept comes before what is not.
    vars.sort_by_key(|v| !kept(v));
    vars.truncate(MOST);
    let access = |op: &Op| op_vars(op, &program.pictures, &program.templates);
    let accesses: Vec<Access> = program.code.iter().map(access).collect();
    let players = 0..program.players.len() as u8;
    let of_player = |me| {
        let mut place = vec![None; program.vars.len()];
        for (at, var) in vars.iter().enumerate() {
            place[var.0 as usize] = Some(at);
        }
        let walk = Walk {
            program,
            asker: Asker { program, me },
            accesses: &accesses,
            vars: &vars,
            place,
            at: vec![None; program.code.len()],
            open: BTreeSet::new(),
        };
        walk.walked()
    };
    players.map(of_player).collect()
}

impl Walk<'_> {
    fn walked(mut self) -> Stands {
        let program = self.program;
        let begin = |v: &VarId| match program.var(*v) {
            var if var.life == Life::Local || var.initial.iter().all(|w| *w == 0) => Known::NONE,
            _ => Known::ANY,
        };
        let fresh: State = self.vars.iter().map(begin).collect();
        for turn in &program.turns {
            self.come(turn.pc.0 as usize, &fresh);
        }
        // What others ask is asked anywhere.
        let any: State = vec![Known::ANY; self.vars.len()].into();
        for at in asked_anywhere(program) {
            self.come(at, &any);
        }
        // Whom those are asked for need not be who moves.
        for sub in self.accesses.iter().flat_map(|a| &a.for_others) {
            self.come(program.subs[sub.0 as usize].0 as usize, &any);
        }
        self.come(program.setup.0 as usize, &any);
        while let Some(at) = self.open.pop_first() {
            self.step(at);
        }
        self.told()
    }

    fn come(&mut self, at: usize, state: &State) {
        let Some(here) = self.at.get_mut(at) else {
            return;
        };
        if joined(here, state, Known::or) {
            self.open.insert(at);
        }
    }

    fn step(&mut self, at: usize) {
        let Some(mut state) = self.at[at].clone() else {
            return;
        };
        let program = self.program;
        for sub in &self.accesses[at].subs {
            let begin = program.subs[sub.0 as usize];
            if begin != NO_PC {
                let mut inner = state.clone();
                for var in &self.accesses[at].given {
                    self.give(*var, Known::ANY, &mut inner);
                }
                self.come(begin.0 as usize, &inner);
            }
        }
        match &program.code[at] {
            Op::Let(var, Value::Cells(set) | Value::Groups(set)) => {
                self.give(*var, self.of(set, &state), &mut state);
            }
            Op::Choose(var, Domain::Cells(set) | Domain::Parts(set)) => {
                self.give(*var, self.of(set, &state), &mut state);
            }
            Op::Each { var, rest, .. } => {
                let known = self.of(&Cells::Var(*rest), &state);
                self.give(*var, known, &mut state);
            }
            Op::Line(id) => {
                for square in &program.pictures[id.0 as usize].squares {
                    if let Square::Cells {
                        class,
                        count,
                        bind: Some(var),
                        ..
                    } = square
                    {
                        let known = match count {
                            Count::One => self.of(class, &state),
                            Count::New(_) | Count::Between(..) => Known::ANY,
                        };
                        self.give(*var, known, &mut state);
                    }
                }
            }
            Op::Point(_) => {
                // Cells are not looked at where a turn rests.
                for var in self.vars {
                    if program.var(*var).ty == VarType::Cell {
                        self.give(*var, Known::ANY, &mut state);
                    }
                }
            }
            Op::Clear(var) => self.give(*var, Known::NONE, &mut state),
            Op::Effect(effect) => self.effect(effect, &mut state),
            _ => {
                for var in &self.accesses[at].writes {
                    self.give(*var, Known::ANY, &mut state);
                }
            }
        }
        for next in successors(&program.code[at], at) {
            self.come(next, &state);
        }
    }

    /// A variable has other cells.
    fn give(&self, var: VarId, known: Known, state: &mut State) {
        let Some(place) = self.place[var.0 as usize] else {
            return;
        };
        let bit = 1u64 << place;
        state[place] = Known {
            apart: known.apart & !bit,
            ..known
        };
        for (other, held) in state.iter_mut().enumerate() {
            if other != place {
                let apart = known.apart >> other & 1 == 1;
                held.apart = held.apart & !bit | if apart { bit } else { 0 };
            }
        }
    }

    /// What is known of the cells of a set.
    fn of(&self, set: &Cells, state: &State) -> Known {
        let of_var = |v: VarId| self.place[v.0 as usize].map_or(Known::ANY, |at| state[at]);
        let fact = |v: VarId| Fact {
            owners: of_var(v).owners,
            kinds: u32::MAX,
        };
        let owners = match set {
            Cells::Const(set) if set.is_empty() => 0,
            Cells::Single(c) => match c.as_ref() {
                CellExpr::Var(v) => of_var(*v).owners,
                _ => u32::MAX,
            },
            set => self.asker.fact_of(set, &fact).owners,
        };
        Known {
            owners,
            apart: self.apart(set, state),
        }
    }

    /// The variables with which a set has no cell in common.
    fn apart(&self, set: &Cells, state: &State) -> u64 {
        let of = |set: &Cells| self.apart(set, state);
        let place = |v: &VarId| self.place[v.0 as usize];
        let bit = |set: &Cells| match set {
            Cells::Var(v) => place(v).map_or(0, |at| 1 << at),
            _ => 0,
        };
        match set {
            Cells::Const(set) if set.is_empty() => u64::MAX,
            Cells::Var(v) => place(v).map_or(0, |at| state[at].apart),
            Cells::Single(c) => match c.as_ref() {
                CellExpr::Var(v) => place(v).map_or(0, |at| state[at].apart),
                _ => 0,
            },
            Cells::Or(a, b) | Cells::If(_, a, b) => of(a) & of(b),
            Cells::And(a, b) => of(a) | of(b),
            Cells::Without(a, b) => of(a) | bit(b),
            Cells::Where(a, ..) | Cells::PartAt(a, _) | Cells::PartsWhere(a, ..) => of(a),
            Cells::With { set, .. } | Cells::PartsWith { set, .. } => of(set),
            _ => 0,
        }
    }

    fn effect(&self, effect: &Effect, state: &mut State) {
        match effect {
            Effect::Mark(var, set) => {
                let old = self.of(&Cells::Var(*var), state);
                let known = old.or(self.of(set, state));
                self.give(*var, known, state);
            }
            Effect::Unmark(..) | Effect::Again | Effect::ExchangeSeats | Effect::Pass => {}
            Effect::Place { owner, at, .. } => {
                let owners = match owner {
                    None => NEUTRAL,
                    Some(p) => self.asker.player(p).map_or(u32::MAX, |p| 1 << p),
                };
                let was = self.of(at, state);
                self.become_too(was, owners, false, state);
            }
            Effect::Capture(set) | Effect::Remove(set) => {
                let was = self.of(set, state);
                self.become_too(was, VACANT, true, state);
            }
            Effect::Move(CellExpr::Var(from), CellExpr::Var(to)) => self.carry(*from, *to, state),
            Effect::Move(..)
            | Effect::Enter { .. }
            | Effect::Deal { .. }
            | Effect::Advance(..)
            | Effect::CaptureTop(..)
            | Effect::Flip(_)
            | Effect::Promote(..)
            | Effect::Lift(_)
            | Effect::Drop(_) => state.fill(Known::ANY),
        }
        self.touch(state);
    }

    /// What the engine itself notes of effects may be anything.
    fn touch(&self, state: &mut State) {
        let system = self.program.system;
        for var in [system.touched, system.captured].into_iter().flatten() {
            self.give(var, Known::ANY, state);
        }
    }

    /// On cells something else stands: what may be one of them may have it. Sets that travel with pieces lose what is `taken`.
    fn become_too(&self, cells: Known, owners: u32, taken: bool, state: &mut State) {
        for (at, var) in self.vars.iter().enumerate() {
            let elsewhere = cells.apart >> at & 1 == 1 || state[at].owners & cells.owners == 0;
            let loses = taken && self.program.var(*var).travels;
            if !elsewhere && !loses {
                state[at].owners |= owners;
            }
        }
    }

    /// A piece moves from one variable's cell to another's.
    fn carry(&self, from: VarId, to: VarId, state: &mut State) {
        let (Some(a), Some(b)) = (self.place[from.0 as usize], self.place[to.0 as usize]) else {
            return state.fill(Known::ANY);
        };
        let (piece, place) = (state[a], state[b]);
        if piece.owners & place.owners != 0 {
            // They may be one cell.
            return state.fill(Known::ANY);
        }
        let mut travelled = 0u64;
        for (at, var) in self.vars.iter().enumerate() {
            let var = self.program.var(*var);
            if var.ty == VarType::Cell {
                continue;
            }
            let has = piece.apart >> at & 1 == 0 && state[at].owners & piece.owners != 0;
            let had = place.apart >> at & 1 == 0 && state[at].owners & place.owners != 0;
            let known = &mut state[at];
            if had {
                known.owners |= piece.owners;
            }
            if var.travels && has {
                travelled |= 1 << at;
                known.owners |= piece.owners;
            } else if has {
                known.owners |= VACANT;
            }
        }
        for (at, var) in self.vars.iter().enumerate() {
            if self.program.var(*var).ty == VarType::Cell {
                self.give(*var, Known::ANY, state);
            } else if travelled >> at & 1 == 1 {
                // It may have the cell to which the piece has moved: only what surely has not is still apart.
                let clear = |other: usize| {
                    let no_set = self.program.var(self.vars[other]).ty == VarType::Cell;
                    let elsewhere = place.apart >> other & 1 == 1;
                    no_set || elsewhere || state[other].owners & place.owners == 0
                };
                let both_travel = |other: usize| travelled >> other & 1 == 1;
                let others =
                    (0..self.vars.len()).filter(|o| *o != at && (!clear(*o) || both_travel(*o)));
                let lost = others.fold(0u64, |bits, o| bits | 1 << o);
                let known = Known {
                    apart: state[at].apart & !lost,
                    ..state[at]
                };
                self.give(*var, known, state);
            }
        }
        let vacant = Known {
            owners: VACANT,
            apart: 0,
        };
        self.give(from, vacant, state);
        self.give(to, Known { apart: 0, ..piece }, state);
    }

    fn told(self) -> Stands {
        let players = (1u32 << self.program.players.len()) - 1;
        let is_set = |v: &VarId| self.program.var(*v).ty != VarType::Cell;
        let known_at = |at: usize| -> Vec<(VarId, Fact)> {
            let Some(state) = &self.at[at] else {
                return Vec::new();
            };
            let all = self
                .vars
                .iter()
                .zip(state.iter())
                .filter(|(v, _)| is_set(v));
            let known = all.filter(|(_, k)| k.owners != 0 && k.owners & !players == 0);
            let kinds = self.asker.owned_kinds();
            let fact = |owners| Fact { owners, kinds };
            known.map(|(v, k)| (*v, fact(k.owners))).collect()
        };
        let rest = |pc: Pc| -> Standing {
            let mut rest = Standing::default();
            let Some(state) = self.at.get(pc.0 as usize).and_then(Option::as_ref) else {
                return rest;
            };
            let place = |at: usize| self.program.var(self.vars[at]).offset as u32;
            let var = |at: usize| self.program.var(self.vars[at]);
            let kept = |at: &usize| is_set(&self.vars[*at]) && var(*at).in_state();
            for at in (0..self.vars.len()).filter(kept) {
                let owners = state[at].owners;
                let owned = owners & !players == 0;
                rest.owned.extend(owned.then_some((place(at), owners)));
                for other in (at + 1..self.vars.len()).filter(kept) {
                    let apart = state[at].apart >> other & 1 == 1;
                    rest.apart
                        .extend(apart.then_some((place(at), place(other))));
                }
            }
            rest
        };
        let points = self.program.points.iter().skip(1).map(|p| rest(p.pc));
        Stands {
            at: (0..self.program.code.len()).map(known_at).collect(),
            rests: [Standing::default()].into_iter().chain(points).collect(),
        }
    }
}
