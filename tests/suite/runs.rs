//! Rules about runs of pieces that are written alike: told apart by what stands on one row, cell by cell, and by the runs that a loop goes on
//! with. Engines agree, and compare no texts where these tell everything.

use crate::ends::hold_told;
use gambol::base::Source;

/// A board, rules of which each is written with a run and a direction, and whether the texts tell all actions apart.
type Game = (&'static str, &'static [Rule], bool);

/// The notation, and what the rule says.
type Rule = (&'static str, &'static str);

const HEXAGONS: &str = "hexagons(4, 4)";
const SQUARE: &str = "square(5, 6)";
const RING: &str = "square(5, 6) wrapping columns";
const END_AND_WAY: &str = "{first of team}>{way}";
const BOTH_ENDS: &str = "{first of team}{last of team}>>{way}";

const MARCH: Rule = (
    END_AND_WAY,
    "line as way [ 1..3 own as team | empty ]; advance team by 1",
);
const PUSH: Rule = (
    END_AND_WAY,
    "line as way [ n own as team | whole 1..n-1 enemy as foes | empty ]; require count of team <= 3; advance foes by 1; advance team by 1",
);
const EJECT: Rule = (
    END_AND_WAY,
    "line as way [ n own as team | 0..n-2 enemy as foes | enemy as out | edge ]; require count of team <= 3; capture out; advance foes by 1; \
     advance team by 1",
);

#[rustfmt::skip]
const GAMES: &[Game] = &[
    // What ends a run is empty, held by the enemy, or the edge.
    (HEXAGONS, &[MARCH, PUSH], true),
    (HEXAGONS, &[MARCH, PUSH, EJECT], true),
    (SQUARE, &[PUSH, EJECT], true),
    (RING, &[MARCH, PUSH], true),
    (SQUARE, &[MARCH, ("{first of team}>{way}", "line as way [ 2 own as team | 2 enemy as foes ]; remove team; remove foes")], true),
    // The way is told by the last cell.
    (SQUARE, &[("{first of team}-{target}", "line [ 1..3 own as team | empty as target ]; advance team by 1"),
        ("{first of team}-{target}", "line [ 1..2 own as team | enemy as target ]; remove target; advance team by 1")], true),
    // Both runs may end where an own one begins, or nothing tells the way.
    (SQUARE, &[(END_AND_WAY, "line as way [ 1..3 own as team | empty ]; remove first of team"),
        (END_AND_WAY, "line as way [ own as team | own or empty ]; remove first of team")], false),
    (SQUARE, &[("{first of team}", "line as way [ 1..3 own as team | empty ]; remove first of team"),
        ("{first of team}", "line as way [ 1..3 own as team | enemy ]; remove first of team")], false),
    // Runs that are longer than any that is counted, and end where a text tells.
    (SQUARE, &[("{first of team}>{way}", "line as way [ 1.. own as team | empty ]; advance team by 1"),
        ("{first of team}>{way}", "line as way [ own | own | own as team | edge ]; remove team")], true),
    // Up to the edge, behind a run of any length, another one may be there or not.
    (SQUARE, &[("{a}>{way}", "line as way [ own as a | 0.. any as x | whole 0.. enemy as foes | edge ]; remove a")], false),
    // A run that a loop goes through, moved along another direction.
    (HEXAGONS, &[(BOTH_ENDS, "line [ 2..3 own as team ]; choose way in directions; require all adjacent(team, way) in empty; \
        for each c in team { move c to neighbour(c, way) }")], true),
    (HEXAGONS, &[(BOTH_ENDS, "line [ 2..3 own as team ]; choose way in directions; let m = count(team); \
        require count(adjacent(team, way) except team) = m and all adjacent(team, way) in empty; for each c in team { move c to neighbour(c, way) }"),
        MARCH], true),
    (RING, &[(BOTH_ENDS, "line [ 2..3 own as team ]; choose way in diagonal; require some empty in adjacent(team, way); remove team")], false),
    (SQUARE, &[("{first of team}>>{way}", "line [ 2..3 own as team ]; choose way in orthogonal; require no enemy in adjacent(team, way); \
        for each c in first of team { remove c }")], false),
    (SQUARE, &[("{first of team}{last of team}", "line [ 2.. own as team ]; for each c in team { remove c }")], true),
    // Both ends of a match tell how long several runs are, or not.
    (SQUARE, &[("{mover}-{goal}", "line [ own as mover | 0.. empty | 0.. enemy as passed | empty as goal ]; move mover to goal; flip passed")], true),
    (HEXAGONS, &[("{mover}-{goal}", "line [ own as mover | 0..2 enemy as passed | 0.. empty | 1.. enemy as foes | empty as goal ]; move mover to goal; \
        flip passed; remove foes")], true),
    (SQUARE, &[("{mover}-{goal}", "line [ own as mover | 0..2 empty | 0.. empty or enemy | empty as goal ]; move mover to goal")], false),
    (SQUARE, &[("{mover}-{goal}", "line [ own as mover | 0.. enemy | empty | 0.. enemy | empty as goal ]; move mover to goal")], true),
    (SQUARE, &[("{mover}-{goal}", "line [ own as mover | 0.. enemy | 0..1 empty | 0.. enemy | empty as goal ]; move mover to goal")], false),
    (SQUARE, &[("{mover}-{goal}", "line [ own as mover | 0.. enemy | 0..1 any | 0.. enemy | empty as goal ]; move mover to goal")], false),
    (RING, &[("{mover}-{goal}", "line [ own as mover | 0.. empty | 0.. enemy | empty as goal ]; move mover to goal")], false),
    // A direction that was chosen tells the opposite one, and is told by two cells along that.
    (SQUARE, &[("{spot}{way}", "choose spot in empty and outer(1); choose way in orthogonal; line (opposite of way) [ spot | 1.. any as row | edge ]; \
        place man at spot")], true),
    (SQUARE, &[("{spot}{end}", "choose spot in empty and outer(1); choose way in orthogonal; line (opposite of way) [ spot | 1.. any as row | edge ]; \
        let end = last of row; remove end; place man at spot")], true),
    (SQUARE, &[("{spot}", "choose spot in empty and outer(1); choose way in orthogonal; line (opposite of way) [ spot | 1.. any as row | edge ]; \
        place man at spot")], false),
    // Where a line begins may follow from the direction, which its end does not tell then.
    (SQUARE, &[("{goal}", "choose way in orthogonal; let end = neighbour(c3, opposite of way); line way [ end | 0.. any | empty as goal ]; \
        place man at goal")], false),
    (SQUARE, &[("{goal}", "choose way in orthogonal; line (opposite of way) [ c3 | 1.. any as row | edge ]; let end = last of row; \
        line way [ end | 1.. any | empty as goal ]; place man at goal")], false),
    (SQUARE, &[("{goal}", "choose way in orthogonal; let a = neighbour(c3, opposite of way); line north [ a | 0.. any | any as b | edge ]; \
        line way [ b | 0.. any | any as goal ]; remove goal")], false),
    (SQUARE, &[("{mover}-{goal}", "choose mover in own; choose way in orthogonal; line way [ mover | 0.. empty | empty as goal ]; move mover to goal")], true),
    // And a run between two cells that are named.
    (SQUARE, &[("{spot}{way}", "choose spot in empty and outer(1); choose way in orthogonal; line (opposite of way) [ spot | 1.. any as row | edge ]; \
        let end = last of row; line way [ end | 0.. any as middle_ | spot ]; remove middle_; place man at spot")], true),
    (SQUARE, &[("{spot}", "choose spot in empty and outer(1); choose way in orthogonal; line (opposite of way) [ spot | 1.. any as row | edge ]; \
        let end = last of row; line way [ end | 0.. any as middle_ | spot ]; place man at spot")], false),
    // A text names what was found one way, or both ways.
    (SQUARE, &[("{pair}", "line orthogonal [ 2 empty as pair ]; place man at pair")], true),
    (SQUARE, &[("{pair}", "line orthogonal [ whole 2 empty as pair ]; place man at pair")], false),
    (SQUARE, &[("{pair}-{first of pair}", "line orthogonal [ 2 empty as pair ]; place man at first of pair")], false),
    (SQUARE, &[("{a or b}", "line (north or east) [ empty as a | empty as b ]; place man at a or b")], true),
    (SQUARE, &[("{a or b}", "line orthogonal [ empty as a | empty as b ]; place man at a or b")], false),
    (RING, &[("{a or b}", "line (north or east) [ empty as a | empty as b ]; place man at a or b")], false),
    // What tells a match is handed on: its cells that the text names, or its direction.
    (SQUARE, &[("{mover}-{goal}", "line [ own as mover | 0.. empty | empty as goal | not empty ] or line [ own as mover | 0.. empty | empty as goal | edge ]; \
        move mover to goal")], true),
    (HEXAGONS, &[("{a}{b}>>{way}", "line (e or ne or nw) [ own as a | own as b ]; choose way in directions; line way [ a | empty as x ]; \
        line way [ b | empty as y ]; for each c in a or b { move c to neighbour(c, way) }")], true),
    (SQUARE, &[("{a}-{b}+", "line [ (if some tired then tired else own) as a | empty as b | enemy as foe ]; move a to b; remove foe; mark b as tired")], true),
    // One of what is not in a row, or any where all are.
    (SQUARE, &[("x{v}", "choose v in enemy except (r from line orthogonal [ 3 enemy as r ]); capture v"),
        ("x{v}", "require all enemy in (s from line orthogonal [ 3 enemy as s ]); choose v in enemy; capture v")], true),
    (SQUARE, &[("x{v}", "choose v in enemy in row(4) except row(2); capture v"), ("x{v}", "require no enemy in row(4); choose v in enemy; capture v")], true),
    (SQUARE, &[("x{v}", "choose v in enemy except (r from line orthogonal [ 3 enemy as r ]); capture v"),
        ("x{v}", "require all enemy in (s from line diagonal [ 3 enemy as s ]); choose v in enemy; capture v")], false),
    (SQUARE, &[("x{v}", "choose m in own; choose v in enemy except (r from line [ m | enemy as r ]); capture v"),
        ("x{v}", "choose m in own; require all enemy in (s from line [ m | enemy as s ]); choose v in enemy; capture v")], false),
    // A cell is chosen before what leads to it.
    (SQUARE, &[("{mover}-{target}", "choose target in empty; line (north or ne) [ own as mover | target ]; move mover to target"),
        ("{mover}-{target}", "line (north or ne) [ own as mover | enemy | empty as target ]; move mover to target")], true),
    (SQUARE, &[("{mover}-{target}", "choose over in enemy; line [ own as mover | over | empty as target ]; move mover to target; remove over")], true),
];

/// Runs of pieces of several sorts advance, of both players, with marks, and with cells among them that are empty.
#[rustfmt::skip]
const MIXED: &[Game] = &[
    (HEXAGONS, &[(END_AND_WAY, "line as way [ 1.. occupied as team | empty ]; require some own in team; advance team by 1")], true),
    (SQUARE, &[(END_AND_WAY, "line as way [ 2..3 occupied as team | empty ]; require first of team not in tired; advance team by 1; \
        mark first of team as tired")], true),
    (SQUARE, &[(END_AND_WAY, "line as way [ 2..3 own as team | empty as ahead ]; require no tired in (ahead or adjacent of ahead); mark team as tired; \
        advance team by 1")], true),
    (SQUARE, &[("{last_one}>{way}", "line as way [ own as last_one | 2 any as team ]; advance team by count of team")], true),
    (RING, &[("{last_one}>{way}", "line as way [ own as last_one | 2 any as team ]; advance team by 1; flip enemy in adjacent of last_one")], true),
    (RING, &[("{last_one}>{way}", "line orthogonal as way [ own as last_one | 5 any as team ]; advance team by 2")], true),
    (SQUARE, &[("{last_one}>{way}", "line as way [ own as last_one | 1.. occupied as team | edge ]; let n = count(enemy in team); capture last of team; \
        advance team by n")], true),
];

fn source((board, rules, _): &Game) -> Source {
    let (mut texts, mut names) = (String::new(), Vec::new());
    for (nth, (notation, body)) in rules.iter().enumerate() {
        let body = body.replace("; ", "\n  ");
        texts += &format!("rule Rule{nth} \"{notation}\" {{\n  {body}\n}}\n");
        names.push(format!("Rule{nth}"));
    }
    let text = format!(
        "game \"Runs\"
players White facing north, Black facing south
board {board}
piece man, king
mark tired each turn
setup {{
  for each p in players {{
    place man of p at ((row(1) or row(2)) except first of row(1) except last of row(2)) seen by p
    place king of p at (first of row(1)) seen by p
  }}
}}
{texts}
turn {{ {0} or pass; {0} or pass }}
end after turn {{ draw \"long\" when turns = 30 }}
",
        names.join(" or ")
    );
    Source::new(format!("{rules:#?} on {board}"), text)
}

#[test]
fn engines_agree_on_rules_about_runs() {
    hold_told(GAMES.iter().map(|game| (source(game), game.2)));
}

#[test]
fn engines_agree_on_runs_of_several_sorts_that_advance() {
    hold_told(MIXED.iter().map(|game| (source(game), game.2)));
}
