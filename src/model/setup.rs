//! The setup: statements, or a drawing with one glyph a cell.

use crate::base::{Code, Diagnostic, Span};
use crate::board::Cell;
use crate::model::resolver::Resolver;
use crate::model::{Block, Step};
use crate::program::{CellExpr, Cells, Effect, KindExpr, KindId, Num, PlayerExpr, PlayerId, SubId};
use crate::syntax::ast::{File, ItemKind, Name};

impl Resolver<'_> {
    /// The setup as a block: a drawing, statements, or both; empty when the file has none.
    pub fn setup(&mut self, file: &File) -> SubId {
        let mut block: Block = Vec::new();
        let mut block_at: Option<Span> = None;
        let mut drawing_at: Option<Span> = None;
        for item in &file.items {
            let again = match &item.kind {
                ItemKind::Setup(_) => block_at,
                ItemKind::Drawing(_) => drawing_at,
                _ => None,
            };
            if let Some(first) = again {
                self.report(
                    Diagnostic::new(Code::RepeatedItem, item.span, "the game has two setups")
                        .here("again here")
                        .and(first, "first here"),
                );
            }
            match &item.kind {
                ItemKind::Setup(statements) => {
                    block_at = Some(item.span);
                    self.in_setup = true;
                    block.extend(self.scoped(|r| r.block(statements)));
                    self.in_setup = false;
                }
                ItemKind::Drawing(glyphs) => {
                    drawing_at = Some(item.span);
                    self.drawing(glyphs, item.span, &mut block);
                }
                _ => {}
            }
        }
        self.new_block(block)
    }

    fn drawing(&mut self, glyphs: &[Name], span: Span, out: &mut Block) -> Option<()> {
        let cells: Vec<Cell> = self.board.rows_top_down().into_iter().flatten().collect();
        if cells.len() != glyphs.len() {
            let rows = self.board.rows_top_down();
            let widths: Vec<String> = rows.iter().map(|r| r.len().to_string()).collect();
            return self.fail(
                Diagnostic::new(
                    Code::BadDrawing,
                    span,
                    format!(
                        "the drawing has {} signs, the board {} cells",
                        glyphs.len(),
                        cells.len()
                    ),
                )
                .here("one sign a cell, the top row first")
                .help(format!(
                    "the rows have, from the top, {} cells",
                    widths.join(" ")
                )),
            );
        }
        for (cell, glyph) in cells.into_iter().zip(glyphs) {
            for (kind, owner) in self.glyph(glyph)? {
                let at = Cells::Single(Box::new(CellExpr::Const(cell)));
                let owner = owner.map(PlayerExpr::Const);
                let effect = Effect::Place {
                    kind: KindExpr::Const(kind),
                    owner,
                    at,
                    times: Num::Const(1),
                };
                out.push((glyph.span, Step::Effect(effect)));
            }
        }
        Some(())
    }

    /// The pieces that a glyph stands for, from the bottom.
    fn glyph(&mut self, glyph: &Name) -> Option<Vec<(KindId, Option<PlayerId>)>> {
        let text = glyph.text.as_str();
        if text == "." {
            return Some(Vec::new());
        }
        let inner = text
            .strip_prefix('(')
            .and_then(|t| t.strip_suffix(')'))
            .unwrap_or(text);
        let pieces = crate::program::read_pieces(inner, &self.kinds, self.players.len());
        match pieces {
            Ok(pieces) if pieces.len() <= 1 || self.stacking => Some(pieces),
            Ok(_) => self.fail(
                Diagnostic::new(
                    Code::BadDrawing,
                    glyph.span,
                    "the board holds one piece a cell",
                )
                .here("a stack")
                .help("add `stacking` to the board's line"),
            ),
            Err(error) if error.count => self.fail(
                Diagnostic::new(
                    Code::BadDrawing,
                    glyph.span,
                    format!(
                        "the number behind `{}` begins with 0 or is too large",
                        error.written()
                    ),
                )
                .here("so many pieces")
                .help(format!("it counts from 1 to {}", crate::program::MOST)),
            ),
            Err(error) => {
                let sign = error.written();
                let list: Vec<String> = self.kinds.iter().map(|k| k.letter.to_string()).collect();
                self.fail(
                    Diagnostic::new(Code::BadDrawing, glyph.span, format!("no piece has the sign `{sign}`"))
                        .here("not a piece")
                        .help(format!("the signs are {}: upper case for the first player, lower case for the second; `.` is an empty cell", list.join(" "))),
                )
            }
        }
    }
}
