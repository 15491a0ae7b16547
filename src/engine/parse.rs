//! One line into a state, the way back from `print`. Every way to get it wrong is told with its column.

use crate::board::Cell;
use crate::engine::errors::PositionError;
use crate::engine::print::player_sign;
use crate::engine::state::{PieceAt, State, pack};
use crate::program::{
    Counted, KindId, KindInfo, MOST, MOST_IN_HAND, PlayerId, Program, WORD_MOVER, piece_sign,
    read_counted,
};

pub type Fallible<T> = Result<T, PositionError>;

/// A part of the line between spaces, with its column.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    /// The text.
    pub text: &'a str,
    /// Its column, in characters from 1.
    pub column: usize,
}

pub fn wrong<T>(column: usize, message: impl Into<String>, help: impl Into<String>) -> Fallible<T> {
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
                    "write, for example, `-` when all are empty",
                );
            }
            None => {
                return wrong(
                    end,
                    "the hands are missing",
                    "write, for example, `-` when all are empty",
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

pub fn players(program: &Program) -> String {
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

pub struct Reader<'p> {
    pub program: &'p Program,
    pub words: Vec<u64>,
    pub piles: Vec<Vec<PieceAt>>,
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

    /// A stack from the bottom.
    pub fn pieces(&self, signs: &str, column: usize) -> Fallible<Vec<PieceAt>> {
        let mut pieces = Vec::new();
        for more in self.counted(signs, MOST as u64, column)? {
            if pieces.len() + more.count as usize > MOST {
                let help = format!("a stack has at most {MOST} pieces");
                return wrong(column + more.at, "the stack is too high", help);
            }
            let Counted { kind, owner, .. } = more;
            pieces.extend(std::iter::repeat_n(
                PieceAt { kind, owner },
                more.count as usize,
            ));
        }
        Ok(pieces)
    }

    fn counted(&self, signs: &str, most: u64, column: usize) -> Fallible<Vec<Counted>> {
        let (kinds, players) = (&self.program.kinds, self.program.players.len());
        let error = match read_counted(signs, kinds, players, most) {
            Ok(pieces) => return Ok(pieces),
            Err(error) => error,
        };
        let (sign, column) = (error.written(), column + error.at);
        if error.count {
            return wrong(
                column,
                format!("the number behind `{sign}` begins with 0 or is too large"),
                format!("it counts from 1 to {most}"),
            );
        }
        let owners = (0..players).map(|p| PlayerId(u8::try_from(p).unwrap_or(0)));
        let owners: Vec<PlayerId> = owners.collect();
        let signs_of = |k: &KindInfo| match k.neutral {
            true => vec![piece_sign(k, None)],
            false => owners.iter().map(|p| piece_sign(k, Some(*p))).collect(),
        };
        let known: Vec<String> = kinds.iter().flat_map(signs_of).collect();
        wrong(
            column,
            format!("no piece has the sign `{sign}`"),
            format!("the signs are {}", known.join(" ")),
        )
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

    pub fn player(&self, text: &str) -> Option<PlayerId> {
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
        let mut seen: Vec<(KindId, PlayerId)> = Vec::new();
        for more in self.counted(word.text, MOST_IN_HAND, word.column)? {
            let column = word.column + more.at;
            let Some(owner) = more.owner else {
                return wrong(column, "a neutral piece is in nobody's hand", "");
            };
            if seen.contains(&(more.kind, owner)) {
                let kind = &self.program.kinds[usize::from(more.kind.0)];
                let sign = piece_sign(kind, Some(owner));
                let message = format!("`{sign}` stands twice in the hands");
                return wrong(column, message, "add the numbers");
            }
            seen.push((more.kind, owner));
            let slot = usize::from(owner.0) * kinds + usize::from(more.kind.0);
            self.words[self.program.layout.hands + slot] = more.count;
        }
        Ok(())
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
