//! Actions that differ in one cell only, and what can be done behind them counted at once: games made for cells to differ, in what is
//! taken, whose turn it is, who has won and what can be done then. Every engine counts as the plain one does, and where it is meant
//! to, all cells are counted at once.

use crate::agree::{Depth, Match, rivals};
use crate::common::slow;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::engine::Engine;
use gambol::program::kernel::{Function, Stmt, Work, each_statement};

/// Boards with sets of one word, of two and of three, and one without shifts.
const BOARDS: &[&str] = &[
    "square(5, 5)",
    "square(4, 4) wrapping columns wrapping rows",
    "square(9, 8)",
    "hexagons(5, 4)",
    "square(12, 11)",
];

/// Who plays.
const PLAYERS: &[&str] = &["White, Black", "White, Black, Red"];

/// What is done with the cell that was chosen, and whether that is counted at once, where it does not hang on the end as well.
const PUTS: &[(&str, Option<bool>)] = &[
    ("place man at spot", Some(true)),
    ("place king at spot", Some(true)),
    ("enter man at spot", Some(true)),
    (
        "if spot in row(2) { place king at spot } else { place man at spot }",
        None,
    ),
    (
        "if spot in row(2) { set quiet = quiet + 1 }; place man at spot",
        Some(true),
    ),
    (
        "if count(own) > 2 { place king at spot } else { place man at spot }",
        None,
    ),
    ("place man at spot; capture enemy in row(1)", Some(true)),
    (
        "place man at spot; capture enemy in adjacent of spot",
        Some(false),
    ),
    (
        "place man at spot; if spot in column(2) { capture enemy in row(3) }",
        Some(false),
    ),
    ("place man at spot; mark spot as held", Some(true)),
    (
        "place man at spot; if some (enemy in row(1)) { again }",
        Some(true),
    ),
    ("place man at spot; if spot in row(1) { again }", Some(true)),
    (
        "if quiet < 3 { set quiet = quiet + 1 } else { set quiet = 0 }; place man at spot",
        Some(true),
    ),
];

/// When the game is over, and whether it is found out for all cells at once.
const ENDS: &[(&str, bool)] = &[
    ("win \"four\" when count(own) = 4", true),
    ("win \"row\" when count(own in row(2)) >= 2", true),
    (
        "win \"two\" when some (own in column(1)) and some (own in column(2))",
        true,
    ),
    ("lose \"full\" when count(empty) < 5", true),
    ("win \"more\" when count(men) > 6", true),
    (
        "win \"even\" when count(own in row(1)) = count(own in row(3)) + 1",
        true,
    ),
    ("draw \"quiet\" when quiet > 1", true),
    (
        "win \"kings\" when count(kings) > count(men in row(2)) + 1",
        true,
    ),
    ("win \"held\" when count(held in column(2)) = 2", true),
    ("win \"three\" when some line [ 3 own ]", false),
    (
        "win \"joined\" when some (groups of me where some it in row(1) and some it in row(3))",
        true,
    ),
    (
        "win \"first\" when no (own in row(1)) and some (own in row(2)) or count(own) = 5",
        true,
    ),
];

/// What is asked of the cells, and what else can be done.
const TURNS: &[&str] = &[
    "Put",
    "Put or Other",
    "Other or Put or Pair",
    "Put otherwise Other otherwise pass",
];

fn game(players: &str, board: &str, (put, end, turn): (&str, &str, &str)) -> String {
    let put = put.replace("; ", "\n  ");
    format!(
        "game \"Sums\"\n\nplayers {players}\nboard   {board}\npiece   man, king\n\n\
         keep quiet = 0\nkeep held = none\n\n\
         define men   = man of me\ndefine kings = king of me\n\n\
         setup {{\n  for each p in players {{ deal man to p times 7 }}\n}}\n\n\
         rule Put \"{{spot}}\" {{\n  choose spot in empty except row(4)\n  {put}\n}}\n\n\
         rule Other \"*{{spot}}\" {{\n  choose spot in empty in (row(3) or column(1))\n  place king at spot\n}}\n\n\
         rule Pair \"{{one}}{{spot}}\" {{\n  choose one in own in row(2)\n  choose spot in empty\n  move one to spot\n}}\n\n\
         turn {turn}\n\n\
         end after turn {{\n  {end}\n  draw \"long\" when turns = 30\n}}\n\
         end at start of turn {{\n  lose \"blocked\" when stuck\n}}\n"
    )
}

#[test]
fn what_can_be_done_behind_cells_is_counted_at_once() {
    let (mut wrong, mut fired, mut asked) = (Vec::new(), 0, 0);
    for (b, board) in BOARDS.iter().enumerate() {
        for (p, (put, by_cells)) in PUTS.iter().enumerate() {
            for (e, (end, at_once)) in ENDS.iter().enumerate() {
                if !slow() && (p + e + b) % 5 != 0 {
                    continue;
                }
                let turn = TURNS[(p + e / 3 + b) % TURNS.len()];
                let players = PLAYERS[(p + e / 2) % 2];
                let text = game(players, board, (put, end, turn));
                let name = format!("{players}: {put}; {turn}; {end} on {board}");
                let source = Source::new(name.clone(), text);
                let compiled = gambol::compile(&source, &[]);
                let Some(program) = compiled.program else {
                    panic!("{name} is no game: {:?}", compiled.diagnostics);
                };
                let sums = counts_at_once(&kernel(&program, Work::Counting, true).unwrap());
                (fired, asked) = (fired + usize::from(sums), asked + 1);
                // Other actions may be counted at once where these are not; lists of more players have fewer sets.
                let alone = b == 0 && turn == "Put" && players == PLAYERS[0];
                let meant = by_cells.map(|by_cells| by_cells && *at_once);
                if alone && meant.is_some_and(|meant| sums != meant) {
                    wrong.push(format!("{name}: counted at once is {sums}"));
                }
                let rivals = rivals(&program, false).unwrap();
                let plain = Engine::new(program).unwrap();
                let depth = Depth {
                    pairs: 400,
                    every: 1,
                };
                let plies = if b < 2 { 60 } else { 16 };
                let played = Match::new(&plain, &rivals, depth).play((p + e) as u64, plies);
                if let Err(what) = played {
                    wrong.push(format!("{name}: {what}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(2 * fired > asked, "{fired} of {asked} are counted at once");
}

/// Whether what goes through two actions adds to the tally itself, besides where what counts behind one action stands in it: once for
/// the cells of a set, and once for an action alone.
fn counts_at_once(kernel: &gambol::program::kernel::Kernel) -> bool {
    let pairs = kernel.pairs.expect("pairs are counted by themselves");
    let tallies = |function: &Function| {
        let mut many = 0;
        each_statement(&function.body, &mut |stmt| {
            many += usize::from(matches!(stmt, Stmt::Tally(_)));
        });
        many
    };
    let behind = kernel.functions.iter().find(|f| f.name == "behind");
    tallies(&kernel.functions[pairs.0 as usize]) > 2 * behind.map_or(0, tallies)
}
