//! Words for numbers, truths and players.

use crate::base::{Code, Diagnostic, Span};
use crate::model::convert::{Term, truth};
use crate::model::resolver::Resolver;
use crate::model::words::{FunctionWord, Given, ValueWord};
use crate::program::{Cells, Dirs, Life, Moment, Num, PlayerExpr, Truth, Value, VarId, VarType};

/// Words that stand alone.
pub const VALUES: &[ValueWord] = &[
    ValueWord {
        name: "yes",
        signature: "truth",
        text: "true",
        example: "set landed = yes",
        meaning: |_, _| Some(truth(Truth::Const(true))),
    },
    ValueWord {
        name: "no",
        signature: "truth",
        text: "false",
        example: "keep landed = no each turn",
        meaning: |_, _| Some(truth(Truth::Const(false))),
    },
    ValueWord {
        name: "me",
        signature: "player",
        text: "the player whose turn it is; at an end after a turn, the one who made it",
        example: "hand of me > 0",
        meaning: |_, _| Some(player(PlayerExpr::Me)),
    },
    ValueWord {
        name: "them",
        signature: "player",
        text: "the other of two players",
        example: "them can Capture",
        meaning: them,
    },
    ValueWord {
        name: "players",
        signature: "players",
        text: "all players in order, to loop over",
        example: "for each p in players { … }",
        meaning: |_, _| Some(Term::Players),
    },
    ValueWord {
        name: "turns",
        signature: "number",
        text: "turns completed so far, of all players together",
        example: "turns < 4",
        meaning: |r, span| system(r, span, "turns"),
    },
    ValueWord {
        name: "passes",
        signature: "number",
        text: "turns in a row, up to now, in which `pass` was played",
        example: "passes = 2",
        meaning: |r, span| system(r, span, "passes"),
    },
    ValueWord {
        name: "actions",
        signature: "number",
        text: "actions completed so far in this turn",
        example: "require actions > 0",
        meaning: |r, span| system(r, span, "actions"),
    },
    ValueWord {
        name: "captures",
        signature: "number",
        text: "pieces captured so far this turn",
        example: "preferring most captures",
        meaning: |r, span| system(r, span, "captures"),
    },
    ValueWord {
        name: "occurrences",
        signature: "number",
        text: "how often this position has stood after a turn, this time included: pieces, hands, the player to move, and all kept values that are compared (numbers only if declared `compared`)",
        example: "occurrences = 3",
        meaning: occurrences,
    },
    ValueWord {
        name: "unseen",
        signature: "truth",
        text: "this arrangement of pieces has not stood before, at the start or after a turn",
        example: "require unseen",
        meaning: |r, _| {
            r.looks_back = true;
            Some(truth(Truth::Unseen))
        },
    },
    ValueWord {
        name: "stuck",
        signature: "truth",
        text: "the player to move has no action; only at the start of a turn",
        example: "lose when stuck",
        meaning: stuck,
    },
];

/// Words that take values.
pub const FUNCTIONS: &[FunctionWord] = &[
    FunctionWord {
        name: "count",
        signature: "cells or groups → number",
        text: "how many",
        example: "count(own in home of me)",
        least: 1,
        most: 1,
        meaning: count,
    },
    FunctionWord {
        name: "height",
        signature: "cell → number",
        text: "how many pieces stand on a cell",
        example: "height of stack > 1",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let c = r.need_cell(&t.clone(), s)?;
            Some(number(Num::Height(Box::new(c))))
        },
    },
    FunctionWord {
        name: "hand",
        signature: "player → number",
        text: "how many pieces a player holds",
        example: "hand of me > 0",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let p = r.need_player(&t.clone(), s)?;
            r.hands = true;
            Some(number(Num::Hand(Box::new(p), None)))
        },
    },
    FunctionWord {
        name: "owner",
        signature: "cell → player",
        text: "whose the top piece of a cell is",
        example: "stone of owner of c",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let c = r.need_cell(&t.clone(), s)?;
            Some(player(PlayerExpr::Owner(Box::new(c))))
        },
    },
    FunctionWord {
        name: "opponent",
        signature: "player → player",
        text: "the other of two players",
        example: "stone of opponent of p",
        least: 1,
        most: 1,
        meaning: opponent,
    },
    FunctionWord {
        name: "follower",
        signature: "player → player",
        text: "the player whose turn comes after",
        example: "follower of me",
        least: 1,
        most: 1,
        meaning: |r, g| {
            let (t, s) = g.term(0);
            let p = r.need_player(&t.clone(), s)?;
            Some(player(next(p)))
        },
    },
    FunctionWord {
        name: "mirrored",
        signature: "directions → truth",
        text: "all pieces together are their own mirror image along these directions; `sideways`: left and right",
        example: "not mirrored(sideways)",
        least: 1,
        most: 1,
        meaning: mirrored,
    },
];

fn number(n: Num) -> Term {
    Term::Value(Value::Num(n))
}

fn player(p: PlayerExpr) -> Term {
    Term::Value(Value::Player(p))
}

fn next(p: PlayerExpr) -> PlayerExpr {
    PlayerExpr::Next(Box::new(p))
}

fn two_only<T>(r: &mut Resolver<'_>, span: Span, word: &str, instead: &str) -> Option<T> {
    if !r.players_known {
        return None;
    }
    let count = r.players.len();
    r.fail(
        Diagnostic::new(
            Code::TwoPlayersOnly,
            span,
            format!("`{word}` is one of two players, here are {count}"),
        )
        .here("which of the others?")
        .help(format!(
            "write `{instead}`, or `enemy` for the pieces of all others"
        )),
    )
}

fn them(r: &mut Resolver<'_>, span: Span) -> Option<Term> {
    if r.players.len() != 2 {
        return two_only(r, span, "them", "follower of me");
    }
    Some(player(next(PlayerExpr::Me)))
}

fn opponent(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    if r.players.len() != 2 {
        return two_only(r, g.span, "opponent", "follower of p");
    }
    let (t, s) = g.term(0);
    let p = r.need_player(&t.clone(), s)?;
    Some(player(match p {
        PlayerExpr::Const(id) => PlayerExpr::Const(crate::program::PlayerId(1 - id.0.min(1))),
        p => next(p),
    }))
}

fn occurrences(r: &mut Resolver<'_>, span: Span) -> Option<Term> {
    if r.asked_moment().is_none() {
        return r.fail(
            Diagnostic::new(Code::Misplaced, span, "`occurrences` is asked at an end")
                .here("not in a rule")
                .help("in a rule, ask `unseen`"),
        );
    }
    r.looks_back = true;
    Some(number(Num::Occurrences))
}

fn stuck(r: &mut Resolver<'_>, span: Span) -> Option<Term> {
    if r.asked_moment() != Some(Moment::StartOfTurn) {
        return r.fail(
            Diagnostic::new(Code::Misplaced, span, "`stuck` is asked at the start of a turn")
                .here("not here")
                .help("put the clause into `end at start of turn { … }`; there `me` is the player to move"),
        );
    }
    Some(truth(Truth::Stuck))
}

fn count(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let (term, span) = g.term(0);
    Some(number(match term {
        Term::Value(Value::Groups(c)) => Num::CountParts(Box::new(c.clone())),
        Term::Value(Value::Run(v)) => Num::RunLength(*v),
        _ => {
            let set = r.need_cells(&term.clone(), span)?;
            match r.fold_cells(&set) {
                Some(fixed) => Num::Const(i64::try_from(fixed.len()).unwrap_or(0)),
                None => Num::Count(Box::new(set)),
            }
        }
    }))
}

fn mirrored(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let (term, span) = g.term(0);
    let Dirs::Const(along) = r.need_dirs(&term.clone(), span)? else {
        return r.not_fixed("the directions", span);
    };
    let Some(image) = r.board.mirror(along) else {
        return r.fail(
            Diagnostic::new(Code::NoSymmetry, span, "the board has no such mirror image")
                .here("not an axis of the board")
                .help("try `sideways`"),
        );
    };
    let at = match r.mirrors.iter().position(|m| *m == image) {
        Some(at) => at,
        None => {
            r.mirrors.push(image);
            r.mirrors.len() - 1
        }
    };
    Some(truth(Truth::Mirrored(at)))
}

/// A value that the engine keeps; made when it is first asked for.
pub fn system(r: &mut Resolver<'_>, span: Span, name: &str) -> Option<Term> {
    let (ty, life) = match name {
        "turns" | "passes" => (VarType::Number, Life::Game),
        "actions" | "captures" => (VarType::Number, Life::Turn),
        _ => (VarType::Cells, Life::Turn),
    };
    if life == Life::Turn && r.asked_moment().is_some() {
        return r.gone(name, span);
    }
    let there = match name {
        "turns" => r.system.turns,
        "passes" => r.system.passes,
        "actions" => r.system.actions,
        "captures" => r.system.captures,
        "captured" => r.system.captured,
        _ => r.system.touched,
    };
    let id = match there {
        Some(id) => id,
        None => make(r, name, ty, life),
    };
    r.uses[id.0 as usize] += 1;
    Some(match ty {
        VarType::Cells => Term::Value(Value::Cells(Cells::Var(id))),
        _ => number(Num::Var(id)),
    })
}

fn make(r: &mut Resolver<'_>, name: &str, ty: VarType, life: Life) -> VarId {
    let id = r.new_var(name, ty, life);
    match name {
        "turns" => r.system.turns = Some(id),
        "passes" => {
            r.system.passes = Some(id);
            r.system.passed = Some(r.new_var("passed", VarType::Truth, Life::Turn));
        }
        "actions" => r.system.actions = Some(id),
        "captures" => r.system.captures = Some(id),
        "captured" => r.system.captured = Some(id),
        _ => r.system.touched = Some(id),
    }
    id
}
