//! Turns that are presumed to go on in random games, and are found out not to by what is listed: every engine plays as the plain one
//! does, also where a game is broken off there, and it is presumed where it is meant to be.

use crate::common::slow;
use crate::engines::hold;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::program::kernel::Work;

/// Turns, and whether something of them is presumed.
const TURNS: &[(&str, bool)] = &[
    ("Add; Add if possible", true),
    ("Add; Hop if possible; Step if possible", true),
    ("Step; repeat Hop; Add if possible", true),
    ("Step; repeat Hop or until \"stop\"", true),
    ("Add or pass; repeat Hit; capture slain", true),
    // What is listed is hardly asked whether it is legal.
    ("Add or pass; repeat Crush; capture slain", false),
    (
        "for each part in groups of me, in any order { Grow(part) }; Add if possible",
        true,
    ),
    (
        "for each part in groups of me where count of part < 3, in any order or until \"done\" { Grow(part) }; Add if possible",
        true,
    ),
    (
        "Add; for each part in groups of me, in any order or until \"done\" { set band = part; repeat 1 to 2 times Walk or until \"stop\"; set band = none }",
        true,
    ),
    // What is listed of all groups at once may not be legal.
    ("Add; Jump if possible; Add if possible", true),
    ("Add; repeat Jump or until \"stop\"", true),
    (
        "Step; Add if possible; repeat Jump or until \"stop\"; Hop if possible",
        true,
    ),
    // A picture is put otherwise in the question.
    (
        "{ for each part in groups of me, in any order or until \"done\" { set band = part; repeat 1 to 2 times Leap or until \"stop\"; set band = none }; require actions > 0 \"none\" }; or pass",
        false,
    ),
    // What is required behind it may not hold.
    (
        "Add; Hop if possible; require some own in row(1) \"home\"",
        false,
    ),
    // What is asked is not what is listed.
    ("Add; if can Hop { Step }", false),
    // A number that is not kept where the turn rests is read behind it.
    (
        "Add; let n = count(own); repeat Hop; if n > 4 { capture first(enemy) }",
        false,
    ),
    ("Add; Step", false),
];

/// The same with an end that is asked for within turns, where nothing is presumed.
const WITHIN: &str = "\nend after action {\n  draw \"far\" when count(own) > 9\n}\n";

fn game(turn: &str, more: &str) -> String {
    let turn = turn
        .replace("; or", "\n  or")
        .replace("; ", "\n  ")
        .replace("{ ", "{\n    ")
        .replace(" }", "\n  }");
    format!(
        "game \"Presumed\"\n\nplayers White, Black\nboard   square(5, 4)\npiece   stone\n\n\
         mark slain, band each turn\n\n\
         setup {{\n  place stone of White at a1 or b1 or d2\n  place stone of Black at a4 or c4 or e3\n}}\n\n\
         rule Add \"+{{target}}\" {{\n  choose target in empty in adjacent of own\n  require no enemy in adjacent of target\n  \
         place stone at target\n}}\n\n\
         rule Grow(family) \"*{{target}}\" {{\n  choose target in empty in adjacent of family\n  \
         require no enemy in adjacent of target\n  require all own in adjacent of target in family\n  place stone at target\n}}\n\n\
         rule Step \"{{mover}}-{{target}}\" {{\n  choose mover in own\n  choose target in empty in adjacent of mover\n  \
         move mover to target\n}}\n\n\
         rule Hop \"{{mover}}^{{target}}\" {{\n  line [ own as mover | enemy as victim | empty as target ]\n  capture victim\n  \
         move mover to target\n}}\n\n\
         rule Leap \"{{mover}}/{{target}}\" {{\n  line [ band as mover | band | empty as target ]\n  \
         require no (own except band) in adjacent of target\n  move mover to target\n}}\n\n\
         rule Jump \"{{mover}}~{{target}}\" {{\n  choose family in groups of me\n  line [ family as mover | family | empty as target ]\n  \
         require no (own except family) in adjacent of target\n  move mover to target\n}}\n\n\
         rule Walk \"{{mover}}.{{target}}\" {{\n  choose mover in band\n  choose target in empty in adjacent of mover\n  \
         require no (own except band) in adjacent of target\n  move mover to target\n}}\n\n\
         rule Hit \"{{hitter}}x{{victim}}\" {{\n  choose hitter in own\n  choose victim in (enemy in adjacent of hitter) except slain\n  \
         require count(own in adjacent of hitter) > count(enemy in adjacent of victim)\n  mark victim as slain\n}}\n\n\
         rule Crush \"{{hitter}}#{{victim}}\" {{\n  choose hitter in own\n  choose victim in (enemy in adjacent of hitter) except slain\n  \
         require count(group of hitter) > count(group of victim)\n  mark victim as slain\n}}\n\n\
         turn {{\n  {turn}\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 14\n}}\n{more}\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

#[test]
fn engines_agree_where_turns_are_presumed_to_go_on() {
    let mut wrong = Vec::new();
    for (turn, presumed) in TURNS {
        for more in ["", WITHIN] {
            let source = Source::new(*turn, game(turn, more));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                wrong.push(format!("`{turn}` is no game: {:?}", compiled.diagnostics));
                continue;
            };
            match hold(turn, &source, "", if slow() { 2000 } else { 300 }) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
            let found = kernel(&program, Work::Games, true).unwrap().presumed;
            if found.is_some() != (*presumed && more.is_empty()) {
                wrong.push(format!("`{turn}` {more}: presumed is {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
