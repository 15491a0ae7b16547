//! A small game with a place for each sort of change, and tests of it that notice some.

use crate::base::Source;
use crate::compile;
use crate::engine::Engine;
use crate::syntax::parse;
use crate::tools::compare::Plan;
use crate::tools::mutate::{Fate, Mutant, Notice, Verdict, mutants, mutate, some_of, sums};

const GAME: &str = "game \"Small\"

option size = 4 in 2..9

players White facing north, Black facing south
board square(size, size) joined orthogonal
piece man

define far of p = row(size) seen by p

setup {
  for each p in players { place man of p at row(1) seen by p }
}

rule Step {
  line forward orthogonal [ own as mover | empty as target ]
  require target not in far of me \"not yet\"; move mover to target
}

rule Take {
  line forward [ own as mover | whole 1 enemy as target ]  // own or enemy
  require not (some own in far of me and no enemy) \"over\"
  move mover to first of target
}

turn {
  Take preferring most count of enemy otherwise Step if possible
}

end after turn {
  win \"crossed\" when count of own <= 1 or turns = 9
}
end at start of turn {
  lose \"blocked\" when stuck
  draw \"few\" when count of (enemy with least row of it) < 1
}
";

/// The changes of a text, as `old>new`.
fn changes(text: &str) -> Vec<String> {
    let (file, diagnostics) = parse(&Source::new("small.game", text));
    assert!(diagnostics.as_slice().is_empty(), "{diagnostics:?}");
    let all = mutants(text, &file).into_iter();
    all.map(|m| format!("{}>{}", m.old, m.new)).collect()
}

#[test]
fn every_sort_of_change_is_made_at_its_place() {
    let text = "rule Step {\n  line forward orthogonal [ own | whole 1 empty as target ]\n  \
                require not target in a \"x\" ; move b to (some c)\n}\n\
                turn { A preferring least d otherwise B if possible }\n\
                end after turn {\n  win when e <= f\n  draw when g not in h\n}\n";
    assert_eq!(
        changes(text),
        [
            "forward>backward",
            "forward>directions",
            "orthogonal>diagonal",
            "own>empty",
            "own>enemy",
            "whole>",
            "1>0",
            "1>2",
            "empty>enemy",
            "empty>own",
            "require not target in a \"x\" ;>",
            "not>",
            "move b to (some c)>",
            "some>all",
            "some>no",
            "preferring least d>",
            "least>most",
            "otherwise>or",
            "if possible>",
            "win>lose",
            "win when e <= f>",
            "<=><",
            "<=>>=",
            "draw when g not in h>",
            "not>",
        ]
    );
}

#[test]
fn comments_texts_options_and_boards_stay() {
    let text = "option size = 4 in 2..9\nboard square(8, 8) without row(1) // own\nplayers White, Black\n\
                rule R \"{n + 1} own\" {\n  // own or enemy\n  Settle\n}\n";
    assert_eq!(changes(text), [""; 0]);
}

#[test]
fn a_change_changes_its_place_only() {
    let (file, _) = parse(&Source::new("small.game", GAME));
    let all = mutants(GAME, &file);
    assert!(all.len() > 40, "{}", all.len());
    assert!(all.is_sorted());
    for mutant in &all {
        let changed = mutant.apply(GAME);
        let (start, end) = (mutant.span.start as usize, mutant.span.end as usize);
        assert_eq!(&GAME[start..end], mutant.old);
        assert_eq!(
            changed.len() + mutant.old.len(),
            GAME.len() + mutant.new.len()
        );
        assert_eq!(&changed[..start], &GAME[..start]);
        assert!(changed.ends_with(&GAME[end..]));
    }
}

#[test]
fn a_limit_takes_some_from_everywhere() {
    let (file, _) = parse(&Source::new("small.game", GAME));
    let all = mutants(GAME, &file);
    for limit in 1..all.len() + 3 {
        let some = some_of(all.clone(), limit);
        assert_eq!(some.len(), limit.min(all.len()));
        assert!(some.is_sorted_by(|a, b| a < b));
    }
    let three = some_of(all.clone(), 3);
    assert!(three[0] > all[5] && three[1] > all[15] && three[2] > all[30]);
}

fn build(text: &str) -> Option<Engine> {
    Engine::new(compile(&Source::new("small.game", text), &[]).program?).ok()
}

fn verdicts(notices: &[Notice<'_>], threads: usize) -> Vec<Verdict> {
    let (file, _) = parse(&Source::new("small.game", GAME));
    let plan = Plan {
        positions: 300,
        games: 2,
        plies: 50,
        threads,
        ..Plan::default()
    };
    let original = build(GAME).unwrap();
    mutate(
        GAME,
        mutants(GAME, &file),
        &original,
        &build,
        notices,
        &plan,
    )
}

fn of<'v>(verdicts: &'v [Verdict], old: &str, new: &str) -> Vec<&'v Fate> {
    let is = |m: &Mutant| m.old.starts_with(old) && m.new == new;
    let all = verdicts.iter().filter(|v| is(&v.mutant));
    all.map(|v| &v.fate).collect()
}

#[test]
fn what_nobody_notices_is_compared() {
    let all = verdicts(&[], 2);
    let sums = sums(&all, 0);
    assert!(
        sums.refused > 0 && sums.unnoticed > 20 && sums.alike > 0,
        "{sums:?}"
    );
    assert_eq!(sums.refused + sums.unnoticed + sums.alike, all.len());
    let fates = of(&all, "orthogonal", "diagonal");
    let [Fate::Unnoticed(comparison)] = fates.as_slice() else {
        panic!("{fates:?}");
    };
    assert!(comparison.difference.as_ref().unwrap().path.is_empty());
    // Of two enemies in a row the first is no whole run.
    assert!(matches!(
        of(&all, "whole", "").as_slice(),
        [Fate::Unnoticed(_)]
    ));
    assert!(matches!(
        of(&all, "place man", "").as_slice(),
        [Fate::Unnoticed(_)]
    ));
}

#[test]
fn tests_are_asked_in_their_order() {
    let start = |_: &str, engine: &Engine| engine.print(&engine.initial()) != "mmmm/4/4/MMMM w";
    let first = |_: &str, engine: &Engine| engine.count_actions(&engine.initial()) != Ok(4);
    let original = build(GAME).unwrap();
    assert_eq!(
        (
            original.print(&original.initial()),
            start(GAME, &original),
            first(GAME, &original)
        ),
        ("mmmm/4/4/MMMM w".to_owned(), false, false)
    );
    let notices: &[Notice<'_>] = &[("starts", &start), ("first actions", &first)];
    let all = verdicts(notices, 2);
    assert_eq!(of(&all, "place man", ""), [&Fate::Noticed(0)]);
    assert_eq!(of(&all, "orthogonal", "diagonal"), [&Fate::Noticed(1)]);
    let (noticed, before) = (sums(&all, 2), sums(&verdicts(&[], 1), 0));
    let by: usize = noticed.noticed.iter().sum();
    assert_eq!(noticed.refused, before.refused);
    assert_eq!(
        by + noticed.unnoticed + noticed.alike,
        before.unnoticed + before.alike
    );
    assert!(by > 8, "{noticed:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    assert_eq!(verdicts(&[], 1), verdicts(&[], 3));
}
