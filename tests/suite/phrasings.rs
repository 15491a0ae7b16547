//! Rules that say the same in other words: the fast engines run the same kernel for each, so that nobody is slower for how he puts it,
//! and every engine plays as the plain one does.

use crate::common::{game_named, source};
use crate::engines::{dumps, hold};
use gambol::base::Source;

/// A shipped game, and what is written in it instead of what.
struct Phrasing {
    game: &'static str,
    instead: &'static [(&'static str, &'static str)],
}

const EPAMINONDAS: &str = "epaminondas";
const MARCH: &str = "line as way [ n own as phalanx | 1..n empty as path ]";
const ASSAULT: &str =
    "line as way [ n own as phalanx | 0..n-1 empty as path | whole 1..n-1 enemy as foe ]";

const PHRASINGS: &[Phrasing] = &[
    Phrasing {
        game: EPAMINONDAS,
        instead: &[
            (
                MARCH,
                "choose way in directions\n  line way [ n own as phalanx | 1..n empty as path ]",
            ),
            (
                ASSAULT,
                "choose way in directions\n  line way [ n own as phalanx | 0..n-1 empty as path | whole 1..n-1 enemy as foe ]",
            ),
        ],
    },
    Phrasing {
        game: EPAMINONDAS,
        instead: &[(
            MARCH,
            "line as way [ n own as phalanx | 1.. empty as path ]\n  require count of path <= n \"too far\"",
        )],
    },
    Phrasing {
        game: EPAMINONDAS,
        instead: &[(
            ASSAULT,
            "line as way [ n own as phalanx | 0.. empty as path | whole m enemy as foe ]\n  require n > m and count of path < n \"too far\"",
        )],
    },
    Phrasing {
        game: EPAMINONDAS,
        instead: &[
            (
                MARCH,
                "line as way [ 1.. own as phalanx | 1.. empty as path ]\n  require count of path <= count of phalanx \"too far\"",
            ),
            (
                ASSAULT,
                "line as way [ n own as phalanx | 0..n-1 empty as path | whole 1.. enemy as foe ]\n  require count of foe < n \"too many\"",
            ),
        ],
    },
    Phrasing {
        game: EPAMINONDAS,
        instead: &[
            (
                "  advance phalanx by count of path\n",
                "  let steps = count of path\n  advance phalanx by steps\n",
            ),
            (
                "  advance phalanx by count of path + 1\n",
                "  let steps = count of path + 1\n  advance phalanx by steps\n",
            ),
        ],
    },
    Phrasing {
        game: "reversi",
        instead: &[(
            "run from line [ spot | 1.. enemy as run | own ]",
            "run from line [ own | 1.. enemy as run | spot ]",
        )],
    },
    Phrasing {
        game: "go",
        instead: &[(
            "  capture cells of (groups of them where no empty in adjacent of it)\n",
            "  let dead = groups of them where no empty in adjacent of it\n  if some dead { capture cells of dead }\n",
        )],
    },
    Phrasing {
        game: "emergo",
        instead: &[
            (
                "  let released = them can Capture    // asked before the man comes in\n  choose spot in empty\n",
                "  choose spot in empty\n  let released = them can Capture\n",
            ),
            ("    start  own as jumper\n", "    start  jumper\n"),
            (
                "rule Capture \"{jumper}\" {\n",
                "rule Capture \"{jumper}\" {\n  choose jumper in own\n",
            ),
        ],
    },
    Phrasing {
        game: "amazons",
        instead: &[
            (
                "  line [ own as mover | 0.. empty | empty as target ]\n",
                "  line [ own as mover | 1.. empty as path ]\n  let target = last of path\n",
            ),
            (
                "  line [ archer | 0.. empty | empty as spot ]\n",
                "  line [ archer | 1.. empty as flight ]\n  let spot = last of flight\n",
            ),
        ],
    },
    Phrasing {
        game: "go",
        instead: &[(
            "  require some empty in adjacent of group of spot ",
            "  let mine = group of spot\n  let free = empty in adjacent of mine\n  require count(free) > 0 ",
        )],
    },
    Phrasing {
        game: "breakthrough",
        instead: &[(
            "some own in row(1) seen by them",
            "count(own in row(1) seen by them) > 0",
        )],
    },
    Phrasing {
        game: "hex",
        instead: &[(
            "when some (groups of me where some it in near of me and some it in far of me)",
            "when count(groups of me where some it in near of me and some it in far of me) >= 1",
        )],
    },
    Phrasing {
        game: "guerilla",
        instead: &[(
            "  require no enemy in adjacent of spot ",
            "  require count(enemy in adjacent of spot) = 0 ",
        )],
    },
];

/// A kernel without the numbers of its words and sets, and without the places of the program that its functions are made for: names that
/// are declared in another order have other numbers.
pub fn nameless(dump: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for sign in dump.chars().chain([' ']) {
        if sign.is_ascii_alphanumeric() {
            word.push(sign);
            continue;
        }
        let numbered = |begin: char| {
            let rest = word.strip_prefix(begin);
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        let placed =
            text.ends_with("Pc(") && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if !(numbered('w') || numbered('s') || placed) {
            text.push_str(&word);
        }
        word.clear();
        text.push(sign);
    }
    text
}

#[test]
fn other_words_make_the_same_kernel() {
    for Phrasing { game, instead } in PHRASINGS {
        let shipped = source(&game_named(game));
        let mut text = shipped.text().to_owned();
        for (written, other) in *instead {
            assert!(text.contains(written), "{game} has no `{written}`");
            text = text.replace(written, other);
        }
        let phrased = Source::new(shipped.name(), text);
        let kernel = |source: &Source| {
            let compiled = gambol::compile(source, &[]);
            let program = compiled.program;
            let program = program.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
            nameless(&dumps(&program))
        };
        assert!(kernel(&phrased) == kernel(&shipped), "{game}: {instead:?}");
        match hold(game, &phrased, "", 300) {
            Ok(line) if line.contains("gave up 0 times") => {}
            Ok(what) | Err(what) => panic!("{what}"),
        }
    }
}

#[test]
fn a_set_that_is_added_to_does_what_a_mark_does() {
    let shipped = source(&game_named("guerilla"));
    let instead = [
        (
            "mark band, killers, slain each turn",
            "mark band each turn\nkeep killers = none each turn\nkeep slain = none each turn",
        ),
        (
            "  mark killer as killers\n",
            "  set killers = killers or killer\n",
        ),
        (
            "  mark victim as slain\n",
            "  set slain = victim or slain\n",
        ),
    ];
    let text = instead
        .iter()
        .fold(shipped.text().to_owned(), |text, (a, b)| {
            assert!(text.contains(a), "{a}");
            text.replace(a, b)
        });
    let added = Source::new("added", text);
    let program = gambol::compile(&added, &[]).program.unwrap();
    // Turns are known to be completed: nobody asks by trying.
    let probes = dumps(&program).matches("Pc(78)) Probe").count();
    assert_eq!(probes, 0);
    hold("added", &added, "", 300).unwrap();
}
