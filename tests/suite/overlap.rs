//! Pictures of one rule that may find the same piece and target: each match is left to one of them, and no texts are compared; and those
//! of which that cannot be said. Every engine lists, counts and plays as the plain one does.

use crate::ends::comparing;
use gambol::base::Source;

/// Whether no texts need be compared, the board, and the pictures, with what is done behind them.
#[rustfmt::skip]
const CHOICES: &[(bool, &str, &str)] = &[
    // A rook that may go as a king as well, and pieces that are only one of them.
    (true, "square(5, 5)", "line orthogonal [ own (man or duke) as piece | 0.. empty | not own as target ]
  or line [ own (king or duke) as piece | not own as target ]"),
    (true, "square(5, 5)", "line [ own man or duke as piece | not own as target ]
  or line orthogonal [ own king or duke as piece | 0.. empty | not own as target ]"),
    // In part the same targets, and in part the same directions.
    (true, "hexagons(3, 4)", "line [ own as piece | 0..2 empty | empty as target ]
  or line [ own as piece | empty or enemy man as target ]"),
    (true, "square(4, 5)", "line forward [ own as piece | empty or enemy as target ]
  or line orthogonal [ own king as piece | not own as target ]
  or line [ own except man as piece | enemy as target ]"),
    // Twice, or all of it.
    (true, "square(4, 4)", "line [ own as piece | empty as target ]
  or line [ own as piece | empty as target ]"),
    (true, "triangles(3, 3)", "line [ own king as piece | empty as target ]
  or line [ own as piece | 0.. empty | empty or enemy as target ]"),
    // Over a cell.
    (true, "square(5, 5)", "line [ own as piece | 1..2 occupied | empty as target ]
  or line orthogonal [ own as piece | enemy | empty or enemy as target ]"),
    (true, "square(5, 5)", "line [ own as piece | 2 empty | not own as target ]
  or line diagonal [ own as piece | empty | empty except row(4) | empty as target ]"),
    // The same way, which is asked for.
    (true, "square(4, 4)", "line as way [ own as piece | empty as target ]
  or line orthogonal as way [ own king as piece | not own as target ]
  require neighbour(target, way) != nowhere"),
    // Two runs, or two ways to come so far.
    (false, "square(5, 5)", "line [ own as piece | 0.. empty | enemy as target ]
  or line [ own as piece | 1.. empty | not own as target ]"),
    (false, "square(5, 5)", "line [ own as piece | 1.. empty | 0..1 enemy | empty as target ]
  or line [ own as piece | empty | empty | empty as target ]"),
    // What was passed is taken.
    (false, "square(5, 5)", "line [ own as piece | enemy as over | empty as target ]
  or line orthogonal [ own as piece | enemy as over | empty as target ]
  or line [ own as piece | empty as over | empty as target ]
  capture over"),
];

fn source(board: &str, pictures: &str) -> Source {
    let text = format!(
        "game \"Overlap\"
players White facing north, Black facing south
board {board}
piece man, king, duke
setup {{
  place man of White at row(1)
  place king of White at first of row(2)
  place duke of White at last of row(2)
  place man of Black at row(4) except last of row(4)
  place king of Black at last of row(4)
  place duke of Black at last of row(3)
}}
rule Move \"{{piece}}{{target}}\" {{
  {pictures}
  move piece to target
}}
turn Move
end after turn {{ draw \"long\" when turns = 30 }}
end at start of turn {{ lose when stuck }}
"
    );
    Source::new(format!("{pictures} on {board}"), text)
}

#[test]
fn engines_agree_where_pictures_find_the_same() {
    let mut wrong = Vec::new();
    for (parted, board, pictures) in CHOICES {
        for (name, compared) in comparing(&source(board, pictures), 10, &mut wrong) {
            if compared == *parted {
                let how = if compared { "" } else { "not " };
                wrong.push(format!("{name}: texts were {how}compared"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
