//! Words for a game's things: outcomes, options, players and piece signs as short texts. In: ids of a program. Out: text.

use crate::engine::{Outcome, OutcomeResult, PieceAt};
use crate::program::{KindId, OptionValue, PlayerId, Program, stack_signs};

/// A player's name; empty for one who does not take part.
#[must_use]
pub fn player(program: &Program, id: PlayerId) -> &str {
    program
        .players
        .get(usize::from(id.0))
        .map_or("", |p| p.name.as_str())
}

/// A piece kind's name; empty for a kind that does not exist.
#[must_use]
pub fn kind(program: &Program, id: KindId) -> &str {
    program
        .kinds
        .get(usize::from(id.0))
        .map_or("", |k| k.name.as_str())
}

/// A piece in words: `White stone`, or just the kind when it belongs to nobody.
#[must_use]
pub fn piece(program: &Program, piece: PieceAt) -> String {
    match piece.owner {
        Some(owner) => format!("{} {}", player(program, owner), kind(program, piece.kind)),
        None => kind(program, piece.kind).to_owned(),
    }
}

/// A stack from the bottom, `(ssS)`, with counts for repeats, `(S4)`; a single piece without parentheses.
#[must_use]
pub fn stack(program: &Program, pieces: &[PieceAt]) -> String {
    let pieces: Vec<_> = pieces
        .iter()
        .map(|piece| (piece.kind, piece.owner))
        .collect();
    let signs = stack_signs(&pieces, &program.kinds);
    if pieces.len() > 1 {
        format!("({signs})")
    } else {
        signs
    }
}

/// How a game ended: `White wins: three in a row`.
#[must_use]
pub fn outcome(program: &Program, outcome: &Outcome) -> String {
    let name = |id: PlayerId| player(program, id);
    let (result, points) = match &outcome.result {
        OutcomeResult::Win(id) => (format!("{} wins", name(*id)), String::new()),
        OutcomeResult::Lose(id) => (format!("{} loses", name(*id)), String::new()),
        OutcomeResult::Draw => ("draw".to_owned(), String::new()),
        OutcomeResult::Scores { scores, winner } => {
            let result =
                winner.map_or_else(|| "draw".to_owned(), |id| format!("{} wins", name(id)));
            let points = program
                .players
                .iter()
                .zip(scores)
                .map(|(p, score)| format!("{} {score}", p.name));
            (
                result,
                format!(" ({})", points.collect::<Vec<_>>().join(", ")),
            )
        }
    };
    if outcome.by.is_empty() {
        format!("{result}{points}")
    } else {
        format!("{result}{points}: {}", outcome.by)
    }
}

/// The result of a record: `1-0`, `0-1`, `1/2-1/2`, with a number for every player; `*` while nothing is decided.
#[must_use]
pub fn result(program: &Program, outcome: Option<&Outcome>) -> String {
    let each = |points: &dyn Fn(PlayerId) -> &'static str| {
        let players = (0..program.players.len()).filter_map(|i| u8::try_from(i).ok());
        players
            .map(|i| points(PlayerId(i)))
            .collect::<Vec<_>>()
            .join("-")
    };
    match outcome.map(|o| &o.result) {
        None => "*".to_owned(),
        Some(
            OutcomeResult::Win(id)
            | OutcomeResult::Scores {
                winner: Some(id), ..
            },
        ) => each(&|p| if p == *id { "1" } else { "0" }),
        Some(OutcomeResult::Lose(id)) => each(&|p| if p == *id { "0" } else { "1" }),
        Some(OutcomeResult::Draw | OutcomeResult::Scores { winner: None, .. }) => each(&|_| "1/2"),
    }
}

/// The options that are not at their default: `size=5 men=3`.
#[must_use]
pub fn changed_options(program: &Program) -> String {
    let changed = program.options.iter().filter(|o| o.value != o.default);
    changed.map(setting).collect::<Vec<_>>().join(" ")
}

/// An option as it is set: `size=5`.
#[must_use]
pub fn setting(option: &OptionValue) -> String {
    format!("{}={}", option.name, option.value)
}

/// A number with its word: `1 action`, `2 actions`.
#[must_use]
pub fn number(n: usize, word: &str) -> String {
    if n == 1 {
        format!("1 {word}")
    } else {
        format!("{n} {word}s")
    }
}
