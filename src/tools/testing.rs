//! Small games for the tests of this folder: a name in, an engine out. Not part of the program.

use crate::base::Source;
use crate::compile;
use crate::engine::Engine;

/// Three in a row on squares; `turn` is the body of the turn block, `ends` the end clauses.
fn squares(turn: &str, ends: &str) -> Engine {
    let text = format!(
        "game \"Small\"\n\noption size = 3 in 2..10\n\nplayers White, Black\nboard square(size, size)\npiece stone\n\n\
         rule Drop \"{{spot}}\" {{\n  choose spot in empty\n  place stone at spot\n}}\n\n\
         rule Clear \"clear\" {{\n  require no empty\n  remove occupied\n}}\n\n\
         turn {{ {turn} }}\n\n{ends}\n"
    );
    let compiled = compile(&Source::new("small.game", text), &[]);
    let program = compiled.program.ok_or(compiled.diagnostics);
    Engine::new(program.unwrap()).unwrap()
}

const THREE: &str = "end after turn {\n  win \"three in a row\" when some line [ 3 own ]\n}\n";
const FULL: &str = "end at start of turn {\n  draw \"full\" when stuck\n}\n";

/// Three in a row.
pub(super) fn three_in_a_row() -> Engine {
    squares("Drop", &format!("{THREE}{FULL}"))
}

/// Three in a row with two stones a turn.
pub(super) fn two_a_turn() -> Engine {
    squares("Drop; Drop", &format!("{THREE}{FULL}"))
}

/// The board is filled, and nothing is said of what then.
pub(super) fn no_end() -> Engine {
    squares(
        "Drop",
        "end after turn {\n  win \"never\" when no line [ 0.. any ]\n}\n",
    )
}

/// The board is filled and emptied for ever.
pub(super) fn for_ever() -> Engine {
    squares("Drop or Clear", FULL)
}
