//! The rights to castle: letters such as `KQkq` in, the cells of the pieces that they are about out, and back.

use crate::board::Cell;
use crate::engine::{Engine, Position};
use crate::program::{KindId, PlayerId};

/// The letters that FEN fixes, of the piece that castles and of its partner.
const CHIEF: char = 'K';
const TOWER: char = 'R';

/// Who may castle: a piece that castles, and its partners on the same row.
pub(super) struct Rights<'e> {
    engine: &'e Engine,
    position: &'e Position,
}

impl<'e> Rights<'e> {
    pub(super) fn new(engine: &'e Engine, position: &'e Position) -> Rights<'e> {
        Rights { engine, position }
    }

    fn holds(&self, cell: Cell, player: PlayerId, letter: char) -> bool {
        let kinds = &self.engine.program().kinds;
        let piece = self.engine.stack(self.position, cell);
        piece.last().is_some_and(|p| {
            let KindId(kind) = p.kind;
            p.owner == Some(player) && kinds[usize::from(kind)].letter == letter
        })
    }

    /// The row on which the one piece of a player stands that castles, from the left, and its place there.
    fn home(&self, player: PlayerId) -> Option<(Vec<Cell>, usize)> {
        let rows = self.engine.program().board.rows_top_down();
        let mut found = rows.iter().flat_map(|row| {
            let at = (0..row.len()).filter(|at| self.holds(row[*at], player, CHIEF));
            at.map(|at| (row.clone(), at))
        });
        let one = found.next();
        one.filter(|_| found.next().is_none())
    }

    /// The partners of a player from the left, as places on the row, with the place of the one that castles.
    fn towers(&self, player: PlayerId) -> Option<(Vec<Cell>, usize, Vec<usize>)> {
        let (row, chief) = self.home(player)?;
        let towers = (0..row.len()).filter(|at| self.holds(row[*at], player, TOWER));
        let towers = towers.collect();
        Some((row, chief, towers))
    }

    /// The letters for a list of cells.
    pub(super) fn letters(&self, cells: &str) -> String {
        let board = &self.engine.program().board;
        let marked: Vec<Cell> = cells
            .split(',')
            .filter_map(|name| board.cell_named(name))
            .collect();
        let mut out = String::new();
        for player in [PlayerId(0), PlayerId(1)] {
            let Some((row, chief, towers)) = self.towers(player) else {
                continue;
            };
            if !marked.contains(&row[chief]) {
                continue;
            }
            // The right side is told first.
            for tower in towers.iter().rev().copied() {
                if !marked.contains(&row[tower]) {
                    continue;
                }
                let letter = if towers.last() == Some(&tower) && tower > chief {
                    'K'
                } else if towers.first() == Some(&tower) && tower < chief {
                    'Q'
                } else {
                    let column = u8::try_from(tower).unwrap_or(0);
                    char::from(b'A'.saturating_add(column))
                };
                out.push(if player == PlayerId(0) {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                });
            }
        }
        out
    }

    /// The cells for a list of letters, joined by commas; empty for none.
    pub(super) fn cells(&self, letters: &str) -> Result<String, String> {
        if letters == "-" {
            return Ok(String::new());
        }
        let mut found: Vec<Cell> = Vec::new();
        for letter in letters.chars() {
            let player = PlayerId(u8::from(letter.is_ascii_lowercase()));
            let wrong = || {
                format!(
                    "`{letter}` is no right to castle here: write `KQkq`, those that are left, or `-`"
                )
            };
            let (row, chief, towers) = self.towers(player).ok_or_else(wrong)?;
            let tower = match letter.to_ascii_uppercase() {
                'K' => towers.last().copied().filter(|at| *at > chief),
                'Q' => towers.first().copied().filter(|at| *at < chief),
                other => towers.iter().copied().find(|at| {
                    u32::try_from(*at).is_ok_and(|at| u32::from('A') + at == u32::from(other))
                }),
            };
            let tower = tower.ok_or_else(wrong)?;
            for cell in [row[chief], row[tower]] {
                if !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
        found.sort_unstable();
        let board = &self.engine.program().board;
        let names: Vec<&str> = found.iter().map(|cell| board.name(*cell)).collect();
        Ok(names.join(","))
    }
}
