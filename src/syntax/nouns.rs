//! The rules of the grammar in words that a designer knows, for messages that tell what was expected.

use crate::syntax::grammar::Rule;

/// Said of what can stand at a place.
pub const CAPITAL: &str = "a name with a capital";
/// Said of what can stand at a place.
pub const NAME: &str = "a name";
/// Said of what can stand at a place.
pub const VALUE: &str = "a value";
/// Said of what can stand at a place.
pub const STATEMENT: &str = "a statement";
/// Said of what can stand at a place.
pub const END: &str = "the end of the line";

/// The keywords, as they are shown.
const WORDS: &[[&str; 1]] = &[
    ["`and`"],
    ["`or`"],
    ["`not`"],
    ["`in`"],
    ["`except`"],
    ["`where`"],
    ["`with`"],
    ["`seen`"],
    ["`of`"],
    ["`as`"],
    ["`from`"],
    ["`to`"],
    ["`at`"],
    ["`by`"],
    ["`under`"],
    ["`times`"],
    ["`if`"],
    ["`then`"],
    ["`else`"],
    ["`for`"],
    ["`each`"],
    ["`choose`"],
    ["`let`"],
    ["`require`"],
    ["`set`"],
    ["`line`"],
    ["`trail`"],
    ["`repeat`"],
    ["`pass`"],
    ["`can`"],
    ["`preferring`"],
    ["`otherwise`"],
    ["`when`"],
    ["`mod`"],
    ["`until`"],
    ["`while`"],
    ["`possible`"],
    ["`most`"],
    ["`least`"],
    ["`edge`"],
    ["`whole`"],
    ["`only`"],
    ["`without`"],
    ["`joined`"],
    ["`wrapping`"],
    ["`stacking`"],
    ["`start`"],
    ["`step`"],
    ["`between`"],
    ["`finish`"],
    ["`never`"],
    ["`length`"],
    ["`full`"],
    ["`steps`"],
    ["`cells`"],
    ["`any`"],
    ["`order`"],
    ["`some`"],
    ["`no`"],
    ["`all`"],
    ["`turn`"],
    ["`after`"],
    ["`action`"],
    ["`facing`"],
    ["`neutral`"],
    ["`game`"],
    ["`option`"],
    ["`players`"],
    ["`board`"],
    ["`graph`"],
    ["`piece`"],
    ["`keep`"],
    ["`mark`"],
    ["`define`"],
    ["`setup`"],
    ["`draw`"],
    ["`rule`"],
    ["`end`"],
    ["`win`"],
    ["`lose`"],
    ["`score`"],
    ["`aside`"],
    ["`compared`"],
    ["`player`"],
    ["`cell`"],
    ["`play`"],
    ["`variant`"],
    ["`replace`"],
    ["`remove`"],
    ["`example`"],
    ["`position`"],
    ["`legal`"],
    ["`illegal`"],
    ["`because`"],
    ["`becomes`"],
    ["`outcome`"],
    ["`wins`"],
    ["`loses`"],
    ["`none`"],
];

/// A grammar rule as a designer would say it; nothing for what need not be said.
pub fn nouns(rule: Rule) -> &'static [&'static str] {
    let name = format!("{rule:?}");
    if let Some(word) = name.strip_prefix("k_") {
        return keyword(word);
    }
    match name.as_str() {
        "EOI" => &[END],
        "number" => &["a number"],
        "text" => &["a text in quotes"],
        "word" | "name" | "point" => &[NAME],
        "proper" | "rule_ref" => &[CAPITAL],
        "expr" | "logic" | "operand" | "phrase" | "chain" | "atom" | "call" | "seen" | "can"
        | "line_test" | "trail_test" | "picture_set" | "truth_no" | "conditional" | "filtered"
        | "argument" | "args" | "hole" => &[VALUE],
        "statement" | "statement_only" | "choose" | "let_" | "require" | "set" | "if_"
        | "for_each" | "for_any_order" | "repeat" | "play" | "effect" | "alternatives"
        | "alternative" => &[STATEMENT],
        "block" => &["`{`"],
        "body" => &["a rule", "`{`"],
        "picture" => &["a picture in `[ ]`"],
        "square" | "edge" => &["a square of the picture"],
        "count" | "count_range" | "bound" | "bound_atom" | "single" => &["a count"],
        "rule_call" => &["a rule"],
        "line" => &["`line`"],
        "trail" => &["`trail`"],
        "pass" => &["`pass`"],
        "moment" | "at_start" | "after_turn" | "after_action" => {
            &["`at start of turn`", "`after turn`", "`after action`"]
        }
        "end_clause" | "result" | "clause_only" => &["`win`", "`lose`", "`draw`", "`score`"],
        "trail_clause" | "trail_only" | "trail_start" | "trail_step" | "trail_between"
        | "trail_finish" | "trail_never" | "trail_length" => &[
            "`start`",
            "`step`",
            "`between`",
            "`finish`",
            "`never`",
            "`length`",
        ],
        "example_line" | "example_only" | "at_position" | "plays" | "legal" | "illegal"
        | "becomes" | "outcome" => EXAMPLE_WORDS,
        "action" => &["an action"],
        "place" | "drawn_rows" => &["a position line in quotes", "a board drawn in `{ }`"],
        "setting" => &[NAME],
        "range_dots" => &["`..`"],
        "domain_range" | "option_domain" | "option_value" => &["a number", "a word"],
        "preposition" => &["a preposition"],
        "points" => &["a number"],
        "graph_line" | "graph_cells" => &["`line`", "`cell`"],
        "kind" => &["a piece kind"],
        "player" => &["a player"],
        "glyph" => &["a sign of the drawing"],
        "keep_life" | "each_turn" => &["`each turn`", "`aside`", "`compared`"],
        "board_clause" | "board_only" | "board_without" | "board_joined" | "board_wrapping" => &[
            "`only`",
            "`without`",
            "`joined`",
            "`wrapping`",
            "`stacking`",
        ],
        "op_not" | "op_some" | "op_no" | "op_all" | "op_minus" => &[VALUE],
        n if n.starts_with("op_") => &["a joining word"],
        "filter_where" | "filter_most" => &["`where`", "`with`"],
        _ => &[],
    }
}

/// The words that begin a line of an example.
const EXAMPLE_WORDS: &[&str] = &[
    "`position`",
    "`play`",
    "`legal`",
    "`illegal`",
    "`becomes`",
    "`outcome`",
];

/// A keyword or sign of the grammar as it is written.
fn keyword(name: &str) -> &'static [&'static str] {
    match name {
        "equals" => &["`=`"],
        "comma" => &["`,`"],
        "bar" => &["`|`"],
        "close" => &["`)`"],
        "close_square" => &["`]`"],
        "close_brace" => &["`}`"],
        _ => WORDS
            .iter()
            .find(|w| w[0].trim_matches('`') == name)
            .map_or(&[], |w| w.as_slice()),
    }
}
