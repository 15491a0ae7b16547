//! The machine's memory: the words of the state, scratch for local values, and piles of pieces. Every change is logged, so
//! that a branch can be taken back. Loading and storing states is here; what instructions do is elsewhere.

use crate::board::{Cell, CellSet};
use crate::engine::hash::word_key;
use crate::engine::history::Past;
use crate::engine::run::{Found, Mode};
use crate::engine::state::{State, pack};
use crate::engine::watch::Watch;
use crate::program::{Life, Num, Pc, PlayerId, Program, TemplateId, VarId, WORD_HASH, WORD_MOVER};

/// Why a run had to be given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Too many steps, or too deep; where that was found out.
    Runaway(Pc),
    /// More actions than are listed.
    TooMany,
    /// No turn is for the position.
    NoTurn,
}

/// What a word of the state counts for in the hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Part of a set that follows from the pieces, or a hash itself.
    Derived,
    /// Compared by repetition.
    Compared,
    /// Not compared.
    Aside,
}

/// What is the same for all machines of a program.
pub struct Tables<const N: usize> {
    /// For each cell those next to it.
    pub neighbours: Vec<CellSet<N>>,
    /// All cells.
    pub all: CellSet<N>,
    /// The travelling marks.
    pub marks: Vec<VarId>,
    /// For each notation the first one that writes the same, so that texts are compared as they are read.
    pub alike: Vec<TemplateId>,
    /// What each word of the state counts for.
    classes: Vec<Class>,
}

impl<const N: usize> Tables<N> {
    /// The tables of a program.
    pub fn new(program: &Program) -> Tables<N> {
        let cells = program.board.len();
        let marks = (0..program.vars.len()).filter(|v| program.vars[*v].travels);
        Tables {
            neighbours: (0..cells)
                .map(|c| program.board.neighbours(cell(c)).resize())
                .collect(),
            all: CellSet::range(cells),
            marks: marks
                .map(|v| VarId(u16::try_from(v).unwrap_or(0)))
                .collect(),
            alike: program.notations_alike(),
            classes: classes(program),
        }
    }
}

/// Memory that one machine hands on to the next, so that none is asked for anew.
#[derive(Default)]
pub struct Buffers {
    mem: Vec<u64>,
    log: Vec<(u32, u64)>,
    text: Vec<u32>,
}

/// A machine for boards of up to 64 N cells.
pub struct Machine<'p, const N: usize> {
    /// The program.
    pub program: &'p Program,
    /// State words, scratch, piles, pieces.
    pub mem: Vec<u64>,
    /// What was changed: where, and what was there.
    pub log: Vec<(u32, u64)>,
    /// What has been written so far: numbers of templates and values.
    pub text: Vec<u32>,
    /// What is done at the end of a run.
    pub mode: Mode<'p>,
    /// The player for whom `me` stands.
    pub me: PlayerId,
    /// The state's past.
    pub past: Past,
    /// The key of the pieces at the start of the turn.
    pub start_pieces: u64,
    /// Steps made since the run began.
    pub steps: u64,
    /// How often the next square of a picture was looked at since then.
    pub looks: u64,
    /// Choices that are open.
    pub depth: u32,
    /// Actions of this run that something is done behind.
    pub acts: u32,
    /// Why the run was given up.
    pub fault: Option<Fault>,
    /// Actions found.
    pub found: Vec<Found>,
    /// Whether found actions are only counted.
    pub counting: bool,
    /// The best number found, in a run that looks for it.
    pub best: Option<i64>,
    /// The cells gathered, in a run that gathers.
    pub gathered: CellSet<N>,
    /// What is noted about the run, when someone asks.
    pub watch: Option<Box<Watch>>,
    /// Whether an action has been completed, in a run that asks whether a turn can be.
    pub acted: bool,
    /// What is the same for all machines of the program.
    pub tables: &'p Tables<N>,
    /// First word of the piles: for each cell, and for what is up, the top piece's place and the height.
    pub piles: usize,
    /// The word that tells where the next piece goes.
    pub next_piece: usize,
    /// The word that counts what the action has captured.
    pub taken: usize,
}

impl<'p, const N: usize> Machine<'p, N> {
    /// A machine for a program whose sets have N words.
    pub fn new(program: &'p Program, tables: &'p Tables<N>, buffers: Buffers) -> Machine<'p, N> {
        let taken = program.layout.memory;
        let piles = taken + 1;
        let next_piece = piles
            + if program.stacking {
                program.board.len() + 1
            } else {
                0
            };
        let Buffers {
            mut mem,
            mut log,
            mut text,
        } = buffers;
        mem.clear();
        mem.resize(next_piece + 1, 0);
        log.clear();
        text.clear();
        Machine {
            program,
            mem,
            log,
            text,
            mode: Mode::Exists,
            me: PlayerId(0),
            past: Past::default(),
            start_pieces: 0,
            steps: 0,
            looks: 0,
            depth: 0,
            acts: 0,
            fault: None,
            found: Vec::new(),
            counting: false,
            best: None,
            gathered: CellSet::EMPTY,
            watch: None,
            acted: false,
            tables,
            piles,
            next_piece,
            taken,
        }
    }

    /// Takes over a state.
    pub fn load(&mut self, state: &State, past: &Past) {
        let words = self.program.layout.state;
        self.mem.truncate(self.next_piece + 1);
        self.mem[..words].copy_from_slice(&state.words[..words]);
        self.mem[words..].fill(0);
        self.log.clear();
        self.text.clear();
        self.past = past.clone();
        self.me = state.mover();
        self.start_pieces = state.pieces_key();
        (self.steps, self.looks, self.depth, self.acts) = (0, 0, 0, 0);
        (self.fault, self.acted) = (None, false);
        if self.program.stacking {
            let (heights, pieces) = state.stacks(self.program);
            let mut pieces = pieces.into_iter();
            for (at, height) in heights.into_iter().enumerate() {
                let mut top = 0;
                for _ in 0..height {
                    let piece = pieces.next().unwrap_or(0);
                    self.mem.push(top << 16 | u64::from(piece));
                    top = (self.mem.len() - 1) as u64;
                }
                self.mem[self.piles + at] = top << 16 | u64::from(height);
            }
            self.mem[self.next_piece] = self.mem.len() as u64;
        }
    }

    /// The state that the machine is in.
    pub fn store(&self) -> State {
        let words = self.program.layout.state;
        let mut out = self.mem[..words].to_vec();
        if self.program.stacking {
            let cells = self.program.board.len() + 1;
            let height = |c: usize| u16::try_from(self.mem[self.piles + c] & 0xFFFF).unwrap_or(0);
            pack((0..cells).map(height), &mut out);
            let mut pieces: Vec<u16> = Vec::new();
            for c in 0..cells {
                let from = pieces.len();
                let mut at = self.mem[self.piles + c] >> 16;
                while at != 0 {
                    let word = self.mem[at as usize];
                    pieces.push((word & 0xFFFF) as u16);
                    at = word >> 16;
                }
                pieces[from..].reverse();
            }
            pack(pieces.into_iter(), &mut out);
        }
        State {
            words: out.into_boxed_slice(),
        }
    }

    /// Changes a word, which can be taken back.
    #[inline]
    pub fn poke(&mut self, at: usize, value: u64) {
        let old = self.mem[at];
        if old == value {
            return;
        }
        self.log.push((at as u32, old));
        self.mem[at] = value;
        if let Some(class) = self.tables.classes.get(at) {
            if *class == Class::Derived {
                return;
            }
            let change = word_key(at, old) ^ word_key(at, value);
            match class {
                Class::Derived => {}
                Class::Compared => self.change_hash(WORD_HASH + 1, change),
                Class::Aside => self.change_hash(WORD_HASH + 2, change),
            }
        }
    }

    /// Changes one of the hashes.
    #[inline]
    pub fn change_hash(&mut self, at: usize, change: u64) {
        let old = self.mem[at];
        self.log.push((at as u32, old));
        self.mem[at] = old ^ change;
    }

    /// Takes back all changes since the log had that length.
    #[inline]
    pub fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            if let Some((at, old)) = self.log.pop() {
                self.mem[at as usize] = old;
            }
        }
    }

    /// A set of cells in memory.
    #[inline]
    pub fn set_at(&self, at: usize) -> CellSet<N> {
        CellSet::from_words(&self.mem[at..at + N])
    }

    /// Changes a set of cells in memory.
    #[inline]
    pub fn poke_set(&mut self, at: usize, set: CellSet<N>) {
        for (i, word) in set.words().iter().enumerate() {
            self.poke(at + i, *word);
        }
    }

    /// First word of a variable.
    #[inline]
    pub fn place(&self, var: VarId) -> usize {
        self.program.vars[var.0 as usize].offset
    }

    /// The player to move.
    pub fn mover(&self) -> PlayerId {
        PlayerId((self.mem[WORD_MOVER] & 0xFF) as u8)
    }

    /// The hashes computed from nothing: pieces, compared, aside.
    pub fn hash_from_scratch(&self) -> [u64; 3] {
        let mut hashes = [0u64; 3];
        for (at, class) in self.tables.classes.iter().enumerate() {
            match class {
                Class::Derived => {}
                Class::Compared => hashes[1] ^= word_key(at, self.mem[at]),
                Class::Aside => hashes[2] ^= word_key(at, self.mem[at]),
            }
        }
        for c in 0..=self.program.board.len() {
            for (level, piece) in self.pile(c).into_iter().enumerate() {
                hashes[0] ^= crate::engine::hash::piece_key(c, level, piece);
            }
        }
        hashes
    }

    /// The player after another.
    pub fn next_player(&self, p: PlayerId) -> PlayerId {
        let next = usize::from(p.0) + 1;
        PlayerId(
            u8::try_from(if next >= self.program.players.len() {
                0
            } else {
                next
            })
            .unwrap_or(0),
        )
    }

    /// Gives up.
    pub fn give_up(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    /// Hands its memory on.
    pub fn into_buffers(self) -> Buffers {
        Buffers {
            mem: self.mem,
            log: self.log,
            text: self.text,
        }
    }

    /// A number's value at the end of a run that looks for the best.
    pub fn measure(&mut self, key: &'p Num, most: bool) {
        let value = self.num(key);
        self.best = Some(match self.best {
            Some(best) if most => best.max(value),
            Some(best) => best.min(value),
            None => value,
        });
    }
}

/// The cell of that index.
#[inline]
pub fn cell(index: usize) -> Cell {
    Cell(index as u16)
}

/// What each word of the state counts for.
pub fn classes(program: &Program) -> Vec<Class> {
    let mut classes = vec![Class::Derived; program.layout.state];
    let aside = [
        crate::program::WORD_POINT,
        crate::program::WORD_SEATS,
        crate::program::WORD_AGAIN,
        crate::program::WORD_LAST,
    ];
    aside.into_iter().for_each(|w| classes[w] = Class::Aside);
    classes[WORD_MOVER] = Class::Compared;
    classes[program.layout.hands..program.layout.vars].fill(Class::Compared);
    for var in program.vars.iter().filter(|v| v.in_state()) {
        let class = if var.compared && var.life == Life::Game {
            Class::Compared
        } else {
            Class::Aside
        };
        classes[var.offset..var.offset + var.stride * var.count].fill(class);
    }
    classes
}

/// The words of a state that repetition compares besides the pieces.
pub fn compared_words(program: &Program) -> Vec<usize> {
    let classes = classes(program);
    (0..classes.len())
        .filter(|at| classes[*at] == Class::Compared)
        .collect()
}
