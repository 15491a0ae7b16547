//! What to do about parse failures in what is declared: the repair, or a sentence that names it, by the word with which the item begins.

use crate::base::Diagnostic;
use crate::syntax::advice::by_place;
use crate::syntax::around::{Place, by_sign, in_small};
use crate::syntax::nouns::STATEMENT;

/// What to do, for mistakes that are told by the item in which they stand; else by what stands around them.
pub fn declared(d: Diagnostic, place: &Place<'_>) -> Diagnostic {
    let Place {
        text, at, found, ..
    } = *place;
    let expects = |what: &str| place.expects(what);
    let behind = |what: &str| place.behind(what);
    match (place.word(), found) {
        ("variant", found) if found.starts_with('"') && expects("`of`") => d.help("a variant names the file that it changes: `variant of \"base.game\"`; `game` and a name of its own may follow on the next line"),
        ("variant", _) if expects("a text in quotes") => d.help("the name of the file stands in quotes: `variant of \"base.game\"`"),
        ("game", "variant") => d.help("a variant begins with a line of its own: `variant of \"base.game\"`; `game` and a name may follow on the next"),
        ("board", found) if by_sign(found).is_some() => {
            let sizes = by_sign(found).unwrap_or_default();
            d.help(format!("sizes are told apart by a comma: `{sizes}`")).repair(sizes)
        }
        ("board", _) if expects("a board") => d.help("write its shape and sizes, such as `square(8, 8)`, or `graph { … }`"),
        ("turn", "") if text.contains("while") => d.help("behind `while`, put what is played in braces: `turn opening while turns < 2 { Drop }`"),
        ("end", "{" | "when") if expects("`after turn`") => d.help("say when it is asked: `end after turn { … }`, or `end at start of turn { … }` for who cannot move"),
        ("players", _) if expects("`,`") && found.starts_with(|c: char| c.is_ascii_alphabetic()) => d.help("players are told apart by commas").repair(format!(", {found}")),
        ("piece", _) if expects("`,`") && found.starts_with(|c: char| c.is_ascii_lowercase()) => d.help("kinds of pieces are told apart by commas").repair(format!(", {found}")),
        ("mark", _) if expects("`,`") && found.starts_with(|c: char| c.is_ascii_alphabetic()) => d.help("names are told apart by commas").repair(format!(", {found}")),
        ("option", found) if behind("= in") || found == "." && text[at..].starts_with("..") => d.help("the value that it has where nobody sets it stands first: `option size = 8 in 5..12`"),
        ("option", found) if expects("`in`") && text[at + found.len()..].starts_with("..") => d.help("what it may be stands behind `in`").repair(format!("in {found}")),
        ("turn", "") if expects(STATEMENT) && in_small(text, at).is_some() => {
            let rule = in_small(text, at).unwrap_or_default();
            d.help(format!("rules are written with a capital: `{rule}`"))
        }
        ("piece", found) if behind(" neutral") && found.starts_with('"') => d.help(format!("the letter stands before `neutral`: `{found} neutral`")),
        ("setup", _) if behind("draw") => d.help("a drawing stands in braces: `setup draw { … }`"),
        ("setup", _) if expects("`draw`") => d.help("write `setup { place stone of White at a1 }`, or `setup draw { … }`"),
        ("board", found) if found.starts_with("stack") => d.help("a board that holds stacks is `stacking`").repair("stacking"),
        ("board", "with" | "of") if expects("`stacking`") && text[at..].contains("stack") => d.help("a board that holds stacks is `stacking`: `board square(8, 8) stacking`"),
        ("remove", "") if expects("a text in quotes") => d.help("name the one that is to go by its text: `remove end \"blocked\"`"),
        _ => by_place(d, place),
    }
}
