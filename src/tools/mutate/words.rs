//! Which word or sign may stand for which other one, and where a word stands in a part of a text. Tables, and a small search
//! that passes over comments and quoted texts.

use crate::base::Span;
use crate::syntax::ast::{EndResult, Extreme, Infix, Prefix};

/// Words for cells and directions, each with what is written instead.
const SIBLINGS: &[(&str, &[&str])] = &[
    ("own", &["enemy", "empty"]),
    ("enemy", &["own", "empty"]),
    ("empty", &["own", "enemy"]),
    ("orthogonal", &["diagonal"]),
    ("diagonal", &["orthogonal"]),
    ("forward", &["backward", "directions"]),
    ("backward", &["forward", "directions"]),
];

/// What may be written for a word that stands alone, or before `of`.
pub fn siblings(word: &str) -> &'static [&'static str] {
    let row = SIBLINGS.iter().find(|(name, _)| *name == word);
    row.map_or(&[], |(_, others)| *others)
}

/// What may be written for a sign or word between two values.
pub fn infix(op: Infix) -> &'static [&'static str] {
    match op {
        Infix::Or => &["and"],
        Infix::And => &["or"],
        Infix::Less => &["<=", ">"],
        Infix::AtMost => &["<", ">="],
        Infix::More => &[">=", "<"],
        Infix::AtLeast => &[">", "<="],
        Infix::Equal => &["!=", ">=", "<="],
        Infix::NotEqual => &["="],
        Infix::NotIn => &["in"],
        Infix::Except
        | Infix::In
        | Infix::Add
        | Infix::Subtract
        | Infix::Multiply
        | Infix::Divide
        | Infix::Remainder => &[],
    }
}

/// What may be written for a word before a value; nothing at all is a choice too.
pub fn prefix(op: Prefix) -> &'static [&'static str] {
    match op {
        Prefix::Not => &[""],
        Prefix::Some => &["no", "all"],
        Prefix::No => &["some"],
        Prefix::All => &["some", "no"],
        Prefix::Minus => &[],
    }
}

/// The word of an extreme, and the other one.
pub fn extreme(extreme: Extreme) -> (&'static str, &'static str) {
    match extreme {
        Extreme::Most => ("most", "least"),
        Extreme::Least => ("least", "most"),
    }
}

/// The word of a result and its opposite, where it has one.
pub fn result(result: &EndResult) -> Option<(&'static str, &'static str)> {
    match result {
        EndResult::Win => Some(("win", "lose")),
        EndResult::Lose => Some(("lose", "win")),
        EndResult::Draw | EndResult::Score(_) => None,
    }
}

/// The first place of a word or sign between two bytes; not in comments or quoted texts, and not as a part of another word.
pub fn first_place(text: &str, from: u32, to: u32, word: &str) -> Option<Span> {
    let (from, to) = (from as usize, to as usize);
    let part = text.get(from..to).filter(|_| !word.is_empty())?;
    let letter = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(rest) = part.get(at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        let (start, end) = (from + at, from + at + word.len());
        let worded = letter(word.as_bytes().first());
        let before = start.checked_sub(1).and_then(|before| bytes.get(before));
        let joined = worded && (letter(before) || letter(bytes.get(end)));
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if first == '"' {
            let inner = rest.get(1..).and_then(|inner| inner.find('"'));
            at += inner.map_or(rest.len(), |inner| inner + 2);
        } else {
            if rest.starts_with(word) && !joined {
                return Some(Span::new(start, end));
            }
            at += first.len_utf8();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tools::mutate::words::first_place;

    #[test]
    fn words_are_found_outside_of_comments_and_texts() {
        let text = "or for // or\n \"or\" x_or or( ö <= or";
        let end = u32::try_from(text.len()).unwrap();
        let place = |from, to, word| first_place(text, from, to, word).map(|s| s.start);
        let at = |word: &str| u32::try_from(text.find(word).unwrap()).ok();
        assert_eq!(place(0, end, "or"), Some(0));
        assert_eq!(place(1, end, "or"), at("or( ö"));
        assert_eq!(place(0, end, "<="), at("<="));
        assert_eq!(place(at("<=").unwrap(), end, "or"), Some(end - 2));
        assert_eq!(place(1, 23, "or"), None);
        assert_eq!((place(0, end, "not"), place(0, end, "")), (None, None));
        assert_eq!(place(5, 3, "or"), None);
    }
}
