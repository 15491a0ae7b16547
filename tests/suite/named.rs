//! What is named before it is written tells actions apart as that does which it was named from; engines agree, and compare no texts.

use crate::ends::hold_told;
use gambol::base::Source;

/// A board, how pieces stand on it, and a rule by which they move; whether its texts tell everything.
const MOVES: &[(&str, &str, bool)] = &[
    // As far as a run goes, its last cell named.
    (
        "square(4, 4)",
        "\"{piece}-{target}\" {
  line [ own as piece | whole 1.. empty as path ]
  let target = last of path
  move piece to target
}",
        true,
    ),
    (
        "triangles(3, 3)",
        "\"{piece}-{target}\" {
  line [ own as piece | whole 1..2 empty as path ]
  let target = last of path
  require target in empty
  let behind = first of path
  move piece to target
}",
        true,
    ),
    // Names given behind either picture.
    (
        "square(4, 4)",
        "\"{piece}-{target}\" {
  line orthogonal [ own as piece | whole 1.. empty as path ] or line diagonal [ own as piece | whole 2.. empty as path ]
  let target = last of path
  move piece to target
}",
        true,
    ),
    // A cell of the run, but not the last one.
    (
        "square(4, 4)",
        "\"{piece}-{target}\" {
  line [ own as piece | 1.. empty as path ]
  let target = first of path
  move piece to target
}",
        false,
    ),
    // Where the lines of a board do not lead back, a run may go on before it begins.
    (
        "graph {
  line (up, down) a b c d e
  line (left) e c a
  line (right) a d
}",
        "\"{piece}-{target}\" {
  line [ own as piece | whole 1.. empty as path ]
  let target = last of path
  move piece to target
}",
        true,
    ),
    // The cell before a run may be of its class.
    (
        "square(4, 4)",
        "\"{piece}-{target}\" {
  line [ own as piece | whole 1.. empty or enemy as path ]
  let target = last of path
  move piece to target
}",
        true,
    ),
    (
        "square(3, 5)",
        "\"{piece}-{target}\" {
  line [ occupied as piece | whole 1.. empty or enemy as path ]
  require piece in own
  let target = last of path
  move piece to target
}",
        true,
    ),
];

fn source((board, rule, _): &(&str, &str, bool)) -> Source {
    let rows = match board.starts_with("graph") {
        true => ["(a or b)", "(d or e)"],
        false => ["row(1)", "row(3)"],
    };
    let text = format!(
        "game \"Named\"
players White, Black
board {board}
piece man
setup {{
  place man of White at {}
  place man of Black at {}
}}
rule Go {rule}
turn {{ Go }}
end after turn {{ draw \"long\" when turns = 30 }}
end at start of turn {{ lose when stuck }}
",
        rows[0], rows[1]
    );
    Source::new(format!("{rule} on {board}"), text)
}

#[test]
fn engines_agree_where_cells_are_named_before_they_are_written() {
    hold_told(MOVES.iter().map(|game| (source(game), game.2)));
}
