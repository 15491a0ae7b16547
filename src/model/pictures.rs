//! Pictures: squares with classes, counts and names, along a direction.

use crate::base::{Code, Diagnostic, Span};
use crate::model::resolver::Resolver;
use crate::program::{Cells, Count, Dirs, Num, Picture, Square, VarId, VarType};
use crate::syntax::ast::{Count as AstCount, Expr, ExprKind, Line, Name, Square as AstSquare};

/// More counted squares than this make a picture too slow to match.
const MAX_LETTERS: usize = 3;

impl Resolver<'_> {
    /// Resolves a picture; its names are bound in the scope.
    pub fn picture(&mut self, line: &Line) -> Option<Picture> {
        let ways = match &line.ways {
            Some(e) => self.dirs(e)?,
            None => Dirs::Const(self.board.all()),
        };
        let way = line.way.as_ref().map(|n| self.bind(n, VarType::Direction));
        let mut bound: Vec<VarId> = way.into_iter().collect();
        let mut squares = Vec::new();
        let mut letters = 0;
        for (at, square) in line.squares.iter().enumerate() {
            let resolved = if square.edge {
                if at + 1 < line.squares.len() || at == 0 {
                    self.report(
                        Diagnostic::new(Code::Misplaced, square.span, "`edge` ends a picture")
                            .here("something follows, or nothing precedes"),
                    );
                }
                Square::Edge
            } else {
                self.square(square, &mut bound, &mut letters)?
            };
            squares.push(resolved);
        }
        if letters > MAX_LETTERS {
            return self.fail(
                Diagnostic::new(Code::TooLong, line.span, "the picture has too many counts")
                    .here(format!("more than {MAX_LETTERS} letters count something"))
                    .help("split it into two pictures"),
            );
        }
        let picture = Picture { ways, way, squares };
        self.lint_ways(line, &picture);
        Some(picture)
    }

    fn square(
        &mut self,
        square: &AstSquare,
        bound: &mut Vec<VarId>,
        letters: &mut usize,
    ) -> Option<Square> {
        let count = match &square.count {
            None => Count::One,
            Some(AstCount::Exactly(e)) => self.exact_count(e, bound, letters)?,
            Some(AstCount::Range(low, high)) => {
                let low_num = self.number(low)?;
                let high_num = match high {
                    Some(h) => Some(self.number(h)?),
                    None => None,
                };
                if let Some(high) = &high_num {
                    self.not_empty((&low_num, high), square.span, "the count is empty");
                }
                Count::Between(low_num, high_num)
            }
        };
        let class = self.cells(square.class.as_ref()?)?;
        let fixed = !crate::program::cells_vars(&class).may_read(|v| bound.contains(&v));
        let counted = count != Count::One;
        if square.whole && !counted {
            self.report(
                Diagnostic::new(
                    Code::Misplaced,
                    square.span,
                    "`whole` speaks of a run of cells",
                )
                .here("this is one cell")
                .help("give it a count, such as `whole 1..`"),
            );
        }
        let bind = square
            .name
            .as_ref()
            .map(|name| self.bind_square(name, counted, &class));
        bound.extend(bind);
        Some(Square::Cells {
            class,
            fixed,
            count,
            whole: square.whole,
            bind,
        })
    }

    /// Complains of a square of fewer cells than none.
    fn not_below_none(&mut self, many: &Num, span: Span) {
        if let Num::Const(n) = many
            && *n < 0
        {
            let d = Diagnostic::new(
                Code::NeverHolds,
                span,
                format!("the square is to be {n} cells"),
            );
            let d = d.here("no line has a square of fewer than none");
            self.report(d.help("between the least and the most stand two dots: `0..2 empty`"));
        }
    }

    fn bind_square(&mut self, name: &Name, counted: bool, class: &Cells) -> VarId {
        let id = self.bind(name, if counted { VarType::Run } else { VarType::Cell });
        if !counted {
            self.lints.class_of(id, class);
        }
        id
    }

    fn exact_count(
        &mut self,
        e: &Expr,
        bound: &mut Vec<VarId>,
        letters: &mut usize,
    ) -> Option<Count> {
        if let ExprKind::Name(text) = &e.kind
            && text.len() == 1
            && !self.scope.iter().any(|l| l.name == *text)
        {
            let name = Name {
                text: text.clone(),
                span: e.span,
            };
            if self.letter_is_taken(text, e.span) {
                let n = self.number(e)?;
                return Some(Count::Between(n.clone(), Some(n)));
            }
            let id = self.bind(&name, VarType::Number);
            bound.push(id);
            *letters += 1;
            self.lints.letter(id, e.span, text);
            return Some(Count::New(id));
        }
        let n = self.number(e)?;
        self.not_below_none(&n, e.span);
        Some(Count::Between(n.clone(), Some(n)))
    }

    /// Whether a single letter is a name of the file, which is warned about.
    fn letter_is_taken(&mut self, text: &str, span: Span) -> bool {
        let taken = self.options.has(text)
            || self.kept.contains_key(text)
            || self.defines.iter().any(|d| d.name.text == text);
        if taken {
            self.report(
                Diagnostic::new(
                    Code::CountShadows,
                    span,
                    format!("`{text}` is a name of the file, so it counts that many"),
                )
                .here("not a new count")
                .help("use another letter for a count of any length"),
            );
        }
        taken
    }
}
