//! What a piece that is put down makes or must not make, asked of all cells at once, and pictures that begin alike, followed
//! abreast: every engine answers as the plain one does, and where it is meant to, cell by cell is not gone.

use crate::agree::rivals;
use crate::common::slow;
use crate::engines::{RUNS, dumps, hold};
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::compile::kernel::tidy::reached;
use gambol::engine::Engine;
use gambol::program::kernel::{Kernel, Set, Stmt, Work, each_statement};

/// Boards with shifts and without, with neighbours in eight, six and four directions, and with rays that come back.
const BOARDS: &[&str] = &[
    "square(5, 5)",
    "square(6, 4) joined orthogonal",
    "square(5, 5) without (c3 or d4)",
    "hexagons(5, 4)",
    "triangles(3, 3)",
    "square(4, 4) wrapping columns wrapping rows",
];

/// What is required behind a piece that is put down, and whether on the first board all cells are asked at once, so that actions
/// are counted by sets; and whether all that there is to ask is asked so, and not again of an action that was drawn.
const REQUIRED: &[(&str, bool, bool)] = &[
    ("count(group of spot) <= 2", true, true),
    ("count(group of spot) < 3", true, true),
    ("count(group of spot) = 1", true, true),
    ("2 >= count(group of spot)", true, true),
    ("not count(group of spot) > 1", true, true),
    ("not 2 < count(group of spot)", false, false),
    ("count(group of spot) <= 3", false, false),
    ("count(group of spot) != 2", false, false),
    ("not them can Jump", true, false),
    ("before or not them can Jump", true, false),
    ("not them can Jump or spot in row(1)", true, false),
    ("not them can Leap", true, false),
    ("not them can Crowd", true, false),
    ("not them can Chain", false, false),
    ("not them can Hop", true, false),
    ("not me can Jump", false, false),
    ("not me can Crowd", false, false),
    ("not them can Rush", false, false),
    ("not walk of them", true, false),
    ("not (walk of me and walk of them)", true, false),
    ("not climb of them", false, false),
    ("not (walk of me and climb of them)", false, false),
    ("not (some line [ own | own | own ])", false, false),
    (
        "not them can Jump and count(group of spot) <= 2",
        true,
        false,
    ),
];

/// Whether what plays actions in random games moves whole sets, or looks for groups or along lines, as requirements do.
fn looks(kernel: &Kernel) -> bool {
    let mut found = false;
    let plays = kernel.entries.iter().flatten().map(|e| e.play).collect();
    let reached = reached(&kernel.functions, plays);
    let all = kernel.functions.iter().zip(reached);
    for (function, _) in all.filter(|(_, is)| *is) {
        each_statement(&function.body, &mut |stmt| {
            let set = matches!(
                stmt,
                Stmt::LetSet(
                    _,
                    Set::Shift(..)
                        | Set::Around(_)
                        | Set::Part(..)
                        | Set::UpTo(..)
                        | Set::DownTo(..)
                )
            );
            found |= set;
        });
    }
    found
}

/// A game in which pieces are put down, or jump. Walking over empty cells is hindered by every piece; climbing needs
/// pieces. Where a chain of jumps may begin, and which way, follows from the pieces beside it.
fn game_of_puts(board: &str, required: &str) -> String {
    let chains = [
        (
            "Chain",
            "adjacent of empty",
            "forward",
            "(orthogonal or diagonal)",
        ),
        ("Hop", "own", "diagonal", "forward"),
    ]
    .map(|(name, cells, ways, others)| {
        format!(
            "define ways{name} of c = if c in {cells} then {ways} else {others}\n\n\
             rule {name} \"{{one}}{name}\" {{\n  trail {{\n    start  own as one\n    \
             step   ways{name} of here [ here | enemy as victim | empty as next ] {{\n      \
             move here to next\n      capture victim\n    }}\n    length full\n  }}\n}}\n\n"
        )
    });
    let chains = chains.concat();
    format!(
        "game \"Puts\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         define walk of p = some trail {{\n  start  man of p\n  step   [ here | empty as next ]\n  never  twice\n  length 4.. cells\n}}\n\n\
         define climb of p = some trail {{\n  start  man of p\n  step   [ here | occupied as next ]\n  never  twice\n  length 3.. cells\n}}\n\n\
         setup {{\n  for each p in players {{ deal man to p times 9 }}\n}}\n\n\
         rule Put \"{{spot}}\" {{\n  let before = them can Jump\n  choose spot in empty\n  enter man at spot\n  \
         require {required}\n}}\n\n\
         rule Jump \"{{a}}x{{c}}\" {{\n  line [ own as a | enemy as b | empty as c ]\n  move a to c\n  capture b\n}}\n\n\
         rule Leap \"{{a}}y{{d}}\" {{\n  line [ own as a | enemy as b | enemy as c | empty as d ]\n  move a to d\n  capture b\n  capture c\n}}\n\n\
         rule Crowd \"{{a}}z{{c}}\" {{\n  line [ own as a | occupied as b | empty as c ]\n  move a to c\n}}\n\n\
         rule Rush \"{{a}}r{{c}}\" {{\n  line [ own as a | 1.. enemy | empty as c ]\n  move a to c\n}}\n\n\
         {chains}turn Put or Jump or Leap\n\n\
         end after turn {{\n  draw \"long\" when turns = 30\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

#[test]
fn engines_agree_on_what_a_piece_makes_that_is_put_down() {
    let (mut wrong, mut held, mut asked) = (Vec::new(), 0, 0);
    for (b, board) in BOARDS.iter().enumerate() {
        // On other boards than the first every second one, by turns.
        let step = if b == 0 || slow() { 1 } else { 2 };
        for (required, at_once, once) in REQUIRED.iter().skip(b % step).step_by(step) {
            asked += 1;
            let name = format!("{required} on {board}");
            let source = Source::new(name.clone(), game_of_puts(board, required));
            let compiled = gambol::compile(&source, &[]);
            let Some(program) = compiled.program else {
                panic!("{name} is no game: {:?}", compiled.diagnostics);
            };
            match hold(&name, &source, "", 30) {
                Ok(line) if line.contains("gave up 0 times") => held += 1,
                Ok(line) | Err(line) => wrong.push(line),
            }
            if *board == BOARDS[0] && counts_by_sets(&dumps(&program)) != *at_once {
                wrong.push(format!("{name}: by sets is {}", !at_once));
            }
            if *board == BOARDS[0] && looks(&kernel(&program, Work::Games, false).unwrap()) == *once
            {
                wrong.push(format!("{name}: asked once is {}", !once));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert_eq!(held, asked);
}

/// Whether the first function that counts tallies a set before it goes through any cells.
fn counts_by_sets(dump: &str) -> bool {
    let count = dump.split("function ").find(|f| f.contains(" Count()"));
    let count = count.expect("nothing counts");
    let loops = count
        .lines()
        .position(|line| line.trim_start().starts_with("for "));
    let sums = count.lines().position(|line| line.contains(" = count "));
    sums.is_some_and(|sum| loops.is_none_or(|first| sum < first))
}

/// A game of some rules with runs.
pub fn game_of_several(board: &str, rules: &[(&str, &str)]) -> String {
    let (mut texts, mut names) = (String::new(), Vec::new());
    for (i, (text, rule)) in rules.iter().enumerate() {
        let rule = rule.replace("; ", "\n  ");
        texts += &format!("rule Run{i} \"{i}:{text}\" {{\n  {rule}\n}}\n\n");
        names.push(format!("Run{i}"));
    }
    format!(
        "game \"Several\"\n\nplayers White facing north, Black facing south\nboard   {board}\npiece   man\n\n\
         setup {{\n  for each p in players {{ place man of p at rows(1..2) seen by p }}\n}}\n\n\
         {texts}turn {}\n\n\
         end after turn {{\n  draw \"long\" when turns = 90\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n",
        names.join(" or ")
    )
}

/// More rules with runs: other bounds on runs of the same cells.
const MORE: &[(&str, &str)] = &[
    (
        "{first of a}={last of b}",
        "line as way [ n own as a | 2..n+1 empty as b ]; advance a by 1",
    ),
    (
        "{first of a}+{last of b}",
        "line as way [ n own as a | 0..3 empty | whole n enemy as b ]; capture b",
    ),
    (
        "{first of a}/{last of f}",
        "line as way [ n own as a | 0..n-1 empty as b | whole 1..n-1 enemy as f ]; capture f; advance a by count of b + 1",
    ),
    (
        "{first of a}!{last of b}",
        "line as way [ n own as a | whole 1..2 empty as b ]; advance a by 1",
    ),
    (
        "{first of a}~{t}",
        "line as way [ whole 1..3 own as a | 1.. empty | enemy as t ]; capture t",
    ),
];

#[test]
fn engines_agree_on_pictures_that_are_followed_abreast() {
    let all: Vec<_> = RUNS.iter().chain(MORE).copied().collect();
    let mut wrong = Vec::new();
    for (b, board) in ["square(6, 6)", "hexagons(5, 4)", "square(13, 7)"]
        .iter()
        .enumerate()
    {
        for first in 0..all.len() {
            // Two or three, other ones on each board.
            let more = [1 + b, 3 + 2 * b].map(|on| all[(first + on) % all.len()]);
            let rules = [&[all[first]], &more[..1 + first % 2]].concat();
            let name = format!(
                "{:?} on {board}",
                rules.iter().map(|r| r.1).collect::<Vec<_>>()
            );
            let source = Source::new(name.clone(), game_of_several(board, &rules));
            let compiled = gambol::compile(&source, &[]);
            assert!(
                compiled.program.is_some(),
                "{name} is no game: {:?}",
                compiled.diagnostics
            );
            match hold(&name, &source, "", 30) {
                Ok(line) if line.contains("gave up 0 times") => {}
                Ok(line) | Err(line) => wrong.push(line),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A march and an assault go over the same empty cells: both look for where a run of own pieces ends, and move on from there, once.
#[test]
fn pictures_that_begin_alike_share_their_loops() {
    let loops = |rules: &[(&str, &str)]| {
        let text =
            game_of_several("square(6, 6)", rules).replace("line as way", "line forward as way");
        let source = Source::new("several", text);
        let program = gambol::compile(&source, &[]).program.unwrap();
        let told = dumps(&program);
        let list = told
            .split("function ")
            .find(|f| f.contains(" Candidates()"))
            .unwrap();
        list.lines()
            .filter(|line| line.trim_start().starts_with("loop "))
            .count()
    };
    let march = (
        "{first of a}-{last of b}",
        "line as way [ n own as a | 1..n empty as b ]; advance a by count of b",
    );
    let assault = MORE[2];
    assert!(loops(&[march]) > 0);
    assert_eq!(loops(&[march, assault]), loops(&[assault]));
}

/// A man on b2 leaves nothing empty beside c3, so that from there chains go in all directions: one takes c4, which has nothing to do
/// with b2 itself.
#[test]
fn a_piece_may_change_where_others_go() {
    let source = Source::new("puts", game_of_puts(BOARDS[0], "not them can Chain"));
    let program = gambol::compile(&source, &[]).program.unwrap();
    let plain = Engine::new(program.clone()).unwrap();
    let position = plain.parse("5/1MMM1/1MmM1/2MM1/M1M1M w M3m3").unwrap();
    let actions = plain.legal_actions(&position).unwrap();
    assert!(actions.iter().all(|a| a.text != "b2"));
    for rival in rivals(&program, false).unwrap() {
        let counted = rival.engine.count_actions(&position).unwrap();
        assert_eq!(counted as usize, actions.len(), "{}", rival.name);
    }
}
