//! The directions of a graph while its lines are drawn: lines in, one after another; tables of steps out, named and pointed at the end.

use std::collections::BTreeMap;

use crate::board::board_type::{NO_STEP, Spot, Way};
use crate::board::compass;
use crate::board::frame::Place;
use crate::board::{BoardError, Cell, Cells, Direction, GraphLine};

/// An unnamed direction, its opposite if it has one, and the cells linked by them.
struct Axis {
    forth: Direction,
    back: Option<Direction>,
    linked: Cells,
}

/// Directions as far as they are drawn.
pub(super) struct Draft<'a> {
    spots: &'a [Spot],
    cells: BTreeMap<&'a str, Cell>,
    /// By direction; those of axes have no name yet.
    ways: Vec<Way>,
    axes: Vec<Axis>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(spots: &'a [Spot]) -> Self {
        let cells = (0..).map(Cell).zip(spots);
        Draft {
            spots,
            cells: cells
                .map(|(cell, spot)| (spot.name.as_str(), cell))
                .collect(),
            ways: Vec::new(),
            axes: Vec::new(),
        }
    }

    /// Draws one line.
    pub(super) fn add(&mut self, line: &GraphLine) -> Result<(), BoardError> {
        let mut cells = self.cells_of(line)?;
        let (forth, back) = match (&line.forth, &line.back) {
            (Some(forth), back) => self.named(forth, back.as_deref(), line.one_way)?,
            (None, Some(back)) if !line.one_way => {
                cells.reverse();
                self.named(back, None, false)?
            }
            (None, _) => self.unnamed(&cells, line.one_way)?,
        };
        for (from, to) in cells.iter().zip(cells.iter().skip(1)) {
            self.link(forth, *from, *to)?;
            if let Some(back) = back {
                self.link(back, *to, *from)?;
            }
        }
        Ok(())
    }

    /// All directions, those of axes with names of their own; in a plotted board straight ones know where they point.
    pub(super) fn finish(mut self, plotted: bool) -> Vec<Way> {
        let by_name = |way: &Way| compass::vector(&way.name).map(|(x, y)| (2 * x, y));
        let by_links = |way: &Way| straight(self.spots, &way.steps).filter(|_| plotted);
        let points = self
            .ways
            .iter()
            .map(|way| by_name(way).or_else(|| by_links(way)));
        let points: Vec<Option<Place>> = points.collect();
        for (way, point) in self.ways.iter_mut().zip(points) {
            way.vector = point;
        }
        for axis in std::mem::take(&mut self.axes) {
            let (forth, back) = self.axis_names(&axis);
            self.rename(axis.forth, forth);
            if let Some(direction) = axis.back {
                self.rename(direction, back);
            }
        }
        self.ways
    }

    /// Free names for an axis: by the compass if it points anywhere, otherwise by number.
    fn axis_names(&self, axis: &Axis) -> (String, String) {
        let free = |names: &(String, String)| {
            self.find(&names.0).is_none() && self.find(&names.1).is_none()
        };
        let vector = self.ways.get(axis.forth.index()).and_then(|w| w.vector);
        let point = vector.and_then(|(x, y)| compass::pointing(x / 2, y));
        let pair = point.and_then(|p| Some((p.to_owned(), compass::opposite(p)?.to_owned())));
        let numbered = (1..).map(|n| (format!("line{n}"), format!("line{n}-back")));
        pair.into_iter()
            .chain(numbered)
            .find(free)
            .unwrap_or_default()
    }

    fn rename(&mut self, direction: Direction, name: String) {
        if let Some(way) = self.ways.get_mut(direction.index()) {
            way.name = name;
        }
    }

    fn cells_of(&self, line: &GraphLine) -> Result<Vec<Cell>, BoardError> {
        if line.cells.len() < 2 {
            return Err(BoardError::ShortLine);
        }
        let find = |name: &String| {
            let unknown = || BoardError::UnknownCell(name.clone());
            self.cells.get(name.as_str()).copied().ok_or_else(unknown)
        };
        let cells: Vec<Cell> = line.cells.iter().map(find).collect::<Result<_, _>>()?;
        let mut pairs = cells.iter().zip(cells.iter().skip(1));
        match pairs.find(|(a, b)| a == b) {
            Some((cell, _)) => Err(BoardError::RepeatedCell(self.cell_name(*cell))),
            None => Ok(cells),
        }
    }

    /// The directions of a line with a name, made if they are new.
    fn named(
        &mut self,
        forth: &str,
        back: Option<&str>,
        one_way: bool,
    ) -> Result<(Direction, Option<Direction>), BoardError> {
        let there = self.direction(forth)?;
        if one_way {
            return Ok((there, None));
        }
        let known = self.ways.get(there.index()).and_then(|w| w.opposite);
        let again = match (back, known) {
            (Some(name), _) => self.direction(name)?,
            (None, Some(known)) => known,
            (None, None) => {
                let point = compass::opposite(forth).map(str::to_owned);
                self.direction(&point.unwrap_or_else(|| format!("{forth}-back")))?
            }
        };
        self.oppose(there, again)?;
        self.oppose(again, there)?;
        Ok((there, Some(again)))
    }

    /// The axis of a line without names: the first in which its cells are free.
    fn unnamed(
        &mut self,
        cells: &[Cell],
        one_way: bool,
    ) -> Result<(Direction, Option<Direction>), BoardError> {
        let cells: Cells = cells.iter().copied().collect();
        let free =
            |axis: &&mut Axis| axis.back.is_none() == one_way && !axis.linked.intersects(cells);
        if let Some(axis) = self.axes.iter_mut().find(free) {
            axis.linked |= cells;
            return Ok((axis.forth, axis.back));
        }
        let forth = self.fresh("")?;
        let mut back = None;
        if !one_way {
            let again = self.fresh("")?;
            self.oppose(forth, again)?;
            self.oppose(again, forth)?;
            back = Some(again);
        }
        self.axes.push(Axis {
            forth,
            back,
            linked: cells,
        });
        Ok((forth, back))
    }

    fn direction(&mut self, name: &str) -> Result<Direction, BoardError> {
        match self.find(name) {
            Some(direction) => Ok(direction),
            None => self.fresh(name),
        }
    }

    fn find(&self, name: &str) -> Option<Direction> {
        let is = |way: &Way| compass::short(&way.name) == compass::short(name);
        let at = self.ways.iter().position(is)?;
        u8::try_from(at).map(Direction).ok()
    }

    fn fresh(&mut self, name: &str) -> Result<Direction, BoardError> {
        let number = u8::try_from(self.ways.len()).ok().filter(|n| *n < 64);
        let direction = Direction(number.ok_or(BoardError::TooManyDirections)?);
        self.ways.push(Way {
            name: name.to_owned(),
            opposite: None,
            vector: None,
            steps: vec![NO_STEP; self.spots.len()],
        });
        Ok(direction)
    }

    fn oppose(&mut self, direction: Direction, opposite: Direction) -> Result<(), BoardError> {
        let Some(way) = self.ways.get_mut(direction.index()) else {
            return Ok(());
        };
        if *way.opposite.get_or_insert(opposite) == opposite {
            return Ok(());
        }
        Err(BoardError::TwoOpposites {
            direction: way.name.clone(),
        })
    }

    fn link(&mut self, direction: Direction, from: Cell, to: Cell) -> Result<(), BoardError> {
        let cell = self.cell_name(from);
        let Some(way) = self.ways.get_mut(direction.index()) else {
            return Ok(());
        };
        match way.steps.get_mut(from.index()) {
            Some(next) if *next == NO_STEP || *next == to.0 => {
                *next = to.0;
                Ok(())
            }
            Some(_) => Err(BoardError::TwoLinks {
                cell,
                direction: way.name.clone(),
            }),
            None => Ok(()),
        }
    }

    fn cell_name(&self, cell: Cell) -> String {
        let spot = self.spots.get(cell.index());
        spot.map_or_else(String::new, |spot| spot.name.clone())
    }
}

/// The one shortest step, in the plane, that all links of a direction are multiples of.
fn straight(spots: &[Spot], steps: &[u16]) -> Option<Place> {
    let place = |at: u16| spots.get(usize::from(at)).map(|spot| spot.place);
    let links = spots.iter().zip(steps).filter_map(|(from, next)| {
        let to = place(*next)?;
        let (columns, rows) = ((to.0 - from.place.0) / 2, to.1 - from.place.1);
        let unit = divisor(columns, rows);
        Some((2 * columns / unit, rows / unit))
    });
    let mut links = links.peekable();
    let first = *links.peek()?;
    links.all(|link| link == first).then_some(first)
}

/// The greatest common divisor, at least 1.
const fn divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
}

#[cfg(test)]
mod tests {
    use crate::board::draft::divisor;

    #[test]
    fn divisors() {
        let pairs = [(0, 0), (0, -6), (4, 6), (-9, 3), (5, 7)];
        assert_eq!(pairs.map(|(a, b)| divisor(a, b)), [1, 6, 2, 3, 1]);
    }
}
