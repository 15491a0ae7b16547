//! Where the values of a function are: each in one register or in one place on the stack, for as long as it is needed. Before: how
//! long and how often that is. After: what is needed at the same time stands apart, and what is needed behind a call stands where
//! the call leaves it. One pass over the values in the order in which they are made: where none is free, what is used least
//! for its length gives up its register (after Poletto and Sarkar, "Linear Scan Register Allocation", 1999).

use crate::engine::native::baseline::assembler::{
    R8, R9, R10, R11, R12, R13, R14, R15, RBP, RBX, RCX, RDI, RDX, RSI, Reg,
};
use crate::engine::native::baseline::steps::{At, Steps, Wish, map_of};
use crate::engine::native::ir::Value;
use cranelift_codegen::entity::SecondaryMap;

/// The registers in which a function is given what it is called with.
pub(super) const ARGUMENTS: [Reg; 6] = [RDI, RSI, RDX, RCX, R8, R9];

/// The registers that a call leaves as they are. RAX, RCX and RDX hold no values from one step to the next.
pub(super) const KEPT: [Reg; 6] = [RBX, RBP, R12, R13, R14, R15];

/// The registers that a call may change.
const LOST: [Reg; 6] = [RSI, RDI, R8, R9, R10, R11];

/// How long values count as at least when they are weighed against each other.
const SHORT: f32 = 30.0;

/// Where a value is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Nowhere: it is not needed.
    #[default]
    None,
    Reg(Reg),
    /// The place on the stack with this number.
    Slot(u32),
}

/// Where all values are.
pub(super) struct Places {
    pub(super) of: SecondaryMap<Value, Place>,
    /// How many places on the stack there are.
    pub(super) slots: u32,
    /// Whether each register is used.
    pub(super) used: [bool; 16],
}

/// A value in a register.
#[derive(Clone, Copy)]
struct Holder {
    value: Value,
    end: At,
    /// What giving up the register costs.
    cost: f32,
}

/// Some registers, a bit for each.
type Regs = u16;

const fn all_of(regs: [Reg; 6]) -> Regs {
    let (mut all, mut at) = (0, 0);
    while at < regs.len() {
        all |= 1 << regs[at];
        at += 1;
    }
    all
}

/// Registers one after the other: those that a call may change first.
fn each(regs: Regs) -> impl Iterator<Item = Reg> {
    let lost = regs & all_of(LOST);
    let bits = |mut left: Regs| {
        std::iter::from_fn(move || {
            let reg = (left != 0).then(|| left.trailing_zeros() as Reg)?;
            left &= left - 1;
            Some(reg)
        })
    };
    bits(lost).chain(bits(regs & !lost))
}

impl Places {
    /// Finds places for the values of a function, which has so many.
    pub(super) fn new(steps: &Steps, values: usize) -> Places {
        let mut places = Places {
            of: map_of(values),
            slots: 0,
            used: [false; 16],
        };
        let nobody = Holder {
            value: Value::from_u32(0),
            end: 0,
            cost: 0.0,
        };
        let (mut holders, mut held) = ([nobody; 16], 0 as Regs);
        // None of them is needed less far than to here.
        let mut next_end = At::MAX;
        for &(value, made) in &steps.made {
            if next_end <= made {
                let end = |reg: &Reg| holders[*reg as usize].end;
                let still = |reg: &Reg| end(reg) > made;
                held = each(held).filter(still).fold(0, |all, reg| all | 1 << reg);
                next_end = each(held).map(|reg| end(&reg)).min().unwrap_or(At::MAX);
            }
            let life = steps.lives[value];
            let holder = Holder {
                value,
                end: life.end,
                cost: life.weight / ((life.end - made) as f32 + SHORT),
            };
            let wished = match life.wish {
                Wish::Anywhere => None,
                Wish::Argument(at) => ARGUMENTS.get(at as usize).copied(),
                Wish::Like(other) => match places.of[other] {
                    Place::Reg(reg) => Some(reg),
                    Place::Slot(_) | Place::None => None,
                },
            };
            let mut allowed = all_of(KEPT);
            if !steps.crosses_call(made, life.end) {
                allowed |= all_of(LOST);
            }
            let free = allowed & !held;
            let wished = wished.filter(|reg| free & 1 << reg != 0);
            let mut found = wished.or_else(|| each(free).next());
            if found.is_none() {
                let cost = |reg: Reg| holders[reg as usize].cost;
                let least = each(allowed).min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
                if let Some(reg) = least.filter(|&reg| cost(reg) < holder.cost) {
                    places.of[holders[reg as usize].value] = places.slot();
                    found = Some(reg);
                }
            }
            places.of[value] = match found {
                Some(reg) => {
                    holders[reg as usize] = holder;
                    held |= 1 << reg;
                    next_end = next_end.min(life.end);
                    places.used[reg as usize] = true;
                    Place::Reg(reg)
                }
                None => places.slot(),
            };
        }
        places
    }

    fn slot(&mut self) -> Place {
        self.slots += 1;
        Place::Slot(self.slots - 1)
    }
}
