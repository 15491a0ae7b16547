//! Turns of several actions whose lists are a few sets: random games draw from these, and look up what follows from the last step alone.
//! Every engine answers as the plain one does, also where most of what is drawn is refused.

use crate::common::slow;
use crate::engines::{dumps, hold};
use crate::outgrown::random_game;
use crate::paces;
use gambol::base::Source;

/// Sets of one word, of two and of three.
const BOARDS: &[&str] = &["square(6, 6)", "hexagons(6, 6)", "square(12, 11)"];

/// As in `paces`, but first how often random games draw a cell of a set that is not looked up: for each player the first step of a turn,
/// and the others where they follow from more than the last; all of it once more where the opening is played apart.
const SOWN: &str = "
    2 | orthogonal | any | | back | men |
    2 | diagonal | any | | back | men |
    2 | orthogonal | any | | back | men | require met
    2 | orthogonal | any | if next in enemy { set met = yes } | back | men | require met
    4 | orthogonal | own or empty | | back | men |
    4 | (if early then forward else orthogonal) | any | if next in empty { set met = yes } | back | men | require met or not early
";

/// The same, of walks.
const WALKED: &str = "
    2 | orthogonal | any | | back | 3 |
    2 | orthogonal | any except corners | | back | 4 |
    2 | orthogonal | any | if next in enemy { set met = yes } | back | 3 | require met
    4 | orthogonal | any except trod | mark next as trod | back | 3 |
";

/// How often a random game draws a cell of a set.
fn draws(kernels: &str) -> usize {
    random_game(kernels).matches("= nth s").count()
}

#[test]
fn engines_agree_where_random_games_draw_apart() {
    let mut wrong = Vec::new();
    for (trails, sown) in [(SOWN, true), (WALKED, false)] {
        let trails = trails
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        for (at, trail) in trails.enumerate() {
            for board in BOARDS
                .iter()
                .skip(at % 2)
                .step_by(if slow() { 1 } else { 2 })
            {
                let name = format!("{trail} on {board}");
                let source = Source::new(name.clone(), paces::game(board, trail, sown));
                let compiled = gambol::compile(&source, &[]);
                let Some(program) = compiled.program else {
                    panic!("{name} is no game: {:?}", compiled.diagnostics);
                };
                match hold(&name, &source, "", 120) {
                    Ok(line) if line.contains("gave up 0 times") => {}
                    Ok(line) | Err(line) => wrong.push(line),
                }
                let drawn = draws(&dumps(&program));
                if !trail.starts_with(&format!("{drawn} ")) {
                    wrong.push(format!("{name}: {drawn} draws"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
