//! What can be done behind any action of a list counted once: games of two and three armies that are apart at first and meet, in what
//! they move, take, put, promote, count and remember. Every engine counts as the plain one does, in every position on the way, and
//! where it is meant to there is a function that counts once.

use crate::agree::{Depth, Match, Rival, rivals};
use crate::common::{root, slow};
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::engine::{Engine, Runner};
use gambol::program::kernel::Work;
use gambol::tools::rng::Rng;

/// Boards with sets of one word, of two and of three.
const BOARDS: &[&str] = &["square(5, 9)", "square(7, 12)", "square(4, 40)"];

/// Who plays, and where they begin.
const PLAYERS: &[(&str, &str)] = &[
    (
        "White facing north, Black facing south",
        "for each p in players { place man of p at rows(1..2) seen by p }",
    ),
    (
        "White facing north, Black facing south, Red facing north",
        "place man of White at rows(1..2); place man of Black at rows(7..8); place man of Red at column(3) in row(4)",
    ),
];

/// Text and rule.
const RULES: &[(&str, &str)] = &[
    (
        "{mover}-{there}",
        "line as way [ own as mover | empty as there ]; move mover to there",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path",
    ),
    (
        "{first of phalanx}x{last of foe}",
        "line as way [ n own as phalanx | 0..n-1 empty as path | 1..n enemy as foe ]; capture foe; \
         advance phalanx by count of path + 1",
    ),
    (
        "{mover}-{there}",
        "line forward [ own as mover | empty as there ]; move mover to there; \
         if there in row(8) { place king at there }",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path; set far = n",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path; \
         if n > 1 { set quiet = quiet + 1 }",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path; \
         capture enemy in row(1)",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path; \
         if n > 1 and way in sideways { again }",
    ),
    (
        "{mover}x{there}",
        "line as way [ own as mover | enemy as over | empty as there ]; capture over; move mover to there",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path; \
         require last of path not in row(3) or n > 1 \"no\"",
    ),
    (
        "{first of phalanx}-{last of path}",
        "line as way [ n own as phalanx | 1..n empty as path ]; advance phalanx by count of path; \
         require count(enemy in adjacent of last of path) < 2 \"no\"",
    ),
];

/// What else can be done.
const TURNS: &[&str] = &["Go", "Go or Put", "Go otherwise Put otherwise pass"];

/// When the game is over.
const ENDS: &[&str] = &[
    "win \"across\" when some (own in row(8))",
    "win \"more\" when count(own in row(5)) > count(enemy in row(5)) + 1",
    "draw \"quiet\" when quiet > 3",
    "win \"far\" when far > 1 and count(enemy) < 9",
    "win \"row\" when some line [ 4 own ]",
    "win \"joined\" when some (groups of me where some it in row(1) and some it in row(4))",
    "win \"even\" when no (own in row(2)) and far = 1",
];

fn game(
    (players, setup): (&str, &str),
    board: &str,
    (text, rule): (&str, &str),
    (turn, end): (&str, &str),
) -> String {
    let rule = rule.replace("; ", "\n  ");
    let setup = setup.replace("; ", "\n  ");
    let kinds = if rule.contains("king") {
        "man, king"
    } else {
        "man"
    };
    format!(
        "game \"Apart\"\n\nplayers {players}\nboard   {board}\npiece   {kinds}\n\n\
         keep quiet = 0\nkeep far = 0\n\n\
         setup {{\n  {setup}\n}}\n\n\
         rule Go \"{text}\" {{\n  {rule}\n}}\n\n\
         rule Put \"*{{spot}}\" {{\n  choose spot in empty in row(1)\n  place man at spot\n}}\n\n\
         turn {turn}\n\n\
         end at start of turn {{\n  {end}\n  lose \"blocked\" when stuck\n}}\n\
         end after turn {{\n  draw \"long\" when turns = 60\n}}\n"
    )
}

#[test]
fn what_does_not_depend_on_the_action_is_counted_once() {
    let (mut wrong, mut refused, mut compared) = (Vec::new(), Vec::new(), 0);
    for (b, board) in BOARDS.iter().enumerate() {
        for (r, (text, rule)) in RULES.iter().enumerate() {
            for (e, end) in ENDS.iter().enumerate() {
                if !slow() && (b + r + e) % 7 != 0 {
                    continue;
                }
                let turn = TURNS[(r + e) % TURNS.len()];
                let players = PLAYERS[(r + e / 2) % 2];
                let name = format!("{}: {rule}; {turn}; {end} on {board}", players.0);
                let source = Source::new(
                    name.clone(),
                    game(players, board, (text, rule), (turn, end)),
                );
                let compiled = gambol::compile(&source, &[]);
                let Some(program) = compiled.program else {
                    panic!("{name} is no game: {:?}", compiled.diagnostics);
                };
                let Ok(counting) = kernel(&program, Work::Counting, true) else {
                    refused.push(name);
                    continue;
                };
                compared += 1;
                let once = counting.functions.iter().any(|f| f.name == "regardless");
                // Along lanes, and where the turn is always over.
                let lanes = rule.contains("phalanx");
                let meant = lanes && !rule.contains("again") && turn == TURNS[0];
                if once && !lanes || !once && meant && players == PLAYERS[0] {
                    wrong.push(format!("{name}: counted once is {once}"));
                }
                let rivals = rivals(&program, false).unwrap();
                let plain = Engine::new(program).unwrap();
                let depth = Depth {
                    pairs: 400,
                    every: 1,
                };
                let played = Match::new(&plain, &rivals, depth).play((r + e) as u64, 40);
                let deeper = || three_deep(&plain, &rivals, (r + e) as u64);
                if let Err(what) = played.and_then(|_| deeper()) {
                    wrong.push(format!("{name}: {what}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(
        compared > 8 * refused.len(),
        "no kernel: {}",
        refused.join("\n")
    );
}

/// The code that comes soon counts nothing once: waits for the better.
fn settle(rivals: &[Rival]) {
    rivals.iter().for_each(|rival| rival.engine.settle());
}

/// Holds counts of sequences of three actions against the plain engine's, at random positions: many lists after each other, of which
/// some are the same and others of the same length.
fn three_deep(plain: &Engine, rivals: &[Rival], seed: u64) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let mut judge = Runner::new(plain);
    let mut runners: Vec<_> = rivals.iter().map(|r| Runner::new(&r.engine)).collect();
    settle(rivals);
    let mut position = plain.initial();
    for ply in 0..12 {
        let actions = plain.legal_actions(&position).map_err(|e| e.to_string())?;
        if ply % 3 == 0 && actions.len() < 60 {
            let said = judge.count(&position, 3);
            for (rival, runner) in rivals.iter().zip(&mut runners) {
                let found = runner.count(&position, 3);
                if found != said {
                    let line = plain.print(&position);
                    return Err(format!(
                        "{}: {said:?}, not {found:?}, in {line}",
                        rival.name
                    ));
                }
            }
        }
        match rng.pick(&actions) {
            Some(action) => position = plain.play(&position, action),
            None => break,
        }
    }
    Ok(())
}

/// What the actions of a list may change is kept while the list is the same. Here lists follow each other that are as long, and of
/// which only the numbers of actions or their cells differ.
#[test]
fn lists_as_long_are_not_taken_for_the_same() {
    let text = std::fs::read_to_string(root().join("games/epaminondas.game")).unwrap();
    let options = [("columns", "8"), ("rows", "12")].map(|(o, v)| (o.to_owned(), v.to_owned()));
    let source = Source::new("epaminondas.game", text);
    let program = gambol::compile(&source, &options).program.unwrap();
    let rivals = rivals(&program, false).unwrap();
    let plain = Engine::new(program).unwrap();
    let mut judge = Runner::new(&plain);
    let mut runners: Vec<_> = rivals.iter().map(|r| Runner::new(&r.engine)).collect();
    settle(&rivals);
    let (mut last, mut others) = (None, 0);
    let armies = [
        "SSSSSSSS", "1SSSSSSS", "S1SSSSSS", "SS1SSSSS", "SSS1SSSS", "1SSSSSSS", "SSSSSSSS",
    ];
    for mover in ["w", "b"] {
        for army in armies {
            let line = format!("ssssssss/ssssssss/8/8/8/8/8/8/8/8/SSSSSSSS/{army} {mover}");
            let position = plain.parse(&line).unwrap();
            let said = judge.count(&position, 2).unwrap();
            others += u32::from(mover == "w" && last.replace(said) != Some(said));
            for (rival, runner) in rivals.iter().zip(&mut runners) {
                // Twice: the list is found, and then it is kept.
                for _ in 0..2 {
                    let found = runner.count(&position, 2).unwrap();
                    assert_eq!(said, found, "{}, in {line}", rival.name);
                }
            }
        }
    }
    assert!(others > 4, "the numbers do not differ");
}
