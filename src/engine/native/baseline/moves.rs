//! Several copies at once, as one after the other: none reads what another has written already.

use crate::engine::native::baseline::assembler::{Address, Assembler, Operand, RAX, RCX, Reg};

/// What is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum From {
    Operand(Operand),
    Number(i64),
    /// The address itself.
    Address(Address),
}

/// Copies each into a place; no two into the same. RAX holds what is in the way, and RCX what goes from memory to memory: it must
/// not be read or written where that happens.
pub(super) fn copy(assembler: &mut Assembler, moves: &mut Vec<(Operand, From)>) {
    moves.retain(|&(to, from)| from != From::Operand(to));
    while let Some(&(first, _)) = moves.first() {
        let read = |place: Operand| moves.iter().any(|&(_, from)| from == From::Operand(place));
        match moves.iter().position(|&(to, _)| !read(to)) {
            Some(at) => {
                let (to, from) = moves.swap_remove(at);
                one(assembler, to, from);
            }
            None => {
                // All are in circles: what stands where the first goes is kept apart.
                assembler.load(RAX, first);
                for (_, from) in moves.iter_mut() {
                    if *from == From::Operand(first) {
                        *from = From::Operand(Operand::Reg(RAX));
                    }
                }
            }
        }
    }
}

/// Copies one. Flags stay as they are.
pub(super) fn one(assembler: &mut Assembler, to: Operand, from: From) {
    match to {
        Operand::Reg(reg) => load(assembler, reg, from),
        Operand::Mem(address) => match from {
            From::Operand(Operand::Reg(reg)) => assembler.store(address, reg),
            From::Number(number) if i32::try_from(number).is_ok() => {
                assembler.store_number(address, number as i32);
            }
            From::Operand(Operand::Mem(_)) | From::Number(_) | From::Address(_) => {
                load(assembler, RCX, from);
                assembler.store(address, RCX);
            }
        },
    }
}

/// Copies into a register. Flags stay as they are.
pub(super) fn load(assembler: &mut Assembler, to: Reg, from: From) {
    match from {
        From::Operand(operand) => assembler.load(to, operand),
        From::Number(number) => assembler.number(to, number),
        From::Address(address) => assembler.lea(to, address),
    }
}
