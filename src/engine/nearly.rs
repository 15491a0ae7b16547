//! What nearly fits: choices beyond what may be chosen and pictures that do not match, each as an excused refusal. Only
//! searches for what refuses an action come here.

use crate::board::{Board, Cell, CellSet, Direction};
use crate::engine::eval::Run;
use crate::engine::machine::Machine;
use crate::engine::pictures::Match;
use crate::engine::run::Flow;
use crate::engine::watch::MissKind;
use crate::program::{Count, Domain, Pc, Picture, Square, VarId};

impl<'p, const N: usize> Machine<'p, N> {
    /// Goes on with what may not be chosen.
    pub fn choose_beyond(&mut self, var: VarId, domain: &'p Domain, then: Pc) -> Flow {
        if !self.may_excuse() {
            return Flow::Go;
        }
        let pc = Pc(then.0 - 1);
        let place = self.place(var);
        let mut words: Vec<(u64, Vec<Cell>)> = Vec::new();
        match domain {
            Domain::Cells(set) => {
                let allowed = self.cells(set);
                let others = self.tables.all.without(allowed);
                let others: Vec<Cell> = others.iter().filter(|c| self.is_named(*c)).collect();
                words.extend(others.into_iter().map(|c| (u64::from(c.0) + 1, vec![c])));
            }
            Domain::Parts(set) => {
                let allowed = self.cells(set);
                return self.parts_beyond(place, allowed, then);
            }
            Domain::Numbers(low, high) => {
                let (low, high) = (self.num(low), self.num(high));
                let beyond = (low - BEYOND..low).chain(high + 1..=high + BEYOND);
                words.extend(beyond.map(|n| (n.cast_unsigned(), Vec::new())));
            }
            Domain::Kinds(kinds) => {
                let all = (0..self.program.kinds.len()).map(|k| k as u64);
                let others = all.filter(|k| !kinds.iter().any(|have| u64::from(have.0) == *k));
                words.extend(others.map(|k| (k + 1, Vec::new())));
            }
            Domain::Dirs(dirs) => {
                let dirs = self.dirs(dirs);
                let others =
                    all_ways(&self.program.board).filter(|d| !dirs.iter().any(|x| x == *d));
                words.extend(others.map(|d| (u64::from(d.0) + 1, Vec::new())));
            }
        }
        for (word, cells) in words {
            self.excuse(pc, MissKind::Choice, cells);
            let flow = self.with_word(place, word, then);
            self.unexcuse();
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Go
    }

    /// Goes on with groups of the players that may not be chosen.
    fn parts_beyond(&mut self, place: usize, allowed: CellSet<N>, then: Pc) -> Flow {
        let pc = Pc(then.0 - 1);
        for player in 0..self.program.players.len() {
            let owned = self.set_at(self.program.layout.owned + player * N);
            let mut rest: CellSet<N> = owned;
            while let Some(first) = rest.first() {
                let part = self.part_at(rest, first);
                rest = rest.without(part);
                if !part.without(allowed).is_empty() {
                    self.excuse(pc, MissKind::Choice, part.iter().collect());
                    let mark = self.log.len();
                    self.poke_set(place, part);
                    let flow = self.deeper(then);
                    self.undo(mark);
                    self.unexcuse();
                    if flow == Flow::Stop {
                        return Flow::Stop;
                    }
                }
            }
        }
        Flow::Go
    }

    /// Goes on with every match of a picture, and with what nearly matches.
    pub fn line_nearly(&mut self, picture: &'p Picture, then: Pc, classes: &[CellSet<N>]) -> Flow {
        let pc = Pc(then.0 - 1);
        let ways = self.dirs(&picture.ways);
        let mut m = Match {
            picture,
            classes: classes.iter().copied().collect(),
            way: Direction(0),
            then,
        };
        for way in all_ways(&self.program.board) {
            m.way = way;
            let strange = !ways.iter().any(|w| w == way);
            if strange && !self.may_excuse() {
                continue;
            }
            if let Some(var) = picture.way {
                self.poke(self.place(var), u64::from(way.0) + 1);
            }
            for start in self.tables.all.iter() {
                let first = m.picture.squares.first();
                let stands = match first {
                    Some(Square::Cells { fixed: true, .. }) => m.classes[0].contains(start),
                    _ => true,
                };
                if !(self.is_named(start) || stands && !strange) {
                    continue;
                }
                if strange {
                    self.excuse(pc, MissKind::Direction, vec![start]);
                }
                let flow = self.squares_nearly(&m, 0, Some(start));
                if strange {
                    self.unexcuse();
                }
                if flow == Flow::Stop {
                    return Flow::Stop;
                }
            }
        }
        Flow::Go
    }

    fn squares_nearly(&mut self, m: &Match<'p, N>, index: usize, at: Option<Cell>) -> Flow {
        let pc = Pc(m.then.0 - 1);
        let miss = MissKind::Square(index);
        let Some(square) = m.picture.squares.get(index) else {
            let mark = self.log.len();
            let flow = self.deeper(m.then);
            self.undo(mark);
            return flow;
        };
        let Square::Cells {
            class,
            fixed,
            count,
            whole,
            bind,
        } = square
        else {
            return match at {
                None => self.squares_nearly(m, index + 1, None),
                Some(c) => {
                    self.excused_square(pc, miss, vec![c], |s| s.squares_nearly(m, index + 1, None))
                }
            };
        };
        let set = if *fixed {
            m.classes[index]
        } else {
            self.cells(class)
        };
        let (low, high, letter) = match count {
            Count::One => {
                let Some(here) = at else { return Flow::Go };
                if let Some(var) = bind {
                    self.poke(self.place(*var), u64::from(here.0) + 1);
                }
                let next = self.program.board.step(here, m.way);
                return if set.contains(here) {
                    self.squares_nearly(m, index + 1, next)
                } else {
                    self.excused_square(pc, miss, vec![here], |s| {
                        s.squares_nearly(m, index + 1, next)
                    })
                };
            }
            Count::New(var) => (1, i64::MAX, Some(*var)),
            Count::Between(low, high) => {
                let low = self.num(low).max(0);
                let high = high.as_ref().map_or(i64::MAX, |h| self.num(h));
                (low, high, None)
            }
        };
        let back = *whole && self.runs_back(m, set, at);
        let run = NearRun {
            set,
            low,
            high,
            letter,
            bind: *bind,
            whole: *whole,
            back,
        };
        self.run_nearly(m, index, at, &run)
    }

    /// A run of a picture: every length, strange cells and lengths excused.
    fn run_nearly(
        &mut self,
        m: &Match<'p, N>,
        index: usize,
        at: Option<Cell>,
        run: &NearRun<N>,
    ) -> Flow {
        let pc = Pc(m.then.0 - 1);
        let (mut length, mut next, mut excused) = (0i64, at, 0);
        let mut flow = Flow::Go;
        let mut cells = Vec::new();
        while flow == Flow::Go {
            let goes_on = next.is_some_and(|c| run.set.contains(c));
            let word = Run {
                start: at.unwrap_or(Cell(0)),
                way: m.way,
                length: u16::try_from(length).unwrap_or(u16::MAX),
            };
            if let Some(var) = run.bind {
                self.poke(self.place(var), word.word());
            }
            if let Some(var) = run.letter {
                self.poke(self.place(var), length.cast_unsigned());
            }
            let fits =
                length >= run.low && length <= run.high && !(run.whole && goes_on) && !run.back;
            flow = if fits {
                self.squares_nearly(m, index + 1, next)
            } else {
                let about = if cells.is_empty() {
                    next.into_iter().collect()
                } else {
                    cells.clone()
                };
                self.excused_square(pc, MissKind::Square(index), about, |s| {
                    s.squares_nearly(m, index + 1, next)
                })
            };
            let Some(c) = next else { break };
            if !goes_on {
                if !self.may_excuse() {
                    break;
                }
                self.excuse(pc, MissKind::Square(index), vec![c]);
                excused += 1;
            }
            if length >= run.high && !self.may_excuse() {
                break;
            }
            cells.push(c);
            length += 1;
            next = self.program.board.step(c, m.way).filter(|n| Some(*n) != at);
        }
        (0..excused).for_each(|_| self.unexcuse());
        flow
    }

    fn excused_square(
        &mut self,
        pc: Pc,
        kind: MissKind,
        cells: Vec<Cell>,
        go_on: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if !self.may_excuse() {
            return Flow::Go;
        }
        self.excuse(pc, kind, cells);
        let flow = go_on(self);
        self.unexcuse();
        flow
    }
}

/// So far beyond its bounds a chosen number is looked for.
const BEYOND: i64 = 20;

/// A square of a picture that holds a run.
struct NearRun<const N: usize> {
    set: CellSet<N>,
    low: i64,
    high: i64,
    letter: Option<VarId>,
    bind: Option<VarId>,
    whole: bool,
    /// Whether the run could be longer at its near end, though it must be whole.
    back: bool,
}

fn all_ways(board: &Board) -> impl Iterator<Item = Direction> + use<> {
    (0..board.directions()).map(|d| Direction(u8::try_from(d).unwrap_or(0)))
}
