//! Pass: what is carried. Before: points without values. After: at each point, the local values that are read later in the
//! turn; these become part of the state. A backward data-flow analysis over the flat list, to its fixed point.

use crate::compile::points::successors;
use crate::program::{Life, NO_PC, Op, Program, Var, VarId, op_vars};

/// A set of variables, as bits.
type Bits = Vec<u64>;

/// Finds what is carried at every point.
pub fn carry(program: &mut Program) {
    let live = live(program);
    for point in 1..program.points.len() {
        let bits = &live[program.points[point].pc.0 as usize];
        let carried: Vec<VarId> = (0..program.vars.len())
            .filter(|v| bits[v / 64] >> (v % 64) & 1 == 1 && program.vars[*v].life == Life::Local)
            .map(|v| VarId(u16::try_from(v).unwrap_or(u16::MAX)))
            .collect();
        for id in &carried {
            program.vars[id.0 as usize].carried = true;
        }
        program.points[point].carried = carried;
    }
    name_apart(program);
}

/// The variables that are read, before they are written, from each instruction on.
pub fn live(program: &Program) -> Vec<Bits> {
    let words = program.vars.len() / 64 + 1;
    let mut live: Vec<Bits> = vec![vec![0; words]; program.code.len() + 1];
    let accesses: Vec<_> = program
        .code
        .iter()
        .map(|op| op_vars(op, &program.pictures, &program.templates))
        .collect();
    loop {
        let mut changed = false;
        for at in (0..program.code.len()).rev() {
            let mut bits = vec![0u64; words];
            for next in successors(&program.code[at], at) {
                merge(&mut bits, &live[next.min(program.code.len())]);
            }
            // What `best` compares is read at the end of its subprogram.
            let own = if let Op::Best { .. } = program.code[at] {
                &[][..]
            } else {
                &accesses[at].reads[..]
            };
            for var in &accesses[at].writes {
                bits[var.0 as usize / 64] &= !(1 << (var.0 % 64));
            }
            for sub in &accesses[at].subs {
                let pc = program.subs[sub.0 as usize];
                if pc != NO_PC {
                    let mut inner = live[pc.0 as usize].clone();
                    for var in &accesses[at].given {
                        inner[var.0 as usize / 64] &= !(1 << (var.0 % 64));
                    }
                    merge(&mut bits, &inner);
                }
            }
            for var in own {
                bits[var.0 as usize / 64] |= 1 << (var.0 % 64);
            }
            if bits != live[at] {
                live[at] = bits;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

fn merge(into: &mut Bits, from: &Bits) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
}

/// Values of the state get names of their own.
fn name_apart(program: &mut Program) {
    let mut taken: Vec<String> = FIELDS.map(str::to_owned).to_vec();
    // What is kept has its name before what is carried.
    for kept in [true, false] {
        let such = |v: &&mut Var| v.in_state() && (v.life != Life::Local) == kept;
        for var in program.vars.iter_mut().filter(such) {
            let plain = var.name.clone();
            let mut number = 1;
            while taken.contains(&var.name) {
                number += 1;
                var.name = format!("{plain}.{number}");
            }
            taken.push(var.name.clone());
        }
    }
}

/// What position lines say besides values, by the name that stands before `=`.
const FIELDS: [&str; 5] = ["at", "up", "seats", "again", "last"];
