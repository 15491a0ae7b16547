//! Effect words: one row a verb, with its frame of prepositions.

use crate::base::{Code, Diagnostic};
use crate::model::convert::Term;
use crate::model::resolver::Resolver;
use crate::program::{CellExpr, Cells, Effect};
use crate::syntax::ast::{Expr, ExprKind, Name};

/// A verb.
pub struct Verb {
    /// As it is written.
    pub name: &'static str,
    /// How it is used.
    pub frame: &'static str,
    /// What it does, in one sentence.
    pub text: &'static str,
    /// An example of its use.
    pub example: &'static str,
    /// The prepositions it takes.
    pub prepositions: &'static [&'static str],
    /// Its meaning.
    pub meaning: fn(&mut Resolver<'_>, &Frame<'_>) -> Option<Effect>,
}

/// A verb as used.
pub struct Frame<'e> {
    /// The verb as written.
    pub verb: &'e Name,
    /// Its row.
    pub row: &'static Verb,
    /// What stands right behind it.
    pub object: Option<&'e Expr>,
    /// What stands behind prepositions.
    pub phrases: &'e [(Name, Expr)],
}

impl<'e> Frame<'e> {
    /// What stands behind a preposition.
    pub fn find(&self, preposition: &str) -> Option<&'e Expr> {
        self.phrases
            .iter()
            .find(|(p, _)| p.text == preposition)
            .map(|(_, e)| e)
    }
}

/// All verbs. An effect that cannot be done ends the branch.
pub const VERBS: &[Verb] = &[
    Verb {
        name: "place",
        frame: "place KIND [of PLAYER] at CELLS [times NUMBER]",
        text: "puts new pieces on cells, mine unless said; where stacks are held, on top, else on empty cells",
        example: "place stone of p at home of p",
        prepositions: &["at", "times"],
        meaning: place,
    },
    Verb {
        name: "deal",
        frame: "deal KIND to PLAYER [times NUMBER]",
        text: "puts pieces into a hand",
        example: "deal man to p times 12",
        prepositions: &["to", "times"],
        meaning: deal,
    },
    Verb {
        name: "enter",
        frame: "enter KIND at CELL [times NUMBER]",
        text: "puts pieces from my hand on a cell",
        example: "enter man at spot",
        prepositions: &["at", "times"],
        meaning: enter,
    },
    Verb {
        name: "move",
        frame: "move CELL to CELL",
        text: "moves all that stands on a cell; what stands on the other cell is captured, or, where stacks are held, comes to lie below",
        example: "move mover to target",
        prepositions: &["to"],
        meaning: move_,
    },
    Verb {
        name: "advance",
        frame: "advance RUN by NUMBER",
        text: "moves the pieces of a run along its own direction, all at once",
        example: "advance phalanx by count of path",
        prepositions: &["by"],
        meaning: advance,
    },
    Verb {
        name: "capture",
        frame: "capture CELLS · capture top of CELL [under CELL]",
        text: "takes all that stands on cells off the board, and counts it as captured; or takes one piece, and may put it lowest on another cell",
        example: "capture top of victim under next",
        prepositions: &["under"],
        meaning: capture,
    },
    Verb {
        name: "remove",
        frame: "remove CELLS",
        text: "takes all that stands on cells off the board; nothing counts as captured",
        example: "remove band except part",
        prepositions: &[],
        meaning: |r, f| {
            let e = r.object(f)?;
            Some(Effect::Remove(r.cells(e)?))
        },
    },
    Verb {
        name: "flip",
        frame: "flip CELLS",
        text: "gives the piece on each cell, of a stack the top one, to the other player",
        example: "flip turned",
        prepositions: &[],
        meaning: flip,
    },
    Verb {
        name: "promote",
        frame: "promote CELL to KIND",
        text: "makes the top piece of a cell one of another kind; what is neutral stays so, and nothing becomes neutral",
        example: "promote landing to king",
        prepositions: &["to"],
        meaning: promote,
    },
    Verb {
        name: "lift",
        frame: "lift CELL",
        text: "takes up all that stands on a cell; it must be dropped before the turn ends",
        example: "lift stack",
        prepositions: &[],
        meaning: lift,
    },
    Verb {
        name: "drop",
        frame: "drop at CELL",
        text: "puts the lowest piece of what is up on a cell",
        example: "drop at next",
        prepositions: &["at"],
        meaning: |r, f| {
            r.needs_stacks(f)?;
            let e = r.phrase(f, "at")?;
            Some(Effect::Drop(r.cell(e)?))
        },
    },
    Verb {
        name: "mark",
        frame: "mark CELLS as MARK",
        text: "adds cells to a mark or kept set",
        example: "mark victim as slain",
        prepositions: &["as"],
        meaning: |r, f| {
            let e = r.object(f)?;
            let set = r.cells(e)?;
            let id = r.kept_set(f)?;
            Some(Effect::Mark(id, set))
        },
    },
    Verb {
        name: "unmark",
        frame: "unmark CELLS as MARK",
        text: "takes cells out of a mark or kept set",
        example: "unmark tower as unmoved",
        prepositions: &["as"],
        meaning: |r, f| {
            let e = r.object(f)?;
            let set = r.cells(e)?;
            let id = r.kept_set(f)?;
            Some(Effect::Unmark(id, set))
        },
    },
    Verb {
        name: "again",
        frame: "again",
        text: "the same player has the next turn",
        example: "again",
        prepositions: &[],
        meaning: |_, _| Some(Effect::Again),
    },
    Verb {
        name: "exchange",
        frame: "exchange seats",
        text: "the people change sides; the colours stay",
        example: "exchange seats",
        prepositions: &[],
        meaning: exchange,
    },
];

/// The verb of that name.
pub fn verb(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|v| v.name == name)
}

fn place(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    // Where a preposition is missing the object is not what was meant.
    let (piece, at) = (r.object(f)?, r.phrase(f, "at")?);
    let (kind, owner) = r.new_piece(piece)?;
    let at = r.cells(at)?;
    Some(Effect::Place {
        kind,
        owner,
        at,
        times: r.times(f)?,
    })
}

fn deal(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let (piece, to) = (r.object(f)?, r.phrase(f, "to")?);
    let kind = r.kind_in_hand(piece)?;
    let to = r.player(to)?;
    r.hands = true;
    Some(Effect::Deal {
        kind,
        to,
        times: r.times(f)?,
    })
}

fn enter(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let (piece, at) = (r.object(f)?, r.phrase(f, "at")?);
    let kind = r.kind_in_hand(piece)?;
    let at = Cells::Single(Box::new(r.cell(at)?));
    r.hands = true;
    Some(Effect::Enter {
        kind,
        at,
        times: r.times(f)?,
    })
}

fn move_(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let from = r.object(f)?;
    // Without `to` two cells stand side by side, as if a set was meant.
    let (term, target) = (r.term(from)?, r.phrase(f, "to")?);
    let from = r.need_cell(&term, from.span)?;
    let to = r.cell(target)?;
    if let CellExpr::Var(id) = &to {
        r.lint_move(*id, target.span);
    }
    Some(Effect::Move(from, to))
}

fn advance(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let (e, by) = (r.object(f)?, r.phrase(f, "by")?);
    let term = r.term(e)?;
    let run = r.need_run(&term, e.span)?;
    Some(Effect::Advance(run, r.number(by)?))
}

fn capture(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let e = r.object(f)?;
    let term = r.term(e)?;
    let under = match f.find("under") {
        Some(e) => Some(r.cell(e)?),
        None => None,
    };
    if let Term::Top(cell) = term {
        if under.is_some() {
            r.needs_stacks(f)?;
        }
        return Some(Effect::CaptureTop(cell, under));
    }
    if under.is_some() {
        return r.fail(
            Diagnostic::new(
                Code::WrongType,
                e.span,
                "only one piece can be put under another",
            )
            .here("these are cells")
            .help("write `capture top of … under …`"),
        );
    }
    let set = r.need_cells(&term, e.span)?;
    r.lint_captured(&set, e.span);
    Some(Effect::Capture(set))
}

fn flip(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let e = r.object(f)?;
    let set = r.cells(e)?;
    if r.players.len() != 2 {
        return r.fail(
            Diagnostic::new(
                Code::TwoPlayersOnly,
                f.verb.span,
                "`flip` needs exactly two players",
            )
            .here("to whom?"),
        );
    }
    Some(Effect::Flip(set))
}

fn promote(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let (e, to) = (r.object(f)?, r.phrase(f, "to")?);
    let cell = r.cell(e)?;
    Some(Effect::Promote(cell, r.kind(to)?))
}

fn lift(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    r.needs_stacks(f)?;
    let e = r.object(f)?;
    Some(Effect::Lift(r.cell(e)?))
}

fn exchange(r: &mut Resolver<'_>, f: &Frame<'_>) -> Option<Effect> {
    let seats = f
        .object
        .is_some_and(|e| matches!(&e.kind, ExprKind::Name(n) if n == "seats"));
    if seats {
        return Some(Effect::ExchangeSeats);
    }
    r.fail(match f.object {
        Some(e) => Diagnostic::new(Code::Misplaced, e.span, "only seats are exchanged")
            .here("not `seats`")
            .help("write `exchange seats`")
            .repair("seats"),
        None => Diagnostic::new(Code::Misplaced, f.verb.span, "only seats are exchanged")
            .here("exchange what?")
            .help("write `exchange seats`")
            .repair("exchange seats"),
    })
}

#[cfg(test)]
mod tests {
    use super::VERBS;
    use crate::syntax::EFFECTS;

    #[test]
    fn messages_know_every_verb() {
        let names: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
        assert_eq!(names, EFFECTS);
    }
}
