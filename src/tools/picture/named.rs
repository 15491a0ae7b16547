//! The cells that the text of an action names: a board and a text in, cells in the order of the text out.

use crate::board::{Board, Cell};
use crate::program::{Part, Program, Value};

/// The cells of an action; none when the notation of the game names no cells.
#[must_use]
pub fn cells(program: &Program, text: &str) -> Vec<Cell> {
    let is_cell = |part: &Part| {
        matches!(
            part,
            Part::Hole(Value::Cell(_) | Value::Cells(_) | Value::Groups(_))
        )
    };
    let named = program
        .templates
        .iter()
        .any(|t| t.parts.iter().any(is_cell));
    if named {
        found(&program.board, text)
    } else {
        Vec::new()
    }
}

/// Reads from the left; of two names that begin at one place it is the longer one.
fn found(board: &Board, text: &str) -> Vec<Cell> {
    let longest = board
        .cells()
        .iter()
        .map(|c| board.name(c).len())
        .max()
        .unwrap_or(0);
    let plotted = board.is_plotted();
    let mut cells = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        // A name of letters alone does not begin or end inside of a word.
        let inside =
            |c: Option<char>| !plotted && c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let begins = !inside(text.get(..at).and_then(|t| t.chars().next_back()));
        let ends = (1..=longest.min(rest.len())).rev().find_map(|length| {
            let cell = board.cell_named(rest.get(..length)?)?;
            let follows = rest.get(length..)?.chars().next();
            let digit = follows.is_some_and(|c| c.is_ascii_digit());
            (begins && !inside(follows) && !digit).then_some((cell, length))
        });
        at += match ends {
            Some((cell, length)) => {
                cells.push(cell);
                length
            }
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    cells
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, GraphLine, GraphSpec, Wrap};
    use crate::tools::picture::named::found;

    fn names(board: &Board, text: &str) -> String {
        let names: Vec<&str> = found(board, text).iter().map(|c| board.name(*c)).collect();
        names.join(" ")
    }

    #[test]
    fn cells_are_found_between_other_signs() -> Result<(), BoardError> {
        let board = Board::square(12, 12, Wrap::None)?;
        assert_eq!(names(&board, "d4xb6xd8"), "d4 b6 d8");
        assert_eq!(names(&board, "Na1-b12"), "a1 b12");
        assert_eq!(names(&board, "+c3=a1,a11"), "c3 a1 a11");
        assert_eq!(names(&board, "pass stop a99 z1"), "");
        Ok(())
    }

    #[test]
    fn free_names_are_whole_words() -> Result<(), BoardError> {
        let line = GraphLine {
            cells: ["hub", "north", "northeast"].map(str::to_owned).to_vec(),
            ..GraphLine::default()
        };
        let board = Board::graph(&GraphSpec {
            cells: Vec::new(),
            lines: vec![line],
        })?;
        assert_eq!(names(&board, "hub-northeast"), "hub northeast");
        assert_eq!(names(&board, "hubs north"), "north");
        Ok(())
    }
}
