//! The board's line: shape, removed cells, joining directions, stacks.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::board::{Board, BoardError, GraphLine, GraphSpec, Wrap};
use crate::model::resolver::{Resolver, missing};
use crate::model::written::source_of;
use crate::program::Dirs;
use crate::syntax::ast::{
    Argument, Board as BoardItem, BoardClause, Expr, File, GraphLine as AstLine, ItemKind, Name,
    Shape,
};

/// The shapes, with the names of their sizes.
pub const SHAPES: &[(&str, &str, &str)] = &[
    (
        "square",
        "columns, rows",
        "squares in columns and rows, eight directions",
    ),
    (
        "triangles",
        "width, side",
        "the points of triangles in a hexagon, six directions",
    ),
    (
        "hexagons",
        "width, side",
        "hexagons in a hexagon, six directions",
    ),
    (
        "rhombus",
        "columns, rows",
        "hexagons in a rhombus, six directions",
    ),
];

/// What shapes are also called.
const ALIASES: &[(&str, &str)] = &[
    ("hexhex", "hexagons"),
    ("hexagonal", "hexagons"),
    ("triangular", "triangles"),
    ("grid", "square"),
    ("rect", "square"),
    ("rectangle", "square"),
    ("rectangular", "square"),
    ("checkerboard", "square"),
    ("chessboard", "square"),
    ("diamond", "rhombus"),
    ("parallelogram", "rhombus"),
];

impl Resolver<'_> {
    /// Builds the board; nothing when that cannot be done.
    pub fn board(&mut self, file: &File) -> Option<()> {
        let mut boards = file.items.iter().filter_map(|i| {
            if let ItemKind::Board(b) = &i.kind {
                Some((i.span, b))
            } else {
                None
            }
        });
        let Some((span, item)) = boards.next() else {
            // A board line that could not be read has been reported already.
            if !self.diagnostics.has_errors() {
                self.report(missing("board", "board square(8, 8)"));
            }
            return None;
        };
        if let Some((again, _)) = boards.next() {
            self.report(
                Diagnostic::new(Code::RepeatedItem, again, "the game has two boards")
                    .here("again here")
                    .and(span, "first here"),
            );
        }
        let wrap = self.wrap(item)?;
        self.board = match &item.shape {
            Shape::Named { name, args } => self.shape(name, args, wrap)?,
            Shape::Graph { lines, cells } => self.graph(lines, cells, span)?,
        };
        self.clauses(item)
    }

    /// Puts another board in the place of one that cannot be built, so that names can be looked at; those of its own
    /// cells and directions are not known then.
    pub fn stand_in(&mut self, file: &File) {
        self.board_known = false;
        self.board = Board::square(8, 8, Wrap::None).unwrap_or_else(|_| self.board.clone());
        for item in &file.items {
            let ItemKind::Board(BoardItem {
                shape: Shape::Graph { lines, cells },
                ..
            }) = &item.kind
            else {
                continue;
            };
            let points = lines.iter().flat_map(|l| l.ways.iter().chain(&l.cells));
            self.broken
                .extend(points.chain(cells).map(|n| n.text.clone()));
        }
    }

    fn wrap(&mut self, item: &BoardItem) -> Option<Wrap> {
        let mut wrap = Wrap::None;
        for clause in &item.clauses {
            let BoardClause::Wrapping(name) = clause else {
                continue;
            };
            wrap = match (name.text.as_str(), wrap) {
                ("columns", Wrap::Rows | Wrap::Both) | ("rows", Wrap::Columns | Wrap::Both) => {
                    Wrap::Both
                }
                ("columns", _) => Wrap::Columns,
                ("rows", _) => Wrap::Rows,
                _ => {
                    return self.fail(
                        Diagnostic::new(Code::BadBoard, name.span, "only `columns` or `rows` wrap")
                            .here("not a way to wrap")
                            .help("with `wrapping columns` one leaves at the right and comes in at the left"),
                    );
                }
            };
        }
        Some(wrap)
    }

    fn shape(&mut self, name: &Name, args: &[Argument], wrap: Wrap) -> Option<Board> {
        let Some((shape, sizes, _)) = SHAPES.iter().find(|s| s.0 == name.text) else {
            let names: Vec<&str> = SHAPES.iter().map(|s| s.0).collect();
            let d = Diagnostic::new(
                Code::UnknownShape,
                name.span,
                format!("no board has the shape `{}`", name.text),
            )
            .here("not a shape");
            let known = ALIASES.iter().find(|(other, _)| *other == name.text);
            let begun = |shape: &&&str| name.text.len() > 2 && shape.starts_with(&name.text);
            let meant = known
                .map(|alias| alias.1)
                .or_else(|| names.iter().find(begun).copied());
            return self.fail(
                match meant.or_else(|| nearest(&name.text, names.iter().copied())) {
                    Some(near) => d.help(format!("did you mean `{near}`?")).repair(near),
                    None => d.help(format!(
                        "the shapes are {}, and `graph {{ … }}`",
                        names.join(", ")
                    )),
                },
            );
        };
        let [first, second] = args else {
            let apart = |both: &Argument| {
                let source = source_of(&both.value);
                match *source.split_whitespace().collect::<Vec<_>>() {
                    [a, b] | [a, "x" | "X" | "by" | "*", b] => Some(format!("{a}, {b}")),
                    _ => None,
                }
            };
            if let [both] = args
                && let Some(meant) = apart(both)
            {
                let d = Diagnostic::new(
                    Code::WrongCount,
                    both.value.span,
                    format!("`{shape}` takes two sizes: {sizes}"),
                );
                let d = d.here("no comma between them");
                return self.fail(d.help("sizes are told apart by a comma").repair(meant));
            }
            let size = args
                .first()
                .map_or_else(|| "8".to_owned(), |size| source_of(&size.value));
            return self.fail(
                Diagnostic::new(
                    Code::WrongCount,
                    name.span,
                    format!("`{shape}` takes two sizes: {sizes}"),
                )
                .here(format!("{} given", args.len()))
                .help(format!("write, for example, `{shape}({size}, {size})`")),
            );
        };
        let (a, b) = (self.size(&first.value)?, self.size(&second.value)?);
        if wrap != Wrap::None && *shape != "square" {
            return self.bad_board(
                name.span,
                &format!("only squares can wrap, found `{shape}`"),
                "does not wrap",
                "leave `wrapping` out, or use `square`",
            );
        }
        let built = match *shape {
            "square" => Board::square(a, b, wrap),
            "triangles" => Board::triangles(a, b),
            "hexagons" => Board::hexagons(a, b),
            _ => Board::rhombus(a, b),
        };
        let span = first.value.span.to(second.value.span);
        built.map_err(|e| self.board_error(&e, span)).ok()
    }

    fn size(&mut self, e: &Expr) -> Option<u32> {
        let n = self.fixed_number(e)?;
        match u32::try_from(n) {
            Ok(n) if n > 0 => Some(n),
            Ok(_) | Err(_) => self.bad_board(
                e.span,
                &format!("a board cannot have a size of {n}"),
                "less than 1",
                "write a number of 1 or more",
            ),
        }
    }

    fn bad_board<T>(&mut self, span: Span, message: &str, here: &str, help: &str) -> Option<T> {
        self.fail(
            Diagnostic::new(Code::BadBoard, span, message)
                .here(here)
                .help(help),
        )
    }

    fn board_error(&mut self, error: &BoardError, span: Span) {
        let d = Diagnostic::new(Code::BadBoard, span, error.to_string())
            .here("this board cannot be built");
        let d = match error {
            BoardError::TooLarge { .. } => d.help(format!(
                "a board may have {} cells",
                crate::board::MAX_CELLS
            )),
            BoardError::IntoRing { .. } => d.help(
                "give the way to the ring a line of its own, with the name of another direction",
            ),
            _ => d,
        };
        self.report(d);
    }

    fn graph(&mut self, lines: &[AstLine], cells: &[Name], span: Span) -> Option<Board> {
        let text = |n: &Name| n.text.clone();
        let spec = GraphSpec {
            cells: cells.iter().map(text).collect(),
            lines: lines
                .iter()
                .map(|l| GraphLine {
                    cells: l.cells.iter().map(text).collect(),
                    forth: l.ways.first().map(text),
                    back: l.ways.get(1).map(text),
                    one_way: l.ways.len() == 1,
                })
                .collect(),
        };
        Board::graph(&spec)
            .map_err(|e| self.board_error(&e, place_of(&e, lines, cells).unwrap_or(span)))
            .ok()
    }

    fn clauses(&mut self, item: &BoardItem) -> Option<()> {
        for clause in &item.clauses {
            match clause {
                BoardClause::Only(e) => {
                    let keep = self.fixed_cells(e)?;
                    self.restrict(keep, e.span)?;
                }
                BoardClause::Without(e) => {
                    let keep = self.board.cells().without(self.fixed_cells(e)?);
                    self.restrict(keep, e.span)?;
                }
                BoardClause::Stacking(_) => self.stacking = true,
                BoardClause::Joined(_) | BoardClause::Wrapping(_) => {}
            }
        }
        for clause in &item.clauses {
            let BoardClause::Joined(e) = clause else {
                continue;
            };
            match self.dirs(e)? {
                Dirs::Const(d) if !d.is_empty() => self.board.set_joined(d),
                Dirs::Const(_) => {
                    return self.bad_board(
                        e.span,
                        "the board has no such directions",
                        "none of these",
                        "write `orthogonal` or `diagonal`, or names of directions",
                    );
                }
                _ => return self.not_fixed("the joining directions", e.span),
            }
        }
        Some(())
    }

    fn restrict(&mut self, keep: crate::board::Cells, span: Span) -> Option<()> {
        match self.board.restrict(&keep) {
            Ok(board) => {
                self.cut |= board.len() < self.board.len();
                self.board = board;
                Some(())
            }
            Err(e) => {
                self.board_error(&e, span);
                None
            }
        }
    }
}

/// Where in a graph something is wrong.
fn place_of(error: &BoardError, lines: &[AstLine], cells: &[Name]) -> Option<Span> {
    let points = || lines.iter().flat_map(|l| l.cells.iter());
    match error {
        BoardError::UnknownCell(name) => points().find(|n| n.text == *name).map(|n| n.span),
        BoardError::RepeatedCell(name) => {
            let again = |list: &[Name]| {
                list.iter()
                    .filter(|n| n.text == *name)
                    .nth(1)
                    .map(|n| n.span)
            };
            lines
                .iter()
                .find_map(|l| again(&l.cells))
                .or_else(|| again(cells))
        }
        BoardError::ShortLine => lines
            .iter()
            .filter(|l| l.cells.len() < 2)
            .find_map(|l| l.cells.first())
            .map(|n| n.span),
        BoardError::TwoLinks { cell, direction } | BoardError::IntoRing { cell, direction } => {
            let named = |l: &&AstLine| l.ways.iter().any(|way| way.text == *direction);
            let mut ways = lines.iter().filter(named).flat_map(|l| l.cells.iter());
            let last = ways.rfind(|n| n.text == *cell);
            let last = last.or_else(|| points().rfind(|n| n.text == *cell));
            last.map(|n| n.span)
        }
        BoardError::TwoOpposites { direction } => lines
            .iter()
            .rev()
            .flat_map(|l| l.ways.iter())
            .find(|n| n.text == *direction)
            .map(|n| n.span),
        BoardError::TooLarge { .. }
        | BoardError::Empty
        | BoardError::TooManyDirections
        | BoardError::NoLeaps
        | BoardError::ZeroLeap => None,
    }
}
