//! Trails of which only the ends matter: the end is chosen among all cells that can be come to, and two of them are never written alike;
//! and those that only look so, of which all ways are gone. Every engine lists, counts and plays as the plain one does.

use crate::agree::rivals;
use crate::engines::hold;
use gambol::base::Source;
use gambol::engine::Runner;
use gambol::tools::rng::Rng;

/// A trail in a game.
struct Trail {
    /// Whether no texts need be compared.
    chosen: bool,
    board: &'static str,
    /// Its steps, with their blocks.
    steps: &'static str,
    finish: &'static str,
    /// What is done behind it, and other rules.
    then: &'static str,
}

const MOVE: &str = "{ move here to next }";
/// The piece is moved behind the trail.
const BEHIND: &str = "move piece to goal }";
const NOTHING: &str = "}";
/// A rule whose actions are written like the trail's.
const STEP: &str = "}
rule Other \"{piece}-{goal}\" {
  line [ own as piece | empty as goal ]
  move piece to goal
}";
const LONG_STEP: &str = "}
rule Other \"{piece}-{goal}\" {
  line [ own as piece | 0.. empty | occupied | empty as goal ]
  move piece to goal
}";

const fn trail(
    chosen: bool,
    board: &'static str,
    steps: &'static str,
    [finish, then]: [&'static str; 2],
) -> Trail {
    Trail {
        chosen,
        board,
        steps,
        finish,
        then,
    }
}

#[rustfmt::skip]
const TRAILS: &[Trail] = &[
    // Over any piece but itself, where it stood as well, beside steps that never lead as far.
    trail(true, "square(5, 5)", "[ here | occupied | empty as next ] MOVE", ["any", STEP]),
    trail(true, "hexagons(3, 4)", "[ here | own | empty as next ] MOVE", ["outer(1)", NOTHING]),
    trail(true, "triangles(3, 3)", "[ here | enemy or own man | empty except outer(1) as next ] MOVE", ["any", STEP]),
    // Over open cells, which may be where it stood.
    trail(true, "square(5, 5)", "orthogonal [ here | 0.. empty | occupied | 0..1 empty | empty as next ] MOVE", ["any", NOTHING]),
    trail(true, "square(6, 4)", "orthogonal as way [ here | not own | empty as next ] MOVE", ["any", NOTHING]),
    // Several kinds of steps, whose other names nobody asks for.
    trail(true, "square(5, 5)", "orthogonal [ here | own as over | empty as next ] MOVE
      step diagonal [ here | 2 empty | empty as next ] MOVE", ["any", NOTHING]),
    trail(true, "square(5, 5)", "forward [ here | empty as next ] MOVE", ["row(3)", NOTHING]),
    // A walk behind which the piece is moved.
    trail(true, "square(4, 4)", "orthogonal [ here | empty as next ]", ["any", BEHIND]),
    trail(true, "square(4, 5)", "[ here | empty and adjacent of own as next ]", ["empty", BEHIND]),
    trail(true, "square(4, 4)", "orthogonal [ here | own or empty as next ]", ["empty", BEHIND]),
    // Both rules may find the same.
    trail(false, "square(5, 5)", "[ here | 0.. empty | occupied | empty as next ] MOVE", ["any", LONG_STEP]),
    // What matters is otherwise when the piece has gone on.
    trail(false, "square(4, 4)", "[ here | empty and adjacent of own as next ] MOVE", ["any", NOTHING]),
    trail(false, "square(4, 4)", "[ here | occupied except row(2) or empty and row(2) | empty as next ] MOVE", ["any", NOTHING]),
    trail(false, "square(4, 4)", "orthogonal [ here | empty or enemy as next ] MOVE", ["any", NOTHING]),
    trail(false, "square(4, 4)", "[ here | fresh | empty as next ] MOVE", ["any", NOTHING]),
    trail(false, "square(4, 5)", "[ here | occupied | empty as next ] MOVE", ["any except fresh", NOTHING]),
    trail(false, "square(4, 4)", "orthogonal [ here | empty as next ] { move here to next; mark next as fresh }", ["any", NOTHING]),
    // The way matters.
    trail(false, "square(5, 4)", "orthogonal [ here | enemy as foe | empty as next ] { move here to next; capture foe }", ["any", NOTHING]),
    trail(false, "square(5, 4)", "orthogonal [ here | own | empty as next ] \"{next}\" MOVE", ["any", NOTHING]),
    trail(false, "square(4, 4)", "[ here | empty and axis(here, north) as next ] MOVE", ["any", NOTHING]),
];

/// Turns in which the trail stands in several places, or is asked for before it is gone.
const TURNS: &[&str] = &[
    "turn { Hop; Hop }",
    "turn { Hop; Hop if possible }",
    "turn { Hop if possible; Hop }",
    "turn { repeat 1 to 2 times Hop }",
    "turn { repeat 3 times Hop }",
    "turn { repeat at most 2 times Hop or until \"ready\" }",
    "turn { if can Hop { Hop } }",
    "turn { Hop or pass }",
    "turn { if turns < 6 { Hop } else { Hop; Hop } }",
];

/// The game of a trail: men of White on the first row and of Black on the third, and a king of each.
fn source(trail: &Trail) -> Source {
    let turn = match trail.then.contains("rule") {
        true => "turn { Hop or Other }",
        false => "turn Hop",
    };
    source_of(trail, turn)
}

/// The same with a turn.
fn source_of(trail: &Trail, turn: &str) -> Source {
    let (mark, marked) = match [trail.steps, trail.finish].join(" ").contains("fresh") {
        true => ("mark fresh", "mark row(1) or row(4) as fresh"),
        false => ("", ""),
    };
    let text = format!(
        "game \"Ends\"
players White facing north, Black facing south
board {}
piece man, king
{mark}
setup {{
  place man of White at row(1)
  place king of White at first of row(2)
  place man of Black at row(3) except last of row(3)
  place king of Black at last of row(3)
  {marked}
}}
rule Hop \"{{piece}}-{{goal}}\" {{
  trail {{
    start own as piece
    step {}
    never twice
    length 1.. steps
    finish {} as goal
  }}
  {}
{turn}
end after turn {{ draw \"long\" when turns = 30 }}
end at start of turn {{ lose when stuck }}
",
        trail.board,
        trail.steps.replace("MOVE", MOVE),
        trail.finish,
        trail.then
    );
    let name = format!("{} on {}, {turn}", trail.steps, trail.board);
    Source::new(name, text)
}

/// Holds the engines of a game against the plain one, and plays so many games at random with each of them: its name, and whether it had
/// to compare texts.
pub fn comparing(source: &Source, games: usize, wrong: &mut Vec<String>) -> Vec<(String, bool)> {
    let name = source.name();
    let compiled = gambol::compile(source, &[]);
    let Some(program) = compiled.program else {
        panic!("{name} is no game: {:?}", compiled.diagnostics);
    };
    match hold(name, source, "", 150) {
        Ok(line) if line.contains("gave up 0 times") => {}
        Ok(line) | Err(line) => wrong.push(line),
    }
    let rivals = rivals(&program, false).unwrap().into_iter();
    let played = rivals.map(|rival| {
        let mut runner = Runner::new(&rival.engine);
        let mut rng = Rng::new(1);
        for _ in 0..games {
            let start = rival.engine.initial();
            runner.game(&start, 60, |n| rng.below(n)).unwrap();
        }
        let compared = rival.engine.told_apart() > 0;
        (format!("{name}, {}", rival.name), compared)
    });
    played.collect()
}

/// Holds the engines of games against the plain one; of each it is said whether its texts tell all actions apart, so that none are
/// compared.
pub fn hold_told(games: impl IntoIterator<Item = (Source, bool)>) {
    let mut wrong = Vec::new();
    for (source, told) in games {
        for (name, compared) in comparing(&source, 10, &mut wrong) {
            if compared == told {
                wrong.push(format!("{name}: texts were compared: {compared}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn ends_are_chosen_wherever_the_trail_stands() {
    let walk = trail(
        true,
        "square(4, 4)",
        "orthogonal [ here | empty as next ] MOVE",
        ["any", NOTHING],
    );
    hold_told(TURNS.iter().map(|turn| (source_of(&walk, turn), true)));
}

#[test]
fn engines_agree_where_ends_of_trails_are_chosen() {
    let mut wrong = Vec::new();
    for trail in TRAILS {
        let games = if trail.chosen { 10 } else { 0 };
        for (name, compared) in comparing(&source(trail), games, &mut wrong) {
            if compared {
                wrong.push(format!("{name}: texts were compared"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
