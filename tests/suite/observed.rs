//! Random games that are looked at on the way are those that are not, and what is seen in every position is what the plain engine says
//! of it: how many actions it has, whether it is between two turns, and which of those the game had before.

use crate::agree::rivals;
use crate::common::{documented, games, settings, source};
use crate::engines::ODD;
use gambol::base::Source;
use gambol::engine::{Engine, Game, Moment, Position, Runner};
use gambol::program::Program;
use gambol::tools::rng::Rng;
use std::collections::BTreeMap;

/// The most actions of a game; they are many enough for what repeats to repeat.
const PLIES: usize = 160;
/// In one of so many positions the plain engine lists what can be done.
const EVERY: usize = 9;

/// What is seen of a position.
#[derive(PartialEq, Debug)]
struct Seen {
    begins: Option<u64>,
    legal: u64,
    position: Position,
}

/// A game that is looked at; broken off behind so many positions.
fn looked_at(engine: &Engine, seed: u64, enough: usize) -> (Vec<Seen>, Option<Game>, Position) {
    let mut seen = Vec::new();
    let see = |moment: &Moment<'_>| {
        seen.push(Seen {
            begins: moment.begins,
            legal: moment.legal,
            position: moment.position(),
        });
        seen.len() < enough
    };
    let mut last = engine.initial();
    let mut rng = Rng::new(seed);
    let below = |n| rng.below(n);
    let game = Runner::new(engine).observed_game(&mut last, PLIES, below, see);
    (seen, game.unwrap(), last)
}

/// What is wrong with what is seen of a game.
fn wrong(plain: &Engine, engine: &Engine, seed: u64) -> Option<String> {
    let (seen, game, last) = looked_at(engine, seed, usize::MAX);
    let game = game.expect("it is not broken off");
    let mut other = engine.initial();
    let mut rng = Rng::new(seed);
    let alone = Runner::new(engine).game_on(&mut other, PLIES, |n| rng.below(n));
    let alone = alone.unwrap();
    if (&alone.outcome, alone.plies) != (&game.outcome, game.plies) || other != last {
        return Some(format!("alone it is another game: {alone:?}, and {game:?}"));
    }
    if seen.len() != game.plies + 1 || seen.last().is_none_or(|s| s.position != last) {
        return Some(format!("{} positions of {game:?}", seen.len()));
    }
    // Keys here and those of the plain engine, which tell the same positions.
    let (mut keys, mut back) = (BTreeMap::new(), BTreeMap::new());
    for (nth, now) in seen.iter().enumerate() {
        let at = format!("action {nth}: {}", plain.print(&now.position));
        let key = plain
            .starts_turn(&now.position)
            .then(|| plain.repetition_key(&now.position));
        let same = *keys.entry(now.begins).or_insert(key) == key
            && *back.entry(key).or_insert(now.begins) == now.begins;
        if !same {
            return Some(format!("{at}: it is told otherwise whether it was before"));
        }
        let ended = nth == game.plies && game.outcome.is_some();
        if now.legal == 0 && nth < game.plies || now.legal > 0 && ended {
            return Some(format!("{at}: {} actions", now.legal));
        }
        if nth % EVERY == 0 || nth + 1 >= seen.len() {
            let legal = plain.legal_actions(&now.position).unwrap().len();
            if now.legal != legal as u64 {
                return Some(format!("{at}: {} actions, not {legal}", now.legal));
            }
        }
    }
    None
}

/// Looks at some games with every engine, and holds the fast ones against each other.
fn look(program: &Program, name: &str, games: u64) -> Vec<String> {
    let plain = Engine::new(program.clone()).unwrap();
    // Without a kernel there is one engine only.
    let rivals = rivals(program, false).unwrap_or_default();
    let mut faults = Vec::new();
    for seed in 1..=games {
        faults.extend(wrong(&plain, &plain, seed).map(|why| format!("{name}, plain: {why}")));
        for rival in &rivals {
            let why = wrong(&plain, &rival.engine, seed);
            faults.extend(why.map(|why| format!("{name}, {}: {why}", rival.name)));
        }
        let all = rivals
            .iter()
            .map(|r| looked_at(&r.engine, seed, usize::MAX).0);
        let all: Vec<Vec<Seen>> = all.collect();
        if all.windows(2).any(|two| two[0] != two[1]) {
            faults.push(format!("{name}: the fast engines see other games"));
        }
    }
    faults
}

fn program_of(path: &std::path::Path, options: &str) -> Program {
    let compiled = gambol::compile(&source(path), &settings(options));
    compiled.program.expect("it compiles")
}

#[test]
fn shipped_games_are_seen_as_the_plain_engine_sees_them() {
    let mut faults = Vec::new();
    for path in games() {
        let program = program_of(&path, "");
        faults.extend(look(&program, &path.display().to_string(), 2));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn small_boards_repeat_positions() {
    let mut faults = Vec::new();
    for (name, options) in ODD {
        // Wide boards take the plain engine long, and repeat nothing.
        let program = program_of(&crate::common::game_named(name), options);
        if program.board.len() <= 40 {
            faults.extend(look(&program, &format!("{name} {options}"), 4));
        }
    }
    for source in documented() {
        if let Some(program) = gambol::compile(&source, &[]).program
            && program.board.len() <= 64
        {
            faults.extend(look(&program, source.name(), 1));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A pile that no kernel holds is made, moved and parted again.
const PILES: &str = "game \"Piles\"
players White, Black
board   square(3, 1) stacking
piece   man
setup {
  place man of White at a1 times 40
  place man of Black at b1 times 40
}
rule Join \"{who}+{goal}\" {
  choose who in any where height of it > 0
  choose goal in any except who
  move who to goal
}
rule Part \"/{who}\" {
  choose who in any where height of it = 80
  lift who
  repeat 40 times { drop at a1 }
  repeat 40 times { drop at b1 }
}
turn Join or Part
end after turn { draw \"long\" when turns = 100 }
";

#[test]
fn what_kernels_cannot_hold_is_known_again() {
    let compiled = gambol::compile(&Source::new("piles", PILES), &[]);
    let program = compiled.program.expect("it is a game");
    let faults = look(&program, "piles", 10);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_game_is_broken_off_where_that_is_said() {
    for path in games().iter().take(4) {
        let program = program_of(path, "");
        let plain = Engine::new(program.clone()).unwrap();
        for engine in rivals(&program, false)
            .unwrap()
            .iter()
            .map(|r| &r.engine)
            .chain([&plain])
        {
            let (seen, game, last) = looked_at(engine, 1, 3);
            assert_eq!(game, None);
            assert_eq!(seen.len(), 3);
            assert_eq!(seen[2].position, last);
        }
    }
}
