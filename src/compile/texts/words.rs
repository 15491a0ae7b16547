//! Automata over bytes for what one part of a notation may write: fixed words, names, numbers, lists.

use crate::board::Direction;
use crate::program::{
    CellExpr, Count, DirExpr, KindExpr, Life, Num, Op, Part, Program, Square, Value, VarId,
};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// A set of bytes.
pub type Bytes = [u64; 4];

fn byte_set(bytes: impl Iterator<Item = u8>) -> Bytes {
    bytes.fold([0; 4], |mut set, b| {
        set[usize::from(b >> 6)] |= 1 << (b & 63);
        set
    })
}

/// A place of an automaton: whether a word may end here, and where bytes lead.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Node {
    /// Whether a word may end here.
    pub ends: bool,
    /// Where bytes lead.
    pub edges: Vec<(Bytes, u16)>,
}

/// What may be written at one place: words of one automaton, or nothing.
#[derive(Clone, Copy)]
pub struct Written {
    /// Where its automaton begins.
    pub root: u16,
    /// Whether it may be written as nothing.
    pub nothing: bool,
}

/// The automata of a program's notations. Those of the same words are one.
pub struct Words<'p> {
    program: &'p Program,
    /// The places of all automata.
    pub nodes: Vec<Node>,
    known: BTreeMap<Node, u16>,
    /// Variables that may hold nothing.
    lacking: BTreeSet<VarId>,
    /// The roots of holes, by what stands in them.
    roots: [Option<u16>; 8],
}

impl<'p> Words<'p> {
    /// No automata yet.
    pub fn new(program: &'p Program) -> Words<'p> {
        Words {
            program,
            nodes: Vec::new(),
            known: BTreeMap::new(),
            lacking: lacking(program),
            roots: [None; 8],
        }
    }

    /// What may be written for a part, in each of its ways.
    pub fn written(&mut self, part: &Part) -> SmallVec<[Written; 2]> {
        let mut ways = SmallVec::new();
        match part {
            Part::Text(t) => ways.push(self.words(&[t])),
            Part::Capture(quiet, taking) => {
                ways.push(self.words(&[quiet]));
                ways.push(self.words(&[taking]));
            }
            Part::Hole(value) => ways.push(self.hole(value)),
        }
        ways
    }

    /// Whether there are more places than can be told apart.
    pub fn full(&self) -> bool {
        self.nodes.len() > usize::from(u16::MAX)
    }

    fn words(&mut self, words: &[&str]) -> Written {
        let mut words: Vec<&[u8]> = words.iter().map(|w| w.as_bytes()).collect();
        words.sort_unstable();
        words.dedup();
        Written {
            root: self.tree(&words, 0),
            nothing: words.first().is_some_and(|w| w.is_empty()),
        }
    }

    /// The automaton of sorted words behind so many bytes that they have in common; like ends are one.
    fn tree(&mut self, words: &[&[u8]], depth: usize) -> u16 {
        let mut node = Node::default();
        let rest = match words {
            [first, rest @ ..] if first.len() == depth => {
                node.ends = true;
                rest
            }
            all => all,
        };
        for same in rest.chunk_by(|a, b| a[depth] == b[depth]) {
            let to = self.tree(same, depth + 1);
            let byte = byte_set(std::iter::once(same[0][depth]));
            match node.edges.iter_mut().find(|(_, t)| *t == to) {
                Some((bytes, _)) => *bytes = std::array::from_fn(|i| bytes[i] | byte[i]),
                None => node.edges.push((byte, to)),
            }
        }
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let id = self.node(node.clone());
        self.known.insert(node, id);
        id
    }

    fn node(&mut self, node: Node) -> u16 {
        self.nodes.push(node);
        u16::try_from(self.nodes.len() - 1).unwrap_or(u16::MAX)
    }

    fn hole(&mut self, value: &Value) -> Written {
        let (p, board) = (self.program, &self.program.board);
        let nothing = may_lack(value, &self.lacking);
        let cells = || board.cells().iter().map(|c| board.name(c)).collect();
        let mut letters = String::new();
        let (kind, names): (usize, Vec<&str>) = match value {
            Value::Num(_) => (0, Vec::new()),
            Value::Truth(_) => (1, vec!["no", "yes"]),
            Value::Cell(_) => (2, cells()),
            Value::Cells(_) | Value::Groups(_) => (3, cells()),
            Value::Dir(_) => {
                let ways = 0..board.directions();
                let name = |d| board.direction_name(Direction(d as u8));
                (4, ways.map(name).collect())
            }
            Value::Player(_) => (5, p.players.iter().map(|p| p.name.as_str()).collect()),
            Value::Kind(_) => {
                letters.extend(p.kinds.iter().map(|k| k.letter));
                (6, letters.split("").collect())
            }
            Value::Run(_) | Value::Dirs(_) => (7, Vec::new()),
        };
        let root = self.roots[kind].unwrap_or_else(|| match kind {
            0 => self.numbers(),
            3 => self.lists(&names),
            _ => self.words(&names).root,
        });
        self.roots[kind] = Some(root);
        Written { root, nothing }
    }

    /// All numbers, with or without a sign.
    fn numbers(&mut self) -> u16 {
        let (digits, sign) = (byte_set(b'0'..=b'9'), byte_set(std::iter::once(b'-')));
        let itself = u16::try_from(self.nodes.len()).unwrap_or(u16::MAX);
        let more = self.node(Node {
            ends: true,
            edges: vec![(digits, itself)],
        });
        let first = self.node(Node {
            ends: false,
            edges: vec![(digits, more)],
        });
        self.node(Node {
            ends: false,
            edges: vec![(sign, first), (digits, more)],
        })
    }

    /// Words with commas between them.
    fn lists(&mut self, words: &[&str]) -> u16 {
        // Apart from the automaton of single words, which goes on nowhere.
        let known = std::mem::take(&mut self.known);
        let from = self.nodes.len();
        let root = self.words(words).root;
        self.known = known;
        let comma = byte_set(std::iter::once(b','));
        for node in self.nodes[from..].iter_mut().filter(|n| n.ends) {
            node.edges.push((comma, root));
        }
        root
    }
}

/// The variables that may hold nothing where they are written: those that are not only chosen, or given what is something.
fn lacking(program: &Program) -> BTreeSet<VarId> {
    let kept = |v: &u16| program.vars[usize::from(*v)].life != Life::Local;
    let all = 0..u16::try_from(program.vars.len()).unwrap_or(u16::MAX);
    let mut found: BTreeSet<VarId> = all.filter(kept).map(VarId).collect();
    // Runs that may have no cell.
    let squares = program.pictures.iter().flat_map(|p| &p.squares);
    found.extend(squares.filter_map(|square| match square {
        Square::Cells {
            count: Count::Between(least, _),
            bind,
            ..
        } if !matches!(least, Num::Const(1..)) => *bind,
        Square::Cells { .. } | Square::Edge => None,
    }));
    let mut before = usize::MAX;
    while std::mem::replace(&mut before, found.len()) != found.len() {
        for op in &program.code {
            if let Op::Clear(v) = op {
                found.insert(*v);
            }
            if let Op::Let(v, value) = op
                && may_lack(value, &found)
            {
                found.insert(*v);
            }
        }
    }
    found
}

/// Whether a value may be nothing.
fn may_lack(value: &Value, lacking: &BTreeSet<VarId>) -> bool {
    match value {
        Value::Num(_) | Value::Truth(_) => false,
        Value::Cell(cell) => cell_may_lack(cell, lacking),
        Value::Dir(DirExpr::Var(v)) | Value::Kind(KindExpr::Var(v)) => lacking.contains(v),
        Value::Dir(DirExpr::Const(_)) | Value::Kind(KindExpr::Const(_)) => false,
        Value::Run(v) => lacking.contains(v),
        Value::Dir(DirExpr::Opposite(_))
        | Value::Player(_)
        | Value::Cells(_)
        | Value::Groups(_)
        | Value::Dirs(_) => true,
    }
}

fn cell_may_lack(cell: &CellExpr, lacking: &BTreeSet<VarId>) -> bool {
    match cell {
        CellExpr::Const(_) => false,
        CellExpr::Var(v) | CellExpr::RunFirst(v) | CellExpr::RunLast(v) => lacking.contains(v),
        CellExpr::If(_, a, b) => cell_may_lack(a, lacking) || cell_may_lack(b, lacking),
        CellExpr::Nowhere | CellExpr::First(_) | CellExpr::Last(_) | CellExpr::Step(..) => true,
    }
}
