//! What seeded games and the examples of a file never come to: engines and a tree in, rules, clauses, alternatives and ends
//! that stay unused out, by their place in the text. The same seed gives the same answer, whatever the number of threads.

mod gaps;

use crate::base::Span;
use crate::engine::{Engine, PlayError, Position, Watch};
use crate::program::{Op, Pc, Program};
use crate::syntax::ast::File;
use crate::tools::clauses::{self, Clauses, Counts, count};
use crate::tools::examples::{self, Made};
use crate::tools::perft::shared_out;
use crate::tools::playout::walk;
use crate::tools::rng::DEFAULT_SEED;
use crate::tools::sections::Sections;
use std::collections::{BTreeMap, BTreeSet};

pub use gaps::{Gap, GapKind};

/// So many games are played between two looks at how much has been done: a number of its own, so that threads change nothing.
const ROUND: u64 = 4;

/// Options by name.
type Settings = [(String, String)];

/// What games and examples came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Games played.
    pub games: u64,
    /// Actions played in them.
    pub actions: usize,
    /// Examples run.
    pub examples: usize,
    /// Positions looked at, those of examples included.
    pub positions: usize,
    /// The clauses of the rules.
    pub clauses: usize,
    /// How many of them were reached.
    pub reached: usize,
    /// What was never reached or never makes a difference, by kind and place.
    pub gaps: Vec<Gap>,
}

/// How much is played, and by how many threads.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The seed of the first game; the others have the numbers that follow it.
    pub seed: u64,
    /// The most games.
    pub games: u64,
    /// The most actions of one game.
    pub plies: usize,
    /// Games are broken off, and none is begun, when so many instructions have been run.
    pub work: u64,
    /// Threads.
    pub threads: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            seed: DEFAULT_SEED,
            games: 40,
            plies: 1000,
            work: 4_000_000,
            threads: 1,
        }
    }
}

/// Plays games and runs the examples of a file; `make` gives the engine for some settings.
///
/// # Errors
///
/// What the engine says of a game; an example that cannot be run is left out.
pub fn coverage(
    file: &File,
    engine: &Engine,
    given: &Settings,
    make: &dyn Fn(&Settings) -> Made,
    effort: Effort,
) -> Result<Coverage, PlayError> {
    let sections = Sections::of(file);
    let mut result = Coverage::default();
    let mut all = Seen::new(engine.program());
    play(engine, effort, &mut all, &mut result)?;
    let mut others: Vec<Watched> = Vec::new();
    for example in examples::examples(file) {
        let wanted = examples::settings(example, given);
        let at = match others.iter().position(|w| w.settings == wanted) {
            Some(at) => at,
            None => {
                let made = make(&wanted).ok();
                others.push(Watched {
                    seen: made.as_ref().map(|e| Seen::new(e.program())),
                    engine: made,
                    settings: wanted,
                });
                others.len() - 1
            }
        };
        let other = &mut others[at];
        if let (Some(engine), Some(seen)) = (&other.engine, &mut other.seen) {
            result.examples += 1;
            examples::visit(engine, example, &mut |position| {
                // What fails here, the example's own lines tell.
                if seen.look(engine, position).is_ok() {
                    result.positions += 1;
                }
            });
        }
    }
    let mut sums = Sums::default();
    sums.add(engine.program(), &sections, &all);
    for other in &others {
        if let (Some(engine), Some(seen)) = (&other.engine, &other.seen) {
            sums.add(engine.program(), &sections, seen);
        }
    }
    gaps::find(&sections, &sums, &mut result);
    Ok(result)
}

/// Plays games, some at a time, until there are enough.
fn play(
    engine: &Engine,
    effort: Effort,
    all: &mut Seen,
    result: &mut Coverage,
) -> Result<(), PlayError> {
    let mut next = 0;
    while next < effort.games && all.work() < effort.work {
        let behind = effort.games.min(next + ROUND);
        let round: Vec<u64> = (next..behind)
            .map(|number| effort.seed.wrapping_add(number))
            .collect();
        for game in shared_out(effort.threads, &round, |seed| game(engine, *seed, effort)) {
            let game = game?;
            result.games += 1;
            result.actions += game.actions;
            result.positions += game.positions;
            all.add(&game.seen);
        }
        next = behind;
    }
    Ok(())
}

/// A game that was watched.
struct Game {
    seen: Seen,
    actions: usize,
    positions: usize,
}

/// A game is broken off, or has failed.
enum Halt {
    Enough,
    Failed(PlayError),
}

impl From<PlayError> for Halt {
    fn from(error: PlayError) -> Halt {
        Halt::Failed(error)
    }
}

fn game(engine: &Engine, seed: u64, effort: Effort) -> Result<Game, PlayError> {
    let mut game = Game {
        seen: Seen::new(engine.program()),
        actions: 0,
        positions: 0,
    };
    let last = walk(engine, engine.initial(), seed, effort.plies, |visit| {
        game.actions = visit.ply;
        game.positions += 1;
        game.seen.look(engine, visit.position)?;
        if game.seen.work() >= effort.work {
            return Err(Halt::Enough);
        }
        Ok(())
    });
    match last {
        Ok(_) | Err(Halt::Enough) => Ok(game),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// What was seen of one program.
struct Seen {
    watch: Watch,
    /// For each end how often it came.
    ends: Vec<u64>,
}

impl Seen {
    fn new(program: &Program) -> Seen {
        Seen {
            watch: Watch::counting(false),
            ends: vec![0; program.ends.len()],
        }
    }

    /// Looks at a position: the end that holds, else all that can be done.
    fn look(&mut self, engine: &Engine, position: &Position) -> Result<(), PlayError> {
        match engine.ended_by(position)? {
            Some(end) => self.ends[end] += 1,
            None => {
                let watch = engine.watch(position, Watch::counting(false))?;
                self.watch.add(&watch);
            }
        }
        Ok(())
    }

    /// How many instructions were run.
    fn work(&self) -> u64 {
        self.watch.reached.iter().sum()
    }

    fn add(&mut self, other: &Seen) {
        self.watch.add(&other.watch);
        for (mine, theirs) in self.ends.iter_mut().zip(&other.ends) {
            *mine += theirs;
        }
    }
}

/// An engine for the settings of examples, with what was seen of it; neither for settings that the game refuses.
struct Watched {
    settings: Vec<(String, String)>,
    engine: Option<Engine>,
    seen: Option<Seen>,
}

/// A way of a choice between alternatives: the place of the choice, the number of the way, its own place.
type Way = (Span, usize, Span);

/// What was seen of all programs, by place in the text.
#[derive(Default)]
struct Sums {
    clauses: Clauses,
    /// Statements and conditions that are settled under some of the options: a program without them was played.
    settled: BTreeSet<Span>,
    /// For each section the actions that it completed, when a turn plays it.
    actions: Vec<Option<u64>>,
    /// How often a way was tried, and how often it was run to its end; and the rule that it plays.
    ways: BTreeMap<Way, (Counts, String)>,
    /// How often each end came, by place; and its name.
    ends: BTreeMap<Span, (u64, String)>,
}

impl Sums {
    fn add(&mut self, program: &Program, sections: &Sections, seen: &Seen) {
        let mut own = Clauses::new();
        clauses::gather(&mut own, program, sections, &seen.watch);
        let present: BTreeSet<Span> = own.keys().map(|c| c.place).collect();
        let all = sections.statements.iter().chain(&sections.conditions);
        self.settled.extend(all.filter(|s| !present.contains(s)));
        for (clause, counts) in own {
            self.clauses.entry(clause).or_default().add(counts);
        }
        clauses::actions(program, sections, &seen.watch, &mut self.actions);
        for (at, end) in program.ends.iter().enumerate() {
            let entry = self.ends.entry(end.span);
            let (sum, _) = entry.or_insert_with(|| (0, end.name.to_string()));
            *sum += count(&seen.ends, at);
        }
        let setup = clauses::setup_end(program);
        for (at, op) in program.code.iter().enumerate().skip(setup) {
            if let Op::Branch(ways) = op {
                self.branch(program, at, ways, &seen.watch);
            }
        }
    }

    fn branch(&mut self, program: &Program, at: usize, ways: &[Pc], watch: &Watch) {
        let place = program.places[at];
        let tried = count(&watch.reached, at);
        for (number, (from, last)) in stretches(program, ways).into_iter().enumerate() {
            let inside = program.places[from..=last].iter().copied();
            let own =
                inside.filter(|p| place.start <= p.start && p.end <= place.end && *p != place);
            let own = own.reduce(Span::to).unwrap_or(place);
            let rule = if let Some(Op::Open(template)) = program.code.get(from + 1) {
                program.templates[template.0 as usize].name.clone()
            } else {
                String::new()
            };
            let entry = self.ways.entry((place, number, own));
            let (sum, _) = entry.or_insert_with(|| (Counts::default(), rule));
            let passed = count(&watch.reached, last);
            sum.add(Counts { tried, passed });
        }
    }
}

/// The first and the last instruction of each way. A way ends with a jump to what is common to all; the last one of a
/// repetition jumps back instead, from where the others jump to.
fn stretches(program: &Program, ways: &[Pc]) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = ways.iter().map(|w| w.0 as usize).collect();
    let jump_before = |at: usize| {
        let op = at.checked_sub(1).and_then(|j| program.code.get(j));
        op.and_then(|op| {
            if let Op::Jump(to) = op {
                Some(to.0 as usize)
            } else {
                None
            }
        })
    };
    let exit = starts.get(1).and_then(|second| jump_before(*second));
    let ends = starts.iter().skip(1).copied().chain(exit);
    let pairs = starts.iter().copied().zip(ends);
    let pairs = pairs.map(|(from, behind)| (from, behind.saturating_sub(1)));
    pairs
        .filter(|(from, last)| from <= last && *last < program.code.len())
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::base::Source;
    use crate::compile;
    use crate::engine::{Engine, PlayError};
    use crate::tools::coverage::{Coverage, Effort, GapKind, coverage};

    const FRAME: &str = "game \"T\"\noption free = on in on, off\noption skip = on in on, off\n\
        players White, Black\nboard square(3, 3)\npiece stone\n";

    fn covered(rules: &str, threads: usize) -> Result<(Source, Coverage), PlayError> {
        let source = Source::new("t.game", format!("{FRAME}{rules}"));
        let compiled = compile(&source, &[]);
        let engine = Engine::new(compiled.program.unwrap())?;
        let make = |settings: &[(String, String)]| {
            let compiled = compile(&source, settings);
            let program = compiled.program.ok_or(compiled.diagnostics)?;
            Engine::new(program).map_err(|_| Vec::new())
        };
        let effort = Effort {
            threads,
            ..Effort::default()
        };
        let found = coverage(&compiled.file, &engine, &[], &make, effort)?;
        Ok((source, found))
    }

    /// Kinds and first lines of the gaps.
    fn gaps(rules: &str) -> Result<Vec<(GapKind, String)>, PlayError> {
        let (source, found) = covered(rules, 1)?;
        let line = |place| {
            source
                .at(place)
                .lines()
                .next()
                .unwrap_or("")
                .trim()
                .to_owned()
        };
        let gaps = found.gaps.iter();
        Ok(gaps.map(|g| (g.kind, line(g.place))).collect())
    }

    fn gap(kind: GapKind, line: &str) -> (GapKind, String) {
        (kind, line.to_owned())
    }

    const DROP: &str = "rule Drop {\n  choose spot in empty\n  place stone at spot\n}\n";
    const FULL: &str = "end at start of turn {\n  draw \"full\" when stuck\n}\n";

    #[test]
    fn a_game_without_gaps_has_none() -> Result<(), PlayError> {
        assert_eq!(gaps(&format!("{DROP}turn Drop\n{FULL}"))?, []);
        Ok(())
    }

    #[test]
    fn requirements_that_make_no_difference_are_found() -> Result<(), PlayError> {
        let rules = format!(
            "rule Drop {{\n  require turns < 20 \"too late\"\n  choose spot in empty\n  place stone at spot\n}}\n\
             rule Lift {{\n  choose spot in own\n  require turns > 20 \"too early\"\n  remove spot\n}}\n\
             turn Drop or Lift\n{FULL}"
        );
        assert_eq!(
            gaps(&rules)?,
            [
                gap(GapKind::RuleNeverPlayed, "Lift"),
                gap(GapKind::NeverReached, "remove spot"),
                gap(GapKind::NeverRefuses, "require turns < 20 \"too late\""),
                gap(GapKind::NeverHolds, "require turns > 20 \"too early\""),
            ]
        );
        Ok(())
    }

    #[test]
    fn dead_rules_choices_and_ends_are_found() -> Result<(), PlayError> {
        let rules = format!(
            "{DROP}rule Dead {{\n  choose spot in own\n  remove spot\n}}\n\
             rule Idle \"idle\" {{\n  line [ 4 own ]\n}}\n\
             turn {{\n  if turns > 30 {{ Dead }} else {{ Drop or Idle }}\n}}\n\
             end after turn {{\n  win \"never\" when turns = 40\n}}\n{FULL}"
        );
        assert_eq!(
            gaps(&rules)?,
            [
                gap(GapKind::RuleNeverTried, "Dead"),
                gap(GapKind::RuleNeverPlayed, "Idle"),
                gap(GapKind::NothingOffered, "line [ 4 own ]"),
                gap(
                    GapKind::NeverTrue,
                    "if turns > 30 { Dead } else { Drop or Idle }"
                ),
                gap(GapKind::NeverEnds, "win \"never\" when turns = 40"),
            ]
        );
        Ok(())
    }

    #[test]
    fn alternatives_and_conditions_are_found() -> Result<(), PlayError> {
        let rules = format!(
            "rule Drop \"{{spot}}\" {{\n  choose spot in empty\n  if turns < 20 {{\n    {{ place stone at spot }} or {{ remove empty; pass_never }}\n  }}\n}}\n\
             turn Drop\n{FULL}"
        )
        .replace("remove empty; pass_never", "require spot in none; remove spot");
        assert_eq!(
            gaps(&rules)?,
            [
                gap(GapKind::NeverReached, "remove spot"),
                gap(GapKind::NeverHolds, "require spot in none"),
                gap(GapKind::AlwaysTrue, "if turns < 20 {"),
                gap(GapKind::NeverTaken, "require spot in none; remove spot"),
            ]
        );
        Ok(())
    }

    #[test]
    fn examples_close_gaps_under_their_options() -> Result<(), PlayError> {
        let rules = format!(
            "rule Drop {{\n  require free = on or some occupied \"begin elsewhere\"\n  choose spot in empty\n  place stone at spot\n}}\n\
             rule Skip \"skip\" {{\n  require skip = off \"no\"\n  remove occupied\n}}\n\
             turn Drop or Skip\n{FULL}"
        );
        let left = "require free = on or some occupied \"begin elsewhere\"";
        let before = gaps(&rules)?;
        assert!(before.contains(&gap(GapKind::LeftOut, left)), "{before:?}");
        let told = format!(
            "{rules}example \"the other way\" with free = off, skip = off {{\n  illegal a1 because \"begin elsewhere\"\n  \
             play skip\n  illegal a1\n  position \"2S/3/3 b\"\n  legal a1\n}}\n"
        );
        let after = gaps(&told)?;
        assert_eq!(after, []);
        Ok(())
    }

    #[test]
    fn threads_change_nothing() -> Result<(), PlayError> {
        let rules = format!("{DROP}turn Drop\n{FULL}");
        let (_, one) = covered(&rules, 1)?;
        let (_, three) = covered(&rules, 3)?;
        assert_eq!(one, three);
        assert_eq!((one.games, one.actions, one.positions), (40, 360, 400));
        assert_eq!((one.clauses, one.reached), (2, 2));
        Ok(())
    }
}
