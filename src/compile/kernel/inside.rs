//! Whether a cell is among the cells of all matches of a picture: only the matches through that cell are looked at.

use crate::board::{Board, Cell, Cells as BoardCells, Directions};
use crate::compile::kernel::env::Env;
use crate::compile::kernel::fun::{NO, V};
use crate::compile::kernel::lower::{Cx, Lowerer};
use crate::program::kernel::Bin;
use crate::program::{CellExpr, Cells, Count, Num, Square};

/// The most matches through a cell; with more, all matches on the board are found at once.
const FEW: usize = 6;

/// For each cell the rows of so many cells through it, as many for each: the last one again where there are fewer. Nothing when
/// some cell has none or too many.
fn rows_through(board: &Board, many: usize, ways: Directions) -> Option<Vec<Vec<BoardCells>>> {
    let mut through: Vec<Vec<BoardCells>> = vec![Vec::new(); board.len()];
    for (c, d) in (0..board.len()).flat_map(|c| ways.iter().map(move |d| (c, d))) {
        let first = Some(Cell(c as u16));
        let row: BoardCells = std::iter::successors(first, |c| board.step(*c, d))
            .take(many)
            .collect();
        for cell in row.iter().filter(|_| row.len() == many) {
            let rows = &mut through[cell.index()];
            if !rows.contains(&row) {
                rows.push(row);
            }
            if rows.len() > FEW {
                return None;
            }
        }
    }
    let most = through.iter().map(Vec::len).max()?;
    for rows in &mut through {
        let last = *rows.last()?;
        rows.resize(most, last);
    }
    Some(through)
}

impl<'p> Lowerer<'p> {
    /// Whether a cell is among those that a picture of one run of fixed length gathers.
    pub fn is_gathered(
        &mut self,
        cell: &'p CellExpr,
        set: &'p Cells,
        env: &mut Env,
        cx: Cx,
    ) -> Option<V> {
        let Cells::Gather(what, sub) = set else {
            return None;
        };
        let begin = self.sub(*sub);
        let picture = self.plain_picture(begin, env, cx)?;
        let [
            Square::Cells {
                class,
                fixed: true,
                count: Count::Between(Num::Const(low), Some(Num::Const(high))),
                whole: false,
                bind: Some(bound),
            },
        ] = picture.squares.as_slice()
        else {
            return None;
        };
        if bound != what || low != high || !(1..=8).contains(low) {
            return None;
        }
        let V::K(ways) = self.dirs(&picture.ways, env, cx) else {
            return None;
        };
        let ways = self.one_of_each(picture, Directions(ways));
        let through = rows_through(&self.program.board, *low as usize, ways)?;
        let most = through.first()?.len();
        let name = format!("through {low} {}", ways.0);
        let table = self.rows(&name, |_| through.concat());
        let class = self.cells(class, env, cx);
        let cell = self.cell(cell, env, cx);
        Some(self.at_cell(cell, NO, |l, c| {
            let first = l.f.bin(Bin::Mul, c, V::K(most as u64));
            (0..most).fold(NO, |all, nth| {
                let at = l.f.bin(Bin::Add, first, V::K(nth as u64));
                let row = l.f.row(table, at);
                let whole = l.f.within(row, class);
                l.f.either(all, whole)
            })
        }))
    }
}
