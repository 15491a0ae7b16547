//! Where a turn, or what is asked whether it can be done, can surely be completed, that is not tried; elsewhere it is. Every engine
//! answers as the plain one does, and the kernels tell what is tried.

use crate::agree::{Depth, Match, of_few_statements, rivals};
use crate::engines::{dumps, hold};
use gambol::base::Source;
use gambol::engine::Engine;

/// What is marked besides when a piece is hit, and whether the turn can then be completed from every place of it, which is known
/// without trying: tokens come where pieces were taken, or where they may stand still.
const HITS: &[(&str, bool)] = &[
    ("mark victim as ruined", true),
    ("if column of victim > 2 { mark victim as ruined }", true),
    ("mark killer as ruined", false),
    ("mark adjacent of victim as ruined", false),
    (
        "unmark (own and slain) as slain; mark victim as ruined",
        false,
    ),
];

fn game_of_hits(hit: &str) -> String {
    let hit = hit.replace("; ", "\n  ");
    format!(
        "game \"Hits\"\n\nplayers White, Black\nboard   square(4, 4)\npiece   stone, token \"#\" neutral\n\n\
         mark used, slain each turn\nkeep ruined = none each turn\n\n\
         setup {{\n  place stone of White at row(1)\n  place stone of Black at row(3)\n}}\n\n\
         rule Step \"{{mover}}-{{target}}\" {{\n  choose mover in own\n  choose target in empty in adjacent of mover\n  move mover to target\n}}\n\n\
         rule Hit \"{{killer}}x{{victim}}\" {{\n  choose killer in own except used\n  \
         choose victim in (enemy in adjacent of killer) except slain\n  \
         mark killer as used\n  mark victim as slain\n  {hit}\n}}\n\n\
         turn {{\n  Step or pass\n  repeat Hit\n  capture slain\n  place token at ruined\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 40\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

#[test]
fn engines_agree_where_turns_can_surely_be_completed() {
    for (hit, sure) in HITS {
        let source = Source::new("hits", game_of_hits(hit));
        let program = gambol::compile(&source, &[]).program;
        let program = program.unwrap_or_else(|| panic!("`{hit}` is no game"));
        let told = dumps(&program);
        let tries = |line: &str| line.contains("call Code(") && line.contains(") Probe(");
        assert_eq!(told.lines().any(tries), !sure, "`{hit}`");
        let line = hold(hit, &source, "", 300).unwrap_or_else(|what| panic!("{what}"));
        assert!(line.contains("gave up 0 times"), "{line}");
    }
}

/// After a step so many parts of the enemy are captured, one after the other, though there are only two.
fn game_of_parts(most: usize) -> String {
    format!(
        "game \"Parts\"\n\nplayers White, Black\nboard   square(4, 4)\npiece   stone\n\n\
         keep left  = none each turn\nkeep taken = none each turn\n\n\
         setup {{\n  place stone of White at row(1)\n  place stone of Black at row(3) and (column(1) or column(4))\n}}\n\n\
         rule Step \"{{mover}}-{{target}}\" {{\n  choose mover in own\n  choose target in empty in adjacent of mover\n  move mover to target\n}}\n\n\
         rule Take \"x{{first of part}}\" {{\n  choose part in parts of left\n  capture part\n  \
         set taken = taken or part\n  set left = left except part\n}}\n\n\
         turn {{\n  Step\n  set left = enemy\n  if some left {{\n    repeat while count(taken) < {most} {{ Take }}\n  }}\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 40\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

/// A loop is come to knowing that there are parts, and come back to without knowing it.
#[test]
fn engines_agree_where_a_loop_may_run_out_of_parts() {
    for (most, can) in [(1, true), (2, true), (3, false)] {
        let source = Source::new("parts", game_of_parts(most));
        let program = gambol::compile(&source, &[]).program.unwrap();
        let plain = Engine::new(program).unwrap();
        let actions = plain.legal_actions(&plain.initial()).unwrap();
        assert_eq!(!actions.is_empty(), can, "{most} of two parts");
        let line = hold("parts", &source, "", 200).unwrap_or_else(|what| panic!("{what}"));
        assert!(line.contains("gave up 0 times"), "{line}");
    }
}

#[test]
fn positions_that_no_turn_comes_to_are_answered_by_the_plain_engine() {
    let source = Source::new("hits", game_of_hits(HITS[0].0));
    let program = gambol::compile(&source, &[]).program.unwrap();
    let plain = Engine::new(program.clone()).unwrap();
    // What is ruined was not hit: the turn can be completed only by hitting it.
    let begun = plain.parse("4/ss2/S3/4 w").unwrap();
    let stepped = plain.play_text(&begun, "a2-b2").unwrap();
    let said = plain.print(&stepped);
    assert!(said.contains("at=Hit"), "{said}");
    let odd = plain.parse(&format!("{said} ruined=a3")).unwrap();
    let texts = |engine: &Engine, position| {
        let actions = engine.legal_actions(position).unwrap();
        actions.iter().map(|a| a.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&plain, &stepped), ["b2xa3", "b2xb3"]);
    assert_eq!(texts(&plain, &odd), ["b2xa3"]);
    for rival in rivals(&program, false).unwrap() {
        assert_eq!(texts(&rival.engine, &odd), ["b2xa3"], "{}", rival.name);
        let counted = rival.engine.count_actions(&odd);
        assert_eq!(counted.unwrap(), 1, "{}", rival.name);
    }
}

/// A slide is the last thing that can fail, unless something is required of the part that stays.
#[test]
fn engines_agree_where_what_is_asked_can_surely_be_done() {
    let text = include_str!("rules/splits.game");
    let stays = "remove band except part";
    let asked = "require some (part and rows(2..4))\n  remove band except part";
    assert!(text.contains(stays));
    let mut tried = Vec::new();
    for text in [text.to_owned(), text.replace(stays, asked)] {
        let source = Source::new("splits", text);
        let program = gambol::compile(&source, &[]).program.unwrap();
        let exists = |line: &&str| line.starts_with("function Code(") && line.contains(" Exists(");
        tried.push(dumps(&program).lines().filter(exists).count());
        let line = hold("splits", &source, "", 400).unwrap_or_else(|what| panic!("{what}"));
        assert!(line.contains("gave up 0 times"), "{line}");
        let rivals = of_few_statements(&program).unwrap();
        let plain = Engine::new(program).unwrap();
        let depth = Depth {
            pairs: 24,
            every: 1,
        };
        let played = Match::new(&plain, &rivals, depth).play(3, 100);
        assert!(played.unwrap_or_else(|what| panic!("{what}")) > 0);
    }
    assert!(tried[0] < tried[1], "{tried:?} functions try");
}
