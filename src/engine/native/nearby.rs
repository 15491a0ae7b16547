//! Numbers beside what uses them. Before: a function that was made better. After: no instruction uses a number that another
//! block makes. Conditions: none. Where cranelift places the same number in several parts of a function, only the first is made
//! anew in each block that uses it, and all others wait in registers, or on the stack.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;

/// Makes numbers anew in every block that uses them.
pub(super) fn bring_numbers(function: &mut Function) {
    let mut cursor = FuncCursor::new(function);
    // What was made anew in the block.
    let mut here: FxHashMap<Value, Value> = FxHashMap::default();
    while let Some(block) = cursor.next_block() {
        here.clear();
        while let Some(inst) = cursor.next_inst() {
            let used = cursor.func.dfg.inst_values(inst);
            let far: Vec<(Value, Inst)> = used
                .filter_map(|value| Some((value, number_elsewhere(cursor.func, value, block)?)))
                .collect();
            for &(value, made) in &far {
                here.entry(value).or_insert_with(|| {
                    let copy = cursor.func.dfg.clone_inst(made);
                    cursor.insert_inst(copy);
                    cursor.func.dfg.first_result(copy)
                });
            }
            if !far.is_empty() {
                let near = |value| here.get(&value).copied().unwrap_or(value);
                cursor.func.dfg.map_inst_values(inst, near);
            }
        }
    }
}

/// The instruction that makes a value, when that is a number, and it does not stand in this block.
fn number_elsewhere(function: &Function, value: Value, block: Block) -> Option<Inst> {
    let made = function.dfg.value_def(value).inst()?;
    let is_number = function.dfg.insts[made].opcode() == Opcode::Iconst;
    (is_number && function.layout.inst_block(made) != Some(block)).then_some(made)
}
