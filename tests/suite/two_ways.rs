//! Rules said in two ways: what is required of a picture's cells behind it or in its classes, numbers chosen before a picture or counted in
//! it, short trails or the cells that they come to, what is taken one by one or at once. Both have the same kernel, and every engine plays
//! them as the plain one does; of some only that no texts are compared is held.

use crate::ends::hold_told;
use crate::engines::dumps;
use crate::phrasings::nameless;
use gambol::base::Source;

/// A board, a rule, and the same in other words.
struct TwoWays {
    board: &'static str,
    ways: [&'static str; 2],
    /// Whether their kernels are the same.
    same: bool,
}

const SQUARE: &str = "square(4, 5)";
const HEXAGONS: &str = "hexagons(3, 3)";
const RING: &str = "square(4, 5) wrapping columns";
/// Neighbours lie at many distances here, so that these are asked of few cells only.
const TRIANGLES: &str = "triangles(5, 3)";
const STEP: &str = "line [ own as mover | empty or enemy as target ]";

/// With the same kernels.
const fn same(board: &'static str, ways: [&'static str; 2]) -> TwoWays {
    TwoWays {
        board,
        ways,
        same: true,
    }
}

/// With kernels that may differ.
const fn told(board: &'static str, ways: [&'static str; 2]) -> TwoWays {
    TwoWays {
        board,
        ways,
        same: false,
    }
}

#[rustfmt::skip]
const RULES: &[TwoWays] = &[
    // One cell of a picture.
    same(SQUARE, ["STEP; require mover != last_one", "line [ own except last_one as mover | empty or enemy as target ]"]),
    same(SQUARE, ["STEP; require target not in last_one", "line [ own as mover | (empty or enemy) except last_one as target ]"]),
    same(SQUARE, ["STEP; require target != a3", "line [ own as mover | (empty or enemy) except a3 as target ]"]),
    same(SQUARE, ["STEP; require mover not in trodden", "line [ own except trodden as mover | empty or enemy as target ]"]),
    same(SQUARE, ["STEP; require not (target in man or target in row(1))", "STEP; require target not in man and target not in row(1)"]),
    told(SQUARE, ["STEP; require no enemy in adjacent of target", "line [ own as mover | ((empty or enemy) where no enemy in adjacent of it) as target ]"]),
    told(SQUARE, ["STEP; require some own king in adjacent of mover", "line [ (own where some own king in adjacent of it) as mover | empty or enemy as target ]"]),
    told(HEXAGONS, ["STEP; require all enemy in adjacent of target in man", "line [ own as mover | ((empty or enemy) where all enemy in adjacent of it in man) as target ]"]),
    told(TRIANGLES, ["STEP; require no enemy in adjacent of target", "line [ own as mover | ((empty or enemy) where no enemy in adjacent of it) as target ]"]),
    told(RING, ["STEP; require no enemy in adjacent of target", "line [ own as mover | ((empty or enemy) where no enemy in adjacent of it) as target ]"]),
    same(SQUARE, ["choose target in empty or enemy; line [ own as mover | target ]", "STEP"]),
    same(SQUARE, ["choose over in enemy; line [ own as mover | over | empty as target ]", "line [ own as mover | enemy as over | empty as target ]"]),
    // How two cells lie to each other.
    same(SQUARE, ["STEP; require row(target) != row(mover)", "line (directions except sideways) [ own as mover | empty or enemy as target ]"]),
    same(SQUARE, ["STEP; require column(target) = column(mover) or row(target) = row(mover)", "line orthogonal [ own as mover | empty or enemy as target ]"]),
    told(RING, ["STEP; require column(target) > column(mover)", "STEP; require not column(target) <= column(mover)"]),
    // Of two cells either.
    same(SQUARE, ["line [ own as mover | empty as target ]; require mover in king or target not in corners",
        "line [ own king as mover | empty as target ] or line [ own except king as mover | empty except corners as target ]"]),
    same(SQUARE, ["STEP; require mover not in man or target not in man", "STEP; require not (mover in man and target in man)"]),
    told(SQUARE, ["line [ own as mover | empty as target ]; if target in corners { require mover in king }",
        "line [ own as mover | empty except (if mover in king then none else corners) as target ]"]),
    told(SQUARE, ["line orthogonal [ own as mover | 0.. empty | empty except (if mover in king then none else corners) as target ]",
        "line orthogonal [ own as mover | 0.. empty | empty as target ]; require mover in king or target not in corners"]),
    told(HEXAGONS, ["STEP; require mover in king or target in enemy or target in row(3)", "STEP; if mover not in king and target not in enemy { require target in row(3) }"]),
    // How far, before along which way.
    told(SQUARE, ["choose mover in own; choose far in 1..3; choose way in directions; line way [ mover | (far) any as path ]; let target = last of path; require target not in own",
        "choose mover in own; line [ mover | 0..2 any | (empty or enemy) as target ]"]),
    told(HEXAGONS, ["choose mover in own; choose way in directions; choose far in 1..2; line way [ mover | (far) empty | enemy as target ]",
        "choose mover in own; line [ mover | 1..2 empty | enemy as target ]"]),
    // On one line the number is told by the cell, and on a ring it is not.
    told(SQUARE, ["choose mover in own; choose far in 0..1; line north [ mover | (far) any | empty as target ]", "choose mover in own; line north [ mover | 0..1 any | empty as target ]"]),
    // The directions of those that are chosen.
    same(SQUARE, ["choose mover in own; choose way in directions; require way in orthogonal; let target = neighbour(mover, way); require target in empty",
        "choose mover in own; choose way in orthogonal; let target = neighbour(mover, way); require target in empty"]),
    // Short trails.
    told(SQUARE, ["TRAIL { start own as mover; step [ here | empty as next ]; length 1..2 steps; finish any as target }",
        "choose mover in own; choose target in empty in (adjacent of mover or adjacent of (empty in adjacent of mover))"]),
    told(SQUARE, ["TRAIL { start own as mover; step orthogonal [ here | any as next ]; length 2 steps; finish empty as target }",
        "TRAIL { start own as mover; step orthogonal [ here | any as next ]; length 2 steps; finish empty as target; never twice }"]),
    told(HEXAGONS, ["TRAIL { start own as mover; step [ here | empty as next ]; length 1..3 steps; finish empty as target; never twice }",
        "TRAIL { start own as mover; step [ here | empty as next ]; length 1..3 steps; finish empty as target }"]),
    told(TRIANGLES, ["TRAIL { start own as mover; step [ here | occupied | empty as next ]; step orthogonal [ here | empty as next ]; length 2..3 steps; finish empty as target }",
        "TRAIL { start own as mover; step [ here | occupied | empty as next ]; step orthogonal [ here | empty as next ]; length 2..3 steps; finish any as target }"]),
    // Cells chosen from what a picture found, and numbers that a condition decides.
    told(SQUARE, ["line [ own as mover | whole 1.. empty as path ]; choose target in path", "line [ own as mover | 0.. empty | empty as target ]"]),
    // The run begins where the one before it may have no cell, so that it is not whole.
    told(SQUARE, ["line [ own as mover | empty | 0.. enemy | whole 1.. empty as path ]; choose target in path",
        "line [ own as mover | empty | 1.. enemy | whole 1.. empty as path ]; choose target in path"]),
    told(SQUARE, ["choose mover in own; choose way in directions; choose target in (t from line way [ mover | 0.. empty | empty as t ])", "choose mover in own; line [ mover | 0.. empty | empty as target ]"]),
    told(SQUARE, ["line [ own as mover | 0..(if mover in king then 3 else 0) empty | empty as target ]",
        "line [ own king as mover | 0..3 empty | empty as target ] or line [ own except king as mover | empty as target ]"]),
    told(SQUARE, ["choose mover in own; line forward [ mover and man | empty as target ] or line [ mover and king | 0.. empty | empty as target ]",
        "line forward [ own man as mover | empty as target ] or line [ own king as mover | 0.. empty | empty as target ]"]),
    // What is required of neither, or of either, and whatever is chosen.
    told(SQUARE, ["STEP; require not (mover in man and target in man)", "STEP; require mover in king or target not in man"]),
    same(SQUARE, ["STEP; require count(own) > 2", "require count(own) > 2; STEP"]),
    // What is taken one by one, and at once.
    told(SQUARE, ["STEP; BEHIND; for each v in enemy king in adjacent of target { capture v }", "STEP; BEHIND; capture enemy king in adjacent of target"]),
    told(SQUARE, ["STEP; BEHIND; for each v in enemy in adjacent of target where some line [ target | it | own ] { capture v }",
        "STEP; BEHIND; capture v from line [ target | enemy as v | own ]"]),
    told(SQUARE, ["STEP; BEHIND; capture enemy where some line [ target | it | own ] or some line [ own | it | edge ]",
        "STEP; BEHIND; capture (enemy where some line [ target | it | own ]) or (enemy where some line [ own | it | edge ])"]),
    told(SQUARE, ["STEP; BEHIND; capture enemy in adjacent of target where some line [ target | it | own ] and no line [ enemy | it | enemy ]",
        "STEP; BEHIND; capture (v from line [ target | enemy as v | own ]) except (v from line [ enemy | enemy as v | enemy ])"]),
    told(SQUARE, ["STEP; BEHIND; for each v in enemy in adjacent of target { flip v }", "STEP; BEHIND; flip enemy in adjacent of target"]),
    told(SQUARE, ["STEP; BEHIND; if some line [ target | enemy | own ] { capture v from line [ target | enemy as v | own ] }",
        "STEP; BEHIND; capture v from line [ target | enemy as v | own ]"]),
    told(SQUARE, ["STEP; BEHIND; capture weak in adjacent of target", "STEP; BEHIND; capture enemy in adjacent of target where count(own in adjacent of it) > 1"]),
];

fn source(board: &str, rule: &str) -> Source {
    let end = if rule.contains("BEHIND") {
        ""
    } else {
        "BEHIND"
    };
    let rule = format!("{rule}; {end}")
        .replace("STEP", STEP)
        .replace("TRAIL", "trail")
        .replace(
            "BEHIND",
            "move mover to target; set last_one = target; mark target as trodden",
        )
        .replace("; ", "\n  ");
    let text = format!(
        "game \"Two ways\"
players White facing north, Black facing south
board {board}
piece man, king
keep last_one = nowhere
mark trodden each turn
define weak = enemy where count(own in adjacent of it) > 1
setup {{
  for each p in players {{
    place man of p at (row(1) except first of row(1)) seen by p
    place king of p at (first of row(1)) seen by p
  }}
}}
rule Go \"{{mover}}-{{target}}\" {{
  {rule}
}}
turn {{ Go or pass; Go or pass }}
end after turn {{ draw \"long\" when turns = 30 }}
"
    );
    Source::new(format!("{rule} on {board}"), text)
}

#[test]
fn rules_said_in_two_ways_have_one_kernel() {
    let kernel = |source: &Source| {
        let compiled = gambol::compile(source, &[]);
        let program = compiled.program;
        let program =
            program.unwrap_or_else(|| panic!("{}: {:#?}", source.name(), compiled.diagnostics));
        nameless(&dumps(&program))
    };
    let mut wrong = Vec::new();
    for TwoWays { board, ways, same } in RULES {
        let [one, other] = ways.map(|rule| kernel(&source(board, rule)));
        if *same && one != other {
            wrong.push(format!("{board}: {ways:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn engines_agree_on_rules_said_in_two_ways() {
    let sources = RULES
        .iter()
        .flat_map(|TwoWays { board, ways, .. }| ways.map(|rule| (source(board, rule), true)));
    hold_told(sources);
}
