//! Effects that make the top piece of a pile another one, of another owner or another kind: what is below stays as it is.

use crate::compile::kernel::env::{Env, KindOf};
use crate::compile::kernel::facts::Fact;
use crate::compile::kernel::fun::{NONE, V, YES};
use crate::compile::kernel::lower::Lowerer;
use crate::program::kernel::Bin;

impl Lowerer<'_> {
    /// Gives the top piece of a cell, if one is there, to the other of two players; one that is nobody's stays so.
    pub fn flip_top(&mut self, c: V, env: &mut Env) {
        let old = self.pile(c);
        let there = self.f.bin(Bin::Differ, old, YES);
        let top = self.top_after(old, there);
        let codes = self.codes.clone();
        let table = self.table("flip", |_| {
            become_of(&codes, |code| match code >> 8 {
                0 => code,
                1 => code & 0xFF | 2 << 8,
                _ => code & 0xFF | 1 << 8,
            })
        });
        let code = self.f.table(&self.tables, table, top.code);
        let safe = self.f.select(there, old, V::K(1 << self.piece_bits()));
        let flipped = self.topped(safe, top.code, code);
        let new = self.f.select(there, flipped, old);
        self.set_pile(c, old, new, env);
        let differs = self.f.bin(Bin::Differ, new, old);
        let single = self.f.single(&mut self.fixed, c);
        let touched = self.f.select_set(differs, single, NONE);
        self.note(self.program.system.touched, touched, env);
        self.top_with((c, single), there, Self::some_piece(code), env);
    }

    /// Makes the top piece of a cell, which is there and a player's, one of another kind.
    pub fn promote_top(&mut self, c: V, kind: &KindOf, env: &mut Env) {
        let old = self.pile(c);
        let top = self.top_piece(old, Fact::ANY);
        let codes = self.codes.clone();
        let of_kind = |kind: usize| become_of(&codes, |code| code & 0xFF00 | (kind & 0xFF) as u16);
        let (table, at) = match kind {
            Ok(kind) => {
                let kind = usize::from(kind.0);
                let table = self.table(&format!("promote to {kind}"), |_| of_kind(kind));
                (table, top.code)
            }
            Err(kind) => {
                let table = self.table("promote", |program| {
                    (0..program.kinds.len()).flat_map(of_kind).collect()
                });
                let before = self.f.bin(Bin::Sub, *kind, YES);
                let before = self.f.bin(Bin::Mul, before, V::K(codes.len() as u64));
                (table, self.f.bin(Bin::Add, before, top.code))
            }
        };
        let code = self.f.table(&self.tables, table, at);
        let new = self.topped(old, top.code, code);
        self.set_pile(c, old, new, env);
        self.show(c, YES, Self::some_piece(code), env);
    }

    /// A pile whose top piece is of a code, with one of another code instead.
    fn topped(&mut self, pile: V, was: V, is: V) -> V {
        let end = self.end(pile);
        let at = self.f.bin(Bin::Sub, end, V::K(self.piece_bits()));
        let change = self.f.bin(Bin::Xor, is, was);
        let change = self.f.bin(Bin::Shl, change, at);
        self.f.bin(Bin::Xor, pile, change)
    }
}

/// For each code that of the piece that its piece becomes, or itself where there is none such.
fn become_of(codes: &[u16], becomes: impl Fn(u16) -> u16) -> Vec<u64> {
    let place = |code: u16| codes.iter().position(|c| *c == code);
    let each = codes.iter().enumerate();
    each.map(|(i, code)| place(becomes(*code)).unwrap_or(i) as u64)
        .collect()
}
