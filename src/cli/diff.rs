//! `gambol diff`: two rule files, or one under two sets of options, and the smallest difference of the games that they make.

use crate::base::Source;
use crate::cli::args::{Common, setting, whole};
use crate::cli::failure::{FINDINGS, Failure};
use crate::cli::files::{self, Text};
use crate::cli::out::Terminal;
use crate::cli::{json, load};
use crate::engine::{Engine, Outcome, PlayError, Position};
use crate::program::Program;
use crate::tools::compare::{
    BoardFacts, Both, Clause, Comparison, Difference, Extras, Kind, Plan, Side, compare,
};
use crate::tools::rng::DEFAULT_SEED;
use crate::tools::why::{Why, why};
use crate::tools::{draw, phrase};
use clap::Args;
use serde_json::{Map, Value, json};
use std::num::NonZero;
use std::thread::available_parallelism;

/// The arguments of `diff`.
#[derive(Args, Clone, Debug)]
pub struct DiffArgs {
    /// A game file; `-` is the standard input.
    #[arg(value_name = "A")]
    pub a: String,
    /// The other game file; the same one when left out.
    #[arg(value_name = "B")]
    pub b: Option<String>,
    /// Give an option of A alone a value; may be repeated.
    #[arg(long = "set-a", value_name = "NAME=VALUE", value_parser = setting)]
    pub set_a: Vec<(String, String)>,
    /// Give an option of B alone a value; may be repeated.
    #[arg(long = "set-b", value_name = "NAME=VALUE", value_parser = setting)]
    pub set_b: Vec<(String, String)>,
    /// The most positions to look at, beginning at the start.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole(1..=10_000_000_u32))]
    pub positions: u32,
    /// Random games to play when nothing was found.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(0..=1_000_000_u32))]
    pub games: u32,
    /// The most actions of a random game.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(0..=1_000_000_u32))]
    pub plies: u32,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// A side, as it was read.
struct Game {
    source: Source,
    engine: Engine,
}

/// Compares, and tells the smallest difference.
///
/// # Errors
///
/// If a file is wrong, or the result cannot be written.
pub fn diff(args: &DiffArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let first = files::read(&args.a)?;
    let second = match &args.b {
        Some(file) if *file != args.a => Some(files::read(file)?),
        Some(_) | None => None,
    };
    let mut game = |text: &Text, own: &[(String, String)]| {
        let settings = [&args.common.set, own].concat();
        let engine = load::engine_of(text, &settings, terminal)?;
        let source = text.source.clone();
        Ok::<Game, Failure>(Game { source, engine })
    };
    let games = [
        game(&first, &args.set_a)?,
        game(second.as_ref().unwrap_or(&first), &args.set_b)?,
    ];
    let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    let plan = Plan {
        positions: size(args.positions),
        games: u64::from(args.games),
        plies: size(args.plies),
        seed: args.seed,
        threads: args.threads.map_or_else(
            || available_parallelism().map_or(1, NonZero::get),
            usize::from,
        ),
    };
    let [a, b] = &games;
    let explain = |side: Side, position: &Position, action: &str| {
        let engine = match side {
            Side::A => &a.engine,
            Side::B => &b.engine,
        };
        match why(engine, position, action).ok()? {
            Why::Refused { clauses, .. } => clauses.first().map(|c| Clause {
                place: c.place,
                text: c.text.clone(),
            }),
            Why::Legal { .. } | Why::NoAction { .. } | Why::Over { .. } => None,
        }
    };
    let comparison = compare(&a.engine, &b.engine, &plan, &explain);
    if args.common.json {
        terminal.line(&to_json(&games, &comparison).to_string())?;
    } else {
        tell(&games, &comparison, terminal)?;
    }
    Ok(comparison.difference.map_or(0, |_| FINDINGS))
}

/// The line under a comparison: how much was looked at.
#[must_use]
pub fn extent(comparison: &Comparison) -> String {
    let positions = phrase::number(comparison.positions, "position");
    let games = usize::try_from(comparison.games).unwrap_or(usize::MAX);
    let of_them = if comparison.in_games == 0 {
        String::new()
    } else {
        let games = phrase::number(games, "random game");
        format!(", {} of them in {games}", comparison.in_games)
    };
    match (&comparison.difference, comparison.complete) {
        (Some(_), _) => format!("{positions} searched{of_them}"),
        (None, true) => format!("no difference in all {positions}"),
        (None, false) => format!("no difference in {positions}{of_them}"),
    }
}

fn tell(
    games: &[Game; 2],
    comparison: &Comparison,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    if let Some(difference) = &comparison.difference {
        for (letter, game) in ["A", "B"].into_iter().zip(games) {
            let options = phrase::changed_options(game.engine.program());
            let name = format!("{letter} {} {options}", game.source.name());
            terminal.line(name.trim_end())?;
        }
        terminal.line("")?;
        for line in told(games, difference) {
            terminal.line(line.trim_end())?;
        }
        terminal.line("")?;
    }
    terminal.line(&extent(comparison))
}

/// A difference in words.
fn told(games: &[Game; 2], difference: &Difference) -> Vec<String> {
    let [a, b] = [&games[0].engine, &games[1].engine];
    let mut lines = Vec::new();
    let at = match difference.path.len() {
        0 => "at the start".to_owned(),
        n => format!("after {}", phrase::number(n, "action")),
    };
    let path = |lines: &mut Vec<String>| {
        if !difference.path.is_empty() {
            lines.push(format!("  {}", difference.path.join(" ")));
        }
        lines.push(String::new());
        lines.extend(drawn(a, b, &difference.position));
    };
    match &difference.kind {
        Kind::Boards { facts } => {
            lines.push("the boards have other cells; no position is shared".to_owned());
            for (letter, facts) in ["A", "B"].into_iter().zip(facts.iter()) {
                lines.push(format!("{letter}: {}", counted(facts)));
            }
        }
        Kind::Start => {
            lines.push("the games begin with other positions".to_owned());
            lines.extend(two_positions(a, b, &difference.position));
        }
        Kind::Actions {
            only_a,
            only_b,
            shared,
        } => {
            lines.push(format!("other actions are legal {at}"));
            path(&mut lines);
            lines.push(String::new());
            let sides = [("A", &games[1], only_a), ("B", &games[0], only_b)];
            for (letter, lacking, extras) in sides {
                lines.extend(only(letter, lacking, extras));
            }
            lines.push(format!("both: {}", phrase::number(*shared, "action")));
        }
        Kind::Outcomes { outcomes } => {
            lines.push(format!("the games end in different ways {at}"));
            path(&mut lines);
            lines.push(String::new());
            for (letter, (engine, outcome)) in
                ["A", "B"].into_iter().zip([a, b].into_iter().zip(outcomes))
            {
                lines.push(format!("{letter}: {}", ended(engine.program(), outcome)));
            }
        }
        Kind::Successors { action, next } => {
            lines.push(format!("`{action}` leads to different positions {at}"));
            path(&mut lines);
            lines.push(format!("\nbehind {action}"));
            lines.extend(two_positions(a, b, next));
        }
        Kind::Failures { failures } => {
            lines.push(format!("the rules fail {at}"));
            path(&mut lines);
            lines.push(String::new());
            for (letter, failure) in ["A", "B"].into_iter().zip(failures) {
                let told = failure
                    .as_ref()
                    .map_or_else(|| "the game goes on".to_owned(), PlayError::to_string);
                lines.push(format!("{letter}: {told}"));
            }
        }
    }
    lines
}

fn ended(program: &Program, outcome: &Option<Outcome>) -> String {
    outcome.as_ref().map_or_else(
        || "the game goes on".to_owned(),
        |outcome| phrase::outcome(program, outcome),
    )
}

/// The position as A draws it, and its line; both lines where B writes another.
fn drawn(a: &Engine, b: &Engine, position: &Both) -> Vec<String> {
    let mut lines: Vec<String> = draw::draw(a, &position.a)
        .lines()
        .map(str::to_owned)
        .collect();
    lines.push(String::new());
    let (one, other) = (a.print(&position.a), b.print(&position.b));
    if one == other {
        lines.push(one);
    } else {
        lines.push(format!("A: {one}"));
        lines.push(format!("B: {other}"));
    }
    lines
}

fn two_positions(a: &Engine, b: &Engine, position: &Both) -> Vec<String> {
    let mut lines = Vec::new();
    for (letter, engine, position) in [("A", a, &position.a), ("B", b, &position.b)] {
        lines.push(String::new());
        lines.push(format!("{letter}: {}", engine.print(position)));
        lines.extend(draw::draw(engine, position).lines().map(str::to_owned));
    }
    lines
}

fn counted(facts: &BoardFacts) -> String {
    let mut parts = vec![phrase::number(facts.cells.len(), "cell")];
    let mut list = |what: &str, counts: &[(String, usize)]| {
        if !counts.is_empty() {
            let counts: Vec<String> = counts.iter().map(|(p, n)| format!("{p} {n}")).collect();
            parts.push(format!("{what}: {}", counts.join(", ")));
        }
    };
    list("on the board", &facts.pieces);
    list("in hand", &facts.hands);
    if let Some(actions) = facts.actions {
        let actions = usize::try_from(actions).unwrap_or(usize::MAX);
        parts.push(phrase::number(actions, "action"));
    }
    parts.join("; ")
}

/// The actions that one side alone has, with the clauses of the side that lacks them.
fn only(letter: &str, lacking: &Game, extras: &Extras) -> Vec<String> {
    if extras.count() == 0 {
        return Vec::new();
    }
    let mut lines = vec![format!(
        "only {letter}: {}",
        phrase::number(extras.count(), "action")
    )];
    for extra in &extras.told {
        let blame = extra.clause.as_ref().map_or_else(String::new, |clause| {
            let (line, _) = lacking.source.line_column(clause.place.start);
            format!("  {}:{line}: {}", lacking.source.name(), clause.text)
        });
        lines.push(format!("  {}{blame}", extra.action));
    }
    if extras.more > 0 {
        lines.push(format!("  and {} more", extras.more));
    }
    lines
}

fn to_json(games: &[Game; 2], comparison: &Comparison) -> Value {
    let side = |game: &Game| {
        let program = game.engine.program();
        json!({"file": game.source.name(), "game": program.about.title, "options": json::options(program)})
    };
    let difference = comparison
        .difference
        .as_ref()
        .map(|difference| difference_json(games, difference));
    json!({
        "schema": json::SCHEMA,
        "a": side(&games[0]),
        "b": side(&games[1]),
        "difference": difference,
        "positions": comparison.positions,
        "in_games": comparison.in_games,
        "games": comparison.games,
        "complete": comparison.complete,
    })
}

fn difference_json(games: &[Game; 2], difference: &Difference) -> Value {
    let [a, b] = [&games[0].engine, &games[1].engine];
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| {
        object.insert(name.to_owned(), value);
    };
    let lines = |both: &Both| json!({"a": a.print(&both.a), "b": b.print(&both.b)});
    put("kind", json!(kind(&difference.kind)));
    put("path", json!(difference.path));
    put("position", lines(&difference.position));
    match &difference.kind {
        Kind::Start => {}
        Kind::Boards { facts } => {
            put("a", facts_json(&facts[0]));
            put("b", facts_json(&facts[1]));
        }
        Kind::Actions {
            only_a,
            only_b,
            shared,
        } => {
            put("only_a", extras_json(&games[1].source, only_a));
            put("more_a", json!(only_a.more));
            put("only_b", extras_json(&games[0].source, only_b));
            put("more_b", json!(only_b.more));
            put("shared", json!(shared));
        }
        Kind::Outcomes { outcomes: [x, y] } => {
            put("a", json::outcome(a.program(), x.as_ref()));
            put("b", json::outcome(b.program(), y.as_ref()));
        }
        Kind::Successors { action, next } => {
            put("action", json!(action));
            put("next", lines(next));
        }
        Kind::Failures { failures: [x, y] } => {
            let code = |e: &Option<PlayError>| e.as_ref().map(|e| e.code().name());
            put("a", json!(code(x)));
            put("b", json!(code(y)));
        }
    }
    Value::Object(object)
}

/// The word for a kind of difference.
#[must_use]
pub fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Boards { .. } => "boards",
        Kind::Start => "start",
        Kind::Actions { .. } => "actions",
        Kind::Outcomes { .. } => "outcomes",
        Kind::Successors { .. } => "successors",
        Kind::Failures { .. } => "failures",
    }
}

fn facts_json(facts: &BoardFacts) -> Value {
    let counts = |list: &[(String, usize)]| {
        json::object(list.iter().map(|(piece, n)| (piece.clone(), json!(n))))
    };
    json!({
        "cells": facts.cells.len(),
        "pieces": counts(&facts.pieces),
        "hands": counts(&facts.hands),
        "actions": facts.actions,
    })
}

fn extras_json(lacking: &Source, extras: &Extras) -> Value {
    let clause = |clause: &Clause| {
        let (line, column) = lacking.line_column(clause.place.start);
        json!({"line": line, "column": column, "text": clause.text})
    };
    let all = extras.told.iter();
    all.map(|extra| json!({"action": extra.action, "clause": extra.clause.as_ref().map(clause)}))
        .collect()
}
