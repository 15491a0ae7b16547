//! Pieces in hands: how many of a kind are held, and what is dealt and entered, also where kind or player are chosen.

use crate::compile::kernel::env::{Bind, Env, KindOf};
use crate::compile::kernel::flow::Asked;
use crate::compile::kernel::fun::{NO, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::values::PlayerV;
use crate::program::kernel::Bin;
use crate::program::{KindExpr, Num, PlayerExpr};

impl<'p> Lowerer<'p> {
    /// Puts pieces into a hand: of a kind, whose, and how many. False when it surely cannot be done.
    pub fn deal(
        &mut self,
        (kind, to, times): (&KindExpr, &'p PlayerExpr, &'p Num),
        env: &mut Env,
        cx: Cx,
        asked: &mut Asked,
    ) -> bool {
        let more = self.num(times, env, cx);
        let more = self.f.bin(Bin::Larger, more, NO);
        let kind = self.kind(kind, env);
        let player = self.player(to, env, cx);
        if let PlayerV::Word(w) = player {
            let there = self.f.bin(Bin::Differ, w, NO);
            if !self.only_if(there, asked) {
                return false;
            }
        }
        let nobody = self.is_neutral(&kind);
        let somebody = self.f.not(nobody);
        if !self.only_if(somebody, asked) {
            return false;
        }
        self.change_hands((&player, &kind), (Bin::Add, more), env);
        true
    }

    /// How many pieces of a kind a player holds.
    pub fn held(&mut self, player: u8, kind: &KindOf, env: &mut Env) -> Option<V> {
        let mut held = NO;
        for k in 0..self.program.kinds.len() {
            let is = self.is_kind(kind, k);
            if is != NO {
                let slot = self.hand_slot(usize::from(player), k)?;
                let of_kind = self.word(slot, env);
                held = self.f.select(is, of_kind, held);
            }
        }
        Some(held)
    }

    /// Adds to how many pieces of a kind a player holds, or takes away from them.
    pub fn change_hands(
        &mut self,
        (player, kind): (&PlayerV, &KindOf),
        (how, many): (Bin, V),
        env: &mut Env,
    ) {
        for p in 0..self.program.players.len() {
            for k in 0..self.program.kinds.len() {
                let his = match player {
                    PlayerV::Is(player) => V::K(u64::from(usize::from(*player) == p)),
                    PlayerV::Word(w) => self.f.bin(Bin::Equal, *w, V::K(p as u64 + 1)),
                };
                let such = self.is_kind(kind, k);
                let is = self.f.both(his, such);
                let Some(slot) = self.hand_slot(p, k).filter(|_| is != NO) else {
                    continue;
                };
                let held = self.word(slot, env);
                let changed = self.f.bin(how, held, many);
                let now = self.f.select(is, changed, held);
                self.put(slot, Bind::Word(now), env);
            }
        }
    }

    /// Whose a new piece is, counted from 1: nobody's, whoever is named, where the kind that was chosen is neutral.
    pub fn whose(&mut self, kind: &KindOf, owner: V) -> V {
        let nobody = self.is_neutral(kind);
        self.f.select(nobody, NO, owner)
    }

    /// Whether a kind is neutral.
    pub fn is_neutral(&mut self, kind: &KindOf) -> V {
        let mut neutral = NO;
        for (k, known) in self.program.kinds.iter().enumerate() {
            if known.neutral {
                let is = self.is_kind(kind, k);
                neutral = self.f.either(neutral, is);
            }
        }
        neutral
    }
}
