//! Spaces between the tokens of a line. In: lines. Out: how many spaces stand before each token, columns aside.

use crate::syntax::format::tokens::{Block, Kind, Line, Token};
use crate::syntax::grammar::RESERVED;

/// Texts of options and comments behind code keep so far off.
pub const ASIDE: usize = 4;

/// Signs that stand between spaces, or whose place is ruled here.
const KNOWN: &[&str] = &[
    "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "|", "[", "]", "{", "}", "(", ")", ",",
    ";", "..",
];

/// How many spaces stand before each token of each line.
pub fn spaces(lines: &[Line<'_>]) -> Vec<Vec<usize>> {
    let all: Vec<Token<'_>> = lines
        .iter()
        .flat_map(|l| l.code().iter().copied())
        .collect();
    let tight = tight(&all);
    let mut open: Vec<Block> = Vec::new();
    let mut at = 0;
    let mut found = Vec::with_capacity(lines.len());
    for line in lines {
        let mut row = Vec::with_capacity(line.tokens.len());
        // Scores may be negative, and are no difference.
        let scores = line.tokens.first().is_some_and(|t| t.is_word("outcome"));
        for (place, token) in line.tokens.iter().enumerate() {
            if token.kind == Kind::Comment {
                row.push(if place == 0 { 0 } else { ASIDE });
                continue;
            }
            row.push(match place {
                0 => 0,
                _ if scores && all[at - 1].is_sign("-") => 0,
                _ => gap(&all[..=at], open.last().copied(), &tight),
            });
            match token.opens {
                Some(block) => open.push(block),
                None if token.closes() => drop(open.pop()),
                None => {}
            }
            at += 1;
        }
        found.push(row);
    }
    found
}

/// The spaces before the last of some tokens, which stands within a block.
fn gap(all: &[Token<'_>], within: Option<Block>, tight: &[bool]) -> usize {
    let [before @ .., prev, next] = all else {
        return 0;
    };
    let at = all.len() - 1;
    let raw = |t: &Token<'_>| matches!(t.kind, Kind::Action | Kind::Row);
    let strange = |t: &Token<'_>| t.kind == Kind::Sign && !KNOWN.contains(&t.text);
    let none = [",", ";", ")", ".."].iter().any(|s| next.is_sign(s))
        || prev.is_sign("(")
        || (prev.is_sign("{") && next.is_sign("}"));
    let joined = tight[at] || tight[at - 1] || (prev.is_sign("-") && is_unary(before));
    if raw(prev) || raw(next) {
        1
    } else if none {
        0
    } else if prev.is_sign("..") {
        usize::from(open_end(next, within))
    } else if joined {
        0
    } else if strange(prev) || strange(next) {
        usize::from(next.spaced)
    } else if next.is_sign("(") && prev.kind == Kind::Word {
        before_bracket(before, prev, next)
    } else {
        1
    }
}

/// Whether a range ends with its dots: `0.. empty`, `need.. cells`.
fn open_end(next: &Token<'_>, within: Option<Block>) -> bool {
    let word = next.kind == Kind::Word;
    match within {
        Some(Block::Square) => {
            (word && !is_letter(next))
                || next.kind == Kind::Sign && !next.is_sign("(") && !next.is_sign("-")
        }
        _ => word && ["steps", "cells"].contains(&next.text),
    }
}

/// A single small letter counts.
fn is_letter(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && token.text.len() == 1
        && token.text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Before `(`: a word with values has none, a word before brackets has one.
fn before_bracket(before: &[Token<'_>], prev: &Token<'_>, next: &Token<'_>) -> usize {
    let behind = |words: &[&str]| {
        before
            .last()
            .is_some_and(|t| t.kind == Kind::Word && words.contains(&t.text))
    };
    if behind(&["rule", "define"]) {
        return 0;
    }
    let extreme = ["most", "least"].contains(&prev.text) && behind(&["with", "preferring", "at"]);
    let whole = prev.is_word("whole")
        && before
            .last()
            .is_some_and(|t| t.is_sign("[") || t.is_sign("|"));
    if RESERVED.contains(&prev.text) || extreme || whole {
        1
    } else {
        usize::from(next.spaced)
    }
}

/// Whether a minus behind these tokens is a sign of its value.
fn is_unary(before: &[Token<'_>]) -> bool {
    match before.last() {
        None => true,
        Some(t) if t.kind == Kind::Word => {
            RESERVED.contains(&t.text) || ["most", "least"].contains(&t.text)
        }
        Some(t) => t.kind == Kind::Sign && !t.closes(),
    }
}

/// Signs that join the parts of a range's end, or of a count: `1..n-1`, `n-1 enemy`.
fn tight(all: &[Token<'_>]) -> Vec<bool> {
    let mut tight = vec![false; all.len()];
    let mut open: Vec<Block> = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let square = open.last() == Some(&Block::Square);
        if token.is_sign("..") {
            rightwards(all, at + 1, |_| true, &mut tight);
            leftwards(all, at, &mut tight);
        }
        if token.is_sign("[") || (square && token.is_sign("|")) {
            let whole = all.get(at + 1).is_some_and(|t| t.is_word("whole"));
            let counts = |t: &Token<'_>| t.kind != Kind::Word || is_letter(t);
            rightwards(all, at + 1 + usize::from(whole), counts, &mut tight);
        }
        match token.opens {
            Some(block) => open.push(block),
            None if token.closes() => drop(open.pop()),
            None => {}
        }
    }
    tight
}

fn is_arithmetic(token: &Token<'_>) -> bool {
    ["+", "-", "*", "/"].iter().any(|s| token.is_sign(s))
}

fn is_value(token: &Token<'_>) -> bool {
    token.kind == Kind::Number || (token.kind == Kind::Word && !RESERVED.contains(&token.text))
}

/// Marks the signs of a sum that begins at a token.
fn rightwards(
    all: &[Token<'_>],
    mut at: usize,
    counts: impl Fn(&Token<'_>) -> bool,
    tight: &mut [bool],
) {
    while let Some(token) = all.get(at) {
        if is_value(token) && counts(token) {
            at += 1;
            if token.kind == Kind::Word && all.get(at).is_some_and(|t| t.is_sign("(") && !t.spaced)
            {
                at = behind(all, at);
            }
        } else if token.is_sign("(") {
            at = behind(all, at);
        } else {
            return;
        }
        match all.get(at) {
            Some(sign) if is_arithmetic(sign) => tight[at] = true,
            _ => return,
        }
        at += 1;
    }
}

/// Marks the signs of a sum that ends before a token.
fn leftwards(all: &[Token<'_>], end: usize, tight: &mut [bool]) {
    let mut at = end;
    while let Some(token) = at.checked_sub(1).and_then(|last| all.get(last)) {
        if token.is_sign(")") {
            at = before(all, at - 1);
            let call = at.checked_sub(1).and_then(|name| all.get(name));
            if call.is_some_and(is_value) && !all[at].spaced {
                at -= 1;
            }
        } else if is_value(token) {
            at -= 1;
        } else {
            return;
        }
        match at.checked_sub(1) {
            Some(sign) if is_arithmetic(&all[sign]) && !is_unary(&all[..sign]) => {
                tight[sign] = true
            }
            _ => return,
        }
        at -= 1;
    }
}

/// The place behind the bracket that closes the one at a place.
fn behind(all: &[Token<'_>], at: usize) -> usize {
    let mut depth = 0usize;
    for (place, token) in all.iter().enumerate().skip(at) {
        if token.opens.is_some() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return place + 1;
            }
        }
    }
    all.len()
}

/// The place of the bracket that the one at a place closes.
fn before(all: &[Token<'_>], at: usize) -> usize {
    let mut depth = 0usize;
    for place in (0..=at).rev() {
        if all[place].closes() {
            depth += 1;
        } else if all[place].opens.is_some() {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return place;
            }
        }
    }
    0
}
