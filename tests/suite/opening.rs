//! Turns that begin with questions: whether something can be done, and how much it comes to at best. Random games draw from lists that
//! have asked them, and do not ask again: every engine answers as the plain one does, and where it is meant to, nothing asks again.

use crate::common::slow;
use crate::engines::hold;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::compile::kernel::tidy::reached;
use gambol::program::kernel::{
    Entry, FuncId, Kernel, Place, Set, Stmt, Word, Work, each_statement,
};

/// Boards with shifts and without, and sets of one word and of three.
const BOARDS: &[&str] = &["square(5, 5)", "hexagons(4, 4)", "square(13, 12)"];

/// Turns, and whether something of them is asked once only: before anything is chosen or changed.
const TURNS: &[(&str, bool)] = &[
    ("Chain preferring most captures otherwise Step", true),
    ("Chain otherwise Take otherwise Step otherwise pass", true),
    (
        "Take or Chain preferring least captures otherwise Step or pass",
        true,
    ),
    (
        "{ Chain preferring most captures otherwise Take } otherwise Step",
        true,
    ),
    (
        "set quiet = quiet + 1; Chain preferring most captures otherwise Step",
        true,
    ),
    (
        "if count(own) > 4 { Chain preferring most captures otherwise Step } else { Take preferring most captures otherwise Step }",
        true,
    ),
    (
        "if count(own) > 4 { set quiet = 2 }; Chain preferring most captures otherwise Step otherwise pass",
        false,
    ),
    (
        "mark own as held; Chain preferring most captures otherwise Step",
        false,
    ),
    (
        "choose near in own; mark near as held; Chain preferring most captures otherwise Step",
        false,
    ),
    (
        "Step if possible; Chain preferring most captures otherwise pass",
        true,
    ),
    (
        "{ Chain preferring most captures otherwise Step } or pass",
        true,
    ),
    (
        "Step or { Take if possible; Chain preferring most captures otherwise Step }",
        true,
    ),
    (
        "{ if count(own) > 3 { set quiet = 2 }; Chain preferring most captures otherwise Step } or pass",
        false,
    ),
    (
        "{ for each part in groups of me where count of part < 4, in any order { Grow(part) }; Step if possible } or pass",
        true,
    ),
    (
        "for each part in groups of me where count of part < 4, in any order or until \"done\" { Grow(part) }; Step if possible",
        true,
    ),
    (
        "repeat 2 times { Chain preferring most captures otherwise Step }",
        true,
    ),
    (
        "repeat 1 to 3 times { Take otherwise Step } or until \"stop\"",
        true,
    ),
];

fn game(board: &str, turn: &str) -> String {
    let turn = turn.replace("; ", "\n  ");
    format!(
        "game \"Openings\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         keep quiet = 0\nkeep held = none each turn\n\n\
         setup {{\n  for each p in players {{ place man of p at rows(1..2) seen by p }}\n}}\n\n\
         rule Step \"{{mover}}-{{target}}\" {{\n  line [ own except held as mover | empty as target ]\n  move mover to target\n}}\n\n\
         rule Take \"{{mover}}x{{target}}\" {{\n  line [ own as mover | enemy as target ]\n  capture target\n  move mover to target\n}}\n\n\
         rule Chain \"{{mover}}>{{target}}({{victim}}){{other}}\" {{\n  \
         line [ own as mover | enemy as victim | empty as target ]\n  capture victim\n  move mover to target\n  \
         choose other in adjacent of target\n  if other in enemy {{ capture other }}\n}}\n\n\
         rule Grow(part) \"+{{other}}\" {{\n  choose other in empty in adjacent of part\n  place man at other\n}}\n\n\
         turn {{\n  {turn}\n}}\n\n\
         end after turn {{\n  draw \"long\" when turns = 60\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

/// Shows the statements of a function and of all that it calls.
fn each_in(kernel: &Kernel, id: FuncId, show: &mut impl FnMut(&Stmt)) {
    let reached = reached(&kernel.functions, vec![id]);
    for (function, _) in kernel.functions.iter().zip(reached).filter(|(_, r)| *r) {
        each_statement(&function.body, show);
    }
}

/// Whether a function that plays behind a list reads a word of scratch that the list wrote, and does not write it itself.
fn reads(kernel: &Kernel, play: impl Fn(&Entry) -> FuncId) -> bool {
    let room = &kernel.room;
    let is_scratch = |place: &Place| (room.scratch..room.path).contains(&place.base);
    let (mut written, mut read, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for entry in kernel.entries.iter().flatten() {
        each_in(kernel, entry.list, &mut |stmt| {
            if let Stmt::Store(place, _) | Stmt::StoreSet(place, _) = stmt {
                written.push(*place);
            }
        });
        each_in(kernel, play(entry), &mut |stmt| match stmt {
            Stmt::Let(_, Word::Load(place)) | Stmt::LetSet(_, Set::Load(place)) => {
                read.push(*place);
            }
            Stmt::Store(place, _) | Stmt::StoreSet(place, _) => own.push(*place),
            _ => {}
        });
    }
    (read.iter()).any(|p| is_scratch(p) && written.contains(p) && !own.contains(p))
}

#[test]
fn what_lists_have_asked_is_not_asked_again() {
    let mut wrong = Vec::new();
    for (b, board) in BOARDS.iter().enumerate() {
        for (turn, once) in TURNS
            .iter()
            .skip(if slow() { 0 } else { b })
            .step_by(if slow() { 1 } else { b + 1 })
        {
            let name = format!("{turn} on {board}");
            let source = Source::new(name.clone(), game(board, turn));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                panic!("{name} is no game: {:?}", compiled.diagnostics);
            };
            match hold(&name, &source, "", 40) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
            let (games, counting) = [Work::Games, Work::Counting]
                .map(|work| kernel(&program, work, true).unwrap())
                .into();
            let behind = |e: &Entry| e.counting.unwrap().behind;
            for asked in [reads(&games, |e| e.play), reads(&counting, behind)] {
                if asked != *once {
                    wrong.push(format!("{name}: asked once is {asked}"));
                }
            }
            // Others list between what was listed and this.
            if reads(&counting, |e| e.play) {
                wrong.push(format!("{name}: what was left aside is read too late"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
