//! Trails of a given number of steps that only the board can hinder: from where they can be gone on with to their end. In: a program.
//! Out: for each such trail, player, and answer to what does not change in a turn, what can be looked up.
//!
//! Before: after every step it is asked whether the turn can be completed, by going through the rest of the trail.
//! After: it is looked up; only where the answer is no, as before a corner, the rest is still tried.
//! Conditions: a step goes from the cell that was come to, to any cell of a fixed class; its directions follow from the heading; what
//! it does cannot fail, but for a piece that falls, of which there is one for each step; behind the trail nothing can be refused, or
//! nothing when some step has come to a set that steps do not change before.

mod ahead;
mod behind;
mod chances;
mod from_cells;
mod goes;
mod next;
mod numbers;
mod one_turn;
mod steps;

pub use ahead::{Ahead, ahead};

use crate::compile::kernel::assumed::{Assumed, lasts};
use crate::compile::kernel::env::{Env, Pending};
use crate::compile::kernel::fun::{ALL, NO, SV, V, YES};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::compile::kernel::paces::behind::Behind;
use crate::compile::kernel::paces::goes::{Cones, Goes, Said};
use crate::compile::kernel::paces::numbers::Numbers;
use crate::compile::kernel::paces::steps::{Step, loops, step};
use crate::compile::kernel::reads::Asker;
use crate::compile::kernel::sure::{completes_when, refuses_when};
use crate::compile::kernel::within::writes;
use crate::program::kernel::{Bin, Stmt, Word};
use crate::program::{CellExpr, Cells, Dirs, Pc, Program, Truth, VarId};
use std::cell::OnceCell;
use std::rc::Rc;

/// So many tests that do not change in a turn are taken for known, in every combination.
const TESTS: usize = 2;

/// Of so many steps it is known that they can all be gone; a trail with more is tried, which may come to the limit of a run.
const STEPS: u64 = 63;

/// A trail of a given number of steps, for a player, while some tests have these answers.
#[derive(Clone)]
pub struct Pace<'p> {
    /// Its number: what is made for it has that in its name.
    number: usize,
    me: u8,
    /// Where it is asked whether steps are left, and where it goes on when none are.
    head: Pc,
    exit: Pc,
    /// The cell that was come to, the direction of the step there, and how many steps are left.
    here: VarId,
    heading: Option<VarId>,
    left: VarId,
    /// Whether each step lets a piece fall.
    drops: bool,
    /// The tests and their answers.
    when: Vec<(&'p Truth, bool)>,
    /// Where its steps go, and how many ways there are to go on, once that is asked.
    goes: Rc<Goes>,
    numbers: Rc<OnceCell<Option<Numbers>>>,
    rest: Rest<'p>,
    /// What the turn may do behind it, where that can be followed.
    behind: Option<Rc<Behind<'p>>>,
}

/// What is known of the rest of a trail.
#[derive(Clone)]
enum Rest<'p> {
    /// For no cell and for each cell the headings, none first, with which any number of steps can follow.
    Any(Rc<[u64]>),
    /// It can be gone when some step comes to a set, or has.
    Meets(Meets<'p>, Rc<Cones>),
}

/// What a trail notes.
#[derive(Clone, Copy)]
struct Meets<'p> {
    /// That a step has come to a set.
    flag: VarId,
    /// That set.
    set: &'p Cells,
    /// Whether the turn is refused where none has.
    only_so: bool,
}

/// Finds the trails.
pub fn paces(program: &Program) -> Vec<Pace<'_>> {
    let mut found = Vec::new();
    for (head, left, exit) in loops(program) {
        if let Some(step) = step(program, head, left) {
            of_step(program, head, exit, &step, &mut found);
        }
    }
    found
}

/// What is known of a trail: for each player, and each answer to the tests that its directions ask.
fn of_step<'p>(
    program: &'p Program,
    head: Pc,
    exit: Pc,
    step: &Step<'p>,
    found: &mut Vec<Pace<'p>>,
) {
    let Cells::Const(class) = step.class else {
        return;
    };
    let mut tests = Vec::new();
    tests_of(&step.picture.ways, &mut tests);
    let last = tests.len() <= TESTS && tests.iter().all(|test| lasts(program, test));
    let falls = usize::from(program.lifts());
    // Behind the trail it is still known where it came to.
    let later = program.code.get(exit.0 as usize..).unwrap_or_default();
    let moves_on = exit <= head || later.iter().any(|op| writes(program, op, step.here));
    if !last || step.drops != falls || moves_on || program.board.directions() > 62 {
        return;
    }
    for answers in 0..1 << tests.len() {
        let answer = |(i, test): (usize, &&'p Truth)| (*test, answers >> i & 1 == 1);
        let assumed = Assumed {
            truths: tests.iter().enumerate().map(answer).collect(),
            cell: Some(step.here),
            noted: None,
        };
        let Some(noted) = completes(program, (head, exit), step, &assumed) else {
            continue;
        };
        let noted_so = Assumed {
            noted: noted.map(|meets| (meets.flag, true)),
            ..assumed.clone()
        };
        // A turn in which nothing was noted may do something else.
        let behind = (noted.is_none_or(|meets| meets.only_so))
            .then(|| behind::behind(program, (head, exit), step, &noted_so))
            .flatten()
            .map(Rc::new);
        for me in 0..program.players.len() as u8 {
            let said = Said {
                asker: Asker { program, me },
                heading: step.heading,
                assumed: &assumed,
            };
            let Some(goes) = said.goes(&step.picture.ways, class) else {
                continue;
            };
            let Some(rest) = rest(&goes, noted) else {
                continue;
            };
            found.push(Pace {
                number: found.len(),
                me,
                head,
                exit,
                here: step.here,
                heading: step.heading,
                left: step.left,
                drops: step.drops > 0,
                when: assumed.truths.clone(),
                goes: Rc::new(goes),
                numbers: Rc::default(),
                rest,
                behind: behind.clone(),
            });
        }
    }
}

/// What can be looked up.
fn rest<'p>(goes: &Goes, noted: Option<Meets<'p>>) -> Option<Rest<'p>> {
    Some(match noted {
        None => Rest::Any(goes.endless()?.into()),
        Some(meets) => Rest::Meets(meets, Rc::new(goes.cones()?)),
    })
}

/// Whether behind a trail the turn can be completed: always, or when it is noted that a step came to a set.
fn completes<'p>(
    program: &'p Program,
    (head, exit): (Pc, Pc),
    step: &Step<'p>,
    assumed: &Assumed<'p>,
) -> Option<Option<Meets<'p>>> {
    if completes_when(program, exit, assumed) {
        return Some(None);
    }
    let noted = step.notes.iter().find_map(|(flag, test)| {
        let [yes, no] = [true, false].map(|says| Assumed {
            noted: Some((*flag, says)),
            ..assumed.clone()
        });
        let set = asked_of(program, test, step.next, &yes)?;
        let stays = match set {
            Cells::Empty => true,
            _ => step.drops == 0 && set_lasts(program, set),
        };
        // It is never unsaid.
        let later = &program.code[head.0 as usize..];
        let once = later.iter().filter(|op| writes(program, op, *flag)).count() == 1;
        (stays && once && completes_when(program, exit, &yes)).then(|| Meets {
            flag: *flag,
            set,
            only_so: refuses_when(program, exit, &no),
        })
    });
    noted.map(Some)
}

/// The set of which a test asks whether a cell is in it, when that is all it asks.
fn asked_of<'p>(
    program: &Program,
    test: &'p Truth,
    cell: VarId,
    assumed: &Assumed<'_>,
) -> Option<&'p Cells> {
    match test {
        Truth::And(a, b) if assumed.answer(program, a) == Some(true) => {
            asked_of(program, b, cell, assumed)
        }
        Truth::And(a, b) if assumed.answer(program, b) == Some(true) => {
            asked_of(program, a, cell, assumed)
        }
        Truth::Contains(c, set) if **c == CellExpr::Var(cell) => Some(set),
        _ => None,
    }
}

/// Whether a set stays the same while nothing happens to pieces.
fn set_lasts(program: &Program, set: &Cells) -> bool {
    let reads = Asker { program, me: 0 }.cells(set);
    let given = |var: &VarId| program.code.iter().any(|op| writes(program, op, *var));
    !reads.deep && !reads.unseen && !reads.vars.iter().any(given)
}

/// The tests that directions ask.
fn tests_of<'p>(dirs: &'p Dirs, tests: &mut Vec<&'p Truth>) {
    match dirs {
        Dirs::If(test, a, b) => {
            if !tests.contains(&test.as_ref()) {
                tests.push(test);
            }
            tests_of(a, tests);
            tests_of(b, tests);
        }
        Dirs::Or(a, b) | Dirs::And(a, b) | Dirs::Without(a, b) => {
            tests_of(a, tests);
            tests_of(b, tests);
        }
        Dirs::Const(_) | Dirs::Var(_) | Dirs::Single(_) | Dirs::ByPlayer(..) => {}
    }
}

impl<'p> Lowerer<'p> {
    /// Where it stands how many steps a trail has left that goes on at the place where a player chooses.
    pub fn steps_left(&self, at: Pc, me: u8) -> Option<VarId> {
        let mut here = (self.paces.iter()).filter(|p| p.me == me && p.head.0 + 1 == at.0);
        here.next().map(|pace| pace.left)
    }

    /// Whether a trail can surely be gone on with to its end, and the turn be completed, at an instruction: at the head of its loop or
    /// behind the place where the next step is chosen. Nothing where that is never known.
    pub fn paced(&mut self, at: Pc, env: &mut Env, cx: Cx) -> Option<V> {
        self.of_paces(at, env, cx, &|l, pace, falling, env| {
            let goes = l.paced_by(pace, falling, env, cx);
            if cx.acted || pace.head != at {
                return goes;
            }
            // A turn without an action is none.
            let left = l.var_word(pace.left, env);
            let some = l.f.bin(Bin::Less, NO, left);
            l.f.both(goes, some)
        })
    }

    /// What is said of the trail that goes on at an instruction, by what is written for each, told how many pieces still fall; no
    /// where the answers of none hold, and nothing where there is none.
    fn of_paces(
        &mut self,
        at: Pc,
        env: &mut Env,
        cx: Cx,
        said: &impl Fn(&mut Self, &Pace<'p>, usize, &mut Env) -> V,
    ) -> Option<V> {
        let is_here = |p: &&Pace<'p>| p.me == cx.me && (p.head == at || p.head.0 + 2 == at.0);
        let paces: Vec<Pace<'p>> = self.paces.iter().filter(is_here).cloned().collect();
        if paces.is_empty() {
            return None;
        }
        let falls = |p: &Pending| matches!(p, Pending::Drop(_));
        if !env.pending.iter().all(falls) {
            self.flush(env, cx);
        }
        // A piece that still falls changes nothing that is looked at: if it comes to the set, that has been noted.
        let falling = std::mem::take(&mut env.pending);
        let known = self.f.word();
        self.f.push(Stmt::Let(known, Word::Const(0)));
        // No two have the same answers.
        for pace in paces {
            let holds = self.answered(&pace, env, cx);
            self.f.open();
            let answer = said(self, &pace, falling.len(), &mut env.clone());
            let answer = self.f.reg(answer);
            self.f.push(Stmt::Let(known, Word::Copy(answer)));
            let body = self.f.close();
            self.f.when(holds, body);
        }
        env.pending = falling;
        Some(V::R(known))
    }

    /// Whether the tests have the answers of a trail.
    fn answered(&mut self, pace: &Pace<'p>, env: &mut Env, cx: Cx) -> V {
        let mut holds = YES;
        for (test, answer) in &pace.when {
            let truth = self.truth(test, env, cx);
            let truth = if *answer { truth } else { self.f.not(truth) };
            holds = self.f.both(holds, truth);
        }
        holds
    }

    /// The same of one trail, while the tests have its answers and so many pieces still fall.
    fn paced_by(&mut self, pace: &Pace<'p>, falling: usize, env: &mut Env, cx: Cx) -> V {
        let here = self.var_word(pace.here, env);
        let heading = pace.heading.map_or(NO, |v| self.var_word(v, env));
        let left = self.var_word(pace.left, env);
        let known = match &pace.rest {
            Rest::Any(headings) => {
                let table = self.table(&format!("paces {}", pace.number), |_| headings.to_vec());
                let good = self.f.table(&self.tables, table, here);
                let good = self.f.bin(Bin::Shr, good, heading);
                self.f.bin(Bin::And, good, YES)
            }
            Rest::Meets(Meets { flag, set, .. }, cones) => {
                let kinds = self.table(&format!("kinds {}", pace.number), |_| {
                    cones.kinds.of.clone()
                });
                let rows = self.rows(&format!("cones {}", pace.number), |_| cones.sets.clone());
                let kind = self.f.table(&self.tables, kinds, heading);
                let some = self.f.bin(Bin::AtMost, NO, left);
                let few = self.f.bin(Bin::AtMost, left, V::K(cones.most as u64));
                let few = self.f.both(some, few);
                let block = self
                    .f
                    .bin(Bin::Mul, left, V::K(cones.kinds.first.len() as u64));
                let block = self.f.bin(Bin::Add, block, kind);
                let row = self.f.bin(Bin::Mul, block, V::K(cones.row as u64));
                let row = self.f.bin(Bin::Add, row, here);
                let told = self.f.bin(Bin::Differ, kind, NO);
                let told = self.f.both(told, few);
                let row = self.f.select(told, row, NO);
                let cone = self.f.row(rows, row);
                let set = self.cells(set, env, cx);
                let set = self.f.sreg(set);
                let flag = self.var_word(*flag, env);
                // What the last step came to is in its cone: that it is in the set need not have been noted, and where nothing else can
                // have been, nothing more is asked.
                let cell = self.f.bin(Bin::Sub, here, YES);
                let cell = self.f.reg(cell);
                let inside = self.f.make(Word::Has(set, cell));
                let outside = self.f.not(inside);
                let other = self.f.both(flag, outside);
                let wanted = self.f.select_set(other, ALL, SV::R(set));
                let (cone, wanted) = (self.f.sreg(cone), self.f.sreg(wanted));
                self.f.make(Word::Meet(cone, wanted))
            }
        };
        let just = self.has_just(pace, falling, left);
        self.f.both(known, just)
    }

    /// Whether there are just as many pieces as steps are left, while so many still fall; else whether steps are not too many.
    fn has_just(&mut self, pace: &Pace<'p>, falling: usize, left: V) -> V {
        if !pace.drops {
            return self.f.bin(Bin::AtMost, left, V::K(STEPS));
        }
        let pile = self.pile(self.up());
        let up = self.height_of(pile);
        let up = self.f.bin(Bin::Sub, up, V::K(falling as u64));
        self.f.bin(Bin::Equal, up, left)
    }
}
