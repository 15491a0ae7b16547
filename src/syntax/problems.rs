//! Parse failures in words that a designer knows. Grammar rule names never get out of here.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::syntax::grammar::Rule;
use pest::error::{Error, ErrorVariant, InputLocation};

/// A failure of the parser in the chunk that begins at byte `base`.
pub fn diagnostic(error: &Error<Rule>, text: &str, base: usize) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let found = token_at(text, at);
    let span = Span::new(base + at, base + at + found.len());
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => expectations(positives),
        ErrorVariant::CustomError { message } => vec![message.clone()],
    };
    let found_text = match found {
        "" => "the end".to_owned(),
        word => format!("`{word}`"),
    };
    let d = Diagnostic::new(Code::Syntax, span, format!("expected {}, found {found_text}", join(&expected)));
    let words: Vec<&str> = expected.iter().filter_map(|e| e.strip_prefix('`')?.strip_suffix('`')).collect();
    let d = d.here(match expected.as_slice() {
        [one] => format!("{one} should stand here"),
        _ => "this does not fit".to_owned(),
    });
    match nearest(found, words) {
        Some(near) if near != found => d.help(format!("did you mean `{near}`?")).repair(near),
        _ => advice(d, text, at, found),
    }
}

/// Advice for mistakes that are often made.
fn advice(d: Diagnostic, text: &str, at: usize, found: &str) -> Diagnostic {
    let reserved = crate::syntax::grammar::RESERVED;
    if found == "=" && text[at..].starts_with("==") {
        return d.help("equality is written with one sign: `=`");
    }
    if found == "\"" {
        return d.help("a text ends on the line on which it begins");
    }
    if found == "if" && !text[..at].trim_end().ends_with(['{', '}']) {
        return d.help("inside an expression, put `if … then … else …` in brackets");
    }
    if found == "where" {
        return d.help("put the set and its `where` in brackets");
    }
    if reserved.contains(&found) {
        return d.help(format!("`{found}` is a word of the language and cannot be a name"));
    }
    d
}

/// The word or sign at a place, never more than one line.
fn token_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    if word > 0 {
        return &rest[..word];
    }
    match rest.chars().next() {
        Some(c) if !c.is_whitespace() => &rest[..c.len_utf8()],
        _ => "",
    }
}

fn expectations(rules: &[Rule]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for rule in rules {
        let word = noun(*rule);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    if words.iter().any(|w| w == "a value") {
        words.retain(|w| !w.starts_with('`') || w == "`{`");
    }
    if words.iter().any(|w| w == "a statement") {
        words.retain(|w| w == "a statement" || w == "`}`");
    }
    if words.is_empty() {
        words.push("something else".to_owned());
    }
    // Joints between two values are always possible; they say little.
    if words.len() > 1 {
        let joints = ["a joining word", "a filter"];
        let rest: Vec<String> = words.iter().filter(|w| !joints.contains(&w.as_str())).cloned().collect();
        if !rest.is_empty() {
            words = rest;
        }
    }
    words.truncate(6);
    words
}

fn join(words: &[String]) -> String {
    match words {
        [] => "something else".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// A grammar rule as a designer would say it; empty for what need not be said.
fn noun(rule: Rule) -> String {
    let name = format!("{rule:?}");
    if let Some(word) = name.strip_prefix("k_") {
        return format!("`{word}`");
    }
    let text = match name.as_str() {
        "EOI" => "the end of the item",
        "number" => "a number",
        "text" => "a text in quotes",
        "word" | "name" | "point" => "a name",
        "proper" | "rule_ref" => "a name with a capital",
        "expr" | "logic" | "operand" | "phrase" | "chain" | "atom" | "call" | "seen" | "can" | "line_test" | "trail_test"
        | "picture_set" | "truth_no" | "conditional" | "filtered" | "argument" | "args" => "a value",
        "statement" | "choose" | "let_" | "require" | "set" | "if_" | "for_each" | "for_any_order"
        | "repeat" | "play" | "effect" | "alternatives" | "alternative" => "a statement",
        "block" => "`{`",
        "picture" => "a picture in `[ ]`",
        "square" | "edge" => "a square of the picture",
        "count" | "count_range" | "bound" | "bound_atom" | "single" => "a count",
        "rule_call" => "a rule",
        "line" => "`line`",
        "trail" => "`trail`",
        "pass" => "`pass`",
        "moment" | "at_start" | "after_turn" | "after_action" => "`at start of turn`, `after turn` or `after action`",
        "end_clause" | "result" => "`win`, `lose`, `draw` or `score`",
        "trail_clause" | "trail_start" | "trail_step" | "trail_between" | "trail_finish" | "trail_never" | "trail_length" => {
            "`start`, `step`, `between`, `finish`, `never` or `length`"
        }
        "range_dots" => "`..`",
        "domain_range" | "option_domain" | "option_value" => "a number or a word",
        "preposition" => "a preposition",
        "graph_line" | "graph_cells" => "`line` or `cell`",
        "kind" => "a piece kind",
        "player" => "a player",
        "glyph" => "a sign of the drawing",
        "keep_life" | "each_turn" => "`each turn`, `aside` or `compared`",
        "board_clause" | "board_only" | "board_without" | "board_joined" | "board_wrapping" => {
            "`only`, `without`, `joined`, `wrapping` or `stacking`"
        }
        "filter_where" | "filter_most" => "a filter",
        n if n.starts_with("op_") => match n {
            "op_not" | "op_some" | "op_no" | "op_all" | "op_minus" => "a value",
            "op_eq" => "`=`",
            _ => "a joining word",
        },
        _ => "",
    };
    text.to_owned()
}

/// Says that one bad statement or clause could not be read.
pub fn bad(text: &str, base: usize, error: Option<&Error<Rule>>) -> Diagnostic {
    match error {
        Some(e) => diagnostic(e, text, base),
        None => Diagnostic::new(Code::Syntax, Span::new(base, base + text.trim_end().len()), "this cannot be read")
            .here("this does not fit"),
    }
}
