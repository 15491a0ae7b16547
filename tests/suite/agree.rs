//! Whether engines answer as the plain one does: one position in, the first difference out, said in words.

use gambol::EngineKind;
use gambol::engine::executor::Executor;
use gambol::engine::portable::portable;
use gambol::engine::{Action, Engine, Outcome, PlayError, Position, Runner};
use gambol::program::Program;
use gambol::program::kernel::{Kernel, Work};
use gambol::tools::rng::Rng;
use std::fmt::Write as _;
use std::sync::Arc;

/// An engine that is held against the plain one.
pub struct Rival {
    /// What it is called.
    pub name: &'static str,
    /// The engine.
    pub engine: Engine,
    /// Whether its kernel was told that no two ways to an action have the same text, true or not. Then it is only asked
    /// where that is so.
    pub told: bool,
}

/// The engines with a kernel that there are for a program; with `told` those that are told more than is known as well.
pub fn rivals(program: &Program, told: bool) -> Result<Vec<Rival>, String> {
    let mut found = Vec::new();
    for kind in [EngineKind::Portable, EngineKind::Native] {
        if kind == EngineKind::Native && cfg!(not(feature = "native")) {
            continue;
        }
        let (engine, became) = gambol::engine(program.clone(), kind).map_err(|e| e.to_string())?;
        assert_eq!(became, kind);
        // Most of it in two goes instead of function by function.
        Work::ALL.into_iter().for_each(|work| engine.prepare(work));
        found.push(Rival {
            name: kind.name(),
            engine,
            told: false,
        });
    }
    if !told
        || found[0]
            .engine
            .kernel(Work::Games)
            .is_some_and(|k| k.unique)
    {
        return Ok(found);
    }
    let engine = || Engine::new(program.clone()).map_err(|e| e.to_string());
    found.push(Rival {
        name: "portable, told that texts are unique",
        engine: engine()?.with_kernels(Box::new(|program, work| {
            let kernel = with_unique_texts(program, work)?;
            Some((Arc::clone(&kernel), portable(kernel)))
        })),
        told: true,
    });
    #[cfg(feature = "native")]
    found.push(Rival {
        name: "native, told that texts are unique",
        engine: engine()?.with_kernels(Box::new(|program, work| {
            let kernel = with_unique_texts(program, work)?;
            let executor = gambol::engine::native::native(Arc::clone(&kernel), None).ok()?;
            Some((kernel, executor))
        })),
        told: true,
    });
    Ok(found)
}

/// The kernels whose code comes soon, which are left as soon as the better code is there, for good.
pub fn of_few_statements(program: &Program) -> Result<Vec<Rival>, String> {
    let rival = |name, run: fn(Arc<Kernel>) -> Option<Box<dyn Executor>>| {
        let engine = Engine::new(program.clone()).map_err(|e| e.to_string())?;
        let maker = move |program: &Program, work| {
            let draft = gambol::compile::kernel::draft(program, work, true).ok()?;
            let kernel = Arc::new(draft.soon());
            Some((Arc::clone(&kernel), run(kernel)?))
        };
        Ok::<Rival, String>(Rival {
            name,
            engine: engine.with_kernels(Box::new(maker)),
            told: false,
        })
    };
    Ok(vec![
        rival("portable, few statements", |kernel| Some(portable(kernel)))?,
        #[cfg(feature = "native")]
        rival("checked, few statements", |kernel| {
            gambol::engine::native::checked(kernel).ok()
        })?,
    ])
}

/// A kernel that is told that no two ways to an action have the same text.
fn with_unique_texts(program: &Program, work: Work) -> Option<Arc<Kernel>> {
    let mut kernel = gambol::compile::kernel::kernel(program, work, true).ok()?;
    kernel.unique = true;
    for entry in kernel.entries.iter_mut().flatten() {
        if let Some(counting) = &mut entry.counting {
            counting.alike = None;
        }
    }
    Some(Arc::new(kernel))
}

/// How much is asked.
#[derive(Clone, Copy)]
pub struct Depth {
    /// Sequences of two actions are counted where there are so many actions at most.
    pub pairs: usize,
    /// All is asked in one of so many positions; in the others the actions with what they lead to, and the outcome.
    pub every: usize,
}

/// What the plain engine says of a position.
struct Said {
    actions: Result<Vec<Action>, PlayError>,
    outcome: Result<Option<Outcome>, PlayError>,
    end: Result<Option<usize>, PlayError>,
    count: Result<u64, PlayError>,
    pairs: Option<Result<u64, PlayError>>,
    /// Whether no action here, and none behind one, can be played in two ways.
    plain_ways: bool,
}

/// The engines with what they remember from position to position.
pub struct Match<'e> {
    plain: &'e Engine,
    rivals: Vec<(&'e Rival, Runner<'e>)>,
    depth: Depth,
}

impl<'e> Match<'e> {
    /// The plain engine against others.
    pub fn new(plain: &'e Engine, rivals: &'e [Rival], depth: Depth) -> Match<'e> {
        let runner = |r: &'e Rival| (r, Runner::new(&r.engine));
        Match {
            plain,
            rivals: rivals.iter().map(runner).collect(),
            depth,
        }
    }

    /// Plays at random from the start, a game after the other, and asks every engine in every position. Gives back how many
    /// actions were played; fewer than asked for when the rules fail.
    pub fn play(&mut self, seed: u64, plies: usize) -> Result<usize, String> {
        let mut rng = Rng::new(seed);
        let mut played = 0;
        while played < plies {
            let game = self.game(&mut rng, plies - played)?;
            if game == 0 {
                break;
            }
            played += game;
        }
        Ok(played)
    }

    fn game(&mut self, rng: &mut Rng, plies: usize) -> Result<usize, String> {
        let mut position = self.plain.initial();
        self.at_one_go(rng.next_u64(), plies.min(40))?;
        for ply in 0..plies {
            if ply == plies / 2 {
                // Machine code comes soon and then better: both are asked.
                self.rivals
                    .iter()
                    .for_each(|(rival, _)| rival.engine.settle());
            }
            if ply % self.depth.every != 0 {
                match self.briefly(&position, rng)? {
                    Some(next) => position = next,
                    None => return Ok(ply),
                }
                continue;
            }
            let said = self.said(&position);
            if [said.actions.as_ref().err(), said.outcome.as_ref().err()]
                .iter()
                .any(|e| matches!(e, Some(PlayError::Runaway { .. })))
            {
                // Where one stops is no part of the rules.
                return Ok(ply);
            }
            self.ask(&position, &said, rng.next_u64())?;
            let Some(action) = said.actions.ok().and_then(|a| rng.pick(&a).cloned()) else {
                return Ok(ply);
            };
            position = self.plain.play(&position, &action);
        }
        Ok(plies)
    }

    /// Compares the actions and the outcome of a position. Gives back one that follows, if any does.
    fn briefly(&self, position: &Position, rng: &mut Rng) -> Result<Option<Position>, String> {
        let actions = self.plain.legal_actions(position);
        if matches!(actions, Err(PlayError::Runaway { .. })) {
            return Ok(None);
        }
        let outcome = self.plain.outcome(position);
        for (rival, _) in self.rivals.iter().filter(|(rival, _)| !rival.told) {
            let tell = |what| {
                let line = self.plain.print(position);
                format!("{}, in {line}\n{what}", rival.name)
            };
            let found = rival.engine.legal_actions(position);
            if found != actions {
                return Err(tell(actions_differ(self.plain, &actions, &found)));
            }
            same("outcome", &outcome, &rival.engine.outcome(position)).map_err(tell)?;
        }
        let next = actions.ok().and_then(|a| rng.pick(&a).cloned());
        Ok(next.map(|action| self.plain.play(position, &action)))
    }

    fn said(&self, position: &Position) -> Said {
        let actions = self.plain.legal_actions(position);
        let told = self.rivals.iter().any(|r| r.0.told);
        let merged = |p: &Position| !matches!(self.plain.merged_action(p), Ok(None));
        let count = self.plain.count_actions(position);
        // Who is told that texts are unique does not find out where they are not.
        let mut plain_ways = !told || count.is_ok() && !merged(position);
        let mut pairs = None;
        if let Ok(actions) = &actions
            && actions.len() <= self.depth.pairs
        {
            let mut sum = Ok(0);
            for action in actions {
                let next = self.plain.play(position, action);
                let counted = self.plain.count_actions(&next);
                if told {
                    let listed = self.plain.legal_actions(&next).map(|a| a.len() as u64);
                    plain_ways &= counted.is_ok() && listed == counted && !merged(&next);
                }
                sum = sum.and_then(|s| Ok(s + counted?));
            }
            plain_ways &= count.as_ref().ok() == Some(&(actions.len() as u64));
            pairs = Some(sum);
        }
        Said {
            outcome: self.plain.outcome(position),
            end: self.plain.ended_by(position),
            count,
            actions,
            pairs,
            plain_ways,
        }
    }

    /// The first difference in a position.
    fn ask(&mut self, position: &Position, said: &Said, seed: u64) -> Result<(), String> {
        let plain = self.plain;
        for (rival, runner) in &mut self.rivals {
            let tell =
                |what: String| format!("{}, in {}\n{what}", rival.name, plain.print(position));
            if rival.told && !said.plain_ways {
                continue;
            }
            if !rival.told {
                let actions = rival.engine.legal_actions(position);
                if actions != said.actions {
                    return Err(tell(actions_differ(plain, &said.actions, &actions)));
                }
                same("outcome", &said.outcome, &rival.engine.outcome(position)).map_err(tell)?;
                same("end", &said.end, &rival.engine.ended_by(position)).map_err(tell)?;
                same("count", &said.count, &rival.engine.count_actions(position)).map_err(tell)?;
            }
            same("actions counted", &said.count, &runner.count(position, 1)).map_err(tell)?;
            if let Some(pairs) = &said.pairs {
                same(
                    "pairs of actions counted",
                    pairs,
                    &runner.count(position, 2),
                )
                .map_err(tell)?;
            }
            one_more(plain, runner, position, said, seed).map_err(tell)?;
        }
        Ok(())
    }

    /// A random game of the runners in one go ends as the plain engine says, and is the same game when it is broken off sooner:
    /// each of its actions is legal. All engines play the same game.
    fn at_one_go(&mut self, seed: u64, plies: usize) -> Result<(), String> {
        let plain = self.plain;
        let mut first: Option<(gambol::engine::Game, Position)> = None;
        for (rival, runner) in self.rivals.iter_mut().filter(|(rival, _)| !rival.told) {
            let mut played = |most: usize| {
                let (mut last, mut rng) = (plain.initial(), Rng::new(seed));
                let game = runner.game_on(&mut last, most, |n| rng.below(n));
                game.map(|game| (game, last))
            };
            let Ok((whole, last)) = played(plies) else {
                continue;
            };
            let tell = |what: String| {
                let line = plain.print(&last);
                format!(
                    "{}, a game of seed {seed} that ends with {line}\n{what}",
                    rival.name
                )
            };
            if !plain.hash_is_true(&last) {
                return Err(tell("the words of its last position are wrong".to_owned()));
            }
            if let Ok(outcome) = plain.outcome(&last)
                && (whole.plies < plies || whole.outcome.is_some())
            {
                same("outcome of the game", &outcome, &whole.outcome).map_err(tell)?;
            }
            let (one, end) = first.get_or_insert_with(|| (whole.clone(), last.clone()));
            same("the game of another engine", one, &whole).map_err(tell)?;
            same("its end", &plain.print(end), &plain.print(&last)).map_err(tell)?;
            // Some twenty of its actions.
            for n in (0..whole.plies).step_by(whole.plies / 20 + 1) {
                let (Ok((before, from)), Ok((after, to))) = (played(n), played(n + 1)) else {
                    return Err(tell(format!("{n} actions of it fail")));
                };
                same("actions before", &n, &before.plies).map_err(tell)?;
                same("actions after", &(n + 1), &after.plies).map_err(tell)?;
                let Ok(actions) = plain.legal_actions(&from) else {
                    continue;
                };
                if !actions.iter().any(|a| plain.play(&from, a) == to) {
                    let (from, to) = (plain.print(&from), plain.print(&to));
                    return Err(tell(format!("action {n} leads from {from} to {to}")));
                }
            }
        }
        Ok(())
    }
}

/// One random action of a runner is a legal one.
fn one_more(
    plain: &Engine,
    runner: &mut Runner<'_>,
    position: &Position,
    said: &Said,
    seed: u64,
) -> Result<(), String> {
    let Ok(actions) = &said.actions else {
        return Ok(());
    };
    let mut rng = Rng::new(seed);
    let mut next = position.clone();
    let without_end = |e: &PlayError| matches!(e, PlayError::Runaway { .. });
    let game = match runner.game_on(&mut next, 1, |n| rng.below(n)) {
        Ok(game) => game,
        // What comes after it is asked as well, and may be a turn without end.
        Err(e) => {
            let after = |a| plain.outcome(&plain.play(position, a));
            let known = actions
                .iter()
                .any(|a| after(a).is_err_and(|e| without_end(&e)));
            if known && without_end(&e) {
                return Ok(());
            }
            return Err(format!("a random action: {e}"));
        }
    };
    if game.plies != usize::from(!actions.is_empty()) {
        return Err(format!(
            "{} random actions of {}",
            game.plies,
            actions.len()
        ));
    }
    let legal = actions.is_empty() || actions.iter().any(|a| plain.play(position, a) == next);
    if !legal {
        return Err(format!("a random action leads to {}", plain.print(&next)));
    }
    // Nothing is legal when the game is over; that is asked before anything is drawn.
    if actions.is_empty() {
        return Ok(());
    }
    every_one(plain, runner, position, actions)
}

/// What random actions are drawn from is every legal action, each once.
fn every_one(
    plain: &Engine,
    runner: &mut Runner<'_>,
    position: &Position,
    actions: &[Action],
) -> Result<(), String> {
    let Some(next) = runner.drawn_positions(position) else {
        return Ok(());
    };
    let told = |mut lines: Vec<String>| {
        lines.sort_unstable();
        lines
    };
    let drawn = told(next.iter().map(|p| plain.print(p)).collect());
    let legal = actions
        .iter()
        .map(|a| plain.print(&plain.play(position, a)));
    let legal = told(legal.collect());
    if drawn == legal {
        return Ok(());
    }
    let differs = |a: &[String], b: &[String]| a.iter().find(|l| !b.contains(l)).cloned();
    Err(format!(
        "{} positions to draw from, {} legal ones; only drawn: {:?}; never drawn: {:?}",
        drawn.len(),
        legal.len(),
        differs(&drawn, &legal),
        differs(&legal, &drawn)
    ))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, plain: &T, other: &T) -> Result<(), String> {
    if plain == other {
        return Ok(());
    }
    Err(format!("{what}: plain {plain:?}, but {other:?}"))
}

/// What is different about two lists of actions.
fn actions_differ(
    plain: &Engine,
    want: &Result<Vec<Action>, PlayError>,
    got: &Result<Vec<Action>, PlayError>,
) -> String {
    let (Ok(want), Ok(got)) = (want, got) else {
        return format!("actions: plain {want:?}, but {got:?}");
    };
    let lines = |from: &[Action], other: &[Action]| {
        let mut lines = String::new();
        for action in from.iter().filter(|a| !other.contains(a)).take(4) {
            let next = plain.play(&plain.initial(), action);
            let line = plain.print(&next);
            let _ = write!(lines, "\n  {} -> {line}", action.text);
            if !plain.hash_is_true(&next) {
                let _ = write!(lines, ", hash untrue");
            }
            let _ = write!(lines, " {:016x}", plain.hash(&next));
        }
        lines
    };
    let texts = |from: &[Action]| from.iter().map(|a| a.text.clone()).collect::<Vec<_>>();
    format!(
        "actions: plain {}, but {}; texts {}\nonly plain:{}\nonly here:{}",
        want.len(),
        got.len(),
        if texts(want) == texts(got) {
            "the same"
        } else {
            "others"
        },
        lines(want, got),
        lines(got, want)
    )
}
