//! Rules as people put them: cells chosen one after the other, directions looked along cell by cell, conditions around what is done or
//! required, second names. Engines agree, and compare no texts where these tell everything.

use crate::ends::hold_told;
use gambol::base::Source;

/// A board, rules that move men and kings, how a turn goes, and whether the texts tell all actions apart.
struct Worded {
    board: &'static str,
    rules: &'static str,
    turn: &'static str,
    told: bool,
}

const SQUARE: &str = "square(4, 5)";
const JOINED: &str = "square(4, 5) joined orthogonal";

const fn worded(board: &'static str, rules: &'static str) -> Worded {
    Worded {
        board,
        rules,
        turn: "Go",
        told: true,
    }
}

/// With texts that are compared.
const fn compared(board: &'static str, rules: &'static str) -> Worded {
    Worded {
        told: false,
        ..worded(board, rules)
    }
}

const fn two(board: &'static str, rules: &'static str, told: bool) -> Worded {
    Worded {
        board,
        rules,
        turn: "Go or Other",
        told,
    }
}

const GAMES: &[Worded] = &[
    // One rule with several numbers, which the text names, and which it does not.
    Worded {
        board: SQUARE,
        rules: "rule Go(far) \"{mover}+{far}\" {
  line north [ own as mover | (far - 1) any | empty as target ]
  move mover to target
}",
        turn: "Go(1) or Go(2) or Go(3)",
        told: true,
    },
    Worded {
        board: SQUARE,
        rules: "rule Go(far) \"{mover}\" {
  line north [ own as mover | (far - 1) any | empty as target ]
  remove mover
}",
        turn: "Go(1) or Go(2)",
        told: false,
    },
    // Two rules written alike, for pieces of two kinds, to cells here and there, of one step and of more.
    two(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  choose mover in own man
  choose target in adjacent of mover except own
  move mover to target
}
rule Other \"{mover}{-x}{target}\" {
  line [ own king as mover | 0.. empty | empty or enemy as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  choose mover in own
  choose target in adjacent of mover except own
  move mover to target
}
rule Other \"{mover}{-x}{target}\" {
  line [ own king as mover | empty or enemy as target ]
  move mover to target
}",
        false,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line [ own as mover | empty in rows(1..2) as target ]
  move mover to target
}
rule Other \"{mover}-{target}\" {
  line [ own as mover | empty except rows(1..2) as target ]
  move mover to target
  promote target to king
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line forward [ own as mover | empty in row(1) seen by them as target ]
  move mover to target
}
rule Other \"{mover}-{target}\" {
  line forward [ own as mover | empty except row(1) seen by them as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line forward [ own as mover | empty in rows(1..3) as target ]
  move mover to target
}
rule Other \"{mover}-{target}\" {
  line forward [ own as mover | empty except row(1) as target ]
  move mover to target
}",
        false,
    ),
    two(
        SQUARE,
        "rule Go \"*{spot}\" {
  choose spot in empty in row(3)
  place man at spot
}
rule Other \"*{spot}\" {
  choose spot in empty in rows(2..4) except row(3)
  place king at spot
}",
        true,
    ),
    two(
        JOINED,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  line orthogonal [ own as mover | 1..2 occupied | empty as target ]
  move mover to target
}",
        true,
    ),
    // Once around three columns a long step is a short one.
    two(
        "square(3, 5) wrapping columns",
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  line [ own as mover | occupied | empty as target ]
  move mover to target
}",
        false,
    ),
    // Directions, and cells named along them.
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose way in orthogonal
  require mover in king or way not in backward
  let target = neighbour(mover, way)
  require target in empty
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{way}\" {
  choose mover in own
  choose way in directions
  require way in orthogonal and way not in sideways
  let target = neighbour(mover, way)
  require target in empty
  move mover to target
}",
    ),
    two(
        SQUARE,
        "define ways of c = if c in dark then directions else orthogonal
rule Go \"{mover}x{target}\" {
  choose mover in own
  choose way in ways of mover
  let prey = neighbour(mover, way)
  require prey in enemy
  let target = neighbour(prey, way)
  require target in empty
  capture prey
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose mover in own
  choose way in ways of mover
  let target = neighbour(mover, way)
  require target in empty
  move mover to target
}",
        true,
    ),
    worded(
        "square(4, 5) wrapping columns",
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose way in directions
  let mid = neighbour(mover, way)
  require mid in occupied
  require mid not in king
  let target = neighbour(mid, way)
  require target not in own
  require target != nowhere
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose way in diagonal
  line way [ mover | 0.. empty | empty or enemy as target ]
  move mover to target
}",
    ),
    // The only piece of its kind, which no text has to tell.
    worded(
        SQUARE,
        "rule Go \"{target}\" {
  choose mover in own king
  choose target in empty where it in adjacent of mover
  move mover to target
}",
    ),
    // What is done under conditions.
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line [ own as mover | empty or enemy as target ]
  if target in enemy { capture target }
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line forward orthogonal [ own as mover | empty as target ] or line forward diagonal [ own as mover | empty or enemy as target ]
  if target in occupied { capture target }
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line [ own as mover | empty or enemy as target ]
  if target in king {
    set got of me = got of me + 1
    if target in row(1) seen by them { deal man to me }
  } else { mark target as spots }
  move mover to target
  if target in row(1) seen by them { promote target to king }
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line [ own as mover | empty as target ]
  move mover to target
  for each v in enemy in adjacent of target where some line [ target | it | own ] { capture v }
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line [ own as mover | empty as target ]
  for each v in own in row(1) { capture v }
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line [ own as mover | empty as target ]
  if target in row(3) { capture mover }
  move mover to target
}",
    ),
    // How long a run is is not seen from where the ways meet again.
    Worded {
        told: false,
        ..worded(
            SQUARE,
            "rule Go \"{mover}-{target}\" {
  line orthogonal [ own as mover | n empty as path ]
  let target = last of path
  if mover in king { capture enemy in adjacent of target }
  move mover to target
  promote target to man
}",
        )
    },
    worded(
        JOINED,
        "rule Go \"*{spot}\" {
  choose spot in empty
  place man at spot
  for each g in groups of them { if no empty in adjacent of g { capture g } }
  require some empty in adjacent of group of spot
}",
    ),
    worded(
        SQUARE,
        "rule Go \"*{spot}\" {
  choose spot in empty
  place man at spot
  let dead = enemy in adjacent of spot where count(own in adjacent of it) > 2
  if some dead { capture dead }
}",
    ),
    worded(
        JOINED,
        "rule Go \"*{spot}\" {
  choose spot in empty
  place man at spot
  for each c in enemy in adjacent of spot { if no empty in adjacent of group of c { capture group of c } }
  require some empty in adjacent of group of spot
}",
    ),
    worded(
        SQUARE,
        "rule Go \"*{spot}\" {
  choose spot in empty
  place man at spot
  let run = a from line [ spot | 1.. enemy as a | own ]
  flip run
  require some run
}",
    ),
    worded(
        "square(3, 5) wrapping columns",
        "rule Go \"*{spot}\" {
  choose spot in empty
  place man at spot
  let run = a from line [ spot | 1.. enemy as a | own ]
  require some run
  flip run
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{-x}{target}\" {
  line [ own as mover | enemy as target ]
  let near = enemy in adjacent of mover
  let others = own except mover
  move mover to target
  if some others in row(2) { capture near }
  for each v in others { if v in row(3) { capture v } }
}",
    ),
    // What is gone through again and again, as long as something holds.
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line [ own as mover | empty as target ]
  move mover to target
  repeat while count(own) > 3 { remove last of own }
}",
    ),
    // What is required under conditions.
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line as way [ own as mover | not own as target ]
  if target in enemy {
    require way in diagonal
    require mover in king or way in forward
  }
  move mover to target
  if mover = target { require no king }
  if turns > 2 { if target in row(1) seen by me { require some own in row(2) } }
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line [ own as mover | empty as target ]
  if some own king { require no enemy in adjacent of target } else { require turns < 9 }
  move mover to target
}",
    ),
    // Cells asked one by one whether a picture finds them, and pictures from the far end.
    worded(
        SQUARE,
        "rule Go \"*{spot}\" {
  choose spot in empty where some line [ own | 1.. enemy | it ]
  let run = a from line [ own | 1.. enemy as a | spot ]
  place man at spot
  flip run
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty where some line [ mover | 0.. empty | it ]
  require no (own king where some line [ it | 0.. empty | target ]) or count(enemy where some line diagonal [ target | it ]) > 0
  move mover to target
}",
    ),
    worded(
        "square(4, 4) wrapping rows",
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty where some line orthogonal [ mover | 0..1 empty | it ]
  require some line [ own | 0.. empty | target ]
  move mover to target
}",
    ),
    // Second names.
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line [ own as mover | enemy as victim | empty as target ]
  let over = victim
  let begin = mover
  move begin to target
  capture over
  set got of me = got of me + count(own in adjacent of over)
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{way}\" {
  choose mover in own
  choose way in directions where neighbour(mover, it) in empty
  move mover to neighbour(mover, way)
}",
    ),
    // What one of two rules that are written alike requires of a cell, or of the position, and the other denies.
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own where no enemy in adjacent of it
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose mover in own where some enemy in adjacent of it
  line [ mover | 0..2 empty | empty as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own where no enemy in adjacent of it
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose mover in own where some own in adjacent of it
  line [ mover | 0..2 empty | empty as target ]
  move mover to target
}",
        false,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  require mover in man
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose mover in own
  require mover in king
  line [ mover | 0.. empty | empty as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own where it in king
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose mover in own where it not in king
  line forward [ mover | empty as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own except king
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose mover in own except man
  line [ mover | 0.. empty | empty as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own spots
  choose target in empty in adjacent of mover
  move mover to target
  mark target as spots
}
rule Other \"{mover}-{target}\" {
  choose mover in own except spots
  line [ mover | 0..1 empty | empty as target ]
  move mover to target
  mark target as spots
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  require got of me < 2
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
  set got of me = got of me + 1
}
rule Other \"{mover}-{target}\" {
  require got of me >= 2
  line [ own as mover | 0..1 empty | empty as target ]
  move mover to target
}",
        true,
    ),
    // The cell of which it is said may be another one, or the number.
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose near in own king
  choose mover in own man where it in adjacent of near
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  choose near in own king
  choose mover in own man where it not in adjacent of near
  line [ mover | 0..1 empty | empty as target ]
  move mover to target
}",
        false,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  set got of me = 1
  require got of me > 0
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
  set got of me = 0
}
rule Other \"{mover}-{target}\" {
  require got of me = 0
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
}",
        false,
    ),
    // Steps to a cell beside another, and leaps, or jumps on and on, which lead elsewhere.
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  line leaps(1, 2) [ own king as mover | empty as target ]
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty in adjacent of mover
  move mover to target
}
rule Other \"{mover}-{target}\" {
  trail {
    start own as mover
    step [ here | occupied | empty as next ]
    finish any as target
    never twice
    length 1.. steps
  }
  move mover to target
}",
        true,
    ),
    two(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose target in empty in adjacent(mover, orthogonal)
  move mover to target
}
rule Other \"{mover}-{target}\" {
  trail {
    start own as mover
    step orthogonal [ here | 0..1 empty | empty as next ] { move here to next }
    finish any as target
    never twice
    length 1..2 steps
  }
}",
        false,
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}*\" {
  line [ whole 1.. enemy as foes | own as mover | empty as target ]
  move mover to target
  capture foes
}",
    ),
    // Pictures of which the first cell is not in the text, the kind of the piece that was chosen, runs by their cells or by how many they are,
    // and directions in the text behind which something is gone through.
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}*\" {
  line [ enemy as prey | own as mover | empty as target ]
  move mover to target
  capture prey
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  line forward [ mover and man | empty as target ] or line [ mover and king | 0.. empty | empty as target ]
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{pair}\" {
  line (north or east) [ 2 empty as pair ]
  place man at pair
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{way}{count of path}\" {
  line as way [ own as mover | 1.. empty as path ]
  move mover to last of path
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}{way}\" {
  choose mover in own
  choose way in directions
  let target = neighbour(mover, way)
  require target in empty
  move mover to target
  for each c in enemy in adjacent of target { if c in man { promote c to king } }
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  choose mover in own
  choose way in directions
  choose target in (t from line way [ mover | 0.. empty | empty as t ])
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line [ own as mover | whole 1.. empty as path ]
  choose target in path
  move mover to target
}",
    ),
    worded(
        SQUARE,
        "rule Go \"{mover}-{target}\" {
  line [ own as mover | 0..(if mover in king then 3 else 0) empty | empty as target ]
  move mover to target
}",
    ),
    compared(
        SQUARE,
        "rule Go \"{a or b}\" {
  line orthogonal [ empty as a | empty as b ]
  place man at a or b
}",
    ),
];

fn source(game: &Worded) -> Source {
    let Worded {
        board, rules, turn, ..
    } = game;
    let text = format!(
        "game \"Worded\"
players White facing north, Black facing south
board {board}
piece man, king
keep got of each player = 0
mark spots each turn
setup {{
  for each p in players {{
    place man of p at (row(1) except first of row(1)) seen by p
    place king of p at (first of row(1)) seen by p
  }}
  place man of White at first of row(3)
}}
{rules}
turn {{ {turn} or pass }}
end after turn {{ draw \"long\" when turns = 30 }}
"
    );
    Source::new(format!("{rules} on {board}"), text)
}

#[test]
fn engines_agree_on_rules_in_usual_words() {
    hold_told(GAMES.iter().map(|game| (source(game), game.told)));
}
