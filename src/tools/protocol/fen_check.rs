//! Whether the values of a game go as the fields of FEN do, from one position to the next: a mapping and an action in, a
//! reason against it out.

use crate::board::{Cell, Direction};
use crate::engine::{Action, Engine, PlayError, Position};
use crate::program::{PlayerId, VarId};
use crate::tools::protocol::fen::{Fen, MAN, cells_of};

/// Why a game does not fit.
pub(super) struct Checked(pub String);

impl From<PlayError> for Checked {
    fn from(error: PlayError) -> Checked {
        Checked(error.to_string())
    }
}

/// Holds an action and what it did to the values against what FEN says of them.
pub(super) fn check(
    fen: &Fen,
    engine: &Engine,
    then: &Position,
    action: &Action,
    now: &Position,
) -> Result<(), Checked> {
    let program = engine.program();
    let wrong = |what: String| {
        Err(Checked(format!(
            "{what}, in {} after `{}`",
            engine.print(now),
            action.text
        )))
    };
    let mover = engine.to_move(then);
    if engine.to_move(now) == mover {
        return wrong("a player acts twice".to_owned());
    }
    let Some((from, to, _)) = cells_of(program, &action.text) else {
        return Err(Checked(format!(
            "its action `{}` is not two cells and perhaps a piece",
            action.text
        )));
    };
    let owner = |position: &Position, cell: Cell| {
        engine
            .stack(position, cell)
            .last()
            .and_then(|piece| piece.owner)
    };
    if owner(then, from) != Some(mover) || owner(now, to) != Some(mover) {
        return wrong("the two cells are not where a piece comes from and goes to".to_owned());
    }
    let man = engine
        .stack(then, from)
        .last()
        .is_some_and(|piece| program.kinds[usize::from(piece.kind.0)].letter == MAN);
    let value = |position: &Position, var: VarId| {
        let values = engine.values(position);
        let name = &program.var(var).name;
        values.into_iter().find(|(n, _)| n == name).map(|(_, v)| v)
    };
    let names = |text: Option<String>| -> Vec<String> {
        text.map_or(Vec::new(), |t| t.split(',').map(str::to_owned).collect())
    };
    if let Some(var) = fen.rights {
        let before = names(value(then, var));
        if names(value(now, var))
            .iter()
            .any(|cell| !before.contains(cell))
        {
            return wrong(format!(
                "`{}` does not go as rights to castle do",
                program.var(var).name
            ));
        }
    }
    if let Some(var) = fen.passed
        && let Some(cell) = value(now, var)
        && !(man && between(engine, from, to) == program.board.cell_named(&cell))
    {
        return wrong(format!(
            "`{}` is not the cell that was passed over",
            program.var(var).name
        ));
    }
    if let Some(var) = fen.quiet {
        let number = |position| {
            let text: Option<String> = value(position, var);
            text.map_or(Ok(0), |t| t.parse::<i64>())
        };
        let men = |position: &Position| count(engine, position);
        let expected = if man || men(then) != men(now) {
            Ok(0)
        } else {
            number(then).map(|n| n + 1)
        };
        if number(now) != expected {
            return wrong(format!(
                "`{}` does not count turns without a capture",
                program.var(var).name
            ));
        }
    }
    Ok(())
}

/// The cell in the middle of a step of two.
fn between(engine: &Engine, from: Cell, to: Cell) -> Option<Cell> {
    let board = &engine.program().board;
    let ways = (0..board.directions()).filter_map(|way| u8::try_from(way).ok());
    ways.map(Direction).find_map(|way| {
        let middle = board.step(from, way)?;
        (board.step(middle, way) == Some(to)).then_some(middle)
    })
}

/// How many pieces each player has.
fn count(engine: &Engine, position: &Position) -> [usize; 2] {
    let cells = engine.program().board.cells();
    let mut sums = [0; 2];
    for cell in cells.iter() {
        for piece in engine.stack(position, cell) {
            let PlayerId(player) = piece.owner.unwrap_or(PlayerId(0));
            if let Some(sum) = sums.get_mut(usize::from(player)) {
                *sum += 1;
            }
        }
    }
    sums
}
