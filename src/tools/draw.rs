//! The board as text, for any shape: an engine and a position in, lines for people out. What a position *is* stands in its
//! position line; this is the picture of it.

use crate::board::{Board, BoardKind, Cell};
use crate::engine::{Engine, Position};
use crate::program::{KindId, PlayerId};
use crate::tools::phrase;
use std::collections::BTreeMap;

/// The whole drawing: board, hands and all else that the position keeps, each line ended.
#[must_use]
pub fn draw(engine: &Engine, position: &Position) -> String {
    let mut lines = board_lines(engine, position);
    let beside = beside(engine, position);
    if !beside.is_empty() {
        lines.push(String::new());
        lines.extend(beside);
    }
    lines
        .iter()
        .fold(String::new(), |text, line| text + line + "\n")
}

/// The board alone, without line ends.
#[must_use]
pub fn board_lines(engine: &Engine, position: &Position) -> Vec<String> {
    let board = &engine.program().board;
    let content = |cell| match phrase::stack(engine.program(), &engine.stack(position, cell)) {
        empty if empty.is_empty() => ".".to_owned(),
        pieces => pieces,
    };
    lay_out(board, &content)
}

/// The board alone, some cells in square brackets.
#[must_use]
pub fn marked_lines(engine: &Engine, position: &Position, marked: &[Cell]) -> Vec<String> {
    let board = &engine.program().board;
    let content = |cell| {
        let pieces = phrase::stack(engine.program(), &engine.stack(position, cell));
        let shown = if pieces.is_empty() {
            ".".to_owned()
        } else {
            pieces
        };
        if marked.contains(&cell) {
            format!("[{shown}]")
        } else {
            shown
        }
    };
    lay_out(board, &content)
}

/// Any contents of cells in the shape of the board.
#[must_use]
pub fn lay_out(board: &Board, content: &dyn Fn(Cell) -> String) -> Vec<String> {
    if is_plotted(board) {
        grid(board, content)
    } else {
        list(board, content)
    }
}

/// Whether cells are called by column and row; on a graph of free names they are not.
pub(super) fn is_plotted(board: &Board) -> bool {
    let row = |cell| split_name(board.name(cell)).and_then(|(_, number)| number.parse().ok());
    board.kind() != BoardKind::Graph
        || board
            .cells()
            .iter()
            .all(|cell| row(cell) == Some(board.row_of(cell)))
}

/// The letters and the number of a name such as `a7`.
pub(super) fn split_name(name: &str) -> Option<(&str, &str)> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = name.strip_suffix(digits)?;
    let numbered = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (numbered && !letters.is_empty()).then_some((letters, digits))
}

fn list(board: &Board, content: &dyn Fn(Cell) -> String) -> Vec<String> {
    board
        .cells()
        .iter()
        .map(|cell| format!("{}: {}", board.name(cell), content(cell)))
        .collect()
}

/// Texts at places of a grid: half cells from the left, then what stands there.
type Row = BTreeMap<i32, String>;

fn grid(board: &Board, content: &dyn Fn(Cell) -> String) -> Vec<String> {
    let by_letter = matches!(board.kind(), BoardKind::Triangles | BoardKind::Hexagons);
    let mut rows: Vec<(String, Row)> = Vec::new();
    let mut foot = Row::new();
    for cells in board.rows_top_down() {
        let (mut label, mut row) = (String::new(), Row::new());
        for cell in cells {
            let (x, y) = board.place(cell);
            let (letters, number) = split_name(board.name(cell)).unwrap_or_default();
            row.insert(x, content(cell));
            label = if by_letter { letters } else { number }.to_owned();
            if !by_letter {
                let indent = if board.kind() == BoardKind::Rhombus {
                    y - 1
                } else {
                    0
                };
                foot.insert(x - indent, letters.to_owned());
            }
        }
        rows.push((label, row));
    }
    rows.push((String::new(), foot));
    print_rows(&rows)
}

fn print_rows(rows: &[(String, Row)]) -> Vec<String> {
    let count = |text: &String| text.chars().count();
    let head = rows
        .iter()
        .map(|(label, _)| count(label))
        .max()
        .unwrap_or(0);
    let widest = rows
        .iter()
        .flat_map(|(_, row)| row.values())
        .map(count)
        .max()
        .unwrap_or(1);
    let odd = rows
        .iter()
        .flat_map(|(_, row)| row.keys())
        .any(|x| x % 2 != 0);
    let pitch = if odd {
        (widest + 1).next_multiple_of(2)
    } else {
        widest + 1
    };
    let line = |(label, row): &(String, Row)| {
        let mut line = format!("{label:>head$}");
        for (x, text) in row {
            let at = head + 1 + usize::try_from(*x).unwrap_or(0) * pitch / 2;
            let gap = at.saturating_sub(count(&line));
            line.extend(std::iter::repeat_n(' ', gap));
            line.push_str(text);
        }
        line
    };
    rows.iter()
        .map(line)
        .filter(|line| !line.trim().is_empty())
        .collect()
}

/// What is not on the board: hands, and what the position line keeps (pieces that are up, values).
#[must_use]
pub fn beside(engine: &Engine, position: &Position) -> Vec<String> {
    let program = engine.program();
    let mut lines = Vec::new();
    if program.hands {
        lines.extend(hands(engine, position).into_iter().map(|(player, kinds)| {
            let counted: Vec<String> = kinds
                .iter()
                .map(|(kind, n)| format!("{kind} {n}"))
                .collect();
            let told = if counted.is_empty() {
                "nothing".to_owned()
            } else {
                counted.join(", ")
            };
            format!("{player} in hand: {told}")
        }));
    }
    lines.extend(
        engine
            .values(position)
            .into_iter()
            .map(|(name, value)| format!("{name} = {value}")),
    );
    lines
}

/// For each player by name, the kinds in hand with their numbers, in order of declaration.
#[must_use]
pub fn hands(engine: &Engine, position: &Position) -> Vec<(String, Vec<(String, u64)>)> {
    let program = engine.program();
    let of = |player: PlayerId| {
        let kinds = (0u8..).zip(&program.kinds);
        let counted =
            kinds.map(|(k, info)| (info.name.clone(), engine.hand(position, player, KindId(k))));
        counted.filter(|(_, n)| *n > 0).collect()
    };
    (0u8..)
        .zip(&program.players)
        .map(|(p, info)| (info.name.clone(), of(PlayerId(p))))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, BoardError, Cell, Cells, GraphLine, GraphSpec, Wrap};
    use crate::tools::draw::lay_out;

    fn dots(board: &Board) -> String {
        lay_out(board, &|_| ".".to_owned()).join("\n")
    }

    fn graph(lines: &[&str]) -> Result<Board, BoardError> {
        let line = |cells: &&str| GraphLine {
            cells: cells.split(' ').map(str::to_owned).collect(),
            ..GraphLine::default()
        };
        Board::graph(&GraphSpec {
            cells: Vec::new(),
            lines: lines.iter().map(line).collect(),
        })
    }

    #[test]
    fn squares_have_letters_below_and_numbers_at_the_left() -> Result<(), BoardError> {
        assert_eq!(
            dots(&Board::square(3, 2, Wrap::None)?),
            "2 . . .\n1 . . .\n  a b c"
        );
        let tall = dots(&Board::square(1, 10, Wrap::None)?);
        assert!(
            tall.starts_with("10 .\n 9 .\n") && tall.ends_with("\n 1 .\n   a"),
            "{tall}"
        );
        Ok(())
    }

    #[test]
    fn columns_are_as_wide_as_the_widest_cell() -> Result<(), BoardError> {
        let board = Board::square(3, 2, Wrap::None)?;
        let content = |cell: Cell| {
            if cell == Cell(1) {
                "(ssS)".to_owned()
            } else {
                ".".to_owned()
            }
        };
        let expected = "2 .     .     .\n1 .     (ssS) .\n  a     b     c";
        assert_eq!(lay_out(&board, &content).join("\n"), expected);
        Ok(())
    }

    #[test]
    fn missing_cells_are_blank() -> Result<(), BoardError> {
        let full = Board::square(3, 3, Wrap::None)?;
        let corners: Cells = full.corners();
        let keep: Cells = full
            .cells()
            .iter()
            .filter(|c| !corners.contains(*c))
            .collect();
        assert_eq!(
            dots(&full.restrict(&keep)?),
            "3   .\n2 . . .\n1   .\n  a b c"
        );
        Ok(())
    }

    #[test]
    fn hexagons_are_indented_by_half_cells() -> Result<(), BoardError> {
        assert_eq!(dots(&Board::hexagons(2, 2)?), "c  . .\nb . . .\na  . .");
        let wide = lay_out(&Board::hexagons(2, 2)?, &|_| "(SS)".to_owned());
        assert_eq!(
            wide.join("\n"),
            "c    (SS)  (SS)\nb (SS)  (SS)  (SS)\na    (SS)  (SS)"
        );
        assert_eq!(dots(&Board::rhombus(3, 2)?), "2  . . .\n1 . . .\n  a b c");
        Ok(())
    }

    #[test]
    fn graphs_by_coordinates_or_as_a_list() -> Result<(), BoardError> {
        assert_eq!(
            dots(&graph(&["a1 c1", "c1 c3"])?),
            "3     .\n1 .   .\n  a   c"
        );
        assert_eq!(dots(&graph(&["north south"])?), "north: .\nsouth: .");
        Ok(())
    }
}
