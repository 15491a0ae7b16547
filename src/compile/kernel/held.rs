//! Choices that a text has yet to tell, handed to the function that goes on: by the variables that hold them. In: what was chosen, and which
//! variables the function is given. Out: which of them hold it; and in the function the choices again.

use crate::compile::kernel::env::{Bind, Env, RunBind, Slot};
use crate::compile::kernel::fun::V;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::telling::singles;
use crate::compile::kernel::unique::{Choice, Ray, SURE_DOUBT, Told};
use crate::program::{CellExpr, DirExpr, Part, Value, VarId};

/// What holds a choice where a function begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Held {
    /// Variables that are the same word or part.
    Word(Vec<Slot>),
    /// The run that is all of a picture.
    Run(Slot, RunTold),
}

/// What is known of a run that is all of a picture, as of a [`Ray`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "as many truths of a run")]
pub struct RunTold {
    open: bool,
    one_way: bool,
    parts: bool,
    long: bool,
    whole: bool,
    to_edge: bool,
}

impl RunTold {
    fn of(ray: &Ray) -> Option<RunTold> {
        let [(_, _, open)] = ray.cells[..] else {
            return None;
        };
        Some(RunTold {
            open,
            one_way: ray.one_way,
            parts: ray.parts,
            long: ray.long & 1 == 1,
            whole: ray.whole & 1 == 1,
            to_edge: ray.to_edge,
        })
    }

    fn ray(self, run: &RunBind, goes_back: bool) -> Ray {
        Ray {
            way: run.way,
            word: None,
            named: None,
            cells: vec![(run.start, Some(run.length), self.open)],
            way_told: false,
            one_way: self.one_way,
            goes_back,
            parts: self.parts,
            long: u64::from(self.long),
            whole: u64::from(self.whole),
            to_edge: self.to_edge,
            ends_tell: false,
            from: Vec::new(),
            anchored: false,
            along: false,
        }
    }
}

/// Whether a match is of one run, and that is it.
fn is_run(ray: &Ray, run: &RunBind) -> bool {
    matches!(ray.cells[..], [(start, Some(length), _)] if (start, length) == (run.start, run.length))
}

impl Lowerer<'_> {
    /// Choices that are handed to a function: by the slots that hold them; none when some cannot be.
    pub fn choices_by_slot(&self, env: &Env, passed: &[Slot]) -> Option<Vec<Held>> {
        let held = |choice: &Choice| {
            let holds = |slot: &&Slot| match (env.binds.get(slot.0 as usize), choice) {
                (Some(Some((Bind::Cell(c), _))), Choice::Word(v, _)) => v.contains(c),
                (Some(Some((Bind::Word(w), _))), Choice::Word(v, _)) => v.contains(w),
                (Some(Some((Bind::Set(s), _))), Choice::Part(set)) => s == set,
                (Some(Some((Bind::Word(V::K(w)), _))), Choice::Fixed(of, k)) => {
                    of == *slot && w == k
                }
                _ => false,
            };
            let held: Vec<Slot> = passed.iter().filter(holds).copied().collect();
            (!held.is_empty()).then_some(Held::Word(held))
        };
        let all = |choices: Vec<Choice>| choices.iter().map(held).collect::<Option<Vec<_>>>();
        let run = |ray: &Ray| {
            let holds = |slot: &&Slot| match env.binds.get(slot.0 as usize) {
                Some(Some((Bind::Run(run), _))) => is_run(ray, run),
                _ => false,
            };
            let slot = passed.iter().find(holds)?;
            Some(vec![Held::Run(*slot, RunTold::of(ray)?)])
        };
        let mut slots: Vec<Held> = Vec::new();
        for choice in &env.choices {
            let holders = match choice {
                Choice::Match(ray) => (way_of_match(ray).and_then(all))
                    .or_else(|| self.ends_of_match(ray, held).and_then(all))
                    .or_else(|| run(ray)),
                other => all(vec![other.clone()]),
            }?;
            for holder in holders {
                if !slots.contains(&holder) {
                    slots.push(holder);
                }
            }
        }
        Some(slots)
    }

    /// The same choices in the function.
    pub fn choices_of_slots(&mut self, slots: &[Held], env: &mut Env) {
        for held in slots {
            let holders = match held {
                Held::Word(holders) => holders,
                Held::Run(slot, told) => {
                    match self.get(*slot, env) {
                        Bind::Run(run) => {
                            let ray = told.ray(&run, self.goes_back());
                            env.choices.push(Choice::Match(ray));
                        }
                        _ => env.doubt |= SURE_DOUBT,
                    }
                    continue;
                }
            };
            let (mut words, mut part) = (Vec::new(), None);
            for slot in holders {
                match self.get(*slot, env) {
                    Bind::Word(V::K(k)) => env.choices.push(Choice::Fixed(*slot, k)),
                    Bind::Cell(v) | Bind::Word(v) => words.push(v),
                    Bind::Set(s) if part.is_none() => part = Some(s),
                    Bind::Set(_) => {}
                    Bind::Run(_) => env.doubt |= SURE_DOUBT,
                }
            }
            env.choices.extend(part.map(Choice::Part));
            if !words.is_empty() {
                env.choices.push(Choice::Word(words, Vec::new()));
            }
        }
    }

    /// What tells a match when it is told: its direction, one of its cells that is held, or the first of those and the last; what a
    /// notation names, if that does.
    fn ends_of_match(
        &self,
        ray: &Ray,
        held: impl Fn(&Choice) -> Option<Held>,
    ) -> Option<Vec<Choice>> {
        let word = |at: usize| {
            let from = if at == 0 {
                ray.from.clone()
            } else {
                Vec::new()
            };
            Choice::Word(vec![ray.cells[at].0], from)
        };
        let ends = |named: bool| {
            let of_match = |at: &usize| match (ray.cells[*at].0, held(&word(*at))) {
                (V::R(_), Some(Held::Word(slots))) => !named || self.is_named(&slots),
                _ => false,
            };
            let cells: Vec<usize> = (0..ray.cells.len()).filter(of_match).collect();
            let ends = cells.first().into_iter().chain(cells.last());
            let way = ray.word.map(|word| Choice::Word(vec![word], Vec::new()));
            let way = way.filter(|way| match held(way) {
                Some(Held::Word(slots)) => named && self.is_named(&slots),
                _ => false,
            });
            let all: Vec<Choice> = way.into_iter().chain(ends.map(|at| word(*at))).collect();
            let tell = |some: &&[Choice]| {
                let told = some.iter().filter_map(|choice| match choice {
                    Choice::Word(words, _) => words.first().map(|word| Told::Word(*word)),
                    _ => None,
                });
                self.is_told(&Choice::Match(ray.clone()), &mut told.collect(), true)
            };
            let few = (0..=all.len()).map(|many| &all[..many]).find(tell)?;
            Some(few.to_vec())
        };
        ends(true).or_else(|| ends(false))
    }

    /// Whether a notation has a place for a cell or direction that one of some variables names.
    fn is_named(&self, slots: &[Slot]) -> bool {
        let mut parts = self.program.templates.iter().flat_map(|t| &t.parts);
        let held = |var: VarId| {
            let slot = self.slot_of(var, 0);
            slot.is_some_and(|slot| slots.contains(&slot))
        };
        parts.any(|part| match part {
            Part::Hole(Value::Cell(CellExpr::Var(v)) | Value::Dir(DirExpr::Var(v))) => held(*v),
            Part::Hole(Value::Cells(set)) => {
                singles(set).is_some_and(|cells| cells.into_iter().any(held))
            }
            _ => false,
        })
    }
}

/// What tells a match of which a notation names the direction: its first cell, and that; none when it may be of several lengths.
fn way_of_match(ray: &Ray) -> Option<Vec<Choice>> {
    let first = ray.cells.first()?.0;
    if !ray.way_told || ray.cells.iter().any(|c| c.2) {
        return None;
    }
    let way = match (ray.named, ray.word?) {
        (Some((slot, k)), _) => Choice::Fixed(slot, k),
        (None, word) => Choice::Word(vec![word], Vec::new()),
    };
    let first = match first {
        V::R(_) => Some(Choice::Word(vec![first], ray.from.clone())),
        V::K(_) => None,
    };
    Some(first.into_iter().chain([way]).collect())
}
