//! Position lines of the shipped games: bytes choose a game, play some random actions, and change the line that is then
//! printed. Whatever comes of that, reading it does not panic, and what can be read is printed so that it is read as the same.
#![no_main]

use gambol::engine::{Engine, Position};
use gambol::tools::rng::Rng;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

/// Every shipped game that is quick enough to be played thousands of times.
fn engines() -> &'static [Engine] {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    ENGINES.get_or_init(|| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let mut paths = Vec::new();
        for folder in ["games", "games/classics", "games/variants", "docs/examples"] {
            let entries = std::fs::read_dir(format!("{root}/{folder}")).expect("a folder");
            paths.extend(entries.map(|e| e.expect("an entry").path()));
        }
        paths.retain(|p| p.extension().is_some_and(|e| e == "game"));
        paths.sort();
        let engine = |path: &std::path::PathBuf| {
            let source = gambol::cli::read_source(path.to_str()?).ok()?;
            Engine::new(gambol::compile(&source, &[]).program?).ok()
        };
        paths.iter().filter_map(engine).collect()
    })
}

fn drawn(engine: &Engine, seed: u64, plies: u8) -> Position {
    let mut rng = Rng::new(seed);
    let mut position = engine.initial();
    for _ in 0..plies {
        let actions = engine.legal_actions(&position).unwrap_or_default();
        match rng.pick(&actions) {
            Some(action) => position = engine.play(&position, action),
            None => break,
        }
    }
    position
}

/// Each three bytes change the line: where, how, and what to.
fn change(line: &str, changes: &[u8]) -> String {
    let mut signs: Vec<char> = line.chars().collect();
    for part in changes.chunks_exact(3) {
        let [at, how, what] = [part[0], part[1], part[2]].map(usize::from);
        let at = at % (signs.len() + 1);
        let sign = line.chars().nth(what % line.len().max(1)).unwrap_or(' ');
        match how % 6 {
            0 if at < signs.len() => signs[at] = sign,
            1 => signs.insert(at, sign),
            2 if at < signs.len() => drop(signs.remove(at)),
            3 => signs.insert(at, char::from(part[2] % 128)),
            4 => signs.truncate(at),
            _ => {
                let piece: Vec<char> = signs.iter().skip(at).take(what % 16).copied().collect();
                signs.extend(piece);
            }
        }
    }
    signs.into_iter().take(600).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let [game, seed, plies, changes @ ..] = bytes else {
        return;
    };
    let engines = engines();
    let engine = &engines[usize::from(*game) % engines.len()];
    let start = drawn(engine, u64::from(*seed), plies % 24);
    let line = engine.print(&start);
    assert_eq!(engine.parse(&line).as_ref(), Ok(&start), "{line}");
    let changed = change(&line, changes);
    if let Ok(position) = engine.parse(&changed) {
        let line = engine.print(&position);
        let again = engine.parse(&line);
        let title = &engine.program().about.title;
        assert_eq!(
            again.as_ref(),
            Ok(&position),
            "{title}: {changed} is printed {line}"
        );
        assert_eq!(engine.print(&position), line);
        let _ = engine.outcome(&position);
        let _ = engine.legal_actions(&position);
    }
});
