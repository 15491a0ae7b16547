//! `gambol coverage`: what random games and the examples of a file never come to, grouped by kind. Findings here are information.

use crate::base::Source;
use crate::cli::args::{Common, whole};
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::{clause, json, load, test};
use crate::tools::coverage::{Coverage, Effort, Gap, GapKind, coverage as run};
use crate::tools::phrase;
use crate::tools::rng::DEFAULT_SEED;
use clap::Args;
use serde_json::{Map, Value, json};
use std::num::NonZero;
use std::thread::available_parallelism;

/// The arguments of `coverage`.
#[derive(Args, Clone, Debug)]
pub struct CoverageArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// The most random games; fewer are played when they are long [default: 40, and enough for a second].
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    pub games: Option<u64>,
    /// The most actions of one game.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(0..=usize::MAX))]
    pub plies: usize,
    /// Seed of the first game; the others have the numbers that follow it.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// Tells what is never come to.
///
/// # Errors
///
/// If the file is no game, the engine fails, or the result cannot be written.
pub fn coverage(args: &CoverageArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (text, file, engine) = load::with_tree(&args.file, &args.common.set, terminal)?;
    let usual = Effort::default();
    let processors = || available_parallelism().map_or(1, NonZero::get);
    let effort = Effort {
        seed: args.seed,
        games: args.games.unwrap_or(usual.games),
        plies: args.plies,
        // So many games as were asked for, however long it takes.
        work: args.games.map_or(usual.work, |_| u64::MAX),
        threads: args.threads.map_or_else(processors, usize::from),
    };
    let make = |settings: &[(String, String)]| test::made(&text, settings);
    let found = run(&file, &engine, &args.common.set, &make, effort)?;
    if args.common.json {
        let value = to_json(&args.file, &text.source, &found);
        terminal.line(&value.to_string())?;
    } else {
        tell(&args.file, &text.source, &found, terminal)?;
    }
    Ok(0)
}

fn of_kind(found: &Coverage, kind: GapKind) -> Vec<&Gap> {
    found.gaps.iter().filter(|g| g.kind == kind).collect()
}

fn tell(
    file: &str,
    source: &Source,
    found: &Coverage,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let games = usize::try_from(found.games).unwrap_or(usize::MAX);
    terminal.line(&format!(
        "{file}: {}, {}, {}",
        phrase::number(games, "random game"),
        phrase::number(found.actions, "action"),
        phrase::number(found.examples, "example"),
    ))?;
    for kind in GapKind::ALL {
        let gaps = of_kind(found, kind);
        if gaps.is_empty() {
            continue;
        }
        let [_, many, _, verb] = kind.words();
        terminal.line(&format!("\n{many} that {verb}"))?;
        let rows = gaps.iter().map(|gap| row(source, gap));
        let rows: Vec<(String, String)> = rows.collect();
        let width = rows
            .iter()
            .map(|(p, _)| p.chars().count())
            .max()
            .unwrap_or(0);
        for (place, text) in rows {
            terminal.line(&format!("  {place:>width$}  {text}"))?;
        }
    }
    terminal.line(&format!("\n{}", summary(found)))
}

fn row(source: &Source, gap: &Gap) -> (String, String) {
    let text = match gap.kind {
        GapKind::RuleNeverTried | GapKind::RuleNeverPlayed => gap.text.clone(),
        GapKind::LeftOut
        | GapKind::NeverReached
        | GapKind::NeverRefuses
        | GapKind::NeverHolds
        | GapKind::NothingOffered
        | GapKind::NeverDone
        | GapKind::AlwaysTrue
        | GapKind::NeverTrue
        | GapKind::NeverTaken => clause::text(source, gap.place, &gap.text),
        GapKind::NeverEnds => clause::text(source, gap.place, ""),
    };
    let tried = match gap.tried {
        0 => String::new(),
        1 => "  (tried once)".to_owned(),
        n => format!("  (tried {n} times)"),
    };
    (clause::place(source, gap.place), format!("{text}{tried}"))
}

/// All in one line.
fn summary(found: &Coverage) -> String {
    let mut parts = vec![format!(
        "{} of {} clauses reached",
        found.reached, found.clauses
    )];
    for kind in GapKind::ALL {
        let [one, many, does, do_] = kind.words();
        match of_kind(found, kind).len() {
            0 => {}
            1 => parts.push(format!("1 {one} {does}")),
            n => parts.push(format!("{n} {many} {do_}")),
        }
    }
    parts.join(", ")
}

fn to_json(file: &str, source: &Source, found: &Coverage) -> Value {
    let mut value = Map::new();
    let numbers = [
        ("schema", json!(json::SCHEMA)),
        ("file", json!(file)),
        ("games", json!(found.games)),
        ("actions", json!(found.actions)),
        ("examples", json!(found.examples)),
        ("positions", json!(found.positions)),
        ("clauses", json!(found.clauses)),
        ("reached", json!(found.reached)),
    ];
    for (name, number) in numbers {
        value.insert(name.to_owned(), number);
    }
    for kind in GapKind::ALL {
        let gaps = of_kind(found, kind).into_iter().map(|gap| {
            let more = [
                ("text", json!(gap.text)),
                ("source", json!(source.at(gap.place))),
                ("tried", json!(gap.tried)),
                ("passed", json!(gap.passed)),
            ];
            json::located(source, gap.place, &more)
        });
        value.insert(kind.key().to_owned(), gaps.collect());
    }
    Value::Object(value)
}
