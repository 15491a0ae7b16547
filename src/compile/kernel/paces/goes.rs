//! Where trails on an empty board go. In: the directions of a step, which follow from the one before, and the cells that a step may
//! go to. Out: from which cells any number of steps can follow, and what cells a trail of so many steps can come to.

use crate::board::{Cell, Cells as BoardCells, Direction, Directions};
use crate::compile::kernel::assumed::Assumed;
use crate::compile::kernel::reads::Asker;
use crate::program::{DirExpr, Dirs, VarId};

/// So many sets are made at most of what trails come to.
const SETS: usize = 4096;

/// And for so many steps.
const STEPS: usize = 8;

/// Where steps go, as an expression says.
pub struct Said<'a, 'p> {
    /// The player.
    pub asker: Asker<'p>,
    /// Where the direction of the step before is kept.
    pub heading: Option<VarId>,
    /// What is known of tests.
    pub assumed: &'a Assumed<'p>,
}

impl Said<'_, '_> {
    /// A direction when the heading has a number, 0 for none.
    fn dir(&self, dir: &DirExpr, heading: usize) -> Option<Option<Direction>> {
        match dir {
            DirExpr::Const(d) => Some(Some(*d)),
            DirExpr::Var(v) if Some(*v) == self.heading => {
                Some(heading.checked_sub(1).map(|d| Direction(d as u8)))
            }
            DirExpr::Var(_) => None,
            DirExpr::Opposite(d) => {
                let d = self.dir(d, heading)?;
                Some(d.and_then(|d| self.asker.program.board.opposite(d)))
            }
        }
    }

    /// The directions of a step, when that is known.
    fn dirs(&self, dirs: &Dirs, heading: usize) -> Option<Directions> {
        let of = |dirs: &Dirs| self.dirs(dirs, heading).map(|d| d.0);
        Some(match dirs {
            Dirs::Const(d) => *d,
            Dirs::Single(d) => {
                (self.dir(d, heading)?).map_or(Directions::EMPTY, Directions::single)
            }
            Dirs::ByPlayer(sets, p) => *sets.get(usize::from(self.asker.player(p)?))?,
            Dirs::Or(a, b) => Directions(of(a)? | of(b)?),
            Dirs::And(a, b) => Directions(of(a)? & of(b)?),
            Dirs::Without(a, b) => Directions(of(a)? & !of(b)?),
            Dirs::If(test, a, b) => match self.assumed.answer(self.asker.program, test)? {
                true => self.dirs(a, heading)?,
                false => self.dirs(b, heading)?,
            },
            Dirs::Var(_) => return None,
        })
    }

    /// Where steps go, when that follows from the heading alone.
    pub fn goes(&self, ways: &Dirs, class: &BoardCells) -> Option<Goes> {
        let board = &self.asker.program.board;
        let dirs = (0..=board.directions()).map(|heading| self.dirs(ways, heading));
        let dirs: Vec<Directions> = dirs.collect::<Option<_>>()?;
        let step = |c: usize, d: usize| {
            let next = board.step(Cell(c as u16), Direction(d as u8));
            next.filter(|next| class.contains(*next))
        };
        let steps = (0..board.directions())
            .map(|d| (0..board.len()).map(|c| step(c, d)).collect())
            .collect();
        Some(Goes {
            cells: board.len(),
            class: *class,
            dirs,
            steps,
        })
    }
}

/// Where steps go: for each heading, none first, along which directions; for each direction the next cells.
#[derive(Clone)]
pub struct Goes {
    cells: usize,
    class: BoardCells,
    dirs: Vec<Directions>,
    steps: Vec<Vec<Option<Cell>>>,
}

/// Headings with which steps go the same ways.
#[derive(Clone)]
pub struct Kinds {
    /// For each heading, none first: which of the kinds of headings it is, from 1, and 0 for those that no step has.
    pub of: Vec<u64>,
    /// A heading of each kind.
    pub first: Vec<usize>,
}

/// What trails can come to.
#[derive(Clone)]
pub struct Cones {
    /// The kinds of headings.
    pub kinds: Kinds,
    /// The most steps.
    pub most: usize,
    /// How many sets there are for a kind and a number of steps: one more than there are cells.
    pub row: usize,
    /// For no steps and so many more, for each kind, for no cell and each cell, the cells of trails of just so many steps, with the
    /// cell itself where a step came to it; first those of no kind.
    pub sets: Vec<BoardCells>,
}

impl Goes {
    /// The steps from a cell: the heading that each has, and where it goes.
    pub fn from(&self, heading: usize, cell: usize) -> impl Iterator<Item = (usize, Cell)> {
        let ways = self.dirs[heading].iter();
        ways.filter_map(move |d| Some((d.index() + 1, self.steps[d.index()][cell]?)))
    }

    /// For no cell and for each cell the headings with which any number of steps can follow: as many as there can be, so that from
    /// each of them a step leads to another. Nothing where there are none.
    pub fn endless(&self) -> Option<Vec<u64>> {
        let mut good: Vec<u64> = vec![(1 << self.dirs.len()) - 1; self.cells];
        loop {
            let one = |cell: usize| {
                let on = |heading| {
                    self.from(heading, cell)
                        .any(|(h, to)| good[to.index()] >> h & 1 == 1)
                };
                (0..self.dirs.len()).fold(0, |all, h| all | u64::from(on(h)) << h)
            };
            let better: Vec<u64> = (0..good.len()).map(one).collect();
            if better == good {
                break;
            }
            good = better;
        }
        let some = good.iter().any(|headings| *headings != 0);
        some.then(|| std::iter::once(0).chain(good).collect())
    }

    /// What trails of a few steps can come to. Nothing where there are too many sets.
    pub fn cones(&self) -> Option<Cones> {
        let kinds = self.kinds();
        let (many, row) = (kinds.first.len(), self.row());
        let most = (SETS / row).checked_sub(1)? / many;
        let most = most.checked_sub(1)?.min(STEPS);
        let mut sets = vec![BoardCells::EMPTY; row * (1 + many)];
        for left in 1..=most {
            for heading in &kinds.first {
                sets.push(BoardCells::EMPTY);
                for cell in 0..self.cells {
                    let here = Cell(cell as u16);
                    let mut cone = BoardCells::EMPTY;
                    for (h, to) in self.from(*heading, cell) {
                        let block = (left - 1) * many + kinds.of[h] as usize;
                        let rest = sets[block * row + to.index() + 1];
                        if left == 1 || !rest.is_empty() {
                            cone |= rest;
                            cone.insert(to);
                        }
                    }
                    // Behind a step the cell that it came to was come to as well.
                    if *heading != 0 && !cone.is_empty() {
                        cone.insert(here);
                    }
                    sets.push(cone);
                }
            }
        }
        Some(Cones {
            kinds,
            most,
            row,
            sets,
        })
    }

    /// The cells that a step may go to.
    pub fn class(&self) -> &BoardCells {
        &self.class
    }

    /// How many entries a table has for a kind of headings: one more than there are cells.
    pub fn row(&self) -> usize {
        self.cells + 1
    }

    /// The most steps that can follow one.
    pub fn widest(&self) -> usize {
        let cells = 0..self.cells;
        let each = cells.flat_map(|cell| (0..self.dirs.len()).map(move |h| (h, cell)));
        let many = each.map(|(heading, cell)| self.from(heading, cell).count());
        many.max().unwrap_or(0)
    }

    /// For each cell those that a trail can come to in so many steps at most, with the directions that steps may have.
    pub fn near(&self, most: usize) -> Vec<BoardCells> {
        let ways = self.ways();
        let mut near = vec![BoardCells::EMPTY; self.cells];
        for _ in 0..most {
            let one = |cell: usize| {
                let next = ways.iter().filter_map(|d| self.steps[d.index()][cell]);
                next.fold(BoardCells::EMPTY, |mut found, next| {
                    found |= near[next.index()];
                    found.insert(next);
                    found
                })
            };
            near = (0..self.cells).map(one).collect();
        }
        near
    }

    /// For each cell those from which a trail can come to it in so many steps at most.
    pub fn back(&self, most: usize) -> Vec<BoardCells> {
        let mut back = vec![BoardCells::EMPTY; self.cells];
        for (from, near) in self.near(most).iter().enumerate() {
            near.iter()
                .for_each(|to| back[to.index()].insert(Cell(from as u16)));
        }
        back
    }

    /// For each cell those that can come before it or behind it on a trail of so many steps at most.
    pub fn along(&self, most: usize) -> Vec<BoardCells> {
        let both = self.near(most).into_iter().zip(self.back(most));
        both.map(|(near, back)| near | back).collect()
    }

    /// In how many steps behind one a trail comes back to a cell, at least; nothing when it cannot in so many.
    pub fn shortest_back(&self, most: usize) -> Option<usize> {
        let reached = self.reached();
        let headings = (1..self.dirs.len()).filter(|h| reached >> h & 1 == 1);
        let all = headings.flat_map(|h| (0..self.cells).map(move |cell| (h, cell)));
        let back = |(heading, cell)| {
            let mut come_to = vec![0u64; self.cells];
            let mut last = vec![(heading, Cell(cell as u16))];
            for steps in 1..=most {
                let mut next = Vec::new();
                for (heading, at) in last {
                    for (h, to) in self.from(heading, at.index()) {
                        if to.index() == cell {
                            return Some(steps);
                        }
                        if come_to[to.index()] >> h & 1 == 0 {
                            come_to[to.index()] |= 1 << h;
                            next.push((h, to));
                        }
                    }
                }
                last = next;
            }
            None
        };
        all.filter_map(back).min()
    }

    /// The directions that steps of a trail may have.
    pub fn ways(&self) -> Directions {
        let reached = self.reached();
        let of = (0..self.dirs.len()).filter(|h| reached >> h & 1 == 1);
        Directions(of.fold(0, |all, h| all | self.dirs[h].0))
    }

    /// For no kind of headings and for each the directions of steps, as bits.
    pub fn ways_of(&self, kinds: &Kinds) -> Vec<u64> {
        let of = kinds.first.iter().map(|heading| self.dirs[*heading].0);
        std::iter::once(0).chain(of).collect()
    }

    /// For each direction, for no cell and for each cell the next one, counted from 1, or 0 for none.
    pub fn next(&self) -> Vec<u64> {
        let next = |cell: &Option<Cell>| cell.map_or(0, |cell| cell.index() as u64 + 1);
        let of = |steps: &Vec<Option<Cell>>| {
            let cells = steps.iter().map(next);
            std::iter::once(0).chain(cells).collect::<Vec<u64>>()
        };
        self.steps.iter().flat_map(of).collect()
    }

    /// The kinds of headings that a trail can have.
    pub fn kinds(&self) -> Kinds {
        let reached = self.reached();
        let mut kinds = Kinds {
            of: vec![0; self.dirs.len()],
            first: Vec::new(),
        };
        for heading in (0..self.dirs.len()).filter(|h| reached >> h & 1 == 1) {
            let same =
                |h: &usize| (*h == 0) == (heading == 0) && self.dirs[*h] == self.dirs[heading];
            let kind = kinds.first.iter().position(same).unwrap_or_else(|| {
                kinds.first.push(heading);
                kinds.first.len() - 1
            });
            kinds.of[heading] = kind as u64 + 1;
        }
        kinds
    }

    /// The headings that a trail can have, as bits.
    fn reached(&self) -> u64 {
        let mut reached = 1;
        loop {
            let of = (0..self.dirs.len()).filter(|h| reached >> h & 1 == 1);
            let more = of.fold(reached, |all, h| all | self.dirs[h].0 << 1);
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }
}
