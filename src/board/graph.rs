//! Boards drawn by hand: named lines of named cells in, a board out; which line goes where is decided in `draft`.

use std::collections::BTreeSet;

use crate::board::board_type::{NO_STEP, Spot, Way};
use crate::board::draft::Draft;
use crate::board::frame::{Frame, check_count};
use crate::board::labels;
use crate::board::{Board, BoardError, BoardKind, Directions, Wrap};

/// A board as its author lists it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphSpec {
    /// Cells without lines, or some cells first, to fix their order; may be empty.
    pub cells: Vec<String>,
    /// The lines.
    pub lines: Vec<GraphLine>,
}

/// Cells that follow one another in one direction, and back in its opposite.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphLine {
    /// At least two names; a closed ring repeats its first cell at the end.
    pub cells: Vec<String>,
    /// Name of the direction from the first to the last cell.
    pub forth: Option<String>,
    /// Name of the direction back. Without it, the opposite that `forth` already has, or the opposite point of the
    /// compass, or `NAME-back`. If only this is given, the line is read from its end.
    pub back: Option<String>,
    /// Only forth: no step leads back, and `back` is not heeded.
    pub one_way: bool,
}

impl Board {
    /// A board of lines drawn by hand.
    ///
    /// If all names are letters and a number (`a7`), they say column and row, as on squares, and cells are in the order of
    /// rows and columns. Otherwise all cells are in one row, in the order in which they are first told.
    ///
    /// A line without names goes to the first unnamed axis in which none of its cells has a link yet, or to a new one.
    /// Lines of one way have axes of their own, without opposites.
    ///
    /// # Errors
    ///
    /// If there are no cells, more than [`MAX_CELLS`](crate::board::MAX_CELLS), or more than 64 directions; if `cells`
    /// repeats one, or a line has one cell twice in a row or fewer than two cells; if a cell would get two next cells in
    /// one direction, or a direction two opposites; if a direction leads into a ring from outside.
    pub fn graph(spec: &GraphSpec) -> Result<Self, BoardError> {
        let (frame, spots) = survey(&cell_names(spec)?)?;
        let mut draft = Draft::new(&spots);
        for line in &spec.lines {
            draft.add(line)?;
        }
        let ways = draft.finish(frame.plotted);
        check_rings(&ways, &spots)?;
        let base = Directions::range(ways.len());
        Ok(Self::assemble(frame, spots, ways, base))
    }
}

/// Refuses directions that lead into a ring from outside.
fn check_rings(ways: &[Way], spots: &[Spot]) -> Result<(), BoardError> {
    for way in ways {
        let mut from = vec![0u32; way.steps.len()];
        for to in way.steps.iter().filter(|to| **to != NO_STEP) {
            from[usize::from(*to)] += 1;
        }
        let comes_back = |cell: usize| {
            let mut at = way.steps[cell];
            for _ in 0..way.steps.len() {
                if at == NO_STEP || usize::from(at) == cell {
                    return at != NO_STEP;
                }
                at = way.steps[usize::from(at)];
            }
            false
        };
        let met = (0..from.len()).find(|cell| from[*cell] > 1 && comes_back(*cell));
        if let Some(cell) = met {
            return Err(BoardError::IntoRing {
                cell: spots[cell].name.clone(),
                direction: way.name.clone(),
            });
        }
    }
    Ok(())
}

/// All names, each once, in the order in which they are told.
fn cell_names(spec: &GraphSpec) -> Result<Vec<&str>, BoardError> {
    let (mut names, mut seen) = (Vec::new(), BTreeSet::new());
    for name in &spec.cells {
        if !seen.insert(name.as_str()) {
            return Err(BoardError::RepeatedCell(name.clone()));
        }
        names.push(name.as_str());
    }
    let on_lines = spec.lines.iter().flat_map(|line| &line.cells);
    names.extend(
        on_lines
            .map(String::as_str)
            .filter(|name| seen.insert(name)),
    );
    check_count(names.len() as u128)?;
    Ok(names)
}

/// Puts the cells in rows and columns, in board order.
fn survey(names: &[&str]) -> Result<(Frame, Vec<Spot>), BoardError> {
    let lettered: Option<Vec<(u32, u32)>> = names.iter().map(|n| labels::numbers(n)).collect();
    let plotted = lettered.is_some();
    let in_a_row = || (1..).zip(names).map(|(i, _)| (i, 1)).collect();
    let coordinates: Vec<(u32, u32)> = lettered.unwrap_or_else(in_a_row);
    let mut spots: Vec<Spot> = names
        .iter()
        .zip(&coordinates)
        .map(|(name, &(column, row))| Spot {
            name: (*name).to_owned(),
            column,
            row,
            place: (2 * i64::from(column - 1), i64::from(row)),
        })
        .collect();
    spots.sort_by_key(|spot| (spot.row, spot.column));
    let columns = coordinates.iter().map(|c| c.0).max();
    let rows = coordinates.iter().map(|c| c.1).max();
    let frame = Frame {
        kind: BoardKind::Graph,
        columns: columns.ok_or(BoardError::Empty)?,
        rows: rows.ok_or(BoardError::Empty)?,
        wrap: Wrap::None,
        plotted,
    };
    Ok((frame, spots))
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Facing, GraphLine, GraphSpec};

    fn line(cells: &str) -> GraphLine {
        GraphLine {
            cells: cells.split_whitespace().map(str::to_owned).collect(),
            ..GraphLine::default()
        }
    }

    fn named(cells: &str, forth: &str) -> GraphLine {
        GraphLine {
            forth: Some(forth.to_owned()),
            ..line(cells)
        }
    }

    fn graph(lines: Vec<GraphLine>) -> Result<Board, BoardError> {
        let cells = Vec::new();
        Board::graph(&GraphSpec { cells, lines })
    }

    /// From a cell, the names of the cells passed in a direction, at most twelve.
    fn ray(board: &Board, from: &str, direction: &str) -> String {
        let direction = board.direction_named(direction);
        let next = |c: &_| direction.and_then(|d| board.step(*c, d));
        let start = board.cell_named(from).as_ref().and_then(next);
        let cells = std::iter::successors(start, next).take(12);
        let names: Vec<_> = cells.map(|c| board.name(c)).collect();
        names.join(" ")
    }

    /// The rows of the board, then its columns.
    const MORRIS: &str = "a7 d7 g7,b6 d6 f6,c5 d5 e5,a4 b4 c4,e4 f4 g4,c3 d3 e3,b2 d2 f2,a1 d1 g1,\
        a7 a4 a1,b6 b4 b2,c5 c4 c3,d7 d6 d5,d3 d2 d1,e5 e4 e3,f6 f4 f2,g7 g4 g1";

    #[test]
    fn three_rings() -> Result<(), BoardError> {
        let board = graph(MORRIS.split(',').map(line).collect())?;
        assert_eq!((board.len(), board.directions()), (24, 4));
        assert_eq!(ray(&board, "a4", "east"), "b4 c4");
        assert_eq!(ray(&board, "d7", "s"), "d6 d5");
        assert_eq!(ray(&board, "g1", "n"), "g4 g7");
        let ends = board.cells().iter().map(|c| board.neighbours(c).len());
        assert_eq!(ends.sum::<usize>(), 64);
        assert_eq!((board.rows(), board.row(4).len()), (7, 6));
        assert_eq!((board.outer(1).len(), board.outer(2).len()), (8, 16));
        assert!(board.corners().is_empty() && board.middle().is_empty());
        assert_eq!(board.orthogonal(), board.all());
        assert_eq!(board.sideways().len(), 2);
        assert_eq!(board.forward(Facing::North).len(), 1);
        for to in [Facing::South, Facing::East, Facing::West] {
            assert!(board.symmetry(to).is_some());
        }
        assert!(board.mirror(board.sideways()).is_some());
        Ok(())
    }

    #[test]
    fn axes_are_taken_in_the_order_of_the_lines() -> Result<(), BoardError> {
        // With rows and columns mixed, `d3 d2 d1` finds the axis of the rows free, and `c3 d3 e3` needs a third.
        let mixed = "a7 d7 g7,a7 a4 a1,c5 d5 e5,c5 c4 c3,d3 d2 d1,c3 d3 e3";
        let board = graph(mixed.split(',').map(line).collect())?;
        assert_eq!(board.directions(), 6);
        assert_eq!(ray(&board, "d3", "line1"), "d2 d1");
        assert_eq!(ray(&board, "a7", "line1"), "d7 g7");
        assert_eq!(ray(&board, "a7", "s"), "a4 a1");
        assert_eq!(ray(&board, "c3", "e"), "d3 e3");
        Ok(())
    }

    #[test]
    fn rings_and_free_names() -> Result<(), BoardError> {
        let ring = named("north east south west north", "clockwise");
        let board = graph(vec![ring, line("centre south"), line("west centre east")])?;
        assert_eq!(board.len(), 5);
        assert_eq!(board.name(board.find_cell("centre")?), "centre");
        assert_eq!((board.rows(), board.columns()), (1, 5));
        assert!(ray(&board, "east", "clockwise").starts_with("south west north east south"));
        assert!(ray(&board, "east", "clockwise-back").starts_with("north west"));
        assert_eq!(ray(&board, "centre", "line1"), "south");
        assert_eq!(ray(&board, "west", "line2"), "centre east");
        assert!(board.outer(9).is_empty() && board.middle().is_empty());
        assert!(board.symmetry(Facing::North).is_some());
        assert!(board.symmetry(Facing::South).is_none());
        Ok(())
    }

    #[test]
    fn one_way_and_named_both_ways() -> Result<(), BoardError> {
        let up = GraphLine {
            back: Some("down".into()),
            ..named("p q r", "up")
        };
        let fall = GraphLine {
            one_way: true,
            ..line("r p")
        };
        let back_only = GraphLine {
            back: Some("down".into()),
            ..line("s t")
        };
        let board = graph(vec![up, fall, back_only, named("q s", "north")])?;
        assert_eq!(ray(&board, "p", "up"), "q r");
        assert_eq!(ray(&board, "r", "down"), "q p");
        assert_eq!(ray(&board, "t", "down"), "s");
        assert_eq!(ray(&board, "s", "south"), "q");
        assert_eq!(ray(&board, "r", "line1"), "p");
        let fall = board.direction_named("line1");
        assert_eq!(fall.and_then(|d| board.opposite(d)), None);
        assert_eq!(board.forward(Facing::North).len(), 1);
        Ok(())
    }

    #[test]
    fn order_and_loose_cells() -> Result<(), BoardError> {
        let lines = vec![line("b1 a2")];
        let cells = vec!["c2".to_owned(), "a2".to_owned()];
        let board = Board::graph(&GraphSpec { cells, lines })?;
        let names: Vec<_> = board.cells().iter().map(|c| board.name(c)).collect();
        assert_eq!(names, ["b1", "a2", "c2"]);
        assert_eq!(board.rows_top_down().len(), 2);
        assert!(board.neighbours(board.find_cell("c2")?).is_empty());
        assert!(board.direction_named("nw").is_some());
        Ok(())
    }

    #[test]
    fn refusals() {
        assert_eq!(graph(Vec::new()), Err(BoardError::Empty));
        assert_eq!(graph(vec![line("p")]), Err(BoardError::ShortLine));
        let twice = BoardError::RepeatedCell("p".into());
        assert_eq!(graph(vec![line("p p")]), Err(twice.clone()));
        let cells = vec!["p".to_owned(), "p".to_owned()];
        let lines = Vec::new();
        assert_eq!(Board::graph(&GraphSpec { cells, lines }), Err(twice));
        let fork = graph(vec![named("p q", "up"), named("p r", "up")]);
        assert!(matches!(fork, Err(BoardError::TwoLinks { .. })));
        let eight = graph(vec![line("p q r p s")]);
        assert!(matches!(eight, Err(BoardError::TwoLinks { .. })));
        let other = GraphLine {
            back: Some("out".into()),
            ..named("r s", "up")
        };
        let opposites = graph(vec![named("p q", "up"), other]);
        assert!(matches!(opposites, Err(BoardError::TwoOpposites { .. })));
        let into_ring = GraphLine {
            one_way: true,
            ..named("x a b c a", "round")
        };
        let (cell, direction) = ("a".into(), "round".into());
        assert_eq!(
            graph(vec![into_ring]),
            Err(BoardError::IntoRing { cell, direction })
        );
        let ring = GraphLine {
            one_way: true,
            ..named("a b c a", "round")
        };
        assert!(graph(vec![ring]).is_ok());
        let many = (0..40).map(|i| named("p q", &format!("way{i}"))).collect();
        assert_eq!(graph(many), Err(BoardError::TooManyDirections));
        let names: Vec<_> = (0..1281).map(|i| format!("{i}")).collect();
        let large = graph(vec![line(&names.join(" "))]);
        assert_eq!(large, Err(BoardError::TooLarge { cells: 1281 }));
    }
}
