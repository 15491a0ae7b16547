//! Choices that a text has yet to tell, handed to the function that goes on: by the variables that hold them. In: what was chosen, and which
//! variables the function is given. Out: which of them hold it; and in the function the choices again.

use crate::compile::kernel::env::{Bind, Env, RunBind, Slot};
use crate::compile::kernel::fun::V;
use crate::compile::kernel::lower::Lowerer;
use crate::compile::kernel::unique::{Choice, Ray, SURE_DOUBT};

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
            from: Vec::new(),
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
        let mut slots = Vec::new();
        for choice in &env.choices {
            slots.extend(match choice {
                Choice::Match(ray) => (way_of_match(ray).and_then(all))
                    .or_else(|| self.ends_of_match(ray).and_then(all))
                    .or_else(|| run(ray)),
                other => all(vec![other.clone()]),
            }?);
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

    /// The cells that tell a match when they are told: its first and its last one.
    fn ends_of_match(&self, ray: &Ray) -> Option<Vec<Choice>> {
        let (first, last) = (ray.cells.first()?, ray.cells.last()?);
        let open = ray.cells.iter().filter(|c| c.2).count();
        let parted = ray.one_way || (ray.parts && ray.cells.len() > 1);
        if last.2 || open > 1 || !parted {
            return None;
        }
        let mut ends = Vec::new();
        if let V::R(_) = first.0 {
            ends.push(Choice::Word(vec![first.0], ray.from.clone()));
        }
        if ray.cells.len() > 1 && !(ray.one_way && open == 0) {
            ends.push(Choice::Word(vec![last.0], Vec::new()));
        }
        Some(ends)
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
