//! The parser that pest makes of `grammars/gambol.pest`, and small tools on its pairs. Builds no tree.

#![allow(missing_docs, clippy::too_many_lines)]

use crate::base::Span;
use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "grammars/gambol.pest"]
pub struct Grammar;

/// A piece of parsed text.
pub type Pair<'a> = pest::iterators::Pair<'a, Rule>;

/// The children of a pair without its keywords.
pub fn kids(pair: Pair<'_>) -> impl Iterator<Item = Pair<'_>> {
    pair.into_inner().filter(|p| !is_keyword(p.as_rule()))
}

/// The child of that rule, when there is one.
pub fn child<'a>(pair: &Pair<'a>, rule: Rule) -> Option<Pair<'a>> {
    pair.clone().into_inner().find(|p| p.as_rule() == rule)
}

/// Whether a child of that rule is there.
pub fn has(pair: &Pair<'_>, rule: Rule) -> bool {
    child(pair, rule).is_some()
}

/// The place of a pair in the chunk that begins at byte `base`.
pub fn span(pair: &Pair<'_>, base: usize) -> Span {
    let s = pair.as_span();
    let trimmed = s.as_str().trim_end();
    Span::new(base + s.start(), base + s.start() + trimmed.len())
}

/// Whether a pair begins on the line on which something before it, at byte `end`, ended.
pub fn same_line(pair: &Pair<'_>, end: usize) -> bool {
    let s = pair.as_span();
    s.get_input()
        .get(end..s.start())
        .is_some_and(|between| !between.contains('\n'))
}

/// Keywords are the rules whose names begin with `k_`, which stand in a row in the grammar.
pub fn is_keyword(rule: Rule) -> bool {
    (Rule::k_and as usize..=Rule::k_close_brace as usize).contains(&(rule as usize))
        || rule == Rule::EOI
}

/// The words that cannot be names; tested against the grammar.
pub const RESERVED: &[&str] = &[
    "and",
    "or",
    "not",
    "in",
    "except",
    "where",
    "with",
    "without",
    "seen",
    "of",
    "as",
    "from",
    "to",
    "at",
    "by",
    "under",
    "times",
    "if",
    "then",
    "else",
    "for",
    "each",
    "choose",
    "let",
    "require",
    "set",
    "line",
    "trail",
    "repeat",
    "pass",
    "some",
    "no",
    "all",
    "can",
    "preferring",
    "otherwise",
    "when",
    "mod",
    "until",
    "while",
    "possible",
    "only",
    "joined",
    "wrapping",
    "stacking",
    "start",
    "step",
    "between",
    "finish",
    "never",
    "length",
];

/// The verbs of effects, which the parser takes for names; tested against their table.
pub const EFFECTS: &[&str] = &[
    "place", "deal", "enter", "move", "advance", "capture", "remove", "flip", "promote", "lift",
    "drop", "mark", "unmark", "again", "exchange",
];

#[cfg(test)]
mod tests {
    use super::{Grammar, RESERVED, Rule, is_keyword};
    use pest::Parser;

    #[test]
    fn keywords_are_told_by_their_names() {
        for rule in Rule::all_rules() {
            let named = format!("{rule:?}").starts_with("k_") || *rule == Rule::EOI;
            assert_eq!(is_keyword(*rule), named, "{rule:?}");
        }
    }

    #[test]
    fn reserved_words_are_no_names() {
        for word in RESERVED {
            let whole = |rule, text: &str| {
                let found = Grammar::parse(rule, text).ok().and_then(|mut p| p.next());
                found.is_some_and(|p| p.as_str() == text)
            };
            assert!(whole(Rule::reserved, word), "{word}");
            assert!(!whole(Rule::name, word), "{word}");
            assert!(whole(Rule::name, &format!("{word}s")), "{word}");
        }
    }
}
