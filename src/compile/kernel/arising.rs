//! Requirements behind an own piece that was put on a chosen cell, and what they say of all cells at once while something was not
//! possible before: where it comes to be possible by the piece is found by shifts, with any cell for the one that got the piece.

use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{ALL, NONE, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::tail::Walked;
use crate::program::{Cells, Count, Dirs, PlayerExpr, Square, SubId, Truth, Value, VarId};

impl<'p> Lowerer<'p> {
    /// The cells for which a truth holds behind an own piece that was put there and nothing else that was done, and whether that
    /// is all that is known of it: where it is not, nothing is.
    pub fn put_there(
        &mut self,
        test: &'p Truth,
        var: VarId,
        walked: &Walked<'_, 'p>,
        env: &mut Env,
        cx: Cx,
    ) -> Option<(SV, V)> {
        let Walked { owned, means } = *walked;
        if let Some(set) = self.test_set(test, var, means, owned, true, env, cx) {
            return Some((set, YES));
        }
        if let Some(small) = self.clustered(test, var, env, cx) {
            return Some((small, YES));
        }
        match test {
            Truth::Or(a, b) => {
                for (one, other) in [(a, b), (b, a)] {
                    if let Some(holds) = self.unmoved(one, var, walked, env, cx) {
                        let (good, sure) = self.put_there(other, var, walked, env, cx)?;
                        let good = self.f.select_set(holds, ALL, good);
                        return Some((good, self.f.either(holds, sure)));
                    }
                }
                let (good, sure) = self.put_there(a, var, walked, env, cx)?;
                let (more, also) = self.put_there(b, var, walked, env, cx)?;
                let good = self.f.or(&mut self.fixed, good, more);
                Some((good, self.f.both(sure, also)))
            }
            Truth::And(a, b) => {
                let (good, sure) = self.put_there(a, var, walked, env, cx)?;
                let (more, also) = self.put_there(b, var, walked, env, cx)?;
                let good = self.f.and(&mut self.fixed, good, more);
                Some((good, self.f.both(sure, also)))
            }
            Truth::Not(what) => {
                if let Truth::Possible(player, sub) = what.as_ref()
                    && let Some((before, there)) =
                        self.arises((player.as_deref(), *sub), (var, means), env, cx)
                {
                    let good = self.f.without(&mut self.fixed, ALL, there);
                    return Some((good, self.f.not(before)));
                }
                if !cx.mode.is_exact() {
                    return None;
                }
                let never = self.never_possible(what, (var, means), env, cx)?;
                Some((ALL, self.f.call(never, Vec::new())))
            }
            _ => None,
        }
    }

    /// A truth that depends neither on the chosen cell nor on what was done with it.
    fn unmoved(
        &mut self,
        test: &'p Truth,
        var: VarId,
        walked: &Walked<'_, 'p>,
        env: &mut Env,
        cx: Cx,
    ) -> Option<V> {
        let reads = self.asker(cx).truth(test);
        let given = |v: &VarId| *v == var || walked.means.iter().any(|(m, _)| m == v);
        let still = !self.hides(test)
            && reads.owned & walked.owned == 0
            && !reads.others
            && !reads.deep
            && !reads.vars.iter().any(given);
        still.then(|| self.truth(test, env, cx))
    }

    /// Whether a subprogram can be run by a player, and the cells on which an own piece more makes it so where it could not be.
    fn arises(
        &mut self,
        (player, sub): (Option<&PlayerExpr>, SubId),
        (var, means): (VarId, &[(VarId, Option<&'p Value>)]),
        env: &mut Env,
        cx: Cx,
    ) -> Option<(V, SV)> {
        let asked = player.map_or(Some(cx.me), |p| self.asker(cx).player(p))?;
        if self.returns {
            return None;
        }
        self.settle_piles(env, cx);
        let theirs = &mut self.seen_by(asked, env, cx);
        let them = Cx { me: asked, ..cx };
        let begin = self.sub(sub);
        if self.reads_chosen(begin, var, means) {
            return None;
        }
        let shape = self.shape(begin, theirs, them)?;
        if !self.stay(&shape.picture.ways, cx.me, theirs, them) {
            return None;
        }
        let squares = &shape.picture.squares;
        let mut fresh = Vec::new();
        for (at, square) in squares.iter().enumerate() {
            let Square::Cells {
                class,
                count: Count::One,
                whole: false,
                ..
            } = square
            else {
                return None;
            };
            let class = if at == 0 { shape.start } else { class };
            fresh.push(self.holding(class, cx.me, theirs, them)?);
        }
        if fresh[0] != NONE {
            return None;
        }
        let mut classes = vec![NONE];
        classes.extend(self.classes(shape.picture, 1, theirs, them));
        let (mut before, mut there) = (NONE, NONE);
        for (way, from) in shape.ways {
            let on = self.shift_id(way.0, false)?;
            if self.is_ragged(way.0, true) || self.is_ragged(way.0, false) {
                return None;
            }
            classes[0] = from;
            let found = self.match_along(shape.picture, 0, &classes, way)?.cells;
            before = self.f.or(&mut self.fixed, before, found);
            for (at, fresh) in fresh.iter().enumerate().filter(|(_, f)| **f != NONE) {
                let old = std::mem::replace(&mut classes[at], *fresh);
                let mut found = self.match_along(shape.picture, 0, &classes, way)?.cells;
                for _ in 0..at {
                    found = self.f.shift(found, on);
                }
                there = self.f.or(&mut self.fixed, there, found);
                classes[at] = old;
            }
        }
        Some((self.f.some(&self.fixed, before), there))
    }

    /// Whether a player's piece that is put down changes the directions from no other cell.
    fn stay(&mut self, ways: &'p Dirs, owner: u8, env: &mut Env, cx: Cx) -> bool {
        let Dirs::If(test, yes, no) = ways else {
            // Other ones are the same everywhere, or there is no shape.
            return true;
        };
        let Truth::Contains(_, set) = test.as_ref() else {
            return false;
        };
        self.holding(set, owner, env, cx).is_some()
            && self.stay(yes, owner, env, cx)
            && self.stay(no, owner, env, cx)
    }

    /// The cells that are in a set once a player's piece is put there, when no other cell comes into the set by that.
    fn holding(&mut self, set: &'p Cells, owner: u8, env: &mut Env, cx: Cx) -> Option<SV> {
        match set {
            Cells::Owned(p) => {
                let its = self.asker(cx).player(p)? == owner;
                Some(if its { ALL } else { NONE })
            }
            Cells::Occupied => Some(ALL),
            Cells::Kind(_) if self.program.kinds.len() == 1 => Some(ALL),
            Cells::Empty => Some(NONE),
            Cells::Const(_) | Cells::ByPlayer(..) => Some(self.cells(set, env, cx)),
            Cells::And(a, b) => {
                let a = self.holding(a, owner, env, cx)?;
                let b = self.holding(b, owner, env, cx)?;
                Some(self.f.and(&mut self.fixed, a, b))
            }
            Cells::Or(a, b) => {
                let a = self.holding(a, owner, env, cx)?;
                let b = self.holding(b, owner, env, cx)?;
                Some(self.f.or(&mut self.fixed, a, b))
            }
            _ => None,
        }
    }
}
