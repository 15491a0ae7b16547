//! Between FEN with actions such as `e2e4` or `e7e8q` and the positions and actions of a game. Which kept value is which
//! field of FEN is worked out from the values' types, and held against played games before it is believed: a game where
//! it does not hold is refused with the reason. Nothing here knows a game.

use crate::board::Cell;
use crate::engine::{Action, Engine, Position};
use crate::program::{Life, Per, PlayerId, Program, VarId, VarType};
use crate::tools::playout::{Visit, walk};
use crate::tools::protocol::fen_check::{Checked, check};
use crate::tools::protocol::fen_rights::Rights;

/// How many games are played before the mapping is believed, and how many actions of each.
const GAMES: u64 = 3;
const PLIES: usize = 120;

/// Which values of a game are which fields of FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fen {
    /// The cells of pieces that have not moved.
    pub(super) rights: Option<VarId>,
    /// The cell that was passed over.
    pub(super) passed: Option<VarId>,
    /// Turns without a capture or a pawn's move.
    pub(super) quiet: Option<VarId>,
    /// Turns played.
    turns: Option<VarId>,
}

/// The letter that FEN fixes for the piece that is passed over.
pub(super) const MAN: char = 'P';

impl Fen {
    /// The mapping of a game.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(engine: &Engine) -> Result<Fen, String> {
        let program = engine.program();
        shape(program)?;
        let fen = slots(program)?;
        let start = engine.initial();
        let line = fen.line(engine, &start);
        if fen.position(engine, &line)? != start {
            return Err(format!(
                "FEN does not tell its start: `{line}` is another position"
            ));
        }
        for seed in 1..=GAMES {
            let mut before: Option<(Position, Action)> = None;
            walk(engine, start.clone(), seed, PLIES, |visit: Visit<'_>| {
                let now = visit.position;
                if let Some((then, action)) = &before {
                    check(&fen, engine, then, action, now)?;
                }
                fen.reads_back(engine, &visit)?;
                before = visit.chosen.map(|action| (now.clone(), action.clone()));
                Ok::<(), Checked>(())
            })
            .map_err(|Checked(why)| why)?;
        }
        Ok(fen)
    }

    /// The line of a position leads to a position with the same actions, each with a name of its own.
    fn reads_back(&self, engine: &Engine, visit: &Visit<'_>) -> Result<(), Checked> {
        if visit.actions.is_empty() {
            return Ok(());
        }
        let line = self.line(engine, visit.position);
        let again = self.position(engine, &line).map_err(Checked)?;
        let actions = engine.legal_actions(&again)?;
        let same = |(a, b): (&Action, &Action)| a.text == b.text;
        if actions.len() != visit.actions.len() || !actions.iter().zip(visit.actions).all(same) {
            return Err(Checked(format!(
                "FEN does not tell all of the position {}",
                engine.print(visit.position)
            )));
        }
        let mut names = Vec::new();
        for action in &actions {
            names.push(self.name(engine, &action.text).map_err(Checked)?);
        }
        names.sort_unstable();
        match names.windows(2).find(|w| w[0] == w[1]) {
            Some(twins) => Err(Checked(format!(
                "two of its actions are both `{}`",
                twins[0]
            ))),
            None => Ok(()),
        }
    }

    /// A position in FEN. The number of the turn is 1 where the game does not count turns.
    #[must_use]
    pub fn line(&self, engine: &Engine, position: &Position) -> String {
        let own = engine.print(position);
        let mut words = own.split(' ');
        let (board, mover) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let value = |var: Option<VarId>| {
            let name = &engine.program().var(var?).name;
            let values = engine.values(position);
            values.into_iter().find(|(n, _)| n == name).map(|(_, v)| v)
        };
        let rights: String = value(self.rights)
            .map(|cells| Rights::new(engine, position).letters(&cells))
            .filter(|letters| !letters.is_empty())
            .unwrap_or("-".to_owned());
        let passed = value(self.passed).unwrap_or("-".to_owned());
        let quiet = value(self.quiet).unwrap_or("0".to_owned());
        let turns: u64 = value(self.turns).and_then(|t| t.parse().ok()).unwrap_or(0);
        format!(
            "{board} {mover} {rights} {passed} {quiet} {}",
            turns / 2 + 1
        )
    }

    /// The position of a line in FEN; the two numbers at its end may be missing.
    ///
    /// # Errors
    /// What is wrong with it, and what to write instead.
    pub fn position(&self, engine: &Engine, line: &str) -> Result<Position, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (board, mover, rights, passed, numbers) = match words.as_slice() {
            [board, mover, rights, passed, numbers @ ..] if numbers.len() <= 2 => {
                (*board, *mover, *rights, *passed, numbers)
            }
            _ => {
                return Err(format!(
                    "FEN has six fields, not {}: the start is `{}`",
                    words.len(),
                    self.line(engine, &engine.initial())
                ));
            }
        };
        let told = |line: &str| {
            engine.parse(line).map_err(|error| match &error.help {
                Some(help) => format!("{error}; {help}"),
                None => error.to_string(),
            })
        };
        let bare = told(&format!("{board} {mover}"))?;
        let mut number = [0u64, 1];
        for (at, text) in numbers.iter().enumerate() {
            number[at] = text
                .parse()
                .map_err(|_| format!("`{text}` is no number of turns: write 0 or more"))?;
        }
        let program = engine.program();
        let mut values = Vec::new();
        let cells = Rights::new(engine, &bare).cells(rights)?;
        if let Some(var) = self.rights {
            values.push((var, cells));
        } else if !cells.is_empty() {
            return Err(format!(
                "`{rights}`: nothing castles in this game; write `-`"
            ));
        }
        if let Some(var) = self.quiet {
            values.push((var, number[0].to_string()));
        }
        if let Some(var) = self.turns {
            let second = u64::from(engine.to_move(&bare) != PlayerId(0));
            values.push((
                var,
                (number[1].max(1) - 1)
                    .saturating_mul(2)
                    .saturating_add(second)
                    .to_string(),
            ));
        }
        let with = |values: &[(VarId, String)]| {
            let mut sorted: Vec<&(VarId, String)> =
                values.iter().filter(|(_, text)| !text.is_empty()).collect();
            sorted.sort();
            let texts: Vec<String> = sorted
                .iter()
                .map(|(var, text)| format!(" {}={text}", program.var(*var).name))
                .collect();
            told(&format!("{board} {mover}{}", texts.concat()))
        };
        let position = with(&values)?;
        match self.passed {
            Some(var) if passed != "-" => {
                if program.board.cell_named(passed).is_none() {
                    return Err(format!(
                        "`{passed}` is no cell: write `-` where nothing was passed"
                    ));
                }
                values.push((var, passed.to_owned()));
                let other = with(&values)?;
                // A cell that nobody can use makes no other position.
                let count = |p: &Position| engine.count_actions(p).map_err(|e| e.to_string());
                let useful = count(&position)? != count(&other)?;
                Ok(if useful { other } else { position })
            }
            _ => Ok(position),
        }
    }

    /// An action as two cells, and the letter of a piece that it asks for.
    ///
    /// # Errors
    /// When it is no such action.
    pub fn name(&self, engine: &Engine, action: &str) -> Result<String, String> {
        let Some((from, to, letter)) = cells_of(engine.program(), action) else {
            return Err(format!(
                "its action `{action}` is not two cells and perhaps a piece"
            ));
        };
        let board = &engine.program().board;
        let letter = letter.map_or(String::new(), |l| l.to_ascii_lowercase().to_string());
        Ok(format!("{}{}{letter}", board.name(from), board.name(to)))
    }

    /// A position that is over by what came before it, or by the number of quiet turns, without them: draws by these are
    /// claimed elsewhere, and who does not claim them plays on.
    #[must_use]
    pub fn reopened(&self, engine: &Engine, position: &Position) -> Option<Position> {
        let line = self.line(engine, position);
        let mut words: Vec<&str> = line.split(' ').collect();
        if let Some(quiet) = words.get_mut(4) {
            *quiet = "0";
        }
        let open = self.position(engine, &words.join(" ")).ok()?;
        (engine.count_actions(&open).ok()? > 0).then_some(open)
    }
}

/// The two cells that an action's text names, and a piece's letter behind them.
pub(super) fn cells_of(program: &Program, action: &str) -> Option<(Cell, Cell, Option<char>)> {
    let mut cells = Vec::new();
    let mut letter = None;
    let mut rest = action;
    while let Some(sign) = rest.chars().next() {
        let letters = rest.chars().take_while(char::is_ascii_lowercase).count();
        let digits = rest[letters..]
            .chars()
            .take_while(char::is_ascii_digit)
            .count();
        let cell = (0..letters).find_map(|skip| {
            let found = program.board.cell_named(&rest[skip..letters + digits])?;
            (rest[..skip].is_empty() || rest[..skip] == *"x").then_some(found)
        });
        if let Some(cell) = cell.filter(|_| digits > 0) {
            cells.push(cell);
            rest = &rest[letters + digits..];
        } else if sign.is_alphanumeric() && sign != 'x' {
            let known = program.kinds.iter().any(|kind| kind.letter == sign);
            if cells.len() != 2 || letter.is_some() || !known {
                return None;
            }
            letter = Some(sign);
            rest = &rest[sign.len_utf8()..];
        } else {
            rest = &rest[sign.len_utf8()..];
        }
    }
    match cells.as_slice() {
        [from, to] => Some((*from, *to, letter)),
        _ => None,
    }
}

/// What can be seen of the game at once.
fn shape(program: &Program) -> Result<(), String> {
    let board = &program.board;
    let rows = board.rows_top_down();
    let wide = rows.first().map_or(0, Vec::len);
    let named = rows.iter().rev().enumerate().all(|(row, cells)| {
        cells.iter().enumerate().all(|(column, cell)| {
            let letter = u8::try_from(column).map_or('?', |c| char::from(b'a'.saturating_add(c)));
            board.name(*cell) == format!("{letter}{}", row + 1)
        })
    });
    if !named || wide > 26 || rows.iter().any(|row| row.len() != wide) {
        return Err("its board is not rows of squares from `a1`".to_owned());
    }
    if program.stacking || program.hands {
        return Err("it has stacks or hands, for which FEN has no field".to_owned());
    }
    if program.points.len() > 1 {
        return Err("a turn may be more than one action".to_owned());
    }
    let initials: Vec<char> = program
        .players
        .iter()
        .filter_map(|player| player.name.chars().next())
        .map(|sign| sign.to_ascii_lowercase())
        .collect();
    if initials != ['w', 'b'] {
        return Err("its players are not called with `w` and `b`, in this order".to_owned());
    }
    if program.kinds.iter().any(|kind| kind.neutral) {
        return Err("it has pieces that are nobody's".to_owned());
    }
    Ok(())
}

/// Which value is which field, by what they hold.
fn slots(program: &Program) -> Result<Fen, String> {
    let mut fen = Fen {
        rights: None,
        passed: None,
        quiet: None,
        turns: program.system.turns,
    };
    for (at, var) in program.vars.iter().enumerate() {
        let id = VarId(u16::try_from(at).unwrap_or(u16::MAX));
        if var.life != Life::Game || fen.turns == Some(id) {
            continue;
        }
        let slot = match (var.ty, var.per) {
            (VarType::Cells, Per::Game) => &mut fen.rights,
            (VarType::Cell, Per::Game) => &mut fen.passed,
            (VarType::Number, Per::Game) => &mut fen.quiet,
            _ => {
                return Err(format!(
                    "it keeps `{}`, for which FEN has no field",
                    var.name
                ));
            }
        };
        if let Some(other) = slot.replace(id) {
            return Err(format!(
                "it keeps both `{}` and `{}`, and FEN has one field for them",
                program.var(other).name,
                var.name
            ));
        }
    }
    Ok(fen)
}
