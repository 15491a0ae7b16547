//! Rules that choose a group and a cell next to it that touches no other: every engine answers as the plain one does, what is drawn from
//! has every legal action once, and where it is meant to, all groups are listed at once.

use crate::mingled::{agree_on, stand_in_lists};

/// Boards with sets of one word and of several, with rows of one length and of several, joined in fewer directions than there are, and
/// wrapped.
const BOARDS: &[(&str, bool)] = &[
    ("square(6, 6)", true),
    ("hexagons(5, 5)", true),
    ("triangles(6, 4)", true),
    ("square(13, 12)", true),
    ("square(7, 5) joined orthogonal", true),
    ("square(5, 5) wrapping columns", true),
];

/// Rules, and whether what they can do is listed for all groups at once.
const RULES: &[(&str, &str, bool)] = &[
    (
        "+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; \
         require all own in adjacent of b in f; place man at b",
        true,
    ),
    (
        "+{b}",
        "choose f in groups of me; let g = f; choose b in (adjacent of f) in empty; \
         require no enemy in adjacent of b; require all own in adjacent of b in f; place man at b",
        true,
    ),
    // Of each group it is asked whether it is meant.
    (
        "+{b}",
        "choose f in groups of me where count(it) < 5; choose b in empty in adjacent of f; \
         require all own in adjacent of b in f; place man at b",
        false,
    ),
    // The enemy's pieces may be taken that are beside one part only, and no other of the own pieces.
    (
        "x{b}",
        "choose f in parts of own in rows(1..4); choose b in enemy in adjacent of f; \
         require all own in adjacent of b in f; capture b",
        true,
    ),
    // It may touch others.
    (
        "+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; place man at b",
        false,
    ),
    // What is required or written asks for the group as well.
    (
        "+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; \
         require all own in adjacent of b in f; require count(f) < 6; place man at b",
        false,
    ),
    (
        "{first of f}+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; \
         require all own in adjacent of b in f; place man at b",
        false,
    ),
    // The group is changed with it.
    (
        "+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; \
         require all own in adjacent of b in f; place man at b; capture (enemy in adjacent of f)",
        false,
    ),
    // What else it touched is gone before that is asked.
    (
        "+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; \
         capture (own except f) in adjacent of b; require all own in adjacent of b in f; place man at b",
        false,
    ),
    // It is asked of all pieces, or of another cell.
    (
        "+{b}",
        "choose f in groups of me; choose b in empty in adjacent of f; \
         require all occupied in adjacent of b in f; place man at b",
        false,
    ),
];

#[test]
fn engines_agree_on_cells_beside_one_group() {
    // What random games list is not listed while they go through groups.
    agree_on(BOARDS, RULES, |program| {
        !stand_in_lists(program, "loop ", &["leaf", "leaves"])
    });
}
