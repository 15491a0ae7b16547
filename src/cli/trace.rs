//! `gambol trace`: what every rule does in a position, a table with one line a clause.

use crate::base::Source;
use crate::cli::args::{Common, Standing};
use crate::cli::failure::Failure;
use crate::cli::out::Terminal;
use crate::cli::show::standing;
use crate::cli::{clause, json, load, moves, render};
use crate::engine::{Engine, Position};
use crate::tools::phrase;
use crate::tools::sections::Sections;
use crate::tools::trace::{Part, Trace, trace as run};
use clap::Args;
use serde_json::{Value, json};

/// The arguments of `trace`.
#[derive(Args, Clone, Debug)]
pub struct TraceArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// Where the game stands.
    #[command(flatten)]
    pub at: Standing,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// Tells what the rules do.
///
/// # Errors
///
/// If file, position or actions are wrong, or the result cannot be written.
pub fn trace(args: &TraceArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (text, file, engine) = load::with_tree(&args.file, &args.common.set, terminal)?;
    let position = moves::standing(&engine, &args.at)?;
    let trace = run(&engine, &Sections::of(&file), &position)?;
    if args.common.json {
        let value = to_json(&text.source, &engine, &position, &trace)?;
        terminal.line(&value.to_string())?;
    } else {
        tell(&text.source, &engine, &position, &trace, terminal)?;
    }
    Ok(0)
}

fn tell(
    source: &Source,
    engine: &Engine,
    position: &Position,
    trace: &Trace,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    terminal.line(&engine.print(position))?;
    terminal.line(&standing(engine, position)?)?;
    if let Some((outcome, place)) = &trace.over {
        let ended = phrase::outcome(engine.program(), outcome);
        let remark = render::remark(source, *place, &ended, terminal.color_out);
        terminal.line("")?;
        return terminal.line(&remark);
    }
    let mut nothing = false;
    for part in trace.parts.iter().filter(|p| p.tried()) {
        terminal.line("")?;
        terminal.line(&heading(part))?;
        nothing |= table(source, part, terminal)?;
    }
    let rest = trace.parts.iter().filter(|p| !p.tried());
    let rest: Vec<String> = rest.map(|p| p.section.heading()).collect();
    terminal.line("")?;
    if !rest.is_empty() {
        terminal.line(&format!("not tried: {}", rest.join(", ")))?;
    }
    if nothing {
        terminal.line("`!` marks what let nothing through")?;
    }
    terminal.line(&phrase::number(trace.actions, "legal action"))
}

fn heading(part: &Part) -> String {
    let heading = part.section.heading();
    match part.ways {
        Some(ways) => format!(
            "{heading}: {} to an action",
            phrase::number(as_size(ways), "way")
        ),
        None => heading,
    }
}

fn as_size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// Writes the clauses of a rule; whether one of them let nothing through.
fn table(source: &Source, part: &Part, terminal: &mut Terminal) -> Result<bool, Failure> {
    if part.clauses.is_empty() {
        return Ok(false);
    }
    let rows: Vec<(String, u64, u64, bool, String)> = part
        .clauses
        .iter()
        .map(|(c, counts)| {
            let nothing = c.kind.refuses() && counts.tried > 0 && counts.passed == 0;
            let text = clause::text(source, c.place, &c.text);
            let place = clause::place(source, c.place);
            (place, counts.tried, counts.passed, nothing, text)
        })
        .collect();
    let widest = rows.iter().map(|r| r.0.chars().count()).max();
    let width = widest.unwrap_or(0).max("line".len());
    terminal.line(&format!(
        "  {:>width$}  {:>8}  {:>8}",
        "line", "tried", "passed"
    ))?;
    for (place, tried, passed, nothing, text) in &rows {
        let mark = if *nothing { '!' } else { ' ' };
        terminal.line(&format!(
            "{mark} {place:>width$}  {tried:>8}  {passed:>8}  {text}"
        ))?;
    }
    Ok(rows.iter().any(|r| r.3))
}

fn to_json(
    source: &Source,
    engine: &Engine,
    position: &Position,
    trace: &Trace,
) -> Result<Value, Failure> {
    let mut state = json::state(engine, position)?;
    let parts = trace.parts.iter().map(|part| {
        let clauses = part.clauses.iter().map(|(c, counts)| {
            let more = [
                ("kind", json!(c.kind.name())),
                ("text", json!(c.text)),
                ("source", json!(source.at(c.place))),
                ("tried", json!(counts.tried)),
                ("passed", json!(counts.passed)),
            ];
            json::located(source, c.place, &more)
        });
        let clauses: Vec<Value> = clauses.collect();
        let more = [
            ("kind", json!(part.section.kind.name())),
            ("name", json!(part.section.name)),
            ("tried", json!(part.tried())),
            ("ways", json!(part.ways)),
            ("clauses", json!(clauses)),
        ];
        json::located(source, part.section.title, &more)
    });
    state.insert("rules".to_owned(), parts.collect());
    state.insert("actions".to_owned(), json!(trace.actions));
    let ended = trace
        .over
        .as_ref()
        .map(|(outcome, place)| json::located(source, *place, &[("text", json!(&*outcome.by))]));
    state.insert("ended_by".to_owned(), json!(ended));
    Ok(Value::Object(state))
}
