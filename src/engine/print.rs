//! A state as one line: rows from the top, the player to move, hands, and whatever else is not at its beginning.

use crate::board::{Cell, CellSet, Cells as BoardCells, Direction, Directions};
use crate::engine::eval::Run;
use crate::engine::state::{PieceAt, State};
use crate::program::{
    KindId, Per, PlayerId, Program, Var, VarType, WORD_AGAIN, WORD_LAST, WORD_SEATS, piece_sign,
    stack_signs,
};

/// The line of a state.
#[must_use]
pub fn line(program: &Program, state: &State) -> String {
    let mut parts = vec![board(program, state), player_sign(program, state.mover())];
    if program.hands {
        parts.push(hands(program, state));
    }
    parts.extend(
        values(program, state)
            .into_iter()
            .map(|(name, value)| format!("{name}={value}")),
    );
    parts.join(" ")
}

/// How a player is written: the initial in lower case, or the name when two begin alike.
#[must_use]
pub fn player_sign(program: &Program, player: PlayerId) -> String {
    let initial = |name: &str| name.chars().next().map(|c| c.to_ascii_lowercase());
    let name = &program.players[usize::from(player.0)].name;
    let alike = program
        .players
        .iter()
        .filter(|p| initial(&p.name) == initial(name))
        .count();
    match initial(name) {
        Some(sign) if alike == 1 => sign.to_string(),
        Some(_) | None => name.clone(),
    }
}

fn board(program: &Program, state: &State) -> String {
    let stacks = program.stacking.then(|| state.stacks(program));
    let starts: Vec<usize> = match &stacks {
        Some((heights, _)) => heights
            .iter()
            .scan(0usize, |at, h| {
                let start = *at;
                *at += usize::from(*h);
                Some(start)
            })
            .collect(),
        None => Vec::new(),
    };
    let pieces_of = |cell: Cell| -> Vec<PieceAt> {
        match &stacks {
            Some((heights, pieces)) => {
                let at = usize::from(cell.0);
                pieces[starts[at]..starts[at] + usize::from(heights[at])]
                    .iter()
                    .map(|p| PieceAt::from_code(*p))
                    .collect()
            }
            None => state.pieces_on(program, cell),
        }
    };
    let rows: Vec<String> = program
        .board
        .rows_top_down()
        .iter()
        .map(|row| row_text(program, row, &pieces_of))
        .collect();
    rows.join("/")
}

fn row_text(program: &Program, row: &[Cell], pieces_of: &dyn Fn(Cell) -> Vec<PieceAt>) -> String {
    let mut out = String::new();
    let mut empty = 0;
    for cell in row {
        let pieces = pieces_of(*cell);
        if pieces.is_empty() {
            empty += 1;
            continue;
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
            empty = 0;
        }
        out.push_str(&pile(program, &pieces));
    }
    if empty > 0 {
        out.push_str(&empty.to_string());
    }
    out
}

/// One piece as its sign, several in brackets.
fn pile(program: &Program, pieces: &[PieceAt]) -> String {
    let list: Vec<(KindId, Option<PlayerId>)> = pieces.iter().map(|p| (p.kind, p.owner)).collect();
    match list.as_slice() {
        [(kind, owner)] => piece_sign(&program.kinds[usize::from(kind.0)], *owner),
        _ => format!("({})", stack_signs(&list, &program.kinds)),
    }
}

fn hands(program: &Program, state: &State) -> String {
    let mut out = String::new();
    let kinds = program.kinds.len();
    for player in 0..program.players.len() {
        for (kind, info) in program.kinds.iter().enumerate() {
            let count = state.words[program.layout.hands + player * kinds + kind];
            if count > 0 {
                let sign = piece_sign(info, Some(PlayerId(u8::try_from(player).unwrap_or(0))));
                out.push_str(&if count == 1 {
                    sign
                } else {
                    format!("{sign}{count}")
                });
            }
        }
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

/// Everything that is not at its beginning, by name.
#[must_use]
pub fn values(program: &Program, state: &State) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut say = |name: &str, value: String| out.push((name.to_owned(), value));
    if state.point() > 0 {
        say("at", program.points[state.point()].name.clone());
    }
    if program.stacking {
        let up = state.pieces(program, program.board.len());
        if !up.is_empty() {
            say("up", pile(program, &up));
        }
    }
    if state.words[WORD_SEATS] != 0 {
        say("seats", "exchanged".to_owned());
    }
    if state.words[WORD_AGAIN] != 0 {
        say("again", "yes".to_owned());
    }
    if let Some(last) = state.words[WORD_LAST].checked_sub(1) {
        say(
            "last",
            program.players[usize::try_from(last).unwrap_or(0)]
                .name
                .clone(),
        );
    }
    for var in program.vars.iter().filter(|v| v.in_state()) {
        let words = &state.words[var.offset..var.offset + var.stride * var.count];
        if words != var.initial.as_slice() {
            say(&var.name, value(program, var, words));
        }
    }
    out
}

fn value(program: &Program, var: &Var, words: &[u64]) -> String {
    match var.per {
        Per::Game => one(program, var.ty, words),
        Per::Player => words
            .chunks(var.stride)
            .map(|w| one(program, var.ty, w))
            .collect::<Vec<_>>()
            .join("/"),
        Per::Cell => {
            let changed = words
                .iter()
                .zip(&var.initial)
                .enumerate()
                .filter(|(_, (w, i))| w != i);
            let list: Vec<String> = changed
                .map(|(at, (word, _))| {
                    let cell = program.board.name(Cell(u16::try_from(at).unwrap_or(0)));
                    format!("{cell}:{}", one(program, var.ty, &[*word]))
                })
                .collect();
            list.join(",")
        }
    }
}

fn one(program: &Program, ty: VarType, words: &[u64]) -> String {
    let board = &program.board;
    let first = words.first().copied().unwrap_or(0);
    let below = first.checked_sub(1).and_then(|n| u16::try_from(n).ok());
    match ty {
        VarType::Number => first.cast_signed().to_string(),
        VarType::Truth => if first == 0 { "no" } else { "yes" }.to_owned(),
        VarType::Cell => {
            below.map_or_else(|| "nowhere".to_owned(), |c| board.name(Cell(c)).to_owned())
        }
        VarType::Cells | VarType::Groups => {
            let set: BoardCells = CellSet::from_words(words);
            let names: Vec<&str> = set.iter().map(|c| board.name(c)).collect();
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(",")
            }
        }
        VarType::Run => match Run::from_word(first) {
            Some(run) => format!(
                "{}:{}:{}",
                board.name(run.start),
                board.direction_name(run.way),
                run.length
            ),
            None => "none".to_owned(),
        },
        VarType::Direction => below.map_or_else(
            || "none".to_owned(),
            |d| {
                board
                    .direction_name(Direction(d.to_le_bytes()[0]))
                    .to_owned()
            },
        ),
        VarType::Directions => {
            let names: Vec<&str> = Directions(first)
                .iter()
                .map(|d| board.direction_name(d))
                .collect();
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(",")
            }
        }
        VarType::Player => below
            .and_then(|p| program.players.get(usize::from(p)))
            .map_or_else(|| "none".to_owned(), |p| p.name.clone()),
        VarType::Kind => below
            .and_then(|k| program.kinds.get(usize::from(k)))
            .map_or_else(|| "none".to_owned(), |k| k.name.clone()),
    }
}
