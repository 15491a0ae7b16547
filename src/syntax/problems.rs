//! Parse failures in words that a designer knows. Grammar rule names never get out of here.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::syntax::grammar::{RESERVED, Rule};
use crate::syntax::nouns::{CAPITAL, END, NAME, STATEMENT, VALUE, nouns};
use pest::error::{Error, ErrorVariant, InputLocation};

/// Signs of other languages, and what is written instead.
const SIGNS: &[(&str, &str, &str)] = &[
    ("==", "=", "equality is written with one sign"),
    ("&&", "and", "conditions are joined by a word"),
    ("||", "or", "conditions are joined by a word"),
    ("&", "and", "conditions are joined by a word"),
    ("!", "not ", "a condition is denied by a word"),
    ("≠", "!=", "this is written with two signs"),
    ("≤", "<=", "this is written with two signs"),
    ("≥", ">=", "this is written with two signs"),
    ("%", "mod", "the remainder is a word"),
    ("#", "//", "a comment begins with `//`"),
];

/// Words of the language that might have been meant as names.
const NOUNS: &[&str] = &[
    "line", "trail", "start", "step", "between", "finish", "length", "pass", "set", "times", "can",
    "possible", "to",
];

/// Words for the greatest and the least, and what is written instead.
const EXTREMES: &[(&str, &str)] = &[
    ("biggest", "most"),
    ("greatest", "most"),
    ("highest", "most"),
    ("largest", "most"),
    ("longest", "most"),
    ("max", "most"),
    ("maximal", "most"),
    ("maximum", "most"),
    ("more", "most"),
    ("fewer", "least"),
    ("fewest", "least"),
    ("less", "least"),
    ("lowest", "least"),
    ("min", "least"),
    ("minimal", "least"),
    ("minimum", "least"),
    ("shortest", "least"),
    ("smallest", "least"),
];

/// So much of what may stand somewhere is named.
const NAMED: usize = 6;

/// How often a square stands for a cell.
const RUN: &str =
    "how many cells there are of a square stands before it: `1.. empty`, `0..2 empty`, `3 own`";

/// A failure of the parser in the chunk that begins at byte `base`.
pub fn diagnostic(error: &Error<Rule>, text: &str, base: usize) -> Diagnostic {
    before(error, text, base, "")
}

/// As [`diagnostic`], of a text behind which something else stands.
fn before(error: &Error<Rule>, text: &str, base: usize, behind: &str) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        let first = text.split('\n').next().unwrap_or("");
        return Diagnostic::new(
            Code::TooLong,
            Span::new(base, base + first.len()),
            "this is too long or too deeply nested to be read",
        )
        .here("the parser gave up on it")
        .help("give parts of it names with `define`, or cut it into several rules");
    };
    let after = text.get(at..).unwrap_or("");
    // The parser looks at `draw` twice; the brace is missing behind it.
    let drawing = text.starts_with("setup") && token_at(after, 0) == "draw";
    let at = if drawing { at + "draw".len() } else { at };
    let after = text.get(at..).unwrap_or("");
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let found = token_at(text, at + blank);
    if let Some(sign) = text[at + blank..].chars().next()
        && !sign.is_ascii()
        && sign.is_whitespace()
    {
        let start = base + at + blank;
        return Diagnostic::new(
            Code::Syntax,
            Span::new(start, start + sign.len_utf8()),
            format!(
                "this space is none of the language's: U+{:04X}",
                u32::from(sign)
            ),
        )
        .here("it looks like a space")
        .help("put an ordinary space in its place; texts copied from pages often have others");
    }
    let at = if found.is_empty() { at } else { at + blank };
    let span = Span::new(base + at, base + at + found.len());
    if let Some((sign, instead, why)) = SIGNS.iter().find(|s| text[at..].starts_with(s.0)) {
        return Diagnostic::new(
            Code::Syntax,
            Span::new(base + at, base + at + sign.len()),
            format!("`{sign}` is no sign of the language"),
        )
        .here(format!("expected `{}`", instead.trim_end()))
        .help(*why)
        .repair(*instead);
    }
    if found.starts_with('"') && (found.len() == 1 || !found.ends_with('"')) {
        return Diagnostic::new(Code::Syntax, span, "the text is never closed")
            .here("expected another `\"` on this line")
            .help("a text ends on the line on which it begins");
    }
    let expected = expectations(positives, text);
    let next = behind.trim_start_matches([' ', '\t']);
    let closed = found.is_empty() && text[at..].trim().is_empty() && next.starts_with('}');
    let (found_text, span) = if closed {
        let brace = base + text.len() + behind.len() - next.len();
        ("`}`".to_owned(), Span::new(brace, brace + 1))
    } else if found.is_empty() {
        (END.to_owned(), span)
    } else {
        (format!("`{}`", found.trim_matches('`')), span)
    };
    let d = Diagnostic::new(
        Code::Syntax,
        span,
        format!(
            "expected {}, found {found_text}",
            join(&expected[..expected.len().min(NAMED)])
        ),
    )
    .here(match expected.as_slice() {
        [one] if one.starts_with("the end") => "this does not belong here".to_owned(),
        [one] => format!("{one} should stand here"),
        _ => "this does not fit".to_owned(),
    });
    advice(d, &expected, text, at, found)
}

/// What to do, for mistakes that are often made.
fn advice(d: Diagnostic, expected: &[&str], text: &str, at: usize, found: &str) -> Diagnostic {
    let expects = |what: &str| expected.contains(&what);
    let taken = RESERVED.contains(&found);
    let words = expected
        .iter()
        .filter_map(|e| e.strip_prefix('`')?.strip_suffix('`'))
        .filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()));
    // What is like `no`, but means a place.
    if let Some(near) = nearest(found, words)
        && near != found
        && found != "on"
        && !taken
    {
        return d.help(format!("did you mean `{near}`?")).repair(near);
    }
    if ["a", "an", "the"].contains(&found) && expects(CAPITAL) {
        return d.help(format!("leave `{found}` out"));
    }
    let first = found.chars().next().unwrap_or(' ');
    if expects(CAPITAL) && first.is_ascii_lowercase() && !(expects(NAME) && taken) {
        let name = format!("{}{}", first.to_ascii_uppercase(), &found[1..]);
        return d
            .help("players and rules are written with a capital")
            .repair(name);
    }
    if expects(NAME) && first.is_ascii_uppercase() {
        let name = found.to_ascii_lowercase();
        let d = d.help("only players and rules are written with a capital");
        return if RESERVED.contains(&name.as_str()) {
            d
        } else {
            d.repair(name)
        };
    }
    if (expects(NAME) && taken) || (expects(VALUE) && NOUNS.contains(&found)) {
        return d.help(format!(
            "`{found}` is a word of the language and cannot be a name"
        ));
    }
    let digits = found.trim_matches('"');
    if expects("a number")
        && found.starts_with('"')
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        return d.help("numbers stand without quotes").repair(digits);
    }
    let word = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or("");
    let behind = |what: &str| text[..at].trim_end().ends_with(what);
    let in_line = |what: &str| {
        text[..at]
            .rsplit('\n')
            .next()
            .is_some_and(|line| line.contains(what))
    };
    if expects("`most`") {
        return match EXTREMES.iter().find(|(other, _)| *other == found) {
            Some((_, instead)) => d
                .help(format!("the word for it is `{instead}`"))
                .repair(*instead),
            None => {
                d.help("say whether the most or the least is wanted: `preferring most captures`")
            }
        };
    }
    match (word, found) {
        ("variant", found) if found.starts_with('"') && expects("`of`") => d.help("a variant names the file that it changes: `variant of \"base.game\"`; `game` and a name of its own may follow on the next line"),
        (_, "all" | "every") if expects(VALUE) && in_ways(text, at) => d.help("all directions of the board are `directions`").repair("directions"),
        ("game", "variant") => d.help("a variant begins with a line of its own: `variant of \"base.game\"`; `game` and a name may follow on the next"),
        ("board", _) if expects("a board") => d.help("write its shape and sizes, such as `square(8, 8)`, or `graph { … }`"),
        ("turn", "") if text.contains("while") => d.help("behind `while`, put what is played in braces: `turn opening while turns < 2 { Drop }`"),
        (_, "if") if expects("`when`") => d.help("the condition stands behind `when`").repair("when"),
        (_, "else") if behind(" or") => d.help("what is done when nothing before it can be stands behind `otherwise`, in place of `or else`"),
        (_, "all" | "max" | "maximum" | "any") if behind("length") => d.help(FULL),
        ("setup", _) if behind("draw") => d.help("a drawing stands in braces: `setup draw { … }`"),
        (_, ".") if expects("a square of the picture") => d.help(RUN),
        (_, ".") if in_line("for each") => d.help("`for each` goes through cells, groups or players; to do something so often, write `repeat 3 times { … }`"),
        (_, "?" | "{") if expects("`|`") && pictures(text, at) => d.help(RUN),
        (_, "|" | "]" | "as") if expects(VALUE) && pictures(text, at) && ["+", "*"].into_iter().any(behind) => d.help(RUN),
        (_, text) if text.starts_with('"') && (expects("`or`") || expects(END) && text.contains('{')) => d.help("how an action is written stands behind the name of its rule: `rule Slide \"{piece}-{target}\" { … }`"),
        (_, ".") if expects(STATEMENT) => d.help("a drawing of the board stands in `setup draw { … }`"),
        ("setup", _) if expects("`draw`") => d.help("write `setup { place stone of White at a1 }`, or `setup draw { … }`"),
        (_, "where") => d.help("put the set and its `where` in brackets"),
        (_, "if") if expects(VALUE) => d.help("inside an expression, put `if … then … else …` in brackets"),
        (_, "then") => d.help("in a statement, braces stand right behind the condition: `if … { … }`; `then` belongs to values"),
        (_, "else" | "otherwise") if expects(STATEMENT) => d.help(format!("`{found}` stands behind the `}}` or rule that it belongs to")),
        (_, "=") if expects(END) => d.help("to change a kept value, begin with `set`; to name a value, with `let`"),
        (_, ",") if expects(END) => d.help("statements stand on lines of their own"),
        (_, ",") if expects("`|`") => d.help("the squares of a picture are told apart by `|`").repair(" |"),
        (_, "(") if behind("line") || expects("a picture in `[ ]`") => d.help("a picture stands in `[ ]`"),
        (_, "") if ["all", "longest", "max", "maximal", "maximum"].into_iter().any(behind) && expects("`steps`") => d.help(FULL),
        (_, "") if expects("`steps`") => d.help("say what is counted: `length 2 steps` or `length 3 cells`"),
        ("remove", "") if expects("a text in quotes") => d.help("name the one that is to go by its text: `remove end \"blocked\"`"),
        ("repeat", "" | "}") if expects(VALUE) && !behind("repeat") => d.help("how often stands before `times`: `repeat 3 times Jump`"),
        ("repeat", "") if expects("`times`") => d.help("rules are written with a capital: `repeat Jump`; how often stands before `times`: `repeat 3 times Jump`"),
        (_, "") if expects("a text in quotes") => d.help("say why, for those who set options: `\"the board would be too small\"`"),
        _ => d,
    }
}

/// How long a trail is that goes on while it can.
const FULL: &str = "a trail that goes on while it can has `length full`; others say how long they are: `length 1..3 steps`";

/// Whether a place is where the directions of a picture stand.
fn in_ways(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or("").trim_start();
    ["line ", "step "].iter().any(|word| line.starts_with(word)) && !line.contains('[')
}

/// Whether a place is inside a picture.
fn pictures(text: &str, at: usize) -> bool {
    let before = &text[..at];
    before.rfind('[') > before.rfind(']')
}

/// The word, text or sign at a place, never more than one line.
fn token_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let word = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    if word > 0 {
        return &rest[..word];
    }
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find(['"', '\n', '\r']).unwrap_or(quoted.len());
        let closed = usize::from(quoted[end..].starts_with('"'));
        return rest[..1 + end + closed].trim_end();
    }
    match rest.chars().next() {
        Some(c) if !c.is_whitespace() => &rest[..c.len_utf8()],
        _ => "",
    }
}

/// What can always go on behind a value; said only when there is nothing better to say.
const JOINTS: &[&str] = &[
    "a joining word",
    "`where`",
    "`with`",
    "`seen`",
    "`can`",
    "`from`",
    "`=`",
    "`of`",
];

fn expectations(rules: &[Rule], text: &str) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    for rule in rules {
        for word in nouns(*rule) {
            if !words.contains(word) {
                words.push(word);
            }
        }
    }
    let item = text.starts_with("board");
    if item && words == [VALUE] {
        return vec!["a board"];
    }
    // What may stand behind a verb.
    if words.contains(&"a preposition") && words.contains(&CAPITAL) {
        words.retain(|w| ![CAPITAL, NAME, "a number", "`no`"].contains(w));
        words.push(VALUE);
    }
    if words.contains(&VALUE) {
        words.retain(|w| !w.starts_with('`') || *w == "`{`");
    }
    // An end of a name stands only behind `replace`.
    if words.contains(&"`after turn`") && !text.starts_with("replace") {
        words.retain(|w| *w != "a text in quotes");
    }
    if words.contains(&STATEMENT) {
        words.retain(|w| [STATEMENT, "`}`", "`{`"].contains(w));
    }
    // `=` is a joint between values, but not behind the name of something that is declared.
    let joined = words.contains(&"a joining word");
    let better: Vec<&'static str> = words
        .iter()
        .copied()
        .filter(|w| !(JOINTS.contains(w) && (joined || *w != "`=`")))
        .collect();
    if !better.is_empty() {
        words = better;
    }
    if words.is_empty() {
        words.push("something else");
    }
    words
}

fn join(words: &[&str]) -> String {
    match words {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Says that one bad statement or clause could not be read, behind which something stands.
pub fn bad(text: &str, base: usize, error: Option<&Error<Rule>>, behind: &str) -> Diagnostic {
    match error {
        Some(e) => before(e, text, base, behind),
        None => Diagnostic::new(
            Code::Syntax,
            Span::new(base, base + text.trim_end().len()),
            "this cannot be read",
        )
        .here("this does not fit"),
    }
}
