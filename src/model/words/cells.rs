//! Words for cells, sets of cells and groups.

use crate::base::{Code, Diagnostic, Span};
use crate::board::Cells as BoardCells;
use crate::model::convert::{Term, cells};
use crate::model::resolver::Resolver;
use crate::model::words::numbers::system;
use crate::model::words::{FunctionWord, Given, ValueWord};
use crate::program::{CellExpr, Cells, Dirs, KindExpr, KindId, Num, PlayerExpr, Value};

/// Words that stand alone.
pub const VALUES: &[ValueWord] = &[
    ValueWord {
        name: "any",
        signature: "cells",
        text: "every cell of the board",
        example: "[ own as mover | any as target ]",
        meaning: |r, _| Some(cells(Cells::fixed(r.board.cells()))),
    },
    ValueWord {
        name: "empty",
        signature: "cells",
        text: "the cells with nothing on them",
        example: "choose spot in empty",
        meaning: |_, _| Some(cells(Cells::Empty)),
    },
    ValueWord {
        name: "occupied",
        signature: "cells",
        text: "the cells with something on them, neutral pieces too",
        example: "no occupied",
        meaning: |_, _| Some(cells(Cells::Occupied)),
    },
    ValueWord {
        name: "own",
        signature: "cells",
        text: "the cells whose top piece is mine",
        example: "choose mover in own",
        meaning: |_, _| Some(cells(Cells::Owned(Box::new(PlayerExpr::Me)))),
    },
    ValueWord {
        name: "enemy",
        signature: "cells",
        text: "the cells whose top piece is another player's",
        example: "[ own as mover | enemy as target ]",
        meaning: |r, _| Some(cells(enemy(r))),
    },
    ValueWord {
        name: "none",
        signature: "cells",
        text: "no cells",
        example: "set band = none",
        meaning: |_, _| Some(cells(Cells::fixed(BoardCells::EMPTY))),
    },
    ValueWord {
        name: "nowhere",
        signature: "cell",
        text: "no cell",
        example: "keep passed = nowhere",
        meaning: |_, _| Some(Term::Value(Value::Cell(CellExpr::Nowhere))),
    },
    ValueWord {
        name: "dark",
        signature: "cells",
        text: "on squares, the cells of the colour of a1",
        example: "board square(9, 9) only dark",
        meaning: |r, _| Some(cells(Cells::fixed(r.board.dark()))),
    },
    ValueWord {
        name: "light",
        signature: "cells",
        text: "on squares, the cells of the other colour than a1",
        example: "rows(2..4) and light",
        meaning: |r, _| Some(cells(Cells::fixed(r.board.light()))),
    },
    ValueWord {
        name: "corners",
        signature: "cells",
        text: "the cells where two edges meet",
        example: "board square(8, 8) without corners",
        meaning: |r, _| Some(cells(Cells::fixed(r.board.corners()))),
    },
    ValueWord {
        name: "middle",
        signature: "cells",
        text: "the one, two or four cells in the centre",
        example: "spot not in middle",
        meaning: |r, _| Some(cells(Cells::fixed(r.board.middle()))),
    },
    ValueWord {
        name: "captured",
        signature: "cells",
        text: "where something was captured this turn",
        example: "some captured",
        meaning: |r, span| system(r, span, "captured"),
    },
    ValueWord {
        name: "touched",
        signature: "cells",
        text: "the cells that have changed this turn",
        example: "set unmoved = unmoved except touched",
        meaning: |r, span| system(r, span, "touched"),
    },
];

/// Words that take values.
pub const FUNCTIONS: &[FunctionWord] = &[
    FunctionWord {
        name: "cell",
        signature: "number, number → cell",
        text: "the cell in a column and a row, counted from 1; both are known before play",
        example: "cell(4, 5)",
        least: 2,
        most: 2,
        meaning: cell_at,
    },
    FunctionWord {
        name: "row",
        signature: "number → cells · cell → number",
        text: "the cells of a row, counted from the bottom; or the row of a cell",
        example: "row(1) seen by me",
        least: 1,
        most: 1,
        meaning: |r, g| rows(r, g, true),
    },
    FunctionWord {
        name: "rows",
        signature: "number..number → cells",
        text: "the cells of some rows, counted from the bottom",
        example: "rows(1..2)",
        least: 1,
        most: 1,
        meaning: |r, g| rows(r, g, true),
    },
    FunctionWord {
        name: "column",
        signature: "number → cells · cell → number",
        text: "the cells of a column, counted from the left; or the column of a cell",
        example: "column(1)",
        least: 1,
        most: 1,
        meaning: |r, g| rows(r, g, false),
    },
    FunctionWord {
        name: "columns",
        signature: "number..number → cells",
        text: "the cells of some columns, counted from the left",
        example: "columns(1..3)",
        least: 1,
        most: 1,
        meaning: |r, g| rows(r, g, false),
    },
    FunctionWord {
        name: "outer",
        signature: "number → cells",
        text: "the cells on so many outermost lines; `outer(1)` is the edge",
        example: "spot in outer(4)",
        least: 1,
        most: 1,
        meaning: outer,
    },
    FunctionWord {
        name: "adjacent",
        signature: "cells, directions? → cells",
        text: "the cells next to some cells, these left out; along the board's joining directions or the given ones",
        example: "no enemy in adjacent of spot",
        least: 1,
        most: 2,
        meaning: adjacent,
    },
    FunctionWord {
        name: "axis",
        signature: "cell, directions → cells",
        text: "all cells of the lines through a cell along some directions, both ways where there is a way back, and the cell",
        example: "count(occupied in axis(mover, way))",
        least: 2,
        most: 2,
        meaning: axis,
    },
    FunctionWord {
        name: "neighbour",
        signature: "cell, direction → cell",
        text: "the next cell in a direction, or nowhere",
        example: "neighbour(landing, way)",
        least: 2,
        most: 2,
        meaning: step,
    },
    FunctionWord {
        name: "group",
        signature: "cell → cells",
        text: "the pieces of one owner that are joined to the one on a cell; none if it is empty",
        example: "count(group of spot) <= 2",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let c = r.need_cell(t, s)?;
            Some(cells(Cells::GroupOf(Box::new(c))))
        },
    },
    FunctionWord {
        name: "groups",
        signature: "player → groups",
        text: "all groups of a player",
        example: "choose family in groups of me",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let p = r.need_player(t, s)?;
            Some(Term::Value(Value::Groups(Cells::Owned(Box::new(p)))))
        },
    },
    FunctionWord {
        name: "parts",
        signature: "cells → groups",
        text: "a set of cells, in joined parts",
        example: "parts of band with most count of it",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let c = r.need_cells(t, s)?;
            Some(Term::Value(Value::Groups(c)))
        },
    },
    FunctionWord {
        name: "cells",
        signature: "groups → cells",
        text: "all cells of some groups",
        example: "cells of groups of me",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let c = r.need_cells(t, s)?;
            Some(cells(c))
        },
    },
    FunctionWord {
        name: "first",
        signature: "cells → cell",
        text: "of a run, its first cell; else the first in board order: the bottom row from the left",
        example: "first of phalanx",
        least: 1,
        most: 1,
        meaning: |r, g| end_of(r, g, true),
    },
    FunctionWord {
        name: "last",
        signature: "cells → cell",
        text: "of a run, its last cell; else the last in board order",
        example: "last of path",
        least: 1,
        most: 1,
        meaning: |r, g| end_of(r, g, false),
    },
    FunctionWord {
        name: "top",
        signature: "cell → piece",
        text: "the top piece of a stack",
        example: "capture top of victim under next",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            Some(Term::Top(r.need_cell(t, s)?))
        },
    },
];

/// The cells topped by the pieces of other players.
fn enemy(r: &Resolver<'_>) -> Cells {
    if r.players.len() == 2 {
        return Cells::Owned(Box::new(PlayerExpr::Next(Box::new(PlayerExpr::Me))));
    }
    let neutral = r.kinds.iter().enumerate().filter(|(_, k)| k.neutral);
    let neutral =
        neutral.map(|(at, _)| Cells::Kind(KindExpr::Const(KindId(u8::try_from(at).unwrap_or(0)))));
    let apart = neutral.fold(Cells::Owned(Box::new(PlayerExpr::Me)), Cells::or);
    Cells::without(Cells::Occupied, apart)
}

fn fixed(r: &mut Resolver<'_>, term: &Term, span: Span) -> Option<i64> {
    match r.need_number(term, span)? {
        Num::Const(n) => Some(n),
        _ => r.not_fixed("the number", span),
    }
}

fn off_board<T>(r: &mut Resolver<'_>, span: Span, what: &str, n: i64, most: u32) -> Option<T> {
    r.fail(
        Diagnostic::new(Code::OffBoard, span, format!("the board has no {what} {n}"))
            .here("outside the board")
            .help(format!("{what}s are counted from 1 to {most}")),
    )
}

/// A number from 1 to the board's size.
fn line_number(r: &mut Resolver<'_>, term: &Term, span: Span, is_row: bool) -> Option<u32> {
    let n = fixed(r, term, span)?;
    let most = if is_row {
        r.board.rows()
    } else {
        r.board.columns()
    };
    match u32::try_from(n) {
        Ok(n) if (1..=most).contains(&n) => Some(n),
        Ok(_) | Err(_) => off_board(r, span, if is_row { "row" } else { "column" }, n, most),
    }
}

fn cell_at(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let ((a, a_span), (b, b_span)) = (g.term(0), g.term(1));
    let (a, b) = (a.clone(), b.clone());
    let column = line_number(r, &a, a_span, false)?;
    let row = line_number(r, &b, b_span, true)?;
    match r.board.cell_at(column, row) {
        Some(c) => Some(Term::Value(Value::Cell(CellExpr::Const(c)))),
        None => r.fail(
            Diagnostic::new(Code::OffBoard, g.span, "the board has no cell there")
                .here("not on the board"),
        ),
    }
}

fn rows(r: &mut Resolver<'_>, g: &Given<'_>, is_row: bool) -> Option<Term> {
    let (term, span) = g.term(0);
    let term = term.clone();
    if let Term::Value(Value::Cell(c)) = &term {
        let c = Box::new(c.clone());
        return Some(Term::Value(Value::Num(if is_row {
            Num::RowOf(c)
        } else {
            Num::ColumnOf(c)
        })));
    }
    let from = line_number(r, &term, span, is_row)?;
    let to = match g.to(0).cloned() {
        Some((t, s)) => line_number(r, &t, s, is_row)?,
        None => from,
    };
    let line = |n| {
        if is_row {
            r.board.row(n)
        } else {
            r.board.column(n)
        }
    };
    let all = (from..=to).fold(BoardCells::EMPTY, |set, n| set | line(n));
    Some(cells(Cells::fixed(all)))
}

fn outer(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let (term, span) = g.term(0);
    let term = term.clone();
    let n = fixed(r, &term, span)?;
    let n = u32::try_from(n.max(0)).unwrap_or(u32::MAX);
    Some(cells(Cells::fixed(r.board.outer(n))))
}

fn adjacent(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let (term, span) = g.term(0);
    let set = r.need_cells(&term.clone(), span)?;
    if !g.has(1) {
        return Some(cells(Cells::Adjacent(Box::new(set))));
    }
    let (term, span) = g.term(1);
    let dirs = r.need_dirs(&term.clone(), span)?;
    if let (Some(fixed), Dirs::Const(d)) = (r.fold_cells(&set), &dirs) {
        let next = fixed.iter().flat_map(|c| {
            d.iter()
                .filter_map(|w| r.board.step(c, w))
                .collect::<Vec<_>>()
        });
        let next: BoardCells = next.collect();
        return Some(cells(Cells::fixed(next.without(fixed))));
    }
    Some(cells(Cells::AdjacentAlong(Box::new(set), Box::new(dirs))))
}

fn axis(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let ((a, a_span), (b, b_span)) = (g.term(0), g.term(1));
    let cell = r.need_cell(&a.clone(), a_span)?;
    let dirs = r.need_dirs(&b.clone(), b_span)?;
    Some(cells(Cells::Axis(Box::new(cell), Box::new(dirs))))
}

fn step(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let ((a, a_span), (b, b_span)) = (g.term(0), g.term(1));
    let cell = r.need_cell(&a.clone(), a_span)?;
    let dir = r.need_dir(&b.clone(), b_span)?;
    Some(Term::Value(Value::Cell(CellExpr::Step(
        Box::new(cell),
        Box::new(dir),
    ))))
}

fn end_of(r: &mut Resolver<'_>, g: &Given<'_>, first: bool) -> Option<Term> {
    let (term, span) = g.term(0);
    if let Term::Value(Value::Run(v)) = term {
        return Some(Term::Value(Value::Cell(if first {
            CellExpr::RunFirst(*v)
        } else {
            CellExpr::RunLast(*v)
        })));
    }
    if let Term::Value(Value::Cell(_)) = term {
        // Of one cell it is both.
        return Some(term.clone());
    }
    let set = Box::new(r.need_cells(&term.clone(), span)?);
    Some(Term::Value(Value::Cell(if first {
        CellExpr::First(set)
    } else {
        CellExpr::Last(set)
    })))
}
