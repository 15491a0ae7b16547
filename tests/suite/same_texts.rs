//! Actions whose texts are the same though the pieces of the texts differ: they are one action, listed, counted and played, for all
//! engines.

use crate::agree::rivals;
use gambol::base::Source;
use gambol::engine::{Engine, Runner};
use gambol::program::Program;

const HEAD: &str =
    "game \"Twice\"\n\nplayers White, Black\nboard   square(3, 4)\npiece   stone\n\n";
const TAIL: &str = "\n\nend after turn {\n  draw \"long\" when turns = 8\n}\n";

fn compiled(rules: &str) -> Program {
    let source = Source::new("twice", format!("{HEAD}{rules}{TAIL}"));
    gambol::compile(&source, &[]).program.unwrap()
}

/// So many actions at the start, and so many sequences of two, by all engines; whether the compiler has seen that texts may collide.
fn counts(rules: &str, first: u64, second: u64, collide: bool) {
    let program = compiled(rules);
    assert_eq!(program.collisions.any(), collide, "{rules}");
    let plain = ("plain", Engine::new(program.clone()).unwrap());
    let others = rivals(&program, false).unwrap().into_iter();
    let mut engines = 0;
    for (name, engine) in others
        .map(|rival| (rival.name, rival.engine))
        .chain([plain])
    {
        let start = engine.initial();
        let listed = engine.legal_actions(&start).unwrap();
        assert_eq!(listed.len() as u64, first, "{name}, listed: {rules}");
        let mut two = 0;
        for action in &listed {
            let next = engine.play(&start, action);
            two += engine.legal_actions(&next).unwrap().len() as u64;
        }
        assert_eq!(two, second, "{name}, listed twice: {rules}");
        assert_eq!(
            engine.count_actions(&start).unwrap(),
            first,
            "{name}, counted: {rules}"
        );
        for (depth, wanted) in [(1, first), (2, second)] {
            let counted = Runner::new(&engine).count(&start, depth).unwrap();
            assert_eq!(counted, wanted, "{name}, counted {depth} deep: {rules}");
        }
        engines += 1;
    }
    assert!(engines > 1);
}

#[test]
fn what_is_written_as_nothing_tells_no_actions_apart() {
    counts(
        "rule Bow \"\" {\n}\n\nrule Pick \"{spot}\" {\n  choose spot in empty\n  Bow or { }\n}\n\nturn Pick",
        12,
        144,
        true,
    );
    counts(
        "rule Foe \"{first of enemy}\" {\n}\n\nrule Pick \"{spot}\" {\n  choose spot in empty\n  Foe or { }\n}\n\nturn Pick",
        12,
        144,
        true,
    );
}

#[test]
fn words_that_are_put_together_in_two_ways_tell_no_actions_apart() {
    counts(
        "rule Two \"b{spot}\" {\n  choose spot in empty\n}\n\nrule One \"a\" {\n  Two\n}\n\n\
         rule Both \"ab{spot}\" {\n  choose spot in empty\n}\n\nturn {\n  One or Both\n}",
        12,
        144,
        true,
    );
    counts(
        "rule Two \"b{spot}\" {\n  choose spot in empty\n  place stone at spot\n}\n\nrule One \"a\" {\n  Two\n}\n\n\
         rule Both \"ab{spot}\" {\n  choose spot in empty in row(1)\n  place stone at spot\n}\n\nturn {\n  One or Both\n}",
        12,
        132,
        true,
    );
}

#[test]
fn values_that_run_together_tell_no_actions_apart() {
    // `a1` and `12`, and `a11` and `2`.
    let program =
        "rule Pick \"{spot}{n}\" {\n  choose spot in empty\n  choose n in 1..12\n}\n\nturn Pick";
    counts(program, 144, 144 * 144, false);
    let long = format!("{HEAD}{program}{TAIL}").replace("square(3, 4)", "square(2, 12)");
    let program = gambol::compile(&Source::new("long", &long), &[])
        .program
        .unwrap();
    assert!(program.collisions.within);
    for rival in rivals(&program, false).unwrap() {
        let start = rival.engine.initial();
        assert_eq!(rival.engine.count_actions(&start).unwrap(), 284);
        assert_eq!(
            Runner::new(&rival.engine).count(&start, 2).unwrap(),
            284 * 284
        );
    }
}

/// One line of cells north, and one south that is written from its end.
#[test]
fn pictures_that_are_written_the_other_way_round_are_the_same_actions() {
    counts(
        "rule Up \"{low}-{high}\" {\n  line north [ empty as low | empty as high ]\n  place stone at low\n}\n\n\
         rule Down \"{low}-{high}\" {\n  line south [ empty as high | empty as low ]\n  place stone at low\n}\n\n\
         turn {\n  Up or Down\n}",
        9,
        66,
        false,
    );
    counts(
        "rule Up \"{low}-{high}\" {\n  line north [ empty as low | empty as high ]\n  place stone at low\n}\n\n\
         rule Down \"{low}{-x}{high}\" {\n  line south [ empty as high | empty as low ]\n  place stone at low\n}\n\n\
         turn {\n  Up or Down\n}",
        9,
        66,
        true,
    );
}

/// What is chosen between by a test stands in other states.
#[test]
fn a_test_behind_a_choice_may_lead_to_the_same_text() {
    counts(
        "rule Last \"c\" {\n}\n\nrule First \"b\" {\n  Last\n}\n\nrule Whole \"bc\" {\n}\n\n\
         rule Pick \"{spot}\" {\n  choose spot in empty\n  choose n in 1..2\n  if n = 1 {\n    First\n  } else {\n    Whole\n  }\n}\n\nturn Pick",
        12,
        144,
        true,
    );
}

/// Row upon row of steps that may be written as nothing: said to run together, without trying all.
#[test]
fn what_may_be_nothing_many_times_is_found_soon() {
    let steps = ["One", "Two", "Six", "Ten"]
        .map(|name| format!("rule {name} \"{{first of enemy}}\" {{\n}}\n\n"));
    let rules = format!(
        "{}rule Pick \"{{spot}}\" {{\n  choose spot in empty\n  repeat 2 times {{\n    One or Two or Six or Ten\n  }}\n}}\n\nturn Pick",
        steps.concat()
    );
    counts(&rules, 12, 144, true);
}

#[test]
fn no_shipped_game_has_texts_that_run_together() {
    for path in crate::common::games() {
        let source = gambol::cli::read_source(path.to_str().unwrap()).unwrap();
        let program = gambol::compile(&source, &[]).program.unwrap();
        assert!(!program.collisions.within, "{}", path.display());
    }
}

#[test]
fn all_rules_are_told_that_may_have_written_what_is_merged() {
    let rules = "rule Put \"{spot}\" {\n  choose spot in empty\n  place stone at spot\n}\n\nrule Set \"{cell}\" {\n  choose cell in column(1)\n  require cell in empty\n  place stone at cell\n}\n\nrule Go \"{cell}!\" {\n  choose cell in empty\n}\n\nturn { Put or Set or Go }";
    let program = compiled(rules);
    let engine = Engine::new(program.clone()).unwrap();
    let (text, places) = engine.merged_action(&engine.initial()).unwrap().unwrap();
    let [put, set] = places[..] else {
        panic!("{places:?}");
    };
    let of = |name: &str| {
        let template = program.templates.iter().find(|t| t.name == name);
        template.map(|t| t.span)
    };
    assert!(text.starts_with('a'), "{text}");
    assert_eq!((of("Put"), of("Set")), (Some(put), Some(set)));
}
