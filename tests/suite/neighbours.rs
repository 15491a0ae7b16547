//! Pictures that begin with two neighbours of one set, and pieces chosen beside a chosen cell: every engine answers as the plain one does,
//! what is drawn from has every legal action once, and where it is meant to, neighbours are found for the whole board.

use crate::mingled::{agree_on, stand_in_lists};

/// Boards on which one direction has many distances, with sets of two words and of three.
const UNEVEN: &[(&str, bool)] = &[("triangles(7, 6)", true), ("triangles(12, 7)", true)];

/// Rules, and whether each two neighbours of a set are found once for both ways.
const PAIRS: &[(&str, &str, bool)] = &[
    (
        "{a}-{b}",
        "line [ own as a | own | empty as b ]; move a to b",
        true,
    ),
    (
        "{a}-{b}",
        "line [ own as a | own as c | empty as b ]; require no enemy in adjacent of b; \
         require count(own in adjacent of c) > 1; move a to b",
        true,
    ),
    (
        "{a}-{b}",
        "line [ empty as b | empty | own as a ]; require no enemy in adjacent of b; move a to b",
        true,
    ),
    (
        "{a}x{b}",
        "line [ own as a | own | enemy as b ]; capture b; move a to b",
        true,
    ),
    (
        "{a}>{b}",
        "line [ own as a | own | own | empty as b ]; move a to b",
        true,
    ),
    // Two of one set, and nothing behind them.
    ("{a}+{b}", "line [ own as a | own as b ]; capture a", true),
    // They are of two sets.
    (
        "{a}/{b}",
        "line [ own as a | enemy as v | empty as b ]; capture v; move a to b",
        false,
    ),
    // No direction leads back.
    (
        "{a}^{b}",
        "line forward [ own as a | own | empty as b ]; move a to b",
        false,
    ),
];

#[test]
fn engines_agree_on_pictures_that_begin_with_neighbours() {
    // Random games do not go through the cells beside each cell.
    agree_on(UNEVEN, PAIRS, |program| {
        !stand_in_lists(program, "for ", &["for "])
    });
}

/// Boards with sets of one word and of several, with rows of one length and of several, with fewer neighbours than directions, and
/// wrapped.
const BOARDS: &[(&str, bool)] = &[
    ("square(6, 6)", true),
    ("triangles(6, 4)", true),
    ("square(13, 12)", true),
    ("triangles(12, 7)", true),
    ("square(7, 5) joined orthogonal", true),
    ("square(5, 4) wrapping columns", true),
];

/// Rules that choose a cell and then one beside it.
const BESIDE: &[(&str, &str, bool)] = &[
    (
        "{a}x{b}",
        "choose a in own; choose b in enemy in adjacent of a; capture b; move a to b",
        true,
    ),
    (
        "{a}x{b}",
        "choose a in own; choose b in (enemy in adjacent of a) except row(2); \
         require count(own in adjacent of a) > count(enemy in adjacent of b); capture b",
        true,
    ),
    (
        "{a}*{b}",
        "choose a in empty; choose b in own in adjacent of a; move b to a",
        true,
    ),
    (
        "{a}={b}",
        "choose a in own; choose b in own in adjacent of a; capture a",
        true,
    ),
    // Beside most cells there are some that are empty.
    (
        "{a}-{b}",
        "choose a in own; choose b in empty in adjacent of a; move a to b",
        true,
    ),
    // It need not be beside the first one.
    (
        "{a}/{b}",
        "choose a in own; choose b in enemy in row(3); capture b",
        true,
    ),
    // What is beside it is looked for later.
    (
        "{a}:{b}",
        "choose a in own; capture a; choose b in enemy in adjacent of a; capture b",
        true,
    ),
];

#[test]
fn engines_agree_on_pieces_chosen_beside_a_cell() {
    agree_on(BOARDS, BESIDE, |_| true);
}
