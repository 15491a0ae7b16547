//! One line into a state, the way back from `print`. Every way to get it wrong is told with its column.

use crate::board::{Cell, Cells as BoardCells, Direction, Directions};
use crate::engine::errors::PositionError;
use crate::engine::eval::Run;
use crate::engine::print::player_sign;
use crate::engine::state::{PieceAt, State, pack};
use crate::program::{
    KindId, MOST, Per, PlayerId, Program, SignError, Var, VarType, WORD_AGAIN, WORD_LAST,
    WORD_MOVER, WORD_POINT, WORD_SEATS, piece_sign, read_pieces,
};

type Fallible<T> = Result<T, PositionError>;

/// A part of the line between spaces, with its column.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    column: usize,
}

fn wrong<T>(column: usize, message: impl Into<String>, help: impl Into<String>) -> Fallible<T> {
    let help: String = help.into();
    Err(PositionError {
        column,
        message: message.into(),
        help: (!help.is_empty()).then_some(help),
    })
}

/// Reads a line. The hashes of the state are left at 0.
pub fn line(program: &Program, text: &str) -> Fallible<State> {
    let mut words = split(text).into_iter();
    let end = text.chars().count() + 1;
    let Some(board) = words.next() else {
        return wrong(1, "the position is empty", example(program));
    };
    let mut reader = Reader {
        program,
        words: initial_words(program),
        piles: vec![Vec::new(); program.board.len() + 1],
    };
    reader.board(board)?;
    let Some(mover) = words.next() else {
        return wrong(end, "the player to move is missing", players(program));
    };
    reader.mover(mover)?;
    if program.hands {
        match words.next() {
            Some(hands) if !hands.text.contains('=') => reader.hands(hands)?,
            Some(other) => {
                return wrong(
                    other.column,
                    "the hands are missing",
                    "write, for example, `-` when both are empty",
                );
            }
            None => {
                return wrong(
                    end,
                    "the hands are missing",
                    "write, for example, `-` when both are empty",
                );
            }
        }
    }
    let rest: Vec<Word<'_>> = words.collect();
    reader.values(&rest)?;
    reader.finish()
}

fn split(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut column = 1;
    for part in text.split(' ') {
        if !part.is_empty() {
            words.push(Word { text: part, column });
        }
        column += part.chars().count() + 1;
    }
    words
}

fn example(program: &Program) -> String {
    let rows: Vec<String> = program
        .board
        .rows_top_down()
        .iter()
        .map(|r| r.len().to_string())
        .collect();
    format!("the empty board is `{}`", rows.join("/"))
}

fn players(program: &Program) -> String {
    let list: Vec<String> = (0..program.players.len())
        .map(|p| player_sign(program, PlayerId(u8::try_from(p).unwrap_or(0))))
        .collect();
    format!("the players are {}", list.join(", "))
}

fn initial_words(program: &Program) -> Vec<u64> {
    let mut words = vec![0; program.layout.state];
    for var in program.vars.iter().filter(|v| v.in_state()) {
        words[var.offset..var.offset + var.initial.len()].copy_from_slice(&var.initial);
    }
    words
}

struct Reader<'p> {
    program: &'p Program,
    words: Vec<u64>,
    piles: Vec<Vec<PieceAt>>,
}

impl Reader<'_> {
    fn board(&mut self, word: Word<'_>) -> Fallible<()> {
        let rows = self.program.board.rows_top_down();
        let texts: Vec<&str> = word.text.split('/').collect();
        if texts.len() != rows.len() {
            let message = format!(
                "the board has {} rows, the position {}",
                rows.len(),
                texts.len()
            );
            // Behind the last row, or where the first row too many begins.
            let kept = texts.iter().take(rows.len().min(texts.len()));
            let column = word.column + kept.map(|t| t.chars().count() + 1).sum::<usize>();
            let column = if texts.len() < rows.len() {
                column - 1
            } else {
                column
            };
            return wrong(column, message, example(self.program));
        }
        let mut column = word.column;
        for (row, text) in rows.iter().zip(texts) {
            self.row(row, text, column)?;
            column += text.chars().count() + 1;
        }
        Ok(())
    }

    fn row(&mut self, row: &[Cell], text: &str, column: usize) -> Fallible<()> {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let mut cells = row.iter();
        let full = |at: usize| {
            wrong(
                column + at,
                format!("the row has only {} cells", row.len()),
                "",
            )
        };
        let mut count = 0;
        while at < chars.len() {
            let start = at;
            if chars[at].is_ascii_digit() {
                while at < chars.len() && chars[at].is_ascii_digit() {
                    at += 1;
                }
                let digits: String = chars[start..at].iter().collect();
                let empty = digits.parse::<usize>().unwrap_or(usize::MAX);
                if empty == 0 || digits.starts_with('0') {
                    return wrong(column + start, "a run of no cells", "leave the 0 out");
                }
                if empty > row.len() - count {
                    return full(start);
                }
                count += empty;
                for _ in 0..empty {
                    cells.next();
                }
                continue;
            }
            let signs: String = if chars[at] == '(' {
                let Some(len) = chars[at..].iter().position(|c| *c == ')') else {
                    return wrong(
                        column + start,
                        "the stack is never closed",
                        "write `)` behind its top piece",
                    );
                };
                at += len + 1;
                chars[start + 1..at - 1].iter().collect()
            } else {
                at += 1;
                while at < chars.len() && chars[at] == '\'' {
                    at += 1;
                }
                chars[start..at].iter().collect()
            };
            let inner = column + start + usize::from(chars[start] == '(');
            let pieces = self.pieces(&signs, inner)?;
            if pieces.is_empty() {
                return wrong(
                    column + start,
                    "an empty stack",
                    "write a number for empty cells",
                );
            }
            if pieces.len() > 1 && !self.program.stacking {
                return wrong(column + start, "the board holds one piece a cell", "");
            }
            let Some(cell) = cells.next() else {
                return full(start);
            };
            count += 1;
            self.piles[usize::from(cell.0)] = pieces;
        }
        if count < row.len() {
            return wrong(
                column + at,
                format!("the row has {} cells, here are {count}", row.len()),
                "write the number of empty cells at its end",
            );
        }
        Ok(())
    }

    fn pieces(&self, signs: &str, column: usize) -> Fallible<Vec<PieceAt>> {
        match read_pieces(signs, &self.program.kinds, self.program.players.len()) {
            Ok(list) => Ok(list
                .into_iter()
                .map(|(kind, owner)| PieceAt { kind, owner })
                .collect()),
            Err(SignError {
                sign,
                at,
                count: true,
            }) => wrong(
                column + at,
                format!("the number behind `{sign}` is 0 or too large"),
                format!("it counts from 1 to {MOST}"),
            ),
            Err(SignError { sign, at, .. }) => {
                let known: Vec<String> = self
                    .program
                    .kinds
                    .iter()
                    .map(|k| {
                        if k.neutral {
                            k.letter.to_string()
                        } else {
                            format!("{} {}", k.letter, k.letter.to_ascii_lowercase())
                        }
                    })
                    .collect();
                wrong(
                    column + at,
                    format!("no piece has the sign `{sign}`"),
                    format!("the signs are {}", known.join(" ")),
                )
            }
        }
    }

    fn mover(&mut self, word: Word<'_>) -> Fallible<()> {
        match self.player(word.text) {
            Some(p) => {
                self.words[WORD_MOVER] = u64::from(p.0);
                Ok(())
            }
            None => wrong(
                word.column,
                format!("`{}` is no player", word.text),
                players(self.program),
            ),
        }
    }

    fn player(&self, text: &str) -> Option<PlayerId> {
        let ids = (0..self.program.players.len()).map(|p| PlayerId(u8::try_from(p).unwrap_or(0)));
        ids.into_iter().find(|p| {
            let name = &self.program.players[usize::from(p.0)].name;
            name.eq_ignore_ascii_case(text)
                || player_sign(self.program, *p).eq_ignore_ascii_case(text)
        })
    }

    fn hands(&mut self, word: Word<'_>) -> Fallible<()> {
        if word.text == "-" {
            return Ok(());
        }
        let kinds = self.program.kinds.len();
        let mut seen: Vec<PieceAt> = Vec::new();
        for piece in self.pieces(word.text, word.column)? {
            let Some(owner) = piece.owner else {
                return wrong(word.column, "a neutral piece is in nobody's hand", "");
            };
            if seen.last() != Some(&piece) {
                if seen.contains(&piece) {
                    let sign =
                        piece_sign(&self.program.kinds[usize::from(piece.kind.0)], piece.owner);
                    return wrong(
                        word.column,
                        format!("`{sign}` stands twice in the hands"),
                        "add the numbers",
                    );
                }
                seen.push(piece);
            }
            self.words[self.program.layout.hands
                + usize::from(owner.0) * kinds
                + usize::from(piece.kind.0)] += 1;
        }
        Ok(())
    }

    fn values(&mut self, list: &[Word<'_>]) -> Fallible<()> {
        let mut seen: Vec<&str> = Vec::new();
        let mut point = 0;
        for word in list {
            let Some((name, value)) = word.text.split_once('=') else {
                return wrong(
                    word.column,
                    format!("`{}` is no value", word.text),
                    "values are written `name=value`",
                );
            };
            if seen.contains(&name) {
                return wrong(word.column, format!("`{name}` stands twice"), "");
            }
            seen.push(name);
            let at = word.column + name.chars().count() + 1;
            match name {
                "at" => point = self.point(value, at)?,
                "up" if self.program.stacking => {
                    let signs = value
                        .strip_prefix('(')
                        .and_then(|v| v.strip_suffix(')'))
                        .unwrap_or(value);
                    let up = self.program.board.len();
                    self.piles[up] = self.pieces(signs, at)?;
                    if self.piles[up].is_empty() {
                        return wrong(at, "nothing is up", "leave `up=` out");
                    }
                }
                "seats" if value == "exchanged" => self.words[WORD_SEATS] = 1,
                "again" if value == "yes" => self.words[WORD_AGAIN] = 1,
                "last" => match self.player(value) {
                    Some(p) => self.words[WORD_LAST] = u64::from(p.0) + 1,
                    None => {
                        return wrong(at, format!("`{value}` is no player"), players(self.program));
                    }
                },
                _ => self.variable(name, value, word.column, at)?,
            }
        }
        self.carried(list, point)
    }

    /// In the middle of a turn, and only there, stand the values that are carried.
    fn carried(&self, list: &[Word<'_>], point: usize) -> Fallible<()> {
        let here = &self.program.points[point].carried;
        for word in list {
            let name = word.text.split('=').next().unwrap_or("");
            let var = self
                .program
                .vars
                .iter()
                .position(|v| v.name == name && v.carried);
            if let Some(var) = var
                && !here.iter().any(|v| usize::from(v.0) == var)
            {
                let place = if point == 0 {
                    "at the start of a turn".to_owned()
                } else {
                    format!("before `{}`", self.program.points[point].name)
                };
                return wrong(
                    word.column,
                    format!("`{name}` is not kept {place}"),
                    "take it out, or say with `at=…` where the turn stands",
                );
            }
        }
        if point == 0 && !self.piles[self.program.board.len()].is_empty() {
            let column = list
                .iter()
                .find(|w| w.text.starts_with("up="))
                .map_or(1, |w| w.column);
            return wrong(
                column,
                "nothing is up at the start of a turn",
                "take it out, or say with `at=…` where the turn stands",
            );
        }
        Ok(())
    }

    fn point(&mut self, value: &str, column: usize) -> Fallible<usize> {
        let found = self
            .program
            .points
            .iter()
            .skip(1)
            .position(|p| p.name == value);
        match found {
            Some(at) => {
                self.words[WORD_POINT] = at as u64 + 1;
                Ok(at + 1)
            }
            None => {
                let names: Vec<&str> = self
                    .program
                    .points
                    .iter()
                    .skip(1)
                    .map(|p| p.name.as_str())
                    .collect();
                let help = if names.is_empty() {
                    "in this game a turn is one action".to_owned()
                } else {
                    format!("a turn may stand at {}", names.join(", "))
                };
                wrong(column, format!("no turn stands at `{value}`"), help)
            }
        }
    }

    fn variable(&mut self, name: &str, value: &str, column: usize, at: usize) -> Fallible<()> {
        let Some(var) = self
            .program
            .vars
            .iter()
            .find(|v| v.in_state() && v.name == name)
        else {
            let known: Vec<&str> = self
                .program
                .vars
                .iter()
                .filter(|v| v.in_state())
                .map(|v| v.name.as_str())
                .collect();
            let help = if known.is_empty() {
                "the game keeps nothing else".to_owned()
            } else {
                format!("the game keeps {}", known.join(", "))
            };
            return wrong(
                column,
                format!("nothing is kept under the name `{name}`"),
                help,
            );
        };
        let words = match var.per {
            Per::Game => self.one(var.ty, value, at)?,
            Per::Player => {
                let parts: Vec<&str> = value.split('/').collect();
                if parts.len() != var.count {
                    return wrong(
                        at,
                        format!(
                            "expected {} values, one for each player, joined by `/`",
                            var.count
                        ),
                        "",
                    );
                }
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.one(var.ty, part, at)?);
                }
                all
            }
            Per::Cell => self.per_cell(var, value, at)?,
        };
        let offset = var.offset;
        self.words[offset..offset + words.len()].copy_from_slice(&words);
        Ok(())
    }

    fn per_cell(&self, var: &Var, value: &str, at: usize) -> Fallible<Vec<u64>> {
        let mut words = var.initial.clone();
        for part in value.split(',') {
            let Some((cell, n)) = part.split_once(':') else {
                return wrong(at, "values of cells are written `cell:value`", "");
            };
            let cell = self.cell(cell, at)?;
            words[usize::from(cell.0)] = self.one(var.ty, n, at)?.first().copied().unwrap_or(0);
        }
        Ok(words)
    }

    fn cell(&self, text: &str, at: usize) -> Fallible<Cell> {
        match self.program.board.cell_named(text) {
            Some(c) => Ok(c),
            None => wrong(at, format!("the board has no cell `{text}`"), ""),
        }
    }

    fn way(&self, text: &str, at: usize) -> Fallible<Direction> {
        match self.program.board.direction_named(text) {
            Some(d) => Ok(d),
            None => wrong(at, format!("the board has no direction `{text}`"), ""),
        }
    }

    /// The words of one value.
    fn one(&self, ty: VarType, value: &str, at: usize) -> Fallible<Vec<u64>> {
        let stride = ty.words(self.program.layout.words);
        let word = match ty {
            VarType::Number => match value.parse::<i64>() {
                Ok(n) => n.cast_unsigned(),
                Err(_) => return wrong(at, format!("`{value}` is no number"), ""),
            },
            VarType::Truth => match value {
                "yes" => 1,
                "no" => 0,
                _ => return wrong(at, format!("`{value}` is neither yes nor no"), ""),
            },
            VarType::Cell if value == "nowhere" => 0,
            VarType::Cell => u64::from(self.cell(value, at)?.0) + 1,
            VarType::Cells | VarType::Groups => {
                let mut set = BoardCells::EMPTY;
                for name in value.split(',').filter(|_| value != "none") {
                    set.insert(self.cell(name, at)?);
                }
                return Ok(set.words()[..stride].to_vec());
            }
            VarType::Run
            | VarType::Direction
            | VarType::Directions
            | VarType::Player
            | VarType::Kind
                if value == "none" =>
            {
                0
            }
            VarType::Run => {
                let parts: Vec<&str> = value.split(':').collect();
                let [start, way, length] = parts.as_slice() else {
                    return wrong(at, "a run is written `cell:direction:length`", "");
                };
                let Ok(length) = length.parse::<u16>() else {
                    return wrong(at, format!("`{length}` is no length"), "");
                };
                Run {
                    start: self.cell(start, at)?,
                    way: self.way(way, at)?,
                    length,
                }
                .word()
            }
            VarType::Direction => u64::from(self.way(value, at)?.0) + 1,
            VarType::Directions => {
                let mut set = Directions::EMPTY;
                for name in value.split(',') {
                    set.insert(self.way(name, at)?);
                }
                set.0
            }
            VarType::Player => match self.player(value) {
                Some(p) => u64::from(p.0) + 1,
                None => return wrong(at, format!("`{value}` is no player"), players(self.program)),
            },
            VarType::Kind => match self.program.kinds.iter().position(|k| k.name == value) {
                Some(k) => k as u64 + 1,
                None => return wrong(at, format!("`{value}` is no piece kind"), ""),
            },
        };
        Ok(vec![word])
    }

    /// The sets and piles of the state.
    fn finish(mut self) -> Fallible<State> {
        let layout = &self.program.layout;
        for cell in 0..self.program.board.len() {
            let Some(&PieceAt {
                owner,
                kind: KindId(kind),
            }) = self.piles[cell].last()
            else {
                continue;
            };
            let (word, bit) = (cell / 64, 1u64 << (cell % 64));
            self.words[layout.occupied + word] |= bit;
            self.words[layout.kinds + usize::from(kind) * layout.words + word] |= bit;
            if let Some(p) = owner {
                self.words[layout.owned + usize::from(p.0) * layout.words + word] |= bit;
            }
        }
        if self.program.stacking {
            if self.piles.iter().any(|p| p.len() > 0xFFFF) {
                return wrong(1, "a stack is too high", "");
            }
            pack(
                self.piles
                    .iter()
                    .map(|p| u16::try_from(p.len()).unwrap_or(0)),
                &mut self.words,
            );
            pack(
                self.piles.iter().flatten().map(|p| p.code()),
                &mut self.words,
            );
        }
        Ok(State {
            words: self.words.into_boxed_slice(),
        })
    }
}
