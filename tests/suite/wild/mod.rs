//! Engines agree on games that nobody wrote: texts are drawn, and those that are games are played. `GAMBOL_WILD=N` draws so
//! many, `GAMBOL_WILD_FROM=N` begins with that seed.

mod acts;
mod boards;
mod claims;
pub mod dice;
mod game;
mod loops;
mod pictures;
mod sets;
mod shrink;
mod statements;
mod turns;
mod twists;
mod usual;
mod values;
mod writer;

use crate::agree::{Depth, Match, of_few_statements, rivals};
use crate::wild::dice::Dice;
use gambol::base::{Severity, Source};
use gambol::engine::{Engine, PlayError};
use gambol::program::Program;
use gambol::tools::rng::Rng;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most actions of a position: more take long and tell nothing more.
const MOST: u64 = 400;

/// What became of a text.
#[allow(dead_code, reason = "what is said is for whoever looks at one by hand")]
pub enum Fate {
    /// No game.
    Refused(String),
    /// A game that cannot be played for two actions.
    Dull(&'static str),
    /// There can be no kernel.
    NoKernel(String),
    /// All engines agree; how many actions were played, and how often a kernel gave up.
    Agreed(usize, u64),
    /// They differ.
    Differs(String),
}

/// What becomes of the text of a seed.
pub fn text_of(seed: u64) -> String {
    game::game(Dice::seeded(seed))
}

/// The text that is drawn by bytes instead of a seed.
#[allow(dead_code, reason = "asked by the fuzz targets")]
pub fn text_of_bytes(bytes: &[u8]) -> String {
    game::game(Dice::of_bytes(bytes))
}

/// Whether two random actions can be played.
fn playable(engine: &Engine, seed: u64) -> Result<(), &'static str> {
    let mut rng = Rng::new(seed);
    let mut position = engine.initial();
    for _ in 0..2 {
        let why = |e: PlayError| match e {
            PlayError::Ambiguous { .. } => "ambiguous",
            PlayError::Runaway { .. } | PlayError::TooMany { .. } => "runaway",
            PlayError::NoTurn { .. } => "no turn",
            PlayError::Setup { .. } => "setup",
        };
        let actions = engine.legal_actions(&position).map_err(why)?;
        if actions.len() as u64 > MOST {
            return Err("too many actions");
        }
        let action = rng.pick(&actions).ok_or("over at once")?;
        position = engine.play(&position, action);
    }
    Ok(())
}

/// Compiles a text, plays it with all engines, and tells what became of it.
pub fn fate(text: &str, seed: u64, plies: usize) -> Fate {
    let source = Source::new("wild", text);
    let compiled = gambol::compile(&source, &[]);
    let Some(program) = compiled.program else {
        let all = &compiled.diagnostics;
        let first = all.iter().find(|d| d.severity == Severity::Error);
        return Fate::Refused(first.map_or_else(String::new, |d| {
            format!(
                "{} {}: {}",
                d.code.name(),
                d.message,
                source.at(d.label.span)
            )
        }));
    };
    let Ok(plain) = Engine::new(program.clone()) else {
        return Fate::Dull("setup");
    };
    if let Err(why) = playable(&plain, seed) {
        return Fate::Dull(why);
    }
    let played = catch_unwind(AssertUnwindSafe(|| held(&program, &plain, seed, plies)));
    played.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Fate::Differs(format!("panic: {}", said.unwrap_or_default()))
    })
}

fn held(program: &Program, plain: &Engine, seed: u64, plies: usize) -> Fate {
    let of_better = rivals(program, true);
    let all = of_better.and_then(|mut all| {
        // The kernel of few statements is another one, and one engine is enough for it; in the ordinary run every third game.
        let few = seed.is_multiple_of(3) || number("GAMBOL_WILD").is_some();
        all.extend(
            of_few_statements(program)?
                .into_iter()
                .take(usize::from(few)),
        );
        Ok(all)
    });
    let all = match all {
        Ok(all) => all,
        Err(why) => return Fate::NoKernel(why),
    };
    let played = Match::new(
        plain,
        &all,
        Depth {
            pairs: 24,
            every: 1,
        },
    )
    .play(seed, plies);
    let gave_up = all.iter().map(|r| r.engine.gave_up()).sum();
    match played {
        Ok(played) => Fate::Agreed(played, gave_up),
        Err(what) => Fate::Differs(what),
    }
}

/// A text that is as short as can be and still tells engines apart, and how.
pub fn shortest(text: &str, seed: u64, plies: usize) -> (String, String) {
    let mut what = String::new();
    let found = shrink::shrink(
        text,
        4000,
        &mut |shorter| match fate(shorter, seed, plies) {
            Fate::Differs(how) => {
                what = how;
                true
            }
            Fate::Refused(_) | Fate::Dull(_) | Fate::NoKernel(_) | Fate::Agreed(..) => false,
        },
    );
    (found, what)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn engines_agree_on_drawn_games() {
    let from = number("GAMBOL_WILD_FROM").unwrap_or(150);
    let count = number("GAMBOL_WILD").unwrap_or(90);
    let (mut games, mut actions) = (0, 0);
    let mut without: BTreeMap<String, usize> = BTreeMap::new();
    for seed in from..from + count {
        let text = text_of(seed);
        match fate(&text, seed, 12) {
            Fate::Refused(_) | Fate::Dull(_) => {}
            Fate::NoKernel(why) => *without.entry(why).or_default() += 1,
            Fate::Agreed(played, _) => {
                games += 1;
                actions += played;
            }
            Fate::Differs(what) => {
                let (short, now) = shortest(&text, seed, 12);
                panic!("seed {seed}\n{text}\n{what}\n\nas short as can be:\n{short}\n{now}");
            }
        }
    }
    eprintln!("{games} games, {actions} actions; no kernel: {without:#?}");
    assert!(games * 3 > count, "only {games} of {count} texts are games");
}
