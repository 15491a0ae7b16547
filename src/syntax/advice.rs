//! What to do about parse failures that are often met: the repair, or a sentence that names it.

use crate::base::{Code, Diagnostic, Span, nearest};
use crate::syntax::around::{
    Place, alone_in_line, in_name, in_ways, is_picture, joins_ways, pictures, times,
};
use crate::syntax::declared::declared;
use crate::syntax::grammar::{EFFECTS, RESERVED};
use crate::syntax::nouns::{CAPITAL, END, NAME, STATEMENT, VALUE};

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

/// How often a square stands for a cell.
const RUN: &str =
    "how many cells there are of a square stands before it: `1.. empty`, `0..2 empty`, `3 own`";

/// Words that begin statements, and are no names.
const STATEMENTS: &[&str] = &[
    "choose", "let", "require", "set", "repeat", "for", "if", "pass", "trail",
];

/// What an effect takes behind its verb.
const PREPOSITIONS: &[&str] = &["to", "from", "at", "by", "under", "with", "times", "as"];

/// What to do where a rule says how the game ends.
pub const OUTSIDE: &str = "how a game ends is said outside of rules and turns: `end after turn { win \"all taken\" when no enemy }`";

/// Words of the language by what stands behind them, whether at once or after some names.
const LEADS: &[(&str, &str, bool)] = &[
    ("[", "line", false),
    ("[", "step", false),
    ("by", "seen", true),
];

/// A mistake that stands before the place where the parser stopped, in the text up to there, which begins at byte `base`: the verb of an
/// effect that was taken for a name, or a word of the language that was misspelt.
pub fn slip(text: &str, found: &str, base: usize) -> Option<Diagnostic> {
    let start = text.rfind(['\n', '{', '}', ';']).map_or(0, |at| at + 1);
    let words = words_of(&text[start..]);
    let span = |(at, word): (usize, &str)| {
        let at = base + start + at;
        Span::new(at, at + word.len())
    };
    let later = words.iter().copied().skip(1);
    if PREPOSITIONS.contains(&found)
        && let Some(verb) = later.clone().rfind(|w| EFFECTS.contains(&w.1))
    {
        return Some(second_statement(verb.1, span(verb)));
    }
    let lead = |&(sign, word, next): &(&str, &'static str, bool)| {
        let reach = if next { 1 } else { words.len() };
        let near = |w: &(usize, &str)| nearest(w.1, [word]).is_some() && !RESERVED.contains(&w.1);
        let known = words.iter().any(|w| w.1 == word);
        let mut last = words.iter().rev().take(reach).copied();
        let slipped = last.find(near).filter(|_| sign == found && !known)?;
        Some((slipped, word))
    };
    let (slipped, word) = LEADS.iter().find_map(lead)?;
    let d = Diagnostic::new(
        Code::Syntax,
        span(slipped),
        format!("expected `{word}` before `{found}`, found `{}`", slipped.1),
    );
    let d = d.here("this is read as a name");
    Some(d.help(format!("did you mean `{word}`?")).repair(word))
}

/// Words and signs behind which a value stands.
const WANTING: &[&str] = &[
    "to", "from", "at", "by", "under", "with", "as", "in", "of", "or", "and", "except", "not",
    "some", "no", "all", "when", "where", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/",
];

/// A line before the one where the parser stopped that lacks its last word, since a statement or clause begins on that one. Told the
/// text up to where it stopped, which begins at byte `base`.
pub fn wanting(text: &str, base: usize) -> Option<Diagnostic> {
    let (before, line) = text.rsplit_once('\n')?;
    let first = line.split_whitespace().next()?;
    let clause = ["win", "lose", "draw", "score"].contains(&first);
    // Both stand behind `or` as well.
    let way = ["pass", "trail"].contains(&first);
    if way || !(clause || STATEMENTS.contains(&first) || EFFECTS.contains(&first)) {
        return None;
    }
    let kept = before.trim_end();
    let start = kept.rfind('\n').map_or(0, |at| at + 1);
    let code = kept[start..].split("//").next()?.trim_end();
    let last = code.split_whitespace().next_back()?;
    if !WANTING.contains(&last) || code.matches('"').count() % 2 == 1 {
        return None;
    }
    let end = start + code.len();
    let d = Diagnostic::new(
        Code::Syntax,
        Span::new(base + end - last.len(), base + end),
        format!("expected a value behind `{last}`, found the end of the line"),
    );
    let d = d.here("a value should stand behind it");
    Some(d.help(format!(
        "the next line begins with `{first}`, and is read as the value"
    )))
}

/// What is done under a condition, or for each of some, without the braces around it: the statement begins at a word that was found, or at
/// the verb of an effect that was taken for a name. Told the text, where the parser stopped in it, and the byte at which it begins.
pub fn braceless(text: &str, at: usize, found: &str, base: usize) -> Option<Diagnostic> {
    let start = text[..at]
        .rfind(['\n', '{', '}', ';'])
        .map_or(0, |at| at + 1);
    let line = text[start..].split(['\n', '\r', ';', '}']).next()?;
    let line = line.split("//").next()?.trim_end();
    let mut words = words_of(line).into_iter();
    let begins = words.next().is_some_and(|w| ["if", "for"].contains(&w.1));
    let (first, word) = match found {
        "" | ";" => words.find(|w| EFFECTS.contains(&w.1))?,
        _ if STATEMENTS.contains(&found) => (at - start, found),
        _ => return None,
    };
    let done = line.get(first..)?;
    if !begins || line.contains(['{', '"']) || done.is_empty() {
        return None;
    }
    let begin = base + start + first;
    let d = Diagnostic::new(
        Code::Syntax,
        Span::new(begin, begin + done.len()),
        format!("expected `{{` before `{word}`"),
    );
    Some(
        d.here("what is done stands in braces")
            .help("braces stand even around one statement")
            .repair(format!("{{ {done} }}")),
    )
}

/// Says that a statement begins in the middle of a line.
pub fn second_statement(verb: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::Syntax,
        span,
        format!("`{verb}` begins a statement, and another stands before it on its line"),
    )
    .here("it is read as one of the names before it")
    .help("each statement needs a line of its own, or a `;` before the next")
    .repair(format!("; {verb}"))
}

/// Whether a word or sign surely begins a statement, be it a rule that is played or a block.
pub fn begins_statement(first: &str) -> bool {
    let is_rule = first.len() > 1 && first.starts_with(|c: char| c.is_ascii_uppercase());
    first == "{" || is_rule || EFFECTS.contains(&first) || STATEMENTS.contains(&first)
}

/// Says that a statement that can be read begins in the middle of a line.
pub fn second_on_line(first: &str, span: Span) -> Diagnostic {
    let d = Diagnostic::new(
        Code::Syntax,
        span,
        format!("`{first}` begins a statement, and another stands before it on its line"),
    );
    let d = d.here("done after the one before it?");
    if first == "{" {
        return d.help("each statement needs a line of its own, or a `;` before it; of two ways one is taken by `or`, and `else` belongs to an `if`");
    }
    d.help("each statement needs a line of its own, or a `;` before it; between two ways of which one is taken stands `or`")
        .repair(format!("; {first}"))
}

/// The words of a text, with their places.
pub fn words_of(text: &str) -> Vec<(usize, &str)> {
    let is_sign = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let mut words = Vec::new();
    let mut at = 0;
    for part in text.split_inclusive(is_sign) {
        let word = part.trim_end_matches(is_sign);
        if !word.is_empty() {
            words.push((at, word));
        }
        at += part.len();
    }
    words
}

/// What to do, for mistakes that are often made.
pub fn advice(d: Diagnostic, expected: &[&str], text: &str, at: usize, found: &str) -> Diagnostic {
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
    if (expects(NAME) && taken && !text[..at].trim_end().ends_with(','))
        || (expects(VALUE) && NOUNS.contains(&found) && !is_picture(text, at))
    {
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
    match between_rules(expected, found) {
        Some((help, Some(instead))) => d.help(help).repair(instead),
        Some((help, None)) => d.help(help),
        None => {
            let place = Place {
                expected,
                text,
                at,
                found,
            };
            declared(d, &place)
        }
    }
}

/// What says how rules are played, one or the other or one behind the other, where it is written otherwise; with what to write in place
/// of what was found.
fn between_rules(expected: &[&str], found: &str) -> Option<(&'static str, Option<&'static str>)> {
    let expects = |what: &str| expected.contains(&what);
    if expects("`otherwise`") && expects("`or`") {
        return match found {
            "else" => Some((
                "what is played where nothing before it can be stands behind `otherwise`",
                Some("otherwise"),
            )),
            "|" => Some(("either of two rules is played by `or`", Some("or"))),
            "and" | "then" | "&" => Some((
                "what is played one behind the other stands in braces: `{ Step; Shoot }`; either of two is `Step or Shoot`",
                None,
            )),
            _ => None,
        };
    }
    if expects("`while`") && found == "until" {
        return Some((
            "say how long it goes on: `repeat while n < 2 { … }`; where the player ends it, `or until \"done\"` stands behind",
            None,
        ));
    }
    let statement = expects(STATEMENT) && found == "while";
    statement.then_some((
        "what goes on while something holds is repeated: `repeat while n < 2 { … }`",
        Some("repeat while"),
    ))
}

/// Whether a square of a picture ends before a text, or gets its name there.
fn ends_square(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['|', ']']) || text.starts_with("as ")
}

/// What to do, for mistakes that are told by what stands around them.
pub fn by_place(d: Diagnostic, place: &Place<'_>) -> Diagnostic {
    let Place {
        expected,
        text,
        at,
        found,
    } = *place;
    let expects = |what: &str| place.expects(what);
    let behind = |what: &str| place.behind(what);
    let in_line = |what: &str| place.in_line(what);
    let word = place.word();
    match (word, found) {
        (_, "all" | "every") if expects(VALUE) && in_ways(text, at) => d.help("all directions of the board are `directions`").repair("directions"),
        (_, "if") if expects("`when`") => d.help("the condition stands behind `when`").repair("when"),
        (_, found) if behind(" else") && expects("`{`") && found != "{" => d.help("what is done else stands in braces: `else { … }`"),
        (_, found) if STATEMENTS.contains(&found) && behind(",") => d.help("statements need lines of their own, or a `;` between them"),
        ("win" | "lose", found) if expects("`when`") && found.starts_with(|c: char| c.is_ascii_uppercase()) => d.help(format!("`{word}` is said of `me`, who has just moved or is about to: write `{word} when …`, and in the condition `me = {found}` where that matters")),
        ("win" | "lose" | "draw" | "score", _) if expects("a preposition") => d.help(OUTSIDE),
        ("win" | "lose" | "draw", found) if expects("a text in quotes") && found.starts_with(|c: char| c.is_ascii_lowercase()) => d.help("the name of an end stands in quotes").repair(format!("\"{found}\"")),
        ("score", found) if ["(", "of"].contains(&found) || found.starts_with('"') => d.help("what is counted has a name: `define points of p = count(stone of p)`, and then `score points \"full\" when …`"),
        (_, found) if expected == ["`=`"] && found.starts_with(|c: char| c.is_ascii_alphanumeric()) => d.help("what it is stands behind `=`").repair(format!("= {found}")),
        (_, found) if expected == ["a text in quotes"] && found.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            let d = d.help("texts stand in quotes");
            let behind = text[at + found.len()..].trim_start_matches([' ', '\t']);
            // Of several words it is not known which are the text.
            let alone = !behind.starts_with(|c: char| c.is_ascii_alphanumeric());
            if alone { d.repair(format!("\"{found}\"")) } else { d }
        }
        (_, "from" | "of" | "at" | "on" | "among" | "=") if expected == ["`in`"] => d.help("of what it is one stands behind `in`: `choose piece in own`").repair("in"),
        (_, "or") if expects(VALUE) && in_line("repeat ") && in_line(" to ") && !in_line(" times") => d.help("how often stands before `times`: `repeat 1 to 3 times Jump or until \"done\"`"),
        (_, "not") if expects(VALUE) && behind(" of") => d.help("put what is denied in brackets: `of (not own)`"),
        (_, "|" | "]" | "as") if expects(VALUE) && pictures(text, at) && behind(")") && in_line("..") => d.help("brackets behind `..` hold the greatest number: `0..(n - 1) empty`; cells of several kinds stand there without them: `0.. empty or own`"),
        (_, _) if expected == ["`until`"] && behind(" or") => d.help(format!("what is repeated is one rule or a block: `repeat 2 times {{ Jump or {found} }}`")),
        (_, "" | "}") if expects("a rule") && in_line("repeat ") && in_line(" times") => d.help("how often stands before what is repeated: `repeat 3 times Jump`"),
        (_, "each") if expects(VALUE) => d.help("to do it for each player or cell, write `for each p in players { … }`"),
        (_, "or") if expects(STATEMENT) && joins_ways(text, at) => d.help("directions that are joined stand in brackets before a picture: `or line (north or south) [ … ]`"),
        (_, "trail") if expects(STATEMENT) => d.help("a trail says in braces where it starts, how it goes on and how long it is: `trail { start own as piece; step [ here | empty as next ] { … }; length full }`"),
        ("win" | "lose", "for" | "to") if expects("`when`") => d.help(format!("`{word}` is said of `me`, who has just moved or is about to: write `{word} when …`")),
        (_, "or" | "and" | "except") if expects("a picture in `[ ]`") && behind(")") => d.help("put all that says which directions in one pair of brackets: `line ((forward or sideways) and orthogonal) [ … ]`"),
        (_, "or" | "and" | "except") if expects("a picture in `[ ]`") => d.help("directions that are joined stand in brackets before a picture: `line (north or south) [ … ]`"),
        (_, "of") if expects(END) && alone_in_line(text, at) => d.help("a statement begins with what is done: `place stone of White at a1`"),
        (_, "of") if behind("line") => d.help("a picture stands in `[ ]`: `some line [3 own]` for three in a row"),
        (_, "line") if expects(VALUE) && is_picture(text, at) => d.help("a picture is asked for by `some line […]` or `no line […]`"),
        (_, ".") if expects(END) && in_name(text, at) => d.help("what is asked of something stands before it, and that in brackets: `count(own)`"),
        (_, "{") if expects(VALUE) && in_line("repeat ") && in_line(" to ") => d.help("how often stands before `times`: `repeat 1 to 3 times { … }`"),
        (_, ".") if expects("`times`") && in_line("repeat ") => d.help("from one number to another is written with `to`: `repeat 1 to 3 times Jump`"),
        (_, found) if expects(VALUE) && times(found).is_some() => {
            let product = times(found).unwrap_or_default();
            d.help("`*` stands between the factors of a product").repair(product)
        }
        (_, "seen") if expects(VALUE) => d.help("what is seen from a side stands before it: `row(1) seen by me`"),
        (_, ".") if expects(END) && text[at..].starts_with("..") && in_line("=") => d.help("whether a number lies between two is asked by `>=` and `<=`: `n >= 1 and n <= 2`"),
        (_, ".") if expects("`|`") && text[at..].starts_with("..") && !ends_square(&text[at + 2..]) => d.help("how many cells stands in brackets where it is no letter and no number: `(need).. own`"),
        ("end" | "win" | "lose" | "draw" | "score", ";") if expects(END) => d.help("each end stands on a line of its own"),
        (_, ".") if behind("..") => d.help("a range has two dots: `0..2`"),
        (_, found) if found.starts_with('"') && behind(" when") => d.help("the name of an end stands before `when`: `lose \"blocked\" when stuck`"),
        (_, "else") if behind(" or") => d.help("what is done when nothing before it can be stands behind `otherwise`, in place of `or else`"),
        (_, "all" | "max" | "maximum" | "any") if behind("length") => d.help(FULL),
        (_, ".") if expects("a square of the picture") || expects("`|`") && text[at..].starts_with("..") => d.help(RUN),
        (_, ".") if in_line("for each") => d.help("`for each` goes through cells, groups or players; to do something so often, write `repeat 3 times { … }`"),
        (_, "?" | "{") if expects("`|`") && pictures(text, at) => d.help(RUN),
        (_, "|" | "]" | "as") if expects(VALUE) && pictures(text, at) && ["+", "*"].into_iter().any(behind) => d.help(RUN),
        (_, text) if text.starts_with('"') && (expects("`or`") || expects(END) && text.contains('{')) => d.help("how an action is written stands behind the name of its rule: `rule Slide \"{piece}-{target}\" { … }`"),
        (_, ".") if expects(STATEMENT) => d.help("a drawing of the board stands in `setup draw { … }`"),
        (_, "where") => d.help("put the set and its `where` in brackets"),
        (_, "(") if expects(STATEMENT) => d.help("statements that belong together stand in braces: `{ Slide or Jump }`"),
        (_, "if") if expects(END) => d.help("a condition stands before what it decides: `if … { promote piece to king }`; inside an expression, put `if … then … else …` in brackets"),
        (_, "if") if expects(VALUE) => d.help("inside an expression, put `if … then … else …` in brackets"),
        (_, "then") => d.help("in a statement, braces stand right behind the condition: `if … { … }`; `then` belongs to values"),
        (_, "else" | "otherwise") if expects(STATEMENT) => d.help(format!("`{found}` stands behind the `}}` or rule that it belongs to")),
        ("set", "+" | "-" | "*" | "/") if expects("`=`") => {
            let name = text[..at].strip_prefix("set").map_or("n", str::trim);
            d.help(format!("what it becomes stands behind `=`, reckoned from what it was: `set {name} = {name} {found} …`"))
        }
        (name, "+" | "-") if expects(END) && text[at + 1..].starts_with(found) => d.help(format!("to change a kept value, write `set {name} = {name} {found} 1`")),
        (_, "*") if expects("a count") && behind("..") => d.help("as many as there are is `0..`, or `1..` with one at least").repair(""),
        (_, "=") if expects(END) => d.help("to change a kept value, begin with `set`; to name a value, with `let`"),
        (_, ",") if expects(END) => d.help("statements stand on lines of their own"),
        (_, ",") if expects("`|`") => d.help("the squares of a picture are told apart by `|`").repair(" |"),
        (_, "(") if behind("line") || expects("a picture in `[ ]`") => d.help("a picture stands in `[ ]`"),
        (_, "") if ["all", "longest", "max", "maximal", "maximum"].into_iter().any(behind) && expects("`steps`") => d.help(FULL),
        (_, "") if expects("`steps`") => d.help("say what is counted: `length 2 steps` or `length 3 cells`"),
        ("repeat", "") if in_line("while") && !in_line("{") => d.help("what is repeated stands in braces behind the test: `repeat while n < 3 { Jump }`"),
        (_, "" | "}" | ";") if expects(VALUE) && behind(")") && in_line("repeat (") => d.help("what is repeated is one rule or stands in braces: `repeat { Jump or Leap }`"),
        ("repeat", "" | "}") if expects(VALUE) && !behind("repeat") => d.help("how often stands before `times`: `repeat 3 times Jump`"),
        ("repeat", "") if expects("`times`") => d.help("rules are written with a capital: `repeat Jump`; how often stands before `times`: `repeat 3 times Jump`"),
        (_, "") if expects("a text in quotes") => d.help("say why, for those who set options: `\"the board would be too small\"`"),
        _ => d,
    }
}

/// How long a trail is that goes on while it can.
const FULL: &str = "a trail that goes on while it can has `length full`; others say how long they are: `length 1..3 steps`";
