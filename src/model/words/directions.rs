//! Words for directions.

use crate::base::{Code, Diagnostic, Span};
use crate::board::{Directions, Facing};
use crate::model::convert::Term;
use crate::model::resolver::Resolver;
use crate::model::words::{FunctionWord, Given, ValueWord};
use crate::program::{DirExpr, Dirs, Num, PlayerExpr, Value};

/// Words that stand alone. The names of the board's directions (`north`, `ne`, …) can be used as well.
pub const VALUES: &[ValueWord] = &[
    ValueWord {
        name: "directions",
        signature: "directions",
        text: "all directions of the board",
        example: "choose way in directions",
        meaning: |r, _| Some(fixed(r.board.all())),
    },
    ValueWord {
        name: "orthogonal",
        signature: "directions",
        text: "those across the sides of cells: four on squares, six on hexagons and triangles",
        example: "line orthogonal [ own rook | 0.. empty | enemy ]",
        meaning: |r, _| Some(fixed(r.board.orthogonal())),
    },
    ValueWord {
        name: "diagonal",
        signature: "directions",
        text: "those across the corners of cells",
        example: "line diagonal [ own as mover | empty as target ]",
        meaning: |r, _| Some(fixed(r.board.diagonal())),
    },
    ValueWord {
        name: "sideways",
        signature: "directions",
        text: "those along a row",
        example: "way in sideways",
        meaning: |r, _| Some(fixed(r.board.sideways())),
    },
    ValueWord {
        name: "forward",
        signature: "directions",
        text: "those that bring me nearer to the far side: three on squares",
        example: "line forward diagonal [ own as mover | enemy as target ]",
        meaning: |r, span| facing(r, span, PlayerExpr::Me, true),
    },
    ValueWord {
        name: "backward",
        signature: "directions",
        text: "those that bring me nearer to my own side",
        example: "line backward orthogonal [ target | enemy ]",
        meaning: |r, span| facing(r, span, PlayerExpr::Me, false),
    },
];

/// Words that take values.
pub const FUNCTIONS: &[FunctionWord] = &[
    FunctionWord {
        name: "forward",
        signature: "player → directions",
        text: "those that bring a player nearer to the far side",
        example: "forward of them",
        least: 1,
        most: 1,
        meaning: |r, g| of_player(r, g, true),
    },
    FunctionWord {
        name: "backward",
        signature: "player → directions",
        text: "those that bring a player nearer to the own side",
        example: "backward of them",
        least: 1,
        most: 1,
        meaning: |r, g| of_player(r, g, false),
    },
    FunctionWord {
        name: "opposite",
        signature: "direction → direction",
        text: "straight back",
        example: "opposite of way",
        least: 1,
        most: 1,
        meaning: opposite,
    },
    FunctionWord {
        name: "leaps",
        signature: "number, number → directions",
        text: "leaps of so many cells one way and so many across, in all turns and mirrors",
        example: "line leaps(1, 2) [ own knight as mover | empty or enemy as target ]",
        least: 2,
        most: 2,
        meaning: leaps,
    },
];

fn fixed(d: Directions) -> Term {
    Term::Value(Value::Dirs(Dirs::Const(d)))
}

fn of_player(r: &mut Resolver<'_>, g: &Given<'_>, forward: bool) -> Option<Term> {
    let (term, span) = g.term(0);
    let player = r.need_player(&term.clone(), span)?;
    facing(r, g.span, player, forward)
}

fn facing(r: &mut Resolver<'_>, span: Span, player: PlayerExpr, forward: bool) -> Option<Term> {
    let mut all = Vec::new();
    for at in 0..r.players.len() {
        let Some(to) = r.players[at].facing else {
            if !r.players_known {
                return None;
            }
            let name = r.players[at].name.clone();
            return r.fail(
                Diagnostic::new(
                    Code::UnknownDirection,
                    span,
                    format!("{name} faces nowhere, so nothing is forward"),
                )
                .here("forward for whom?")
                .help(
                    "say where the players sit: `players White facing north, Black facing south`",
                ),
            );
        };
        let to: Facing = to;
        all.push(if forward {
            r.board.forward(to)
        } else {
            r.board.backward(to)
        });
    }
    if let PlayerExpr::Const(p) = player {
        return all.get(p.0 as usize).map(|d| fixed(*d));
    }
    Some(Term::Value(Value::Dirs(Dirs::ByPlayer(
        all,
        Box::new(player),
    ))))
}

fn opposite(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let (term, span) = g.term(0);
    let dir = r.need_dir(&term.clone(), span)?;
    Some(Term::Value(Value::Dir(DirExpr::Opposite(Box::new(dir)))))
}

fn leaps(r: &mut Resolver<'_>, g: &Given<'_>) -> Option<Term> {
    let mut sizes = [0u32; 2];
    for (at, size) in sizes.iter_mut().enumerate() {
        let (term, span) = g.term(at);
        let term = term.clone();
        let Num::Const(n) = r.need_number(&term, span)? else {
            return r.not_fixed("a leap", span);
        };
        *size = u32::try_from(n.max(0)).unwrap_or(u32::MAX);
    }
    match r.board.add_leaps(sizes[0], sizes[1]) {
        Ok(d) => Some(fixed(d)),
        Err(e) => r.fail(
            Diagnostic::new(Code::UnknownDirection, g.span, e.to_string()).here("no such leap"),
        ),
    }
}
