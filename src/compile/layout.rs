//! Pass: memory. Before: variables without places. After: every variable has its words; state first, scratch behind it.

use crate::program::{Layout, Per, Program, WORD_FREE};

/// Widths of cell sets that engines are made for, in words of 64 cells.
pub const WIDTHS: [usize; 8] = [1, 2, 3, 4, 6, 8, 11, 20];

/// Gives every variable its place.
pub fn place(program: &mut Program) {
    let cells = program.board.len();
    let words = WIDTHS.into_iter().find(|w| w * 64 >= cells).unwrap_or(20);
    let players = program.players.len();
    let kinds = program.kinds.len();
    let mut layout = Layout {
        words,
        ..Layout::default()
    };
    let mut next = WORD_FREE;
    let mut take = |count: usize| {
        let at = next;
        next += count;
        at
    };
    layout.owned = take(players * words);
    layout.kinds = take(kinds * words);
    layout.occupied = take(words);
    layout.hands = take(if program.hands { players * kinds } else { 0 });
    layout.vars = take(0);
    for in_state in [true, false] {
        for var in program.vars.iter_mut().filter(|v| v.in_state() == in_state) {
            var.stride = var.ty.words(words);
            var.count = match var.per {
                Per::Game => 1,
                Per::Player => players,
                Per::Cell => cells,
            };
            var.offset = take(var.stride * var.count);
            // First values were made before the width was known: sets have the greatest width.
            var.initial.resize(var.stride, 0);
            var.initial = var.initial.repeat(var.count);
        }
        if in_state {
            layout.state = take(0);
        }
    }
    layout.memory = next;
    program.layout = layout;
}
