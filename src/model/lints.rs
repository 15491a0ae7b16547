//! Lints: what makes a game, but perhaps not the one that was meant.

use crate::base::{Code, Diagnostic, Span};
use crate::board::NO_STEP;
use crate::model::resolver::Resolver;
use crate::model::written::source_of;
use crate::program::{
    CellExpr, Cells, Count, Dirs, KindExpr, KindInfo, Num, Picture, PlayerExpr, Square, Truth,
    VarId,
};
use crate::syntax::ast::Line;
use std::collections::{BTreeMap, BTreeSet};

/// What is watched while a file is resolved.
#[derive(Default)]
pub struct Watch {
    classes: BTreeMap<VarId, Cells>,
    /// What classes were before they were narrowed, the latest last.
    wider: Vec<(VarId, Cells)>,
    letters: Vec<(VarId, Span, String)>,
    lets: Vec<(VarId, Span, String)>,
    tails: BTreeMap<VarId, (Span, String)>,
    written: BTreeSet<VarId>,
}

impl Watch {
    /// Remembers the cells that a name may stand for.
    pub fn class_of(&mut self, id: VarId, class: &Cells) {
        self.classes.insert(id, class.clone());
    }

    /// Remembers what is required of the cells that names stand for.
    pub fn required(&mut self, truth: &Truth) {
        match truth {
            Truth::And(a, b) => {
                self.required(a);
                self.required(b);
            }
            Truth::Contains(cell, set) => self.narrow(cell, set, Cells::and),
            Truth::Or(..) => {
                if let Some((id, set)) = lies_in(truth) {
                    self.narrow(&CellExpr::Var(id), &set, Cells::and);
                }
            }
            Truth::Not(test) => self.refused(test),
            _ => {}
        }
    }

    /// Remembers what follows of the cells that names stand for where a test does not hold.
    pub fn refused(&mut self, truth: &Truth) {
        match truth {
            Truth::Or(a, b) => {
                self.refused(a);
                self.refused(b);
            }
            Truth::Contains(cell, set) => self.narrow(cell, set, Cells::without),
            Truth::Not(test) => self.required(test),
            _ => {}
        }
    }

    fn narrow(&mut self, cell: &CellExpr, set: &Cells, by: fn(Cells, Cells) -> Cells) {
        if let CellExpr::Var(id) = cell
            && let Some(class) = self.classes.get_mut(id)
        {
            let narrowed = by(class.clone(), set.clone());
            self.wider.push((*id, std::mem::replace(class, narrowed)));
        }
    }

    /// Where a branch begins: what is required in it is forgotten behind it, by [`behind`](Self::behind).
    pub fn branch(&self) -> usize {
        self.wider.len()
    }

    /// Forgets what was required since the beginning of a branch.
    pub fn behind(&mut self, branch: usize) {
        for (id, class) in self.wider.drain(branch..).rev() {
            self.classes.insert(id, class);
        }
    }

    /// Remembers a letter that counts.
    pub fn letter(&mut self, id: VarId, span: Span, text: &str) {
        self.letters.push((id, span, text.to_owned()));
    }

    /// How many letters there are by now.
    pub fn letters_mark(&self) -> usize {
        self.letters.len()
    }

    /// Remembers a name from `let`.
    pub fn named(&mut self, id: VarId, span: Span, text: &str) {
        self.lets.push((id, span, text.to_owned()));
    }

    /// How many names from `let` there are by now.
    pub fn named_mark(&self) -> usize {
        self.lets.len()
    }

    /// Forgets the names from `let` since then.
    pub fn forget_named(&mut self, mark: usize) {
        self.lets.truncate(mark);
    }

    /// Remembers that a kept value is set.
    pub fn written(&mut self, id: VarId) {
        self.written.insert(id);
    }
}

impl Resolver<'_> {
    /// Letters counted since the mark that are used nowhere else.
    pub fn lonely_letters(&mut self, mark: usize) {
        for (id, span, text) in self.lints.letters.split_off(mark) {
            if self.uses.get(id.0 as usize).copied() == Some(0) {
                self.report(
                    Diagnostic::new(
                        Code::LonelyCount,
                        span,
                        format!("`{text}` counts, and is used nowhere else"),
                    )
                    .here("any length")
                    .help("say that any length will do")
                    .repair("1.."),
                );
            }
        }
    }

    /// A statement's picture that reads the same both ways.
    pub fn lint_picture(&mut self, line: &Line) {
        let texts: Vec<String> = line
            .squares
            .iter()
            .map(|s| {
                let class = s.class.as_ref().map(source_of).unwrap_or_default();
                format!("{:?} {class}", s.count.as_ref().map(|_| "counted"))
            })
            .collect();
        let told_apart = line.way.is_some()
            || line
                .squares
                .iter()
                .enumerate()
                .any(|(i, s)| s.name.is_some() && 2 * i + 1 != line.squares.len());
        let reversed: Vec<String> = texts.iter().rev().cloned().collect();
        if texts.len() > 1 && texts == reversed && line.ways.is_none() && !told_apart {
            self.report(
                Diagnostic::new(
                    Code::Palindrome,
                    line.span,
                    "the picture reads the same both ways",
                )
                .here("found twice, once from each end")
                .help("name an end that matters, or ask only whether it is there: `some line […]`"),
            );
        }
    }

    /// A picture along directions in which no cell of the board has a neighbour, though it needs two.
    pub fn lint_ways(&mut self, line: &Line, picture: &Picture) {
        let (Some(written), Dirs::Const(ways)) = (&line.ways, &picture.ways) else {
            return;
        };
        let one = |s: &&Square| {
            matches!(
                s,
                Square::Cells {
                    count: Count::One,
                    ..
                }
            )
        };
        let leads = |way| self.board.steps(way).iter().any(|next| *next != NO_STEP);
        if self.board_known
            && picture.squares.iter().filter(one).count() > 1
            && !ways.iter().any(leads)
        {
            self.report(
                Diagnostic::new(
                    Code::NeverHolds,
                    written.span,
                    "the picture is found nowhere",
                )
                .here("on this board no cell has a neighbour in these directions")
                .help("`gambol show` draws how the cells are joined"),
            );
        }
    }

    /// A picture's last run that has an upper bound and need not be whole: watched, in case that it is captured.
    pub fn lint_tail(&mut self, line: &Line, picture: &Picture) {
        let (
            Some(written),
            Some(Square::Cells {
                count: Count::Between(_, Some(high)),
                whole: false,
                bind: Some(id),
                ..
            }),
        ) = (line.squares.last(), picture.squares.last())
        else {
            return;
        };
        if *high != Num::Const(1) {
            let span = Span {
                start: written.span.start,
                end: written.span.start,
            };
            self.lints.tails.insert(*id, (span, "whole ".to_owned()));
        }
    }

    /// A captured set: a run that need not be whole is warned about.
    pub fn lint_captured(&mut self, set: &Cells, span: Span) {
        let Cells::Run(id) = set else { return };
        if let Some((at, repair)) = self.lints.tails.get(id).cloned() {
            self.report(
                Diagnostic::new(Code::NotWhole, at, "a part of a longer run may be captured")
                    .here("this run need not be the whole run")
                    .and(span, "captured here")
                    .help("to take only runs that end here, say so")
                    .repair(repair),
            );
        }
    }

    /// A move onto a cell that may hold one's own piece.
    pub fn lint_move(&mut self, target: VarId, span: Span) {
        let Some(class) = self.lints.classes.get(&target) else {
            return;
        };
        if !self.stacking && !never_own(class, &self.kinds) {
            self.report(
                Diagnostic::new(
                    Code::OwnTarget,
                    span,
                    "one's own piece may stand there, and would be captured",
                )
                .here("may be one of one's own")
                .help("choose the target among `empty or enemy`"),
            );
        }
    }

    /// A trail that starts where no step of it could lead.
    pub fn lint_trail_start(&mut self, start: &Cells, next: VarId, span: Span) {
        let Some(class) = self.lints.classes.get(&next) else {
            return;
        };
        if never_empty(class) && !never_empty(start) && !matches!(start, Cells::Single(_)) {
            self.report(
                Diagnostic::new(
                    Code::EmptyTrail,
                    span,
                    "the trail may start on an empty cell",
                )
                .here("its steps lead only to occupied cells")
                .help("say what stands at the start: `start stone of p in …`"),
            );
        }
    }

    /// Declarations that nothing uses.
    pub fn unused(&mut self) {
        // What is wrong elsewhere may be the reason.
        if self.diagnostics.has_errors() {
            return;
        }
        let mut found = Vec::new();
        for d in self.defines.iter().filter(|d| !d.used) {
            found.push(
                Diagnostic::new(
                    Code::UnusedDefinition,
                    d.name.span,
                    format!("`{}` is used nowhere", d.name.text),
                )
                .here("never used")
                .help("take it out, or use it"),
            );
        }
        for r in self.rules.iter().filter(|r| !r.used) {
            found.push(
                Diagnostic::new(
                    Code::UnusedRule,
                    r.rule.name.span,
                    format!("`{}` is played nowhere", r.rule.name.text),
                )
                .here("never played")
                .help(format!(
                    "play it in the turn: `turn … or {}`",
                    r.rule.name.text
                )),
            );
        }
        for o in self.options.unused() {
            found.push(
                Diagnostic::new(
                    Code::UnusedOption,
                    o.name.span,
                    format!("the option `{}` changes nothing", o.name.text),
                )
                .here("never used"),
            );
        }
        for (name, id) in &self.kept {
            if self.uses[id.0 as usize] == 0
                && let Some(span) = self.kept_spans.get(name)
            {
                found.push(
                    Diagnostic::new(
                        Code::UnusedValue,
                        *span,
                        format!("`{name}` is kept, and never read"),
                    )
                    .here("never read"),
                );
            }
        }
        // A rule may stand in several places, and its names may be asked for in some of them.
        let mut named: BTreeMap<Span, (&str, bool)> = BTreeMap::new();
        for (id, span, text) in &self.lints.lets {
            let asked = self.uses.get(id.0 as usize).is_none_or(|uses| *uses > 0);
            named.entry(*span).or_insert((text, false)).1 |= asked;
        }
        for (span, (text, _)) in named.into_iter().filter(|(_, (_, asked))| !asked) {
            let message = format!("`{text}` is named, and never asked for");
            let d = Diagnostic::new(Code::UnusedValue, span, message);
            let d = d.here("never asked for");
            found.push(d.help("take the line out, or ask for the name"));
        }
        found.into_iter().for_each(|d| self.report(d));
    }
}

/// A cell of which a truth says that it lies in a set, whichever of several ways it holds.
fn lies_in(truth: &Truth) -> Option<(VarId, Cells)> {
    match truth {
        Truth::Contains(cell, set) => match **cell {
            CellExpr::Var(id) => Some((id, set.as_ref().clone())),
            _ => None,
        },
        Truth::And(a, b) => lies_in(a).or_else(|| lies_in(b)),
        Truth::Or(a, b) => {
            let ((a, first), (b, second)) = (lies_in(a)?, lies_in(b)?);
            (a == b).then(|| (a, Cells::or(first, second)))
        }
        _ => None,
    }
}

/// Whether no cell of the set can hold a piece of the mover.
fn never_own(set: &Cells, kinds: &[KindInfo]) -> bool {
    match set {
        Cells::Empty => true,
        Cells::Owned(p) => matches!(**p, PlayerExpr::Next(_)),
        Cells::Kind(KindExpr::Const(id)) => kinds.get(id.0 as usize).is_some_and(|k| k.neutral),
        Cells::And(a, b) => never_own(a, kinds) || never_own(b, kinds),
        Cells::Or(a, b) => never_own(a, kinds) && never_own(b, kinds),
        Cells::Without(a, b) => never_own(a, kinds) || holds_all_own(b),
        Cells::Where(a, ..) | Cells::With { set: a, .. } => never_own(a, kinds),
        Cells::If(t, a, b) => {
            matches!(**t, Truth::Const(_)) || (never_own(a, kinds) && never_own(b, kinds))
        }
        Cells::Single(_) | Cells::Var(_) | Cells::OfPlayer(..) => true,
        _ => false,
    }
}

/// Whether the set holds all pieces of the mover.
fn holds_all_own(set: &Cells) -> bool {
    match set {
        Cells::Owned(p) => **p == PlayerExpr::Me,
        Cells::Or(a, b) => holds_all_own(a) || holds_all_own(b),
        Cells::Occupied => true,
        _ => false,
    }
}

/// Whether every cell of the set is occupied.
fn never_empty(set: &Cells) -> bool {
    match set {
        Cells::Occupied | Cells::Owned(_) | Cells::Kind(_) | Cells::GroupOf(_) => true,
        Cells::And(a, b) => never_empty(a) || never_empty(b),
        Cells::Or(a, b) => never_empty(a) && never_empty(b),
        Cells::Without(a, _) | Cells::Where(a, ..) | Cells::With { set: a, .. } => never_empty(a),
        _ => false,
    }
}
