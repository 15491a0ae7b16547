//! Trails of which only the two ends matter: where one ends is chosen among all the cells that it can come to, instead of by going
//! all the ways that there are.

use crate::compile::kernel::phrased::trail::{Step, Trail};
use crate::compile::kernel::phrased::{Phrasing, binds};
use crate::compile::kernel::rays::rays_return;
use crate::compile::points::successors;
use crate::program::{
    CellExpr, Cells, Domain, Effect, Op, Pc, Picture, Square, Truth, Value, Var, VarId, VarType,
    cells_vars,
};

/// Of trails whose steps are counted no longer ones are found as sets.
const LONGEST: i64 = 4;

impl Phrasing<'_> {
    /// A trail that changes nothing but where its piece stands, of any length when it comes to no cell twice: its end is chosen.
    pub fn choose_the_end(&mut self, at: usize) {
        let Some(trail) = self.trail_at(at) else {
            return;
        };
        if !self.is_alone(at, &trail) || !self.forgets(at, &trail) || !trail.is_told_by_sets() {
            return;
        }
        let moves = trail.steps.iter().all(|step| step.moves);
        if !moves && trail.steps.iter().any(|step| step.moves) || !self.can_wander(moves) {
            return;
        }
        let start = (trail.names.first().copied())
            .unwrap_or_else(|| self.another(trail.here, VarType::Cell));
        let own = Cells::Single(Box::new(CellExpr::Var(start)));
        let all = self.everywhere();
        let told = |step: &Step| step.told_by(&trail, (&own, &all), moves);
        let Some(pictures) = trail.steps.iter().map(told).collect::<Option<Vec<_>>>() else {
            return;
        };
        let reached: Cells = match trail.most {
            Some(most) => self.steps_from(&own, &pictures, (trail.least, most)),
            None => self.closure(trail.used.unwrap_or(trail.here), own.clone(), pictures),
        };
        let end = self.end_of(&trail);
        let others = trail.names.get(1..).unwrap_or_default();
        for before in at + 1..trail.head {
            let named = match &self.code[before] {
                Op::Let(name, _) if others.contains(name) => Some(*name),
                _ => None,
            };
            self.code[before] = match named {
                Some(name) => Op::Let(name, Value::Cell(CellExpr::Var(start))),
                None => Op::Jump(Pc(before as u32 + 1)),
            };
        }
        let come = CellExpr::Var(end);
        let reached = match trail.used {
            Some(_) => Cells::without(reached, own.clone()),
            None => reached,
        };
        let chosen = Domain::Cells(match trail.least {
            0 => Cells::or(reached, own),
            _ => reached,
        });
        let moved = moves.then(|| Op::Effect(Effect::Move(CellExpr::Var(start), come.clone())));
        let named = (end != trail.here).then_some(Op::Let(trail.here, Value::Cell(come)));
        let ways = [Some(Op::Choose(end, chosen)), moved, named];
        self.code[at] = Op::Choose(start, Domain::Cells(trail.from));
        let mut ways = ways.into_iter().flatten();
        for at in trail.head..trail.exit {
            self.code[at] = ways.next().unwrap_or(Op::Jump(Pc(trail.exit as u32)));
        }
        self.entered[trail.head] = false;
    }

    /// Whether nobody comes into a trail but by its choice, nor behind it but out of it.
    fn is_alone(&self, at: usize, trail: &Trail) -> bool {
        let inside = at + 1..=trail.exit;
        let mut entries = self.entries();
        let mut ways = (0..self.code.len())
            .filter(|from| !(at..trail.exit).contains(from))
            .flat_map(|from| successors(&self.code[from], from));
        !entries.any(|pc| inside.contains(&(pc.0 as usize))) && !ways.any(|to| inside.contains(&to))
    }

    /// Whether nobody asks behind a trail which way it came, but for where it stands.
    fn forgets(&self, at: usize, trail: &Trail) -> bool {
        let bound = (trail.steps.iter()).flat_map(|step| binds(&step.picture));
        let kept = trail.used.into_iter().chain(trail.counted.iter().copied());
        let inner: Vec<VarId> = bound.chain(kept).collect();
        let subs = (at..trail.exit).flat_map(|inside| self.vars_of(inside).subs);
        let subs = subs.map(|sub| self.subs[sub.0 as usize]);
        let behind: Vec<Pc> = subs.chain([Pc(trail.exit as u32)]).collect();
        inner.iter().all(|var| self.is_only_named(*var))
            && self.is_only_named(trail.here)
            && !inner.iter().any(|var| self.asks_from(&behind, *var))
    }

    /// Whether a piece that goes from cell to cell leaves all but itself as it was, and never stands in its own way.
    fn can_wander(&self, moves: bool) -> bool {
        let travels = |var: &Var| var.travels;
        !rays_return(&self.program.board)
            && (!moves || !self.program.stacking && !self.program.vars.iter().any(travels))
    }

    /// The cell in which a trail ends: by the name that it gets behind the trail, if nobody asks for the other.
    fn end_of(&mut self, trail: &Trail) -> VarId {
        let here = CellExpr::Var(trail.here);
        let asked = match self.code.get(trail.exit) {
            Some(Op::Require(Truth::Contains(c, set), _)) if **c == here => Some(set.clone()),
            _ => None,
        };
        let at = trail.exit + usize::from(asked.is_some());
        let name = match self.code.get(at) {
            Some(Op::Let(name, Value::Cell(c))) if *c == here && !self.entered[at] => *name,
            _ => return trail.here,
        };
        let elsewhere = self.asks_from(&[Pc(at as u32 + 1)], trail.here);
        let inside = (asked.iter()).any(|set| cells_vars(set).may_read(|v| v == trail.here));
        if elsewhere || inside || !self.is_only_named(name) {
            return trail.here;
        }
        if let (Some(set), Op::Require(_, reason)) = (asked, &self.code[trail.exit]) {
            let reason = *reason;
            self.code[trail.exit] = match *set == self.everywhere() {
                true => Op::Jump(Pc(at as u32)),
                false => Op::Require(Truth::Contains(Box::new(CellExpr::Var(name)), set), reason),
            };
        }
        self.code[at] = Op::Jump(Pc(at as u32 + 1));
        name
    }

    /// All that can be reached from some cells by some steps.
    fn closure(&mut self, like: VarId, seed: Cells, steps: Vec<(Picture, VarId)>) -> Cells {
        let set = self.another(like, VarType::Cells);
        let more = self.step_from(&Cells::Var(set), &steps);
        Cells::Closure {
            seed: Box::new(seed.clone()),
            set,
            more: Box::new(more),
        }
    }

    /// All that can be reached from some cells by so many steps.
    fn steps_from(
        &mut self,
        seed: &Cells,
        steps: &[(Picture, VarId)],
        (least, most): (i64, i64),
    ) -> Cells {
        if least <= 1 {
            let further = |phrasing: &mut Self, found: Option<Cells>| {
                let from = found.into_iter().fold(seed.clone(), Cells::or);
                phrasing.step_from(&from, steps)
            };
            let reached = (0..most).fold(None, |found, _| Some(further(self, found)));
            return reached.unwrap_or_else(|| seed.clone());
        }
        let mut after =
            |count: i64| (0..count).fold(seed.clone(), |from, _| self.step_from(&from, steps));
        (least + 1..=most).fold(after(least), |found, count| Cells::or(found, after(count)))
    }

    /// All that can be reached from some cells by one step.
    fn step_from(&mut self, from: &Cells, steps: &[(Picture, VarId)]) -> Cells {
        let reached = steps.iter().map(|(picture, next)| {
            let mut picture = picture.clone();
            if let Some(Square::Cells { class, fixed, .. }) = picture.squares.first_mut() {
                (*class, *fixed) = (from.clone(), true);
            }
            Cells::Gather(*next, self.looking_for(picture))
        });
        reached.reduce(Cells::or).unwrap_or_else(|| from.clone())
    }
}

impl Trail {
    /// Whether sets say where it can end. A way that leads to some cell in no more steps than others comes to none twice.
    fn is_told_by_sets(&self) -> bool {
        let moves = self.steps.iter().any(|step| step.moves);
        let once = self.used.is_some();
        match self.most {
            None => once && self.least == 1,
            Some(most) => {
                let simple = !once || self.least <= 1 || most <= 2;
                let stays = !moves || (once && self.least > 0);
                (1..=LONGEST).contains(&most) && (0..=most).contains(&self.least) && simple && stays
            }
        }
    }
}
