//! Pictures are matched here: every direction, every start, every length, in a fixed order; each match goes on with the run.

use crate::board::{Cell, CellSet, Direction};
use crate::engine::eval::Run;
use crate::engine::machine::Machine;
use crate::engine::run::Flow;
use crate::program::{Count, Pc, Picture, PictureId, Square};
use smallvec::SmallVec;

/// A picture while it is matched.
pub struct Match<'p, const N: usize> {
    /// The picture.
    pub picture: &'p Picture,
    /// The classes that stay the same, in the order of the squares.
    pub classes: SmallVec<[CellSet<N>; 6]>,
    /// The direction that is looked along.
    pub way: Direction,
    /// Where to go on with a match.
    pub then: Pc,
}

impl<'p, const N: usize> Machine<'p, N> {
    /// Goes on with every match of a picture.
    pub fn line(&mut self, id: PictureId, then: Pc) -> Flow {
        let picture = &self.program.pictures[id.0 as usize];
        let ways = self.dirs(&picture.ways);
        let mut classes = SmallVec::new();
        for square in &picture.squares {
            classes.push(match square {
                Square::Cells {
                    class, fixed: true, ..
                } => self.cells(class),
                Square::Cells { .. } | Square::Edge => CellSet::EMPTY,
            });
        }
        if self.may_excuse() {
            return self.line_nearly(picture, then, &classes);
        }
        let starts = self.starts(picture, &classes);
        if starts.is_empty() {
            return Flow::Go;
        }
        let mut m = Match {
            picture,
            classes,
            way: Direction(0),
            then,
        };
        for way in ways.iter() {
            m.way = way;
            if let Some(var) = picture.way {
                self.poke(self.place(var), u64::from(way.0) + 1);
            }
            for start in starts.iter() {
                if self.squares(&m, 0, Some(start)) == Flow::Stop {
                    return Flow::Stop;
                }
            }
        }
        Flow::Go
    }

    /// The cells where a match may begin.
    fn starts(&mut self, picture: &'p Picture, classes: &[CellSet<N>]) -> CellSet<N> {
        let Some(Square::Cells {
            fixed: true, count, ..
        }) = picture.squares.first()
        else {
            return self.tables.all;
        };
        let at_least_one = match count {
            Count::One | Count::New(_) => true,
            Count::Between(low, _) => self.num(low) > 0,
        };
        if at_least_one {
            classes[0]
        } else {
            self.tables.all
        }
    }

    /// Matches the squares from one on; `at` is the next cell of the ray, when there is one.
    fn squares(&mut self, m: &Match<'p, N>, index: usize, at: Option<Cell>) -> Flow {
        self.looks += 1;
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
            return if at.is_none() {
                self.squares(m, index + 1, None)
            } else {
                Flow::Go
            };
        };
        let set = if *fixed {
            m.classes[index]
        } else {
            self.cells(class)
        };
        let (low, high, letter) = match count {
            Count::One => {
                let Some(here) = at.filter(|c| set.contains(*c)) else {
                    return Flow::Go;
                };
                if let Some(var) = bind {
                    self.poke(self.place(*var), u64::from(here.0) + 1);
                }
                let next = self.program.board.step(here, m.way);
                return self.squares(m, index + 1, next);
            }
            Count::New(var) => (1, i64::MAX, Some(*var)),
            Count::Between(low, high) => {
                let low = self.num(low).max(0);
                let high = match high {
                    Some(h) => self.num(h),
                    None => i64::MAX,
                };
                (low, high, None)
            }
        };
        if low > high || (*whole && self.runs_back(m, set, at)) {
            return Flow::Go;
        }
        let mut length = 0i64;
        let mut next = at;
        loop {
            let goes_on = next.is_some_and(|c| set.contains(c));
            if length >= low && !(*whole && goes_on) {
                let start = at.unwrap_or(Cell(0));
                let run = Run {
                    start,
                    way: m.way,
                    length: u16::try_from(length).unwrap_or(u16::MAX),
                };
                if let Some(var) = bind {
                    self.poke(self.place(*var), run.word());
                }
                if let Some(var) = letter {
                    self.poke(self.place(var), length.cast_unsigned());
                }
                if self.squares(m, index + 1, next) == Flow::Stop {
                    return Flow::Stop;
                }
            }
            // On a board that wraps, a ray comes back to where it began.
            let Some(c) = next.filter(|_| goes_on && length < high) else {
                return Flow::Go;
            };
            length += 1;
            next = self.program.board.step(c, m.way).filter(|n| Some(*n) != at);
        }
    }

    /// Whether a run could be longer at its near end.
    pub fn runs_back(&self, m: &Match<'p, N>, set: CellSet<N>, at: Option<Cell>) -> bool {
        let board = &self.program.board;
        let before = at.and_then(|c| board.opposite(m.way).and_then(|back| board.step(c, back)));
        before.is_some_and(|c| set.contains(c))
    }
}
