//! The signs of pieces: upper case for the first player, lower case for the second; from the third on, an apostrophe for
//! every two players before (`S'`, `s'`, `S''`). Neutral pieces have a sign of their own. A number behind a sign repeats it.

use crate::program::{KindId, KindInfo, PlayerId};

/// The largest number behind a sign.
pub const MOST: usize = 0xFFFF;

/// The most pieces of a kind in a hand that a position tells; no game comes near it.
pub const MOST_IN_HAND: u64 = i64::MAX.cast_unsigned();

/// The sign of a piece.
#[must_use]
pub fn piece_sign(kind: &KindInfo, owner: Option<PlayerId>) -> String {
    let Some(PlayerId(player)) = owner else {
        return kind.letter.to_string();
    };
    let letter = if player % 2 == 0 {
        kind.letter
    } else {
        kind.letter.to_ascii_lowercase()
    };
    format!("{letter}{}", "'".repeat(usize::from(player / 2)))
}

/// The signs of a stack from the bottom, with counts for repeats: `S4`, `ssS`.
#[must_use]
pub fn stack_signs(pieces: &[(KindId, Option<PlayerId>)], kinds: &[KindInfo]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < pieces.len() {
        let same = pieces[at..]
            .iter()
            .take_while(|p| **p == pieces[at])
            .count();
        let (kind, owner) = pieces[at];
        let sign = piece_sign(&kinds[kind.0 as usize], owner);
        match same {
            1 | 2 => out.push_str(&sign.repeat(same)),
            _ => out.push_str(&format!("{sign}{same}")),
        }
        at += same;
    }
    out
}

/// What is wrong with the signs of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignError {
    /// The sign, or the one whose number is wrong.
    pub sign: char,
    /// How many apostrophes stand behind it.
    pub ticks: usize,
    /// Where, in characters from 0.
    pub at: usize,
    /// Whether the sign is right and the number behind it is not.
    pub count: bool,
}

impl SignError {
    /// The sign as it is written, with its apostrophes.
    #[must_use]
    pub fn written(&self) -> String {
        format!("{}{}", self.sign, "'".repeat(self.ticks))
    }
}

/// Some pieces of one kind and owner, as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Their kind.
    pub kind: KindId,
    /// Whose they are.
    pub owner: Option<PlayerId>,
    /// How many.
    pub count: u64,
    /// Where their sign stands, in characters from 0.
    pub at: usize,
}

/// Reads signs with counts, from the bottom, one piece after the other.
///
/// # Errors
/// The first sign that belongs to no piece, or whose number begins with 0 or is too large.
pub fn read_pieces(
    text: &str,
    kinds: &[KindInfo],
    players: usize,
) -> Result<Vec<(KindId, Option<PlayerId>)>, SignError> {
    let counted = read_counted(text, kinds, players, MOST as u64)?;
    let each = |c: &Counted| std::iter::repeat_n((c.kind, c.owner), c.count as usize);
    Ok(counted.iter().flat_map(each).collect())
}

/// Reads signs with counts, of which each is at most `most`.
///
/// # Errors
/// The first sign that belongs to no piece, or whose number begins with 0 or is too large.
pub fn read_counted(
    text: &str,
    kinds: &[KindInfo],
    players: usize,
    most: u64,
) -> Result<Vec<Counted>, SignError> {
    let mut pieces = Vec::new();
    let mut signs = text.chars().peekable();
    let mut next = 0;
    while let Some(sign) = signs.next() {
        let mut wrong = SignError {
            sign,
            ticks: 0,
            at: next,
            count: false,
        };
        next += 1;
        let at = kinds
            .iter()
            .position(|k| k.letter == sign || (!k.neutral && k.letter.to_ascii_lowercase() == sign))
            .ok_or(wrong)?;
        let mut player = usize::from(sign.is_ascii_lowercase());
        while signs.next_if_eq(&'\'').is_some() {
            player += 2;
            next += 1;
            wrong.ticks += 1;
        }
        if player >= players {
            return Err(wrong);
        }
        let number = SignError {
            at: next,
            count: true,
            ..wrong
        };
        let mut digits = String::new();
        while let Some(d) = signs.next_if(char::is_ascii_digit) {
            digits.push(d);
            next += 1;
        }
        let count = if digits.is_empty() {
            1
        } else {
            let read = digits.parse::<u64>().ok();
            read.filter(|n| (1..=most).contains(n) && !digits.starts_with('0'))
                .ok_or(number)?
        };
        let owner = if kinds[at].neutral {
            None
        } else {
            Some(PlayerId(u8::try_from(player).unwrap_or(0)))
        };
        let kind = KindId(u8::try_from(at).unwrap_or(0));
        pieces.push(Counted {
            kind,
            owner,
            count,
            at: wrong.at,
        });
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::{KindInfo, SignError, read_pieces, stack_signs};

    #[test]
    fn stacks_read_as_they_are_written() {
        let kinds = [KindInfo {
            name: "stone".into(),
            letter: 'S',
            neutral: false,
        }];
        for text in ["S", "s", "ssS", "S4", "s3SS", "S'", "ss'4"] {
            let pieces = read_pieces(text, &kinds, 4).unwrap();
            assert_eq!(stack_signs(&pieces, &kinds), *text);
        }
        let wrong = |signs: &str, at, count| {
            Err(SignError {
                sign: signs.chars().next().unwrap(),
                ticks: signs.len() - 1,
                at,
                count,
            })
        };
        assert_eq!(read_pieces("Sx", &kinds, 2), wrong("x", 1, false));
        assert_eq!(read_pieces("S'", &kinds, 2), wrong("S'", 0, false));
        assert_eq!(read_pieces("sS0", &kinds, 2), wrong("S", 2, true));
        assert_eq!(
            read_pieces("S99999999999999999999", &kinds, 2),
            wrong("S", 1, true)
        );
    }
}
