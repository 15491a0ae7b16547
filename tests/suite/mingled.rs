//! Rules that choose a group and a picture that begins in it: every engine answers as the plain one does, what is drawn from has
//! every legal action once, and where it is meant to, all groups are listed at once.

use crate::common::slow;
use crate::engines::hold;
use crate::putting::game_of_several;
use gambol::base::Source;
use gambol::compile::kernel::kernel;
use gambol::program::Program;
use gambol::program::kernel::{Work, dump};

/// Boards on which each step comes to a neighbour, with sets of one word, of three and of five, with rows of one length and of
/// several; one on which some steps do not; and one on which lines come back.
const BOARDS: &[(&str, bool)] = &[
    ("square(6, 6)", true),
    ("hexagons(5, 5)", true),
    ("triangles(6, 4)", true),
    ("square(13, 12)", true),
    ("square(18, 17)", true),
    ("square(7, 5) joined orthogonal", false),
    ("square(5, 5) wrapping columns", false),
];

/// Rules, and whether what they can do is listed for all groups at once.
const RULES: &[(&str, &str, bool)] = &[
    (
        "{a}-{b}",
        "choose f in groups of me; line [ f as a | f | empty as b ]; \
         require no (own except f) in adjacent of b; move a to b",
        true,
    ),
    (
        "{a}>{b}",
        "choose f in groups of me; line [ f as a | f | empty as b ]; \
         require all own in adjacent of b in f; move a to b",
        true,
    ),
    // Only some of the own, and what is in between is the enemy's.
    (
        "{a}x{b}",
        "choose f in parts of own in rows(2..5); line [ f as a | enemy as v | empty as b ]; \
         require count(f) < 4; capture v; move a to b",
        true,
    ),
    // Whether it holds goes against what it is to be asked for: nothing of it is asked before.
    (
        "{a}+{b}",
        "choose f in groups of me; line [ f as a | empty as b ]; \
         require some (own except f) in adjacent of b; move a to b",
        true,
    ),
    (
        "{a}*{b}",
        "choose f in groups of me; line [ f | f as a | empty as b ]; \
         require some f in adjacent of b and no (own except f) in adjacent of b; place man at b",
        true,
    ),
    // What stands between choice and picture.
    (
        "{a}={b}",
        "choose f in groups of me; let g = f; let n = count(f); line [ g as a | f | g as c | empty as b ]; \
         require no (own except g) in adjacent of b; move a to b",
        true,
    ),
    // What is required goes with the part also by what was counted of it.
    (
        "{a}^{b}",
        "choose f in groups of me; let n = count(f); line [ f as a | f | empty as b ]; \
         require no (own except f) in adjacent of b or n > 3; move a to b",
        true,
    ),
    (
        "{a}.{b}",
        "choose f in groups of me; require count(f) < 9; line [ f as a | f | empty as b ]; \
         require no (own except f) in adjacent of b; move a to b",
        false,
    ),
    // Another requirement is asked for every cell.
    (
        "{a}/{b}",
        "choose f in groups of me; line [ f as a | f | empty as b ]; \
         require no (own except f) in adjacent of b; require no enemy in adjacent of b; move a to b",
        false,
    ),
    // The last cell is told by the group.
    (
        "{a}:{b}",
        "choose f in groups of me; line [ f as a | f | own except f as b ]; capture b; move a to b",
        false,
    ),
    // Two may have one text.
    (
        "{b}",
        "choose f in groups of me; line [ f as a | f | empty as b ]; \
         require no (own except f) in adjacent of b; move a to b",
        true,
    ),
    // The groups are gone through to see which are meant.
    (
        "{a}~{b}",
        "choose f in groups of me where count(it) < 5; line [ f as a | f | empty as b ]; \
         require no (own except f) in adjacent of b; move a to b",
        false,
    ),
];

#[test]
fn engines_agree_on_groups_that_are_listed_at_once() {
    agree_on(BOARDS, RULES, lists_at_once);
}

/// Plays rules on boards, each alone and beside another, and compares the engines. Whether what they can do is listed at once must be as
/// is said of rule and board; where the board stands against it that is looked at for the first rule only.
pub fn agree_on(
    boards: &[(&str, bool)],
    rules: &[(&str, &str, bool)],
    lists_at_once: fn(&Program) -> bool,
) {
    let mut wrong = Vec::new();
    for (b, (board, beside)) in boards.iter().enumerate() {
        for (r, (text, rule, at_once)) in rules.iter().enumerate() {
            if !slow() && b > 2 && (b + r) % 3 != 0 {
                continue;
            }
            for others in [&[][..], &[("{c}", "choose c in own; capture c")]] {
                let mut all = vec![(*text, *rule)];
                all.extend(others);
                let name = format!("{all:?} on {board}");
                let source = Source::new(name.clone(), game_of_several(board, &all));
                let compiled = gambol::compile(&source, &[]);
                let Some(program) = compiled.program else {
                    wrong.push(format!("{name} is no game: {:?}", compiled.diagnostics));
                    continue;
                };
                match hold(&name, &source, "", if slow() { 400 } else { 60 }) {
                    Ok(line) if line.contains("gave up 0 times") => {}
                    Ok(line) | Err(line) => wrong.push(line),
                }
                let listed = lists_at_once(&program);
                if (*beside || r == 0) && listed != (*at_once && *beside) {
                    wrong.push(format!("{name}: at once is {listed}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Whether no list of random games goes through groups: there is nothing else to go through again and again.
fn lists_at_once(program: &Program) -> bool {
    lists(program).iter().all(|list| !list.contains("  loop "))
}

/// The functions that list for random games, as they are written down.
fn lists(program: &Program) -> Vec<String> {
    let told = dump(&kernel(program, Work::Games, true).unwrap());
    let lists = told.split("\nfunction ").filter(|f| {
        let name = f.lines().next().unwrap_or_default();
        name.contains("Candidates")
    });
    lists.map(str::to_owned).collect()
}

/// Whether lines of those that begin in some way stand inside statements that begin in another.
pub fn stand_in_lists(program: &Program, outer: &str, inner: &[&str]) -> bool {
    let lists = lists(program);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut around = None;
    lists.iter().flat_map(|list| list.lines()).any(|line| {
        let begins = |with: &&str| line.trim_start().starts_with(with);
        around = around.filter(|at| indent(line) > *at);
        let inside = around.is_some();
        if begins(&outer) {
            around = around.or(Some(indent(line)));
        }
        inside && inner.iter().any(begins)
    })
}
