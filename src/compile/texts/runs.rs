//! All that a turn may write, as an automaton over bytes: which notations may follow one another, and where each may be.

use crate::compile::points::successors;
use crate::compile::texts::words::{Bytes, Words, Written};
use crate::program::{Op, Part, Program, TemplateId};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// So many pieces are begun on the way to the bytes that may come next.
const MOST_BEGUN: usize = 4096;

/// A piece that was begun, by the first notation that writes the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The notation itself.
    Whole(TemplateId),
    /// One of its parts, in one of its ways.
    Part(u16, u16),
    /// The part just begun is written as nothing.
    Nothing,
}

/// Pieces that were begun one after another.
pub type Begun = SmallVec<[Piece; 4]>;

/// Where a run is, behind a byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct At {
    /// Which of the notations that are opened.
    open: u32,
    /// Which of its parts.
    part: u16,
    /// Which of the part's ways.
    way: u16,
    /// The place in the automaton of that way.
    pub node: u16,
    /// Whether a value stands there.
    pub hole: bool,
}

/// One more byte of a run.
#[derive(Clone)]
pub struct Step {
    /// The bytes that it may be.
    pub bytes: Bytes,
    /// The pieces begun since the byte before.
    pub begun: Begun,
    /// Where it leads.
    pub to: At,
}

/// What may come behind a place.
#[derive(Clone, Default)]
pub struct Steps {
    /// One more byte.
    pub steps: Vec<Step>,
    /// The end of the action, with the pieces begun before it.
    pub ends: Vec<Begun>,
    /// So many pieces were begun to find them.
    begun: usize,
}

impl Steps {
    /// More pieces may be written as nothing than are looked at.
    pub fn endless(&self) -> bool {
        self.begun > MOST_BEGUN
    }
}

/// The notations that may be opened next, by their places among all that are, and whether the action may end.
#[derive(Clone, Default)]
pub struct Behind {
    opens: Vec<u32>,
    ends: bool,
}

/// Where a notation is opened.
struct Opened {
    alike: TemplateId,
    /// Its parts: whether it is a hole, and the ways to write it.
    parts: Vec<(bool, SmallVec<[Written; 2]>)>,
    behind: Behind,
}

/// All that a turn may write.
pub struct Runs<'p> {
    program: &'p Program,
    words: Words<'p>,
    /// The instructions that open notations.
    places: Vec<usize>,
    opened: Vec<Opened>,
    known: BTreeMap<At, Rc<Steps>>,
}

impl<'p> Runs<'p> {
    /// The runs of a program.
    pub fn new(program: &'p Program) -> Runs<'p> {
        let opens = |at: &usize| matches!(program.code[*at], Op::Open(_));
        let mut runs = Runs {
            program,
            words: Words::new(program),
            places: (0..program.code.len()).filter(opens).collect(),
            opened: Vec::new(),
            known: BTreeMap::new(),
        };
        let alike = program.notations_alike();
        for at in runs.places.clone() {
            let Op::Open(id) = program.code[at] else {
                continue;
            };
            let parts = program.templates[id.0 as usize].parts.iter();
            let parts = parts.map(|p| (matches!(p, Part::Hole(_)), runs.words.written(p)));
            let parts = parts.collect();
            let behind = runs.behind(at + 1);
            runs.opened.push(Opened {
                alike: alike[id.0 as usize],
                parts,
                behind,
            });
        }
        runs
    }

    /// Whether what may be written is too much to be followed.
    pub fn full(&self) -> bool {
        self.words.full()
    }

    /// The notations that may be opened next from an instruction on.
    pub fn behind(&self, from: usize) -> Behind {
        let code = &self.program.code;
        let mut seen = vec![false; code.len()];
        let (mut open, mut found) = (vec![from], Behind::default());
        while let Some(at) = open.pop() {
            if at >= code.len() || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match (&code[at], self.places.binary_search(&at)) {
                (_, Ok(nth)) => found.opens.push(nth as u32),
                (Op::ActionDone, _) => found.ends = true,
                (op, _) => open.extend(successors(op, at)),
            }
        }
        found.opens.sort_unstable();
        found
    }

    /// The notations of [`Runs::behind`], by the first that writes the same, and nothing for the end of the action.
    pub fn firsts(&self, behind: &Behind) -> Vec<Option<TemplateId>> {
        let opens = behind.opens.iter();
        let firsts = opens.map(|o| Some(self.opened[*o as usize].alike));
        firsts.chain(behind.ends.then_some(None)).collect()
    }

    /// What may come at a place.
    pub fn steps(&mut self, at: At) -> Rc<Steps> {
        if let Some(known) = self.known.get(&at) {
            return Rc::clone(known);
        }
        let mut found = Steps::default();
        self.within(at, &mut Begun::new(), &mut found);
        let found = Rc::new(found);
        self.known.insert(at, Rc::clone(&found));
        found
    }

    /// What may come where notations may be opened.
    pub fn first_steps(&self, behind: &Behind) -> Steps {
        let mut found = Steps::default();
        self.next(behind, &mut Begun::new(), &mut found);
        found
    }

    fn within(&self, at: At, begun: &mut Begun, found: &mut Steps) {
        self.edges(at, begun, found);
        if self.words.nodes[usize::from(at.node)].ends {
            self.part(at.open, at.part + 1, begun, found);
        }
    }

    fn edges(&self, at: At, begun: &Begun, found: &mut Steps) {
        for (bytes, to) in &self.words.nodes[usize::from(at.node)].edges {
            found.steps.push(Step {
                bytes: *bytes,
                begun: begun.clone(),
                to: At { node: *to, ..at },
            });
        }
    }

    /// What may come where a part of a notation begins.
    fn part(&self, open: u32, part: u16, begun: &mut Begun, found: &mut Steps) {
        let opened = &self.opened[open as usize];
        let Some((hole, ways)) = opened.parts.get(usize::from(part)) else {
            return self.next(&opened.behind, begun, found);
        };
        for (way, written) in (0..).zip(ways) {
            let node = written.root;
            let at = At {
                open,
                part,
                way,
                node,
                hole: *hole,
            };
            begun.push(Piece::Part(part, way));
            self.edges(at, begun, found);
            if written.nothing {
                begun.push(Piece::Nothing);
                self.part(open, part + 1, begun, found);
                begun.pop();
            }
            begun.pop();
        }
    }

    fn next(&self, behind: &Behind, begun: &mut Begun, found: &mut Steps) {
        found.begun += begun.len();
        if found.endless() {
            return;
        }
        if behind.ends {
            found.ends.push(begun.clone());
        }
        for open in &behind.opens {
            begun.push(Piece::Whole(self.opened[*open as usize].alike));
            self.part(*open, 0, begun, found);
            begun.pop();
        }
    }
}
