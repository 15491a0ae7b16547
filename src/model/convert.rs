//! Terms, what an expression means before its type is asked for, and their conversion to the type that is needed.
//! Cells, runs and groups stand for sets of cells, a direction for a set of directions; nothing else converts.

use crate::base::{Code, Diagnostic, Span};
use crate::model::options::Choice;
use crate::model::resolver::Resolver;
use crate::program::{
    CellExpr, Cells, DirExpr, Dirs, KindExpr, Num, PlayerExpr, Truth, Value, VarId, still_cells,
};
use crate::syntax::ast::{Expr, ExprKind};

/// What an expression means.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A value of the game.
    Value(Value),
    /// An option that may be a word.
    Choice(Choice),
    /// The top piece of a cell.
    Top(CellExpr),
    /// All players in order.
    Players,
}

impl Term {
    /// The type in a designer's words.
    pub fn type_name(&self) -> &'static str {
        match self {
            Term::Value(value) => match value {
                Value::Num(_) => "a number",
                Value::Truth(_) => "a truth",
                Value::Cell(_) => "a cell",
                Value::Cells(_) => "a set of cells",
                Value::Groups(_) => "groups",
                Value::Run(_) => "a run of cells",
                Value::Dir(_) => "a direction",
                Value::Dirs(_) => "a set of directions",
                Value::Player(_) => "a player",
                Value::Kind(_) => "a piece kind",
            },
            Term::Choice(_) => "an option's word",
            Term::Top(_) => "a piece",
            Term::Players => "the players",
        }
    }

    /// As a set of cells, when it stands for one.
    pub fn as_cells(&self) -> Option<Cells> {
        match self {
            Term::Value(Value::Cells(c) | Value::Groups(c)) => Some(c.clone()),
            Term::Value(Value::Cell(c)) => Some(Cells::Single(Box::new(c.clone()))),
            Term::Value(Value::Run(v)) => Some(Cells::Run(*v)),
            Term::Value(Value::Kind(k)) => Some(Cells::Kind(k.clone())),
            Term::Value(
                Value::Num(_) | Value::Truth(_) | Value::Dir(_) | Value::Dirs(_) | Value::Player(_),
            )
            | Term::Choice(_)
            | Term::Top(_)
            | Term::Players => None,
        }
    }

    /// As a set of directions, when it stands for one.
    pub fn as_dirs(&self) -> Option<Dirs> {
        match self {
            Term::Value(Value::Dirs(d)) => Some(d.clone()),
            Term::Value(Value::Dir(DirExpr::Const(d))) => {
                Some(Dirs::Const(crate::board::Directions::single(*d)))
            }
            Term::Value(Value::Dir(d)) => Some(Dirs::Single(d.clone())),
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => None,
        }
    }

    /// As a truth, when it is one; an option `on`, `off`, `yes`, `no` counts.
    pub fn as_truth(&self) -> Option<Truth> {
        match self {
            Term::Value(Value::Truth(t)) => Some(t.clone()),
            Term::Choice(c) => match c.word.as_deref() {
                Some("yes" | "on") => Some(Truth::Const(true)),
                Some("no" | "off") => Some(Truth::Const(false)),
                _ => None,
            },
            Term::Value(_) | Term::Top(_) | Term::Players => None,
        }
    }
}

/// A fixed number.
pub fn number(n: i64) -> Term {
    Term::Value(Value::Num(Num::Const(n)))
}

/// A set of cells.
pub fn cells(c: Cells) -> Term {
    Term::Value(Value::Cells(c))
}

/// A truth.
pub fn truth(t: Truth) -> Term {
    Term::Value(Value::Truth(t))
}

impl Resolver<'_> {
    /// Complains that one type was needed and another found.
    pub fn wrong_type<T>(&mut self, needed: &str, found: &Term, span: Span) -> Option<T> {
        let d = Diagnostic::new(
            Code::WrongType,
            span,
            format!("expected {needed}, found {}", found.type_name()),
        )
        .here(format!("this is {}", found.type_name()));
        let d = match (needed, found) {
            ("a direction", Term::Value(Value::Dirs(_))) => d.help("choose one of them: `choose way in …`; the cells next to others along all of them are `adjacent(own, forward)`; what `if … then … else …` gives of directions is a set"),
            ("a piece kind", t) if t.as_cells().is_some() => d.help("a kind gets a name by `choose k in man, king`; where a condition decides, write `if … { place king at c } else { place man at c }`"),
            ("a truth", Term::Value(Value::Cell(_))) => d.help("ask where it lies: `… in …`, or compare it: `… = …`"),
            ("a truth", t) if t.as_cells().is_some() => {
                Diagnostic::new(Code::SetOrTruth, span, "expected a truth, found a set of cells")
                    .here("this is a set of cells")
                    .help("to ask whether it has members, write `some …` or `no …` before it")
            }
            ("a set of cells" | "a cell", Term::Value(Value::Truth(Truth::Contains(..)))) => {
                Diagnostic::new(Code::SetOrTruth, span, format!("expected {needed}, found a truth"))
                    .here("this asks whether a cell lies in a set")
                    .help("the cell, where it does, and none where it does not: `enemy and victim` for `victim in enemy`")
            }
            ("a set of cells" | "a cell", Term::Value(Value::Truth(_))) => {
                Diagnostic::new(Code::SetOrTruth, span, format!("expected {needed}, found a truth"))
                    .here("this is a truth")
                    .help("put the set that is meant in brackets")
            }
            ("a cell", Term::Value(Value::Run(_))) => d.help("take its `first of …` or `last of …`"),
            ("a cell", t) if t.as_cells().is_some() => d.help("`choose x in …` picks one of its cells; `first of …` takes the first"),
            ("a number", Term::Value(Value::Cell(_))) => d.help("of a cell, `row of …`, `column of …` and `height of …` are numbers"),
            ("a truth", Term::Value(Value::Num(_))) => d.help("compare it: `… > 0`"),
            ("a set of cells", t) if t.as_dirs().is_some() => d.help("cells next to others are `adjacent(…, directions)`; directions stand before a picture: `line … [ … ]`"),
            ("directions", Term::Value(Value::Cells(all))) if all.as_fixed() == Some(&self.board.cells()) => d.help("all directions are meant where none stand before the picture: `line [ … ]`; they are called `directions`").repair("directions"),
            ("a player", Term::Value(Value::Kind(_))) => d.help("write `me`, `them` or a player's name"),
            ("a run of cells, as a picture binds it with a count", Term::Value(Value::Cell(_))) => d.help("for one cell, use `move … to …`"),
            ("a number", t) if t.as_dirs().is_some() => d.help("a letter is a number behind the square that counts with it: `[ n own as run | 1..n empty as path ]`"),
            ("a number", t) if t.as_cells().is_some() => d.help("`count of …` tells how many cells a set has"),
            (_, Term::Choice(c)) => d.help(format!("the option `{}` is `{}` here; compare it: `{} = …`", c.option, c.text(), c.option)),
            _ => d,
        };
        self.fail(d)
    }

    /// A term as a set of cells.
    pub fn need_cells(&mut self, term: &Term, span: Span) -> Option<Cells> {
        match term.as_cells() {
            Some(c) => Some(c),
            None => self.wrong_type("a set of cells", term, span),
        }
    }

    /// A term as a number.
    pub fn need_number(&mut self, term: &Term, span: Span) -> Option<Num> {
        match term {
            Term::Value(Value::Num(n)) => Some(n.clone()),
            Term::Choice(c) if c.number.is_some() => c.number.map(Num::Const),
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => {
                self.wrong_type("a number", term, span)
            }
        }
    }

    /// A term as a truth.
    pub fn need_truth(&mut self, term: &Term, span: Span) -> Option<Truth> {
        match term.as_truth() {
            Some(t) => Some(t),
            None => self.wrong_type("a truth", term, span),
        }
    }

    /// A term as a cell.
    pub fn need_cell(&mut self, term: &Term, span: Span) -> Option<CellExpr> {
        match term {
            Term::Value(Value::Cell(c)) => Some(c.clone()),
            // A fixed set of one cell is that cell.
            Term::Value(Value::Cells(Cells::Const(set))) if set.len() == 1 => {
                set.first().map(CellExpr::Const)
            }
            Term::Value(Value::Cells(c @ Cells::ByPlayer(sets, _)))
                if sets.iter().all(|s| s.len() == 1) =>
            {
                Some(CellExpr::First(Box::new(c.clone())))
            }
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => {
                self.wrong_type("a cell", term, span)
            }
        }
    }

    /// A term as a set of directions.
    pub fn need_dirs(&mut self, term: &Term, span: Span) -> Option<Dirs> {
        match term.as_dirs() {
            Some(d) => Some(d),
            None => self.wrong_type("directions", term, span),
        }
    }

    /// A term as one direction.
    pub fn need_dir(&mut self, term: &Term, span: Span) -> Option<DirExpr> {
        match term {
            Term::Value(Value::Dir(d)) => Some(d.clone()),
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => {
                self.wrong_type("a direction", term, span)
            }
        }
    }

    /// A term as a player.
    pub fn need_player(&mut self, term: &Term, span: Span) -> Option<PlayerExpr> {
        match term {
            Term::Value(Value::Player(p)) => Some(p.clone()),
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => {
                self.wrong_type("a player", term, span)
            }
        }
    }

    /// A term as a piece kind.
    pub fn need_kind(&mut self, term: &Term, span: Span) -> Option<KindExpr> {
        match term {
            Term::Value(Value::Kind(k)) => Some(k.clone()),
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => {
                self.wrong_type("a piece kind", term, span)
            }
        }
    }

    /// A term as a run, which only a name bound in a picture is.
    pub fn need_run(&mut self, term: &Term, span: Span) -> Option<VarId> {
        match term {
            Term::Value(Value::Run(v)) => Some(*v),
            Term::Value(_) | Term::Choice(_) | Term::Top(_) | Term::Players => self.wrong_type(
                "a run of cells, as a picture binds it with a count",
                term,
                span,
            ),
        }
    }

    /// An expression as a set of cells.
    pub fn cells(&mut self, e: &Expr) -> Option<Cells> {
        let term = self.term(e)?;
        self.need_cells(&term, e.span)
    }

    /// An expression as a number.
    pub fn number(&mut self, e: &Expr) -> Option<Num> {
        let term = self.term(e)?;
        self.need_number(&term, e.span)
    }

    /// An expression as a truth.
    pub fn truth(&mut self, e: &Expr) -> Option<Truth> {
        self.truth_said(e, false)
    }

    /// An expression as a truth about `it`, a cell.
    pub fn truth_of_it(&mut self, e: &Expr) -> Option<Truth> {
        self.truth_said(e, true)
    }

    fn truth_said(&mut self, e: &Expr, of_it: bool) -> Option<Truth> {
        let term = self.term(e)?;
        let is_set = term.as_truth().is_none()
            && term.as_cells().is_some()
            && !matches!(term, Term::Value(Value::Cell(_)));
        if is_set {
            let text = crate::model::written::source_of(e);
            let simple = matches!(e.kind, ExprKind::Name(_) | ExprKind::Call { .. });
            // Who denies a set means that it has no members.
            let denied = ["none ", "not "].iter().find_map(|w| text.strip_prefix(w));
            let in_brackets =
                |set: &str| set.starts_with('(') && set.find(')') == Some(set.len() - 1);
            let repair = match denied {
                Some(set) if of_it => format!("it not in {set}"),
                None if of_it && simple => format!("it in {text}"),
                None if of_it => format!("it in ({text})"),
                Some(set) if set.contains(' ') && !in_brackets(set) => format!("no ({set})"),
                Some(set) => format!("no {set}"),
                None if simple => format!("some {text}"),
                None => format!("some ({text})"),
            };
            return self.fail(
                Diagnostic::new(
                    Code::SetOrTruth,
                    e.span,
                    "expected a truth, found a set of cells",
                )
                .here("this is a set of cells")
                .help(match of_it {
                    true => "to ask whether a cell is one of these, write `it in …`; to ask whether there are any, `some …` or `no …`",
                    false => "to ask whether it has members, write `some …` or `no …` before it",
                })
                .repair(repair),
            );
        }
        self.need_truth(&term, e.span)
    }

    /// An expression as a cell.
    pub fn cell(&mut self, e: &Expr) -> Option<CellExpr> {
        let term = self.term(e)?;
        self.need_cell(&term, e.span)
    }

    /// An expression as a set of directions.
    pub fn dirs(&mut self, e: &Expr) -> Option<Dirs> {
        let term = self.term(e)?;
        self.need_dirs(&term, e.span)
    }

    /// An expression as a player.
    pub fn player(&mut self, e: &Expr) -> Option<PlayerExpr> {
        let term = self.term(e)?;
        self.need_player(&term, e.span)
    }

    /// An expression as a piece kind.
    pub fn kind(&mut self, e: &Expr) -> Option<KindExpr> {
        let term = self.term(e)?;
        self.need_kind(&term, e.span)
    }

    /// An expression that must be a fixed number.
    pub fn fixed_number(&mut self, e: &Expr) -> Option<i64> {
        match self.number(e)? {
            Num::Const(n) => Some(n),
            _ => self.not_fixed("a number", e.span),
        }
    }

    /// An expression that must be a fixed set of cells.
    pub fn fixed_cells(&mut self, e: &Expr) -> Option<crate::board::Cells> {
        let set = self.cells(e)?;
        match self.fold_cells(&set) {
            Some(set) => Some(set),
            None => self.not_fixed("a set of cells", e.span),
        }
    }

    /// A set that is known before play begins.
    pub fn fold_cells(&self, set: &Cells) -> Option<crate::board::Cells> {
        still_cells(&self.board, set)
    }

    /// The cells of a set for which a test holds; known now if they are the same in every position.
    pub fn cells_where(&self, set: Cells, it: VarId, test: Truth) -> Cells {
        let filtered = Cells::Where(Box::new(set), it, Box::new(test));
        match self.fold_cells(&filtered).filter(|_| self.board_known) {
            Some(fixed) => Cells::fixed(fixed),
            None => filtered,
        }
    }

    /// Complains that something depends on the position.
    pub fn not_fixed<T>(&mut self, what: &str, span: Span) -> Option<T> {
        self.fail(
            Diagnostic::new(
                Code::NotFixed,
                span,
                format!("{what} must be known here before play begins"),
            )
            .here("this depends on the position")
            .help("use numbers, options and fixed regions only"),
        )
    }
}
